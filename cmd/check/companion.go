package check

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"layoutcalc/cmd/files"
)

// companions finds the files to check instead of a companion, a file without descriptors that other files name: the
// data of an ONNX model, or the labels of a Triton model.
type companions struct {
	guard  *files.Guard
	listed map[string]bool // the directories that were listed, each with the ending of the names
}

// dataEndings are the endings that the data of an ONNX model adds to the name of the model. Data in several files also
// has _1 and so on after the ending.
var dataEndings = [...]string{"_data", ".data"}

// of returns the files to check instead of the companion at path. It returns false if path is not a companion. It
// returns the files of each directory once.
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
		if _, err := os.Lstat(c.guard.Path(dir + model)); err == nil {
			return []string{dir + model}, true
		}
		return c.in(dir, ".onnx"), true
	}
	if name != "labels.txt" {
		return nil, false
	}
	return slices.Concat(c.in(dir, ".pbtxt"), c.in(dir+"configs"+string(filepath.Separator), ".pbtxt")), true
}

// companion reports whether an argument is a companion, and takes the files that may name it.
func (r *run) companion(path string) bool {
	paths, ok := r.companions.of(path)
	before := len(r.outside)
	for _, named := range paths {
		r.list(&subject{path: named, dir: path}, map[string]linkBoundary{})
	}
	r.noteLinks(r.outside[before:], notFollowed)
	if ok && len(paths) == 0 {
		r.skip(path, "nothing beside it names it")
	}
	return ok
}

// in returns the paths of the files in dir that are named like inputs and end with ending.
func (c *companions) in(dir, ending string) (found []string) {
	if c.listed[dir+ending] {
		return nil
	}
	if c.listed == nil {
		c.listed = map[string]bool{}
	}
	c.listed[dir+ending] = true
	entries, _ := os.ReadDir(c.guard.Path(cmp.Or(dir, ".")))
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ending) && isKnownName(dir+e.Name()) {
			found = append(found, dir+e.Name())
		}
	}
	return found
}
