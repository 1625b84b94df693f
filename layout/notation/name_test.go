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
		{"2x3x4x5 nchw", "2,3,4,5 @ 60,20,5,1", []int64{1, 2, 3, 4}, 119, "row-major"},
		{"2x3x4x5 nchw", "2,3,4,5 @ 60,20,5,1", []int64{1, 0, 0, 0}, 60, "one image on"},
		{"2x3x4x5 nhwc", "2,3,4,5 @ 60,1,15,3", []int64{1, 2, 3, 4}, 119, "channels innermost, sizes as N,C,H,W"},
		{"2x3x4x5 NHWC", "2,3,4,5 @ 60,1,15,3", []int64{0, 1, 0, 0}, 1, "one channel on"},
		{"2,3,4,5 chwn", "2,3,4,5 @ 1,40,10,2", []int64{1, 2, 3, 4}, 119, "images innermost"},
		{"(2, 3, 4, 5, 6) ndhwc", "2,3,4,5,6 @ 360,1,90,18,3", []int64{1, 2, 3, 4, 5}, 719, "five axes"},
		{"[8, 4, 3, 2] hwio", "8,4,3,2 @ 1,8,64,32", []int64{7, 3, 2, 1}, 191, "weights stay O,I,H,W"},
		{"8x4x3x2 hwio", "8,4,3,2 @ 1,8,64,32", []int64{1, 2, 0, 1}, 49, "hwio is cdba"},
		{"7x2x5 ntc", "7,2,5 @ 5,35,1", []int64{6, 1, 4}, 69, "time is the first axis"},
		{"1x1x1x1 nhwc", "1,1,1,1 @ 1,1,1,1", []int64{0, 0, 0, 0}, 0, "one element"},
		{"2x3x4x5 acdb", "2,3,4,5 @ 60,1,15,3", []int64{1, 2, 3, 4}, 119, "nhwc by the alphabet"},
		{"2x3x4x5 channels_last", "2,3,4,5 @ 60,1,15,3", []int64{1, 2, 3, 4}, 119, "PyTorch's name of it"},
		{"N=2,H=4,W=5,C=3 NHWC", "2,3,4,5 @ 60,1,15,3", []int64{1, 2, 3, 4}, 119, "labelled sizes in any order"},
		{"C=3,H=2 HC", "3,2 @ 1,3", []int64{2, 1}, 5, "labelled, without a batch"},
		{"2x3 row-major", "2,3 @ 3,1", []int64{1, 2}, 5, "a word"},
		{"2x3 column-major", "2,3 @ 1,2", []int64{1, 2}, 5, "a word"},
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
		{"1x3x2x2 nChw16c", []int64{0, 2, 1, 1}, 50, 256, "one block, mostly padding"},
		{"1x3x2x2 aBcd16b", []int64{0, 0, 0, 1}, 16, 256, "by the alphabet"},
		{"2x17x4x5 nChw16c", []int64{1, 16, 3, 4}, 1264, 5120, "17 channels take two blocks"},
		{"2x17x3x3 nChw8c", []int64{1, 16, 2, 2}, 424, 1728, "blocks of 8"},
		{"32x16x3x3 OIhw4i16o4i", []int64{17, 5, 1, 2}, 3653, 18432, "4 x 16 x 4"},
		{"32x16x3x3 OIhw4i16o4i", []int64{0, 4, 0, 0}, 64, 18432, "the outer of two digits of I"},
		{"20x3x1x1 OIhw4i16o4i", []int64{19, 2, 0, 0}, 270, 2048, "both axes are padded"},
		{"17x33x2x2 ABcd16a16b", []int64{16, 32, 1, 1}, 5888, 24576, "b innermost"},
		{"17x33x2x2 ABcd16b16a", []int64{0, 1, 0, 0}, 16, 24576, "a innermost"},
		{"16x16x1x1 OIhw8i16o2i", []int64{3, 5, 0, 0}, 71, 1024, "pairs of input channels"},
		{"40x20 BA16a16b4a", []int64{39, 19}, 1615, 8192, "64 x 32"},
		{"2x8x8x1x1 gOIhw8i8o", []int64{1, 2, 3, 0, 0}, 90, 512, "groups"},
		{"64x16x3x3 Acdb32a", []int64{33, 5, 1, 1}, 6817, 36864, "OhwI32o: I has no blocks"},
		{"7x5 Ab3a", []int64{4, 2}, 22, 180, "blocks that are no power of 2"},
		{"5x7 AB2a3b", []int64{3, 5}, 29, 216, "two blocks"},
	}
	for _, tt := range tests {
		d, err := single(t, "name", tt.text, Options{})
		if err != nil {
			t.Errorf("%s: %v; %s", tt.text, err, tt.reason)
			continue
		}
		got, err := d.Tensor.Layout().Offset(tt.index)
		if bytes := d.Tensor.Bytes(d.Tensor.Storage()); got != tt.offset || bytes != tt.bytes || err != nil {
			t.Errorf("%s at %v is %d of %d bytes, %v, want %d of %d; %s", tt.text, tt.index, got, bytes, err, tt.offset, tt.bytes, tt.reason)
		}
		checkRoundTrip(t, notationOf(t, "name"), d.Tensor)
	}
}

// TestNameWrites: sizes have their letters where the name alone would give them others.
func TestNameWrites(t *testing.T) {
	named, err := layout.New(0, layout.NewAxis("H", 2, layout.Digit{Extent: 2, Stride: 3}), layout.NewAxis("C", 3, layout.Digit{Extent: 3, Stride: 1}))
	if err != nil {
		t.Fatal(err)
	}
	words, err := layout.New(0, layout.NewAxis("rows", 2, layout.Digit{Extent: 2, Stride: 3}), layout.NewAxis("columns", 3, layout.Digit{Extent: 3, Stride: 1}))
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
		{"1x3x4 NHWC", "NHWC", "4 letters", "three sizes"},
		{"1x3x4x5 NHWCC", "C", "stands twice", "a letter twice"},
		{"1x3x4x5 chanels_last", "_last", "did you mean channels_last", "a slip"},
		{"1x3xx4 NHWC", "x4", "", "two separators"},
		{"1x-3x4x5 NHWC", "-3", "", "a negative size"},
		{"N=1,C=3,H=4 NHWC", "NHWC", "3 sizes", "a label is missing"},
		{"1x3x4x5 NCHW16", "", "NCHW16c", "a block of nothing"},
		{"NHWC", "NHWC", "no size", "no sizes"},
	})
}
