package rules

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/dml"
	"layoutcalc/layout/finding"
)

// TestSharedResource checks tensors of floats that are bound to parts of one resource of 64 bytes.
func TestSharedResource(t *testing.T) {
	type part struct {
		slot           string
		offset, floats int64
	}
	tests := []struct {
		kind   string
		parts  []part
		want   []string
		reason string
	}{
		{
			kind:  "SPLIT",
			parts: []part{{"OutputTensors", 0, 16}, {"OutputTensors", 4, 4}, {"OutputTensors", 8, 4}},
			want: []string{
				`error bind-output-overlap bytes 16 to 31 of "r" are written as OutputTensors too, ` +
					`which takes bytes 0 to 63`,
				`error bind-output-overlap bytes 32 to 47 of "r" are written as OutputTensors too, ` +
					`which takes bytes 0 to 63`},
			reason: "the second ends before the third",
		},
		{
			kind: "ACTIVATION_RELU", parts: []part{{"InputTensor", 0, 8}, {"OutputTensor", 0, 8}},
			reason: "one region",
		},
		{
			kind: "ACTIVATION_RELU", parts: []part{{"InputTensor", 0, 8}, {"OutputTensor", 4, 8}},
			want: []string{
				"error inplace ACTIVATION_RELU runs in place on one region only: InputTensor is read from bytes 0 to " +
					"31, and written are bytes 16 to 47"},
			reason: "half of one",
		},
		{
			kind: "ACTIVATION_RELU", parts: []part{{"InputTensor", 0, 8}, {"OutputTensor", 8, 8}},
			want: []string{
				`warning bind-alias InputTensor and OutputTensor share "r": no byte is read and written, ` +
					`but DxDispatch binds both to the end of it`},
			reason: "two, which are bound as one",
		},
		{
			kind: "CAST", parts: []part{{"InputTensor", 0, 8}, {"OutputTensor", 8, 8}},
			want: []string{
				`warning bind-alias InputTensor and OutputTensor share "r": no byte is read and written, ` +
					`but DxDispatch binds both to the end of it`},
			reason: "as without running in place",
		},
	}
	for _, tt := range tests {
		op := &descriptor.Operator{Name: "op", Type: tt.kind}
		var bindings []descriptor.Binding
		for _, p := range tt.parts {
			s := slot(p.slot, "FLOAT32", p.floats)
			s.Tensors[0].Role = descriptor.Output
			if p.slot == "InputTensor" {
				s.Tensors[0].Role = descriptor.Input
			}
			bound := descriptor.Bound{Name: "r", Offset: descriptor.Number{Value: p.offset, Stated: true},
				ElementSize: descriptor.Number{Value: 4, Stated: true}}
			if n := len(op.Slots); n > 0 && op.Slots[n-1].Name == p.slot {
				op.Slots[n-1].Tensors = append(op.Slots[n-1].Tensors, s.Tensors...)
				bindings[n-1].Resources = append(bindings[n-1].Resources, bound)
				continue
			}
			op.Slots = append(op.Slots, s)
			bindings = append(bindings, descriptor.Binding{Point: p.slot, Resources: []descriptor.Bound{bound}})
		}
		var have []string
		c := NewChecker(finding.Options{Shown: finding.Warning, Ignore: []*finding.Rule{RequiredMissing}},
			func(f finding.Finding) {
				have = append(have, fmt.Sprintf("%s %s %s", f.Severity, f.Rule, f.Message))
			})
		c.Model(descriptor.Target{Family: finding.DirectML}, &descriptor.Model{
			Resources:     []descriptor.Resource{{Name: "r", Stated: descriptor.Number{Value: 64, Stated: true}}},
			Dispatchables: []descriptor.Dispatchable{{Name: "op", Operator: op}},
			Commands:      []descriptor.Command{{Dispatch: true, Dispatchable: "op", Bindings: bindings}},
		})
		if !slices.Equal(have, tt.want) {
			t.Errorf("%s: %q, want %q (%s)", tt.kind, have, tt.want, tt.reason)
		}
	}
}

// TestHints checks that near names are looked for until the names compared are too many.
func TestHints(t *testing.T) {
	var m descriptor.Model
	for i := range 1001 {
		m.Resources = append(m.Resources, descriptor.Resource{Name: fmt.Sprintf("buffer%04d", i)})
	}
	m.Resources[1000].Name = "image"
	tests := []struct {
		before    int // findings
		name, fix string
		reason    string
	}{
		{name: "imgae", fix: "did you mean image?", reason: "the last name"},
		{before: 100, name: "bufer0000", fix: "did you mean buffer0000?", reason: "1.1 million pairs of letters"},
		{before: 10_000, name: "bufer0000", reason: "too many"},
	}
	for _, tt := range tests {
		var last finding.Finding
		c := NewChecker(finding.Options{Only: []*finding.Rule{ResourceExists}}, func(f finding.Finding) { last = f })
		m.Commands = nil
		for range tt.before {
			m.Commands = append(m.Commands, descriptor.Command{Resource: "kernel123"})
		}
		m.Commands = append(m.Commands, descriptor.Command{Resource: tt.name})
		c.Model(descriptor.Target{Family: finding.DirectML}, &m)
		if c.Count[finding.Error] != tt.before+1 || last.Fix != tt.fix {
			t.Errorf("%s after %d: %d findings, fix %q, want %q (%s)", tt.name, tt.before, c.Count[finding.Error],
				last.Fix,
				tt.fix, tt.reason)
		}
	}
}

func TestRoundedUp(t *testing.T) {
	const largest = math.MaxInt64 - 15
	tests := []struct {
		n, unit int64
		want    uint64
	}{
		{0, 16, 0}, {1, 16, 16}, {15, 16, 16}, {16, 16, 16}, {17, 16, 32}, {5, 4, 8}, {9, 1, 9},
		{largest - 1, 16, largest}, {largest, 16, largest}, {largest + 1, 16, 1 << 63}, {math.MaxInt64, 16, 1 << 63},
	}
	for _, tt := range tests {
		if have := roundedUp(tt.n, tt.unit); have != tt.want {
			t.Errorf("%d to a multiple of %d: %d, want %d", tt.n, tt.unit, have, tt.want)
		}
	}
}

// TestAliases has inputs and outputs in several resources. An input is compared with the outputs of its own resource,
// up to a limit.
func TestAliases(t *testing.T) {
	ends := func(role descriptor.Role, n, resource int) (list []*boundRange) {
		for i := range n {
			d := &descriptor.Descriptor{Name: fmt.Sprintf("%v%d", role, i), Role: role, Slot: fmt.Sprint(resource)}
			list = append(list, &boundRange{d: d, resource: resource, start: int64(8 * i), end: int64(8*i + 8)})
		}
		return list
	}
	for _, tt := range []struct {
		reason string
		ranges []*boundRange
		want   int
	}{
		{"each has a resource of its own", append(ends(descriptor.Input, 3, 1), ends(descriptor.Output, 3, 2)...), 0},
		{"the same, the other way round", append(ends(descriptor.Input, 3, 2), ends(descriptor.Output, 3, 1)...), 0},
		{"each pair", append(ends(descriptor.Input, 2, 1), ends(descriptor.Output, 3, 1)...), 6},
		{
			"between others",
			slices.Concat(ends(descriptor.Output, 2, 0), ends(descriptor.Input, 1, 1), ends(descriptor.Output, 2, 1),
				ends(descriptor.Output, 2, 2)), 2,
		},
		{"all outputs of the limit", append(ends(descriptor.Input, 2, 1), ends(descriptor.Output, maxAliases, 1)...),
			2 * maxAliases},
		{"one more", append(ends(descriptor.Input, 2, 1), ends(descriptor.Output, maxAliases+1, 1)...), 2 * maxAliases},
	} {
		n := 0
		c := NewChecker(finding.Options{Only: []*finding.Rule{BindAlias}}, func(finding.Finding) { n++ })
		b := binder{Checker: c, Model: &descriptor.Model{Resources: make([]descriptor.Resource, 3)}, ranges: tt.ranges}
		if b.overlaps(dml.Find("JOIN")); n != tt.want {
			t.Errorf("%s: %d findings, not %d", tt.reason, n, tt.want)
		}
	}
}
