package dml

import (
	_ "embed" // operators.txt
	"slices"
	"sort"
	"strings"
	"sync"

	"layoutcalc/layout/descriptor"
)

// Prefix starts the full names of operators.
const Prefix = "DML_OPERATOR_"

//go:embed operators.txt
var operatorText string

// All returns the DirectML operators in the order of their names. Everything else about an operator is not read until
// Find.
var All = sync.OnceValue(func() []Operator {
	rows := make([]Operator, 0, 256)
	_, text, _ := strings.Cut(operatorText, "\n\n") // without the comment about the lines
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		name, _, _ := strings.Cut(paragraph, " ")
		rows = append(rows, Operator{Name: name, text: paragraph})
	}
	return rows
})

// An Operator is a DirectML operator.
type Operator struct {
	Name string
	text string // in operators.txt
	once sync.Once

	Level  descriptor.Level // the level that introduced it
	Traits uint8
	Slots  []Slot
	Fields []Attribute
	Same   []Agreement
}

// The traits of operators, and their names.
const (
	RunsInPlace   = 1 << iota // output and input may be one region
	OwnsNoInput               // inputs may not be OWNED_BY_DML
	NotDxDispatch             // documented, but not read by DxDispatch
	NoTable                   // without a table of its tensors
)

var traitNames = [...]string{"in-place", "owns-no-input", "not-dxdispatch", "no-table"}

// A Slot is a tensor that an operator takes.
type Slot struct {
	Name  string // such as InputTensor
	Role  descriptor.Role
	Array bool      // it is a list of tensors
	Takes []Support // from the latest level to the first
}

// A Support lists the ranks and types that a slot supports starting at a feature level.
type Support struct {
	Since  descriptor.Level
	Lo, Hi int // the ranks; 0 if the page does not state them
	Types  TypeSet
}

// An Attribute is a field of an operator's descriptor that is not a tensor, as DxDispatch reads it.
type Attribute struct {
	Name string
	// Kind is bool, float, floats, int, ints, uint, uints, type (an element type), scalar (of a type that another field
	// states), size2d, scalebias, operator, operators, or the name of an enumeration.
	Kind     string
	Optional bool
}

// Enums are the enumerations of attributes. In full names, the name follows DML_ and precedes a value.
var Enums = [...]struct {
	Kind   string
	values []string
}{
	{"axis-direction", []string{"INCREASING", "DECREASING"}},
	{"convolution-direction", []string{"FORWARD", "BACKWARD"}},
	{"convolution-mode", []string{"CONVOLUTION", "CROSS_CORRELATION"}},
	{"depth-space-order", []string{"DEPTH_COLUMN_ROW", "COLUMN_ROW_DEPTH"}},
	{"interpolation-mode", []string{"NEAREST_NEIGHBOR", "LINEAR"}},
	{"is-infinity-mode", []string{"EITHER", "POSITIVE", "NEGATIVE"}},
	{"matrix-transform", []string{"NONE", "TRANSPOSE"}},
	{"multihead-attention-mask-type", []string{"NONE", "KEY_SEQUENCE_LENGTH", "KEY_SEQUENCE_END_START",
		"KEY_QUERY_SEQUENCE_LENGTH_START_END", "BOOLEAN"}},
	{"padding-mode", []string{"CONSTANT", "EDGE", "REFLECTION", "SYMMETRIC"}},
	{"quantization-type", []string{"NONE", "SCALE", "SCALE_ZERO_POINT"}},
	{"random-generator-type", []string{"PHILOX_4X32_10"}},
	{"recurrent-network-direction", []string{"FORWARD", "BACKWARD", "BIDIRECTIONAL"}},
	{"reduce-function", []string{"ARGMAX", "ARGMIN", "AVERAGE", "L1", "L2", "LOG_SUM", "LOG_SUM_EXP", "MAX", "MIN",
		"MULTIPLY", "SUM", "SUM_SQUARE"}},
	{"rounding-mode", []string{"HALVES_TO_NEAREST_EVEN", "TOWARD_ZERO", "TOWARD_INFINITY"}},
}

// Enum returns the values of the attribute, and their optional prefix, or nil if it is not an enumeration.
func (a Attribute) Enum() (values []string, prefix string) {
	for i := range Enums {
		if Enums[i].Kind == a.Kind {
			return Enums[i].values, "DML_" + strings.ToUpper(strings.ReplaceAll(a.Kind, "-", "_")) + "_"
		}
	}
	return nil, ""
}

// An Agreement is a group of slots with tensors that must agree.
type Agreement struct {
	In    uint8
	Names []string // the names of the slots; nil for all
}

// The properties that tensors may have to share, and their names.
const (
	SameType  = 1 << iota
	SameCount // the number of dimensions
	SameSizes
)

var sameNames = [...]string{"type", "count", "sizes"}

// read reads the text of the operator.
func (r *Operator) read() {
	for line := range strings.Lines(r.text) {
		words := strings.Fields(line)
		switch {
		case words[0] == r.Name:
			r.Level = LevelOf(words[1])
			for _, trait := range words[2:] {
				r.Traits |= 1 << slices.Index(traitNames[:], trait)
			}
		case words[0] == "same":
			a := Agreement{Names: words[2:]}
			for what := range strings.SplitSeq(words[1], ",") {
				a.In |= 1 << slices.Index(sameNames[:], what)
			}
			r.Same = append(r.Same, a)
		case words[0] == "with":
			for _, word := range words[1:] {
				name, kind, _ := strings.Cut(word, ":")
				name, left := strings.CutSuffix(name, "?")
				r.Fields = append(r.Fields, Attribute{Name: name, Kind: kind, Optional: left})
			}
		default:
			r.Slots = append(r.Slots, readSlot(r.Slots, words))
		}
	}
}

// readSlot reads the line of a tensor that follows others.
func readSlot(others []Slot, words []string) Slot {
	kind, list := strings.CutSuffix(words[0], "s")
	s := Slot{Name: words[1], Role: descriptor.Input, Array: list}
	if kind == "out" {
		s.Role = descriptor.Output
	}
	if len(words) == 2 {
		s.Takes = others[len(others)-1].Takes
	}
	for _, word := range words[2:] {
		level, word, _ := strings.Cut(word, ":")
		ranks, word, _ := strings.Cut(word, ":")
		types, word, _ := strings.Cut(word, ":")
		taken := Support{Since: LevelOf(level), Lo: int(ranks[0] - '0'), Hi: int(ranks[len(ranks)-1] - '0')}
		for name := range strings.SplitSeq(types, ",") {
			taken.Types |= typesOf(name)
		}
		if word != "" {
			taken.Types |= Optional
		}
		s.Takes = append(s.Takes, taken)
	}
	return s
}

// LevelOf reads a feature level, such as 6.2.
func LevelOf(text string) descriptor.Level { return descriptor.Level(10*(text[0]-'0') + text[2] - '0') }

// Find returns the row of an operator, by its name with or without the prefix, or nil if the name is unknown.
func Find(name string) *Operator {
	name = strings.TrimPrefix(name, Prefix)
	rows := All()
	i := sort.Search(len(rows), func(i int) bool { return rows[i].Name >= name })
	if i == len(rows) || rows[i].Name != name {
		return nil
	}
	rows[i].once.Do(rows[i].read)
	return &rows[i]
}

// Of is like Find, but returns an empty operator if the name is unknown. Callers must not modify the result.
func Of(name string) *Operator {
	if r := Find(name); r != nil {
		return r
	}
	return &Operator{}
}

// Role returns the role of the slot with a name, or UnknownRole if the operator has no such slot.
func (r *Operator) Role(slot string) descriptor.Role {
	if i := r.Index(slot); i >= 0 {
		return r.Slots[i].Role
	}
	return descriptor.UnknownRole
}

// Index returns the index of the slot with a name, or -1 if the operator has no such slot.
func (r *Operator) Index(name string) int {
	return slices.IndexFunc(r.Slots, func(s Slot) bool { return s.Name == name })
}

// At returns the ranks and types that slot i supports at a level; level 0 is the latest. Levels before the first are
// treated like the first. For slot -1, it returns the zero Support.
func (r *Operator) At(i int, level descriptor.Level) Support {
	if i < 0 {
		return Support{}
	}
	takes := r.Slots[i].Takes
	for k := range takes {
		if level == 0 || takes[k].Since <= level {
			return takes[k]
		}
	}
	return takes[len(takes)-1]
}
