package cmd_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// TestBytes checks the bytes to allocate in every output. The number is for the system that the layout, the input or a
// flag names, and otherwise for the system that needs most. The numbers follow from the rules of the systems: DirectML
// rounds up to a multiple of 4, oneDNN stores whole rows and blocks, XLA whole tiles, Zarr whole chunks, and D3D12 rows
// of 256 bytes except for the last. All others need the bytes up to the last element.
func TestBytes(t *testing.T) {
	for _, tt := range []struct {
		line   string
		system string // empty if none is named, or none can express the tensor
		bytes  int64
	}{
		{"1x3x5x7 -t f16", "", 212}, // 105 x 2, a multiple of 4
		{"1x3x5x7 -t f16 --from pytorch", "PyTorch", 210},
		{"torch.empty(1,3,5,7,dtype=torch.float16)", "PyTorch", 210},
		{"np.zeros((1,3,5,7),np.float16)", "NumPy", 210},
		{"tensor<1x3x5x7xf16>", "MLIR", 210},
		{"f16[1,3,5,7]", "XLA", 210},
		{"(3,5):(5,1) -t f16", "CuTe", 30},
		{"1x3x5x7 abcd -t f16", "oneDNN", 210},
		{`{"DataType":"FLOAT16","Sizes":[1,3,5,7]}`, "DirectML", 212},
		{"2x3 --pitch H=5", "", 40},                               // two rows of 5 for oneDNN, 8 elements for others
		{"2x3 --pitch H=5 --from numpy", "NumPy", 32},             // 5 + 3 elements
		{"1x20x7x7 aBcd8b", "oneDNN", 4704},                       // 24 x 7 x 7 x 4
		{"1x20x7x7 NCHW8c", "", 4704},                             // the same
		{"f32[3,5]{1,0:T(8,128)}", "XLA", 4096},                   // 8 x 128 x 4
		{"3x5 --tile 8x128", "XLA", 4096},                         // the same
		{"100x100x100 -t f64 --chunks 64x64x64", "Zarr", 1 << 24}, // 8 chunks of 64^3 x 8
		{"3x5 -t int4", "", 8},                                    // 15 halves of bytes
		{"3x5 -t int4 --from pytorch", "PyTorch", 15},             // whole bytes
		{"50x100 -t uint32 --for d3d12", "D3D12", 25488},          // 49 rows of 512, and 400
		{"64x64 -t f16 --swizzle 128B", "", 8192},                 // none of the three has swizzles
		{"4x6 -t f16 --view [:2,:3]", "", 48},                     // PyTorch keeps the storage
		{"4x6 -t float16 --from numpy --view [:2,:3]", "NumPy", 18},
		{"2x3 --broadcast H -t f16", "", 8}, // 3 x 2, a multiple of 4
		{"0x3", "", 0},
		{"5 --pad 0=3", "", 32},               // with the padding; the three do not allocate it
		{"1x20x7x7 NCHW16c -t u16", "", 3136}, // 32 x 49 x 2; none of the three has both blocks and uint16
	} {
		args := strings.Fields(tt.line)
		call := func(command string, more ...string) result {
			return runWith(nil, nil, append(append([]string{command}, args...), more...)...)
		}
		want := fmt.Sprint(tt.bytes)
		first, _, _ := strings.Cut(call("size", "--width", "1000").out, "\n")
		if n, _, _ := strings.Cut(first, " "); strings.ReplaceAll(n, ",", "") != want ||
			tt.system != "" && !strings.Contains(first, " for "+tt.system) {
			t.Errorf("%s: the first line is %q, want %s for %s", tt.line, first, want, tt.system)
		}
		for name, out := range map[string]string{
			"-o plain": call("size", "-o", "plain").out, "--get bytes": call("size", "--get", "bytes").out,
			"strides": call("strides", "--get", "bytes").out,
		} {
			if strings.TrimSpace(out) != want {
				t.Errorf("%s %s: %q, want %s", tt.line, name, out, want)
			}
		}
		sizeDocument(t, tt.line, call("size", "-o", "json").out, tt.system, tt.bytes)
		rows, err := csv.NewReader(strings.NewReader(call("size", "-o", "csv").out)).ReadAll()
		isRow := false
		for _, row := range rows {
			isRow = isRow || len(row) == 3 && row[2] == want && strings.HasPrefix(row[0], "allocate for "+tt.system)
		}
		if !isRow && tt.system != "" || err != nil {
			t.Errorf("%s -o csv: %v %v, want %s for %s", tt.line, rows, err, want, tt.system)
		}
		if tt.system == "" || tt.bytes == 0 {
			continue
		}
		enough := call("size", "--buffer", want, "-o", "plain")
		short := call("size", "--buffer", strconv.FormatInt(tt.bytes-1, 10), "-o", "plain")
		if enough.code != 0 || short.code != 1 {
			t.Errorf("%s: a buffer of %s bytes is %d, a byte less %d", tt.line, want, enough.code, short.code)
		}
	}
}

// sizeDocument checks the bytes in a document of the command size.
func sizeDocument(t *testing.T, line, text, system string, bytes int64) {
	t.Helper()
	var doc struct {
		Tensor   struct{ Bytes int64 }
		Allocate []struct {
			System string
			Bytes  int64
		}
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil || doc.Tensor.Bytes != bytes {
		t.Errorf("%s -o json: %d bytes (%v), want %d", line, doc.Tensor.Bytes, err, bytes)
	}
	if len(doc.Allocate) == 0 {
		t.Errorf("%s -o json: no system allocates it", line)
	} else if first := doc.Allocate[0]; first.Bytes != bytes || system != "" && first.System != system {
		t.Errorf("%s -o json: %+v is first, want %d for %s", line, first, bytes, system)
	}
}

// TestSweepBytes compares the bytes of rows with those of single calls.
func TestSweepBytes(t *testing.T) {
	for _, line := range []string{
		"{2,3}x5 --pitch H=8 -t f16", "1x{20,32}x7x7 aBcd8b", "{3,9}x5 --tile 8x128", "{50,51}x100 -t u32 --for d3d12",
		"1x3x5x{7,8} -t float16 --from numpy",
	} {
		open, after := strings.Index(line, "{"), strings.Index(line, "}")
		var want []string
		for size := range strings.SplitSeq(line[open+1:after], ",") {
			one := strings.Fields(line[:open] + size + line[after+1:] + " -o plain")
			want = append(want, strings.TrimSpace(runWith(nil, nil, append([]string{"size"}, one...)...).out))
		}
		for _, command := range []string{"size", "strides"} {
			args := append([]string{command}, strings.Fields(line+" -o csv")...)
			rows, err := csv.NewReader(strings.NewReader(runWith(nil, nil, args...).out)).ReadAll()
			if err != nil || len(rows) != len(want)+1 || rows[1][3] != want[0] || rows[2][3] != want[1] {
				t.Errorf("%s %s: %v %v, want %v", command, line, rows, err, want)
			}
		}
	}
}

// TestBufferWithoutSystem has buffers for tensors without a system: the elements must fit, and a note names the systems
// that need more.
func TestBufferWithoutSystem(t *testing.T) {
	for _, tt := range []struct {
		line, note string
		code       int
	}{
		{"1x3x5x7 -t f16 --buffer 212", "", 0},
		{"1x3x5x7 -t f16 --buffer 210", "DirectML needs 212 bytes", 0},
		{"1x3x5x7 -t f16 --buffer 209", "the tensor needs 210 bytes", 1},
		{"2x3 --pitch H=5 --buffer 32", "oneDNN needs 40 bytes", 0},
		{"4096x4096 -t q4_0 --buffer 9437184", "", 0}, // 524,288 blocks of 18 bytes
		{"4096x4096 -t q4_0 --buffer 9437183", "the tensor needs 9437184 bytes", 1},
	} {
		r := runWith(nil, nil, append([]string{"size", "-o", "plain"}, strings.Fields(tt.line)...)...)
		if r.code != tt.code || !strings.Contains(r.stderr, tt.note) || tt.note == "" && r.stderr != "" {
			t.Errorf("%s: %d, %q, want %d and %q", tt.line, r.code, r.stderr, tt.code, tt.note)
		}
	}
}

// TestImageBytes checks the bytes of planar images in every output. NV12 has half as many samples of colour as of
// brightness; D3D12 has rows of multiples of 512 bytes, planes at multiples of 512, and no padding behind the last row.
func TestImageBytes(t *testing.T) {
	for _, tt := range []struct {
		line  string
		bytes int64
	}{
		{"1920x1080 nv12", 3110400},             // 1,920 x 1,080 x 3 / 2
		{"1920x1080 nv12 --for d3d12", 3317632}, // 1,619 rows of 2,048, and 1,920 bytes
		{"1100x720 nv12 --for d3d12", 1658444},  // 1,079 rows of 1,536, and 1,100 bytes
	} {
		call := func(more ...string) result {
			return runWith(nil, nil, append(append([]string{"size"}, strings.Fields(tt.line)...), more...)...)
		}
		want := fmt.Sprint(tt.bytes)
		first, _, _ := strings.Cut(call().out, " ")
		rows, err := csv.NewReader(strings.NewReader(call("-o", "csv").out)).ReadAll()
		if err != nil || len(rows) == 0 {
			t.Fatalf("%s -o csv: %v", tt.line, err)
		}
		last := rows[len(rows)-1]
		for name, have := range map[string]string{
			"the first line": strings.ReplaceAll(first, ",", ""), "-o csv": last[len(last)-1],
			"-o plain":    strings.TrimSpace(call("-o", "plain").out),
			"--get bytes": strings.TrimSpace(call("--get", "bytes").out),
		} {
			if have != want {
				t.Errorf("%s %s: %s, want %s", tt.line, name, have, want)
			}
		}
		enough := call("--buffer", want, "-o", "plain")
		short := call("--buffer", fmt.Sprint(tt.bytes-1), "-o", "plain")
		if enough.code != 0 || short.code != 1 {
			t.Errorf("%s: a buffer of %s bytes is %d, a byte less %d", tt.line, want, enough.code, short.code)
		}
	}
}
