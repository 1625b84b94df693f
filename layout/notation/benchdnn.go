package notation

import (
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
)

// benchDrivers maps benchdnn's drivers to the names of their primitives in verbose lines.
var benchDrivers = map[string]string{
	"reorder": "reorder", "matmul": "matmul", "conv": "convolution", "deconv": "deconvolution",
	"ip": "inner_product", "pool": "pooling", "binary": "binary", "concat": "concat", "sum": "sum",
	"eltwise": "eltwise", "softmax": "softmax", "bnorm": "batch_normalization", "lnorm": "layer_normalization",
	"gnorm": "group_normalization", "lrn": "lrn", "prelu": "prelu", "reduction": "reduction",
	"resampling": "resampling", "shuffle": "shuffle", "rnn": "rnn", "zeropad": "zeropad",
}

// IsBenchOptions reports whether arg is a benchdnn command line without the program's name, which looks like a flag: it
// has several words, and one of them chooses the driver, a type or a tag.
func IsBenchOptions(arg string) bool {
	if !lexer.Like(arg, "--*") || !strings.Contains(arg, " ") {
		return false
	}
	return slices.ContainsFunc(strings.Fields(arg), func(word string) bool {
		option, ok := strings.CutPrefix(word, "--")
		name, _, valued := strings.Cut(option, "=")
		field := (&bench{}).field(name)
		return ok && (benchDrivers[option] != "" || valued && field != nil && name != "strides")
	})
}

// The tensors that a benchdnn option can apply to.
const (
	source = iota
	weights
	destination
	every
)

// A bench holds the options that apply to the next problem, the offset of that problem, and the number of its tensors
// that have been added.
type bench struct {
	memoryReader
	primitive string
	axis      int64
	types     [every + 1]piece
	tags      [every + 1]piece
	strides   piece
	at, count int
}

// reproMark precedes the options that run a problem again, in the line that benchdnn prints for it.
const reproMark = "__REPRO: "

// reproAsides are the patterns of the text before the mark: the number of the problem, its result, and its run time.
var reproAsides = [...]string{"<number> : <word> __REPRO", "<number> : <word> ( <number> ms ) __REPRO"}

// readBenchDNN reads a benchdnn command line, or the lines that benchdnn prints about problems.
func readBenchDNN(of *reader) {
	r := memoryReader{of}
	for next := r.Pos; next >= 0 && r.Err == nil; {
		end := len(r.In)
		if _, after, ok := strings.Cut(r.In[next:], reproMark); ok {
			r.Pos = len(r.In) - len(after)
			end = r.LineEnd()
			r.use(r.Pos-len(reproMark), end)
		} else if next > 0 {
			r.Pos = end
			break
		}
		b := bench{memoryReader: r, axis: -1}
		b.command(end)
		next = max(r.Pos, end)
	}
	for _, aside := range reproAsides {
		pattern := lexer.NewPattern(aside)
		for i := range r.Tokens() {
			if p, ok := pattern.Match(r.In, r.Tokens(), i); ok {
				r.use(int(r.Tokens()[i].At), int(r.Tokens()[p[len(p)-1]].At))
			}
		}
	}
	r.nothingLaidOut()
}

// command reads options and then problems, up to an offset.
func (b *bench) command(end int) {
	r := b.memoryReader
	for problems := 0; ; {
		switch done := r.Done() || r.Pos >= end; {
		case done && problems == 0:
			if b.primitive == "" && b.types == [every + 1]piece{} && b.tags == b.types && b.strides == b.tags[every] {
				r.isForeign() // options of another program
			}
			r.Fail(min(end, len(r.In)), "such as benchdnn --zeropad --dt=f32 --tag=acdb 1x3x224x224",
				"the sizes are missing")
			return
		case done:
			return
		case r.TakeHere("--"):
			b.option()
		case lexer.Like(r.NextWord(), "*benchdnn"):
			r.Pos += len(r.NextWord())
		default:
			b.problem()
			problems++
		}
	}
}

// problem reads a problem and adds its tensors.
func (b *bench) problem() {
	p := b.memoryReader.problem()
	if b.Err == nil && b.Pos == p.at {
		b.Unexpected("%s is neither an option nor a problem", b.Rest())
	}
	primitive := b.primitive
	if primitive == "" && len(p.lists) > 1 && (b.tags[weights].text+b.types[weights].text != "" ||
		len(b.strides.split(":")) == 3) {
		primitive = "matmul"
	}
	s := b.shapes(&p, primitive, b.axis)
	b.at, b.count = p.at, 0
	for i := 0; s[nthSource(i)] != nil; i++ {
		b.tensor("src"+strconv.Itoa(i), source, i, s[nthSource(i)])
	}
	src, wei, dst := s["src"], s["wei"], s["dst"]
	switch {
	case s["all"] != nil:
		b.alike(s["all"])
	case wei == nil && src != nil && slices.Equal(src, dst):
		b.alike(src)
	default:
		b.tensor("src", source, 0, src)
		b.tensor("wei", weights, 0, wei)
		b.tensor("dst", destination, 0, dst)
	}
}

// alike adds the tensors of a problem with one list of sizes: two if the options distinguish src and dst, and otherwise
// one.
func (b *bench) alike(sizes []int64) {
	src := b.tags[source].text+b.types[source].text != ""
	dst := b.tags[destination].text+b.types[destination].text != ""
	two := len(b.strides.split(":")) > 1
	if two || src {
		b.tensor("src", source, 0, sizes)
	}
	if two || dst {
		b.tensor("dst", destination, 0, sizes)
	}
	if b.count == 0 {
		b.tensor("", every, 0, sizes)
	}
}

// tensor adds tensor i of a role if it has sizes.
func (b *bench) tensor(name string, role, i int, sizes []int64) {
	if sizes == nil || b.Err != nil {
		return
	}
	n := b.count
	b.count++
	b.dnnlSizes(b.at, sizes)
	option := b.optionOf(&b.types, role, i, n)
	d := Descriptor{Name: name, Typed: option.text != ""}
	dtype := b.typeIn(option)
	tag := b.optionOf(&b.tags, role, i, n)
	strides := b.strides.nth(n)
	switch {
	case strides.text != "" && tag.text != "":
		b.Fail(tag.at, "remove one of them", "a tag and strides exclude each other")
	case strides.text != "":
		b.dnnlStrided(strides.at, d, dtype, sizes, b.pieceNumbers(strides, "strides"))
	case tag.text == "any" || tag.text == "undef":
		b.skip("the tag %s: oneDNN chooses the layout", tag.text)
	case tag.text != "":
		b.tagged(d, dtype, b.formatTag(tag.at, tag.text, len(sizes), true), sizes)
	default:
		if slices.Contains([]string{"convolution", "deconvolution", "inner_product", "matmul"}, b.primitive) {
			d.skip("no tag is given for %s: read as row-major; oneDNN may choose another layout (any)", name)
		}
		b.strided(b.at, d, dtype, 0, sizes, b.rowMajor(sizes))
	}
}

// optionOf returns the option for tensor i of a role, or else the option for tensor n of all roles.
func (b *bench) optionOf(options *[every + 1]piece, role, i, n int) piece {
	if option := options[role].share(i); option.text != "" {
		return option
	}
	return options[every].share(n)
}

// writeBenchDNN writes the options and sizes of a tensor that has a tag.
func writeBenchDNN(t layout.Tensor) (string, error) {
	_, dtype, err := memoryTag(t)
	if err != nil {
		return "", err
	}
	g, err := tagOf(t, true)
	if err != nil {
		return "", err
	}
	tag, sizes := g.text(abc(t.Layout().Rank())), t.Layout().Sizes()
	return "benchdnn --zeropad --dt=" + dtype + " --tag=" + tag + " " + layout.JoinInts(sizes, "x"), nil
}

// option reads an option after its dashes.
func (b *bench) option() {
	at := b.Pos
	text := b.NextWord()
	b.Pos += len(text)
	name, value, _ := strings.Cut(text, "=")
	option := piece{at + len(name) + 1, value}
	field := b.field(name)
	switch {
	case field != nil && len(option.split(",")) > 1:
		b.Fail(option.split(",")[1].at-1, "write one of them", "--%s has several values", name)
	case field != nil:
		*field = option
	case name == "axis":
		b.axis, _ = strconv.ParseInt(value, 10, 64)
	case value == "" && benchDrivers[name] != "":
		b.primitive = benchDrivers[name]
	default:
		b.skip("--%s, which says nothing of the layout", text)
	}
}

// field returns a pointer to the value of an option: strides, or dt and tag, optionally after the letter of a role.
func (b *bench) field(name string) *piece {
	if name == "strides" {
		return &b.strides
	}
	for role, prefix := range [...]string{source: "s", weights: "w", destination: "d", every: ""} {
		switch name {
		case prefix + "dt":
			return &b.types[role]
		case prefix + "tag":
			return &b.tags[role]
		}
	}
	return nil
}

// share returns part n of a value, or the whole value if it applies to all tensors because it has no colons.
func (p piece) share(n int) piece {
	if len(p.split(":")) == 1 {
		return p
	}
	return p.nth(n)
}
