package tensorfile

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
)

// compared returns the findings about an index with shards of these names in its directory. Shards are headers without
// braces, each with the number of bytes that its tensors need.
func compared(t *testing.T, name, text string, shards map[string]string, beside ...string) (*descriptor.File, error) {
	t.Helper()
	x, err := ReadIndex(name, []byte(text))
	if err != nil {
		return nil, err
	}
	fileOf := func(header string) string {
		return safetensorsOf("{"+header+"}", 24*strings.Count(header, "shape"))
	}
	for i, s := range x.Shards {
		header, there := shards[s.Path]
		switch {
		case s.Path == "":
		case !there:
			x.Missing(i, "is missing")
		case header != "unreadable":
			file := fileOf(header)
			x.Compare(i, mustRead(t, s.Name, file), int64(len(file)))
		}
	}
	for _, name := range beside {
		if header, known := shards[name]; known && x.Lacks() {
			x.CompareUnnamed(name, mustRead(t, name, fileOf(header)))
		}
	}
	return x.Finish(beside), nil
}

func TestIndexFindings(t *testing.T) {
	a, b := entryText("a", "F32", "[2,3]", 0, 24), entryText("b", "F32", "[6]", 24, 48)
	one := func(members string) string { return `{"metadata":{"total_size":24},"weight_map":{` + members + `}}` }
	const index, of1 = "model.safetensors.index.json", `"a":"1.safetensors"`
	aIn1 := map[string]string{"1.safetensors": a}
	for _, c := range []struct {
		reason, name, text string
		shards             map[string]string
		beside             []string
		want               []string // place, rule, severity, tensor
		word               string   // of the first message
	}{
		{reason: "all is there", text: one(of1), shards: aIn1},
		{reason: "unknown keys and blanks", text: "\n {\"x\":[{}],\n" + one(of1)[1:] + "\n", shards: aIn1},
		{reason: "escapes", text: one(`"\u0061":"1.safeten\u0073ors"`), shards: aIn1},
		{reason: "the same file by two names", text: one(of1 + `,"b":"./1.safetensors"`), shards: map[string]string{
			"1.safetensors": a + "," + b}, want: []string{"1:27 index-total-size warning"}, word: "24 too few"},

		{reason: "no shard", text: one(of1), want: []string{"1:49 index-shard-missing error"},
			word: `"1.safetensors" is missing: the index has 1 tensor`},
		{reason: "one finding for a shard", text: one(of1 + `,"b":"1.safetensors"`),
			want: []string{"1:49 index-shard-missing error"}, word: "2 tensors"},
		{reason: "15 of 30", text: one(`"a":"model-00001-of-00030.safetensors"`),
			shards: map[string]string{"model-00001-of-00030.safetensors": a},
			want:   []string{"1:49 index-shard-missing warning"},
			word:   "counts 30 shards, but the index names 1 of them"},
		{reason: "1 of 1", text: one(`"a":"model-00001-of-00001.safetensors"`),
			shards: map[string]string{"model-00001-of-00001.safetensors": a}},
		{reason: "not in the shard", text: one(of1 + ",\n\"b\":\"1.safetensors\""), shards: aIn1,
			want: []string{"2:1 index-tensor-missing error b"}, word: `not in "1.safetensors", nor in any other`},
		{reason: "in another shard", text: one(of1 + `,"b":"1.safetensors","c":"2.safetensors"`),
			shards: map[string]string{"1.safetensors": a,
				"2.safetensors": entryText("b", "F32", "[6]", 0, 24) + "," + entryText("c", "F32", "[6]", 24, 48)},
			want: []string{"1:65 index-tensor-missing error b"},
			word: `not in "1.safetensors", but in "2.safetensors"`},
		{reason: "in a file that the index does not name",
			text: one(of1 + `,"b":"1.safetensors","c":"1.safetensors"`),
			shards: map[string]string{"1.safetensors": a,
				"2.safetensors": entryText("b", "F32", "[6]", 0, 24)},
			beside: []string{"2.safetensors"},
			want: []string{"1:44 index-shard-extra warning", "1:65 index-tensor-missing error b",
				"1:85 index-tensor-missing error c"}},
		{reason: "nothing is missing", text: one(of1), beside: []string{"2.safetensors"},
			shards: map[string]string{"1.safetensors": a, "2.safetensors": a},
			want:   []string{"1:44 index-shard-extra warning"}},
		{reason: "two shards are swapped", text: one(of1 + `,"b":"2.safetensors","c":"2.safetensors"`),
			shards: map[string]string{"2.safetensors": a,
				"1.safetensors": entryText("b", "F32", "[6]", 0, 24) + "," + entryText("c", "F32", "[6]", 24, 48)},
			want: []string{"1:49 index-tensor-missing error"},
			word: `"1.safetensors" and "2.safetensors" are swapped: each has all tensors that the index has in the ` +
				"other, 2 and 1"},
		{reason: "a tensor of two swapped shards is nowhere",
			text: one(of1 + `,"b":"2.safetensors","c":"2.safetensors"`), shards: map[string]string{"2.safetensors": a,
				"1.safetensors": entryText("b", "F32", "[6]", 0, 24)},
			want: []string{"1:45 index-tensor-missing error a", "1:65 index-tensor-missing error b",
				"1:85 index-tensor-missing error c"}},
		{reason: "all of a shard is in another one", text: one(`"a":"1.safetensors","b":"1.safetensors",` +
			`"c":"2.safetensors"`), shards: map[string]string{"1.safetensors": "",
			"2.safetensors": a + "," + b + "," + entryText("c", "F32", "[6]", 48, 72)},
			want: []string{"1:49 index-tensor-missing error"},
			word: `"1.safetensors" has none of its 2 tensors: all are in "2.safetensors"`},
		{reason: "perhaps in one that cannot be read", text: one(of1 + `,"b":"1.safetensors","c":"2.safetensors"`),
			shards: map[string]string{"1.safetensors": a, "2.safetensors": "unreadable"},
			want:   []string{"1:65 index-tensor-missing error b"}, word: "nor in another shard that can be read"},
		{reason: "a shard that cannot be read is reported by itself", text: one(`"c":"2.safetensors"`),
			shards: map[string]string{"2.safetensors": "unreadable"}},
		{reason: "not in the index", text: one(of1), shards: map[string]string{"1.safetensors": a + "," + b},
			want: []string{"1:49 index-tensor-extra warning b"}, word: `is in "1.safetensors", and the index`},
		{reason: "twice alike", text: one(of1 + `,"c":"2.safetensors"`),
			shards: map[string]string{"1.safetensors": a,
				"2.safetensors": entryText("a", "F32", "[2,3]", 0, 24) + "," + entryText("c", "F32", "[6]", 24, 48)},
			want: []string{"1:27 index-total-size warning", "1:45 index-duplicate warning a"}, word: "24 too few"},
		{reason: "twice with other sizes", text: strings.Replace(one(of1+`,"c":"2.safetensors"`), "24", "48", 1),
			shards: map[string]string{"1.safetensors": a,
				"2.safetensors": entryText("a", "F32", "[3,2]", 0, 24) + "," + entryText("c", "F32", "[6]", 24, 48)},
			want: []string{"1:45 index-duplicate error a"},
			word: `in "1.safetensors" as F32 [2, 3], and in "2.safetensors" as F32 [3, 2]`},
		{reason: "twice with another type", text: strings.Replace(one(of1+`,"c":"2.safetensors"`), "24", "48", 1),
			shards: map[string]string{"1.safetensors": a,
				"2.safetensors": entryText("a", "I32", "[2,3]", 0, 24) + "," + entryText("c", "F32", "[6]", 24, 48)},
			want: []string{"1:45 index-duplicate error a"}, word: "as I32 [2, 3]"},
		{reason: "twice, and not in the index", text: strings.Replace(one(of1+`,"c":"2.safetensors"`), "24", "48", 1),
			shards: map[string]string{"1.safetensors": a + "," + b, "2.safetensors": entryText("c", "F32", "[6]", 0,
				24) +
				"," + b}, want: []string{"1:49 index-tensor-extra warning b", "1:69 index-duplicate warning b"}},

		{reason: "a byte too many", text: strings.Replace(one(of1), "24", "25", 1), shards: aIn1,
			want: []string{"1:27 index-total-size warning"},
			word: "total_size is 25, and the tensors of the index take 24 bytes: 1 too many"},
		{reason: "that of the files", text: strings.Replace(one(of1), "24", "96", 1), shards: aIn1,
			want: []string{"1:27 index-total-size warning"}, word: "72 too many: it is that of the files"},
		{reason: "no metadata", text: `{"weight_map":{` + of1 + `}}`, shards: aIn1,
			want: []string{"1:1 index-metadata warning"}, word: "no metadata"},
		{reason: "metadata that is a list", text: `{"metadata":[],"weight_map":{` + of1 + `}}`, shards: aIn1,
			want: []string{"1:13 index-metadata warning"}, word: "not an object"},
		{reason: "no size", text: `{"metadata":{"x":{}},"weight_map":{` + of1 + `}}`, shards: aIn1,
			want: []string{"1:13 index-metadata warning"}, word: "no total_size"},
		{reason: "0 bytes", text: strings.Replace(one(of1), "24", "0", 1), shards: aIn1,
			want: []string{"1:27 index-total-size warning"}, word: "24 too few"},
		{reason: "-1", text: strings.Replace(one(of1), "24", "-1", 1), shards: aIn1,
			want: []string{"1:27 index-metadata warning"}, word: "not a whole number"},
		{reason: "2^63 - 1", text: strings.Replace(one(of1), "24", "9223372036854775807", 1), shards: aIn1,
			want: []string{"1:27 index-total-size warning"}, word: "9223372036854775783 too many"},
		{reason: "2^63", text: strings.Replace(one(of1), "24", "9223372036854775808", 1), shards: aIn1,
			want: []string{"1:27 index-metadata warning"}},
		{reason: "a fraction", text: strings.Replace(one(of1), "24", "1.3e10", 1), shards: aIn1,
			want: []string{"1:27 index-metadata warning"}},
		{reason: "a text", text: strings.Replace(one(of1), "24", `"24"`, 1), shards: aIn1,
			want: []string{"1:27 index-metadata warning"}},
		{reason: "a list", text: strings.Replace(one(of1), "24", `[24]`, 1), shards: aIn1,
			want: []string{"1:27 index-metadata warning"}},
		{reason: "a total of a shard that is missing is not compared", text: one(of1 + `,"b":"2.safetensors"`),
			shards: aIn1,
			want:   []string{"1:69 index-shard-missing error"}},

		{reason: "nothing", text: one(""), want: []string{"1:44 index-map error"}, word: "names no tensors"},
		{reason: "a number", text: one(of1 + `,"b":1`), shards: aIn1, want: []string{"1:69 index-map error b"}},
		{reason: "only a number", text: one(`"b":{"c":[]}`), want: []string{"1:49 index-map error b"}},
		{reason: "a name twice", text: one(of1 + "," + of1), shards: aIn1, want: []string{"1:65 index-map warning a"}},
		{reason: "a name twice, once with escapes", text: one(of1 + `,"\u0061":"1.safetensors"`), shards: aIn1,
			want: []string{"1:65 index-map warning a"}},
		{reason: "a name twice for two files", text: one(of1 + `,"a":"2.safetensors"`),
			shards: map[string]string{"1.safetensors": a, "2.safetensors": ""},
			want:   []string{"1:65 index-map error a"}, word: `for "1.safetensors" and for "2.safetensors"`},

		{reason: "a file beside it", text: one(of1), shards: aIn1, beside: []string{"1.safetensors", "2.safetensors"},
			want: []string{"1:44 index-shard-extra warning"}, word: `"2.safetensors"`},
		{reason: "Mistral's", text: one(of1), shards: aIn1, beside: []string{"consolidated-00001-of-00002.safetensors"},
			want: []string{"1:44 index-shard-extra note"}},
		{reason: "PEFT's", text: one(of1), shards: aIn1, beside: []string{"adapter_model.safetensors"}},
		{reason: "pickles", name: "pytorch_model.bin.index.json", text: one(`"a":"1.bin"`),
			want: []string{"1:49 index-shard-missing error"}},
	} {
		f, err := compared(t, cmp.Or(c.name, index), c.text, c.shards, c.beside...)
		if err != nil {
			t.Errorf("%s: %v", c.reason, err)
			continue
		}
		var got []string
		for _, g := range f.Findings {
			place := fmt.Sprintf("%d:%d ", g.Line, g.Column)
			got = append(got, strings.TrimSpace(fmt.Sprintf("%s%v %v %s", place, g.Rule, g.Severity, g.Tensor)))
		}
		if !slices.Equal(got, c.want) || len(got) > 0 && !strings.Contains(f.Findings[0].Message, c.word) {
			t.Errorf("%s: %q, want %q: %s", c.reason, got, c.want, c.word)
			for _, g := range f.Findings {
				t.Log(g.Message)
			}
		}
	}
}

// TestIndexPaths has the names of files at the limits of permitted paths.
func TestIndexPaths(t *testing.T) {
	for _, c := range []struct {
		name, path string
		severity   string // of the finding
	}{
		{"a.safetensors", "a.safetensors", ""},
		{"./a.safetensors", "a.safetensors", ""},
		{"A.SafeTensors", "A.SafeTensors", ""},
		{"..a.safetensors", "..a.safetensors", ""},
		{"a..b.safetensors", "a..b.safetensors", ""},
		{"a:b.safetensors", "", "error"}, // a drive
		{"ab:c.safetensors", "ab:c.safetensors", ""},
		{"sub/a.safetensors", "sub/a.safetensors", "note"},
		{"sub//a.safetensors", "sub/a.safetensors", "note"},
		{"sub/../a.safetensors", "", "error"},
		{"../a.safetensors", "", "error"},
		{"../../etc/passwd", "", "error"},
		{"..", "", "error"},
		{".", "", "error"},
		{"", "", "error"},
		{"/a.safetensors", "", "error"},
		{"/dev/zero", "", "error"},
		{"C:a.safetensors", "", "error"},
		{`sub\\a.safetensors`, "", "error"},
		{`\\\\host\\a.safetensors`, "", "error"},
		{`a\u0000.safetensors`, "", "error"},
		{"a.bin", "", "error"},
		{"a", "", "error"},
		{"sub/", "", "error"},
		{"\xFF.safetensors", "", "error"},
	} {
		text := `{"metadata":{"total_size":0},"weight_map":{"t":"` + c.name + `"}}`
		x, err := ReadIndex("a.safetensors.index.json", []byte(text))
		if err != nil {
			t.Fatalf("%q: %v", c.name, err)
		}
		severity := ""
		for _, f := range x.Finish(nil).Findings {
			if f.Rule == IndexPath {
				severity = f.Severity.String()
			}
		}
		if got := x.Shards[0].Path; got != c.path || severity != c.severity {
			t.Errorf("%q: opens %q with %q, want %q with %q", c.name, got, severity, c.path, c.severity)
		}
	}
}

// TestIndexFaults has strings that are not indexes.
func TestIndexFaults(t *testing.T) {
	for _, c := range []struct {
		reason, text string
		at           int
		word         string
	}{
		{reason: "nothing", at: 0, word: "the text ends"},
		{reason: "a list", text: "[]", word: "an object with the key weight_map"},
		{reason: "no map", text: ` {"metadata":{}}`, at: 1, word: "no weight_map"},
		{reason: "a list in place of the map", text: `{"weight_map":[]}`, at: 14, word: "weight_map is not an object"},
		{reason: "two maps", text: `{"weight_map":{},"weight_map":{}}`, at: 17, word: "twice"},
		{reason: "cut off", text: `{"weight_map":{"a":"1`, at: 19, word: "does not end"},
		{reason: "a comma too many", text: `{"weight_map":{"a":"1",}}`, at: 23, word: "expected a name"},
		{reason: "a comment", text: `{"weight_map":{} /* x */}`, at: 17, word: "a comment"},
		{reason: "two objects", text: `{"weight_map":{}} {}`, at: 18, word: "unexpected text"},
		{reason: "a mark", text: "\xEF\xBB\xBF{\"weight_map\":{}}", word: "byte order mark"},
		{reason: "deep", text: `{"x":` + strings.Repeat("[", 100), at: 68, word: "deeper than 64"},
	} {
		_, err := ReadIndex("", []byte(c.text))
		if fault, ok := err.(*doctree.Fault); !ok || fault.Offset != c.at || !strings.Contains(fault.Msg, c.word) {
			t.Errorf("%s: %+v, want %d: %s", c.reason, err, c.at, c.word)
		}
	}
}

// TestIndexLimit has more findings of a rule than are kept.
func TestIndexLimit(t *testing.T) {
	var text strings.Builder
	for i := range 2004 {
		fmt.Fprintf(&text, `,"t%d":"1.safetensors"`, i)
	}
	f, err := compared(t, "", `{"metadata":{"total_size":0},"weight_map":{`+text.String()[1:]+"}}",
		map[string]string{"1.safetensors": ""})
	if err != nil || len(f.Findings) != 1001 {
		t.Fatalf("%v, %d findings", err, len(f.Findings))
	}
	last := f.Findings[1000]
	if !strings.Contains(last.Message, "1004 more findings") || last.Severity != finding.Error {
		t.Errorf("%+v", last)
	}
}

// TestIndexOracle compares random indexes and shards with maps of names.
func TestIndexOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		index, shards := map[string]string{}, map[string]map[string]bool{"1.safetensors": {}, "2.safetensors": {},
			"3.safetensors": {}}
		files := []string{"1.safetensors", "2.safetensors", "3.safetensors"}
		var members []string
		for i := range 6 {
			name, file := fmt.Sprint("t", i), files[random.IntN(3)]
			if i == 0 || random.IntN(4) > 0 {
				index[name] = file
				members = append(members, fmt.Sprintf("%q:%q", name, file))
			}
			for _, other := range files {
				if other == file && random.IntN(4) > 0 || random.IntN(8) == 0 {
					shards[other][name] = true
				}
			}
		}
		want, named := map[string]int{}, map[string]bool{}
		for name, file := range index {
			named[file] = true
			if !shards[file][name] {
				want["index-tensor-missing "+name]++
			}
		}
		headers := map[string]string{}
		for file, tensors := range shards {
			var entries []string
			for name := range tensors {
				at := uint64(24 * len(entries))
				entries = append(entries, entryText(name, "F32", "[6]", at, at+24))
			}
			headers[file] = strings.Join(entries, ",")
		}
		for i := range 6 {
			name, count := fmt.Sprint("t", i), 0
			for file := range named {
				if shards[file][name] {
					count++
				}
			}
			if count > 0 && index[name] == "" {
				want["index-tensor-extra "+name]++
			}
			for range count - 1 {
				want["index-duplicate "+name]++
			}
		}
		f, err := compared(t, "", `{"weight_map":{`+strings.Join(members, ",")+"}}", headers)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for _, g := range f.Findings {
			if g.Tensor != "" {
				got[g.Rule.String()+" "+g.Tensor]++
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%v, want %v: %v in %v", got, want, index, shards)
		}
	}
}

// FuzzIndex reads any text as an index, and has its shards all be the same.
func FuzzIndex(f *testing.F) {
	f.Add(`{"metadata":{"total_size":24},"weight_map":{"a":"1.safetensors","\u0062":"sub/2.safetensors"}}`)
	f.Add(`{"weight_map":{"a":"..","a":1,"a":"/x"},"x":[1e9]}`)
	f.Add(`{"metadata":{"total_size":"x"},"weight_map":{"model-1-of-2":"model-1-of-2.safetensors"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		defer layouttest.Limit(t, len(text))()
		x, err := ReadIndex("", []byte(text))
		if err != nil {
			return
		}
		file := mustRead(t, "", safetensorsOf("{"+entryText("a", "F32", "[2,3]", 0, 24)+"}", 24))
		size := 0
		for i, s := range x.Shards {
			size += s.size
			if s.Path != "" && (strings.Contains(s.Path, "..") && slices.Contains(strings.Split(s.Path, "/"), "..") ||
				s.Path[0] == '/' || strings.ContainsAny(s.Path, "\x00\\")) {
				t.Fatalf("opens %q", s.Path)
			}
			x.Compare(i, file, 100)
		}
		for name := range x.Names {
			if _, ok := x.Find(name); !ok {
				t.Fatalf("%q is not found", name)
			}
		}
		for _, f := range x.Finish([]string{"1.safetensors"}).Findings {
			if f.Message == "" || f.Line < 0 || f.Line > 1+strings.Count(text, "\n") {
				t.Fatalf("%+v", f)
			}
		}
		if size != x.Len() {
			t.Fatalf("%d tensors, of which the shards have %d", x.Len(), size)
		}
	})
}

// BenchmarkIndex compares an index of 222,747 tensors with the headers of 33 shards, as many as a model of 671 billion
// weights has.
func BenchmarkIndex(b *testing.B) {
	const tensors, shards = 222_747, 33
	var index strings.Builder
	var headers [shards]strings.Builder
	index.WriteString("{\n  \"metadata\": {\n    \"total_size\": 5345928\n  },\n  \"weight_map\": {\n")
	for i := range tensors {
		name := fmt.Sprintf("model.layers.%d.mlp.experts.%d.down_proj.weight_scale_inv", i%61, i/61)
		of, at := i%shards, i/shards*24
		if i > 0 {
			index.WriteString(",\n")
		}
		fmt.Fprintf(&index, "    %q: \"model-%05d-of-%05d.safetensors\"", name, of+1, shards)
		if at > 0 {
			headers[of].WriteString(",")
		}
		headers[of].WriteString(entryText(name, "F32", "[2,3]", uint64(at), uint64(at)+24))
	}
	index.WriteString("\n  }\n}\n")
	text := []byte(index.String())
	var files [shards]string
	for i := range files {
		n := (tensors - i + shards - 1) / shards
		files[i] = safetensorsOf("{"+headers[i].String()+"}", n*24)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		x, err := ReadIndex("model.safetensors.index.json", text)
		if err != nil {
			b.Fatal(err)
		}
		for i := range files {
			f, err := Read("safetensors", strings.NewReader(files[i]), int64(len(files[i])))
			if err != nil {
				b.Fatal(err)
			}
			x.Compare(i, f, int64(len(files[i])))
		}
		if f := x.Finish(nil); len(f.Findings) > 0 {
			b.Fatal(f.Findings)
		}
	}
}

// TestIndexSums adds up sizes that 64 bits do not hold together: of shards that are not checked out, and of tensors.
func TestIndexSums(t *testing.T) {
	const most = math.MaxInt64
	text := `{"metadata":{"total_size":9},"weight_map":{"a":"1.safetensors","b":"2.safetensors"}}`
	stored := func(name string) *descriptor.File {
		d := descriptor.Descriptor{Name: name, TypeName: "U8", Sizes: []int64{most}, Total: descriptor.Stated(most)}
		return &descriptor.File{Descriptors: []descriptor.Descriptor{d}}
	}
	pointers, _ := ReadIndex("", []byte(text))
	pointers.Absent(most)
	pointers.Absent(most)
	if found := pointers.Finish(nil).Findings; len(found) > 0 {
		t.Errorf("a total of 9 bytes of pointers: %+v", found)
	}
	pointers, _ = ReadIndex("", []byte(strings.Replace(text, ":9}", ":9223372036854775807}", 1)))
	pointers.Absent(most)
	pointers.Absent(1)
	if found := pointers.Finish(nil).Findings; len(found) != 1 || !strings.Contains(found[0].Message,
		"the shards have 9223372036854775808 bytes together, 2 of them") {
		t.Errorf("%+v", found)
	}
	tensors, _ := ReadIndex("", []byte(text))
	tensors.Compare(0, stored("a"), most)
	tensors.Compare(1, stored("b"), most)
	found := tensors.Finish(nil).Findings
	const want = "total_size is 9, and the tensors of the index take 18446744073709551614 bytes: " +
		"18446744073709551605 too few"
	if len(found) != 1 || found[0].Message != want || found[0].Fix != "18446744073709551614" {
		t.Errorf("%+v", found)
	}
}

// TestIndexTypes looks for types in a table: a shard may have as many as tensors.
func TestIndexTypes(t *testing.T) {
	x, _ := ReadIndex("", []byte(`{"weight_map":{"a":"1.safetensors"}}`))
	for i := range 1000 {
		name := "X" + strconv.Itoa(i)
		if at := x.typeOf(name); int(at) != i || x.typeOf(name) != at || x.types[at] != name {
			t.Fatalf("type %d is at %d", i, at)
		}
	}
	if len(x.typeAt) != len(x.types) {
		t.Errorf("%d of %d types are in the table", len(x.typeAt), len(x.types))
	}
}

// TestIndexTotalOfPointers compares a total with the sizes of shards that are not checked out.
func TestIndexTotalOfPointers(t *testing.T) {
	one := safetensorsOf("{"+entryText("a", "F32", "[2,3]", 0, 24)+"}", 24)
	of1 := int64(len(one))
	for _, c := range []struct {
		reason string
		total  int64
		bytes  int64 // the size that the pointer file of the second shard states; 0 is a file that cannot be read
		want   bool
	}{
		{"as many as both files can have", of1 + 100 - 16, 100, false},
		{"one more", of1 + 100 - 15, 100, true},
		{"too few may be headers", 24, 100, false},
		{"the size of a shard is not known", 1 << 40, 0, false},
	} {
		text := fmt.Sprintf(`{"metadata":{"total_size":%d},`, c.total) +
			`"weight_map":{"a":"1.safetensors","b":"2.safetensors"}}`
		x, err := ReadIndex("", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		f, err := tensorsOf(t, "", one)
		if err != nil {
			t.Fatal(err)
		}
		if x.Compare(0, f, of1); c.bytes > 0 {
			x.Absent(c.bytes)
		}
		found := x.Finish(nil).Findings
		has := len(found) == 1 && found[0].Rule == IndexTotalSize && found[0].Severity == finding.Warning
		if has != c.want || !has && len(found) > 0 {
			t.Errorf("%s: %+v", c.reason, found)
		}
	}
}
