package shape_test

import (
	"fmt"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/shape"
)

// tiledSpec returns the Spec of sizes with chunks or a tile, either of which may be empty.
func tiledSpec(t *testing.T, sizes, chunks, tile string) shape.Spec {
	t.Helper()
	s := shape.Spec{Shape: parsedShape(t, sizes)}
	if chunks != "" {
		list := parsedShape(t, chunks)
		s.Chunks = &list
	}
	if tile != "" {
		list := parsedShape(t, tile)
		s.Tile = &list
	}
	return s
}

func parsedShape(t *testing.T, text string) shape.List {
	t.Helper()
	list, err := shape.ParseShape(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestChunks counts the offset of each element: whole chunks before its own, in row-major order, and the place in it.
func TestChunks(t *testing.T) {
	for _, c := range []struct{ rows, columns, high, wide int64 }{
		{5, 7, 2, 3}, {4, 6, 2, 3}, {1, 1, 2, 3}, {3, 5, 1, 2}, {5, 3, 8, 1}, {6, 6, 6, 6},
	} {
		sizes, chunk := fmt.Sprintf("%dx%d", c.rows, c.columns), fmt.Sprintf("%dx%d", c.high, c.wide)
		for _, spec := range []shape.Spec{tiledSpec(t, sizes, chunk, ""), tiledSpec(t, sizes, "", chunk)} {
			tensor, err := spec.Tensor()
			if err != nil {
				t.Fatal(err)
			}
			across := (c.columns + c.wide - 1) / c.wide
			for i := range c.rows {
				for j := range c.columns {
					want := (i/c.high*across+j/c.wide)*c.high*c.wide + i%c.high*c.wide + j%c.wide
					if got, err := tensor.Layout().Offset([]int64{i, j}); got != want || err != nil {
						t.Errorf("%s in %s: element %d,%d is at %d, want %d (%v)", sizes, chunk, i, j, got, want, err)
					}
				}
			}
			whole := (c.rows + c.high - 1) / c.high * across * c.high * c.wide
			if tensor.Storage() != whole || tensor.Implicit() || tensor.Name() != "" {
				t.Errorf("%s in %s: storage %d, want %d; name %q", sizes, chunk, tensor.Storage(), whole, tensor.Name())
			}
		}
	}
}

// TestTilesOfNames: tiles are of the last axes in memory, and chunks are listed in the order of the sizes.
func TestTilesOfNames(t *testing.T) {
	for _, c := range []struct{ name, chunks, tile, as string }{
		{"NHWC", "", "4x2", "NHWC4w2c"}, {"NHWC", "1x2x3x4", "", "NHWC3h4w2c"}, {"NCHW", "", "8", "NCHW8w"},
	} {
		s := tiledSpec(t, "2x5x6x7", c.chunks, c.tile)
		of, err := shape.ParseName(c.name)
		if err != nil {
			t.Fatal(err)
		}
		as, _ := shape.ParseName(c.as)
		s.Name = &of
		got, err := s.Tensor()
		want, _ := shape.Spec{Shape: s.Shape, Name: &as}.Tensor()
		if err != nil || fmt.Sprint(got.Layout()) != fmt.Sprint(want.Layout()) || got.Storage() != want.Storage() {
			t.Errorf("%+v is %v, want %v (%v)", c, got.Layout(), want.Layout(), err)
		}
	}
}

// TestBadTiles has sizes that do not fit, and layouts with blocks or strides already.
func TestBadTiles(t *testing.T) {
	blocked, err := shape.ParseName("NCHW16c")
	if err != nil {
		t.Fatal(err)
	}
	strides := parsedShape(t, "42,7,7,1")
	for _, c := range []struct {
		chunks, tile string
		change       func(*shape.Spec)
		says         string
	}{
		{"2x2", "", nil, "--chunks has 2 sizes, the tensor 4"},
		{"", "1x2x3x4x5", nil, "--tile has 5 sizes, the tensor 4"},
		{"2x2x2x0", "", nil, "--chunks: a size is at least 1"},
		{"", "H=2,W=3", nil, "--tile has a size for each axis, without names"},
		{"2x2x2x2", "2x2", nil, "chunks are tiles of all axes: give one of --chunks and --tile"},
		{"", "2x2", func(s *shape.Spec) { s.Name = &blocked }, "NCHW16c has blocks already"},
		{"", "2x2", func(s *shape.Spec) { s.Strides = &strides }, "--strides gives every stride already: " +
			"--pad, --pitch, --align, --ld, --broadcast, --chunks, --tile and --for cannot change them"},
	} {
		s := tiledSpec(t, "2x5x6x7", c.chunks, c.tile)
		if c.change != nil {
			c.change(&s)
		}
		_, err := s.Tensor()
		if syntax, ok := err.(*layout.SyntaxError); !ok || syntax.Msg != c.says {
			t.Errorf("%q, %q: %v, want %q", c.chunks, c.tile, err, c.says)
		}
	}
}
