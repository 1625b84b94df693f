// Package suggest finds what may have been meant by a command line that failed. It rewrites arguments and runs
// nothing: whether another command line has an answer is for the caller to try.
package suggest

import (
	"errors"
	"slices"
	"strings"

	"layoutcalc/layout/scan"
)

// A Call is a command line that failed.
type Call struct {
	Args     []string // without the name of the program; for a line of a batch, the command and the words of the line
	Command  string
	Commands []string               // of the program
	HasFlag  func(name string) bool // reports whether the command has the flag
	InBatch  bool
}

// A Suggestion is a command line to type instead, or advice in words.
type Suggestion struct {
	Args []string // nil for advice
	Text string
	Sure bool // the command line mends a fault, whether or not there are others: it need not be tried
}

// A Subject is the kind of thing that was read when an error arose.
type Subject int

// The subjects. Each has words: what is listed here.
const (
	Word    Subject = iota // an argument, then the arguments that may be meant by it
	Part                   // a part of an argument, then the text that may be meant by it
	Missing                // arguments that are missing at the end
	Command                // the name of a command that does not exist
	Flag                   // the name of a flag that does not exist
	Value                  // a flag as it was typed, its name, and a value that it does not take
	Shape                  // arguments that should start with a shape
	Unread                 // arguments that are a type whose sizes are not read
	Type                   // an element type in place of a layout
	Range                  // a value of --at
	Index                  // an argument that should be an index
	Indices                // one number for each axis, in place of an index
	Step                   // the steps up to one that cannot be read
	Pattern                // arguments, one of which may be a pattern, where --dim cannot be used
)

// rewrites has the function that finds suggestions for each subject.
var rewrites = [...]func(c *Call, words []string) []Suggestion{
	Word:    func(c *Call, words []string) []Suggestion { return c.instead(words[:1], words[1:]...) },
	Part:    (*Call).part,
	Missing: func(c *Call, words []string) []Suggestion { return lines(slices.Concat(c.Args, words)) },
	Command: (*Call).command,
	Flag:    (*Call).flag,
	Value:   (*Call).value,
	Shape:   (*Call).shape,
	Unread:  (*Call).unread,
	Type:    (*Call).elementType,
	Range:   func(c *Call, words []string) []Suggestion { return c.bounds([]string{"--at", words[0]}, words[0]) },
	Index:   (*Call).index,
	Indices: func(c *Call, words []string) []Suggestion { return c.instead(words, strings.Join(words, ",")) },
	Step:    (*Call).step,
	Pattern: (*Call).pattern,
}

// A subjectError is an error with its subject.
type subjectError struct {
	error
	subject Subject
	words   []string
}

func (e *subjectError) Unwrap() error { return e.error }

// About returns the error with its subject.
func About(err error, subject Subject, words ...string) error {
	return &subjectError{err, subject, words}
}

// For returns what may have been meant by a command line that failed, the likeliest first.
func For(c Call, err error) (list []Suggestion) {
	var about *subjectError
	for inner := err; errors.As(inner, &about); inner = about.error {
		list = append(list, rewrites[about.subject](&c, about.words)...)
	}
	var wrong *scan.SyntaxError
	if !errors.As(err, &wrong) {
		return list
	}
	if pair := c.twoLayouts(); pair != nil {
		return append(list, pair...)
	}
	return append(list, c.changed(wrong)...)
}

// lines returns a suggestion of a command line, none where there are no arguments.
func lines(args []string) []Suggestion {
	if args == nil {
		return nil
	}
	return []Suggestion{{Args: args}}
}

// instead suggests the command line with other arguments in place of some that come one after another.
func (c *Call) instead(typed []string, meant ...string) []Suggestion {
	return lines(c.replaced(typed, meant...))
}

// replaced returns the command line with other arguments in place of some that come one after another, nil where there
// are none such.
func (c *Call) replaced(typed []string, meant ...string) []string {
	for i := range c.Args {
		if rest := c.Args[i:]; len(rest) >= len(typed) && slices.Equal(rest[:len(typed)], typed) {
			return slices.Concat(c.Args[:i], meant, rest[len(typed):])
		}
	}
	return nil
}

// without returns the command line without a flag and its value.
func (c *Call) without(flag string) []string {
	for i, arg := range c.Args {
		isJoined := strings.HasPrefix(arg, flag+"=") || len(flag) == 2 && strings.HasPrefix(arg, flag) && len(arg) > 2
		switch {
		case isJoined, arg == flag && flag == "--verify": // which has no value
			return slices.Concat(c.Args[:i], c.Args[i+1:])
		case arg == flag && i+1 < len(c.Args):
			return slices.Concat(c.Args[:i], c.Args[i+2:])
		case flag == "-t" && (arg == "--dtype" || strings.HasPrefix(arg, "--dtype=")):
			return c.without("--dtype")
		}
	}
	return slices.Clip(c.Args)
}

// Quote quotes an argument for a shell where that is necessary.
func Quote(arg string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-"
	if arg != "" && strings.Trim(arg, plain) == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
