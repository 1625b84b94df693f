package tensorfile

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
)

// arrayOf finds an array in a file of those bytes.
func arrayOf(t *testing.T, name, data, tensor string) (Array, error) {
	t.Helper()
	return Find(name, &piece{t: t, data: []byte(data)}, int64(len(data)), tensor)
}

// wantRefusal checks what an error says, and what its hint.
func wantRefusal(t *testing.T, reason string, a Array, err error, word, hint string) {
	t.Helper()
	var syntax *layout.SyntaxError
	if !errors.As(err, &syntax) || !reflect.DeepEqual(a, Array{}) {
		t.Errorf("%s: %+v, %v", reason, a, err)
		return
	}
	if !strings.Contains(syntax.Msg, word) || !strings.Contains(syntax.Hint, hint) || hint == "" && syntax.Hint != "" {
		t.Errorf("%s: %s (%s)", reason, syntax.Msg, syntax.Hint)
	}
}

// plain returns the elements of an array in row-major order and little-endian, one byte after the
// other.
func plain(a Array, file []byte) []byte {
	data, item := file[a.Start:a.Start+a.Bytes], int(a.Bits/8)
	var out []byte
	index := make([]int64, len(a.Sizes))
	for range len(data) / item {
		at, stride := int64(0), int64(1)
		for k := range index {
			axis := k
			if !a.Fortran {
				axis = len(index) - 1 - k
			}
			at += index[axis] * stride
			stride *= a.Sizes[axis]
		}
		element := slices.Clone(data[int(at)*item : int(at+1)*item])
		for u := 0; a.Swap > 0 && u < item; u += a.Swap {
			slices.Reverse(element[u : u+a.Swap])
		}
		out = append(out, element...)
		for axis := len(index) - 1; axis >= 0; axis-- {
			if index[axis]++; index[axis] < a.Sizes[axis] {
				break
			}
			index[axis] = 0
		}
	}
	return out
}

// TestArraysOfFiles finds the elements of files that NumPy wrote.
func TestArraysOfFiles(t *testing.T) {
	type array struct {
		File, Descr, Name, Little string
		Moved, Fortran            bool
		Item, Start, Bytes        int64
		Swap                      int
		Shape                     []int64
	}
	for _, w := range numpySays[array](t, "arrays/arrays.json") {
		data, err := os.ReadFile(filepath.Join("testdata", "arrays", w.File))
		if err != nil {
			t.Fatal(err)
		}
		a, err := arrayOf(t, w.File, string(data), "")
		if !w.Moved {
			if err == nil {
				t.Errorf("%s is %+v", w.File, a)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", w.File, err)
			continue
		}
		known := strings.Contains("biufc", w.Descr[1:2]) && w.Name != "float128"
		want := Array{"npy", "", w.Descr, a.Type, known, w.Item * 8, w.Swap, a.Sizes, w.Fortran, w.Start, w.Bytes}
		if !reflect.DeepEqual(a, want) || !slices.Equal(a.Sizes, w.Shape) || known && a.Type.String() != w.Name {
			t.Errorf("%s: %+v, want %+v, %v", w.File, a, want, w.Shape)
		}
		if got := hex.EncodeToString(plain(a, data)); got != w.Little {
			t.Errorf("%s: %s, want %s", w.File, got, w.Little)
		}
	}
}

// TestArrayTypes compares the sizes and byte orders of types with NumPy's.
func TestArrayTypes(t *testing.T) {
	type typ struct {
		Descr string
		Item  int64
		Swap  int
	}
	for _, w := range numpySays[typ](t, "arrays/types.json") {
		dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (3,), }", w.Descr)
		a, err := arrayOf(t, "", npyOf(1, dict, int(3*w.Item)), "")
		if !slices.Contains([]int64{1, 2, 4, 8, 16}, w.Item) {
			wantRefusal(t, w.Descr, a, err, fmt.Sprintf("has %d bytes: those of 1, 2, 4, 8 and 16 bytes are moved", w.Item), "save")
			continue
		}
		if err != nil || a.TypeName != w.Descr || a.Bits != 8*w.Item || a.Swap != w.Swap || a.Bytes != 3*w.Item {
			t.Errorf("%+v: %+v, %v", w, a, err)
		}
	}
}

func TestArraysRefused(t *testing.T) {
	const f4 = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
	shaped := func(descr, shape string) string {
		return fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape)
	}
	for _, c := range []struct{ reason, name, file, tensor, word, hint string }{
		{"a name for what has none", "", npyOf(1, f4, 24), "a", "one array, which has no name", "leave --tensor out"},
		{"one byte is missing", "", npyOf(1, f4, 23), "", "must hold 24 bytes of data behind its header of 128, and holds 23: 1 too few", "cut off"},
		{"no data", "", npyOf(2, f4, 0), "", "must hold 24 bytes of data behind its header of 128, and holds 0: 24 too few", "cut off"},
		{"one byte too many", "", npyOf(1, f4, 25), "", "must hold 24 bytes of data behind its header of 128, and holds 25: 1 too many", "files of their own"},
		{"one byte, one element", "", npyOf(1, shaped("|u1", "()"), 0), "", "must hold 1 byte of data", "cut off"},
		{"2^63-1 by 2 elements of 4 bytes", "", npyOf(1, shaped("<f4", "(9223372036854775807, 2)"), 100), "", "must hold 73786976294838206456 bytes of data behind its header of 128, and holds 100: 73786976294838206356 too few", "cut off"},
		{"57 digits", "", npyOf(1, shaped("<f4", "(9223372036854775807, 9223372036854775807, 9223372036854775807)"), 0), "", "a number of bytes of 58 digits of data", "cut off"},
		{"a negative size", "", npyOf(1, shaped("<f4", "(-1, 3)"), 0), "", "the shape (-1, 3) has a negative size", ""},
		{"a type that there is not", "", npyOf(1, shaped("<f5", "(2,)"), 10), "", `"<f5" is no type of NumPy`, "such as '<f4'"},
		{"a type of elsewhere", "", npyOf(1, shaped("float32", "(2,)"), 8), "", `"float32" is no type of NumPy`, "NumPy writes it '<f4'"},
		{"texts", "", npyOf(1, shaped(">U10", "(2,)"), 80), "", `type ">U10" has 40 bytes`, "a.view('>U1').reshape(a.shape + (10,))"},
		{"empty texts", "", npyOf(1, shaped("<U0", "(2,)"), 0), "", `type "<U0" has 0 bytes`, ""},
		{"bytes", "", npyOf(1, shaped("|S3", "(2,)"), 6), "", `type "|S3" has 3 bytes`, "a.view('S1').reshape(a.shape + (3,))"},
		{"long doubles of 32-bit x86", "", npyOf(1, shaped("<f12", "(2,)"), 24), "", `type "<f12" has 12 bytes`, "a.astype('<f8')"},
		{"pairs of them", "", npyOf(1, shaped("<c24", "(2,)"), 48), "", `type "<c24" has 24 bytes`, "a.astype('<c16')"},
		{"quantised", "", ggufOf(3, nil, []ggufTensor{{"a", []uint64{32}, 2, 0}}, 32, 32), "a", "most are quantised", "convert"},
		{"an archive", "a.npz", "PK\x03\x04" + zeros(100), "", "an archive of .npy files", "unzip"},
		{"any file", "a.bin", "PK\x03\x04" + zeros(100), "", "no .npy or .safetensors file", ""},
		{"no bytes", "", "", "", "no .npy or .safetensors file", ""},
	} {
		a, err := arrayOf(t, c.name, c.file, c.tensor)
		wantRefusal(t, c.reason, a, err, c.word, c.hint)
	}
}

// TestArrayFaults refuses headers that cannot be read at the byte where that shows.
func TestArrayFaults(t *testing.T) {
	for _, c := range []struct {
		reason, name, file string
		at                 int
		word               string
	}{
		{"named in vain", "a.npy", zeros(200), 0, "does not start with"},
		{"named in vain", "a.safetensors", "no header at all", 0, "bytes of header are claimed"},
		{"objects", "", npyOf(1, "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", 8), 20, "Python objects"},
		{"records", "", npyOf(1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", 4), 20, "structured types"},
		{"version 4", "", "\x93NUMPY\x04\x00" + zeros(100), 6, "version 4.0"},
		{"half a header", "", npyOf(1, "{'descr': '<f4'", 0)[:30], 8, "bytes of header are claimed"},
		{"no JSON", "", safetensorsRaw(`{"a":{]}`, 0), 14, "a name in quotes"},
	} {
		t.Log(c.reason)
		a, err := arrayOf(t, c.name, c.file, "")
		if !reflect.DeepEqual(a, Array{}) {
			t.Errorf("%+v", a)
		}
		wantFault(t, nil, err, c.at, c.word)
	}
	if _, err := Find("a", broken{strings.NewReader(""), 0}, 100, ""); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}

func TestIsArrayFile(t *testing.T) {
	npy := npyOf(1, "{'descr': '|u1', 'fortran_order': False, 'shape': ()}", 1)
	for _, c := range []struct {
		reason, name, data string
		want               bool
	}{
		{"by name", "a.npy", "", true},
		{"whatever the case", "dir/A.SafeTensors", "", true},
		{"to be refused", "a.gguf", "", true},
		{"to be refused", "a.npz", "", true},
		{"by magic", "-", npy, true},
		{"by magic", "x.bin", ggufOf(3, nil, nil, 1, 0), true},
		{"by length and brace", "x.bin", safetensorsOf("{}", 0), true},
		{"by length, brace and quote", "x.bin", safetensorsOf("{"+entryText("a", "U8", "[1]", 0, 1)+"}", 1), true},
		{"by length, brace and blank", "x.bin", safetensorsOf("{ }", 0), true},
		{"the numbers 8 and 123 in 64 bits", "x.bin", le64(8) + le64('{') + zeros(100), false},
		{"a length that the file has not", "x.bin", le64(9) + `{"a":{} `, false},
		{"9 bytes", "x.bin", le64(1) + "{", false},
		{"any bytes", "x.bin", zeros(100), false},
		{"the magic comes first", "x.bin", " " + npy, false},
		{"no bytes", "", "", false},
	} {
		if got := Is(c.name, strings.NewReader(c.data), int64(len(c.data))); got != c.want {
			t.Errorf("%s: %q is %v", c.reason, c.name, got)
		}
	}
	if Is("x.bin", broken{strings.NewReader(npy), 0}, int64(len(npy))) {
		t.Error("what cannot be read is an array")
	}
}
