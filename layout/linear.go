package layout

// LinearStrides returns one stride for each axis, where the digits of each count as one; ok is
// false when an axis needs several. The stride of an axis of at most one index, which never
// matters, is that of its innermost digit.
func (l Layout) LinearStrides() (strides []int64, ok bool) {
	strides = make([]int64, len(l.axes))
	for i := range l.axes {
		a := &l.axes[i]
		if a.size <= 1 {
			strides[i] = a.digits[len(a.digits)-1].Stride
			continue
		}
		if strides[i], ok = a.Linear(); !ok {
			return nil, false
		}
	}
	return strides, true
}
