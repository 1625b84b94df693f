package suggest

import (
	"slices"
	"strings"

	"layoutcalc/layout/algebra"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
)

// verbs are words of other programs in place of a command, with the line that answers them. The first row whose line
// takes the arguments counts.
//
// In a line, ... is all arguments that are left, TENSOR the first of them that is not a plain number, N the first
// number, LAYOUT the first name or list of strides, OPERATION the first operation of algebra, and ARG1 to ARG3 are the
// arguments in order. Flags follow. A line that starts with ... has no command: the word says nothing, and the
// arguments choose the command.
var verbs = [...]struct{ words, line string }{
	{"show print display describe info inspect parse read dump cat open what get summary summarize", "..."},
	{"model file onnx safetensors gguf npy npz netron make-layout", "..."},

	{"stride layout layouts get-strides strides-of ndim isfortran contiguity storage-offset", "strides ..."},
	{"is-contiguous iscontiguous is-packed is-dense is-channels-last", "strides ..."},
	{"unravel unravel-index ind2sub idx2crd coord coords coordinate multi-index", "offset TENSOR --at N"},
	{"ravel-multi-index ravel-index sub2ind flat-index linear-index crd2idx", "offset ARG2 ARG1"},
	{"offsets index at address addr element locate where find", "offset ..."},
	{"draw plot picture map table grid heatmap visualize visualise render print-layout print-latex", "offset ..."},
	{"svg", "strides ... --svg -"},
	{"html page", "strides ... --html -"},

	{"sizes bytes nbytes numel nelement elements itemsize element-size cosize count length len", "size ..."},
	{"memory mem buffer buffer-size storage storage-size untyped-storage span", "size ..."},
	{"alloc allocate allocation malloc calc-buffer-size dmlcalcbuffertensorsize", "size ..."},
	{"ls ll dir du tree list keys contents", "size ..."},
	{"image img texture surface frame pixels plane planes", "size ..."},
	{"pitch row-pitch rowpitch footprint footprints getcopyablefootprints d3d12 dx12", "size ... --for d3d12"},
	{"vulkan vk", "size ... --for vulkan"},
	{"webgpu wgpu", "size ... --for webgpu"},

	{"dml directml", "strides ... --as directml"},
	{"onednn dnnl mkldnn tag", "strides ..."},
	{"swizzle", "strides ARG1 --swizzle ARG2"},
	{"cute cutlass", "algebra OPERATION ..."},
	{"cute cutlass", "..."},
	{"bank-conflicts bankconflicts conflicts banks", "access TENSOR --lanes 0=32"},
	{"bank-conflicts bankconflicts conflicts banks wavefronts sectors coalescing coalesced", "access ..."},
	{"owners holder holders who lane lanes thread threads fragment fragments", "owner ..."},

	{"relayout reorder transform", "convert ..."},
	{"diff cmp equal equals same vs versus array-equal", "compare ..."},
	{"overlap overlaps shares-memory may-share-memory", "strides ARG1 LAYOUT"},
	{"overlap overlaps shares-memory may-share-memory", "compare ARG1 ARG2 --overlap"},
	{"overlap overlaps shares-memory may-share-memory", "compare ARG1 ARG2 ARG3 --overlap"},
	{"overlap overlaps shares-memory may-share-memory", "strides ..."},
	{"views slice chain steps einops rearrange", "view ..."},
	{"validate verify lint test audit", "check ..."},
	{"define definition whatis what-is dtype", "explain ..."},
	{"list notations types dtypes glossary topics rules", "explain"},
	{"complete", "completion ..."},
	{"manual manpage docs", "man"},
}

// Verbs yields the words of other programs, each with the line that answers it.
func Verbs(yield func(word, line string) bool) {
	for _, v := range verbs {
		for word := range strings.FieldsSeq(v.words) {
			if !yield(word, v.line) {
				return
			}
		}
	}
}

// isWord reports whether a word is among some, in letters of any case and with - or _ in it.
func isWord(word, words string) bool {
	return slices.Contains(strings.Fields(words), strings.ReplaceAll(strings.ToLower(word), "_", "-"))
}

// Verb returns the command of the first line for a word of another program, empty if there is none or if the word says
// nothing; ok is whether the word is one.
func Verb(word string) (command string, ok bool) {
	for _, v := range verbs {
		if isWord(word, v.words) {
			command, _, _ = strings.Cut(v.line, " ")
			return strings.TrimSuffix(command, "..."), true
		}
	}
	return "", false
}

// verb suggests the line for a word of another program: what stands at it and after it is replaced.
func (c *Call) verb(word string) []Suggestion {
	at := slices.Index(c.Args, word)
	if at < 0 {
		return nil
	}
	for _, v := range verbs {
		if !isWord(word, v.words) {
			continue
		}
		if line := placed(v.line, c.Args[at+1:]); line != nil {
			return sure(slices.Concat(c.Args[:at], line))
		}
	}
	return nil
}

// placed returns a line with arguments in their places, nil if they do not fit.
func placed(line string, args []string) []string {
	flags := slices.IndexFunc(args, func(arg string) bool { return len(arg) > 1 && arg[0] == '-' && !isNumber(arg) })
	if flags < 0 {
		flags = len(args)
	}
	left, given := slices.Clone(args[:flags]), args[:flags]
	take := func(fits func(string) bool) (arg []string) {
		if i := slices.IndexFunc(left, fits); i >= 0 {
			arg, left = left[i:i+1:i+1], slices.Delete(slices.Clone(left), i, i+1)
		}
		return arg
	}
	var all []string
	for word := range strings.FieldsSeq(line) {
		var arg []string
		position := strings.Index("1 2 3", strings.TrimPrefix(word, "ARG")) / 2
		switch {
		case word == "...":
			arg, left = left, nil
		case word == "TENSOR":
			arg = take(func(arg string) bool { return !isNumber(arg) })
		case word == "N":
			arg = take(isNumber)
		case word == "LAYOUT":
			arg = take(isLayout)
		case word == "OPERATION":
			arg = take(func(arg string) bool { return operationOf(arg) != nil })
			if arg != nil {
				arg = operationOf(arg[0])[1:]
			}
		case strings.HasPrefix(word, "ARG") && position < len(given):
			arg = take(func(arg string) bool { return arg == given[position] })
		case strings.HasPrefix(word, "ARG"):
		case slices.Contains(args, word) && strings.HasPrefix(word, "--"):
			return nil // the flag of the line is given
		default:
			arg = []string{word}
		}
		if len(arg) == 0 {
			return nil
		}
		all = append(all, arg...)
	}
	if len(left) > 0 {
		return nil
	}
	return append(all, args[flags:]...)
}

// isNumber reports whether an argument is a plain number.
func isNumber(arg string) bool {
	_, err := lexer.ParseInt(arg)
	return err == nil
}

// isLayout reports whether an argument is the name of a layout or a list of strides.
func isLayout(arg string) bool {
	_, asName := shape.ParseName(arg)
	_, asStrides := shape.ParseStrideAmounts(arg)
	return asName == nil || asStrides == nil
}

// operationOf returns the command for a word that is an operation on layouts, here or in CuTe; nil for another word.
func operationOf(word string) []string {
	if o, err := algebra.FindOperation(word); err == nil {
		return []string{"algebra", o.Name}
	}
	if meant, ok := algebra.CuTe(word); ok {
		return append([]string{"algebra"}, meant.Words()...)
	}
	return nil
}
