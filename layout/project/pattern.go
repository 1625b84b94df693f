package project

import (
	"bytes"
	"slices"
	"strings"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/scan"
)

// A Pattern names files and directories, as a line of .gitignore does. One with a slash that is not the last character
// is about paths from the directory that it stands for, any other about names in all directories below.
type Pattern struct {
	segments  []string // between slashes; ** is any number of directories
	negative  bool     // what it matches is not left out, whatever earlier patterns say
	directory bool     // it matches only directories
}

const patternHint = "such as *.onnx, build/ or models/**/old"

// ParsePattern reads a pattern.
func ParsePattern(text string) (Pattern, error) {
	p := Pattern{}
	rest, negative := strings.CutPrefix(text, "!")
	rest, directory := strings.CutSuffix(rest, "/")
	p.negative, p.directory = negative, directory
	anchored := strings.Contains(rest, "/")
	p.segments = strings.Split(strings.TrimPrefix(rest, "/"), "/")
	if !anchored {
		p.segments = []string{"**", rest}
	}
	for _, s := range p.segments {
		if s == "" || s == "." || s == ".." {
			return Pattern{}, &scan.SyntaxError{Input: text, Msg: "not a pattern of paths below a directory",
				Hint: patternHint}
		}
	}
	return p, nil
}

// Patterns reads the text of a .gitignore. Lines that are no patterns are left out, as Git does.
func Patterns(text []byte) (list []Pattern) {
	text = bytes.TrimPrefix(text, []byte(doctree.ByteOrderMark))
	for line := range bytes.Lines(text) {
		words := strings.TrimRight(string(line), "\r\n")
		for strings.HasSuffix(words, " ") && !strings.HasSuffix(words, `\ `) {
			words = words[:len(words)-1]
		}
		if words == "" || words[0] == '#' {
			continue
		}
		if p, err := ParsePattern(words); err == nil {
			list = append(list, p)
		}
	}
	return list
}

// Excludes reports whether the last of the patterns that match a path leaves it out. The path has slashes, and starts
// at the directory that the patterns stand for. What is in a directory that is left out is left out too, but it is the
// caller who goes from directory to directory. Where none matches, known is false.
func Excludes(list []Pattern, path string, isDir bool) (excluded, known bool) {
	if len(list) == 0 {
		return false, false
	}
	segments := strings.Split(path, "/")
	for _, p := range slices.Backward(list) {
		if (isDir || !p.directory) && matches(p.segments, segments) {
			return !p.negative, true
		}
	}
	return false, false
}

// matches reports whether the segments of a pattern match those of a path. A ** at the end matches what is in a
// directory, not the directory itself.
func matches(pattern, path []string) bool {
	reached := make([]bool, len(path)+1) // how many segments of the path the pattern so far may match
	reached[0] = true
	for i, s := range pattern {
		next := make([]bool, len(path)+1)
		for n, ok := range reached {
			switch {
			case !ok:
			case s != "**":
				if n < len(path) && scan.Glob(s, path[n]) {
					next[n+1] = true
				}
			default:
				first := n
				if i == len(pattern)-1 {
					first++
				}
				for m := first; m <= len(path); m++ {
					next[m] = true
				}
			}
		}
		reached = next
	}
	return reached[len(path)]
}
