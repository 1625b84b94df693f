package processtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"layoutcalc/layout/layouttest"
)

// A completion is a line that ends at the cursor, the words that a shell offers there, and the words that it must not
// offer.
type completion struct{ line, want, about, no, reason string }

// completions are the completions that all shells must offer. About is in the description of each wanted word.
var completions = []completion{
	{"layoutcalc str", "strides", "Show the strides", "size", "commands"},
	{"layoutcalc strides 2x3x4x5 NH", "NHWC", "channels innermost", "NCHW channels_last", "layouts of rank 4"},
	{"layoutcalc strides '2x3' H", "HW", "a matrix", "NHWC", "words before may have quotes"},
	{"layoutcalc strides 2x3 --dt", "--dtype", "element type", "--dim", "flags"},
	{"layoutcalc strides 2x3 -o ", "table plain json csv markdown", "", "data.bin", "values after a letter"},
	{"layoutcalc strides 2x3 --output ", "table plain json csv markdown", "", "data.bin", "values after a flag"},
	{"layoutcalc strides 2x3 --as cu", "cute", "CuTe", "mlir data.bin", "notations to write, with descriptions"},
	{"layoutcalc strides 2x3 --as pytorch,cu", "pytorch,cute", "CuTe", "cute", "a list of them"},
	{"layoutcalc strides 2x3 --from xl", "xla", "XLA", "cute", "notations to read"},
	{"layoutcalc convert 2x3x4x5 NCHW --to NHW", "NHWC", "channels innermost", "NCHW", "a layout as a value"},
	{"layoutcalc strides 2x3 --get strides,by", "strides,bytes", "", "strides,span data.bin", "fields after the comma"},
	{"layoutcalc size 2x3 --get allo", "allocate", "", "bytes", "fields that only this command has"},
	{"layoutcalc check data.bin --get er", "error", "", "files", "fields of a summary"},
	{"layoutcalc check --report sar", "sarif=", "", "json=", "formats of reports"},
	{"layoutcalc strides 2x3 --batch ", "data.bin deep/", "", "NHWC", "files"},
	{"layoutcalc convert 2x3 HW WH --in da", "data.bin", "", "deep/", "files that start so"},
	{"layoutcalc check ", "data.bin deep/", "", "NHWC", "files as arguments"},
	{"layoutcalc strides ./da", "./data.bin", "", "NHWC", "a path in place of a shape"},
	{"layoutcalc strides da", "data.bin", "", "deep/", "a word in place of a shape"},
	{"layoutcalc strides @d", "@data.bin @deep/", "", "data.bin", "files after @"},
	{"layoutcalc check @da", "@data.bin", "", "@deep/", "files after @ where files are offered anyhow"},
	{"layoutcalc offset 2x3 --at @da", "@data.bin", "", "@deep/", "files after @ as a value"},
	{"layoutcalc strides w.safetensors --tensor ", "fc.weight fc.bias", "", "data.bin", "tensors of a file"},
	{"layoutcalc strides 2x3 --pitch H=", "", "", "data.bin deep/ H=data.bin", "no files after the axis"},
	{"layoutcalc strides 2x3 --pitch H=d", "", "", "data.bin deep/ H=data.bin", "no files after the axis"},
	{"layoutcalc help pict", "pictures", "Pictures", "strides data.bin", "topics"},
	{"layoutcalc explain overlap-", "overlap-input", "", "cute", "rules"},
	{"layoutcalc completion ", "bash zsh fish powershell", "", "data.bin", "shells"},
	{"layoutcalc strides 2x3 --pad ", "H= W=", "size", "data.bin", "axes of the shape"},
}

// inShell has the completions of single shells: bash has only the rest of a word after = and @ to complete.
var inShell = map[string][]completion{
	"bash": {
		{"layoutcalc man --dir ", "deep/", "", "data.bin", "directories"},
		{"layoutcalc strides 2x3 --as=cu", "cute", "", "mlir", "bash splits lines at ="},
		{"layoutcalc strides 2x3 --as=pytorch,cu", "pytorch,cute", "", "cute", "in a list too"},
		{"layoutcalc strides 2x3 --output=", "table plain", "", "data.bin", "nothing is after ="},
		{"layoutcalc check --target directml@6.", "@6.2 @6.4", "", "tma", "bash splits before @"},
		{"layoutcalc check --target=directml@6.", "@6.2 @6.4", "", "tma", "and at ="},
		{"layoutcalc view 2x3x4 'perm", "permute(0,2,1)", "", "T", "a quote that is open"},
		{"layoutcalc view 2x3 perm", "'permute(1,0)'", "", "T", "what needs quotes gets them"},
		{"layoutcalc strides 2x3 > made H", "", "", "NHWC", "nothing is written"},
	},
	"zsh": {
		{"layoutcalc man --dir ", "deep/", "", "data.bin", "directories"},
		{"layoutcalc strides 2x3 --as=cu", "--as=cute", "", "mlir", "a value after ="},
		{"layoutcalc strides 2x3 --output=", "--output=table --output=plain", "", "data.bin", "nothing is after ="},
		{"layoutcalc check --target directml@6.", "directml@6.2 directml@6.4", "", "tma", "versions"},
	},
	"fish": {
		{"layoutcalc strides 2x3 --as=cu", "--as=cute", "CuTe", "mlir", "a value after ="},
		{"layoutcalc strides 2x3 --output=", "--output=table --output=plain", "", "data.bin", "nothing is after ="},
		{"layoutcalc check --target directml@6.", "directml@6.2 directml@6.4", "", "tma", "versions"},
	},
}

// commandLines returns lines with strings that have an effect if a shell evaluates them: as words before the cursor,
// and as the word that is completed, in quotes and without.
func commandLines() (tests []completion) {
	quoted := "layoutcalc strides 2x3"
	for _, text := range []string{
		"(touch made)", "$(touch made)", "`touch made`", ";touch made;", "a\ntouch made\n", ">made", "<(touch made)",
		"x$(touch made)/", "x`touch made`/", "x$[a[$(touch made)]]/", "~$(touch made)/", "${a:=$(touch made)}/",
	} {
		tests = append(tests,
			completion{line: "layoutcalc strides " + text + " H", reason: "a word before"},
			completion{line: "layoutcalc check " + text, reason: "a path"},
			completion{line: `layoutcalc check "` + text, reason: "a path in quotes"},
			completion{line: `layoutcalc check "` + text + `"`, reason: "a path after which a quote is closed"},
		)
		quoted += " --batch '" + text + "'"
	}
	return append(tests, completion{quoted + " --as cu", "cute", "CuTe", "mlir", "words before, in quotes"})
}

// twoTensors is a file with a header of 136 bytes, and 12 of data.
const twoTensors = "\x88\x00\x00\x00\x00\x00\x00\x00" +
	`{"fc.weight":{"dtype":"F16","shape":[2,2],"data_offsets":[0,8]},` +
	`"fc.bias":{"dtype":"F16","shape":[2],"data_offsets":[8,12]}}` + "            " + "123456789012"

// TestCompletionInShells has real shells complete lines. A shell prints a line "> number" for each of them, and then
// the words that it offers, with a tab before descriptions.
func TestCompletionInShells(t *testing.T) {
	layouttest.SkipUnlessAll(t, "shells start hundreds of processes")
	for shell, script := range map[string]func(lines []string) string{
		"bash": bashLines, "zsh": zshLines, "fish": fishLines,
	} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skip(shell + " is not installed")
			}
			bin, dir := t.TempDir(), t.TempDir()
			self, err := os.Executable()
			if err == nil {
				err = os.Symlink(self, filepath.Join(bin, "layoutcalc"))
			}
			if err == nil {
				err = os.Mkdir(filepath.Join(dir, "deep"), 0o777)
			}
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, "data.bin"), nil, 0o666)
			}
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, "w.safetensors"), []byte(twoTensors), 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
			tests := slices.Concat(completions, inShell[shell], commandLines())
			var lines []string
			for _, tt := range tests {
				lines = append(lines, tt.line)
			}
			c := exec.Command(path, "-c", script(lines))
			c.Dir, c.WaitDelay = dir, time.Second
			c.Env = append(os.Environ(), "LAYOUTCALC_TEST_MAIN=1", "HOME="+bin, "PATH="+bin+":"+os.Getenv("PATH"),
				"LC_ALL=C.UTF-8", "TERM=xterm", "COLUMNS=120")
			out, err := c.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			answers := strings.Split("\n"+string(out), "\n>")
			if len(answers) != len(tests)+1 {
				t.Fatalf("%d answers to %d lines:\n%s", len(answers)-1, len(tests), out)
			}
			for i, tt := range tests {
				checkOffers(t, tt, answers[i+1])
			}
			if _, err := os.Stat(filepath.Join(dir, "made")); err == nil {
				t.Error("completion has carried out a part of a line")
			}
		})
	}
}

// TestCompletionReadsNoStream completes the axes of a file and of a pipe with the same text: the pipe stays unread.
func TestCompletionReadsNoStream(t *testing.T) {
	const stdin, text = "/dev/stdin", `{"dtype": "f32", "sizes": [2, 3]}`
	if _, err := os.Stat(stdin); err != nil {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "tensor.json")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{file: true, stdin: false} {
		c := program(t, "__complete", "strides", path, "--pad", "")
		c.Stdin = strings.NewReader(text)
		if out, err := c.Output(); err != nil || strings.Contains(string(out), "W=") != want {
			t.Errorf("%s: %v, offers\n%s", path, err, out)
		}
	}
}

// checkOffers checks the words that a shell offers for a line: one per line, with descriptions after a tab.
func checkOffers(t *testing.T, tt completion, answer string) {
	t.Helper()
	offered := map[string]string{}
	for line := range strings.Lines(answer) {
		name, about, _ := strings.Cut(strings.TrimSpace(line), "\t")
		offered[name] = about
	}
	for name := range strings.FieldsSeq(tt.want) {
		if about, ok := offered[name]; !ok || about != "" && !strings.Contains(about, tt.about) {
			t.Errorf("%s: no %s with %q: %s%s", tt.line, name, tt.about, tt.reason, answer)
		}
	}
	for name := range strings.FieldsSeq(tt.no) {
		if _, ok := offered[name]; ok {
			t.Errorf("%s: offers %s: %s%s", tt.line, name, tt.reason, answer)
		}
	}
}

// bashLines is a script that calls the function of the completion as bash does, with the words that bash makes of a
// line, and lists files where bash would.
func bashLines(lines []string) string {
	script := `
if declare -F _init_completion >/dev/null; then echo the package bash-completion is loaded; exit 1; fi
source <(layoutcalc completion bash)
complete -p layoutcalc | grep -q -- '-F _layoutcalc layoutcalc$' || exit 1
compopt() { options+=" $*"; }
try() {
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=$2 options=
	echo ">"
	_layoutcalc layoutcalc "${COMP_WORDS[COMP_CWORD]}"
	if [[ ${#COMPREPLY[@]} == 0 && $options != *"+o default"* ]]; then
		compgen -f -- "${COMP_WORDS[COMP_CWORD]}" | while read -r file; do
			if [[ -d $file ]]; then file+=/; fi
			echo "$file"
		done
	fi
	for word in "${COMPREPLY[@]}"; do
		if [[ -d $word ]]; then word+=/; fi
		name=${word%%  *(*}
		echo "$name"$'\t'"${word:${#name}}"
	done
}
`
	for _, line := range lines {
		script += "COMP_WORDS=(" + strings.Join(bashWords(line), " ") + "); try " + inQuotes(line) + " 63\n"
	}
	return script
}

// bashWords returns the words of a line, quoted: bash splits at spaces, and at = and other characters that stay as
// words.
func bashWords(line string) (list []string) {
	word, quote, isOpen := "", rune(0), true
	end := func() {
		if word != "" || isOpen {
			list = append(list, inQuotes(word))
		}
		word, isOpen = "", false
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
			word += string(r)
		case quote == 0 && (r == ' ' || r == '\n'):
			end()
			isOpen = true
		case quote == 0 && strings.ContainsRune("=:@", r):
			if word != "" {
				end()
			}
			word = string(r)
			end()
			continue
		default:
			if r == '\'' || r == '"' {
				quote = r
			}
			word += string(r)
		}
	}
	if isOpen || word != "" {
		list = append(list, inQuotes(word))
	}
	return list
}

func inQuotes(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// fishLines is a script that uses fish's own completion.
func fishLines(lines []string) string {
	script := "layoutcalc completion fish | source\n"
	escape := strings.NewReplacer(`\`, `\\`, "'", `\'`)
	for _, line := range lines {
		script += "echo '>'; complete -C '" + escape.Replace(line) + "'\n"
	}
	return script
}

// zshLines is a script that runs an interactive zsh in a terminal of its own, whose command compadd, to which all
// completions go, also writes them to a file.
func zshLines(lines []string) string {
	script := `
zmodload zsh/zpty
cat >inner <<'END'
PROMPT=
autoload -U compinit; compinit -u -D
source <(layoutcalc completion zsh)
compadd() {
	if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
	typeset -a hits about prefix hidden suffix
	zmodload -F zsh/zutil b:zparseopts
	zparseopts -E -a discard d:=about P:=prefix p:=hidden S:=suffix
	if (( $#about )); then about=("${(@P)about[2]}"); fi
	builtin compadd -A hits -D about "$@"
	for ((i = 1; i <= $#hits; i++)); do
		if [[ -d $hits[i] ]]; then suffix[2]=/; fi
		print -r -- "$IPREFIX$prefix[2]$hidden[2]$hits[i]$suffix[2]"$'\t'"$about[i]" >>found
		suffix[2]=
	done
	builtin compadd "$@"
}
try() {
	while IFS= read -rd $'\1' line; do
		print ">" >>found
		BUFFER=$line CURSOR=$#line
		zle list-choices
	done <lines
	BUFFER=
	print done >all
	exit
}
zle -N try
bindkey '^T' try
print ready >ready
END
cat >lines <<'END'
` + strings.Join(lines, "\x01") + "\x01" + `
END
: >found
zpty inner zsh -f -i
zpty -w inner 'source ./inner'
until [[ -s ready ]]; do sleep 0.05; done
zpty -w -n inner $'\C-t'
until [[ -s all ]] || ! zpty -t inner; do zpty -r -t inner discard; sleep 0.05; done
zpty -d inner
cat found
`
	return script
}
