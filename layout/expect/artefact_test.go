package expect

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
)

// filled returns the rules that Fill reports, and whether it fills all.
func filled(a Artefact, d *descriptor.Descriptor) (reported []string, ok bool) {
	ok = a.Fill(d, func(id *finding.Rule, _ descriptor.Part, _, _ string) { reported = append(reported, id.String()) })
	return reported, ok
}

// typed returns a descriptor of a type by its name, which need not be known.
func typed(name string, sizes ...int64) descriptor.Descriptor {
	d := descriptor.Descriptor{TypeName: name, Sizes: sizes}
	var err error
	d.Type, err = layout.ParseDType(name)
	d.TypeKnown = err == nil
	return d
}

// TestTooSmall checks the tensors that a file of 3 bytes cannot have.
func TestTooSmall(t *testing.T) {
	total := typed("FLOAT64", 1)
	total.Total = descriptor.Number{Value: 3, Stated: true}
	more := total
	more.Total.Value = 4
	tests := []struct {
		d      descriptor.Descriptor
		takes  string
		reason string
	}{
		{d: total, reason: "what is stated counts, not the type"},
		{d: more, takes: "4 bytes", reason: "one more"},
		{d: typed("UINT8", 3), reason: "3 x 1"},
		{d: typed("UINT8", 4), takes: "4 bytes", reason: "4 x 1"},
		{d: typed("UINT4", 2, 3), reason: "6 x 4 bits"},
		{d: typed("INT4", 7), takes: "4 bytes", reason: "28 bits are rounded up"},
		{d: typed("int2", 12), reason: "12 x 2 bits"},
		{d: typed("int2", 13), takes: "4 bytes", reason: "26 bits"},
		{d: typed("FLOAT32", 1), takes: "4 bytes", reason: "an element"},
		{d: typed("Q4_K", 256), reason: "nobody knows"},
		{d: typed("FLOAT32"), reason: "the sizes are the file's"},
		{d: typed("FLOAT32", 2, -1), reason: "a size is open"},
		{d: typed("UINT8", 0), reason: "nothing"},
		{d: typed("UINT8", 1<<62, 8), takes: "more bytes than 64 bits hold", reason: "2^65"},
	}
	for _, tt := range tests {
		want := ""
		if tt.takes != "" {
			want = "the file that is not checked out has 3 bytes, and the tensor takes " + tt.takes
		}
		small, unknown := Artefact{Bytes: 3}, Artefact{}
		if have := small.TooSmall(&tt.d); have != want {
			t.Errorf("%q, want %q (%s)", have, want, tt.reason)
		}
		if have := unknown.TooSmall(&tt.d); have != "" {
			t.Errorf("%q of a file whose size is not known (%s)", have, tt.reason)
		}
	}
}

// TestFill checks the values taken from a file and the findings about differences, by the rules about artefacts.
func TestFill(t *testing.T) {
	const float = "F32"
	number := func(n int64) descriptor.Number { return descriptor.Number{Value: n, Stated: true} }
	fortran := typed(float, 2, 3)
	fortran.Strides = []int64{1, 2}
	counted, quantised := typed(float, 2, 3), typed("Q4_K", 256)
	counted.Total, quantised.Total, quantised.TypeJudged = number(24), number(144), true
	stated := func(layout string, strides []int64, sizes ...int64) descriptor.Descriptor {
		return descriptor.Descriptor{Sizes: sizes, Layout: layout, Strides: strides}
	}
	judged := func(d descriptor.Descriptor) descriptor.Descriptor {
		d.TypeJudged = true
		return d
	}
	tests := []struct {
		kind     string
		have, d  descriptor.Descriptor
		report   []string
		open     bool                  // a size stays open
		filled   descriptor.Descriptor // the type and the total, if wantType is set
		strides  []int64
		sizes    []int64
		reason   string
		wantType bool
	}{
		{have: counted, sizes: []int64{2, 3}, filled: typed(float), wantType: true, reason: "all is the file's"},
		{
			have: counted, d: descriptor.Descriptor{Total: number(24)}, sizes: []int64{2, 3},
			reason: "24 bytes are 24 bytes",
		},
		{
			have: counted, d: descriptor.Descriptor{Total: number(28)}, sizes: []int64{2, 3},
			report: []string{"artefact-bytes total totalBytes: 24: the file has 24 bytes for the tensor, " +
				"and 28 are stated"},
			reason: "28 are not",
		},
		{
			have: typed(float, 2, 3), d: descriptor.Descriptor{Total: number(28)}, sizes: []int64{2, 3},
			reason: "the file does not say how many it has",
		},
		{
			have: quantised, sizes: []int64{256}, wantType: true,
			filled: descriptor.Descriptor{TypeName: "Q4_K", TypeJudged: true, Total: number(144)},
			reason: "what does not follow from the type",
		},
		{
			have: quantised, d: descriptor.Descriptor{TypeName: "q4_k"}, sizes: []int64{256}, wantType: true,
			filled: descriptor.Descriptor{TypeName: "q4_k", TypeJudged: true, Total: number(144)},
			reason: "the same type by its name",
		},
		{
			have: quantised, d: typed("FLOAT16"), sizes: []int64{256}, wantType: true, filled: typed("FLOAT16"),
			report: []string{"artefact-dtype type dtype: Q4_K: the file has Q4_K, and FLOAT16 is stated"},
			reason: "the bytes do not matter where the type is another one",
		},
		{
			have: quantised, d: descriptor.Descriptor{TypeName: "Q6_K"}, sizes: []int64{256}, wantType: true,
			filled: descriptor.Descriptor{TypeName: "Q6_K", TypeJudged: true, Total: number(144)},
			report: []string{"artefact-dtype type dtype: Q4_K: the file has Q4_K, and Q6_K is stated"},
			reason: "both are not known",
		},
		{
			have: typed("F16", 4), d: descriptor.Descriptor{TypeName: "Q6_K"}, sizes: []int64{4}, wantType: true,
			filled: judged(descriptor.Descriptor{TypeName: "Q6_K", Type: typed("F16").Type, TypeKnown: true}),
			report: []string{"artefact-dtype type dtype: float16: the file has float16, and Q6_K is stated"},
			reason: "elements are those of the file, which is said once",
		},
		{
			have: typed("F16", 4), d: typed("half"), sizes: []int64{4}, wantType: true, filled: typed("half"),
			reason: "another spelling",
		},
		{
			have: typed("BF16", 4), d: typed("f16"), sizes: []int64{4}, wantType: true, filled: typed("f16"),
			report: []string{"artefact-dtype type dtype: bfloat16: the file has bfloat16, and f16 is stated; " +
				"elements of both have as many bits"},
			reason: "nothing at run time notices",
		},
		{
			have: typed("F16", 4), d: typed(float), sizes: []int64{4}, wantType: true, filled: typed(float),
			report: []string{"artefact-dtype type dtype: float16: the file has float16, and F32 is stated"},
			reason: "16 bits and 32",
		},
		{
			have: typed(float, 4), d: descriptor.Descriptor{Base: 1}, sizes: []int64{4},
			report: []string{"artefact-layout base remove it: a tensor in a file has no storage offset"},
			reason: "an offset",
		},
		{
			have: typed(float, 2, 3), d: stated("", nil, 2, descriptor.AnySize), sizes: []int64{2, 3},
			reason: "a size that is left to the file",
		},
		{
			have: typed(float, 2, 3), d: stated("", nil, 3, 2), sizes: []int64{3, 2},
			report: []string{"artefact-sizes sizes sizes: [2, 3]: the file has [2, 3], and [3, 2] are stated: it is " +
				"transposed"},
			reason: "a matrix",
		},
		{
			have: typed(float, 2, 3), d: stated("HW", nil, 3, 2), sizes: []int64{3, 2},
			report: []string{"artefact-sizes sizes sizes: [2, 3]: the file has [2, 3], and [3, 2] are stated: it is " +
				"transposed"},
			reason: "one with letters",
		},
		{
			have: typed(float, 2, 3), d: stated("", nil, descriptor.AnySize, 4),
			sizes: []int64{descriptor.AnySize, 4}, open: true,
			report: []string{"artefact-sizes sizes sizes: [2, 3]: the file has [2, 3], and [?, 4] are stated"},
			reason: "the size stays open",
		},
		{
			have: typed(float, 1, 2, 3), d: stated("", nil, 2, 3), sizes: []int64{2, 3},
			report: []string{"artefact-sizes sizes sizes: [1, 2, 3]: the file has [1, 2, 3], and [2, 3] are " +
				"stated: they differ in leading sizes of 1 only"},
			reason: "a batch that was added",
		},
		{
			have: typed(float, 2, 3), d: stated("", nil, 1, 1, 2, 3), sizes: []int64{1, 1, 2, 3},
			report: []string{"artefact-sizes sizes sizes: [2, 3]: the file has [2, 3], and [1, 1, 2, 3] are " +
				"stated: they differ in leading sizes of 1 only"},
			reason: "or left out",
		},
		{
			have: typed(float, 2, 1, 3), d: stated("", nil, 2, 3), sizes: []int64{2, 3},
			report: []string{"artefact-sizes sizes sizes: [2, 1, 3]: the file has [2, 1, 3], and [2, 3] are stated"},
			reason: "a size within",
		},
		{
			have: typed(float, 4, 2, 3), d: stated("", nil, 2, 3, 4), sizes: []int64{2, 3, 4},
			report: []string{"artefact-sizes sizes sizes: [4, 2, 3]: the file has [4, 2, 3], and [2, 3, 4] are " +
				"stated: it has the axes in the order 2,0,1"},
			reason: "4 is axis 2",
		},
		{
			have: typed(float, 4, 2, 3), d: stated("CHW", nil, 2, 3, 4), sizes: []int64{2, 3, 4},
			report: []string{"artefact-sizes sizes sizes: [4, 2, 3]: the file has [4, 2, 3], and [2, 3, 4] are " +
				"stated: [4, 2, 3] is W,C,H"},
			reason: "4 is W",
		},
		{
			have: typed(float, 4, 2, 3), d: stated("row-major", nil, 2, 3, 4), sizes: []int64{2, 3, 4},
			report: []string{"artefact-sizes sizes sizes: [4, 2, 3]: the file has [4, 2, 3], and [2, 3, 4] are " +
				"stated: it has the axes in the order 2,0,1"},
			reason: "a layout without letters",
		},
		{
			kind: "gguf", have: typed(float, 2, 3), d: stated("", nil, 2, 4), sizes: []int64{2, 4},
			report: []string{"artefact-sizes sizes sizes: [2, 3]: the file has [2, 3], and [2, 4] are stated (GGUF " +
				"lists the innermost first: 3, 2)"},
			reason: "the order of the file",
		},
		{
			have: typed(float, -1, 3), sizes: []int64{-1, 3},
			reason: "which a model does",
		},
		{
			have: typed(float, -1, 3), d: stated("", nil, descriptor.AnySize, 3), sizes: []int64{-1, 3},
			reason: "both leave it to the other",
		},
		{have: typed(float, -1, 3), d: stated("", nil, 1, 3), sizes: []int64{1, 3}, reason: "any size will do"},
		{
			have: typed(float, -1, 3), d: stated("", nil, 0, 3), sizes: []int64{0, 3},
			report: []string{"artefact-sizes sizes sizes: [null, 3]: the file has [?, 3], and [0, 3] are stated"},
			reason: "but none",
		},
		{
			have: typed(float, -1, 3), d: stated("", []int64{1, 2}, 2, 3), sizes: []int64{2, 3}, strides: []int64{1, 2},
			report: []string{"artefact-layout strides : the file is row-major: element (0,1) is at offset 1 in it, " +
				"and stated at 2"},
			reason: "offsets follow from the size that is stated",
		},
		{
			have: typed(float, -1, 2), d: stated("WH", nil, 2, 5), sizes: []int64{2, 5},
			reason: "the file lists W, H",
		},
		{have: typed(float, 0, 3), sizes: []int64{0, 3}, reason: "a size of 0 is not open"},
		{have: fortran, sizes: []int64{2, 3}, strides: []int64{1, 2}, reason: "Fortran order"},
		{
			have: fortran, d: stated("", []int64{3, 1}, 2, 3), sizes: []int64{2, 3}, strides: []int64{3, 1},
			report: []string{"artefact-layout strides : the file is column-major (Fortran): element (0,1) is at " +
				"offset 2 in it, and stated at 1"},
			reason: "row-major is another",
		},
		{
			have: fortran, d: stated("HW", nil), sizes: []int64{2, 3},
			report: []string{"artefact-layout layout : the file is column-major (Fortran): element (0,1) is at " +
				"offset 2 in it, and stated at 1"},
			reason: "and so is its name",
		},
		{have: fortran, d: stated("WH", nil), sizes: []int64{2, 3}, reason: "Fortran order by its name"},
		{
			have: fortran, d: stated("WH", nil, 3, 2), sizes: []int64{3, 2},
			report: []string{"artefact-sizes sizes sizes: [2, 3]: the file has [2, 3], and [3, 2] are stated: it is " +
				"transposed"},
			reason: "the array lists its sizes in their order, whatever the strides",
		},
		{
			have: typed(float, 2, 3), d: stated("", []int64{1, 2}, 2, 3), sizes: []int64{2, 3}, strides: []int64{1, 2},
			report: []string{"artefact-layout strides : the file is row-major: element (0,1) is at offset 1 in it, " +
				"and stated at 2"},
			reason: "row-major",
		},
		{
			have: typed(float, 2, 3), d: stated("", []int64{3, 1}, 2, 3), sizes: []int64{2, 3}, strides: []int64{3, 1},
			reason: "as it is",
		},
		{
			have: typed(float, 2, 3), d: stated("WH", nil, 2, 3), sizes: []int64{2, 3},
			report: []string{"artefact-layout layout : the file is row-major: element (0,1) is at offset 1 in it, " +
				"and stated at 2"},
			reason: "W is outer",
		},
		{have: typed(float, 3, 2), d: stated("WH", nil, 2, 3), sizes: []int64{2, 3}, reason: "listed as W, H"},
		{have: typed(float, 3, 2), d: stated("WH", nil), sizes: []int64{2, 3}, reason: "and taken so"},
		{
			have: typed(float, 3, 2), d: stated("", []int64{1, 2}, 2, 3), sizes: []int64{2, 3}, strides: []int64{1, 2},
			reason: "the array that has its elements in this order",
		},
		{have: typed(float, 2, 3), d: stated("NCHW", nil), sizes: []int64{2, 3}, reason: "4 letters are another's"},
		{
			have: typed(float, 2, 3), d: stated("", []int64{1}, 2, 3), sizes: []int64{2, 3}, strides: []int64{1},
			reason: "so is a stride that is missing",
		},
	}
	parts := map[descriptor.Part]string{descriptor.TypePart: "type", descriptor.SizesPart: "sizes",
		descriptor.StridesPart: "strides",
		descriptor.LayoutPart:  "layout", descriptor.TotalPart: "total", descriptor.BasePart: "base"}
	for _, tt := range tests {
		d := tt.d
		d.Sizes = slices.Clone(d.Sizes)
		a := Artefact{Kind: tt.kind, Have: tt.have}
		var reported []string
		filled := a.Fill(&d, func(id *finding.Rule, part descriptor.Part, fix, msg string) {
			reported = append(reported, fmt.Sprintf("%v %s %s: %s", id, parts[part], fix, msg))
		})
		if !slices.Equal(reported, tt.report) || filled == tt.open {
			t.Errorf("%q, filled %v, want %q, %v (%s)", reported, filled, tt.report, !tt.open, tt.reason)
		}
		if !slices.Equal(d.Sizes, tt.sizes) || !slices.Equal(d.Strides, tt.strides) {
			t.Errorf("sizes %v, strides %v, want %v, %v (%s)", d.Sizes, d.Strides, tt.sizes, tt.strides, tt.reason)
		}
		if w := tt.filled; tt.wantType && (d.TypeName != w.TypeName || d.Type != w.Type || d.TypeKnown != w.TypeKnown ||
			d.TypeJudged != w.TypeJudged || d.Total != w.Total) {
			t.Errorf("type and total of %+v, want those of %+v (%s)", d, w, tt.reason)
		}
	}
}

func TestReordered(t *testing.T) {
	tests := []struct{ sizes, others, want []int64 }{
		{sizes: []int64{2, 3, 4}, others: []int64{4, 2, 3}, want: []int64{2, 0, 1}},
		{sizes: []int64{2, 2}, others: []int64{2, 2}, want: []int64{0, 1}},
		{sizes: []int64{3, 2, 3}, others: []int64{3, 3, 2}, want: []int64{0, 2, 1}},
		{sizes: []int64{2, 3}, others: []int64{2}},
		{sizes: []int64{2, 3}, others: []int64{2, 3, 3}},
		{sizes: []int64{2, 3}, others: []int64{3, 3}},
	}
	for _, tt := range tests {
		if have := descriptor.Reordered(tt.sizes, tt.others); !slices.Equal(have, tt.want) {
			t.Errorf("%v as %v: %v, want %v", tt.others, tt.sizes, have, tt.want)
		}
	}
}

// TestFillOracle compares random layouts with arrays in files, element by element: a layout is that of the file where
// some order of the axes has each element at the same offset.
func TestFillOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	float32Type, err := layout.ParseDType("float32")
	if err != nil {
		t.Fatal(err)
	}
	for range 4000 {
		letters := strings.Split("OIHW"[:2+random.IntN(3)], "")
		sizes := make([]int64, len(letters))
		for i := range sizes {
			sizes[i] = 1 + random.Int64N(4)
		}
		order := random.Perm(len(letters)) // of the axes in memory
		name, strides, stored, next := "", make([]int64, len(sizes)), make([]int64, len(sizes)), int64(1)
		for i, axis := range slices.Backward(order) {
			name = letters[axis] + name
			strides[axis], stored[i] = next, sizes[axis]
			next *= sizes[axis]
		}
		file := slices.Clone(stored)
		if random.IntN(3) == 0 {
			random.Shuffle(len(file), func(i, k int) { file[i], file[k] = file[k], file[i] })
		}
		have := descriptor.Descriptor{TypeName: "F32", Type: float32Type, TypeKnown: true, Sizes: file}
		a := Artefact{Kind: "safetensors", Have: have}
		d := descriptor.Descriptor{Sizes: slices.Clone(sizes), Layout: name}
		reported, ok := filled(a, &d)
		same := slices.Equal(file, stored) || slices.Equal(file, sizes) && rowMajor(sizes, strides)
		if want := map[bool]string{true: "[artefact-layout]", false: "[artefact-sizes]"}[slices.Equal(file,
			sizes)]; !ok ||
			same != (len(reported) == 0) || !same && fmt.Sprint(reported) != want {
			t.Fatalf("%v %s in a file of %v: %v, %v", sizes, name, file, reported, ok)
		}
		if !slices.Equal(file, stored) {
			continue
		}
		open := descriptor.Descriptor{Layout: name}
		if reported, ok = filled(a, &open); !ok || reported != nil || !slices.Equal(open.Sizes, sizes) {
			t.Fatalf("a file of %v as %s: %v, not %v: %v", file, name, open.Sizes, sizes, reported)
		}
		if slices.Contains(sizes, 1) {
			continue // strides do not determine the order of their axes
		}
		given := descriptor.Descriptor{Sizes: slices.Clone(sizes), Strides: strides}
		if reported, ok = filled(a, &given); !ok || reported != nil {
			t.Fatalf("%v with strides %v in a file of %v: %v", sizes, strides, file, reported)
		}
	}
}

// rowMajor reports whether strides are row-major, except for the strides of axes with size 1.
func rowMajor(sizes, strides []int64) bool {
	next := int64(1)
	for i, n := range slices.Backward(sizes) {
		if n != 1 && strides[i] != next {
			return false
		}
		next *= n
	}
	return true
}
