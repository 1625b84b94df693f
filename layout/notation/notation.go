// Package notation translates between layouts and the notations of other systems: PyTorch and NumPy calls, DirectML
// structs, oneDNN descriptors, XLA and MLIR types, CuTe layouts, and others.
//
// Each system has a file, and each of its notations has a row in [All]: the marks of its inputs, a function that reads
// an input into a [Descriptor], and a function that writes a tensor. The file notations.md has the text of `layoutcalc
// explain` about each notation.
//
// An input is split into tokens once. The marks, which are patterns of tokens, select the rows that try to read the
// input. Each row moves a [reader] over the tokens. Package literal reads the literals of C++, Python and JSON into
// trees of values, in which the notations find their fields.
//
// If two rows read an input differently, it is rejected. Comments are not tokens. The tokens after // and # are marked,
// and the [lexer.Cursor] decides whether they are comments, because it knows whether the input is Python. After its
// first error, a reader moves to the end.
//
// The tables in fields.go list the fields that may come next to sizes: names with no effect on the layout, figures that
// must agree with the tensor, and names that decide the layout. Every reader of named fields passes the unused ones to
// rest, which rejects a name that is in no table. To allow another name, add it to a table.
//
// Logs, messages and the output of programs are read in three steps: logscan.go splits the input into items, using
// logvalue.go for values and fields.go for words; loggroup.go finds the tensor of each item; and logcheck.go makes the
// tensors.
//
// If a notation cannot express a layout, its writer returns a [LossError] that states what would be lost. Tests compare
// every writer with its reader. testdata/corpus.txt records the reading of each input in the tests and documents, and
// testdata/foreign.txt has inputs that are not tensors.
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

// A Descriptor is one tensor that the input describes.
type Descriptor struct {
	Name    string // its name in the input, such as src or sizes; may be empty
	Also    string // another name in the input: fsrc
	Tensor  layout.Tensor
	Typed   bool     // the input states the element type
	Fault   error    // why the tensor is unknown, because the input changes it; nil if it is known
	Skipped []string // statements of the input that a layout does not hold, and assumptions

	Notation *Notation    // the notation of the input
	At       int          // the offset of its sizes
	Fields   []Field      // the offsets of its parts; empty if only the sizes are known
	Plain    bool         // the input states sizes without strides
	Modes    algebra.Mode // CuTe modes, with their parentheses

	// Stated has the statements of the input besides the layout: the total, the alignment and the flags of a DirectML
	// struct. State completes it.
	Stated descriptor.Descriptor
}

// A Field is a part of a descriptor, with its offset in the input, and the offsets of its numbers if it is a list.
type Field struct {
	Part  descriptor.Part
	At    int
	Items []int
}

// Options are values for the parts of an input that may be unknown.
type Options struct {
	DType layout.DType     // the element type if the input does not state one
	Typed bool             // DType is given, and is not the default
	Dims  []int64          // the value of each ? in the input
	Names map[string]int64 // the values of names in the input, such as s77
}

// A Size is a system's own figure for the storage of a tensor.
type Size struct {
	Figure   string // the system's name for the figure
	Elements int64
	Bytes    int64
}

// A Notation is one way of writing tensors.
type Notation struct {
	Name string // the name in flags

	of       string        // the main notation of the system, if it is another one
	steps    layout.System // the system of the view steps that may follow its inputs, if any
	isType   bool          // its inputs are types, which are not statements of other languages
	swizzles bool          // it has swizzles
	totals   bool          // its inputs state the bytes of each tensor, which other notations compute
	marks    []string      // patterns of tokens that only its inputs have: see [lexer.Marks]
	read     func(*reader) // nil if its inputs are JSON documents
	write    func(layout.Tensor) (string, error)
	figure   func(layout.Tensor) ([]Size, error) // nil if the system counts as we do
}

// A Doc is the text of `layoutcalc explain` about a notation.
type Doc struct {
	Title   string // the name of the system
	Example string
	Grammar string
	Can     string // the layouts that the notation can express
	Cannot  string
}

//go:embed notations.md
var docs string

// System returns the system of the notation, or Others.
func (n *Notation) System() layout.System {
	s, _ := layout.FindSystem(cmp.Or(n.of, n.Name))
	return s
}

// Doc returns the text about the notation, which is its section of notations.md.
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

// Find returns the notation named `name`, ignoring case, or else the first notation of the system named `name`.
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

// Read returns the tensors that the input describes in this notation.
func (n *Notation) Read(in string, o Options) ([]Descriptor, error) {
	if _, err := lexer.New(in); err != nil {
		return nil, err
	}
	if n.IsJSON() {
		return nil, &layout.SyntaxError{Input: in, Msg: n.Name + " is JSON, which is read as a document"}
	}
	return n.readTokens(in, lex(in), o, true)
}

// errForeign is the error of a reader if an input with one of its marks is not in its notation.
var errForeign = errors.New("input of another form")

// readTokens is like Read, but takes the tokens of the input. The argument known reports whether the input is known to
// be in the notation.
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

// notes returns the notes about a tensor and about the input that it is in.
func notes(tensor, text []string) []string {
	if len(tensor) == 0 {
		return text // shared by all tensors
	}
	for i, note := range tensor {
		tensor[i] = wording.OneLine(note, lexer.MaxMessage)
	}
	return distinct(append(tensor, text...))
}

// Write returns the tensor in this notation, or a *LossError. If the tensor is empty, the result may not be readable:
// omitted strides follow from the sizes, with 0 counted as 1, and may be too large although the tensor's strides are
// not.
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

// unswizzled writes a swizzled tensor in a notation without swizzles, which always fails.
func unswizzled(t layout.Tensor) (string, error) {
	return "", lost(t, "the notation has no swizzles, and %s xors bits of the offset", t.Layout().Swizzles()[0])
}

// Figures returns the system's own figures for the storage of a tensor that has been written. If the system has none,
// the figure is the span. It fails if a figure does not fit in 64 bits.
func (n *Notation) Figures(t layout.Tensor) ([]Size, error) {
	if n.figure == nil {
		return spanFigure("span")(t)
	}
	return n.figure(t)
}

// counted returns a figure that counts elements with the function count.
func counted(figure string, count func(layout.Tensor) int64) func(layout.Tensor) ([]Size, error) {
	return func(t layout.Tensor) ([]Size, error) {
		n := count(t)
		return []Size{{figure, n, t.Bytes(n)}}, nil
	}
}

// spanFigure returns a figure that counts the elements from the first to the last.
func spanFigure(figure string) func(layout.Tensor) ([]Size, error) {
	return counted(figure, func(t layout.Tensor) int64 {
		low, high := t.Layout().Bounds()
		return high - low + 1
	})
}

// bufferFigure returns a figure that counts the elements from offset 0 to the last.
func bufferFigure(figure string) func(layout.Tensor) ([]Size, error) { return counted(figure, buffer) }

func buffer(t layout.Tensor) int64 {
	_, high := t.Layout().Bounds()
	return max(high+1, 0)
}

// elementFigure returns a figure that counts each element in whole bytes, even if elements share storage. It is larger
// than the storage if an axis is broadcast, and may not fit in 64 bits.
func elementFigure(figure string) func(layout.Tensor) ([]Size, error) {
	return func(t layout.Tensor) ([]Size, error) {
		n := t.Layout().Elements()
		bytes, err := layout.Mul(n, (t.DType().Bits()+7)/8)
		return []Size{{figure, n, bytes}}, overflowOf(figure, err)
	}
}

// A LossError is the error of a notation that cannot express a layout.
type LossError struct {
	Notation *Notation
	Lost     string
	tensor   layout.Tensor
}

// Error names the notation and the property that it cannot express.
func (e *LossError) Error() string { return "cannot write this as " + e.Notation.Name + ": " + e.Lost }

// Hint names the notations that can express the layout.
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

// terms are the properties that strides of a notation can have, besides being positive and starting at offset 0.
type terms struct {
	base, zero, negative bool
	axis                 bool // there is at least one axis
	rank                 int  // the most axes; 0 if there is no limit
}

// strides returns one stride for each axis, or an error if the terms do not allow the strides of the tensor. A stride
// that has no effect becomes 0 if the terms do not allow its value.
func (c terms) strides(t layout.Tensor) ([]int64, error) {
	l := t.Layout()
	strides, ok := l.LinearStrides()
	switch {
	case !ok:
		return nil, lost(t, "the notation has one stride for each axis, and axis %s needs several", blocked(l))
	case c.rank > 0 && l.Rank() > c.rank:
		return nil, lost(t, "the notation has at most %s, and the tensor has %d",
			wording.Count(c.rank, "axis"), l.Rank())
	case l.Base() != 0 && !c.base:
		return nil, lost(t, "the notation has no storage offset, and index 0 lies at %d", l.Base())
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
		return nil, lost(t, "the notation has at least one axis: --rank 1 gives the scalar one")
	}
	return strides, nil
}

// typed is like strides, but also returns the tensor's element type as the system spells it.
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

// shortStride returns the first axis, in order of increasing strides, with a stride smaller than the range of the axes
// before it or smaller than least, and the stride that it needs. It returns -1 if all strides are long enough. Strides
// of 0, and strides of axes with at most one index, may have any value.
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

// spelled returns the tensor's element type as a system spells it. It fails if the system has no such type.
func spelled(t layout.Tensor, system layout.System) (string, error) {
	if word := t.DType().In(system); word != "" {
		return word, nil
	}
	return "", lost(t, "the notation has no type %s", t.DType())
}

// marks returns the marks of all notations, followed by the marks of a pair of lists.
var marks = sync.OnceValue(func() *lexer.Marks {
	rows := make([][]string, len(all)+1)
	for i, n := range all {
		rows[i] = n.marks
	}
	rows[len(all)] = []string{"^ <list> <list> $", "^ <list> , <list> $", "^ ( <list> , <list> ) $"}
	return lexer.Compile(rows)
})

// lex returns the tokens of an input, without prompts and the prefixes of log lines.
func lex(in string) []lexer.Token { return lexer.Unprefixed(in, lexer.Lex(in)) }

// Recognises reports whether the input has the form of a notation, even if it has errors.
func Recognises(in string) bool {
	if len(in) > lexer.MaxText {
		return false
	}
	return recognises(in, lex(in))
}

// recognises is like Recognises, but takes the tokens of the input.
func recognises(in string, tokens []lexer.Token) bool {
	in, tokens, _ = lexer.Core(in, tokens)
	return marks().Rows(in, tokens, isClass) != 0
}

// Read returns the tensors that the input describes, in the notation of the input or of each line. It fails if several
// notations read the input differently. It ignores quotes around the input, and lines of comments before and after it.
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

// maxLines is the maximum number of lines that are read separately.
const maxLines = 64

// byLine returns the tensors that the lines of the input describe, if each line describes tensors by itself, and the
// input as a whole cannot be read or mixes systems. Otherwise it returns the result for the whole input, with notes
// about the lines in another notation.
func byLine(in string, tokens []lexer.Token, o Options, whole []Descriptor, fault error) ([]Descriptor, error) {
	var all []Descriptor
	var others []string // notes about lines in notations that differ from the whole
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

// StepSystem returns the system that defines view steps for tensors in the notation, or layout.Others.
func (n *Notation) StepSystem() layout.System {
	return cmp.Or(n.steps, layout.Others)
}

// IsJSON reports whether inputs in the notation are JSON documents, which the notation writes but does not read.
func (n *Notation) IsJSON() bool { return n.read == nil }

// HasSteps reports whether the system of the notation has its own view steps.
func (n *Notation) HasSteps() bool { return n.steps != 0 }

// system returns the name of the notation's system, which several notations share. An input may mix notations of one
// system.
func (n *Notation) system() string { return cmp.Or(n.of, n.Name) }

// shift adds the offset of a part of the input to the offsets of a descriptor in that part.
func (d *Descriptor) shift(by int) {
	d.At += by
	for i := range d.Fields {
		d.Fields[i].At += by
		for k := range d.Fields[i].Items {
			d.Fields[i].Items[k] += by
		}
	}
}

// readWhole reads an input that is in one notation.
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

// farther returns the error with the larger offset, because the reader that got farther matches the input better.
func farther(a, b error) error {
	var x, y *layout.SyntaxError
	if a == nil || errors.As(a, &x) && errors.As(b, &y) && y.Offset > x.Offset {
		return b
	}
	return a
}

// same reports whether two readings of an input give equal tensors.
func same(a, b []Descriptor) bool {
	return slices.EqualFunc(a, b, func(a, b Descriptor) bool {
		x, y := a.Tensor, b.Tensor
		return x.DType() == y.DType() && analysis.SameAxes(x.Layout(), y.Layout()) == nil &&
			analysis.Same(x.Layout(), y.Layout())
	})
}

// unrecognised is the message of the error for an input that is not in any notation.
const unrecognised = "not recognized as a tensor"

// Unrecognised reports whether the error is about an input that is not in any notation.
func Unrecognised(err error) bool {
	e, ok := err.(*layout.SyntaxError)
	return ok && e.Msg == unrecognised
}

// skip notes a part of the descriptor that a layout does not hold.
func (d *Descriptor) skip(format string, args ...any) {
	d.Skipped = append(d.Skipped, fmt.Sprintf(format, args...))
}
