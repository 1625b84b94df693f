package notation

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/wording"
)

// A structReader reads C structs.
type structReader struct{ *reader }

// dmlStructs are the DirectML struct, and the DirectMLX struct without flags and (by its full name) with flags.
var dmlStructs = literal.Signatures{
	"DML_BUFFER_TENSOR_DESC(DataType=, Flags=, DimensionCount=, Sizes=, Strides=, TotalTensorSizeInBytes=, " +
		"GuaranteedBaseOffsetAlignment=, **)",
	"TensorDesc(DataType, Sizes, Strides=)",
	"dml::TensorDesc(DataType, Flags, Sizes, Strides=, TotalTensorSizeInBytes=, GuaranteedBaseOffsetAlignment=)",
}

// dmlMembers returns the members of DML_BUFFER_TENSOR_DESC.
func dmlMembers() []string { return dmlStructs.Keys("DML_BUFFER_TENSOR_DESC") }

// readDML reads structs in C++ source, and the arrays that they point to.
func readDML(of *reader) {
	r := structReader{of}
	if !hasAny(r.In, "DML", "dml", "Desc", "Sizes", "DimensionCount", "db)") && r.isForeign() {
		return // other systems use the word DataType too
	}
	read := r.declarations
	if strings.Contains(r.In, "DataType\t") {
		read = r.watched
	}
	all := read()
	var descs []dmlDesc
	latest := map[string]int{} // the index of the latest descriptor of each name
	described := map[int]string{}
	for at, b := range all {
		owner, list := r.description(b)
		if list == nil || b.Fault != nil {
			continue
		}
		described[at] = owner
		i, ok := latest[owner]
		if !ok || len(list) > 1 && isSized(list) && isSized(descs[i].fields) {
			i = len(descs)
			descs, latest[owner] = append(descs, dmlDesc{name: owner}), i
		}
		descs[i].fields, descs[i].end = append(descs[i].fields, list...), at+1
	}
	if len(descs) > 0 && all[0].End > 0 {
		r.statements(all, described, nil)
	}
	names := literal.ScopeOf(all)
	for _, d := range descs {
		slices.Reverse(d.fields) // the last assignment counts
		r.dmlTensor(d.name, d.fields, names.Before(d.end))
		r.rest(d.fields, dmlMembers(), nil)
	}
	if len(descs) == 0 {
		const hint = "such as DML_BUFFER_TENSOR_DESC desc = { DML_TENSOR_DATA_TYPE_FLOAT32, ... };"
		r.Fail(0, hint, "the text has no DML_BUFFER_TENSOR_DESC")
	}
}

// A dmlDesc is a descriptor with a name: the fields that statements give it, and the end of the last of these
// statements.
type dmlDesc struct {
	name   string
	fields []literal.Entry
	end    int
}

// isSized reports whether the fields of a descriptor include sizes.
func isSized(fields []literal.Entry) bool {
	_, ok := literal.Field(fields, "Sizes")
	return ok
}

// watched returns the rows of Visual Studio's watch window, with the name of the struct before the names of its
// members. A row that shows a whole array, descriptor.Sizes,4, comes after the others, because it counts more than the
// row of the pointer, which shows only the first element.
func (r structReader) watched() (all []literal.Binding) {
	var arrays []literal.Binding
	var unowned []int // indices of arrays with names that do not include their struct
	owner, owners := "", 0
	for _, b := range r.Watch() {
		isStruct := b.Value.Kind == literal.List && isDMLStruct(b.Value.List)
		switch {
		case b.Name != "" && b.Name[0] == '[':
			continue
		case b.Value.Kind == literal.Nothing || b.Index == nil && isStruct:
			b.Kind = "DML_BUFFER_TENSOR_DESC" // if a struct is cut off, its members are in the rows after it
			owner = b.Name
			owners++
		case partOf(b.Name) != descriptor.Whole:
			if b.Index != nil {
				unowned = append(unowned, len(arrays))
			}
			b.Name = owner + "." + b.Name
		}
		if b.Index != nil {
			arrays = append(arrays, b)
		} else {
			all = append(all, b)
		}
	}
	for _, i := range unowned {
		if name := arrays[i].Name; name[0] == '.' {
			arrays[i].Name = owner + name
		}
		if owners > 1 {
			r.skip("the row %s does not say whose it is: read as %s", arrays[i].Name[len(owner)+1:], arrays[i].Name)
		}
	}
	return append(all, arrays...)
}

// partOf returns the part of a descriptor for a DirectML name.
func partOf(name string) descriptor.Part {
	return descriptor.FieldOf([]byte(name), descriptor.DirectMLNames).Part
}

// description returns the fields that a statement gives a descriptor, and the descriptor's name. A struct gives all its
// fields, and an assignment gives one.
func (r structReader) description(b literal.Binding) (owner string, fields []literal.Entry) {
	owner, name := literal.Member(b.Name)
	if isMember := name != b.Name || b.Kind == ""; isMember && partOf(name) != descriptor.Whole {
		return owner, []literal.Entry{literal.Of(name, b.Value)}
	}
	v := b.Value
	isMLX := lexer.Like(b.Kind, "*TensorDesc") || lexer.Like(v.Word, "*TensorDesc")
	isInput := lexer.Like(v.Word, "*InputTensor")
	if brackets := "{"; v.Kind == literal.Word {
		if isMLX || isInput {
			brackets = "{("
		}
		v = v.Inside(brackets)
	}
	switch {
	case v.Kind != literal.List:
	case isMLX:
		return b.Name, r.directMLX(v)
	case isInput && len(v.List) > 2:
		return r.description(literal.Binding{Kind: b.Kind, Name: b.Name, Value: inputDesc(v.List[2].Value)})
	case lexer.Like(b.Kind, "*BUFFER_TENSOR_DESC*"), isDMLStruct(v.List):
		return b.Name, r.Bind(dmlStructs, "DML_BUFFER_TENSOR_DESC", v.At, v.List)
	}
	return "", nil
}

// directMLX returns the arguments of dml::TensorDesc as fields. The flags may be omitted.
func (r structReader) directMLX(v literal.Value) []literal.Entry {
	if len(v.List) > 1 && lexer.Like(v.List[1].Word, "*FLAG*") {
		return r.Bind(dmlStructs, "dml::TensorDesc", v.At, v.List)
	}
	return r.Bind(dmlStructs, "TensorDesc", v.At, v.List)
}

// inputDesc returns the descriptor among the arguments of DirectMLX's InputTensor. Its type name may be omitted.
func inputDesc(v literal.Value) literal.Value {
	if v.Kind == literal.List {
		return literal.Value{At: v.At, Kind: literal.Word, Word: "dml::TensorDesc", Next: &v}
	}
	return v
}

// isDMLStruct reports whether a list has members of the struct, or starts with its first member without a name.
func isDMLStruct(list []literal.Entry) bool {
	if _, ok := literal.Field(list, "Sizes", "DataType"); ok {
		return true
	}
	return len(list) > 3 && lexer.Like(list[0].Word, "DML_TENSOR_DATA_TYPE_*")
}

// dmlTensor makes a tensor from the members of a descriptor, using the first of each name.
func (r structReader) dmlTensor(name string, fields []literal.Entry, names literal.Scope) {
	if r.Err != nil {
		return // searching the arrays of each descriptor is slow
	}
	sizesAt, ok := literal.Field(fields, "Sizes")
	dtypeAt, typed := literal.Field(fields, "DataType")
	if !ok || !typed {
		missing := "Sizes"
		if ok {
			missing = "DataType"
		}
		r.Fail(sizesAt.At, "", "%s has no %s", strings.TrimSpace("the descriptor "+name), missing)
		return
	}
	dtype, _ := r.typeOf(names.Resolve(dtypeAt))
	for _, e := range fields {
		if e.Key == "DataType" && e.Kind == literal.Word {
			r.typeOf(names.Resolve(e.Value)) // even if a later value replaces this one
		}
	}
	sizes := r.pointer(sizesAt, "Sizes", names)
	strides := r.dmlStrides(fields, names, sizes)
	if v, ok := literal.Field(fields, "DimensionCount"); ok {
		sizes, strides = r.counted(v, names, sizes, "size"), r.counted(v, names, strides, "stride")
	}
	plain := len(strides) == 0
	if plain {
		strides = r.rowMajor(sizes)
	}
	r.strided(sizesAt.At, Descriptor{Name: name, Typed: true, Plain: plain}, dtype, 0, sizes, strides)
	if r.Err == nil {
		d := &r.found[len(r.found)-1]
		d.stateDML(fields)
		d.placeDML(fields, names)
	}
}

// dmlStrides returns the strides that the members state, or nil if the tensor is packed.
func (r structReader) dmlStrides(fields []literal.Entry, names literal.Scope, sizes []int64) []int64 {
	v, ok := literal.Field(fields, "Strides")
	policy := names.Resolve(v)
	isPolicy := lexer.Like(policy.Word, "*TensorPolicy*")
	if isPolicy {
		v = policy
	}
	args, _ := v.Arguments('(')
	known := isPolicy && len(args) == 0 // the library's policies take no arguments
	switch {
	case !ok || v.IsNull() || known && v.Last() == "Default":
		return nil
	case known && v.Last() == "InterleavedChannel":
		return r.interleaved(sizes)
	case isPolicy:
		r.Fail(v.At, "write the strides: {TYPE, FLAGS, SIZES, STRIDES, TOTAL, ALIGNMENT}",
			"the policy %s computes the strides", v.Word)
		return nil
	}
	return r.pointer(v, "Strides", names)
}

// interleaved returns the strides of DirectMLX's policy, which stores the axes in the order 0, 2, ..., n, 1.
func (r structReader) interleaved(sizes []int64) []int64 {
	strides := slices.Repeat([]int64{1}, len(sizes))
	if len(sizes) < 2 {
		return strides
	}
	next := sizes[1]
	for i := len(sizes) - 1; i > 1; i-- {
		strides[i], next = next, r.times(next, sizes[i])
	}
	strides[0] = next
	return strides
}

// pointer returns the numbers of the array that a member points to.
func (r structReader) pointer(v literal.Value, member string, names literal.Scope) []int64 {
	array := pointedAt(v, names)
	switch {
	case array.Kind == literal.Number && array.N != 0:
		r.Fail(v.At, "paste the array too: "+member+" = {1, 3, 224, 224}",
			"%s is only an address: the text does not have the values there", member)
	case array.Kind == literal.Word:
		missing := array.Pointer()
		r.Fail(v.At, "paste its declaration too: const UINT "+missing+"[] = {1, 3, 224, 224};",
			"the array %s is not in the text", missing)
	}
	return r.Ints(array, strings.ToLower(member))
}

// pointedAt returns the array that a member points to, or the member itself.
func pointedAt(v literal.Value, names literal.Scope) literal.Value {
	array := names.Resolve(v).Inside("{").Unwrapped()
	if array.Kind == literal.List && len(array.List) == 1 && array.List[0].Kind == literal.List {
		array = array.List[0].Value // the braces of the array inside the braces of std::array
	}
	return array
}

// placeDML records the offsets of the members, and of the numbers in arrays.
func (d *Descriptor) placeDML(fields []literal.Entry, names literal.Scope) {
	for _, name := range dmlMembers() {
		v, ok := literal.Field(fields, name)
		if !ok {
			continue
		}
		f := Field{Part: partOf(name), At: v.At}
		switch pointed := pointedAt(v, names); pointed.Kind {
		case literal.Number:
			f.At = pointed.At
		case literal.List:
			for _, item := range pointed.List {
				f.Items = append(f.Items, item.At)
			}
		}
		d.Fields = append(d.Fields, f)
	}
}

// counted cuts an array to DimensionCount. A missing array stays empty. Messages call a number of the array what.
func (r structReader) counted(v literal.Value, names literal.Scope, array []int64, what string) []int64 {
	count := names.Resolve(v)
	if count.Kind != literal.Number || len(array) == 0 {
		return array
	}
	if count.N < 0 || count.N > int64(len(array)) {
		r.Fail(v.At, "", "DimensionCount is %d, but the array has %s", count.N, wording.Count(len(array), what))
		return nil
	}
	if n := len(array) - int(count.N); n > 0 {
		r.skip("%d of %s, which DimensionCount %d omits", n, wording.Count(len(array), what), count.N)
	}
	return array[:count.N]
}

// stateDML records the members that a layout does not hold, and whether the total is too small.
func (d *Descriptor) stateDML(fields []literal.Entry) {
	if v, ok := literal.Field(fields, "Flags"); ok {
		if d.Stated.Flags = dmlFlags(v); len(d.Stated.Flags) > 0 {
			d.skip("Flags = %s", strings.Join(d.Stated.Flags, " | "))
		}
	}
	if v, ok := literal.Field(fields, "DimensionCount"); ok && v.Kind == literal.Formula {
		d.skip("DimensionCount, an expression: all of the array counts")
	}
	if v, ok := literal.Field(fields, "GuaranteedBaseOffsetAlignment"); ok && v.Kind == literal.Number && v.N != 0 {
		d.Stated.Alignment = descriptor.Stated(v.N)
		d.skip("GuaranteedBaseOffsetAlignment = %d", v.N)
	}
	v, ok := literal.Field(fields, "TotalTensorSizeInBytes")
	d.Stated.Computed = ok && v.Kind != literal.Number
	if ok && v.Kind == literal.Number && v.N != 0 {
		if d.Stated.Total = descriptor.Stated(v.N); v.N < d.Tensor.DirectMLBytes() {
			d.skip("TotalTensorSizeInBytes = %d, though the elements need %d", v.N, d.Tensor.DirectMLBytes())
		}
	}
}

// dmlFlags lists the flags of a value except NONE.
func dmlFlags(v literal.Value) (flags []string) {
	switch {
	case v.Kind == literal.List:
		for _, e := range v.List {
			flags = append(flags, dmlFlags(e.Value)...)
		}
	case v.Kind == literal.Number && v.N != 0:
		flags = []string{strconv.FormatInt(v.N, 10)}
	case v.Kind == literal.Formula:
		flags = []string{"an expression"}
	case v.Word != "" && !lexer.Like(v.Word, "*NONE"):
		flags = []string{v.Word}
	}
	return flags
}

// maxDMLRank is the largest rank that DirectML supports.
const maxDMLRank = 8

// dmlNumbers returns the element type and the strides of a tensor, or an error if DirectML cannot express it. A packed
// tensor needs no strides.
func dmlNumbers(t layout.Tensor) (dtype string, strides []int64, packed bool, err error) {
	strides, err = terms{zero: true, axis: true, rank: maxDMLRank}.strides(t)
	if err != nil {
		return "", nil, false, err
	}
	l := t.Layout()
	for i, size := range l.Sizes() {
		if size == 1 && strides[i] > math.MaxUint32 {
			strides[i] = 0 // the stride has no effect
		}
		switch {
		case size == 0:
			return "", nil, false, lost(t, "sizes are at least 1, and the size of axis %s is 0", l.AxisName(i))
		case size > math.MaxUint32 || strides[i] > math.MaxUint32:
			return "", nil, false,
				lost(t, "sizes and strides have 32 bits, and axis %s has the size %d and the stride %d",
					l.AxisName(i), size, strides[i])
		}
	}
	dtype, err = spelled(t, layout.DirectML)
	return dtype, strides, packedIn(l, strides, false), err
}

func writeDML(t layout.Tensor) (string, error) {
	dtype, strides, packed, err := dmlNumbers(t)
	if err != nil {
		return "", err
	}
	n := len(strides)
	arrays := fmt.Sprintf("const UINT sizes[%d] = { %s };\n", n, layout.JoinInts(t.Layout().Sizes(), ", "))
	pointer := "nullptr"
	if !packed {
		arrays += fmt.Sprintf("const UINT strides[%d] = { %s };\n", n, layout.JoinInts(strides, ", "))
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
};`, dtype, n, pointer, t.DirectMLBytes()), nil
}

// dmlTotal returns the smallest valid TotalTensorSizeInBytes.
func dmlTotal(t layout.Tensor) ([]Size, error) {
	_, high := t.Layout().Bounds()
	return []Size{{"TotalTensorSizeInBytes", high + 1, t.DirectMLBytes()}}, nil
}

func writeDxDispatch(t layout.Tensor) (string, error) {
	dtype, strides, packed, err := dmlNumbers(t)
	if err != nil {
		return "", err
	}
	given := ""
	if !packed {
		given = fmt.Sprintf(`, "Strides": [%s]`, layout.JoinInts(strides, ","))
	}
	return fmt.Sprintf(`{ "DataType": "%s", "Sizes": [%s]%s, "DimensionCount": %d, "TotalTensorSizeInBytes": %d }`,
		dtype, layout.JoinInts(t.Layout().Sizes(), ","), given, len(strides), t.DirectMLBytes()), nil
}
