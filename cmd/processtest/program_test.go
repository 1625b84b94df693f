package processtest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"layoutcalc/cmd"
	"layoutcalc/layout/layouttest"
)

// TestMain runs the test binary as the program if LAYOUTCALC_TEST_MAIN is set. LAYOUTCALC_TEST_MEMORY is a file for two
// numbers: the bytes that the program has allocated in all, and the bytes that the system has given to it.
func TestMain(m *testing.M) {
	if os.Getenv("LAYOUTCALC_TEST_MAIN") != "" {
		code := cmd.Run(os.Args[1:], cmd.Streams{
			In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv, Windows: runtime.GOOS == "windows",
		})
		if path := os.Getenv("LAYOUTCALC_TEST_MEMORY"); path != "" {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			if err := os.WriteFile(path, fmt.Append(nil, m.TotalAlloc, m.Sys), 0o600); err != nil {
				panic(err)
			}
		}
		os.Exit(code)
	}
	// With the race detector a process waits a second before it exits, for races that go on.
	os.Setenv("GORACE", strings.TrimSpace(os.Getenv("GORACE")+" atexit_sleep_ms=20"))
	os.Exit(m.Run())
}

// program is a process that runs the command line.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(path, args...)
	c.Env = append(os.Environ(), "LAYOUTCALC_TEST_MAIN=1")
	return c
}

// memoryIn reads the file of LAYOUTCALC_TEST_MEMORY.
func memoryIn(t *testing.T, path string) (allocated, given int64) {
	t.Helper()
	if _, err := fmt.Sscan(string(read(t, path)), &allocated, &given); err != nil {
		t.Fatal(err)
	}
	return allocated, given
}

// exitCode waits for a process that was run.
func exitCode(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit == nil {
		return 0
	}
	return exit.ExitCode()
}

func TestExitCodes(t *testing.T) {
	tests := []struct {
		args   string
		want   int
		reason string
	}{
		{"strides 2x3", 0, "an answer"},
		{"--help", 0, "help was asked for"},
		{"--version", 0, "the version was asked for"},
		{"", 0, "the program alone prints its help"},
		{"offset 2x3 --pitch H=5 --at 4", 1, "no element lives there"},
		{"strides", 2, "a command without what it needs"},
		{"strides 2xq", 2, "no shape"},
		{"nonsense", 2, "no command"},
	}
	for _, tt := range tests {
		err := program(t, strings.Fields(tt.args)...).Run()
		if got := exitCode(t, err); got != tt.want {
			t.Errorf("%q exits %d, want %d: %s", tt.args, got, tt.want, tt.reason)
		}
	}
}

// TestInit checks that no package allocates 100 KB before main. Some libraries fill caches there, which costs time in
// every run.
func TestInit(t *testing.T) {
	c := program(t, "strides", "1x3x4x5")
	c.Env = append(c.Env, "GODEBUG=inittrace=1")
	var stderr strings.Builder
	c.Stderr = &stderr
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	packages := 0
	for line := range strings.Lines(stderr.String()) {
		var name string
		var at, took float64
		var bytes, allocs int
		const form = "init %s @%f ms, %f ms clock, %d bytes, %d allocs"
		if _, err := fmt.Sscanf(line, form, &name, &at, &took, &bytes, &allocs); err != nil {
			t.Errorf("a line has another form: %q: %v", line, err)
		}
		if packages++; bytes > 100_000 {
			t.Errorf("package %s allocates %d bytes before main", name, bytes)
		}
	}
	if packages < 10 {
		t.Errorf("only %d packages are listed:\n%s", packages, &stderr)
	}
}

func TestFullDisk(t *testing.T) {
	for _, args := range []string{
		"strides 2x3", "offset 2x3", "offset 1000x1000 --all -o csv", "size 2x3 -o json", "--help", "completion bash",
		"version", "size --batch -",
	} {
		full, err := os.OpenFile(layouttest.FullDisk(t), os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		var stderr strings.Builder
		c := program(t, strings.Fields(args)...)
		c.Stdin, c.Stdout, c.Stderr = strings.NewReader("2x3\n2x3\n"), full, &stderr
		if got := exitCode(t, c.Run()); got != 3 {
			t.Errorf("%q exits %d, want 3", args, got)
		}
		if !strings.Contains(stderr.String(), "no space left") {
			t.Errorf("%q says %q", args, stderr.String())
		}
		full.Close()
	}
}

// TestClosedPipe reads one line of a long answer and closes the pipe, as head does.
func TestClosedPipe(t *testing.T) {
	for _, format := range []string{"csv", "json", "table", "plain"} {
		readLine(t, "-o "+format, program(t, "offset", "1000x1000", "--all", "-o", format))
	}
	for _, format := range []string{"plain", "json"} {
		c := program(t, "strides", "--batch", "-", "-o", format)
		c.Stdin = strings.NewReader(strings.Repeat("2x3\n", 100_000))
		readLine(t, "a batch with -o "+format, c)
	}
}

// readLine reads one line of a program's output and closes the pipe. The program must end without a message.
func readLine(t *testing.T, what string, c *exec.Cmd) {
	t.Helper()
	readAndLeave(t, what, c, func(out io.Reader) error {
		_, err := bufio.NewReader(out).ReadString('\n')
		return err
	})
}

// readAndLeave reads some of a program's output and closes the pipe. The program must end without a message.
func readAndLeave(t *testing.T, what string, c *exec.Cmd, read func(out io.Reader) error) {
	t.Helper()
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if err := read(out); err != nil {
		t.Fatal(err)
	}
	out.Close()
	if code := exitCode(t, c.Wait()); code > 0 || stderr.String() != "" {
		t.Errorf("%s exits %d and says %q", what, code, stderr.String())
	}
}

// TestConversation writes a line, reads the answer, and writes another line: no answer waits for the end of the input.
func TestConversation(t *testing.T) {
	converse(t, program(t, "offset", "2x3", "-", "-o", "plain"), [][2]string{{"0,2", "2"}, {"1,0", "3"}})
	converse(t, program(t, "strides", "--batch", "-"), [][2]string{{"2x3", "3,1"}, {"", ""}, {"4x5 HW # two", "5,1"}})
	converse(t, program(t, "compare", "-o", "json", "--batch", "-", "--get", "same"),
		[][2]string{{"", ""}, {"2x3 HW HW", "true"}})
}

// converse writes questions to a program, one line at a time, and compares each answer, which is one line.
func converse(t *testing.T, c *exec.Cmd, questions [][2]string) {
	t.Helper()
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(out)
	for _, question := range questions {
		if _, err := in.Write([]byte(question[0] + "\n")); err != nil {
			t.Fatal(err)
		}
		if got, err := answers.ReadString('\n'); err != nil || got != question[1]+"\n" {
			t.Fatalf("%s is answered with %q, %v", question[0], got, err)
		}
	}
	in.Close()
	if code := exitCode(t, c.Wait()); code != 0 {
		t.Errorf("exits %d", code)
	}
}
