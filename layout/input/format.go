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

// A format is a kind of file: the names that promise it, a test of its first bytes, and its reader. Only the table of
// formats decides the format of a file.
type format struct {
	name    string                      // in summaries and configurations
	what    string                      // a file of this format, in messages about inputs without tensors
	says    Naming                      // the format that these names promise
	endings []string                    // the endings of these names, in lower case
	of      layout.System               // the system that allocates the tensors of such files
	named   func(dir, file string) bool // also tests names, in lower case; nil if the ending is enough

	header func(kind string, s *Source) (*descriptor.File, error) // reads the header; nil for text formats
	// bytes returns how likely a file with these first bytes and this size is of the format; nil for text formats.
	bytes func(io.ReaderAt, int64) certainty
	text  func(start []byte) bool // tests the start of a text file; nil if that is not enough
	read  reader                  // reads a text file named by another file; nil for others
}

// A certainty is how certain it is that a file is of a format.
type certainty uint8

const (
	no certainty = iota
	maybe
	sure
)

// formats are the formats. If the start of an input matches several, the first counts.
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
	{name: "model", what: "a DxDispatch model", of: layout.DirectML, text: hasDispatchables},
	{
		name: "configuration", what: "a configuration of layoutcalc", of: layout.Others, says: ConfigName,
		endings: []string{".json", ".jsonc", ".yaml", ".yml"}, named: isConfigName, text: hasConfigKeys,
	},
	{name: "JSON Lines", says: linesName, endings: []string{".jsonl", ".ndjson"}},
	{name: "JSON", what: "a JSON document", says: jsonName, endings: []string{".json", ".jsonc"}, text: isJSON},
	{name: "YAML", what: "a YAML document", says: yamlName, endings: []string{".yaml", ".yml"}},
	{name: "protobuf", says: pbtxtName, endings: []string{".pbtxt"}},
}

// A Naming is the possible contents of a file, according to its name: a set of the bits below.
type Naming uint16

const (
	tensorName Naming = 1 << iota // a file of tensors
	modelName                     // an ONNX model
	IndexName                     // an index of .safetensors files
	jsonName                      // JSON
	yamlName                      // YAML
	linesName                     // JSON Lines
	tritonName                    // a Triton configuration at its usual path
	pbtxtName                     // a protobuf text file, which is not searched for in directories
	ConfigName                    // a configuration of layoutcalc
)

const (
	treeName   = jsonName | yamlName
	HeaderName = tensorName | modelName
	KnownName  = HeaderName | IndexName | treeName | linesName | tritonName
)

// Is reports whether n includes any bit of one.
func (n Naming) Is(one Naming) bool { return n&one != 0 }

// NamingOf returns the possible contents of a file by its name, ignoring case. It returns 0 for an argument.
func NamingOf(name string) (says Naming) {
	n := parseName(name)
	for i := range formats {
		if formats[i].promised(n) {
			says |= formats[i].says
		}
	}
	return says
}

// A fileName is the parts of a file name that promise a format, in lower case.
type fileName struct{ dir, file, ending string }

func parseName(name string) fileName {
	dir, file := path.Split(filepath.ToSlash(name))
	dir, file = strings.ToLower(path.Base(dir)), strings.ToLower(file)
	return fileName{dir, file, path.Ext(file)}
}

// systemOf returns the system that allocates the tensors of files with the format that a name promises, or
// layout.Others for other names.
func systemOf(name string) layout.System {
	for i := range formats {
		if formats[i].name == name {
			return formats[i].of
		}
	}
	return layout.Others
}

// promised reports whether a file name promises the format.
func (f *format) promised(n fileName) bool {
	return slices.Contains(f.endings, n.ending) && (f.named == nil || f.named(n.dir, n.file))
}

// isTritonName reports whether the name is usual for a Triton configuration: config.pbtxt, or any name in a directory
// configs.
func isTritonName(dir, file string) bool { return file == "config.pbtxt" || dir == "configs" }

// isIndexName reports whether the name is usual for an index. The index of a variant is
// model.safetensors.index.fp16.json.
func isIndexName(_, file string) bool { return strings.Contains(file, ".safetensors.index.") }

// isConfigName reports whether the name is usual for a layoutcalc configuration: model.layoutcalc.yaml.
func isConfigName(_, file string) bool {
	return path.Ext(strings.TrimSuffix(file, path.Ext(file))) == ".layoutcalc"
}

// HeaderFormat returns the name of the format of a file with a header, as determined by headerFormat, or an empty
// string for other files.
func HeaderFormat(name string, file io.ReaderAt, size int64) string {
	if f := headerFormat(name, file, size); f != nil {
		return f.name
	}
	return ""
}

// headerName returns the name of the format with a header that a file name promises. It returns an empty string if the
// name promises no such format.
func headerName(name string) string {
	n := parseName(name)
	for i := range formats {
		if f := &formats[i]; f.bytes != nil && f.promised(n) {
			return f.name
		}
	}
	return ""
}

// headerFormat returns the format of a file with a header. Its first bytes decide if they are certain, then its name,
// and then bytes that are only possible. It returns nil for other files.
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

// readHeader reads the header of a file. It reports a name that promises another format, because other programs use the
// name to select the reader.
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

// textFormat returns the format of a text file that another file names, according to its name or its first bytes. It
// returns nil if such a file is not read.
func textFormat(name string, start []byte) *format {
	n := parseName(name)
	for i := range formats {
		if f := &formats[i]; f.read != nil && (f.promised(n) || f.text(start)) {
			return f
		}
	}
	return nil
}

// describe describes a file without tensors, according to its first bytes or otherwise its name.
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

// isModel tests first bytes for an ONNX model. For a stream, only the first bytes are available, and the size is
// unknown, so it tests only the version of the format and the field after it.
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

// isJSON reports whether start, the first bytes of an input, is the start of JSON.
func isJSON(start []byte) bool {
	text := blankless(start)
	return len(text) > 0 && isAny(text[0], "{[")
}

// hasDispatchables reports whether text has the list of operators of a DxDispatch model.
func hasDispatchables(text []byte) bool { return hasKey(text, "dispatchables", true) }
