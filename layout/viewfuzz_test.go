package layout_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/view"
)

// FuzzSteps applies any text to some tensors. Nothing panics, every error is one of ours and
// points into the text, and what comes out is a valid layout.
func FuzzSteps(f *testing.F) {
	for usage := range view.Operations {
		f.Add(usage)
	}
	for _, text := range []string{
		"[2, 1:3, ::2, ..., None, -1]", "[:, ::-1]", "[..., 4:8]", "[None:2]", "[", "[0:1:1:]", "permute(N,H,W,C).T[0].flip(-1)",
		"contiguous(memory_format=torch.channels_last)", "as_strided((0,3),(1,4611686018427387904)).flip(1)", "expand(-1,9223372036854775807)",
		"unflatten(1,(-1,2))", "flatten(end_dim=1)", "unfold(0,0,9223372036854775807)", "diagonal(-9223372036854775808,0,1)", "T\x00T", "((((", "a=a=a=1",
		"squeeze()[None].broadcast_to(3,1,2,2)", "[-9223372036854775808:9223372036854775807:-9223372036854775808]", "permute(((1)))",
	} {
		f.Add(text)
	}
	tensors := []layout.Tensor{
		viewFresh(f), viewFresh(f, 6), viewFresh(f, 1, 2, 3, 4), viewFresh(f, 2, 0, 3), viewFresh(f, 1<<31, 1, 1<<29),
		viewNamed(f, []int64{2, 10, 3, 5}, "NCHW4c"), viewNamed(f, []int64{4, 4, 2}, "HWC2h2w"), viewNamed(f, []int64{3, 3}, "0,-1"),
	}
	f.Fuzz(func(t *testing.T, text string) {
		steps, err := view.ParseSteps(text)
		viewCheckError(t, text, err)
		if err != nil || len(steps) > 12 {
			return
		}
		if got := strings.Map(viewVisible, text); !strings.Contains(got, strings.Map(viewVisible, steps[len(steps)-1].String())) || viewLength(steps) > len(got) || viewLength(steps)+len(steps) < len(got) {
			t.Fatalf("%q was read as %v", text, steps)
		}
		for _, tensor := range tensors {
			for _, step := range steps {
				v, err := step.Apply(tensor)
				viewCheckError(t, text, err)
				if err != nil {
					break
				}
				viewCheckValid(t, text, v.Tensor)
				tensor = v.Tensor
			}
		}
	})
}

// viewVisible drops blanks.
func viewVisible(r rune) rune {
	if strings.ContainsRune(" \t\r\n", r) {
		return -1
	}
	return r
}

// viewLength adds the lengths of steps, which together are the text without its dots.
func viewLength(steps []view.Step) int {
	n := 0
	for _, s := range steps {
		n += len(strings.Map(viewVisible, s.String()))
	}
	return n
}

func viewCheckError(t *testing.T, text string, err error) {
	t.Helper()
	var syntax *layout.SyntaxError
	var overflow *layout.OverflowError
	switch {
	case err == nil:
	case errors.As(err, &syntax):
		if syntax.Msg == "" || syntax.Offset < 0 || syntax.Offset > len(syntax.Input) || syntax.Input != text && len(text) <= scan.MaxText {
			t.Fatalf("%q: %+v", text, syntax)
		}
	case errors.As(err, &overflow):
		if overflow.Exact == nil || overflow.Exact.IsInt64() {
			t.Fatalf("%q: %v is no overflow", text, overflow)
		}
	default:
		t.Fatalf("%q: %T %v", text, err, err)
	}
}

// viewCheckValid builds the layout again from its parts, which New checks, and reads the text.
func viewCheckValid(t *testing.T, text string, tensor layout.Tensor) {
	t.Helper()
	l := tensor.Layout()
	var axes []layout.Axis
	for i := range l.Rank() {
		var digits []layout.Digit
		for k := range l.Axis(i).Digits() {
			digits = append(digits, l.Axis(i).Digit(k))
		}
		axes = append(axes, layout.NewAxis(l.Axis(i).Name(), l.Axis(i).Size(), digits...))
	}
	again, err := layout.New(l.Base(), axes...)
	if err != nil || again.String() != l.String() || !strings.HasSuffix(l.String(), "]+"+strconv.FormatInt(l.Base(), 10)) {
		t.Fatalf("%q gives %v, which is not valid: %v", text, l, err)
	}
	facts := facts.Of(l)
	if l.Empty() != slices.Contains(l.Sizes(), 0) || facts.Span < 0 || !l.Empty() && facts.Low > l.Base() {
		t.Fatalf("%q gives %v: %+v", text, l, facts)
	}
}
