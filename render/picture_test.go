package render

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"layoutcalc/layout"
)

// next is the label after a label: letters count like the digits of an odometer.
func next(label string) string {
	digits := []byte(label)
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] < 'Z' {
			digits[i]++
			return string(digits)
		}
		digits[i] = 'A'
	}
	return "A" + string(digits)
}

func TestLetters(t *testing.T) {
	for _, tt := range []struct {
		n      int64
		want   string
		reason string
	}{
		{0, "A", "the first"},
		{25, "Z", "26 of one letter"},
		{26, "AA", "then two"},
		{51, "AZ", "26 + 25"},
		{52, "BA", "2×26"},
		{701, "ZZ", "26 + 26² - 1"},
		{702, "AAA", "26 + 26²"},
	} {
		if got := letters(tt.n); got != tt.want {
			t.Errorf("letters(%d) = %s, want %s: %s", tt.n, got, tt.want, tt.reason)
		}
	}
	want := "A"
	for n := range int64(20_000) {
		if got := letters(n); got != want {
			t.Fatalf("letters(%d) = %s, want %s", n, got, want)
		}
		want = next(want)
	}
}

// labelsOf gives each offset the letters of the first element there, counting those elements
// only that are not broadcast copies.
func labelsOf(l layout.Layout) map[int64]string {
	labels, label := map[int64]string{}, "A"
	for _, e := range elements(l) {
		if isCopy(l, e.index) {
			continue
		}
		if labels[e.offset] == "" {
			labels[e.offset] = label
		}
		label = next(label)
	}
	return labels
}

// indicesOf gives each offset the index of the first element there.
func indicesOf(l layout.Layout) map[int64]string {
	labels := map[int64]string{}
	for _, e := range elements(l) {
		if labels[e.offset] == "" {
			labels[e.offset] = layout.JoinInts(e.index, ",")
		}
	}
	return labels
}

// isCopy reports whether the element has an index above 0 along an axis that takes no storage.
func isCopy(l layout.Layout, index []int64) bool {
	for i, v := range index {
		still := v > 0
		for u := range l.Axis(i).Size() {
			still = still && along(l.Axis(i), u) == 0
		}
		if still {
			return true
		}
	}
	return false
}

// readPicture reads the logical view and the bands of a picture that has both, after the heading.
func readPicture(t interface{ Fatalf(string, ...any) }, text string) (logical []string, slots [][2]string) {
	var offsets []string
	if head, rest, ok := strings.Cut(text, "\n\n"); ok && strings.Contains(head, " · ") {
		text = rest
	}
	for _, line := range strings.Split(text, "\n") {
		cells := strings.Split(line, "│")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case cells[0] == "Offset:":
			offsets = cells[1:]
		case isElements(cells[0]) && len(cells[1:]) != len(offsets):
			t.Fatalf("%d values for %d offsets in\n%s", len(cells)-1, len(offsets), text)
		case isElements(cells[0]):
			for i, offset := range offsets {
				slots = append(slots, [2]string{offset, cells[i+1]})
			}
		case len(slots) == 0 && !strings.HasSuffix(line, ":"):
			logical = append(logical, strings.Fields(line)...)
		}
	}
	return logical, slots
}

// isElements reports whether a title is of a row of elements.
func isElements(title string) bool { return title == "Value:" || title == "Index:" }

// TestPicture reads pictures of random tensors: every slot has the label of the first element
// at its offset or x, all slots are there in order, and the logical view has the label of each
// element in row-major order. The labels are letters of up to 26 elements, and indices and offsets of more.
func TestPicture(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tensor := tensors(3).Draw(rt, "tensor")
		l, v, labels := tensor.Layout(), whole(tensor), labelsOf(tensor.Layout())
		if l.Ordinals() > 26 {
			labels = indicesOf(l)
		}
		if l.Empty() || v.To-v.From > MaxCells {
			rt.Skip("nothing to draw, or too much")
		}
		v.All = true
		width := rapid.IntRange(60, 300).Draw(rt, "width")
		text := written(t, Options{Format: Table, Width: width}, func(p *Printer) error { return p.Picture(tensor, v) })
		logical, slots := readPicture(rt, text)
		var want [][2]string
		for offset := v.From; offset < v.To; offset++ {
			label := labels[offset]
			if label == "" {
				label = "x"
			}
			want = append(want, [2]string{strconv.FormatInt(offset, 10), label})
		}
		if diff := cmp.Diff(want, slots); diff != "" {
			rt.Fatalf("%v: -loop +picture:\n%s\n%s", l, diff, text)
		}
		var inOrder []string
		for _, e := range elements(l) {
			if label := labels[e.offset]; l.Ordinals() <= 26 {
				inOrder = append(inOrder, label)
			} else {
				inOrder = append(inOrder, strconv.FormatInt(e.offset, 10))
			}
		}
		if diff := cmp.Diff(inOrder, logical); diff != "" && l.Rank() > 0 {
			rt.Fatalf("%v: -loop +logical view:\n%s\n%s", l, diff, text)
		}
	})
}

// TestLongStorage draws random tensors, of which the storage is drawn only if it has at most three pairs of rows. A
// longer one is counted, and the view has the offsets of all elements in row-major order.
func TestLongStorage(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tensor := tensors(3).Draw(rt, "tensor")
		l, v := tensor.Layout(), whole(tensor)
		if l.Empty() || l.Rank() == 0 || max(v.To-v.From, l.Elements()) > MaxCells {
			rt.Skip("nothing to draw, or too much")
		}
		o := Options{Format: Table, Width: rapid.IntRange(60, 300).Draw(rt, "width")}
		draw := func(v Window) string {
			return written(t, o, func(p *Printer) error { return p.Picture(tensor, v) })
		}
		text, all := draw(v), v
		all.All = true
		if whole := draw(all); strings.Count(whole, " Offset: ") <= 3 {
			if text != whole {
				rt.Fatalf("%v: a short storage is drawn as\n%s\nand with all as\n%s", l, text, whole)
			}
			return
		}
		if strings.Contains(text, "Offset:") || !strings.Contains(text, Group(v.count())+" offsets: --all") {
			rt.Fatalf("%v: a long storage is drawn as\n%s", l, text)
		}
		view, _, _ := strings.Cut(text, "\n"+Group(v.count())+" offsets")
		shown, _ := readPicture(rt, view)
		var want []string
		for _, e := range elements(l) {
			want = append(want, strconv.FormatInt(e.offset, 10))
		}
		if diff := cmp.Diff(want, shown); diff != "" && !strings.Contains(view, "…") {
			rt.Fatalf("%v: -loop +view:\n%s\n%s", l, diff, text)
		}
	})
}

// TestPictureViews draws parts, values and indices of the two-row tensor in DirectML's documentation on padding.
func TestPictureViews(t *testing.T) {
	tensor := parsed(t, "2x3", "", strides(t, "5,1"))
	tests := []struct {
		view   Window
		want   string
		reason string
	}{
		{
			Window{From: 0, To: 10, Whole: true}, "A B C | D E F | 0A 1B 2C 3x 4x 5D 6E 7F 8x 9x",
			"ten slots, the last two are padding",
		},
		{Window{From: 2, To: 6}, "| 2C 3x 4x 5D", "a part has no logical view"},
		{Window{From: -2, To: 1}, "| -2x -1x 0A", "offsets before the base"},
		{
			Window{From: 0, To: 8, Whole: true, Values: []string{"14", "16", "20", "1", "2", "-3"}},
			"14 16 20 | 1 2 -3 | 014 116 220 3x 4x 51 62 7-3", "values of the user's",
		},
		{Window{From: 5, To: 8, Indices: true}, "| 51,0 61,1 71,2", "indices"},
		{Window{From: 0, To: 1, Values: []string{"x\x1by", "", "", "", "", ""}}, `| 0x\x1by`, "values are cleaned"},
	}
	for _, tt := range tests {
		o := Options{Format: Table, Width: 80}
		text := written(t, o, func(p *Printer) error { return p.Picture(tensor, tt.view) })
		logical, slots := readPicture(t, text)
		var parts []string
		for i, label := range logical {
			if parts = append(parts, label); i%3 == 2 {
				parts = append(parts, "|")
			}
		}
		if len(logical) == 0 {
			parts = append(parts, "|")
		}
		for _, s := range slots {
			parts = append(parts, s[0]+s[1])
		}
		if got := strings.Join(parts, " "); got != tt.want {
			t.Errorf("%+v shows %s, want %s: %s", tt.view, got, tt.want, tt.reason)
		}
	}
}

// TestPictureBroadcast shows a row that three rows share once, with a line that states it.
func TestPictureBroadcast(t *testing.T) {
	tensor := parsed(t, "3x4", "", strides(t, "0,1"))
	o := Options{Format: Table, Width: 80}
	text := written(t, o, func(p *Printer) error { return p.Picture(tensor, whole(tensor)) })
	logical, slots := readPicture(t, text)
	if want := strings.Fields("A B C D A B C D A B C D"); !slices.Equal(logical[:12], want) || len(slots) != 4 {
		t.Errorf("logical view %v, %d slots, want %v, 4", logical, len(slots), want)
	}
	if !strings.Contains(text, "broadcast along axis 0") {
		t.Errorf("not a word of broadcasting in\n%s", text)
	}
}

// TestPictureLimits shows the offsets at the edges of the drawn part.
func TestPictureLimits(t *testing.T) {
	const far = int64(math.MaxInt64)
	tests := []struct {
		shape, strides string
		from, to       int64
		all            bool
		want, not      string
		reason         string
	}{
		{
			shape: "32x32", strides: "32,1", to: 1024, want: " 31,31", not: "--range",
			reason: "1,024 slots are a picture; the last is 1023",
		},
		{
			shape: "32x33", strides: "33,1", to: 1056, want: "1,024 of 1,056 offsets shown", not: " 31,32",
			reason: "one more is only counted",
		},
		{
			shape: "32x33", strides: "33,1", to: 1056, all: true, want: "\n   1055 │ [31, 32]\n", not: "--range",
			reason: "all: an offset a line",
		},
		{
			shape: "2x3", strides: "5000,1", to: 5003, want: "1,024 of 5,003 offsets shown",
			reason: "elements few, offsets many",
		},
		{
			shape: "2x3", strides: "3,1", from: 3, to: 3, not: "no elements",
			reason: "an empty range is not an empty tensor",
		},
		{
			shape: "2x3", strides: "3,1", from: far - 7, to: far, want: fmt.Sprint(far - 1), not: "empty",
			reason: "offsets at the end of int64",
		},
		{
			shape: "2x3", strides: "3,1", from: -far, to: far, want: "offsets shown",
			reason: "nearly all offsets of int64",
		},
		{
			shape: "2x3", strides: "3,1", from: -far, to: -far + 2, want: fmt.Sprint(-far + 1), not: "empty",
			reason: "offsets at its start",
		},
		{shape: "0x3", strides: "3,1", want: "empty: no elements", not: "Offset:", reason: "an empty tensor"},
	}
	for _, tt := range tests {
		tensor := parsed(t, tt.shape, "", strides(t, tt.strides))
		v := Window{From: tt.from, To: tt.to, All: tt.all}
		text := written(t, Options{Format: Table}, func(p *Printer) error { return p.Picture(tensor, v) })
		if !strings.Contains(text, tt.want) || tt.not != "" && strings.Contains(text, tt.not) {
			t.Errorf("want %q and not %q: %s, got\n%.300s", tt.want, tt.not, tt.reason, text)
		}
	}
}

// TestLogicalViewIsWhole shows few elements that lie far apart: the corners have the offsets of them all.
func TestLogicalViewIsWhole(t *testing.T) {
	tensor := parsed(t, "2x3", "", strides(t, "5000,1"))
	text := written(t, Options{Format: Table}, func(p *Printer) error { return p.Picture(tensor, whole(tensor)) })
	want := strings.Fields("0 1 2 5000 5001 5002")
	if logical, _ := readPicture(t, text); !slices.Equal(logical[max(len(logical)-6, 0):], want) {
		t.Errorf("the logical view is %v", logical)
	}
}
