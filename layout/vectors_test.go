package layout_test

import (
	"encoding/csv"
	"encoding/json"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
)

// readJSON reads a file of testdata; testdata/README.md says who made it.
func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + path)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestOverlapVectors checks the layouts of the DirectML study, counted by brute force.
func TestOverlapVectors(t *testing.T) {
	var cases []struct {
		Name, Why                string
		Shape, Strides           []int64
		Elements, Distinct, Span int64
		MinOffset                int64 `json:"min_offset"`
		Overlap                  bool  // in the study's sense: not unique
		Witness                  []any // two indices and their offset
	}
	readJSON(t, "given/overlap_vectors.json", &cases)
	if len(cases) != 80 {
		t.Fatalf("%d cases, want 80", len(cases))
	}
	for _, c := range cases {
		l := strided(t, 0, c.Shape, c.Strides)
		f := facts.Of(l)
		if f.Elements != c.Elements || f.Span != c.Span || f.Low != c.MinOffset {
			t.Errorf("%s: %d elements, span %d from %d; want %d, %d, %d", c.Name, f.Elements, f.Span, f.Low, c.Elements, c.Span, c.MinOffset)
		}
		if !f.DistinctKnown || f.Distinct != c.Distinct {
			t.Errorf("%s: distinct %d (known %v), want %d; %s", c.Name, f.Distinct, f.DistinctKnown, c.Distinct, c.Why)
		}
		checkUnique(t, c.Name+": "+c.Why, l, !c.Overlap)
		if c.Witness != nil {
			a, b := integers(c.Witness[0]), integers(c.Witness[1])
			if fault := faultOf(&facts.Witness{A: a, B: b, Offset: int64(c.Witness[2].(float64))}, l); fault != "" {
				t.Errorf("%s: the study's %s", c.Name, fault)
			}
		}
	}
}

func integers(list any) []int64 {
	var numbers []int64
	for _, n := range list.([]any) {
		numbers = append(numbers, int64(n.(float64)))
	}
	return numbers
}

// checkUnique checks the verdict and that a witness comes with No, and only then.
func checkUnique(t *testing.T, what string, l layout.Layout, unique bool) {
	t.Helper()
	f := facts.Of(l)
	if f.Unique != verdict(unique) {
		t.Errorf("%s: unique %v, want %v", what, f.Unique, unique)
	}
	if (f.Witness == nil) != (f.Unique != facts.No) {
		t.Errorf("%s: unique %v with the witness %v", what, f.Unique, f.Witness)
	}
	if f.Witness != nil {
		if fault := faultOf(f.Witness, l); fault != "" {
			t.Errorf("%s: %s", what, fault)
		}
	}
}

// TestOverlapAgreesWithNumPy checks layouts that gen_overlap.py counted and NumPy's exact solver
// judged.
func TestOverlapAgreesWithNumPy(t *testing.T) {
	var cases []struct {
		Sizes, Strides             []int64
		Low, High, Distinct, Worst int64
		Unique                     bool
	}
	readJSON(t, "overlap.json", &cases)
	if len(cases) < 500 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, c := range cases {
		l := strided(t, 0, c.Sizes, c.Strides)
		f := facts.Of(l)
		if f.Low != c.Low || f.High != c.High || !f.DistinctKnown || f.Distinct != c.Distinct {
			t.Errorf("%v: offsets %d to %d, distinct %d; want %d to %d, %d", l, f.Low, f.High, f.Distinct, c.Low, c.High, c.Distinct)
		}
		checkUnique(t, l.String(), l, c.Unique)
		if worst := mostAtOneOffset(l); worst != c.Worst {
			t.Errorf("%v: up to %d elements at one offset, want %d", l, worst, c.Worst)
		}
	}
}

func mostAtOneOffset(l layout.Layout) int64 {
	most, inverse := int64(0), facts.NewInverse(l)
	low, high := l.Bounds()
	for offset := low; offset <= high; offset++ {
		most = max(most, inverse.At(offset, 0).Count)
	}
	return most
}

// TestContiguityAgreesWithPyTorch checks the given answers of PyTorch and those that
// gen_contiguity.py asked for.
func TestContiguityAgreesWithPyTorch(t *testing.T) {
	type answer struct {
		Sizes, Strides                           []int64
		Contiguous, ChannelsLast, ChannelsLast3D bool
	}
	var given struct{ Cases []answer }
	var own []answer
	readJSON(t, "given/contiguity.json", &given)
	readJSON(t, "contiguity.json", &own)
	if len(given.Cases) != 800 || len(own) < 300 {
		t.Fatalf("%d given and %d own cases", len(given.Cases), len(own))
	}
	for _, c := range append(given.Cases, own...) {
		f := facts.Of(strided(t, 0, c.Sizes, c.Strides))
		if f.Contiguous != c.Contiguous || f.ChannelsLast != (c.ChannelsLast || c.ChannelsLast3D) {
			t.Errorf("%v:%v: contiguous %v, channels_last %v; PyTorch says %+v", c.Sizes, c.Strides, f.Contiguous, f.ChannelsLast, c)
		}
	}
}

// TestCalcVectors checks buffer sizes against the true ones and against what three generations
// of DirectML's helper answer.
func TestCalcVectors(t *testing.T) {
	for _, row := range readRows(t, "given/calc_vectors.tsv") {
		shape, strides, reason := row[1], row[2], row[len(row)-1]
		line := strings.ReplaceAll(shape, " ", "") + " -t " + row[0]
		if strides != "null" {
			line += " --strides " + strings.ReplaceAll(strides, " ", "")
		}
		x, err := describe(line)
		bytes, _ := new(big.Int).SetString(row[4], 10)
		if !bytes.IsInt64() {
			if e := wantOverflow(t, line, err, row[3]); !strings.Contains(e.Hint, row[4]) {
				t.Errorf("%s: the hint %q does not say %s bytes; %s", line, e.Hint, row[4], reason)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v; %s", line, err, reason)
			continue
		}
		checkCalc(t, line+"; "+reason, x, row)
	}
}

func checkCalc(t *testing.T, what string, x layout.Tensor, row []string) {
	t.Helper()
	f := facts.Of(x.Layout())
	for i, got := range map[int]int64{3: f.Span, 4: x.BufferBytes(), 8: f.Elements} {
		if strconv.FormatInt(got, 10) != row[i] {
			t.Errorf("%s: column %d is %d, want %s", what, i, got, row[i])
		}
	}
	var want facts.HelperSizes
	for i, g := range []*uint64{&want.G2019, &want.G2022, &want.G2024} {
		*g, _ = strconv.ParseUint(row[5+i], 10, 64)
	}
	need := uint64(x.BufferBytes())
	got, differs := facts.DirectMLHelper(x)
	if differs != (want != facts.HelperSizes{G2019: need, G2022: need, G2024: need}) || differs && got != want {
		t.Errorf("%s: the helper answers %+v (differs %v), want %+v", what, got, differs, want)
	}
}

// readRows reads a table without its head.
func readRows(t *testing.T, path string) [][]string {
	t.Helper()
	file, err := os.Open("testdata/" + path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r := csv.NewReader(file)
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil || len(rows) < 49 {
		t.Fatalf("%s: %d rows, %v", path, len(rows), err)
	}
	return rows[1:]
}

// TestMemoryFormatTable is the table of notations.md 7.4, and its strides of 7.2.
func TestMemoryFormatTable(t *testing.T) {
	tests := []struct {
		sizes, strides           string
		contiguous, channelsLast bool
		reason                   string
	}{
		{"2,3,4,5", "60,20,5,1", true, false, "NCHW"},
		{"2,3,4,5", "60,1,15,3", false, true, "NHWC"},
		{"2,1,4,5", "20,20,5,1", true, true, "one channel: its stride does not matter"},
		{"2,1,4,5", "20,1,5,1", true, true, "the same in NHWC's strides"},
		{"2,3,1,1", "3,1,1,1", true, true, "one pixel"},
		{"2,3,1,1", "3,1,3,3", true, true, "one pixel, NHWC's strides"},
		{"4,1,1,1", "1,1,1,1", true, true, "only N counts"},
		{"4,1,1,1", "7,7,7,7", false, false, "N is not packed"},
		{"8,1,8,1", "8,1,1,1", true, true, "N and H only"},
		{"1,8,1,8", "64,1,64,8", false, true, "W strides over C"},
		{"1,3,4,5", "0,1,15,3", false, true, "the stride 0 is of a size-1 axis"},
		{"2,3,4,5", "120,2,30,6", false, false, "every stride is doubled"},
		{"2,3,4,5,6", "360,1,90,18,3", false, true, "NDHWC, channels_last_3d"},
		{"2,3,4", "12,1,3", false, false, "rank 3 has no channels_last"},
		{"2,3", "1,2", false, false, "column-major"},
		{"2,3", "0,1", false, false, "broadcast"},
		{"0,3", "7,5", true, false, "no elements: contiguous whatever the strides"},
		{"1", "7", true, false, "one element"},
		{"3", "2", false, false, "gaps"},
		{"", "", true, false, "a scalar"},
	}
	for _, tt := range tests {
		f := facts.Of(strided(t, 0, numbers(t, tt.sizes), numbers(t, tt.strides)))
		if f.Contiguous != tt.contiguous || f.ChannelsLast != tt.channelsLast {
			t.Errorf("%s:%s: contiguous %v, channels_last %v, want %v, %v; %s", tt.sizes, tt.strides, f.Contiguous, f.ChannelsLast, tt.contiguous, tt.channelsLast, tt.reason)
		}
	}
	l := strided(t, 1, []int64{2, 3}, []int64{4, 2}) // as_strided of arange(20)
	var values []int64
	for _, offset := range l.All() {
		values = append(values, offset)
	}
	if !slices.Equal(values, []int64{1, 3, 5, 5, 7, 9}) {
		t.Errorf("as_strided at offset 1 reads %v", values)
	}
}

// TestNotationVectors are the tables of notations.md 1.5, 2.8, 3 and 7.2. Storage counts
// elements, with the padding of blocks.
func TestNotationVectors(t *testing.T) {
	tests := []struct {
		line    string
		strides string // of the outermost digits
		storage int64
		offsets string // index -> offset; ...
		reason  string
	}{
		{"2,3,4,5 nchw", "60,20,5,1", 120, "1,2,3,4->119 1,0,0,0->60", "oneDNN run, 1.5"},
		{"2,3,4,5 nhwc", "60,1,15,3", 120, "1,2,3,4->119 0,1,0,0->1", "oneDNN run, 1.5"},
		{"2,3,4,5 acdb", "60,1,15,3", 120, "1,2,3,4->119 0,1,0,0->1", "acdb is nhwc"},
		{"2,3,4,5 chwn", "1,40,10,2", 120, "1,2,3,4->119", "oneDNN run, 1.5"},
		{"2,3,4,5,6 ndhwc", "360,1,90,18,3", 720, "1,2,3,4,5->719", "oneDNN run, 1.5"},
		{"8,4,3,2 hwio", "1,8,64,32", 192, "7,3,2,1->191 1,2,0,1->49", "sizes in the order O,I,H,W"},
		{"7,2,5 ntc", "5,35,1", 70, "6,1,4->69 1,0,0->5", "sizes in the order T,N,C"},
		{"1,1,1,1 nhwc", "1,1,1,1", 1, "0,0,0,0->0", "oneDNN run, 1.5"},
		{"5,8,0,2 acdb", "16,1,16,8", 0, "", "a size of 0 is skipped in the product"},

		{"1,3,2,2 nChw16c", "64,64,32,16", 64, "0,2,1,1->50 0,0,0,1->16", "2.8: 256 bytes"},
		{"1,3,2,2 aBcd16b", "64,64,32,16", 64, "0,2,1,1->50 0,0,0,1->16", "the same in abcd"},
		{"2,17,4,5 nChw16c", "640,320,80,16", 1280, "1,16,3,4->1264 0,16,0,0->320", "2.8: 5120 bytes"},
		{"2,17,3,3 nChw8c", "216,72,24,8", 432, "1,16,2,2->424", "2.8: 1728 bytes"},
		{"32,16,3,3 OIhw4i16o4i", "2304,2304,768,256", 4608, "17,5,1,2->3653 1,0,0,0->4 0,4,0,0->64 0,1,0,0->1", "2.8: 18432 bytes"},
		{"32,16,3,3 ABcd4b16a4b", "2304,2304,768,256", 4608, "17,5,1,2->3653 1,0,0,0->4 0,4,0,0->64 0,1,0,0->1", "the same in abcd"},
		{"20,3,1,1 OIhw4i16o4i", "256,256,256,256", 512, "19,2,0,0->270", "2.8: 2048 bytes"},
		{"17,33,2,2 ABcd16a16b", "3072,1024,512,256", 6144, "16,32,1,1->5888 0,1,0,0->1 1,0,0,0->16", "2.8: 24576 bytes"},
		{"17,33,2,2 ABcd16b16a", "3072,1024,512,256", 6144, "0,1,0,0->16 1,0,0,0->1", "the last block is innermost"},
		{"16,16,1,1 OIhw8i16o2i", "256,256,256,256", 256, "3,5,0,0->71", "2.8: 1024 bytes"},
		{"40,20 BA16a16b4a", "1024,1024", 2048, "39,19->1615 4,0->64 1,0->1", "2.8: 8192 bytes"},
		{"2,8,8,1,1 gOIhw8i8o", "64,64,64,64,64", 128, "1,2,3,0,0->90", "2.8: 512 bytes"},
		{"64,16,3,3 OhwI32o", "4608,32,1536,512", 9216, "33,5,1,1->6817", "the capital I has no block"},
		{"64,16,3,3 Acdb32a", "4608,32,1536,512", 9216, "33,5,1,1->6817", "the same in abcd"},
		{"0,3,2,2 nChw16c", "64,64,32,16", 0, "", "2.8: 0 bytes"},
		{"2,0,2,2 nChw16c", "64,64,32,16", 0, "", "2.8: 0 bytes"},
		{"1,1,1,1 nChw16c", "16,16,16,16", 16, "0,0,0,0->0", "2.4: one whole block"},
		{"7,5 Ab3a", "15,3", 45, "4,2->22", "2.8: 180 bytes"},
		{"5,7 AB2a3b", "18,6", 54, "3,5->29", "2.8: 216 bytes"},

		{"1,32,7,7 NCHW16c", "", 1568, "0,18,6,6->1554", "TVM, 3.1"},
		{"1,3,2,2 NCHW4c", "", 16, "0,2,1,1->14", "TVM, 3.1; TensorRT's kCHW4"},
		{"32,32,1,1 OIHW16i16o", "", 1024, "17,5,0,0->593", "TVM, 3.1"},
		{"N=1,H=8,W=4,C=32 NHWC8h2w32c2w", "", 1024, "0,7,5,3->719", "Hexagon, 3.1; the index in the order N,C,H,W"},
		{"N=1,H=16,W=8,C=64 NHWC8h2w32c2w", "", 8192, "0,33,9,6->7362", "Hexagon, 3.1"},
		{"1,12,2,2 NCHW8c", "", 64, "0,9,1,0->49", "ONNX Runtime, 3.2"},
		{"16,8,3,3 OIHW8i8o", "", 1152, "9,5,1,2->937", "ONNX Runtime's OIHWBiBo, 3.2"},

		{"1,3,2,2 NCHW2c", "", 16, "0,2,1,1->14", "kCHW2, 3.3"},
		{"2,3,4,5 NHWC8c", "", 320, "1,2,3,4->314", "kHWC8, 3.3: C is rounded up to 8"},
		{"1,40,2,2 NCHW32c", "", 256, "0,39,1,1->231", "kCHW32, 3.3"},
		{"2,5,33,2,2 MNCHW16c", "", 1920, "1,4,32,1,1->1904", "kCHW16 of rank 5, 3.3: M has no canonical place"},
		{"1,40,2,2,2 NCDHW32c", "", 512, "0,33,1,0,1->417", "kCDHW32, 3.3"},
		{"1,3,2,2,2 NDHWC8c", "", 64, "0,2,1,0,1->42", "kDHWC8, 3.3"},
		{"1,3,4,5 NHWC", "60,1,15,3", 60, "0,2,3,4->59", "kHWC, 3.3"},
		{"1,2,3,5 NCHW32w", "", 192, "0,1,2,4->164", "kDLA_LINEAR in fp16, 3.3: W is rounded up to 32"},
		{"1,3,2,5 NHWC16w4c", "", 128, "0,2,1,4->82", "kDLA_HWC4 in int8, 3.3"},
		{"1,8,3,3 NCHW4c", "", 72, "0,6,2,1->66", "cuDNN's INT8x4, 3.4"},
		{"1,64,2,2 NCHW32c", "", 256, "0,33,1,0->193", "cuDNN's INT8x32, 3.4"},
		{"1,3,2,2 NCHW1c", "", 12, "0,2,1,1->11", "NC/1HW1 is NCHW, 3.4"},
		{"1,16,1,1 NCHW16c", "", 16, "0,5,0,0->5", "NC/16HW16 of 16 channels, 3.4"},
		{"1,17,2,2 NCHW16c", "", 128, "0,16,1,1->112", "NC1HWC0, 3.4"},

		{"2,0,4 contiguous", "4,4,1", 0, "", "7.2: the next stride is the last times max(size, 1)"},
		{"2,3,0,4 channels_last", "0,1,12,3", 0, "", "7.2: no max here"},
		{"2,3,4,5,6 channels_last_3d", "360,1,90,18,3", 720, "1,2,3,4,5->719", "7.2: C, W, H, D, N"},
	}
	for _, tt := range tests {
		x := tensor(t, tt.line)
		if got := outerStrides(x.Layout()); tt.strides != "" && got != tt.strides {
			t.Errorf("%s: strides %s, want %s; %s", tt.line, got, tt.strides, tt.reason)
		}
		if x.Storage() != tt.storage {
			t.Errorf("%s: storage of %d elements, want %d; %s", tt.line, x.Storage(), tt.storage, tt.reason)
		}
		for arrow := range strings.FieldsSeq(tt.offsets) {
			index, offset, _ := strings.Cut(arrow, "->")
			checkOffset(t, tt.line+"; "+tt.reason, x.Layout(), numbers(t, index), numbers(t, offset)[0])
		}
	}
}

func outerStrides(l layout.Layout) string {
	var strides []int64
	for i := range l.Rank() {
		strides = append(strides, l.Axis(i).Digit(0).Stride)
	}
	return commas(strides)
}

// checkOffset goes from an index to its offset and back.
func checkOffset(t *testing.T, what string, l layout.Layout, index []int64, want int64) {
	t.Helper()
	if got, err := l.Offset(index); err != nil || got != want {
		t.Errorf("%s: %v is at %d, %v; want %d", what, index, got, err, want)
	}
	found := facts.NewInverse(l).At(want, 10).Indices
	if !slices.ContainsFunc(found, func(i []int64) bool { return slices.Equal(i, index) }) {
		t.Errorf("%s: at %d are %v, not %v", what, want, found, index)
	}
}
