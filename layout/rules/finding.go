package rules

import "layoutcalc/layout/doctree"

// A Place is where something is in an input.
type Place = doctree.Place

// A Finding is a rule that an input breaks.
type Finding struct {
	Rule     ID
	Severity Severity
	Place
	Tensor  string // what the input calls the tensor
	Message string // the numbers that disagree, with their units
	Fix     string // the smallest change that mends it; may be empty
}
