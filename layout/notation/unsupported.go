package notation

import (
	"cmp"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/wording"
)

// An unreadType is the start of a type, and the reason why no layout can be read from it.
type unreadType struct {
	start, why string
	sized      bool // the type includes sizes
}

// unread lists types of other systems.
var unread = [...]unreadType{
	{
		"vector<", "a vector of MLIR is held in registers and has no layout in memory: memref is the type that has one",
		true,
	},
	{"Kokkos::View<", "a view of Kokkos is not read", true},
	{"Eigen::Tensor<", "Eigen's type has the number of axes, not their sizes", false},
	{"Eigen::TensorMap<", "Eigen's type has the number of axes, not their sizes", false},
	{"at::TensorAccessor<", "the type of an accessor has the number of axes, not their sizes", false},
	{"at::PackedTensorAccessor", "the type of an accessor has the number of axes, not their sizes", false},
	{"torch::PackedTensorAccessor", "the type of an accessor has the number of axes, not their sizes", false},
	{"struct ggml_tensor", "the type ggml_tensor says no sizes: those are its members ne and nb", false},
	{"ggml_tensor", "the type ggml_tensor says no sizes: those are its members ne and nb", false},
	{"cudnnTensorDescriptor", "a cuDNN descriptor does not show what is in it", false},
	{"cudnnFilterDescriptor", "a cuDNN descriptor does not show what is in it", false},
	{"miopenTensorDescriptor", "a MIOpen descriptor does not show what is in it", false},
	{"#sparse_tensor.", "is of a sparse tensor: its elements have no fixed places", false},
	{"#ttnn.", "divides the tensor into tiles", false},
	{"#ttcore.", "divides the tensor into tiles", false},
	{"#tt.", "divides the tensor into tiles", false},
	{"#iree_encoding.", "leaves the order of the elements to the target", false},
	{"tf.zeros(", ofTensorFlow, true},
	{"tf.ones(", ofTensorFlow, true},
	{"tf.", ofTensorFlow, false},
	{"jnp.zeros(", ofJAX, true},
	{"jnp.ones(", ofJAX, true},
	{"jnp.empty(", ofJAX, true},
	{"jnp.", ofJAX, false},
	{"jax.", ofJAX, false},
}

// The reasons for functions of systems without strides.
const (
	ofTensorFlow = "TensorFlow calls are not read"
	ofJAX        = "JAX calls are not read"
)

// unreadOf returns the index of the row that text starts with, or -1.
func unreadOf(text string) int {
	return slices.IndexFunc(unread[:], func(u unreadType) bool { return lexer.Like(text, u.start+"*") })
}

// cArray returns the type of a C array, float x[4][8] or float[4][8], and moves to its first bracket. The first word,
// of, has been read. It returns an empty string if the input is not an array.
func (r *reader) cArray(of string) string {
	if of == "const" {
		r.Space()
		of = r.Path()
	}
	if _, ok := layout.DTypeIn(layout.C, of); !ok && of != "char" { // plain char may be signed or unsigned
		return ""
	}
	if r.Token().Kind == lexer.Word {
		r.Next()
	}
	if !r.Is("[") {
		return ""
	}
	return of
}

// Unread returns the error for an input that is a type or a call of a system that no notation reads, or nil if the
// input does not have such a form. It also returns equivalent arguments, if the input states the whole tensor.
func Unread(in string) (err *layout.SyntaxError, meant []string) {
	r := newReader(in, nil, Options{})
	r.TakeHere("!")
	name := r.Path()
	why, sized := wording.Quote(name)+" is not read", true
	known := unreadOf(in)
	c, dtype := r.Peek(), r.cArray(name)
	switch {
	case known >= 0:
		why, sized = unread[known].why, unread[known].sized
	case dtype != "" && !(structReader{r}).isArrays():
		why = "an array of C is not read"
	case dtype != "", c != '<' && c != '(' && c != '{', !isTypeName(name), recognises(in, r.Tokens()):
		return nil, nil
	}
	err = &layout.SyntaxError{Input: in, Msg: why, Hint: "give the sizes, such as layoutcalc strides 4x8"}
	if sized {
		meant = r.unreadArguments(name, dtype)
	}
	if meant != nil {
		err.Hint = "give the sizes: layoutcalc strides " + strings.Join(meant, " ")
	}
	return err, meant
}

// isTypeName reports whether name is a type, cv::Mat or SlicedArray, and not a view step or a layout.
func isTypeName(name string) bool {
	return lexer.Like(name, "*::*") || strings.ToLower(name) != name && strings.ToUpper(name) != name
}

// unreadArguments returns arguments with the sizes, the layout and the type that the rest of the input states. It
// returns nil if the rest may state more, or the arguments are not a tensor.
func (r *reader) unreadArguments(name, dtype string) []string {
	has := func(word string) bool {
		return slices.ContainsFunc(r.Tokens(), func(t lexer.Token) bool { return r.Text(t) == word })
	}
	system, _, _ := strings.Cut(name, "::")
	sizes, of, ok := r.unreadShape(r.Index())
	dims, err := shape.ParseShape(sizes)
	if !ok || err != nil || has("LayoutStride") || system == "Kokkos" && !has("LayoutLeft") && !has("LayoutRight") {
		return nil // Kokkos has one of them on the host and the other on GPUs
	}
	s, meant := shape.Spec{Shape: dims}, []string{sizes}
	isFortran := slices.Contains(fortran[:], system) && !has("RowMajor")
	if isFortran || hasAny(strings.ToLower(r.In), "layoutleft", "colmajor", "fortran") {
		meant = append(meant, "column-major")
	}
	if dtype = cmp.Or(dtype, of); dtype != "" {
		if d, ok := layout.DTypeIn(layout.C, dtype); ok {
			dtype = d.String()
		}
		if s.DType, err = layout.ParseDType(dtype); err != nil {
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

// fortran lists systems in which the first axis is innermost, as in Fortran.
var fortran = [...]string{"Eigen", "Halide", "af", "arma"}

// unreadShape returns the only numbers starting at a token, which are sizes, and the type before or after them:
// 4x8xf32, float[4][8], half, 4, 8. It reports false if there are other numbers or marks.
func (r *reader) unreadShape(i int) (sizes, dtype string, ok bool) {
	tokens := r.Tokens()
	is := r.isOneOf
	for ; tokens[i].Kind != lexer.Number; i++ {
		if tokens[i].Kind == lexer.End {
			return "", "", false
		}
	}
	first, brackets := i-1, is(i-1, "[") && is(i+1, "]") && !is(i-2, "]")
	for sizes = r.Text(tokens[i]); tokens[i].Kind == lexer.Number; sizes += "x" + r.Text(tokens[i]) {
		step := 2
		if i++; brackets && is(i, "]") && is(i+1, "[") {
			step = 3
		} else if brackets || !is(i, ",") {
			break
		}
		if i += step - 1; tokens[i].Kind != lexer.Number {
			break
		}
	}
	if at := strings.LastIndexByte(sizes, 'x'); at >= 0 && at+1 < len(sizes) && lexer.IsLetter(sizes[at+1]) {
		sizes, dtype = sizes[:at], sizes[at+1:] // 4x8xf32
	}
	for k := i; tokens[k].Kind != lexer.End; k++ {
		if tokens[k].Kind == lexer.Number || tokens[k].Kind == lexer.String || is(k, "*?.-") {
			return "", "", false
		}
	}
	if lexer.Like(sizes, "0x*") {
		return "", "", false
	}
	isOption := tokens[i].Kind == lexer.Word && lexer.Like(r.Text(tokens[len(tokens)-3]), "*Major")
	if !is(i, ">)]}") && !isOption {
		return "", "", false
	}
	if first > 0 && is(first, ",[") && tokens[first-1].Kind == lexer.Word && dtype == "" {
		return sizes, r.Text(tokens[first-1]), true
	}
	isArgument := is(first, "[") && is(first-1, "(") // zeros([4, 8])
	return sizes, dtype, first >= 0 && (isArgument || is(first, "<({"))
}
