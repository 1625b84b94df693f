package manifest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	pages "layoutcalc/docs/rules"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/expect"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/wording"
)

// configFindings reads a configuration, as YAML unless it starts with a bracket, and returns all findings of reader and
// rules in the form line word: rule: message | fix. The word is the token at the finding's position.
func configFindings(t testing.TB, text string, only ...*finding.Rule) []string {
	t.Helper()
	tree := new(doctree.Tree)
	if strings.HasPrefix(text, "{\"") {
		if err := tree.JSON([]byte(text)); err != nil {
			t.Fatal(err)
		}
	} else {
		tree = yamlTree(t, text)
	}
	return treeFindings(tree, text, only...)
}

// yamlTree parses a YAML input of one document.
func yamlTree(t testing.TB, text string) *doctree.Tree {
	t.Helper()
	trees, err := doctree.YAML([]byte(text), 9)
	if err != nil || len(trees) != 1 {
		t.Fatalf("%d documents, %v", len(trees), err)
	}
	return trees[0]
}

// treeFindings is like configFindings, for a tree of text.
func treeFindings(tree *doctree.Tree, text string, only ...*finding.Rule) []string {
	f := Config(tree, nil)
	var lines []string
	c := rules.NewChecker(finding.Options{Shown: finding.Warning, Only: only}, func(f finding.Finding) {
		word := strings.Split(text, "\n")[f.Line-1][f.Column-1:]
		const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.~'\"#[{$"
		word = word[:len(word)-len(strings.TrimLeft(word, letters))]
		line := fmt.Sprintf("%d %s: %v: %s", f.Line, word, f.Rule, f.Message)
		if f.Fix != "" {
			line += " | " + f.Fix
		}
		lines = append(lines, line)
	})
	ignores, wrong := finding.Ignores(f.Comments, slices.Concat(rules.Rules, expect.Rules, descriptor.Rules, Rules))
	c.Silence(ignores)
	for _, w := range append(wrong, f.Findings...) {
		c.Add(w)
	}
	for i := range f.Descriptors {
		c.Check(f.Target, &f.Descriptors[i])
	}
	if f.Config != nil {
		c.CheckExpectations(f.Target, f.Config)
	}
	c.Unused(f.Target.Family)
	return lines
}

// tensorConfig is a configuration of one tensor.
func tensorConfig(fields string) string {
	return "version: 1\ntensors:\n  a: {" + fields + "}\n"
}

func TestConfigFindings(t *testing.T) {
	tests := []struct {
		reason, text string
		want         []string
	}{
		{
			"nothing is wrong",
			tensorConfig("dtype: float32, sizes: 1x3x4x4, layout: NHWC, role: input, expect: {layout: NHWC, " +
				"packed: true, maxBytes: 192, strides: [48, 1, 12, 3]}"),
			nil,
		},
		{"JSON with comments", `{"version": 1, // one
			"tensors": {"a": {"dtype": "float32", "sizes": [2, 3],},}, /* two */}`, nil},
		{"no version", "tensors: {}\n", []string{
			`1 tensors: config-key: the version is missing | version: 1`,
		}},
		{"another version", "version: 2\nother: 3\n", []string{
			`1 2: config-value: "2" is not a version that is known here, which is 1 | version: 1`,
		}},
		{"a version in quotes", "version: '1'\ntensors: {}\n", []string{
			`1 '1': config-value: "1" is not a version that is known here, which is 1 | version: 1`,
		}},
		{
			"unknown keys",
			"version: 1\ntarges: none\ntensors:\n  a:\n    dtype: f32\n    size: 3\n    sizes: 3\n    expect: " +
				"{packd: true}\n",
			[]string{
				`2 targes: config-key: "targes" is not a key of a configuration | did you mean target?`,
				`6 size: config-key: "size" is not a key of a tensor | did you mean sizes?`,
				`8 packd: config-key: "packd" is not a key of what is expected | did you mean packed?`,
			},
		},
		{
			"an unknown key does not keep a tensor from the rules",
			tensorConfig("dtype: f32, sizes: [2, 3], strides: [0, 1], role: output, comment: x"),
			[]string{
				`3 comment: config-key: "comment" is not a key of a tensor`,
				`3 0: broadcast-output: (0,0) and (1,0) are both at element 0 (byte 0); dimension 0 repeats: 3 ` +
					`stored elements (12 bytes) for 6 | strides [3, 1] give every element its own address`,
			},
		},
		{
			"tensors that are joined to themselves",
			"version: 1\ntensors:\n  a: {dtype: f32, sizes: 3, expect: {sameAs: a}}\nedges:\n  - [a, a]\n",
			[]string{
				`3 a: config-value: a tensor is always the same as itself`,
				`5 [a: config-value: the edge joins a tensor to itself`,
			},
		},
		{
			"a type that is misspelt is not missing, and not read",
			"version: 1\ntarget: directml\ntensors:\n  a: {dtpye: float32, sizes: [0]}\n",
			[]string{
				`4 dtpye: config-key: "dtpye" is not a key of a tensor | did you mean dtype?`,
			},
		},
		{
			"60 bytes of a text are shown", tensorConfig("dtype: f32, sizes: 3, " + strings.Repeat("x", 60) + ": 1, " +
				strings.Repeat("y", 61) + ": 1"),
			[]string{
				`3 ` + strings.Repeat("x", 60) + `: config-key: "` + strings.Repeat("x", 60) +
					`" is not a key of a tensor`,
				`3 ` + strings.Repeat("y", 61) + `: config-key: "` + strings.Repeat("y", 60) +
					`..." is not a key of a tensor`,
			},
		},
		{"an unknown expectation", tensorConfig("dtype: f32, sizes: 3, expect: {packd: true}"), []string{
			`3 packd: config-key: "packd" is not a key of what is expected | did you mean packed?`,
		}},
		{
			"keys twice",
			"version: 1\nversion: 1\ntensors:\n  a: {dtype: f32, sizes: 3, dtype: f16}\n  b: {dtype: f32, sizes:" +
				" 3}\n  b: {dtype: f16, sizes: 3}\n",
			[]string{
				`2 version: config-key: "version" is stated twice | remove one of them`,
				`4 dtype: config-key: "dtype" is stated twice | remove one of them`,
				`6 b: config-key: "b" is stated twice | remove one of them`,
			},
		},
		{"one field under two names", tensorConfig("dtype: f32, sizes: 3, base: 1, storageOffset: 1"), []string{
			`3 storageOffset: config-key: "storageOffset" is stated twice | remove one of them`,
		}},
		{"missing fields", "version: 1\ntensors:\n  a: {}\n", []string{
			`3 a: config-key: the tensor has no dtype | such as dtype: float32`,
			`3 a: config-key: the tensor has no sizes | such as sizes: 1x3x224x224`,
		}},
		{
			"numbers of YAML's that are none here",
			tensorConfig("dtype: f32, sizes: [012, 0x10, 1_000, 1e3, 1.5, yes, '4', 18446744073709551616, ~]"),
			[]string{
				`3 012: config-value: "012" is not a whole number: decimal digits, no 0 before them, no quotes`,
				`3 0x10: config-value: "0x10" is not a whole number: decimal digits, no 0 before them, no quotes`,
				`3 1_000: config-value: "1_000" is not a whole number: decimal digits, no 0 before them, no quotes`,
				`3 1e3: config-value: "1e3" is not a whole number: decimal digits, no 0 before them, no quotes`,
				`3 1.5: config-value: "1.5" is not a whole number: decimal digits, no 0 before them, no quotes`,
				`3 yes: config-value: "yes" is not a whole number: decimal digits, no 0 before them, no quotes`,
				`3 '4': config-value: "4" is not a whole number: decimal digits, no 0 before them, no quotes`,
				`3 18446744073709551616: config-value: "18446744073709551616" is more than 64 bits hold`,
				`3 ~: config-value: null is not a whole number`,
			},
		},
		{
			"wrong kinds",
			tensorConfig("dtype: 32, sizes: {}, layout: [], flags: 1, role: both, totalBytes: much, base: -1, " +
				"alignment: true"),
			[]string{
				`3 32: config-value: "32" is not an element type, such as float32`,
				`3 {: config-value: an object is not a list of whole numbers`,
				`3 [: config-value: a list is not the name of a layout`,
				`3 1: config-value: "1" is not the name of a flag, or a list of such`,
				`3 both: config-value: "both" is not a role: input or output`,
				`3 much: config-value: "much" is not a whole number: decimal digits, no 0 before them, no quotes`,
				`3 -1: config-value: "-1" is not a storage offset, which is at least 0`,
				`3 true: config-value: a truth value is not a whole number`,
			},
		},
		{"an unknown type", tensorConfig("dtype: flaot32, sizes: 3"), []string{
			`3 flaot32: config-value: unknown element type flaot32 | did you mean float32?`,
		}},
		{"a bad shape", tensorConfig("dtype: f32, sizes: 1x3.4"), []string{
			`3 1x3.4: config-value: a size is a whole number`,
		}},
		{"an unknown layout", tensorConfig("dtype: f32, sizes: 1x2x3x4, layout: NHCW2"), []string{
			`3 NHCW2: config-value: the block of 2 does not name the axis that it divides | such as NCHW16c`,
		}},
		{"a layout of another rank", tensorConfig("dtype: f32, sizes: 2x3, layout: NHWC"), []string{
			`3 NHWC: config-value: NHWC has 4 axes, but the shape has 2 sizes | for rank 2: HW, WH`,
		}},
		{
			"layout and strides", tensorConfig("dtype: f32, sizes: 2x3, layout: HW, strides: [3, 1]"),
			[]string{
				`3 HW: config-value: the strides are stated, so that the layout can only be expected | expect: ` +
					`{layout: HW} checks the strides against it`,
			},
		},
		{"an unknown target", "version: 1\ntarget: directlm\ntensors: {}\n", []string{
			`2 directlm: config-value: unknown target | did you mean directml?`,
		}},
		{
			"the target's rules", "version: 1\ntarget: directml\ntensors:\n  a: {dtype: float32, sizes: [1, 0]}\n",
			[]string{
				`4 0: size-zero: size 0 of dimension 1: DirectML has no empty tensors | remove operators whose ` +
					`tensors are empty`,
			},
		},
		{"tensors that are none", "version: 1\ntensors: [a]\nedges: {}\n", []string{
			`2 [a: config-value: a list is not an object with a key for each tensor`,
			`3 {: config-value: an object is not a list of edges`,
		}},
		{
			"edges",
			"version: 1\ntensors:\n  one: {dtype: f32, sizes: 3}\n  two: {dtype: f32, sizes: 3}\nedges:\n  - " +
				"[one, tow]\n  - [one]\n  - {from: one}\n  - {from: one, to: two}\n  - [one, two]\n",
			[]string{
				`6 tow: config-value: there is no tensor "tow" | did you mean two?`,
				`7 [one: config-value: an edge has two ends, and this has 1 | [from, to]`,
				`8 {from: config-key: the edge has no key to | {from: one, to: other}`,
			},
		},
		{
			"an edge of a tensor with a fault",
			"version: 1\ntensors:\n  one: {dtype: f32, sizes: 3}\n  two: {dtype: f32, sizes: x}\nedges:\n  - " +
				"[one, two]\n  - [two, one]\n  - {from: two, to: one}\n",
			[]string{
				`4 x: config-value: "x" is not a size | such as 1x3x224x224`,
			},
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

func TestConfigExpectations(t *testing.T) {
	const image = "dtype: float32, sizes: 1x3x4x5, "
	tests := []struct {
		reason, text string
		want         []string
	}{
		{"NHWC strides", tensorConfig(image + "strides: [60, 1, 15, 3], expect: {layout: NHWC}"), nil},
		{
			"a size of 1 has any stride",
			tensorConfig(image + "strides: [7, 1, 15, 3], expect: {layout: NHWC, strides: [0, 1, 15, 3]}"), nil,
		},
		{
			"the base does not matter",
			tensorConfig(image + "storageOffset: 8, strides: [60, 1, 15, 3], expect: {layout: NHWC}"), nil,
		},
		{
			"NCHW strides are not NHWC", tensorConfig(image + "strides: [60, 20, 5, 1], expect: {layout: NHWC}"),
			[]string{
				`3 NHWC: expect-layout: element (0,0,0,1) is 1 after the first, in NHWC it is 3: strides [60, 20, 5,` +
					` 1], NHWC has strides [60, 1, 15, 3] | strides: [60, 1, 15, 3]`,
			},
		},
		{
			"another layout name", tensorConfig(image + "layout: NCHW, expect: {layout: channels_last}"),
			[]string{
				`3 channels_last: expect-layout: element (0,0,0,1) is 1 after the first, in channels_last it is 3: ` +
					`strides [60, 20, 5, 1], channels_last has strides [60, 1, 15, 3] | layout: channels_last`,
			},
		},
		{"names of other axes", tensorConfig(image + "layout: OHWI, expect: {layout: NHWC}"), nil},
		{
			"blocks are not plain",
			tensorConfig("dtype: f16, sizes: 1x32x2x2, layout: NCHW16c, expect: {layout: NCHW}"),
			[]string{
				`3 NCHW: expect-layout: element (0,0,0,1) is 16 after the first, in NCHW it is 1: blocks, NCHW has ` +
					`strides [128, 4, 2, 1] | layout: NCHW`,
			},
		},
		{"an expected layout of another rank", tensorConfig("dtype: f32, sizes: 3, expect: {layout: NHWC}"), []string{
			`3 NHWC: config-value: NHWC has 4 axes, but the shape has 1 size | for rank 1: W`,
		}},
		{
			"labelled sizes are those of N, C, H, W",
			tensorConfig("dtype: f32, sizes: 'N=1,H=4,W=5,C=3', expect: {strides: [60, 20, 5, 1]}"), nil,
		},
		{"packed", tensorConfig("dtype: f32, sizes: 2x3, expect: {packed: true}"), nil},
		{"padded rows", tensorConfig("dtype: f32, sizes: 2x3, strides: [4, 1], expect: {packed: true}"), []string{
			`3 true: expect-packed: 1 of the 7 offsets from 0 to 6 belong to no element | remove the strides`,
		}},
		{
			"padded rows as expected", tensorConfig("dtype: f32, sizes: 2x3, strides: [4, 1], expect: {packed: false}"),
			nil,
		},
		{"packed against expectation", tensorConfig("dtype: f32, sizes: 2x3, expect: {packed: false}"), []string{
			`3 false: expect-packed: the tensor is packed: 6 elements on as many offsets`,
		}},
		{
			"shared offsets",
			tensorConfig("dtype: f32, sizes: 2x3, strides: [0, 1], role: input, expect: {packed: true}"),
			[]string{
				`3 true: expect-packed: elements (0,0) and (1,0) are both at offset 0 | remove the strides`,
			},
		},
		{"bytes at the limit", tensorConfig("dtype: f16, sizes: 5, expect: {maxBytes: 12}"), nil},
		{
			"bytes over it: 5 x 2", tensorConfig("dtype: f16, sizes: 5, expect: {maxBytes: 9}"),
			[]string{
				`3 9: expect-max-bytes: 10 bytes are needed, 9 are expected at most`,
			},
		},
		{
			"bytes before the first element count",
			tensorConfig("dtype: f32, sizes: 2, base: 2, expect: {maxBytes: 15}"),
			[]string{
				`3 15: expect-max-bytes: 16 bytes are needed, 15 are expected at most`,
			},
		},
		{"other strides", tensorConfig("dtype: f32, sizes: 2x3, layout: WH, expect: {strides: [3, 1]}"), []string{
			`3 [3: expect-strides: stride 0 is 1, 3 is expected: strides [1, 2] | strides: [3, 1]`,
		}},
		{"strides of another rank", tensorConfig("dtype: f32, sizes: 2x3, expect: {strides: [6, 3, 1]}"), []string{
			`3 [6: config-value: 3 strides for 2 sizes`,
		}},
		{
			"the same",
			"version: 1\ntensors:\n  a: {dtype: f32, sizes: 1x3, expect: {sameAs: b}}\n  b: {dtype: i8, sizes: " +
				"[1, 3], strides: [9, 1]}\n",
			nil,
		},
		{
			"other sizes",
			"version: 1\ntensors:\n  a: {dtype: f32, sizes: 2x3, expect: {sameAs: b}}\n  b: {dtype: f32, sizes: 2x4}\n",
			[]string{
				`3 b: expect-same-as: size 1 is 3 in a and 4 in b`,
			},
		},
		{
			"other offsets",
			"version: 1\ntensors:\n  a: {dtype: f32, sizes: 2x3, expect: {sameAs: b}}\n  b: {dtype: f32, sizes: " +
				"2x3, layout: WH}\n",
			[]string{
				`3 b: expect-same-as: element (0,1) is at offset 1 in a and at 2 in b`,
			},
		},
		{
			"edges that agree",
			"version: 1\ntensors:\n  a: {dtype: float32, sizes: 1x3}\n  b: {dtype: FLOAT32, sizes: [1, 3], " +
				"strides: [1, 1]}\nedges: [[a, b]]\n",
			nil,
		},
		{
			"edges of other types",
			"version: 1\ntensors:\n  a: {dtype: f32, sizes: 3}\n  b: {dtype: f16, sizes: 4}\nedges: [[a, b]]\n",
			[]string{
				`5 [a: edge-mismatch: a is float32 and b is float16`,
			},
		},
		{
			"edges of other ranks",
			"version: 1\ntensors:\n  a: {dtype: f32, sizes: 3}\n  b: {dtype: f32, sizes: 1x3}\nedges: [[a, b]]\n",
			[]string{
				`5 [a: edge-mismatch: a has 1 size, b has 2 sizes`,
			},
		},
		{
			"edges of other offsets",
			"version: 1\ntensors:\n  a: {dtype: f32, sizes: 2}\n  b: {dtype: f32, sizes: 2, base: 1}\nedges:\n  " +
				"- from: a\n    to: b\n",
			[]string{
				`6 from: edge-mismatch: element (0) is at offset 0 in a and at 1 in b`,
			},
		},
	}
	for _, test := range tests {
		t.Run(test.reason, func(t *testing.T) {
			got := configFindings(
				t,
				test.text,
				configKey,
				descriptor.ConfigValue,
				expect.ExpectLayout,
				expect.ExpectPacked,
				expect.ExpectMaxBytes,
				expect.ExpectStrides,
				expect.ExpectSameAs,
				expect.EdgeMismatch,
			)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestIgnores(t *testing.T) {
	const bad = "    sizes: [0x1]"
	head := "version: 1\ntensors:\n  a:\n    dtype: f32\n"
	tests := []struct {
		reason, text string
		want         []string
	}{
		{"on its line", head + bad + " # layoutcalc:ignore config-value generated\n", nil},
		{"on the line before", head + "    # layoutcalc:ignore config-value generated\n\n  # more\n" + bad + "\n", nil},
		{
			"two, one above the other",
			head + "    # layoutcalc:ignore config-value generated\n# layoutcalc:ignore config-key " +
				"generated\n" + bad + "\n",
			[]string{
				`6 #: unused-ignore: nothing on line 7 breaks config-key | remove the comment`,
			},
		},
		{
			"twice the same",
			head + "    # layoutcalc:ignore config-value a\n    # layoutcalc:ignore config-value b\n" + bad + "\n",
			[]string{
				`6 #: unused-ignore: nothing on line 7 breaks config-value | remove the comment`,
			},
		},
		{
			"on another line", head + "    role: input # layoutcalc:ignore config-value generated\n" + bad + "\n",
			[]string{
				`6 0x1: config-value: "0x1" is not a whole number: decimal digits, no 0 before them, no quotes`,
				`5 #: unused-ignore: nothing on line 5 breaks config-value | remove the comment`,
			},
		},
		{"an unknown rule", head + "    sizes: 3 # layoutcalc:ignore config-valeu x\n", []string{
			`5 #: bad-ignore: there is no rule "config-valeu" | did you mean config-value?`,
		}},
		{
			"no reason", head + "    sizes: 3 # layoutcalc:ignore config-value\n",
			[]string{
				`5 #: bad-ignore: the comment does not say why config-value is ignored | layoutcalc:ignore ` +
					`config-value REASON`,
			},
		},
		{"no rule", head + "    sizes: 3 # layoutcalc:ignore\n", []string{
			`5 #: bad-ignore: the comment names no rule | layoutcalc:ignore RULE REASON`,
		}},
		{
			"another verb", head + "    sizes: 3 # layoutcalc:disable gaps x\n",
			[]string{
				`5 #: bad-ignore: "layoutcalc:disable" is not a comment that layoutcalc knows | layoutcalc:ignore ` +
					`RULE REASON`,
			},
		},
		{"in a text", head + "    sizes: 3\n  '# layoutcalc:ignore x': {dtype: f32, sizes: 2}\n", nil},
		{
			"in JSON, on its line",
			"{\"version\": 1, \"tensors\": {\"a\": {\"dtype\": \"f32\",\n\"sizes\": [0.5]}}} // layoutcalc:" +
				"ignore config-value x\n",
			nil,
		},
		{
			"in JSON, before the value on its line",
			"{\"version\": 1, \"tensors\": {\"a\": {\"dtype\": \"f32\",\n/* layoutcalc:ignore config-value x " +
				"*/ \"sizes\": [0.5]}}}",
			nil,
		},
		{
			"in JSON, on the line before",
			"{\"version\": 1, \"tensors\": {\"a\": {\"dtype\": \"f32\",\n/* layoutcalc:ignore config-value x " +
				"*/\n// more\n\n\"sizes\": [0.5]}}}",
			nil,
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

// manyTensors returns a configuration of n tensors of one byte, t0 and so on, followed by more.
func manyTensors(n int, more string) string {
	var b strings.Builder
	b.WriteString(`{"version":1,"tensors":{`)
	for i := range n {
		fmt.Fprintf(&b, "\"t%d\":{\"dtype\":\"i8\",\"sizes\":[1]},\n", i)
	}
	return b.String() + "}" + more + "}"
}

// TestConfigLimits has configurations of as many tensors as there can be, and as many as near names are looked for
// among.
func TestConfigLimits(t *testing.T) {
	layouttest.SkipUnlessAll(t, "the input is large")
	edge := `,"edges":[["t0","t1x"]]`
	tests := []struct {
		tensors int
		more    string
		want    []string
		reason  string
	}{
		{tensors: MaxTensors, reason: "the most"},
		{
			tensors: MaxTensors + 1, want: []string{"config-value: 200001 tensors are more than 200000, which a " +
				"configuration may have | "},
			reason: "one more",
		},
		{
			tensors: 1000, more: edge,
			want:   []string{`config-value: there is no tensor "t1x" | did you mean t1?`},
			reason: "all of them are compared",
		},
	}
	for _, tt := range tests {
		tree := new(doctree.Tree)
		if err := tree.JSON([]byte(manyTensors(tt.tensors, tt.more))); err != nil {
			t.Fatal(err)
		}
		f := Config(tree, nil)
		var have []string
		for _, finding := range f.Findings {
			have = append(have, fmt.Sprintf("%v: %s | %s", finding.Rule, finding.Message, finding.Fix))
		}
		read := tt.tensors
		if read > MaxTensors {
			read = 0
		}
		if diff := cmp.Diff(tt.want, have); diff != "" || len(f.Descriptors) != read {
			t.Errorf("%d tensors, %d are read: %s (%s)", tt.tensors, len(f.Descriptors), diff, tt.reason)
		}
	}
}

// TestConfigCounts keeps the first thousand findings of a rule and counts the others.
func TestConfigCounts(t *testing.T) {
	for _, n := range []int{1000, 1001, 1003} {
		tree := new(doctree.Tree)
		text := `{"version":1,"tensors":{},` + strings.Repeat(`"target_":0,`, n) + `}`
		if err := tree.JSON([]byte(text)); err != nil {
			t.Fatal(err)
		}
		found := Config(tree, nil).Findings
		more := ""
		if n > 1000 {
			more = fmt.Sprintf("%s of this rule: the limit is 1000", wording.Count(n-1000, "more finding"))
		}
		if len(found) != min(n, 1001) || n > 1000 && found[1000].Message != more {
			t.Errorf("%d slips: %d findings, the last %q, want %q", n, len(found), found[len(found)-1].Message, more)
		}
		if found[100].Fix == "" {
			t.Errorf("slip 101 has no fix")
		}
	}
}

// FuzzConfig reads any YAML input as a configuration. It must not panic, and all positions must be in the input.
func FuzzConfig(f *testing.F) {
	if text, err := os.ReadFile("../../docs/example.layoutcalc.yaml"); err == nil {
		f.Add(string(text))
	}
	for _, text := range pages.Page("config") {
		f.Add(text.Bad)
	}
	f.Fuzz(func(t *testing.T, text string) {
		defer layouttest.Limit(t, len(text))()
		if len(text) > 1<<12 {
			return
		}
		trees, _ := doctree.YAML([]byte(text), 9)
		for _, tree := range trees {
			treeFindings(tree, text)
		}
	})
}

// TestExampleConfiguration checks the example of the documents, beside which there are two schemas.
func TestExampleConfiguration(t *testing.T) {
	text, err := os.ReadFile("../../docs/example.layoutcalc.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := configSchema(t).Validate(yamlValue(t, string(text))); err != nil {
		t.Error(err)
	}
	if !strings.HasPrefix(string(text), "# yaml-language-server: $schema=layoutcalc.schema.json\n") {
		t.Error("the example does not name its schema")
	}
	schemas := shelf{"a.schema.json": {facts: expect.Facts{Numbers: map[string]int64{"bytes": 256000}}}}
	for _, finding := range shelfFindings(t, schemas, string(text)) {
		t.Error(finding)
	}
}

// TestConfigExamples runs the examples of the rules of configurations.
func TestConfigExamples(t *testing.T) {
	for _, r := range pages.Page("config") {
		name := ": " + r.Name + ": "
		if bad := configFindings(t, r.Bad); !strings.Contains(strings.Join(bad, "\n"), name) {
			t.Errorf("%v: the bad example is fine: %q", r.Name, bad)
		}
		if good := configFindings(t, r.Good); good != nil {
			t.Errorf("%v: the good example has %q", r.Name, good)
		}
	}
}

// manyBudgets is a configuration of n tensors and n budgets with patterns.
func manyBudgets(n int, pattern func(i int) string) string {
	var b strings.Builder
	b.WriteString("version: 1\ntensors:\n")
	for i := range n {
		fmt.Fprintf(&b, "  t%d: {dtype: float32, sizes: [2]}\n", i)
	}
	b.WriteString("budgets:\n")
	for i := range n {
		fmt.Fprintf(&b, "  b%d: {tensors: %s, maxBytes: 1}\n", i, pattern(i))
	}
	return b.String()
}

// TestBudgetsGrow has as many budgets as tensors. Budgets with the same list share a group. Different patterns are
// compared with names up to a limit, which is reported.
func TestBudgetsGrow(t *testing.T) {
	layouttest.SkipUnlessAll(t, "the input is large")
	read := func(text string) *descriptor.File {
		trees, err := doctree.YAML([]byte(text), 1)
		if err != nil {
			t.Fatal(err)
		}
		return Config(trees[0], nil)
	}
	f := read(manyBudgets(100, func(i int) string { return [...]string{"'*'", "[t1, 't2*']", "t3"}[i%3] }))
	budgets := f.Config.(*expect.Config).Budgets
	for i, b := range budgets {
		if want := []int{100, 12, 1}[i%3]; len(b.Group.Tensors) != want || b.Group != budgets[i%3].Group {
			t.Errorf("budget %d has %d tensors in a group of its own, not %d", i, len(b.Group.Tensors), want)
		}
	}
	f = read(manyBudgets(4000, func(i int) string { return fmt.Sprintf("'t*%d*'", i) }))
	if n := len(f.Config.(*expect.Config).Budgets); n < 2000 || n >= 4000 || len(f.Findings) != 1 ||
		f.Findings[0].Rule != descriptor.ConfigValue ||
		!strings.Contains(f.Findings[0].Message, "more than 20000000 characters") {
		t.Errorf("%d budgets are read: %+v", n, f.Findings)
	}
}
