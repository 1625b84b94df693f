package cmd_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"layoutcalc/cmd"
)

// An array is a file that NumPy wrote, with the properties that NumPy reports.
type array struct {
	File, Descr, Little string // Little are the elements in row-major order, little-endian, as hexadecimal digits
	Moved               bool
	Item                int
	Shape               []int
}

const arrayDir = "../layout/tensorfile/testdata/arrays"

// numpyArrays reads the arrays that NumPy wrote.
func numpyArrays(t *testing.T) (list []array) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(arrayDir, "arrays.json"))
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil || len(list) == 0 {
		t.Fatal(len(list), err)
	}
	return list
}

// rowMajor returns the bytes of the elements in row-major order.
func (a *array) rowMajor(t *testing.T) []byte {
	t.Helper()
	b, err := hex.DecodeString(a.Little)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// columnMajor returns them with the first index running fastest, element by element.
func (a *array) columnMajor(t *testing.T) (out []byte) {
	t.Helper()
	b := a.rowMajor(t)
	for n := range len(b) / a.Item {
		index := make([]int, len(a.Shape))
		for i, size := range a.Shape {
			index[i], n = n%size, n/size
		}
		at := 0
		for i, size := range a.Shape {
			at = at*size + index[i]
		}
		out = append(out, b[at*a.Item:(at+1)*a.Item]...)
	}
	return out
}

// dict returns the dictionary in the header of a .npy file.
func (a *array) dict(fortran string) string {
	shape := strings.ReplaceAll(strings.Trim(fmt.Sprint(a.Shape), "[]"), " ", ", ")
	if len(a.Shape) == 1 {
		shape += ","
	}
	return fmt.Sprintf(
		"{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", strings.Replace(a.Descr, ">", "<", 1), fortran, shape,
	)
}

// TestConvertArrays moves the arrays of files that NumPy wrote into raw files, and into .npy files.
func TestConvertArrays(t *testing.T) {
	for _, a := range numpyArrays(t) {
		path := filepath.Join(arrayDir, a.File)
		if !a.Moved {
			refused(t, a.File, runWith(nil, nil, "convert", "--in", path, "--to", "row-major", "--out", "-"))
			continue
		}
		n := a.product()
		single := n < 2 || slices.Contains(a.Shape, n) // at most one axis has a size other than 1: both orders are one
		for to, want := range map[string][]byte{"row-major": a.rowMajor(t), "column-major": a.columnMajor(t)} {
			r := runWith(nil, nil, "convert", "--in", path, "--to", to, "--out", "-", "-q")
			if r.code != 0 || r.out != string(want) || r.stderr != "" {
				t.Errorf("%s to %s: exits %d, %x, want %x\n%s", a.File, to, r.code, r.out, want, r.stderr)
			}
			fortran := "False"
			if to == "column-major" && !single {
				fortran = "True"
			}
			checkNpy(t, path, to, a.dict(fortran), want)
		}
	}
}

// product is how many elements the array has.
func (a *array) product() int {
	n := 1
	for _, size := range a.Shape {
		n *= size
	}
	return n
}

// checkNpy converts an array to a .npy file, and compares its header and its data. Spaces follow the dictionary, so
// that the data starts at byte 128 as in files that NumPy writes.
func checkNpy(t *testing.T, path, to, dict string, want []byte) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "y.NPY")
	r := runWith(nil, nil, "convert", "--in", path, "--to", to, "--out", out, "-q", "--verify")
	if r.code != 0 || r.out+r.stderr != "" {
		t.Errorf("%s to %s: exits %d: %s%s", path, to, r.code, r.out, r.stderr)
		return
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	header := "\x93NUMPY\x01\x00\x76\x00" + dict
	if header += strings.Repeat(" ", 127-len(header)) + "\n"; string(data) != header+string(want) {
		t.Errorf("%s to %s: %q, want %q and %x", path, to, data, header, want)
	}
}

// TestConvertBytesToFiles has the same come out of slabs, however little memory they have.
func TestConvertBytesToFiles(t *testing.T) {
	in := make([]byte, 60*70*50)
	for i := range in {
		in[i] = byte(i*7 + i>>8)
	}
	want := make([]byte, 0, len(in))
	for d := range 70 {
		for w := range 50 {
			for h := range 60 {
				want = append(want, in[(h*70+d)*50+w])
			}
		}
	}
	for _, flags := range []string{"", "--jobs 1", "--jobs 9 --memory 4K", "--memory 1M --jobs 3"} {
		out := filepath.Join(t.TempDir(), "y")
		args := strings.Fields("convert 60x70x50 abc bca -t u8 -q --verify --in - --out " + out + " " + flags)
		r := runWith(bytes.NewReader(in), nil, args...)
		if got, err := os.ReadFile(out); r.code != 0 || err != nil || !bytes.Equal(got, want) {
			t.Errorf("%q: exits %d, %d bytes, %v: %s", flags, r.code, len(got), err, r.stderr)
		}
	}
}

// TestConvertDataFails has input that cannot be read, and output that cannot be written.
func TestConvertDataFails(t *testing.T) {
	broken := func() io.Reader {
		return io.MultiReader(strings.NewReader("ABCD"), iotest.ErrReader(fmt.Errorf("read |0: %w", syscall.EIO)))
	}
	whole := func() io.Reader { return strings.NewReader("ABCDEFGHIJKL") }
	for _, tt := range []struct {
		in     func() io.Reader
		out    error
		code   int
		says   string
		reason string
	}{
		{
			in: broken, code: 2, says: "layoutcalc: standard input: it cannot be read: " + syscall.EIO.Error() + "\n",
			reason: "a block that cannot be read",
		},
		{
			in: whole, out: syscall.EIO, code: 3,
			says:   "layoutcalc: cannot write the output: " + syscall.EIO.Error() + "\n",
			reason: "a block that cannot be written",
		},
		{
			in: whole, out: errors.New("write |1: broken"), code: 3, says: "layoutcalc: cannot write the output\n",
			reason: "not something that a user understands",
		},
		{in: whole, out: syscall.EPIPE, reason: "the reader has what it wanted"},
	} {
		var stderr bytes.Buffer
		args := strings.Fields("convert 1x3x2x2 NCHW NHWC -t u8 --in - --out -")
		code := cmd.Run(args, cmd.Streams{In: tt.in(), Out: &refusing{0, tt.out}, Err: &stderr, Env: noEnv})
		if code != tt.code || stderr.String() != tt.says {
			t.Errorf("%s: exits %d and says %q, want %d and %q", tt.reason, code, stderr.String(), tt.code, tt.says)
		}
	}
}

// TestConvertedFile names a file of tensors where a shape is expected: the hint has the flags that move its data.
func TestConvertedFile(t *testing.T) {
	const file = "../layout/tensorfile/testdata/arrays/v1.npy"
	r := runWith(strings.NewReader(""), nil, "convert", file, "HW", "WH")
	if want := "hint: --in FILE and --out FILE move the data of a file\n"; !strings.HasSuffix(r.stderr, want) {
		t.Errorf("%q, want %q", r.stderr, want)
	}
}

// TestConvertValues checks that values are accepted only if a picture shows them.
func TestConvertValues(t *testing.T) {
	svg := filepath.Join(t.TempDir(), "p.svg")
	for line, code := range map[string]int{
		"": 0, "--moves": 2, "-o plain": 2, "--get strides": 2, "--as numpy": 2,
		"--moves --svg " + svg: 0, "-o plain --svg " + svg: 0,
	} {
		if r := run(t, "convert 2x3 HW WH --values index "+line); r.code != code {
			t.Errorf("%s exits %d, not %d: %s", line, r.code, code, r.stderr)
		}
	}
	if r := run(t, "convert 2x3 HW WH --moves"); r.code != 0 {
		t.Errorf("without values it exits %d: %s", r.code, r.stderr)
	}
}

// TestConvertTooMany checks that an error names the superfluous argument, even if the first one is wrong too.
func TestConvertTooMany(t *testing.T) {
	for line, says := range map[string]string{
		"2x3 NC CN more": "unexpected argument more", "2xq NC CN more": "unexpected argument more",
		"2xq NC CN more too": "unexpected argument more", "2xq NC CN": `"q" is not a size`,
		"memref<2x3xf32> CN more too": "unexpected argument more",
	} {
		if r := run(t, "convert "+line); r.code != 2 || !strings.Contains(r.stderr, says) {
			t.Errorf("%s exits %d and says %s, want %q", line, r.code, r.stderr, says)
		}
	}
}
