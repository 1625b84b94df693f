package notation

import (
	"fmt"
	"math"
	"strings"

	"layoutcalc/layout"
)

// dmlFields are the members of DML_BUFFER_TENSOR_DESC, in order.
var dmlFields = [...]string{"DataType", "Flags", "DimensionCount", "Sizes", "Strides", "TotalTensorSizeInBytes", "GuaranteedBaseOffsetAlignment"}

// maxDMLRank is the most axes that DirectML takes.
const maxDMLRank = 8

// fitsDML knows DirectML's names in C++ and in what a debugger prints.
func fitsDML(text string) bool {
	return (strings.Contains(text, "DML_") || strings.Contains(text, "DataType")) && !fitsDxDispatch(text)
}

// readDML reads structs as C++ source has them, and the arrays that they point to.
func readDML(r *reader) {
	all := r.declarations()
	var names []string
	fields := map[string][]entry{}
	for _, b := range all {
		owner, list := b.description()
		if list == nil {
			continue
		}
		if _, ok := fields[owner]; !ok {
			names = append(names, owner)
		}
		fields[owner] = append(fields[owner], list...)
	}
	for _, name := range names {
		r.dmlTensor(name, fields[name], all)
	}
	if len(names) == 0 && r.err == nil {
		r.fail(0, "such as DML_BUFFER_TENSOR_DESC desc = { DML_TENSOR_DATA_TYPE_FLOAT32, ... };", "there is no DML_BUFFER_TENSOR_DESC here")
	}
}

// description returns the fields that a statement gives a descriptor, and the descriptor's name:
// those of a struct, or the one of an assignment.
func (b binding) description() (owner string, fields []entry) {
	if i := strings.LastIndexAny(b.name, ".>"); i >= 0 {
		member := b.name[i+1:]
		for _, f := range dmlFields {
			if f == member {
				return strings.TrimRight(b.name[:i], "-"), []entry{{member, b.value}}
			}
		}
	}
	v := b.value
	if args, ok := v.arguments('{'); ok && v.kind == word {
		v = value{at: v.at, kind: list, list: args, word: v.word}
	}
	switch {
	case v.kind != list:
	case strings.HasSuffix(b.kind, "TensorDesc") || strings.HasSuffix(v.word, "TensorDesc"):
		return b.name, directMLX(v.list)
	case strings.Contains(b.kind, "BUFFER_TENSOR_DESC") || isDMLStruct(v.list):
		return b.name, named(v.list, dmlFields[:]...)
	}
	return "", nil
}

// isDMLStruct knows the members of the struct, or its first one without a name.
func isDMLStruct(list []entry) bool {
	if _, ok := field(list, "Sizes", "DataType"); ok {
		return true
	}
	return len(list) > 3 && strings.HasPrefix(list[0].word, "DML_TENSOR_DATA_TYPE_")
}

// directMLX gives the arguments of dml::TensorDesc their names: flags may be left out.
func directMLX(list []entry) []entry {
	if len(list) > 1 && strings.Contains(list[1].word, "FLAG") {
		return named(list, "DataType", "Flags", "Sizes", "Strides")
	}
	return named(list, "DataType", "Sizes", "Strides")
}

// dmlTensor makes a tensor of the members of a descriptor, the first of each name.
func (r *reader) dmlTensor(name string, fields []entry, all []binding) {
	sizesAt, ok := field(fields, "Sizes")
	dtypeAt, typed := field(fields, "DataType")
	if !ok || !typed {
		r.fail(sizesAt.at, "", "the descriptor %s has no %s", name, map[bool]string{true: "DataType", false: "Sizes"}[ok])
		return
	}
	dtype, err := layout.ParseDType(resolve(dtypeAt, all).word)
	r.within(dtypeAt.at, err)
	sizes := r.pointer(sizesAt, "Sizes", all)
	strides := r.rowMajor(sizes)
	if v, ok := field(fields, "Strides"); ok && !v.isNull() {
		if given := r.pointer(v, "Strides", all); len(given) > 0 {
			strides = given
		}
	}
	if v, ok := field(fields, "DimensionCount"); ok && resolve(v, all).kind == number {
		sizes, strides = r.counted(v, resolve(v, all).n, sizes, strides)
	}
	r.strided(sizesAt.at, Descriptor{Name: name, Typed: true}, dtype, 0, sizes, strides)
	r.dmlRest(fields)
}

// pointer returns the numbers of the array that a member points to.
func (r *reader) pointer(v value, member string, all []binding) []int64 {
	array := resolve(v, all)
	switch {
	case array.kind == number && array.n != 0:
		r.fail(v.at, "paste the array too: "+member+" = {1, 3, 224, 224}", "%s is an address, which says nothing of what is there", member)
	case array.kind == word && array.next == nil:
		r.fail(v.at, "paste its declaration too: const UINT "+array.word+"[] = {1, 3, 224, 224};", "the array %s is not in the text", array.word)
	}
	return r.ints(array, strings.ToLower(member))
}

// counted cuts sizes and strides to DimensionCount.
func (r *reader) counted(v value, n int64, sizes, strides []int64) ([]int64, []int64) {
	if n < 0 || n > int64(min(len(sizes), len(strides))) {
		r.fail(v.at, "", "DimensionCount is %d, the arrays have %d sizes and %d strides", n, len(sizes), len(strides))
		return nil, nil
	}
	return sizes[:n], strides[:n]
}

// dmlRest notes the members that a layout does not hold, and a total that is too small.
func (r *reader) dmlRest(fields []entry) {
	if v, ok := field(fields, "Flags"); ok && v.word != "" && !strings.HasSuffix(v.word, "NONE") {
		r.skip("Flags = %s", v.word)
	}
	if v, ok := field(fields, "GuaranteedBaseOffsetAlignment"); ok && v.kind == number && v.n != 0 {
		r.skip("GuaranteedBaseOffsetAlignment = %d", v.n)
	}
	total, ok := field(fields, "TotalTensorSizeInBytes")
	if !ok || total.kind != number || total.n == 0 || r.err != nil {
		return
	}
	if need := r.found[len(r.found)-1].Tensor.BufferBytes(); total.n < need {
		r.skip("TotalTensorSizeInBytes = %d, though the elements need %d", total.n, need)
	}
}

// dmlNumbers returns the type and the strides of a tensor, or says why DirectML cannot describe
// it. Without strides it is packed.
func dmlNumbers(t layout.Tensor) (dtype string, strides []int64, packed bool, err error) {
	strides, err = terms{zero: true, rank: maxDMLRank}.strides(t)
	if err != nil {
		return "", nil, false, err
	}
	l := t.Layout()
	packed = true
	next := int64(1)
	for i := l.Rank() - 1; i >= 0; i-- {
		size := l.Axis(i).Size()
		switch {
		case size == 0:
			return "", nil, false, lost(t, "sizes are 1 or more, and that of axis %s is 0", l.AxisName(i))
		case size > math.MaxUint32 || strides[i] > math.MaxUint32:
			return "", nil, false, lost(t, "sizes and strides have 32 bits, and axis %s has the size %d and the stride %d", l.AxisName(i), size, strides[i])
		}
		packed = packed && (size == 1 || strides[i] == next)
		next *= size
	}
	if l.Rank() == 0 {
		return "", nil, false, lost(t, "it has at least one axis: --rank 1 gives the scalar one")
	}
	dtype, err = spelled(t, t.DType().Info().DirectML)
	return dtype, strides, packed, err
}

// writeDML writes the struct and its arrays.
func writeDML(t layout.Tensor) (string, error) {
	dtype, strides, packed, err := dmlNumbers(t)
	if err != nil {
		return "", err
	}
	n := len(strides)
	arrays := fmt.Sprintf("const UINT sizes[%d] = { %s };\n", n, joined(t.Layout().Sizes(), ", "))
	pointer := "nullptr"
	if !packed {
		arrays += fmt.Sprintf("const UINT strides[%d] = { %s };\n", n, joined(strides, ", "))
		pointer = "strides"
	}
	return arrays + fmt.Sprintf(`DML_BUFFER_TENSOR_DESC desc = {
    DML_TENSOR_DATA_TYPE_%s, // DataType
    DML_TENSOR_FLAG_NONE, // Flags
    %d, // DimensionCount
    sizes, // Sizes
    %s, // Strides
    %d, // TotalTensorSizeInBytes
    0, // GuaranteedBaseOffsetAlignment
};`, dtype, n, pointer, t.BufferBytes()), nil
}

// dmlTotal is TotalTensorSizeInBytes at its least.
func dmlTotal(t layout.Tensor) ([]Size, error) {
	_, high := t.Layout().Bounds()
	return []Size{{"TotalTensorSizeInBytes", high + 1, t.BufferBytes()}}, nil
}
