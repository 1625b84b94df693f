package check

import (
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/input"
	"layoutcalc/layout/tensorfile"
)

// markSets marks the first input of each set of tensor files.
func (r *run) markSets() {
	type setOf struct {
		dir  string
		name tensorfile.SetName
	}
	seen := map[setOf]bool{}
	for _, in := range r.found {
		if name, _, ok := tensorfile.ParseSetName(filepath.Base(in.path)); ok && !in.stdin && in.hidden == 0 {
			of := setOf{r.here.absolute(filepath.Dir(in.path)), name}
			in.leadsSet, seen[of] = !seen[of], true
		}
	}
}

// A setsIn holds the sets of tensor files in a directory.
type setsIn struct {
	parts   map[tensorfile.SetName][]tensorfile.SetPart
	indexed bool // the directory has an index
}

// set checks the set that the file belongs to if it is the first file of the set, and the name of a file without one.
func (k *fileCheck) set(f *descriptor.File) {
	name, no, ok := tensorfile.ParseSetName(filepath.Base(k.path))
	switch {
	case k.stdin:
		return
	case !ok:
		tensorfile.JudgeName(k.checker.Reporter, k.path, f)
		return
	case !k.leadsSet:
		return
	}
	beside := k.run.Guard.Beside(k.path)
	once, _ := k.run.sets.LoadOrStore(k.run.here.absolute(filepath.Dir(k.path)), sync.OnceValue(func() setsIn {
		return findSets(beside)
	}))
	in := once.(func() setsIn)()
	if in.parts[name] == nil {
		return // the directory cannot be read
	}
	set := tensorfile.Set{SetName: name, Parts: slices.Clone(in.parts[name]), Indexed: in.indexed}
	for i := range set.Parts {
		p := &set.Parts[i]
		var other *descriptor.File
		switch {
		case p.No == no:
			other = f
		case f.Split != (descriptor.Split{}):
			other = header(beside, p.Name, name.Ending)
		}
		if p.Read = other != nil && other.Kind == f.Kind; p.Read {
			p.Split = other.Split
			for i := range other.Len() {
				p.Names = append(p.Names, other.At(i).Name)
			}
		}
	}
	set.Judge(k.checker.Reporter)
}

// findSets returns the sets in a directory. It ignores links to targets that do not exist.
func findSets(dir fs.FS) setsIn {
	entries, _ := fs.ReadDir(dir, ".")
	var names []string
	indexed := false
	for _, e := range entries {
		indexed = indexed || input.NamingOf(e.Name()).Is(input.IndexName)
		if e.Type()&fs.ModeSymlink != 0 {
			if _, err := fs.Stat(dir, e.Name()); err != nil {
				continue
			}
		}
		names = append(names, e.Name())
	}
	return setsIn{tensorfile.Sets(names), indexed}
}

// header returns the header of a tensor file of a set, or nil if it cannot be read.
func header(dir fs.FS, name, ending string) *descriptor.File {
	file, err := dir.Open(name)
	if err != nil {
		return nil
	}
	defer file.Close()
	info, err := file.Stat()
	in, ok := file.(io.ReaderAt)
	if err != nil || !ok {
		return nil
	}
	f, _ := tensorfile.Read(strings.TrimPrefix(ending, "."), in, info.Size())
	return f
}
