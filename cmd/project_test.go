package cmd_test

import (
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
)

// repository makes a repository of files, and makes it the working directory. A name that ends in .safetensors gets a
// tensor of 6 float32 and as many bytes of data as its text says.
func repository(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	files[".git/HEAD"] = "ref: refs/heads/main\n"
	for name, text := range files {
		if strings.HasSuffix(name, ".safetensors") {
			const header = `{"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}   `
			n := map[string]int{"good": 24, "short": 20, "long": 26}[text]
			length := string(binary.LittleEndian.AppendUint64(nil, uint64(len(header))))
			text = length + header + strings.Repeat("\x00", n)
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A projectTest is a call in a repository: its exit code, and what its answer and its notes have and do not have.
type projectTest struct {
	name     string
	args     string
	stdin    string
	code     int
	has, not []string
}

func (tt *projectTest) run(t *testing.T) {
	t.Helper()
	r := runWith(strings.NewReader(tt.stdin), nil, strings.Fields("check "+tt.args)...)
	all := layouttest.Slashes(r.out + r.stderr)
	if r.code != tt.code {
		t.Errorf("%s: check %s exits %d, not %d:\n%s", tt.name, tt.args, r.code, tt.code, all)
	}
	for _, text := range tt.has {
		if !strings.Contains(all, text) {
			t.Errorf("%s: check %s does not say %q:\n%s", tt.name, tt.args, text, all)
		}
	}
	for _, text := range tt.not {
		if strings.Contains(all, text) {
			t.Errorf("%s: check %s says %q:\n%s", tt.name, tt.args, text, all)
		}
	}
}

// asUTF16 returns a text of ASCII as PowerShell writes it.
func asUTF16(text string) string {
	return "\xff\xfe" + strings.Join(strings.Split(text, ""), "\x00") + "\x00"
}

func TestSearch(t *testing.T) {
	repository(t, map[string]string{
		"good.safetensors": "good", "old/bad.safetensors": "short", "build/bad.safetensors": "short",
		"sub/build/bad.safetensors": "short", "sub/.gitignore": "!build\n*.tmp.safetensors\n",
		"sub/x.tmp.safetensors": "short", "other.json": `{"name": 1}`, ".gitignore": "build/\n",
		"main.go": "package main",
	})
	for _, tt := range []projectTest{
		{"a directory", ".", "", 1,
			[]string{"old/bad", "sub/build/bad", "3 files (3 safetensors)",
				"3 skipped (2 by .gitignore; -v lists them)"},
			[]string{"\nbuild/bad", "x.tmp", "main.go"}},
		{"reasons", ". -v --exclude old/", "", 1, []string{"old is skipped: excluded", "sub/build/bad",
			"other.json is skipped: nothing in it describes tensors", "build is skipped: ignored by .gitignore",
			"sub/x.tmp.safetensors is skipped: ignored by .gitignore"}, []string{"main.go"}},
		{"a pattern with **", ". --exclude **/bad.safetensors", "", 0, []string{"1 file"}, nil},
		{"relative to the directory", "sub old --exclude build", "", 1,
			[]string{"old/bad"}, []string{"build/bad.safetensors:"}},
		{"what is named is checked", "build --exclude build", "", 1, []string{"build/bad"}, nil},
		{"a file that is named", "build/bad.safetensors", "", 1, []string{"build/bad"}, nil},
		{"a list", "--files-from -", "good.safetensors\r\nmain.go\nother.json\n", 0,
			[]string{"1 file,", "1 skipped"}, nil},
		{"a list of bytes of 0", "--files-from - -0", "old/bad.safetensors\x00good.safetensors\x00", 1,
			[]string{"old/bad", "2 files"}, nil},
		{"a list of bytes of 0 without its flag", "--files-from -", "old/bad.safetensors\x00good.safetensors\x00", 2,
			[]string{"standard input has a byte of 0", "-0 reads such a list"}, nil},
		{"a list of lines with the flag of the other", "--files-from - -0", "old/bad.safetensors\ngood.npy\n", 2,
			[]string{"standard input has no byte of 0", "without -0"}, nil},
		{"one path of a list of bytes of 0", "--files-from - -0", "old/bad.safetensors", 1, []string{"old/bad"}, nil},
		{"the flag of a list without a list", "old -0", "", 1,
			[]string{"note: --null is not used: it is about the list of --files-from"}, nil},
		{"a list with excludes", "--files-from - --exclude old", "old/bad.safetensors\n", 0,
			[]string{"none of the files that are listed describes tensors"}, nil},
		{"a list and a file", "--files-from - old/bad.safetensors", "good.safetensors\n", 1,
			[]string{"2 files"}, nil},
		{"a list of UTF-16", "--files-from -", "\xff\xfeo\x00l\x00d\x00", 0,
			[]string{"none of the files"}, nil},
		{"a list of UTF-16, one file", "--files-from -", asUTF16("old/bad.safetensors\n"), 1,
			[]string{"old/bad"}, nil},
		{"a list with a mark", "--files-from -", "\xef\xbb\xbfgood.safetensors\n", 0, []string{"1 file,"}, nil},
		{"a slash at the end", "./", "", 1, []string{"sub/build/bad"}, []string{"\nbuild/bad", "x.tmp"}},
		{"all is left out", "old --exclude *", "", 2, []string{"skipped", "-v lists them"}, nil},
		{"an empty list", "--files-from -", "", 0, []string{"0 files"}, nil},
		{"a list that names what is not there", "--files-from -", "none.npy\n", 2,
			[]string{"there is no such file"}, nil},
		{"no list", "--files-from none.txt", "", 2, []string{"none.txt"}, nil},
		{"a list and standard input", "--files-from - -", "", 2, []string{"standard input can be read once"}, nil},
		{"a bad pattern", ". --exclude ../x", "", 2, []string{"--exclude: not a pattern"}, nil},
	} {
		tt.run(t)
	}
}

// TestOverwritten writes reports and baselines into files that are read, and once more into those of the last time.
func TestOverwritten(t *testing.T) {
	const config = "version: 1\ntensors:\n  a: {dtype: float32, sizes: [2, 3], strides: [1, 1], role: output}\n"
	repository(t, map[string]string{
		"a/bad.layoutcalc.yaml": config, "a/good.safetensors": "good", "list": "a/good.safetensors",
		".layoutcalc.yaml": "version: 1\n", ".gitignore": "x\n",
	})
	const all = ". --report json=a/r.json --report sarif=s.json --report jsonl=l.jsonl --report gitlab=g.json"
	for _, tt := range []projectTest{
		{"the first time", all, "", 1, []string{"1 error"}, nil},
		{"the second time", all, "", 1, []string{"1 error", "4 skipped"}, nil},
		{"a new baseline", ". --write-baseline b.json", "", 0, []string{"1 known"}, nil},
		{"the same baseline", ". --write-baseline b.json", "", 0, []string{"1 known"}, nil},
		{"the baseline is read", ". --baseline b.json --report json=b.json", "", 2,
			[]string{"the report would take the place of b.json"}, nil},
		{"the list is read", "--files-from list --report json=./list", "", 2,
			[]string{"the report would take the place of ./list"}, nil},
		{"what a directory has", "a --report csv=a/bad.layoutcalc.yaml", "", 2,
			[]string{"the report would take the place of a/bad.layoutcalc.yaml"}, nil},
		{"a baseline in its place", "a --write-baseline a/bad.layoutcalc.yaml", "", 2,
			[]string{"the baseline would take the place of a/bad.layoutcalc.yaml"}, nil},
		{"a file that is named", "s.json --report json=s.json", "", 2,
			[]string{"the report would take the place of s.json"}, nil},
		{"the configuration", "a --write-baseline .layoutcalc.yaml", "", 2,
			[]string{"the baseline would take the place of .layoutcalc.yaml"}, nil},
		{"ignores", "a --report csv=.gitignore", "", 2,
			[]string{"the report would take the place of .gitignore"}, nil},
		{"two in one", "a --report json=x.json --write-baseline x.json", "", 2,
			[]string{"two reports are to be written to x.json"}, nil},
		{"no baseline", "a --baseline x.json", "", 2, []string{"the baseline x.json: there is no such file",
			"layoutcalc check . --write-baseline x.json writes it"}, nil},
		{"a name in quotes", "a --baseline x$1.json", "", 2, []string{"--write-baseline 'x$1.json' writes it"}, nil},
		{"no directory", "a --baseline no/x.json", "", 2, []string{"no/x.json: there is no such file"},
			[]string{"hint"}},
	} {
		tt.run(t)
	}
	if text, err := os.ReadFile("a/bad.layoutcalc.yaml"); err != nil || string(text) != config {
		t.Errorf("%v: %s", err, text)
	}
}

// TestLinkedDirectory names a link to a directory.
func TestLinkedDirectory(t *testing.T) {
	repository(t, map[string]string{"a/old/bad.safetensors": "short", "a/.gitignore": "*.npy\n", "a/x.npy": "no"})
	layouttest.Link(t, "a", "link")
	(&projectTest{"a link", "link", "", 1, []string{"link/old/bad.safetensors", "1 skipped"}, []string{"note:"}}).run(t)
}

func TestProject(t *testing.T) {
	repository(t, map[string]string{
		"a/good.safetensors": "good", "a/long.safetensors": "long", "old/bad.safetensors": "short",
		"strided.layoutcalc.yaml": "version: 1\ntensors:\n  a: {dtype: float32, sizes: [2, 3], strides: [2, 1]}\n",
	})
	write := func(text string) {
		if err := os.WriteFile(".layoutcalc.yaml", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	(&projectTest{"nothing is said", ".", "", 1, []string{"2 errors, 1 warning"}, nil}).run(t)
	write(asUTF16("version: 1\r\nexclude: [old]\r\nignore: overlap-input\r\n"))
	(&projectTest{"in UTF-16", ".", "", 1, []string{"3 files", "1 error, 0 warnings"}, nil}).run(t)

	write("version: 1\nexclude: [old]\nfail-on: warning\nignore: overlap-input\n" +
		"ignores: [{path: a/*, rule: file-trailing, reason: padded}]\n")
	for _, tt := range []projectTest{
		{"all is said", ".", "", 0, []string{"3 files", "0 errors, 0 warnings", "1 skipped"}, nil},
		{"flags win", ". --no-config", "", 1, []string{"2 errors, 1 warning"}, nil},
		{"the flag fails", "old", "", 1, []string{"old/bad"}, nil},
		{"its own file", ".layoutcalc.yaml", "", 0, []string{"1 file"}, nil},
		{"from standard input", "-", "2x3 strides\n", 2, nil, nil},
	} {
		tt.run(t)
	}
	write("version: 1\nignore: overlap-input\nignores:\n- {path: a/*, rule: file-trailing, reason: padded}\n" +
		"- {path: none/*, rule: [gaps, file-size], reason: is gone}\n" +
		"- {path: old/, rule: overlap-input, reason: twice}\n" +
		"- {path: /**, tensor: other, rule: file-size, reason: is gone}\n")
	for _, tt := range []projectTest{
		{"ignores of nothing are not told", ".", "", 1, nil, []string{"of ignores"}},
		{"but with -v", ". -v", "", 1, []string{
			"note: .layoutcalc.yaml: item 2 of ignores, of none/*, silences nothing",
			"item 4 of ignores, of /**, silences nothing"}, []string{"item 1", "item 3"}},
		{"of a rule that is not checked", ". -v --rule file-trailing", "", 0, nil, []string{"of ignores"}},
		{"of no configuration", ". -v --no-config", "", 1, nil, []string{"of ignores"}},
	} {
		tt.run(t)
	}
	write("version: 1\nexclude: [old]\nfail-on: warning\nignore: overlap-input\n" +
		"ignores: [{path: a/*, rule: file-trailing, reason: padded}]\n")
	t.Run("below", func(t *testing.T) {
		t.Chdir("a")
		(&projectTest{"from below", ".", "", 0, []string{"2 files"}, nil}).run(t)
	})

	write("version: 1\nseverity: warning\nfail-on: error\ntarget: pytorch\n")
	for _, tt := range []projectTest{
		{"severity", "strided.layoutcalc.yaml", "", 0, []string{"1 warning"}, nil},
		{"the flag", "strided.layoutcalc.yaml --fail-on warning", "", 1, []string{"overlap-input"}, nil},
		{"a tensor of the arguments", "2x3 --strides=-3,1", "", 0, nil,
			[]string{"pytorch-negative"}},
		{"a name", "- --stdin-filename x.jsonl", `{"dtype": "int8", "sizes": [2, 3], "strides": [-3, 1]}`, 1,
			[]string{"pytorch-negative"}, nil},
	} {
		tt.run(t)
	}

	write("version: 1\nseverty: note\n")
	for _, tt := range []projectTest{
		{"a fault", ".", "", 2,
			[]string{`.layoutcalc.yaml:2: "severty" is not a key`, "did you mean severity?"}, nil},
		{"a tensor does not read it", "2x3", "", 0, nil, nil},
		{"nor does this", "--no-config a/good.safetensors", "", 0, nil, nil},
	} {
		tt.run(t)
	}
}

// TestNotRegular has a configuration and a .gitignore that cannot be read to an end.
func TestNotRegular(t *testing.T) {
	repository(t, map[string]string{"good.safetensors": "good"})
	for _, name := range []string{".gitignore", ".layoutcalc.yaml"} {
		layouttest.Link(t, "/dev/zero", name)
	}
	(&projectTest{"a device", ".", "", 2, []string{".layoutcalc.yaml leads out of the repository"}, nil}).run(t)
	(&projectTest{"a device that Git does not read", ". --no-config", "", 0, []string{"1 file,"}, nil}).run(t)
}

// TestIndexOfOtherBytes has a file that is called an index and is not one, beside another file.
func TestIndexOfOtherBytes(t *testing.T) {
	repository(t, map[string]string{
		"good.safetensors": "good", "model.safetensors.index.json": "\x93NUMPY\x01\x00\x00\x00",
	})
	(&projectTest{"other bytes", ".", "", 2, []string{"the header is not a dictionary"}, nil}).run(t)
}

func TestBaseline(t *testing.T) {
	repository(t, map[string]string{
		"a/long.safetensors": "long", "old/bad.safetensors": "short", "broken.npy": "\x93NUMPY",
		"p.npy": "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("0", 64) + "\nsize 1\n",
	})
	for _, tt := range []projectTest{
		{"write", "a old --write-baseline known.json", "", 0, []string{"0 errors", "2 known"}, nil},
		{"read", "a old --baseline known.json", "", 0, []string{"0 errors", "2 known"}, nil},
		{"json", "a --baseline known.json -o json", "", 0, []string{`"baseline": true`, `"known": 1`}, nil},
		{"sarif", "a --baseline known.json -o sarif", "", 0,
			[]string{`"baselineState": "unchanged"`, `"suppressions": [{"kind": "external"}]`}, nil},
		{"junit", "a --baseline known.json -o junit", "", 0,
			[]string{"<skipped", `failures="0"`, `skipped="1"`}, nil},
		{"plain", "a --baseline known.json -o plain", "", 0, nil, []string{"file-trailing"}},
		{"github", "a --baseline known.json -o github", "", 0, nil, []string{"file-trailing"}},
		{"gitlab", "a --baseline known.json -o gitlab", "", 0, []string{"[]\n"}, nil},
		{"checkstyle", "a --baseline known.json -o checkstyle", "", 0, nil, []string{"<file"}},
		{"rdjsonl", "a --baseline known.json -o rdjsonl", "", 0, nil, []string{"file-trailing"}},
		{"what cannot be read", "broken.npy", "", 2, []string{"[syntax]"}, nil},
		{"what cannot be read is known too", "broken.npy p.npy --write-baseline unread.json", "", 0,
			[]string{"2 known"}, nil},
		{"as long as nothing else is", "broken.npy p.npy --baseline unread.json", "", 0, []string{"2 known"}, nil},
		{"another fault", "broken.npy p.npy a --baseline unread.json", "", 1, []string{"1 error", "2 known"}, nil},
		{"another file is not known", ". --baseline known.json", "", 2, []string{"[syntax]", "[lfs-pointer]"}, nil},
		{"both", "a --baseline known.json --write-baseline known.json", "", 2,
			[]string{"leave out one of them"}, nil},
		{"no directory", "a --write-baseline none/known.json", "", 3, []string{"none/known.json"}, nil},
		{"no baseline", "a --baseline gone.json", "", 2, []string{"there is no such file"}, nil},
		{"not a baseline", "a --baseline .git/HEAD", "", 2, []string{".git/HEAD"}, nil},
	} {
		tt.run(t)
	}
	repository(t, map[string]string{"x/a.safetensors": "long", "x/b.safetensors": "long"})
	(&projectTest{"write", "x --write-baseline x/known.json", "", 0, []string{"2 known"}, nil}).run(t)
	if err := os.Remove("x/b.safetensors"); err != nil {
		t.Fatal(err)
	}
	repaired, err := os.ReadFile("x/a.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("x/a.safetensors", repaired[:len(repaired)-2], 0o666); err != nil {
		t.Fatal(err)
	}
	(&projectTest{"stale", "x --baseline x/known.json", "", 0,
		[]string{"knows more findings than there are, of a.safetensors", "--write-baseline x/known.json"}, nil}).run(t)
	(&projectTest{"not stale where a rule is left out", "x --baseline x/known.json --ignore gaps", "", 0, nil,
		[]string{"knows more"}}).run(t)
}

// TestUnreadable has a file that cannot be read, the pointer of a file, and lines of which one cannot be read. The
// call, the project or a part of it ignores them.
func TestUnreadable(t *testing.T) {
	for _, tt := range []struct {
		config string // after the version
		projectTest
	}{
		{"", projectTest{"as they are", ".", "", 2, []string{"3 errors", "[syntax]", "[lfs-pointer]"}, nil}},
		{"", projectTest{"one is left", ". --ignore syntax", "", 2, []string{"[lfs-pointer]"}, []string{"[syntax]"}}},
		{"", projectTest{"none is left", ". --ignore syntax --ignore lfs-pointer", "", 0,
			[]string{"0 errors", "a/broken.npy is not checked", "nor are 2 more"}, nil}},
		{"ignore: [syntax, lfs-pointer]", projectTest{"the project", ".", "", 0, []string{"0 errors"}, nil}},
		{"ignore: [syntax, lfs-pointer]", projectTest{"without it", ". --no-config", "", 2, []string{"3 errors"}, nil}},
		{"ignores: [{path: a/*, rule: [syntax, lfs-pointer], reason: x}]",
			projectTest{"a part", ".", "", 2, []string{"b.jsonl:2:", "a/broken.npy is not checked"},
				[]string{"lfs-p"}}},
		{"ignores: [{path: /a/, rule: syntax, reason: x}]",
			projectTest{"a directory", ".", "", 2, []string{"2 errors", "a/broken.npy is not checked"}, nil}},
		{"ignores: [{path: b.jsonl, rule: syntax, reason: x}]",
			projectTest{"a line", "b.jsonl good.safetensors", "", 0, []string{"2 files", "0 errors",
				"b.jsonl is not checked in whole: 1 line cannot be read"}, nil}},
		{"ignores: [{path: '**', rule: syntax, reason: x}, {path: '**', rule: lfs-pointer, reason: x}]",
			projectTest{"all of them", ". -v", "", 0, []string{"0 errors"}, []string{"silences nothing"}}},
	} {
		repository(t, map[string]string{
			"a/broken.npy": "\x93NUMPY", "a/p.npy": "version https://git-lfs.github.com/spec/v1\noid sha256:" +
				strings.Repeat("0", 64) + "\nsize 1\n", "good.safetensors": "good",
			"b.jsonl":          `{"dtype": "int8", "sizes": [2, 3]}` + "\n{\n",
			".layoutcalc.yaml": "version: 1\n" + tt.config + "\n",
		})
		tt.run(t)
	}
}

// TestNearest has configurations in several directories: the nearest one above a file is that of the file, whether a
// directory above, the file or its directory is named, and wherever the call is made.
func TestNearest(t *testing.T) {
	for _, tt := range []struct {
		dir string
		projectTest
	}{
		{".", projectTest{"all", ".", "", 1, []string{"a/x.safetensors: error", "b/x.safetensors: warning",
			"c/x.safetensors: error", "1 skipped (1 excluded"}, []string{"b/old", "b/c/"}}},
		{".", projectTest{"a file", "b/x.safetensors", "", 0, []string{"1 warning"}, nil}},
		{".", projectTest{"a file of a directory below", "b/deep/x.safetensors", "", 0, []string{"1 warning"}, nil}},
		{"b", projectTest{"from within", ".", "", 0, []string{"x.safetensors: warning", "1 skipped"}, nil}},
		{"b/deep", projectTest{"from further within", ".", "", 0, []string{"x.safetensors: warning"}, nil}},
		{"b", projectTest{"from beside", "../a ../c", "", 1,
			[]string{"../a/x.safetensors: error", "../c/x.safetensors: error"}, nil}},
		{".", projectTest{"a list", "--files-from -", "a/x.safetensors\nb/x.safetensors\nb/old/x.safetensors\n", 1,
			[]string{"a/x.safetensors: error", "b/x.safetensors: warning", "1 excluded"}, nil}},
		{".", projectTest{"a warning fails there", "c --ignore file-size", "", 1, []string{"1 warning"}, nil}},
		{".", projectTest{"and not there", "a/y.safetensors", "", 0, []string{"1 warning"}, nil}},
		{".", projectTest{"the flag", "a/y.safetensors --fail-on warning", "", 1, []string{"1 warning"}, nil}},
		{".", projectTest{"the rules of the flag", ". --rule file-trailing", "", 1, []string{"file-trailing"},
			[]string{"file-size"}}},
		{".", projectTest{"no configuration", ". --no-config", "", 1, []string{"b/old/x", "7 errors"}, nil}},
	} {
		repository(t, map[string]string{
			".layoutcalc.yaml":    "version: 1\nseverities: {file-trailing: warning}\nexclude: b/old/none\n",
			"a/x.safetensors":     "short",
			"a/y.safetensors":     "long",
			"b/.layoutcalc.yml":   "version: 1\nseverities: {file-size: warning}\nexclude: [/old/]\n",
			"b/x.safetensors":     "short",
			"b/old/x.safetensors": "short", "b/deep/x.safetensors": "short",
			"c/.layoutcalc.yaml":  "version: 1\nfail-on: warning\nseverities: {file-trailing: warning}\n",
			"c/x.safetensors":     "short",
			"c/old/y.safetensors": "long",
		})
		t.Chdir(tt.dir)
		tt.run(t)
	}
}

// TestExtends has configurations that extend others: files of 4 bytes too few break file-size, and what each of the
// configurations says of it shows which of them hold.
func TestExtends(t *testing.T) {
	const version = "version: 1\n"
	long := map[string]string{"a/x.safetensors": "short"}
	for i := range 9 {
		long[fmt.Sprintf("c%d.yaml", i)] = fmt.Sprintf("version: 1\nextends: c%d.yaml\n", i+1)
	}
	long["a/.layoutcalc.yaml"] = version + "extends: ../c1.yaml\n"
	eight := maps.Clone(long)
	eight["c7.yaml"] = version + "ignore: file-size\n"
	for _, tt := range []struct {
		files map[string]string
		projectTest
	}{
		{map[string]string{"ci/base.yaml": version + "ignore: file-size\n",
			"a/.layoutcalc.yaml": version + "extends: ../ci/base.yaml\n"},
			projectTest{"a rule that the other ignores", ".", "", 0, []string{"0 errors"}, nil}},
		{map[string]string{".layoutcalc.yaml": version + "ignore: file-size\n",
			"a/.layoutcalc.yaml": version + "extends: ../.layoutcalc.yaml\nignore: gaps\n"},
			projectTest{"lists add up", ".", "", 0, []string{"0 errors"}, nil}},
		{map[string]string{".layoutcalc.yaml": version + "ignore: file-size\n", "a/.layoutcalc.yaml": version},
			projectTest{"nothing is merged by itself", ".", "", 1, []string{"1 error"}, nil}},
		{map[string]string{".layoutcalc.yaml": version + "ignore: file-size\n",
			"a/.layoutcalc.yaml": version + "extends: ../.layoutcalc.yaml\nrules: 'file-*'\n"},
			projectTest{"rules select again", ".", "", 1, []string{"1 error"}, nil}},
		{map[string]string{".layoutcalc.yaml": version + "ignore: file-size\n"},
			projectTest{"so does the flag", ". --rule file-size", "", 1, []string{"1 error"}, nil}},
		{map[string]string{"base.yaml": version + "ignores: [{path: a/*, rule: file-size, reason: x}]\n",
			"a/.layoutcalc.yaml": version + "extends: ../base.yaml\n"},
			projectTest{"paths of the other count from there", ".", "", 0, []string{"0 errors"}, nil}},
		{map[string]string{"ci/base.yaml": version + "ignores: [{path: a/*, rule: file-size, reason: x}]\n",
			"a/.layoutcalc.yaml": version + "extends: ../ci/base.yaml\n"},
			projectTest{"or nowhere", ". -v", "", 1,
				[]string{"ci/base.yaml: item 1 of ignores, of a/*, silences nothing"}, nil}},
		{map[string]string{"ci/base.yaml": version + "root: ..\nignores: [{path: a/*, rule: file-size, reason: x}]\n",
			"a/.layoutcalc.yaml": version + "extends: ../ci/base.yaml\n"},
			projectTest{"or from its root", ".", "", 0, []string{"0 errors"}, nil}},
		{map[string]string{"ci/base.yaml": version + "root: ..\nexclude: a/x.*\n",
			"a/.layoutcalc.yaml": version + "extends: ../ci/base.yaml\n"},
			projectTest{"what it excludes", ". --allow-empty", "", 0, []string{"1 skipped (1 excluded"}, nil}},
		{map[string]string{"ci/base.yaml": version + "root: ..\nexclude: a/x.*\n",
			"a/.layoutcalc.yaml": version + "extends: ../ci/base.yaml\nexclude: ['!x.safetensors']\n"},
			projectTest{"and what the nearer one keeps", ".", "", 1, []string{"1 error"}, nil}},
		{map[string]string{"base.layoutcalc.yaml": version + "ignore: file-size\n",
			"a/.layoutcalc.yaml": version + "extends: ../base.layoutcalc.yaml\n"},
			projectTest{"of a name for tensors", ".", "", 0, []string{"1 file,", "0 errors"}, nil}},
		{map[string]string{"base.yaml": version + "ignore: file-size\n",
			"a/.layoutcalc.yaml": version + "extends: ../base.yaml\n"},
			projectTest{"which is named", "base.yaml a", "", 0, []string{"2 files (1 project, 1 s", "0 errors"}, nil}},
		{map[string]string{"a/.layoutcalc.yaml": version + "extends: ../../x.yaml\n"},
			projectTest{"out of the repository", ".", "", 2, []string{
				"a/.layoutcalc.yaml:2: ../x.yaml leads out of the repository", "--root DIR",
				"  extends: ../../x.yaml"}, nil}},
		{map[string]string{"a/.layoutcalc.yaml": version + "root: ../..\n"},
			projectTest{"a root that is", ".", "", 2, []string{"a/.layoutcalc.yaml:2: ../.. leads out"}, nil}},
		{map[string]string{"a/.layoutcalc.yaml": version + "root: ../b\n"},
			projectTest{"a root that is not there", ".", "", 2, []string{"there is no directory b"}, nil}},
		{map[string]string{"a/.layoutcalc.yaml": version + "extends: ../.git/HEAD\n"},
			projectTest{"the files of git", ".", "", 2, []string{".git/HEAD leads out"}, []string{"refs/heads"}}},
		{map[string]string{"a/.layoutcalc.yaml": version + "extends: ../secret.yaml\n", "secret.yaml": "password: 1\n"},
			projectTest{"another file", ".", "", 2, []string{"secret.yaml is not the configuration of a project",
				"version: 1"}, []string{"password"}}},
		{map[string]string{"a/.layoutcalc.yaml": version + "extends: ../base.yaml\n",
			"base.yaml": version + "ruls: x\n"},
			projectTest{"a fault in it", ".", "", 2, []string{`base.yaml:2: "ruls" is not a key`}, nil}},
		{map[string]string{"a/.layoutcalc.yaml": version + "extends: ../ci\n", "ci/x.yaml": ""},
			projectTest{"a directory", ".", "", 2, []string{"ci is not a regular file"}, nil}},
		{map[string]string{"a/.layoutcalc.yaml": version + "extends: gone.yaml\n"},
			projectTest{"no file", ".", "", 2, []string{"a/gone.yaml: there is no such file"}, nil}},
		{map[string]string{"a/.layoutcalc.yaml": version + "extends: .layoutcalc.yaml\n"},
			projectTest{"itself", ".", "", 2, []string{"a/.layoutcalc.yaml extends a/.layoutcalc.yaml"}, nil}},
		{map[string]string{"a/.layoutcalc.yaml": version + "extends: ../b.yaml\n",
			"b.yaml": version + "extends: c.yaml\n", "c.yaml": version + "extends: b.yaml\n"},
			projectTest{"round", ".", "", 2, []string{"c.yaml:2: the configurations go round: " +
				"a/.layoutcalc.yaml extends b.yaml extends c.yaml extends b.yaml"}, nil}},
		{eight, projectTest{"eight", ".", "", 0, []string{"0 errors"}, nil}},
		{long, projectTest{"nine", ".", "", 2, []string{"more than 8 configurations extend each other"}, nil}},
		{long, projectTest{"without", ". --no-config", "", 1, []string{"1 error"}, nil}},
	} {
		files := maps.Clone(tt.files)
		files["a/x.safetensors"] = "short"
		repository(t, files)
		tt.run(t)
	}
}

// TestRootFlag has a configuration of a repository in a larger directory.
func TestRootFlag(t *testing.T) {
	repository(t, map[string]string{
		"base.yaml": "version: 1\nignore: file-size\n", "all/sub/x.safetensors": "short", "all/x.safetensors": "short",
		"all/.git/HEAD": "ref: refs/heads/main\n", "all/.layoutcalc.yaml": "version: 1\nextends: ../base.yaml\n",
		"all/sub/.git/HEAD": "ref: refs/heads/main\n",
	})
	for _, tt := range []projectTest{
		{"the repository ends there", "all/x.safetensors", "", 2, []string{"base.yaml leads out"}, nil},
		{"it may go on", "all/x.safetensors --root .", "", 0, []string{"0 errors"}, nil},
		{"not so far", "all/x.safetensors --root all", "", 2, []string{"base.yaml leads out"}, nil},
		{"a directory elsewhere", "all/x.safetensors --root all/sub", "", 2, []string{"base.yaml leads out"}, nil},
		{"a repository in it has none", "all/sub", "", 1, []string{"1 error"}, nil},
		{"but for the flag", "all/sub --root .", "", 0, []string{"0 errors"}, nil},
		{"no directory", "all --root base.yaml", "", 2, []string{"there is no directory base.yaml"}, nil},
	} {
		tt.run(t)
	}
	for name, to := range map[string]string{"all/link.yaml": "../base.yaml", "all/dir": ".."} {
		layouttest.Link(t, to, name)
	}
	for _, key := range []string{"extends: link.yaml", "extends: dir/base.yaml", "root: dir"} {
		if err := os.WriteFile("all/.layoutcalc.yaml", []byte("version: 1\n"+key+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		(&projectTest{"a link", "all/x.safetensors", "", 2, []string{"leads out of the repository"}, nil}).run(t)
		(&projectTest{"a link in the root", "all/x.safetensors --root . --ignore file-size", "", 0, nil, nil}).run(t)
	}
}

// TestOwnBaselines has two parts of a repository that name a baseline each, and one that extends the first of them.
func TestOwnBaselines(t *testing.T) {
	repository(t, map[string]string{
		"a/x.safetensors": "short", "b/x.safetensors": "short", "b/y.safetensors": "long", "c/x.safetensors": "short",
		"d/x.safetensors": "short",
	})
	for _, part := range []string{"a", "b", "c"} {
		(&projectTest{"what is known", part + " --write-baseline " + part + "/known.json", "", 0, nil, nil}).run(t)
	}
	for name, text := range map[string]string{
		"a": "baseline: known.json\n", "b": "baseline: known.json\n", "c": "extends: ../a/.layoutcalc.yaml\n",
	} {
		if err := os.WriteFile(name+"/.layoutcalc.yaml", []byte("version: 1\n"+text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove("b/y.safetensors"); err != nil {
		t.Fatal(err)
	}
	repaired, err := os.ReadFile("b/x.safetensors")
	if err == nil {
		err = os.WriteFile("b/x.safetensors", append(repaired, 0, 0, 0, 0), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []projectTest{
		{"each its own", "a b", "", 0, []string{"1 known", "b/known.json knows more", "of x.safetensors [file-size]"},
			[]string{"a/known.json"}},
		{"one that is extended is of another directory", "c", "", 1, []string{"1 error"}, nil},
		{"none", "d", "", 1, []string{"1 error"}, nil},
		{"the flag", ". --baseline c/known.json", "", 1, []string{"2 errors", "1 known"}, nil},
		{"a new one", ". --write-baseline all.json", "", 0, []string{"3 known"}, nil},
	} {
		tt.run(t)
	}
}

// TestRootOfTensors has configurations of tensors in files that are elsewhere in the repository.
func TestRootOfTensors(t *testing.T) {
	const tensor = "version: 1\ntensors: {a: {file: models/x.safetensors, tensor: a, sizes: [2, 3]}}\n"
	for _, tt := range []struct {
		text string
		projectTest
	}{
		{"root: ..\n" + tensor, projectTest{"from the parent", "tools", "", 0, []string{"0 errors"}, nil}},
		{tensor + "root: ..\n", projectTest{"the order does not matter", "tools", "", 0, []string{"0 errors"}, nil}},
		{tensor, projectTest{"from its own", "tools", "", 1, []string{"the file is missing"}, nil}},
		{"root: .\n" + tensor, projectTest{"which may be said", "tools", "", 1, []string{"the file is missing"}, nil}},
		{"root: ..\n" + strings.Replace(tensor, "[2, 3]", "[3, 2]", 1),
			projectTest{"other sizes", "tools", "", 1, []string{"artefact-sizes"}, nil}},
		{"root: ..\n" + tensor + "---\n" + tensor,
			projectTest{"of one document", "tools", "", 1, []string{"x.layoutcalc.yaml:6:", "1 error"}, nil}},
		{"root: ..\n" + strings.Replace(tensor, "models/", "../models/", 1),
			projectTest{"a path that leaves it", "tools", "", 1, []string{"leaves this directory by ..",
				"root: .. moves it"}, nil}},
		{"root: ../..\n" + tensor, projectTest{"out of the repository", "tools", "", 1,
			[]string{"yaml:1:7: error: ../.. leads out of the repository [config-value]", "--root DIR"}, nil}},
		{"root: ../..\n" + strings.Replace(tensor, "models/", "all/models/", 1),
			projectTest{"but not of that", "tools --root ..", "", 0, []string{"0 errors"}, nil}},
		{"root: ../models/none\n" + tensor,
			projectTest{"no directory", "tools", "", 1, []string{"there is no directory models/none"}, nil}},
		{"root: ../link\n" + tensor, projectTest{"a link", "tools", "", 1, []string{"../link leads out"}, nil}},
		{"root: 1\n" + tensor, projectTest{"no text", "tools", "", 1, []string{"the path of a directory"}, nil}},
		{"root: /models\n" + tensor, projectTest{"a path from /", "tools", "", 1, []string{"/models leads out"}, nil}},
	} {
		repository(t, map[string]string{"all/models/x.safetensors": "good", "all/tools/x.layoutcalc.yaml": tt.text,
			"all/.git/HEAD": "ref: refs/heads/main\n"})
		t.Chdir("all")
		t.Run(tt.name, func(t *testing.T) {
			if strings.Contains(tt.text, "link") {
				layouttest.Link(t, "..", "link")
			}
			tt.run(t)
		})
	}
	text := "root: ..\n" + tensor
	(&projectTest{"a stream", "- --stdin-filename tools/y.layoutcalc.yaml", text, 0, []string{"0 errors"}, nil}).run(t)
	(&projectTest{"without a name", "-", text, 1, []string{"root is a directory of a repository"}, nil}).run(t)
}

// TestRootPath has one fault seen from several directories of a repository: what programs of others know it by is the
// same, and people and reviewdog have the path as seen from there.
func TestRootPath(t *testing.T) {
	repository(t, map[string]string{"a/b/bad.safetensors": "short", "c/good.safetensors": "good"})
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
		for _, format := range strings.Fields("json jsonl sarif github gitlab checkstyle rdjsonl plain") {
			out[format] = runWith(strings.NewReader(""), nil, "check", tt.arg, "-o", format).out
		}
		for format, want := range map[string]string{
			"sarif": `"uri": "a/b/bad.safetensors", "uriBaseId": "%SRCROOT%"`, "github": "file=a/b/bad.safetensors,",
			"gitlab": `"path": "a/b/bad.safetensors"`, "checkstyle": `name="a/b/bad.safetensors"`,
			"rdjsonl": `"path": "` + tt.seen + `"`, "json": `"path": "` + tt.seen + `"`, "plain": tt.seen + ": error",
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

// TestChosenRules checks a file with 4 bytes too few, which breaks file-size, with rules, families and severities that
// the project and the call choose.
func TestChosenRules(t *testing.T) {
	const missing = "[file-size]"
	for _, tt := range []struct {
		config string // after the version
		projectTest
	}{
		{"", projectTest{"as it is", ".", "", 1, []string{missing, "1 error"}, nil}},
		{"", projectTest{"another family", ". --rule onnx-*", "", 0, nil, []string{missing}}},
		{"", projectTest{"its family", ". --rule file-*", "", 1, []string{missing}, nil}},
		{"", projectTest{"not its family", ". --ignore file-*", "", 0, nil, []string{missing}}},
		{"", projectTest{"no family", ". --rule fil-*", "", 2, []string{"no rule has such a name", "'file-*'"}, nil}},
		{"", projectTest{"a family without its *", ". --rule file", "", 2, []string{"unknown rule", "'file-*'"}, nil}},
		{"ignore: [FILE]", projectTest{"in the project", ".", "", 2, []string{"did you mean file-*?"}, nil}},
		{"baseline: old.json", projectTest{"no baseline", ".", "", 2,
			[]string{":2: old.json: there is no such file", "check . --write-baseline old.json writes it"}, nil}},
		{"rules: ['onnx-*']", projectTest{"chosen by the project", ".", "", 0, nil, []string{missing}}},
		{"rules: ['onnx-*']", projectTest{"the call wins", ". --rule file-size", "", 1, []string{missing}, nil}},
		{"ignore: ['file-*']", projectTest{"ignored by the project", ".", "", 0, nil, []string{missing}}},
		{"severities: {file-size: warning}", projectTest{"a warning", ".", "", 0, []string{missing, "1 warning"}, nil}},
		{"severities: {'file-*': note}",
			projectTest{"a note", ".", "", 0, []string{"0 errors, 0 warnings"}, []string{missing}}},
		{"severities: {file-size: warning}\nfail-on: warning", projectTest{"a warning fails", ".", "", 1, nil, nil}},
		{"severities: {file-size: bad}", projectTest{"no severity", ".", "", 2, []string{"severity"}, nil}},
		{"rules: [gasp]", projectTest{"no rule", ".", "", 2, []string{`"gasp": unknown rule`}, nil}},
	} {
		for _, name := range []string{".layoutcalc.yaml", ".layoutcalc.yml"} {
			repository(t, map[string]string{"a.safetensors": "short", name: "version: 1\n" + tt.config + "\n"})
			tt.run(t)
		}
	}
}

// TestNothingToCheck has a repository without models, as many of an organisation are.
func TestNothingToCheck(t *testing.T) {
	repository(t, map[string]string{"README.md": "# models", ".layoutcalc.yam": "version: 1\n"})
	for _, tt := range []projectTest{
		{"an error", ".", "", 2, []string{"nothing to check here"}, nil},
		{"allowed", ". --allow-empty", "", 0, []string{"0 files"}, []string{"nothing to check here"}},
		{"a file that is named", "gone.npy --allow-empty", "", 2, []string{"gone.npy"}, nil},
		{"the flag is named", ".", "", 2, []string{"--allow-empty makes that no error"}, nil},
		{"also where all is skipped", ". --exclude *", "", 2, []string{"nothing to check here"}, nil},
		{"a slip of the name", ". --allow-empty", "", 0,
			[]string{".layoutcalc.yam is not read: the configuration of a project is .layoutcalc.yaml"}, nil},
	} {
		tt.run(t)
	}
}

// TestSlips has files that were meant to be the configuration of a project, and others that were not.
func TestSlips(t *testing.T) {
	const note = " is not read: the configuration of a project is .layoutcalc.yaml"
	const config = "version: 1\nrules: ['file-*']\n"
	for _, name := range []string{
		".layoutcalc", ".layoutcalc.json", ".layoutcalc.toml", ".Layoutcalc.yaml", ".layoutcalcrc", "layoutcalc.yaml",
	} {
		repository(t, map[string]string{name: config, "a.safetensors": "short"})
		(&projectTest{name, ".", "", 1, []string{name + note}, nil}).run(t)
		(&projectTest{"no configuration", ". --no-config", "", 1, nil, []string{note}}).run(t)
	}
	for _, name := range []string{".layoutcalc-known.json", "layoutcalc.json", "my.layoutcalc.yaml", ".layout.yaml"} {
		repository(t, map[string]string{name: `{"version": 1, "tensors": {}}`, "a.safetensors": "short"})
		(&projectTest{name, ".", "", 1, nil, []string{note}}).run(t)
	}
	repository(t, map[string]string{".layoutcalc.yaml": config, ".layoutcalc.yml": config, "a.safetensors": "short"})
	both := ".layoutcalc.yml is not read: .layoutcalc.yaml is beside it"
	(&projectTest{"both", ".", "", 1, []string{both}, nil}).run(t)
}
