package tensorfile

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/rules"
)

func TestTensorsKind(t *testing.T) {
	npy := npyOf(1, "{'descr': '|u1', 'fortran_order': False, 'shape': ()}", 1)
	for _, c := range []struct {
		reason, name, data, kind string
		findings                 []string
	}{
		{reason: "by magic", name: "-", data: npy, kind: "npy"},
		{reason: "by magic", name: "-", data: ggufOf(3, nil, nil, 1, 0), kind: "gguf"},
		{reason: "by length and brace", name: "-", data: safetensorsOf("{}", 0), kind: "safetensors"},
		{
			reason: "by name", name: "X.SafeTensors", data: safetensorsRaw(" {}     ", 0), kind: "safetensors",
			findings: []string{"file-header warning"},
		},
		{reason: "the first bytes count", name: "a.gguf", data: npy, kind: "npy"},
		{reason: "other names say nothing", name: "a.bin", data: npy, kind: "npy"},
	} {
		f := mustRead(t, c.name, c.data)
		if f.Kind != c.kind {
			t.Errorf("%s: %s", c.reason, f.Kind)
		}
		wantFindings(t, f, c.findings...)
	}
	f, err := tensorsOf(t, "a.bin", "PK\x03\x03")
	wantFault(t, f, err, 0, "not a .npy")
}

// TestTypesAreJudgedOnce checks that rules do not repeat the reader's findings about types.
func TestTypesAreJudgedOnce(t *testing.T) {
	for _, c := range []struct{ reason, data, finding string }{
		{"blocks", ggufOf(3, nil, []ggufTensor{{"a", []uint64{32}, 2, 0}}, 32, 32), ""},
		{"a removed type", ggufOf(3, nil, []ggufTensor{{"a", []uint64{32}, 4, 0}}, 32, 32), "file-type error a"},
		{"6 bits, which only the format has", safetensorsOf("{"+entryText("a", "F6_E2M3", "[4]", 0, 3)+"}", 3), ""},
		{"no type of the format", safetensorsOf("{"+entryText("a", "F23", "[1]", 0, 4)+"}", 4), "file-type error a"},
		{"texts", npyOf(1, "{'descr': '<U2', 'fortran_order': False, 'shape': (3,)}", 24), ""},
		{"not NumPy's", npyOf(1, "{'descr': '<q9', 'fortran_order': False, 'shape': (3,)}", 24), "file-type error"},
	} {
		f := mustRead(t, "-", c.data)
		if have := strings.Join(findingsOf(f), ", "); have != c.finding {
			t.Errorf("%s: %q, want %q", c.reason, have, c.finding)
		}
		checker := rules.NewChecker(finding.Options{}, func(f finding.Finding) {
			if f.Severity > finding.Note {
				t.Errorf("%s: %+v", c.reason, f)
			}
		})
		for i := range f.Len() {
			d := f.At(i)
			checker.Check(descriptor.Target{}, &d)
		}
	}
}

// A shrinking file has fewer bytes than its stated size.
type shrinking struct{ left int64 }

func (s shrinking) ReadAt(b []byte, at int64) (int, error) {
	full := safetensorsOf(`{"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}`, 0)
	return strings.NewReader(full[:s.left]).ReadAt(b, at)
}

func TestShrinkingFile(t *testing.T) {
	for left := range int64(64) {
		f, err := Read("safetensors", shrinking{left}, 64)
		wantFault(t, f, err, int(left), "it shrinks")
	}
	if f, err := Read("safetensors", shrinking{64}, 64); err != nil {
		t.Fatal(f, err)
	}
}

// A broken disk fails at some byte.
type broken struct {
	io.ReaderAt
	from int64
}

var errBroken = errors.New("the disk is broken")

func (b broken) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > b.from {
		return 0, errBroken
	}
	return b.ReaderAt.ReadAt(p, at)
}

func TestBrokenDisk(t *testing.T) {
	data := safetensorsOf("{"+strings.Repeat(" ", 2*pieceSize)+"}", 0)
	for _, from := range []int64{0, 8, 100, pieceSize + 100} {
		f, err := Read("safetensors", broken{strings.NewReader(data), from}, int64(len(data)))
		if f != nil || !errors.Is(err, errBroken) {
			t.Errorf("from %d: %v, %v", from, f, err)
		}
	}
}

// TestFindingsAreLimited checks that findings beyond the limit are counted, not kept.
func TestFindingsAreLimited(t *testing.T) {
	var b strings.Builder
	for range finding.MostOfRule + 8 {
		b.WriteString(`"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},`)
	}
	f := mustRead(t, "", safetensorsOf("{"+strings.TrimSuffix(b.String(), ",")+"}", 0))
	last := f.Findings[len(f.Findings)-1]
	if len(f.Findings) != finding.MostOfRule+1 || findingsOf(f)[finding.MostOfRule] != "file-name error" ||
		!strings.HasPrefix(last.Message, "7 more findings") {
		t.Errorf("%d findings, the last of which is %+v", len(f.Findings), last)
	}
}

// FuzzTensorFile checks that any file is either rejected at a byte that it has or read the same again, and that a slow
// reader accepts a .safetensors file without errors too.
func FuzzTensorFile(f *testing.F) {
	f.Add(npyOf(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", 24))
	f.Add(npyOf(3, "{'shape': (0x2L,), \"descr\": \"|u1\", # x\n'fortran_order': False}", 2))
	f.Add(safetensorsOf("{"+entryText("a", "F32", "[2,3]", 0, 24)+","+entryText("b", "F4", "[4]", 24, 26)+"}", 26))
	strange := `"\n":{"x":[{}],"dtype":"U8","data_offsets":[1,1],"shape":[]}`
	f.Add(safetensorsOf(`{"__metadata__":{"a":"\u0041"},`+strange+"}", 1))
	nested := ggufText("x") + le32(9) + le32(9) + le64(1) + le32(8) + le64(1) + ggufText("y")
	f.Add(ggufOf(3, []string{ggufU32("general.alignment", 8), nested}, []ggufTensor{
		{name: "a", ne: []uint64{32, 2}, typ: 2},
		{name: "b", ne: []uint64{3}, typ: 30, offset: 40},
	}, 8, 48))
	f.Fuzz(func(t *testing.T, data string) {
		defer layouttest.Limit(t, len(data))()
		file, err := tensorsOf(t, "", data)
		again, _ := tensorsOf(t, "", data)
		if !reflect.DeepEqual(file, again) {
			t.Fatalf("%+v and then %+v", file, again)
		}
		if err != nil {
			if other, ok := err.(*Substitute); ok && other.Msg != "" && other.Hint != "" {
				return
			}
			var fault *doctree.Fault
			if !errors.As(err, &fault) || fault.Offset < 0 || fault.Offset > len(data) {
				t.Fatal(err)
			}
			return
		}
		for i := range file.Len() {
			d := file.At(i)
			inside := d.Total.Value >= 0 && d.Total.Value <= int64(len(data))
			if !inside || d.Strides != nil && len(d.Strides) != len(d.Sizes) {
				t.Fatalf("%+v", d)
			}
		}
		bad := slices.ContainsFunc(file.Findings, func(g finding.Finding) bool { return g.Severity == finding.Error })
		if file.Kind == safetensorsKind && !bad && !slowSafetensors(data) {
			t.Fatalf("%q passes", data)
		}
	})
}

// slowSafetensors reports whether a file obeys the format, using Go's JSON decoder and exact numbers.
func slowSafetensors(data string) bool {
	n := binary.LittleEndian.Uint64([]byte(data))
	var header map[string]json.RawMessage
	if json.Unmarshal([]byte(data[8:8+n]), &header) != nil {
		return false
	}
	type tensor struct {
		DType   string   `json:"dtype"`
		Shape   []uint64 `json:"shape"`
		Offsets []uint64 `json:"data_offsets"`
	}
	sum := new(big.Int)
	for name, raw := range header {
		var e tensor
		if name == "__metadata__" {
			continue
		}
		if json.Unmarshal(raw, &e) != nil || len(e.Offsets) != 2 {
			return false
		}
		size, _, _ := safetensorsBits(e.DType)
		if size == 0 {
			return false
		}
		bits := big.NewInt(size)
		for _, s := range e.Shape {
			bits.Mul(bits, new(big.Int).SetUint64(s))
		}
		taken := new(big.Int).Mul(big.NewInt(8), new(big.Int).SetUint64(e.Offsets[1]-e.Offsets[0]))
		if bits.Cmp(taken) != 0 {
			return false
		}
		sum.Add(sum, taken)
	}
	return sum.Cmp(big.NewInt(8*int64(len(data)-8-int(n)))) == 0
}

// A piece reads like a file of those bytes, and fails the test when it is read backwards, out of
// bounds, or in more than pieceSize bytes at once.
type piece struct {
	t    *testing.T
	data []byte
	last int64
	read int64
}

func (p *piece) ReadAt(b []byte, at int64) (int, error) {
	if at < 0 || at > 0 && at < p.last || len(b) > pieceSize {
		p.t.Errorf("%d bytes are read at %d, after %d", len(b), at, p.last)
	}
	p.last, p.read = at, p.read+int64(len(b))
	return bytes.NewReader(p.data).ReadAt(b, at)
}

// tensorsOf reads a file of those bytes.
func tensorsOf(t *testing.T, name, data string) (*descriptor.File, error) {
	t.Helper()
	return Read(kindOf(name, data), &piece{t: t, data: []byte(data)}, int64(len(data)))
}

// kindOf returns the format of a file by its first bytes, or else the ending of its name.
func kindOf(name, data string) string {
	ending := strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
	return cmp.Or(KindOf(strings.NewReader(data), int64(len(data))), ending)
}

// mustRead reads a file whose header can be read.
func mustRead(t *testing.T, name, data string) *descriptor.File {
	t.Helper()
	f, err := tensorsOf(t, name, data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// findingsOf writes findings as "rule severity tensor".
func findingsOf(f *descriptor.File) []string {
	list := []string{}
	for _, g := range f.Findings {
		list = append(list, strings.TrimSpace(fmt.Sprintf("%v %v %s", g.Rule, g.Severity, g.Tensor)))
	}
	return list
}

// wantFindings compares findings, and checks the properties of all findings.
func wantFindings(t *testing.T, f *descriptor.File, want ...string) {
	t.Helper()
	if got := findingsOf(f); !slices.Equal(got, want) {
		t.Errorf("findings are %q, not %q", got, want)
		for _, g := range f.Findings {
			t.Logf("%s: %s (%s)", g.Tensor, g.Message, g.Fix)
		}
	}
	for _, g := range f.Findings {
		if g.Message == "" || g.Place != (finding.Place{}) {
			t.Errorf("%+v", g)
		}
	}
}

// wantFault checks that the header cannot be read, where, and why.
func wantFault(t *testing.T, f *descriptor.File, err error, at int, word string) {
	t.Helper()
	var fault *doctree.Fault
	if !errors.As(err, &fault) || f != nil {
		t.Fatalf("%v, %v", f, err)
	}
	start := fmt.Sprintf("byte %d: ", at)
	if fault.Offset != at || !strings.HasPrefix(fault.Msg, start) || !strings.Contains(fault.Msg, word) {
		t.Errorf("%d, %s", fault.Offset, fault.Msg)
	}
	var hint *layout.SyntaxError // its message is that the file is cut off, only if the error is the end of the file
	if errors.As(err, &hint) && !strings.Contains(fault.Msg, "the file ends") {
		t.Errorf("%s, and the hint %s", fault.Msg, hint.Hint)
	}
}

// wantTensor compares a descriptor with its expected values.
func wantTensor(t *testing.T, d descriptor.Descriptor, name, typ string, total int64, sizes ...int64) {
	t.Helper()
	if d.Name != name || d.TypeName != typ || !slices.Equal(d.Sizes, sizes) || d.Total != descriptor.Stated(total) {
		t.Errorf("%+v", d)
	}
}

func le16(n int) string { return string(binary.LittleEndian.AppendUint16(nil, uint16(n))) }

func le32(n int64) string { return string(binary.LittleEndian.AppendUint32(nil, uint32(n))) }

func le64(n uint64) string { return string(binary.LittleEndian.AppendUint64(nil, n)) }

// zeros are n bytes of data.
func zeros(n int) string { return strings.Repeat("\x00", n) }

// npyOf is a .npy file with that dictionary, padded as NumPy does it.
func npyOf(major int, dict string, data int) string {
	size := 10
	if major > 1 {
		size = 12
	}
	dict += strings.Repeat(" ", 63-(size+len(dict))%64) + "\n"
	return npyRaw(major, dict, data)
}

func npyRaw(major int, dict string, data int) string {
	length := le16(len(dict))
	if major > 1 {
		length = le32(int64(len(dict)))
	}
	return "\x93NUMPY" + string([]byte{byte(major), 0}) + length + dict + zeros(data)
}

// safetensorsOf is a .safetensors file with that header, padded as the writer does it.
func safetensorsOf(header string, data int) string {
	return safetensorsRaw(header+strings.Repeat(" ", (8-len(header)%8)%8), data)
}

func safetensorsRaw(header string, data int) string {
	return le64(uint64(len(header))) + header + zeros(data)
}

// A ggufTensor is a tensor of a .gguf file.
type ggufTensor struct {
	name   string
	ne     []uint64
	typ    int64
	offset uint64
}

// ggufOf returns a .gguf file with the given pairs of metadata, made by ggufU32 and similar functions.
func ggufOf(version int64, pairs []string, tensors []ggufTensor, align, data int) string {
	b := "GGUF" + le32(version) + le64(uint64(len(tensors))) + le64(uint64(len(pairs))) + strings.Join(pairs, "")
	for _, t := range tensors {
		b += ggufText(t.name) + le32(int64(len(t.ne)))
		for _, n := range t.ne {
			b += le64(n)
		}
		b += le32(t.typ) + le64(t.offset)
	}
	return b + zeros((align-len(b)%align)%align) + zeros(data)
}

func ggufText(s string) string { return le64(uint64(len(s))) + s }

func ggufU32(key string, n int64) string { return ggufText(key) + le32(4) + le32(n) }

// TestBytes checks the bytes that findings refer to.
func TestBytes(t *testing.T) {
	a := entryText("a", "F32", "[3]", 0, 8)
	const u1 = "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }"
	for _, c := range []struct{ reason, data, want string }{
		{"an entry", safetensorsOf("{"+a+"}", 8), a},
		{"data after the last tensor", safetensorsOf("{"+entryText("a", "U8", "[3]", 0, 3)+"}", 3) + "more", "more"},
		{"a hole", safetensorsOf("{"+entryText("a", "U8", "[3]", 2, 5)+"}", 2) + "abc", "abc"},
		{"data that is cut off", npyOf(1, u1, 0) + "a", "a"},
		{"data after an array", npyOf(1, u1, 2) + "cd", "cd"},
	} {
		f := mustRead(t, "", c.data)
		i := slices.IndexFunc(f.Findings, func(f finding.Finding) bool { return f.Severity > finding.Note })
		if i < 0 {
			t.Fatalf("%s: %+v", c.reason, f.Findings)
		}
		b := f.Findings[i].Bytes
		if b.To > int64(len(c.data)) || b.From > b.To || c.data[b.From:b.To] != c.want {
			t.Errorf("%s: %s is about bytes %d to %d", c.reason, f.Findings[i].Message, b.From, b.To)
		}
	}
}
