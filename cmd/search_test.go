package cmd_test

import (
	"encoding/binary"
	"path/filepath"
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
)

// hollow is a .safetensors file without tensors.
const hollow = "\x02\x00\x00\x00\x00\x00\x00\x00{}"

// TestOutside has links, and names of files, that point outside the repository. No content of these files is shown, and
// only tensor files are read.
func TestOutside(t *testing.T) {
	const secret = "TOPSECRET"
	header := `{"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"` + secret + `": ` + strings.Repeat(" ", 300)
	cut := string(binary.LittleEndian.AppendUint64(nil, uint64(len(header)))) + header
	for _, tt := range []struct {
		reason string
		files  files
		args   string
		stdin  string
		code   int
		has    string
	}{
		{"a baseline", files{".layoutcalc.yaml": "version: 1\nbaseline: ../secret.yaml\n"}, ".", "", 2,
			"../secret.yaml points outside the repository"},
		{"a baseline from the root of the system",
			files{".layoutcalc.yaml": "version: 1\nbaseline: " + strings.Repeat("../", 30) + "proc/self/environ\n"},
			".", "", 2, "points outside the repository"},
		{"a baseline that is a link", files{".layoutcalc.yaml": "version: 1\nbaseline: b.json\n",
			"b.json": "-> ../secret.yaml"}, ".", "", 2, "b.json points outside the repository"},
		{"a baseline that git has", files{".layoutcalc.yaml": "version: 1\nbaseline: .git/config\n"}, ".", "", 2,
			".git/config points outside the repository"},
		{"a baseline that is none",
			files{".layoutcalc.yaml": "version: 1\nbaseline: b.json\n", "b.json": "{\n" + secret}, ".", "", 2,
			"b.json:2: this is not a baseline of version 1"},
		{"the project", files{".layoutcalc.yaml": "-> ../secret.yaml"}, ".", "", 2,
			".layoutcalc.yaml points outside the repository"},
		{"the project in git's directory", files{".layoutcalc.yaml": "-> .git/config"}, ".", "", 2,
			".layoutcalc.yaml points outside the repository"},
		{"an index", files{"model.safetensors.index.json": "-> ../secret.yaml"}, ".", "", 0,
			"is a link that points outside, which --follow follows"},
		{"two links", files{"a.json": "-> ../secret.yaml", "b.npy": "-> .git/config"}, ".", "", 0,
			"a.json (to ../secret.yaml) and 1 more are links that point outside, which --follow follows"},
		{"the summary", files{"a.json": "-> ../secret.yaml"}, ".", "", 0, "1 skipped (1 point outside; -v lists them)"},
		{"a list", files{"a.layoutcalc.yaml": "-> ../secret.yaml"}, "--files-from -", "a.layoutcalc.yaml\n", 0,
			"a.layoutcalc.yaml (to ../secret.yaml) is a link that points outside"},
		{"a list through a link to a directory", files{"d": "-> .."}, "--files-from -", "d/secret.yaml\n", 0,
			"d/secret.yaml is a link that points outside"},
		{"a tensor file", files{"x.safetensors": "-> ../blob"}, ".", "", 0, "2 safetensors"},
		{"a tensor file of a list", files{"x.safetensors": "-> ../blob"}, "--files-from -", "x.safetensors", 0,
			"1 file,"},
		{"a header that is cut", files{"x.safetensors": "-> ../cut"}, ".", "", 2, "its text is not shown"},
		{"all links", files{"x.layoutcalc.yaml": "-> ../secret.yaml"}, ". --follow", "", 2, "its text is not shown"},
		{"a device in a list", files{"z.safetensors": "-> /dev/zero"}, "--files-from - -v", "z.safetensors", 0,
			"z.safetensors is skipped: not a regular file"},
		{"a directory in a list", files{"d.npy/x": ""}, "--files-from - -v", "d.npy\n", 0,
			"d.npy is skipped: not a regular file"},
	} {
		dir := t.TempDir()
		files{"secret.yaml": "machine x: password " + secret + ": [\n", "blob": hollow, "cut": cut}.write(t, dir)
		dir = filepath.Join(dir, "r")
		files{"good.safetensors": hollow, ".git/config": secret, "x/y": ""}.write(t, dir)
		tt.files.write(t, dir)
		t.Chdir(dir)
		for _, format := range []string{"text", "plain", "json", "sarif", "markdown"} {
			args := append(strings.Fields("check "+tt.args), "-o", format)
			r := runWith(strings.NewReader(tt.stdin), nil, args...)
			all := layouttest.Slashes(r.out + r.stderr)
			isSaid := format != "text" || strings.Contains(all, tt.has)
			if r.code != tt.code || !isSaid || strings.Contains(all, secret) {
				t.Errorf("%s, %s: exits %d with\n%s", tt.reason, format, r.code, all)
			}
		}
	}
}

// TestLongList repeats the names of a list, and has more of them than are taken.
func TestLongList(t *testing.T) {
	t.Chdir(t.TempDir())
	files{"a.safetensors": hollow, "-> b": "-> a.safetensors"}.write(t, ".")
	for _, tt := range []struct {
		list string
		code int
		has  string
	}{
		{strings.Repeat("a.safetensors\n\n", 100_000), 0, "1 file,"},
		{"a.safetensors\r\n./a.safetensors\na.safetensors", 0, "1 file,"},
		{strings.Repeat("x", 70_000) + ".npy\n", 2, "it may have 32 MB, and a path 64 KB"},
		{strings.Repeat("a.safetensors\n", 2_500_000), 2, "it may have 32 MB, and a path 64 KB"},
	} {
		r := runWith(strings.NewReader(tt.list), nil, "check", "--files-from", "-")
		if r.code != tt.code || !strings.Contains(r.out+r.stderr, tt.has) {
			t.Errorf("%.40q…: exits %d with\n%s%s", tt.list, r.code, r.out, r.stderr)
		}
	}
}
