package input

import (
	"fmt"
	"slices"
	"sync"

	"layoutcalc/layout"
	"layoutcalc/layout/desc"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/scan"
)

// Sums adds up the tensors of a file with a header, or of the shards of an index. It returns nil for other inputs, and
// for a file of one tensor, which need not be chosen. What the sums leave out is in Notes.
func (in *Input) Sums() (*layout.Sums, error) {
	c := choice{in: in}
	switch in.Kind {
	case TensorFile:
		in.offerStated(&c)
	case Index:
		in.offerShards(&c)
	default:
		return nil, nil
	}
	if c.count == 1 {
		return nil, nil
	}
	sums, err := &layout.Sums{}, error(nil)
	if in.Kind == Index {
		err = in.addShards(sums)
	} else {
		err = addFile(sums, in.Files[0])
	}
	if err != nil {
		return nil, in.Locate(err)
	}
	const listed = 3
	sums.Names = scan.Some(c.names[:min(listed, len(c.names))], c.count)
	in.noteSums(sums)
	return sums, nil
}

// IsXLA reports whether the text is a shape of XLA.
func (in *Input) IsXLA() bool {
	return len(in.found) > 0 && in.found[0].Notation != nil && in.found[0].Notation.Name == layout.XLA.String()
}

// addShards adds the tensors of the shards.
func (in *Input) addShards(sums *layout.Sums) error {
	switch {
	case in.source.Beside == nil:
		return scan.Refuse("name the file of the index", "an index from a stream has no directory of shards")
	case in.shards.Pickles():
		return scan.Refuse("", "the shards are pickles, which are not read")
	}
	for p := range in.Parts(maxReaders, new(sync.Map), nil) {
		err := p.Err
		if err == nil {
			err = addFile(sums, p.File)
		}
		if err != nil {
			return &Error{Name: scan.Clip(p.Path), Err: err}
		}
	}
	return nil
}

// addFile adds the tensors of a file.
func addFile(sums *layout.Sums, f *desc.File) error {
	for i := range f.Len() {
		d := f.At(i)
		if d.Open != nil {
			continue
		}
		if err := sums.Add(d.ElementType(), d.Sizes, bytesOf(&d)); err != nil {
			return err
		}
	}
	return nil
}

// bytesOf returns the bytes of a tensor without gaps, -1 if they are not known.
func bytesOf(d *desc.Descriptor) int64 {
	if d.TypeKnown {
		bits, err := layout.ProductOf(append(slices.Clip(d.Sizes), d.Type.Bits()))
		if err == nil {
			return layout.CeilDiv(bits, 8)
		}
		return -1
	}
	if b, ok, err := layout.FindBlock(d.TypeName); ok && err == nil {
		if _, bytes, err := b.Stored(d.Sizes); err == nil {
			return bytes
		}
	} else if d.Total.Stated {
		return d.Total.Value
	}
	return -1
}

// noteSums notes what is not in the sums, and what is wrong.
func (in *Input) noteSums(sums *layout.Sums) {
	f := in.Files[0]
	errors := 0
	for _, f := range f.Findings {
		if f.Severity == finding.Error {
			errors++
		}
	}
	if errors > 0 {
		in.Notes = append(in.Notes, "the file has "+scan.Count(errors, "error")+
			", which check lists; the sums take its numbers as they are")
	}
	if n := len(f.Values); n > 0 {
		in.Notes = append(in.Notes, fmt.Sprintf("not in the sums: inputs and outputs of the model (%d)", n))
	}
	if n := sums.All.Unknown; n > 0 {
		in.Notes = append(in.Notes, fmt.Sprintf("not in the bytes: tensors of types without a size (%d)", n))
	}
}
