package layout_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/spec"
)

// rejected reports whether a parser refused the text, and checks its error.
func rejected(t *testing.T, text string, err error) bool {
	t.Helper()
	if err != nil {
		wantSyntaxError(t, text, err)
	}
	return err != nil
}

// canonical writes a list in the plainest spelling.
func canonical(l spec.List) string {
	labels, items := l.Labels(), []string{}
	for i, v := range l.Values() {
		if labels != nil {
			items = append(items, fmt.Sprintf("%s=%d", labels[i], v))
		} else {
			items = append(items, fmt.Sprint(v))
		}
	}
	return "[" + strings.Join(items, ",") + "]"
}

// fuzzList checks that what is accepted has a canonical form that says the same.
func fuzzList(f *testing.F, parse func(string) (spec.List, error), seeds ...string) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := parse(text)
		if rejected(t, text, err) {
			return
		}
		again, err := parse(canonical(list))
		if err != nil || !slices.Equal(again.Values(), list.Values()) || !slices.Equal(again.Labels(), list.Labels()) {
			t.Fatalf("%q is %s, which is %v %v, %v", text, canonical(list), again.Values(), again.Labels(), err)
		}
		if n := digitRuns(text); list.Labels() == nil && n != list.Len() {
			t.Fatalf("%q has %d numbers, and %d are read", text, n, list.Len())
		}
		if list.Len() > layout.MaxRank {
			t.Fatalf("%d numbers", list.Len())
		}
	})
}

func digitRuns(text string) int {
	return len(strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' }))
}

var listSeeds = []string{
	"1x3x224x224", "1,3", "[1, 3]", "(2,)", "{1}", "torch.Size([1, 3])", "torch.Size([])", "[]", "()", "", "1×3", "-1", "1,-2", "-9223372036854775808",
	"9223372036854775808", "N=1,C=3", "[N=1, C=3]", "n=1,N=2", "x=1xy=2", "_=1", "1x", "1,,2", "1x2,3", "[1", "1]", "1e3", "1.5", "0x10", "\x00", "1\x002", "torch.Size1",
	strings.Repeat("1,", 70), strings.Repeat("9", 99),
}

func FuzzShape(f *testing.F)   { fuzzList(f, spec.ParseShape, listSeeds...) }
func FuzzStrides(f *testing.F) { fuzzList(f, spec.ParseStrides, listSeeds...) }

// FuzzIndex also looks the index up.
func FuzzIndex(f *testing.F) {
	for _, seed := range append(listSeeds, "1,2,3,4", "N=1,C=2,H=3,W=4", "w=4,h=3,c=2,n=1", "1,2,3,5", "N=1,N=1,H=1,W=1") {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := spec.ParseIndex(text)
		if rejected(t, text, err) {
			return
		}
		again, err := spec.ParseIndex(canonical(list))
		if err != nil || !slices.Equal(again.Values(), list.Values()) {
			t.Fatalf("%q is %s, which is %v, %v", text, canonical(list), again.Values(), err)
		}
		l := tensor(t, "2x3x4x5 NHWC").Layout()
		index, err := spec.Index(l, list)
		if rejected(t, text, err) {
			return
		}
		offset, err := l.Offset(index)
		if err != nil {
			t.Fatalf("%q is %v, which has no offset: %v", text, index, err)
		}
		if found := facts.NewInverse(l).At(offset, 2).Indices; len(found) != 1 || !slices.Equal(found[0], index) {
			t.Fatalf("%q is %v at %d, where %v are", text, index, offset, found)
		}
	})
}

// FuzzName also lays a tensor out by the name.
func FuzzName(f *testing.F) {
	for name := range spec.LayoutNames {
		f.Add(name)
	}
	for _, seed := range []string{"", "nChw16c", "aBcd16b", "BA16a16b4a", "OhwI32o", "NCHN", "NCHW16", "NCHW0c", "16c", "NCHW9223372036854775807c", "A9999999999a9999999999a", "N\x00C", "Ñ", "torch.channels_last", "NCHW1c1c1c", "zyxwvutsrqponmlkjihgfedcba"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name, err := spec.ParseName(text)
		if rejected(t, text, err) {
			return
		}
		again, err := spec.ParseName(name.String())
		if err != nil || again.String() != name.String() {
			t.Fatalf("%q is %s, which is %v, %v", text, name, again, err)
		}
		layOut(t, text, name)
	})
}

// layOut lays 2 elements an axis out by a name. Names only place elements: none of them pads
// what is not blocked, and none overlaps.
func layOut(t *testing.T, text string, name spec.Name) {
	rank := strings.IndexFunc(name.String(), func(r rune) bool { return '0' <= r && r <= '9' || r == '-' })
	if rank < 0 {
		rank = len(name.String())
	}
	shape, err := spec.ParseShape("[" + commas(repeated(2, rank)) + "]")
	if err != nil {
		t.Fatal(err)
	}
	x, err := spec.Spec{Shape: shape, Name: &name}.Tensor()
	var overflow *layout.OverflowError
	if errors.As(err, &overflow) || err != nil && rejected(t, text, err) {
		return
	}
	f := facts.Of(x.Layout())
	if f.Unique != facts.Yes || f.Distinct != f.Elements || x.Storage() < f.Span {
		t.Fatalf("%q: %v: %+v, storage %d", text, x.Layout(), f, x.Storage())
	}
	if rank < 8 && f.Elements != int64(1)<<rank {
		t.Fatalf("%q: %d elements of rank %d", text, f.Elements, rank)
	}
}

func FuzzDType(f *testing.F) {
	for d := range layout.DTypes {
		i := d.Info()
		for _, seed := range []string{i.Name, i.DirectML, i.FX, i.NumPy, i.MLIR, i.Safetensors, i.ONNX} {
			f.Add(seed)
		}
	}
	for _, seed := range []string{"torch.float32", "f4", "<f4", "<", "|", "torch.", "np.<f4", "complex<f32>", "\x00", " f32 ", "torch.np.f32", strings.Repeat("torch.", 99)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := layout.ParseDType(text)
		if rejected(t, text, err) {
			return
		}
		if again, err := layout.ParseDType(d.String()); err != nil || again != d {
			t.Fatalf("%q is %v, which is %v, %v", text, d, again, err)
		}
		if bits := d.Bits(); bits < 0 || bits > 128 {
			t.Fatalf("%q has %d bits", text, bits)
		}
	})
}

// FuzzAxes reads flags and applies them.
func FuzzAxes(f *testing.F) {
	for _, seed := range []string{"H", "H,W", "0, 1", "h", "H=5", "1=256B", "C=0", "X=1", "9=1", "-1", "99999999999999999999=1", "=", "H=", "H=9223372036854775807", "H=9223372036854775807B", "", ",", "H,H", "\x00", "H\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shape, err := spec.ParseShape("2x3x4x5")
		if err != nil {
			t.Fatal(err)
		}
		broadcast, err := spec.ParseAxes(text)
		if !rejected(t, text, err) {
			apply(t, text, spec.Spec{Shape: shape, Broadcast: broadcast})
		}
		pad, err := spec.ParsePadding(text)
		if !rejected(t, text, err) {
			apply(t, text, spec.Spec{Shape: shape, Pad: []spec.AxisNumber{pad}})
		}
		pitch, err := spec.ParsePitch(text)
		if !rejected(t, text, err) {
			apply(t, text, spec.Spec{Shape: shape, Pitch: []spec.AxisNumber{pitch}})
		}
		align, err := spec.ParseAlignment(text)
		if !rejected(t, text, err) {
			apply(t, text, spec.Spec{Shape: shape, Align: []spec.AxisNumber{align}})
		}
	})
}

func apply(t *testing.T, text string, s spec.Spec) {
	t.Helper()
	x, err := s.Tensor()
	var overflow *layout.OverflowError
	if errors.As(err, &overflow) || rejected(t, text, err) {
		return
	}
	f := facts.Of(x.Layout())
	if f.Elements != 120 || f.Low != 0 || x.Storage() <= f.High || x.BufferBytes() < 4 {
		t.Fatalf("%q: %v: %+v, storage %d", text, x.Layout(), f, x.Storage())
	}
	if len(s.Broadcast) == 0 && len(s.Pitch) == 0 && f.Unique != facts.Yes {
		t.Fatalf("%q: %v: %+v", text, x.Layout(), f)
	}
}
