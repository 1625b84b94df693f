package input

import (
	"cmp"
	"errors"
	"io/fs"
	"iter"
	"path"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/expect"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/project"
	"layoutcalc/layout/wording"
)

// maxVisited limits the files and directories that are compared with the patterns of a document.
const maxVisited = 1_000_000

// Files returns the paths of the files in or below the directory of the document that match a pattern. It skips hidden
// files and directories, and does not follow links to directories.
func (a *artefacts) Files(pattern string) (paths []string, err error) {
	p, err := project.ParsePattern(pattern)
	switch {
	case err != nil:
		return nil, err
	case p.IsNegative() || p.IsDirectory():
		return nil, lexer.Refuse("such as models/*.onnx", "a pattern of files does not start with ! or end with /")
	case a.source.Beside == nil:
		return []string{pattern}, nil // Tensor and Facts report why it is not found
	case a.matches[pattern] != nil:
		return a.matches[pattern], nil
	}
	var walk func(dir fs.FS, at string) error
	walk = func(dir fs.FS, at string) error {
		entries, err := fs.ReadDir(dir, ".")
		for _, e := range entries {
			name := path.Join(at, e.Name())
			if a.visited++; a.visited > maxVisited {
				return lexer.Refuse("start the pattern with a directory",
					"more than %d files and directories are looked at to find files", maxVisited)
			}
			switch isDir := e.IsDir(); {
			case e.Name()[0] == '.':
			case isDir && p.Enters(name, &a.work):
				sub, err := fs.Sub(dir, e.Name())
				if err == nil {
					err = walk(sub, name)
				}
				if err != nil {
					return err
				}
			case !isDir && p.Matches(name, false, &a.work):
				paths = append(paths, name)
			}
		}
		if err != nil {
			return lexer.Refuse("", "a directory below that of the configuration is not searched: %s",
				wording.Unreadable(err))
		}
		return nil
	}
	if err = walk(a.source.Beside, ""); err == nil && paths != nil {
		if a.matches == nil {
			a.matches = map[string][]string{}
		}
		a.matches[pattern] = paths
	}
	return paths, err
}

// Names yields the names of the tensors in a file, which may be an index.
func (a *artefacts) Names(file string) iter.Seq[string] {
	f, _, missing := a.named(file)
	switch {
	case missing.Message != "":
		return func(func(string) bool) {}
	case f.in.Kind == Index:
		return f.in.shards.Names
	}
	return f.names
}

// names yields the names of the tensors in the file, and of the inputs and outputs of a model.
func (f *artefact) names(yield func(string) bool) {
	list := f.in.Files[0]
	for i := range list.Len() {
		if name := list.At(i).Name; name != "" && !yield(name) {
			return
		}
	}
	for v := range f.in.values {
		if !yield(v.Name) {
			return
		}
	}
}

// Facts returns the properties of a file. If the file is not a tensor file, properties that only tensor files have are
// missing, with the reason.
func (a *artefacts) Facts(file string) (*expect.Facts, finding.Finding) {
	f, clean, missing := a.named(file)
	switch {
	case f == nil || f.missing:
		return nil, missing
	case f.facts != nil:
		return f.facts, finding.Finding{}
	}
	part, end, err := a.source.beside(clean)
	if err != nil {
		return nil, refuse(finding.Syntax, "", "the file %v", err).Missing
	}
	defer end()
	f.facts = &expect.Facts{Unread: missing, Numbers: map[string]int64{"bytes": cmp.Or(f.stands(), part.Size)}}
	if missing.Message == "" {
		if err = f.sum(&part); err != nil {
			f.facts.Unread = refuse(finding.Syntax, "", "%v", err).Missing
		}
	}
	return f.facts, finding.Finding{}
}

// sum adds the sums over the tensors, and the properties of a model, to the facts.
func (f *artefact) sum(s *Source) (err error) {
	x, sums := f.facts, new(layout.Sums)
	switch {
	case f.in.Kind != Index:
		x.Kind = f.in.Files[0].Kind
		err = addFile(sums, f.in.Files[0])
	default:
		x.Kind = "an index"
		if err = f.in.addShards(sums); err == nil {
			list := f.in.Files[0].Findings
			i := slices.IndexFunc(list, func(f finding.Finding) bool { return f.Severity == finding.Error })
			if i >= 0 {
				err = errors.New(list[i].Message)
			}
		}
	}
	if err == nil && x.Kind == "onnx" {
		err = addModel(x, s)
	}
	if err != nil {
		return err
	}
	if x.Numbers["parameters"] = sums.All.Elements; sums.All.Unknown == 0 {
		x.Numbers["tensorBytes"] = sums.All.Bytes
	}
	return nil
}

// addModel adds the properties of an ONNX model to facts.
func addModel(x *expect.Facts, s *Source) error {
	m, err := s.Model()
	if err != nil {
		return err
	}
	list, ok := m.Operators()
	if !ok || m.Fault() != "" {
		return errors.New("the model cannot be read to its end")
	}
	x.Names = map[string][]string{"operators": nil, "domains": nil, "inputs": nil, "outputs": nil}
	add := func(key, name string) { x.Names[key] = append(x.Names[key], name) }
	for _, op := range list {
		domain := cmp.Or(op.Domain, expect.OwnDomain)
		add("operators", domain+":"+op.Name)
		if !slices.Contains(x.Names["domains"], domain) {
			add("domains", domain)
		}
	}
	for _, v := range m.Graph.Fed() {
		add("inputs", v.Name)
	}
	for _, v := range m.Graph.Outputs {
		add("outputs", v.Name)
	}
	x.Numbers["irVersion"], x.Numbers["externalData"] = m.IRVersion, int64(m.Externals())
	for _, o := range m.Opsets {
		x.Numbers["opset "+cmp.Or(o.Domain, expect.OwnDomain)] = o.Version
	}
	return nil
}
