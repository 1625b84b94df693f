package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"layoutcalc/cmd/datamove"
	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/input"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/values"
	"layoutcalc/render"
)

// A dataFile opens the elements of the tensors in a file. It keeps open the file, and the last file that the file
// names.
type dataFile struct {
	app    *app
	in     *input.Input
	source input.Source
	end    func()

	name    string // the name of part in the file, or empty
	part    input.Source
	endPart func()

	// inModel returns the elements of a tensor that the file, a model, stores as numbers of variable length. It is nil
	// until the first such tensor.
	inModel func(name string) ([]byte, error)
}

// openData opens a file for its elements.
func (a *app) openData(in *input.Input) (*dataFile, error) {
	if in.Kind == input.Lines || in.Kind == input.Document {
		return nil, refuse(render.QuotePath(in.Name)+" has no elements to compare", "").LeaveOut("--data")
	}
	const hint = "--in FILE --in FILE compares raw data, also of pipes"
	if in.Name == "" || in.Name == "-" {
		return nil, refuse("--data reads a file twice, and standard input can be read once", hint)
	}
	source, end, err := a.Open(in.Name)
	if err != nil {
		return nil, err
	}
	if source.File == nil {
		end()
		return nil, refuse(render.QuotePath(in.Name)+" is not a regular file, and --data reads it twice", hint)
	}
	return &dataFile{app: a, in: in, source: source, end: end, endPart: func() {}}, nil
}

// Close closes the files.
func (f *dataFile) Close() {
	f.endPart()
	f.end()
}

// isOf reports whether the file is a tensor file of a kind.
func (f *dataFile) isOf(kind string) bool {
	return f.in.Kind == input.TensorFile && f.in.Files[0].Kind == kind
}

// elements returns the elements of a row as elements of a tensor. It also returns a function that closes the files
// opened only for them.
func (f *dataFile) elements(row *descriptor.Row, t layout.Tensor) (d values.Data, end func(), err error) {
	end = func() {}
	isOnePiece := row.Data.From < row.Data.To
	switch {
	case !isOnePiece && f.isOf("onnx"):
		d, err = f.modelElements(row.Name, t)
		return d, end, err
	case !isOnePiece && f.isOf("npz"):
		elements, swap, err := f.source.Inflated(row.Name)
		return values.Data{
			Tensor: t, File: bytes.NewReader(elements), Bytes: int64(len(elements)), Swap: swap, Before: values.NoPlace,
		}, end, err
	case f.in.IsArray():
		src, err := f.app.openSource(f.in.Name, datamove.Options{Tensor: row.Name})
		if err != nil {
			return d, nil, err
		}
		return src.Elements(t), src.Close, nil
	}
	file := f.source
	if row.File != "" {
		if err := f.openPart(row.File); err != nil {
			return d, nil, err
		}
		file = f.part
	}
	d = values.Data{
		Tensor: t, File: namedReader{file.File, render.QuotePath(file.Name)}, Start: row.Data.From,
		Bytes: row.Data.To - row.Data.From, Swap: row.Swap,
	}
	return d, end, nil
}

// modelElements returns the elements of a tensor that a model stores as numbers of variable length.
func (f *dataFile) modelElements(name string, t layout.Tensor) (d values.Data, err error) {
	if f.inModel == nil {
		model, err := f.source.Model()
		if err != nil {
			return d, err
		}
		f.inModel = func(name string) ([]byte, error) {
			place, err := model.Find(name, f.source.Besides())
			return place.Elements, err
		}
	}
	elements, err := f.inModel(name)
	return values.Data{
		Tensor: t, File: bytes.NewReader(elements), Bytes: int64(len(elements)), Before: values.NoPlace,
	}, err
}

// openPart opens a file that the file names, unless it is open.
func (f *dataFile) openPart(name string) (err error) {
	if name == f.name {
		return nil
	}
	f.endPart()
	f.name, f.endPart = "", func() {}
	part, end, err := f.source.Part(name)
	if err == nil {
		f.name, f.part, f.endPart = name, part, end
	}
	return err
}

// openSource opens the data of a tensor in a file. The path may be FILE:NAME.
func (a *app) openSource(path string, o datamove.Options) (*datamove.Source, error) {
	var in input.Source
	end := func() {}
	err := input.Named(path, func(path, name string) (err error) {
		if name != "" && o.Tensor != "" {
			return errTwoChosen(name, o.Tensor)
		}
		if in, end, err = a.Open(path); err == nil && name != "" {
			o.Tensor = name
		}
		return err
	})
	if err == nil {
		in, end, err = shardOf(in, end, o.Tensor)
	}
	if err != nil {
		return nil, err
	}
	streams := datamove.Streams{Out: a.streams.Out, Err: a.streams.Err, Terminal: terminalWidth}
	return datamove.Open(in, end, o, streams)
}

// shardOf returns the file with a tensor, and its end function: for an index a shard, and otherwise the source itself.
func shardOf(in input.Source, end func(), tensor string) (input.Source, func(), error) {
	shard, endShard, err := in.Shard(tensor)
	if err != nil {
		end()
		return in, nil, err
	}
	return shard, func() { endShard(); end() }, nil
}

// A namedReader is a file that adds its name to errors.
type namedReader struct {
	io.ReaderAt
	name string
}

func (f namedReader) ReadAt(b []byte, at int64) (int, error) {
	n, err := f.ReaderAt.ReadAt(b, at)
	if n < len(b) && err == io.EOF {
		err = refuse(fmt.Sprintf("%s: the data ends at byte %d, before its last element", f.name, at+int64(n)), "")
	}
	return n, err
}

// errNoData is the error of --data for tensors that are not in files.
var errNoData error = &lexer.SyntaxError{
	Msg:  "--data compares the elements of two files",
	Hint: "compare a.safetensors b.safetensors --data, or for raw data SHAPE --in a.bin --in b.bin",
}

// openPair opens two files for their elements.
func (a *app) openPair(in, other *input.Input) (pair [2]*dataFile, err error) {
	if pair[0], err = a.openData(in); err == nil {
		if pair[1], err = a.openData(other); err != nil {
			pair[0].Close()
		}
	}
	return pair, err
}

// comparePairs compares the elements of all tensors that two files have, and marks the tensors that differ.
func (a *app) comparePairs(in, other *input.Input, pairs []descriptor.RowPair) ([]*render.ValuePair, error) {
	files, err := a.openPair(in, other)
	if err != nil {
		return nil, err
	}
	defer files[0].Close()
	defer files[1].Close()
	list := make([]*render.ValuePair, len(pairs))
	for i := range pairs {
		pair := &pairs[i]
		if pair.A == nil || pair.B == nil || pair.A.IsOutside() || pair.B.IsOutside() {
			continue
		}
		if list[i], err = compareRows(files, pair); err != nil {
			return nil, err
		}
		if !list[i].Same() && (pair.Differs == 0 || list[i].Why == "") {
			pair.Differs |= descriptor.RowValues
		}
	}
	return list, nil
}

// compareRows compares the elements of a tensor that two files have. If the type is unknown, or if elements share
// blocks, it compares the bytes.
func compareRows(files [2]*dataFile, pair *descriptor.RowPair) (*render.ValuePair, error) {
	var tensors [2]layout.Tensor
	rows, known := [2]*descriptor.Row{pair.A, pair.B}, true
	for i, row := range rows {
		d, err := layout.ParseDType(row.Type)
		if err == nil {
			tensors[i], err = layout.NewTensor(row.InMemory(), d)
		}
		known = known && err == nil
	}
	switch {
	case known:
		return compareElements(files, rows, tensors[0], tensors[1])
	case pair.Differs&descriptor.RowSizes != 0:
		return &render.ValuePair{Why: "the sizes differ"}, nil
	case pair.A.Type == pair.B.Type && pair.A.Bytes < 0:
		return &render.ValuePair{Why: "elements of type " + pair.A.Type + " have no size"}, nil
	case pair.Differs != 0 || pair.A.Bytes < 0:
		return &render.ValuePair{Why: "the elements have different types"}, nil
	}
	list, end, why, err := openRows(files, rows, tensors)
	if why != "" || err != nil {
		return &render.ValuePair{Why: why}, err
	}
	defer end()
	v := new(render.ValuePair)
	v.First, err = values.CompareBytes(list[0].File, list[0].Start, list[1].File, list[1].Start, pair.A.Bytes)
	return v, err
}

// openRows opens the elements of two rows. If the elements of a row are not contiguous, it returns the reason.
func openRows(files [2]*dataFile, rows [2]*descriptor.Row, tensors [2]layout.Tensor) (
	list [2]values.Data, end func(), why string, err error,
) {
	ends := [2]func(){func() {}, func() {}}
	end = func() {
		ends[0]()
		ends[1]()
	}
	for i, row := range rows {
		d, endRow, err := files[i].elements(row, tensors[i])
		if err != nil {
			end()
			var refused *lexer.SyntaxError
			if errors.As(err, &refused) && row.File == "" {
				return list, nil, refused.Msg, nil
			}
			return list, nil, "", err
		}
		list[i], ends[i] = d, endRow
	}
	return list, end, "", nil
}

// compareElements compares the elements of two tensors, which rows of two files describe.
func compareElements(files [2]*dataFile, rows [2]*descriptor.Row, x, y layout.Tensor) (*render.ValuePair, error) {
	v := &render.ValuePair{Types: [2]layout.DType{x.DType(), y.DType()}, Typed: true, Why: values.Incomparable(x, y)}
	if x.DType().Bits() != y.DType().Bits() || x.Layout().Empty() || y.Layout().Empty() {
		return v, nil
	}
	list, end, why, err := openRows(files, rows, [2]layout.Tensor{x, y})
	if why != "" || err != nil {
		v.Why = why
		return v, err
	}
	defer end()
	of := dataName{path: files[0].in.Name, tensor: rows[0].Name}
	if files[0].isOf("gguf") {
		of.path = ""
	}
	return v, files[0].app.relate(v, of, list[0], list[1], true)
}

// relate compares the elements of two tensors, unless v states why they are not compared at the same index. If they
// differ and search is set, it searches for a map from the first, which a command line can name, to the second.
func (a *app) relate(v *render.ValuePair, of dataName, x, y values.Data, search bool) (err error) {
	if v.Why == "" {
		v.First, err = values.Compare(context.Background(), x, y)
	}
	if err != nil || v.Same() || !search {
		return err
	}
	v.Tensor = x.Tensor
	v.Relayout, err = values.Find(context.Background(), x, y, v.First)
	if err == nil && len(v.Relayout.Fits) > 0 && of.path != "" {
		v.Command = a.convertLine(of, x, &v.Relayout.Fits[0].Map)
	}
	return err
}

// compareChosen compares the elements of one tensor of each file: the one with a name, or the only one.
func (a *app) compareChosen(in [2]*input.Input, names [2]string, x, y layout.Tensor) (*render.ValuePair, error) {
	var rows [2]*descriptor.Row
	for i, file := range in {
		list, err := file.List(func(name string) bool { return names[i] == "" || name == names[i] }, nil)
		if err == nil && list == nil {
			err = errNoData
		}
		if err != nil {
			return nil, err
		}
		for row := range list.Rows {
			if own := *row; rows[i] == nil && !row.IsOutside() {
				rows[i] = &own
			}
		}
		if rows[i] == nil {
			return nil, refuse(render.QuotePath(file.Name)+" has no elements of this tensor", "").LeaveOut("--data")
		}
	}
	files, err := a.openPair(in[0], in[1])
	if err != nil {
		return nil, err
	}
	defer files[0].Close()
	defer files[1].Close()
	return compareElements(files, rows, x, y)
}
