package cmd_test

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"layoutcalc/cmd"
	"layoutcalc/layout/layouttest"
)

// variables reads "A=1 B=2".
func variables(text string) map[string]string {
	env := map[string]string{}
	for _, pair := range strings.Fields(text) {
		key, value, _ := strings.Cut(pair, "=")
		env[key] = value
	}
	return env
}

// TestColors checks all settings of colours, for an output that is not a terminal. The flag takes precedence over the
// variables. Their meaning is from no-color.org, bixense.com/clicolors and force-color.org.
func TestColors(t *testing.T) {
	tests := []struct {
		flag, env string
		want      bool
		reason    string
	}{
		{reason: "a buffer is not a terminal"},
		{flag: "--color=auto", reason: "auto is the default"},
		{flag: "--color=always", want: true, reason: "the flag forces"},
		{flag: "--color=always", env: "NO_COLOR=1", want: true, reason: "the flag comes first"},
		{flag: "--color=always", env: "TERM=dumb", want: true, reason: "before TERM too"},
		{flag: "--color=never", env: "CLICOLOR_FORCE=1 FORCE_COLOR=1", reason: "the flag comes first"},
		{flag: "--color=ALWAYS", want: true, reason: "words in any case"},
		{flag: "--color=auto", env: "NO_COLOR=1 FORCE_COLOR=1", reason: "then NO_COLOR"},
		{env: "NO_COLOR=1 CLICOLOR_FORCE=1", reason: "then NO_COLOR"},
		{env: "NO_COLOR=0 FORCE_COLOR=1", reason: "any value of NO_COLOR counts"},
		{env: "NO_COLOR= FORCE_COLOR=1", want: true, reason: "but an empty one does not"},
		{env: "CLICOLOR_FORCE=1", want: true, reason: "then those that force"},
		{env: "FORCE_COLOR=1", want: true, reason: "then those that force"},
		{env: "FORCE_COLOR=true", want: true, reason: "force-color.org: any value"},
		{env: "FORCE_COLOR=3", want: true, reason: "chalk's depth of colours"},
		{env: "FORCE_COLOR=0", reason: "chalk: 0 is off"},
		{env: "FORCE_COLOR=false", reason: "chalk: false is off"},
		{env: "FORCE_COLOR=", reason: "empty is unset"},
		{env: "CLICOLOR_FORCE=0", reason: "clicolors: 0 is off"},
		{env: "CLICOLOR_FORCE=0 FORCE_COLOR=1", want: true, reason: "either forces"},
		{env: "FORCE_COLOR=1 TERM=dumb", want: true, reason: "they come before TERM"},
		{env: "FORCE_COLOR=1 CLICOLOR=0", want: true, reason: "and before CLICOLOR"},
		{env: "CLICOLOR=1", reason: "CLICOLOR asks for colours on terminals only"},
	}
	for _, tt := range tests {
		args := strings.Fields("strides 2x3 " + tt.flag)
		r := runWith(nil, variables(tt.env), args...)
		if r.code != 0 || strings.Contains(r.out, "\x1b[") != tt.want {
			t.Errorf("%s %v: exit %d, colours %v, want %v: %s", tt.env, args, r.code, !tt.want, tt.want, tt.reason)
		}
		args[1] = "2xq"
		r = runWith(nil, variables(tt.env), args...)
		if r.code != 2 || strings.Contains(r.stderr, "\x1b[") != tt.want {
			t.Errorf(
				"%s %v: exit %d, colours in the message %v, want %v: %s", tt.env, args, r.code, !tt.want, tt.want,
				tt.reason,
			)
		}
	}
}

// A terminal is a buffer with the descriptor of one.
type terminal struct {
	bytes.Buffer
	*os.File
}

func (t *terminal) Write(b []byte) (int, error) { return t.Buffer.Write(b) }

// TestColorsOnTerminal checks the settings of colours for a terminal, for each stream.
func TestColorsOnTerminal(t *testing.T) {
	device, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminals here")
	}
	defer device.Close()
	if !term.IsTerminal(int(device.Fd())) {
		t.Skip("no terminals here")
	}
	for _, tt := range []struct {
		env    string
		want   bool
		reason string
	}{
		{"", true, "a terminal shows colours"},
		{"TERM=xterm", true, "of any kind"},
		{"TERM=dumb", false, "but a dumb one"},
		{"CLICOLOR=0", false, "clicolors: 0 is off"},
		{"CLICOLOR=1", true, "1 is on"},
		{"NO_COLOR=1", false, "NO_COLOR"},
		{"CLICOLOR_FORCE=0", true, "not forced is not forbidden"},
	} {
		env := variables(tt.env)
		out, stderr := terminal{File: device}, bytes.Buffer{}
		cmd.Run([]string{"strides", "2x3"}, cmd.Streams{
			In: strings.NewReader(""), Out: &out, Err: &stderr, Env: func(key string) string { return env[key] },
		})
		if got := strings.Contains(out.Buffer.String(), "\x1b["); got != tt.want {
			t.Errorf("%q: colours %v, want %v: %s", tt.env, got, tt.want, tt.reason)
		}
		cmd.Run([]string{"strides", "2xq"}, cmd.Streams{
			In: strings.NewReader(""), Out: &out, Err: &stderr, Env: func(key string) string { return env[key] },
		})
		if strings.Contains(stderr.String(), "\x1b[") {
			t.Errorf("%q: standard error is not a terminal, and has colours", tt.env)
		}
	}
}

// TestMain lets the test binary run a command line under another environment.
func TestMain(m *testing.M) {
	cobra.MousetrapHelpText = "" // as a call with arguments does
	if line := os.Getenv("LAYOUTCALC_TEST_LINE"); line != "" {
		os.Exit(cmd.Run(
			strings.Fields(line), cmd.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv},
		))
	}
	os.Exit(m.Run())
}

// TestLocale runs processes under environments that are known to break tables: the output is the same, byte by byte, or
// that of --ascii where the locale has no UTF-8.
func TestLocale(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	output := func(line string, env ...string) string {
		c := exec.Command(program)
		c.Env = append(env, "LAYOUTCALC_TEST_LINE="+line, "GORACE=atexit_sleep_ms=0")
		out, err := c.CombinedOutput()
		if _, exited := err.(*exec.ExitError); err != nil && !exited {
			t.Fatal(err)
		}
		return string(out)
	}
	for i, line := range []string{
		"strides 2x3x4x5 NHWC", "offset 2x3 --pitch H=5", "size 1000x1000 -o json", "strides 2xq",
		"offset 2x3 1,1", "offset 2x3 --values 漢,字,é,×,→,a",
	} {
		if i%min(layouttest.Step(), 5) != 0 {
			continue
		}
		want, ascii := output(line), output(line+" --ascii")
		if want == "" || ascii == "" {
			t.Errorf("%s writes nothing", line)
		}
		for _, env := range []string{
			"LC_ALL=zh_CN.UTF-8 TERM=linux", "LANG=ja_JP.eucJP RUNEWIDTH_EASTASIAN=1", "LC_ALL=C",
			"LC_ALL=tr_TR.UTF-8", "LC_ALL=de_DE.UTF-8 TZ=Asia/Tokyo COLUMNS=33", "TERM=dumb",
		} {
			want := want
			if strings.Contains(env, "=C") || strings.Contains(env, "euc") {
				want = ascii
			}
			if got := output(line, strings.Fields(env)...); got != want {
				t.Errorf("%s under %s writes\n%s\nwant\n%s", line, env, got, want)
			}
		}
	}
}

// TestTwice runs command lines twice in one process: the first leaves nothing to the second.
func TestTwice(t *testing.T) {
	for _, line := range seeds {
		args := strings.Fields(line)
		if strings.Contains(line, "99999") {
			continue // has no end
		}
		in := "0,1\n1,2\n"
		first := runWith(strings.NewReader(in), nil, args...)
		if second := runWith(strings.NewReader(in), nil, args...); first != second {
			t.Errorf("%s writes\n%s%s\nthen\n%s%s", line, first.out, first.stderr, second.out, second.stderr)
		}
	}
}

// workflowCommands are the commands that the runner of GitHub Actions obeys.
var workflowCommands = strings.Fields("add-mask add-matcher debug echo endgroup error group notice " +
	"remove-matcher save-state set-output stop-commands warning")

// obeyed reports whether the runner treats a line as a command: ::error::x after any spaces, or ##[error]x anywhere, as
// in src/Runner.Common/ActionCommand.cs of actions/runner.
func obeyed(line string) bool {
	if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "::"); ok {
		info, _, ok := strings.Cut(rest, "::")
		name, _, _ := strings.Cut(info, " ")
		if ok && slices.Contains(workflowCommands, name) {
			return true
		}
	}
	_, rest, _ := strings.Cut(line, "##[")
	info, _, ok := strings.Cut(rest, "]")
	name, _, _ := strings.Cut(info, " ")
	return ok && slices.Contains(workflowCommands, name)
}

// TestWorkflowCommands passes strings that a runner would obey, and checks that it obeys no line of the output.
func TestWorkflowCommands(t *testing.T) {
	for _, text := range []string{
		"::error::x", " ::add-mask::x", "::error file=a,line=1::x", "1\n::stop-commands::x", "1\r::error::x",
		"\u00a0::error::x", "\u3000::error::x", "##[error]x", "1x##[group]x", "::nothing::x", "%0A::error::x",
	} {
		var obeys []string
		for _, args := range [][]string{
			{text}, {"help", text}, {"strides", text}, {"strides", "2x3", text}, {"strides", "2x3", "HW", text},
			{"strides", "2x3", "-t", text}, {"strides", "2x3", "-o", text}, {"strides", "2x3", "--get", text}, {
				"strides", "2x3", "--color", text,
			},
			{"strides", "2x3", "--strides", text}, {"strides", "2x3", "--pad", text}, {"strides", "2x3", "--" + text}, {
				"strides", text + "=3",
			},
			{"offset", "2x3", text}, {"offset", "2x3", "-"}, {"offset", "2x3", "--at", "-"}, {
				"offset", "2x3", "--range", text,
			},
			{"offset", "1", "--values", text}, {"offset", "1", "--values", text, "-o", "markdown"}, {
				"offset", "1", "--values", text, "--range", "0:1",
			},
			{"completion", text}, {"version", text},
		} {
			r := runWith(strings.NewReader(text+"\n"), nil, args...)
			for line := range strings.SplitSeq(r.out+r.stderr, "\n") {
				if obeyed(line) {
					obeys = append(obeys, strings.Join(args, " ")+" writes "+line)
				}
			}
		}
		if len(obeys) > 0 {
			t.Errorf("%d lines that a runner obeys, the first of them: %s", len(obeys), obeys[0])
		}
	}
}

// TestColors256 checks that the 240 colours that are the same everywhere are used if the terminal announces them.
func TestColors256(t *testing.T) {
	tests := []struct {
		env    string
		many   bool
		reason string
	}{
		{"", false, "nothing is known"},
		{"TERM=xterm", false, "terminfo: 8 colours"},
		{"TERM=xterm-256color", true, "terminfo: 256 colours"},
		{"TERM=screen-256color-bce", true, "terminfo: 256 colours"},
		{"TERM=xterm COLORTERM=truecolor", true, "16 million, of which these are some"},
		{"TERM=xterm COLORTERM=24bit", true, "the other word for it"},
	}
	for _, tt := range tests {
		r := runWith(nil, variables(tt.env), "strides", "2x3", "--color=always")
		if r.code != 0 || strings.Contains(r.out, "\x1b[38;5;") != tt.many {
			t.Errorf("%s: code %d, %q: %s", tt.env, r.code, r.out, tt.reason)
		}
	}
}

// TestASCII checks the flag and the locale, as in setlocale(3), for the characters in answers and messages.
func TestASCII(t *testing.T) {
	tests := []struct {
		flag, env string
		want      bool
		reason    string
	}{
		{reason: "no locale is named"},
		{flag: "--ascii", want: true, reason: "the user wants it"},
		{flag: "--ascii", env: "LANG=en_US.UTF-8", want: true, reason: "whatever the locale"},
		{env: "LC_ALL=C", want: true, reason: "ASCII"},
		{env: "LANG=POSIX", want: true, reason: "ASCII"},
		{env: "LC_CTYPE=de_DE.ISO-8859-1", want: true, reason: "another character set"},
		{env: "LANG=en_US.utf8", reason: "glibc's spelling of UTF-8"},
		{env: "LC_ALL=C.UTF-8 LC_CTYPE=C LANG=C", reason: "LC_ALL comes first"},
		{env: "LC_CTYPE=UTF-8 LANG=C", reason: "then LC_CTYPE"},
		{env: "LC_ALL=C LANG=en_US.UTF-8", want: true, reason: "LC_ALL comes first"},
	}
	for _, tt := range tests {
		for _, args := range []string{
			"strides 2x3 HW", "offset 2x3 --pitch H=5", "view 2x3 T", "strides 2\u00d73 \u00e9",
			"check testdata/none\u00e9",
		} {
			r := runWith(nil, variables(tt.env), strings.Fields(args+" "+tt.flag)...)
			got := !strings.ContainsFunc(r.out+r.stderr, func(c rune) bool { return c > 0x7e })
			if got != tt.want {
				t.Errorf("%s %s: all ASCII is %t in %q: %s", tt.env, args, got, r.out+r.stderr, tt.reason)
			}
		}
	}
}
