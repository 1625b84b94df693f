package layout

import (
	"math"
	"math/big"
	"math/bits"
)

// Add returns a + b. Like [Mul], it makes no call if the result fits, because the compiler inlines it.
func Add(a, b int64) (c int64, err error) {
	if c = a + b; c < a != (b < 0) {
		c, err = 0, sumError(a, b)
	}
	return
}

func sumError(a, b int64) error {
	return &OverflowError{Exact: new(big.Int).Add(big.NewInt(a), big.NewInt(b))}
}

// Mul returns a x b.
func Mul(a, b int64) (c int64, err error) {
	if c = a * b; (a|b)>>31 != 0 {
		c, err = mulLarge(a, b)
	}
	return
}

// mulLarge is like Mul, for all factors: a product fits if its upper half only repeats the sign.
func mulLarge(a, b int64) (int64, error) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if int64(hi)-a>>63&b-b>>63&a != int64(lo)>>63 {
		return 0, &OverflowError{Exact: new(big.Int).Mul(big.NewInt(a), big.NewInt(b))}
	}
	return int64(lo), nil
}

// Magnitude returns |a| without the overflow that -MinInt64 would be.
func Magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

// Neg returns -a.
func Neg(a int64) (int64, error) {
	if a == math.MinInt64 {
		return 0, &OverflowError{Exact: new(big.Int).Neg(big.NewInt(a))}
	}
	return -a, nil
}

// Abs returns |a|.
func Abs(a int64) (int64, error) {
	if a < 0 {
		return Neg(a)
	}
	return a, nil
}

// AlignUp rounds n up to a multiple of m > 0.
func AlignUp(n, m int64) (int64, error) {
	r := n % m
	if r <= 0 {
		return n - r, nil
	}
	return Add(n, m-r)
}

// ProductOf returns the product of all factors. The result does not depend on their order: one zero makes it 0,
// regardless of the others, and it finds a product that fits even if partial products do not.
func ProductOf(factors []int64) (int64, error) {
	p := int64(1)
	for i, f := range factors {
		q, err := Mul(p, f)
		if err != nil {
			return exactly(bigProduct(p, factors[i:]))
		}
		p = q
	}
	return p, nil
}

func bigProduct(p int64, factors []int64) *big.Int {
	exact := big.NewInt(p)
	for _, f := range factors {
		exact.Mul(exact, big.NewInt(f))
	}
	return exact
}

// Dot returns the sum of a[i] × b[i]; a and b have the same length. Partial sums may overflow if the sum fits.
func Dot(a, b []int64) (int64, error) {
	sum := int64(0)
	for i := range a {
		p, err := Mul(a[i], b[i])
		if err == nil {
			p, err = Add(sum, p)
		}
		if err != nil {
			return exactly(bigDot(a, b))
		}
		sum = p
	}
	return sum, nil
}

func bigDot(a, b []int64) *big.Int {
	exact := new(big.Int)
	for i := range a {
		exact.Add(exact, new(big.Int).Mul(big.NewInt(a[i]), big.NewInt(b[i])))
	}
	return exact
}

// ExactBounds returns the lowest and the highest offset of digits with the given extents and strides, without the limit
// of 64 bits.
func ExactBounds(base int64, extents, strides []int64) (low, high *big.Int) {
	low, high = big.NewInt(base), big.NewInt(base)
	for i, n := range extents {
		reach := bigProduct(n-1, strides[i:i+1])
		if reach.Sign() < 0 {
			low.Add(low, reach)
		} else {
			high.Add(high, reach)
		}
	}
	return low, high
}

// exactly returns v if it fits in 64 bits.
func exactly(v *big.Int) (int64, error) {
	if v.IsInt64() {
		return v.Int64(), nil
	}
	return 0, &OverflowError{Exact: v}
}

// CeilDiv returns the smallest integer not below n/m, for a positive m.
func CeilDiv(n, m int64) int64 {
	q := n / m
	if n%m > 0 {
		q++
	}
	return q
}

// FloorDiv returns the largest integer not above n/m, for a positive m.
func FloorDiv(n, m int64) int64 {
	q := n / m
	if n%m < 0 {
		q--
	}
	return q
}

// GCD returns the greatest common divisor of two nonnegative numbers; GCD(0, n) is n.
func GCD(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
