package doctree

import (
	"strings"
	"testing"
)

func TestYAMLRefuses(t *testing.T) {
	deep := strings.Repeat("[", MaxDepth)
	tests := []struct {
		reason, text string
		line, column int
		words        string
	}{
		{"an anchor", "a: &x 1\n", 1, 4, "anchors"},
		{"an anchor of an object", "a: &x\n  b: 1\n", 1, 4, "anchors"},
		{"an alias", "a: 1\nb: *a\n", 2, 4, "aliases"},
		{"an alias in a list", "a: [*b]\n", 1, 5, "aliases"},
		{"a merge key", "a:\n  <<: 1\n", 2, 3, "merge keys"},
		{"a merge key in brackets", "a: {<<: 1}\n", 1, 5, "merge keys"},
		{"a tag", "a: !!int 1\n", 1, 4, "tags"},
		{"a directive", "%YAML 1.2\n---\na: 1\n", 1, 1, "directives"},
		{"a second document", "a: 1\n---\nb: 1\n", 2, 1, "second document"},
		{"a second document behind the end", "a: 1\n...\n---\nb: 1\n", 3, 1, "second document"},
		{"an empty text", "# nothing\n", 2, 1, "says nothing"},
		{"a text over lines", "a: |\n  b\n", 1, 4, "several lines"},
		{"a plain text over lines", "a: b\n  c\n", 2, 3, "ends on its line"},
		{"a quoted text over lines", "a: \"b\n  c\"\n", 1, 4, "does not end on its line"},
		{"a key that is a list", "? [a]\n: b\n", 1, 1, "keys behind ?"},
		{"a tab that indents", "a:\n\tb: 1\n", 2, 1, "a tab cannot indent"},
		{"a tab behind blanks", "a:\n  \tb: 1\n", 2, 3, "a tab cannot indent"},
		{"a key too far out", "a:\n    b: 1\n  c: 2\n", 3, 3, "neither at the keys"},
		{"a key too far in", "a: 1\n  b: 2\n", 2, 3, "ends on its line"},
		{"two keys on a line", "a: b: c\n", 1, 5, "a key cannot stand here"},
		{"an item behind a key", "a: - b\n", 1, 4, "an item (-) cannot stand here"},
		{"no colon", "a: 1\nb\n", 2, 1, "a key with a colon"},
		{"no blank behind a colon", "a: 1\nb:2\n", 2, 1, "a key with a colon"},
		{"brackets that do not end", "a: [1,\n  2\n", 3, 1, "the brackets do not end"},
		{"no comma", "a: [1 2\n  3]\n", 2, 3, "a comma or ]"},
		{"a comma alone", "a: [1,,2]\n", 1, 7, "a value is expected"},
		{"a key in a list", "a: [b: 1]\n", 1, 6, "put it and its value in { }"},
		{"text behind a quote", "a: 'b' c\n", 1, 8, "end of the line"},
		{"an escape of C", `a: "\x41"`, 1, 5, "there is no such escape"},
		{"half a character", `a: "\ud83d"`, 1, 5, "half a character"},
		{"a comment too close", "a: [1]# x\n", 1, 7, "a blank before its #"},
		{"UTF-16", "\xFF\xFEa\x00", 1, 1, "UTF-16"},
		{"UTF-16 without a mark", "a\x00:\x00", 1, 2, "UTF-8"},
		{"invalid UTF-8", "a: b\xFFc", 1, 5, "not valid UTF-8"},
		{"a control character", "a: b\x1b", 1, 5, "control character"},
		{"a line feed of others", "a: b\u2028", 1, 5, "line break"},
		{"a carriage return", "a: b\rc: d", 1, 5, "carriage return"},
		{"too deep", deep + "[", 1, MaxDepth + 1, "64 levels"},
		{"too deep in items", strings.Repeat("- ", MaxDepth+1), 1, 2*MaxDepth + 1, "64 levels"},
		{"a bomb of aliases", "a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n", 1, 4, "anchors"},
	}
	for _, test := range tests {
		t.Run(test.reason, func(t *testing.T) {
			var tree Tree
			fault, ok := tree.YAML([]byte(test.text)).(*Fault)
			if !ok {
				t.Fatal("is read")
			}
			place := tree.PlaceAt(fault.Offset)
			if place.Line != test.line || place.Column != test.column || !strings.Contains(fault.Msg, test.words) {
				t.Errorf("%d:%d %s, want %d:%d …%s…", place.Line, place.Column, fault.Msg, test.line, test.column, test.words)
			}
		})
	}
	var tree Tree
	if err := tree.YAML([]byte(deep + strings.Repeat("]", MaxDepth))); err != nil {
		t.Errorf("%d levels: %v", MaxDepth, err)
	}
}

func TestYAMLLimits(t *testing.T) {
	tests := []struct{ reason, text, words string }{
		{"too long", strings.Repeat("#\n", MaxYAML/2) + "a", "longer than 16777216 bytes"},
		{"too many values", "[" + strings.Repeat("1,", MaxNodes) + "]", "more than 1048576 values"},
		{"a long key", strings.Repeat("k", maxKey+1) + ": 1", "longer than 1024 bytes"},
	}
	for _, test := range tests {
		if err := new(Tree).YAML([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.words) {
			t.Errorf("%s: %v", test.reason, err)
		}
	}
}
