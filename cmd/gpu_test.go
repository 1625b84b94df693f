package cmd

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A gpuVector is a line of testdata/gpu.txt: a question about descriptors of GPUs and images, with an answer from
// another source.
type gpuVector struct {
	ID     string          `json:"id"`
	Kind   string          `json:"kind"`
	Input  json.RawMessage `json:"input"`
	Expect json.RawMessage `json:"expect"`
}

// gpuVectors returns the questions of a kind.
func gpuVectors(t *testing.T, kind string) (list []gpuVector) {
	t.Helper()
	data, err := os.ReadFile("testdata/gpu.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var v gpuVector
		unmarshal(t, []byte(line), &v)
		if v.Kind == kind {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		t.Fatalf("there is none of kind %s", kind)
	}
	return list
}

func unmarshal(t *testing.T, data []byte, to any) {
	t.Helper()
	if err := json.Unmarshal(data, to); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
}

// A checkAnswer is the part of the JSON of check that has findings.
type checkAnswer struct {
	Descriptors int
	Findings    []struct{ Rule, Severity, Message string }
}

// errorsOf returns the rules with errors, in order.
func (a *checkAnswer) errorsOf() (rules []string) {
	for _, f := range a.Findings {
		if f.Severity == "error" {
			rules = append(rules, f.Rule)
		}
	}
	slices.Sort(rules)
	return rules
}

// TestTensorMapVectors checks tensor maps in the words of the driver.
func TestTensorMapVectors(t *testing.T) {
	rules := map[string]string{
		"inner-box-swizzle": "tma-swizzle", "box-range": "tma-box", "box-16": "tma-box", "stride-range": "tma-size",
		"dim-range": "tma-size", "interleave-rank": "tma-interleave", "stride-32": "tma-size",
		"address-32": "tma-address", "element-stride": "tma-element-stride", "oob-type": "tma-oob",
		"u4-box": "tma-packed",
	}
	for _, v := range gpuVectors(t, "tma_check") {
		var expect struct{ Errors []string }
		unmarshal(t, v.Expect, &expect)
		var want []string
		for _, name := range expect.Errors {
			want = append(want, rules[name])
		}
		slices.Sort(want)
		_, out, stderr := callOf(string(v.Input), "check", "-", "-o", "json")
		var have checkAnswer
		unmarshal(t, []byte(out), &have)
		if !slices.Equal(have.errorsOf(), want) || have.Descriptors != 1 {
			t.Errorf("%s: %v, want %v: %s%s", v.ID, have.errorsOf(), want, out, stderr)
		}
	}
	for _, v := range gpuVectors(t, "tma_text") {
		var in struct{ Text string }
		unmarshal(t, v.Input, &in)
		for _, args := range [][]string{{"-"}, {in.Text}} {
			_, out, stderr := callOf(in.Text, append([]string{"check", "-o", "json"}, args...)...)
			var have checkAnswer
			unmarshal(t, []byte(out), &have)
			if len(have.Findings) != 1 || have.Findings[0].Message != "the address is 0" {
				t.Errorf("%s: %s%s", v.ID, out, stderr)
			}
		}
		if _, out, _ := callOf("", "strides", in.Text, "-o", "plain"); out != "1048576,1024,1\n" {
			t.Errorf("%s: strides %s", v.ID, out)
		}
	}
}

// TestMatrixVectors explains matrix descriptors.
func TestMatrixVectors(t *testing.T) {
	for _, v := range gpuVectors(t, "smem_desc") {
		var in struct{ Hex, Arch string }
		unmarshal(t, v.Input, &in)
		type answer struct {
			Start   int64
			Leading int64 `json:"leading_bytes"`
			Stride  int64 `json:"stride_bytes"`
			Layout  string
			Version int64
		}
		var want answer
		unmarshal(t, v.Expect, &want)
		var have struct {
			answer
			LeadingBytes, StrideBytes int64
		}
		_, out, stderr := callOf("", "explain", in.Hex, "--target", in.Arch, "-o", "json")
		unmarshal(t, []byte(out), &have)
		have.Leading, have.Stride = have.LeadingBytes, have.StrideBytes
		if have.answer != want {
			t.Errorf("%s: %+v, want %+v: %s", v.ID, have.answer, want, stderr)
		}
	}
}

// TestSwizzleModeVectors checks the modes of the hardware by name.
func TestSwizzleModeVectors(t *testing.T) {
	for _, v := range gpuVectors(t, "tma_swizzle2") {
		var in struct{ Mode string }
		var want struct {
			Swizzle []int64 `json:"swizzle_bytes"`
			Period  int64   `json:"period_bytes"`
			Chunk   int64
		}
		unmarshal(t, v.Input, &in)
		unmarshal(t, v.Expect, &want)
		var have struct {
			Swizzle []struct{ Bits, Base, Shift int64 }
		}
		_, out, stderr := callOf("", "strides", "16x256", "-t", "u8", "--swizzle", in.Mode, "--get", "tensor")
		unmarshal(t, []byte(out), &have)
		s := have.Swizzle[0]
		if !slices.Equal([]int64{s.Bits, s.Base, s.Shift}, want.Swizzle) {
			t.Errorf("%s: %+v, want %v: %s", v.ID, s, want.Swizzle, stderr)
		}
		_, out, _ = callOf("", "strides", "16x256", "-t", "u8", "--swizzle", in.Mode, "--width", "200", "--ascii")
		words := strings.ReplaceAll(strings.Join(strings.Fields(out), " "), ",", "")
		chunk, period := fmt.Sprintf("(%d-byte chunks", want.Chunk), fmt.Sprintf("%d bytes)", want.Period)
		for _, text := range []string{chunk, period} {
			if !strings.Contains(words, text) {
				t.Errorf("%s: no %q in %s", v.ID, text, out)
			}
		}
	}
}

// TestImageVectors checks the bytes of images in buffers, in texel formats and as tensors of shapes.
func TestImageVectors(t *testing.T) {
	for _, v := range gpuVectors(t, "image_buffer") {
		var in struct {
			Target, Format       string
			Texel                int64 `json:"bytes_per_texel"`
			Width, Height, Depth int64
		}
		var want struct {
			Row     int64 `json:"rowPitch"`
			PerRow  int64 `json:"bytesPerRow"`
			Bytes   int64 `json:"subresource_bytes"`
			Minimum int64 `json:"minimum_bytes"`
			Start   int64 `json:"placement"`
		}
		unmarshal(t, v.Input, &in)
		unmarshal(t, v.Expect, &want)
		format := map[int64]string{1: "r8unorm", 4: "rgba8unorm", 16: "rgba32float"}[in.Texel]
		dtype := map[int64]string{0: "u8", 1: "u8", 4: "u32", 16: "complex128"}[in.Texel]
		size := fmt.Sprintf("W=%d,H=%d,D=%d", in.Width, in.Height, max(in.Depth, 1))
		_, out, stderr := callOf("", "size", size, cmp.Or(in.Format, format), "--for", in.Target, "--get",
			"bytes,planes[0].pitch")
		bytes, row := want.Bytes+want.Minimum, want.Row+want.PerRow
		if out != fmt.Sprintf("%d\n%d\n", bytes, row) {
			t.Errorf("%s: %s, want %d and %d: %s", v.ID, out, bytes, row, stderr)
		}
		shape := fmt.Sprintf("%dx%dx%d", max(in.Depth, 1), in.Height, in.Width)
		_, out, stderr = callOf("", "size", shape, "-t", dtype, "--for", in.Target, "--get",
			"copy.bytes,copy.rowPitch,copy.placement")
		if out != fmt.Sprintf("%d\n%d\n%d\n", bytes, row, max(want.Start, 1)) {
			t.Errorf("%s: %s, want %+v: %s", v.ID, out, want, stderr)
		}
	}
	for _, v := range gpuVectors(t, "image_planes") {
		var in struct {
			Format        string
			Width, Height int64
		}
		type plane struct {
			Name                string
			Offset, Pitch, Rows int64
		}
		var want, have struct {
			Bytes  int64
			Planes []plane
		}
		unmarshal(t, v.Input, &in)
		unmarshal(t, v.Expect, &want)
		_, out, stderr := callOf("", "size", fmt.Sprintf("%dx%d", in.Width, in.Height), in.Format, "-o", "json")
		unmarshal(t, []byte(out), &have)
		if have.Bytes != want.Bytes || !slices.Equal(have.Planes, want.Planes) {
			t.Errorf("%s: %+v, want %+v: %s", v.ID, have, want, stderr)
		}
	}
}

// TestSwizzledFilesBack moves data into swizzled files and back, by the flag and by the text that --as cute writes.
func TestSwizzledFilesBack(t *testing.T) {
	dir := t.TempDir()
	plain, swizzled, back := filepath.Join(dir, "a.bin"), filepath.Join(dir, "b.bin"), filepath.Join(dir, "c.bin")
	for dtype, bits := range map[string]int{"i4": 4, "u8": 8, "f16": 16, "f32": 32, "f64": 64} {
		for _, sizes := range [][2]int{{8, 64}, {7, 60}, {9, 38}} {
			data := make([]byte, sizes[0]*sizes[1]*bits/8)
			for i := range data {
				data[i] = byte(i*7 + i/251)
			}
			if err := os.WriteFile(plain, data, 0o600); err != nil {
				t.Fatal(err)
			}
			shape := fmt.Sprintf("%dx%d", sizes[0], sizes[1])
			flags := []string{"-t", dtype, "--swizzle", "3,4,3B"}
			_, text, stderr := callOf("", slices.Concat([]string{"strides", shape, "-o", "plain"}, flags)...)
			into := []string{"convert", shape, "row-major", "row-major", "--in", plain, "--out", swizzled, "--force"}
			code, _, says := callOf("", slices.Concat(into, flags)...)
			if code != 0 {
				t.Fatalf("%s of %s: %s%s", shape, dtype, stderr, says)
			}
			code, _, says = callOf("", "convert", strings.TrimSpace(text), "row-major", "-t", dtype, "--in", swizzled,
				"--out", back, "--force")
			have, err := os.ReadFile(back)
			if err != nil || code != 0 || !slices.Equal(have, data) {
				t.Errorf("%s of %s: %v, %s", shape, dtype, err, says)
			}
			moved, err := os.ReadFile(swizzled)
			if err != nil || slices.Equal(moved, data) {
				t.Errorf("%s of %s: nothing has moved, %v", shape, dtype, err)
			}
		}
	}
}
