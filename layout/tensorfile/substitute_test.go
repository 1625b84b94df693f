package tensorfile

import (
	"errors"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
)

const lfsSum = "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"

// TestSubstitutes reads files that stand for tensor files, at the limits of their detection.
func TestSubstitutes(t *testing.T) {
	const v1 = "version https://git-lfs.github.com/spec/v1\n"
	zip := func(names ...string) string {
		text := ""
		for _, name := range names {
			text += "PK\x03\x04" + zeros(22) + le32(int64(len(name))) + name + "data"
		}
		return text
	}
	padded := func(start string, n int) string { return start + strings.Repeat("x", n-len(start)) }
	lfs, not := LFSPointer, NotTheFile
	for _, c := range []struct {
		reason, name, file string
		rule               *finding.Rule
		word               string // of the message; empty for a file that is judged by its header
		bytes              int64  // of the file that a pointer stands for
	}{
		{reason: "the document's own example", file: v1 + lfsSum + "size 12345\n", rule: lfs,
			word: "a Git LFS pointer", bytes: 12345},
		{reason: "of whatever name", name: "a.txt", file: v1 + lfsSum + "size 12345\n", rule: lfs,
			word: "a Git LFS pointer", bytes: 12345},
		{reason: "an older version", file: "version https://hawser.github.com/spec/v1\n" + lfsSum + "size 1\n",
			rule: lfs, word: "a Git LFS pointer", bytes: 1},
		{reason: "the oldest version", file: "version http://git-media.io/v/2\n" + lfsSum + "size 0\n", rule: lfs,
			word: "a Git LFS pointer", bytes: 0},
		{reason: "extensions", file: v1 + "ext-0-foo sha256:" + lfsSum[11:] + lfsSum + "size 7\n", rule: lfs,
			word: "a Git LFS pointer", bytes: 7},
		{reason: "with carriage returns", file: strings.ReplaceAll(v1+lfsSum+"size 7\n", "\n", "\r\n"), rule: lfs,
			word: "a Git LFS pointer", bytes: 7},
		{reason: "cut off", file: v1 + lfsSum, rule: lfs, word: "damaged"},
		{reason: "a negative size", file: v1 + lfsSum + "size -1\n", rule: lfs, word: "damaged"},
		{reason: "63 digits", file: v1 + strings.Replace(lfsSum, "4", "", 1) + "size 1\n", rule: lfs, word: "damaged"},
		{reason: "1023 bytes", file: padded(v1+lfsSum+"size 7\n", 1023), rule: lfs, word: "a Git LFS pointer",
			bytes: 7},
		{reason: "1024 bytes", file: padded(v1+lfsSum+"size 7\n", 1024), rule: not, word: "but has 1024 bytes"},
		{reason: "a later version", file: "version https://git-lfs.github.com/spec/v11\n"},

		{reason: "no bytes", rule: not, word: "the file is empty"},
		{reason: "no bytes of whatever", name: "a.txt"},
		{reason: "a page", file: "<!DOCTYPE html>\n<html><head><title>Sign\n in \x1b[1m</title>", rule: not,
			word: `an HTML page: "Sign\n in \x1b[1m"`},
		{reason: "a page of whatever name", name: "a.txt", file: "<html>", rule: not, word: "an HTML page"},
		{reason: "after blanks and a mark", file: "\xEF\xBB\xBF \r\n<HTML>", rule: not, word: "an HTML page"},
		{reason: "a page of XHTML", file: "<?xml version=\"1.0\"?><html>", rule: not, word: "an HTML page"},
		{reason: "a head alone", file: "<head>", rule: not, word: "an HTML page"},
		{reason: "a comment before it", file: "<!-- x --><html>", rule: not, word: "an HTML page"},
		{reason: "S3 refuses", file: `<?xml version="1.0" encoding="UTF-8"?>` +
			"\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>", rule: not,
			word: "a message of a file server: AccessDenied"},
		{reason: "XML", file: `<?xml version="1.0"?><net name="x">`, rule: not, word: "a document of XML"},
		{reason: "the hub refuses", file: `{"error":"Invalid username or password."}`, rule: not,
			word: `a message, not tensors: {"error":"Invalid username or password."}`},
		{reason: "a blank in it", file: "{\n  \"message\": \"x\"\n}", rule: not, word: "a message, not tensors: {"},
		{reason: "details", file: `{"detail":"x"}`, rule: not, word: "a message"},
		{reason: "of another name", name: "a.txt", file: `{"error":"x"}`},
		{reason: "4095 bytes", file: padded(`{"error":"`, 4095), rule: not, word: "a message"},
		{reason: "4096 bytes", file: padded(`{"error":"`, 4096)},
		{reason: "a gate", file: "Access to model x is restricted.\nPlease log in.", rule: not,
			word: "not tensors: Access to model x is restricted."},
		{reason: "no entry", file: "Entry not found", rule: not, word: "Entry not found"},
		{reason: "a mirror", file: "404: Not Found", rule: not, word: "404: Not Found"},

		{reason: "TensorFlow Lite", file: "\x1c\x00\x00\x00TFL3" + zeros(20), rule: not, word: "TensorFlow Lite"},
		{reason: "ONNX Runtime", name: "a.txt", file: "\x20\x00\x00\x00ORTM" + zeros(20), rule: not, word: "ORT"},
		{reason: "TensorRT", file: "ftrt" + zeros(20), rule: not, word: "an engine of TensorRT"},
		{reason: "an older engine", name: "a.plan", file: "ptrt" + zeros(20), rule: not, word: "an engine of TensorRT"},
		{reason: "GGML of 2023, as struct.pack('<I', 0x67676a74) writes it", name: "a.bin", file: "tjgg" + le32(3),
			rule: not, word: "an older GGML file (ggjt)"},
		{reason: "GGML with versions", name: "a.bin", file: "fmgg" + le32(1), rule: not, word: "(ggmf)"},
		{reason: "GGML without versions", name: "a.bin", file: "lmgg" + le32(32000), rule: not, word: "(ggml)"},
		{reason: "an adapter", name: "a.bin", file: "algg" + le32(1), rule: not, word: "LoRA adapter (ggla)"},
		{reason: "the mark in the other order", name: "a.bin", file: "ggjt" + le32(3)},
		{reason: "a text", name: "a.txt", file: "ftrt is the mark of an engine"},
		{reason: "gzip", file: "\x1F\x8B\x08\x00", rule: not, word: "gzip"},
		{reason: "gzip of whatever name", name: "a.txt", file: "\x1F\x8B\x08\x00", rule: not, word: "gzip"},
		{reason: "xz", file: "\xFD7zXZ\x00", rule: not, word: "xz"},
		{reason: "zstd", file: "\x28\xB5\x2F\xFD", rule: not, word: "zstd"},
		{reason: "bzip2", file: "BZh9", rule: not, word: "bzip2"},
		{reason: "lz4", file: "\x04\x22\x4D\x18", rule: not, word: "lz4"},
		{reason: "tar", file: "x" + zeros(256) + "ustar", rule: not, word: "tar"},
		{reason: "a text with that word", file: padded("x", 257) + "ustar"},
		{reason: "nearly tar", file: "x" + zeros(255) + "ustar "},
		{reason: "HDF5", file: "\x89HDF\r\n\x1A\n", rule: not, word: "HDF5"},
		{reason: "a picture", file: "\x89PNG", rule: not, word: "PNG"},
		{reason: "a document", file: "%PDF-1.7", rule: not, word: "PDF"},
		{reason: "a program", file: "\x7FELF", rule: not, word: "ELF"},
		{reason: "an archive", file: zip("a.txt"), rule: not, word: "a zip archive"},
		{reason: "an empty archive", file: "PK\x05\x06" + zeros(18), rule: not, word: "a zip archive"},
		{reason: "nothing after the mark", file: "PK\x03\x04", rule: not, word: "a zip archive"},
		{reason: "arrays", file: zip("arr_0.npy"), rule: not, word: "an archive of .npy files"},
		{reason: "torch.save", file: zip("model/data.pkl", "model/data/0"), rule: not, word: "an archive of PyTorch"},
		{reason: "a later member", file: zip("model/version", "model/data.pkl"), rule: not, word: "of PyTorch"},
		{reason: "torch.export", file: zip("x/archive_format"), rule: not, word: "torch.export"},
		{reason: "Keras", file: zip("metadata.json", "config.json"), rule: not, word: "Keras"},
		{reason: "the old torch.save", name: "a.txt",
			file: "\x80\x02\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19\x2E", rule: not, word: "a pickle"},
		{reason: "a pickle", file: "\x80\x04\x95\x10", rule: not, word: "a pickle"},
		{reason: "the last version", file: "\x80\x05}", rule: not, word: "a pickle"},
		{reason: "a version that does not exist", file: "\x80\x06}"},
		{reason: "two bytes are not enough", file: "\x80\x02\x00"},
		{reason: "a pickle of whatever name", name: "a.txt", file: "\x80\x04\x95\x10"},
	} {
		other := FindSubstitute(strings.NewReader(c.file), int64(len(c.file)), c.name == "")
		_, err := tensorsOf(t, "a.safetensors", c.file)
		if c.word == "" {
			if other != nil || c.name == "" && errors.As(err, &other) {
				t.Errorf("%s: %v", c.reason, other)
			}
			continue
		}
		if other == nil || other.Rule != c.rule || !strings.Contains(other.Msg, c.word) || other.Bytes != c.bytes {
			t.Errorf("%s: %v, want %v: %s, %d bytes", c.reason, other, c.rule, c.word, c.bytes)
			continue
		}
		var syntax *layout.SyntaxError
		if !errors.As(err, &syntax) || syntax.Hint != other.Hint || syntax.Hint == "" || syntax.Msg != other.Msg {
			t.Errorf("%s: the reader says %v", c.reason, err)
		}
	}
}

// TestValidFilesAreNoSubstitutes has files whose first bytes are those of something else.
func TestValidFilesAreNoSubstitutes(t *testing.T) {
	for _, c := range []struct{ reason, file string }{
		{"a header of 0x0280 bytes", safetensorsOf(`{"__metadata__":{"a":"`+strings.Repeat("x", 0x280-40)+`"}}`, 0)},
		{"the same, cut off", "\x80\x02" + zeros(6) + "{"},
		{"a header of 35,615 bytes, cut off", "\x1F\x8B" + zeros(6) + "{"},
		{"a header of 67,324,752 bytes, cut off", "PK\x03\x04" + zeros(4) + "{"},
		{"Fortran order", npyOf(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", 24)},
		{"a pointer in metadata",
			ggufOf(3, []string{ggufText("k") + le32(8) + ggufText("version http://git-media.io/v/2")}, nil, 1, 0)},
	} {
		if s := FindSubstitute(strings.NewReader(c.file), int64(len(c.file)), true); s != nil {
			t.Errorf("%s: %s", c.reason, s.Msg)
		}
	}
}

// FuzzSubstitute judges files by their first 4096 bytes, and never one that has a header.
func FuzzSubstitute(f *testing.F) {
	f.Add("version https://git-lfs.github.com/spec/v1\n"+lfsSum+"size 12345\n", true)
	f.Add("<!doctype html><title>x</title>", false)
	f.Add("<?xml <Error><Code>x</Code>", true)
	f.Add("PK\x03\x04"+zeros(22)+"\xFF\xFF\x00\x00a/data.pkl", false)
	f.Add("\x80\x02}", true)
	f.Add(safetensorsOf("{"+entryText("a", "F32", "[2,3]", 0, 24)+"}", 24), true)
	f.Fuzz(func(t *testing.T, data string, expected bool) {
		defer layouttest.Limit(t, len(data))()
		s := FindSubstitute(strings.NewReader(data), int64(len(data)), expected)
		if s == nil {
			return
		}
		if _, err := tensorsOf(t, "", data); err == nil || s.Msg == "" || s.Hint == "" || len(s.Msg) > 1000 {
			t.Fatalf("%v and %v", s, err)
		}
		if s.Rule == LFSPointer && len(data) >= 1024 {
			t.Fatal(s.Msg)
		}
	})
}
