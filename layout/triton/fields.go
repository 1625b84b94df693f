package triton

// A scalar is what the values of a field are.
type scalar uint8

const (
	aText scalar = iota
	aTruth
	int32s
	int64s
	uint32s
	uint64s
	aReal
	anEnum
	aMessage
)

// A field is one of a message.
type field struct {
	name  string
	is    scalar
	of    uint8 // which of the messages or enumerations
	many  bool
	oneof string // of the fields with this name, a message has one at most
}

// A messageType is a message and its fields, as Triton's model_config.proto has them. An entry of a map is a message.
type messageType struct {
	name   string
	fields []field
}

// field returns the field of that name, nil where the message has none.
func (t *messageType) field(name string) (f *field, i int) {
	for i := range t.fields {
		if t.fields[i].name == name {
			return &t.fields[i], i
		}
	}
	return nil, -1
}

// The messages of a configuration.
const (
	modelConfig = iota
	modelRateLimiter
	modelRateLimiterResource
	modelInstanceGroup
	modelInstanceGroupSecondaryDevice
	modelTensorReshape
	modelInput
	modelOutput
	batchInput
	batchOutput
	modelVersionPolicy
	modelVersionPolicyLatest
	modelVersionPolicyAll
	modelVersionPolicySpecific
	modelOptimizationPolicy
	modelOptimizationPolicyGraph
	modelOptimizationPolicyCuda
	modelGraphSpec
	modelGraphSpecShape
	modelGraphSpecLowerBound
	modelAccelerators
	modelAccelerator
	modelOptimizationPolicyPinnedMemoryBuffer
	modelQueuePolicy
	modelDynamicBatching
	modelSequenceBatching
	modelSequenceBatchingControl
	modelSequenceBatchingControlInput
	modelSequenceBatchingInitialState
	modelSequenceBatchingState
	modelSequenceBatchingStrategyDirect
	modelSequenceBatchingStrategyOldest
	modelEnsembling
	modelEnsemblingStep
	modelParameter
	modelWarmup
	modelWarmupInput
	modelOperations
	modelTransactionPolicy
	modelRepositoryAgents
	modelRepositoryAgentsAgent
	modelResponseCache
	modelMetrics
	modelMetricsMetricControl
	modelMetricsMetricControlMetricIdentifier
	modelMetricsMetricControlHistogramOptions
	textEntry
	parameterEntry
	shapeEntry
	policyEntry
	warmupEntry
)

// The enumerations.
const (
	dataType = iota
	modelInstanceGroupKind
	secondaryDeviceKind
	modelInputFormat
	batchInputKind
	batchOutputKind
	modelOptimizationPolicyModelPriority
	modelQueuePolicyTimeoutAction
	modelSequenceBatchingControlKind
)

// enums are the names of the values of each enumeration, by their numbers.
var enums = [...][]string{
	dataType: {"TYPE_INVALID", "TYPE_BOOL", "TYPE_UINT8", "TYPE_UINT16", "TYPE_UINT32", "TYPE_UINT64", "TYPE_INT8",
		"TYPE_INT16", "TYPE_INT32", "TYPE_INT64", "TYPE_FP16", "TYPE_FP32", "TYPE_FP64", "TYPE_STRING", "TYPE_BF16",
	},
	modelInstanceGroupKind: {"KIND_AUTO", "KIND_GPU", "KIND_CPU", "KIND_MODEL"},
	secondaryDeviceKind:    {"KIND_NVDLA"},
	modelInputFormat:       {"FORMAT_NONE", "FORMAT_NHWC", "FORMAT_NCHW"},
	batchInputKind: {"BATCH_ELEMENT_COUNT", "BATCH_ACCUMULATED_ELEMENT_COUNT",
		"BATCH_ACCUMULATED_ELEMENT_COUNT_WITH_ZERO", "BATCH_MAX_ELEMENT_COUNT_AS_SHAPE", "BATCH_ITEM_SHAPE",
		"BATCH_ITEM_SHAPE_FLATTEN",
	},
	batchOutputKind:                      {"BATCH_SCATTER_WITH_INPUT_SHAPE"},
	modelOptimizationPolicyModelPriority: {"PRIORITY_DEFAULT", "PRIORITY_MAX", "PRIORITY_MIN"},
	modelQueuePolicyTimeoutAction:        {"REJECT", "DELAY"},
	modelSequenceBatchingControlKind: {"CONTROL_SEQUENCE_START", "CONTROL_SEQUENCE_READY", "CONTROL_SEQUENCE_END",
		"CONTROL_SEQUENCE_CORRID",
	},
}

// messages are what each message is called, and its fields.
var messages = [...]messageType{
	modelConfig: {"ModelConfig", []field{
		{name: "name", is: aText},
		{name: "platform", is: aText},
		{name: "backend", is: aText},
		{name: "runtime", is: aText},
		{name: "version_policy", is: aMessage, of: modelVersionPolicy},
		{name: "max_batch_size", is: int32s},
		{name: "input", is: aMessage, of: modelInput, many: true},
		{name: "output", is: aMessage, of: modelOutput, many: true},
		{name: "batch_input", is: aMessage, of: batchInput, many: true},
		{name: "batch_output", is: aMessage, of: batchOutput, many: true},
		{name: "optimization", is: aMessage, of: modelOptimizationPolicy},
		{name: "dynamic_batching", is: aMessage, of: modelDynamicBatching, oneof: "scheduling_choice"},
		{name: "sequence_batching", is: aMessage, of: modelSequenceBatching, oneof: "scheduling_choice"},
		{name: "ensemble_scheduling", is: aMessage, of: modelEnsembling, oneof: "scheduling_choice"},
		{name: "instance_group", is: aMessage, of: modelInstanceGroup, many: true},
		{name: "default_model_filename", is: aText},
		{name: "cc_model_filenames", is: aMessage, of: textEntry, many: true},
		{name: "metric_tags", is: aMessage, of: textEntry, many: true},
		{name: "parameters", is: aMessage, of: parameterEntry, many: true},
		{name: "model_warmup", is: aMessage, of: modelWarmup, many: true},
		{name: "model_operations", is: aMessage, of: modelOperations},
		{name: "model_transaction_policy", is: aMessage, of: modelTransactionPolicy},
		{name: "model_repository_agents", is: aMessage, of: modelRepositoryAgents},
		{name: "response_cache", is: aMessage, of: modelResponseCache},
		{name: "model_metrics", is: aMessage, of: modelMetrics},
	}},
	modelRateLimiter: {"ModelRateLimiter", []field{
		{name: "resources", is: aMessage, of: modelRateLimiterResource, many: true},
		{name: "priority", is: uint32s},
	}},
	modelRateLimiterResource: {"ModelRateLimiter.Resource", []field{
		{name: "name", is: aText},
		{name: "global", is: aTruth},
		{name: "count", is: uint32s},
	}},
	modelInstanceGroup: {"ModelInstanceGroup", []field{
		{name: "name", is: aText},
		{name: "kind", is: anEnum, of: modelInstanceGroupKind},
		{name: "count", is: int32s},
		{name: "rate_limiter", is: aMessage, of: modelRateLimiter},
		{name: "gpus", is: int32s, many: true},
		{name: "secondary_devices", is: aMessage, of: modelInstanceGroupSecondaryDevice, many: true},
		{name: "profile", is: aText, many: true},
		{name: "passive", is: aTruth},
		{name: "host_policy", is: aText},
	}},
	modelInstanceGroupSecondaryDevice: {"ModelInstanceGroup.SecondaryDevice", []field{
		{name: "kind", is: anEnum, of: secondaryDeviceKind},
		{name: "device_id", is: int64s},
	}},
	modelTensorReshape: {"ModelTensorReshape", []field{
		{name: "shape", is: int64s, many: true},
	}},
	modelInput: {"ModelInput", []field{
		{name: "name", is: aText},
		{name: "data_type", is: anEnum, of: dataType},
		{name: "format", is: anEnum, of: modelInputFormat},
		{name: "dims", is: int64s, many: true},
		{name: "reshape", is: aMessage, of: modelTensorReshape},
		{name: "is_shape_tensor", is: aTruth},
		{name: "allow_ragged_batch", is: aTruth},
		{name: "optional", is: aTruth},
		{name: "is_non_linear_format_io", is: aTruth},
	}},
	modelOutput: {"ModelOutput", []field{
		{name: "name", is: aText},
		{name: "data_type", is: anEnum, of: dataType},
		{name: "dims", is: int64s, many: true},
		{name: "reshape", is: aMessage, of: modelTensorReshape},
		{name: "label_filename", is: aText},
		{name: "is_shape_tensor", is: aTruth},
		{name: "is_non_linear_format_io", is: aTruth},
	}},
	batchInput: {"BatchInput", []field{
		{name: "kind", is: anEnum, of: batchInputKind},
		{name: "target_name", is: aText, many: true},
		{name: "data_type", is: anEnum, of: dataType},
		{name: "source_input", is: aText, many: true},
	}},
	batchOutput: {"BatchOutput", []field{
		{name: "target_name", is: aText, many: true},
		{name: "kind", is: anEnum, of: batchOutputKind},
		{name: "source_input", is: aText, many: true},
	}},
	modelVersionPolicy: {"ModelVersionPolicy", []field{
		{name: "latest", is: aMessage, of: modelVersionPolicyLatest, oneof: "policy_choice"},
		{name: "all", is: aMessage, of: modelVersionPolicyAll, oneof: "policy_choice"},
		{name: "specific", is: aMessage, of: modelVersionPolicySpecific, oneof: "policy_choice"},
	}},
	modelVersionPolicyLatest: {"ModelVersionPolicy.Latest", []field{
		{name: "num_versions", is: uint32s},
	}},
	modelVersionPolicyAll: {"ModelVersionPolicy.All", []field{}},
	modelVersionPolicySpecific: {"ModelVersionPolicy.Specific", []field{
		{name: "versions", is: int64s, many: true},
	}},
	modelOptimizationPolicy: {"ModelOptimizationPolicy", []field{
		{name: "graph", is: aMessage, of: modelOptimizationPolicyGraph},
		{name: "priority", is: anEnum, of: modelOptimizationPolicyModelPriority},
		{name: "cuda", is: aMessage, of: modelOptimizationPolicyCuda},
		{name: "execution_accelerators", is: aMessage, of: modelAccelerators},
		{name: "input_pinned_memory", is: aMessage, of: modelOptimizationPolicyPinnedMemoryBuffer},
		{name: "output_pinned_memory", is: aMessage, of: modelOptimizationPolicyPinnedMemoryBuffer},
		{name: "gather_kernel_buffer_threshold", is: uint32s},
		{name: "eager_batching", is: aTruth},
	}},
	modelOptimizationPolicyGraph: {"ModelOptimizationPolicy.Graph", []field{
		{name: "level", is: int32s},
	}},
	modelOptimizationPolicyCuda: {"ModelOptimizationPolicy.Cuda", []field{
		{name: "graphs", is: aTruth},
		{name: "busy_wait_events", is: aTruth},
		{name: "graph_spec", is: aMessage, of: modelGraphSpec, many: true},
		{name: "output_copy_stream", is: aTruth},
	}},
	modelGraphSpec: {"ModelOptimizationPolicy.Cuda.GraphSpec", []field{
		{name: "batch_size", is: int32s},
		{name: "input", is: aMessage, of: shapeEntry, many: true},
		{name: "graph_lower_bound", is: aMessage, of: modelGraphSpecLowerBound},
	}},
	modelGraphSpecShape: {"ModelOptimizationPolicy.Cuda.GraphSpec.Shape", []field{
		{name: "dim", is: int64s, many: true},
	}},
	modelGraphSpecLowerBound: {"ModelOptimizationPolicy.Cuda.GraphSpec.LowerBound", []field{
		{name: "batch_size", is: int32s},
		{name: "input", is: aMessage, of: shapeEntry, many: true},
	}},
	modelAccelerators: {"ModelOptimizationPolicy.ExecutionAccelerators", []field{
		{name: "gpu_execution_accelerator", is: aMessage, of: modelAccelerator, many: true},
		{name: "cpu_execution_accelerator", is: aMessage, of: modelAccelerator, many: true},
	}},
	modelAccelerator: {"ModelOptimizationPolicy.ExecutionAccelerators.Accelerator", []field{
		{name: "name", is: aText},
		{name: "parameters", is: aMessage, of: textEntry, many: true},
	}},
	modelOptimizationPolicyPinnedMemoryBuffer: {"ModelOptimizationPolicy.PinnedMemoryBuffer", []field{
		{name: "enable", is: aTruth},
	}},
	modelQueuePolicy: {"ModelQueuePolicy", []field{
		{name: "timeout_action", is: anEnum, of: modelQueuePolicyTimeoutAction},
		{name: "default_timeout_microseconds", is: uint64s},
		{name: "allow_timeout_override", is: aTruth},
		{name: "max_queue_size", is: uint32s},
	}},
	modelDynamicBatching: {"ModelDynamicBatching", []field{
		{name: "preferred_batch_size", is: int32s, many: true},
		{name: "max_queue_delay_microseconds", is: uint64s},
		{name: "preserve_ordering", is: aTruth},
		{name: "priority_levels", is: uint64s},
		{name: "default_priority_level", is: uint64s},
		{name: "default_queue_policy", is: aMessage, of: modelQueuePolicy},
		{name: "priority_queue_policy", is: aMessage, of: policyEntry, many: true},
	}},
	modelSequenceBatching: {"ModelSequenceBatching", []field{
		{name: "direct", is: aMessage, of: modelSequenceBatchingStrategyDirect, oneof: "strategy_choice"},
		{name: "oldest", is: aMessage, of: modelSequenceBatchingStrategyOldest, oneof: "strategy_choice"},
		{name: "max_sequence_idle_microseconds", is: uint64s},
		{name: "control_input", is: aMessage, of: modelSequenceBatchingControlInput, many: true},
		{name: "state", is: aMessage, of: modelSequenceBatchingState, many: true},
		{name: "iterative_sequence", is: aTruth},
	}},
	modelSequenceBatchingControl: {"ModelSequenceBatching.Control", []field{
		{name: "kind", is: anEnum, of: modelSequenceBatchingControlKind},
		{name: "int32_false_true", is: int32s, many: true},
		{name: "fp32_false_true", is: aReal, many: true},
		{name: "bool_false_true", is: aTruth, many: true},
		{name: "data_type", is: anEnum, of: dataType},
	}},
	modelSequenceBatchingControlInput: {"ModelSequenceBatching.ControlInput", []field{
		{name: "name", is: aText},
		{name: "control", is: aMessage, of: modelSequenceBatchingControl, many: true},
	}},
	modelSequenceBatchingInitialState: {"ModelSequenceBatching.InitialState", []field{
		{name: "data_type", is: anEnum, of: dataType},
		{name: "dims", is: int64s, many: true},
		{name: "zero_data", is: aTruth, oneof: "state_data"},
		{name: "data_file", is: aText, oneof: "state_data"},
		{name: "name", is: aText},
	}},
	modelSequenceBatchingState: {"ModelSequenceBatching.State", []field{
		{name: "input_name", is: aText},
		{name: "output_name", is: aText},
		{name: "data_type", is: anEnum, of: dataType},
		{name: "dims", is: int64s, many: true},
		{name: "initial_state", is: aMessage, of: modelSequenceBatchingInitialState, many: true},
		{name: "use_same_buffer_for_input_output", is: aTruth},
		{name: "use_growable_memory", is: aTruth},
	}},
	modelSequenceBatchingStrategyDirect: {"ModelSequenceBatching.StrategyDirect", []field{
		{name: "max_queue_delay_microseconds", is: uint64s},
		{name: "minimum_slot_utilization", is: aReal},
	}},
	modelSequenceBatchingStrategyOldest: {"ModelSequenceBatching.StrategyOldest", []field{
		{name: "max_candidate_sequences", is: int32s},
		{name: "preferred_batch_size", is: int32s, many: true},
		{name: "max_queue_delay_microseconds", is: uint64s},
		{name: "preserve_ordering", is: aTruth},
	}},
	modelEnsembling: {"ModelEnsembling", []field{
		{name: "step", is: aMessage, of: modelEnsemblingStep, many: true},
		{name: "max_inflight_requests", is: uint32s},
	}},
	modelEnsemblingStep: {"ModelEnsembling.Step", []field{
		{name: "model_name", is: aText},
		{name: "model_version", is: int64s},
		{name: "input_map", is: aMessage, of: textEntry, many: true},
		{name: "output_map", is: aMessage, of: textEntry, many: true},
		{name: "model_namespace", is: aText},
	}},
	modelParameter: {"ModelParameter", []field{
		{name: "string_value", is: aText},
	}},
	modelWarmup: {"ModelWarmup", []field{
		{name: "name", is: aText},
		{name: "batch_size", is: uint32s},
		{name: "inputs", is: aMessage, of: warmupEntry, many: true},
		{name: "count", is: uint32s},
	}},
	modelWarmupInput: {"ModelWarmup.Input", []field{
		{name: "data_type", is: anEnum, of: dataType},
		{name: "dims", is: int64s, many: true},
		{name: "zero_data", is: aTruth, oneof: "input_data_type"},
		{name: "random_data", is: aTruth, oneof: "input_data_type"},
		{name: "input_data_file", is: aText, oneof: "input_data_type"},
	}},
	modelOperations: {"ModelOperations", []field{
		{name: "op_library_filename", is: aText, many: true},
	}},
	modelTransactionPolicy: {"ModelTransactionPolicy", []field{
		{name: "decoupled", is: aTruth},
	}},
	modelRepositoryAgents: {"ModelRepositoryAgents", []field{
		{name: "agents", is: aMessage, of: modelRepositoryAgentsAgent, many: true},
	}},
	modelRepositoryAgentsAgent: {"ModelRepositoryAgents.Agent", []field{
		{name: "name", is: aText},
		{name: "parameters", is: aMessage, of: textEntry, many: true},
	}},
	modelResponseCache: {"ModelResponseCache", []field{
		{name: "enable", is: aTruth},
	}},
	modelMetrics: {"ModelMetrics", []field{
		{name: "metric_control", is: aMessage, of: modelMetricsMetricControl, many: true},
	}},
	modelMetricsMetricControl: {"ModelMetrics.MetricControl", []field{
		{name: "metric_identifier", is: aMessage, of: modelMetricsMetricControlMetricIdentifier},
		{name: "histogram_options", is: aMessage, of: modelMetricsMetricControlHistogramOptions,
			oneof: "metric_options"},
	}},
	modelMetricsMetricControlMetricIdentifier: {"ModelMetrics.MetricControl.MetricIdentifier", []field{
		{name: "family", is: aText},
	}},
	modelMetricsMetricControlHistogramOptions: {"ModelMetrics.MetricControl.HistogramOptions", []field{
		{name: "buckets", is: aReal, many: true},
	}},
	textEntry: {"", []field{
		{name: "key", is: aText},
		{name: "value", is: aText},
	}},
	parameterEntry: {"", []field{
		{name: "key", is: aText},
		{name: "value", is: aMessage, of: modelParameter},
	}},
	shapeEntry: {"", []field{
		{name: "key", is: aText},
		{name: "value", is: aMessage, of: modelGraphSpecShape},
	}},
	policyEntry: {"", []field{
		{name: "key", is: uint64s},
		{name: "value", is: aMessage, of: modelQueuePolicy},
	}},
	warmupEntry: {"", []field{
		{name: "key", is: aText},
		{name: "value", is: aMessage, of: modelWarmupInput},
	}},
}
