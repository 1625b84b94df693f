package manifest

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/expect"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/rules"
)

// A finder is Artefacts of tensors without patterns.
type finder func(file, tensor string) expect.Artefact

func (f finder) Tensor(file, tensor string) expect.Artefact { return f(file, tensor) }

func (finder) Root(string) (why, fix string) { return "", "" }

func (finder) Files(string) ([]string, error) { return nil, nil }

func (finder) Names(string) iter.Seq[string] { return func(func(string) bool) {} }

func (finder) Facts(string) (*expect.Facts, finding.Finding) { return nil, finding.Finding{} }

// A shelf is Artefacts of some files, by their paths.
type shelf map[string]book

// A book is a file.
type book struct {
	tensors []descriptor.Descriptor
	facts   expect.Facts
}

func (shelf) Root(string) (why, fix string) { return "", "" }

func (s shelf) Tensor(file, tensor string) expect.Artefact {
	for _, d := range s[file].tensors {
		if d.Name == tensor {
			return expect.Artefact{Have: d}
		}
	}
	return expect.Artefact{OfName: true, Missing: finding.Finding{Rule: expect.ArtefactTensor, Message: "no " + tensor}}
}

func (s shelf) Files(pattern string) (list []string, err error) {
	if strings.HasPrefix(pattern, "!") {
		return nil, lexer.Refuse("such as *.onnx", "not a pattern")
	}
	for path := range s {
		if lexer.Glob(pattern, path) {
			list = append(list, path)
		}
	}
	return slices.Sorted(slices.Values(list)), nil
}

func (s shelf) Names(file string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, d := range s[file].tensors {
			if !yield(d.Name) {
				return
			}
		}
	}
}

func (s shelf) Facts(file string) (*expect.Facts, finding.Finding) {
	if b, ok := s[file]; ok {
		return &b.facts, finding.Finding{}
	}
	return nil, finding.Finding{Rule: expect.ArtefactMissing, Message: "the file is missing"}
}

// named returns a tensor of a file.
func named(name, dtype string, open []string, sizes ...int64) descriptor.Descriptor {
	known, err := layout.ParseDType(dtype)
	return descriptor.Descriptor{Name: name, TypeName: dtype, Type: known, TypeKnown: err == nil, Open: open,
		Sizes: sizes}
}

// shelfFindings returns the errors of a configuration whose files are on the shelf.
func shelfFindings(t *testing.T, s shelf, text string) (found []string) {
	t.Helper()
	f := Config(yamlTree(t, text), s)
	c := rules.NewChecker(finding.Options{Shown: finding.Error}, func(f finding.Finding) {
		line := f.Tensor + ": " + f.Rule.Name + ": " + f.Message
		if f.Fix != "" {
			line += " | " + f.Fix
		}
		found = append(found, line)
	})
	for _, w := range f.Findings {
		c.Add(w)
	}
	if f.Config != nil {
		c.CheckExpectations(f.Target, f.Config)
	}
	return found
}

// library has two files with the weights of a layer each, and a model with inputs and outputs that are open.
func library() shelf {
	net := expect.Facts{
		Kind: "onnx",
		Numbers: map[string]int64{
			"bytes": 65536, "tensorBytes": 1000, "parameters": 250, "irVersion": 8, "externalData": 0,
			"opset ai.onnx": 17, "opset com.microsoft": 1,
		},
		Names: map[string][]string{
			"operators": {"ai.onnx:Conv", "com.microsoft:Gelu"}, "domains": {"ai.onnx", "com.microsoft"},
			"inputs": {"x", "mask"}, "outputs": {"y"},
		},
	}
	return shelf{
		"e/a.st": {
			tensors: []descriptor.Descriptor{
				named("0.q.weight", "F16", nil, 8, 4), named("0.k.weight", "BF16", nil, 8, 4),
				named("0.q.bias", "F32", nil, 8), named("*", "F32", nil, 1),
			},
			facts: expect.Facts{Kind: "safetensors", Numbers: map[string]int64{"bytes": 300, "parameters": 73}},
		},
		"e/b.st": {
			tensors: []descriptor.Descriptor{named("1.q.weight", "F16", nil, 8, 4)},
			facts: expect.Facts{Kind: "safetensors", Numbers: map[string]int64{"bytes": 100, "parameters": 32,
				"tensorBytes": 64}},
		},
		"m.onnx": {
			tensors: []descriptor.Descriptor{
				named("x", "FLOAT", []string{"batch", "", "", ""}, -1, 3, 8, 8),
				named("y", "FLOAT", []string{"", ""}, -1, 192), named("one", "FLOAT", nil, 1, 192),
				named("half", "FLOAT16", []string{"", ""}, -1, 96), named("bytes", "UINT8", nil, 768),
				named("vector", "FLOAT", []string{""}, -1), named("void", "FLOAT", []string{"", ""}, -1, 0),
				named("odd", "UINT8", nil, 767),
			},
			facts: net,
		},
		"pointer": {facts: expect.Facts{
			Numbers: map[string]int64{"bytes": 9},
			Unread:  finding.Finding{Rule: expect.ArtefactMissing, Message: "a pointer", Fix: "check it out"},
		}},
	}
}

// TestPatterns has tensors and files named by patterns: each that matches has to hold, and there is one at least.
func TestPatterns(t *testing.T) {
	for _, tt := range []struct {
		reason, tensors string
		want            []string
	}{
		{"each tensor", "a: {file: e/a.st, tensor: '*.q.*', expect: {dtype: [F16, F32]}}", nil},
		{
			"one is of another type", "a: {file: e/a.st, tensor: '*.q.*', expect: {dtype: F16}}",
			[]string{"a[0.q.bias]: expect-dtype: the type is float32, F16 is expected"},
		},
		{
			"one has another size", "a: {file: e/a.st, tensor: '0.?.weight', sizes: [8, 5]}",
			[]string{
				"a[0.q.weight]: artefact-sizes: the file has [8, 4], and [8, 5] are stated | sizes: [8, 4]",
				"a[0.k.weight]: artefact-sizes: the file has [8, 4], and [8, 5] are stated | sizes: [8, 4]",
			},
		},
		{"no tensor", "a: {file: e/a.st, tensor: '*.v.*'}", []string{"a: artefact-tensor: \"e/a.st\": no *.v.*"}},
		{"each file", "a: {file: 'e/*.st', tensor: '*.q.weight', expect: {dtype: F16, sizes: [8, 4]}}", nil},
		{
			"a name in each file", "a: {file: 'e/*.st', tensor: 1.q.weight}",
			[]string{"a[e/a.st]: artefact-tensor: \"e/a.st\": no 1.q.weight"},
		},
		{
			"patterns of both", "a: {file: 'e/*', tensor: '*weight', expect: {dtype: BF16}}",
			[]string{
				"a[e/a.st:0.q.weight]: expect-dtype: the type is float16, BF16 is expected",
				"a[e/b.st:1.q.weight]: expect-dtype: the type is float16, BF16 is expected",
			},
		},
		{"no file", "a: {file: 'f/*', tensor: '*'}", []string{"a: artefact-missing: no file has a path like \"f/*\""}},
		{
			"not a pattern", "a: {file: '!e/*'}", []string{"a: config-value: not a pattern | such as *.onnx"},
		},
		{"a tensor of that very name", "a: {file: e/a.st, tensor: '*', expect: {sizes: [1]}}", nil},
		{
			"one of several is not one", "a: {file: 'e/*', tensor: '*.q.weight'}\n  b: {file: e/b.st, tensor: " +
				"1.q.weight, expect: {sameAs: a}}",
			[]string{"b: config-value: \"a\" is 2 tensors, and one is meant here | a tensor without patterns"},
		},
		{
			"a pattern of one",
			"a: {file: 'e/b*', tensor: '*'}\n  b: {file: e/b.st, tensor: 1.q.weight, expect: {sameAs: a}}",
			nil,
		},
	} {
		text := "version: 1\ntensors:\n  " + tt.tensors + "\n"
		if diff := cmp.Diff(tt.want, shelfFindings(t, library(), text)); diff != "" {
			t.Errorf("%s: %s", tt.reason, diff)
		}
	}
}

// TestOpenSizes has expectations of sizes that a model leaves open: the last that holds, and the first that does not.
func TestOpenSizes(t *testing.T) {
	const (
		x      = "{file: m.onnx, tensor: x, "
		untold = "a: %s: this cannot be told: size 0 is open: [batch, 3, 8, 8] | give it a value in sizes of the tensor"
	)
	cannot := func(rule string) string { return strings.Replace(untold, "%s", rule, 1) }
	for _, tt := range []struct {
		reason, tensor string
		want           []string
	}{
		{"one size of any", "{dtype: f32, sizes: [3], expect: {sizes: '?'}}", nil},
		{"a size of 0", "{dtype: f32, sizes: [0, 3], expect: {sizes: [0, 3]}}", nil},
		{
			"another size than 0", "{dtype: f32, sizes: [0, 3], expect: {sizes: [1, 3]}}",
			[]string{"a: expect-sizes: size 0 is 0, 1 is expected: [0, 3]"},
		},
		{"dtype alone", x + "expect: {dtype: float32}}", nil},
		{"rank alone", x + "expect: {rank: 4}}", nil},
		{
			"another rank", x + "expect: {rank: 3}}",
			[]string{"a: expect-rank: the tensor has 4 sizes, 3 are expected: [batch, 3, 8, 8]"},
		},
		{"any size is open too", x + "expect: {sizes: ['?', 3, 8, 8]}}", nil},
		{"in three spellings", x + "expect: {sizes: '?x3x8x8'}}", nil},
		{"a name", x + "expect: {sizes: [N, C, H, H]}}", nil},
		{
			"a size that is known", x + "expect: {sizes: [1, 3, 8, 8]}}",
			[]string{"a: expect-sizes: size 0 is open, 1 is expected: [batch, 3, 8, 8]"},
		},
		{
			"a range", x + "expect: {sizes: [{max: 64}, {min: 4}, {max: 7}, {min: 8, max: 8}]}}",
			[]string{
				"a: expect-sizes: size 0 is open, at most 64 is expected: [batch, 3, 8, 8]",
				"a: expect-sizes: size 1 is 3, at least 4 is expected: [batch, 3, 8, 8]",
				"a: expect-sizes: size 2 is 8, at most 7 is expected: [batch, 3, 8, 8]",
			},
		},
		{
			"a range that holds",
			x + "sizes: [64, 3, 8, 8], expect: {sizes: [{max: 64}, {min: 3}, 8, {min: 7, max: 9}]}}",
			nil,
		},
		{
			"one more", x + "sizes: [65, 3, 8, 8], expect: {sizes: [{max: 64}, {min: 3}, 8, {min: 9, max: 10}]}}",
			[]string{
				"a: expect-sizes: size 0 is 65, at most 64 is expected: [65, 3, 8, 8]",
				"a: expect-sizes: size 3 is 8, 9 to 10 is expected: [65, 3, 8, 8]",
			},
		},
		{"it stays open", x + "expect: {open: [0, N, batch, -4]}}", nil},
		{"one axis", x + "expect: {open: 0}}", nil},
		{
			"it is not", x + "expect: {open: [1, C, -1, seq, 4]}}",
			[]string{
				"a: expect-open: size 1 is 3, and has to stay open: [batch, 3, 8, 8]",
				"a: expect-open: size 1 is 3, and has to stay open: [batch, 3, 8, 8]",
				"a: expect-open: size 3 is 8, and has to stay open: [batch, 3, 8, 8]",
				"a: expect-open: no size that is open has the name seq: [batch, 3, 8, 8]",
				"a: config-value: the tensor has no axis 4, but 4 sizes: N, C, H, W",
			},
		},
		{
			"the configuration gives it a value", x + "sizes: [2, 3, 8, 8], expect: {open: [0]}}",
			[]string{"a: expect-open: size 0 is 2, and has to stay open: [2, 3, 8, 8]"},
		},
		{
			"a size without a name", "{file: m.onnx, tensor: y, expect: {open: [0, 1]}}",
			[]string{"a: expect-open: size 1 is 192, and has to stay open: [?, 192]"},
		},
		{
			"a tensor of no file", "{dtype: f32, sizes: [1, 3], expect: {open: [0]}}",
			[]string{"a: expect-open: size 0 is 1, and has to stay open: [1, 3]"},
		},
		{
			"what follows from all sizes",
			x + "expect: {layout: NCHW, packed: true, maxBytes: 1, bytes: {min: 1}, rowPitch: 32, rowAlignment: 4, " +
				"strides: [192, 64, 8, 1]}}",
			[]string{
				cannot("expect-layout"), cannot("expect-packed"), cannot("expect-max-bytes"), cannot("expect-bytes"),
				cannot("expect-row-pitch"), cannot("expect-row-align"), cannot("expect-strides"),
			},
		},
		{"a pitch too", x + "expect: {pitch: {H: 8}}}", []string{cannot("expect-layout")}},
		{"what does not", x + "expect: {baseAlignment: 64, sameAs: a2}}\n  a2: " + x + "sizes: [5, 3, 8, 8]}", nil},
		{
			"a size of another tensor", x + "expect: {sameAs: a2}}\n  a2: {dtype: f32, sizes: [1, 3, 8, 9]}",
			[]string{"a: expect-same-as: size 3 is 8 in a and 9 in a2"},
		},
		{
			"another order", x + "expect: {sameAs: a2}}\n  a2: {dtype: f32, sizes: [5, 3, 8, 8], layout: NHWC}",
			[]string{"a: expect-same-as: element (0,0,0,1) is at offset 1 in a and at 3 in a2"},
		},
		{
			"a divisor", x + "expect: {divisibleBy: {C: 3, N: 8}}}",
			[]string{
				"a: expect-divisible: size 0 is open: whether it is a multiple of 8 cannot be told | give it a value " +
					"in sizes of the tensor",
			},
		},
		{
			"one name, open and not", x + "expect: {sizes: [N, 3, 8, 8]}}\n  b: {dtype: f32, sizes: 4x3, expect: " +
				"{sizes: [N, 3]}}\n  c: {file: m.onnx, tensor: y, expect: {sizes: [N, '?']}}",
			[]string{"b: expect-sizes: size 0 is 4, and N is open in a"},
		},
		{
			"the order of a layout",
			"{file: m.onnx, tensor: x, layout: NHWC, expect: {open: [N], sizes: ['?', 8, 3, 8]}}",
			nil,
		},
	} {
		text := "version: 1\ntensors:\n  a: " + tt.tensor + "\n"
		if diff := cmp.Diff(tt.want, shelfFindings(t, library(), text)); diff != "" {
			t.Errorf("%s: %s", tt.reason, diff)
		}
	}
}

// TestRanges has the limits of ranges and alternatives.
func TestRanges(t *testing.T) {
	for _, tt := range []struct {
		right, wrong string // expectations of a float16 tensor of [6]: 12 bytes
		want         []string
	}{
		{"dtype: [float32, half]", "dtype: [float32, bfloat16]",
			[]string{"a: expect-dtype: the type is float16, float32 or bfloat16 is expected"}},
		{"dtype: [flaot32, half]", "dtype: [bfloat16, flaot32]",
			[]string{"a: config-value: unknown element type flaot32 | did you mean float32?"}},
		{"rank: {max: 1}", "rank: {max: 0}",
			[]string{"a: expect-rank: the tensor has 1 size, at most 0 are expected: [6]"}},
		{"rank: {min: 1}", "rank: {min: 2, max: 3}",
			[]string{"a: expect-rank: the tensor has 1 size, 2 to 3 are expected: [6]"}},
		{"bytes: {max: 12}", "bytes: {max: 11}",
			[]string{"a: expect-bytes: 12 bytes are needed, at most 11 are expected"}},
		{"bytes: {min: 12B}", "bytes: {min: 13 B}",
			[]string{"a: expect-bytes: 12 bytes are needed, at least 13 are expected"}},
		{"bytes: 0.012kB", "bytes: 0.013kB", []string{"a: expect-bytes: 12 bytes are needed, 13 are expected"}},
		{"bytes: {max: 0.01171875KiB}", "bytes: {max: 0.0107421875KiB}",
			[]string{"a: expect-bytes: 12 bytes are needed, at most 11 are expected"}},
		{
			"maxBytes: 12B",
			"maxBytes: 11B",
			[]string{"a: expect-max-bytes: 12 bytes are needed, 11 are expected at most"},
		},
		{"bytes: 12", "bytes: 10", []string{
			"a: expect-bytes: 12 bytes are needed, 10 are expected",
		}},
		{"bytes: {max: 9223372036854775807}", "bytes: {max: 9223372036854775808}", []string{
			"a: config-value: \"9223372036854775808\" is not a number of bytes | such as 67108864, 64MiB " +
				"(of 1048576) or 64MB (of 1000000)",
		}},
		{"bytes: {max: 8388607TiB}", "bytes: {max: 8388608TiB}", []string{
			"a: config-value: \"8388608TiB\" is not a number of bytes | such as 67108864, 64MiB (of 1048576) or 64MB " +
				"(of 1000000)",
		}},
		{"rank: {min: 1, max: 1}", "rank: {min: 2, max: 1}", []string{"a: config-value: min 2 is more than max 1"}},
		{"rank: {min: 1, x-why: 2}", "rank: {min: 1, most: 2}",
			[]string{"a: config-key: \"most\" is not a key of a range"}},
		{"rank: {max: 1}", "rank: {maxx: 1}",
			[]string{"a: config-key: \"maxx\" is not a key of a range | did you mean max?"}},
		{"rank: {max: 1}", "rank: {}",
			[]string{"a: config-value: a range has min, max or both | such as {min: 1, max: 64}"}},
	} {
		const tensor = "version: 1\ntensors: {a: {dtype: float16, sizes: 6, expect: {"
		if found := shelfFindings(t, nil, tensor+tt.right+"}}}\n"); found != nil {
			t.Errorf("%s is right: %q", tt.right, found)
		}
		if diff := cmp.Diff(tt.want, shelfFindings(t, nil, tensor+tt.wrong+"}}}\n")); diff != "" {
			t.Errorf("%s: %s", tt.wrong, diff)
		}
	}
}

// TestUnits has each unit of bytes, and strings that are not units.
func TestUnits(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "7": 7, "7B": 7, "7 B": 7, "7kB": 7000, "7MB": 7000000, "7GB": 7000000000, "7TB": 7000000000000,
		"7KiB": 7168, "7MiB": 7340032, "7GiB": 7516192768, "7TiB": 7696581394432, "1.5KiB": 1536, ".5kB": 500,
		"007KiB": 7168, "7KB": -1, "7kb": -1, "7K": -1, "7M": -1, "7mib": -1, "-7": -1, "-7B": -1, "1.5B": -1,
		"1.5": -1, "1..5KiB": -1, "KiB": -1, "1e3": -1, "1e3B": -1, "1/2KiB": -1, "0x10": -1, "7KiB ": 7168,
		"7KiBB": -1, "1_000B": -1, "''": -1, "[7]": -1, "null": -1, "true": -1,
	} {
		f := Config(yamlTree(t, "version: 1\ntensors: {a: {dtype: u8, sizes: 1}}\nbudgets: {b: {tensors: a, maxBytes: "+
			text+"}}\n"), nil)
		budgets := f.Config.(*expect.Config).Budgets
		switch {
		case want < 0 && len(budgets) > 0:
			t.Errorf("%q is %d", text, budgets[0].Most)
		case want >= 0 && (len(budgets) == 0 || budgets[0].Most != want):
			t.Errorf("%q: %v, want %d", text, f.Findings, want)
		}
	}
}

// TestEdges has edges that allow something: the pairs that they take, and the nearest that they do not.
func TestEdges(t *testing.T) {
	const tensors = `version: 1
tensors:
  f32: {dtype: f32, sizes: 2x6}
  f16: {dtype: f16, sizes: 2x6}
  flat: {dtype: f32, sizes: [12]}
  three: {dtype: f32, sizes: [3, 4]}
  more: {dtype: f32, sizes: [13]}
  wide: {dtype: f32, sizes: 2x6, strides: [8, 1]}
  folded: {dtype: f32, sizes: 2x2x3, strides: [8, 3, 1]}
  turned: {dtype: f32, sizes: 6x2, strides: [1, 6]}
  later: {dtype: f32, sizes: [12], base: 1}
  half: {dtype: f16, sizes: [24]}
  odd: {dtype: u8, sizes: [47]}
  blocks: {dtype: f32, sizes: 1x3x2x2, layout: NCHW4c}
  x: {file: m.onnx, tensor: x}
  y: {file: m.onnx, tensor: y}
  one: {file: m.onnx, tensor: one}
  small: {file: m.onnx, tensor: half}
  bytes: {file: m.onnx, tensor: bytes}
  less: {file: m.onnx, tensor: odd}
  vector: {file: m.onnx, tensor: vector}
  void: {file: m.onnx, tensor: void}
edges:
  - `
	for _, tt := range []struct{ reason, edge, want string }{
		{"a type", "[f32, f16]", "f32 is float32 and f16 is float16"},
		{"a cast", "{from: f32, to: f16, allow: cast}", ""},
		{"a cast is no reshape", "{from: f16, to: flat, allow: [cast]}", "f16 has 2 sizes, flat has 1 size"},
		{"a reshape", "{from: f32, to: flat, allow: reshape}", ""},
		{"of other sizes", "{from: f32, to: three, allow: reshape}", ""},
		{"both", "{from: f16, to: three, allow: [reshape, cast]}", ""},
		{"a reshape is no cast", "{from: f16, to: flat, allow: [reshape]}", "f16 is float16 and flat is float32"},
		{"one element more", "{from: f32, to: more, allow: reshape}", "f32 has 12 elements, more has 13 elements"},
		{
			"rows with gaps", "{from: wide, to: flat, allow: reshape}",
			"element 6 in row-major order is at offset 8 in wide and at 6 in flat",
		},
		{"rows with the same gaps", "{from: wide, to: folded, allow: reshape}", ""},
		{
			"the other order", "{from: turned, to: flat, allow: reshape}",
			"element 1 in row-major order is at offset 6 in turned and at 1 in flat",
		},
		{
			"a tensor that starts later", "{from: flat, to: later, allow: reshape}",
			"element 0 in row-major order is at offset 0 in flat and at 1 in later",
		},
		{
			"blocks of 4 channels, one of which is not used", "{from: blocks, to: flat, allow: reshape}",
			"element 1 in row-major order is at offset 4 in blocks and at 1 in flat",
		},
		{"as many bytes", "{from: f32, to: half, allow: bytes}", ""},
		{"one byte less", "{from: f32, to: odd, allow: bytes}", "f32 has 48 bytes, odd has 47 bytes"},
		{"a type does not matter then", "{from: f32, to: f16, allow: [bytes]}", "f32 has 48 bytes, f16 has 24 bytes"},
		{"open sizes", "{from: x, to: y, allow: reshape}", ""},
		{"open or not", "[y, one]", ""},
		{"and back", "[one, y]", ""},
		{
			"a size that differs beside an open one", "{from: y, to: small, allow: cast}",
			"size 1 is 192 in y and 96 in small",
		},
		{
			"other elements for an open size", "{from: y, to: small, allow: [cast, reshape]}",
			"y has 192 elements for each of its open sizes, small has 96 elements for each of its open sizes",
		},
		{"a multiple", "{from: x, to: one, allow: reshape}", ""},
		{"of the other", "{from: one, to: x, allow: reshape}", ""},
		{
			"no multiple", "{from: y, to: flat, allow: reshape}",
			"y has 192 elements for each of its open sizes, flat has 12 elements",
		},
		{"bytes of an open size", "{from: y, to: bytes, allow: bytes}", ""},
		{
			"one byte less than a multiple", "{from: y, to: less, allow: bytes}",
			"y has 768 bytes for each of its open sizes, less has 767 bytes",
		},
		{
			"no multiple of the other", "{from: flat, to: y, allow: reshape}",
			"flat has 12 elements, y has 192 elements for each of its open sizes",
		},
		{
			"any number", "{from: vector, to: flat, allow: reshape}", "",
		},
		{"of the other too", "{from: flat, to: vector, allow: reshape}", ""},
		{
			"nothing for an open size", "{from: void, to: flat, allow: reshape}",
			"void has 0 elements for each of its open sizes, flat has 12 elements",
		},
		{
			"what may differ",
			"{from: f32, to: f16, allow: [cats]}",
			`"cats" is not what may differ: cast, reshape or bytes`,
		},
		{"nothing", "{from: f32, to: f16, allow: []}", "a list is not what may differ: cast, reshape or bytes"},
		{"three ends", "[f32, f16, flat]", "an edge has two ends, and this has 3"},
	} {
		var want []string
		if tt.want != "" {
			want = []string{tt.want}
		}
		var found []string
		for _, line := range shelfFindings(t, library(), tensors+tt.edge+"\n") {
			message := strings.SplitN(line, ": ", 3)
			text, _, _ := strings.Cut(message[len(message)-1], " | ")
			found = append(found, text)
		}
		if diff := cmp.Diff(want, found); diff != "" {
			t.Errorf("%s: %s", tt.reason, diff)
		}
	}
}

// TestFiles has expectations of files: the last that holds, and the first that does not.
func TestFiles(t *testing.T) {
	const onnx = "{file: m.onnx, expect: "
	for _, tt := range []struct {
		reason, file string
		want         []string
	}{
		{"all that holds", onnx + "{bytes: 64KiB, tensorBytes: 1kB, parameters: {min: 250, max: 250}, opset: " +
			"{max: 17}, irVersion: 8, operators: [Conv, 'com.microsoft:*'], domains: ['ai.*', com.microsoft], " +
			"inputs: [mask, x], outputs: y, externalData: false}}", nil},
		{"nothing", "{file: m.onnx}", nil},
		{"bytes", onnx + "{bytes: {max: 65535}}}",
			[]string{"a: expect-file-bytes: the file has 65536 bytes, at most 65535 are expected"}},
		{"bytes of tensors", onnx + "{tensorBytes: {min: 1001}}}",
			[]string{"a: expect-file-bytes: the tensors have 1000 bytes, at least 1001 are expected"}},
		{"parameters", onnx + "{parameters: {max: 0.249e3}}}",
			[]string{"a: expect-parameters: the tensors have 250 parameters, at most 249 are expected"}},
		{"parameters of many", onnx + "{parameters: {min: 7e9}}}",
			[]string{"a: expect-parameters: the tensors have 250 parameters, at least 7000000000 are expected"}},
		{"parameters in letters", onnx + "{parameters: 7B}}", []string{
			`a: config-value: "7B" is not a number of parameters | such as 7e9 or 7000000000`}},
		{"opset", onnx + "{opset: {max: 16}}}",
			[]string{"a: expect-opset: the opset of ai.onnx is 17, at most 16 is expected"}},
		{"opset alone", onnx + "{opset: 18}}", []string{"a: expect-opset: the opset of ai.onnx is 17, 18 is expected"}},
		{"opsets", onnx + "{opset: {'': 17, com.microsoft: {max: 1}, ai.onnx.ml: {max: 3}, x-a: 1}}}", nil},
		{"opsets of others", onnx + "{opset: {ai.onnx: {min: 18}, com.microsoft: 2, ai.onnx.ml: 3}}}", []string{
			"a: expect-opset: the opset of ai.onnx is 17, at least 18 is expected",
			"a: expect-opset: the opset of com.microsoft is 1, 2 is expected",
			"a: expect-opset: the opset of ai.onnx.ml is not imported, 3 is expected",
		}},
		{"IR version", onnx + "{irVersion: {max: 7}}}",
			[]string{"a: expect-ir-version: the IR version is 8, at most 7 is expected"}},
		{"operators", onnx + "{operators: [Relu, 'ai.onnx:C*']}}",
			[]string{"a: expect-operators: the model has 1 operator that is not expected: com.microsoft:Gelu"}},
		{"no operators", onnx + "{operators: []}}",
			[]string{"a: expect-operators: the model has 2 operators that are not expected: Conv, com.microsoft:Gelu"}},
		{"any operator of ONNX's own", onnx + "{operators: ['*']}}",
			[]string{"a: expect-operators: the model has 1 operator that is not expected: com.microsoft:Gelu"}},
		{"domains", onnx + "{domains: ai.onnx}}",
			[]string{"a: expect-operators: the model has 1 domain that is not expected: com.microsoft"}},
		{"inputs", onnx + "{inputs: [x, y]}}", []string{
			"a: expect-interface: the model has 1 input that is not expected: mask",
			"a: expect-interface: the model has no input y | it has x, mask",
		}},
		{"outputs are no patterns", onnx + "{outputs: ['*']}}", []string{
			"a: expect-interface: the model has 1 output that is not expected: y",
			"a: expect-interface: the model has no output * | it has y",
		}},
		{"external data", onnx + "{externalData: true}}",
			[]string{"a: expect-external-data: 0 tensors in other files, at least 1 are expected"}},
		{"each file", "{file: 'e/*', expect: {bytes: {max: 299}, parameters: {min: 73}}}", []string{
			"a[e/a.st]: expect-file-bytes: the file has 300 bytes, at most 299 are expected",
			"a[e/b.st]: expect-parameters: the tensors have 32 parameters, at least 73 are expected",
		}},
		{"bytes that are not known", "{file: e/a.st, expect: {tensorBytes: 300}}",
			[]string{"a: expect-file-bytes: this cannot be told: the file has elements of a type without a size"}},
		{"a model", "{file: e/b.st, expect: {tensorBytes: 64, opset: 3, inputs: [x]}}", []string{
			"a: config-value: only ONNX models have this, and the file is safetensors",
			"a: config-value: only ONNX models have this, and the file is safetensors",
		}},
		{"a pointer has bytes", "{file: pointer, expect: {bytes: 9}}", nil},
		{"and nothing else, said once", "{file: pointer, expect: {bytes: 8, parameters: 1, opset: 3}}", []string{
			"a: expect-file-bytes: the file has 9 bytes, 8 are expected",
			"a: artefact-missing: this cannot be told: a pointer | check it out",
		}},
		{"no file", "{file: gone}", []string{`a: artefact-missing: "gone": the file is missing`}},
		{"no file like it", "{file: 'gone*'}", []string{`a: artefact-missing: no file has a path like "gone*"`}},
		{"no path", "{}", []string{"a: config-key: the path of the file is missing | such as file: models/*.onnx"}},
		{"a key", "{file: m.onnx, expect: {opsets: 3}}",
			[]string{`a: config-key: "opsets" is not a key of what is expected of a file | did you mean opset?`}},
		{"kinds", onnx + "{inputs: 3, externalData: 0, opset: {}, irVersion: x}}", []string{
			`a: config-value: "x" is not a whole number: decimal digits, no 0 before them, no quotes`,
			`a: config-value: "3" is not the name of an input`,
			"a: config-value: a range has min, max or both | such as {min: 1, max: 64}",
			`a: config-value: "0" is not true or false`,
		}},
		{"many patterns", onnx + "{operators: ['a*'" + strings.Repeat(", 'a*'", 100) + "]}}",
			[]string{"a: config-value: 101 of these are patterns, which may be 100 | write names"}},
	} {
		text := "version: 1\nfiles:\n  a: " + tt.file + "\n"
		if diff := cmp.Diff(tt.want, shelfFindings(t, library(), text)); diff != "" {
			t.Errorf("%s: %s", tt.reason, diff)
		}
	}
	if found := configFindings(t, "version: 1\nfiles: {a: {file: b}}\n"); len(found) != 1 {
		t.Errorf("without a directory: %q", found)
	}
}

// TestManyNames has more comparisons of names with patterns than the limit, which one finding reports, and more tensors
// than a configuration may have.
func TestManyNames(t *testing.T) {
	layouttest.SkipUnlessAll(t, "the input is large")
	many := make([]descriptor.Descriptor, 150_000)
	for i := range many {
		many[i] = named("t", "F32", nil, 1)
	}
	s := shelf{"many": {tensors: many}, "few": {tensors: []descriptor.Descriptor{named("a", "F32", nil, 1)}}}
	count := func(tensors int, form string) (found []string, n int) {
		text := strings.Repeat(form, tensors)
		for i := range tensors {
			text = strings.Replace(text, "N", "n"+strings.Repeat("n", i), 1)
		}
		f := Config(yamlTree(t, "version: 1\ntensors:\n"+text), s)
		for _, w := range f.Findings {
			found = append(found, w.Rule.Name+" "+w.Message)
		}
		return found, len(f.Descriptors)
	}
	const none = "  N: {file: many, tensor: 'x*'}\n"
	if found, _ := count(133, none); len(found) != 133 || !strings.HasPrefix(found[132], expect.ArtefactTensor.Name) {
		t.Errorf("133 x 150000 comparisons of a letter: %d findings", len(found))
	}
	found, _ := count(135, none)
	if len(found) != 134 || !strings.Contains(found[133], "more than 20000000 characters") {
		t.Errorf("135 x 150000 comparisons of a letter: %d findings, %s", len(found), found[len(found)-1])
	}
	found, n := count(2, "  N: {file: many, tensor: 't*'}\n")
	if n != MaxTensors || len(found) != 1 || !strings.Contains(found[0], "more than 200000 tensors match") {
		t.Errorf("%d tensors: %q", n, found)
	}
	if found, n := count(2, "  N: {file: '*', tensor: 't*'}\n"); n != MaxTensors || len(found) != 3 {
		t.Errorf("%d tensors: %q", n, found)
	}
}

// TestDefaultPattern has a pattern of files that no file matches: it is reported where it is stated, and where tensors
// have it from the defaults, at each of them.
func TestDefaultPattern(t *testing.T) {
	const text = "version: 1\ndefaults: {file: 'none/*'}\ntensors:\n  a: {tensor: x}\n" +
		"  b: {file: 'e/*.gone', tensor: x}\n"
	var got []string
	for _, f := range Config(yamlTree(t, text), library()).Findings {
		got = append(got, fmt.Sprint(f.Line, ":", f.Column, " ", f.Message))
	}
	want := []string{`4:3 no file has a path like "none/*"`, `5:13 no file has a path like "e/*.gone"`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
