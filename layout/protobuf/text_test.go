package protobuf

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/lexer"
)

// schema has a field of each type.
const schema = `
syntax = "proto3";
// a comment

message Whole {
  string name = 1;
  repeated Whole.Part input = 2;
  repeated int64 dims = 3;
  oneof choice {
    bool a = 4;
    double b = 5;
  }
  map<string, uint32> c = 31;
  map<uint64, bool> k = 30;
  Kind d = 6;

  message Part {
    repeated bytes e = 1;
    repeated float f = 2;
    int32 g = 3;
    uint64 h = 4;
    Whole inner = 5;
  }
}

enum Kind {
  NONE = 0;
  SOME = 1;
}

message Empty {}

message Empty {}
`

// parsed is the schema.
var parsed = sync.OnceValue(func() *Schema { return ParseSchema(schema) })

// parse reads a message Whole.
func parse(text string) (*Document, error) {
	return ParseText([]byte(text), parsed().Message("Whole"))
}

// TestSchema reads a schema.
func TestSchema(t *testing.T) {
	s := ParseSchema(schema)
	var list []string
	for _, m := range s.Messages {
		for _, f := range m.Fields() {
			text := fmt.Sprintf("%s.%s=%d type %d wires %b", m.Name, f.Name, f.Number, f.Type, f.wires)
			if f.Repeated {
				text += " repeated"
			}
			if f.Message != nil {
				text += " of " + strconv.Quote(f.Message.Name)
			}
			if f.Enum != nil {
				text += " of " + strings.Join(f.Enum.Values, ",")
			}
			list = append(list, text+" "+f.Oneof)
		}
	}
	want := []string{
		"Whole.name=1 type 2 wires 100 ", `Whole.input=2 type 0 wires 100 repeated of "Whole.Part" `,
		"Whole.dims=3 type 6 wires 101 repeated ", "Whole.a=4 type 4 wires 1 choice",
		"Whole.b=5 type 10 wires 10 choice",
		`Whole.c=31 type 0 wires 100 repeated of "" `,
		`Whole.k=30 type 0 wires 100 repeated of "" `, "Whole.d=6 type 1 wires 1 of NONE,SOME ",
		"Whole.Part.e=1 type 3 wires 100 repeated ", "Whole.Part.f=2 type 9 wires 100100 repeated ",
		"Whole.Part.g=3 type 5 wires 1 ", "Whole.Part.h=4 type 8 wires 1 ",
		`Whole.Part.inner=5 type 0 wires 100 of "Whole" `,
	}
	if !slices.Equal(list, want) {
		t.Errorf("%q", list)
	}
	entry := s.Message("Whole").Field("c").Message
	if len(entry.Fields()) != 2 || entry.Field("value").Type != Uint32Type {
		t.Errorf("an entry of a map is %+v", entry)
	}
}

// TestJudge compares inputs with the schema.
func TestJudge(t *testing.T) {
	for text, want := range map[string]string{
		`name: "x" input { e: ["y", "z"] f: 1.5 g: -1 h: 1 inner { } } dims: [1, 2] a: true`: "",
		`c { key: "k" value: 1 }`: "",
		`d: SOME b: -inf`:         "", `d: 1`: "", `d: OTHER`: `0 d cannot be "OTHER" (meant OTHER)`,
		`nme: "x"`:  `1 a text has no field "nme" (did you mean name?)`,
		`inner { }`: `1 a text has no field "inner" (it is a field of Whole.Part)`,
		`newer: 1`:  `1 a text has no field "newer" ()`,
		`dims: x`:   `0 dims is an integer, not "x" ()`, `input { g: 2147483648 }`: `0 g is from -2147483648 to ` +
			`2147483647, not "2147483648" ()`,
		`a: true b: 1`:                  `0 a and b cannot both be stated (remove one of them)`,
		`c { key: "k" } c { key: "k" }`: `2 c has the key "k" twice: the last one holds (remove one of them)`,
		`k { key: 1 } k { key: 2 } k { key: 0x1 }`: `2 k has the key "1" twice: the last one holds ` +
			`(remove one of them)`,
		`name: ["x"]`:                       `0 name has one value, not a list (remove the brackets)`,
		`name: "x" name: "y"`:               `0 name is stated twice (remove one of them)`,
		`name: "" name: "y"`:                "",
		`c: 1`:                              `0 c is a message in braces, not "1" (write c { })`,
		`name { }`:                          `0 a colon is missing after name (write name: )`,
		`name: { }`:                         `0 name is a text, not a message in braces ()`,
		`a: 2`:                              `0 a is true or false, not "2" ()`,
		`b: 0x1`:                            `0 b is a decimal number, not "0x1" ()`,
		`name: x`:                           `0 name is a text, not "x" (put it in quotes)`,
		`input { h: 18446744073709551615 }`: "",
		`input { h: -1 } dims: 9223372036854775808`: `0 h is from 0 to 18446744073709551615, not "-1" (); ` +
			`0 dims is from -9223372036854775808 to 9223372036854775807, not "9223372036854775808" ()`,
	} {
		d, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		meant := func(word string, _ *Enum) string { return "meant " + word }
		d.Judge("a text", meant, func(kind FaultKind, _ int32, fault func() Fault) {
			list = append(list, fmt.Sprintf("%d %s (%s)", kind, fault().Message, fault().Fix))
		})
		if got := strings.Join(list, "; "); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestText compares the reading of an input with protobuf's own reader in C++ (text_format.cc, tokenizer.cc). A column
// of 0 means that the input is valid.
func TestText(t *testing.T) {
	tests := []struct {
		text   string
		column int
		reason string
	}{
		{"", 0, "an empty message"},
		{"# only a comment", 0, "the same"},
		{"name: 'a' # comment\n", 0, "a comment after a field"},
		{"name: \"a # b\"", 0, "not a comment"},
		{"// name", 1, `Expected identifier, got: /`},
		{"/* */", 1, `Expected identifier, got: /`},
		{"{ name: 'a' }", 1, `Expected identifier, got: {`},
		{"name 'a'", 6, `Expected ":", found "'a'"`},
		{"name = 'a'", 6, `Expected ":", found "="`},
		{"a { }", 0, "a message"}, {"a: { }", 0, "with a colon"}, {"a < >", 0, "in other brackets"},
		{"a: < >", 0, "with a colon"},
		{"a { >", 5, `Expected "}", found ">"`}, {"a < }", 5, `Expected ">", found "}"`},
		{"a { ", 3, "no end"},
		{"a [ ]", 0, "an empty list"}, {"a: [1, 2]", 0, "a list"}, {"a [ {}, < > ]", 0, "of messages"},
		{"a: [1, 2, ]", 11, "Expected integer, got: ]"}, {"a [ {}, ]", 9, `Expected "{", found "]"`},
		{"a: [1 2]", 7, `Expected ",", found "2"`}, {"a [ {} {} ]", 8, `Expected ",", found "{"`},
		{"a: [ [1] ]", 6, "a list in a list"},
		{"a: [1", 4, "no end"}, {"a { b: [1,", 8, "the innermost"}, {"a [ {}", 3, "no end after a message"},
		{"a: 1 b: 2, c: 3; d { } e: 'x'f: 1", 0, "what is between fields"},
		{"a: 1,, b: 2", 6, "Expected identifier, got: ,"}, {"a: 1;; b: 2", 6, "Expected identifier, got: ;"},
		{"a: 1b: 2", 5, "Need space between number and identifier."},
		{"a: 010 b: 0x1F c: - 7", 0, "octal, hexadecimal, a sign with a blank"},
		{"a: 08", 4, "Numbers starting with leading zero must be in octal."},
		{"a: 0x", 4, `"0x" must be followed by hex digits.`},
		{"a: +1", 4, "no sign of that kind"},
		{"a: 1.5f b: 1e3 c: .5 d: 1. e: -inf f: 1F", 0, "decimal numbers"},
		{"a: 1e", 4, `"e" must be followed by exponent.`}, {"a: 1.2.3", 7, "Already saw decimal point"},
		{"a: 0x1.5", 7, "Hex and octal numbers must be integers."},
		{"a.5: 1", 2, "Need space between identifier and decimal point."},
		{"a: 'x' \"y\" # z\n'w'", 0, "parts that are joined"},
		{`a: '\n\t\'\"\?\101\x41\u00e9\U0010FFFF'`, 0, "escapes"},
		{`a: '\q'`, 5, "Invalid escape sequence in string literal."}, {`a: '\x'`, 5, "Expected hex digits"},
		{`a: '\u12'`, 5, "Expected four hex digits"}, {`a: '\U00110000'`, 0,
			"up to 1fffff: the reader does not look"},
		{`a: '\U00200000'`, 5, "Expected eight hex digits up to 10ffff"},
		{"a: 'x\n'", 4, "String literals cannot cross line boundaries."},
		{"a: 'x", 4, "Unexpected end of string."},
		{"a: -'x'", 5, "a sign before a text"},
		{"a: 1\x00", 5, "Invalid control characters"}, {"a: '\x00'", 5, "in a text"}, {"# \x00", 3, "in a comment"},
		{"a: 1 \x01", 6, "another one"},
		{"\xEF\xBB\xBFa: 1", 1, "Interpreting non ascii codepoint 239."}, {"a: é", 4, "outside of quotes"},
		{"a: 'é' # é", 0, "inside of them"}, {"a: '\xFF'", 5, "not UTF-8: nothing reads the value"},
		{"a: 1\r\nb: 2\r\n\tc: 3\f\v", 0, "blanks"},
		{"a: ${b}", 4, "Expected integer, got: $"}, {"a: {{ b }}", 4, "a template"}, {"{% if %}", 1, "a template"},
		{"a: '${b}'", 0, "a template in a text is one"},
		{"a: $b", 4, "a template"},
	}
	for _, tt := range tests {
		_, err := parse(tt.text)
		column := 0
		var wrong *lexer.SyntaxError
		if errors.As(err, &wrong) {
			column = wrong.Offset + 1
		}
		if column != tt.column {
			t.Errorf("%q: column %d, want %d: %s: %v", tt.text, column, tt.column, tt.reason, err)
		}
		if _, err := slowly(tt.text); (err == nil) != (tt.column == 0) {
			t.Errorf("%q: the slow reader says %v: %s", tt.text, err, tt.reason)
		}
	}
}

// TestAbsent looks for fields in a message that is not stated. The whole message has fields of the same names.
func TestAbsent(t *testing.T) {
	d, err := parse("a { a: true b: 2 } c { key: 'k' value: 1 }")
	if err != nil {
		t.Fatal(err)
	}
	if d.One(Root, "a") == Absent {
		t.Fatal("the whole message has no field a")
	}
	for _, name := range []string{"a", "b", "c", "unknown"} {
		if at := d.One(Absent, name); at != Absent {
			t.Errorf("a message that is not stated has the field %s at %d", name, at)
		}
	}
	if n := d.CountOf(Absent, "a"); n != 0 {
		t.Errorf("a message that is not stated has %d fields", n)
	}
}

// TestBrackets has values without brackets around them named where a comma shows that they are a list.
func TestBrackets(t *testing.T) {
	for text, want := range map[string]string{
		"dims: 3, 48, 64":   "brackets are missing around the values of dims",
		"a { b: 'x', 'y' }": "brackets are missing around the values of b",
		"a: 1.5, 2":         "brackets are missing around the values of a",
		"a: 1 2":            "expected the name of a field",
		"a: [1], 2":         "expected the name of a field",
		"a { }, 2":          "expected the name of a field",
		"3, 4":              "expected the name of a field",
	} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestTemplate distinguishes templates that were not filled in from other errors.
func TestTemplate(t *testing.T) {
	for _, text := range []string{"a: ${b}", "a: {{ b }}", "{% if %}", "a: <% b %>", "a: [${b}]", "${b}", "a: $b"} {
		_, err := parse(text)
		var template TemplateError
		if !errors.As(err, &template) || err.Error() != "a template that was not filled in" {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestHostileText checks that hostile inputs are rejected with a position.
func TestHostileText(t *testing.T) {
	layouttest.SkipUnlessAll(t, "the input is large")
	tests := []struct{ name, text string }{
		{"braces", strings.Repeat("{", 1_000_000)},
		{"messages", strings.Repeat("a{", 1_000_000)},
		{"a long text", "a: \"" + strings.Repeat("x", 1<<20) + "\""},
		{"a text of 16 MB", "a: \"" + strings.Repeat("x", 16<<20) + "\""},
		{"values", "a: [1" + strings.Repeat(",1", maxValues) + "]"},
		{"the longest text", strings.Repeat("#\n", MaxText/2) + "a"},
	}
	for _, tt := range tests {
		_, err := parse(tt.text)
		var e *lexer.SyntaxError
		if !errors.As(err, &e) || e.Offset > MaxText {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, err := parse("a: [1" + strings.Repeat(",1", maxValues-1) + "]"); err != nil {
		t.Errorf("as many values as there may be: %v", err)
	}
	if _, err := parse("a: \"" + strings.Repeat("x", maxString-2) + "\""); err != nil {
		t.Errorf("as long a text as there may be: %v", err)
	}
	depth := strings.Repeat("a{", maxNesting) + strings.Repeat("}", maxNesting)
	if _, err := parse(depth); err != nil {
		t.Errorf("as many messages in each other as there may be: %v", err)
	}
	if _, err := parse("a{" + depth + "}"); err == nil {
		t.Error("one more message passes")
	}
}

// FuzzText compares the reader with one that is slow and obvious.
func FuzzText(f *testing.F) {
	for _, text := range []string{
		"name: 'a' input [ { dims: [ 1, -1 ] }, < > ]", "a: 'x' \"\\n\" # z\n", "a: - 1.5e3f, b: 0x1F; c: 010",
		"a{b{}}",
		"a [ ] b: [ ] c: [ 'x' 'y', 'z' ]", "a: '\\U0001F600\\101\\x4'", "a: 1.5.", "a: {{b}}", "é", "a: \x00",
		"a: [ , ]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		defer layouttest.Limit(t, len(text))()
		compareReaders(t, text)
	})
}

// TestReaders is like FuzzText, for inputs that are made of tokens.
func TestReaders(t *testing.T) {
	tokens := strings.Fields(`a dims input: name: : : [ ] , ; { } { } < > - 1 -1 010 08
		 0x1F 0x 1.5 .5 1e3 1f 5. "x" 'y' "\n"
		'\101' '\q' # é $ ${ {{ true TYPE_FP32`)
	tokens = append(tokens, " ", "\n", " ", "\x00", "#\n", "\"\"")
	random := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		var b strings.Builder
		for range 1 + random.IntN(9) {
			b.WriteString(tokens[random.IntN(len(tokens))])
			if random.IntN(3) > 0 {
				b.WriteByte(' ')
			}
		}
		compareReaders(t, b.String())
	}
}

// compareReaders compares the results of the two readers.
func compareReaders(t *testing.T, text string) {
	d, err := parse(text)
	want, slowErr := slowly(text)
	if (err == nil) != (slowErr == nil) {
		t.Fatalf("%q: %v, the slow reader says %v", text, err, slowErr)
	}
	if err != nil {
		var wrong *lexer.SyntaxError
		if !errors.As(err, &wrong) || wrong.Offset > len(text) {
			t.Fatalf("%q: the error is %v", text, err)
		}
		return
	}
	var have strings.Builder
	dump(&have, d, Root)
	if have.String() != want {
		t.Fatalf("%q:\n%s\nthe slow reader has\n%s", text, have.String(), want)
	}
	d.Judge("a text", func(string, *Enum) string { return "" }, func(_ FaultKind, at int32, fault func() Fault) {
		if p := d.Place(at); fault().Message == "" || p.Line < 1 {
			t.Fatalf("%q: %+v at %+v", text, fault(), p)
		}
	})
}

// dump writes the fields of a message.
func dump(b *strings.Builder, d *Document, message int32) {
	for at := range d.Items(message) {
		v := &d.values[at]
		fmt.Fprintf(b, "%s", d.Name(at))
		switch {
		case v.kind == emptyKind:
			b.WriteString(" none")
		case v.kind == messageKind:
			b.WriteString("{")
			dump(b, d, at)
			b.WriteString("}")
		case v.kind == stringKind:
			fmt.Fprintf(b, "=%q", d.Text(at))
		case v.minus:
			fmt.Fprintf(b, "=-%s", d.unsigned(at))
		default:
			fmt.Fprintf(b, "=%s", d.unsigned(at))
		}
		b.WriteString("\n")
	}
}

// Tokens of the slow reader.
var (
	slowBlank  = regexp.MustCompile(`^(?:[ \t\r\n\v\f]|#[^\n\x00]*)+`)
	slowWord   = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*`)
	slowNumber = regexp.MustCompile(`^(?:0[xX][0-9a-fA-F]+|0[0-7]+|` +
		`(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?[fF]?)`)
	slowEscape = `\\(?:[abfnrtv\\?'"0-7]|[xX][0-9a-fA-F]|u[0-9a-fA-F]{4}|U00[01][0-9a-fA-F]{5})`
	slowString = regexp.MustCompile(`^(?:"(?:[^"\\\n\x00]|` + slowEscape + `)*"|` +
		`'(?:[^'\\\n\x00]|` + slowEscape + `)*')`)
)

// slowly reads text by recursive descent over regular expressions, and returns the output of dump.
func slowly(text string) (fields string, err error) {
	defer func() {
		if e, ok := recover().(error); ok {
			err = e
		}
	}()
	if len(text) > maxString {
		return "", fmt.Errorf("too long")
	}
	s := slowReader{rest: text}
	s.blanks()
	fields = s.fields(0)
	if s.rest != "" {
		panic(fmt.Errorf("unexpected %q", s.rest))
	}
	return fields, nil
}

type slowReader struct{ rest string }

func (s *slowReader) blanks() { s.rest = s.rest[len(slowBlank.FindString(s.rest)):] }

func (s *slowReader) token(e *regexp.Regexp) string {
	found := e.FindString(s.rest)
	s.rest = s.rest[len(found):]
	if e == slowNumber && found != "" && s.rest != "" && (lexer.IsWord(s.rest[0]) || s.rest[0] == '.') {
		panic(fmt.Errorf("after the number: %q", s.rest))
	}
	if e == slowWord && found != "" && regexp.MustCompile(`^\.[0-9]`).MatchString(s.rest) {
		panic(fmt.Errorf("after the word: %q", s.rest))
	}
	if found != "" {
		s.blanks()
	}
	return found
}

func (s *slowReader) take(symbol string) bool {
	if symbol == "" || !strings.HasPrefix(s.rest, symbol) {
		return false
	}
	s.rest = s.rest[len(symbol):]
	s.blanks()
	return true
}

func (s *slowReader) fields(depth int) string {
	var b strings.Builder
	for {
		name := s.token(slowWord)
		if name == "" {
			return b.String()
		}
		colon := s.take(":")
		if s.take("[") {
			if s.take("]") {
				b.WriteString(name + " none\n")
			} else {
				for b.WriteString(s.value(name, true, depth)); !s.take("]"); b.WriteString(s.value(name, true,
					depth)) {
					if !s.take(",") {
						panic(fmt.Errorf("no comma: %q", s.rest))
					}
				}
			}
		} else {
			b.WriteString(s.value(name, colon, depth))
		}
		if !s.take(";") {
			s.take(",")
		}
	}
}

func (s *slowReader) value(name string, scalar bool, depth int) string {
	for _, pair := range []string{"{}", "<>"} {
		if s.take(pair[:1]) {
			if depth == maxNesting {
				panic(fmt.Errorf("too deep"))
			}
			inside := s.fields(depth + 1)
			if !s.take(pair[1:]) {
				panic(fmt.Errorf("no %s: %q", pair[1:], s.rest))
			}
			return name + "{" + inside + "}\n"
		}
	}
	if !scalar {
		panic(fmt.Errorf("no colon"))
	}
	var text []byte
	any := false
	for part := s.token(slowString); part != ""; part = s.token(slowString) {
		if any = true; !utf8.ValidString(part) {
			panic(fmt.Errorf("not UTF-8"))
		}
		text = append(text, slowUnescape(part[1:len(part)-1])...)
	}
	if any {
		return fmt.Sprintf("%s=%q\n", name, text)
	}
	sign := ""
	if s.take("-") {
		sign = "-"
	}
	for _, e := range []*regexp.Regexp{slowWord, slowNumber} {
		if found := s.token(e); found != "" {
			return name + "=" + sign + found + "\n"
		}
	}
	panic(fmt.Errorf("no value: %q", s.rest))
}

// slowUnescape replaces escapes one after another.
func slowUnescape(text string) []byte {
	e := regexp.MustCompile(`\\(?:[0-7]{1,3}|[xX][0-9a-fA-F]{1,2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)`)
	return e.ReplaceAllFunc([]byte(text), func(found []byte) []byte {
		var n int
		switch c := found[1]; {
		case c >= '0' && c <= '7':
			fmt.Sscanf(string(found[1:]), "%o", &n)
			return []byte{byte(n)}
		case c == 'x' || c == 'X':
			fmt.Sscanf(string(found[2:]), "%x", &n)
			return []byte{byte(n)}
		case c == 'u' || c == 'U':
			fmt.Sscanf(string(found[2:]), "%x", &n)
			return []byte(string(rune(n)))
		}
		if i := bytes.IndexByte([]byte("abfnrtv"), found[1]); i >= 0 {
			return []byte{7 + []byte{0, 1, 5, 3, 6, 2, 4}[i]}
		}
		return found[1:]
	})
}
