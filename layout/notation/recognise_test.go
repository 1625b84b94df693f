package notation

import (
	"errors"
	"strings"
	"testing"

	"layoutcalc/layout"
)

// TestExamples: each notation reads its own example, no other claims it, and it is read without
// saying what it is. DLPack in C and as JSON are read by one function.
func TestExamples(t *testing.T) {
	for _, n := range All() {
		want, err := n.Read(n.Example, Options{})
		if err != nil || len(want) == 0 {
			t.Errorf("%s does not read its example %s: %v", n.Name, n.Example, err)
			continue
		}
		for _, other := range All() {
			twins := strings.HasPrefix(n.Name, "dlpack") && strings.HasPrefix(other.Name, "dlpack")
			if fits := other.fits(n.Example); fits != (other == n) && !twins {
				t.Errorf("%s claims the example of %s: %v", other.Name, n.Name, fits)
			}
		}
		if got, err := Read(n.Example, Options{}); err != nil || !same(got, want) {
			t.Errorf("%s: the example alone is read as %v, %v", n.Name, got, err)
		}
		if !Recognises(n.Example) {
			t.Errorf("%s: the example is not recognised", n.Name)
		}
	}
}

// TestRecognised has texts that are read without saying whose they are.
func TestRecognised(t *testing.T) {
	for _, tt := range []struct{ text, notation, reason string }{
		{"torch.Size([2, 3]) (5, 1)", "pytorch", "as PyTorch prints sizes and strides"},
		{"size=(2, 3), stride=(5, 1)", "pytorch", "PyTorch's names"},
		{"x.as_strided((2, 3), (5, 1), 4)", "pytorch", "a method"},
		{"np.zeros((2, 3), 'i4')", "numpy", "NumPy's module"},
		{"shape=(2, 3), strides=(20, 4), dtype='<f4'", "numpy", "NumPy's names"},
		{"{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", "numpy-interface", "the header of an .npy file"},
		{"{'data': (94301, False), 'strides': None, 'descr': [('', '<f4')], 'typestr': '<f4', 'shape': (2, 3), 'version': 3}", "numpy-interface", "__array_interface__"},
		{`Tensor "f32[2, 3][5, 1]cuda:0"`, "fx", "a graph dump"},
		{"(4,(2,2)):(2,(1,8))", "cute", "CuTe in C++"},
		{"(4, (2, 2)):(2, (1, 8))", "cute", "pycute"},
		{"8:2", "cute", "depth 0"},
		{"dml::TensorDesc{ DML_TENSOR_DATA_TYPE_FLOAT32, {1, 2, 3, 4} }", "dml", "DirectMLX"},
		{"sizes = {2, 3}\n$1 = {DataType = DML_TENSOR_DATA_TYPE_FLOAT32, DimensionCount = 2, Sizes = 0x5581c010 <sizes>, Strides = 0x0}", "dml", "gdb"},
		{`"InputTensor": {"DataType": "FLOAT32", "Sizes": [1,1,2,3]}`, "dxdispatch", "a named descriptor"},
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

// TestAmbiguous: where two notations read a text and differ, the error names both.
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
	for _, tt := range []struct{ name, want string }{{"pytorch", "2,3 @ 12,4"}, {"mdspan", "2,3 @ 12,4"}, {"numpy", "2,3 @ 3,1"}} {
		if d, err := single(t, tt.name, pair, Options{}); err != nil || meaning(d) != tt.want {
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
		t.Errorf("5 bytes are no float32, so that only elements are left: %v, %v", found, err)
	}
}

// TestNoNotation has texts that are shapes, strides, names, or nothing of ours.
func TestNoNotation(t *testing.T) {
	for _, text := range []string{
		"", " ", "1x3x224x224", "1,3,224,224", "[1, 3, 224, 224]", "(1, 3, 224, 224)", "{1,3,224,224}", "[]", "()", "7", "-1", "15,1,5,1",
		"N=1,C=3,H=224,W=224", "plane=2,row=3", "lane=3,b=4", "NHWC", "nChw16c", "channels_last", "row-major", "NC/32HW32",
		"hello", "hello world", "a.bin", "model.json", "./model.onnx", `C:\tensors\a.npy`, "-", "float32", "{}", `{"a": 1}`, "2 3", "1x3 224",
	} {
		if Recognises(text) {
			t.Errorf("%q is taken for a notation", text)
		}
		found, err := Read(text, Options{})
		var syntax *layout.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(syntax.Msg, "no notation") || syntax.Hint == "" {
			t.Errorf("%q is read as %v, %v", text, found, err)
		}
	}
	_, err := Read(strings.Repeat("(", layout.MaxText+1), Options{})
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
	for text, want := range map[string]string{"pytorhc": "pytorch", "directx": "the notations are", "dxdispach": "dxdispatch"} {
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
		{"cute", "(4,?):(?,1)", []int64{5, 8}, "4,5 @ 8,1", "", "a size and a stride"},
		{"cute", "(4,?):(?,1)", nil, "", "the first ?", "none"},
		{"cute", "(4,?):(?,1)", []int64{5}, "", "the second ?", "one too few"},
		{"cute", "(4,?):(?,1)", []int64{5, 8, 9}, "", "--dim has 3 values, the text 2 places", "one too many"},
		{"cute", "(4,5):(5,1)", []int64{1}, "", "--dim has 1 values, the text 0 places", "nothing to fill"},
		{"cute", "(4,?):(?,1)", []int64{5, -8}, "4,5 @ -8,1", "", "a negative stride"},
		{"cute", "(4,?):(?,1)", []int64{-5, 8}, "", "negative", "a negative size"},
		{"fx", "f32[?, 3][?, 1]cpu", []int64{2, 5}, "float32 2,3 @ 5,1", "", "in brackets"},
		{"pytorch", "torch.empty_strided((?, 3), (5, 1))", []int64{2}, "2,3 @ 5,1", "", "in a call"},
		{"numpy", "np.zeros((?, 3), '<f4')", []int64{2}, "float32 2,3 @ 3,1", "", "in a call"},
		{"mdspan", "std::extents<int, ?, 3>, {?, 1}", []int64{2, 5}, "2,3 @ 5,1", "", "an extent"},
		{"dml", "UINT s[] = {?, 3}; DML_BUFFER_TENSOR_DESC d = { DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 2, s, nullptr, 0, 0 };", []int64{2}, "float32 2,3 @ 3,1", "", "in an array"},
		{"dlpack-json", `{"shape": [?, 3], "dtype": [2, 32, 1]}`, []int64{2}, "float32 2,3 @ 3,1", "", "in JSON"},
		{"ggml", "ne = {3, ?}", []int64{2}, "2,3 @ 3,1", "", "the outer size"},
		{"pytorch", "torch.empty((?, ?, ?, ?))", []int64{1, 2, 3}, "", "the 4th ?", "counting on"},
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

// TestChoose: a text with several tensors needs a name, one alone does not.
func TestChoose(t *testing.T) {
	two, one, bare := []Descriptor{{Name: "a"}, {Name: "b"}}, []Descriptor{{Name: "a"}}, []Descriptor{{}, {}}
	for _, tt := range []struct {
		found       []Descriptor
		name, want  string
		says, hints string
		reason      string
	}{
		{two, "b", "b", "", "", "by name"},
		{one, "a", "a", "", "", "by name, though it is the only one"},
		{one, "", "a", "", "", "the only one"},
		{two, "", "", "2 tensors: a, b", "--tensor a", "no name"},
		{two, "c", "", "no tensor of that name", "a, b", "another name"},
		{one, "b", "", "no tensor of that name", "a", "another name"},
		{bare, "", "", "2 tensors: 0, 1", "--tensor 0", "tensors without names: none is the one meant"},
		{bare, "1", "", "", "", "by position"},
	} {
		d, err := Choose(tt.found, tt.name)
		var syntax *layout.SyntaxError
		switch {
		case tt.says == "" && (err != nil || d.Name != tt.want):
			t.Errorf("%q of %v is %q, %v; %s", tt.name, tt.found, d.Name, err, tt.reason)
		case tt.says != "" && (!errors.As(err, &syntax) || !strings.Contains(syntax.Msg, tt.says) || !strings.Contains(syntax.Hint, tt.hints)):
			t.Errorf("%q of %v: %v, want %q; %s", tt.name, tt.found, err, tt.says, tt.reason)
		}
	}
}
