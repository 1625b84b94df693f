package check

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"layoutcalc/layout/input"
	"layoutcalc/layout/project"
)

// expand replaces each pattern in args with the paths that it matches, in order, because the shells of Windows do not:
// * and ? match neither a slash nor the dot of a hidden name, and ** matches directories of any depth. It keeps
// arguments that are paths, describe tensors or match nothing.
func (r *run) expand(args []string) (all []string) {
	for _, arg := range args {
		var found []string
		if _, err := os.Lstat(r.Guard.Path(arg)); err != nil && (isKnownName(arg) || !input.Recognises(arg)) {
			found = r.matches(arg)
		}
		if found == nil {
			found = []string{arg}
		}
		all = append(all, found...)
	}
	return all
}

// matches returns the paths that match the pattern in text.
func (r *run) matches(text string) (found []string) {
	volume := filepath.VolumeName(text)
	below := filepath.ToSlash(text[len(volume):])
	wild := strings.IndexAny(below, "*?[")
	if wild < 0 {
		return nil
	}
	start := strings.LastIndexByte(below[:wild], '/') + 1
	dir, below := volume+filepath.FromSlash(below[:start]), below[start:] // after \\?\ a slash is not a separator
	pattern, err := project.ParsePattern("/" + below)
	if err != nil {
		return nil
	}
	list := project.NewList([]project.Pattern{pattern})
	if r.Windows {
		list = list.Folded()
	}
	depth, isDeep := strings.Count(strings.TrimSuffix(below, "/"), "/"), strings.Contains(below, "**")
	if dir == volume {
		dir += "."
	}
	root := r.Guard.Path(dir)
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		rel, outside := filepath.Rel(root, path)
		if rel == "." || err != nil || outside != nil {
			return nil // a directory that cannot be read has no paths
		}
		skip := error(nil)
		if d.IsDir() {
			skip = fs.SkipDir
		}
		path, rel = filepath.Join(dir, rel), filepath.ToSlash(rel)
		if strings.HasPrefix(d.Name(), ".") && !strings.Contains("/"+below, "/.") {
			return skip
		}
		r.work.Paths++
		if matched, _ := list.Excludes(rel, d.IsDir(), &r.work); matched {
			found = append(found, filepath.Join(volume, path[len(volume):]))
			return skip
		}
		if !isDeep && strings.Count(rel, "/") >= depth {
			return skip
		}
		return nil
	})
	return found
}
