package cmd_test

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"testing"

	"layoutcalc/cmd"
	"layoutcalc/cmd/cmdtest"
)

// A result is the output of a run of the program.
type result struct {
	code        int
	out, stderr string
}

// run runs a command line that has no spaces inside its words, without input or environment. It also runs the command
// lines in its hints, unless they write files.
func run(t *testing.T, line string) result {
	t.Helper()
	r := runWith(nil, nil, strings.Fields(line)...)
	for _, hint := range cmdtest.Proposals(r.stderr) {
		if writes.MatchString(hint) {
			continue
		}
		var stderr bytes.Buffer
		if code := cmd.RunLine(hint, cmd.Streams{Out: io.Discard, Err: &stderr, Env: noEnv}); code > 1 {
			t.Errorf("%s: the hint %s exits %d: %s", line, hint, code, stderr.String())
		}
	}
	return r
}

// writes matches flags that name files to write.
var writes = regexp.MustCompile(` --(svg|html|png|out|report|write-baseline|dir)\b`)

// runWith runs arguments with an input and an environment.
func runWith(in io.Reader, env map[string]string, args ...string) result {
	var out, stderr bytes.Buffer
	if in == nil {
		in = strings.NewReader("")
	}
	code := cmd.Run(
		args, cmd.Streams{In: in, Out: &out, Err: &stderr, Env: func(key string) string { return env[key] }},
	)
	return result{code, out.String(), stderr.String()}
}

// worded returns the messages of a run as text, one per line, even if errors are JSON.
func worded(stderr string) (text string) {
	for line := range strings.Lines(stderr) {
		var e struct {
			Error struct{ Message, Hint string }
		}
		if json.Unmarshal([]byte(line), &e) != nil {
			text += line
			continue
		}
		text += "layoutcalc: " + e.Error.Message + "\n"
		if e.Error.Hint != "" {
			text += "hint: " + e.Error.Hint + "\n"
		}
	}
	return text
}

// refused checks that a run ended like bad usage: exit 2, nothing on standard output, a message of few lines on
// standard error.
func refused(t *testing.T, what string, r result) {
	t.Helper()
	if r.code != 2 {
		t.Errorf("%s exits %d, want 2", what, r.code)
	}
	if r.out != "" {
		t.Errorf("%s writes %q", what, r.out)
	}
	text := worded(r.stderr)
	isMessage := strings.HasPrefix(text, "layoutcalc: ") && strings.HasSuffix(text, "\n")
	if !isMessage || strings.Count(r.stderr, "\n") > 4 {
		t.Errorf("%s says\n%s", what, r.stderr)
	}
	if word := goWords.FindString(r.stderr); word != "" {
		t.Errorf("%s says %q of Go's in\n%s", what, word, r.stderr)
	}
}

// BenchmarkStrides runs the command from arguments to output, without starting a process.
func BenchmarkStrides(b *testing.B) {
	for _, form := range []string{"plain", "table"} {
		b.Run(form, func(b *testing.B) {
			args := strings.Fields("strides 1x3x224x224 NHWC -o " + form)
			b.ReportAllocs()
			for b.Loop() {
				streams := cmd.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Env: noEnv}
				if code := cmd.Run(args, streams); code != 0 {
					b.Fatal(code)
				}
			}
		})
	}
}
