package layout_test

import (
	"strings"
	"testing"

	"layoutcalc/layout"
)

// TestBlocks compares the types with the asserts on their structs in ggml-common.h of ggml 0.21, in which QK_K is 256
// and ggml_half has 2 bytes.
func TestBlocks(t *testing.T) {
	const half, superblock = 2, 256
	want := map[string][2]int64{
		"Q1_0": {128, half + 128/8}, "Q2_0": {64, half + 64/4}, "Q4_0": {32, half + 32/2}, "Q4_1": {32, 2*half + 32/2},
		"Q5_0": {32, half + 4 + 32/2}, "Q5_1": {32, 2*half + 4 + 32/2}, "Q8_0": {32, half + 32},
		"Q8_1": {32, 2*half + 32}, "MXFP4": {32, 1 + 32/2}, "NVFP4": {64, 64/16 + 64/2},
		"TQ1_0": {superblock, half + superblock/64 + (superblock-4*superblock/64)/5},
		"TQ2_0": {superblock, half + superblock/4},
		"Q2_K":  {superblock, 2*half + superblock/16 + superblock/4},
		"Q3_K":  {superblock, half + superblock/4 + superblock/8 + 12},
		"Q4_K":  {superblock, 2*half + 12 + superblock/2},
		"Q5_K":  {superblock, 2*half + 12 + superblock/2 + superblock/8},
		"Q6_K":  {superblock, half + superblock/16 + 3*superblock/4},
		"Q8_K":  {superblock, 4 + superblock + superblock/16*2},
		"IQ1_S": {superblock, half + superblock/8 + superblock/16},
		"IQ1_M": {superblock, superblock/8 + superblock/16 + superblock/32},
		"IQ2_S": {superblock, half + superblock/4 + superblock/16},
		"IQ3_S": {superblock, half + 13*(superblock/32) + superblock/64}, "IQ4_NL": {32, half + 32/2},
		"IQ4_XS":  {superblock, half + 2 + superblock/64 + superblock/2},
		"IQ2_XXS": {superblock, half + superblock/8*2}, "IQ2_XS": {superblock, half + superblock/8*2 + superblock/32},
		"IQ3_XXS": {superblock, half + 3*(superblock/8)},
	}
	for b := range layout.Blocks {
		if got := [2]int64{b.Elements, b.Bytes}; got != want[b.Name] {
			t.Errorf("%s has %v, want %v", b.Name, got, want[b.Name])
		}
		end := int64(0)
		for f := range b.Fields {
			if f.Name == "" || f.Type == "" || f.Bytes == 0 || f.At != end {
				t.Errorf("%s: %+v after byte %d", b.Name, f, end)
			}
			end += f.Bytes
		}
		if end != b.Bytes {
			t.Errorf("the fields of %s have %d bytes, want %d", b.Name, end, b.Bytes)
		}
		delete(want, b.Name)
		for _, word := range []string{b.Name, strings.ToLower(b.Name), "GGML_TYPE_" + b.Name} {
			if found, ok, err := layout.FindBlock(word); !ok || err != nil || found != b {
				t.Errorf("%s is %v, %v, %v", word, found, ok, err)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}

// TestFindBlock has words that are not block types, or are no longer block types.
func TestFindBlock(t *testing.T) {
	for _, c := range []struct{ word, msg, hint string }{
		{"f16", "", ""}, {"q4", "", ""}, {"q4_0x", "", ""}, {"", "", ""}, {"q4_k_", "", ""}, {"q4_0_z", "", ""},
		{"q4_2", "ggml has removed its type Q4_2", ""}, {"Q4_0_4_8", "ggml has removed its type Q4_0_4_8", ""},
		{"Q4_K_M", "Q4_K_M is a mixture of types in one file, Q4_K in most of its tensors", "did you mean q4_k?"},
		{"q3_k_xl", "Q3_K_XL is a mixture of types in one file, Q3_K in most of its tensors", "did you mean q3_k?"},
	} {
		_, ok, err := layout.FindBlock(c.word)
		msg, hint := "", ""
		if syntax, _ := err.(*layout.SyntaxError); syntax != nil {
			msg, hint = syntax.Msg, syntax.Hint
		}
		if ok != (c.msg != "") || msg != c.msg || hint != c.hint {
			t.Errorf("%q: %v, %q, %q, want %q, %q", c.word, ok, msg, hint, c.msg, c.hint)
		}
	}
}

// TestStored computes tensors of blocks. The bytes are rows x blocks of a row x bytes of a block.
func TestStored(t *testing.T) {
	for _, c := range []struct {
		word          string
		sizes         []int64
		blocks, bytes int64
		msg           string
	}{
		{"q4_0", []int64{4096, 4096}, 4096 * 128, 4096 * 128 * 18, ""},
		{"q4_k", []int64{4096, 4096}, 4096 * 16, 4096 * 16 * 144, ""},
		{"q4_0", []int64{3, 0, 32}, 0, 0, ""},
		{"q8_0", []int64{32}, 1, 34, ""},
		{"q8_0", []int64{33}, 0, 0, "a row of 33 elements is not a multiple of the 32 in a block of Q8_0"},
		{"q8_0", nil, 0, 0, "a row of 1 element is not a multiple of the 32 in a block of Q8_0"},
		{"q8_0", []int64{1 << 60, 64}, 0, 0, "the number of elements is 73786976294838206464, " +
			"which 64 bits do not hold (limit 9223372036854775807)"},
		{"q8_k", []int64{1<<63 - 256}, 1<<55 - 1, 0, "the number of bytes is 10520408729537478364, which"},
	} {
		b, _, _ := layout.FindBlock(c.word)
		blocks, bytes, err := b.Stored(c.sizes)
		msg := ""
		if err != nil {
			msg = err.Error()
		}
		if blocks != c.blocks || bytes != c.bytes || !strings.HasPrefix(msg, c.msg) {
			t.Errorf("%s %v: %d blocks, %d bytes, %q", c.word, c.sizes, blocks, bytes, msg)
		}
	}
}

// TestSums adds tensors of two types, one without known bytes.
func TestSums(t *testing.T) {
	var s layout.Sums
	for _, x := range []struct {
		kind  string
		sizes []int64
		bytes int64
	}{{"a", []int64{2, 3}, 24}, {"b", []int64{100}, 200}, {"a", nil, 4}, {"c", []int64{7}, -1}, {"b", []int64{0}, 0}} {
		if err := s.Add(x.kind, x.sizes, x.bytes); err != nil {
			t.Fatal(err)
		}
	}
	want := []layout.Sum{
		{Type: "b", Tensors: 2, Elements: 100, Bytes: 200}, {Type: "a", Tensors: 2, Elements: 7, Bytes: 28},
		{Type: "c", Tensors: 1, Elements: 7, Unknown: 1},
	}
	for i, got := range s.Types() {
		if got != want[i] {
			t.Errorf("%+v, want %+v", got, want[i])
		}
	}
	if all := (layout.Sum{Tensors: 5, Elements: 114, Bytes: 228, Unknown: 1}); s.All != all {
		t.Errorf("all: %+v, want %+v", s.All, all)
	}
	if err := s.Add("b", []int64{1 << 62, 2}, 0); err == nil || !strings.Contains(err.Error(), "number of elements") {
		t.Errorf("too many elements: %v", err)
	}
}
