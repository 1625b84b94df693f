package shape_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/shape"
)

// imageOf returns the image of a size and the name of a format, with flags.
func imageOf(size, format string, flags shape.Spec) (*shape.Image, error) {
	list, err := shape.ParseShape(size)
	if err != nil {
		return nil, err
	}
	f := shape.FindFormat(format)
	if f == nil {
		return nil, fmt.Errorf("%s is no format", format)
	}
	flags.Shape = list
	return f.Image(flags)
}

// flags returns the flags of a line.
func flags(t *testing.T, line string) (s shape.Spec) {
	t.Helper()
	words := strings.Fields(line)
	for i := 0; i < len(words); i += 2 {
		var n shape.AxisNumber
		var err error
		switch name, value := words[i], words[i+1]; name {
		case "--pitch":
			n, err = shape.ParsePitch(value)
			s.Pitch = append(s.Pitch, n)
		case "--align":
			n, err = shape.ParseAlignment(value)
			s.Align = append(s.Align, n)
		case "--pad":
			n, err = shape.ParsePadding(value)
			s.Pad = append(s.Pad, n)
		case "--storage-offset":
			s.Base, err = shape.ParseAmount(value)
		case "--sweep":
			var sizes []shape.AxisSize
			if sizes, err = shape.ParseSweep(value); err == nil {
				s.Resize = append(s.Resize, sizes[0])
			}
		case "-t":
			s.DType, err = layout.ParseDType(value)
			s.Typed = true
		case "--for":
			for i := range shape.Targets {
				if shape.Targets[i].Name() == value {
					s.For = &shape.Targets[i]
				}
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestImage(t *testing.T) {
	tests := []struct{ size, format, flags, want, reason string }{
		{"1920x1080", "NV12", "", "3110400: Y 0 1920 1080, UV 2073600 1920 540", "Microsoft's page on YUV: 3/2 of Y"},
		{"1920x1080", "P010", "", "6220800: Y 0 3840 1080, UV 4147200 3840 540", "the same in 16 bits"},
		{"4x4", "NV21", "", "24: Y 0 4 4, VU 16 4 2", "V4L2's table of V4L2_PIX_FMT_NV21"},
		{"4x4", "NV21", "-t uint8", "24: Y 0 4 4, VU 16 4 2", "the type of its samples"},
		{"4x4", "YV12", "", "24: Y 0 4 4, V 16 2 2, U 20 2 2", "V4L2's table of V4L2_PIX_FMT_YVU420"},
		{"4x4", "NV16", "", "32: Y 0 4 4, UV 16 4 4", "V4L2's table of V4L2_PIX_FMT_NV16"},
		{"4x4", "NV24", "", "48: Y 0 4 4, UV 16 8 4", "V4L2's table of V4L2_PIX_FMT_NV24"},
		{"4x4", "YUYV", "", "32: YUYV 0 8 4", "V4L2's table of V4L2_PIX_FMT_YUYV"},
		{"5x3", "yuv420p", "", "27: Y 0 5 3, U 15 3 2, V 21 3 2", "FFmpeg rounds chroma up: AV_CEIL_RSHIFT"},
		{"5x3", "nv12", "", "27: Y 0 5 3, UV 15 6 2", "FFmpeg: 3 pairs a row of chroma"},
		{"5x3", "UYVY", "", "36: UYVY 0 12 3", "two pixels share four bytes"},
		{"1x1", "I420", "", "3: Y 0 1 1, U 1 1 1, V 2 1 1", "one sample each"},
		{"W=4,H=6", "NV12", "", "36: Y 0 4 6, UV 24 4 3", "labels"},
		{"H=6,W=4", "NV12", "", "36: Y 0 4 6, UV 24 4 3", "labels in another order"},
		{"1920x1080", "NV12", "--pitch 2048", "3317760: Y 0 2048 1080, UV 2211840 2048 540", "2048 x 1080 x 3/2"},
		{"1920x1080", "YV12", "--pitch H=2048", "3317760: Y 0 2048 1080, V 2211840 1024 540, U 2764800 1024 540",
			"V4L2: chroma has half as many pad bytes"},
		{"1920x1080", "P010", "--pitch 4096B", "6635520: Y 0 4096 1080, UV 4423680 4096 540", "in bytes"},
		{"1920x1080", "NV24", "--pitch 2048", "6635520: Y 0 2048 1080, UV 2211840 4096 1080", "a pair a pixel"},
		{"1920x1080", "I420", "--align 256B", "3317760: Y 0 2048 1080, U 2211840 1024 540, V 2764800 1024 540",
			"each row of bytes"},
		{"1918x1080", "NV12", "--align H=64", "3110400: Y 0 1920 1080, UV 2073600 1920 540", "FFmpeg's align"},
		{"4x4", "NV12", "--storage-offset 8", "32: Y 8 4 4, UV 24 4 2", "all planes start later"},
		{"1108x1440", "bgra8", "--for d3d12", "6635344: BGRA 0 4608 1440", "a device's answer: 1439 x 4608 + 4432"},
		{"5x3", "rgb24", "", "45: RGB 0 15 3", "FFmpeg: 24 bits a pixel"},
		{"5x3", "rgba64le", "", "120: RGBA 0 40 3", "FFmpeg: 64 bits a pixel"},
		{"5x3", "gray8", "", "15: Y 0 5 3", "FFmpeg: 8 bits a pixel"},
		{"5x3", "rgba16f", "", "120: RGBA 0 40 3", "OpenGL: 4 half floats"},
		{"4x2", "r8unorm", "--for d3d12", "260: R 0 256 2", "D3DX12GetCopyableFootprints: 256 + 4"},
		{"1100x720", "NV12", "--for d3d12", "1658444: Y 0 1536 720, UV 1105920 1536 360",
			"D3DX12GetCopyableFootprints: 1100 rounded up to 512; 1536 x 720 + 1536 x 359 + 1100"},
		{"1920x1080", "NV12", "--for d3d12", "3317632: Y 0 2048 1080, UV 2211840 2048 540",
			"D3DX12GetCopyableFootprints: 2048 x 1080 + 2048 x 539 + 1920"},
		{"640x4", "P010", "--for d3d12", "8960: Y 0 1536 4, UV 6144 1536 2",
			"D3DX12GetCopyableFootprints: 1280 rounded up to 512; 1536 x 5 + 1280"},
		{"5x3", "NV12", "--for d3d12", "2566: Y 0 512 4, UV 2048 512 2",
			"the format table of D3DX12: NV12 has WidthAlignment and HeightAlignment 2; 512 x 5 + 6"},
		{"65x2", "YUY2", "--for d3d12", "388: YUYV 0 256 2", "one plane, 66 x 2 bytes a row: 256 + 132"},
		{"5x3", "NV12", "--for webgpu", "1030: Y 0 256 3, UV 768 256 2", "256 + 6 of the last plane"},
		{"5x3", "NV12", "--for vulkan", "28: Y 0 5 3, UV 16 6 2", "15 rounded up to 4"},
		{"5x3", "I420", "--for vulkan --pitch 8", "39: Y 0 8 3, U 24 4 2, V 32 4 2", "32, a row of 4 and 3 samples"},
		{"100x50", "rgba8unorm", "--for d3d12", "25488: RGBA 0 512 50", "49 rows of 512, and one of 400"},
		{"4x2", "r8", "--for webgpu", "260: R 0 256 2", "256 + 4: gpuweb/cts 4420"},
		{"4x2", "r8", "--for webgpu --pitch 512", "516: R 0 512 2", "512 + 4"},
		{"W=30,H=20,D=2", "rgba32float", "--for d3d12", "20448: RGBA 0 512 20", "39 rows of 512, and one of 480"},
		{"4x9", "NV12", "--sweep H=2", "12: Y 0 4 2, UV 8 4 1", "a size of --sweep, in place of 9: 3/2 of 4 x 2"},
		{"3x2", "R16G16B16A16_FLOAT", "--storage-offset 8B --for vulkan", "56: RGBA 8 24 2", "after one texel"},
	}
	for _, tt := range tests {
		image, err := imageOf(tt.size, tt.format, flags(t, tt.flags))
		if err != nil {
			t.Errorf("%s %s %s: %v (%s)", tt.size, tt.format, tt.flags, err, tt.reason)
			continue
		}
		var planes []string
		for _, p := range image.Planes {
			planes = append(planes, fmt.Sprint(p.Name, " ", p.Offset, " ", p.Pitch, " ", p.Height))
			if at := p.Tensor.Bytes(p.Tensor.Layout().Base()); at != p.Offset {
				t.Errorf("%s %s %s: plane %s is at %d, its tensor at %d", tt.size, tt.format, tt.flags, p.Name,
					p.Offset, at)
			}
		}
		if have := fmt.Sprintf("%d: %s", image.Bytes, strings.Join(planes, ", ")); have != tt.want {
			t.Errorf("%s %s %s: %s, want %s (%s)", tt.size, tt.format, tt.flags, have, tt.want, tt.reason)
		}
	}
}

// TestImageSamples finds the byte of each sample of small images in a loop over the pixels, as the documents of V4L2
// describe the formats.
func TestImageSamples(t *testing.T) {
	type format struct {
		chroma       string // the channels of chroma, all after Y
		across, down int64
		interleaved  bool
	}
	formats := map[string]format{
		"NV12": {"UV", 2, 2, true}, "NV21": {"VU", 2, 2, true}, "NV16": {"UV", 2, 1, true}, "NV61": {"VU", 2, 1, true},
		"NV24": {"UV", 1, 1, true}, "NV42": {"VU", 1, 1, true}, "I420": {"UV", 2, 2, false},
		"YV12": {"VU", 2, 2, false},
		"I422": {"UV", 2, 1, false}, "I444": {"UV", 1, 1, false}, "P010": {"UV", 2, 2, true},
		"P016": {"UV", 2, 2, true},
		"P210": {"UV", 2, 1, true}, "P216": {"UV", 2, 1, true},
	}
	for name, f := range formats {
		for w := range int64(5) {
			for h := range int64(5) {
				w, h := w+1, h+1
				image, err := imageOf(fmt.Sprintf("%dx%d", w, h), name, shape.Spec{})
				if err != nil {
					t.Fatal(name, err)
				}
				wide, high := (w+f.across-1)/f.across, (h+f.down-1)/f.down
				for y := range h {
					for x := range w {
						check(t, image, 0, []int64{y, x}, y*w+x)
						for c := range int64(2) {
							index := []int64{c, y / f.down, x / f.across}
							at, plane := w*h+((y/f.down)*wide+x/f.across)*2+c, 1
							if !f.interleaved {
								at, plane, index = w*h+c*wide*high+(y/f.down)*wide+x/f.across, int(1+c), index[1:]
							}
							check(t, image, plane, index, at)
							if p := image.Planes[plane].Name; !strings.Contains(p, f.chroma[c:c+1]) {
								t.Errorf("%s: plane %s has no %s", name, p, f.chroma[c:c+1])
							}
						}
					}
				}
				size := int64(1)
				if strings.HasPrefix(name, "P") {
					size = 2
				}
				if want := (w*h + 2*wide*high) * size; image.Bytes != want {
					t.Errorf("%s %dx%d: %d bytes, want %d", name, w, h, image.Bytes, want)
				}
			}
		}
	}
}

// check compares the offset of an element of a plane.
func check(t *testing.T, image *shape.Image, plane int, index []int64, want int64) {
	t.Helper()
	at, err := image.Planes[plane].Tensor.Layout().Offset(index)
	if err != nil || at != want {
		t.Errorf("%s %dx%d: %v of plane %d is at %d, want %d (%v)", image.Format.Name, image.Width, image.Height, index,
			plane, at, want, err)
	}
}

// TestTargets compares copies with the formulas of the documents: WebGPU's bytes of a copy, D3D12's SubresourceSize in
// D3DX12GetCopyableFootprints and Vulkan's addresses of texels.
func TestTargets(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 6))
	up := func(n, m int64) int64 { return (n + m - 1) / m * m }
	for range 2000 {
		w, h, d := 1+r.Int64N(600), 1+r.Int64N(9), 1+r.Int64N(3)
		texel := []int64{1, 2, 4, 8, 16}[r.IntN(5)]
		dtype, err := layout.ParseDType(map[int64]string{
			1: "u8", 2: "u16", 4: "u32", 8: "u64", 16: "complex128"}[texel])
		if err != nil {
			t.Fatal(err)
		}
		order, err := shape.ParseName("DHW")
		if err != nil {
			t.Fatal(err)
		}
		row := w * texel
		want := map[string][2]int64{
			"d3d12":  {up(row, 256), up(row, 256)*(h*d-1) + row},
			"webgpu": {up(row, 256), up(row, 256)*(h*d-1) + row},
			"vulkan": {row, row * h * d},
		}
		for i := range shape.Targets {
			g := &shape.Targets[i]
			s := shape.Spec{Shape: shape.NewList([]int64{d, h, w}, nil), Name: &order, DType: dtype, For: g}
			x, err := s.Tensor()
			if err != nil {
				t.Fatal(err)
			}
			c, err := g.Copy(x)
			if have := [2]int64{c.Pitch, c.Bytes}; err != nil || have != want[g.Name()] {
				t.Errorf("%dx%dx%d of %d bytes for %s: %v, want %v (%v)", d, h, w, texel, g.Name(), have,
					want[g.Name()], err)
			}
			start := map[string]int64{"d3d12": 512, "webgpu": texel, "vulkan": max(texel, 4)}[g.Name()]
			if c.Placement != start {
				t.Errorf("%d bytes for %s: placement %d, want %d", texel, g.Name(), c.Placement, start)
			}
		}
	}
}

// TestTargetImages has images of an array start at multiples of 512 bytes for D3D12 alone, and rows of texels of 12
// bytes at multiples of 256 that are none of 12.
func TestTargetImages(t *testing.T) {
	tests := []struct {
		line, flags string
		want        string
	}{
		{"2x3x65 NHW u8", "--for d3d12", "1024,256,1"},
		{"2x3x65 NHW u8", "--for webgpu", "768,256,1"},
		{"2x3x65 NHW u8", "--for vulkan", "195,65,1"},
		{"2x3x5x7 NCHW f16", "--for d3d12", "2304,768,128,1"},
		{"2x3x65 DHW u8", "--for d3d12", "768,256,1"},
		{"3x2x9 HWC f32", "--for webgpu", "1,64,3"},
		{"2x3x65 NHW u8", "--for d3d12 --align H=384B", "2560,768,1"},
		{"2x3x65 NHW u8", "--for d3d12 --pitch H=512", "1536,512,1"},
		{"3x65 HW u8", "--for vulkan --pitch 70", "70,1"},
	}
	for _, tt := range tests {
		words := strings.Fields(tt.line)
		s := flags(t, tt.flags)
		s.Shape = parsedShape(t, words[0])
		name, err := shape.ParseName(words[1])
		if err != nil {
			t.Fatal(err)
		}
		s.Name = &name
		if s.DType, err = layout.ParseDType(words[2]); err != nil {
			t.Fatal(err)
		}
		x, err := s.Tensor()
		strides, _ := x.Layout().Strides()
		if have := layout.JoinInts(strides, ","); err != nil || have != tt.want {
			t.Errorf("%s %s: %s, want %s (%v)", tt.line, tt.flags, have, tt.want, err)
		}
	}
}

// TestFormats finds formats by the names that systems give them.
func TestFormats(t *testing.T) {
	for name, words := range map[string]string{
		"NV12": "nv12 NV12 V4L2_PIX_FMT_NV12 DXGI_FORMAT_NV12 AV_PIX_FMT_NV12 VK_FORMAT_G8_B8R8_2PLANE_420_UNORM",
		"I420": "I420 IYUV yu12 yuv420p AV_PIX_FMT_YUV420P V4L2_PIX_FMT_YUV420 GST_VIDEO_FORMAT_I420",
		"P010": "p010le P010 VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16",
		"YUY2": "yuyv422 V4L2_PIX_FMT_YUYV DXGI_FORMAT_YUY2", "YV12": "YV12 V4L2_PIX_FMT_YVU420",
		"r8": "r8 R8", "r8g8b8a8_unorm": "DXGI_FORMAT_R8G8B8A8_UNORM VK_FORMAT_R8G8B8A8_UNORM",
		"RGB24": "rgb24 AV_PIX_FMT_RGB24", "GRAY16": "gray16le", "rgba8ui": "GL_RGBA8UI", "r32f": "GL_R32F r32f",
		"rgba16float": "rgba16float", "bgra8unorm-srgb": "bgra8unorm-srgb",
	} {
		for word := range strings.FieldsSeq(words) {
			if f := shape.FindFormat(word); f == nil || f.Name != name {
				t.Errorf("%s is %+v, want %s", word, f, name)
			}
		}
	}
	for _, word := range strings.Fields("NHWC NCHW NCHW16c HW nv1 nv122 r rgb rgba r7unorm rgba16 r8float " +
		"r10g10b10a2_unorm " +
		"r8g16_unorm rgba8unormx g8 b8 rr8 DXGI_FORMAT_R32G8X24_TYPELESS x8 yuv i 8 d3d12") {
		if f := shape.FindFormat(word); f != nil {
			t.Errorf("%s is %+v, want none", word, *f)
		}
	}
}

func TestImageRefused(t *testing.T) {
	tests := []struct{ size, format, flags, want string }{
		{"1x3x1080x1920", "NV12", "", "have a width and a height"},
		{"0x4", "NV12", "", "at least 1 x 1"},
		{"C=4,W=5", "NV12", "", "have a width and a height"},
		{"W=4,H=5,D=2", "NV12", "", "not of volumes"},
		{"8x8", "NV12", "--pitch 7", "takes 8 elements of uint8"},
		{"8x8", "P010", "--pitch 15B", "is not a whole number of elements"},
		{"8x8", "NV12", "--pitch W=9", "of axis H"},
		{"8x8", "NV12", "--pitch 9 --pitch 10", "given twice"},
		{"8x8", "NV12", "--pitch 9 --align 16", "already"},
		{"8x8", "NV12", "--pad W=2", "go with it"},
		{"8x8", "NV12", "--sweep C=2", "the axes are W,H"},
		{"8x8", "NV12", "-t int8", "-t says int8"},
		{"8x8", "NV12", "--for d3d12 --pitch 300", "the next is --pitch H=512"},
		{"8x8", "NV12", "--for d3d12 --storage-offset 256", "a multiple of 512 bytes"},
		{"8x8", "r8", "--for vulkan --storage-offset 2", "a multiple of 4 bytes"},
		{"3x2", "rgba16float", "--for vulkan --pitch 13", "the next is --pitch H=16"},
		{"5x2", "rgb8unorm", "--for vulkan --align 4B", "16 is not a multiple of 3 elements"},
		{"8x8", "rgba8", "--for webgpu --storage-offset 2", "a multiple of 4 bytes"},
		{"9223372036854775807x2", "NV12", "", "the span is 18446744073709551614"},
		{"9223372036854775807x1", "YUY2", "--pitch 5", "the row"},
	}
	for _, tt := range tests {
		_, err := imageOf(tt.size, tt.format, flags(t, tt.flags))
		text := fmt.Sprintf("%+v", err)
		if hint, ok := err.(*layout.SyntaxError); ok {
			text += " " + hint.Hint
		}
		if err == nil || !strings.Contains(text, tt.want) {
			t.Errorf("%s %s %s: %s, want %q", tt.size, tt.format, tt.flags, text, tt.want)
		}
	}
}
