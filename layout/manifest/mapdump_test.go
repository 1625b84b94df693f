package manifest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
)

// dumpLines returns the lines that CUTLASS prints, with some words replaced.
func dumpLines(changes ...string) []string {
	const text = `TMA Desc Addr:   0x7ffd7d2800c0
format         6
dim            3
gmem_address   0x7f0000000000
globalDim      (1024,512,4,1,1)
globalStrides  (2,2048,1048576,0,0)
boxDim         (64,128,2,1,1)
elementStrides (1,1,1,1,1)
interleave     0
swizzle        3
l2Promotion    2
oobFill        0`
	return strings.Split(strings.NewReplacer(changes...).Replace(text), "\n")
}

// join joins lines.
func join(lists ...[]string) string { return strings.Join(slices.Concat(lists...), "\n") + "\n" }

// mixed takes a line of each list in turn.
func mixed(lists ...[]string) (all []string) {
	for i := range lists[0] {
		for _, list := range lists {
			all = append(all, list[i])
		}
	}
	return all
}

// TestMapDumps reads the dumps of CUTLASS: whole, after each other, and mixed by processes.
func TestMapDumps(t *testing.T) {
	whole := dumpLines()
	wider := dumpLines("(64,128,2", "(32,128,2")
	other := dumpLines("(64,128,2", "(32,128,2", "swizzle        3", "swizzle        2")
	const one = "FLOAT16 4,512,1024 524288,1024,1 box 2,128,64 swizzle 128B L2_128B at 0x7f0000000000"
	const narrow = "FLOAT16 4,512,1024 524288,1024,1 box 2,128,32 swizzle 128B L2_128B at 0x7f0000000000"
	const narrow64 = "FLOAT16 4,512,1024 524288,1024,1 box 2,128,32 swizzle 64B L2_128B at 0x7f0000000000"
	for _, tt := range []struct {
		what, text string
		want       []string
		fault      string
	}{
		{"one", join(whole), []string{one}, ""},
		{"after words of a launcher", "[rank0]: " + strings.Join(whole, "\n[rank0]: "), []string{one}, ""},
		{"with lines between", strings.Join(whole, "\nINFO step 3 (loss 2.5)\n"), []string{one}, ""},
		{"two", join(whole, other), []string{one, narrow64}, ""},
		{"two that are mixed and the same", join(mixed(whole, whole)), []string{one, one}, ""},
		{"two that are mixed and differ in one field", join(mixed(whole, wider)), []string{one, narrow}, ""},
		{"two that are mixed and differ in two", join(mixed(whole, other)), nil, "differ in boxDim and swizzle"},
		{"one before two that are mixed", join(whole, mixed(whole, other)), []string{one},
			"differ in boxDim and swizzle"},
		{"one that ends early", join(whole[:7]), nil, "no line with elementStrides"},
		{"one that ends early before a whole one", join(whole[:7], other), []string{narrow64}, "elementStrides"},
		{"a word without a value", join(dumpLines("format         6", "format")), nil, "no line with format"},
		{"a number that no type has", join(dumpLines("format         6", "format 16")), nil,
			"unknown type of a tensor map"},
		{"a number beyond 64 bits", join(dumpLines("dim            3", "dim 99999999999999999999")), nil,
			"no line with dim"},
		{"a list with blanks", join(dumpLines("(64,128,2,1,1)", "(64, 128, 2, 1, 1)")), []string{one}, ""},
		{"a rank above 5", join(dumpLines("dim            3", "dim 6")), []string{
			"FLOAT16 1,1,4,512,1024 0,0,524288,1024,1 box 1,1,2,128,64 swizzle 128B L2_128B at 0x7f0000000000"}, ""},
		{"a rank of 0", join(dumpLines("dim            3", "dim 0")), []string{
			"FLOAT16   box  swizzle 128B L2_128B at 0x7f0000000000"}, ""},
		{"a stride of half an element", join(dumpLines("(2,2048,", "(2,2049,")), []string{
			"FLOAT16 4,512,1024 bytes 1048576,2049 box 2,128,64 swizzle 128B L2_128B at 0x7f0000000000"}, ""},
		{"an innermost stride", join(dumpLines("(2,2048,", "(4,2048,")), []string{
			"FLOAT16 4,512,1024 524288,1024,2 box 2,128,64 swizzle 128B L2_128B at 0x7f0000000000"}, ""},
	} {
		f := MapDumps([]byte(tt.text))
		var have []string
		for _, d := range f.Descriptors {
			have = append(have, mapText(&d))
		}
		fault := ""
		if len(f.Findings) > 0 {
			fault = f.Findings[0].Message
		}
		if !slices.Equal(have, tt.want) || (fault == "") != (tt.fault == "") || !strings.Contains(fault, tt.fault) {
			t.Errorf("%s: %q %q, want %q %q", tt.what, have, fault, tt.want, tt.fault)
		}
	}
}

// mapText shows a tensor map: the strides in elements where they are whole ones, and else in bytes.
func mapText(d *descriptor.Descriptor) string {
	list := func(l []int64) string { return strings.Trim(strings.ReplaceAll(fmt.Sprint(l), " ", ","), "[]") }
	strides := list(d.Strides)
	if d.Strides == nil {
		strides = "bytes " + list(d.Map.Bytes)
	}
	return fmt.Sprintf("%s %s %s box %s swizzle %s %s at 0x%x", d.TypeName, list(d.Sizes), strides, list(d.Map.Box),
		descriptor.MapSwizzles.Name(d.Map.Swizzle), descriptor.MapPromotions.Name(d.Map.Promotion), d.Map.Address.Value)
}

// TestMapPlaces checks positions in a dump, which has lists innermost first.
func TestMapPlaces(t *testing.T) {
	d := MapDumps([]byte(join(dumpLines()))).Descriptors[0]
	for _, tt := range []struct {
		part descriptor.Part
		item int
		want finding.Place
	}{
		{descriptor.Whole, -1, finding.Place{Line: 1, Column: 18}}, {descriptor.TypePart, -1,
			finding.Place{Line: 2, Column: 16}},
		{descriptor.SizesPart, -1, finding.Place{Line: 5, Column: 17}},
		{descriptor.SizesPart, 2, finding.Place{Line: 5, Column: 17}},
		{descriptor.SizesPart, 1, finding.Place{Line: 5, Column: 22}},
		{descriptor.StridesPart, 0, finding.Place{Line: 6, Column: 24}},
		{descriptor.BoxPart, 0, finding.Place{Line: 7, Column: 24}}, {descriptor.FillPart, -1,
			finding.Place{Line: 12, Column: 16}},
		{descriptor.BasePart, -1, finding.Place{Line: 1, Column: 18}},
	} {
		if have := d.Source.Place(tt.part, tt.item); have != tt.want {
			t.Errorf("part %d, item %d: %v, want %v", tt.part, tt.item, have, tt.want)
		}
	}
}

// TestManyMapDumps has more dumps with an unknown type than findings are kept: the others are counted.
func TestManyMapDumps(t *testing.T) {
	text := strings.Repeat(join(dumpLines("format         6", "format         99")), finding.MostOfRule+7)
	f := MapDumps([]byte(text))
	last := f.Findings[len(f.Findings)-1].Message
	if len(f.Findings) != finding.MostOfRule+1 || last != "7 more findings of this rule: the limit is 1000" {
		t.Errorf("%d findings, the last %q", len(f.Findings), last)
	}
}

// FuzzMapDumps reads any input. Positions must be within it, and a combined map must have a list for each size.
func FuzzMapDumps(f *testing.F) {
	f.Add(join(dumpLines()))
	f.Add(join(mixed(dumpLines(), dumpLines("swizzle        3", "swizzle 7"))))
	f.Fuzz(func(t *testing.T, text string) {
		file := MapDumps([]byte(text))
		lines := strings.Count(text, "\n") + 1
		for i := range file.Descriptors {
			d := &file.Descriptors[i]
			if len(d.Map.Box) > len(d.Sizes) || d.Strides != nil && len(d.Strides) != len(d.Sizes) && len(d.Sizes) > 0 {
				t.Errorf("%q: %s", text, mapText(d))
			}
			for part := range descriptor.PartCount {
				if p := d.Source.Place(part, 0); p.Line < 1 || p.Line > lines {
					t.Errorf("%q: part %d is on line %d", text, part, p.Line)
				}
			}
		}
	})
}

// BenchmarkMapDumps reads a log of 1,000 dumps.
func BenchmarkMapDumps(b *testing.B) {
	text := []byte(strings.Repeat(join(dumpLines()), 1000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if n := MapDumps(text).Len(); n != 1000 {
			b.Fatal(n)
		}
	}
}
