package notation

import (
	"strconv"
	"strings"

	"layoutcalc/layout"
)

// fitsStableHLO knows a tensor type of MLIR.
func fitsStableHLO(text string) bool { return isMLIRType(text, "tensor") }

// isMLIRType reports whether the text is a type of MLIR of that kind, behind a value or not.
func isMLIRType(text, kind string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	if i := strings.IndexByte(text, ':'); i > 0 && text[0] == '%' {
		text = strings.TrimLeft(text[i+1:], " \t\r\n")
	}
	return strings.HasPrefix(text, kind) && strings.HasPrefix(strings.TrimLeft(text[len(kind):], " "), "<")
}

// readStableHLO reads a tensor type, whose elements lie row-major. What encodes them otherwise
// is not MLIR's own.
func readStableHLO(r *reader) {
	name := r.valueName()
	at := r.startType("tensor")
	sizes := r.dimensions()
	dtype := r.elementType()
	if r.take(",") {
		if encoding := r.attribute(); encoding != "" {
			r.skip("%s, the encoding", encoding)
		} else {
			r.unexpected("an encoding is expected here")
		}
	}
	r.close(">")
	r.strided(at, Descriptor{Name: name, Typed: true}, dtype, 0, sizes, r.rowMajor(sizes))
}

// valueName steps over a value and the colon before its type, if they are there.
func (r *reader) valueName() string {
	if !r.take("%") {
		return ""
	}
	name := r.word()
	if r.pos = r.after(":", r.pos); r.pos == len(r.text) {
		r.unexpected("a colon and a type are expected behind the value")
	}
	return name
}

// startType reads a type up to its sizes and returns where these start. One without rank has no
// layout.
func (r *reader) startType(kind string) (at int) {
	r.expect(kind)
	r.open("<")
	r.space()
	if r.peek() == '*' {
		r.unexpectedHint("such as "+kind+"<2x3xf32>", "a %s without a rank has no layout", kind)
	}
	return r.pos
}

// dimensions reads sizes, an x behind each, up to the type of the elements. The x ends a number:
// 0x3 is a 0 and a 3.
func (r *reader) dimensions() []int64 {
	sizes := make([]int64, 0, 8)
	for r.space(); isDigit(r.peek()) || r.peek() == '?' || r.peek() == '-'; r.space() {
		if r.peek() == '-' {
			r.unexpected("sizes are not negative")
			break
		}
		at := r.pos
		sizes = append(sizes, r.known("this size"))
		switch n := len(sizes); {
		case sizes[n-1] < 0:
			r.fail(at, "", "size %d is negative", sizes[n-1])
		case n > layout.MaxRank:
			r.fail(at, "", "more than %d sizes: the limit is rank %d", layout.MaxRank, layout.MaxRank)
		}
		if !r.take("x") {
			r.unexpectedHint("such as 2x3xf32", "an x is expected behind the size")
		}
	}
	return sizes
}

// elementType reads the type of the elements, which may be complex<f32>.
func (r *reader) elementType() layout.DType {
	r.space()
	at := r.pos
	word := r.word()
	switch word {
	case "complex":
		r.expect("<")
		word = "complex<" + r.word() + ">"
		r.expect(">")
	case "index":
		r.fail(at, "i64 or i32, as the target has it", "an index has no size of its own")
	case "vector", "memref", "tensor", "tuple", "none":
		r.fail(at, "give the type of a single number, and the sizes of the inner type as sizes", "elements of type %s are not numbers", word)
	case "":
		r.fail(at, "such as f32", "the type of the elements is expected here")
	}
	if r.err != nil {
		return 0
	}
	d, err := layout.ParseDType(word)
	r.within(at, err)
	return d
}

// attribute steps over an attribute, up to the comma or the bracket behind it, and returns it as
// it is written.
func (r *reader) attribute() string {
	r.space()
	start := r.pos
	for depth := 0; r.pos < len(r.text); r.pos++ {
		switch c := r.text[r.pos]; c {
		case '"':
			r.quoted()
			r.pos--
		case '-':
			if strings.HasPrefix(r.text[r.pos:], "->") {
				r.pos++
			}
		case '<', '(', '[', '{':
			depth++
		case '>', ')', ']', '}', ',':
			if depth == 0 {
				return strings.TrimSpace(r.text[start:r.pos])
			}
			if c != ',' {
				depth--
			}
		}
	}
	return r.text[start:]
}

// writeStableHLO writes a tensor type.
func writeStableHLO(t layout.Tensor) (string, error) {
	l := t.Layout()
	strides, ok := l.LinearStrides()
	switch {
	case !ok:
		return "", lost(t, "it is always row-major, and axis %s is in blocks", blocked(l))
	case l.Base() != 0:
		return "", lost(t, "it has no storage offset, and index 0 lies at %d", l.Base())
	case !l.Contiguous():
		return "", lost(t, "it is always row-major without gaps, and the strides are %s", layout.JoinInts(strides, ","))
	}
	dtype, err := spelled(t, t.DType().Info().MLIR)
	if err != nil {
		return "", err
	}
	return string(append(appendDimensions(make([]byte, 0, 64), "tensor", l.Sizes(), dtype), '>')), nil
}

// appendDimensions writes a type up to that of its elements.
func appendDimensions(b []byte, kind string, sizes []int64, dtype string) []byte {
	b = append(append(b, kind...), '<')
	for _, size := range sizes {
		b = append(strconv.AppendInt(b, size, 10), 'x')
	}
	return append(b, dtype...)
}
