package shape

import (
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A Format is a pixel format of images. The pixels are in planes, and each plane is a tensor.
type Format struct {
	Name   string
	Type   string // the element type of samples
	Used   int64  // the number of bits in use, which are the highest ones
	Planes []Plane
	Others string // other names of the format, in lower case
}

// A Plane is a plane of a Format.
type Plane struct {
	Name         string // its channels, in the order of the memory
	Across, Down int64  // the number of columns and rows of the image for each one in the plane
}

// Formats are the formats that have names: from Microsoft's pages about YUV, V4L2 and FFmpeg.
var Formats = [...]Format{
	{"NV12", "uint8", 8, []Plane{{"Y", 1, 1}, {"UV", 2, 2}}, "yuv420sp g8_b8r8_2plane_420_unorm"},
	{"NV21", "uint8", 8, []Plane{{"Y", 1, 1}, {"VU", 2, 2}}, "yvu420sp"},
	{"P010", "uint16", 10, []Plane{{"Y", 1, 1}, {"UV", 2, 2}}, "p010le g10x6_b10x6r10x6_2plane_420_unorm_3pack16"},
	{"P016", "uint16", 16, []Plane{{"Y", 1, 1}, {"UV", 2, 2}}, "p016le g16_b16r16_2plane_420_unorm"},
	{"I420", "uint8", 8, []Plane{{"Y", 1, 1}, {"U", 2, 2}, {"V", 2, 2}}, "iyuv yu12 yuv420 yuv420p yuvj420p"},
	{"YV12", "uint8", 8, []Plane{{"Y", 1, 1}, {"V", 2, 2}, {"U", 2, 2}}, "yvu420 yvu420p"},
	{"I422", "uint8", 8, []Plane{{"Y", 1, 1}, {"U", 2, 1}, {"V", 2, 1}}, "yuv422p yuvj422p"},
	{"I444", "uint8", 8, []Plane{{"Y", 1, 1}, {"U", 1, 1}, {"V", 1, 1}}, "yuv444p yuvj444p"},
	{"NV16", "uint8", 8, []Plane{{"Y", 1, 1}, {"UV", 2, 1}}, "yuv422sp"},
	{"NV61", "uint8", 8, []Plane{{"Y", 1, 1}, {"VU", 2, 1}}, "yvu422sp"},
	{"P210", "uint16", 10, []Plane{{"Y", 1, 1}, {"UV", 2, 1}}, "p210le"},
	{"P216", "uint16", 16, []Plane{{"Y", 1, 1}, {"UV", 2, 1}}, "p216le"},
	{"NV24", "uint8", 8, []Plane{{"Y", 1, 1}, {"UV", 1, 1}}, "yuv444sp"},
	{"NV42", "uint8", 8, []Plane{{"Y", 1, 1}, {"VU", 1, 1}}, "yvu444sp"},
	{"YUY2", "uint8", 8, []Plane{{"YUYV", 2, 1}}, "yuyv yuyv422 g8b8g8r8_422_unorm"},
	{"UYVY", "uint8", 8, []Plane{{"UYVY", 2, 1}}, "uyvy422 b8g8r8g8_422_unorm"},
	{"YVYU", "uint8", 8, []Plane{{"YVYU", 2, 1}}, "yvyu422"},
	{"RGB24", "uint8", 8, []Plane{{"RGB", 1, 1}}, ""},
	{"BGR24", "uint8", 8, []Plane{{"BGR", 1, 1}}, ""},
	{"RGB48", "uint16", 16, []Plane{{"RGB", 1, 1}}, "rgb48le"},
	{"RGBA64", "uint16", 16, []Plane{{"RGBA", 1, 1}}, "rgba64le"},
	{"GRAY8", "uint8", 8, []Plane{{"Y", 1, 1}}, "y800"},
	{"GRAY16", "uint16", 16, []Plane{{"Y", 1, 1}}, "gray16le"},
}

// formatPrefixes are the prefixes of format names in several systems.
var formatPrefixes = [...]string{
	"gl_", "v4l2_pix_fmt_", "av_pix_fmt_", "dxgi_format_", "vk_format_", "gst_video_format_", "drm_format_",
	"mfvideoformat_",
}

// FindFormat returns the format with a name, ignoring case: NV12, yuv420p, DXGI_FORMAT_NV12, or a format of texels of
// one type, rgba8unorm and VK_FORMAT_R8G8B8A8_UNORM. It returns nil for other words, quickly for most of them.
func FindFormat(word string) *Format {
	const longest = len("VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16")
	if len(word) < len("r8") || len(word) > longest ||
		!strings.ContainsAny(word, "0123456789") && strings.IndexByte("yuidagvm", word[0]|0x20) < 0 {
		return nil
	}
	word = strings.ToLower(word)
	for _, prefix := range formatPrefixes {
		word = strings.TrimPrefix(word, prefix)
	}
	for i := range Formats {
		f := &Formats[i]
		if strings.EqualFold(f.Name, word) ||
			strings.Contains(f.Others, word) && slices.Contains(strings.Fields(f.Others), word) {
			return f
		}
	}
	return texels(word)
}

// nearFormat returns the format with the same letters as a word and the fewest different digits, such as NV12 for NV13,
// or an empty string.
func nearFormat(word string) (near string) {
	word = strings.ToUpper(word)
	least := len(word)
	for _, f := range Formats {
		others, isNear := 0, len(f.Name) == len(word)
		for i := 0; isNear && i < len(word); i++ {
			if c := f.Name[i]; c != word[i] {
				others++
				isNear = lexer.IsDigit(c) && lexer.IsDigit(word[i])
			}
		}
		if isNear && others < least {
			near, least = f.Name, others
		}
	}
	return near
}

// texelKinds maps the kinds of numbers in texels to the prefixes of their types.
var texelKinds = map[string]string{
	"unorm": "uint", "uint": "uint", "srgb": "uint", "typeless": "uint", "snorm": "int", "sint": "int",
	"float": "float", "sfloat": "float", "f": "float", "ui": "uint", "i": "int",
}

// texels reads the name of a texel format in lower case, in the spelling of WebGPU, rg16float, of Direct3D and Vulkan,
// r16g16_float, or of OpenGL, rg16f. The kind of number may be missing if it has 8 bits.
func texels(word string) *Format {
	s := lexer.Scanner{In: word}
	channels := s.Span(lexer.IsLetter)
	bits := s.Span(lexer.IsDigit)
	for len(channels) < 4 && strings.IndexByte("rgba", s.Peek()) >= 0 && s.Take(s.Rest()[:1]+bits) {
		channels += word[s.Pos-len(bits)-1 : s.Pos-len(bits)]
	}
	kind := strings.TrimPrefix(strings.TrimSuffix(s.Rest(), "-srgb"), "_")
	if kind == "" && bits == "8" {
		kind = "unorm"
	}
	of := texelKinds[kind]
	switch channels {
	case "r", "rg", "rgb", "rgba", "bgr", "bgra", "argb", "abgr":
	default:
		return nil
	}
	d, err := layout.ParseDType(of + bits)
	if of == "" || err != nil || d.String() != of+bits {
		return nil
	}
	return &Format{Name: word, Type: d.String(), Used: d.Bits(), Planes: []Plane{{strings.ToUpper(channels), 1, 1}}}
}

// String describes the planes: Y, UV of 2 x 2 pixels.
func (p Plane) String() string {
	if p.Across*p.Down == 1 {
		return p.Name
	}
	return fmt.Sprintf("%s of %d x %d pixels", p.Name, p.Across, p.Down)
}

// Bits returns the bits of a pixel of the image, on average.
func (f *Format) Bits() (bits int64) {
	d, _ := layout.ParseDType(f.Type)
	for _, p := range f.Planes {
		bits += int64(len(p.Name)) * d.Bits() / (p.Across * p.Down)
	}
	return bits
}

// Fits reports whether a list can be the size of an image: WIDTHxHEIGHT, or labelled.
func (f *Format) Fits(list List) bool {
	_, _, _, err := f.extent(list)
	return err == nil
}

// extent returns the width, the height and the depth of an image, after changing the ones in resize.
func (f *Format) extent(list List, resize ...AxisSize) (w, h, d int64, err error) {
	labels := list.labels
	if labels == nil {
		labels = []string{"W", "H"}
	}
	at := lexer.Positions([]string{"W", "H", "D"}, labels)
	if len(list.values) != len(labels) || at[0] < 0 || at[1] < 0 || len(labels) > 2 && (at[2] < 0 || len(labels) > 3) {
		const msg = "%s is of images, which have a width and a height"
		return 0, 0, 0, list.fail(0, "such as 1920x1080 "+f.Name, msg, f.Name)
	}
	values := slices.Clone(list.values)
	for _, r := range resize {
		axis, err := r.Find("--sweep", labels)
		if err != nil {
			return 0, 0, 0, err
		}
		values[axis] = r.Size
	}
	w, h, d = values[at[0]], values[at[1]], 1
	if at[2] >= 0 {
		d = values[at[2]]
	}
	switch {
	case min(w, h, d) < 1 || list.open != nil:
		err = list.fail(0, "such as 1920x1080 "+f.Name, "the size of an image is at least 1 x 1")
	case d > 1 && f.Planes[len(f.Planes)-1].Across > 1:
		err = list.fail(0, "remove the depth", "%s is of images, not of volumes", f.Name)
	}
	return w, h, d, err
}

// An Image is an image in a buffer, with its planes one after the other.
type Image struct {
	Format        *Format
	For           *Target // may be nil
	Width, Height int64
	Planes        []ImagePlane
	Bytes         int64 // from the start of the buffer to the end of the last plane
	Notes         []string
}

// An ImagePlane is a plane in a buffer.
type ImagePlane struct {
	Name          string
	Spec          Spec // the Spec of Tensor
	Tensor        layout.Tensor
	Width, Height int64 // in samples, or in groups of samples without separate planes
	Offset        int64 // in bytes, as are the other fields
	Pitch, Bytes  int64
	whole         int64 // elements from the start of the buffer to the end of the last row, including its padding
}

// Image returns the image for a Spec with the size of the image as its Shape. Flags may set the start, the pitch of the
// first plane, which determines the pitch of the others, and multiples for all planes.
func (f *Format) Image(s Spec) (*Image, error) {
	d, err := layout.ParseDType(f.Type)
	if err != nil {
		return nil, err
	}
	w, h, depth, err := f.extent(s.Shape, s.Resize...)
	switch {
	case err != nil:
		return nil, err
	case s.Typed && s.DType != d:
		return nil, lexer.Refuse("", "samples of %s are %v, and -t says %v", f.Name, d, s.DType).LeaveOut("-t")
	case s.Order != nil || s.Strides != nil || s.Name != nil || s.Lead != nil || s.Chunks != nil || s.Tile != nil ||
		s.Swizzle != nil || s.Rank != 0 || len(s.Pad)+len(s.Broadcast) > 0:
		return nil, lexer.Refuse("", "%s says where planes and pixels are: of flags that shape a tensor, "+
			"--pitch, --align, --for and --storage-offset go with it", f.Name)
	}
	s.DType, s.Typed = d, true
	image := &Image{Format: f, For: s.For, Width: w, Height: h}
	if s.For != nil && len(f.Planes) > 1 {
		s.For = s.For.forPlanes()
	}
	if s.Shape.labels == nil {
		image.Notes = append(image.Notes, fmt.Sprintf("%s is read as width x height", s.Shape.text))
	}
	if w, h, err = f.even(s.For, image); err != nil {
		return nil, err
	}
	pitch, err := f.pitch(&s, w, image)
	if err != nil {
		return nil, err
	}
	next, err := s.base(d)
	for i, of := range f.Planes {
		var p ImagePlane
		apart := pitch
		if i > 0 && err == nil {
			apart, err = layout.Mul(layout.CeilDiv(pitch, of.Across), int64(len(of.Name)))
		}
		if err == nil {
			sizes := [...]int64{depth, layout.CeilDiv(h, of.Down), layout.CeilDiv(w, of.Across)}
			p, err = of.place(s, sizes, apart, next, i > 0)
		}
		if err != nil {
			return nil, err
		}
		image.Planes, image.Bytes, next = append(image.Planes, p), p.Offset+p.Bytes, p.whole
	}
	return image, nil
}

// even returns the width and the height of an image as the target lays it out: rounded up to whole groups of pixels
// that share a sample, if the target requires it. It adds a note if a size changes.
func (f *Format) even(g *Target, image *Image) (w, h int64, err error) {
	w, h = image.Width, image.Height
	if last := f.Planes[len(f.Planes)-1]; g != nil && g.even && len(f.Planes) > 1 {
		if w, err = layout.AlignUp(w, last.Across); err == nil {
			h, err = layout.AlignUp(h, last.Down)
		}
	}
	if err == nil && (w != image.Width || h != image.Height) {
		image.Notes = append(image.Notes, fmt.Sprintf("%s lays out %s of even sizes: using %d x %d",
			g.Name(), f.Name, w, h))
	}
	return w, h, layout.NameOverflow("the size", err)
}

// pitch returns the pitch of the first plane in elements, or 0 if no flag sets it. It makes --align apply to H, and
// notes the unit of --pitch.
func (f *Format) pitch(s *Spec, width int64, image *Image) (int64, error) {
	s.Pitch, s.Align = slices.Clone(s.Pitch), slices.Clone(s.Align)
	for _, list := range [...][]AxisNumber{s.Pitch, s.Align} {
		for i, n := range list {
			if n.axis.name != "" && n.axis.name != "H" {
				return 0, n.axis.fail("--pitch 2048 or --align 256B", "the rows of an image have a distance, of axis H")
			}
			list[i].axis.name = "H"
		}
	}
	if len(s.Pitch) == 0 {
		return 0, nil
	}
	given := s.Pitch[0]
	first := f.Planes[0]
	least, err := layout.Mul(layout.CeilDiv(width, first.Across), int64(len(first.Name)))
	if err != nil {
		return 0, layout.NameOverflow("the row", err)
	}
	n, err := given.amount.Elements(s.DType)
	switch {
	case err != nil:
	case len(s.Pitch) > 1:
		err = s.Pitch[1].axis.fail("", "--pitch is given twice")
	case len(s.Align) > 0:
		err = given.axis.fail("remove --align", "--pitch gives the distance of rows already")
	case n < least:
		err = given.axis.fail("", "--pitch: a row of plane %s takes %s of %v", first.Name,
			wording.Count(least, "element"), s.DType)
	case s.DType.Bits() > 8 && !given.amount.bytes:
		image.Notes = append(image.Notes, fmt.Sprintf("--pitch %d counts elements, of %s; bytes are %dB", n,
			wording.Count(s.DType.Bits()/8, "byte"), n))
	}
	return n, err
}

// place returns the plane with the sizes depth, height and width. If pitch is not 0, it is the pitch of the rows. The
// plane starts at element from of the buffer or, if behind is set, at the next element where the target of the Spec
// allows an image to start.
func (p Plane) place(s Spec, sizes [3]int64, pitch, from int64, behind bool) (made ImagePlane, err error) {
	target := s.For
	if target == nil {
		target = &Target{start: 1}
	}
	letters, list := "HW", sizes[1:]
	if sizes[0] > 1 {
		letters, list = "DHW", sizes[:]
	}
	if channels := int64(len(p.Name)); channels > 1 {
		letters, list = letters+"C", append(slices.Clip(list), channels)
	}
	order, err := ParseName(letters)
	if err != nil {
		return made, err
	}
	spec := Spec{Shape: NewList(list, nil), Order: &order, Align: s.Align, For: s.For, DType: s.DType, Typed: true}
	if pitch > 0 {
		spec.Pitch = []AxisNumber{{AxisRef{name: "H"}, NewAmount(pitch)}}
	}
	t, err := spec.Tensor()
	if err == nil && behind {
		from, err = target.next(t, from)
	}
	if err == nil {
		spec.Base = NewAmount(from)
		t, err = spec.Tensor()
	}
	if err != nil {
		return made, err
	}
	c, err := target.Copy(t)
	if s.For == nil { // no API: every row has its padding
		c.Bytes = t.Bytes(c.whole)
	}
	offset := t.Bytes(from)
	return ImagePlane{p.Name, spec, t, sizes[2], sizes[1], offset, c.Pitch, c.Bytes - offset, c.whole}, err
}
