package input_test

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"layoutcalc/layout/input"
)

// TestManyArtefacts has the memory that n tensors of a configuration take, which are in one file or are misspelt there,
// grow as n does: the names of the file are not listed for each of them.
func TestManyArtefacts(t *testing.T) {
	tests := []struct{ in, stated string }{
		{"t%04d", "t%04d"},
		{"model.decoder.layers.%04d.self_attn.k_proj.weight", "model.encoder.layers.%04d.self_attention.kk.weights"},
	}
	for _, tt := range tests {
		took := func(n int) uint64 {
			header, text := "{", "version: 1\ntensors:\n"
			for i := range n {
				header += fmt.Sprintf(`"`+tt.in+`":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},`, i)
				text += fmt.Sprintf("  t%d: {file: b.safetensors, tensor: "+tt.stated+"}\n", i, i)
			}
			header = strings.TrimSuffix(header, ",") + "}"
			file := append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)
			s := input.Source{
				Name: "a.yaml", File: strings.NewReader(text), Size: int64(len(text)),
				Beside: fstest.MapFS{"b.safetensors": &fstest.MapFile{Data: file}},
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			in, err := input.Read(s, input.Options{})
			runtime.ReadMemStats(&after)
			if err != nil || len(in.Files[0].Descriptors)+len(in.Files[0].Findings) != n {
				t.Fatalf("%s: %v", tt.stated, err)
			}
			return after.TotalAlloc - before.TotalAlloc
		}
		took(10)
		if once, twice := took(400), took(800); twice > 3*once {
			t.Errorf("%s: 400 tensors take %d bytes, 800 take %d", tt.stated, once, twice)
		}
	}
}

// TestRootAlone has a configuration that moves the root of its paths,
// read where the directories around it are not known.
func TestRootAlone(t *testing.T) {
	const text = "version: 1\nroot: ..\ntensors:\n  a: {file: a.npy}\n"
	s := input.Source{
		Name: "a.yaml", File: strings.NewReader(text), Size: int64(len(text)), Beside: fstest.MapFS{},
	}
	in, err := input.Read(s, input.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := in.Files[0].Findings
	const want = "looked at by check only"
	if len(found) == 0 || !strings.Contains(found[0].Message, want) || found[0].Fix != "check FILE" {
		t.Errorf("found %v", found)
	}
}
