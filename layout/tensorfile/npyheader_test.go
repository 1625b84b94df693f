package tensorfile

import (
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
)

// TestNpyHeaders compares headers with those that NumPy writes, byte for byte.
func TestNpyHeaders(t *testing.T) {
	type header struct {
		Descr, Header string
		Shape         []int64
		Fortran       bool
	}
	for _, w := range numpySays[header](t, "arrays/headers.json") {
		want := "before"
		for _, c := range w.Header { // each character is a byte
			want += string([]byte{byte(c)})
		}
		if got := string(AppendNpyHeader([]byte("before"), w.Descr, w.Shape, w.Fortran)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestLongestNpyHeaders writes headers that are about as long as 16 bits can say.
func TestLongestNpyHeaders(t *testing.T) {
	type header struct {
		Rank, Length, Stated, Blanks int
		Version                      byte
		Fortran                      bool
	}
	for _, w := range numpySays[header](t, "arrays/longest.json") {
		got := string(AppendNpyHeader(nil, "<f4", slices.Repeat([]int64{1}, w.Rank), w.Fortran))
		dict, _ := strings.CutSuffix(got, "\n")
		stated := le16(w.Stated)
		if w.Version == 2 {
			stated = le32(int64(w.Stated))
		}
		blanks := len(dict) - len(strings.TrimRight(dict, " "))
		if len(got) != w.Length || len(dict) != w.Length-1 || blanks != w.Blanks || !strings.HasPrefix(got, npyMagic+string([]byte{w.Version, 0})+stated+"{") {
			t.Errorf("%+v: %d bytes, %d blanks, %q", w, len(got), blanks, got[:20])
		}
	}
}

// TestNpyHeadersAreRead finds what was written, behind any header.
func TestNpyHeadersAreRead(t *testing.T) {
	for d := range layout.DTypes {
		descr, ok := NpyType(d)
		if none := d.Info().NumPy == ""; ok == none || ok == (descr == "") {
			t.Errorf("%v is %q", d, descr)
		}
		if !ok {
			continue
		}
		file := AppendNpyHeader(nil, descr, []int64{3, 0, 5}, true)
		a, err := arrayOf(t, "", string(file), "")
		if err != nil || a.Type != d || !a.TypeKnown || a.Bits != d.Bits() || !a.Fortran || a.Swap != 0 || a.Start != int64(len(file)) || !slices.Equal(a.Sizes, []int64{3, 0, 5}) {
			t.Errorf("%s: %+v, %v", descr, a, err)
		}
	}
}

// TestNpyTypes spells types as NumPy's documents do.
func TestNpyTypes(t *testing.T) {
	for text, want := range map[string]string{
		"float32": "<f4", "float16": "<f2", "uint8": "|u1", "int8": "|i1", "bool": "|b1", "int64": "<i8", "complex64": "<c8", "complex128": "<c16",
		"bfloat16": "", "int4": "", "float8_e4m3fn": "", "unknown": "", "complex32": "",
	} {
		d, err := layout.ParseDType(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := NpyType(d); got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v", text, got, ok)
		}
	}
}
