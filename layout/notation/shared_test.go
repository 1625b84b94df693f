package notation

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
)

// sharedText returns a tensor type with an encoding. Its elements have the number of bits in the encoding, or 32.
func sharedText(text string, shape []int64) string {
	if shape == nil {
		return text
	}
	dtype := "f32"
	for bits, name := range map[string]string{"elementBitWidth = 16": "f16", "elementBitWidth = 8": "i8"} {
		if strings.Contains(text, bits) {
			dtype = name
		}
	}
	return "tensor<" + layout.JoinInts(shape, "x") + "x" + dtype + ", " + text + ">"
}

// TestShared compares encodings of memories on the chip with expectations of Triton's tests, their layouts in CuTe's
// words, and offsets that the attribute's documents have.
func TestShared(t *testing.T) {
	file, err := os.Open("testdata/shared.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	count := 0
	for lines := bufio.NewScanner(file); lines.Scan(); count++ {
		var v struct {
			ID, Text             string
			Shape                []int64
			Layout               string
			Bases, Rows, Columns [][]int64
			Offsets              []int64
			Highest              int64
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		text := sharedText(v.Text, v.Shape)
		found, err := Read(text, Options{})
		if err != nil || len(found) != 1 {
			t.Errorf("%s: %s: %v", v.ID, text, err)
			continue
		}
		l := found[0].Tensor.Layout()
		inverse := analysis.NewInverse(l)
		check := func(offset int64, want []int64) {
			have := inverse.At(offset, 2).Indices
			if slices.Max(want) == 0 && len(have) == 0 {
				return // a gap, which Triton lets repeat an element
			}
			if len(have) != 1 || !slices.Equal(have[0], want) {
				t.Errorf("%s: %s: offset %d is %v, want %v", v.ID, text, offset, have, want)
			}
		}
		for i, basis := range v.Bases {
			check(1<<i, basis)
		}
		if linear, err := json.Marshal(v.Bases); v.Bases != nil && err == nil {
			again, err := Read("#ttg.shared_linear<{offset = "+string(linear)+", block = []}>", Options{})
			isOther := strings.Contains(v.Text, "rotating") || strings.Contains(v.Text, "fp4Padded")
			if err != nil && !isOther ||
				err == nil && !analysis.Same(l, again[0].Tensor.Layout()) {
				t.Errorf("%s: %s as bases: %v, %v", v.ID, text, again, err)
			}
		}
		for i, basis := range v.Rows {
			if slices.Max(basis) > 0 {
				check(512<<i, basis)
			}
		}
		for i, basis := range v.Columns {
			check(1<<i, basis)
		}
		if v.Layout != "" {
			other, err := Read(v.Layout, Options{})
			if err != nil || !analysis.Same(l, other[0].Tensor.Layout()) {
				t.Errorf("%s: %s: %v, want %s, %v", v.ID, text, l, v.Layout, err)
			}
		}
		i := 0
		for index, offset := range l.All() {
			if v.Offsets != nil && (i >= len(v.Offsets) || v.Offsets[i] != offset) {
				t.Fatalf("%s: %s: %v is at %d", v.ID, text, index, offset)
			}
			i++
		}
		if _, high := l.Bounds(); v.Offsets != nil && (high != v.Highest || i != len(v.Offsets)) {
			t.Errorf("%s: %s: the highest offset is %d, want %d", v.ID, text, high, v.Highest)
		}
	}
	if count < 20 {
		t.Errorf("%d vectors", count)
	}
}

// TestMemdesc reads shared memory in a program, whose encodings have names.
func TestMemdesc(t *testing.T) {
	const text = "#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>\n" +
		"#smem = #ttg.shared_memory\n%0 = ttg.local_alloc : () -> !ttg.memdesc<8x64xf16, #shared, #smem, mutable>"
	want, err := Read("Sw<3,3,3> o 0 o (8,64):(64,1)", Options{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := Read(text, Options{})
	if err != nil || len(found) != 1 || !analysis.Same(found[0].Tensor.Layout(), want[0].Tensor.Layout()) ||
		found[0].Tensor.DType().String() != "float16" {
		t.Errorf("%s: %v, %v", text, found, err)
	}
}

// TestSharedRefused has encodings that are not tensors, or are not read. Each line has the error, a bar, and the input.
func TestSharedRefused(t *testing.T) {
	data, err := os.ReadFile("testdata/shared_refused.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		says, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " | ")
		if found, err := Read(text, Options{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, %v; want %q", text, found, err, says)
		}
	}
}
