package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"layoutcalc/cmd/files"
	"layoutcalc/layout/input"
	"layoutcalc/layout/project"
	"layoutcalc/render/report"
)

// TestCaller runs requests whose caller fails or is interrupted, and others that show their progress. The cases of the
// command line check all other runs.
func TestCaller(t *testing.T) {
	texts := map[string]string{
		"good.yaml":  "version: 1\ntensors: {a: {dtype: f32, sizes: [2, 3], totalBytes: 24}}\n",
		"short.yaml": "version: 1\ntarget: directml\ntensors: {a: {dtype: f32, sizes: [2, 3], totalBytes: 20}}\n",
		"l.jsonl":    strings.Repeat(`{"DataType":"FLOAT32","Sizes":[1,1,1,4]}`+"\n", 2),
	}
	const finding = "short.yaml:3 total-too-small"
	tests := []struct {
		reason  string
		broken  string // the step that fails
		args    string
		request Request
		want    []string // the steps that the caller records, and the error
	}{
		{"the start fails", "begin", "short.yaml", Request{}, []string{"error: broken"}},
		{"a finding fails", "add", "short.yaml", Request{}, []string{finding, "error: broken"}},
		{"the end fails", "end", "short.yaml", Request{}, []string{finding, "1 file", "error: broken"}},
		{"a fix fails", "change", "short.yaml", Request{Fix: WriteFix},
			[]string{"change short.yaml", "error: broken"}},
		{"a diff fails", "change", "short.yaml", Request{Fix: ShowFix},
			[]string{"change short.yaml", "error: broken"}},
		{"a baseline fails", "baseline", "short.yaml", Request{NewBaseline: "k.json"},
			[]string{finding, "baseline k.json", "error: broken"}},
		{"a file is interrupted", "interrupt", "short.yaml", Request{},
			[]string{"error: context canceled"}},
		{"a tensor is not", "interrupt", "2x3", Request{}, []string{"1 file"}},
		{"but its reports are", "interrupt", "2x3", Request{Written: []string{"x"}},
			[]string{"error: context canceled"}},
		{"two files", "", "good.yaml short.yaml", Request{},
			[]string{finding, "2 files", "checked 0 of 2", "checked 2 of 2", "error: there are findings"}},
		{"one file", "", "good.yaml", Request{}, []string{"1 file", "", ""}},
		{"lines", "", "l.jsonl", Request{}, []string{"1 file", "", "checked 2 lines"}},
		{"a tensor", "", "2x3", Request{}, []string{"1 file", "", ""}},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for name, text := range texts {
				if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			c := &caller{broken: tt.broken}
			tt.request.Args, tt.request.Jobs = strings.Fields(tt.args), 2
			if err := Run(c.complete(tt.request)); err != nil {
				c.told = append(c.told, "error: "+err.Error())
			}
			told := c.told
			if tt.broken == "interrupt" { // a finding may come before the interruption is noticed
				told = told[len(told)-1:]
			}
			if !slices.Equal(told, tt.want) {
				t.Errorf("the caller is told\n%q, want\n%q", told, tt.want)
			}
		})
	}
}

// A caller records the calls of Run. The step named broken fails; if broken is empty, the caller records the progress.
type caller struct {
	broken string
	told   []string
}

// tell records a finished step, and returns its error.
func (c *caller) tell(step, format string, args ...any) error {
	if format != "" {
		c.told = append(c.told, fmt.Sprintf(format, args...))
	}
	if c.broken == step {
		return errors.New("broken")
	}
	return nil
}

// complete returns the request with the functions of the caller.
func (c *caller) complete(r Request) Request {
	r.Guard, r.Reports = new(files.Guard), c
	r.Open, r.Describe, r.Progress, r.Interruptible = c.open, c.describe, c.progress, c.interruptible
	r.Note = func(texts ...string) { c.told = append(c.told, texts...) }
	r.Flush = func() {}
	return r
}

func (c *caller) open(path string) (s input.Source, end func(), err error) {
	data, err := os.ReadFile(path)
	s = input.Source{Name: path, File: bytes.NewReader(data), Size: int64(len(data)), Beside: os.DirFS(".")}
	return s, func() {}, err
}

func (c *caller) describe(args []string) (*Text, error) {
	in, err := input.Text(strings.Join(args, " "), input.Options{})
	return &Text{Text: in, Err: err}, nil
}

func (c *caller) interruptible() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	if c.broken == "interrupt" {
		cancel()
	}
	return ctx, cancel
}

func (c *caller) progress(line func(int64) string) (*atomic.Int64, func()) {
	done := new(atomic.Int64)
	return done, func() {
		if c.broken == "" {
			c.told = append(c.told, line(0), line(done.Load()))
		}
	}
}

func (c *caller) Begin() error { return c.tell("begin", "") }

func (c *caller) Add(_ string, findings []report.Finding) error {
	for _, f := range findings {
		c.told = append(c.told, fmt.Sprintf("%s:%d %s", f.Path, f.Line, f.Rule))
	}
	return c.tell("add", "")
}

func (c *caller) Change(path string, _, _ []byte) error { return c.tell("change", "change %s", path) }

func (c *caller) WriteBaseline(path string, _ *project.Baseline) error {
	return c.tell("baseline", "baseline %s", path)
}

func (c *caller) End(s report.Summary) error {
	if s.Files == 1 {
		return c.tell("end", "1 file")
	}
	return c.tell("end", "%d files", s.Files)
}
