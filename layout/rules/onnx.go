package rules

// Models of ONNX in protobuf's text format. What follows the model is a file beside it, unless it is less of the model
// or more.
const (
	onnxOf  = `ir_version: 8 opset_import { version: 17 } graph { `
	onnxWOf = `initializer { name: "w" dims: [2, 3] data_type: FLOAT `
	onnxW   = onnxWOf + `raw_data: 24 bytes } `
	onnxXOf = `input { name: "x" type { tensor_type { elem_type: FLOAT shape { dim { `
	onnxX   = onnxXOf + `dim_param: "N" } } } } } `
	onnxY   = `output { name: "y" type { tensor_type { elem_type: FLOAT shape { dim { dim_param: "N" } } } } } `

	onnxSparseOf = `sparse_initializer { values { name: "w" dims: [2] data_type: FLOAT raw_data: 8 bytes } ` +
		`indices { dims: [2] data_type: INT64 int64_data: `
	onnxConvOf = `node { input: ["x", "w"] output: "y" op_type: "Conv" ` +
		`attribute { name: "kernel_shape" ints: [3, 3] } } initializer { name: "w" dims: `

	onnxExternal = onnxWOf + `data_location: EXTERNAL external_data `
	onnxBin      = `{ key: "location" value: "w.bin" } `
)

// onnxRules are the rules of ONNX models.
var onnxRules = []Rule{
	{ID: ONNXTruncated, Name: "onnx-truncated", Severity: Error,
		What: "The bytes of a model can be read to their end: each length is within its message, numbers have at " +
			"most 10 bytes, and messages nest at most 64 deep.",
		Why: "Readers say no more than \"Protobuf parsing failed\". It is what a broken download, or a file that is " +
			"still being written, looks like. Fields that ONNX does not have are skipped, which is a note.",
		Limit:  "212 bytes that are claimed are right where 212 are left, 213 are wrong",
		Source: "enforced by protobuf; observed (onnxruntime-genai issue 684, commavq issue 12)",
		Fix:    "Copy the file again.",
		Bad:    onnxOf + onnxW + `} + 3 bytes less`,
		Good:   onnxOf + onnxW + `}`,
	},
	{ID: ONNXIRVersion, Name: "onnx-ir-version", Severity: Error,
		What: "A model states the version of its format.",
		Why: "Readers refuse a model without one. One that is newer than this program may have fields it does not " +
			"know.",
		Limit:  "1 and 14 are right, 0 is wrong, 15 is a warning",
		Source: "enforced by onnx.checker (check_model)", Fix: "Save the model again with a current version of onnx.",
		Bad:  `ir_version: 0 graph { ` + onnxW + `}`,
		Good: onnxOf + onnxW + `}`,
	},
	{ID: ONNXOpset, Name: "onnx-opset", Severity: Error,
		What: "From IR version 3 on a model imports a set of operators, before that none. Each domain is imported " +
			"once.",
		Why:    "The version of the set says what the operators mean. A domain that is imported twice is a warning.",
		Limit:  "IR version 3 with one opset_import is right, with none wrong; IR version 2 the other way round",
		Source: "enforced by onnx.checker (check_model)",
		Fix:    "Set opset_import to the version that the nodes were made for.",
		Bad:    `ir_version: 8 graph { ` + onnxW + `}`,
		Good:   onnxOf + onnxW + `}`,
	},
	{ID: ONNXDataSize, Name: "onnx-data-size", Severity: Error,
		What: "The raw_data of a tensor has exactly the bytes that its shape and type take.",
		Why: "onnx.checker lets too many pass, and ONNX Runtime refuses any other number: \"the pre-allocated size " +
			"does not match the raw data size, expected 36, got 32\". One more byte at the end is enough " +
			"(onnxruntime issue 18648).",
		Limit:  "FLOAT of [2,3] takes 24 bytes: 23 and 25 are wrong; INT4 of [3] takes 2",
		Source: "documented (onnx.proto); enforced by onnx.checker and ONNX Runtime (tensorprotoutils.cc)",
		Fix:    "Write the tensor again with onnx.numpy_helper.from_array.",
		Bad:    onnxOf + onnxWOf + `raw_data: 23 bytes } }`,
		Good:   onnxOf + onnxWOf + `raw_data: 24 bytes } }`,
	},
	{ID: ONNXDataCount, Name: "onnx-data-count", Severity: Error,
		What: "Elements that are stored as numbers are as many as the shape says: float_data, int32_data and their " +
			"like.",
		Why: "ONNX Runtime refuses the model: \"corrupted protobuf data: tensor shape size(1) does not match the " +
			"data size(0) in proto\" (ailia-models issue 1351). Of complex numbers each has two entries.",
		Limit: "FLOAT of [2] has 2 entries of float_data, COMPLEX64 of [2] has 4; INT4 of [9] has at least 2, for " +
			"writers do not agree how many elements an entry has",
		Source: "documented (onnx.proto); enforced by onnx.checker and ONNX Runtime",
		Fix:    "Write the tensor again with onnx.numpy_helper.from_array.",
		Bad:    onnxOf + `initializer { name: "w" dims: [2] data_type: FLOAT float_data: [1] } }`,
		Good:   onnxOf + `initializer { name: "w" dims: [2] data_type: FLOAT float_data: [1, 2] } }`,
	},
	{ID: ONNXDataFields, Name: "onnx-data-fields", Severity: Error,
		What: "The elements of a tensor are in one field, the one for its type or raw_data, or in another file. A " +
			"tensor without elements has none of them.",
		Why: "A reader looks in one field, and takes others for nothing. Texts are in string_data only. A type that " +
			"is newer than this program is a warning.",
		Limit:  "FLOAT of [0] without data is right, with float_data wrong; UNDEFINED is not a type",
		Source: "enforced by onnx.checker (check_tensor)",
		Fix:    "Write the tensor again with onnx.numpy_helper.from_array.",
		Bad:    onnxOf + `initializer { name: "w" dims: [2] data_type: INT64 int32_data: [1, 2] } }`,
		Good:   onnxOf + `initializer { name: "w" dims: [2] data_type: INT64 int64_data: [1, 2] } }`,
	},
	{ID: ONNXDims, Name: "onnx-dims", Severity: Error,
		What:   "The sizes of weights are not negative, and 63 bits hold their bits.",
		Why:    "A product that wraps makes a small buffer for large data.",
		Limit:  "0 is right, -1 is wrong; INT8 of [2^60 - 1] is right, of [2^60] wrong",
		Source: "enforced by onnx.checker (safe_dim_product) and ONNX Runtime (pull request 27547)",
		Fix:    "State the sizes that the weights have.",
		Bad:    onnxOf + `initializer { name: "w" dims: [-1, 3] data_type: FLOAT raw_data: 24 bytes } }`,
		Good:   onnxOf + onnxW + `}`,
	},
	{ID: ONNXName, Name: "onnx-name", Severity: Error,
		What: "Initializers have names, and no two of a graph the same. Up to IR version 3 each is an input of the " +
			"graph too.",
		Why: "Of two, readers keep one or refuse the model: \"initializer name is not unique\", INVALID_GRAPH. " +
			"Sparse initializers count too. A name that is not valid UTF-8 is a warning.",
		Limit:  "IR version 4 without the input is right, IR version 3 wrong",
		Source: "enforced by onnx.checker (check_graph) and ONNX Runtime", Fix: "Rename one of them.",
		Bad:  onnxOf + onnxW + onnxW + `}`,
		Good: onnxOf + onnxW + `}`,
	},
	{ID: ONNXSSA, Name: "onnx-ssa", Severity: Error,
		What: "Each output of the graph is written by a node, or is an input or an initializer; inputs differ in " +
			"their names.",
		Why:    "A model that was cut or merged by hand often names outputs that are gone.",
		Source: "enforced by onnx.checker (check_graph)", Fix: "Name an output that a node writes.",
		Bad:  onnxOf + `node { input: "x" output: "z" op_type: "Relu" } ` + onnxX + onnxY + `}`,
		Good: onnxOf + `node { input: "x" output: "y" op_type: "Relu" } ` + onnxX + onnxY + `}`,
	},
	{ID: ONNXIOType, Name: "onnx-io-type", Severity: Error,
		What: "Inputs and outputs of the model have a name and a type; those that are tensors an element type and a " +
			"shape.",
		Why: "Nothing can be allocated for them. A shape may have sizes that are open, but its number of sizes is " +
			"known.",
		Source: "enforced by onnx.checker (check_value_info)",
		Fix:    "Run onnx.shape_inference.infer_shapes, or state type and shape.",
		Bad:    onnxOf + `input { name: "x" type { tensor_type { elem_type: FLOAT } } } }`,
		Good:   onnxOf + onnxX + `}`,
	},
	{ID: ONNXInitShape, Name: "onnx-init-shape", Severity: Error,
		What: "An initializer that is also an input, or of which the graph states a type, has that type and a shape " +
			"that fits.",
		Why: "It is the usual result of a conversion to float16 that missed some: \"Type Error: Data in initializer " +
			"'x' has element type tensor(float16) but usage of initializer in graph expects tensor(float)\" " +
			"(onnxruntime issue 25522, transformers issue 21013).",
		Limit:  "FLOAT of [2,3] fits FLOAT of [N,3], and neither FLOAT16 of it nor [N,4] nor [N,3,1]",
		Source: "enforced by ONNX Runtime (graph.cc)", Fix: "Convert both, or leave out the stated type.",
		Bad:  onnxOf + onnxW + `value_info { name: "w" type { tensor_type { elem_type: FLOAT16 } } } }`,
		Good: onnxOf + onnxW + `value_info { name: "w" type { tensor_type { elem_type: FLOAT } } } }`,
	},
	{ID: ONNXDimValue, Name: "onnx-dim-value", Severity: Warning,
		What: "Sizes of inputs and outputs that are stated are not negative, and those of inputs not 0.",
		Why: "Old exporters wrote -1 for a size that is open. ONNX Runtime reads it so; others take it for a size. " +
			"An open size has a name (dim_param), or nothing at all.",
		Limit:  "1 is right, -1 is wrong, 0 is wrong of an input",
		Source: "observed; ONNX Runtime's reader", Fix: "Name the size: dim_param.",
		Bad:  onnxOf + onnxXOf + `dim_value: -1 } } } } } }`,
		Good: onnxOf + onnxX + `}`,
	},
	{ID: ONNXSparse, Name: "onnx-sparse", Severity: Error,
		What: "A sparse tensor has values [NNZ], sizes above 0, and indices of type INT64, [NNZ] or [NNZ, rank], " +
			"that are within the sizes, sorted and without repeats.",
		Why:    "Values would go where no element is, or one over another.",
		Limit:  "with dims [4] the indices [0, 3] are right, [0, 4], [3, 0] and [0, 0] wrong",
		Source: "enforced by onnx.checker (check_sparse_tensor)", Fix: "Sort the indices, and leave out repeats.",
		Bad:  onnxOf + onnxSparseOf + `[0, 4] } dims: [4] } }`,
		Good: onnxOf + onnxSparseOf + `[0, 3] } dims: [4] } }`,
	},
	{ID: ONNXQuantAnnotation, Name: "onnx-quant-annotation", Severity: Warning,
		What:   "A quantization annotation names tensors that the graph has.",
		Why:    "A scale or a zero point that was renamed is not found, and the tensor is taken as not quantized.",
		Source: "documented (onnx.proto)", Fix: "Name the scale and the zero point as the graph does.",
		Bad:  onnxOf + onnxW + `quantization_annotation { tensor_name: "v" } }`,
		Good: onnxOf + onnxW + `quantization_annotation { tensor_name: "w" } }`,
	},
	{ID: ONNXConv, Name: "onnx-conv", Severity: Error,
		What: "Weights of Conv are [M, C/group, kernel...], of ConvTranspose [C, M/group, kernel...], with a bias " +
			"of [M]; those of BatchNormalization are all [C].",
		Why: "ONNX Runtime says so only when the model runs. Weights in the order of TensorFlow, [H, W, C, M], have " +
			"the right number of elements and break this.",
		Limit: "64 channels in 4 groups have weights [M, 16, ...]; kernel_shape [3, 3] goes with weights [M, C, 3, " +
			"3] and with nothing else",
		Source: "documented (operators of ONNX); enforced by ONNX Runtime at run time",
		Fix:    "Transpose the weights to the order of ONNX.",
		Bad:    onnxOf + onnxConvOf + `[3, 3, 1, 2] data_type: FLOAT raw_data: 72 bytes } }`,
		Good:   onnxOf + onnxConvOf + `[2, 1, 3, 3] data_type: FLOAT raw_data: 72 bytes } }`,
	},
	{ID: ONNX2GiB, Name: "onnx-2gib", Severity: Error,
		What:   "A model has less than 2 GiB.",
		Why:    "Protobuf neither writes nor reads more. From 1.5 GiB on it is a note.",
		Limit:  "2147483647 bytes are right, 2147483648 are wrong",
		Source: "documented (ExternalData.md, protobuf)",
		Fix:    "Save the weights as external data: onnx.save(model, path, save_as_external_data=True).",
		Bad:    onnxOf + onnxW + `} + 2147483648 bytes of doc_string`,
		Good:   onnxOf + onnxW + `} + 16 bytes of doc_string`,
	},
	{ID: ONNXExternalPath, Name: "onnx-external-path", Severity: Error,
		What: "External data is in a file below the directory of the model: the location is relative, and has no .. " +
			"that leaves it.",
		Why: "A model from elsewhere could have any file of the machine read as weights (CVE-2022-25882, " +
			"CVE-2024-27318, CVE-2025-51480). onnx.checker refuses two dots anywhere in the path, which is a " +
			"warning, as are keys that ONNX does not have (CVE-2026-34445).",
		Limit: "a/../w.bin is right, ../w.bin, /w.bin and C:\\w.bin are wrong, and a..b.bin is a warning",
		Source: "enforced by onnx.checker (external_data_helper; onnx issues 3991, 4400, 7686 and 7717) and ONNX " +
			"Runtime (pull request 26776)",
		Fix:  "Put the file beside the model, and name it.",
		Bad:  onnxOf + onnxExternal + `{ key: "location" value: "../w.bin" } } } + w.bin of 24 bytes`,
		Good: onnxOf + onnxExternal + `{ key: "location" value: "w.bin" } } } + w.bin of 24 bytes`,
	},
	{ID: ONNXExternalLink, Name: "onnx-external-link", Severity: Warning,
		What: "The file with external data is not a symbolic link, and has no second name.",
		Why: "onnx.checker refuses both (CVE-2026-27489), ONNX Runtime only links that leave the directory. The " +
			"cache of Hugging Face consists of links.",
		Source: "enforced by onnx.checker", Fix: "Copy the file beside the model.",
		Bad:  onnxOf + onnxExternal + `{ key: "location" value: "link.bin" } } } + w.bin of 24 bytes`,
		Good: onnxOf + onnxExternal + `{ key: "location" value: "w.bin" } } } + w.bin of 24 bytes`,
	},
	{ID: ONNXExternalMissing, Name: "onnx-external-missing", Severity: Error,
		What: "The file with external data is there, as a regular file.",
		Why: "The model was copied without its data, or two models were merged (onnxruntime issue 11848). Of a " +
			"model from standard input it cannot be looked for, which does not pass.",
		Source: "documented (ExternalData.md); enforced by all readers", Fix: "Copy the file beside the model.",
		Bad:  onnxOf + onnxExternal + `{ key: "location" value: "v.bin" } } } + w.bin of 24 bytes`,
		Good: onnxOf + onnxExternal + `{ key: "location" value: "w.bin" } } } + w.bin of 24 bytes`,
	},
	{ID: ONNXExternalRange, Name: "onnx-external-range", Severity: Error,
		What: "The elements of a tensor are within the file that has them.",
		Why: "The file is cut off, or of another model. ONNX Runtime: \"External initializer: W offset: 2071986176 " +
			"size to read: 4718592 given file_length: 770703360 are out of bounds or can not be read in full.\"",
		Limit:  "an offset of the size of the file less the bytes of the tensor is right, one more is wrong",
		Source: "enforced by ONNX Runtime (tensorprotoutils.cc)", Fix: "Copy the file again.",
		Bad:  onnxOf + onnxExternal + onnxBin + `external_data { key: "offset" value: "1" } } } + w.bin of 24 bytes`,
		Good: onnxOf + onnxExternal + onnxBin + `external_data { key: "offset" value: "0" } } } + w.bin of 24 bytes`,
	},
	{ID: ONNXExternalLength, Name: "onnx-external-length", Severity: Error,
		What: "The length of external data, where it is stated, is what shape and type take. 0 is as good as none.",
		Why: "ONNX Runtime: \"external data size mismatch. Computed size: 36, external_data.length: 32\". Exporters " +
			"write 0 for a length they do not know (rten issue 1394, Xilinx/onnx-mlir issue 975).",
		Limit:  "FLOAT of [2,3]: 24 and 0 are right, 23, 25, -1 and 0x18 are wrong",
		Source: "documented (ExternalData.md); enforced by ONNX Runtime",
		Fix:    "State the bytes of the tensor, or leave the length out.",
		Bad:    onnxOf + onnxExternal + onnxBin + `external_data { key: "length" value: "23" } } } + w.bin of 24 bytes`,
		Good:   onnxOf + onnxExternal + onnxBin + `external_data { key: "length" value: "24" } } } + w.bin of 24 bytes`,
	},
	{ID: ONNXExternalOverlap, Name: "onnx-external-overlap", Severity: Warning,
		What: "No two tensors share a part of a file.",
		Why: "A wrong offset gives a tensor the elements of another one, and nothing refuses it. The whole of the " +
			"same bytes is a tensor that was stored once for two names, which is a note.",
		Limit:  "A tensor that starts at the byte where one ends is right, one byte before is wrong",
		Source: "inferred; onnx 1.23 compares tensors in the order of the graph, which misses some (onnx issue 8482)",
		Fix:    "Save the model again with its external data.",
		Bad: onnxOf + onnxExternal + onnxBin + `} initializer { name: "v" dims: [1] data_type: FLOAT data_location: ` +
			`EXTERNAL external_data ` + onnxBin + `external_data { key: "offset" value: "20" } } } + w.bin of 24 bytes`,
		Good: onnxOf + onnxExternal + onnxBin + `} initializer { name: "v" dims: [1] data_type: FLOAT data_location: ` +
			`EXTERNAL external_data ` + onnxBin + `external_data { key: "offset" value: "24" } } } + w.bin of 28 bytes`,
	},
	{ID: ONNXExternalAlign, Name: "onnx-external-align", Severity: Note,
		What: "External data of a tensor starts at a multiple of 4096 bytes.",
		Why: "So it can be mapped into memory; Windows wants 65536. Few writers do it: ONNX Runtime's only above 1 " +
			"MiB, and onnx.save not at all.",
		Limit:  "0 and 4096 are right, 4 is noted",
		Source: "documented (ExternalData.md: should)", Fix: "Save with an alignment where the weights are mapped.",
		Bad:  onnxOf + onnxExternal + onnxBin + `external_data { key: "offset" value: "4" } } } + w.bin of 28 bytes`,
		Good: onnxOf + onnxExternal + onnxBin + `} } + w.bin of 24 bytes`,
	},
	{ID: ONNXExternalGap, Name: "onnx-external-gap", Severity: Note,
		What:   "The bytes of a file with external data belong to tensors, but for padding up to 4096 or 65536.",
		Why:    "What is left over is often the data of an older model, to which a newer one was added.",
		Limit:  "24 bytes for one FLOAT of [2,3] are right, 28 are noted",
		Source: "inferred", Fix: "Delete the file, and save the model again.",
		Bad:  onnxOf + onnxExternal + onnxBin + `} } + w.bin of 28 bytes`,
		Good: onnxOf + onnxExternal + onnxBin + `} } + w.bin of 24 bytes`,
	},
}
