package spec

import (
	"strings"

	"layoutcalc/layout/scan"
)

// aliases are names that other systems give to blocked layouts, in lower case, and what they
// mean. TensorRT's (leading) leave out the axes outside: the batch and more; a k before them is
// the spelling of its API.
var aliases = [...]struct {
	name, meaning string
	leading       bool
}{
	{"chw2", "CHW2c", true},
	{"chw4", "CHW4c", true},
	{"chw16", "CHW16c", true},
	{"chw32", "CHW32c", true},
	{"hwc8", "HWC8c", true},
	{"hwc16", "HWC16c", true},
	{"cdhw32", "CDHW32c", true},
	{"dhwc8", "DHWC8c", true},
	{"khwc", "HWC", true},
	{"kdhwc", "DHWC", true},
	{"klinear", "row-major", false},
	{"dla_linear", "CHW", true},
	{"dla_hwc4", "HWC", true},
	{"nc1hwc0", "NCHW16c", false},
	{"nc1hwc0_c04", "NCHW4c", false},
	{"ndc1hwc0", "NDCHW16c", false},
	{"nchw_vect_c", "NCHW4c", false},
	{"nhwc_vect_w", "NHWC4w", false},
	{"oihw_vect_i", "OIHW4i", false},
	{"giohw2i8o16i2o", "GOIHW2i8o16i2o", false},
	{"giodhw2i8o16i2o", "GOIDHW2i8o16i2o", false},
}

// dlaRow is the number of bytes that rows of TensorRT's formats for the DLA are rounded up to.
const dlaRow = 64

// dlaBlocks returns the blocks of a format for the DLA, which depend on the size of an element:
// W is rounded up to a whole row, and in dla_hwc4 three channels to four.
func (p *plan) dlaBlocks() ([]block, error) {
	channels := int64(1)
	if p.name.dla == "dla_hwc4" {
		c := p.sizes[scan.Positions([]string{"C"}, p.names)[0]]
		if c != 1 && c != 3 && c != 4 {
			return nil, p.name.fail("", "dla_hwc4 has 1, 3 or 4 channels, not %d", c)
		}
		if channels = c; c == 3 {
			channels = 4
		}
	}
	pixel := channels * p.dtype.Bits()
	if pixel == 0 || dlaRow*8%pixel != 0 {
		return nil, p.name.fail("the DLA takes int8 and float16", "rows of %d bytes do not hold whole elements of %s", dlaRow, p.dtype)
	}
	blocks := []block{{"W", dlaRow * 8 / pixel}}
	if channels > 1 {
		blocks = append(blocks, block{"C", channels})
	}
	return blocks, nil
}

// leadingAxes are the letters of the axes that names of TensorRT leave out, from the innermost on.
const leadingAxes = "NTIOG"

// lead completes a name that leaves out axes for a tensor of the given rank.
func (n *Name) lead(rank int) {
	for i := 0; n.leading && i < len(leadingAxes) && len(n.letters) < rank; i++ {
		n.letters = leadingAxes[i:i+1] + n.letters
	}
}

// unalias returns what an alias means, and whether it leaves out axes. Other names are returned
// as they are.
func unalias(text string) (meaning string, leading bool, err error) {
	key := strings.ToLower(text)
	for _, a := range aliases {
		if key == a.name || a.leading && key == "k"+a.name {
			return a.meaning, a.leading, nil
		}
	}
	meaning, err = vectorized(text)
	return meaning, false, err
}

// vectorized reads the names of channels in blocks that write the block's size twice, behind
// the axis that it divides and at the end: NC/32HW32 (cuDNN), NC4HW4 (MNN, MindSpore).
func vectorized(text string) (string, error) {
	s := scan.Scanner{In: text}
	if !s.Take("nc") {
		return text, nil
	}
	slash := s.Take("/")
	at := s.Pos
	outer := s.Span(scan.IsDigit)
	axes := s.Span(scan.IsLetter)
	inner := s.Span(scan.IsDigit)
	switch {
	case outer == "" || axes == "" || s.Pos < len(text) || !slash && inner == "":
		return text, nil
	case outer != inner:
		return "", s.Fail(at, "such as NC/32HW32 or NC4HW4", "the size of the block stands behind C and at the end: %s and %s differ", scan.Clip(outer), scan.Clip(inner))
	}
	return "NC" + axes + inner + "c", nil
}
