package layout

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// boundaries are 2^k-1, 2^k and 2^k+1 for all k, and their negatives.
func boundaries() []int64 {
	list := []int64{0, math.MinInt64, math.MinInt64 + 1, math.MaxInt64}
	for k := range 63 {
		p := int64(1) << k
		list = append(list, p-1, p, p+1, -p, 1-p, -1-p)
	}
	return list
}

// agree checks a result against the exact value: the value itself where an int64 holds it, and
// otherwise an OverflowError with that value.
func agree(t *testing.T, what string, got int64, err error, exact *big.Int, args ...any) {
	t.Helper()
	if exact.IsInt64() {
		if err != nil || got != exact.Int64() {
			t.Fatalf("%s%v = %d, %v; want %v", what, args, got, err, exact)
		}
		return
	}
	var overflow *OverflowError
	if !errors.As(err, &overflow) || overflow.Exact.Cmp(exact) != 0 {
		t.Fatalf("%s%v = %d, %v; want an overflow of %v", what, args, got, err, exact)
	}
}

func TestUnaryAgreesWithBig(t *testing.T) {
	for _, a := range boundaries() {
		got, err := Neg(a)
		agree(t, "neg", got, err, new(big.Int).Neg(big.NewInt(a)), a)
		got, err = Abs(a)
		agree(t, "abs", got, err, new(big.Int).Abs(big.NewInt(a)), a)
		if want := new(big.Int).Abs(big.NewInt(a)); !want.IsUint64() || Magnitude(a) != want.Uint64() {
			t.Fatalf("Magnitude(%d) = %d", a, Magnitude(a))
		}
	}
}

func TestBinaryAgreesWithBig(t *testing.T) {
	list := boundaries()
	if len(list)*len(list) < 10_000 {
		t.Fatalf("only %d pairs", len(list)*len(list))
	}
	for _, a := range list {
		for _, b := range list {
			checkPair(t, a, b)
		}
	}
}

func TestBinaryAgreesWithBigAtRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		checkPair(t, anyInt64(rng), anyInt64(rng))
	}
}

// anyInt64 draws numbers of all lengths alike.
func anyInt64(rng *rand.Rand) int64 { return int64(rng.Uint64()) >> rng.IntN(64) }

func checkPair(t *testing.T, a, b int64) {
	t.Helper()
	x, y := big.NewInt(a), big.NewInt(b)
	got, err := Add(a, b)
	agree(t, "add", got, err, new(big.Int).Add(x, y), a, b)
	got, err = Mul(a, b)
	agree(t, "mul", got, err, new(big.Int).Mul(x, y), a, b)
	if b > 0 {
		got, err = AlignUp(a, b)
		agree(t, "alignUp", got, err, bigAlignUp(x, y), a, b)
	}
	if a >= 0 && b >= 0 {
		if got, want := GCD(a, b), new(big.Int).GCD(nil, nil, x, y); got != want.Int64() {
			t.Fatalf("GCD(%d, %d) = %d, want %v", a, b, got, want)
		}
	}
	if a >= 0 && b > 0 {
		want := new(big.Int).Div(new(big.Int).Add(x, new(big.Int).Sub(y, big.NewInt(1))), y)
		if got := CeilDiv(a, b); got != want.Int64() {
			t.Fatalf("CeilDiv(%d, %d) = %d, want %v", a, b, got, want)
		}
	}
}

// bigAlignUp is the least multiple of m not below n: Div of math/big rounds down for a
// positive divisor.
func bigAlignUp(n, m *big.Int) *big.Int {
	below := new(big.Int).Div(new(big.Int).Sub(n, big.NewInt(1)), m)
	return below.Add(below, big.NewInt(1)).Mul(below, m)
}

// forAll calls visit with every list of n of the choices, for all n up to 4.
func forAll[T any](choices []T, visit func([]T)) (count int) {
	var extend func(list []T)
	extend = func(list []T) {
		visit(list)
		count++
		for _, c := range choices {
			if len(list) < 4 {
				extend(append(list[:len(list):len(list)], c))
			}
		}
	}
	extend(nil)
	return count
}

func TestProductAgreesWithBig(t *testing.T) {
	choices := []int64{
		0, 1, -1, 2, 1 << 15, 1<<16 - 1, 1<<16 + 1, 1 << 31, 1<<31 + 1, 1 << 32, 3037000500, 1 << 62, math.MaxInt64,
		math.MinInt64,
	}
	count := forAll(choices, func(factors []int64) {
		exact := big.NewInt(1)
		for _, f := range factors {
			exact.Mul(exact, big.NewInt(f))
		}
		got, err := ProductOf(factors)
		agree(t, "product", got, err, exact, factors)
	})
	if count < 20_000 {
		t.Errorf("only %d products", count)
	}
}

func TestDotAgreesWithBig(t *testing.T) {
	choices := [][2]int64{
		{0, math.MinInt64}, {1, 1}, {-1, 1}, {1 << 31, 1 << 31}, {1 << 32, 1 << 31}, {-1 << 32, 1 << 31},
		{1<<16 + 1, 1<<16 - 1},
		{1, math.MaxInt64}, {1, math.MinInt64}, {-1, math.MinInt64}, {2, 1 << 62}, {-2, 1 << 62},
		{math.MaxInt64, math.MaxInt64},
	}
	count := forAll(choices, func(pairs [][2]int64) {
		a, b, exact := make([]int64, len(pairs)), make([]int64, len(pairs)), new(big.Int)
		for i, p := range pairs {
			a[i], b[i] = p[0], p[1]
			exact.Add(exact, new(big.Int).Mul(big.NewInt(p[0]), big.NewInt(p[1])))
		}
		got, err := Dot(a, b)
		agree(t, "dot", got, err, exact, a, b)
	})
	if count < 20_000 {
		t.Errorf("only %d dot products", count)
	}
}

func TestLongProductsAndDotsAgreeWithBig(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 50_000 {
		n := rng.IntN(8)
		a, b := make([]int64, n), make([]int64, n)
		factors, sum := big.NewInt(1), new(big.Int)
		for i := range n {
			a[i], b[i] = anyInt64(rng), anyInt64(rng)
			factors.Mul(factors, big.NewInt(a[i]))
			sum.Add(sum, new(big.Int).Mul(big.NewInt(a[i]), big.NewInt(b[i])))
		}
		got, err := ProductOf(a)
		agree(t, "product", got, err, factors, a)
		got, err = Dot(a, b)
		agree(t, "dot", got, err, sum, a, b)
	}
}

func TestVerdictDoesNotDependOnOrder(t *testing.T) {
	tests := []struct {
		factors [3]int64
		fits    bool
		reason  string
	}{
		{[3]int64{0, 1 << 62, 1 << 62}, true, "one zero makes the product 0, wherever it is"},
		{[3]int64{1 << 62, 2, 1}, false, "2^63 is one more than the largest int64"},
		{[3]int64{-1 << 62, 2, 1}, true, "-2^63 is the smallest int64"},
		{[3]int64{-1, 1 << 62, 2}, true, "-2^63, though 2^62 x 2 alone does not fit"},
		{[3]int64{-1, math.MinInt64, 1}, false, "2^63 again"},
	}
	for _, tt := range tests {
		f := tt.factors
		for _, order := range [][]int64{
			{f[0], f[1], f[2]}, {f[0], f[2], f[1]}, {f[1], f[0], f[2]},
			{f[1], f[2], f[0]}, {f[2], f[0], f[1]}, {f[2], f[1], f[0]},
		} {
			if _, err := ProductOf(order); (err == nil) != tt.fits {
				t.Errorf("ProductOf(%v): %v; %s", order, err, tt.reason)
			}
		}
	}
}

func TestDotOfThreeAgreesWithBig(t *testing.T) {
	choices := []int64{0, 1, 7, 1 << 31, 1 << 32, 1 << 62, math.MaxInt64, -1 << 62}
	forAll(choices, func(v []int64) {
		if len(v) < 4 {
			return
		}
		exact := new(big.Int).Mul(big.NewInt(v[1]), big.NewInt(v[2]))
		exact.Add(exact, big.NewInt(v[0])).Add(exact, big.NewInt(v[3]))
		got, err := Dot([]int64{v[0], v[1], v[3]}, []int64{1, v[2], 1})
		agree(t, "Dot", got, err, exact, v)
	})
}

func TestOverflowErrorNamesQuantityAndLimit(t *testing.T) {
	_, err := Mul(math.MaxInt64, 2)
	const want = "the span is 18446744073709551614, which 64 bits do not hold (limit 9223372036854775807)"
	if got := NameOverflow("the span", err).Error(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	const unnamed = "the result is 18446744073709551614, which 64 bits do not hold (limit 9223372036854775807)"
	if got := err.Error(); got != unnamed {
		t.Errorf("%q, want %q", got, unnamed)
	}
	other := errors.New("something else")
	if NameOverflow("the span", other) != other {
		t.Error("NameOverflow changes errors that are not overflows")
	}
}

// TestExactBounds adds up the steps back and forth.
func TestExactBounds(t *testing.T) {
	tests := []struct {
		base             int64
		extents, strides []int64
		low, high        string
	}{
		{base: 5, low: "5", high: "5"},
		{base: 5, extents: []int64{3, 4, 1}, strides: []int64{-2, 10, 99}, low: "1", high: "35"},
		{base: -1, extents: []int64{2, 2}, strides: []int64{0, math.MinInt64}, low: "-9223372036854775809", high: "-1"},
		{
			base: 1, extents: []int64{math.MaxInt64, 3}, strides: []int64{2, math.MaxInt64}, low: "1",
			high: "36893488147419103227", // 1 + 2 (2^63 - 2) + 2 (2^63 - 1) = 2^65 - 5
		},
	}
	for _, tt := range tests {
		low, high := ExactBounds(tt.base, tt.extents, tt.strides)
		if low.String() != tt.low || high.String() != tt.high {
			t.Errorf("%v:%v from %d: %v to %v, want %s to %s", tt.extents, tt.strides, tt.base, low, high, tt.low,
				tt.high)
		}
	}
}
