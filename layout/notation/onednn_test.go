package notation

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
)

// dnnlRead reads a text that describes one tensor.
func dnnlRead(t *testing.T, notation, text string, dims ...int64) layout.Tensor {
	t.Helper()
	n, err := Find(notation)
	if err != nil {
		t.Fatal(err)
	}
	found, err := n.Read(text, Options{Dims: dims})
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %q: %d tensors, %v", notation, text, len(found), err)
	}
	return found[0].Tensor
}

// outerStrides returns the strides of whole blocks.
func outerStrides(l layout.Layout) []int64 {
	strides := make([]int64, l.Rank())
	for i := range strides {
		strides[i] = l.Axis(i).Digit(0).Stride
	}
	return strides
}

// offsetsOf lists the offsets of all elements, in the order of their indices.
func offsetsOf(l layout.Layout) []int64 {
	var offsets []int64
	for _, offset := range l.All() {
		offsets = append(offsets, offset)
	}
	return offsets
}

// TestOneDNNTags has what oneDNN 2.6.3 and 3.8 say of tags: through all three notations, and
// back from what they write.
func TestOneDNNTags(t *testing.T) {
	type at struct {
		index  []int64
		offset int64
	}
	tests := []struct {
		tag, reason    string
		sizes, strides []int64
		bytes          int64
		at             []at
	}{
		{"nchw", "plain", []int64{2, 3, 4, 5}, []int64{60, 20, 5, 1}, 480, []at{{[]int64{1, 2, 3, 4}, 119}, {[]int64{1, 0, 0, 0}, 60}}},
		{"nhwc", "channels innermost", []int64{2, 3, 4, 5}, []int64{60, 1, 15, 3}, 480, []at{{[]int64{1, 2, 3, 4}, 119}, {[]int64{0, 1, 0, 0}, 1}}},
		{"chwn", "the batch innermost", []int64{2, 3, 4, 5}, []int64{1, 40, 10, 2}, 480, []at{{[]int64{1, 2, 3, 4}, 119}}},
		{"ndhwc", "a volume", []int64{2, 3, 4, 5, 6}, []int64{360, 1, 90, 18, 3}, 2880, []at{{[]int64{1, 2, 3, 4, 5}, 719}}},
		{"hwio", "the sizes stay in the order O, I, H, W", []int64{8, 4, 3, 2}, []int64{1, 8, 64, 32}, 768, []at{{[]int64{7, 3, 2, 1}, 191}, {[]int64{1, 2, 0, 1}, 49}}},
		{"ntc", "the sizes are those of t, n, c", []int64{7, 2, 5}, []int64{5, 35, 1}, 280, []at{{[]int64{6, 1, 4}, 69}, {[]int64{1, 0, 0}, 5}}},
		{"nhwc", "sizes of 1", []int64{1, 1, 1, 1}, []int64{1, 1, 1, 1}, 4, []at{{[]int64{0, 0, 0, 0}, 0}}},
		{"acdb", "the enumeration skips a size of 0", []int64{5, 8, 0, 2}, []int64{16, 1, 16, 8}, 0, nil},
		{"nChw16c", "a block that is not full", []int64{1, 3, 2, 2}, []int64{64, 64, 32, 16}, 256, []at{{[]int64{0, 2, 1, 1}, 50}, {[]int64{0, 0, 0, 1}, 16}}},
		{"nChw16c", "two blocks, one not full", []int64{2, 17, 4, 5}, []int64{640, 320, 80, 16}, 5120, []at{{[]int64{1, 16, 3, 4}, 1264}, {[]int64{0, 16, 0, 0}, 320}}},
		{"nChw8c", "blocks of 8", []int64{2, 17, 3, 3}, []int64{216, 72, 24, 8}, 1728, []at{{[]int64{1, 16, 2, 2}, 424}}},
		{"OIhw4i16o4i", "nested blocks: the left number is the digit above", []int64{32, 16, 3, 3}, []int64{2304, 2304, 768, 256}, 18432, []at{{[]int64{17, 5, 1, 2}, 3653}, {[]int64{1, 0, 0, 0}, 4}, {[]int64{0, 4, 0, 0}, 64}, {[]int64{0, 1, 0, 0}, 1}}},
		{"ABcd4b16a4b", "the same by the alphabet", []int64{32, 16, 3, 3}, []int64{2304, 2304, 768, 256}, 18432, []at{{[]int64{17, 5, 1, 2}, 3653}}},
		{"OIhw4i16o4i", "padded to the product of the numbers", []int64{20, 3, 1, 1}, []int64{256, 256, 256, 256}, 2048, []at{{[]int64{19, 2, 0, 0}, 270}}},
		{"ABcd16a16b", "two axes in blocks", []int64{17, 33, 2, 2}, []int64{3072, 1024, 512, 256}, 24576, []at{{[]int64{16, 32, 1, 1}, 5888}, {[]int64{0, 1, 0, 0}, 1}, {[]int64{1, 0, 0, 0}, 16}}},
		{"ABcd16b16a", "the other way round", []int64{17, 33, 2, 2}, []int64{3072, 1024, 512, 256}, 24576, []at{{[]int64{0, 1, 0, 0}, 16}, {[]int64{1, 0, 0, 0}, 1}}},
		{"OIhw8i16o2i", "nested", []int64{16, 16, 1, 1}, []int64{256, 256, 256, 256}, 1024, []at{{[]int64{3, 5, 0, 0}, 71}}},
		{"BA16a16b4a", "the outer axes are swapped", []int64{40, 20}, []int64{1024, 1024}, 8192, []at{{[]int64{39, 19}, 1615}, {[]int64{4, 0}, 64}, {[]int64{1, 0}, 1}}},
		{"gOIhw8i8o", "groups", []int64{2, 8, 8, 1, 1}, []int64{64, 64, 64, 64, 64}, 512, []at{{[]int64{1, 2, 3, 0, 0}, 90}}},
		{"OhwI32o", "the capital I is not blocked", []int64{64, 16, 3, 3}, []int64{4608, 32, 1536, 512}, 36864, []at{{[]int64{33, 5, 1, 1}, 6817}}},
		{"Acdb32a", "the same by the alphabet", []int64{64, 16, 3, 3}, []int64{4608, 32, 1536, 512}, 36864, []at{{[]int64{33, 5, 1, 1}, 6817}}},
		{"gIOhw2i8o16i2o", "an alias whose order is g, O, I", []int64{2, 32, 16, 1, 1}, []int64{1024, 512, 512, 512, 512}, 8192, []at{{[]int64{1, 0, 0, 0, 0}, 1024}}},
		{"nChw16c", "no batch", []int64{0, 3, 2, 2}, []int64{64, 64, 32, 16}, 0, nil},
		{"nChw16c", "no channels", []int64{2, 0, 2, 2}, []int64{64, 64, 32, 16}, 0, nil},
		{"nChw16c", "one element takes a block", []int64{1, 1, 1, 1}, []int64{16, 16, 16, 16}, 64, []at{{[]int64{0, 0, 0, 0}, 0}}},
		{"Ab3a", "not in the enumeration", []int64{7, 5}, []int64{15, 3}, 180, []at{{[]int64{4, 2}, 22}}},
		{"AB2a3b", "not in the enumeration", []int64{5, 7}, []int64{18, 6}, 216, []at{{[]int64{3, 5}, 29}}},
		{"aBcd1b", "a block of 1 is none", []int64{2, 3, 4, 5}, []int64{60, 20, 5, 1}, 480, nil},
		{"ab4b", "case does not matter", []int64{2, 8}, []int64{8, 4}, 64, []at{{[]int64{1, 5}, 13}}},
		{"ldgoi", "a recurrent network's, sizes in the order l, d, i, g, o", []int64{1, 1, 2, 3, 4}, []int64{24, 24, 1, 8, 2}, 96, []at{{[]int64{0, 0, 1, 2, 3}, 23}}},
		{"x", "one axis", []int64{5}, []int64{1}, 20, nil},
	}
	for _, tt := range tests {
		sizes := layout.JoinInts(tt.sizes, "x")
		for notation, text := range map[string]string{
			"onednn":         "dnnl::memory::desc({" + layout.JoinInts(tt.sizes, ", ") + "}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::" + tt.tag + ")",
			"onednn-tag":     "--dt=f32 --tag=" + tt.tag + " " + sizes,
			"onednn-verbose": "src:f32::blocked:" + tt.tag + "::f0,,," + sizes,
		} {
			tensor := dnnlRead(t, notation, text)
			l := tensor.Layout()
			if !slices.Equal(l.Sizes(), tt.sizes) || !slices.Equal(outerStrides(l), tt.strides) {
				t.Errorf("%s: sizes %v, strides %v: %s", text, l.Sizes(), outerStrides(l), tt.reason)
			}
			for _, at := range tt.at {
				if got, err := l.Offset(at.index); got != at.offset || err != nil {
					t.Errorf("%s: %v at %d, %v, want %d: %s", text, at.index, got, err, at.offset, tt.reason)
				}
			}
			n, _ := Find(notation)
			if got, err := n.Sizes(tensor); err != nil || got[0].Bytes != tt.bytes {
				t.Errorf("%s: %v, %v, want %d bytes: %s", text, got, err, tt.bytes, tt.reason)
			}
			dnnlRoundTrip(t, tensor)
		}
	}
}

// dnnlRoundTrip checks that all of oneDNN's notations give the tensor back.
func dnnlRoundTrip(t *testing.T, tensor layout.Tensor) {
	t.Helper()
	for _, notation := range []string{"onednn", "onednn-tag", "onednn-verbose"} {
		n, _ := Find(notation)
		text, err := n.Write(tensor)
		if _, ok := err.(*LossError); ok {
			continue
		}
		if err != nil || !n.fits(text) {
			t.Fatalf("%s: %q, fits %v, %v", notation, text, n.fits(text), err)
		}
		back := dnnlRead(t, notation, text)
		if !slices.Equal(offsetsOf(back.Layout()), offsetsOf(tensor.Layout())) || back.DType() != tensor.DType() || !slices.Equal(back.Layout().Sizes(), tensor.Layout().Sizes()) {
			t.Errorf("%s: %q is not what it was written for", notation, text)
		}
	}
}

// TestOneDNNStrides has what oneDNN 2.6.3 makes of strides: the size in bytes, or nothing.
func TestOneDNNStrides(t *testing.T) {
	tests := []struct {
		sizes, strides []int64
		bytes          int64 // -1: refused
		reason         string
	}{
		{[]int64{4, 3}, []int64{8, 1}, 128, "the gap behind the last row counts"},
		{[]int64{5}, []int64{2}, 40, "so does the one behind the last element"},
		{[]int64{1, 3}, []int64{100, 1}, 12, "the stride of one element does not"},
		{[]int64{2, 3}, []int64{0, 1}, 12, "broadcast"},
		{[]int64{2, 3}, []int64{0, 0}, 0, "all broadcast"},
		{[]int64{2, 3}, []int64{0, 2}, 24, "broadcast, with gaps"},
		{[]int64{1, 3}, []int64{1, 1}, 12, "the stride of one element may be any"},
		{[]int64{1, 3}, []int64{0, 1}, 12, "and 0"},
		{[]int64{1, 3}, []int64{-5, 1}, 12, "and negative"},
		{[]int64{3, 1, 2}, []int64{2, -1, 1}, 24, "and negative between others"},
		{[]int64{3, 1}, []int64{1, 2}, 12, "and between the others"},
		{[]int64{1, 2, 3}, []int64{2, 3, 1}, 24, "and between the others"},
		{[]int64{2, 1, 3, 1}, []int64{3, 7, 1, 5}, 24, "and beyond them"},
		{[]int64{1, 1}, []int64{0, 0}, 4, "one element"},
		{[]int64{1, 1}, []int64{7, 5}, 4, "one element"},
		{[]int64{2, 2, 3}, []int64{3, 0, 1}, 24, "broadcast in between"},
		{[]int64{0, 3}, []int64{1, 5}, 0, "no elements: any strides"},
		{[]int64{0, 3}, []int64{-1, 5}, 0, "no elements: even negative ones"},
		{[]int64{2, 3}, []int64{2, 1}, -1, "rows reach into each other"},
		{[]int64{2, 3}, []int64{3, 2}, -1, "rows lie between each other's elements"},
		{[]int64{2, 3}, []int64{-3, 1}, -1, "negative"},
	}
	for _, tt := range tests {
		text := fmt.Sprintf("memory::desc({%s}, memory::data_type::f32, {%s})", layout.JoinInts(tt.sizes, ", "), layout.JoinInts(tt.strides, ", "))
		n, _ := Find("onednn")
		found, err := n.Read(text, Options{})
		if tt.bytes < 0 {
			l, _ := layout.Strided(0, tt.sizes, tt.strides)
			tensor, _ := layout.NewTensor(l, 0)
			_, loss := n.Write(tensor)
			if err == nil || !strings.Contains(err.Error(), "refuses") || loss == nil {
				t.Errorf("%s: %v, written: %v: %s", text, err, loss, tt.reason)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v: %s", text, err, tt.reason)
			continue
		}
		got, err := n.Sizes(found[0].Tensor)
		if err != nil || got[0].Bytes != tt.bytes || !slices.Equal(outerStrides(found[0].Tensor.Layout()), tt.strides) {
			t.Errorf("%s: %v, %v, want %d bytes: %s", text, got, err, tt.bytes, tt.reason)
		}
		dnnlRoundTrip(t, found[0].Tensor)
	}
}

func TestOneDNNTypes(t *testing.T) {
	for _, tt := range []struct {
		dtype  string
		bytes  int64
		reason string
	}{
		{"s4", 8, "15 elements of 4 bits, rounded up"},
		{"f4_e2m1", 15, "at commit 515bfba only integers are halved"},
		{"f16", 30, ""},
		{"f64", 120, ""},
	} {
		tensor := dnnlRead(t, "onednn", "memory::desc({3, 5}, memory::data_type::"+tt.dtype+", memory::format_tag::ab)")
		n, _ := Find("onednn")
		if got, err := n.Sizes(tensor); err != nil || got[0].Bytes != tt.bytes || got[0].Figure != "get_size" {
			t.Errorf("%s: %v, %v, want %d: %s", tt.dtype, got, err, tt.bytes, tt.reason)
		}
	}
}

func TestOneDNNConstructors(t *testing.T) {
	tests := []struct{ text, names, reason string }{
		{"dnnl::memory::desc d({1, 3, 4, 5}, dt::f32, tag::nhwc);", "d", "a variable"},
		{"memory::desc d{{1, 3, 4, 5}, dt::f32, tag::nhwc};", "d", "in curly brackets"},
		{"auto d = dnnl::memory::desc(memory::dims{1, 3, 4, 5}, memory::data_type::f32, memory::format_tag::nhwc);", "d", "assigned"},
		{"memory::desc({1, 3, 4, 5}, dnnl_f32, dnnl_nhwc)", "", "the enumerators of C"},
		{"auto a = memory::desc({1, 3, 4, 5}, dt::f32, tag::nhwc);\nmemory::desc b({1, 3, 4, 5}, dt::f32, memory::dims({60, 1, 15, 3}));", "a b", "two of them"},
	}
	for _, tt := range tests {
		n, _ := Find("onednn")
		found, err := n.Read(tt.text, Options{})
		if err != nil {
			t.Errorf("%s: %v: %s", tt.text, err, tt.reason)
			continue
		}
		var names []string
		for _, d := range found {
			names = append(names, d.Name)
			if got := outerStrides(d.Tensor.Layout()); !slices.Equal(got, []int64{60, 1, 15, 3}) || !d.Typed {
				t.Errorf("%s: strides %v: %s", tt.text, got, tt.reason)
			}
		}
		if got := strings.Join(names, " "); got != tt.names {
			t.Errorf("%s: called %q, want %q: %s", tt.text, got, tt.names, tt.reason)
		}
	}
}

func TestOneDNNRuntime(t *testing.T) {
	for notation, text := range map[string]string{
		"onednn":         "memory::desc({2, 3, DNNL_RUNTIME_DIM_VAL, 2}, dt::f32, memory::format_tag::nChw16c)",
		"onednn-tag":     "--tag=nChw16c 2x3x*x2",
		"onednn-verbose": "src:f32:p:blocked:aBcd16b::f0 2x3x*x2",
	} {
		if got := outerStrides(dnnlRead(t, notation, text, 2).Layout()); !slices.Equal(got[2:], []int64{32, 16}) {
			t.Errorf("%s: strides %v", text, got)
		}
		n, _ := Find(notation)
		if _, err := n.Read(text, Options{}); err == nil || !strings.Contains(err.Error(), "known") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestOneDNNFaults(t *testing.T) {
	tests := []struct {
		notation, text string
		offset         int
		says           string
	}{
		{"onednn", "memory::desc({}, dt::f32, tag::a)", 13, "empty"},
		{"onednn", "memory::desc({1,1,1,1,1,1,1,1,1,1,1,1,1}, dt::f32, tag::a)", 13, "at most 12"},
		{"onednn", "memory::desc({2, 3}, dt::f32, tag::any)", 35, "not a layout"},
		{"onednn", "memory::desc({2, 3}, dt::f32, tag::abc)", 35, "3 axes"},
		{"onednn", "memory::desc({2, 3}, dt::q32, tag::ab)", 25, "unknown data type"},
		{"onednn", "memory::desc({2, 3}, dt::f32, {3, 1, 1})", 30, "2 sizes and 3 strides"},
		{"onednn", "memory::desc({2, 3}, dt::f32)", 0, "sizes, a data type"},
		{"onednn", "memory::desc({2, N}, dt::f32, tag::ab)", 17, "not a number"},
		{"onednn", "memory::desc({2, -3}, dt::f32, tag::ab)", 13, "negative"},
		{"onednn", "memory::desc({2, 3, 4}, dt::f32, tag::abx)", 40, "not those of a format tag"},
		{"onednn-tag", "--tag=acd 2x3x4", 6, "b is missing"},
		{"onednn-tag", "--tag=aB0b 2x3", 8, "at least one element"},
		{"onednn-tag", "--tag=ab4c 2x3", 9, "not an axis"},
		{"onednn-tag", "--tag=aBc16 2x3x4", 9, "does not say which axis"},
		{"onednn-tag", "--tag=abb 2x3", 8, "twice"},
		{"onednn-tag", "--tag=aBcd4bc 2x3x4x5", 12, "every letter needs a number"},
		{"onednn-tag", "--tag=4ab 2x3", 7, "not an axis"},
		{"onednn-tag", "--tag=aB99999999999999999999b 2x3", 8, "64 bits"},
		{"onednn-tag", "--tag=hwc 2x3x4", 7, "not those of a format tag"},
		{"onednn-tag", "--tag=ab,ba 2x3", 8, "several values"},
		{"onednn-tag", "--tag=ab", 8, "sizes are missing"},
		{"onednn-tag", "--tag=ab --strides=3x1 2x3", 6, "exclude"},
		{"onednn-tag", "--strides=2x1 2x3", 10, "refuses"},
		{"onednn-tag", "--strides=3xx 2x3", 12, "number"},
		{"onednn-tag", "--tag=any 2x3", 0, "no tensor here has a layout"},
	}
	for _, tt := range tests {
		n, _ := Find(tt.notation)
		_, err := n.Read(tt.text, Options{})
		var syntax *layout.SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset != tt.offset || !strings.Contains(syntax.Msg, tt.says) || syntax.Input != tt.text {
			t.Errorf("%s: %#v, want %q at %d", tt.text, err, tt.says, tt.offset)
		}
	}
}

// TestOneDNNLoses has layouts that oneDNN has no descriptor for.
func TestOneDNNLoses(t *testing.T) {
	digits := func(base int64, axes ...layout.Axis) layout.Layout {
		l, err := layout.New(base, axes...)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	plain := layout.NewAxis("", 2, layout.Digit{Extent: 2, Stride: 1})
	gaps := layout.NewAxis("", 8, layout.Digit{Extent: 2, Stride: 100}, layout.Digit{Extent: 4, Stride: 2})
	tests := []struct {
		layout          layout.Layout
		dtype, says     string
		tags, elsewhere bool // whether only onednn-tag loses it
	}{
		{digits(0), "f32", "scalar", true, true},
		{digits(3, plain), "f32", "3", true, true},
		{digits(0, slices.Repeat([]layout.Axis{plain}, 13)...), "f32", "at most 12", true, true},
		{digits(0, plain), "int16", "no type", true, true},
		{digits(0, gaps), "f32", "one piece", true, true},
		{digits(0, layout.NewAxis("", 2, layout.Digit{Extent: 2, Stride: 3})), "f32", "no strides", true, false},
	}
	for _, tt := range tests {
		dtype, _ := layout.ParseDType(tt.dtype)
		tensor, err := layout.NewTensor(tt.layout, dtype)
		if err != nil {
			t.Fatal(err)
		}
		for _, notation := range []string{"onednn", "onednn-tag", "onednn-verbose"} {
			n, _ := Find(notation)
			text, err := n.Write(tensor)
			if want := tt.elsewhere || notation == "onednn-tag"; (err != nil) != want || want && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%s: %v as %s: %q, %v, want %q", notation, tt.layout, tt.dtype, text, err, tt.says)
			}
		}
	}
}

func TestOneDNNMetaTags(t *testing.T) {
	tests := []struct {
		tag     string
		sizes   []int64
		strides []int64
		reason  string
	}{
		{"abx", []int64{2, 3, 4, 5}, []int64{60, 20, 5, 1}, "x is cd"},
		{"abx", []int64{2, 3}, []int64{3, 1}, "x is nothing"},
		{"abx", []int64{2}, []int64{1}, "and b is none"},
		{"axb", []int64{2, 3, 4, 5}, []int64{60, 1, 15, 3}, "acdb"},
		{"axb", []int64{2, 3, 4}, []int64{12, 1, 3}, "acb"},
		{"xba", []int64{2, 3, 4, 5}, []int64{1, 2, 30, 6}, "cdba"},
		{"aBx16b", []int64{1, 3, 2, 2}, []int64{64, 64, 32, 16}, "aBcd16b"},
		{"ABx16a16b", []int64{17, 33, 2, 2}, []int64{3072, 1024, 512, 256}, "ABcd16a16b"},
		{"abxc", []int64{2, 3, 4, 5, 6}, []int64{360, 120, 1, 24, 4}, "groups: abdec"},
	}
	for _, tt := range tests {
		text := "--tag=" + tt.tag + " " + layout.JoinInts(tt.sizes, "x")
		if got := outerStrides(dnnlRead(t, "onednn-tag", text).Layout()); !slices.Equal(got, tt.strides) {
			t.Errorf("%s: strides %v, want %v: %s", text, got, tt.strides, tt.reason)
		}
	}
}

// TestOneDNNFits has texts of others.
func TestOneDNNFits(t *testing.T) {
	for _, text := range []string{
		"1x3x224x224", "NCHW16c", "nc4hw4", "acdb", "1x3x224x224 NHWC", "torch.empty_strided((2, 3), (5, 1))", "f32[2, 3][5, 1]cpu",
		"f32[2,3]{1,0:T(8,128)}", "memref<2x3xf32, strided<[5, 1]>>", "(4,(2,2)):(2,(1,8))", "ne = {2, 3}, nb = {4, 8}", "ids", "x",
		"mb", "mbar", "g2", "tensor<2x3xf32>", "std::mdspan", "{\"shape\": [2, 3]}", "4:1", "8",
	} {
		for _, n := range []string{"onednn", "onednn-tag", "onednn-verbose"} {
			if n, _ := Find(n); n.fits(text) {
				t.Errorf("%s claims %q", n.Name, text)
			}
		}
	}
}

func BenchmarkOneDNN(b *testing.B) {
	for _, tt := range []struct{ notation, text string }{
		{"onednn", "dnnl::memory::desc({1, 3, 224, 224}, dnnl::memory::data_type::f32, {150528, 1, 672, 3})"},
		{"onednn", "dnnl::memory::desc({1, 3, 224, 224}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::nhwc)"},
		{"onednn", "dnnl::memory::desc({1, 3, 224, 224}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::nChw16c)"},
		{"onednn-tag", "--dt=f32 --tag=acdb 1x3x224x224"},
		{"onednn-verbose", "src:f32::blocked:acdb::f0,,,1x3x224x224"},
		{"onednn-verbose", "src:f32::blocked:aBcd16b::f0,,,1x3x224x224"},
	} {
		n, _ := Find(tt.notation)
		found, err := n.Read(tt.text, Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Run("read/"+tt.text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				n.Read(tt.text, Options{})
			}
		})
		b.Run("write/"+tt.text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				n.Write(found[0].Tensor)
			}
		})
	}
}
