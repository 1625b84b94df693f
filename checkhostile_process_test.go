//go:build !race

// The race detector takes room and time of its own.

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// maxRoom is the most memory that a check may take, and deadline when it is taken to hang.
const (
	maxRoom  = 256 << 20
	deadline = 20 * time.Second
)

// A part writes a part of a file.
type part func(w io.Writer)

// many writes a text so many times.
func many(n int, text string) part {
	return func(w io.Writer) {
		for range n {
			io.WriteString(w, text)
		}
	}
}

// each writes a text for each number, which may stand in it, from 0 up.
func each(n int, format string) part {
	return func(w io.Writer) {
		for i := range n {
			fmt.Fprintf(w, strings.ReplaceAll(format, "%d", "%[1]d"), i)
		}
	}
}

// of joins parts; texts are written as they are.
func of(parts ...any) part {
	return func(w io.Writer) {
		for _, p := range parts {
			if text, ok := p.(string); ok {
				io.WriteString(w, text)
				continue
			}
			p.(part)(w)
		}
	}
}

// header puts the length of a .safetensors header before it.
func header(length int, text part) part { return of(le(8, uint64(length)), text) }

// le is a number of so many bytes, the lowest first.
func le(size int, n uint64) string {
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(n >> (8 * i))
	}
	return string(b)
}

// texts of .gguf files
func ggufText(s string) string { return le(8, uint64(len(s))) + s }

func ggufHead(tensors, pairs uint64) string {
	return "GGUF" + le(4, 3) + le(8, tensors) + le(8, pairs)
}

// npy is a file with that dictionary, which starts with so many bytes.
func npy(length int, dict part) part { return of("\x93NUMPY\x02\x00", le(4, uint64(length)), dict) }

// A hostile is a file that tries to break the program.
type hostile struct {
	name   string
	text   part
	code   int
	reason string
}

const (
	model     = `{"resources":{},"dispatchables":{},"commands":[]`
	dmlTensor = `{"DataType":"FLOAT32","Sizes":[1,1,1,4]}`
)

// depths are bombs of every format that nests, so deep.
func depths(n int) []hostile {
	brackets, closing := many(n, "["), many(n, "]")
	array := le(4, 9) + le(8, 1) // a GGUF array of one array
	return []hostile{
		{"a.json", of(brackets, closing), 2, "lists"},
		{"b.json", of(brackets), 2, "lists that do not end"},
		{"c.json", of(model, `,"x":`, many(n, `{"a":`), "1"), 2, "objects"},
		{"d.jsonc", of("// x\n", many(n, "[ /* */"), "1,"), 2, "lists with comments"},
		{"e.json", many(n, "/*"), 2, "comments in a comment"},
		{"f.jsonl", of(brackets, closing, "\n", `{"DataType":"FLOAT32","Sizes":`, brackets, "\n"), 2, "lines"},
		{"g.yaml", of("a: ", brackets, closing), 2, "lists in brackets"},
		{"h.yaml", many(n, "{a: "), 2, "objects in brackets"},
		{"i.yaml", many(n, "- "), 2, "lists on a line"},
		{"j.yaml", many(n, "? "), 2, "keys of keys"},
		{"k.safetensors", header(2*n+5, of(`{"a":`, brackets, closing)), 2, "a header"},
		{"l.safetensors", header(2*n+26, of(`{"__metadata__":{"a":"b"},`, brackets, closing)), 2, "where a name is expected"},
		{"m.gguf", of(ggufHead(0, 1), ggufText("k"), le(4, 9), many(n, array), le(4, 4), le(8, 0)), 2, "arrays of arrays"},
		{"n.npy", npy(n+40, of("{'descr': '<f4', 'fortran_order': False, 'shape': ", many(n, "("))), 2, "parentheses"},
		{"o.npy", npy(n, many(n, "(")), 2, "parentheses alone"},
		{"p.txt", many(n, "("), 2, "a notation"},
		{"q.txt", of("ttg.layout<", many(n, "{a = <"), ">"), 2, "a notation that nests"},
		{"r.txt", of("Layout((", brackets, closing, ":", brackets), 2, "another notation"},
	}
}

// bombs are bombs of other kinds.
var bombs = []hostile{
	{"alias.yaml", of("a: &a [x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n", each(9, "c%d: &c%d [*b, *b, *b, *b, *b, *b, *b, *b, *b]\n")), 2, "aliases of aliases"},
	{"self.yaml", of("a: &a [*a]\n"), 2, "an alias of itself"},
	{"selfmap.yaml", of("version: 1\ntensors: &a\n  a: *a\n"), 2, "an alias of itself"},
	{"manyalias.yaml", of("a: &a {x: 1}\nb: [", many(20_000, "*a, "), "]\n"), 2, "20,000 aliases"},
	{"merge.yaml", of("version: 1\ntensors:\n  a: &a {dtype: float32}\n", each(1000, "  b%d: {<<: *a}\n")), 2, "merge keys"},
	{"prefix.json", of(`{"version":1,"tensors":{`, each(100_000, `"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk%d":{"dtype":"float32","sizes":[1]},`), "}}"), 0, "1e5 keys with one prefix"},
	{"prefix.yaml", of("version: 1\ntensors:\n", each(40_000, "  kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk%d: {dtype: float32, sizes: [1]}\n")), 0, "keys with one prefix"},
	{"resources.json", of(`{"resources":{`, each(100_000, `"k%d":1,`), `},"dispatchables":{},"commands":[`, many(100_000, `{"a":1},`), "]}"), 1, "1e5 names, and then objects of one"},
	{"same.json", of(`{"resources":{`, many(100_000, `"k":{},`), `},"dispatchables":{},"commands":[]}`), 1, "1e5 times one key"},
	{"key.json", of(`{"resources":{"`, many(1<<20, "k"), `":{"initialValues":[`, many(2000, "{},"), `]}},"dispatchables":{},"commands":[]}`), 2, "a key of 1 MB, and 2,000 findings in it"},
	{"keys.json", of(model, `,"x":`, many(60, `{"`+strings.Repeat("k", 1000)+`":`), "{", many(500_000, `"a":1,`), strings.Repeat("}", 62)), 0, "500,000 duplicates under long keys"},
	{"key.yaml", of("version: 1\ntensors:\n  ", many(1<<20, "k"), ": 1\n"), 2, "a key of 1 MB"},
	{"key.jsonl", many(20, `{"`+strings.Repeat("k", 1000_000)+`":1,"DataType":"FLOAT32","Sizes":[0]}`+"\n"), 2, "lines with keys of 1 MB"},
	{"names.jsonl", many(100, `{"name":"`+strings.Repeat("n", 1000_000)+`","DataType":"FLOAT32","Sizes":[0]}`+"\n"), 1, "lines with names of 1 MB, and findings"},
	{"split.json", of(`{"resources":{"r":{"sizeInBytes":16}},"dispatchables":{"d":{"type":"SPLIT","desc":{"InputTensor":`, dmlTensor, `,"OutputTensors":[`, many(20_000, dmlTensor+","), `],"Axis":0}}},"commands":[{"type":"dispatch","dispatchable":"d","bindings":{"InputTensor":"r","OutputTensors":[`, many(20_000, `"r",`), "]}}]}"), 1, "20,000 outputs bound to one resource"},
	{"join.json", of(`{"resources":{},"dispatchables":{"`, many(1000, "k"), `":{"type":"JOIN","desc":{"InputTensors":[`, many(100_000, `{"DataType":"FLOAT32","Sizes":[0]},`), `],"OutputTensor":`, dmlTensor, `,"Axis":0}}},"commands":[]}`), 1, "1e5 tensors of one operator with a long name"},
	{"hard.jsonl", many(5000, `{"DataType":"FLOAT32","Sizes":[1049,1049,1049,1049,1049],"Strides":[36674,61119,85569,12223,12224],"role":"output"}`+"\n"), 1, "overlaps that are hard to find"},
	{"edges.yaml", of("version: 1\ntensors:\n", each(10_000, "  t%d: {dtype: float32, sizes: [1,2,64,64,64], strides: [1,1,1,1,1], role: output, expect: {packed: true, sameAs: t0}}\n")), 1, "10,000 expectations"},
	{"ignores.yaml", of("version: 1\ntensors:\n  a: {dtype: float32, sizes: 3}\n", many(300_000, "# layoutcalc:ignore gaps because\n")), 1, "300,000 comments"},
	{"verbose.log", many(50_000, "onednn_verbose,primitive,exec,cpu,reorder,x,undef,src_f32::blocked:abcd::f0 dst_f32::blocked:acdb::f0,,,2x3x4x5,0.1\n"), 0, "a long log"},
}

// sizes are lists of a million sizes, and numbers that 64 bits do not hold.
var sizes = []hostile{
	{"a.json", of(`{"DataType":"FLOAT32","Sizes":[`, many(1e6, "1,"), "]}"), 1, "DirectML's"},
	{"b.json", of(`{"version":1,"tensors":{"a":{"dtype":"float32","role":"output","sizes":[`, many(1e6, "2,"), "]}}}"), 0, "ours: 64 bits do not hold the product"},
	{"c.json", of(`{"DataType":"FLOAT32","Sizes":[`, many(1e6, `"x",`), "]}"), 1, "of texts"},
	{"d.json", of(`{"DataType":"FLOAT32","Sizes":[`, many(200_000, "-1,"), `],"Strides":[`, many(200_000, "-1,"), "]}"), 1, "of negative numbers"},
	{"e.yaml", of("version: 1\ntensors:\n  a:\n    dtype: float32\n    sizes: [", many(1e6, "2, "), "]\n"), 0, "in YAML"},
	{"f.yaml", of("version: 1\ntensors:\n  a:\n    dtype: float32\n    sizes: 1", many(1e6, "x1"), "\n"), 1, "in one text"},
	{"g.jsonl", of(`{"DataType":"FLOAT32","Sizes":[`, many(500_000, "1,"), "1]}\n"), 1, "on a line"},
	{"h.npy", npy(2_000_060, of("{'descr': '<f4', 'fortran_order': False, 'shape': (", many(1e6, "1,"))), 2, "of NumPy"},
	{"i.safetensors", header(2_000_060, of(`{"a":{"dtype":"F32","shape":[`, many(1e6, "1,"), `1],"data_offsets":[0,4]}}  `)), 2, "of safetensors"},
	{"j.gguf", of(ggufHead(1, 0), ggufText("a"), le(4, 1e6), many(1e6, le(8, 1))), 2, "of GGUF"},
	{"k.json", of(`{"DataType":"FLOAT32","Sizes":[99999999999999999999,-99999999999999999999,1e999],"Strides":[18446744073709551616,1,1],"TotalTensorSizeInBytes":1`, many(1e6, "0"), "}"), 1, "beyond 64 bits"},
	{"l.yaml", of("version: 9999999999999999999999\ntensors:\n  a: {dtype: float32, sizes: [9223372036854775807,9223372036854775807], strides: [9223372036854775808, -9223372036854775809], totalBytes: 99999999999999999999, alignment: 99999999999999999999, storageOffset: 9223372036854775807}\n"), 1, "beyond 64 bits"},
	{"m.json", of(`{"resources":{"r":{"sizeInBytes":99999999999999999999},"s":{"initialValuesDataType":"FLOAT64","initialValues":{"valueCount":9223372036854775807}}},"dispatchables":{"d":{"type":"SPLIT","InputCount":99999999999999999999,"InputTensor":`, dmlTensor, `,"OutputTensors":[`, dmlTensor, `]}},"commands":[{"type":"dispatch","dispatchable":"d","bindings":{"InputTensor":{"name":"s","elementOffset":9223372036854775807,"elementSizeInBytes":9223372036854775807,"elementCount":99999999999999999999}}}]}`), 1, "beyond 64 bits"},
	{"n.jsonl", many(1000, `{"dtype":"float64","sizes":[9223372036854775807,9223372036854775807],"strides":[9223372036854775807,-9223372036854775808],"storageOffset":9223372036854775807,"totalBytes":9223372036854775807}`+"\n"+`{"DataType":"FLOAT32","Sizes":[18446744073709551616]}`+"\n"), 1, "beyond 64 bits"},
	{"o.npy", npy(79, of("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999999,)}")), 2, "beyond 64 bits"},
	{"p.npy", npy(94, of("{'descr': '<f8', 'fortran_order': True, 'shape': (9223372036854775807,9223372036854775807,)}  ")), 1, "a product beyond 64 bits"},
	{"q.safetensors", header(120, of(`{"a":{"dtype":"F64","shape":[9223372036854775807,9223372036854775807],"data_offsets":[0,9223372036854775807]}}`, many(10, " "))), 1, "a product beyond 64 bits"},
	{"r.safetensors", header(80, of(`{"a":{"dtype":"F64","shape":[18446744073709551616],"data_offsets":[-1,1e3]}}`, many(4, " "))), 1, "beyond 64 bits"},
	{"s.gguf", of(ggufHead(1, 0), ggufText("a"), le(4, 4), many(4, le(8, 1<<64-1)), le(4, 0), le(8, 1<<64-1)), 1, "beyond 63 bits"},
}

// claims are headers that are not what they say.
func claims() []hostile {
	list := []hostile{
		{"kv.gguf", of(ggufHead(0, 1), ggufText("general.alignment"), le(4, 4), le(4, 0)), 1, "an alignment of 0"},
		{"overlap.safetensors", header(48_000_000/1000+0, of("{", each(700, `"t%d":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},`), `"z":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}`, many(48_000, " "))), 1, "overlaps"},
		{"many.safetensors", counted(100_000, `"tensor.%d":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}`), 1, "100,000 tensors on one range"},
		{"holes.safetensors", counted(100_000, `"tensor.%d":{"dtype":"F32","shape":[1,1],"data_offsets":[1%d0,1%d4]}`), 1, "100,000 holes and overlaps"},
		{"many.gguf", of(ggufHead(100_000, 0), part(ggufTensors)), 1, "100,000 tensors"},
		{"shape.safetensors", header(99_999_999, many(99_999_999, " ")), 2, "100 MB of blanks"},
		{"long.json", many(105, strings.Repeat(" ", 1e6)), 2, "100 MB of blanks"},
		{"value.json", of(`{"version":1,"tensors":{},"x":"`, many(99, strings.Repeat("a", 1e6)), `"}`), 2, "a text of 99 MB, over the limit"},
		{"short.json", of(`{"version":1,"tensors":{},"x":"`, many(30, strings.Repeat("a", 1e6)), `"}`), 1, "a text of 30 MB"},
		{"long.yaml", many(17, strings.Repeat("# x\n", 1<<18)), 2, "17 MB of comments"},
		{"long.txt", many(17, strings.Repeat("x", 1<<20)), 2, "17 MB of one word"},
	}
	for i, n := range []uint64{1 << 63, 1<<64 - 1, 1<<63 - 1, 100_000_001, 1 << 32, 42} {
		list = append(list,
			hostile{fmt.Sprint(i, ".safetensors"), of(le(8, n), "{}"), 2, "a length of header"},
			hostile{fmt.Sprint(i, "t.gguf"), of(ggufHead(n, 0)), 2, "a number of tensors"},
			hostile{fmt.Sprint(i, "p.gguf"), of(ggufHead(0, n)), 2, "a number of pairs"},
			hostile{fmt.Sprint(i, "k.gguf"), of(ggufHead(0, 1), le(8, n), "k"), 2, "a length of key"},
			hostile{fmt.Sprint(i, "s.gguf"), of(ggufHead(0, 1), ggufText("k"), le(4, 8), le(8, n), "v"), 2, "a length of text"},
			hostile{fmt.Sprint(i, "a.gguf"), of(ggufHead(0, 1), ggufText("k"), le(4, 9), le(4, 0), le(8, n)), 2, "a length of array"},
			hostile{fmt.Sprint(i, "n.gguf"), of(ggufHead(1, 0), le(8, n)), 2, "a length of name"},
			hostile{fmt.Sprint(i, "r.gguf"), of(ggufHead(1, 0), ggufText("a"), le(4, n)), 2, "a rank"},
			hostile{fmt.Sprint(i, ".npy"), npy(int(n&0xFFFF_FFFF), of("{}")), 2, "a length of header"},
		)
	}
	for i, size := range []int{-1, 1, 2} {
		text := `{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`
		list = append(list, hostile{fmt.Sprint(i, "size.safetensors"), header(len(text)+size, of(text)), 2, "the size of the file, and more or less"})
	}
	return list
}

// ggufTensors are 100,000 tensors, one behind the other.
func ggufTensors(w io.Writer) {
	for i := range 100_000 {
		io.WriteString(w, ggufText(fmt.Sprint("tensor.", i))+le(4, 1)+le(8, 32)+le(4, 0)+le(8, uint64(i)*128))
	}
}

// counted is a .safetensors file of so many tensors.
func counted(n int, format string) part {
	var b strings.Builder
	of("{", each(n-1, format+","), strings.ReplaceAll(format, "%d", fmt.Sprint(n-1)), "}")(&b)
	return header(b.Len(), of(b.String()))
}

// odds are texts that are none, or in another encoding.
var odds = []hostile{
	{"empty.json", of(), 2, "empty"}, {"empty.yaml", of(), 2, "empty"}, {"empty.jsonl", of(), 2, "empty: nothing to check"},
	{"empty.npy", of(), 2, "empty"}, {"empty.safetensors", of(), 2, "empty"}, {"empty.gguf", of(), 2, "empty"}, {"empty.txt", of(), 2, "empty"},
	{"bom.json", of("\xEF\xBB\xBF"), 2, "a byte order mark alone"}, {"bom.yaml", of("\xEF\xBB\xBF"), 2, "a byte order mark alone"},
	{"bom.jsonl", of("\xEF\xBB\xBF"), 2, "a byte order mark alone"}, {"bom.txt", of("\xEF\xBB\xBF"), 2, "a byte order mark alone"},
	{"16.json", of("\xFF\xFE{\x00}\x00"), 2, "UTF-16"}, {"16.yaml", of("\xFE\xFF\x00a\x00:"), 2, "UTF-16"},
	{"16.jsonl", of("\xFF\xFE{\x00}\x00\n\x00"), 2, "UTF-16"}, {"16.txt", of("\xFF\xFE2\x00x\x003\x00"), 2, "UTF-16"},
	{"nul.json", many(1e6, "\x00"), 2, "NUL"}, {"nul.yaml", many(1e6, "\x00"), 2, "NUL"}, {"nul.jsonl", many(3e6, "\x00"), 2, "NUL"}, {"nul.txt", many(1e6, "\x00"), 2, "NUL"},
	{"blank.jsonl", many(1e6, "\n"), 2, "lines on which nothing stands"},
	{"bad.jsonl", many(200_000, "x\n"), 2, "lines that are none"},
}

// TestHostileFiles checks them one by one.
func TestHostileFiles(t *testing.T) {
	files := slices.Concat(depths(1000), depths(100_000), depths(1_000_000), bombs, sizes, claims(), odds)
	dir := t.TempDir()
	for i, f := range files {
		t.Run(fmt.Sprint(i, "-", f.name), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(dir, fmt.Sprint(i, f.name))
			fill(t, path, f.text)
			defer os.Remove(path)
			if r := hold(t, nil, "check", path, "--severity", "note", "--width", "80"); r.code != f.code {
				t.Errorf("%s exits %d, want %d: %s\n%.1000s%.1000s", f.name, r.code, f.code, f.reason, r.out, r.stderr)
			}
		})
	}
}

// fill writes a file.
func fill(t *testing.T, path string, text part) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(file, 1<<16)
	text(w)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// A held is what a run said.
type held struct {
	code        int
	out, stderr string
}

// hold runs the program, and holds it to what is true of every run: it ends by itself, takes no
// more than its memory, and says nothing that a terminal or a CI runner obeys.
func hold(t *testing.T, in io.Reader, args ...string) held {
	t.Helper()
	alive, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	like := program(t, args...)
	c := exec.CommandContext(alive, like.Path, args...)
	var out, stderr strings.Builder
	c.Env, c.Stdin, c.Stdout, c.Stderr = append(like.Env, "COLUMNS="), in, &out, &stderr
	start := time.Now()
	r := held{exitCode(t, c.Run()), out.String(), stderr.String()}
	t.Logf("%.2f s, %d MB", time.Since(start).Seconds(), room(c.ProcessState)>>20)
	if r.code < 0 || r.code > 2 {
		t.Errorf("exits %d (%v): %.2000s", r.code, c.ProcessState, r.stderr)
	}
	if n := room(c.ProcessState); n > maxRoom {
		t.Errorf("takes %d MB, over %d", n>>20, maxRoom>>20)
	}
	harmless(t, r.out+r.stderr, slices.Contains(args, "github"))
	return r
}

// room is the most memory that a process had, in bytes; 0 where that is not told.
func room(p *os.ProcessState) int64 {
	if runtime.GOOS != "linux" {
		return 0
	}
	return reflect.ValueOf(p.SysUsage()).Elem().FieldByName("Maxrss").Int() << 10
}

// harmless checks that a text steers nobody, and does not tell of a crash.
func harmless(t *testing.T, text string, annotates bool) {
	t.Helper()
	for _, crash := range []string{"panic", "goroutine ", "runtime error", "fatal error", "internal fault"} {
		if strings.Contains(text, crash) {
			t.Errorf("says %s: %.2000s", crash, text)
		}
	}
	for i, r := range text {
		if r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029 || r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			t.Fatalf("%U at %d: %.200q", r, i, text[max(i-50, 0):])
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "::") && !(annotates && annotation(line)) || strings.Contains(line, "##[") || strings.Contains(line, "##vso[") {
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

// names are names that steer terminals, CI runners or the readers of reports.
var names = []string{
	"\x1b[2J\x1b[31m", "\x1b]0;x\a", "\x1b]8;;http://x\x1b\\y", "\x1b]52;c;eA==\a", "\a\b\x7f", "a\rb", "\u009b2J", "\x9b2J", "\xff\xfe", "a\u202eb\u2066", "\u200b\ufeff", "\u2028",
	"\n::error::x", "\r\n::error::x", "::error::x", "::stop-commands::x", "##[group]", "x\n##[error]y", "##vso[task.complete]", "%0A::error::x",
	"|", "a|b\n| c |", "`x`", "<script>", "[x](javascript:y)", "]]>", "&#27;", `"><x y="`, "a,b=c:d", "=1+1", "x # SKIP", "-rf", "漢字🙂e\u0301",
}

// TestHostileNames gives files, tensors, keys and values such names, in every report.
func TestHostileNames(t *testing.T) {
	dir := t.TempDir()
	for i, name := range append(names, strings.Repeat("n", 64<<10), "a\x00b") {
		if strings.ContainsAny(name, "\x00/") || len(name) > 200 {
			name = fmt.Sprint(i)
		}
		for _, ending := range []string{".json", ".yaml", ".jsonl"} {
			fill(t, filepath.Join(dir, name+ending), of("{"+name))
		}
	}
	for i, name := range append(names, strings.Repeat("n", 64<<10), strings.Repeat("\x1b", 1000), "a\x00b") {
		for ending, text := range named(name) {
			fill(t, filepath.Join(dir, fmt.Sprint(i, ending)), of(text))
		}
	}
	for _, f := range reportNames {
		if r := hold(t, nil, "check", dir, "-o", f, "--severity", "note"); r.code != 2 || r.out == "" {
			t.Errorf("-o %s exits %d: %s", f, r.code, r.stderr)
		}
	}
}

// named are files of every format in which things have the name, and are wrong.
func named(name string) map[string]string {
	q := quoted(name)
	entry := `{"dtype":` + q + `,"shape":[2],"data_offsets":[0,4]}`
	header := `{"` + name + `":{"dtype":"F32","shape":[2],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[2],"data_offsets":[0,4]},` + q + ":" + entry + "}"
	return map[string]string{
		"a.json":        `{"version":1,"target":` + q + `,` + q + `:1,"tensors":{` + q + `:{"dtype":` + q + `,"sizes":` + q + `,"role":` + q + `,"layout":` + q + `,"flags":[` + q + `],` + q + `:2,"expect":{"sameAs":` + q + `}}},"edges":[{"from":` + q + `,"to":` + q + `}]}`,
		"b.json":        `{"resources":{` + q + `:{"initialValuesDataType":` + q + `}},"dispatchables":{` + q + `:{"type":` + q + `,"desc":{` + q + `:` + dmlTensor + `,` + q + `:1}},"d":{"type":"SPLIT","InputTensor":{"DataType":` + q + `,"Sizes":[` + q + `],"Flags":[` + q + `]}}},"commands":[{"type":"dispatch","dispatchable":` + q + `,"bindings":{` + q + `:{"name":` + q + `}}}]}`,
		"c.jsonl":       `{"name":` + q + `,"DataType":` + q + `,"Sizes":[0],` + q + `:1}` + "\n" + `{"name":"` + name + `","dtype":"float32","sizes":[0],"target":` + q + `}` + "\n",
		"d.yaml":        "version: 1\ntensors:\n  " + q + ": {dtype: " + q + ", sizes: " + q + ", " + q + ": 1} # layoutcalc:ignore " + name + "\nedges: [{from: " + q + ", to: " + q + "}]\n",
		"e.yaml":        "version: 1\ntensors:\n  '" + name + "': {dtype: float32, sizes: 0}\n",
		"f.safetensors": le(8, uint64(len(header))) + header,
		"g.gguf":        ggufHead(2, 1) + ggufText(name) + le(4, 99) + ggufText(name),
		"h.gguf":        ggufHead(2, 0) + strings.Repeat(ggufText(name)+le(4, 1)+le(8, 2)+le(4, 99)+le(8, 0), 2),
		"i.npy":         "\x93NUMPY\x02\x00" + le(4, uint64(len(name)+4)) + "{'" + name + "'}",
		"j.npy":         "\x93NUMPY\x02\x00" + le(4, uint64(len(name)+59)) + "{'descr': '" + name + "', 'fortran_order': False, 'shape': (1,)}",
	}
}

// quoted is a text as JSON and YAML write it.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		return `""`
	}
	return string(b)
}

// TestHostileArguments has the names in arguments, which messages repeat.
func TestHostileArguments(t *testing.T) {
	for _, name := range names {
		for _, args := range [][]string{
			{name}, {"no/" + name + ".json"}, {"-", "--stdin-filename", name + ".json"}, {"-", "--stdin-filename", name, "-o", "github"}, {"1x2", "-t", name},
			{"--" + name, "1x2"}, {"1x2", "--rule", name}, {"1x2", "--target", name}, {"1x2", "--get", name}, {"1x2", "--report", name}, {"1x2", "--report", "sarif=no/" + name},
		} {
			if r := hold(t, strings.NewReader("{"+name), append([]string{"check"}, args...)...); r.code != 2 {
				t.Errorf("%q exits %d: %s", args, r.code, r.out)
			}
		}
	}
}

// An endless is a line that goes on and on.
type endless struct{ left int }

// Read fills b with what may stand on a line.
func (e *endless) Read(b []byte) (int, error) {
	if e.left -= len(b); e.left < 0 {
		return 0, io.EOF
	}
	for i := range b {
		b[i] = '['
	}
	return len(b), nil
}

// TestHostileStreams checks standard input.
func TestHostileStreams(t *testing.T) {
	row := `{"name":"scores","DataType":"FLOAT16","Sizes":[1,8,128,128],"Strides":[131072,16384,128,1],"role":"output"}` + "\n"
	tests := []struct {
		name   string
		in     io.Reader
		code   int
		reason string
	}{
		{"a.jsonl", flowing(many(1e6, row)), 0, "1e6 lines"},
		{"b.jsonl", flowing(many(1e6, strings.Replace(row, "128,1]", "127,1]", 1))), 1, "1e6 findings"},
		{"c.jsonl", &endless{256 << 20}, 2, "a line of 256 MB"},
		{"d.jsonl", io.MultiReader(strings.NewReader(row), &endless{64 << 20}, strings.NewReader("\n"+row)), 2, "a line of 64 MB among others"},
		{"e.txt", &endless{32 << 20}, 2, "a text of 32 MB"},
		{"stream.yaml", &endless{128 << 20}, 2, "a text of 128 MB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if r := hold(t, tt.in, "check", "-", "--stdin-filename", tt.name); r.code != tt.code {
				t.Errorf("exits %d, want %d: %s\n%.1000s%.1000s", r.code, tt.code, tt.reason, r.out, r.stderr)
			}
		})
	}
}

// flowing reads what a part writes.
func flowing(p part) io.Reader {
	out, in := io.Pipe()
	go func() {
		w := bufio.NewWriterSize(in, 1<<16)
		p(w)
		w.Flush()
		in.Close()
	}()
	return out
}

// TestHostileDirectory walks what is not to be opened, and what is there twice.
func TestHostileDirectory(t *testing.T) {
	dir := t.TempDir()
	inner := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(inner, 0o777); err != nil {
		t.Fatal(err)
	}
	for i := range 2000 {
		fill(t, filepath.Join(inner, fmt.Sprint(i, ".jsonl")), of(`{"DataType":"FLOAT16","Sizes":[1]}`))
	}
	if err := exec.Command("mkfifo", filepath.Join(dir, "pipe.json")).Run(); err != nil {
		t.Log("no FIFO here: ", err)
	}
	for from, to := range map[string]string{"up.json": "..", "self.json": "self.json", "a/loop": "..", "gone.yaml": "nothing", "null.npy": "/dev/zero", "link.jsonl": "a/b/1.jsonl"} {
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Fatal(err)
		}
	}
	if r := hold(t, nil, "check", dir); r.code != 0 || !strings.HasPrefix(r.out, "2000 files, 2000 descriptors: 0 errors, 0 warnings, ") {
		t.Errorf("exits %d: %.500s%.500s", r.code, r.out, r.stderr)
	}
	for _, link := range []string{"self.json", "gone.yaml"} {
		if r := hold(t, nil, "check", filepath.Join(dir, link)); r.code != 2 {
			t.Errorf("%s exits %d: %.500s", link, r.code, r.out)
		}
	}
}

// TestShrinkingFile cuts files while they are read.
func TestShrinkingFile(t *testing.T) {
	for _, f := range []hostile{
		{"a.safetensors", counted(100_000, `"tensor.%d":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}`), 2, "a header"},
		{"b.jsonl", many(200_000, `{"DataType":"FLOAT16","Sizes":[0]}`+"\n"), 1, "lines"},
		{"c.json", of(`{"version":1,"tensors":{`, each(100_000, `"t%d":{"dtype":"float32","sizes":[1]},`), "}}"), 2, "a text"},
	} {
		for wait := range 4 {
			path := filepath.Join(t.TempDir(), f.name)
			fill(t, path, f.text)
			time.AfterFunc(time.Duration(5*wait)*time.Millisecond, func() { os.Truncate(path, 100_000) })
			hold(t, nil, "check", path)
		}
	}
}
