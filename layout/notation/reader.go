package notation

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/wording"
)

// A reader reads an input from left to right. Its first error stays.
type reader struct {
	literal.Parser
	options Options
	system  layout.System // the system with the type names that are tried first
	known   bool          // a flag or the caller named the notation
	found   []Descriptor
	seen    map[string]int // the index in found of the tensor with a name and layout
	skipped []string
	used    []span // parts of the input that state something about a tensor; nil if it is read from start to end
}

// A span is a part of the input.
type span struct{ from, to int }

// newReader returns a reader of an input. The tokens may be nil.
func newReader(in string, tokens []lexer.Token, o Options) *reader {
	r := &reader{options: o}
	r.Cursor = lexer.WithTokens(in, tokens)
	r.Dims, r.Names = o.Dims, o.Names
	return r
}

// overflowOf returns err, with what as the name of a number that overflows if it has no name yet.
func overflowOf(what string, err error) error {
	if e, ok := err.(*layout.OverflowError); ok && e.What == "" {
		return &layout.OverflowError{What: what, Exact: e.Exact, Hint: e.Hint}
	}
	return err
}

// dtype reads a word as an element type.
func (r *reader) dtype() layout.DType {
	r.Space()
	start := r.Pos
	return r.typeAt(start, r.Word())
}

// verify compares a statement of the input about a tensor with the tensor. It ignores strides of axes of size 1.
func (r *reader) verify(e literal.Entry, t layout.Tensor) {
	l, key := t.Layout(), fieldOf(e.Key)
	switch is, count := analysis.Contiguous(l), countOf(e.Key, t); {
	case key == "is_contiguous" && e.Kind == literal.Word && (e.Word == "True" || e.Word == "true") != is:
		r.Fail(e.At, "", "is_contiguous is %s, and of a tensor of these strides it is %t", e.Word, is)
	case key == "storage_offset" && e.Kind == literal.Number && e.N != l.Base():
		r.Fail(e.At, "", "the text prints %d here, and its statements make %d", e.N, l.Base())
	case count.Kind == literal.Number && e.Kind == literal.Number && e.N != count.N:
		r.Fail(e.At, "", "the text prints %d here, and its statements make %d", e.N, count.N)
	case key == "size" && (e.Kind == literal.List || e.Word == "torch.Size"):
		r.verifyList(e, l.Sizes(), func(int) bool { return false })
	case key == "stride":
		strides, _ := l.LinearStrides()
		if e.Key == "strides" {
			inBytes(strides, t.DType())
		}
		r.verifyList(e, strides, func(i int) bool { return l.Axis(i).Size() < 2 })
	}
}

// verifyList compares printed numbers with the computed ones. It skips numbers for which isFree returns true.
func (r *reader) verifyList(e literal.Entry, have []int64, isFree func(i int) bool) {
	printed := r.Ints(e.Value, e.Key)
	same := len(printed) == len(have)
	for i := range printed {
		same = same && (printed[i] == have[i] || isFree(i))
	}
	if !same {
		r.Fail(e.At, "", "the text prints %s here, and its statements make %s", tuple(printed), tuple(have))
	}
}

// typeAt returns the element type with a name, at an offset, as the system spells it.
func (r *reader) typeAt(at int, word string) layout.DType {
	d, note, err := r.system.ReadDType(word)
	r.Within(at, err)
	if note != "" {
		r.skip("%s", note)
	}
	return d
}

// size reads the size that follows sizes.
func (r *reader) size(sizes []int64) []int64 {
	r.Space()
	at := r.Pos
	size := r.Known("this size")
	switch {
	case size < 0:
		r.Fail(at, "", "size %d is negative", size)
	case len(sizes) == layout.MaxRank:
		r.Fail(at, "", "more than %d sizes: the limit is rank %d", layout.MaxRank, layout.MaxRank)
	}
	return append(sizes, size)
}

// skip adds a note about a part of the input that a layout does not hold. Each note is shown once.
func (r *reader) skip(format string, args ...any) {
	r.skipped = append(r.skipped, fmt.Sprintf(format, wording.ClipAll(args)...))
}

// distinct returns the notes without repetitions.
func distinct(notes []string) []string {
	var kept []string
	known := map[string]bool{}
	for _, note := range notes {
		if !known[note] {
			known[note] = true
			kept = append(kept, note)
		}
	}
	return kept
}

// use marks the part of the input between two offsets as read, because it states something about a tensor or is known
// to have no effect on its layout. [reader.notRead] reports the other parts.
//
//go:noinline
func (r *reader) use(from, to int) {
	if from < to && r.Err == nil {
		r.used = append(r.used, span{from, to})
	}
}

// takeString takes the next token if it is a string, which may have a prefix: f"...".
func (r *reader) takeString() bool {
	from, n := r.Token(), 0
	if from.Kind == lexer.Word && r.After(1).Gap == lexer.None {
		n = 1
	}
	if r.After(n).Kind != lexer.String {
		return false
	}
	r.Pos = int(r.After(n).End)
	r.use(int(from.At), r.Pos)
	return true
}

// notRead adds a note with the words, numbers and strings of the input that are not marked as read. A path is one word.
func (r *reader) notRead() {
	const most, longest = 4, 40 // the number of names, and the length of a name
	if len(r.used) == 0 || len(r.used) == 1 && r.used[0] == (span{0, len(r.In)}) {
		return
	}
	sort.Slice(r.used, func(i, k int) bool { return r.used[i].from < r.used[k].from })
	var left []string
	count, reached, used := 0, 0, r.used
	last, start := -1, 0 // the last token of the last path, and the offset of that path
	for i, t := range r.Tokens() {
		for ; len(used) > 0 && used[0].from <= int(t.At); used = used[1:] {
			reached = max(reached, used[0].to)
		}
		isComment := t.Slashed && !r.Python || t.Hashed && r.Python
		if int(t.At) < reached || isComment || t.Kind == lexer.Mark || t.Kind == lexer.End {
			continue
		}
		if i-2 != last || t.Gap != lexer.None || !r.isMember(i) {
			count, start = count+1, int(t.At)
		}
		if last = i; count <= most {
			left = append(left[:count-1], wording.OneLine(r.In[start:t.End], longest))
		}
	}
	if count == 0 {
		return
	}
	note := "not read: " + strings.Join(left, ", ")
	if count > most {
		note += " and " + wording.Count(count-most, "other word")
	}
	r.skipped = append(r.skipped, note)
}

// isRowMajor is the note about a tensor without strides in the input.
const isRowMajor = "%s: the text has no strides, and is read as row-major"

// noStrides notes that the input does not state the strides of a tensor.
func (r *reader) noStrides(name string) { r.skip(isRowMajor, cmp.Or(name, "the tensor")) }

// tuple formats numbers as Python does: (2, 3), (2,), ().
func tuple(numbers []int64) string {
	if len(numbers) == 1 {
		return "(" + strconv.FormatInt(numbers[0], 10) + ",)"
	}
	return "(" + layout.JoinInts(numbers, ", ") + ")"
}

// isOf reports whether text contains only the given characters.
func isOf(text, characters string) bool { return strings.Trim(text, characters) == "" }

// hasAny reports whether text contains one of the marks.
func hasAny(text string, marks ...string) bool {
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(text, mark) })
}

// value reads a value up to an operator.
func (r *reader) value() (v literal.Value) {
	r.Operand(&v)
	return v
}

// add adds a tensor that the input describes.
func (r *reader) add(d Descriptor) {
	if r.Err == nil {
		r.found = append(r.found, d)
	}
}

// strided adds a tensor with plain strides. Errors in the sizes and strides are reported at the offset at.
func (r *reader) strided(at int, d Descriptor, dtype layout.DType, base int64, sizes, strides []int64) {
	if len(strides) != len(sizes) {
		r.Fail(at, "one stride for each size", "%s but %s",
			wording.Count(len(sizes), "size"), wording.Count(len(strides), "stride"))
		return
	}
	l, err := layout.Strided(base, sizes, strides)
	r.addLayout(at, d, dtype, l, err)
}

// rowMajor returns the strides of a packed tensor in row-major order.
func (r *reader) rowMajor(sizes []int64) []int64 { return r.packed(sizes, false) }

// packed returns the strides of a packed tensor.
func (r *reader) packed(sizes []int64, columnMajor bool) []int64 {
	strides, err := layout.PackedStrides(sizes, columnMajor)
	r.Fault(err)
	return strides
}

// packedIn reports whether the strides equal the strides of a packed layout, except for strides that have no effect.
func packedIn(l layout.Layout, strides []int64, firstInnermost bool) bool {
	packed, err := layout.PackedStrides(l.Sizes(), firstInnermost)
	for i := range strides {
		if l.Axis(i).Size() > 1 && strides[i] != packed[i] {
			return false
		}
	}
	return err == nil
}

// times returns a*b, and records an error if it overflows.
func (r *reader) times(a, b int64) int64 {
	n, err := layout.Mul(a, b)
	r.Fault(err)
	return n
}

// laidOut is like strided, but takes axes with any digits.
func (r *reader) laidOut(at int, d Descriptor, dtype layout.DType, base int64, axes []layout.Axis) {
	if r.Err == nil {
		l, err := layout.New(base, axes...)
		r.addLayout(at, d, dtype, l, err)
	}
}

// addLayout adds the tensor of a layout, or records the error.
func (r *reader) addLayout(at int, d Descriptor, dtype layout.DType, l layout.Layout, err error) {
	if err == nil {
		d.Tensor, err = layout.NewTensor(l, dtype)
	}
	r.FaultAt(at, err)
	d.At = at
	r.add(d)
}

// isForeign records that the input is not in the notation, unless the caller named the notation.
func (r *reader) isForeign() bool {
	if r.Err == nil && !r.known {
		r.Err, r.Pos = errForeign, len(r.In)
	}
	return !r.known
}

// declarations reads C++ declarations. The length of an array may be a name that the input does not declare.
func (r *reader) declarations() []literal.Binding {
	all := r.Declarations()
	names := literal.ScopeOf(all)
	for _, b := range all {
		isArray := b.Kind != "" || b.Value.Kind == literal.List
		if i := b.Index; i != nil && isArray && len(i.List) == 1 && i.List[0].Kind == literal.Word &&
			names.Resolve(i.List[0].Value).Kind == literal.Word {
			r.skip("%s is not known, and %s is read as its list", i.List[0].Word, b.Name)
		}
	}
	swapElements(names)
	return all
}

// swapElements applies std::swap to elements of arrays.
func swapElements(names literal.Scope) {
	for i := range names.All {
		b := &names.All[i]
		args, _ := b.Value.Arguments('(')
		if b.Value.Last() != "swap" || b.Kind != "" || b.Unsure || len(args) != 2 {
			continue
		}
		var elements [2]*literal.Entry
		for k, e := range args {
			index, _ := e.Arguments('[')
			array := names.Before(i).Find(e.Word)
			if len(index) != 1 || index[0].Kind != literal.Number || array < 0 {
				continue
			}
			if list, n := names.All[array].Value.List, index[0].N; n >= 0 && n < int64(len(list)) {
				elements[k] = &list[n]
			}
		}
		if b.Done = elements[0] != nil && elements[1] != nil; b.Done {
			elements[0].Value, elements[1].Value = elements[1].Value, elements[0].Value
		}
	}
}
