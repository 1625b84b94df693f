package rules

// The families of rules that not all families have.
var (
	onlyDirectML = []Family{DirectML}
	onlyPyTorch  = []Family{PyTorch}
	onlyOneDNN   = []Family{OneDNN}
	onlyTMA      = []Family{TMA}
	onlyMdspan   = []Family{Mdspan}
)

// Parts of the examples. Descriptors:
const (
	float32Of     = `{"DataType": "FLOAT32", "Sizes": `
	float16Of     = `{"DataType": "FLOAT16", "Sizes": `
	tensor2x3     = float32Of + `[2, 3]}`
	tensor8       = float32Of + `[8]}`
	withTotal     = `, "TotalTensorSizeInBytes": `
	withAlignment = `, "GuaranteedBaseOffsetAlignment": `
	onDirectML    = `, "target": "directml"}`
)

// Models with buffers a of 8 floats, b of as many, or b and c of 4; with an operator that works on them, and with
// a command that runs it; models with an operator alone.
const (
	float32Values = `{"initialValuesDataType": "FLOAT32", "initialValues": {"valueCount": `
	values4       = float32Values + `4, "value": 0}}`
	values8       = float32Values + `8, "value": 0}}`
	bufferA       = `{"resources": {"a": ` + values8
	bufferB       = `, "b": ` + values8 + `}, `
	buffersAB     = bufferA + bufferB
	buffersABC    = bufferA + `, "b": ` + values4 + `, "c": ` + values4 + `}, `
	anOperator    = `"dispatchables": {"op": {"type": "`
	withOutput    = `, "OutputTensor": `
	reluOf8       = anOperator + `ACTIVATION_RELU", "InputTensor": ` + tensor8 + withOutput + tensor8 + `}}, `
	halves        = `"OutputTensors": [` + float32Of + `[4]}, ` + float32Of + `[4]}]}}, `
	splitOf8      = anOperator + `SPLIT", "InputTensor": ` + tensor8 + `, "OutputCount": 2, ` + halves
	dispatchOp    = `"commands": [{"type": "dispatch", "dispatchable": "op", "bindings": {`
	dispatchAToB  = dispatchOp + `"InputTensor": "a", "OutputTensor": "b"}}]}`

	plainGEMM = `"TransA": "NONE", "TransB": "NONE", "Alpha": 1, "Beta": 0`
	// with GroupCount after it
	plainConvolution = `"Mode": "CROSS_CORRELATION", "Direction": "FORWARD", "DimensionCount": 2, "Strides": [1, 1], ` +
		`"Dilations": [1, 1], "StartPadding": [0, 0], "EndPadding": [0, 0], "OutputPadding": [0, 0], "GroupCount": `

	operatorAlone = `{"resources": {}, ` + anOperator
	noCommands    = `}, "commands": []}`
)

// Configurations, and headers of .safetensors with a tensor of 24 bytes.
const (
	configOf         = "version: 1\ntensors:\n"
	directMLConfigOf = "version: 1\ntarget: directml\ntensors:\n"
	indexOf24        = `{"metadata": {"total_size": 24}, "weight_map": {"a": "1.safetensors"`
	beside1          = ` beside 1.safetensors: ` + header24 + `} + 24 bytes`
	header24         = `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}`
)

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

// all is the table of rules.
var all = [ruleCount]Rule{
	DTypeKnown: {Name: "dtype-known", Severity: Error,
		What: "The element type is one that the target has.",
		Why:  "Nothing can be sized without it. DirectML has no BOOL (UINT8 holds truth values) and no BFLOAT16.",
		Limit: "FLOAT32 FLOAT16 UINT32 UINT16 UINT8 INT32 INT16 INT8 FLOAT64 UINT64 INT64 UINT4 INT4 are right for " +
			"DirectML; BOOL and BFLOAT16 are wrong",
		Source: "documented (DML_TENSOR_DATA_TYPE); enforced by DxDispatch's parser", Fix: "Use one of the types.",
		Bad:  `{"DataType": "BFLOAT16", "Sizes": [2, 3], "TotalTensorSizeInBytes": 12, "target": "directml"}`,
		Good: `{"DataType": "FLOAT16", "Sizes": [2, 3], "TotalTensorSizeInBytes": 12, "target": "directml"}`,
	},
	DTypeUnknown: {Name: "dtype-unknown", Severity: Error, Families: onlyDirectML,
		What:   "The element type is not UNKNOWN.",
		Why:    "UNKNOWN is a placeholder: no descriptor may have it, and the size helper answers 0 bytes for it.",
		Source: "documented (DML_TENSOR_DATA_TYPE, helper functions)", Fix: "State the type of the elements.",
		Bad:  `{"DataType": "UNKNOWN", "Sizes": [2, 3], "TotalTensorSizeInBytes": 24, "target": "directml"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [2, 3], "TotalTensorSizeInBytes": 24, "target": "directml"}`,
	},
	DType4BitLevel: {Name: "dtype-4bit-level", Severity: Note, Families: onlyDirectML,
		What: "UINT4 and INT4 need feature level 6.3.",
		Why: "Older DirectML does not know them, and the size helper of that time answers 0. An error if the " +
			"target is older.",
		Limit:  "directml@6.3 is right, directml@6.2 is wrong",
		Source: "documented (DML_TENSOR_DATA_TYPE, feature levels); enforced by DirectMLX",
		Fix:    "Ship DirectML 1.15.0 or later, or widen the elements to UINT8.",
		Bad:    `{"DataType": "UINT4", "Sizes": [8], "TotalTensorSizeInBytes": 4, "target": "directml"}`,
		Good:   `{"DataType": "UINT8", "Sizes": [8], "TotalTensorSizeInBytes": 8, "target": "directml"}`,
	},
	DimCountRange: {Name: "dim-count-range", Severity: Error, Families: onlyDirectML,
		What: "A descriptor has 1 to 8 dimensions.",
		Why: "No dimensions are refused with E_INVALIDARG since DirectML 1.11, and make the size helper read sizes " +
			"that are not there. More than 8 are beyond DML_TENSOR_DIMENSION_COUNT_MAX1.",
		Limit:  "1 and 8 are right, 0 and 9 are wrong",
		Source: "documented (DirectML constants); observed; enforced in ONNX Runtime",
		Fix:    "Write a scalar as [1], and merge dimensions that follow each other in memory.",
		Bad:    float32Of + "[1, 1, 1, 1, 1, 1, 1, 1, 3]" + withTotal + `12, "target": "directml@6.4"}`,
		Good:   float32Of + "[1, 1, 1, 1, 1, 1, 1, 3]" + withTotal + `12, "target": "directml@6.4"}`,
	},
	DimCountOld: {Name: "dim-count-old", Severity: Warning, Families: onlyDirectML,
		What:   "More than 5 dimensions need feature level 3.0.",
		Why:    "Before DirectML 1.4.0 the limit was 5. An error if the target is older, a warning if it has no level.",
		Limit:  "directml@3.0 is right, directml@2.1 is wrong with 6, 7 and 8 dimensions",
		Source: "documented (DirectML constants)",
		Fix:    "Say which level the target is at, or merge dimensions that follow each other in memory.",
		Bad:    float32Of + "[1, 1, 1, 1, 1, 3]" + withTotal + "12" + onDirectML,
		Good:   `{"DataType": "FLOAT32", "Sizes": [1, 1, 1, 1, 3], "TotalTensorSizeInBytes": 12, "target": "directml"}`,
	},
	DimCountMismatch: {Name: "dim-count-mismatch", Severity: Error,
		What: "There are as many strides as sizes, and DimensionCount says how many.",
		Why: "DirectML has one count for both lists: if one is shorter, it reads what comes after it. DxDispatch " +
			"does not check.",
		Limit:  "3 for 3 sizes is right, 2 and 4 are wrong",
		Source: "inferred from DML_BUFFER_TENSOR_DESC; enforced in ONNX Runtime, Chromium and DirectMLX",
		Fix:    "Make the counts equal, or leave out strides that are packed.",
		Bad:    float32Of + `[2, 3], "Strides": [1]` + withTotal + "24" + onDirectML,
		Good:   float32Of + `[2, 3], "Strides": [3, 1]` + withTotal + "24" + onDirectML,
	},
	SizeZero: {Name: "size-zero", Severity: Error, Families: onlyDirectML,
		What: "Every size is at least 1.",
		Why: "DirectML has no empty tensors and refuses to create operators on them. With strides the size helper " +
			"even answers 16 GiB for 0 elements.",
		Limit: "1 is right, 0 is wrong", Source: "documented (DML_BUFFER_TENSOR_DESC); enforced in Chromium; observed",
		Fix:  "Leave out operators whose tensors are empty.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [2, 0, 3], "TotalTensorSizeInBytes": 4, "target": "directml"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [2, 1, 3], "TotalTensorSizeInBytes": 24, "target": "directml"}`,
	},
	SizeRange: {Name: "size-range", Severity: Error,
		What:   "No size is negative, and DirectML's fit 32 bits.",
		Why:    "The field is a UINT: larger numbers lose their upper half on the way into it.",
		Limit:  "4294967295 is right, 4294967296 is wrong for DirectML; 0 is right elsewhere, -1 is wrong",
		Source: "documented (DML_BUFFER_TENSOR_DESC); enforced by DxDispatch's parser",
		Fix:    "Write the number that -1 stands for; split a dimension that is too large.",
		Bad:    `{"DataType": "FLOAT32", "Sizes": [-1, 3], "TotalTensorSizeInBytes": 12, "target": "none"}`,
		Good:   `{"DataType": "FLOAT32", "Sizes": [1, 3], "TotalTensorSizeInBytes": 12, "target": "none"}`,
	},
	StrideRange: {Name: "stride-range", Severity: Error, Families: onlyDirectML,
		What: "A stride is not negative and fits 32 bits.",
		Why: "The field is a UINT. DirectML cannot step backwards: -1 becomes 4294967295. Strides of size 1 move " +
			"nothing and are not looked at.",
		Limit:  "0 and 4294967295 are right, -1 and 4294967296 are wrong",
		Source: "documented (DML_BUFFER_TENSOR_DESC); enforced by DxDispatch's parser",
		Fix:    "List the rows in the order of memory, and reverse them with an operator such as SLICE1.",
		Bad:    float32Of + `[2, 3], "Strides": [-3, 1]` + withTotal + "24" + onDirectML,
		Good:   float32Of + `[2, 3], "Strides": [3, 1]` + withTotal + "24" + onDirectML,
	},
	StrideMinus: {Name: "stride-minus", Severity: Warning, Families: onlyDirectML,
		What:   "A stride is below 2147483648, 2^31.",
		Why:    "A larger one is probably a negative number that went through an unsigned one. 4294967295 is -1.",
		Limit:  "2147483647 is right, 2147483648 is wrong",
		Source: "inferred", Fix: "Write the stride that was meant, and reverse with an operator such as SLICE1.",
		Bad: `{"DataType": "UINT8", "Sizes": [2, 1], "Strides": [2147483648, 1]` + withTotal + "2147483652" +
			onDirectML,
		Good: `{"DataType": "UINT8", "Sizes": [2, 1], "Strides": [2147483647, 1]` + withTotal + "2147483648" +
			onDirectML,
	},
	StrideShapeOrder: {Name: "stride-shape-order", Severity: Note,
		What: "Sizes are listed as N, C, (D,) H, W, whatever the order in memory.",
		Why: "Sizes in the order N, H, W, C make an image of few columns and many channels. Only strides, or " +
			"a layout name, put channels last. A warning where the layout name does and the sizes look so too.",
		Limit: "the last size at most 4, those between at least 16: [1, 224, 224, 5] is right, [1, 224, 224, 4] is " +
			"noted for DirectML, and a warning with layout NHWC",
		Source: "documented (strides article, DML_BUFFER_TENSOR_DESC); observed (DirectML issue 240)",
		Fix:    "List sizes as N, C, H, W and state strides or a layout.",
		Bad:    float32Of + "[1, 224, 224, 3]" + withTotal + "602112" + onDirectML,
		Good:   float32Of + `[1, 3, 224, 224], "Strides": [150528, 1, 672, 3]` + withTotal + "602112" + onDirectML,
	},
	StridesUnneeded: {Name: "strides-unneeded", Severity: Note, Families: onlyDirectML,
		What:   "Packed row-major strides may be left out.",
		Why:    "A null pointer means the same, and cannot disagree with the sizes.",
		Source: "documented (strides article)", Fix: "Leave out Strides.",
		Bad:  float32Of + `[2, 3], "Strides": [3, 1]` + withTotal + "24" + onDirectML,
		Good: `{"DataType": "FLOAT32", "Sizes": [2, 3], "TotalTensorSizeInBytes": 24, "target": "directml"}`,
	},
	StrideEqualsSize: {Name: "stride-equals-size", Severity: Warning,
		What:   "Strides are not the same numbers as the sizes.",
		Why:    "That happens when sizes are copied into the wrong field; as strides they seldom make sense.",
		Source: "observed (review of DirectML pull request 118)",
		Fix:    "State how far a step along each dimension goes, in elements.",
		Bad:    float32Of + `[3, 2], "Strides": [3, 2]` + withTotal + "36" + onDirectML,
		Good:   float32Of + `[3, 2], "Strides": [2, 1]` + withTotal + "24" + onDirectML,
	},
	StrideBytes: {Name: "stride-bytes", Severity: Warning,
		What: "Strides count elements, not bytes.",
		Why: "NumPy and ggml count bytes, DirectML and PyTorch elements. Strides that are packed once divided by " +
			"the element's size are probably bytes. An error if the total has room for bytes, and not for elements.",
		Limit:  "FLOAT32 [2, 3] with [3, 1] is right, with [12, 4] wrong",
		Source: "documented (DML_BUFFER_TENSOR_DESC); inferred", Fix: "Divide by the element's size.",
		Bad:  float32Of + `[2, 3], "Strides": [12, 4]` + withTotal + "84" + onDirectML,
		Good: float32Of + `[2, 3], "Strides": [3, 1]` + withTotal + "24" + onDirectML,
	},
	ElementCount: {Name: "element-count", Severity: Error, Families: onlyDirectML,
		What:   "The product of the sizes is at most 2^32 - 1.",
		Why:    "It is DirectML's limit, and counts repeated elements too.",
		Limit:  "[65535, 65537] is right, with 4294967295 elements; [65536, 65536] is wrong",
		Source: "documented (DML_BUFFER_TENSOR_DESC)", Fix: "Split the tensor.",
		Bad:  `{"DataType": "UINT8", "Sizes": [65536, 65536]` + withTotal + "4294967296" + onDirectML,
		Good: `{"DataType": "UINT8", "Sizes": [65535, 65537]` + withTotal + "4294967296" + onDirectML,
	},
	IndexOverflow: {Name: "index-overflow", Severity: Error, Families: onlyDirectML,
		What: "The last element is at 2^32 - 1 or before.",
		Why: "The vendor's size helper adds up (size - 1) x stride in 32 bits. Beyond them it answers a few bytes, " +
			"with which the total looks large enough.",
		Limit:  "4294967295 is right, 4294967296 is wrong",
		Source: "enforced in code (DMLCalcBufferTensorSize, Chromium)",
		Fix:    "Split the tensor, or use smaller strides.",
		Bad: `{"DataType": "UINT8", "Sizes": [3, 3], "Strides": [2147483647, 2]` + withTotal + "4294967300" +
			onDirectML,
		Good: `{"DataType": "UINT8", "Sizes": [3, 3], "Strides": [2147483646, 1]` + withTotal + "4294967296" +
			onDirectML,
	},
	TotalMissing: {Name: "total-missing", Severity: Error, Families: onlyDirectML,
		What:  "TotalTensorSizeInBytes is stated.",
		Why:   "Nothing computes it for a descriptor in C. DxDispatch does if it is left out: then this is a note.",
		Limit: "0 is wrong", Source: "documented (DML_BUFFER_TENSOR_DESC); DxDispatch's parser",
		Fix:  "State what DMLCalcBufferTensorSize answers.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [2, 3], "TotalTensorSizeInBytes": 0, "target": "directml"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [2, 3], "TotalTensorSizeInBytes": 24, "target": "directml"}`,
	},
	TotalTooSmall: {Name: "total-too-small", Severity: Error,
		What: "The total covers the last element.",
		Why: "Elements beyond the end are read and written in other storage. It happens when strides change and " +
			"the total does not. DirectML rounds what is needed up to a multiple of 4.",
		Limit:  "FLOAT16 [5, 55] with strides [9, 3] needs 400: 400 is right, 399 is wrong",
		Source: "documented (DML_BUFFER_TENSOR_DESC); observed (ONNX Runtime pull request 14225)",
		Fix:    "State the bytes up to the end of the last element.",
		Bad:    `{"DataType": "FLOAT32", "Sizes": [2, 3], "TotalTensorSizeInBytes": 20, "target": "directml"}`,
		Good:   `{"DataType": "FLOAT32", "Sizes": [2, 3], "TotalTensorSizeInBytes": 24, "target": "directml"}`,
	},
	TotalMultiple4: {Name: "total-multiple-4", Severity: Error, Families: onlyDirectML,
		What:   "TotalTensorSizeInBytes is a multiple of 4.",
		Why:    "Buffers are bound in whole DWORDs, and creation fails otherwise.",
		Limit:  "FLOAT16 [5]: 12 is right, 10 is wrong",
		Source: "documented (helper functions); observed (onnxruntime-genai issue 725)", Fix: "Round up.",
		Bad:  `{"DataType": "FLOAT16", "Sizes": [5], "TotalTensorSizeInBytes": 13, "target": "directml"}`,
		Good: `{"DataType": "FLOAT16", "Sizes": [5], "TotalTensorSizeInBytes": 12, "target": "directml"}`,
	},
	TotalSlack: {Name: "total-slack", Severity: Note,
		What:   "The total is what the elements need.",
		Why:    "More is legal, and may spare bounds checks; DirectML may write over the rest of an output.",
		Limit:  "FLOAT16 [1, 4]: 8 is right, 12 is noted",
		Source: "documented (DML_BUFFER_TENSOR_DESC)", Fix: "State what is needed, unless the slack is intended.",
		Bad:  `{"DataType": "FLOAT16", "Sizes": [1, 4], "TotalTensorSizeInBytes": 16, "target": "directml"}`,
		Good: `{"DataType": "FLOAT16", "Sizes": [1, 4], "TotalTensorSizeInBytes": 8, "target": "directml"}`,
	},
	TotalSlackLarge: {Name: "total-slack-large", Severity: Warning,
		What:   "The total is not twice what the elements need.",
		Why:    "Usually the shape changed and the total did not, or one of them counts bytes and the other elements.",
		Limit:  "for a need of 68 bytes 132 is right, 136 is wrong: twice as much, and more than 64 bytes to spare",
		Source: "convention", Fix: "State what is needed.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [17], "TotalTensorSizeInBytes": 136, "target": "directml"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [17], "TotalTensorSizeInBytes": 68, "target": "directml"}`,
	},
	AlignPow2: {Name: "align-pow2", Severity: Error,
		What:   "An alignment is 0 or a power of two.",
		Why:    "Other alignments are refused. DxDispatch's parser takes them.",
		Limit:  "0, 1, 2, 4 are right; 3, 5, 24 are wrong",
		Source: "documented (DML_BUFFER_TENSOR_DESC)", Fix: "State the power of two below.",
		Bad:  float32Of + "[2, 3]" + withTotal + "24" + withAlignment + "48" + onDirectML,
		Good: float32Of + "[2, 3]" + withTotal + "24" + withAlignment + "32" + onDirectML,
	},
	AlignGeElement: {Name: "align-ge-element", Severity: Error, Families: onlyDirectML,
		What:   "An alignment other than 0 is at least the size of an element.",
		Why:    "An element would start inside another one's place. Elements of 4 bits count as a byte.",
		Limit:  "FLOAT64: 8 is right, 4 is wrong",
		Source: "documented (DML_BUFFER_TENSOR_DESC)", Fix: "State the element's size or more, or 0.",
		Bad:  `{"DataType": "FLOAT64", "Sizes": [2]` + withTotal + "16" + withAlignment + "4" + onDirectML,
		Good: `{"DataType": "FLOAT64", "Sizes": [2]` + withTotal + "16" + withAlignment + "8" + onDirectML,
	},
	AlignBelow16: {Name: "align-below-16", Severity: Note, Families: onlyDirectML,
		What:   "An alignment below 16 has no effect.",
		Why:    "Buffers are bound at multiples of 16 bytes whatever the descriptor says.",
		Limit:  "16 is right, 8 is noted",
		Source: "documented (DML_BUFFER_TENSOR_DESC, DirectML constants)", Fix: "Leave it out.",
		Bad:  float32Of + "[2, 3]" + withTotal + "24" + withAlignment + "8" + onDirectML,
		Good: float32Of + "[2, 3]" + withTotal + "24" + withAlignment + "32" + onDirectML,
	},
	AlignRecommend32: {Name: "align-recommend-32", Severity: Note, Families: onlyDirectML,
		What:   "An alignment that is stated is at least 32.",
		Why:    "DirectML asks for 32 bytes if the application can provide them.",
		Limit:  "32 is right, 16 is noted",
		Source: "documented (DML_BUFFER_TENSOR_DESC)", Fix: "Place the buffer at multiples of 32 bytes and state 32.",
		Bad:  float32Of + "[2, 3]" + withTotal + "24" + withAlignment + "16" + onDirectML,
		Good: float32Of + "[2, 3]" + withTotal + "24" + withAlignment + "32" + onDirectML,
	},
	AlignLarge: {Name: "align-large", Severity: Warning, Families: onlyDirectML,
		What:   "An alignment is at most 65536.",
		Why:    "Direct3D 12 places buffers at multiples of 64 KiB: no offset makes up for more.",
		Limit:  "65536 is right, 131072 is wrong",
		Source: "inferred (Direct3D 12's default placement)", Fix: "State 65536 or less.",
		Bad:  float32Of + "[2, 3]" + withTotal + "24" + withAlignment + "131072" + onDirectML,
		Good: float32Of + "[2, 3]" + withTotal + "24" + withAlignment + "65536" + onDirectML,
	},
	FlagKnown: {Name: "flag-known", Severity: Error, Families: onlyDirectML,
		What:   "Flags are NONE or OWNED_BY_DML.",
		Why:    "There are no others, and DxDispatch stops at them.",
		Source: "documented (DML_TENSOR_FLAGS); enforced by DxDispatch's parser",
		Fix:    "Correct the name, or leave it out.",
		Bad:    float32Of + "[2, 3]" + withTotal + `24, "Flags": ["OWNED"]` + onDirectML,
		Good:   float32Of + "[2, 3]" + withTotal + `24, "Flags": ["OWNED_BY_DML"]` + onDirectML,
	},
	OwnedOutput: {Name: "owned-output", Severity: Error, Families: onlyDirectML,
		What:   "Only inputs have the flag OWNED_BY_DML.",
		Why:    "It hands contents over when the operator is initialized; an output has none then.",
		Source: "documented (DML_TENSOR_FLAGS)", Fix: "Leave out the flag.",
		Bad:  float32Of + "[2, 3]" + withTotal + `24, "Flags": ["OWNED_BY_DML"], "role": "output"` + onDirectML,
		Good: float32Of + "[2, 3]" + withTotal + `24, "Flags": ["OWNED_BY_DML"], "role": "input"` + onDirectML,
	},
	OwnedOp: {Name: "owned-op", Severity: Error, Families: onlyDirectML,
		What: "Tensors that an operator reads while it runs are not OWNED_BY_DML.",
		Why: "RNN, LSTM and GRU exclude the flag on each of their inputs: DirectML cannot copy them when the " +
			"operator is initialized.",
		Source: "documented (operator pages)",
		Fix:    "Leave the flag out, and bind the tensor when the operator is executed.",
		Bad: `{"resources": {"w": ` + float32Values + `20, "value": 0}}}, ` +
			`"dispatchables": {"op": {"bindings": {"WeightTensor": "w"}, "type": "RNN", "InputTensor": ` + float32Of +
			`[1, 2, 3, 4]}, "WeightTensor": ` + float32Of + `[1, 1, 5, 4], "Flags": "OWNED_BY_DML"}, ` +
			`"RecurrenceTensor": ` + float32Of + "[1, 1, 5, 5]}}" + noCommands,
		Good: operatorAlone + `RNN", "InputTensor": ` + float32Of + `[1, 2, 3, 4]}, "WeightTensor": ` + float32Of +
			`[1, 1, 5, 4]}, "RecurrenceTensor": ` + float32Of + "[1, 1, 5, 5]}}" + noCommands,
	},
	BroadcastPresent: {Name: "broadcast-present", Severity: Note,
		What:   "A dimension of stride 0 repeats its elements.",
		Why:    "It takes no storage: fewer bytes serve more elements. This is how DirectML broadcasts.",
		Limit:  "stride 0 with size 1 is nothing, with size 2 noted",
		Source: "documented (strides article, DML_BUFFER_TENSOR_DESC)", Fix: "None is needed if it is meant.",
		Bad:  float32Of + `[1, 3, 4, 5], "Strides": [0, 0, 0, 1]` + withTotal + `20, "role": "input"` + onDirectML,
		Good: float32Of + "[1, 3, 4, 5]" + withTotal + `240, "role": "input"` + onDirectML,
	},
	BroadcastOutput: {Name: "broadcast-output", Severity: Error,
		What:   "An output has no dimension of stride 0.",
		Why:    "Many elements are written to one address, and the result is undefined. Size 1 does not matter.",
		Limit:  "stride 0 with size 1 is right, with size 2 wrong",
		Source: "inferred: DirectML's pages describe stride 0 for reading; PyTorch refuses such a write",
		Fix:    "Give every element an address.",
		Bad:    float32Of + `[2, 3], "Strides": [0, 1]` + withTotal + `12, "role": "output"` + onDirectML,
		Good:   float32Of + `[2, 3], "Strides": [3, 1]` + withTotal + `24, "role": "output"` + onDirectML,
	},
	OverlapOutput: {Name: "overlap-output", Severity: Error,
		What:   "No two elements of an output share an address.",
		Why:    "Both are written there, and the result is undefined.",
		Limit:  "[4, 4] with strides [3, 4] is right, [5, 4] with [3, 4] wrong: (0,3) and (4,0) meet at 12",
		Source: "inferred, as broadcast-output", Fix: "Make a stride larger.",
		Bad:  float32Of + `[5, 4], "Strides": [3, 4]` + withTotal + `100, "role": "output"` + onDirectML,
		Good: float32Of + `[4, 4], "Strides": [3, 4]` + withTotal + `88, "role": "output"` + onDirectML,
	},
	OverlapInput: {Name: "overlap-input", Severity: Warning,
		What:   "Elements of an input share addresses only if that is meant.",
		Why:    "It is legal, and sliding windows are made so; more often a stride is wrong.",
		Limit:  "[4, 4] with strides [3, 4] is right, [5, 4] with [3, 4] is wrong: (0,3) and (4,0) meet at 12",
		Source: "documented as legal (strides article)",
		Fix:    "Make a stride larger, or ignore the rule if a window is meant.",
		Bad:    float32Of + `[5, 4], "Strides": [3, 4]` + withTotal + `100, "role": "input"` + onDirectML,
		Good:   float32Of + `[4, 4], "Strides": [3, 4]` + withTotal + `88, "role": "input"` + onDirectML,
	},
	OverlapUnknown: {Name: "overlap-unknown", Severity: Warning,
		What: "It can be decided whether elements share addresses.",
		Why: "The question is hard in general. If the search reaches its limit of work, the answer is unknown, " +
			"which is not a yes.",
		Limit:  "64 dimensions are judged, 65 are not; nor are eight large sizes with strides that hardly differ",
		Source: "the limits of this program",
		Fix:    "Use strides each of which steps over the reach of the smaller ones.",
		Bad: float32Of + "[30, 30, 30, 30, 30, 30, 30, 30], " +
			`"Strides": [38788726098, 66022479439, 66145579549, 49313315843, 39892476625, 60349573336, ` +
			`40686190622, 52122931860], "target": "none"}`,
		Good: float32Of + "[30, 30, 30, 30, 30, 30, 30, 30], " +
			`"Strides": [21870000000, 729000000, 24300000, 810000, 27000, 900, 30, 1], "target": "none"}`,
	},
	GapOverlapBalance: {Name: "gap-overlap-balance", Severity: Warning,
		What: "Elements that are as many as the offsets of the span are packed.",
		Why: "Equal numbers prove nothing if some offsets are shared and others unused. The mdspan of C++ calls " +
			"such a layout exhaustive.",
		Limit:  "[3, 3] with strides [3, 1] is right, with [2, 2] wrong: 9 elements, span 9, 5 addresses",
		Source: "documented (strides article's definition of packed)", Fix: "Correct the strides.",
		Bad:  float32Of + `[3, 3], "Strides": [2, 2]` + withTotal + `36, "role": "input"` + onDirectML,
		Good: float32Of + `[3, 3], "Strides": [3, 1]` + withTotal + `36, "role": "input"` + onDirectML,
	},
	Gaps: {Name: "gaps", Severity: Note,
		What:   "Every offset between the first and the last element is used.",
		Why:    "Padding takes storage; it may be intended, so that rows are aligned.",
		Limit:  "[2, 3] with strides [3, 1] has none, with [5, 1] two of 8",
		Source: "documented (strides article)", Fix: "None is needed if padding is meant.",
		Bad:  float32Of + `[2, 3], "Strides": [5, 1]` + withTotal + "32" + onDirectML,
		Good: float32Of + `[2, 3], "Strides": [3, 1]` + withTotal + "24" + onDirectML,
	},
	Packed: {Name: "packed", Severity: Note,
		What: "A packed tensor has one of the layouts that the message names.",
		Why: "With neither gaps nor overlap the order of the dimensions in memory is all that is left to know. " +
			"Where sizes are 1, several layouts are the same.",
		Source: "documented (strides article); PyTorch pull request 31952", Fix: "None is needed.",
		Bad:  float32Of + `[1, 3, 4, 5], "Strides": [60, 1, 15, 3]` + withTotal + "240" + onDirectML,
		Good: float32Of + `[1, 3, 4, 5], "Strides": [64, 1, 16, 3]` + withTotal + "252" + onDirectML,
	},
	ChannelLimit: {Name: "channel-limit", Severity: Warning, Families: onlyDirectML,
		What: "Operators like GEMM work on sizes up to 65535.",
		Why: "Creation was seen to fail with E_INVALIDARG at 65536, though no page says so. A note while the " +
			"operator is not known.",
		Limit:  "65535 is right, 65536 is wrong",
		Source: "observed (DirectML issue 650)", Fix: "Split the dimension.",
		Bad:  float32Of + "[1, 1, 1, 65536]" + withTotal + "262144" + onDirectML,
		Good: float32Of + "[1, 1, 1, 65535]" + withTotal + "262140" + onDirectML,
	},
	UnalignedRows: {Name: "unaligned-rows", Severity: Note, Families: onlyDirectML,
		What:   "Rows of 8 and 16 bits start at multiples of 4 bytes.",
		Why:    "Aligned rows can be read by whole DWORDs; it is the usual reason to pad.",
		Limit:  "FLOAT16 rows of 4 elements are right, of 5 noted",
		Source: "convention (the strides article names alignment as a reason to pad)", Fix: "Pad the rows.",
		Bad:  float16Of + `[2, 5], "Strides": [5, 1]` + withTotal + "20" + onDirectML,
		Good: float16Of + `[2, 5], "Strides": [6, 1]` + withTotal + "24" + onDirectML,
	},
	Int64Emulated: {Name: "int64-emulated", Severity: Note, Families: onlyDirectML,
		What: "UINT32 strides that are all doubled read the lower halves of 64-bit integers.",
		Why: "ONNX Runtime used to do so. The total that follows from them ends before the last upper half, so it " +
			"added 4 bytes.",
		Limit:  "[2, 3] with strides [3, 1] is right, with [6, 2] noted: 44 bytes, and 48 with the last upper half",
		Source: "enforced in code (ONNX Runtime's TensorDesc.cpp)",
		Fix:    "Use INT64 or UINT64 if the operator takes them.",
		Bad:    `{"DataType": "UINT32", "Sizes": [2, 3], "Strides": [6, 2]` + withTotal + "48" + onDirectML,
		Good:   `{"DataType": "INT64", "Sizes": [2, 3], "Strides": [3, 1]` + withTotal + "48" + onDirectML,
	},
	Overflow: {Name: "overflow", Severity: Error,
		What:   "Elements, offsets and bytes fit 64 bits.",
		Why:    "Programs that count with fewer bits wrap around, and find storage that is not there.",
		Limit:  "9223372036854775807 is right, 9223372036854775808 is wrong",
		Source: "inferred; NumPy, PyTorch and ggml had such faults", Fix: "Correct the size or the stride.",
		Bad:  `{"DataType": "UINT8", "Sizes": [4294967296, 2147483648], "target": "none"}`,
		Good: `{"DataType": "UINT8", "Sizes": [4294967296, 1073741824], "target": "none"}`,
	},
	OffsetUnstated: {Name: "offset-unstated", Severity: Note, Families: onlyDirectML,
		What: "A storage offset is 0, or known to whoever binds the buffer.",
		Why: "A descriptor has no field for it: the binding starts at the offset, and its bytes count on top of " +
			"TotalTensorSizeInBytes.",
		Limit: "0 is right, 1 is noted", Source: "documented (DML_BUFFER_TENSOR_DESC, DML_BUFFER_BINDING)",
		Fix:  "Bind the buffer at the offset, a multiple of 16 bytes, and make it larger by that.",
		Bad:  directMLConfigOf + "  tail: {dtype: float32, sizes: 2x3, storageOffset: 4, totalBytes: 24}\n",
		Good: "version: 1\ntarget: directml\ntensors:\n  tail: {dtype: float32, sizes: 2x3, totalBytes: 24}\n",
	},
	OpSlot: {Name: "op-slot", Severity: Error,
		What: "A tensor that names its operator names a tensor of that operator, and its role if any.",
		Why: "What an operator takes is known of each of its tensors. A note if the slot is not stated, a warning if " +
			"the operator is not, or if the target is none.",
		Limit:  "GEMM: slot ATensor is right, slot InputTensor is wrong",
		Source: "documented (operator pages)", Fix: "Write the name as the operator's structure has it.",
		Bad: directMLConfigOf + "  a: {dtype: float32, sizes: 2x3, totalBytes: 24, operator: GEMM, slot: " +
			"InputTensor}\n",
		Good: directMLConfigOf + "  a: {dtype: float32, sizes: 2x3, totalBytes: 24, operator: GEMM, slot: ATensor}\n",
	},
	OpKnown: {Name: "op-known", Severity: Error, Families: onlyDirectML,
		What: "The operator is one of DirectML's.",
		Why: "The program stops at an unknown name. The prefix DML_OPERATOR_ may be left out; case matters. A " +
			"warning for FOLD, UNFOLD and RESAMPLE3, which DirectML has and DxDispatch's parser does not.",
		Source: "documented (operator pages); enforced by DxDispatch's parser",
		Fix:    "Write the name as DML_OPERATOR_TYPE has it.",
		Bad: operatorAlone + `ACTIVATION_RELLU", "InputTensor": ` + tensor2x3 + withOutput + tensor2x3 + "}" +
			noCommands,
		Good: operatorAlone + `ACTIVATION_RELU", "InputTensor": ` + tensor2x3 + withOutput + tensor2x3 + "}" +
			noCommands,
	},
	OpLevel: {Name: "op-level", Severity: Error, Families: onlyDirectML,
		What:   "The target has the operator.",
		Why:    "An older DirectML does not know the operator, and creating it fails.",
		Limit:  "ELEMENT_WISE_NEGATE came with 5.0: directml@5.0 is right, directml@4.1 is wrong",
		Source: "documented (feature levels)", Fix: "Ship a newer DirectML, or use the operator's older form.",
		Bad: `{"target": "directml@4.1", "resources": {}, ` + anOperator + `ELEMENT_WISE_NEGATE", "InputTensor": ` +
			tensor2x3 + withOutput + tensor2x3 + "}" + noCommands,
		Good: `{"target": "directml@5.0", "resources": {}, ` + anOperator + `ELEMENT_WISE_NEGATE", "InputTensor": ` +
			tensor2x3 + withOutput + tensor2x3 + "}" + noCommands,
	},
	OpDimCount: {Name: "op-dim-count", Severity: Error, Families: onlyDirectML,
		What: "The operator takes a tensor of that many dimensions.",
		Why: "CreateOperator answers E_INVALIDARG. A warning if only the target's level refuses the number, and " +
			"later ones take it.",
		Limit: "GEMM: 2 and 4 are right, 5 is wrong", Source: "documented (operator pages)",
		Fix: "Drop leading sizes of 1, or merge dimensions that follow each other in memory.",
		Bad: operatorAlone + `GEMM", "ATensor": ` + float32Of + `[1, 1, 1, 2, 3]}, "BTensor": ` + float32Of +
			"[1, 1, 1, 3, 4]}" + withOutput + float32Of + "[1, 1, 1, 2, 4]}}" + noCommands,
		Good: operatorAlone + `GEMM", "ATensor": ` + float32Of + `[1, 1, 2, 3]}, "BTensor": ` + float32Of +
			"[1, 1, 3, 4]}" + withOutput + float32Of + "[1, 1, 2, 4]}}" + noCommands,
	},
	OpDType: {Name: "op-dtype", Severity: Error, Families: onlyDirectML,
		What:   "The operator takes tensors of that type.",
		Why:    "CreateOperator answers E_INVALIDARG, without a text unless the debug layer is on.",
		Limit:  "ACTIVATION_SIGMOID: FLOAT32 and FLOAT16 are right, all others are wrong",
		Source: "documented (operator pages)", Fix: "Cast the tensor, or use an operator that takes the type.",
		Bad: operatorAlone + `ACTIVATION_SIGMOID", "InputTensor": {"DataType": "INT32", "Sizes": [2, 3]}` +
			withOutput + `{"DataType": "INT32", "Sizes": [2, 3]}}` + noCommands,
		Good: operatorAlone + `ACTIVATION_SIGMOID", "InputTensor": ` + float16Of + "[2, 3]}" + withOutput +
			float16Of + "[2, 3]}}" + noCommands,
	},
	DType4BitOp: {Name: "dtype-4bit-op", Severity: Error, Families: onlyDirectML,
		What:   "Only QUANTIZE and DEQUANTIZE take UINT4 and INT4.",
		Why:    "No other operator's page lists them.",
		Source: "documented (operator pages)", Fix: "Dequantize the tensor first.",
		Bad: operatorAlone + `ELEMENT_WISE_IDENTITY", "InputTensor": {"DataType": "UINT4", "Sizes": [2, 3]}` +
			withOutput + `{"DataType": "UINT4", "Sizes": [2, 3]}}` + noCommands,
		Good: operatorAlone + `ELEMENT_WISE_IDENTITY", "InputTensor": {"DataType": "UINT8", "Sizes": [2, 3]}` +
			withOutput + `{"DataType": "UINT8", "Sizes": [2, 3]}}` + noCommands,
	},
	DType64BitOp: {Name: "dtype-64bit-op", Severity: Error, Families: onlyDirectML,
		What: "The operator takes tensors of 64-bit elements.",
		Why: "At the latest level 29 operators list FLOAT64, 62 INT64 and 64 UINT64; all others fail to be " +
			"created. A note if the operator's types are not known.",
		Source: "documented (operator pages)", Fix: "Cast the tensor to 32 bits, or use an operator that takes 64.",
		Bad: operatorAlone + `ACTIVATION_SIGMOID", "InputTensor": {"DataType": "FLOAT64", "Sizes": [2, 3]}` +
			withOutput + `{"DataType": "FLOAT64", "Sizes": [2, 3]}}` + noCommands,
		Good: operatorAlone + `ELEMENT_WISE_ADD", "ATensor": {"DataType": "INT64", "Sizes": [2, 3, 4]}, ` +
			`"BTensor": {"DataType": "INT64", "Sizes": [2, 3, 4]}` + withOutput + `{"DataType": "INT64", ` +
			`"Sizes": [2, 3, 4]}}` + noCommands,
	},
	OpSame: {Name: "op-same", Severity: Error, Families: onlyDirectML,
		What:   "Tensors that an operator requires to be alike have the same type, number of dimensions and sizes.",
		Why:    "DirectML converts nothing by itself, and creating the operator fails.",
		Source: "documented (operator pages)", Fix: "Change the tensor that differs, or put a CAST before it.",
		Bad: operatorAlone + `ACTIVATION_RELU", "InputTensor": ` + tensor2x3 + withOutput + float16Of + "[2, 3]}}" +
			noCommands,
		Good: operatorAlone + `ACTIVATION_RELU", "InputTensor": ` + tensor2x3 + withOutput + tensor2x3 + "}" +
			noCommands,
	},
	OpBroadcastSizes: {Name: "op-broadcast-sizes", Severity: Error, Families: onlyDirectML,
		What: "A tensor that is repeated states the full sizes, and strides of 0.",
		Why: "DirectML repeats nothing by itself, unlike NumPy: sizes must be the same, and a stride of 0 reads an " +
			"element again.",
		Limit:  "[2, 1, 4] is wrong if [2, 3, 4] is required; sizes [2, 3, 4] with strides [4, 0, 1] are right",
		Source: "documented (operator pages); so done by ONNX Runtime",
		Fix:    "State the full sizes, with stride 0 in the dimensions that repeat.",
		Bad: operatorAlone + `ELEMENT_WISE_ADD", "ATensor": ` + float32Of + `[2, 3, 4]}, "BTensor": ` + float32Of +
			"[2, 1, 4]}" + withOutput + float32Of + "[2, 3, 4]}}" + noCommands,
		Good: operatorAlone + `ELEMENT_WISE_ADD", "ATensor": ` + float32Of + `[2, 3, 4]}, "BTensor": ` + float32Of +
			`[2, 3, 4], "Strides": [4, 0, 1]}` + withOutput + float32Of + "[2, 3, 4]}}" + noCommands,
	},
	LeadingOnes: {Name: "leading-ones", Severity: Error, Families: onlyDirectML,
		What:   "A tensor has at least as many dimensions as the operator requires.",
		Why:    "CreateOperator answers E_INVALIDARG. A warning if only the target's level refuses the number.",
		Limit:  "CONVOLUTION: 3 dimensions are right, 2 are wrong; before 4.0 it is 4 and 3",
		Source: "documented (operator pages, strides); so done by Chromium and TensorFlow's plugin",
		Fix:    "Put sizes of 1 in front. What stride they have does not matter.",
		Bad: operatorAlone + `AVERAGE_POOLING", "InputTensor": ` + float32Of + "[6, 6]}" + withOutput + float32Of +
			"[6, 6]}}" + noCommands,
		Good: operatorAlone + `AVERAGE_POOLING", "InputTensor": ` + float32Of + "[1, 1, 6, 6]}" + withOutput +
			float32Of + "[1, 1, 6, 6]}}" + noCommands,
	},
	LeadingOnesNotNeeded: {Name: "leading-ones-not-needed", Severity: Note, Families: onlyDirectML,
		What: "Tensors are not padded with sizes of 1 that the operator does not require.",
		Why: "They do no harm: before feature level 3.0 most operators required 4 dimensions, and 127 now take 1 " +
			"to 8.",
		Limit:  "2 sizes of 1 before all tensors of the operator; a single one is usually a batch",
		Source: "documented (operator pages)", Fix: "Drop them, in all tensors and in axes.",
		Bad: operatorAlone + `ACTIVATION_RELU", "InputTensor": ` + float32Of + "[1, 1, 2, 3]}" + withOutput +
			float32Of + "[1, 1, 2, 3]}}" + noCommands,
		Good: operatorAlone + `ACTIVATION_RELU", "InputTensor": ` + tensor2x3 + withOutput + tensor2x3 + "}" +
			noCommands,
	},
	RequiredMissing: {Name: "required-missing", Severity: Error, Families: onlyDirectML,
		What:   "All tensors that the operator needs are there.",
		Why:    "The program says that the field is required. Optional tensors are left out by leaving out their key.",
		Source: "enforced by DxDispatch's parser", Fix: "Add the tensor.",
		Bad: operatorAlone + `GEMM", "ATensor": ` + tensor2x3 + withOutput + float32Of + "[2, 4]}}" + noCommands,
		Good: operatorAlone + `GEMM", "ATensor": ` + tensor2x3 + `, "BTensor": ` + float32Of + "[3, 4]}" +
			withOutput + float32Of + "[2, 4]}}" + noCommands,
	},
	OpAxis: {Name: "op-axis", Severity: Error, Families: onlyDirectML,
		What:   "The axes that an operator works along are dimensions of its tensor.",
		Why:    "CreateOperator answers E_INVALIDARG.",
		Limit:  "for sizes [2, 3] axis 1 is right, axis 2 is wrong",
		Source: "documented (operator pages)", Fix: "Count dimensions from 0 on, leading sizes of 1 included.",
		Bad: operatorAlone + `JOIN", "InputCount": 1, "Axis": 1, "InputTensors": [` + tensor8 + "]" + withOutput +
			tensor8 + "}" + noCommands,
		Good: operatorAlone + `JOIN", "InputCount": 1, "Axis": 0, "InputTensors": [` + tensor8 + "]" + withOutput +
			tensor8 + "}" + noCommands,
	},
	OpMatrix: {Name: "op-matrix", Severity: Error, Families: onlyDirectML,
		What: "Matrices that are multiplied fit: A of M x K and B of K x N give an output of M x N.",
		Why: "CreateOperator answers E_INVALIDARG. TransA and TransB exchange the last two sizes of A and B; the " +
			"sizes before them are the same in all.",
		Limit:  "[2, 3] by [3, 4] is right, by [4, 3] wrong unless TransB is TRANSPOSE",
		Source: "documented (operator pages)", Fix: "Correct the size, or transpose.",
		Bad: operatorAlone + `GEMM", ` + plainGEMM + `, "ATensor": ` + tensor2x3 + `, "BTensor": ` + float32Of +
			"[4, 3]}" + withOutput + float32Of + "[2, 4]}}" + noCommands,
		Good: operatorAlone + `GEMM", ` + plainGEMM + `, "ATensor": ` + tensor2x3 + `, "BTensor": ` + float32Of +
			"[3, 4]}" + withOutput + float32Of + "[2, 4]}}" + noCommands,
	},
	OpChannels: {Name: "op-channels", Severity: Error, Families: onlyDirectML,
		What: "Channels of a convolution fit: the input has those of the filter times GroupCount, the output as many " +
			"as there are filters, and the bias one number for each.",
		Why: "CreateOperator answers E_INVALIDARG. Backwards, input and output change places. Batches are the same, " +
			"and filters a multiple of the groups.",
		Limit:  "input [1, 4, 5, 5] with filter [6, 2, 3, 3] is right for GroupCount 2, wrong for 1",
		Source: "documented (operator pages)", Fix: "Correct the channels, or GroupCount.",
		Bad: operatorAlone + `CONVOLUTION", ` + plainConvolution + `1, "InputTensor": ` + float32Of + "[1, 4, 5, 5]}" +
			`, "FilterTensor": ` + float32Of + "[6, 2, 3, 3]}" + withOutput + float32Of + "[1, 6, 3, 3]}}" + noCommands,
		Good: operatorAlone + `CONVOLUTION", ` + plainConvolution + `2, "InputTensor": ` + float32Of + "[1, 4, 5, 5]}" +
			`, "FilterTensor": ` + float32Of + "[6, 2, 3, 3]}" + withOutput + float32Of + "[1, 6, 3, 3]}}" + noCommands,
	},
	OpWindow: {Name: "op-window", Severity: Error, Families: onlyDirectML,
		What: "The output of a convolution or a pooling has a size for each place of the window: (input + padding - " +
			"window) / stride + 1, without what is left over.",
		Why: "CreateOperator answers E_INVALIDARG. A window of 3 with dilation 2 covers 5 elements. Backwards it is " +
			"(input - 1) x stride + window - padding + OutputPadding. Strides and Dilations are at least 1. One more " +
			"of a pooling, where something is left over, is a warning: frameworks may round up.",
		Limit:  "5 with a window of 3 gives 3: 3 is right, 4 and 5 are wrong",
		Source: "documented (operator pages); so computed by DirectMLX", Fix: "Correct the output, or the padding.",
		Bad: operatorAlone + `CONVOLUTION", ` + plainConvolution + `1, "InputTensor": ` + float32Of + "[1, 2, 5, 5]}" +
			`, "FilterTensor": ` + float32Of + "[6, 2, 3, 3]}" + withOutput + float32Of + "[1, 6, 5, 5]}}" + noCommands,
		Good: operatorAlone + `CONVOLUTION", ` + plainConvolution + `1, "InputTensor": ` + float32Of + "[1, 2, 5, 5]}" +
			`, "FilterTensor": ` + float32Of + "[6, 2, 3, 3]}" + withOutput + float32Of + "[1, 6, 3, 3]}}" + noCommands,
	},
	OpParts: {Name: "op-parts", Severity: Error, Families: onlyDirectML,
		What: "Tensors that JOIN joins, or that SPLIT makes, are as large together as the whole along Axis, and the " +
			"same in all other dimensions.",
		Why:    "CreateOperator answers E_INVALIDARG.",
		Limit:  "4 and 4 make 8; 4 and 3 do not",
		Source: "documented (operator pages); enforced by DirectMLX", Fix: "Correct the size.",
		Bad: operatorAlone + `JOIN", "InputCount": 2, "Axis": 0, "InputTensors": [` + float32Of + "[4]}, " +
			float32Of + "[3]}]" + withOutput + tensor8 + "}" + noCommands,
		Good: operatorAlone + `JOIN", "InputCount": 2, "Axis": 0, "InputTensors": [` + float32Of + "[4]}, " +
			float32Of + "[4]}]" + withOutput + tensor8 + "}" + noCommands,
	},
	InPlace: {Name: "inplace", Severity: Error, Families: onlyDirectML,
		What: "An operator that runs in place has one region for input and output.",
		Why: "It reads an element before it writes it only if both are at one place. A warning if sizes or strides " +
			"differ, which older pages forbid.",
		Limit:  "the same offset and total are right, 16 bytes further are wrong",
		Source: "documented (operator pages, binding)",
		Fix:    "Bind both to the same region, or the output to another resource.",
		Bad: `{"resources": {"a": ` + float32Values + `12, "value": 0}}}, ` + reluOf8 + dispatchOp +
			`"InputTensor": "a"` + withOutput + `{"name": "a", "elementOffset": 4}}}]}`,
		Good: bufferA + "}, " + reluOf8 + dispatchOp + `"InputTensor": "a"` + withOutput + `"a"}}]}`,
	},
	GraphEdge: {Name: "graph-edge", Severity: Error, Families: onlyDirectML,
		What:   "The two ends of an edge in a graph have one total.",
		Why:    "The graph does not compile. Types and sizes may differ; bytes of padding are not promised to be 0.",
		Limit:  "24 and 24 bytes are right, 32 and 24 are wrong",
		Source: "documented (DML_GRAPH_DESC)", Fix: "Give both tensors the larger total.",
		Bad: directMLConfigOf + "  made: {dtype: float32, sizes: 2x3, role: output, totalBytes: 32}\n" +
			"  used: {dtype: float32, sizes: 2x3, role: input, totalBytes: 24}\nedges: [[made, used]]",
		Good: directMLConfigOf + "  made: {dtype: float32, sizes: 2x3, role: output, totalBytes: 24}\n" +
			"  used: {dtype: float32, sizes: 2x3, role: input, totalBytes: 24}\nedges: [[made, used]]",
	},
	GraphOwned: {Name: "graph-owned", Severity: Error, Families: onlyDirectML,
		What:   "A tensor that is OWNED_BY_DML is fed by an input of the graph.",
		Why:    "It is copied when the graph is initialized, before any operator has run.",
		Source: "documented (DML_GRAPH_DESC, DML_TENSOR_FLAGS)", Fix: "Leave the flag out.",
		Bad: directMLConfigOf + "  made: {dtype: float32, sizes: 2x3, role: output, totalBytes: 24}\n" +
			"  used: {dtype: float32, sizes: 2x3, role: input, totalBytes: 24, flags: " +
			"[DML_TENSOR_FLAG_OWNED_BY_DML]}\nedges: [[made, used]]",
		Good: directMLConfigOf + "  made: {dtype: float32, sizes: 2x3, role: output, totalBytes: 24}\n" +
			"  used: {dtype: float32, sizes: 2x3, role: input, totalBytes: 24}\nedges: [[made, used]]",
	},
	StridedRuntimeBug: {Name: "strided-runtime-bug", Severity: Warning, Families: onlyDirectML,
		What: "The target takes strided tensors for that operator, and computes them right.",
		Why: "Legal strides gave wrong results: SWISH inputs before 1.15.0, HARDMAX outputs before 1.10.0; " +
			"activations of 5 dimensions took none before 1.1.0.",
		Limit: "ACTIVATION_SWISH: directml@6.3 is right, directml@6.2 is wrong", Source: "documented (version history)",
		Fix: "Pack the tensor with ELEMENT_WISE_IDENTITY first, or ship a newer DirectML.",
		Bad: `{"target": "directml@6.2", "resources": {}, ` + anOperator + `ACTIVATION_SWISH", "InputTensor": ` +
			float32Of + `[2, 3], "Strides": [1, 2]}` + withOutput + tensor2x3 + "}" + noCommands,
		Good: `{"target": "directml@6.3", "resources": {}, ` + anOperator + `ACTIVATION_SWISH", "InputTensor": ` +
			float32Of + `[2, 3], "Strides": [1, 2]}` + withOutput + tensor2x3 + "}" + noCommands,
	},
	JSONKeyCase: {Name: "json-key-case", Severity: Error,
		What: "In models of DxDispatch and in JSON Lines, names of fields are spelled as DxDispatch has them, case " +
			"included.",
		Why: "Unknown members are ignored: with strides in lower case the tensor is packed. Without " +
			"a required field the program stops.",
		Source: "enforced in DxDispatch's parser", Fix: "Write the name as it is.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [2, 3], "strides": [1, 2]}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [2, 3], "Strides": [1, 2]}`,
	},
	JSONNullTensor: {Name: "json-null-tensor", Severity: Error, Families: onlyDirectML,
		What:   "A tensor that is left out has no key.",
		Why:    "The parser requires an object that is not null.",
		Source: "enforced by DxDispatch's parser", Fix: "Delete the member.",
		Bad: operatorAlone + `GEMM", "ATensor": ` + tensor2x3 + `, "BTensor": ` + float32Of + "[3, 4]}" + withOutput +
			float32Of + `[2, 4]}, "CTensor": null}` + noCommands,
		Good: operatorAlone + `GEMM", "ATensor": ` + tensor2x3 + `, "BTensor": ` + float32Of + "[3, 4]}" +
			withOutput + float32Of + "[2, 4]}}" + noCommands,
	},
	JSONInt: {Name: "json-int", Severity: Error,
		What: "In models of DxDispatch and in JSON Lines, sizes and strides are unsigned integers of 32 bits, " +
			"written as such.",
		Why:    `The parser stops at 3.0, -1 and "3".`,
		Limit:  "4294967295 is right, 4294967296 and 3.0 are wrong",
		Source: "enforced by DxDispatch's parser", Fix: "Write the digits alone.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [2, 3.0]}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [2, 3]}`,
	},
	JSONDupKey: {Name: "json-dup-key", Severity: Warning,
		What:   "In models of DxDispatch and in JSON Lines, no object has two members of one name.",
		Why:    "The first counts, and the second is ignored; most other readers of JSON take the last.",
		Source: "enforced in DxDispatch's parser", Fix: "Delete one of them.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [2, 3], "Sizes": [2, 4]}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [2, 3]}`,
	},
	ResourceExists: {Name: "resource-exists", Severity: Error, Families: onlyDirectML,
		What:   "A resource that is bound, printed or written exists.",
		Why:    "The program stops at the command.",
		Source: "enforced by DxDispatch", Fix: "Add the resource, or correct the name.",
		Bad:  bufferA + "}, " + reluOf8 + dispatchOp + `"InputTensor": "a"` + withOutput + `"bb"}}]}`,
		Good: buffersAB + reluOf8 + dispatchAToB,
	},
	DispatchableExists: {Name: "dispatchable-exists", Severity: Error, Families: onlyDirectML,
		What:   "A dispatchable that is dispatched exists.",
		Why:    "The program stops at the command.",
		Source: "enforced by DxDispatch", Fix: "Add the dispatchable, or correct the name.",
		Bad: buffersAB + reluOf8 + `"commands": [{"type": "dispatch", "dispatchable": "oop", ` +
			`"bindings": {"InputTensor": "a"` + withOutput + `"b"}}]}`,
		Good: buffersAB + reluOf8 + dispatchAToB,
	},
	BindUnknown: {Name: "bind-unknown", Severity: Warning, Families: onlyDirectML,
		What:   "A bind point is one of the operator's tensors.",
		Why:    "The program ignores a binding that it has no use for.",
		Source: "enforced in DxDispatch", Fix: "Correct the name, or delete the binding.",
		Bad:  buffersAB + reluOf8 + dispatchOp + `"InputTensor": "a"` + withOutput + `"b", "BiasTensor": "a"}}]}`,
		Good: buffersAB + reluOf8 + dispatchAToB,
	},
	BindMissing: {Name: "bind-missing", Severity: Error, Families: onlyDirectML,
		What:   "Each tensor that the operator's descriptor states is bound.",
		Why:    "Wrong counts of bindings may remove the device.",
		Source: "enforced by DxDispatch; documented (binding)", Fix: "Bind a resource to it.",
		Bad:  bufferA + "}, " + reluOf8 + dispatchOp + `"InputTensor": "a"}}]}`,
		Good: buffersAB + reluOf8 + dispatchAToB,
	},
	BindArrayCount: {Name: "bind-array-count", Severity: Error, Families: onlyDirectML,
		What:   "A bind point has as many resources as tensors.",
		Why:    "The program stops: bind point requires N resources, but M were bound.",
		Limit:  "SPLIT with two outputs: 2 are right, 1 and 3 are wrong",
		Source: "enforced by DxDispatch", Fix: "Bind a resource for each tensor.",
		Bad: bufferA + `, "b": ` + values4 + "}, " + splitOf8 + dispatchOp + `"InputTensor": "a", ` +
			`"OutputTensors": ["b"]}}]}`,
		Good: buffersABC + splitOf8 + dispatchOp + `"InputTensor": "a", "OutputTensors": ["b", "c"]}}]}`,
	},
	BindRange: {Name: "bind-range", Severity: Error, Families: onlyDirectML,
		What: "The part of a resource after the offset holds the tensor's total.",
		Why: "DirectML refuses a binding that is too small. elementCount does not count: DxDispatch binds all up " +
			"to the end, and an offset beyond that becomes a huge size.",
		Limit:  "a tensor of 32 bytes: 32 bytes after the offset are right, 28 are wrong",
		Source: "documented (DML_BUFFER_TENSOR_DESC); enforced in DxDispatch",
		Fix:    "Make the resource larger, or the offset smaller.",
		Bad:    `{"resources": {"a": ` + float32Values + `7, "value": 0}}` + bufferB + reluOf8 + dispatchAToB,
		Good:   buffersAB + reluOf8 + dispatchAToB,
	},
	BindOffset16: {Name: "bind-offset-16", Severity: Error, Families: onlyDirectML,
		What:   "A binding starts at a multiple of 16 bytes, or of what the tensor guarantees if that is more.",
		Why:    "Offsets are promised to be multiples of DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT.",
		Limit:  "byte 16 is right, byte 12 is wrong",
		Source: "documented (DML_BUFFER_TENSOR_DESC, binding)", Fix: "Move the tensor to the next multiple.",
		Bad: `{"resources": {"a": ` + float32Values + `12, "value": 0}}` + bufferB + reluOf8 + dispatchOp +
			`"InputTensor": {"name": "a", "elementOffset": 3}` + withOutput + `"b"}}]}`,
		Good: `{"resources": {"a": ` + float32Values + `12, "value": 0}}` + bufferB + reluOf8 + dispatchOp +
			`"InputTensor": {"name": "a", "elementOffset": 4}` + withOutput + `"b"}}]}`,
	},
	BindOwned: {Name: "bind-owned", Severity: Error, Families: onlyDirectML,
		What: "Tensors that are OWNED_BY_DML are bound by the dispatchable, all others by the command.",
		Why: "DirectML copies the ones when the operator is initialized, and reads the others when it runs; each " +
			"at the other time is an error.",
		Source: "documented (DML_TENSOR_FLAGS); DxDispatch's guide", Fix: "Move the binding.",
		Bad: buffersAB + anOperator + `ACTIVATION_RELU", "InputTensor": ` + tensor8 + withOutput + tensor8 +
			`, "bindings": {"InputTensor": "a"}}}, ` + dispatchOp + `"OutputTensor": "b"}}]}`,
		Good: buffersAB + anOperator + `ACTIVATION_RELU", "InputTensor": ` + float32Of +
			`[8], "Flags": "OWNED_BY_DML"}` + withOutput + tensor8 + `, "bindings": {"InputTensor": "a"}}}, ` +
			dispatchOp + `"OutputTensor": "b"}}]}`,
	},
	BindOutputOverlap: {Name: "bind-output-overlap", Severity: Error, Families: onlyDirectML,
		What: "No two outputs are written to the same bytes.",
		Why: "What is there afterwards is not defined. A warning if only the ranges meet, as DxDispatch has each " +
			"reach to the end of its resource.",
		Limit:  "a tensor of 16 bytes at byte 0: another one at byte 16 meets no byte of it, at byte 0 it does",
		Source: "documented (BindOutputs)", Fix: "Give each output a resource of its own.",
		Bad:  buffersAB + splitOf8 + dispatchOp + `"InputTensor": "a", "OutputTensors": ["b", "b"]}}]}`,
		Good: buffersABC + splitOf8 + dispatchOp + `"InputTensor": "a", "OutputTensors": ["b", "c"]}}]}`,
	},
	BindAlias: {Name: "bind-alias", Severity: Error, Families: onlyDirectML,
		What: "An operator reads from other bytes than it writes, unless it runs in place on one region.",
		Why: "Reads and writes race. 75 operators run in place, of which inplace asks for one region. A warning if " +
			"only the ranges meet, as DxDispatch has each reach to the end of its resource.",
		Source: "documented (binding)", Fix: "Give the output a resource of its own.",
		Bad: bufferA + "}, " + anOperator + `CAST", "InputTensor": ` + tensor8 + withOutput + tensor8 + "}}, " +
			dispatchOp + `"InputTensor": "a"` + withOutput + `"a"}}]}`,
		Good: buffersAB + anOperator + `CAST", "InputTensor": ` + tensor8 + withOutput + tensor8 + "}}, " +
			dispatchAToB,
	},
	ResourceSize4: {Name: "resource-size-4", Severity: Warning, Families: onlyDirectML,
		What: "sizeInBytes is a multiple of 4, and holds the initial values.",
		Why: "Totals are multiples of 4. DxDispatch rounds up a size that it works out itself (a note), and takes " +
			"a stated one as it is, once the initial values fit. An error if the values or the tensor do not.",
		Limit:  "36 is right, 34 is wrong",
		Source: "enforced in DxDispatch's parser", Fix: "Round it up, or leave it out.",
		Bad: `{"resources": {"a": ` + float32Values + `8, "value": 0}, "sizeInBytes": 34}` + bufferB + reluOf8 +
			dispatchAToB,
		Good: `{"resources": {"a": ` + float32Values + `8, "value": 0}, "sizeInBytes": 36}` + bufferB + reluOf8 +
			dispatchAToB,
	},
	ResourceDType: {Name: "resource-dtype", Severity: Note, Families: onlyDirectML,
		What:   "Initial values have the type of the tensor.",
		Why:    "They need not: the bytes are read as the tensor has them.",
		Source: "DxDispatch's guide", Fix: "Change initialValuesDataType if it is not meant.",
		Bad: `{"resources": {"a": {"initialValuesDataType": "INT32", "initialValues": {"valueCount": 8, ` +
			`"value": 0}}` + bufferB + reluOf8 + dispatchAToB,
		Good: buffersAB + reluOf8 + dispatchAToB,
	},
	ResourceSlack: {Name: "resource-slack", Severity: Note, Families: onlyDirectML,
		What:   "A resource is not much larger than what is bound to it.",
		Why:    "It does no harm, and is often left over after a shape changed.",
		Limit:  "a tensor of 32 bytes: 96 are right, 100 are wrong",
		Source: "observed (image_io.json has 786432 elements for 262144)", Fix: "Make it as large as needed.",
		Bad:  `{"resources": {"a": ` + float32Values + `25, "value": 0}}` + bufferB + reluOf8 + dispatchAToB,
		Good: `{"resources": {"a": ` + float32Values + `24, "value": 0}}` + bufferB + reluOf8 + dispatchAToB,
	},
	ResourceUnused: {Name: "resource-unused", Severity: Note, Families: onlyDirectML,
		What:   "Each resource is used.",
		Why:    "One that nothing binds, prints or writes is made all the same.",
		Source: "convention", Fix: "Delete it.",
		Bad:  bufferA + `, "b": ` + values8 + `, "c": ` + values8 + "}, " + reluOf8 + dispatchAToB,
		Good: buffersAB + reluOf8 + dispatchAToB,
	},
	CountFields: {Name: "count-fields", Severity: Error, Families: onlyDirectML,
		What:   "Fields that count tensors, numbers or dimensions agree with those.",
		Why:    "DxDispatch does not compare them, and DirectML reads as many as the field says.",
		Source: "enforced nowhere, relied on in DxDispatch", Fix: "Write the length of the list.",
		Bad: operatorAlone + `JOIN", "InputCount": 3, "InputTensors": [` + float32Of + "[4]}, " + float32Of +
			"[4]}]" + withOutput + tensor8 + "}" + noCommands,
		Good: operatorAlone + `JOIN", "InputCount": 2, "InputTensors": [` + float32Of + "[4]}, " + float32Of +
			"[4]}]" + withOutput + tensor8 + "}" + noCommands,
	},
	JSONField: {Name: "json-field", Severity: Error, Families: onlyDirectML,
		What:   "Members that must be there are there, and of the right kind.",
		Why:    "The program stops at them.",
		Source: "enforced by DxDispatch's parser", Fix: "Add the member, or write it as it should be.",
		Bad:  operatorAlone + `ACTIVATION_RELU", "InputTensor": ` + tensor8 + withOutput + tensor8 + "}}}",
		Good: `{"resources": {}, ` + reluOf8 + `"commands": []}`,
	},
	OneDNNRank: {Name: "onednn-rank", Severity: Error, Families: onlyOneDNN,
		What:  "A memory descriptor has at most 12 dimensions.",
		Why:   "DNNL_MAX_NDIMS is 12, and creation fails beyond it.",
		Limit: "12 is right, 13 is wrong", Source: "enforced in code (oneDNN's memory_desc.cpp)",
		Fix:  "Merge dimensions that follow each other in memory.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3], "target": "onednn"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3], "target": "onednn"}`,
	},
	OneDNNStrides: {Name: "onednn-strides", Severity: Error, Families: onlyOneDNN,
		What: "In order of increasing strides each is at least the one before it times its size.",
		Why: "Other strides are invalid arguments, even if no two elements share an address. Stride 0 and size 1 " +
			"are exempt.",
		Limit:  "[3, 2] with strides [2, 6] is right, with [2, 5] wrong",
		Source: "enforced in code (oneDNN's memory_desc_strides_check)", Fix: "Make the larger stride larger.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [3, 2], "Strides": [2, 5], "target": "onednn"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [3, 2], "Strides": [2, 6], "target": "onednn"}`,
	},
	TMARank: {Name: "tma-rank", Severity: Error, Families: onlyTMA,
		What:   "A tensor map has 1 to 5 dimensions.",
		Why:    "cuTensorMapEncodeTiled refuses others.",
		Limit:  "1 and 5 are right, 0 and 6 are wrong",
		Source: "documented (CUDA driver API, tensor maps)", Fix: "Merge dimensions that follow each other in memory.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [1, 1, 1, 1, 2, 4], "Strides": [8, 8, 8, 8, 4, 1], "target": "tma"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [1, 1, 1, 2, 4], "Strides": [8, 8, 8, 4, 1], "target": "tma"}`,
	},
	TMAStride16: {Name: "tma-stride-16", Severity: Error, Families: onlyTMA,
		What: "The first element and every stride but the last are multiples of 16 bytes, and no stride is negative.",
		Why: "The hardware moves 16 bytes at a time, and the strides of a tensor map are unsigned. It looks at the " +
			"strides of size 1 too.",
		Limit:  "FLOAT16: a stride of 8 is right, of 12 and of -8 wrong",
		Source: "documented (CUDA driver API, tensor maps); enforced in Triton", Fix: "Pad the rows.",
		Bad:  `{"DataType": "FLOAT16", "Sizes": [4, 12], "Strides": [12, 1], "target": "tma"}`,
		Good: `{"DataType": "FLOAT16", "Sizes": [4, 12], "Strides": [16, 1], "target": "tma"}`,
	},
	TMAInner: {Name: "tma-inner", Severity: Error, Families: onlyTMA,
		What:  "The last dimension has stride 1.",
		Why:   "A tensor map states no stride for it.",
		Limit: "1 is right, 2 is wrong", Source: "documented (CUDA driver API, tensor maps); enforced in Triton",
		Fix:  "List the dimension of stride 1 last.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [4, 4], "Strides": [8, 2], "target": "tma"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [4, 4], "Strides": [8, 1], "target": "tma"}`,
	},
	TMANested: {Name: "tma-nested", Severity: Warning, Families: onlyTMA,
		What: "Each stride is at least the next one times its size.",
		Why: "Triton's interpreter asks for it: rows that reach into each other, or dimensions in another order, " +
			"are probably wrong.",
		Limit:  "[4, 8] with strides [8, 1] is right, with [4, 1] wrong",
		Source: "enforced in Triton's interpreter", Fix: "Order the dimensions by their strides, the largest first.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [4, 8], "Strides": [4, 1], "target": "tma"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [4, 8], "Strides": [8, 1], "target": "tma"}`,
	},
	MdspanPositive: {Name: "mdspan-positive", Severity: Error, Families: onlyMdspan,
		What:   "Every stride is above 0, but for those of size 1, which move nothing.",
		Why:    "layout_stride presupposes it; nothing checks, and what follows is undefined.",
		Limit:  "1 is right, 0 and -1 are wrong, unless the size is 1",
		Source: "documented (C++ standard, layout_stride)",
		Fix:    "Use another layout mapping for repeated or reversed elements.",
		Bad:    `{"DataType": "FLOAT32", "Sizes": [2, 3], "Strides": [0, 1], "target": "mdspan"}`,
		Good:   `{"DataType": "FLOAT32", "Sizes": [2, 3], "Strides": [3, 1], "target": "mdspan"}`,
	},
	MdspanUnique: {Name: "mdspan-unique", Severity: Error, Families: onlyMdspan,
		What: "No two elements share an address, and in order of increasing strides each is at least the one " +
			"before it times its size.",
		Why: "layout_stride presupposes it and answers is_unique() with true without looking. If the strides " +
			"interleave but no address is shared, it is a warning.",
		Limit:  "[3, 3] with strides [3, 1] is right, with [2, 2] wrong",
		Source: "documented (C++ standard, layout_stride)", Fix: "Make a stride larger.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [3, 3], "Strides": [2, 2], "target": "mdspan"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [3, 3], "Strides": [3, 1], "target": "mdspan"}`,
	},
	PyTorchNegative: {Name: "pytorch-negative", Severity: Error, Families: onlyPyTorch,
		What:   "No stride is negative.",
		Why:    "PyTorch refuses such a tensor; NumPy's reversed views must be copied.",
		Limit:  "0 is right, -1 is wrong",
		Source: "enforced in PyTorch", Fix: "Copy, as torch.flip does.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [2, 3], "Strides": [-3, 1], "target": "pytorch"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [2, 3], "Strides": [3, 1], "target": "pytorch"}`,
	},
	ConfigKey: {Name: "config-key", Severity: Error,
		What: "A configuration has the keys that are known, each once, and those that must be there: version, and " +
			"dtype and sizes of each tensor, or its file. Keys that start with x- are skipped.",
		Why:    "An unknown key has no effect: with stride in place of strides the tensor would silently be packed.",
		Source: "layoutcalc's own (docs/layoutcalc.schema.json)",
		Fix:    "Write the key as the message has it, or leave it out.",
		Bad:    "version: 1\ntensors:\n  image: {dtype: float32, sizes: 1x3x4x4, stride: [48, 1, 12, 3]}\n",
		Good:   "version: 1\ntensors:\n  image: {dtype: float32, sizes: 1x3x4x4, strides: [48, 1, 12, 3]}\n",
	},
	ConfigValue: {Name: "config-value", Severity: Error,
		What: "A value is of the kind that its key takes, and names of types, layouts, targets and tensors exist.",
		Why: "Readers of YAML disagree on 012, 0x10, 1_000 and 1e3: only decimal digits without a leading 0 and " +
			"without quotes are a number here.",
		Limit:  "9223372036854775807 is a number, 9223372036854775808 is not; version 1 is known, 2 is not",
		Source: "layoutcalc's own (docs/layoutcalc.schema.json)", Fix: "Write what the message expects.",
		Bad:  "version: 1\ntensors:\n  image: {dtype: float32, sizes: [1, 0x3, 4, 4]}\n",
		Good: "version: 1\ntensors:\n  image: {dtype: float32, sizes: [1, 3, 4, 4]}\n",
	},
	ExpectLayout: {Name: "expect-layout", Severity: Error,
		What: "The strides are those of the layout that is expected. Strides of size 1 and the storage offset do " +
			"not count.",
		Why:    "What reads the tensor as the layout finds other elements.",
		Limit:  "[1, 3, 4, 4] with strides [48, 1, 12, 3] or [0, 1, 12, 3] is NHWC, with [48, 16, 4, 1] it is not",
		Source: "layoutcalc's own", Fix: "State the strides of the layout, or expect the one that the tensor has.",
		Bad: configOf + "  image: {dtype: float32, sizes: 1x3x4x4, strides: [48, 16, 4, 1], expect: {layout: NHWC}}\n",
		Good: configOf + "  image: {dtype: float32, sizes: 1x3x4x4, strides: [48, 1, 12, 3], expect: {layout: " +
			"NHWC}}\n",
	},
	ExpectPacked: {Name: "expect-packed", Severity: Error,
		What: "If packed: true is expected, no offset from the first element to the last is left out or shared; if " +
			"packed: false is, some are.",
		Why: "What copies a tensor as one run of bytes, or counts its elements to know its size, relies on it. If " +
			"it is too hard to decide, that is a warning.",
		Limit:  "[2, 3] with strides [3, 1] is packed, with [4, 1] it has a gap, with [2, 1] it overlaps",
		Source: "layoutcalc's own", Fix: "Leave out the strides, or the expectation.",
		Bad:  "version: 1\ntensors:\n  rows: {dtype: float16, sizes: 2x3, strides: [4, 1], expect: {packed: true}}\n",
		Good: "version: 1\ntensors:\n  rows: {dtype: float16, sizes: 2x3, strides: [3, 1], expect: {packed: true}}\n",
	},
	ExpectMaxBytes: {Name: "expect-max-bytes", Severity: Error,
		What: "The smallest buffer that holds the tensor, with all of its last block and rounded up to a multiple " +
			"of 4 bytes, is at most as large as expected.",
		Why:    "The buffer that is there would be too small.",
		Limit:  "float16 of [5] takes 12 bytes: maxBytes: 12 is right, 11 is wrong",
		Source: "layoutcalc's own; the bytes are those of DMLCalcBufferTensorSize",
		Fix:    "Make a size, the padding or the type smaller, or the limit larger.",
		Bad:    "version: 1\ntensors:\n  row: {dtype: float16, sizes: 5, expect: {maxBytes: 11}}\n",
		Good:   "version: 1\ntensors:\n  row: {dtype: float16, sizes: 5, expect: {maxBytes: 12}}\n",
	},
	ExpectStrides: {Name: "expect-strides", Severity: Error,
		What:   "The strides are those that are expected, but for strides of size 1, which move nothing.",
		Why:    "A change of shape or layout that was not meant to change strides did.",
		Limit:  "[1, 3] with strides [9, 1] meets [3, 1], [2, 3] with strides [9, 1] does not",
		Source: "layoutcalc's own", Fix: "Restore the strides, or expect the new ones.",
		Bad:  "version: 1\ntensors:\n  rows: {dtype: float32, sizes: 2x3, layout: WH, expect: {strides: [3, 1]}}\n",
		Good: "version: 1\ntensors:\n  rows: {dtype: float32, sizes: 2x3, layout: HW, expect: {strides: [3, 1]}}\n",
	},
	ExpectSameAs: {Name: "expect-same-as", Severity: Error,
		What:   "The tensor has the sizes of the other, and every element the same offset. Types may differ.",
		Why:    "One is used where the other is meant, as a gradient for its weights.",
		Limit:  "Strides of size 1 may differ; storage offsets may not",
		Source: "layoutcalc's own", Fix: "Give both the same sizes, layout and storage offset.",
		Bad: configOf + "  weights: {dtype: float32, sizes: 2x3, layout: WH}\n  gradient: {dtype: float16, " +
			"sizes: 2x3, expect: {sameAs: weights}}\n",
		Good: configOf + "  weights: {dtype: float32, sizes: 2x3, layout: WH}\n  gradient: {dtype: float16, " +
			"sizes: 2x3, layout: WH, expect: {sameAs: weights}}\n",
	},
	ExpectDType: {Name: "expect-dtype", Severity: Error,
		What: "The element type is the expected one, in the spelling of any system, or in the file's own.",
		Why: "A model that was exported or quantised anew has other elements, and what reads them takes their bytes " +
			"for the old ones.",
		Limit:  "FLOAT32, <f4 and torch.float32 are float32; float64 and bfloat16 are not",
		Source: "layoutcalc's own", Fix: "Export with the type, or expect the new one.",
		Bad:  configOf + "  image: {dtype: uint8, sizes: 1x3x4x4, expect: {dtype: float32}}\n",
		Good: configOf + "  image: {dtype: FLOAT32, sizes: 1x3x4x4, expect: {dtype: float32}}\n",
	},
	ExpectRank: {Name: "expect-rank", Severity: Error,
		What: "The tensor has as many sizes as expected.",
		Why: "A batch that was added or squeezed moves all axes; programs that broadcast do not notice, and " +
			"compute something else.",
		Limit:  "[3, 4, 4] has rank 3, [1, 3, 4, 4] has rank 4",
		Source: "layoutcalc's own", Fix: "Add or leave out the size, or expect the new rank.",
		Bad:  configOf + "  image: {dtype: uint8, sizes: 3x4x4, expect: {rank: 4}}\n",
		Good: configOf + "  image: {dtype: uint8, sizes: 1x3x4x4, expect: {rank: 4}}\n",
	},
	ExpectSizes: {Name: "expect-sizes", Severity: Error,
		What: "The sizes are the expected ones. ?, -1 and null are any size; a name is any size too, but the same " +
			"wherever the name is in the document.",
		Why: "The batch of the image and that of its labels have to be one, and a head that was replaced has another " +
			"number of classes: programs fail at the first run, or broadcast.",
		Limit: "[8, 3, 224, 224] meets [N, 3, ?, -1], [8, 4, 224, 224] does not; after it, [8, 10] meets [N, 10], " +
			"and [9, 10] does not",
		Source: "layoutcalc's own", Fix: "State the sizes that are expected, or expect the new ones.",
		Bad: configOf + "  image: {dtype: uint8, sizes: 8x3x4x4, expect: {sizes: [N, 3, '?', '?']}}\n" +
			"  label: {dtype: int64, sizes: 9x10, expect: {sizes: [N, 10]}}\n",
		Good: configOf + "  image: {dtype: uint8, sizes: 8x3x4x4, expect: {sizes: [N, 3, '?', '?']}}\n" +
			"  label: {dtype: int64, sizes: 8x10, expect: {sizes: [N, 10]}}\n",
	},
	ExpectDivisible: {Name: "expect-divisible", Severity: Error,
		What: "The sizes of axes are multiples of what is expected. An axis is called by its letter, or by its " +
			"position: 0 is the first, -1 the last.",
		Why: "Tensor cores, blocked layouts and shards want multiples; other sizes are padded, take a slower " +
			"kernel, or are refused.",
		Limit:  "C of 64 is a multiple of 16, C of 65 is not; 0 is a multiple of everything",
		Source: "layoutcalc's own", Fix: "Pad the axis to a multiple.",
		Bad:  configOf + "  hidden: {dtype: float16, sizes: 1x65x4x4, layout: NHWC, expect: {divisibleBy: {C: 16}}}\n",
		Good: configOf + "  hidden: {dtype: float16, sizes: 1x64x4x4, layout: NHWC, expect: {divisibleBy: {C: 16}}}\n",
	},
	ExpectBytes: {Name: "expect-bytes", Severity: Error,
		What: "The smallest buffer that holds the tensor, with all of its last block and rounded up to a multiple " +
			"of 4 bytes, has exactly as many bytes as expected.",
		Why:    "A buffer that is allocated elsewhere, or a file that is mapped, has a size of its own.",
		Limit:  "float16 of [5] takes 12 bytes: bytes: 12 is right, 10, 11 and 13 are wrong",
		Source: "layoutcalc's own; the bytes are those of DMLCalcBufferTensorSize",
		Fix:    "Restore the sizes, the padding or the type, or expect the new number.",
		Bad:    configOf + "  row: {dtype: float16, sizes: 5, expect: {bytes: 10}}\n",
		Good:   configOf + "  row: {dtype: float16, sizes: 5, expect: {bytes: 12}}\n",
	},
	ExpectRowPitch: {Name: "expect-row-pitch", Severity: Error,
		What: "Rows are as many bytes apart as expected. Where the layout or the labels of the sizes name H and W, " +
			"or there are four or five sizes without letters, rows follow each other along H; elsewhere along the " +
			"axis " +
			"with the second smallest stride. One row alone has any pitch.",
		Why:    "Textures and cameras pad rows; a reader that takes them for packed shears the image.",
		Limit:  "uint8 of [4, 1000] with strides [1024, 1] has rows of 1024 bytes, not of 1000",
		Source: "layoutcalc's own", Fix: "State the stride of the axis that the message names.",
		Bad:  configOf + "  image: {dtype: uint8, sizes: 4x1000, expect: {rowPitch: 1024}}\n",
		Good: configOf + "  image: {dtype: uint8, sizes: 4x1000, strides: [1024, 1], expect: {rowPitch: 1024}}\n",
	},
	ExpectRowAlign: {Name: "expect-row-align", Severity: Error,
		What: "Rows are a multiple of as many bytes apart as expected. Rows are those of expect-row-pitch.",
		Why: "Copies between buffers and textures want rows at multiples of 256 bytes (D3D12), and vector loads at " +
			"multiples of 16 or 64.",
		Limit:  "float16 of [4, 1000] has rows of 2000 bytes: a multiple of 16, not of 64",
		Source: "layoutcalc's own; documented (D3D12_TEXTURE_DATA_PITCH_ALIGNMENT)",
		Fix:    "State a larger stride for the axis that the message names.",
		Bad:    configOf + "  rows: {dtype: float16, sizes: 4x1000, expect: {rowAlignment: 64}}\n",
		Good:   configOf + "  rows: {dtype: float16, sizes: 4x1000, strides: [1024, 1], expect: {rowAlignment: 64}}\n",
	},
	ExpectBaseAlign: {Name: "expect-base-align", Severity: Error,
		What: "The first element is a multiple of as many bytes after the start of its buffer as expected, and so is " +
			"the alignment of the buffer where it is stated.",
		Why:    "A view into the middle of a buffer starts wherever its slice does; vector loads and bindings do not.",
		Limit:  "storageOffset 8 of float32 is 32 bytes: a multiple of 32, not of 64",
		Source: "layoutcalc's own", Fix: "Change storageOffset, or copy the view.",
		Bad:  configOf + "  view: {dtype: float32, sizes: 4x4, storageOffset: 3, expect: {baseAlignment: 16}}\n",
		Good: configOf + "  view: {dtype: float32, sizes: 4x4, storageOffset: 4, expect: {baseAlignment: 16}}\n",
	},
	BudgetMaxBytes: {Name: "budget-max-bytes", Severity: Error,
		What: "The smallest buffers of the tensors of a budget have at most as many bytes together. The bytes of " +
			"each are those of expect-max-bytes, and each counts once.",
		Why:    "Tensors that fit one by one exceed the memory of the device together.",
		Limit:  "float16 of [5] and of [2] take 12 + 4 bytes: maxBytes: 16 is right, 15 is wrong",
		Source: "layoutcalc's own", Fix: "Make a tensor smaller, or the limit larger.",
		Bad: configOf + "  key: {dtype: float16, sizes: 5}\n  value: {dtype: float16, sizes: 2}\n" +
			"budgets:\n  cache: {tensors: [key, value], maxBytes: 15}\n",
		Good: configOf + "  key: {dtype: float16, sizes: 5}\n  value: {dtype: float16, sizes: 2}\n" +
			"budgets:\n  cache: {tensors: [key, value], maxBytes: 16}\n",
	},
	EdgeMismatch: {Name: "edge-mismatch", Severity: Error,
		What:   "Two tensors of an edge have the same type and sizes, and every element the same offset.",
		Why:    "What one operator writes, the next reads as something else; nothing at run time notices.",
		Limit:  "Strides of size 1 may differ; storage offsets may not",
		Source: "layoutcalc's own", Fix: "Describe both ends alike, or convert between them.",
		Bad: configOf + "  written: {dtype: float32, sizes: 1x3x4x4, layout: NHWC, role: output}\n" +
			"  read: {dtype: float32, sizes: 1x3x4x4, layout: NCHW, role: input}\nedges:\n  - [written, read]\n",
		Good: configOf + "  written: {dtype: float32, sizes: 1x3x4x4, layout: NHWC, role: output}\n" +
			"  read: {dtype: float32, sizes: 1x3x4x4, layout: NHWC, role: input}\nedges:\n  - [written, read]\n",
	},
	UnusedIgnore: {Name: "unused-ignore", Severity: Warning,
		What: "A comment layoutcalc:ignore RULE REASON silences a finding: of its own line, or of the next one if " +
			"it is alone on its line.",
		Why:    "What it silenced is mended, or has moved: the next finding there would go unseen.",
		Source: "layoutcalc's own", Fix: "Leave the comment out, or move it to the line of the finding.",
		Bad: configOf + "  # layoutcalc:ignore expect-max-bytes grows with the next model\n  row: {dtype: " +
			"float16, sizes: 5, expect: {maxBytes: 12}}\n",
		Good: configOf + "  # layoutcalc:ignore expect-max-bytes grows with the next model\n  row: {dtype: " +
			"float16, sizes: 5, expect: {maxBytes: 11}}\n",
	},
	BadIgnore: {Name: "bad-ignore", Severity: Error,
		What: "A comment that starts with layoutcalc: is layoutcalc:ignore RULE REASON, with a rule that exists " +
			"and a reason.",
		Why:    "A misspelt comment silences nothing, and without a reason it is not known when it can be removed.",
		Source: "layoutcalc's own", Fix: "Correct the name, or say why.",
		Bad: configOf + "  # layoutcalc:ignore expect-max-bytes\n  row: {dtype: float16, sizes: 5, expect: " +
			"{maxBytes: 11}}\n",
		Good: configOf + "  # layoutcalc:ignore expect-max-bytes grows with the next model\n  row: {dtype: " +
			"float16, sizes: 5, expect: {maxBytes: 11}}\n",
	},
	LFSPointer: {Name: "lfs-pointer", Severity: Error,
		What: "A file of tensors is the file itself, not the pointer that Git LFS keeps in its place.",
		Why: "Where Git LFS is not installed, or a checkout leaves its files out, readers take the pointer for the " +
			"file. Its first bytes read as a number are 2336927755350992246, so that safetensors says " +
			"HeaderTooLarge; pickle says \"invalid load key, 'v'\", and onnxruntime \"Protobuf parsing failed\".",
		Limit: "1023 bytes that start with the version of a pointer are one, 1024 are not",
		Source: "documented (git-lfs, docs/spec.md); observed (transformers issue 27923, OmniParser issue 34, " +
			"stable-diffusion-webui issue 8123, DeepSeek-V3 issue 557, clipseg issue 5, onnxruntime-genai issue 684, " +
			"commavq issue 12)",
		Fix: "Run git lfs pull; in CI let the checkout do it (lfs: true for actions/checkout, no " +
			"GIT_LFS_SKIP_SMUDGE=1). Where files are left out on purpose, --ignore lfs-pointer.",
		Bad: "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258d" +
			"aaa5e2ca24d17e2393\nsize 12345\n",
		Good: header24 + `} + 24 bytes`,
	},
	NotTheFile: {Name: "not-the-file", Severity: Error,
		What: "A file of tensors has a header of .npy, .safetensors or .gguf, and not something else in its place.",
		Why: "A download that failed leaves a page of HTML or a message of the server, and a pickle or an archive is " +
			"renamed rather than converted. Readers answer with the first number that makes no sense: safetensors " +
			"with HeaderTooLarge or InvalidHeader, pickle with \"invalid load key, '<'\".",
		Limit: "A message of a server has less than 4096 bytes; an empty file is not one of tensors",
		Source: "documented (the magic numbers of the formats); observed (diffusers issue 5328; AIWarehouse issue 3, " +
			"where the picture of a code had been downloaded as a model)",
		Fix:  "Download the file again, unpack it, or convert it to .safetensors.",
		Bad:  "<!DOCTYPE html><html><head><title>Sign in</title></head></html>",
		Good: header24 + `} + 24 bytes`,
	},
	FileHeader: {Name: "file-header", Severity: Error,
		What: "The header of a tensor file says what its format asks for, once, and nothing else.",
		Why: "Readers differ in what they make of the rest: one takes the first of two keys, one the last, and a " +
			"third refuses the file. That is how two programs come to see two models in one file.",
		Limit: "A .safetensors header starts with {, has no comments, and only spaces after it; .gguf has 4 sizes " +
			"a tensor, and keys of 65535 bytes; 5 and 65536 are wrong",
		Source: "documented (safetensors README, gguf.md); enforced by NumPy's, safetensors' and ggml 0.21's readers",
		Fix:    "Write the file again with a current version of its own library.",
		Bad:    `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24], "stride": [3, 1]}} + 24 bytes`,
		Good:   `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}} + 24 bytes`,
	},
	FileSize: {Name: "file-size", Severity: Error,
		What: "A tensor's shape and type take exactly the bytes that the file has for it.",
		Why:  "A file that is cut off, or whose header claims more than there is, is read beyond its end.",
		Limit: "float32 of (2, 3) is right in 24 bytes, and wrong in 23; sizes whose product 64 bits do not hold " +
			"are wrong",
		Source: "documented (safetensors README); enforced by safetensors' and ggml's readers; NumPy fails while " +
			"reading",
		Fix:  "Copy the file again, or correct the shape or the offsets.",
		Bad:  `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 20]}} + 20 bytes`,
		Good: `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}} + 24 bytes`,
	},
	FileType: {Name: "file-type", Severity: Error,
		What: "The format has the element type, and rows fill whole blocks of it.",
		Why: "Without the size of an element nothing after it can be found. Elements of 4 and 6 bits end at a " +
			"byte, and quantised rows at a block.",
		Limit: "F4 of [4] is right, of [3] wrong; Q4_0 with rows of 96 is right, of 100 wrong; types 4, 5, 31 to " +
			"33 and 36 to 38 of ggml were removed",
		Source: "documented (safetensors README, gguf.md); enforced by safetensors' and ggml 0.21's readers",
		Fix:    "Convert the tensor to a type that the format has, or pad its rows.",
		Bad:    `{"a": {"dtype": "F33", "shape": [2, 3], "data_offsets": [0, 24]}} + 24 bytes`,
		Good:   `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}} + 24 bytes`,
	},
	FileOverlap: {Name: "file-overlap", Severity: Error,
		What: "No byte belongs to two tensors.",
		Why: "Readers refuse the file, or one tensor changes with another. Shared weights must be stored once, " +
			"under one name.",
		Limit:  "The next tensor starts right at the byte where one ends; one byte before is wrong",
		Source: "documented (safetensors README); enforced by safetensors' and ggml's readers",
		Fix:    "Write the file again, or give the tensor the offset where the one before it ends.",
		Bad:    header24 + `, "b": {"dtype": "F32", "shape": [6], "data_offsets": [20, 44]}} + 44 bytes`,
		Good:   header24 + `, "b": {"dtype": "F32", "shape": [6], "data_offsets": [24, 48]}} + 48 bytes`,
	},
	FileHole: {Name: "file-hole", Severity: Error,
		What: "Every byte between the first and the last tensor belongs to one, except padding up to the alignment.",
		Why:  "Other data can hide there, and readers that require tensors one after another refuse the file.",
		Limit: "With an alignment of 32, a tensor after 36 bytes is right at 64 and wrong at 96; .safetensors has " +
			"no padding at all",
		Source: "documented (safetensors README); enforced by safetensors' and ggml 0.21's readers",
		Fix:    "Write the file again without the bytes.",
		Bad:    header24 + `, "b": {"dtype": "F32", "shape": [6], "data_offsets": [28, 52]}} + 52 bytes`,
		Good:   header24 + `, "b": {"dtype": "F32", "shape": [6], "data_offsets": [24, 48]}} + 48 bytes`,
	},
	FileAlign: {Name: "file-align", Severity: Error,
		What: "Tensors start at multiples of the alignment, which is a power of two.",
		Why: "ggml refuses other offsets. In the other formats this is a warning or a note: a file that is mapped " +
			"into memory has elements that cannot be read in place.",
		Limit: "64 is right and 36 wrong for .gguf's 32; general.alignment of 8 and 32 is right, 24 is wrong, and " +
			"4 is a warning",
		Source: "documented (gguf.md, .npy format); enforced by ggml 0.21; observed (writers of safetensors pad " +
			"headers to 8, NumPy to 64)",
		Fix: "Start the tensor at the next multiple.",
		Bad: `{"a": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}, "b": {"dtype": "F32", "shape": [1], ` +
			`"data_offsets": [1, 5]}} + 5 bytes`,
		Good: `{"b": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}, "a": {"dtype": "U8", "shape": [1], ` +
			`"data_offsets": [4, 5]}} + 5 bytes`,
	},
	FileOrder: {Name: "file-order", Severity: Note,
		What: "Elements are stored in row-major order and little-endian, and .gguf tensors as they are listed.",
		Why: "A .npy file may have Fortran order, but DxDispatch refuses it; big-endian elements have to be " +
			"swapped. ggml refuses tensors in another order, so there it is an error.",
		Source: "documented (.npy format); enforced by DxDispatch (NpyReaderWriter) and ggml 0.21",
		Fix:    "Save numpy.ascontiguousarray(a), or a.astype of the little-endian type.",
		Bad:    "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), } + 24 bytes",
		Good:   "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } + 24 bytes",
	},
	FileName: {Name: "file-name", Severity: Error,
		What: "Names of tensors differ, are valid UTF-8, and are as short as the format requires.",
		Why: "Of two tensors of one name, readers keep one or refuse the file. Control characters, which are a " +
			"warning, can change what a terminal shows.",
		Limit:  ".gguf: 63 bytes are right, 64 wrong; elsewhere 4096 bytes are read, and 4097 are too many here",
		Source: "documented (safetensors README); enforced by ggml 0.21 (GGML_MAX_NAME)",
		Fix:    "Rename one of the tensors.",
		Bad:    `{"a\u0007": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}} + 24 bytes`,
		Good:   `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}} + 24 bytes`,
	},
	FileTrailing: {Name: "file-trailing", Severity: Error,
		What: "Nothing follows the last tensor.",
		Why: "A shape that is too small leaves data over, and another file can be hidden there. Readers of .npy " +
			"and .gguf skip it, so there it is a warning.",
		Limit:  "24 bytes after the header of one float32 of [2, 3] are right, 25 are wrong",
		Source: "documented (safetensors README); enforced by safetensors' reader; observed (NumPy)",
		Fix:    "Correct the shape, or cut the file off.",
		Bad:    `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}} + 28 bytes`,
		Good:   `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}} + 24 bytes`,
	},
	IndexMap: {Name: "index-map", Severity: Error,
		What: "The weight_map of an index has the names of tensors, each once, and with each the name of a file.",
		Why: "Of a name that is there twice readers of JSON keep the last; a value that is not a text ends the load. " +
			"An empty map loads nothing, without an error.",
		Limit:  "The same name twice for the same file is a warning, for two files an error",
		Source: "enforced in transformers, vLLM and SGLang, which fail with KeyError or TypeError",
		Fix:    "Write the index again with the library that wrote the shards.",
		Bad:    `{"metadata": {"total_size": 0}, "weight_map": {}}`,
		Good:   indexOf24 + `}}` + beside1,
	},
	IndexPath: {Name: "index-path", Severity: Error,
		What: "An index names files below its own directory that end in .safetensors.",
		Why: "Programs join the name to the directory and open what is there: a path with .. or from the root is a " +
			"file of somebody else, and one with another ending a pickle, which runs code. huggingface_hub refuses " +
			"both. A shard in a directory below is a note: vLLM and mlx-lm look for files beside the index only.",
		Limit:  "sub/a.safetensors is right, sub/../a.safetensors is wrong",
		Source: "enforced in huggingface_hub (_load_sharded_checkpoint); observed in the other loaders",
		Fix:    "Move the file beside the index, and write its name alone.",
		Bad:    `{"metadata": {"total_size": 24}, "weight_map": {"a": "../1.safetensors"}}` + beside1,
		Good:   indexOf24 + `}}` + beside1,
	},
	IndexShardMissing: {Name: "index-shard-missing", Severity: Error,
		What: "Each file that an index names is there.",
		Why: "transformers and vLLM stop; programs that load whatever is there, as SGLang did before pull request " +
			"32279, serve a model with random weights. Where the names of files count more of them than the index " +
			"has, such as model-00001-of-00030, the index is an old one, which is a warning.",
		Limit: "A directory or a pipe of that name is not a file",
		Source: "enforced in transformers, vLLM and huggingface_hub; observed (sglang issue 32279, Neph0s/CoSER " +
			"issue 3)",
		Fix:  "Download the missing file, or the index that belongs to the files.",
		Bad:  indexOf24 + `, "b": "2.safetensors"}}` + beside1,
		Good: indexOf24 + `}}` + beside1,
	},
	IndexShardExtra: {Name: "index-shard-extra", Severity: Warning,
		What: "All .safetensors files beside an index are named by it, or by another index there.",
		Why: "mlx-lm loads every file of the directory, the others only those that are named: two programs have two " +
			"models. consolidated.safetensors, which Mistral ships besides, is a note.",
		Source: "observed (mlx-vlm issues 1464 and 1329, sglang issue 35107, vllm issue 40765)",
		Fix:    "Remove the file, or name its tensors in the index.",
		Bad:    indexOf24 + `}}` + beside1 + ` beside 2.safetensors: {} + 0 bytes`,
		Good:   indexOf24 + `}}` + beside1,
	},
	IndexTensorMissing: {Name: "index-tensor-missing", Severity: Error,
		What: "Each tensor of an index is in the file that the index names for it.",
		Why: "No loader looks: transformers and vLLM take the tensor from wherever it is, programs that load by " +
			"the map fail, and a tensor that is nowhere stays as it was made, with random weights.",
		Limit:  "1199 tensors in the index and 1198 in the files (nightmedia/Qwen3.8-27B-Brainwaves) are one too few",
		Source: "observed in transformers and vLLM; huggingface_hub leaves it to others (huggingface_hub issue 4725)",
		Fix:    "Write the index again from the files.",
		Bad:    indexOf24 + `, "b": "1.safetensors"}}` + beside1,
		Good:   indexOf24 + `}}` + beside1,
	},
	IndexTensorExtra: {Name: "index-tensor-extra", Severity: Warning,
		What: "Each tensor of a file that an index names is in the index.",
		Why: "vLLM and SGLang load it, transformers calls it unexpected, and programs that load by the map do not " +
			"see it: perhaps it is an old tensor under its old name.",
		Source: "observed in transformers, vLLM and SGLang", Fix: "Write the index again from the files.",
		Bad: indexOf24 + `}} beside 1.safetensors: ` + header24 +
			`, "b": {"dtype": "F32", "shape": [6], "data_offsets": [24, 48]}} + 48 bytes`,
		Good: indexOf24 + `}}` + beside1,
	},
	IndexDuplicate: {Name: "index-duplicate", Severity: Warning,
		What: "A tensor is in one of the files that an index names.",
		Why: "Programs that read the files one after the other keep the last, those that read by the map the one " +
			"that is named. Where type or shape differ one of them computes with wrong weights, so that it is an " +
			"error: 1024 old FP8 tensors replaced the right ones in vllm issue 54230.",
		Limit:  "The same type and shape in both is a warning, another one an error",
		Source: "observed (vllm issue 54230; overlays do it on purpose, JustVugg/colibri issue 1479)",
		Fix:    "Remove the tensor from the file that the index does not name.",
		Bad: indexOf24 + `, "b": "2.safetensors"}}` + beside1 + ` beside 2.safetensors: ` + header24 +
			`, "b": {"dtype": "F32", "shape": [], "data_offsets": [24, 28]}} + 28 bytes`,
		Good: indexOf24 + `}}` + beside1,
	},
	IndexTotalSize: {Name: "index-total-size", Severity: Warning,
		What: "The total_size of an index is the number of bytes of its tensors, each once, without headers.",
		Why: "Programs that plan disks and memory read it. Loaders do not, so that it may be wrong for long: tied " +
			"tensors are counted twice, headers are counted, or tensors were removed. Of shards that Git LFS has not " +
			"checked out the size of the file is known, and a total beyond the sizes of all shards is wrong.",
		Limit: "24 is right for one float32 of [2, 3], 25 is wrong",
		Source: "enforced by the writers in huggingface_hub and mlx-lm; observed (ml-explore/mlx-examples pull " +
			"request 413, Edge0-AI/Edge0 issue 104)",
		Fix:  "Write the number of the message.",
		Bad:  `{"metadata": {"total_size": 25}, "weight_map": {"a": "1.safetensors"}}` + beside1,
		Good: indexOf24 + `}}` + beside1,
	},
	IndexMetadata: {Name: "index-metadata", Severity: Warning,
		What: "An index has metadata, an object with the number total_size.",
		Why: "transformers 4 fails with a KeyError without metadata. Tools that merge models wrote the size as a " +
			"text or as a number with a fraction.",
		Limit:  "9223372036854775807 is right; 9223372036854775808, 1.3e10 and \"24\" are wrong",
		Source: "enforced in transformers 4 (index[\"metadata\"])", Fix: "Write the number of bytes of all tensors.",
		Bad:  `{"weight_map": {"a": "1.safetensors"}}` + beside1,
		Good: indexOf24 + `}}` + beside1,
	},
	ArtefactMissing: {Name: "artefact-missing", Severity: Error,
		What: "The file that a configuration names for a tensor is there, below the configuration's directory.",
		Why: "What is stated cannot be compared with a file that is not there. Paths that leave the directory are " +
			"not opened, and a configuration on standard input has no directory.",
		Limit:  "weights/a.npy is right, ../a.npy and /a.npy are wrong; a directory or a pipe is not a file",
		Source: "layoutcalc's own", Fix: "Correct the path, or move the file.",
		Bad:  configOf + "  a: {file: 2.safetensors}\n" + beside1,
		Good: configOf + "  a: {file: 1.safetensors}\n" + beside1,
	},
	ArtefactTensor: {Name: "artefact-tensor", Severity: Error,
		What: "The file that a configuration names has the tensor.",
		Why:  "A new export has renamed the tensor, or left it out.",
		Limit: "The name may be left out where the file has one tensor, and has to be for .npy, whose array has no " +
			"name",
		Source: "layoutcalc's own", Fix: "Correct the name.",
		Bad:  configOf + "  a: {file: 1.safetensors, tensor: b}\n" + beside1,
		Good: configOf + "  a: {file: 1.safetensors, tensor: a}\n" + beside1,
	},
	ArtefactDType: {Name: "artefact-dtype", Severity: Error,
		What: "The element type that a configuration states is that of the tensor in the file.",
		Why: "A new export has changed it. float16 and bfloat16 have as many bits, so that nothing at run time " +
			"notices.",
		Limit:  "float16 in the file: dtype: f16 is right, bfloat16 is wrong",
		Source: "layoutcalc's own", Fix: "State the type of the file, or export the file again.",
		Bad:  configOf + "  a: {file: 1.safetensors, dtype: int32}\n" + beside1,
		Good: configOf + "  a: {file: 1.safetensors, dtype: float32}\n" + beside1,
	},
	ArtefactSizes: {Name: "artefact-sizes", Severity: Error,
		What: "The sizes that a configuration states are those of the tensor in the file, as they are listed or in " +
			"the order of the layout that is stated.",
		Why: "Weights exported as O,H,W,I for an operator that takes O,I,H,W, a matrix that is transposed, or a " +
			"vocabulary that is padded in one file and not in another have a valid file with the wrong numbers.",
		Limit: "[2, 3] in the file: [2, 3] and [2, null] are right, and so is [3, 2] with layout: WH; [3, 2] is " +
			"wrong, and so is [1, 2, 3]",
		Source: "layoutcalc's own; observed (DirectML issue 240, triton-inference-server/server issue 1055; " +
			"GPT-2's c_attn is stored as [in, out])",
		Fix:  "State the sizes of the file, or export the file again.",
		Bad:  configOf + "  a: {file: 1.safetensors, sizes: [3, 2]}\n" + beside1,
		Good: configOf + "  a: {file: 1.safetensors, sizes: [2, 3]}\n" + beside1,
	},
	ArtefactBytes: {Name: "artefact-bytes", Severity: Error,
		What: "The totalBytes that a configuration states are the bytes that the file has for the tensor.",
		Why: "Who reads that many bytes reads into the next tensor, or stops before the last element. Of a file that " +
			"Git LFS has not checked out only the size is known, which a tensor cannot exceed.",
		Limit:  "24 is right for float32 of [2, 3], 23 and 28 are wrong",
		Source: "layoutcalc's own", Fix: "State the bytes of the file.",
		Bad:  configOf + "  a: {file: 1.safetensors, totalBytes: 28}\n" + beside1,
		Good: configOf + "  a: {file: 1.safetensors, totalBytes: 24}\n" + beside1,
	},
	ArtefactLayout: {Name: "artefact-layout", Severity: Error,
		What: "The elements are in the file where the layout or the strides of the configuration have them.",
		Why: "Files of tensors are row-major, but for .npy files in Fortran order: the same bytes read in another " +
			"order are another tensor.",
		Limit:  "[2, 3] row-major: strides: [3, 1] is right, [1, 2] is wrong",
		Source: "layoutcalc's own; documented (.npy format, fortran_order)",
		Fix:    "State the layout of the file, or export the file again.",
		Bad:    configOf + "  a: {file: 1.safetensors, sizes: [2, 3], strides: [1, 2]}\n" + beside1,
		Good:   configOf + "  a: {file: 1.safetensors, sizes: [2, 3], strides: [3, 1]}\n" + beside1,
	},
	ONNXTruncated: {Name: "onnx-truncated", Severity: Error,
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
	ONNXIRVersion: {Name: "onnx-ir-version", Severity: Error,
		What: "A model states the version of its format.",
		Why: "Readers refuse a model without one. One that is newer than this program may have fields it does not " +
			"know.",
		Limit:  "1 and 14 are right, 0 is wrong, 15 is a warning",
		Source: "enforced by onnx.checker (check_model)", Fix: "Save the model again with a current version of onnx.",
		Bad:  `ir_version: 0 graph { ` + onnxW + `}`,
		Good: onnxOf + onnxW + `}`,
	},
	ONNXOpset: {Name: "onnx-opset", Severity: Error,
		What: "From IR version 3 on a model imports a set of operators, before that none. Each domain is imported " +
			"once.",
		Why:    "The version of the set says what the operators mean. A domain that is imported twice is a warning.",
		Limit:  "IR version 3 with one opset_import is right, with none wrong; IR version 2 the other way round",
		Source: "enforced by onnx.checker (check_model)",
		Fix:    "Set opset_import to the version that the nodes were made for.",
		Bad:    `ir_version: 8 graph { ` + onnxW + `}`,
		Good:   onnxOf + onnxW + `}`,
	},
	ONNXDataSize: {Name: "onnx-data-size", Severity: Error,
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
	ONNXDataCount: {Name: "onnx-data-count", Severity: Error,
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
	ONNXDataFields: {Name: "onnx-data-fields", Severity: Error,
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
	ONNXDims: {Name: "onnx-dims", Severity: Error,
		What:   "The sizes of weights are not negative, and 63 bits hold their bits.",
		Why:    "A product that wraps makes a small buffer for large data.",
		Limit:  "0 is right, -1 is wrong; INT8 of [2^60 - 1] is right, of [2^60] wrong",
		Source: "enforced by onnx.checker (safe_dim_product) and ONNX Runtime (pull request 27547)",
		Fix:    "State the sizes that the weights have.",
		Bad:    onnxOf + `initializer { name: "w" dims: [-1, 3] data_type: FLOAT raw_data: 24 bytes } }`,
		Good:   onnxOf + onnxW + `}`,
	},
	ONNXName: {Name: "onnx-name", Severity: Error,
		What: "Initializers have names, and no two of a graph the same. Up to IR version 3 each is an input of the " +
			"graph too.",
		Why: "Of two, readers keep one or refuse the model: \"initializer name is not unique\", INVALID_GRAPH. " +
			"Sparse initializers count too. A name that is not valid UTF-8 is a warning.",
		Limit:  "IR version 4 without the input is right, IR version 3 wrong",
		Source: "enforced by onnx.checker (check_graph) and ONNX Runtime", Fix: "Rename one of them.",
		Bad:  onnxOf + onnxW + onnxW + `}`,
		Good: onnxOf + onnxW + `}`,
	},
	ONNXSSA: {Name: "onnx-ssa", Severity: Error,
		What: "Each output of the graph is written by a node, or is an input or an initializer; inputs differ in " +
			"their names.",
		Why:    "A model that was cut or merged by hand often names outputs that are gone.",
		Source: "enforced by onnx.checker (check_graph)", Fix: "Name an output that a node writes.",
		Bad:  onnxOf + `node { input: "x" output: "z" op_type: "Relu" } ` + onnxX + onnxY + `}`,
		Good: onnxOf + `node { input: "x" output: "y" op_type: "Relu" } ` + onnxX + onnxY + `}`,
	},
	ONNXIOType: {Name: "onnx-io-type", Severity: Error,
		What: "Inputs and outputs of the model have a name and a type; those that are tensors an element type and a " +
			"shape.",
		Why: "Nothing can be allocated for them. A shape may have sizes that are open, but its number of sizes is " +
			"known.",
		Source: "enforced by onnx.checker (check_value_info)",
		Fix:    "Run onnx.shape_inference.infer_shapes, or state type and shape.",
		Bad:    onnxOf + `input { name: "x" type { tensor_type { elem_type: FLOAT } } } }`,
		Good:   onnxOf + onnxX + `}`,
	},
	ONNXInitShape: {Name: "onnx-init-shape", Severity: Error,
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
	ONNXDimValue: {Name: "onnx-dim-value", Severity: Warning,
		What: "Sizes of inputs and outputs that are stated are not negative, and those of inputs not 0.",
		Why: "Old exporters wrote -1 for a size that is open. ONNX Runtime reads it so; others take it for a size. " +
			"An open size has a name (dim_param), or nothing at all.",
		Limit:  "1 is right, -1 is wrong, 0 is wrong of an input",
		Source: "observed; ONNX Runtime's reader", Fix: "Name the size: dim_param.",
		Bad:  onnxOf + onnxXOf + `dim_value: -1 } } } } } }`,
		Good: onnxOf + onnxX + `}`,
	},
	ONNXSparse: {Name: "onnx-sparse", Severity: Error,
		What: "A sparse tensor has values [NNZ], sizes above 0, and indices of type INT64, [NNZ] or [NNZ, rank], " +
			"that are within the sizes, sorted and without repeats.",
		Why:    "Values would go where no element is, or one over another.",
		Limit:  "with dims [4] the indices [0, 3] are right, [0, 4], [3, 0] and [0, 0] wrong",
		Source: "enforced by onnx.checker (check_sparse_tensor)", Fix: "Sort the indices, and leave out repeats.",
		Bad:  onnxOf + onnxSparseOf + `[0, 4] } dims: [4] } }`,
		Good: onnxOf + onnxSparseOf + `[0, 3] } dims: [4] } }`,
	},
	ONNXQuantAnnotation: {Name: "onnx-quant-annotation", Severity: Warning,
		What:   "A quantization annotation names tensors that the graph has.",
		Why:    "A scale or a zero point that was renamed is not found, and the tensor is taken as not quantized.",
		Source: "documented (onnx.proto)", Fix: "Name the scale and the zero point as the graph does.",
		Bad:  onnxOf + onnxW + `quantization_annotation { tensor_name: "v" } }`,
		Good: onnxOf + onnxW + `quantization_annotation { tensor_name: "w" } }`,
	},
	ONNXConv: {Name: "onnx-conv", Severity: Error,
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
	ONNX2GiB: {Name: "onnx-2gib", Severity: Error,
		What:   "A model has less than 2 GiB.",
		Why:    "Protobuf neither writes nor reads more. From 1.5 GiB on it is a note.",
		Limit:  "2147483647 bytes are right, 2147483648 are wrong",
		Source: "documented (ExternalData.md, protobuf)",
		Fix:    "Save the weights as external data: onnx.save(model, path, save_as_external_data=True).",
		Bad:    onnxOf + onnxW + `} + 2147483648 bytes of doc_string`,
		Good:   onnxOf + onnxW + `} + 16 bytes of doc_string`,
	},
	ONNXExternalPath: {Name: "onnx-external-path", Severity: Error,
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
	ONNXExternalLink: {Name: "onnx-external-link", Severity: Warning,
		What: "The file with external data is not a symbolic link, and has no second name.",
		Why: "onnx.checker refuses both (CVE-2026-27489), ONNX Runtime only links that leave the directory. The " +
			"cache of Hugging Face consists of links.",
		Source: "enforced by onnx.checker", Fix: "Copy the file beside the model.",
		Bad:  onnxOf + onnxExternal + `{ key: "location" value: "link.bin" } } } + w.bin of 24 bytes`,
		Good: onnxOf + onnxExternal + `{ key: "location" value: "w.bin" } } } + w.bin of 24 bytes`,
	},
	ONNXExternalMissing: {Name: "onnx-external-missing", Severity: Error,
		What: "The file with external data is there, as a regular file.",
		Why: "The model was copied without its data, or two models were merged (onnxruntime issue 11848). Of a " +
			"model from standard input it cannot be looked for, which does not pass.",
		Source: "documented (ExternalData.md); enforced by all readers", Fix: "Copy the file beside the model.",
		Bad:  onnxOf + onnxExternal + `{ key: "location" value: "v.bin" } } } + w.bin of 24 bytes`,
		Good: onnxOf + onnxExternal + `{ key: "location" value: "w.bin" } } } + w.bin of 24 bytes`,
	},
	ONNXExternalRange: {Name: "onnx-external-range", Severity: Error,
		What: "The elements of a tensor are within the file that has them.",
		Why: "The file is cut off, or of another model. ONNX Runtime: \"External initializer: W offset: 2071986176 " +
			"size to read: 4718592 given file_length: 770703360 are out of bounds or can not be read in full.\"",
		Limit:  "an offset of the size of the file less the bytes of the tensor is right, one more is wrong",
		Source: "enforced by ONNX Runtime (tensorprotoutils.cc)", Fix: "Copy the file again.",
		Bad:  onnxOf + onnxExternal + onnxBin + `external_data { key: "offset" value: "1" } } } + w.bin of 24 bytes`,
		Good: onnxOf + onnxExternal + onnxBin + `external_data { key: "offset" value: "0" } } } + w.bin of 24 bytes`,
	},
	ONNXExternalLength: {Name: "onnx-external-length", Severity: Error,
		What: "The length of external data, where it is stated, is what shape and type take. 0 is as good as none.",
		Why: "ONNX Runtime: \"external data size mismatch. Computed size: 36, external_data.length: 32\". Exporters " +
			"write 0 for a length they do not know (rten issue 1394, Xilinx/onnx-mlir issue 975).",
		Limit:  "FLOAT of [2,3]: 24 and 0 are right, 23, 25, -1 and 0x18 are wrong",
		Source: "documented (ExternalData.md); enforced by ONNX Runtime",
		Fix:    "State the bytes of the tensor, or leave the length out.",
		Bad:    onnxOf + onnxExternal + onnxBin + `external_data { key: "length" value: "23" } } } + w.bin of 24 bytes`,
		Good:   onnxOf + onnxExternal + onnxBin + `external_data { key: "length" value: "24" } } } + w.bin of 24 bytes`,
	},
	ONNXExternalOverlap: {Name: "onnx-external-overlap", Severity: Warning,
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
	ONNXExternalAlign: {Name: "onnx-external-align", Severity: Note,
		What: "External data of a tensor starts at a multiple of 4096 bytes.",
		Why: "So it can be mapped into memory; Windows wants 65536. Few writers do it: ONNX Runtime's only above 1 " +
			"MiB, and onnx.save not at all.",
		Limit:  "0 and 4096 are right, 4 is noted",
		Source: "documented (ExternalData.md: should)", Fix: "Save with an alignment where the weights are mapped.",
		Bad:  onnxOf + onnxExternal + onnxBin + `external_data { key: "offset" value: "4" } } } + w.bin of 28 bytes`,
		Good: onnxOf + onnxExternal + onnxBin + `} } + w.bin of 24 bytes`,
	},
	ONNXExternalGap: {Name: "onnx-external-gap", Severity: Note,
		What:   "The bytes of a file with external data belong to tensors, but for padding up to 4096 or 65536.",
		Why:    "What is left over is often the data of an older model, to which a newer one was added.",
		Limit:  "24 bytes for one FLOAT of [2,3] are right, 28 are noted",
		Source: "inferred", Fix: "Delete the file, and save the model again.",
		Bad:  onnxOf + onnxExternal + onnxBin + `} } + w.bin of 28 bytes`,
		Good: onnxOf + onnxExternal + onnxBin + `} } + w.bin of 24 bytes`,
	},
	TritonField: {Name: "triton-field", Severity: Error,
		What: "Each field of a config.pbtxt is one of its message.",
		Why: `The server does not load the model: Message type "inference.ModelInput" has no field named "dim". ` +
			"A name that is like none of the known ones is a warning: newer servers have more fields.",
		Limit: "dims is right, dim and Dims are wrong; format is right in an input and wrong in an output",
		Source: "enforced by protobuf (text_format.cc) with model_config.proto of triton-inference-server/common " +
			"83adf7c",
		Fix: "Write the field as the server knows it.",
		Bad: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dim: [ 3 ] }` + "\n",
		Good: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
	},
	TritonValue: {Name: "triton-value", Severity: Error,
		What: "Each value is of the type of its field, and a field that is not a list has one.",
		Why: `The server does not load the model: Unknown enumeration value of "FP32" for field "data_type". ` +
			"Names of types have TYPE_ before them, and neither those of HTTP requests nor those of other " +
			"systems are read (triton-inference-server/server issue 2502).",
		Limit: `TYPE_FP32 and 11 are right, FP32 and "TYPE_FP32" are wrong; max_batch_size 2147483647 is right, ` +
			"2147483648 is wrong; dims: [ 3 ] is right, dims [ 3 ] is wrong",
		Source: `enforced by protobuf (text_format.cc): Non-repeated field "name" is specified multiple times; ` +
			`Integer out of range (2147483648); Expected ":", found "["`,
		Fix: "Write a value that the field can have.",
		Bad: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: FP32 dims: [ 3 ] }` + "\n",
		Good: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
	},
	TritonMapKey: {Name: "triton-map-key", Severity: Warning,
		What: "A map has each key once.",
		Why: "Of two entries with one key the last holds, without a word: a tensor is not mapped that seems to " +
			"be.",
		Source: "enforced by protobuf (maps: the last entry holds)",
		Fix:    "Leave one of them out.",
		Bad: "# config.pbtxt\n" +
			`backend: "python" parameters { key: "a" value { string_value: "1" } } parameters { key: "a" value ` +
			`{ string_value: "2" } }` + "\n",
		Good: "# config.pbtxt\n" +
			`backend: "python" parameters { key: "a" value { string_value: "1" } } parameters { key: "b" value ` +
			`{ string_value: "2" } }` + "\n",
	},
	TritonName: {Name: "triton-name", Severity: Error,
		What:   "Inputs and outputs have names.",
		Why:    "The server does not load the model: model input must specify 'name'.",
		Source: "enforced by the server (ValidateIOShape)",
		Fix:    "Give it the name that it has in the model.",
		Bad: "# config.pbtxt\n" +
			`backend: "onnxruntime" input { data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
		Good: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
	},
	TritonDType: {Name: "triton-dtype", Severity: Error,
		What: "Inputs and outputs have an element type.",
		Why: "The server does not load the model: model input 'x' must specify 'data_type'. Models in Python and " +
			"of TensorRT may state it themselves, so that there it is a note.",
		Limit:  "TYPE_BF16, which is 14, is right; TYPE_INVALID, which is 0, and 15 are wrong",
		Source: "enforced by the server (ValidateIOShape); inferred for numbers above 14",
		Fix:    "State data_type.",
		Bad: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" dims: [ 3 ] }` + "\n",
		Good: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
	},
	TritonDimsMissing: {Name: "triton-dims-missing", Severity: Error,
		What: "Inputs and outputs have dims.",
		Why: "The server does not load the model: model input 'x' must specify 'dims'. Tensors have at least one " +
			"dimension: a scalar is dims of [ 1 ] with an empty reshape. Models in Python and of TensorRT may " +
			"state them themselves, so that there it is a note.",
		Limit:  "dims: [ 1 ] is right, dims: [ ] is wrong",
		Source: "enforced by the server (ValidateIOShape)",
		Fix:    "State dims.",
		Bad: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ ] }` + "\n",
		Good: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
	},
	TritonDims: {Name: "triton-dims", Severity: Error,
		What: "A dimension is 1 or more, or -1 where it varies.",
		Why: "The server does not load the model: model input 'x' dimension must be integer >= 1, or -1 to " +
			"indicate a variable-size dimension.",
		Limit:  "1, -1 and 9223372036854775807 are right, 0 and -2 are wrong",
		Source: "enforced by the server (ValidateIOShape)",
		Fix:    "Write -1 for a size that varies.",
		Bad: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 0 ] }` + "\n",
		Good: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
	},
	TritonReshapeDims: {Name: "triton-reshape-dims", Severity: Error,
		What: "A dimension of a reshape is 1 or more, or -1 where it varies.",
		Why: "The server does not load the model: model input 'x' reshape dimensions must be integer >= 1, or -1 " +
			"to indicate a variable-size dimension.",
		Limit:  "1 and -1 are right, 0 and -2 are wrong",
		Source: "enforced by the server (ValidateIOShape)",
		Fix:    "Write -1 for a size that varies.",
		Bad: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] reshape { shape: [ 3, 0 ] } }` + "\n",
		Good: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] reshape { shape: [ 3, 1 ] } }` + "\n",
	},
	TritonReshapeEmpty: {Name: "triton-reshape-empty", Severity: Error,
		What: "A reshape is empty only where the model has batches.",
		Why: "The server does not load the model: model input 'x' cannot have empty reshape for non-batching " +
			"model as scalar tensors are not supported. A reshape without a shape is empty too.",
		Limit:  "max_batch_size: 1 is right, 0 is wrong",
		Source: "enforced by the server (ValidateIOShape)",
		Fix:    "Set max_batch_size, or write shape: [ 1 ].",
		Bad: "# config.pbtxt\n" +
			`backend: "onnxruntime"` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 1 ] reshape { shape: [ ] } }` + "\n",
		Good: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 1 ] reshape { shape: [ ] } }` + "\n",
	},
	TritonReshapeSize: {Name: "triton-reshape-size", Severity: Error,
		What: "A reshape has as many elements as dims have.",
		Why:  "The server does not load the model: model input 'x' has different size for dims and reshape.",
		Limit: "dims [1,3,2] with reshape [6], [2,3] and [3,2,1] are right, with [5] wrong; an empty reshape " +
			"goes with dims of one element",
		Source: "enforced by the server (ValidateIOShape)",
		Fix:    "Make the products equal.",
		Bad: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 1, 3, 2 ] reshape { shape: [ 5 ] } }` + "\n",
		Good: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 1, 3, 2 ] reshape { shape: [ 6 ] } }` + "\n",
	},
	TritonReshapeVariable: {Name: "triton-reshape-variable", Severity: Error,
		What: "A reshape has as many dimensions that vary as dims have, and as many elements between them.",
		Why: "The server does not load the model: model input 'x' has different number of variable-size " +
			"dimensions for dims and reshape.",
		Limit: "dims [2,4,-1,6] with reshape [8,-1,1,6] is right; [2,-1] with [-1,2] and [-1] with [-1,-1] are " +
			"wrong",
		Source: "enforced by the server (ValidateIOShape)",
		Fix:    "Keep the order of the dimensions that vary.",
		Bad: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 2, -1 ] reshape { shape: [ -1, 2 ] } }` + "\n",
		Good: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 2, 4, -1, 6 ] reshape { shape: [ 8, -1, 1, 6 ] } }` + "\n",
	},
	TritonFormatRank: {Name: "triton-format-rank", Severity: Error,
		What: "An input in FORMAT_NHWC or FORMAT_NCHW has 3 dims.",
		Why: "The server does not load the model: model input NHWC/NCHW require 3 dims. The dimension of the " +
			"batch is never one of them, whatever max_batch_size is.",
		Limit:  "3 dims are right, 2 and 4 are wrong",
		Source: "enforced by the server (ValidateModelInput)",
		Fix:    "Leave the batch out of dims; a reshape adds a dimension of 1 for a model of a fixed batch.",
		Bad: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" format: FORMAT_NCHW data_type: TYPE_FP32 dims: [ 1, 3, 224, 224 ] }` + "\n",
		Good: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" format: FORMAT_NCHW data_type: TYPE_FP32 dims: [ 3, 224, 224 ] }` + "\n",
	},
	TritonFormatOrder: {Name: "triton-format-order", Severity: Warning,
		What: "The sizes of an image are in the order of its format.",
		Why: "An image with more than 16 channels of a width of 4 or less is almost always one in the other " +
			"order. The server does not compare them.",
		Limit:  "FORMAT_NCHW with [16,224,3] is right, with [17,224,3] wrong; with [17,224,5] right",
		Source: "inferred; observed (triton-inference-server/server issue 1055)",
		Fix:    "Name the other format, or write dims in its order.",
		Bad: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" format: FORMAT_NCHW data_type: TYPE_FP32 dims: [ 224, 224, 3 ] }` + "\n",
		Good: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" format: FORMAT_NHWC data_type: TYPE_FP32 dims: [ 224, 224, 3 ] }` + "\n",
	},
	TritonShapeTensor: {Name: "triton-shape-tensor", Severity: Error,
		What:   "Only models of TensorRT have shape tensors.",
		Why:    "The server does not load the model: shape tensors are only supported for TensorRT platform.",
		Source: "enforced by the server (ValidateModelInput)",
		Fix:    "Leave is_shape_tensor out.",
		Bad: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] is_shape_tensor: true }` + "\n",
		Good: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] is_shape_tensor: false }` + "\n",
	},
	TritonNonLinear: {Name: "triton-nonlinear", Severity: Error,
		What:   "Only tensors of TensorRT with 3 dims have a format that is not linear.",
		Why:    "The server does not load the model: Non-linear IO format input requires 3 dims.",
		Limit:  "3 dims are right, 2 and 4 are wrong",
		Source: "enforced by the server (ValidateNonLinearFormatIO)",
		Fix:    "Leave is_non_linear_format_io out.",
		Bad: "# config.pbtxt\n" +
			`platform: "tensorrt_plan"` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] is_non_linear_format_io: true }` + "\n",
		Good: "# config.pbtxt\n" +
			`platform: "tensorrt_plan"` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 8, 4, 4 ] is_non_linear_format_io: true }` + "\n",
	},
	TritonBatchSize: {Name: "triton-batch-size", Severity: Error,
		What:   "max_batch_size is not negative.",
		Why:    "The server does not load the model: 'max_batch_size' must be non-negative value for M.",
		Limit:  "0 and 1 are right, -1 is wrong",
		Source: "enforced by the server (ValidateModelConfig)",
		Fix:    "Write 0 for a model without batches.",
		Bad: "# config.pbtxt\n" +
			`backend: "python" max_batch_size: -1` + "\n",
		Good: "# config.pbtxt\n" +
			`backend: "python" max_batch_size: 0` + "\n",
	},
	TritonPreferred: {Name: "triton-preferred", Severity: Error,
		What: "Preferred batch sizes are from 1 to max_batch_size.",
		Why: "The server does not load the model: dynamic batching preferred size must be <= max batch size for " +
			"M.",
		Limit:  "With max_batch_size: 4, 4 is right, 0 and 5 are wrong; without it all are",
		Source: "enforced by the server (ValidateModelConfig)",
		Fix:    "Leave the size out, or raise max_batch_size.",
		Bad: "# config.pbtxt\n" +
			`backend: "python" max_batch_size: 4 dynamic_batching { preferred_batch_size: [ 5 ] }` + "\n",
		Good: "# config.pbtxt\n" +
			`backend: "python" max_batch_size: 4 dynamic_batching { preferred_batch_size: [ 4 ] }` + "\n",
	},
	TritonBatchInput: {Name: "triton-batch-input", Severity: Error,
		What: "A batch_input has one source, which is an input, and is TYPE_INT32 or TYPE_FP32.",
		Why: "The server does not load the model: batch input kind 'BATCH_ELEMENT_COUNT' expects 1 source input, " +
			"got 2; unknown source input name 'y'; batch input data type must be TYPE_INT32 or TYPE_FP32.",
		Limit:  "1 source is right, 0 and 2 are wrong",
		Source: "enforced by the server (ValidateBatchIO)",
		Fix:    "Name one input.",
		Bad: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			`batch_input { target_name: "n" data_type: TYPE_INT32 source_input: "y" }` + "\n",
		Good: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			`batch_input { target_name: "n" data_type: TYPE_INT32 source_input: "x" }` + "\n",
	},
	TritonBatchOutput: {Name: "triton-batch-output", Severity: Error,
		What: "A batch_output has one source, and its targets are outputs, each named once.",
		Why: "The server does not load the model: unknown target output name 'y'; target output name 'y' can " +
			"only be specified once.",
		Source: "enforced by the server (ValidateBatchIO)",
		Fix:    "Name an output.",
		Bad: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			`batch_output { target_name: "y" source_input: "x" }` + "\n",
		Good: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			`output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			`batch_output { target_name: "y" source_input: "x" }` + "\n",
	},
	TritonPlatform: {Name: "triton-platform", Severity: Error,
		What: "The platform or the backend is stated or follows from the files, and the two go together.",
		Why: "The server does not load the model: unexpected 'platform' and 'backend' pair, got:onnxruntim, " +
			"onnxruntime; unexpected platform type 'onnxruntime' for M. A backend that the server does not know " +
			"itself goes with any platform. Where no file of the model is there, it is a note that nothing is " +
			"stated.",
		Limit:  "platform onnxruntime_onnx is right, onnxruntime is wrong: that is the backend",
		Source: "enforced by the server (ValidateModelConfig, AutoCompleteBackendFields)",
		Fix:    "State backend alone: the server knows the platform.",
		Bad: "# config.pbtxt\n" +
			`platform: "onnxruntime"` + "\n",
		Good: "# config.pbtxt\n" +
			`backend: "onnxruntime"` + "\n",
	},
	TritonNoOutput: {Name: "triton-no-output", Severity: Error,
		What: "A model of PyTorch lists its outputs.",
		Why: "The server does not load the model: model configuration must contain at least one output, none " +
			"were specified. Other backends take them from the file.",
		Limit:  "1 output is right, 0 are wrong",
		Source: "enforced by the backend (pytorch_backend); tested by the server (L0_model_config)",
		Fix:    "List the outputs.",
		Bad: "# config.pbtxt\n" +
			`platform: "pytorch_libtorch" input { name: "x__0" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
		Good: "# config.pbtxt\n" +
			`platform: "pytorch_libtorch" input { name: "x__0" data_type: TYPE_FP32 dims: [ 3 ] } output { ` +
			`name: "y__0" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
	},
	TritonPyTorchNames: {Name: "triton-pytorch-names", Severity: Warning,
		What: "Names of a PyTorch model that end in __INDEX count without a gap.",
		Why: "The backend finds arguments and results by the number: without INPUT__1 the second argument is " +
			"missing.",
		Limit:  "INPUT__0 and INPUT__1 are right, INPUT__0 and INPUT__2 are wrong",
		Source: "documented (model_configuration.md of the server); inferred",
		Fix:    "Number all arguments of forward.",
		Bad: "# config.pbtxt\n" +
			`platform: "pytorch_libtorch" input [ { name: "x__0" data_type: TYPE_FP32 dims: [ 3 ] }, { name: ` +
			`"x__2" data_type: TYPE_FP32 dims: [ 3 ] } ] output { name: "y__0" data_type: TYPE_FP32 dims: [ 3 ` +
			"] }\n",
		Good: "# config.pbtxt\n" +
			`platform: "pytorch_libtorch" input [ { name: "x__0" data_type: TYPE_FP32 dims: [ 3 ] }, { name: ` +
			`"x__1" data_type: TYPE_FP32 dims: [ 3 ] } ] output { name: "y__0" data_type: TYPE_FP32 dims: [ 3 ` +
			"] }\n",
	},
	TritonDuplicateIO: {Name: "triton-duplicate-io", Severity: Error,
		What: "Inputs have different names, and so have outputs.",
		Why: "The server keeps one of two inputs of one name, but counts both: configuration expects 2 inputs, " +
			"model provides 1. Of outputs it is a warning.",
		Source: "inferred from the server and its ONNX Runtime backend",
		Fix:    "Rename one of them.",
		Bad: "# config.pbtxt\n" +
			`backend: "onnxruntime" input [ { name: "x" data_type: TYPE_FP32 dims: [ 3 ] }, { name: "x" ` +
			"data_type: TYPE_FP32 dims: [ 3 ] } ]\n",
		Good: "# config.pbtxt\n" +
			`backend: "onnxruntime" input [ { name: "x" data_type: TYPE_FP32 dims: [ 3 ] }, { name: "y" ` +
			"data_type: TYPE_FP32 dims: [ 3 ] } ]\n",
	},
	TritonReshapeNeedless: {Name: "triton-reshape-needless", Severity: Note,
		What:   "A reshape changes something.",
		Why:    "The model gets the same shape without it.",
		Source: "inferred",
		Fix:    "Leave the reshape out.",
		Bad: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] reshape { shape: [ 3 ] } }` + "\n",
		Good: "# config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8` + "\n" +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] reshape { shape: [ 1, 3 ] } }` + "\n",
	},
	TritonSequence: {Name: "triton-sequence", Severity: Error,
		What: "Controls of sequences have a name, a kind that no other one has, and what it needs.",
		Why: "The server does not load the model: sequence batching must specify either 'int32_false_true', " +
			"'fp32_false_true' or 'bool_false_true' for CONTROL_SEQUENCE_START for M; sequence batching control " +
			"tensor 'x' is specified for multiple control kinds for M. minimum_slot_utilization is from 0 to 1.",
		Limit: "Lists of 2 values are right, of 1 and 3 wrong; TYPE_UINT64 is right for CONTROL_SEQUENCE_CORRID, " +
			"TYPE_FP32 is wrong",
		Source: "enforced by the server (GetBooleanSequenceControlProperties, GetTypedSequenceControlProperties)",
		Fix:    "Give each control what it needs.",
		Bad: "# config.pbtxt\n" +
			`backend: "python" sequence_batching { control_input { name: "START" control { kind: ` +
			"CONTROL_SEQUENCE_START } } }\n",
		Good: "# config.pbtxt\n" +
			`backend: "python" sequence_batching { control_input { name: "START" control { kind: ` +
			"CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } } }\n",
	},
	TritonState: {Name: "triton-state", Severity: Error,
		What: "An initial state has the type and the sizes of its state, and enough values.",
		Why: "The server does not load the model: 'initial_state' dim for state 'a' doesn't match 'state' dim " +
			"description. 3 != 4. A file of values, which is in the directory initial_state, may be longer than " +
			"it needs to be.",
		Limit:  "A state of [-1,4] goes with an initial one of [1,4] and [2,4], not with [1,3] or [4]",
		Source: "enforced by the server (GenerateInitialStateData)",
		Fix:    "Make the two agree.",
		Bad: "# config.pbtxt\n" +
			`backend: "python" sequence_batching { state { input_name: "a" output_name: "b" data_type: ` +
			`TYPE_FP32 dims: [ 4 ] initial_state { name: "i" zero_data: true data_type: TYPE_FP32 dims: [ 3 ] ` +
			"} } }\n",
		Good: "# config.pbtxt\n" +
			`backend: "python" sequence_batching { state { input_name: "a" output_name: "b" data_type: ` +
			`TYPE_FP32 dims: [ 4 ] initial_state { name: "i" zero_data: true data_type: TYPE_FP32 dims: [ 4 ] ` +
			"} } }\n",
	},
	TritonWarmup: {Name: "triton-warmup", Severity: Error,
		What: "The inputs of a warm-up have known sizes, values, and the type of the input.",
		Why: "The server does not load the model: warmup setting expects all variable-size dimensions are " +
			"specified for input 'x'. A type or a size that the input does not have is a warning: the request " +
			"fails.",
		Limit:  "3 is right, -1 is wrong; a batch of max_batch_size is right, one more is wrong",
		Source: "enforced by the server (GenerateWarmupData); inferred for what the request does",
		Fix:    "State the sizes of the request.",
		Bad: "# config.pbtxt\n" +
			`backend: "python" max_batch_size: 4 input { name: "x" data_type: TYPE_FP32 dims: [ -1 ] }` + "\n" +
			`model_warmup { batch_size: 1 inputs { key: "x" value { data_type: TYPE_FP32 dims: [ -1 ] ` +
			"zero_data: true } } }\n",
		Good: "# config.pbtxt\n" +
			`backend: "python" max_batch_size: 4 input { name: "x" data_type: TYPE_FP32 dims: [ -1 ] }` + "\n" +
			`model_warmup { batch_size: 1 inputs { key: "x" value { data_type: TYPE_FP32 dims: [ 3 ] ` +
			"zero_data: true } } }\n",
	},
	TritonDirName: {Name: "triton-dir-name", Severity: Error,
		What: "The name of a model is that of its directory.",
		Why: "The server does not load the model: unexpected directory name 'd' for model 'M', directory name " +
			"must equal model name. Where the directory has no version it is a note: the repository is not " +
			"complete.",
		Source: "enforced by the server (model_repository_manager.cc)",
		Fix:    "Leave the name out: the server takes that of the directory.",
		Bad: "# add/config.pbtxt\n" +
			`name: "sub" backend: "python"` + "\n" +
			"# add/1/model.py\n",
		Good: "# add/config.pbtxt\n" +
			`name: "add" backend: "python"` + "\n" +
			"# add/1/model.py\n",
	},
	TritonVersion: {Name: "triton-version", Severity: Warning,
		What: "Versions are directories with numbers for names, and have the file of the model.",
		Why: "The server passes over other directories: 01 is not version 1. That no version or no file is there " +
			"is a note, since checkouts often leave them out; a server says: at least one version must be " +
			"available under the version policy of model.",
		Limit:  "1 and 10 are right, 01 and 1a are wrong",
		Source: "enforced by the server (model_repository_manager.cc)",
		Fix:    "Rename the directory.",
		Bad: "# add/config.pbtxt\n" +
			`backend: "python"` + "\n" +
			"# add/01/model.py\n",
		Good: "# add/config.pbtxt\n" +
			`backend: "python"` + "\n" +
			"# add/1/model.py\n",
	},
	TritonLabel: {Name: "triton-label", Severity: Error,
		What: "The file of an output's labels is in the directory of the model.",
		Why: "The server does not load the model: label file path is outside model directory. The path starts at " +
			"the directory of the model, not at that of the version. That there are fewer labels than classes is " +
			"a warning.",
		Limit:  "1000 labels for dims of [1000] are right, 999 wrong",
		Source: "enforced by the server (model.cc); inferred for the count",
		Fix:    "Put the file beside config.pbtxt.",
		Bad: "# config.pbtxt\n" +
			`backend: "python" output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] label_filename: ` +
			`"../labels.txt" }` + "\n",
		Good: "# add/config.pbtxt\n" +
			`backend: "python" output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] label_filename: ` +
			`"labels.txt" }` + "\n" +
			"# add/labels.txt\n" +
			"a\n" +
			"b\n" +
			"c\n",
	},
	TritonEnsemble: {Name: "triton-ensemble", Severity: Error,
		What: "An ensemble has steps, each with a model and what it reads and writes, and no settings of a model.",
		Why: "The server does not load the model: ensemble scheduling must be set for ensemble M whose platform " +
			"is ensemble; must specify 'output_map' in step 1 of ensemble 'M'; instance group should not be " +
			"specified for ensemble 'M'. Steps count from 0.",
		Limit:  "1 step is right, 0 are wrong",
		Source: "enforced by the server (ValidateEnsembleSchedulingConfig)",
		Fix:    "State what is missing.",
		Bad: "# config.pbtxt\n" +
			`platform: "ensemble" input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } output { name: "y" ` +
			"data_type: TYPE_FP32 dims: [ 3 ] }\n" +
			`ensemble_scheduling { step { model_name: "m" input_map { key: "a" value: "x" } } }` + "\n",
		Good: "# config.pbtxt\n" +
			`platform: "ensemble" input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } output { name: "y" ` +
			"data_type: TYPE_FP32 dims: [ 3 ] }\n" +
			`ensemble_scheduling { step { model_name: "m" input_map { key: "a" value: "x" } output_map { key: ` +
			`"b" value: "y" } } }` + "\n",
	},
	TritonEnsembleTensor: {Name: "triton-ensemble-tensor", Severity: Error,
		What: "Each tensor of an ensemble is written once, by an input or a step, and read by a step or an " +
			"output.",
		Why: "The server does not load the model: ensemble input 'x' for ensemble M' is not used; output 'y' for " +
			"ensemble 'M' is not written: at least one of its depending tensors, 't', is not connected; ensemble " +
			"tensor 't' can appear in an output map only once for ensemble 'M' step 1; ensemble tensor 't' is " +
			"unused in ensemble 'M'.",
		Source: "enforced by the server (BuildEnsembleGraph, ValidateEnsembleSchedulingConfig)",
		Fix:    "Connect the tensor.",
		Bad: "# config.pbtxt\n" +
			`platform: "ensemble" input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } output { name: "z" ` +
			"data_type: TYPE_FP32 dims: [ 3 ] }\n" +
			`ensemble_scheduling { step { model_name: "m" input_map { key: "a" value: "x" } output_map { key: ` +
			`"b" value: "y" } } }` + "\n",
		Good: "# config.pbtxt\n" +
			`platform: "ensemble" input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } output { name: "y" ` +
			"data_type: TYPE_FP32 dims: [ 3 ] }\n" +
			`ensemble_scheduling { step { model_name: "m" input_map { key: "a" value: "x" } output_map { key: ` +
			`"b" value: "y" } } }` + "\n",
	},
	TritonEnsembleModel: {Name: "triton-ensemble-model", Severity: Error,
		What: "The models of an ensemble are in the repository, have its version and its batches, and do not " +
			"need the ensemble.",
		Why: "The server does not load the model: ensemble M contains models that are not available or " +
			"ambiguous: m; circular dependency between ensembles: M -> ... -> m -> M; ensemble M allows maximum " +
			"batch size 3, but it contains model m which only allows maximum batch size to be 2. Where no model " +
			"is there, a note says that they are not compared; where none has a version, that one is missing is " +
			"a warning.",
		Limit: "With max_batch_size: 2 of the model, 2 of the ensemble is right, 3 is wrong; 0 of the model goes " +
			"with any",
		Source: "enforced by the server (ensemble_utils.cc, model_repository_manager.cc)",
		Fix:    "Add the model to the repository, or lower max_batch_size.",
		Bad: "# e/config.pbtxt\n" +
			`platform: "ensemble" input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } output { name: "y" ` +
			"data_type: TYPE_FP32 dims: [ 3 ] }\n" +
			"max_batch_size: 3\n" +
			`ensemble_scheduling { step { model_name: "m" input_map { key: "a" value: "x" } output_map { key: ` +
			`"b" value: "y" } } }` + "\n" +
			"# m/config.pbtxt\n" +
			`backend: "python" max_batch_size: 2 input { name: "a" data_type: TYPE_FP32 dims: [ 3 ] } output { ` +
			`name: "b" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
		Good: "# e/config.pbtxt\n" +
			`platform: "ensemble" input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } output { name: "y" ` +
			"data_type: TYPE_FP32 dims: [ 3 ] }\n" +
			"max_batch_size: 2\n" +
			`ensemble_scheduling { step { model_name: "m" input_map { key: "a" value: "x" } output_map { key: ` +
			`"b" value: "y" } } }` + "\n" +
			"# m/config.pbtxt\n" +
			`backend: "python" max_batch_size: 2 input { name: "a" data_type: TYPE_FP32 dims: [ 3 ] } output { ` +
			`name: "b" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
	},
	TritonEnsembleMap: {Name: "triton-ensemble-map", Severity: Error,
		What: "Steps map tensors that their models have, and all inputs that are not optional.",
		Why: "The server does not load the model: in ensemble M, ensemble tensor x is mapping to non-existing " +
			"input c in model m; in ensemble M, input a in model m is not mapped to any ensemble tensors. An " +
			"output that is not mapped is fine.",
		Source: "enforced by the server (ValidateTensorMapping)",
		Fix:    "Write the name as the model has it: the key is of the model, the value of the ensemble.",
		Bad: "# e/config.pbtxt\n" +
			`platform: "ensemble" input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } output { name: "y" ` +
			"data_type: TYPE_FP32 dims: [ 3 ] }\n" +
			`ensemble_scheduling { step { model_name: "m" input_map { key: "c" value: "x" } output_map { key: ` +
			`"b" value: "y" } } }` + "\n" +
			"# m/config.pbtxt\n" +
			`backend: "python" max_batch_size: 0 input { name: "a" data_type: TYPE_FP32 dims: [ 3 ] } output { ` +
			`name: "b" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
		Good: "# e/config.pbtxt\n" +
			`platform: "ensemble" input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } output { name: "y" ` +
			"data_type: TYPE_FP32 dims: [ 3 ] }\n" +
			`ensemble_scheduling { step { model_name: "m" input_map { key: "a" value: "x" } output_map { key: ` +
			`"b" value: "y" } } }` + "\n" +
			"# m/config.pbtxt\n" +
			`backend: "python" max_batch_size: 0 input { name: "a" data_type: TYPE_FP32 dims: [ 3 ] } output { ` +
			`name: "b" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
	},
	TritonEnsembleShape: {Name: "triton-ensemble-shape", Severity: Error,
		What: "A tensor of an ensemble has one type and one shape in all models that read or write it.",
		Why: "The server does not load the model: in ensemble M, ensemble tensor x: inconsistent shape: [-1,16] " +
			"is inferred from model a while [-1,16,16,16] is inferred from model b. Sizes of -1 go with all. " +
			"dims are compared, and once more with the batch before them. Of the ensemble itself the reshape is " +
			"compared, of its models dims (triton-inference-server/server issues 1682, 1055, 7355).",
		Limit:  "dims [3] of a model with batches go with [-1,3] of one without, not with [2,3]",
		Source: "enforced by the server (ValidateTensorConsistency)",
		Fix:    "Make the shapes agree, or put a step between them that changes the shape.",
		Bad: "# e/config.pbtxt\n" +
			`platform: "ensemble" input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } output { name: "y" ` +
			"data_type: TYPE_FP32 dims: [ 3 ] }\n" +
			`ensemble_scheduling { step { model_name: "m" input_map { key: "a" value: "x" } output_map { key: ` +
			`"b" value: "y" } } }` + "\n" +
			"# m/config.pbtxt\n" +
			`backend: "python" max_batch_size: 0 input { name: "a" data_type: TYPE_FP32 dims: [ 4 ] } output { ` +
			`name: "b" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
		Good: "# e/config.pbtxt\n" +
			`platform: "ensemble" input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } output { name: "y" ` +
			"data_type: TYPE_FP32 dims: [ 3 ] }\n" +
			`ensemble_scheduling { step { model_name: "m" input_map { key: "a" value: "x" } output_map { key: ` +
			`"b" value: "y" } } }` + "\n" +
			"# m/config.pbtxt\n" +
			`backend: "python" max_batch_size: 0 input { name: "a" data_type: TYPE_FP32 dims: [ 3 ] } output { ` +
			`name: "b" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
	},
	TritonEnsembleDecoupled: {Name: "triton-ensemble-decoupled", Severity: Error,
		What: "What a step of an ensemble reads comes from one decoupled model or from none, and so do all outputs.",
		Why: "The server does not load the model: in ensemble M, step of model 'm' receives inputs originated from " +
			"different decoupled models. A decoupled model gives any number of answers to a request, so that the " +
			"server cannot tell which of its tensors go with those of another one, or with the request.",
		Limit: "A step that reads two tensors of one decoupled model is right, one that reads a tensor of it and an " +
			"input of the ensemble is wrong",
		Source: "enforced by the server (ensemble_utils.cc, ValidateEnsembleConfig)",
		Fix:    "Have the decoupled model return all that the steps after it need.",
		Bad: "# e/config.pbtxt\n" +
			`platform: "ensemble" input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } output { name: "y" ` +
			"data_type: TYPE_FP32 dims: [ 3 ] }\n" +
			`ensemble_scheduling { step { model_name: "m" input_map { key: "a" value: "x" } output_map { key: ` +
			`"b" value: "t" } } step { model_name: "n" input_map { key: "a" value: "t" } input_map { key: "c" value: ` +
			`"x" } output_map { key: "b" value: "y" } } }` + "\n" +
			"# m/config.pbtxt\n" +
			`backend: "python" model_transaction_policy { decoupled: true } input { name: "a" data_type: TYPE_FP32 ` +
			`dims: [ 3 ] } output { name: "b" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			"# n/config.pbtxt\n" +
			`backend: "python" input { name: "a" data_type: TYPE_FP32 dims: [ 3 ] } input { name: "c" ` +
			`data_type: TYPE_FP32 dims: [ 3 ] } output { name: "b" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
		Good: "# e/config.pbtxt\n" +
			`platform: "ensemble" input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } output { name: "y" ` +
			"data_type: TYPE_FP32 dims: [ 3 ] }\n" +
			`ensemble_scheduling { step { model_name: "m" input_map { key: "a" value: "x" } output_map { key: ` +
			`"b" value: "t" } output_map { key: "d" value: "u" } } step { model_name: "n" input_map { key: "a" ` +
			`value: "t" } input_map { key: "c" value: "u" } output_map { key: "b" value: "y" } } }` + "\n" +
			"# m/config.pbtxt\n" +
			`backend: "python" model_transaction_policy { decoupled: true } input { name: "a" data_type: TYPE_FP32 ` +
			`dims: [ 3 ] } output { name: "b" data_type: TYPE_FP32 dims: [ 3 ] } output { name: "d" ` +
			`data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			"# n/config.pbtxt\n" +
			`backend: "python" input { name: "a" data_type: TYPE_FP32 dims: [ 3 ] } input { name: "c" ` +
			`data_type: TYPE_FP32 dims: [ 3 ] } output { name: "b" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
	},
	TritonONNXInputs: {Name: "triton-onnx-inputs", Severity: Error,
		What: "A configuration that lists inputs has as many as the ONNX model.",
		Why: "The server does not load the model: configuration expects 1 inputs, model provides 2. Optional " +
			"inputs do not count, batch_input, controls and states of sequences do. Outputs may be fewer.",
		Limit: "2 of 2 are right, 1 and 3 are wrong",
		Source: "enforced by the backend (onnxruntime_backend, ValidateInputs); tested by the server " +
			"(L0_model_config)",
		Fix: "List all inputs, or none: the server then takes them from the model.",
		Bad: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } ` +
			`output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			"# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type { ` +
			`elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } input { name: "z" type { ` +
			`tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } output { name: "y" ` +
			"type { tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } node { input: " +
			`"x" output: "y" op_type: "Relu" } }` + "\n",
		Good: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } ` +
			`output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			"# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type { ` +
			`elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } output { name: "y" type { ` +
			`tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } node { input: "x" ` +
			`output: "y" op_type: "Relu" } }` + "\n",
	},
	TritonONNXName: {Name: "triton-onnx-name", Severity: Error,
		What: "Inputs and outputs have names that the ONNX model has.",
		Why: "The server does not load the model: unexpected inference input 'x', allowed inputs are: a, b. An " +
			"export of the model again may have renamed them: unexpected inference output '308', allowed outputs " +
			"are: 307 (triton-inference-server/tutorials issue 137).",
		Source: "enforced by the backend (onnxruntime_backend); observed",
		Fix:    "Write the name as the model has it.",
		Bad: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "input" data_type: TYPE_FP32 dims: [ 3 ] } ` +
			`output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			"# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type { ` +
			`elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } output { name: "y" type { ` +
			`tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } node { input: "x" ` +
			`output: "y" op_type: "Relu" } }` + "\n",
		Good: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } ` +
			`output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			"# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type { ` +
			`elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } output { name: "y" type { ` +
			`tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } node { input: "x" ` +
			`output: "y" op_type: "Relu" } }` + "\n",
	},
	TritonONNXDType: {Name: "triton-onnx-dtype", Severity: Error,
		What: "Inputs and outputs have the element types of the ONNX model, and are tensors there.",
		Why: "The server does not load the model, since nothing converts: configuration expects datatype " +
			"TYPE_FP32 for input 'users', model provides TYPE_INT64 (triton-inference-server/server issues 2644, " +
			"2377, 3967). Sequences and maps, as those of scikit-learn, are refused: Unsupported ONNX Type " +
			"'ONNX_TYPE_SEQUENCE' for I/O.",
		Limit:  "TYPE_INT64 for INT64 is right, TYPE_INT32 is wrong",
		Source: "enforced by the backend (onnxruntime_backend)",
		Fix:    "Write the type of the model.",
		Bad: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP16 dims: [ 3 ] } ` +
			`output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			"# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type { ` +
			`elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } output { name: "y" type { ` +
			`tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } node { input: "x" ` +
			`output: "y" op_type: "Relu" } }` + "\n",
		Good: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } ` +
			`output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			"# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type { ` +
			`elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } output { name: "y" type { ` +
			`tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } node { input: "x" ` +
			`output: "y" op_type: "Relu" } }` + "\n",
	},
	TritonONNXBatch: {Name: "triton-onnx-batch", Severity: Error,
		What: "Where max_batch_size is 1 or more, the first size of all tensors in the ONNX model is open.",
		Why: "The server does not load the model: for the model to support batching the shape should have at " +
			"least 1 dimension and the first dimension must be -1; but shape expected by the model is " +
			"[1,3,512,512] (triton-inference-server/server issues 1889, 3880, 7462, 971, 1338). Where inputs or " +
			"outputs are left out: autofill failed for model 'M': model does not support batching while non-zero " +
			"max_batch_size is specified.",
		Limit:  "An open first size is right, 1 is wrong",
		Source: "enforced by the backend (onnxruntime_backend, CompareDimsSupported)",
		Fix:    "Export the model with an open batch, or set max_batch_size: 0 and state the whole shape.",
		Bad: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } ` +
			`output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			"# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type { ` +
			`elem_type: FLOAT shape { dim { dim_value: 1 } dim { dim_value: 3 } } } } } output { name: "y" ` +
			"type { tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } node { input: " +
			`"x" output: "y" op_type: "Relu" } }` + "\n",
		Good: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } ` +
			`output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			"# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type { ` +
			`elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } output { name: "y" type { ` +
			`tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } node { input: "x" ` +
			`output: "y" op_type: "Relu" } }` + "\n",
	},
	TritonONNXRank: {Name: "triton-onnx-rank", Severity: Error,
		What: "Tensors have as many sizes as in the ONNX model, counting the batch where there is one.",
		Why: "The server does not load the model: the model expects 4 dimensions (shape [-1,3,512,864]) but the " +
			"model configuration specifies 5 dimensions (an initial batch dimension because max_batch_size > 0 " +
			"followed by the explicit tensor shape, making complete shape [-1,-1,3,512,864]).",
		Limit:  "With batches, dims of [3] for a model of [-1,3] are right, [-1,3] and [] wrong",
		Source: "enforced by the backend (onnxruntime_backend, CompareDimsSupported)",
		Fix:    "Leave the batch out of dims where max_batch_size is 1 or more.",
		Bad: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 dims: [ -1, 3 ] } ` +
			`output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			"# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type { ` +
			`elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } output { name: "y" type { ` +
			`tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } node { input: "x" ` +
			`output: "y" op_type: "Relu" } }` + "\n",
		Good: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } ` +
			`output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			"# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type { ` +
			`elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } output { name: "y" type { ` +
			`tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } node { input: "x" ` +
			`output: "y" op_type: "Relu" } }` + "\n",
	},
	TritonONNXDims: {Name: "triton-onnx-dims", Severity: Error,
		What: "Sizes are those of the ONNX model; where the model leaves one open, an input may have any, and an " +
			"output has -1.",
		Why: "The server does not load the model: model M, tensor x: the model expects 2 dimensions (shape " +
			"[-1,16]) but the model configuration specifies 2 dimensions (shape [-1,1]). -1 does not stand for a " +
			"size that the model knows (triton-inference-server/server issue 4065), and an output of a known " +
			"size is refused where the model has none (onnxruntime_backend issue 165).",
		Limit: "An input of 224 where the model has -1 is right, -1 and 225 where it has 224 are wrong; an " +
			"output of -1 where it has -1 is right, 224 is wrong",
		Source: "enforced by the backend (onnxruntime_backend, CompareDimsSupported)",
		Fix:    "Write the sizes of the model.",
		Bad: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 dims: [ -1 ] } ` +
			`output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			"# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type { ` +
			`elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } output { name: "y" type { ` +
			`tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } node { input: "x" ` +
			`output: "y" op_type: "Relu" } }` + "\n",
		Good: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } ` +
			`output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			"# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type { ` +
			`elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } output { name: "y" type { ` +
			`tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } node { input: "x" ` +
			`output: "y" op_type: "Relu" } }` + "\n",
	},
	TritonONNXScalar: {Name: "triton-onnx-scalar", Severity: Error,
		What: "A scalar of the ONNX model has dims of 1 only.",
		Why: "The server does not load the model: scalar tensor 'x', should only provide 1 in the model " +
			"configuration.",
		Limit:  "[1] and [1,1] are right, [2] is wrong",
		Source: "enforced by the backend (onnxruntime_backend)",
		Fix:    "Write dims: [ 1 ].",
		Bad: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } output { name: "y" ` +
			"data_type: TYPE_FP32 dims: [ 3 ] }\n" +
			"# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type { ` +
			`elem_type: FLOAT shape {  } } } } output { name: "y" type { tensor_type { elem_type: FLOAT shape ` +
			`{ dim { dim_value: 3 } } } } } node { input: "x" output: "y" op_type: "Relu" } }` + "\n",
		Good: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" input { name: "x" data_type: TYPE_FP32 dims: [ 1 ] } output { name: "y" ` +
			"data_type: TYPE_FP32 dims: [ 3 ] }\n" +
			"# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type { ` +
			`elem_type: FLOAT shape {  } } } } output { name: "y" type { tensor_type { elem_type: FLOAT shape ` +
			`{ dim { dim_value: 3 } } } } } node { input: "x" output: "y" op_type: "Relu" } }` + "\n",
	},
	TritonONNXRagged: {Name: "triton-onnx-ragged", Severity: Error,
		What: "An input that is ragged has the shape [-1] in the ONNX model, and is not optional.",
		Why: "The server does not load the model: configuration expects model provides input with shape [-1] for " +
			"ragged input. All requests of a batch are put one after another.",
		Limit:  "[-1] is right, [-1,3] is wrong",
		Source: "enforced by the backend (onnxruntime_backend)",
		Fix:    "Give the model one axis for the elements of all requests.",
		Bad: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 dims: [ -1 ] ` +
			`allow_ragged_batch: true } output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			"# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type { ` +
			`elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } output { name: "y" type { ` +
			`tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } node { input: "x" ` +
			`output: "y" op_type: "Relu" } }` + "\n",
		Good: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 dims: [ -1 ] ` +
			`allow_ragged_batch: true } output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			"# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type { ` +
			`elem_type: FLOAT shape { dim { } } } } } output { name: "y" type { tensor_type { elem_type: FLOAT ` +
			`shape { dim { } dim { dim_value: 3 } } } } } node { input: "x" output: "y" op_type: "Relu" } }` + "\n",
	},
	TritonONNXOptional: {Name: "triton-onnx-optional", Severity: Error,
		What: "Inputs of an ONNX model are optional only where it has no batches.",
		Why: "The server does not load the model: optional input 'x' is not supported for models that support " +
			"batching.",
		Limit:  "max_batch_size: 0 is right, 1 is wrong",
		Source: "enforced by the backend (onnxruntime_backend)",
		Fix:    "Set max_batch_size: 0, or require the input.",
		Bad: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 optional: true ` +
			`dims: [ 3 ] } output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			"# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type { ` +
			`elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } output { name: "y" type { ` +
			`tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } node { input: "x" ` +
			`output: "y" op_type: "Relu" } }` + "\n",
		Good: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } ` +
			`output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			"# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type { ` +
			`elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } output { name: "y" type { ` +
			`tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } node { input: "x" ` +
			`output: "y" op_type: "Relu" } }` + "\n",
	},
	Syntax: {Name: "syntax", Severity: Error,
		What: "The input can be read.",
		Why: "What cannot be read cannot be checked: the exit code is 2, whatever else was found. Of a log a line " +
			"that cannot be read is a warning.",
		Source: "the grammars of JSON, YAML and the notations", Fix: "Mend what the message points at.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [2, 3}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [2, 3]}`,
	},
}
