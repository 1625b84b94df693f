package access_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"layoutcalc/layout/access"
	"layoutcalc/layout/layouttest"
)

// instructed returns the walk of an instruction over a tensor.
func instructed(t *testing.T, tensor, dtype, name string, start []int64) (*access.Walk, error) {
	t.Helper()
	w := access.Walk{Tensor: read(t, tensor, dtype), Unit: &access.Units[0], Start: start}
	var err error
	if w.Instruction, err = access.FindInstruction(name); err != nil || w.Instruction == nil {
		t.Fatalf("%s is not an instruction: %v", name, err)
	}
	return w.Complete()
}

func TestInstructionVectors(t *testing.T) {
	f, err := os.Open("testdata/instructions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var v struct {
			ID, Text, DType, Lanes string
			Start                  []int64
			Wavefronts, Ideal      int64
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		w, err := instructed(t, v.Text, v.DType, v.Lanes, v.Start)
		if err != nil {
			t.Errorf("%s: %v", v.ID, err)
			continue
		}
		if got := w.Count(); got.Wavefronts != v.Wavefronts || got.Phases != v.Ideal {
			t.Errorf("%s: %d wavefronts, ideal %d, want %d, %d", v.ID, got.Wavefronts, got.Phases, v.Wavefronts,
				v.Ideal)
		}
	}
}

// TestInstructionsSlowly counts words in banks, matrix by matrix, at the origins that PTX's figures of the operands
// have.
func TestInstructionsSlowly(t *testing.T) {
	origins := map[string][][2]int64{ // of each matrix: rows, and chunks of 16 bytes
		"ldmatrix.x1": {{0, 0}}, "ldmatrix.x2": {{0, 0}, {8, 0}}, "ldmatrix.x2:B": {{0, 0}, {0, 1}},
		"ldmatrix.x4": {{0, 0}, {8, 0}, {0, 1}, {8, 1}}, "stmatrix.x4.trans:B": {{0, 0}, {0, 1}, {8, 0}, {8, 1}},
		"SM75_U16x8_LDSM_T": {{0, 0}, {8, 0}, {0, 1}, {8, 1}}, "SM90_U32x2_STSM_N": {{0, 0}, {8, 0}},
	}
	step := int64(layouttest.Step())
	for name, list := range origins {
		for _, tensor := range []struct {
			text, dtype string
			bytes       int64
			byColumns   bool
		}{
			{"(64,64):(64,1)", "f16", 2, false}, {"(64,64):(1,64)", "f16", 2, true},
			{"(64,64):(72,1)", "f16", 2, false},
			{"Sw<3,3,3> o 0 o (64,64):(64,1)", "f16", 2, false}, {"Sw<2,3,3> o 0 o (64,64):(1,64)", "bf16", 2, true},
			{"(64,32):(36,1)", "f32", 4, false}, {"Sw<3,4,3> o 0 o (64,64):(64,1)", "u8", 1, false},
		} {
			e := 16 / tensor.bytes
			for at := int64(0); at < 8; at += step {
				row, column := 8*(at%4), e*(at/4)
				start := []int64{row, column}
				if tensor.byColumns {
					start = []int64{column, row}
				}
				w, err := instructed(t, tensor.text, tensor.dtype, name, start)
				if err != nil {
					t.Fatalf("%s of %s: %v", name, tensor.text, err)
				}
				want := int64(0)
				for _, o := range list {
					words := map[int64]map[int64]bool{}
					for r := range int64(8) {
						for k := range e {
							index := []int64{row + o[0] + r, column + o[1]*e + k}
							if tensor.byColumns {
								index[0], index[1] = index[1], index[0]
							}
							offset, err := w.Tensor.Layout().Offset(index)
							if err != nil {
								t.Fatal(err)
							}
							word := offset * tensor.bytes / 4
							if words[word%32] == nil {
								words[word%32] = map[int64]bool{}
							}
							words[word%32][word] = true
						}
					}
					ways := 0
					for _, in := range words {
						ways = max(ways, len(in))
					}
					want += int64(ways)
				}
				if got := w.Count(); got.Wavefronts != want || got.Phases != int64(len(list)) {
					t.Errorf("%s of %s at %v: %d wavefronts in %d phases, want %d in %d", name, tensor.text, start,
						got.Wavefronts, got.Phases, want, len(list))
				}
			}
		}
	}
}

func TestInstructionsRefused(t *testing.T) {
	tests := []struct{ tensor, dtype, name, want string }{
		{"(12,64):(64,1)", "f16", "ldmatrix.x4", "lane 12 reads index 12 of axis 0, and the size is 12"},
		{"(32,64):(65,1)", "f16", "ldmatrix.x4",
			"lane 1 reads from offset 65 on, byte 130, which is not a multiple of 16"},
		{"Sw<3,2,3> o 0 o (32,64):(64,1)", "f16", "ldmatrix.x4",
			"lane 0 reads 16 bytes from offset 36 on, and element 4 of them is at 32"},
		{"(2,32,64):(2048,64,1)", "f16", "ldmatrix.x1",
			"ldmatrix.x1 reads rows of a matrix, with elements next to each other along one of 2 axes"},
	}
	for _, tt := range tests {
		var start []int64
		if strings.HasPrefix(tt.tensor, "Sw") {
			start = []int64{0, 32} // the swizzle reads a bit that it writes into the chunk
		}
		if _, err := instructed(t, tt.tensor, tt.dtype, tt.name, start); err == nil || err.Error() != tt.want {
			t.Errorf("%s of %s: %v, want %s", tt.name, tt.tensor, err, tt.want)
		}
	}
	for _, name := range []string{"ldmatrix.x8", "SM75_U16x3_LDSM_T", "cp.async.8", "ldmatrix.x4.b8"} {
		if _, err := access.FindInstruction(name); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	if i, err := access.FindInstruction("mma.m16n8k16.f16:A"); i != nil || err != nil {
		t.Errorf("mma: %v, %v", i, err)
	}
}
