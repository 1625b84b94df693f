package shape

import (
	"slices"
	"strconv"

	"layoutcalc/layout"
	"layoutcalc/layout/wording"
)

// A rule is the flags for the storage of one axis; 0 means that a flag is not set.
type rule struct {
	pad, pitch, align int64
	broadcast         bool
}

// A tight is a pitch of an axis that is less than the stride which the axis has without it.
type tight struct {
	axis         int
	pitch, least int64
}

// called returns the names of the axes, or their indices.
func (p *plan) called() []string {
	if len(p.names) > 0 && p.names[0] != "" {
		return p.names
	}
	positions := make([]string, len(p.names))
	for i := range positions {
		positions[i] = strconv.Itoa(i)
	}
	return positions
}

// rule assigns the flags to axes.
func (p *plan) rule(s *Spec) error {
	if !s.ruled() {
		return nil
	}
	p.rules = make([]rule, len(p.sizes))
	names := p.called()
	flags := []struct {
		name    string
		numbers []AxisNumber
		field   func(*rule) *int64
	}{
		{"--pad", s.Pad, func(r *rule) *int64 { return &r.pad }},
		{"--pitch", s.Pitch, func(r *rule) *int64 { return &r.pitch }},
		{"--align", s.Align, func(r *rule) *int64 { return &r.align }},
	}
	for _, flag := range flags {
		for _, number := range flag.numbers {
			axis, err := p.axisOf(flag.name, number, names)
			if err != nil {
				return err
			}
			field := flag.field(&p.rules[axis])
			switch {
			case *field != 0:
				err = number.axis.fail("", "%s of axis %s is given twice", flag.name, names[axis])
			case flag.name == "--align" && p.rules[axis].pitch > 0:
				err = number.axis.fail("", "--pitch gives the stride of axis %s already", names[axis])
			case flag.name == "--align":
				*field, err = number.amount.multiple(p.dtype)
			default:
				*field, err = number.amount.Elements(p.dtype)
			}
			if err != nil {
				return err
			}
		}
	}
	if err := p.lead(s); err != nil {
		return err
	}
	if err := p.ruleBroadcast(s, names); err != nil {
		return err
	}
	return p.aim(s)
}

// ruleBroadcast marks the axes that use no storage, and rejects rules that contradict each other.
func (p *plan) ruleBroadcast(s *Spec, names []string) error {
	for _, ref := range s.Broadcast {
		axis, err := ref.Find("--broadcast", names)
		if err != nil {
			return err
		}
		if r := p.rules[axis]; max(r.pad, r.pitch, r.align) > 0 {
			return ref.fail("", "axis %s is broadcast: it takes no storage that --pad, --pitch or --align could change",
				names[axis])
		}
		p.rules[axis].broadcast = true
	}
	return nil
}

// stride returns the tensor with the strides in the list.
func (p *plan) stride(list List) (layout.Tensor, error) {
	given, err := list.Elements(p.dtype)
	if err != nil {
		return layout.Tensor{}, err
	}
	strides, err := p.placeStrides(list, given)
	if err != nil {
		return layout.Tensor{}, err
	}
	axes := make([]layout.Axis, len(p.sizes))
	for i, size := range p.sizes {
		axes[i] = layout.NewAxis(p.names[i], size, layout.Digit{Extent: size, Stride: strides[i]})
	}
	l, err := layout.New(p.base, axes...)
	if err != nil {
		return layout.Tensor{}, err
	}
	t, err := layout.NewTensor(l, p.dtype)
	if err == nil && slices.Contains(Names(l), p.name.String()) {
		t = t.Called(p.name.String())
	}
	return t, err
}

// agree rejects strides that imply an order of the axes different from the name. Axes of size 1 or stride 0, and all
// axes of an empty tensor, may be anywhere in the order.
func (p *plan) agree(l layout.Layout, s *Spec) error {
	outer := -1
	for _, i := range p.memory {
		if l.Empty() || p.sizes[i] == 1 || l.Axis(i).Digit(0).Stride == 0 {
			continue
		}
		if outer >= 0 && reach(l, outer) < reach(l, i) {
			names := p.called()
			return s.Name.fail("remove "+s.Name.String()+", or the strides; labeled sizes name axes too: "+
				SizesOf(l).String(), "%s has axis %s outside %s, and the strides %d and %d put it inside", s.Name,
				names[outer], names[i], l.Axis(outer).Digit(0).Stride, l.Axis(i).Digit(0).Stride)
		}
		outer = i
	}
	return nil
}

// reach returns the absolute stride of an axis with one digit.
func reach(l layout.Layout, axis int) uint64 {
	stride := l.Axis(axis).Digit(0).Stride
	return uint64(max(stride, -stride))
}

// placeStrides returns the strides in logical order, given in the order of the sizes. Axes that --rank has added get
// strides larger than all others, unless the list includes them.
func (p *plan) placeStrides(list List, given []int64) ([]int64, error) {
	switch len(given) {
	case len(p.written):
	case len(p.sizes):
		return given, nil
	default:
		return nil, list.fail(len(p.written), "one stride for each axis", "%s for %s",
			wording.Count(len(given), "stride"), wording.Count(len(p.written), "size"))
	}
	outer := int64(1)
	if len(given) < len(p.sizes) {
		for i, stride := range given {
			step, err := layout.Abs(stride)
			if err == nil {
				step, err = layout.Mul(step, max(p.sizes[p.written[i]], 1))
			}
			if err != nil {
				return nil, layout.NameOverflow("the stride of the axes that --rank added", err)
			}
			outer = max(outer, step)
		}
	}
	strides := slices.Repeat([]int64{outer}, len(p.sizes))
	for i, stride := range given {
		strides[p.written[i]] = stride
	}
	return strides, nil
}

// A deriver assigns strides to digits one by one, from the innermost outwards.
type deriver struct {
	plan    *plan
	digits  []layout.Digit  // the digits of all axes, one axis after the other
	origins []layout.Origin // the origin of each digit
	next    int64           // the stride of the next digit, before rules
	storage int64           // the number of elements that the digits so far use
	chain   layout.Origin
	factors []layout.Factor // all digits' factors, filled from the end, because inner digits come after outer ones
	free    int             // the number of unknown factors

	nextErr, storageErr error // errors if they do not fit in 64 bits
	err                 error // the first error
}

// derive returns the tensor with the strides that follow from the order in memory. The strides are implicit if the user
// did not state the order.
func (p *plan) derive(implicit bool) (layout.Tensor, error) {
	d := deriver{plan: p, next: 1, storage: 1, chain: layout.Origin{Kind: layout.Innermost, Times: 1}}
	if d.makeDigits(); d.err == nil {
		d.lay()
	}
	if d.err != nil {
		return layout.Tensor{}, d.err
	}
	axes, end := make([]layout.Axis, len(p.sizes)), len(d.digits)
	for i := len(axes) - 1; i >= 0; i-- {
		first := d.first(i)
		axes[i] = layout.NewAxis(p.names[i], p.sizes[i], d.digits[first:end:end]...)
		end = first
	}
	l, err := layout.Adopt(p.base, axes)
	if err != nil {
		return layout.Tensor{}, err
	}
	storage := p.base
	if !l.Empty() {
		if storage, err = sum(d.storageErr, d.storage, 1, p.base, 0); err != nil {
			return layout.Tensor{}, layout.NameOverflow("the storage", err)
		}
	}
	return layout.NewDerived(l, p.dtype, layout.Derivation{
		Name: p.title(), Origins: d.origins, Storage: storage, Implicit: implicit,
	})
}

// title returns the name of the layout. It is empty for axes in blocks without letters.
func (p *plan) title() string {
	if len(p.blocks) > 0 && p.name.letters == "" {
		return ""
	}
	return p.name.String()
}

// makeDigits makes the digits of every axis, without strides.
func (d *deriver) makeDigits() {
	count := len(d.plan.sizes) + len(d.plan.blocks)
	d.digits, d.origins = make([]layout.Digit, count), make([]layout.Origin, count)
	d.factors, d.free = make([]layout.Factor, count), count
	for axis := range d.plan.sizes { // the product of the blocks, until all blocks are known
		d.digits[d.first(axis)].Extent = 1
	}
	for i, b := range d.plan.blocks {
		d.digits[d.blockDigit(i)].Extent = b.size
		outer := &d.digits[d.first(b.axis)]
		inside, err := layout.Mul(outer.Extent, b.size)
		if d.fault("the block", b.axis, err); err != nil {
			return
		}
		outer.Extent = inside
	}
	for axis, size := range d.plan.sizes {
		outer := &d.digits[d.first(axis)]
		outer.Extent = layout.CeilDiv(size, outer.Extent)
	}
}

// fault records an error about an axis unless an error is recorded already.
func (d *deriver) fault(what string, axis int, err error) {
	if d.err == nil && err != nil {
		d.err = layout.NameOverflow(what+" of axis "+d.plan.called()[axis], err)
	}
}

// first returns the index, among all digits, of the outermost digit of the axis.
func (d *deriver) first(axis int) int {
	at := axis
	for _, b := range d.plan.blocks {
		if b.axis < axis {
			at++
		}
	}
	return at
}

// blockDigit returns the index, among all digits, of block i. The digits of an axis are in the order of its blocks.
func (d *deriver) blockDigit(i int) int {
	axis := d.plan.blocks[i].axis
	at := d.first(axis) + 1
	for _, b := range d.plan.blocks[:i] {
		if b.axis == axis {
			at++
		}
	}
	return at
}

// lay sets the strides of the blocks, from the last to the first, and then of the outer digits.
func (d *deriver) lay() {
	for i, b := range slices.Backward(d.plan.blocks) {
		d.digit(b.axis, d.blockDigit(i))
	}
	for _, axis := range slices.Backward(d.plan.memory) {
		d.digit(axis, d.first(axis))
	}
}

// digit sets the stride of digit number at, which belongs to the axis, and moves on to the next digit outside it.
func (d *deriver) digit(axis, at int) {
	var rules rule
	if d.plan.rules != nil {
		rules = d.plan.rules[axis]
	}
	digit, origin, k := &d.digits[at], &d.origins[at], at-d.first(axis)
	if rules.broadcast {
		origin.Kind = layout.Repeated
		return
	}
	d.fault("the stride", axis, d.nextErr)
	*origin = d.chain
	digit.Stride = d.next
	if k > 0 {
		rules = rule{}
	}
	switch {
	case rules.pitch > 0:
		if rules.pitch < d.next && digit.Extent > 1 {
			d.plan.short = append(d.plan.short, tight{axis, rules.pitch, d.next})
		}
		digit.Stride, origin.Kind = rules.pitch, layout.Pitched
	case rules.align > 0:
		var err error
		digit.Stride, err = layout.AlignUp(d.next, rules.align)
		if d.fault("the stride", axis, err); digit.Stride != d.next {
			origin.Kind, origin.Align = layout.Aligned, rules.align
		}
	}
	d.link(axis, k, *digit, *origin)
	d.grow(*digit, rules.pad)
}

// link makes the digit a factor of the strides outside it. If its own stride is not a plain product, those strides
// start from it.
func (d *deriver) link(axis, k int, digit layout.Digit, origin layout.Origin) {
	factor := layout.Factor{Axis: axis, Digit: k, Extent: digit.Extent}
	if !d.plan.keepZero {
		factor.Extent = max(factor.Extent, 1)
	}
	at := d.free - 1
	d.free, d.factors[at] = at, factor
	links, times := len(d.chain.Inner)+1, d.chain.Times
	if origin.Plus != 0 || origin.Kind != layout.Product && origin.Kind != layout.Innermost {
		links, times = 1, digit.Stride
	}
	d.chain = layout.Origin{Kind: layout.Product, Inner: d.factors[at : at+links : at+links], Times: times}
}

// grow adds a digit to the storage, and finds the stride of the digit outside it: extent x stride, and the padding.
// With 2x3 and --pad W=1, W has stride 1 and extent 3, so the storage is 4, and so is the stride of H. If --strides
// made the stride short, the storage inside the digit may be longer than extent x stride; then that is the stride. A
// stride that does not fit into 64 bits matters only if there is a digit outside.
func (d *deriver) grow(digit layout.Digit, pad int64) {
	n := digit.Extent
	if !d.plan.keepZero {
		n = max(n, 1)
	}
	d.storage, d.storageErr = sum(d.storageErr, d.storage, max(n-1, 0), digit.Stride, pad)
	length, err := layout.Mul(n, digit.Stride)
	if d.next = length; err == nil && !d.plan.keepZero {
		d.next, err = max(length, d.storage-pad), d.storageErr
	}
	if err == nil {
		d.next, err = layout.Add(d.next, pad)
	}
	d.nextErr, d.chain.Plus = err, d.next-length
}

// sum returns storage + n × stride + pad, unless there is an error already.
func sum(err error, storage, n, stride, pad int64) (int64, error) {
	if err != nil {
		return 0, err
	}
	length, err := layout.Mul(n, stride)
	if err == nil {
		length, err = layout.Add(length, pad)
	}
	if err == nil {
		length, err = layout.Add(storage, length)
	}
	if err != nil {
		return layout.Dot([]int64{storage, n, pad}, []int64{1, stride, 1}) // its parts need not fit
	}
	return length, nil
}
