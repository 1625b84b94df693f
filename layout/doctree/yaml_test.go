package doctree

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"layoutcalc/layout/layouttest"
)

// agree compares the trees of an input with the nodes of the library, if the input is one document without aliases and
// tags.
func agree(t *testing.T, text string) (read bool) {
	t.Helper()
	trees, err := YAML([]byte(text), 9)
	if err != nil {
		return false
	}
	want, ok := libraryYAML([]byte(text))
	if !ok || len(trees) != 1 {
		return true
	}
	if diff := cmp.Diff(want, treeYAML(trees[0])); diff != "" {
		t.Fatalf("%q: library (-), tree (+)\n%s", text, diff)
	}
	return true
}

var readable = []struct{ reason, text string }{
	{"the empty value", "a:\n"},
	{"a scalar alone", "abc"},
	{"nested objects", "a:\n  b:\n    c: 1\n  d: 2\ne: 3\n"},
	{"nested deeper by odd steps", "a:\n   b:\n    c: 1\n   d: 2\n"},
	{"items", "- 1\n- 2\n- a: 1\n  b: 2\n- - x\n  - y\n-\n  z: 1\n- \n- [1]\n"},
	{"items under a key, indented as it", "a:\n- 1\n- 2\nb: 3\n"},
	{"items under a key, indented", "a:\n  - 1\n  - 2\nb: 3\n"},
	{"items of objects with items", "a:\n- b:\n  - 1\n  c: 2\n- d\n"},
	{"brackets", "a: [1, 2,3 , x y, 'q', \"r\"]\nb: {c: 1, d: [e], \"f\":2, 'g': null}\nc: []\nd: {}\n"},
	{
		"brackets over lines, closed at the margin",
		"a:\n  b: [\n    1, # one\n    2,\n  ]\n  c: {\n  x: 1,\n\n    y: 2}\n",
	},
	{"JSON", "{\"a\": [1, 2, {\"b\": null}],\n \"c\":true, \"d\": \"x\\n\\u00e9\\/\"}\n"},
	{"comments everywhere", "# a\na: 1 # b\n  # c\nb: # d\n  # e\n  - x # f\n# g\n  - y\n#h\n"},
	{"sharps that are no comments", "a: b#c\nb: \"# no\"\nc: '# no'\nd: x# y\n"},
	{"quotes in quotes", "a: 'it''s'\n'b''c': \"say \\\"x\\\"\"\n\"d\": it's\n"},
	{
		"numbers and words are texts here",
		"a: 012\nb: 0x10\nc: 1e3\nd: 1_000\ne: yes\nf: 1:20\ng: .inf\nh: 18446744073709551616\ni: -0\nj: '5'\nk: +5\n",
	},
	{"colons in texts", "a: b:c\nb: http://x\nc: a::b\ne: [a:b, x::y]\n"},
	{"dashes in texts", "a: -b\n-c: d\ne: [-1, -f]\n"},
	{"a byte order mark", "\xEF\xBB\xBFa: 1\nb: 2\n"},
	{"lines that end in CR LF", "a: 1\r\nb:\r\n  - c # d\r\n  - [1,\r\n 2]\r\n"},
	{"markers around the document", "# x\n---\na: 1\n...\n# y\n"},
	{"a start marker with a comment", "--- # x\na: 1\n"},
	{"no line end at the end", "a: [1]"},
	{"blanks before a colon", "a : 1\n\"b\" : 2\n"},
	{"other scripts", "ключ: значение\nb: [é, 日本]\nc: {日: 1}\n"},
	{"duplicate keys", "a: 1\na: 2\n"},
	{"tabs between", "a:\t1\nb: 2\t\nc: [1,\t2]\t# x\n"},
	{"lines of blanks", "a:\n   \n  b: 1\n \n\n"},
	{"backslashes are themselves", "a\\n: b\\n\n'c\\n': 'd\\n'\n"},
	{"dots in texts", "a: ...\nb: .5\n"},
	{"questions in texts", "a: ?b\n?c: d\n"},
}

func TestYAMLAgreesWithTheLibrary(t *testing.T) {
	for _, test := range readable {
		t.Run(test.reason, func(t *testing.T) {
			if !agree(t, test.text) {
				_, err := YAML([]byte(test.text), 9)
				t.Fatal(err)
			}
		})
	}
}

// hard are pieces of inputs. Their combinations show differences between two parsers.
var hard = strings.Split("a|b|: |:|\n|\n  |\n |- |-|[|]|{|}|, |,|'|\"|#| #| |\t|\\|\r\n|---|...|? "+
	"|1|&|*|!|<<|~|é|%|>|.", "|")

func TestYAMLOfPieces(t *testing.T) {
	state, tried, read := uint32(1), 60_000/layouttest.Step(), 0
	for range tried {
		var b strings.Builder
		state = state*1664525 + 1013904223
		for range 2 + state>>28 {
			state = state*1664525 + 1013904223
			b.WriteString(hard[int(state>>8)%len(hard)])
		}
		if agree(t, b.String()) {
			read++
		}
	}
	t.Logf("%d of %d texts are read", read, tried)
	if read < tried/50 {
		t.Errorf("only %d of %d texts are read: the pieces do not test much", read, tried)
	}
}

func FuzzYAML(f *testing.F) {
	for _, test := range readable {
		f.Add(test.text)
	}
	if text, err := os.ReadFile("../../docs/example.layoutcalc.yaml"); err == nil {
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		defer layouttest.Limit(t, len(text))()
		if len(text) > 1<<12 {
			return
		}
		agree(t, text)
	})
}

func TestYAMLRefuses(t *testing.T) {
	deep := strings.Repeat("[", MaxDepth)
	var bomb, stairs strings.Builder // each line has the line before twice, or once
	for i := range 24 {
		fmt.Fprintf(&bomb, "%c: &%c [*%c, *%c]\n", 'b'+i, 'b'+i, 'a'+i, 'a'+i)
	}
	for i := range MaxDepth {
		fmt.Fprintf(&stairs, "k%d: &k%d [*k%d]\n", i+1, i+1, i)
	}
	tests := []struct {
		reason, text string
		line, column int
		words        string
	}{
		{reason: "an alias of nothing", text: "a: 1\nb: *a\n", line: 2, column: 4, words: "no anchor of that name"},
		{reason: "an alias in a list", text: "a: [*b]\n", line: 1, column: 5, words: "no anchor of that name"},
		{
			reason: "an alias inside what it names", text: "a: &a [1, *a]\n", line: 1, column: 11,
			words: "the alias *a is inside what it names",
		},
		{
			reason: "a merge key of a number", text: "a:\n  <<: 1\n", line: 2, column: 7,
			words: "takes an object or a list of objects",
		},
		{
			reason: "a merge key of a number in brackets", text: "a: {<<: 1}\n", line: 1, column: 9,
			words: "takes an object or a list of objects",
		},
		{reason: "a merge of itself", text: "a: &a\n  <<: *a\n", line: 2, column: 7, words: "inside what it names"},
		{reason: "a tag that is unknown", text: "a: !x 1\n", line: 1, column: 7, words: "unknown tag"},
		{
			reason: "a tag that is not so", text: "a: !!int x\n", line: 1, column: 10,
			words: "\"x\" is not what the tag !!int says",
		},
		{
			reason: "a tag of a list on an object", text: "a: !!seq {}\n", line: 1, column: 4,
			words: "an object cannot have the tag",
		},
		{
			reason: "another version", text: "%YAML 2.0\n---\na: 1\n", line: 1, column: 1,
			words: "the versions of YAML are 1.1 and 1.2",
		},
		{reason: "an empty text", text: "# nothing\n", line: 2, column: 1, words: "says nothing"},
		{reason: "documents of nothing", text: "---\n---\n", line: 3, column: 1, words: "says nothing"},
		{reason: "a key that is a list", text: "? [a]\n: b\n", line: 1, column: 3, words: "a key must be a string"},
		{reason: "a tab that indents", text: "a:\n\tb: 1\n", line: 2, column: 1, words: "a tab cannot indent"},
		{reason: "a tab after blanks", text: "a:\n  \tb: 1\n", line: 2, column: 3, words: "a tab cannot indent"},
		{
			reason: "a key too far out", text: "a:\n    b: 1\n  c: 2\n", line: 3, column: 3,
			words: "expected a key of the object above",
		},
		{reason: "a key too far in", text: "a: 1\n  b: 2\n", line: 2, column: 4, words: "a key cannot be here"},
		{reason: "two keys on a line", text: "a: b: c\n", line: 1, column: 5, words: "a key cannot be here"},
		{reason: "an item after a key", text: "a: - b\n", line: 1, column: 4, words: "an item (-) cannot be here"},
		{reason: "no colon", text: "a: 1\nb\n", line: 2, column: 1, words: "a key with a colon"},
		{reason: "no blank after a colon", text: "a: 1\nb:2\n", line: 2, column: 1, words: "a key with a colon"},
		{
			reason: "brackets that do not end", text: "a: [1,\n  2\n", line: 1, column: 4,
			words: `"[" is not closed`,
		},
		{reason: "the innermost bracket", text: "a: {b: [1]\n", line: 1, column: 4, words: `"{" is not closed`},
		{reason: "a quote that does not end", text: "a: 1\nb: 'c\n", line: 2, column: 4, words: "does not end"},
		{reason: "a comma alone", text: "a: [1,,2]\n", line: 1, column: 7, words: "expected a value"},
		{reason: "text after a quote", text: "a: 'b' c\n", line: 1, column: 8, words: "end of the line"},
		{reason: "an unknown escape", text: `a: "\z41"`, line: 1, column: 5, words: "unknown escape"},
		{reason: "half a character", text: `a: "\ud83d"`, line: 1, column: 7, words: "the escape is not a character"},
		{reason: "a comment too close", text: "a: [1]# x\n", line: 1, column: 7, words: "a space before its #"},
		{reason: "UTF-16", text: "\xFF\xFEa\x00", line: 1, column: 1, words: "UTF-16"},
		{reason: "UTF-16 without a mark", text: "a\x00:\x00", line: 1, column: 2, words: "UTF-8"},
		{reason: "invalid UTF-8", text: "a: b\xFFc", line: 1, column: 5, words: "not valid UTF-8"},
		{reason: "a control character", text: "a: b\x1b", line: 1, column: 5, words: "control character"},
		{reason: "a line feed of others", text: "a: b\u2028", line: 1, column: 5, words: "line break"},
		{reason: "a carriage return", text: "a: b\rc: d", line: 1, column: 5, words: "carriage return"},
		{reason: "too deep", text: deep + "[", line: 1, column: MaxDepth + 1, words: "64 levels"},
		{
			reason: "too deep in items", text: strings.Repeat("- ", MaxDepth+1), line: 1, column: 2*MaxDepth + 1,
			words: "64 levels",
		},
		{
			reason: "a bomb of aliases", text: "a: &a [x, x]\n" + bomb.String(), line: 19, column: 8,
			words: "more than 1048576 values",
		},
		{
			reason: "too deep by aliases", text: "k0: &k0 [x]\n" + stairs.String(), line: 64, column: 12,
			words: "64 levels",
		},
	}
	for _, test := range tests {
		t.Run(test.reason, func(t *testing.T) {
			_, err := YAML([]byte(test.text), 9)
			fault, ok := err.(*Fault)
			if !ok {
				t.Fatal("is read")
			}
			place := PlaceIn([]byte(test.text), fault.Offset)
			if place.Line != test.line || place.Column != test.column || !strings.Contains(fault.Msg, test.words) {
				t.Errorf(
					"%d:%d %s, want %d:%d …%s…",
					place.Line,
					place.Column,
					fault.Msg,
					test.line,
					test.column,
					test.words,
				)
			}
		})
	}
	if _, err := YAML([]byte(deep+strings.Repeat("]", MaxDepth)), 9); err != nil {
		t.Errorf("%d levels: %v", MaxDepth, err)
	}
}

// written returns a value as JSON writes it, each scalar with the line and the column of its place.
func written(v Value) string {
	var b strings.Builder
	switch v.Kind() {
	case Array, Object:
		brackets := "[]"
		if v.Kind() == Object {
			brackets = "{}"
		}
		b.WriteString(brackets[:1])
		for item := range v.Items {
			if b.Len() > 1 {
				b.WriteString(", ")
			}
			if v.Kind() == Object {
				b.WriteString(item.Key() + ": ")
			}
			b.WriteString(written(item))
		}
		b.WriteString(brackets[1:])
	case String:
		fmt.Fprintf(&b, "%q", v.Text())
	default:
		fmt.Fprintf(&b, "%s", v.Text())
	}
	if p := v.Place(); v.Kind() != Array && v.Kind() != Object {
		fmt.Fprintf(&b, "@%d:%d", p.Line, p.Column)
	}
	return b.String()
}

func TestYAMLReads(t *testing.T) {
	tests := []struct {
		reason, text string
		want         []string // by document
	}{
		{"an anchor and its alias", "a: &x 1\nb: *x\n", []string{"{a: 1@1:7, b: 1@1:7}"}},
		{"an anchor of an object", "a: &x\n  b: 1\nc: *x\n", []string{"{a: {b: 1@2:6}, c: {b: 1@2:6}}"}},
		{
			"an alias in a list", "a: &x [1, 2]\nb: [*x, 3]\n",
			[]string{"{a: [1@1:8, 2@1:11], b: [[1@1:8, 2@1:11], 3@2:9]}"},
		},
		{"an anchor of a key", "&k a: 1\nb: *k\n*k : 2\n", []string{`{a: 1@1:7, b: "a"@1:4, a: 2@3:6}`}},
		{
			"an anchor that is given twice", "a: &x 1\nb: *x\nc: &x 2\nd: *x\n",
			[]string{"{a: 1@1:7, b: 1@1:7, c: 2@3:7, d: 2@3:7}"},
		},
		{
			"a merge key", "a: &x {p: 1, q: 2}\nb:\n  <<: *x\n  q: 3\n",
			[]string{"{a: {p: 1@1:11, q: 2@1:17}, b: {p: 1@1:11, q: 3@4:6}}"},
		},
		{"a merge key of a list", "a: &x {p: 1}\nb: &y {p: 2, q: 3}\nc: {<<: [*x, *y, {r: 4, p: 5}]}\n",
			[]string{"{a: {p: 1@1:11}, b: {p: 2@2:11, q: 3@2:17}, c: {p: 1@1:11, q: 3@2:17, r: 4@3:22}}"}},
		{
			"merge keys of merge keys", "a: &x {p: 1}\nb: &y {<<: *x, q: 2}\nc: {<<: *y}\n",
			[]string{"{a: {p: 1@1:11}, b: {p: 1@1:11, q: 2@2:19}, c: {p: 1@1:11, q: 2@2:19}}"},
		},
		{"a key << in quotes", "a: {'<<': 1}\n", []string{"{a: {<<: 1@1:11}}"}},
		{
			"an anchor inside what a merge leaves out", "a: {<<: {p: &x 1}, p: 2}\nb: *x\n",
			[]string{"{a: {p: 2@1:23}, b: 1@1:16}"},
		},
		{
			"tags",
			"a: !!str 1\nb: !!int \"2\"\nc: !!float 3.5\nd: !!bool true\ne: !!null\nf: !!seq [! 4]\ng: !!map {}\n",
			[]string{`{a: "1"@1:10, b: 2@2:10, c: 3.5@3:12, d: true@4:11, e: @5:4, f: ["4"@6:13], g: {}}`},
		},
		{"directives", "%YAML 1.2\n---\na: 1\n...\n%YAML 1.1\n---\nb: 2\n", []string{"{a: 1@3:4}", "{b: 2@7:4}"}},
		{"a tag directive", "%TAG !e! tag:yaml.org,2002:\n---\na: !e!str 1\n", []string{`{a: "1"@3:11}`}},
		{
			"several documents", "a: 1\n---\nb: 2\n---\n# nothing\n---\nc: 3\n",
			[]string{"{a: 1@1:4}", "{b: 2@3:4}", "{c: 3@7:4}"},
		},
		{"a document after the end", "a: 1\n...\n---\nb: 1\n", []string{"{a: 1@1:4}", "{b: 1@4:4}"}},
		{"a literal text", "a: |\n  b\n   c\nd: |-\n  e\n", []string{`{a: "b\n c\n"@1:4, d: "e"@4:4}`}},
		{"a folded text", "a: >\n  b\n  c\n", []string{`{a: "b c\n"@1:4}`}},
		{"plain text over lines", "a: b\n  c\n", []string{`{a: "b c"@1:4}`}},
		{"quoted text over lines", "a: \"b\n  c\"\nd: 'e\n\n  f'\n", []string{`{a: "b c"@1:4, d: "e\nf"@3:4}`}},
		{"keys after ?", "? a\n: b\n", []string{`{a: "b"@2:3}`}},
		{"escapes of YAML", `a: "\x41\e\u00e9\U0001F600"`, []string{`{a: "A\x1bé😀"@1:4}`}},
		{"a member in a list", "a: [b: 1]\n", []string{"{a: [{b: 1@1:8}]}"}},
		{"numbers without commas are one text", "a: [1 2\n  3]\n", []string{`{a: ["1 2 3"@1:5]}`}},
		{
			"numbers of other schemas", "[012, 0x10, 1_000, 1e3, 1.5, yes, 0o7, .5, -0, +1]",
			[]string{
				`["012"@1:2, "0x10"@1:7, "1_000"@1:13, "1e3"@1:20, "1.5"@1:25, "yes"@1:30, "0o7"@1:35, ".5"@1:40, ` +
					`-0@1:44, "+1"@1:48]`},
		},
		{"numbers of JSON", "[1.5, 1e3, 10]", []string{`["1.5"@1:2, "1e3"@1:7, 10@1:12]`}},
		{"nothing", "a:\nb: ~\nc: null\nd: ''\n", []string{`{a: @1:3, b: ~@2:4, c: null@3:4, d: ""@4:4}`}},
		{"tabs that do not indent", "a:\t1\nb:\n  - [1,\n\t2]\n", []string{"{a: 1@1:4, b: [[1@3:6, 2@4:2]]}"}},
	}
	for _, test := range tests {
		trees, err := YAML([]byte(test.text), 9)
		var got []string
		for _, tree := range trees {
			got = append(got, written(tree.Root()))
		}
		if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
			t.Errorf("%s: %q: %v\n%s", test.reason, test.text, err, diff)
		}
	}
}

// TestYAMLComments checks that only comments for layoutcalc are found, not the same words in strings.
func TestYAMLComments(t *testing.T) {
	text := "# layoutcalc:1\na: '# layoutcalc:no' # layoutcalc:2\nb: |\n  # layoutcalc:no\n # layoutcalc:3\nc:" +
		" \"x\n  # layoutcalc:no\"\n" +
		"d: it's # layoutcalc:4\ne: x#layoutcalc:no\n---\n# layoutcalc:5\nf: >2\n    # layoutcalc:no\n  # " +
		"layoutcalc:no\n# layoutcalc:6\ng: 1\n"
	trees, err := YAML([]byte(text), 9)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, tree := range trees {
		for _, c := range tree.Comments() {
			got = append(got, fmt.Sprintf("%d:%d %d%s", c.Place.Line, c.Place.Column, c.Line, c.Text))
		}
	}
	want := []string{"1:1 2 layoutcalc:1", "2:22 2 layoutcalc:2", "5:2 6 layoutcalc:3", "8:9 8 layoutcalc:" +
		"4", "11:1 12 layoutcalc:5", "15:1 16 layoutcalc:6"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestYAMLLimits(t *testing.T) {
	tests := []struct{ reason, text, words string }{
		{"too long", strings.Repeat("#\n", MaxYAML/2) + "a", "longer than 4194304 bytes"},
		{"too many values", strings.Repeat("-\n", maxYAMLValues), "more than 900000 values"},
		{"too many values in brackets", "[" + strings.Repeat("1,", maxHeld+1) + "]", "more than 100000 values"},
		{"a long key", strings.Repeat("k", maxKey+1) + ": 1", "longer than 1024 bytes"},
	}
	for _, test := range tests {
		if _, err := YAML([]byte(test.text), 9); err == nil || !strings.Contains(err.Error(), test.words) {
			t.Errorf("%s: %v", test.reason, err)
		}
	}
}

// libraryYAML returns the values that go.yaml.in/yaml reads, in order and one per line, with their paths, positions and
// strings. It reports false if the library rejects the input.
func libraryYAML(text []byte) (lines []string, ok bool) {
	loader, err := yaml.NewLoader(bytes.NewReader(text))
	if err != nil {
		return nil, false
	}
	var doc, more yaml.Node
	if loader.Load(&doc) != nil || len(doc.Content) != 1 || loader.Load(&more) == nil || hasNames(&doc) {
		return nil, false
	}
	o := yamlOracle{rows: bytes.Split(bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF")), []byte("\n"))}
	o.node("", doc.Content[0])
	return o.lines, true
}

// hasNames reports whether there are anchors, aliases, merge keys or tags.
func hasNames(n *yaml.Node) bool {
	return n.Anchor != "" || n.Kind == yaml.AliasNode || n.Style&yaml.TaggedStyle != 0 || n.Tag == "!" || isMerge(n) ||
		slices.ContainsFunc(n.Content, hasNames)
}

type yamlOracle struct {
	rows  [][]byte
	lines []string
}

func (o *yamlOracle) node(path string, n *yaml.Node) {
	kind := map[yaml.Kind]string{
		yaml.SequenceNode: "list", yaml.MappingNode: "object", yaml.ScalarNode: "text", yaml.AliasNode: "alias",
	}[n.Kind]
	text := ""
	if n.Kind == yaml.ScalarNode {
		kind := String
		if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
			kind = plainKind(n.Value)
		}
		text = fmt.Sprintf(" %v %q", kind, n.Value)
	}
	place := ""
	if n.Kind != yaml.ScalarNode || n.Value != "" || n.Style != 0 {
		place = fmt.Sprintf(" %d:%d", n.Line, o.bytes(n.Line, n.Column))
	}
	o.lines = append(o.lines, fmt.Sprintf("%s %s%s%s%s", path, kind, place, text, n.Anchor))
	for i := range n.Content {
		switch {
		case n.Kind == yaml.SequenceNode:
			o.node(fmt.Sprintf("%s/%d", path, i), n.Content[i])
		case i%2 == 1:
			key := n.Content[i-1]
			o.node(fmt.Sprintf("%s/%q@%d:%d", path, key.Value, key.Line, o.bytes(key.Line, key.Column)), n.Content[i])
		}
	}
}

// bytes turns a column in characters into one in bytes.
func (o *yamlOracle) bytes(line, column int) int {
	row, at := o.rows[line-1], 0
	for range column - 1 {
		_, size := utf8.DecodeRune(row[at:])
		at += size
	}
	return at + 1
}

// treeYAML is libraryYAML of a tree.
func treeYAML(t *Tree) []string {
	var lines []string
	bom := 0
	if bytes.HasPrefix(t.data, []byte("\xEF\xBB\xBF")) {
		bom = 3
	}
	place := func(p Place) string {
		if p.Line == 1 {
			p.Column -= bom
		}
		return fmt.Sprintf("%d:%d", p.Line, p.Column)
	}
	var walk func(path string, v Value)
	walk = func(path string, v Value) {
		kind, text := "text", ""
		switch v.Kind() {
		case Array:
			kind = "list"
		case Object:
			kind = "object"
		default:
			text = fmt.Sprintf(" %v %q", v.Kind(), v.Text())
		}
		at := " " + place(v.Place())
		if strings.HasSuffix(text, `null ""`) {
			at = ""
		}
		lines = append(lines, fmt.Sprintf("%s %s%s%s", path, kind, at, text))
		i := 0
		for item := range v.Items {
			if v.Kind() == Array {
				walk(fmt.Sprintf("%s/%d", path, i), item)
				i++
				continue
			}
			walk(fmt.Sprintf("%s/%q@%s", path, item.Key(), place(item.KeyPlace())), item)
		}
	}
	walk("", t.Root())
	return lines
}

// allocated returns how many bytes a function allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestDocumentsGrow reads inputs of many documents: twice as many take twice as much memory, not four times.
func TestDocumentsGrow(t *testing.T) {
	const document = "---\na: {b: [1, x], c: text}\n"
	read := func(n int) uint64 {
		text := []byte(strings.Repeat(document, n))
		return allocated(func() {
			if trees, err := YAML(text, n); err != nil || len(trees) != n {
				t.Fatalf("%d of %d documents: %v", len(trees), n, err)
			}
		})
	}
	read(1)
	if one, two := read(1000), read(2000); float64(two) > 2.5*float64(one) {
		t.Errorf("1000 documents take %d bytes, 2000 take %d", one, two)
	}
	first := []byte(strings.Repeat(document, 2000))
	if all := read(2000); allocated(func() { _, _ = YAML(first, 2) }) > all/2 {
		t.Error("what comes after the second document is read")
	}
}

// TestDocumentsCollect reads an input of more than a megabyte: memory is freed for each megabyte, not for each
// document.
func TestDocumentsCollect(t *testing.T) {
	text := []byte(strings.Repeat("---\na: 1 # "+strings.Repeat("x", 1000)+"\n", 2000))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := YAML(text, 2000); err != nil {
		t.Fatal(err)
	}
	if runtime.ReadMemStats(&after); after.NumGC-before.NumGC > 200 {
		t.Errorf("memory is freed %d times", after.NumGC-before.NumGC)
	}
}

// TestDocumentsLimit has documents that are below the limit of values each, and above it together, by aliases.
func TestDocumentsLimit(t *testing.T) {
	layouttest.SkipUnlessAll(t, "the input is large")
	items := func(item string, n int) string { return "[" + strings.Repeat(item+",", n) + "]" }
	document := "---\na: &a " + items("1", 100) + "\nb: &b " + items("*a", 100) + "\nc: " + items("*b", 52) + "\n"
	if _, err := YAML([]byte(document+document), 2); err == nil || !strings.Contains(err.Error(), tooMany) {
		t.Errorf("two documents: %v", err)
	}
	if _, err := YAML([]byte(document), 2); err != nil {
		t.Errorf("one: %v", err)
	}
	list := []byte(items("[1],2", MaxNodes/4))
	last := new(Tree)
	if err := last.JSON(append(list, list...)); err != nil {
		t.Fatal(err)
	}
	if err := new(Tree).JSONAfter(last.data, last); err == nil || !strings.Contains(err.Error(), tooMany) {
		t.Errorf("two texts of JSON: %v", err)
	}
}

// TestDocumentPlaces checks positions in the second document.
func TestDocumentPlaces(t *testing.T) {
	const text = "a: 1 # layoutcalc:x\n---\nb: 2\n\nc: 3 # layoutcalc:y\n---\nd: 4\n"
	trees, err := YAML([]byte(text), 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{1, 3, 7} {
		if have := trees[i].Root().Place().Line; have != want {
			t.Errorf("document %d is in line %d, not %d", i, have, want)
		}
	}
	if c := trees[1].Comments(); len(c) != 1 || c[0].Line != 5 || c[0].Place.Column != 6 {
		t.Errorf("%+v", c)
	}
}
