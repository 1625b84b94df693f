package descfile

import (
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
)

// readIgnores adds the comments layoutcalc:ignore RULE REASON of the tree to the file, and what is wrong with them to
// its findings. A comment is about its own line; one that is alone on its line, about the next line that has more than
// comments.
func readIgnores(f *rules.File, t *doctree.Tree) {
	for i, c := range t.Comments() {
		if i == doctree.MaxComments {
			badIgnore(f, c.Place, "",
				"more than "+strconv.Itoa(doctree.MaxComments)+" comments: this and those after it are not read")
			return
		}
		words := strings.Trim(c.Text, " \t\r*")
		if !strings.HasPrefix(words, doctree.CommentMark) {
			continue
		}
		readIgnore(f, words[len(doctree.CommentMark):], rules.Ignore{Line: c.Line, Place: c.Place})
	}
}

// readIgnore reads what comes after the mark.
func readIgnore(f *rules.File, words string, ignore rules.Ignore) {
	words, _, _ = strings.Cut(words, "\n")
	verb, rest, _ := strings.Cut(words, " ")
	name, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
	ignore.Rule, ignore.Reason = name, strings.TrimSpace(reason)
	const form = "layoutcalc:ignore RULE REASON"
	_, err := rules.Find(name)
	switch {
	case verb != "ignore":
		badIgnore(f, ignore.Place, form, quote(doctree.CommentMark+verb)+" is not a comment that layoutcalc knows")
	case name == "":
		badIgnore(f, ignore.Place, form, "the comment names no rule")
	case err != nil:
		badIgnore(f, ignore.Place, hint(err), "there is no rule "+quote(name))
	case ignore.Reason == "":
		badIgnore(f, ignore.Place, "layoutcalc:ignore "+name+" REASON",
			"the comment does not say why "+name+" is ignored")
	default:
		f.Ignores = append(f.Ignores, ignore)
	}
}

func badIgnore(f *rules.File, at rules.Place, fix, msg string) {
	id := rules.BadIgnore
	f.Findings = append(f.Findings,
		rules.Finding{Rule: id, Severity: id.Rule().Severity, Place: at, Message: msg, Fix: fix})
}

// hint is what an error advises to write; empty when it has no advice.
func hint(err error) string {
	if e, ok := err.(*layout.SyntaxError); ok {
		return e.Hint
	}
	return ""
}
