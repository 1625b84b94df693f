package report

import (
	"encoding/xml"
	"testing"

	"github.com/google/go-cmp/cmp"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/inspect"
	"layoutcalc/layout/rules"
)

// checkstyleFile is what a program makes of a report.
type checkstyleFile struct {
	XMLName xml.Name `xml:"checkstyle"`
	Version string   `xml:"version,attr"`
	Files   []struct {
		Name   string            `xml:"name,attr"`
		Errors []checkstyleError `xml:"error"`
	} `xml:"file"`
}

type checkstyleError struct {
	Line     int    `xml:"line,attr"`
	Column   int    `xml:"column,attr"`
	Severity string `xml:"severity,attr"`
	Message  string `xml:"message,attr"`
	Source   string `xml:"source,attr"`

	path string
}

// readCheckstyle parses a report, and wants files that follow each other to be different ones.
func readCheckstyle(t testing.TB, text string) checkstyleFile {
	t.Helper()
	for _, r := range text {
		if r != '\n' && (r < ' ' || r >= 0xD800 && r < 0xE000 || r == 0xFFFE || r == 0xFFFF) {
			t.Fatalf("XML 1.0 has no %U", r)
		}
	}
	var got checkstyleFile
	if err := xml.Unmarshal([]byte(text), &got); err != nil || got.Version != "4.3" {
		t.Fatalf("%v in\n%.2000s", err, text)
	}
	for i, f := range got.Files {
		if len(f.Errors) == 0 || i > 0 && f.Name == got.Files[i-1].Name {
			t.Errorf("%.80q has %d errors", f.Name, len(f.Errors))
		}
	}
	return got
}

func TestCheckstyle(t *testing.T) {
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<checkstyle version="4.3">
  <file name="model.json">
    <error line="3" column="15" severity="error" ` +
		`message="OutputTensor: (0,3) and (1,0) are both element 9; fix: strides 4,1" ` +
		`source="layoutcalc.overlap-output"/>
    <error line="4" severity="warning" message="needs 6.2" source="layoutcalc.op-level"/>
  </file>
  <file name="dir with space/w.npy">
    <error line="0" severity="info" message="w is in Fortran order" source="layoutcalc.file-order"/>
  </file>
</checkstyle>
`
	text := written(t, Checkstyle, Options{}, sample(), "clean.json")
	if diff := cmp.Diff(want, text); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := readCheckstyle(t, text); len(got.Files) != 2 || len(got.Files[0].Errors) != 2 {
		t.Errorf("%+v", got)
	}
	known := made("a", 1, 1, rules.Gaps, finding.Error, "t", "m", "")
	known.Known = true
	if got := readCheckstyle(t, written(t, Checkstyle, Options{}, []inspect.Finding{known})); len(got.Files) != 0 {
		t.Errorf("%+v", got)
	}
}
