package rules

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"layoutcalc/layout"
)

// largeSlack is the number of spare bytes from which twice the need is suspicious.
const largeSlack = 64

// checkTotal holds the stated number of bytes against what the elements take.
func (c *Checker) checkTotal() {
	total, dml := c.d.Total, c.directML()
	if total.Value == 0 && (dml || c.d.Computed || !total.Stated) {
		if dml {
			c.totalMissing()
		}
		return
	}
	if dml && total.Value%4 != 0 && c.broken(TotalMultiple4) {
		c.find(TotalMultiple4, TotalPart, -1, c.roundedTotal(), "TotalTensorSizeInBytes %d is not a multiple of 4", total.Value)
	}
	switch need, ok := c.need(); {
	case ok && total.Value >= need:
		c.checkSlack(total.Value, need)
	case ok || total.Value < 0 || c.short():
		c.totalTooSmall()
	}
}

// totalMissing reports that there is no total. DxDispatch computes it.
func (c *Checker) totalMissing() {
	severity, fix, outcome := all[TotalMissing].Severity, "", ""
	if c.d.Computed {
		severity, outcome = Note, ": it is computed"
	}
	if !c.wants(TotalMissing, severity) {
		return
	}
	if need, ok := c.need(); ok && need > 0 {
		fix = fixf("%d is enough", need)
	}
	what := "TotalTensorSizeInBytes is not stated"
	if c.d.Total.Stated {
		what = "TotalTensorSizeInBytes is 0"
	}
	c.findAs(TotalMissing, severity, TotalPart, -1, fix, "%s%s", what, outcome)
}

// roundedTotal is the total that mends one that is no multiple of 4.
func (c *Checker) roundedTotal() string {
	total := c.d.Total.Value
	if total < 0 || total > math.MaxInt64-3 {
		return ""
	}
	need, ok := c.need()
	if rounded := (total + 3) &^ 3; !ok || rounded > need {
		return fixf("%d is one", rounded)
	}
	return fixf("%d is enough", need)
}

// checkSlack reports bytes that no element needs.
func (c *Checker) checkSlack(total, need int64) {
	spare := total - need
	id := TotalSlack
	if spare > largeSlack && spare >= need {
		id = TotalSlackLarge
	}
	if spare == 0 || !c.broken(id) {
		return
	}
	why := ""
	switch {
	case id == TotalSlackLarge:
		why = ": perhaps the shape changed, or it counts something else"
	case c.d.Role == Output && c.directML():
		why = ", which DirectML may write over"
	}
	c.find(id, TotalPart, -1, fixf("%d is enough", need), "%s %d, needs %d: %s to spare%s", c.totalName(), total, need, count(spare, "byte"), why)
}

func (c *Checker) totalTooSmall() {
	if !c.broken(TotalTooSmall) {
		return
	}
	total := c.d.Total.Value
	if !c.measured() {
		c.find(TotalTooSmall, TotalPart, -1, "", "%s %d is negative", c.totalName(), total)
		return
	}
	need := c.exactNeed()
	short := new(big.Int).Sub(need, big.NewInt(total))
	fix := fmt.Sprintf("%v is enough, %v more", need, short)
	answer := ""
	if c.directML() && c.room.reached && c.room.high <= math.MaxUint32 {
		if answer = c.helper(); answer != "" {
			answer = "; " + answer
		}
	}
	c.find(TotalTooSmall, TotalPart, -1, fix, "%s %d, needs %v (%s)%s", c.totalName(), total, need, c.reckoning(), answer)
}

// reckoning says how the need comes about.
func (c *Checker) reckoning() string {
	elements, size := c.exactElements(), big.NewInt(c.bits())
	if elements.Sign() == 0 {
		return "no elements"
	}
	bytes := wholeBytes(elements, c.bits())
	last := new(big.Int).Sub(elements, big.NewInt(1))
	text := fmt.Sprintf("last element %v, %s, %v x ", last, c.typeName(), elements)
	if w := &c.room; w.reached && w.low < 0 {
		text = fmt.Sprintf("elements %d to %d, %s, %v x ", w.low, w.high, c.typeName(), elements)
	}
	if rest := c.bits() % 8; rest == 0 {
		text += fmt.Sprintf("%v = %v", size.Rsh(size, 3), bytes)
	} else {
		text += fmt.Sprintf("%v bits = %v bytes", size, bytes)
	}
	if c.exactNeed().Cmp(bytes) != 0 {
		text += ", rounded up to 4"
	}
	return text
}

// totalName is what messages call the total.
func (c *Checker) totalName() string {
	if c.directML() {
		return "TotalTensorSizeInBytes"
	}
	return "total bytes"
}

// measured reports whether the need follows from the descriptor.
func (c *Checker) measured() bool {
	w := &c.room
	switch {
	case !w.sized || c.bits() == 0 || c.directML() && w.empty:
		return false
	case c.directML() && w.backwards:
		return false
	}
	return w.reached || w.strided || c.d.Strides == nil && c.d.Layout == ""
}

// need is the number of bytes from the start of the storage, or from the first element if that
// lies before it, to the end of the last one. DirectML rounds it up to a multiple of 4.
func (c *Checker) need() (bytes int64, ok bool) {
	w := &c.room
	if !w.reached || !c.measured() {
		return 0, false
	}
	if w.empty {
		return 0, true
	}
	elements := w.high - min(w.low, 0) + 1
	hi, lo := bits.Mul64(uint64(elements), uint64(c.bits()))
	lo, carry := bits.Add64(lo, 7, 0)
	if hi += carry; hi > 3 {
		return 0, false
	}
	n := hi<<61 | lo>>3
	if c.directML() {
		n = (n + 3) &^ 3
	}
	return int64(n), n <= math.MaxInt64
}

// short reports whether the total is less than a need that 64 bits do not hold, or that is not
// known to them.
func (c *Checker) short() bool {
	return c.measured() && c.exactNeed().Cmp(big.NewInt(c.d.Total.Value)) > 0
}

// exactElements is how many elements the storage must have, however many.
func (c *Checker) exactElements() *big.Int {
	w := &c.room
	if w.empty {
		return new(big.Int)
	}
	low, high := big.NewInt(w.low), big.NewInt(w.high)
	if !w.reached {
		low, high = c.bounds()
	}
	if low.Sign() < 0 {
		high.Sub(high, low)
	}
	return high.Add(high, big.NewInt(1))
}

// exactNeed is need, however large.
func (c *Checker) exactNeed() *big.Int {
	bytes := wholeBytes(c.exactElements(), c.bits())
	if c.directML() {
		bytes.Add(bytes, big.NewInt(3))
		bytes.AndNot(bytes, big.NewInt(3))
	}
	return bytes
}

// wholeBytes is how many bytes a number of elements takes side by side.
func wholeBytes(elements *big.Int, size int64) *big.Int {
	bytes := new(big.Int).Mul(elements, big.NewInt(size))
	return bytes.Rsh(bytes.Add(bytes, big.NewInt(7)), 3)
}

// checkReach looks for offsets beyond what is counted with: 32 bits by DirectML's helper, 64 by
// everybody.
func (c *Checker) checkReach() {
	w := &c.room
	switch {
	case !w.sized || w.empty:
	case !c.directML():
		c.checkOverflow()
	case c.d.Strides != nil && w.strided && !w.backwards && (!w.reached || w.high > math.MaxUint32):
		c.indexOverflow()
	}
	c.checkLayout()
}

// indexOverflow reports a last element that DirectML's helper counts wrong.
func (c *Checker) indexOverflow() {
	if !c.broken(IndexOverflow) {
		return
	}
	_, last := c.bounds()
	answer := c.helper()
	if answer == "" {
		answer = "DMLCalcBufferTensorSize counts it wrong"
	}
	size := ""
	if c.bits() > 0 {
		size = fmt.Sprintf(", the true size is %v bytes", c.exactNeed())
	}
	c.find(IndexOverflow, StridesPart, -1, "keep the sum of (size - 1) x stride at or below 4294967295", "last element %v does not fit 32 bits; %s%s", last, answer, size)
}

// checkOverflow reports numbers of elements, offsets and bytes that 64 bits do not hold.
func (c *Checker) checkOverflow() {
	const limit = "which 64 bits do not hold (limit 9223372036854775807)"
	w := &c.room
	switch {
	case !w.countable:
		if c.broken(Overflow) {
			c.find(Overflow, SizesPart, -1, "", "the number of elements is %s, %s", product(c.d.Sizes), limit)
		}
	case w.strided && !w.reached:
		if c.broken(Overflow) {
			low, high := c.bounds()
			c.find(Overflow, StridesPart, -1, "", "the offsets run from %v to %v, %s", low, high, limit)
		}
	case w.blocked && !w.reached:
		c.find(Overflow, BasePart, -1, "", "64 bits do not hold the offset of the last element")
	case w.reached && c.bits() > 0:
		if _, ok := c.need(); !ok && c.broken(Overflow) {
			c.find(Overflow, SizesPart, -1, "", "the number of bytes is %v, %s", c.exactNeed(), limit)
		}
	}
}

// bounds returns the lowest and the highest offset, however large.
func (c *Checker) bounds() (low, high *big.Int) {
	w := &c.room
	low, high = big.NewInt(c.base()), big.NewInt(c.base())
	if !w.strided {
		elements, _ := new(big.Int).SetString(product(c.d.Sizes), 10)
		return low, high.Add(high, elements.Sub(elements, big.NewInt(1)))
	}
	for i, n := range c.d.Sizes {
		reach := big.NewInt(w.strides[i])
		reach.Mul(reach, big.NewInt(n-1))
		if reach.Sign() < 0 {
			low.Add(low, reach)
		} else {
			high.Add(high, reach)
		}
	}
	return low, high
}

// checkOffset notes a storage offset, which no descriptor of DirectML's can state.
func (c *Checker) checkOffset() {
	if n := c.d.Base; n != 0 && c.broken(OffsetUnstated) {
		c.find(OffsetUnstated, BasePart, -1, "bind the buffer at the offset", "storage offset %d%s: no descriptor states it; the binding starts there, and it counts on top of the total",
			n, c.inBytes(max(n, 0)))
	}
}

// helper says what DirectML's DMLCalcBufferTensorSize answers, nothing where it is right or where
// it cannot be asked.
func (c *Checker) helper() string {
	if c.bits() == 0 || c.d.Strides == nil {
		return ""
	}
	l, err := layout.Strided(0, c.d.Sizes, c.d.Strides)
	if err != nil {
		return ""
	}
	t, err := layout.NewTensor(l, c.d.Type)
	if err != nil {
		return ""
	}
	answer, differs := t.DirectMLHelper()
	switch {
	case !differs:
		return ""
	case answer.G2019 == answer.G2024 && answer.G2022 == answer.G2024:
		return fmt.Sprintf("DMLCalcBufferTensorSize answers %d", answer.G2024)
	}
	return fmt.Sprintf("DMLCalcBufferTensorSize of 2019, 2022 and 2024 answers %d, %d and %d", answer.G2019, answer.G2022, answer.G2024)
}
