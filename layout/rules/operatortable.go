package rules

import (
	_ "embed" // operators.txt
	"slices"
	"sort"
	"strings"
	"sync"
)

// operatorPrefix is what the full names of operators start with.
const operatorPrefix = "DML_OPERATOR_"

//go:embed operators.txt
var operatorText string

// operators returns the operators of DirectML in the order of their names, of which findOperator reads the rest.
var operators = sync.OnceValue(func() []operatorRow {
	rows := make([]operatorRow, 0, 256)
	_, text, _ := strings.Cut(operatorText, "\n\n") // after what is said of the lines
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		name, _, _ := strings.Cut(paragraph, " ")
		rows = append(rows, operatorRow{name: name, text: paragraph})
	}
	return rows
})

// An operatorRow is an operator of DirectML.
type operatorRow struct {
	name string
	text string // in operators.txt
	once sync.Once

	level  Level // that it came with
	traits uint8
	slots  []Slot
	fields []Attribute
	same   []agreement
}

// The traits of operators, and their names.
const (
	runsInPlace   = 1 << iota // output and input may be one region
	ownsNoInput               // inputs may not be OWNED_BY_DML
	notDxDispatch             // documented, but unknown to DxDispatch's parser
	noTable                   // no table says what it takes
)

var traitNames = [...]string{"in-place", "owns-no-input", "not-dxdispatch", "no-table"}

// A Slot is a tensor that an operator takes.
type Slot struct {
	Name  string // such as InputTensor
	Role  Role
	Array bool      // it is a list of tensors
	takes []support // from the latest level to the first
}

// A support is what a slot takes from a feature level on.
type support struct {
	since  Level
	lo, hi int // the numbers of dimensions; 0 where the page does not say
	types  typeSet
}

// An Attribute is a field of an operator's descriptor that is not a tensor, as DxDispatch reads it.
type Attribute struct {
	Name string
	// Kind is bool, float, floats, int, ints, uint, uints, type (an element type), scalar (of a type that another field
	// states), size2d, scalebias, operator, operators, or the name of an enumeration.
	Kind     string
	Optional bool
}

// enums are the enumerations of attributes, whose full names have DML_ before and a value after.
var enums = [...]struct {
	kind   string
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

// Enum returns the values of the attribute, and the prefix that they may have; none where it is not of an enumeration.
func (a Attribute) Enum() (values []string, prefix string) {
	for i := range enums {
		if enums[i].kind == a.Kind {
			return enums[i].values, "DML_" + strings.ToUpper(strings.ReplaceAll(a.Kind, "-", "_")) + "_"
		}
	}
	return nil, ""
}

// An agreement is slots whose tensors have to agree.
type agreement struct {
	in    uint8
	names []string // of the slots; none is all
}

// What tensors may agree in, and the names for it.
const (
	sameType  = 1 << iota
	sameCount // the number of dimensions
	sameSizes
)

var sameNames = [...]string{"type", "count", "sizes"}

// read reads the text of the operator.
func (r *operatorRow) read() {
	for line := range strings.Lines(r.text) {
		words := strings.Fields(line)
		switch {
		case words[0] == r.name:
			r.level = levelOf(words[1])
			for _, trait := range words[2:] {
				r.traits |= 1 << slices.Index(traitNames[:], trait)
			}
		case words[0] == "same":
			a := agreement{names: words[2:]}
			for what := range strings.SplitSeq(words[1], ",") {
				a.in |= 1 << slices.Index(sameNames[:], what)
			}
			r.same = append(r.same, a)
		case words[0] == "with":
			for _, word := range words[1:] {
				name, kind, _ := strings.Cut(word, ":")
				name, left := strings.CutSuffix(name, "?")
				r.fields = append(r.fields, Attribute{Name: name, Kind: kind, Optional: left})
			}
		default:
			r.slots = append(r.slots, readSlot(r.slots, words))
		}
	}
}

// readSlot reads the line of a tensor that follows others.
func readSlot(others []Slot, words []string) Slot {
	kind, list := strings.CutSuffix(words[0], "s")
	s := Slot{Name: words[1], Role: Input, Array: list}
	if kind == "out" {
		s.Role = Output
	}
	if len(words) == 2 {
		s.takes = others[len(others)-1].takes
	}
	for _, word := range words[2:] {
		level, word, _ := strings.Cut(word, ":")
		ranks, word, _ := strings.Cut(word, ":")
		types, word, _ := strings.Cut(word, ":")
		taken := support{since: levelOf(level), lo: int(ranks[0] - '0'), hi: int(ranks[len(ranks)-1] - '0')}
		for name := range strings.SplitSeq(types, ",") {
			taken.types |= typesOf(name)
		}
		if word != "" {
			taken.types |= optional
		}
		s.takes = append(s.takes, taken)
	}
	return s
}

// levelOf reads a feature level, such as 6.2.
func levelOf(text string) Level { return Level(10*(text[0]-'0') + text[2] - '0') }

// Slots returns the tensors of an operator of DirectML, whose name may have the prefix DML_OPERATOR_.
// It returns none for an unknown operator and for one without a table. The result is not to be changed.
func Slots(operator string) []Slot {
	if row := findOperator(operator); row != nil {
		return row.slots
	}
	return nil
}

// Attributes returns the attributes of an operator of DirectML, as Slots returns its tensors.
func Attributes(operator string) []Attribute {
	if row := findOperator(operator); row != nil {
		return row.fields
	}
	return nil
}

// findOperator returns the row of an operator, with its prefix or without, nil if there is none.
func findOperator(name string) *operatorRow {
	name = strings.TrimPrefix(name, operatorPrefix)
	rows := operators()
	i := sort.Search(len(rows), func(i int) bool { return rows[i].name >= name })
	if i == len(rows) || rows[i].name != name {
		return nil
	}
	rows[i].once.Do(rows[i].read)
	return &rows[i]
}

// find returns the index of the slot of that name, -1 if there is none.
func (r *operatorRow) find(name string) int {
	for i := range r.slots {
		if r.slots[i].Name == name {
			return i
		}
	}
	return -1
}

// at returns what slot i takes at a level; level 0 is the latest. Before the first level it is what the
// slot takes at the first. Slot -1 takes nothing that is known.
func (r *operatorRow) at(i int, level Level) support {
	if i < 0 {
		return support{}
	}
	takes := r.slots[i].takes
	for k := range takes {
		if level == 0 || takes[k].since <= level {
			return takes[k]
		}
	}
	return takes[len(takes)-1]
}
