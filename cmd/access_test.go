package cmd_test

import (
	"strings"
	"testing"
)

// TestAccess asks what lanes cost; the numbers are those of the tables in CUDA's guides and of arithmetic: a column of
// 32 floats is 32 words of one bank, a row is 1 line of 4 sectors.
func TestAccess(t *testing.T) {
	for _, tt := range []struct {
		args, out string
		code      int
		says      string
		reason    string
	}{
		{args: "32x32 --lanes 1=32 --vec 1", out: "1,1,4,1,128,128\n", reason: "a row"},
		{args: "32x32 --lanes 0=32 --vec 1", out: "32,1,32,32,128,1024\n", reason: "a column: 32 ways"},
		{args: "32x32 --lanes 0=32 --vec 1 --pitch 0=33", out: "1,1,32,32,128,1024\n", reason: "33 columns"},
		{args: "32x32 --lanes 0=32 --vec 1 --swizzle 5,0,5", out: "1,1,32,32,128,1024\n", reason: "swizzled"},
		{args: "8x64 -t f16 --lanes 0=8 --vec 8 --swizzle 128B", out: "1,1,8,8,128,256\n", reason: "CUTLASS's atom"},
		{args: "32x32 --lanes 0=32 --vec 1 --broadcast 0", out: "1,1,1,1,4,32\n", reason: "one word"},
		{args: "64x2 --strides 2,1 --lanes 0=32 --vec 1", out: "2,1,8,2,128,256\n", reason: "stride 2"},
		{args: "64 --lanes 0=32 --vec 1 --storage-offset 1", out: "1,1,5,2,128,160\n", reason: "misaligned: 5 sectors"},
		{args: "32x32 --lanes 0=8,1=4 --vec 1", out: "8,1,8,8,128,256\n", reason: "the last axis is the fastest"},
		{args: "32x32 --lanes 0=32 --vec 1 --start 0,5 --get worst.bank", out: "5\n", reason: "column 5"},
		{args: "32x32 --lanes 0=32 --vec 1 --get worst.lanes[31]", out: "31\n", reason: "each lane is in the conflict"},
		{args: "32x32 --lanes 0=32 --vec 1 --all", out: "1024,32,1024,1024,4096,32768\n", reason: "32 columns"},
		{args: "32x32 --lanes 0=32 --lanes 1=32 --vec 1", out: "32,1,32,32,128,1024\n1,1,4,1,128,128\n",
			reason: "two"},
		{args: "32x32 --lanes 0=32 --lanes 1=8 --vec 1 --vec 4", out: "32,1,32,32,128,1024\n1,1,4,1,128,128\n",
			reason: "a vector for each"},
		{args: "64x64 --lanes 0=64 --vec 1 --get requests", out: "2\n", reason: "a warp has 32 lanes"},
		{args: "8x12 -t f16 --lanes 0=8 --get widest.limit", out: "stride 12 of axis 0\n", reason: "the limit"},
		{args: "8x12 -t f16 --lanes 0=8 --get vectorBytes", out: "8\n", reason: "the default"},
		{args: "8x64 -t f16 --lanes 1 --get lanes", out: "8\n", reason: "as many lanes as there is room for"},
		{args: "64x72 -t f16 --lanes 0=16,1=4 --phases ds_read_b128", out: "16,8,40,18,1024,1280\n",
			reason: "a case of Triton's tests: rows of 144 bytes, 4 lanes a row"},
		{args: "8x64 -t f16 --lanes 0=8 --all --try swizzles", out: "3,3,3\n", reason: "the fewest bits"},
		{args: "8x64 -t f16 --lanes 0=8 --all --try pads", out: "0=72\n", reason: "the least pad"},
		{args: "Sw<1,3,3>_o_0_o_(8,64):(64,1) -t f16 --lanes 0=8 --all --try swizzles",
			out: "Sw<3,3,3> o 0 o (8,64):(64,1)\n", reason: "a text has its swizzle: the whole text"},
		{args: "8x64 -t f16 --swizzle 128B --lanes 0=8 --try swizzles", out: "3,3,3\n", reason: "in place of the flag"},
		{args: "8x64 -t f16 --swizzle 128B --lanes 0=8 --lanes 1=8 --all --ideal", out: "8,8,64,64,1024,2048\n" +
			"8,8,32,8,1024,1024\n", reason: "both rows and columns are ideal"},
		{args: "8x64 -t f16 --lanes 0=8 --ideal", out: "8,1,8,8,128,256\n", code: 1, says: "8 wavefronts, more than 1",
			reason: "not ideal"},
		{args: "8x64 -t f16 --lanes 0=8 --max-wavefronts 8", out: "8,1,8,8,128,256\n", reason: "at the limit"},
		{args: "8x64 -t f16 --lanes 0=8 --max-wavefronts 7", out: "8,1,8,8,128,256\n", code: 1, says: "more than 7",
			reason: "above it"},
		{args: "8x64 -t f16 --lanes 0=8 --sectors --ideal", out: "8,1,8,8,128,256\n", code: 1,
			says: "8 sectors, more than 4", reason: "half of each sector"},
		{args: "8x64 -t f16 --lanes 1=8 --sectors --ideal", out: "1,1,4,1,128,128\n", reason: "whole sectors"},
		{args: "64x64 -t f16 --lanes BlockedLayout([1,8],[4,8],[4,1],[1,0])", out: "64,64,256,64,8192,8192\n",
			reason: "rows of 128 bytes: 4 lines a request"},
		{args: "64x64 -t f16 --lanes BlockedLayout([1,4],[8,4],[4,1],[1,0])", out: "256,64,256,256,8192,8192\n",
			reason: "8 rows of 32 bytes: 4 ways in each half warp"},
		{args: "64x64 -t f16 --lanes BlockedLayout([1,4],[8,4],[4,1],[1,0]) --vec 8", code: 2,
			says: "do not hold 8 adjacent elements", reason: "a thread has 4"},
		{args: "64x64 -t f16 --lanes BlockedLayout([1,4],[8,4],[4,1],[1,0]) --all", code: 2,
			says: "an ownership says which elements are read", reason: "no places"},
		{args: "64x64 -t f16 --lanes tensor<16x16xf16,#ttg.blocked<{" +
			"sizePerThread=[1,4],threadsPerWarp=[8,4],warpsPerCTA=[4,1]," +
			"order=[1,0]}>>", code: 2, says: "a tile of 16x16, and the tensor has 64x64", reason: "another tile"},
		{args: "16x16 -t f16 --lanes mma.m16n8k16.f16:A", out: "8,4,32,8,512,1024\n",
			reason: "8 rows of 32 bytes: 4 of 8 words of a bank's row twice"},
		{args: "16x16 -t f16 --lanes mma.m16n8k16.f16:A --swizzle 1,3,3", out: "4,4,32,8,512,1024\n", reason: "SW32"},
		{args: "16x16 --lanes mma.m16n8k16.f16:A", code: 2, says: "elements of 16 bits, and the tensor has 32",
			reason: "another type"},
		{args: "32x8 -t f16 --lanes ldmatrix.x4", code: 2, says: "--lanes 0=8 --vec 8", reason: "addresses"},
		{args: "32x32 --lanes v_mfma_f32_32x32x8_f16:D", out: "32,32,128,32,4096,4096\n", reason: "rows of 32 lanes"},
		{args: "32x32 --lanes q", code: 2, says: "unknown axis q", reason: "neither"},
		{args: "16x8 --lanes ((4,8),(2,2)):((32,1),(16,8))", out: "4,4,16,4,512,512\n", reason: "CuTe's layout"},
		{args: "4x3x8x8 NHWC --loops N,C,H,W", out: "768,48,143,48\n", reason: "an image has 12 lines"},
		{args: "4x3x8x8 NHWC --loops N,C,H,W --cache-lines 11", out: "768,48,143,144\n", reason: "too few"},
		{args: "4x3x8x8 NHWC --loops N,H,W,C --cache-line 128", out: "768,24,23,24\n", reason: "longer lines"},
		{args: "64x64 --loops 0 --start 0,5 --get misses", out: "64\n", reason: "a column"},
		{args: "8x8 --lanes 0=8 --cache-line 32", code: 2, says: "go with --loops", reason: "no cache"},
		{args: "8x64 -t f16 --lanes 0=8 --try pads --ideal", code: 2, says: "exits with 1", reason: "its own code"},
		{args: "32x3 --strides 3,96 --lanes 0=32 --vec 1 --try swizzles", out: "0,0,0\n", reason: "none needed"},
		{args: "8x8 --loops 0,0", code: 2, says: "axis 0 has two loops", reason: "no such nest"},
		{args: "8x8 --loops 0 --lanes 1=8", code: 2, says: "one after the other", reason: "both"},
		{args: "8x8 --loops 0 --all", code: 2, says: "--loops cannot go with flags", reason: "of the other"},
		{args: "99999x99999 --loops 0,1", code: 2, says: "limit of 16777216", reason: "too many"},
		{args: "8x64", code: 2, says: "layoutcalc access 8x64 -o plain --lanes 1=32", reason: "no lanes"},
		{args: "8x64 --lanes 2=8", code: 2, says: "unknown axis 2", reason: "no such axis"},
		{args: "8x64 --lanes 0=9", code: 2, says: "9 lanes along 0 need more than the 8 there", reason: "no room"},
		{args: "8x64 --lanes 0=0", code: 2, says: "at least 1 lane", reason: "no lane"},
		{args: "8x64 --lanes 0=8 --vec 3", code: 2, says: "a power of two", reason: "no such load"},
		{args: "8x64 --lanes 0=8 --vec 8", code: 2, says: "8 elements have more than 16 bytes", reason: "no such load"},
		{args: "8x64 --lanes 0=8 --vec 4 --phases ds_read_b64", code: 2, says: "ds_read_b64 reads 8 bytes a lane",
			reason: "another instruction"},
		{args: "8x64 --lanes 0=8 --all --start 0,8", code: 2, says: "--all starts at index 0", reason: "both"},
		{args: "8x64 --lanes 0=8 --banks --sectors", code: 2, says: "leave out both", reason: "both"},
		{args: "8x64 --lanes 0=8 --try swizzle", code: 2, says: "--try swizzles", reason: "nearly"},
		{args: "0x64 --lanes 0=8", code: 2, says: "no elements to read", reason: "nothing there"},
		{args: "12x5 --lanes 0=8 --start 5", code: 2, says: "1 number for a tensor of rank 2", reason: "half an index"},
	} {
		args := append(strings.Fields("access "+tt.args), "-o", "plain")
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "_o_", " o ")
		}
		r := runWith(nil, nil, args...)
		if r.out != tt.out || r.code != tt.code || !strings.Contains(r.stderr, tt.says) {
			t.Errorf("%s: %+v, want %q, %d, %q: %s", tt.args, r, tt.out, tt.code, tt.says, tt.reason)
		}
	}
}

// TestOwners asks who holds elements, and compares who does; the numbers are those of PTX's fragments and of
// arithmetic.
func TestOwners(t *testing.T) {
	const rows = "BlockedLayout([1,4],[16,2],[1,1],[1,0])"
	for _, tt := range []struct {
		args, out string
		code      int
		says      string
		reason    string
	}{
		{args: "compare mma.m16n8k16.f16:C ((4,8),(2,2)):((32,1),(16,8))", out: "same\n", reason: "CuTe's traits"},
		{args: "compare ((4,8),(2,2)):((32,1),(16,8)) mma.m16n8k16.f16:C", out: "same\n", reason: "turned"},
		{args: "compare mma.m16n8k16.f16:C " + rows, out: "different\n", code: 1, reason: "rows of four"},
		{args: "compare mma.m16n8k16.f16:C " + rows + " --get firstDifference.index", out: "0,2\n", code: 1,
			reason: "the first pair is the same"},
		{args: "compare mma.m16n8k16.f16:C " + rows + " --get firstDifference.b[0].value", out: "2\n", code: 1,
			reason: "lane 0 has four of a row"},
		{args: "compare mma.m16n8k16.f16:C mma.m16n8k16.f16:A", code: 2, says: "16x8, and that of the other 16x16",
			reason: "two tiles"},
		{args: "compare mma.m16n8k16.f16:C nonsense", code: 2, says: "unknown instruction", reason: "one is none"},
		{args: "compare " + rows + " " + rows + " --svg x.svg", code: 2, says: "have no picture", reason: "no picture"},
		{args: "compare (8,64):(64,1) nonsense", code: 2, says: "layout name nonsense", reason: "a tensor first"},
		{args: "owner " + rows + " 16x8 --thread 32", code: 1, says: "no thread 32: they count from 0 to 31",
			reason: "the flag that was given"},
		{args: "owner " + rows + " 16x8 --lane 32", code: 1, says: "no lane 32", reason: "no such lane"},
		{args: "owner " + rows + " 16x8 --range 6:9", out: "0,0,1,2,0,6\n0,0,1,3,0,7\n0,0,2,0,1,0\n",
			reason: "numbers in row-major order"},
		{args: "owner ((4,8),(2,2)):((32,1),(16,8)) --into 16x8 --range 15:17",
			out:    "0,0,28,2,15,0\n0,0,0,1,0,1\n",
			reason: "the first index is the fastest"},
		{args: "owner " + rows + " 16x8 --range 126: 1,1", code: 2, says: "--range asks", reason: "both"},
		{args: "owner (32,2):(1,64) --into 16x8 --range 32:33", out: "x\n", code: 1, reason: "a number of no thread"},
	} {
		r := runWith(nil, nil, append(strings.Fields(tt.args), "-o", "plain")...)
		if r.out != tt.out || r.code != tt.code || !strings.Contains(r.stderr, tt.says) {
			t.Errorf("%s: %+v, want %q, %d, %q: %s", tt.args, r, tt.out, tt.code, tt.says, tt.reason)
		}
	}
}
