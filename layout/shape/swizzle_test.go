package shape_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/shape"
)

// TestSwizzleModes compares modes with the table of CUTLASS's copy_traits_sm90_tma_swizzle.hpp.
func TestSwizzleModes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct{ bits, base, shift, period int64 }{
		"32B": {1, 4, 3, 256}, "64b": {2, 4, 3, 512}, "128B": {3, 4, 3, 1024}, "128B_ATOM_32B": {2, 5, 2, 512},
	} {
		s, err := shape.ParseSwizzle(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		bytes, err := s.Elements(layouttest.Tensor(t, "1 -t u8").DType())
		mode := layout.Swizzle{Bits: int(want.bits), Base: int(want.base), Shift: int(want.shift)}
		if err != nil || bytes != mode || bytes.Period() != want.period {
			t.Errorf("%s is %s of period %d, %v, want %v", text, bytes, bytes.Period(), err, want)
		}
	}
}

// TestSwizzleRecast recasts swizzles from units of one size to those of another as pycute does.
func TestSwizzleRecast(t *testing.T) {
	t.Parallel()
	f, err := os.Open("testdata/swizzles.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var v struct {
			Input struct {
				Swizzle  [3]int
				From, To int64
			}
			Expect struct {
				Swizzle [3]int
				Error   bool
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		in, want := v.Input.Swizzle, v.Expect.Swizzle
		s := layout.Swizzle{Bits: in[0], Base: in[1], Shift: in[2]}
		got, err := s.Recast(v.Input.From, v.Input.To)
		if (err != nil) != v.Expect.Error ||
			err == nil && got != (layout.Swizzle{Bits: want[0], Base: want[1], Shift: want[2]}) {
			t.Errorf("%s from %d to %d bits: %s, %v, want %v", s, v.Input.From, v.Input.To, got, err, v.Expect)
		}
	}
	if n < 10 {
		t.Errorf("%d vectors", n)
	}
}

func TestParseSwizzle(t *testing.T) {
	t.Parallel()
	float16 := layouttest.Tensor(t, "1 -t f16").DType()
	for text, want := range map[string]layout.Swizzle{
		"3,3,3": {Bits: 3, Base: 3, Shift: 3}, " 2, 4, -3 ": {Bits: 2, Base: 4, Shift: -3},
		"3,4,3B": {Bits: 3, Base: 3, Shift: 3}, "0,0,0": {},
	} {
		s, err := shape.ParseSwizzle(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got, err := s.Elements(float16); err != nil || got != want {
			t.Errorf("%q is %s, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "3", "3,3", "3,3,3,3", "3,3,x", "-1,3,3", "3,3,3 B", "256B", "3,3,99999999", "1e3,1,1",
	} {
		if s, err := shape.ParseSwizzle(text); err == nil {
			t.Errorf("%q is read as %v", text, s)
		}
	}
}

func FuzzSwizzle(f *testing.F) {
	for _, text := range []string{"128B", "3,3,3", "3,4,3B", "2,4,-3", "64b", "0,0,0", "1,60,-1"} {
		f.Add(text)
	}
	row := layouttest.Tensor(f, "8x64 -t f16")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := shape.ParseSwizzle(text)
		if err != nil {
			layouttest.SyntaxError(t, text, err)
			return
		}
		of, err := s.Elements(row.DType())
		if err != nil {
			return
		}
		x, err := row.Swizzled(of)
		if err != nil {
			return
		}
		index := []int64{5, 17}
		offset, _ := x.Layout().Offset(index)
		if was := x.Layout().Unswizzle(offset); was != 5*64+17 {
			t.Errorf("%q: element (5,17) lies at %d, which is %d before the swizzle", text, offset, was)
		}
	})
}
