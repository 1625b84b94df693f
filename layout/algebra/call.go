package algebra

import (
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// An Operation is a row of [Operations].
type Operation struct {
	Name     string
	Operands string // after A; those in brackets may be left out
	About    string
	Example  string // of the operands
}

// Operations are the operations on a layout A.
var Operations = [...]Operation{
	{"compose", "B", "R(i) = A(B(i))", "'(6,2):(8,2)' '(4,3):(3,1)'"},
	{"coalesce", "[PROFILE]", "the fewest modes that are the same function", "'(2,(1,6)):(1,(6,2))'"},
	{"complement", "[N]", "the least layout whose sums with A differ and fill up to N", "'(2,2):(4,1)' 24"},
	{"inverse", "", "A(R(j)) = j, or with --left R(A(i)) = i", "'(2,4,6):(4,1,8)'"},
	{"divide", "T", "the elements of a tile, and the tiles", "'(6,8):(8,1)' '(3,4)'"},
	{"product", "B", "a copy of A for each element of B", "'(2,2):(4,1)' 6:1"},
	{"recast", "FROM TO", "the same bits as elements of another type", "'(32,4):(1,32)' int8 int32"},
	{"tile", "SHAPE", "A repeated up to a shape", "'(3,2):(1,3)' '(6,8)'"},
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

// FindOperation returns the operation of a name.
func FindOperation(name string) (Operation, error) {
	var names []string
	for _, o := range Operations {
		if names = append(names, o.Name); strings.EqualFold(o.Name, name) {
			return o, nil
		}
	}
	return Operation{}, scan.Unknown("operation", name, names)
}

// cuteNames has the operation for each function of CuTe, with flags.
var cuteNames = [...]struct{ name, call string }{
	{"composition", "compose"}, {"coalesce", "coalesce"}, {"complement", "complement"},
	{"right_inverse", "inverse"}, {"left_inverse", "inverse --left"},
	{"logical_divide", "divide"}, {"zipped_divide", "divide --form zipped"}, {"tiled_divide", "divide --form tiled"},
	{"flat_divide", "divide --form flat"}, {"logical_product", "product"}, {"zipped_product", "product --form zipped"},
	{"tiled_product", "product --form tiled"}, {"flat_product", "product --form flat"},
	{"blocked_product", "product --form blocked"}, {"raked_product", "product --form raked"},
	{"recast_layout", "recast"}, {"tile_to_shape", "tile"},
}

// CuTe returns the operation, with flags, that a function of CuTe is; nil for none.
func CuTe(function string) []string {
	for _, n := range cuteNames {
		if strings.EqualFold(n.name, function) {
			return strings.Fields(n.call)
		}
	}
	return nil
}

// A Call is an operation with its operands.
type Call struct {
	Operation string // one of Operations
	A         Layout
	B         *Tiler // nil if there is none
	Form      Form
	Left      bool    // the left inverse
	Order     []int64 // of tile: the modes of smaller numbers are repeated first; nil for the order of the modes
	From, To  int64   // of recast: the bits of an element
}

// Result returns the layout that an operation makes, which has been held against its definition.
func (c Call) Result() (Layout, error) {
	whole := Tiler{}
	if c.B != nil {
		whole = *c.B
	}
	switch c.Operation {
	case "compose":
		return c.A.Compose(whole)
	case "coalesce":
		return c.A.Coalesce(whole)
	case "complement":
		n := int64(0)
		if c.B != nil {
			sizes, err := whole.Sizes()
			if err == nil {
				n, err = layout.ProductOf(sizes)
			}
			if err != nil {
				return Layout{}, err
			}
		}
		return c.A.Complement(n)
	case "inverse":
		if c.Left {
			return c.A.LeftInverse()
		}
		return c.A.Inverse()
	case "divide":
		return c.A.Divide(whole, c.Form)
	case "product":
		return c.A.Product(whole, c.Form)
	case "recast":
		return c.A.Recast(c.From, c.To)
	case "tile":
		sizes, err := whole.Sizes()
		if err != nil {
			return Layout{}, err
		}
		return c.A.Tile(sizes, c.Order)
	}
	_, err := FindOperation(c.Operation)
	return Layout{}, err
}

// Sizes returns the sizes of a shape.
func (t Tiler) Sizes() (sizes []int64, err error) {
	parts := t.Each
	if t.Each == nil {
		parts = []Tiler{t}
	}
	for _, part := range parts {
		size := int64(0)
		switch {
		case part.Keep || part.Each == nil && (part.Mode.Modes != nil || part.Mode.Stride != 1):
			return nil, scan.Refuse("such as (6,8)", "%s is no shape", t)
		case part.Each == nil:
			size = part.Mode.Extent
		default:
			var inner []int64
			if inner, err = part.Sizes(); err == nil {
				size, err = layout.ProductOf(inner)
			}
			if err != nil {
				return nil, err
			}
		}
		sizes = append(sizes, size)
	}
	return sizes, nil
}
