package suggest_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"layoutcalc/cmd/suggest"
)

// TestQuote has arguments as shells need them.
func TestQuote(t *testing.T) {
	for arg, want := range map[string][2]string{
		"2x3": {"2x3", "2x3"}, "": {"''", ""}, "a b": {"'a b'", `"a b"`}, "it's": {`'it'\''s'`, `"it's"`},
		"[1]": {"'[1]'", `"[1]"`}, "H=2,W=3": {"H=2,W=3", `"H=2,W=3"`}, "@a.txt": {"@a.txt", `"@a.txt"`},
		"permute(0,2,1)": {"'permute(0,2,1)'", `"permute(0,2,1)"`}, "NHWC": {"NHWC", "NHWC"},
		"memref<2x3xf32>": {"'memref<2x3xf32>'", `"memref<2x3xf32>"`}, `{"a": 1}`: {`'{"a": 1}'`, ""},
		`models\a.npy`: {`'models\a.npy'`, `models\a.npy`}, `my models\`: {`'my models\'`, ""},
		"50%": {"50%", `"50%"`}, "%0, %1": {"'%0, %1'", ""},
		"$x[2,3]": {"'$x[2,3]'", "'$x[2,3]'"}, "$x y": {"'$x y'", ""},
		"--a.b": {"--a.b", `"--a.b"`}, "--at=3": {"--at=3", "--at=3"},
	} {
		for i, shell := range [...]suggest.Shell{suggest.POSIX, suggest.Windows} {
			if got, ok := shell.Quote(arg); ok != (want[i] != "") || ok && got != want[i] {
				t.Errorf("Quote(%q) = %s, %t, want %s", arg, got, ok, want[i])
			}
		}
	}
}

// TestWindowsShells quotes all short strings of characters with meanings, and parses the lines by the rules of cmd.exe
// and of PowerShell 5 and 7. The program must get the argument, and another one after it.
func TestWindowsShells(t *testing.T) {
	letters := []rune("a2 \t\"'$`%\\/,;&|<>^()[]{}@#=+-._:*?!~“‘")
	texts := []string{
		"[:, 1:3]", "f32[2,3]{0,1}", "memref<2x3xf32, strided<[1, 2]>>", `C:\my models\a.npy`, "N=1,C=3", "a -> b c",
	}
	for _, a := range letters {
		for _, b := range letters {
			texts = append(texts, string([]rune{a, b}))
			for _, c := range letters {
				texts = append(texts, string([]rune{a, b, c}))
			}
		}
	}
	quoted := 0
	for _, text := range texts {
		word, ok := suggest.Windows.Quote(text)
		if !ok {
			continue
		}
		quoted++
		for name, read := range map[string]func(string) []string{
			"cmd.exe": cmdExe, "PowerShell 5": powerShell(5), "PowerShell 7": powerShell(7),
		} {
			got := read(word + " end")
			if len(got) > 0 && len(got[0]) > 1 && word[0] == '\'' { // the program drops quotes that a shell leaves
				got[0] = strings.Trim(got[0], "'")
			}
			if !slices.Equal(got, []string{text, "end"}) {
				t.Fatalf("%s reads %q of %s as %q", name, text, word, got)
			}
		}
	}
	if quoted*2 < len(texts) {
		t.Errorf("only %d of %d texts can be quoted", quoted, len(texts))
	}
}

// TestWindowsDocument reads the commands of the document on Windows as each shell does: all of them pass on the same
// arguments.
func TestWindowsDocument(t *testing.T) {
	text, err := os.ReadFile("../../docs/windows.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range strings.Lines(string(text)) {
		at := strings.Index(line, "layoutcalc ")
		if at != 0 && !strings.HasPrefix(line, "type ") {
			continue
		}
		line, _, _ = strings.Cut(strings.TrimSpace(line[at:]), " > ")
		want := cmdExe(line)
		for version, read := range map[int]func(string) []string{5: powerShell(5), 7: powerShell(7)} {
			if got := read(line); len(want) < 3 || !slices.Equal(got, want) {
				t.Errorf("%s: cmd.exe passes on %q, PowerShell %d %q", line, want, version, got)
			}
		}
		lines++
	}
	if lines < 7 {
		t.Errorf("only %d commands", lines)
	}
}

// argv splits a command line by the rules of CommandLineToArgvW: spaces separate arguments outside of quotes. If 2n
// backslashes come before a quote, n of them are kept; if 2n+1, n of them and the quote. Other backslashes have no
// meaning.
func argv(line string) (args []string) {
	word, isWord, inside := "", false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\':
			n := 1
			for ; i+1 < len(line) && line[i+1] == '\\'; i++ {
				n++
			}
			isWord = true
			if i+1 == len(line) || line[i+1] != '"' {
				word += strings.Repeat(`\`, n)
				continue
			}
			word += strings.Repeat(`\`, n/2)
			if n%2 == 1 {
				word += `"`
				i++
			}
		case c == '"':
			if inside && i+1 < len(line) && line[i+1] == '"' {
				word += `"`
				i++
			}
			inside, isWord = !inside, true
		case (c == ' ' || c == '\t') && !inside:
			if isWord {
				args = append(args, word)
			}
			word, isWord = "", false
		default:
			word, isWord = word+line[i:i+1], true
		}
	}
	if isWord {
		args = append(args, word)
	}
	return args
}

// cmdExe reads a line as cmd.exe does, in an environment that has every variable: %NAME% is replaced even in quotes.
// Outside of quotes ^ escapes, and &, |, < and > have a meaning. What is left goes to the program as it is.
func cmdExe(line string) []string {
	for i := 0; ; i++ {
		start := strings.IndexByte(line, '%')
		if start < 0 {
			break
		}
		end := strings.IndexByte(line[start+1:], '%')
		if end <= 0 {
			break
		}
		line = line[:start] + "replaced" + line[start+end+2:]
	}
	tail, inside := "", false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			inside = !inside
		case inside:
		case c == '^':
			i++
			continue
		case strings.IndexByte("&|<>", c) >= 0:
			return nil
		}
		tail += line[i : i+1]
	}
	return argv(tail)
}

// powerShell returns a function that parses the arguments of a program like a version of PowerShell. Commas make an
// array, which becomes several arguments. PowerShell cuts a flag before a dot and a colon, replaces what follows a $,
// and gives many other characters a meaning outside of quotes. Version 5 puts quotes around an argument with spaces,
// changes nothing inside it, and drops empty arguments; version 7 escapes the content.
func powerShell(version int) func(string) []string {
	const doubles, singles = "\"“”„", "'‘’‚‛"
	return func(line string) []string {
		var words []string
		word, isWord, runes := "", false, []rune(line)
		for i := 0; i < len(runes); i++ {
			c := runes[i]
			quotes := ""
			for _, kind := range [...]string{doubles, singles} {
				if strings.ContainsRune(kind, c) {
					quotes = kind
				}
			}
			switch {
			case quotes != "":
				isWord = true
				for i++; ; i++ {
					switch {
					case i >= len(runes), quotes == doubles && (runes[i] == '$' || runes[i] == '`'):
						return nil
					case !strings.ContainsRune(quotes, runes[i]):
						word += string(runes[i])
						continue
					case i+1 < len(runes) && strings.ContainsRune(quotes, runes[i+1]):
						word += string(runes[i])
						i++
						continue
					}
					break
				}
			case unicode.IsSpace(c) || c == ',':
				if isWord {
					words = append(words, word)
				}
				word, isWord = "", false
			case strings.ContainsRune("$`;&|<>(){}", c), !isWord && strings.ContainsRune("@#~[", c):
				return nil
			case (c == '.' || c == ':') && strings.HasPrefix(word, "-"):
				words, word = append(words, word), string(c)
			default:
				word, isWord = word+string(c), true
			}
		}
		if isWord {
			words = append(words, word)
		}
		var passed []string
		for _, w := range words {
			switch {
			case version == 5 && w == "":
				continue
			case version == 5 && strings.ContainsAny(w, " \t"):
				w = `"` + w + `"`
			case version == 7 && (w == "" || strings.ContainsAny(w, " \t\"")):
				var b strings.Builder
				for i := range len(w) {
					rest := strings.TrimLeft(w[i:], `\`)
					if w[i] == '\\' && (rest == "" || rest[0] == '"') || w[i] == '"' {
						b.WriteByte('\\')
					}
					b.WriteByte(w[i])
				}
				w = `"` + b.String() + `"`
			}
			passed = append(passed, w)
		}
		return argv(strings.Join(passed, " "))
	}
}
