package view_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/view"
)

// An answer is the result of a library after one step. Nil and empty strings are values that it does not report. The
// library rejects steps without sizes.
type answer struct {
	Step                     string
	Sizes                    []int64
	Strides                  []*int64
	Base                     *int64
	Kind                     string // view or copy
	Contiguous, ChannelsLast *bool
}

// TestChainsOfPyTorch compares sizes, strides, base, contiguity and whether a step copies with
// the 2,000 chains that were given to the project.
func TestChainsOfPyTorch(t *testing.T) {
	file := readJSON[struct {
		Cases []struct {
			Sizes []int64
			Steps []answer
		}
	}](t, "given/views.json")
	if len(file.Cases) != 2000 {
		t.Fatalf("%d cases", len(file.Cases))
	}
	for _, c := range file.Cases {
		checkChain(t, c.Sizes, c.Steps)
	}
}

// negativeStep finds a negative number after two colons of one item.
var negativeStep = regexp.MustCompile(`:[^:,]*:-`)

// TestSlicesOfNumPy does the same with 800 slices from elsewhere, as NumPy steps and without a system. Slices without a
// negative step follow PyTorch, which multiplies strides by the step even without elements.
func TestSlicesOfNumPy(t *testing.T) {
	file := readJSON[struct {
		Cases []struct {
			Sizes  []int64
			Step   string
			Result answer
		}
	}](t, "given/numpy_slices.json")
	if len(file.Cases) != 800 {
		t.Fatalf("%d cases", len(file.Cases))
	}
	for _, c := range file.Cases {
		c.Result.Step, c.Result.Kind = numpy(c.Step), "view"
		isBackward := negativeStep.MatchString(c.Step)
		if slices.Contains(c.Result.Sizes, 0) && !isBackward {
			c.Result.Strides = nil
		}
		checkChain(t, c.Sizes, []answer{c.Result})

		v, err := applyAs(fresh(t, c.Sizes...), c.Step, layout.Others)
		if err != nil || !c.Result.agrees(v) {
			t.Errorf("%v %s = %v, %v", c.Sizes, c.Step, v.Tensor.Layout(), err)
		}
		if hasNote := strings.Contains(v.Why, "PyTorch"); hasNote != isBackward {
			t.Errorf("%v %s: note %q", c.Sizes, c.Step, v.Why)
		}
		if _, err := applyAs(fresh(t, c.Sizes...), c.Step, layout.PyTorch); (err != nil) != isBackward {
			t.Errorf("%v %s in PyTorch: %v", c.Sizes, c.Step, err)
		}
	}
}

// TestChainsOfPyTorchAtTheEdges is about empty tensors, scalars, refusals and all that the
// given chains leave out.
func TestChainsOfPyTorchAtTheEdges(t *testing.T) {
	checkRows(t, "torch.json", 900)
}

// TestChainsOfNumPy has flips and negative steps, and steps after them.
func TestChainsOfNumPy(t *testing.T) {
	checkRows(t, "numpy.json", 600)
}

// checkRows checks a file of our own generators, whose steps are
// [step, sizes, strides, base, words].
func checkRows(t *testing.T, name string, count int) {
	t.Helper()
	file := readJSON[struct {
		Cases []struct {
			Sizes []int64
			Steps [][]json.RawMessage
		}
	}](t, name)
	if len(file.Cases) != count {
		t.Fatalf("%d cases", len(file.Cases))
	}
	for _, c := range file.Cases {
		var answers []answer
		for _, row := range c.Steps {
			var a answer
			var words string
			for i, field := range []any{&a.Step, &a.Sizes, &a.Strides, &a.Base, &words}[:len(row)] {
				if err := json.Unmarshal(row[i], field); err != nil {
					t.Fatalf("%s: %s: %v", name, row, err)
				}
			}
			a.Kind, words, _ = strings.Cut(words, " ")
			if name == "numpy.json" {
				a.Step = numpy(a.Step)
			} else {
				last := strings.HasSuffix(words, "channels_last")
				contiguous := strings.HasPrefix(words, "contiguous")
				a.Contiguous, a.ChannelsLast = &contiguous, &last
			}
			answers = append(answers, a)
		}
		checkChain(t, c.Sizes, answers)
	}
}

// checkChain applies the steps to a fresh tensor and compares the results with the answers.
func checkChain(t *testing.T, sizes []int64, answers []answer) {
	t.Helper()
	tensor := fresh(t, sizes...)
	for i, a := range answers {
		before := tensor.Layout()
		v, err := apply(tensor, a.Step)
		switch {
		case err != nil && a.Sizes == nil:
			continue
		case err != nil:
			t.Errorf("%v, step %d: %v %s: %v", sizes, i, before, a.Step, err)
			return
		case !a.agrees(v):
			want, _ := json.Marshal(a)
			t.Errorf("%v, step %d: %v %s = %v, copied %t, want %s", sizes, i, before, a.Step, v.Tensor.Layout(),
				v.Copied, want)
			return
		}
		tensor = v.Tensor
	}
}

func (a answer) agrees(v view.View) bool {
	l := v.Tensor.Layout()
	strides, _ := l.Strides()
	f := analysis.Of(l)
	agree := func(got, want any, known bool) bool { return !known || got == want }
	sameStride := func(n int64, p *int64) bool { return p == nil || *p == n }
	return a.Sizes != nil && slices.Equal(l.Sizes(), a.Sizes) &&
		(a.Strides == nil || slices.EqualFunc(strides, a.Strides, sameStride)) &&
		(a.Base == nil || *a.Base == l.Base()) &&
		agree(v.Copied, a.Kind == "copy", a.Kind != "") &&
		(a.Contiguous == nil || *a.Contiguous == f.Contiguous) &&
		(a.ChannelsLast == nil || *a.ChannelsLast == f.ChannelsLast || l.Rank() != 4 && l.Rank() != 5)
}

// readJSON reads a file of answers.
func readJSON[T any](t *testing.T, name string) T {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	var v T
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// fresh is a packed row-major tensor.
func fresh(t testing.TB, sizes ...int64) layout.Tensor {
	t.Helper()
	return layouttest.Sized(t, sizes, "")
}

// numpy returns a step as one of NumPy.
func numpy(step string) string {
	if step[0] == '[' {
		return "np" + step
	}
	return "np." + step
}

// systemOf returns the system of steps: NumPy's are of a variable np.
func systemOf(text string) layout.System {
	if strings.HasPrefix(text, "np") {
		return layout.NumPy
	}
	return layout.PyTorch
}

// apply reads steps and applies them one after the other.
func apply(tensor layout.Tensor, text string) (view.View, error) {
	return applyAs(tensor, text, systemOf(text))
}

// applyAs is apply of a system's steps.
func applyAs(tensor layout.Tensor, text string, of layout.System) (view.View, error) {
	steps, err := view.ParseSteps(text)
	v := view.View{Tensor: tensor}
	for _, step := range steps {
		if err == nil {
			v, err = step.Apply(v.Tensor, of)
		}
	}
	return v, err
}
