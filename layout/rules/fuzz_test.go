package rules_test

import (
	"slices"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/rules"
)

// FuzzCheck makes a descriptor from bytes. Nothing may panic. If the elements can be counted one by one, the findings
// about overlap, gaps and the need must agree with the count.
func FuzzCheck(f *testing.F) {
	f.Add([]byte{0, 1, 0, 5, 55}, []byte{9, 3}, int64(123), int64(0))
	f.Add([]byte{1, 2, 1, 3, 3}, []byte{2, 2}, int64(20), int64(0))
	f.Add([]byte{2, 2, 2, 2, 3}, []byte{0, 1}, int64(12), int64(3))
	f.Add([]byte{3, 0, 9, 4, 3, 2}, []byte{12, 253, 1}, int64(-4), int64(-1))
	f.Add([]byte{4, 1, 21, 7}, []byte{250}, int64(7), int64(1<<62))
	f.Add([]byte{5, 1, 22, 2, 3, 4, 5, 6}, []byte{200, 100, 50, 1, 7}, int64(1<<40), int64(0))
	f.Add([]byte{1, 1, 1, 3, 3}, []byte{2, 2}, int64(19), int64(0))
	f.Fuzz(func(t *testing.T, head, strides []byte, total, base int64) {
		defer layouttest.Limit(t, len(head)+len(strides))()
		if len(head) < 3 || len(head) > 70 || len(strides) > 70 {
			return
		}
		d := &descriptor.Descriptor{TypeName: "x", TypeKnown: head[2] < 30, Role: descriptor.Role(head[1] % 3),
			Base: base}
		if d.TypeKnown {
			d.Type = layout.DType(head[2] % 30)
		}
		for _, b := range head[3:] {
			d.Sizes = append(d.Sizes, wide(b))
		}
		for _, b := range strides {
			d.Strides = append(d.Strides, wide(b))
		}
		if len(d.Sizes) > 2 && many(d.Sizes) {
			return // the search for overlap may take its second
		}
		d.Total = descriptor.Number{Value: total, Stated: total != 0}
		targets := descriptor.Targets()
		target, _ := descriptor.ParseTarget(targets[int(head[0])%len(targets)])
		found := check(target, d)
		if target.Family == finding.DirectML {
			base = 0
		}
		count(base, d).agree(t, target, d, found)
	})
}

// wide returns a small number of most bytes, a large one of some.
func wide(b byte) int64 {
	if b >= 128 && b < 136 {
		return 1 << (8 * (b - 128))
	}
	return int64(int8(b))
}

// many reports whether there are too many elements for a fast search.
func many(sizes []int64) bool {
	n := int64(1)
	for _, size := range sizes {
		if n *= max(size, 1); n > 1<<20 {
			return true
		}
	}
	return false
}

// A tally is the result of counting the elements of a descriptor one by one.
type tally struct {
	offsets   map[int64]int
	elements  int
	low, high int64
}

// count visits the elements; it returns nil where they are too many, or cannot be visited.
func count(base int64, d *descriptor.Descriptor) *tally {
	elements := int64(1)
	if len(d.Strides) != len(d.Sizes) || base > 1<<40 || base < -1<<40 || len(d.Sizes) == 0 {
		return nil
	}
	for i, n := range d.Sizes {
		if n < 0 || n > 200 || d.Strides[i] > 1<<32 {
			return nil
		}
		if elements *= n; elements == 0 || elements > 2000 {
			return nil
		}
	}
	c := &tally{offsets: map[int64]int{}, low: base, high: base}
	c.visit(d, 0, base)
	return c
}

func (c *tally) visit(d *descriptor.Descriptor, axis int, offset int64) {
	if axis == len(d.Sizes) {
		c.offsets[offset]++
		c.elements++
		c.low, c.high = min(c.low, offset), max(c.high, offset)
		return
	}
	for i := range d.Sizes[axis] {
		c.visit(d, axis+1, offset+i*d.Strides[axis])
	}
}

// agree compares the findings with the count.
func (c *tally) agree(t *testing.T, target descriptor.Target, d *descriptor.Descriptor, found []finding.Finding) {
	if c == nil || len(of(found, rules.OverlapUnknown)) > 0 {
		return
	}
	expect := func(want bool, ids ...*finding.Rule) {
		t.Helper()
		n := 0
		for _, id := range ids {
			for _, f := range of(found, id) {
				if id != rules.MdspanUnique || f.Severity == finding.Error {
					n++
				}
			}
		}
		if (n > 0) != want {
			t.Errorf("%v: sizes %v, strides %v, base %d, %d bytes of %v: want %v: %v%s", target, d.Sizes, d.Strides,
				d.Base, d.Total.Value, d.Type, ids, want, shown(found))
		}
	}
	span := c.high - c.low + 1
	unique := len(c.offsets) == c.elements
	expect(!unique, rules.OverlapInput, rules.OverlapOutput, rules.MdspanUnique, rules.BroadcastPresent,
		rules.BroadcastOutput)
	expect(int64(len(c.offsets)) < span, rules.Gaps)
	expect(!unique && span == int64(c.elements), rules.GapOverlapBalance)
	if target.Family == finding.DirectML {
		expect(c.high >= 1<<32 && !backwards(d), rules.IndexOverflow)
	}
	if d.TypeKnown && d.Type.Bits() > 0 && d.Total.Value != 0 && !(target.Family == finding.DirectML && backwards(d)) {
		need := ((c.high-min(c.low, 0)+1)*d.Type.Bits() + 7) / 8
		if target.Family == finding.DirectML {
			need = (need + 3) / 4 * 4
		}
		bytes := slices.ContainsFunc(of(found, rules.StrideBytes),
			func(f finding.Finding) bool { return f.Severity == finding.Error })
		// Strides that the total proves to count bytes are the cause; the finding about them also reports that the
		// total is too small for elements.
		if bytes {
			least := c.high - c.low + d.Type.Bits()/8
			if target.Family == finding.DirectML {
				least = (least + 3) / 4 * 4
			}
			if d.Total.Value < least || d.Total.Value >= need {
				t.Errorf("%v: sizes %v, strides %v, base %d, %d bytes of %v: strides in bytes need %d, elements %d%s",
					target, d.Sizes, d.Strides, d.Base, d.Total.Value, d.Type, least, need, shown(found))
			}
		}
		expect(d.Total.Value < need && !bytes, rules.TotalTooSmall)
		expect(d.Total.Value > need, rules.TotalSlack, rules.TotalSlackLarge)
	}
}

// backwards reports whether a stride that moves is negative.
func backwards(d *descriptor.Descriptor) bool {
	for i, s := range d.Strides {
		if s < 0 && d.Sizes[i] > 1 {
			return true
		}
	}
	return false
}
