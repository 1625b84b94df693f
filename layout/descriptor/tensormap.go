package descriptor

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/wording"
)

// A TensorMap is the part of a CUDA tensor map (CUtensorMap) that is not about the tensor itself. Its lists are
// outermost first, like all lists of a Descriptor; the lists of the CUDA driver are innermost first.
type TensorMap struct {
	Type       MapCode
	Bytes      []int64 // strides in bytes, without the innermost; nil if the strides are stated in elements
	Box        []int64 // nil if it is not stated, like Steps
	Steps      []int64 // elementStrides
	Interleave MapCode
	Swizzle    MapCode
	Promotion  MapCode
	Fill       MapCode // for elements out of bounds
	Address    Number  // of offset 0
}

// A MapCode is a value of an enumeration of the CUDA driver: its number in cuda.h.
type MapCode uint8

// A MapEnum is an enumeration of the CUDA driver. The names are the names in cuda.h without the prefix.
type MapEnum struct {
	Noun, Prefix string
	Names        []string
}

// The enumerations of tensor maps.
var (
	MapTypeNames = MapEnum{"type of a tensor map", "CU_TENSOR_MAP_DATA_TYPE_", []string{
		"UINT8", "UINT16", "UINT32", "INT32", "UINT64", "INT64", "FLOAT16", "FLOAT32", "FLOAT64", "BFLOAT16",
		"FLOAT32_FTZ", "TFLOAT32", "TFLOAT32_FTZ", "16U4_ALIGN8B", "16U4_ALIGN16B", "16U6_ALIGN16B",
	}}
	MapInterleaves = MapEnum{"interleaving", "CU_TENSOR_MAP_INTERLEAVE_", []string{"NONE", "16B", "32B"}}
	MapSwizzles    = MapEnum{"swizzle of a tensor map", "CU_TENSOR_MAP_SWIZZLE_", []string{
		"NONE", "32B", "64B", "128B", "128B_ATOM_32B", "128B_ATOM_32B_FLIP_8B", "128B_ATOM_64B",
	}}
	MapPromotions = MapEnum{"L2 promotion", "CU_TENSOR_MAP_L2_PROMOTION_", []string{
		"NONE", "L2_64B", "L2_128B", "L2_256B",
	}}
	MapFills = MapEnum{"fill", "CU_TENSOR_MAP_FLOAT_OOB_FILL_", []string{"NONE", "NAN_REQUEST_ZERO_FMA"}}
)

// The values of the enumerations that rules use.
const (
	MapInterleave32  MapCode = 2
	MapSwizzle32     MapCode = 1
	MapSwizzle128    MapCode = 3
	MapSwizzleAtom32 MapCode = 4
	MapSwizzleAtom64 MapCode = 6
	MapU4Align8      MapCode = 13
	MapU4Align16     MapCode = 14
	MapU6Align16     MapCode = 15
)

// Name returns the name of a value.
func (e *MapEnum) Name(c MapCode) string { return e.Names[c] }

// Parse reads a name, with or without its prefix, ignoring case, or the first word of a name if it is unique, or a
// number.
func (e *MapEnum) Parse(text string) (MapCode, error) {
	s := lexer.Scanner{In: strings.TrimSpace(text)}
	if !s.Take(e.Prefix) {
		s.Pos = 0
	}
	word, from, i, begun := s.In[s.Pos:], s.Pos, -1, 0
	for k, name := range e.Names {
		if strings.EqualFold(name, word) {
			return MapCode(k), nil
		}
		if of := (lexer.Scanner{In: name}); of.Take(word) && word != "" && of.Peek() == '_' {
			i, begun = k, begun+1
		}
	}
	n, err := lexer.ParseInt(word)
	switch {
	case begun == 1:
		return MapCode(i), nil
	case err == nil && 0 <= n && n < int64(len(e.Names)) && from == 0:
		return MapCode(n), nil
	}
	return 0, lexer.Unknown(e.Noun, text, e.Names)
}

// A MapType is the storage of a type of tensor maps.
type MapType struct {
	Bits  int64 // bits of an element in global memory
	Inner int64 // bits of an element in the shared tile
	Type  string
	Float bool
}

// mapTypes are the types of tensor maps, by number.
var mapTypes = [...]MapType{
	{8, 8, "uint8", false}, {16, 16, "uint16", false}, {32, 32, "uint32", false}, {32, 32, "int32", false},
	{64, 64, "uint64", false}, {64, 64, "int64", false}, {16, 16, "float16", true}, {32, 32, "float32", true},
	{64, 64, "float64", true}, {16, 16, "bfloat16", true}, {32, 32, "float32", true}, {32, 32, "float32", true},
	{32, 32, "float32", true}, {4, 4, "uint4", false}, {4, 8, "uint4", false}, {6, 8, "", false},
}

// Type returns the properties of the type with the number c.
func (c MapCode) Type() MapType { return mapTypes[c] }

// MapTypeOf returns the type of tensor maps for an element type: the type with its name, or the unsigned integer of its
// size, which moves the same bytes.
func MapTypeOf(d layout.DType) (MapCode, bool) {
	name, bits := d.String(), d.Bits()
	at := func(is func(MapType) bool) int { return slices.IndexFunc(mapTypes[:MapU4Align8], is) }
	i := at(func(t MapType) bool { return t.Type == name })
	if i < 0 {
		i = at(func(t MapType) bool { return t.Bits == bits && !t.Float })
	}
	return MapCode(max(i, 0)), i >= 0
}

// mapSwizzles are the swizzles of the modes over bytes, and the maximum bytes of a row in each. For two modes only the
// name is published.
var mapSwizzles = [...]struct {
	mode string
	most int64
}{
	{"", 0}, {"32B", 32}, {"64B", 64}, {"128B", 128}, {"128B_ATOM_32B", 128}, {"", 128}, {"", 128},
}

// MapSwizzle returns the swizzle of a mode over bytes, which may be the zero Swizzle, whether it is known, and the
// maximum bytes of the innermost size of a box, or 0 for any number.
func MapSwizzle(c MapCode) (s layout.Swizzle, known bool, most int64) {
	of := mapSwizzles[c]
	for _, m := range shape.SwizzleModes {
		if m.Name == of.mode {
			s = m.Of
		}
	}
	return s, c == 0 || of.mode != "", of.most
}

// SetMap sets the descriptor from a tensor map in the form of the CUDA driver: the sizes innermost first, and the
// strides in bytes, without the stride of the innermost size. Strides that are not whole elements are only kept in
// bytes.
func (d *Descriptor) SetMap(m *TensorMap, sizes, strides []int64) {
	t := m.Type.Type()
	d.Map, d.TypeName, d.TypeJudged = m, MapTypeNames.Name(m.Type), true
	if of, err := layout.ParseDType(t.Type); err == nil {
		d.Type, d.TypeKnown = of, true
	}
	d.Sizes, m.Bytes = reversed(sizes), reversed(strides)
	m.Box, m.Steps = reversed(m.Box), reversed(m.Steps)
	d.Strides = make([]int64, 0, len(sizes))
	for _, n := range m.Bytes {
		bits, err := layout.Mul(n, 8)
		if err != nil || bits%t.Bits != 0 {
			d.Strides = nil
			return
		}
		d.Strides = append(d.Strides, bits/t.Bits)
	}
	if len(sizes) > 0 {
		d.Strides = append(d.Strides, 1)
	}
}

// reversed returns a list in reverse order, or nil for nil.
func reversed(list []int64) []int64 {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

// ParseBox reads the sizes of a box, or element strides, in the form of a shape without labels.
func ParseBox(text string) ([]int64, error) {
	list, err := shape.ParseShape(text)
	if err == nil && list.Labels() != nil {
		err = &layout.SyntaxError{Input: text, Msg: "these sizes have no letters", Hint: "such as 64x64"}
	}
	return list.Values(), err
}

// ParseAddress reads an address, in decimal or hexadecimal digits.
func ParseAddress(text string) (int64, error) {
	n, err := lexer.ParseInt(strings.TrimSpace(text))
	if err != nil || n < 0 {
		return 0, &layout.SyntaxError{Input: text, Msg: wording.Quote(text) + " is not an address",
			Hint: "such as 0x7f0000000000"}
	}
	return n, nil
}
