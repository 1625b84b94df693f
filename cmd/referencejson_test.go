package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// json writes the fields of all answers, as their schema describes them.
func (r *reference) json() {
	r.title("Fields of JSON answers",
		"Every field of the answers that `-o json` prints. [JSON](../json.md) shows how to ask for them.",
		"[answers.schema.json](../answers.schema.json)")
	r.WriteByte('\n')
	r.fill("`planes[].name` is the field `name` of every item of the list `planes`; `--get planes.0.name` prints it"+
		" for the first item. An optional field is missing from some answers.", 0)
	data, err := os.ReadFile("../docs/answers.schema.json")
	if err != nil {
		r.t.Fatal(err)
	}
	var root schema
	if err := json.Unmarshal(data, &root); err != nil {
		r.t.Fatal(err)
	}
	for _, def := range root.Defs {
		if def.Title != "" {
			r.heading(2, def.Title)
			r.object(root.Defs, def.schema)
		}
	}
}

// object writes what a schema states about an object and its fields. If the object has several forms, each has a
// section.
func (r *reference) object(defs members, s *schema) {
	if s.Description != "" {
		r.WriteByte('\n')
		r.fill(s.Description, 0)
	}
	for _, form := range s.AnyOf {
		r.heading(3, form.Title)
		r.object(defs, form)
	}
	if len(s.AllOf) > 0 {
		r.WriteByte('\n')
		r.fill("It has the fields of "+strings.Join(defs.kinds(s.AllOf), " and of ")+", and:", 0)
	}
	if len(s.Properties) > 0 {
		r.WriteByte('\n')
		r.fields(defs, s, "")
	}
}

// fields writes an item for each field of an object, and for each field of the objects in it. The name of each starts
// with path.
func (r *reference) fields(defs members, s *schema, path string) {
	for _, f := range s.Properties {
		if f.name == "command" && f.Description == "" {
			continue // the heading names the command
		}
		kind := defs.kind(f.schema)
		if !slices.Contains(s.Required, f.name) {
			kind += ", optional"
		}
		if f.Description == "" {
			r.t.Errorf("the schema does not describe %s%s", path, f.name)
		}
		r.fill("- `"+path+f.name+"` ("+kind+"): "+f.Description, 2)
		inner, inside := f.schema, path+f.name
		if f.Items != nil {
			inner, inside = f.Items, inside+"[]"
		}
		if len(inner.AllOf) > 0 {
			r.fill("- `"+inside+"`: the fields of "+strings.Join(defs.kinds(inner.AllOf), " and of ")+", and:", 2)
		}
		r.fields(defs, inner, inside+".")
	}
	if s.Others != nil {
		r.fill("- other fields ("+defs.kind(s.Others)+"): "+s.Others.Description, 2)
	}
}

// A schema is a JSON schema.
type schema struct {
	Title, Description string
	Ref                string `json:"$ref"`
	Type               names
	Enum               []any
	Const              any
	Required           []string
	AllOf, AnyOf       []*schema
	Items              *schema
	Properties         members
	Others             *schema `json:"unevaluatedProperties"`
	Defs               members `json:"$defs"`
}

// names are one name or a list of names.
type names []string

// UnmarshalJSON implements json.Unmarshaler.
func (n *names) UnmarshalJSON(data []byte) error {
	if data[0] == '[' {
		return json.Unmarshal(data, (*[]string)(n))
	}
	*n = make(names, 1)
	return json.Unmarshal(data, &(*n)[0])
}

// members are schemas with their names, in the order of the file.
type members []member

type member struct {
	name string
	*schema
}

// UnmarshalJSON implements json.Unmarshaler.
func (m *members) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	_, err := d.Token()
	for err == nil && d.More() {
		var name json.Token
		if name, err = d.Token(); err == nil {
			s := new(schema)
			err = d.Decode(s)
			*m = append(*m, member{name.(string), s})
		}
	}
	return err
}

// kinds describes the values that each schema accepts.
func (m members) kinds(list []*schema) (kinds []string) {
	for _, s := range list {
		kinds = append(kinds, m.kind(s))
	}
	return kinds
}

// kind describes the values that a schema accepts, such as "integer or null". The members are the definitions that it
// refers to.
func (m members) kind(s *schema) string {
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
		i := slices.IndexFunc(m, func(def member) bool { return def.name == name })
		title := m[i].Title
		if title == "" {
			return m.kind(m[i].schema)
		}
		return "[" + strings.ToLower(title[:1]) + title[1:] + "](#" + anchor(title) + ")"
	}
	kinds := m.kinds(s.AnyOf)
	for _, value := range s.Enum {
		kinds = append(kinds, constant(value))
	}
	if s.Const != nil {
		kinds = append(kinds, constant(s.Const))
	}
	for _, name := range s.Type {
		switch {
		case name != "array":
			kinds = append(kinds, name)
		case len(s.Type) > 1:
			kinds = append(kinds, m.list(s.Items)+",") // "list of integers, or null" has no null in the list
		default:
			kinds = append(kinds, m.list(s.Items))
		}
	}
	if len(kinds) == 0 {
		return "any value"
	}
	return alternatives(kinds)
}

// list describes a list of the values that a schema accepts.
func (m members) list(items *schema) string {
	kind := m.kind(items)
	if len(items.Type) == 0 {
		return "list, each " + kind
	}
	if rest, ok := strings.CutPrefix(kind, "list"); ok {
		return "list of lists" + rest
	}
	return "list of " + regexp.MustCompile(`(integer|string|object|null)\b`).ReplaceAllString(kind, "${1}s")
}

// alternatives joins words with commas and "or".
func alternatives(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// constant returns a value as code.
func constant(value any) string {
	if value == nil {
		return "null"
	}
	return fmt.Sprintf("`%v`", value)
}

// anchor returns the anchor of a heading.
func anchor(title string) string {
	title = regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(title), "")
	return strings.ReplaceAll(title, " ", "-")
}
