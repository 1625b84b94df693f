package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout"
	"layoutcalc/layout/access"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/kernel"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/tvlayout"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

// An accessFlags is a request of the command access: lanes that read a tensor.
type accessFlags struct {
	lanes          []lanes // one for each --lanes
	vectors        []int64 // one for all lanes, or one for each
	start          string
	unit           *access.Unit
	all, ideal     bool
	banks, sectors bool // the results to show; if neither is set, both are shown
	most           int  // the maximum number of wavefronts of a request; 0 for any
	try            string
	loops          [][]shape.AxisRef // one for each --loops
	cache          access.Loop       // without axes
	request
}

// The cache of --loops, unless flags give another.
const cacheLine, cacheLines = 64, 16

// accessCommand makes c the command access.
func (a *app) accessCommand(c *cobra.Command) {
	flags := accessFlags{unit: &access.Units[0], cache: access.Loop{Line: cacheLine, Lines: cacheLines}}
	c.Args = a.needArguments
	c.RunE = func(_ *cobra.Command, args []string) error {
		t, err := flags.tensor.only(args)
		if err == nil {
			err = flags.check(t)
		}
		if err != nil {
			return err
		}
		flags.tensor.noteWide(t)
		start := make([]int64, t.Layout().Rank())
		if flags.start != "" {
			start, err = flags.tensor.parseIndex(t.Layout(), flags.start)
		}
		if err == nil && flags.loops != nil {
			return flags.looped(a, t, start)
		}
		var walks []*access.Walk
		if err == nil {
			walks, err = flags.walks(t, start)
		}
		if err != nil {
			return err
		}
		picture := func(o draw.Options) (*draw.Picture, error) { return flags.draw(walks, o) }
		if flags.try != "" {
			return flags.tried(a, picture, walks)
		}
		return flags.answered(a, picture, walks)
	}
	flags.tensor.add(a, c)
	flags.add(c)
	addRequest(a, c, &flags.request, &flags)
}

// draw draws the worst request of the worst walk: its lanes in the banks, or with --sectors its sectors. With options
// for parts and colours of a tensor it draws that, with outlines around the vectors of the first request.
func (f *accessFlags) draw(walks []*access.Walk, o draw.Options) (*draw.Picture, error) {
	w := walks[0]
	t := w.Tensor
	if o.Cells == 0 && o.ColorBy == draw.ByAxis && o.Axis == nil {
		answer, worst := render.Access{Tensor: t, Walks: walks}, 0
		for i, w := range walks {
			answer.Totals = append(answer.Totals, w.Count())
			if f.excess(&answer.Totals[i]) > f.excess(&answer.Totals[worst]) {
				worst = i
			}
		}
		caption, spot := answer.Caption(worst, f.sectors), answer.Totals[worst].Spot
		if f.sectors {
			return draw.Sectors(t, spot, caption, o), nil
		}
		return draw.Banks(t, walks[worst].Unit, spot, caption, o), nil
	}
	if o.ColorBy == draw.ByAxis && o.Axis == nil {
		o.ColorBy, o.Line = draw.ByBank, cmp.Or(o.Line, 128)
		if f.sectors {
			o.ColorBy, o.Line = draw.ByLine, cmp.Or(o.Line, 32)
		}
	}
	o.Vector = int(w.Vector)
	for index := range w.Starts() {
		if index == nil || len(o.Mark) >= w.Unit.Lanes*o.Vector {
			continue
		}
		for n := range w.Vector {
			at := slices.Clone(index)
			if n > 0 {
				at[w.Widest.Axis] += n
			}
			o.Mark = append(o.Mark, at)
		}
	}
	return draw.Tensor(t, o)
}

// excess returns the wavefronts, or with --sectors the sectors, that are more than the ideal.
func (f *accessFlags) excess(of *access.Total) int64 {
	if f.sectors {
		return of.Sectors - of.Ideal
	}
	return of.Wavefronts - of.Phases
}

func (f *accessFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flag(flags, "lanes", "AXIS=N,...", parseLanes, onto(&f.lanes))
	flag(flags, "vec", "N", parseVector, onto(&f.vectors))
	textFlag(flags, "start", "INDEX", &f.start)
	boolFlag(flags, "all", &f.all)
	boolFlag(flags, "banks", &f.banks)
	boolFlag(flags, "sectors", &f.sectors)
	boolFlag(flags, "ideal", &f.ideal)
	numberFlag(flags, "max-wavefronts", 1, 1<<20, &f.most, "a request takes at least 1 wavefront")
	tries := []cobra.Completion{"swizzles", "pads"}
	wordFlag(flags, "try", "WHAT", tries, func(i int) { f.try = tries[i] })
	flag(flags, "loops", "AXIS,...", shape.ParseAxes, onto(&f.loops))
	flag(flags, "cache-line", "BYTES", parseLine, func(n int64) { f.cache.Line = n })
	numberFlag(flags, "cache-lines", 1, 1<<20, &f.cache.Lines, "a cache has from 1 to 1048576 lines")
	var units []cobra.Completion
	for _, u := range access.Units {
		units = append(units, cobra.CompletionWithDesc(u.Name, u.About))
	}
	wordFlag(flags, "phases", "NAME", units, func(i int) { f.unit = &access.Units[i] })
}

// A lanes is the positions of lanes: along axes, or according to an ownership.
type lanes struct {
	text  string
	parts []shape.AxisSize // nil for an ownership

	instruction *access.Instruction // nil for other lanes
}

func parseLanes(text string) (l lanes, err error) {
	l.text = text
	if l.instruction, err = access.FindInstruction(text); err != nil || l.instruction != nil {
		return l, err
	}
	if l.parts, err = shape.ParseLanes(text); err != nil && strings.ContainsAny(text, "#@(<.:") {
		return lanes{text: text}, nil
	}
	return l, err
}

// walk returns a walk of these lanes.
func (l lanes) walk(f *accessFlags, t layout.Tensor) (w access.Walk, err error) {
	if l.instruction != nil {
		return access.Walk{Instruction: l.instruction}, nil
	}
	for _, part := range l.parts {
		axis, err := part.Find("--lanes", t.Layout().AxisNames())
		if err != nil {
			if w.Owner, _ = f.ownership(l.text, t); w.Owner != nil {
				return w, nil
			}
			return w, err
		}
		w.Parts = append(w.Parts, access.Part{Axis: axis, Lanes: part.Size})
	}
	if l.parts == nil {
		w.Owner, err = f.ownership(l.text, t)
	}
	return w, err
}

func parseVector(text string) (int64, error) {
	n, err := lexer.ParseNumber(text)
	if err == nil && (n < 1 || n > 128 || n&(n-1) != 0) {
		err = &lexer.SyntaxError{Input: text, Msg: "a lane reads 1, 2, 4, 8 or more elements, a power of two",
			Hint: "such as --vec 8"}
	}
	return n, err
}

// loopConflicts and laneConflicts list flags of access that exclude each other.
var (
	loopConflicts = []conflict{
		{"loops", "lanes", "--loops reads the elements one after the other, --lanes many at once", "give one of them"},
		{"loops", "try all banks sectors ideal max-wavefronts", "--loops cannot go with flags about lanes",
			"--lanes, or --loops with --start, --cache-line, --cache-lines"},
	}
	laneConflicts = []conflict{
		{"banks", "sectors", "--banks shows shared memory, --sectors global memory", "remove both to see both"},
		{"try", "sectors ideal max-wavefronts",
			"--try is about the banks of shared memory, and exits with 1 if nothing is without conflicts",
			"remove --sectors, --ideal and --max-wavefronts"},
	}
)

// check rejects flags that exclude each other, and a call without lanes.
func (f *accessFlags) check(t layout.Tensor) error {
	given := map[string]bool{
		"loops": f.loops != nil, "lanes": f.lanes != nil, "try": f.try != "", "all": f.all, "banks": f.banks,
		"sectors": f.sectors, "ideal": f.ideal, "max-wavefronts": f.most > 0,
	}
	if err := findConflict(loopConflicts, given); err != nil {
		return err
	}
	switch l := t.Layout(); {
	case l.Rank() == 0:
		return refuse("a tensor without axes has one element: no two lanes read different ones", "")
	case f.lanes == nil && f.loops == nil:
		axis := l.Rank() - 1
		return suggest.About(refuse("which elements do the lanes read?", "--lanes H=4,W=8: so many along each axis"),
			suggest.Missing, "--lanes", fmt.Sprintf("%s=%d", l.AxisName(axis), min(l.Axis(axis).Size(), 32)))
	case f.all && f.start != "":
		return refuse("--all starts at index 0", "").LeaveOut("--start")
	}
	if err := findConflict(laneConflicts, given); err != nil {
		return err
	}
	switch {
	case f.loops == nil && (f.cache.Line != cacheLine || f.cache.Lines != cacheLines):
		return refuse("--cache-line and --cache-lines go with --loops", "--loops H,W instead of --lanes")
	case len(f.vectors) > 1 && len(f.vectors) != len(f.lanes):
		return refuse("--vec is given for some of --lanes", "give it once for all, or once for each in order")
	}
	return nil
}

// walks returns the walks of the lanes of each --lanes.
func (f *accessFlags) walks(t layout.Tensor, start []int64) (walks []*access.Walk, err error) {
	for i, lanes := range f.lanes {
		if of := tvlayout.SharedOperand(lanes.text); of != "" {
			return nil, unreadByLanes(of, t)
		}
		w, err := lanes.walk(f, t)
		if err != nil {
			return nil, err
		}
		switch {
		case w.Owner != nil && (f.all || f.start != ""):
			return nil, refuse("an ownership determines which elements are read", "remove --all and --start")
		case w.Instruction != nil && (f.all || len(f.vectors) > 0):
			return nil, refuse("an instruction reads 16 bytes per lane, once", "remove --all and --vec")
		}
		w.Tensor, w.Start, w.All, w.Unit = t, start, f.all, f.unit
		if len(f.vectors) > 0 {
			w.Vector = f.vectors[min(i, len(f.vectors)-1)]
		}
		complete, err := w.Complete()
		if err != nil {
			return nil, err
		}
		walks = append(walks, complete)
	}
	return walks, nil
}

// unreadByLanes returns the error for lanes of an instruction that reads the tensor through a matrix descriptor.
func unreadByLanes(instruction string, t layout.Tensor) error {
	target := descriptor.MatrixTargets[slices.Index(descriptor.MatrixInstructions, instruction)]
	msg, hint := instruction+" reads this tile through a matrix descriptor, not by lanes: there is nothing to count", ""
	var wrong *lexer.SyntaxError
	if _, err := descriptor.MakeMatrix(t, target, 0); errors.As(err, &wrong) {
		msg, hint = instruction+" has no matrix descriptor for this tile: "+wrong.Msg, wrong.Hint
	}
	return suggest.About(refuse(msg, hint), suggest.Operand, instruction)
}

// ownership parses text as an ownership of the tile t.
func (f *accessFlags) ownership(text string, t layout.Tensor) (*tvlayout.Ownership, error) {
	text, err := f.named(text)
	if err != nil {
		return nil, err
	}
	options := tvlayout.Options{Tile: t.Layout().Sizes(), InMemory: true}
	o, err := tvlayout.Read(text, options)
	options.Tile = nil
	if own, wrong := tvlayout.Read(text, options); err != nil && wrong == nil && !own.Assumed() {
		o, err = own, nil // its tile differs, which is rejected later
	}
	if err != nil {
		return nil, err
	}
	f.tensor.app.Note(o.Notes()...)
	return o, nil
}

// named returns the ownership that text states. If text is the name of a layout such as a TiledCopy in the kernel
// source, named returns the layout's definition.
func (f *accessFlags) named(text string) (string, error) {
	t := &f.tensor
	s := kernel.Parse(string(t.source), t.given.names)
	if s == nil || !s.Has(text) {
		return t.app.textOf(text)
	}
	found, err := s.Resolve(text, kernel.Options{DType: t.spec.DType, Typed: t.typed, Given: t.given.names})
	return found.Text, err
}

// looped writes the reads of loops, for each --loops.
func (f *accessFlags) looped(a *app, t layout.Tensor, start []int64) error {
	answer := render.Loops{Tensor: t}
	for _, axes := range f.loops {
		loop := f.cache
		loop.Start = start
		for _, ref := range axes {
			axis, err := ref.Find("--loops", t.Layout().AxisNames())
			if err != nil {
				return err
			}
			loop.Axes = append(loop.Axes, axis)
		}
		reuse, err := loop.Count(t)
		if err != nil {
			return err
		}
		answer.Loops, answer.Reuse = append(answer.Loops, loop), append(answer.Reuse, reuse)
	}
	picture := func(o draw.Options) (*draw.Picture, error) { return draw.Tensor(t, o) }
	return f.answer(a, picture, func(p *render.Printer) error { return p.Print(answer) }, t)
}

// answered writes the cost of the walks.
func (f *accessFlags) answered(a *app, picture painter, walks []*access.Walk) error {
	answer := render.Access{Tensor: walks[0].Tensor, Banks: !f.sectors}
	isCUDA := walks[0].Unit == &access.Units[0] && !walks[0].IsShared() // only these read global memory
	answer.Sectors = f.sectors || !f.banks && isCUDA
	no, conflict := false, false
	for _, w := range walks {
		of := w.Count()
		if over := f.over(&of); over != "" {
			a.Note(over)
			no = true
		}
		conflict = conflict || of.Ways > 1
		answer.Walks, answer.Totals = append(answer.Walks, w), append(answer.Totals, of)
	}
	if conflict && !f.sectors && f.out.isForPeople() {
		for _, try := range []string{"swizzles", "pads"} {
			if list, ideal, err := f.alternatives(walks, try); err == nil && list[0].Wavefronts == ideal {
				answer.Alternatives = append(answer.Alternatives, list[0])
			}
		}
	}
	say := func(p *render.Printer) error { return p.Print(answer) }
	return verdict(f.answer(a, picture, say, walks[0].Tensor), !no)
}

// over describes the limit of --ideal or --max-wavefronts that the totals exceed, or returns an empty string.
func (f *accessFlags) over(of *access.Total) string {
	switch {
	case f.sectors && f.ideal && of.Sectors > of.Ideal:
		return fmt.Sprintf("%s, more than %d", wording.Count(of.Sectors, "sector"), of.Ideal)
	case !f.sectors && f.ideal && of.Wavefronts > of.Phases:
		return fmt.Sprintf("%s, more than %d", wording.Count(of.Wavefronts, "wavefront"), of.Phases)
	case f.most > 0 && of.Worst.Wavefronts > int64(f.most):
		return fmt.Sprintf("%s of a request, more than %d", wording.Count(of.Worst.Wavefronts, "wavefront"), f.most)
	}
	return ""
}

// tried writes layouts without conflicts, or otherwise the best layout.
func (f *accessFlags) tried(a *app, picture painter, walks []*access.Walk) error {
	alternatives, ideal, err := f.alternatives(walks, f.try)
	if err != nil {
		return err
	}
	answer := render.Alternatives{Tensor: walks[0].Tensor, Try: f.try, List: alternatives, Ideal: ideal}
	say := func(p *render.Printer) error { return p.Print(answer) }
	return verdict(f.answer(a, picture, say, answer.Tensor), alternatives[0].Wavefronts == ideal)
}

// alternatives returns layouts with fewer conflicts than walks, and the number of wavefronts without conflicts.
func (f *accessFlags) alternatives(
	walks []*access.Walk, try string,
) (list []render.Alternative, ideal int64, err error) {
	var found []access.Alternative
	if try == "pads" {
		found, ideal, err = access.Pads(walks)
	} else {
		found, ideal, err = access.Swizzles(walks)
	}
	for _, c := range found {
		t := walks[0].Tensor
		list = append(list, render.Alternative{Alternative: c, Flag: f.flagFor(t, c), Text: cuteText(t, c)})
	}
	return list, ideal, err
}

// flagFor returns the flag that gives the tensor the layout of c, or an empty string if no flag does.
func (f *accessFlags) flagFor(t layout.Tensor, c access.Alternative) string {
	byFlag := len(f.tensor.steps) == 0 && t.Layout().IsSwizzled() == (f.tensor.spec.Swizzle != nil)
	switch {
	case !byFlag:
		return ""
	case c.Axis < 0:
		return "--swizzle " + render.SwizzleFlag(c.Swizzle)
	}
	stride, _ := c.Layout.Axis(c.Axis).Stride()
	text, made := fmt.Sprintf("%s=%d", t.Layout().AxisName(c.Axis), stride), f.tensor.made
	pitch, err := shape.ParsePitch(text)
	made.Pitch = append(slices.Clone(made.Pitch), pitch)
	if other, wrong := made.Tensor(); err != nil || wrong != nil || !other.Layout().Equal(c.Layout) {
		return ""
	}
	return "--pitch " + text
}

// cuteText returns the layout of c in CuTe notation, or an empty string if CuTe cannot express it.
func cuteText(t layout.Tensor, c access.Alternative) string {
	cute, err := notation.Find("cute")
	if err == nil {
		t, err = layout.NewTensor(c.Layout, t.DType())
	}
	if err != nil {
		return ""
	}
	text, _ := cute.Write(t)
	return text
}
