package processtest

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the transcript of cmd.exe")

// batch runs a batch file in cmd.exe, in a separate directory that has layoutcalc as the program, and returns its
// output without the ends of lines.
func batch(t *testing.T, dir, text string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	writeFiles(t, dir, map[string]string{"session.bat": text, `bin\layoutcalc.exe`: string(read(t, self))})
	c := exec.Command("cmd.exe", "/d", "/c", "session.bat")
	c.Dir = dir
	c.Env = append(os.Environ(), "LAYOUTCALC_TEST_MAIN=1", "PATH="+filepath.Join(dir, "bin")+";"+os.Getenv("PATH"))
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.ReplaceAll(string(out), "\r\n", "\n")
}

// TestSession compares the output of a batch file with a transcript.
func TestSession(t *testing.T) {
	transcript, err := filepath.Abs("testdata/windows/session.txt")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	got := batch(t, dir, string(read(t, "testdata/windows/session.bat")))
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

// TestDocument runs the commands of the document on Windows.
func TestDocument(t *testing.T) {
	text, commands := "@echo off\r\n", 0
	for line := range strings.Lines(string(read(t, "../../docs/windows.md"))) {
		if strings.HasPrefix(line, "layoutcalc ") || strings.HasPrefix(line, "type ") {
			commands++
			text += strings.TrimSpace(line) + " >nul\r\nif errorlevel 1 echo fails: " + strconv.Itoa(commands) + "\r\n"
		}
	}
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"descriptor.json": `{"DataType": "FLOAT32", "Sizes": [2, 3]}`})
	if got := batch(t, dir, text); got != "" || commands < 7 {
		t.Errorf("%d commands print\n%s", commands, got)
	}
}

// TestPaths has a file with paths of all forms, longer than 260 characters. All must be the same file, and its path
// must have slashes in output for programs. The project's configuration applies to names in another case.
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
		deep + `\*.JSONL`, `\\?\` + dir + `\**\Ä.*`,
	} {
		out, err := program(t, "check", path, "-o", "json").Output()
		if code := exitCode(t, err); code != 1 || !strings.Contains(string(out), `/Ä.jsonl", "line": 1,`) ||
			strings.Contains(string(out), `\\`) {
			t.Errorf("%s exits %d with %s", path, code, out)
		}
		if !strings.HasSuffix(path, ".jsonl") {
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
