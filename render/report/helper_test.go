package report

import (
	"bytes"
	"strings"
	"testing"

	"layoutcalc/layout/rules"
)

// written writes findings in a format. Files are announced where they change, clean ones at the
// end.
func written(t testing.TB, format Format, o Options, findings []Finding, clean ...string) string {
	t.Helper()
	var b bytes.Buffer
	w, s := NewWriter(&b, format, o), Summary{Descriptors: 14}
	for i := range findings {
		f := &findings[i]
		if i == 0 || f.Path != findings[i-1].Path {
			s.Files++
			check(t, w.File(f.Path))
		}
		s.Count[f.Severity]++
		check(t, w.Add(f))
	}
	for _, path := range clean {
		s.Files++
		check(t, w.File(path))
	}
	check(t, w.Close(s))
	return b.String()
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// made makes a finding.
func made(path string, line, column int, id rules.ID, s rules.Severity, tensor, message, fix string) Finding {
	return Finding{Path: path, Finding: rules.Finding{
		Rule: id, Severity: s, Place: rules.Place{Line: line, Column: column}, Tensor: tensor, Message: message, Fix: fix,
	}}
}

// sample has findings of each severity, in two files, with and without a line.
func sample() []Finding {
	overlap := made("model.json", 3, 15, rules.OverlapOutput, rules.Error, "OutputTensor", "(0,3) and (1,0) are both element 9", "strides 4,1")
	overlap.Pointer, overlap.Source = "/dispatchables/conv/desc/OutputTensor/Strides/0", []byte(`	"Strides": [ 3, 1 ],`)
	level := made("model.json", 4, 0, rules.OpLevel, rules.Warning, "", "needs 6.2", "")
	header := made("dir with space/w.npy", 0, 0, rules.FileOrder, rules.Note, "w", "w is in Fortran order", "")
	return []Finding{overlap, level, header}
}

// lineList splits a text that ends with a line break.
func lineList(t testing.TB, text string) []string {
	t.Helper()
	if text == "" {
		return nil
	}
	body, ok := strings.CutSuffix(text, "\n")
	if !ok {
		t.Fatalf("no line break at the end of %.200q", text)
	}
	return strings.Split(body, "\n")
}
