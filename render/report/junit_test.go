package report

import (
	"encoding/xml"
	"testing"

	"layoutcalc/layout/finding"
)

// junitFile is a JUnit report as a program reads it.
type junitFile struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Cases    []junitCase `xml:"testcase"`
	Err      string      `xml:"system-err"`
}

type junitCase struct {
	Name      string `xml:"name,attr"`
	ClassName string `xml:"classname,attr"`
	Line      string `xml:"line,attr"`
	Failure   *struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	} `xml:"failure"`
	Out string `xml:"system-out"`
}

// readJUnit parses a report, and checks the sums of its suites.
func readJUnit(t testing.TB, text string) junitFile {
	t.Helper()
	for _, r := range text {
		if r != '\n' && (r < ' ' || r >= 0xD800 && r < 0xE000 || r == 0xFFFE || r == 0xFFFF) {
			t.Fatalf("XML 1.0 has no %U", r)
		}
	}
	var got junitFile
	if err := xml.Unmarshal([]byte(text), &got); err != nil {
		t.Fatalf("%v in\n%.2000s", err, text)
	}
	for _, s := range got.Suites {
		failures := 0
		for _, c := range s.Cases {
			if c.Failure != nil {
				failures++
			}
		}
		if s.Tests != len(s.Cases) || s.Failures != failures {
			t.Errorf("%.80s: %d tests and %d failures are %d and %d", s.Name, s.Tests, s.Failures, len(s.Cases),
				failures)
		}
	}
	return got
}

func TestJUnit(t *testing.T) {
	found := sample()
	for i := range found {
		found[i].Fails = found[i].Severity >= finding.Warning
	}
	got := readJUnit(t, written(t, JUnit, Options{}, found, "clean.json"))
	if len(got.Suites) != 3 {
		t.Fatalf("%+v", got)
	}
	model := got.Suites[0]
	if model.Name != "model.json" || model.Tests != 2 || model.Failures != 2 {
		t.Errorf("%+v", model)
	}
	overlap := model.Cases[0]
	if overlap.Name != "overlap-output OutputTensor" || overlap.ClassName != "model.json" || overlap.Line != "3" {
		t.Errorf("%+v", overlap)
	}
	const message = "OutputTensor: (0,3) and (1,0) are both element 9"
	const text = "model.json:3:15: error: " + message + " [overlap-output]\nfix: strides 4,1"
	if f := overlap.Failure; f.Type != "error" || f.Message != message || f.Text != text {
		t.Errorf("%+v", f)
	}
	const out = "dir with space/w.npy: note: w is in Fortran order [file-order]"
	if note := got.Suites[1].Cases[0]; note.Failure != nil || note.Out != out {
		t.Errorf("what does not break the build fails: %+v", note)
	}
	clean := got.Suites[2]
	if clean.Name != "clean.json" || clean.Tests != 1 || clean.Failures != 0 || clean.Cases[0].Name != "check" {
		t.Errorf("%+v", clean)
	}
	if got := readJUnit(t, written(t, JUnit, Options{}, sample())); got.Suites[1].Failures != 1 {
		t.Errorf("a note does not fail: %+v", got.Suites[1])
	}
	if got := readJUnit(t, written(t, JUnit, Options{}, nil)); len(got.Suites) != 0 {
		t.Errorf("%+v", got)
	}
}
