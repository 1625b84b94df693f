package cmd

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/input"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/shape"
	"layoutcalc/render"
)

// A sweep is several calls in one: each combination of shapes, sizes of --sweep, and layouts in a list. What comes last
// changes first.
type sweep struct {
	app     *app
	request *request // of the current call
	first   request  // of each call, before it
	rest    []string // the arguments after the shape
	shapes  []string
	layouts []string
	place   int   // of the list of layouts in rest
	counts  []int // of shapes, of the sizes of each --sweep, and of layouts

	isObject bool // an answer is an object of JSON, with notes of its own
}

// newSweep returns the sweep that the arguments ask for, nil if they are those of one call.
func newSweep(a *app, r *request, args []string) (*sweep, error) {
	if r.sweeps == nil && (a.line != nil || isOne(args)) {
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
	total := big.NewInt(1)
	for _, n := range s.counts {
		total.Mul(total, big.NewInt(int64(n)))
	}
	switch {
	case len(s.shapes) < 2 && s.layouts == nil && r.sweeps == nil:
		return nil, nil
	case a.line != nil:
		return nil, refuse("--sweep has several rows, and a line of a batch one answer", "write a line for each row")
	case r.picture.wanted():
		return nil, refuse("a picture shows one tensor, and a sweep has several", "leave out the picture")
	case r.out.buffer != nil && r.out.isForPeople():
		return nil, refuse("--buffer of a sweep has a line for each row", "-o plain, or -o json")
	case total.Cmp(big.NewInt(shape.MaxRows)) > 0:
		msg := fmt.Sprintf("%s, and %d are the most", scan.Count(total, "row"), shape.MaxRows)
		return nil, refuse(msg, "fewer values, or larger steps: H=1..4096:64")
	}
	return s, nil
}

// isOne reports whether arguments are those of one call without a look at the shape: no braces, and after it at most a
// word that starts no number or list.
func isOne(args []string) bool {
	return !strings.Contains(args[0], "{") && (len(args) == 1 ||
		len(args) == 2 && args[1] != "" && scan.IsLetter(args[1][0]) && !strings.Contains(args[1], ","))
}

// shapesIn returns the shapes in the first n arguments: one, one with braces, or those that a shell makes of that.
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

// findLayouts finds a list of layouts, such as NHWC,NCHW, or layouts that follow each other after the shape.
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

// run answers all calls: with a table, or with a line for each. A call that fails is a row too, unless all fail.
func (s *sweep) run() (result error) {
	var rows []render.Row
	var packed *layout.BlockError
	out, failed := &s.first.out, 0
	s.isObject = out.Format == render.JSON && out.Get == ""
	for at, more := make([]int, len(s.counts)), true; more; more = s.next(at) {
		row := s.row(at)
		if rows = append(rows, row); row.Err != nil {
			failed++
		}
	}
	switch {
	case failed == len(rows) && errors.As(rows[0].Err, &packed):
		return refuse(packed.Error(), "size has the bytes of one shape, without --sweep and braces")
	case failed == len(rows):
		return rows[0].Err
	case failed > 0:
		result = errUnread
	}
	asTable := out.Get == "" && out.as == nil && out.Format != render.Plain && out.Format != render.JSON
	if asTable {
		if err := s.app.printer(out).Rows(out.command, rows); err != nil {
			return err
		}
	}
	for _, row := range rows {
		err := row.Err
		switch {
		case err != nil:
			err = s.fail(row, asTable)
		case !asTable:
			err = s.line(row)
		}
		if err == errNo && result == nil {
			result = err
		} else if err != nil && err != errNo {
			return err
		}
	}
	if text := render.Smallest(rows); out.command == "size" && text != "" && (!asTable || out.Format == render.CSV) {
		s.app.Note(text)
	}
	return result
}

// next moves on to the next combination. It reports false after the last.
func (s *sweep) next(at []int) bool {
	for i := len(at) - 1; i >= 0; i-- {
		if at[i]++; at[i] < s.counts[i] {
			return true
		}
		at[i] = 0
	}
	return false
}

// row returns the tensor of a combination, or why it has none.
func (s *sweep) row(at []int) (row render.Row) {
	*s.request = s.first
	t := &s.request.tensor
	args := slices.Clone(s.rest)
	if s.layouts != nil {
		args[s.place] = s.layouts[at[len(at)-1]]
	}
	if len(s.shapes) > 0 {
		args = slices.Insert(args, 0, s.shapes[at[0]])
	}
	row.Args = slices.Clone(args)
	for i, sizes := range s.first.sweeps {
		size := sizes[at[i+1]]
		t.spec.Resize = append(t.spec.Resize, size)
		row.Args = append(row.Args, fmt.Sprintf("%s=%d", size, size.Size))
	}
	if row.Tensor, row.Err = t.only(args); row.Err == nil && t.spec.For != nil && s.first.out.command == "size" {
		_, row.Err = t.spec.For.Copy(row.Tensor)
	}
	if s.isObject {
		row.Notes, s.app.notes = s.app.notes, nil
	}
	return row
}

// fail says why a row has no answer. In place of a line it is null in JSON, otherwise empty.
func (s *sweep) fail(row render.Row, asTable bool) (err error) {
	m := s.app.message(row.Err, hintOf(row.Err))
	if _, _, ok := cutCommand(m.Hint); ok {
		m.Hint = "" // a command line has the answer of all rows
	}
	m.Text = strings.Join(row.Args, " ") + ": " + m.Text
	s.app.say(m)
	switch {
	case s.isObject:
		_, err = io.WriteString(s.app.streams.Out, "null\n")
	case !asTable:
		_, err = io.WriteString(s.app.streams.Out, "\n")
	}
	return err
}

// line writes the answer of one call as a line.
func (s *sweep) line(row render.Row) error {
	r, write := s.first, (*render.Printer).Strides
	if r.out.command == "size" {
		write = (*render.Printer).Size
	}
	if r.out.Line = true; s.isObject {
		s.app.notes = row.Notes
	}
	err := r.about(s.app, row.Tensor, nil, write)
	if s.isObject {
		s.app.notes, s.app.written = nil, 0
	}
	return err
}
