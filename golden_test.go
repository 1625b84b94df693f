package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v4"

	"layoutcalc/cmd/cmdtest"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/wording"
)

var update = flag.Bool("update", false, "write the outputs into the files of cases")

func TestMain(m *testing.M) {
	flag.Parse()
	if *update && os.Getenv("CI") != "" {
		fmt.Fprintln(os.Stderr, "-update is refused in CI")
		os.Exit(1)
	}
	cobra.MousetrapHelpText = "" // as a call with arguments does
	os.Exit(m.Run())
}

// TestCases replays the cases in testdata. They fix wording and form; the tests of the packages in layout prove that
// the numbers are right.
func TestCases(t *testing.T) {
	marked := 0
	err := filepath.WalkDir("testdata", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".golden" {
			return err
		}
		marked += cmdtest.Marked(t, path)
		t.Run(filepath.ToSlash(path), func(t *testing.T) {
			t.Parallel()
			r := cmdtest.Runner{Root: ".", Update: *update}
			switch {
			case filepath.Base(path) == "pictures.golden":
				r.Dir = t.TempDir()
			case filepath.Base(filepath.Dir(path)) == "firstlines":
				r.Step = layouttest.Step()
			}
			r.Check(t, path)
			if r.Dir != "" {
				checkPictures(t, r.Dir, "testdata/pictures")
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if marked != fromOutside {
		t.Errorf("%d outputs come from outside of the program, want %d", marked, fromOutside)
	}
}

// fromOutside is the number of commands in testdata whose output is marked as coming from outside of the program.
const fromOutside = 482

// TestDocuments replays the console blocks of the README and of docs.
func TestDocuments(t *testing.T) {
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "README.md") {
		t.Run(filepath.ToSlash(file), func(t *testing.T) {
			t.Parallel()
			cmdtest.Runner{Root: ".", Update: *update}.Check(t, file)
		})
	}
}

// TestPlurals checks that no case prints a plural after 1. The nouns are the ones that the program counts.
func TestPlurals(t *testing.T) {
	nouns := map[string]bool{}
	visit := func(root, ext string, visit func(path, text string)) {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.IsDir() && e.Name() == "held" {
				return fs.SkipDir
			}
			if err != nil || filepath.Ext(path) != ext {
				return err
			}
			data, err := os.ReadFile(path)
			visit(path, string(data))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	counted := regexp.MustCompile(`wording\.Count\(.*?, "(?:\w+ )*(\w+)"\)`)
	for _, root := range []string{"layout", "render", "cmd"} {
		visit(root, ".go", func(_, text string) {
			for _, match := range counted.FindAllStringSubmatch(text, -1) {
				nouns[strings.TrimPrefix(wording.Count(2, match[1]), "2 ")] = true
			}
		})
	}
	if !nouns["sizes"] || !nouns["axes"] || len(nouns) < 50 {
		t.Fatalf("the nouns are %v", slices.Sorted(maps.Keys(nouns)))
	}
	plural := regexp.MustCompile(`(?:^|[^-] |[(,])1 (\w+)`) // but not 2^32 - 1 elements
	visit("testdata", ".golden", func(path, text string) {
		for i, line := range strings.Split(text, "\n") {
			for _, match := range plural.FindAllStringSubmatch(line, -1) {
				if nouns[match[1]] {
					t.Errorf("%s:%d: %s", path, i+1, line)
				}
			}
		}
	})
}

// TestColoredText runs the commands of testdata and of the documents with colors, which must leave the text alone.
func TestColoredText(t *testing.T) {
	files := []string{"README.md"}
	for _, pattern := range []string{"docs/*.md", "testdata/*.golden"} {
		more, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	for _, file := range files {
		if filepath.Base(file) == "pictures.golden" { // its commands write files
			continue
		}
		t.Run(filepath.ToSlash(file), func(t *testing.T) {
			t.Parallel()
			cmdtest.CheckColors(t, ".", file, layouttest.Step())
		})
	}
}

// TestPictures draws the pictures of the documents anew, each with the command below it.
func TestPictures(t *testing.T) {
	documents, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, document := range append(documents, "README.md") {
		data, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if command, ok := strings.CutPrefix(line, "    layoutcalc "); ok && strings.Contains(command, ".svg\n") {
				lines = append(lines, "layoutcalc "+strings.TrimSpace(command))
			}
		}
	}
	dir := t.TempDir()
	for _, line := range lines {
		cmdtest.Run(t, dir, line)
		name := line[strings.LastIndex(line, " ")+1:]
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("%s draws nothing: %v", line, err)
		}
	}
	checkPictures(t, dir, "docs/pictures")
}

// checkPictures compares the files of a directory with the kept ones, or rewrites the kept ones.
func checkPictures(t *testing.T, dir, kept string) {
	t.Helper()
	drawn, err := os.ReadDir(dir)
	if err != nil || len(drawn) == 0 {
		t.Fatalf("nothing is drawn: %v", err)
	}
	names := map[string]bool{}
	for _, e := range drawn {
		names[e.Name()] = true
		got, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(kept, e.Name())
		if *update {
			if err := os.WriteFile(path, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from what is drawn now; go test -update draws it again", path)
		}
	}
	files, err := filepath.Glob(filepath.Join(kept, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if !names[filepath.Base(path)] {
			t.Errorf("no command draws %s", path)
		}
	}
}

// TestAPI compares the names that scripts and CI may rely on (docs/scripts.md) with the recorded list. With -update new
// names are added to the list. A removed name fails anyway, until its line is deleted by hand.
func TestAPI(t *testing.T) {
	const file = "testdata/api.txt"
	data, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	recorded := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		recorded[strings.TrimSuffix(line, "\n")] = true
	}
	found := interfaces(t)
	for _, line := range slices.Sorted(maps.Keys(recorded)) {
		if !found[line] {
			t.Errorf("%s: recorded, and no longer there: %s", file, line)
		}
	}
	if *update {
		maps.Copy(recorded, found)
		text := strings.Join(slices.Sorted(maps.Keys(recorded)), "\n") + "\n"
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, line := range slices.Sorted(maps.Keys(found)) {
		if !recorded[line] {
			t.Errorf("%s: new, and not recorded (go test . -update adds it): %s", file, line)
		}
	}
}

// interfaces returns a line for everything that is API, as the program itself lists or answers it.
func interfaces(t *testing.T) map[string]bool {
	found := map[string]bool{}
	for _, name := range completions(t, "") {
		found["command "+name] = true
		for _, flag := range completions(t, name, "-") {
			found["flag "+name+" "+flag] = true
			switch flag {
			case "--output", "--report", "--target", "--fail-on", "--severity", "--role":
				for _, value := range completions(t, name, flag, "") {
					found["value "+name+" "+flag+" "+strings.TrimSuffix(value, "=")] = true
				}
			case "--color", "--as", "--from":
				for _, value := range completions(t, name, flag, "") {
					found["value "+flag+" "+value] = true
				}
			}
		}
	}
	help, _, _ := cmdtest.Run(t, ".", "layoutcalc --help")
	_, codes, _ := strings.Cut(help, "\nExit codes:\n")
	for line := range strings.Lines(codes) {
		if code, err := strconv.Atoi(strings.TrimSpace(line[:min(len(line), 5)])); err == nil {
			found[fmt.Sprint("exit ", code)] = true
		}
	}
	for _, line := range plainCalls {
		out, _, _ := cmdtest.Run(t, ".", "layoutcalc "+line+" -o plain")
		out = finding.ReplaceAllString(strings.TrimSpace(out), "$1 ... $2")
		found["plain "+line+" = "+strings.ReplaceAll(out, "\n", " ")] = true
	}
	for _, line := range jsonCalls {
		out, errs, _ := cmdtest.Run(t, ".", "layoutcalc "+line)
		for d := json.NewDecoder(strings.NewReader(out + errs)); ; {
			var value map[string]any
			if err := d.Decode(&value); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v\n%s", line, err, out+errs)
			}
			if value["error"] != nil {
				line = "error"
			}
			command, _, _ := strings.Cut(line, " ")
			collect(found, "json "+command+" ", value)
		}
	}
	for _, file := range []string{"testdata/check/model.json", "testdata/vocabulary/broken.yaml"} {
		var answer struct {
			Findings []struct{ Rule, Fingerprint string }
		}
		answerOf(t, &answer, "check "+file)
		for _, f := range answer.Findings {
			found["fingerprint "+file+" "+f.Rule+" "+f.Fingerprint] = true
		}
	}
	var list struct{ Topics []struct{ Kind, Name string } }
	answerOf(t, &list, "explain")
	for _, topic := range list.Topics {
		var fields map[string]any
		answerOf(t, &fields, "explain '"+topic.Name+"'")
		if topic.Kind != "word" { // words explain answers, and are not typed
			found[topic.Kind+" "+topic.Name] = true
		}
		collect(found, "json explain "+topic.Kind+" ", fields)
	}
	var schema, project, action map[string]any
	var hooks []struct{ ID string }
	for file, into := range map[string]any{
		"docs/layoutcalc.schema.json": &schema, "docs/project.schema.json": &project,
		"action.yml": &action, ".pre-commit-hooks.yaml": &hooks,
	} {
		data, err := os.ReadFile(file)
		if err == nil {
			err = yaml.Unmarshal(data, into)
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	keys(found, "key ", schema)
	keys(found, "project key ", project)
	for _, list := range []string{"inputs", "outputs"} {
		for name := range action[list].(map[string]any) {
			found["action "+list+" "+name] = true
		}
	}
	for _, hook := range hooks {
		found["hook "+hook.ID] = true
	}
	return found
}

// keys adds the keys that a schema describes, under the names of its definitions.
func keys(found map[string]bool, path string, schema any) {
	object, _ := schema.(map[string]any)
	for name, v := range object {
		if name != "properties" && name != "$defs" {
			keys(found, path, v)
			continue
		}
		for key, v := range v.(map[string]any) {
			if name == "properties" {
				found[path+key] = true
			}
			keys(found, path+key+".", v)
		}
	}
}

// plainCalls are calls whose -o plain is recorded.
var plainCalls = [...]string{
	"strides 1x1x3x5 NHWC", "strides 1x17x8x8 NCHW16c", "strides 2x3 --as cute", "strides 2x3 --as cute,mlir",
	"strides 2x3 --get tensor.bytes,strides", "offset 2x2x3 DHW 1,0,1", "offset 2x3 --pitch H=5 --at 3",
	"offset 2x3 --pitch H=5 --at 5", "offset 2x3 --range 2:4", "size 2x3 --pitch H=5", "size 5x3 NV12",
	"convert 1x3x2x2 NCHW NHWC",
	"view 2x3x4 'permute(0,2,1)' 'reshape(6,4)'", "compare 2x3 HW WH", "compare 2x1 HW WH",
	"compare 2x3 HW WH --overlap",
	"check testdata/check/model.json",
	"owner 'BlockedLayout([1, 2], [4, 8], [2, 1], [1, 0])' 8x16 3,5",
	"owner 'BlockedLayout([1, 2], [4, 8], [2, 1], [1, 0])' 8x16 --thread 37",
	"owner mma.m16n8k16.f16:A 9,12", "owner v_mfma_f32_32x32x8_f16:D 20,7",
	"owner mma.m16n8k16.f16:C --to 'BlockedLayout([1, 4], [16, 2], [1, 1], [1, 0])'",
	"algebra divide '(6,8):(8,1)' '(3,4)' --form zipped", "algebra compose '(3,4):(4,1)' '(2,2):(2,3)' --values",
}

// finding is a line of check with -o plain: the words in the middle are not API.
var finding = regexp.MustCompile(`(?m)^(\S+:\d+:\d+: \w+:) .* (\[[a-z0-9-]+\])$`)

// badCall is a call with an error.
const badCall = "strides 2xq -o json"

// jsonCalls are calls whose fields are recorded: together they have all fields of the answers.
var jsonCalls = [...]string{
	"strides 3x3 --strides 2,1 --buffer 4 --as cute -o json",
	"strides 2x3 --view 'permute(1,0)' -o json",
	badCall,
	"offset 3x3 --strides 2,1 --buffer 4 --as cute -o json",
	"offset 3x3 --strides 2,1 0,1 -o json",
	"offset 2x3 -t int4 1,1 --buffer 1 -o json",
	"offset 2x3 --pitch H=5 --at 3 -o json",
	"size 3x3 --strides 2,1 --buffer 4 -o json",
	"size 2x3 -t int4 --pitch H=5 --buffer 1 -o json",
	"size 2x3 --as cute,ggml,pytorch -o json",
	"size 3x3 --strides 2147483648,1 -o json",
	"size 5x3 NV12 --for d3d12 -o json",
	"size 3x5 --for webgpu -o json",
	"convert 1x17x8x8 NCHW NCHW16c --moves --buffer 4 -o json",
	"convert 3x3 2,1 2,1 -o json",
	"convert 2x3 HW WH --as cute,ggml -o json",
	"view 3x3 --strides 2,1 'permute(1,0)' 'contiguous()' --buffer 4 --as cute,ggml -o json",
	"view 3x3 --strides 2,1 'permute(1,0)' -o json",
	"compare 1x50x8x8 NHWC NHWC8c -o json",
	"compare 2x3 HW WH --overlap -o json",
	"compare 3x3 2,1 1,2 --as cute,ggml -o json",
	"compare testdata/data/one.safetensors testdata/data/two.safetensors -o json",
	"compare 1x3x2x2 -t u8 --in testdata/data/twelve.txt --in testdata/data/nhwc.txt -o json",
	"compare testdata/data/two.safetensors testdata/data/two.safetensors --data -o json",
	"owner 'BlockedLayout([1, 2], [4, 8], [2, 1], [1, 0])' 8x16 3,5 -t f16 -o json",
	"owner 'BlockedLayout([1, 2], [4, 8], [2, 1], [1, 0])' 8x16 --lane 5 -t f16 -o json",
	"owner mma.m8n8k4.f64:A --as cute -o json",
	"owner mma.m8n8k4.f64:A --to mma.m8n8k4.f64:A -o json",
	"algebra compose '(6,2):(8,2)' '(4,3):(3,1)' --as cute,affine-map -o json",
	"algebra compose '(6,2):(8,2)' '(4,3):(3,1)' -o json",
	"algebra compose '(3,4):(4,1)' '(2,2):(2,3)' --values -o json",
	"check testdata/walk testdata/check testdata/models testdata/valid testdata/triton --no-config -o json",
	"check testdata/check/desc.cpp --no-config -o json",
	"check testdata/check/model.json --no-config -o jsonl",
	"explain -o json",
	"version -o json",
	"access 32x32 -t f32 --lanes 0=32 -o json",
	"access 32x32 -t f32 --lanes 0=32 --lanes 1=32 -o json",
	"access 32x32 -t f32 --lanes 0=32 --try swizzles -o json",
	"access 32x32 -t f32 --loops 1,0 -o json",
	"strides Nx3x5 -o json",
	"strides 128x64 -t f16 --swizzle 128B --as wgmma -o json",
	"size testdata/data/one.safetensors -o json",
	"size testdata/data/two.safetensors -o json",
	"size testdata/data/two.safetensors -o jsonl",
	"size testdata/tasks/tiny.gguf --metadata -o json",
	"size testdata/tasks/tiny.gguf --metadata -o jsonl",
	"size 4096x4096 -t q4_k -o json",
	"compare 8x8 8x8 8,1 --infer-swizzle -o json",
	"compare mma.m16n8k16.f16:C 'BlockedLayout([1, 4], [16, 2], [1, 1], [1, 0])' -o json",
	"offset 2x3 -t int4 --at 3 -o json",
	"compare testdata/data/one.safetensors testdata/data/two.safetensors -o jsonl",
	"compare testdata/tasks/model.safetensors testdata/tasks/finetuned.safetensors --data -o json",
	"explain 0x08400490 -o json",
	"explain 0x08400490 --kind f16 -o json",
	"explain 0x08400490 --kind mxf8f6f4 -o json",
	"explain 0x2000404000010040 -o json",
	"explain 0xc000008000200000 --as wgmma -t f16 -o json",
	"explain cute -o json",
	"explain f16 -o json",
	"explain q4_0 -o json",
	"explain awq -o json",
	"explain nv12 -o json",
	"explain nhwc -o json",
	"explain C -o json",
	"explain total-size -o json",
	"explain gaps -o json",
	"explain rules -o json",
}

// TestSchemas checks that each schema can be read and has an address of its own, and that a release has it.
func TestSchemas(t *testing.T) {
	const pattern = "docs/*.schema.json"
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no schemas", err)
	}
	seen := map[string]bool{}
	for _, file := range files {
		schema := schemaOf(t, file)
		if _, err := schema.Resolve(nil); err != nil || !strings.HasPrefix(schema.ID, "urn:layoutcalc:schema:") ||
			seen[schema.ID] {
			t.Errorf("%s has the address %q: %v", file, schema.ID, err)
		}
		seen[schema.ID] = true
	}
	release, err := os.ReadFile(".goreleaser.yaml")
	var config struct {
		Release struct {
			Files []struct{ Glob string } `yaml:"extra_files"`
		}
	}
	if err == nil {
		err = yaml.Unmarshal(release, &config)
	}
	if err != nil || !slices.Contains(config.Release.Files, struct{ Glob string }{pattern}) {
		t.Errorf("a release has the files %v, not %s: %v", config.Release.Files, pattern, err)
	}
}

// schemaOf reads a schema.
func schemaOf(t *testing.T, file string) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return &schema
}

// answerOf reads the JSON that a call answers.
func answerOf(t *testing.T, answer any, line string) {
	out, errs, _ := cmdtest.Run(t, ".", "layoutcalc "+line+" -o json")
	if err := json.Unmarshal([]byte(out), answer); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, errs)
	}
}

// completions returns the words that a shell would offer for the last word.
func completions(t *testing.T, words ...string) (list []string) {
	out, _, _ := cmdtest.Run(t, ".", "layoutcalc __complete '"+strings.Join(words, "' '")+"'")
	for line := range strings.Lines(out) {
		if word, _, _ := strings.Cut(strings.TrimSpace(line), "\t"); !strings.HasPrefix(word, ":") {
			list = append(list, word)
		}
	}
	return list
}

// collect adds the fields of an object and of the objects in it.
func collect(found map[string]bool, path string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, v := range value {
			found[path+key] = true
			collect(found, path+key+".", v)
		}
	case []any:
		for _, v := range value {
			collect(found, strings.TrimSuffix(path, ".")+"[].", v)
		}
	}
}
