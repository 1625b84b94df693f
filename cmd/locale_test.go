package cmd_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"layoutcalc/cmd"
)

// TestMain lets the test binary run a command line under another environment.
func TestMain(m *testing.M) {
	if line := os.Getenv("LAYOUTCALC_TEST_LINE"); line != "" {
		os.Exit(cmd.Run(strings.Fields(line), cmd.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv}))
	}
	os.Exit(m.Run())
}

// TestLocale runs processes under environments that are known to break tables: the output is
// the same, byte by byte.
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
	for _, line := range []string{"strides 2x3x4x5 NHWC", "offset 2x3 --pitch H=5", "size 1000x1000 -o json", "strides 2xq", "offset 2x3 1,1", "offset 2x3 --values 漢,字,é,×,→,a"} {
		want := output(line)
		if want == "" {
			t.Errorf("%s writes nothing", line)
		}
		for _, env := range []string{"LC_ALL=zh_CN.UTF-8 TERM=linux", "LANG=ja_JP.eucJP RUNEWIDTH_EASTASIAN=1", "LC_ALL=C", "LC_ALL=tr_TR.UTF-8", "LC_ALL=de_DE.UTF-8 TZ=Asia/Tokyo COLUMNS=33", "TERM=dumb"} {
			if got := output(line, strings.Fields(env)...); got != want {
				t.Errorf("%s under %s writes\n%s\nwithout\n%s", line, env, got, want)
			}
		}
	}
}

// TestTwice runs command lines twice in one process: nothing is left behind by the first.
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
