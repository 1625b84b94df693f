package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"layoutcalc/cmd"
)

// TestWorld replays texts from issues, logs and documentation of other projects. Each row of testdata/world.jsonl is a
// call, the exit code and the answer that it must have, and where the text or the answer is from; get is plain, or the
// field of the answer.
func TestWorld(t *testing.T) {
	data, err := os.ReadFile("testdata/world.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		var c struct {
			Cmd    []string
			WantRC int `json:"want_rc"`
			Want   string
			Get    string
			Source string
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		args := append(c.Cmd[:len(c.Cmd):len(c.Cmd)], "-o", "plain")
		if c.Get != "plain" {
			args = append(c.Cmd[:len(c.Cmd):len(c.Cmd)], "--get", c.Get)
		}
		var out, errs bytes.Buffer
		code := cmd.Run(args, cmd.Streams{
			In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(string) string { return "" },
		})
		got := strings.TrimSpace(out.String())
		if code != c.WantRC || c.Want != "" && got != c.Want {
			t.Errorf("%q: exit %d, %q, want %d, %q; %s\n%s", args, code, got, c.WantRC, c.Want, c.Source, errs.String())
		}
	}
}

// TestNamesOfFiles wants names that every system has, so that Windows can check out the repository.
func TestNamesOfFiles(t *testing.T) {
	device := regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$`)
	seen := map[string]string{}
	err := filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		name, folded := e.Name(), strings.ToLower(path)
		switch {
		case err != nil:
			return err
		case name == ".git" || name == ".release" || name == "dist":
			if e.IsDir() {
				return fs.SkipDir
			}
		case device.MatchString(name), strings.ContainsAny(name, `<>:"|?*\`),
			name != "." && strings.TrimRight(name, ". ") != name:
			t.Errorf("%s is no name of Windows", path)
		case seen[folded] != "":
			t.Errorf("%s and %s are one file of Windows", path, seen[folded])
		}
		seen[folded] = path
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
