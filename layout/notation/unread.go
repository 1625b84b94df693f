package notation

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/shape"
)

// An unreadType is what a type starts with, and why no layout can be read from it.
type unreadType struct {
	start, why string
	sized      bool // it says sizes
}

// unread are types of other systems.
var unread = [...]unreadType{
	{
		"vector<", "a vector of MLIR is held in registers and has no layout in memory: memref is the type that has one",
		true,
	},
	{"Kokkos::View<", "a view of Kokkos is not read", true},
	{"Eigen::Tensor<", "Eigen's type says how many axes there are, not their sizes", false},
	{"Eigen::TensorMap<", "Eigen's type says how many axes there are, not their sizes", false},
	{"at::TensorAccessor<", "the type of an accessor says how many axes there are, not their sizes", false},
	{"at::PackedTensorAccessor", "the type of an accessor says how many axes there are, not their sizes", false},
	{"torch::PackedTensorAccessor", "the type of an accessor says how many axes there are, not their sizes", false},
	{"struct ggml_tensor", "the type ggml_tensor says no sizes: those are its members ne and nb", false},
	{"ggml_tensor", "the type ggml_tensor says no sizes: those are its members ne and nb", false},
	{"cudnnTensorDescriptor", "a descriptor of cuDNN says nothing of what is in it", false},
	{"cudnnFilterDescriptor", "a descriptor of cuDNN says nothing of what is in it", false},
	{"miopenTensorDescriptor", "a descriptor of MIOpen says nothing of what is in it", false},
}

// cArray reports whether a text is an array of C, float x[4][8] or float[4][8], and returns it without the name, as in
// the latter.
func cArray(text string) (array string, ok bool) {
	text = strings.TrimPrefix(text, "const ")
	word := text[:wordLength(text)]
	_, ok = layout.DTypeIn(layout.C, word)
	ok = ok || word == "char" // which may be signed or not
	after := strings.TrimLeft(text[len(word):], " ")
	after = strings.TrimLeft(after[wordLength(after):], " ")
	return word + after, ok && strings.HasPrefix(after, "[")
}

// Unread returns the error of a text that is the type, or a call, of another system which no notation reads, nil where
// it does not have that form; and the arguments that say what it says of the tensor, where it says all of it.
func Unread(text string) (err *layout.SyntaxError, meant []string) {
	rest := strings.TrimPrefix(text, "!")
	r := newReader(rest, nil, Options{})
	name := r.Path()
	rest = rest[len(name):]
	why, sized := scan.Quote(name)+" is not read", !strings.HasSuffix(name, "Ex") // which has strides too
	array, isArray := cArray(text)
	known := slices.IndexFunc(unread[:], func(u unreadType) bool { return strings.HasPrefix(text, u.start) })
	switch {
	case known >= 0:
		why, sized = unread[known].why, unread[known].sized
	case isArray:
		why, rest = "an array of C is not read", array
	case rest == "" || strings.IndexByte("<({", rest[0]) < 0 || !isTypeName(name) || Recognises(text):
		return nil, nil
	}
	err = &layout.SyntaxError{Input: text, Msg: why, Hint: "give the sizes, such as layoutcalc strides 4x8"}
	if sized {
		meant = unreadArguments(text, rest)
	}
	if meant != nil {
		err.Hint = "give the sizes: layoutcalc strides " + strings.Join(meant, " ")
	}
	return err, meant
}

// isTypeName tells the name of a type, cv::Mat or ShapedArray, from that of a view step or a layout.
func isTypeName(name string) bool {
	return strings.Contains(name, "::") || strings.ToLower(name) != name && strings.ToUpper(name) != name
}

// unreadArguments returns the sizes, the layout and the type that a text says, as arguments. There are none where it
// may say something else, or the arguments do not make a tensor.
func unreadArguments(text, rest string) []string {
	sizes, dtype, ok := unreadShape(rest)
	dims, err := shape.ParseShape(sizes)
	if !ok || err != nil || strings.HasPrefix(text, "Kokkos::") && !hasAny(text, "LayoutLeft", "LayoutRight") {
		return nil // Kokkos has one on the host, the other on GPUs
	}
	s, meant := shape.Spec{Shape: dims}, []string{sizes}
	order := ""
	if at := strings.Index(text, "CUDNN_TENSOR_"); at >= 0 {
		order = text[at+len("CUDNN_TENSOR_"):]
		order = order[:wordLength(order)]
	} else if hasAny(text, "LayoutLeft", "ColMajor") ||
		strings.HasPrefix(text, "Eigen::") && !strings.Contains(text, "RowMajor") {
		order = "column-major"
	}
	if order != "" {
		name, err := shape.ParseName(order)
		if err != nil {
			return nil
		}
		s.Name, meant = &name, append(meant, order)
	}
	if dtype != "" {
		if d, ok := layout.DTypeIn(layout.C, dtype); ok {
			dtype = d.String()
		}
		if s.DType, err = layout.ParseDType(strings.TrimPrefix(strings.ToLower(dtype), "cudnn_data_")); err != nil {
			return nil
		}
		if s.DType != layout.DType(0) { // float32 is the default
			meant = append(meant, "-t", s.DType.String())
		}
	}
	if _, err := s.Tensor(); err != nil {
		return nil
	}
	return meant
}

// unreadShape finds the sizes, and the type next to them, if any, in the arguments of a type or call: 4x8xf32,
// float[4][8], or (half, 4, 8). It reports false where there are other numbers, or one of the sizes is none.
func unreadShape(text string) (sizes, dtype string, ok bool) {
	if hasAny(text, "[[", ".", "?", "*", "\"", "LayoutStride") {
		return "", "", false
	}
	start := nextNumber(text)
	before, after, between := strings.TrimRight(text[:start], " "), text[start:], ""
	closed := false
	for !closed {
		n := len(after) - len(strings.TrimLeft(after, "0123456789"))
		if n == 0 {
			break
		}
		sizes += "x" + after[:n]
		after = strings.TrimLeft(after[n:], " ")
		for _, separator := range [...]string{"x", "][", ","} {
			if between == "" && strings.HasPrefix(after, separator) {
				between = separator
			}
		}
		next, more := strings.CutPrefix(after, between)
		if closed = !more || between == ""; !closed {
			after = strings.TrimLeft(next, " ")
		}
	}
	switch word := after[:wordLength(after)]; {
	case between == "" || nextNumber(after) < len(after):
		return "", "", false
	case closed:
		ok = strings.IndexAny(after, ">)]}") == 0
	case between == "x":
		dtype, ok = word, word != ""
	default: // an option of Eigen
		ok = strings.HasSuffix(strings.TrimRight(after, "> "), "Major")
	}
	switch open, isList := strings.CutSuffix(before, ","); {
	case strings.HasSuffix(before, "]["):
		ok = false
	case isList:
		if dtype = lastWord(open); strings.HasPrefix(dtype, "CUDNN_TENSOR_") {
			open, _ = strings.CutSuffix(strings.TrimRight(strings.TrimSuffix(open, dtype), " "), ",")
			dtype = lastWord(open)
		}
		ok = ok && dtype != ""
	case strings.HasSuffix(before, "["):
		dtype = lastWord(strings.TrimSuffix(before, "["))
	default:
		ok = ok && strings.LastIndexAny(before, "<({") == len(before)-1
	}
	return strings.TrimPrefix(sizes, "x"), dtype, ok
}

// nextNumber returns where the next number starts that is not part of a word, the length of the text if there is none.
func nextNumber(text string) int {
	for i := range len(text) {
		if scan.IsDigit(text[i]) && (i == 0 || !scan.IsWord(text[i-1])) {
			return i
		}
	}
	return len(text)
}

// lastWord returns the word that a text ends with.
func lastWord(text string) string {
	start := len(text)
	for start > 0 && scan.IsWord(text[start-1]) {
		start--
	}
	return text[start:]
}
