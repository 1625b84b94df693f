package render

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// markdownCells splits a row of a table as GitHub's Markdown does: at the bars that no
// backslash escapes.
func markdownCells(row string) []string {
	var cells []string
	cell := ""
	for i := 0; i < len(row); i++ {
		switch {
		case row[i] == '\\' && i+1 < len(row):
			cell += row[i : i+2]
			i++
		case row[i] == '|':
			cells = append(cells, cell)
			cell = ""
		default:
			cell += row[i : i+1]
		}
	}
	return append(cells, cell)[1:]
}

var (
	fence     = regexp.MustCompile("^ {0,3}(```+|~~~+)")
	delimiter = regexp.MustCompile(`^ :?-+:? $`)
)

// markdownTables returns the tables of a document, outside of fenced blocks, and the number of
// those blocks.
func markdownTables(document string) (tables [][][]string, blocks int) {
	open := ""
	for line := range strings.Lines(document) {
		line = strings.TrimRight(line, "\n")
		mark := fence.FindString(line)
		switch {
		case open == "" && mark != "":
			open = mark
			blocks++
		case open != "" && mark != "" && strings.HasPrefix(mark, open) && strings.Trim(line, " `~") == "":
			open = ""
		case open == "" && strings.HasPrefix(line, "|"):
			if n := len(tables); n == 0 || tables[n-1] == nil {
				tables = append(tables[:max(n-1, 0)], [][]string{})
			}
			tables[len(tables)-1] = append(tables[len(tables)-1], markdownCells(line))
		case len(tables) > 0 && tables[len(tables)-1] != nil:
			tables = append(tables, nil)
		}
	}
	return slices.DeleteFunc(tables, func(t [][]string) bool { return t == nil }), blocks
}

// checkTables wants each table to have a line of delimiters and as many cells in each row.
func checkTables(t interface{ Fatalf(string, ...any) }, document string, tables [][][]string) {
	for _, table := range tables {
		if len(table) < 2 || slices.ContainsFunc(table[1][:len(table[1])-1], func(c string) bool { return !delimiter.MatchString(c) }) {
			t.Fatalf("no line of delimiters in\n%s", document)
		}
		for _, row := range table {
			if len(row) != len(table[0]) {
				t.Fatalf("%d cells below %d in\n%s", len(row), len(table[0]), document)
			}
		}
	}
}

func TestMarkdownCell(t *testing.T) {
	tests := []struct{ in, want, reason string }{
		{"NCHW16c", "NCHW16c", "a name"},
		{"a|b", `a\|b`, "would start another cell"},
		{`a\`, `a\\`, "would escape the bar behind it"},
		{`a\|b`, `a\\\|b`, "an escape of the user's is a text"},
		{"`x`", "\\`x\\`", "would be code"},
		{"<script>", `\<script\>`, "would be HTML"},
		{"[x](y)", `\[x\](y)`, "would be a link"},
		{"*a* _b_", `\*a\* \_b\_`, "would be emphasis"},
		{"&lt;", `\&lt;`, "would be an entity"},
		{"a\nb", `a\\x0ab`, "a line break would end the row; its escape is escaped"},
	}
	for _, tt := range tests {
		if got := MarkdownCell(tt.in); got != tt.want {
			t.Errorf("MarkdownCell(%q) = %q, want %q: %s", tt.in, got, tt.want, tt.reason)
		}
	}
}

// TestMarkdownOfAnswers parses the tables of every answer.
func TestMarkdownOfAnswers(t *testing.T) {
	for _, a := range answers {
		t.Run(a.name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				tensor := tensors(4).Draw(rt, "tensor")
				width := rapid.IntRange(20, 200).Draw(rt, "width")
				document := written(t, Options{Format: Markdown, Width: width}, func(p *Printer) error { return a.write(p, tensor) })
				tables, _ := markdownTables(document)
				checkTables(rt, document, tables)
				if none := a.name == "version" || tensor.Layout().Rank() == 0 && a.name == "strides" || tensor.Layout().Empty(); len(tables) == 0 && !none {
					rt.Fatalf("no table in\n%s", document)
				}
			})
		})
	}
}

// TestMarkdownHostile shows values that try to leave their cell, or the block of code that
// the logical view is.
func TestMarkdownHostile(t *testing.T) {
	tensor := parsed(t, "3", "")
	check := func(t interface{ Fatalf(string, ...any) }, tb testing.TB, values []string) {
		v := whole(tensor)
		v.Values = values
		document := written(tb, Options{Format: Markdown, Width: 10_000}, func(p *Printer) error { return p.Picture(tensor, v) })
		tables, blocks := markdownTables(document)
		checkTables(t, document, tables)
		if len(tables) != 1 || blocks != 1 {
			t.Fatalf("%q makes %d tables and %d blocks of\n%s", values, len(tables), blocks, document)
		}
	}
	for _, text := range hostile {
		t.Run("", func(t *testing.T) { check(t, t, []string{text, "x", text}) })
	}
	t.Run("fence", func(t *testing.T) { check(t, t, []string{"```", "", ""}) })
	t.Run("random", func(t *testing.T) {
		rapid.Check(t, func(rt *rapid.T) { check(rt, t, rapid.SliceOfN(hostiles(), 3, 3).Draw(rt, "values")) })
	})
}

// TestMarkdownAll asks for more than a picture holds.
func TestMarkdownAll(t *testing.T) {
	tensor := parsed(t, "40x40", "")
	v := whole(tensor)
	v.All = true
	document := written(t, Options{Format: Markdown}, func(p *Printer) error { return p.Picture(tensor, v) })
	tables, _ := markdownTables(document)
	checkTables(t, document, tables)
	rows := 0
	for _, table := range tables {
		rows += len(table) - 2
	}
	if rows < 2 {
		t.Errorf("no table in\n%.200s...", document)
	}
}
