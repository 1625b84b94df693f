package view_test

import (
	"errors"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/view"
)

// TestStepSpellings: other ways to write a step that mean the same.
func TestStepSpellings(t *testing.T) {
	for _, c := range []struct {
		sizes       []int64
		text, means string
		reason      string
	}{
		{sizes: []int64{2, 3, 4}, text: "permute((2,0,1))", means: "permute(2,0,1)", reason: "a tuple"},
		{sizes: []int64{2, 3, 4}, text: "permute([2, 0, 1])", means: "permute(2,0,1)", reason: "a list"},
		{sizes: []int64{2, 3, 4}, text: " permute ( 2 , 0 , 1 , ) ", means: "permute(2,0,1)",
			reason: "blanks and a comma at the end"},
		{sizes: []int64{2, 3, 4}, text: "permute(2,0,1).reshape(4,-1)[0]", means: "permute(2,0,1).reshape(4,6)[0,:]",
			reason: "a chain"},
		{sizes: []int64{2, 3, 4}, text: "T()", means: "T", reason: "T is not a method in PyTorch, but accepted as one"},
		{sizes: []int64{2, 3, 4}, text: ".T", means: "T", reason: "cut out of t.T"},
		{sizes: []int64{2, 3, 4}, text: "[1]", means: "[1, ...]", reason: "axes left out at the end"},
		{sizes: []int64{2, 3, 4}, text: "[1,]", means: "[1]", reason: "a comma at the end"},
		{sizes: []int64{2, 3, 4}, text: "[ : , 1 : 3 ]", means: "[:,1:3]", reason: "blanks"},
		{sizes: []int64{2, 3, 4}, text: "[..., 0:99]", means: "[...]", reason: "a bound beyond the axis"},
		{sizes: []int64{2, 3, 4}, text: "[..., -9223372036854775808:9223372036854775807]", means: "[...]",
			reason: "bounds beyond everything"},
		{sizes: []int64{2, 3, 4}, text: "np[..., ::-1000]", means: "np[..., ::-4]",
			reason: "a step beyond the axis takes one element"},
		{sizes: []int64{2, 3, 4}, text: "[..., ::1000]", means: "[..., ::4]", reason: "the same forwards"},
		{sizes: []int64{2, 3, 4, 5}, text: "contiguous(memory_format=torch.channels_last)",
			means: "contiguous(channels_last)", reason: "PyTorch's words"},
		{sizes: []int64{2, 3, 4, 5}, text: "contiguous(memory_format = torch.contiguous_format)", means: "contiguous()",
			reason: "PyTorch's words"},
		{sizes: []int64{2, 3, 4}, text: "flatten(start_dim=1)", means: "flatten(1)",
			reason: "a name before the argument"},
		{sizes: []int64{2, 3, 4}, text: "flatten(0,1)", means: "reshape(6,4)", reason: "axes 0 and 1"},
		{sizes: []int64{2, 3, 4}, text: "as_strided((3,),(4,),1)", means: "as_strided([3],[4],1)",
			reason: "tuples and lists of one"},
		{sizes: []int64{2, 3, 4}, text: "diagonal()", means: "diagonal(0,0,1)", reason: "PyTorch's defaults"},
		{sizes: []int64{2, 3, 4}, text: "diagonal(1)", means: "diagonal(1,0,1)", reason: "PyTorch's defaults"},
		{sizes: []int64{2, 1, 4}, text: "squeeze((0,1))", means: "squeeze(1)",
			reason: "several, of which one has size 1"},
		{sizes: []int64{2, 3, 4}, text: "x.permute(2,0,1)", means: "permute(2,0,1)", reason: "a variable"},
		{sizes: []int64{2, 3, 4}, text: "y = self.x.permute(2,0,1)", means: "permute(2,0,1)", reason: "an assignment"},
		{sizes: []int64{2, 3, 4}, text: "t[:, 1]", means: "[:, 1]", reason: "t is a variable here"},
		{sizes: []int64{2, 3}, text: "t()", means: "T", reason: "t of a matrix"},
		{sizes: []int64{2, 3}, text: "t.t()", means: "T", reason: "a variable t"},
		{sizes: []int64{3}, text: "t()", means: "[:]", reason: "t of a vector"},
		{sizes: []int64{2, 3, 4}, text: "moveaxis(0,-1)", means: "permute(1,2,0)", reason: "NumPy's movedim"},
		{sizes: []int64{2, 3, 4}, text: "np.transpose()", means: "T", reason: "NumPy's transpose"},
		{sizes: []int64{2, 3, 4}, text: "np.transpose(x, (0,2,1))", means: "permute(0,2,1)", reason: "NumPy's"},
		{sizes: []int64{2, 3, 4}, text: "numpy.swapaxes(a, 0, 2)", means: "transpose(0,2)", reason: "by name"},
		{sizes: []int64{2, 3, 4}, text: "torch.permute(img, (0, 2, 1))", means: "permute(0,2,1)", reason: "of PyTorch"},
		{sizes: []int64{2, 3, 4}, text: "y = torch.transpose(x, 1, 2)", means: "transpose(1,2)", reason: "assigned"},
		{sizes: []int64{2, 3, 4}, text: "torch.movedim(x, 0, -1).T", means: "permute(1,2,0).T", reason: "and a step"},
		{sizes: []int64{2, 3, 4}, text: "Transpose(perm=[0,2,1])", means: "permute(0,2,1)", reason: "ONNX's"},
		{sizes: []int64{2, 3, 4}, text: "permute 0,2,1", means: "permute(0,2,1)", reason: "without brackets"},
		{sizes: []int64{2, 3, 4}, text: "transpose 1, -1", means: "transpose(1,-1)", reason: "counted from the end"},
		{sizes: []int64{2, 3, 4}, text: "np.transpose(2,0,1)", means: "permute(2,0,1)", reason: "NumPy's transpose"},
		{sizes: []int64{2, 3}, text: "np.transpose((1,0))", means: "permute(1,0)", reason: "NumPy's transpose"},
		{sizes: []int64{2, 3, 4}, text: "[np.newaxis, ..., newaxis]", means: "[None, ..., None]", reason: "NumPy's"},
		{sizes: []int64{2, 7}, text: "chunk(3,1)[0]", means: "[:, :3]", reason: "parts of 3, 3, 1"},
		{sizes: []int64{2, 7}, text: "chunk(3,1)[2]", means: "[:, 6:]", reason: "the last part is shorter"},
		{sizes: []int64{2, 7}, text: "chunk(3,dim=1)[-1]", means: "[:, 6:]", reason: "from the end"},
		{sizes: []int64{2, 6}, text: "chunk(4,1)[-1]", means: "[:, 4:]", reason: "PyTorch makes 3 parts of 2, not 4"},
		{sizes: []int64{4, 6}, text: "chunk(2)[1]", means: "[2:]", reason: "axis 0 by default"},
		{sizes: []int64{2, 7}, text: "split(3,1)[1]", means: "[:, 3:6]", reason: "parts of 3"},
		{sizes: []int64{2, 7}, text: "split([1,6],1)[1]", means: "[:, 1:]", reason: "listed sizes"},
		{sizes: []int64{2, 7}, text: "split(99)[0]", means: "[:]", reason: "one part"},
		{sizes: []int64{2, 7}, text: "unbind(1)[3]", means: "[:, 3]", reason: "an index of axis 1"},
		{sizes: []int64{2, 7}, text: "unbind()[-1]", means: "[1]", reason: "axis 0 by default"},
		{sizes: []int64{2, 3}, text: "repeat(2,2,1)", means: "expand(4,2,3).contiguous().reshape(2,4,3)",
			reason: "fresh storage of 2 x 4 x 3"},
		{sizes: []int64{2, 3, 4, 5}, text: "to(memory_format=torch.channels_last)", means: "contiguous(channels_last)",
			reason: "to with a memory format alone"},
		{sizes: []int64{2, 3, 4, 5}, text: "b c h w -> b h w c", means: "permute(0,2,3,1)", reason: "einops"},
		{sizes: []int64{2, 3, 4, 5}, text: "rearrange(x, 'b c h w -> b h w c')", means: "permute(0,2,3,1)",
			reason: "einops, as code"},
		{sizes: []int64{2, 3, 4, 5}, text: "b c h w -> b (c h) w", means: "reshape(2,12,5)", reason: "axes merge"},
		{sizes: []int64{2, 3, 4, 5}, text: "b c h w -> b (h w) c", means: "permute(0,2,3,1).reshape(2,20,3)",
			reason: "axes merge after they moved"},
		{sizes: []int64{2, 12, 5}, text: "b (h h2) w -> b h2 (h w), h2=3",
			means: "reshape(2,4,3,5).permute(0,2,1,3).reshape(2,3,20)", reason: "an axis is split"},
		{sizes: []int64{2, 12, 5}, text: `rearrange(x, "b (h h2) w -> b h h2 w", h=4)`, means: "reshape(2,4,3,5)",
			reason: "a size inside the call"},
		{sizes: []int64{6, 4}, text: "(b c) h -> b c h, c=3", means: "reshape(2,3,4)", reason: "it starts with one"},
		{sizes: []int64{2, 3, 4, 5}, text: "b ... w -> w ... b", means: "permute(3,1,2,0)", reason: "an ellipsis"},
		{sizes: []int64{2, 3}, text: "b c -> b 1 c 1", means: "[:, None, :, None]", reason: "new axes"},
		{sizes: []int64{2, 1, 3}, text: "b 1 c -> c b", means: "squeeze(1).T", reason: "an axis of size 1 goes"},
		{sizes: []int64{0, 3}, text: "(a b) c -> a b c, b=2", means: "reshape(0,2,3)", reason: "0 is 0x2"},
		{sizes: []int64{2, 3}, text: "b c -> b () c", means: "unsqueeze(1)", reason: "() is an axis of size 1"},
	} {
		got, errA := apply(fresh(t, c.sizes...), c.text)
		want, errB := apply(fresh(t, c.sizes...), c.means)
		if errA != nil || errB != nil {
			t.Errorf("%s: %v; %s: %v (%s)", c.text, errA, c.means, errB, c.reason)
			continue
		}
		d, err := analysis.Compare(got.Tensor.Layout(), want.Tensor.Layout())
		if d != nil || err != nil {
			t.Errorf("%s = %v, %s = %v (%s)", c.text, got.Tensor.Layout(), c.means, want.Tensor.Layout(), c.reason)
		}
	}
}

// TestPartsAndPatternsRefused has parts that do not exist, and patterns that do not describe a rearrangement.
func TestPartsAndPatternsRefused(t *testing.T) {
	for _, c := range []struct{ text, at, says, reason string }{
		{"chunk(2,1)", "chunk", "several tensors", "no part is chosen"},
		{"chunk(2,1)[2]", "2]", "part 2 is out of range: there are 2", "one beyond the last"},
		{"chunk(2,1)[-3]", "-3", "out of range", "one before the first"},
		{"chunk(0,1)[0]", "0,1)", "not at least one", "no parts"},
		{"chunk(2,1)[0:1]", "chunk", "several tensors", "a range of parts"},
		{"split(0,1)[0]", "0,1)", "at least one index", "parts of nothing"},
		{"split([1,4],1)[0]", "[1,4]", "5 indices, and axis 1 has 6", "too few"},
		{"split([1,6],1)[0]", "[1,6]", "more than the 6 indices", "too many"},
		{"split(1,2)[0]", "2)", "out of range", "no such axis"},
		{"unbind(1)[6]", "6]", "out of range", "no such index"},
		{"repeat(2)", "repeat", "1 number for 2 axes", "PyTorch wants one for each axis"},
		{"repeat(2,-1)", "-1", "negative", "a negative number of times"},
		{"[None].t()", "t()", "at most 2 axes", "three axes"},
		{"b c -> b", "c ->", "missing after the arrow", "a reduction"},
		{"b c -> b c d", "d", "missing before the arrow", "repetition"},
		{"b b -> b", "b ->", "twice", "one name twice"},
		{"b c d -> d c b", "b c", "3 axes before the arrow, and the tensor 2", "rank"},
		{"b (c d) -> b c d", "d)", "both not given", "6 is 1x6, 2x3 ..."},
		{"b (c d) -> b c d, c=4", "c d)", "4 does not make an axis of size 6", "6/4"},
		{"b c -> c b, d=2", "b c", "no axis d", "a size of nothing"},
		{"b (c -> c b", "(c", "does not end", "an open bracket"},
		{"b c -> c b)", ")", "not an axis", "a bracket too many"},
		{"b c -> c b, 2=c", "2=c", "expected the size of an axis", "a number before ="},
		{"b c -> c b, c", "c", "expected the size of an axis", "a name alone"},
		{"rearrange('b c -> c b' c=2)", "c=2)", "does not belong", "no comma"},
		{"(b ...) -> b ...", "b ...", "an ellipsis in brackets", "axes in one place"},
		{"b c -> (b ...) c", "...", "missing before", "an ellipsis of nothing"},
		{"b (c ...) -> b c ...", "c ...", "an ellipsis in brackets", "not in the first place"},
		{"(b b) c -> b c", "b) c", "twice", "in brackets"},
		{strings.Repeat("1 ", 65) + "-> 1", "1 ->", "more than 64 axes", "65 axes"},
		{"b c -> c b; x", "; x", "not an axis", "other text"},
		{"reduce(x, 'b c -> b')", "reduce", "read alone", "another function of einops"},
		{"'b c -> c b'", "'b", "read alone", "a string"},
		{"((b c) d -> b c d", "(b", "not an axis", "brackets in brackets"},
		{"b c -> c b, c=5", "c ->", "5 does not make an axis of size 6", "a size of an axis that has another"},
		{"() c -> c", "() c", "1 does not make an axis of size 4", "an axis that is not of size 1"},
	} {
		_, err := apply(fresh(t, 4, 6), c.text)
		var syntax *lexer.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(syntax.Msg, c.says) ||
			!strings.HasPrefix(syntax.Input[syntax.Offset:], c.at) {
			t.Errorf("%s: %v, want %q at %q (%s)", c.text, err, c.says, c.at, c.reason)
		}
	}
}

// TestStepAxesByLetter: every step that takes an axis takes it by letter too.
func TestStepAxesByLetter(t *testing.T) {
	for _, c := range []struct{ letters, positions string }{
		{"permute(N,H,W,C)", "permute(0,2,3,1)"},
		{"permute(n,h,w,c)", "permute(0,2,3,1)"},
		{"transpose(C,W)", "transpose(1,3)"},
		{"swapaxes(H,-1)", "swapaxes(2,-1)"},
		{"movedim(C,-1)", "movedim(1,-1)"},
		{"select(H,2)", "select(2,2)"},
		{"narrow(W,1,2)", "narrow(3,1,2)"},
		{"squeeze(N)", "squeeze(0)"},
		{"npx.flip(H,W)", "np.flip(2,3)"},
		{"diagonal(0,H,W)", "diagonal(0,2,3)"},
		{"unfold(W,2,1)", "unfold(3,2,1)"},
		{"flatten(C,W)", "flatten(1,3)"},
		{"unflatten(C,(3,1))", "unflatten(1,(3,1))"},
	} {
		tensor := layouttest.Sized(t, []int64{1, 3, 4, 5}, "NHWC")
		got, errA := apply(tensor, c.letters)
		want, errB := apply(tensor, c.positions)
		if errA != nil || errB != nil || !got.Tensor.Layout().Equal(want.Tensor.Layout()) {
			t.Errorf("%s = %v, %v; %s = %v, %v", c.letters, got.Tensor.Layout(), errA, c.positions,
				want.Tensor.Layout(), errB)
		}
	}
}

// goText matches words of Go that users must not see.
var goText = regexp.MustCompile(`strconv|%!|runtime|layout\.|0x[0-9a-f]{6}|nil\b|invalid syntax`)

// TestStepErrors has the mark » where the caret must be.
func TestStepErrors(t *testing.T) {
	for _, c := range []struct {
		sizes []int64
		text  string
		words string // all of them are in the message or the hint
	}{
		{[]int64{2, 3, 4}, "»", "permute"},
		{[]int64{2, 3, 4}, "T.»", "missing"},
		{[]int64{2, 3, 4}, "»premute(0,1,2)", "permute premute"},
		{[]int64{2, 3, 4}, "T.»fold(1)", "fold"},
		{[]int64{2, 3, 4}, "T»\x00trash", ""},
		{[]int64{2, 3, 4}, "permute»(0,1,2", "( closed"},
		{[]int64{2, 3, 4}, "permute(0,1 »2)", "comma"},
		{[]int64{2, 3, 4}, "permute(0,»;,2)", "value"},
		{[]int64{2, 3, 4}, "permute(0,1,»99999999999999999999)", "64 bits"},

		{[]int64{2, 3, 4}, "permute(0,»5,1)", "5 range 0 2"},
		{[]int64{2, 3, 4}, "permute(0,1,»-4)", "-4 range"},
		{[]int64{2, 3, 4}, "permute(0,1,»1)", "1 twice"},
		{[]int64{2, 3, 4}, "»permute(0,1)", "2 3"},
		{[]int64{2, 3, 4}, "permute(0,»H,1)", "H"},
		{[]int64{2, 3, 4}, "»transpose(1)", "transpose(1,2)"},
		{[]int64{2, 3, 4}, "transpose(1,»3)", "3 range"},
		{[]int64{2, 3, 4}, "T.transpose(»-4,0)", "-4 range"},
		{[]int64{2, 3, 4}, "movedim((0,1),»(2))", "2 1"},
		{[]int64{2, 3, 4}, "movedim((0,»0),(1,2))", "twice"},
		{[]int64{2}, "»mT", "two"},
		{[]int64{2, 3}, "T(»1)", "T"},
		{[]int64{2, 3}, "expand(»4,3)", "2 4"},
		{[]int64{2, 3}, "expand(»-1,2,3)", "negative"},
		{[]int64{2, 3}, "expand(2,»-2)", "negative"},
		{[]int64{2, 3}, "»expand(3)", "1 2"},
		{[]int64{2, 3}, "select(1,»3)", "3 size"},
		{[]int64{2, 3}, "select(1,»-4)", "-4 size 3"},
		{[]int64{2, 3}, "narrow(1,»1,3)", "3 1"},
		{[]int64{2, 3}, "squeeze(»2)", "2 range"},
		{[]int64{2, 3}, "unsqueeze(»3)", "3 range 2"},
		{[]int64{2, 3}, "flip(»2)", "2 range"},
		{[]int64{2, 3}, "»flip()", "flip(1)"},
		{[]int64{2, 3}, "diagonal(0,0,»2)", "2 range"},
		{[]int64{2, 3}, "»diagonal(0,1,-1)", "two axes"},
		{[]int64{2, 3}, "unfold(1,»4,1)", "4 3"},
		{[]int64{2, 3}, "unfold(1,2,»0)", "1"},
		{[]int64{2, 3}, "»reshape(4,2)", "6 4x2"},
		{[]int64{2, 3}, "»reshape(4,-1)", "4 divide 6"},
		{[]int64{2, 3}, "reshape(-1,»-1)", "one"},
		{[]int64{2, 3}, "reshape((-1,»-1))", "one"},
		{[]int64{2, 3}, "reshape(2,»-3)", "negative -1"},
		{[]int64{2, 3}, "reshape(2,»W)", "number"},
		{[]int64{0, 3}, "»reshape(0,-1)", "0"},
		{[]int64{2, 3, 4}, "flatten(»2,1)", "2 1"},
		{[]int64{2, 3, 4}, "flatten(0,»3)", "3 range"},
		{[]int64{2, 3, 4}, "unflatten(2,»(3,2))", "4 3x2"},
		{[]int64{2, 3, 4}, "»unflatten(2,4)", "unflatten(1,(2,3))"},
		{[]int64{2, 3, 4, 5}, "ravel(»channels_last)", ""},
		{[]int64{2, 3, 4}, "contiguous(»channels_last)", "4 3"},
		{[]int64{2, 3, 4}, "contiguous(»1)", "contiguous"},
		{[]int64{2, 3, 4}, "to(»True)", "True element type"},
		{[]int64{2, 3, 4}, "»as_strided((2,3))", "as_strided((2,3),(3,1),0)"},
		{[]int64{2, 3, 4}, "»as_strided((2,3),(1))", "1 2"},
		{[]int64{2, 3, 4}, "»as_strided((5,5),(5,1))", "25 24"},
		{[]int64{2, 3, 4}, "»as_strided((2,2),(2,1),21)", "25 24"},
		{[]int64{2, 3, 4}, "»as_strided((2,2),(-2,1))", "-2"},
		{[]int64{2, 3, 4}, "as_strided((2,2),(2,1),»(5))", "number"},
		{[]int64{2, 3, 4}, "as_strided((2,2),(2,1),»x)", "number"},

		{[]int64{0, 3}, "(»a b) c -> a b c, b=0", "0 size"},

		{[]int64{2, 3}, "[»2]", "2 size"},
		{[]int64{2, 3}, "[:, »-4]", "-4 3"},
		{[]int64{2, 3}, "[:, :, »0]", "2"},
		{[]int64{2, 3}, "[..., »...]", "ellipsis"},
		{[]int64{2, 3}, "[:, »::0]", "step"},
		{[]int64{2, 3}, "[0»", "]"},
		{[]int64{2, 3}, "[0, »x]", "index"},
		{[]int64{2, 3}, "[0,»,1]", "index"},
		{[]int64{2, 3}, "[0 »1]", "comma"},
		{[]int64{2, 3}, "[0:1:1»:]", ""},
		{[]int64{}, "[»0]", "0"},
		{[]int64{0}, "[»0]", "size 0"},
		{[]int64{}, "select(»0,0)", "no axes"},
		{[]int64{}, "flatten(»1)", "1 range"},
		{[]int64{1, 3}, "»unflatten(0,())", "unflatten(1,(2,3))"},
	} {
		at := strings.Index(c.text, "»")
		text := strings.Replace(c.text, "»", "", 1)
		v, err := apply(fresh(t, c.sizes...), text)
		var syntax *layout.SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%v %q = %v, %v; want a SyntaxError", c.sizes, text, v.Tensor.Layout(), err)
			continue
		}
		said := syntax.Msg + "; " + syntax.Hint
		if syntax.Input != text || syntax.Offset != at {
			t.Errorf("%v %q: %q points at %d of %q, want %d", c.sizes, text, said, syntax.Offset, syntax.Input, at)
		}
		for _, word := range strings.Fields(c.words) {
			if !strings.Contains(said, word) {
				t.Errorf("%v %q: %q, want %s in it", c.sizes, text, said, word)
			}
		}
		if goText.MatchString(said) || syntax.Msg == "" {
			t.Errorf("%v %q: %q is not a text for users", c.sizes, text, said)
		}
	}
}

// TestStepKeywords checks that a name before an argument is used, or rejected, but not ignored.
func TestStepKeywords(t *testing.T) {
	for _, c := range []struct{ text, same string }{
		{"flatten(end_dim=1)", "flatten(0,1)"},
		{"diagonal(dim1=1,dim2=2)", "diagonal(0,1,2)"},
		{"narrow(dim=1,length=1,start=2)", "narrow(1,2,1)"},
		{"unfold(dimension=2,step=1,size=3)", "unfold(2,3,1)"},
	} {
		got, err := apply(fresh(t, 2, 3, 4), c.text)
		want, _ := apply(fresh(t, 2, 3, 4), c.same)
		if err == nil && !got.Tensor.Layout().Equal(want.Tensor.Layout()) {
			t.Errorf("%s = %v, in PyTorch %v", c.text, got.Tensor.Layout(), want.Tensor.Layout())
		}
	}
}

// TestViewErrorsSayWhyAndWhatHelps checks that errors name the axes, the strides and the correct step.
func TestViewErrorsSayWhyAndWhatHelps(t *testing.T) {
	for _, c := range []struct {
		sizes       []int64
		text, words string
	}{
		{[]int64{2, 3, 2}, "permute(0,2,1).view(-1)", "axes 1 and 2 cannot merge: stride 1 is not 3 x 2"},
		{[]int64{4, 6}, "[:, :3].view(12)", "axes 0 and 1 cannot merge: stride 6 is not 3 x 1"},
		{[]int64{2, 3, 4}, "T.view(24)", "axes 1 and 2 cannot merge: stride 4 is not 2 x 12"},
		{[]int64{3, 1}, "expand(3,4).view(12)", "axes 0 and 1 cannot merge: stride 1 is not 4 x 0"},
	} {
		_, err := apply(fresh(t, c.sizes...), c.text)
		var syntax *layout.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(syntax.Msg, c.words) ||
			!strings.Contains(syntax.Hint, "contiguous()") || !strings.Contains(syntax.Hint, "reshape") {
			t.Errorf("%v %s: %+v, want %s, and that contiguous() or reshape helps", c.sizes, c.text, err, c.words)
		}
	}
	tensor := layouttest.Sized(t, []int64{2, 3, 4, 5}, "NHWC")
	if _, err := apply(tensor, "view(2,-1)"); err == nil || !strings.Contains(err.Error(), "C and H") {
		t.Errorf("%v, want the axes by name", err)
	}
}

// TestStepOverflows: nothing wraps, not even in tensors without elements. Exact values were computed by hand, such as
// 2 x 2^62.
func TestStepOverflows(t *testing.T) {
	int8, err := layout.ParseDType("int8") // of which bytes and elements are the same
	if err != nil {
		t.Fatal(err)
	}
	small, err := layout.NewTensor(fresh(t, 1).Layout(), int8)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, exact string }{
		{"np.as_strided((0,3),(1,4611686018427387904)).flip(1)", "9223372036854775808"},
		{"as_strided((0,3),(1,4611686018427387904)).select(1,2)", "9223372036854775808"},
		{"as_strided((0,3),(1,4611686018427387904))[:, 2:]", "9223372036854775808"},
		{"as_strided((0,3),(1,4611686018427387904))[:, ::2]", "9223372036854775808"},
		{"as_strided((0,3,3),(1,0,4611686018427387904)).diagonal(2,1,2)", "9223372036854775808"},
		{"as_strided((0,3),(1,4611686018427387904)).unfold(1,2,2)", "9223372036854775808"},
		{"as_strided((0,3),(1,4611686018427387904)).unsqueeze(1)", "13835058055282163712"},
		{"expand(4611686018427387904,4)", "18446744073709551616"},
		{"reshape(4611686018427387904,4)", "18446744073709551616"},
	} {
		v, err := apply(small, c.text)
		var overflow *layout.OverflowError
		exact, _ := new(big.Int).SetString(c.exact, 10)
		if !errors.As(err, &overflow) || overflow.Exact.Cmp(exact) != 0 {
			t.Errorf("%s = %v, %v; want an overflow of %v", c.text, v.Tensor.Layout(), err, exact)
		}
	}
}

// TestStepsOfScalars: PyTorch accepts axes 0 and -1 of a scalar where the step has no effect.
func TestStepsOfScalars(t *testing.T) {
	for _, c := range []struct{ step, want string }{
		{"permute()", "[]+0"}, {"T", "[]+0"}, {"squeeze()", "[]+0"}, {"contiguous()", "[]+0"}, {"[...]", "[]+0"},
		{"reshape()", "[]+0"}, {"view(1,1)", "[1:1 1:1]+0"}, {"ravel()", "[1:1]+0"}, {"flatten()", "[1:1]+0"},
		{"unsqueeze(-1)", "[1:1]+0"}, {"expand(2,3)", "[2:0 3:0]+0"}, {"[None, ..., None]", "[1:1 1:1]+0"},
		{"squeeze(0)",
			"[]+0"}, {"squeeze(-1)",
			"[]+0"}, {"transpose(0,-1)",
			"[]+0"}, {"movedim(0,0)",
			"[]+0"}, {"flatten(0,-1)",
			"[1:1]+0"},
	} {
		v, err := apply(fresh(t), c.step)
		if err != nil || v.Copied || v.Tensor.Layout().String() != c.want {
			t.Errorf("%s = %v, copied %t, %v, want %s", c.step, v.Tensor.Layout(), v.Copied, err, c.want)
		}
	}
}

// TestStepNotes: differences between NumPy and PyTorch are explained.
func TestStepNotes(t *testing.T) {
	for _, c := range []struct{ step, words string }{
		{"np[::-1]", ""}, {"np.view()", ""}, {"np.flip(0)", ""}, {"flip(0)", "NumPy PyTorch"}, {"T.reshape(6)",
			"merge"}, {"T.contiguous()",
			"contiguous"},
		{"[::2]", ""}, {"reshape(6)", ""}, {"contiguous()", ""},
	} {
		v, err := apply(fresh(t, 2, 3), c.step)
		if err != nil || (v.Why == "") != (c.words == "") {
			t.Errorf("%s: %q, %v", c.step, v.Why, err)
		}
		for _, word := range strings.Fields(c.words) {
			if !strings.Contains(v.Why, word) {
				t.Errorf("%s: %q, want %s in it", c.step, v.Why, word)
			}
		}
	}
}

// TestStepOperations checks that every usage of the help can be parsed.
func TestStepOperations(t *testing.T) {
	seen := 0
	for usage, about := range view.Operations {
		steps, err := view.ParseSteps(usage)
		if err != nil || len(steps) != 1 || steps[0].String() != usage || about == "" {
			t.Errorf("%s: %v, %v, about %q", usage, steps, err, about)
		}
		seen++
	}
	if seen < 20 {
		t.Errorf("%d operations", seen)
	}
}

// TestStepsKeepTheTensor: a step does not change its tensor, and can be applied again.
func TestStepsKeepTheTensor(t *testing.T) {
	tensor := layouttest.Sized(t, []int64{2, 10, 3, 5}, "NCHW4c")
	before := tensor.Layout().String()
	for usage := range view.Operations {
		for _, text := range []string{
			usage, "np[:, 4:8].flip(C,W)", "[:, 4:]", "[1, None]", "np.flip(0,2,3)", "np.T[1:].flip(0)",
		} {
			a, errA := apply(tensor, text)
			b, errB := apply(tensor, text)
			if tensor.Layout().String() != before {
				t.Fatalf("%s changed its tensor to %v", text, tensor.Layout())
			}
			if (errA == nil) != (errB == nil) || !a.Tensor.Layout().Equal(b.Tensor.Layout()) {
				t.Errorf("%s: first %v, then %v", text, a.Tensor.Layout(), b.Tensor.Layout())
			}
		}
	}
}

// FuzzSteps applies any text to several tensors. Nothing panics, every error is an error in the text or an overflow,
// and every result is a valid layout.
func FuzzSteps(f *testing.F) {
	for usage := range view.Operations {
		f.Add(usage)
	}
	for _, text := range []string{
		"[2, 1:3, ::2, ..., None, -1]", "[:, ::-1]", "[..., 4:8]", "[None:2]", "[", "[0:1:1:]",
		"permute(N,H,W,C).T[0].flip(-1)", "contiguous(memory_format=torch.channels_last)",
		"as_strided((0,3),(1,4611686018427387904)).flip(1)", "expand(-1,9223372036854775807)",
		"unflatten(1,(-1,2))", "flatten(end_dim=1)", "unfold(0,0,9223372036854775807)",
		"diagonal(-9223372036854775808,0,1)", "T\x00T", "((((", "a=a=a=1",
		"squeeze()[None].broadcast_to(3,1,2,2)", "[-9223372036854775808:9223372036854775807:-9223372036854775808]",
		"permute(((1)))",
	} {
		f.Add(text)
	}
	tensors := []layout.Tensor{
		fresh(f), fresh(f, 6), fresh(f, 1, 2, 3, 4), fresh(f, 2, 0, 3), fresh(f, 1<<31, 1, 1<<29),
		layouttest.Sized(f, []int64{2, 10, 3, 5}, "NCHW4c"), layouttest.Sized(f, []int64{4, 4, 2}, "HWC2h2w"),
		layouttest.Sized(f, []int64{3, 3}, "0,-1"),
	}
	f.Fuzz(func(t *testing.T, text string) {
		defer layouttest.Limit(t, len(text))()
		steps, err := view.ParseSteps(text)
		checkError(t, text, err)
		if err != nil || len(steps) > 12 {
			return
		}
		got, last := strings.Map(visible, text), strings.Map(visible, steps[len(steps)-1].String())
		n := textLength(steps)
		reads := func(got string) bool {
			return strings.Contains(got, last) && n <= len(got) && len(got) <= n+len(steps)
		}
		hasComment := strings.ContainsAny(text, "#\\") || strings.Contains(text, "/*") || strings.Contains(text, "//")
		for !hasComment && !reads(got) {
			shorter := variable.ReplaceAllString(got, "")
			if shorter == got {
				t.Fatalf("%q was read as %v", text, steps)
			}
			got = shorter
		}
		for i, tensor := range slices.Concat(tensors, tensors) {
			for _, step := range steps {
				of := layout.PyTorch
				if i >= len(tensors) {
					of = layout.NumPy
				}
				v, err := step.Apply(tensor, of)
				checkError(t, text, err)
				if err != nil {
					break
				}
				checkValid(t, text, v.Tensor)
				tensor = v.Tensor
			}
		}
	})
}

// visible is for strings.Map, to remove whitespace.
func visible(r rune) rune {
	if strings.ContainsRune(" \t\r\n", r) {
		return -1
	}
	return r
}

// variable matches a part of the tensor that the steps apply to, or of the variable that they are assigned to.
var variable = regexp.MustCompile(`^[^.\[(=]+[.=]?`)

// textLength adds the lengths of steps without whitespace. Together they are the input without its dots and the
// variables before them.
func textLength(steps []view.Step) int {
	n := 0
	for _, s := range steps {
		n += len(strings.Map(visible, s.String()))
	}
	return n
}

func checkError(t *testing.T, text string, err error) {
	t.Helper()
	var syntax *layout.SyntaxError
	var overflow *layout.OverflowError
	switch {
	case err == nil:
	case errors.As(err, &syntax):
		if syntax.Msg == "" || syntax.Offset < 0 || syntax.Offset > len(syntax.Input) ||
			syntax.Input != text && len(text) <= lexer.MaxText {
			t.Fatalf("%q: %+v", text, syntax)
		}
	case errors.As(err, &overflow):
		if overflow.Exact == nil || overflow.Exact.IsInt64() {
			t.Fatalf("%q: %v is not an overflow", text, overflow)
		}
	default:
		t.Fatalf("%q: %T %v", text, err, err)
	}
}

// checkValid makes the layout again from its parts, which New checks.
func checkValid(t *testing.T, text string, tensor layout.Tensor) {
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
	if err != nil || again.String() != l.String() ||
		!strings.HasSuffix(l.String(), "]+"+strconv.FormatInt(l.Base(), 10)) {
		t.Fatalf("%q gives %v, which is not valid: %v", text, l, err)
	}
	facts := analysis.Of(l)
	if l.Empty() != slices.Contains(l.Sizes(), 0) || facts.Span < 0 || !l.Empty() && facts.Low > l.Base() {
		t.Fatalf("%q gives %v: %+v", text, l, facts)
	}
}

// TestStepsThatCount finds steps that name axes by their indices, so that their meaning depends on the order of the
// sizes.
func TestStepsThatCount(t *testing.T) {
	for text, want := range map[string]bool{
		"permute(0,2,1)": true, "[0]": true, "flatten(1)": true,
		"permute(N,W,H)": false, "T": false, "squeeze()": false,
	} {
		steps, err := view.ParseSteps(text)
		if err != nil || steps[0].Counts() != want {
			t.Errorf("%s: %v, want %t", text, err, want)
		}
	}
}

// TestApply applies steps up to the first that fails.
func TestApply(t *testing.T) {
	steps, err := view.ParseSteps("T.reshape(6).select(0,9).T")
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{1: "[3:1 2:3]+0", 2: "[6:1]+0", 3: "!", 4: "!"} {
		views, err := view.Apply(fresh(t, 2, 3), steps[:n], layout.PyTorch)
		if want == "!" && (err == nil || len(views) != 2) ||
			want != "!" && (err != nil || len(views) != n || views[n-1].Tensor.Layout().String() != want) {
			t.Errorf("%d steps: %v, %v, want %s", n, views, err, want)
		}
	}
	long := strings.Repeat("T.", 1<<20) + "T"
	if _, err := view.ParseSteps(long); err == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("2 MB: %v", err)
	}
}

// TestRollOfChannelsLast rejects steps with different memory formats in versions of PyTorch; NumPy's roll is row-major.
func TestRollOfChannelsLast(t *testing.T) {
	nhwc := fresh(t, 2, 4, 5, 3)
	for _, steps := range []string{"permute(0,3,1,2).roll(1,0)", "permute(0,3,1,2).roll(1)"} {
		if v, err := apply(nhwc, steps); err == nil || !strings.Contains(err.Error(), "memory format") {
			t.Errorf("%s: %v, %v", steps, v.Tensor.Layout(), err)
		}
	}
	v, err := apply(nhwc, "np[:].transpose(0,3,1,2).roll(1)")
	if err != nil || v.Tensor.Layout().String() != "[2:60 3:20 4:5 5:1]+0" {
		t.Errorf("%v, %v", v.Tensor.Layout(), err)
	}
}

// TestFitting has the steps of the help with arguments that fit a tensor.
func TestFitting(t *testing.T) {
	for _, c := range []struct {
		sizes []int64
		of    layout.System
		want  map[string]string // of a step: the usage, empty where the tensor cannot take it
	}{
		{[]int64{2, 3, 4, 5}, layout.PyTorch, map[string]string{
			"permute": "permute(0,2,3,1)", "transpose": "transpose(1,2)", "movedim": "movedim(1,-1)", "t": "",
			"narrow": "narrow(0,0,1)", "repeat": "repeat(2,1,1,1)", "contiguous": "contiguous(channels_last)",
		}},
		{[]int64{2, 3}, layout.PyTorch, map[string]string{
			"permute": "permute(1,0)", "transpose": "transpose(1,0)", "movedim": "movedim(1,-1)", "t": "t()",
			"expand": "", "flatten": "flatten()", "unfold": "unfold(1,3,1)", "repeat": "repeat(2,1)",
			"contiguous": "contiguous()", "split": "split(2,1)[0]", "diagonal": "diagonal(0,0,1)",
		}},
		{[]int64{2, 3, 4}, layout.PyTorch, map[string]string{
			"permute": "permute(0,2,1)", "transpose": "transpose(1,2)", "repeat": "repeat(2,1,1)",
			"narrow": "narrow(2,1,1)", "as_strided": "as_strided((2,3),(3,1),0)",
		}},
		{[]int64{2, 3, 4}, layout.NumPy, map[string]string{
			"permute": "permute(0,2,1)", "transpose": "transpose()", "unbind": "unbind(1)[0]",
			"split": "split(1,0)[0]", "squeeze": "squeeze()",
		}},
		{[]int64{}, layout.PyTorch, map[string]string{
			"permute": "permute()", "select": "", "squeeze": "squeeze()", "t": "t()", "unsqueeze": "unsqueeze(0)",
			"narrow": "", "mT": "",
		}},
	} {
		fitting, about := map[string]string{}, map[string]string{}
		for usage, says := range view.Fitting(fresh(t, c.sizes...), c.of) {
			name, _, _ := strings.Cut(usage, "(")
			fitting[name], about[usage] = usage, says
			steps, err := view.ParseSteps(usage)
			if _, failed := view.Apply(fresh(t, c.sizes...), steps, c.of); err != nil || failed != nil {
				t.Errorf("%v: %s: %v, %v", c.sizes, usage, err, failed)
			}
		}
		for name, want := range c.want {
			if fitting[name] != want {
				t.Errorf("%v of %v: %s is %q, want %q", c.sizes, c.of, name, fitting[name], want)
			}
		}
		usual := map[string]string{}
		for usage, says := range view.Operations {
			usual[usage] = says
		}
		for usage, says := range about {
			if old, ok := usual[usage]; ok && says != old || !ok && strings.ContainsAny(says, "0123456789") {
				t.Errorf("%v: %s: %q", c.sizes, usage, says)
			}
		}
		for range view.Fitting(fresh(t, c.sizes...), c.of) {
			break
		}
	}
}

// TestPart has steps that make several tensors, of which one is taken.
func TestPart(t *testing.T) {
	for text, want := range map[string]string{
		"chunk(2)": "[1:6 2:3 3:1]+6", "np.split(2)": "[1:6 2:3 3:1]+6", "unbind(1)": "[2:6 3:1]+3",
		"split(1,2)": "[2:6 2:3 1:1]+1", "chunk(2)[0]": "", "chunk(2).T": "", "T": "", "[1]": "",
	} {
		steps, err := view.ParseSteps(text)
		if err != nil {
			t.Fatal(err)
		}
		part, ok := steps[len(steps)-1].Part(1)
		got := ""
		if ok {
			v, err := part.Apply(fresh(t, 2, 2, 3), systemOf(text))
			if got = v.Tensor.Layout().String(); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
		if got != want {
			t.Errorf("part 1 of %s: %q, want %q", text, got, want)
		}
	}
}

// TestBinding has arguments in their places, by name, left out, and too many. The numbers are those of PyTorch 1.13 and
// NumPy 1.24.
func TestBinding(t *testing.T) {
	for _, c := range []struct{ text, want, reason string }{
		{"select(index=1,dim=2)", "[2:12 3:4]+1", "by name, in another order"},
		{"flatten(end_dim=1)", "[6:4 4:1]+0", "a default"},
		{"chunk(chunks=2)[1]", "[1:12 3:4 4:1]+12", "axis 0"},
		{"np[:].squeeze(axis=None)", "[2:12 3:4 4:1]+0", "None is no axis"},
		{"np[:].roll(1,None)", "[2:12 3:4 4:1]+0", "None is no axis"},
		{"np[:].rot90(k=2)", "[2:-12 3:-4 4:1]+20", "axes 0 and 1"},
		{"np[:].rot90(3,(1,2))", "[2:12 4:1 3:-4]+8", "two axes"},
		{"np[:].astype(f4).mT", "[2:12 4:1 3:4]+0", "NumPy 2.0"},
		{"astype(f4)", "[2:12 3:4 4:1]+0", "a step of NumPy alone has its types"},
		{"new_zeros(4,5)", "[4:5 5:1]+0", "sizes one by one"},
		{"T.new_full((4,5),1)", "[4:5 5:1]+0", "a list"},
		{"as_strided((2,2),(1,2),3).as_strided((3,4),(4,1))", "[3:4 4:1]+3", "the storage and the offset stay"},
		{"np[1:].as_strided((2,),(8,))", "[2:2]+12", "bytes"},
		{"np.T.as_strided(shape=(4,3,2))", "[4:1 3:4 2:12]+0", "the strides stay"},
		{"T.to('cuda')", "[4:1 3:4 2:12]+0", "a copy on a device keeps the strides of a dense tensor"},
		{"T.to(device='cuda', dtype=torch.half)", "[4:1 3:4 2:12]+0", "and of another type"},
		{"T.cuda(0)", "[4:1 3:4 2:12]+0", "a number of a device"},
		{"T.cuda(device)", "[4:1 3:4 2:12]+0", "a variable of a device"},
		{"[:, 1:].cuda()", "!", "it copies if the tensor is elsewhere"},
		{"[1:].to('cuda')", "!", "the same without gaps"},
		{"cuda(x)", "!", "a variable of nobody"},
		{"to()", "!", "nothing is said"},
		{"to(x)", "!", "no type of any system"},
		{"to(torch.float99)", "!", "no type of PyTorch"},
		{"np[:].astype(f99)", "!", "no type of NumPy"},
		{"to(memory_format=x)", "!", "no memory format"},
		{"np.empty_like(x, shape=(4,))", "!", "the order of another shape"},
		{"np.copy(x, 'X')", "!", "no order"},
		{"np[:].reshape((6, 4), order='K')", "!", "NumPy: no order of reshape"},
		{"permute(0,3,1,2)", "!", "an axis that is not there"},
		{"np[:, :, 3:1:-1]", "[2:12 3:4 2:-1]+3", "backwards"},
		{"np[1:, :, 2:2:-1]", "[1:12 3:4 0:1]+12", "no elements: the slice starts where the axis does"},
		{"np.split(x, 2, H)", "!", "no letter"},
		{"unsqueeze(H)", "!", "a word"},
		{"unsqueeze(0.5)", "!", "half an axis"},
		{"unsqueeze(0,1)", "!", "PyTorch inserts one axis"},
		{"np.expand_dims(x, (0,0))", "!", "an axis twice"},
		{"np.expand_dims(x, (0,5))", "!", "no such place"},
		{"np.lib.stride_tricks.sliding_window_view(x, 2, 2)", "[2:12 3:4 3:1 2:1]+0", "in its module"},
		{"x.unsqueeze(dim=1)", "[2:12 1:12 3:4 4:1]+0", "by name"},
		{"select(1)", "!", "an argument is missing"},
		{"select(1,0,0)", "!", "one too many"},
		{"select(1,dim=0)", "!", "one twice"},
		{"select(1,foo=0)", "!", "an unknown name"},
		{"rot90(1,(0,))", "!", "one axis"},
		{"new_zeros()", "!", "no sizes"},
		{"np.as_strided((2,),(6,))", "!", "half an element"},
	} {
		v, err := apply(fresh(t, 2, 3, 4), c.text)
		got := "!"
		if err == nil {
			got = v.Tensor.Layout().String()
		}
		if got != c.want {
			t.Errorf("%s = %s, %v, want %s: %s", c.text, got, err, c.want, c.reason)
		}
	}
}
