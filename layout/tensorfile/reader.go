package tensorfile

import (
	"cmp"
	"io"
	"math"
	"math/big"
	"slices"
	"unicode"
	"unicode/utf8"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// Limits of the memory for one file.
const (
	maxTensors  = 200_000
	maxSizes    = 4_000_000 // sizes of all tensors together
	maxNameKept = 4096      // bytes of a name; the rest is skipped
)

// A fileReader reads one file. The reader of each format fills in the descriptors, ranges and findings.
type fileReader struct {
	headerReader
	descriptor.File
	list   list            // the tensors
	names  map[string]bool // the names of the tensors so far; nil if they are in order, as most writers sort them
	last   string          // the last name
	ranges []byteRange     // the ranges of tensors with known offsets
	lost   bool            // the offset of some tensor is unknown
	data   int64           // the byte of the file that the data starts at
	about  finding.Span    // the subject of findings
	npy    npyHeader       // the header of a .npy file
	arena  []int64         // memory for sizes
	kept   int             // the number of sizes in the file
	keeps  bool            // the metadata is kept

	*finding.Reporter
}

func newReader(in io.ReaderAt, size int64) *fileReader {
	t := &fileReader{headerReader: headerReader{in: in, size: size, end: size}}
	t.report(nil)
	return t
}

// report keeps all findings except silent ones. The function silent may be nil.
func (t *fileReader) report(silent func(*finding.Finding) bool) {
	t.Reporter = finding.NewReporter(finding.Options{Most: finding.MostOfRule, Silent: silent},
		func(f finding.Finding) { t.Findings = append(t.Findings, f) })
}

// on returns a tensor, or the file if the name is empty, as the subject of a finding.
//
// It is not inlined because it has many callers and inlining would increase the size of each.
//
//go:noinline
func (t *fileReader) on(tensor string) finding.Subject {
	return finding.At{Tensor: tensor, Bytes: t.about}
}

// locate sets the range of bytes of the findings starting at first, and of the last tensors, unless they have one.
func (t *fileReader) locate(first int, from, to int64) {
	for i := len(t.list) - 1; i >= 0 && t.list[i].Bytes == (finding.Span{}); i-- {
		t.list[i].Bytes = finding.Span{From: from, To: to}
	}
	for i := first; i < len(t.Findings); i++ {
		if f := &t.Findings[i]; f.Bytes == (finding.Span{}) {
			f.Bytes = finding.Span{From: from, To: to}
		}
	}
}

// inData sets the subject of findings to a range of the data, clipped to the file.
func (t *fileReader) inData(begin, end int64) {
	left := max(t.size-t.data, 0)
	t.about = finding.Span{From: t.data + min(begin, left), To: t.data + min(end, left)}
}

// expect allocates memory for about n tensors of the given size. A file with a budget reserves this memory.
func (t *fileReader) expect(n, bytes uint64) {
	n = min(n, maxTensors)
	if in, ok := t.in.(interface{ Take(bytes int64) }); ok {
		in.Take(int64(n * bytes))
	}
	t.list = make(list, 0, n)
	t.ranges = make([]byteRange, 0, n)
}

// add adds a tensor. It reports false if there are too many.
func (t *fileReader) add(d row) bool {
	if len(t.list) == maxTensors {
		t.fail(t.pos(), "the file has more than the limit of %d tensors", maxTensors)
		return false
	}
	t.list = append(t.list, d)
	return true
}

// sizes returns memory for n numbers.
func (t *fileReader) sizes(n int) []int64 {
	if t.kept += n; t.kept > maxSizes {
		t.fail(t.pos(), "the tensors have more than the limit of %d sizes together", maxSizes)
	}
	if n > len(t.arena) {
		t.arena = make([]int64, max(n, 4096))
	}
	sizes := t.arena[:n:n]
	t.arena = t.arena[n:]
	return sizes
}

// judgeName checks the name of a tensor, which has the given number of bytes in the file.
func (t *fileReader) judgeName(name string, bytes int64) {
	if bytes > maxNameKept {
		t.remember() // without this one, because only its start is known
		t.Report(FileName, t.on(name), "", "the name is %d bytes long, over the limit of %d", bytes, maxNameKept)
		return
	}
	if t.appears(name) {
		t.Report(FileName, t.on(name), "", "two tensors have this name")
	}
	plain := 0
	for plain < len(name) && ' ' <= name[plain] && name[plain] <= '~' {
		plain++
	}
	if plain == len(name) {
		return // true for nearly all
	}
	if !utf8.ValidString(name) {
		t.Report(FileName, t.on(name), "", "the name is not valid UTF-8")
		return
	}
	for i, r := range name {
		if r < ' ' || r > '~' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			t.ReportAs(FileName, finding.Warning, t.on(name), "",
				"the name has the control character U+%04X at byte %d", r, i)
			return
		}
	}
}

// appears reports whether an earlier tensor has the name, and records the name.
func (t *fileReader) appears(name string) bool {
	if t.names == nil && (len(t.list) == 0 || name > t.last) {
		t.last = name
		return false
	}
	t.remember()
	n := len(t.names)
	t.names[name] = true
	return len(t.names) == n
}

// remember creates the table of the names so far.
func (t *fileReader) remember() {
	if t.names != nil {
		return
	}
	t.names = make(map[string]bool, cap(t.list))
	for i := range t.list {
		t.names[t.list[i].Name] = true
	}
}

// A list is the tensors of a header. Each has only the fields that a header can state, which need a third of the memory
// of a descriptor.
type list []row

// A row is a tensor of a list.
type row struct {
	Name, TypeName string
	Type           layout.DType
	TypeKnown      bool // otherwise the type is specific to the format, or invalid
	Sizes          []int64
	Strides        []int64
	Total          descriptor.Number
	Bytes, Data    finding.Span
	swap           uint8 // the number of bytes in each unit to reverse to make the elements little-endian, or 0
}

// Len returns the number of tensors.
func (l list) Len() int { return len(l) }

// At returns the descriptor of a tensor.
func (l list) At(i int) descriptor.Descriptor {
	t := &l[i]
	return descriptor.Descriptor{Name: t.Name, TypeName: t.TypeName, Type: t.Type, TypeKnown: t.TypeKnown,
		TypeJudged: !t.TypeKnown, Sizes: t.Sizes, Strides: t.Strides, Total: t.Total, Bytes: t.Bytes, Data: t.Data,
		Swap: int(t.swap)}
}

// A byteRange is the range of a tensor's data, in bytes from the start of all data.
type byteRange struct {
	begin, end int64
	tensor     int32 // the index of the descriptor
}

// within returns the number of bytes of the range that are below data.
func (r byteRange) within(data int64) int64 { return max(min(r.end, data)-max(r.begin, 0), 0) }

// place records the range of the last tensor's data. Later, judgeRanges checks it.
func (t *fileReader) place(begin, end int64) {
	t.ranges = append(t.ranges, byteRange{begin, end, int32(len(t.list) - 1)})
}

// judgeRanges checks that each tensor starts at the end of the previous one, rounded up to the alignment, and returns
// the end of the last one. If the offset of some tensor is unknown, it may be in a gap.
func (t *fileReader) judgeRanges(align int64, fix func(r byteRange, begin int64) string) int64 {
	slices.SortFunc(t.ranges, func(a, b byteRange) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end), cmp.Compare(a.tensor, b.tensor))
	})
	reach, holder := int64(0), int32(0)
	for _, r := range t.ranges {
		name, want := t.list[r.tensor].Name, alignedUp(reach, align)
		t.inData(r.begin, r.end)
		switch {
		case r.begin < reach:
			if t.WantsRule(FileOverlap) {
				t.Report(FileOverlap, t.on(name), "",
					"the tensor starts at byte %d of the data, but %s reaches to byte %d",
					r.begin, t.quoted(holder), reach)
			}
		case r.begin%align != 0:
			if t.WantsRule(FileAlign) {
				t.Report(FileAlign, t.on(name), fix(r, want),
					"the tensor starts at byte %d of the data, which is not a multiple of the alignment of %s",
					r.begin, inBytes(align))
			}
		case r.begin > want && !t.lost && t.WantsRule(FileHole):
			t.Report(FileHole, t.on(name), fix(r, want),
				"%s before the tensor, from byte %d of the data to byte %d, belong to no tensor",
				inBytes(r.begin-want), want, r.begin)
		}
		if r.end > reach {
			reach, holder = r.end, r.tensor
		}
	}
	t.inData(reach, math.MaxInt64)
	return reach
}

// alignedUp rounds n up to a multiple of align, or to the largest number.
func alignedUp(n, align int64) int64 {
	up, err := layout.AlignUp(n, align)
	if err != nil {
		return math.MaxInt64
	}
	return up
}

// A claim is the number of bytes that a shape and a type need.
type claim struct {
	bytes int64    // math.MaxInt64 if 64 bits do not hold them
	bits  int64    // after the last whole byte
	over  *big.Int // the bytes if they do not fit in 64 bits, otherwise nil
}

// claimed returns the claim of nonnegative sizes and the bits of an element.
func claimed(sizes []int64, bits int64) claim {
	var buf [layout.MaxRank + 1]int64
	n, err := layout.ProductOf(append(append(buf[:0], sizes...), bits))
	overflow, ok := err.(*layout.OverflowError)
	if !ok {
		return claim{n / 8, n % 8, nil}
	}
	bytes, rest := new(big.Int).DivMod(overflow.Exact, big.NewInt(8), new(big.Int))
	if bytes.IsInt64() {
		return claim{bytes.Int64(), rest.Int64(), nil}
	}
	return claim{math.MaxInt64, 0, bytes}
}

// beyond returns the rest of the claim after a number of bytes, which is at most the claim.
func (c claim) beyond(there int64) claim {
	if c.over != nil {
		return claim{over: new(big.Int).Sub(c.over, big.NewInt(there))}
	}
	return claim{bytes: c.bytes - there}
}

// String returns the bytes with their unit, exactly unless there are very many digits.
func (c claim) String() string {
	if c.over == nil {
		return inBytes(c.bytes)
	}
	digits := c.over.String()
	if len(digits) > maxDigits {
		return "a number of bytes of " + wording.Count(len(digits), "digit")
	}
	return digits + " bytes"
}

// maxDigits limits the numbers in messages. For longer numbers, messages state the number of digits.
const maxDigits = 40

// quoted returns the name of a tensor for a message about another one.
func (t *fileReader) quoted(tensor int32) string { return wording.Quote(t.list[tensor].Name) }
