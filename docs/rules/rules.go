// Package rules has the pages of the rules for people, embedded, and reads them.
package rules

import (
	"embed"
	"strings"
)

// Pages are the pages of this directory.
//
//go:embed *.md
var Pages embed.FS

// A Text is the text of a page about a rule.
type Text struct {
	Name     string
	Title    string // the fault, in a few words
	Severity string
	Targets  string // the families that have the rule: the name of one, or all
	What     string // what has to hold
	Why      string // what happens otherwise
	Limit    string // the last value that is right and the first that is wrong; may be empty
	Source   string // who says so: documented, enforced in code, observed, or inferred
	Fix      string // how to mend it
	Bad      string // a file that breaks it, and none more severe
	Good     string // the same, mended
}

// names are the names of the pages, in their order.
var names = [...]string{
	"descriptor", "operator", "model", "target", "config", "tensorfile", "index", "artefact", "onnx", "triton",
	"repository", "input",
}

// All returns the texts of all pages, in their order.
func All() (list []Text) {
	for _, name := range names {
		list = append(list, Page(name)...)
	}
	return list
}

// Page returns the texts of a page: of each of its rules, in a section whose heading is the name of the rule.
func Page(name string) (list []Text) {
	page, _ := Pages.ReadFile(name + ".md")
	sections := strings.Split(string(page), "\n## ")
	for _, section := range sections[1:] {
		name, body, _ := strings.Cut(section, "\n\n")
		t := Text{Name: name}
		for body != "" {
			body = t.read(body)
		}
		list = append(list, t)
	}
	return list
}

// read reads the first paragraph, list or block of code of a section, and returns the rest.
func (t *Text) read(body string) (rest string) {
	if label, code, ok := strings.Cut(body, ":\n\n```"); ok && !strings.Contains(label, "\n") {
		language, code, _ := strings.Cut(code, "\n")
		code, rest, _ = strings.Cut(code, "```\n")
		if language != "yaml" && language != "pbtxt" { // others are parts of a line
			code = strings.TrimSuffix(code, "\n")
		}
		if label == "Fails" {
			t.Bad = code
		} else {
			t.Good = code
		}
		return strings.TrimPrefix(rest, "\n")
	}
	paragraph, rest, _ := strings.Cut(body, "\n\n")
	switch title, ok := strings.CutPrefix(paragraph, "**"); {
	case ok && t.Title == "":
		t.Title = strings.TrimSuffix(title, "**")
	case t.Severity == "":
		severity, targets, _ := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(paragraph, "."), "Severity: "), ". ")
		t.Severity, t.Targets = severity, strings.TrimPrefix(targets, "Targets: ")
	case !strings.HasPrefix(paragraph, "- "):
		t.What = joined(paragraph)
	default:
		parts := map[string]*string{"Why": &t.Why, "Limit": &t.Limit, "Source": &t.Source, "Fix": &t.Fix}
		for item := range strings.SplitSeq("\n"+paragraph, "\n- ") {
			if label, text, ok := strings.Cut(item, ": "); ok {
				*parts[label] = joined(text)
			}
		}
	}
	return rest
}

// joined returns the lines of a paragraph as one.
func joined(paragraph string) string { return strings.Join(strings.Fields(paragraph), " ") }
