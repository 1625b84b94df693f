package manifest

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	pages "layoutcalc/docs/rules"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/expect"
	"layoutcalc/layout/finding"
)

// configSchema is the schema that the documentation has.
func configSchema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	text, err := os.ReadFile("../../docs/layoutcalc.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// plainValue is a value as encoding/json has it.
func plainValue(v doctree.Value) any {
	switch v.Kind() {
	case doctree.Array:
		list := []any{}
		for item := range v.Items {
			list = append(list, plainValue(item))
		}
		return list
	case doctree.Object:
		object := map[string]any{}
		for m := range v.Items {
			object[m.Key()] = plainValue(m)
		}
		return object
	case doctree.Number:
		n, _ := strconv.ParseFloat(v.Text(), 64)
		return n
	case doctree.Bool:
		return strings.EqualFold(v.Text(), "true")
	case doctree.Null:
		return nil
	}
	return v.Text()
}

func yamlValue(t *testing.T, text string) any {
	t.Helper()
	return plainValue(yamlTree(t, text).Root())
}

// TestSchemaExamples validates the examples of the rules of configurations.
func TestSchemaExamples(t *testing.T) {
	schema := configSchema(t)
	for _, r := range pages.Page("config") {
		if err := schema.Validate(yamlValue(t, r.Good)); err != nil {
			t.Errorf("%v: the good example: %v", r.Name, err)
		}
		bad := schema.Validate(yamlValue(t, r.Bad))
		if wrong := r.Name == configKey.Name || r.Name == descriptor.ConfigValue.Name; wrong != (bad != nil) {
			t.Errorf("%v: the bad example: %v", r.Name, bad)
		}
	}
}

// TestSchemaKeys compares the keys of the schema with the keys of the reader.
func TestSchemaKeys(t *testing.T) {
	text, err := os.ReadFile("../../docs/layoutcalc.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	var r configReader
	for _, tt := range []struct {
		what   string
		schema *jsonschema.Schema
		known  []string
	}{
		{"a configuration", &schema, names(r.rootKeys(doctree.Value{}))},
		{"a tensor", schema.Defs["fields"], descriptor.NamesIn(configNames)},
		{"what is expected", schema.Defs["expect"], names(r.expectKeys())},
		{"an edge", schema.Defs["edge"].AnyOf[0], names(r.edgeKeys(nil, doctree.Value{}))},
		{"a file", schema.Defs["file"], names(r.fileKeys(nil, nil, doctree.Value{}))},
		{"what is expected of a file", schema.Defs["fileExpect"], names(r.fileExpectKeys(&expect.File{}))},
		{"a range of sizes", schema.Defs["countRange"].AnyOf[1], names(rangeKeys(nil, nil))},
		{"a range of bytes", schema.Defs["byteRange"].AnyOf[1], names(rangeKeys(nil, nil))},
		{"a range of parameters", schema.Defs["parameterRange"].AnyOf[1], names(rangeKeys(nil, nil))},
		{"a budget", schema.Defs["budget"], names(r.budgetKeys(nil, doctree.Value{}))},
	} {
		var have []string
		for name := range tt.schema.Properties {
			have = append(have, name)
		}
		slices.Sort(have)
		if diff := cmp.Diff(slices.Sorted(slices.Values(tt.known)), have); diff != "" {
			t.Errorf("%s: the reader knows (-), the schema has (+): %s", tt.what, diff)
		}
		if _, ok := tt.schema.PatternProperties["^x-"]; !ok {
			t.Errorf("%s has no keys of others", tt.what)
		}
	}
}

// TestSchemaAgrees validates configurations by the schema and reads them. Both must accept or both reject them, except
// where a schema cannot express a rule.
func TestSchemaAgrees(t *testing.T) {
	const (
		both   = "both take it"
		none   = "both refuse it"
		reader = "only the reader refuses it"
	)
	schema := configSchema(t)
	type text struct{ verdict, reason, text string }
	tests := []text{
		{none, "another version", "version: 2\ntensors: {}\n"},
		{none, "no version", "tensors: {}\n"},
		{none, "an unknown key", "version: 1\ntensors: {}\nedge: []\n"},
		{none, "a target", "version: 1\ntarget: vulkan\ntensors: {}\n"},
		{none, "an edge of one end", "version: 1\ntensors: {}\nedges: [[a]]\n"},
		{none, "tensors in a list", "version: 1\ntensors: []\n"},
		{none, "edges in an object", "version: 1\ntensors: {}\nedges: {}\n"},
		{none, "a description that is a number", "version: 1\ntensors: {}\ndescription: 1\n"},
		{none, "defaults that are a list", "version: 1\ntensors: {}\ndefaults: []\n"},
		{none, "an unknown default", "version: 1\ntensors: {}\ndefaults: {size: 3}\n"},
		{none, "a default of a wrong kind", "version: 1\ntensors: {}\ndefaults: {dtype: 3}\n"},
		{none, "an open default without a file", "version: 1\ntensors: {}\ndefaults: {sizes: [?]}\n"},
		{none, "budgets in a list", "version: 1\ntensors: {}\nbudgets: []\n"},
		{none, "a budget without tensors", "version: 1\ntensors: {}\nbudgets: {a: {maxBytes: 3}}\n"},
		{none, "a budget without bytes", "version: 1\ntensors: {}\nbudgets: {a: {tensors: []}}\n"},
		{none, "an unknown key of a budget", "version: 1\ntensors: {}\nbudgets: {a: {tensors: [], maxBytes: 3, b: " +
			"1}}\n"},
		{none, "a budget of half a byte", "version: 1\ntensors: {}\nbudgets: {a: {tensors: [], maxBytes: 0.5}}\n"},
		{both, "a budget of no tensors", "version: 1\ntensors: {}\nbudgets: {a: {tensors: [], maxBytes: 0, x-b: 1}}\n"},
		{none, "a file without a path", "version: 1\nfiles: {a: {}}\n"},
		{none, "an unknown key of a file", "version: 1\nfiles: {a: {file: b, size: 3}}\n"},
		{none, "files in a list", "version: 1\nfiles: []\n"},
		{none, "a level of DirectML that is not", "version: 1\ntarget: directml@6.9\ntensors: {}\n"},
		{none, "a level of DirectML between others", "version: 1\ntarget: directml@2.2\ntensors: {}\n"},
		{both, "the last level of DirectML", "version: 1\ntarget: directml@6.4\ntensors: {}\n"},
		{both, "the first level of DirectML", "version: 1\ntarget: directml@1.0\ntensors: {}\n"},
		{both, "no files", "version: 1\ntensors: {}\nfiles: {}\n"},
		{both, "a budget in units", "version: 1\ntensors: {}\nbudgets: {a: {tensors: [], maxBytes: 1.5 KiB}}\n"},
		{
			none,
			"a budget in units that are not",
			"version: 1\ntensors: {}\nbudgets: {a: {tensors: [], maxBytes: 1KB}}\n",
		},
		{both, "all of the root", "version: 1\n$schema: a\ntarget: directml@6.2\ndescription: a\ndefaults: {}\n" +
			"tensors: {}\nedges: []\nbudgets: {}\nx-any: {a: [1]}\n"},
		{both, "defaults", "version: 1\ndefaults: {dtype: f32, sizes: 3, expect: {rank: 1}}\ntensors: {a: {}}\n"},
		{reader, "defaults that lack something", "version: 1\ndefaults: {dtype: f32}\ntensors: {a: {}}\n"},
		{reader, "a tensor that does not exist", "version: 1\ntensors: {}\nedges: [[a, b]]\n"},
	}
	tensor := func(verdict, fields string) { tests = append(tests, text{verdict, fields, tensorConfig(fields)}) }
	for _, fields := range []string{
		"dtype: f32", "sizes: 3", "dtype: f32, sizes: 3, role: both", "dtype: f32, sizes: 3, size: 3",
		"dtype: f32, sizes: 2x3, layout: HW, strides: [3, 1]", "dtype: f32, sizes: 3, base: 1, storageOffset: 1",
		"tensor: a, dtype: f32, sizes: 3", "dtype: f32, sizes: [3, null]", "file: 1",
		"file: a.npy, strides: [3, null]", "dtype: 3, sizes: 3",
		"file: a.npy, layout: HW, strides: [3, 1]", "dtype: f32, sizes: 3, base: -1", "dtype: f32, sizes: 3, flags: 1",
		"dtype: f32, sizes: 3, flags: [1]", "dtype: f32, sizes: 3, totalBytes: x",
		"dtype: f32, sizes: 3, alignment: []",
		"dtype: f32, sizes: 3, box: {}", "dtype: f32, sizes: 3, swizzle: [1]", "dtype: f32, sizes: 3, address: -1",
		"dtype: f32, sizes: 3, pitch: -1", "dtype: f32, sizes: 3, pad: []",
		"dtype: f32, sizes: 3, strides: [1], align: 4",
		"dtype: f32, sizes: 3, layout: 3", "dtype: f32, sizes: 3, operator: []", "dtype: f32, sizes: 3, slot: {}",
		"dtype: f32, sizes: 3, description: 3", "dtype: f32, sizes: {}, expect: {}", "dtype: f32, sizes: true",
		"dtype: f32, sizes: 3, expect: []", "dtype: f32, sizes: 3, expect: {packd: true}",
	} {
		tensor(none, fields)
	}
	const plain = "dtype: f32, sizes: 1x3x4x4, expect: "
	for _, expect := range []string{
		"{dtype: 3}", "{rank: -1}", "{rank: x}", "{sizes: [-2]}", "{sizes: [a-b]}", "{sizes: ['3']}", "{sizes: {}}",
		"{sizes: [1.5]}", "{divisibleBy: 8}", "{divisibleBy: {C: 0}}", "{divisibleBy: {C: x}}", "{layout: 3}",
		"{strides: x}", "{strides: [x]}", "{packed: 1}", "{maxBytes: x}", "{bytes: x}", "{rowPitch: 0}",
		"{rowAlignment: -1}", "{baseAlignment: 0}", "{sameAs: 3}", "{sizes: -1}", "{dtype: []}", "{dtype: [f32, 3]}",
		"{rank: {}}", "{rank: {min: -1}}", "{rank: {least: 1}}", "{rank: {max: x}}", "{sizes: [{max: x}, 3]}",
		"{sizes: [{}]}", "{open: {}}", "{open: []}", "{bytes: {max: 64M}}", "{bytes: 64 KB}",
		"{bytes: -1}", "{bytes: {}}", "{maxBytes: 1e3}", "{maxBytes: MiB}", "{pitch: []}", "{pitch: {W: x}}",
		"{align: {W: 8 bytes}}", "{pad: {W: -1}}", "{pad: true}", "{pitch: {}}",
	} {
		verdict := none
		if expect == "{strides: x}" {
			verdict = reader // only the reader checks the words of strides, sizes, types and layouts
		}
		tensor(verdict, plain+expect)
	}
	for _, expect := range []string{
		"{}", "{dtype: float32, rank: 4, sizes: [N, 3, ?, -1], divisibleBy: {H: 4, x-a: b}, layout: NCHW, packed: " +
			"true}",
		"{strides: '48,16,4,1', maxBytes: 192, bytes: 192, rowPitch: 16, rowAlignment: 4, baseAlignment: 1}",
		"{sizes: 1x3x4x4, strides: [48, 16, 4, 1], x-why: [1]}", "{sizes: [null, H_2, 4, 4]}",
		"{dtype: [float16, float32], rank: {min: 4}, bytes: {min: 1B, max: 0.1875KiB}, maxBytes: 192 B}",
		"{sizes: [{max: 1}, {min: 3, max: 3}, '?', 4], pitch: {H: 4}, align: {C: 16B, x-why: 1}, pad: {W: 0}}",
		"{pitch: 4}", "{align: '1'}", "{bytes: .192kB}", "{bytes: 192.B}",
	} {
		tensor(both, plain+expect)
	}
	for _, fields := range []string{
		"dtype: f32, sizes: [2, 3], strides: [3, 1], storageOffset: 1, totalBytes: 28, alignment: 32, flags: NONE, " +
			"role: input, operator: GEMM, slot: ATensor, description: words, x-any: 1, expect: {}",
		"dtype: f16, sizes: 8x64, box: [8, 64], swizzle: 128B, interleave: 0, oobFill: NONE, address: '0x7f00', " +
			"elementStrides: 1x1",
		"dtype: f32, sizes: 2x3, pitch: 4, align: {W: 4B}, pad: {W: 1, x-why: a}",
		"dtype: f32, sizes: 3, base: 0, flags: [NONE]", "dtype: f32, sizes: N=1", "dtype: f32, sizes: []",
	} {
		tensor(both, fields)
	}
	for _, fields := range []string{
		plain + "{rank: {min: 5, max: 4}}", plain + "{bytes: 0.1KiB}", plain + "{pitch: 0}", plain + "{bytes: 1.5B}",
		"dtype: f32, sizes: 3, box: N=3", "dtype: f32, sizes: 3, swizzle: 256B",
		"dtype: f32, sizes: 3, address: x",
		"dtype: flaot32, sizes: 3", "dtype: f32, sizes: 1x3.4", "dtype: f32, sizes: 3, layout: NHCW2",
		plain + "{sameAs: b}",
		plain + "{divisibleBy: {K: 2}}", plain + "{dtype: flaot32}", plain + "{layout: NHW}",
	} {
		tensor(reader, fields)
	}
	keys := []*finding.Rule{configKey, descriptor.ConfigValue, expect.ArtefactMissing}
	for _, tt := range tests {
		valid, found := schema.Validate(yamlValue(t, tt.text)), configFindings(t, tt.text, keys...)
		verdict := "only the schema refuses it"
		switch {
		case valid == nil && found == nil:
			verdict = both
		case valid != nil && found != nil:
			verdict = none
		case valid == nil:
			verdict = reader
		}
		if verdict != tt.verdict {
			t.Errorf("%s: %s, not: %s; %v; %q", tt.reason, verdict, tt.verdict, valid, found)
		}
	}
}

// TestSchemaFiles has tensors of files, which need no other keys.
func TestSchemaFiles(t *testing.T) {
	schema := configSchema(t)
	for _, fields := range []string{
		"file: a.npy", "file: a.safetensors, tensor: b", "file: a.npy, sizes: [2, null, '?']",
		"file: a.npy, sizes: 2x3",
		"file: a.npy, sizes: [2, 3], dtype: f32, layout: HW, totalBytes: 24, expect: {packed: true}",
	} {
		if err := schema.Validate(yamlValue(t, tensorConfig(fields))); err != nil {
			t.Errorf("%s: %v", fields, err)
		}
	}
	for _, r := range pages.Page("artefact") {
		for _, text := range [...]string{r.Bad, r.Good} {
			config, _, _ := strings.Cut(text, " beside ")
			if err := schema.Validate(yamlValue(t, config)); err != nil {
				t.Errorf("%v: %v", r.Name, err)
			}
		}
	}
}
