package triton

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/protobuf"
)

// checkInstances checks the groups of instances: only groups that run on GPUs list GPUs, profiles are TensorRT's, and a
// resource is either global or not. An ensemble has no instances, so the server does not look at its groups.
func (k *checker) checkInstances() {
	if k.ensemble != 0 {
		return
	}
	globals := map[string]bool{} // whether the first resource of a name is global
	for group := range k.All(protobuf.Root, "instance_group") {
		passive, limiter := k.One(group, "passive"), k.One(group, "rate_limiter")
		if limiter != 0 && (passive == 0 || !k.Truth(passive)) { // others are not registered
			for resource := range k.All(limiter, "resources") {
				k.checkResource(resource, globals)
			}
		}
		for at := range k.All(group, "gpus") {
			if n, ok := k.Integer(at, math.MinInt32, math.MaxInt32); ok && n < 0 {
				k.Report(tritonInstance, k.on(at), "", "gpus has %d, must be at least 0", n)
			}
		}
		kind, gpus := k.Word(k.One(group, "kind")), k.One(group, "gpus")
		if gpus != 0 && (kind == "KIND_CPU" || kind == "KIND_MODEL") {
			k.Report(tritonInstance, k.on(gpus), "remove gpus, or write kind: KIND_GPU",
				"a group of %s has gpus", kind)
		}
		for profile := range k.All(group, "profile") {
			k.checkProfile(profile)
		}
	}
}

// checkResource checks that a resource of the rate limiter is global in all groups or in no group. A violation is a
// warning, because the server limits the rate only with a certain flag.
func (k *checker) checkResource(resource int32, globals map[string]bool) {
	name, globalAt := k.Text(k.One(resource, "name")), k.One(resource, "global")
	isGlobal := globalAt != 0 && k.Truth(globalAt)
	if was, again := globals[name]; !again {
		globals[name] = isGlobal
	} else if was != isGlobal {
		k.ReportAs(tritonInstance, finding.Warning, k.on(cmp.Or(globalAt, resource)),
			"write global for all or for none", "the resource %s is both global and per device", quoted(name))
	}
}

// checkMetrics checks that a metric names its family and its buckets.
func (k *checker) checkMetrics() {
	metrics := k.One(protobuf.Root, "model_metrics")
	if metrics == 0 {
		return
	}
	for control := range k.All(metrics, "metric_control") {
		identifier, options := k.One(control, "metric_identifier"), k.One(control, "histogram_options")
		if identifier == 0 || k.Text(k.One(identifier, "family")) == "" {
			k.Report(tritonMetrics, k.on(cmp.Or(identifier, control)),
				`such as metric_identifier { family: "nv_inference_first_response_histogram_ms" }`,
				"metric_control has no family in metric_identifier")
		}
		if options == 0 || k.CountOf(options, "buckets") == 0 {
			k.Report(tritonMetrics, k.on(cmp.Or(options, control)), "such as buckets: [ 10, 100 ]",
				"metric_control has no buckets in histogram_options")
		}
	}
}

// checkPolicy checks that version_policy allows a version.
func (k *checker) checkPolicy() {
	policy := k.One(protobuf.Root, "version_policy")
	latest, specific := k.One(policy, "latest"), k.One(policy, "specific")
	at := k.One(latest, "num_versions")
	switch n, ok := k.Integer(at, 0, math.MaxUint32); {
	case latest != 0 && n == 0 && (ok || at == 0):
		k.ReportAs(tritonVersion, finding.Error, k.on(cmp.Or(at, latest)), "num_versions: 1",
			"num_versions is 0, and version_policy allows no version")
	case specific != 0 && k.CountOf(specific, "versions") == 0:
		k.ReportAs(tritonVersion, finding.Error, k.on(specific), "such as versions: [ 1 ]",
			"specific has no versions, and version_policy allows no version")
	}
}

// checkProfile checks an optimization profile: the number of one, for a model of TensorRT.
func (k *checker) checkProfile(at int32) {
	s, text := k.server, k.Text(at)
	if s.platform != tensorRTPlatform && (s.platform != "" || s.backend != "" && s.backend != tensorRT) {
		k.Report(tritonInstance, k.on(at), "remove profile", "only models of TensorRT have profiles")
		return
	}
	digits := strings.TrimLeft(text, " ")
	end := 0
	for end < len(digits) && lexer.IsDigit(digits[end]) {
		end++
	}
	if n, err := strconv.ParseInt(digits[:end], 10, 64); err != nil || n > math.MaxInt32 { // as stoi reads it
		k.Report(tritonInstance, k.on(at), `such as profile: [ "0" ]`, "%s is not the number of a profile",
			quoted(text))
	}
}

// checkPriorities checks the priority levels of dynamic batching, and the settings that go with preserve_ordering.
func (k *checker) checkPriorities() {
	batching := k.One(protobuf.Root, "dynamic_batching")
	levelsAt, ordered := k.One(batching, "priority_levels"), k.One(batching, "preserve_ordering")
	levels, _ := k.Integer(levelsAt, 0, math.MaxUint64)
	if levels != 0 {
		at := k.One(batching, "default_priority_level")
		n, _ := k.Integer(at, 0, math.MaxUint64)
		if at == 0 {
			k.Report(tritonPriority, k.on(levelsAt), "such as default_priority_level: 1",
				"priority_levels needs a default_priority_level")
		} else if !isLevel(n, levels) {
			k.Report(tritonPriority, k.on(at), "", "a default priority level of %d, and levels are from 1 to %d",
				uint64(n), uint64(levels))
		}
	}
	isOrdered := ordered != 0 && k.Truth(ordered)
	policies := []int32{k.One(batching, "default_queue_policy")}
	for entry := range k.All(batching, "priority_queue_policy") {
		key := k.One(entry, "key")
		if n, ok := k.Integer(key, 0, math.MaxUint64); levels != 0 && ok && !isLevel(n, levels) {
			k.Report(tritonPriority, k.on(key), "", "a policy for level %d, and levels are from 1 to %d", uint64(n),
				uint64(levels))
		}
		policies = append(policies, k.One(entry, "value"))
	}
	if isOrdered && uint64(levels) > 1 {
		k.Report(tritonPriority, k.on(ordered), "remove one of the two",
			"preserve_ordering goes with one priority level, and there are %d", uint64(levels))
	}
	for _, policy := range policies {
		action := k.One(policy, "timeout_action")
		timeout, _ := k.Integer(k.One(policy, "default_timeout_microseconds"), 0, math.MaxUint64)
		if isOrdered && timeout != 0 && k.Word(action) == "DELAY" {
			k.Report(tritonPriority, k.on(action), "write REJECT, or remove preserve_ordering",
				"requests that are delayed do not keep their order, and preserve_ordering is set")
		}
	}
}

// isLevel reports whether n, as an unsigned number, is between 1 and levels.
func isLevel(n, levels int64) bool { return n != 0 && uint64(n) <= uint64(levels) }

// checkCache checks that the responses of a model may be cached.
func (k *checker) checkCache() {
	enable := k.One(k.One(protobuf.Root, "response_cache"), "enable")
	if enable == 0 || !k.Truth(enable) {
		return
	}
	decoupled := k.One(k.One(protobuf.Root, "model_transaction_policy"), "decoupled")
	for _, c := range [...]struct {
		what  string
		isSet bool
	}{
		{"sequence_batching", k.One(protobuf.Root, "sequence_batching") != 0},
		{"decoupled: true", decoupled != 0 && k.Truth(decoupled)},
	} {
		if c.isSet {
			k.Report(tritonCache, k.on(enable), "remove response_cache",
				"the responses of a model with %s are not cached", c.what)
		}
	}
}
