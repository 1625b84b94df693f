package processtest

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// nothing matches the output of a run that was interrupted.
var nothing = regexp.MustCompile(`^$`)

// A running is a process that moves a large file, and is in the middle of it.
type running struct {
	*exec.Cmd
	dir    string
	before map[string]string
	stderr strings.Builder
}

// begin starts to move a file of 4 GB, of which little will be written, and waits until the
// new file exists. A shell runs the script before.
func begin(t *testing.T, script, args string, in io.Reader) *running {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("signals and sparse files are not everywhere as they are on Linux")
	}
	r := &running{dir: tree(t, map[string]string{"a": planes, "old": "old"}, nil)}
	sparse(t, filepath.Join(r.dir, "large"), 4<<30)
	r.before = snapshot(t, r.dir)
	r.Cmd = mover(t, r.dir, "8192x524288 HW WH -t u8 "+args)
	if script != "" {
		r.Cmd = under(t, script, r.Cmd)
	}
	r.Cmd.Stdin, r.Cmd.Stderr = in, &r.stderr
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Process.Kill() })
	r.wait(t, "the new file exists", func() bool { return len(r.hidden(t)) == 1 })
	return r
}

// hidden are the temporary files.
func (r *running) hidden(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(r.dir, ".*.layoutcalc-*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// wait waits until something is so.
func (r *running) wait(t *testing.T, what string, so func() bool) {
	t.Helper()
	for start := time.Now(); !so(); time.Sleep(time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatal("not in 10 seconds: ", what)
		}
	}
}

// wantEnd waits for the end. It checks the exit code, the messages, and that the directory has not changed.
func (r *running) wantEnd(t *testing.T, code int, says *regexp.Regexp) {
	t.Helper()
	alarm := time.AfterFunc(10*time.Second, func() { r.Process.Kill() })
	defer alarm.Stop()
	got := exitCode(t, r.Cmd.Wait())
	if stderr := r.stderr.String(); got != code || !says.MatchString(stderr) {
		t.Errorf("exits %d, want %d, and says %q, want %v", got, code, stderr, says)
	}
	wantPlain(t, r.stderr.String())
	wantUntouched(t, "ended early", r.dir, r.before)
}

// TestDataInterrupted ends runs in the middle: nothing is left, and the old file is whole.
func TestDataInterrupted(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		for _, args := range []string{
			"--in large --out old --force", "--in large --out new.npy", "--in large --out large --force --verify",
		} {
			t.Run(sig.String()+" "+args, func(t *testing.T) {
				if signal.Ignored(sig) {
					t.Skip("whoever runs the tests ignores it, as nohup does, and so do the processes they start")
				}
				r := begin(t, "", args, nil)
				if err := r.Process.Signal(sig); err != nil {
					t.Fatal(err)
				}
				r.wantEnd(t, 130, nothing)
			})
		}
	}
}

// TestPictureInterrupted ends calls that write a page, as soon as the temporary file exists. A call ends with the exit
// code of a signal and leaves nothing, or has been quicker and leaves the whole page.
func TestPictureInterrupted(t *testing.T) {
	needUnix(t)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGTERM, syscall.SIGTERM} {
		if signal.Ignored(sig) {
			t.Skip("whoever runs the tests ignores it, as nohup does, and so do the processes they start")
		}
		r := &running{dir: t.TempDir()}
		r.Cmd = program(t, "offset", "2000x2000", "--cells", "20000", "--html", "new.html", "-q", "-o", "plain")
		r.Cmd.Dir = r.dir
		if err := r.Start(); err != nil {
			t.Fatal(err)
		}
		page := filepath.Join(r.dir, "new.html")
		isWritten := func() bool {
			_, err := os.Stat(page)
			return err == nil
		}
		r.wait(t, "the new file exists", func() bool { return len(r.hidden(t)) == 1 || isWritten() })
		if err := r.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		code := exitCode(t, r.Cmd.Wait())
		switch left := r.hidden(t); {
		case left != nil:
			t.Errorf("%v: %q are left", sig, left)
		case code == 130 && isWritten():
			t.Errorf("%v: the page is there, though the call was interrupted", sig)
		case code != 130 && isWritten() && !strings.HasSuffix(string(read(t, page)), "</html>\n"):
			t.Errorf("%v: the page is not whole", sig)
		case code != 130 && !isWritten(): // a signal after the page is complete ends the process as it does others
			t.Errorf("%v: exits %d", sig, code)
		}
	}
}

// TestDataGoesOn ignores the signal that nohup has ignored.
func TestDataGoesOn(t *testing.T) {
	r := begin(t, "trap '' HUP", "--in large --out old --force", nil)
	if err := r.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	if len(r.hidden(t)) != 1 {
		t.Error("the run ends, though the signal is ignored")
	}
	if err := r.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	r.wantEnd(t, 130, nothing)
}

// TestDataStalled ends runs whose reader has stopped to read.
func TestDataStalled(t *testing.T) {
	needUnix(t)
	dir := t.TempDir()
	sparse(t, filepath.Join(dir, "large"), 1<<30)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		c := mover(t, dir, "1073741824 W W -t u8 --in large --out -")
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		alarm := time.AfterFunc(10*time.Second, func() { c.Process.Kill() })
		if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		if err := c.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		state, err := c.Process.Wait()
		if err != nil || !alarm.Stop() || state.Success() {
			t.Errorf("%v: %v, %v", sig, state, err)
		}
	}
}

// TestDataSpoolInterrupted ends a run that spools a pipe to a file: that file is removed too.
func TestDataSpoolInterrupted(t *testing.T) {
	needUnix(t)
	dir := tree(t, map[string]string{"old": "old", "tmp/x": ""}, nil)
	before := snapshot(t, dir)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		c := mover(t, dir, "1000000000 W W -t u8 --in - --out old --force")
		c.Env = append(c.Env, "TMPDIR=tmp")
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(in, zeros(80_000_000)); err != nil {
			t.Fatal(err)
		}
		if err := c.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(); err == nil {
			t.Errorf("%v: exits 0", sig)
		}
		wantUntouched(t, sig.String(), dir, before)
	}
}

// TestDataClosedPipe reads ten bytes and closes the pipe, as head does.
func TestDataClosedPipe(t *testing.T) {
	needUnix(t)
	dir := t.TempDir()
	sparse(t, filepath.Join(dir, "large"), 1<<30)
	for _, layouts := range []string{"1024x1048576 HW HW", "1024x1048576 HW WH"} {
		c := mover(t, dir, layouts+" -t u8 --in large --out -")
		readAndLeave(t, layouts, c, func(out io.Reader) error {
			_, err := io.ReadFull(out, make([]byte, 10))
			return err
		})
	}
}

// TestDataPipes moves from a named pipe to another, which stays one.
func TestDataPipes(t *testing.T) {
	needUnix(t)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	if err := exec.Command("mkfifo", in, out).Run(); err != nil {
		t.Skip("no named pipes here: ", err)
	}
	before := snapshot(t, dir)
	got := make(chan string)
	go func() {
		data, err := os.ReadFile(out)
		if err != nil {
			t.Error(err)
		}
		got <- string(data)
	}()
	go func() {
		if err := os.WriteFile(in, []byte(planes), 0); err != nil {
			t.Error(err)
		}
	}()
	code, _, stderr := ended(t, mover(t, t.TempDir(), toPixels+"-q --in "+in+" --out "+out))
	if code != 0 || stderr != "" {
		t.Fatalf("exits %d and says %q", code, stderr)
	}
	if data := <-got; data != pixels {
		t.Errorf("writes %q", data)
	}
	wantUntouched(t, "a named pipe", dir, before)
}
