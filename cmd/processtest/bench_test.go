package processtest

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkProcess times whole processes, alternating with a yardstick, and reports the ratio of the medians. The
// yardsticks are an empty cobra program, and seq for a million rows.
func BenchmarkProcess(b *testing.B) {
	dir := b.TempDir()
	program, peer := build(b, dir, "layoutcalc"), build(b, dir, "layoutcalc/testdata/peer")
	for _, bb := range []struct {
		name           string
		yardstick, own []string
	}{
		{"plain", []string{peer, "strides"}, []string{program, "strides", "1x3x224x224", "NHWC", "-o", "plain"}},
		{"table", []string{peer, "strides"}, []string{program, "strides", "1x3x224x224", "NHWC"}},
		{"rows", []string{"seq", "1000000"}, []string{program, "offset", "1000x1000", "--all", "-o", "csv"}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			if _, err := exec.LookPath(bb.yardstick[0]); err != nil {
				b.Skip(err)
			}
			compare(b, bb.yardstick, bb.own)
		})
	}
}

// BenchmarkConvert times a move of an array of 100 MB to a new file, beside cp of the file, and beside NumPy.
func BenchmarkConvert(b *testing.B) {
	dir := b.TempDir()
	program := build(b, dir, "layoutcalc")
	array, moved := filepath.Join(dir, "array.npy"), filepath.Join(dir, "moved.npy")
	const header = "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (8, 64, 224, 224), }"
	write(b, dir, "array.npy", func(w *bufio.Writer) {
		fmt.Fprintf(w, "%-127s\n", header)
		for i := range uint32(8 * 64 * 224 * 224) {
			binary.Write(w, binary.LittleEndian, i)
		}
	})
	const numpy = `
import sys
import numpy as np
np.save(sys.argv[2], np.ascontiguousarray(np.load(sys.argv[1]).transpose(0, 2, 3, 1)))
`
	for _, bb := range []struct {
		name      string
		yardstick []string
	}{
		{"cp", []string{"cp", array, filepath.Join(dir, "copy.npy")}},
		{"numpy", []string{"python3", "-c", numpy, array, filepath.Join(dir, "transposed.npy")}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			if _, err := exec.LookPath(bb.yardstick[0]); err != nil {
				b.Skip(err)
			}
			last := bb.yardstick[len(bb.yardstick)-1]
			compareNew(b, []string{moved, last}, bb.yardstick,
				[]string{program, "convert", "--in", array, "NCHW", "NHWC", "--out", moved, "-q"})
		})
	}
}

// build builds a program the way the README does.
func build(b *testing.B, dir, pkg string) string {
	b.Helper()
	path := filepath.Join(dir, "program"+filepath.Base(pkg))
	c := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, pkg)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return path
}

// compare runs two commands by turns, and reports the median of the second one and the ratio of the medians.
func compare(b *testing.B, yardstick, own []string) { compareNew(b, nil, yardstick, own) }

// compareNew is like compare, but removes files before each turn.
func compareNew(b *testing.B, files, yardstick, own []string) {
	var theirs, ours []time.Duration
	for b.Loop() {
		for _, path := range files {
			os.Remove(path)
		}
		theirs = append(theirs, runOnce(b, yardstick))
		ours = append(ours, runOnce(b, own))
	}
	slices.Sort(theirs)
	slices.Sort(ours)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(ours[len(ours)/2].Microseconds()), "µs")
	b.ReportMetric(float64(ours[len(ours)/2])/float64(theirs[len(theirs)/2]), "x-yardstick")
}

// runOnce times one process, whose output is discarded. It may exit with 1, as check does if there are findings.
func runOnce(b *testing.B, command []string) time.Duration {
	c := exec.Command(command[0], command[1:]...)
	start := time.Now()
	if err := c.Run(); err != nil && (c.ProcessState == nil || c.ProcessState.ExitCode() != 1) {
		b.Fatal(err)
	}
	return time.Since(start)
}

// BenchmarkBatch times 200,000 lines of a batch, beside a process that answers one of them, and beside Python.
func BenchmarkBatch(b *testing.B) {
	dir := b.TempDir()
	program := build(b, dir, "layoutcalc")
	lines := write(b, dir, "lines.txt", func(w *bufio.Writer) {
		for i := range 200_000 {
			names := [...]string{"NCHW", "NHWC", "acdb", "CHWN", "channels_last"}
			fmt.Fprintf(w, "%dx%dx%dx%d %s\n", 1+i%64, 16<<(i%6), 7+i%218, 7+i%131, names[i%len(names)])
		}
	})
	const script = `
import sys
orders = {"NCHW": (0, 1, 2, 3), "CHWN": (1, 2, 3, 0)}
for line in open(sys.argv[1]):
    shape, name = line.split()
    sizes = [int(n) for n in shape.split("x")]
    strides = [0] * len(sizes)
    stride = 1
    for axis in reversed(orders.get(name, (0, 2, 3, 1))):
        strides[axis] = stride
        stride *= sizes[axis]
    print(*strides, sep=",")
`
	own := []string{"env", "GOMAXPROCS=1", program, "strides", "-q", "--batch", lines}
	for _, bb := range []struct {
		name      string
		yardstick []string
	}{
		{"process", []string{program, "strides", "1x3x224x224", "NHWC", "-o", "plain"}},
		{"python", []string{"python3", "-c", script, lines}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			if _, err := exec.LookPath(bb.yardstick[0]); err != nil {
				b.Skip(err)
			}
			compare(b, bb.yardstick, own)
		})
	}
}

// BenchmarkCheck times check on large files and compares it with other programs: a million lines, and 200,000 with
// three findings each, with Python's json.loads, and the latter also with as many lines without findings; 27,000 JSON
// files, with json.load; an index with its 33 shards, with json.load of the index; a repository, with yaml.load of its
// configurations with libyaml; and the header of 100,000 tensors, 10,000 Triton configurations and a configuration of
// 4 MB, with wc and grep.
func BenchmarkCheck(b *testing.B) {
	dir := b.TempDir()
	program := build(b, dir, "layoutcalc")
	lines := write(b, dir, "lines.jsonl", func(w *bufio.Writer) { writeLines(w, 1_000_000) })
	clean := write(b, dir, "clean.jsonl", func(w *bufio.Writer) { writeLines(w, 200_000) })
	wrong := write(b, dir, "wrong.jsonl", func(w *bufio.Writer) {
		for i := range 200_000 {
			width := 224 + i%7
			fmt.Fprintf(w, `{"DataType":"FLOAT32","Sizes":[1,3,224,%d],"Strides":[%d,%d,%d,1],`+
				`"TotalTensorSizeInBytes":%d}`+"\n", width, 3*224*width, 224*width, 220+i%3, 4*i+2)
		}
	})
	header := write(b, dir, "model.safetensors", writeHeader)
	config := write(b, dir, "layouts.yaml", func(w *bufio.Writer) {
		w.WriteString("version: 1\ntensors:\n")
		for i := range 32_000 {
			fmt.Fprintf(w, "  tensor%d:\n    dtype: float16\n    sizes: [1, 64, 56, 56]\n"+
				"    strides: [200704, 1, 3584, 64]\n    expect: {layout: NHWC}\n", i)
		}
	})
	repository := filepath.Join(dir, "repository")
	writeRepository(b, repository)
	index := writeIndex(b, filepath.Join(dir, "index"))
	models := filepath.Join(dir, "models")
	writeModels(b, models)
	documents := filepath.Join(dir, "documents")
	writeDocuments(b, documents)
	const loads = "import json, sys\nfor line in open(sys.argv[1]): json.loads(line)"
	const loadAll = `
import glob, sys, yaml
for name in glob.glob(sys.argv[1] + "/*/*.yaml"): yaml.load(open(name), yaml.CSafeLoader)
`
	const loadDocuments = `
import glob, json, sys
for name in glob.glob(sys.argv[1] + "/*/*.json"): json.load(open(name))
`
	for _, bb := range []struct {
		name      string
		yardstick []string
		file      string
	}{
		{"repository", []string{"python3", "-c", loadAll, repository}, repository},
		{"index", []string{"python3", "-c", "import json, sys\njson.load(open(sys.argv[1]))", index}, index},
		{"documents", []string{"python3", "-c", loadDocuments, documents}, documents},
		{"triton", []string{"grep", "-r", "platform", models}, models},
		{"lines", []string{"python3", "-c", loads, lines}, lines},
		{"findings", []string{"python3", "-c", loads, wrong}, wrong},
		{"findings-clean", []string{program, "check", clean}, wrong},
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

// writeLines writes lines of descriptors without findings.
func writeLines(w *bufio.Writer, n int) {
	for i := range n {
		const line = `{"DataType":"FLOAT32","Sizes":[1,64,112,%d],"Strides":[%d,1,%d,64],` +
			`"TotalTensorSizeInBytes":%d}`
		width := 8 + i%100
		fmt.Fprintf(w, line+"\n", width, 64*112*width, 64*width, 4*64*112*width)
	}
}

// writeDocuments makes a directory with 27,000 JSON files, each with a descriptor.
func writeDocuments(b *testing.B, dir string) {
	for i := range 270 {
		makeDirectory(b, filepath.Join(dir, fmt.Sprint(i)))
		for j := range 100 {
			write(b, dir, fmt.Sprintf("%d/%d.json", i, j), func(w *bufio.Writer) { writeLines(w, 1) })
		}
	}
}

// writeIndex makes a directory with an index of 222,747 tensors in 33 shards, names in order as the libraries write
// them, and returns the path of the index.
func writeIndex(b *testing.B, dir string) string {
	makeDirectory(b, dir)
	const tensors, shards = 222_747, 33
	var entries []string
	for shard := range shards {
		var names []string
		for i := shard * tensors / shards; i < (shard+1)*tensors/shards; i++ {
			parts := [...]string{"gate_proj", "up_proj", "down_proj"}
			names = append(names, fmt.Sprintf("model.layers.%d.mlp.experts.%d.%s.weight", i/1000, i%1000, parts[i%3]))
		}
		slices.Sort(names)
		file := fmt.Sprintf("model-%05d-of-%05d.safetensors", shard+1, shards)
		write(b, dir, file, func(w *bufio.Writer) { writeTensors(w, names) })
		for _, name := range names {
			entries = append(entries, fmt.Sprintf("    %q: %q", name, file))
		}
	}
	slices.Sort(entries)
	return write(b, dir, "model.safetensors.index.json", func(w *bufio.Writer) {
		fmt.Fprintf(w, "{\n  \"metadata\": {\n    \"total_size\": %d\n  },\n  \"weight_map\": {\n%s\n  }\n}\n",
			24*tensors, strings.Join(entries, ",\n"))
	})
}

// writeTensors writes a .safetensors file of tensors of 24 bytes.
func writeTensors(w *bufio.Writer, names []string) {
	header := []byte("{")
	for i, name := range names {
		const tensor = `%q:{"dtype":"F32","shape":[2,3],"data_offsets":[%d,%d]},`
		header = fmt.Appendf(header, tensor, name, 24*i, 24*i+24)
	}
	header[len(header)-1] = '}'
	header = append(header, strings.Repeat(" ", -len(header)&7)...) // to a multiple of 8
	w.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(header))))
	w.Write(header)
	w.Write(make([]byte, 24*len(names)))
}

func makeDirectory(b *testing.B, dir string) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		b.Fatal(err)
	}
}

// writeModels creates a Triton repository with 10,000 models.
func writeModels(b *testing.B, dir string) {
	for i := range 10_000 {
		model := filepath.Join(dir, fmt.Sprintf("m%d", i))
		makeDirectory(b, filepath.Join(model, "1"))
		write(b, model, "1/model.plan", func(*bufio.Writer) {})
		write(b, model, "config.pbtxt", func(w *bufio.Writer) {
			fmt.Fprintf(w, "name: \"m%d\"\nplatform: \"tensorrt_plan\"\nmax_batch_size: 8\n"+
				"input [ { name: \"image\" data_type: TYPE_FP32 format: FORMAT_NCHW dims: [ 3, 224, 224 ] } ]\n"+
				"output [ { name: \"prob\" data_type: TYPE_FP32 dims: [ 1000 ] } ]\n"+
				"instance_group [ { count: 1 kind: KIND_GPU } ]\n"+
				"dynamic_batching { preferred_batch_size: [ 4, 8 ] }\n", i)
		})
	}
}

// writeRepository makes a directory with 10,000 configurations of two tensors, and 100 .safetensors files of 1,000.
func writeRepository(b *testing.B, dir string) {
	for i := range 100 {
		makeDirectory(b, filepath.Join(dir, fmt.Sprint(i)))
		write(b, dir, fmt.Sprintf("%d/model.safetensors", i), func(w *bufio.Writer) {
			var names []string
			for j := range 1000 {
				names = append(names, fmt.Sprintf("layers.%d.weight", j))
			}
			writeTensors(w, names)
		})
		for j := range 100 {
			write(b, dir, fmt.Sprintf("%d/%d.yaml", i, j), func(w *bufio.Writer) {
				w.WriteString("version: 1\ndefaults: {dtype: float16, expect: {dtype: float16}}\ntensors:\n" +
					"  image: {sizes: 8x3x224x224, layout: NHWC, expect: {sizes: [N, 3, H, W], rowPitch: 1344}}\n" +
					"  label: {sizes: 8x1000, expect: {sizes: [N, 1000], rank: 2}}\n")
			})
		}
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
		const tensor = `"layer.%d.weight":{"dtype":"F32","shape":[2],"data_offsets":[%d,%d]}`
		header = fmt.Appendf(header, tensor, i, 8*i, 8*i+8)
	}
	header = append(header, '}')
	for len(header)%8 != 0 {
		header = append(header, ' ')
	}
	binary.Write(w, binary.LittleEndian, uint64(len(header)))
	w.Write(header)
	w.Write(make([]byte, 800_000))
}
