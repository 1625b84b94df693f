package notation

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// A descriptorVector is a DirectML tensor with the values in the documentation.
type descriptorVector struct {
	dtype, sizes, strides string // no strides: nullptr
	want                  string
	bytes                 int64 // the least TotalTensorSizeInBytes
	reason                string
}

// articleDescriptors are the examples of "Using strides to express padding and memory layout"
// and of the page on DML_BUFFER_TENSOR_DESC.
func articleDescriptors() []descriptorVector {
	return []descriptorVector{
		{dtype: "UINT8", sizes: "2, 3", want: "uint8 2,3 @ 3,1", bytes: 8,
			reason: "the characters A to F in rows: 6 bytes, rounded up"},
		{dtype: "UINT8", sizes: "2, 3", strides: "3, 1", want: "uint8 2,3 @ 3,1", bytes: 8, reason: "row-major"},
		{dtype: "UINT8", sizes: "2, 3", strides: "1, 2", want: "uint8 2,3 @ 1,2", bytes: 8,
			reason: "column-major: the width-stride is the size of the height"},
		{dtype: "FLOAT32", sizes: "2, 2, 3", strides: "6, 3, 1", want: "float32 2,2,3 @ 6,3,1", bytes: 48,
			reason: "DHW: 12 elements"},
		{dtype: "FLOAT32", sizes: "2, 3", strides: "0, 1", want: "float32 2,3 @ 0,1", bytes: 12,
			reason: "broadcast: three elements for six"},
		{dtype: "FLOAT32", sizes: "2, 3", strides: "5, 1", want: "float32 2,3 @ 5,1", bytes: 32,
			reason: "padded: up to the last element 8, not 10"},
		{dtype: "FLOAT32", sizes: "1, 1, 2, 3", want: "float32 1,1,2,3 @ 6,6,3,1", bytes: 24,
			reason: "a smaller rank is filled with 1s"},
		{dtype: "FLOAT32", sizes: "1, 1, 3, 5", want: "float32 1,1,3,5 @ 15,15,5,1", bytes: 60,
			reason: "packed NCHW, implicit strides"},
		{dtype: "FLOAT32", sizes: "1, 1, 3, 5", strides: "15, 15, 5, 1", want: "float32 1,1,3,5 @ 15,15,5,1", bytes: 60,
			reason: "packed NCHW, explicit strides"},
		{dtype: "FLOAT32", sizes: "1, 1, 3, 5", strides: "15, 1, 5, 1", want: "float32 1,1,3,5 @ 15,1,5,1", bytes: 60,
			reason: "packed NHWC"},
		{dtype: "FLOAT32", sizes: "65535, 65537", want: "float32 65535,65537 @ 65537,1", bytes: 17179869180,
			reason: "2^32 - 1 elements: 16 GB"},
	}
}

// sizeDescriptors have the totals that the helper's formula gives in exact arithmetic.
func sizeDescriptors() []descriptorVector {
	return []descriptorVector{
		{dtype: "FLOAT32", sizes: "1, 2, 3, 4", want: "float32 1,2,3,4 @ 24,12,4,1", bytes: 96,
			reason: "HelloDirectML"},
		{dtype: "FLOAT32", sizes: "1, 1, 2, 3", strides: "6, 6, 3, 1", want: "float32 1,1,2,3 @ 6,6,3,1", bytes: 24,
			reason: "the Guide's example"},
		{dtype: "FLOAT16", sizes: "5, 55", strides: "9, 3", want: "float16 5,55 @ 9,3", bytes: 400,
			reason: "198 + 1 halves, rounded up"},
		{dtype: "FLOAT32", sizes: "3, 2, 5", want: "float32 3,2,5 @ 10,5,1", bytes: 120, reason: "packed"},
		{dtype: "FLOAT32", sizes: "3, 2, 5", strides: "0, 0, 1", want: "float32 3,2,5 @ 0,0,1", bytes: 20,
			reason: "broadcast along two axes"},
		{dtype: "UINT8", sizes: "1, 3, 5, 7", want: "uint8 1,3,5,7 @ 105,35,7,1", bytes: 108,
			reason: "105 rounded up to 4"},
		{dtype: "INT4", sizes: "3", want: "int4 3 @ 1", bytes: 4, reason: "12 bits"},
		{dtype: "FLOAT16", sizes: "3", want: "float16 3 @ 1", bytes: 8, reason: "6 bytes rounded up"},
		{dtype: "FLOAT16", sizes: "1, 64, 112, 112", strides: "802816, 1, 7168, 64",
			want: "float16 1,64,112,112 @ 802816,1,7168,64", bytes: 1605632, reason: "NHWC"},
		{dtype: "FLOAT32", sizes: "70000, 70000", strides: "70000, 1", want: "float32 70000,70000 @ 70000,1",
			bytes: 19600000000, reason: "where the helper's 32 bits wrap to 2420130816"},
		{dtype: "FLOAT16", sizes: "1, 3, 2", strides: "6, 1, 3", want: "float16 1,3,2 @ 6,1,3", bytes: 12,
			reason: "NWC"},
		{dtype: "UINT4", sizes: "5", strides: "2", want: "uint4 5 @ 2", bytes: 8,
			reason: "index 8 is the last: 36 bits"},
		{dtype: "INT4", sizes: "3, 3", want: "int4 3,3 @ 3,1", bytes: 8, reason: "9 nibbles: rows start inside bytes"},
		{dtype: "FLOAT32", sizes: "1, 3, 224, 224", strides: "153228, 51076, 226, 1",
			want: "float32 1,3,224,224 @ 153228,51076,226,1", bytes: 611096, reason: "a crop of 226 x 226"},
		{dtype: "FLOAT32", sizes: "2, 2, 2, 2, 2, 2, 2, 2", want: "float32 2,2,2,2,2,2,2,2 @ 128,64,32,16,8,4,2,1",
			bytes: 1024, reason: "eight axes"},
		{dtype: "FLOAT32", sizes: "3, 3", strides: "2147483648, 1", want: "float32 3,3 @ 2147483648,1",
			bytes: 17179869196, reason: "where the helper says 12"},
		{dtype: "FLOAT32", sizes: "2", strides: "4294967295", want: "float32 2 @ 4294967295", bytes: 17179869184,
			reason: "the largest stride"},
		{dtype: "UINT8", sizes: "2, 4294967295", strides: "0, 1", want: "uint8 2,4294967295 @ 0,1", bytes: 4294967296,
			reason: "the largest size"},
		{dtype: "UNKNOWN", sizes: "2, 3", want: "unknown 2,3 @ 3,1", reason: "a type without a size"},
	}
}

// TestDMLDescriptors writes each as a struct with named arrays, as in the documentation, and with its members by name.
func TestDMLDescriptors(t *testing.T) {
	dml := notationOf(t, "dml")
	for _, tt := range append(articleDescriptors(), sizeDescriptors()...) {
		n := len(strings.Split(tt.sizes, ","))
		arrays, strides := fmt.Sprintf("const UINT s[%d] = { %s };", n, tt.sizes), "nullptr"
		if tt.strides != "" {
			arrays, strides = arrays+fmt.Sprintf(" const UINT st[%d] = { %s };", n, tt.strides), "st"
		}
		for _, text := range []string{
			arrays +
				fmt.Sprintf(" DML_BUFFER_TENSOR_DESC d = { DML_TENSOR_DATA_TYPE_%s, DML_TENSOR_FLAG_NONE, %d, s, %s, "+
					"%d, 0 };", tt.dtype, n, strides, tt.bytes),
			arrays +
				fmt.Sprintf(" DML_BUFFER_TENSOR_DESC d = { .DataType = DML_TENSOR_DATA_TYPE_%s, .DimensionCount = "+
					"%d, .Sizes = s, .Strides = %s };", tt.dtype, n, strides),
		} {
			checkReadings(t, "dml", []reading{{text, tt.want, tt.reason}})
			d, err := single(t, "dml", text, Options{})
			if err != nil {
				continue
			}
			if len(d.Skipped) > 0 || d.Name != "d" {
				t.Errorf("%s: name %s, skipped %q; %s", text, d.Name, d.Skipped, tt.reason)
			}
			if got := figureOf(t, dml, d.Tensor, "TotalTensorSizeInBytes"); got.Bytes != tt.bytes {
				t.Errorf("%s: %d bytes, want %d; %s", text, got.Bytes, tt.bytes, tt.reason)
			}
		}
	}
}

// TestDMLSpellings has the ways to express the same tensor in C++.
func TestDMLSpellings(t *testing.T) {
	const nchw, padded = "float32 1,2,3,4 @ 24,12,4,1", "float32 2,3 @ 5,1"
	checkReadings(t, "dml", []reading{
		{"Sizes = {1, 2, 3, 4}\nStrides = {24, 12, 4, 1}\nDataType = DML_TENSOR_DATA_TYPE_FLOAT32", nchw,
			"members without their struct"},
		{"DataType = DML_TENSOR_DATA_TYPE_FLOAT32; Sizes = {1, 2, 3, 4};", nchw, "members without their struct"},
		{`constexpr UINT tensorSizes[4] = { 1, 2, 3, 4 };
constexpr UINT tensorElementCount = tensorSizes[0] * tensorSizes[1] * tensorSizes[2] * tensorSizes[3];

DML_BUFFER_TENSOR_DESC dmlBufferTensorDesc = {};
dmlBufferTensorDesc.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
dmlBufferTensorDesc.Flags = DML_TENSOR_FLAG_NONE;
dmlBufferTensorDesc.DimensionCount = ARRAYSIZE(tensorSizes);
dmlBufferTensorDesc.Sizes = tensorSizes;
dmlBufferTensorDesc.Strides = nullptr;
dmlBufferTensorDesc.TotalTensorSizeInBytes = DMLCalcBufferTensorSize(
    dmlBufferTensorDesc.DataType,
    dmlBufferTensorDesc.DimensionCount,
    dmlBufferTensorDesc.Sizes,
    dmlBufferTensorDesc.Strides);`, nchw, "one assignment for each member, as HelloDirectML has it"},
		{"UINT s[] = {2,3}; UINT st[] = {5,1}; DML_BUFFER_TENSOR_DESC d{}; d.DataType = " +
			"DML_TENSOR_DATA_TYPE_FLOAT32; d.DimensionCount = 2; d.Sizes = s; d.Strides = st;", padded,
			"arrays without a length, braces without ="},
		{"static const UINT s[2] = {2u, 3U}, st[2] = {5ull, 1UL}; DML_BUFFER_TENSOR_DESC d = " +
			"{DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 2u, s, st, 32ULL, 0u};", padded, "suffixes"},
		{"const uint32_t s[] = {1'000, 2'000,}; DML_BUFFER_TENSOR_DESC d = {DML_TENSOR_DATA_TYPE_INT8, " +
			"DML_TENSOR_FLAG_NONE, 2, s, NULL, 2'000'000, 0,};", "int8 1000,2000 @ 2000,1",
			"digit separators, trailing commas, NULL"},
		{"const UINT s[] = {0x2, 0X3}; DML_BUFFER_TENSOR_DESC d = {DML_TENSOR_DATA_TYPE_FLOAT32, " +
			"DML_TENSOR_FLAG_NONE, 2, s, 0, 24, 0};", "float32 2,3 @ 3,1", "hexadecimal digits, 0 for no strides"},
		{"void f() { UINT s[2] = {2,3}; UINT st[2] = {5,1}; DML_BUFFER_TENSOR_DESC d{DML_TENSOR_DATA_TYPE_FLOAT32, " +
			"DML_TENSOR_FLAG_NONE, 2, s, st, 32, 0}; }", padded, "in a function"},
		{"namespace n { HRESULT X::f(int a, std::pair<int, int> b) const\n{\n  if (a < 0) { return E_FAIL; } else { " +
			"a += 1; }\n  for (int i = 0; i < 4; i++) { sum += i; }\n  std::cout << \"};\" << a;\n  UINT s[2] = " +
			"{2,3}, st[2] = {5,1};\n  { a++; }\n  DML_BUFFER_TENSOR_DESC d = {};\n  d.DataType = " +
			"DML_TENSOR_DATA_TYPE_FLOAT32; d.DimensionCount = 2; d.Sizes = s; d.Strides = st;\n  " +
			"device->Create(&d, IID_PPV_ARGS(&op));\n  return a ? S_OK : E_FAIL;\n} }", padded,
			"among other statements"},
		{"// sizes\nconst UINT s[2] = { 2, /* rows */ 3 }; // columns\nconst UINT st[2] = {5, " +
			"1};\nDML_BUFFER_TENSOR_DESC d = {\n  DML_TENSOR_DATA_TYPE_FLOAT32, // DataType\n  DML_TENSOR_FLAG_NONE, " +
			"2, s, st, 32, 0 };", padded, "comments"},
		{"std::array<UINT, 2> s = {2, 3}; std::vector<UINT> st{5, 1}; DML_BUFFER_TENSOR_DESC d{ .DataType = " +
			"DML_TENSOR_DATA_TYPE_FLOAT32, .DimensionCount = 2, .Sizes = s.data(), .Strides = st.data() };", padded,
			"containers"},
		{"std::array<UINT, 2> s = {{2, 3}}; DML_BUFFER_TENSOR_DESC d{ .DataType = DML_TENSOR_DATA_TYPE_FLOAT32, " +
			".DimensionCount = 2, .Sizes = s.data() };", "float32 2,3 @ 3,1",
			"the braces of the array inside the container's"},
		{"UINT s[2] = {2, 3}; DML_BUFFER_TENSOR_DESC d = { DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 2, " +
			"&s[0], nullptr, 24, 0 };", "float32 2,3 @ 3,1", "the address of the first"},
		{"const UINT kRank = 2; const UINT s[4] = {2, 3, 9, 9}; DML_BUFFER_TENSOR_DESC d = { " +
			"DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, kRank, s, nullptr, 24, 0 };", "float32 2,3 @ 3,1",
			"DimensionCount cuts the arrays, and is a name"},
		{"auto* d = &desc; UINT s[2] = {2, 3}; d->DataType = DML_TENSOR_DATA_TYPE_FLOAT32; d->DimensionCount = 2; " +
			"d->Sizes = s;", "float32 2,3 @ 3,1", "through a pointer"},
		{"UINT s[2] = {2, 3}; UINT st[2] = {5, 1}; DML_BUFFER_TENSOR_DESC d = { DML_TENSOR_DATA_TYPE_FLOAT32, " +
			"DML_TENSOR_FLAG_NONE, 2, s, nullptr, 0, 0 }; d.Strides = st; d.TotalTensorSizeInBytes = 32;", padded,
			"the last assignment counts"},
		{"dml::TensorDesc{ DML_TENSOR_DATA_TYPE_FLOAT32, {1, 2, 3, 4} }", nchw, "DirectMLX"},
		{"dml::TensorDesc{ DML_TENSOR_DATA_TYPE_FLOAT32, {1, 2, 3, 4}, dml::TensorPolicy::Default() }", nchw,
			"DirectMLX's own policy is packed"},
		{"dml::TensorDesc desc = { DML_TENSOR_DATA_TYPE_FLOAT32, {1, 2, 3, 4} };", nchw, "DirectMLX, named"},
		{"dml::TensorDesc{ DML_TENSOR_DATA_TYPE_FLOAT32, {1, 2, 3, 4}, dml::TensorPolicy::InterleavedChannel() }",
			"float32 1,2,3,4 @ 24,1,8,2", "DirectMLX's policy: in memory N, H, W, C"},
		{"dml::TensorPolicy p = dml::TensorPolicy::InterleavedChannel(); dml::TensorDesc d(" +
			"DML_TENSOR_DATA_TYPE_FLOAT16, {2, 3, 4, 5, 6}, p);", "float16 2,3,4,5,6 @ 360,1,90,18,3",
			"a policy by name, volumes"},
		{"dml::TensorDesc d(DML_TENSOR_DATA_TYPE_INT8, {7, 3}, dml::TensorPolicy::InterleavedChannel());",
			"int8 7,3 @ 3,1", "the policy without spatial axes"},
		{"auto x = dml::InputTensor(graph, 0, dml::TensorDesc(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 2, 3, 4}));", nchw,
			"DirectMLX, an input"},
		{"auto x = dml::InputTensor(graph, 0, { DML_TENSOR_DATA_TYPE_FLOAT32, {1, 2, 3, 4} });", nchw,
			"DirectMLX, an input without the name of the type"},
		{"const UINT n = 1, c = 2; const UINT s[] = {n, c, 3, 4}; DML_BUFFER_TENSOR_DESC d = { " +
			"DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 4, s, nullptr, 96, 0 };", nchw, "constants by name"},
		{"auto desc = dml::TensorDesc(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 2, 3, 4});", nchw, "DirectMLX, round brackets"},
		{"dml::TensorDesc desc(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 2, 3, 4});", nchw, "DirectMLX, named, round brackets"},
		{"dml::TensorDesc::Dimensions dims = {1, 2, 3, 4}; dml::TensorDesc desc = { DML_TENSOR_DATA_TYPE_FLOAT32, " +
			"dims };", nchw, "DirectMLX, dimensions by name"},
		{"dml::TensorDesc d{ DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, {2, 3}, {5, 1}, 32, 0 }", padded,
			"DirectMLX with strides"},
		{"dml::TensorDesc d{ DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, {2, 3} }", "float32 2,3 @ 3,1",
			"DirectMLX with flags"},
	})
}

// TestDMLDebugger has a struct as debuggers print it, with its arrays next to it.
func TestDMLDebugger(t *testing.T) {
	const fields = "{DataType = DML_TENSOR_DATA_TYPE_FLOAT32, Flags = DML_TENSOR_FLAG_NONE, DimensionCount = 2, " +
		"Sizes = 0x5581c010 <sizes>, Strides = 0x5581c020 <strides>, TotalTensorSizeInBytes = 32, " +
		"GuaranteedBaseOffsetAlignment = 0}"
	checkReadings(t, "dml", []reading{
		{"sizes = {2, 3}\nstrides = {5, 1}\n$1 = " + fields, "float32 2,3 @ 5,1", "gdb: print desc"},
		{"$1 = " + fields + "\n$2 = {2, 3}\nsizes = {2, 3}\nstrides = {5, 1}", "float32 2,3 @ 5,1",
			"the arrays after it"},
		{strings.ReplaceAll(fields, "Strides = 0x5581c020 <strides>", "Strides = 0x0") + "; sizes = {2, 3}",
			"float32 2,3 @ 3,1", "a null pointer"},
		{"sizes = {2, 3}\nstrides = {5, 1}\ndesc = {\n  DataType = DML_TENSOR_DATA_TYPE_FLOAT32,\n  DimensionCount = " +
			"2,\n  Sizes = 0x5581c010 <sizes>,\n  Strides = 0x5581c020 <strides>\n}", "float32 2,3 @ 5,1",
			"set print pretty"},
		{"UINT sizes[2] = {2, 3};\n(DML_BUFFER_TENSOR_DESC) desc = {\n  DataType = DML_TENSOR_DATA_TYPE_FLOAT32\n  " +
			"DimensionCount = 2\n  Sizes = sizes\n  Strides = 0x0000000000000000\n}", "float32 2,3 @ 3,1",
			"lldb: no commas"},
		{"sizes = {2, 3}\n" + strings.Replace(fields, "0x5581c020 <strides>", "0x0", 1), "float32 2,3 @ 3,1",
			"the value alone"},
		{"{DataType=DML_TENSOR_DATA_TYPE_FLOAT32 (1) Flags=DML_TENSOR_FLAG_NONE (0) DimensionCount=2 " +
			"Sizes=0x000000d2f18ff7a8 {2, 3} Strides=0x0000000000000000 {???} TotalTensorSizeInBytes=24 " +
			"GuaranteedBaseOffsetAlignment=0 }", "float32 2,3 @ 3,1", "Visual Studio: the value of the struct"},
		{"-\t\tdesc\t{DataType=DML_TENSOR_DATA_TYPE_FLOAT32 (1) Flags=DML_TENSOR_FLAG_NONE (0) DimensionCount=2 ...}" +
			"\tDML_BUFFER_TENSOR_DESC\r\n\t\tDataType\tDML_TENSOR_DATA_TYPE_FLOAT32 (1)\tDML_TENSOR_DATA_TYPE\r\n" +
			"\t\tFlags\tDML_TENSOR_FLAG_NONE (0)\tDML_TENSOR_FLAGS\r\n\t\tDimensionCount\t2\tunsigned int\r\n" +
			"+\t\tSizes\t0x000000d2f18ff7a8 {2}\tconst unsigned int *\r\n" +
			"+\t\tStrides\t0x0000000000000000 <NULL>\tconst unsigned int *\r\n" +
			"\t\tTotalTensorSizeInBytes\t24\tunsigned __int64\r\n" +
			"+\t\tdesc.Sizes,2\t0x000000d2f18ff7a8 {2, 3}\tconst unsigned int[2]\r\n", "float32 2,3 @ 3,1",
			"Visual Studio: rows of the watch window"},
	})
}

// TestDebuggerSessions has gdb and lldb commands with their answers, as gdb 13.1 printed them.
func TestDebuggerSessions(t *testing.T) {
	const desc = "{DataType = DML_TENSOR_DATA_TYPE_FLOAT32, Flags = DML_TENSOR_FLAG_NONE, \n  DimensionCount = 4, " +
		"Sizes = 0x55555556aeb0, Strides = 0x0, \n  TotalTensorSizeInBytes = 602112, " +
		"GuaranteedBaseOffsetAlignment = 0}\n"
	const arrays = "$2 = {1, 3, 224, 224}\n"
	checkRefusals(t, "dml", []wrong{
		{text: "(gdb) p desc\n$1 = " + desc + "(gdb) p *desc.Sizes@4\n" + arrays, at: "(gdb)",
			says: "commands of a debugger", reason: "gdb"},
		{text: "(lldb) parray 4 desc.Sizes\n(const UINT *) $0 = 0x000055555556aeb0 {\n  (const UINT) [0] = 1\n}\n",
			at: "(lldb)", says: "commands of a debugger", reason: "lldb"},
		{text: "$1 = " + desc + arrays, at: "0x5555", says: "only an address", reason: "an array without a name"},
	})
}

// TestWatchOwners has rows that do not name the struct of their array.
func TestWatchOwners(t *testing.T) {
	row := func(name, sizes string) string {
		return "-\t\t" + name + "\t{DataType=DML_TENSOR_DATA_TYPE_FLOAT32 (1) Flags=DML_TENSOR_FLAG_NONE (0) " +
			"DimensionCount=" +
			"2 ...}\tDML_BUFFER_TENSOR_DESC\n\t\tDataType\tDML_TENSOR_DATA_TYPE_FLOAT32 (1)\tDML_TENSOR_DATA_TYPE\n" +
			"\t\tDimensionCount\t2\tunsigned int\n+\t\tSizes\t0x000000d2f18ff7a8 {2}\tconst unsigned int *\n" + sizes
	}
	const sizes = "+\t\tSizes,2\t0x000000d2f18ff7a8 {2, 3}\tconst unsigned int[2]\n"
	const want = "float32 2,3 @ 3,1"
	checkReadings(t, "dml", []reading{
		{row("desc", sizes), want, "after the struct"},
		{sizes + row("desc", ""), want, "before it"},
		{row("*pDesc", strings.Replace(sizes, "Sizes,2", "pDesc->Sizes,2", 1)), want, "a pointer"},
	})
	second := strings.ReplaceAll(sizes, "{2, 3}", "{2, 5}")
	found, err := notationOf(t, "dml").Read(row("a", sizes)+row("b", second), Options{})
	if err != nil || len(found) != 2 || meaning(found[0]) != want || meaning(found[1]) != "float32 2,5 @ 5,1" {
		t.Fatal(found, err)
	}
	const note = "the row Sizes,2 does not say whose it is: read as a.Sizes; the row Sizes,2 does not say " +
		"whose it is: " +
		"read as b.Sizes"
	if got := strings.Join(found[0].Skipped, "; "); got != strings.ReplaceAll(note, ",2", "") {
		t.Errorf("notes %q", got)
	}
}

func TestDMLRefusals(t *testing.T) {
	const head = "DML_BUFFER_TENSOR_DESC d = { DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, "
	checkRefusals(t, "dml", []wrong{
		{text: head + "2, s, nullptr, 24, 0 };", at: "s,", says: "paste its declaration",
			reason: "the array is not in the text"},
		{text: "{DataType = DML_TENSOR_DATA_TYPE_FLOAT32, DimensionCount = 4, Sizes = 0x7ffe5581c010, Strides = 0x0}",
			at: "0x7ffe", says: "paste the array", reason: "an address"},
		{text: "{DataType = DML_TENSOR_DATA_TYPE_FLOAT32, DimensionCount = 4, Sizes = 0x7ffe5581c010 <sizes>, " +
			"Strides = 0x0}", at: "0x7ffe", says: "sizes is not in the text", reason: "an address with a name"},
		{text: "UINT s[2] = {2, 3}; " + head + "4, s, nullptr, 24, 0 };", at: "4, s", says: "DimensionCount is 4",
			reason: "the arrays are shorter"},
		{text: "UINT s[2] = {2, 3}; UINT st[1] = {1}; " + head + "2, s, st, 24, 0 };", at: "2, s", says: "1 stride",
			reason: "too few strides"},
		{text: "UINT s[2] = {2, 3}; " + head + "2, s, nullptr, 24, 0, 7 };", at: "7 }", says: "no parameter for",
			reason: "a value too many"},
		{text: "dml::TensorDesc{ DML_TENSOR_DATA_TYPE_FLOAT32, {2, 3}, dml::TensorPolicy::Default(4) }",
			at: "dml::TensorPolicy", says: "policy", reason: "an argument of a policy that has none"},
		{text: "UINT s[2] = {2, 3}; DML_BUFFER_TENSOR_DESC d = { odd }; d.DataType = DML_TENSOR_DATA_TYPE_INT8; " +
			"d.Sizes = s;", at: "odd", says: "odd", reason: "a type that is replaced"},
		{text: "UINT s[2] = {2, n}; " + head + "2, s, nullptr, 24, 0 };", at: "n}", says: "not a number",
			reason: "a size by name"},
		{text: "UINT s[2] = {2, 3 * 4}; " + head + "2, s, nullptr, 24, 0 };", at: "3 * 4", says: "not a number",
			reason: "a product"},
		{text: "UINT s[2] = {2, 3}; DML_BUFFER_TENSOR_DESC d = { DML_TENSOR_DATA_TYPE_FLOAT31, DML_TENSOR_FLAG_NONE, " +
			"2, s, nullptr, 24, 0 };", at: "DML_TENSOR_DATA_TYPE_FLOAT31", says: "float32", reason: "no such type"},
		{text: "DML_BUFFER_TENSOR_DESC d = {};", at: "DML_BUFFER_TENSOR_DESC d", says: "d has no",
			reason: "nothing in it"},
		{text: head + "2, s.data(), nullptr, 24, 0 };", at: "s.data", says: "array s is not in the text",
			reason: "a container that is not in the text"},
		{text: head + "2, GetSizes(), nullptr, 24, 0 };", at: "GetSizes", says: "not in the text", reason: "a call"},
		{text: "UINT s[2] = {2, 3}; " + head + "2, s, GetStrides(), 24, 0 };", at: "GetStrides",
			says: "not in the text", reason: "strides of a call are not packed ones"},
		{text: "UINT s[3] = {2, 3, 4}; " + head + "2, &s[1], nullptr, 48, 0 };", at: "s[1]", says: "not in the text",
			reason: "a part of an array"},
		{text: "UINT s[2] = {2, 3}; UINT st[2] = {5, 1}; " + head + "2, s, st + 1, 24, 0 };", at: "st + 1",
			says: "not a list", reason: "an expression"},
		{text: "UINT s[2] = {2, 3}; s[1] = 5; " + head + "2, s, nullptr, 24, 0 };", at: "s[1] = 5",
			says: "not understood", reason: "an element is assigned"},
		{text: "UINT s[2] = {2, 3}; DML_TENSOR_DATA_TYPE x = DML_TENSOR_DATA_TYPE_FLOAT32;", at: "UINT",
			says: "no DML_BUFFER_TENSOR_DESC", reason: "no descriptor"},
		{text: "dml::TensorDesc{ DML_TENSOR_DATA_TYPE_FLOAT32, {1, 2, 3, 4}, dml::TensorPolicy(f) }",
			at: "dml::TensorPolicy", says: "policy", reason: "a policy that makes strides"},
		{text: "dml::TensorDesc{ DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, {1, 2, 3, 4}, policy }",
			at: "policy", says: "not in the text", reason: "a policy by name"},
		{text: "UINT s[2] = {2, 3}; " + head + "2, s", at: "{ DML_TENSOR", says: "not closed",
			reason: "not closed"},
		{text: "void f() { UINT s[2] = {2, 3}; } void g() { UINT s[2] = {4, 5}; " + head + "2, s, nullptr, 80, 0 }; }",
			at: "{4, 5}", says: "s is declared twice", reason: "two functions with arrays of one name"},
		{text: "void f() { if (a < b) UINT sizes[2] = {2, 3}; }", at: "< b", says: "comma",
			reason: "a statement that is not read speaks of tensors"},
		{text: "void f() { a + b; }", at: "void", says: "no DML_BUFFER_TENSOR_DESC",
			reason: "a function without a descriptor"},
		{text: "UINT s[2] = {2, 99999999999999999999}; " + head + "2, s, nullptr, 24, 0 };", at: "9999",
			says: "64 bits", reason: "too large a number"},
	})
}

// TestDMLSkips checks the notes on members that a layout cannot hold, and on a total that is too small.
func TestDMLSkips(t *testing.T) {
	const array = "UINT s[2] = {2, 3}; DML_BUFFER_TENSOR_DESC d = { DML_TENSOR_DATA_TYPE_FLOAT32, "
	for _, tt := range []struct{ text, skipped, reason string }{
		{array + "DML_TENSOR_FLAG_NONE, 2, s, nullptr, 24, 0 };", "", "all said"},
		{array + "DML_TENSOR_FLAG_OWNED_BY_DML, 2, s, nullptr, 24, 0 };", "Flags = DML_TENSOR_FLAG_OWNED_BY_DML",
			"a flag"},
		{array + "DML_TENSOR_FLAG_NONE, 2, s, nullptr, 24, 256 };", "GuaranteedBaseOffsetAlignment = 256",
			"an alignment"},
		{array + "DML_TENSOR_FLAG_NONE, 2, s, nullptr, 20, 0 };",
			"TotalTensorSizeInBytes = 20, though the elements need 24", "too small"},
		{array + "DML_TENSOR_FLAG_NONE, 2, s, nullptr, 0, 0 };", "", "0: not given"},
		{array + "DML_TENSOR_FLAG_OWNED_BY_DML | more, 2, s, nullptr, 24, 0 };", "Flags = an expression",
			"flags that are not worked out"},
		{array + "DML_TENSOR_FLAG_NONE, sizeof(s) / sizeof(UINT), s, nullptr, 24, 0 };",
			"DimensionCount, an expression: all of the array counts", "a count that is not worked out"},
		{array + "DML_TENSOR_FLAG_NONE, ARRAYSIZE(s), s, nullptr, 24, 0 };", "", "the count of the array"},
		{array + "DML_TENSOR_FLAG_NONE, 2, s, nullptr, 1024, 0 };", "", "larger is allowed"},
		{array + "DML_TENSOR_FLAG_OWNED_BY_DML, 2, s, nullptr, 20, 64 };",
			"Flags = DML_TENSOR_FLAG_OWNED_BY_DML; GuaranteedBaseOffsetAlignment = 64; TotalTensorSizeInBytes = 20, " +
				"though the elements need 24", "all of them"},
	} {
		d, err := single(t, "dml", tt.text, Options{})
		if got := strings.Join(d.Skipped, "; "); err != nil || got != tt.skipped {
			t.Errorf("%s skips %q, %v, want %q; %s", tt.text, got, err, tt.skipped, tt.reason)
		}
	}
}

// called returns the tensor that the text gives the name, or the one at that position.
func called(found []Descriptor, name string) Descriptor {
	for i, d := range found {
		if name == d.Name || d.Name == "" && name == strconv.Itoa(i) {
			return d
		}
	}
	return Descriptor{}
}

// TestDMLSeveral: descriptors have the names of their variables.
func TestDMLSeveral(t *testing.T) {
	const text = `UINT a[2] = {2, 3}; UINT b[3] = {4, 5, 6};
DML_BUFFER_TENSOR_DESC in = { DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_OWNED_BY_DML, 2, a, nullptr, 24, 0 };
DML_BUFFER_TENSOR_DESC out = {}; out.DataType = DML_TENSOR_DATA_TYPE_INT8; out.DimensionCount = 3; out.Sizes = b;`
	found, err := notationOf(t, "dml").Read(text, Options{})
	if err != nil || len(found) != 2 {
		t.Fatal(found, err)
	}
	for name, want := range map[string]string{"in": "float32 2,3 @ 3,1", "out": "int8 4,5,6 @ 30,6,1"} {
		if d := called(found, name); meaning(d) != want {
			t.Errorf("%s is %s, want %s", name, meaning(d), want)
		}
	}
	if len(found[0].Skipped) != 1 || len(found[1].Skipped) != 0 {
		t.Errorf("only in has flags: %q, %q", found[0].Skipped, found[1].Skipped)
	}
}

func TestDMLWrites(t *testing.T) {
	got, err := notationOf(t, "dml").Write(plainTensor(t, "float16", 0, []int64{2, 3}, []int64{5, 1}))
	for _, part := range []string{
		"const UINT sizes[2] = { 2, 3 };\n", "const UINT strides[2] = { 5, 1 };\n", "DML_BUFFER_TENSOR_DESC desc = {",
		"DML_TENSOR_DATA_TYPE_FLOAT16,", "DML_TENSOR_FLAG_NONE,", "    2, ", "    sizes, ", "    strides, ", "    16, ",
		"    0, ",
	} {
		if err != nil || !strings.Contains(got, part) {
			t.Errorf("%s, %v has no %q", got, err, part)
		}
	}
	got, err = notationOf(t, "dml").Write(laidOut(t, "1x3x4x5", "NCHW"))
	if err != nil || !strings.Contains(got, "nullptr") || strings.Contains(got, "strides[") {
		t.Errorf("packed strides are written: %s, %v", got, err)
	}
}

// TestDxDispatchTotals writes the documents' descriptors with their totals.
func TestDxDispatchTotals(t *testing.T) {
	json := notationOf(t, "dxdispatch")
	for _, tt := range append(articleDescriptors(), sizeDescriptors()...) {
		strides := "nullptr"
		if tt.strides != "" {
			strides = "{" + tt.strides + "}"
		}
		text := fmt.Sprintf("d = { .DataType = DML_TENSOR_DATA_TYPE_%s, .Sizes = {%s}, .Strides = %s };", tt.dtype,
			tt.sizes, strides)
		d, err := single(t, "dml", text, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := figureOf(t, json, d.Tensor, "TotalTensorSizeInBytes"); got.Bytes != tt.bytes {
			t.Errorf("%v: %d bytes, want %d; %s", tt, got.Bytes, tt.bytes, tt.reason)
		}
		total := fmt.Sprintf(`"TotalTensorSizeInBytes": %d }`, tt.bytes)
		if got, err := json.Write(d.Tensor); err != nil || !strings.HasSuffix(got, total) {
			t.Errorf("%v is written %s, %v, want the total %d; %s", tt, got, err, tt.bytes, tt.reason)
		}
	}
}

func TestDxDispatchWrites(t *testing.T) {
	const want = `{ "DataType": "FLOAT32", "Sizes": [2,3], "Strides": [5,1], "DimensionCount": 2, ` +
		`"TotalTensorSizeInBytes": 32 }`
	if got, err := notationOf(t, "dxdispatch").Write(plainTensor(t, "float32", 0, []int64{2, 3},
		[]int64{5, 1})); got != want || err != nil {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	const packed = `{ "DataType": "UINT8", "Sizes": [3], "DimensionCount": 1, "TotalTensorSizeInBytes": 4 }`
	if got, err := notationOf(t, "dxdispatch").Write(plainTensor(t, "uint8", 0, []int64{3},
		[]int64{1})); got != packed || err != nil {
		t.Errorf("%s, %v, want %s", got, err, packed)
	}
}

// TestDMLChanges has statements between an array and the struct that points to it. std::swap of two elements is
// evaluated. Other statements that may change the array are rejected.
func TestDMLChanges(t *testing.T) {
	const before = "std::vector<UINT> sizes = { 1, 3, 4, 4 }; std::vector<UINT> strides = { 48, 16, 4, 1 }; "
	const after = " DML_BUFFER_TENSOR_DESC d = { DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 4, " +
		"sizes.data(), strides.data(), 192, 0 };"
	checkReadings(t, "dml", []reading{
		{before + "std::swap(strides[1], strides[3]);" + after, "float32 1,3,4,4 @ 48,1,4,16", "1 and 3 are swapped"},
		{before + "std::swap(strides[1], strides[3]); std::swap(strides[3], strides[1]);" + after,
			"float32 1,3,4,4 @ 48,16,4,1", "and again"},
		{before + `printf("%u", strides[0]);` + after, "float32 1,3,4,4 @ 48,16,4,1", "it is only printed"},
	})
	for _, change := range []string{
		"memcpy(strides.data(), other, 16);", "strides.push_back(3);", "std::reverse(strides.begin(), strides.end());",
		"Permute(sizes, strides);", "std::swap(strides[1], strides[4]);", "std::swap(strides[1], x);",
		"strides[0] = f();", "std::reverse(std::begin(strides), std::end(strides));", "std::swap(sizes, strides);",
		"memset(&strides[0], 0, sizeof(strides));", "UINT* p = strides; p[3] = 8;", "strides[0] *= 2;", "strides[0]++;",
		"++strides[1];", "*(strides + 1) = 7;", "for (auto& x : strides) { x = 1; }", "UINT& r = strides[1]; r = 7;",
		"for (int i = 0; i < 4; i++) strides[i] = 1;", "for (int i = 0; i < 4; i++) { strides[i] = 1; }",
		"if (x) strides[0] = 3;", "do strides[k] = 1; while (k--);", "a = b, strides[1] = 4;",
		"auto f = [&]() { strides[1] = 3; };", "lambda([&]{ strides[1] = 3; });", "int n = Fill(strides);",
		"std::span<UINT> s(strides);", "auto p = &strides[1];", "p = static_cast<UINT*>(Fill<4>(strides));",
		"sizes[0] = strides[1] = 4;", "strides = {};", "if (Fill(strides)) { return; }",
		"#ifdef A\nstrides = {1, 1, 1, 1};\n#endif\n", "#ifdef A\n#else\nUINT strides[4] = {4, 3, 2, 1};\n#endif\n",
	} {
		_, err := notationOf(t, "dml").Read(before+change+after, Options{})
		if err == nil || !hasAny(err.Error(), "not understood", "declared twice") {
			t.Errorf("%s: %v, want it refused", change, err)
		}
	}
	const desc = "; DML_BUFFER_TENSOR_DESC d = { DML_TENSOR_DATA_TYPE_FLOAT32, 0, 4, s, t, 192, 0 };"
	for _, change := range []string{
		"FillDesc(&d);", "auto r = FillDesc(d);", "memset(&d, 0, sizeof(d));", "auto& e = d; e.Sizes = other;",
		"auto* p = &d; p->DataType = DML_TENSOR_DATA_TYPE_FLOAT16;", "d.DimensionCount--;", "d.DimensionCount -= 1;",
		"std::swap(d.Sizes, d.Strides);", "d = {};", "d = other;", "d = Make();", "d.Strides[1] = 4;",
		"if (half) d.DataType = DML_TENSOR_DATA_TYPE_FLOAT16;", "d.Strides = half ? t : nullptr;",
		"#ifdef HALF\nd.DataType = DML_TENSOR_DATA_TYPE_FLOAT16;\n#endif", "Scale(&n);", "n++;", "if (x) n = 5;",
		"auto y = dml::Reinterpret(x, {4, 4, 3, 1}, dml::NullOpt);",
	} {
		text := "UINT n = 3; UINT s[4] = {1, n, 4, 4}, t[4] = {48, 16, 4, 1}" + desc + change
		_, err := notationOf(t, "dml").Read(text, Options{})
		if err == nil || !hasAny(err.Error(), "not understood", "another tensor") {
			t.Errorf("%s: %v, want it refused", change, err)
		}
	}
	var harmless []reading
	for _, text := range []string{
		"const auto& e = d;", "assert(d.DimensionCount == 4);", "DML_TENSOR_DESC e = {DML_TENSOR_TYPE_BUFFER, &d};",
		"auto y = dml::Relu(x);", "device->CreateOperator(&d);", "UINT last = t[3];", "bool same = t[0] == 48;",
		"size_t k = std::size(t);", "const UINT* q = t;", "n = 7;", "static_assert(sizeof(d) > 2);", "return t;",
		"#include <x>\n", "for (const auto& x : t) { sum += x; }", "UINT k = static_cast<UINT>(std::size(s));",
		"b.Desc = &d;", "DML_BUFFER_TENSOR_DESC e = d;", "#ifndef X\n#define X\nt = {48, 16, 4, 1};\n#endif\n",
	} {
		harmless = append(harmless, reading{"UINT n = 3; UINT s[4] = {1, n, 4, 4}, t[4] = {48, 16, 4, 1}" + desc + text,
			"float32 1,3,4,4 @ 48,16,4,1", "it leaves the tensor alone"})
	}
	checkReadings(t, "dml", harmless)
}

// TestConstants has sizes by the names of constants, with the values defined above the array.
func TestConstants(t *testing.T) {
	const after = " DML_BUFFER_TENSOR_DESC d = { DML_TENSOR_DATA_TYPE_FLOAT32, 0, 2, s, nullptr, 0, 0 };"
	var all []reading
	for _, text := range []string{
		"const UINT N = 2; UINT s[2] = {N, 3};", "#define N 2\nUINT s[2] = {N, 3};",
		"UINT N = 2, C = 3; UINT s[] = {N, C};",
		"#define N 2\n#define M N\nUINT s[2] = {M, 3};", "UINT n = 1; n = 2; UINT s[2] = {n, 3}; n = 7;",
		"#define N 4\n#undef N\n#define N 2\nUINT s[2] = {N, 3};", "const UINT R = 2; UINT s[R] = {R, 3};",
		"#ifndef A_H\n#define A_H\n#define N 2\n#endif\nUINT s[2] = {N, 3};", "UINT a = 2, b = a; UINT s[2] = {b, 3};",
	} {
		all = append(all, reading{text + after, "float32 2,3 @ 3,1", "the values are known"})
	}
	checkReadings(t, "dml", all)
	for _, text := range []string{
		"#ifdef A\n#define N 2\n#else\n#define N 4\n#endif\nUINT s[2] = {N, 3};",
		"#define N 2 * 3\nUINT s[2] = {N, 3};",
		"UINT N = 2; N = f(); UINT s[2] = {N, 3};", "#define N 2\n#undef N\nUINT s[2] = {N, 3};",
		"#define N(x) 2\nUINT s[2] = {N, 3};",
	} {
		if found, err := notationOf(t, "dml").Read(text+after, Options{}); err == nil ||
			!hasAny(err.Error(), "not a number: N is not known", "not understood") {
			t.Errorf("%s: %v, %v, want it refused", text, found, err)
		}
	}
}
