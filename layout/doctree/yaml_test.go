package doctree

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// agree holds a text that is read against the library.
func agree(t *testing.T, text string) (read bool) {
	t.Helper()
	var tree Tree
	if tree.YAML([]byte(text)) != nil {
		return false
	}
	want, ok := libraryYAML([]byte(text))
	if !ok {
		t.Fatalf("%q is read, which the library refuses", text)
	}
	if diff := cmp.Diff(want, treeYAML(&tree)); diff != "" {
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
	{"brackets over lines, closed at the margin", "a:\n  b: [\n    1, # one\n    2,\n  ]\n  c: {\n  x: 1,\n\n    y: 2}\n"},
	{"JSON", "{\"a\": [1, 2, {\"b\": null}],\n \"c\":true, \"d\": \"x\\n\\u00e9\\/\"}\n"},
	{"comments everywhere", "# a\na: 1 # b\n  # c\nb: # d\n  # e\n  - x # f\n# g\n  - y\n#h\n"},
	{"sharps that are no comments", "a: b#c\nb: \"# no\"\nc: '# no'\nd: x# y\n"},
	{"quotes in quotes", "a: 'it''s'\n'b''c': \"say \\\"x\\\"\"\n\"d\": it's\n"},
	{"numbers and words are texts here", "a: 012\nb: 0x10\nc: 1e3\nd: 1_000\ne: yes\nf: 1:20\ng: .inf\nh: 18446744073709551616\ni: -0\nj: '5'\nk: +5\n"},
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
				t.Fatal(new(Tree).YAML([]byte(test.text)))
			}
		})
	}
}

// hard are pieces of texts whose combinations show where two readers part.
var hard = strings.Split("a|b|: |:|\n|\n  |\n |- |-|[|]|{|}|, |,|'|\"|#| #| |\t|\\|\r\n|---|...|? |1|&|*|!|<<|~|é|%|>|.", "|")

func TestYAMLOfPieces(t *testing.T) {
	state, tried, read := uint32(1), 60_000, 0
	if testing.Short() {
		tried = 5000
	}
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
		if len(text) > 1<<12 {
			return
		}
		agree(t, text)
	})
}
