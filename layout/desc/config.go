package desc

import (
	"fmt"
	"math"
	"strconv"

	"layoutcalc/layout/facts"
	"layoutcalc/layout/finding"
)

// A Config is the part of a configuration that relates its tensors: expectations, edges, budgets. It has expectations
// of files too.
type Config struct {
	Tensors      []Descriptor
	Expectations []Expectation
	Files        []FileExpectation
	Edges        []Edge
	Budgets      []Budget
}

// A Budget limits the bytes that several tensors take together.
type Budget struct {
	Name  string
	Group *Group
	Most  int64
	At    finding.Locator
}

// A Group is a list of tensors whose bytes are added up. Budgets may share it.
type Group struct{ Tensors []int }

// An Edge joins two tensors: the first is handed on as the second.
type Edge struct {
	From, To int
	Allow    Allowance
	At       finding.Locator
}

// An Allowance is a set of differences between the tensors of an edge.
type Allowance uint8

// The allowances.
const (
	Cast      Allowance = 1 << iota // of the types
	Reshape                         // of the sizes; the elements have the same order and places
	SameBytes                       // of all but the bytes that the elements take
)

// Allowances are the names of the allowances, in their order.
var Allowances = [...]string{"cast", "reshape", "bytes"}

// An Expectation lists the required properties of a tensor.
type Expectation struct {
	Tensor    int    // the index of the tensor
	Layout    string // the name of the layout that its strides follow; empty for any
	Packed    facts.Verdict
	MaxBytes  Number
	Bytes     Range
	Strides   []int64  // nil for any
	SameAs    int      // the tensor whose layout it has; negative for none
	DTypes    []string // element types, one of which it has; nil for any
	Rank      Range
	Sizes     []ExpectedSize // nil for any
	Open      []string       // axes that the file leaves open
	Divisors  []Divisor
	RowPitch  Number // in bytes, as are the next two
	RowAlign  Number
	BaseAlign Number
	Spacing   // of its layout
	At        Expected
}

// A FileExpectation lists the required properties of a file.
type FileExpectation struct {
	Name    string
	Have    *Facts
	Numbers []ExpectedNumber
	Names   []ExpectedNames
	At      Expected
}

// An ExpectedNumber is the range of a number, by its key.
type ExpectedNumber struct {
	Key  string
	Of   string // the domain of an opset
	Item int    // of the key; negative for all of it
	Range
}

// ExpectedNames are the names that a key may have, or patterns of them.
type ExpectedNames struct {
	Key      string
	Patterns []string
}

// Facts are the properties of a file as a whole, by the keys of expectations. Those of ONNX models are missing for
// other files.
type Facts struct {
	Kind    string           // as of a File
	Numbers map[string]int64 // those of opsets by the domain
	Names   map[string][]string
	Unread  finding.Finding // why nothing is known but the bytes; no message if it is
}

// OwnDomain is the domain of ONNX's own operators.
const OwnDomain = "ai.onnx"

// AnySize is a size that a configuration leaves to the file.
const AnySize = math.MinInt64

// An ExpectedSize is a size in a range, any size (the zero Range), or a name that stands for one size everywhere.
type ExpectedSize struct {
	Name string
	Size Range
}

// A Range is the numbers from Min to Max, each of which may be missing.
type Range struct{ Min, Max Number }

// Exactly returns the Range of one number.
func Exactly(n int64) Range { return Range{Stated(n), Stated(n)} }

// Stated reports whether the Range has a limit.
func (r Range) Stated() bool { return r.Min.Stated || r.Max.Stated }

// Has reports whether a number is in the Range.
func (r Range) Has(n int64) bool {
	return !(r.Min.Stated && n < r.Min.Value || r.Max.Stated && n > r.Max.Value)
}

// String returns the range in words: 3, at most 3, at least 3, 3 to 5.
func (r Range) String() string {
	switch {
	case !r.Min.Stated:
		return "at most " + strconv.FormatInt(r.Max.Value, 10)
	case !r.Max.Stated:
		return "at least " + strconv.FormatInt(r.Min.Value, 10)
	case r.Min != r.Max:
		return fmt.Sprintf("%d to %d", r.Min.Value, r.Max.Value)
	}
	return strconv.FormatInt(r.Min.Value, 10)
}

// A Divisor is a number that divides the size of an axis. The axis is a letter or a position.
type Divisor struct {
	Axis string
	By   int64
}

// An Expected knows the places of an expectation.
type Expected interface {
	// Place returns the place of a key of the expectation, or of an item of the key unless item is negative.
	Place(key string, item int) finding.Place
}

// ConfigValue is the rule for values of configurations, including expectations.
var ConfigValue = &finding.Rule{Name: "config-value", Severity: finding.Error}

// Rules are the rules of this package.
var Rules = []*finding.Rule{ConfigValue}
