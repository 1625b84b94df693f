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

// TestPaths has a file by paths of all forms, longer than 260 characters: it is the same file, whose path has slashes
// for programs. What the project says is found in letters of another case.
func TestPaths(t *testing.T) {
	dir := t.TempDir()
	deep := dir
	for len(deep) < 400 {
		deep = filepath.Join(deep, strings.Repeat("d", 60))
	}
	file := filepath.Join(deep, "Ä.jsonl")
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(file, `{"dtype": "int8", "sizes": [2, 3], "strides": [1, 1], "role": "output"}`+"\r\n")
	drive := filepath.VolumeName(file)
	for _, path := range []string{
		file, `\\?\` + file, strings.ToLower(drive) + file[len(drive):], filepath.ToSlash(file), deep, `\\?\` + deep,
	} {
		out, err := program(t, "check", path, "-o", "json").Output()
		if code := exitCode(t, err); code != 1 || !strings.Contains(string(out), `/Ä.jsonl", "line": 1,`) ||
			strings.Contains(string(out), `\\`) {
			t.Errorf("%s exits %d with %s", path, code, out)
		}
		if path == deep || path == `\\?\`+deep {
			continue
		}
		if out, err := program(t, "strides", path, "-o", "plain").Output(); err != nil || string(out) != "1,1\n" {
			t.Errorf("%s: %q, %v", path, out, err)
		}
	}
	write(filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	write(filepath.Join(dir, ".LayoutCalc.YAML"), "version: 1\nignore: overlap-output\n")
	if out, err := program(t, "check", deep).Output(); err != nil {
		t.Errorf("what the project says is not found: %s%v", out, err)
	}
}
