package notation

import (
	"fmt"
	"strings"

	"layoutcalc/layout"
)

// A LossError says what of a layout a notation cannot express.
type LossError struct {
	Notation *Notation
	Lost     string
	tensor   layout.Tensor
}

// Error names the notation and what it would lose.
func (e *LossError) Error() string { return e.Notation.Name + " cannot say this: " + e.Lost }

// Hint names the notations that can say it.
func (e *LossError) Hint() string {
	var can []string
	for _, n := range all {
		if _, err := n.Write(e.tensor); err == nil {
			can = append(can, n.Name)
		}
	}
	if len(can) == 0 {
		return "no notation can"
	}
	return "these can: " + strings.Join(can, ", ")
}

// lost returns a LossError for the tensor.
func lost(t layout.Tensor, format string, args ...any) error {
	return &LossError{Lost: fmt.Sprintf(format, args...), tensor: t}
}

// Terms are what a notation of strides can express beyond positive strides from offset 0.
type terms struct {
	base, zero, negative bool
	rank                 int // the most axes; 0 is no limit
}

// strides returns one stride for each axis, or says what of the tensor the terms do not cover. A
// stride that never counts is 0 where it must not be what it is.
func (c terms) strides(t layout.Tensor) ([]int64, error) {
	l := t.Layout()
	strides, ok := l.LinearStrides()
	switch {
	case !ok:
		return nil, lost(t, "it has one stride for each axis, and axis %s needs several", blocked(l))
	case c.rank > 0 && l.Rank() > c.rank:
		return nil, lost(t, "it has at most %d axes, and the tensor has %d", c.rank, l.Rank())
	case l.Base() != 0 && !c.base:
		return nil, lost(t, "it has no storage offset, and index 0 lies at %d", l.Base())
	case l.Base() < 0:
		return nil, lost(t, "the storage offset %d is negative", l.Base())
	}
	for i, stride := range strides {
		switch counts := l.Axis(i).Size() > 1; {
		case stride < 0 && !c.negative && !counts:
			strides[i] = 0
		case stride < 0 && !c.negative:
			return nil, lost(t, "strides are not negative, and that of axis %s is %d", l.AxisName(i), stride)
		case stride == 0 && counts && !c.zero:
			return nil, lost(t, "strides are positive, and axis %s is broadcast", l.AxisName(i))
		}
	}
	return strides, nil
}

// blocked names the first axis that needs several strides.
func blocked(l layout.Layout) string {
	for i := range l.Rank() {
		one, err := layout.New(0, l.Axis(i))
		if _, ok := one.LinearStrides(); err != nil || !ok {
			return l.AxisName(i)
		}
	}
	return ""
}

// spelled returns the tensor's type in the spelling of a system, or says that it has none.
func spelled(t layout.Tensor, spelling string) (string, error) {
	if spelling == "" {
		return "", lost(t, "it has no type %s", t.DType())
	}
	return spelling, nil
}
