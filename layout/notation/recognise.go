package notation

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"layoutcalc/layout"
)

// Recognises reports whether the text has the form of some notation, right or wrong.
func Recognises(text string) bool {
	for _, n := range all {
		if text != "" && n.fits(text) {
			return true
		}
	}
	return false
}

// Read returns the tensors that the text describes, in the notation that its form is of. Where
// several notations read it and differ, it says which.
func Read(text string, o Options) ([]Descriptor, error) {
	if len(text) > layout.MaxText {
		return nil, tooLong(text)
	}
	var first *Notation
	var found []Descriptor
	var fault error
	for _, n := range all {
		if text == "" || !n.fits(text) {
			continue
		}
		d, err := n.Read(text, o)
		switch {
		case err != nil:
			fault = farther(fault, err)
		case first == nil:
			first, found = n, d
		case !same(found, d):
			return nil, &layout.SyntaxError{Input: text, Msg: fmt.Sprintf("this can be %s or %s, which differ", first.Name, n.Name), Hint: fmt.Sprintf("--from %s or --from %s says which", first.Name, n.Name)}
		}
	}
	switch {
	case first != nil:
		return found, nil
	case fault != nil:
		return nil, fault
	}
	return nil, &layout.SyntaxError{Input: text, Msg: "this is no notation of a tensor", Hint: "layoutcalc explain lists them"}
}

// farther returns the error that lies farther into the text: what read more of it knew more of
// its form.
func farther(a, b error) error {
	var x, y *layout.SyntaxError
	if a == nil || errors.As(a, &x) && errors.As(b, &y) && y.Offset > x.Offset {
		return b
	}
	return a
}

// same reports whether two readings of a text come to the same.
func same(a, b []Descriptor) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := a[i].Tensor, b[i].Tensor
		if layout.SameAxes(x.Layout(), y.Layout()) != nil || !layout.Same(x.Layout(), y.Layout()) || x.DType() != y.DType() {
			return false
		}
	}
	return true
}

// Choose returns the descriptor of the name, or the only one. Those that the text does not name
// are called by their position.
func Choose(found []Descriptor, name string) (Descriptor, error) {
	names := make([]string, len(found))
	for i, d := range found {
		if names[i] = d.Name; d.Name == "" {
			names[i] = strconv.Itoa(i)
		}
		if name == names[i] || name == "" && len(found) == 1 {
			return d, nil
		}
	}
	list := clip(strings.Join(names, ", "), maxMessage/2)
	if name == "" {
		return Descriptor{}, &layout.SyntaxError{Msg: fmt.Sprintf("the text describes %d tensors: %s", len(found), list), Hint: "--tensor " + clip(names[0], maxQuote) + " chooses one"}
	}
	return Descriptor{}, &layout.SyntaxError{Input: name, Msg: "the text describes no tensor of that name", Hint: "it describes " + list}
}
