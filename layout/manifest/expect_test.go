package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/expect"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/rules"
)

// TestExpectLimits checks the last right and the first wrong value of each expectation.
func TestExpectLimits(t *testing.T) {
	const (
		image  = "dtype: uint8, sizes: 1x3x480x640, layout: NHWC, "
		matrix = "dtype: float16, sizes: 4x1000, "
	)
	tests := []struct {
		rule                 *finding.Rule
		right, wrong, reason string // the fields of a tensor
		found                string // in the wrong one
	}{
		{
			rule: expect.ExpectDType, reason: "any system's name",
			right: "dtype: <f4, sizes: 3, expect: {dtype: torch.float32}",
			wrong: "dtype: <f4, sizes: 3, expect: {dtype: torch.float64}",
			found: "3 torch.float64: expect-dtype: the type is float32, torch.float64 is expected",
		},
		{
			rule: expect.ExpectDType, reason: "as many bits",
			right: "dtype: bfloat16, sizes: 3, expect: {dtype: BF16}",
			wrong: "dtype: bfloat16, sizes: 3, expect: {dtype: float16}",
			found: "3 float16: expect-dtype: the type is bfloat16, float16 is expected",
		},
		{
			rule: expect.ExpectRank, reason: "one more",
			right: "dtype: f32, sizes: [1, 3], expect: {rank: 2}",
			wrong: "dtype: f32, sizes: [1, 3], expect: {rank: 3}",
			found: "3 3: expect-rank: the tensor has 2 sizes, 3 are expected: [1, 3]",
		},
		{
			rule: expect.ExpectRank, reason: "a scalar", right: "dtype: f32, sizes: [], expect: {rank: 0}",
			wrong: "dtype: f32, sizes: [1], expect: {rank: 0}",
			found: "3 0: expect-rank: the tensor has 1 size, 0 are expected: [1]",
		},
		{
			rule: expect.ExpectSizes, reason: "any size in three spellings",
			right: "dtype: f32, sizes: [8, 3, 0, 1], expect: {sizes: [?, 3, -1, null]}",
			wrong: "dtype: f32, sizes: [8, 4, 0, 1], expect: {sizes: [?, 3, -1, null]}",
			found: "3 3: expect-sizes: size 1 is 4, 3 is expected: [8, 4, 0, 1]",
		},
		{
			rule: expect.ExpectSizes, reason: "a name twice in a tensor",
			right: "dtype: f32, sizes: [7, 7], expect: {sizes: [N, N]}",
			wrong: "dtype: f32, sizes: [7, 8], expect: {sizes: [N, N]}",
			found: "3 N: expect-sizes: size 1 is 8, and N is 7 in a",
		},
		{
			rule: expect.ExpectSizes, reason: "a text with an open size",
			right: "dtype: f32, sizes: [64, 5, 7], expect: {sizes: 64x?x7}",
			wrong: "dtype: f32, sizes: [64, 5, 8], expect: {sizes: 64x?x7}",
			found: "3 64x: expect-sizes: size 2 is 8, 7 is expected: [64, 5, 8]",
		},
		{
			rule: expect.ExpectSizes, reason: "a text with names",
			right: "dtype: f32, sizes: [7, 5, 7], expect: {sizes: 'N, -1, N'}",
			wrong: "dtype: f32, sizes: [7, 5, 8], expect: {sizes: 'N, -1, N'}",
			found: "3 'N: expect-sizes: size 2 is 8, and N is 7 in a",
		},
		{
			rule: expect.ExpectSizes, reason: "a text with open sizes only, of another rank",
			right: "dtype: f32, sizes: [7, 5], expect: {sizes: '?x?'}",
			wrong: "dtype: f32, sizes: [7], expect: {sizes: '?x?'}",
			found: "3 ': expect-sizes: [7] are 1 size, 2 are expected",
		},
		{
			rule: expect.ExpectSizes, reason: "another rank", right: "dtype: f32, sizes: [7, 7], expect: {sizes: 7x7}",
			wrong: "dtype: f32, sizes: [1, 7, 7], expect: {sizes: 7x7}",
			found: "3 7x7: expect-sizes: [1, 7, 7] are 3 sizes, 2 are expected",
		},
		{
			rule: expect.ExpectSizes, reason: "labels in the order of N, C, H, W",
			right: "dtype: f32, sizes: 1x3x4x5, expect: {sizes: 'N=1,H=4,W=5,C=3'}",
			wrong: "dtype: f32, sizes: 1x2x4x5, expect: {sizes: 'N=1,H=4,W=5,C=3'}",
			found: "3 'N: expect-sizes: size 1 is 2, 3 is expected: [1, 2, 4, 5]",
		},
		{
			rule: expect.ExpectDivisible, reason: "a letter of the layout",
			right: "dtype: f16, sizes: 1x64x2x2, layout: NHWC, expect: {divisibleBy: {C: 16}}",
			wrong: "dtype: f16, sizes: 1x65x2x2, layout: NHWC, expect: {divisibleBy: {x-why: MMA, C: 16}}",
			found: "3 16: expect-divisible: size 1 is 65, which is not a multiple of 16 | 80 would be",
		},
		{
			rule: expect.ExpectDivisible, reason: "a position from the end",
			right: "dtype: f16, sizes: 5x64, expect: {divisibleBy: {-1: 64, '0': 5}}",
			wrong: "dtype: f16, sizes: 5x63, expect: {divisibleBy: {-1: 64}}",
			found: "3 64: expect-divisible: size 1 is 63, which is not a multiple of 64 | 64 would be",
		},
		{
			rule: expect.ExpectDivisible, reason: "labels of a family without a default name",
			right: "dtype: f16, sizes: 'O=3,I=8,H=1,W=1', expect: {divisibleBy: {I: 8}}",
			wrong: "dtype: f16, sizes: 'O=8,I=3,H=1,W=1', expect: {divisibleBy: {I: 8}}",
			found: "3 8: expect-divisible: size 1 is 3, which is not a multiple of 8 | 8 would be",
		},
		{
			rule: expect.ExpectBytes, reason: "2 x 5", right: "dtype: f16, sizes: 5, expect: {bytes: 10}",
			wrong: "dtype: f16, sizes: 5, expect: {bytes: 12}",
			found: "3 12: expect-bytes: 10 bytes are needed, 12 are expected",
		},
		{
			rule: expect.ExpectBytes, reason: "too many are wrong too",
			right: "dtype: f32, sizes: 5, expect: {bytes: 20}",
			wrong: "dtype: f32, sizes: 5, expect: {bytes: 24}",
			found: "3 24: expect-bytes: 20 bytes are needed, 24 are expected",
		},
		{
			rule: expect.ExpectRowPitch, reason: "640 pixels of 3 bytes", right: image + "expect: {rowPitch: 1920}",
			wrong: image + "expect: {rowPitch: 2048}",
			found: "3 2048: expect-row-pitch: rows, which follow each other along axis 2, are 1920 elements apart " +
				"(1920 bytes), 2048 bytes are expected",
		},
		{
			rule: expect.ExpectRowPitch, reason: "the columns of a column-major matrix",
			right: matrix + "strides: [1, 8], expect: {rowPitch: 16}",
			wrong: matrix + "strides: [1, 4], expect: {rowPitch: 16}",
			found: "3 16: expect-row-pitch: rows, which follow each other along axis 1, are 4 elements apart (8 " +
				"bytes), 16 bytes are expected",
		},
		{
			rule: expect.ExpectRowPitch, reason: "a row alone has any pitch",
			right: "dtype: f32, sizes: [1, 7], strides: [9, 1], expect: {rowPitch: 64}",
			wrong: "dtype: f32, sizes: [2, 7], strides: [9, 1], expect: {rowPitch: 64}",
			found: "3 64: expect-row-pitch: rows, which follow each other along axis 0, are 9 elements apart (36 " +
				"bytes), 64 bytes are expected",
		},
		{
			rule: expect.ExpectRowPitch, reason: "half bytes", right: "dtype: i4, sizes: [2, 6], expect: {rowPitch: 3}",
			wrong: "dtype: i4, sizes: [2, 7], expect: {rowPitch: 3}",
			found: "3 3: expect-row-pitch: rows, which follow each other along axis 0, are 7 elements apart (28 " +
				"bits), 3 bytes are expected",
		},
		{
			rule: expect.ExpectRowPitch, reason: "rows of blocks of channels: 5 x 16 x 2",
			right: "dtype: f16, sizes: 1x32x4x5, layout: NCHW16c, expect: {rowPitch: 160}",
			wrong: "dtype: f16, sizes: 1x32x4x5, layout: NCHW16c, expect: {rowPitch: 10}",
			found: "3 10: expect-row-pitch: rows, which follow each other along axis 2, are 80 elements apart (160 " +
				"bytes), 10 bytes are expected",
		},
		{
			rule: expect.ExpectRowPitch, reason: "blocks have none",
			right: "dtype: f16, sizes: 32x32, layout: AB, expect: {rowPitch: 64}",
			wrong: "dtype: f16, sizes: 32x32, layout: AB16b, expect: {rowPitch: 64}",
			found: "3 64: expect-row-pitch: the tensor is made of blocks, and has no axes H and W: it has no rows, " +
				"64 bytes are expected",
		},
		{
			rule: expect.ExpectRowAlign, reason: "D3D12_TEXTURE_DATA_PITCH_ALIGNMENT",
			right: matrix + "strides: [1024, 1], expect: {rowAlignment: 256}",
			wrong: matrix + "expect: {rowAlignment: 256}",
			found: "3 256: expect-row-align: rows, which follow each other along axis 0, are 1000 elements apart " +
				"(2000 bytes), a multiple of 256 bytes is expected",
		},
		{
			rule: expect.ExpectRowAlign, reason: "2000 is 125 x 16", right: matrix + "expect: {rowAlignment: 16}",
			wrong: matrix + "expect: {rowAlignment: 32}",
			found: "3 32: expect-row-align: rows, which follow each other along axis 0, are 1000 elements apart " +
				"(2000 bytes), a multiple of 32 bytes is expected",
		},
		{
			rule: expect.ExpectBaseAlign, reason: "8 floats",
			right: "dtype: f32, sizes: 4, base: 8, expect: {baseAlignment: 32}",
			wrong: "dtype: f32, sizes: 4, base: 8, expect: {baseAlignment: 64}",
			found: "3 64: expect-base-align: the first element is 8 elements after the start of the buffer (32 " +
				"bytes), a multiple of 64 bytes is expected",
		},
		{
			rule: expect.ExpectBaseAlign, reason: "the buffer's own alignment",
			right: "dtype: f32, sizes: 4, alignment: 64, expect: {baseAlignment: 64}",
			wrong: "dtype: f32, sizes: 4, alignment: 32, expect: {baseAlignment: 64}",
			found: "3 64: expect-base-align: the buffer is at a multiple of 32 bytes, a multiple of 64 is expected",
		},
		{
			rule: expect.ExpectBaseAlign, reason: "an alignment of 0 promises nothing",
			right: "dtype: f32, sizes: 4, expect: {baseAlignment: 64}",
			wrong: "dtype: f32, sizes: 4, alignment: 0, expect: {baseAlignment: 64}",
			found: "3 64: expect-base-align: the buffer is at a multiple of 0 bytes, a multiple of 64 is expected",
		},
	}
	for _, tt := range tests {
		t.Run(tt.rule.String()+"/"+tt.reason, func(t *testing.T) {
			only := []*finding.Rule{tt.rule, configKey, descriptor.ConfigValue}
			if found := configFindings(t, tensorConfig(tt.right), only...); found != nil {
				t.Errorf("%s is right: %q", tt.right, found)
			}
			if diff := cmp.Diff([]string{tt.found}, configFindings(t, tensorConfig(tt.wrong), only...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestVocabulary checks the shared parts of a document: names of sizes, defaults, budgets, and keys of others.
func TestVocabulary(t *testing.T) {
	const two = "version: 1\ntensors:\n  a: {dtype: f16, sizes: 5}\n  b.x: {dtype: f16, sizes: 2}\n"
	tests := []struct {
		reason, text string
		want         []string
	}{
		{
			"a name is one size in all tensors",
			"version: 1\ntensors:\n  a: {dtype: u8, sizes: 8x3, expect: {sizes: [N, C]}}\n" +
				"  b: {dtype: i64, sizes: 9x10, expect: {sizes: [N, ?]}}\n",
			[]string{"4 N: expect-sizes: size 0 is 9, and N is 8 in a"},
		},
		{
			"sizes that are none", tensorConfig("dtype: f32, sizes: 3x3x3, expect: {sizes: [-2, 1.5, '3', a b]}"),
			[]string{
				`3 -2: config-value: "-2" is not a size, nor ?, -1 or a name for any size, nor {min: 1, max: 64} | ` +
					`such as [N, 3, '?', 224]`,
				`3 1.5: config-value: "1.5" is not a size, nor ?, -1 or a name for any size, nor {min: 1, max: 64} | ` +
					`such as [N, 3, '?', 224]`,
				`3 '3': config-value: "3" is not a size, nor ?, -1 or a name for any size, nor {min: 1, max: 64} | ` +
					`such as [N, 3, '?', 224]`,
				`3 a: config-value: "a b" is not a size, nor ?, -1 or a name for any size, nor {min: 1, max: 64} | ` +
					`such as [N, 3, '?', 224]`,
			},
		},
		{
			"other values that are none",
			tensorConfig("dtype: f32, sizes: 3, expect: {dtype: 3, rank: -1, rowPitch: 0, rowAlignment: -4, " +
				"baseAlignment: x, divisibleBy: 8, bytes: {}}"),
			[]string{
				`3 {: config-value: a range has min, max or both | such as {min: 1, max: 64}`,
				`3 3: config-value: "3" is not an element type, such as float32`,
				`3 -1: config-value: "-1" is not a number of at least 0`,
				`3 8: config-value: "8" is not an object of axes, such as {C: 8}`,
				`3 0: config-value: "0" is not a number of at least 1`,
				`3 -4: config-value: "-4" is not a number of at least 1`,
				`3 x: config-value: "x" is not a whole number: decimal digits, no 0 before them, no quotes`,
			},
		},
		{
			"a type and axes that do not exist",
			tensorConfig("dtype: f32, sizes: 3x4, expect: {dtype: flaot32, divisibleBy: {K: 2, 2: 2, W: 4, W: 2}}"),
			[]string{"3 W: config-key: \"W\" is stated twice | remove one of them"},
		},
		{
			"axes that do not exist",
			tensorConfig("dtype: f32, sizes: 3x4, expect: {dtype: flaot32, divisibleBy: {K: 2, 2: 2, W: 4}}"),
			[]string{
				"3 flaot32: config-value: unknown element type flaot32 | did you mean float32?",
				"3 2: config-value: the tensor has no axis K, but 2 sizes: H, W",
				"3 2: config-value: the tensor has no axis 2, but 2 sizes: H, W",
			},
		},
		{"a budget that is kept", two + "budgets:\n  all: {tensors: '*', maxBytes: 14}\n", nil},
		{
			"one byte less", two + "budgets:\n  all: {tensors: [a, 'b.*', '?'], maxBytes: 13}\n",
			[]string{
				"6 13: budget-max-bytes: all: 14 bytes together, 13 are expected at most: 1 more; the largest of 2 " +
					"tensors is a with 10",
			},
		},
		{
			"budgets of nothing",
			two + "budgets:\n  one: {tensors: aa, maxBytes: 1}\n  two: {tensors: ['c*'], maxBytes: 1}\n" +
				"  three: {tensor: a}\n  four: 4\n",
			[]string{
				`6 aa: config-value: there is no tensor "aa" | did you mean a?`,
				`7 'c: config-value: no tensor has a name like "c*"`,
				`8 tensor: config-key: "tensor" is not a key of a budget | did you mean tensors?`,
				`8 three: config-key: the budget has no key tensors | {tensors: [one, 'other.*'], maxBytes: 1048576}`,
				`8 three: config-key: the budget has no key maxBytes | {tensors: [one, 'other.*'], maxBytes: 1048576}`,
				`9 4: config-value: "4" is not a budget, an object with keys`,
			},
		},
		{
			"a sum that 64 bits do not hold",
			"version: 1\ntensors:\n  a: {dtype: u8, sizes: 9223372036854775000}\n  b: {dtype: u8, sizes: 1000}\n" +
				"budgets:\n  all: {tensors: '*', maxBytes: 9223372036854775807}\n",
			[]string{
				"6 9223372036854775807: budget-max-bytes: all: 9223372036854776000 bytes together, " +
					"9223372036854775807 are expected at most: 193 more; the largest of 2 tensors is a with " +
					"9223372036854775000",
			},
		},
		{
			"defaults",
			"version: 1\ndefaults: {dtype: float16, layout: NHWC, expect: {packed: true, dtype: float16}}\ntensors:\n" +
				"  a: {sizes: 1x3x4x4, expect: {strides: [48, 1, 12, 3]}}\n" +
				"  b: {sizes: 2x3, strides: [4, 1], expect: {packed: false}}\n" +
				"  c: {sizes: 1x3x4x4, dtype: float32}\n",
			[]string{"6 c: expect-dtype: the type is float32, float16 is expected"},
		},
		{
			"a default of sameAs is not for the tensor itself",
			"version: 1\ndefaults: {dtype: f32, sizes: 2x3, expect: {sameAs: a}}\ntensors:\n  a: {}\n  b: {layout: " +
				"WH}\n",
			[]string{"5 b: expect-same-as: element (0,1) is at offset 2 in b and at 1 in a"},
		},
		{
			"what is wrong with defaults is said once",
			"version: 1\ndefaults: {dtype: flaot32, size: 3, layout: HW, strides: [3, 1], expect: {packed: 1, sizes: " +
				"[x.y]}}\ntensors:\n  a: {sizes: 3}\n  b: {sizes: 4, dtype: f32, strides: [1]}\n",
			[]string{
				`2 flaot32: config-value: unknown element type flaot32 | did you mean float32?`,
				`2 size: config-key: "size" is not a key of a tensor | did you mean sizes?`,
				`2 HW: config-value: layout and strides cannot both be the default`,
				`2 1: config-value: "1" is not true or false`,
				`2 x.y: config-value: "x.y" is not a size, nor ?, -1 or a name for any size, nor {min: 1, max: 64} | ` +
					`such as [N, 3, '?', 224]`,
			},
		},
		{
			"what neither states", "version: 1\ndefaults: {dtype: f32}\ntensors:\n  a: {}\n",
			[]string{"4 a: config-key: the tensor has no sizes | such as sizes: 1x3x224x224"},
		},
		{
			"keys of others, and words for people",
			"version: 1\nx-owner: the team\ndescription: |\n  Two lines\n  of words.\nx-image: &image {dtype: u8, " +
				"x-a: 1, description: an image}\ntensors:\n  a:\n    <<: *image\n    sizes: 3\n    expect: {x-why: " +
				"{}, " +
				"rank: 1}\n" +
				"  x-b: {<<: *image, sizes: 4}\nedges: [{from: a, to: a2, x-c: 1}]\n" +
				"budgets: {all: {tensors: [a, x-b], maxBytes: 6, x-d: []}}\n",
			[]string{
				`13 a2: config-value: there is no tensor "a2"`,
				"14 6: budget-max-bytes: all: 7 bytes together, 6 are expected at most: 1 more; the largest of 2 " +
					"tensors is x-b with 4",
			},
		},
		{
			"descriptions that are none", "version: 1\ndescription: 3\ntensors:\n  a: {dtype: f32, sizes: 3, " +
				"description: []}\n",
			[]string{`2 3: config-value: "3" is not a text`, `4 [: config-value: a list is not a text`},
		},
	}
	for _, test := range tests {
		t.Run(test.reason, func(t *testing.T) {
			if diff := cmp.Diff(test.want, configFindings(t, test.text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestExpectOfFiles has expectations of a tensor with a type that only its file defines.
func TestExpectOfFiles(t *testing.T) {
	find := finder(func(string, string) expect.Artefact {
		return expect.Artefact{Have: descriptor.Descriptor{
			Name: "w", TypeName: "Q4_K", TypeJudged: true, Sizes: []int64{2, 256}, Total: descriptor.Stated(288),
		}}
	})
	for _, tt := range []struct{ fields, want string }{
		{"expect: {bytes: 288, maxBytes: 288, dtype: q4_k, sizes: [?, 256]}", ""},
		{"expect: {bytes: 284}", "288 bytes are needed, 284 are expected"},
		{"expect: {maxBytes: 287}", "288 bytes are needed, 287 are expected at most"},
		{"expect: {dtype: float16}", "the type is Q4_K, float16 is expected"},
		{"expect: {rowPitch: 144}", "this cannot be told: the size of an element of type Q4_K is not known"},
	} {
		tree := yamlTree(t, tensorConfig("file: a.gguf, "+tt.fields))
		f := Config(tree, find)
		var found []string
		report := func(f finding.Finding) { found = append(found, f.Message) }
		c := rules.NewChecker(finding.Options{Shown: finding.Error}, report)
		if f.Config != nil {
			c.CheckExpectations(f.Target, f.Config)
		}
		if got := strings.Join(found, "; "); got != tt.want || len(f.Findings) > 0 {
			t.Errorf("%s: %q, want %q; %v", tt.fields, got, tt.want, f.Findings)
		}
	}
}

// TestDefaultFile has a file that all tensors are in.
func TestDefaultFile(t *testing.T) {
	find := finder(func(file, tensor string) expect.Artefact {
		return expect.Artefact{Kind: file, Have: descriptor.Descriptor{Name: tensor, TypeName: "F32", Sizes: []int64{2,
			3}}}
	})
	tree := yamlTree(t, "version: 1\ndefaults: {file: m.safetensors, dtype: F32, sizes: [?, 3]}\ntensors:\n"+
		"  a: {tensor: w}\n  b: {tensor: v, sizes: [2, 4]}\n")
	f := Config(tree, find)
	if len(f.Findings) != 1 || f.Findings[0].Rule != expect.ArtefactSizes || f.Findings[0].Line != 5 ||
		len(f.Descriptors) != 2 || cmp.Diff(f.Descriptors[0].Sizes, []int64{2, 3}) != "" {
		t.Errorf("%v, %v", f.Findings, f.Descriptors)
	}
}
