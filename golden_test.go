package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v4"

	"layoutcalc/cmd"
)

var update = flag.Bool("update", false, "write the outputs into the transcripts")

func TestMain(m *testing.M) {
	cobra.MousetrapHelpText = "" // as a call with arguments does
	os.Exit(m.Run())
}

// TestTranscripts replays the transcripts in testdata. They fix wording and form; the tests of the packages in layout
// prove that the numbers are right.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.golden")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		if name := filepath.Base(file); name != "pictures.golden" {
			t.Run(name, func(t *testing.T) { checkTranscript(t, file, replay) })
		}
	}
}

// TestPictureTranscript replays the transcript of pictures in a directory of its own, and compares what it draws there
// with what is kept.
func TestPictureTranscript(t *testing.T) {
	file, err := filepath.Abs("testdata/pictures.golden")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	checkTranscript(t, file, replay)
	checkPictures(t, filepath.Join(filepath.Dir(file), "pictures"))
}

// TestDocuments replays the console blocks of the README and of docs.
func TestDocuments(t *testing.T) {
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "README.md") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			checkTranscript(t, file, func(text string) (string, int) { return replayBlocks(text) })
		})
	}
}

// TestPictures draws the pictures of the documents anew, each with the command below it.
func TestPictures(t *testing.T) {
	documents, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pictures, err := filepath.Abs("docs/pictures")
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
	t.Chdir(t.TempDir())
	for _, line := range lines {
		run(line)
		args := words(line)
		name := args[len(args)-1]
		if _, err := os.Stat(name); err != nil {
			t.Errorf("%s draws nothing: %v", line, err)
		}
	}
	checkPictures(t, pictures)
}

// checkPictures compares the files of the present directory with those that are kept, or rewrites these.
func checkPictures(t *testing.T, kept string) {
	t.Helper()
	drawn, err := filepath.Glob("*")
	if err != nil || len(drawn) == 0 {
		t.Fatalf("nothing is drawn: %v", err)
	}
	for _, name := range drawn {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(kept, name)
		if *update && os.Getenv("CI") == "" {
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
		if !slices.Contains(drawn, filepath.Base(path)) {
			t.Errorf("no command draws %s", path)
		}
	}
}

// checkTranscript compares a file with what its commands print now, or rewrites it.
func checkTranscript(t *testing.T, file string, replay func(string) (string, int)) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got, commands := replay(string(data))
	if commands == 0 && filepath.Ext(file) == ".golden" {
		t.Fatal("the transcript has no command")
	}
	if *update && os.Getenv("CI") == "" {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := string(data)
	if runtime.GOOS == "windows" {
		want, got = portable(want), portable(got)
	}
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("differs from the program (-transcript +program); go test -update rewrites it:\n%s", diff)
	}
}

// portable returns a transcript without what differs between Windows and other systems: the paths that people see, and
// the words of the system for a file that is not there.
func portable(transcript string) string {
	paths := regexp.MustCompile(`\b(testdata|tables)(\\+[\w.*-]+)+`)
	backslashes := regexp.MustCompile(`\\+`)
	transcript = paths.ReplaceAllStringFunc(transcript, func(path string) string {
		return backslashes.ReplaceAllString(path, "/")
	})
	const fileMissing, pathMissing = syscall.Errno(2), syscall.Errno(3)
	return strings.NewReplacer(fileMissing.Error(), "missing", pathMissing.Error(), "missing",
		"it cannot be read: not a directory", "missing", "there is no such file", "missing",
		"not a directory", "missing", "no such file or directory", "missing").Replace(transcript)
}

// replayBlocks replays the blocks of a Markdown document that are marked console.
func replayBlocks(document string) (text string, commands int) {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(document, "```console\n")
		block, after, closed := strings.Cut(rest, "```")
		out.WriteString(before)
		if !ok || !closed {
			return out.String(), commands
		}
		replayed, n := replay(block)
		out.WriteString("```console\n" + replayed + "```")
		document, commands = after, commands+n
	}
}

// replay puts the present outputs after the commands of a transcript. A line that starts with $ is a command, one with
// # is prose if it follows a blank line. The rest is output: that of standard error is marked !, and an exit code other
// than 0 is its last line.
func replay(transcript string) (text string, commands int) {
	var out strings.Builder
	inOutput, blanks := false, ""
	for line := range strings.Lines(transcript) {
		separator := blanks
		if inOutput && strings.HasSuffix(out.String(), "\n\n") {
			separator = "\n" // after the blank line that is the last of the output
		}
		switch {
		case strings.HasPrefix(line, "$ "):
			out.WriteString(separator + line + run(strings.TrimSpace(line[2:])))
			inOutput, blanks = true, ""
			commands++
		case line == "\n":
			blanks = "\n"
		case !inOutput || strings.HasPrefix(line, "# ") && blanks != "":
			out.WriteString(separator + line)
			inOutput, blanks = false, ""
		default:
			blanks = ""
		}
	}
	return out.String(), commands
}

// run runs a command line of a transcript and returns its output.
func run(line string) string {
	c, after := parse(line)
	stdout, stderr, code := c.run()
	out := visible(stdout)
	if after != "" {
		out = part(words(after), out)
	}
	for line := range strings.Lines(visible(stderr)) {
		out += "! " + line
	}
	if code != 0 {
		out += fmt.Sprintf("[exit %d]\n", code)
	}
	return out
}

// TestReplay replays a transcript of outputs that end in a blank line, with and without a blank line after them: what
// is written once stays.
func TestReplay(t *testing.T) {
	const call, want = "$ layoutcalc strides [] -o plain\n", "$ layoutcalc strides [] -o plain\n\n\n"
	for _, text := range []string{call + call, call + "\n" + call, want + want} {
		if got, n := replay(text); got != strings.TrimSuffix(want+want, "\n") || n != 2 {
			t.Errorf("%q: %q", text, got)
		}
	}
	const prose = "# prose\n"
	for _, text := range []string{call + "\n" + prose, want + prose} {
		if got, _ := replay(text); got != want+prose {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// A call is a call of the program.
type call struct {
	args  []string
	env   map[string]string
	stdin string
}

// parse reads a command line of a transcript: the call, and the command after a pipe.
func parse(line string) (c call, after string) {
	stages := splitPipe(line)
	if first := words(stages[0]); first[0] != "layoutcalc" && !strings.Contains(first[0], "=") {
		c.stdin = source(first)
		stages = stages[1:]
	}
	c.env, c.args = environment(words(stages[0]))
	c.args = c.args[1:]
	if len(stages) > 1 {
		after = stages[1]
	}
	return c, after
}

func (c call) run() (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	code = cmd.Run(c.args, cmd.Streams{
		In: strings.NewReader(c.stdin), Out: &out, Err: &errs, Env: func(key string) string { return c.env[key] },
	})
	return out.String(), errs.String(), code
}

// visible replaces the escape character, which a terminal obeys.
func visible(text string) string { return strings.ReplaceAll(text, "\x1b", `\e`) }

// source returns the output of the command before a pipe: printf TEXT, cat FILE or seq A B.
func source(words []string) string {
	switch words[0] {
	case "printf":
		return strings.ReplaceAll(words[1], `\n`, "\n")
	case "cat":
		text, _ := os.ReadFile(words[1])
		return string(text)
	}
	from, _ := strconv.Atoi(words[1])
	to, _ := strconv.Atoi(words[2])
	text := ""
	for n := from; n <= to; n++ {
		text += strconv.Itoa(n) + "\n"
	}
	return text
}

// part is the command after a pipe: head -N or tail -N.
func part(words []string, text string) string {
	n, _ := strconv.Atoi(strings.TrimPrefix(words[1], "-"))
	lines := slices.Collect(strings.Lines(text))
	if n = min(n, len(lines)); words[0] == "tail" {
		return strings.Join(lines[len(lines)-n:], "")
	}
	return strings.Join(lines[:n], "")
}

// environment splits off the variables before a command.
func environment(words []string) (env map[string]string, args []string) {
	env = map[string]string{"TERM": "xterm"}
	for len(words) > 0 && words[0] != "layoutcalc" {
		key, value, _ := strings.Cut(words[0], "=")
		env[key] = value
		words = words[1:]
	}
	return env, words
}

// splitPipe splits a command line at the bars outside quotes.
func splitPipe(line string) []string {
	var stages []string
	start, quote := 0, rune(0)
	for i, r := range line {
		switch {
		case quote == 0 && (r == '\'' || r == '"'):
			quote = r
		case r == quote:
			quote = 0
		case r == '|' && quote == 0:
			stages = append(stages, line[start:i])
			start = i + 1
		}
	}
	return append(stages, line[start:])
}

// words splits a command at blanks, as a shell does with plain, single and double quotes.
func words(command string) []string {
	var list []string
	word, open, quote := "", false, rune(0)
	for _, r := range command + " " {
		switch {
		case quote == 0 && (r == '\'' || r == '"'):
			quote, open = r, true
		case r == quote:
			quote = 0
		case r == ' ' && quote == 0:
			if open {
				list = append(list, word)
			}
			word, open = "", false
		default:
			word += string(r)
			open = true
		}
	}
	return list
}

// TestAPI compares what scripts and CI may rely on (docs/api.md) with the recorded list. With -update what is new is
// added to the list; what is no longer there fails all the same, until its line is deleted by hand.
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
	if *update && os.Getenv("CI") == "" {
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
	for _, name := range completions("") {
		found["command "+name] = true
		for _, flag := range completions(name, "-") {
			found["flag "+name+" "+flag] = true
			switch flag {
			case "--output", "--report", "--target", "--fail-on", "--severity", "--role":
				for _, value := range completions(name, flag, "") {
					found["value "+name+" "+flag+" "+strings.TrimSuffix(value, "=")] = true
				}
			case "--color", "--as", "--from":
				for _, value := range completions(name, flag, "") {
					found["value "+flag+" "+value] = true
				}
			}
		}
	}
	help, _, _ := call{args: []string{"--help"}}.run()
	_, codes, _ := strings.Cut(help, "\nExit codes:\n")
	for line := range strings.Lines(codes) {
		if code, err := strconv.Atoi(strings.TrimSpace(line[:min(len(line), 5)])); err == nil {
			found[fmt.Sprint("exit ", code)] = true
		}
	}
	for _, line := range plainCalls {
		c, _ := parse("layoutcalc " + line + " -o plain")
		out, _, _ := c.run()
		out = finding.ReplaceAllString(strings.TrimSpace(out), "$1 ... $2")
		found["plain "+line+" = "+strings.ReplaceAll(out, "\n", " ")] = true
	}
	for _, line := range jsonCalls {
		c, _ := parse("layoutcalc " + line)
		out, errs, _ := c.run()
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
			collect(found, "json "+words(line)[0]+" ", value)
		}
	}
	for _, file := range []string{"testdata/check/model.json", "testdata/vocabulary/broken.yaml"} {
		var answer struct {
			Findings []struct{ Rule, Fingerprint string }
		}
		answerOf(t, &answer, "check", file)
		for _, f := range answer.Findings {
			found["fingerprint "+file+" "+f.Rule+" "+f.Fingerprint] = true
		}
	}
	var list struct{ Topics []struct{ Kind, Name string } }
	answerOf(t, &list, "explain")
	for _, topic := range list.Topics {
		var fields map[string]any
		answerOf(t, &fields, "explain", topic.Name)
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
	"check testdata/check/model.json",
	"owner 'BlockedLayout([1, 2], [4, 8], [2, 1], [1, 0])' 8x16 3,5",
	"owner 'BlockedLayout([1, 2], [4, 8], [2, 1], [1, 0])' 8x16 --thread 37",
	"owner mma.m16n8k16.f16:A 9,12", "owner v_mfma_f32_32x32x8_f16:D 20,7",
	"owner mma.m16n8k16.f16:C --to 'BlockedLayout([1, 4], [16, 2], [1, 1], [1, 0])'",
	"algebra divide '(6,8):(8,1)' '(3,4)' --form zipped", "algebra compose '(3,4):(4,1)' '(2,2):(2,3)' --values",
}

// finding is a line of check with -o plain: the words in the middle are not API.
var finding = regexp.MustCompile(`(?m)^(\S+:\d+:\d+: \w+:) .* (\[[a-z0-9-]+\])$`)

// jsonCalls are calls whose fields are recorded: together they have all fields of the answers.
var jsonCalls = [...]string{
	"strides 3x3 --strides 2,1 --buffer 4 --as cute -o json",
	"strides 2x3 --view 'permute(1,0)' -o json",
	"strides 2xq -o json",
	"offset 3x3 --strides 2,1 0,1 --buffer 4 --as cute -o json",
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
	"compare 3x3 2,1 1,2 --as cute,ggml -o json",
	"owner 'BlockedLayout([1, 2], [4, 8], [2, 1], [1, 0])' 8x16 3,5 -t f16 -o json",
	"owner 'BlockedLayout([1, 2], [4, 8], [2, 1], [1, 0])' 8x16 --lane 5 -t f16 -o json",
	"owner mma.m8n8k4.f64:A --as cute -o json",
	"owner mma.m8n8k4.f64:A --to mma.m8n8k4.f64:A -o json",
	"algebra compose '(6,2):(8,2)' '(4,3):(3,1)' --as cute,ggml -o json",
	"algebra compose '(6,2):(8,2)' '(4,3):(3,1)' -o json",
	"algebra compose '(3,4):(4,1)' '(2,2):(2,3)' --values -o json",
	"check testdata/walk testdata/check testdata/models testdata/valid testdata/triton --no-config -o json",
	"check testdata/check/desc.cpp --no-config -o json",
	"check testdata/check/model.json --no-config -o jsonl",
	"explain -o json",
	"version -o json",
}

// answerOf reads the JSON that a call answers.
func answerOf(t *testing.T, answer any, args ...string) {
	out, errs, _ := call{args: append(args, "-o", "json")}.run()
	if err := json.Unmarshal([]byte(out), answer); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, errs)
	}
}

// completions returns what a shell would offer for the last word.
func completions(args ...string) (list []string) {
	out, _, _ := call{args: append([]string{"__complete"}, args...)}.run()
	for line := range strings.Lines(out) {
		if word, _, _ := strings.Cut(strings.TrimSpace(line), "\t"); !strings.HasPrefix(word, ":") {
			list = append(list, word)
		}
	}
	return list
}

// collect adds the fields of an object, and of those in it.
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
