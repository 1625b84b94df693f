//go:build !race

package processtest

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// A grower makes inputs of every size.
type grower struct {
	name    string // the part of the input that grows
	n       int    // the least size
	files   func(n int) map[string]string
	args    func(n int) []string // of a check of the directory, if nil
	limited bool                 // larger inputs may be rejected before they are read
	square  bool                 // the paths in the answer grow with the square of the size
}

// each joins the results of text for the numbers below n.
func each(n int, text func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(text(i))
	}
	return b.String()
}

// one is a file alone.
func one(path string, text func(n int) string) func(n int) map[string]string {
	return func(n int) map[string]string { return map[string]string{path: text(n)} }
}

// repeats is a file that repeats text, with a number for each %d.
func repeats(path, before, text, after string) func(n int) map[string]string {
	return one(path, func(n int) string { return before + numbered(n, text) + after })
}

// listed is a file that repeats text with commas between.
func listed(path, before, text, after string) func(n int) map[string]string {
	return one(path, func(n int) string { return before + commas(n, text) + after })
}

// commas repeats text with commas between, and a number for each %d.
func commas(n int, text string) string { return strings.TrimSuffix(numbered(n, text+","), ",") }

// nested is a file that nests.
func nested(path, before, open, inner, closing, after string) func(n int) map[string]string {
	return one(path, func(n int) string {
		return before + strings.Repeat(open, n) + inner + strings.Repeat(closing, n) + after
	})
}

// on is a command line.
func on(args ...string) func(n int) []string { return func(int) []string { return args } }

// quiet is a check that shows no findings.
var quiet = on("check", "-q", "--get", "files", ".")

// strides reads a file as text in a notation.
var strides = on("strides", "@a.txt", "-o", "json")

// long are two names of 56 letters that differ in every one, with numbers.
const (
	long  = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcd%d"
	wrong = "zyxwvutsrqponmlkjihgfedcbazyxwvutsrqponmlkjihgfedcbazyxw%d"
)

const (
	yamlTensors = "version: 1\ntensors:\n"
	zeroTensor  = `"%d":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}`
	zeroRow     = `{"name":"a%d","DataType":"FLOAT32","Sizes":[0]}` + "\n"
	gapRow      = `{"name":"a%d","DataType":"FLOAT32","Sizes":[2,3],"Strides":[5,1]}` + "\n"
	npy         = "\x93NUMPY\x01\x00\x3b\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }  \n0000"
)

// growingFiles are documents, configurations, and files of tensors.
var growingFiles = []grower{
	// Documents.
	{name: "json lines with findings", n: 100, files: repeats("a.jsonl", "", zeroRow, "")},
	{name: "json lines without findings", n: 100, files: repeats("a.jsonl", "",
		`{"DataType":"FLOAT32","Sizes":[%d,1]}`+"\n", "")},
	{name: "json lines that cannot be read", n: 100, files: repeats("a.jsonl", zeroRow, "x\n", "")},
	{name: "a name of json lines", n: 2000, files: repeats("a.jsonl", `{"DataType":"FLOAT32","Sizes":[0],"name":"`,
		"nö", `"}`)},
	{name: "escapes of json lines", n: 2000, files: repeats("a.jsonl", `{"DataType":"FLOAT32","Sizes":[0],"name":"`,
		`\u00e9`, `"}`)},
	{name: "keys of json lines", n: 200, files: listed("a.jsonl", `{"DataType":"FLOAT32","Sizes":[0],`, `"key%d":1`,
		"}\n")},
	{name: "sizes", n: 200, files: listed("a.jsonl", `{"DataType":"FLOAT32","Sizes":[`, "2", "]}\n")},
	{name: "strides", n: 200, files: one("a.jsonl", func(n int) string {
		return `{"DataType":"FLOAT32","Sizes":[` + commas(n, "-1") + `],"Strides":[` + commas(n, "%d") + "]}\n"
	})},
	{name: "digits", n: 1000, files: repeats("a.jsonl", `{"DataType":"FLOAT32","Sizes":[`, "9", "]}\n")},
	{name: "digits of a fraction", n: 1000, files: repeats("a.jsonl", `{"DataType":"FLOAT32","Sizes":[1.`, "0",
		"]}\n")},
	{name: "tensors of a configuration", n: 100, files: repeats("a.layoutcalc.yaml", yamlTensors,
		"  t%d: {dtype: float32, sizes: 0}\n", "")},
	{name: "tensors of a configuration in json", n: 100,
		files: listed("a.layoutcalc.json", `{"version":1,"tensors":{`, `"t%d":{"dtype":"float32","sizes":0}`, "}}")},
	{name: "tensors of one name", n: 100, files: repeats("a.layoutcalc.yaml", yamlTensors,
		"  t: {dtype: float32, sizes: 2}\n", "")},
	{name: "keys of one name in json", n: 100, files: listed("a.layoutcalc.json", `{"version":1,"tensors":{`,
		`"t":{"dtype":"float32","sizes":2}`, "}}")},
	{name: "keys that are misspelt", n: 100, files: listed("a.layoutcalc.json",
		`{"version":1,"tensors":{"a":{"dtype":"float32","sizes":2,`, `"sises%d":1`, "}}}")},
	{name: "documents", n: 200, files: repeats("a.layoutcalc.yaml", "",
		"---\nversion: 1\ntensors: {a: {dtype: float32, sizes: 0}}\n", "")},
	{name: "documents of a long text", n: 50, files: one("a.layoutcalc.yaml", func(n int) string {
		return "# " + strings.Repeat("x", 1<<20) + "\n" +
			strings.Repeat("---\nversion: 1\ntensors: {a: {dtype: float32, sizes: 0}}\n", n)
	})},
	{name: "anchors and aliases", n: 50, files: repeats("a.layoutcalc.yaml",
		"version: 1\nx-a: &a {dtype: float32, sizes: 2}\ntensors:\n", "  t%d: *a\n", "")},
	{name: "merge keys", n: 50, files: repeats("a.layoutcalc.yaml",
		"version: 1\nx-a: &a {dtype: float32}\ntensors:\n", "  t%d: {<<: *a, sizes: 2}\n", "")},
	{name: "merge keys of merge keys", n: 8, limited: true, files: one("a.layoutcalc.yaml", func(n int) string {
		return "version: 1\nx-0: &a0 {dtype: float32}\n" +
			each(n, func(i int) string { return fmt.Sprintf("x-%d: &a%d {<<: *a%d}\n", i+1, i+1, i) }) +
			fmt.Sprintf("tensors: {t: {<<: *a%d, sizes: 2}}\n", n)
	})},
	{name: "a key of yaml", n: 2000, files: repeats("a.layoutcalc.yaml", yamlTensors+"  ", "k",
		": {dtype: float32, sizes: 0}\n")},
	{name: "a block of text in yaml", n: 200, files: repeats("a.layoutcalc.yaml", "version: 1\ndescription: |\n",
		"  line\n", "tensors: {t: {dtype: float32, sizes: 0}}\n")},
	{name: "a folded text in yaml", n: 200, files: repeats("a.layoutcalc.yaml", "version: 1\ndescription:\n",
		"  line\n", "tensors: {t: {dtype: float32, sizes: 0}}\n")},
	{name: "nesting in json", n: 16, limited: true,
		files: nested("a.layoutcalc.json", `{"version":1,"x-a":`, "[", "", "]",
			`,"tensors":{"t":{"dtype":"float32","sizes":0}}}`)},
	{name: "nesting in yaml", n: 16, limited: true,
		files: nested("a.layoutcalc.yaml", "version: 1\ntensors: {t: {dtype: float32, sizes: 0}}\nx-a: ", "[", "",
			"]", "\n")},
	{name: "nesting by indentation", n: 16, limited: true, files: one("a.layoutcalc.yaml", func(n int) string {
		return yamlTensors + "  t: {dtype: float32, sizes: 0}\nx-a:\n" +
			each(n, func(i int) string { return strings.Repeat(" ", i+1) + "a:\n" })
	})},
	{name: "comments", n: 200, files: repeats("a.layoutcalc.yaml", "", "# comment\n",
		yamlTensors+"  t: {dtype: float32, sizes: 0}\n")},
	{name: "ignores in comments", n: 100, files: repeats("a.layoutcalc.yaml", yamlTensors,
		"  t%d: {dtype: float32, sizes: [2, 2], strides: [3, 1]} # layoutcalc:ignore gaps rows are aligned\n", "")},
	{name: "ignores that silence nothing", n: 100, files: repeats("a.layoutcalc.yaml", yamlTensors,
		"  # layoutcalc:ignore gaps because\n  t%d: {dtype: float32, sizes: [2, 2]}\n", "")},
	{name: "ignores above one line", n: 100, files: repeats("a.layoutcalc.yaml", yamlTensors,
		"  # layoutcalc:ignore gaps because\n", "  t: {dtype: float32, sizes: [2, 2]}\n")},
	{name: "rules of an ignore", n: 100, files: listed("a.layoutcalc.yaml",
		yamlTensors+"  t: {dtype: float32, sizes: [2, 2]} # layoutcalc:ignore ", "gaps", " because\n")},

	// Configurations.
	{name: "budgets of all tensors", n: 100, files: one("a.layoutcalc.yaml", func(n int) string {
		return yamlTensors + numbered(n, "  t%d: {dtype: float32, sizes: [2]}\n") + "budgets:\n" +
			numbered(n, "  b%d: {tensors: '*', maxBytes: 1}\n")
	})},
	{name: "tensors of a budget", n: 2000, args: quiet, files: one("a.layoutcalc.yaml", func(n int) string {
		return yamlTensors + numbered(n, "  t%d: {dtype: float32, sizes: [2]}\n") +
			"budgets: {b: {maxBytes: 1, tensors: [" + commas(n, "t%d") + "]}}\n"
	})},
	{name: "patterns of a budget", n: 2100, limited: true, args: quiet, files: one("a.yaml", func(n int) string {
		return yamlTensors + numbered(n, "  t%d: {dtype: float32, sizes: [2]}\n") +
			"budgets: {b: {maxBytes: 1, tensors: [" + commas(n, "'x*%d'") + "]}}\n"
	})},
	{name: "names of a pattern that nearly match", n: 20, limited: true, args: quiet,
		files: one("a.layoutcalc.yaml", func(n int) string {
			return yamlTensors + numbered(20, "  "+strings.Repeat("a", 10*n)+"%d: {dtype: float32, sizes: [2]}\n") +
				"budgets: {b: {maxBytes: 1, tensors: ['*a?b7', '*x*']}}\n"
		})},
	{name: "stars of a pattern", n: 100, files: one("a.layoutcalc.yaml", func(n int) string {
		return yamlTensors + "  " + strings.Repeat("a", 100) +
			": {dtype: float32, sizes: [2]}\nbudgets: {b: {maxBytes: 1, tensors: '" + strings.Repeat("*a", n) +
			"b'}}\n"
	})},
	{name: "tensors of one pattern", n: 100, files: repeats("a.layoutcalc.yaml",
		"version: 1\nbudgets: {b: {maxBytes: 1, tensors: '*a*'}}\ntensors:\n",
		"  a%d: {dtype: float32, sizes: [2]}\n", "")},
	{name: "edges", n: 100, files: one("a.layoutcalc.yaml", func(n int) string {
		return yamlTensors + numbered(n, "  t%d: {dtype: float32, sizes: [2]}\n") + "edges:\n" +
			numbered(n, "- {from: t0, to: t%d}\n")
	})},
	{name: "edges to tensors that there are not", n: 110, files: one("a.layoutcalc.yaml", func(n int) string {
		return yamlTensors + numbered(n, "  "+long+": {dtype: float32, sizes: [2]}\n") + "edges:\n" +
			numbered(n, "- {from: "+long+", to: "+wrong+"}\n")
	})},
	{name: "tensors that are the same as one", n: 100,
		files: repeats("a.layoutcalc.yaml", yamlTensors,
			"  t%d: {dtype: float32, sizes: [2], expect: {sameAs: t0}}\n", "")},
	{name: "tensors that are the same as the next", n: 100, files: one("a.layoutcalc.yaml", func(n int) string {
		return yamlTensors + each(n, func(i int) string {
			return fmt.Sprintf("  t%d: {dtype: float32, sizes: [2], expect: {sameAs: t%d}}\n", i, (i+1)%n)
		})
	})},
	{name: "tensors that are the same as none", n: 110,
		files: repeats("a.layoutcalc.yaml", yamlTensors,
			"  "+long+": {dtype: float32, sizes: [2], expect: {sameAs: "+wrong+"}}\n", "")},
	{name: "named sizes", n: 100, files: repeats("a.layoutcalc.yaml", yamlTensors,
		"  t%d: {dtype: float32, sizes: [2], expect: {sizes: [N%d]}}\n", "")},
	{name: "one named size", n: 100, files: repeats("a.layoutcalc.yaml", yamlTensors,
		"  t%d: {dtype: float32, sizes: [%d], expect: {sizes: [N]}}\n", "")},
	{name: "tensors of a file", n: 200, files: func(n int) map[string]string {
		return map[string]string{
			"b.safetensors":     safetensors("{" + commas(n, strings.Replace(zeroTensor, "%d", "t%d", 1)) + "}"),
			"a.layoutcalc.yaml": yamlTensors + numbered(n, "  t%d: {file: b.safetensors, tensor: t%d}\n"),
		}
	}},
	{name: "tensors that a file does not have", n: 120, files: func(n int) map[string]string {
		return map[string]string{
			"b.safetensors":     safetensors("{" + commas(n, strings.Replace(zeroTensor, "%d", long, 1)) + "}"),
			"a.layoutcalc.yaml": yamlTensors + numbered(n, "  t%d: {file: b.safetensors, tensor: "+wrong+"}\n"),
		}
	}},
	{name: "tensors of an index", n: 200, files: func(n int) map[string]string {
		return map[string]string{
			"m.safetensors": safetensors("{" + commas(n, strings.Replace(zeroTensor, "%d", "t%d", 1)) +
				"}"),
			"m.safetensors.index.json": `{"metadata":{"total_size":0},"weight_map":{` +
				commas(n, `"t%d":"m.safetensors"`) + "}}",
			"a.layoutcalc.yaml": yamlTensors +
				numbered(n, "  t%d: {file: m.safetensors.index.json, tensor: t%d}\n"),
		}
	}},
	{name: "tensors of a model", n: 150, files: func(n int) map[string]string {
		return map[string]string{
			"b.onnx":            onnxModel(each(n, func(i int) string { return initializer(fmt.Sprint("t", i), "") })),
			"a.layoutcalc.yaml": yamlTensors + numbered(n, "  t%d: {file: b.onnx, tensor: t%d}\n"),
		}
	}},
	{name: "files of a configuration", n: 50, files: func(n int) map[string]string {
		files := map[string]string{"a.layoutcalc.yaml": yamlTensors + numbered(n, "  t%d: {file: f%d.npy}\n")}
		for i := range n {
			files[fmt.Sprintf("f%d.npy", i)] = npy
		}
		return files
	}},
	{name: "configurations of one file", n: 30, files: func(n int) map[string]string {
		files := map[string]string{"b.npy": npy}
		for i := range n {
			files[fmt.Sprintf("f%d.layoutcalc.yaml", i)] = yamlTensors + "  t: {file: b.npy}\n"
		}
		return files
	}},
	{name: "a configuration that names itself", n: 2,
		files: repeats("a.layoutcalc.yaml", yamlTensors, "  t%d: {file: a.layoutcalc.yaml, tensor: x}\n", "")},
	{name: "configurations that name the next", n: 4, files: func(n int) map[string]string {
		files := map[string]string{}
		for i := range n {
			files[fmt.Sprintf("f%d.layoutcalc.yaml", i)] = yamlTensors +
				fmt.Sprintf("  t: {file: f%d.layoutcalc.yaml, tensor: t}\n", (i+1)%n)
		}
		return files
	}},

	// Models of DxDispatch.
	{name: "resources", n: 100, files: listed("a.json", `{"dispatchables":{},"commands":[],"resources":{`,
		`"r%d":{"initialValuesDataType":"FLOAT32","initialValues":{"valueCount":6,"value":1}}`, "}}")},
	{name: "values of a resource", n: 1000, files: listed("a.json",
		`{"dispatchables":{},"commands":[],"resources":{"r":{"initialValuesDataType":"FLOAT32","initialValues":[`,
		`{"name":"x","type":"FLOAT32","value":1}`, "]}}}")},
	{name: "operators", n: 50, files: one("a.json", func(n int) string {
		return `{"resources":{"r":{"sizeInBytes":16}},"dispatchables":{` + commas(n, `"d%d":`+identity) +
			`},"commands":[` +
			commas(n,
				`{"type":"dispatch","dispatchable":"d%d","bindings":{"InputTensor":"r","OutputTensor":"r"}}`) + "]}"
	})},
	{name: "calls of one operator", n: 100, files: listed("a.json",
		`{"resources":{"r":{"sizeInBytes":16}},"dispatchables":{"d":`+identity+`},"commands":[`,
		`{"type":"dispatch","dispatchable":"d","bindings":{"InputTensor":"r","OutputTensor":"r"}}`, "]}")},
	{name: "calls of operators that there are not", n: 110, files: one("a.json", func(n int) string {
		return `{"resources":{"r":{"sizeInBytes":16}},"dispatchables":{` + commas(n, `"`+long+`":`+identity) +
			`},"commands":[` + commas(n, `{"type":"dispatch","dispatchable":"`+wrong+`","bindings":{}}`) + "]}"
	})},
	{name: "bindings to resources that there are not", n: 110, files: one("a.json", func(n int) string {
		return `{"resources":{` + commas(n, `"`+long+`":{"sizeInBytes":16}`) + `},"dispatchables":{"d":` +
			identity + `},"commands":[` +
			commas(n,
				dispatch+`"InputTensor":"`+wrong+`","OutputTensor":"`+wrong+`"}}`) + "]}"
	})},
	{name: "inputs of an operator", n: 400, args: quiet, files: one("a.json", func(n int) string {
		return `{"resources":{"r":{"sizeInBytes":16}},"dispatchables":{"d":{"type":"JOIN","desc":{"InputTensors":[` +
			commas(n, dmlTensor) + `],"OutputTensor":` + dmlTensor + `,"Axis":3}}},"commands":[` + dispatch +
			`"OutputTensor":"r","InputTensors":[` + commas(n, `"r"`) + `]}}]}`
	})},
	{name: "outputs of an operator", n: 200, files: one("a.json", func(n int) string {
		return `{"resources":{"r":{"sizeInBytes":16}},"dispatchables":{"d":{"type":"SPLIT","desc":{"OutputTensors":[` +
			commas(n, dmlTensor) + `],"InputTensor":` + dmlTensor + `,"Axis":3}}},"commands":[` + dispatch +
			`"InputTensor":"r","OutputTensors":[` + commas(n, `{"name":"r"}`) + `]}}]}`
	})},
	{name: "keys of bindings that there are not", n: 50, files: one("a.json", func(n int) string {
		return `{"resources":{"r":{"sizeInBytes":16}},"dispatchables":{"d":` + identity +
			`},"commands":[{"type":"dispatch","dispatchable":"d","bindings":{` + commas(n, `"Input%d":"r"`) + `}}]}`
	})},
	{name: "fields of an operator that there are not", n: 100,
		files: listed("a.json",
			`{"resources":{},"commands":[],"dispatchables":{"d":`+strings.TrimSuffix(identity, "}}")+",",
			`"Field%d":1`, "}}}}")},

	// Tensor files and indexes.
	{name: "axes of npy", n: 8, limited: true, files: one("a.npy",
		func(n int) string { return npyOf("(" + commas(n, "1") + ",)") })},
	{name: "blanks of npy", n: 2000, files: one("a.npy",
		func(n int) string { return npyOf("(1,)" + strings.Repeat(" ", n)) })},
	{name: "fields of npy", n: 200, limited: true, files: one("a.npy", func(n int) string {
		header := "{'descr': [" + commas(n, "('f%d', '<f4')") + "], 'fortran_order': False, 'shape': (0,)}\n"
		return npyHead(uint64(len(header))) + header
	})},
	{name: "tensors of safetensors", n: 200, files: one("a.safetensors",
		func(n int) string { return safetensors("{" + commas(n, zeroTensor) + "}") })},
	{name: "metadata of safetensors", n: 200, files: one("a.safetensors",
		func(n int) string { return safetensors(`{"__metadata__":{` + commas(n, `"k%d":"v"`) + "}}") })},
	{name: "tensors of safetensors of one name", n: 200, files: one("a.safetensors", func(n int) string {
		return safetensors("{" + commas(n, strings.Replace(zeroTensor, "%d", "a", 1)) + "}")
	})},
	{name: "tensors of safetensors in one place", n: 200, files: one("a.safetensors", func(n int) string {
		return safetensors("{"+commas(n, `"%d":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}`)+"}") + "0000"
	})},
	{name: "types of safetensors", n: 200, files: one("a.safetensors", func(n int) string {
		return safetensors("{" + commas(n, `"t%d":{"dtype":"X%d","shape":[0],"data_offsets":[0,0]}`) + "}")
	})},
	{name: "holes of safetensors", n: 100, files: one("a.safetensors", func(n int) string {
		return safetensors("{"+commas(n, `"%d":{"dtype":"U8","shape":[1],"data_offsets":[1%d0,1%d1]}`)+"}") +
			strings.Repeat("0", 1000*n)
	})},
	{name: "a shape of safetensors", n: 200, files: one("a.safetensors", func(n int) string {
		return safetensors(`{"a":{"dtype":"F32","shape":[` + commas(n, "1") + `],"data_offsets":[0,4]}}`)
	})},
	{name: "tensors of gguf", n: 100, files: one("a.gguf", func(n int) string {
		return ggufHead(uint64(n), 0) + each(n, func(i int) string {
			return ggufText(fmt.Sprint("t", i)) + le32(1) + le64(1) + le32(0) + le64(uint64(32*i))
		})
	})},
	{name: "tensors of gguf of one name and place", n: 100, files: one("a.gguf", func(n int) string {
		return ggufHead(uint64(n), 0) + each(n, func(i int) string {
			return ggufText("t") + le32(1) + le64(1) +
				le32(99) + le64(0)
		})
	})},
	{name: "pairs of gguf", n: 100, files: one("a.gguf", func(n int) string {
		return ggufHead(0, uint64(n)) + each(n, func(i int) string {
			return ggufText(fmt.Sprint("k", i)) + le32(4) +
				le32(1)
		})
	})},
	{name: "pairs of gguf of one name", n: 100, files: one("a.gguf", func(n int) string {
		return ggufHead(0, uint64(n)) + each(n, func(i int) string { return ggufText("k") + le32(4) + le32(1) })
	})},
	{name: "arrays of gguf in arrays", n: 16, limited: true, files: one("a.gguf", func(n int) string {
		return ggufHead(0, 1) + ggufText("k") + le32(9) + strings.Repeat(le32(9)+le64(1), n) + le32(4) + le64(0)
	})},
	{name: "texts of a gguf array", n: 200, files: one("a.gguf", func(n int) string {
		return ggufHead(0, 1) + ggufText("k") + le32(9) + le32(8) + le64(uint64(n)) + strings.Repeat(ggufText("a"), n)
	})},
	{name: "tensors of a shard", n: 200, files: index(func(n int) string { return `"t%d":"m.safetensors"` },
		strings.Replace(zeroTensor, "%d", "t%d", 1))},
	{name: "tensors that a shard does not have", n: 200,
		files: index(func(n int) string { return `"` + wrong + `":"m.safetensors"` },
			strings.Replace(zeroTensor, "%d", long, 1))},
	{name: "types of a shard", n: 1000, args: quiet,
		files: index(func(n int) string { return `"t%d":"m.safetensors"` },
			`"t%d":{"dtype":"X%d","shape":[0],"data_offsets":[0,0]}`)},
	{name: "shards that there are not", n: 50, files: listed("m.safetensors.index.json",
		`{"metadata":{"total_size":0},"weight_map":{`, `"t%d":"s%d.safetensors"`, "}}")},
	{name: "shards", n: 30, files: func(n int) map[string]string {
		files := map[string]string{"m.safetensors.index.json": `{"metadata":{"total_size":0},"weight_map":{` +
			commas(n, `"t%d":"s%d.safetensors"`) + "}}"}
		for i := range n {
			files[fmt.Sprintf("s%d.safetensors", i)] = safetensors("{" +
				strings.Replace(zeroTensor, "%d", fmt.Sprint("t", i), 1) + "}")
		}
		return files
	}},
	{name: "indexes", n: 10, files: func(n int) map[string]string {
		files := map[string]string{}
		for i := range n {
			files[fmt.Sprintf("m%d.safetensors.index.json",
				i)] = fmt.Sprintf(`{"metadata":{"total_size":0},"weight_map":{"t":"m%d.safetensors"}}`, i)
			files[fmt.Sprintf("m%d.safetensors",
				i)] = safetensors(`{"t":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}`)
		}
		return files
	}},
	{name: "pointers of lfs", n: 30, files: func(n int) map[string]string {
		files := map[string]string{}
		for i := range n {
			files[fmt.Sprintf("s%d.safetensors", i)] = "version https://git-lfs.github.com/spec/v1\noid sha256:" +
				strings.Repeat("a", 64) + "\nsize 100\n"
		}
		return files
	}},
}

// An operator, and the beginning of a call of one.
const (
	dispatch = `{"type":"dispatch","dispatchable":"d","bindings":{`
	identity = `{"type":"ELEMENT_WISE_IDENTITY","desc":{"InputTensor":` + dmlTensor + `,"OutputTensor":` +
		dmlTensor + `}}`
)

// npyOf is a .npy file of a shape.
func npyOf(shape string) string {
	header := "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + "}\n"
	return npyHead(uint64(len(header))) + header + "0000"
}

// index is an index of one shard, with members of both that repeat.
func index(entry func(n int) string, tensor string) func(n int) map[string]string {
	return func(n int) map[string]string {
		return map[string]string{
			"m.safetensors":            safetensors("{" + commas(n, tensor) + "}"),
			"m.safetensors.index.json": `{"metadata":{"total_size":0},"weight_map":{` + commas(n, entry(n)) + "}}",
		}
	}
}

// field is a field of protobuf that holds bytes, and number one that holds a number.
func field(id int, text string) string {
	return string(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(id<<3|2)), uint64(len(text)))) + text
}

func number(id, n int) string {
	return string(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(id<<3)), uint64(n)))
}

// onnxModel is a model of a graph, and maybe more fields of the model.
func onnxModel(graph string, more ...string) string {
	return number(1, 8) + field(8, field(1, "")+number(2, 17)) + field(7, graph) + strings.Join(more, "")
}

// initializer is a tensor of one float in a graph, whose data is in a file if that has a name.
func initializer(name, file string) string {
	t := number(1, 1) + number(2, 1) + field(8, name)
	if file == "" {
		return field(5, t+field(9, "0000"))
	}
	return field(5, t+field(13, field(1, "location")+field(2, file))+number(14, 1))
}

// graphInput is a tensor of floats that a graph takes.
func graphInput(name string) string { return field(11, valueInfo(name)) }

// valueInfo is the type of a tensor of floats.
func valueInfo(name string) string {
	return field(1, name) + field(2, field(1, number(1, 1)+field(2, field(1, number(1, 3)))))
}
