package input

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

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

// extensions are those of the names of files that describe tensors.
var extensions = map[string]Naming{
	".json": jsonName, ".yaml": yamlName, ".yml": yamlName, ".safetensors": tensorName, ".npy": tensorName,
	".gguf": tensorName, ".onnx": modelName, ".jsonl": linesName, ".ndjson": linesName, ".jsonc": jsonName,
	".pbtxt": pbtxtName,
}

// NamingOf returns what the name of a file says, in letters of any case; nothing for an argument.
func NamingOf(name string) (says Naming) {
	name = filepath.ToSlash(name)
	file := strings.ToLower(path.Base(name))
	extension := path.Ext(file)
	says = extensions[extension]
	switch {
	case says&treeName != 0 && path.Ext(file[:len(file)-len(extension)]) == ".layoutcalc":
		says |= ConfigName
	case extension == ".json" && strings.Contains(file, ".safetensors.index."): // or, of a variant, index.fp16.json
		says |= IndexName
	case says == pbtxtName && (file == "config"+extension || strings.ToLower(path.Base(path.Dir(name))) == "configs"):
		says |= tritonName
	}
	return says
}

// formats are the endings of names that promise a file of the kind of that name, which its bytes tell.
var formats = [...]string{"npy", "safetensors", "gguf", "onnx"}

// OtherFormat returns the kind of file that the name of a file of some kind promises, if it is another one.
func OtherFormat(name, kind string) string {
	promised := strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")
	if promised == kind || !slices.Contains(formats[:], promised) || !slices.Contains(formats[:], kind) {
		return ""
	}
	return promised
}

// Is reports whether a name says one of some things.
func (n Naming) Is(one Naming) bool { return n&one != 0 }
