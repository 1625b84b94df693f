//go:build unix

package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"layoutcalc/layout/layouttest"
)

// TestRepositoryPaths has a Triton configuration with files that point outside the repository, or are not regular
// files.
func TestRepositoryPaths(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	const config = `backend: "python" output { name: "y" data_type: TYPE_FP32 dims: 2 label_filename: "labels.txt" }`
	files{"labels.txt": "a\nb\n"}.write(t, outside)
	all := files{"inside/1/model.py": "", "inside/all.txt": "a\nb\n", "inside/labels.txt": "-> all.txt",
		"linked/1/model.py": "", "linked/labels.txt": "-> " + filepath.Join(outside, "labels.txt"),
		"loop/1/model.py": "", "loop/labels.txt": "-> labels.txt", "pipe/1/model.py": ""}
	for _, model := range []string{"inside", "linked", "loop", "pipe"} {
		all[model+"/config.pbtxt"] = config
	}
	all["inside/configs/other.pbtxt"] = config + " max_batch_size: -1"
	all["inside/configs.pbtxt"] = "of another program"
	all.write(t, dir)
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe", "labels.txt"), 0o666); err != nil {
		t.Fatal(err)
	}
	r := runWith(strings.NewReader(""), nil, "check", dir, "-o", "plain")
	have := strings.ReplaceAll(r.out, dir+string(os.PathSeparator), "")
	const missing = `/config.pbtxt:1:83: error: y: ` +
		`there is no file "labels.txt" in the model's directory [triton-label]`
	want := "inside/configs/other.pbtxt:1:114: error: max_batch_size is -1; fix: 0 for a model without batches " +
		"[triton-batch-size]\n" +
		"linked" + missing + "\nloop" + missing + "\npipe" + missing + "\n"
	if have != want || r.code != 1 {
		t.Errorf("%d\n%s\nwant\n%s\n%s", r.code, have, want, r.stderr)
	}
}

// TestExternalPipe has a model with its data in a named pipe without a writer.
func TestExternalPipe(t *testing.T) {
	model, err := layouttest.ONNX(`ir_version: 8 opset_import { version: 17 } graph { initializer { name: "w" ` +
		`dims: [2, 3] data_type: FLOAT data_location: EXTERNAL external_data { key: "location" value: "pipe" } } }`)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	files{"m.onnx": string(model)}.write(t, ".")
	if err := syscall.Mkfifo("pipe", 0o666); err != nil {
		t.Fatal(err)
	}
	r := run(t, "check m.onnx -o plain")
	const want = `m.onnx: error: w: "pipe" is not a regular file: the elements of 1 tensor are to be in it ` +
		"[onnx-external-missing]\n"
	if r.code != 1 || r.out != want || r.stderr != "" {
		t.Errorf("check exits %d with %s%s", r.code, r.out, r.stderr)
	}
	if r := run(t, "convert --in m.onnx --tensor w --to row-major --out - -q"); r.code != 2 || r.out != "" {
		t.Errorf("convert exits %d with %s%s", r.code, r.out, r.stderr)
	}
}
