package notation

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// An unreadType is what a type starts with, and why no layout can be read from it.
type unreadType struct{ start, why string }

// unread are types of other systems.
var unread = [...]unreadType{
	{"vector<", "a vector of MLIR is held in registers and has no layout in memory: memref is the type that has one"},
	{"Kokkos::View<", "a view of Kokkos is not read"},
	{"Eigen::Tensor<", "Eigen's type says how many axes there are, not their sizes"},
	{"Eigen::TensorMap<", "Eigen's type says how many axes there are, not their sizes"},
	{"at::TensorAccessor<", "the type of an accessor says how many axes there are, not their sizes"},
	{"at::PackedTensorAccessor", "the type of an accessor says how many axes there are, not their sizes"},
	{"torch::PackedTensorAccessor", "the type of an accessor says how many axes there are, not their sizes"},
	{"struct ggml_tensor", "the type ggml_tensor says no sizes: those are its members ne and nb"},
	{"ggml_tensor", "the type ggml_tensor says no sizes: those are its members ne and nb"},
	{"cudnnTensorDescriptor", "a descriptor of cuDNN says nothing of what is in it"},
	{"cudnnFilterDescriptor", "a descriptor of cuDNN says nothing of what is in it"},
	{"miopenTensorDescriptor", "a descriptor of MIOpen says nothing of what is in it"},
}

// cTypes are the names of types that arrays of C have, and PyTorch's graphs do not.
var cTypes = [...]string{
	"float", "double", "int", "char", "short", "long", "unsigned", "signed", "bool", "half", "UINT",
	"uint8_t", "int8_t", "uint16_t", "int16_t", "uint32_t", "int32_t", "uint64_t", "int64_t",
}

// cArray reports whether a text is an array of C, float x[4][8] or float[4][8], and returns what comes after its type.
func cArray(text string) (after string, ok bool) {
	text = strings.TrimPrefix(text, "const ")
	word := text[:wordLength(text)]
	if !slices.Contains(cTypes[:], word) {
		return "", false
	}
	after = strings.TrimLeft(text[len(word):], " ")
	name := after[:wordLength(after)]
	after = strings.TrimLeft(after[len(name):], " ")
	return after, strings.HasPrefix(after, "[")
}

// Unread returns the error of a text that is the type, or a call, of another system which no notation reads, nil where
// it does not have that form; and the arguments that say what it says of the tensor, where it says the sizes.
func Unread(text string) (err *layout.SyntaxError, meant []string) {
	rest := strings.TrimPrefix(text, "!")
	r := reader{Scanner: scan.Scanner{In: rest}}
	name := r.path()
	rest = rest[len(name):]
	why := scan.Quote(name) + " is not read"
	array, isArray := cArray(text)
	known := slices.IndexFunc(unread[:], func(u unreadType) bool { return strings.HasPrefix(text, u.start) })
	switch {
	case known >= 0:
		why = unread[known].why
	case isArray:
		why, rest = "an array of C is not read", array
	case rest == "" || strings.IndexByte("<({", rest[0]) < 0 || !isTypeName(name) || Recognises(text):
		return nil, nil
	}
	err = &layout.SyntaxError{Input: text, Msg: why, Hint: "give the sizes, such as layoutcalc strides 4x8"}
	if sizes := unreadSizes(rest); sizes != "" {
		meant = append([]string{sizes}, unreadLayout(text)...)
		err.Hint = "give the sizes: layoutcalc strides " + strings.Join(meant, " ")
	}
	return err, meant
}

// isTypeName tells the name of a type, cv::Mat or ShapedArray, from that of a view step or a layout.
func isTypeName(name string) bool {
	return strings.Contains(name, "::") || strings.ToLower(name) != name && strings.ToUpper(name) != name
}

// unreadSizes finds the sizes in the arguments of a type or call: 4x8xf32, float[4][8], or numbers with commas between
// them. There are none where one may be a value, or is known at run time only.
func unreadSizes(text string) string {
	if hasAny(text, "[[", ".", "?", "*", "\"") {
		return ""
	}
	best := ""
	for i := 0; i < len(text); i++ {
		if !scan.IsDigit(text[i]) || i > 0 && scan.IsWord(text[i-1]) {
			continue
		}
		sizes, n, listed := "", 0, i > 0 && (text[i-1] == '{' || text[i-1] == '[')
		for k := i; k < len(text); n++ {
			end := k
			for end < len(text) && scan.IsDigit(text[end]) {
				end++
			}
			if end == k && listed {
				return "" // not all of them are numbers
			}
			if end == k {
				break
			}
			sizes += "x" + text[k:end]
			after := strings.TrimLeft(text[end:], " ")
			i = end
			k = len(text)
			for _, between := range [...]string{"x", "][", ","} {
				if next, ok := strings.CutPrefix(after, between); ok {
					k = len(text) - len(strings.TrimLeft(next, " "))
					break
				}
			}
		}
		if best == "" && n > 1 {
			best = sizes[1:]
		} else if n > 1 {
			return "" // two lists
		}
	}
	return best
}

// unreadLayout returns the layout and the type that a text names, as arguments.
func unreadLayout(text string) (meant []string) {
	at := strings.Index(text, "CUDNN_TENSOR_")
	switch {
	case at >= 0:
		name := text[at+len("CUDNN_TENSOR_"):]
		meant = append(meant, name[:wordLength(name)])
	case hasAny(text, "LayoutLeft", "ColMajor"),
		strings.HasPrefix(text, "Eigen::") && !strings.Contains(text, "RowMajor"):
		meant = append(meant, "column-major")
	}
	words := strings.FieldsFunc(text, func(c rune) bool { return c >= 0x80 || !scan.IsWord(byte(c)) && c != '.' })
	for _, word := range words {
		word = strings.TrimPrefix(strings.ToLower(word), "cudnn_data_")
		word = strings.TrimLeft(word, "0123456789x")
		if len(word) > 1 && layout.IsDType(word) {
			if d, err := layout.ParseDType(word); err == nil && d != layout.DType(0) { // float32 is the default
				meant = append(meant, "-t", d.String())
			}
			break
		}
	}
	return meant
}
