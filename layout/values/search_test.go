package values

import (
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"layoutcalc/layout"
)

// A pair is a line of testdata/pairs.txt, which NumPy made.
type pair struct {
	seed, width, fill int64
	sizes, order      []int64
	kind, change      string
	n                 int64
	fault             string
	size, sum         int64

	fits                   int
	wantOrder, wantChange  string
	wantNumber, wantZeroes string
}

// readPairs reads the file.
func readPairs(t *testing.T) (list []pair) {
	data, err := os.ReadFile("testdata/pairs.txt")
	if err != nil {
		t.Fatal(err)
	}
	ints := func(text string) (list []int64) {
		for word := range strings.SplitSeq(text, ",") {
			n, err := strconv.ParseInt(word, 10, 64)
			if err == nil {
				list = append(list, n)
			}
		}
		return list
	}
	for line := range strings.Lines(string(data)) {
		w := strings.Fields(line)
		list = append(list, pair{
			ints(w[0])[0], ints(w[2])[0], ints(w[7])[0], ints(w[1]), ints(w[4]), w[3], w[5], ints(w[6])[0], w[8],
			ints(w[9])[0], ints(w[10])[0], int(ints(w[11])[0]), w[12], w[13], w[14], w[15],
		})
	}
	return list
}

// value is element k of a tensor, as pairs.py makes it.
func value(seed, k, elements int64, kind string) uint64 {
	z := (uint64(k) + uint64(seed)*1000003) * 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z ^= z >> 27
	switch kind {
	case "constant":
		return 7
	case "zeros":
		if z%10 != 0 {
			return 0
		}
		return z >> 5
	case "nan":
		if z%8 == 0 {
			return 0x7FC00001
		}
	case "few":
		return z >> 62
	case "one":
		if k == seed*31%elements {
			return 9
		}
		return 0
	}
	return z
}

// data returns elements 0 to n-1.
func (p pair) data(seed, n int64) []byte {
	b := make([]byte, n*p.width)
	for k := range n {
		put(b, p.width*8, k, value(seed, k, n, p.kind), 0)
	}
	return b
}

// storage returns the other side of the pair, element by element.
func (p pair) storage(a []byte) []byte {
	b := make([]byte, p.size)
	for k := range p.size / p.width {
		put(b, p.width*8, k, uint64(p.fill), 0)
	}
	row := int64(1)
	for _, axis := range slices.Backward(p.order) {
		if p.sizes[axis] > 1 {
			row = p.sizes[axis]
			break
		}
	}
	channel := min(1, len(p.sizes)-1)
	if len(p.sizes) == 3 {
		channel = 0
	}
	for k := range int64(len(a)) / p.width {
		index := indexOf(p.sizes, k)
		if p.change == "reversed" {
			index[p.n] = p.sizes[p.n] - 1 - index[p.n]
		}
		at := int64(0)
		for _, axis := range p.order {
			size, i := p.sizes[axis], index[axis]
			if p.change == "block" && int(axis) == channel {
				size, i = (size+p.n-1)/p.n, i/p.n
			}
			at = at*size + i
		}
		switch p.change {
		case "block":
			at = at*p.n + index[channel]%p.n
		case "whole", "pitch":
			unit := p.n / p.width
			at = at/row*((row+unit-1)/unit*unit) + at%row
		}
		unit := b[at*p.width:][:p.width]
		if copy(unit, a[k*p.width:]); p.change == "swapped" {
			slices.Reverse(unit)
		}
	}
	switch p.fault {
	case "last":
		b[p.size-p.width] ^= 1
	case "other":
		copy(b, p.data(p.seed+1000, p.size/p.width))
	}
	return b
}

// TestFind compares maps with the maps that NumPy found by trying all.
func TestFind(t *testing.T) {
	for _, p := range readPairs(t) {
		elements := int64(1)
		for _, size := range p.sizes {
			elements *= size
		}
		a := p.data(p.seed, elements)
		b := p.storage(a)
		if sum := crc32.ChecksumIEEE(b); int64(sum) != p.sum {
			t.Fatalf("%v: the storage is not that of NumPy", p)
		}
		s := findIn(t, p, a, b, tileBytes)
		if got := len(s.Fits); got != p.fits && !s.More || s.More && (got < wanted || got >= p.fits) {
			t.Errorf("%v: %d maps fit, more %t", p, got, s.More)
			continue
		}
		if p.fits == 0 {
			continue
		}
		want := fmt.Sprint(p.wantOrder, p.wantChange, p.wantNumber, p.wantZeroes)
		if got := text(s.Fits[0]); got != want {
			t.Errorf("%v: %s, want %s", p, got, want)
		}
		small := findIn(t, p, a, b, 64)
		if fmt.Sprint(small) != fmt.Sprint(s) {
			t.Errorf("%v: %v, with small tiles %v", p, s, small)
		}
	}
}

// findIn finds maps of a pair.
func findIn(t *testing.T, p pair, a, b []byte, tileBytes int64) Search {
	d := map[int64]string{1: "uint8", 2: "uint16", 4: "float32", 8: "uint64"}[p.width]
	dtype, err := layout.ParseDType(d)
	if err != nil {
		t.Fatal(err)
	}
	strides, err := layout.PackedStrides(p.sizes, false)
	if err != nil {
		t.Fatal(err)
	}
	l, err := layout.Strided(0, p.sizes, strides)
	if err != nil {
		t.Fatal(err)
	}
	tensor, err := layout.NewTensor(l, dtype)
	if err != nil {
		t.Fatal(err)
	}
	s, err := find(context.Background(), Data{Tensor: tensor, File: bytes.NewReader(a)},
		Data{Tensor: tensor, File: bytes.NewReader(b), Bytes: int64(len(b))}, nil, tileBytes)
	if err != nil {
		t.Fatalf("%v: %v", p, err)
	}
	return s
}

// text returns a map as pairs.py writes it.
func text(f Fit) string {
	change, n := "plain", int64(0)
	switch {
	case f.Swapped:
		change = "swapped"
	case f.Block > 0:
		change, n = "block", f.Block
	case f.Pitch > 0:
		if change, n = "pitch", f.Pitch; f.Whole {
			change = "whole"
		}
	case f.Reversed >= 0:
		change, n = "reversed", int64(f.Reversed)
	}
	zero := "none"
	switch {
	case f.Padded && f.Zero:
		zero = "zero"
	case f.Padded:
		zero = "other"
	}
	order := make([]int64, len(f.Order))
	for i, axis := range f.Order {
		order[i] = int64(axis)
	}
	return fmt.Sprint(layout.JoinInts(order, ","), change, n, zero)
}
