package tensorfile

import (
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"layoutcalc/layout"
	"layoutcalc/layout/rules"
)

// The tensor files, as a File calls their kinds and their names end.
const (
	npyKind         = "npy"
	safetensorsKind = "safetensors"
	ggufKind        = "gguf"
)

const (
	npyMagic  = "\x93NUMPY"
	ggufMagic = "GGUF"
)

// maxFindings limits how many findings of one rule are kept; the others are counted.
const maxFindings = 1000

// fileRules counts the rules of tensor files, which follow one another.
const fileRules = rules.FileTrailing - rules.FileHeader + 1

// Tensors reads the header of a .npy, .safetensors or .gguf file of the given size, and never the
// data. The first bytes say which it is, and where they do not, the name. A header that cannot be
// read is an error, a [*doctree.Fault] whose message names the byte; what can be read, but is wrong,
// is a finding.
func Read(name string, in io.ReaderAt, size int64) (*rules.File, error) {
	t := tensorFile{headerReader: headerReader{in: in, size: size, end: size}}
	said := ending(name)
	t.file.Kind = t.kind(said)
	switch t.file.Kind {
	case npyKind:
		t.npy()
	case safetensorsKind:
		t.safetensors()
	case ggufKind:
		t.gguf()
	default:
		t.fail(0, "this is no .npy, .safetensors or .gguf file")
	}
	if t.fault != nil {
		return nil, t.fault
	}
	if said != t.file.Kind && (said == npyKind || said == safetensorsKind || said == ggufKind) {
		t.findAs(rules.FileHeader, rules.Warning, "", "the name ends in ."+t.file.Kind, "the name ends in .%s, but the contents are those of a .%s file", said, t.file.Kind)
	}
	t.summarise()
	return &t.file, nil
}

// ending returns what a file's name says of its kind.
func ending(name string) string {
	return strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
}

// A tensorFile is a tensor file that is being read.
type tensorFile struct {
	headerReader
	file   rules.File
	only   string          // findings of other tensors are left out, unless it is empty
	names  map[string]bool // of the tensors so far
	ranges []byteRange     // of those whose place is known
	lost   bool            // the place of another is not
	arena  []int64         // room for sizes
	kept   int             // how many sizes there are
	types  [64]knownType

	count [fileRules]int            // findings of each rule
	worst [fileRules]rules.Severity // of those that are not kept
}

// kind tells the formats apart by their first bytes. Those of .safetensors are a length and a
// brace; a length that the other two begin with would be beyond its limit.
func (t *tensorFile) kind(said string) string {
	var first [9]byte
	n := min(t.size, int64(len(first)))
	got, err := t.in.ReadAt(first[:max(n, 0)], 0)
	if got < int(n) && err != nil && err != io.EOF {
		t.fault = err
		return said
	}
	length := binary.LittleEndian.Uint64(first[:8])
	switch {
	case strings.HasPrefix(string(first[:]), npyMagic):
		return npyKind
	case strings.HasPrefix(string(first[:]), ggufMagic):
		return ggufKind
	case n == 9 && first[8] == '{' && length <= maxHeader:
		return safetensorsKind
	}
	return said
}

// find reports that the file, or a tensor in it, breaks a rule.
func (t *tensorFile) find(id rules.ID, tensor, fix, format string, args ...any) {
	t.findAs(id, id.Rule().Severity, tensor, fix, format, args...)
}

// findAs is find with another severity than the rule's own.
func (t *tensorFile) findAs(id rules.ID, s rules.Severity, tensor, fix, format string, args ...any) {
	if t.only != "" && tensor != "" && tensor != t.only {
		return
	}
	i := id - rules.FileHeader
	if t.count[i]++; t.count[i] > maxFindings {
		t.worst[i] = max(t.worst[i], s)
		return
	}
	t.file.Findings = append(t.file.Findings, rules.Finding{Rule: id, Severity: s, Tensor: tensor, Message: fmt.Sprintf(format, args...), Fix: fix})
}

// keeps reports whether another finding of the rule would be kept: a fix may cost time.
func (t *tensorFile) keeps(id rules.ID) bool { return t.count[id-rules.FileHeader] < maxFindings }

// summarise reports how many findings are left out.
func (t *tensorFile) summarise() {
	for i, n := range t.count {
		if n > maxFindings {
			t.file.Findings = append(t.file.Findings, rules.Finding{
				Rule: rules.FileHeader + rules.ID(i), Severity: t.worst[i],
				Message: fmt.Sprintf("%d more findings of this rule are left out: the limit is %d", n-maxFindings, maxFindings),
			})
		}
	}
}

// expect makes room for about n tensors.
func (t *tensorFile) expect(n uint64) {
	n = min(n, maxTensors)
	t.file.Descriptors = make([]rules.Descriptor, 0, n)
	t.ranges = make([]byteRange, 0, n)
	t.names = make(map[string]bool, n)
}

// add notes a tensor, and reports false when there are too many.
func (t *tensorFile) add(d rules.Descriptor) bool {
	if len(t.file.Descriptors) == maxTensors {
		t.fail(t.pos(), "the file has more than the limit of %d tensors", maxTensors)
		return false
	}
	t.file.Descriptors = append(t.file.Descriptors, d)
	return true
}

// sizes returns room for n numbers.
func (t *tensorFile) sizes(n int) []int64 {
	if t.kept += n; t.kept > maxSizes {
		t.fail(t.pos(), "the tensors have more than the limit of %d sizes together", maxSizes)
	}
	if n > len(t.arena) {
		t.arena = make([]int64, max(n, 4096))
	}
	sizes := t.arena[:n:n]
	t.arena = t.arena[n:]
	return sizes
}

// judgeName checks a name, of which so many bytes stand in the file.
func (t *tensorFile) judgeName(name string, bytes int64) {
	if bytes > maxNameKept {
		t.find(rules.FileName, name, "", "the name is %d bytes long, over the limit of %d", bytes, maxNameKept)
		return
	}
	if t.names[name] {
		t.find(rules.FileName, name, "", "two tensors have this name")
	}
	t.names[name] = true
	if !utf8.ValidString(name) {
		t.find(rules.FileName, name, "", "the name is no valid UTF-8")
		return
	}
	for i, r := range name {
		if r < ' ' || r > '~' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			t.findAs(rules.FileName, rules.Warning, name, "", "the name has the control character U+%04X at byte %d", r, i)
			return
		}
	}
}

// A knownType is what the layout package has for a type of a format's table.
type knownType struct {
	asked, known bool
	dtype        layout.DType
}

// known returns the type of that spelling, if there is one. It is looked up once for each row of
// the format's table.
func (t *tensorFile) known(row int, spelling string) (d layout.DType, ok bool) {
	k := &t.types[row]
	if !k.asked {
		d, err := layout.ParseDType(spelling)
		*k = knownType{true, err == nil, d}
	}
	return k.dtype, k.known
}

// quoted is a name in the message about another tensor.
type quoted string

func (q quoted) String() string {
	if len(q) > 60 {
		q = q[:60] + "..."
	}
	return strconv.Quote(string(q))
}
