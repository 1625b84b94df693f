package input

import (
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/expect"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/project"
	"layoutcalc/layout/tensorfile"
	"layoutcalc/layout/wording"
)

// An artefacts finds tensors in the files that a document names. It reads a file once, unless there are too many
// tensors to keep.
type artefacts struct {
	source  *Source
	files   map[string]*artefact // by path
	kept    int                  // the number of tensors in all of them
	matches map[string][]string  // the paths that match a pattern
	work    project.Work         // the work of matching patterns
	visited int                  // files and directories that were compared with patterns
	speller wording.Speller
}

// An artefact is a file that a document names.
type artefact struct {
	in      *Input
	err     error         // why it cannot be read
	missing bool          // it does not exist
	facts   *expect.Facts // nil until they are needed
	tensors map[string]*descriptor.Descriptor
	found   map[string][]finding.Finding // by the name of a tensor, or empty for the file
}

const maxKept = 400_000 // tensors in files

// refuse returns an artefact with the reason why a tensor is not found, as a violation of the rule.
func refuse(rule *finding.Rule, fix, format string, args ...any) expect.Artefact {
	missing := finding.Finding{Rule: rule, Fix: fix, Message: fmt.Sprintf(format, args...)}
	return expect.Artefact{OfName: rule == expect.ArtefactTensor, Missing: missing}
}

// Root changes the directory that paths are relative to.
func (a *artefacts) Root(dir string) (why, fix string) {
	if a.source.Around == nil {
		return "root is a directory of a repository, and is looked at by check only", "check FILE"
	}
	files, err := a.source.Around(dir)
	if err != nil {
		return err.Error(), layout.HintOf(err)
	}
	moved := *a.source
	moved.Beside, moved.Name = files, path.Join(a.source.directory(), dir)+"/"
	*a = artefacts{source: &moved}
	return "", ""
}

// Tensor returns a tensor of a file, which may be an index of several files.
func (a *artefacts) Tensor(file, tensor string) (found expect.Artefact) {
	f, clean, missing := a.named(file)
	switch {
	case missing.Message != "":
		return expect.Artefact{Missing: missing, Bytes: f.stands()}
	case f.in.Kind == Index:
		return a.inIndex(f.in.shards, clean, tensor)
	}
	return f.tensor(tensor, &a.speller)
}

// named opens the file at a path, and cleans the path. The finding states why it cannot be read.
func (a *artefacts) named(file string) (f *artefact, clean string, missing finding.Finding) {
	clean, why := tensorfile.CheckPath(file)
	var found expect.Artefact
	switch {
	case why != "":
		const fix = "a path below the directory of the configuration; root: .. moves it"
		found = refuse(expect.ArtefactMissing, fix, "%s", why)
	case a.source.Beside == nil:
		found = refuse(expect.ArtefactMissing, "name the file of the configuration",
			"the configuration was read from a stream: its files cannot be looked for")
	default:
		f = a.open(clean)
		var other *tensorfile.Substitute
		switch {
		case f.missing:
			found = refuse(expect.ArtefactMissing, "", "the file %v", f.err)
		case errors.As(f.err, &other):
			found = refuse(other.Rule, other.Hint, "%s", other.Msg)
		case f.err != nil:
			found = refuse(finding.Syntax, "", "%v", f.err)
		}
	}
	return f, clean, found.Missing
}

// stands returns the size of the file that a pointer file stands for, or 0 if f is not a pointer or the size is
// unknown.
func (f *artefact) stands() int64 {
	var other *tensorfile.Substitute
	if f == nil || !errors.As(f.err, &other) {
		return 0
	}
	return other.Bytes
}

// inIndex returns a tensor from the shard that an index names for it.
func (a *artefacts) inIndex(x *tensorfile.Index, file, tensor string) expect.Artefact {
	shard, ok := x.Find(tensor)
	switch {
	case tensor == "":
		return refuse(expect.ArtefactTensor, "tensor: NAME", "the index names %s", wording.Count(x.Len(), "tensor"))
	case !ok:
		return refuse(expect.ArtefactTensor, meant(tensor, x.Names, x.Len(), &a.speller),
			"the index does not name the tensor %s", wording.Quote(tensor))
	case shard.Path == "":
		return refuse(expect.ArtefactMissing, "", "the index has the tensor in %s, which is not opened",
			wording.Quote(shard.Name))
	}
	of := path.Join(path.Dir(file), shard.Path)
	if f := a.open(of); f.err == nil && f.in.Kind == Index {
		return refuse(expect.ArtefactMissing, "", "the index names another index")
	}
	found := a.Tensor(of, tensor)
	if found.Missing.Message != "" {
		found.Missing.Message = wording.Quote(shard.Name) + ", which the index names: " + found.Missing.Message
	}
	return found
}

// open reads a file, or returns it if it has been read before.
func (a *artefacts) open(name string) *artefact {
	if f := a.files[name]; f != nil {
		return f
	}
	f := new(artefact)
	f.in, f.missing, f.err = a.source.readNamed(name)
	if f.err == nil && len(f.in.Files) > 0 {
		list := f.in.Files[0]
		f.tensors = make(map[string]*descriptor.Descriptor, list.Len())
		for i := range list.Len() {
			d := list.At(i)
			f.tensors[d.Name] = &d
		}
		for v := range f.in.values {
			if f.tensors[v.Name] = v; v.TypeName == "TYPE_STRING" { // from Triton
				v.TypeName, v.TypeJudged = "STRING", true
			}
		}
		f.found = map[string][]finding.Finding{}
		for _, w := range list.Findings {
			if w.Severity == finding.Error || w.Rule == tensorfile.FileOrder || w.Rule == tensorfile.FileType {
				f.found[w.Tensor] = append(f.found[w.Tensor], w)
			}
		}
	}
	if a.kept += len(f.tensors); a.files == nil || a.kept > maxKept {
		a.files, a.kept = map[string]*artefact{}, len(f.tensors)
	}
	a.files[name] = f
	return f
}

// readNamed reads a tensor file, a model, an index or a Triton configuration that another file names, according to its
// name and its first bytes. It does not read other documents, because they could name files again.
func (s *Source) readNamed(name string) (in *Input, missing bool, err error) {
	part, end, err := s.beside(name)
	if err != nil {
		var other *tensorfile.Substitute
		return nil, !errors.As(err, &other), err
	}
	defer end()
	c := newCandidate(part, Options{})
	start := startOf(c.source.File, min(part.Size, 64<<10))
	other := tensorfile.FindSubstitute(c.source.File, part.Size, false)
	read := c.header()
	if c.own != nil && headerFormat("", c.source.File, part.Size) != nil {
		read = c.own
	}
	format := textFormat(part.Name, start)
	switch {
	case read != nil:
		return c.Input, false, read(c)
	case c.own != nil: // only its name promises a header
	case other != nil:
		return nil, false, other
	case part.Size > maxIndex:
		return nil, false, tooLong(maxIndex)
	case format != nil:
		part.Turn.Take(8 * part.Size)
		return c.Input, false, c.readRest(format.read)
	}
	return nil, false, &tensorfile.Substitute{Rule: tensorfile.NotTheFile,
		Msg:  describe(name, start) + ", not a file of tensors",
		Hint: ".npy, .npz, .safetensors, .gguf and .onnx files are read, and an index of shards"}
}

// readRest reads the rest of a source of known size, and then parses it with read.
func (c *candidate) readRest(read reader) error {
	c.decode()
	data, err := readAll(c.left, c.source.Size)
	if err != nil {
		return ErrBroken
	}
	c.set(data)
	return read(c)
}

// tensor returns the tensor named name, or the reason why the file has no such tensor.
func (f *artefact) tensor(name string, words *wording.Speller) (found expect.Artefact) {
	list := f.in.Files[0]
	d := f.tensors[name]
	if d == nil && name == "" && list.Len() == 1 {
		first := list.At(0)
		d = &first
	}
	switch {
	case d != nil:
		found.Have, found.Kind, found.Found = *d, list.Kind, f.found[d.Name]
		if d.Name != "" {
			found.Found = slices.Concat(f.found[""], found.Found)
		}
		return found
	case name == "":
		return refuse(expect.ArtefactTensor, "tensor: NAME", "the file has %s", wording.Count(len(f.tensors), "tensor"))
	case list.Len() == 1 && list.At(0).Name == "":
		return refuse(expect.ArtefactTensor, "remove it", "the file has one array, which has no name")
	case len(f.found[name]) > 0: // a finding that makes the tensor unreadable
		return refuse(expect.ArtefactTensor, f.found[name][0].Fix, "%s", f.found[name][0].Message)
	}
	fix := meant(name, f.names, len(f.tensors), words)
	return refuse(expect.ArtefactTensor, fix, "the file has no tensor %s", wording.Quote(name))
}

// meant suggests the name most similar to name, or lists the first of n names.
func meant(name string, names iter.Seq[string], n int, words *wording.Speller) string {
	if near := words.Nearest(name, names); near != "" {
		return "did you mean " + wording.Clip(near) + "?"
	}
	return nameList(names, n)
}

// nameList lists the first of n names.
func nameList(names iter.Seq[string], n int) string {
	const most = 5
	var first []string
	for name := range names {
		if first = append(first, wording.Clip(name)); len(first) == most {
			break
		}
	}
	if text := wording.Some(first, n); text != "" {
		return "it has " + text
	}
	return ""
}
