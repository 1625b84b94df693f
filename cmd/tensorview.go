package cmd

import (
	"fmt"
	"slices"
	"strings"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout"
	"layoutcalc/layout/view"
	"layoutcalc/layout/wording"
)

// viewed applies the steps of --view to a tensor, unless there is an error.
func (t *tensorFlags) viewed(tensor layout.Tensor, err error) (layout.Tensor, error) {
	if err != nil {
		return layout.Tensor{}, err
	}
	t.noteSwizzle(tensor)
	views, err := view.Apply(tensor, t.steps, t.of)
	t.noteSteps(t.steps)
	switch {
	case err != nil:
		return tensor, t.unviewed(err, tensor, t.steps, len(views))
	case len(views) == 0:
		return tensor, nil
	}
	for i, v := range views {
		switch {
		case v.Copied && t.copied == "":
			t.copied = t.steps[i].String()
		case v.Why != "" && !v.Copied:
			t.app.Note(t.steps[i].String() + ": " + v.Why)
		}
	}
	return views[len(views)-1].Tensor, nil
}

// noteSwizzle notes the unit of the numbers of a swizzle, and a swizzle that has no effect.
func (t *tensorFlags) noteSwizzle(tensor layout.Tensor) {
	for _, s := range tensor.Layout().Swizzles() {
		note := s.String() + " counts elements of " + wording.Count(tensor.DType().Bits(), "bit")
		if over, err := s.Recast(tensor.DType().Bits(), 8); err == nil && over != s {
			note += "; over bytes it is " + over.String()
		}
		t.app.Note(note)
	}
	t.notePanels(tensor)
	switch l := tensor.Layout(); {
	case !l.IsSwizzled():
	case l.IsIdle():
		t.app.Note("the swizzle moves no element: no offset has one of the bits that it reads")
	case t.app.command == "check":
		t.app.Note("check judges the layout without the swizzle, which moves elements within " +
			wording.Count(l.Period(), "offset"))
	}
}

// notePanels notes that a swizzle of the hardware does not reach across the rows of a matrix, which TMA and
// ThunderKittens lay out in panels.
func (t *tensorFlags) notePanels(tensor layout.Tensor) {
	l, bits := tensor.Layout(), tensor.DType().Bits()
	if t.spec.Swizzle == nil || l.Rank() != 2 || bits == 0 {
		return
	}
	stride, isPlain := l.Axis(1).Stride()
	panel, row := t.spec.Swizzle.Panel()*8/bits, l.Axis(1).Size()
	if isPlain && stride == 1 && panel > 0 && row > panel {
		const note = "the swizzle spans %d of the %d columns; TMA and ThunderKittens' st<> lay out wider rows in " +
			"panels of %[1]d columns, one after the other"
		t.app.Note(fmt.Sprintf(note, panel, row))
	}
}

// unviewed adds a subject to the error of a step, if the step is a view that needs a copy, because reshape makes one.
func (t *tensorFlags) unviewed(err error, start layout.Tensor, steps []view.Step, failed int) error {
	step := steps[failed].String()
	sizes, isView := strings.CutPrefix(step, "view(")
	more, wrong := view.ParseSteps("reshape(" + sizes)
	if !isView || wrong != nil {
		return err
	}
	if _, wrong = view.Apply(start, slices.Concat(steps[:failed], more), t.of); wrong != nil {
		return err
	}
	return suggest.About(err, suggest.Part, step, "reshape("+sizes)
}

// noteSteps notes the order of the axes in steps, if the sizes are written in a different order.
func (t *tensorFlags) noteSteps(steps []view.Step) {
	if !slices.ContainsFunc(steps, view.Step.Counts) {
		return
	}
	if counted, written := t.made.Orders(); written != nil {
		t.app.Note("steps count the axes as " + strings.Join(counted, ", ") + "; the sizes are written as " +
			strings.Join(written, ", "))
	}
}
