package cmd

import (
	"fmt"
	"slices"
	"strings"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout"
	"layoutcalc/layout/view"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
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
		return tensor, t.unviewed(err, tensor, t.steps, views)
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

// notLayout returns the error for a view operation with arguments where a layout is expected, and nil for other words.
func notLayout(arg string) error {
	if !strings.Contains(arg, "(") || !view.AreSteps(arg) {
		return nil
	}
	err := refuse(render.Quote(arg)+" is a view operation, not a layout", "layoutcalc view applies view operations")
	return suggest.About(err, suggest.Word, arg, "--view", arg)
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

// unviewed adds a subject to the error of the step after the views, if another step applies instead.
func (t *tensorFlags) unviewed(err error, start layout.Tensor, steps []view.Step, views []view.View) error {
	if len(views) > 0 {
		start = views[len(views)-1].Tensor
	}
	step := steps[len(views)]
	if other := step.Instead(start, t.of); other != "" {
		return suggest.About(err, suggest.Part, step.String(), other)
	}
	return err
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
