package notation

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// problemKeys are the entries of oneDNN's problems, in verbose lines and for benchdnn.
var problemKeys = [...]string{
	"g", "mb", "ic", "id", "ih", "iw", "oc", "od", "oh", "ow", "kd", "kh", "kw", "sd", "sh", "sw", "pd", "ph", "pw",
	"dd", "dh", "dw", "ls", "alpha", "beta", "l", "t", "sic", "slc", "dhc", "dlc", "dic", "x",
}

// A problem says the sizes of all tensors of a primitive: in lists, 2x3:3x4, or in entries, mb1ic3ih224iw224.
type problem struct {
	at      int
	text    string
	lists   [][]int64
	entries map[string]int64
}

// isProblem reports whether the text starts with two entries of a problem at least.
func isProblem(text string) bool {
	pairs, first := 0, ""
	for i := 0; i < len(text) && pairs < 2; pairs++ {
		start := i
		for i < len(text) && scan.IsLetter(text[i]) {
			i++
		}
		if i == len(text) || !scan.IsDigit(text[i]) && text[i] != '*' && text[i] != '?' ||
			!slices.Contains(problemKeys[:], text[start:i]) {
			return false
		}
		if text[start:i] == first {
			return false // as in x4x5
		}
		first = text[start:i]
		for i < len(text) && !scan.IsLetter(text[i]) {
			if strings.IndexByte("0123456789_*?", text[i]) < 0 {
				return false
			}
			i++
		}
	}
	return pairs == 2
}

// problem reads the problem that comes next.
func (r memoryReader) problem() problem {
	p := problem{at: r.Pos, entries: map[string]int64{}}
	if c := r.Peek(); scan.IsDigit(c) || c == '*' || c == '?' {
		p.lists = append(p.lists, r.byX())
		for r.TakeHere(":") {
			if p.lists = append(p.lists, r.byX()); len(p.lists) > layout.MaxDigits {
				r.Unexpected("more than %d tensors in a problem", layout.MaxDigits)
			}
		}
	}
	for c := r.Peek(); r.Err == nil && (scan.IsLetter(c) || c == '_'); c = r.Peek() {
		if r.TakeHere("_") {
			continue
		}
		if c == 'n' {
			name := r.Span(func(c byte) bool { return c > ' ' && c != ',' })
			r.skip("%s, the problem's name", name[1:])
			break
		}
		at := r.Pos
		key, n := r.problemEntry()
		if _, twice := p.entries[key]; twice {
			r.Fail(at, "", "the problem says %s twice", key)
		}
		p.entries[key] = n
	}
	if r.Err == nil {
		p.text = r.In[p.at:r.Pos]
	}
	return p
}

// byX reads numbers with x between them.
func (r memoryReader) byX() []int64 {
	numbers := make([]int64, 0, 6)
	for more := true; more && r.Err == nil; more = r.TakeHere("x") {
		if len(numbers) == dnnlMaxRank {
			r.Unexpected("more than %d numbers: a descriptor of oneDNN has at most %d axes", dnnlMaxRank, dnnlMaxRank)
		}
		numbers = append(numbers, r.Known("this number"))
	}
	return numbers
}

// problemEntry reads a key and its number. Fractions are of factors, not of sizes.
func (r memoryReader) problemEntry() (key string, n int64) {
	at := r.Pos
	if key = r.Span(scan.IsLetter); !slices.Contains(problemKeys[:], key) {
		r.Fail(at, "such as mb1ic3ih224iw224 or 1x3x224x224", "%q is not an entry of a problem", key)
		return "", 0
	}
	n = r.Known(key)
	if key == "beta" || key == "alpha" {
		r.Span(func(c byte) bool { return scan.IsDigit(c) || c == '.' || c == 'e' || c == '-' || c == '+' })
	}
	return key, n
}

// either returns the number of a key, or another one.
func (p *problem) either(key string, other int64) int64 {
	if n, ok := p.entries[key]; ok {
		return n
	}
	return other
}

// need returns the number of a key that has to be there.
func (r memoryReader) need(p *problem, key string) int64 {
	n, ok := p.entries[key]
	if !ok {
		r.Fail(p.at, "such as mb1ic3ih224iw224", "the problem does not say %s", key)
	}
	return n
}

// spatial returns how many of the axes d, h, w the problem has.
func (p *problem) spatial() int {
	for i, letter := range []string{"d", "h", "w"} {
		for _, prefix := range []string{"i", "o", "k"} {
			if _, ok := p.entries[prefix+letter]; ok {
				return 3 - i
			}
		}
	}
	return 0
}

// has reports whether an entry for d, h or w has the prefix.
func (p *problem) has(prefix string) bool {
	for _, letter := range "dhw" {
		if _, ok := p.entries[prefix+string(letter)]; ok {
			return true
		}
	}
	return false
}

// along appends the numbers of a prefix for d, h, w: one that is missing is that of the letter
// before it, as benchdnn has it.
func (r memoryReader) along(sizes []int64, p *problem, prefix string) []int64 {
	last := int64(-1)
	for _, letter := range "dhw"[3-p.spatial():] {
		n := p.either(prefix+string(letter), last)
		if last = n; n < 0 {
			n = r.need(p, prefix+string(letter))
		}
		sizes = append(sizes, n)
	}
	return sizes
}

// outputs is along for the sizes of the results, which follow from the others where they are
// missing; transposed is for deconvolutions.
func (r memoryReader) outputs(sizes []int64, p *problem, transposed bool) []int64 {
	if p.has("o") || !p.has("k") {
		return r.along(sizes, p, "o")
	}
	stride, pad, dilation := int64(1), int64(0), int64(0)
	in, kernel := r.along(nil, p, "i"), r.along(nil, p, "k")
	for i := range in {
		letter := "dhw"[3-len(in)+i:][:1]
		stride, pad, dilation = p.either("s"+letter, stride), p.either("p"+letter, pad), p.either("d"+letter, dilation)
		s := max(stride, 1)
		reach := r.dot([]int64{kernel[i] - 1, 1}, []int64{r.dot([]int64{dilation, 1}, []int64{1, 1}), 1})
		if transposed {
			sizes = append(sizes, r.dot([]int64{in[i] - 1, reach, -2}, []int64{s, 1, pad}))
			continue
		}
		steps := r.dot([]int64{in[i], -1, 2}, []int64{1, reach, pad}) / s
		sizes = append(sizes, r.dot([]int64{steps, 1}, []int64{1, 1}))
	}
	return sizes
}

// dot is the sum of the products of the pairs; a sum that does not fit is noted.
func (r memoryReader) dot(a, b []int64) int64 {
	n, err := layout.Dot(a, b)
	r.Fault(overflowOf("a size of the result", err))
	return n
}

// Shapes are the sizes of the tensors of a primitive, nil where the problem does not say them.
type shapes struct {
	src, wei, bia, dst, ws, stats, scale, val, msk []int64

	sources [][]int64 // of src, when there are several
	all     []int64   // of whatever else there is

	recurrent map[string][]int64 // those of rnn, by their names
}

// shapes works out what the problem says of the tensors of a primitive; its name may be unknown,
// and axis is what concat joins along, -1 when that is not known.
func (r memoryReader) shapes(p *problem, primitive string, axis int64) shapes {
	switch {
	case len(p.lists) == 1 && primitive == "layer_normalization":
		sizes := p.lists[0]
		last := max(len(sizes)-1, 0)
		return shapes{src: sizes, dst: sizes, stats: sizes[:last], scale: sizes[last:]}
	case len(p.lists) == 1:
		return shapes{all: p.lists[0]}
	case len(p.lists) > 1:
		return r.listedShapes(p, primitive, axis)
	}
	_, output := p.entries["oc"]
	switch {
	case output && p.has("k"):
		return r.convolved(p, primitive == "deconvolution")
	case output:
		src := r.batch(p, "ic", "i")
		out := r.need(p, "oc")
		return shapes{src: src, wei: append([]int64{out}, src[1:]...), bia: []int64{out}, dst: []int64{src[0], out}}
	case p.has("k") || p.has("o"):
		src := r.batch(p, "ic", "i")
		dst := r.outputs(append([]int64{}, src[:2]...), p, false)
		return shapes{src: src, dst: dst, ws: dst}
	case p.either("slc", -1) >= 0:
		return shapes{src: []int64{r.need(p, "t"), r.need(p, "mb"), r.need(p, "slc")}}
	}
	if n, ok := p.entries["x"]; ok {
		return shapes{all: []int64{n}}
	}
	src := r.batch(p, "ic", "i") // and the other tensors are alike, or have one element for each channel
	return shapes{src: src, dst: src, ws: src, scale: src[1:2], stats: src[1:2]}
}

// listedShapes shares out several lists.
func (r memoryReader) listedShapes(p *problem, primitive string, axis int64) shapes {
	first, second := p.lists[0], p.lists[1]
	switch primitive {
	case "sdpa": // the query, the keys and the values
		s := shapes{src: first, wei: second}
		if n := len(first); len(p.lists) > 2 && n > 0 && len(p.lists[2]) == n {
			s.val, s.dst = p.lists[2], slices.Clone(first)
			s.dst[n-1] = s.val[n-1]
		}
		return s
	case "matmul", "gemm", "gemm_api":
		s := shapes{src: first, wei: second}
		if len(p.lists) > 2 {
			s.dst = p.lists[2]
		} else if n := len(first); n >= 2 && len(second) == n {
			s.dst = widest(first, second)
			s.dst[n-2], s.dst[n-1] = first[n-2], second[n-1]
		}
		return s
	case "prelu":
		return shapes{src: first, wei: second, dst: first}
	case "reduction":
		return shapes{src: first, dst: second}
	case "concat":
		return shapes{sources: p.lists, dst: r.concatenated(p.lists, axis)}
	case "binary":
		return shapes{sources: p.lists, dst: widest(p.lists...)}
	}
	return shapes{sources: p.lists}
}

// widest returns the larger size for each axis, nil when the ranks differ.
func widest(lists ...[]int64) []int64 {
	sizes := slices.Clone(lists[0])
	for _, list := range lists[1:] {
		if len(list) != len(sizes) {
			return nil
		}
		for i, n := range list {
			if sizes[i] == 1 {
				sizes[i] = n
			}
		}
	}
	return sizes
}

// concatenated returns the sizes of the lists joined along an axis, nil when that is not known.
func (r memoryReader) concatenated(lists [][]int64, axis int64) []int64 {
	sizes := slices.Clone(lists[0])
	if axis < 0 || axis >= int64(len(sizes)) {
		return nil
	}
	for _, list := range lists[1:] {
		if len(list) != len(sizes) {
			return nil
		}
		sizes[axis] = r.dot([]int64{sizes[axis], list[axis]}, []int64{1, 1})
	}
	return sizes
}

// batch returns the sizes of mb, of channels, and of d, h, w with a prefix.
func (r memoryReader) batch(p *problem, channels, prefix string) []int64 {
	return r.along([]int64{p.either("mb", 2), r.need(p, channels)}, p, prefix)
}

// convolved returns the shapes of a convolution.
func (r memoryReader) convolved(p *problem, transposed bool) shapes {
	src := r.batch(p, "ic", "i")
	out := r.need(p, "oc")
	s := shapes{src: src, bia: []int64{out}, dst: r.outputs([]int64{src[0], out}, p, transposed)}
	wei := []int64{out, src[1]}
	if groups, ok := p.entries["g"]; ok {
		if groups < 1 || out%groups != 0 || src[1]%groups != 0 {
			r.Fail(p.at, "", "%d groups do not divide ic = %d and oc = %d", groups, src[1], out)
			return s
		}
		wei = []int64{groups, out / groups, src[1] / groups}
	}
	s.wei = r.along(wei, p, "k")
	return s
}

// recurrent notes the shapes of the tensors of rnn: l layers, 1 or 2 directions, t steps in time, mb batches; slc, sic,
// dhc and dic channels. How many gates there are follows from the cell. Of one that is not known, those with gates are
// left out; a direction that is not known leaves out all but the sequences.
func (r memoryReader) recurrent(s *shapes, p *problem, cell, direction string) {
	gates := map[string]int64{
		"vanilla_rnn": 1, "vanilla_lstm": 4, "vanilla_gru": 3, "lbr_gru": 3, "vanilla_augru": 3, "lbr_augru": 3,
	}[cell]
	layers, steps, batch, hidden := p.either("l", 1), r.need(p, "t"), r.need(p, "mb"), r.need(p, "dhc")
	layer, iter := r.need(p, "slc"), p.either("sic", hidden)
	out := p.either("dic", hidden)
	directions, last := int64(1), out
	switch {
	case strings.HasPrefix(direction, "bidirectional"):
		if directions = 2; strings.HasSuffix(direction, "concat") {
			last = r.times(last, 2)
		}
	case !strings.HasPrefix(direction, "unidirectional"):
		return
	}
	s.recurrent = map[string][]int64{
		"src_layer": {steps, batch, layer}, "dst_layer": {steps, batch, p.either("dlc", last)},
		"augru_attention": {steps, batch, 1},
	}
	each := func(name string, sizes ...int64) { s.recurrent[name] = append([]int64{layers, directions}, sizes...) }
	each("src_iter", batch, iter)
	each("src_iter_c", batch, hidden)
	each("dst_iter", batch, out)
	each("dst_iter_c", batch, hidden)
	each("wei_proj", hidden, out)
	if gates == 0 {
		return
	}
	each("wei_layer", layer, gates, hidden)
	each("wei_iter", iter, gates, hidden)
	if cell == "vanilla_lstm" {
		each("wei_peephole", 3, hidden)
	}
	if strings.HasPrefix(cell, "lbr_") {
		gates++ // which has a bias of its own
	}
	each("bias", gates, hidden)
}
