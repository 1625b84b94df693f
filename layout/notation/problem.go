package notation

import (
	"slices"
	"strings"

	"layoutcalc/layout"
)

// problemKeys are the entries of oneDNN's problems, in verbose lines and for benchdnn.
var problemKeys = [...]string{
	"g", "mb", "ic", "id", "ih", "iw", "oc", "od", "oh", "ow", "kd", "kh", "kw", "sd", "sh", "sw", "pd", "ph", "pw",
	"dd", "dh", "dw", "ls", "alpha", "beta", "l", "t", "sic", "slc", "dhc", "dlc", "dic", "x",
}

// A problem says the sizes of all tensors of a primitive: in lists, 2x3:3x4, or in entries,
// mb1ic3ih224iw224.
type problem struct {
	at      int
	text    string
	lists   [][]int64
	entries []problemEntry
}

type problemEntry struct {
	key string
	n   int64
}

// isProblem reports whether the text starts with two entries of a problem at least.
func isProblem(text string) bool {
	pairs := 0
	for i := 0; i < len(text) && pairs < 2; pairs++ {
		start := i
		for i < len(text) && isLetter(text[i]) {
			i++
		}
		if i == len(text) || !slices.Contains(problemKeys[:], text[start:i]) || !isDigit(text[i]) && text[i] != '*' && text[i] != '?' {
			return false
		}
		for i < len(text) && !isLetter(text[i]) {
			if strings.IndexByte("0123456789_*?", text[i]) < 0 {
				return false
			}
			i++
		}
	}
	return pairs == 2
}

// problem reads the problem that comes next.
func (r *reader) problem() problem {
	p := problem{at: r.pos}
	if c := r.peek(); isDigit(c) || c == '*' || c == '?' {
		p.lists = append(p.lists, r.byX())
		for r.takeHere(":") {
			if p.lists = append(p.lists, r.byX()); len(p.lists) > layout.MaxDigits {
				r.unexpected("more than %d tensors in a problem", layout.MaxDigits)
			}
		}
	}
	for c := r.peek(); r.err == nil && (isLetter(c) || c == '_'); c = r.peek() {
		if r.takeHere("_") {
			continue
		}
		if c == 'n' {
			name := r.span(func(c byte) bool { return c > ' ' && c != ',' })
			r.skip("%s, the problem's name", name[1:])
			break
		}
		p.entries = append(p.entries, r.problemEntry())
	}
	if r.err == nil {
		p.text = r.text[p.at:r.pos]
	}
	return p
}

// byX reads numbers with x between them.
func (r *reader) byX() []int64 {
	numbers := make([]int64, 0, 6)
	for more := true; more && r.err == nil; more = r.takeHere("x") {
		if len(numbers) == dnnlMaxRank {
			r.unexpected("more than %d numbers: a descriptor of oneDNN has at most %d axes", dnnlMaxRank, dnnlMaxRank)
		}
		numbers = append(numbers, r.known("this number"))
	}
	return numbers
}

// problemEntry reads a key and its number. Fractions are of factors, not of sizes.
func (r *reader) problemEntry() problemEntry {
	at := r.pos
	key := r.span(isLetter)
	if !slices.Contains(problemKeys[:], key) {
		r.fail(at, "such as mb1ic3ih224iw224 or 1x3x224x224", "%q is no entry of a problem", key)
		return problemEntry{}
	}
	e := problemEntry{key, r.known(key)}
	if key == "beta" || key == "alpha" {
		r.span(func(c byte) bool { return isDigit(c) || c == '.' || c == 'e' || c == '-' || c == '+' })
	}
	return e
}

// get returns the number of a key.
func (p *problem) get(key string) (n int64, ok bool) {
	for _, e := range p.entries {
		if e.key == key {
			return e.n, true
		}
	}
	return 0, false
}

// either returns the number of a key, or another one.
func (p *problem) either(key string, other int64) int64 {
	if n, ok := p.get(key); ok {
		return n
	}
	return other
}

// need returns the number of a key that has to be there.
func (r *reader) need(p *problem, key string) int64 {
	n, ok := p.get(key)
	if !ok {
		r.fail(p.at, "such as mb1ic3ih224iw224", "the problem does not say %s", key)
	}
	return n
}

// spatial returns how many of the axes d, h, w the problem has.
func (p *problem) spatial() int {
	for i, letter := range []string{"d", "h", "w"} {
		for _, prefix := range []string{"i", "o", "k"} {
			if _, ok := p.get(prefix + letter); ok {
				return 3 - i
			}
		}
	}
	return 0
}

// has reports whether an entry for d, h or w has the prefix.
func (p *problem) has(prefix string) bool {
	return slices.ContainsFunc(p.entries, func(e problemEntry) bool {
		return len(e.key) == 2 && e.key[:1] == prefix && strings.Contains("dhw", e.key[1:])
	})
}

// along appends the numbers of a prefix for d, h, w: one that is missing is that of the letter
// before it, as benchdnn has it.
func (r *reader) along(sizes []int64, p *problem, prefix string) []int64 {
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
func (r *reader) outputs(sizes []int64, p *problem, transposed bool) []int64 {
	if p.has("o") || !p.has("k") {
		return r.along(sizes, p, "o")
	}
	factor := func(prefix string, other int64) func(letter string) int64 {
		last := other
		return func(letter string) int64 { last = p.either(prefix+letter, last); return last }
	}
	stride, pad, dilation := factor("s", 1), factor("p", 0), factor("d", 0)
	in, kernel := r.along(nil, p, "i"), r.along(nil, p, "k")
	for i := range in {
		letter := "dhw"[3-len(in)+i:][:1]
		s, before := max(stride(letter), 1), pad(letter)
		reach := r.dot([]int64{kernel[i] - 1, 1}, []int64{r.dot([]int64{dilation(letter), 1}, []int64{1, 1}), 1})
		if transposed {
			sizes = append(sizes, r.dot([]int64{in[i] - 1, reach, -2}, []int64{s, 1, before}))
			continue
		}
		steps := r.dot([]int64{in[i], -1, 2}, []int64{1, reach, before}) / s
		sizes = append(sizes, r.dot([]int64{steps, 1}, []int64{1, 1}))
	}
	return sizes
}

// dot is the sum of the products of the pairs; a sum that does not fit is noted.
func (r *reader) dot(a, b []int64) int64 {
	n, err := layout.Dot(a, b)
	r.fault(overflowOf("a size of the result", err))
	return n
}
