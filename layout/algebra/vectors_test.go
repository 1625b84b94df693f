package algebra_test

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/algebra"
	"layoutcalc/layout/notation"
)

// A vector is a line of testdata/gpu.jsonl: an operation from CUTLASS's documentation, or computed by pycute and
// tensor-layouts. Each line names its source.
type vector struct {
	ID, Kind string
	Input    struct {
		Op, Attr, Text string
		Args           []string
		Swizzle        []int64
		From           int64 `json:"from_bits"`
		To             int64 `json:"to_bits"`
	}
	Expect struct {
		Text, Compare string
		Swizzle       []int64
		Function      []int64
		Error         bool
		Disjoint      bool
	}
}

// read returns the layout that text describes.
func read(t *testing.T, text string) algebra.Layout {
	t.Helper()
	l, _, err := notation.ReadLayout(text, notation.Options{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return l
}

// tiler returns the tiler that text describes.
func tiler(t *testing.T, text string) algebra.Tiler {
	t.Helper()
	b, err := notation.ReadTiler(text, notation.Options{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return b
}

// TestTilers has tilers with and without their outer brackets.
func TestTilers(t *testing.T) {
	for text, want := range map[string]string{
		"3,4": "(3,4)", "[1,0]": "(1,0)", "(2, _)": "(2,_)", "3:2, (2,4):(1,8)": "<3:2,(2,4):(1,8)>", "7": "7",
	} {
		if have := tiler(t, text).String(); have != want {
			t.Errorf("%s is read as %s, want %s", text, have, want)
		}
	}
	for _, text := range []string{"3,", ",3", "3;4", "(3,4", ""} {
		if b, err := notation.ReadTiler(text, notation.Options{}); err == nil {
			t.Errorf("%s is read as %s", text, b)
		}
	}
}

// offsets returns the offsets of the elements, by the offsets of indices.
func offsets(t *testing.T, l algebra.Layout) (list []int64) {
	t.Helper()
	index := make([]int64, l.Flat().Rank())
	for i := range l.Flat().Elements() {
		for axis := range index {
			size := l.Flat().Axis(axis).Size()
			index[axis], i = i%size, i/size
		}
		offset, err := l.Flat().Offset(index)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, offset)
	}
	return list
}

var number = regexp.MustCompile(`\d+`)

// call returns the operation of a vector.
func (v vector) call(t *testing.T) algebra.Call {
	c, ok := algebra.CuTe(v.Input.Op)
	if !ok {
		t.Fatalf("%s: no operation %s", v.ID, v.Input.Op)
	}
	c.A = read(t, v.Input.Args[0])
	if len(v.Input.Args) > 1 {
		b := tiler(t, v.Input.Args[1])
		c.B = &b
	}
	var bits []int64
	for _, n := range number.FindAllString(v.Input.Attr, -1) {
		n, _ := strconv.ParseInt(n, 10, 64)
		bits = append(bits, n)
	}
	if c.Operation == "recast" {
		c.To, c.From = bits[0], bits[1]
	}
	for _, arg := range v.Input.Args[min(len(v.Input.Args), 2):] {
		for _, n := range number.FindAllString(arg, -1) {
			n, _ := strconv.ParseInt(n, 10, 64)
			c.Order = append(c.Order, n)
		}
	}
	return c
}

func TestVectors(t *testing.T) {
	t.Parallel()
	f, err := os.Open("testdata/gpu.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if v.Kind == "swizzle_recast" {
			wantSwizzle(t, v)
			continue
		}
		wantLayout(t, v)
	}
	if n != 92 {
		t.Errorf("%d vectors", n)
	}
}

func wantLayout(t *testing.T, v vector) {
	t.Helper()
	if v.Input.Op == "size" {
		if have := read(t, v.Input.Args[0]).Flat().Elements(); strconv.FormatInt(have, 10) != v.Expect.Text {
			t.Errorf("%s: size %d, want %s", v.ID, have, v.Expect.Text)
		}
		return
	}
	c := v.call(t)
	have, err := c.Result()
	if v.Expect.Error {
		n, value, wrong := c.Values()
		if err == nil || wrong != nil || n != int64(len(v.Expect.Function)) {
			t.Fatalf("%s: %v; %d values, %v", v.ID, err, n, wrong)
		}
		for i, want := range v.Expect.Function {
			if have := value(int64(i)); have != want {
				t.Errorf("%s: value %d is %d, want %d", v.ID, i, have, want)
			}
		}
		return
	}
	if err != nil {
		t.Errorf("%s: %s of %q: %v", v.ID, v.Input.Op, v.Input.Args, err)
		return
	}
	text := v.Expect.Text
	if v.Expect.Compare == "text" && have.String() != text {
		t.Errorf("%s: %s of %q is %s, want %s", v.ID, v.Input.Op, v.Input.Args, have, text)
	}
	if !slices.Equal(offsets(t, have), offsets(t, read(t, text))) {
		t.Errorf("%s: %s of %q is %s, want the function %s", v.ID, v.Input.Op, v.Input.Args, have, text)
	}
	if v.Expect.Function != nil && !slices.Equal(offsets(t, have), v.Expect.Function) {
		t.Errorf("%s: %v, want %v", v.ID, offsets(t, have), v.Expect.Function)
	}
}

func wantSwizzle(t *testing.T, v vector) {
	t.Helper()
	text := v.Input.Text
	if s := v.Input.Swizzle; text == "" {
		text = layout.Swizzle{Bits: int(s[0]), Base: int(s[1]), Shift: int(s[2])}.String() + " o 0 o (32,64):(64,1)"
	}
	have, err := algebra.Call{Operation: "recast", A: read(t, text), From: v.Input.From, To: v.Input.To}.Result()
	if v.Expect.Error != (err != nil) {
		t.Errorf("%s: %v", v.ID, err)
		return
	}
	if want := v.Expect.Text; want != "" && have.String() != want {
		t.Errorf("%s: %s, want %s", v.ID, have, want)
	}
	if s := v.Expect.Swizzle; s != nil {
		want := layout.Swizzle{Bits: int(s[0]), Base: int(s[1]), Shift: int(s[2])}
		if list := have.Flat().Swizzles(); len(list) != 1 || list[0] != want {
			t.Errorf("%s: %v, want %s", v.ID, list, want)
		}
	}
}
