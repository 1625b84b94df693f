package desc

import (
	"math"

	"layoutcalc/layout/facts"
	"layoutcalc/layout/finding"
)

// A Config is the part of a configuration that relates its tensors: expectations, edges, budgets.
type Config struct {
	Tensors      []Descriptor
	Expectations []Expectation
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
	At       finding.Locator
}

// An Expectation lists the required properties of a tensor.
type Expectation struct {
	Tensor    int    // the index of the tensor
	Layout    string // the name of the layout that its strides follow; empty for any
	Packed    facts.Verdict
	MaxBytes  Number
	Bytes     Number
	Strides   []int64 // nil for any
	SameAs    int     // the tensor whose layout it has; negative for none
	DType     string  // the element type; empty for any
	Rank      Number
	Sizes     []ExpectedSize // nil for any
	Divisors  []Divisor
	RowPitch  Number // in bytes, as are the next two
	RowAlign  Number
	BaseAlign Number
	At        Expected
}

// AnySize is a size that a configuration leaves to the file.
const AnySize = math.MinInt64

// An ExpectedSize is a size, any size (AnySize), or a name that stands for one size everywhere.
type ExpectedSize struct {
	Name string
	Size int64
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
