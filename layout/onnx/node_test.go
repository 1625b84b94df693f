package onnx

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"layoutcalc/layout/finding"
)

// nodes returns a model of nodes, each written as "y = Op(a, b)", and of more fields of its graph. It has the input x.
func nodes(list, more string) string {
	text := head
	for line := range strings.SplitSeq(list, "; ") {
		out, call, _ := strings.Cut(line, " = ")
		op, in, _ := strings.Cut(strings.TrimSuffix(call, ")"), "(")
		text += fmt.Sprintf("node { input: [%s] output: [%s] op_type: %q } ", words(in), words(out), op)
	}
	return text + `input { name: "x" ` + typed("FLOAT", "dim { } dim { dim_value: 4 }") + `} ` + more + "}"
}

// words quotes the words of a list.
func words(list string) string {
	parts := strings.Split(list, ", ")
	for i, word := range parts {
		parts[i] = fmt.Sprintf("%q", word)
	}
	return strings.Join(parts, ", ")
}

// weights returns an initializer of FLOAT.
func weights(name, dims string, bytes int) string {
	return fmt.Sprintf(`initializer { name: %q dims: %s data_type: FLOAT raw_data: %d bytes } `, name, dims, bytes)
}

// TestNames has models, each with the expected finding in one line, or none. onnx.checker 1.12 agrees, except for the
// order of nodes, which it does not accept.
func TestNames(t *testing.T) {
	const (
		relu  = `node { input: "x" output: "inner" op_type: "Relu" } `
		value = `attribute { name: "value" t { dims: [1] data_type: FLOAT raw_data: 4 bytes } } `
	)
	body := func(inner string) string {
		return nodes("y = Relu(x)", `node { input: "x" output: "z" op_type: "If" name: "i" `+
			`attribute { name: "then_branch" g { `+inner+` } } } `)
	}
	function := func(inner string) string {
		return nodes("y = Relu(x)", "") + ` functions { name: "f" domain: "d" input: "a" output: "b" ` + inner + ` }`
	}
	for _, tt := range []struct{ text, want string }{
		{nodes("y = Relu(x)", ""), ""},
		{nodes("y = Relu(h); h = Relu(x)", ""), ""}, // the order is not checked
		{nodes("y = Resize(x, , w)", weights("w", "[4]", 16)), ""},
		{nodes("y = Relu(w)", ""), "w: Relu at byte 8"},
		{nodes("y = Relu(x); y = Relu(x)", ""), "y: Relu at byte"},
		{nodes("y, y = Split(x)", ""), "y: Split at byte 8 writes this too, after Split at byte 8"},
		{nodes("y, , = Split(x)", ""), ""},
		{nodes("x = Relu(x)", ""), "writes it, and it is an input or an initializer too"},
		{nodes("w = Relu(x)", weights("w", "[4]", 16)), "writes it, and it is an input or an initializer too"},
		{nodes("y = Relu(x); z = (x)", ""), "has no op_type"},
		{body(relu), ""},
		{body(`node { input: "y" output: "x" op_type: "Relu" } `), ""}, // hides the x outside
		{body(`node { input: "inner" output: "v" op_type: "Relu" } `), "i/then_branch/inner: Relu at byte"},
		{body(relu) + ``, ""},
		{strings.Replace(body(relu), "y = Relu(x)", "", 1), ""},
		{body(relu + `output { name: "inner" } output { name: "y" } `), ""}, // of the branch, and around it
		{body(relu + `output { name: "outer" } `), "i/then_branch/outer: no node writes this output"},
		{nodes("y = Relu(inner)",
			`node { output: "z" op_type: "If" attribute { name: "then_branch" g { `+relu+` } } } `),
			"inner: Relu at byte"}, // values written inside are not visible outside
		{function(`node { input: "a" output: "b" op_type: "Relu" }`), ""},
		{function(`node { input: "x" output: "b" op_type: "Relu" }`), "function f/x: Relu at byte"},
		{function(`node { input: "a" output: "c" op_type: "Relu" }`), "function f/b: the function reads it"},
		{function(`node { output: "b" op_type: "Constant" attribute { name: "value_ints" ref_attr_name: "v" } }`), ""},
		{function(`node { output: "b" op_type: "Constant" ` + value + `}`), ""},
		{function(`node { output: "b" op_type: "Constant" ` +
			strings.Replace(value, "4 bytes } }", `3 bytes } ref_attr_name: "" }`, 1) + `}`), "has 3"}, // no reference
		{nodes("y = Relu(x)", "") + ` training_info { algorithm { node { input: "y" output: "l" op_type: "Loss" } } }`,
			""},
		{nodes("y = Relu(x)", `node { input: "x" output: "z" op_type: "Gelu" domain: "com.microsoft" } `),
			`of the domain "com.microsoft", which opset_import does not have`},
		{nodes("y = Relu(x)", `node { input: "x" output: "z" op_type: "Elu" domain: "ai.onnx" } `), ""},
	} {
		list := found(t, encoded(t, tt.text), nil)
		if tt.want == "" && len(list) > 0 || tt.want != "" && (len(list) != 1 || !strings.Contains(list[0], tt.want)) {
			t.Errorf("%s: %q, want %q", tt.text, list, tt.want)
		}
	}
}

// normalized returns a model in which the output of a convolution with weights for some channels is normalized by four
// tensors of 4 elements each, the scale of this type.
func normalized(channels int, scale string) string {
	bytes := map[string]int{"FLOAT": 16, "FLOAT16": 8}[scale]
	return nodes("t = Conv(image, f); y = BatchNormalization(t, s, b, m, v)",
		`input { name: "image" `+typed("FLOAT", "dim { } dim { dim_value: 1 } dim { dim_value: 9 }")+`} `+
			fmt.Sprintf(`initializer { name: "s" dims: [4] data_type: %s raw_data: %d bytes } `, scale, bytes)+
			weights("f", fmt.Sprintf("[%d, 1, 3]", channels), 12*channels)+
			weights("b", "[4]", 16)+weights("m", "[4]", 16)+weights("v", "[4]", 16))
}

// TestOperands has nodes with operands that do not fit, the operand that is wrong, and the same nodes fixed.
func TestOperands(t *testing.T) {
	out := func(dims string) string { return `output { name: "y" ` + typed("FLOAT", dims) + `} ` }
	size := func(n int) string { return fmt.Sprintf("dim { } dim { dim_value: %d }", n) }
	half := func(name string) string {
		return fmt.Sprintf(`initializer { name: %q dims: [4, 5] data_type: FLOAT16 raw_data: 40 bytes } `, name)
	}
	turned := func(model string) string {
		return strings.Replace(model, `op_type: "Gemm"`, `op_type: "Gemm" attribute { name: "transB" i: 1 }`, 1)
	}
	w45, w54 := weights("w", "[4, 5]", 80), weights("w", "[5, 4]", 80)
	for _, tt := range []struct{ right, wrong, want string }{
		{nodes("y = Gemm(x, w)", w45), nodes("y = Gemm(x, w)", w54), "w: "},
		{turned(nodes("y = Gemm(x, w)", w54)), turned(nodes("y = Gemm(x, w)", w45)), "w: "},
		{nodes("y = Gemm(x, w, b)", w45+weights("b", "[5]", 20)),
			nodes("y = Gemm(x, w, b)", w45+weights("b", "[4]", 16)),
			"b: "},
		{nodes("y = Gemm(x, w, b)", w45+weights("b", "[1]", 4)),
			nodes("y = Gemm(x, w, b)", w45+weights("b", "[2]", 8)+out(size(5))), "b: "},
		{nodes("y = Gemm(x, w)", w45), nodes("y = Gemm(x, w)", weights("w", "[4]", 16)), "takes matrices"},
		{nodes("y = Gemm(x, w)", w45+out(size(5))), nodes("y = Gemm(x, w)", w45+out(size(4))), "y: "},
		{nodes("y = Gemm(x, w, b)", w45+weights("b", "[5]", 20)+out(size(5))),
			nodes("y = Gemm(x, w, b)", w45+weights("b", "[6]", 24)+out(size(6))), "w: "}, // the other two agree
		{nodes("y = MatMul(x, w)", w45+out(size(5))), nodes("y = MatMul(x, w)", w54), "w: "},
		{nodes("y = MatMul(x, w)", w45+out(size(5))), nodes("y = MatMul(x, w)", w45+out(size(6))), "y: "},
		{nodes("y = MatMul(x, w)", weights("w", "[4]", 16)), nodes("y = MatMul(x, w)", weights("w", "[5]", 20)), "w: "},
		{nodes("y = MatMul(x, w)", weights("w", "[7, 4, 5]", 560)),
			nodes("y = MatMul(x, w)", weights("w", "[7, 5, 4]", 560)),
			"w: "},
		{nodes("y = MatMul(x, w)", w45), nodes("y = MatMul(x, w)", half("w")), "one type"},
		{nodes("y = Add(x, w)", weights("w", "[4]", 16)), nodes("y = Add(x, w)", weights("w", "[5]", 20)), "w: "},
		{nodes("y = Add(x, w)", weights("w", "[1]", 4)), nodes("y = Add(x, w)", weights("w", "[3]", 12)), "w: "},
		{strings.Replace(nodes("y = Add(x, w)", weights("w", "[3]", 12)), "version: 17",
			`domain: "ai.onnx" version: 6`, 1),
			nodes("y = Add(x, w)", weights("w", "[3]", 12)), "w: "}, // sizes are not repeated before set 7
		{nodes("y = Add(x, w)", weights("w", "[4]", 16)+out(size(4))),
			nodes("y = Add(x, w)", weights("w", "[4]", 16)+out(size(5))), "y: "},
		{nodes("t = MatMul(x, w); y = Add(t, b)", w45+weights("b", "[5]", 20)),
			nodes("t = MatMul(x, w); y = Add(t, b)", w45+weights("b", "[4]", 16)), "b: "},
		{nodes("t = Gemm(x, w); y = MatMul(t, v)", w45+weights("v", "[5, 3]", 60)),
			nodes("t = Gemm(x, w); y = MatMul(t, v)", w45+weights("v", "[3, 5]", 60)), "v: "},
		{nodes("t = MatMul(x, w); u = MatMul(t, v); y = Add(u, b)", // two steps are not made
			w45+weights("v", "[5, 3]", 60)+weights("b", "[2]", 8)),
			nodes("t = MatMul(x, w); y = Add(t, b)", w54+weights("b", "[5]", 20)), "w: "}, // nor does b follow from w
		{nodes("y = Mul(w, v)", w45+weights("v", "[4, 1]", 16)), nodes("y = Mul(w, v)", w45+weights("v", "[5, 1]", 20)),
			"v: "},
		{nodes("y = Add(w, v)", w45+weights("v", "[5]", 20)+out(size(5))),
			nodes("y = Add(w, v)", w45+half("v")+out(size(5))),
			"v: "},
		{conv("Conv", "[4, 12, 3]", "", `initializer { name: "b" dims: [4] data_type: INT8 raw_data: 4 bytes } `),
			conv("Conv", "[4, 12, 3]", "", `initializer { name: "b" dims: [4] data_type: FLOAT raw_data: 16 bytes } `),
			"b: "},
		{conv("Conv", "[4, 12, 3]", "", `output { name: "y" `+typed("INT8", size(4)+" dim { }")+`} `),
			conv("Conv", "[4, 12, 3]", "", `output { name: "y" `+typed("INT8", size(12))+`} `), "y: "},
		{conv("Conv", "[4, 12, 3]", "", `output { name: "y" `+typed("INT8", size(4)+" dim { }")+`} `),
			conv("Conv", "[4, 12, 3]", "", `output { name: "y" `+typed("INT8", size(6))+`} `+
				`initializer { name: "b" dims: [6] data_type: INT8 raw_data: 6 bytes } `), "w: "},
		{nodes("y = BatchNormalization(x, w, b, m, v)", weights("w", "[4]", 16)+weights("b", "[4]", 16)+
			weights("m", "[4]", 16)+weights("v", "[4]", 16)),
			nodes("y = BatchNormalization(x, w, b, m, v)", weights("w", "[5]", 20)+weights("b", "[4]", 16)+
				weights("m", "[4]", 16)+weights("v", "[4]", 16)), "w: "}, // not the three that are right
		{normalized(4, "FLOAT"), normalized(4, "FLOAT16"), "s: "}, // of s and b, all others are like b
		{normalized(4, "FLOAT"), normalized(3, "FLOAT"), "f: BatchNormalization"},
		{nodes("y = Gemm(x, w, b)", w45+weights("b", "[3, 1]", 12)+out("dim { dim_value: 3 } dim { }")),
			nodes("y = Gemm(x, w, b)", w45+weights("b", "[2, 1]", 8)+out("dim { dim_value: 3 } dim { }")), "b: "},
		{nodes("t = MatMul(x, w); y = Add(t, b)", w45+weights("b", "[5]", 20)+out(size(5))),
			nodes("t = MatMul(x, w); y = Add(t, b)", weights("w", "[4, 3]", 48)+weights("b", "[5]", 20)+out(size(5))),
			"w: Add Add at byte"}, // t follows from w, and the other two agree
		{nodes("t = MatMul(x, w); y = Mul(t, v)", w45+weights("v", "[4, 5]", 80)+out(size(5))),
			nodes("t = MatMul(x, w); y = Mul(t, v)", w45+half("v")+out(size(5))), "v: "},
		{nodes("t = Cast(x); y = Mul(t, v)", strings.Replace(half("v"), "[4, 5]", "[5, 4]", 1)),
			nodes("t = Relu(x); y = Mul(t, v)", strings.Replace(half("v"), "[4, 5]", "[5, 4]", 1)), "v: "},
		{nodes("y = Add(x, w)", weights("w", "[4]", 16)+out(size(4))),
			nodes("y = Add(x, w)", weights("w", "[4]", 16)+out("dim { dim_value: 4 }")), "warning"},
		{nodes("y = Relu(x)", out(size(4))), nodes("y = Relu(x)", out(size(5))), "y: "},
		{nodes("y = Softmax(x)", out("dim { dim_value: 7 } dim { }")),
			nodes("y = Softmax(x)", out("dim { dim_value: 4 }")), "y: "},
		{nodes("y = BatchNormalization(x)", out(size(4))), nodes("y = BatchNormalization(x)", out(size(3))), "y: "},
		{nodes("y = Reshape(w)", w45+out("dim { dim_value: 2 } dim { dim_value: 10 }")),
			nodes("y = Reshape(w)", w45+out("dim { dim_value: 2 } dim { dim_value: 11 }")),
			"keeps the 20 elements of w"},
		{nodes("y = Reshape(x, s)", `initializer { name: "s" dims: [2] data_type: INT64 raw_data: 16 bytes } `),
			nodes("y = Reshape(x, s)", `initializer { name: "s" dims: [2] data_type: INT32 raw_data: 8 bytes } `),
			"INT32"},
		{nodes("y = Unsqueeze(x, s)", `initializer { name: "s" dims: [1] data_type: INT64 raw_data: 8 bytes } `),
			nodes("y = Unsqueeze(x, s)", `initializer { name: "s" dims: [1] data_type: FLOAT raw_data: 4 bytes } `),
			"FLOAT"},
		{nodes("y = Transpose(w)", w45+out(size(4))), nodes("y = Flatten(w)", w45+out("dim { dim_value: 19 }")), "y: "},
	} {
		if list := found(t, encoded(t, tt.right), nil); len(list) > 0 {
			t.Errorf("%s: %q", tt.right, list)
		}
		list := found(t, encoded(t, tt.wrong), nil)
		isIt := func(f string) bool {
			isRule := strings.Contains(f, "onnx-operands ") || strings.Contains(f, "onnx-conv ")
			return isRule && strings.Contains(f, tt.want)
		}
		if len(list) != 1 || !slices.ContainsFunc(list, isIt) {
			t.Errorf("%s: %q, want %q", tt.wrong, list, tt.want)
		}
	}
}

// TestResults has nodes with the sizes of their operands, and the sizes that the shape inference of onnx gives the
// output, by testdata/results.py. Stating these must be right, and stating other sizes, or a different number of them,
// wrong.
func TestResults(t *testing.T) {
	text, err := os.ReadFile("testdata/results.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		node, result, _ := strings.Cut(strings.TrimSpace(line), " -> ")
		want := strings.Split(result, ",")
		if list := found(t, encoded(t, sized(node, want)), nil); len(list) > 0 {
			t.Errorf("%s: %q", line, list)
		}
		stated := [][]string{append(slices.Clone(want), "1"), want[1:]}
		for i := range want {
			if n, err := strconv.Atoi(want[i]); err == nil {
				other := slices.Clone(want)
				other[i] = strconv.Itoa(n + 1)
				stated = append(stated, other)
			}
		}
		for _, other := range stated {
			list := found(t, encoded(t, sized(node, other)), nil)
			if len(list) != 1 || !strings.Contains(list[0], " y: ") {
				t.Errorf("%s stated as %v: %q", node, other, list)
			}
		}
	}
}

// sized returns a model of a node, written as its operator, the sizes of its operands, of which x is an input and the
// others are weights, and its attributes. Its output is stated with some sizes, of which words are names.
func sized(node string, out []string) string {
	value := func(sizes []string) string {
		dims := ""
		for _, size := range sizes {
			if _, err := strconv.Atoi(size); err == nil {
				dims += "dim { dim_value: " + size + " } "
			} else {
				dims += fmt.Sprintf("dim { dim_param: %q } ", size)
			}
		}
		return typed("FLOAT", dims)
	}
	fields := strings.Fields(node)
	inputs, attributes, more := "", "", `output { name: "y" `+value(out)+`} `
	for _, field := range fields[1:] {
		name, text, _ := strings.Cut(field, "=")
		list := strings.ReplaceAll(text, ",", ", ")
		switch {
		case name == "x":
			inputs += `input: "x" `
			more += `input { name: "x" ` + value(strings.Split(text, ",")) + `} `
		case len(name) == 1:
			bytes := 4
			for size := range strings.SplitSeq(text, ",") {
				n, _ := strconv.Atoi(size)
				bytes *= n
			}
			inputs += fmt.Sprintf("input: %q ", name)
			more += weights(name, "["+list+"]", bytes)
		case name == "auto_pad":
			attributes += fmt.Sprintf("attribute { name: %q s: %q } ", name, text)
		case name == "group" || strings.HasPrefix(name, "trans"):
			attributes += fmt.Sprintf("attribute { name: %q i: %s } ", name, text)
		default:
			attributes += fmt.Sprintf("attribute { name: %q ints: [%s] } ", name, list)
		}
	}
	return head + fmt.Sprintf(`node { %s output: "y" op_type: %q %s} `, inputs, fields[0], attributes) + more + "}"
}

// TestOperators lists the operators of nodes, also of those inside others, by their domains; of each the first counts.
func TestOperators(t *testing.T) {
	inner := `node { op_type: "If" attribute { name: "then_branch" g { node { op_type: "Relu" } } } } `
	data := encoded(t, head+inner+`node { op_type: "Relu" } node { op_type: "Add" domain: "ai.onnx" } node { } `+
		`node { op_type: "Gelu" domain: "com.microsoft" } node { op_type: "F" domain: "my" } } `+
		`functions { name: "F" domain: "my" node { op_type: "Mul" } }`)
	m, err := Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	want := []Operator{{"", "Relu"}, {"", "If"}, {"", "Add"}, {"com.microsoft", "Gelu"}, {"", "Mul"}}
	if list, ok := m.Operators(); !ok || !slices.Equal(list, want) {
		t.Errorf("%v %v, want %v", list, ok, want)
	}
}

// TestManyUnnamedOperators has nodes without operators: findings beyond the limit are counted.
func TestManyUnnamedOperators(t *testing.T) {
	node := `node { input: "x" output: "" } `
	list := found(t, encoded(t, nodes("y = Relu(x)", strings.Repeat(node, finding.MostOfRule+9))), nil)
	last := list[len(list)-1]
	const more = "9 more findings of this rule: the limit is 1000"
	if len(list) != finding.MostOfRule+1 || !strings.HasSuffix(last, more) {
		t.Errorf("%d findings, the last %q", len(list), last)
	}
}

// TestManyWrites has a name that many nodes write: findings beyond the limit are counted.
func TestManyWrites(t *testing.T) {
	for n, want := range map[int]string{
		finding.MostOfRule + 1: "",
		finding.MostOfRule + 2: "1 more finding of this rule: the limit is 1000",
		finding.MostOfRule + 9: "8 more findings of this rule: the limit is 1000",
	} {
		list := found(t, encoded(t, nodes(strings.Repeat("y = Relu(x); ", n-1)+"y = Relu(x)", "")), nil)
		last := list[len(list)-1]
		if want == "" && (len(list) != finding.MostOfRule || !strings.Contains(last, "writes this too, after Relu")) ||
			want != "" && (len(list) != finding.MostOfRule+1 || !strings.HasSuffix(last, want)) {
			t.Errorf("%d writes: %d findings, the last %q, want %q", n, len(list), last, want)
		}
	}
}
