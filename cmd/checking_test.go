package cmd_test

import (
	"encoding/binary"
	"encoding/json"
	"strings"
	"testing"
)

// TestByteRanges checks the byte ranges of findings about binary files in SARIF: the description of the tensor with a
// type that DirectML does not have, and the bytes that show that a file has no tensors.
func TestByteRanges(t *testing.T) {
	length := func(text string) string {
		return string(binary.LittleEndian.AppendUint64(nil, uint64(len(text))))
	}
	number := func(n uint32) string { return string(binary.LittleEndian.AppendUint32(nil, n)) }
	const (
		entry  = `"second": {"dtype": "BF16", "shape": [2, 1], "data_offsets": [4, 8]}`
		header = `{"first":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}, ` + entry + `} `
		array  = "\x93NUMPY\x01\x00\x46\x00{'descr': '<c16', 'fortran_order': False, 'shape': (2,), }           \n"
		weight = "\x2A\x12\x08\x02\x10\x10\x42\x06weight\x4A\x04abcd" // field 5 of a graph: [2] of type 16, raw_data
		page   = "<!DOCTYPE html>\n<title>Sign in</title>\n"
		lfs    = "version https://git-lfs.github.com/spec/v1\n" +
			"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
	)
	info := length("second") + "second" + number(1) + "\x02" + strings.Repeat("\x00", 7) + number(30) + // [2] of BF16
		strings.Repeat("\x00", 8)
	magic := "GGUF" + number(3) + "\x01" + strings.Repeat("\x00", 15)
	for _, tt := range []struct{ name, file, rule, want string }{
		{"w.safetensors", length(header) + header + "abcdefgh", "dtype-known", entry},
		{"w.npy", array + strings.Repeat("\x00", 32), "dtype-known", array},
		{"w.gguf", magic + info + strings.Repeat("\x00", 64-len(magic+info)) + strings.Repeat("\x00", 32),
			"dtype-known", info},
		{"w.onnx", "\x08\x08\x3A\x14" + weight + "\x42\x02\x10\x11", "dtype-known", weight},
		{"pointer.safetensors", lfs, "lfs-pointer", lfs},
		{"pointer.onnx", lfs, "lfs-pointer", lfs},
		{"page.gguf", page, "not-the-file", page},
		{"page.json", page, "not-the-file", page},
		{"packed.npy", "\x1F\x8B\x08\x00rest", "not-the-file", "\x1F\x8B"},
		{"tar.npy", "name" + strings.Repeat("\x00", 253) + "ustar\x0000", "not-the-file",
			"name" + strings.Repeat("\x00", 253) + "ustar"},
		{"pickle.safetensors", "\x80\x04\x95\x10", "not-the-file", "\x80\x04"},
		{"empty.npy", "", "not-the-file", ""},
	} {
		t.Chdir(t.TempDir())
		files{tt.name: tt.file}.write(t, ".")
		r := run(t, "check --target directml -o sarif "+tt.name)
		var log struct {
			Runs []struct {
				Results []struct {
					RuleID    string
					Locations []struct {
						PhysicalLocation struct {
							Region struct{ StartLine, ByteOffset, ByteLength int }
						}
					}
				}
			}
		}
		if err := json.Unmarshal([]byte(r.out), &log); err != nil || len(log.Runs) != 1 {
			t.Fatal(err, r.stderr)
		}
		results := log.Runs[0].Results
		if len(results) != 1 || results[0].RuleID != tt.rule {
			t.Errorf("%s: %+v", tt.name, results)
			continue
		}
		about := results[0].Locations[0].PhysicalLocation.Region
		end := about.ByteOffset + about.ByteLength
		if about.StartLine != 1 || end > len(tt.file) || tt.file[about.ByteOffset:end] != tt.want {
			t.Errorf("%s: %+v of %q", tt.name, about, tt.file)
		}
	}
}
