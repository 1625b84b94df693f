package project_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v4"

	"layoutcalc/layout/lexer"
	"layoutcalc/layout/project"
	"layoutcalc/layout/ruledocs"
)

// projectSchema is the schema that the documentation has.
func projectSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("../../docs/project.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	return &schema
}

// TestSchema has the schema and the reader agree on configurations.
func TestSchema(t *testing.T) {
	schema, err := projectSchema(t).Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	const one = "version: 1\n"
	for _, c := range []struct {
		text string
		ok   bool
	}{
		{one, true},
		{one + "target: directml@6.2\nseverity: note\nfail-on: warning\nx-owner: {a: 1}\n", true},
		{one + "ignore: gaps\nexclude: third_party/\nbaseline: ci/known.json\n", true},
		{one + "ignore: [gaps, unaligned-rows]\nexclude: [a, 'b/**', '!c']\n", true},
		{one + "ignores: [{path: '*.npy', rule: file-order, reason: exported this way, x-by: me}]\n", true},
		{one + "ignores: [{path: a/, tensor: 'lm.*', rule: [file-order], reason: exported this way}]\n", true},
		{one + "ignores: []\n", true},
		{one + "rules: ['onnx-*', gaps]\nseverities: {onnx-io-type: warning, 'triton-*': note}\n", true},
		{one + "ignore: syntax\nignores: [{path: a, rule: syntax, reason: x}]\n", true},
		{one + "extends: ../base.yaml\nroot: ..\nbaseline: ab:c.json\n", true},
		{one + "extends: /etc/passwd\n", false},
		{one + "extends: 'C:/x.yaml'\n", false},
		{one + "extends: 'a\\b.yaml'\n", false},
		{one + "extends: ''\n", false},
		{one + "extends: [a.yaml]\n", false},
		{one + "root: /\n", false},
		{one + "root: 1\n", false},
		{one + "baseline: /tmp/known.json\n", false},
		{one + "rules: gasp\n", false},
		{one + "templates: skip\n", true},
		{one + "templates: Skip\n", false},
		{one + "templates: [skip]\n", false},
		{one + "severities: {gaps: off}\n", true},
		{one + "severities: {gasp: off}\n", false},
		{one + "severities: {syntax: off}\n", false},
		{one + "severities: {gasp: note}\n", false},
		{one + "severities: {gaps: bad}\n", false},
		{one + "severities: {syntax: note}\n", false},
		{one + "severities: [gaps]\n", false},
		{"target: directml\n", false},
		{"version: 2\n", false},
		{"version: '1'\n", false},
		{"- 1\n", false},
		{one + "tensors: {}\n", false},
		{one + "severty: note\n", false},
		{one + "severity: bad\n", false},
		{one + "severity: [note]\n", false},
		{one + "target: 1\n", false},
		{one + "ignore: gap\n", false},
		{one + "ignore: {gaps: 1}\n", false},
		{one + "exclude: 3\n", false},
		{one + "baseline: [a]\n", false},
		{one + "ignores: {}\n", false},
		{one + "ignores: [{rule: gaps, reason: x}]\n", false},
		{one + "ignores: [{path: '!x', rule: gaps, reason: x}]\n", false},
		{one + "ignores: [{path: x, reason: x}]\n", false},
		{one + "ignores: [{path: x, rule: [], reason: x}]\n", false},
		{one + "ignores: [{path: x, rule: gaps}]\n", false},
		{one + "ignores: [{path: x, rule: gaps, reason: ''}]\n", false},
		{one + "ignores: [{path: x, rule: gaps, reason: x, tensors: y}]\n", false},
	} {
		_, readErr := project.ReadConfig([]byte(c.text))
		var value any
		if err := yaml.Unmarshal([]byte(c.text), &value); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(value)
		if err == nil {
			err = json.Unmarshal(text, &value)
		}
		if err != nil {
			t.Fatal(err)
		}
		schemaErr := schema.Validate(value)
		if (readErr == nil) != c.ok || (schemaErr == nil) != c.ok {
			t.Errorf("%q: the reader says %v, the schema %v", c.text, readErr, schemaErr)
		}
	}
}

// TestSchemaKeys compares the keys and the rules of the schema with those of the reader.
func TestSchemaKeys(t *testing.T) {
	schema := projectSchema(t)
	for _, c := range []struct {
		text string // has an unknown key
		have *jsonschema.Schema
	}{
		{"version: 1\nqqqqqqqq: 1\n", schema},
		{"version: 1\nignores: [{qqqqqqqq: 1}]\n", schema.Defs["silence"]},
	} {
		_, err := project.ReadConfig([]byte(c.text))
		wrong, ok := err.(*lexer.SyntaxError)
		if !ok {
			t.Fatal(err)
		}
		known := strings.Split(strings.TrimPrefix(wrong.Hint, "the keys are "), ", ")
		var have []string
		for name := range c.have.Properties {
			have = append(have, name)
		}
		slices.Sort(known)
		slices.Sort(have)
		if diff := cmp.Diff(known, have); diff != "" {
			t.Errorf("the reader knows (-), the schema has (+): %s", diff)
		}
	}
	var known, have []string
	for _, r := range ruledocs.Texts() {
		known = append(known, r.Name)
	}
	for _, name := range schema.Defs["rule"].Enum {
		have = append(have, name.(string))
	}
	if diff := cmp.Diff(known, have); diff != "" {
		t.Errorf("the rules are (-), those of the schema (+), in the order of the table: %s", diff)
	}
}
