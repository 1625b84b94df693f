package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"layoutcalc/layout/descriptor"
)

// TestPitches has expectations of layouts with the meaning of the flags. The strides follow from the flags.
func TestPitches(t *testing.T) {
	for _, tt := range []struct{ right, wrong, want string }{
		{
			"strides: [48, 1, 16, 3], expect: {layout: NHWC, pitch: {H: 16}}",
			"strides: [48, 1, 12, 3], expect: {layout: NHWC, pitch: {H: 16}}",
			"element (0,0,1,0) is 12 after the first, in NHWC with this pitch it is 16: strides [48, 1, 12, 3], NHWC " +
				"with this pitch has strides [64, 1, 16, 3] | strides: [64, 1, 16, 3]",
		},
		{
			"strides: [48, 1, 16, 3], expect: {layout: NHWC, pitch: {H: 32B}}",
			"strides: [48, 1, 16, 3], expect: {layout: NHWC, pitch: {2: 64B}}",
			"element (0,0,1,0) is 16 after the first, in NHWC with this pitch it is 32: strides [48, 1, 16, 3], NHWC " +
				"with this pitch has strides [128, 1, 32, 3] | strides: [128, 1, 32, 3]",
		},
		{
			"strides: [99, 32, 8, 1], expect: {align: {H: 16B}}", "strides: [48, 16, 4, 1], expect: {align: 16B}",
			"element (0,0,1,0) is 4 after the first, in row-major with this align it is 8: strides [48, 16, 4, 1], " +
				"row-major with this align has strides [96, 32, 8, 1] | strides: [96, 32, 8, 1]",
		},
		{
			"layout: NHWC, expect: {align: {H: 4}}", "layout: NHWC, expect: {pad: {H: 0, W: 1}}",
			"element (0,0,1,0) is 12 after the first, in NHWC with this pad it is 13: strides [48, 1, 12, 3], NHWC " +
				"with this pad has strides [52, 1, 13, 3] | strides: [52, 1, 13, 3]",
		},
	} {
		const tensor = "version: 1\ntensors: {a: {dtype: float16, sizes: 1x3x4x4, "
		if found := shelfFindings(t, nil, tensor+tt.right+"}}\n"); found != nil {
			t.Errorf("%s is right: %q", tt.right, found)
		}
		want := []string{"a: expect-layout: " + tt.want}
		if diff := cmp.Diff(want, shelfFindings(t, nil, tensor+tt.wrong+"}}\n")); diff != "" {
			t.Errorf("%s: %s", tt.wrong, diff)
		}
	}
}

// TestSpacing has tensors with gaps in their layouts. The strides are those of NumPy's views into larger arrays:
// as_strided(..., (1, 3, 4, 40), ...) of zeros((1, 4, 128)), and zeros((1, 3, 30, 42))[..., :40].
func TestSpacing(t *testing.T) {
	const (
		image = "dtype: f32, sizes: 1x3x4x40, "
		plane = "dtype: f32, sizes: 1x3x30x40, "
	)
	for _, tt := range []struct{ reason, fields, want string }{
		{"rows of 512 bytes", image + "layout: NHWC, pitch: 512B, expect: {strides: [512, 1, 128, 3]}", ""},
		{"a multiple of 128", image + "layout: NHWC, align: {H: 128}, expect: {strides: [512, 1, 128, 3]}", ""},
		{"8 behind each row", image + "layout: NHWC, pad: {W: 8}, expect: {strides: [512, 1, 128, 3]}", ""},
		{
			"all three",
			image + "align: {H: 64}, pad: {H: 64}, pitch: {N: 1000}, expect: {strides: [1000, 320, 64, 1]}", "",
		},
		{"row-major", plane + "pad: {W: 2}, expect: {strides: [3780, 1260, 42, 1]}", ""},
		{"row-major with letters", "dtype: f32, sizes: 'A=30,B=40', pad: {B: 2}, expect: {strides: [42, 1]}", ""},
		{"the last row needs no padding", "dtype: f32, sizes: 32x40, pad: 2, expect: {bytes: {max: 5368}}", ""},
		{
			"the last row needs no padding: (31 x 42 + 40) x 4",
			"dtype: f32, sizes: 32x40, pad: 2, expect: {bytes: {max: 5367}}",
			"3 {max: expect-bytes: 5368 bytes are needed, at most 5367 are expected",
		},
		{"blocks", "dtype: f32, sizes: 1x32x4x5, layout: NCHW16c, pad: {H: 16}, expect: {pad: {H: 16}}", ""},
		{
			"blocks without the gaps", "dtype: f32, sizes: 1x32x4x5, layout: NCHW16c, expect: {pad: {W: 16}}",
			"3 {W: expect-layout: element (0,0,1,0) is 80 after the first, in NCHW16c with this pad it is 96: " +
				"blocks, NCHW16c with this pad has blocks",
		},
		{
			"packed is expected", plane + "pad: {W: 2}, expect: {packed: true}",
			"3 true: expect-packed: 178 of the 3778 offsets from 0 to 3777 belong to no element | remove pitch, " +
				"align and pad",
		},
		{
			"another layout is expected", plane + "pad: {W: 2}, expect: {layout: NCHW}",
			"3 NCHW: expect-layout: element (0,0,1,0) is 42 after the first, in NCHW it is 40: strides [3780, 1260, " +
				"42, 1], NCHW has strides [3600, 1200, 40, 1] | layout: NCHW, without pitch, align and pad",
		},
		{
			"less than a row", plane + "pitch: {H: 39}",
			"3 {dtype: overlap-input: (0,0,0,39) and (0,0,1,0) are both at element 39 (byte 156); 3600 elements on " +
				"3513 addresses | stride 2382 in dimension 2 is enough",
		},
		{
			"no such axis", plane + "pad: {Q: 2}",
			"3 {Q: config-value: pad: unknown axis Q | the axes are N,C,H,W",
		},
		{
			"no whole elements", plane + "pitch: {H: 513B}",
			"3 {H: config-value: 513B is not a whole number of elements of float32: 512B is 128 elements, " +
				"516B is 129 | such as 516B",
		},
		{
			"a layout that is wrong itself", plane + "layout: NHWCX, align: {H: 64}",
			"3 NHWCX: config-value: NHWCX has 5 axes, but the shape has 4 sizes | for rank 4: NCHW, NHWC, OIHW, HWIO",
		},
		{
			"a size that is wrong itself", "dtype: f32, sizes: [1, 3, -30, 40], align: {H: 64}",
			"3 -30: size-range: size -30 of dimension 2 is negative",
		},
		{
			"a type that is missing", "sizes: 3x4, align: {H: 64B}",
			"3 a: config-key: the tensor has no dtype | such as dtype: float32",
		},
		{
			"strides too", plane + "strides: [3600, 1200, 40, 1], align: {H: 64}",
			"3 {H: config-value: the strides are stated, so that align can only be expected | make it a key of expect",
		},
		{
			"a list", plane + "align: [64]",
			"3 [64: config-value: a list is not a number for an axis, such as {H: 256} or {H: 512B}",
		},
	} {
		if diff := cmp.Diff(tt.want, strings.Join(configFindings(t, tensorConfig(tt.fields)), "\n")); diff != "" {
			t.Errorf("%s: %s", tt.reason, diff)
		}
	}
}

// TestDefaultSpacing has gaps of the defaults: the tensor's own strides, its own gaps and its file take their place.
func TestDefaultSpacing(t *testing.T) {
	const (
		defaults = "version: 1\ndefaults: {dtype: f32, sizes: 1x3x30x40, pad: {W: 2}, align: {H: 64}}\ntensors: {a: "
		none     = "version: 1\ntensors: {a: "
	)
	files := shelf{"a.npy": {tensors: []descriptor.Descriptor{named("", "<f4", nil, 1, 3, 30, 40)}}}
	for _, tt := range []struct {
		text string
		want []string
	}{
		{defaults + "{expect: {strides: [5760, 1920, 64, 1]}}}", nil},
		{defaults + "{strides: [3600, 1200, 40, 1], expect: {packed: true}}}", nil},
		{defaults + "{pad: {W: 0}, align: {H: 1}, expect: {packed: true}}}", nil},
		{defaults + "{file: a.npy, expect: {packed: true}}}", nil},
		{none + "{file: a.npy, pitch: {H: 64}}}", []string{
			"a: config-value: the file determines where the elements lie, so that pitch can only be expected | make " +
				"it a key of expect",
		}},
	} {
		if diff := cmp.Diff(tt.want, shelfFindings(t, files, tt.text)); diff != "" {
			t.Errorf("%s: %s", tt.text, diff)
		}
	}
}
