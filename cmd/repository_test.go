//go:build unix

package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestRepositoryPaths has files that a configuration of Triton names lead out of the repository, or be no files.
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
	want := "inside/configs/other.pbtxt:1:114: error: max_batch_size is -1 [triton-batch-size]\n" +
		"linked" + missing + "\nloop" + missing + "\npipe" + missing + "\n"
	if have != want || r.code != 1 {
		t.Errorf("%d\n%s\nwant\n%s\n%s", r.code, have, want, r.stderr)
	}
}
