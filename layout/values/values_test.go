package values

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"layoutcalc/layout"
)

// widths are types of all widths that can be moved.
var widths = [...]string{"uint4", "uint8", "float16", "float32", "float64", "complex128"}

// random returns a layout of the sizes: its axes in any order, with gaps, blocks and negative strides.
func random(r *rand.Rand, sizes []int64) layout.Layout {
	axes, next, base := make([]layout.Axis, len(sizes)), int64(1), int64(0)
	gap := r.IntN(3) == 0
	inner := make([]layout.Digit, len(sizes))
	order := r.Perm(len(sizes))
	for _, i := range order {
		inner[i].Extent = 1
		if r.IntN(4) == 0 && sizes[i] > 1 {
			inner[i] = layout.Digit{Extent: 2 + r.Int64N(3), Stride: next}
			next *= inner[i].Extent
		}
	}
	for _, i := range order {
		outer := layout.Digit{Extent: layout.CeilDiv(sizes[i], inner[i].Extent), Stride: next}
		next *= max(outer.Extent, 1)
		if gap && r.IntN(2) == 0 {
			next += r.Int64N(5)
		}
		switch {
		case inner[i].Extent > 1:
			axes[i] = layout.NewAxis("", sizes[i], outer, inner[i])
		case r.IntN(4) == 0:
			base += (sizes[i] - 1) * outer.Stride
			axes[i] = layout.NewAxis("", sizes[i], layout.Digit{Extent: sizes[i], Stride: -outer.Stride})
		default:
			axes[i] = layout.NewAxis("", sizes[i], outer)
		}
	}
	l, err := layout.New(base+r.Int64N(3), axes...)
	if err != nil {
		panic(err)
	}
	return l
}

// put writes element number k at an offset, as bits of its width.
func put(data []byte, bits, offset int64, k uint64, swap int) {
	if bits == 4 {
		data[offset/2] = data[offset/2]&^(15<<(offset%2*4)) | byte(k&15)<<(offset%2*4)
		return
	}
	unit := data[offset*bits/8:][:bits/8]
	for i := range unit {
		unit[i] = byte(k >> (8 * (i % 8)))
	}
	for ; swap > 1 && len(unit) > 0; unit = unit[swap:] {
		slices.Reverse(unit[:swap])
	}
}

// TestCompare changes some elements of a tensor, and looks for the first of them in another layout of it.
func TestCompare(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 3000 {
		sizes := make([]int64, r.IntN(5))
		for i := range sizes {
			sizes[i] = 1 + r.Int64N(6)
		}
		d, err := layout.ParseDType(widths[r.IntN(len(widths))])
		if err != nil {
			t.Fatal(err)
		}
		var list [2]Data
		var files [2][]byte
		for i := range list {
			l := random(r, sizes)
			if i == 1 && r.IntN(3) == 0 {
				l = list[0].Tensor.Layout()
			}
			tensor, err := layout.NewTensor(l, d)
			if err != nil {
				t.Fatal(err)
			}
			_, high := l.Bounds()
			start := r.Int64N(9)
			files[i] = make([]byte, start+tensor.Bytes(high+1))
			for k := range files[i] { // of gaps, which do not count
				files[i][k] = byte(r.IntN(256))
			}
			list[i] = Data{Tensor: tensor, Start: start, Swap: []int{0, layout.SwapUnit(d)}[r.IntN(2)]}
		}
		var changed []int64
		if r.IntN(4) > 0 {
			for range 1 + r.IntN(3) {
				changed = append(changed, r.Int64N(list[0].Tensor.Layout().Elements()))
			}
		}
		number, want := int64(0), ""
		for index, offset := range list[0].Tensor.Layout().All() {
			k := uint64(number * 7)
			put(files[0][list[0].Start:], d.Bits(), offset, k, list[0].Swap)
			if slices.Contains(changed, number) {
				k ^= 1 << 2
				if want == "" {
					want = fmt.Sprint(index)
				}
			}
			other, _ := list[1].Tensor.Layout().Offset(index)
			put(files[1][list[1].Start:], d.Bits(), other, k, list[1].Swap)
			number++
		}
		for i := range list {
			list[i].File = bytes.NewReader(files[i])
		}
		first, err := compare(context.Background(), list[0], list[1], 1<<r.IntN(10))
		got := ""
		if first != nil {
			got = fmt.Sprint(first.Index)
		}
		if err != nil || got != want {
			t.Fatalf("%d: %v and %v of %s differ first at %q, want %q: %v", n, list[0].Tensor.Layout(),
				list[1].Tensor.Layout(), d, got, want, err)
		}
	}
}
