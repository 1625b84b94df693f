package input

import (
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/shape"
)

// answers returns the tensors of layoutcalc's own answers in JSON, or of such tensors alone, up to the first error.
func answers(list []*doctree.Tree) (found []notation.Descriptor, err error) {
	for _, tree := range list {
		for v := range tree.All {
			digits, ok := v.Get("digits")
			if !ok {
				continue
			}
			t, at, why := answered(v, digits)
			if why != "" {
				return found, &doctree.Fault{Offset: at.Offset(), Msg: why}
			}
			name := dotted(v.Pointer())
			found = append(found, notation.Descriptor{Name: name, Tensor: t, Typed: true, At: v.Offset()})
		}
	}
	return found, nil
}

// dotted converts a JSON pointer, /steps/0/tensor, to the form steps[0].tensor.
func dotted(pointer string) string {
	var b strings.Builder
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for i, part := range strings.Split(pointer, "/") {
		switch _, err := strconv.Atoi(part); {
		case i == 0:
		case err == nil:
			b.WriteString("[" + part + "]")
		case b.Len() > 0:
			b.WriteString("." + unescape.Replace(part))
		default:
			b.WriteString(unescape.Replace(part))
		}
	}
	return b.String()
}

// answered returns a tensor of an answer. If the tensor is invalid, it returns the value that is wrong, and why.
func answered(v, digits doctree.Value) (t layout.Tensor, at doctree.Value, why string) {
	sizesAt, sized := v.Get("sizes")
	typeAt, typed := v.Get("dtype")
	if !sized || !typed {
		return t, v, "an object with digits is a tensor of layoutcalc's answers, and must have dtype and sizes"
	}
	sizes, ok := sizesAt.Ints(nil)
	if !ok {
		return t, sizesAt, "sizes must be a list of whole numbers"
	}
	if !isDigits(digits, len(sizes)) {
		return t, digits, "digits must be a list of lists, one for each size, as in layoutcalc's answers"
	}
	dtype, err := layout.ParseDType(typeAt.Text())
	if err != nil {
		return t, typeAt, err.Error()
	}
	var names []string
	if list, ok := v.Get("axes"); ok {
		for item := range list.Items {
			names = append(names, item.Text())
		}
	}
	var axes []layout.Axis
	for item := range digits.Items {
		name, i := "", len(axes)
		if i < len(names) && lexer.IsName(names[i]) {
			name = names[i]
		}
		axes = append(axes, layout.NewAxis(name, sizes[i], digitsOf(item)...))
	}
	base := int64(0)
	if at, ok := v.Get("base"); ok {
		if base, ok = at.Int(); !ok {
			return t, at, "a base is a whole number"
		}
	}
	l, err := layout.New(base, axes...)
	if err == nil {
		l, err = l.Swizzled(swizzlesOf(v)...)
	}
	if err == nil {
		t, err = layout.NewTensor(l, dtype)
	}
	if err != nil {
		return t, digits, err.Error()
	}
	if at, ok := v.Get("strides"); ok && at.Kind() == doctree.Array {
		own, _ := l.LinearStrides()
		if stated, _ := at.Ints(nil); !slices.Equal(own, stated) {
			return t, at, "the strides are not those of the digits: " + layout.JoinInts(own, ",")
		}
	}
	if at, ok := v.Get("layout"); ok && slices.Contains(shape.Names(l), at.Text()) {
		t = t.Called(at.Text())
	}
	return t, v, ""
}

// swizzlesOf reads the swizzles of a tensor.
func swizzlesOf(v doctree.Value) (list []layout.Swizzle) {
	all, ok := v.Get("swizzle")
	if !ok {
		return nil
	}
	number := func(v doctree.Value, name string) int {
		const most = 1 << 16 // exceeds the values of any swizzle
		return int(min(max(numberOf(v, name), -most), most))
	}
	for item := range all.Items {
		list = append(list, layout.Swizzle{
			Bits: number(item, "bits"), Base: number(item, "base"), Shift: number(item, "shift"),
		})
	}
	return list
}

// isDigits reports whether v is a list with a list for each of n sizes.
func isDigits(v doctree.Value, n int) bool {
	if v.Kind() != doctree.Array || v.Len() != n {
		return false
	}
	for item := range v.Items {
		if item.Kind() != doctree.Array {
			return false
		}
	}
	return true
}

// digitsOf reads the digits of an axis.
func digitsOf(v doctree.Value) (digits []layout.Digit) {
	for item := range v.Items {
		digits = append(digits, layout.Digit{Extent: numberOf(item, "extent"), Stride: numberOf(item, "stride")})
	}
	return digits
}

// numberOf returns the number in the member of v named name, or 0 if there is no such number.
func numberOf(v doctree.Value, name string) (n int64) {
	if member, ok := v.Get(name); ok {
		n, _ = member.Int()
	}
	return n
}
