package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"layoutcalc/layout/scan"
	"layoutcalc/render"
)

// A parsed is the value of a flag that a parser reads. It has no default.
type parsed[T any] struct {
	kind  string
	parse func(string) (T, error)
	set   func(T)
}

// Set reads the text.
func (p *parsed[T]) Set(text string) error {
	v, err := p.parse(text)
	if err == nil {
		p.set(v)
	}
	return err
}

func (p *parsed[T]) String() string { return "" }
func (p *parsed[T]) Type() string   { return p.kind }

// flag adds a flag that a parser reads. The kind is what the help calls its value. The name may have a
// comma and one letter after it.
func flag[T any](
	flags *pflag.FlagSet, name, kind string, parse func(string) (T, error), set func(T), usage string,
) {
	name, letter, _ := strings.Cut(name, ",")
	flags.VarP(&parsed[T]{kind, parse, set}, name, letter, usage)
}

// into keeps a value where it is optional.
func into[T any](to **T) func(T) { return func(v T) { *to = &v } }

// onto appends values of a flag that may be given several times.
func onto[T any](to *[]T) func(T) { return func(v T) { *to = append(*to, v) } }

// all appends the values of lists.
func all[T any](to *[]T) func([]T) { return func(v []T) { *to = append(*to, v...) } }

// textFlag adds a flag whose value is read later. It may not be empty.
func textFlag(flags *pflag.FlagSet, name, kind string, to *string, usage string) {
	flag(flags, name, kind, func(text string) (string, error) {
		if text == "" {
			return "", scan.Refuse("", "the value is empty")
		}
		return text, nil
	}, func(text string) { *to = text }, usage)
}

// A givenFlag is a flag of a command line and its value.
type givenFlag struct{ name, value string }

// givenFlags returns the flags of the command line, which has been parsed without a fault.
func (a *app) givenFlags(known *pflag.FlagSet) (given []givenFlag) {
	_ = known.ParseAll(protected(slices.Clone(a.args)), func(f *pflag.Flag, value string) error {
		given = append(given, givenFlag{f.Name, value})
		return nil
	})
	return given
}

// noteRepeated notes flags of one value that are given several times with others.
func (a *app) noteRepeated(given []givenFlag) {
	for i, flag := range given {
		for _, later := range slices.Backward(given[i+1:]) {
			if later.name != flag.name {
				continue
			}
			if later.value != flag.value && slices.Contains(singleFlags, flag.name) {
				a.note("--" + flag.name + " is given several times: " + render.Quote(flag.value) + " is not used")
			}
			break
		}
	}
}

// singleFlags are the flags of one value that say what an answer is about.
var singleFlags = []string{
	"strides", "layout", "storage-offset", "order", "rank", "dtype", "from", "to", "tensor", "at", "range", "values",
	"buffer", "get", "in", "out", "svg", "html", "batch", "target",
}

// numberFlag adds a flag whose value is between two numbers; the range says so in words.
func numberFlag(flags *pflag.FlagSet, name string, low, high int64, to *int, words, usage string) {
	flag(flags, name, "N", func(text string) (int64, error) {
		n, err := scan.ParseNumber(text)
		if err == nil && (n < low || n > high) {
			err = &scan.SyntaxError{Input: text, Msg: words}
		}
		return n, err
	}, func(n int64) { *to = int(n) }, usage)
}

func jobsFlag(flags *pflag.FlagSet, to *int, usage string) {
	numberFlag(flags, "jobs", 1, 1024, to, "from 1 to 1024 can be done at once", usage)
}

// wordFlag adds a flag whose value is one of a few words, in any case. It sets the number of the word.
func wordFlag(flags *pflag.FlagSet, name, kind string, words []string, set func(i int), usage string) {
	flag(flags, name, kind, func(text string) (int, error) {
		for i, w := range words {
			if strings.EqualFold(w, text) {
				return i, nil
			}
		}
		return 0, scan.Unknown("value", text, words)
	}, set, usage)
}
