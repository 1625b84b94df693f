package input

import (
	"sync"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// IsXLA reports whether the input is an XLA shape.
func (in *Input) IsXLA() bool {
	return len(in.found) > 0 && in.found[0].Notation != nil && in.found[0].Notation.Name == layout.XLA.String()
}

// addShards adds the tensors of the shards.
func (in *Input) addShards(sums *layout.Sums) error {
	return in.eachShard(func(p Part) error { return addFile(sums, p.File) })
}

// eachShard calls do with each shard of an index.
func (in *Input) eachShard(do func(Part) error) error {
	switch {
	case in.source.Beside == nil:
		return lexer.Refuse("name the file of the index", "an index from a stream has no directory of shards")
	case in.shards.Pickles():
		return lexer.Refuse("", "the shards are pickles, which are not read")
	}
	for p := range in.Parts(maxReaders, new(sync.Map), nil) {
		err := p.Err
		if err == nil {
			err = do(p)
		}
		if err != nil {
			return &Error{Name: wording.Clip(p.Path), Err: err}
		}
	}
	return nil
}

// addFile adds the tensors of a file.
func addFile(sums *layout.Sums, f *descriptor.File) error {
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

// bytesOf returns the bytes of a tensor without gaps, or -1 if they are unknown.
func bytesOf(d *descriptor.Descriptor) int64 {
	if d.TypeKnown {
		bits, err := layout.ProductOf(d.Sizes)
		if err == nil {
			bits, err = layout.Mul(bits, d.Type.Bits())
		}
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
