package values

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"layoutcalc/layout"
)

// benchSizes are those of 256 MB of float32.
var benchSizes = []int64{4, 256, 256, 256}

// benchFiles makes a file of that size, its copy, one in the order of NHWC, and one of other numbers.
func benchFiles(b *testing.B) (paths [4]string) {
	n := benchSizes[0] * benchSizes[1] * benchSizes[2] * benchSizes[3]
	var data [3][]byte
	for i := range data {
		data[i] = make([]byte, 4*n)
	}
	pixels := benchSizes[2] * benchSizes[3]
	for k := range n {
		v := uint32(value(1, k, n, "random"))
		batch, channel, pixel := k/pixels/benchSizes[1], k/pixels%benchSizes[1], k%pixels
		binary.LittleEndian.PutUint32(data[0][4*k:], v)
		binary.LittleEndian.PutUint32(data[1][4*((batch*pixels+pixel)*benchSizes[1]+channel):], v)
		binary.LittleEndian.PutUint32(data[2][4*k:], uint32(value(2, k, n, "random")))
	}
	for i, d := range [...][]byte{data[0], data[0], data[1], data[2]} {
		paths[i] = filepath.Join(b.TempDir(), "x")
		if err := os.WriteFile(paths[i], d, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return paths
}

// BenchmarkFiles compares cached files, and reports the time as a multiple of that of cmp for two identical ones, which
// it runs in turns.
func BenchmarkFiles(b *testing.B) {
	cmp, err := exec.LookPath("cmp")
	if err != nil {
		b.Skip(err)
	}
	paths := benchFiles(b)
	l, err := layout.Strided(0, benchSizes, []int64{1 << 24, 1 << 16, 1 << 8, 1})
	if err != nil {
		b.Fatal(err)
	}
	tensor, err := layout.NewTensor(l, 0)
	if err != nil {
		b.Fatal(err)
	}
	for _, test := range [...]struct {
		name  string
		other int
	}{{"identical", 1}, {"related", 2}, {"unrelated", 3}} {
		b.Run(test.name, func(b *testing.B) {
			var ours, theirs time.Duration
			for b.Loop() {
				start := time.Now()
				if out, err := exec.Command(cmp, paths[0], paths[1]).CombinedOutput(); err != nil {
					b.Fatalf("%s%v", bytes.TrimSpace(out), err)
				}
				theirs += time.Since(start)
				start = time.Now()
				benchPair(b, tensor, paths[0], paths[test.other], test.name)
				ours += time.Since(start)
			}
			b.ReportMetric(float64(ours)/float64(theirs), "cmp")
		})
	}
}

// benchPair compares two files, and searches if they differ.
func benchPair(b *testing.B, tensor layout.Tensor, x, y, name string) {
	var list [2]Data
	for i, path := range [...]string{x, y} {
		file, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		defer file.Close()
		list[i] = Data{Tensor: tensor, File: file, Bytes: tensor.Bytes(tensor.Layout().Elements())}
	}
	first, err := Compare(context.Background(), list[0], list[1])
	if err != nil || (first == nil) != (name == "identical") {
		b.Fatal(first, err)
	}
	if first == nil {
		return
	}
	s, err := Find(context.Background(), list[0], list[1], first)
	if err != nil || (len(s.Fits) == 1) != (name == "related") {
		b.Fatal(s, err)
	}
}
