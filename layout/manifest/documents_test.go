package manifest

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	pages "layoutcalc/docs/rules"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
)

var update = flag.Bool("update", false, "collect the texts of testdata/documents.json")

// documentTexts returns the configurations in the documents: whole ones, parts, and keys in tables.
func documentTexts(t *testing.T) (texts []string) {
	t.Helper()
	read := func(name string) string {
		text, err := os.ReadFile("../../docs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	texts = append(texts, read("example.layoutcalc.yaml"))
	for _, page := range [...]string{"config", "artefact", "expectation"} {
		for _, r := range pages.Page(page) {
			text, _, _ := strings.Cut(r.Good, " beside ")
			for file := range strings.SplitSeq(text, "\n# ") {
				if strings.Contains(file, "version: 1\n") {
					texts = append(texts, strings.TrimPrefix(file, "# m.layoutcalc.yaml\n"))
				}
			}
		}
	}
	block := ""
	_, tensors, _ := strings.Cut(read("expectations.md"), "\n## Tensors\n")
	for line := range strings.Lines(tensors + "\n") {
		code, isCode := strings.CutPrefix(line, "    ")
		if cells := strings.Split(line, " | "); strings.HasPrefix(line, "| `") && len(cells) > 1 {
			for i, span := range strings.Split(cells[0], "`") {
				if i%2 == 1 && strings.Contains(span, ": ") {
					texts = append(texts, "{"+span+"}\n")
				}
			}
		}
		if block += code; !isCode {
			if key, _, isKey := strings.Cut(block[:len(block)-len(code)], ":"); isKey && !strings.Contains(key, " ") {
				texts = append(texts, block[:len(block)-len(code)])
			}
			block = ""
		}
	}
	return texts
}

// readJSON reads a file of testdata.
func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestPyYAML compares the reading of the documents with PyYAML 6.0.3, and validates each whole configuration by the
// schema, so that users can copy them.
func TestPyYAML(t *testing.T) {
	texts := documentTexts(t)
	if *update {
		data, err := json.MarshalIndent(texts, "", " ")
		if err == nil {
			err = os.WriteFile("testdata/documents.json", append(data, '\n'), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var stored []string
	var values []any
	readJSON(t, "documents.json", &stored)
	readJSON(t, "pyyaml.json", &values)
	if diff := cmp.Diff(stored, texts); diff != "" || len(values) != len(texts) {
		t.Fatalf("go test -update, then python3 testdata/pyyaml.py; %d values: %s", len(values), diff)
	}
	schema, whole := configSchema(t), 0
	for i, text := range texts {
		value := yamlValue(t, text)
		if diff := cmp.Diff(values[i], value); diff != "" {
			t.Errorf("%s\nPyYAML (-), ours (+): %s", text, diff)
		}
		if IsConfig(yamlTree(t, text)) && strings.Contains(text, "version: 1") {
			whole++
			if err := schema.Validate(value); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	if whole < 30 {
		t.Errorf("%d whole configurations", whole)
	}
}

// TestSchemaValues reads each example that the schema has for expectations.
func TestSchemaValues(t *testing.T) {
	text, err := os.ReadFile("../../docs/layoutcalc.schema.json")
	var schema jsonschema.Schema
	if err == nil {
		err = json.Unmarshal(text, &schema)
	}
	if err != nil {
		t.Fatal(err)
	}
	var examples func(s *jsonschema.Schema) []any
	examples = func(s *jsonschema.Schema) (list []any) {
		list = append(list, s.Examples...)
		if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
			list = append(list, examples(schema.Defs[name])...)
		}
		for _, of := range s.AnyOf {
			list = append(list, examples(of)...)
		}
		return list
	}
	n := 0
	for of, form := range map[string]string{
		"expect":     "version: 1\ntensors: {a: {dtype: f32, sizes: 1x3x4x4, expect: {KEY: VALUE}}}\n",
		"fileExpect": "version: 1\nfiles: {a: {file: m.onnx, expect: {KEY: VALUE}}}\n",
		"edge":       "version: 1\ntensors: {a: {dtype: f32, sizes: 3}}\nedges: [{from: a, to: a, KEY: VALUE}]\n",
	} {
		for key, s := range schema.Defs[of].Properties {
			for _, example := range examples(s) {
				value, err := json.Marshal(example)
				if err != nil {
					t.Fatal(err)
				}
				n++
				text := strings.NewReplacer("KEY", key, "VALUE", string(value)).Replace(form)
				f := Config(yamlTree(t, text), library())
				isWrong := func(f finding.Finding) bool {
					return f.Rule == configKey || f.Rule == descriptor.ConfigValue
				}
				if i := slices.IndexFunc(f.Findings, isWrong); i >= 0 {
					t.Errorf("%s: %s", text, f.Findings[i].Message)
				}
			}
		}
	}
	if n < 40 {
		t.Errorf("the schema has %d examples", n)
	}
}

// TestSchemaFileExpect validates expectations of files by the schema and reads them: both must accept or both reject
// them.
func TestSchemaFileExpect(t *testing.T) {
	schema := configSchema(t)
	for expect, ok := range map[string]bool{
		"{}": true, "{bytes: 0}": true, "{bytes: 1.5MiB}": true, "{bytes: {min: 1kB, max: 2 GiB}}": true,
		"{bytes: 1KB}": false, "{bytes: -1}": false, "{bytes: [1]}": false, "{bytes: {max: 1, most: 2}}": false,
		"{tensorBytes: {max: 16GiB}}": true, "{tensorBytes: 7e9}": false, "{parameters: 7e9}": true,
		"{parameters: 1.5e9}": true, "{parameters: {max: 7000000000}}": true, "{parameters: 7B}": false,
		"{parameters: 4e5}": true, "{parameters: 1.5e8}": true, "{parameters: 7e19}": false,
		"{parameters: 7GB}": false, "{parameters: {}}": false, "{irVersion: 8}": true,
		"{irVersion: {max: 8, x-why: 1}}": true, "{irVersion: '8'}": false, "{irVersion: -1}": false,
		"{opset: 17}": true, "{opset: {max: 17}}": true, "{opset: {ai.onnx: 17, '': {min: 3}, x-a: {}}}": true,
		"{opset: {}}": false, "{opset: {max: 17, ai.onnx: 3}}": false, "{opset: {ai.onnx: x}}": false,
		"{opset: [17]}": false, "{operators: Conv}": true, "{operators: []}": true, "{operators: [Conv, 3]}": false,
		"{domains: {ai.onnx: 3}}": false, "{inputs: 3}": false, "{outputs: [y]}": true, "{externalData: true}": true,
		"{externalData: none}": false, "{input: [x]}": false, "{x-any: 3}": true, "[]": false,
	} {
		text := "version: 1\nfiles: {a: {file: m.onnx, expect: " + expect + "}}\n"
		f := Config(yamlTree(t, text), library())
		if err := schema.Validate(yamlValue(t, text)); (err == nil) != ok || (len(f.Findings) == 0) != ok {
			t.Errorf("%s: %v; %v", expect, err, f.Findings)
		}
	}
	const json = `{"version": 1, "files": {"a": {"file": "m.onnx", "expect": {"parameters": {"max": 7e9}}}}}`
	if found := configFindings(t, strings.Replace(json, ` "`, `"`, -1)); len(found) != 1 {
		t.Errorf("a number of JSON: %q", found) // files must not be searched
	}
}
