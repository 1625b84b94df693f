package suggest

import (
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/algebra"
	"layoutcalc/layout/input"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
)

// verbs maps words of other programs, used like a command, to command lines. The first row with a line that takes the
// arguments counts.
//
// In a line, ... is all remaining arguments, and ALL is the same with commas between them. TENSOR is the first that is
// not a plain number, N the first number, LAYOUT the first name or list of strides, TYPE the first element type, FILE
// the first file of tensors, and OPERATION the first operation of algebra. ARG1 to ARG3 are the arguments in order, and
// SHAPE1 and SHAPE2 the arguments that are only sizes. Flags follow. A line that starts with ... has no command: the
// word has no effect, and the arguments choose the command.
var verbs = [...]struct{ words, line string }{
	{"show print display describe info inspect parse read dump cat open what get summary summarize", "..."},
	{"model file onnx safetensors gguf npy npz netron make-layout", "..."},

	{"metadata meta header gguf-dump kv", "size ... --metadata"},
	{"inputs outputs tensors weights params parameters state-dict initializers", "size ..."},

	{"stride layout layouts get-strides strides-of ndim isfortran contiguity storage-offset", "strides ..."},
	{"is-contiguous iscontiguous is-packed is-dense is-channels-last", "strides ..."},
	{"idx2crd", "offset SHAPE2 column-major --at ARG1"},
	{"crd2idx", "offset SHAPE2 column-major ARG1"},
	{"unravel unravel-index ind2sub idx2crd coord coords coordinate multi-index", "offset TENSOR --at N"},
	{"ravel-multi-index ravel-index sub2ind flat-index linear-index crd2idx", "offset ARG2 ARG1"},
	{"offsets index at address addr element locate where find", "offset ..."},
	{"draw plot picture map table grid heatmap visualize visualise render print-layout print-latex", "offset ..."},
	{"svg", "strides ... --svg -"},
	{"html page", "strides ... --html -"},

	{"itemsize element-size sizeof", "size 1 -t TYPE"},
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
	{"allclose array-equal array-equiv assert-allclose assert-array-equal", "compare FILE FILE --data"},
	{"diff cmp equal equals same vs versus allclose array-equal array-equiv", "compare ..."},
	{"overlap overlaps shares-memory may-share-memory", "strides ARG1 LAYOUT"},
	{"overlap overlaps shares-memory may-share-memory", "compare ARG1 ARG2 --overlap"},
	{"overlap overlaps shares-memory may-share-memory", "compare ARG1 ARG2 ARG3 --overlap"},
	{"overlap overlaps shares-memory may-share-memory", "strides ..."},
	{"trans", "view TENSOR permute(ALL)"},
	{"trans", "view TENSOR transpose(0,1)"},
	{"broadcast-shapes broadcast-arrays", "view ARG1 broadcast(ARG2)"},
	{"slice getitem", "view TENSOR [ALL]"},
	{"einops rearrange", "view TENSOR ALL"},
	{"views slice chain steps", "view ..."},
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

// modules are the names of libraries that may precede a word, as in np.unravel_index.
const modules = "torch np numpy jnp jax tf tl f functional xp mx cute cutlass einops"

// Bare returns a word without the name of a library before it.
func Bare(word string) string {
	at := strings.LastIndexByte(word, '.')
	if at < 0 || !slices.ContainsFunc(strings.Split(strings.ToLower(word[:at]), "."), isModule) {
		return word
	}
	return word[at+1:]
}

func isModule(name string) bool { return slices.Contains(strings.Fields(modules), name) }

// isWord reports whether a word is in words, ignoring case, - and _, and the name of a library before it.
func isWord(word, words string) bool {
	return slices.Contains(strings.Fields(words), strings.ReplaceAll(strings.ToLower(Bare(word)), "_", "-"))
}

// Verb returns the command of the first line for a word of another program. It returns an empty string if the word is
// not in the table or has no effect; ok reports whether it is in the table.
func Verb(word string) (command string, ok bool) {
	for _, v := range verbs {
		if isWord(word, v.words) {
			command, _, _ = strings.Cut(v.line, " ")
			return strings.TrimSuffix(command, "..."), true
		}
	}
	return "", false
}

// verb suggests the line for a word of another program. It replaces the word and the arguments after it.
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

// isFlag reports whether an argument is a flag, and not a list that starts with a minus sign.
func isFlag(arg string) bool {
	return len(arg) > 1 && arg[0] == '-' && (arg[1] == '-' || lexer.IsLetter(arg[1]))
}

// commas returns sizes as the arguments of a step, 2,3 for 2x3, and other strings unchanged.
func commas(text string) string {
	if list, err := shape.ParseShape(text); err == nil && list.Labels() == nil {
		return layout.JoinInts(list.Values(), ",")
	}
	return text
}

// A placing assigns arguments to the words of a line.
type placing struct {
	given []string // the arguments before the first flag
	left  []string // the arguments that are not assigned yet
}

// placed returns a line with its words replaced by arguments, or nil if they do not fit.
func placed(line string, args []string) []string {
	flags := slices.IndexFunc(args, isFlag)
	if flags < 0 {
		flags = len(args)
	}
	p := placing{args[:flags], slices.Clone(args[:flags])}
	var all []string
	for word := range strings.FieldsSeq(line) {
		if strings.HasPrefix(word, "--") && slices.Contains(args, word) {
			return nil // the flag of the line is already given
		}
		put := p.put(word)
		if len(put) == 0 {
			return nil
		}
		all = append(all, put...)
	}
	if len(p.left) > 0 {
		return nil
	}
	return append(all, args[flags:]...)
}

// kinds maps words to tests for arguments of a kind.
var kinds = map[string]func(arg string) bool{
	"TENSOR":    func(arg string) bool { return !isNumber(arg) },
	"N":         isNumber,
	"LAYOUT":    isLayout,
	"TYPE":      layout.IsType,
	"FILE":      func(arg string) bool { return input.NamingOf(arg).Is(input.KnownName) },
	"OPERATION": func(arg string) bool { return operationOf(arg) != nil },
}

// put returns the arguments that a word of a line stands for, or nil if no argument fits.
func (p *placing) put(word string) []string {
	if word == "..." {
		all := p.left
		p.left = nil
		return all
	}
	if fits := kinds[word]; fits != nil {
		arg := p.take(fits)
		if arg != nil && word == "OPERATION" {
			return operationOf(arg[0])[1:]
		}
		return arg
	}
	before, after, isAll := strings.Cut(word, "ALL")
	if isAll {
		all := strings.Join(p.left, ",")
		if p.left = nil; all == "" || before == "[" && strings.ContainsAny(all, "[(") {
			return nil
		}
		return []string{before + all + after}
	}
	for i, arg := range p.given[:min(len(p.given), 3)] {
		name := fmt.Sprint("ARG", i+1)
		switch shape := fmt.Sprint("SHAPE", i+1); {
		case word == shape && isShape(arg) && !isNumber(arg), word == name:
			return p.take(func(other string) bool { return other == arg })
		case strings.Contains(word, name):
			p.take(func(other string) bool { return other == arg })
			return []string{strings.Replace(word, name, commas(arg), 1)}
		}
	}
	if strings.Contains(word, "ARG") || strings.Contains(word, "SHAPE") {
		return nil
	}
	return []string{word}
}

// take removes and returns the first argument that fits.
func (p *placing) take(fits func(string) bool) []string {
	i := slices.IndexFunc(p.left, fits)
	if i < 0 {
		return nil
	}
	arg := p.left[i : i+1 : i+1]
	p.left = slices.Concat(p.left[:i], p.left[i+1:])
	return arg
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

// operationOf returns the command for a word that is an operation on layouts, here or in CuTe, or nil for another word.
func operationOf(word string) []string {
	if o, err := algebra.FindOperation(word); err == nil {
		return []string{"algebra", o.Name}
	}
	if meant, ok := algebra.CuTe(word); ok {
		return append([]string{"algebra"}, meant.Words()...)
	}
	return nil
}
