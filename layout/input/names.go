package input

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Patterns of the names of files that describe tensors, in lower case. A directory is searched for all of them but the
// last, which only says what a text is.
var (
	tensorNames = []string{"*.npy", "*.safetensors", "*.gguf"}
	modelNames  = []string{"*.onnx"}
	indexNames  = []string{"*.safetensors.index.json", "*.safetensors.index.*.json"} // index.fp16.json
	jsonNames   = []string{"*.json", "*.jsonc"}
	yamlNames   = []string{"*.yaml", "*.yml"}
	linesNames  = []string{"*.jsonl", "*.ndjson"}
	tritonNames = []string{"config.pbtxt", "configs/*.pbtxt"}
	pbtxtNames  = []string{"*.pbtxt"}
)

// ending is the length of the end of a pattern in which each byte stands for itself.
const ending = 4

// fits reports whether the name of a file fits one of some patterns, of which some have the name of a directory too.
func fits(name string, lists ...[]string) bool {
	if name == "" {
		return false // of an argument
	}
	name = strings.ToLower(filepath.ToSlash(name))
	file := path.Base(name)
	return slices.ContainsFunc(lists, func(patterns []string) bool {
		return slices.ContainsFunc(patterns, func(pattern string) bool {
			if len(file) < ending || file[len(file)-ending:] != pattern[len(pattern)-ending:] {
				return false // without going through the name
			}
			part := file
			if path.Base(pattern) != pattern {
				part = path.Base(path.Dir(name)) + "/" + file
			}
			is, err := path.Match(pattern, part)
			return is && err == nil
		})
	})
}

// IsKnownName reports whether a name is that of a file that describes tensors.
func IsKnownName(name string) bool {
	return fits(name, tensorNames, modelNames, indexNames, jsonNames, yamlNames, linesNames, tritonNames)
}

// IsHeaderName reports whether a name is that of a file of which the header is read.
func IsHeaderName(name string) bool { return fits(name, tensorNames, modelNames) }

// IsIndexName reports whether a name is that of an index of .safetensors files.
func IsIndexName(name string) bool { return fits(name, indexNames) }

// isTreeName reports whether a name is that of a text of JSON or YAML.
func isTreeName(name string) bool { return fits(name, jsonNames, yamlNames) }

// IsConfigName reports whether a file of that name must be a configuration of layoutcalc.
func IsConfigName(name string) bool {
	ending := filepath.Ext(name)
	return isTreeName(ending) && fits(name[:len(name)-len(ending)], []string{"*.layoutcalc"})
}
