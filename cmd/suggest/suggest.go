// Package suggest finds command lines to type instead of one that failed. It rewrites arguments and runs nothing: the
// caller tests whether a suggestion has an answer.
package suggest

import (
	"errors"
	"slices"
	"strings"

	"layoutcalc/layout/lexer"
)

// rewrites has the function for each subject.
var rewrites = [...]func(c *Call, words []string) []Suggestion{
	Word:    func(c *Call, words []string) []Suggestion { return c.instead(words[:1], words[1:]...) },
	Part:    (*Call).part,
	Missing: func(c *Call, words []string) []Suggestion { return lines(slices.Concat(c.Args, words)) },
	Command: (*Call).command,
	Either:  (*Call).either,
	Flag:    (*Call).flag,
	Letter:  (*Call).letter,
	Other:   (*Call).otherCommand,
	Value:   (*Call).value,
	Shape:   (*Call).shape,
	Unread:  (*Call).unread,
	Range:   func(c *Call, words []string) []Suggestion { return c.bounds([]string{"--at", words[0]}, words[0]) },
	Index:   (*Call).index,
	Indices: func(c *Call, words []string) []Suggestion { return c.instead(words, strings.Join(words, ",")) },
	Order:   (*Call).order,
	Operand: (*Call).operand,
	Pattern: (*Call).pattern,

	Negative:  (*Call).negative,
	File:      (*Call).file,
	Directory: (*Call).directory,
}

// A subjectError is an error with its subject.
type subjectError struct {
	error
	subject Subject
	words   []string
}

func (e *subjectError) Unwrap() error { return e.error }

// About adds a subject to an error.
func About(err error, subject Subject, words ...string) error {
	return &subjectError{err, subject, words}
}

// For returns the suggestions for a command line that failed, the likeliest first.
func For(c Call, err error) (list []Suggestion) {
	var about *subjectError
	for inner := err; errors.As(inner, &about); inner = about.error {
		list = append(list, rewrites[about.subject](&c, about.words)...)
	}
	var wrong *lexer.SyntaxError
	if !errors.As(err, &wrong) {
		return list
	}
	if pair := c.twoLayouts(); pair != nil {
		return append(list, pair...)
	}
	return slices.Concat(list, c.changed(wrong), c.apart())
}
