package input

import (
	"fmt"
	"io"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/onnx"
	"layoutcalc/layout/tensorfile"
	"layoutcalc/layout/triton"
)

// A format is a kind of file: what names promise it, how its first bytes tell it, and what reads it. What a file is, is
// decided by the table of formats alone.
type format struct {
	name    string                      // in summaries and configurations
	what    string                      // a file of it, in messages about texts without tensors
	says    Naming                      // of names that promise it
	endings []string                    // of such names, in lower case
	of      layout.System               // that allocates tensors of its files
	named   func(dir, file string) bool // tells them apart, in lower case; nil where the ending is enough

	header func(kind string, s *Source) (*descriptor.File, error) // reads the header; nil for texts
	// bytes says how sure the first bytes of a file of some size are; nil for texts.
	bytes func(io.ReaderAt, int64) certainty
	text  func(start []byte) bool // of the start of a text; nil where that does not tell
	read  reader                  // reads a text that another file may name; nil for others
}

// A certainty is how sure it is that a file is of a format.
type certainty uint8

const (
	no certainty = iota
	maybe
	sure
)

// formats are the formats. Where the bytes of a text tell several, the first of them counts.
var formats = [...]format{
	{
		name: "npy", of: layout.NumPy, says: tensorName, endings: []string{".npy"},
		header: tensorFile, bytes: isTensorFile("npy"),
	},
	{
		name: "safetensors", of: layout.Safetensors, says: tensorName, endings: []string{".safetensors"},
		header: tensorFile, bytes: isTensorFile("safetensors"),
	},
	{
		name: "gguf", of: layout.GGUF, says: tensorName, endings: []string{".gguf"},
		header: tensorFile, bytes: isTensorFile("gguf"),
	},
	{
		name: "onnx", of: layout.ONNX, says: modelName, endings: []string{".onnx"},
		header: modelFile, bytes: isModel,
	},
	{name: "npz", of: layout.NumPy, endings: []string{".npz"}, header: tensorFile},
	{
		name: "triton", of: layout.Triton, says: tritonName, endings: []string{".pbtxt"}, named: isTritonName,
		text: triton.Is, read: (*candidate).readTriton,
	},
	{
		name: "index", of: layout.Safetensors, says: IndexName, endings: []string{".json"}, named: isIndexName,
		text: isIndex, read: (*candidate).readIndex,
	},
	{name: "model", what: "a model of DxDispatch", of: layout.DirectML, text: hasDispatchables},
	{
		name: "configuration", what: "a configuration of layoutcalc", of: layout.Others, says: ConfigName,
		endings: []string{".json", ".jsonc", ".yaml", ".yml"}, named: isConfigName, text: hasConfigKeys,
	},
	{name: "JSON Lines", says: linesName, endings: []string{".jsonl", ".ndjson"}},
	{name: "JSON", what: "a JSON document", says: jsonName, endings: []string{".json", ".jsonc"}, text: isJSON},
	{name: "YAML", what: "a YAML document", says: yamlName, endings: []string{".yaml", ".yml"}},
	{name: "protobuf", says: pbtxtName, endings: []string{".pbtxt"}},
}

// A Naming is the contents of a file by its name: a set of the bits below.
type Naming uint16

const (
	tensorName Naming = 1 << iota // a file of tensors
	modelName                     // an ONNX model
	IndexName                     // an index of .safetensors files
	jsonName                      // a text of JSON
	yamlName                      // a text of YAML
	linesName                     // JSON Lines
	tritonName                    // a configuration of Triton in its place
	pbtxtName                     // a text of protobuf; a directory is not searched for it
	ConfigName                    // a configuration of layoutcalc
)

const (
	treeName   = jsonName | yamlName
	HeaderName = tensorName | modelName
	KnownName  = HeaderName | IndexName | treeName | linesName | tritonName
)

// Is reports whether a name says one of some things.
func (n Naming) Is(one Naming) bool { return n&one != 0 }

// NamingOf returns what the name of a file says, in letters of any case; nothing for an argument.
func NamingOf(name string) (says Naming) {
	n := parseName(name)
	for i := range formats {
		if formats[i].promised(n) {
			says |= formats[i].says
		}
	}
	return says
}

// A fileName is the parts of the name of a file that promise a format, in lower case.
type fileName struct{ dir, file, ending string }

func parseName(name string) fileName {
	dir, file := path.Split(filepath.ToSlash(name))
	dir, file = strings.ToLower(path.Base(dir)), strings.ToLower(file)
	return fileName{dir, file, path.Ext(file)}
}

// systemOf returns the system that allocates tensors of files in the format of a name, layout.Others for other names.
func systemOf(name string) layout.System {
	for i := range formats {
		if formats[i].name == name {
			return formats[i].of
		}
	}
	return layout.Others
}

// promised reports whether the name of a file promises the format.
func (f *format) promised(n fileName) bool {
	return slices.Contains(f.endings, n.ending) && (f.named == nil || f.named(n.dir, n.file))
}

// isTritonName reports whether a configuration of Triton has such a name: config.pbtxt, or any in a directory configs.
func isTritonName(dir, file string) bool { return file == "config.pbtxt" || dir == "configs" }

// isIndexName reports whether an index has such a name. That of a variant is model.safetensors.index.fp16.json.
func isIndexName(_, file string) bool { return strings.Contains(file, ".safetensors.index.") }

// isConfigName reports whether a configuration of layoutcalc has such a name: model.layoutcalc.yaml.
func isConfigName(_, file string) bool {
	return path.Ext(strings.TrimSuffix(file, path.Ext(file))) == ".layoutcalc"
}

// HeaderFormat returns the name of the format of a file that has a header, as headerFormat does; empty for other files.
func HeaderFormat(name string, file io.ReaderAt, size int64) string {
	if f := headerFormat(name, file, size); f != nil {
		return f.name
	}
	return ""
}

// headerName returns the name of the format with a header that the name of a file promises; empty for none.
func headerName(name string) string {
	n := parseName(name)
	for i := range formats {
		if f := &formats[i]; f.bytes != nil && f.promised(n) {
			return f.name
		}
	}
	return ""
}

// headerFormat returns the format of a file that has a header: by its first bytes if they are sure, by its name, or by
// bytes that it may begin with. It returns nil for other files.
func headerFormat(name string, file io.ReaderAt, size int64) *format {
	n := parseName(name)
	var likely *format
	for i := range formats {
		f := &formats[i]
		if f.bytes == nil {
			continue
		}
		switch f.bytes(file, size) {
		case sure:
			return f
		case maybe:
			likely = f
		}
	}
	for i := range formats {
		if f := &formats[i]; f.header != nil && f.promised(n) {
			return f
		}
	}
	return likely
}

// readHeader reads the header of a file that has one. A name that promises another format is reported, for readers go
// by the name.
func (f *format) readHeader(s *Source) (*descriptor.File, error) {
	file, err := f.header(f.name, s)
	if err != nil {
		return nil, err
	}
	explain(file, s)
	if promised := headerName(s.Name); promised != "" && promised != file.Kind {
		file.Findings = append([]finding.Finding{{
			Rule: tensorfile.FileFormat, Severity: finding.Error,
			Message: fmt.Sprintf("the name promises .%s, and the file is .%s: readers go by the name", promised,
				file.Kind),
			Fix: "name it ." + file.Kind + ", or write it as ." + promised,
		}}, file.Findings...)
	}
	return file, nil
}

// HasHeader reports whether the source is a regular file with a header.
func (s *Source) HasHeader() bool {
	return s.File != nil && headerFormat(s.Name, s.File, s.Size) != nil
}

// textFormat returns the format of a text that another file names and that is read then: by its name, or by its start.
// It returns nil for other texts.
func textFormat(name string, start []byte) *format {
	n := parseName(name)
	for i := range formats {
		if f := &formats[i]; f.read != nil && (f.promised(n) || f.text(start)) {
			return f
		}
	}
	return nil
}

// describe describes a file without tensors by its first bytes or else by its name.
func describe(name string, start []byte) string {
	switch {
	case len(blankless(start)) == 0:
		return "a blank file"
	case !isText(start):
		return "a file of another kind"
	}
	n := parseName(name)
	for i := range formats {
		if f := &formats[i]; f.what != "" && (f.text != nil && f.text(start) || f.text == nil && f.promised(n)) {
			return f.what
		}
	}
	return "a text"
}

// isTensorFile returns the test of first bytes for a format of package tensorfile.
func isTensorFile(kind string) func(io.ReaderAt, int64) certainty {
	return func(in io.ReaderAt, size int64) certainty {
		if tensorfile.KindOf(in, size) == kind {
			return sure
		}
		return no
	}
}

// isModel is the test of first bytes for ONNX models. Of a stream only the first bytes are there, and its size is not
// known: the version of the format, and what may be after it.
func isModel(in io.ReaderAt, size int64) certainty {
	if size != math.MaxInt64 {
		if onnx.Is(in, size) {
			return sure
		}
		return no
	}
	start := startOf(in, 3)
	if len(start) == 3 && start[0] == 0x08 && start[1] < 0x20 && isAny(start[2], "\x12\x1A\x22\x28\x32\x3A\x42") {
		return maybe
	}
	return no
}

// isJSON reports whether a text begins like one of JSON.
func isJSON(start []byte) bool {
	text := blankless(start)
	return len(text) > 0 && isAny(text[0], "{[")
}

// hasDispatchables reports whether a text has the list of operators of a model of DxDispatch.
func hasDispatchables(text []byte) bool { return hasKey(text, "dispatchables", true) }
