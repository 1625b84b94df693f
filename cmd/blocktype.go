package cmd

import (
	"errors"
	"slices"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout"
	"layoutcalc/layout/shape"
)

// inBlocks returns an error if a tensor with elements in blocks does not have rows that follow one another.
func (t *tensorFlags) inBlocks(tensor layout.Tensor) error {
	sizes, ok := shape.SizesInMemory(tensor.Layout())
	if !ok || len(t.steps) > 0 || tensor.Layout().Base() != 0 {
		return refuse(t.block.Name+" packs whole rows, one after another: they have no strides, padding or views",
			"the sizes and -t alone")
	}
	isOne := func(n int64) bool { return n == 1 }
	if all := tensor.Layout().Sizes(); slices.Equal(slices.DeleteFunc(slices.Clone(all), isOne), sizes) {
		sizes = all // row-major
	}
	return &layout.BlockError{Block: *t.block, Sizes: sizes}
}

// contradicts returns the error for an input that has both an element type and a type of blocks.
func (t *tensorFlags) contradicts(d layout.DType) error {
	return refuse("the text has "+d.String()+" elements, but -t is "+t.block.Name, "").LeaveOut("-t")
}

// suggestSize adds a subject to the error about elements in blocks, because the command size supports them.
func (t *tensorFlags) suggestSize(err error) error {
	var packed *layout.BlockError
	if !errors.As(err, &packed) {
		return err
	}
	return suggest.About(err, suggest.Word, t.app.command, "size")
}
