package notation

import (
	"strings"
	"testing"

	"layoutcalc/layout"
)

// checkHostile reads a text in every notation, and in the one that it is recognised as, and checks
// that it is refused well or read well.
func checkHostile(t *testing.T, text string) {
	t.Helper()
	for _, n := range All() {
		found, err := n.Read(text, Options{})
		checkHostileReading(t, n.Name, text, found, err)
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

// starts are what texts start with that lead a reader into its depths.
var starts = [...]string{
	"", "torch.empty_strided(", "torch.empty(2, dtype=", "f32[2][", `Tensor "`, "np.zeros(", "{'shape': ", "DML_BUFFER_TENSOR_DESC d = ", "d.Sizes = ", "dml::TensorDesc", `{"Sizes": `,
	"std::layout_right::mapping<", "std::extents<int, ", "DLTensor t = ", "ne = ", "(2,", "((1,", "(2,3):", "ptr o ", "f32[", "f32[8]{0:T", "f32[8]{0:S", "(f32[2], ", "tensor<", "memref<2xf32, ", "memref<2xf32, strided<", "memref<2xf32, affine_map<(d0) -> ",
	"memref<2xf32, affine_map<(d0) -> (", "dnnl::memory::desc(", "--dt=", "--tag=a", "--strides=", "mb1ic", "src:f32::blocked:", "onednn_verbose,", "1x3x4x5 ", "1x3x4x5 N",
}

// bombs are short texts that are put one after the other many times.
var bombs = [...]string{
	"(", "[", "{", "<", ")", "]", "}", ">", "([{<", "{{}", "()", "[]", "{}", "<>", "a(", "a<", "a::b<", "a{", "[1:", "a.b[", "(1,", "{a=", "{.a=", "[a:", "-", "- ", "1x", "1x1x", "a=", "a=1;", "a=1,", "a.b=c;", "T a{1};", "x={Sizes=a,DataType=b};",
	"a={DataType=FLOAT32,Sizes={1}};", `{"DataType":"INT8","Sizes":[1],"Flags":"F"},`, "1,", "1:", "_1,", "1@", "?", "?,", "*", "*,", "&", "+1", "-d0", "+d0", "*1", " mod 2", " floordiv 1", "(d0+", "(-", "T(2)", "(2)", "(*,", "(2,2)", "f32[1],", "f32[2]{0},", "token[],", "d0,", "'", `"`, "''", `""`, `\`, `"\`,
	"/*", "//", "/**/", "//\n", "#\n", "# ", "\n", "\r\n", " ", "\t", "%", "|", "->", "::", ".", "..", ",", ";", "=", ":", "_", "$", "@", "0", "9", "a", "x", "e", "16b", "2a", "a2", "ic1", "n", "--dt=f32 ", "--tag=a 1 ", "1 ", "src:f32::blocked:a::f0 ",
	"onednn_verbose,v1,exec,cpu,reorder,j,undef,src:f32::blocked:a::f0 dst:f32::blocked:a::f0,,,2,1\n", "ptr o ", "Sw<", "torch.", "np.", "dtype=", "memref<", "tensor<", "é", "\x00", "\xff", "\xe2\x80", "\x1b[31m", "9223372036854775807,", "99999999999999999999,",
}

// TestBombs: brackets beyond every depth, and whatever else comes again and again up to the
// longest text, are read or refused.
func TestBombs(t *testing.T) {
	t.Parallel()
	for _, start := range starts {
		for _, bomb := range bombs {
			checkHostile(t, start+strings.Repeat(bomb, 500/len(bomb)))
		}
	}
	for _, bomb := range bombs {
		checkHostile(t, strings.Repeat(bomb, layout.MaxText/len(bomb)))
		checkHostile(t, strings.Repeat(bomb, 100_000/len(bomb)+1))
	}
}

// TestEveryByte: 64 KiB of any character of ASCII, and any byte behind what leads a reader astray.
func TestEveryByte(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		if c < 0x80 {
			checkHostile(t, strings.Repeat(string([]byte{byte(c)}), layout.MaxText))
		}
		for _, start := range starts {
			checkHostile(t, start+strings.Repeat(string([]byte{byte(c)}), 300))
		}
	}
}

// intruders are put into every place of every example.
var intruders = [...]string{
	"", "\x00", "\xff", "\xe2\x80", "\x1b[31m", "é", " ", "\n", "'", `"`, `\`, "/*", "//", "#", "(", "[", "{", "<", ")", "]", "}", ">", ",", ";", ":", "=", "?", "*", "-", "+", ".", "&", "@", "%", "_", "x", "0", "1",
	"0x", "-0x8000000000000000", "0xffffffffffffffff", "1e9", "1.5", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
	strings.Repeat("9", 300), strings.Repeat("0", 300), strings.Repeat("a", 300), strings.Repeat("((", 300), strings.Repeat("<[", 300), strings.Repeat("\x01", 300),
}

// TestIntruders: examples with something in them that does not belong there, and those that end
// too soon.
func TestIntruders(t *testing.T) {
	t.Parallel()
	for _, n := range All() {
		for at := range len(n.Example) + 1 {
			checkHostile(t, n.Example[:at])
			for _, intruder := range intruders {
				text := n.Example[:at] + intruder + n.Example[at:]
				found, err := n.Read(text, Options{})
				checkHostileReading(t, n.Name, text, found, err)
				found, err = Read(text, Options{})
				checkHostileReading(t, "recognised", text, found, err)
			}
		}
	}
}

// TestNumbers: in place of any number of any example, those at the limits and beyond them.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, n := range All() {
		for at := 0; at < len(n.Example); at++ {
			end := at
			for end < len(n.Example) && isDigit(n.Example[end]) {
				end++
			}
			if end == at {
				continue
			}
			for _, number := range []string{
				"0", "-0", "-1", "00000000000000000000000000001", "2147483648", "4294967296", "1152921504606846976", "4611686018427387904", "9223372036854775807", "9223372036854775808", "18446744073709551616",
				"-9223372036854775808", "-9223372036854775809", "0x7fffffffffffffff", "0x8000000000000000", "0xffffffffffffffffff", strings.Repeat("9", 1000), "?",
			} {
				checkHostile(t, n.Example[:at]+number+n.Example[end:])
			}
			at = end
		}
	}
}

// TestManyDescriptors: as many as there is room for, and a choice among them.
func TestManyDescriptors(t *testing.T) {
	t.Parallel()
	for _, n := range All() {
		for _, between := range []string{"", " ", "\n", ", ", "; "} {
			text := strings.Repeat(n.Example+between, layout.MaxText/(len(n.Example)+len(between)))
			checkHostile(t, text)
			checkChoice(t, n, text)
		}
	}
}

// checkChoice asks for a tensor that the text does not name, and for none, and checks what is said.
func checkChoice(t *testing.T, n *Notation, text string) {
	t.Helper()
	found, err := n.Read(text, Options{})
	if err != nil || len(found) < 2 {
		return
	}
	found[0].Name = strings.Repeat("\x1b[31m", 100)
	for _, name := range []string{"", "nobody"} {
		_, err := Choose(found, name)
		syntax, ok := err.(*layout.SyntaxError)
		if !ok {
			t.Fatalf("%s: %q of %d tensors: %v", n.Name, name, len(found), err)
		}
		checkWords(t, text, syntax.Msg)
		checkWords(t, text, syntax.Hint)
	}
}

// BenchmarkBomb reads texts that are as long as can be in all notations, and one that is longer. A
// notation takes far less than 50 ms.
func BenchmarkBomb(b *testing.B) {
	for _, bomb := range []string{"(", "[", "{", "<", "([{<", "a<", "-", "1x", "a=", "{}", "1,", "9", "'", "/*", "f32[1],", "T a{1};", "x={Sizes=a,DataType=b};"} {
		text := strings.Repeat(bomb, layout.MaxText/len(bomb))
		b.Run(bomb, func(b *testing.B) {
			for b.Loop() {
				for _, n := range All() {
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
