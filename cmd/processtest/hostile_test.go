//go:build !race

// The race detector takes memory and time of its own.

package processtest

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"layoutcalc/cmd"
	"layoutcalc/layout/layouttest"
)

// A check is taken to hang after this time of the processor, or of a machine that does other things too.
const (
	deadline = 20 * time.Second
	patience = 5 * time.Minute
)

// A hostile is a file that tries to break the program: the text before, another one repeated, and the text after.
type hostile struct {
	name     string
	before   string
	repeated string
	times    int
	after    string
	code     int
	reason   string
}

// reader reads the text of the file.
func (h *hostile) reader() io.Reader {
	return io.MultiReader(strings.NewReader(h.before), repeat(h.repeated, h.times), strings.NewReader(h.after))
}

// A repeater reads as a chunk, again and again.
type repeater struct {
	chunk    string
	at, left int
}

// repeat reads as the text, repeated.
func repeat(text string, times int) io.Reader {
	if text == "" {
		return strings.NewReader("")
	}
	return &repeater{chunk: strings.Repeat(text, 1+64<<10/len(text)), left: len(text) * times}
}

func (r *repeater) Read(b []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), r.left)], r.chunk[r.at:])
	r.at, r.left = (r.at+n)%len(r.chunk), r.left-n
	return n, nil
}

// numbered repeats text with the numbers from 0 to n-1 for each %d.
func numbered(n int, text string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "%d", strconv.Itoa(i)))
	}
	return b.String()
}

// le32 and le64 are the bytes of a number, the lowest first.
func le32(n uint64) string { return string(binary.LittleEndian.AppendUint32(nil, uint32(n))) }
func le64(n uint64) string { return string(binary.LittleEndian.AppendUint64(nil, n)) }

// ggufText returns s as a string in a .gguf file.
func ggufText(s string) string { return le64(uint64(len(s))) + s }

// ggufHead is the beginning of a .gguf file.
func ggufHead(tensors, pairs uint64) string { return "GGUF" + le32(3) + le64(tensors) + le64(pairs) }

// npyHead is the beginning of a .npy file that states the given length of the header.
func npyHead(length uint64) string { return "\x93NUMPY\x02\x00" + le32(length) }

// safetensors is a file of that header.
func safetensors(header string) string { return le64(uint64(len(header))) + header }

const (
	model     = `{"resources":{},"dispatchables":{},"commands":[]`
	dmlTensor = `{"DataType":"FLOAT32","Sizes":[1,1,1,4]}`
	sizeZero  = `{"DataType":"FLOAT32","Sizes":[0]}`
)

// depths are files of every format that nests, n levels deep.
func depths(n int) []hostile {
	closing := strings.Repeat("]", n)
	brackets := strings.Repeat("[", n)
	return []hostile{
		{name: "a.json", repeated: "[", times: n, after: closing, code: 2, reason: "lists"},
		{name: "b.json", repeated: "[", times: n, code: 2, reason: "lists that do not end"},
		{name: "c.json", before: model + `,"x":`, repeated: `{"a":`, times: n, after: "1", code: 2, reason: "objects"},
		{
			name: "d.jsonc", before: "// x\n", repeated: "[ /* */", times: n, after: "1,",
			code: 2, reason: "lists with comments",
		},
		{name: "e.json", repeated: "/*", times: n, code: 2, reason: "comments in a comment"},
		{
			name: "f.jsonl", before: brackets + closing + "\n" + `{"DataType":"FLOAT32","Sizes":`,
			repeated: "[", times: n, after: "\n", code: 2, reason: "lines",
		},
		{name: "g.yaml", before: "a: ", repeated: "[", times: n, after: closing, code: 2, reason: "lists in brackets"},
		{name: "h.yaml", repeated: "{a: ", times: n, code: 2, reason: "objects in brackets"},
		{name: "i.yaml", repeated: "- ", times: n, code: 2, reason: "lists on a line"},
		{name: "j.yaml", repeated: "? ", times: n, code: 2, reason: "keys of keys"},
		{name: "k.safetensors", before: safetensors(`{"a":` + brackets + closing), code: 2, reason: "a header"},
		{
			name: "l.safetensors", before: le64(uint64(2*n+26)) + `{"__metadata__":{"a":"b"},`,
			repeated: "[", times: n, after: closing, code: 2, reason: "where a name is expected",
		},
		{
			name: "m.gguf", before: ggufHead(0, 1) + ggufText("k") + le32(9),
			repeated: le32(9) + le64(1), times: n, after: le32(4) + le64(0), code: 2, reason: "arrays of arrays",
		},
		{
			name: "n.npy", before: npyHead(uint64(n+40)) + "{'descr': '<f4', 'fortran_order': False, 'shape': ",
			repeated: "(", times: n, code: 2, reason: "parentheses",
		},
		{name: "o.npy", before: npyHead(uint64(n)), repeated: "(", times: n, code: 2, reason: "parentheses alone"},
		{name: "p.txt", repeated: "(", times: n, code: 2, reason: "a notation"},
		{
			name: "q.txt", before: "ttg.layout<", repeated: "{a = <", times: n, after: ">",
			code: 2, reason: "a notation that nests",
		},
		{
			name: "r.txt", before: "Layout((" + brackets + closing + ":", repeated: "[", times: n,
			code: 2, reason: "another notation",
		},
	}
}

// bombs are small inputs that could become large, and inputs that could take quadratic time.
func bombs() []hostile {
	return []hostile{
		{
			name:   "alias.yaml",
			before: "a: &a [x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n",
			after:  numbered(9, "c%d: &c%d [*b, *b, *b, *b, *b, *b, *b, *b, *b]\n"),
			code:   2, reason: "aliases of aliases",
		},
		{name: "self.yaml", before: "a: &a [*a]\n", code: 2, reason: "an alias of itself"},
		{name: "selfmap.yaml", before: "version: 1\ntensors: &a\n  a: *a\n", code: 2, reason: "an alias of itself"},
		{
			name: "manyalias.yaml", before: "a: &a {x: 1}\nb: [", repeated: "*a, ", times: 20_000, after: "]\n",
			code: 2, reason: "20,000 aliases",
		},
		{
			name:   "merge.yaml",
			before: "version: 1\ntensors:\n  a: &a {dtype: float32}\n", after: numbered(1000, "  b%d: {<<: *a}\n"),
			code: 1, reason: "merge keys are read; no tensor has sizes",
		},
		{
			name:   "prefix.json",
			before: `{"version":1,"tensors":{`,
			after: numbered(100_000, `"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk%d":`+
				`{"dtype":"float32","sizes":[1]},`) +
				"}}",
			code: 0, reason: "1e5 keys with one prefix",
		},
		{
			name:   "prefix.yaml",
			before: "version: 1\ntensors:\n",
			after:  numbered(40_000, "  kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk%d: {dtype: float32, sizes: [1]}\n"),
			code:   0, reason: "keys with one prefix",
		},
		{
			name:     "resources.json",
			before:   `{"resources":{` + numbered(100_000, `"k%d":1,`) + `},"dispatchables":{},"commands":[`,
			repeated: `{"a":1},`, times: 100_000, after: "]}",
			code: 1, reason: "1e5 names, and then objects of one",
		},
		{
			name:   "same.json",
			before: `{"resources":{`, repeated: `"k":{},`, times: 100_000, after: `},"dispatchables":{},"commands":[]}`,
			code: 1, reason: "1e5 times one key",
		},
		{
			name:     "key.json",
			before:   `{"resources":{"` + strings.Repeat("k", 1<<20) + `":{"initialValues":[`,
			repeated: "{},", times: 2000, after: `]}},"dispatchables":{},"commands":[]}`,
			code: 2, reason: "a key of 1 MB, and 2,000 findings in it",
		},
		{
			name:     "keys.json",
			before:   model + `,"x":` + strings.Repeat(`{"`+strings.Repeat("k", 1000)+`":`, 60) + "{",
			repeated: `"a":1,`, times: 500_000, after: strings.Repeat("}", 62),
			code: 0, reason: "500,000 duplicates under long keys",
		},
		{
			name:   "key.yaml",
			before: "version: 1\ntensors:\n  ", repeated: "k", times: 1 << 20, after: ": 1\n",
			code: 2, reason: "a key of 1 MB",
		},
		{
			name:     "key.jsonl",
			repeated: `{"` + strings.Repeat("k", 1000_000) + `":1,"DataType":"FLOAT32","Sizes":[0]}` + "\n", times: 20,
			code: 2, reason: "lines with keys of 1 MB",
		},
		{
			name:     "names.jsonl",
			repeated: `{"name":"` + strings.Repeat("n", 1000_000) + `","DataType":"FLOAT32","Sizes":[0]}` + "\n",
			times:    100,
			code:     1, reason: "lines with names of 1 MB, and findings",
		},
		{
			name: "split.json",
			before: `{"resources":{"r":{"sizeInBytes":16}},"dispatchables":{"d":{"type":"SPLIT",` +
				`"desc":{"InputTensor":` +
				dmlTensor + `,"OutputTensors":[` + strings.Repeat(dmlTensor+",", 20_000) + `],"Axis":0}}},` +
				`"commands":[{"type":"dispatch","dispatchable":"d","bindings":{"InputTensor":"r","OutputTensors":[`,
			repeated: `"r",`, times: 20_000, after: "]}}]}",
			code: 1, reason: "20,000 outputs bound to one resource",
		},
		{
			name: "join.json",
			before: `{"resources":{},"dispatchables":{"` + strings.Repeat("k", 1000) +
				`":{"type":"JOIN","desc":{"InputTensors":[`,
			repeated: sizeZero + ",", times: 100_000,
			after: `],"OutputTensor":` + dmlTensor + `,"Axis":0}}},"commands":[]}`,
			code:  1, reason: "1e5 tensors of one operator with a long name",
		},
		{
			name: "hard.jsonl",
			repeated: `{"DataType":"FLOAT32","Sizes":[1049,1049,1049,1049,1049],` +
				`"Strides":[36674,61119,85569,12223,12224],"role":"output"}` + "\n",
			times: 5000,
			code:  1, reason: "overlaps that are hard to find",
		},
		{
			name:   "edges.yaml",
			before: "version: 1\ntensors:\n",
			after: numbered(4_000, "  t%d: {dtype: float32, sizes: [1,2,64,64,64], strides: [1,1,1,1,1], "+
				"role: output, expect: {packed: true, sameAs: t0}}\n"),
			code: 1, reason: "4,000 expectations",
		},
		{
			name:     "ignores.yaml",
			before:   "version: 1\ntensors:\n  a: {dtype: float32, sizes: 3}\n",
			repeated: "# layoutcalc:ignore gaps because\n", times: 120_000,
			code: 1, reason: "120,000 comments, just under the limit of 4 MB",
		},
		{
			name: "verbose.log",
			repeated: "onednn_verbose,primitive,exec,cpu,reorder,x,undef," +
				"src_f32::blocked:abcd::f0 dst_f32::blocked:acdb::f0,,,2x3x4x5,0.1\n",
			times: 10_000,
			code:  0, reason: "a long log",
		},
	}
}

// sizes are lists of a million sizes, and numbers that 64 bits do not hold.
func sizes() []hostile {
	const million = 1_000_000
	const descriptor = `{"DataType":"FLOAT32","Sizes":[`
	const inYAML = "version: 1\ntensors:\n  a:\n    dtype: float32\n    sizes: "
	return []hostile{
		{
			name: "a.json", before: descriptor, repeated: "1,", times: million, after: "]}", code: 1,
			reason: "DirectML's",
		},
		{
			name:     "b.json",
			before:   `{"version":1,"tensors":{"a":{"dtype":"float32","role":"output","sizes":[`,
			repeated: "2,", times: million, after: "]}}}",
			code: 0, reason: "ours: 64 bits do not hold the product",
		},
		{
			name: "c.json", before: descriptor, repeated: `"x",`, times: million, after: "]}", code: 1,
			reason: "of texts",
		},
		{
			name:     "d.json",
			before:   descriptor + strings.Repeat("-1,", 200_000) + `],"Strides":[`,
			repeated: "-1,", times: 200_000, after: "]}",
			code: 1, reason: "of negative numbers",
		},
		{
			name: "e.yaml", before: inYAML + "[", repeated: "2, ", times: 850_000, after: "]\n", code: 0,
			reason: "in YAML",
		},
		{
			name: "many.yaml", before: inYAML + "[", repeated: "2, ", times: million, after: "]\n", code: 2,
			reason: "in YAML, more than the limit of values",
		},
		{
			name: "f.yaml", before: inYAML + "1", repeated: "x1", times: million, after: "\n", code: 1,
			reason: "in one text",
		},
		{
			name: "g.jsonl", before: descriptor, repeated: "1,", times: 500_000, after: "1]}\n", code: 1,
			reason: "on a line",
		},
		{
			name: "h.npy", before: npyHead(2_000_060) + "{'descr': '<f4', 'fortran_order': False, 'shape': (",
			repeated: "1,", times: million,
			code: 2, reason: "of NumPy",
		},
		{
			name: "i.safetensors", before: le64(2_000_060) + `{"a":{"dtype":"F32","shape":[`,
			repeated: "1,", times: million, after: `1],"data_offsets":[0,4]}}  `,
			code: 2, reason: "of safetensors",
		},
		{
			name: "j.gguf", before: ggufHead(1, 0) + ggufText("a") + le32(million), repeated: le64(1), times: million,
			code: 2, reason: "of GGUF",
		},
		{
			name: "k.json",
			before: descriptor + `99999999999999999999,-99999999999999999999,1e999],` +
				`"Strides":[18446744073709551616,1,1],` +
				`"TotalTensorSizeInBytes":1`,
			repeated: "0", times: million, after: "}",
			code: 1, reason: "beyond 64 bits",
		},
		{
			name: "l.yaml",
			before: "version: 9999999999999999999999\ntensors:\n  a: {dtype: float32, " +
				"sizes: [9223372036854775807,9223372036854775807], " +
				"strides: [9223372036854775808, -9223372036854775809], " +
				"totalBytes: 99999999999999999999, alignment: 99999999999999999999, " +
				"storageOffset: 9223372036854775807}\n",
			code: 1, reason: "beyond 64 bits",
		},
		{
			name: "m.json",
			before: `{"resources":{"r":{"sizeInBytes":99999999999999999999},"s":{"initialValuesDataType":"FLOAT64",` +
				`"initialValues":{"valueCount":9223372036854775807}}},"dispatchables":{"d":{"type":"SPLIT",` +
				`"InputCount":99999999999999999999,` +
				`"InputTensor":` + dmlTensor + `,"OutputTensors":[` + dmlTensor + `]}},` +
				`"commands":[{"type":"dispatch","dispatchable":"d","bindings":{"InputTensor":{"name":"s",` +
				`"elementOffset":9223372036854775807,"elementSizeInBytes":9223372036854775807,` +
				`"elementCount":99999999999999999999}}}]}`,
			code: 1, reason: "beyond 64 bits",
		},
		{
			name: "n.jsonl",
			repeated: `{"dtype":"float64","sizes":[9223372036854775807,9223372036854775807],` +
				`"strides":[9223372036854775807,-9223372036854775808],"storageOffset":9223372036854775807,` +
				`"totalBytes":9223372036854775807}` + "\n" +
				`{"DataType":"FLOAT32","Sizes":[18446744073709551616]}` + "\n",
			times: 1000,
			code:  1, reason: "beyond 64 bits",
		},
		{
			name: "o.npy",
			before: npyHead(79) +
				"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999999,)}",
			code: 2, reason: "beyond 64 bits",
		},
		{
			name: "p.npy",
			before: npyHead(94) +
				"{'descr': '<f8', 'fortran_order': True, 'shape': (9223372036854775807,9223372036854775807,)}  ",
			code: 1, reason: "a product beyond 64 bits",
		},
		{
			name: "q.safetensors",
			before: le64(120) + `{"a":{"dtype":"F64","shape":[9223372036854775807,9223372036854775807],` +
				`"data_offsets":[0,9223372036854775807]}}`,
			repeated: " ", times: 10,
			code: 1, reason: "a product beyond 64 bits",
		},
		{
			name: "r.safetensors",
			before: le64(80) + `{"a":{"dtype":"F64","shape":[18446744073709551616],` +
				`"data_offsets":[-1,1e3]}}`,
			repeated: " ", times: 4,
			code: 1, reason: "beyond 64 bits",
		},
		{
			name:     "s.gguf",
			before:   ggufHead(1, 0) + ggufText("a") + le32(4),
			repeated: le64(1<<64 - 1), times: 4, after: le32(0) + le64(1<<64-1),
			code: 1, reason: "beyond 63 bits",
		},
	}
}

// claims are headers with false statements.
func claims() []hostile {
	var gguf strings.Builder
	for i := range 100_000 {
		gguf.WriteString(ggufText(fmt.Sprint("tensor.", i)) + le32(1) + le64(32) + le32(0) + le64(uint64(i)*128))
	}
	list := []hostile{
		{
			name: "kv.gguf", before: ggufHead(0, 1) + ggufText("general.alignment") + le32(4) + le32(0),
			code: 1, reason: "an alignment of 0",
		},
		{
			name: "overlap.safetensors",
			before: le64(48_000) + "{" + numbered(700, `"t%d":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},`) +
				`"z":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}`,
			repeated: " ", times: 48_000,
			code: 1, reason: "overlaps",
		},
		{name: "many.safetensors", before: manyTensors("[0,4]"), code: 1, reason: "100,000 tensors on one range"},
		{name: "holes.safetensors", before: manyTensors("[1%d0,1%d4]"), code: 1, reason: "100,000 holes and overlaps"},
		{name: "many.gguf", before: ggufHead(100_000, 0) + gguf.String(), code: 1, reason: "100,000 tensors"},
		{
			name: "shape.safetensors", before: le64(99_999_999), repeated: " ", times: 99_999_999,
			code: 2, reason: "100 MB of blanks",
		},
		{name: "long.json", repeated: " ", times: 105_000_000, code: 2, reason: "100 MB of blanks"},
		{
			name:   "value.json",
			before: `{"version":1,"tensors":{},"x":"`, repeated: "a", times: 99_000_000, after: `"}`,
			code: 2, reason: "a text of 99 MB, over the limit",
		},
		{
			name:   "short.json",
			before: `{"version":1,"tensors":{},"x":"`, repeated: "a", times: 30_000_000, after: `"}`,
			code: 1, reason: "a text of 30 MB",
		},
		{name: "long.yaml", repeated: "# x\n", times: 17 << 18, code: 2, reason: "17 MB of comments"},
		{name: "long.txt", repeated: "x", times: 17 << 20, code: 2, reason: "17 MB of one word"},
	}
	for i, n := range []uint64{1 << 63, 1<<64 - 1, 1<<63 - 1, 100_000_001, 1 << 32, 42} {
		for _, h := range []hostile{
			{name: ".safetensors", before: le64(n) + "{}", reason: "a length of header"},
			{name: "t.gguf", before: ggufHead(n, 0), reason: "a number of tensors"},
			{name: "p.gguf", before: ggufHead(0, n), reason: "a number of pairs"},
			{name: "k.gguf", before: ggufHead(0, 1) + le64(n) + "k", reason: "a length of key"},
			{
				name: "s.gguf", before: ggufHead(0, 1) + ggufText("k") + le32(8) + le64(n) + "v",
				reason: "a length of text",
			},
			{
				name: "a.gguf", before: ggufHead(0, 1) + ggufText("k") + le32(9) + le32(0) + le64(n),
				reason: "a length of array",
			},
			{name: "n.gguf", before: ggufHead(1, 0) + le64(n), reason: "a length of name"},
			{name: "r.gguf", before: ggufHead(1, 0) + ggufText("a") + le32(n), reason: "a rank"},
			{name: ".npy", before: npyHead(n) + "{}", reason: "a length of header"},
		} {
			h.name, h.code = fmt.Sprint(i, h.name), 2
			list = append(list, h)
		}
	}
	for i, more := range []int{-1, 1, 2} {
		header := `{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`
		list = append(list, hostile{
			name: fmt.Sprint(i, "size.safetensors"), before: le64(uint64(len(header)+more)) + header,
			code: 2, reason: "the size of the file, and more or less",
		})
	}
	return list
}

// manyTensors is a .safetensors file of 100,000 tensors.
func manyTensors(offsets string) string {
	list := numbered(100_000, `"tensor.%d":{"dtype":"F32","shape":[1,1],"data_offsets":`+offsets+`},`)
	return safetensors("{" + strings.TrimSuffix(list, ",") + "}")
}

// oddities are empty files, and files in another encoding.
func oddities() []hostile {
	const million = 1_000_000
	list := []hostile{
		{name: "16.json", before: "\xFF\xFE{\x00}\x00", code: 2, reason: "UTF-16"},
		{name: "16.yaml", before: "\xFE\xFF\x00a\x00:", code: 2, reason: "UTF-16"},
		{name: "16.jsonl", before: "\xFF\xFE{\x00}\x00\n\x00", code: 1, reason: "UTF-16: a line that states nothing"},
		{name: "16.txt", before: "\xFF\xFE2\x00x\x003\x00", code: 0, reason: "UTF-16, as Windows writes texts"},
		{name: "16odd.txt", before: "\xFF\xFE2\x00x\x003", code: 2, reason: "half a character of UTF-16"},
		{name: "nul.json", repeated: "\x00", times: million, code: 2, reason: "NUL"},
		{name: "nul.yaml", repeated: "\x00", times: million, code: 2, reason: "NUL"},
		{name: "nul.jsonl", repeated: "\x00", times: 3 * million, code: 2, reason: "NUL"},
		{name: "nul.txt", repeated: "\x00", times: million, code: 2, reason: "NUL"},
		{name: "blank.jsonl", repeated: "\n", times: million, code: 2, reason: "blank lines"},
		{name: "bad.jsonl", repeated: "x\n", times: 200_000, code: 2, reason: "lines that are not JSON"},
	}
	for _, ending := range []string{"json", "yaml", "jsonl", "npy", "safetensors", "gguf", "txt"} {
		list = append(list, hostile{name: "empty." + ending, code: 2, reason: "empty"})
	}
	for _, ending := range []string{"json", "yaml", "jsonl", "txt"} {
		mark := hostile{name: "bom." + ending, before: "\xEF\xBB\xBF", code: 2, reason: "a byte order mark alone"}
		list = append(list, mark)
	}
	return list
}

// TestHostileFiles checks the files one by one.
func TestHostileFiles(t *testing.T) {
	files := slices.Concat(depths(1000), depths(100_000), depths(1_000_000), bombs(), sizes(), claims(), oddities())
	dir := t.TempDir()
	for i, f := range files {
		if i%layouttest.Step() != 0 {
			continue
		}
		t.Run(fmt.Sprint(i, "-", f.name), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(dir, fmt.Sprint(i, f.name))
			fill(t, path, f.reader())
			defer os.Remove(path)
			if r := attack(t, nil, "check", path, "--severity", "note", "--width", "80"); r.code != f.code {
				t.Errorf("%s exits %d, want %d: %s\n%.1000s%.1000s", f.name, r.code, f.code, f.reason, r.out, r.stderr)
			}
		})
	}
}

// fill writes a file.
func fill(t *testing.T, path string, text io.Reader) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(file, text); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// An outcome is the end of a run.
type outcome struct {
	code        int
	out, stderr string
}

// attack runs the program, and checks the properties of every run: it ends by itself, stays within its memory, and
// prints nothing that a terminal or a CI runner obeys.
func attack(t *testing.T, in io.Reader, args ...string) outcome {
	t.Helper()
	alive, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	like := program(t, args...)
	c := exec.CommandContext(alive, like.Path, args...)
	var out, stderr strings.Builder
	c.Env, c.Stdin, c.Stdout, c.Stderr = append(like.Env, "COLUMNS="), in, &out, &stderr
	r := outcome{exitCode(t, c.Run()), out.String(), stderr.String()}
	took := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	t.Logf("%.2f s of the processor, %d MB", took.Seconds(), memoryOf(c.ProcessState)>>20)
	if took > deadline && layouttest.CountsProcessorTime() {
		t.Errorf("takes %v of the processor", took)
	}
	unwritten := r.code == 3 && strings.HasPrefix(r.stderr, "layoutcalc: cannot write ")
	if r.code < 0 || r.code > 2 && !unwritten {
		t.Errorf("exits %d (%v): %.2000s", r.code, c.ProcessState, r.stderr)
	}
	if n := memoryOf(c.ProcessState); n > maxMemory {
		t.Errorf("takes %d MB, over %d", n>>20, maxMemory>>20)
	}
	wantHarmless(t, r.out+r.stderr, slices.Contains(args, "github"))
	return r
}

// wantHarmless checks that text has no control characters or commands, and does not report a crash.
func wantHarmless(t *testing.T, text string, annotates bool) {
	t.Helper()
	for _, crash := range []string{"panic", "goroutine ", "runtime error", "fatal error", "internal error"} {
		if strings.Contains(text, crash) {
			t.Errorf("says %s: %.2000s", crash, text)
		}
	}
	for i, r := range text {
		control := r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029
		if control || r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			t.Fatalf("%U at %d: %.200q", r, i, text[max(i-50, 0):])
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		command := strings.HasPrefix(line, "::") && !(annotates && annotation(line))
		if command || strings.Contains(line, "##[") || strings.Contains(line, "##vso[") {
			t.Fatalf("a runner obeys %.200q", line)
		}
	}
}

// annotation reports whether a line is one that -o github means to write.
func annotation(line string) bool {
	for _, command := range []string{"::error ", "::warning ", "::notice "} {
		if strings.HasPrefix(line, command) {
			return strings.Contains(line, "title=layoutcalc ")
		}
	}
	return false
}

// names are names with commands to terminals, CI runners or the readers of reports.
var names = []string{
	"\x1b[2J\x1b[31m", "\x1b]0;x\a", "\x1b]8;;http://x\x1b\\y", "\x1b]52;c;eA==\a",
	"\a\b\x7f", "a\rb", "\u009b2J", "\x9b2J", "\xff\xfe", "a\u202eb\u2066", "\u200b\ufeff", "\u2028",
	"\n::error::x", "\r\n::error::x", "::error::x",
	"::stop-commands::x", "##[group]", "x\n##[error]y", "##vso[task.complete]",
	"%0A::error::x",
	"|", "a|b\n| c |", "`x`", "<script>", "[x](javascript:y)", "]]>", "&#27;", `"><x y="`, "a,b=c:d", "=1+1",
	"x # SKIP", "-rf", "漢字🙂e\u0301",
}

// isName reports whether the system has files of a name.
func isName(path string) bool {
	file, err := os.Create(path)
	if err == nil {
		file.Close()
		os.Remove(path)
	}
	return err == nil
}

// TestHostileNames gives files, tensors, keys and values such names, in every report.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	dir, step := t.TempDir(), layouttest.Step()
	for i, name := range append(names, strings.Repeat("n", 64<<10), "a\x00b") {
		if i%step != 0 {
			continue
		}
		if strings.ContainsAny(name, "\x00/") || len(name) > 200 || !isName(filepath.Join(dir, name)) {
			name = fmt.Sprint(i)
		}
		for _, ending := range [...]string{".json", ".yaml", ".jsonl"} {
			fill(t, filepath.Join(dir, name+ending), strings.NewReader("{"+name))
		}
	}
	for i, name := range append(names, strings.Repeat("n", 64<<10), strings.Repeat("\x1b", 1000), "a\x00b") {
		if i%step != 0 {
			continue
		}
		for ending, text := range named(name) {
			fill(t, filepath.Join(dir, fmt.Sprint(i, ending)), strings.NewReader(text))
		}
	}
	for _, f := range reportNames {
		if r := attack(t, nil, "check", dir, "-o", f, "--severity", "note"); r.code != 2 || r.out == "" {
			t.Errorf("-o %s exits %d: %s", f, r.code, r.stderr)
		}
	}
}

// named are files of every format in which things have the name, and are wrong.
func named(name string) map[string]string {
	q := quoted(name)
	entry := `{"dtype":` + q + `,"shape":[2],"data_offsets":[0,4]}`
	header := `{"` + name + `":{"dtype":"F32","shape":[2],"data_offsets":[0,4]},` +
		`"b":{"dtype":"F32","shape":[2],"data_offsets":[0,4]},` + q + ":" + entry + "}"
	return map[string]string{
		"a.json": `{"version":1,"target":` + q + `,` + q + `:1,"tensors":{` + q + `:{"dtype":` + q + `,"sizes":` + q +
			`,"role":` + q + `,"layout":` + q + `,"flags":[` + q + `],` + q + `:2,"expect":{"sameAs":` + q +
			`}}},"edges":[{"from":` + q + `,"to":` + q + `}]}`,
		"b.json": `{"resources":{` + q + `:{"initialValuesDataType":` + q + `}},"dispatchables":{` +
			q + `:{"type":` + q + `,"desc":{` + q + `:` + dmlTensor + `,` + q + `:1}},` +
			`"d":{"type":"SPLIT","InputTensor":{"DataType":` + q + `,"Sizes":[` + q + `],"Flags":[` + q + `]}}},` +
			`"commands":[{"type":"dispatch","dispatchable":` + q + `,"bindings":{` + q + `:{"name":` + q + `}}}]}`,
		"c.jsonl": `{"name":` + q + `,"DataType":` + q + `,"Sizes":[0],` + q + `:1}` + "\n" +
			`{"name":"` + name + `","dtype":"float32","sizes":[0],"target":` + q + `}` + "\n",
		"d.yaml": "version: 1\ntensors:\n  " + q + ": {dtype: " + q + ", sizes: " + q + ", " + q + ": 1}" +
			" # layoutcalc:ignore " + name + "\nedges: [{from: " + q + ", to: " + q + "}]\n",
		"e.yaml":        "version: 1\ntensors:\n  '" + name + "': {dtype: float32, sizes: 0}\n",
		"f.safetensors": safetensors(header),
		"g.gguf":        ggufHead(2, 1) + ggufText(name) + le32(99) + ggufText(name),
		"h.gguf":        ggufHead(2, 0) + strings.Repeat(ggufText(name)+le32(1)+le64(2)+le32(99)+le64(0), 2),
		"i.npy":         npyHead(uint64(len(name)+4)) + "{'" + name + "'}",
		"j.npy": npyHead(uint64(len(name)+59)) +
			"{'descr': '" + name + "', 'fortran_order': False, 'shape': (1,)}",
	}
}

// quoted returns text as JSON and YAML write it.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		return `""`
	}
	return string(b)
}

// called runs the command line without a process, and checks the properties of every run except its memory.
func called(t *testing.T, in string, args ...string) outcome {
	t.Helper()
	var out, stderr strings.Builder
	code := cmd.Run(args, cmd.Streams{In: strings.NewReader(in), Out: &out, Err: &stderr,
		Env: func(string) string { return "" }})
	wantHarmless(t, out.String()+stderr.String(), slices.Contains(args, "github"))
	return outcome{code, out.String(), stderr.String()}
}

// TestHostileArguments has the names in arguments, which messages repeat.
func TestHostileArguments(t *testing.T) {
	t.Parallel()
	for i, name := range names {
		if i%layouttest.Step() != 0 {
			continue
		}
		for _, args := range [][]string{
			{name}, {"no/" + name + ".json"}, {"1x2", "-t", name}, {"--" + name, "1x2"},
			{"-", "--stdin-filename", name + ".json"}, {"-", "--stdin-filename", name, "-o", "github"},
			{"1x2", "--rule", name}, {"1x2", "--target", name}, {"1x2", "--get", name},
			{"1x2", "--report", name},
		} {
			if r := called(t, "{"+name, append([]string{"check"}, args...)...); r.code != 2 {
				t.Errorf("%q exits %d: %s", args, r.code, r.out)
			}
		}
		if r := called(t, "", "check", "1x2", "--report", "sarif=no/"+name); r.code != 3 {
			t.Errorf("a report in no/%q exits %d: %s", name, r.code, r.out)
		}
	}
}

// TestHostileStreams checks standard input.
func TestHostileStreams(t *testing.T) {
	row := `{"name":"scores","DataType":"FLOAT16","Sizes":[1,8,128,128],"Strides":[131072,16384,128,1],` +
		`"role":"output"}` + "\n"
	overlapping := strings.Replace(row, "128,1]", "127,1]", 1)
	lines := 1_000_000 / layouttest.Step()
	tests := []hostile{
		{name: "a.jsonl", repeated: row, times: lines, code: 0, reason: "many lines"},
		{name: "b.jsonl", repeated: overlapping, times: lines, code: 1, reason: "many findings"},
		{name: "c.jsonl", repeated: "[", times: 256 << 20, code: 2, reason: "a line of 256 MB"},
		{
			name: "d.jsonl", before: row, repeated: "[", times: 64 << 20, after: "\n" + row,
			code: 2, reason: "a line of 64 MB among others",
		},
		{name: "e.txt", repeated: "[", times: 32 << 20, code: 2, reason: "a text of 32 MB"},
		{name: "stream.yaml", repeated: "[", times: 128 << 20, code: 2, reason: "a text of 128 MB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if r := attack(t, tt.reader(), "check", "-", "--stdin-filename", tt.name); r.code != tt.code {
				t.Errorf("exits %d, want %d: %s\n%.1000s%.1000s", r.code, tt.code, tt.reason, r.out, r.stderr)
			}
		})
	}
}

// TestHostileDirectory walks over files that must not be opened, and over files with two paths.
func TestHostileDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	inner := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(inner, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("mkfifo", filepath.Join(dir, "pipe.json")).Run(); err != nil {
		t.Log("no FIFO here: ", err)
	}
	links := map[string]string{
		"up.json": "..", "self.json": "self.json", "a/loop": "..", "gone.yaml": "nothing", "null.npy": "/dev/zero",
		"link.jsonl": "a/b/1.jsonl",
	}
	for from, to := range links {
		layouttest.Link(t, to, filepath.Join(dir, from))
	}
	n := 2000 / layouttest.Step()
	for i := range n {
		fill(t, filepath.Join(inner, fmt.Sprint(i, ".jsonl")), strings.NewReader(`{"DataType":"FLOAT16","Sizes":[1]}`))
	}
	want := fmt.Sprintf("%d files (%[1]d JSON Lines), %[1]d descriptors: 0 errors, 0 warnings, ", n)
	if r := attack(t, nil, "check", dir); r.code != 0 || !strings.HasPrefix(r.out, want) {
		t.Errorf("exits %d: %.500s%.500s", r.code, r.out, r.stderr)
	}
	for _, link := range []string{"self.json", "gone.yaml"} {
		if r := attack(t, nil, "check", filepath.Join(dir, link)); r.code != 2 {
			t.Errorf("%s exits %d: %.500s", link, r.code, r.out)
		}
	}
}

// TestHostileIndex checks indexes that are long, or whose shards are not files.
func TestHostileIndex(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := exec.Command("mkfifo", filepath.Join(dir, "pipe.safetensors")).Run(); err != nil {
		t.Log("no FIFO here: ", err)
	}
	for from, to := range map[string]string{"self": "self.safetensors", "zero": "/dev/zero", "up": ".."} {
		layouttest.Link(t, to, filepath.Join(dir, from+".safetensors"))
	}
	fill(t, filepath.Join(dir, "a.safetensors"), strings.NewReader(le64(2)+"{}"))
	const before = `{"metadata":{"total_size":0},"weight_map":{"a":"a.safetensors"`
	for i, tt := range []struct {
		reason, members string
		want            string // in the summary
	}{
		{"no file is opened that is not one", `,"b":"pipe.safetensors","c":"self.safetensors","d":"zero.safetensors",` +
			`"e":"up.safetensors","f":"../../../../etc/passwd","g":"/dev/zero"`, "7 errors"},
		{"a million tensors", numbered(1_000_000, `,"t%d":"a.safetensors"`), "1001 errors"},
		{"100,000 shards", numbered(100_000, `,"t%d":"s%d.safetensors"`), "2 errors"},
		{"a name of 1 MB", `,"` + strings.Repeat("n", 1<<20) + `":"a.safetensors","b":"` + strings.Repeat("n", 1<<20) +
			`.safetensors"`, "3 errors"},
	} {
		if i%layouttest.Step() != 0 {
			continue
		}
		t.Run(tt.reason, func(t *testing.T) {
			path := filepath.Join(dir, "model.safetensors.index.json")
			fill(t, path, strings.NewReader(before+tt.members+"}}"))
			r := attack(t, nil, "check", path)
			if r.code != 1 || !strings.Contains(r.out, "descriptors: "+tt.want) {
				t.Errorf("exits %d: %.500s … %s%.500s", r.code, r.out, r.out[max(0, len(r.out)-200):], r.stderr)
			}
		})
	}
}

// TestShrinkingFile cuts files while they are read.
func TestShrinkingFile(t *testing.T) {
	t.Parallel()
	for _, f := range []hostile{
		{name: "a.safetensors", before: manyTensors("[0,4]")},
		{name: "b.jsonl", repeated: `{"DataType":"FLOAT16","Sizes":[0]}` + "\n", times: 200_000},
		{
			name:   "c.json",
			before: `{"version":1,"tensors":{` + numbered(100_000, `"t%d":{"dtype":"float32","sizes":[1]},`) + "}}",
		},
	} {
		for wait := 0; wait < 4; wait += min(layouttest.Step(), 4) {
			path := filepath.Join(t.TempDir(), f.name)
			fill(t, path, f.reader())
			time.AfterFunc(time.Duration(5*wait)*time.Millisecond, func() { os.Truncate(path, 100_000) })
			attack(t, nil, "check", path)
		}
	}
}
