package notation

import (
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
)

// problemKeys are the entries of oneDNN's problems, in verbose lines and for benchdnn.
var problemKeys = [...]string{
	"g", "mb", "ic", "id", "ih", "iw", "oc", "od", "oh", "ow", "kd", "kh", "kw", "sd", "sh", "sw", "pd", "ph", "pw",
	"dd", "dh", "dw", "ls", "alpha", "beta", "l", "t", "sic", "slc", "dhc", "dlc", "dic", "x",
}

// A problem is the sizes of all tensors of a primitive, either as lists, 2x3:3x4, or as entries, mb1ic3ih224iw224.
type problem struct {
	at      int
	lists   [][]int64
	entries map[string]int64
}

// isProblem reports whether text starts with at least two entries of a problem, with different keys: x4x5 does not.
func isProblem(text string) bool {
	first := ""
	for range 2 {
		i := 0
		for i < len(text) && lexer.IsLetter(text[i]) {
			i++
		}
		key := text[:i]
		if key == first || i == len(text) || text[i] == '_' || !slices.Contains(problemKeys[:], key) {
			return false
		}
		first = key
		for ; i < len(text) && !lexer.IsLetter(text[i]); i++ {
			if !isOf(text[i:i+1], "0123456789_*?") {
				return false
			}
		}
		text = text[i:]
	}
	return true
}

// problem reads the problem that comes next.
func (r memoryReader) problem() problem {
	p := problem{at: r.Pos, entries: map[string]int64{}}
	if c := r.Peek(); lexer.IsDigit(c) || c == '*' || c == '?' {
		p.lists = append(p.lists, r.byX())
		for r.TakeHere(":") {
			if p.lists = append(p.lists, r.byX()); len(p.lists) > layout.MaxDigits {
				r.Unexpected("more than %d tensors in a problem", layout.MaxDigits)
			}
		}
	}
	for c := r.Peek(); r.Err == nil && (lexer.IsLetter(c) || c == '_'); c = r.Peek() {
		if r.TakeHere("_") {
			continue
		}
		if c == 'n' {
			name := r.Span(func(c byte) bool { return c > ' ' && c != ',' })
			r.skip("not read: %s, the problem's name", name[1:])
			break
		}
		at := r.Pos
		key := r.Span(lexer.IsLetter)
		if !slices.Contains(problemKeys[:], key) {
			r.Fail(at, "such as mb1ic3ih224iw224 or 1x3x224x224", "%q is not an entry of a problem", key)
			break
		}
		n := r.Known(key)
		if key == "beta" || key == "alpha" { // these may be fractions, unlike sizes
			r.Span(func(c byte) bool { return lexer.IsDigit(c) || c == '.' || c == 'e' || c == '-' || c == '+' })
		}
		if _, twice := p.entries[key]; twice {
			r.Fail(at, "", "the problem says %s twice", key)
		}
		p.entries[key] = n
	}
	return p
}

// byX reads numbers with x between them.
func (r memoryReader) byX() []int64 {
	numbers := make([]int64, 0, 6)
	for more := true; more && r.Err == nil; more = r.TakeHere("x") {
		if len(numbers) == dnnlMaxRank {
			r.Unexpected("more than %d numbers: a oneDNN descriptor has at most %d axes", dnnlMaxRank, dnnlMaxRank)
		}
		numbers = append(numbers, r.Known("this number"))
	}
	return numbers
}

// either returns the number of a key, or other if the problem does not have it.
func (p *problem) either(key string, other int64) int64 {
	if n, ok := p.entries[key]; ok {
		return n
	}
	return other
}

// need returns the number of a required key.
func (r memoryReader) need(p *problem, key string) int64 {
	n, ok := p.entries[key]
	if !ok {
		r.Fail(p.at, "such as mb1ic3ih224iw224", "the problem does not say %s", key)
	}
	return n
}

// spatial returns how many of the axes d, h, w the entries with one of the prefixes have.
func (p *problem) spatial(prefixes string) int {
	for i, letter := range "dhw" {
		for _, prefix := range prefixes {
			if _, ok := p.entries[string(prefix)+string(letter)]; ok {
				return 3 - i
			}
		}
	}
	return 0
}

// along appends the numbers with a prefix for d, h and w. A missing number equals the number of the letter before it,
// as in benchdnn.
func (r memoryReader) along(sizes []int64, p *problem, prefix string) []int64 {
	last := int64(-1)
	for _, letter := range "dhw"[3-p.spatial("iok"):] {
		n := p.either(prefix+string(letter), last)
		if last = n; n < 0 {
			n = r.need(p, prefix+string(letter))
		}
		sizes = append(sizes, n)
	}
	return sizes
}

// outputs is like along, but for the sizes of the results. If they are missing, they follow from the other entries;
// transposed is for deconvolutions.
func (r memoryReader) outputs(sizes []int64, p *problem, transposed bool) []int64 {
	if p.spatial("o") > 0 || p.spatial("k") == 0 {
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

// dot returns the sum of the products of the pairs, and records an error if it does not fit.
func (r memoryReader) dot(a, b []int64) int64 {
	n, err := layout.Dot(a, b)
	r.Fault(overflowOf("a size of the result", err))
	return n
}

// shapes maps the names of a primitive's tensors to their sizes, if the problem states them. The only list is under
// "all", and the sizes of several src are numbered.
type shapes map[string][]int64

// sources returns the shapes of several src, and of their result, which may be nil.
func sources(lists [][]int64, dst []int64) shapes {
	s := shapes{"dst": dst}
	for i, sizes := range lists {
		s[nthSource(i)] = sizes
	}
	return s
}

// nthSource returns the name of one of several src.
func nthSource(i int) string { return "src " + strconv.Itoa(i) }

// shapeForms lists the entries that a problem needs, followed by tensors and their sizes. The first row with all
// entries present counts. An entry stands for its number, i* k* o* for the numbers along d, h and w, and oc/g for the
// channels of a group.
var shapeForms = [...][]string{
	{"g oc k*", "src", "mb ic i*", "bia", "oc", "dst", "mb oc o*", "wei", "g oc/g ic/g k*"},
	{"oc k*", "src", "mb ic i*", "bia", "oc", "dst", "mb oc o*", "wei", "oc ic k*"},
	{"oc", "src", "mb ic i*", "bia", "oc", "dst", "mb oc", "wei", "oc ic i*"},
	{"k*", "src", "mb ic i*", "dst", "mb ic o*", "ws", "mb ic o*"},
	{"o*", "src", "mb ic i*", "dst", "mb ic o*", "ws", "mb ic o*"},
	{"slc", "src", "t mb slc"},
	{"x", "all", "x"},
	{"", "src", "mb ic i*", "dst", "mb ic i*", "ws", "mb ic i*", "scale", "ic", "stats", "ic"},
}

// recurrentForms lists the tensors of rnn and their sizes: for all cells, for the known cells, and for LSTM. D is the
// number of directions, G the number of gates, B the number of biases.
var recurrentForms = [...][]string{
	{
		"src_layer", "t mb slc", "dst_layer", "t mb dlc", "augru_attention", "t mb 1", "src_iter", "l D mb sic",
		"src_iter_c", "l D mb dhc", "dst_iter", "l D mb dic", "dst_iter_c", "l D mb dhc", "wei_proj", "l D dhc dic",
	},
	{"wei_layer", "l D slc G dhc", "wei_iter", "l D sic G dhc", "bias", "l D B dhc"},
	{"wei_peephole", "l D 3 dhc"},
}

// shapes returns the sizes of a primitive's tensors that follow from the problem. The name of the primitive may be
// unknown. The argument axis is the axis along which concat joins, or -1 if it is unknown.
func (r memoryReader) shapes(p *problem, primitive string, axis int64) shapes {
	switch {
	case len(p.lists) == 1 && primitive == "layer_normalization":
		sizes := p.lists[0]
		last := max(len(sizes)-1, 0)
		return shapes{"src": sizes, "dst": sizes, "stats": sizes[:last], "scale": sizes[last:]}
	case len(p.lists) == 1:
		return shapes{"all": p.lists[0]}
	case len(p.lists) > 1:
		return r.listedShapes(p, primitive, axis)
	}
	s := shapes{}
	form := slices.IndexFunc(shapeForms[:], func(f []string) bool { return p.says(f[0]) })
	r.worked(s, p, shapeForms[form][1:], primitive == "deconvolution")
	return s
}

// says reports whether a problem has all of the space-separated entries keys.
func (p *problem) says(keys string) bool {
	for key := range strings.FieldsSeq(keys) {
		if _, ok := p.entries[key]; !ok && (key[1:] != "*" || p.spatial(key[:1]) == 0) {
			return false
		}
	}
	return true
}

// worked adds the sizes of the tensors of a form to s; transposed is for deconvolutions.
func (r memoryReader) worked(s shapes, p *problem, form []string, transposed bool) {
	for pair := range slices.Chunk(form, 2) {
		sizes := []int64{}
		for key := range strings.FieldsSeq(pair[1]) {
			name, kind := key[:len(key)-1], key[len(key)-1]
			switch {
			case key == "mb":
				sizes = append(sizes, p.either(key, 2))
			case key == "o*":
				sizes = r.outputs(sizes, p, transposed)
			case kind == '*':
				sizes = r.along(sizes, p, name)
			case lexer.IsDigit(kind):
				sizes = append(sizes, int64(kind-'0'))
			case len(key) < 3 || key[2] != '/':
				sizes = append(sizes, r.need(p, key))
			case p.entries["g"] < 1 || p.entries[key[:2]]%p.entries["g"] != 0:
				r.Fail(p.at, "", "%d groups do not divide ic = %d and oc = %d", p.entries["g"], p.entries["ic"],
					p.entries["oc"])
				return
			default:
				sizes = append(sizes, p.entries[key[:2]]/p.entries["g"])
			}
		}
		s[pair[0]] = sizes
	}
}

// listedShapes assigns several lists of sizes to tensors.
func (r memoryReader) listedShapes(p *problem, primitive string, axis int64) shapes {
	first, second := p.lists[0], p.lists[1]
	s := shapes{"src": first, "wei": second}
	switch n := len(first); primitive {
	case "sdpa": // the query, the keys and the values
		if len(p.lists) > 2 && n > 0 && len(p.lists[2]) == n {
			dst := slices.Clone(first)
			dst[n-1] = p.lists[2][n-1]
			s["val"], s["dst"] = p.lists[2], dst
		}
	case "matmul", "gemm", "gemm_api":
		if len(p.lists) > 2 {
			s["dst"] = p.lists[2]
		} else if n >= 2 && len(second) == n {
			dst := widest(first, second)
			dst[n-2], dst[n-1] = first[n-2], second[n-1]
			s["dst"] = dst
		}
	case "prelu":
		s["dst"] = first
	case "reduction":
		s = shapes{"src": first, "dst": second}
	case "concat":
		s = sources(p.lists, r.concatenated(p.lists, axis))
	case "binary":
		s = sources(p.lists, widest(p.lists...))
	default:
		s = sources(p.lists, nil)
	}
	return s
}

// widest returns the larger size for each axis, or nil if the ranks differ.
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

// concatenated returns the sizes of the lists joined along an axis, or nil if the axis is unknown.
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

// recurrent adds the shapes of the tensors of rnn: l layers, 1 or 2 directions, t steps in time, mb batches, and the
// channels slc, sic, dhc and dic. The number of gates follows from the cell. If the cell is unknown, tensors with gates
// are omitted. If the direction is unknown, all tensors except the sequences are omitted.
func (r memoryReader) recurrent(s shapes, p *problem, cell, direction string) {
	gates := map[string]int64{
		"vanilla_rnn": 1, "vanilla_lstm": 4, "vanilla_gru": 3, "lbr_gru": 3, "vanilla_augru": 3, "lbr_augru": 3,
	}[cell]
	hidden := r.need(p, "dhc")
	out := p.either("dic", hidden)
	directions, last := int64(1), out
	switch {
	case lexer.Like(direction, "bidirectional*"):
		if directions = 2; lexer.Like(direction, "*concat") {
			last = r.times(last, 2)
		}
	case !lexer.Like(direction, "unidirectional*"):
		return
	}
	biases := gates
	if lexer.Like(cell, "lbr_*") {
		biases++ // one with its own bias
	}
	p.entries["l"], p.entries["sic"] = p.either("l", 1), p.either("sic", hidden)
	p.entries["dic"], p.entries["dlc"] = out, p.either("dlc", last)
	p.entries["D"], p.entries["G"], p.entries["B"] = directions, gates, biases
	if r.worked(s, p, recurrentForms[0], false); gates > 0 {
		r.worked(s, p, recurrentForms[1], false)
	}
	if cell == "vanilla_lstm" {
		r.worked(s, p, recurrentForms[2], false)
	}
}
