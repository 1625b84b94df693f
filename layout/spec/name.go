package spec

import (
	"fmt"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// A block is one inner block of a layout name: size neighbours along the axis of the letter.
type block struct {
	letter string
	size   int64
}

// A Name says in which order the axes lie in memory: by their letters from outermost to
// innermost, with blocks behind them (NHWC, NCHW16c, ABcd4b16a4b), or by a word (row-major).
// The zero Name is row-major.
type Name struct {
	text    string // as it was written
	word    string // a key of nameWords, or "" when there are letters
	letters string
	blocks  []block
	leading bool   // axes may come before the letters
	dla     string // the name of a format whose blocks depend on the type
}

// nameWords holds the names that are words. Those of letters stand for a fixed rank, the others
// for any. Those without a text about them are other spellings.
var nameWords = []struct{ word, meaning, letters, about string }{
	{"row-major", "row-major", "", "the last axis is innermost, any rank"},
	{"column-major", "column-major", "", "the first axis is innermost, any rank"},
	{"contiguous", "row-major", "", "PyTorch's default, row-major"},
	{"contiguous_format", "row-major", "", ""},
	{"channels_last", "channels_last", "NHWC", "PyTorch's NHWC, rank 4"},
	{"channels_last_3d", "channels_last", "NDHWC", "PyTorch's NDHWC, rank 5"},
}

// commonNames lists names of letters that are much used, to complete and to suggest.
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

// LayoutNames yields the names that completion offers and a line about each.
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

// Fits reports whether the layout name is meant for tensors of that rank.
func Fits(name string, rank int) bool {
	n, err := ParseName(name)
	return err == nil && (n.letters == "" || len(n.letters) == rank || n.leading && len(n.letters) == rank-1)
}

// ParseName reads a layout name, in any case.
func ParseName(text string) (Name, error) {
	s, err := scan.New(text)
	if err != nil {
		return Name{}, err
	}
	meaning, leading, err := unalias(text)
	if err != nil {
		return Name{}, err
	}
	if n, ok := wordName(meaning); ok {
		n.text = text
		return n, nil
	}
	s.In = meaning
	p := nameParser{Scanner: s}
	if err := p.parse(); err != nil {
		return Name{}, err
	}
	n := Name{text: text, letters: p.letters, blocks: p.blocks, leading: leading}
	if key := strings.ToLower(strings.TrimPrefix(text, "k")); strings.HasPrefix(key, "dla_") {
		n.dla = key
	}
	return n, nil
}

// tagKinds are the kinds of tensors whose axes have letters of their own in oneDNN's tags: the
// letters that have to be there, and all of them in the order in which sizes are listed.
var tagKinds = [...]struct{ needed, all string }{
	{"goi", "goidhw"},
	{"oi", "oidhw"},
	{"nc", "ncdhw"},
	{"tn", "tnc"},
	{"ldnc", "ldnc"},
	{"ldo", "ldigo"},
}

// ParseTag reads a format tag of oneDNN, in any case: a name of letters and blocks whose sizes are in the
// order of a kind of tensors, or of the alphabet up to l. Blocks of 1 divide nothing and are left out.
func ParseTag(text string) (Name, error) {
	s, err := scan.New(text)
	if err != nil {
		return Name{}, err
	}
	if strings.HasPrefix(strings.ToLower(text), "gio") { // its blocks are not of the letters that they name
		if s.In, _, err = unalias(text); err != nil {
			return Name{}, err
		}
	}
	p := nameParser{Scanner: s}
	if err := p.parse(); err != nil {
		return Name{}, err
	}
	n := Name{text: text, letters: p.letters}
	for _, b := range p.blocks {
		if b.size > 1 {
			n.blocks = append(n.blocks, b)
		}
	}
	order := tagOrder(strings.ToLower(n.letters))
	for i, letter := range strings.ToLower(n.letters) {
		if !strings.ContainsRune(order, letter) {
			return Name{}, p.Fail(i, "such as acdb, nhwc, oihw, goihw, tnc, ldigo, aBcd16b",
				"the letters of %s are not those of a format tag", scan.Clip(text))
		}
	}
	for _, letter := range order[:len(n.letters)] {
		if !strings.ContainsRune(strings.ToLower(n.letters), letter) {
			return Name{}, p.Fail(0, "the letters of a tag are the first of the alphabet, without gaps",
				"%c is missing in %s", letter, scan.Clip(text))
		}
	}
	if order[0] == 'l' {
		n.rename(strings.ToUpper(order), alphabet)
	}
	return n, nil
}

// tagOrder returns the letters of a tag in the order of the sizes: those of a kind of tensors, or the
// first twelve of the alphabet.
func tagOrder(letters string) string {
	among := func(letter rune) rune {
		if strings.ContainsRune(letters, letter) {
			return letter
		}
		return -1
	}
	for _, kind := range tagKinds {
		if order := strings.Map(among, kind.all); len(order) == len(letters) &&
			strings.Map(among, kind.needed) == kind.needed {
			return order
		}
	}
	return alphabet[:12]
}

// rename replaces letters that layouts do not know the order of.
func (n *Name) rename(letters, by string) {
	replace := func(letter rune) rune { return rune(by[strings.IndexRune(letters, letter)]) }
	n.letters = strings.Map(replace, n.letters)
	for i, b := range n.blocks {
		n.blocks[i].letter = strings.Map(replace, b.letter)
	}
}

// wordName finds a name that is a word, also in PyTorch's spelling and with other dashes.
func wordName(text string) (Name, bool) {
	key := strings.ReplaceAll(strings.ToLower(text), "-", "_")
	key = strings.TrimPrefix(key, "torch.")
	for _, w := range nameWords {
		if key == strings.ReplaceAll(w.word, "-", "_") {
			return Name{text: text, word: w.meaning, letters: w.letters}, true
		}
	}
	return Name{}, false
}

type nameParser struct {
	*scan.Scanner
	letters string // upper case
	blocks  []block
}

func (p *nameParser) parse() error {
	for scan.IsLetter(p.Peek()) {
		letter := strings.ToUpper(p.In[p.Pos : p.Pos+1])
		if strings.Contains(p.letters, letter) {
			return p.Fail(p.Pos, p.suggestion(), "the letter %s stands twice in the layout name %s", letter,
				scan.Clip(p.In))
		}
		p.letters += letter
		p.Pos++
	}
	for p.letters != "" && scan.IsDigit(p.Peek()) {
		if err := p.block(); err != nil {
			return err
		}
	}
	switch {
	case p.Pos == len(p.In) && p.Pos > 0:
		p.recase()
		return nil
	case len(p.blocks) > 0 && scan.IsLetter(p.Peek()):
		return p.Fail(p.Pos, "such as 4"+strings.ToLower(p.In[p.Pos:p.Pos+1]),
			"behind the first block every letter needs a number")
	}
	return p.Fail(p.Pos, p.suggestion(), "%q is not a layout name", scan.Clip(p.In))
}

func (p *nameParser) block() error {
	start := p.Pos
	size, err := p.Integer(scan.Number{Noun: "block", Example: "16c"})
	if err != nil {
		return err
	}
	letter := strings.ToUpper(string(rune(p.Peek())))
	switch {
	case size == 0:
		return p.Fail(start, "", "a block has at least one element")
	case !scan.IsLetter(p.Peek()):
		return p.Fail(p.Pos, p.blockHint(), "the block of %d does not say which axis it divides", size)
	case !strings.Contains(p.letters, letter):
		return p.Fail(p.Pos, "the letters before it are "+p.letters,
			"the block of %d divides %s, which is not an axis here", size, letter)
	case len(p.blocks) >= layout.MaxDigits-layout.MaxRank:
		return p.Fail(start, "", "more than %d blocks", layout.MaxDigits-layout.MaxRank)
	}
	p.Pos++
	p.blocks = append(p.blocks, block{letter, size})
	return nil
}

// blockHint completes a name such as NCHW16.
func (p *nameParser) blockHint() string {
	if p.Pos < len(p.In) {
		return "such as NCHW16c"
	}
	axis := p.letters[len(p.letters)-1:]
	if strings.Contains(p.letters, "C") {
		axis = "C"
	}
	return scan.Clip(p.In) + strings.ToLower(axis)
}

// recase gives axes that are the first letters of the alphabet lower case, as oneDNN writes
// them, so that the C of abcd is not taken for channels.
func (p *nameParser) recase() {
	if !scan.Alphabetical(strings.ToLower(p.letters)) {
		return
	}
	p.letters = strings.ToLower(p.letters)
	for i := range p.blocks {
		p.blocks[i].letter = strings.ToLower(p.blocks[i].letter)
	}
}

// suggestion names the known layout that is nearest to what was written.
func (p *nameParser) suggestion() string {
	var known []string
	for name := range LayoutNames {
		known = append(known, name)
	}
	if near := scan.Nearest(p.In, known); near != "" {
		return "did you mean " + near + "?"
	}
	return "such as NCHW, NHWC, NCHW16c, channels_last, row-major"
}

// String returns the name in one spelling: letters in upper case, or as oneDNN's tags write
// them when they are the first of the alphabet.
func (n Name) String() string {
	switch {
	case n.letters == "" && n.word == "":
		return "row-major"
	case n.letters == "":
		return n.word
	}
	var text strings.Builder
	for _, letter := range strings.Split(n.letters, "") {
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

// Letters returns the axes from outermost to innermost if that is all that the name says: no word,
// and no blocks.
func (n Name) Letters() (letters string, ok bool) {
	return n.letters, n.letters != "" && n.word == "" && n.dla == "" && len(n.blocks) == 0 && !n.leading
}

// blocked reports whether blocks divide the axis of that letter.
func (n Name) blocked(letter string) bool {
	for _, b := range n.blocks {
		if b.letter == letter {
			return true
		}
	}
	return false
}

// logical returns the names of the axes in the order in which unlabelled sizes are listed.
func (n Name) logical() []string {
	return strings.Split(logicalOrder(n.letters), "")
}

// memory returns the names of the axes from outermost to innermost.
func (n Name) memory() []string { return strings.Split(n.letters, "") }

// fail returns an error that points at the name.
func (n Name) fail(hint, format string, args ...any) error {
	return &scan.SyntaxError{Input: n.text, Msg: fmt.Sprintf(format, args...), Hint: hint}
}
