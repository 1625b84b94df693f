package input

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/manifest"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/shape"
)

// Tensor returns the tensor with a name, which may be empty if there is only one tensor. A tensor inside an operator or
// a block is also found by the last part of its name, an unnamed tensor by its position or its line, and a tensor in a
// log by LINE:NAME.
func (in *Input) Tensor(name string) (Tensor, error) {
	t, err := in.tensor(name)
	if err == nil {
		err = in.Contradicts(t.DType())
	}
	if in.Kind != Shape {
		t.Tensor = t.OfSystem(in.System())
	}
	return t, in.Locate(err)
}

// Names returns up to most of the names that Tensor accepts. It returns nil for JSON Lines, which may be very long.
func (in *Input) Names(most int) (names []string) {
	c := choice{in: in, each: func(name string, _ func() (Tensor, error)) {
		if len(names) < most {
			names = append(names, name)
		}
	}}
	if in.Kind != Lines {
		in.offer(&c)
	}
	return names
}

// Choose selects the tensor that a word after the input names, if there are several and word is a name or a pattern of
// names. It reports whether it is.
func (in *Input) Choose(word string) bool {
	if in.Chosen != "" || len(in.Names(2)) < 2 {
		return false
	}
	isGlob, matches := lexer.IsGlob(word), strings.ContainsAny(word, "*?") // a bracket alone may be a step of a view
	c := choice{in: in, want: word}
	if isGlob {
		c.each = func(name string, _ func() (Tensor, error)) { matches = matches || lexer.Glob(word, name) }
	}
	in.offer(&c)
	if matches || word != "" && (c.exact.count > 0 || c.partial.count == 1) {
		in.Chosen = word
	}
	return in.Chosen != ""
}

func (in *Input) tensor(name string) (Tensor, error) {
	c := choice{in: in, want: name}
	in.offer(&c)
	return c.made()
}

// offer offers the tensors.
func (in *Input) offer(c *choice) {
	if in.close != nil {
		defer in.close()
	}
	switch in.Kind {
	case Document, TensorFile:
		in.offerStated(c)
	case Index:
		in.offerShards(c)
	case Lines:
		in.offerLines(c)
	case Shape:
		if in.Format != nil {
			in.offerImage(c)
		} else {
			c.offer("", 0, in.shaped)
		}
	case Notation, Log:
		in.offerWritten(c)
	}
}

// offerStated offers the tensors of files and documents.
func (in *Input) offerStated(c *choice) {
	for v := range in.values {
		c.offer(v.Name, 0, func() (Tensor, error) { return in.filled(v) })
	}
	for _, f := range in.Files {
		for i := range f.Len() {
			if f.Header == nil && f.Descriptors[i].Open != nil { // it is one of the values
				continue
			}
			c.offer(f.At(i).Name, 0, func() (Tensor, error) {
				if in.options.isOpen() {
					return Tensor{}, unusedDim()
				}
				d := f.At(i)
				return in.tensorOf(&d)
			})
		}
	}
}

// offerWritten offers the tensors of a Notation or a Log. It adds a note with the number of log lines without tensors.
// A log without tensors is an error.
func (in *Input) offerWritten(c *choice) {
	skipped, faulty := 0, 0 // lines, and the last of them
	in.each(func(d notation.Descriptor, at textSource, fault error) bool {
		switch {
		case in.Kind == Log && at.line == faulty:
		case fault == nil || d.Fault != nil:
			if d.Also != "" && c.want == d.Also {
				d.Name = d.Also
			}
			c.offer(d.Name, at.line, func() (Tensor, error) { return Tensor{d.Tensor, d.Typed, d.Skipped}, d.Fault })
		case len(blankless(at.data)) > 0:
			skipped++
			faulty = at.line
		}
		return true
	})
	switch {
	case in.Kind == Log && c.count == 0:
		of := candidate{Input: &Input{Origin: in.Origin, options: in.options}}
		c.err = of.inWhole(of.readText(notation.Read))
	case skipped > 0:
		c.notes = []string{fmt.Sprintf("lines of the log that do not describe tensors: %d", skipped)}
	}
}

// offerShards offers the tensors of an index.
func (in *Input) offerShards(c *choice) {
	for name := range in.shards.Names {
		c.offer(name, 0, func() (t Tensor, err error) {
			shard, end, err := in.source.shard(in.shards, name)
			if err != nil {
				return t, err
			}
			defer end()
			part, err := Read(shard, Options{Options: in.options.Options})
			if err == nil {
				t, err = part.tensor(name)
			}
			return t, part.Locate(err)
		})
	}
}

// Descriptors yields the tensors of a Shape, a Notation or a Log as descriptors, to be checked against rules. For a log
// line that cannot be read, it yields the error as a finding.
func (in *Input) Descriptors() iter.Seq2[descriptor.Descriptor, *finding.Finding] {
	return func(yield func(descriptor.Descriptor, *finding.Finding) bool) {
		if in.Kind == Shape {
			for _, name := range in.Names(maxNames) {
				t, err := in.tensor(name)
				d := Describe(t.Tensor)
				if in.Format != nil {
					d.Name = name
				}
				if in.Notes = t.Notes; err != nil || !yield(d, nil) {
					return
				}
			}
			return
		}
		in.each(func(d notation.Descriptor, at textSource, err error) bool {
			var syntax *layout.SyntaxError
			if err == nil {
				r := d.State(at)
				judged := in.unheld(&r, d.Tensor)
				for _, note := range d.Skipped {
					if !slices.Contains(judged, note) && !slices.Contains(in.Notes, note) && len(in.Notes) < maxNames {
						in.Notes = append(in.Notes, note)
					}
				}
				return yield(r, nil)
			}
			if !errors.As(err, &syntax) || syntax.Offset == 0 { // a line without tensors
				return true
			}
			at.at = syntax.Offset
			return yield(descriptor.Descriptor{}, &finding.Finding{
				Rule: finding.Syntax, Severity: finding.Warning, Place: at.Place(descriptor.Whole, -1),
				Message: syntax.Msg, Fix: syntax.Hint,
			})
		})
	}
}

// Keep drops all tensors except the one with a name, which must exist; an empty name matches any. Only inputs in a
// notation can have several tensors here.
func (in *Input) Keep(name string) error {
	switch {
	case in.Format != nil && name == "":
		_, err := in.Image(shape.Spec{DType: in.options.DType, Typed: in.options.Typed})
		return err
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
		if err := in.Contradicts(d.Tensor.DType()); err != nil {
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

// Contradicts returns the error if the element type of the input is d, but the flag -t gives a different type.
func (in *Input) Contradicts(d layout.DType) error {
	const msg = "the text has %v elements, but -t is %v"
	if !in.options.Typed || d == in.options.DType {
		return nil
	}
	return lexer.Refuse("", msg, d, in.options.DType).LeaveOut("-t")
}

// offerLines offers the tensors of a JSON Lines input. It adds a note with the number of unread lines and the error in
// the first unread line.
func (in *Input) offerLines(c *choice) {
	l := manifest.Lines{Workers: 1, Options: finding.Options{Quota: &finding.Quota{Most: 1}}}
	l.Each = func(line int, d *descriptor.Descriptor, found []finding.Finding) {
		kept := *d
		kept.Sizes, kept.Strides, kept.Flags = slices.Clone(d.Sizes), slices.Clone(d.Strides), slices.Clone(d.Flags)
		kept.Source = nil // the line is not kept
		var notes []string
		for _, f := range found[:min(len(found), maxNames)] {
			notes = append(notes, fmt.Sprintf("line %d: %s", line, f.Message))
		}
		c.offer(d.Name, line, func() (Tensor, error) {
			t, err := in.tensorOf(&kept)
			t.Notes = append(t.Notes, notes...)
			return t, err
		})
	}
	var first finding.Finding
	n, err := l.Check(in.Stream, func(f finding.Finding) error {
		if first.Line == 0 || f.Severity > first.Severity {
			first = f
		}
		return nil
	})
	switch unread := n.Unread + n.Wrong; {
	case err != nil:
		c.err = ErrBroken
	case unread > 0 && n.Descriptors == 0:
		c.err = lexer.Refuse(first.Fix, "line %d: %s", first.Line, first.Message)
	case unread > 0:
		note := fmt.Sprintf("lines that are not read: %d; line %d: %s", unread, first.Line, first.Message)
		c.notes = append(c.notes, note)
	}
}
