package input

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"path"
	"slices"
	"sync"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/tensorfile"
	"layoutcalc/layout/wording"
)

// A Part is a file that another one names, such as a shard of an index.
type Part struct {
	Path    string           // relative to the directory of the other file
	File    *descriptor.File // nil if it cannot be read
	Err     error            // why it cannot be read
	index   int              // the index of the shard
	size    int64
	missing error // why the file does not exist
}

// index tests whether the input is an index, by its name or by the keys of a JSON object.
func (c *candidate) index() reader {
	if c.says.Is(IndexName) || !c.source.Foreign && c.first() == '{' && isIndex(c.Data) {
		return (*candidate).readIndex
	}
	return nil
}

// readIndex reads an index.
func (c *candidate) readIndex() (err error) {
	c.Kind = Index
	c.shards, err = tensorfile.ReadIndex(c.Name, c.Data)
	return err
}

// Shards returns the paths of the shards of an index, except those that must not be opened.
func (in *Input) Shards() (paths []string) {
	if in.Kind != Index {
		return nil // it has the name of an index, but is another kind of file
	}
	for _, s := range in.shards.Shards {
		if s.Path != "" {
			paths = append(paths, s.Path)
		}
	}
	return paths
}

// maxReaders limits the number of shards that are read in parallel, because each may have a long header.
const maxReaders = 4

// part reads a shard of an index. If the shard is a pickle, it only tests whether the file exists.
func (in *Input) part(i int, turn *Turn) Part {
	p := Part{Path: in.shards.Shards[i].Path, index: i}
	s, end, err := in.source.beside(p.Path)
	var other *tensorfile.Substitute
	switch {
	case errors.As(err, &other) && !in.shards.Pickles():
		p.Err = err
		return p
	case err != nil:
		p.missing = err
		return p
	}
	defer end()
	s.Turn = turn
	if p.size = s.Size; !in.shards.Pickles() {
		format := headerFormat(".safetensors", s.File, s.Size) // the format that the index promises
		p.File, p.Err = format.readHeader(&s)
	}
	return p
}

// Parts reads the shards of an index, up to jobs of them in parallel, and compares each with the index in order. The
// findings about the index itself are in Files after the last shard. The map known caches the contents of directories
// by path, for other indexes. The turn belongs to the call that checks the index, and may be nil.
func (in *Input) Parts(jobs int, known *sync.Map, turn *Turn) iter.Seq[Part] {
	x := in.shards
	return func(yield func(Part) bool) {
		if in.source.Beside == nil {
			x.Unseen()
			in.Files = []*descriptor.File{x.Finish(nil)}
			return
		}
		var all []int
		for i := range x.Shards {
			if x.Shards[i].Path != "" { // other paths are rejected
				all = append(all, i)
			}
		}
		for p := range InOrder(context.Background(), min(jobs, maxReaders), turn, all, in.part) {
			switch {
			case p.missing == errAbsent:
				x.NotFound(p.index)
				continue
			case p.missing != nil:
				x.Missing(p.index, p.missing.Error())
				continue
			case x.Pickles():
				in.Notes = []string{"the shards are pickles, of which only the names are checked"}
				continue
			case p.Err == nil:
				x.Compare(p.index, p.File, p.size)
			default:
				var other *tensorfile.Substitute
				if errors.As(p.Err, &other) && other.Bytes > 0 {
					x.Absent(other.Bytes)
				}
			}
			if !yield(p) {
				return
			}
		}
		var names []string
		if !x.Pickles() {
			once, _ := known.LoadOrStore(in.source.directory(), sync.OnceValue(in.unnamed))
			names = once.(func() []string)()
			in.compareUnnamed(names, turn)
		}
		in.Files = []*descriptor.File{x.Finish(names)}
	}
}

// maxUnnamed limits the number of files next to an index that are searched for its tensors.
const maxUnnamed = 16

// compareUnnamed searches the named files next to an index for the tensors that no shard has.
func (in *Input) compareUnnamed(names []string, turn *Turn) {
	for _, name := range names[:min(len(names), maxUnnamed)] {
		if !in.shards.Lacks() {
			return
		}
		s, end, err := in.source.beside(name)
		if err != nil {
			continue
		}
		s.Turn = turn
		if f, err := headerFormat(".safetensors", s.File, s.Size).readHeader(&s); err == nil {
			in.shards.CompareUnnamed(name, f)
		}
		end()
	}
}

// unnamed returns the .safetensors files next to an index that are not in it or in another index there.
func (in *Input) unnamed() []string {
	names, _ := fs.Glob(in.source.Beside, "*.safetensors")
	named := map[string]bool{}
	leave := func(name string) bool { return named[name] }
	for _, shard := range in.Shards() {
		named[shard] = true
	}
	if names = slices.DeleteFunc(names, leave); len(names) == 0 {
		return nil
	}
	others, _ := fs.Glob(in.source.Beside, "*.safetensors.index*.json")
	for _, name := range others {
		if path.Join(in.source.directory(), name) == in.Name || !NamingOf(name).Is(IndexName) {
			continue
		}
		if other, _, err := in.source.readNamed(name); err == nil {
			for _, shard := range other.Shards() {
				named[shard] = true
			}
		}
	}
	return slices.DeleteFunc(names, leave)
}

// shard opens the shard of an index with a tensor.
func (s *Source) shard(x *tensorfile.Index, tensor string) (shard Source, end func(), err error) {
	of, ok := x.Find(tensor)
	switch {
	case !ok:
		err := &layout.SyntaxError{
			Input: tensor, Msg: "the index does not name a tensor of that name", Hint: nameList(x.Names, x.Len()),
		}
		return shard, nil, err.DidYouMean(tensor, wording.Clip(new(wording.Speller).Nearest(tensor, x.Names)))
	case of.Path == "":
		return shard, nil, lexer.Refuse("", "the index has the tensor in %s, which is not opened",
			wording.Quote(of.Name))
	case s.Beside == nil:
		return shard, nil, lexer.Refuse("name the file of the index",
			"an index from a stream has no directory of shards")
	}
	shard, end, err = s.beside(of.Path)
	if err != nil {
		err = lexer.Refuse("", "the index has the tensor in %s, which %v", wording.Quote(of.Name), err)
	}
	return shard, end, err
}
