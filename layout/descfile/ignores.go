package descfile

import (
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
)

// ReadIgnores adds the comments layoutcalc:ignore RULE REASON of the tree to the file, and what is
// wrong with them to its findings. A comment speaks of its own line; one that stands alone, of
// the next line on which a value, a key or a bracket stands.
func (f *File) ReadIgnores(t *doctree.Tree) {
	for i, c := range t.Comments() {
		if i == doctree.MaxComments {
			f.badIgnore(c.Place, "", "more than "+strconv.Itoa(doctree.MaxComments)+" comments: this and those behind it are not read")
			return
		}
		words := strings.Trim(c.Text, " \t\r*")
		if !strings.HasPrefix(words, doctree.CommentMark) {
			continue
		}
		f.ignore(words[len(doctree.CommentMark):], rules.Ignore{Line: c.Line, Place: c.Place})
	}
}

// ignore reads what stands behind the mark.
func (f *File) ignore(words string, ignore rules.Ignore) {
	words, _, _ = strings.Cut(words, "\n")
	verb, rest, _ := strings.Cut(words, " ")
	name, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
	ignore.Rule, ignore.Reason = name, strings.TrimSpace(reason)
	const form = "layoutcalc:ignore RULE REASON"
	_, err := rules.Find(name)
	switch {
	case verb != "ignore":
		f.badIgnore(ignore.Place, form, quote(doctree.CommentMark+verb)+" is no comment that layoutcalc knows")
	case name == "":
		f.badIgnore(ignore.Place, form, "the comment names no rule")
	case err != nil:
		f.badIgnore(ignore.Place, hint(err), "there is no rule "+quote(name))
	case ignore.Reason == "":
		f.badIgnore(ignore.Place, "layoutcalc:ignore "+name+" REASON", "the comment does not say why "+name+" is ignored")
	default:
		f.Ignores = append(f.Ignores, ignore)
	}
}

func (f *File) badIgnore(at rules.Place, fix, msg string) {
	f.Findings = append(f.Findings, rules.Finding{Rule: rules.BadIgnore, Severity: rules.BadIgnore.Rule().Severity, Place: at, Message: msg, Fix: fix})
}

// hint is what an error advises to write; empty when it has no advice.
func hint(err error) string {
	if e, ok := err.(*layout.SyntaxError); ok {
		return e.Hint
	}
	return ""
}

// quote is a text in quotes, for a message.
func quote(text string) string { return quoted(text).String() }
