package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"layoutcalc/cmd/cmdtest"
	"layoutcalc/layout/layouttest"
)

// repository creates a repository of files, and makes it the working directory. A name that ends in .safetensors gets a
// tensor of 6 float32. Its data has 24 bytes, or 20 if its content is "short".
func repository(t *testing.T, all files) {
	t.Helper()
	t.Chdir(t.TempDir())
	all[".git/HEAD"] = "ref: refs/heads/main\n"
	for name, text := range all {
		if strings.HasSuffix(name, ".safetensors") {
			size := map[string]int{"good": 24, "short": 20}[text]
			all[name] = string(cmdtest.Safetensors(`{"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}`, size))
		}
	}
	all.write(t, ".")
}

// TestRootPath checks one finding from several directories of a repository. The fingerprint must be the same, and the
// path relative to the directory.
func TestRootPath(t *testing.T) {
	repository(t, files{"a/b/bad.safetensors": "short", "c/good.safetensors": "good"})
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	fingerprint := func(text, before string) string {
		_, after, _ := strings.Cut(text, before)
		return after[:min(32, len(after))]
	}
	first := ""
	for _, tt := range []struct{ dir, arg, seen string }{
		{"", "a/b/bad.safetensors", "a/b/bad.safetensors"},
		{"", "./a//b/../b/bad.safetensors", "./a//b/../b/bad.safetensors"},
		{"a", "b", "b/bad.safetensors"},
		{"a/b", "bad.safetensors", "bad.safetensors"},
		{"c", "../a/b/bad.safetensors", "../a/b/bad.safetensors"},
		{"c", filepath.Join(root, "a/b/bad.safetensors"), filepath.ToSlash(root) + "/a/b/bad.safetensors"},
	} {
		t.Chdir(filepath.Join(root, tt.dir))
		out := map[string]string{}
		for _, format := range strings.Fields("json jsonl sarif github gitlab plain") {
			out[format] = runWith(strings.NewReader(""), nil, "check", tt.arg, "-o", format).out
		}
		for format, want := range map[string]string{
			"sarif": `"uri": "a/b/bad.safetensors", "uriBaseId": "%SRCROOT%"`, "github": "file=a/b/bad.safetensors,",
			"gitlab": `"path": "a/b/bad.safetensors"`,
			"json":   `"path": "` + tt.seen + `"`, "plain": tt.seen + ": error",
		} {
			if format == "plain" {
				out[format] = layouttest.Slashes(out[format])
			}
			if !strings.Contains(out[format], want) {
				t.Errorf("%s in %q: no %s in\n%s", tt.arg, tt.dir, want, out[format])
			}
		}
		if first == "" {
			first = fingerprint(out["json"], `"fingerprint": "`)
		}
		for format, before := range map[string]string{
			"json": `"fingerprint": "`, "jsonl": `"fingerprint": "`, "gitlab": `"fingerprint": "`,
			"sarif": `"layoutcalc/v1": "`,
		} {
			if got := fingerprint(out[format], before); got != first || len(got) != 32 {
				t.Errorf("%s in %q: the fingerprint in %s is %q, not %q", tt.arg, tt.dir, format, got, first)
			}
		}
	}
	t.Chdir(root)
	outside := filepath.Join(t.TempDir(), "none.npy")
	for _, tt := range []struct{ args, stdin, want string }{
		{outside, "", filepath.ToSlash(outside)},
		{"../none.npy", "", "../none.npy"},
		{"2x3 --strides 1,1 --role output", "", "<args>"},
		{"-", `{"dtype": "int8", "sizes": [0]}`, "<stdin>"},
		{"- --stdin-filename c/../x.npy", "x", "x.npy"},
	} {
		args := append([]string{"check", "-o", "gitlab", "--target", "directml"}, strings.Fields(tt.args)...)
		r := runWith(strings.NewReader(tt.stdin), nil, args...)
		if !strings.Contains(r.out, `"path": "`+tt.want+`"`) {
			t.Errorf("%s: no path %s in\n%s%s", tt.args, tt.want, r.out, r.stderr)
		}
	}
	if err := os.RemoveAll(".git"); err != nil {
		t.Fatal(err)
	}
	t.Chdir("a")
	r := runWith(strings.NewReader(""), nil, "check", "./b", "-o", "gitlab")
	if !strings.Contains(r.out, `"path": "b/bad.safetensors"`) {
		t.Errorf("without a repository: %s", r.out)
	}
}
