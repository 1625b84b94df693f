package notation

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
)

// TestExamples checks that each notation reads its own example, that no other one claims it, and that it is read
// without naming the notation. DLPack in C and as JSON are read by one function.
func TestExamples(t *testing.T) {
	for _, n := range readers() {
		want, err := n.Read(n.Doc().Example, Options{})
		if err != nil || len(want) == 0 {
			t.Errorf("%s does not read its example %s: %v", n.Name, n.Doc().Example, err)
			continue
		}
		for _, other := range readers() {
			twins := n.system() == other.system()
			if takes := other.takes(n.Doc().Example); takes != (other == n) && !twins {
				t.Errorf("%s takes the example of %s: %v", other.Name, n.Name, takes)
			}
		}
		if got, err := Read(n.Doc().Example, Options{}); err != nil || !same(got, want) {
			t.Errorf("%s: the example alone is read as %v, %v", n.Name, got, err)
		}
		if !Recognises(n.Doc().Example) {
			t.Errorf("%s: the example is not recognised", n.Name)
		}
	}
}

// TestRecognised has strings that are read without naming their notation.
func TestRecognised(t *testing.T) {
	for _, tt := range []struct{ text, notation, reason string }{
		{"torch.Size([2, 3]) (5, 1)", "pytorch", "as PyTorch prints sizes and strides"},
		{"size=(2, 3), stride=(5, 1)", "pytorch", "PyTorch's names"},
		{"x.as_strided((2, 3), (5, 1), 4)", "pytorch", "a method"},
		{"np.zeros((2, 3), 'i4')", "numpy", "NumPy's module"},
		{"shape=(2, 3), strides=(20, 4), dtype='<f4'", "numpy", "NumPy's names"},
		{"{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", "numpy-interface", "the header of an .npy file"},
		{"{'data': (94301, False), 'strides': None, 'descr': [('', '<f4')], 'typestr': '<f4', 'shape': (2, 3), " +
			"'version': 3}", "numpy-interface", "__array_interface__"},
		{`Tensor "f32[2, 3][5, 1]cuda:0"`, "fx", "a graph dump"},
		{"(4,(2,2)):(2,(1,8))", "cute", "CuTe in C++"},
		{"(4, (2, 2)):(2, (1, 8))", "cute", "pycute"},
		{"(8):(2)", "cute", "depth 1"},
		{"dml::TensorDesc{ DML_TENSOR_DATA_TYPE_FLOAT32, {1, 2, 3, 4} }", "dml", "DirectMLX"},
		{"sizes = {2, 3}\n$1 = {DataType = DML_TENSOR_DATA_TYPE_FLOAT32, DimensionCount = 2, Sizes = 0x5581c010 " +
			"<sizes>, Strides = 0x0}", "dml", "gdb"},
		{"std::extents<int, 2, 3>, {5, 1}", "mdspan", "extents and strides"},
		{`{"shape": [2, 3], "strides": null, "dtype": [2, 32, 1], "byte_offset": 8}`, "dlpack-json", "JSON"},
		{"ne = {3, 2}, nb = {4, 20}", "ggml", "without a type"},
		{"1x3x224x224 NHWC", "name", "a shape and a name"},
		{"N=1,H=2,W=2,C=3 NHWC", "name", "labelled sizes"},
		{"torch.Size([1, 3, 4, 5]) NHWC", "name", "PyTorch's shape and a name"},
	} {
		want, err := notationOf(t, tt.notation).Read(tt.text, Options{})
		if err != nil {
			t.Errorf("%s: %s: %v; %s", tt.notation, tt.text, err, tt.reason)
			continue
		}
		if got, err := Read(tt.text, Options{}); err != nil || !same(got, want) {
			t.Errorf("%s alone is read as %v, %v, want %s's reading; %s", tt.text, got, err, tt.notation, tt.reason)
		}
	}
}

// TestAmbiguous checks that the error names both notations if two notations read an input and differ.
func TestAmbiguous(t *testing.T) {
	const pair = "(2,3) (12,4)"
	_, err := Read(pair, Options{})
	var syntax *layout.SyntaxError
	if !errors.As(err, &syntax) {
		t.Fatalf("%s is read, %v", pair, err)
	}
	for _, want := range []string{"pytorch", "numpy"} {
		if !strings.Contains(syntax.Msg, want) || !strings.Contains(syntax.Hint, "--from "+want) {
			t.Errorf("%q, hint %q, do not name %s", syntax.Msg, syntax.Hint, want)
		}
	}
	for _, tt := range []struct{ name, want string }{{"pytorch", "2,3 @ 12,4"}, {"mdspan", "2,3 @ 12,4"},
		{"numpy", "2,3 @ 3,1"}} {
		if d, err := single(t, tt.name, pair, Options{Typed: true}); err != nil || meaning(d) != tt.want {
			t.Errorf("--from %s: %s means %s, %v, want %s", tt.name, pair, meaning(d), err, tt.want)
		}
	}
	bytes, err := layout.ParseDType("int8")
	if err != nil {
		t.Fatal(err)
	}
	found, err := Read(pair, Options{DType: bytes})
	if err != nil || len(found) != 1 || meaning(found[0]) != "2,3 @ 12,4" {
		t.Errorf("bytes are elements of int8: %v, %v", found, err)
	}
	found, err = Read("(2,3) (5,1)", Options{})
	if err != nil || len(found) != 1 || meaning(found[0]) != "2,3 @ 5,1" {
		t.Errorf("5 bytes are not a float32, so that only elements are left: %v, %v", found, err)
	}
}

// TestNoNotation has strings that are shapes, strides, names, or nothing of ours.
func TestNoNotation(t *testing.T) {
	for _, text := range []string{
		"", " ", "1x3x224x224", "1,3,224,224", "[1, 3, 224, 224]", "(1, 3, 224, 224)", "{1,3,224,224}", "[]", "()", "7",
		"-1", "15,1,5,1",
		"N=1,C=3,H=224,W=224", "plane=2,row=3", "lane=3,b=4", "NHWC", "nChw16c", "channels_last", "row-major",
		"NC/32HW32",
		"hello", "hello world", "a.bin", "model.json", "./model.onnx", `C:\tensors\a.npy`, "-", "float32", "{}",
		`{"a": 1}`, "2 3", "1x3 224",
	} {
		if Recognises(text) {
			t.Errorf("%q is taken for a notation", text)
		}
		found, err := Read(text, Options{})
		var syntax *layout.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(syntax.Msg, "not recognized as a tensor") ||
			syntax.Hint == "" {
			t.Errorf("%q is read as %v, %v", text, found, err)
		}
	}
	_, err := Read(strings.Repeat("(", lexer.MaxText+1), Options{})
	if err == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("a long text: %v", err)
	}
}

// TestFind: names of notations are known in any case, and near ones are suggested.
func TestFind(t *testing.T) {
	for _, n := range All() {
		if got, err := Find(strings.ToUpper(n.Name)); got != n || err != nil {
			t.Errorf("%s: %v, %v", n.Name, got, err)
		}
	}
	for text, want := range map[string]string{"pytorhc": "pytorch", "directx": "one of name",
		"dxdispach": "dxdispatch"} {
		var syntax *layout.SyntaxError
		if _, err := Find(text); !errors.As(err, &syntax) || !strings.Contains(syntax.Hint, want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestDims: --dim gives the places marked ? their values, in order, neither too few nor too many.
func TestDims(t *testing.T) {
	for _, tt := range []struct {
		notation, text string
		dims           []int64
		want, fault    string
		reason         string
	}{
		{notation: "cute", text: "(4,?):(?,1)", dims: []int64{5, 8}, want: "4,5 @ 8,1", reason: "a size and a stride"},
		{notation: "cute", text: "(4,?):(?,1)", fault: "the first ?", reason: "none"},
		{notation: "cute", text: "(4,?):(?,1)", dims: []int64{5}, fault: "the second ?", reason: "one too few"},
		{notation: "cute", text: "(4,?):(?,1)", dims: []int64{5, 8, 9}, fault: "--dim has 3 values, the text 2 places",
			reason: "one too many"},
		{notation: "cute", text: "(4,5):(5,1)", dims: []int64{1}, fault: "--dim has 1 value, the text 0 places",
			reason: "nothing to fill"},
		{notation: "cute", text: "(4,?):(?,1)", dims: []int64{5, -8}, want: "4,5 @ -8,1", reason: "a negative stride"},
		{notation: "cute", text: "(4,?):(?,1)", dims: []int64{-5, 8}, fault: "negative", reason: "a negative size"},
		{notation: "fx", text: "f32[?, 3][?, 1]cpu", dims: []int64{2, 5}, want: "float32 2,3 @ 5,1",
			reason: "in brackets"},
		{notation: "pytorch", text: "torch.empty_strided((?, 3), (5, 1))", dims: []int64{2}, want: "2,3 @ 5,1",
			reason: "in a call"},
		{notation: "numpy", text: "np.zeros((?, 3), '<f4')", dims: []int64{2}, want: "float32 2,3 @ 3,1",
			reason: "in a call"},
		{notation: "mdspan", text: "std::extents<int, ?, 3>, {?, 1}", dims: []int64{2, 5}, want: "2,3 @ 5,1",
			reason: "an extent"},
		{notation: "dml",
			text: "UINT s[] = {?, 3}; DML_BUFFER_TENSOR_DESC d = { DML_TENSOR_DATA_TYPE_FLOAT32, " +
				"DML_TENSOR_FLAG_NONE, 2, s, nullptr, 0, 0 };", dims: []int64{2}, want: "float32 2,3 @ 3,1",
			reason: "in an array"},
		{notation: "dlpack-json", text: `{"shape": [?, 3], "dtype": [2, 32, 1]}`, dims: []int64{2},
			want: "float32 2,3 @ 3,1", reason: "in JSON"},
		{notation: "ggml", text: "ne = {3, ?}", dims: []int64{2}, want: "2,3 @ 3,1", reason: "the outer size"},
		{notation: "pytorch", text: "torch.empty((?, ?, ?, ?))", dims: []int64{1, 2, 3}, fault: "the 4th ?",
			reason: "counting on"},
	} {
		d, err := single(t, tt.notation, tt.text, Options{Dims: tt.dims})
		var syntax *layout.SyntaxError
		switch {
		case tt.fault == "" && (err != nil || meaning(d) != tt.want):
			t.Errorf("%s with %v means %s, %v, want %s; %s", tt.text, tt.dims, meaning(d), err, tt.want, tt.reason)
		case tt.fault != "" && (!errors.As(err, &syntax) || !strings.Contains(syntax.Msg+"; "+syntax.Hint, tt.fault)):
			t.Errorf("%s with %v: %v, want %s; %s", tt.text, tt.dims, err, tt.fault, tt.reason)
		}
	}
}

// lossSamples are tensors that some notation cannot express, and one that all can.
func lossSamples(t *testing.T) map[string]layout.Tensor {
	two := []int64{2, 3}
	twos := func(rank int) layout.Tensor { return laidOut(t, strings.Repeat("2,", rank), "row-major") }
	return map[string]layout.Tensor{
		"packed":      plainTensor(t, "float32", 0, two, []int64{3, 1}),
		"base":        plainTensor(t, "float32", 5, two, []int64{3, 1}),
		"flipped":     plainTensor(t, "float32", 3, two, []int64{-3, 1}),
		"before":      plainTensor(t, "float32", 0, two, []int64{-3, 1}),
		"broadcast":   plainTensor(t, "float32", 0, two, []int64{0, 1}),
		"padded":      plainTensor(t, "float32", 0, two, []int64{5, 1}),
		"overlap":     plainTensor(t, "float32", 0, []int64{3, 3}, []int64{1, 1}),
		"interleaved": plainTensor(t, "float32", 0, two, []int64{3, 2}),
		"blocks":      laidOut(t, "1x32x2x2", "nChw16c"),
		"partial":     laidOut(t, "1x17x2x2", "nChw16c"),
		"empty":       plainTensor(t, "float32", 0, []int64{0, 3}, []int64{3, 1}),
		"scalar":      plainTensor(t, "float32", 0, nil, nil),
		"rank 5":      twos(5),
		"rank 9":      twos(9),
		"rank 30":     twos(30),
		"wide":        plainTensor(t, "float32", 0, two, []int64{1 << 32, 1}),
		"bfloat16":    plainTensor(t, "bfloat16", 0, two, []int64{3, 1}),
		"float8":      plainTensor(t, "float8_e5m2", 0, two, []int64{3, 1}),
		"int4":        plainTensor(t, "int4", 0, two, []int64{3, 1}),
		"nibble":      plainTensor(t, "int4", 1, two, []int64{3, 1}),
		"complex64":   plainTensor(t, "complex64", 0, two, []int64{3, 1}),
		"uint32":      plainTensor(t, "uint32", 0, two, []int64{3, 1}),
		"unknown":     plainTensor(t, "unknown", 0, two, []int64{3, 1}),
	}
}

// losses has the reasons why each notation cannot express certain samples, according to the table of notations and
// their abilities. A notation writes all other samples.
func losses() map[string]map[string]string {
	numpy := map[string]string{
		"before": "starts at offset 0", "blocks": "axis C needs several", "partial": "axis C needs several",
		"bfloat16": "no type bfloat16", "float8": "no type float8_e5m2", "int4": "no type int4",
		"nibble": "no type int4", "unknown": "no type unknown",
	}
	directML := map[string]string{
		"base": "index 0 lies at 5", "flipped": "index 0 lies at 3", "nibble": "index 0 lies at 1",
		"before": "axis 0 is -3", "blocks": "axis C needs several", "partial": "axis C needs several",
		"empty": "axis 0 is 0", "scalar": "at least one axis", "rank 9": "at most 8 axes", "rank 30": "at most 8 axes",
		"wide":     "32 bits",
		"bfloat16": "no type bfloat16", "float8": "no type float8_e5m2", "complex64": "no type complex64",
	}
	dlpack := map[string]string{"blocks": "axis C needs several", "partial": "axis C needs several",
		"nibble": "whole bytes", "unknown": "no type unknown"}
	return map[string]map[string]string{
		"name": {
			"base": "index 0 lies at 5", "flipped": "index 0 lies at 3", "nibble": "index 0 lies at 1",
			"before": "not -3", "broadcast": "not 0", "padded": "not 5", "overlap": "not 1",
			"interleaved": "not 2", "wide": "not 4294967296",
		},
		"pytorch": {
			"flipped": "axis 0 is -3", "before": "axis 0 is -3", "blocks": "axis C needs several",
			"partial": "axis C needs several", "unknown": "no type unknown", "int4": "no type int4",
			"nibble": "no type int4",
		},
		"fx": {
			"base": "index 0 lies at 5", "flipped": "index 0 lies at 3", "nibble": "index 0 lies at 1",
			"before": "axis 0 is -3", "blocks": "axis C needs several", "partial": "axis C needs several",
			"int4": "no type int4", "unknown": "no type unknown",
		},
		"cute": {"base": "here it is 5", "flipped": "here it is 3", "nibble": "here it is 1",
			"partial": "axis C, of size 17, does not fill"},
		"numpy":           numpy,
		"numpy-interface": numpy,
		"dml":             directML,
		"dxdispatch":      directML,
		"mdspan": {
			"base": "index 0 lies at 5", "flipped": "index 0 lies at 3", "nibble": "index 0 lies at 1",
			"before": "axis 0 is -3", "broadcast": "axis 0 is broadcast", "overlap": "must exceed",
			"interleaved": "axis 0 does not", "blocks": "axis C needs several", "partial": "axis C needs several",
		},
		"dlpack":      dlpack,
		"dlpack-json": dlpack,
		"ggml": {
			"base": "index 0 lies at 5", "flipped": "index 0 lies at 3", "nibble": "index 0 lies at 1",
			"before": "axis 0 is -3", "blocks": "axis C needs several", "partial": "axis C needs several",
			"rank 5": "at most 4 axes", "rank 9": "at most 4 axes", "rank 30": "at most 4 axes",
			"float8": "no type float8_e5m2", "int4": "no type int4", "complex64": "no type complex64",
			"uint32": "no type uint32", "unknown": "no type unknown",
		},
	}
}

// TestLosses checks that a notation rejects a sample that it cannot express, with the reason. It must write all other
// samples so that they read back as the same.
func TestLosses(t *testing.T) {
	samples := lossSamples(t)
	for name, table := range losses() {
		n := notationOf(t, name)
		for sample, x := range samples {
			text, err := n.Write(x)
			want, refused := table[sample]
			var loss *LossError
			switch {
			case refused && !errors.As(err, &loss):
				t.Errorf("%s: %s is written %s, %v, want a loss of %q", name, sample, text, err, want)
			case refused && (!strings.Contains(loss.Error(), want) || loss.Notation != n ||
				!strings.HasPrefix(loss.Error(), "cannot write this as "+name+": ")):
				t.Errorf("%s: %s: %q, want %q", name, sample, loss.Error(), want)
			case !refused && err != nil:
				t.Errorf("%s: %s: %v", name, sample, err)
			case !refused:
				checkRoundTrip(t, n, x)
			}
		}
	}
}

// TestLossHints checks that the hint names the notations in the table that can express the sample.
func TestLossHints(t *testing.T) {
	samples, tables := lossSamples(t), losses()
	for _, table := range tables {
		for sample := range table {
			hint := (&LossError{tensor: samples[sample]}).Hint()
			named := strings.Split(strings.TrimPrefix(hint, "these can: "), ", ")
			for name, other := range tables {
				if _, cannot := other[sample]; slices.Contains(named, name) == cannot {
					t.Errorf("%s: %q, though %s can: %v", sample, hint, name, !cannot)
				}
			}
		}
	}
}

// TestLossHintSaysNone: blocks that are not full and lie elsewhere than at offset 0, of a type
// that no notation has.
func TestLossHintSaysNone(t *testing.T) {
	l, err := layout.New(1, layout.NewAxis("", 5, layout.Digit{Extent: 3, Stride: -7},
		layout.Digit{Extent: 2, Stride: 3}))
	if err != nil {
		t.Fatal(err)
	}
	x := ofType(t, "unknown", l)
	for _, n := range All() {
		if text, err := n.Write(x); err == nil {
			t.Errorf("%s writes %s", n.Name, text)
		}
	}
	if hint := (&LossError{tensor: x}).Hint(); hint != "no notation can" {
		t.Errorf("the hint is %q", hint)
	}
}

// TestSizesRefuse checks that a notation has no figures for a layout that it cannot express.
func TestSizesRefuse(t *testing.T) {
	_, err := figures(notationOf(t, "dml"), lossSamples(t)["base"])
	var loss *LossError
	if !errors.As(err, &loss) {
		t.Errorf("DirectML's size of a tensor with a storage offset: %v", err)
	}
	sizes, err := figures(notationOf(t, "name"), lossSamples(t)["packed"])
	if err != nil || len(sizes) != 1 || sizes[0] != (Size{"span", 6, 24}) {
		t.Errorf("a notation without figures of its own has %v, %v, want our span", sizes, err)
	}
}

// A slowMap is where every element of a small tensor lies, and nothing else of its layout.
type slowMap struct {
	layout.DType
	sizes, offsets []int64
	low            int64
}

// anySlowMap draws a tensor with elements, and looks at each.
func anySlowMap(t *rapid.T) (x layout.Tensor, m slowMap) {
	x = anyTensor(t)
	m = slowMap{DType: x.DType(), sizes: x.Layout().Sizes(), offsets: offsets(t, x.Layout())}
	if m.offsets != nil {
		m.low = slices.Min(m.offsets)
	}
	return x, m
}

// steps returns how far the first steps along each axis lead, 0 where there is one index.
func (m slowMap) steps() []int64 {
	steps, weight := make([]int64, len(m.sizes)), len(m.offsets)
	for i, size := range m.sizes {
		if weight /= int(size); size > 1 {
			steps[i] = m.offsets[weight] - m.offsets[0]
		}
	}
	return steps
}

// along returns the distances from index 0 along an axis.
func (m slowMap) along(axis int) []int64 {
	weight := 1
	for _, size := range m.sizes[axis+1:] {
		weight *= int(size)
	}
	distances := make([]int64, m.sizes[axis])
	for i := range distances {
		distances[i] = m.offsets[i*weight] - m.offsets[0]
	}
	return distances
}

// linear reports whether one stride for each axis leads to all elements.
func (m slowMap) linear() bool {
	steps := m.steps()
	for e, offset := range m.offsets {
		want := m.offsets[0]
		for i := len(m.sizes) - 1; i >= 0; i-- {
			want += int64(e) % m.sizes[i] * steps[i]
			e /= int(m.sizes[i])
		}
		if offset != want {
			return false
		}
	}
	return true
}

// forward is linear with strides of at least some number, where there are two indices.
func (m slowMap) forward(least int64) bool {
	for i, step := range m.steps() {
		if m.sizes[i] > 1 && step < least {
			return false
		}
	}
	return m.linear()
}

// disjoint reports whether every stride is at least the range of the axis with the next smaller stride.
func (m slowMap) disjoint() bool {
	steps, order := m.steps(), []int{}
	for i, size := range m.sizes {
		if size > 1 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(steps[a], steps[b]), cmp.Compare(m.sizes[a], m.sizes[b]))
	})
	next := int64(1)
	for _, i := range order {
		if steps[i] < next {
			return false
		}
		next = steps[i] * m.sizes[i]
	}
	return m.linear()
}

// countable reports whether the distances are those of full digits: whether some number of them
// comes again and again, from distances that are such themselves.
func countable(distances []int64) bool {
	n := len(distances)
	for inner := 2; inner <= n; inner++ {
		if n%inner != 0 || !isRun(distances[:inner]) {
			continue
		}
		outer, repeats := make([]int64, n/inner), true
		for i, distance := range distances {
			outer[i/inner] = distances[i/inner*inner]
			repeats = repeats && distance == outer[i/inner]+distances[i%inner]
		}
		if repeats && countable(outer) {
			return true
		}
	}
	return n == 1
}

func isRun(distances []int64) bool {
	for i, distance := range distances {
		if distance != int64(i)*distances[1] {
			return false
		}
	}
	return true
}

// nests reports whether every axis is of full digits.
func (m slowMap) nests() bool {
	for i := range m.sizes {
		if !countable(m.along(i)) {
			return false
		}
	}
	return true
}

// runs returns the full digits of an axis, the innermost first; ok is false where there are none
// such, or a greater digit takes lesser steps.
func (m slowMap) runs(axis int) (digits []layout.Digit, ok bool) {
	for distances := m.along(axis); len(distances) > 1; {
		n := 2
		for n < len(distances) && isRun(distances[:n+1]) {
			n++
		}
		if len(digits) > 0 && distances[1] < digits[len(digits)-1].Stride || len(distances)%n != 0 ||
			!countable(distances) {
			return nil, false
		}
		digits = append(digits, layout.Digit{Extent: int64(n), Stride: distances[1]})
		var outer []int64
		for i := 0; i < len(distances); i += n {
			outer = append(outer, distances[i])
		}
		distances = outer
	}
	return digits, true
}

// ordered reports whether the tensor is an order of axes and full blocks: all digits side by side
// leave no gap.
func (m slowMap) ordered() bool {
	var all []layout.Digit
	for i := range m.sizes {
		digits, ok := m.runs(i)
		if !ok {
			return false
		}
		all = append(all, digits...)
	}
	slices.SortFunc(all, func(a, b layout.Digit) int { return cmp.Compare(a.Stride, b.Stride) })
	next := int64(1)
	for _, d := range all {
		if d.Stride != next {
			return false
		}
		next *= d.Extent
	}
	return m.offsets[0] == 0
}

// packed reports whether the elements lie side by side in row-major order.
func (m slowMap) packed() bool {
	for e, offset := range m.offsets {
		if offset != int64(e) {
			return false
		}
	}
	return true
}

// criteria determine whether notations can express a tensor, by looking at every element.
var criteria = []struct {
	name   string
	can    func(m slowMap) bool
	atMost bool // others can be expressed too, as blocks that are not full
}{
	{"pytorch", func(m slowMap) bool { return m.forward(0) && m.In(layout.PyTorch) != "" }, false},
	{"fx", func(m slowMap) bool { return m.forward(0) && m.offsets[0] == 0 && m.In(layout.FX) != "" }, false},
	{"numpy", func(m slowMap) bool { return m.linear() && m.low >= 0 && m.In(layout.NumPy) != "" }, false},
	{"numpy-interface", func(m slowMap) bool { return m.linear() && m.low >= 0 && m.In(layout.NumPy) != "" }, false},
	{"mlir", func(m slowMap) bool { return m.linear() && m.In(layout.MLIR) != "" }, false},
	{"affine-map", func(m slowMap) bool { return m.low >= 0 && m.In(layout.MLIR) != "" }, false},
	{"stablehlo", func(m slowMap) bool { return m.packed() && m.In(layout.MLIR) != "" }, false},
	{"dlpack", func(m slowMap) bool { return m.linear() && m.offsets[0]*m.Bits()%8 == 0 && m.Bits() > 0 }, false},
	{"dlpack-json", func(m slowMap) bool { return m.linear() && m.offsets[0]*m.Bits()%8 == 0 && m.Bits() > 0 }, false},
	{"cute", func(m slowMap) bool { return m.offsets[0] == 0 && m.nests() }, false},
	{"mdspan", func(m slowMap) bool { return m.offsets[0] == 0 && m.disjoint() }, false},
	{"dml", slowMap.inDirectML, false},
	{"dxdispatch", slowMap.inDirectML, false},
	{"ggml", func(m slowMap) bool {
		return m.forward(0) && m.offsets[0] == 0 && len(m.sizes) <= 4 && m.In(layout.GGUF) != ""
	}, false},
	{"xla", func(m slowMap) bool { return m.ordered() && m.In(layout.XLA) != "" }, true},
	{"onednn-tag", func(m slowMap) bool { return m.ordered() && m.inOneDNN() }, true},
	{"onednn", func(m slowMap) bool { return (m.ordered() || m.disjoint() && m.offsets[0] == 0) && m.inOneDNN() },
		true},
	{"onednn-verbose", func(m slowMap) bool {
		return (m.ordered() || m.disjoint() && m.offsets[0] == 0) &&
			m.inOneDNN()
	}, true},
}

func (m slowMap) inDirectML() bool {
	for _, step := range m.steps() {
		if step >= 1<<32 {
			return false
		}
	}
	return m.forward(0) && m.offsets[0] == 0 && 0 < len(m.sizes) && len(m.sizes) <= 8 && m.In(layout.DirectML) != ""
}

func (m slowMap) inOneDNN() bool {
	return 0 < len(m.sizes) && len(m.sizes) <= 12 && m.In(layout.OneDNN) != ""
}

// TestHonestLossProperty checks that a notation cannot express the tensors that it rejects.
func TestHonestLossProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, m := anySlowMap(t)
		if m.offsets == nil {
			return
		}
		for _, c := range criteria {
			n, err := Find(c.name)
			if err != nil {
				t.Fatal(err)
			}
			text, err := n.Write(x)
			if can := c.can(m); can && err != nil || !can && err == nil && !c.atMost {
				t.Fatalf("%s: %v of %v: %q, %v; that it can say this is %v", n.Name, x.Layout(), x.DType(), text, err,
					can)
			}
		}
	})
}

// TestByLine checks that all lines are read if each of them describes tensors by itself. Otherwise, a note names the
// lines in another notation.
func TestByLine(t *testing.T) {
	for _, tt := range []struct{ text, want, notes string }{
		{"f32[2,3]{1,0}\nmemref<2x4xf32>", "float32 2,3 @ 3,1; float32 2,4 @ 4,1", ""},
		{"memref<2x3xf32>\n\n  f32[2,3]{0,1}\n", "float32 2,3 @ 3,1; float32 2,3 @ 1,2", ""},
		{"torch.empty(2, 3)\nmemref<2x4xf32>", "2,3 @ 3,1; float32 2,4 @ 4,1", ""},
		{"torch.empty(2, 3)\ntorch.empty(4)", "2,3 @ 3,1; 4 @ 1", ""},
		{"f32[2,3]{1,0}\nf32[4]{0}", "float32 2,3 @ 3,1; float32 4 @ 1", ""},
		{"2x3 HW\n2x3 WH", "2,3 @ 3,1; 2,3 @ 1,2", ""},
		{"src:f32::blocked:acdb::f0 1x3x4x5\nmemref<2x3xf32>", "float32 1,3,4,5 @ 60,1,15,3; float32 2,3 @ 3,1", ""},
		{"1x3\nmemref<2x3xf32>", "float32 2,3 @ 3,1", "not read: 1x3; line 1 is a shape, and is not read"},
		{"%0 = memref.alloc() : memref<2x3xf32>\n%1 = tensor.empty() : tensor<4xf32>",
			"float32 2,3 @ 3,1; float32 4 @ 1", "not read: memref.alloc, tensor.empty"},
	} {
		found, err := Read(tt.text, Options{})
		var got []string
		for _, d := range found {
			got = append(got, meaning(d))
			if at := d.At; err == nil && (at < 0 || at >= len(tt.text) || strings.IndexByte("\n ", tt.text[at]) >= 0) {
				t.Errorf("%q: %s at %d", tt.text, meaning(d), at)
			}
		}
		if err != nil || strings.Join(got, "; ") != tt.want || strings.Join(found[0].Skipped, "; ") != tt.notes {
			t.Errorf("%q: %q, %v, want %q; notes %q, want %q", tt.text, got, err, tt.want, found[0].Skipped, tt.notes)
		}
	}
	for _, text := range []string{
		"f32[4]{0}\n%0 = memref.alloc() : memref<2x3xf32>\nreturn", "f32[2,3]{1,0}\nnothing", "memref<2x3xf32>\n1x3",
	} {
		if found, err := Read(text, Options{}); err == nil {
			t.Errorf("%q: %v", text, found)
		}
	}
}
