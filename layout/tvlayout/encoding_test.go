package tvlayout_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"layoutcalc/layout/tvlayout"
)

// vectors decodes the lines of a file of testdata.
func vectors[T any](t testing.TB, name string) (list []T) {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", lines.Bytes(), err)
		}
		list = append(list, v)
	}
	if lines.Err() != nil || len(list) == 0 {
		t.Fatalf("%s: %d lines, %v", name, len(list), lines.Err())
	}
	return list
}

// bases returns the change of the index for each bit of the numbers along an axis, innermost first. It looks up the
// element of each power of two.
func bases(o *tvlayout.Ownership, axis int) [][]int64 {
	list := [][]int64{}
	for n := int64(1); n < o.Layout().Axis(axis).Size(); n *= 2 {
		holder := make([]int64, 4)
		holder[axis] = n
		number, err := o.Layout().Offset(holder)
		if err != nil {
			panic(err)
		}
		index := make([]int64, o.Tile().Rank())
		o.Index(index, number)
		list = append(list, index)
	}
	return list
}

// TestBases compares encodings with the expectations of Triton's own tests.
func TestBases(t *testing.T) {
	type vector struct {
		ID, Text string
		Shape    []int64
		Bases    struct{ Register, Lane, Warp, Block [][]int64 }
	}
	for _, v := range vectors[vector](t, "bases.jsonl") {
		o, err := tvlayout.Read(v.Text, tvlayout.Options{Tile: v.Shape})
		if err != nil {
			t.Errorf("%s: %s: %v", v.ID, v.Text, err)
			continue
		}
		for axis, want := range [][][]int64{v.Bases.Block, v.Bases.Warp, v.Bases.Lane, v.Bases.Register} {
			if diff := cmp.Diff(want, bases(o, axis)); diff != "" {
				t.Errorf("%s: %s %v: axis %d: %s", v.ID, v.Text, v.Shape, axis, diff)
			}
		}
	}
}
