package processtest

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the transcript of cmd.exe")

// TestSession runs a batch file in cmd.exe. What it prints is compared with a transcript, without the ends of lines.
func TestSession(t *testing.T) {
	const path = "testdata/windows/session.bat"
	transcript, err := filepath.Abs("testdata/windows/session.txt")
	if err != nil {
		t.Fatal(err)
	}
	batch, dir := read(t, path), t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"session.bat": batch, `bin\layoutcalc.exe`: read(t, self)} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("cmd.exe", "/d", "/c", "session.bat")
	c.Dir = dir
	c.Env = append(os.Environ(), "LAYOUTCALC_TEST_MAIN=1", "PATH="+filepath.Join(dir, "bin")+";"+os.Getenv("PATH"))
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := strings.ReplaceAll(string(out), "\r\n", "\n")
	if *update && os.Getenv("CI") == "" {
		if err := os.WriteFile(transcript, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want := string(read(t, transcript)); got != want {
		t.Errorf("cmd.exe prints\n%s\nwant\n%s", got, want)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); left != nil {
		t.Errorf("%q are left", left)
	}
	_ = os.Chmod(filepath.Join(dir, "picture.svg"), 0o666) // so that it can be removed
}
