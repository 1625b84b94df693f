package algebra

import (
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// An Operation is a row of [Operations].
type Operation struct {
	Name     string
	Operands string // after A; operands in brackets are optional
	About    string
	Example  string // an example of the operands
	result   func(*work, Call) Mode
}

// Operations are the operations on a layout A.
var Operations = [...]Operation{
	{"compose", "B", "R(i) = A(B(i))", "'(6,2):(8,2)' '(4,3):(3,1)'", (*work).composed},
	{"coalesce", "[PROFILE]", "the fewest modes for the same offsets", "'(2,(1,6)):(1,(6,2))'", (*work).coalesced},
	{"filter", "[PROFILE]", "coalesce without modes of stride 0", "'(2,1,4):(1,0,2)'", (*work).filtered},
	{"complement", "[N]", "the least layout whose sums with A fill up to N", "'(2,2):(4,1)' 24", (*work).filler},
	{"inverse", "", "A(R(j)) = j, or with --left R(A(i)) = i", "'(2,4,6):(4,1,8)'", (*work).inverted},
	{"divide", "T", "the elements of a tile, and the tiles", "'(6,8):(8,1)' '(3,4)'", (*work).divided},
	{"product", "B", "a copy of A for each element of B", "'(2,2):(4,1)' 6:1", (*work).multiplied},
	{"recast", "FROM TO", "the same bits as elements of another type", "'(32,4):(1,32)' int8 int32", (*work).recast},
	{"tile", "SHAPE", "A repeated up to a shape", "'(3,2):(1,3)' '(6,8)'", (*work).tiled},
}

// cuteNames has the call for each CuTe function.
var cuteNames = [...]struct {
	name string
	call Call
}{
	{"composition", Call{Operation: "compose"}}, {"coalesce", Call{Operation: "coalesce"}},
	{"filter", Call{Operation: "filter"}},
	{"complement", Call{Operation: "complement"}}, {"recast_layout", Call{Operation: "recast"}},
	{"right_inverse", Call{Operation: "inverse"}}, {"left_inverse", Call{Operation: "inverse", Left: true}},
	{"logical_divide", Call{Operation: "divide"}}, {"zipped_divide", Call{Operation: "divide", Form: Zipped}},
	{"tiled_divide", Call{Operation: "divide", Form: Tiled}}, {"flat_divide", Call{Operation: "divide", Form: Flat}},
	{"logical_product", Call{Operation: "product"}}, {"zipped_product", Call{Operation: "product", Form: Zipped}},
	{"tiled_product", Call{Operation: "product", Form: Tiled}},
	{"flat_product", Call{Operation: "product", Form: Flat}},
	{"blocked_product", Call{Operation: "product", Form: Blocked}},
	{"raked_product", Call{Operation: "product", Form: Raked}}, {"tile_to_shape", Call{Operation: "tile"}},
}

// CuTe returns the call, without its operands, for a CuTe function; ok is false for other words.
func CuTe(function string) (c Call, ok bool) {
	for _, n := range cuteNames {
		if strings.EqualFold(n.name, function) {
			return n.call, true
		}
	}
	return Call{}, false
}

// Words returns the name of the operation and the flags of a call.
func (c Call) Words() []string {
	words := []string{c.Operation}
	if c.Left {
		words = append(words, "--left")
	}
	if c.Form != Logical {
		words = append(words, "--form", Forms[c.Form])
	}
	return words
}

// Takes returns how many operands there are after A, at least and at most.
func (o Operation) Takes() (least, most int) {
	for _, word := range strings.Fields(o.Operands) {
		if most++; word[0] != '[' {
			least++
		}
	}
	return least, most
}

// HasOneLayout reports whether A is the only operand of the operation that is a layout.
func (o Operation) HasOneLayout() bool {
	return slices.Contains([]string{"[N]", "FROM TO", "SHAPE"}, o.Operands)
}

// FindOperation returns the operation of a name.
func FindOperation(name string) (Operation, error) {
	var names []string
	for _, o := range Operations {
		if names = append(names, o.Name); strings.EqualFold(o.Name, name) {
			return o, nil
		}
	}
	return Operation{}, lexer.Unknown("operation", name, names)
}

// A Call is an operation with its operands.
type Call struct {
	Operation string // the name of one of Operations
	A         Layout
	B         *Tiler // may be nil
	Start     int64  // of compose: R(i) = A(Start + B(i))
	Form      Form
	Left      bool    // the left inverse
	Order     []int64 // of tile: the modes with smaller numbers are repeated first; nil for the order of the modes
	From, To  int64   // of recast: the bits of an element
}

// second returns the second operand; without one it is the zero Tiler.
func (c Call) second() Tiler {
	if c.B == nil {
		return Tiler{}
	}
	return *c.B
}

// Result returns the layout that the operation makes, once it is compared with its definition.
func (c Call) Result() (Layout, error) {
	o, err := FindOperation(c.Operation)
	if err == nil {
		err = c.A.filled("A")
	}
	if err != nil {
		return Layout{}, err
	}
	w := &work{operation: c.Operation, base: c.A.flat.Base(), swizzles: c.A.flat.Swizzles()}
	m := o.result(w, c)
	if wrong, ok := w.err.(*lexer.SyntaxError); ok && c.Operation == "compose" {
		if _, _, err := c.Values(); err == nil {
			wrong.Hint = "--values lists A(B(i)) anyway"
		}
	}
	if w.err != nil {
		return Layout{}, w.err
	}
	made, err := New(m, w.base, w.swizzles...)
	made.notes, made.short = w.notes, c.A.short
	return made, err
}

// filled returns an error for a layout without elements.
func (l Layout) filled(operand string) error {
	if l.flat.Empty() {
		return lexer.Refuse("", "%s, %s, has no elements", operand, l)
	}
	return nil
}

// A work is an operation that is being evaluated. It keeps the first error; results after the error have no meaning.
type work struct {
	operation string
	base      int64 // the base of the result
	swizzles  []layout.Swizzle
	notes     []string
	err       error
}

// fail records an error unless one is recorded already.
func (w *work) fail(format string, args ...any) {
	if w.err == nil {
		w.err = lexer.Refuse("", format, args...)
	}
}

// note adds a note, once.
func (w *work) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(w.notes, text) {
		w.notes = append(w.notes, text)
	}
}

// checked returns a number unless it did not fit; then it is 1.
func (w *work) checked(what string, n int64, err error) int64 {
	if err == nil {
		return n
	}
	if w.err == nil {
		w.err = layout.NameOverflow(what, err)
	}
	return 1
}

// times returns a product that is some quantity.
func (w *work) times(what string, a, b int64) int64 {
	n, err := layout.Mul(a, b)
	return w.checked(what, n, err)
}

// size returns the number of elements.
func (w *work) size(m Mode) int64 {
	n, err := m.size()
	return w.checked("", n, err)
}

// cosize returns the offset after the last one of a mode. The strides of m must not be negative.
func (w *work) cosize(m Mode) int64 {
	size := int64(1)
	for _, d := range m.digits() {
		n, err := layout.Add(size, w.times("the cosize", d.Extent-1, d.Stride))
		size = w.checked("the cosize", n, err)
	}
	return size
}

// takes rejects a layout as second operand if it has no elements, or maps to negative numbers.
func (w *work) takes(b Mode) {
	l, err := New(b, 0)
	if err == nil {
		err = l.filled("B")
	}
	if w.err == nil {
		w.err = err
	}
	for _, d := range b.digits() {
		if d.Stride < 0 && d.Extent > 1 {
			w.fail("B, %s, has the stride %d, and leads to numbers below 0", b, d.Stride)
		}
	}
}

// byMode applies an operation to a mode and a layout, or to the first modes, each with its part of a tiler; the others
// stay.
func (w *work) byMode(m Mode, t Tiler, operation func(m, b Mode) Mode) Mode {
	switch {
	case t.Keep:
		return m
	case t.Each == nil:
		return operation(m, t.Mode)
	}
	made := List(m.list()...)
	if w.fits(m, t); w.err != nil {
		return m
	}
	if n := len(t.Each); w.operation == "compose" && n < len(made.Modes) {
		w.note("the modes of A from %d on stay as they are; C++'s composition drops them", n)
	}
	for i, part := range t.Each {
		made.Modes[i] = w.byMode(made.Modes[i], part, operation)
	}
	return made
}

// fits rejects a tiler that has more parts than m has modes.
func (w *work) fits(m Mode, t Tiler) {
	if n := len(m.list()); len(t.Each) > n {
		w.fail("the tiler %s has %s, and A, %s, has %d", t, wording.Count(len(t.Each), "mode"), m, n)
	}
}

// maxChecked is the maximum number of elements of a result that are compared with their definition.
const maxChecked = 4096

// verify compares n values with their definition. If there are too many, it compares evenly spread values.
func (w *work) verify(n int64, have, want func(int64) int64) {
	step := max(n/maxChecked, 1)
	for k := int64(0); k < min(n, maxChecked) && w.err == nil; k++ {
		if i := k * step; have(i) != want(i) {
			w.wrong("element %d is at %d, and by definition at %d", i, have(i), want(i))
		}
	}
}

// wrong reports a result that differs from its definition.
func (w *work) wrong(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("a wrong result, because of a bug in this program, is not printed: "+format, args...)
	}
}

// function returns the offsets of a mode as a function of the number.
func (m Mode) function() func(int64) int64 {
	digits := m.endless()
	return func(i int64) int64 { return at(digits, i) }
}

// endless returns the digits up to the one that continues beyond its extent: the last one with an extent above 1, or
// otherwise the last one.
func (m Mode) endless() []layout.Digit {
	digits := m.digits()
	for n := len(digits); n > 0; n-- {
		if digits[n-1].Extent > 1 {
			return digits[:n]
		}
	}
	return append([]layout.Digit{{Extent: 1}}, digits...)
}

// identity is the function that a layout and its inverse make.
func identity(i int64) int64 { return i }
