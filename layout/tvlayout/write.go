package tvlayout

import (
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/algebra"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/wording"
)

// MaxDump is the maximum number of holders, and of elements, that are written as Triton dumps them.
const MaxDump = 1 << 18

// As writes the ownership in the words of a system: triton, triton-hw, cute or linear. The text ends with a line end.
func (o *Ownership) As(system string) (text string, err error) {
	if err := o.CheckWhole(); err != nil {
		return "", err
	}
	switch system {
	case "cute":
		return o.CuTe() + "\n", nil
	case "linear":
		text, err = o.Linear()
		return text + "\n", err
	}
	return o.Triton(system == "triton-hw")
}

// Triton writes who holds each element as Triton's compiler dumps it (getLayoutStr): the tile with the threads of each
// element or, from the view of the hardware, the elements of each register.
func (o *Ownership) Triton(ofHardware bool) (string, error) {
	l, sizes := o.layout, o.tile.Sizes()
	if n := max(l.Elements(), o.tile.Elements()); n > MaxDump {
		return "", lexer.Refuse("", "a dump of %d holders is over the limit of %d", n, MaxDump)
	}
	blocks, threads, values := l.Axis(Block).Size(), l.Axis(Warp).Size()*o.Lanes(), l.Axis(Value).Size()
	if !ofHardware {
		cells := make([]string, o.tile.Elements())
		for holder, number := range l.All() {
			thread, prefix := o.Thread(holder), ""
			if blocks > 1 {
				prefix = fmt.Sprint("B", holder[Block], ":")
			}
			blank := missing(holder[Block], blocks) + missing(thread, threads) + missing(holder[Value], values)
			cells[number] += fmt.Sprintf("|%*s%sT%d:%d", blank, "", prefix, thread, holder[Value])
		}
		cell := func(i int) string { return strings.TrimPrefix(cells[i], "|") }
		return bracketed(sizes, ", ", cell), nil
	}
	var b strings.Builder
	index, at := make([]int64, len(sizes)), make([]int64, 4)
	for at[Block] = range blocks {
		if blocks > 1 {
			fmt.Fprintf(&b, "Block%d:\n", at[Block])
		}
		for at[Warp] = range l.Axis(Warp).Size() {
			fmt.Fprintf(&b, "Warp%d:\n", at[Warp])
			for at[Value] = range values {
				for at[Lane] = range o.Lanes() {
					number, err := l.Offset(at)
					if err != nil {
						return "", err
					}
					if o.Index(index, number); at[Lane] > 0 {
						b.WriteString(", ")
					}
					b.WriteString(padded(index, sizes, ","))
				}
				b.WriteByte('\n')
			}
		}
	}
	return b.String(), nil
}

// isShared reports whether name is an encoding of shared memory.
func isShared(name string) bool {
	return lexer.Like(name, "*shared*", "tensor_memory*")
}

// IsShared reports whether text is a Triton encoding for shared memory, alone or in the type of a tensor.
func IsShared(text string) bool {
	c := lexer.NewCursor(text)
	isOne := func(t lexer.Token) bool { return t.Kind == lexer.Word && isShared(c.Text(t)) }
	return slices.ContainsFunc(c.Tokens(), isOne)
}

// TritonShared writes which element is at each offset of a tensor in shared memory, as Triton's compiler dumps it. The
// tile has the sizes of an encoding alone.
func TritonShared(text string, tile []int64, ofHardware bool) (string, error) {
	if tile != nil && len(text) > 0 && text[0] == '#' {
		text = "tensor<" + layout.JoinInts(tile, "x") + "xi8, " + text + ">"
	}
	found, err := notation.Read(text, notation.Options{})
	if err != nil {
		return "", err
	}
	l := found[0].Tensor.Layout()
	low, high := l.Bounds()
	if n := high + 1; low != 0 || n > MaxDump || n != l.Elements() {
		const msg = "the tensor has %s up to offset %d: Triton dumps those without gaps, up to %d"
		return "", lexer.Refuse("", msg, wording.Count(l.Elements(), "element"), high, MaxDump)
	}
	inverse := analysis.NewInverse(l)
	cell := func(i int, between string) string {
		if found := inverse.At(int64(i), 1).Indices; len(found) > 0 {
			return padded(found[0], l.Sizes(), between)
		}
		return ""
	}
	if !ofHardware {
		return bracketed(l.Sizes(), ",", func(i int) string { return cell(i, ":") }), nil
	}
	var b strings.Builder
	b.WriteString("Block: 0:\n")
	for i := range int(high + 1) {
		fmt.Fprintf(&b, "Offset: %d -> %s\n", i, cell(i, ","))
	}
	return b.String(), nil
}

// missing returns how many characters a number is shorter than the last one below a size.
func missing(n, size int64) int { return len(fmt.Sprint(size-1)) - len(fmt.Sprint(n)) }

// padded writes an index, each number as wide as the last one of its size.
func padded(index, sizes []int64, between string) string {
	parts := make([]string, len(index))
	for i, n := range index {
		parts[i] = fmt.Sprintf("%*s%d", missing(n, sizes[i]), "", n)
	}
	return "(" + strings.Join(parts, between) + ")"
}

// bracketed writes the cells of a tensor in row-major order, in brackets for each axis and a line for each row.
func bracketed(sizes []int64, between string, cell func(i int) string) string {
	var b strings.Builder
	count, _ := layout.ProductOf(sizes)
	ends := func(i int64) (n int) { // how many axes start or end at an element
		block := int64(1)
		for k := len(sizes) - 1; k >= 0; k-- {
			if block *= sizes[k]; i%block != 0 {
				break
			}
			n++
		}
		return n
	}
	row := sizes[len(sizes)-1]
	for i := range count {
		opened := ends(i)
		b.WriteString(strings.Repeat("[", opened))
		if i%row == 0 {
			b.WriteString(strings.Repeat(" ", len(sizes)-opened))
		}
		b.WriteString(cell(int(i)) + strings.Repeat("]", ends(i+1)))
		if (i+1)%row == 0 {
			b.WriteByte('\n')
		} else {
			b.WriteString(between)
		}
	}
	return b.String()
}

// apart returns the dimension and the distance that a digit of the given stride moves the index in the tile. The
// dimension is none for a digit that repeats.
func (o *Ownership) apart(stride int64) (dim int, by int64) {
	index := make([]int64, o.tile.Rank())
	o.Index(index, stride)
	dim = slices.IndexFunc(index, func(n int64) bool { return n != 0 })
	if dim == none {
		return none, 0
	}
	return dim, index[dim]
}

// Linear writes the ownership as #ttg.linear, which lists the change of the index for each bit of a number.
func (o *Ownership) Linear() (string, error) {
	var parts []string
	for _, axis := range []int{Value, Lane, Warp, Block} {
		var bases []string
		digits := o.layout.Axis(axis).DigitList()
		for _, d := range slices.Backward(digits) {
			if d.Extent&(d.Extent-1) != 0 {
				return "", lexer.Refuse("", "#ttg.linear has powers of two, and a digit of the %ss counts to %d",
					axisNames[axis], d.Extent)
			}
			for n := int64(1); n < d.Extent; n *= 2 {
				basis := make([]int64, o.tile.Rank())
				o.Index(basis, n*d.Stride)
				bases = append(bases, layout.ListText(basis))
			}
		}
		name := axisNames[axis]
		if axis == Value {
			name = "register"
		}
		parts = append(parts, name+" = ["+strings.Join(bases, ", ")+"]")
	}
	return "#ttg.linear<{" + strings.Join(parts, ", ") + "}>", nil
}

// CuTe writes the layout from thread and value to the tile. The first index of the tile is the fastest. B is CuTe's,
// (n,k).
func (o *Ownership) CuTe() string {
	strides, _ := layout.PackedStrides(o.tile.Sizes(), !o.isTransposed()) // the sizes of a tile, which fit
	var modes [2]algebra.Mode
	for i, axes := range [][]int{{Lane, Warp, Block}, {Value}} {
		var digits []layout.Digit
		for _, axis := range axes {
			list := o.layout.Axis(axis).DigitList()
			for _, d := range slices.Backward(list) {
				if dim, by := o.apart(d.Stride); dim != none {
					d.Stride = by * strides[dim]
				}
				digits = append(digits, d)
			}
		}
		modes[i] = algebra.Coalesced(digits)
	}
	return algebra.List(modes[:]...).String()
}

// isTransposed reports whether the tile is a B of an instruction, (k,n), which CuTe has as (n,k).
func (o *Ownership) isTransposed() bool {
	rank := o.tile.Rank()
	return rank > 1 && o.tile.AxisName(rank-2) == "k" && o.tile.AxisName(rank-1) == "n"
}
