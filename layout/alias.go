package layout

import "strings"

// aliases are names that other systems give to blocked layouts, in lower case, and what they
// mean. TensorRT's (leading) leave out the batch: they are for rank 3, or for rank 4 with N
// outermost; a k before them is the spelling of its API.
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
	{"nc1hwc0", "NCHW16c", false},
	{"nc1hwc0_c04", "NCHW4c", false},
	{"ndc1hwc0", "NDCHW16c", false},
	{"giohw2i8o16i2o", "GOIHW2i8o16i2o", false},
	{"giodhw2i8o16i2o", "GOIDHW2i8o16i2o", false},
}

// unalias returns what an alias means, and whether it leaves out the batch. Other names are
// returned as they are.
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
	s := scanner{in: text}
	if !s.take("nc") {
		return text, nil
	}
	slash := s.take("/")
	at := s.pos
	outer := s.span(isDigit)
	axes := s.span(isLetter)
	inner := s.span(isDigit)
	switch {
	case outer == "" || axes == "" || s.pos < len(text) || !slash && inner == "":
		return text, nil
	case outer != inner:
		return "", s.fail(at, "such as NC/32HW32 or NC4HW4", "the size of the block stands behind C and at the end: %s and %s differ", clip(outer), clip(inner))
	}
	return "NC" + axes + inner + "c", nil
}
