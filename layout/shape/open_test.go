package shape_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/shape"
)

// TestOpenShapes reads shapes with unknown sizes, and strings that are not shapes.
func TestOpenShapes(t *testing.T) {
	for text, want := range map[string]string{
		"Nx3x224": "N,,", "?x3": "?,", "(None, 3)": "?,", "torch.Size([N, 3])": "N,", "batch_sizex3": "batch_size,",
		"[batch, 3]": "batch,", "1x3xHxW": ",,H,W", "NxCxHx4": "N,C,H,", "max_lenx8": "max_len,", "xs,3": "xs,",
		"3x4xN": ",,N", "N, 4K": "N,", "?x?x3": "?,?,", "2x?x4": ",?,", "2x?": ",?", "2,?,4": ",?,",
		"N": "", "NxM": "", "2xq": "", "4xf16": "", "2x3": "", "x4x5": "", "N=1,C=3": "", "Nx3x": "", "[N,3": "",
		"-1x3": "", "f32[2,3]": "", "N 3": "", "N,3x4": "",
	} {
		list, err := shape.ParseOpenShape(text)
		if got := strings.Join(list.Open(), ","); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q and %v, want %q", text, got, err, want)
		}
	}
}

// TestEach compares tensors with a size that is not known with those of the sizes 5 and 9. Each of the 13 layouts has
// one outermost axis, and blocks divide that of the last.
func TestEach(t *testing.T) {
	given, all := 0, 0
	for _, name := range strings.Fields("row-major column-major NCHW NHWC CHWN HWCN NWHC NCHW16c CHWN8n acdb KRSC " +
		"channels_last OIHW4i16o4i") {
		for at := range 4 {
			sizes := []string{"2", "3", "4", "5"}
			tensor := func(size string) (*shape.Each, []int64, error) {
				sizes[at] = size
				list, err := shape.ParseOpenShape(strings.Join(sizes, "x"))
				if err != nil {
					list, err = shape.ParseShape(strings.Join(sizes, "x"))
				}
				if err != nil {
					t.Fatal(err)
				}
				n, err := shape.ParseName(name)
				if err != nil {
					t.Fatal(err)
				}
				made, err := shape.Spec{Shape: list, Name: &n}.Tensor()
				var open *shape.OpenError
				if errors.As(err, &open) {
					made = open.Each.Tensors[1]
				}
				var strides []int64
				for i := range made.Layout().Rank() {
					for k := range made.Layout().Axis(i).Digits() {
						strides = append(strides, made.Layout().Axis(i).Digit(k).Stride)
					}
				}
				if open != nil {
					return &open.Each, strides, nil
				}
				return nil, strides, err
			}
			each, strides, err := tensor("Q")
			_, five, _ := tensor("5")
			_, nine, _ := tensor("9")
			all++
			if each == nil {
				layouttest.SyntaxError(t, strings.Replace(strings.Join(sizes, "x"), "9", "Q", 1), err)
				continue
			}
			given++
			if !slices.Equal(strides, five) || !slices.Equal(strides, nine) || each.Symbol != "Q" {
				t.Errorf("%s of %v: strides %v, of 5 %v and of 9 %v", name, sizes, strides, five, nine)
			}
		}
	}
	if given != 12 || all != 52 {
		t.Errorf("%d of %d need no size", given, all)
	}
}

// FuzzOpenShape makes tensors of any open shape, and fills it.
func FuzzOpenShape(f *testing.F) {
	for _, seed := range []string{"Nx3x4", "?x?x3", "[N, 3, N]", "(None, 3)", "1x3xHxW", "Nx9223372036854775807"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		defer layouttest.Limit(t, len(text))()
		list, err := shape.ParseOpenShape(text)
		if err != nil {
			return
		}
		if _, err = (shape.Spec{Shape: list}).Tensor(); err == nil {
			t.Fatalf("%q has a tensor", text)
		}
		values := slices.Repeat([]int64{2}, strings.Count(strings.Join(list.Open(), ""), "?"))
		names := map[string]int64{}
		for _, name := range list.Open() {
			if name != "" && name != "?" {
				names[name] = 3
			}
		}
		filled, err := list.Fill(values, names)
		if err != nil || filled.Open() != nil {
			t.Fatalf("%q with %v and %v: %v", text, values, names, err)
		}
	})
}
