//go:build !race

package processtest

import (
	"fmt"
	"strconv"
	"strings"
)

// initialized are the fields of a DML_BUFFER_TENSOR_DESC, after its name.
const initialized = " = {DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 2, s0, nullptr, 24, 0};\n"

// tensorOf are the fields of a tensor in a Triton configuration, after its name.
const tensorOf = "data_type:TYPE_FP32 dims:1"

// tritonOne is a model of one input and one output.
const tritonOne = `backend:"python" max_batch_size:1 input{name:"i" ` + tensorOf + `} output{name:"o" ` + tensorOf +
	"}"

// step is a step of an ensemble.
func step(model, in, out string) string {
	return fmt.Sprintf("step{model_name:%q input_map{key:\"i\"value:%q}output_map{key:\"o\"value:%q}}\n", model, in,
		out)
}

// ensemble is an ensemble of n steps.
func ensemble(n int, more string, step func(i int) string) string {
	return `platform:"ensemble" input{name:"x" ` + tensorOf + "} " + more + " ensemble_scheduling{" +
		each(n, step) + "}"
}

// withONNX is a Triton model with an ONNX model.
func withONNX(config func(n int) string, inputs string) func(n int) map[string]string {
	return func(n int) map[string]string {
		return map[string]string{
			"a/config.pbtxt": `backend:"onnxruntime" ` + config(n),
			"a/1/model.onnx": onnxModel(each(n, func(i int) string {
				return graphInput(strings.ReplaceAll(inputs,
					"%d", strconv.Itoa(i)))
			})),
		}
	}
}

func yn(i int) string { return fmt.Sprint("y", i) }

// growingModels are models, configurations of servers and repositories.
var growingModels = []grower{
	// Models of ONNX.
	{name: "initializers", n: 100, files: one("a.onnx", func(n int) string {
		return onnxModel(each(n, func(i int) string { return initializer(fmt.Sprint("t", i), "") }))
	})},
	{name: "initializers of one name", n: 100, files: one("a.onnx", func(n int) string {
		return onnxModel(each(n, func(i int) string { return initializer("t", "") }))
	})},
	{name: "sizes of an initializer", n: 200, files: one("a.onnx", func(n int) string {
		return onnxModel(field(5, strings.Repeat(number(1, 1), n)+number(2, 1)+field(8, "t")+field(9, "0000")))
	})},
	{name: "a name of onnx", n: 2000, files: one("a.onnx",
		func(n int) string { return onnxModel(strings.Repeat(initializer(strings.Repeat("n", n), ""), 2)) })},
	{name: "nodes", n: 100, files: one("a.onnx", func(n int) string {
		return onnxModel(graphInput("y0") + each(n,
			func(i int) string { return field(1, field(1, yn(i))+field(2, yn(i+1))+field(4, "Relu")) }))
	})},
	{name: "nodes of one output", n: 100, files: one("a.onnx", func(n int) string {
		return onnxModel(graphInput("x") + strings.Repeat(field(1, field(1, "x")+field(2, "y")+field(4, "Relu")), n))
	})},
	{name: "nodes in the wrong order", n: 100, files: one("a.onnx", func(n int) string {
		return onnxModel(each(n, func(i int) string {
			return field(1,
				field(1, yn(i+1))+field(2, yn(i))+field(4, "Relu"))
		}))
	})},
	{name: "inputs of a node", n: 200, files: one("a.onnx", func(n int) string {
		return onnxModel(field(1, each(n, func(i int) string { return field(1, yn(i)) })+field(2, "y")+field(4,
			"Sum")))
	})},
	{name: "outputs of a node by one name", n: 200, files: one("a.onnx", func(n int) string {
		return onnxModel(field(1, field(1, "x")+strings.Repeat(field(2, "y"), n)+field(4, "Split")))
	})},
	{name: "attributes of a node", n: 200, files: one("a.onnx", func(n int) string {
		return onnxModel(field(1, field(4, "Conv")+strings.Repeat(field(5,
			field(1, "group")+number(20, 2)+number(3, 1)), n)))
	})},
	{name: "convolutions of one weight", n: 100, files: one("a.onnx", func(n int) string {
		return onnxModel(initializer("w", "") + graphInput("x") + each(n, func(i int) string {
			return field(1, field(1, "x")+field(1, "w")+field(2, yn(i))+field(4, "Conv"))
		}))
	})},
	{name: "constants", n: 100, files: one("a.onnx", func(n int) string {
		return onnxModel(each(n, func(i int) string {
			return field(1, field(2, yn(i))+field(4, "Constant")+field(5,
				field(1, "value")+number(20, 4)+field(5, number(1, 1)+number(2, 1)+field(9, "000"))))
		}))
	})},
	{name: "inputs of a graph", n: 100, files: one("a.onnx", func(n int) string {
		return onnxModel(each(n, func(i int) string { return graphInput(yn(i)) }))
	})},
	{name: "types of values", n: 100, files: one("a.onnx", func(n int) string {
		return onnxModel(each(n, func(i int) string { return field(13, valueInfo(yn(i))) }))
	})},
	{name: "graphs in graphs", n: 8, limited: true, square: true, files: one("a.onnx", func(n int) string {
		graph := initializer("t", "")
		for i := range n {
			graph = initializer(fmt.Sprint("t", i), "") +
				field(1, field(4, "If")+field(5, field(1, "then_branch")+number(20, 5)+field(6, graph)))
		}
		return onnxModel(graph)
	})},
	{name: "names of outer graphs", n: 50, files: one("a.onnx", func(n int) string {
		inner := each(n, func(i int) string {
			return field(1,
				field(1, fmt.Sprint("t", i))+field(2, yn(i))+field(4, "Relu"))
		})
		return onnxModel(each(n, func(i int) string { return initializer(fmt.Sprint("t", i), "") }) +
			field(1, field(4, "If")+field(5, field(1, "then_branch")+number(20, 5)+field(6, inner))))
	})},
	{name: "branches", n: 50, files: one("a.onnx", func(n int) string {
		branch := field(5, field(1, "then_branch")+number(20, 5)+field(6, initializer("t", "")))
		return onnxModel(initializer("c", "") + strings.Repeat(field(1, field(1, "c")+field(4, "If")+branch), n))
	})},
	{name: "functions", n: 100, files: one("a.onnx", func(n int) string {
		return onnxModel("", each(n, func(i int) string {
			return field(25, field(1, fmt.Sprint("f", i))+field(4, "x")+field(5, "y")+field(7,
				field(1, "x")+field(2, "y")+field(4, "Relu")))
		}))
	})},
	{name: "operator sets", n: 100, files: one("a.onnx", func(n int) string {
		return onnxModel("", each(n, func(i int) string {
			return field(8,
				field(1, fmt.Sprint("d", i))+number(2, 1))
		}))
	})},
	{name: "properties of onnx", n: 100, files: one("a.onnx", func(n int) string {
		return onnxModel("", each(n, func(i int) string {
			return field(14,
				field(1, fmt.Sprint("k", i))+field(2, "v"))
		}))
	})},
	{name: "fields of onnx that there are not", n: 200,
		files: one("a.onnx", func(n int) string { return onnxModel("", strings.Repeat(number(99, 1), n)) })},
	{name: "external data in one file", n: 100, files: func(n int) map[string]string {
		return map[string]string{"w": "0000", "a.onnx": onnxModel(each(n,
			func(i int) string { return initializer(fmt.Sprint("t", i), "w") }))}
	}},
	{name: "external data in many files", n: 30, files: func(n int) map[string]string {
		files := map[string]string{"a.onnx": onnxModel(each(n,
			func(i int) string { return initializer(fmt.Sprint("t", i), fmt.Sprint("w", i)) }))}
		for i := range n {
			files[fmt.Sprint("w", i)] = "0000"
		}
		return files
	}},
	{name: "external data in files that there are not", n: 50, files: one("a.onnx", func(n int) string {
		return onnxModel(each(n, func(i int) string { return initializer(fmt.Sprint("t", i), fmt.Sprint("w", i)) }))
	})},
	{name: "quantization annotations", n: 100, files: one("a.onnx", func(n int) string {
		return onnxModel(each(n, func(i int) string {
			return field(14,
				field(1, yn(i))+field(2, field(1, "SCALE_TENSOR")+field(2, "s")))
		}))
	})},

	// Configurations of Triton.
	{name: "inputs of a model", n: 100, files: repeats("a/config.pbtxt", `backend:"python" `,
		`input{name:"i%d" `+tensorOf+"}\n", "")},
	{name: "inputs of one name", n: 100, files: repeats("a/config.pbtxt", `backend:"python" `,
		`input{name:"i" `+tensorOf+"}\n", "")},
	{name: "dims", n: 200, files: repeats("a/config.pbtxt", `backend:"python" input{name:"i" data_type:TYPE_FP32 `,
		"dims:1 ", "}")},
	{name: "fields of a message", n: 200, files: repeats("a/config.pbtxt", "", `backend:"python" `, "")},
	{name: "fields that there are not", n: 100, files: repeats("a/config.pbtxt", `backend:"python" `, "field%d:1 ",
		"")},
	{name: "messages in messages", n: 16, limited: true,
		files: nested("a/config.pbtxt", `backend:"python" `, "a{", "", "}", "")},
	{name: "parts of a text", n: 500, files: repeats("a/config.pbtxt", "name: ", `"a" `, "")},
	{name: "escapes of a text", n: 500, files: repeats("a/config.pbtxt", `name: "`, `\303\251`, `"`)},
	{name: "comments of triton", n: 200, files: repeats("a/config.pbtxt", "", "# comment\n", `backend:"python"`)},
	{name: "parameters", n: 100, files: repeats("a/config.pbtxt", `backend:"python" `,
		`parameters{key:"k%d"value{string_value:"v"}}`, "")},
	{name: "instance groups", n: 100, files: repeats("a/config.pbtxt", `backend:"python" `,
		"instance_group{count:1 kind:KIND_CPU name:\"g\"}", "")},
	{name: "preferred batch sizes", n: 200, files: repeats("a/config.pbtxt",
		`backend:"python" max_batch_size:4 dynamic_batching{`, "preferred_batch_size:9 ", "}")},
	{name: "batch inputs", n: 100, files: repeats("a/config.pbtxt", tritonOne,
		`batch_input{kind:BATCH_ITEM_SHAPE target_name:"t%d" data_type:TYPE_FP32 source_input:"j%d"}`, "")},
	{name: "states of sequences", n: 100, files: repeats("a/config.pbtxt", tritonOne+" sequence_batching{",
		`state{input_name:"s%d" output_name:"t%d" `+tensorOf+"}", "}")},
	{name: "controls of sequences", n: 100, files: repeats("a/config.pbtxt", tritonOne+" sequence_batching{",
		`control_input{name:"c%d" control{kind:CONTROL_SEQUENCE_START int32_false_true:[0,1]}}`, "}")},
	{name: "warm-ups", n: 50, files: repeats("a/config.pbtxt", tritonOne,
		`model_warmup{batch_size:1 name:"w" inputs{key:"i" value{data_type:TYPE_FP32 dims:1 zero_data:true}}}`, "")},
	{name: "inputs of a warm-up", n: 200, files: one("a/config.pbtxt", func(n int) string {
		return `backend:"python" ` + numbered(n, `input{name:"i%d" `+tensorOf+"}\n") +
			`model_warmup{batch_size:1 name:"w" ` +
			numbered(n, `inputs{key:"j%d"value{dims:1 zero_data:true}}`+"\n") + "}"
	})},
	{name: "files of a warm-up", n: 30, files: one("a/config.pbtxt", func(n int) string {
		return tritonOne +
			numbered(n,
				`model_warmup{batch_size:1 inputs{key:"i" value{data_type:TYPE_FP32 dims:1 input_data_file:"w%d"}}}`)
	})},
	{name: "outputs with one file of labels", n: 20, files: func(n int) map[string]string {
		return map[string]string{
			"a/config.pbtxt": `backend:"python" ` +
				numbered(n, `output{name:"o%d" `+tensorOf+` label_filename:"l"}`+"\n"),
			"a/l": strings.Repeat("label\n", 100*n),
		}
	}},
	{name: "versions", n: 20, files: func(n int) map[string]string {
		files := map[string]string{"a/config.pbtxt": tritonOne}
		for i := range n {
			files[fmt.Sprintf("a/%d/model.py", i+1)] = ""
		}
		return files
	}},
	{name: "inputs that the graph does not have", n: 1000, limited: true,
		files: withONNX(func(n int) string { return numbered(n, `input{name:"j%d" `+tensorOf+"}\n") }, "i%d")},
	{name: "inputs that the graph has in other words", n: 120,
		files: withONNX(func(n int) string { return numbered(n, `input{name:"`+wrong+`" `+tensorOf+"}\n") }, long)},
	{name: "inputs that the graph completes", n: 500, args: quiet,
		files: withONNX(func(n int) string {
			return "max_batch_size:1 " +
				numbered(n, `input{name:"i%d" `+tensorOf+"}\n")
		}, "i%d")},
	{name: "inputs that the graph alone has", n: 50, files: withONNX(func(n int) string { return "" }, "i%d")},

	// Ensembles.
	{name: "steps in a row", n: 50, files: func(n int) map[string]string {
		return map[string]string{"a/config.pbtxt": tritonOne,
			"e/config.pbtxt": ensemble(n, "max_batch_size:1", func(i int) string {
				if i == 0 {
					return step("a", "x", yn(1))
				}
				return step("a", yn(i), yn(i+1))
			})}
	}},
	{name: "steps in a circle", n: 100, files: one("e/config.pbtxt", func(n int) string {
		return ensemble(n, "", func(i int) string { return step("a", yn((i+1)%n), yn(i)) })
	})},
	{name: "outputs that no step can compute", n: 200, files: one("e/config.pbtxt", func(n int) string {
		outputs := numbered(n, `output{name:"y%d" `+tensorOf+"}\n")
		return ensemble(n, outputs, func(i int) string { return step("a", yn(i+1), yn(i)) })
	})},
	{name: "steps of a model of many inputs", n: 60, files: func(n int) map[string]string {
		return map[string]string{
			"a/config.pbtxt": `backend:"python" ` + numbered(n, `input{name:"i%d" `+tensorOf+"}\n") +
				` output{name:"o" ` + tensorOf + "}",
			"e/config.pbtxt": ensemble(n, "", func(i int) string { return step("a", "x", yn(i)) }),
		}
	}},
	{name: "steps without batches", n: 2000, args: quiet, files: func(n int) map[string]string {
		return map[string]string{"a/config.pbtxt": tritonOne, "b/config.pbtxt": tritonOne,
			"e/config.pbtxt": ensemble(n, "max_batch_size:4", func(i int) string {
				return step(string("ab"[2*i/n]), "x", yn(i))
			})}
	}},
	{name: "steps of one tensor", n: 100, files: func(n int) map[string]string {
		return map[string]string{"a/config.pbtxt": tritonOne,
			"e/config.pbtxt": ensemble(n, "max_batch_size:1", func(int) string { return step("a", "x", "y") })}
	}},
	{name: "steps of a model of many versions", n: 100, files: func(n int) map[string]string {
		return map[string]string{
			"a/config.pbtxt": tritonOne + " version_policy{specific{versions:[" +
				each(n, func(i int) string { return fmt.Sprint(i+2, ",") }) + "1]}}",
			"e/config.pbtxt": ensemble(n, "max_batch_size:1", func(i int) string {
				return strings.Replace(step("a", "x", yn(i)), "input_map", "model_version:1 input_map", 1)
			}),
		}
	}},
	{name: "steps of models that there are not", n: 120, files: func(n int) map[string]string {
		files := map[string]string{"a/config.pbtxt": tritonOne}
		for i := range n {
			files[strings.Replace(long, "%d", strconv.Itoa(i), 1)+"/x"] = ""
		}
		files["e/config.pbtxt"] = ensemble(n, "max_batch_size:1", func(i int) string {
			if i == 0 {
				return step("a", "x", yn(i))
			}
			return step(strings.Replace(wrong, "%d", strconv.Itoa(i), 1), "x", yn(i))
		})
		return files
	}},
	{name: "maps of tensors that there are not", n: 120, files: func(n int) map[string]string {
		return map[string]string{
			"a/config.pbtxt": `backend:"python" ` + numbered(n, `input{name:"`+long+`" `+tensorOf+"}") +
				` output{name:"o" ` + tensorOf + "}",
			"e/config.pbtxt": ensemble(1, "", func(int) string {
				return `step{model_name:"a" ` + numbered(n, `input_map{key:"`+wrong+`"value:"x"}`) +
					` output_map{key:"o"value:"y"}}`
			}),
		}
	}},
	{name: "maps of one tensor", n: 100, files: func(n int) map[string]string {
		return map[string]string{"a/config.pbtxt": tritonOne, "e/config.pbtxt": ensemble(1, "", func(int) string {
			return `step{model_name:"a" ` + numbered(n, `input_map{key:"i"value:"x"}`) +
				` output_map{key:"o"value:"y"}}`
		})}
	}},
	{name: "ensembles of ensembles", n: 8, files: func(n int) map[string]string {
		files := map[string]string{}
		for i := range n {
			files[fmt.Sprintf("e%d/config.pbtxt", i)] = ensemble(1, `output{name:"o" `+tensorOf+"}", func(int) string {
				return fmt.Sprintf(`step{model_name:"e%d" input_map{key:"x"value:"x"}output_map{key:"o"value:"o"}}`,
					i+1)
			})
		}
		return files
	}},
	{name: "ensembles of one model", n: 20, files: func(n int) map[string]string {
		files := map[string]string{"a/config.pbtxt": tritonOne}
		for i := range n {
			files[fmt.Sprintf("e%d/config.pbtxt", i)] = ensemble(1, "max_batch_size:1",
				func(int) string { return step("a", "x", "o") })
		}
		return files
	}},
	{name: "an ensemble of many models", n: 20, files: func(n int) map[string]string {
		files := map[string]string{"e/config.pbtxt": ensemble(n, "max_batch_size:1",
			func(i int) string { return step(fmt.Sprint("m", i), "x", yn(i)) })}
		for i := range n {
			files[fmt.Sprintf("m%d/config.pbtxt", i)] = tritonOne
		}
		return files
	}},

	// Repositories.
	{name: "files", n: 100, args: quiet, files: func(n int) map[string]string {
		files := map[string]string{}
		for i := range n {
			files[fmt.Sprintf("%d.npy", i)] = npy
		}
		return files
	}},
	{name: "directories", n: 30, files: func(n int) map[string]string {
		files := map[string]string{}
		for i := range n {
			files[fmt.Sprintf("d%d/a.npy", i)] = npy
		}
		return files
	}},
	{name: "directories in directories", n: 20,
		files: func(n int) map[string]string { return map[string]string{strings.Repeat("d/", n) + "a.npy": npy} }},
	{name: "lines of gitignore", n: 200, files: func(n int) map[string]string {
		return map[string]string{".git/x": "", "a.npy": npy, ".gitignore": numbered(n, "a*b*c%d\n")}
	}},
	{name: "stars of gitignore", n: 20, files: func(n int) map[string]string {
		return map[string]string{".git/x": "", strings.Repeat("a/", n) + "x.npy": npy,
			".gitignore": strings.Repeat("**/", n) + "zz\n"}
	}},
	{name: "stars of a name in gitignore", n: 20, limited: true, files: func(n int) map[string]string {
		return map[string]string{".git/x": "", strings.Repeat("a", 200) + ".npy": npy,
			".gitignore": strings.Repeat("*a", n) + "*b\n"}
	}},
	{name: "gitignores in directories", n: 20, square: true, files: func(n int) map[string]string {
		files := map[string]string{".git/x": ""}
		for i := range n {
			files[strings.Repeat("d/", i)+".gitignore"] = strings.Repeat("a*b*c\n", 5)
			files[strings.Repeat("d/", i)+"a.npy"] = npy
		}
		return files
	}},
	{name: "ignores of a project by name", n: 100, files: func(n int) map[string]string {
		return map[string]string{
			".git/x": "", "a.jsonl": numbered(n, gapRow),
			".layoutcalc.yaml": "version: 1\nignores:\n" +
				numbered(n, `- {path: a.jsonl, tensor: "z%d", rule: gaps, reason: x}`+"\n"),
		}
	}},
	{name: "ignores of a project", n: 1100, limited: true, files: func(n int) map[string]string {
		return map[string]string{
			".git/x": "", "a.jsonl": numbered(n, gapRow),
			".layoutcalc.yaml": "version: 1\nignores:\n" +
				numbered(n, `- {path: "*", tensor: "z*%d", rule: gaps, reason: x}`+"\n"),
		}
	}},
	{name: "findings of a project that ignores", n: 100, files: func(n int) map[string]string {
		return map[string]string{
			".git/x": "", "a.jsonl": numbered(n, gapRow),
			".layoutcalc.yaml": "version: 1\nignores:\n- {path: \"*\", tensor: \"a*\", rule: gaps, reason: x}\n",
		}
	}},
	{name: "exclusions of a project", n: 100, files: func(n int) map[string]string {
		return map[string]string{".git/x": "", "a.npy": npy, ".layoutcalc.yaml": "version: 1\nexclude: [" +
			commas(n, `"x*%d"`) + "]\n"}
	}},
	{name: "documents of a project", n: 200, files: func(n int) map[string]string {
		return map[string]string{".git/x": "", "a.npy": npy,
			".layoutcalc.yaml": strings.Repeat("---\nversion: 1\n", n)}
	}},
	{name: "rules of a project that there are not", n: 100, files: func(n int) map[string]string {
		return map[string]string{".git/x": "", "a.npy": npy, ".layoutcalc.yaml": "version: 1\nignore: [" +
			commas(n, "gap%d") + "]\n"}
	}},
	{name: "a baseline", n: 100, args: on("check", ".", "--baseline", "b.json", "-o", "json"),
		files: func(n int) map[string]string {
			return map[string]string{"a.jsonl": numbered(n, zeroRow), "b.json": `{"version":1,"findings":[` +
				commas(n, `{"rule":"size-zero","path":"a.jsonl","tensor":"a%d","key":"","id":"%d","count":1}`) + "]}"}
		}},
	{name: "findings for a baseline", n: 100, args: on("check", ".", "--write-baseline", "b.json"),
		files: repeats("a.jsonl", "", zeroRow, "")},
	{name: "a list of files", n: 200, args: on("check", "--files-from", "l", "-o", "json"),
		files: func(n int) map[string]string {
			return map[string]string{"a.npy": npy, "l": strings.Repeat("a.npy\n", n)}
		}},
	{name: "a list of files that there are not", n: 100, args: on("check", "--files-from", "l", "-o", "json"),
		files: repeats("l", "", "a%d.npy\n", "")},
	{name: "a path in a list of files", n: 50, args: on("check", "--files-from", "l", "-o", "json", "--exclude",
		"x"), files: repeats("l", "", "a/", "a.npy\n")},
	{name: "files as arguments", n: 100, files: one("a.npy", func(int) string { return npy }),
		args: func(n int) []string {
			return strings.Fields("check -o json" + strings.Repeat(" a.npy", n))
		}},
	{name: "directories with configurations", n: 20, args: on("check", ".", "-o", "json"),
		files: func(n int) map[string]string {
			files := map[string]string{".git/HEAD": "ref: refs/heads/main\n", "base.yaml": "version: 1\n" +
				"ignores: [{path: '*', rule: gaps, reason: x}]\n"}
			for i := range n {
				files[fmt.Sprintf("d%d/a.npy", i)] = npy
				files[fmt.Sprintf("d%d/.layoutcalc.yaml", i)] = "version: 1\nextends: ../base.yaml\n"
			}
			return files
		}},
	{name: "data of models in a list", n: 50, args: on("check", "--files-from", "l", "-o", "json"),
		files: func(n int) map[string]string {
			files := map[string]string{"l": numbered(n, "d/w%d.onnx.data\n")}
			for i := range n {
				files[fmt.Sprintf("d/m%d.onnx", i)] = "\x08\x07\x3a\x00"
			}
			return files
		}},
	{name: "directories as arguments", n: 20, args: func(n int) []string {
		return strings.Fields("check -o json" +
			numbered(n, " d%d"))
	}, files: func(n int) map[string]string {
		files := map[string]string{}
		for i := range n {
			files[fmt.Sprintf("d%d/a.npy", i)] = npy
		}
		return files
	}},
	{name: "exclusions as arguments", n: 100, files: one("a.npy", func(int) string { return npy }),
		args: func(n int) []string {
			return strings.Fields("check . -o json" + numbered(n, " --exclude x*%d"))
		}},
	{name: "findings in all reports", n: 50, files: repeats("d/a.jsonl", "", zeroRow, ""), args: func(int) []string {
		args := []string{"check", "d", "-o", "text"}
		for _, f := range strings.Fields("plain json jsonl sarif junit github gitlab markdown csv") {
			args = append(args, "--report", f+"=r."+f)
		}
		return args
	}},
	{name: "findings in one long line", n: 100, files: listed("a.json",
		`{"resources":{},"commands":[],"dispatchables":{"d":{"type":"JOIN","desc":{"InputTensors":[`, sizeZero,
		`],"OutputTensor":`+dmlTensor+`,"Axis":0}}}}`)},
	{name: "findings of one long name", n: 40, files: one("a.jsonl", func(n int) string {
		return strings.Repeat(`{"name":"`+strings.Repeat("n", 500)+`","DataType":"FLOAT32","Sizes":[0]}`+"\n", n)
	})},
}
