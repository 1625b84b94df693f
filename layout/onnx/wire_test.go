package onnx

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/protobuf"
)

// TestFields compares the fields of the schema with those of onnx.proto.
func TestFields(t *testing.T) {
	published := layouttest.ONNXMessages()
	names := map[string]string{
		"TypeProto.Tensor": "Tensor", "TypeProto.SparseTensor": "SparseTensor",
		"TensorShapeProto.Dimension": "Dimension",
	}
	count := 0
	for _, m := range schema().Messages {
		if len(m.Fields()) == 0 {
			continue // nothing of it is read
		}
		count++
		name := cmp.Or(names[m.Name], m.Name)
		if len(published[name]) != len(m.Fields()) {
			t.Errorf("%s has %d fields, and in onnx.proto %d", m.Name, len(m.Fields()), len(published[name]))
		}
		for _, want := range published[name] {
			f := m.Field(want.Name)
			isList := want.Packed || slices.Contains([]string{"dims", "floats", "ints"}, want.Name)
			isNumber := f != nil && f.Type > protobuf.BytesType
			if f == nil || f.Number != int(want.Number) || !isOf(f, want.Type) || isNumber && f.Repeated != isList {
				t.Errorf("%s: %+v, and onnx.proto has %+v", m.Name, f, want)
			}
		}
	}
	if count != 17 {
		t.Errorf("%d messages have fields", count)
	}
}

// isOf reports whether a field is of a type of onnx.proto.
func isOf(f *protobuf.Field, name string) bool {
	if f.Message != nil {
		return f.Message.Name == name || strings.HasSuffix(f.Message.Name, "."+name)
	}
	if name == "AttributeType" || name == "DataLocation" {
		name = "int32"
	}
	return map[protobuf.Type]string{
		protobuf.StringType: "string", protobuf.BytesType: "bytes", protobuf.Int32Type: "int32",
		protobuf.Int64Type: "int64", protobuf.Uint64Type: "uint64", protobuf.FloatType: "float",
		protobuf.DoubleType: "double",
	}[f.Type] == name
}

// TestTypes compares the types with the names and numbers of onnx.proto, which the encoder has in their order.
func TestTypes(t *testing.T) {
	for i := range types {
		text := `ir_version: 8 graph { initializer { name: "w" data_type: ` + types[i] + ` } }`
		m, err := Read(bytes.NewReader(encoded(t, text)), int64(len(encoded(t, text))))
		if err != nil || m.Graph.Initializers[0].Type != ElemType(i) {
			t.Errorf("%s: %+v, %v", text, m, err)
		}
		d, ok := ElemType(i).DType()
		if ok == (types[i] == "UNDEFINED" || types[i] == "STRING") || ok && d.In(layout.ONNX) != types[i] {
			t.Errorf("%s is %v of %d bits", types[i], d, d.Bits())
		}
	}
}

// field encodes a field of bytes.
func field(number uint64, content string) string {
	return claiming(number, uint64(len(content)), content)
}

// claiming encodes a field of bytes that claims the given length, but has only content.
func claiming(number, length uint64, content string) string {
	return string(binary.AppendUvarint(binary.AppendUvarint(nil, number<<3|2), length)) + content
}

const versions = "\x08\x08\x42\x02\x10\x11" // IR version 8, opset 17

// TestHostile reads messages that no program writes.
func TestHostile(t *testing.T) {
	nested := "\x08\x01"
	for range 100 {
		nested = field(1, field(5, field(6, nested)))
	}
	const elevenBytes = "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"
	tensor := field(8, "w") + "\x10\x01\x08\x02"
	tests := []struct {
		reason string
		data   string
		word   string // of the finding, or of the error
	}{
		{"nothing", "", "there is no graph"},
		{"a text", "1x3x224x224", "not an ONNX model"},
		{"an unknown field alone", "\x98\x06\x01", "there is no graph"},
		{"a varint of 11 bytes", versions + field(7, "\x08"+elevenBytes), "has more than 10 bytes"},
		{"a tag of 11 bytes", versions + field(7, elevenBytes), "the number of a field has more than 10 bytes"},
		{"a cut varint", versions + field(7, "\x88"), "goes beyond the end of its GraphProto"},
		{"a group", versions + field(7, "\x0B"), "wire type 3"},
		{"the end of a group", versions + field(7, "\x0C"), "wire type 4"},
		{"wire type 7", versions + field(7, "\x0F"), "wire type 7"},
		{"field 0", versions + field(7, "\x02\x00"), "the number of a field is 0"},
		{"a length of 2^63", versions + field(7, claiming(5, 1<<63, "")),
			"field 5 of GraphProto claims 9223372036854775808 bytes, but 0 are left of the file"},
		{"a length of 2^64-1", versions + field(7, claiming(5, math.MaxUint64, "")),
			"claims 18446744073709551615 bytes"},
		{"beyond its message",
			versions + field(7, field(5, claiming(9, 400, strings.Repeat("\x00", 212)))+field(2, "g")),
			"field 9 of TensorProto claims 400 bytes, but 212 are left of its TensorProto"},
		{"beyond the file", versions + claiming(7, 100, field(5, tensor+field(9, strings.Repeat("\x00", 8)))),
			"field 7 of ModelProto claims 100 bytes, but 19 are left of the file"},
		{"a short fixed32", versions + field(7, field(5, "\x25\x00\x00\x00")), "a number of 4 bytes goes beyond"},
		{"a short fixed64", versions + field(7, field(5, "\x51\x00")), "a number of 8 bytes goes beyond"},
		{"float_data of 6 bytes", versions + field(7, field(5, tensor+field(4, "\x00\x00\x00\x00\x00\x00"))),
			"6 bytes, which are not a multiple of 4"},
		{"double_data of 6 bytes", versions + field(7, field(5, tensor+field(10, "\x00\x00\x00\x00\x00\x00"))),
			"6 bytes, which are not a multiple of 8"},
		{"int64_data that ends in a number", versions + field(7, field(5, tensor+field(7, "\x01\x81"))),
			"the last number of field 7"},
		{"graphs in graphs", versions + field(7, nested),
			"onnx-nesting : byte 306: messages nest deeper than 100 levels"},
		{"two graphs", versions + field(7, "") + field(7, ""), "2 graphs"},
		{"a field that ONNX does not have", versions + field(7, "\x98\x06\x01"), "number 99 of GraphProto, at byte 8"},
		{"a field of a node and one of its attribute",
			versions + field(7, field(1, "\x98\x06\x01"+field(5, field(1, "axis")+"\x98\x06\x01"))),
			"2 fields that ONNX does not have"},
		{"dims as fixed64",
			versions + field(7, field(5, "\x09\x00\x00\x00\x00\x00\x00\x00\x00"+field(8, "w")+"\x10\x01")),
			"number 1 of TensorProto"},
		{"raw_data of 8 bytes for 2^40", versions + field(7, field(5, field(8, "w")+"\x10\x01"+
			"\x08\x80\x80\x80\x80\x80\x20"+field(9, "12345678"))), "takes 4398046511104 bytes, and raw_data has 8"},
		{"65 sizes", versions + field(7, field(5, field(8, "w")+"\x10\x01"+strings.Repeat("\x08\x01", 65))),
			"more than 64 sizes"},
		{"65 packed sizes",
			versions + field(7, field(5, field(8, "w")+"\x10\x01"+field(1, strings.Repeat("\x01", 65)))),
			"more than 64 sizes"},
		{"200,001 empty initializers", versions + field(7, strings.Repeat("\x2A\x00", 200_001)),
			"onnx-truncated : the model has more than the limit of 200000 tensors: what follows is not checked"},
		{"200,001 empty inputs", versions + field(7, strings.Repeat("\x5A\x00", 200_001)),
			"onnx-truncated : the model has more than the limit of 200000 inputs, outputs and similar: what"},
	}
	for _, tt := range tests {
		list := found(t, []byte(tt.data), nil)
		if !slices.ContainsFunc(list, func(f string) bool { return strings.Contains(f, tt.word) }) {
			t.Errorf("%s: %.300q", tt.reason, list)
		}
	}
}

// TestMost has as many tensors, values and findings as there may be, and one finding more.
func TestMost(t *testing.T) {
	layouttest.SkipUnlessAll(t, "the input is large")
	initializers, inputs := strings.Repeat("\x2A\x00", 200_000), strings.Repeat("\x5A\x00", 199_999) // and their graph
	for _, graph := range []string{initializers, inputs} {
		for _, f := range found(t, []byte(versions+field(7, graph)), nil) {
			if strings.Contains(f, "limit of 200000") {
				t.Errorf("as many as there may be: %s", f)
			}
		}
	}
	for n, want := range map[int]string{
		finding.MostOfRule:     "",
		finding.MostOfRule + 1: "1 more finding of this rule: the limit is 1000",
		finding.MostOfRule + 2: "2 more findings of this rule: the limit is 1000",
	} {
		list := found(t, []byte(versions+field(7, strings.Repeat(field(11, ""), n))), nil)
		count, left := 0, ""
		for _, f := range list {
			if strings.Contains(f, "onnx-io-type") {
				count++
			}
			if _, text, ok := strings.Cut(f, "onnx-io-type : "); ok && strings.Contains(text, "of this rule") {
				count, left = count-1, text
			}
		}
		if count != finding.MostOfRule || left != want {
			t.Errorf("%d inputs without types: %d findings, %q, want %d, %q", n, count, left, finding.MostOfRule, want)
		}
	}
}

// TestLocations checks paths of external data that files cannot have.
func TestLocations(t *testing.T) {
	tests := []struct{ location, cleaned, problem string }{
		{location: "a", cleaned: "a"},
		{location: "./a//b/../c", cleaned: "a/c"},
		{location: strings.Repeat("a", 4096), cleaned: strings.Repeat("a", 4096)},
		{location: strings.Repeat("a", 4097), problem: "the location has 4097 bytes, over the limit of 4096"},
		{location: "a\x00", problem: `the location "a\x00" has a byte of 0`},
		{location: "\x00a", problem: `the location "\x00a" has a byte of 0`},
		{location: "c:", problem: `the location "c:" is absolute, not below the directory of the model`},
		{location: ":c", cleaned: ":c"},
		{location: "...", cleaned: "..."},
		{location: `..\a`, problem: `the location "..\\a" leaves the directory of the model`},
	}
	for _, tt := range tests {
		if cleaned, problem := cleanLocation(tt.location); cleaned != tt.cleaned || problem != tt.problem {
			t.Errorf("%.40q: %.40q, %q, want %.40q, %q", tt.location, cleaned, problem, tt.cleaned, tt.problem)
		}
	}
}

// TestDepth reads graphs in graphs: each is three messages deeper.
func TestDepth(t *testing.T) {
	for _, tt := range []struct {
		inner string
		deep  bool
	}{{"", false}, {field(1, field(4, "Relu")), true}} { // 100 is the limit of C++ and Python
		graph := tt.inner
		for range 33 {
			graph = field(1, field(4, "If")+field(5, field(6, graph)))
		}
		list := found(t, []byte(versions+field(7, graph)), nil)
		if deep := len(list) > 0; deep != tt.deep {
			t.Errorf("%q in 100 messages: %q", tt.inner, list)
		}
	}
}

// TestIs distinguishes models from other files by their bytes.
func TestIs(t *testing.T) {
	whole := versions + field(7, "")
	for text, want := range map[string]bool{
		whole: true, field(2, "pytorch") + whole: true, whole + field(14, ""): true,
		versions: false, field(7, ""): false, whole[:len(whole)-1]: false, whole + "\x00": false,
		whole + "\x98\x06\x01": false,
		"":                     false, "1x3x224x224": false, ":0" + strings.Repeat("x", 48): false, "{}": false,
	} {
		if got := Is(strings.NewReader(text), int64(len(text))); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestCutOff keeps the tensors before the end of a file that is cut off, and nothing that is not all there.
func TestCutOff(t *testing.T) {
	data := encoded(t, head+w+strings.ReplaceAll(w, `"w"`, `"v"`)+`}`)
	for n := range len(data) {
		list := found(t, data[:n], nil)
		isOne := func(f string) bool {
			return strings.HasPrefix(f, "error onnx-truncated") || strings.HasPrefix(f, "error not an ONNX model")
		}
		if len(list) != 1 || !isOne(list[0]) {
			t.Errorf("%d of %d bytes: %q", n, len(data), list)
		}
	}
	m, err := Read(bytes.NewReader(data[:len(data)-3]), int64(len(data)-3))
	if err != nil || len(m.Graph.Initializers) != 1 || m.Graph.Initializers[0].Name != "w" {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := m.Find("w", nil); err == nil {
		t.Error("a tensor of a model that is cut off was found")
	}
}

// TestBrokenFile returns the error of the file.
func TestBrokenFile(t *testing.T) {
	broken := errors.New("broken")
	_, err := Read(readerAt(func([]byte, int64) (int, error) { return 0, broken }), 100)
	if !errors.Is(err, broken) {
		t.Error(err)
	}
	data := encoded(t, head+w+`}`)
	if list := found(t, data, nil); len(list) != 0 {
		t.Fatal(list)
	}
	_, err = Read(bytes.NewReader(data[:40]), int64(len(data)))
	if err == nil || !strings.Contains(err.Error(), "shrinks") {
		t.Error(err)
	}
}

// readerAt is a function that reads.
type readerAt func([]byte, int64) (int, error)

func (r readerAt) ReadAt(p []byte, at int64) (int, error) { return r(p, at) }

// A holed file has some bytes at some places, and 0 everywhere else.
type holed struct {
	size  int64
	at    []int64
	piece [][]byte
	read  int64
}

func (h *holed) ReadAt(p []byte, at int64) (int, error) {
	h.read += int64(len(p))
	if at+int64(len(p)) > h.size {
		return 0, io.ErrUnexpectedEOF
	}
	clear(p)
	i, _ := slices.BinarySearch(h.at, at+1)
	for i = max(i-1, 0); i < len(h.at) && h.at[i] < at+int64(len(p)); i++ {
		from := h.at[i] - at
		if from >= 0 {
			copy(p[from:], h.piece[i])
		} else if -from < int64(len(h.piece[i])) {
			copy(p, h.piece[i][-from:])
		}
	}
	return len(p), nil
}

// largeModel returns a model with count initializers, each with size bytes of raw_data, as a file with holes.
func largeModel(count int, size int64) *holed {
	h := &holed{}
	headers, total := make([]string, count), int64(0)
	for i := range headers {
		name := fmt.Sprintf("layers.%d.weight", i)
		fixed := string(binary.AppendUvarint([]byte("\x08"), uint64(size/4))) + "\x10\x01" + field(8, name)
		fixed += string(binary.AppendUvarint([]byte{9<<3 | 2}, uint64(size)))
		headers[i] = string(binary.AppendUvarint([]byte{5<<3 | 2}, uint64(int64(len(fixed))+size))) + fixed
		total += int64(len(headers[i])) + size
	}
	start := versions + string(binary.AppendUvarint([]byte{7<<3 | 2}, uint64(total)))
	h.at, h.piece = []int64{0}, [][]byte{[]byte(start)}
	h.size = int64(len(start))
	for _, text := range headers {
		h.at, h.piece = append(h.at, h.size), append(h.piece, []byte(text))
		h.size += int64(len(text)) + size
	}
	return h
}

// TestLargeModel reads a model of 1 GB without its weights.
func TestLargeModel(t *testing.T) {
	h := largeModel(300, 3_500_000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := Read(h, h.size)
	runtime.ReadMemStats(&after)
	if err != nil || len(m.Graph.Initializers) != 300 || m.bad != "" {
		t.Fatalf("%+v, %v", m, err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 || h.read > 4<<20 {
		t.Errorf("%d bytes are allocated, and %d read", took, h.read)
	}
	m.Check(nil, func(f finding.Finding) { t.Errorf("%v: %s", f.Rule, f.Message) })
}

func BenchmarkRead(b *testing.B) {
	for _, bb := range []struct {
		name  string
		count int
		size  int64
	}{{"1GB", 300, 3_500_000}, {"100000Tensors", 100_000, 64}} {
		b.Run(bb.name, func(b *testing.B) {
			h := largeModel(bb.count, bb.size)
			b.ReportAllocs()
			for b.Loop() {
				if m, err := Read(h, h.size); err != nil || m.bad != "" {
					b.Fatal(m.bad, err)
				}
			}
		})
	}
}

// TestRandomChanges reads models of which some bytes are changed, in the same way in each run.
func TestRandomChanges(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, text := range seeds() {
		whole := encoded(t, text)
		for range 600 {
			data := slices.Clone(whole)
			for range 1 + random.IntN(4) {
				data[random.IntN(len(data))] = byte(random.Uint32())
			}
			survives(t, data[:len(data)-random.IntN(2)*random.IntN(len(data))])
		}
	}
}

// seeds are models that have every kind of message.
func seeds() []string {
	return []string{
		head + w + `}`, head + wOf + `float_data: [1, 2] } }`, external("location=w.bin; offset=8; length=24"),
		sparse(`dims: [2] data_type: FLOAT raw_data: 8 bytes`, `dims: [2] data_type: INT64 int64_data: [0, 3]`, "[4]"),
		conv("Conv", "[4, 4, 3, 3]", `attribute { name: "kernel_shape" ints: [3, 3] }`, ""),
		input(typed("FLOAT", `dim { dim_param: "N" } dim { dim_value: 3 }`)),
		head + `node { op_type: "If" attribute { name: "then_branch" g { ` + w + `} } } }`,
		head + `quantization_annotation { tensor_name: "w" } }`,
		`ir_version: 8 graph { } functions { name: "f" node { op_type: "Constant" attribute { name: "value" t { ` +
			`dims: 2 data_type: DOUBLE double_data: [1, 2] } } } } training_info { initialization { ` + w + `} }`,
	}
}

// FuzzRead reads and checks files that start as models.
func FuzzRead(f *testing.F) {
	for _, text := range seeds() {
		data := encoded(f, text)
		f.Add(data)
		f.Add(data[:len(data)*2/3])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer layouttest.Limit(t, len(data))()
		survives(t, data)
	})
}

// survives reads and checks a file. Nothing may panic, two runs must agree, allocations must be limited by the size of
// the file, and findings must refer to bytes in it.
func survives(t *testing.T, data []byte) {
	files := map[string]int64{"w.bin": 24}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	list := found(t, data, files)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > uint64(1<<20+1000*len(data)) {
		t.Errorf("%d bytes are allocated for %d", took, len(data))
	}
	if again := found(t, data, files); !slices.Equal(list, again) {
		t.Errorf("%q, and then %q", list, again)
	}
	m, err := Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return
	}
	for i := range m.Graph.Initializers {
		p, err := m.Find(m.Graph.Initializers[i].Name, func(string) DataFile { return DataFile{Size: 24} })
		if err == nil && p.Location == "" && (p.Start < 0 || p.Start+p.Bytes > int64(len(data))) {
			t.Errorf("%+v is outside of %d bytes", p, len(data))
		}
		if err == nil && p.Location != "" && p.Start+p.Bytes > 24 {
			t.Errorf("%+v is outside of the other file", p)
		}
	}
}

// TestModelMemory reads and checks models in which all initializers are wrong: the memory grows as they do.
func TestModelMemory(t *testing.T) {
	allocated := func(n int) uint64 {
		graph := strings.Repeat(field(5, "\x08\x01\x10\x01"+field(8, "name")+field(9, "x")), n)
		text := versions + field(7, graph)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := Read(strings.NewReader(text), int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		kept := 0
		m.Check(nil, func(finding.Finding) { kept++ })
		runtime.ReadMemStats(&after)
		if len(m.Graph.Initializers) != n || kept < 2*finding.MostOfRule || kept > 3*finding.MostOfRule {
			t.Fatalf("%d initializers, %d findings", len(m.Graph.Initializers), kept)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	one, two := allocated(20_000), allocated(40_000)
	if per := (two - one) / 20_000; per > 1200 || two > 3*one {
		t.Errorf("%d bytes, and %d for twice as many: %d for each initializer", one, two, per)
	}
}
