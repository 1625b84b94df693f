package cmd_test

import (
	"encoding/binary"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
)

// onnxModel encodes a model that is written in protobuf's text format.
func onnxModel(t *testing.T, text string) string {
	t.Helper()
	data, err := layouttest.ONNX(`ir_version: 8 opset_import { version: 17 } graph { ` + text + ` }`)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// outsideModel is a model with 24 bytes in a file at a location.
func outsideModel(t *testing.T, location string) string {
	return onnxModel(t, fmt.Sprintf(`initializer { name: "w" dims: [2, 3] data_type: FLOAT data_location: EXTERNAL `+
		`external_data { key: "location" value: %q } }`, location))
}

// TestExternalData checks which files beside a model are opened, and what is said of those that are not.
func TestExternalData(t *testing.T) {
	data := strings.Repeat("\x00", 24)
	const link = `, which onnx.checker refuses [onnx-external-link]`
	const toBe = `: the elements of 1 tensor are to be in it [onnx-external-missing]`
	tests := []struct {
		reason string
		files  files
		path   string // of the model; m.onnx if it is empty
		says   string // the finding; none if it is empty
		code   int
	}{
		{reason: "beside it", files: files{"m.onnx": outsideModel(t, "w.bin"), "w.bin": data}},
		{reason: "in a directory below", files: files{"m.onnx": outsideModel(t, "a/b/w.bin"), "a/b/w.bin": data}},
		{reason: "by way of a directory", files: files{"m.onnx": outsideModel(t, "a/../w.bin"), "w.bin": data}},
		{reason: "from elsewhere", path: "a/m.onnx",
			files: files{"a/m.onnx": outsideModel(t, "w.bin"), "a/w.bin": data}},
		{reason: "a link to a file beside it", says: `warning: w: "w.bin" is a link to v.bin` + link,
			files: files{"m.onnx": outsideModel(t, "w.bin"), "w.bin": "-> v.bin", "v.bin": data}},
		{reason: "a cache of Hugging Face", path: "snapshots/x/m.onnx",
			says: `warning: w: "w.bin" is a link to ../../blobs/2` + link,
			files: files{"snapshots/x/m.onnx": "-> ../../blobs/1", "snapshots/x/w.bin": "-> ../../blobs/2",
				"blobs/1": outsideModel(t, "w.bin"), "blobs/2": data}},
		{reason: "a link to a file elsewhere", path: "a/m.onnx", code: 1,
			says:  `error: w: "w.bin" cannot be opened: it is a link to ../v.bin, outside of the directory` + toBe,
			files: files{"a/m.onnx": outsideModel(t, "w.bin"), "a/w.bin": "-> ../v.bin", "v.bin": data}},
		{reason: "a directory that is a link elsewhere", path: "a/m.onnx", code: 1,
			says:  `error: w: "b/w.bin" cannot be opened: it leads outside of the directory` + toBe,
			files: files{"a/m.onnx": outsideModel(t, "b/w.bin"), "a/b": "-> ../c", "c/w.bin": data}},
		{reason: "a link to itself", code: 1,
			says:  `error: w: "w.bin" cannot be opened: too many levels of symbolic links`,
			files: files{"m.onnx": outsideModel(t, "w.bin"), "w.bin": "-> w.bin"}},
		{reason: "a device", code: 1, says: `error: w: "w.bin" is not a regular file` + toBe,
			files: files{"m.onnx": outsideModel(t, "w.bin"), "w.bin": "-> /dev/zero"}},
		{reason: "a directory", code: 1, says: `error: w: "w.bin" is a directory` + toBe,
			files: files{"m.onnx": outsideModel(t, "w.bin"), "w.bin/x": data}},
		{reason: "a pipe", code: 1, says: `error: w: "pipe" is not a regular file` + toBe,
			files: files{"m.onnx": outsideModel(t, "pipe")}},
		{reason: "an empty file", code: 1, says: `error: w: 24 bytes from byte 0 on, and "w.bin" has 0: 24 too few`,
			files: files{"m.onnx": outsideModel(t, "w.bin"), "w.bin": ""}},
		{reason: "a path of Windows", code: 1, says: `error: w: "b\\w.bin" is missing, and "b/w.bin" is there: ` +
			`\ separates directories on Windows only [onnx-external-missing]`,
			files: files{"m.onnx": outsideModel(t, `b\w.bin`), "b/w.bin": data}},
		{reason: "a path of Windows to nothing", code: 1, says: `error: w: "b\\w.bin" is missing` + toBe,
			files: files{"m.onnx": outsideModel(t, `b\w.bin`), "b/v.bin": data}},
		{reason: "the model itself", says: `note: w: "m.onnx" is the model itself [onnx-external-path]`,
			files: files{"m.onnx": outsideModel(t, "m.onnx")}},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			dir := t.TempDir()
			tt.files.write(t, dir)
			t.Chdir(dir)
			if err := exec.Command("mkfifo", "pipe").Run(); err != nil {
				t.Skip(err)
			}
			path := tt.path
			if path == "" {
				path = "m.onnx"
			}
			r := runWith(strings.NewReader(""), nil, "check", path, "-o", "plain", "--severity", "note",
				"--ignore", "packed", "--ignore", "onnx-external-align")
			is := strings.HasPrefix(r.out, path+": "+tt.says) && strings.Count(r.out, "\n") == 1
			if r.code != tt.code || r.stderr != "" || tt.says == "" && r.out != "" || tt.says != "" && !is {
				t.Errorf("exits %d with\n%s%s", r.code, r.out, r.stderr)
			}
			r = runWith(strings.NewReader(""), nil, "convert", "--in", path, "--tensor", "w", "--to", "row-major",
				"--out", "-", "-q")
			if moved := r.code == 0 && len(r.out) == 24; moved != (tt.code == 0) {
				t.Errorf("convert exits %d with %d bytes and %s", r.code, len(r.out), r.stderr)
			}
		})
	}
}

// TestModelsInDirectories finds models in a directory by their names, and elsewhere by their bytes too.
func TestModelsInDirectories(t *testing.T) {
	const good = `initializer { name: "w" dims: [2] data_type: INT8 raw_data: "ab" }`
	const bad = `initializer { name: "w" dims: [3] data_type: INT8 raw_data: "ab" }`
	dir := t.TempDir()
	files{
		"a/m.onnx": onnxModel(t, good), "a/n.ONNX": onnxModel(t, bad), "a/model.bin": onnxModel(t, bad), "a/t.txt": "x",
		"b/model.bin": onnxModel(t, bad), "b/empty.onnx": "", "b/text.onnx": "1x3x224x224",
		"b/page.onnx": "<!DOCTYPE html><title>404</title>", "b/old.ort": "\x18\x00\x00\x00ORTM....",
		"b/old.onnx": "\x18\x00\x00\x00ORTM....",
	}.write(t, dir)
	t.Chdir(dir)
	tests := []struct {
		args []string
		code int
		out  string
	}{
		{[]string{"a"}, 1, "a/n.ONNX: error: w: INT8 of [3] takes 3 bytes, and raw_data has 2 [onnx-data-size]\n"},
		{[]string{"b/model.bin"}, 1,
			"b/model.bin: error: w: INT8 of [3] takes 3 bytes, and raw_data has 2 [onnx-data-size]\n"},
		{[]string{"b/empty.onnx"}, 2, "b/empty.onnx: error: the file is empty [not-the-file]\n"},
		{[]string{"b/text.onnx"}, 0, ""},
		{[]string{"b/page.onnx"}, 2, "b/page.onnx: error: a page of HTML: \"404\" [not-the-file]\n"},
		{[]string{"b/old.onnx"}, 2,
			"b/old.onnx: error: a model in the format of ONNX Runtime (ORT), which is not read"},
	}
	for _, tt := range tests {
		r := runWith(strings.NewReader(""), nil, append([]string{"check", "-o", "plain"}, tt.args...)...)
		if r.code != tt.code || !strings.HasPrefix(layouttest.Slashes(r.out), tt.out) || tt.out == "" && r.out != "" {
			t.Errorf("%v exits %d with\n%s%s", tt.args, r.code, r.out, r.stderr)
		}
	}
}

// TestModelsInStreams reads models from standard input, which has no directory and no name.
func TestModelsInStreams(t *testing.T) {
	model := onnxModel(t, `initializer { name: "w" dims: [2, 3] data_type: INT8 raw_data: "abcdef" }`)
	if r := runWith(strings.NewReader(model), nil, "strides", "-", "-o", "plain"); r.out != "3,1\n" {
		t.Errorf("%+v", r)
	}
	r := runWith(strings.NewReader(model), nil, "convert", "--in", "-", "--to", "column-major", "--out", "-", "-q")
	if r.out != "adbecf" {
		t.Errorf("%+v", r)
	}
	r = runWith(strings.NewReader(outsideModel(t, "w.bin")), nil, "check", "-", "-o", "plain")
	if r.code != 1 || !strings.Contains(r.out, "is not looked at: a stream has no directory") {
		t.Errorf("%+v", r)
	}
	r = runWith(strings.NewReader(model[:len(model)-2]), nil, "check", "-", "-o", "plain")
	if r.code != 1 || !strings.Contains(r.out, "[onnx-truncated]") {
		t.Errorf("%+v", r)
	}
}

// TestSmallTypes moves elements of 4 bits, of which the first is the low half of a byte, and of types that NumPy lacks.
func TestSmallTypes(t *testing.T) {
	tests := []struct{ fields, to, want, reason string }{
		{`dims: [2, 3] data_type: INT4 raw_data: "\x21\x43\x65"`, "column-major", "\x41\x52\x63", "1 2 3, 4 5 6"},
		{`dims: [3] data_type: UINT4 raw_data: "\x21\x03"`, "row-major", "\x21\x03", "an odd number"},
		{`dims: [2, 2] data_type: BFLOAT16 raw_data: "aabbccdd"`, "column-major", "aaccbbdd", "bfloat16"},
		{`dims: [2, 2] data_type: FLOAT8E5M2 raw_data: "abcd"`, "column-major", "acbd", "float8"},
		{`dims: [2, 2] data_type: FLOAT float_data: [1, 2, 3, 4]`, "column-major",
			string(binary.LittleEndian.AppendUint32(nil, 0x3F800000)) + string(binary.LittleEndian.AppendUint32(nil,
				0x40400000)) + string(binary.LittleEndian.AppendUint32(nil, 0x40000000)) +
				string(binary.LittleEndian.AppendUint32(nil, 0x40800000)), "float_data"},
	}
	for _, tt := range tests {
		dir := t.TempDir()
		files{"m.onnx": onnxModel(t, `initializer { name: "w" `+tt.fields+` }`)}.write(t, dir)
		path := filepath.Join(dir, "m.onnx")
		r := runWith(strings.NewReader(""), nil, "convert", "--in", path, "--to", tt.to, "--out", "-", "-q")
		if r.code != 0 || r.out != tt.want {
			t.Errorf("%s: exits %d with %x and %s, want %x", tt.reason, r.code, r.out, r.stderr, tt.want)
		}
	}
}
