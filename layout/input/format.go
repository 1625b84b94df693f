package input

import (
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"layoutcalc/layout/tensorfile"
)

// A format is one of files that describe tensors. Its row is all that says how its files are recognised: a directory is
// searched for the names, what is read as a header is told by the name and the first bytes, and texts with names of
// their own by those. Texts of all other names are told by their grammar.
type format struct {
	names string // patterns of the names of files, in lower case, or with those of their directories
	also  string // of names that a directory is not searched for

	// is reports whether a file of that name and size has such a header, or must have one.
	is     func(name string, file io.ReaderAt, size int64) bool
	header func(in *Input, s *Source) error // reads it, and nothing else of the file

	text func(in *Input) error // reads a text of that name
	bare bool                  // the text is read as it is: in no other encoding, and even if there is nothing
	most int                   // bytes of such a text, where it may be longer than others
}

// formats are all of them.
var formats = [...]format{
	{names: "*.npy *.safetensors *.gguf", is: tensorfile.Is, header: (*Input).tensorFile},
	{names: modelNames, is: IsModel, header: (*Input).model},
	{names: indexNames, text: (*Input).index, most: maxIndex},
	{names: jsonNames + " " + yamlNames},
	{names: linesNames},
	{names: "config.pbtxt configs/*.pbtxt", also: "*.pbtxt", text: (*Input).triton, bare: true},
}

// The names of files that say what a text is, in lower case.
const (
	jsonNames  = "*.json *.jsonc"
	yamlNames  = "*.yaml *.yml"
	linesNames = "*.jsonl *.ndjson"
)

// fits reports whether the name of a file fits one of some patterns.
func fits(name, patterns string) bool {
	if name == "" {
		return false // of an argument
	}
	for pattern, rest := "", patterns; rest != ""; {
		pattern, rest, _ = strings.Cut(rest, " ")
		star := strings.LastIndexByte(pattern, '*') + 1
		if n := len(name) - len(pattern[star:]); n < 0 || !strings.EqualFold(name[n:], pattern[star:]) {
			continue // most are told by their endings, without an allocation
		}
		if star == 1 {
			return true
		}
		slashes := strings.ToLower(filepath.ToSlash(name))
		end := path.Base(slashes)
		if strings.Contains(pattern, "/") {
			end = path.Join(path.Base(path.Dir(slashes)), end)
		}
		if ok, err := path.Match(pattern, end); ok && err == nil {
			return true
		}
	}
	return false
}

// IsKnownName reports whether a name is that of a file that describes tensors.
func IsKnownName(name string) bool {
	return slices.ContainsFunc(formats[:], func(f format) bool { return fits(name, f.names) })
}

// IsHeaderName reports whether a name is that of a file of which the header is read.
func IsHeaderName(name string) bool {
	return slices.ContainsFunc(formats[:], func(f format) bool { return f.header != nil && fits(name, f.names) })
}

// IsConfigName reports whether a file of that name must be a configuration of layoutcalc.
func IsConfigName(name string) bool {
	ending := filepath.Ext(name)
	return fits(ending, jsonNames+" "+yamlNames) &&
		strings.HasSuffix(strings.ToLower(strings.TrimSuffix(name, ending)), ".layoutcalc")
}

// headerFormat returns the format of a file of which the header is read, nil for others.
func headerFormat(name string, file io.ReaderAt, size int64) *format {
	for i := range formats {
		if f := &formats[i]; f.is != nil && f.is(name, file, size) {
			return f
		}
	}
	return nil
}

// textFormat returns the format of a text whose name says what it is, nil for others.
func textFormat(name string) *format {
	for i := range formats {
		if f := &formats[i]; f.text != nil && (fits(name, f.names) || fits(name, f.also)) {
			return f
		}
	}
	return nil
}
