package cmd

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// outputCalls are calls that write a file, by the flag that names it. PATH stands for the file, and DIR for its
// directory. They read the files of outputInputs.
var outputCalls = map[string]string{
	"picture --svg":          "strides @in.txt --force --svg PATH",
	"picture --png":          "strides @in.txt --force --png PATH",
	"picture --html":         "strides @in.txt --force --html PATH",
	"convert --out":          "convert @in.txt CHW HWC -t u8 --in in.bin --force --out PATH",
	"check --report":         "check bad.layoutcalc.yaml --report sarif=PATH",
	"check --write-baseline": "check bad.layoutcalc.yaml --write-baseline PATH",
	"man --dir":              "man --dir DIR",
}

var outputInputs = map[string]string{
	"in.txt": "2x3x4", "in.bin": "abcdefghijklmnopqrstuvwx",
	"bad.layoutcalc.yaml": "version: 1\ntensors:\n  a: {dtype: f32, sizes: 2x3, totalBytes: 20}\n",
}

// TestOutputFlags lists the flags of all commands that name a file or a directory. Each is an input, or has a call in
// outputCalls and a flag --follow beside it.
func TestOutputFlags(t *testing.T) {
	const inputs, pictures = " batch in files-from baseline root ", " svg png html "
	a := newApp(Streams{Env: func(string) string { return "" }}, nil)
	root, seen := a.newRoot(), map[string]bool{}
	a.addCommands(root, nil)
	for _, c := range root.Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			kind, name := f.Value.Type(), c.Name()
			isPath := strings.HasSuffix(kind, "FILE") || kind == "DIR"
			if !isPath || strings.Contains(inputs, " "+f.Name+" ") {
				return
			}
			if strings.Contains(pictures, " "+f.Name+" ") {
				name = "picture"
			}
			name += " --" + f.Name
			if seen[name] = true; outputCalls[name] == "" {
				t.Errorf("--%s of %s names a file, and has no call here that shows whether it follows links", f.Name,
					c.Name())
			}
			if c.Flags().Lookup("follow") == nil {
				t.Errorf("%s has --%s, but not --follow", c.Name(), f.Name)
			}
		})
	}
	for name := range outputCalls {
		if !seen[name] {
			t.Errorf("no command has %s", name)
		}
	}
}

// TestOutputs writes outputs to places in a repository and outside of it. Each place is prepared by a script in the
// repository, beside which there is a directory "out" of the machine with a file "old".
func TestOutputs(t *testing.T) {
	needShell(t)
	places := []struct {
		reason  string
		prepare string // shell commands
		path    string // of the output; ROOT is the directory around the repository
		written string // the file with the output, relative to the repository; empty if the output is rejected
		flag    string
	}{
		{reason: "a new file", path: "layoutcalc.1", written: "layoutcalc.1"},
		{reason: "an old file", prepare: "echo x >layoutcalc.1", path: "layoutcalc.1", written: "layoutcalc.1"},
		{reason: "a link to a file outside", prepare: "ln -s ../out/old layoutcalc.1", path: "layoutcalc.1"},
		{reason: "an absolute path", prepare: "ln -s ../out/old layoutcalc.1", path: "ROOT/repo/layoutcalc.1"},
		{reason: "a path with ..", prepare: "mkdir d && ln -s ../out/old layoutcalc.1", path: "d/../layoutcalc.1"},
		{reason: "a way round", prepare: "ln -s ../out/old layoutcalc.1", path: "../repo/layoutcalc.1"},
		{reason: "a link to a file inside", prepare: "echo x >b && ln -s b layoutcalc.1", path: "layoutcalc.1"},
		{reason: "a link to nothing outside", prepare: "ln -s ../out/new layoutcalc.1", path: "layoutcalc.1"},
		{reason: "a link to a link", prepare: "ln -s l layoutcalc.1 && ln -s ../out/old l", path: "layoutcalc.1"},
		{reason: "a link to itself", prepare: "ln -s layoutcalc.1 layoutcalc.1", path: "layoutcalc.1"},
		{reason: "a link to a directory outside", prepare: "ln -s ../out d", path: "d/layoutcalc.1"},
		{reason: "a link in the middle", prepare: "mkdir ../out/e && ln -s ../out d", path: "d/e/layoutcalc.1"},
		{reason: "out and back", prepare: "ln -s ../out d && ln -s ../repo ../out/r", path: "d/r/layoutcalc.1"},
		{reason: "a link to a directory inside", prepare: "mkdir e && ln -s e d", path: "d/layoutcalc.1",
			written: "e/layoutcalc.1"},
		{reason: "a link to git's files", prepare: "ln -s .git d", path: "d/layoutcalc.1"},
		{reason: "a pipe", prepare: "mkfifo layoutcalc.1", path: "layoutcalc.1"},
		{reason: "--follow follows a link to a file", prepare: "ln -s ../out/old layoutcalc.1", path: "layoutcalc.1",
			written: "../out/old", flag: "--follow"},
		{reason: "--follow follows a link to nothing", prepare: "ln -s ../out/new layoutcalc.1", path: "layoutcalc.1",
			written: "../out/new", flag: "--follow"},
		{reason: "--follow follows a link to a directory", prepare: "ln -s ../out d", path: "d/layoutcalc.1",
			written: "../out/layoutcalc.1", flag: "--follow"},
		{reason: "--follow is about links alone", prepare: "mkfifo layoutcalc.1", path: "layoutcalc.1",
			flag: "--follow"},
		{reason: "a link of the machine", prepare: "ln -s old ../out/layoutcalc.1", path: "../out/layoutcalc.1",
			written: "../out/old"},
		{reason: "a link of the machine to nothing", prepare: "ln -s new ../out/layoutcalc.1",
			path: "../out/layoutcalc.1", written: "../out/new"},
		{reason: "a directory of the machine", prepare: "mkdir ../out/e && ln -s e ../out/d",
			path: "ROOT/out/d/layoutcalc.1", written: "../out/e/layoutcalc.1"},
		{reason: "from the machine into the repository",
			prepare: "ln -s ../out/old layoutcalc.1 && ln -s ../repo ../out/r", path: "../out/r/layoutcalc.1"},
		{reason: "a directory of the machine is the repository", prepare: "ln -s repo ../link",
			path: "../link/layoutcalc.1", written: "layoutcalc.1"},
		{reason: "no such directory", path: "none/layoutcalc.1"},
		{reason: "a directory", prepare: "mkdir layoutcalc.1", path: "layoutcalc.1"},
	}
	for name, call := range outputCalls {
		for _, tt := range places {
			t.Run(name+" "+tt.reason, func(t *testing.T) {
				t.Parallel()
				o := newOutputTest(t, tt.prepare)
				code, stderr := o.call(call+" "+tt.flag, tt.path)
				isWritten := tt.written != "" && o.content(tt.written) != "x\n" && o.content(tt.written) != ""
				switch {
				case tt.written == "" && code < 2:
					t.Errorf("exits %d", code)
				case tt.written != "" && (code > 1 || !isWritten):
					t.Errorf("exits %d, written %t: %s", code, isWritten, stderr)
				}
				if kept := o.content("../out/old"); tt.written != "../out/old" && kept != "x\n" {
					t.Errorf("a file outside is %q now", kept)
				}
				if got, want := o.content("../out/new") != "", tt.written == "../out/new"; got != want {
					t.Errorf("a new file outside: %t", got)
				}
			})
		}
	}
}

// TestOutputsToDevices writes outputs to a pipe and a device of the machine, and to a hard link of an input.
func TestOutputsToDevices(t *testing.T) {
	needShell(t)
	for name, call := range outputCalls {
		if name == "man --dir" || name == "check --write-baseline" { // they never write to devices
			continue
		}
		o := newOutputTest(t, "mkfifo ../out/pipe && ln in.txt same && ln in.bin data && ln bad.layoutcalc.yaml known")
		if code, stderr := o.call(call, "/dev/null"); code > 1 {
			t.Errorf("%s to /dev/null exits %d: %s", name, code, stderr)
		}
		read := make(chan []byte)
		go func() {
			data, err := os.ReadFile(filepath.Join(o.dir, "../out/pipe"))
			if err != nil {
				t.Error(err)
			}
			read <- data
		}()
		if code, stderr := o.call(call, "../out/pipe"); code > 1 || len(<-read) == 0 {
			t.Errorf("%s to a pipe exits %d: %s", name, code, stderr)
		}
		for link, input := range map[string]string{"same": "in.txt", "known": "bad.layoutcalc.yaml"} {
			if strings.Contains(call, input) && name != "convert --out" { // its --force replaces its source too
				if code, _ := o.call(call, link); code < 2 || o.content(input) != outputInputs[input] {
					t.Errorf("%s to another name of its input exits %d", name, code)
				}
			}
		}
	}
}

// TestFixThroughLinks does not fix a file in a directory that a link leads to, if it is outside.
func TestFixThroughLinks(t *testing.T) {
	needShell(t)
	const file = "bad.layoutcalc.yaml"
	o := newOutputTest(t, "ln -s ../out d && cp "+file+" ../out && mkdir e && cp "+file+" e && ln -s e f")
	if code, stderr := o.call("check d/"+file+" --fix", ""); code != 1 || o.content("d/"+file) != outputInputs[file] {
		t.Errorf("a file outside: exits %d: %s", code, stderr)
	}
	for _, line := range []string{"check f/" + file + " --fix", "check d/" + file + " --fix --follow"} {
		path := strings.Fields(line)[1]
		if code, stderr := o.call(line, ""); code != 0 || o.content(path) == outputInputs[file] {
			t.Errorf("%s exits %d: %s", line, code, stderr)
		}
	}
}

// An outputTest is a repository in a directory of its own, and a directory "out" beside it.
type outputTest struct {
	t   *testing.T
	dir string
}

// needShell skips a test whose places a shell prepares.
func needShell(t *testing.T) {
	t.Helper()
	for _, program := range []string{"sh", "mkfifo"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
}

// newOutputTest makes a repository, and runs a script in it.
func newOutputTest(t *testing.T, script string) *outputTest {
	t.Helper()
	o := &outputTest{t, filepath.Join(t.TempDir(), "repo")}
	c := exec.Command("sh", "-ec", "mkdir .git ../out; echo x >../out/old; "+script)
	if err := os.Mkdir(o.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range outputInputs {
		if err := os.WriteFile(filepath.Join(o.dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c.Dir = o.dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", script, err, out)
	}
	return o
}

// call runs a call that writes to a path.
func (o *outputTest) call(line, path string) (code int, stderr string) {
	path = strings.ReplaceAll(path, "ROOT", filepath.Dir(o.dir))
	line = strings.NewReplacer("PATH", path, "DIR", filepath.Dir(path)).Replace(line)
	var errs bytes.Buffer
	code = Run(strings.Fields(line), Streams{Dir: o.dir, In: strings.NewReader(""), Out: io.Discard, Err: &errs,
		Env: func(string) string { return "" }})
	return code, errs.String()
}

// content returns the text of a file, empty if there is none.
func (o *outputTest) content(path string) string {
	path = filepath.Join(o.dir, path)
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	data, err := os.ReadFile(path)
	if err != nil {
		o.t.Fatal(err)
	}
	return string(data)
}
