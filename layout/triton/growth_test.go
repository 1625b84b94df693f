package triton

import (
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
)

// A countingFS counts the files that are opened.
type countingFS struct {
	fstest.MapFS
	opened int
}

func (c *countingFS) Open(name string) (fs.File, error) {
	c.opened++
	return c.MapFS.Open(name)
}

func (c *countingFS) Stat(name string) (fs.FileInfo, error) { return c.MapFS.Stat(name) }

// ReadDir counts as one.
func (c *countingFS) ReadDir(name string) ([]fs.DirEntry, error) {
	c.opened++
	return c.MapFS.ReadDir(name)
}

// join joins the results of text for the numbers below n.
func join(n int, text func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(text(i))
	}
	return b.String()
}

// textOf returns a function that formats a number.
func textOf(format string) func(i int) string {
	return func(i int) string { return fmt.Sprintf(format, i) }
}

const (
	floats   = `data_type: TYPE_FP32 dims: 1 `
	ensemble = `platform: "ensemble" input { name: "x" ` + floats + `} `
	oneStep  = `step { model_name: %q %s input_map { key: "i" value: %q } output_map { key: "o" value: "y%d" } } `
	inAndOut = `backend: "python" max_batch_size: 1 input { name: "i" ` + floats + `} ` +
		`output { name: "o" ` + floats + `} `
)

// growths are repositories that grow with n. The text of a finding about each of n things must not be computed for all
// of them. The first model is checked.
var growths = map[string]func(t *testing.T, n int) map[string]string{
	"a circle": func(_ *testing.T, n int) map[string]string {
		return map[string]string{"e/config.pbtxt": ensemble + "ensemble_scheduling { " + join(n, func(i int) string {
			return fmt.Sprintf(oneStep, "a", "", fmt.Sprint("y", (i+1)%n), i)
		}) + "}"}
	},
	"outputs that cannot be computed": func(_ *testing.T, n int) map[string]string {
		return map[string]string{"e/config.pbtxt": ensemble + join(n, textOf(`output { name: "y%d" `+floats+`} `)) +
			"ensemble_scheduling { " + join(n, func(i int) string {
			return fmt.Sprintf(oneStep, "a", "", fmt.Sprint("y", i+1), i)
		}) + "}"}
	},
	"steps of a model of many inputs": func(_ *testing.T, n int) map[string]string {
		return map[string]string{
			"a/config.pbtxt": `backend: "python" ` + join(n, textOf(`input { name: "i%d" `+floats+`} `)) +
				`output { name: "o" ` + floats + `} `,
			"e/config.pbtxt": steps(n, "a", ""),
		}
	},
	"steps with batches": func(_ *testing.T, n int) map[string]string {
		return map[string]string{"a/config.pbtxt": inAndOut, "e/config.pbtxt": "max_batch_size: 4 " + steps(n, "a", "")}
	},
	"steps of a version": func(_ *testing.T, n int) map[string]string {
		versions := "0" + join(n, textOf(", %d"))
		return map[string]string{
			"a/config.pbtxt": inAndOut + "version_policy { specific { versions: [ " + versions + " ] } }",
			"e/config.pbtxt": steps(n, "a", fmt.Sprint("model_version: ", n+1)),
		}
	},
	"steps of models that are not there": func(_ *testing.T, n int) map[string]string {
		files := map[string]string{"a/config.pbtxt": inAndOut}
		for i := range n {
			files[fmt.Sprintf("abcdefghijklmnopqrstuvwxyz%04d/x", i)] = ""
		}
		files["e/config.pbtxt"] = ensemble + "ensemble_scheduling { " + fmt.Sprintf(oneStep, "a", "", "x", n) +
			join(n, func(i int) string {
				return fmt.Sprintf(oneStep, fmt.Sprintf("zyxwvutsrqponmlkjihgfedcba%04d", i), "", "x", i)
			}) + "}"
		return files
	},
	"warm-ups": func(_ *testing.T, n int) map[string]string {
		return map[string]string{"e/config.pbtxt": inAndOut + join(n, textOf(`input { name: "i%d" `+floats+`} `)) +
			`model_warmup { batch_size: 1 ` +
			join(n, textOf(`inputs { key: "j%d" value { dims: 1 zero_data: true } } `)) + "}"}
	},
	"long dims of warm-ups": func(_ *testing.T, n int) map[string]string {
		return map[string]string{"e/config.pbtxt": `backend: "python" ` +
			`input { name: "x" data_type: TYPE_FP32 dims: [ 1` +
			strings.Repeat(", 1", n) + ` ] } model_warmup { batch_size: 1 ` +
			strings.Repeat(`inputs { key: "x" value { dims: 2 zero_data: true } } `, n) + "}"}
	},
	"files of labels": func(_ *testing.T, n int) map[string]string {
		return map[string]string{
			"e/config.pbtxt": join(n, textOf(`output { name: "o%d" data_type: TYPE_FP32 dims: 2 `+
				`label_filename: "l" } `)),
			"e/l": strings.Repeat("x", 1<<10),
		}
	},
	"inputs that the file does not have": func(t *testing.T, n int) map[string]string {
		return map[string]string{
			"e/config.pbtxt": `backend: "onnxruntime" ` +
				join(n, textOf(`input { name: "abcdefghijklmnopqrstuvwxyz%04d" `+floats+`} `)),
			"e/1/model.onnx": string(aModel(t, strings.Split(strings.TrimSuffix(
				join(n, textOf("zyxwvutsrqponmlkjihgfedcba%04d FLOAT ? 3\n")), "\n"), "\n"), []string{"o FLOAT ? 3"})),
		}
	},
	"places in one message": func(_ *testing.T, n int) map[string]string {
		return map[string]string{"e/config.pbtxt": `backend: "python" input { ` + strings.Repeat("wrong: 1 ", n) +
			`name: "x" }`}
	},
}

// steps returns an ensemble of n steps of one model.
func steps(n int, model, more string) string {
	return ensemble + "ensemble_scheduling { " + join(n, func(i int) string {
		return fmt.Sprintf(oneStep, model, more, "x", i)
	}) + "}"
}

// TestGrowth has the memory that is allocated grow no faster than the text, and each file be opened once.
func TestGrowth(t *testing.T) {
	layouttest.SkipUnlessAll(t, "the input is large")
	for name, files := range growths {
		check := func(n int) (allocated uint64, opened int) {
			all := &countingFS{MapFS: fstest.MapFS{}}
			for path, text := range files(t, n) {
				all.MapFS[path] = &fstest.MapFile{Data: []byte(text)}
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			c, err := Read(all.MapFS["e/config.pbtxt"].Data)
			if err != nil {
				t.Fatal(err)
			}
			f, _ := c.Check(&Location{Repository: NewRepository(all), Model: "e"})
			runtime.ReadMemStats(&after)
			if len(f.Findings) == 0 {
				t.Fatalf("%s: nothing is found", name)
			}
			return after.TotalAlloc - before.TotalAlloc, all.opened
		}
		const n = finding.MostOfRule // of which no more are kept
		check(10)
		once, opened := check(n)
		twice, more := check(2 * n)
		if twice > 3*once || more > opened {
			t.Errorf("%s: %d take %d bytes and %d files, %d take %d and %d", name, n, once, opened, 2*n, twice, more)
		}
	}
}

// TestModelsKept checks that a repository keeps little of the configurations of models that an ensemble names.
func TestModelsKept(t *testing.T) {
	files := fstest.MapFS{}
	var steps []string
	const n, size = 8, 20_000
	long := inAndOut + strings.Repeat("cc_model_filenames { } ", size)
	model := aModel(t, strings.Split(strings.TrimSuffix(join(size/10, textOf("i%d FLOAT ? 3\n")), "\n"), "\n"),
		[]string{"o FLOAT ? 3"})
	for i := range n {
		steps = append(steps, fmt.Sprintf("m%d i=x > o=y%d", i, i), fmt.Sprintf("o%d i0=x > o=z%d", i, i))
		files[fmt.Sprintf("m%d/config.pbtxt", i)] = &fstest.MapFile{Data: []byte(long)}
		files[fmt.Sprintf("o%d/config.pbtxt", i)] = &fstest.MapFile{Data: []byte(`backend: "onnxruntime"`)}
		files[fmt.Sprintf("o%d/1/model.onnx", i)] = &fstest.MapFile{Data: model}
	}
	at := &Location{Repository: NewRepository(files), Model: "e"}
	used := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := used()
	found(t, anEnsemble(steps...), at)
	if after := used(); after > before+2<<20 {
		t.Errorf("%d bytes are kept of %d models of %d and %d bytes", after-before, 2*n, len(long), len(model))
	}
	runtime.KeepAlive(at)
	runtime.KeepAlive(files)
}
