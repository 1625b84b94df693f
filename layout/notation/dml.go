package notation

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/scan"
)

// dmlMembers are the members of DML_BUFFER_TENSOR_DESC, in order.
var dmlMembers = [...]rules.Part{
	rules.TypePart, rules.FlagsPart, rules.CountPart, rules.SizesPart, rules.StridesPart, rules.TotalPart,
	rules.AlignmentPart,
}

// dmlNames returns what DirectML calls the parts of a descriptor.
func dmlNames(parts ...rules.Part) []string {
	names := make([]string, len(parts))
	for i, part := range parts {
		names[i] = dmlName(part)
	}
	return names
}

func dmlName(part rules.Part) string {
	for _, f := range rules.FieldNames {
		if f.Part == part && f.In&rules.DirectMLNames != 0 {
			return f.Name
		}
	}
	return ""
}

// member returns the first entry with DirectML's name of the part.
func member(fields []entry, part rules.Part) (v value, ok bool) { return field(fields, dmlName(part)) }

func fitsDML(text string) bool {
	return hasAny(text, "DML_", "DataType") && !fitsDxDispatch(text) ||
		fitsDebugger(text) && !fitsDLPack(text) && !fitsGGML(text)
}

// readDML reads structs as C++ source has them, and the arrays that they point to.
func readDML(r *reader) {
	var all []binding
	if strings.Contains(r.In, "DataType\t") {
		all = r.watch()
	} else {
		all = r.declarations()
	}
	var descs []dmlDesc
	latest := map[string]int{} // the descriptor of each name
	for at, b := range all {
		owner, list := b.description()
		if list == nil {
			continue
		}
		i, ok := latest[owner]
		if _, sized := field(list, dmlName(rules.SizesPart)); !ok || len(list) > 1 && sized && descs[i].sized() {
			i = len(descs)
			descs, latest[owner] = append(descs, dmlDesc{name: owner}), i
		}
		descs[i].fields, descs[i].end = append(descs[i].fields, list...), at+1
	}
	names := scopeOf(all)
	for _, d := range descs {
		slices.Reverse(d.fields) // the last assignment counts
		r.dmlTensor(d.name, d.fields, names.before(d.end))
	}
	hint := "such as DML_BUFFER_TENSOR_DESC desc = { DML_TENSOR_DATA_TYPE_FLOAT32, ... };"
	if r.typed {
		hint = "print the struct and its arrays: p desc, p *desc.Sizes@4"
		r.forgetSame(0) // which was printed twice
	}
	if len(descs) == 0 {
		r.fail(0, hint, "the text has no DML_BUFFER_TENSOR_DESC")
	}
}

// A dmlDesc is a descriptor of a name: the fields that statements give it, up to the end of the last of them.
type dmlDesc struct {
	name   string
	fields []entry
	end    int
}

// sized reports whether the descriptor has sizes.
func (d dmlDesc) sized() bool {
	_, ok := field(d.fields, dmlName(rules.SizesPart))
	return ok
}

// watch reads the rows of Visual Studio's watch window: a name, a value and a type, with tabs between them. What is
// shown as an array, desc.Sizes,4, counts more than what a pointer shows, which is its first element.
func (r *reader) watch() (all []binding) {
	var arrays []binding
	var unowned []int // of the arrays whose names do not say of which struct they are
	owner, owners := "", 0
	for rest := (piece{0, r.In}); rest.text != "" && r.err == nil; {
		var line, cell piece
		line, rest = rest.cut('\n')
		line = line.from(len(line.text) - len(strings.TrimLeft(line.text, "\t +-▶▷◢")))
		cell, line = line.cut('\t')
		if line.text == "" {
			continue
		}
		name, _, isArray := strings.Cut(strings.TrimSpace(cell.text), ",")
		name = plainName(name)
		if cell, _ = line.cut('\t'); strings.Contains(cell.text, "{") && strings.Contains(cell.text, "...}") {
			owner = name // what is cut off is in the rows after it
			owners++
			continue
		}
		var v value
		r.Pos = line.at
		r.operand(&v)
		part := rules.FieldOf([]byte(name), rules.DirectMLNames).Part
		switch {
		case strings.HasPrefix(name, "["):
		case v.kind == list && isDMLStruct(v.list):
			owner = name
			owners++
			all = append(all, binding{kind: "DML_BUFFER_TENSOR_DESC", name: name, value: v})
		case isArray && part != rules.Whole:
			unowned = append(unowned, len(arrays))
			arrays = append(arrays, binding{name: owner + "." + name, value: v})
		case isArray:
			arrays = append(arrays, binding{name: name, value: v})
		case part != rules.Whole:
			all = append(all, binding{name: owner + "." + name, value: v})
		default:
			all = append(all, binding{name: name, value: v})
		}
	}
	r.Pos = len(r.In)
	for _, i := range unowned {
		if name := arrays[i].name; name[0] == '.' {
			arrays[i].name = owner + name
		}
		if owners > 1 {
			r.skip("the row %s does not say whose it is: read as %s", arrays[i].name[len(owner)+1:], arrays[i].name)
		}
	}
	return append(all, arrays...)
}

// description returns the fields that a statement gives a descriptor, and the descriptor's name:
// those of a struct, or the one of an assignment.
func (b binding) description() (owner string, fields []entry) {
	if i := strings.LastIndexAny(b.name, ".>"); i >= 0 && !b.printed {
		name := b.name[i+1:]
		if rules.FieldOf([]byte(name), rules.DirectMLNames).Part != rules.Whole {
			return strings.TrimRight(b.name[:i], "-"), []entry{{name, b.value}}
		}
	}
	v := b.value
	mlx := strings.HasSuffix(b.kind, "TensorDesc") || strings.HasSuffix(v.word, "TensorDesc")
	brackets := "{"
	if mlx || strings.HasSuffix(v.word, "InputTensor") {
		brackets = "{("
	}
	if v.kind == word {
		v = v.inside(brackets)
	}
	switch {
	case v.kind != list:
	case mlx:
		return b.name, directMLX(v.list)
	case strings.HasSuffix(b.value.word, "InputTensor") && len(v.list) > 2:
		return binding{kind: b.kind, name: b.name, value: inputDesc(v.list[2].value)}.description()
	case strings.Contains(b.kind, "BUFFER_TENSOR_DESC") || isDMLStruct(v.list):
		return b.name, named(v.list, dmlNames(dmlMembers[:]...)...)
	}
	return "", nil
}

// inputDesc returns the descriptor among the arguments of DirectMLX's InputTensor, which may leave out its type's name.
func inputDesc(v value) value {
	if v.kind == list {
		return value{at: v.at, kind: word, word: "dml::TensorDesc", next: &v}
	}
	return v
}

// isDMLStruct recognises the members of the struct, or its first one without a name.
func isDMLStruct(list []entry) bool {
	if _, ok := field(list, dmlNames(rules.SizesPart, rules.TypePart)...); ok {
		return true
	}
	return len(list) > 3 && strings.HasPrefix(list[0].word, "DML_TENSOR_DATA_TYPE_")
}

// directMLX gives the arguments of dml::TensorDesc their names: flags may be left out.
func directMLX(list []entry) []entry {
	if len(list) > 1 && strings.Contains(list[1].word, "FLAG") {
		return named(list, dmlNames(rules.TypePart, rules.FlagsPart, rules.SizesPart, rules.StridesPart,
			rules.TotalPart, rules.AlignmentPart)...)
	}
	return named(list, dmlNames(rules.TypePart, rules.SizesPart, rules.StridesPart)...)
}

// dmlTensor makes a tensor of the members of a descriptor, the first of each name.
func (r *reader) dmlTensor(name string, fields []entry, names scope) {
	if r.err != nil {
		return
	}
	sizesAt, ok := member(fields, rules.SizesPart)
	dtypeAt, typed := member(fields, rules.TypePart)
	if !ok || !typed {
		missing := rules.TypePart
		if !ok {
			missing = rules.SizesPart
		}
		r.fail(sizesAt.at, "", "%s has no %s", strings.TrimSpace("the descriptor "+name), dmlName(missing))
		return
	}
	dtype, _ := r.typeField([]entry{{"type", names.resolve(dtypeAt)}}, "type")
	sizes := r.pointer(sizesAt, name, dmlName(rules.SizesPart), names)
	strides := r.dmlStrides(name, fields, names, sizes)
	if v, ok := member(fields, rules.CountPart); ok {
		sizes, strides = r.counted(v, names, sizes, "sizes"), r.counted(v, names, strides, "strides")
	}
	plain := len(strides) == 0
	if plain {
		strides = r.rowMajor(sizes)
	}
	r.strided(sizesAt.at, Descriptor{Name: name, Typed: true, Plain: plain}, dtype, 0, sizes, strides)
	if r.err == nil {
		d := &r.found[len(r.found)-1]
		d.stateDML(fields)
		d.placeDML(fields, names)
	}
}

// dmlStrides returns the strides that the members say, nil where they are packed.
func (r *reader) dmlStrides(owner string, fields []entry, names scope, sizes []int64) []int64 {
	v, ok := member(fields, rules.StridesPart)
	if policy := names.resolve(v); strings.Contains(policy.word, "TensorPolicy") {
		v = policy
	}
	switch {
	case !ok || v.isNull() || strings.HasSuffix(v.word, "TensorPolicy::Default"):
		return nil
	case strings.HasSuffix(v.word, "TensorPolicy::InterleavedChannel"):
		return r.interleaved(sizes)
	case strings.Contains(v.word, "TensorPolicy"):
		r.fail(v.at, "write the strides: {TYPE, FLAGS, SIZES, STRIDES, TOTAL, ALIGNMENT}",
			"the policy %s computes the strides", v.word)
		return nil
	}
	return r.pointer(v, owner, dmlName(rules.StridesPart), names)
}

// interleaved returns the strides of DirectMLX's policy: the axes are in memory as 0, 2, ..., n, 1.
func (r *reader) interleaved(sizes []int64) []int64 {
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

// pointer returns the numbers of the array that a member of the owner points to.
func (r *reader) pointer(v value, owner, member string, names scope) []int64 {
	array := pointedAt(v, names)
	if array.kind == number && array.n != 0 {
		array = r.printed(array, owner, member, names)
	}
	switch {
	case array.kind == number && array.n != 0:
		hint := "paste the array too: " + member + " = {1, 3, 224, 224}"
		if of := owner + "." + member; r.typed && owner != "" {
			hint = "print the array too: p *" + of + "@4, in lldb parray 4 " + of
		}
		r.fail(v.at, hint, "%s is an address, which says nothing of what is there", member)
	case array.kind == word:
		missing, _, _ := strings.Cut(array.word, ".data")
		r.fail(v.at, "paste its declaration too: const UINT "+missing+"[] = {1, 3, 224, 224};",
			"the array %s is not in the text", missing)
	}
	if array.kind == list {
		array.list = slices.Clone(array.list)
		for i, e := range array.list {
			if n := names.resolve(e.value); n.kind == number { // a constant
				array.list[i].kind, array.list[i].n = number, n.n
			}
		}
	}
	return r.ints(array, strings.ToLower(member))
}

// printed returns the array that a debugger printed by itself for one of which a struct says the address: the one at
// that address, or that the command named, p *desc.Sizes@4. Of those without names, $2 = {2, 3}, the first are the
// sizes and the next the strides.
func (r *reader) printed(address value, owner, member string, names scope) value {
	var arrays, alike []binding
	for i, b := range names.all {
		asked := b.printed && !strings.HasPrefix(b.name, "$")
		if i < names.at && names.find(b.name) != i {
			continue // printed again later
		}
		if v := b.value; !asked && !strings.HasPrefix(b.name, "$") || v.kind != list || len(v.list) == 0 ||
			slices.ContainsFunc(v.list, func(e entry) bool { return e.key != "" || e.kind != number }) {
			continue
		}
		dot := strings.LastIndexAny(b.name, ".>") + 1
		switch name := b.name[dot:]; {
		case b.value.n == address.n:
			return b.value
		case !asked:
			arrays = append(arrays, b)
		case strings.EqualFold(name, member) && strings.TrimRight(b.name[:dot], ".->") == owner:
			return b.value
		case strings.Contains(strings.ToLower(name), strings.ToLower(strings.TrimSuffix(member, "s"))):
			alike = append(alike, b)
		}
	}
	i := 0
	if len(alike) == 1 {
		arrays = alike
	} else if strings.EqualFold(member, "strides") {
		i = 1
	}
	if i >= len(arrays) || len(arrays) > 2 {
		return address
	}
	r.skip("%s read as the %s: the text does not say whose it is", arrays[i].name, strings.ToLower(member))
	return arrays[i].value
}

// pointedAt returns what the member points to, or is.
func pointedAt(v value, names scope) value {
	array := names.resolve(v).inside("{")
	if array.kind == list && len(array.list) == 1 && array.list[0].kind == list {
		array = array.list[0].value // the braces of the array inside those of std::array
	}
	return array
}

// placeDML notes where the members are, and the numbers of those that are arrays.
func (d *Descriptor) placeDML(fields []entry, names scope) {
	for _, part := range dmlMembers {
		v, ok := member(fields, part)
		if !ok {
			continue
		}
		f := Field{Part: part, At: v.at}
		switch pointed := pointedAt(v, names); pointed.kind {
		case number:
			f.At = pointed.at
		case list:
			for _, item := range pointed.list {
				f.Items = append(f.Items, item.at)
			}
		}
		d.Fields = append(d.Fields, f)
	}
}

// counted cuts an array to DimensionCount. An array that is not there stays empty.
func (r *reader) counted(v value, names scope, array []int64, what string) []int64 {
	count := names.resolve(v)
	if count.kind != number || len(array) == 0 {
		return array
	}
	if count.n < 0 || count.n > int64(len(array)) {
		r.fail(v.at, "", "DimensionCount is %d, and there are %d %s", count.n, len(array), what)
		return nil
	}
	if n := len(array) - int(count.n); n > 0 {
		r.skip("%d of %d %s, which DimensionCount %d leaves out", n, len(array), what, count.n)
	}
	return array[:count.n]
}

// stateDML notes the members that a layout does not hold, and whether the total is too small.
func (d *Descriptor) stateDML(fields []entry) {
	if v, ok := member(fields, rules.FlagsPart); ok {
		if d.Flags = v.flags(); len(d.Flags) > 0 {
			d.skip("Flags = %s", strings.Join(d.Flags, " | "))
		}
	}
	if v, ok := member(fields, rules.CountPart); ok && v.kind == formula {
		d.skip("DimensionCount, an expression: all of the array counts")
	}
	if v, ok := member(fields, rules.AlignmentPart); ok && v.kind == number && v.n != 0 {
		d.Alignment = v.n
		d.skip("GuaranteedBaseOffsetAlignment = %d", v.n)
	}
	v, ok := member(fields, rules.TotalPart)
	d.Computed = ok && v.kind != number
	if ok && v.kind == number && v.n != 0 {
		if d.Bytes = v.n; v.n < d.Tensor.BufferBytes() {
			d.skip("TotalTensorSizeInBytes = %d, though the elements need %d", v.n, d.Tensor.BufferBytes())
		}
	}
}

// skip notes a part of the descriptor that a layout does not hold.
func (d *Descriptor) skip(format string, args ...any) {
	d.Skipped = append(d.Skipped, fmt.Sprintf(format, args...))
}

// flags lists the flags of a value but NONE.
func (v value) flags() (flags []string) {
	switch {
	case v.kind == list:
		for _, e := range v.list {
			flags = append(flags, e.flags()...)
		}
	case v.kind == number && v.n != 0:
		flags = []string{strconv.FormatInt(v.n, 10)}
	case v.kind == formula:
		flags = []string{"an expression"}
	case v.word != "" && !strings.HasSuffix(v.word, "NONE"):
		flags = []string{v.word}
	}
	return flags
}

// maxDMLRank is the most axes that DirectML takes.
const maxDMLRank = 8

// dmlNumbers returns the type and the strides of a tensor, or says why DirectML cannot describe
// it. Without strides it is packed.
func dmlNumbers(t layout.Tensor) (dtype string, strides []int64, packed bool, err error) {
	strides, err = terms{zero: true, rank: maxDMLRank}.strides(t)
	if err != nil {
		return "", nil, false, err
	}
	l := t.Layout()
	if l.Rank() == 0 {
		return "", nil, false, lost(t, "it has at least one axis: --rank 1 gives the scalar one")
	}
	for i, size := range l.Sizes() {
		if size == 1 && strides[i] > math.MaxUint32 {
			strides[i] = 0 // it does not matter
		}
		switch {
		case size == 0:
			return "", nil, false, lost(t, "sizes are 1 or more, and that of axis %s is 0", l.AxisName(i))
		case size > math.MaxUint32 || strides[i] > math.MaxUint32:
			return "", nil, false,
				lost(t, "sizes and strides have 32 bits, and axis %s has the size %d and the stride %d",
					l.AxisName(i), size, strides[i])
		}
	}
	dtype, err = spelled(t, t.DType().Info().DirectML)
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
};`, dtype, n, pointer, t.BufferBytes()), nil
}

// dmlTotal is TotalTensorSizeInBytes at its least.
func dmlTotal(t layout.Tensor) ([]Size, error) {
	_, high := t.Layout().Bounds()
	return []Size{{"TotalTensorSizeInBytes", high + 1, t.BufferBytes()}}, nil
}

func fitsDxDispatch(text string) bool { return hasAny(text, `"DataType"`, `"Sizes"`) }

// readDxDispatch reads a descriptor of a DxDispatch model, or a list of them. A name before the
// descriptor is the tensor's.
func readDxDispatch(r *reader) {
	for _, item := range r.entries(0) {
		r.dxTensor(item)
	}
}

// dxTensor reads a descriptor, one that is wrapped in Type and Desc, or those of a list.
func (r *reader) dxTensor(item entry) {
	if item.kind != list {
		r.fail(item.at, `such as { "DataType": "FLOAT32", "Sizes": [1, 3, 224, 224] }`,
			"an object in braces is expected")
		return
	}
	if item.open == '[' {
		for _, inner := range item.list {
			r.dxTensor(inner)
		}
		return
	}
	if desc, ok := field(item.list, "Desc"); ok {
		r.dxTensor(entry{item.key, desc})
		return
	}
	if _, ok := field(item.list, dmlNames(dmlMembers[:]...)...); !ok && len(item.list) > 0 {
		for _, inner := range item.list {
			if inner.kind == list {
				r.dxTensor(inner)
			}
		}
		return
	}
	r.dmlTensor(item.key, item.list, scope{})
	if r.err == nil {
		r.found[len(r.found)-1].noteNear(item.list)
	}
}

// maxNear limits the fields that are compared with the names of known ones.
const maxNear = 100

// noteNear notes the fields whose names are almost those of a field that is not there, perhaps in another case, as they
// are noted in a file of DxDispatch.
func (d *Descriptor) noteNear(fields []entry) {
	known := rules.NamesIn(rules.DirectMLNames)
	for _, e := range fields[:min(len(fields), maxNear)] {
		if rules.FieldOf([]byte(e.key), rules.DirectMLNames|rules.ModelNames).Part != rules.Whole {
			continue
		}
		part := rules.FieldOf([]byte(e.key), rules.ConfigNames).Part
		if part == rules.LayoutPart || part == rules.BasePart {
			d.skip("%s is not a field of DirectML: the program ignores it", scan.Quote(e.key))
			continue
		}
		near := scan.Nearest(e.key, known)
		if _, there := field(fields, near); near != "" && !there {
			d.skip("%s is not %s: the program ignores it", scan.Quote(e.key), near)
		}
	}
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
		dtype, layout.JoinInts(t.Layout().Sizes(), ","), given, len(strides), t.BufferBytes()), nil
}
