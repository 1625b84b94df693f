package notation

import (
	"strconv"
	"strings"

	"layoutcalc/layout"
)

// dnnlMaxRank is how many axes a descriptor of oneDNN has at most.
const dnnlMaxRank = 12

// tagAlphabet names the axes of any tensor in oneDNN's tags.
const tagAlphabet = "abcdefghijkl"

// tagKinds are the kinds of tensors whose axes have letters of their own in oneDNN's tags: the
// letters that have to be there, and all of them in the order in which sizes are listed.
var tagKinds = [...]struct{ needed, logical string }{
	{"goi", "goidhw"},
	{"oi", "oidhw"},
	{"nc", "ncdhw"},
	{"tn", "tnc"},
	{"ldnc", "ldnc"},
	{"ldo", "ldigo"},
}

// tagAliases are tags whose meaning in oneDNN is not what their letters say.
var tagAliases = [...]struct{ tag, meaning string }{
	{"giohw2i8o16i2o", "abcde2c8b16c2b"},
	{"giodhw2i8o16i2o", "abcdef2c8b16c2b"},
}

// A formatTag is a format tag as oneDNN understands it.
type formatTag struct {
	at      int
	written string
	name    string // as package layout reads it
	order   []int  // the axes from outermost to innermost
	blocks  []tagBlock
}

// A tagParser reads a tag in lower case: neither oneDNN nor we look at the case of letters.
type tagParser struct {
	*reader
	formatTag
	lower   string
	logical string // the letters of the axes
	renamed bool   // the letters are not those that were written
	names   strings.Builder
}

// formatTag reads the tag of a tensor of that rank, which stands at an offset of the text. Meta
// tags (axb) are benchdnn's: their x is all axes that have no letter.
func (r *reader) formatTag(at int, text string, rank int, meta bool) formatTag {
	p := &tagParser{reader: r, formatTag: formatTag{at: at, written: text}, lower: strings.ToLower(text)}
	switch {
	case p.lower == "any" || p.lower == "undef" || p.lower == "*":
		r.fail(at, "such as acdb or nhwc", "%s is no layout", text)
	case p.lower == "x":
		p.lower, p.renamed = "a", true
	case meta && strings.Count(p.lower, "x") == 1:
		p.lower, p.renamed = withoutX(p.lower, rank), true
	}
	for _, a := range tagAliases {
		if p.lower == a.tag {
			p.lower, p.renamed = a.meaning, true
		}
	}
	p.logical = tagLetters(p.lower)
	p.parse()
	p.check(rank)
	p.name = p.names.String()
	return p.formatTag
}

// withoutX writes the letters behind the highest one for the x of a meta tag. Letters beyond the
// rank are dropped, so that axb is also ab and a.
func withoutX(tag string, rank int) string {
	next := 0
	for i := range len(tag) {
		if axis := strings.IndexByte(tagAlphabet, tag[i]); axis >= next {
			next = axis + 1
		}
	}
	if next < rank && rank <= dnnlMaxRank {
		return strings.Replace(tag, "x", tagAlphabet[next:rank], 1)
	}
	var b strings.Builder
	for i, start := 0, 0; i < len(tag); i++ {
		if isDigit(tag[i]) {
			continue
		}
		if axis := strings.IndexByte(tagAlphabet, tag[i]); tag[i] != 'x' && axis < rank {
			b.WriteString(tag[start : i+1])
		}
		start = i + 1
	}
	return b.String()
}

// tagLetters returns the letters of the axes in the order of the sizes: those of a kind of
// tensors, or the alphabet.
func tagLetters(tag string) string {
	outer := 0
	for outer < len(tag) && !isDigit(tag[outer]) {
		outer++
	}
	for _, kind := range tagKinds {
		if !strings.ContainsAny(tag, "ab") && allAmong(kind.needed, tag[:outer]) && allAmong(tag[:outer], kind.logical) {
			return lettersAmong(kind.logical, tag[:outer])
		}
	}
	return tagAlphabet
}

// allAmong reports whether all letters are among others.
func allAmong(letters, others string) bool {
	for i := range len(letters) {
		if strings.IndexByte(others, letters[i]) < 0 {
			return false
		}
	}
	return true
}

// lettersAmong returns the letters that are among others.
func lettersAmong(letters, others string) string {
	var buf [dnnlMaxRank]byte
	both := buf[:0]
	for i := range len(letters) {
		if strings.IndexByte(others, letters[i]) >= 0 {
			both = append(both, letters[i])
		}
	}
	return string(both)
}

// parse reads the letters and the blocks behind them.
func (p *tagParser) parse() {
	p.order, p.blocks = make([]int, 0, dnnlMaxRank), make([]tagBlock, 0, 4)
	p.names.Grow(len(p.lower))
	for i := 0; i < len(p.lower) && p.err == nil; i++ {
		start := i
		for i < len(p.lower) && isDigit(p.lower[i]) {
			i++
		}
		switch {
		case i == len(p.lower):
			p.wrong(start, "such as aBcd16b", "the block of %s does not say which axis it divides", p.lower[start:])
		case i > start:
			p.block(start, i)
		default:
			p.outer(i)
		}
	}
}

// outer adds the axis of a letter without a number.
func (p *tagParser) outer(i int) {
	letter := p.lower[i : i+1]
	axis := strings.Index(p.logical, letter)
	switch {
	case axis < 0:
		p.wrong(i, "such as acdb, nhwc, oihw, goihw, tnc, ldigo, aBcd16b", "the letters of %s are not those of a format tag", p.written)
	case len(p.blocks) > 0 || i > 0 && isDigit(p.lower[i-1]):
		p.wrong(i, "such as 4"+letter, "behind the first block every letter needs a number")
	case p.has(axis):
		p.wrong(i, "a letter that stands again needs the size of a block: 4"+letter, "the letter %s stands twice", letter)
	default:
		p.order = append(p.order, axis)
		p.letter(axis)
	}
}

// block adds the block whose size stands from start to i. Blocks of 1 are none.
func (p *tagParser) block(start, i int) {
	letter := p.lower[i : i+1]
	axis := strings.Index(p.logical, letter)
	size, err := strconv.ParseInt(p.lower[start:i], 10, 64)
	switch {
	case err != nil:
		p.wrong(start, "", "the block of %s is more than 64 bits hold", bigText(p.lower[start:i]))
	case axis < 0 || !p.has(axis):
		p.wrong(i, "the axis stands before the blocks too, in upper case: aBcd16b", "the block of %d divides %s, which is not an axis here", size, letter)
	case size == 0:
		p.wrong(start, "", "a block has at least one element")
	case size > 1 && len(p.blocks) < layout.MaxDigits-dnnlMaxRank:
		p.blocks = append(p.blocks, tagBlock{axis, size})
		p.names.WriteString(p.lower[start:i])
		p.letter(axis)
	case size > 1:
		p.wrong(start, "", "more than %d blocks", layout.MaxDigits-dnnlMaxRank)
	}
}

// letter adds the letter of an axis to the name. Those of recurrent networks are none that
// package layout knows the order of.
func (p *tagParser) letter(axis int) {
	letters := p.logical
	if letters[0] == 'l' {
		letters = tagAlphabet
	}
	p.names.WriteByte(letters[axis])
}

// has reports whether the axis has been read.
func (p *tagParser) has(axis int) bool {
	for _, a := range p.order {
		if a == axis {
			return true
		}
	}
	return false
}

// check refuses a tag that leaves out letters, or has another rank.
func (p *tagParser) check(rank int) {
	for axis := range len(p.order) {
		if !p.has(axis) {
			p.fail(p.at, "the letters of a tag are the first of the alphabet, without gaps", "%s is missing in %s", p.logical[axis:axis+1], p.written)
		}
	}
	if len(p.order) != rank {
		p.fail(p.at, "one letter for each size", "%s has %d axes, and there are %d sizes", p.written, len(p.order), rank)
	}
}

// wrong is a fault at a byte of the tag, or at all of it where the letters are not as written.
func (p *tagParser) wrong(i int, hint, format string, args ...any) {
	if p.renamed {
		i = 0
	}
	p.fail(p.at+i, hint, format, args...)
}
