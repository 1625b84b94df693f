package rules

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/scan"
)

// A Config is what a configuration expects of its tensors.
type Config struct {
	Tensors      []Descriptor
	Expectations []Expectation
	Edges        []Edge
	Budgets      []Budget
}

// A Budget limits the bytes that several tensors take together.
type Budget struct {
	Name  string
	Group *Group
	Most  int64
	At    Locator
}

// A Group is tensors whose bytes are added up, for one budget or for several.
type Group struct{ Tensors []int }

// An Edge joins two tensors, of which one is handed on as the other.
type Edge struct {
	From, To int
	At       Locator
}

// Config compares tensors with what their operators take and with what is expected of them. What cannot be told because
// something else is wrong with a tensor is not reported again.
func (c *Checker) Config(t Target, g *Config) {
	for i := range g.Tensors {
		c.Slot(t, &g.Tensors[i])
	}
	c.target = t
	open := map[string]sizeOf{}
	for i := range g.Expectations {
		e := expectation{&g.Expectations[i], c, g, &g.Tensors[g.Expectations[i].Tensor], layout.Tensor{}}
		e.statement(open)
		var err error
		if e.have, err = c.geometry.tensors.stated(e.d); err == nil {
			e.check()
		}
	}
	sums := map[*Group]*groupSum{}
	for i := range g.Budgets {
		b := &g.Budgets[i]
		if sums[b.Group] == nil {
			sums[b.Group] = c.sum(g, b.Group)
		}
		c.budget(b, sums[b.Group])
	}
	for i := range g.Edges {
		c.edge(g, &g.Edges[i])
	}
}

// A groupSum is the bytes that the tensors of a group take together, and the largest of them.
type groupSum struct {
	bytes   big.Int
	largest string
	most    int64
	unknown *Descriptor // a tensor of which the bytes are not known; nil for none
	broken  bool        // something is wrong with a tensor, which is reported of the tensor
}

// sum adds up the bytes of a group.
func (c *Checker) sum(g *Config, group *Group) *groupSum {
	s := new(groupSum)
	for _, i := range group.Tensors {
		d := &g.Tensors[i]
		have, err := c.geometry.tensors.stated(d)
		e := expectation{c: c, d: d, have: have}
		if s.broken = err != nil; s.broken {
			return s
		}
		n, ok := e.bytes()
		if !ok {
			s.unknown = d
			return s
		}
		s.bytes.Add(&s.bytes, big.NewInt(n))
		if n > s.most {
			s.largest, s.most = d.Name, n
		}
	}
	return s
}

// budget compares the bytes that tensors take together with how many they may take.
func (c *Checker) budget(b *Budget, s *groupSum) {
	more := new(big.Int).Sub(&s.bytes, big.NewInt(b.Most))
	switch {
	case s.broken:
	case s.unknown != nil:
		c.findAt(BudgetMaxBytes, Error, b.At, s.unknown.Name, "", "%s: the bytes of %s are not known: %s",
			scan.Clip(b.Name), scan.Clip(s.unknown.Name), unknownType(s.unknown))
	case more.Sign() > 0:
		c.findAt(BudgetMaxBytes, Error, b.At, "", "", "%s: %s together, %d are expected at most: %v more; "+
			"the largest of %s is %s with %d", scan.Clip(b.Name), scan.Count(&s.bytes, "byte"), b.Most, more,
			scan.Count(len(b.Group.Tensors), "tensor"), scan.Clip(s.largest), s.most)
	}
}

// edge reports that the tensors of an edge differ.
func (c *Checker) edge(g *Config, e *Edge) {
	from, to := &g.Tensors[e.From], &g.Tensors[e.To]
	text := ""
	switch {
	case from.typed() && to.typed() && !strings.EqualFold(from.elementType(), to.elementType()):
		text = fmt.Sprintf("%s is %s and %s is %s", scan.Clip(from.Name), from.elementType(), scan.Clip(to.Name),
			to.elementType())
	case !slices.Equal(from.Sizes, to.Sizes):
		text = differentSizes(from, to)
	default:
		text = c.differentOffsets(from, to)
	}
	if text != "" {
		c.findAt(EdgeMismatch, Error, e.At, to.Name, "", "%s", text)
	}
	c.Edge(c.target, from, to)
}

// differentSizes says how the sizes of two tensors differ.
func differentSizes(a, b *Descriptor) string {
	if len(a.Sizes) != len(b.Sizes) {
		return fmt.Sprintf("%s has %s, %s has %s", scan.Clip(a.Name), scan.Count(len(a.Sizes), "size"),
			scan.Clip(b.Name), scan.Count(len(b.Sizes), "size"))
	}
	for i, n := range a.Sizes {
		if n != b.Sizes[i] {
			return fmt.Sprintf("size %d is %d in %s and %d in %s", i, n, scan.Clip(a.Name), b.Sizes[i],
				scan.Clip(b.Name))
		}
	}
	return ""
}

// differentOffsets says which is the first element whose offsets in two tensors of the same sizes differ;
// nothing if there is none, or if no element has an offset.
func (c *Checker) differentOffsets(a, b *Descriptor) string {
	d := c.geometry.tensors.firstMoved(a, b)
	if d == nil {
		return ""
	}
	return fmt.Sprintf("element %s is at offset %d in %s and at %d in %s",
		tuple(d.Index), d.A, scan.Clip(a.Name), d.B, scan.Clip(b.Name))
}

// firstMoved returns the first element whose offsets in two tensors of the same sizes differ; nil if there is none, or
// if no element has an offset.
func (ts *tensors) firstMoved(a, b *Descriptor) *facts.Difference {
	x, err := ts.stated(a)
	y, other := ts.stated(b)
	if err != nil || other != nil {
		return nil
	}
	d, _ := facts.Compare(x.Layout(), y.Layout())
	return d
}

// Edge checks two tensors by the rules of an edge of a DirectML graph, which leads from an operator's output
// to another one's input. Types and sizes may differ: the bytes are the same.
func (c *Checker) Edge(t Target, from, to *Descriptor) {
	if t.Family != DirectML {
		return
	}
	c.target = t
	have, ok := c.total(from)
	need, known := c.total(to)
	if ok && known && have != need {
		enough := roundedUp(max(have, need, c.least(from), c.least(to)), 4)
		c.d = to
		c.find(GraphEdge, TotalPart, -1, fixf("give both %d bytes", enough),
			"%s has %d bytes and %s has %d: an edge has one total", from.Name, have, to.Name, need)
	}
	c.d = to
	if to.owned() {
		c.find(GraphOwned, FlagsPart, -1, "leave the flag out",
			"%s is OWNED_BY_DML, and %s feeds it: only inputs of the graph can", to.Name, from.Name)
	}
}

// total returns how many bytes DirectML takes the tensor to have.
func (c *Checker) total(d *Descriptor) (bytes int64, ok bool) {
	if d.Total.Value != 0 {
		return d.Total.Value, d.Total.Value > 0
	}
	c.look(d)
	return c.need()
}

// least returns how many bytes a tensor needs, whatever it states; 0 if that is not known.
func (c *Checker) least(d *Descriptor) int64 {
	c.look(d)
	bytes, _ := c.need()
	return bytes
}

// Configurations.
const (
	configOf         = "version: 1\ntensors:\n"
	directMLConfigOf = "version: 1\ntarget: directml\ntensors:\n"
)

// configRules are the rules of configurations.
var configRules = []Rule{
	{ID: ConfigKey, Name: "config-key", Severity: Error,
		What: "A configuration has the keys that are known, each once, and those that must be there: version, and " +
			"dtype and sizes of each tensor, or its file. Keys that start with x- are skipped.",
		Why:    "An unknown key has no effect: with stride in place of strides the tensor would silently be packed.",
		Source: "layoutcalc's own (docs/layoutcalc.schema.json)",
		Fix:    "Write the key as the message has it, or leave it out.",
		Bad:    "version: 1\ntensors:\n  image: {dtype: float32, sizes: 1x3x4x4, stride: [48, 1, 12, 3]}\n",
		Good:   "version: 1\ntensors:\n  image: {dtype: float32, sizes: 1x3x4x4, strides: [48, 1, 12, 3]}\n",
	},
	{ID: ConfigValue, Name: "config-value", Severity: Error,
		What: "A value is of the kind that its key takes, and names of types, layouts, targets and tensors exist.",
		Why: "Readers of YAML disagree on 012, 0x10, 1_000 and 1e3: only decimal digits without a leading 0 and " +
			"without quotes are a number here.",
		Limit:  "9223372036854775807 is a number, 9223372036854775808 is not; version 1 is known, 2 is not",
		Source: "layoutcalc's own (docs/layoutcalc.schema.json)", Fix: "Write what the message expects.",
		Bad:  "version: 1\ntensors:\n  image: {dtype: float32, sizes: [1, 0x3, 4, 4]}\n",
		Good: "version: 1\ntensors:\n  image: {dtype: float32, sizes: [1, 3, 4, 4]}\n",
	},
	{ID: ExpectLayout, Name: "expect-layout", Severity: Error,
		What: "The strides are those of the layout that is expected. Strides of size 1 and the storage offset do " +
			"not count.",
		Why:    "What reads the tensor as the layout finds other elements.",
		Limit:  "[1, 3, 4, 4] with strides [48, 1, 12, 3] or [0, 1, 12, 3] is NHWC, with [48, 16, 4, 1] it is not",
		Source: "layoutcalc's own", Fix: "State the strides of the layout, or expect the one that the tensor has.",
		Bad: configOf + "  image: {dtype: float32, sizes: 1x3x4x4, strides: [48, 16, 4, 1], expect: {layout: NHWC}}\n",
		Good: configOf + "  image: {dtype: float32, sizes: 1x3x4x4, strides: [48, 1, 12, 3], expect: {layout: " +
			"NHWC}}\n",
	},
	{ID: ExpectPacked, Name: "expect-packed", Severity: Error,
		What: "If packed: true is expected, no offset from the first element to the last is left out or shared; if " +
			"packed: false is, some are.",
		Why: "What copies a tensor as one run of bytes, or counts its elements to know its size, relies on it. If " +
			"it is too hard to decide, that is a warning.",
		Limit:  "[2, 3] with strides [3, 1] is packed, with [4, 1] it has a gap, with [2, 1] it overlaps",
		Source: "layoutcalc's own", Fix: "Leave out the strides, or the expectation.",
		Bad:  "version: 1\ntensors:\n  rows: {dtype: float16, sizes: 2x3, strides: [4, 1], expect: {packed: true}}\n",
		Good: "version: 1\ntensors:\n  rows: {dtype: float16, sizes: 2x3, strides: [3, 1], expect: {packed: true}}\n",
	},
	{ID: ExpectMaxBytes, Name: "expect-max-bytes", Severity: Error,
		What: "The smallest buffer that holds the tensor, with all of its last block and rounded up to a multiple " +
			"of 4 bytes, is at most as large as expected.",
		Why:    "The buffer that is there would be too small.",
		Limit:  "float16 of [5] takes 12 bytes: maxBytes: 12 is right, 11 is wrong",
		Source: "layoutcalc's own; the bytes are those of DMLCalcBufferTensorSize",
		Fix:    "Make a size, the padding or the type smaller, or the limit larger.",
		Bad:    "version: 1\ntensors:\n  row: {dtype: float16, sizes: 5, expect: {maxBytes: 11}}\n",
		Good:   "version: 1\ntensors:\n  row: {dtype: float16, sizes: 5, expect: {maxBytes: 12}}\n",
	},
	{ID: ExpectStrides, Name: "expect-strides", Severity: Error,
		What:   "The strides are those that are expected, but for strides of size 1, which move nothing.",
		Why:    "A change of shape or layout that was not meant to change strides did.",
		Limit:  "[1, 3] with strides [9, 1] meets [3, 1], [2, 3] with strides [9, 1] does not",
		Source: "layoutcalc's own", Fix: "Restore the strides, or expect the new ones.",
		Bad:  "version: 1\ntensors:\n  rows: {dtype: float32, sizes: 2x3, layout: WH, expect: {strides: [3, 1]}}\n",
		Good: "version: 1\ntensors:\n  rows: {dtype: float32, sizes: 2x3, layout: HW, expect: {strides: [3, 1]}}\n",
	},
	{ID: ExpectSameAs, Name: "expect-same-as", Severity: Error,
		What:   "The tensor has the sizes of the other, and every element the same offset. Types may differ.",
		Why:    "One is used where the other is meant, as a gradient for its weights.",
		Limit:  "Strides of size 1 may differ; storage offsets may not",
		Source: "layoutcalc's own", Fix: "Give both the same sizes, layout and storage offset.",
		Bad: configOf + "  weights: {dtype: float32, sizes: 2x3, layout: WH}\n  gradient: {dtype: float16, " +
			"sizes: 2x3, expect: {sameAs: weights}}\n",
		Good: configOf + "  weights: {dtype: float32, sizes: 2x3, layout: WH}\n  gradient: {dtype: float16, " +
			"sizes: 2x3, layout: WH, expect: {sameAs: weights}}\n",
	},
	{ID: ExpectDType, Name: "expect-dtype", Severity: Error,
		What: "The element type is the expected one, in the spelling of any system, or in the file's own.",
		Why: "A model that was exported or quantised anew has other elements, and what reads them takes their bytes " +
			"for the old ones.",
		Limit:  "FLOAT32, <f4 and torch.float32 are float32; float64 and bfloat16 are not",
		Source: "layoutcalc's own", Fix: "Export with the type, or expect the new one.",
		Bad:  configOf + "  image: {dtype: uint8, sizes: 1x3x4x4, expect: {dtype: float32}}\n",
		Good: configOf + "  image: {dtype: FLOAT32, sizes: 1x3x4x4, expect: {dtype: float32}}\n",
	},
	{ID: ExpectRank, Name: "expect-rank", Severity: Error,
		What: "The tensor has as many sizes as expected.",
		Why: "A batch that was added or squeezed moves all axes; programs that broadcast do not notice, and " +
			"compute something else.",
		Limit:  "[3, 4, 4] has rank 3, [1, 3, 4, 4] has rank 4",
		Source: "layoutcalc's own", Fix: "Add or leave out the size, or expect the new rank.",
		Bad:  configOf + "  image: {dtype: uint8, sizes: 3x4x4, expect: {rank: 4}}\n",
		Good: configOf + "  image: {dtype: uint8, sizes: 1x3x4x4, expect: {rank: 4}}\n",
	},
	{ID: ExpectSizes, Name: "expect-sizes", Severity: Error,
		What: "The sizes are the expected ones. ?, -1 and null are any size; a name is any size too, but the same " +
			"wherever the name is in the document.",
		Why: "The batch of the image and that of its labels have to be one, and a head that was replaced has another " +
			"number of classes: programs fail at the first run, or broadcast.",
		Limit: "[8, 3, 224, 224] meets [N, 3, ?, -1], [8, 4, 224, 224] does not; after it, [8, 10] meets [N, 10], " +
			"and [9, 10] does not",
		Source: "layoutcalc's own", Fix: "State the sizes that are expected, or expect the new ones.",
		Bad: configOf + "  image: {dtype: uint8, sizes: 8x3x4x4, expect: {sizes: [N, 3, '?', '?']}}\n" +
			"  label: {dtype: int64, sizes: 9x10, expect: {sizes: [N, 10]}}\n",
		Good: configOf + "  image: {dtype: uint8, sizes: 8x3x4x4, expect: {sizes: [N, 3, '?', '?']}}\n" +
			"  label: {dtype: int64, sizes: 8x10, expect: {sizes: [N, 10]}}\n",
	},
	{ID: ExpectDivisible, Name: "expect-divisible", Severity: Error,
		What: "The sizes of axes are multiples of what is expected. An axis is called by its letter, or by its " +
			"position: 0 is the first, -1 the last.",
		Why: "Tensor cores, blocked layouts and shards want multiples; other sizes are padded, take a slower " +
			"kernel, or are refused.",
		Limit:  "C of 64 is a multiple of 16, C of 65 is not; 0 is a multiple of everything",
		Source: "layoutcalc's own", Fix: "Pad the axis to a multiple.",
		Bad:  configOf + "  hidden: {dtype: float16, sizes: 1x65x4x4, layout: NHWC, expect: {divisibleBy: {C: 16}}}\n",
		Good: configOf + "  hidden: {dtype: float16, sizes: 1x64x4x4, layout: NHWC, expect: {divisibleBy: {C: 16}}}\n",
	},
	{ID: ExpectBytes, Name: "expect-bytes", Severity: Error,
		What: "The smallest buffer that holds the tensor, with all of its last block and rounded up to a multiple " +
			"of 4 bytes, has exactly as many bytes as expected.",
		Why:    "A buffer that is allocated elsewhere, or a file that is mapped, has a size of its own.",
		Limit:  "float16 of [5] takes 12 bytes: bytes: 12 is right, 10, 11 and 13 are wrong",
		Source: "layoutcalc's own; the bytes are those of DMLCalcBufferTensorSize",
		Fix:    "Restore the sizes, the padding or the type, or expect the new number.",
		Bad:    configOf + "  row: {dtype: float16, sizes: 5, expect: {bytes: 10}}\n",
		Good:   configOf + "  row: {dtype: float16, sizes: 5, expect: {bytes: 12}}\n",
	},
	{ID: ExpectRowPitch, Name: "expect-row-pitch", Severity: Error,
		What: "Rows are as many bytes apart as expected. Where the layout or the labels of the sizes name H and W, " +
			"or there are four or five sizes without letters, rows follow each other along H; elsewhere along the " +
			"axis " +
			"with the second smallest stride. One row alone has any pitch.",
		Why:    "Textures and cameras pad rows; a reader that takes them for packed shears the image.",
		Limit:  "uint8 of [4, 1000] with strides [1024, 1] has rows of 1024 bytes, not of 1000",
		Source: "layoutcalc's own", Fix: "State the stride of the axis that the message names.",
		Bad:  configOf + "  image: {dtype: uint8, sizes: 4x1000, expect: {rowPitch: 1024}}\n",
		Good: configOf + "  image: {dtype: uint8, sizes: 4x1000, strides: [1024, 1], expect: {rowPitch: 1024}}\n",
	},
	{ID: ExpectRowAlign, Name: "expect-row-align", Severity: Error,
		What: "Rows are a multiple of as many bytes apart as expected. Rows are those of expect-row-pitch.",
		Why: "Copies between buffers and textures want rows at multiples of 256 bytes (D3D12), and vector loads at " +
			"multiples of 16 or 64.",
		Limit:  "float16 of [4, 1000] has rows of 2000 bytes: a multiple of 16, not of 64",
		Source: "layoutcalc's own; documented (D3D12_TEXTURE_DATA_PITCH_ALIGNMENT)",
		Fix:    "State a larger stride for the axis that the message names.",
		Bad:    configOf + "  rows: {dtype: float16, sizes: 4x1000, expect: {rowAlignment: 64}}\n",
		Good:   configOf + "  rows: {dtype: float16, sizes: 4x1000, strides: [1024, 1], expect: {rowAlignment: 64}}\n",
	},
	{ID: ExpectBaseAlign, Name: "expect-base-align", Severity: Error,
		What: "The first element is a multiple of as many bytes after the start of its buffer as expected, and so is " +
			"the alignment of the buffer where it is stated.",
		Why:    "A view into the middle of a buffer starts wherever its slice does; vector loads and bindings do not.",
		Limit:  "storageOffset 8 of float32 is 32 bytes: a multiple of 32, not of 64",
		Source: "layoutcalc's own", Fix: "Change storageOffset, or copy the view.",
		Bad:  configOf + "  view: {dtype: float32, sizes: 4x4, storageOffset: 3, expect: {baseAlignment: 16}}\n",
		Good: configOf + "  view: {dtype: float32, sizes: 4x4, storageOffset: 4, expect: {baseAlignment: 16}}\n",
	},
	{ID: BudgetMaxBytes, Name: "budget-max-bytes", Severity: Error,
		What: "The smallest buffers of the tensors of a budget have at most as many bytes together. The bytes of " +
			"each are those of expect-max-bytes, and each counts once.",
		Why:    "Tensors that fit one by one exceed the memory of the device together.",
		Limit:  "float16 of [5] and of [2] take 12 + 4 bytes: maxBytes: 16 is right, 15 is wrong",
		Source: "layoutcalc's own", Fix: "Make a tensor smaller, or the limit larger.",
		Bad: configOf + "  key: {dtype: float16, sizes: 5}\n  value: {dtype: float16, sizes: 2}\n" +
			"budgets:\n  cache: {tensors: [key, value], maxBytes: 15}\n",
		Good: configOf + "  key: {dtype: float16, sizes: 5}\n  value: {dtype: float16, sizes: 2}\n" +
			"budgets:\n  cache: {tensors: [key, value], maxBytes: 16}\n",
	},
	{ID: EdgeMismatch, Name: "edge-mismatch", Severity: Error,
		What:   "Two tensors of an edge have the same type and sizes, and every element the same offset.",
		Why:    "What one operator writes, the next reads as something else; nothing at run time notices.",
		Limit:  "Strides of size 1 may differ; storage offsets may not",
		Source: "layoutcalc's own", Fix: "Describe both ends alike, or convert between them.",
		Bad: configOf + "  written: {dtype: float32, sizes: 1x3x4x4, layout: NHWC, role: output}\n" +
			"  read: {dtype: float32, sizes: 1x3x4x4, layout: NCHW, role: input}\nedges:\n  - [written, read]\n",
		Good: configOf + "  written: {dtype: float32, sizes: 1x3x4x4, layout: NHWC, role: output}\n" +
			"  read: {dtype: float32, sizes: 1x3x4x4, layout: NHWC, role: input}\nedges:\n  - [written, read]\n",
	},
	{ID: UnusedIgnore, Name: "unused-ignore", Severity: Warning,
		What: "A comment layoutcalc:ignore RULE REASON silences a finding: of its own line, or of the next one if " +
			"it is alone on its line.",
		Why:    "What it silenced is mended, or has moved: the next finding there would go unseen.",
		Source: "layoutcalc's own", Fix: "Leave the comment out, or move it to the line of the finding.",
		Bad: configOf + "  # layoutcalc:ignore expect-max-bytes grows with the next model\n  row: {dtype: " +
			"float16, sizes: 5, expect: {maxBytes: 12}}\n",
		Good: configOf + "  # layoutcalc:ignore expect-max-bytes grows with the next model\n  row: {dtype: " +
			"float16, sizes: 5, expect: {maxBytes: 11}}\n",
	},
	{ID: BadIgnore, Name: "bad-ignore", Severity: Error,
		What: "A comment that starts with layoutcalc: is layoutcalc:ignore RULE REASON, with a rule that exists " +
			"and a reason.",
		Why:    "A misspelt comment silences nothing, and without a reason it is not known when it can be removed.",
		Source: "layoutcalc's own", Fix: "Correct the name, or say why.",
		Bad: configOf + "  # layoutcalc:ignore expect-max-bytes\n  row: {dtype: float16, sizes: 5, expect: " +
			"{maxBytes: 11}}\n",
		Good: configOf + "  # layoutcalc:ignore expect-max-bytes grows with the next model\n  row: {dtype: " +
			"float16, sizes: 5, expect: {maxBytes: 11}}\n",
	},
}
