package manifest

import (
	"bytes"
	"slices"
	"strconv"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
)

// dumpFields are the words that CUTLASS prints before the arguments of a rejected tensor map, in order, with the part
// after each. The first is the address of the map itself, which is not an argument.
var dumpFields = [...]struct {
	word string
	part descriptor.Part
}{
	{"TMA Desc Addr:", descriptor.Whole}, {"format", descriptor.TypePart}, {"dim", descriptor.CountPart},
	{"gmem_address", descriptor.AddressPart}, {"globalDim", descriptor.SizesPart},
	{"globalStrides", descriptor.StridesPart},
	{"boxDim", descriptor.BoxPart}, {"elementStrides", descriptor.ElementStridesPart},
	{"interleave", descriptor.InterleavePart},
	{"swizzle", descriptor.SwizzlePart}, {"l2Promotion", descriptor.PromotionPart}, {"oobFill", descriptor.FillPart},
}

// The indices of fields in dumpFields.
const dumpRank, dumpSizes, dumpStrides, dumpBox, dumpSteps = 2, 4, 5, 6, 7

// A dumpEntry is a field of a dump, with its values and their offsets in the input.
type dumpEntry struct {
	field  int
	at     int
	values []int64
	items  []int
}

// A mapDump is a dump: an entry for each field.
type mapDump [len(dumpFields)]dumpEntry

// IsMapDump reports whether data has a CUTLASS dump of a tensor map.
func IsMapDump(data []byte) bool { return bytes.Contains(data, []byte(dumpFields[0].word)) }

// MapDumps returns the tensor maps in a log. The lines of several processes may be mixed, if it is certain which ones
// belong together.
func MapDumps(data []byte) *descriptor.File {
	r := dumpReader{data: data, file: &descriptor.File{Kind: mapKind, Target: descriptor.Target{Family: finding.TMA}}}
	r.Reporter = finding.NewCollector(&r.file.Findings)
	var open []dumpEntry
	var count [len(dumpFields)]int
	for _, e := range dumpEntries(data) {
		if e.field == 0 && isEven(count) { // the entries before it are complete
			r.group(open, count[0])
			open, count = nil, [len(dumpFields)]int{}
		}
		open = append(open, e)
		count[e.field]++
	}
	r.group(open, count[0])
	r.LeftOut(finding.At{})
	return r.file
}

// isEven reports whether each field occurs equally often.
func isEven(count [len(dumpFields)]int) bool {
	return !slices.ContainsFunc(count[:], func(n int) bool { return n != count[0] })
}

// dumpEntries returns the fields of the dumps in data: a word followed by a value of the right form.
func dumpEntries(data []byte) (list []dumpEntry) {
	start := 0
	for line := range bytes.Lines(data) {
		s := lexer.Scanner{In: string(line)}
		for !s.Done() {
			at := s.Pos
			if e, ok := entryAt(&s); ok {
				e.at += start
				for i := range e.items {
					e.items[i] += start
				}
				list = append(list, e)
				continue
			}
			if s.Pos = at; s.Span(lexer.IsWord) == "" {
				s.Pos++
			}
		}
		start += len(line)
	}
	return list
}

// entryAt reads a field with its value, a number or a list of numbers.
func entryAt(s *lexer.Scanner) (e dumpEntry, ok bool) {
	start := s.Pos
	for e.field = range dumpFields {
		word := dumpFields[e.field].word
		if rest := s.In[start:]; len(rest) < len(word) || rest[:len(word)] != word {
			continue
		}
		s.Pos = start + len(word)
		s.Blanks()
		isList := s.Take("(")
		if isList != (dumpSizes <= e.field && e.field <= dumpSteps) || s.Pos == start+len(word) {
			return e, false
		}
		for e.at = s.Pos; ; {
			at := s.Pos
			n, err := s.Integer(lexer.IntKind{Noun: "number", Hex: true})
			if err != nil {
				return e, false
			}
			e.values, e.items = append(e.values, n), append(e.items, at)
			if !isList || !s.Take(",") {
				break
			}
			s.Blanks()
		}
		return e, !isList || s.Take(")")
	}
	return e, false
}

// A dumpReader combines entries into tensor maps.
type dumpReader struct {
	*finding.Reporter
	data []byte
	mark doctree.LineMark
	file *descriptor.File
}

// group reads n dumps, which may have mixed lines.
func (r *dumpReader) group(list []dumpEntry, n int) {
	if n == 0 {
		return
	}
	var of [len(dumpFields)][]dumpEntry
	for _, e := range list {
		of[e.field] = append(of[e.field], e)
	}
	uneven, differing := "", []string(nil)
	for field, entries := range of {
		differs := func(e dumpEntry) bool { return !slices.Equal(e.values, entries[0].values) }
		switch word := dumpFields[field].word; {
		case len(entries) != n && uneven == "":
			uneven = word
		case field > 0 && slices.ContainsFunc(entries, differs):
			differing = append(differing, word)
		}
	}
	if uneven == "" && (len(differing) < 2 || isWhole(list)) {
		for i := range n {
			var d mapDump
			for field := range d {
				d[field] = of[field][i]
			}
			r.add(d)
		}
		return
	}
	rest := r.whole(list)
	switch {
	case len(rest) == 0:
	case uneven != "":
		r.report(rest[0].at, "run again with one process, or paste all lines of one",
			"a dump of a tensor map is not whole: it has no line with %s, or it is mixed with others", uneven)
	default:
		r.report(rest[0].at, "run again with one process",
			"the dumps of %d processes are mixed, and differ in %s and %s: which belongs to which is not known", n,
			differing[0], differing[1])
	}
}

// isWhole reports whether the entries are dumps one after the other.
func isWhole(list []dumpEntry) bool {
	for i, e := range list {
		if e.field != i%len(dumpFields) {
			return false
		}
	}
	return true
}

// whole reads the dumps on consecutive lines, and returns the other lines.
func (r *dumpReader) whole(list []dumpEntry) (rest []dumpEntry) {
	for len(list) > 0 {
		if n := len(dumpFields); len(list) >= n && isWhole(list[:n]) && (len(list) == n || list[n].field == 0) {
			r.add(mapDump(list[:n]))
			list = list[n:]
			continue
		}
		rest, list = append(rest, list[0]), list[1:]
	}
	return rest
}

// report reports lines that cannot be read.
func (r *dumpReader) report(at int, fix, format string, args ...any) {
	r.Report(finding.Syntax, finding.On("", placed(r.mark.Place(r.data, at))), fix, format, args...)
}

// add adds a tensor map.
func (r *dumpReader) add(dump mapDump) {
	m := &descriptor.TensorMap{}
	for i := range dump {
		e := &dump[i]
		switch enum, ok := mapEnums[dumpFields[i].part]; {
		case ok:
			code, err := enum.of.Parse(strconv.FormatInt(e.values[0], 10))
			if err != nil {
				r.report(e.at, layout.HintOf(err), "%s", err)
				return
			}
			*enum.field(m) = code
		case dumpFields[i].part == descriptor.AddressPart:
			m.Address = descriptor.Stated(e.values[0])
		}
	}
	rank := dump[dumpRank].values[0]
	n := int(min(rank, int64(len(dump[dumpSizes].values))))
	cut := func(field int) []int64 { return dump[field].values[:min(n, len(dump[field].values))] }
	strides := cut(dumpStrides)
	m.Box, m.Steps = cut(dumpBox), cut(dumpSteps)
	d := descriptor.Descriptor{
		Name:   "map " + strconv.Itoa(len(r.file.Descriptors)+1),
		Source: &dumpSource{r, dump, n}, Count: descriptor.Stated(rank),
	}
	d.SetMap(m, cut(dumpSizes), strides[min(1, len(strides)):])
	step, bits := first(strides), m.Type.Type().Bits // bits of an element, which the driver does not get
	if d.Strides != nil && n > 0 && step <= 1<<40 && step*8 > bits {
		d.Strides[n-1] = step * 8 / bits
	}
	r.file.Descriptors = append(r.file.Descriptors, d)
}

// first returns the first item of a list, or 0 if it is empty.
func first(list []int64) int64 {
	if len(list) == 0 {
		return 0
	}
	return list[0]
}

// A dumpSource locates the parts of a dump.
type dumpSource struct {
	r    *dumpReader
	dump mapDump
	rank int
}

// Place returns the position of a part or of its item.
func (s *dumpSource) Place(p descriptor.Part, item int) finding.Place {
	at := s.dump[0].at
	for i, f := range dumpFields {
		if e := &s.dump[i]; f.part == p {
			at = e.at
			if k := s.rank - 1 - item; item >= 0 && 0 <= k && k < len(e.items) {
				at = e.items[k]
			}
		}
	}
	return s.r.mark.Place(s.r.data, at)
}

// A placed is a position that implements [finding.Locator].
type placed finding.Place

// Place implements [finding.Locator].
func (p placed) Place() finding.Place { return finding.Place(p) }
