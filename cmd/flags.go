package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation"
	"layoutcalc/render"
)

// A parsed is the value of a flag with a parser and without a default.
type parsed[T any] struct {
	kind  string
	parse func(string) (T, error)
	set   func(T)
	words []cobra.Completion // the possible values, if there are few
}

// Set parses the value.
func (p *parsed[T]) Set(text string) error {
	v, err := p.parse(text)
	if err == nil {
		p.set(v)
	}
	return err
}

func (p *parsed[T]) String() string { return "" }
func (p *parsed[T]) Type() string   { return p.kind }

// only returns the possible values, or nil if there are too many.
func (p *parsed[T]) only() []cobra.Completion { return p.words }

// flag adds a flag with a parser. The kind is the name of its value in the help. The name may be followed by a comma
// and a short form of one letter.
func flag[T any](flags *pflag.FlagSet, name, kind string, parse func(string) (T, error), set func(T)) {
	name, letter, _ := strings.Cut(name, ",")
	flags.VarP(&parsed[T]{kind: kind, parse: parse, set: set}, name, letter, "")
}

// into sets an optional value.
func into[T any](to **T) func(T) { return func(v T) { *to = &v } }

// onto appends the values of a repeated flag.
func onto[T any](to *[]T) func(T) { return func(v T) { *to = append(*to, v) } }

// all appends the items of lists.
func all[T any](to *[]T) func([]T) { return func(v []T) { *to = append(*to, v...) } }

// textFlag adds a flag with any value except an empty one.
func textFlag(flags *pflag.FlagSet, name, kind string, to *string) {
	flag(flags, name, kind, func(text string) (string, error) {
		if text == "" {
			return "", lexer.Refuse("", "the value is empty")
		}
		return text, nil
	}, func(text string) { *to = text })
}

// numberFlag adds a flag with a number from low to high; words describe the range.
func numberFlag(flags *pflag.FlagSet, name string, low, high int64, to *int, words string) {
	flag(flags, name, "N", func(text string) (int64, error) {
		n, err := lexer.ParseNumber(text)
		if err == nil && (n < low || n > high) {
			err = &lexer.SyntaxError{Input: text, Msg: words}
		}
		return n, err
	}, func(n int64) { *to = int(n) })
}

func jobsFlag(flags *pflag.FlagSet, to *int) {
	numberFlag(flags, "jobs", 1, 1024, to, "from 1 to 1024 can be done at once")
}

// wordFlag adds a flag with one of a few words, ignoring case. Set receives the index of the word.
func wordFlag(flags *pflag.FlagSet, name, kind string, words []cobra.Completion, set func(i int)) {
	parse := func(text string) (int, error) {
		names := make([]string, len(words))
		for i, word := range words {
			if names[i], _, _ = strings.Cut(word, "\t"); strings.EqualFold(names[i], text) {
				return i, nil
			}
		}
		return 0, lexer.Unknown("value", text, names)
	}
	name, letter, _ := strings.Cut(name, ",")
	flags.VarP(&parsed[int]{kind, parse, set, words}, name, letter, "")
}

// boolFlag adds a flag without a value.
func boolFlag(flags *pflag.FlagSet, name string, to *bool) {
	name, letter, _ := strings.Cut(name, ",")
	flags.BoolVarP(to, name, letter, false, "")
}

// refuse returns an error about the whole command line. The hint states what to type, and may be empty.
//
//go:noinline
func refuse(msg, hint string) *lexer.SyntaxError { return &lexer.SyntaxError{Msg: msg, Hint: hint} }

// A conflict is a flag or another part of a command line that excludes others, with the error for the combination.
type conflict struct{ part, others, msg, hint string }

// findConflict returns the error for the first conflict among the given parts.
func findConflict(conflicts []conflict, given map[string]bool) error {
	for _, c := range conflicts {
		isGiven := func(part string) bool { return given[part] }
		if given[c.part] && slices.ContainsFunc(strings.Fields(c.others), isGiven) {
			return refuse(c.msg, c.hint)
		}
	}
	return nil
}

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

// noteRepeated notes the unused values of flags that take one value but are given several.
func (a *app) noteRepeated(given []givenFlag) {
	for i, flag := range given {
		for _, later := range slices.Backward(given[i+1:]) {
			if later.name != flag.name {
				continue
			}
			isPair := flag.name == "in" && a.command == "compare"
			if later.value != flag.value && slices.Contains(singleFlags, flag.name) && !isPair {
				a.Note("--" + flag.name + " is given several times: " + render.Quote(flag.value) + " is not used")
			}
			break
		}
	}
}

// singleFlags are the flags with one value that change the subject of an answer.
var singleFlags = []string{
	"strides", "layout", "storage-offset", "order", "rank", "dtype", "from", "to", "tensor", "at", "range", "values",
	"buffer", "get", "in", "out", "svg", "png", "html", "batch", "target", "chunks", "tile",
	"start", "try", "phases", "cache-line", "cache-lines",
}

// protected marks arguments with benchdnn options, so that they are not parsed as flags.
func protected(args []string) []string {
	for i, arg := range args {
		if notation.IsBenchOptions(arg) {
			args[i] = "benchdnn " + arg
		}
	}
	return args
}
