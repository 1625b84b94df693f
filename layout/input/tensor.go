package input

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descfile"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/shape"
)

// A Tensor is one tensor of an input.
type Tensor struct {
	layout.Tensor
	Typed bool     // the input says the element type
	Notes []string // what else the input says, and what of it was not read
}

// Tensor returns the tensor of a name. The name may be empty where there is only one. A tensor inside
// an operator or a block is also found by the last part of its name, one that the input does not name
// by its position or its line, and one of a log by LINE:NAME.
func (in *Input) Tensor(name string) (Tensor, error) {
	t, err := in.tensor(name)
	if err == nil && t.Typed {
		err = in.Contradicts(t.DType())
	}
	return t, in.Locate(err)
}

func (in *Input) tensor(name string) (Tensor, error) {
	c := choice{in: in, want: name}
	if in.close != nil {
		defer in.close()
	}
	var notes []string
	var err error
	switch in.Kind {
	case Document, TensorFile:
		in.offerStated(&c)
	case Index:
		in.offerShards(&c)
	case Lines:
		notes, err = in.offerLines(&c)
	case Shape:
		c.offer("", 0, func() (Tensor, error) { return in.Shaped.tensor(in.Name != "", &in.options) })
	case Notation, Log:
		notes, err = in.offerWritten(&c)
	}
	if err != nil {
		return Tensor{}, err
	}
	t, err := c.made()
	t.Notes = slices.Concat(t.Notes, notes, c.notes())
	return t, err
}

// offerStated offers the tensors of files and documents.
func (in *Input) offerStated(c *choice) {
	for v := range in.values {
		c.offer(v.Name, 0, func() (Tensor, error) { return in.filled(v) })
	}
	for _, f := range in.Files {
		for i := range f.Len() {
			c.offer(f.At(i).Name, 0, func() (Tensor, error) {
				if in.options.isOpen() {
					return Tensor{}, unusedDim()
				}
				d := f.At(i)
				return in.stated(&d)
			})
		}
	}
}

// offerWritten offers the tensors of a Notation or a Log. It notes how many lines of a log are not read; of one that
// cannot be read nothing is offered.
func (in *Input) offerWritten(c *choice) (notes []string, err error) {
	skipped, faulty := 0, 0 // lines, and the last of them
	in.each(func(d notation.Descriptor, at textSource, fault error) bool {
		switch {
		case in.Kind == Log && at.line == faulty:
		case fault == nil:
			if d.Also != "" && c.want == d.Also {
				d.Name = d.Also
			}
			c.offer(d.Name, at.line, func() (Tensor, error) { return Tensor{d.Tensor, d.Typed, d.Skipped}, nil })
		case len(blankless(at.data)) > 0:
			skipped++
			faulty = at.line
		}
		return true
	})
	switch {
	case in.Kind == Log && c.count == 0:
		of := candidate{Origin: in.Origin, options: in.options}
		_, err = of.readText(notation.Read)
	case skipped > 0:
		notes = []string{fmt.Sprintf("lines of the log that do not describe tensors: %d", skipped)}
	}
	return notes, err
}

// Keep leaves out all but the tensor of a name, which the text must have; an empty name is any. Only
// texts in a notation can have several here.
func (in *Input) Keep(name string) error {
	switch {
	case in.Kind == Shape:
		_, err := in.tensor(name)
		return err
	case in.Kind == Notation && name != "":
		c, found := choice{in: in, want: name}, in.found
		for i, d := range found {
			c.offer(d.Name, 0, func() (Tensor, error) {
				in.found = found[i : i+1]
				return Tensor{}, nil
			})
		}
		if _, err := c.made(); err != nil {
			return err
		}
	}
	for _, d := range in.found {
		if err := in.Contradicts(d.Tensor.DType()); err != nil && d.Typed {
			return err
		}
	}
	for _, f := range in.Files {
		for i := 0; i < f.Len() && in.options.Typed; i++ {
			if d := f.At(i); d.TypeKnown && d.Type != in.options.DType {
				return in.Contradicts(d.Type)
			}
		}
	}
	return nil
}

// Contradicts is the error of a text that says another element type than was given.
func (in *Input) Contradicts(d layout.DType) error {
	const msg = "the text says that elements are %v, -t that they are %v"
	if !in.options.Typed || d == in.options.DType {
		return nil
	}
	return scan.Refuse("", msg, d, in.options.DType).LeaveOut("-t")
}

// offerLines offers the tensors of JSON Lines. It notes how many lines are not read, and why the first is not.
func (in *Input) offerLines(c *choice) (notes []string, err error) {
	l := descfile.Lines{Workers: 1, Most: 1}
	l.Each = func(line int, d *rules.Descriptor, found []rules.Finding) {
		kept := *d
		kept.Sizes, kept.Strides, kept.Flags = slices.Clone(d.Sizes), slices.Clone(d.Strides), slices.Clone(d.Flags)
		kept.Source = nil // the line is gone by then
		var notes []string
		for _, f := range found[:min(len(found), maxNames)] {
			notes = append(notes, fmt.Sprintf("line %d: %s", line, f.Message))
		}
		c.offer(d.Name, line, func() (Tensor, error) {
			t, err := in.stated(&kept)
			t.Notes = append(t.Notes, notes...)
			return t, err
		})
	}
	var first rules.Finding
	n, err := l.Check(in.Stream, func(f rules.Finding) error {
		if first.Line == 0 || f.Severity > first.Severity {
			first = f
		}
		return nil
	})
	switch unread := n.Unread + n.Wrong; {
	case err != nil:
		return nil, ErrBroken
	case unread == 0:
		return nil, nil
	case n.Descriptors == 0:
		return nil, scan.Refuse(first.Fix, "line %d: %s", first.Line, first.Message)
	default:
		return []string{fmt.Sprintf("lines that are not read: %d; line %d: %s", unread, first.Line, first.Message)}, nil
	}
}

// A choice is the search for the tensor of a name among those that are offered.
type choice struct {
	in      *Input
	want    string
	count   int
	names   []string // of the first ones
	called  bool     // one of them has a name of its own
	exact   match    // of tensors with the name
	partial match    // of tensors whose name ends in it
}

// A match is the first of the tensors that match, and how many there are.
type match struct {
	get   func() (Tensor, error)
	count int
	line  int
}

func (m *match) add(get func() (Tensor, error), line int) {
	if m.count == 0 {
		m.get, m.line = get, line
	}
	m.count++
}

// maxNames is how many names a message lists.
const maxNames = 12

// offer offers a tensor. The name is the input's, the line is 0 where it does not matter.
func (c *choice) offer(name string, line int, get func() (Tensor, error)) {
	label := name
	switch {
	case c.in.Kind == Log && bytes.Contains(bytes.TrimSpace(c.in.Data), []byte("\n")):
		label = strconv.Itoa(line) + ":" + name
	case name == "" && line > 0:
		label = strconv.Itoa(line)
	case name == "":
		label = strconv.Itoa(c.count)
	}
	c.called = c.called || name != ""
	if c.count < maxNames {
		c.names = append(c.names, scan.Clip(label))
	}
	switch {
	case c.want == "" || c.want == name || c.want == label,
		c.in.found != nil && c.want == firstOf(name), line > 0 && c.want == strconv.Itoa(line):
		c.exact.add(get, line)
	case strings.HasSuffix(name, "."+c.want):
		c.partial.add(get, line)
	}
	c.count++
}

// firstOf returns the name that several tensors of a text have, which are told apart by numbers.
func firstOf(name string) string {
	i := strings.LastIndexByte(name, '#')
	if i > 0 && strings.Trim(name[i+1:], "0123456789") == "" {
		return name[:i]
	}
	return name
}

// made returns the chosen tensor.
func (c *choice) made() (t Tensor, err error) {
	names := strings.Join(c.names, ", ")
	if c.count > len(c.names) {
		names += fmt.Sprintf(" and %d more", c.count-len(c.names))
	}
	text := "the text"
	if c.in.Name != "" && c.in.Name != "-" {
		text = "it" // its name is before that
	}
	switch {
	case c.count == 0:
		return t, cmp.Or(c.in.fault(""), error(scan.Refuse("", "%s does not describe a tensor", text)))
	case c.want == "" && c.count > 1:
		err := scan.Refuse("--tensor "+c.names[0]+" chooses one", "%s describes %d tensors: %s", text, c.count, names)
		err.Change.Flag, err.Change.Value = "--tensor", c.names[0]
		return t, err
	case c.exact.count > 0:
		return c.exact.get()
	case c.partial.count == 1:
		return c.partial.get()
	}
	if err := c.in.fault(c.want); err != nil {
		return t, err
	}
	wrong := &layout.SyntaxError{
		Input: c.want, Msg: text + " does not describe a tensor of that name", Hint: "it describes " + names,
	}
	if c.count == 1 && !c.called {
		wrong.Msg = text + " describes one tensor, which has no name"
		wrong.LeaveOut("--tensor")
	}
	if c.partial.count > 1 {
		wrong.Msg = fmt.Sprintf("the names of %d tensors end in %q", c.partial.count, scan.Clip(c.want))
	}
	return t, wrong
}

// fault is the error of the first finding that keeps the tensor of a name from being read, or any if the name is
// empty; nil if there is none.
func (in *Input) fault(name string) error {
	for _, file := range in.Files {
		for _, f := range file.Findings {
			if f.Severity == rules.Error && (name == "" || f.Tensor == name) {
				return in.at(f.Place, f.Message, f.Fix)
			}
		}
	}
	return nil
}

// notes says that other tensors have the name too.
func (c *choice) notes() []string {
	if c.want == "" || c.exact.count < 2 {
		return nil
	}
	note := fmt.Sprintf("%d tensors are called %s, and this is the first", c.exact.count, scan.Clip(c.want))
	if c.exact.line > 0 {
		note += fmt.Sprintf(", on line %d", c.exact.line)
	}
	return []string{note}
}

// stated returns the tensor of a descriptor, and notes what a layout does not hold.
func (in *Input) stated(d *rules.Descriptor) (Tensor, error) {
	fail := func(part rules.Part, msg, hint string) (Tensor, error) {
		if d.Name != "" {
			msg = scan.Clip(d.Name) + ": " + msg
		}
		if d.Source == nil {
			return Tensor{}, scan.Refuse(hint, "%s", msg)
		}
		return Tensor{}, in.at(d.Source.Place(part, -1), msg, hint)
	}
	if !d.TypeKnown {
		return fail(rules.TypePart, fmt.Sprintf("the element type %q is not known here", scan.Clip(d.TypeName)), "")
	}
	s := shape.Spec{Shape: shape.NewList(d.Sizes, nil), Base: d.Base, DType: d.Type}
	strides, part := d.Strides, rules.StridesPart
	var t layout.Tensor
	var err error
	switch {
	case d.Layout != "":
		var name shape.Name
		name, err = shape.ParseName(d.Layout)
		s.Name, part = &name, rules.LayoutPart
	case strides == nil:
		part = rules.SizesPart
		if t, err = s.Tensor(); err == nil {
			strides, _ = t.Layout().LinearStrides()
		}
	}
	if strides != nil {
		list := shape.NewList(strides, nil)
		s.Strides = &list
	}
	if err == nil {
		t, err = s.Tensor()
	}
	switch e := err.(type) {
	case nil:
		notes := in.unheld(d, t)
		if strides == nil && !d.Labelled {
			notes = append(notes, s.Notes(true)...)
		}
		return Tensor{Tensor: t, Typed: true, Notes: notes}, nil
	case *layout.SyntaxError:
		return fail(part, e.Msg, e.Hint)
	}
	return Tensor{}, err
}

// unheld lists what a descriptor says that a layout does not hold, and what of it was not read.
func (in *Input) unheld(d *rules.Descriptor, t layout.Tensor) (notes []string) {
	if strings.HasPrefix(d.TypeName, ">") && layout.SwapUnit(t.DType()) > 0 { // of a .npy file
		notes = append(notes, notation.BigEndian)
	}
	if len(d.Flags) > 0 && !slices.Contains(d.Flags, "NONE") {
		notes = append(notes, "Flags = "+strings.Join(d.Flags, " | "))
	}
	if d.Alignment.Value != 0 {
		notes = append(notes, fmt.Sprintf("GuaranteedBaseOffsetAlignment = %d", d.Alignment.Value))
	}
	if n := d.Total.Value; n != 0 && n < t.BufferBytes() && in.Kind != TensorFile {
		const total = "TotalTensorSizeInBytes = %d, though the elements need %d"
		notes = append(notes, fmt.Sprintf(total, n, t.BufferBytes()))
	}
	for _, file := range in.Files {
		for _, f := range file.Findings {
			if f.Severity >= rules.Warning && f.Tensor == d.Name && len(notes) < 10 {
				note := f.Message
				if f.Line > 0 {
					note = fmt.Sprintf("line %d: %s", f.Line, note)
				}
				notes = append(notes, note)
			}
		}
	}
	return notes
}

// filled returns the tensor of an input or an output, with values for its open sizes.
func (in *Input) filled(v *rules.Value) (Tensor, error) {
	d, o := v.Descriptor, in.options
	d.Sizes = slices.Clone(v.Sizes)
	next, used := 0, map[string]bool{}
	for i, size := range d.Sizes {
		if size >= 0 {
			continue
		}
		name := v.Open[i]
		if n, ok := o.Names[name]; ok && name != "" {
			d.Sizes[i], used[name] = n, true
			continue
		}
		if next < len(o.Dims) {
			d.Sizes[i] = o.Dims[next]
			next++
			continue
		}
		if name != "" {
			name = " (" + scan.Clip(name) + ")"
		}
		return Tensor{}, scan.Refuse(dimFlags(v)+" gives "+scan.Clip(d.Name)+" all of its sizes",
			"size %d%s of %s is open", i, name, scan.Clip(d.Name))
	}
	for name := range o.Names {
		if !used[name] {
			return Tensor{}, scan.Refuse("", "--dim gives %s a value, and %s has no open size of that name",
				scan.Clip(name), scan.Clip(d.Name))
		}
	}
	if next < len(o.Dims) {
		return Tensor{}, scan.Refuse("", "--dim has %s, and %s has %d for them", scan.Count(len(o.Dims), "value"),
			scan.Clip(d.Name), next)
	}
	return in.stated(&d)
}

// dimFlags returns flags that give every open size a value, those that have a name by their names.
func dimFlags(v *rules.Value) string {
	var named, others []string
	for i, size := range v.Sizes {
		switch name := scan.Clip(v.Open[i]); {
		case size >= 0:
		case name == "":
			others = append(others, "8")
		case !slices.Contains(named, name+"=1"):
			named = append(named, name+"=1")
		}
	}
	var flags []string
	for _, list := range [...][]string{named, others} {
		if len(list) > 0 {
			flags = append(flags, "--dim "+strings.Join(list, ","))
		}
	}
	return strings.Join(flags, " ")
}
