package triton

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"layoutcalc/layout/layouttest"
)

// aModel returns an ONNX model by its inputs and outputs, each as NAME TYPE SIZE ..., where a size that is open is
// -1 or
// a name; the initializers are given by their names.
func aModel(t *testing.T, inputs, outputs []string, initializers ...string) []byte {
	t.Helper()
	var b strings.Builder
	b.WriteString(`ir_version: 8 opset_import { version: 17 } opset_import { domain: "own" version: 1 } graph {
		node { op_type: "Own" domain: "own" `)
	for _, value := range outputs {
		fmt.Fprintf(&b, "output: %q ", strings.Fields(value)[0])
	}
	b.WriteString("} ")
	for i, list := range [...][]string{inputs, outputs} {
		for _, value := range list {
			words := strings.Fields(value)
			fmt.Fprintf(&b, "%s { name: %q type { ", []string{"input", "output"}[i], words[0])
			if words[1] == "SEQUENCE" {
				b.WriteString("sequence_type { elem_type { tensor_type { elem_type: FLOAT } } } } } ")
				continue
			}
			fmt.Fprintf(&b, "tensor_type { elem_type: %s shape { ", words[1])
			for _, size := range words[2:] {
				switch {
				case size == "?":
					b.WriteString("dim { } ")
				case size[0] >= 'a':
					fmt.Fprintf(&b, "dim { dim_param: %q } ", size)
				default:
					fmt.Fprintf(&b, "dim { dim_value: %s } ", size)
				}
			}
			b.WriteString("} } } } ")
		}
	}
	for _, name := range initializers {
		fmt.Fprintf(&b, "initializer { name: %q data_type: FLOAT dims: 1 raw_data: 4 bytes } ", name)
	}
	b.WriteString("}")
	model, err := layouttest.ONNX(b.String())
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// TestONNX compares configurations with ONNX models. The verdicts come from onnxruntime_backend, as recorded in the
// server's own tests (L0_model_config, autofill_noplatform/onnx) or in bug reports.
func TestONNX(t *testing.T) {
	const batch = "max_batch_size: 1 "
	x := func(dims string) string { return `input { name: "x" data_type: TYPE_FP32 dims: [ ` + dims + ` ] } ` }
	y := func(dims string) string { return `output { name: "y" data_type: TYPE_FP32 dims: [ ` + dims + ` ] } ` }
	ins, outs := []string{"x FLOAT -1 16"}, []string{"y FLOAT -1 16"}
	tests := []struct {
		text    string
		in, out []string
		want    []string
		reason  string
	}{
		{batch + x("16") + y("16"), ins, outs, nil, "they agree"},
		{x("-1, 16") + y("-1, 16"), ins, outs, nil, "without batches"},
		{batch + x("16") + y("16"), []string{"x FLOAT n 16"}, []string{"y FLOAT ? 16"}, nil,
			"a name is an open size, and none"},
		{batch, ins, outs, nil, "all is taken from the model"},
		{batch + x("16") + y("16"), []string{"x FLOAT -1 16", "z FLOAT -1 16"}, outs, []string{"triton-onnx-inputs"},
			"1 of 2"},
		{batch + x("16") + `input { name: "z" data_type: TYPE_FP32 dims: 1 } ` + y("16"), ins, outs,
			[]string{"triton-onnx-name", "triton-onnx-inputs"}, "2 of 1"},
		{batch + x("16") + y("16"), ins, []string{"y FLOAT -1 16", "z FLOAT -1 16"}, nil, "outputs may be fewer"},
		{batch + x("16") + strings.Replace(y("16"), `"y"`, `"307"`, 1), ins, []string{"308 FLOAT -1 16"},
			[]string{"triton-onnx-name"}, "a new export"},
		{batch + x("16") + y("16"), []string{"x INT64 -1 16"}, outs, []string{"triton-onnx-dtype"},
			"nothing converts"},
		{batch + x("16") + y("16"), ins, []string{"y FLOAT16 -1 16"}, []string{"triton-onnx-dtype"}, "an output"},
		{batch + x("16") + y("16"), ins, []string{"y SEQUENCE"}, []string{"triton-onnx-dtype"}, "ZipMap"},
		{batch + x("16") + y("16"), []string{"x FLOAT8E5M2 -1 16"}, outs, []string{"triton-onnx-dtype"},
			"no such type"},
		{batch + x("16") + y("16"), []string{"x FLOAT 1 16"}, outs, []string{"triton-onnx-batch"}, "a batch of 1"},
		{batch + x("16") + y("16"), []string{"x FLOAT"}, outs, []string{"triton-onnx-batch"}, "a scalar"},
		{batch + x("16"), ins, []string{"y FLOAT 4 16"}, []string{"triton-onnx-batch"}, "autofill needs it of all"},
		{batch + x("16, 1") + y("16"), ins, outs, []string{"triton-onnx-rank"}, "one more"},
		{batch + x("-1, 16") + y("16"), ins, outs, []string{"triton-onnx-rank"}, "the batch twice"},
		{batch + x("16") + y("1"), ins, outs, []string{"triton-onnx-dims"}, "1 for 16"},
		{batch + x("-1") + y("16"), ins, outs, []string{"triton-onnx-dims"}, "-1 for 16"},
		{x("4, 16") + y("-1, 16"), ins, outs, nil, "any size for an input"},
		{x("4, 16") + y("4, 16"), ins, outs, []string{"triton-onnx-dims"}, "not for an output"},
		{batch + strings.Replace(x("4, 4"), "] }", "] reshape { shape: [ 16 ] } }", 1) + y("16"), ins, outs, nil,
			"the reshape"},
		{x("1, 1") + y("-1, 16"), []string{"x FLOAT"}, outs, nil, "a scalar"},
		{x("2") + y("-1, 16"), []string{"x FLOAT"}, outs, []string{"triton-onnx-scalar"}, "not a scalar"},
		{batch + strings.Replace(x("-1"), "] }", "] allow_ragged_batch: true }", 1) + y("16"),
			[]string{"x FLOAT -1"}, outs, nil,
			"ragged"},
		{batch + strings.Replace(x("16"), "] }", "] allow_ragged_batch: true }", 1) + y("16"), ins, outs,
			[]string{"triton-onnx-ragged"}, "ragged, with an axis more"},
		{batch + x("16") + `input { name: "w" data_type: TYPE_FP32 dims: 1 optional: true } ` + y("16"),
			[]string{"x FLOAT -1 16", "w FLOAT 1"}, outs, []string{"triton-onnx-optional", "triton-onnx-batch"},
			"with batches"},
		{x("-1, 16") + `input { name: "w" data_type: TYPE_FP32 dims: 1 optional: true } ` + y("-1, 16"),
			[]string{"x FLOAT -1 16", "w FLOAT 1"}, outs, nil, "an initializer is an optional input"},
		{x("-1, 16") + y("-1, 16"), []string{"x FLOAT -1 16", "w FLOAT 1"}, outs, nil, "which may be left out"},
		{batch + x("16") + y("16") + `batch_input { target_name: "b" data_type: TYPE_FP32 source_input: "x" }`,
			[]string{"x FLOAT -1 16", "b FLOAT 1"}, outs, nil, "the server makes an input"},
		{batch + x("16") + y("16") + `sequence_batching { control_input { name: "START"
			control { kind: CONTROL_SEQUENCE_START fp32_false_true: [ 0, 1 ] } } }`,
			[]string{"x FLOAT -1 16", "START FLOAT -1 1"}, outs, nil, "a control is an input"},
		{batch + x("16") + y("16") + `sequence_batching { control_input { name: "START"
			control { kind: CONTROL_SEQUENCE_START fp32_false_true: [ 0, 1 ] } } }`,
			[]string{"x FLOAT -1 16", "START FLOAT -1 2"}, outs, []string{"triton-onnx-dims"}, "of one value"},
		{x("-1, 16") + y("-1, 16") + `sequence_batching { control_input { name: "START"
			control { kind: CONTROL_SEQUENCE_START fp32_false_true: [ 0, 1 ] } } }`,
			[]string{"x FLOAT -1 16", "START FLOAT 1"}, outs, nil, "without batches it has one axis"},
		{batch + x("16") + y("1") + `batch_output { target_name: "y" source_input: "x" }`, ins, outs, nil,
			"the shape of such an output is not compared"},
	}
	for _, tt := range tests {
		text := `backend: "onnxruntime" ` + tt.text
		files := fstest.MapFS{
			"m/config.pbtxt": {Data: []byte(text)}, "m/1/other": {},
			"m/2/model.onnx": {Data: aModel(t, tt.in, tt.out, "w")},
		}
		if names := found(t, text, repository(files, "m")); !slices.Equal(names, tt.want) {
			t.Errorf("%s\nwith %v and %v breaks %v, want %v: %s", tt.text, tt.in, tt.out, names, tt.want, tt.reason)
		}
	}
}

// TestONNXTypes compares the numbers of types with their names in both systems.
func TestONNXTypes(t *testing.T) {
	for i, e := range onnxTypes {
		own, ok := dtype(int64(i))
		other, known := e.DType()
		if ok != known || own != other {
			t.Errorf("%s is %s", typeName(int64(i)), e)
		}
	}
	if len(onnxTypes) != len(enum("DataType")) || onnxTypes[13].String() != "STRING" {
		t.Errorf("%d types", len(onnxTypes))
	}
}

// TestUnreadableONNX checks the note on a model that cannot be read.
func TestUnreadableONNX(t *testing.T) {
	const text = `backend: "onnxruntime" input { name: "x" data_type: TYPE_FP32 dims: 1 }`
	for _, model := range []string{"", "\xFF", strings.Repeat("\x3A\x7F", 100)} {
		files := fstest.MapFS{"m/config.pbtxt": {Data: []byte(text)}, "m/1/model.onnx": {Data: []byte(model)}}
		c, err := Read([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, notes := c.Check(repository(files, "m")); len(notes) != 1 {
			t.Errorf("%q: %v", model, notes)
		}
	}
}

var update = flag.Bool("update", false, "write the models in testdata")

// TestModelFiles checks that the models of the repositories in testdata, which transcripts use, have their intended
// inputs and outputs.
func TestModelFiles(t *testing.T) {
	tests := []struct {
		path    string
		in, out []string
	}{
		{"good/detect/1/model.onnx", []string{"image FLOAT n 3 640 640"},
			[]string{"boxes FLOAT n 100 4", "crop FLOAT16 n 3 224 224"}},
		{"bad/embed/1/model.onnx", []string{"tokens INT64 n 128", "attention_mask INT64 n 64"},
			[]string{"307 FLOAT n 384", "pooled FLOAT 1 384"}},
	}
	for _, tt := range tests {
		path := "../../testdata/triton/" + tt.path
		want := aModel(t, tt.in, tt.out)
		if *update {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is another model: %v", path, err)
		}
	}
}

// TestEnsembleOfONNX compares ensembles with models that list their tensors in their ONNX files only.
func TestEnsembleOfONNX(t *testing.T) {
	const one = "m1 a=x > b=y"
	in3, out3 := []string{"a FLOAT 3"}, []string{"b FLOAT 3"}
	in3n, out3n := []string{"a FLOAT -1 3"}, []string{"b FLOAT n 3"}
	const listed = `input { name: "a" data_type: TYPE_FP32 dims: [ 3 ] } `
	tests := []struct {
		text, config string
		in, out      []string
		want         []string
		reason       string
	}{
		{anEnsemble(one), "", in3, out3, nil, "they agree"},
		{anEnsemble(one), "", []string{"a FLOAT 4"}, out3, []string{"triton-ensemble-shape"}, "a size"},
		{anEnsemble(one), "", []string{"a FLOAT16 3"}, out3, []string{"triton-ensemble-shape"}, "a type"},
		{anEnsemble(one), "", []string{"c FLOAT 3"}, out3, []string{"triton-ensemble-map", "triton-ensemble-map"},
			"a name, and an input that is not mapped"},
		{anEnsemble(one), "", in3, []string{"c FLOAT 3"}, []string{"triton-ensemble-map"}, "a name of an output"},
		{anEnsemble(one), "", in3n, out3n, nil, "with batches that the server may give it"},
		{anEnsemble(one) + "max_batch_size: 2", "max_batch_size: 2", in3n, out3n, nil, "with batches"},
		{anEnsemble(one) + "max_batch_size: 3", "max_batch_size: 2", in3n, out3n, []string{"triton-ensemble-model"},
			"with fewer"},
		{anEnsemble(one) + "max_batch_size: 2", "max_batch_size: 2", []string{"a FLOAT -1 4"}, out3n,
			[]string{"triton-ensemble-shape"}, "a size after the batch"},
		{anEnsemble(one), listed, in3, []string{"b FLOAT 4"}, []string{"triton-ensemble-shape"}, "one side is listed"},
		{anEnsemble(one), listed, []string{"a FLOAT 4"}, out3, nil, "which counts"},
		{anEnsemble(one), "", []string{"a SEQUENCE"}, out3, nil, "what it is not a tensor has no type"},
	}
	for _, tt := range tests {
		names := slices.DeleteFunc(in(t, tt.text, "m1/config.pbtxt", `backend: "onnxruntime" `+tt.config,
			"m1/1/model.onnx", string(aModel(t, tt.in, tt.out))),
			func(name string) bool { return name == "triton-version=note" })
		if !slices.Equal(names, tt.want) {
			t.Errorf("%s\n%v %v\nbreaks %v, want %v: %s", tt.text, tt.in, tt.out, names, tt.want, tt.reason)
		}
	}
}

// TestTransposed has one finding for sizes in another order.
func TestTransposed(t *testing.T) {
	for _, c := range []struct{ dims, model, words string }{
		{"8, 8, 3", "3 8 8", "dims are [8,8,3], and the model has the shape [-1,3,8,8]: " +
			"the axes are in the order 2,0,1 there"},
		{"4, 3", "3 4", "dims are [4,3], and the model has the shape [-1,3,4]: it is transposed"},
		{"8, 8, 4", "3 8 8", "size 0 is 8, and 3 in the model, which has the shape [-1,3,8,8]"},
	} {
		config, err := Read([]byte(`backend: "onnxruntime" max_batch_size: 1 ` +
			`input { name: "x" data_type: TYPE_FP32 dims: [ ` + c.dims + ` ] }`))
		if err != nil {
			t.Fatal(err)
		}
		files := fstest.MapFS{"m/config.pbtxt": {}, "m/1/model.onnx": {
			Data: aModel(t, []string{"x FLOAT -1 " + c.model}, []string{"y FLOAT -1"})}}
		f, _ := config.Check(repository(files, "m"))
		if len(f.Findings) == 0 || f.Findings[0].Message != c.words {
			t.Errorf("%+v, want %s", f.Findings, c.words)
		}
	}
}
