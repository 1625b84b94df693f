package tensorfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
)

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
func tensorsOf(t *testing.T, name, data string) (*rules.File, error) {
	t.Helper()
	return Read(name, &piece{t: t, data: []byte(data)}, int64(len(data)))
}

// mustRead reads a file whose header can be read.
func mustRead(t *testing.T, name, data string) *rules.File {
	t.Helper()
	f, err := tensorsOf(t, name, data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// findingsOf writes findings as "rule severity tensor".
func findingsOf(f *rules.File) []string {
	list := []string{}
	for _, g := range f.Findings {
		list = append(list, strings.TrimSpace(fmt.Sprintf("%v %v %s", g.Rule, g.Severity, g.Tensor)))
	}
	return list
}

// wantFindings compares findings, and holds them to what every finding has.
func wantFindings(t *testing.T, f *rules.File, want ...string) {
	t.Helper()
	if got := findingsOf(f); !slices.Equal(got, want) {
		t.Errorf("findings are %q, not %q", got, want)
		for _, g := range f.Findings {
			t.Logf("%s: %s (%s)", g.Tensor, g.Message, g.Fix)
		}
	}
	for _, g := range f.Findings {
		if g.Message == "" || g.Place != (rules.Place{}) {
			t.Errorf("%+v", g)
		}
	}
}

// wantFault checks that the header cannot be read, where, and why.
func wantFault(t *testing.T, f *rules.File, err error, at int, word string) {
	t.Helper()
	fault, ok := err.(*doctree.Fault)
	if !ok || f != nil {
		t.Fatalf("%v, %v", f, err)
	}
	if fault.Offset != at || !strings.HasPrefix(fault.Msg, fmt.Sprintf("byte %d: ", at)) || !strings.Contains(fault.Msg, word) {
		t.Errorf("%d, %s", fault.Offset, fault.Msg)
	}
}

// wantTensor compares a descriptor with what is said of it.
func wantTensor(t *testing.T, d *rules.Descriptor, name, typ string, total int64, sizes ...int64) {
	t.Helper()
	if d.Name != name || d.TypeName != typ || !slices.Equal(d.Sizes, sizes) || d.Total != (rules.Number{Value: total, Stated: true}) {
		t.Errorf("%+v", *d)
	}
}

func le16(n int) string { return string(binary.LittleEndian.AppendUint16(nil, uint16(n))) }

func le32(n int64) string { return string(binary.LittleEndian.AppendUint32(nil, uint32(n))) }

func le64(n uint64) string { return string(binary.LittleEndian.AppendUint64(nil, n)) }

// zeros are so many bytes of data.
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

// ggufOf is a .gguf file with those pairs of metadata, made by ggufU32 and its kin.
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
