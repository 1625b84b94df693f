package notation

import (
	"testing"

	"layoutcalc/layout"
)

// TestNameVectors has layouts of plain letters that oneDNN 2.6.3 was run on, sizes in the logical
// order of the axes.
func TestNameVectors(t *testing.T) {
	tests := []struct {
		text, want string
		index      []int64
		offset     int64
		reason     string
	}{
		{text: "2x3x4x5 nchw", want: "2,3,4,5 @ 60,20,5,1", index: []int64{1, 2, 3, 4}, offset: 119,
			reason: "row-major"},
		{text: "2x3x4x5 nchw", want: "2,3,4,5 @ 60,20,5,1", index: []int64{1, 0, 0, 0}, offset: 60,
			reason: "one image on"},
		{text: "2x3x4x5 nhwc", want: "2,3,4,5 @ 60,1,15,3", index: []int64{1, 2, 3, 4}, offset: 119,
			reason: "channels innermost, sizes as N,C,H,W"},
		{text: "2x3x4x5 NHWC", want: "2,3,4,5 @ 60,1,15,3", index: []int64{0, 1, 0, 0}, offset: 1,
			reason: "one channel on"},
		{text: "2,3,4,5 chwn", want: "2,3,4,5 @ 1,40,10,2", index: []int64{1, 2, 3, 4}, offset: 119,
			reason: "images innermost"},
		{text: "(2, 3, 4, 5, 6) ndhwc", want: "2,3,4,5,6 @ 360,1,90,18,3", index: []int64{1, 2, 3, 4, 5}, offset: 719,
			reason: "five axes"},
		{text: "[8, 4, 3, 2] hwio", want: "8,4,3,2 @ 1,8,64,32", index: []int64{7, 3, 2, 1}, offset: 191,
			reason: "weights stay O,I,H,W"},
		{text: "8x4x3x2 hwio", want: "8,4,3,2 @ 1,8,64,32", index: []int64{1, 2, 0, 1}, offset: 49,
			reason: "hwio is cdba"},
		{text: "7x2x5 ntc", want: "7,2,5 @ 5,35,1", index: []int64{6, 1, 4}, offset: 69,
			reason: "time is the first axis"},
		{text: "1x1x1x1 nhwc", want: "1,1,1,1 @ 1,1,1,1", index: []int64{0, 0, 0, 0}, reason: "one element"},
		{text: "2x3x4x5 acdb", want: "2,3,4,5 @ 60,1,15,3", index: []int64{1, 2, 3, 4}, offset: 119,
			reason: "nhwc by the alphabet"},
		{text: "2x3x4x5 channels_last", want: "2,3,4,5 @ 60,1,15,3", index: []int64{1, 2, 3, 4}, offset: 119,
			reason: "PyTorch's name of it"},
		{text: "N=2,H=4,W=5,C=3 NHWC", want: "2,3,4,5 @ 60,1,15,3", index: []int64{1, 2, 3, 4}, offset: 119,
			reason: "labelled sizes in any order"},
		{text: "C=3,H=2 HC", want: "3,2 @ 1,3", index: []int64{2, 1}, offset: 5, reason: "labelled, without a batch"},
		{text: "2x3 row-major", want: "2,3 @ 3,1", index: []int64{1, 2}, offset: 5, reason: "a word"},
		{text: "2x3 column-major", want: "2,3 @ 1,2", index: []int64{1, 2}, offset: 5, reason: "a word"},
	}
	for _, tt := range tests {
		checkReadings(t, "name", []reading{{tt.text, tt.want, tt.reason}})
		d, err := single(t, "name", tt.text, Options{})
		if err != nil {
			continue
		}
		if got, err := d.Tensor.Layout().Offset(tt.index); got != tt.offset || err != nil {
			t.Errorf("%s at %v is %d, %v, want %d; %s", tt.text, tt.index, got, err, tt.offset, tt.reason)
		}
	}
}

// TestNameBlocks has oneDNN's blocked tags with the storage of whole blocks.
func TestNameBlocks(t *testing.T) {
	tests := []struct {
		text   string
		index  []int64
		offset int64
		bytes  int64
		reason string
	}{
		{text: "1x3x2x2 nChw16c", index: []int64{0, 2, 1, 1}, offset: 50, bytes: 256,
			reason: "one block, mostly padding"},
		{text: "1x3x2x2 aBcd16b", index: []int64{0, 0, 0, 1}, offset: 16, bytes: 256, reason: "by the alphabet"},
		{text: "2x17x4x5 nChw16c", index: []int64{1, 16, 3, 4}, offset: 1264, bytes: 5120,
			reason: "17 channels take two blocks"},
		{text: "2x17x3x3 nChw8c", index: []int64{1, 16, 2, 2}, offset: 424, bytes: 1728, reason: "blocks of 8"},
		{text: "32x16x3x3 OIhw4i16o4i", index: []int64{17, 5, 1, 2}, offset: 3653, bytes: 18432, reason: "4 x 16 x 4"},
		{text: "32x16x3x3 OIhw4i16o4i", index: []int64{0, 4, 0, 0}, offset: 64, bytes: 18432,
			reason: "the outer of two digits of I"},
		{text: "20x3x1x1 OIhw4i16o4i", index: []int64{19, 2, 0, 0}, offset: 270, bytes: 2048,
			reason: "both axes are padded"},
		{text: "17x33x2x2 ABcd16a16b", index: []int64{16, 32, 1, 1}, offset: 5888, bytes: 24576, reason: "b innermost"},
		{text: "17x33x2x2 ABcd16b16a", index: []int64{0, 1, 0, 0}, offset: 16, bytes: 24576, reason: "a innermost"},
		{text: "16x16x1x1 OIhw8i16o2i", index: []int64{3, 5, 0, 0}, offset: 71, bytes: 1024,
			reason: "pairs of input channels"},
		{text: "40x20 BA16a16b4a", index: []int64{39, 19}, offset: 1615, bytes: 8192, reason: "64 x 32"},
		{text: "2x8x8x1x1 gOIhw8i8o", index: []int64{1, 2, 3, 0, 0}, offset: 90, bytes: 512, reason: "groups"},
		{text: "64x16x3x3 Acdb32a", index: []int64{33, 5, 1, 1}, offset: 6817, bytes: 36864,
			reason: "OhwI32o: I has no blocks"},
		{text: "7x5 Ab3a", index: []int64{4, 2}, offset: 22, bytes: 180, reason: "blocks that are not a power of 2"},
		{text: "5x7 AB2a3b", index: []int64{3, 5}, offset: 29, bytes: 216, reason: "two blocks"},
	}
	for _, tt := range tests {
		d, err := single(t, "name", tt.text, Options{})
		if err != nil {
			t.Errorf("%s: %v; %s", tt.text, err, tt.reason)
			continue
		}
		got, err := d.Tensor.Layout().Offset(tt.index)
		if bytes := d.Tensor.Bytes(d.Tensor.Storage()); got != tt.offset || bytes != tt.bytes || err != nil {
			t.Errorf("%s at %v is %d of %d bytes, %v, want %d of %d; %s", tt.text, tt.index, got, bytes, err, tt.offset,
				tt.bytes, tt.reason)
		}
		checkRoundTrip(t, notationOf(t, "name"), d.Tensor)
	}
}

// TestNameWrites: sizes have their letters where the name alone would give them others.
func TestNameWrites(t *testing.T) {
	named, err := layout.New(0, layout.NewAxis("H", 2, layout.Digit{Extent: 2, Stride: 3}),
		layout.NewAxis("C", 3, layout.Digit{Extent: 3, Stride: 1}))
	if err != nil {
		t.Fatal(err)
	}
	words, err := layout.New(0, layout.NewAxis("rows", 2, layout.Digit{Extent: 2, Stride: 3}),
		layout.NewAxis("columns", 3, layout.Digit{Extent: 3, Stride: 1}))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		tensor       layout.Tensor
		want, reason string
	}{
		{laidOut(t, "1x3x224x224", "NHWC"), "1x3x224x224 NHWC", "the logical order"},
		{laidOut(t, "2x3x4x5", "acdb"), "2x3x4x5 acdb", "oneDNN's letters"},
		{laidOut(t, "1x17x4x5", "nChw16c"), "1x17x4x5 NCHW16c", "blocks that are not full"},
		{ofType(t, "float32", named), "H=2,C=3 HC", "C would come first"},
		{ofType(t, "float32", words), "rows=2,columns=3 row-major", "axes whose names are words"},
		{plainTensor(t, "float32", 0, nil, nil), "[] row-major", "a scalar"},
	}
	for _, tt := range tests {
		if got, err := notationOf(t, "name").Write(tt.tensor); got != tt.want || err != nil {
			t.Errorf("%v is %s, %v, want %s; %s", tt.tensor.Layout(), got, err, tt.want, tt.reason)
		}
		checkRoundTrip(t, notationOf(t, "name"), tt.tensor)
	}
}

func TestNameRefusals(t *testing.T) {
	checkRefusals(t, "name", []wrong{
		{text: "1x3x4 NHWC", at: "NHWC", says: "4 axes", reason: "three sizes"},
		{text: "1x3x4x5 NHWCC", at: "C", says: "the letter C twice", reason: "a letter twice"},
		{text: "1x3x4x5 chanels_last", at: "_last", says: "did you mean channels_last", reason: "a slip"},
		{text: "1x3xx4 NHWC", at: "x4", reason: "two separators"},
		{text: "1x-3x4x5 NHWC", at: "-3", reason: "a negative size"},
		{text: "N=1,C=3,H=4 NHWC", at: "NHWC", says: "3 sizes", reason: "a label is missing"},
		{text: "1x3x4x5 NCHW16", says: "NCHW16c", reason: "a block of nothing"},
		{text: "NHWC", at: "NHWC", says: "no size", reason: "no sizes"},
	})
}

// TestOpenVINO has layouts as its plugin for GPUs prints them: the sizes are those of N, C, H, W in each format.
func TestOpenVINO(t *testing.T) {
	checkReadings(t, "name", []reading{
		{"f16:bfyx:1x3x4x5:nopad", "float16 1,3,4,5 @ 60,20,5,1", "row-major"},
		{"i8:byxf:1x3x4x5:nopad", "int8 1,3,4,5 @ 60,1,15,3", "channels innermost"},
		{"f16:b_fs_yx_fsv16:1x32x4x5:nopad", "float16 1,32,4,5 @ 640, 2:320 16:1,80,16", "blocks of 16"},
	})
	checkRefusals(t, "name", []wrong{
		{text: "f17:bfyx:1x3x4x5:nopad", at: "f17", says: "f17"},
		{text: "f16:bfyy:1x3x4x5:nopad", at: "y:1x3x4x5", says: "Y twice"},
		{text: "f16:bfyx:1x3xn:nopad", at: "n:nopad", says: "not a size"},
		{text: "f16:bfyx:1x3x4:nopad", at: "bfyx", says: "3 sizes"},
	})
}
