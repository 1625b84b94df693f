package desc

import (
	"math"

	"layoutcalc/layout/facts"
	"layoutcalc/layout/finding"
)

// A Config is what a configuration expects of its tensors.
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

// A Group is tensors whose bytes are added up, for one budget or for several.
type Group struct{ Tensors []int }

// An Edge joins two tensors, of which one is handed on as the other.
type Edge struct {
	From, To int
	At       finding.Locator
}

// An Expectation says what a tensor has to be like.
type Expectation struct {
	Tensor    int    // which of the tensors
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

// An ExpectedSize is a size, any size (AnySize), or a name that stands for the same size wherever it is.
type ExpectedSize struct {
	Name string
	Size int64
}

// A Divisor is what the size of an axis has to be a multiple of. The axis is a letter or a position.
type Divisor struct {
	Axis string
	By   int64
}

// An Expected knows the places of what a tensor is compared with.
type Expected interface {
	// Place returns the place of the key of a configuration that states it, of its item where that is not negative.
	Place(key string, item int) finding.Place
}

// ConfigValue is the rule of the values of configurations, and of what is expected of tensors.
var ConfigValue = &finding.Rule{Name: "config-value", Severity: finding.Error}
