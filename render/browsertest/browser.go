// Package browsertest drives a real browser for tests of pages.
package browsertest

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
	"strings"
	"testing"
	"time"

	"layoutcalc/layout/layouttest"
)

// A Browser is a headless Chromium with one page, which is driven through pipes.
type Browser struct {
	t       *testing.T
	in      io.Writer
	out     *bufio.Reader
	session string
	number  int
	Faults  []string // errors that the page wrote to its console
}

// Start starts a browser, with a window that holds most pictures. It ends with the test.
func Start(t *testing.T) *Browser {
	t.Helper()
	layouttest.SkipUnlessAll(t, "a browser runs")
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
	b := &Browser{t: t, in: ourOut, out: bufio.NewReader(ourIn)}
	t.Cleanup(func() {
		b.t, b.session = t, ""
		b.Call("Browser.close", nil, nil)
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
	b.Call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.Call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	b.Call("Runtime.enable", nil, nil)
	b.Call("Log.enable", nil, nil)
	b.Call("Page.enable", nil, nil)
	return b
}

// For starts a test, which later errors of the page belong to.
func (b *Browser) For(t *testing.T) { b.t, b.Faults = t, nil }

// Open makes the browser show the page at an address instead of the previous one, for a test.
func (b *Browser) Open(t *testing.T, address string) {
	t.Helper()
	b.For(t)
	b.Call("Page.navigate", map[string]any{"url": address}, nil)
	b.Wait(fmt.Sprintf(`document.readyState === "complete" && location.href === %q`, address))
}

// Wait waits until an expression of the page is true.
func (b *Browser) Wait(expression string) {
	b.t.Helper()
	for start := time.Now(); b.Text(expression) != "true"; time.Sleep(10 * time.Millisecond) {
		if time.Since(start) > time.Minute {
			b.t.Fatalf("%s does not become true; errors of the page: %s", expression, b.Faults)
		}
	}
}

// Call calls a method and waits for its result. Errors that the page writes meanwhile are kept.
func (b *Browser) Call(method string, params any, result any) {
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
			b.Faults = append(b.Faults, string(m.Params))
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

// InFrame directs all calls of a function to the frame of the page, which has a separate process.
func (b *Browser) InFrame(do func()) {
	b.t.Helper()
	page := b.session
	defer func() { b.session = page }()
	b.session = ""
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(10 * time.Millisecond) {
		var targets struct {
			TargetInfos []struct{ TargetID, Type string }
		}
		b.Call("Target.getTargets", nil, &targets)
		for _, target := range targets.TargetInfos {
			if target.Type != "iframe" {
				continue
			}
			var attached struct{ SessionID string }
			b.Call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
			b.session = attached.SessionID
			do()
			return
		}
	}
	b.t.Fatal("the page has no frame with a process of its own")
}

// Text evaluates an expression of the page, and returns its value as a string.
func (b *Browser) Text(expression string) string {
	b.t.Helper()
	var answer struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.Call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &answer)
	if answer.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, answer.ExceptionDetails)
	}
	return fmt.Sprint(answer.Result.Value)
}

// Place returns the middle of the first element that a selector finds, in the window.
func (b *Browser) Place(selector string) (x, y float64) {
	b.t.Helper()
	text := b.Text(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({block: "center"});
		const r = e.getBoundingClientRect(); return (r.x + r.width / 2) + " " + (r.y + r.height / 2) })()`, selector))
	if _, err := fmt.Sscan(text, &x, &y); err != nil {
		b.t.Fatalf("%s: %v", selector, err)
	}
	return x, y
}

// Mouse sends an event of the mouse in the middle of an element.
func (b *Browser) Mouse(kind, selector string) {
	b.t.Helper()
	x, y := b.Place(selector)
	params := map[string]any{"type": kind, "x": x, "y": y}
	if kind != "mouseMoved" {
		params["button"], params["clickCount"] = "left", 1
	}
	b.Call("Input.dispatchMouseEvent", params, nil)
}

// Click clicks on an element.
func (b *Browser) Click(selector string) {
	b.t.Helper()
	b.Mouse("mousePressed", selector)
	b.Mouse("mouseReleased", selector)
}

// Press presses keys.
func (b *Browser) Press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		for _, kind := range []string{"keyDown", "keyUp"} {
			b.Call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key, "code": key}, nil)
		}
	}
}

// Screenshot returns the window as it is drawn.
func (b *Browser) Screenshot() image.Image {
	b.t.Helper()
	var shot struct{ Data string }
	b.Call("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	img, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(shot.Data)))
	if err != nil {
		b.t.Fatal(err)
	}
	return img
}

// Color returns the colour at a point near the upper left corner of an element. Cells are empty there.
func (b *Browser) Color(selector string) string {
	b.t.Helper()
	b.Place(selector)
	var x, y float64
	text := b.Text(fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect();
		return (r.x + 4) + " " + (r.y + 4) })()`, selector))
	if _, err := fmt.Sscan(text, &x, &y); err != nil {
		b.t.Fatal(err)
	}
	red, green, blue, _ := b.Screenshot().At(int(x), int(y)).RGBA()
	return fmt.Sprintf("#%02x%02x%02x", red>>8, green>>8, blue>>8)
}

// WantAccess checks that axe-core has no findings on the page, with all its details open. It reports false if npm has
// not installed axe-core for all users.
func (b *Browser) WantAccess() bool {
	b.t.Helper()
	var axe []byte
	for _, directory := range []string{"/usr/lib", "/usr/local/lib", "/opt/homebrew/lib"} {
		if data, err := os.ReadFile(directory + "/node_modules/axe-core/axe.min.js"); err == nil {
			axe = data
		}
	}
	if axe == nil {
		return false
	}
	b.Text(string(axe) + `;document.querySelectorAll("details").forEach((d) => { d.open = true });
		axe.run().then((r) => {
			window.found = r.violations.map((v) => v.id + " " + v.nodes[0].html).join("\n");
		});
		""`)
	b.Wait(`window.found !== undefined`)
	if found := b.Text(`window.found`); found != "" {
		b.t.Errorf("axe-core says %s", found)
	}
	return true
}
