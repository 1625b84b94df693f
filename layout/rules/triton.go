package rules

// tritonRules are the rules of a configuration of Triton by itself.
var tritonRules = []Rule{
	{ID: TritonField, Name: "triton-field", Severity: Error,
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
	{ID: TritonValue, Name: "triton-value", Severity: Error,
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
	{ID: TritonMapKey, Name: "triton-map-key", Severity: Warning,
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
	{ID: TritonName, Name: "triton-name", Severity: Error,
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
	{ID: TritonDType, Name: "triton-dtype", Severity: Error,
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
	{ID: TritonDimsMissing, Name: "triton-dims-missing", Severity: Error,
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
	{ID: TritonDims, Name: "triton-dims", Severity: Error,
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
	{ID: TritonReshapeDims, Name: "triton-reshape-dims", Severity: Error,
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
	{ID: TritonReshapeEmpty, Name: "triton-reshape-empty", Severity: Error,
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
	{ID: TritonReshapeSize, Name: "triton-reshape-size", Severity: Error,
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
	{ID: TritonReshapeVariable, Name: "triton-reshape-variable", Severity: Error,
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
	{ID: TritonFormatRank, Name: "triton-format-rank", Severity: Error,
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
	{ID: TritonFormatOrder, Name: "triton-format-order", Severity: Warning,
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
	{ID: TritonShapeTensor, Name: "triton-shape-tensor", Severity: Error,
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
	{ID: TritonNonLinear, Name: "triton-nonlinear", Severity: Error,
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
	{ID: TritonBatchSize, Name: "triton-batch-size", Severity: Error,
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
	{ID: TritonPreferred, Name: "triton-preferred", Severity: Error,
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
	{ID: TritonBatchInput, Name: "triton-batch-input", Severity: Error,
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
	{ID: TritonBatchOutput, Name: "triton-batch-output", Severity: Error,
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
	{ID: TritonPlatform, Name: "triton-platform", Severity: Error,
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
	{ID: TritonNoOutput, Name: "triton-no-output", Severity: Error,
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
	{ID: TritonPyTorchNames, Name: "triton-pytorch-names", Severity: Warning,
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
	{ID: TritonDuplicateIO, Name: "triton-duplicate-io", Severity: Error,
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
	{ID: TritonReshapeNeedless, Name: "triton-reshape-needless", Severity: Note,
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
	{ID: TritonSequence, Name: "triton-sequence", Severity: Error,
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
	{ID: TritonState, Name: "triton-state", Severity: Error,
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
	{ID: TritonWarmup, Name: "triton-warmup", Severity: Error,
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
}
