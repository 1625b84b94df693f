package lexer_test

import (
	"strings"
	"testing"

	"layoutcalc/layout/lexer"
)

// lexed returns the tokens of in with | between them. A token after whitespace starts with a space.
func lexed(in string) string {
	var parts []string
	for _, t := range lexer.Lex(in) {
		if t.Kind == lexer.End {
			break
		}
		part := in[t.At:t.End]
		switch {
		case t.Gap == lexer.Line:
			part = "^" + part
		case t.Gap == lexer.Blank:
			part = " " + part
		}
		switch {
		case t.Slashed:
			part += "/"
		case t.Hashed:
			part += "#"
		}
		if t.Open {
			part += "..."
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "|")
}

func TestLex(t *testing.T) {
	for _, tt := range []struct{ text, want, reason string }{
		{"", "", "nothing"},
		{"memref<2x3xf32>", "memref|<|2x3xf32|>", "a number goes on with letters"},
		{"a -1", "a| -|1", "blanks are before tokens"},
		{"x->y::z==1", "x|->|y|::|z|==|1", "marks of two bytes"},
		{"src:f32::blocked", "src|:|f32|::|blocked", "oneDNN"},
		{"1'000 0x1F 4.5e-3 1_0 4.x", "1'000| 0x1F| 4.5e-3| 1_0| 4|.|x", "numbers"},
		{"a /* b */ c", "a| c", "a comment"},
		{"a /* b", "a", "a comment that does not end"},
		{"a # b\nc", "a|^c", "a comment up to the end of the line"},
		{"a #b\nc", "a| ##|b#|^c", "an attribute of MLIR, a comment of Python"},
		{"a // b\nc", "a| ///| b/|^c", "a comment, in Python a division"},
		{"// a b", " a| b", "a text of comments alone"},
		{`"a b" 'c\'d' f"e"`, `"a b"| 'c\'d'| f|"e"`, "strings"},
		{"it's 'open\nx", "it|'|s| 'open...|^x", "an apostrophe, and a string that does not end"},
		{"\"\"\"a\nb\"\"\" c", "\"\"\"a\nb\"\"\"| c", "a string of several lines"},
		{"é\x00$1", "é|\x00|$1", "what is not ASCII is one mark"},
	} {
		if got := lexed(tt.text); got != tt.want {
			t.Errorf("%q is %q, want %q: %s", tt.text, got, tt.want, tt.reason)
		}
	}
}

// FuzzLex checks that the tokens are in order and that only whitespace and comments are between them.
func FuzzLex(f *testing.F) {
	f.Add("a /* b */ 'c' # d\n1.5e-3")
	f.Fuzz(func(t *testing.T, in string) {
		at := 0
		for _, k := range lexer.Lex(in) {
			if int(k.At) < at || k.End < k.At || k.Kind != lexer.End && k.End == k.At || int(k.End) > len(in) {
				t.Fatalf("%q: a token from %d to %d, after %d", in, k.At, k.End, at)
			}
			at = int(k.End)
		}
	})
}

func TestMarks(t *testing.T) {
	marks := lexer.Compile([][]string{
		{"memref <", "DML_*"}, {"^ <xla-type> ["}, {`"ndim"`},
		{"^ <list> <list> $", "^ ( <list> , <list> ) $"}, {"*_verbose ,"},
	})
	is := func(class, word string) bool { return class == "xla-type" && word == "f32" }
	for _, tt := range []struct {
		text string
		want uint64
	}{
		{"", 0}, {"memref", 0}, {"a memref <2xf32>", 1}, {"DML_X", 1}, {"// memref<\n1", 0}, {"f32[2]", 2},
		{"x f32[2]", 0}, {"x\nf32 [2]", 2}, {"{'ndim': 3}", 4}, {"(2,3) (3,1)", 8}, {"[2,3] (3,1) x", 0},
		{"((2,3),(3,1))", 8}, {"(2,3)", 0}, {"onednn_verbose,exec", 16}, {"/* f32[ */ memref<", 1},
	} {
		if got := marks.Rows(tt.text, lexer.Lex(tt.text), is); got != tt.want {
			t.Errorf("%q has %b, want %b", tt.text, got, tt.want)
		}
	}
}

// BenchmarkLex reads 64 KiB: 0.5 ms.
func BenchmarkLex(b *testing.B) {
	in := strings.Repeat("%0 = memref<2x3xf32, strided<[3, 1]>> // x\n", 1500)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		lexer.Lex(in)
	}
}
