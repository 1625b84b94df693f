// Package rules has the pages of the rules for people, embedded, and reads them.
package rules

import (
	"embed"
	"strings"
)

// Pages are the pages of this directory, without the list of all rules in README.md.
//
//go:embed [a-z]*.md
var Pages embed.FS

// A Text is the text of a page about a rule.
type Text struct {
	Page     string // the name of the page
	Name     string
	Title    string // the fault, in a few words
	Severity string
	Targets  string // the families that have the rule: the name of one, or all
	What     string // the requirement
	Why      string // the consequences of a violation
	Limit    string // the last value that is right and the first that is wrong; may be empty
	Source   string // how it is known: documented, enforced in code, observed, or inferred
	Fix      string // how to fix it
	Bad      string // a file that breaks it, and none more severe
	Good     string // the same, fixed
	Markdown string // all of it
}

// Address returns the path of the page from the root of the project, with the anchor of the rule.
func (t Text) Address() string { return "docs/rules/" + t.Page + ".md#" + t.Name }

// Names are the names of the pages, in their order.
var Names = [...]string{
	"descriptor", "operator", "model", "target", "config", "tensorfile", "index", "artefact", "expectation", "onnx",
	"triton", "repository", "input",
}

// All returns the texts of all pages, in their order.
func All() (list []Text) {
	for _, name := range Names {
		list = append(list, Page(name)...)
	}
	return list
}

// Page returns the texts of a page: of each of its rules, in a section whose heading is the name of the rule.
func Page(name string) (list []Text) {
	page, _ := Pages.ReadFile(name + ".md")
	sections := strings.Split(string(page), "\n## ")
	for _, section := range sections[1:] {
		t := read(section)
		t.Page = name
		list = append(list, t)
	}
	return list
}

// Heading returns the heading of a page: "Rules of ONNX models".
func Heading(name string) string {
	page, _ := Pages.ReadFile(name + ".md")
	heading, _, _ := strings.Cut(string(page), "\n")
	return strings.TrimPrefix(heading, "# ")
}

// read reads a section: the name of the rule, its title, its severity and targets, the condition, a list of parts, an
// example that fails and one that passes.
func read(section string) Text {
	part := strings.SplitN(section, "\n\n", 6)
	severity, targets, _ := strings.Cut(strings.TrimSuffix(part[2], "."), ". ")
	bad, good, _ := strings.Cut(part[5], "\n\nPasses:\n\n")
	t := Text{
		Name: part[0], Title: strings.Trim(part[1], "*"), Severity: strings.TrimPrefix(severity, "Severity: "),
		Targets: strings.TrimPrefix(targets, "Targets: "), What: joined(part[3]), Bad: code(bad), Good: code(good),
		Markdown: strings.TrimSpace(section[len(part[0]):]),
	}
	list := map[string]*string{"Why": &t.Why, "Limit": &t.Limit, "Source": &t.Source, "Fix": &t.Fix}
	for item := range strings.SplitSeq("\n"+part[4], "\n- ") {
		if label, text, ok := strings.Cut(item, ": "); ok {
			*list[label] = joined(text)
		}
	}
	return t
}

// code returns the content of a block of code.
func code(block string) string {
	_, block, _ = strings.Cut(block, "```")
	language, text, _ := strings.Cut(block, "\n")
	text, _, _ = strings.Cut(text, "\n```")
	if language == "yaml" || language == "pbtxt" { // others are parts of a line
		text += "\n"
	}
	return text
}

// joined returns the lines of a paragraph as one.
func joined(paragraph string) string { return strings.Join(strings.Fields(paragraph), " ") }
