package render

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestClean(t *testing.T) {
	tests := []struct{ in, want, reason string }{
		{"", "", "nothing to do"},
		{"NCHW16c", "NCHW16c", "ASCII stays"},
		{"Größe 漢字 🙂 e\u0301", "Größe 漢字 🙂 e\u0301", "letters of all scripts and their accents stay"},
		{`\x1b`, `\x1b`, "a text that only looks like an escape stays"},
		{"\ufffd", "\ufffd", "U+FFFD itself is a character"},
		{"a\x1b[2Jb", `a\x1b[2Jb`, "CSI: clears the screen"},
		{"\x1b]0;x\a", `\x1b]0;x\x07`, "OSC: sets the title, ends with BEL"},
		{"a\r\nb", `a\x0d\x0ab`, "CR and LF forge lines"},
		{"\x7f", `\x7f`, "DEL"},
		{"\u009b2J", `\u009b2J`, "CSI as a C1 character"},
		{"\x9b2J", `\x9b2J`, "CSI as a raw C1 byte, which is no UTF-8"},
		{"\xc3", `\xc3`, "a character cut short"},
		{"\xed\xa0\x80", `\xed\xa0\x80`, "a surrogate is no UTF-8"},
		{"\xc0\x80", `\xc0\x80`, "an overlong NUL is no UTF-8"},
		{"a\u202eb", `a\u202eb`, "turns the direction of writing"},
		{"\u2066\u2067\u2068\u2069\u200e\u200f\u061c", `\u2066\u2067\u2068\u2069\u200e\u200f\u061c`, "the other marks of direction"},
		{"a\u200bb\u200dc", `a\u200bb\u200dc`, "blanks of no width make two texts look the same"},
		{"\ufeff", `\ufeff`, "a byte order mark is not seen"},
		{"\u2028\u2029", `\u2028\u2029`, "line ends of Unicode"},
		{"\uffff\ufffe\U0010ffff", `\uffff\ufffe\u10ffff`, "no characters, which XML does not allow"},
		{"\U000e0041", `\ue0041`, "a tag character is not seen"},
	}
	for _, tt := range tests {
		if got := Clean(tt.in); got != tt.want {
			t.Errorf("Clean(%q) = %q, want %q: %s", tt.in, got, tt.want, tt.reason)
		}
	}
}

// TestCleanControls goes through all control characters of both sets, alone and between others.
func TestCleanControls(t *testing.T) {
	for r := rune(0); r < 0xa0; r++ {
		if r >= ' ' && r < 0x7f {
			continue
		}
		want := fmt.Sprintf(`\x%02x`, r)
		if r >= 0x80 {
			want = fmt.Sprintf(`\u%04x`, r)
		}
		if got := Clean("a" + string(r) + "b"); got != "a"+want+"b" {
			t.Errorf("%U gives %q", r, got)
		}
	}
	for b := 0x80; b < 0x100; b++ {
		if got, want := Clean("a"+string([]byte{byte(b)})+"b"), fmt.Sprintf(`a\x%02xb`, b); got != want {
			t.Errorf("the byte %#x gives %q, want %q", b, got, want)
		}
	}
}

func TestCleanLong(t *testing.T) {
	long := strings.Repeat("name", 16<<10)
	if Clean(long) != long {
		t.Error("a long name of letters does not stay")
	}
	if got := Clean(strings.Repeat("\x1b", 64<<10)); got != strings.Repeat(`\x1b`, 64<<10) {
		t.Errorf("a long name of escapes gives %d bytes", len(got))
	}
}

// checkClean holds what is true of any cleaned text.
func checkClean(t interface{ Fatalf(string, ...any) }, text string) {
	got := Clean(text)
	if fault := harm(got); fault != "" {
		t.Fatalf("Clean(%q) = %q holds %s", text, got, fault)
	}
	if again := Clean(got); again != got {
		t.Fatalf("Clean(%q) = %q, cleaned again %q", text, got, again)
	}
	workflow := strings.Contains(text, "::") || strings.Contains(text, "##[")
	if !workflow && strings.Trim(text, printableASCII) == "" && got != text {
		t.Fatalf("Clean(%q) = %q changes what is harmless", text, got)
	}
}

const printableASCII = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"

func TestCleanIsSafe(t *testing.T) {
	for _, text := range hostile {
		checkClean(t, text)
	}
	rapid.Check(t, func(t *rapid.T) { checkClean(t, hostiles().Draw(t, "text")) })
}

func FuzzClean(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkClean(t, text) })
}
