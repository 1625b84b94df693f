package suggest

import (
	"slices"
	"strings"
)

// A Call is a command line that failed.
type Call struct {
	Args     []string // without the name of the program; in a batch the command and the words of the line
	Command  string
	Commands []string                 // all commands
	HasFlag  func(name string) bool   // reports whether the command has a flag
	Near     func(path string) string // returns a path similar to one without a file, or an empty string
	InBatch  bool
	Shell    Shell // the shell to quote arguments for
}

// A Suggestion is a command line to type instead, or advice in words.
type Suggestion struct {
	Args []string // nil for advice
	Text string
	Also bool // it is as likely as the previous one
	Sure bool // it has the same meaning, and may be run at once
}

// lines returns a command line as a suggestion, and no suggestion for nil.
func lines(args []string) []Suggestion {
	if args == nil {
		return nil
	}
	return []Suggestion{{Args: args}}
}

// sure suggests a command line that means the same, and nothing for nil.
func sure(args []string) []Suggestion {
	if args == nil {
		return nil
	}
	return []Suggestion{{Args: args, Sure: true}}
}

// each suggests command lines that are equally likely.
func each(lines ...[]string) (list []Suggestion) {
	for i, args := range lines {
		list = append(list, Suggestion{Args: args, Also: i > 0})
	}
	return list
}

// instead suggests the command line with the last occurrence of the arguments typed replaced by meant.
func (c *Call) instead(typed []string, meant ...string) []Suggestion {
	return lines(c.replaced(typed, meant...))
}

// replaced returns the command line with the last occurrence of the arguments typed replaced by meant, or nil if they
// do not occur.
func (c *Call) replaced(typed []string, meant ...string) []string {
	for i := range slices.Backward(c.Args) {
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
		case isJoined, arg == flag && (flag == "--verify" || flag == "--sync"): // flags without a value
			return slices.Concat(c.Args[:i], c.Args[i+1:])
		case arg == flag && i+1 < len(c.Args):
			return slices.Concat(c.Args[:i], c.Args[i+2:])
		case flag == "-t" && (arg == "--dtype" || strings.HasPrefix(arg, "--dtype=")):
			return c.without("--dtype")
		}
	}
	return slices.Clip(c.Args)
}

// A Subject is the kind of problem that an error is about.
type Subject int

// The subjects, each with the words that it takes.
const (
	Word    Subject = iota // an argument, then arguments to replace it
	Part                   // a part of an argument, then its replacement
	Missing                // arguments to add at the end
	Command                // an unknown command
	Either                 // commands for arguments without one
	Flag                   // an unknown flag
	Letter                 // an unknown flag of one letter, then the flags of the command
	Other                  // the commands that have a flag which this command does not have
	Value                  // a flag as typed, its name, and a wrong value
	Shape                  // arguments that should start with a shape
	Unread                 // arguments with a type of another system
	Range                  // a wrong value of --at
	Index                  // an argument that should be an index
	Indices                // one number for each axis, instead of an index
	Order                  // an order of the axes that may be strides, and its numbers
	Operand                // an instruction that reads its operand without lanes
	Pattern                // arguments that may include a pattern; --dim does not apply to patterns

	Negative  // an argument that starts with a minus sign and a digit, and belongs in brackets
	File      // a path without a file
	Directory // the path of a directory instead of a file
)
