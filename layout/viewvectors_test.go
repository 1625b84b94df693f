package layout_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/spec"
	"layoutcalc/layout/view"
)

// A viewAnswer is what a library says after one step. Nil and empty texts stand for what it
// leaves open. It refuses steps that have no sizes.
type viewAnswer struct {
	Step                     string
	Sizes                    []int64
	Strides                  []*int64
	Base                     *int64
	Kind                     string // view or copy
	Contiguous, ChannelsLast *bool
}

// TestChainsOfPyTorch compares sizes, strides, base, contiguity and whether a step copies with
// the 2,000 chains that came with the project's papers.
func TestChainsOfPyTorch(t *testing.T) {
	file := viewRead[struct {
		Cases []struct {
			Sizes []int64
			Steps []viewAnswer
		}
	}](t, "given/views.json")
	if len(file.Cases) != 2000 {
		t.Fatalf("%d cases", len(file.Cases))
	}
	for _, c := range file.Cases {
		viewCheck(t, c.Sizes, c.Steps)
	}
}

// viewNegativeStep finds a negative number behind two colons of one item.
var viewNegativeStep = regexp.MustCompile(`:[^:,]*:-`)

// TestSlicesOfNumPy does the same with the 800 slices that came with the papers. Those without
// a negative step follow PyTorch, whose stride counts the step even without elements.
func TestSlicesOfNumPy(t *testing.T) {
	file := viewRead[struct {
		Cases []struct {
			Sizes  []int64
			Step   string
			Result viewAnswer
		}
	}](t, "given/numpy_slices.json")
	if len(file.Cases) != 800 {
		t.Fatalf("%d cases", len(file.Cases))
	}
	for _, c := range file.Cases {
		c.Result.Step, c.Result.Kind = c.Step, "view"
		if slices.Contains(c.Result.Sizes, 0) && !viewNegativeStep.MatchString(c.Step) {
			c.Result.Strides = nil
		}
		viewCheck(t, c.Sizes, []viewAnswer{c.Result})
	}
}

// TestChainsOfPyTorchAtTheEdges is about empty tensors, scalars, refusals and all that the
// given chains leave out.
func TestChainsOfPyTorchAtTheEdges(t *testing.T) {
	viewCheckRows(t, "torch.json", 900)
}

// TestChainsOfNumPy is about flips and negative steps, and what follows them.
func TestChainsOfNumPy(t *testing.T) {
	viewCheckRows(t, "numpy.json", 600)
}

// viewCheckRows checks a file of our own generators, whose steps are
// [step, sizes, strides, base, words].
func viewCheckRows(t *testing.T, name string, count int) {
	t.Helper()
	file := viewRead[struct {
		Cases []struct {
			Sizes []int64
			Steps [][]json.RawMessage
		}
	}](t, name)
	if len(file.Cases) != count {
		t.Fatalf("%d cases", len(file.Cases))
	}
	for _, c := range file.Cases {
		var answers []viewAnswer
		for _, row := range c.Steps {
			var a viewAnswer
			var words string
			for i, field := range []any{&a.Step, &a.Sizes, &a.Strides, &a.Base, &words}[:len(row)] {
				if err := json.Unmarshal(row[i], field); err != nil {
					t.Fatalf("%s: %s: %v", name, row, err)
				}
			}
			a.Kind, words, _ = strings.Cut(words, " ")
			if name == "torch.json" {
				last := strings.HasSuffix(words, "channels_last")
				contiguous := strings.HasPrefix(words, "contiguous")
				a.Contiguous, a.ChannelsLast = &contiguous, &last
			}
			answers = append(answers, a)
		}
		viewCheck(t, c.Sizes, answers)
	}
}

// viewCheck applies the steps to a fresh tensor and compares what comes out with the answers.
func viewCheck(t *testing.T, sizes []int64, answers []viewAnswer) {
	t.Helper()
	tensor := viewFresh(t, sizes...)
	for i, a := range answers {
		before := tensor.Layout()
		v, err := viewApply(tensor, a.Step)
		switch {
		case err != nil && a.Sizes == nil:
			continue
		case err != nil:
			t.Errorf("%v, step %d: %v %s: %v", sizes, i, before, a.Step, err)
			return
		case !a.agrees(v):
			want, _ := json.Marshal(a)
			t.Errorf("%v, step %d: %v %s = %v, copied %t, want %s", sizes, i, before, a.Step, v.Tensor.Layout(), v.Copied, want)
			return
		}
		tensor = v.Tensor
	}
}

func (a viewAnswer) agrees(v view.View) bool {
	l := v.Tensor.Layout()
	strides, _ := l.Strides()
	f := facts.Of(l)
	agree := func(got, want any, known bool) bool { return !known || got == want }
	return a.Sizes != nil && slices.Equal(l.Sizes(), a.Sizes) &&
		(a.Strides == nil || slices.EqualFunc(strides, a.Strides, func(n int64, p *int64) bool { return p == nil || *p == n })) &&
		(a.Base == nil || *a.Base == l.Base()) &&
		agree(v.Copied, a.Kind == "copy", a.Kind != "") &&
		(a.Contiguous == nil || *a.Contiguous == f.Contiguous) &&
		(a.ChannelsLast == nil || *a.ChannelsLast == f.ChannelsLast || l.Rank() != 4 && l.Rank() != 5)
}

// viewRead reads a file of answers.
func viewRead[T any](t *testing.T, name string) T {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "views", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	var v T
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// viewFresh is a packed row-major tensor.
func viewFresh(t testing.TB, sizes ...int64) layout.Tensor {
	t.Helper()
	tensor, err := spec.Spec{Shape: viewSizes(sizes)}.Tensor()
	if err != nil {
		t.Fatalf("%v: %v", sizes, err)
	}
	return tensor
}

// viewApply reads steps and applies them one after the other.
func viewApply(tensor layout.Tensor, text string) (view.View, error) {
	steps, err := view.ParseSteps(text)
	v := view.View{Tensor: tensor}
	for _, step := range steps {
		if err == nil {
			v, err = step.Apply(v.Tensor)
		}
	}
	return v, err
}
