package notation

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/lexer"
)

var updateCorpus = flag.Bool("update-corpus", false, "rewrite the readings in testdata/corpus.txt")

const corpusFile = "testdata/corpus.txt"

// A corpusLine is an input and its reading: the system and the tensors, or ! if it is rejected.
type corpusLine struct{ text, want string }

// corpus returns the lines of a table: a quoted input, a tab, and its reading.
func corpus(t testing.TB, file string) (lines []corpusLine) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := bufio.NewScanner(strings.NewReader(string(data)))
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		quoted, want, _ := strings.Cut(s.Text(), "\t")
		text, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%s: %v: %s", file, err, quoted)
		}
		lines = append(lines, corpusLine{text, want})
	}
	return lines
}

// readingOf returns the reading of text in one line.
func readingOf(text string) string {
	found, err := Read(text, Options{})
	if err != nil {
		return "!"
	}
	return strings.ReplaceAll(readingOfTensors(found), "\n", `\n`)
}

func readingOfTensors(found []Descriptor) string {
	var b strings.Builder
	b.WriteString(found[0].Notation.system())
	for i, d := range found {
		if i == 12 {
			fmt.Fprintf(&b, "; and %d more", len(found)-i)
			break
		}
		if d.Fault != nil {
			fmt.Fprintf(&b, "; %s ! %s", d.Name, d.Fault)
			continue
		}
		fmt.Fprintf(&b, "; %s %s", d.Name, meaning(d))
		if s := &d.Stated; s.Total.Stated || s.Alignment.Stated || len(s.Flags) > 0 {
			fmt.Fprintf(&b, " {%d bytes, alignment %d, %v}", s.Total.Value, s.Alignment.Value, s.Flags)
		}
		for _, note := range d.Skipped {
			b.WriteString(" | " + note)
		}
	}
	return b.String()
}

// TestCorpus compares the reading of each input in the tests, transcripts and documents with the table.
func TestCorpus(t *testing.T) {
	t.Parallel()
	lines := corpus(t, corpusFile)
	if *updateCorpus {
		var b strings.Builder
		for _, l := range lines {
			fmt.Fprintf(&b, "%q\t%s\n", l.text, readingOf(l.text))
		}
		if err := os.WriteFile(corpusFile, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, l := range lines {
		if got := readingOf(l.text); got != l.want {
			t.Errorf("%q\nis   %s\nwant %s", l.text, got, l.want)
		}
	}
}

// foreign returns the lines of a file.
func foreign(t testing.TB, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimRight(string(data), "\n"), "\n")
}

// TestForeign reads strings that are not tensors. Each must be rejected, or a note must name the ignored part.
func TestForeign(t *testing.T) {
	t.Parallel()
	for _, text := range foreign(t, "testdata/foreign.txt") {
		found, err := Read(text, Options{})
		if err == nil && len(found[0].Skipped) == 0 {
			t.Errorf("%s\nis read without a note: %s", text, readingOfTensors(found))
		}
	}
}

// Comments to put before and after the inputs of the corpus.
var comments = [...]string{
	"/* a comment */", "// np.empty((2, 3))\n", "/* onednn_verbose,exec */", "# DML_BUFFER_TENSOR_DESC\n",
	"// torch.Size([2, 3])\n",
}

// TestComments puts a comment before and after each input that is read. The reading must not change.
func TestComments(t *testing.T) {
	t.Parallel()
	for _, l := range corpus(t, corpusFile) {
		if l.want == "!" || strings.HasPrefix(l.want, "name;") || strings.HasPrefix(l.text, "//") {
			continue // everything in such an input is a comment
		}
		for _, comment := range comments {
			for _, text := range []string{comment + l.text, l.text + "\n" + comment} {
				if got := readingOf(text); got != l.want {
					t.Errorf("%q\nis   %s\nwant %s", text, got, l.want)
				}
			}
		}
	}
}

// TestCoverage puts an unknown word between any two tokens of each input that is read. The result must be rejected, or
// a note must name the word. In names, strings and attributes, the word belongs to them.
func TestCoverage(t *testing.T) {
	t.Parallel()
	const word, longest = "zqxw", 1500
	isWord := func(text string) func(lexer.Token) bool {
		return func(token lexer.Token) bool { return text[token.At:token.End] == word }
	}
	step := layouttest.Step()
	for n, l := range corpus(t, corpusFile) {
		if n%step != 0 || l.want == "!" || len(l.text) > longest {
			continue
		}
		tokens := lexer.Lex(l.text)
		for i, token := range tokens {
			if i > 0 && tokens[i-1].Slashed || token.Slashed {
				continue // in a comment or at its end
			}
			text := l.text[:token.At] + " " + word + " " + l.text[token.At:]
			if !slices.ContainsFunc(lexer.Lex(text), isWord(text)) || isImplementation(text, word) ||
				isNoted(l, tokens, i) {
				continue
			}
			found, err := Read(text, Options{})
			if err == nil && readingOfTensors(found) == l.want {
				t.Errorf("%s: read without a note of %s:\n%s", found[0].Notation.Name, word, text)
			}
		}
	}
}

// isImplementation reports whether word is the name of the implementation in a oneDNN verbose line: a field after the
// kind of primitive, two fields before the descriptors. The library makes up this name.
func isImplementation(text, word string) bool {
	for line := range strings.Lines(text) {
		fields := strings.Split(line, ",")
		at := slices.IndexFunc(fields, func(field string) bool { return lexer.Like(field, "*::blocked:*") })
		if at > 2 && lexer.Like(fields[0], "*_verbose") && strings.TrimSpace(fields[at-2]) == word {
			return true
		}
	}
	return false
}

// isNoted reports whether a token is in the brackets of an argument that a note of the reading names as ignored.
func isNoted(l corpusLine, tokens []lexer.Token, i int) bool {
	depth := 0
	for k := i - 1; k > 1; k-- { // from bracket to bracket outwards
		if depth -= tokens[k].Bracket(l.text); depth < 0 {
			if k > 2 && tokens[k-1].Kind == lexer.Word { // place=Place(gpu:0)
				k--
			}
			key := l.text[tokens[k-2].At:tokens[k-2].End]
			if l.text[tokens[k-1].At] == '=' && strings.Contains(l.want, "| "+key+" is not read") {
				return true
			}
			depth = 0
		}
	}
	return false
}
