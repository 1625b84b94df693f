package analysis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
)

// checkUnique checks the verdict and that a witness comes with No, and only then.
func checkUnique(t *testing.T, what string, l layout.Layout, unique bool) {
	t.Helper()
	f := analysis.Of(l)
	if f.Unique != verdict(unique) {
		t.Errorf("%s: unique %v, want %v", what, f.Unique, unique)
	}
	if (f.Witness == nil) != (f.Unique != analysis.No) {
		t.Errorf("%s: unique %v with the witness %v", what, f.Unique, f.Witness)
	}
	if f.Witness != nil {
		if fault := faultOf(f.Witness, l); fault != "" {
			t.Errorf("%s: %s", what, fault)
		}
	}
}

// A hardCase is a layout that is too large to be written out.
type hardCase struct {
	size    int64
	rank    int
	strides string
	unique  bool
	witness string // two known indices at the same offset, if any
	offset  int64
	reason  string
}

// hardCases has answers that were found by brute force and by meeting in the middle, and NumPy's own hard instance.
var hardCases = []hardCase{
	{size: 2, rank: 8, strides: hardA, witness: "0,1,0,0,1,0,0,0 1,0,1,1,0,0,0,0", offset: 136908,
		reason: "Aardal and Lenstra's hard knapsack"},
	{size: 3, rank: 8, strides: hardA, witness: "0,0,2,0,0,0,0,0 2,1,0,0,0,0,0,0", offset: 99434,
		reason: "the same numbers"},
	{size: 4, rank: 8, strides: hardA, witness: "0,1,0,0,1,0,0,0 1,0,1,1,0,0,0,0", offset: 136908,
		reason: "the same pair as of [2]^8"},
	{size: 4, rank: 8, strides: "961168,782554,661913,514002,439563,258176,175954,150631", unique: true,
		reason: "65,536 elements"},
	{size: 4, rank: 8, strides: "9513358,8275367,7135241,4602037,2579240,2441955,1973060,1629072", unique: true,
		reason: "65,536 elements"},
	{size: 6, rank: 8, strides: "85893910,83960310,66978001,66126116,42301241,22175294,19375836,17933677", unique: true,
		reason: "1,679,616 elements"},
	{size: 10, rank: 8,
		strides: "4170378921,4169265501,2808517688,2794805173,2603952625,1058804057,631725347,365695473", unique: true,
		reason: "10^8 elements"},
	{size: 10, rank: 8,
		strides: "3514881269,3478638287,3390857534,2703729684,1949539216,1571981485,1212984476,1200071088",
		unique:  true, reason: "NumPy gives up after a minute"},
	{size: 16, rank: 6, strides: "8031986,6175466,5858837,4032085,3420198,2976225", witness: "0,6,0,11,0,1 4,0,6,0,5,0",
		offset: 84381956, reason: "a single primitive difference"},
	{size: 64, rank: 5, strides: "1382056227,1258976840,1236652084,413449954,231310449", unique: true,
		reason: "2^30 elements"},
	{size: 256, rank: 4, strides: "3158492450,2452544553,1699435267,518461138", unique: true, reason: "2^32 elements"},
	{size: 1049, rank: 3, strides: "36674,61119,85569", witness: "0,0,13 12,11,0", offset: 1112397,
		reason: "NumPy's test of its solver"},
	{size: 30, rank: 8,
		strides: "3608631466,3476796632,3359455329,3289344177,3213525650,2589776623,2282321947,2275476186",
		witness: "0,0,3,0,4,0,25,0 7,5,0,1,0,7,0,7", offset: 79990517262,
		reason: "6.6 x 10^11 elements, 12 million sums a side"},
}

const hardA = "25067,49300,49717,62124,87608,88025,113673,119169"

func (c hardCase) String() string { return fmt.Sprintf("%d^%d", c.size, c.rank) }

func (c hardCase) layout(t testing.TB) layout.Layout {
	return strided(t, 0, repeated(c.size, c.rank), numbers(t, c.strides))
}

// TestHardOverlaps checks that each hard case is decided.
func TestHardOverlaps(t *testing.T) {
	t.Parallel()
	for i, c := range hardCases {
		t.Run(fmt.Sprint(i, "_", c), func(t *testing.T) {
			if c.size == 30 && layouttest.Step() > 1 {
				t.Skip("takes seconds")
			}
			l := c.layout(t)
			checkUnique(t, c.reason, l, c.unique)
			if c.witness == "" {
				return
			}
			a, b, _ := strings.Cut(c.witness, " ")
			if fault := faultOf(&analysis.Witness{A: numbers(t, a), B: numbers(t, b), Offset: c.offset},
				l); fault != "" {
				t.Errorf("the known %s", fault)
			}
		})
	}
}

// TestHardCounts: where all elements are unique, each has another offset; the others were
// counted by brute force.
func TestHardCounts(t *testing.T) {
	counts := map[int]int64{0: 230, 1: 2705, 2: 8960} // numpy.unique of all sums
	for i, c := range hardCases {
		if !c.unique && counts[i] == 0 {
			continue
		}
		f := analysis.Of(c.layout(t))
		want := counts[i]
		if c.unique {
			want = f.Elements
		}
		if !f.DistinctKnown || f.Distinct != want {
			t.Errorf("%v: %d distinct offsets (known %v), want %d", c, f.Distinct, f.DistinctKnown, want)
		}
	}
}

// primes returns n primes from a number on.
func primes(n int, from int64) []int64 {
	var list []int64
	for p := from | 1; len(list) < n; p += 2 {
		prime := true
		for d := int64(3); prime && d*d <= p; d += 2 {
			prime = p%d != 0
		}
		if prime {
			list = append(list, p)
		}
	}
	return list
}

// TestHighRanks: strides without common divisors leave only search. The answer may be Unknown,
// but a No comes with a witness, and a Yes is not given where elements outnumber offsets.
func TestHighRanks(t *testing.T) {
	tests := []struct {
		size   int64
		rank   int
		from   int64
		reason string
	}{
		{size: 2, rank: 20, from: 1_000_003, reason: "2^20 elements in a span of 2 x 10^7: some may collide"},
		{size: 2, rank: 40, from: 1_000_003, reason: "2^40 elements in a span of 4 x 10^7: they must"},
		{size: 3, rank: 20, from: 1_000_000_007, reason: "3.5 x 10^9 elements in 4 x 10^10"},
		{size: 2, rank: 40, from: 100_000_007, reason: "10^12 elements in 4 x 10^9: they must"},
		{size: 2, rank: 60, from: 10_000_000_019, reason: "2^60 elements in 6 x 10^11: they must"},
	}
	for _, tt := range tests {
		strides := primes(tt.rank, tt.from)
		l := strided(t, 0, repeated(tt.size, tt.rank), strides)
		f := analysis.Of(l)
		if f.Elements > f.Span && f.Unique == analysis.Yes {
			t.Errorf("%d^%d: unique, though %d elements share %d offsets; %s", tt.size, tt.rank, f.Elements, f.Span,
				tt.reason)
		}
		if (f.Witness != nil) != (f.Unique == analysis.No) {
			t.Errorf("%d^%d: unique %v with the witness %v", tt.size, tt.rank, f.Unique, f.Witness)
		}
		if f.Witness != nil {
			if fault := faultOf(f.Witness, l); fault != "" {
				t.Errorf("%d^%d: %s", tt.size, tt.rank, fault)
			}
		}
		if f.DistinctKnown && f.Unique == analysis.No && f.Distinct >= min(f.Elements, f.Span+1) {
			t.Errorf("%d^%d: %d distinct offsets", tt.size, tt.rank, f.Distinct)
		}
	}
}

// TestSearchStopsAtItsLimit: five axes of 1000 are too many for any table. Strides of
// 10^15 + 1000^i are unique: differences that add to 0 do so in the number of 10^15s, and
// then digit by digit in base 1000. The answer is Yes or Unknown, never No.
func TestSearchStopsAtItsLimit(t *testing.T) {
	t.Parallel()
	layouttest.SkipUnlessAll(t, "the input is large")
	strides, low := make([]int64, 5), int64(1)
	for i := range strides {
		strides[i] = 1_000_000_000_000_000 + low
		low *= 1000
	}
	l := strided(t, 0, repeated(1000, 5), strides)
	if f := analysis.Of(l); f.Unique == analysis.No || f.Witness != nil || f.DistinctKnown && f.Distinct != f.Elements {
		t.Errorf("%+v, but no two elements share an offset", f)
	}
}

// TestLargeAxes: an axis of any length costs nothing where the others are small.
func TestLargeAxes(t *testing.T) {
	tests := []struct {
		sizes, strides string
		unique         bool
		reason         string
	}{
		{sizes: "1000000000000,3", strides: "3,1", unique: true, reason: "threes and what lies between"},
		{sizes: "1000000000000,4", strides: "3,1", reason: "0,3 and 1,0"},
		{sizes: "1000000000000,3,3", strides: "7,5,3", reason: "7 + 3 = 2 x 5"},
		{sizes: "1000000000000,2,2", strides: "7,5,3", unique: true, reason: "5, 3, 8 and 2 are not multiples of 7"},
		{sizes: "1000000000000,2,2", strides: "8,5,3", reason: "8 = 5 + 3"},
		{sizes: "1000000008,999999938", strides: "999999937,1000000007",
			reason: "two primes: each axis is just as long as the other's stride"},
		{sizes: "1000000007,999999938", strides: "999999937,1000000007", unique: true, reason: "one step too short"},
		{sizes: "1000000008,999999937", strides: "999999937,1000000007", unique: true,
			reason: "one step too short on the other side"},
		{sizes: "1000000000000,3,3", strides: "1,0,0", reason: "broadcast"},
	}
	for _, tt := range tests {
		checkUnique(t, tt.sizes+" "+tt.strides+": "+tt.reason,
			strided(t, 0, numbers(t, tt.sizes), numbers(t, tt.strides)), tt.unique)
	}
}

// TestBroadcastIsNotOverlap: elements that share an offset only along a broadcast axis do not overlap, and the witness
// of an overlap is not a pair of such copies.
func TestBroadcastIsNotOverlap(t *testing.T) {
	tests := []struct {
		line     string
		axes     []int
		overlaps analysis.Verdict
		reason   string
	}{
		{line: "2x3 --broadcast 0", axes: []int{0}, overlaps: analysis.No, reason: "rows are copies"},
		{line: "2x3 --broadcast 0,1", axes: []int{0, 1}, overlaps: analysis.No, reason: "everything is a copy"},
		{line: "1x3 --strides 0,1", overlaps: analysis.No, reason: "an axis of size 1 repeats nothing"},
		{line: "2x3x3 --strides 0,1,1", axes: []int{0}, overlaps: analysis.Yes, reason: "the last two axes overlap"},
		{line: "2x3x3 --strides 1,0,1", axes: []int{1}, overlaps: analysis.Yes, reason: "the outer axes overlap"},
		{line: "0x3 --strides 0,0", overlaps: analysis.No, reason: "no elements"},
		{line: "2x17x2x2 NCHW16c --broadcast C", axes: []int{1}, overlaps: analysis.No, reason: "all digits of C"},
		{line: "2x17x2x2 NCHW16c --pitch W=8 --broadcast N", axes: []int{0}, overlaps: analysis.Yes,
			reason: "blocks of 16 at every 8"},
	}
	for _, tt := range tests {
		l := layouttest.Tensor(t, tt.line).Layout()
		f := analysis.Of(l)
		if !slices.Equal(f.Broadcast, tt.axes) || f.Overlapping != tt.overlaps {
			t.Errorf("%s: broadcast %v, overlapping %v; want %v, %v; %s", tt.line, f.Broadcast, f.Overlapping, tt.axes,
				tt.overlaps, tt.reason)
		}
		if tt.overlaps != analysis.Yes {
			continue
		}
		a, b := slices.Clone(f.Witness.A), slices.Clone(f.Witness.B)
		for _, axis := range tt.axes {
			a[axis], b[axis] = 0, 0
		}
		if slices.Equal(a, b) {
			t.Errorf("%s: the witness %v, %v is a broadcast copy; %s", tt.line, f.Witness.A, f.Witness.B, tt.reason)
		}
	}
}

// TestQuickFacts has hard layouts that DirectML would take: at most 2^32 elements, of which the
// last lies below 2^32. Their answers are known by brute force. Quick must be enough, because a run of CI
// checks many of them.
func TestQuickFacts(t *testing.T) {
	tests := []struct {
		size    int64
		strides []int64
		unique  analysis.Verdict
		reason  string
	}{
		{size: 2, strides: []int64{25067, 49300, 49717, 62124, 87608, 88025, 113673, 119169}, unique: analysis.No,
			reason: "a hard knapsack"},
		{size: 3, strides: []int64{25067, 49300, 49717, 62124, 87608, 88025, 113673, 119169}, unique: analysis.No,
			reason: "of three values each"},
		{size: 4, strides: []int64{961168, 782554, 661913, 514002, 439563, 258176, 175954, 150631},
			unique: analysis.Yes,
			reason: "65,536 elements"},
		{size: 4, strides: []int64{9513358, 8275367, 7135241, 4602037, 2579240, 2441955, 1973060, 1629072},
			unique: analysis.Yes, reason: "larger strides"},
		{size: 6, strides: []int64{85893910, 83960310, 66978001, 66126116, 42301241, 22175294, 19375836, 17933677},
			unique: analysis.Yes, reason: "1,679,616 elements"},
		{size: 16, strides: []int64{8031986, 6175466, 5858837, 4032085, 3420198, 2976225}, unique: analysis.No,
			reason: "a single primitive difference"},
		{size: 1049, strides: []int64{36674, 61119, 85569}, unique: analysis.No, reason: "NumPy's hard instance"},
	}
	for _, tt := range tests {
		l, err := layout.Strided(0, slices.Repeat([]int64{tt.size}, len(tt.strides)), tt.strides)
		if err != nil {
			t.Fatal(err)
		}
		f := analysis.Within(l, analysis.Quick)
		if f.Unique != tt.unique {
			t.Errorf("%d^%d %v: unique %v, want %v: %s", tt.size, len(tt.strides), tt.strides, f.Unique, tt.unique,
				tt.reason)
		}
		if w := f.Witness; w != nil {
			a, errA := l.Offset(w.A)
			b, errB := l.Offset(w.B)
			if errA != nil || errB != nil || a != b || slices.Equal(w.A, w.B) {
				t.Errorf("%v: %v and %v are at %d and %d", tt.strides, w.A, w.B, a, b)
			}
		}
	}
}

// TestOverlapVectors has the given layouts, which were counted by brute force.
func TestOverlapVectors(t *testing.T) {
	var cases []struct {
		Name, Why                string
		Shape, Strides           []int64
		Elements, Distinct, Span int64
		MinOffset                int64 `json:"min_offset"`
		Overlap                  bool  // not unique
		Witness                  []any // two indices and their offset
	}
	readJSON(t, "given/overlap_vectors.json", &cases)
	if len(cases) != 80 {
		t.Fatalf("%d cases, want 80", len(cases))
	}
	for _, c := range cases {
		l := strided(t, 0, c.Shape, c.Strides)
		f := analysis.Of(l)
		if f.Elements != c.Elements || f.Span != c.Span || f.Low != c.MinOffset {
			t.Errorf("%s: %d elements, span %d from %d; want %d, %d, %d", c.Name, f.Elements, f.Span, f.Low, c.Elements,
				c.Span, c.MinOffset)
		}
		if !f.DistinctKnown || f.Distinct != c.Distinct {
			t.Errorf("%s: distinct %d (known %v), want %d; %s", c.Name, f.Distinct, f.DistinctKnown, c.Distinct, c.Why)
		}
		checkUnique(t, c.Name+": "+c.Why, l, !c.Overlap)
		if c.Witness != nil {
			a, b := integers(c.Witness[0]), integers(c.Witness[1])
			if fault := faultOf(&analysis.Witness{A: a, B: b, Offset: int64(c.Witness[2].(float64))}, l); fault != "" {
				t.Errorf("%s: the known %s", c.Name, fault)
			}
		}
	}
}

func integers(list any) []int64 {
	var numbers []int64
	for _, n := range list.([]any) {
		numbers = append(numbers, int64(n.(float64)))
	}
	return numbers
}

// TestOverlapAgreesWithNumPy checks layouts that gen_overlap.py counted and NumPy's exact solver
// judged.
func TestOverlapAgreesWithNumPy(t *testing.T) {
	var cases []struct {
		Sizes, Strides             []int64
		Low, High, Distinct, Worst int64
		Unique                     bool
	}
	readJSON(t, "overlap.json", &cases)
	if len(cases) < 500 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, c := range cases {
		l := strided(t, 0, c.Sizes, c.Strides)
		f := analysis.Of(l)
		if f.Low != c.Low || f.High != c.High || !f.DistinctKnown || f.Distinct != c.Distinct {
			t.Errorf("%v: offsets %d to %d, distinct %d; want %d to %d, %d", l, f.Low, f.High, f.Distinct, c.Low,
				c.High, c.Distinct)
		}
		checkUnique(t, l.String(), l, c.Unique)
		if worst := mostAtOneOffset(l); worst != c.Worst {
			t.Errorf("%v: up to %d elements at one offset, want %d", l, worst, c.Worst)
		}
	}
}

func mostAtOneOffset(l layout.Layout) int64 {
	most, inverse := int64(0), analysis.NewInverse(l)
	low, high := l.Bounds()
	for offset := low; offset <= high; offset++ {
		most = max(most, inverse.At(offset, 0).Count)
	}
	return most
}

// BenchmarkOverlapHard: under 0.2 s for each row, but for the last.
func BenchmarkOverlapHard(b *testing.B) {
	for i, c := range hardCases {
		l := c.layout(b)
		b.Run(fmt.Sprint(i, "_", c), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if analysis.Of(l).Unique == analysis.Unknown {
					b.Fatal("not decided")
				}
			}
		})
	}
}

// BenchmarkHighRank: within seconds, decided or not.
func BenchmarkHighRank(b *testing.B) {
	subsetSums := make([]int64, 40)
	for i := range subsetSums {
		subsetSums[i] = 1<<40 + 1<<i
	}
	for _, c := range []struct {
		name    string
		strides []int64
	}{
		{"20 primes", primes(20, 1_000_003)},
		{"40 primes", primes(40, 100_000_007)},
		{"30 subset sums", subsetSums[:30]},
		{"36 subset sums", subsetSums[:36]},
		{"40 subset sums", subsetSums},
	} {
		l := strided(b, 0, repeated(2, len(c.strides)), c.strides)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				analysis.Of(l)
			}
		})
	}
}
