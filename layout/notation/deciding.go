package notation

import (
	"slices"
	"strings"

	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/scan"
)

// A decidingField is a field next to sizes whose name says that it decides the layout.
type decidingField struct {
	at          int
	name, value string
	of          int // the index of the tensor
}

// The names of fields that decide the layout of a tensor, and of fields that a convolution or a pool has next to the
// strides of its window.
var (
	decidingNames = [...]string{
		"*memory_format*", "*channels_last*", "f_contiguous", "*transposed*", "data_format", "ld", "ld[abc]", "*pitch*",
		"step", "*block*", "*tile*", "*chunk*", "*swizzle*",
	}
	windowNames = [...]string{"padding", "pads", "ksize", "*kernel*", "pool_size", "*dilation*", "groups"}
)

// plainValues are the values with which such a field leaves the tensor row-major.
var plainValues = [...]string{
	"", "false", "none", "null", "0", "1", "contiguous", "contiguous_format", "torch.contiguous_format",
	"preserve_format", "torch.preserve_format", "row-major", "c",
}

// isDeciding reports whether a field of the name may decide the layout of the tensor next to it.
func isDeciding(name string) bool {
	name = strings.ToLower(name)
	isLike := func(pattern string) bool { return scan.Glob(pattern, name) }
	return slices.ContainsFunc(decidingNames[:], isLike) || slices.ContainsFunc(windowNames[:], isLike)
}

func (f *decidingField) isWindow() bool {
	isLike := func(pattern string) bool { return scan.Glob(pattern, strings.ToLower(f.name)) }
	return slices.ContainsFunc(windowNames[:], isLike)
}

// isChannelsLast reports whether the field asks for PyTorch's memory format channels_last.
func (f *decidingField) isChannelsLast() bool {
	name, value := strings.ToLower(f.name), strings.ToLower(f.value)
	return strings.Contains(value, "channels_last") || strings.Contains(name, "channels_last") && value == "true"
}

// isPlain reports whether the field leaves the tensor row-major.
func (f *decidingField) isPlain() bool {
	return !f.isWindow() && slices.Contains(plainValues[:], strings.ToLower(f.value))
}

// decide judges the fields that decide the layout of a tensor: PyTorch's memory format is used where there are no
// strides, and compared with them otherwise. The others are errors, unless strides are stated too.
func (p *prose) decide(tensor int, s *statedTensor) {
	stride := s.field("stride")
	isStated := stride != nil && !stride.IsNull()
	for i := range p.deciding {
		switch f := &p.deciding[i]; {
		case f.of != tensor || f.isPlain():
		case f.isWindow() && isStated:
			const msg = "strides next to %s are of a window, not of a tensor"
			p.Fail(f.at, "leave it out if they are of a tensor", msg, f.name)
		case f.isWindow():
		case f.isChannelsLast():
			size := s.field("size")
			if size == nil || p.Err != nil {
				return
			}
			sizes := p.Ints(size.Value, "sizes")
			strides := p.memoryFormat(literal.Value{At: f.at, Kind: literal.Word, Word: "channels_last"}, sizes)
			if isStated {
				p.agree(f.at, f.name, sizes, strides, p.Ints(stride.Value, "strides"))
				continue
			}
			value := literal.Value{At: f.at, Kind: literal.List, Open: '('}
			for _, n := range strides {
				value.List = append(value.List, literal.Of("", literal.Value{At: f.at, Kind: literal.Number, N: n}))
			}
			s.fields = append(s.fields, literal.Of("stride", value))
			isStated = true
		case !isStated:
			const msg = "%s decides the layout, and is not read here"
			p.Fail(f.at, "give the strides, or the layout after the sizes", msg, f.name)
		}
	}
}
