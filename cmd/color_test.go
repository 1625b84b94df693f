package cmd_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"layoutcalc/cmd"
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

// TestColors asks all who decide about colours, for an output that is no terminal. The order is
// that of cli.md; what the variables mean is from no-color.org, bixense.com/clicolors and
// force-color.org.
func TestColors(t *testing.T) {
	tests := []struct {
		flag, env string
		want      bool
		reason    string
	}{
		{"", "", false, "a buffer is no terminal"},
		{"--color=auto", "", false, "auto is the default"},
		{"--color=always", "", true, "the flag forces"},
		{"--color=always", "NO_COLOR=1", true, "the flag comes first"},
		{"--color=always", "TERM=dumb", true, "before TERM too"},
		{"--color=never", "CLICOLOR_FORCE=1 FORCE_COLOR=1", false, "the flag comes first"},
		{"--color=ALWAYS", "", true, "words in any case"},
		{"--color=auto", "NO_COLOR=1 FORCE_COLOR=1", false, "then NO_COLOR"},
		{"", "NO_COLOR=1 CLICOLOR_FORCE=1", false, "then NO_COLOR"},
		{"", "NO_COLOR=0 FORCE_COLOR=1", false, "any value of NO_COLOR counts"},
		{"", "NO_COLOR= FORCE_COLOR=1", true, "but an empty one does not"},
		{"", "CLICOLOR_FORCE=1", true, "then those that force"},
		{"", "FORCE_COLOR=1", true, "then those that force"},
		{"", "FORCE_COLOR=true", true, "force-color.org: any value"},
		{"", "FORCE_COLOR=3", true, "chalk's depth of colours"},
		{"", "FORCE_COLOR=0", false, "chalk: 0 is off"},
		{"", "FORCE_COLOR=false", false, "chalk: false is off"},
		{"", "FORCE_COLOR=", false, "empty is unset"},
		{"", "CLICOLOR_FORCE=0", false, "clicolors: 0 is off"},
		{"", "CLICOLOR_FORCE=0 FORCE_COLOR=1", true, "either forces"},
		{"", "FORCE_COLOR=1 TERM=dumb", true, "they come before TERM"},
		{"", "FORCE_COLOR=1 CLICOLOR=0", true, "and before CLICOLOR"},
		{"", "CLICOLOR=1", false, "CLICOLOR asks for colours on terminals only"},
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
			t.Errorf("%s %v: exit %d, colours in the message %v, want %v: %s", tt.env, args, r.code, !tt.want, tt.want, tt.reason)
		}
	}
}

// A terminal is a buffer with the descriptor of one.
type terminal struct {
	bytes.Buffer
	*os.File
}

func (t *terminal) Write(b []byte) (int, error) { return t.Buffer.Write(b) }

// TestColorsOnTerminal asks those who decide for a terminal, each stream for itself.
func TestColorsOnTerminal(t *testing.T) {
	device, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminals here")
	}
	defer device.Close()
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
		cmd.Run([]string{"strides", "2x3"}, cmd.Streams{In: strings.NewReader(""), Out: &out, Err: &stderr, Env: func(key string) string { return env[key] }})
		if got := strings.Contains(out.Buffer.String(), "\x1b["); got != tt.want {
			t.Errorf("%q: colours %v, want %v: %s", tt.env, got, tt.want, tt.reason)
		}
		cmd.Run([]string{"strides", "2xq"}, cmd.Streams{In: strings.NewReader(""), Out: &out, Err: &stderr, Env: func(key string) string { return env[key] }})
		if strings.Contains(stderr.String(), "\x1b[") {
			t.Errorf("%q: standard error is no terminal, and has colours", tt.env)
		}
	}
}
