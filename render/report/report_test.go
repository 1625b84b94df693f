package report

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/tensorfile"
	"layoutcalc/render"
)

// A limited writer takes a number of bytes, and then fails.
type limited struct{ left int }

var errFull = errors.New("no space left on device")

func (l *limited) Write(b []byte) (int, error) {
	if l.left -= len(b); l.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// TestWriteError checks that every format returns an error for an output that fails at any point.
func TestWriteError(t *testing.T) {
	for _, f := range Formats {
		whole := len(written(t, f.Format, Options{}, sample()))
		for _, room := range []int{0, 1, whole / 2, whole - 32} {
			w := NewWriter(&limited{room}, f.Format, Options{})
			for _, finding := range sample() {
				w.Add(&finding)
			}
			var failed *render.WriteError
			if err := w.Close(Summary{}); !errors.As(err, &failed) || !errors.Is(err, errFull) {
				t.Errorf("%s with room for %d of %d bytes: %v", f.Format, room, whole, err)
			}
		}
	}
}

// TestAddError checks that a failed write is reported before the end.
func TestAddError(t *testing.T) {
	w := NewWriter(&limited{0}, Plain, Options{})
	f := sample()[0]
	for range 1000 {
		if w.Add(&f) != nil {
			return
		}
	}
	t.Error("1000 findings are written to an output that fails")
}

// TestNoAllocation checks that formats that write findings at once allocate memory only for positions and words.
func TestNoAllocation(t *testing.T) {
	f := sample()[0]
	for format, most := range map[Format]float64{Plain: 3, JSONL: 0, GitLab: 2} {
		w := NewWriter(io.Discard, format, Options{})
		if got := testing.AllocsPerRun(100, func() { w.Add(&f) }); got > most {
			t.Errorf("%s: %v allocations a finding", format, got)
		}
	}
}

// BenchmarkLongLine shows 10,000 findings in a file of 5 MB that is one line.
func BenchmarkLongLine(b *testing.B) {
	f := sample()[0]
	f.Source = bytes.Repeat([]byte(`"Strides": [ 3, 1 ], `), 5<<20/21)
	b.ReportAllocs()
	for b.Loop() {
		w := NewWriter(io.Discard, Text, Options{})
		for i := range 10_000 {
			f.Column = 500*i + 1
			if err := w.Add(&f); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkWrite writes 10,000 findings, half of them with a source line.
func BenchmarkWrite(b *testing.B) {
	for _, f := range Formats {
		b.Run(string(f.Format), func(b *testing.B) {
			findings := sample()
			b.ReportAllocs()
			for b.Loop() {
				w := NewWriter(io.Discard, f.Format, Options{Colors: render.Colors16})
				for i := range 10_000 {
					if err := w.Add(&findings[i%2]); err != nil {
						b.Fatal(err)
					}
				}
				if err := w.Close(Summary{
					Files: 1, Descriptors: 10_000, Count: [len(finding.Severities)]int{0, 5000, 5000},
				}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

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
func made(
	path string, line, column int, id *finding.Rule, s finding.Severity, tensor, message, fix string,
) Finding {
	return Finding{Path: path, RootPath: path, Fails: true, Finding: finding.Finding{
		Rule: id, Severity: s, Place: finding.Place{Line: line, Column: column}, Tensor: tensor, Message: message,
		Fix: fix,
	}}
}

// sample has findings of each severity, in two files, with and without a line.
func sample() []Finding {
	overlap := made("model.json", 3, 15, rules.OverlapOutput, finding.Error, "OutputTensor",
		"(0,3) and (1,0) are both element 9", "strides 4,1")
	overlap.Pointer = "/dispatchables/conv/desc/OutputTensor/Strides/0"
	overlap.Source = []byte(`	"Strides": [ 3, 1 ],`)
	level := made("model.json", 4, 0, rules.OpLevel, finding.Warning, "", "needs 6.2", "")
	header := made("dir with space/w.npy", 0, 0, tensorfile.FileOrder, finding.Note, "w", "w is in Fortran order", "")
	return []Finding{overlap, level, header}
}

// lineList splits text, which must end with a line break.
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
