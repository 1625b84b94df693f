package notation

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// maxDepth limits how deep brackets may nest.
const maxDepth = 64

// A reader reads a text from left to right. Its first fault sticks: it moves to the end of the
// text, so that whoever reads on finds nothing and comes to an end.
type reader struct {
	scan.Scanner
	depth   int
	options Options
	filled  int             // how many ? have got their values
	used    map[string]bool // the names that have got theirs
	python  bool            // comments start with #, and // divides
	typed   bool            // as lldb prints: types in brackets before values, no commas
	err     error
	found   []Descriptor
	seen    map[string]int // where in found the tensor of a name and layout is
	skipped []string
}

// fail notes the fault at an offset of the text, unless there is one already.
func (r *reader) fail(at int, hint, format string, args ...any) {
	if r.err == nil {
		r.fault(&layout.SyntaxError{Input: r.In, Offset: at, Msg: fmt.Sprintf(format, clipAll(args)...), Hint: hint})
	}
}

// fault notes an error, unless there is one already. A number without a name that does not fit is
// the storage: that is what texts are multiplied out for.
func (r *reader) fault(err error) {
	if r.err != nil || err == nil {
		return
	}
	if e, ok := err.(*layout.SyntaxError); ok {
		e.Msg, e.Hint = scan.OneLine(e.Msg, maxMessage), scan.OneLine(e.Hint, maxMessage)
	}
	r.err, r.Pos = overflowOf("the storage", err), len(r.In)
}

// overflowOf gives a number that does not fit its name, unless it has one.
func overflowOf(what string, err error) error {
	if e, ok := err.(*layout.OverflowError); ok && e.What == "" {
		return &layout.OverflowError{What: what, Exact: e.Exact, Hint: e.Hint}
	}
	return err
}

// faultAt notes an error of which only the place in this text is known: all of it starts at the given offset.
func (r *reader) faultAt(at int, err error) {
	if e, ok := err.(*layout.SyntaxError); ok {
		err = e.In(r.In, at)
	}
	r.fault(err)
}

// within notes an error about the part of the text that starts at the given offset.
func (r *reader) within(at int, err error) {
	if e, ok := err.(*layout.SyntaxError); ok && e.Input != "" {
		err = e.In(r.In, at+e.Offset)
	}
	r.fault(err)
}

// space steps over blanks and comments.
func (r *reader) space() {
	for r.Pos < len(r.In) {
		switch c := r.In[r.Pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			r.Pos++
		case c == '#' && r.python:
			r.Pos = r.after("\n", r.Pos)
		case c == '/' && !r.python && strings.HasPrefix(r.In[r.Pos:], "//"):
			r.Pos = r.after("\n", r.Pos+2)
		case c == '/' && strings.HasPrefix(r.In[r.Pos:], "/*"):
			r.Pos = r.after("*/", r.Pos+2)
		default:
			return
		}
	}
}

// after returns the offset after the next mark, or the end of the text.
func (r *reader) after(mark string, from int) int {
	if i := strings.Index(r.In[from:], mark); i >= 0 {
		return from + i + len(mark)
	}
	return len(r.In)
}

// done reports whether nothing is left but blanks.
func (r *reader) done() bool {
	r.space()
	return r.Pos == len(r.In)
}

// take steps over blanks and the mark if it comes next.
func (r *reader) take(mark string) bool {
	r.space()
	return r.takeHere(mark)
}

// takeHere is take where no blanks may come before the mark.
func (r *reader) takeHere(mark string) bool {
	if !strings.HasPrefix(r.In[r.Pos:], mark) {
		return false
	}
	r.Pos += len(mark)
	return true
}

// expect is take for a mark that has to come.
func (r *reader) expect(mark string) {
	if !r.take(mark) {
		r.unexpected("%s is expected here", mark)
	}
}

// unexpected is a fault at the next byte.
func (r *reader) unexpected(format string, args ...any) {
	r.fail(r.Pos, "", format, args...)
}

// rest quotes the next word of what is left.
func (r *reader) rest() string {
	if r.Pos == len(r.In) {
		return "the end"
	}
	return scan.Quote(cmp.Or(r.nextWord(), r.In[r.Pos:]))
}

// nextWord returns what comes up to the next blank.
func (r *reader) nextWord() string {
	rest := r.In[r.Pos:]
	if i := strings.IndexAny(rest, " \t\r\n"); i >= 0 {
		return rest[:i]
	}
	return rest
}

// word reads, after blanks, a word of letters, digits and underscores.
func (r *reader) word() string {
	r.space()
	return r.Span(scan.IsWord)
}

// open steps over an opening bracket, one level deeper; close ends the level.
func (r *reader) open(bracket string) {
	r.expect(bracket)
	if r.depth++; r.depth > maxDepth {
		r.unexpected("brackets nest deeper than the limit of %d", maxDepth)
	}
}

func (r *reader) close(bracket string) {
	r.depth--
	r.expect(bracket)
}

// each reads a list in brackets: read reads item i, and commas are between them.
func (r *reader) each(open, closing string, read func(i int)) {
	r.open(open)
	for i := 0; !r.take(closing) && r.err == nil; i++ {
		if i > 0 && !r.take(",") {
			r.unexpected("a comma or %s is expected here", closing)
		}
		r.space()
		read(i)
	}
	r.depth--
}

// digits reads a number that is not negative, after blanks.
func (r *reader) digits() int64 { return r.integer(false) }

func (r *reader) integer(signed bool) int64 {
	r.space()
	start := r.Pos
	if signed {
		r.takeHere("-")
	}
	if r.Span(scan.IsDigit) == "" {
		r.unexpected("a number is expected here")
		return 0
	}
	text := r.In[start:r.Pos]
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		r.fail(start, "", "%s is more than 64 bits hold", scan.BigText(text))
	}
	return n
}

// known is number, or the value that the options have for a ?; what says what the number is.
func (r *reader) known(what string) int64 {
	r.space()
	if r.Peek() != '?' && r.Peek() != '*' {
		return r.integer(true)
	}
	if r.filled == len(r.options.Dims) {
		hint := "--dim gives the " + ordinal(r.filled) + " ? a value: --dim N, or N,N for two"
		r.fail(r.Pos, hint, "%s is not known", what)
		return 0
	}
	r.Pos++
	r.filled++
	return r.options.Dims[r.filled-1]
}

// named returns the value that the options have for a name.
func (r *reader) named(name string) (n int64, ok bool) {
	if n, ok = r.options.Names[name]; ok {
		if r.used == nil {
			r.used = map[string]bool{}
		}
		r.used[name] = true
	}
	return n, ok
}

// ordinal counts: first, second, third, 4th.
func ordinal(i int) string {
	if i < 3 {
		return [...]string{"first", "second", "third"}[i]
	}
	return strconv.Itoa(i+1) + "th"
}

// dtype reads a word as an element type.
func (r *reader) dtype() layout.DType {
	r.space()
	start := r.Pos
	d, err := layout.ParseDType(r.word())
	r.within(start, err)
	return d
}

// skip notes, once, a part of the text that a layout does not hold.
func (r *reader) skip(format string, args ...any) {
	if note := fmt.Sprintf(format, clipAll(args)...); !slices.Contains(r.skipped, note) {
		r.skipped = append(r.skipped, note)
	}
}

// noStrides notes that a text says no strides of a tensor.
func (r *reader) noStrides(name string) {
	r.skip("%s: the text has no strides, and is read as row-major", cmp.Or(name, "the tensor"))
}

// The most characters of a message or hint, and of a part of the text that one quotes.
const (
	maxMessage = 250
	maxQuote   = 60
)

// clipAll clips the texts among the arguments of a message.
func clipAll(args []any) []any {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = scan.OneLine(text, maxQuote)
		}
	}
	return args
}

// tuple writes numbers as Python does: (2, 3), (2,), ().
func tuple(numbers []int64) string {
	if len(numbers) == 1 {
		return "(" + strconv.FormatInt(numbers[0], 10) + ",)"
	}
	return "(" + layout.JoinInts(numbers, ", ") + ")"
}

// hasAny reports whether the text has one of the marks.
func hasAny(text string, marks ...string) bool {
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(text, mark) })
}

// isPair reports whether the text is two lists and nothing else, whose brackets could be of several systems. There may
// be brackets around both, as Python prints a pair.
func isPair(text string) bool {
	if strings.HasPrefix(text, "((") && strings.HasSuffix(text, "))") {
		text = text[1 : len(text)-1]
	}
	lists := 0
	for i := range len(text) {
		switch c := text[i]; c {
		case '(', '[', '{':
			lists++
		case ')', ']', '}', ',', ' ', '-', '\n', '\t':
		default:
			if !scan.IsDigit(c) {
				return false
			}
		}
	}
	return lists == 2
}

// add notes a tensor that the text describes.
func (r *reader) add(d Descriptor) {
	if r.err == nil {
		r.found = append(r.found, d)
	}
}

// strided notes a tensor of plain strides. Faults of the sizes and strides are at the given offset of the text.
func (r *reader) strided(at int, d Descriptor, dtype layout.DType, base int64, sizes, strides []int64) {
	if len(strides) != len(sizes) {
		r.fail(at, "one stride for each size", "%d sizes and %d strides", len(sizes), len(strides))
		return
	}
	axes := make([]layout.Axis, len(sizes))
	digits := make([]layout.Digit, len(sizes))
	for i := range sizes {
		digits[i] = layout.Digit{Extent: sizes[i], Stride: strides[i]}
		axes[i] = layout.NewAxis("", sizes[i], digits[i:i+1]...)
	}
	r.laidOut(at, d, dtype, base, axes)
}

// rowMajor returns the strides of a packed tensor whose last axis is innermost.
func (r *reader) rowMajor(sizes []int64) []int64 { return r.packed(sizes, false) }

// packed returns the strides of a packed tensor.
func (r *reader) packed(sizes []int64, columnMajor bool) []int64 {
	strides, err := layout.PackedStrides(sizes, columnMajor)
	r.fault(err)
	return strides
}

// packedIn reports whether the strides that matter are those of a packed layout.
func packedIn(l layout.Layout, strides []int64, firstInnermost bool) bool {
	packed, err := layout.PackedStrides(l.Sizes(), firstInnermost)
	for i := range strides {
		if l.Axis(i).Size() > 1 && strides[i] != packed[i] {
			return false
		}
	}
	return err == nil
}

// times multiplies, and notes a product that does not fit.
func (r *reader) times(a, b int64) int64 {
	n, err := layout.Mul(a, b)
	r.fault(err)
	return n
}

// laidOut is strided for axes of any digits.
func (r *reader) laidOut(at int, d Descriptor, dtype layout.DType, base int64, axes []layout.Axis) {
	if r.err != nil {
		return
	}
	l, err := layout.New(base, axes...)
	if err == nil {
		d.Tensor, err = layout.NewTensor(l, dtype)
	}
	r.faultAt(at, err)
	d.At = at
	r.add(d)
}
