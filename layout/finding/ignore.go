package finding

import (
	"fmt"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/wording"
)

// ignoreForm is the form of a comment that silences a rule.
const ignoreForm = "layoutcalc:ignore RULE REASON"

// Ignores returns the comments layoutcalc:ignore RULE REASON, and findings about other comments with the mark. A
// comment applies to its own line, or if it is alone on its line, to the next line with more than comments. The names
// are looked up in the rules.
func Ignores(comments []doctree.Comment, rules []*Rule) (ignores []Ignore, wrong []Finding) {
	bad := func(c doctree.Comment, fix, format string, args ...any) {
		wrong = append(wrong, Finding{
			Rule: BadIgnore, Severity: BadIgnore.Severity, Place: c.Place,
			Message: fmt.Sprintf(format, args...), Fix: fix,
		})
	}
	for i, c := range comments {
		if i == doctree.MaxComments {
			bad(c, "", "more than %d comments: this and those after it are not read", doctree.MaxComments)
			break
		}
		words, ok := strings.CutPrefix(strings.Trim(c.Text, " \t\r*"), doctree.CommentMark)
		if !ok {
			continue
		}
		words, _, _ = strings.Cut(words, "\n")
		verb, rest, _ := strings.Cut(words, " ")
		name, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
		rule, err := Named(name, rules)
		switch {
		case verb != "ignore":
			bad(c, ignoreForm, "%s is not a comment that layoutcalc knows", wording.Quote(doctree.CommentMark+verb))
		case name == "":
			bad(c, ignoreForm, "the comment names no rule")
		case err != nil:
			bad(c, layout.HintOf(err), "there is no rule %s", wording.Quote(name))
		case strings.TrimSpace(reason) == "":
			bad(c, "layoutcalc:ignore "+name+" REASON", "the comment does not say why %s is ignored", name)
		default:
			ignores = append(ignores, Ignore{rule, c.Line, c.Place, Span{int64(c.From), int64(c.To)}})
		}
	}
	return ignores, wrong
}
