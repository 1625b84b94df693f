package tensorfile

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/finding"
)

// numpySays reads NumPy's results that a script under testdata recorded.
func numpySays[T any](t *testing.T, name string) (rows []T) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err == nil {
		err = json.Unmarshal(data, &rows)
	}
	if err != nil || len(rows) == 0 {
		t.Fatal(err, len(rows))
	}
	return rows
}

// TestArraysOfNumPy reads files that NumPy wrote.
func TestArraysOfNumPy(t *testing.T) {
	type array struct {
		File, Descr, Noted string
		Shape, Strides     []int64
		Fortran            bool
		Start, Bytes       int64
	}
	for _, a := range numpySays[array](t, "npy/arrays.json") {
		t.Run(a.File, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", "npy", a.File))
			if err != nil {
				t.Fatal(err)
			}
			f, err := tensorsOf(t, a.File, string(data))
			if err != nil {
				t.Fatal(err)
			}
			d := f.At(0)
			wantTensor(t, d, "", a.Descr, a.Bytes, a.Shape...)
			if f.Kind != "npy" || !slices.Equal(d.Strides, a.Strides) || int64(len(data)) != a.Start+a.Bytes {
				t.Errorf("%s %v", f.Kind, d.Strides)
			}
			if a.Fortran || strings.HasPrefix(a.Descr, ">") {
				wantFindings(t, f, "file-order note")
			} else if a.Noted != "" {
				severity := "note"
				if a.Noted == "Python objects" { // numpy.load rejects them
					severity = "warning"
				}
				wantFindings(t, f, "file-type "+severity)
				if !strings.Contains(f.Findings[0].Message, a.Noted) {
					t.Errorf("%s, not %s", f.Findings[0].Message, a.Noted)
				}
			} else {
				wantFindings(t, f)
			}
		})
	}
}

// TestHeadersOfNumPy compares the accepted dictionaries with the ones that NumPy accepts.
func TestHeadersOfNumPy(t *testing.T) {
	type header struct {
		Text        string
		Version     int
		OK, Fortran bool
		Shape       []int64
		Item        int64
	}
	for _, h := range numpySays[header](t, "npy/headers.json") {
		f, err := tensorsOf(t, "x.npy", npyRaw(h.Version, h.Text, 0))
		ok := err == nil && !slices.Contains(findingsOf(f), "file-type error")
		if ok != h.OK {
			t.Errorf("version %d, %q is %v, not %v: %v", h.Version, h.Text, ok, h.OK, err)
			continue
		}
		if !h.OK || !ok {
			continue
		}
		d := f.At(0)
		if !slices.Equal(d.Sizes, h.Shape) || (d.Strides != nil) != h.Fortran {
			t.Errorf("%q is %v", h.Text, d)
		}
		bytes, err := layout.ProductOf(append(slices.Clone(h.Shape), h.Item))
		if short := slices.Contains(findingsOf(f), "file-size error"); err != nil || short != (bytes > 0) {
			t.Errorf("%q: %q", h.Text, findingsOf(f))
		}
		takes := fmt.Sprintf("the shape takes %d byte", bytes)
		isIt := func(g finding.Finding) bool { return strings.HasPrefix(g.Message, takes) }
		if bytes > 0 && !slices.ContainsFunc(f.Findings, isIt) && !strings.Contains(h.Text, "O") {
			t.Errorf("%q: not %s: %v", h.Text, takes, f.Findings)
		}
	}
}

// TestSpellingsOfNumPy compares the accepted spellings of types with the ones that NumPy accepts, alone and in a field.
func TestSpellingsOfNumPy(t *testing.T) {
	type spelling struct {
		Descr, Written string
		Item           int64
	}
	for _, w := range numpySays[spelling](t, "npy/spellings.json") {
		dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (2,), }", w.Descr)
		f := mustRead(t, "x.npy", npyOf(1, dict, int(2*w.Item)))
		if refused := slices.Contains(findingsOf(f), "file-type error"); refused != (w.Written == "") {
			t.Errorf("%q: %q, NumPy reads %q", w.Descr, findingsOf(f), w.Written)
			continue
		}
		field := fmt.Sprintf("{'descr': [('a', '%s')], 'fortran_order': False, 'shape': (2,), }", w.Descr)
		g, err := tensorsOf(t, "x.npy", npyOf(1, field, int(2*w.Item)))
		if (err != nil) != (w.Written == "") {
			t.Errorf("a field of %q: %v", w.Descr, err)
		}
		if w.Written == "" {
			continue
		}
		isSwapped := slices.Contains(findingsOf(f), "file-order note")
		if isSwapped != (w.Written[0] == '>') {
			t.Errorf("%q is %q: %q", w.Descr, w.Written, findingsOf(f))
		}
		isSize := func(x finding.Finding) bool { return x.Rule == FileSize || x.Rule == FileTrailing }
		if w.Written != "|O" && (slices.ContainsFunc(f.Findings, isSize) || slices.ContainsFunc(g.Findings, isSize)) {
			t.Errorf("%q of %d bytes: %q, %q", w.Descr, w.Item, findingsOf(f), findingsOf(g))
		}
		for _, x := range f.Findings {
			if x.Rule == FileType && x.Fix != "" && x.Fix != "'"+w.Written+"'" {
				t.Errorf("%q: %s, not %s", w.Descr, x.Fix, w.Written)
			}
		}
		if strings.ContainsRune("biufc", rune(w.Written[1])) && w.Item <= 8 {
			want, err := layout.ParseDType(w.Written)
			if d := f.At(0); err != nil || !d.TypeKnown || d.Type != want || d.TypeName != w.Descr {
				t.Errorf("%q is %v, not %s: %v", w.Descr, d, w.Written, err)
			}
		}
	}
}

// TestNpyWords checks the notes on spellings that NumPy reads but does not write, and on types that differ between
// machines.
func TestNpyWords(t *testing.T) {
	for descr, word := range map[string]string{
		"float32": "NumPy reads \"float32\", but writes '<f4'", ">d": "NumPy reads \">d\", but writes '>f8'",
		"l": "how many bytes \"l\" has depends on the machine that reads the file: 8 are taken", "f4": "", "<f8": "",
	} {
		dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (0,), }", descr)
		f := mustRead(t, "x.npy", npyOf(1, dict, 0))
		if word == "" {
			wantFindings(t, f)
		} else if len(f.Findings) == 0 || !strings.Contains(f.Findings[0].Message, word) {
			t.Errorf("%s: %v", descr, f.Findings)
		}
	}
}

func TestNpyBytes(t *testing.T) {
	const f4 = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
	for _, c := range []struct {
		reason, file, finding, word string
	}{
		{reason: "the reference's example is exact", file: npyOf(1, f4, 24)},
		{
			reason: "one byte is missing", file: npyOf(1, f4, 23), finding: "file-size error",
			word: "24 bytes of <f4, and the data after the header has 23 bytes: 1 byte too few",
		},
		{reason: "no data at all", file: npyOf(1, f4, 0), finding: "file-size error", word: "24 bytes too few"},
		{
			reason: "the bytes of a type twice as wide", file: npyOf(1, f4, 48), finding: "file-size error",
			word: "has 48 bytes: those of a type of 8 bytes",
		},
		{
			reason: "the bytes of a type half as wide", file: npyOf(1, f4, 12), finding: "file-size error",
			word: "has 12 bytes: those of a type of 2 bytes",
		},
		{
			reason: "one byte is too many", file: npyOf(1, f4, 25), finding: "file-trailing warning",
			word: "1 byte too many",
		},
		{
			reason: "NumPy pads so that data starts at a multiple of 64", file: npyRaw(1, f4, 24),
			finding: "file-align note", word: "byte 69",
		},
		{
			reason:  "2^63-1 by 2 elements of 4 bytes",
			file:    npyOf(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 2)}", 0),
			finding: "file-size error", word: "73786976294838206456 bytes",
		},
		{
			reason:  "2^32 by 2^32",
			file:    npyOf(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", 0),
			finding: "file-size error", word: "18446744073709551616 bytes",
		},
		{
			reason: "a zero wherever it is",
			file: npyOf(1, "{'descr': '<f8', 'fortran_order': False, "+
				"'shape': (4611686018427387904, 4611686018427387904, 0)}", 0),
		},
		{
			reason: "a zero wherever it is",
			file: npyOf(1, "{'descr': '<f8', 'fortran_order': True, "+
				"'shape': (0, 4611686018427387904, 4611686018427387904)}", 0),
			finding: "file-order note", word: "Fortran",
		},
		{
			reason:  "sizes are not negative",
			file:    npyOf(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 3)}", 0),
			finding: "file-header error", word: "negative",
		},
		{
			reason: "a type that does not exist",
			file:   npyOf(1, "{'descr': '<f5', 'fortran_order': False, 'shape': (2,)}", 10), finding: "file-type error",
			word: `"<f5"`,
		},
		{
			reason:  "a type of elsewhere",
			file:    npyOf(1, "{'descr': 'f32', 'fortran_order': False, 'shape': (2,)}", 8),
			finding: "file-type error", word: `"f32"`,
		},
		{
			reason: "big-endian", file: npyOf(1, "{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}", 8),
			finding: "file-order note", word: "big-endian",
		},
		{
			reason:  "a key said twice",
			file:    npyOf(1, "{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (2,)}", 16),
			finding: "file-header warning", word: "descr twice",
		},
	} {
		f := mustRead(t, "a.npy", c.file)
		if c.finding == "" {
			wantFindings(t, f)
			continue
		}
		wantFindings(t, f, c.finding)
		if len(f.Findings) > 0 && !strings.Contains(f.Findings[0].Message, c.word) {
			t.Errorf("%s: %s", c.reason, f.Findings[0].Message)
		}
	}
}

func TestNpyFaults(t *testing.T) {
	many := "{'descr': '<f4', 'fortran_order': False, 'shape': (" + strings.Repeat("1,", 65) + ")}"
	const f4 = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
	for _, c := range []struct {
		reason, file string
		at           int
		word         string
	}{
		{reason: "half the magic", file: "\x93NUM", at: 4, word: "4 bytes too early"},
		{reason: "another file", file: "PK\x03\x03 and more", word: "does not start"},
		{reason: "version 4.0", file: "\x93NUMPY\x04\x00" + zeros(200), at: 6, word: "version 4.0"},
		{reason: "version 1.1", file: "\x93NUMPY\x01\x01" + zeros(200), at: 6, word: "version 1.1"},
		{reason: "version 0.0", file: "\x93NUMPY\x00\x00" + zeros(200), at: 6, word: "version 0.0"},
		{reason: "cut off in the length", file: "\x93NUMPY\x01\x00\x40", at: 9, word: "1 byte too early"},
		{
			reason: "12 bytes claim 2^32-1", file: "\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF", at: 8,
			word: "the file claims 4294967295 bytes of header, but the file ends in 0 bytes",
		},
		{
			reason: "one byte more than there is", file: "\x93NUMPY\x01\x00" + le16(60) + f4, at: 8,
			word: "60 bytes of header",
		},
		{
			reason: "10,000 characters are read", file: npyRaw(1, f4+strings.Repeat(" ", 10_001-len(f4)), 24), at: 8,
			word: "limit of 10000",
		},
		{
			reason: "of any version", file: npyRaw(2, f4+strings.Repeat(" ", 10_001-len(f4)), 24), at: 8,
			word: "limit of 10000",
		},
		{
			reason: "in version 3 they may be of 4 bytes",
			file:   npyRaw(3, f4+"#"+strings.Repeat("é", 10_000-len(f4)), 24), at: 8, word: "10001 characters",
		},
		{
			reason: "more than 4 times as many bytes", file: npyRaw(3, strings.Repeat(" ", 40_001), 0), at: 8,
			word: "limit of 10000",
		},
		{reason: "Latin-1 in version 3", file: npyRaw(3, f4+"#\xE9", 24), at: 12, word: "UTF-8"},
		{reason: "65 sizes", file: npyRaw(1, many, 4), at: 10 + len(many) - 4, word: "limit of 64"},
		{
			reason: "2^63", file: npyRaw(1, strings.Replace(f4, "2", "9223372036854775808", 1), 0), at: 61,
			word: "9223372036854775808 is more",
		},
		{
			reason: "50 digits", file: npyRaw(1, strings.Replace(f4, "2", strings.Repeat("9", 50), 1), 0), at: 61,
			word: "a number of 50 digits",
		},
		{
			reason: "brackets a thousand deep",
			file:   npyRaw(1, strings.Replace(f4, "(2", strings.Repeat("(", 1000)+"2", 1), 0), at: 61,
			word: "expected a size",
		},
		{
			reason: "a field of an unknown type", file: npyRaw(1, strings.Replace(f4, "'<f4'", "[('a', '<f5')]", 1), 0),
			at: 27, word: `"<f5" is not a known NumPy type`,
		},
		{
			reason: "2^31 bytes, NumPy's limit being a C int",
			file:   npyRaw(1, strings.Replace(f4, "'<f4'", "[('a', '|u1', (2147483647,)), ('b', '|u1')]", 1), 0),
			at:     20, word: "an element has more than 2147483647 bytes",
		},
		{
			reason: "lists a thousand deep",
			file:   npyRaw(1, strings.Replace(f4, "'<f4'", strings.Repeat("[('a',", 1000), 1), 0), at: 20 + 65*6,
			word: "types nest deeper",
		},
		{reason: "escapes", file: npyRaw(1, strings.Replace(f4, "<f4", `\x3cf4`, 1), 0), at: 21, word: "escapes"},
		{
			reason: "a key of another format", file: npyRaw(1, strings.Replace(f4, "descr", "dtype", 1), 0), at: 11,
			word: `not "dtype"`,
		},
		{
			reason: "a missing key", file: npyRaw(1, "{'descr': '<f4', 'shape': ()}", 4), at: 10,
			word: "does not say fortran_order",
		},
	} {
		f, err := tensorsOf(t, "a.npy", c.file)
		t.Log(c.reason)
		wantFault(t, f, err, c.at, c.word)
	}
}

// TestNpyHeaderLimit reads the longest headers that are allowed.
func TestNpyHeaderLimit(t *testing.T) {
	const f4 = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
	for _, file := range []string{
		npyRaw(1, f4+strings.Repeat(" ", 10_000-len(f4)), 24),
		npyRaw(3, f4+"#"+strings.Repeat("é", 9_999-len(f4)), 24),
	} {
		wantTensor(t, mustRead(t, "", file).At(0), "", "<f4", 24, 2, 3)
	}
}

// TestNpyStrides has no strides where 64 bits do not hold them.
func TestNpyStrides(t *testing.T) {
	for shape, want := range map[string][]int64{
		"(2, 3, 4)":                 {1, 2, 6},
		"(2, 0, 4)":                 {1, 2, 2},
		"(4611686018427387904, 2)":  {1, 1 << 62},
		"(4611686018427387904,2,1)": nil,
		"(9223372036854775807,)":    {1},
	} {
		f := mustRead(t, "", npyOf(1, "{'descr': '|u1', 'fortran_order': True, 'shape': "+shape+"}", 0))
		if got := f.At(0).Strides; !slices.Equal(got, want) {
			t.Errorf("%s: %v", shape, got)
		}
	}
}

// TestNpyHeaders compares headers with NumPy's, byte for byte.
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

// TestLongestNpyHeaders writes headers near the limit of a 16-bit length.
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
		start := npyMagic + string([]byte{w.Version, 0}) + stated + "{"
		if len(got) != w.Length || len(dict) != w.Length-1 || blanks != w.Blanks || !strings.HasPrefix(got, start) {
			t.Errorf("%+v: %d bytes, %d blanks, %q", w, len(got), blanks, got[:20])
		}
	}
}

// TestNpyHeadersAreRead reads back the headers that are written.
func TestNpyHeadersAreRead(t *testing.T) {
	for d := range layout.DTypes {
		descr := d.In(layout.NumPy)
		if descr == "" {
			continue
		}
		file := AppendNpyHeader(nil, descr, []int64{3, 0, 5}, true)
		a, err := arrayOf(t, "", string(file), "")
		want := Array{Kind: "npy", TypeName: descr, Type: d, TypeKnown: true, Bits: d.Bits(),
			Sizes: []int64{3, 0, 5}, Fortran: true, Start: int64(len(file))}
		if err != nil || !reflect.DeepEqual(a, want) {
			t.Errorf("%s: %+v, %v", descr, a, err)
		}
	}
}

// TestNpyTypes spells types as NumPy's documents do.
func TestNpyTypes(t *testing.T) {
	for text, want := range map[string]string{
		"float32": "<f4", "float16": "<f2", "uint8": "|u1", "int8": "|i1", "bool": "|b1", "int64": "<i8",
		"complex64": "<c8", "complex128": "<c16",
		"bfloat16": "", "int4": "", "float8_e4m3fn": "", "unknown": "", "complex32": "",
	} {
		d, err := layout.ParseDType(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.In(layout.NumPy); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}
