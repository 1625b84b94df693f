package project

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout/scan"
)

// A Pattern names files and directories, as a line of .gitignore does. One with a slash that is not the last character
// is about paths from the directory that it stands for, any other about names in all directories below.
type Pattern struct {
	segments  []string // between slashes; ** is any number of directories
	negative  bool     // what it matches is not left out, whatever earlier patterns say
	directory bool     // it matches only directories
}

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
				Hint: "such as *.onnx, build/ or models/**/old"}
		}
	}
	return p, nil
}

// Patterns reads the text of a .gitignore. Lines that are no patterns are left out, as Git does.
func Patterns(text []byte) (list []Pattern) {
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
				if n < len(path) && matchesName(s, path[n]) {
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

// matchesName reports whether a segment of a pattern matches a name: * is any number of characters, ? is one, [a-z]
// one of several and [!a-z] one of the others; after a backslash a character stands for itself.
func matchesName(pattern, name string) bool {
	rest, from := "", "" // the pattern after the last *, and the name from where it may match
	starred := false
	for {
		if after, isStar := strings.CutPrefix(pattern, "*"); isStar {
			pattern, rest, from, starred = after, after, name, true
			continue
		}
		if name == "" && pattern == "" {
			return true
		}
		if n, size := matchesOne(pattern, name); n > 0 {
			pattern, name = pattern[n:], name[size:]
			continue
		}
		if !starred || from == "" {
			return false
		}
		_, size := utf8.DecodeRuneInString(from)
		from = from[size:]
		pattern, name = rest, from
	}
}

// matchesOne returns how many bytes of a pattern match the first character of a name, and how many bytes that has;
// 0 where it does not match.
func matchesOne(pattern, name string) (n, size int) {
	if pattern == "" || name == "" {
		return 0, 0
	}
	c, size := utf8.DecodeRuneInString(name)
	switch pattern[0] {
	case '?':
		return 1, size
	case '\\':
		pattern = pattern[1:]
		n = 1
	case '[':
		if n = class(pattern, c); n != 0 { // a bracket that is not closed is one
			return max(n, 0), size
		}
	}
	if strings.HasPrefix(pattern, name[:size]) {
		return n + size, size
	}
	return 0, 0
}

// class returns how many bytes the class has that a pattern starts with, if the character is of it, -1 if it is not,
// and 0 if the class is not closed.
func class(pattern string, c rune) int {
	set := []rune(pattern)[1:]
	other := len(set) > 0 && (set[0] == '!' || set[0] == '^')
	i := 0
	if other {
		i++
	}
	found := false
	for first := i; ; i++ {
		if i == len(set) {
			return 0
		}
		if set[i] == ']' && i > first {
			break
		}
		low := set[i]
		high := low
		if i+2 < len(set) && set[i+1] == '-' && set[i+2] != ']' {
			high = set[i+2]
			i += 2
		}
		found = found || low <= c && c <= high
	}
	if found == other {
		return -1
	}
	return 1 + len(string(set[:i+1]))
}
