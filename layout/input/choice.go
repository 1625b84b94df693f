package input

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A Tensor is one tensor of an input.
type Tensor struct {
	layout.Tensor
	Typed bool     // the input states the element type
	Notes []string // other statements of the input, and its parts that were not read
}

// A choice is the search for a tensor by its name.
type choice struct {
	in      *Input
	want    string
	count   int
	names   []string                                      // the first names
	called  bool                                          // one of them has a name
	exact   match                                         // the tensors with the name
	partial match                                         // the tensors with a name that ends in it
	notes   []string                                      // on tensors that are not offered
	err     error                                         // why no tensor matches
	each    func(name string, get func() (Tensor, error)) // receives each tensor, instead of a search; or nil
}

// A match is the first matching tensor, and the number of matches.
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

// maxNames limits the names in a message.
const maxNames = 12

// offer adds a tensor by its name in the input. The line is 0 if it does not matter.
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
	if c.each != nil {
		c.each(label, get)
		return
	}
	c.called = c.called || name != ""
	if c.count < maxNames {
		c.names = append(c.names, wording.Clip(label))
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

// firstOf returns a name without the number that distinguishes tensors of the same name.
func firstOf(name string) string {
	end := len(name)
	for end > 0 && lexer.IsDigit(name[end-1]) {
		end--
	}
	if end > 1 && name[end-1] == '#' {
		return name[:end-1]
	}
	return name
}

// made returns the chosen tensor. It adds a note if others have the same name.
func (c *choice) made() (t Tensor, err error) {
	chosen := c.exact
	if chosen.count == 0 && c.partial.count == 1 {
		chosen = c.partial
	}
	if c.err != nil || chosen.count == 0 || c.want == "" && c.count > 1 {
		return t, c.refusal()
	}
	t, err = chosen.get()
	t.Notes = slices.Concat(t.Notes, c.notes)
	if c.want == "" && c.in.Kind == Document {
		t.Notes = append(t.Notes, c.in.unread(c.names[0])...)
	}
	if c.want != "" && c.exact.count > 1 {
		note := fmt.Sprintf("%d tensors are called %s, and this is the first", c.exact.count, wording.Clip(c.want))
		if c.exact.line > 0 {
			note += fmt.Sprintf(", on line %d", c.exact.line)
		}
		t.Notes = append(t.Notes, note)
	}
	return t, err
}

// unread returns notes about the tensors that cannot be read and have the same name as the only one that can. Operators
// of a model have separate errors.
func (in *Input) unread(name string) (notes []string) {
	for _, file := range in.Files {
		for _, f := range file.Findings {
			isOther := f.Severity == finding.Error && f.Tensor != "" && wording.Clip(f.Tensor) != name
			if isOther && file.Model == nil && len(notes) < maxNames {
				notes = append(notes, fmt.Sprintf("%s is not read: %s", wording.Clip(f.Tensor), f.Message))
			}
		}
	}
	return notes
}

// refusal returns the error if no tensor is chosen.
func (c *choice) refusal() error {
	names := wording.Some(c.names, c.count)
	text := "the text"
	if c.in.Name != "" && c.in.Name != "-" {
		text = "it" // its name precedes the error
	}
	switch {
	case c.err != nil:
		return c.err
	case c.count == 0:
		return cmp.Or(c.in.fault(""), error(lexer.Refuse("", "%s does not describe a tensor", text)))
	case c.want == "":
		err := lexer.Refuse("--tensor "+c.names[0]+" chooses one", "%s describes %s: %s", text, wording.Count(c.count,
			"tensor"), names)
		err.Change.Flag, err.Change.Value = "--tensor", c.names[0]
		return err
	}
	wrong := &layout.SyntaxError{
		Input: c.want, Msg: text + " does not describe a tensor of that name", Hint: "it describes " + names,
	}
	switch fault := c.in.fault(c.want); {
	case fault != nil:
		return fault
	case c.partial.count > 1:
		wrong.Msg = fmt.Sprintf("the names of %d tensors end in %q", c.partial.count, wording.Clip(c.want))
	case c.count == 1 && !c.called:
		wrong.Msg = text + " describes one tensor, which has no name"
		if wrong.LeaveOut("--tensor"); c.in.Chosen != "" {
			wrong.Hint, wrong.Change = "remove :"+wording.Clip(c.in.Chosen), lexer.Change{}
		}
	default:
		wrong.DidYouMean(c.want, wording.Likely(c.want, c.in.Names(mostNear)))
	}
	return wrong
}

// mostNear is the maximum number of names that are compared with a misspelt one.
const mostNear = 10_000

// fault returns an error for the first finding that makes the tensor named name unreadable, or any tensor if name is
// empty. It returns nil if there is no such finding.
func (in *Input) fault(name string) error {
	for _, file := range in.Files {
		for _, f := range file.Findings {
			if f.Severity == finding.Error && (name == "" || f.Tensor == name) {
				return in.at(f.Place, f.Message, f.Fix)
			}
		}
	}
	return nil
}
