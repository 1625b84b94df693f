package expect

import (
	"slices"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
)

// An anywhere is a Locator that always returns the start of the input.
type anywhere struct{}

func (anywhere) Place(_ string, item int) finding.Place {
	return finding.Place{Line: 1, Column: item}
}

// TestExpectations checks the findings about tensors in blocks: 17 channels in blocks of 16 take 2 x 4 x 16 floats.
func TestExpectations(t *testing.T) {
	float, _ := layout.ParseDType("float32")
	blocks := descriptor.Descriptor{Name: "t", Type: float, TypeKnown: true, Sizes: []int64{1, 17, 2, 2},
		Layout: "NCHW16c"}
	tests := []struct {
		expected     Tensor
		message, fix string
		reason       string
	}{
		{expected: Tensor{MaxBytes: descriptor.Number{Value: 512, Stated: true}}, reason: "whole blocks"},
		{
			expected: Tensor{MaxBytes: descriptor.Number{Value: 511, Stated: true}},
			message:  "512 bytes are needed, 511 are expected at most",
			reason:   "not 452, which end with the last element",
		},
		{
			expected: Tensor{Packed: analysis.Yes},
			message:  "45 of the 113 offsets from 0 to 112 belong to no element", fix: "layout: row-major is packed",
			reason: "there are no strides to leave out",
		},
	}
	for _, tt := range tests {
		var found []finding.Finding
		r := finding.NewReporter(finding.Options{}, func(f finding.Finding) { found = append(found, f) })
		tt.expected.SameAs, tt.expected.At = -1, anywhere{}
		(&Config{Tensors: []descriptor.Descriptor{blocks},
			Expectations: []Tensor{tt.expected}}).Check(descriptor.Target{}, r, new(descriptor.Tensors))
		if len(found) != min(len(tt.message), 1) || len(found) > 0 &&
			(found[0].Message != tt.message || found[0].Fix != tt.fix || found[0].Column != -1) {
			t.Errorf("%+v, want %q, %q (%s)", found, tt.message, tt.fix, tt.reason)
		}
	}
}

// TestUnknownTypes checks the findings about a tensor with elements of unknown size: 144 bytes in a GGUF file.
func TestUnknownTypes(t *testing.T) {
	stated := func(n int64) descriptor.Number { return descriptor.Number{Value: n, Stated: true} }
	const cannot = "this cannot be told: the size of an element of type Q4_K is not known"
	tests := []struct {
		expected Tensor
		base     int64
		total    descriptor.Number
		messages []string
		reason   string
	}{
		{expected: Tensor{MaxBytes: stated(144)}, total: stated(144), reason: "the file says how many"},
		{
			expected: Tensor{MaxBytes: stated(143)}, total: stated(144),
			messages: []string{"144 bytes are needed, 143 are expected at most"}, reason: "one less",
		},
		{
			expected: Tensor{MaxBytes: stated(1 << 40), Bytes: Exactly(0)},
			messages: []string{cannot, cannot}, reason: "nor does the file",
		},
		{expected: Tensor{RowPitch: stated(4), RowAlign: stated(4)}, messages: []string{cannot, cannot},
			reason: "rows are in elements"},
		{expected: Tensor{BaseAlign: stated(64)}, reason: "the start of the buffer"},
		{expected: Tensor{BaseAlign: stated(1)}, base: 1, messages: []string{cannot}, reason: "an offset"},
		{expected: Tensor{}, base: 1, reason: "nothing is expected"},
	}
	for _, tt := range tests {
		d := descriptor.Descriptor{Name: "t", TypeName: "Q4_K", Sizes: []int64{2, 128}, Base: tt.base, Total: tt.total}
		var messages []string
		r := finding.NewReporter(finding.Options{}, func(f finding.Finding) { messages = append(messages, f.Message) })
		tt.expected.SameAs, tt.expected.At = -1, anywhere{}
		(&Config{Tensors: []descriptor.Descriptor{d},
			Expectations: []Tensor{tt.expected}}).Check(descriptor.Target{}, r, new(descriptor.Tensors))
		if !slices.Equal(messages, tt.messages) {
			t.Errorf("%q, want %q (%s)", messages, tt.messages, tt.reason)
		}
		budget := Budget{Name: "all", Group: &Group{Tensors: []int{0}}, Most: 143}
		messages = nil
		(&Config{Tensors: []descriptor.Descriptor{d}, Budgets: []Budget{budget}}).Check(descriptor.Target{}, r,
			new(descriptor.Tensors))
		want := "all: the bytes of t are not known: the size of an element of type Q4_K is not known"
		if tt.total.Stated {
			want = "all: 144 bytes together, 143 are expected at most: 1 more; the largest of 1 tensor is t with 144"
		}
		if !slices.Equal(messages, []string{want}) {
			t.Errorf("%q, want %q (%s)", messages, want, tt.reason)
		}
	}
}

// TestEdgeTypes checks edges between tensors of types that only their files define: Q4_K differs from float32 with the
// same number of elements.
func TestEdgeTypes(t *testing.T) {
	typed := func(name string, judged bool) descriptor.Descriptor {
		d := descriptor.Descriptor{Name: name, TypeName: name, Sizes: []int64{256}, TypeJudged: judged}
		var err error
		d.Type, err = layout.ParseDType(name)
		d.TypeKnown = err == nil
		return d
	}
	tests := []struct {
		from, to descriptor.Descriptor
		message  string
	}{
		{from: typed("float32", false), to: typed("F32", false)},
		{from: typed("float32", false), to: typed("f16", false), message: "float32 is float32 and f16 is float16"},
		{from: typed("Q4_K", true), to: typed("q4_k", true)},
		{from: typed("Q4_K", true), to: typed("Q6_K", true), message: "Q4_K is Q4_K and Q6_K is Q6_K"},
		{from: typed("Q4_K", true), to: typed("float32", false), message: "Q4_K is Q4_K and float32 is float32"},
		{from: typed("float32", false), to: typed("Q4_K", true), message: "float32 is float32 and Q4_K is Q4_K"},
		{from: typed("flota32", false), to: typed("float16", false)}, // the unknown type is reported for the tensor
		{from: typed("float16", false), to: typed("flota32", false)},
	}
	for _, tt := range tests {
		message := ""
		r := finding.NewReporter(finding.Options{}, func(f finding.Finding) { message = f.Message })
		(&Config{Tensors: []descriptor.Descriptor{tt.from, tt.to},
			Edges: []Edge{{From: 0, To: 1}}}).Check(descriptor.Target{}, r, new(descriptor.Tensors))
		if message != tt.message {
			t.Errorf("%s to %s: %q, want %q", tt.from.Name, tt.to.Name, message, tt.message)
		}
	}
}
