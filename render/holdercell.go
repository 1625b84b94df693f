package render

import (
	"slices"

	"layoutcalc/layout/tvlayout"
)

// A HolderCell is the content of a picture's cell for an element of a tile.
type HolderCell struct {
	Texts []string // its holders, from the longest string to the shortest
	Tint  int      // the number of the colour of the first holder; may be negative
	Group string   // names the thread of the first holder
	Words string   // a sentence with the holders of the element, the value and the register
	Warp  int64    // the number of the first holder's warp in all blocks; may be negative
	Half  int64    // the number of the first holder's 32 lanes in all blocks; may be negative
}

// HolderCells returns a function that makes the cell of an element of a tile.
func HolderCells(o *tvlayout.Ownership, show, color HolderPart) func(index []int64) HolderCell {
	holders := o.Holders()
	warps := o.Layout().Axis(tvlayout.Warp).Size()
	halves := (o.Lanes() + 31) / 32
	return func(index []int64) HolderCell {
		number, _ := o.Tile().Offset(index)
		list, count := holders.Of(number)
		if count == 0 {
			return HolderCell{Texts: []string{"x"}, Tint: -1, Words: "held by nobody", Warp: -1, Half: -1}
		}
		first := list[0]
		c := HolderCell{
			Texts: holderTexts(o, list, count, show),
			Tint:  tintOf(first, color),
			Group: threadName(o, first),
			Words: (&holdersResult{holding: holding{o, index}, list: list, count: count}).sentence(captions()),
			Warp:  first[tvlayout.Block]*warps + first[tvlayout.Warp],
		}
		c.Half = c.Warp*halves + first[tvlayout.Lane]/32
		return c
	}
}

// threadName names the thread of a holder: T14, or B1:T14 if there are several blocks.
func threadName(o *tvlayout.Ownership, holder []int64) string {
	name := "T" + text(o.Thread(holder))
	if o.Layout().Axis(tvlayout.Block).Size() > 1 {
		return "B" + text(holder[tvlayout.Block]) + ":" + name
	}
	return name
}

// tintOf returns the number of a colour. Lanes of two halves of 32 that are the same in a half have different colours.
func tintOf(holder []int64, color HolderPart) int {
	n := holder[color.axis()]
	if color.axis() == tvlayout.Lane {
		n += n / 32 * 4
	}
	return int(n)
}

// holderTexts returns strings for a cell: with the values of threads, without them, with lanes, and with the first
// lane.
func holderTexts(o *tvlayout.Ownership, list [][]int64, count int64, show HolderPart) []string {
	texts := []string{cellText(o, list, count, show)}
	first, more := list[0], ""
	if count > 1 {
		more = "+" + text(count-1)
	}
	if show == WholeHolder {
		texts = append(texts, threadName(o, first)+more, text(first[tvlayout.Lane])+more)
	}
	return slices.Compact(append(texts, text(first[show.axis()])))
}

// HolderLegends returns an explanation for each string of [HolderCell.Texts].
func HolderLegends(o *tvlayout.Ownership, show HolderPart) []string {
	outlines := ""
	if o.Layout().Axis(tvlayout.Block).Size()*o.Layout().Axis(tvlayout.Warp).Size() > 1 {
		outlines = "; a line is around each warp"
	}
	if o.Lanes() > 32 {
		outlines += "; a dashed line is around lanes 0-31 and 32-63"
	}
	if show != WholeHolder {
		word := "each cell shows the " + o.Layout().AxisName(show.axis()) + outlines
		return []string{word, word}
	}
	whole := "T14:1 is value 1 of thread 14"
	if o.Layout().Axis(tvlayout.Warp).Size() > 1 {
		whole += ", and thread = lane + " + text(o.Lanes()) + " × warp"
	}
	lane := "each cell shows the lane of its thread" + outlines
	return []string{whole + outlines, "T14 is thread 14" + outlines, lane, lane}
}
