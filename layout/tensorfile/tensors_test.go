package tensorfile

import (
	"errors"
	"io"
	"strings"
	"testing"

	"layoutcalc/layout/rules"
)

func TestTensorsKind(t *testing.T) {
	npy := npyOf(1, "{'descr': '|u1', 'fortran_order': False, 'shape': ()}", 1)
	for _, c := range []struct {
		reason, name, data, kind string
		findings                 []string
	}{
		{"by magic", "-", npy, "npy", nil},
		{"by magic", "-", ggufOf(3, nil, nil, 1, 0), "gguf", nil},
		{"by length and brace", "-", safetensorsOf("{}", 0), "safetensors", nil},
		{"by name", "X.SafeTensors", safetensorsRaw(" {}     ", 0), "safetensors", []string{"file-header error"}},
		{"the first bytes count", "a.gguf", npy, "npy", []string{"file-header warning"}},
		{"other names say nothing", "a.bin", npy, "npy", nil},
	} {
		f := mustRead(t, c.name, c.data)
		if f.Kind != c.kind {
			t.Errorf("%s: %s", c.reason, f.Kind)
		}
		wantFindings(t, f, c.findings...)
	}
	f, err := tensorsOf(t, "a.bin", "PK\x03\x04")
	wantFault(t, f, err, 0, "no .npy")
}

// TestTypesAreJudgedOnce: what the reader says of a type, the rules do not say again.
func TestTypesAreJudgedOnce(t *testing.T) {
	for _, c := range []struct{ reason, data, finding string }{
		{"blocks", ggufOf(3, nil, []ggufTensor{{"a", []uint64{32}, 2, 0}}, 32, 32), ""},
		{"a type that was removed", ggufOf(3, nil, []ggufTensor{{"a", []uint64{32}, 4, 0}}, 32, 32), "file-type error a"},
		{"6 bits, which only the format has", safetensorsOf("{"+entryText("a", "F6_E2M3", "[4]", 0, 3)+"}", 3), ""},
		{"no type of the format", safetensorsOf("{"+entryText("a", "F23", "[1]", 0, 4)+"}", 4), "file-type error a"},
		{"texts", npyOf(1, "{'descr': '<U2', 'fortran_order': False, 'shape': (3,)}", 24), ""},
		{"no type of NumPy", npyOf(1, "{'descr': '<q9', 'fortran_order': False, 'shape': (3,)}", 24), "file-type error"},
	} {
		f := mustRead(t, "-", c.data)
		if have := strings.Join(findingsOf(f), ", "); have != c.finding {
			t.Errorf("%s: %q, want %q", c.reason, have, c.finding)
		}
		checker := rules.NewChecker(rules.Options{}, func(f rules.Finding) {
			if f.Severity > rules.Note {
				t.Errorf("%s: %+v", c.reason, f)
			}
		})
		for i := range f.Descriptors {
			checker.Check(rules.Target{}, &f.Descriptors[i])
		}
	}
}

// A shrinking file has fewer bytes than its size said.
type shrinking struct{ left int64 }

func (s shrinking) ReadAt(b []byte, at int64) (int, error) {
	full := safetensorsOf(`{"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}`, 0)
	return strings.NewReader(full[:s.left]).ReadAt(b, at)
}

func TestShrinkingFile(t *testing.T) {
	for left := range int64(64) {
		f, err := Read("a.safetensors", shrinking{left}, 64)
		wantFault(t, f, err, int(left), "it shrinks")
	}
	if f, err := Read("a.safetensors", shrinking{64}, 64); err != nil {
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
		if f, err := Read("a", broken{strings.NewReader(data), from}, int64(len(data))); f != nil || !errors.Is(err, errBroken) {
			t.Errorf("from %d: %v, %v", from, f, err)
		}
	}
}

// TestFindingsAreLimited checks that findings beyond the limit are counted, not kept.
func TestFindingsAreLimited(t *testing.T) {
	var b strings.Builder
	for range maxFindings + 8 {
		b.WriteString(`"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},`)
	}
	f := mustRead(t, "", safetensorsOf("{"+strings.TrimSuffix(b.String(), ",")+"}", 0))
	last := f.Findings[len(f.Findings)-1]
	if len(f.Findings) != maxFindings+1 || findingsOf(f)[maxFindings] != "file-name error" || !strings.HasPrefix(last.Message, "7 more findings") {
		t.Errorf("%d findings, the last of which is %+v", len(f.Findings), last)
	}
}
