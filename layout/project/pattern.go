package project

import (
	"bytes"
	"slices"
	"strings"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/lexer"
)

// A Pattern matches files and directories, like a line of .gitignore. A pattern with a slash before its last character
// matches paths relative to its directory; other patterns match names in all directories below.
type Pattern struct {
	text      string // without the signs of the fields below, and without redundant **
	negative  bool   // paths that it matches are kept, even if earlier patterns exclude them
	directory bool   // it matches only directories
	path      bool   // the text matches paths, not names
}

const (
	patternHint = "such as *.onnx, build/ or models/**/old"
	maxPattern  = 4096 // bytes, like the maximum of a path
	wildcards   = `*?[\`
)

// ParsePattern reads a pattern.
func ParsePattern(text string) (Pattern, error) {
	p := Pattern{}
	rest, negative := strings.CutPrefix(text, "!")
	rest, directory := strings.CutSuffix(rest, "/")
	p.negative, p.directory, p.path = negative, directory, strings.Contains(rest, "/")
	p.text = strings.TrimPrefix(rest, "/")
	segments := strings.Split(p.text, "/")
	isBad := func(s string) bool { return s == "" || s == "." || s == ".." }
	if len(text) > maxPattern || slices.ContainsFunc(segments, isBad) {
		return Pattern{}, &lexer.SyntaxError{Input: text, Msg: "not a pattern of paths below a directory",
			Hint: patternHint}
	}
	if p.path && strings.Contains(p.text, "**") {
		isAny := func(s string) bool { return s == "**" }
		segments = slices.CompactFunc(segments, func(a, b string) bool { return isAny(a) && isAny(b) })
		if last := len(segments) - 1; isAny(segments[last]) {
			segments = append(segments, "*") // the contents of a directory, not the directory itself
		}
		if len(segments) == 2 && isAny(segments[0]) {
			segments, p.path = segments[1:], false
		}
		p.text = strings.Join(segments, "/")
	}
	return p, nil
}

// Matches reports whether a pattern matches a path with slashes, relative to the directory of the pattern.
func (p Pattern) Matches(path string, isDir bool, work *Work) bool {
	if p.directory && !isDir {
		return false
	}
	pattern := p.text
	if !p.path {
		return work.glob(pattern, path[strings.LastIndexByte(path, '/')+1:])
	}
	after, from, starred := "", "", false // the pattern after the last **, and the rest of the path that it may match
	for {
		if rest, ok := strings.CutPrefix(pattern, "**/"); ok {
			pattern, after, from, starred = rest, rest, path, true
			continue
		}
		if pattern == "" && path == "" {
			return true
		}
		segment, rest, _ := strings.Cut(pattern, "/")
		name, below, _ := strings.Cut(path, "/")
		if segment != "" && name != "" && work.glob(segment, name) {
			pattern, path = rest, below
			continue
		}
		if !starred || from == "" {
			return false
		}
		_, from, _ = strings.Cut(from, "/")
		pattern, path = after, from
	}
}

// IsNegative reports whether the pattern keeps the paths that it matches.
func (p Pattern) IsNegative() bool { return p.negative }

// IsDirectory reports whether the pattern matches only directories.
func (p Pattern) IsDirectory() bool { return p.directory }

// Enters reports whether the pattern may match something below a directory.
func (p Pattern) Enters(dir string, work *Work) bool {
	pattern, isMore := p.text, p.path
	for isMore && dir != "" {
		var segment, name string
		if segment, pattern, isMore = strings.Cut(pattern, "/"); segment == "**" {
			return true
		}
		if name, dir, _ = strings.Cut(dir, "/"); !work.glob(segment, name) {
			return false
		}
	}
	return isMore || !p.path
}

// Work limits and counts the work of matching paths with wildcards, over all lists.
type Work struct {
	Fold  bool // the case of paths does not matter, and lists are folded
	Paths int  // paths that have been compared
	Steps int  // of comparing names, as lexer.GlobSteps counts them
}

// Done reports whether the limit of steps is reached. It is far more than realistic patterns need.
func (w *Work) Done() bool { return w.Steps > 10_000_000+1000*w.Paths }

func (w *Work) glob(pattern, name string) bool {
	matches, steps := lexer.GlobSteps(pattern, name)
	w.Steps += steps
	return matches
}

// A List is a sequence of patterns; the last one that matches a path decides. The zero List is empty.
type List struct {
	literal map[Pattern]int // the positions of patterns without wildcards; the key does not include the sign
	wild    []placed        // the others, the last one first
}

// A placed is a pattern with its position in a list, counted from 1 at its end, and negative if the pattern is
// negative.
type placed struct {
	Pattern
	place int
}

// NewList returns a list of patterns.
func NewList(patterns []Pattern) List {
	l := List{literal: map[Pattern]int{}}
	seen := map[Pattern]bool{}
	for i, p := range slices.Backward(patterns) {
		place := len(patterns) - i
		if p.negative {
			place = -place
		}
		p.negative = false
		switch isWild := strings.ContainsAny(p.text, wildcards); {
		case seen[p]: // the last of several decides
		case isWild:
			l.wild = append(l.wild, placed{p, place})
		default:
			l.literal[p] = place
		}
		seen[p] = true
	}
	return l
}

// IsEmpty reports whether there are no patterns.
func (l *List) IsEmpty() bool { return len(l.literal)+len(l.wild) == 0 }

// Excludes reports whether the last pattern that matches a path excludes it. The path has slashes, and is relative to
// the directory of the patterns. The contents of an excluded directory are excluded too, but the caller must go from
// directory to directory. If no pattern matches, known is false. When the limit of the work is reached, wildcards match
// nothing.
func (l *List) Excludes(path string, isDir bool, work *Work) (excluded, known bool) {
	if work.Fold {
		path = strings.ToLower(path)
	}
	best := 0
	isBefore := func(place int) bool { return best == 0 || max(place, -place) < max(best, -best) }
	name := path[strings.LastIndexByte(path, '/')+1:]
	for _, p := range [...]Pattern{{text: name}, {text: name, directory: true}, {text: path, path: true},
		{text: path, path: true, directory: true}} {
		if place := l.literal[p]; place != 0 && (isDir || !p.directory) && isBefore(place) {
			best = place
		}
	}
	for _, p := range l.wild {
		if !isBefore(p.place) || work.Done() {
			break
		}
		if p.Matches(path, isDir, work) {
			best = p.place
		}
	}
	return best > 0, best != 0
}

// Patterns reads a .gitignore file. Like Git, it skips lines that are not patterns.
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
