package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/input"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
)

// A sweep is several calls in one: each combination of shapes, sizes of --sweep, and layouts in a list. The last varies
// fastest.
type sweep struct {
	app     *app
	request *request // the request of the current call
	first   request  // the request of each call, before its sizes and layout are set
	rest    []string // the arguments after the shape
	shapes  []string
	layouts []string
	place   int   // the index in rest of the list of layouts
	counts  []int // the numbers of shapes, of sizes of each --sweep, and of layouts
	rows    []render.Row
}

// newSweep returns the sweep that the arguments request, or nil if they are a single call.
func newSweep(a *app, r *request, args []string) (*sweep, error) {
	if a.line != nil && r.sweeps == nil {
		return nil, nil
	}
	s := &sweep{app: a, request: r, first: *r}
	var n int
	var err error
	if s.shapes, n, err = shapesIn(args); err != nil || n == 0 && r.sweeps == nil {
		return nil, err
	}
	if s.rest = args[n:]; n == 2 {
		a.Note("two shapes are two rows; strides are written with commas")
	}
	s.findLayouts()
	s.counts = []int{max(1, len(s.shapes))}
	for _, sizes := range r.sweeps {
		s.counts = append(s.counts, len(sizes))
	}
	s.counts = append(s.counts, max(1, len(s.layouts)))
	if len(s.shapes) < 2 && s.layouts == nil && r.sweeps == nil {
		return nil, nil
	}
	return s, s.check()
}

// check rejects a sweep with too many rows, or with an answer that cannot be a row.
func (s *sweep) check() error {
	total := big.NewInt(1)
	for _, n := range s.counts {
		total.Mul(total, big.NewInt(int64(n)))
	}
	switch r := &s.first; {
	case s.app.line != nil:
		return refuse("--sweep has several rows, and a line of a batch one answer", "write a line for each row")
	case r.picture.wanted():
		return refuse("a picture shows one tensor, and a sweep has several", "remove the picture")
	case r.out.buffer != nil && r.out.isForPeople():
		return refuse("--buffer of a sweep has a line for each row", "-o plain, or -o json")
	case total.Cmp(big.NewInt(shape.MaxRows)) > 0:
		msg := fmt.Sprintf("%s, and %d are the most", wording.Count(total, "row"), shape.MaxRows)
		return refuse(msg, "fewer values, or larger steps: H=1..4096:64")
	}
	return nil
}

// shapesIn returns the shapes in the first n arguments: a single one, one with braces, or the ones that a shell has
// expanded it to.
func shapesIn(args []string) (shapes []string, n int, err error) {
	if shapes, err = shape.Expand(args[0]); shapes != nil || err != nil {
		return shapes, 1, err
	}
	rank := 0
	for _, arg := range args {
		list, err := shape.ParseShape(arg)
		if err != nil || n > 0 && (list.Len() != rank || rank < 2 || strings.ContainsAny(arg, ",([{")) {
			break
		}
		n, rank = n+1, list.Len()
	}
	return args[:n], n, nil
}

// findLayouts finds a list of layouts, such as NHWC,NCHW, or consecutive layouts after the shape.
func (s *sweep) findLayouts() {
	if len(s.rest) == 0 || len(s.shapes) == 0 {
		return
	}
	sizes, _ := shape.ParseShape(s.shapes[0])
	isLayout := func(arg string) bool {
		return input.IsLayout(arg) && !isType(arg) && shape.Fits(arg, sizes.Len())
	}
	n := 0
	for len(s.rest) > 1 && n < len(s.rest) && isLayout(s.rest[n]) {
		n++
	}
	if n > 1 {
		s.layouts, s.rest = s.rest[:n], s.rest[n-1:]
		return
	}
	notName := func(name string) bool { return len(name) < 2 || !input.IsLayout(name) }
	for i, arg := range s.rest {
		if names := strings.Split(arg, ","); len(names) > 1 && !slices.ContainsFunc(names, notName) {
			s.layouts, s.place = names, i
		}
	}
}

// run answers all calls like a batch, and writes the answers or a table of them. A call that fails is also a row,
// unless all fail.
func (s *sweep) run() error {
	var answers bytes.Buffer
	stdout, l := s.app.streams.Out, &batchLine{app: s.app, output: &s.first.out}
	l.answers.many = true
	l.reset = func() { *s.request = s.first }
	l.fail = func(err error) { s.rows[len(s.rows)-1].Err = err }
	l.start(&answers)
	for at, more := make([]int, len(s.counts)), true; more; more = s.next(at) {
		if err := l.answer(func() error { return s.call(at) }); err != nil {
			return err
		}
	}
	result := l.end()
	s.app.streams.Out, s.app.line = stdout, nil
	if !slices.ContainsFunc(s.rows, func(r render.Row) bool { return r.Err == nil }) {
		return s.rows[0].Err
	}
	if err := s.write(answers.Bytes()); err != nil {
		return err
	}
	for _, row := range s.rows {
		if row.Err != nil {
			s.fail(row)
		}
	}
	smallest := render.Smallest(s.rows)
	if out := &s.first.out; out.command == "size" && smallest != "" && (!s.isTable() || out.Format == render.CSV) {
		s.app.Note(smallest)
	}
	return result
}

// next advances to the next combination. It reports false after the last.
func (s *sweep) next(at []int) bool {
	for i := len(at) - 1; i >= 0; i-- {
		if at[i]++; at[i] < s.counts[i] {
			return true
		}
		at[i] = 0
	}
	return false
}

// call adds a row for a combination, and writes its answer unless the rows form a table.
func (s *sweep) call(at []int) (err error) {
	t, args := &s.request.tensor, slices.Clone(s.rest)
	if s.layouts != nil {
		args[s.place] = s.layouts[at[len(at)-1]]
	}
	if len(s.shapes) > 0 {
		args = slices.Insert(args, 0, s.shapes[at[0]])
	}
	row := render.Row{Args: slices.Clone(args)}
	for i, sizes := range s.first.sweeps {
		size := sizes[at[i+1]]
		t.spec.Resize = append(t.spec.Resize, size)
		row.Args = append(row.Args, fmt.Sprintf("%s=%d", size, size.Size))
	}
	write := (*render.Printer).Strides
	row.Tensor, err = t.only(args)
	if s.first.out.command == "size" {
		write = (*render.Printer).Size
		if err == nil && t.spec.For != nil {
			_, err = t.spec.For.Copy(row.Tensor)
		}
	}
	s.rows = append(s.rows, row)
	var packed *layout.BlockError
	switch {
	case errors.As(err, &packed):
		return refuse(packed.Error(), "size has the bytes of one shape, without --sweep and braces")
	case err == nil && s.isTable():
		s.app.Flush()
		return nil
	}
	return s.request.about(s.app, row.Tensor, err, write)
}

// isTable reports whether the rows form a table.
func (s *sweep) isTable() bool {
	out := &s.first.out
	return out.Get == "" && out.as == nil && out.Format != render.Plain && out.Format != render.JSON
}

// write writes the answers, or a table of the rows.
func (s *sweep) write(answers []byte) error {
	if out := &s.first.out; s.isTable() {
		return s.app.printer(out).Rows(out.command, s.rows)
	}
	_, err := s.app.streams.Out.Write(answers)
	return render.WriteFailed("", err)
}

// fail reports why a row has no answer.
func (s *sweep) fail(row render.Row) {
	m := s.app.message(row.Err, hintOf(row.Err))
	if _, _, ok := cutCommand(m.Hint); ok {
		m.Hint = "" // a command line would apply to all rows
	}
	m.Text = strings.Join(row.Args, " ") + ": " + m.Text
	s.app.say(m)
}
