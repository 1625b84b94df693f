package render

import (
	"encoding/csv"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"layoutcalc/layout"
)

// readCSV reads records with encoding/csv, which requires each record to have the same number of cells as the first.
func readCSV(t interface{ Fatalf(string, ...any) }, text string) [][]string {
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return records
}

func TestCSVCell(t *testing.T) {
	tests := []struct{ in, want, reason string }{
		{"N", "N", "a text"},
		{"", "", "an empty cell"},
		{`a"b`, `"a""b"`, "RFC 4180: quotes double"},
		{"2,3", `"2,3"`, "RFC 4180: commas need quotes"},
		{"a\nb", `a\x0ab`, "a line break would tear the row for line tools"},
		{"-5", "-5", "a negative number"},
		{"-0", "-0", "a negative number too"},
		{"-9223372036854775808", "-9223372036854775808", "the least number"},
		{"-0.5", "-0.5", "half a byte before the base: a number too"},
		{"-12.125", "-12.125", "an eighth of a byte: a number too"},
		{"=1+1", "'=1+1", "OWASP: a formula"},
		{"=5", "'=5", "a formula, however short"},
		{"@SUM(A1)", "'@SUM(A1)", "Excel takes @ for a formula too"},
		{"@5", "'@5", "no number either"},
		{"+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0", "starts another program (DDE)"},
		{"-1+1", "'-1+1", "a formula that starts like a number"},
		{"\t=1", `\x09=1`, "a tab before a formula is escaped"},
		{"\r=1", `\x0d=1`, "nor is a carriage return"},
		{`=HYPERLINK("http://x","y")`, `"'=HYPERLINK(""http://x"",""y"")"`, "marked inside the quotes"},
	}
	for _, tt := range tests {
		if got := csvCell(tt.in); got != tt.want {
			t.Errorf("csvCell(%q) = %q, want %q: %s", tt.in, got, tt.want, tt.reason)
		}
	}
}

// TestIsFormula has the formulas that OWASP lists, and negative numbers, which are not formulas.
func TestIsFormula(t *testing.T) {
	tests := []struct {
		reason string
		cells  []string
		want   bool
	}{
		{"what starts one", []string{"=1", "+1", "-x", "@x", "\t=1", "\r=1", "=", "+", "-", "@", "\t"}, true},
		{"in full width", []string{"\uff1d1", "\uff0b1", "\uff0d1", "\uff20x"}, true},
		{"what only starts like a number", []string{"-1+1", "-1.", "-.5", "-1.2.3", "-1e5", "--1", "-0x1", "-1 "},
			true},
		{"numbers", []string{"-0", "-1", "-0.5", "-9223372036854775808", "-12.125", "0", "5"}, false},
		{"texts", []string{"", "N", "'=1", " =1", "a-1", "1-1", "..", "/etc", "x=1"}, false},
	}
	for _, tt := range tests {
		for _, cell := range tt.cells {
			if got := IsFormula(cell); got != tt.want {
				t.Errorf("IsFormula(%q) = %t: %s", cell, got, tt.reason)
			}
		}
	}
}

// TestCSVReadsBack reads hostile cells with encoding/csv. Rows, columns and contents stay the same except for the mark,
// and no cell is a formula.
func TestCSVReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.IntRange(2, 4).Draw(t, "columns")
		var rows [][]string
		for range rapid.IntRange(1, 4).Draw(t, "rows") {
			rows = append(rows, rapid.SliceOfN(hostiles(), columns, columns).Draw(t, "row"))
		}
		var out strings.Builder
		w := NewWriter(&out)
		w.csv(grid{header: rows[0], rows: rows[1:]})
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		records := readCSV(t, out.String())
		if len(records) != len(rows) || strings.Count(out.String(), "\n") != len(rows) {
			t.Fatalf("%d rows are read as %d in\n%s", len(rows), len(records), out.String())
		}
		for i, record := range records {
			for k, cell := range record {
				if want := Clean(rows[i][k]); strings.TrimPrefix(cell, "'") != strings.TrimPrefix(want, "'") {
					t.Fatalf("%q is read as %q", want, cell)
				}
				if IsFormula(cell) {
					t.Fatalf("%q is a formula", cell)
				}
			}
		}
	})
}

// TestCSVOfAnswers reads every answer with encoding/csv.
func TestCSVOfAnswers(t *testing.T) {
	for _, a := range answers {
		if a.name == "picture" {
			continue // has no CSV
		}
		t.Run(a.name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				tensor := tensors(3).Draw(rt, "tensor")
				records := readCSV(rt, written(t, Options{Format: CSV}, func(p *Printer) error {
					return a.write(p, tensor)
				}))
				if len(records) == 0 {
					rt.Fatal("no header")
				}
			})
		})
	}
}

// wantRows are the rows of all elements, by the formula.
func wantRows(t layout.Tensor) [][]string {
	header := []string{}
	for i := range t.Layout().Rank() {
		header = append(header, t.Layout().AxisName(i))
	}
	rows := [][]string{append(header, "offset", "byteOffset")}
	for _, e := range elements(t.Layout()) {
		row := []string{}
		for _, v := range e.index {
			row = append(row, strconv.FormatInt(v, 10))
		}
		rows = append(rows, append(row, strconv.FormatInt(e.offset, 10), exactBytes(t.DType(), e.offset)))
	}
	return rows
}

// exactBytes is a distance in bytes as a decimal, by math/big.
func exactBytes(d layout.DType, elements int64) string {
	text := new(big.Rat).Mul(big.NewRat(elements, 1), big.NewRat(d.Bits(), 8)).FloatString(3)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// TestElementsCSV compares the fast way and the slow one with the formula, and each other byte
// by byte.
func TestElementsCSV(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, tb testing.TB, tensor layout.Tensor) {
		fast := written(tb, Options{Format: CSV}, func(p *Printer) error { return p.Elements(tensor) })
		slow := written(tb, Options{Format: CSV}, func(p *Printer) error { return writeOffsets(p, tensor) })
		if diff := cmp.Diff(wantRows(tensor), readCSV(t, fast)); diff != "" {
			t.Fatalf("%v: -formula +Elements:\n%s", tensor.Layout(), diff)
		}
		if diff := cmp.Diff(strings.Split(slow, "\n"), strings.Split(fast, "\n")); diff != "" {
			t.Fatalf("%v: -Offsets +Elements:\n%s", tensor.Layout(), diff)
		}
	}
	for _, tt := range []struct {
		tensor layout.Tensor
		reason string
	}{
		{parsed(t, "[]", ""), "a scalar has one row"},
		{parsed(t, "2x0x3", ""), "an empty tensor has none"},
		{parsed(t, "1x7x5x5", "nChw8c"), "a blocked axis that ends inside a block"},
		{parsed(t, "3x5", "", strides(t, "-5,1")), "rows upside down"},
		{parsed(t, "3x5", "", strides(t, "5,-1"), dtype(t, "int4")), "halves of bytes before the base"},
		{parsed(t, "9", "", strides(t, "-1"), dtype(t, "int2")), "quarters of bytes before the base"},
		{parsed(t, "2x2", "", dtype(t, "unknown")), "a type without a size"},
		{parsed(t, "2x2", "", dtype(t, "complex128")), "the widest type"},
		{parsed(t, "3x5", "", strides(t, "99999999999,-200000000"), dtype(t, "float16")), "steps of nine digits"},
		{parsed(t, "3x5", "", strides(t, "-1,100000000"), dtype(t, "int4")), "steps of nine digits of half bytes"},
	} {
		t.Run(tt.reason, func(t *testing.T) { check(t, t, tt.tensor) })
	}
	t.Run("random", func(t *testing.T) {
		rapid.Check(t, func(rt *rapid.T) { check(rt, t, tensors(4).Draw(rt, "tensor")) })
	})
}

// TestElementsLong has rows beyond the size of every buffer.
func TestElementsLong(t *testing.T) {
	tensor := parsed(t, "3x100x70", "HWC")
	text := written(t, Options{Format: CSV}, func(p *Printer) error { return p.Elements(tensor) })
	if diff := cmp.Diff(wantRows(tensor), readCSV(t, text)); diff != "" {
		t.Error(diff)
	}
}

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

// checkTables checks that each table has a line of delimiters and the same number of cells in each row.
func checkTables(t interface{ Fatalf(string, ...any) }, document string, tables [][][]string) {
	for _, table := range tables {
		if len(table) < 2 ||
			slices.ContainsFunc(table[1][:len(table[1])-1], func(c string) bool { return !delimiter.MatchString(c) }) {
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
		{`a\`, `a\\`, "would escape the bar after it"},
		{`a\|b`, `a\\\|b`, "an escape of the user's is a text"},
		{"`x`", "\\`x\\`", "would be code"},
		{"<script>", `\<script\>`, "would be HTML"},
		{"[x](y)", `\[x\](y)`, "would be a link"},
		{"*a* _b_", `\*a\* \_b\_`, "would be emphasis"},
		{"&lt;", `\&lt;`, "would be an entity"},
		{"a\nb", `a\\x0ab`, "a line break would end the row; its escape is escaped"},
		{"see https://x.y/z_1 or_so", "see `https://x.y/z_1` or\\_so", "would be a link"},
		{"www.x.y", "`www.x.y`", "too"}, {"ftp://x", "`ftp://x`", "too"},
		{"a@b.c", "`a@b.c`", "an address of mail"},
		{"cc @octocat, @all", "cc `@octocat,` `@all`", "would notify them"},
		{"a#12 GH-3 gh-x", "`a#12` `GH-3` gh-x", "would be noted in issues"},
		{"@`x|@y", "`` @`x ``\\|`@y`", "cannot leave the code, nor the cell"},
		{"w @ 3,1 # 5 a:b //x GH- @ www", "w @ 3,1 # 5 a:b //x GH- @ www", "no links"},
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
				document := written(t, Options{Format: Markdown, Width: width}, func(p *Printer) error {
					return a.write(p, tensor)
				})
				tables, _ := markdownTables(document)
				checkTables(rt, document, tables)
				l := tensor.Layout()
				none := a.name == "version" || l.Rank() == 0 && a.name == "strides" || l.Empty() ||
					a.name == "size" || // it is one sentence if all agree
					strings.Contains(document, "--all shows the storage")
				if len(tables) == 0 && !none {
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
		document := written(tb, Options{Format: Markdown, Width: 10_000}, func(p *Printer) error {
			return p.Picture(tensor, v)
		})
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

// TestMarkdownAll shows more than a picture has room for.
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
