package triton

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
)

// found returns the rules of the findings in a configuration, with "=SEVERITY" if the severity differs from the rule's
// own.
func found(t *testing.T, text string, at *Location) (names []string) {
	t.Helper()
	c, err := Read([]byte(text))
	if err != nil {
		return []string{"syntax"}
	}
	f, _ := c.Check(at)
	for _, finding := range f.Findings {
		name := finding.Rule.String()
		if finding.Severity != finding.Rule.Severity {
			name += "=" + finding.Severity.String()
		}
		if finding.Line == 0 || finding.Message == "" {
			t.Errorf("%s: a finding without a place: %+v", text, finding)
		}
		names = append(names, name)
	}
	return names
}

// TestLimits checks the last right and the first wrong value of the rules of one configuration. The words of the
// server
// for each are in the table of rules.
func TestLimits(t *testing.T) {
	const onnx = `backend: "onnxruntime" max_batch_size: 4 `
	input := func(text string) string { return onnx + `input { name: "x" ` + text + ` }` }
	graphDef := func(text string) string { // it states neither types nor sizes
		return strings.Replace(input(text), onnx, `platform: "tensorflow_graphdef" `, 1)
	}
	const typed = "data_type: TYPE_FP32 "
	resources := func(all ...string) string {
		return "instance_group { rate_limiter { resources [ { " + strings.Join(all, " }, { ") + " } ] } }"
	}
	tests := []struct {
		rule         string
		right, wrong string
		reason       string
	}{
		{"triton-field", input(typed + "dims: 1"), input(typed + "dim: 1 dims: 1"), "a letter is missing"},
		{"triton-field", input(typed + "dims: 1"), input(typed + "Dims: 1 dims: 1"), "letters differ in case"},
		{"triton-field", input("format: FORMAT_NONE " + typed + "dims: 1"),
			`output { name: "y" format: FORMAT_NONE data_type: TYPE_FP32 dims: 1 }`, "outputs have no format"},
		{"triton-field=warning", onnx, onnx + "prefill_batching { size: 4 }", "a newer server may have it"},
		{"triton-value", input("data_type: 11 dims: 1"), input("data_type: FP32 dims: 1"), "an enumeration"},
		{"triton-value", input("data_type: TYPE_BF16 dims: 1"), input(`data_type: "TYPE_BF16" dims: 1`), "no quotes"},
		{"syntax", input(typed + "dims: 1"), input(typed + "dims 1"), "a colon"},
		{"triton-value", input(typed + "dims: [ 1 ]"), input(typed + "dims [ 1 ]"), "a colon before a list"},
		{"triton-value", input(typed + "dims: 9223372036854775807"), input(typed + "dims: 9223372036854775808"),
			"64 bits"},
		{"triton-value", input(typed + "dims: 010"), input(typed + "dims: 1.0"), "not an integer"},
		{"triton-value", "max_batch_size: 2147483647", "max_batch_size: 2147483648", "32 bits"},
		{"triton-value", "instance_group { count: -2147483648 }", "instance_group { count: -2147483649 }", "32 bits"},
		{"triton-value", "version_policy { latest { num_versions: 4294967295 } }",
			"version_policy { latest { num_versions: -1 } }", "no sign"},
		{"triton-value", "dynamic_batching { priority_levels: 18446744073709551615 }",
			"dynamic_batching { priority_levels: 18446744073709551616 }", "64 bits without a sign"},
		{"triton-value", input(typed + "dims: 1 optional: t"), input(typed + "dims: 1 optional: yes"), "truth"},
		{"triton-value", input(typed + "dims: 1 optional: 1"), input(typed + "dims: 1 optional: 2"),
			"numbers of truth"},
		{"triton-value", `name: "a"`, "name: a", "quotes"},
		{"triton-value", `name: "a"`, `name: ["a"]`, "not a list"},
		{"triton-value", `max_batch_size: 0 max_batch_size: 8`, `max_batch_size: 8 max_batch_size: 8`,
			"a default leaves no trace"},
		{"triton-value", "dynamic_batching { }", "dynamic_batching { } sequence_batching { }", "one of them"},
		{"triton-value", "dynamic_batching { }", "dynamic_batching { } dynamic_batching { }", "once"},
		{"triton-value", "sequence_batching { direct { minimum_slot_utilization: 5e-1f } }",
			"sequence_batching { direct { minimum_slot_utilization: 0x1 } }", "decimal"},
		{"triton-value", "optimization { }", "optimization: 1", "a message"},
		{"triton-name", input(typed + "dims: 1"), onnx + "input { " + typed + "dims: 1 }", "no name"},
		{"triton-dtype", graphDef("data_type: TYPE_BF16 dims: 1"), graphDef("dims: 1"), "none"},
		{"triton-dtype", input("data_type: 14 dims: 1"), input("data_type: 15 dims: 1"), "no such number"},
		{"triton-dtype", input("data_type: 1 dims: 1"), input("data_type: TYPE_INVALID dims: 1"), "0"},
		{"triton-dims-missing", graphDef(typed + "dims: [ 1 ]"), graphDef(typed + "dims: [ ]"), "at least one"},
		{"triton-dims", input(typed + "dims: [ 1, -1 ]"), input(typed + "dims: [ 1, 0 ]"), "not 0"},
		{"triton-dims", input(typed + "dims: -1"), input(typed + "dims: -2"), "-1 only"},
		{"triton-dims", input(typed + "dims: [ 1" + strings.Repeat(", 1", maxRank-1) + " ]"),
			input(typed + "dims: [ 1" + strings.Repeat(", 1", maxRank) + " ]"), "as many as are read"},
		{"triton-dims=warning", input(typed + "dims: [ 4611686018427387903, 2 ]"),
			input(typed + "dims: [ 4611686018427387904, 2 ]"), "64 bits"},
		{"triton-reshape-dims", input(typed + "dims: 1 reshape { shape: [ 1, 1 ] }"),
			input(typed + "dims: 1 reshape { shape: [ 1, 0 ] }"), "not 0"},
		{"triton-reshape-empty", input(typed + "dims: 1 reshape { shape: [ ] }"),
			`backend: "a" input { name: "x" data_type: TYPE_FP32 dims: 1 reshape { } }`, "batches"},
		{"triton-reshape-size", input(typed + "dims: 1 reshape { }"), input(typed + "dims: 2 reshape { }"),
			"1 element"},
		{"triton-reshape-size", input(typed + "dims: [ 1, 3, 2 ] reshape { shape: [ 2, 3 ] }"),
			input(typed + "dims: [ 1, 3, 2 ] reshape { shape: [ 5 ] }"), "6 elements"},
		{"triton-reshape-size", input(typed + "dims: [ -1, 2 ] reshape { shape: [ -1, 1, 2 ] }"),
			input(typed + "dims: [ -1, 2 ] reshape { shape: [ 2, 2 ] }"), "one side varies"},
		{"triton-reshape-size",
			input(typed + "dims: [ 4611686018427387904 ] reshape { shape: [ 4611686018427387904, 1 ] }"),
			input(typed + "dims: [ 1 ] reshape { shape: [ 4611686018427387904, 4 ] }"), "too many, not 0"},
		{"triton-reshape-variable", input(typed + "dims: [ 2, 4, -1, 6 ] reshape { shape: [ 8, -1, 1, 6 ] }"),
			input(typed + "dims: [ 2, 4, -1, 6 ] reshape { shape: [ 4, -1, 2, 6 ] }"), "parts"},
		{"triton-reshape-variable", input(typed + "dims: [ -1 ] reshape { shape: [ 1, -1, 1 ] }"),
			input(typed + "dims: [ -1 ] reshape { shape: [ -1, -1 ] }"), "as many"},
		{"triton-reshape-variable", input(typed + "dims: [ 2, -1 ] reshape { shape: [ 1, 2, -1 ] }"),
			input(typed + "dims: [ 2, -1 ] reshape { shape: [ -1, 2 ] }"), "the order"},
		{"triton-reshape-needless", input(typed + "dims: [ 2, 3 ] reshape { shape: [ 3, 2 ] }"),
			input(typed + "dims: [ 2, 3 ] reshape { shape: [ 2, 3 ] }"), "the same"},
		{"triton-reshape-needless", input(typed + "dims: [ -1, 3 ] reshape { shape: [ -1, 3, 1 ] }"),
			input(typed + "dims: [ -1, 3 ] reshape { shape: [ -1, 3 ] }"), "the same, with one that varies"},
		{"triton-format-rank", input(typed + "format: FORMAT_NHWC dims: [ 224, 224, 3 ]"),
			input(typed + "format: FORMAT_NHWC dims: [ 1, 224, 224, 3 ]"), "no batch"},
		{"triton-format-rank",
			input(typed + "format: FORMAT_NCHW dims: [ 3, 224, 224 ] reshape { shape: [ 1, 3, 224, 224 ] }"),
			input(typed + "format: FORMAT_NCHW dims: [ 224, 224 ]"), "a reshape adds it"},
		{"triton-format-order", input(typed + "format: FORMAT_NCHW dims: [ 16, 224, 3 ]"),
			input(typed + "format: FORMAT_NCHW dims: [ 17, 224, 4 ]"), "many channels"},
		{"triton-format-order", input(typed + "format: FORMAT_NHWC dims: [ 5, 224, 17 ]"),
			input(typed + "format: FORMAT_NHWC dims: [ 3, 224, 224 ]"), "the other order"},
		{"triton-shape-tensor", `platform: "tensorrt_plan" input { name: "x" is_shape_tensor: true dims: 1 }`,
			input(typed + "dims: 1 is_shape_tensor: true"), "TensorRT"},
		{"triton-nonlinear",
			`backend: "tensorrt" input { name: "x" is_non_linear_format_io: true dims: [ 1, 1, 1 ] }`,
			`backend: "tensorrt" input { name: "x" is_non_linear_format_io: true dims: [ 1, 1 ] }`, "3 dims"},
		{"triton-batch-size", "max_batch_size: 0", "max_batch_size: -1", "not negative"},
		{"triton-batch-size", "max_batch_size: 4 dynamic_batching { preferred_batch_size: [ 4 ] }",
			"max_batch_size: -1 dynamic_batching { preferred_batch_size: [ 4 ] }", "and nothing that follows from it"},
		{"triton-value", "max_batch_size: 8 dynamic_batching { preferred_batch_size: [ 4 ] }",
			`max_batch_size: "8" dynamic_batching { preferred_batch_size: [ 4 ] }`, "8 is meant"},
		{"triton-preferred", onnx + "dynamic_batching { preferred_batch_size: [ 1, 4 ] }",
			onnx + "dynamic_batching { preferred_batch_size: [ 5 ] }", "at most max_batch_size"},
		{"triton-preferred", onnx + "sequence_batching { oldest { preferred_batch_size: [ 4 ] } }",
			onnx + "sequence_batching { oldest { preferred_batch_size: [ 0 ] } }", "of sequences"},
		{"triton-instance", onnx + "instance_group { kind: KIND_GPU gpus: [ 0 ] }",
			onnx + "instance_group { kind: KIND_CPU gpus: [ 0 ] }", "GPUs of a group on the CPU"},
		{"triton-instance", onnx + "instance_group { kind: KIND_MODEL count: 2 }",
			onnx + "instance_group { kind: KIND_MODEL gpus: 0 }", "the model chooses"},
		{"triton-instance", onnx + "instance_group { gpus: [ 0 ] }",
			onnx + "instance_group [ { gpus: [ 0 ] }, { kind: KIND_CPU gpus: [ 1 ] } ]", "the second group"},
		{"triton-instance", `platform: "tensorrt_plan" instance_group { profile: [ "0", "1" ] }`,
			onnx + `instance_group { profile: [ "0" ] }`, "profiles are TensorRT's"},
		{"triton-instance", `backend: "tensorrt" instance_group { profile: "12" }`,
			`backend: "tensorrt" instance_group { profile: "default" }`, "stoi"},
		{"triton-instance", `backend: "tensorrt" instance_group { profile: "0" }`,
			`backend: "tensorrt" instance_group { profile: "-1" }`, "a number from 0 on"},
		{"triton-priority", onnx + "dynamic_batching { priority_levels: 2 default_priority_level: 2 }",
			onnx + "dynamic_batching { priority_levels: 2 default_priority_level: 3 }", "at most the levels"},
		{"triton-priority", onnx + "dynamic_batching { priority_levels: 2 default_priority_level: 1 }",
			onnx + "dynamic_batching { priority_levels: 2 }", "a default is needed"},
		{"triton-priority", onnx + "dynamic_batching { priority_levels: 2 default_priority_level: 1 " +
			"priority_queue_policy { key: 2 value { max_queue_size: 1 } } }",
			onnx + "dynamic_batching { priority_levels: 2 default_priority_level: 1 " +
				"priority_queue_policy { key: 3 value { max_queue_size: 1 } } }", "a policy of a level"},
		{"triton-priority",
			onnx + "dynamic_batching { preserve_ordering: true priority_levels: 1 default_priority_level: 1 }",
			onnx + "dynamic_batching { preserve_ordering: true priority_levels: 2 default_priority_level: 1 }",
			"the order of one level"},
		{"triton-priority", onnx + "dynamic_batching { preserve_ordering: true " +
			"default_queue_policy { timeout_action: DELAY } }",
			onnx + "dynamic_batching { preserve_ordering: true " +
				"default_queue_policy { timeout_action: DELAY default_timeout_microseconds: 9 } }", "no delay"},
		{"triton-cache", onnx + "response_cache { enable: true }",
			onnx + "response_cache { enable: true } model_transaction_policy { decoupled: true }", "several answers"},
		{"triton-cache", onnx + "response_cache { enable: false } sequence_batching { }",
			onnx + "response_cache { enable: true } sequence_batching { }", "state between requests"},
		{"triton-instance", onnx + "instance_group { kind: KIND_GPU gpus: [ 0 ] }",
			onnx + "instance_group { kind: KIND_GPU gpus: [ -1 ] }", "no GPU has a negative number"},
		{"triton-instance=warning", onnx + resources(`name: "a" count: 1`, `name: "b" global: true count: 1`),
			onnx + resources(`name: "a" count: 1`, `name: "a" global: true count: 1`), "both global and per device"},
		{"triton-instance=warning",
			onnx + resources(`name: "a"`) + ` instance_group { passive: true rate_limiter { resources {
				name: "a" global: true } } }`,
			onnx + resources(`name: "a"`) + ` instance_group { rate_limiter { resources {
				name: "a" global: true } } }`, "passive instances have no resources"},
		{"triton-metrics", onnx + `model_metrics { metric_control { metric_identifier { family: "f" }
			histogram_options { buckets: [ 1 ] } } }`,
			onnx + `model_metrics { metric_control { metric_identifier { family: "" }
			histogram_options { buckets: [ 1 ] } } }`, "must specify non-empty 'family'"},
		{"triton-metrics", onnx + "model_metrics { }",
			onnx + `model_metrics { metric_control { histogram_options { buckets: [ 1 ] } } }`,
			"must specify 'metric_identifier'"},
		{"triton-metrics",
			onnx + `model_metrics { metric_control { metric_identifier { family: "f" }
			histogram_options { buckets: 0.5 } } }`,
			onnx + `model_metrics { metric_control { metric_identifier { family: "f" } histogram_options { } } }`,
			"must specify non-empty 'buckets'"},
		{"triton-metrics", onnx + "model_metrics { }",
			onnx + `model_metrics { metric_control { metric_identifier { family: "f" } } }`,
			"must specify 'histogram_options'"},
		{"triton-version=error", onnx + "version_policy { latest { num_versions: 1 } }",
			onnx + "version_policy { latest { num_versions: 0 } }", "at least one version must be available"},
		{"triton-version=error", onnx + "version_policy { all { } }", onnx + "version_policy { latest { } }",
			"0 is the default"},
		{"triton-version=error", onnx + "version_policy { specific { versions: 1 } }",
			onnx + "version_policy { specific { } }", "none"},
		{"triton-version=error", onnx + "version_policy { }",
			onnx + "version_policy { specific { versions: [ ] } }", "no choice means all"},
		{"triton-preferred", onnx + "dynamic_batching { preferred_batch_size: [ ] }",
			"dynamic_batching { preferred_batch_size: [ 1 ] }", "no batches at all"},
		{"triton-batch-input", input(typed+"dims: 1") + `batch_input { data_type: TYPE_FP32 source_input: "x" }`,
			input(typed+"dims: 1") + `batch_input { data_type: TYPE_FP32 source_input: [ "x", "x" ] }`, "one source"},
		{"triton-batch-input",
			input(typed+"dims: 1") + `batch_input { kind: 5 data_type: TYPE_INT32 source_input: "x" }`,
			input(typed+"dims: 1") + `batch_input { kind: 6 data_type: TYPE_INT32 source_input: "x" }`,
			"the last kind"},
		{"triton-batch-input", input(typed+"dims: 1") + `batch_input { data_type: TYPE_INT32 source_input: "x" }`,
			input(typed+"dims: 1") + `batch_input { data_type: TYPE_INT64 source_input: "x" }`, "two types"},
		{"triton-batch-output", input(typed+"dims: 1") + `output { name: "y" data_type: TYPE_FP32 dims: 1 }
			batch_output { target_name: "y" source_input: "x" }`,
			input(typed+"dims: 1") + `output { name: "y" data_type: TYPE_FP32 dims: 1 }
			batch_output { target_name: [ "y", "y" ] source_input: "x" }`, "once"},
		{"triton-platform", `platform: "onnxruntime_onnx"`, `platform: "onnxruntime"`, "the backend's name"},
		{"triton-platform", `backend: "onnxruntime"`, `backend: "onnxruntime" platform: "onnxruntim"`, "a pair"},
		{"triton-platform", `backend: "own" platform: "any"`, `platform: "any"`, "a backend of the user"},
		{"triton-platform", `backend: "torch_aoti"`, `backend: "pytorch" platform: "torch_aoti"`,
			"another backend's"},
		{"triton-platform", `backend: "tensorflow" platform: "tensorflow_graphdef"`, `backend: "tensorflow"`,
			"which one?"},
		{"triton-platform", `backend: "identity" runtime: "a/../libtriton_identity.so"`,
			`backend: "identity" runtime: "../dummy_runtime/libtriton_identity.so"`, "escapes backend directory"},
		{"triton-platform=note", `default_model_filename: "model.onnx"`, "max_batch_size: 4", "nothing tells"},
		{"triton-no-output", `backend: "pytorch" output { name: "y" data_type: TYPE_FP32 dims: 1 }`,
			`backend: "pytorch"`,
			"none"},
		{"triton-duplicate-io",
			onnx + `input { name: "x" data_type: 1 dims: 1 } output { name: "x" data_type: 1 dims: 1 }`,
			onnx + `input { name: "x" data_type: 1 dims: 1 } input { name: "x" data_type: 1 dims: 1 }`, "inputs"},
		{"triton-duplicate-io=warning", onnx + `output { name: "x" data_type: 1 dims: 1 }`,
			onnx + `output [ { name: "x" data_type: 1 dims: 1 }, { name: "x" data_type: 1 dims: 1 } ]`, "outputs"},
	}
	for _, tt := range tests {
		if names := found(t, tt.wrong, nil); !slices.Contains(names, tt.rule) {
			t.Errorf("%s\nbreaks %v, not %s: %s", tt.wrong, names, tt.rule, tt.reason)
		}
		if names := found(t, tt.right, nil); slices.ContainsFunc(names, func(name string) bool {
			return name == tt.rule || name == "syntax"
		}) {
			t.Errorf("%s\nbreaks %v: %s", tt.right, names, tt.reason)
		}
	}
}

// TestSequences checks the settings that control sequences, keep their state, and warm a model up.
func TestSequences(t *testing.T) {
	control := func(text string) string {
		return `backend: "a" sequence_batching { control_input { name: "c" control { ` + text + ` } } }`
	}
	state := func(text string) string {
		return `backend: "a" sequence_batching { state { input_name: "i" data_type: TYPE_FP32 dims: [ -1, 4 ]
			initial_state { ` + text + ` } } }`
	}
	states := func(names ...string) string {
		text := `backend: "a" sequence_batching { `
		for _, name := range names {
			text += `state { input_name: "` + name + `" data_type: TYPE_FP32 dims: 4
				initial_state { name: "s" data_type: TYPE_FP32 dims: 4 zero_data: true } } `
		}
		return text + "}"
	}
	growing := func(text string) string {
		return `backend: "a" sequence_batching { state { input_name: "i" data_type: TYPE_FP32 dims: 4
			use_growable_memory: true ` + text + ` } }`
	}
	sample := func(name, dtype, dims string) string {
		return `inputs { key: "` + name + `" value { data_type: ` + dtype + ` dims: [ ` + dims + ` ] zero_data: t } }`
	}
	const warm = `backend: "a" max_batch_size: 4 input { name: "x" data_type: TYPE_FP32 dims: [ -1, 4 ] }
		model_warmup { `
	const once = warm + `batch_size: 1 `
	tests := []struct{ rule, right, wrong, reason string }{
		{"triton-sequence", control("kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ]"),
			control("kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1, 2 ]"), "2 values"},
		{"triton-sequence", control("kind: CONTROL_SEQUENCE_END fp32_false_true: [ 0, 1 ]"),
			control("kind: CONTROL_SEQUENCE_END"), "none"},
		{"triton-sequence", control("kind: CONTROL_SEQUENCE_READY bool_false_true: [ false, true ]"),
			control("kind: CONTROL_SEQUENCE_READY bool_false_true: [ false, true ] int32_false_true: [ 0, 1 ]"),
			"two of them"},
		{"triton-sequence", control("kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_STRING"),
			control("kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_FP32"), "types of an id"},
		{"triton-sequence", control("kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_UINT64"),
			control("kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_UINT64 int32_false_true: [ 0, 1 ]"),
			"an id has no values"},
		{"triton-sequence", `sequence_batching { direct { minimum_slot_utilization: 1 } }`,
			`sequence_batching { direct { minimum_slot_utilization: 1.01 } }`, "at most 1"},
		{"triton-sequence", `sequence_batching { direct { minimum_slot_utilization: 0 } }`,
			`sequence_batching { direct { minimum_slot_utilization: -0.01 } }`, "the code lets 0 pass"},
		{"triton-state", state(`name: "s" data_type: TYPE_FP32 dims: [ 2, 4 ] zero_data: true`),
			state(`name: "s" data_type: TYPE_FP32 dims: [ 2, 3 ] zero_data: true`), "3 != 4"},
		{"triton-state", state(`name: "s" data_type: TYPE_FP32 dims: [ 2, 4 ] data_file: "f"`),
			state(`name: "s" data_type: TYPE_FP32 dims: [ 4 ] data_file: "f"`), "2 != 1"},
		{"triton-state", state(`name: "s" data_type: TYPE_FP32 dims: [ 1, 4 ] zero_data: true`),
			state(`name: "s" data_type: TYPE_FP32 dims: [ -1, 4 ] zero_data: true`), "contains variable dimensions"},
		{"triton-state", state(`name: "s" data_type: TYPE_FP32 dims: [ 1, 4 ] zero_data: true`),
			state(`name: "s" data_type: TYPE_FP16 dims: [ 1, 4 ] zero_data: true`), "the type"},
		{"triton-state", state(`name: "s" data_type: TYPE_FP32 dims: [ 1, 4 ] zero_data: false`),
			state(`name: "s" data_type: TYPE_FP32 dims: [ 1, 4 ]`), "no data"},
		{"triton-state", state(`name: "s" data_type: TYPE_FP32 dims: [ 1, 4 ] data_file: "a/b"`),
			state(`name: "s" data_type: TYPE_FP32 dims: [ 1, 4 ] data_file: "a/../../b"`), "outside"},
		{"triton-state", states("i", "j"), states("i", "i"), "State input name 'i' specified more than once"},
		{"triton-state=warning", growing("use_same_buffer_for_input_output: true"), growing(""),
			"In order to 'use_growable_memory', you must also enable 'use_single_buffer'"},
		{"triton-state=warning",
			growing("use_same_buffer_for_input_output: true") + " instance_group { kind: KIND_GPU }",
			growing("use_same_buffer_for_input_output: true") + " instance_group { kind: KIND_CPU }",
			"'use_growable_memory' can only work with KIND_GPU model instances right now"},
		{"triton-sequence", `dynamic_batching { } parameters { key: "TRITON_BATCH_STRATEGY_PATH" value { } }`,
			`sequence_batching { } parameters { key: "TRITON_BATCH_STRATEGY_PATH" value { } }`,
			"cannot be specified with sequence batcher"},
		{"triton-warmup", once + sample("x", "11", "1, 4") + ` }`, once + sample("x", "10", "1, 4") + ` }`,
			"data-type is 'FP16', but model 'm' expects 'FP32'"},
		{"triton-warmup", once + sample("x", "11", "0, 4") + ` }`, once + sample("x", "11", "1, 5") + ` }`,
			"unexpected shape for input 'x' for model 'm'. Expected [-1,-1,4], got [1,1,5]"},
		{"triton-warmup", once + sample("x", "11", "1, 4") + ` }`,
			warm + ` } model_warmup { batch_size: 1 }`, "expected 1 inputs but got 0 inputs"},
		{"triton-warmup",
			once + sample("x", "11", "1, 4") + ` } input { name: "y" data_type: 11 dims: 1 optional: true }`,
			once + sample("x", "11", "1, 4") + ` } input { name: "y" data_type: 11 dims: 1 }`,
			"expected 2 inputs but got 1 inputs"},
		{"triton-warmup=warning", once + sample("x", "11", "1, 4") + " " + sample("c", "11", "1") +
			` } sequence_batching { control_input { name: "c" } }`,
			once + sample("x", "11", "1, 4") + " " + sample("c", "11", "1") + ` }`,
			"a control may be given, and another name is of no input"},
		{"triton-warmup",
			warm + `batch_size: 1 inputs { key: "x" value { data_type: 11 dims: [ 1, 4 ] zero_data: true } } }`,
			warm + `batch_size: 1 inputs { key: "x" value { data_type: 11 dims: [ -1, 4 ] zero_data: true } } }`,
			"known"},
		{"triton-warmup", warm + `inputs { key: "x" value { dims: [ -1, 4 ] } } }`,
			warm + `batch_size: 1 inputs { key: "x" value { data_type: 11 dims: [ 1, 4 ] } } }`,
			"no data; no batch is passed over"},
		{"triton-warmup=warning",
			warm + `batch_size: 4 inputs { key: "x" value { data_type: 11 dims: [ 1, 4 ] zero_data: t } } }`,
			warm + `batch_size: 5 inputs { key: "x" value { data_type: 11 dims: [ 1, 4 ] zero_data: t } } }`,
			"max_batch_size"},
	}
	for _, tt := range tests {
		if names := found(t, tt.wrong, nil); !slices.Contains(names, tt.rule) {
			t.Errorf("%s\nbreaks %v, not %s: %s", tt.wrong, names, tt.rule, tt.reason)
		}
		if names := found(t, tt.right, nil); slices.Contains(names, tt.rule) || slices.Contains(names, "syntax") {
			t.Errorf("%s\nbreaks %v: %s", tt.right, names, tt.reason)
		}
	}
}

// TestPlaces checks that findings are at the value that is to blame.
func TestPlaces(t *testing.T) {
	c, err := Read([]byte(`backend: "onnxruntime"
input [
  { name: "a" data_type: TYPE_FP32 dims: [ 1, 2 ] },
  { name: "b" data_type: FP32
    dims: 3 dims: [ 4, 0 ] }
]
# layoutcalc:ignore triton-field the next server has it
novel_thing: 1
`))
	if err != nil {
		t.Fatal(err)
	}
	f, _ := c.Check(nil)
	var have []string
	for _, f := range f.Findings {
		have = append(have, fmt.Sprintf("%d:%d %s %s %v", f.Line, f.Column, f.Pointer, f.Tensor, f.Rule))
	}
	want := []string{
		"4:26 /input/b/data_type b triton-value", "8:1 /novel_thing  triton-field",
		"5:24 /input/b/dims/2 b triton-dims",
	}
	if !slices.Equal(have, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
	if len(f.Comments) != 1 || f.Comments[0].Line != 8 {
		t.Errorf("comments: %+v", f.Comments)
	}
}

// repository returns the location of a model in a repository of files.
func repository(files fstest.MapFS, model string) *Location {
	return &Location{Repository: NewRepository(files), Model: model}
}

// in returns the findings in a configuration in the directory m, with other files of the repository.
func in(t *testing.T, text string, files ...string) []string {
	all := fstest.MapFS{"m/config.pbtxt": {Data: []byte(text)}}
	for i := 0; i < len(files); i += 2 {
		all[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return found(t, text, repository(all, "m"))
}

// TestLinkedVersions has links in the directory of a model, which the server follows: to a version, to a file, and to
// nothing.
func TestLinkedVersions(t *testing.T) {
	const text = `backend: "python" version_policy { specific { versions: `
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o777)
		if err = errors.Join(err, os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	write("store/model.py", "")
	write("m/4/model.py", "")
	layouttest.Link(t, filepath.Join("..", "store"), filepath.Join(dir, "m", "1"))
	layouttest.Link(t, filepath.Join("..", "store", "model.py"), filepath.Join(dir, "m", "2"))
	layouttest.Link(t, "nowhere", filepath.Join(dir, "m", "3"))
	for _, tt := range []struct {
		version string
		want    []string
	}{
		{"1", nil}, {"2", []string{"triton-version=error"}}, {"3", []string{"triton-version=error"}}, {"4", nil},
	} {
		text := text + tt.version + " } }"
		write("m/config.pbtxt", text)
		at := &Location{Repository: NewRepository(os.DirFS(dir)), Model: "m"}
		if names := found(t, text, at); !slices.Equal(names, tt.want) {
			t.Errorf("version %s breaks %v, want %v", tt.version, names, tt.want)
		}
	}
}

// TestDirectory checks a model with the files of its directory.
func TestDirectory(t *testing.T) {
	const labels = `backend: "a" output { name: "y" data_type: TYPE_FP32 dims: [ 1, 3 ] label_filename: "`
	const data = `backend: "a" max_batch_size: 1 input { name: "x" data_type: TYPE_FP32 dims: 4 }
		model_warmup { batch_size: 1
		inputs { key: "x" value { data_type: TYPE_FP32 dims: 4 input_data_file: "f" } } }`
	tests := []struct {
		text   string
		files  []string
		want   []string
		reason string
	}{
		{`name: "m" backend: "python"`, []string{"m/1/model.py", ""}, nil, "all is there"},
		{`name: "n" backend: "python"`, []string{"m/1/model.py", ""}, []string{"triton-dir-name"}, "another name"},
		{`name: "n" backend: "python"`, nil, []string{"triton-dir-name=note", "triton-version=note"}, "not complete"},
		{`backend: "python"`, []string{"m/10/x", "", "m/2/model.py", ""}, []string{"triton-version=error"},
			"the highest has none"},
		{`backend: "python"`, []string{"m/1/model.py", "", "m/01/x", "", "m/2b/x", ""},
			[]string{"triton-version", "triton-version"}, "01 and 2b are passed over"},
		{`backend: "python" version_policy { specific { versions: [ 1, 3 ] } }`, []string{"m/1/model.py", ""},
			[]string{"triton-version=error"}, "3 is not there"},
		{`backend: "python" version_policy { specific { versions: [ 1, 3 ] } }`, []string{"m/1/x", ""},
			[]string{"triton-version=note", "triton-version=note"}, "nor is the file of 1"},
		{`backend: "onnxruntime"`, []string{"m/1/resnet.onnx", ""}, []string{"triton-model-file"}, "another name"},
		{`backend: "onnxruntime" default_model_filename: "resnet.onnx"`, []string{"m/1/resnet.onnx", ""}, nil,
			"the name is stated"},
		{`backend: "onnxruntime"`, []string{"m/1/model.pt", ""}, []string{"triton-model-file"}, "of another backend"},
		{`backend: "tensorrt"`, []string{"m/1/model.engine", ""}, []string{"triton-model-file"}, "trtexec's name"},
		{`backend: "tensorrt"`, []string{"m/1/model.trt", ""}, []string{"triton-model-file"}, "another"},
		{`backend: "pytorch" output { name: "OUTPUT__0" data_type: TYPE_FP32 dims: 1 }`,
			[]string{"m/1/model.pth", ""}, []string{"triton-model-file"}, "PyTorch's other"},
		{`backend: "tensorrt"`, []string{"m/1/model.engine", "", "m/1/model.plan", ""}, nil, "both are there"},
		{`backend: "tensorrt" default_model_filename: "a.engine"`, []string{"m/1/a.engine", ""}, nil, "it is stated"},
		{`backend: "onnxruntime"`, []string{"m/1/x.engine", ""}, []string{"triton-version=note"}, "a cache"},
		{`backend: "onnxruntime"`, []string{"m/1/weights.bin", ""}, []string{"triton-version=note"}, "left out"},
		{`backend: "onnxruntime"`, []string{"m/model.onnx", ""}, []string{"triton-model-file=warning"}, "beside"},
		{`backend: "python"`, []string{"m/model.py", "", "n/config.pbtxt", `backend: "python"`},
			[]string{"triton-model-file=warning"}, "one of two"},
		{`backend: "python"`, []string{"m/model.py", "", "n/config.pbtxt", `backend: "python"`, "n/model.py", ""},
			[]string{"triton-model-file=note"}, "a script makes the versions"},
		{`backend: "python"`, []string{"m/model.py", "", "n/config.pbtxt", `backend: "python"`, "n/model.py", "",
			"o/config.pbtxt", "", "o/1/x", ""},
			[]string{"triton-model-file=warning"}, "another model has one: not most"},
		{`backend: "onnxruntime"`, []string{"m/v1/model.onnx", ""}, []string{"triton-version=error"},
			"v1 is no version"},
		{`backend: "python"`, []string{"m/client.py", ""}, []string{"triton-version=note"}, "of something else"},
		{`backend: "onnx"`, nil, []string{"triton-platform", "triton-version=note"}, "not the name of the backend"},
		{`backend: "onnxruntime_onnx"`, nil, []string{"triton-platform", "triton-version=note"}, "of the platform"},
		{`backend: "onnxruntim"`, nil, []string{"triton-platform", "triton-version=note"}, "misspelt"},
		{`backend: "onnx"`, []string{"m/1/libtriton_onnx.so", ""}, nil, "its own library"},
		{`backend: "dali"`, nil, []string{"triton-version=note"}, "of others"},
		{labels + `other.txt" }`, []string{"m/1/x", ""}, []string{"triton-label=note"}, "left out of the checkout"},
		{"", []string{"m/1/model.onnx", ""}, nil, "the file tells the backend"},
		{"", []string{"m/1/model.onnx/model.onnx", ""}, nil, "a directory of that name too"},
		{"", []string{"m/1/weights.bin", ""}, []string{"triton-platform"}, "no file tells it"},
		{labels + `labels.txt" }`, []string{"m/1/x", "", "m/labels.txt", "a\nb\nc\n"}, nil, "a label a class"},
		{labels + `labels.txt" }`, []string{"m/1/x", "", "m/labels.txt", "a\nb\n"}, []string{"triton-label=warning"},
			"2 of 3"},
		{labels + `labels.txt" }`, []string{"m/1/labels.txt", ""}, []string{"triton-label"},
			"not that of the version"},
		{labels + `../n/labels.txt" }`, []string{"m/1/x", "", "n/labels.txt", ""}, []string{"triton-label"},
			"outside"},
		{labels + `../m/labels.txt" }`, []string{"m/1/x", "", "m/labels.txt", ""}, []string{"triton-label"},
			"out and in"},
		{labels + `/etc/passwd" }`, []string{"m/1/x", ""}, []string{"triton-label"}, "absolute"},
		{data, []string{"m/1/x", "", "m/warmup/f", strings.Repeat("x", 16)}, nil, "4 floats"},
		{data, []string{"m/1/x", "", "m/warmup/f", strings.Repeat("x", 15)}, []string{"triton-warmup"},
			"a byte less"},
		{data, []string{"m/1/x", ""}, []string{"triton-warmup=note"}, "not there: left out of the checkout"},
	}
	for _, tt := range tests {
		if names := in(t, tt.text, tt.files...); !slices.Equal(names, tt.want) {
			t.Errorf("%s %v\nbreaks %v, want %v: %s", tt.text, tt.files, names, tt.want, tt.reason)
		}
	}
}

// TestNamedBackend has a directory with a name that determines the backend, as in the server's custom/ tests. The
// backend completes outputs that do not state everything.
func TestNamedBackend(t *testing.T) {
	const text = `output { name: "y" }`
	completed := []string{"triton-dtype=note", "triton-dims-missing=note", "triton-version=note"}
	stated := append([]string{"triton-platform=note"}, completed...)
	for model, want := range map[string][]string{"model.dali": completed, "dali": stated, "yolo.onnx": completed} {
		files := fstest.MapFS{model + "/config.pbtxt": {Data: []byte(text)}}
		if names := found(t, text, repository(files, model)); !slices.Equal(names, want) {
			t.Errorf("%s breaks %v, want %v", model, names, want)
		}
	}
}

// TestVersionDirectory has configurations in directories with numbers for names: of versions, where nothing else is
// checked, and of models that have versions themselves.
func TestVersionDirectory(t *testing.T) {
	text := anEnsemble("gone a=z > b=y")
	for file, want := range map[string][]string{
		"1/model.py": {"triton-dir-name"}, "1/2/model.py": {"triton-ensemble-tensor", "triton-ensemble-tensor",
			"triton-ensemble-tensor"},
	} {
		files := fstest.MapFS{"1/config.pbtxt": {Data: []byte(text)}, file: {}}
		if names := found(t, text, repository(files, "1")); !slices.Equal(names, want) {
			t.Errorf("%s: breaks %v, want %v", file, names, want)
		}
	}
}

// anEnsemble returns an ensemble of x and y, by its steps: MODEL KEY=TENSOR ... > KEY=TENSOR ...
func anEnsemble(steps ...string) string {
	b := strings.Builder{}
	b.WriteString(`platform: "ensemble" input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] }
		output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] } ensemble_scheduling { `)
	for _, step := range steps {
		reads, writes, _ := strings.Cut(step, " > ")
		model, reads, _ := strings.Cut(reads, " ")
		fmt.Fprintf(&b, "step { model_name: %q ", model)
		for i, list := range []string{reads, writes} {
			for _, pair := range strings.Fields(list) {
				key, tensor, _ := strings.Cut(pair, "=")
				fmt.Fprintf(&b, "%s { key: %q value: %q } ", []string{"input_map", "output_map"}[i], key, tensor)
			}
		}
		b.WriteString("} ")
	}
	return b.String() + "}"
}

// TestEnsemble checks ensembles by themselves.
func TestEnsemble(t *testing.T) {
	tests := []struct {
		text   string
		want   []string
		reason string
	}{
		{anEnsemble("m a=x > b=y"), nil, "one step"},
		{anEnsemble("m a=t > b=y", "m a=x > b=t"), nil, "in any order"},
		{anEnsemble("m a=x c=x > b=y"), nil, "read twice"},
		{anEnsemble("m a=x > b=y", "m a=y > b=z"), []string{"triton-ensemble-tensor"}, "z is not read"},
		{anEnsemble("m a=x > b=z"), []string{"triton-ensemble-tensor", "triton-ensemble-tensor"},
			"y is not written, z not read"},
		{anEnsemble("m a=z > b=y"), []string{"triton-ensemble-tensor", "triton-ensemble-tensor",
			"triton-ensemble-tensor"},
			"x is not read, y not computed, z not written"},
		{anEnsemble("m a=x > b=y", "m a=x > b=y"), []string{"triton-ensemble-tensor"}, "written twice"},
		{anEnsemble("m a=x c=t > b=u", "m a=u > b=t d=y"), []string{"triton-ensemble-tensor"}, "a circle"},
		{anEnsemble("m a=x > b=y", "m a=t > b=t"), []string{"triton-ensemble-tensor"}, "a circle beside it"},
		{anEnsemble(), []string{"triton-ensemble"}, "no step"},
		{anEnsemble(" a=x > b=y"), []string{"triton-ensemble"}, "no model"},
		{anEnsemble("m > b=y"), []string{"triton-ensemble"}, "no input"},
		{anEnsemble("m a=x > "), []string{"triton-ensemble"}, "no output"},
		{anEnsemble("m a=x > b=y") + `backend: "a"`, []string{"triton-platform"}, "a backend"},
		{anEnsemble("m a=x > b=y") + "instance_group { } optimization { } model_warmup { }",
			[]string{"triton-ensemble", "triton-ensemble", "triton-ensemble"}, "settings of models"},
		{`platform: "ensemble"`, []string{"triton-ensemble"}, "no scheduling"},
		{`platform: "onnxruntime_onnx" ensemble_scheduling { step { model_name: "m" input_map { key: "a" value: "b" }
			output_map { key: "c" value: "d" } } }`,
			[]string{"triton-ensemble", "triton-ensemble-tensor", "triton-ensemble-tensor"},
			"not an ensemble"},
	}
	for _, tt := range tests {
		if names := found(t, tt.text, nil); !slices.Equal(names, tt.want) {
			t.Errorf("%s\nbreaks %v, want %v: %s", tt.text, names, tt.want, tt.reason)
		}
	}
}

// TestEnsembleModels compares ensembles with the models of their repository.
func TestEnsembleModels(t *testing.T) {
	model := func(settings, reads, writes string) string {
		return settings + fmt.Sprintf(` backend: "b" input { name: "a" data_type: TYPE_FP32 dims: %s }
			output { name: "b" data_type: TYPE_FP32 dims: %s }`, reads, writes)
	}
	const one = "m1 a=x > b=y"
	tests := []struct {
		text   string
		files  []string
		want   []string
		reason string
	}{
		{anEnsemble(one), []string{"m1/config.pbtxt", model("", "[ 3 ]", "[ 3 ]")}, nil, "they agree"},
		{anEnsemble(one), []string{"m1/config.pbtxt", model("", "[ 4 ]", "[ 3 ]")},
			[]string{"triton-ensemble-shape"}, "3 and 4"},
		{anEnsemble(one), []string{"m1/config.pbtxt", model("", "[ -1 ]", "[ 3 ]")}, nil, "any size"},
		{anEnsemble(one), []string{"m1/config.pbtxt", model("", "[ 3, 1 ]", "[ 3 ]")},
			[]string{"triton-ensemble-shape"}, "rank"},
		{anEnsemble(one), []string{"m1/config.pbtxt", model("", "[ -1, 3 ]", "[ 3 ]")},
			[]string{"triton-ensemble-shape"},
			"a batch that the ensemble does not have"},
		{anEnsemble(one) + "max_batch_size: 2", []string{"m1/config.pbtxt", model("", "[ -1, 3 ]", "[ -1, 3 ]")}, nil,
			"the batch of the ensemble"},
		{anEnsemble(one) + "max_batch_size: 2", []string{"m1/config.pbtxt", model("", "[ 5, 3 ]", "[ 3 ]")}, nil,
			"-1 goes with 5; dims are compared without the batch too"},
		{strings.Replace(anEnsemble(one), "dims: [ 3 ]", "dims: [ 3 ] reshape { shape: [ 1, 3 ] }", 1),
			[]string{"m1/config.pbtxt", model("", "[ 1, 3 ]", "[ 3 ]")}, nil, "the ensemble's reshape is compared"},
		{anEnsemble(one), []string{"m1/config.pbtxt",
			strings.Replace(model("", "[ 1, 3 ]", "[ 3 ]"), "dims: [ 1, 3 ]",
				"dims: [ 1, 3 ] reshape { shape: [ 3 ] }", 1)},
			[]string{"triton-ensemble-shape"}, "the model's is not"},
		{anEnsemble(one), []string{"m1/config.pbtxt", strings.Replace(model("", "[ 3 ]", "[ 3 ]"), "FP32", "FP16",
			1)},
			[]string{"triton-ensemble-shape"}, "the type"},
		{anEnsemble(one) + "max_batch_size: 3", []string{"m1/config.pbtxt", model("max_batch_size: 2", "[ 3 ]",
			"[ 3 ]")},
			[]string{"triton-ensemble-model"}, "a batch of 3"},
		{anEnsemble(one) + "max_batch_size: 3", []string{"m1/config.pbtxt", model("max_batch_size: 3", "[ 3 ]",
			"[ 3 ]")}, nil,
			"as many"},
		{anEnsemble("m1 c=x > b=y"), []string{"m1/config.pbtxt", model("", "[ 3 ]", "[ 3 ]")},
			[]string{"triton-ensemble-map", "triton-ensemble-map"},
			"a name of no input, and an input that is not mapped"},
		{anEnsemble("m1 c=x > b=y"), []string{"m1/config.pbtxt",
			model("", "[ 3 ] optional: true", "[ 3 ]") + `input { name: "c" data_type: TYPE_FP32 dims: 3 }`}, nil,
			"it may be left out"},
		{anEnsemble("m1 a=x > b=y"), []string{"m1/config.pbtxt",
			model("", "[ 3 ] optional: true", "[ 3 ]") + `input { name: "c" data_type: TYPE_FP32 dims: 3 }`},
			[]string{"triton-ensemble-map"}, "the other may not"},
		{anEnsemble("m1 a=x > c=y"), []string{"m1/config.pbtxt", model("", "[ 3 ]", "[ 3 ]")},
			[]string{"triton-ensemble-map"}, "a name of no output"},
		{anEnsemble("m1 x=IN > y=OUT"), []string{"m1/config.pbtxt",
			`backend: "python" input { name: "IN" data_type: TYPE_FP32 dims: [ 3 ] } ` +
				`output { name: "OUT" data_type: TYPE_FP32 dims: [ 3 ] }`},
			[]string{"triton-ensemble-map", "triton-ensemble-map"}, "swapped, and nothing that follows from it"},
		{anEnsemble("m1 INN=IN > OUT=y", "m2 a=x > b=IN"), []string{"m1/config.pbtxt",
			`backend: "python" input { name: "IN" data_type: TYPE_FP32 dims: [ 3 ] } ` +
				`output { name: "OUT" data_type: TYPE_FP32 dims: [ 3 ] }`},
			[]string{"triton-ensemble-map", "triton-ensemble-map", "triton-ensemble-model"},
			"misspelt, not swapped; the other model is not there"},
		{anEnsemble(one), nil, nil, "the model is not beside it: a note"},
		{anEnsemble(one), []string{"n/config.pbtxt", anEnsemble("m2 a=x > b=y")}, nil, "nor is any other"},
		{anEnsemble(one), []string{"n/config.pbtxt", model("", "[ 3 ]", "[ 3 ]")}, []string{"triton-ensemble-model"},
			"another one is"},
		{anEnsemble(one), []string{"n/config.pbtxt", `backend: "python"`, "n/model.py", "",
			"o/config.pbtxt", `backend: "python"`, "o/model.py", ""}, nil, "a script copies the models"},
		{anEnsemble("m1 a=x > b=t", "m2 a=t > b=y"), []string{"m1/config.pbtxt", model("", "[ 3 ]", "[ 3 ]")},
			[]string{"triton-ensemble-model"}, "one is"},
		{anEnsemble("m1 a=x > b=t", "m2 a=t > b=y"),
			[]string{"m1/config.pbtxt", model("", "[ 3 ]", "[ 3 ]"), "m1/1/model.b", ""},
			[]string{"triton-ensemble-model"}, "with its version"},
		{strings.Replace(anEnsemble(one), `name: "m1"`, `name: "m1" model_version: 2`, 1),
			[]string{"m1/config.pbtxt", model("", "[ 3 ]", "[ 3 ]"), "m1/1/model.b", ""},
			[]string{"triton-ensemble-model"}, "version"},
		{strings.Replace(anEnsemble(one), `name: "m1"`, `name: "m1" model_version: 1`, 1),
			[]string{"m1/config.pbtxt", model("", "[ 3 ]", "[ 3 ]"), "m1/1/model.b", ""}, nil, "the version"},
		{anEnsemble("m a=x > b=y"), nil, []string{"triton-ensemble-model", "triton-ensemble-map",
			"triton-ensemble-map",
			"triton-ensemble-map"}, "itself"},
		{anEnsemble("m1 x=x > y=y"), []string{"m1/config.pbtxt", anEnsemble("m x=x > y=y")},
			[]string{"triton-ensemble-model"},
			"a circle of two"},
		{anEnsemble("m1 x=x > y=y"), []string{"m1/config.pbtxt", anEnsemble("m2 x=x > y=y"),
			"m2/config.pbtxt", anEnsemble("m1 x=x > y=y")}, nil, "a circle that this ensemble is not in"},
		{anEnsemble("../m1 a=x > b=y"), []string{"m1/config.pbtxt", model("", "[ 4 ]", "[ 3 ]")},
			[]string{"triton-ensemble-model"}, "no path is followed"},
		{anEnsemble(one), []string{"m1/config.pbtxt", `backend: "onnxruntime"`}, nil,
			"its tensors are in the file: a note"},
	}
	for _, tt := range tests {
		names := slices.DeleteFunc(in(t, tt.text, tt.files...),
			func(name string) bool { return name == "triton-version=note" })
		if !slices.Equal(names, tt.want) {
			t.Errorf("%s\n%v\nbreaks %v, want %v: %s", tt.text, tt.files, names, tt.want, tt.reason)
		}
	}
}

// TestDecoupled checks ensembles of decoupled models. The verdicts follow the labels of ValidateEnsembleConfig.
func TestDecoupled(t *testing.T) {
	model := func(settings, reads, writes string) string {
		text := settings + ` backend: "b" `
		for i, names := range []string{reads, writes} {
			for _, name := range strings.Fields(names) {
				text += fmt.Sprintf("%s { name: %q data_type: TYPE_FP32 dims: 3 } ",
					[]string{"input", "output"}[i], name)
			}
		}
		return text
	}
	const decoupled = "model_transaction_policy { decoupled: true }"
	files := []string{
		"p/config.pbtxt", model("", "a", "b"), "q/config.pbtxt", model("", "a c", "b"),
		"d/config.pbtxt", model(decoupled, "a", "b d"), "f/config.pbtxt", model(decoupled, "a", "b"),
		"o/config.pbtxt", model("model_transaction_policy { decoupled: false }", "a", "b d"),
		"e/config.pbtxt", anEnsemble("p a=x > b=t", "d a=t > b=y"), "r/config.pbtxt", anEnsemble("p a=x > b=y"),
	}
	more := func(text string) string {
		return text + `output { name: "z" data_type: TYPE_FP32 dims: [ 3 ] }`
	}
	wrong := []string{"triton-ensemble-decoupled"}
	tests := []struct {
		text   string
		want   []string
		reason string
	}{
		{anEnsemble("d a=x > b=y"), nil, "one"},
		{anEnsemble("d a=x > b=t", "p a=t > b=y"), nil, "a step after it"},
		{anEnsemble("d a=x > b=t d=u", "q a=t c=u > b=y"), nil, "two tensors of one"},
		{anEnsemble("d a=x > b=t d=u", "p a=t > b=v", "q a=v c=u > b=y"), nil, "one of them by way of another model"},
		{anEnsemble("q a=t c=x > b=y", "d a=x > b=t"), wrong, "with the request"},
		{anEnsemble("o a=x > b=t", "q a=t c=x > b=y"), nil, "decoupled: false"},
		{anEnsemble("d a=x > b=t", "f a=x > b=u", "q a=t c=u > b=y"), wrong, "of two"},
		{anEnsemble("d a=x > b=t d=v", "f a=t > b=u", "q a=v c=u > b=y"), wrong, "of two, one after the other"},
		{anEnsemble("d a=x > b=t", "f a=t > b=y"), nil, "a decoupled one after another"},
		{anEnsemble("e x=x > y=t", "q a=t c=x > b=y"), wrong, "an ensemble with one"},
		{anEnsemble("r x=x > y=t", "q a=t c=x > b=y"), nil, "an ensemble without one"},
		{more(anEnsemble("d a=x > b=y", "p a=x > b=z")), wrong, "two outputs"},
		{more(anEnsemble("d a=x > b=y d=z")), nil, "two outputs of one"},
		{anEnsemble("d a=x > b=t", "gone a=t > b=u", "q a=u c=t > b=y"), []string{"triton-ensemble-model"},
			"the model that is not there may be decoupled"},
	}
	for _, tt := range tests {
		names := slices.DeleteFunc(in(t, tt.text, files...),
			func(name string) bool { return name == "triton-version=note" })
		if !slices.Equal(names, tt.want) {
			t.Errorf("%s\nbreaks %v, want %v: %s", tt.text, names, tt.want, tt.reason)
		}
	}
}

// TestLargeEnsembles has chains and circles of thousands of steps and models be followed once.
func TestLargeEnsembles(t *testing.T) {
	const n = 10_000
	var steps []string
	for i := range n {
		steps = append(steps, fmt.Sprintf("m%d a=t%d > b=t%d", i, i, i+1))
	}
	chain := strings.NewReplacer(`"t0"`, `"x"`, fmt.Sprintf(`"t%d"`, n), `"y"`).Replace(anEnsemble(steps...))
	slices.Reverse(steps)
	backwards := strings.NewReplacer(`"t0"`, `"x"`, fmt.Sprintf(`"t%d"`, n), `"y"`).Replace(anEnsemble(steps...))
	circle := fstest.MapFS{}
	for i := range 2000 {
		circle[fmt.Sprintf("m%d/config.pbtxt", i)] = &fstest.MapFile{
			Data: []byte(anEnsemble(fmt.Sprintf("m%d x=x > y=y", (i+1)%2000)))}
	}
	for _, text := range []string{chain, backwards} {
		if names := found(t, text, nil); len(names) > 0 {
			t.Errorf("a chain of %d steps breaks %v", n, names)
		}
	}
	r := NewRepository(circle)
	for i := range 2000 {
		name := fmt.Sprintf("m%d", i)
		text := string(circle[name+"/config.pbtxt"].Data)
		if names := found(t, text, &Location{Repository: r, Model: name}); !slices.Contains(names,
			"triton-ensemble-model") {
			t.Fatalf("%s of a circle breaks %v", name, names)
		}
	}
}

// TestManyFindings has the findings of one rule be counted once there are many.
func TestManyFindings(t *testing.T) {
	c, err := Read([]byte(strings.Repeat(`input { name: "" }`, 20_000)))
	if err != nil {
		t.Fatal(err)
	}
	f, _ := c.Check(nil)
	count := 0
	for _, finding := range f.Findings {
		if finding.Rule == tritonName {
			count++
		}
	}
	if count != finding.MostOfRule+1 {
		t.Errorf("%d findings", count)
	}
}

// TestLocate checks where in a repository a configuration is.
func TestLocate(t *testing.T) {
	tests := []struct{ file, root, model, sub string }{
		{"/r/m/config.pbtxt", "/r", "m", ""},
		{"/r/m/other.pbtxt", "/r", "m", ""},
		{"/r/m/configs/other.pbtxt", "/r", "m", "configs"},
		{"/r/configs/config.pbtxt", "/r", "configs", ""},
		{"/config.pbtxt", "/", "/", ""},
	}
	for _, tt := range tests {
		root, at := Locate(tt.file)
		if root != tt.root || at.Model != tt.model || at.Sub != tt.sub {
			t.Errorf("%s is %s of %s in %s", tt.file, at.Sub, at.Model, root)
		}
	}
}

// TestFindingsLeftOut counts the findings that are left out by rules, in one order each time.
func TestFindingsLeftOut(t *testing.T) {
	layouttest.SkipUnlessAll(t, "the input is large")
	var b strings.Builder
	for i := range finding.MostOfRule + 7 {
		fmt.Fprintf(&b, "input { name: 'i%d' data_type: TYPE_FP31 dims: [ 0 ] wrong: 1 }\n", i)
	}
	for range 10 {
		c, err := Read([]byte(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		var got []*finding.Rule
		for _, f := range c.File().Findings {
			if strings.HasPrefix(f.Message, "7 more findings") {
				got = append(got, f.Rule)
			}
		}
		if want := []*finding.Rule{tritonField, tritonValue}; !slices.Equal(got, want) {
			t.Fatalf("%v are left out, want %v", got, want)
		}
	}
}

// TestManyPyTorchNames has names with positions be compared of as many as a thousand tensors.
func TestManyPyTorchNames(t *testing.T) {
	for n, want := range map[int]bool{1000: true, 1001: false} {
		text := `backend: "pytorch" platform: "pytorch_libtorch" `
		for i := range n {
			text += fmt.Sprintf("output { name: 'y__%d' data_type: TYPE_FP32 dims: 1 } ", i+1)
		}
		if names := found(t, text, nil); slices.Contains(names, "triton-pytorch-names") != want {
			t.Errorf("%d names that start with 1: %v", n, names)
		}
	}
}
