package rules

// What examples have in common: an ensemble that makes y of x, its one step, and the model of that, which makes b of a;
// a configuration of a model that makes y of x, and the model itself.
const (
	ensembleOfX = "# e/config.pbtxt\n" +
		`platform: "ensemble" input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } ` +
		`output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n"
	stepOfX = `ensemble_scheduling { step { model_name: "m" ` +
		`input_map { key: "a" value: "x" } output_map { key: "b" value: "y" } } }` + "\n"
	modelOfA = "# m/config.pbtxt\n" +
		`backend: "python" max_batch_size: 0 input { name: "a" data_type: TYPE_FP32 dims: [ 3 ] } ` +
		`output { name: "b" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n"
	configOfX = "# m/config.pbtxt\n" +
		`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } ` +
		`output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n"
	graphOfX = "# m/1/model.onnx\n" +
		`ir_version: 8 opset_import { version: 17 } graph { ` +
		`input { name: "x" type { tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } ` +
		`output { name: "y" type { tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } ` +
		`node { input: "x" output: "y" op_type: "Relu" } }` + "\n"
)

// repositoryRules are the rules of a configuration of Triton and of what is beside it: its repository, other models,
// and its own model of ONNX.
var repositoryRules = []Rule{
	{ID: TritonDirName, Name: "triton-dir-name", Severity: Error,
		What: "The name of a model is that of its directory.",
		Why: "The server does not load the model: unexpected directory name 'd' for model 'M', directory name " +
			"must equal model name. Where the directory has no version it is a note: the repository is not " +
			"complete.",
		Source: "enforced by the server (model_repository_manager.cc)",
		Fix:    "Leave the name out: the server takes that of the directory.",
		Bad:    "# add/config.pbtxt\n" + `name: "sub" backend: "python"` + "\n" + "# add/1/model.py\n",
		Good:   "# add/config.pbtxt\n" + `name: "add" backend: "python"` + "\n" + "# add/1/model.py\n",
	},
	{ID: TritonVersion, Name: "triton-version", Severity: Warning,
		What: "Versions are directories with numbers for names, and have the file of the model.",
		Why: "The server passes over other directories: 01 is not version 1. That no version or no file is there " +
			"is a note, since checkouts often leave them out; a server says: at least one version must be " +
			"available under the version policy of model.",
		Limit:  "1 and 10 are right, 01 and 1a are wrong",
		Source: "enforced by the server (model_repository_manager.cc)",
		Fix:    "Rename the directory.",
		Bad:    "# add/config.pbtxt\n" + `backend: "python"` + "\n" + "# add/01/model.py\n",
		Good:   "# add/config.pbtxt\n" + `backend: "python"` + "\n" + "# add/1/model.py\n",
	},
	{ID: TritonLabel, Name: "triton-label", Severity: Error,
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
			`"labels.txt" }` + "\n" + "# add/labels.txt\n" + "a\n" + "b\n" + "c\n",
	},
	{ID: TritonEnsemble, Name: "triton-ensemble", Severity: Error,
		What: "An ensemble has steps, each with a model and what it reads and writes, and no settings of a model.",
		Why: "The server does not load the model: ensemble scheduling must be set for ensemble M whose platform " +
			"is ensemble; must specify 'output_map' in step 1 of ensemble 'M'; instance group should not be " +
			"specified for ensemble 'M'. Steps count from 0.",
		Limit:  "1 step is right, 0 are wrong",
		Source: "enforced by the server (ValidateEnsembleSchedulingConfig)",
		Fix:    "State what is missing.",
		Bad: "# config.pbtxt\n" +
			`platform: "ensemble" input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } output { name: ` +
			`"y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			`ensemble_scheduling { step { model_name: "m" input_map { key: "a" value: "x" } } }` + "\n",
		Good: "# config.pbtxt\n" +
			`platform: "ensemble" input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } output { name: ` +
			`"y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" + stepOfX,
	},
	{ID: TritonEnsembleTensor, Name: "triton-ensemble-tensor", Severity: Error,
		What: "Each tensor of an ensemble is written once, by an input or a step, and read by a step or an " +
			"output.",
		Why: "The server does not load the model: ensemble input 'x' for ensemble M' is not used; output 'y' for " +
			"ensemble 'M' is not written: at least one of its depending tensors, 't', is not connected; ensemble " +
			"tensor 't' can appear in an output map only once for ensemble 'M' step 1; ensemble tensor 't' is " +
			"unused in ensemble 'M'.",
		Source: "enforced by the server (BuildEnsembleGraph, ValidateEnsembleSchedulingConfig)",
		Fix:    "Connect the tensor.",
		Bad: "# config.pbtxt\n" +
			`platform: "ensemble" input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } output { name: ` +
			`"z" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" + stepOfX,
		Good: "# config.pbtxt\n" +
			`platform: "ensemble" input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } output { name: ` +
			`"y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" + stepOfX,
	},
	{ID: TritonEnsembleModel, Name: "triton-ensemble-model", Severity: Error,
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
		Bad: ensembleOfX + "max_batch_size: 3\n" + stepOfX + "# m/config.pbtxt\n" +
			`backend: "python" max_batch_size: 2 input { name: "a" data_type: TYPE_FP32 dims: [ 3 ] } ` +
			`output { name: "b" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
		Good: ensembleOfX + "max_batch_size: 2\n" + stepOfX + "# m/config.pbtxt\n" +
			`backend: "python" max_batch_size: 2 input { name: "a" data_type: TYPE_FP32 dims: [ 3 ] } ` +
			`output { name: "b" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
	},
	{ID: TritonEnsembleMap, Name: "triton-ensemble-map", Severity: Error,
		What: "Steps map tensors that their models have, and all inputs that are not optional.",
		Why: "The server does not load the model: in ensemble M, ensemble tensor x is mapping to non-existing " +
			"input c in model m; in ensemble M, input a in model m is not mapped to any ensemble tensors. An " +
			"output that is not mapped is fine.",
		Source: "enforced by the server (ValidateTensorMapping)",
		Fix:    "Write the name as the model has it: the key is of the model, the value of the ensemble.",
		Bad: ensembleOfX + `ensemble_scheduling { step { model_name: "m" input_map { key: "c" value: "x" } ` +
			`output_map { key: "b" value: "y" } } }` + "\n" + modelOfA,
		Good: ensembleOfX + stepOfX + modelOfA,
	},
	{ID: TritonEnsembleShape, Name: "triton-ensemble-shape", Severity: Error,
		What: "A tensor of an ensemble has one type and one shape in all models that read or write it.",
		Why: "The server does not load the model: in ensemble M, ensemble tensor x: inconsistent shape: [-1,16] " +
			"is inferred from model a while [-1,16,16,16] is inferred from model b. Sizes of -1 go with all. " +
			"dims are compared, and once more with the batch before them. Of the ensemble itself the reshape is " +
			"compared, of its models dims (triton-inference-server/server issues 1682, 1055, 7355).",
		Limit:  "dims [3] of a model with batches go with [-1,3] of one without, not with [2,3]",
		Source: "enforced by the server (ValidateTensorConsistency)",
		Fix:    "Make the shapes agree, or put a step between them that changes the shape.",
		Bad: ensembleOfX + stepOfX + "# m/config.pbtxt\n" +
			`backend: "python" max_batch_size: 0 input { name: "a" data_type: TYPE_FP32 dims: [ 4 ] } ` +
			`output { name: "b" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
		Good: ensembleOfX + stepOfX + modelOfA,
	},
	{ID: TritonEnsembleDecoupled, Name: "triton-ensemble-decoupled", Severity: Error,
		What: "What a step of an ensemble reads comes from one decoupled model or from none, and so do all outputs.",
		Why: "The server does not load the model: in ensemble M, step of model 'm' receives inputs originated from " +
			"different decoupled models. A decoupled model gives any number of answers to a request, so that the " +
			"server cannot tell which of its tensors go with those of another one, or with the request.",
		Limit: "A step that reads two tensors of one decoupled model is right, one that reads a tensor of it and an " +
			"input of the ensemble is wrong",
		Source: "enforced by the server (ensemble_utils.cc, ValidateEnsembleConfig)",
		Fix:    "Have the decoupled model return all that the steps after it need.",
		Bad: ensembleOfX + `ensemble_scheduling { step { model_name: "m" input_map { key: "a" value: "x" } ` +
			`output_map { key: "b" value: "t" } } step { model_name: "n" input_map { key: "a" value: ` +
			`"t" } input_map { key: "c" value: "x" } output_map { key: "b" value: "y" } } }` + "\n" +
			"# m/config.pbtxt\n" +
			`backend: "python" model_transaction_policy { decoupled: true } input { name: "a" ` +
			`data_type: TYPE_FP32 dims: [ 3 ] } output { name: "b" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			"# n/config.pbtxt\n" +
			`backend: "python" input { name: "a" data_type: TYPE_FP32 dims: [ 3 ] } input { name: "c" ` +
			`data_type: TYPE_FP32 dims: [ 3 ] } output { name: "b" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
		Good: ensembleOfX + `ensemble_scheduling { step { model_name: "m" input_map { key: "a" value: "x" } ` +
			`output_map { key: "b" value: "t" } output_map { key: "d" value: "u" } } step { ` +
			`model_name: "n" input_map { key: "a" value: "t" } input_map { key: "c" value: "u" } ` +
			`output_map { key: "b" value: "y" } } }` + "\n" + "# m/config.pbtxt\n" +
			`backend: "python" model_transaction_policy { decoupled: true } input { name: "a" ` +
			`data_type: TYPE_FP32 dims: [ 3 ] } output { name: "b" data_type: TYPE_FP32 dims: [ 3 ] } ` +
			`output { name: "d" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" + "# n/config.pbtxt\n" +
			`backend: "python" input { name: "a" data_type: TYPE_FP32 dims: [ 3 ] } input { name: "c" ` +
			`data_type: TYPE_FP32 dims: [ 3 ] } output { name: "b" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n",
	},
	{ID: TritonONNXInputs, Name: "triton-onnx-inputs", Severity: Error,
		What: "A configuration that lists inputs has as many as the ONNX model.",
		Why: "The server does not load the model: configuration expects 1 inputs, model provides 2. Optional " +
			"inputs do not count, batch_input, controls and states of sequences do. Outputs may be fewer.",
		Limit: "2 of 2 are right, 1 and 3 are wrong",
		Source: "enforced by the backend (onnxruntime_backend, ValidateInputs); tested by the server " +
			"(L0_model_config)",
		Fix: "List all inputs, or none: the server then takes them from the model.",
		Bad: configOfX + "# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type ` +
			`{ elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } input { name: "z" type { ` +
			"tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } output { " +
			`name: "y" type { tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } ` +
			`} } node { input: "x" output: "y" op_type: "Relu" } }` + "\n",
		Good: configOfX + graphOfX,
	},
	{ID: TritonONNXName, Name: "triton-onnx-name", Severity: Error,
		What: "Inputs and outputs have names that the ONNX model has.",
		Why: "The server does not load the model: unexpected inference input 'x', allowed inputs are: a, b. An " +
			"export of the model again may have renamed them: unexpected inference output '308', allowed outputs " +
			"are: 307 (triton-inference-server/tutorials issue 137).",
		Source: "enforced by the backend (onnxruntime_backend); observed",
		Fix:    "Write the name as the model has it.",
		Bad: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "input" data_type: TYPE_FP32 ` +
			`dims: [ 3 ] } output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" + graphOfX,
		Good: configOfX + graphOfX,
	},
	{ID: TritonONNXDType, Name: "triton-onnx-dtype", Severity: Error,
		What: "Inputs and outputs have the element types of the ONNX model, and are tensors there.",
		Why: "The server does not load the model, since nothing converts: configuration expects datatype " +
			"TYPE_FP32 for input 'users', model provides TYPE_INT64 (triton-inference-server/server issues 2644, " +
			"2377, 3967). Sequences and maps, as those of scikit-learn, are refused: Unsupported ONNX Type " +
			"'ONNX_TYPE_SEQUENCE' for I/O.",
		Limit:  "TYPE_INT64 for INT64 is right, TYPE_INT32 is wrong",
		Source: "enforced by the backend (onnxruntime_backend)",
		Fix:    "Write the type of the model.",
		Bad: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP16 dims: [ ` +
			`3 ] } output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" + graphOfX,
		Good: configOfX + graphOfX,
	},
	{ID: TritonONNXBatch, Name: "triton-onnx-batch", Severity: Error,
		What: "Where max_batch_size is 1 or more, the first size of all tensors in the ONNX model is open.",
		Why: "The server does not load the model: for the model to support batching the shape should have at " +
			"least 1 dimension and the first dimension must be -1; but shape expected by the model is " +
			"[1,3,512,512] (triton-inference-server/server issues 1889, 3880, 7462, 971, 1338). Where inputs or " +
			"outputs are left out: autofill failed for model 'M': model does not support batching while non-zero " +
			"max_batch_size is specified.",
		Limit:  "An open first size is right, 1 is wrong",
		Source: "enforced by the backend (onnxruntime_backend, CompareDimsSupported)",
		Fix:    "Export the model with an open batch, or set max_batch_size: 0 and state the whole shape.",
		Bad: configOfX + "# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type ` +
			"{ elem_type: FLOAT shape { dim { dim_value: 1 } dim { dim_value: 3 } } } } } output { " +
			`name: "y" type { tensor_type { elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } ` +
			`} } node { input: "x" output: "y" op_type: "Relu" } }` + "\n",
		Good: configOfX + graphOfX,
	},
	{ID: TritonONNXRank, Name: "triton-onnx-rank", Severity: Error,
		What: "Tensors have as many sizes as in the ONNX model, counting the batch where there is one.",
		Why: "The server does not load the model: the model expects 4 dimensions (shape [-1,3,512,864]) but the " +
			"model configuration specifies 5 dimensions (an initial batch dimension because max_batch_size > 0 " +
			"followed by the explicit tensor shape, making complete shape [-1,-1,3,512,864]).",
		Limit:  "With batches, dims of [3] for a model of [-1,3] are right, [-1,3] and [] wrong",
		Source: "enforced by the backend (onnxruntime_backend, CompareDimsSupported)",
		Fix:    "Leave the batch out of dims where max_batch_size is 1 or more.",
		Bad: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 dims: [ ` +
			`-1, 3 ] } output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" + graphOfX,
		Good: configOfX + graphOfX,
	},
	{ID: TritonONNXDims, Name: "triton-onnx-dims", Severity: Error,
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
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 dims: [ ` +
			`-1 ] } output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" + graphOfX,
		Good: configOfX + graphOfX,
	},
	{ID: TritonONNXScalar, Name: "triton-onnx-scalar", Severity: Error,
		What: "A scalar of the ONNX model has dims of 1 only.",
		Why: "The server does not load the model: scalar tensor 'x', should only provide 1 in the model " +
			"configuration.",
		Limit:  "[1] and [1,1] are right, [2] is wrong",
		Source: "enforced by the backend (onnxruntime_backend)",
		Fix:    "Write dims: [ 1 ].",
		Bad: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } output { ` +
			`name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" + "# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type ` +
			`{ elem_type: FLOAT shape {  } } } } output { name: "y" type { tensor_type { elem_type: ` +
			`FLOAT shape { dim { dim_value: 3 } } } } } node { input: "x" output: "y" op_type: "Relu" ` + "} }\n",
		Good: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" input { name: "x" data_type: TYPE_FP32 dims: [ 1 ] } output { ` +
			`name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" + "# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type ` +
			`{ elem_type: FLOAT shape {  } } } } output { name: "y" type { tensor_type { elem_type: ` +
			`FLOAT shape { dim { dim_value: 3 } } } } } node { input: "x" output: "y" op_type: "Relu" ` + "} }\n",
	},
	{ID: TritonONNXRagged, Name: "triton-onnx-ragged", Severity: Error,
		What: "An input that is ragged has the shape [-1] in the ONNX model, and is not optional.",
		Why: "The server does not load the model: configuration expects model provides input with shape [-1] for " +
			"ragged input. All requests of a batch are put one after another.",
		Limit:  "[-1] is right, [-1,3] is wrong",
		Source: "enforced by the backend (onnxruntime_backend)",
		Fix:    "Give the model one axis for the elements of all requests.",
		Bad: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 dims: [ ` +
			`-1 ] allow_ragged_batch: true } output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			graphOfX,
		Good: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 dims: [ ` +
			`-1 ] allow_ragged_batch: true } output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" +
			"# m/1/model.onnx\n" +
			`ir_version: 8 opset_import { version: 17 } graph { input { name: "x" type { tensor_type ` +
			`{ elem_type: FLOAT shape { dim { } } } } } output { name: "y" type { tensor_type { ` +
			`elem_type: FLOAT shape { dim { } dim { dim_value: 3 } } } } } node { input: "x" output: ` +
			`"y" op_type: "Relu" } }` + "\n",
	},
	{ID: TritonONNXOptional, Name: "triton-onnx-optional", Severity: Error,
		What: "Inputs of an ONNX model are optional only where it has no batches.",
		Why: "The server does not load the model: optional input 'x' is not supported for models that support " +
			"batching.",
		Limit:  "max_batch_size: 0 is right, 1 is wrong",
		Source: "enforced by the backend (onnxruntime_backend)",
		Fix:    "Set max_batch_size: 0, or require the input.",
		Bad: "# m/config.pbtxt\n" +
			`backend: "onnxruntime" max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 ` +
			`optional: true dims: [ 3 ] } output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }` + "\n" + graphOfX,
		Good: configOfX + graphOfX,
	},
}
