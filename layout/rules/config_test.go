package rules

import (
	"slices"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/desc"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/finding"
)

func TestEdge(t *testing.T) {
	float := func(n int64) *desc.Descriptor {
		return &desc.Descriptor{Name: "t", Type: layout.DType(0), TypeKnown: true, Sizes: []int64{n}}
	}
	total, owned := float(4), float(4)
	total.Total = desc.Stated(20)
	short, odd := float(8), float(4)
	short.Total, odd.Total = desc.Stated(20), desc.Stated(22)
	owned.Flags = []string{"OWNED_BY_DML"}
	one, less, none := float(4), float(4), float(4)
	one.Total, less.Total, none.TypeKnown = desc.Stated(1), desc.Stated(-1), false
	tests := []struct {
		from, to *desc.Descriptor
		target   finding.Family
		rules    []*finding.Rule
		fix      string
		reason   string
	}{
		{from: float(4), to: float(4), target: finding.DirectML, reason: "one total"},
		{
			from: float(4), to: float(5), target: finding.DirectML,
			rules: []*finding.Rule{GraphEdge}, fix: "give both 20 bytes", reason: "16 and 20 bytes",
		},
		{from: float(5), to: total, target: finding.DirectML, reason: "20 bytes, computed and stated"},
		{
			from: float(4), to: owned, target: finding.DirectML,
			rules: []*finding.Rule{GraphOwned}, fix: "leave the flag out", reason: "an operator feeds it",
		},
		{from: float(4), to: float(5), target: finding.PyTorch, reason: "which has no graphs of this kind"},
		{
			from: float(4), to: short, target: finding.DirectML,
			rules: []*finding.Rule{GraphEdge}, fix: "give both 32 bytes",
			reason: "16 and 20 are stated, and 8 floats take 32",
		},
		{
			from: odd, to: float(4), target: finding.DirectML,
			rules: []*finding.Rule{GraphEdge}, fix: "give both 24 bytes",
			reason: "22 is not a multiple of 4",
		},
		{
			from: one, to: float(4), target: finding.DirectML,
			rules: []*finding.Rule{GraphEdge}, fix: "give both 16 bytes", reason: "1 byte and 16",
		},
		{from: less, to: float(4), target: finding.DirectML, reason: "a negative total is reported of the tensor"},
		{from: none, to: float(5), target: finding.DirectML, reason: "so is a type that is not known"},
	}
	for _, tt := range tests {
		var have []*finding.Rule
		fix := ""
		c := NewChecker(finding.Options{}, func(f finding.Finding) {
			if have, fix = append(have, f.Rule), f.Fix; f.Column%10 != 9 {
				t.Errorf("%s is at item %d, want the whole part", f.Rule, f.Column)
			}
		})
		tt.to.Source = partPlaces{}
		c.Edge(desc.Target{Family: tt.target}, tt.from, tt.to)
		if !slices.Equal(have, tt.rules) || fix != tt.fix {
			t.Errorf("%v %s, want %v %s (%s)", have, fix, tt.rules, tt.fix, tt.reason)
		}
	}
}

// An anywhere is at the start of the text, whatever is asked for.
type anywhere struct{}

func (anywhere) Place(_ string, item int) finding.Place {
	return finding.Place{Line: 1, Column: item}
}

// TestExpectations checks what is said of tensors in blocks: 17 channels in blocks of 16 take 2 x 4
// x 16 floats.
func TestExpectations(t *testing.T) {
	float, _ := layout.ParseDType("float32")
	blocks := desc.Descriptor{Name: "t", Type: float, TypeKnown: true, Sizes: []int64{1, 17, 2, 2}, Layout: "NCHW16c"}
	tests := []struct {
		expected     desc.Expectation
		message, fix string
		reason       string
	}{
		{expected: desc.Expectation{MaxBytes: desc.Number{Value: 512, Stated: true}}, reason: "whole blocks"},
		{
			expected: desc.Expectation{MaxBytes: desc.Number{Value: 511, Stated: true}},
			message:  "512 bytes are needed, 511 are expected at most",
			reason:   "not 452, which end with the last element",
		},
		{
			expected: desc.Expectation{Packed: facts.Yes},
			message:  "45 of the 113 offsets from 0 to 112 belong to no element", fix: "layout: row-major is packed",
			reason: "there are no strides to leave out",
		},
	}
	for _, tt := range tests {
		var found []finding.Finding
		c := NewChecker(finding.Options{}, func(f finding.Finding) { found = append(found, f) })
		tt.expected.SameAs, tt.expected.At = -1, anywhere{}
		c.Config(desc.Target{}, &desc.Config{Tensors: []desc.Descriptor{blocks},
			Expectations: []desc.Expectation{tt.expected}})
		if len(found) != min(len(tt.message), 1) || len(found) > 0 &&
			(found[0].Message != tt.message || found[0].Fix != tt.fix || found[0].Column != -1) {
			t.Errorf("%+v, want %q, %q (%s)", found, tt.message, tt.fix, tt.reason)
		}
	}
}

// TestUnknownTypes checks what can be told of a tensor whose elements nobody can size: one of 144 bytes in a GGUF file.
func TestUnknownTypes(t *testing.T) {
	stated := func(n int64) desc.Number { return desc.Number{Value: n, Stated: true} }
	const cannot = "this cannot be told: the size of an element of type Q4_K is not known"
	tests := []struct {
		expected desc.Expectation
		base     int64
		total    desc.Number
		messages []string
		reason   string
	}{
		{expected: desc.Expectation{MaxBytes: stated(144)}, total: stated(144), reason: "the file says how many"},
		{
			expected: desc.Expectation{MaxBytes: stated(143)}, total: stated(144),
			messages: []string{"144 bytes are needed, 143 are expected at most"}, reason: "one less",
		},
		{
			expected: desc.Expectation{MaxBytes: stated(1 << 40), Bytes: desc.Exactly(0)},
			messages: []string{cannot, cannot}, reason: "nor does the file",
		},
		{expected: desc.Expectation{RowPitch: stated(4), RowAlign: stated(4)}, messages: []string{cannot, cannot},
			reason: "rows are in elements"},
		{expected: desc.Expectation{BaseAlign: stated(64)}, reason: "the start of the buffer"},
		{expected: desc.Expectation{BaseAlign: stated(1)}, base: 1, messages: []string{cannot}, reason: "an offset"},
		{expected: desc.Expectation{}, base: 1, reason: "nothing is expected"},
	}
	for _, tt := range tests {
		d := desc.Descriptor{Name: "t", TypeName: "Q4_K", Sizes: []int64{2, 128}, Base: tt.base, Total: tt.total}
		var messages []string
		c := NewChecker(finding.Options{}, func(f finding.Finding) { messages = append(messages, f.Message) })
		tt.expected.SameAs, tt.expected.At = -1, anywhere{}
		c.Config(desc.Target{}, &desc.Config{Tensors: []desc.Descriptor{d},
			Expectations: []desc.Expectation{tt.expected}})
		if !slices.Equal(messages, tt.messages) {
			t.Errorf("%q, want %q (%s)", messages, tt.messages, tt.reason)
		}
		budget := desc.Budget{Name: "all", Group: &desc.Group{Tensors: []int{0}}, Most: 143}
		messages = nil
		c.Config(desc.Target{}, &desc.Config{Tensors: []desc.Descriptor{d}, Budgets: []desc.Budget{budget}})
		want := "all: the bytes of t are not known: the size of an element of type Q4_K is not known"
		if tt.total.Stated {
			want = "all: 144 bytes together, 143 are expected at most: 1 more; the largest of 1 tensor is t with 144"
		}
		if !slices.Equal(messages, []string{want}) {
			t.Errorf("%q, want %q (%s)", messages, want, tt.reason)
		}
	}
}

// TestEdgeTypes checks edges between tensors of types that only their files know: Q4_K is not float32 of as many
// elements.
func TestEdgeTypes(t *testing.T) {
	typed := func(name string, judged bool) desc.Descriptor {
		d := desc.Descriptor{Name: name, TypeName: name, Sizes: []int64{256}, TypeJudged: judged}
		var err error
		d.Type, err = layout.ParseDType(name)
		d.TypeKnown = err == nil
		return d
	}
	tests := []struct {
		from, to desc.Descriptor
		message  string
	}{
		{from: typed("float32", false), to: typed("F32", false)},
		{from: typed("float32", false), to: typed("f16", false), message: "float32 is float32 and f16 is float16"},
		{from: typed("Q4_K", true), to: typed("q4_k", true)},
		{from: typed("Q4_K", true), to: typed("Q6_K", true), message: "Q4_K is Q4_K and Q6_K is Q6_K"},
		{from: typed("Q4_K", true), to: typed("float32", false), message: "Q4_K is Q4_K and float32 is float32"},
		{from: typed("float32", false), to: typed("Q4_K", true), message: "float32 is float32 and Q4_K is Q4_K"},
		{from: typed("flota32", false), to: typed("float16", false)}, // which is reported of the tensor
		{from: typed("float16", false), to: typed("flota32", false)},
	}
	for _, tt := range tests {
		message := ""
		c := NewChecker(finding.Options{}, func(f finding.Finding) { message = f.Message })
		c.Config(desc.Target{}, &desc.Config{Tensors: []desc.Descriptor{tt.from, tt.to},
			Edges: []desc.Edge{{From: 0, To: 1}}})
		if message != tt.message {
			t.Errorf("%s to %s: %q, want %q", tt.from.Name, tt.to.Name, message, tt.message)
		}
	}
}
