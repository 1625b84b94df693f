package cmd

import (
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
	"layoutcalc/render"
)

// A parsed is the value of a flag that a parser of package layout reads.
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

// String returns the default, which no flag here has.
func (p *parsed[T]) String() string { return "" }

// Type returns what the value is called in the help.
func (p *parsed[T]) Type() string { return p.kind }

// into keeps a value where it is optional.
func into[T any](to **T) func(T) { return func(v T) { *to = &v } }

// onto appends values of a flag that may be given several times.
func onto[T any](to *[]T) func(T) { return func(v T) { *to = append(*to, v) } }

// text is a value that is read later. It may not be empty.
func text(kind string, to *string) *parsed[string] {
	parse := func(text string) (string, error) {
		if text == "" {
			return "", &layout.SyntaxError{Msg: "the value is empty"}
		}
		return text, nil
	}
	return &parsed[string]{kind, parse, func(text string) { *to = text }}
}

// oneOf is a value out of a few words, in any case.
func oneOf(kind string, to *string, words ...string) *parsed[string] {
	parse := func(text string) (string, error) {
		for _, w := range words {
			if strings.EqualFold(w, text) {
				return w, nil
			}
		}
		hint := "one of " + strings.Join(words, ", ")
		if near := scan.Nearest(text, words); near != "" {
			hint = "did you mean " + near + "?"
		}
		return "", &layout.SyntaxError{Input: text, Msg: "unknown value " + render.Quote(text), Hint: hint}
	}
	return &parsed[string]{kind, parse, func(w string) { *to = w }}
}
