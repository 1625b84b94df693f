package rules

import (
	"cmp"
	"slices"
	"strings"
)

//go:generate go run gen_operators.go

// operatorPrefix stands before the names of operators where they are spelled out.
const operatorPrefix = "DML_OPERATOR_"

// An operatorRow is an operator of DirectML's in the generated table.
type operatorRow struct {
	name  string
	level Level
	bits  uint8
	slots string // pairs of indices into slotNames and slotKinds
	same  string // groups: sameType and its kin, how many slots, which
}

// The bits of a row.
const (
	runsInPlace   = 1 << iota // output and input may be one region
	ownsNoInput               // inputs may not be OWNED_BY_DML
	notDxDispatch             // documented, but unknown to DxDispatch's parser
	noTable                   // no table says what it takes
)

// The bits of a slot's kind, that of its level, and what slots may agree in.
const (
	slotOutput = 1
	slotArray  = 2

	slotOptional = 0x80

	sameType  = 1
	sameCount = 2
	sameSizes = 4
)

// findOperator returns the row of an operator, with its prefix or without; nil if there is none.
func findOperator(name string) *operatorRow {
	name = strings.TrimPrefix(name, operatorPrefix)
	i, ok := slices.BinarySearchFunc(operators[:], name, func(r operatorRow, name string) int { return cmp.Compare(r.name, name) })
	if !ok {
		return nil
	}
	return &operators[i]
}

// A Slot is a tensor that an operator takes.
type Slot struct {
	Name  string // such as InputTensor
	Role  Role
	Array bool // it is a list of tensors
	kind  string
}

// Slots returns the tensors of an operator of DirectML's, whose name may have the prefix
// DML_OPERATOR_. It returns none for what is no operator, or has no table.
func Slots(operator string) []Slot {
	row := findOperator(operator)
	if row == nil {
		return nil
	}
	slots := make([]Slot, row.len())
	for i := range slots {
		slots[i] = row.slot(i)
	}
	return slots
}

func (r *operatorRow) len() int { return len(r.slots) / 2 }

// slot returns slot i.
func (r *operatorRow) slot(i int) Slot {
	kind := slotKinds[r.slots[2*i+1]]
	role := Input
	if kind[0]&slotOutput != 0 {
		role = Output
	}
	return Slot{slotNames[r.slots[2*i]], role, kind[0]&slotArray != 0, kind[1:]}
}

// find returns the slot of that name.
func (r *operatorRow) find(name string) (Slot, bool) {
	for i := range r.len() {
		if slotNames[r.slots[2*i]] == name {
			return r.slot(i), true
		}
	}
	return Slot{}, false
}

// A support is what a slot takes at a feature level.
type support struct {
	since    Level // the level that it came with
	optional bool
	lo, hi   int // the dimension counts; 0 where the page does not say
	types    typeSet
}

// at returns what the slot takes at a level; 0 is the latest. At a level before its first it is
// that of the first.
func (s Slot) at(level Level) support {
	var found support
	for k := s.kind; len(k) >= 4; k = k[4:] {
		found = support{Level(k[0] &^ slotOptional), k[0]&slotOptional != 0, int(k[1] >> 4), int(k[1] & 15), typeSet(k[2])<<8 | typeSet(k[3])}
		if level == 0 || found.since <= level {
			break
		}
	}
	return found
}

// A typeSet is a set of dmlTypes, with a bit for each in their order; empty where a page does not
// say.
type typeSet uint16

// has reports whether the set has a type of DirectML's.
func (s typeSet) has(name string) bool {
	for i, t := range dmlTypes {
		if t == name {
			return s>>i&1 != 0
		}
	}
	return false
}

// String lists the types.
func (s typeSet) String() string {
	var names []string
	for i, t := range dmlTypes {
		if s>>i&1 != 0 {
			names = append(names, t)
		}
	}
	return strings.Join(names, ", ")
}
