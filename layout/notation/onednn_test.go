package notation

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
)

// dnnlRead reads an input that describes one tensor.
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

// TestOneDNNTags has the results of oneDNN 2.6.3 and 3.8 for tags. They are read in all three notations, written, and
// read back.
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
		{tag: "nchw", reason: "plain", sizes: []int64{2, 3, 4, 5}, strides: []int64{60, 20, 5, 1}, bytes: 480,
			at: []at{{[]int64{1, 2, 3, 4}, 119}, {[]int64{1, 0, 0, 0}, 60}}},
		{tag: "nhwc", reason: "channels innermost", sizes: []int64{2, 3, 4, 5}, strides: []int64{60, 1, 15, 3},
			bytes: 480, at: []at{{[]int64{1, 2, 3, 4}, 119}, {[]int64{0, 1, 0, 0}, 1}}},
		{tag: "chwn", reason: "the batch innermost", sizes: []int64{2, 3, 4, 5}, strides: []int64{1, 40, 10, 2},
			bytes: 480, at: []at{{[]int64{1, 2, 3, 4}, 119}}},
		{tag: "ndhwc", reason: "a volume", sizes: []int64{2, 3, 4, 5, 6}, strides: []int64{360, 1, 90, 18, 3},
			bytes: 2880, at: []at{{[]int64{1, 2, 3, 4, 5}, 719}}},
		{tag: "hwio", reason: "the sizes stay in the order O, I, H, W", sizes: []int64{8, 4, 3, 2},
			strides: []int64{1, 8, 64, 32}, bytes: 768,
			at: []at{{[]int64{7, 3, 2, 1}, 191}, {[]int64{1, 2, 0, 1}, 49}}},
		{tag: "ntc", reason: "the sizes are those of t, n, c", sizes: []int64{7, 2, 5}, strides: []int64{5, 35, 1},
			bytes: 280, at: []at{{[]int64{6, 1, 4}, 69}, {[]int64{1, 0, 0}, 5}}},
		{tag: "nhwc", reason: "sizes of 1", sizes: []int64{1, 1, 1, 1}, strides: []int64{1, 1, 1, 1}, bytes: 4,
			at: []at{{[]int64{0, 0, 0, 0}, 0}}},
		{tag: "acdb", reason: "the enumeration skips a size of 0", sizes: []int64{5, 8, 0, 2},
			strides: []int64{16, 1, 16, 8}},
		{tag: "nChw16c", reason: "a block that is not full", sizes: []int64{1, 3, 2, 2},
			strides: []int64{64, 64, 32, 16}, bytes: 256,
			at: []at{{[]int64{0, 2, 1, 1}, 50}, {[]int64{0, 0, 0, 1}, 16}}},
		{tag: "nChw16c", reason: "two blocks, one not full", sizes: []int64{2, 17, 4, 5},
			strides: []int64{640, 320, 80, 16}, bytes: 5120,
			at: []at{{[]int64{1, 16, 3, 4}, 1264}, {[]int64{0, 16, 0, 0}, 320}}},
		{tag: "nChw8c", reason: "blocks of 8", sizes: []int64{2, 17, 3, 3}, strides: []int64{216, 72, 24, 8},
			bytes: 1728, at: []at{{[]int64{1, 16, 2, 2}, 424}}},
		{tag: "OIhw4i16o4i", reason: "nested blocks: the left number is the digit above", sizes: []int64{32, 16, 3, 3},
			strides: []int64{2304, 2304, 768, 256}, bytes: 18432,
			at: []at{{[]int64{17, 5, 1, 2}, 3653}, {[]int64{1, 0, 0, 0}, 4}, {[]int64{0, 4, 0, 0}, 64},
				{[]int64{0, 1, 0, 0}, 1}}},
		{tag: "ABcd4b16a4b", reason: "the same by the alphabet", sizes: []int64{32, 16, 3, 3},
			strides: []int64{2304, 2304, 768, 256}, bytes: 18432, at: []at{{[]int64{17, 5, 1, 2}, 3653}}},
		{tag: "OIhw4i16o4i", reason: "padded to the product of the numbers", sizes: []int64{20, 3, 1, 1},
			strides: []int64{256, 256, 256, 256}, bytes: 2048, at: []at{{[]int64{19, 2, 0, 0}, 270}}},
		{tag: "ABcd16a16b", reason: "two axes in blocks", sizes: []int64{17, 33, 2, 2},
			strides: []int64{3072, 1024, 512, 256}, bytes: 24576,
			at: []at{{[]int64{16, 32, 1, 1}, 5888}, {[]int64{0, 1, 0, 0}, 1}, {[]int64{1, 0, 0, 0}, 16}}},
		{tag: "ABcd16b16a", reason: "the other way round", sizes: []int64{17, 33, 2, 2},
			strides: []int64{3072, 1024, 512, 256}, bytes: 24576,
			at: []at{{[]int64{0, 1, 0, 0}, 16}, {[]int64{1, 0, 0, 0}, 1}}},
		{tag: "OIhw8i16o2i", reason: "nested", sizes: []int64{16, 16, 1, 1}, strides: []int64{256, 256, 256, 256},
			bytes: 1024, at: []at{{[]int64{3, 5, 0, 0}, 71}}},
		{tag: "BA16a16b4a", reason: "the outer axes are swapped", sizes: []int64{40, 20}, strides: []int64{1024, 1024},
			bytes: 8192, at: []at{{[]int64{39, 19}, 1615}, {[]int64{4, 0}, 64}, {[]int64{1, 0}, 1}}},
		{tag: "gOIhw8i8o", reason: "groups", sizes: []int64{2, 8, 8, 1, 1}, strides: []int64{64, 64, 64, 64, 64},
			bytes: 512, at: []at{{[]int64{1, 2, 3, 0, 0}, 90}}},
		{tag: "OhwI32o", reason: "the capital I is not blocked", sizes: []int64{64, 16, 3, 3},
			strides: []int64{4608, 32, 1536, 512}, bytes: 36864, at: []at{{[]int64{33, 5, 1, 1}, 6817}}},
		{tag: "Acdb32a", reason: "the same by the alphabet", sizes: []int64{64, 16, 3, 3},
			strides: []int64{4608, 32, 1536, 512}, bytes: 36864, at: []at{{[]int64{33, 5, 1, 1}, 6817}}},
		{tag: "gIOhw2i8o16i2o", reason: "an alias whose order is g, O, I", sizes: []int64{2, 32, 16, 1, 1},
			strides: []int64{1024, 512, 512, 512, 512}, bytes: 8192, at: []at{{[]int64{1, 0, 0, 0, 0}, 1024}}},
		{tag: "nChw16c", reason: "no batch", sizes: []int64{0, 3, 2, 2}, strides: []int64{64, 64, 32, 16}},
		{tag: "nChw16c", reason: "no channels", sizes: []int64{2, 0, 2, 2}, strides: []int64{64, 64, 32, 16}},
		{tag: "nChw16c", reason: "one element takes a block", sizes: []int64{1, 1, 1, 1},
			strides: []int64{16, 16, 16, 16}, bytes: 64, at: []at{{[]int64{0, 0, 0, 0}, 0}}},
		{tag: "Ab3a", reason: "not in the enumeration", sizes: []int64{7, 5}, strides: []int64{15, 3}, bytes: 180,
			at: []at{{[]int64{4, 2}, 22}}},
		{tag: "AB2a3b", reason: "not in the enumeration", sizes: []int64{5, 7}, strides: []int64{18, 6}, bytes: 216,
			at: []at{{[]int64{3, 5}, 29}}},
		{tag: "aBcd1b", reason: "a block of 1 is none", sizes: []int64{2, 3, 4, 5}, strides: []int64{60, 20, 5, 1},
			bytes: 480},
		{tag: "ab4b", reason: "case does not matter", sizes: []int64{2, 8}, strides: []int64{8, 4}, bytes: 64,
			at: []at{{[]int64{1, 5}, 13}}},
		{tag: "ldgoi", reason: "a recurrent network's, sizes in the order l, d, i, g, o", sizes: []int64{1, 1, 2, 3, 4},
			strides: []int64{24, 24, 1, 8, 2}, bytes: 96, at: []at{{[]int64{0, 0, 1, 2, 3}, 23}}},
		{tag: "x", reason: "one axis", sizes: []int64{5}, strides: []int64{1}, bytes: 20},
	}
	for _, tt := range tests {
		sizes := layout.JoinInts(tt.sizes, "x")
		for notation, text := range map[string]string{
			"onednn": "dnnl::memory::desc({" + layout.JoinInts(tt.sizes, ", ") +
				"}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::" + tt.tag + ")",
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
			if got, err := figures(n, tensor); err != nil || got[0].Bytes != tt.bytes {
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
		if err != nil || !n.claims(text) {
			t.Fatalf("%s: %q, fits %v, %v", notation, text, n.claims(text), err)
		}
		back := dnnlRead(t, notation, text)
		if !slices.Equal(offsetsOf(back.Layout()), offsetsOf(tensor.Layout())) || back.DType() != tensor.DType() ||
			!slices.Equal(back.Layout().Sizes(), tensor.Layout().Sizes()) {
			t.Errorf("%s: %q is not what it was written for", notation, text)
		}
	}
}

// TestOneDNNStrides has oneDNN 2.6.3's results for strides: the size in bytes, or nothing.
func TestOneDNNStrides(t *testing.T) {
	tests := []struct {
		sizes, strides []int64
		bytes          int64 // -1 if oneDNN rejects it
		reason         string
	}{
		{sizes: []int64{4, 3}, strides: []int64{8, 1}, bytes: 128, reason: "the gap after the last row counts"},
		{sizes: []int64{5}, strides: []int64{2}, bytes: 40, reason: "so does the one after the last element"},
		{sizes: []int64{1, 3}, strides: []int64{100, 1}, bytes: 12, reason: "the stride of one element does not"},
		{sizes: []int64{2, 3}, strides: []int64{0, 1}, bytes: 12, reason: "broadcast"},
		{sizes: []int64{2, 3}, strides: []int64{0, 0}, reason: "all broadcast"},
		{sizes: []int64{2, 3}, strides: []int64{0, 2}, bytes: 24, reason: "broadcast, with gaps"},
		{sizes: []int64{1, 3}, strides: []int64{1, 1}, bytes: 12, reason: "the stride of one element may be any"},
		{sizes: []int64{1, 3}, strides: []int64{0, 1}, bytes: 12, reason: "and 0"},
		{sizes: []int64{1, 3}, strides: []int64{-5, 1}, bytes: 12, reason: "and negative"},
		{sizes: []int64{3, 1, 2}, strides: []int64{2, -1, 1}, bytes: 24, reason: "and negative between others"},
		{sizes: []int64{3, 1}, strides: []int64{1, 2}, bytes: 12, reason: "and between the others"},
		{sizes: []int64{1, 2, 3}, strides: []int64{2, 3, 1}, bytes: 24, reason: "and between the others"},
		{sizes: []int64{2, 1, 3, 1}, strides: []int64{3, 7, 1, 5}, bytes: 24, reason: "and beyond them"},
		{sizes: []int64{1, 1}, strides: []int64{0, 0}, bytes: 4, reason: "one element"},
		{sizes: []int64{1, 1}, strides: []int64{7, 5}, bytes: 4, reason: "one element"},
		{sizes: []int64{2, 2, 3}, strides: []int64{3, 0, 1}, bytes: 24, reason: "broadcast in between"},
		{sizes: []int64{0, 3}, strides: []int64{1, 5}, reason: "no elements: any strides"},
		{sizes: []int64{0, 3}, strides: []int64{-1, 5}, reason: "no elements: even negative ones"},
		{sizes: []int64{2, 3}, strides: []int64{2, 1}, bytes: -1, reason: "rows reach into each other"},
		{sizes: []int64{2, 3}, strides: []int64{3, 2}, bytes: -1, reason: "rows lie between each other's elements"},
		{sizes: []int64{2, 3}, strides: []int64{-3, 1}, bytes: -1, reason: "negative"},
	}
	for _, tt := range tests {
		text := fmt.Sprintf("memory::desc({%s}, memory::data_type::f32, {%s})", layout.JoinInts(tt.sizes, ", "),
			layout.JoinInts(tt.strides, ", "))
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
		got, err := figures(n, found[0].Tensor)
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
		if got, err := figures(n, tensor); err != nil || got[0].Bytes != tt.bytes || got[0].Figure != "get_size" {
			t.Errorf("%s: %v, %v, want %d: %s", tt.dtype, got, err, tt.bytes, tt.reason)
		}
	}
}

func TestOneDNNConstructors(t *testing.T) {
	tests := []struct{ text, names, reason string }{
		{"dnnl::memory::desc d({1, 3, 4, 5}, dt::f32, tag::nhwc);", "d", "a variable"},
		{"memory::desc d{{1, 3, 4, 5}, dt::f32, tag::nhwc};", "d", "in curly brackets"},
		{"auto d = dnnl::memory::desc(memory::dims{1, 3, 4, 5}, memory::data_type::f32, memory::format_tag::nhwc);",
			"d", "assigned"},
		{"memory::desc({1, 3, 4, 5}, dnnl_f32, dnnl_nhwc)", "", "the enumerators of C"},
		{"auto a = memory::desc({1, 3, 4, 5}, dt::f32, tag::nhwc);\nmemory::desc b({1, 3, 4, 5}, dt::f32, " +
			"memory::dims({60, 1, 15, 3}));", "a b", "two of them"},
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
		{notation: "onednn", text: "memory::desc({}, dt::f32, tag::a)", offset: 13, says: "empty"},
		{notation: "onednn", text: "memory::desc({1,1,1,1,1,1,1,1,1,1,1,1,1}, dt::f32, tag::a)", offset: 13,
			says: "at most 12"},
		{notation: "onednn", text: "memory::desc({2, 3}, dt::f32, tag::any)", offset: 35, says: "not a layout"},
		{notation: "onednn", text: "memory::desc({2, 3}, dt::f32, tag::abc)", offset: 35, says: "3 axes"},
		{notation: "onednn", text: "memory::desc({2, 3}, dt::q32, tag::ab)", offset: 25, says: "unknown element type"},
		{notation: "onednn", text: "memory::desc({2, 3}, dt::f32, {3, 1, 1})", offset: 30,
			says: "2 sizes but 3 strides"},
		{notation: "onednn", text: "memory::desc({2, 3}, dt::f32)", says: "sizes, an element type"},
		{notation: "onednn", text: "memory::desc({2, N}, dt::f32, tag::ab)", offset: 17, says: "not a number"},
		{notation: "onednn", text: "memory::desc({2, -3}, dt::f32, tag::ab)", offset: 13, says: "negative"},
		{notation: "onednn", text: "memory::desc({2, 3, 4}, dt::f32, tag::abx)", offset: 40,
			says: "not those of a format tag"},
		{notation: "onednn-tag", text: "--tag=acd 2x3x4", offset: 6, says: "b is missing"},
		{notation: "onednn-tag", text: "--tag=aB0b 2x3", offset: 8, says: "at least one element"},
		{notation: "onednn-tag", text: "--tag=ab4c 2x3", offset: 9, says: "not an axis"},
		{notation: "onednn-tag", text: "--tag=aBc16 2x3x4", offset: 11, says: "does not name the axis"},
		{notation: "onednn-tag", text: "--tag=abb 2x3", offset: 8, says: "twice"},
		{notation: "onednn-tag", text: "--tag=aBcd4bc 2x3x4x5", offset: 12, says: "every letter needs a number"},
		{notation: "onednn-tag", text: "--tag=4ab 2x3", offset: 6, says: "not a layout name"},
		{notation: "onednn-tag", text: "--tag=aB99999999999999999999b 2x3", offset: 8, says: "64 bits"},
		{notation: "onednn-tag", text: "--tag=hwc 2x3x4", offset: 7, says: "not those of a format tag"},
		{notation: "onednn-tag", text: "--tag=ab,ba 2x3", offset: 8, says: "several values"},
		{notation: "onednn-tag", text: "--tag=ab", offset: 8, says: "sizes are missing"},
		{notation: "onednn-tag", text: "--tag=ab --strides=3x1 2x3", offset: 6, says: "exclude"},
		{notation: "onednn-tag", text: "--strides=2x1 2x3", offset: 10, says: "refuses"},
		{notation: "onednn-tag", text: "--strides=3xx 2x3", offset: 12, says: "number"},
		{notation: "onednn-tag", text: "--tag=any 2x3", says: "no tensor here has a layout"},
	}
	for _, tt := range tests {
		n, _ := Find(tt.notation)
		_, err := n.Read(tt.text, Options{})
		var syntax *layout.SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset != tt.offset || !strings.Contains(syntax.Msg, tt.says) ||
			syntax.Input != tt.text {
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
		{layout: digits(0), dtype: "f32", says: "scalar", tags: true, elsewhere: true},
		{layout: digits(3, plain), dtype: "f32", says: "3", tags: true, elsewhere: true},
		{layout: digits(0, slices.Repeat([]layout.Axis{plain}, 13)...), dtype: "f32", says: "at most 12", tags: true,
			elsewhere: true},
		{layout: digits(0, plain), dtype: "int16", says: "no type", tags: true, elsewhere: true},
		{layout: digits(0, gaps), dtype: "f32", says: "one piece", tags: true, elsewhere: true},
		{layout: digits(0, layout.NewAxis("", 2, layout.Digit{Extent: 2, Stride: 3})), dtype: "f32", says: "no strides",
			tags: true},
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
			if want := tt.elsewhere || notation == "onednn-tag"; (err != nil) != want ||
				want && !strings.Contains(err.Error(), tt.says) {
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
		{tag: "abx", sizes: []int64{2, 3, 4, 5}, strides: []int64{60, 20, 5, 1}, reason: "x is cd"},
		{tag: "abx", sizes: []int64{2, 3}, strides: []int64{3, 1}, reason: "x is nothing"},
		{tag: "abx", sizes: []int64{2}, strides: []int64{1}, reason: "and b is none"},
		{tag: "axb", sizes: []int64{2, 3, 4, 5}, strides: []int64{60, 1, 15, 3}, reason: "acdb"},
		{tag: "axb", sizes: []int64{2, 3, 4}, strides: []int64{12, 1, 3}, reason: "acb"},
		{tag: "xba", sizes: []int64{2, 3, 4, 5}, strides: []int64{1, 2, 30, 6}, reason: "cdba"},
		{tag: "aBx16b", sizes: []int64{1, 3, 2, 2}, strides: []int64{64, 64, 32, 16}, reason: "aBcd16b"},
		{tag: "ABx16a16b", sizes: []int64{17, 33, 2, 2}, strides: []int64{3072, 1024, 512, 256}, reason: "ABcd16a16b"},
		{tag: "abxc", sizes: []int64{2, 3, 4, 5, 6}, strides: []int64{360, 120, 1, 24, 4}, reason: "groups: abdec"},
	}
	for _, tt := range tests {
		text := "--tag=" + tt.tag + " " + layout.JoinInts(tt.sizes, "x")
		if got := outerStrides(dnnlRead(t, "onednn-tag", text).Layout()); !slices.Equal(got, tt.strides) {
			t.Errorf("%s: strides %v, want %v: %s", text, got, tt.strides, tt.reason)
		}
	}
}

// TestOneDNNFits has strings of others.
func TestOneDNNFits(t *testing.T) {
	for _, text := range []string{
		"1x3x224x224", "NCHW16c", "nc4hw4", "acdb", "1x3x224x224 NHWC", "torch.empty_strided((2, 3), (5, 1))",
		"f32[2, 3][5, 1]cpu",
		"f32[2,3]{1,0:T(8,128)}", "memref<2x3xf32, strided<[5, 1]>>", "(4,(2,2)):(2,(1,8))", "ne = {2, 3}, nb = {4, 8}",
		"ids", "x",
		"mb", "mbar", "g2", "tensor<2x3xf32>", "std::mdspan", "{\"shape\": [2, 3]}", "4:1", "8",
	} {
		for _, n := range []string{"onednn", "onednn-tag", "onednn-verbose"} {
			if n, _ := Find(n); n.claims(text) {
				t.Errorf("%s claims %q", n.Name, text)
			}
		}
	}
}

func BenchmarkOneDNN(b *testing.B) {
	for _, tt := range []struct{ notation, text string }{
		{"onednn", "dnnl::memory::desc({1, 3, 224, 224}, dnnl::memory::data_type::f32, {150528, 1, 672, 3})"},
		{"onednn",
			"dnnl::memory::desc({1, 3, 224, 224}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::nhwc)"},
		{"onednn",
			"dnnl::memory::desc({1, 3, 224, 224}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::nChw16c)"},
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
