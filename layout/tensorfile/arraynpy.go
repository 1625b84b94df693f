package tensorfile

import "fmt"

// npyArray finds the array of a .npy file.
func (t *tensorFile) npyArray(tensor string) (Array, error) {
	h := t.npyRead()
	if t.fault != nil {
		return Array{}, t.fault
	}
	if tensor != "" {
		return Array{}, refusal("leave --tensor out", "a .npy file has one array, which has no name")
	}
	if err := h.movable(); err != nil {
		return Array{}, err
	}
	start, have := t.pos(), t.left()
	need := claimed(h.shape, h.bits)
	switch {
	case need.over != nil || need.bytes > have:
		return Array{}, wrongLength(cutOff, "", need, start, have)
	case need.bytes < have:
		return Array{}, wrongLength("arrays that are saved one behind the other into one file have to be saved into files of their own", "", need, start, have)
	}
	a := Array{Kind: npyKind, TypeName: h.descr, Bits: h.bits, Swap: h.swap(), Sizes: h.shape, Fortran: h.fortran, Start: start, Bytes: have}
	a.Type, a.TypeKnown = t.npyDType(h)
	return a, nil
}

// movable refuses shapes and types whose elements cannot be moved.
func (h *npyHeader) movable() error {
	if !h.known {
		hint := "NumPy's types are such as '<f4', '<f2', '<i8' and '|u1'"
		if near := npySpelling(h.descr); near != "" {
			hint = "NumPy writes it " + near
		}
		return refusal(hint, "%s is no type of NumPy that is known here", quoted(h.descr))
	}
	if hasMinus(h.shape) {
		return refusal("", "the shape %s has a negative size", npyShape(h.shape))
	}
	switch h.bits / 8 {
	case 1, 2, 4, 8, 16:
		return nil
	}
	return refusal(h.narrower(), "an element of type %s has %s: those of 1, 2, 4, 8 and 16 bytes are moved", quoted(h.descr), byteCount(h.bits/8))
}

// narrower is the hint what to save instead of an array whose elements have a size that is not moved.
func (h *npyHeader) narrower() string {
	switch {
	case h.bits == 0:
		return ""
	case h.kind[0] == 'U':
		return fmt.Sprintf("save the characters one by one: a.view('%s1').reshape(a.shape + (%d,))", h.descr[:len(h.descr)-len(h.kind)+1], h.bits/32)
	case h.kind[0] == 'S':
		return fmt.Sprintf("save the bytes one by one: a.view('S1').reshape(a.shape + (%d,))", h.bits/8)
	case h.kind[0] == 'c':
		return "save a.astype('<c16'), which has less precision"
	}
	return "save a.astype('<f8'), which has less precision"
}

// swap returns how many bytes form a unit whose order has to be reversed, 0 when none has. NumPy reads
// types without an order of bytes, and those of = and |, in the order of the machine, which is
// little-endian wherever such files come from: its writer always says < or >.
func (h *npyHeader) swap() int {
	unit := h.bits / 8
	switch h.kind[0] {
	case 'c':
		unit /= 2
	case 'U':
		unit = 4
	case 'S':
		unit = 1
	}
	if h.order != '>' || unit == 1 {
		return 0
	}
	return int(unit)
}
