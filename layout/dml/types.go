package dml

import (
	"slices"
	"strings"
)

// Types are the element types that DirectML descriptors can have.
var Types = [...]string{
	"FLOAT32", "FLOAT16", "UINT32", "UINT16", "UINT8", "INT32", "INT16", "INT8",
	"FLOAT64", "UINT64", "INT64", "UINT4", "INT4",
}

// A TypeSet is a set of Types: a bit for each in order, and one for an optional tensor. It is empty if a page names no
// types.
type TypeSet uint16

// The sets that have names in operators.txt.
const (
	floats   TypeSet = 1<<2 - 1
	to32     TypeSet = 1<<8 - 1
	to64     TypeSet = 1<<11 - 1
	Optional TypeSet = 1 << len(Types) // the tensor may be omitted
)

// typesOf returns the set with a name in operators.txt.
func typesOf(name string) TypeSet {
	switch name {
	case "":
		return 0
	case "floats":
		return floats
	case "to32":
		return to32
	case "to64":
		return to64
	}
	return 1 << slices.Index(Types[:], name)
}

// Has reports whether the set contains a DirectML type.
func (s TypeSet) Has(name string) bool {
	i := slices.Index(Types[:], name)
	return i >= 0 && s>>i&1 != 0
}

// String lists the types.
func (s TypeSet) String() string {
	var names []string
	for i, t := range Types {
		if s>>i&1 != 0 {
			names = append(names, t)
		}
	}
	return strings.Join(names, ", ")
}
