package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/tensorfile"
)

// A Part is a file that another one names, such as a shard of an index.
type Part struct {
	Path string      // below the directory of the other file
	File *rules.File // what it states; nil where it cannot be read
	Err  error       // why it cannot be read
}

// IsIndexName reports whether a name is that of an index of .safetensors files.
func IsIndexName(name string) bool { return fits(name, indexNames) }

// indexNames are the names of indexes. The second is that of variants: model.safetensors.index.fp16.json.
const indexNames = "*.safetensors.index.json *.safetensors.index.*.json"

// maxIndex is how many bytes an index may have: it is read without a tree.
const maxIndex = 256 << 20

// index reads the text of an index.
func (in *Input) index() (err error) {
	in.Kind = Index
	in.shards, err = tensorfile.ReadIndex(in.Name, in.Data)
	return err
}

// isIndex reports whether a text of JSON is an index, whatever its name.
func isIndex(text []byte) bool {
	return hasKey(text, "weight_map", true) && !hasKey(text, "tensors", true) && !hasKey(text, "dispatchables", true)
}

// beside opens a file that another one names by a path below its directory. The error says what is wrong with the
// path, in words that follow the name.
func (s *Source) beside(name string) (part Source, end func(), err error) {
	info, err := fs.Stat(s.Beside, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return part, nil, errors.New("is missing")
	case err != nil:
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return part, nil, fmt.Errorf("cannot be opened: %w", err)
	case info.IsDir():
		return part, nil, errors.New("is a directory")
	case !info.Mode().IsRegular():
		return part, nil, errors.New("is not a regular file")
	}
	file, err := s.Beside.Open(name)
	if err != nil {
		return part, nil, errors.New("cannot be opened")
	}
	at, ok := file.(io.ReaderAt)
	if !ok {
		file.Close()
		return part, nil, errors.New("cannot be read at any place")
	}
	sub, err := fs.Sub(s.Beside, path.Dir(name))
	if err != nil {
		sub = nil
	}
	part = Source{Name: path.Join(s.directory(), name), File: at, Size: info.Size(), Beside: sub}
	return part, func() { file.Close() }, nil
}

// directory returns the directory of the source, as messages name it.
func (s *Source) directory() string {
	if i := strings.LastIndexAny(s.Name, `/\`); i >= 0 {
		return s.Name[:i+1]
	}
	return ""
}

// Shards returns the paths of the files that an index names and that may be opened.
func (in *Input) Shards() (paths []string) {
	if in.Kind != Index {
		return nil // its name is that of an index, and its bytes are of another file
	}
	for _, s := range in.shards.Shards {
		if s.Path != "" {
			paths = append(paths, s.Path)
		}
	}
	return paths
}

// Parts reads the shards of an index one after the other, and compares each with it. What is found of the index itself
// is in Files after the last.
func (in *Input) Parts(yield func(Part) bool) {
	x := in.shards
	if in.source.Beside == nil {
		x.Unseen()
		in.Files = []*rules.File{x.Finish(nil)}
		return
	}
	for i, shard := range x.Shards {
		if shard.Path == "" {
			continue // the path is refused
		}
		s, end, err := in.source.beside(shard.Path)
		if err != nil {
			x.Missing(i, err.Error())
			continue
		}
		if x.Pickles() {
			end()
			in.notes = []string{"the shards are pickles, of which only the names are checked"}
			continue
		}
		p := Part{Path: shard.Path}
		var other *tensorfile.Substitute
		if p.File, p.Err = tensorfile.Read(s.Name, s.File, s.Size); p.Err == nil {
			x.Compare(i, p.File, s.Size)
		} else if errors.As(p.Err, &other) && other.Bytes > 0 {
			x.Absent(other.Bytes)
		}
		if end(); !yield(p) {
			return
		}
	}
	var names []string
	if !x.Pickles() {
		names = in.unnamed()
	}
	in.Files = []*rules.File{x.Finish(names)}
}

// unnamed returns the .safetensors files beside an index that neither it nor another index there names.
func (in *Input) unnamed() []string {
	names, _ := fs.Glob(in.source.Beside, "*.safetensors")
	leave := func(paths []string) {
		names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(paths, name) })
	}
	if leave(in.Shards()); len(names) == 0 {
		return nil
	}
	others, _ := fs.Glob(in.source.Beside, "*.safetensors.index*.json")
	for _, name := range others {
		s, end, err := in.source.beside(name)
		if err != nil {
			continue
		}
		if s.Name != in.Name && IsIndexName(name) {
			if other, err := Read(s, Options{}); err == nil {
				leave(other.Shards())
			}
		}
		end()
	}
	return names
}

// offerShards offers the tensors of an index.
func (in *Input) offerShards(c *choice) {
	for name := range in.shards.Names {
		c.offer(name, 0, func() (Tensor, error) {
			shard, end, err := in.source.shard(in.shards, name)
			if err != nil {
				return Tensor{}, err
			}
			defer end()
			return in.inPart(shard, name)
		})
	}
}

// inPart returns a tensor of a file that another one names.
func (in *Input) inPart(s Source, name string) (Tensor, error) {
	f, err := tensorfile.Read(s.Name, s.File, s.Size)
	if err != nil {
		return Tensor{}, &Error{Name: s.Name, Err: err}
	}
	part := &Input{Kind: TensorFile, Name: s.Name, Files: []*rules.File{f}, options: in.options}
	t, err := part.tensor(name)
	if err != nil {
		err = &Error{Name: s.Name, Err: err}
	}
	return t, err
}

// shard opens the file in which an index has a tensor.
func (s *Source) shard(x *tensorfile.Index, tensor string) (shard Source, end func(), err error) {
	of, ok := x.Find(tensor)
	switch {
	case !ok:
		return shard, nil, &layout.SyntaxError{
			Input: tensor, Msg: "the index does not name a tensor of that name", Hint: meant(tensor,
				slices.Collect(x.Names)),
		}
	case of.Path == "":
		return shard, nil, scan.Refuse("", "the index has the tensor in %s, which is not opened", scan.Quote(of.Name))
	case s.Beside == nil:
		return shard, nil, scan.Refuse("name the file of the index",
			"an index from a stream has no directory of shards")
	}
	shard, end, err = s.beside(of.Path)
	if err != nil {
		err = scan.Refuse("", "the index has the tensor in %s, which %v", scan.Quote(of.Name), err)
	}
	return shard, end, err
}

// Shard returns the file that has a tensor where a source is an index; any other source is that file itself.
func (s Source) Shard(tensor string) (shard Source, end func(), err error) {
	if s.File == nil || !IsIndexName(s.Name) {
		return s, func() {}, nil
	}
	data := make([]byte, min(s.Size, maxIndex+1))
	if _, err := io.ReadFull(s.Reader(), data); err != nil {
		return shard, nil, ErrBroken
	}
	in := Input{Name: s.Name, Data: data}
	x, err := tensorfile.ReadIndex(s.Name, data)
	if err != nil {
		return shard, nil, in.Locate(err)
	}
	if tensor == "" {
		return shard, nil, &Error{Name: s.Name, Err: scan.Refuse("choose one with --tensor NAME", "an index of %s",
			scan.Count(x.Len(), "tensor"))}
	}
	shard, end, err = s.shard(x, tensor)
	if err != nil {
		err = &Error{Name: s.Name, Err: err}
	}
	return shard, end, err
}
