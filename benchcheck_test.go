package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// BenchmarkCheck times check on large files: a million lines beside what Python's json.loads alone
// takes for them, the header of 100,000 tensors and a configuration of 5 MB beside wc.
func BenchmarkCheck(b *testing.B) {
	dir := b.TempDir()
	program := build(b, dir, ".")
	lines := write(b, dir, "lines.jsonl", func(w *bufio.Writer) {
		for i := range 1_000_000 {
			fmt.Fprintf(w, `{"DataType":"FLOAT32","Sizes":[1,64,112,%d],"Strides":[%d,1,%d,64],"TotalTensorSizeInBytes":%d}`+"\n", 8+i%100, 64*112*(8+i%100), 64*(8+i%100), 4*64*112*(8+i%100))
		}
	})
	header := write(b, dir, "model.safetensors", writeHeader)
	config := write(b, dir, "layouts.yaml", func(w *bufio.Writer) {
		w.WriteString("version: 1\ntensors:\n")
		for i := range 42_000 {
			fmt.Fprintf(w, "  tensor%d:\n    dtype: float16\n    sizes: [1, 64, 56, 56]\n    strides: [200704, 1, 3584, 64]\n    expect: {layout: NHWC}\n", i)
		}
	})
	for _, bb := range []struct {
		name      string
		yardstick []string
		file      string
	}{
		{"lines", []string{"python3", "-c", "import json, sys\nfor line in open(sys.argv[1]): json.loads(line)", lines}, lines},
		{"safetensors", []string{"wc", "-c", header}, header},
		{"yaml", []string{"wc", "-l", config}, config},
	} {
		b.Run(bb.name, func(b *testing.B) {
			if _, err := exec.LookPath(bb.yardstick[0]); err != nil {
				b.Skip(err)
			}
			compare(b, bb.yardstick, []string{program, "check", bb.file})
		})
	}
}

// write writes a file and returns its path.
func write(b *testing.B, dir, name string, fill func(*bufio.Writer)) string {
	b.Helper()
	path := filepath.Join(dir, name)
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(file)
	fill(w)
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

// writeHeader writes a .safetensors file of 100,000 tensors of two elements.
func writeHeader(w *bufio.Writer) {
	header := []byte("{")
	for i := range 100_000 {
		if i > 0 {
			header = append(header, ',')
		}
		header = fmt.Appendf(header, `"layer.%d.weight":{"dtype":"F32","shape":[2],"data_offsets":[%d,%d]}`, i, 8*i, 8*i+8)
	}
	header = append(header, '}')
	for len(header)%8 != 0 {
		header = append(header, ' ')
	}
	binary.Write(w, binary.LittleEndian, uint64(len(header)))
	w.Write(header)
	w.Write(make([]byte, 800_000))
}
