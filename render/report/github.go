package report

import (
	"bytes"
	"slices"
	"sort"
	"strconv"
	"strings"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
)

// A github report is annotation commands for a workflow: errors first, and the findings of a severity by path and line.
// GitHub accepts few annotations of a kind, so the other findings are lines of the log, and a last command has the
// counts. Findings are kept until the end, as long as there is room.
type github struct {
	silent
	held  keeper                       // the command and the line of each finding
	early [len(finding.Severities)]int // commands written before the end
	lines int                          // findings written as lines
}

// maxAnnotations is the maximum number of annotations of a kind that GitHub accepts from a step.
const maxAnnotations = 10

func (g *github) finding(o out, f *Finding) {
	s := f.Severity
	switch {
	case g.held.size < maxHeld:
		g.held.add(f, func(o out) {
			o.command(f)
			o.logLine(f)
		})
	case s > finding.Note && g.early[s]+len(g.held.kept[s]) < maxAnnotations:
		g.early[s]++
		o.command(f)
	default:
		g.lines++
		o.logLine(f)
	}
}

// command writes the command for a finding.
func (o out) command(f *Finding) {
	o.Text("::", command(f.Severity), " ")
	path := render.Clean(f.RootPath)
	if path != "" {
		o.Text("file=")
		property.WriteString(o, path)
		o.Text(",")
	}
	if f.Line > 0 {
		o.Text("line=")
		o.Number(int64(f.Line))
		o.Text(",")
	}
	if column(f) > 0 {
		o.Text("col=")
		o.Number(int64(f.Column))
		o.Text(",")
	}
	o.Text("title=layoutcalc ", f.Rule.String(), "::")
	if f.Line <= 0 && path != "" { // GitHub only shows the path of an annotation with a line
		data.WriteString(o, path)
		o.Text(": ")
	}
	data.WriteString(o, advice(f))
	o.Line()
}

// logLine writes a finding as a line of the log, with its fix before the rule.
func (o out) logLine(f *Finding) {
	parts := sentence(f)
	const message = 5 // parts up to the end of the message
	o.Text(parts[:message]...)
	if f.Fix != "" {
		o.Text("; fix: ", fixOf(f))
	}
	o.Line(parts[message:]...)
}

func (g *github) end(o out, s *Summary) {
	for severity, list := range slices.Backward(g.held.kept[:]) {
		sort.SliceStable(list, func(i, k int) bool {
			a, b := &list[i], &list[k]
			return a.path < b.path || a.path == b.path && a.line < b.line
		})
		room := maxAnnotations - g.early[severity]
		if finding.Severity(severity) == finding.Note && (g.lines > 0 || len(list) > room) {
			room-- // for the counts
		}
		for i, held := range list {
			end := bytes.IndexByte(held.text, '\n') + 1
			if i < room {
				o.Write(held.text[:end])
				continue
			}
			g.lines++
			o.Write(held.text[end:])
		}
	}
	if g.lines > 0 {
		o.Text("::notice title=layoutcalc summary::", wording.Count(g.lines, "finding"),
			" in the log only (GitHub shows ",
			strconv.Itoa(maxAnnotations), " annotations of a kind); ")
	}
	o.summary(s)
}

// command returns the runner's command for a severity.
func command(s finding.Severity) string {
	if s == finding.Note {
		return "notice"
	}
	return s.String()
}

// The escapes in the message of a command, and in one of its properties.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
