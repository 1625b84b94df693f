package cmd_test

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"layoutcalc/cmd"
	"layoutcalc/layout/layouttest"
)

// dirFiles returns the files of a small repository.
func dirFiles() files {
	const array = "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
	const fixable = "version: 1\ntensors:\n  a: {dtype: f32, sizes: [2, 3], totalBytes: 20}\n"
	const header = `{"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}` + "       " // 64 bytes
	const shard = "\x40\x00\x00\x00\x00\x00\x00\x00" + header + "12345678"
	const index = `{"metadata": {"total_size": 8}, "weight_map": {"a": "w-1.safetensors"}}`
	return files{
		".git/HEAD":         "ref: refs/heads/main\n",
		".layoutcalc.yaml":  "version: 1\nfail-on: note\nexclude: [vendor/]\n",
		"a.layoutcalc.yaml": fixable,
		"l.layoutcalc.yaml": "-> a.layoutcalc.yaml",
		"d":                 "-> sub",
		"shape.txt":         "1x3x4x5\n",
		"mma.txt":           "mma.m16n8k16.f16:A\n",
		"batch.txt":         "2x3\n@shape.txt\n",
		"list.txt":          "a.layoutcalc.yaml\nsub/b.layoutcalc.yaml\nl.layoutcalc.yaml\ngone.layoutcalc.yaml\n",
		"x.npy":             array + strings.Repeat(" ", 127-len(array)) + "\n" + strings.Repeat("abcd", 6),

		"sub/.layoutcalc.yaml": "version: 1\nextends: ../.layoutcalc.yaml\n" +
			"exclude: [drafts/]\nbaseline: old.json\n",
		"sub/old.json":                 `{"version": 1, "tool": "layoutcalc", "findings": []}`,
		"sub/.gitignore":               "ignored*\n",
		"sub/b.layoutcalc.yaml":        "version: 1\ntensors:\n  b: {dtype: u8, sizes: [4], totalBytes: 8192}\n",
		"sub/drafts/c.layoutcalc.yaml": fixable,
		"sub/ignored.layoutcalc.yaml":  fixable,

		"vendor/.layoutcalc.yaml":  "version: 1\n",
		"vendor/v.layoutcalc.yaml": fixable,
		"vendor.txt":               "vendor/v.layoutcalc.yaml\nvendor/gone.layoutcalc.yaml\ns.layoutcalc.yaml\n",
		"s.layoutcalc.yaml":        "-> sub",
		"x[1].layoutcalc.yaml":     fixable,
		"x1.layoutcalc.yaml":       fixable,
		"q.svg":                    "-> sub/q.svg",
		"m.onnx":                   "no model",
		"n.onnx":                   "no model",
		"m.onnx_data":              "data",

		"w.safetensors.index.json":       index,
		"w-1.safetensors":                shard,
		"blobs/w":                        shard,
		"blobs/w.safetensors.index.json": index,
		"hub/w-1.safetensors":            "-> ../blobs/w",
		"hub/w.safetensors.index.json":   "-> ../blobs/w.safetensors.index.json",

		"models/m/labels.txt": "one\n",
		"models/m/config.pbtxt": "name: \"m\"\nplatform: \"onnxruntime_onnx\"\n" +
			"output [{ name: \"y\" data_type: TYPE_FP32 dims: [2] label_filename: \"labels.txt\" }]\n",
	}
}

// contents returns the files below a directory, each with its content or the target of its link.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if d.Type()&fs.ModeSymlink != 0 {
			all[name], err = os.Readlink(path)
			return err
		}
		text, err := os.ReadFile(path)
		all[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// runDir runs command lines one after the other, from a directory. An argument _ is empty.
func runDir(dir string, windows bool, lines ...string) (r result) {
	for _, line := range lines {
		args := strings.Fields(line)
		for i, arg := range args {
			if arg == "_" {
				args[i] = ""
			}
		}
		var out, stderr bytes.Buffer
		r.code = cmd.Run(args, cmd.Streams{
			In: strings.NewReader(""), Out: &out, Err: &stderr, Env: noEnv, Dir: dir, Windows: windows,
		})
		r.out += out.String()
		r.stderr += stderr.String()
	}
	return r
}

// TestDir runs calls in a working directory and again from another one, with Dir. All that they print and write must be
// equal.
func TestDir(t *testing.T) {
	for _, tt := range []struct {
		lines string // one after the other
		code  int    // of the last one
		has   string // a part of the output
		file  string // the file that the calls write
	}{
		{"strides @shape.txt", 0, "60,20,5,1", ""},
		{"strides sub/../shape.txt -o json", 0, "[60, 20, 5, 1]", ""},
		{"strides @gone.txt", 2, "gone.txt: ", ""},
		{"strides @gone.txt -o json", 2, `"path": "gone.txt"`, ""},
		{"strides @sub", 2, "sub: ", ""},
		{"strides @shape.txt/x", 2, "shape.txt/x: ", ""},
		{"size x.npy", 0, "24 bytes", ""},
		{"algebra coalesce @gone.txt", 2, "gone.txt: ", ""},
		{"owner mma.txt", 0, "32 lanes", ""},
		{"convert 2x3 NC CN --in x.npy --out y.npy --verify", 0, "verified", "y.npy"},
		{"convert 2x3 NC CN --in x.npy --out x.npy --force", 0, "24 bytes", "x.npy"},
		{"convert 2x3 NC CN --in x.npy --out x.npy", 2, "x.npy", ""},
		{"convert 2x3 NC CN --in x.npy --out gone/y.npy", 3, "cannot write gone/y.npy: ", ""},
		{"convert 2x3 NC CN --in gone.npy --out y.npy", 2, "gone.npy: ", ""},
		{"strides @shape.txt --svg p.svg --html sub/p.html", 0, "60,20,5,1", "sub/p.html"},
		{"strides @shape.txt --svg gone/p.svg", 3, "cannot write gone/p.svg: ", ""},
		{"strides @shape.txt --png sub", 3, "cannot write sub: ", ""},
		{"strides --batch batch.txt --batch-files", 0, "60,20,5,1", ""},
		{"strides --batch batch.txt", 2, "batch.txt:2: shape.txt ", ""},
		{"strides --batch gone.txt", 2, "gone.txt: ", ""},
		{"man --dir sub", 0, "", "sub/layoutcalc.1"},
		{"check . -v", 2, "sub/ignored.layoutcalc.yaml is skipped", ""},
		{"check sub l.layoutcalc.yaml d -v", 1, "sub/drafts is skipped", ""},
		{"check a.layoutcalc.yaml sub/b.layoutcalc.yaml -o json", 1, `"path": "sub/b.layoutcalc.yaml"`, ""},
		{"check sub/../a.layoutcalc.yaml", 1, "sub/../a.layoutcalc.yaml:3:46: ", ""},
		{"check gone.json gone/../a.layoutcalc.yaml", 2, "gone/../a.layoutcalc.yaml: ", ""},
		{"check . --report sarif=r.sarif", 2, "models/m/config.pbtxt:3:68: ", "r.sarif"},
		{"check . --report sarif=a.layoutcalc.yaml", 2, "a.layoutcalc.yaml, which is read", ""},
		{"check --files-from list.txt -v", 2, "gone.layoutcalc.yaml: ", ""},
		{"check --files-from gone.txt", 2, "gone.txt: ", ""},
		{"check . --write-baseline new.json\ncheck . --baseline new.json", 0, " known", "new.json"},
		{"check sub --write-baseline sub/old.json\ncheck sub", 0, " known", "sub/old.json"},
		{"check a.layoutcalc.yaml --baseline gone.json", 2, "baseline gone.json: ", ""},
		{"check a.layoutcalc.yaml --baseline gone/gone.json", 2, "baseline gone/gone.json: ", ""},
		{"check --fix a.layoutcalc.yaml", 0, "1 fixed", "a.layoutcalc.yaml"},
		{"check --fix sub/../a.layoutcalc.yaml d/drafts/c.layoutcalc.yaml", 0, "2 fixed", "a.layoutcalc.yaml"},
		{"check --fix l.layoutcalc.yaml", 1, "(to a.layoutcalc.yaml)", ""},
		{"check --diff .", 2, "+++ a.layoutcalc.yaml", ""},
		{"check sub --root .", 1, "sub/b.layoutcalc.yaml:3:42: ", ""},
		{"check sub --root sub", 2, "--root sub", ""},
		{"check sub --root gone", 2, "no directory gone", ""},
		{"check w.safetensors.index.json", 1, "w-1.safetensors: error: ", ""},
		{"check hub/w.safetensors.index.json", 1, "hub/w-1.safetensors: error: ", ""},
		{"check blobs/w.safetensors.index.json", 1, `"w-1.safetensors" is not checked out`, ""},
		{"check m.onnx_data -v", 2, "m.onnx: error", ""},
		{"check @sub", 1, "sub/b.layoutcalc.yaml:3:42: ", ""},
		{"check --files-from vendor.txt -v", 0, "vendor/gone.layoutcalc.yaml is skipped", ""},
		{"check x[1].layoutcalc.yaml *.npy", 1, "x[1].layoutcalc.yaml:3:46: ", ""},
		{"check a.layoutcalc.yaml --baseline sub/gone.json", 2, "--write-baseline sub/gone.json", ""},
		{"strides 2x3 --follow --svg q.svg", 0, "3,1", "sub/q.svg"},
		{"check models/m/labels.txt", 1, "models/m/config.pbtxt:3:68: ", ""},
		{"check *.yaml sub/**", 2, "sub/old.json: ", ""},
		{"__complete strides @s", 0, "@shape.txt", ""},
		{"__complete strides @sub/", 0, "@sub/drafts/", ""},
		{"__complete strides @shape.txt --pad _", 0, "H=\tsize 4", ""},
	} {
		t.Run(tt.lines, func(t *testing.T) {
			here, there := t.TempDir(), t.TempDir()
			dirFiles().write(t, here)
			dirFiles().write(t, there)
			lines := strings.Split(tt.lines, "\n")
			windows := strings.Contains(tt.lines, "*")
			t.Chdir(here)
			want := runDir("", windows, lines...)
			t.Chdir(t.TempDir())
			got := runDir(there, windows, lines...)
			if got != want {
				t.Errorf("with Dir it exits %d and prints\n%s%s\nwithout it exits %d and prints\n%s%s",
					got.code, got.out, got.stderr, want.code, want.out, want.stderr)
			}
			all := layouttest.Slashes(got.out + got.stderr)
			if got.code != tt.code || !strings.Contains(all, tt.has) {
				t.Errorf("it exits %d, not %d, or does not print %q:\n%s", got.code, tt.code, tt.has, all)
			}
			written := contents(t, there)
			if !maps.Equal(written, contents(t, here)) {
				t.Error("the files differ")
			}
			if tt.file != "" && written[tt.file] == dirFiles()[tt.file] {
				t.Errorf("%s is not written", tt.file)
			}
			if stray := contents(t, "."); len(stray) > 0 {
				t.Errorf("files in the working directory: %v", stray)
			}
		})
	}
}

// TestDirsInParallel runs calls from two directories at the same time.
func TestDirsInParallel(t *testing.T) {
	for name, shape := range map[string]string{"one": "2x3", "two": "4x5x6"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			files{"shape.txt": shape, "known.json": "{}"}.write(t, dir)
			for range 20 {
				want := runDir("", false, "strides "+shape+" -o json")
				got := runDir(dir, false, "strides @shape.txt -o json --svg p.svg -q")
				if got != want || want.code != 0 {
					t.Fatalf("got %v, want %v", got, want)
				}
			}
			if _, err := os.Stat(filepath.Join(dir, "p.svg")); err != nil {
				t.Error(err)
			}
		})
	}
}
