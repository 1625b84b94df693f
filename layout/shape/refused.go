package shape

import (
	"slices"
	"strings"

	"layoutcalc/layout/lexer"
)

// refused lists words, in lower case, for forms of images and matrices that are not layouts of one tensor, or that no
// name can express, with the reason and a hint.
var refused = [...]struct{ words, why, hint string }{
	{
		"rgb bgr rgb8 bgr8 rgb24 bgr24 rgb888 bgr888",
		"the order of the channels in a pixel, not that of the axes: channels innermost are HWC",
		"such as layoutcalc size 480x640x3 --order HWC -t uint8",
	},
	{
		"rgba bgra argb abgr rgbx bgrx rgba8 bgra8 argb8 abgr8 rgba32 bgra32 rgba8888 bgra8888",
		"the order of the channels in a pixel, not that of the axes: channels innermost are HWC",
		"such as layoutcalc size 480x640x4 --order HWC -t uint8",
	},
	{
		"col4_4r2_8c", "an order of cuBLASLt whose tiles mix the bits of rows, which CuTe can say",
		"such as layoutcalc strides '((2,4,8),(4,2,4,2)):((128,4,256),(1,16,32,2048))'",
	},
	{
		"col32_2r_4r4", "an order of cuBLASLt whose tiles mix the bits of rows, which CuTe can say",
		"such as layoutcalc strides '((2,4,4,2),(32,2)):((32,256,64,1024),(1,2048))'",
	},
}

// refusal returns the error for a word in refused, or nil for other words.
func refusal(text string) error {
	key := strings.ToLower(text)
	for _, r := range refused {
		if strings.Contains(r.words, key) && slices.Contains(strings.Fields(r.words), key) {
			s := lexer.Scanner{In: text}
			return s.Fail(0, r.hint, "%s is %s", text, r.why)
		}
	}
	if f := FindFormat(text); f != nil {
		s := lexer.Scanner{In: text}
		return s.Fail(0, "such as layoutcalc size 1920x1080 "+text,
			"%s is a format of images, which have a width and a height", text)
	}
	return nil
}
