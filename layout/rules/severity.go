package rules

// A Severity says how bad a finding is.
type Severity uint8

// The severities, from the least on.
const (
	Note    Severity = iota // a fact worth knowing
	Warning                 // legal, but almost always a mistake
	Error                   // creation fails, or a documented contract is broken
)

// Severities are their names.
var Severities = [...]string{Note: "note", Warning: "warning", Error: "error"}

// String returns the severity's name.
func (s Severity) String() string { return Severities[s] }
