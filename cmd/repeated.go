package cmd

import (
	"slices"

	"github.com/spf13/pflag"

	"layoutcalc/layout/notation"
	"layoutcalc/render"
)

// A givenFlag is a flag in a command line, with its value.
type givenFlag struct{ name, value string }

// givenFlags returns the flags in the command line, which has been parsed without an error.
func (a *app) givenFlags(known *pflag.FlagSet) (given []givenFlag) {
	_ = known.ParseAll(protected(slices.Clone(a.args)), func(f *pflag.Flag, value string) error {
		given = append(given, givenFlag{f.Name, value})
		return nil
	})
	return given
}

// noteRepeated notes the unused values of flags that take one value and are given several.
func (a *app) noteRepeated(given []givenFlag) {
	for i, flag := range given {
		for _, later := range slices.Backward(given[i+1:]) {
			if later.name != flag.name {
				continue
			}
			if later.value != flag.value && slices.Contains(singleFlags, flag.name) {
				a.Note("--" + flag.name + " is given several times: " + render.Quote(flag.value) + " is not used")
			}
			break
		}
	}
}

// singleFlags are the flags with one value that change the subject of an answer.
var singleFlags = []string{
	"strides", "layout", "storage-offset", "order", "rank", "dtype", "from", "to", "tensor", "at", "range", "values",
	"buffer", "get", "in", "out", "svg", "html", "batch", "target",
}

// protected marks arguments with options of benchdnn, so that they are not parsed as flags.
func protected(args []string) []string {
	for i, arg := range args {
		if notation.IsBenchOptions(arg) {
			args[i] = "benchdnn " + arg
		}
	}
	return args
}
