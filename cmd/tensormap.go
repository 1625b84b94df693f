package cmd

import (
	"github.com/spf13/pflag"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
)

// A mapFlags is the flags of check that describe a CUDA tensor map.
type mapFlags struct {
	of    descriptor.TensorMap
	given string // one of the flags in the command line, or empty
}

func (f *mapFlags) add(flags *pflag.FlagSet) {
	list := func(name string, to *[]int64) {
		flag(flags, name, "SIZES", descriptor.ParseBox, func(sizes []int64) { *to, f.given = sizes, name })
	}
	mode := func(name string, enum *descriptor.MapEnum, to *descriptor.MapCode) {
		set := func(c descriptor.MapCode) { *to, f.given = c, name }
		flags.Var(&parsed[descriptor.MapCode]{"MODE", enum.Parse, set, enum.Names}, name, "")
	}
	list("box", &f.of.Box)
	list("element-strides", &f.of.Steps)
	mode("tma-swizzle", &descriptor.MapSwizzles, &f.of.Swizzle)
	mode("interleave", &descriptor.MapInterleaves, &f.of.Interleave)
	mode("oob-fill", &descriptor.MapFills, &f.of.Fill)
	flag(flags, "address", "ADDRESS", descriptor.ParseAddress, func(n int64) {
		f.of.Address, f.given = descriptor.Stated(n), "address"
	})
}

// target returns the target that the flags apply to, which is the target of --target if both are given and agree.
func (f *mapFlags) target(t *descriptor.Target) (*descriptor.Target, error) {
	switch {
	case f.given == "":
		return t, nil
	case t == nil:
		return &descriptor.Target{Family: finding.TMA}, nil
	case t.Family != finding.TMA:
		return nil, refuse("--"+f.given+" goes with tensor maps, and the target is "+t.String(), "--target tma")
	}
	return t, nil
}
