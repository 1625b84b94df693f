package input_test

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/input"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/notation"
)

var update = flag.Bool("update", false, "rewrite what is read in testdata/limits.txt")

// TestLimits reads the inputs in testdata/limits.txt, of each kind and at the limits between kinds, and compares the
// tensors, the findings with their positions, the notes and the errors. Each block begins with the way to read it
// (file, stream, or arguments, one per line), a name, and options. The lines after "@ NAME" are a file in the same
// directory.
func TestLimits(t *testing.T) {
	layouttest.Limits(t, *update, func(text string) string { return found(t, text) })
}

// A reading is an input with the way to read it.
type reading struct {
	how, name string
	tensors   []string // the names of the tensors to read
	options   input.Options
	foreign   bool
	text      string
	files     fstest.MapFS
}

// found returns everything that is found in a block, one item per line.
func found(t *testing.T, block string) string {
	r := parseReading(t, block)
	in, err := r.read()
	if in == nil || err != nil {
		text := "error " + told(err)
		if in != nil && err != nil {
			f := input.Finding(in.Data, err)
			text += fmt.Sprintf("\nfinding %d:%d [%v] %v: %s | %s", f.Line, f.Column, f.Rule, f.Bytes, f.Message, f.Fix)
		}
		return text
	}
	lines := []string{fmt.Sprintf("kind %d of %q, %d bytes, target %v", in.Kind, in.Name, len(in.Data), in.Target())}
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	finding := func(f finding.Finding) {
		add("%d:%d %v [%v] %s %s %v: %s | %s", f.Line, f.Column, f.Severity, f.Rule, f.Tensor, f.Pointer, f.Bytes,
			f.Message, f.Fix)
	}
	descriptor := func(d *descriptor.Descriptor) {
		place := func(p descriptor.Part, item int) string {
			if d.Source == nil {
				return "-"
			}
			at := d.Source.Place(p, item)
			return fmt.Sprintf("%d:%d", at.Line, at.Column)
		}
		add("descriptor %q %q %v layout %q sizes %v strides %v base %d total %v at %s %s %s %s %s %s", d.Name,
			d.TypeName, d.TypeKnown, d.Layout, d.Sizes, d.Strides, d.Base, d.Total, place(descriptor.Whole, -1),
			place(descriptor.TypePart, -1), place(descriptor.SizesPart, 1), place(descriptor.StridesPart, 0),
			place(descriptor.StridesPart, -1), place(descriptor.TotalPart, -1))
	}
	for d, f := range in.Descriptors() {
		if f != nil {
			finding(*f)
			continue
		}
		descriptor(&d)
	}
	for _, note := range in.Notes {
		add("note %s", note)
	}
	if in.Kind == input.Index {
		for p := range in.Parts(2, new(sync.Map), nil) {
			add("part %s: %v", p.Path, p.Err)
		}
		for _, note := range in.Notes {
			add("note %s", note)
		}
	}
	for _, f := range in.Files {
		add("file of kind %q, target %v", f.Kind, f.Target)
		for i := range f.Len() {
			d := f.At(i)
			descriptor(&d)
		}
		for i := range f.Values {
			descriptor(&f.Values[i])
		}
		for _, f := range f.Findings {
			finding(f)
		}
	}
	for _, name := range r.tensors {
		in, err := r.read() // again: lines are read once
		if err != nil {
			t.Fatal(err)
		}
		if in.Kind == input.Index && r.how == "file" {
			s := r.source(r.name, r.text)
			shard, _, err := s.Shard(name)
			add("shard of %q: %s, %d bytes, %s", name, shard.Name, shard.Size, told(err))
		}
		x, err := in.Tensor(name)
		if err != nil {
			add("tensor %q: error %s", name, told(err))
			continue
		}
		strides, _ := x.Layout().Strides()
		add("tensor %q: %q sizes %v strides %v base %d %v typed %v", name, x.Name(), x.Layout().Sizes(), strides,
			x.Layout().Base(), x.DType(), x.Typed)
		for _, note := range x.Notes {
			add("  note %s", note)
		}
		in, _ = r.read()
		if err := in.Keep(name); err != nil {
			add("  kept: error %s", told(err))
		}
	}
	return strings.Join(lines, "\n")
}

// told formats an error with its position and its hint.
func told(err error) string {
	text := fmt.Sprint(err)
	var syntax *layout.SyntaxError
	if errors.As(err, &syntax) {
		text += fmt.Sprintf(" | at %d of %q | %s", syntax.Offset, syntax.Input, syntax.Hint)
	}
	return text
}

// parseReading reads a block: HOW NAME OPTIONS, the text, and files beside it.
func parseReading(t *testing.T, block string) reading {
	parts := strings.Split(block, "\n@ ")
	head, text, _ := strings.Cut(parts[0], "\n")
	words := strings.Fields(head)
	r := reading{how: words[0], tensors: []string{""}, files: fstest.MapFS{}}
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "name":
			r.name = value
		case "tensor":
			r.tensors = append(r.tensors, value)
		case "dtype":
			d, err := layout.ParseDType(value)
			if err != nil {
				t.Fatal(err)
			}
			r.options.DType, r.options.Typed = d, true
		case "dim":
			name, size, named := strings.Cut(value, "=")
			if !named {
				size = name
			}
			n, _ := strconv.ParseInt(size, 10, 64)
			if !named {
				r.options.Dims = append(r.options.Dims, n)
				continue
			}
			r.options.Names = map[string]int64{name: n}
		case "from":
			r.options.From, _ = notation.Find(value)
		case "foreign":
			r.foreign = true
		default:
			t.Fatalf("what is %s?", word)
		}
	}
	r.text = contents(t, r.name, text)
	for _, part := range parts[1:] {
		name, text, _ := strings.Cut(part, "\n")
		r.files[name] = &fstest.MapFile{Data: []byte(contents(t, name, text))}
	}
	return r
}

// contents returns the file that text describes. An ONNX model is in text form. The header of a .safetensors file is
// followed by the number of data bytes. In other files that begin with a backslash, \x.. is a byte.
func contents(t *testing.T, name, text string) string {
	switch {
	case strings.HasPrefix(text, "ir_version"):
		data, err := layouttest.ONNX(text)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	case path.Ext(name) == ".safetensors" && strings.HasPrefix(text, "{"):
		header, size, _ := strings.Cut(text, "\n")
		n, _ := strconv.Atoi(strings.TrimSpace(size))
		return string([]byte{byte(len(header)), byte(len(header) >> 8), 0, 0, 0, 0, 0, 0}) + header +
			strings.Repeat("\x00", n)
	case strings.HasPrefix(text, `\`):
		bytes, err := strconv.Unquote(`"` + text + `"`)
		if err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	return text
}

// source returns a file.
func (r *reading) source(name, text string) input.Source {
	return input.Source{Name: name, File: strings.NewReader(text), Size: int64(len(text)), Beside: r.files,
		Foreign: r.foreign}
}

// read reads the text.
func (r *reading) read() (in *input.Input, err error) {
	switch r.how {
	case "file":
		in, err = input.Read(r.source(r.name, r.text), r.options)
	case "stream":
		in, err = input.Read(input.Source{Name: r.name, Stream: iotest.HalfReader(strings.NewReader(r.text)),
			Foreign: r.foreign}, r.options)
	default:
		open := func(path string) (input.Source, func(), error) {
			if path == "-" {
				return input.Source{Name: "-", Stream: strings.NewReader("f32[2,3]{0,1}")}, func() {}, nil
			}
			f, err := r.files.Open(path)
			if err != nil {
				return input.Source{}, nil, &input.AbsentError{Err: err}
			}
			defer f.Close()
			data, err := io.ReadAll(f)
			if err != nil {
				return input.Source{}, nil, &fs.PathError{Op: "read", Path: path, Err: err}
			}
			return r.source(path, string(data)), func() {}, nil
		}
		args := strings.Split(r.text, "\n")
		var n int
		if in, n, err = input.Find(args, open, r.options); err == nil && n != len(args) {
			err = fmt.Errorf("%d of %d arguments", n, len(args))
		}
	}
	if r.how != "arguments" {
		err = in.Locate(err)
	}
	return in, err
}

// TestNames checks the formats that file names promise: k for a file that describes tensors, h for one with a header to
// read, c for a configuration, i for an index.
func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "a": "", "a.txt": "", "json": "", ".json": "k", "a.json": "k", "A.JSON": "k", "a.jsonc": "k",
		"a.jsonx": "",
		"a.yaml":  "k", "a.yml": "k", "a.jsonl": "k", "a.ndjson": "k", "a.npy": "kh", "d/a.npy": "kh", "a.npyx": "",
		"a.safetensors": "kh", "a.gguf": "kh", "a.onnx": "kh", "config.pbtxt": "k", "d/config.pbtxt": "k",
		"configs/a.pbtxt": "k", "d/configs/a.pbtxt": "k", "a.pbtxt": "", "b/a.pbtxt": "",
		"a.layoutcalc.yaml": "kc", "a.layoutcalc.yml": "kc", "a.layoutcalc.json": "kc", "A.LAYOUTCALC.JSON": "kc",
		".layoutcalc.yaml": "kc", "layoutcalc.yaml": "k", "a.layoutcalc.npy": "kh", "a.layoutcalc.yaml.txt": "",
		"m.safetensors.index.json": "ki", "m.safetensors.index.fp16.json": "ki", "safetensors.index.json": "k",
		"d/.safetensors.index.json": "ki", "m.safetensors.index.yaml": "k", "m.safetensors.index": "",
	} {
		have := ""
		for _, is := range []struct {
			letter string
			name   input.Naming
		}{{"k", input.KnownName}, {"h", input.HeaderName}, {"c", input.ConfigName}, {"i", input.IndexName}} {
			if input.NamingOf(name).Is(is.name) {
				have += is.letter
			}
		}
		if have != want {
			t.Errorf("%q: %q, want %q", name, have, want)
		}
	}
}
