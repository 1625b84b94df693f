package manifest

import (
	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/expect"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
)

// A place is a tensor in a file, as a configuration names it.
type place struct {
	file, tensor string
	suffix       string // distinguishes the tensors of an entry with patterns
}

// findPlaces returns the places of a tensor: one, or all that match its patterns.
func (r *configReader) findPlaces(v doctree.Value, seen *parts) {
	file, tensor := seen[descriptor.FilePart], seen[descriptor.TensorPart]
	path, name := "", ""
	if file.Exists() {
		path = r.text(file, "the path of a file")
	}
	if tensor.Exists() {
		name = r.text(tensor, "the name of a tensor")
	}
	if r.artefacts == nil || !file.Exists() || !r.ok {
		r.places = append(r.places[:0], place{file: path, tensor: name})
		return
	}
	list := r.places[:0]
	for _, of := range r.files(path, file, v) {
		if len(list) > MaxTensors {
			break // the tensors report it
		}
		p := place{file: of, tensor: name}
		if of != path {
			p.suffix = "[" + of + "]"
		}
		names := []string(nil)
		if lexer.IsGlob(name) {
			names = r.namesLike(name, of, tensor)
		}
		if names == nil {
			list = append(list, p)
		}
		for _, p.tensor = range names[:min(len(names), MaxTensors+1-len(list))] {
			if p.suffix = "[" + p.tensor + "]"; of != path {
				p.suffix = "[" + of + ":" + p.tensor + "]"
			}
			list = append(list, p)
		}
	}
	r.places = list
}

// files returns the file at a path, or the files that match a pattern. If no file matches, it reports this for the
// entry.
func (r *configReader) files(path string, at, of doctree.Value) []string {
	if r.artefacts == nil || !lexer.IsGlob(path) {
		return []string{path}
	}
	list, err := r.artefacts.Files(path)
	var locator finding.Locator = at
	if at == r.defaults[descriptor.FilePart] {
		locator = keyLocator{of}
	}
	switch {
	case err != nil:
		r.wrong(descriptor.ConfigValue, locator, layout.HintOf(err), "%s", err)
	case len(list) == 0:
		r.wrong(expect.ArtefactMissing, locator, "", "no file has a path like %s", quote(path))
	}
	return list
}

// namesLike returns the names of the tensors in a file that match a pattern. If a tensor has the pattern as its name,
// it returns only that name. It returns nil if no tensor matches.
func (r *configReader) namesLike(pattern, file string, at doctree.Value) (list []string) {
	for name := range r.artefacts.Names(file) {
		if name == pattern {
			return []string{name}
		}
		if r.isLike(pattern, name) {
			list = append(list, name)
		}
		if r.compared > maxCompared {
			break
		}
	}
	if !r.hasCompared(at) {
		return []string{}
	}
	return list
}
