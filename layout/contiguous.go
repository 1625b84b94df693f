package layout

// The axes of images and volumes from innermost to outermost in PyTorch's channels_last.
var (
	channelsLast   = [...]int{1, 3, 2, 0}
	channelsLast3D = [...]int{1, 4, 3, 2, 0}
)

// Contiguous is PyTorch's is_contiguous: from the last axis on, every stride is the product of
// the sizes behind it; size 1 does not count. A tensor without elements is always contiguous.
func (l Layout) Contiguous() bool {
	next := int64(1)
	for i := len(l.axes) - 1; i >= 0; i-- {
		if !l.continues(i, &next) {
			return l.Empty()
		}
	}
	return true
}

// ChannelsLast is PyTorch's is_contiguous for channels_last, or for channels_last_3d by the
// rank. Here a tensor without elements is no exception.
func (l Layout) ChannelsLast() bool {
	var order []int
	switch len(l.axes) {
	case 4:
		order = channelsLast[:]
	case 5:
		order = channelsLast3D[:]
	default:
		return false
	}
	next := int64(1)
	for _, i := range order {
		if !l.continues(i, &next) {
			return false
		}
	}
	return true
}

// continues reports whether the stride of axis i is next, which it moves on behind the axis.
func (l Layout) continues(i int, next *int64) bool {
	a := &l.axes[i]
	if a.size == 1 {
		return true
	}
	stride, ok := a.Linear()
	if !ok || stride != *next {
		return false
	}
	*next *= a.size
	return true
}
