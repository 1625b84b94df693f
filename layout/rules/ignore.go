package rules

import (
	"strconv"
	"strings"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/scan"
)

// ReadIgnores adds the comments layoutcalc:ignore RULE REASON to the file, and what is wrong with them to its findings.
// A comment is about its own line; one that is alone on its line, about the next line that has more than comments.
func (f *File) ReadIgnores(comments []doctree.Comment) {
	for i, c := range comments {
		if i == doctree.MaxComments {
			f.badIgnore(c.Place, "",
				"more than "+strconv.Itoa(doctree.MaxComments)+" comments: this and those after it are not read")
			return
		}
		words := strings.Trim(c.Text, " \t\r*")
		if !strings.HasPrefix(words, doctree.CommentMark) {
			continue
		}
		f.readIgnore(words[len(doctree.CommentMark):], Ignore{Line: c.Line, Place: c.Place})
	}
}

// readIgnore reads what comes after the mark.
func (f *File) readIgnore(words string, ignore Ignore) {
	words, _, _ = strings.Cut(words, "\n")
	verb, rest, _ := strings.Cut(words, " ")
	name, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
	ignore.Rule, ignore.Reason = name, strings.TrimSpace(reason)
	const form = "layoutcalc:ignore RULE REASON"
	_, err := Find(name)
	switch {
	case verb != "ignore":
		f.badIgnore(ignore.Place, form, scan.Quote(doctree.CommentMark+verb)+" is not a comment that layoutcalc knows")
	case name == "":
		f.badIgnore(ignore.Place, form, "the comment names no rule")
	case err != nil:
		f.badIgnore(ignore.Place, hintOf(err), "there is no rule "+scan.Quote(name))
	case ignore.Reason == "":
		f.badIgnore(ignore.Place, "layoutcalc:ignore "+name+" REASON",
			"the comment does not say why "+name+" is ignored")
	default:
		f.Ignores = append(f.Ignores, ignore)
	}
}

func (f *File) badIgnore(at Place, fix, msg string) {
	id := BadIgnore
	f.Findings = append(f.Findings,
		Finding{Rule: id, Severity: id.Rule().Severity, Place: at, Message: msg, Fix: fix})
}
