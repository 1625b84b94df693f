package view_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/view"
)

// TestCallsOfPyTorch calls each step with too few, too many, wrong and right arguments. testdata/calls.txt has PyTorch
// 1.13's results: sizes, strides, base and whether it copies, or nothing for an error. Each shape is followed by its
// calls.
func TestCallsOfPyTorch(t *testing.T) {
	checkCalls(t, "calls.txt", layout.PyTorch, 1607)
}

// TestCallsOfNumPy does the same with methods of NumPy 1.24.
func TestCallsOfNumPy(t *testing.T) {
	checkCalls(t, "numpy_calls.txt", layout.NumPy, 664)
}

// TestCopiesOfPyTorch has steps that copy tensors in all kinds of orders: their results, with the type and whether the
// result is the tensor itself.
func TestCopiesOfPyTorch(t *testing.T) {
	checkCalls(t, "copies.txt", layout.PyTorch, 2600)
}

// TestCopiesOfNumPy does the same with arrays.
func TestCopiesOfNumPy(t *testing.T) {
	checkCalls(t, "numpy_copies.txt", layout.NumPy, 1505)
}

// checkCalls compares the results of a variable's steps with a file. A line with sizes, and perhaps a view of them, is
// followed by its steps.
func checkCalls(t *testing.T, name string, of layout.System, count int) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var tensor layout.Tensor
	start, calls, isCopies := "", 0, strings.Contains(name, "copies")
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		call, isCall := strings.CutPrefix(line, "\t")
		if !isCall {
			sizes, x, _ := strings.Cut(line, " ")
			list, err := shape.ParseShape(sizes)
			if err != nil {
				t.Fatal(err)
			}
			tensor, start = fresh(t, list.Values()...), line
			if x != "" && x != "x" {
				v, err := applyAs(tensor, x, of)
				if err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				tensor = v.Tensor
			}
			continue
		}
		calls++
		step, want, _ := strings.Cut(call, " = ")
		v, err := applyAs(tensor, step, of)
		got := ""
		if err == nil {
			got = resultOf(v)
			if isCopies && v.Tensor.DType() != tensor.DType() {
				got += " " + v.Tensor.DType().String()
			}
			if isCopies && v.Itself {
				got += " itself"
			}
		}
		if got != want {
			t.Errorf("%s: %s: %q, %v, want %q", start, step, got, err, want)
		}
	}
	if calls != count {
		t.Errorf("%d calls", calls)
	}
}

// resultOf formats the result of a step like the files: sizes, strides, base and whether it copied.
func resultOf(v view.View) string {
	l := v.Tensor.Layout()
	strides, _ := l.Strides()
	text := fmt.Sprintf("%s @ %s + %d", layout.JoinInts(l.Sizes(), ","), layout.JoinInts(strides, ","), l.Base())
	if v.Copied {
		text += " copied"
	}
	return text
}

// TestLetters has patterns that only change the order of axes, with einops' rules: names are lower-case words.
func TestLetters(t *testing.T) {
	many := "a b c d e f g h i j k l m n o p q r s t u v w x y z"
	for pattern, want := range map[string]string{
		many + " aa -> aa " + many: "more than there are letters",
		"b c h w -> b h w c":       "BCHW BHWC", "h w->w h": "HW WH",
		"batch seq -> seq batch": "ab ba", "a -> a": "A A",
		"a b -> (b a)": "AB BA", "a b -> b 1 a": "AB BA",
		"a (b c) -> a b c": "axes in brackets", "a b -> a": "not have the same axes", "a b -> a b c": "the same axes",
		"... a -> a ...": "the same axes", "a b -> b a, a=2": "does not belong", "": "",
		strings.Repeat("ab ", 26) + "-> a": "the same axes",
	} {
		from, to, err := view.Letters(pattern)
		if got := strings.TrimSpace(from + " " + to); err == nil && got != want {
			t.Errorf("%s is %q, want %q", pattern, got, want)
		} else if err != nil {
			e := layouttest.SyntaxError(t, pattern, err)
			if at := max(strings.Index(pattern, ","), 0); !strings.Contains(e.Msg, want) || e.Offset != at {
				t.Errorf("%s: %v at %d, want %q at %d", pattern, err, e.Offset, want, at)
			}
		}
	}
	for text, want := range map[string]bool{
		"T": true, "permute(1,0)": true, "a b -> b a": true, "a ->": true, "2x3": false, "": false, "permute(": false,
		"T.reshape(6)": true, "(d0) -> (d0)": true, "affine_map<(d0) -> (d0)>": false,
	} {
		if view.AreSteps(text) != want {
			t.Errorf("%q are steps: %v", text, !want)
		}
	}
}

// TestStepsOfWords checks that words are rejected as numbers, and for axes without letters.
func TestStepsOfWords(t *testing.T) {
	for _, step := range []string{
		"unsqueeze(H)", "select(0,H)", "narrow(0,H,1)", "narrow(0,0,H)", "chunk(H)[0]", "split(H)[0]", "diagonal(H)",
		"unfold(0,H,1)", "unfold(0,1,H)", "expand(H,2,3,4)", "reshape(H,-1)", "view(H)", "repeat(H,1,1)",
		"as_strided((2,H),(1,1))", "as_strided((2,2),(H,1))", "as_strided((2,),(1,),H)", "unflatten(0,(H,1))",
		"permute(H,W,C)", "squeeze(C)", "flatten(H)", "unbind(H)[0]", "movedim(H,0)", "transpose(H,W)", "ravel(H)",
	} {
		if v, err := apply(fresh(t, 2, 3, 4), step); err == nil {
			t.Errorf("%s = %v", step, v.Tensor.Layout())
		}
	}
}

// TestUnknownSteps names the step that a slip is near to, and the place of an argument too many.
func TestUnknownSteps(t *testing.T) {
	for text, want := range map[string]string{
		"permuet(1,0)": "did you mean permute?", "T.reshpe(6)": "did you mean reshape?", "fold(1)": "such as permute(",
		"conv2d(1)": "such as permute(",
	} {
		_, err := view.ParseSteps(text)
		if e := layouttest.SyntaxError(t, text, err); !strings.HasPrefix(e.Hint, want) {
			t.Errorf("%s: %v, hint %q, want %q", text, e, e.Hint, want)
		}
	}
	many := "permute(" + strings.Repeat("0,", 3*layout.MaxRank) + "7)"
	_, err := view.ParseSteps(many)
	e := layouttest.SyntaxError(t, many, err)
	if e.Offset != len(many)-2 || !strings.Contains(e.Msg, "more arguments") {
		t.Errorf("too many arguments: %v at %d of %d", err, e.Offset, len(many))
	}
	if _, err := view.ParseSteps(strings.TrimSuffix(many, ",7)") + ")"); err != nil {
		t.Errorf("as many arguments as three lists of the most axes: %v", err)
	}
	_, err = apply(fresh(t, 2, 3, 4), "np.split(5,1)[0]")
	if e := layouttest.SyntaxError(t, "np.split(5,1)[0]", err); e.Offset != len("np.split(") {
		t.Errorf("parts that are not equal: %v at %d", err, e.Offset)
	}
	for _, step := range []string{"as_strided((2,),1)", "as_strided(2,(1,))", "as_strided(2,1)", "as_strided(H,(1,))"} {
		_, err := apply(fresh(t, 2, 3, 4), step)
		if err == nil || !strings.Contains(fmt.Sprint(err), "as_strided") {
			t.Errorf("%s: %v", step, err)
		}
	}
	for name, want := range map[string]bool{
		"t_": true, "transpose_": true, "squeeze_": true, "detach_": true, "permute_": false, "reshape_": false,
		"_": false, "": false, "t": true, "permute": true, "view": true, "select": true, "t__": false,
	} {
		if view.IsStep(name) != want {
			t.Errorf("%q is a step: %v", name, !want)
		}
	}
	if _, _, err := view.Letters(strings.Repeat("a ", 33<<10) + "-> a"); err == nil ||
		!strings.Contains(err.Error(), "more than the limit") {
		t.Errorf("a pattern of 66 KB: %v", err)
	}
}

// TestItself has the steps that return the tensor that they are applied to, according to y is x in PyTorch 1.13.
func TestItself(t *testing.T) {
	both := map[string]bool{
		"clone()": false, "contiguous()": true, "cpu()": true, "detach()": false, "detach_()": true, "float()": true,
		"half()": false, "squeeze()": false, "squeeze_()": true, "to(torch.float16)": false, "to(torch.float32)": true,
		"transpose_(0,0)": true, "unsqueeze_(0)": true, "view(-1)": false, "reshape(-1)": false,
	}
	for _, tt := range []struct {
		sizes []int64
		steps map[string]bool
	}{
		{[]int64{6}, map[string]bool{"flatten()": true, "t()": false, "t_()": true}},
		{[]int64{2, 3}, map[string]bool{"flatten()": false, "ravel()": false, "permute(0,1)": false, "t()": false,
			"t_()": true, "expand(-1,-1)": false}},
		{[]int64{2, 3, 4}, map[string]bool{"flatten()": false, "ravel()": false}},
	} {
		for step, want := range both {
			tt.steps[step] = want
		}
		for step, want := range tt.steps {
			if v, err := apply(fresh(t, tt.sizes...), step); err != nil || v.Itself != want {
				t.Errorf("%v %s: itself %v, %v, want %v", tt.sizes, step, v.Itself, err, want)
			}
		}
	}
}
