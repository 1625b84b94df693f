package layout

import (
	"fmt"
	"math"
	"math/big"

	"layoutcalc/layout/scan"
)

// checkCounts holds rule 1.
func (l Layout) checkCounts() error {
	digits := 0
	for _, a := range l.axes {
		digits += len(a.digits)
	}
	switch {
	case len(l.axes) > MaxRank:
		return &SyntaxError{Msg: fmt.Sprintf("%d axes, more than the limit of %d", len(l.axes), MaxRank)}
	case digits > MaxDigits:
		return &SyntaxError{Msg: fmt.Sprintf("%d digits, more than the limit of %d", digits, MaxDigits)}
	}
	return nil
}

// checkNames holds rule 2.
func (l Layout) checkNames() error {
	for i, a := range l.axes {
		if (a.name == "") != (l.axes[0].name == "") {
			return &SyntaxError{Msg: "either all axes have names or none"}
		}
		if a.name != "" && !scan.IsName(a.name) {
			return &SyntaxError{Msg: fmt.Sprintf("%q is not a name for an axis", a.name)}
		}
		for _, b := range l.axes[:i] {
			if a.name != "" && a.name == b.name {
				return &SyntaxError{Msg: "two axes are named " + a.name}
			}
		}
	}
	return nil
}

// checkDigits holds rule 4 and the first half of rule 3.
func (l Layout) checkDigits() error {
	for i, a := range l.axes {
		if a.size < 0 {
			return &SyntaxError{Msg: fmt.Sprintf("size %d of axis %s is negative", a.size, l.AxisName(i))}
		}
		outer, err := a.outerExtent()
		switch {
		case err != nil:
			return NameOverflow("the block of axis "+l.AxisName(i), err)
		case outer < 0 || a.digits[0].Extent != outer:
			return &SyntaxError{Msg: fmt.Sprintf("the digits of axis %s do not count to its size %d", l.AxisName(i), a.size)}
		}
	}
	return nil
}

// outerExtent is the extent that the outermost digit must have, -1 when no extent makes the
// other digits right.
func (a Axis) outerExtent() (int64, error) {
	if len(a.digits) == 0 {
		return -1, nil
	}
	inner := int64(1)
	for _, d := range a.digits[1:] {
		if d.Extent < 1 {
			return -1, nil
		}
		var err error
		if inner, err = Mul(inner, d.Extent); err != nil {
			return 0, err
		}
	}
	return CeilDiv(a.size, inner), nil
}

// checkElements holds the second half of rule 3. Zeros do not count, lest they hide a product
// that does not fit.
func (l Layout) checkElements() error {
	n := int64(1)
	for _, a := range l.axes {
		var err error
		if n, err = Mul(n, max(a.size, 1)); err != nil {
			return &OverflowError{What: "the number of elements", Exact: l.bigElements()}
		}
	}
	return nil
}

func (l Layout) bigElements() *big.Int {
	n := big.NewInt(1)
	for _, a := range l.axes {
		n.Mul(n, big.NewInt(max(a.size, 1)))
	}
	return n
}

// checkReach holds rule 5. An empty layout has no offsets.
func (l Layout) checkReach() error {
	if l.Empty() {
		return nil
	}
	low, high := l.base, l.base
	for _, a := range l.axes {
		for _, d := range a.digits {
			step, err := Mul(d.Extent-1, d.Stride)
			if err == nil && step < 0 {
				low, err = Add(low, step)
			} else if err == nil {
				high, err = Add(high, step)
			}
			if err != nil {
				return l.reachOverflow()
			}
		}
	}
	if high-low < 0 || high-low == math.MaxInt64 {
		return l.reachOverflow()
	}
	return nil
}

// reachOverflow says which bound of rule 5 is broken, by how much.
func (l Layout) reachOverflow() error {
	low, high := big.NewInt(l.base), big.NewInt(l.base)
	for _, a := range l.axes {
		for _, d := range a.digits {
			step := bigProduct(d.Extent-1, []int64{d.Stride})
			if step.Sign() < 0 {
				low.Add(low, step)
			} else {
				high.Add(high, step)
			}
		}
	}
	span := new(big.Int).Sub(high, low)
	span.Add(span, big.NewInt(1))
	switch {
	case !span.IsInt64():
		return &OverflowError{What: "the span", Exact: span}
	case !high.IsInt64():
		return &OverflowError{What: "the highest offset", Exact: high}
	}
	return &OverflowError{What: "the lowest offset", Exact: low}
}
