package notation

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"layoutcalc/layout"
)

// tiledOffset follows the text of docs/tiled_layout.md number by number: it divides an index by
// every tile and knows nothing of digits.
func tiledOffset(sizes, order []int64, tiles [][]int64, index []int64) (offset, elements int64) {
	var dims, at []int64
	for _, axis := range order {
		dims, at = append(dims, sizes[axis]), append(at, index[axis])
	}
	for _, tile := range tiles {
		for len(dims) < len(tile) {
			dims, at = append([]int64{1}, dims...), append([]int64{0}, at...)
		}
		first := len(dims) - len(tile)
		grid, gridAt := append([]int64{}, dims[:first]...), append([]int64{}, at[:first]...)
		var inside, insideAt []int64
		n, i := int64(1), int64(0)
		for k, size := range tile {
			n, i = n*dims[first+k], i*dims[first+k]+at[first+k]
			if size == combine {
				continue
			}
			grid, gridAt = append(grid, (n+size-1)/size), append(gridAt, i/size)
			inside, insideAt = append(inside, size), append(insideAt, i%size)
			n, i = 1, 0
		}
		dims, at = append(grid, inside...), append(gridAt, insideAt...)
	}
	elements = 1
	for k := range dims {
		offset, elements = offset*dims[k]+at[k], elements*dims[k]
	}
	return offset, elements
}

func TestXLATilesAtRandom(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	n, _ := Find("xla")
	read, written := 0, 0
	for range 20000 {
		text, sizes, order, tiles := randomTiles(rnd)
		found, err := n.Read(text, Options{})
		if err != nil {
			if !strings.Contains(err.Error(), "no digits") {
				t.Fatalf("%s: %v", text, err)
			}
			continue
		}
		read++
		tensor := found[0].Tensor
		for index, got := range tensor.Layout().All() {
			want, elements := tiledOffset(sizes, order, tiles, index)
			if got != want || tensor.Storage() != elements {
				t.Fatalf("%s: %v at %d of %d, want %d of %d", text, index, got, tensor.Storage(), want, elements)
			}
		}
		again, err := n.Write(tensor)
		var loss *LossError
		if errors.As(err, &loss) {
			continue // a second tile that pads leaves gaps inside
		}
		written++
		back, err := n.Read(again, Options{})
		if err != nil || !layout.Same(back[0].Tensor.Layout(), tensor.Layout()) || back[0].Tensor.Storage() != tensor.Storage() {
			t.Fatalf("%s is written as %s (%v)", text, again, err)
		}
	}
	if read < 10000 || written < 5000 {
		t.Errorf("only %d texts read, %d written", read, written)
	}
}

// randomTiles makes a shape with an order and up to three tiles.
func randomTiles(rnd *rand.Rand) (text string, sizes, order []int64, tiles [][]int64) {
	rank := 1 + rnd.Intn(4)
	minor := make([]int64, rank)
	for i, axis := range rnd.Perm(rank) {
		sizes = append(sizes, 1+rnd.Int63n(9))
		order = append(order, int64(axis))
		minor[rank-1-i] = int64(axis)
	}
	b := appendXLA(nil, "f32", sizes, minor)
	dims := rank
	for i := range rnd.Intn(4) {
		tile := make([]int64, 1+rnd.Intn(min(dims+1, 5)))
		for k := range tile {
			tile[k] = [...]int64{1, 2, 3, 4, 4, 8, 2, combine}[rnd.Intn(8)]
		}
		if k := len(tile) - 1; tile[k] == combine {
			tile[k] = 2
		}
		if i == 0 {
			b = append(b, ":T"...)
		}
		b = append(b, strings.ReplaceAll(fmt.Sprintf("(%s)", layout.JoinInts(tile, ",")), "-1", "*")...)
		tiles, dims = append(tiles, tile), dims+len(tile)
	}
	return string(append(b, '}')), sizes, order, tiles
}
