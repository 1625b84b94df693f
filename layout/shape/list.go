package shape

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A List is a list of integers as the user wrote it, labelled (N=1,C=3) or not, with the offset of each integer.
type List struct {
	text   string
	values []int64
	labels []string // nil, or one for each value
	at     []int64  // byte offset of each item in text
	bytes  uint64   // a bit for each item that counts bytes
	units  bool     // items have units, as in 4K
	filled bool     // items were open
	open   []string // nil, or for each item its name, empty for a number; a name has the value 1
}

// String returns the list as it was written.
func (l List) String() string { return l.text }

// Values returns the integers.
func (l List) Values() []int64 { return append([]int64(nil), l.values...) }

// Elements returns the integers in elements of the type.
func (l List) Elements(d layout.DType) ([]int64, error) {
	list := l.Values()
	for i := range list {
		var err error
		a := Amount{text: l.text, at: l.at[i], n: list[i], bytes: l.bytes>>i&1 != 0}
		if list[i], err = a.Elements(d); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Labelled returns the list with a label for each integer.
func (l List) Labelled(labels []string) List {
	l.labels = labels
	return l
}

// Labels returns the labels, or nil for a list without labels.
func (l List) Labels() []string { return append([]string(nil), l.labels...) }

// NewList returns a list of the values, with labels unless they are nil.
func NewList(values []int64, labels []string) List {
	at, text := make([]int64, len(values)), make([]byte, 0, 8*len(values))
	for i, v := range values {
		if i > 0 {
			text = append(text, ',')
		}
		at[i] = int64(len(text))
		if labels != nil {
			text = append(append(text, labels[i]...), '=')
		}
		text = strconv.AppendInt(text, v, 10)
	}
	return List{values: values, labels: labels, at: at, text: string(text)}
}

// Index returns the index into the layout that the list gives, in the order of the axes. The list may have the names of
// the axes as labels, and is checked against their sizes.
func Index(l layout.Layout, list List) ([]int64, error) {
	hint := "a scalar's only index is []"
	names := l.AxisNames()
	if len(names) > 0 {
		hint = "an index is one number for each of " + strings.Join(names, ",")
	}
	if list.labels != nil && len(list.labels) == len(names) {
		sorted := List{text: list.text, values: make([]int64, len(names)), at: make([]int64, len(names))}
		for i, at := range lexer.Positions(list.labels, names) {
			if at < 0 {
				return nil, list.fail(i, hint, "unknown axis %s", wording.Clip(list.labels[i]))
			}
			sorted.values[at], sorted.at[at] = list.values[i], list.at[i]
		}
		list = sorted
	}
	axis, err := l.CheckIndex(list.values)
	if err == nil {
		return list.values, nil
	}
	if len(list.values) == len(names) {
		hint = ""
	}
	return nil, list.fail(axis, hint, "%s", err)
}

// SizesOf returns the sizes of a layout as a list, labelled if its axes have names.
func SizesOf(l layout.Layout) List {
	if l.Named() {
		return NewList(l.Sizes(), l.AxisNames())
	}
	return NewList(l.Sizes(), nil)
}

// Len returns the number of integers.
func (l List) Len() int { return len(l.values) }

// At returns the offset of item i in the text.
func (l List) At(i int) int { return int(l.at[i]) }

// fail returns an error that points at item i, or at the end of the list.
func (l List) fail(i int, hint, format string, args ...any) error {
	s := lexer.Scanner{In: l.text}
	if i < len(l.at) {
		return s.Fail(int(l.at[i]), hint, format, args...)
	}
	return s.Fail(len(l.text), hint, format, args...)
}

// A listKind is the kind of integers in a list. They are separated by commas, or by x or spaces.
type listKind struct {
	lexer.IntKind
	labelled bool
	colons   bool // after labels, instead of an equals sign
	times    bool // x separates items, so that 0x3 alone is two numbers
	amounts  bool // items may count bytes
	units    bool // items may have units
	blanks   bool // spaces may separate items instead of x
	open     bool // items may be names
}

// ParseShape reads the sizes of a tensor: 1x3x224x224, 1,3,224,224, the same in brackets, as torch.Size([...]), or
// labelled, N=1,C=3. Empty brackets are a scalar.
func ParseShape(text string) (List, error) { return parseShape(text, false) }

// ParseSpacedShape is like ParseShape, but spaces may separate sizes: 1 3 224 224.
func ParseSpacedShape(text string) (List, error) { return parseShape(text, true) }

func parseShape(text string, blanks bool) (List, error) {
	kind := lexer.IntKind{Noun: "size", Example: "1x3x224x224"}
	return parseList(text, listKind{IntKind: kind, labelled: true, colons: true, times: true, units: true,
		blanks: blanks})
}

// ParseStrides reads strides in elements, which may be negative: 15,1,5,1, also in brackets.
func ParseStrides(text string) (List, error) { return parseStrides(text, false) }

// ParseStrideAmounts reads strides in elements or in bytes: 15,1,5,1 or 60B,4B,20B,4B.
func ParseStrideAmounts(text string) (List, error) { return parseStrides(text, true) }

func parseStrides(text string, amounts bool) (List, error) {
	kind := lexer.IntKind{Noun: "stride", Example: "150528,1,672,3", Signed: true}
	return parseList(text, listKind{IntKind: kind, times: true, amounts: amounts, blanks: amounts})
}

// ParseIndex reads the index of an element: 0,2,1, also in brackets, or labelled, H=2,W=1. [Index] rejects negative
// numbers, with the range of the axis.
func ParseIndex(text string) (List, error) {
	kind := lexer.IntKind{Noun: "index", Example: "0,2,1", Signed: true}
	return parseList(text, listKind{IntKind: kind, labelled: true})
}

// ParseOffsets reads offsets in elements or in bytes, which may be negative: 3,4 or 12B,16B, also in brackets.
func ParseOffsets(text string) (List, error) {
	kind := lexer.IntKind{Noun: "offset", Example: "3,4", Signed: true}
	return parseList(text, listKind{IntKind: kind, amounts: true})
}

// ParseDims reads the values of unknown sizes, strides and offsets: 8,4,0, or by name, s77=8.
func ParseDims(text string) (List, error) {
	kind := lexer.IntKind{Noun: "number", Example: "8,4,0 or s77=8", Signed: true}
	return parseList(text, listKind{IntKind: kind, labelled: true, times: true})
}

func parseList(text string, kind listKind) (List, error) {
	n := min(len(text)/2+1, layout.MaxRank) // the maximum number of values in a short string
	room := make([]int64, 2*n)
	list := List{text: text, values: room[:0:n], at: room[n:n]}
	p := listParser{Reader: lexer.NewReader(text), kind: kind, list: list}
	if p.parse(); p.Err != nil {
		return List{}, p.Err
	}
	return p.list, nil
}

// A listParser reads one list. All separators must be equal, so that a slip such as 1,3.224 or 1x3,224 is rejected.
type listParser struct {
	lexer.Reader
	kind      listKind
	list      List
	separator string
	mark      string // = or : after labels
	closers   string // the closing brackets of the list
	opened    [2]int // the offsets of the opening brackets
}

func (p *listParser) parse() {
	p.open()
	if p.Done() && p.closers == "" {
		p.Fail(p.Pos, "such as "+p.kind.Example, "no %s given", p.kind.Noun)
	}
	for p.Err == nil && !p.atEnd() {
		p.item()
		if p.Blanks(); p.atEnd() {
			break
		}
		p.separate()
	}
	if letters := strings.Join(p.list.labels, ""); p.mark == ":" && p.Err == nil {
		if n, err := ParseName(letters); err != nil || !n.IsUsual() {
			p.Fail(0, "write "+NewList(p.list.values, p.list.labels).text,
				"colons are read only after the letters of a layout such as NCHW")
		}
	}
	for i := range len(p.closers) {
		p.Blanks()
		switch {
		case p.Take(p.closers[i : i+1]):
		case p.Done() && p.Err == nil:
			p.Fault(p.Unclosed(p.opened[len(p.closers)-1-i], p.closers[i:]))
		default:
			p.Fail(p.Pos, "", "%s expected", p.closers[i:i+1])
		}
	}
	p.Blanks()
	if !p.Done() {
		p.Fail(p.Pos, "", "%q does not belong to the list", p.Rest())
	}
}

// open reads the brackets before the list.
func (p *listParser) open() {
	p.Blanks()
	torch := p.Take("torch.Size")
	for {
		p.Blanks()
		which := strings.IndexByte("([{", p.Peek())
		if which < 0 || len(p.closers) == 2 {
			break
		}
		p.opened[len(p.closers)] = p.Pos
		p.Pos++
		p.closers = ")]}"[which:which+1] + p.closers
	}
	if p.closers == "" && torch {
		p.Fail(p.Pos, "torch.Size([1, 3])", "torch.Size needs a list in brackets")
	}
}

// atEnd reports whether the closing bracket comes next, or the end of the input if there is no bracket.
func (p *listParser) atEnd() bool {
	if p.closers == "" {
		return p.Done()
	}
	return p.Peek() == p.closers[0]
}

// item reads one integer and the label before it, if any.
func (p *listParser) item() {
	if len(p.list.values) == layout.MaxRank {
		p.Fail(p.Pos, "", "more than %d numbers: the limit is rank %d", layout.MaxRank, layout.MaxRank)
	}
	p.list.at = append(p.list.at, int64(p.Pos))
	if c := p.Peek(); p.kind.labelled && (lexer.IsLetter(c) || c == '_') {
		p.label()
	} else if p.list.labels != nil {
		p.Fail(p.Pos, "label all or none", "a label such as W= is missing here")
	}
	if p.kind.open {
		symbol := p.symbol()
		if p.list.open = append(p.list.open, symbol); symbol != "" {
			p.list.values = append(p.list.values, 1)
			return
		}
	}
	p.noZero(p.Pos)
	p.noUnknown()
	kind := p.kind.IntKind
	kind.Hex = p.isHexadecimal()
	if !p.kind.amounts {
		p.list.values = append(p.list.values, p.unit(p.Integer(kind)))
		return
	}
	a := takeAmount(&p.Reader, kind)
	if a.bytes {
		p.list.bytes |= 1 << len(p.list.values)
	}
	p.list.values = append(p.list.values, a.n)
}

// unit returns n times the unit after it, if there is one: K, M and G are powers of 1024.
func (p *listParser) unit(n int64) int64 {
	unit := strings.IndexByte("KMG", p.Peek()&^0x20)
	if unit < 0 || !p.kind.units || p.Done() {
		return n
	}
	ahead, at := p.Scanner, p.Pos
	ahead.Pos++
	ahead.Take("i")
	if c := ahead.Peek(); lexer.IsWord(c) && c|0x20 != 'x' {
		return n
	}
	p.Pos, p.list.units = ahead.Pos, true
	n, err := layout.Mul(n, 1<<(10*(unit+1)))
	if err != nil {
		p.Fail(at, "", "%s is more than 64 bits hold", wording.Quote(p.In[p.list.at[len(p.list.values)]:p.Pos]))
	}
	return n
}

// isHexadecimal reports whether 0x starts a hexadecimal number. If x can also separate numbers, this requires a list
// with commas, or a digit from A to F that does not start a label, as in N=0xC=3.
func (p *listParser) isHexadecimal() bool {
	ahead := p.Scanner
	ahead.Take("-")
	n := ahead.Hexadecimal()
	if n == 0 || !p.kind.times {
		return n > 0
	}
	digits := ahead.In[ahead.Pos+2 : ahead.Pos+n]
	ahead.Pos += n
	c := ahead.Peek()
	if lexer.IsWord(c) || c == '=' || p.separator == "x" || p.separator == "×" {
		return false
	}
	return p.separator == "," || c == ',' || strings.Trim(digits, "0123456789") != ""
}

// maxName is the length of the longest name of an axis.
const maxName = 32

func (p *listParser) label() {
	start := p.Pos
	word := p.Span(lexer.IsWord)
	p.Blanks()
	switch {
	case len(word) > maxName:
		p.Fail(start, "", "a name of %d letters is over the limit of %d", len(word), maxName)
	case !p.takeMark(len(word) == 1 && word[0] <= 'Z'):
		p.Fail(start, "such as "+p.kind.Example, "%q is not %s", wording.Clip(word), wording.Article(p.kind.Noun))
	case len(p.list.labels) != len(p.list.values):
		p.Fail(start, "label all or none", "the numbers before %s have no label", wording.Clip(word))
	}
	for _, l := range p.list.labels {
		if strings.EqualFold(l, word) {
			p.Fail(start, "", "%s is given twice", wording.Clip(word))
		}
	}
	p.list.labels = append(p.list.labels, word)
	p.Blanks()
}

// takeMark reads the mark between a label and its number, which must be the same for all items: an equals sign, or a
// colon if the labels are capital letters, N: 1, C: 3. Other words before colons are from logs.
func (p *listParser) takeMark(isCapital bool) bool {
	for _, mark := range []string{"=", ":"} {
		if (p.mark == "" || p.mark == mark) && (mark == "=" || isCapital && p.kind.colons) && p.Take(mark) {
			p.mark = mark
			return true
		}
	}
	return false
}

// separate reads the separator between two integers.
func (p *listParser) separate() {
	start := p.Pos
	separators, hint := []string{",", "x", "×", "*"}, "separate the numbers with commas or x"
	if !p.kind.times {
		separators, hint = []string{","}, "separate the numbers with commas or spaces"
	}
	c := p.Peek()
	if p.isBlank(start, c) {
		if p.separator == "," {
			p.Fail(start, "use one of them throughout", "a blank after \",\"")
		}
		p.separator = " "
		return
	}
	for _, separator := range separators {
		if !p.Take(separator) {
			continue
		}
		if p.separator != "" && p.separator != separator {
			p.Fail(start, "use one of them throughout", "%q after %q", separator, p.separator)
		}
		p.separator = separator
		p.Blanks()
		if p.Done() && (p.closers != "" || separator != ",") {
			p.Fail(p.Pos, "such as "+p.kind.Example, "%s is missing after %q", wording.Article(p.kind.Noun), separator)
		}
		return
	}
	switch {
	case p.Done() && p.closers != "":
		p.Fault(p.Unclosed(p.opened[len(p.closers)-1], p.closers))
	case c == '.' || c == 'e' || c == 'E' || c == '_':
		p.otherwise(start)
	default:
		p.Fail(start, hint, "%q is not expected here", p.Rest())
	}
}

// isBlank reports whether the space before c, a character in the middle of the list, is the separator.
func (p *listParser) isBlank(at int, c byte) bool {
	if strings.IndexByte(" \t\r\n", p.In[at-1]) < 0 || c == ',' || p.Done() {
		return false
	}
	isItem := lexer.IsDigit(c) && p.list.labels == nil || p.list.labels != nil && p.isLabel(c)
	return !p.kind.times || p.kind.blanks && isItem && (p.separator == "" || p.separator == " ")
}

// isLabel reports whether c, the next character, starts a label, and is not an x between numbers.
func (p *listParser) isLabel(c byte) bool {
	ahead := p.Scanner
	ahead.Span(lexer.IsWord)
	ahead.Blanks()
	return c != 'x' && lexer.IsLetter(c) && (ahead.Peek() == '=' || p.mark != "" && ahead.Peek() == p.mark[0])
}

// noZero rejects a number of several digits that starts with a zero after a comma, because in 1,000 it is the end of a
// number.
func (p *listParser) noZero(at int) {
	s := lexer.Scanner{In: p.In, Pos: at}
	digits := s.Span(lexer.IsDigit)
	if p.separator != "," || len(digits) < 2 || digits[0] != '0' {
		return
	}
	start, meant := at, cmp.Or(strings.TrimLeft(digits, "0"), "0")
	before := p.In[p.list.at[len(p.list.at)-2] : at-1]
	if n, err := strconv.Atoi(before); err == nil && 0 < n && n < 1000 && len(digits) == 3 {
		start, meant = at-1-len(before), before+digits
		for more := s; more.Take(",") && len(more.Span(lexer.IsDigit)) == 3; s = more {
			meant += more.In[more.Pos-3 : more.Pos]
		}
	}
	err := p.Scanner.Fail(at, "write "+meant, "%s does not begin with a zero", wording.Article(p.kind.Noun))
	err.Change = lexer.Change{Typed: p.In[start:s.Pos], Word: meant, Before: at - start}
	p.Fault(err)
}

// noUnknown rejects -1 as a size, which is an unknown size in ONNX and TensorFlow.
func (p *listParser) noUnknown() {
	ahead := p.Scanner
	if p.kind.Noun != "size" || !ahead.Take("-1") || lexer.IsDigit(ahead.Peek()) {
		return
	}
	err := p.Scanner.Fail(p.Pos, "an unknown size is ?", "a size cannot be negative")
	err.Change = lexer.Change{Typed: "-1", Word: "?"}
	p.Fault(err)
}

// otherwise rejects a number in the notation of programs, 1e6 or 1_000, with a hint how to write it.
func (p *listParser) otherwise(at int) {
	start := int(p.list.at[len(p.list.at)-1])
	s := lexer.Scanner{In: p.In, Pos: start}
	typed := s.Span(func(c byte) bool { return lexer.IsDigit(c) || strings.IndexByte("._eE+", c) >= 0 })
	groups := strings.Split(typed, "_")
	meant := strings.Join(groups, "")
	if slices.ContainsFunc(groups[1:], func(group string) bool { return len(group) != 3 }) { // these are not thousands
		meant = strings.Join(groups, "x")
	} else if v, err := strconv.ParseFloat(meant, 64); err == nil && v == math.Trunc(v) && v < 1<<53 {
		meant = strconv.FormatInt(int64(v), 10)
	} else {
		p.Fail(at, "", "%s is a whole number", wording.Article(p.kind.Noun))
		return
	}
	msg := wording.Article(p.kind.Noun) + " is a whole number"
	if len(groups) > 1 {
		msg += ", without _"
	}
	err := p.Scanner.Fail(at, "write "+meant, "%s", msg)
	err.Change = lexer.Change{Typed: typed, Word: meant, Before: at - start}
	p.Fault(err)
}
