package layout

import (
	"fmt"
	"slices"
)

// A View is a tensor after a step.
type View struct {
	Tensor Tensor
	Copied bool   // the step had to copy the elements
	Why    string // why it had to, or what else there is to know
}

// Apply applies the step to a tensor. Strides are those that PyTorch gives, also to axes of
// size 1 and to tensors without elements. Steps that only NumPy has are as there.
func (s Step) Apply(t Tensor) (View, error) {
	v := &viewing{axes: cloneAxes(t.layout.axes), base: t.layout.base, storage: t.storage, dtype: t.dtype}
	apply := (*viewing).slice
	if s.op != nil {
		apply = s.op.apply
	}
	if err := apply(v, s); err != nil {
		return View{}, err
	}
	l, err := New(v.base, v.axes...)
	if err != nil {
		return View{}, s.wrap(err)
	}
	after, err := NewTensor(l, t.dtype)
	if err != nil {
		return View{}, s.wrap(err)
	}
	after.storage = v.storage
	for _, origins := range after.origins {
		for k := range origins {
			origins[k].Kind = Viewed
		}
	}
	return View{after, v.copied && !l.Empty(), v.note}, nil
}

// A viewing is a layout while a step changes it. New checks what comes out.
type viewing struct {
	axes    []Axis
	base    int64
	storage int64
	dtype   DType
	copied  bool
	note    string
}

// called returns what axis i is called.
func (v *viewing) called(i int) string { return Layout{axes: v.axes}.AxisName(i) }

// unname takes away the names of the axes, which are of no use when some axis has none.
func (v *viewing) unname() {
	for i := range v.axes {
		v.axes[i].name = ""
	}
}

// single makes an axis of one digit.
func single(name string, size, stride int64) Axis {
	return Axis{name, size, []Digit{{size, stride}}}
}

// stride returns the stride of an axis that counts as one digit.
func (v *viewing) stride(i int) (int64, error) {
	stride, ok := v.axes[i].linear(nil)
	if !ok {
		return 0, &SyntaxError{Msg: fmt.Sprintf("axis %s is in blocks, which this step cannot keep", v.called(i))}
	}
	return stride, nil
}

func (v *viewing) permute(s Step) error {
	order, err := s.axes(v)
	if err != nil {
		return err
	}
	if len(order) != len(v.axes) {
		return s.fail(-1, "", "%s for %d axes", count(len(order), "position"), len(v.axes))
	}
	v.rearrange(order)
	return nil
}

func (v *viewing) rearrange(order []int) {
	axes := make([]Axis, len(order))
	for i, from := range order {
		axes[i] = v.axes[from]
	}
	v.axes = axes
}

func (v *viewing) transpose(s Step) error {
	if len(s.args) != 2 {
		return s.usage(-1)
	}
	a, err := s.axis(v, s.args[0], len(v.axes))
	if err != nil {
		return err
	}
	b, err := s.axis(v, s.args[1], len(v.axes))
	if err != nil {
		return err
	}
	v.axes[a], v.axes[b] = v.axes[b], v.axes[a]
	return nil
}

func (v *viewing) reverse(s Step) error {
	slices.Reverse(v.axes)
	return v.noArguments(s)
}

func (v *viewing) matrixTranspose(s Step) error {
	n := len(v.axes)
	if n < 2 {
		return s.fail(-1, "", "a matrix has two axes at least, this tensor %d", n)
	}
	v.axes[n-2], v.axes[n-1] = v.axes[n-1], v.axes[n-2]
	return v.noArguments(s)
}

func (v *viewing) noArguments(s Step) error {
	if len(s.args) > 0 {
		return s.usage(0)
	}
	return nil
}

// movedim moves axes to other positions; the others keep their order.
func (v *viewing) movedim(s Step) error {
	if len(s.args) != 2 {
		return s.usage(-1)
	}
	from, err := Step{in: s.in, at: s.at, op: s.op, args: s.args[:1]}.axes(v)
	if err != nil {
		return err
	}
	to, err := Step{in: s.in, at: s.at, op: s.op, args: s.args[1:]}.axes(v)
	if err != nil {
		return err
	}
	if len(from) != len(to) {
		return s.fail(1, "", "%s to move, %s to move to", count(len(from), "axis"), count(len(to), "position"))
	}
	order := slices.Repeat([]int{-1}, len(v.axes))
	for i, at := range to {
		order[at] = from[i]
	}
	next := 0
	for i := range order {
		for order[i] < 0 && slices.Contains(from, next) {
			next++
		}
		if order[i] < 0 {
			order[i] = next
			next++
		}
	}
	v.rearrange(order)
	return nil
}

// expand broadcasts axes of size 1, and puts new ones before all others. -1 keeps a size.
func (v *viewing) expand(s Step) error {
	sizes, err := s.numbers()
	if err != nil {
		return err
	}
	more := len(sizes) - len(v.axes)
	if more < 0 {
		return s.fail(-1, "", "%s for %d axes", count(len(sizes), "size"), len(v.axes))
	}
	scalar := len(v.axes) == 0
	axes := make([]Axis, len(sizes))
	for i := len(sizes) - 1; i >= 0; i-- {
		old := single("", 1, 0)
		if i >= more {
			old = v.axes[i-more]
		} else if old.digits[0].Stride, err = outside(axes[i+1:], scalar); err != nil {
			return s.wrap(err)
		}
		switch size := sizes[i]; {
		case size == -1 && i >= more || size == old.size:
			axes[i] = old
		case size < 0:
			return s.fail(-1, "-1 keeps the size of an axis that is there", "a size cannot be negative")
		case old.size != 1:
			return s.fail(-1, "only axes of size 1 can be broadcast", "axis %s has size %d, not %d", v.called(i-more), old.size, size)
		default:
			axes[i] = single(old.name, size, 0)
		}
	}
	if v.axes = axes; more > 0 {
		v.unname()
	}
	return nil
}

// outside is the stride that PyTorch gives a new axis before others: their first one's size
// times its stride, and 0 when a scalar is expanded.
func outside(axes []Axis, scalar bool) (int64, error) {
	if len(axes) == 0 || scalar {
		return 0, nil
	}
	stride, _ := axes[0].linear(nil)
	return mul(axes[0].size, stride)
}

func (v *viewing) selectIndex(s Step) error {
	if len(s.args) != 2 || s.args[1].isList || s.args[1].word != "" {
		return s.usage(-1)
	}
	axis, err := s.axis(v, s.args[0], len(v.axes))
	if err != nil {
		return err
	}
	return v.take(s, s.args[1].at, axis, s.args[1].number)
}

// take keeps one index of an axis, which goes away.
func (v *viewing) take(s Step, at, axis int, i int64) error {
	n := v.axes[axis].size
	index := i
	if index < 0 {
		index += n
	}
	if index < 0 || index >= n {
		return &SyntaxError{s.in, at, fmt.Sprintf("index %d is out of range: axis %s has size %d", i, v.called(axis), n), ""}
	}
	if err := v.move(v.axes[axis].offset(index)); err != nil {
		return s.wrap(err)
	}
	v.axes = slices.Delete(v.axes, axis, axis+1)
	return nil
}

// move moves the base.
func (v *viewing) move(by int64) (err error) {
	v.base, err = add(v.base, by)
	return named("the storage offset", err)
}

func (v *viewing) narrow(s Step) error {
	if len(s.args) != 3 {
		return s.usage(-1)
	}
	axis, err := s.axis(v, s.args[0], len(v.axes))
	if err != nil {
		return err
	}
	numbers, err := s.asNumbers(s.args[1:])
	if err != nil {
		return err
	}
	start, size, n := numbers[0], numbers[1], v.axes[axis].size
	if start < 0 {
		start += n
	}
	if start < 0 || size < 0 || start > n || size > n-start {
		return s.fail(1, "", "%d indices from %d on are more than the %d of axis %s", size, numbers[0], n, v.called(axis))
	}
	return s.wrap(v.cut(axis, start, size, 1))
}

// wrap makes an error without a place point at the step.
func (s Step) wrap(err error) error { return s.wrapAt(s.at, err) }

// wrapAt makes an error without a place point at a part of the step.
func (s Step) wrapAt(at int, err error) error {
	if e, ok := err.(*SyntaxError); ok && e.Input == "" {
		return &SyntaxError{s.in, at, e.Msg, e.Hint}
	}
	if e, ok := err.(*OverflowError); ok {
		return &OverflowError{"after " + clip(s.text) + ", " + e.What, e.Exact, e.Hint}
	}
	return err
}

// cut keeps size indices of an axis from start on, in steps. An axis in blocks can be cut
// between them.
func (v *viewing) cut(axis int, start, size, step int64) error {
	a := &v.axes[axis]
	if stride, ok := a.linear(nil); ok {
		by, err := mul(start, stride)
		if err == nil {
			err = v.move(by)
		}
		if err == nil {
			stride, err = mul(stride, step)
		}
		*a = single(a.name, size, stride)
		return named("the stride of axis "+v.called(axis), err)
	}
	block := int64(1)
	for _, d := range a.digits[1:] {
		block *= d.Extent
	}
	if step != 1 || start%block != 0 {
		return &SyntaxError{Msg: fmt.Sprintf("axis %s is in blocks of %d", v.called(axis), block), Hint: "cut it between blocks, without steps"}
	}
	if err := v.move(start / block * a.digits[0].Stride); err != nil {
		return err
	}
	a.size, a.digits[0].Extent = size, ceilDiv(size, block)
	return nil
}

// squeeze drops the axis of size 1 that is given, or all of them.
func (v *viewing) squeeze(s Step) error {
	if len(s.args) == 0 {
		v.axes = slices.DeleteFunc(v.axes, func(a Axis) bool { return a.size == 1 })
		return nil
	}
	given, err := s.axes(v)
	if err != nil {
		return err
	}
	slices.Sort(given)
	for _, axis := range slices.Backward(given) {
		if v.axes[axis].size == 1 {
			v.axes = slices.Delete(v.axes, axis, axis+1)
		}
	}
	return nil
}

func (v *viewing) unsqueeze(s Step) error {
	if len(s.args) != 1 || s.args[0].word != "" {
		return s.usage(-1)
	}
	axis, err := s.axis(v, s.args[0], len(v.axes)+1)
	if err != nil {
		return err
	}
	return s.wrap(v.insert(axis))
}

// insert puts an axis of size 1 before the given one, with the stride that PyTorch gives it.
func (v *viewing) insert(axis int) error {
	stride := int64(1)
	if axis < len(v.axes) {
		var err error
		if stride, err = outside(v.axes[axis:], false); err != nil {
			return named("the stride of the new axis", err)
		}
	}
	v.axes = slices.Insert(v.axes, axis, single("", 1, stride))
	v.unname()
	return nil
}

// flip reverses axes by negative strides.
func (v *viewing) flip(s Step) error {
	axes, err := s.axes(v)
	if err != nil {
		return err
	}
	if len(axes) == 0 {
		return s.usage(-1)
	}
	v.note = "NumPy's flip is a view; PyTorch's copies"
	for _, axis := range axes {
		if err := v.flipAxis(axis); err != nil {
			return s.wrap(err)
		}
	}
	return nil
}

// flipAxis reverses an axis. One without indices stays as it is.
func (v *viewing) flipAxis(axis int) error {
	a := &v.axes[axis]
	if a.size == 0 {
		return nil
	}
	if stride, ok := a.linear(nil); ok {
		back, err := neg(stride)
		if err != nil {
			return named("the stride of axis "+v.called(axis), err)
		}
		*a = single(a.name, a.size, back)
		return v.move((a.size - 1) * stride)
	}
	if _, partial := a.dims(nil, axis); partial {
		return &SyntaxError{Msg: fmt.Sprintf("axis %s ends inside a block and cannot be reversed", v.called(axis))}
	}
	for k, d := range a.digits {
		a.digits[k].Stride = -d.Stride
		if err := v.move((d.Extent - 1) * d.Stride); err != nil {
			return err
		}
	}
	return nil
}

// diagonal takes the elements where two axes have the same index, or indices that are offset
// apart, as a new last axis.
func (v *viewing) diagonal(s Step) error {
	numbers, err := s.exactly(0, 0, 1)
	if err != nil {
		return err
	}
	a, err := s.axis(v, argument{at: s.at, number: numbers[1]}, len(v.axes))
	if err != nil {
		return err
	}
	b, err := s.axis(v, argument{at: s.at, number: numbers[2]}, len(v.axes))
	if err != nil {
		return err
	}
	if a == b {
		return s.fail(-1, "", "a diagonal needs two axes")
	}
	return s.wrap(v.takeDiagonal(numbers[0], a, b))
}

func (v *viewing) takeDiagonal(offset int64, a, b int) error {
	strideA, err := v.stride(a)
	if err != nil {
		return err
	}
	strideB, err := v.stride(b)
	if err != nil {
		return err
	}
	along, by := strideB, max(offset, 0)
	size := min(v.axes[a].size, v.axes[b].size-by)
	if offset < 0 {
		by = -max(offset, -v.axes[a].size)
		along, size = strideA, min(v.axes[a].size-by, v.axes[b].size)
	}
	if size = max(size, 0); size > 0 {
		if err := v.move(by * along); err != nil {
			return err
		}
	}
	stride, err := add(strideA, strideB)
	if err != nil {
		return named("the stride of the diagonal", err)
	}
	v.axes = slices.Delete(v.axes, max(a, b), max(a, b)+1)
	v.axes = append(slices.Delete(v.axes, min(a, b), min(a, b)+1), single("", size, stride))
	v.unname()
	return nil
}

// unfold makes windows along an axis; the position inside them is a new last axis.
func (v *viewing) unfold(s Step) error {
	if len(s.args) != 3 {
		return s.usage(-1)
	}
	axis, err := s.axis(v, s.args[0], len(v.axes))
	if err != nil {
		return err
	}
	numbers, err := s.asNumbers(s.args[1:])
	if err != nil {
		return err
	}
	size, step, n := numbers[0], numbers[1], v.axes[axis].size
	stride, err := v.stride(axis)
	switch {
	case err != nil:
		return s.wrap(err)
	case size < 0 || size > n:
		return s.fail(1, "", "a window of %d does not fit axis %s of size %d", size, v.called(axis), n)
	case step < 1:
		return s.fail(2, "", "a step is at least 1")
	}
	outer, err := mul(stride, step)
	if err != nil {
		return s.wrap(named("the stride of the windows", err))
	}
	v.axes[axis] = single("", (n-size)/step+1, outer)
	v.axes = append(v.axes, single("", size, stride))
	v.unname()
	return nil
}
