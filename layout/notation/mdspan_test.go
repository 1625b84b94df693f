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
		{"std::layout_right::mapping<std::extents<int, 2, 3, 4>>()", "2,3,4 @ 12,4,1", 24, "row-major"},
		{"std::layout_left::mapping<std::extents<int, 2, 3, 4>>()", "2,3,4 @ 1,2,6", 24, "column-major"},
		{"std::layout_stride::mapping<std::extents<int, 2, 3>>({}, std::array<int, 2>{4, 1})", "2,3 @ 4,1", 7, "padded rows"},
		{"std::layout_stride::mapping<std::extents<int, 2, 3>>({}, std::array{1, 2})", "2,3 @ 1,2", 6, "column-major"},
		{"std::layout_stride::mapping<std::extents<int, 1, 3>>({}, std::array{100, 1})", "1,3 @ 100,1", 3, "one row"},
		{"std::layout_stride::mapping<std::extents<int, 0, 3>>({}, std::array{3, 1})", "0,3 @ 3,1", 0, "empty"},
		{"std::layout_stride::mapping<std::extents<int, 0, 3>>({}, std::array{1, 7})", "0,3 @ 1,7", 0, "empty"},
		{"std::layout_stride::mapping<std::extents<int, 5>>({}, std::array{2})", "5 @ 2", 9, "every second"},
		{"std::layout_left_padded<4>::mapping<std::extents<int, 2, 3>>()", "2,3 @ 1,4", 10, "2 rounded up to 4"},
		{"std::layout_left_padded<4>::mapping<std::extents<int, 5, 3>>()", "5,3 @ 1,8", 21, "5 rounded up to 8"},
		{"std::layout_left_padded<4>::mapping<std::extents<int, 4, 3>>()", "4,3 @ 1,4", 12, "4 is a multiple"},
		{"std::layout_right_padded<4>::mapping<std::extents<int, 2, 3>>()", "2,3 @ 4,1", 7, "3 rounded up to 4"},
		{"std::layout_right_padded<4>::mapping<std::extents<int, 2, 3, 5>>()", "2,3,5 @ 24,8,1", 45, "5 rounded up to 8"},
		{"std::layout_left_padded<4>::mapping<std::extents<int, 5, 3, 2>>()", "5,3,2 @ 1,8,24", 45, "the same from the left"},
		{"std::layout_right_padded<std::dynamic_extent>::mapping<std::extents<int, 2, 3>>({}, 7)", "2,3 @ 7,1", 10, "a padding of run time"},
		{"std::layout_right_padded<0>::mapping<std::extents<int, 2, 3>>()", "2,3 @ 3,1", 6, "the least multiple of 0 is the size itself"},
		{"std::layout_left_padded<4>::mapping<std::extents<int, 5>>()", "5 @ 1", 5, "rank 1: as layout_left"},
		{"std::layout_right::mapping<std::extents<int>>()", " @ ", 1, "rank 0"},
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
		{"std::layout_right::mapping<std::dextents<int, 2>>(std::dextents<int, 2>(2, 3))", "2,3 @ 3,1", "extents of run time"},
		{"std::layout_stride::mapping<std::dextents<int, 2>>({2, 3}, std::array<int, 2>{5, 1})", "2,3 @ 5,1", "the same in braces"},
		{"std::layout_stride::mapping(std::extents<int, 2, 3>(), std::array<int, 2>{5, 1})", "2,3 @ 5,1", "deduced arguments"},
		{"std::layout_right::mapping<std::extents<int, std::dynamic_extent, 3>>(std::extents<int, std::dynamic_extent, 3>(2))", "2,3 @ 3,1", "only the dynamic extents"},
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
		{"std::layout_middle::mapping<std::extents<int, 2, 3>>()", "std::layout_middle", "layout_right", "no such policy"},
		{"std::layout_stride::mapping<std::extents<int, 2, 3>>()", "std::layout_stride", "strides", "no strides"},
		{"std::layout_right::mapping()", "std::layout_right", "extents", "no extents"},
		{"std::layout_right::mapping<std::dextents<int, 2>>()", "std::dextents", "extents", "extents of run time that are not said"},
		{"std::extents<int, std::dynamic_extent, 3>()", "std::extents", "dynamic", "an extent that is not said"},
		{"std::extents<int, std::dynamic_extent, 3>(2, 3, 4)", "std::extents", "dynamic", "too many extents"},
		{"std::layout_left_padded<std::dynamic_extent>::mapping<std::extents<int, 2, 3>>()", "std::layout_left_padded", "padding", "a padding that is not said"},
		{"std::layout_left_padded::mapping<std::extents<int, 2, 3>>()", "std::layout_left_padded", "padding", "no padding"},
		{"std::extents<int, 2, 3>, {5}", "std::extents", "2 sizes and 1 strides", "one stride for each extent"},
		{"std::extents<int, 2, n>, {5, 1}", "n>", "not a number", "an extent by name"},
		{"std::layout_right::mapping<std::extents<int, 2, 3>", "", "expected", "not closed"},
		{"std::layout_right::mapping<std::extents<int, 2, 3>>(), {5, 1}", "{5, 1}", "unexpected text", "strides behind a mapping"},
	})
}

func TestMdspanWrites(t *testing.T) {
	tests := []struct {
		sizes, strides []int64
		want, reason   string
	}{
		{[]int64{2, 3, 4}, []int64{12, 4, 1}, "std::layout_right::mapping<std::extents<std::int64_t, 2, 3, 4>>()", "row-major"},
		{[]int64{2, 3, 4}, []int64{1, 2, 6}, "std::layout_left::mapping<std::extents<std::int64_t, 2, 3, 4>>()", "column-major"},
		{[]int64{2, 3}, []int64{4, 1}, "std::layout_stride::mapping<std::extents<std::int64_t, 2, 3>>({}, std::array<std::int64_t, 2>{4, 1})", "padded"},
		{nil, nil, "std::layout_right::mapping<std::extents<std::int64_t>>()", "rank 0"},
	}
	for _, tt := range tests {
		if got, err := notationOf(t, "mdspan").Write(plainTensor(t, "float32", 0, tt.sizes, tt.strides)); got != tt.want || err != nil {
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
