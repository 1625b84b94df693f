package inspect

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Companions are files without descriptors that others name: the data of an ONNX model, or the labels of a model of
// Triton. They are checked with the files that may name them.
type companions struct {
	program Program
	listed  map[string]bool // directories, each with the ending of the names that were looked for
}

// dataEndings are how the name of the data of an ONNX model ends, after the name of the model. Data in several files
// has _1 and so on behind that.
var dataEndings = [...]string{"_data", ".data"}

// of returns the files to check in place of a companion; ok is false if the file is none. The files of a directory are
// returned once.
func (c *companions) of(path string) (named []string, ok bool) {
	dir, name := filepath.Split(path)
	data, isNumbered := strings.CutSuffix(strings.TrimRight(name, "0123456789"), "_")
	if !isNumbered {
		data = name
	}
	for _, ending := range dataEndings {
		model, isData := strings.CutSuffix(data, ending)
		if !isData || !strings.HasSuffix(model, ".onnx") {
			continue
		}
		if _, err := os.Lstat(c.program.Path(dir + model)); err == nil {
			return []string{dir + model}, true
		}
		return c.in(dir, ".onnx"), true
	}
	if name != "labels.txt" {
		return nil, false
	}
	return slices.Concat(c.in(dir, ".pbtxt"), c.in(dir+"configs"+string(filepath.Separator), ".pbtxt")), true
}

// companion takes the files that may name a file of the arguments, if that is a companion.
func (r *run) companion(path string) bool {
	paths, ok := r.companions.of(path)
	before := len(r.outside)
	for _, named := range paths {
		r.list(&subject{path: named, dir: path}, map[string]fence{})
	}
	r.noteLinks(r.outside[before:], leadOut)
	if ok && len(paths) == 0 {
		r.skip(path, "nothing beside it names it")
	}
	return ok
}

// in returns the paths of the files in a directory whose names end so and are those of inputs.
func (c *companions) in(dir, ending string) (found []string) {
	if c.listed[dir+ending] {
		return nil
	}
	if c.listed == nil {
		c.listed = map[string]bool{}
	}
	c.listed[dir+ending] = true
	entries, _ := os.ReadDir(c.program.Path(cmp.Or(dir, ".")))
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ending) && isKnownName(dir+e.Name()) {
			found = append(found, dir+e.Name())
		}
	}
	return found
}
