package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A generator makes command lines. The same seed and sources give the same lines.
type generator struct {
	*rand.Rand
	texts   []text   // texts in notations
	topics  []string // topics of explain
	command string   // command of the present line
}

// A text is a tensor in a notation, or any other text. Its shape may be unknown.
type text struct {
	text string
	of   shaped
}

// kinds lists the commands of generated lines with a function for the arguments of each.
var kinds = [...]struct {
	command string
	args    func(*generator) []string
}{
	{"strides", (*generator).strides}, {"offset", (*generator).offset}, {"size", (*generator).size},
	{"convert", (*generator).pair}, {"view", (*generator).view}, {"compare", (*generator).pair},
	{"check", (*generator).check}, {"owner", (*generator).owner}, {"access", (*generator).access},
	{"algebra", (*generator).algebra}, {"explain", (*generator).explain},
}

// newGenerator returns a generator with texts, and with those that a program writes.
func newGenerator(seed uint64, texts []string, answer func(args ...string) (string, error)) (*generator, error) {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1))}
	for range 40 {
		t := g.shaped()
		out, err := answer("strides", t.shape, t.layout, "-t", pick(g, types), "--as", "all", "-o", "json")
		if err != nil {
			return nil, err
		}
		var tensor struct{ Notations []struct{ Text string } }
		if json.Unmarshal([]byte(out), &tensor) == nil {
			for _, n := range tensor.Notations {
				g.texts = append(g.texts, text{n.Text, shaped{sizes: t.sizes}})
			}
		}
	}
	if len(g.texts) == 0 {
		return nil, fmt.Errorf("the program writes no notation")
	}
	for range len(texts) / 2 { // as many of others
		g.texts = append(g.texts, g.texts[g.IntN(len(g.texts))])
	}
	for _, t := range texts {
		g.texts = append(g.texts, text{t, shaped{sizes: make([]string, 2+g.IntN(3))}})
	}
	out, err := answer("explain", "-o", "json")
	var list struct{ Topics []struct{ Name string } }
	if err == nil {
		err = json.Unmarshal([]byte(out), &list)
	}
	for _, topic := range list.Topics {
		g.topics = append(g.topics, topic.Name)
	}
	return g, err
}

// calls returns n calls, as many of each command, and as many without one.
func (g *generator) calls(n int) []call {
	list := make([]call, 0, n)
	for len(list) < n {
		i := len(list) % (len(kinds) + 1)
		kind := kinds[min(i, len(kinds)-1)]
		if i == len(kinds) {
			kind = kinds[g.IntN(5)]
		}
		g.command = kind.command
		args := kind.args(g)
		if i < len(kinds) {
			args = append([]string{kind.command}, args...)
		}
		if g.percent(6) {
			args = g.wrong(args)
		}
		if c := (call{args: args}); !c.writes() && !strings.ContainsRune(strings.Join(args, ""), 0) {
			list = append(list, c)
		}
	}
	return list
}

// percent reports true in n of 100 calls.
func (g *generator) percent(n int) bool { return g.IntN(100) < n }

// pick returns an element of list.
func pick[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

// number returns a number from low to high as text.
func (g *generator) number(low, high int) string { return strconv.Itoa(low + g.IntN(high-low+1)) }

// joined returns n texts with a separator between them.
func joined(n int, separator string, text func(i int) string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = text(i)
	}
	return strings.Join(list, separator)
}

// types are element types, in the spellings of many systems.
var types = []string{
	"float32", "float16", "float64", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz",
	"float8_e8m0fnu", "float8_e4m3b11fnuz", "float4_e2m1fn", "int64", "int32", "int16", "int8", "uint64", "uint32",
	"uint16", "uint8", "int4", "uint4", "int2", "uint2", "bool", "complex32", "complex64", "complex128", "unknown",
	"f32", "f16", "bf16", "f64", "i8", "i4", "u4", "u8", "s8", "s32", "<f4", ">f4", "<i2", "|u1", "|b1", "FLOAT16",
	"DML_TENSOR_DATA_TYPE_FLOAT32", "torch.float16", "torch.bfloat16", "np.int8", "half", "double", "F8_E4M3", "e5m2",
	"f8E4M3FN", "tf32", "q4_0", "q8_0", "q4_k", "mxfp4", "iq2_xxs", "GGML_TYPE_Q5_0", "float", "int", "i7", "f8",
	"flaot32",
}

// layouts are names of layouts without fixed letters.
var layouts = []string{
	"channels_last", "channels_last_3d", "row-major", "column-major", "contiguous", "C", "F", "any", "NC4HW4",
	"NC/32HW32", "chw32", "hwc8", "blocked", "NV12", "yuv420p", "rgba8unorm", "P010", "I420", "YUY2",
}

// names are names of layouts by rank.
var names = [...][]string{
	{""}, {"W", "N", "a", "C"}, {"HW", "WH", "NC", "CN", "ab", "ba", "AB16b", "Ba8b", "BA4b"},
	{"CHW", "HWC", "NCW", "NWC", "TNC", "NTC", "abc", "acb", "cba", "nCw16c", "aBc8b", "CHW4c"},
	{"NCHW", "NHWC", "NCHW8c", "nChw16c", "NCHW16c", "OIHW", "HWIO", "OHWI", "abcd", "acdb", "aBcd8b", "OIHW4i16o4i",
		"OIhw4i16o4i", "OIhw8i8o", "ABcd16b16a", "NChw16n16c", "NHWC8c", "BHWC", "LNHC", "NCWH"},
	{"NCDHW", "NDHWC", "GOIHW", "goihw", "abcde", "acdeb", "aBcde8b", "nCdhw16c", "gOIhw4o4i", "OIDHW", "NTHWC"},
	{"GOIDHW", "abcdef", "aBcdef8b", "fedcba", "gOIdhw16i16o", "acbdef"},
}

// small, large and odd are sizes.
var (
	small = []string{"1", "1", "2", "2", "3", "3", "4", "4", "5", "6", "7", "8", "8", "16", "17", "32"}
	large = []string{"55", "64", "100", "112", "128", "224", "256", "1000", "1024", "4096", "65536", "50257"}
	odd   = []string{"0", "4294967296", "9223372036854775807", "65537", "?", "N", "-1", "s77", "2147483648", "1e3"}
)

// A shaped is a shape with a layout.
type shaped struct {
	shape, layout, letters string // letters of the axes in the order of the sizes, one for each
	sizes                  []string
}

// isSmall reports whether t has at most 10,000 elements, so that a command may visit each.
func (t shaped) isSmall() bool {
	n := 1
	for _, size := range t.sizes {
		extent, err := strconv.Atoi(size)
		if n *= extent; err != nil || n > 10_000 {
			return false
		}
	}
	return true
}

// axis returns an axis of t, as a letter or a number.
func (g *generator) axis(t shaped) string {
	if t.letters == "" || g.percent(30) {
		axis := g.IntN(max(len(t.sizes), 1))
		if g.percent(5) {
			axis = pick(g, []int{-1, -2, len(t.sizes)})
		}
		return strconv.Itoa(axis)
	}
	return string(t.letters[g.IntN(len(t.letters))])
}

// letters match the upper-case form of a name without blocks.
var letters = regexp.MustCompile(`^[A-Z]+$`)

// shaped returns a shape of rank 0 to 6 and a layout.
func (g *generator) shaped() (t shaped) {
	rank := pick(g, []int{0, 1, 2, 2, 3, 3, 4, 4, 4, 4, 5, 6})
	sizes := small
	if g.percent(25) {
		sizes = large
	}
	for range rank {
		list := sizes
		if g.percent(20) {
			list = small
		}
		if g.percent(2) {
			list = odd
		}
		t.sizes = append(t.sizes, pick(g, list))
	}
	t.layout = pick(g, names[rank])
	switch {
	case g.percent(10):
		t.layout = pick(g, layouts)
	case g.percent(3):
		t.layout = g.mutate(pick(g, pick(g, names[:])))
	case g.percent(6):
		t.layout = g.list(rank, large)
	}
	if name := strings.ToUpper(t.layout); letters.MatchString(name) && len(name) == rank {
		t.letters = name
	}
	switch {
	case rank == 0:
		t.shape = pick(g, []string{"[]", "()", "[]", "()"})
	case t.letters != "" && g.percent(20):
		t.shape = joined(rank, ",", func(i int) string { return string(t.letters[i]) + "=" + t.sizes[i] })
	case g.percent(60):
		t.shape = strings.Join(t.sizes, "x")
	default:
		t.shape = pick(g, []string{"%s", "[%s]", "(%s)", "{%s}", "torch.Size([%s])"})
		t.shape = strings.Replace(t.shape, "%s", strings.Join(t.sizes, pick(g, []string{",", ", "})), 1)
	}
	return t
}

// list returns n numbers of a list between commas.
func (g *generator) list(n int, of []string) string {
	return joined(n, ",", func(int) string { return pick(g, of) })
}

// tensor returns the arguments that describe a tensor, and the shape if it is known.
func (g *generator) tensor() (args []string, t shaped) {
	if g.percent(35) {
		text := g.text()
		args, t = append(args, text.text), text.of
		if g.percent(15) {
			args = append(args, "--from", pick(g, notations))
		}
		if g.percent(6) {
			args = append(args, "--tensor", pick(g, []string{"0", "1", "src", "dst", "wei", "a", "x", "nothing"}))
		}
		return append(args, g.shaping(t, 12)...), t
	}
	t = g.shaped()
	args = append(args, t.shape)
	if t.layout != "" && g.percent(75) {
		args = append(args, t.layout)
	}
	return append(args, g.shaping(t, 30)...), t
}

// shaping returns flags that shape a tensor: at least one in so many of 100 calls.
func (g *generator) shaping(t shaped, percent int) (args []string) {
	rank := len(t.sizes)
	isOpen := slices.ContainsFunc(t.sizes, func(size string) bool { return slices.Contains(odd, size) })
	if isOpen && g.percent(60) {
		args = append(args, "--dim", pick(g, []string{"8", "N=4", "2,8", "s77=8", "batch=2", "-1"}))
	}
	for g.percent(percent) {
		axisNumber := func(numbers []string) string { return g.axis(t) + "=" + pick(g, numbers) }
		pitches := append([]string{"256B", "64B", "30", "33"}, large...)
		switch g.IntN(18) {
		case 0:
			if t.layout != "" && g.percent(90) {
				continue
			}
			args = append(args, "--strides", g.list(rank, append(large, "0", "1", "-1", "4B")))
		case 1:
			args = append(args, "--storage-offset", pick(g, []string{"0", "1", "16", "64B", "-3", "x"}))
		case 2:
			args = append(args, "--order", pick(g, []string{"NHWC", "HWC", "NCHW", "ntc", "BHWC", "XYZ"}))
		case 3:
			args = append(args, "--rank", g.number(0, 9))
		case 4, 5:
			args = append(args, "-t", pick(g, types))
		case 6:
			args = append(args, "--pad", axisNumber(small))
		case 7:
			args = append(args, "--pitch", pick(g, []string{axisNumber(pitches), pick(g, pitches)}))
		case 8:
			args = append(args, "--align", pick(g, []string{axisNumber(pitches), pick(g, pitches)}))
		case 9:
			args = append(args, "--ld", pick(g, pitches))
		case 10:
			args = append(args, "--broadcast", joined(1+g.IntN(2), ",", func(int) string { return g.axis(t) }))
		case 11:
			args = append(args, "--chunks", joined(max(rank, 1), "x", func(int) string { return pick(g, small) }))
		case 12:
			args = append(args, "--tile", joined(1+g.IntN(2), "x", func(int) string { return pick(g, small) }))
		case 13:
			args = append(args, "--for", pick(g, []string{"d3d12", "webgpu", "vulkan", "metal"}))
		case 14:
			args = append(args, "--swizzle", pick(g, swizzles))
		case 15:
			args = append(args, "--view", g.step(t))
		case 16:
			if g.has("--buffer") {
				args = append(args, "--buffer", pick(g, []string{"100", "1MiB", "64K", "0x2c", "0", "-1", "96"}))
			}
		case 17:
			if t.layout == "" || g.percent(5) {
				args = append(args, "--layout", pick(g, layouts))
			}
		}
	}
	return args
}

// swizzles are values of --swizzle.
var swizzles = []string{"128B", "64B", "32B", "3,3,3", "2,3,8", "5,0,5", "256B", "3,4,3B"}

// notations are the names of --from and --as.
var notations = []string{
	"name", "pytorch", "fx", "cute", "numpy", "numpy-interface", "dml", "dxdispatch", "mdspan", "dlpack", "dlpack-json",
	"cudnn", "ggml", "onednn", "onednn-tag", "onednn-verbose", "xla", "stablehlo", "mlir", "affine-map", "torch",
	"auto",
}

// without lists flags that are not flags of all commands, with those that do not have them.
var without = map[string][]string{
	"--as":     {"check", "explain", "offset", "owner"},
	"--buffer": {"check", "compare", "access", "owner"},
	"-v":       {"offset", "convert", "view", "compare", "owner", "access", "algebra", "explain"},
}

// has reports whether the command of the line has a flag. It is seldom wrong.
func (g *generator) has(flag string) bool {
	return !slices.Contains(without[flag], g.command) || g.percent(2)
}

// output returns flags that shape an answer.
func (g *generator) output(formats, fields []string) (args []string) {
	switch {
	case g.percent(45):
		args = append(args, "-o", pick(g, formats))
	case g.percent(15):
		args = append(args, "--get", pick(g, fields))
	case g.percent(10) && g.has("--as"):
		args = append(args, "-o", pick(g, notations))
	}
	for _, flag := range []string{"-q", "-v", "--ascii", "--width=60"} {
		if g.percent(8) && g.has(flag) {
			args = append(args, flag)
		}
	}
	if g.percent(15) && g.has("--as") {
		name := pick(g, notations)
		args = append(args, "--as", pick(g, []string{name, name + "," + pick(g, notations), "all"}))
	}
	return args
}

// formats are the values of -o.
var formats = []string{"table", "plain", "plain", "json", "json", "csv", "markdown"}

// fields are the values of --get.
var fields = []string{
	"strides", "sizes", "strides,bytes", "bytes", "layout", "base", "dtype", "tensor", "tensor.packed",
	"tensor.strides",
	"strides[0]", "dimOrder", "tensor.coalesced", "tensor.overlap", "permutation", "notations.0.text", "contiguous",
	"tensor.digits", "results[0]", "results[0].offset", "same", "firstDifference.index", "steps.0.kind", "text",
	"planes",
	"tensor.elements", "tensor.names", "storage.bytes", "eror", "widest.bytes", "swizzles", "misses",
}

func (g *generator) strides() []string {
	args, t := g.tensor()
	if g.percent(4) {
		args = append(args, "--sweep", g.axis(t)+"="+pick(g, []string{"1..5", "8,16", "1..64:8", "5..1", "0..3"}))
	}
	return append(args, g.output(formats, fields)...)
}

func (g *generator) offset() []string {
	args, t := g.tensor()
	index := func() string {
		return joined(len(t.sizes), ",", func(i int) string {
			n, _ := strconv.Atoi(t.sizes[i])
			text := g.number(0, max(min(n, 9), 2)-1)
			if g.percent(4) {
				text = pick(g, []string{"-1", "99", "x", "1.5"})
			}
			if t.letters != "" && g.percent(10) {
				text = string(t.letters[i]) + "=" + text
			}
			return text
		})
	}
	switch g.IntN(5) {
	case 0, 1:
		for args = append(args, index()); g.percent(20); {
			args = append(args, index())
		}
	case 2, 3:
		at := []string{g.number(0, 12), g.number(0, 300), g.number(0, 30) + "," + g.number(0, 30), "20B", "93B", "-1"}
		args = append(args, "--at", pick(g, at))
	case 4:
		low := g.IntN(20)
		args = append(args, "--range", pick(g, []string{
			fmt.Sprintf("%d:%d", low, low+g.IntN(40)), fmt.Sprintf("%d:%d", -low, low), ":8", "8:2", "2"}))
	}
	if g.percent(5) {
		args = append(args, "--values", pick(g, []string{"index", "1,2,3,4,5,6", "a,b"}))
	}
	return append(args, g.output(formats, fields)...)
}

func (g *generator) size() []string {
	args, t := g.tensor()
	if g.percent(60) {
		args = append(args, pick(g, [][]string{
			{"--buffer", pick(g, []string{"100", "1MiB", "64K", "0", "602112", "12MB"})},
			{"--for", pick(g, []string{"d3d12", "webgpu", "vulkan"})},
			{"--chunks", joined(max(len(t.sizes), 1), "x", func(int) string { return pick(g, small) })},
			{"--tile", joined(2, "x", func(int) string { return pick(g, small) })},
			{"-t", pick(g, types)},
		})...)
	}
	return append(args, g.output(formats, fields)...)
}

// pair returns the arguments of a command that takes two layouts.
func (g *generator) pair() []string {
	var args []string
	t := g.shaped()
	if g.percent(25) {
		text := g.text()
		args, t = append(args, text.text), text.of
	} else {
		args = append(args, t.shape, t.layout)
	}
	switch {
	case t.letters != "" && g.percent(50):
		letters := []byte(t.letters)
		g.Shuffle(len(letters), func(i, j int) { letters[i], letters[j] = letters[j], letters[i] })
		args = append(args, string(letters))
	case g.percent(70):
		args = append(args, pick(g, names[len(t.sizes)]))
	case g.percent(40):
		args = append(args, g.list(len(t.sizes), large))
	case g.percent(50):
		args = append(args, pick(g, layouts))
	default:
		args = append(args, g.text().text)
	}
	args = append(args, g.shaping(t, 15)...)
	if g.percent(8) && t.isSmall() {
		args = append(args, pick(g, []string{"--moves", "--infer-swizzle"}))
	}
	return append(args, g.output(formats, fields)...)
}

func (g *generator) view() []string {
	args, t := g.tensor()
	for args = append(args, g.step(t)); g.percent(50); {
		args = append(args, g.step(t))
	}
	if g.percent(15) {
		args = append(args, "--from", "numpy")
	}
	return append(args, g.output(formats, fields)...)
}

// step returns a view operation for a tensor of about the rank of t.
func (g *generator) step(t shaped) string {
	rank := max(len(t.sizes), 1)
	n := func() string { return g.number(-1, rank) }
	f := func(format string, args ...any) string { return fmt.Sprintf(format, args...) }
	order := joined(rank, ",", func(i int) string { return strconv.Itoa(i) })
	if axes := strings.Split(order, ","); g.percent(90) {
		g.Shuffle(rank, func(i, j int) { axes[i], axes[j] = axes[j], axes[i] })
		order = strings.Join(axes, ",")
	}
	step := pick(g, []string{
		"permute(" + order + ")", "transpose(" + order + ")", f("transpose(%s,%s)", n(), n()),
		f("swapaxes(%s,%s)", n(), n()),
		f("movedim(%s,%s)", n(), n()), "T", "t()", "mT", f("select(%s,%s)", n(), g.number(0, 2)),
		f("narrow(%s,%s,%s)", n(), g.number(0, 2), g.number(0, 3)), f("chunk(2,%s)[%s]", n(), g.number(0, 2)),
		f("split(2,%s)[0]", n()), f("unbind(%s)[0]", n()), "squeeze()", f("squeeze(%s)", n()), f("unsqueeze(%s)", n()),
		f("flip(%s)", n()), "rot90(1,(0,1))", f("roll(1,%s)", n()), "diagonal(0,0,1)", "diagonal()",
		f("unfold(%s,%s,1)", n(), g.number(1, 4)), "sliding_window_view(x,3,axis=0)", "reshape(-1)", "view(-1)",
		f("reshape(%s,-1)", g.number(1, 6)), f("view(%s,-1)", g.number(1, 6)), f("flatten(%s,%s)", n(), n()),
		"flatten()",
		f("unflatten(%s,(2,-1))", n()), "ravel()", "contiguous()", "contiguous(channels_last)", "half()",
		"clone()", "copy()",
		"to(memory_format=channels_last)", "astype(f4)", "expand(" + g.list(rank, append(small, "-1", "-1")) + ")",
		"repeat(2," + strings.Repeat("1,", rank-1) + "1)", "tile(2,1)", "as_strided((2,3),(3,1),0)",
		"[" + joined(g.IntN(rank+1)+1, ", ", func(int) string { return pick(g, sliceParts) }) + "]", "[...]",
		"T.contiguous()",
	})
	if g.percent(4) {
		return g.mutate(step)
	}
	return step
}

// sliceParts are the parts of a slice.
var sliceParts = []string{
	":", ":", "0", "1", "-1", "1:3", "::2", "...", "None", ":2", "1:", "::-1", "-2:", "5", "10:20", "1:1",
}

func (g *generator) check() []string {
	args, _ := g.tensor()
	if g.percent(50) {
		args = append(args, "--target", pick(g, []string{
			"directml", "directml@6.2", "directml@1.0", "pytorch", "onednn", "tma", "mdspan", "none", "directx"}))
	}
	if g.percent(10) {
		args = append(args, "--role", pick(g, []string{"input", "output", "weight", "inplace"}))
	}
	if g.percent(6) {
		args = append(args, "--box", joined(2, "x", func(int) string { return pick(g, small) }))
	}
	args = append(args, pick(g, [][]string{
		nil, nil, {"--severity", "note"}, {"--fail-on", "warning"}, {"--ignore", "gaps"}, {"--rule", "stride"},
		{"--target", "tma", "--tma-swizzle", "128B"}, {"--target", "tma", "--interleave", "16B", "--address", "0x1000"},
	})...)
	reports := []string{
		"text", "plain", "json", "jsonl", "sarif", "junit", "github", "gitlab", "markdown", "csv",
	}
	return append(args, g.output(reports, []string{"files", "descriptors", "error", "warning", "note", "eror"})...)
}

// instructions are those of owner and --lanes.
var instructions = []string{
	"mma.m16n8k16.f16:A", "mma.m16n8k16.f16:B", "mma.m16n8k16.f16:C", "mma.m16n8k8.tf32:A", "mma.m16n8k32.s8:B",
	"mma.m8n8k4.f64:A", "mma.m8n8k4.f16:C", "mma.m16n8k64.s4:A", "wgmma.m64n24k16:C", "wgmma.m64n128k16.f16:A",
	"v_mfma_f32_32x32x8_f16:D", "v_mfma_f32_16x16x4_f32:A", "v_mfma_i32_32x32x16_i8:B", "v_mfma_f32_4x4x4_f16:C",
	"v_wmma_f32_16x16x16_f16:A@gfx12", "v_wmma_f32_16x16x16_f16:D@gfx11", "v_wmma_f32_16x16x16_f16:A", "ldmatrix.x4",
	"ldmatrix.x2.trans", "tcgen05.ld.32x32b.x8", "tcgen05.ld.16x256b.x2", "mma.m16n8k16.f16",
	"v_smfmac_f32_32x32x16_f16:A",
	"BlockedLayout([1, 2], [4, 8], [2, 1], [1, 0])", "BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0])",
	"BlockedLayout([1, 4], [16, 2], [1, 1], [1, 0])", "BlockedLayout([1], [32], [4], [0])",
	"#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>",
	"#ttg.linear<{register = [[0, 1]], lane = [[0, 2], [1, 0]], warp = [], block = []}>",
	"#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>",
	"#ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], instrShape = [32, 32], isTransposed = true}>",
	"#ttg.dot_op<{opIdx = 1, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], " +
		"instrShape = [16, 8]}>, kWidth = 2}>",
	"#ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], " +
		"warpsPerCTA = [4, 1], order = [1, 0]}>}>",
	"#ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 8, order = [1, 0]}>",
	"tensor<16x8xf16, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], " +
		"instrShape = [16, 8]}>>",
	"make_tiled_copy_tv(atom, (32,8):(1,32), (4,1):(1,1))", "((4,8),(2,2)):((32,1),(16,8))",
	"((4,8),(2,2,2)):((32,1),(16,8,128))",
}

// instruction returns an instruction or an encoding, sometimes with an error.
func (g *generator) instruction() string {
	text := pick(g, instructions)
	if g.percent(25) {
		return g.mutate(text)
	}
	return text
}

func (g *generator) owner() []string {
	args := []string{g.instruction()}
	if strings.HasPrefix(args[0], "((") && g.percent(80) {
		args = append(args, "--into", pick(g, []string{"16x8", "16x16", "4x4"}))
	}
	if !strings.ContainsAny(args[0][:1], "mvwlt") && g.percent(80) {
		args = append(args, pick(g, []string{"8x16", "16x16", "32x16", "64x64", "8x8x2", "128", "1x1", "0x4"}))
	}
	switch g.IntN(8) {
	case 0, 1:
		args = append(args, g.number(0, 15)+","+g.number(0, 15))
	case 2:
		args = append(args, pick(g, []string{"--lane", "--warp", "--thread", "--value", "--block"}), g.number(0, 40))
	case 3:
		args = append(args, "--to", g.instruction())
	case 4:
		args = append(args, "--range", pick(g, []string{"0:8", "4:20", "8:4"}))
	}
	if g.percent(25) {
		args = append(args, "-t", pick(g, types))
	}
	if g.percent(15) {
		args = append(args, "--as", pick(g, []string{"cute", "linear", "triton", "triton-hw", "all", "numpy"}))
	}
	owned := []string{"results[0].holders[0].lane", "results[0]", "tile", "threads", "eror", "registers"}
	return append(args, g.output(formats, owned)...)
}

func (g *generator) access() []string {
	args, t := g.tensor()
	if g.percent(20) && t.isSmall() {
		args = append(args, "--loops", joined(2, ",", func(int) string { return g.axis(t) }))
		for g.percent(30) {
			args = append(args, pick(g, []string{"--cache-line=128", "--cache-lines=4", "--cache-lines=64", "--banks"}))
		}
		return append(args, g.output(formats, fields)...)
	}
	for axis := g.IntN(max(len(t.sizes), 1)); ; axis = g.IntN(max(len(t.sizes), 1)) {
		lanes := strconv.Itoa(axis) + "=" + pick(g, []string{"2", "4", "8", "16", "32"})
		if axis < len(t.sizes) && slices.Contains([]string{"2", "3", "4", "5", "6", "7", "8", "16"}, t.sizes[axis]) {
			lanes = strconv.Itoa(axis) + "=" + t.sizes[axis]
		}
		if g.percent(15) {
			lanes += "," + g.axis(t) + "=" + pick(g, small)
		}
		if g.percent(10) {
			lanes = g.instruction()
		}
		if args = append(args, "--lanes", lanes); g.percent(80) {
			break
		}
	}
	for g.percent(45) {
		args = append(args, pick(g, [][]string{
			{"--all"}, {"--banks"}, {"--sectors"}, {"--ideal"}, {"--vec", pick(g, []string{"1", "2", "4", "8", "3"})},
			{"--all", "--try", "swizzles"}, {"--all", "--try", "pads"}, {"--max-wavefronts", pick(g, small)},
			{"--phases", "ds_read_b128"}, {"--phases", "cuda"},
			{"--start", g.list(max(len(t.sizes), 1), []string{"0", "0", "1", "4"})},
		})...)
	}
	return append(args, g.output(formats, fields)...)
}

// cute returns a layout in the notation of CuTe.
func (g *generator) cute() string {
	n := 1 + g.IntN(3)
	var shape, stride []string
	next := 1
	for range n {
		size := pick(g, []int{1, 2, 2, 3, 4, 4, 6, 8, 8, 16})
		shape = append(shape, strconv.Itoa(size))
		stride = append(stride, strconv.Itoa(next))
		if next *= size; g.percent(20) {
			stride[len(stride)-1] = pick(g, small)
		}
	}
	if g.percent(50) {
		g.Shuffle(n, func(i, j int) { stride[i], stride[j] = stride[j], stride[i] })
	}
	text := func(list []string) string {
		if n > 2 && len(shape)%2 == 1 {
			return "(" + list[0] + ",(" + strings.Join(list[1:], ",") + "))"
		}
		return "(" + strings.Join(list, ",") + ")"
	}
	layout := text(shape) + ":" + text(stride)
	if n == 1 && g.percent(50) {
		layout = shape[0] + ":" + stride[0]
	}
	switch {
	case g.percent(6):
		return "Sw<3,3,3> o 0 o " + layout
	case g.percent(6):
		return g.mutate(layout)
	case g.percent(10):
		return text(shape)
	}
	return layout
}

func (g *generator) algebra() []string {
	operation := pick(g, []string{
		"compose", "compose", "compose", "coalesce", "filter", "complement", "inverse", "inverse", "divide", "divide",
		"divide", "product", "product", "recast", "tile", "compse", "zipped_divide", "left_inverse"})
	args := []string{operation, g.cute()}
	switch operation {
	case "coalesce", "filter", "complement":
		if g.percent(40) {
			args = append(args, pick(g, []string{"(1,1)", "24", "64", "1", "(1,(1,1))"}))
		}
	case "inverse":
		if g.percent(40) {
			args = append(args, "--left")
		}
	case "recast":
		args = append(args, pick(g, types), pick(g, types))
	case "tile":
		args = append(args, pick(g, []string{"(8,7)", "(4,4)", "16", "(2,(3,2))", g.cute()}))
	default:
		operand := g.cute()
		if g.percent(15) {
			operand = "<" + g.cute() + "," + pick(g, []string{"_", g.cute()}) + ">"
		}
		args = append(args, operand)
	}
	if operation == "divide" || operation == "product" || g.percent(4) {
		args = append(args, "--form", pick(g, []string{"logical", "zipped", "tiled", "flat", "blocked", "raked"}))
	}
	if g.percent(10) {
		args = append(args, "--values")
	}
	return append(args, g.output(formats, fields)...)
}

func (g *generator) explain() []string {
	topic := pick(g, g.topics)
	switch {
	case g.percent(20):
		topic = g.mutate(topic)
	case g.percent(15):
		topic = fmt.Sprintf("0x%016x", g.Uint64()&0xe00e3fff3fff3fff)
	case g.percent(15):
		topic = pick(g, pick(g, names[1:]))
	case g.percent(10):
		topic = pick(g, types)
	case g.percent(10):
		topic = g.text().text
	}
	args := append([]string{topic}, g.output(formats, []string{"name", "kind", "title", "text", "eror"})...)
	if g.percent(3) {
		args = append(args, "--target", pick(g, []string{"sm90", "sm100"}))
	}
	return args
}

// text returns a text in a notation, a third of them changed.
func (g *generator) text() text {
	t := pick(g, g.texts)
	for g.percent(35) {
		t.text = g.mutate(t.text)
	}
	return t
}

// token matches a word, a number or a mark of a text.
var token = regexp.MustCompile(`[A-Za-z_]+|[0-9]+|\s+|.`)

// mutate changes a token of a text: it is dropped, doubled, exchanged with the next one, or another number.
func (g *generator) mutate(text string) string {
	tokens := token.FindAllString(text, -1)
	if len(tokens) == 0 {
		return text
	}
	i := g.IntN(len(tokens))
	switch g.IntN(4) {
	case 0:
		tokens[i] = ""
	case 1:
		tokens[i] += tokens[i]
	case 2:
		j := (i + 1) % len(tokens)
		tokens[i], tokens[j] = tokens[j], tokens[i]
	case 3:
		for j := range tokens {
			k := (i + j) % len(tokens)
			if tokens[k][0] >= '0' && tokens[k][0] <= '9' {
				tokens[k] = pick(g, append(small, odd...))
				break
			}
		}
	}
	return strings.Join(tokens, "")
}

// wrong makes an error in a line: an argument is dropped, doubled or misspelt, or there is one too many.
func (g *generator) wrong(args []string) []string {
	i := g.IntN(len(args))
	args = append([]string(nil), args...)
	switch g.IntN(4) {
	case 0:
		return append(args[:i], args[i+1:]...)
	case 1:
		return append(args, args[i])
	case 2:
		args[i] = g.mutate(args[i])
		return args
	}
	return append(args, pick(g, []string{
		"--nonsense", "--dtpe=f32", "x", "NHWC", "-x", "--pad", "-o", "--", "2x3", "--help"}))
}
