package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/rules"
)

// checkLines returns the findings of lines, one per line, and the counts.
func checkLines(t testing.TB, in io.Reader, l Lines) ([]string, LineCount) {
	t.Helper()
	var all []string
	count, err := l.Check(in, func(f finding.Finding) error {
		all = append(
			all,
			fmt.Sprintf("%d:%d %s%v %v [%s]: %s", f.Line, f.Column, f.Pointer, f.Severity, f.Rule, f.Tensor, f.Message),
		)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, count
}

// theLine is a line that DirectML programs write.
const theLine = `{"DataType":"FLOAT32","Sizes":[1,64,112,112],"Strides":[802816,1,7168,64],` +
	`"TotalTensorSizeInBytes":3211264}` + "\n"

func TestLinesFindings(t *testing.T) {
	const empty = "\n" + `{"dtype":"f32","sizes":[0],"target":`
	const gather = `{"dtype":"f32","sizes":[2],"strides":[0],"target":"directml","operator":"GATHER","slot":`
	only := []*finding.Rule{
		finding.Syntax,
		configKey,
		descriptor.ConfigValue,
		jsonDupKey,
		jsonKeyCase,
		rules.TotalTooSmall,
		rules.SizeZero,
		rules.DTypeKnown,
		rules.BroadcastOutput,
	}
	tests := []struct {
		reason, text string
		want         []string
	}{
		{"a right line", theLine, nil},
		{"a right line of ours", `{"name":"x","dtype":"f32","sizes":"1x3","layout":"HW","role":"input"}`, nil},
		{"blank lines", "\n  \n\r\n\t\n", nil},
		{"no line", "", nil},
		{
			"a total of one byte too few", "\n" + strings.Replace(theLine, "3211264}", `3211260,"name":"a"}`, 1),
			[]string{
				"2:100 /TotalTensorSizeInByteserror total-too-small [a]: TotalTensorSizeInBytes 3211260, needs " +
					"3211264 (last element 802815, FLOAT32, 802816 x 4 = 3211264)"},
		},
		{"a stride of one axis", `{"dtype":"f32","sizes":[3],"strides":[2],"totalBytes":20}` + "\n" +
			`{"dtype":"f32","sizes":[3],"strides":[2],"totalBytes":19}`, []string{
			"2:55 /totalByteserror total-too-small []: total bytes 19, needs 20 (last element 4, " +
				"float32, 5 x 4 = 20)"}},
		{"a size of 0, as a known type of DirectML", `{"dtype":"f32","sizes":[0],"target":"directml"}`, []string{
			"1:25 /sizes/0error size-zero []: size 0 of dimension 0: DirectML has no empty tensors"}},
		{"a size of 0 elsewhere", `{"dtype":"f32","sizes":[0]}`, nil},
		{
			"faults, and the stream goes on",
			"{\"a\":\n" + theLine + "{\"DataType\":\"FLOAT32\",\"Sizes\":[1,]} x\n[]\n5",
			[]string{
				`1:1 error syntax []: "{" is not closed`,
				"3:37 error syntax []: unexpected text after the value",
				"4:1 error syntax []: a list is not a descriptor, which is an object",
				"5:1 error syntax []: a number is not a descriptor, which is an object"},
		},
		{"nothing that is needed", "{}", []string{
			"1:1 error config-key []: the line has no DataType, or dtype",
			"1:1 error config-key []: the line has no Sizes, or sizes"}},
		{
			"names that are near", `{"DataType":"FLOAT32","Sizes":[1],"strids":[1],"FLAGS":"NONE","id":7,"note":"x"}`,
			[]string{
				`1:35 /stridserror json-key-case []: "strids" is not a name of a field: it would be ignored`,
				`1:48 /FLAGSerror json-key-case []: "FLAGS" is not a name of a field: it would be ignored`},
		},
		{"names in capitals", `{"DATATYPE":"FLOAT32","SIZES":[1]}`, []string{
			`1:2 /DATATYPEerror json-key-case []: "DATATYPE" is not a name of a field: it would be ignored`,
			`1:23 /SIZESerror json-key-case []: "SIZES" is not a name of a field: it would be ignored`}},
		{"no type", `{"Sizes":[1]}`, []string{"1:1 error config-key []: the line has no DataType, or dtype"}},
		{"no sizes", `{"DataType":"FLOAT32"}`, []string{"1:1 error config-key []: the line has no Sizes, or sizes"}},
		{"a long text", `{"DataType":"FLOAT32","Sizes":[1],"Flags":"` + strings.Repeat("é", 600) + `"}`, nil},
		{
			"a name that is missing but for a slip",
			`{"DataType":"FLOAT32","Size":[1]}` + "\n" + `{"dtyp":"f32","sizes":[1]}`,
			[]string{
				`1:23 /Sizeerror json-key-case []: "Size" is not a name of a field: it would be ignored`,
				`2:2 /dtyperror json-key-case []: "dtyp" is not a name of a field: it would be ignored`},
		},
		{"names twice", `{"DataType":"FLOAT32","Sizes":[1],"Sizes":[2],"sizes":[3]}`, []string{
			`1:35 /Sizeswarning json-dup-key []: "Sizes" is stated before, which counts`,
			`1:47 /sizeswarning json-dup-key []: "sizes" is stated before, which counts`}},
		{"the right name is later", `{"strides":[3],"DataType":"FLOAT32","Sizes":[1],"Strides":[2]}`, []string{
			`1:2 /strideswarning json-dup-key []: "strides" is stated as Strides, which counts`}},
		{
			"names of a configuration", `{"strides":[0],"DataType":"FLOAT32","Sizes":[2],"totalBytes":4}`,
			[]string{
				`1:2 /strideserror json-key-case []: "strides" is not Strides: it is not used, and the tensor is ` +
					`taken as packed`,
				`1:49 /totalByteserror json-key-case []: "totalBytes" is not TotalTensorSizeInBytes: it is not used`},
		},
		{"a name of DirectML in a configuration", `{"dtype":"f32","sizes":[2],"Flags":["OWNED_BY_DML"]}`, []string{
			`1:28 /Flagserror json-key-case []: "Flags" is not flags: it is not used`}},
		{"sizes that are not Sizes", `{"DataType":"FLOAT32","sizes":[2,0]}`, []string{
			`1:23 /sizeserror json-key-case []: "sizes" is not Sizes: it is not used`}},
		{"names that DirectML has none for", `{"DataType":"FLOAT32","Sizes":[1],"layout":"W","base":3}`, nil},
		{"a number that is too large", `{"DataType":"FLOAT32","Sizes":[9223372036854775808]}`, []string{
			`1:32 /Sizes/0error config-value []: "9223372036854775808" is more than 64 bits hold`}},
		{"a type of DirectML in lower case", `{"DataType":"float32","Sizes":[1]}`, []string{
			`1:13 /DataTypeerror dtype-known []: DirectML has no type float32`}},
		{
			"targets of lines, the same and others",
			empty + `"directml"}` + empty + `"directml"}` + empty + `"none"}` + empty + `""}` + empty + `7}`,
			[]string{
				"2:25 /sizes/0error size-zero []: size 0 of dimension 0: DirectML has no empty tensors",
				"3:25 /sizes/0error size-zero []: size 0 of dimension 0: DirectML has no empty tensors",
				"5:37 /targeterror config-value []: unknown target",
				`6:37 /targeterror config-value []: "7" is not a target, such as directml@6.2`},
		},
		{
			"a target after the type of DirectML, and before it",
			`{"DataType":"FLOAT32","Sizes":[0],"target":"none"}` + "\n" +
				`{"target":"none","DataType":"FLOAT32","Sizes":[0]}`,
			nil,
		},
		{
			"the output of an operator, and its input",
			gather + `"OutputTensor"}` + "\n" + gather + `"InputTensor"}`,
			[]string{"1:39 /strides/0error broadcast-output []: (0) and (1) are both at element 0 (byte 0); " +
				"dimension 0 repeats: 1 stored element (4 bytes) for 2"},
		},
		{"an unknown target", `{"DataType":"FLOAT32","Sizes":[1],"target":"vulkan"}`, []string{
			"1:44 /targeterror config-value []: unknown target"}},
	}
	for _, test := range tests {
		t.Run(test.reason, func(t *testing.T) {
			got, _ := checkLines(t, strings.NewReader(test.text),
				Lines{Judge: rules.Judge, Options: finding.Options{Only: only}})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// manyLines are lines of all sorts.
func manyLines(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for i := range n {
		switch r.IntN(12) {
		case 0:
			b.WriteString("{\"DataType\": broken\n")
		case 1:
			fmt.Fprintf(&b, "{\"DataType\":\"FLOAT16\",\"Sizes\":[%d,%d],\"Strides\":[%d,"+
				"1],\"TotalTensorSizeInBytes\":%d,\"name\":\"t%d\"}\n",
				r.IntN(5), r.IntN(9), r.IntN(9), 4*r.IntN(30), i)
		case 2:
			b.WriteString("\n")
		case 3:
			fmt.Fprintf(&b, "{\"dtype\":\"i8\",\"sizes\":\"%dx3\",\"note\":%d}\r\n", r.IntN(9), i)
		case 4:
			fmt.Fprintf(
				&b,
				"{\"dtype\":\"i8\",\"sizes\":[%d,3],\"nota\":[%d],\"alignment\":%d}\n",
				r.IntN(9),
				i,
				r.IntN(99),
			)
		default:
			b.WriteString(theLine)
		}
	}
	return b.Bytes()
}

func TestLinesAreTheSameForAnyWorkers(t *testing.T) {
	text := manyLines(30_000)
	want, count := checkLines(t, bytes.NewReader(text), Lines{Judge: rules.Judge, Workers: 1})
	if count.Lines != 30_000 || len(want) < 1000 {
		t.Fatalf("%d lines, %d findings", count.Lines, len(want))
	}
	for _, workers := range []int{2, 16} {
		got, c := checkLines(t, bytes.NewReader(text), Lines{Judge: rules.Judge, Workers: workers})
		if diff := cmp.Diff(want, got); diff != "" || c != count {
			t.Fatalf("%d workers: %v, %v\n%s", workers, c, count, diff)
		}
	}
	small := text[:20_000]
	want, _ = checkLines(t, bytes.NewReader(small), Lines{Judge: rules.Judge})
	got, _ := checkLines(t, iotest.OneByteReader(bytes.NewReader(small)), Lines{Judge: rules.Judge, Workers: 2})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("byte by byte: %s", diff)
	}
}

func TestLinesChunks(t *testing.T) {
	const most = 1048576 // the limit in the message
	long := `{"DataType":"FLOAT32","Sizes":[1],"name":"` + strings.Repeat("x", most-43) + `"}`
	fits := `{"DataType":"FLOAT32","Sizes":[1],"name":"` + strings.Repeat("x", most-44) + `"}`
	tests := []struct {
		reason, text string
		lines, good  int
		want         []string
	}{
		{
			reason: "a line that is too long between others", text: theLine + long + "\n" + theLine, lines: 3, good: 2,
			want: []string{"2:1 error syntax []: the line is longer than 1048576 bytes"},
		},
		{
			reason: "a line that is too long at the end", text: theLine + long, lines: 2, good: 1,
			want: []string{"2:1 error syntax []: the line is longer than 1048576 bytes"},
		},
		{reason: "a line of the limit", text: theLine + fits + "\n" + theLine, lines: 3, good: 3},
		{reason: "a line of the limit at the end", text: fits, lines: 1, good: 1},
		{
			reason: "many short lines", text: strings.Repeat("\n", 3*chunkLines+5) + theLine, lines: 3*chunkLines + 6,
			good: 1,
		},
		{reason: "no line end at the end", text: theLine + strings.TrimSpace(theLine), lines: 2, good: 2},
	}
	for _, test := range tests {
		if len(fits) != most || len(long) != most+1 {
			t.Fatal(len(fits), len(long))
		}
		for _, workers := range []int{1, 3} {
			got, count := checkLines(
				t,
				strings.NewReader(test.text),
				Lines{Judge: rules.Judge, Workers: workers,
					Options: finding.Options{Only: []*finding.Rule{finding.Syntax}}},
			)
			if diff := cmp.Diff(test.want, got); diff != "" || count.Lines != test.lines ||
				count.Descriptors != test.good {
				t.Errorf("%s: %+v %s", test.reason, count, diff)
			}
		}
	}
}

func TestLinesStop(t *testing.T) {
	bad := strings.Repeat("x\n", 100_000)
	full := errors.New("full")
	n := 0
	_, err := Lines{Judge: rules.Judge, Workers: 2}.Check(strings.NewReader(bad), func(finding.Finding) error {
		if n++; n == 10 {
			return full
		}
		return nil
	})
	if err != full || n != 10 {
		t.Errorf("%v after %d findings", err, n)
	}
	broken := errors.New("broken")
	count, err := Lines{Judge: rules.Judge}.Check(
		io.MultiReader(strings.NewReader("x\ny"), iotest.ErrReader(broken)),
		func(finding.Finding) error { return nil },
	)
	if err != broken || count.Lines != 2 {
		t.Errorf("%v, %+v", err, count)
	}
}

func FuzzLines(f *testing.F) {
	f.Add(manyLines(60))
	f.Add([]byte(`{"name":"a b","role":"output","target":"directml@5.0","operator":"DML_OPERATOR_GEMM","slot":` +
		`"ATensor","dtype":"<f4","sizes":[ 1 , -2],"strides":[],"base":3,"Flags":["OWNED_BY_DML"],"alignment":` +
		`16,"DimensionCount":2}`))
	f.Add([]byte("{\"layout\":\"NHWC\",\"flags\":\"NONE\",\"flags2\":0,\"sizes\":[],\"dtype\":\"i1\"}" +
		" \r\n{\"DataType\":\"DML_TENSOR_DATA_TYPE_INT8\",\"Sizes\":[-0,00,1e3]}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		defer layouttest.Limit(t, len(text))()
		if len(text) > 1<<14 {
			return
		}
		one, countOne := checkLines(t, bytes.NewReader(text), Lines{Judge: rules.Judge})
		two, countTwo := checkLines(t, iotest.HalfReader(bytes.NewReader(text)), Lines{Judge: rules.Judge, Workers: 3})
		if diff := cmp.Diff(one, two); diff != "" || countOne != countTwo {
			t.Fatalf("%q: %+v %+v %s", text, countOne, countTwo, diff)
		}
	})
}

func BenchmarkLines(b *testing.B) {
	text := []byte(strings.Repeat(theLine, 100_000))
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				count, err := Lines{Judge: rules.Judge,
					Workers: workers,
					Options: finding.Options{Shown: finding.Warning},
				}.Check(
					bytes.NewReader(text),
					func(f finding.Finding) error { return errors.New(f.Message) },
				)
				if err != nil || count.Descriptors != 100_000 {
					b.Fatal(count, err)
				}
			}
		})
	}
}

func BenchmarkYAML(b *testing.B) {
	var text bytes.Buffer
	text.WriteString("version: 1\ntensors:\n")
	for i := 0; text.Len() < 4<<20-200; i++ {
		fmt.Fprintf(&text, "  tensor_%d: # %d\n    dtype: float32\n    sizes: [1, 64, 112, 112]\n    strides: "+
			"[802816, 1, 7168, 64]\n    totalBytes: 3211264\n    role: input\n", i, i)
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if f := Config(yamlTree(b, text.String()), nil); len(f.Findings) > 0 {
			b.Fatal(f.Findings[0])
		}
	}
}

// TestLongNames checks the limits of names, because repeating long names would take all memory.
func TestLongNames(t *testing.T) {
	tests := []struct {
		length int
		fault  string
		reason string
	}{
		{1024, "", "at the limit"},
		{1025, "the key is longer than 1024 bytes", "over it"},
	}
	for _, tt := range tests {
		key := strings.Repeat("k", tt.length)
		_, inYAML := doctree.YAML([]byte(key+": 1"), 9)
		for _, err := range []error{new(doctree.Tree).JSON([]byte(`{"` + key + `": 1}`)), inYAML} {
			fault := ""
			if err != nil {
				fault = err.Error()
			}
			if fault != tt.fault {
				t.Errorf("%d: %q, want %q: %s", tt.length, fault, tt.fault, tt.reason)
			}
		}
	}
}

// TestLongLineName checks that a name is cut like in tensor files.
func TestLongLineName(t *testing.T) {
	line := `{"name":"` + strings.Repeat("n", 100_000) + `","DataType":"FLOAT32","Sizes":[0]}`
	found := 0
	_, err := Lines{Judge: rules.Judge}.Check(strings.NewReader(line), func(f finding.Finding) error {
		if found++; len(f.Tensor) != 4096 {
			t.Errorf("%d bytes of the name are kept", len(f.Tensor))
		}
		return nil
	})
	if err != nil || found == 0 {
		t.Errorf("%d findings, %v", found, err)
	}
}

// TestLinesEach gives each descriptor to the caller, with its line and its name.
func TestLinesEach(t *testing.T) {
	text := "\n" + `{"name":"a","dtype":"i8","sizes":[2]}` + "\nx\n" + `{"name":"\u0062","dtype":"i8","sizes":[0,3]}`
	var have []string
	l := Lines{Judge: rules.Judge, Each: func(line int, d *descriptor.Descriptor, _ []finding.Finding) {
		have = append(have, fmt.Sprint(line, d.Name, d.Sizes))
	}}
	found, count := checkLines(t, strings.NewReader(text), l)
	if diff := cmp.Diff([]string{"2a[2]", "4b[0 3]"}, have); diff != "" || count.Descriptors != 2 || count.Lines != 4 {
		t.Errorf("%+v %s", count, diff)
	}
	if len(found) != 1 || !strings.HasPrefix(found[0], "3:1 error syntax") {
		t.Errorf("findings %q: the rules are not asked", found)
	}
}

// TestLinesReport checks that progress is reported, all findings are counted, and the most severe ones are reported.
func TestLinesReport(t *testing.T) {
	const n = 3*chunkLines + 10
	text := strings.Repeat(`{"DataType":"FLOAT32","Sizes":[1,0]}`+"\n", n)
	tests := []struct {
		most, reported int
		target         *descriptor.Target
		count          [len(finding.Severities)]int
		reason         string
	}{
		{reported: 2 * n, count: [...]int{n, 0, n}, reason: "size-zero, and that the total is computed"},
		{most: 3, reported: 4, count: [...]int{n, 0, n}, reason: "both of the first line, and two more errors"},
		{target: &descriptor.Target{}, reason: "other targets have empty tensors"},
	}
	for _, tt := range tests {
		var told []int
		l := Lines{Judge: rules.Judge, Workers: 2, Target: tt.target}
		l.Options.Quota = &finding.Quota{Most: tt.most}
		l.Progress = func(lines int) { told = append(told, lines) }
		found, count := checkLines(t, strings.NewReader(text), l)
		if len(found) != tt.reported || count.Count != tt.count || count.Descriptors != n {
			t.Errorf("%d findings are reported, %+v; want %d, %v (%s)", len(found), count, tt.reported, tt.count,
				tt.reason)
		}
		if len(told) < 4 || !slices.IsSorted(told) || told[len(told)-1] != n {
			t.Errorf("told %v of %d", told, n)
		}
	}
}

// TestLinesRefuse checks the findings about lines with an element type that the caller rejects, at their types.
func TestLinesRefuse(t *testing.T) {
	text := `{"name":"a","dtype":"i8","sizes":[2]}` + "\n" + `{"name":"b","sizes":[2],"DataType":"UINT8"}` + "\n" +
		`{"name":"c","DataType":"UINT8","Sizes":[2]}`
	l := Lines{Judge: rules.Judge, Refuse: func(d layout.DType) error {
		if d.String() == "int8" {
			return nil
		}
		return &layout.SyntaxError{Msg: "no", Hint: "remove it"}
	}}
	found, count := checkLines(t, strings.NewReader(text), l)
	if len(found) == 0 || found[len(found)-1] != "3:24 /DataTypeerror syntax [c]: no" || count.Descriptors != 1 ||
		count.Unread != 1 || count.Wrong != 1 {
		t.Errorf("%+v %q", count, found)
	}
}
