package notation

import (
	"testing"

	"layoutcalc/layout"
)

// TestMdspanMappings has mappings with the strides and the required_span_size that the draft
// gives them.
func TestMdspanMappings(t *testing.T) {
	tests := []struct {
		text, want string
		span       int64
		reason     string
	}{
		{text: "std::layout_right::mapping<std::extents<int, 2, 3, 4>>()", want: "2,3,4 @ 12,4,1", span: 24,
			reason: "row-major"},
		{text: "std::layout_left::mapping<std::extents<int, 2, 3, 4>>()", want: "2,3,4 @ 1,2,6", span: 24,
			reason: "column-major"},
		{text: "std::layout_stride::mapping<std::extents<int, 2, 3>>({}, std::array<int, 2>{4, 1})", want: "2,3 @ 4,1",
			span: 7, reason: "padded rows"},
		{text: "std::layout_stride::mapping<std::extents<int, 2, 3>>({}, std::array{1, 2})", want: "2,3 @ 1,2", span: 6,
			reason: "column-major"},
		{text: "std::layout_stride::mapping<std::extents<int, 1, 3>>({}, std::array{100, 1})", want: "1,3 @ 100,1",
			span: 3, reason: "one row"},
		{text: "std::layout_stride::mapping<std::extents<int, 0, 3>>({}, std::array{3, 1})", want: "0,3 @ 3,1",
			reason: "empty"},
		{text: "std::layout_stride::mapping<std::extents<int, 0, 3>>({}, std::array{1, 7})", want: "0,3 @ 1,7",
			reason: "empty"},
		{text: "std::layout_stride::mapping<std::extents<int, 5>>({}, std::array{2})", want: "5 @ 2", span: 9,
			reason: "every second"},
		{text: "std::layout_left_padded<4>::mapping<std::extents<int, 2, 3>>()", want: "2,3 @ 1,4", span: 10,
			reason: "2 rounded up to 4"},
		{text: "std::layout_left_padded<4>::mapping<std::extents<int, 5, 3>>()", want: "5,3 @ 1,8", span: 21,
			reason: "5 rounded up to 8"},
		{text: "std::layout_left_padded<4>::mapping<std::extents<int, 4, 3>>()", want: "4,3 @ 1,4", span: 12,
			reason: "4 is a multiple"},
		{text: "std::layout_right_padded<4>::mapping<std::extents<int, 2, 3>>()", want: "2,3 @ 4,1", span: 7,
			reason: "3 rounded up to 4"},
		{text: "std::layout_right_padded<4>::mapping<std::extents<int, 2, 3, 5>>()", want: "2,3,5 @ 24,8,1", span: 45,
			reason: "5 rounded up to 8"},
		{text: "std::layout_left_padded<4>::mapping<std::extents<int, 5, 3, 2>>()", want: "5,3,2 @ 1,8,24", span: 45,
			reason: "the same from the left"},
		{text: "std::layout_right_padded<std::dynamic_extent>::mapping<std::extents<int, 2, 3>>({}, 7)",
			want: "2,3 @ 7,1", span: 10, reason: "a padding of run time"},
		{text: "std::layout_right_padded<0>::mapping<std::extents<int, 2, 3>>()", want: "2,3 @ 3,1", span: 6,
			reason: "the least multiple of 0 is the size itself"},
		{text: "std::layout_left_padded<4>::mapping<std::extents<int, 5>>()", want: "5 @ 1", span: 5,
			reason: "rank 1: as layout_left"},
		{text: "std::mdspan<float, std::extents<int, 3, 5>, std::layout_right_padded<4>>(p)", want: "float32 3,5 @ 8,1",
			span: 21, reason: "the padding is in the type: 5 rounded up to 8"},
		{text: "std::mdspan<float, std::dextents<int, 2>, std::layout_left_padded<4>> m(p, 3, 5);",
			want: "float32 3,5 @ 1,4", span: 19, reason: "3 rounded up to 4"},
		{text: "std::layout_right::mapping<std::extents<int>>()", want: " @ ", span: 1, reason: "rank 0"},
	}
	for _, tt := range tests {
		checkReadings(t, "mdspan", []reading{{tt.text, tt.want, tt.reason}})
		d, err := single(t, "mdspan", tt.text, Options{})
		if err != nil {
			continue
		}
		if got := figureOf(t, notationOf(t, "mdspan"), d.Tensor, "required_span_size"); got.Elements != tt.span {
			t.Errorf("%s: required_span_size %d, want %d; %s", tt.text, got.Elements, tt.span, tt.reason)
		}
	}
}

func TestMdspanReadings(t *testing.T) {
	checkReadings(t, "mdspan", []reading{
		{"layout_right::mapping<extents<int, 2, 3>>{}", "2,3 @ 3,1", "using namespace std; braces"},
		{"std::layout_right::mapping<std::dextents<int, 2>>(std::dextents<int, 2>(2, 3))", "2,3 @ 3,1",
			"extents of run time"},
		{"std::layout_stride::mapping<std::dextents<int, 2>>({2, 3}, std::array<int, 2>{5, 1})", "2,3 @ 5,1",
			"the same in braces"},
		{"std::layout_stride::mapping(std::extents<int, 2, 3>(), std::array<int, 2>{5, 1})", "2,3 @ 5,1",
			"deduced arguments"},
		{"std::layout_right::mapping<std::extents<int, std::dynamic_extent, 3>>(std::extents<int, " +
			"std::dynamic_extent, 3>(2))", "2,3 @ 3,1", "only the dynamic extents"},
		{"std::extents<int, 2, 3>, {5, 1}", "2,3 @ 5,1", "extents and strides"},
		{"std::extents<std::size_t, 2, std::dynamic_extent>{3}, {5, 1}", "2,3 @ 5,1", "one extent of run time"},
		{"std::extents<int, std::dynamic_extent, 3>(2, 3)", "2,3 @ 3,1", "all extents"},
		{"std::dextents<int, 2>(2, 3)", "2,3 @ 3,1", "row-major without strides"},
		{"extents={2, 3}, strides={1, 2}", "2,3 @ 1,2", "fields"},
		{"{2, 3}, {5, 1}", "2,3 @ 5,1", "a pair"},
	})
}

func TestMdspanRefusals(t *testing.T) {
	checkRefusals(t, "mdspan", []wrong{
		{text: "std::layout_middle::mapping<std::extents<int, 2, 3>>()", at: "std::layout_middle", says: "layout_right",
			reason: "no such policy"},
		{text: "std::layout_stride::mapping<std::extents<int, 2, 3>>()", at: "std::layout_stride", says: "strides",
			reason: "no strides"},
		{text: "std::extents<2, 3, 4>", at: "2, 3", says: "std::extents<int, 2>", reason: "no type of an index"},
		{text: "layout_left::mapping<std::extents<2,3>>", at: "2,3", says: "type of an index", reason: "none either"},
		{text: "mdspan<float, std::extents<2, 3>>", at: "2, 3", says: "type of an index", reason: "none either"},
		{text: "std::extents<std::dynamic_extent, 3>(2)", at: "std::dynamic", says: "type of an index",
			reason: "an extent in its place"},
		{text: "std::dextents<2, 3>(2, 3, 4)", at: "2, 3", says: "type of an index", reason: "none either"},
		{text: "std::layout_right::mapping()", at: "std::layout_right", says: "extents", reason: "no extents"},
		{text: "std::layout_right::mapping<std::dextents<int, 2>>()", at: "std::dextents", says: "extents",
			reason: "extents of run time that are not said"},
		{text: "std::extents<int, std::dynamic_extent, 3>()", at: "std::extents", says: "dynamic",
			reason: "an extent that is not said"},
		{text: "std::extents<int, std::dynamic_extent, 3>(2, 3, 4)", at: "std::extents", says: "dynamic",
			reason: "too many extents"},
		{text: "std::layout_left_padded<std::dynamic_extent>::mapping<std::extents<int, 2, 3>>()",
			at: "std::layout_left_padded", says: "padding", reason: "a padding that is not said"},
		{text: "std::mdspan<float, std::extents<int, 2, 3>, std::layout_left_padded<std::dynamic_extent>>(p)",
			at: "std::layout_left_padded", says: "padding", reason: "a padding of run time without a mapping"},
		{text: "std::layout_left_padded::mapping<std::extents<int, 2, 3>>()", at: "std::layout_left_padded",
			says: "padding", reason: "no padding"},
		{text: "std::extents<int, 2, 3>, {5}", at: "std::extents", says: "2 sizes but 1 stride",
			reason: "one stride for each extent"},
		{text: "std::extents<int, 2, n>, {5, 1}", at: "n>", says: "not a number", reason: "an extent by name"},
		{text: "std::layout_right::mapping<std::extents<int, 2, 3>", says: "expected", reason: "not closed"},
		{text: "std::layout_right::mapping<std::extents<int, 2, 3>>(), {5, 1}", at: "{5, 1}", says: "unexpected text",
			reason: "strides after a mapping"},
	})
}

func TestMdspanWrites(t *testing.T) {
	tests := []struct {
		sizes, strides []int64
		want, reason   string
	}{
		{sizes: []int64{2, 3, 4}, strides: []int64{12, 4, 1},
			want: "std::layout_right::mapping<std::extents<std::int64_t, 2, 3, 4>>()", reason: "row-major"},
		{sizes: []int64{2, 3, 4}, strides: []int64{1, 2, 6},
			want: "std::layout_left::mapping<std::extents<std::int64_t, 2, 3, 4>>()", reason: "column-major"},
		{sizes: []int64{2, 3}, strides: []int64{4, 1},
			want: "std::layout_stride::mapping<std::extents<std::int64_t, 2, 3>>" +
				"({}, std::array<std::int64_t, 2>{4, 1})", reason: "padded"},
		{want: "std::layout_right::mapping<std::extents<std::int64_t>>()", reason: "rank 0"},
	}
	for _, tt := range tests {
		if got, err := notationOf(t, "mdspan").Write(plainTensor(t, "float32", 0, tt.sizes,
			tt.strides)); got != tt.want || err != nil {
			t.Errorf("%v @ %v is %s, %v, want %s; %s", tt.sizes, tt.strides, got, err, tt.want, tt.reason)
		}
	}
}

// TestMdspanPaddingOverflow: a size near the limit is not rounded up past it.
func TestMdspanPaddingOverflow(t *testing.T) {
	const text = "std::layout_left_padded<4>::mapping<std::extents<std::int64_t, 9223372036854775807, 1>>()"
	_, err := single(t, "mdspan", text, Options{})
	if _, ok := err.(*layout.OverflowError); !ok {
		t.Errorf("%s: %v", text, err)
	}
}

// TestMdspanTypes has the types and constructors of programs, cppreference's among them.
func TestMdspanTypes(t *testing.T) {
	checkReadings(t, "mdspan", []reading{
		{"std::mdspan<float, std::extents<int, 2, 3>>", "float32 2,3 @ 3,1", "a type"},
		{"std::mdspan<double, std::extents<int, 2, 3>, std::layout_left>", "float64 2,3 @ 1,2", "layout_left"},
		{"std::mdspan<int, std::dextents<size_t, 2>> a(p, 4, 5);", "int32 4,5 @ 5,1", "extents of run time"},
		{"std::mdspan<float, std::extents<int, 2, std::dynamic_extent>> m{p, 7};", "float32 2,7 @ 7,1", "one of each"},
		{"auto ms3 = std::mdspan(v.data() + 4, 2, 3, 2);", "2,3,2 @ 6,2,1", "a pointer that is worked out"},
		{"auto ms3 = std::mdspan(v.data(), 2, 3, 2);", "2,3,2 @ 6,2,1", "cppreference"},
		{"cuda::std::mdspan m0{d.data(), cuda::std::layout_left::mapping{cuda::std::extents{16, 32}}};", "16,32 @ 1,16",
			"libcu++'s tests"},
		{"std::mdspan mk{v.data(), std::layout_stride::mapping{std::extents{2, 2}, std::array{2, 4}}};", "2,2 @ 2,4",
			"layout_stride"},
		{"std::mdspan m(p, std::extents{2, 3});", "2,3 @ 3,1", "extents"},
	})
	checkRefusals(t, "mdspan", []wrong{
		{text: "std::mdspan(p, 2, 3).extent(0)", at: ".extent", says: "not answered", reason: "a question"},
		{text: "std::extents<int, 2, 3>, {3, 1}, {5}", at: "{5}", says: "no parameter for", reason: "a third list"},
		{text: "std::mdspan m(p);", at: "std::mdspan", says: "does not say its extents", reason: "a pointer alone"},
		{text: "std::mdspan m(p, n, 3);", at: "n,", says: "--dim n=8", reason: "an extent of run time"},
		{text: "std::mdspan<float, std::extents<int, 2, 3>, std::layout_stride>", at: "std::mdspan",
			says: "needs a mapping", reason: "strides of run time"},
	})
}
