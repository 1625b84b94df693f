package notation

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/lexer"
)

// checkHostile reads text in every notation, and in the notation that is recognized. It must be rejected with a good
// error or read correctly.
func checkHostile(t *testing.T, text string) {
	t.Helper()
	tokens := lexer.Lex(text)
	for _, n := range readers() {
		if len(text) > lexer.MaxText {
			found, err := n.Read(text, Options{})
			checkHostileReading(t, n.Name, text, found, err)
			continue
		}
		found, err := n.readTokens(text, tokens, Options{}, true) // as Read does
		checkHostileReading(t, n.Name, text, found, err)
	}
	found, err := Read(text, Options{})
	checkHostileReading(t, "recognised", text, found, err)
	if unread, _ := Unread(text); unread != nil {
		checkRefusal(t, text, unread)
	}
}

// checkLong reads text, which has the maximum length, in the notation that is recognized, and a quarter of it in some
// notations.
func checkLong(t *testing.T, text string, pair int) {
	t.Helper()
	checkSome(t, text[:len(text)/4], pair)
	found, err := Read(text, Options{})
	checkHostileReading(t, "recognised", text, found, err)
}

// checkSome reads text in a quarter of the notations, selected by pair, and in the notation that is recognized. A pair
// is the sum of the indices in two lists, so each item of both lists meets every notation.
func checkSome(t *testing.T, text string, pair int) {
	t.Helper()
	for k, n := range readers() {
		if pair%4 == k%4 {
			found, err := n.Read(text, Options{})
			checkHostileReading(t, n.Name, text, found, err)
		}
	}
	found, err := Read(text, Options{})
	checkHostileReading(t, "recognised", text, found, err)
}

func checkHostileReading(t *testing.T, name, text string, found []Descriptor, err error) {
	t.Helper()
	if err != nil {
		checkRefusal(t, text, err)
		return
	}
	if len(found) == 0 {
		t.Fatalf("%s: %.200q: neither a tensor nor an error", name, text)
	}
	for _, d := range found[:min(len(found), 3)] {
		checkNotes(t, text, d.Skipped)
		offsets(t, d.Tensor.Layout())
	}
}

// starts are the first characters of inputs that nest deeply.
var starts = [...]string{
	"", "torch.empty_strided(", "torch.empty(2, dtype=", "f32[2][", `Tensor "`, "np.zeros(", "{'shape': ",
	"DML_BUFFER_TENSOR_DESC d = ", "d.Sizes = ", "dml::TensorDesc", `{"Sizes": `,
	"std::layout_right::mapping<", "std::extents<int, ", "DLTensor t = ", "ne = ", "(2,", "((1,", "(2,3):", "ptr o ",
	"f32[", "f32[8]{0:T", "f32[8]{0:S", "(f32[2], ", "tensor<", "memref<2xf32, ", "memref<2xf32, strided<",
	"memref<2xf32, affine_map<(d0) -> ",
	"memref<2xf32, affine_map<(d0) -> (", "dnnl::memory::desc(", "--dt=", "--tag=a", "--strides=", "mb1ic",
	"src:f32::blocked:", "onednn_verbose,", "(gdb) ", "1x3x4x5 ", "1x3x4x5 N",
}

// bombs are short strings that are repeated many times.
var bombs = [...]string{
	"(", "[", "{", "<", ")", "]", "}", ">", "([{<", "{{}", "()", "[]", "{}", "<>", "a(", "a<", "a::b<", "a{", "[1:",
	"a.b[", "(1,", "{a=", "{.a=", "[a:", "-", "- ", "1x", "1x1x", "a=", "a=1;", "a=1,", "a.b=c;", "T a{1};",
	"x={Sizes=a,DataType=b};",
	"a={DataType=FLOAT32,Sizes={1}};", `{"DataType":"INT8","Sizes":[1],"Flags":"F"},`, "1,", "1:", "_1,", "1@", "?",
	"?,", "*", "*,", "&", "+1", "-d0", "+d0", "*1", " mod 2", " floordiv 1", "(d0+", "(-", "T(2)", "(2)", "(*,",
	"(2,2)", "f32[1],", "f32[2]{0},", "token[],", "d0,", "'", `"`, "''", `""`, `\`, `"\`,
	"/*", "//", "/**/", "//\n", "#\n", "# ", "\n", "\r\n", " ", "\t", "%", "|", "->", "::", ".", "..", ",", ";", "=",
	":", "_", "$", "@", "0", "9", "a", "x", "e", "16b", "2a", "a2", "ic1", "n", "--dt=f32 ", "--tag=a 1 ", "1 ",
	"src:f32::blocked:a::f0 ", "(gdb) ", "$1 = {1}\n", "0x1: 1\n",
	"onednn_verbose,v1,exec,cpu,reorder,j,undef,src:f32::blocked:a::f0 dst:f32::blocked:a::f0,,,2,1\n", "ptr o ", "Sw<",
	"torch.", "np.", "dtype=", "memref<", "tensor<", "é", "\x00", "\xff", "\xe2\x80", "\x1b[31m",
	"9223372036854775807,", "99999999999999999999,",
}

// TestBombs checks that brackets beyond every depth, and other strings repeated up to the maximum length, are read or
// rejected.
func TestBombs(t *testing.T) {
	t.Parallel()
	step := layouttest.Step()
	for i, start := range starts {
		for k := i % step; k < len(bombs); k += step {
			checkSome(t, start+strings.Repeat(bombs[k], 500/len(bombs[k])), i+k)
		}
	}
	for k := 0; k < len(bombs); k += step {
		bomb := bombs[k]
		checkLong(t, strings.Repeat(bomb, lexer.MaxText/len(bomb)), k)
		if k%8 == 0 { // longer than the maximum
			checkHostile(t, strings.Repeat(bomb, 100_000/len(bomb)+1))
		}
	}
}

// TestEveryByte reads 16 KiB of each ASCII character, and any byte after each of starts.
func TestEveryByte(t *testing.T) {
	t.Parallel()
	for c := 0; c < 256; c += layouttest.Step() {
		if c < 0x80 {
			checkLong(t, strings.Repeat(string([]byte{byte(c)}), lexer.MaxText/4), c)
		}
		for i, start := range starts {
			checkSome(t, start+strings.Repeat(string([]byte{byte(c)}), 100), i+c)
		}
	}
}

// intruders are put into every place of every example.
var intruders = [...]string{
	"", "\x00", "\xff", "\xe2\x80", "\x1b[31m", "é", " ", "\n", "'", `"`, `\`, "/*", "//", "#", "(", "[", "{", "<",
	")", "]", "}", ">", ",", ";", ":", "=", "?", "*", "-", "+", ".", "&", "@", "%", "_", "x", "0", "1",
	"0x", "-0x8000000000000000", "0xffffffffffffffff", "1e9", "1.5", "9223372036854775807", "9223372036854775808",
	"-9223372036854775808", "-9223372036854775809",
	strings.Repeat("9", 300), strings.Repeat("0", 300), strings.Repeat("a", 300), strings.Repeat("((", 300),
	strings.Repeat("<[", 300), strings.Repeat("\x01", 300),
}

// TestIntruders has examples with something foreign in them, and examples that end too soon.
func TestIntruders(t *testing.T) {
	t.Parallel()
	for _, n := range readers() {
		example := n.Doc().Example
		for at := 0; at <= len(example); at += layouttest.Step() {
			for _, reader := range []*Notation{n, All()[at%len(All())]} { // of the others each in turn
				found, err := reader.Read(example[:at], Options{})
				checkHostileReading(t, reader.Name, example[:at], found, err)
			}
			for i, intruder := range intruders {
				text := example[:at] + intruder + example[at:]
				if (at+i)%2 == 0 { // each intruder is tried in every example in both ways
					found, err := n.Read(text, Options{})
					checkHostileReading(t, n.Name, text, found, err)
				} else {
					found, err := Read(text, Options{})
					checkHostileReading(t, "recognised", text, found, err)
				}
			}
		}
	}
}

// TestNumbers replaces every number of every example by numbers at and beyond the limits.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, n := range readers() {
		example := n.Doc().Example
		for at := 0; at < len(example); at++ {
			end := at
			for end < len(example) && lexer.IsDigit(example[end]) {
				end++
			}
			if end == at {
				continue
			}
			for i, number := range []string{
				"0", "-0", "-1", "00000000000000000000000000001", "2147483648", "4294967296", "1152921504606846976",
				"4611686018427387904", "9223372036854775807", "9223372036854775808", "18446744073709551616",
				"-9223372036854775808", "-9223372036854775809", "0x7fffffffffffffff", "0x8000000000000000",
				"0xffffffffffffffffff", strings.Repeat("9", 1000), "?",
			} {
				if (at+i)%layouttest.Step() == 0 {
					checkHostile(t, example[:at]+number+example[end:])
				}
			}
			at = end
		}
	}
}

// TestManyDescriptors: as many as there is room for, and a choice among them.
func TestManyDescriptors(t *testing.T) {
	t.Parallel()
	for i, n := range readers() {
		for k, between := range []string{"", " ", "\n", ", ", "; "} {
			if (i+k)%layouttest.Step() != 0 {
				continue
			}
			text := strings.Repeat(n.Doc().Example+between, lexer.MaxText/(len(n.Doc().Example)+len(between)))
			if strings.TrimSpace(between) == "" {
				checkSome(t, text[:len(text)/4], i+k)
			}
			if (i+k)%3 != 0 { // each notation meets each separator, and is recognised with some
				found, err := n.Read(text, Options{})
				checkHostileReading(t, n.Name, text, found, err)
				continue
			}
			found, err := Read(text, Options{})
			checkHostileReading(t, "recognised", text, found, err)
		}
	}
}

// BenchmarkBomb reads inputs of the maximum length in all notations, and one that is longer. A notation takes far less
// than 50 ms.
func BenchmarkBomb(b *testing.B) {
	for _, bomb := range []string{"(", "[", "{", "<", "([{<", "a<", "-", "1x", "a=", "{}", "1,", "9", "'", "/*",
		"f32[1],", "T a{1};", "x={Sizes=a,DataType=b};"} {
		text := strings.Repeat(bomb, lexer.MaxText/len(bomb))
		b.Run(bomb, func(b *testing.B) {
			for b.Loop() {
				for _, n := range readers() {
					_, _ = n.Read(text, Options{})
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(All())), "ns/notation")
		})
	}
	text := strings.Repeat("(", 100_000)
	b.Run("100 kB", func(b *testing.B) {
		for b.Loop() {
			_, _ = Read(text, Options{})
		}
	})
}

// TestMangled cuts every example short at each byte, removes each byte, and doubles each. No notation may panic, and
// errors must have a message and point into the input.
func TestMangled(t *testing.T) {
	t.Parallel()
	for _, n := range readers() {
		for i, text := range mangled(n.Doc().Example) {
			if i%layouttest.Step() != 0 {
				continue
			}
			for k, reader := range readers() {
				if reader == n || i%len(All()) == k { // others read each of them in turn
					found, err := reader.Read(text, Options{Dims: []int64{2}})
					checkFault(t, reader.Name+": "+text, found, err)
				}
			}
			found, err := Read(text, Options{})
			checkFault(t, text, found, err)
		}
	}
}

// mangled returns strings that are similar to the example.
func mangled(example string) []string {
	texts := []string{}
	for i := range example {
		head, tail := example[:i], example[i+1:]
		texts = append(texts, head, head+tail, head+example[i:i+1]+example[i:], head+"?"+tail, head+"-"+tail,
			head+"\x00"+tail, tail)
	}
	return texts
}

// checkFault checks the result of reading text.
func checkFault(t *testing.T, text string, found []Descriptor, err error) {
	t.Helper()
	var syntax *layout.SyntaxError
	var overflow *layout.OverflowError
	switch {
	case err == nil && len(found) == 0:
		t.Errorf("%q is read as nothing", text)
	case err == nil || errors.As(err, &overflow):
	case !errors.As(err, &syntax):
		t.Errorf("%q: an error of type %T: %v", text, err, err)
	case syntax.Msg == "" || syntax.Offset < 0 || syntax.Offset > len(syntax.Input) ||
		strings.Contains(syntax.Msg, "strconv"):
		t.Errorf("%q: %q at %d of %q", text, syntax.Msg, syntax.Offset, syntax.Input)
	}
}

// TestHugeNumbers checks that a number that does not fit in 64 bits is an error.
func TestHugeNumbers(t *testing.T) {
	for _, tt := range []struct{ notation, text, reason string }{
		{"cute", "(4294967296,4294967296)", "the product of sizes"},
		{"cute", "(4611686018427387904,4):(4,1)", "the reach of the strides"},
		{"cute", "((4294967296,4294967296),1):((1,1),1)", "the size of a mode"},
		{"pytorch", "torch.empty((4294967296, 4294967296))", "the product of sizes"},
		{"pytorch", "torch.empty_strided((3,), (9223372036854775807,))", "the last offset"},
		{"pytorch", "torch.empty_strided((2305843009213693952,), (1,))", "2^63 bytes"},
		{"pytorch", "size=(2,), stride=(1,), storage_offset=9223372036854775807", "after the last offset"},
		{"fx", "f32[4294967296, 4294967296][4294967296, 1]cpu", "the product of sizes"},
		{"numpy", "np.zeros((4294967296, 4294967296))", "the product of sizes"},
		{"numpy", "np.zeros((0, 4294967296, 4294967296))", "also beside a size of 0"},
		{"dml",
			"UINT s[] = {4294967295, 4294967295}; DML_BUFFER_TENSOR_DESC d = { DML_TENSOR_DATA_TYPE_FLOAT64, " +
				"DML_TENSOR_FLAG_NONE, 2, s, nullptr, 0, 0 };", "2^64 - 2^33 + 1 elements"},
		{"mdspan", "std::layout_left::mapping<std::extents<int, 4294967296, 4294967296>>()", "the product of extents"},
		{"dlpack-json", `{"shape": [4294967296, 4294967296], "dtype": [2, 32, 1]}`, "the product of sizes"},
		{"dlpack-json", `{"shape": [2], "dtype": [0, 4, 1], "byte_offset": 9223372036854775807}`, "twice the bytes"},
		{"ggml", "ne = {4294967296, 4294967296}", "the product of sizes"},
		{"name", "4294967296x4294967296 HW", "the product of sizes"},
	} {
		_, err := single(t, tt.notation, tt.text, Options{})
		var overflow *layout.OverflowError
		if !errors.As(err, &overflow) {
			t.Errorf("%s: %s: %v, want an overflow; %s", tt.notation, tt.text, err, tt.reason)
		}
	}
}

// TestLimits checks the errors for more axes than a layout may have, and for brackets that are nested too deeply.
func TestLimits(t *testing.T) {
	ones := strings.Join(slices.Repeat([]string{"1"}, 65), ", ")
	for _, tt := range []struct{ notation, text string }{
		{"pytorch", "torch.empty((" + ones + "))"}, {"fx", "f32[" + ones + "][" + ones + "]cpu"},
		{"numpy", "np.zeros((" + ones + "))"},
		{"cute", "(" + ones + ")"}, {"mdspan", "std::extents<int, " + ones + ">, {" + ones + "}"},
		{"ggml", "ne = {" + ones + "}"},
		{"dlpack-json", `{"shape": [` + ones + `], "dtype": [2, 32, 1]}`},
		{"cute", strings.Repeat("(", 70) + "1" + strings.Repeat(")", 70)}, {"pytorch", strings.Repeat("[", 70)},
		{"dml", "DML_ d = " + strings.Repeat("{", 70)},
	} {
		if _, err := single(t, tt.notation, tt.text, Options{}); err == nil || !strings.Contains(err.Error(), "limit") {
			t.Errorf("%s: %.60s...: %v, want the limit", tt.notation, tt.text, err)
		}
	}
}
