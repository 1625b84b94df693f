package shape

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A block is one inner block of a layout name: size consecutive indices along the axis of the letter.
type block struct {
	letter string
	size   int64
}

// A Name gives the order of the axes in memory: by their letters from outermost to innermost, followed by blocks (NHWC,
// NCHW16c, ABcd4b16a4b), or by a word (row-major). The zero Name is row-major.
type Name struct {
	text    string // as it was written
	word    string // a key of nameWords, or "" if there are letters
	letters string
	order   string // the letters in the order of unlabelled sizes
	blocks  []block
	leading bool   // axes may come before the letters
	format  string // the alias of a format with blocks that depend on the type
	dtype   layout.DType
	typed   bool    // the name includes the element type: fp16:chw32
	strides []int64 // the strides in TensorRT's logs, in vectors of elements
	vector  int64   // the number of elements in a vector
	along   int     // the axis that vectors lie along
}

// nameWords lists the names that are words. Words with letters are for a fixed rank, the others for any. Words without
// a description are other spellings.
var nameWords = []struct{ word, meaning, letters, about string }{
	{"row-major", "row-major", "", "the last axis is innermost, any rank"},
	{"column-major", "column-major", "", "the first axis is innermost, any rank"},
	{"contiguous", "row-major", "", "PyTorch's default, row-major"},
	{"contiguous_format", "row-major", "", ""},
	{"c_contiguous", "row-major", "", ""},
	{"fortran", "column-major", "", ""},
	{"f_contiguous", "column-major", "", ""},
	{"channels_last", "channels_last", "NHWC", "PyTorch's NHWC, rank 4"},
	{"channels_last_3d", "channels_last", "NDHWC", "PyTorch's NDHWC, rank 5"},
}

// commonNames lists common names of letters, for completion and suggestions.
var commonNames = []struct{ name, about string }{
	{"NCHW", "DirectML's, PyTorch's and ONNX's order for images"},
	{"NHWC", "channels innermost: TensorFlow, cuDNN on tensor cores"},
	{"NCDHW", "volumes, channels outside"},
	{"NDHWC", "volumes, channels innermost"},
	{"CHW", "one image, channels outside"},
	{"HWC", "one image, channels innermost: camera, PNG, OpenCV"},
	{"NCW", "sequences, channels outside"},
	{"NWC", "sequences, channels innermost"},
	{"HW", "a matrix, row-major"},
	{"WH", "a matrix, column-major"},
	{"OIHW", "convolution weights: PyTorch, ONNX, oneDNN"},
	{"HWIO", "convolution weights: TensorFlow"},
	{"OHWI", "convolution weights: TensorFlow Lite"},
	{"GOIHW", "weights of a grouped convolution"},
	{"TNC", "sequence first"},
	{"NTC", "batch first"},
	{"NCHW8c", "channels in blocks of 8: oneDNN's nChw8c"},
	{"NCHW16c", "channels in blocks of 16: oneDNN's nChw16c"},
	{"OIHW4i16o4i", "weights in nested blocks: oneDNN's int8 kernels"},
	{"acdb", "oneDNN's tag for NHWC"},
	{"NC/32HW32", "channels in blocks of 32: cuDNN"},
	{"NC4HW4", "channels in blocks of 4: MNN, MindSpore"},
	{"chw32", "channels in blocks of 32: TensorRT's kCHW32"},
	{"hwc8", "channels innermost, rounded up to 8: TensorRT's kHWC8"},
}

// IsDocumented reports whether completion offers a name, or a name with the same roles in other letters.
func IsDocumented(name string) bool {
	for _, n := range commonNames {
		if n.name == name || n.name == roles(name) {
			return true
		}
	}
	return false
}

// LayoutNames yields the names that completion offers, with a line about each.
func LayoutNames(yield func(name, about string) bool) {
	for _, n := range commonNames {
		if !yield(n.name, n.about) {
			return
		}
	}
	for _, w := range nameWords {
		if w.about != "" && !yield(w.word, w.about) {
			return
		}
	}
}

// Fits reports whether the layout name is for tensors of the given rank.
func Fits(name string, rank int) bool {
	n, err := ParseName(name)
	n.resolve(rank)
	return err == nil && (n.letters == "" || len(n.letters) == rank || n.leading && len(n.letters) == rank-1)
}

// ParseName reads a layout name, in any case.
func ParseName(text string) (Name, error) {
	if len(text) > lexer.MaxText {
		return Name{}, lexer.TooLong(text)
	}
	if n, ok, err := parseForeign(text); ok {
		return n, err
	}
	a, err := unalias(text)
	if err != nil {
		return Name{}, err
	}
	if n, ok := wordName(a.meaning); ok {
		n.text = text
		return n, nil
	}
	n, err := parseLetters(text, a.meaning)
	if wrong := otherWord(text, err != nil); wrong != nil {
		return Name{}, wrong
	}
	if err != nil {
		return Name{}, orType(text, err)
	}
	if n.leading = a.kind&leading != 0; a.kind&typed != 0 {
		n.format = a.name
	}
	for _, r := range recurrent {
		if n.letters == r.letters && n.small(a.meaning) {
			n.lower(r.order)
			break
		}
	}
	return n, nil
}

// otherWord returns the error if text is an element type or a device instead of a layout, and nil otherwise. If unread
// is false, it only looks up types that consist of letters, because most inputs are names.
func otherWord(text string, unread bool) error {
	s := lexer.Scanner{In: text}
	switch word := strings.ToLower(text); word {
	case "cpu", "gpu", "cuda":
		return s.Fail(0, "remove it", "%q is a device, not a layout", text)
	case "char":
		return s.Fail(0, "-t int8 or -t uint8", "%q is an element type, not a layout", text)
	case "half", "float", "double", "long", "short", "int", "byte", "bool", "pred", "cfloat", "chalf", "single",
		"cdouble":
	default:
		if !unread || !layout.IsType(word) {
			return nil
		}
	}
	return s.Fail(0, "-t "+text, "%q is an element type, not a layout", text)
}

// orType returns the error for an unknown element type instead of err if text resembles an element type, or a vector of
// one, more than a layout. It does not try this for text with brackets or commas, because the search for similar types
// is slow.
func orType(text string, err error) error {
	e, _ := err.(*layout.SyntaxError)
	isWord := strings.ContainsAny(text, "0123456789") && !strings.ContainsAny(text, "<,([{")
	if !isWord || e == nil || e.Change.Word != "" {
		return err
	}
	kind, count, _ := strings.Cut(text, "x")
	isVector := layout.IsDType(kind) && strings.Trim(count, "0123456789") == ""
	if _, fault := layout.ParseDType(text); fault != nil {
		if t, ok := fault.(*layout.SyntaxError); ok && (isVector || t.Change.Word != "") {
			return t
		}
	}
	return err
}

// recurrent lists the oneDNN tags for recurrent networks that list sizes in an order different from their letters. They
// are in lower case, except for blocked axes; NTC in upper case is read as written.
var recurrent = [...]struct{ letters, order string }{
	{"NT", "tn"},
	{"NTC", "tnc"},
	{"LDOI", "ldio"},
	{"LDGOI", "ldigo"},
	{"LDGIO", "ldigo"},
}

// small reports whether the letters of axes without blocks are in lower case.
func (n Name) small(text string) bool {
	for i := range n.letters {
		if text[i] < 'a' && !n.blocked(n.letters[i:i+1]) {
			return false
		}
	}
	return true
}

// lower converts the letters to lower case, and sets the order of the sizes.
func (n *Name) lower(order string) {
	n.letters, n.order = strings.ToLower(n.letters), order
	for i, b := range n.blocks {
		n.blocks[i].letter = strings.ToLower(b.letter)
	}
}

// tagKinds are the kinds of tensors with specific letters in oneDNN tags: the required letters, and all letters in the
// order of the sizes.
var tagKinds = [...]struct{ needed, all string }{
	{"goi", "goidhw"},
	{"oi", "oidhw"},
	{"nc", "ncdhw"},
	{"tn", "tnc"},
	{"ldnc", "ldnc"},
	{"ldo", "ldigo"},
}

// ParseTag reads a oneDNN format tag, ignoring case. It is a name of letters and blocks with sizes in the order of a
// kind of tensor, or of the alphabet up to l. It ignores blocks of 1, which divide nothing.
func ParseTag(text string) (Name, error) {
	in := text
	switch lower := strings.ToLower(text); {
	case lower == "x":
		in = "a"
	case strings.HasPrefix(lower, "gio"): // the blocks do not have the letters in the name
		a, err := unalias(text)
		if err != nil {
			return Name{}, err
		}
		in = a.meaning
	}
	n, err := parseLetters(text, in)
	if err != nil {
		return Name{}, err
	}
	n.blocks = slices.DeleteFunc(n.blocks, func(b block) bool { return b.size == 1 })
	s, letters := lexer.Scanner{In: in}, strings.ToLower(n.letters)
	order := tagOrder(letters)
	for i, letter := range letters {
		if !strings.ContainsRune(order, letter) {
			return Name{}, s.Fail(i, "such as acdb, nhwc, oihw, goihw, tnc, ldigo, aBcd16b",
				"the letters of %s are not those of a format tag", wording.Clip(text))
		}
	}
	for _, letter := range order[:len(n.letters)] {
		if !strings.ContainsRune(letters, letter) {
			return Name{}, s.Fail(0, "the letters of a tag are the first of the alphabet, without gaps",
				"%c is missing in %s", letter, wording.Clip(text))
		}
	}
	switch {
	case order[0] == 'l':
		replace := func(letter rune) rune { return rune(alphabet[strings.IndexRune(strings.ToUpper(order), letter)]) }
		n.letters, n.order = strings.Map(replace, n.letters), alphabet[:len(n.letters)]
		for i, b := range n.blocks {
			n.blocks[i].letter = strings.Map(replace, b.letter)
		}
	case order[0] == 't' && order != strings.ToLower(n.order):
		n.lower(order)
	}
	return n, nil
}

// tagOrder returns the letters of a tag in the order of the sizes: the order of a kind of tensor, or of the first
// twelve letters of the alphabet.
func tagOrder(letters string) string {
	for _, kind := range tagKinds {
		order := among(letters, kind.all)
		if len(order) == len(letters) && among(letters, kind.needed) == kind.needed {
			return order
		}
	}
	return alphabet[:12]
}

// wordName returns the name that is a word, also in PyTorch's spelling and with other dashes.
func wordName(text string) (Name, bool) {
	key := strings.ReplaceAll(strings.ToLower(text), "-", "_")
	key = strings.TrimPrefix(key, "torch.")
	for _, w := range nameWords {
		if len(key) == len(w.word) && key == strings.ReplaceAll(w.word, "-", "_") {
			return Name{text: text, word: w.meaning, letters: w.letters, order: logicalOrder(w.letters)}, true
		}
	}
	return Name{}, false
}

type nameParser struct {
	lexer.Reader
	letters string // upper case
	blocks  []block
}

// parseLetters reads letters and blocks from meaning, which is the meaning of text. Axes that are the first letters of
// the alphabet are in lower case, as in oneDNN, so that the C in abcd does not mean channels.
func parseLetters(text, meaning string) (Name, error) {
	p := nameParser{Reader: lexer.NewReader(meaning)}
	p.letters = strings.ToUpper(p.Span(lexer.IsLetter))
	for i := range p.letters {
		if letter := p.letters[i]; strings.IndexByte(p.letters[:i], letter) >= 0 {
			p.unknown(i, "the layout name %s has the letter %c twice", wording.Clip(p.In), letter)
			break
		}
	}
	if at, meant := slip(p.letters); meant != 0 && p.Err == nil {
		near := p.In[:at] + string(meant|p.In[at]&0x20) + p.In[at+1:]
		err := p.Scanner.Fail(at, "", "no known kind of tensor has an axis %c", p.letters[at]).DidYouMean(p.In, near)
		err.Change.Before = at
		p.Fault(err)
	}
	for p.letters != "" && lexer.IsDigit(p.Peek()) {
		p.block()
	}
	switch {
	case p.Pos == len(p.In) && p.Pos > 0:
	case len(p.blocks) > 0 && lexer.IsLetter(p.Peek()):
		hint := "such as 4" + strings.ToLower(p.In[p.Pos:p.Pos+1])
		p.Fail(p.Pos, hint, "after the first block every letter needs a number")
	default:
		p.unknown(p.Pos, "%q is not a layout name", wording.Clip(p.In))
	}
	if p.Err != nil {
		return Name{}, p.Err
	}
	n := Name{text: text, letters: p.letters, order: logicalOrder(p.letters), blocks: p.blocks}
	if isTag(n.letters) {
		n.lower(n.order)
	}
	return n, nil
}

func (p *nameParser) block() {
	start := p.Pos
	size := p.Integer(lexer.IntKind{Noun: "block", Example: "16c"})
	letter := strings.ToUpper(string(rune(p.Peek())))
	switch {
	case size == 0:
		p.Fail(start, "", "a block has at least one element")
	case p.Pos == len(p.In) && familyOf(p.letters) == nil && !isTag(p.letters): // tf32
		p.unknown(start, "%q is not a layout name", wording.Clip(p.In))
	case !lexer.IsLetter(p.Peek()):
		p.Fail(p.Pos, p.blockHint(), "the block of %d does not name the axis that it divides", size)
	case !strings.Contains(p.letters, letter):
		p.Fail(p.Pos, "the letters before it are "+p.letters,
			"the block of %d divides %s, which is not an axis here", size, letter)
	case len(p.blocks) >= layout.MaxDigits-layout.MaxRank:
		p.Fail(start, "", "more than %d blocks", layout.MaxDigits-layout.MaxRank)
	default:
		p.Pos++
		p.blocks = append(p.blocks, block{letter, size})
	}
}

// blockHint completes a name such as NCHW16 if the blocks can only be of channels.
func (p *nameParser) blockHint() string {
	if p.Pos < len(p.In) || !isUsual(roles(p.letters)) || !strings.Contains(p.letters, "C") {
		return "such as NCHW16c"
	}
	return wording.Clip(p.In) + "c"
}

// unknown records an error at an offset, and suggests the known layout most similar to the input.
func (p *nameParser) unknown(at int, format string, args ...any) {
	var known []string
	for name := range LayoutNames {
		known = append(known, name)
	}
	near := wording.Likely(p.In, known)
	switch strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(p.In)) { // the most similar is wrong
	case "channelsfirst", "channelfirst":
		near = "contiguous"
	case "colmajor":
		near = "column-major"
	}
	if near == "" {
		near = nearFormat(p.In)
	}
	const hint = "such as NCHW, NHWC, NCHW16c, channels_last, row-major"
	err := p.Scanner.Fail(at, hint, format, args...).DidYouMean(p.In, near)
	if err.Change.Before = at; at < len(p.In) && !lexer.IsWord(p.In[at]) && strings.IndexByte("@.-", p.In[at]) < 0 {
		err.Change = lexer.Change{} // not just a word
	}
	p.Fault(err)
}

// String returns the name in a standard spelling: letters in upper case, or as in oneDNN tags if they are the first of
// the alphabet.
func (n Name) String() string {
	switch {
	case n.letters == "" && n.word == "":
		return "row-major"
	case n.letters == "":
		return n.word
	case n.format != "":
		return strings.ToUpper(n.format)
	}
	if len(n.blocks) == 0 {
		return n.letters
	}
	var text strings.Builder
	for i := range n.letters {
		letter := n.letters[i : i+1]
		if n.blocked(letter) {
			letter = strings.ToUpper(letter)
		}
		text.WriteString(letter)
	}
	for _, b := range n.blocks {
		text.WriteString(strconv.FormatInt(b.size, 10) + strings.ToLower(b.letter))
	}
	return text.String()
}

// Reading describes the meaning of the name: the order of the axes in memory, the order of unlabelled sizes, and a
// shape with the layout, which is empty if its blocks depend on the type.
func (n Name) Reading() (memory, sizes, shape string) {
	if n.letters == "" {
		return "", "", "2x3x4"
	}
	memory = commas(n.letters) + " from the outermost to the innermost"
	for i, b := range n.blocks {
		memory += [...]string{"; then blocks of ", ", of "}[min(i, 1)] + strconv.FormatInt(b.size, 10) + " " + b.letter
	}
	const most = "2x3x4x5x6x7x8x9"
	if n.format == "" && 2*len(n.letters) <= len(most)+1 {
		shape = most[:2*len(n.letters)-1]
	}
	return memory, commas(n.order), shape
}

// IsUsual reports whether the name is a word for a layout, or has letters in an order that systems use.
func (n Name) IsUsual() bool {
	is := roles(n.letters)
	return n.letters == "" || is == "HW" || is == "WH" || len(is) > 1 && isTag(is) || isUsual(is)
}

// Letters returns the axes from outermost to innermost; ok is false if the name has more than letters, such as a word
// or blocks.
func (n Name) Letters() (letters string, ok bool) {
	return n.letters, n.letters != "" && n.word == "" && n.format == "" && len(n.blocks) == 0 && !n.leading
}

// blocked reports whether blocks divide the axis with a letter.
func (n Name) blocked(letter string) bool {
	return slices.ContainsFunc(n.blocks, func(b block) bool { return b.letter == letter })
}

// logical returns the names of the axes in the order of unlabelled sizes.
func (n Name) logical() []string { return appendLetters(nil, n.order) }

// memory returns the names of the axes from outermost to innermost.
func (n Name) memory() []string { return appendLetters(nil, n.letters) }

// appendLetters appends each of the letters.
func appendLetters(list []string, letters string) []string {
	for i := range len(letters) {
		list = append(list, letters[i:i+1])
	}
	return list
}

// fail returns an error that points at the name.
func (n Name) fail(hint, format string, args ...any) *lexer.SyntaxError {
	return &lexer.SyntaxError{Input: n.text, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// directML holds the names that DirectML gives the axes of a tensor by its rank.
var directML = [...]string{"", "W", "HW", "DHW", "NCHW", "NCDHW"}

// AxisNames returns DirectML's names for the axes of a tensor of the given rank, or nil if DirectML does not name them.
func AxisNames(rank int) []string {
	if rank < 1 || rank >= len(directML) {
		return nil
	}
	return strings.Split(directML[rank], "")
}

// An alias is a name that a system gives to a layout, often to a blocked one.
type alias struct {
	system        string // the system that uses it; empty for all
	name, meaning string // the name in lower case if it is known everywhere
	kind          aliasKind
}

type aliasKind uint8

const (
	plain   aliasKind = 0
	leading aliasKind = 1 << iota // it omits the outer axes: the batch and others
	typed                         // its blocks depend on the element type
)

// aliases are the known aliases. TensorRT's (leading) may have a prefix k, as in its API. OpenVINO's are words for
// axes.
var aliases = [...]alias{
	{"", "chw2", "CHW2c", leading}, {"", "chw4", "CHW4c", leading}, {"", "chw16", "CHW16c", leading},
	{"", "chw32", "CHW32c", leading}, {"", "hwc8", "HWC8c", leading}, {"", "hwc16", "HWC16c", leading},
	{"", "cdhw32", "CDHW32c", leading}, {"", "dhwc8", "DHWC8c", leading}, {"", "khwc", "HWC", leading},
	{"", "kdhwc", "DHWC", leading}, {"", "klinear", "row-major", plain}, {"", "dla_linear", "CHW", leading | typed},
	{"", "dla_hwc4", "HWC", leading | typed}, {"", "nc1hwc0", "NCHW", typed}, {"", "nc1hwc0_c04", "NCHW4c", plain},
	{"", "ndc1hwc0", "NDCHW", typed}, {"", "nchw_vect_c", "NCHW4c", plain}, {"", "nhwc_vect_w", "NHWC4w", plain},
	{"", "oihw_vect_i", "OIHW4i", plain}, {"", "giohw2i8o16i2o", "GOIHW2i8o16i2o", plain},
	{"", "giodhw2i8o16i2o", "GOIDHW2i8o16i2o", plain},
	{"", "col32", "ba32b", plain}, // cuBLASLt's: columns in blocks of 32
	{"C", "COL", "column-major", plain}, {"C", "ROW", "row-major", plain},
	{"PyTorch", "Contiguous", "contiguous", plain}, {"PyTorch", "ChannelsLast", "channels_last", plain},
	{"PyTorch", "ChannelsLast3d", "channels_last_3d", plain}, {"TensorRT", "linear", "row-major", plain},
	{"TensorRT", "chw", "row-major", plain}, {"TensorRT", "hwc", "khwc", plain},
	{"TensorRT", "dhwc", "kdhwc", plain}, {"C", "ND", "row-major", plain}, {"OpenVINO", "BATCH", "N", plain},
	{"OpenVINO", "B", "N", plain}, {"OpenVINO", "CHANNELS", "C", plain}, {"OpenVINO", "CHANNEL", "C", plain},
	{"OpenVINO", "HEIGHT", "H", plain}, {"OpenVINO", "WIDTH", "W", plain}, {"OpenVINO", "DEPTH", "D", plain},
}

// aliasOf returns the alias with a name in a system.
func aliasOf(system, name string) (alias, bool) {
	for i := range aliases {
		if a := &aliases[i]; a.name == name && a.system == system {
			return *a, true
		}
	}
	return alias{}, false
}

// dlaRow is the alignment of rows in TensorRT's formats for the DLA, in bytes.
const dlaRow = 64

// cubeRow is the number of channels in a block of Ascend's NC1HWC0; the cube takes 32 channels of 8 bits.
const cubeRow = 16

// leadingAxes are the letters of the axes that TensorRT's names omit, starting at the innermost.
const leadingAxes = "NTIOG"

// resolve reads C and F as NumPy's words for row-major and column-major. For a tensor of rank 1, they are axes.
func (n *Name) resolve(rank int) {
	if (n.letters == "C" || n.letters == "F") && rank != 1 && len(n.blocks) == 0 {
		word := "row-major"
		if n.letters == "F" {
			word = "column-major"
		}
		*n = Name{text: n.text, word: word}
	}
}

// lead completes a name that omits axes, for a tensor of the given rank.
func (n *Name) lead(rank int) {
	n.resolve(rank)
	for i := 0; n.leading && i < len(leadingAxes) && len(n.letters) < rank; i++ {
		n.letters, n.order = leadingAxes[i:i+1]+n.letters, leadingAxes[i:i+1]+n.order
	}
}

// unalias returns the alias with a name, or an alias for the text itself.
func unalias(text string) (alias, error) {
	key := strings.ToLower(text)
	short, isShort := strings.CutPrefix(key, "k")
	for i := range aliases {
		if a := &aliases[i]; a.system == "" && (key == a.name || isShort && a.kind&leading != 0 && short == a.name) {
			return *a, nil
		}
	}
	if strings.HasPrefix(key, "fractal_") || key == "nz" {
		s := lexer.Scanner{In: text}
		return alias{}, s.Fail(0, "for a matrix M,N of float16 write ba16a16b, of int8 ba16a32b",
			"%s is a tiled format of Ascend whose tiles depend on the type and the chip", wording.Clip(text))
	}
	if err := refusal(text); err != nil {
		return alias{}, err
	}
	if meaning, ok := sliced(key); ok {
		return alias{meaning: meaning}, nil
	}
	meaning, err := vectorized(text)
	return alias{meaning: meaning}, err
}

// sliced reads the names in OpenVINO's GPU plugin: the axes from outermost to innermost, with an s after the divided
// ones, followed by their slices, b_fs_yx_fsv16 and os_is_yx_isv16_osv16.
func sliced(text string) (meaning string, ok bool) {
	s := lexer.Scanner{In: text}
	letters, blocks, divided := "", "", ""
	for {
		part := s.Span(lexer.IsLetter)
		size := s.Span(lexer.IsDigit)
		switch n := len(part); {
		case size != "" && n == 3 && part[1:] == "sv" && strings.Contains(divided, part[:1]):
			blocks += size + part[:1]
			divided = strings.Replace(divided, part[:1], "", 1)
		case size != "" || n == 0 || blocks != "" || strings.Trim(part, "bfoigszyx") != "":
			return "", false
		case n == 2 && part[1] == 's':
			letters, divided = letters+part[:1], divided+part[:1]
		default:
			letters += part
		}
		if !s.Take("_") {
			return letters + blocks, s.Done() && blocks != "" && divided == ""
		}
	}
}

// vectorized reads the names of channels in blocks with the block size written twice, after the axis that it divides
// and at the end: NC/32HW32 (cuDNN), NC4HW4 (MNN, MindSpore).
func vectorized(text string) (string, error) {
	s := lexer.Scanner{In: text}
	if !s.Take("nc") {
		return text, nil
	}
	slash := s.Take("/")
	at := s.Pos
	outer := s.Span(lexer.IsDigit)
	axes := s.Span(lexer.IsLetter)
	inner := s.Span(lexer.IsDigit)
	switch {
	case outer == "" || axes == "" || s.Pos < len(text) || !slash && inner == "":
		return text, nil
	case outer != inner:
		return "", s.Fail(at, "such as NC/32HW32 or NC4HW4",
			"the size of the block is after C and at the end: %s and %s differ", wording.Clip(outer),
			wording.Clip(inner))
	}
	return "NC" + axes + inner + "c", nil
}

// commas returns the letters separated by commas.
func commas(letters string) string { return strings.Join(strings.Split(letters, ""), ", ") }
