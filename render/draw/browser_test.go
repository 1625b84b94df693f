package draw_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A browser is a headless Chromium with one page, which is driven through pipes.
type browser struct {
	t       *testing.T
	in      io.Writer
	out     *bufio.Reader
	session string
	number  int
	faults  []string // errors that the page wrote to its console
}

// start starts a browser, with a window that holds most pictures. It ends with the test.
func start(t *testing.T) *browser {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("no Chromium here")
	}
	profile, err := os.MkdirTemp("", "layoutcalc-browser-")
	if err != nil {
		t.Fatal(err)
	}
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 6*time.Minute)
	c := exec.CommandContext(ctx, program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		"--disable-dev-shm-usage", "--force-color-profile=srgb", "--user-data-dir="+profile,
		"--window-size=1400,1000", "--remote-debugging-pipe", "about:blank")
	c.ExtraFiles = []*os.File{theirIn, theirOut}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	theirIn.Close()
	theirOut.Close()
	b := &browser{t: t, in: ourOut, out: bufio.NewReader(ourIn)}
	t.Cleanup(func() {
		b.t, b.session = t, ""
		b.call("Browser.close", nil, nil)
		c.Wait()
		cancel()
		ourOut.Close()
		ourIn.Close()
		for range 100 { // processes of the browser that still end write to its profile
			if os.RemoveAll(profile) == nil {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
	})
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	b.call("Runtime.enable", nil, nil)
	b.call("Log.enable", nil, nil)
	b.call("Page.enable", nil, nil)
	return b
}

// open has the browser show a page of these bytes, from a file, in place of the one before, for a test.
func (b *browser) open(t *testing.T, data []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	b.t, b.faults = t, nil
	b.call("Page.navigate", map[string]any{"url": "file://" + path}, nil)
	for b.text(`document.readyState + location.pathname`) != "complete"+path {
		time.Sleep(10 * time.Millisecond)
	}
}

// call calls a method and waits for its result. Errors that the page writes meanwhile are kept.
func (b *browser) call(method string, params any, result any) {
	b.t.Helper()
	b.number++
	call := map[string]any{"id": b.number, "method": method}
	if params != nil {
		call["params"] = params
	}
	if b.session != "" {
		call["sessionId"] = b.session
	}
	data, err := json.Marshal(call)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(data, 0)); err != nil {
		b.t.Fatal(err)
	}
	for {
		answer, err := b.out.ReadBytes(0)
		if err != nil {
			b.t.Fatalf("%s: %v", method, err)
		}
		var m struct {
			ID     int
			Method string
			Params json.RawMessage
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(bytes.TrimRight(answer, "\x00"), &m); err != nil {
			b.t.Fatal(err)
		}
		isFault := m.Method == "Runtime.exceptionThrown" || m.Method == "Log.entryAdded" ||
			m.Method == "Runtime.consoleAPICalled" && bytes.Contains(m.Params, []byte(`"type":"error"`))
		switch {
		case isFault:
			b.faults = append(b.faults, string(m.Params))
		case m.ID == b.number && m.Error != nil:
			b.t.Fatalf("%s: %s", method, m.Error.Message)
		case m.ID == b.number:
			if result != nil {
				if err := json.Unmarshal(m.Result, result); err != nil {
					b.t.Fatal(err)
				}
			}
			return
		}
	}
}

// text evaluates an expression of the page, and returns its value as a text.
func (b *browser) text(expression string) string {
	b.t.Helper()
	var answer struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &answer)
	if answer.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, answer.ExceptionDetails)
	}
	return fmt.Sprint(answer.Result.Value)
}

// place returns the middle of the first element that a selector finds, in the window.
func (b *browser) place(selector string) (x, y float64) {
	b.t.Helper()
	text := b.text(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({block: "center"});
		const r = e.getBoundingClientRect(); return (r.x + r.width / 2) + " " + (r.y + r.height / 2) })()`, selector))
	if _, err := fmt.Sscan(text, &x, &y); err != nil {
		b.t.Fatalf("%s: %v", selector, err)
	}
	return x, y
}

// mouse sends an event of the mouse in the middle of an element.
func (b *browser) mouse(kind, selector string) {
	b.t.Helper()
	x, y := b.place(selector)
	params := map[string]any{"type": kind, "x": x, "y": y}
	if kind != "mouseMoved" {
		params["button"], params["clickCount"] = "left", 1
	}
	b.call("Input.dispatchMouseEvent", params, nil)
}

// click clicks on an element.
func (b *browser) click(selector string) {
	b.t.Helper()
	b.mouse("mousePressed", selector)
	b.mouse("mouseReleased", selector)
}

// press presses keys.
func (b *browser) press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		for _, kind := range []string{"keyDown", "keyUp"} {
			b.call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key, "code": key}, nil)
		}
	}
}

// screenshot returns the window as it is drawn.
func (b *browser) screenshot() image.Image {
	b.t.Helper()
	var shot struct{ Data string }
	b.call("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	img, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(shot.Data)))
	if err != nil {
		b.t.Fatal(err)
	}
	return img
}

// color returns the colour at a point near the upper left corner of an element, where cells have no text.
func (b *browser) color(selector string) string {
	b.t.Helper()
	b.place(selector)
	var x, y float64
	text := b.text(fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect();
		return (r.x + 4) + " " + (r.y + 4) })()`, selector))
	if _, err := fmt.Sscan(text, &x, &y); err != nil {
		b.t.Fatal(err)
	}
	red, green, blue, _ := b.screenshot().At(int(x), int(y)).RGBA()
	return fmt.Sprintf("#%02x%02x%02x", red>>8, green>>8, blue>>8)
}

// status is what the page says of the cell that was chosen.
func (b *browser) status() string { return b.text(`document.getElementById("status").textContent`) }

// wantStatus compares what the page says.
func (b *browser) wantStatus(what, want string) {
	b.t.Helper()
	if got := b.status(); got != want {
		b.t.Errorf("%s: the page says %q, want %q", what, got, want)
	}
}
