package spec

import (
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// prefixes are what the constants of other systems begin with.
var prefixes = [...]string{
	"ACL_FORMAT_", "FORMAT_", "CUDNN_TENSOR_", "miopenTensor", "XNN_LAYOUT_", "dnnl_", "mkldnn_",
}

// parseForeign reads a layout as enumerations, options and labels of other systems spell it: TensorFormat::kCHW32,
// fp16:chw32, CUDNN_TENSOR_NHWC, [N,C,H,W]. It reports false for other texts.
func parseForeign(text string) (n Name, ok bool, err error) {
	at := strings.LastIndexAny(text, ".:") + 1
	switch {
	case strings.HasPrefix(text, "[") || strings.Contains(text, "..."):
		n, err = parseLabels(text)
		return n, true, err
	case at > 1 && text[at-1] == ':' && text[at-2] != ':':
		n, err = parseTyped(text, at)
		return n, true, err
	}
	before := strings.TrimRight(text[:at], ".:")
	before = before[strings.LastIndexAny(before, ".:")+1:]
	read := ParseName
	switch before { // the enumerations and namespaces that layouts are written with
	case "TensorFormat":
		read = parseTensorRT
	case "format_tag", "tag":
		read = ParseTag
	case "MemoryFormat", "memory_format":
		read = parseMemoryFormat
	case "DataLayout", "DataFormat", "TensorLayout":
		read = parseConstant
	default:
		at = 0
	}
	if at > 0 {
		n, err = read(text[at:])
		return n.within(text), true, shifted(err, text, at)
	}
	at = strings.LastIndexAny(text, ".:") + 1
	for _, prefix := range prefixes {
		if rest, ok := strings.CutPrefix(text[at:], prefix); ok && rest != "" {
			if rest == "ND" {
				rest = "row-major"
			}
			n, err = ParseName(rest)
			return n.within(text), true, shifted(err, text, at+len(prefix))
		}
	}
	return Name{}, false, nil
}

// within returns the name as part of a text.
func (n Name) within(text string) Name {
	n.text = text
	return n
}

// shifted returns an error about the part of a text that starts at an offset as one about the text.
func shifted(err error, text string, at int) error {
	if e, ok := err.(*scan.SyntaxError); ok {
		return &scan.SyntaxError{Input: text, Offset: min(at+e.Offset, len(text)), Msg: e.Msg, Hint: e.Hint}
	}
	return err
}

// parseConstant reads a name with or without the k of a constant.
func parseConstant(text string) (Name, error) {
	if strings.HasPrefix(text, "k") && len(text) > 1 && text[1] < 'a' {
		text = text[1:]
	}
	return ParseName(text)
}

// parseMemoryFormat reads PyTorch's ChannelsLast.
func parseMemoryFormat(text string) (Name, error) {
	switch text {
	case "Contiguous":
		return ParseName("contiguous")
	case "ChannelsLast":
		return ParseName("channels_last")
	case "ChannelsLast3d":
		return ParseName("channels_last_3d")
	}
	return ParseName(text)
}

// parseTensorRT reads the name of one of TensorRT's formats, which are not names of letters: its chw is row-major.
func parseTensorRT(text string) (Name, error) {
	key := strings.TrimPrefix(strings.ToLower(text), "k")
	switch key {
	case "linear", "chw":
		return ParseName("row-major")
	case "hwc", "dhwc":
		return ParseName("k" + key)
	}
	if a, err := unalias(key); err == nil && a.leading {
		return ParseName(key)
	}
	s := scan.Scanner{In: text}
	return Name{}, s.Fail(0, "such as LINEAR, CHW32, HWC8, DHWC8, DLA_HWC4", "TensorRT has no format %s", scan.Clip(text))
}

// parseTyped reads TYPE:FORMAT, as TensorRT's trtexec takes it. The format starts at the offset.
func parseTyped(text string, at int) (Name, error) {
	s := scan.Scanner{In: text}
	d, err := layout.ParseDType(text[:at-1])
	if err != nil {
		return Name{}, shifted(err, text, 0)
	}
	if i := strings.IndexByte(text, '+'); i > at {
		return Name{}, s.Fail(i, "write one of them", "%s allows several formats", scan.Clip(text))
	}
	n, err := parseTensorRT(text[at:])
	n.dtype, n.typed = d, err == nil
	return n.within(text), shifted(err, text, at)
}

// labelWords are OpenVINO's words for axes.
var labelWords = [...]struct{ word, letter string }{
	{"BATCH", "N"}, {"B", "N"}, {"CHANNELS", "C"}, {"CHANNEL", "C"}, {"HEIGHT", "H"}, {"WIDTH", "W"}, {"DEPTH", "D"},
}

// parseLabels reads an OpenVINO layout, [N,C,H,W]: labels of the sizes as they are written, which are row-major.
func parseLabels(text string) (Name, error) {
	s := scan.Scanner{In: text}
	const such = "such as [N,C,H,W], or the sizes with labels: N=1,C=3,H=224,W=224"
	if i := strings.Index(text, "..."); i >= 0 {
		return Name{}, s.Fail(i, such, "the axes of ... have no names")
	}
	inside, closed := strings.CutSuffix(text[1:], "]")
	if !closed {
		return Name{}, s.Fail(len(text), such, `"]" is missing after the labels`)
	}
	letters, at := "", 1
	for _, item := range strings.Split(inside, ",") {
		label := strings.ToUpper(strings.TrimSpace(item))
		for _, w := range labelWords {
			if label == w.word {
				label = w.letter
			}
		}
		switch {
		case label == "?":
			return Name{}, s.Fail(at, such, "the axis of ? has no name")
		case len(label) != 1 || !scan.IsLetter(label[0]):
			return Name{}, s.Fail(at, such, "%q is not the letter of an axis", scan.Clip(item))
		case strings.Contains(letters, label):
			return Name{}, s.Fail(at, such, "the layout has the axis %s twice", label)
		}
		letters += label
		at += len(item) + 1
	}
	n, err := ParseName(letters)
	n.order = n.letters
	return n.within(text), err
}
