package shape

import (
	"fmt"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A Target is an API that copies images from and to buffers, with its rules for their offsets in bytes.
type Target struct {
	System layout.System
	About  string
	row    int64 // rows start at multiples of this
	planar int64 // like row, for images of several planes
	image  int64 // the images of an array start at multiples of this
	start  int64 // the first image starts at a multiple of this
	texel  bool  // the first image also starts at a multiple of its texel size
	length bool  // the pitch is a whole number of texels
	even   bool  // planes have whole groups of the pixels that share a sample
}

// Targets are the APIs, according to their documents: D3D12's GetCopyableFootprints, WebGPU's validation of texture
// copies, and Vulkan's VkBufferImageCopy. D3DX12GetCopyableFootprints, in d3dx12_resource_helpers.h, shows how D3D12
// computes footprints: the pitch is a multiple of D3D12_TEXTURE_DATA_PITCH_ALIGNMENT, or of the placement alignment if
// there are several planes, and the last row has no padding.
var Targets = [...]Target{
	{layout.D3D12, "rows at multiples of 256 bytes (512 if the format has planes), images at multiples of 512",
		256, 512, 512, 512, false, false, true},
	{layout.WebGPU, "rows at multiples of 256 bytes", 256, 256, 1, 1, true, false, false},
	{layout.Vulkan, "an image at a multiple of 4 bytes and of its texel, rows of whole texels",
		1, 1, 1, 4, true, true, false},
}

// Name returns the name of the target in flags.
func (g *Target) Name() string { return g.System.String() }

// forPlanes returns the target with its rule for the rows of images with several planes.
func (g Target) forPlanes() *Target {
	g.row = g.planar
	return &g
}

// A Copy is an image in a buffer, laid out for a Target.
type Copy struct {
	Pitch     int64 // bytes from row to row
	Placement int64 // images start at multiples of this number of bytes
	Elements  int64 // from the start of the buffer to the end of the image
	Bytes     int64 // the bytes of these elements
	whole     int64 // elements, including all of the last row
}

// TargetOf returns the target for a system, or nil if the system is not a target.
func TargetOf(s layout.System) *Target {
	for i := range Targets {
		if Targets[i].System == s {
			return &Targets[i]
		}
	}
	return nil
}

// Copy returns the image of a tensor in a buffer.
func (g *Target) Copy(t layout.Tensor) (c Copy, err error) {
	l := t.Layout()
	row := rowOf(l.AxisNames())
	if row < 0 || t.Viewed() || l.IsSwizzled() || l.Axis(row).Digits() > 1 {
		return c, lexer.Refuse("", "--for is about images, and this is a part of one, or swizzled").LeaveOut("--for")
	}
	pitch := l.Axis(row).Digit(0).Stride
	c = Copy{Pitch: t.Bytes(pitch), Elements: t.End(), whole: t.End()}
	if c.Placement, err = g.startOf(t); err != nil || l.Empty() {
		return c, err
	}
	length := int64(1)
	runs, _ := l.Runs(nil)
	for _, r := range layout.WithoutBroadcast(runs) {
		if r.Axis != row && r.Stride < pitch {
			length += r.Reach()
		}
	}
	if length > pitch {
		return c, lexer.Refuse("", "--for: rows of %d elements are only %d apart", length, pitch)
	}
	if c.whole, err = layout.Add(t.End()-length, pitch); err == nil {
		_, err = t.Reserve(c.whole) // checks the bytes too
	}
	c.Bytes = t.Bytes(c.Elements)
	return c, layout.NameOverflow("the storage", err)
}

// texelOf returns the number of elements of a texel, which are the elements at one index of W.
func texelOf(l layout.Layout) int64 {
	if _, w := heightOf(l.AxisNames()); w >= 0 && l.Axis(w).Digits() == 1 {
		return max(l.Axis(w).Digit(0).Stride, 1)
	}
	return 1
}

// startOf returns the number of bytes that an image must start at a multiple of.
func (g *Target) startOf(t layout.Tensor) (int64, error) {
	if !g.texel {
		return g.start, nil
	}
	bits, err := layout.Mul(t.DType().Bits(), texelOf(t.Layout()))
	if bits%8 != 0 || bits <= 0 {
		return g.start, err
	}
	return layout.Mul(g.start, bits/8/layout.GCD(g.start, bits/8))
}

// next returns the first element, at or after from, that the image of a tensor may start at.
func (g *Target) next(t layout.Tensor, from int64) (int64, error) {
	start, err := g.startOf(t)
	if err != nil {
		return 0, err
	}
	return layout.AlignUp(from, max(start*8/t.DType().Bits(), 1))
}

// heightOf returns the axes H and W of images, or -1 for other names.
func heightOf(names []string) (h, w int) {
	if !lettered(names) {
		return -1, -1
	}
	letters := roles(strings.Join(names, ""))
	if h, w = strings.IndexByte(letters, 'H'), strings.IndexByte(letters, 'W'); h < 0 || w < 0 {
		return -1, -1
	}
	return h, w
}

// rowOf returns the axis that counts rows: H of images, and otherwise the second-to-last axis. It returns a negative
// number if there is only one axis.
func rowOf(names []string) int {
	if h, _ := heightOf(names); h >= 0 {
		return h
	}
	return max(len(names), 1) - 2
}

// aim adds the rules of the target to the axes: the rule for rows, and the rule for images to the axes outside the
// rows, except the depth of volumes.
func (p *plan) aim(s *Spec) error {
	if s.For == nil {
		return nil
	}
	axis, other := p.row()
	switch names := p.called(); {
	case axis < 0:
		return lexer.Refuse("such as 1x100", "--for is about rows, and a tensor of one axis has none")
	case other >= 0:
		return lexer.Refuse("--for takes rows along W, as row-major has them",
			"--for is about rows, which can be along %s or %s here", names[other], names[axis])
	case len(p.blocks) > 0:
		return lexer.Refuse("", "--for is about whole rows, and the layout has blocks").LeaveOut("--for")
	}
	for _, i := range p.memory {
		switch {
		case i == axis:
			return p.raise(i, s.For.row, s.For.Name())
		case p.names[i] == "D":
		default:
			if err := p.raise(i, s.For.image, s.For.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

// raise also rounds up the stride of an axis to a multiple of bytes. A stride from a flag must be such a multiple.
func (p *plan) raise(axis int, bytes int64, target string) error {
	r := &p.rules[axis]
	if r.broadcast || bytes == 1 {
		return nil
	}
	n, err := Amount{n: bytes, bytes: true}.multiple(p.dtype)
	switch {
	case err != nil:
	case r.pitch == 0:
		r.align, err = layout.Mul(max(r.align, 1), n/layout.GCD(max(r.align, 1), n))
	case r.pitch%n != 0:
		name := p.called()[axis]
		next, err := layout.AlignUp(r.pitch, n)
		if err == nil {
			err = lexer.Refuse(fmt.Sprintf("the next is --pitch %s=%d", name, next),
				"--for %s: the stride of %s is a multiple of %s, and %s are none", target, name,
				wording.Count(bytes, "byte"),
				wording.Count(r.pitch, "element"))
		}
		return err
	}
	return layout.NameOverflow("the multiple of strides", err)
}

// lengthOf rejects a pitch that is not a whole number of texels if the target counts it in texels, as Vulkan's
// bufferRowLength does.
func (g *Target) lengthOf(l layout.Layout) error {
	row := rowOf(l.AxisNames())
	if !g.length || row < 0 || l.Axis(row).Digits() > 1 {
		return nil
	}
	texel, pitch := texelOf(l), l.Axis(row).Digit(0).Stride
	if pitch%texel == 0 {
		return nil
	}
	next, err := layout.AlignUp(pitch, texel)
	if err == nil {
		err = lexer.Refuse(fmt.Sprintf("the next is --pitch %s=%d", l.AxisNames()[row], next),
			"--for %s: the pitch must be a whole number of texels: %d is not a multiple of %s", g.Name(), pitch,
			wording.Count(texel, "element"))
	}
	return layout.NameOverflow("the pitch", err)
}

// started rejects an image with a start or a pitch that the target does not allow.
func (s *Spec) started(t layout.Tensor, err error) (layout.Tensor, error) {
	if err == nil && s.For != nil {
		err = s.For.lengthOf(t.Layout())
	}
	if err != nil || s.For == nil || t.Layout().Base() == 0 {
		return t, err
	}
	multiple, err := s.For.startOf(t)
	if at, rest := t.BitOffset(t.Layout().Base()); err == nil && (at%multiple != 0 || rest != 0) {
		err = lexer.Refuse("", "--for %s: an image starts at a multiple of %s, and the storage offset is %d",
			s.For.Name(), wording.Count(multiple, "byte"), at)
	}
	return t, err
}
