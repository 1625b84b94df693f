package tensorfile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
)

// numpySays reads what a script under testdata wrote down of NumPy.
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
		File, Descr      string
		Shape, Strides   []int64
		Fortran, Refused bool
		Start, Bytes     int64
	}
	for _, a := range numpySays[array](t, "npy/arrays.json") {
		t.Run(a.File, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", "npy", a.File))
			if err != nil {
				t.Fatal(err)
			}
			f, err := tensorsOf(t, a.File, string(data))
			if a.Refused {
				wantFault(t, f, err, 20, "are not read")
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			d := &f.Descriptors[0]
			wantTensor(t, d, "", a.Descr, a.Bytes, a.Shape...)
			if f.Kind != "npy" || !slices.Equal(d.Strides, a.Strides) || int64(len(data)) != a.Start+a.Bytes {
				t.Errorf("%s %v", f.Kind, d.Strides)
			}
			if a.Fortran || strings.HasPrefix(a.Descr, ">") {
				wantFindings(t, f, "file-order note")
			} else {
				wantFindings(t, f)
			}
		})
	}
}

// TestHeadersOfNumPy compares the dictionaries that are read with those that NumPy reads.
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
		if want := h.OK && !strings.Contains(h.Text, "'<f'"); ok != want {
			t.Errorf("version %d, %q is %v, not %v: %v", h.Version, h.Text, ok, want, err)
			continue
		}
		if !h.OK || !ok {
			continue
		}
		d := f.Descriptors[0]
		if !slices.Equal(d.Sizes, h.Shape) || (d.Strides != nil) != h.Fortran {
			t.Errorf("%q is %v", h.Text, d)
		}
		bytes, err := layout.ProductOf(append(slices.Clone(h.Shape), h.Item))
		if short := slices.Contains(findingsOf(f), "file-size error"); err != nil || short != (bytes > 0) {
			t.Errorf("%q: %q", h.Text, findingsOf(f))
		}
	}
}

func TestNpyBytes(t *testing.T) {
	const f4 = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
	for _, c := range []struct {
		reason, file, finding, word string
	}{
		{"the reference's example is exact", npyOf(1, f4, 24), "", ""},
		{"one byte is missing", npyOf(1, f4, 23), "file-size error", "24 bytes of <f4, and the file has 23 bytes: 1 byte too few"},
		{"no data at all", npyOf(1, f4, 0), "file-size error", "24 bytes too few"},
		{"one byte is too many", npyOf(1, f4, 25), "file-trailing warning", "1 byte more"},
		{"NumPy pads so that data starts at a multiple of 64", npyRaw(1, f4, 24), "file-align note", "byte 69"},
		{"2^63-1 by 2 elements of 4 bytes", npyOf(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 2)}", 0), "file-size error", "73786976294838206456 bytes"},
		{"2^32 by 2^32", npyOf(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", 0), "file-size error", "18446744073709551616 bytes"},
		{"a zero wherever it stands", npyOf(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4611686018427387904, 0)}", 0), "", ""},
		{"a zero wherever it stands", npyOf(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (0, 4611686018427387904, 4611686018427387904)}", 0), "file-order note", "Fortran"},
		{"sizes are not negative", npyOf(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 3)}", 0), "file-header error", "negative"},
		{"a type that there is not", npyOf(1, "{'descr': '<f5', 'fortran_order': False, 'shape': (2,)}", 10), "file-type error", `"<f5"`},
		{"a type of elsewhere", npyOf(1, "{'descr': 'float32', 'fortran_order': False, 'shape': (2,)}", 8), "file-type error", `"float32"`},
		{"big-endian", npyOf(1, "{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}", 8), "file-order note", "big-endian"},
		{"a key said twice", npyOf(1, "{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (2,)}", 16), "file-header warning", "descr twice"},
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
		{"nothing", "", 0, "8 bytes too early"},
		{"half the magic", "\x93NUM", 4, "4 bytes too early"},
		{"another file", "PK\x03\x04 and more", 0, "does not start"},
		{"version 4.0", "\x93NUMPY\x04\x00" + zeros(200), 6, "version 4.0"},
		{"version 1.1", "\x93NUMPY\x01\x01" + zeros(200), 6, "version 1.1"},
		{"version 0.0", "\x93NUMPY\x00\x00" + zeros(200), 6, "version 0.0"},
		{"cut off in the length", "\x93NUMPY\x01\x00\x40", 9, "1 byte too early"},
		{"12 bytes claim 2^32-1", "\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF", 8, "4294967295 bytes of header are claimed, but the file ends in 0 bytes"},
		{"one byte more than there is", "\x93NUMPY\x01\x00" + le16(60) + f4, 8, "60 bytes of header"},
		{"10,000 characters are read", npyRaw(1, f4+strings.Repeat(" ", 10_001-len(f4)), 24), 8, "limit of 10000"},
		{"of any version", npyRaw(2, f4+strings.Repeat(" ", 10_001-len(f4)), 24), 8, "limit of 10000"},
		{"in version 3 they may be of 4 bytes", npyRaw(3, f4+"#"+strings.Repeat("é", 10_000-len(f4)), 24), 8, "10001 characters"},
		{"more than 4 times as many bytes", npyRaw(3, strings.Repeat(" ", 40_001), 0), 8, "limit of 10000"},
		{"Latin-1 in version 3", npyRaw(3, f4+"#\xE9", 24), 12, "UTF-8"},
		{"65 sizes", npyRaw(1, many, 4), 10 + len(many) - 4, "limit of 64"},
		{"2^63", npyRaw(1, strings.Replace(f4, "2", "9223372036854775808", 1), 0), 61, "9223372036854775808 is more"},
		{"50 digits", npyRaw(1, strings.Replace(f4, "2", strings.Repeat("9", 50), 1), 0), 61, "a number of 50 digits"},
		{"brackets a thousand deep", npyRaw(1, strings.Replace(f4, "(2", strings.Repeat("(", 1000)+"2", 1), 0), 61, "a size is expected"},
		{"structured types", npyRaw(1, strings.Replace(f4, "'<f4'", "[('a', '<f4')]", 1), 0), 20, "structured types"},
		{"objects", npyRaw(1, strings.Replace(f4, "<f4", "|O", 1), 0), 20, "Python objects"},
		{"escapes", npyRaw(1, strings.Replace(f4, "<f4", `\x3cf4`, 1), 0), 21, "escapes"},
		{"a key of another format", npyRaw(1, strings.Replace(f4, "descr", "dtype", 1), 0), 11, `not "dtype"`},
		{"a missing key", npyRaw(1, "{'descr': '<f4', 'shape': ()}", 4), 10, "does not say fortran_order"},
	} {
		f, err := tensorsOf(t, "a.npy", c.file)
		t.Log(c.reason)
		wantFault(t, f, err, c.at, c.word)
	}
}

// TestNpyHeaderLimit reads the longest headers that there are.
func TestNpyHeaderLimit(t *testing.T) {
	const f4 = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
	for _, file := range []string{
		npyRaw(1, f4+strings.Repeat(" ", 10_000-len(f4)), 24),
		npyRaw(3, f4+"#"+strings.Repeat("é", 9_999-len(f4)), 24),
	} {
		wantTensor(t, &mustRead(t, "", file).Descriptors[0], "", "<f4", 24, 2, 3)
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
		if got := f.Descriptors[0].Strides; !slices.Equal(got, want) {
			t.Errorf("%s: %v", shape, got)
		}
	}
}
