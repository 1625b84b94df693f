package layout

import (
	"strconv"
	"strings"
)

// A List is a list of integers as a user wrote it, labelled (N=1,C=3) or not, which remembers
// where each of them stands.
type List struct {
	text   string
	values []int64
	labels []string // nil, or one for each value
	at     []int    // byte offset of each item in text
}

// Values returns the integers.
func (l List) Values() []int64 { return append([]int64(nil), l.values...) }

// Labels returns the labels, nil when there are none.
func (l List) Labels() []string { return append([]string(nil), l.labels...) }

// NewList returns the list of the values, with labels unless they are nil.
func NewList(values []int64, labels []string) List {
	list := List{values: values, labels: labels}
	for i, v := range values {
		if i > 0 {
			list.text += ","
		}
		list.at = append(list.at, len(list.text))
		if labels != nil {
			list.text += labels[i] + "="
		}
		list.text += strconv.FormatInt(v, 10)
	}
	return list
}

// SizesOf returns the sizes of a layout as a list, labelled if its axes have names.
func SizesOf(l Layout) List {
	if l.Named() {
		return NewList(l.Sizes(), l.axisNames())
	}
	return NewList(l.Sizes(), nil)
}

// Len returns the number of integers.
func (l List) Len() int { return len(l.values) }

// fail returns an error that points at item i, or at the end of the list.
func (l List) fail(i int, hint, format string, args ...any) error {
	s := scanner{in: l.text}
	if i < len(l.at) {
		return s.fail(l.at[i], hint, format, args...)
	}
	return s.fail(len(l.text), hint, format, args...)
}

// A listKind says what the integers of a list are.
type listKind struct {
	noun, example    string
	signed, labelled bool
}

// ParseShape reads the sizes of a tensor: 1x3x224x224, 1,3,224,224, the same in brackets, as
// torch.Size([...]), or labelled, N=1,C=3. An empty pair of brackets is a scalar.
func ParseShape(text string) (List, error) {
	return parseList(text, listKind{"size", "1x3x224x224", false, true})
}

// ParseStrides reads strides, which may be negative: 15,1,5,1, also in brackets.
func ParseStrides(text string) (List, error) {
	return parseList(text, listKind{"stride", "150528,1,672,3", true, false})
}

// ParseIndex reads the index of an element: 0,2,1, also in brackets, or labelled, H=2,W=1.
func ParseIndex(text string) (List, error) {
	return parseList(text, listKind{"index", "0,2,1", false, true})
}

// ParseOffsets reads offsets, which may be negative: 3,4, also in brackets.
func ParseOffsets(text string) (List, error) {
	return parseList(text, listKind{"offset", "3,4", true, false})
}

// ParseDims reads what stands for unknown sizes, strides and offsets: 8,4,0.
func ParseDims(text string) (List, error) {
	return parseList(text, listKind{"number", "8,4,0", true, false})
}

func parseList(text string, kind listKind) (List, error) {
	s, err := newScanner(text)
	if err != nil {
		return List{}, err
	}
	p := listParser{scanner: s, kind: kind, list: List{text: text}}
	if err := p.parse(); err != nil {
		return List{}, err
	}
	return p.list, nil
}

// A listParser reads one list. All separators must be the same, so that a slip such as 1,3.224
// or 1x3,224 is not taken for something else.
type listParser struct {
	*scanner
	kind      listKind
	list      List
	separator string
}

func (p *listParser) parse() error {
	closers, err := p.open()
	if err != nil {
		return err
	}
	if p.done() && closers == "" {
		return p.fail(p.pos, "such as "+p.kind.example, "no %s given", p.kind.noun)
	}
	for !p.atEnd(closers) {
		if err := p.item(); err != nil {
			return err
		}
		p.blanks()
		if p.atEnd(closers) {
			break
		}
		if err := p.separate(closers); err != nil {
			return err
		}
	}
	return p.close(closers)
}

// open reads the brackets before the list and returns those that must close it.
func (p *listParser) open() (closers string, err error) {
	p.blanks()
	torch := p.take("torch.Size")
	for {
		p.blanks()
		switch {
		case len(closers) == 2:
			return closers, nil
		case p.take("("):
			closers = ")" + closers
		case p.take("["):
			closers = "]" + closers
		case p.take("{"):
			closers = "}" + closers
		case closers == "" && torch:
			return "", p.fail(p.pos, "torch.Size([1, 3])", "torch.Size needs a list in brackets")
		default:
			return closers, nil
		}
	}
}

// atEnd reports whether the next byte is the closing bracket, or nothing where none is due.
func (p *listParser) atEnd(closers string) bool {
	if closers == "" {
		return p.done()
	}
	return p.peek() == closers[0]
}

func (p *listParser) close(closers string) error {
	for i := range len(closers) {
		p.blanks()
		if !p.take(closers[i : i+1]) {
			return p.fail(p.pos, "", "%s expected", closers[i:i+1])
		}
	}
	p.blanks()
	if !p.done() {
		return p.fail(p.pos, "", "%q does not belong to the list", p.rest())
	}
	return nil
}

// item reads one integer and the label before it, if any.
func (p *listParser) item() error {
	if len(p.list.values) == MaxRank {
		return p.fail(p.pos, "", "more than %d numbers: the limit is rank %d", MaxRank, MaxRank)
	}
	p.list.at = append(p.list.at, p.pos)
	if c := p.peek(); p.kind.labelled && (isLetter(c) || c == '_') {
		if err := p.label(); err != nil {
			return err
		}
	} else if p.list.labels != nil {
		return p.fail(p.pos, "label all or none", "a label such as W= is missing here")
	}
	v, err := p.integer(p.kind)
	p.list.values = append(p.list.values, v)
	return err
}

// maxName is the length of the longest name of an axis.
const maxName = 32

func (p *listParser) label() error {
	start := p.pos
	word := p.span(isWord)
	p.blanks()
	switch {
	case len(word) > maxName:
		return p.fail(start, "", "a name of %d letters is over the limit of %d", len(word), maxName)
	case !p.take("="):
		return p.fail(start, "such as "+p.kind.example, "%q is not %s", clip(word), article(p.kind.noun))
	case len(p.list.labels) != len(p.list.values):
		return p.fail(start, "label all or none", "the numbers before %s have no label", clip(word))
	}
	for _, l := range p.list.labels {
		if strings.EqualFold(l, word) {
			return p.fail(start, "", "%s is given twice", clip(word))
		}
	}
	p.list.labels = append(p.list.labels, word)
	p.blanks()
	return nil
}

// separate reads what stands between two integers.
func (p *listParser) separate(closers string) error {
	start := p.pos
	for _, separator := range []string{",", "x", "×"} {
		if !p.take(separator) {
			continue
		}
		if p.separator != "" && p.separator != separator {
			return p.fail(start, "use one of them throughout", "%q after %q", separator, p.separator)
		}
		p.separator = separator
		p.blanks()
		if p.done() && (closers != "" || separator != ",") {
			return p.fail(p.pos, "", "the list ends too early")
		}
		return nil
	}
	switch c := p.peek(); {
	case p.done():
		return p.fail(start, "", "%s expected at the end", closers[:1])
	case c == '.' || c == 'e' || c == 'E':
		return p.fail(start, "", "%s is a whole number", article(p.kind.noun))
	}
	return p.fail(start, "separate the numbers with commas or x", "%q is not expected here", p.rest())
}
