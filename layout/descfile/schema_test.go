package descfile

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
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

func TestSchema(t *testing.T) {
	schema := configSchema(t)
	for id := rules.ConfigKey; id <= rules.BadIgnore; id++ {
		r := id.Rule()
		if err := schema.Validate(yamlValue(t, r.Good)); err != nil {
			t.Errorf("%v: the good example: %v", id, err)
		}
		bad := schema.Validate(yamlValue(t, r.Bad))
		if wrong := id == rules.ConfigKey || id == rules.ConfigValue; wrong != (bad != nil) {
			t.Errorf("%v: the bad example: %v", id, bad)
		}
	}
	for _, test := range []struct{ reason, text string }{
		{"another version", "version: 2\ntensors: {}\n"},
		{"no version", "tensors: {}\n"},
		{"an unknown key", "version: 1\ntensors: {}\nedge: []\n"},
		{"no sizes", tensorConfig("dtype: f32")},
		{"a role", tensorConfig("dtype: f32, sizes: 3, role: both")},
		{"layout and strides", tensorConfig("dtype: f32, sizes: 2x3, layout: HW, strides: [3, 1]")},
		{"an unknown expectation", tensorConfig("dtype: f32, sizes: 3, expect: {packd: true}")},
		{"a target", "version: 1\ntarget: vulkan\ntensors: {}\n"},
		{"an edge of one end", "version: 1\ntensors: {}\nedges: [[a]]\n"},
	} {
		if schema.Validate(yamlValue(t, test.text)) == nil {
			t.Errorf("%s is valid", test.reason)
		}
		if configFindings(t, test.text) == nil {
			t.Errorf("%s has no findings", test.reason)
		}
	}
}

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
	for _, finding := range configFindings(t, string(text)) {
		t.Error(finding)
	}
}

// TestConfigExamples runs the examples of the rules of configurations.
func TestConfigExamples(t *testing.T) {
	for id := rules.ConfigKey; id <= rules.BadIgnore; id++ {
		r := id.Rule()
		name := ": " + r.Name + ": "
		if bad := configFindings(t, r.Bad); !strings.Contains(strings.Join(bad, "\n"), name) {
			t.Errorf("%v: the bad example is fine: %q", id, bad)
		}
		if good := configFindings(t, r.Good); good != nil {
			t.Errorf("%v: the good example has %q", id, good)
		}
		if r.What == "" || r.Why == "" || r.Source == "" || r.Fix == "" {
			t.Errorf("%v: the row is not complete", id)
		}
	}
}
