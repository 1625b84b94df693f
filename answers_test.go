package main

import (
	"encoding/json"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"layoutcalc/cmd/cmdtest"
	"layoutcalc/layout/layouttest"
)

// An answersSchema is the schema of answers.
type answersSchema struct {
	root      *jsonschema.Schema   // rejects fields that it does not describe
	strict    *jsonschema.Resolved // the same, to validate with
	published *jsonschema.Resolved // accepts other fields

	alternatives *jsonschema.Resolved // of an object with a field for each part of an anyOf, which names has
	names        map[*jsonschema.Schema]string
}

// readAnswersSchema reads the schema of answers.
func readAnswersSchema(t *testing.T) answersSchema {
	t.Helper()
	root := schemaOf(t, "docs/answers.schema.json")
	resolve := func(schema *jsonschema.Schema) *jsonschema.Resolved {
		resolved, err := schema.CloneSchemas().Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		return resolved
	}
	published := resolve(root)
	shared := map[*jsonschema.Schema]bool{} // schemas that describe a value together with others
	each(root, func(s *jsonschema.Schema) {
		for _, part := range slices.AppendSeq(slices.Clone(s.AllOf), maps.Values(s.Defs)) {
			shared[part] = true
		}
	})
	each(root, func(s *jsonschema.Schema) {
		if !shared[s] && s.AdditionalProperties == nil && s.UnevaluatedProperties == nil {
			s.UnevaluatedProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
		}
	})
	names, parts := map[*jsonschema.Schema]string{}, map[string]*jsonschema.Schema{}
	each(root, func(s *jsonschema.Schema) {
		for _, part := range s.AnyOf {
			names[part] = strconv.Itoa(len(names))
			parts[names[part]] = part
		}
	})
	alternatives := resolve(&jsonschema.Schema{Defs: root.Defs, Properties: parts})
	return answersSchema{root, resolve(root), published, alternatives, names}
}

// each calls visit with a schema and with all in it.
func each(schema *jsonschema.Schema, visit func(*jsonschema.Schema)) {
	visit(schema)
	for _, list := range [...]iter.Seq[*jsonschema.Schema]{
		maps.Values(schema.Defs), maps.Values(schema.Properties),
		slices.Values(schema.AllOf), slices.Values(schema.AnyOf),
	} {
		for s := range list {
			each(s, visit)
		}
	}
	if schema.Items != nil {
		each(schema.Items, visit)
	}
}

// documents returns the JSON objects that a call writes, including errors, or nil if it writes something else. The last
// object of -o jsonl gets an empty list instead of the items that are on separate lines.
func documents(t *testing.T, line string) (list []map[string]any) {
	t.Helper()
	out, errs, _ := cmdtest.Run(t, ".", line)
	if !strings.HasPrefix(out, "{") && !strings.HasPrefix(out, "null\n") {
		out = ""
	}
	for text := range strings.Lines(errs) {
		if strings.HasPrefix(text, "{") {
			out += text
		}
	}
	for d := json.NewDecoder(strings.NewReader(out)); ; {
		var document map[string]any
		if err := d.Decode(&document); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if document == nil {
			continue // a line of a batch without an answer
		}
		if command := document["command"]; command != nil && strings.HasSuffix(line, " -o jsonl") {
			name := "list"
			if command == "check" {
				name = "findings"
			}
			document[name] = []any{}
		}
		list = append(list, document)
	}
}

// TestAnswersSchema compares answers with the schema of answers, which describes every field. An answer with another
// value in a field, or with another field in one of its objects, breaks it. Together the answers have all fields of the
// schema.
func TestAnswersSchema(t *testing.T) {
	schema := readAnswersSchema(t)
	has := map[*jsonschema.Schema]bool{}
	valid := func(line string) (answers []map[string]any) {
		answers = documents(t, line)
		if len(answers) == 0 {
			t.Errorf("%s writes no JSON", line)
		}
		for _, answer := range answers {
			if err := schema.strict.Validate(answer); err != nil {
				t.Errorf("%s: %s", line, reason(err, answer))
			}
			schema.mark(schema.root, answer, has)
		}
		return answers
	}
	for _, call := range jsonCalls {
		for _, answer := range valid("layoutcalc " + call) {
			if (answer["error"] != nil) != (call == badCall) {
				t.Errorf("%s: %v", call, answer["error"])
			}
			if answer["command"] == nil || !strings.HasSuffix(call, "jsonl") { // an empty list may be of anything
				checkStrict(t, schema, call, answer)
			}
		}
	}
	dir := t.TempDir()
	many, known := filepath.Join(dir, "many.jsonl"), filepath.Join(dir, "known.json")
	text := strings.Repeat(`{"DataType": "FLOAT32", "Sizes": [0]}`+"\n", 10_001) // one more finding than are listed
	if err := os.WriteFile(many, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	valid("layoutcalc check '" + many + "' -o json")
	cmdtest.Run(t, ".", "layoutcalc check testdata/check/model.json --write-baseline '"+known+"'")
	valid("layoutcalc check testdata/check/model.json --baseline '" + known + "' -o json")
	each(schema.root, func(s *jsonschema.Schema) {
		for name, field := range s.Properties {
			if !has[field] {
				t.Errorf("no answer has the field %s of the schema: %s %s", name, s.Title, field.Description)
			}
		}
	})
}

// checkStrict changes a valid answer to answers that the schema must reject.
func checkStrict(t *testing.T, schema answersSchema, call string, answer map[string]any) {
	t.Helper()
	for _, field := range slices.Sorted(maps.Keys(answer)) {
		if answer["key"] != nil && field == "value" { // of metadata, which may be anything
			continue
		}
		wrong := maps.Clone(answer)
		wrong[field] = map[string]any{"other": 0.5}
		if schema.published.Validate(wrong) == nil {
			t.Errorf("%s: the field %s may be anything", call, field)
		}
	}
	objects("answer", answer, func(path string, object map[string]any) {
		object["otherField"] = 0.5
		if schema.strict.Validate(answer) == nil {
			t.Errorf("%s: the object %s may have any field", call, path)
		}
		delete(object, "otherField")
	})
}

// reason returns what an error of a schema states about the definition of the answer's command.
func reason(err error, answer map[string]any) string {
	var lines []string
	for line := range strings.Lines(err.Error()) {
		if command, _ := answer["command"].(string); strings.Contains(line, "/$defs/"+command+"/") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// TestAnswersOfCases compares the answers to the commands of cases and documents, as JSON, with the schema of answers.
func TestAnswersOfCases(t *testing.T) {
	schema := readAnswersSchema(t)
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := filepath.Glob("testdata/*.golden")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range slices.Concat(files, cases, []string{"README.md"}) {
		if filepath.Base(file) == "pictures.golden" { // its commands write files
			continue
		}
		t.Run(filepath.ToSlash(file), func(t *testing.T) {
			t.Parallel()
			for i, line := range cmdtest.Commands(t, file) {
				if i%layouttest.Step() != 0 || strings.Contains(line, "--get") || strings.Contains(line, "__complete") {
					continue
				}
				for _, answer := range documents(t, line+" -o json") {
					if err := schema.strict.Validate(answer); err != nil {
						t.Errorf("%s -o json: %s", line, reason(err, answer))
					}
				}
			}
		})
	}
}

// objects calls visit with the path of each object in a value, but only of the first item of a list.
func objects(path string, value any, visit func(path string, object map[string]any)) {
	switch value := value.(type) {
	case map[string]any:
		for key, v := range value {
			objects(path+"."+key, v, visit)
		}
		visit(path, value)
	case []any:
		for _, v := range value[:min(len(value), 1)] {
			objects(path+"[]", v, visit)
		}
	}
}

// mark adds the schemas of the fields of a value that s describes.
func (a answersSchema) mark(s *jsonschema.Schema, value any, has map[*jsonschema.Schema]bool) {
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
		s = a.root.Defs[name]
	}
	for _, part := range s.AllOf {
		a.mark(part, value, has)
	}
	for _, part := range s.AnyOf {
		if a.alternatives.Validate(map[string]any{a.names[part]: value}) == nil {
			a.mark(part, value, has)
		}
	}
	switch value := value.(type) {
	case map[string]any:
		for name, field := range s.Properties {
			if v, ok := value[name]; ok {
				has[field] = true
				a.mark(field, v, has)
			}
		}
	case []any:
		for _, v := range value {
			if s.Items != nil {
				a.mark(s.Items, v, has)
			}
		}
	}
}
