package processtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
)

// reportNames are the formats of reports.
var reportNames = strings.Fields("text plain json jsonl sarif junit github gitlab markdown csv")

// Files to check: without findings, with a warning, with an error.
const (
	goodRow = `{"DataType":"FLOAT32","Sizes":[1,1,2,4],"Strides":[10,10,5,1]}` + "\n"
	warnRow = `{"dtype":"float32","sizes":[2,2],"strides":[1,1]}` + "\n"
	badRow  = `{"DataType":"FLOAT32","Sizes":[0]}` + "\n"
)

// texts writes files into a new directory. The keys of files are names and the values are contents.
func texts(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// checkIn runs check in a directory, whose paths are then always the same.
func checkIn(t *testing.T, dir string, args ...string) (code int, out, stderr string) {
	t.Helper()
	var o, e strings.Builder
	c := program(t, append([]string{"check"}, args...)...)
	c.Dir, c.Stdout, c.Stderr = dir, &o, &e
	return exitCode(t, c.Run()), o.String(), e.String()
}

// list returns the names in a directory.
func list(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestCheckExitCodes(t *testing.T) {
	dir := texts(t, map[string]string{
		"good.jsonl": goodRow, "warn.jsonl": warnRow, "bad.jsonl": badRow, "broken.json": "{", "other.json": "{}",
	})
	for _, empty := range []string{"none", "others", "found"} {
		if err := os.Mkdir(filepath.Join(dir, empty), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"others/a.txt", "others/.a.json", "found/package.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{}"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		args   string
		want   int
		reason string
	}{
		{"good.jsonl", 0, "nothing found"},
		{"good.jsonl --fail-on warning", 0, "a note is below a warning"},
		{"good.jsonl --fail-on note", 1, "there are notes"},
		{"good.jsonl --fail-on note --severity error", 1, "what is not shown breaks the build as well"},
		{"warn.jsonl", 0, "a warning is below an error"},
		{"warn.jsonl --severity error", 0, "a warning is below an error"},
		{"warn.jsonl --fail-on warning", 1, "at the threshold"},
		{"warn.jsonl --fail-on warning --severity error", 1, "what is not shown breaks the build as well"},
		{"warn.jsonl --fail-on note", 1, "above the threshold"},
		{"bad.jsonl", 1, "at the threshold"},
		{"bad.jsonl --fail-on note", 1, "above the threshold"},
		{"bad.jsonl --severity note", 1, "what is shown breaks no build"},
		{"warn.jsonl --rule size-zero", 0, "the other rules do not hold"},
		{"bad.jsonl good.jsonl warn.jsonl", 1, "one of three"},
		{"broken.json", 2, "no JSON"},
		{"broken.json bad.jsonl", 2, "unreadable is more than found"},
		{"bad.jsonl gone.jsonl", 2, "unreadable is more than found"},
		{"other.json", 2, "nothing that is checked"},
		{"none", 2, "nothing to check"},
		{"others", 2, "nothing that is looked for"},
		{"found", 2, "nothing that is checked"},
		{"good.jsonl --report sarif", 2, "a report without a file"},
		{"good.jsonl --fail-on never", 2, "no severity"},
		{"good.jsonl --jobs 0", 2, "at least one is needed"},
	}
	for _, tt := range tests {
		if code, out, stderr := checkIn(t, dir, strings.Fields(tt.args)...); code != tt.want {
			t.Errorf("%s exits %d, want %d: %s\n%s%s", tt.args, code, tt.want, tt.reason, out, stderr)
		}
	}
}

// TestCheckGoesOn checks that the files after unreadable files are checked.
func TestCheckGoesOn(t *testing.T) {
	dir := texts(t, map[string]string{"a.json": "{", "b.jsonl": badRow, "d.jsonl": badRow})
	for _, jobs := range []string{"1", "16"} {
		code, out, stderr := checkIn(t, dir, "a.json", "b.jsonl", "c.json", "d.jsonl", "-o", "plain", "--jobs", jobs)
		at := -1
		for _, path := range []string{"a.json:", "b.jsonl:", "c.json:", "d.jsonl:"} {
			if i := strings.Index(out, path); i <= at {
				t.Errorf("%s is not at its place: %s", path, out)
			} else {
				at = i
			}
		}
		if code != 2 || stderr != "" {
			t.Errorf("exits %d and says %q", code, stderr)
		}
	}
}

// TestCheckFullDisk has standard output, and then a report, fail.
func TestCheckFullDisk(t *testing.T) {
	t.Parallel()
	layouttest.FullDisk(t)
	dir := texts(t, map[string]string{"good.jsonl": goodRow, "bad.jsonl": strings.Repeat(badRow, 2000)})
	for _, format := range reportNames {
		for _, file := range []string{"good.jsonl", "bad.jsonl"} {
			code, _, stderr := checkIn(t, dir, file, "--report", format+"=/dev/full")
			saysNothing := format == "plain" && file == "good.jsonl"
			quiet := code < 2 && stderr == "" && saysNothing
			if !quiet && (code != 3 || !strings.Contains(stderr, "no space left")) {
				t.Errorf("--report %s=/dev/full of %s exits %d and says %q", format, file, code, stderr)
			}
		}
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		var stderr strings.Builder
		c := program(t, "check", "bad.jsonl", "-o", format, "--report", "json=new.json")
		c.Dir, c.Stdout, c.Stderr = dir, full, &stderr
		if code := exitCode(t, c.Run()); code != 3 || !strings.Contains(stderr.String(), "no space left") {
			t.Errorf("-o %s exits %d and says %q", format, code, stderr.String())
		}
		full.Close()
	}
	if got := list(t, dir); len(got) != 2 {
		t.Errorf("left over: %q", got)
	}
}

// TestCheckNothing has nothing to check. A message must say so, and no unfinished report may be written.
func TestCheckNothing(t *testing.T) {
	t.Parallel()
	for _, format := range reportNames {
		code, out, stderr := checkIn(t, t.TempDir(), ".", "-o", format, "--severity", "note")
		if code != 2 || out != "" || !strings.Contains(stderr, "there is nothing to check here") {
			t.Errorf("-o %s exits %d with %d bytes: %.100s %s", format, code, len(out), out, stderr)
		}
	}
}

// TestCheckClosedPipe reads one line and closes the pipe, as head does.
func TestCheckClosedPipe(t *testing.T) {
	t.Parallel()
	dir := texts(t, map[string]string{"bad.jsonl": strings.Repeat(badRow, 9000)})
	for _, format := range reportNames {
		c := program(t, "check", "bad.jsonl", "-o", format)
		c.Dir = dir
		readLine(t, "-o "+format, c)
	}
}

// TestCheckReportPlaces writes reports to unusual paths, and to paths that are rejected.
func TestCheckReportPlaces(t *testing.T) {
	dir := texts(t, map[string]string{"bad.jsonl": badRow, "old.json": "old", "target.json": "old"})
	layouttest.Link(t, "target.json", filepath.Join(dir, "link.json"))
	if err := os.Mkdir(filepath.Join(dir, "dir.json"), 0o777); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		args   string
		want   int
		fresh  string // the file that is the new report
		reason string
	}{
		{args: "--report json=new.json", want: 1, fresh: "new.json", reason: "a new file"},
		{args: "--report json=old.json", want: 1, fresh: "old.json", reason: "the old one is replaced"},
		{args: "--report json=link.json", want: 3, reason: "a link"},
		{args: "--report json=link.json --follow", want: 1, fresh: "target.json", reason: "the link stays"},
		{args: "--report json=none/new.json", want: 3, reason: "no such directory"},
		{args: "--report json=dir.json", want: 3, reason: "the path is a directory"},
		{
			args: "--report json=a.json --report sarif=none/a", want: 3,
			reason: "nothing of the first is left when the second fails",
		},
		{args: "--report json=/proc/a.json", want: 3, reason: "a directory that takes no files"},
	}
	for _, tt := range tests {
		before := list(t, dir)
		code, _, stderr := checkIn(t, dir, append([]string{"bad.jsonl"}, strings.Fields(tt.args)...)...)
		if code != tt.want || code >= 2 && stderr == "" {
			t.Errorf("%s exits %d, want %d: %s %q", tt.args, code, tt.want, tt.reason, stderr)
		}
		if tt.fresh == "" && !slices.Equal(list(t, dir), before) {
			t.Errorf("%s leaves %q: %s", tt.args, list(t, dir), tt.reason)
		}
		if tt.fresh != "" {
			freshReport(t, filepath.Join(dir, tt.fresh))
		}
	}
	if to, err := os.Readlink(filepath.Join(dir, "link.json")); to != "target.json" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
}

// freshReport checks that a file is a report.
func freshReport(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	info, statErr := os.Lstat(path)
	if err != nil || statErr != nil {
		t.Fatal(err, statErr)
	}
	text := string(data)
	if !info.Mode().IsRegular() || !strings.HasPrefix(text, "{") || !strings.Contains(text, "size-zero") {
		t.Errorf("%s: %v %.100q", path, info.Mode(), data)
	}
}

// TestCheckKeepsReport has a run fail in the middle: the report of before stays whole.
func TestCheckKeepsReport(t *testing.T) {
	full, err := os.OpenFile(layouttest.FullDisk(t), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	dir := texts(t, map[string]string{
		"bad.jsonl": strings.Repeat(badRow, 2000), "old.json": "old", "older.xml": "older",
	})
	c := program(t, "check", "bad.jsonl", "-o", "plain", "--report", "json=old.json", "--report", "junit=older.xml")
	c.Dir, c.Stdout = dir, full
	if code := exitCode(t, c.Run()); code != 3 {
		t.Errorf("exits %d", code)
	}
	for name, want := range map[string]string{"old.json": "old", "older.xml": "older"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); string(got) != want {
			t.Errorf("%s has %.100q, %v", name, got, err)
		}
	}
	if got := list(t, dir); len(got) != 3 {
		t.Errorf("left over: %q", got)
	}
}

// mixed are good and bad files of all kinds.
func mixed() map[string]string {
	files := map[string]string{
		"a.yaml": "version: 1\ntensors:\n  a: {dtype: float32, sizes: 2x3, strides: [1, 1], role: output}\n" +
			"  b: {dtype: nope, sizes: 2x3, sise: 1}\nedges: [{from: a, to: c}]\n",
		"b.yaml": "version: 1\ntensors: &a\n",
		"c.json": `{"DataType":"FLOAT32","Sizes":[1,0,3],"Strides":[3]} // x`,
		"d.json": "{",
		"e.json": `{"resources":{"r":{"sizeInBytes":4}},"dispatchables":{"d":{"type":"SPLITT",` +
			`"InputTensor":{"DataType":"FLOAT32","Sizes":[4]}}},"commands":[{"type":"dispatch",` +
			`"dispatchable":"d","bindings":{"InputTensor":"r","x":"s"}}]}`,
		"f.safetensors": "\x02\x00\x00\x00\x00\x00\x00\x00{}xx",
		"g.gguf":        "GGUF\x03",
		"h.npy":         "\x93NUMPY\x01\x00",
		"i.jsonl":       strings.Repeat(goodRow+warnRow+badRow+"x\n", 200),
		"j.jsonl": strings.Repeat(goodRow+goodRow+goodRow+`{"name":"n","dtype":"float16","sizes":[4,4],`+
			`"strides":[3,1],`+
			`"role":"output","target":"pytorch"}`+"\n", 1500),
		"k.yaml": "\xFF\xFE",
		"l.json": "{}",
	}
	for i := range 40 {
		files[fmt.Sprint("m", i, ".jsonl")] = strings.Repeat(goodRow, 40-i) + badRow
	}
	return files
}

// TestCheckSame has the same bytes come out, however many work, and wherever: on standard output findings that are
// written one by one, and a tree, and in the files of all reports.
func TestCheckSame(t *testing.T) {
	files := mixed()
	dir, other := texts(t, files), t.TempDir()
	names := list(t, dir)
	slices.Reverse(names)
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(other, name), []byte(files[name]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	runs := []struct {
		dir, jobs, env, reason string
	}{
		{dir: dir, jobs: "1", reason: "once more"},
		{dir: dir, jobs: "2", env: "TZ=Asia/Kathmandu", reason: "two, in another time zone"},
		{dir: dir, jobs: "16", env: "LC_ALL=tr_TR.UTF-8", reason: "many, in another language"},
		{dir: other, jobs: "16", env: "LANG=C.UTF-8", reason: "files that were made in another order"},
	}
	runs = runs[:max(1, len(runs)/layouttest.Step())]
	for _, format := range []string{"plain", "json"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			code, want, stderr := checkIn(t, dir, ".", "-o", format, "--severity", "note", "--jobs", "1")
			note := "3150 more findings counted, not listed: at most 10000 are, the most severe"
			wantStderr := "note: " + note + "\n"
			if format == "json" {
				wantStderr = "" // the note is a field of the report
			}
			isNoted := wantStderr != "" || strings.Contains(want, `"notes": ["`+note+`"]`)
			if code != 2 || stderr != wantStderr || !isNoted || len(want) < 1000 {
				t.Fatalf("exits %d: %.200s%s", code, want, stderr)
			}
			for _, r := range runs {
				var out strings.Builder
				c := program(t, "check", ".", "-o", format, "--severity", "note", "--jobs", r.jobs)
				c.Dir, c.Env, c.Stdout = r.dir, append(c.Env, r.env), &out
				if code := exitCode(t, c.Run()); code != 2 || out.String() != want {
					t.Errorf("exits %d and differs: %s", code, r.reason)
				}
			}
		})
	}
	t.Run("reports", func(t *testing.T) {
		t.Parallel()
		var want map[string]string
		for _, r := range append(runs[:1:1], runs...) {
			reports := t.TempDir()
			args := []string{"check", ".", "-q", "--severity", "note", "--jobs", r.jobs}
			for _, format := range reportNames {
				args = append(args, "--report", format+"="+filepath.Join(reports, format))
			}
			c := program(t, args...)
			c.Dir, c.Env = r.dir, append(c.Env, r.env)
			code, got := exitCode(t, c.Run()), map[string]string{}
			for _, format := range reportNames {
				got[format] = string(read(t, filepath.Join(reports, format)))
			}
			if want == nil {
				want = got
			}
			if code != 2 {
				t.Errorf("exits %d: %s", code, r.reason)
			}
			for _, format := range reportNames {
				if len(got[format]) < 1000 || got[format] != want[format] {
					t.Errorf("a report of %d bytes as %s differs: %s", len(got[format]), format, r.reason)
				}
			}
		}
	})
}
