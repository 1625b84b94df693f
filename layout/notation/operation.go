package notation

import (
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/algebra"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
)

// otherOperations are the CuTe functions that make layouts from layouts, but that package algebra does not have.
var otherOperations = [...]string{
	"append", "downcast", "filter_zeros", "flatten", "group", "group_modes", "local_partition", "local_tile",
	"max_common_layout", "prepend", "recast_layout", "select", "take", "upcast",
}

// startsOther reports whether a call at a token is one of otherOperations.
func (r cuteReader) startsOther(i int) bool {
	next := r.Text(r.Tokens()[i+1])
	return (next == "(" || next == "<") && slices.Contains(otherOperations[:], r.Text(r.Tokens()[i]))
}

// isAnother rejects the function at a token, which makes another layout.
func (r cuteReader) isAnother(i int) {
	t := r.Tokens()[i]
	r.Fail(int(t.At), "", "%s makes another layout, and is not evaluated here", r.Text(t))
}

// startsOperation reports whether a call at a token is an operation of package algebra, and not a swizzle before a
// layout.
func (r cuteReader) startsOperation(i int) bool {
	tokens := r.Tokens()
	c, ok := algebra.CuTe(r.Text(tokens[i]))
	return ok && c.Operation != "recast" && r.Text(tokens[i+1]) == "(" && !r.composes(i+2)
}

// An operand is an operand of an operation. It has a Descriptor if it is a layout.
type operand struct {
	algebra.Tiler
	of Descriptor
}

// operation evaluates the next call, composition(a, b) or tile_to_shape(a, (8, 64), (1, 0)).
func (r cuteReader) operation(name string) {
	at := r.Pos
	word := r.Text(r.Next())
	c, _ := algebra.CuTe(word)
	var list []operand
	r.Each("(", ")", func(int) { list = append(list, r.operand()) })
	if next := r.Token(); r.Is("o") || next.Kind == lexer.Mark && isOf(r.Text(next), ":([.") {
		r.Fail(int(next.At), "", "this use of the layout is not evaluated")
	}
	o, err := algebra.FindOperation(c.Operation)
	least, most := o.Takes()
	if n := len(list) - 1; n < least || n > most && (n != 2 || o.Name != "tile") {
		r.Fail(at, "", "the operands of %s are %s", word, o.Name+" A "+o.Operands)
	} else if m := list[0].of.Modes; m.Modes == nil && m.Extent == 0 {
		r.Fail(at, "", "the first operand of %s is not a layout", word)
	}
	if r.FaultAt(at, err); r.Err != nil {
		return
	}
	if len(list) > 1 {
		c.B = &list[1].Tiler
	}
	if len(list) > 2 {
		c.Order, err = list[2].Sizes()
		r.FaultAt(at, err)
	}
	d := list[0].of
	d.Name, d.At = name, at
	r.result(at, c, &d)
	r.add(d)
}

// result replaces the layout of d, the first operand of a call, with the result of the call.
func (r cuteReader) result(at int, c algebra.Call, d *Descriptor) {
	of := d.Tensor.Layout()
	var err error
	if c.A, err = algebra.New(d.Modes, of.Base(), of.Swizzles()...); err == nil {
		c.A, err = c.Result()
	}
	if err == nil {
		d.Tensor, err = layout.NewTensor(c.A.Flat(), d.Tensor.DType())
	}
	d.Modes, d.Skipped = c.A.Mode(), append(d.Skipped, c.A.Notes()...)
	if wrong, ok := err.(*lexer.SyntaxError); ok {
		wrong.Hint = "" // the hint is for the command algebra
	}
	r.FaultAt(at, err)
}

// operand reads an operand: a layout or a tiler as CuTe prints it, a call, a tuple that applies to modes, a number, or
// the name of an earlier layout.
func (r cuteReader) operand() (o operand) {
	for r.IsAt(1, "::") || r.IsAt(1, ".") {
		r.Next()
		r.Next()
	}
	word, first := r.Text(r.Token()), len(r.found)
	switch isTuple := slices.Contains(cuteTuples[:], word) || word == "make_tile" || word == "Tile"; {
	case word == "_", word != "" && isOf(word[:1], "0123456789([<"):
		o.Tiler = r.tiler()
		if l, ok := o.Layout(); ok && r.Err == nil {
			o.of.Modes = o.Mode
			o.of.Tensor, r.Err = layout.NewTensor(l.Flat(), r.options.DType)
		}
	case r.startsCall(r.Index()):
		r.Space()
		r.call("")
		if r.Err == nil && len(r.found) > first {
			o.of, r.found = r.found[first], r.found[:first]
			o.Mode = o.of.Modes
		}
	case isTuple && r.IsAt(1, "("), isTuple && r.IsAt(1, "<"):
		r.Next()
		open, closing := r.Text(r.Token()), ")"
		if open == "<" {
			closing = ">"
		}
		o.Each = []algebra.Tiler{}
		r.Each(open, closing, func(int) { o.Each = append(o.Each, r.operand().Tiler) })
		if r.Take("{") {
			r.Expect("}")
		}
	default:
		var v literal.Value
		if r.Operand(&v); r.Err == nil {
			return r.named(v)
		}
	}
	return o
}

// named returns the operand that a name stands for, or a number.
func (r cuteReader) named(v literal.Value) operand {
	for _, d := range slices.Backward(r.found) {
		if v.Kind == literal.Word && d.Name == v.Word && v.Inside("(<").List == nil {
			return operand{algebra.Tiler{Mode: d.Modes}, d}
		}
	}
	if v.Kind == literal.Word && v.Next == nil && !isStatic(v.Word) {
		r.Fail(v.At, "", "no layout of the name %s is known here", v.Word)
	}
	return operand{Tiler: algebra.Tiler{Mode: algebra.Digit(r.cuteMode(v).n, 1)}}
}
