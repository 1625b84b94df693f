package processtest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"
	"unsafe"
)

// A console is the console of the process.
type console struct {
	*os.File
	kernel *syscall.LazyDLL
}

// A screen is the CONSOLE_SCREEN_BUFFER_INFO of a console.
type screen struct {
	columns, rows            int16
	column, row              int16 // of the cursor
	attributes               uint16
	left, top, right, bottom int16 // of the window
	maxColumns, maxRows      int16
}

// openConsole opens the console of the process. It skips the test where there is none, as under a service.
func openConsole(t *testing.T) console {
	t.Helper()
	file, err := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	if err != nil {
		t.Skip("a console: ", err)
	}
	t.Cleanup(func() { file.Close() })
	return console{file, syscall.NewLazyDLL("kernel32.dll")}
}

// call calls a function of Windows, which returns 0 if it fails.
func (c console) call(t *testing.T, name string, args ...uintptr) {
	t.Helper()
	if ok, _, err := c.kernel.NewProc(name).Call(args...); ok == 0 {
		t.Fatal(name, ": ", err)
	}
}

func (c console) screen(t *testing.T) (s screen) {
	t.Helper()
	c.call(t, "GetConsoleScreenBufferInfo", c.Fd(), uintptr(unsafe.Pointer(&s)))
	return s
}

func (c console) mode(t *testing.T) (mode uint32) {
	t.Helper()
	c.call(t, "GetConsoleMode", c.Fd(), uintptr(unsafe.Pointer(&mode)))
	return mode
}

// above returns the characters of some rows on the screen above the cursor, without spaces.
func (c console) above(t *testing.T) string {
	t.Helper()
	s := c.screen(t)
	rows := min(s.row, 50)
	units := make([]uint16, int(s.columns)*int(rows)+1)
	var n uint32
	c.call(t, "ReadConsoleOutputCharacterW", c.Fd(), uintptr(unsafe.Pointer(&units[0])), uintptr(len(units)-1),
		uintptr(s.row-rows)<<16, uintptr(unsafe.Pointer(&n)))
	return withoutBlanks(syscall.UTF16ToString(units[:n]))
}

func withoutBlanks(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) {
			return -1
		}
		return c
	}, text)
}

// TestConsole writes to a console with the code page of PCs: frames and arrows are characters of Unicode, a table is as
// wide as the window, and the console obeys escape sequences from then on.
func TestConsole(t *testing.T) {
	c := openConsole(t)
	page, _, _ := c.kernel.NewProc("GetConsoleOutputCP").Call()
	c.call(t, "SetConsoleOutputCP", 437)
	defer c.call(t, "SetConsoleOutputCP", page)
	const virtualTerminal = 4
	mode := c.mode(t)
	c.call(t, "SetConsoleMode", c.Fd(), uintptr(mode&^virtualTerminal))
	defer c.call(t, "SetConsoleMode", c.Fd(), uintptr(mode))
	s := c.screen(t)
	width := strconv.Itoa(int(s.right - s.left + 1))

	args := strings.Fields("offset 2x12 --color never")
	p := program(t, args...)
	p.Stdout = c.File
	if err := p.Run(); err != nil {
		t.Fatal(err)
	}
	want, err := program(t, append(args, "--width", width)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.above(t), withoutBlanks(string(want)); !strings.HasSuffix(got, want) {
		t.Errorf("a console of %s columns has\n%s\nwant\n%s", width, got, want)
	}
	if c.mode(t)&virtualTerminal == 0 {
		t.Error("the console shows escape sequences")
	}
}

// TestBreak interrupts a move of data: the old file stays, and nothing else is left. Ctrl-Break, which can be sent to
// one process alone, ends a program as Ctrl-C does.
func TestBreak(t *testing.T) {
	c := openConsole(t)
	dir := tree(t, map[string]string{"old": "old"}, nil)
	sparse(t, filepath.Join(dir, "large"), 2<<30)
	before := snapshot(t, dir)
	p := mover(t, dir, "4096x524288 HW WH -t u8 --in large --out old --force -q")
	p.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	defer p.Process.Kill()
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		if left, _ := filepath.Glob(filepath.Join(dir, ".*")); left != nil {
			break
		}
		if time.Since(start) > time.Minute {
			t.Fatal("the new file is not begun within a minute")
		}
	}
	send := c.kernel.NewProc("GenerateConsoleCtrlEvent")
	if ok, _, err := send.Call(syscall.CTRL_BREAK_EVENT, uintptr(p.Process.Pid)); ok == 0 {
		_ = p.Process.Kill()
		_ = p.Wait()
		t.Skip("an event for one process, which Wine does not send: ", err)
	}
	if code := exitCode(t, p.Wait()); code != 130 {
		t.Errorf("exits %d, want 130", code)
	}
	wantUntouched(t, "interrupted", dir, before)
}
