package view_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/view"
)

// TestViewOfTheArticles has output in two articles on data layouts, and answers for users of DirectML.
func TestViewOfTheArticles(t *testing.T) {
	type list = []int64
	article := list{1, 2, 3, 4}
	for _, c := range []struct {
		sizes      list
		steps      string
		want       list
		strides    list
		base       int64
		contiguous bool
		reason     string
	}{
		{sizes: article, steps: "[...]", want: article, strides: list{24, 12, 4, 1}, contiguous: true,
			reason: "t.stride()"},
		{sizes: article, steps: "permute((1, 2, 3, 0))", want: list{2, 3, 4, 1}, strides: list{12, 4, 1, 24},
			contiguous: true, reason: "only the axis of size 1 moves"},
		{sizes: article, steps: "permute((0, 2, 3, 1))", want: list{1, 3, 4, 2}, strides: list{24, 4, 1, 12},
			reason: "lazy"},
		{sizes: article, steps: "permute((1, 0, 3, 2))", want: list{2, 1, 4, 3}, strides: list{12, 24, 1, 4},
			reason: "lazy"},
		{sizes: article, steps: "broadcast_to((2, 2, 3, 4))", want: list{2, 2, 3, 4}, strides: list{0, 12, 4, 1},
			reason: "no copy"},
		{sizes: article, steps: "[:, :, :, 2]", want: list{1, 2, 3}, strides: list{24, 12, 4}, base: 2,
			reason: "storage_offset() is 2"},
		{sizes: article, steps: "[:, :, :, 2].reshape(3, 2)", want: list{3, 2}, strides: list{8, 4}, base: 2,
			reason: "before contiguous"},
		{sizes: article, steps: "[:, :, :, 2].reshape(3, 2).contiguous()", want: list{3, 2}, strides: list{2, 1},
			contiguous: true, reason: "after contiguous"},
		{sizes: list{2, 2, 3, 4}, steps: "[:, :, :, 2]", want: list{2, 2, 3}, strides: list{24, 12, 4}, base: 2,
			reason: "another_t: 2 to 26 is 24"},

		{sizes: list{1, 64, 5, 4}, steps: "[...]", want: list{1, 64, 5, 4}, strides: list{1280, 20, 4, 1},
			contiguous: true, reason: "x.stride()"},
		{sizes: list{1, 64, 5, 4}, steps: "contiguous(memory_format=torch.channels_last)", want: list{1, 64, 5, 4},
			strides: list{1280, 1, 256, 64}, reason: "channels_last"},
		{sizes: list{1, 3, 2, 2}, steps: "[...]", want: list{1, 3, 2, 2}, strides: list{12, 4, 2, 1}, contiguous: true,
			reason: "x.stride()"},
		{sizes: list{1, 3, 2, 2}, steps: "transpose(0, 2)", want: list{2, 3, 1, 2}, strides: list{2, 4, 12, 1},
			reason: "torch.transpose(x, 0, 2)"},

		{sizes: list{1, 1, 2, 3}, steps: "transpose(2,3)", want: list{1, 1, 3, 2}, strides: list{6, 6, 1, 3},
			reason: "a transpose for DirectML"},
		{sizes: list{2, 3, 4}, steps: "reshape(2,12)", want: list{2, 12}, strides: list{12, 1}, contiguous: true,
			reason: "a reshape of a packed tensor is free"},
		{sizes: list{2, 3, 2}, steps: "permute(0,2,1)", want: list{2, 2, 3}, strides: list{6, 1, 2},
			reason: "why view(-1) fails next"},
	} {
		v, err := apply(fresh(t, c.sizes...), c.steps)
		if err != nil {
			t.Errorf("%v %s: %v (%s)", c.sizes, c.steps, err, c.reason)
			continue
		}
		l := v.Tensor.Layout()
		strides, _ := l.Strides()
		if !slices.Equal(l.Sizes(), c.want) || !slices.Equal(strides, c.strides) || l.Base() != c.base ||
			analysis.Of(l).Contiguous != c.contiguous {
			t.Errorf("%v %s = %v, contiguous %t; want %v, %v, %d, %t (%s)", c.sizes, c.steps, l,
				analysis.Of(l).Contiguous,
				c.want, c.strides, c.base, c.contiguous, c.reason)
		}
	}
}

// offsetsOf lists the offsets of all elements in row-major order.
func offsetsOf(l layout.Layout) (offsets []int64) {
	for _, offset := range l.All() {
		offsets = append(offsets, offset)
	}
	return offsets
}

// TestViewReadsWhatTheArticlesPrint: the values of a tensor that counts from 0 are its offsets.
func TestViewReadsWhatTheArticlesPrint(t *testing.T) {
	for _, c := range []struct {
		sizes  []int64
		steps  string
		want   []int64
		reason string
	}{
		{sizes: []int64{1, 2, 3, 4}, steps: "[:, :, :, 2]", want: []int64{2, 6, 10, 14, 18, 22},
			reason: "t[:, :, :, 2]"},
		{sizes: []int64{1, 2, 3, 4}, steps: "[:, :, :, 2].reshape(3, 2)", want: []int64{2, 6, 10, 14, 18, 22},
			reason: "the same storage"},
		{sizes: []int64{2, 2, 3, 4}, steps: "[:, :, :, 2]", want: []int64{2, 6, 10, 14, 18, 22, 26, 30, 34, 38, 42, 46},
			reason: "another_t"},
		{sizes: []int64{1, 1, 2, 3}, steps: "transpose(2,3)", want: []int64{0, 3, 1, 4, 2, 5},
			reason: "a transpose for DirectML"},
	} {
		v, err := apply(fresh(t, c.sizes...), c.steps)
		if err != nil {
			t.Fatal(err)
		}
		if got := offsetsOf(v.Tensor.Layout()); v.Copied || !slices.Equal(got, c.want) {
			t.Errorf("%v %s: %v, copied %t, want %v (%s)", c.sizes, c.steps, got, v.Copied, c.want, c.reason)
		}
	}
}

// TestStepAnswersUsers has questions of users of DirectML whose answers are facts.
func TestStepAnswersUsers(t *testing.T) {
	v, err := apply(fresh(t, 8), "as_strided((2,2,2),(3,2,1))")
	if err != nil {
		t.Fatal(err)
	}
	f := analysis.Of(v.Tensor.Layout())
	if c := f.Witness; f.Elements != 8 || f.Distinct != 7 || f.Overlapping != analysis.Yes || c == nil ||
		!slices.Equal(c.A, []int64{0, 1, 1}) || !slices.Equal(c.B, []int64{1, 0, 0}) || c.Offset != 3 {
		t.Errorf("%+v %+v, want (0,1,1) and (1,0,0) both at 3, 8 elements on 7 offsets", f, f.Witness)
	}
	_, err = apply(fresh(t, 2, 3, 2), "permute(0,2,1).view(-1)")
	if err == nil || !strings.Contains(err.Error(), "axes 1 and 2 cannot merge: stride 1 is not 3 x 2") {
		t.Errorf("%v", err)
	}
	nhwc, err := apply(layouttest.Sized(t, []int64{2, 3, 4, 5}, "NHWC"), "reshape(2,60)")
	if err != nil || !nhwc.Copied {
		t.Errorf("%v, copied %t: a reshape of NHWC is not free", err, nhwc.Copied)
	}
	for _, shape := range [][]int64{{7, 1, 1, 1}, {7, 5, 1, 1}} {
		if f := analysis.Of(fresh(t, shape...).Layout()); !f.Contiguous || !f.ChannelsLast {
			t.Errorf("%v is both contiguous and channels_last: %+v", shape, f)
		}
	}
}

// drawTensor draws a tensor that need not be packed.
func drawTensor(t *rapid.T, most int) layout.Tensor {
	sizes := rapid.SliceOfN(rapid.Int64Range(0, 5), 1, most).Draw(t, "sizes")
	strides := rapid.SliceOfN(rapid.Int64Range(-7, 30), len(sizes), len(sizes)).Draw(t, "strides")
	l, err := layout.Strided(rapid.Int64Range(0, 100).Draw(t, "base"), sizes, strides)
	if err != nil {
		t.Fatal(err)
	}
	tensor, err := layout.NewTensor(l, layout.DType(0))
	if err != nil {
		t.Fatal(err)
	}
	return tensor
}

// TestStepAndItsInverse has pairs of steps that give the original tensor.
func TestStepAndItsInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tensor := drawTensor(t, 4)
		rank := tensor.Layout().Rank()
		i, j := rapid.IntRange(-rank, rank-1).Draw(t, "i"), rapid.IntRange(-rank, rank-1).Draw(t, "j")
		order := rapid.Permutation([]int{0, 1, 2, 3}[:rank]).Draw(t, "order")
		back := make([]int, rank)
		for i, axis := range order {
			back[axis] = i
		}
		for _, steps := range []string{
			fmt.Sprintf("permute(%s).permute(%s)", joined(order), joined(back)),
			fmt.Sprintf("transpose(%d,%d).swapaxes(%d,%d)", i, j, i, j),
			fmt.Sprintf("movedim(%d,%d).movedim(%d,%d)", i, j, j, i),
			fmt.Sprintf("movedim((%s),(%s)).movedim((%s),(%s))", joined(order), joined(back), joined(back),
				joined(order)),
			fmt.Sprintf("np.flip(%d).flip(%d)", i, i),
			fmt.Sprintf("unsqueeze(%d).squeeze(%d)", i, i),
			"T.T", "[None].select(0,0)", "[...].expand(" + strings.TrimPrefix(strings.Repeat(",-1", rank), ",") + ")",
		} {
			v, err := apply(tensor, steps)
			if err != nil || v.Tensor.Layout().String() != tensor.Layout().String() {
				t.Fatalf("%v %s = %v, %v", tensor.Layout(), steps, v.Tensor.Layout(), err)
			}
		}
	})
}

// TestFlattenAndUnflattenReshape checks that splitting a merged axis gives the sizes back, and the same elements at the
// same offsets: the offsets of the tensor, or of its copy.
func TestFlattenAndUnflattenReshape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tensor := drawTensor(t, 4)
		l := tensor.Layout()
		i := rapid.IntRange(0, l.Rank()-1).Draw(t, "from")
		j := rapid.IntRange(i, l.Rank()-1).Draw(t, "to")
		v, err := apply(tensor, fmt.Sprintf("flatten(%d,%d)", i, j))
		if err != nil {
			t.Fatal(err)
		}
		again, err := apply(v.Tensor, fmt.Sprintf("unflatten(%d,(%s))", i, joined(l.Sizes()[i:j+1])))
		if err != nil || again.Copied || !slices.Equal(again.Tensor.Layout().Sizes(), l.Sizes()) {
			t.Fatalf("%v: %v, copied %t, %v", l, again.Tensor.Layout(), again.Copied, err)
		}
		want := offsetsOf(l)
		for i := range want {
			if v.Copied {
				want[i] = int64(i)
			}
		}
		if got := offsetsOf(again.Tensor.Layout()); !slices.Equal(got, want) {
			t.Fatalf("%v: %v, want %v", l, got, want)
		}
	})
}

// TestViewOfBlocks checks that a step that strides cannot express for an axis in blocks is an error, or copies.
func TestViewOfBlocks(t *testing.T) {
	sizes := []int64{2, 10, 3, 5} // C in blocks of 4: 4, 4, 2
	for _, c := range []struct {
		step, want string
		reason     string
	}{
		{"[:, 4:]", "[N=2:180 C=6:(2:60 4:1) H=3:20 W=5:4]+60",
			"cut at the start of block 1, which lies 3x5x4 further"},
		{"[:, 4:8]", "[N=2:180 C=4:(1:60 4:1) H=3:20 W=5:4]+60", "one whole block"},
		{"[:, :7]", "[N=2:180 C=7:(2:60 4:1) H=3:20 W=5:4]+0", "a block may stay open at its end"},
		{"[:, 9]", "[N=2:180 H=3:20 W=5:4]+121", "two blocks and one element on"},
		{"select(C,-1)", "[N=2:180 H=3:20 W=5:4]+121", "by letter, from the end"},
		{"np[:, :8].flip(C)", "[N=2:180 C=8:(2:-60 4:-1) H=3:20 W=5:4]+63", "whole blocks can be reversed"},
		{"permute(N,H,W,C)", "[N=2:180 H=3:20 W=5:4 C=10:(3:60 4:1)]+0", "axes move with their blocks"},
		{"npx.flip(W,H)", "[N=2:180 C=10:(3:60 4:1) H=3:-20 W=5:-4]+56", "the blocks of C do not matter to W and H"},
		{"[:, 5:]", "", "inside a block"},
		{"[:, ::2]", "", "steps"},
		{"npx.flip(C)", "", "the last block is not full"},
		{"unfold(1,2,1)", "", "windows across blocks"},
		{"diagonal(0,1,2)", "", "a diagonal across blocks"},
		{"view(2,-1)", "", "axes across blocks"},
	} {
		v, err := apply(layouttest.Sized(t, sizes, "NCHW4c"), c.step)
		switch {
		case c.want == "" && err == nil:
			t.Errorf("%s = %v, want it refused (%s)", c.step, v.Tensor.Layout(), c.reason)
		case c.want != "" && (err != nil || v.Tensor.Layout().String() != c.want || v.Copied):
			t.Errorf("%s = %v, %v, want %s (%s)", c.step, v.Tensor.Layout(), err, c.want, c.reason)
		}
	}
	v, err := apply(layouttest.Sized(t, sizes, "NCHW4c"), "contiguous()")
	if want := "[N=2:150 C=10:15 H=3:5 W=5:1]+0"; err != nil || !v.Copied || v.Tensor.Layout().String() != want {
		t.Errorf("contiguous() = %v, copied %t, %v, want %s", v.Tensor.Layout(), v.Copied, err, want)
	}
}

// TestReshapeOverflow: an axis of size 1 gets the stride that continues the next axis, which may not fit:
// 2 x 2^62 = 2^63.
func TestReshapeOverflow(t *testing.T) {
	l, err := layout.Strided(0, []int64{2}, []int64{1 << 62})
	if err != nil {
		t.Fatal(err)
	}
	tensor, err := layout.NewTensor(l, layouttest.Tensor(t, "[] -t int2").DType())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"reshape(1,2)", "view(1,2)", "unsqueeze(0)"} {
		steps, err := view.ParseSteps(text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = steps[0].Apply(tensor, layout.PyTorch)
		var overflow *layout.OverflowError
		if !errors.As(err, &overflow) || overflow.Exact.String() != "9223372036854775808" {
			t.Errorf("%s: %v, want an overflow of 2^63", text, err)
		}
	}
}
