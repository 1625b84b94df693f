// Package notation translates between layouts and the texts in which ecosystems write them: PyTorch's and NumPy's
// calls, DirectML's structs, oneDNN's descriptors, XLA's and MLIR's types, CuTe's shapes, and others.
//
// Each ecosystem has a file, and each of its notations a row in [All]: the marks of its texts, a function that reads
// them into a [Descriptor], and one that writes a tensor. What `layoutcalc explain` says of it is in notations.md.
//
// A text is split into tokens once. Its marks, patterns of tokens, say which rows are asked; each moves a [reader] over
// the tokens. Package literal reads what is written as literals of C++, Python and JSON, in whose trees of values the
// notations look for their fields.
//
// A text is offered to each row with a mark in it, and refused if two rows read it differently. Comments are no tokens;
// those after // and # are marked, because a [lexer.Cursor] knows whether the text is Python. A reader keeps the first
// fault and then moves to the end.
//
// Fields next to sizes have their tables in fields.go: names that cannot change the layout, figures that must agree
// with the tensor, and names that decide the layout. Every reader of named fields passes those that it has not used to
// rest, which rejects a name that no table lists. To allow another name, add it to a table.
//
// Logs, messages and what programs print are read in three steps: logscan.go splits a text into items, with values in
// logvalue.go and words in fields.go, loggroup.go finds the tensor of each item, and logcheck.go makes the tensors.
//
// Where a notation cannot express a layout, writing returns a [LossError] that names what would be lost, and no text.
// Tests compare every writer with its reader. testdata/corpus.txt records the reading of each text in the tests and
// documents, and testdata/foreign.txt has texts that are no tensors.
package notation

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"layoutcalc/layout"
	"layoutcalc/layout/algebra"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/wording"
)

// A Descriptor is one tensor that a text describes.
type Descriptor struct {
	Name    string // what the text calls it, such as src or sizes; may be empty
	Also    string // another word for it in the text: fsrc
	Tensor  layout.Tensor
	Typed   bool     // the text says the element type
	Fault   error    // why the tensor is not known: the text changes it in a way that is not understood; nil if it is
	Skipped []string // what the text says that a layout does not hold, and what was assumed

	Notation *Notation    // in which it was read
	At       int          // where in the text its sizes are
	Fields   []Field      // where its parts are; empty where only the sizes are known
	Plain    bool         // the text states sizes without strides
	Modes    algebra.Mode // of CuTe: the modes with their brackets

	// Stated has what the text states besides the layout: the total, the alignment and the flags of a struct of
	// DirectML. State completes it.
	Stated descriptor.Descriptor
}

// A Field is the place of a part of a descriptor in a text, and of its numbers where it is a list.
type Field struct {
	Part  descriptor.Part
	At    int
	Items []int
}

// Options is what a text may leave open.
type Options struct {
	DType layout.DType     // the element type where the text does not say one
	Typed bool             // it was given, and is not the default
	Dims  []int64          // the value of each ? in the text
	Names map[string]int64 // the values of names in the text, such as s77
}

// A Size is a system's own figure for the storage of a tensor.
type Size struct {
	Figure   string // what the system calls it
	Elements int64
	Bytes    int64
}

// A Notation is one way of writing tensors.
type Notation struct {
	Name string // by which flags know it

	of       string        // the notation that the system is called by, where it is another
	steps    layout.System // whose view steps follow its texts, where the system has some
	isType   bool          // its texts are types, which are not taken for statements of other languages
	swizzles bool          // it has swizzles
	totals   bool          // its texts state the bytes of each tensor, where others compute them
	marks    []string      // patterns of tokens that only its texts have: see [lexer.Marks]
	read     func(*reader) // nil if its texts are documents of JSON
	write    func(layout.Tensor) (string, error)
	figure   func(layout.Tensor) ([]Size, error) // nil where the system counts as we do
}

// A Doc is what `layoutcalc explain` says of a notation.
type Doc struct {
	Title   string // whose it is
	Example string
	Grammar string
	Can     string // what it can express
	Cannot  string
}

//go:embed notations.md
var docs string

// System returns the system whose notation it is, Others for none.
func (n *Notation) System() layout.System {
	s, _ := layout.FindSystem(cmp.Or(n.of, n.Name))
	return s
}

// Doc returns what is to be said of the notation: its section of notations.md.
func (n *Notation) Doc() Doc {
	_, section, _ := strings.Cut(docs, "\n## "+n.Name+"\n\n")
	section, _, _ = strings.Cut(section, "\n\n## ")
	parts := strings.SplitN(strings.ReplaceAll(strings.TrimSuffix(section, "\n"), "\n    ", "\n"), "\n\n", 5)
	return Doc{
		Title: parts[0], Example: parts[1], Grammar: parts[2],
		Can: strings.TrimPrefix(parts[3], "Can: "), Cannot: strings.TrimPrefix(parts[4], "Cannot: "),
	}
}

// All lists the notations.
func All() []*Notation { return all[:] }

// Find returns the notation of that name, in any case, or else the first one of the system of that name.
func Find(name string) (*Notation, error) {
	known, system := make([]string, len(all)), layout.SystemOf(name)
	of := -1
	for i, n := range all {
		if strings.EqualFold(n.Name, name) {
			return n, nil
		}
		if of < 0 && layout.SystemOf(n.Name) == system {
			of = i
		}
		known[i] = n.Name
	}
	if of < 0 {
		return nil, lexer.Unknown("notation", name, known)
	}
	return all[of], nil
}

// Read returns the tensors that the text describes in this notation.
func (n *Notation) Read(in string, o Options) ([]Descriptor, error) {
	if _, err := lexer.New(in); err != nil {
		return nil, err
	}
	if n.IsJSON() {
		return nil, &layout.SyntaxError{Input: in, Msg: n.Name + " is JSON, which is read as a document"}
	}
	return n.readTokens(in, lex(in), o, true)
}

// errForeign is the error of a reader that finds a text, in which the notation has a mark, not to be of its form.
var errForeign = errors.New("input of another form")

// readTokens is Read of a text whose tokens are known, which may be known to be in the notation.
func (n *Notation) readTokens(in string, tokens []lexer.Token, o Options, known bool) ([]Descriptor, error) {
	r := newReader(in, tokens, o)
	r.known, r.system = known, n.System()
	n.read(r)
	if !r.Done() {
		r.Unexpected("unexpected text %s", r.Rest())
	}
	if r.Err == nil && r.Filled < len(o.Dims) {
		r.Fail(len(in), "", "--dim has %s, the text %s for them", wording.Count(len(o.Dims), "value"),
			wording.Count(r.Filled, "place"))
	}
	for _, name := range slices.Sorted(maps.Keys(o.Names)) {
		if r.Err == nil && !r.Used[name] {
			r.Fail(0, "", "--dim gives %s a value, and the text has no size of that name", name)
		}
	}
	if r.Err == nil && len(r.found) == 0 {
		r.Fail(0, "such as "+n.Doc().Example, "the text has no tensor")
	}
	r.Err = overflowOf("the storage", r.Err)
	r.notRead()
	skipped := distinct(r.skipped)
	for i := range r.found {
		r.found[i].Notation = n
		r.found[i].Skipped = notes(r.found[i].Skipped, skipped)
	}
	return r.found, r.Err
}

// notes returns what is to be said of a tensor and of the text that it is in.
func notes(tensor, text []string) []string {
	if len(tensor) == 0 {
		return text // that all tensors share
	}
	for i, note := range tensor {
		tensor[i] = wording.OneLine(note, lexer.MaxMessage)
	}
	return distinct(append(tensor, text...))
}

// Write returns the text of the tensor, or a *LossError. The text of an empty tensor may be one that is not read:
// strides that it leaves out follow from sizes, of which 0 counts as 1. They may be too large though the tensor's fit.
func (n *Notation) Write(t layout.Tensor) (string, error) {
	write := n.write
	if t.Layout().IsIdle() {
		t = t.Affine()
	} else if !n.swizzles {
		write = unswizzled
	}
	text, err := write(t)
	if err == nil && t.Layout().Empty() {
		if _, fault := n.Read(text, Options{}); fault != nil {
			err = lost(t, "its strides would be too large")
		}
	}
	if loss, ok := err.(*LossError); ok {
		loss.Notation = n
	}
	return text, err
}

// unswizzled is the writer of a swizzled tensor in notations that have no swizzles.
func unswizzled(t layout.Tensor) (string, error) {
	return "", lost(t, "it has no swizzles, and %s xors bits of the offset", t.Layout().Swizzles()[0])
}

// Figures returns the system's own figures for the storage of a tensor that has been written: the span where the
// system has no figure of its own. A figure that 64 bits do not hold is an error.
func (n *Notation) Figures(t layout.Tensor) ([]Size, error) {
	if n.figure == nil {
		return spanFigure("span")(t)
	}
	return n.figure(t)
}

// counted is a figure of elements, as a system counts them.
func counted(figure string, count func(layout.Tensor) int64) func(layout.Tensor) ([]Size, error) {
	return func(t layout.Tensor) ([]Size, error) {
		n := count(t)
		return []Size{{figure, n, t.Bytes(n)}}, nil
	}
}

// spanFigure is a figure of the elements from the first to the last.
func spanFigure(figure string) func(layout.Tensor) ([]Size, error) {
	return counted(figure, func(t layout.Tensor) int64 {
		low, high := t.Layout().Bounds()
		return high - low + 1
	})
}

// bufferFigure is a figure of the elements up to the last one, where the buffer starts at offset 0.
func bufferFigure(figure string) func(layout.Tensor) ([]Size, error) { return counted(figure, buffer) }

func buffer(t layout.Tensor) int64 {
	_, high := t.Layout().Bounds()
	return max(high+1, 0)
}

// elementFigure is a figure of the elements in whole bytes each, whether they share storage or not: more
// than the storage where an axis is broadcast, and perhaps more than 64 bits hold.
func elementFigure(figure string) func(layout.Tensor) ([]Size, error) {
	return func(t layout.Tensor) ([]Size, error) {
		n := t.Layout().Elements()
		bytes, err := layout.Mul(n, (t.DType().Bits()+7)/8)
		return []Size{{figure, n, bytes}}, overflowOf(figure, err)
	}
}

// A LossError says what of a layout a notation cannot express.
type LossError struct {
	Notation *Notation
	Lost     string
	tensor   layout.Tensor
}

// Error names the notation and what it would lose.
func (e *LossError) Error() string { return "cannot write this as " + e.Notation.Name + ": " + e.Lost }

// Hint names the notations that can say it.
func (e *LossError) Hint() string {
	var can []string
	for _, n := range all {
		if _, err := n.Write(e.tensor); err == nil {
			can = append(can, n.Name)
		}
	}
	if len(can) == 0 {
		return "no notation can"
	}
	return "these can: " + strings.Join(can, ", ")
}

// lost returns a LossError for the tensor.
//
//go:noinline
func lost(t layout.Tensor, format string, args ...any) error {
	return &LossError{Lost: fmt.Sprintf(format, args...), tensor: t}
}

// Terms are what a notation of strides can express beyond positive strides from offset 0.
type terms struct {
	base, zero, negative bool
	axis                 bool // there is at least one axis
	rank                 int  // the most axes; 0 if there is no limit
}

// strides returns one stride for each axis, or says what of the tensor the terms do not cover. A
// stride that never counts is 0 where it must not be what it is.
func (c terms) strides(t layout.Tensor) ([]int64, error) {
	l := t.Layout()
	strides, ok := l.LinearStrides()
	switch {
	case !ok:
		return nil, lost(t, "it has one stride for each axis, and axis %s needs several", blocked(l))
	case c.rank > 0 && l.Rank() > c.rank:
		return nil, lost(t, "it has at most %s, and the tensor has %d", wording.Count(c.rank, "axis"), l.Rank())
	case l.Base() != 0 && !c.base:
		return nil, lost(t, "it has no storage offset, and index 0 lies at %d", l.Base())
	case l.Base() < 0:
		return nil, lost(t, "the storage offset %d is negative", l.Base())
	}
	for i, stride := range strides {
		switch counts := l.Axis(i).Size() > 1; {
		case stride < 0 && !c.negative && !counts:
			strides[i] = 0
		case stride < 0 && !c.negative:
			return nil, lost(t, "strides cannot be negative, and the stride of axis %s is %d", l.AxisName(i), stride)
		case stride == 0 && counts && !c.zero:
			return nil, lost(t, "strides are positive, and axis %s is broadcast", l.AxisName(i))
		}
	}
	if c.axis && len(strides) == 0 {
		return nil, lost(t, "it has at least one axis: --rank 1 gives the scalar one")
	}
	return strides, nil
}

// typed is strides, with the tensor's type in the spelling of the system.
func (c terms) typed(t layout.Tensor, system layout.System) (strides []int64, dtype string, err error) {
	if strides, err = c.strides(t); err == nil {
		dtype, err = spelled(t, system)
	}
	return strides, dtype, err
}

// blocked names the first axis that needs several strides.
func blocked(l layout.Layout) string {
	for i := range l.Rank() {
		axis := l.Axis(i)
		if _, ok := axis.Linear(); !ok {
			return l.AxisName(i)
		}
	}
	return ""
}

// shortStride returns the first axis, from the least stride on, whose stride is less than all that the
// axis before it takes, or than the given least, and what the stride would have to be; -1 when there
// is none. Strides of 0, and those of axes of at most one index, may be anything.
func shortStride(sizes, strides []int64, least int64) (axis int, want int64) {
	var order []int
	for i, size := range sizes {
		if size > 1 && strides[i] != 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(strides[a], strides[b]) })
	for _, axis := range order {
		if strides[axis] < least {
			return axis, least
		}
		var err error
		if least, err = layout.Mul(strides[axis], sizes[axis]); err != nil {
			least = math.MaxInt64
		}
	}
	return -1, 0
}

// spelled returns the tensor's type in the spelling of a system, or says that it has no such type.
func spelled(t layout.Tensor, system layout.System) (string, error) {
	if word := t.DType().In(system); word != "" {
		return word, nil
	}
	return "", lost(t, "it has no type %s", t.DType())
}

// marks are those of all notations, and after them the ones of a pair of lists.
var marks = sync.OnceValue(func() *lexer.Marks {
	rows := make([][]string, len(all)+1)
	for i, n := range all {
		rows[i] = n.marks
	}
	rows[len(all)] = []string{"^ <list> <list> $", "^ <list> , <list> $", "^ ( <list> , <list> ) $"}
	return lexer.Compile(rows)
})

// lex returns the tokens of a text, without prompts and what logs have before their lines.
func lex(in string) []lexer.Token { return lexer.Unprefixed(in, lexer.Lex(in)) }

// Recognises reports whether the text has the form of some notation, right or wrong.
func Recognises(in string) bool {
	if len(in) > lexer.MaxText {
		return false
	}
	return recognises(in, lex(in))
}

// recognises is Recognises of a text whose tokens are known.
func recognises(in string, tokens []lexer.Token) bool {
	in, tokens, _ = lexer.Core(in, tokens)
	return marks().Rows(in, tokens, isClass) != 0
}

// Read returns the tensors that the text describes, in the notation that its form is of, or in those of its lines.
// Where several notations read it and differ, it says which. Quotes around the text, and lines of comments before and
// after it, do not count.
func Read(in string, o Options) ([]Descriptor, error) {
	if _, err := lexer.New(in); err != nil {
		return nil, err
	}
	core, tokens, start := lexer.Core(in, lex(in))
	found, err := readWhole(core, tokens, o)
	if _, isSyntax := err.(*layout.SyntaxError); (err == nil || isSyntax) && len(o.Dims)+len(o.Names) == 0 {
		found, err = byLine(core, tokens, o, found, err)
	}
	for i := range found {
		found[i].shift(start)
	}
	if e, ok := err.(*layout.SyntaxError); ok && e.Input == core {
		err = e.In(in, e.Offset+start)
	}
	return found, err
}

// maxLines is how many lines of a text are looked at one by one.
const maxLines = 64

// byLine returns what the lines of a text describe, where each describes tensors by itself and the whole is read as a
// part of them, or not at all. Of other texts that are read, lines in another notation are noted.
func byLine(in string, tokens []lexer.Token, o Options, whole []Descriptor, fault error) ([]Descriptor, error) {
	var all []Descriptor
	var others []string // lines in other notations than the whole
	left, several := 0, false
	lines := lexer.Lines(in, tokens)
	if len(lines) < 2 {
		return whole, fault
	}
	for i, line := range lines {
		if i == maxLines {
			return whole, fault
		}
		nth := line.Number
		found, err := readWhole(in[line.At:line.End], lexer.Part(in, tokens, line.At, line.End), o)
		if _, sizes := shape.ParseShape(in[line.At:line.End]); err != nil || sizes == nil {
			left++
			if sizes == nil && fault == nil && whole[0].Notation.isType {
				others = append(others, fmt.Sprintf("line %d is a shape, and is not read", nth))
			}
			continue
		}
		for i := range found {
			found[i].shift(line.At)
		}
		all = append(all, found...)
		n := found[0].Notation
		several = several || n.system() != all[0].Notation.system()
		if fault == nil && n.system() != whole[0].Notation.system() && n.isType {
			others = append(others, fmt.Sprintf("line %d is of the notation %s, and is not read", nth, n.Name))
		}
	}
	switch {
	case fault != nil && contradicts(all):
		return whole, fault
	case len(all) > 0 && left == 0 && (fault != nil || several):
		return all, nil
	case fault == nil:
		for i := range whole {
			whole[i].Skipped = append(slices.Clip(whole[i].Skipped), others...)
		}
	}
	return whole, fault
}

// contradicts reports whether two of the tensors have the same name and differ.
func contradicts(all []Descriptor) bool {
	first := map[string]int{}
	for i := range all {
		k, isNamed := first[all[i].Name]
		if !isNamed {
			first[all[i].Name] = i
		} else if all[i].Name != "" && !same(all[i:i+1], all[k:k+1]) {
			return true
		}
	}
	return false
}

// StepSystem returns the system whose meaning view steps have for tensors in the notation, or layout.Others if the
// system of the notation has none.
func (n *Notation) StepSystem() layout.System {
	return cmp.Or(n.steps, layout.Others)
}

// IsJSON reports whether texts in the notation are documents of JSON, which the notation writes but does not read.
func (n *Notation) IsJSON() bool { return n.read == nil }

// HasSteps reports whether the system of the notation has view steps of its own.
func (n *Notation) HasSteps() bool { return n.steps != 0 }

// system returns whose notation it is: several are of one system, and come together in its texts.
func (n *Notation) system() string { return cmp.Or(n.of, n.Name) }

// shift makes the places of a descriptor those of a longer text, in which its own starts at an offset.
func (d *Descriptor) shift(by int) {
	d.At += by
	for i := range d.Fields {
		d.Fields[i].At += by
		for k := range d.Fields[i].Items {
			d.Fields[i].Items[k] += by
		}
	}
}

// readWhole reads a text that is in one notation.
func readWhole(in string, tokens []lexer.Token, o Options) ([]Descriptor, error) {
	rows := marks().Rows(in, tokens, isClass)
	if rows>>len(all) != 0 {
		o.Typed = true // NumPy's reading is for comparison: without a type it is never the only one
	}
	var fault error
	var first *Notation
	var found []Descriptor
	for i, n := range all {
		if rows>>i&1 == 0 {
			continue
		}
		d, err := n.readTokens(in, tokens, o, false)
		switch {
		case err == errForeign:
		case err != nil:
			fault = farther(fault, err)
		case first == nil:
			first, found = n, d
		case !same(found, d):
			return nil, &layout.SyntaxError{Input: in,
				Msg:  fmt.Sprintf("ambiguous: %s and %s read this differently", first.Name, n.Name),
				Hint: fmt.Sprintf("add --from %s or --from %s", first.Name, n.Name)}
		}
	}
	switch {
	case first != nil && rows>>len(all) != 0 && analysis.Of(found[0].Tensor.Layout()).Overlapping == analysis.Yes:
		found[0].skip("the second list is read as strides, and with them elements share places")
		return found, nil
	case first != nil:
		return found, nil
	case fault != nil:
		return nil, fault
	}
	return nil, &layout.SyntaxError{Input: in, Msg: unrecognised,
		Hint: "a shape such as 1x3x224x224, or a notation: layoutcalc explain notations"}
}

// farther returns the error that lies farther into the text: what read more of it knew more of its form.
func farther(a, b error) error {
	var x, y *layout.SyntaxError
	if a == nil || errors.As(a, &x) && errors.As(b, &y) && y.Offset > x.Offset {
		return b
	}
	return a
}

// same reports whether two readings of a text come to the same.
func same(a, b []Descriptor) bool {
	return slices.EqualFunc(a, b, func(a, b Descriptor) bool {
		x, y := a.Tensor, b.Tensor
		return x.DType() == y.DType() && analysis.SameAxes(x.Layout(), y.Layout()) == nil &&
			analysis.Same(x.Layout(), y.Layout())
	})
}

// unrecognised is the message of the error of a text that no notation takes for its own.
const unrecognised = "not recognised as a tensor"

// Unrecognised reports whether an error is that of a text that no notation takes for its own.
func Unrecognised(err error) bool {
	e, ok := err.(*layout.SyntaxError)
	return ok && e.Msg == unrecognised
}

// skip notes a part of the descriptor that a layout does not hold.
func (d *Descriptor) skip(format string, args ...any) {
	d.Skipped = append(d.Skipped, fmt.Sprintf(format, args...))
}
