package cmd

import (
	"fmt"
	"slices"

	"layoutcalc/cmd/datamove"
	"layoutcalc/layout"
	"layoutcalc/layout/values"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
)

// raw compares the elements of a tensor in two files of raw data. Both have the same layout unless an argument or --to
// states the second one.
func (f *compareFlags) raw(a *app, args []string) error {
	if err := f.checkRaw(); err != nil {
		return err
	}
	t, tensor := &f.tensor, f.tensor.name
	var sources [2]*datamove.Source
	for i, path := range f.in {
		o := datamove.Options{Tensor: t.name}
		if t.big {
			o.Swap = layout.SwapUnit(t.spec.DType)
		}
		src, err := a.openSource(path, o)
		if err != nil {
			return err
		}
		defer src.Close()
		sources[i] = src
	}
	x, y, isStated, err := f.rawPair(sources, args)
	if err != nil {
		return err
	}
	if err := sources[0].Fit(x); err != nil {
		return err
	}
	v := &render.ValuePair{Types: [2]layout.DType{x.DType(), y.DType()}, Typed: true, Why: values.Incomparable(x, y)}
	answer := render.Comparison{A: x, B: y, Values: v}
	if x.DType().Bits() == y.DType().Bits() {
		isFile := sources[0].IsFile() && sources[1].IsFile()
		if err := sources[1].Fit(y); err != nil {
			if !isFile || isStated {
				return err
			}
			have, need := sources[1].Elements(y).Bytes, y.Bytes(y.Reserved())
			v.Why = fmt.Sprintf("B has %s, and the tensor takes %d", wording.Count(have, "byte"), need)
		}
		of := dataName{f.in[0], tensor, sources[0].Array() == nil}
		if err := a.relate(v, of, sources[0].Elements(x), sources[1].Elements(y), isFile); err != nil {
			return err
		}
	}
	return f.tensors(a, answer)
}

// checkRaw rejects flags that do not apply to raw data, and requires two files.
func (f *compareFlags) checkRaw() error {
	switch {
	case len(f.in) == 0:
		return refuse("--to is for raw data", "give the second layout as an argument, or --in FILE --in FILE")
	case len(f.in) != 2:
		return refuse("two files are compared", "--in a.bin --in b.bin")
	case f.infer || f.values != "":
		return refuse("--infer-swizzle and --values are about layouts, and data is compared here", "").LeaveOut("--in")
	}
	return nil
}

// rawPair returns the tensors of two files of raw data. If there are no arguments, the header of the first file
// determines its tensor. The header of the second determines its order of axes unless an argument does; isStated
// reports whether one does.
func (f *compareFlags) rawPair(
	sources [2]*datamove.Source, args []string,
) (x, y layout.Tensor, isStated bool, err error) {
	t, src := &f.tensor, sources[0]
	if array := src.Array(); array != nil {
		if err := t.takeType(src, true); err != nil {
			return x, y, false, err
		}
		t.name = "" // it is the name of a tensor in the file
		if len(args) == 0 {
			from := "row-major"
			if array.Fortran {
				from = "column-major"
			}
			args = []string{"[" + layout.JoinInts(array.Sizes, ",") + "]", from}
		}
	}
	if len(args) == 0 {
		return x, y, false, refuse("the shape is missing: "+src.Name()+" is raw data",
			"such as compare 1x64x56x56 --in a.bin --in b.bin")
	}
	own := 2
	if t.isWhole(args[0]) {
		own = 1
	}
	if f.to != "" {
		if len(args) < own {
			args = append(slices.Clone(args), "row-major")
		}
		args = append(slices.Clone(args), f.to)
	}
	if len(args) > own {
		x, y, err = t.pair(args)
		return x, y, true, err
	}
	if x, err = t.only(args); err != nil {
		return x, y, false, err
	}
	array := sources[1].Array()
	if array == nil || !slices.Equal(array.Sizes, x.Layout().Sizes()) {
		return x, x, false, nil
	}
	strides, err := layout.PackedStrides(array.Sizes, array.Fortran)
	if err != nil {
		return x, y, false, err
	}
	l, err := layout.Strided(0, array.Sizes, strides)
	if err != nil {
		return x, y, false, err
	}
	d := x.DType()
	if array.TypeKnown && !t.typed {
		d = array.Type
	}
	y, err = layout.NewTensor(l, d)
	return x, y, false, err
}
