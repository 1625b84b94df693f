package rules

// A Place is where something stands in an input. Lines and columns count from 1, columns in
// bytes; a line of 0 means that there is no place, only a whole.
type Place struct {
	Line, Column int
	Pointer      string // JSON pointer; empty where there is none
}

// A Finding is a rule that an input breaks.
type Finding struct {
	Rule     ID
	Severity Severity
	Place
	Tensor  string // what the input calls the tensor
	Message string // the numbers that disagree, with their units
	Fix     string // the smallest change that mends it; may be empty
}
