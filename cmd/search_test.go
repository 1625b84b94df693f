package cmd_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
)

// TestCompanions names data of ONNX models and labels of models of Triton: the files that name them are checked.
func TestCompanions(t *testing.T) {
	model, err := os.ReadFile("../testdata/walk/broken/triton/classify/1/model.onnx") // its data is 680 bytes too short
	if err != nil {
		t.Fatal(err)
	}
	data := strings.Repeat("\x00", 7000)
	repository(t, map[string]string{
		"a/model.onnx": string(model), "a/model.onnx_data": data, "a/other.onnx": string(model),
		"b/model.onnx":      string(model),
		"b/model.onnx_data": data, "b/weights.onnx.data": data, "b/labels.txt": "cat\n", "c/model.onnx_data": data,
		"m/config.pbtxt": "nam: 1", "m/labels.txt": "cat\n", "m/configs/x.pbtxt": "nam: 1", "x/labels.txt": "cat\n",
		"x/other.pbtxt": "nam: 1",
	})
	for _, tt := range []projectTest{
		{"data of a model", "a/model.onnx_data", "", 1, []string{"a/model.onnx: error", "1 file,"}, []string{"other"}},
		{"with the model", "a/model.onnx_data a/model.onnx", "", 1, []string{"1 file,"}, nil},
		{"data of several models", "b/weights.onnx.data", "", 1, []string{"b/model.onnx: error", "1 file,"}, nil},
		{"data of none", "c/model.onnx_data", "", 2, []string{"nothing to check here: 1 file skipped"}, nil},
		{"which is allowed", "c/model.onnx_data --allow-empty -v", "", 0,
			[]string{"c/model.onnx_data is skipped: nothing beside it names it"}, nil},
		{"labels", "m/labels.txt", "", 1, []string{"m/config.pbtxt", "m/configs/x.pbtxt", "2 files"}, nil},
		{"other labels", "x/labels.txt b/labels.txt --allow-empty", "", 0, []string{"0 files", "2 skipped"}, nil},
		{"a list", "--files-from -",
			"a/model.onnx_data\nb/weights.onnx.data\nm/labels.txt\nc/model.onnx_data\nm/config.pbtxt\n", 1,
			[]string{"4 files (2 onnx, 2 triton"}, nil},
		{"what is excluded", "m/labels.txt --exclude configs", "", 1, []string{"1 file,"}, nil},
		{"a directory has the files themselves", "a", "", 1, []string{"2 files"}, nil},
	} {
		tt.run(t)
	}
}

// TestNoFiles has names of ours that are links to nothing and no regular files. What must be ours cannot be read, the
// others are skipped.
func TestNoFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	files{"a.yaml": goodConfig, "b.yaml": "-> nowhere", "c.yaml": "-> c.yaml", "d.npy": "-> nowhere",
		"e.txt": "-> nowhere", "f.json": "-> /dev/zero"}.write(t, ".")
	r := run(t, "check . -o plain -v")
	const gone = " is skipped: a link that leads nowhere (to "
	want := "note: b.yaml" + gone + "nowhere)\nnote: c.yaml" + gone + "c.yaml)\n" +
		"note: f.json is skipped: not a regular file (to /dev/zero)\n"
	if r.code != 2 || r.out != "d.npy: error: a link (to nowhere): there is no such file [syntax]\n" ||
		r.stderr != want {
		t.Errorf("exits %d with\n%s%s", r.code, r.out, r.stderr)
	}
}

// TestLinkNotes has links to directories that are searched by their own paths, that are hidden, and that are elsewhere.
// What is not searched is noted, with -v each link by itself.
func TestLinkNotes(t *testing.T) {
	t.Chdir(t.TempDir())
	files{
		"d/a.yaml": goodConfig, "d/.h/b.yaml": badConfig, "d/sub/c.yaml": goodConfig,
		"d/whole": "-> .", "d/sub/around": "-> ..", "d/sub2": "-> sub",
		"d/e": "-> .h", "d/sub/f": "-> ../.h", "d/g": "-> ../../", "d/i": "-> /usr",
	}.write(t, ".")
	const hidden = " is a link to a hidden directory, which is not searched\n"
	const elsewhere = " is a link to a directory elsewhere, which is not searched\n"
	for _, tt := range []struct{ flags, want string }{
		{"", "note: d/g (to ../../) and 1 more are links to directories elsewhere, which are not searched\n" +
			"note: d/e (to .h) and 1 more are links to hidden directories, which are not searched\n"},
		{" -v", "note: d/g (to ../../)" + elsewhere + "note: d/i (to /usr)" + elsewhere +
			"note: d/e (to .h)" + hidden + "note: d/sub/f (to ../.h)" + hidden},
	} {
		r := run(t, "check d -o plain"+tt.flags)
		if got := strings.ReplaceAll(r.stderr, "\\", "/"); r.code != 0 || r.out != "" || got != tt.want {
			t.Errorf("%q: exits %d with\n%s%s", tt.flags, r.code, r.out, got)
		}
	}
}

// TestOutside has files that a repository names, and links in it, that lead out. Of what is there nothing is shown, and
// only files of tensors are read.
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
			"../secret.yaml leads out of the repository"},
		{"a baseline from the root of the system",
			files{".layoutcalc.yaml": "version: 1\nbaseline: " + strings.Repeat("../", 30) + "proc/self/environ\n"},
			".", "", 2, "leads out of the repository"},
		{"a baseline that is a link", files{".layoutcalc.yaml": "version: 1\nbaseline: b.json\n",
			"b.json": "-> ../secret.yaml"}, ".", "", 2, "b.json leads out of the repository"},
		{"a baseline that git has", files{".layoutcalc.yaml": "version: 1\nbaseline: .git/config\n"}, ".", "", 2,
			".git/config leads out of the repository"},
		{"a baseline that is none",
			files{".layoutcalc.yaml": "version: 1\nbaseline: b.json\n", "b.json": "{\n" + secret}, ".", "", 2,
			"b.json:2: this is not a baseline of version 1"},
		{"the project", files{".layoutcalc.yaml": "-> ../secret.yaml"}, ".", "", 2,
			".layoutcalc.yaml leads out of the repository"},
		{"the project in git's directory", files{".layoutcalc.yaml": "-> .git/config"}, ".", "", 2,
			".layoutcalc.yaml leads out of the repository"},
		{"an index", files{"model.safetensors.index.json": "-> ../secret.yaml"}, ".", "", 0,
			"is a link that leads out, which --follow follows"},
		{"two links", files{"a.json": "-> ../secret.yaml", "b.npy": "-> .git/config"}, ".", "", 0,
			"a.json (to ../secret.yaml) and 1 more are links that lead out, which --follow follows"},
		{"the summary", files{"a.json": "-> ../secret.yaml"}, ".", "", 0, "1 skipped (1 lead out; -v lists them)"},
		{"a list", files{"a.layoutcalc.yaml": "-> ../secret.yaml"}, "--files-from -", "a.layoutcalc.yaml\n", 0,
			"a.layoutcalc.yaml (to ../secret.yaml) is a link that leads out"},
		{"a list through a link to a directory", files{"d": "-> .."}, "--files-from -", "d/secret.yaml\n", 0,
			"d/secret.yaml is a link that leads out"},
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

// TestSnapshot searches a directory of links out of it, as the cache of Hugging Face has them.
func TestSnapshot(t *testing.T) {
	dir := t.TempDir()
	files{"blobs/1": hollow, "blobs/2": `{"a":1}`, "blobs/3": goodConfig,
		"snapshots/x/model.safetensors": "-> ../../blobs/1", "snapshots/x/config.json": "-> ../../blobs/2",
		"snapshots/x/tokenizer.json":    "-> ../../blobs/2",
		"snapshots/x/a.layoutcalc.yaml": "-> ../../blobs/3"}.write(t, dir)
	t.Chdir(filepath.Join(dir, "snapshots/x"))
	for _, tt := range []struct{ args, files, says string }{
		{".", "1", "note: a.layoutcalc.yaml (to ../../blobs/3) and 2 more are links that lead out, " +
			"which --follow follows\n"},
		{". --follow", "2", ""},
		{"../..", "2", ""},
	} {
		r := run(t, "check "+tt.args+" --get files")
		if r.code != 0 || r.out != tt.files+"\n" || r.stderr != tt.says {
			t.Errorf("%s: exits %d with %s%s", tt.args, r.code, r.out, r.stderr)
		}
	}
}

// TestIgnored has files that a .gitignore names, in a repository and without one.
func TestIgnored(t *testing.T) {
	t.Chdir(t.TempDir())
	files{".gitignore": "*.npy\nbuild/\n", "a.npy": "-> b.safetensors", "b.safetensors": hollow,
		"build/c.safetensors": hollow}.write(t, ".")
	for _, tt := range []struct{ dir, args, files, by string }{
		{"", "", "1", `"gitignore": 1, "exclude": 0, "link": 0`},
		{"", " --no-gitignore", "2", `"gitignore": 0, "exclude": 0, "link": 0`},
		{".git/x", "", "1", `"gitignore": 2, "exclude": 0, "link": 0`},
		{"", " --no-gitignore --exclude b*", "0", `"gitignore": 0, "exclude": 2, "link": 0`},
	} {
		if tt.dir != "" {
			files{tt.dir: ""}.write(t, ".")
		}
		r := run(t, "check . x.jsonl --stdin-filename y -o jsonl"+tt.args)
		if !strings.Contains(r.out, `"skippedBy": {`+tt.by+"}") {
			t.Errorf("%s%s: %s%s", tt.dir, tt.args, r.out, r.stderr)
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
