//go:build !js

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
	"layoutcalc/render/browsertest"
)

// A player uses the page in a browser.
type player struct{ *browsertest.Browser }

// TestPlayground builds the folder, serves it, and uses the page.
func TestPlayground(t *testing.T) {
	layouttest.SkipUnlessAll(t, "compiling for the browser takes up to a minute")
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command here")
	}
	p := &player{browsertest.Start(t)}
	folder := t.TempDir()
	if err := build(folder); err != nil {
		t.Fatal(err)
	}
	checkSize(t, folder)
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(server.Close)
	run := func(name string, test func(*testing.T, *player)) {
		t.Run(name, func(t *testing.T) {
			p.For(t)
			test(t, p)
			if len(p.Faults) > 0 { // such as a breach of the policy for contents
				t.Errorf("the page has errors: %s", p.Faults)
			}
		})
	}
	run("first answer", func(t *testing.T, p *player) { testFirst(t, p, server.URL+"/") })
	run("lines", testLines)
	run("use", testUse)
	run("frame", testFrame)
	run("narrow", testNarrow)
	run("access", testAccess)
}

// checkSize checks that at most 6 MB are loaded.
func checkSize(t *testing.T, folder string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) != 6 {
		t.Fatalf("the folder has %q: %v", files, err)
	}
	total := int64(0)
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	t.Logf("%d bytes", total)
	if total > 6_000_000 {
		t.Errorf("the folder has %d bytes, at most 6,000,000", total)
	}
}

// ask puts a line and its input into the address of the page, and waits for the answer.
func (p *player) ask(line, input string) {
	p.Text(fmt.Sprintf(`location.hash = %q`, url.Values{"line": {line}, "input": {input}}.Encode()))
	p.answered(line)
}

// answered waits for the answer to a line.
func (p *player) answered(line string) {
	p.Wait(fmt.Sprintf(`wanted.line === %q && ready && !busy && state.textContent.startsWith("Exit code")`, line))
}

// testFirst checks that the first answer uses at most 4 seconds of processor time, which is about a second on an idle
// machine. The wall time grows with the load of the machine, so it is only logged.
func testFirst(t *testing.T, p *player, address string) {
	p.Open(t, address+"#line=size+5x7+-t+uint8")
	p.answered("size 5x7 -t uint8")
	t.Logf("first answer after %s ms", p.Text(`performance.getEntriesByName("answer")[0].startTime`))
	p.Call("Performance.enable", map[string]any{"timeDomain": "threadTicks"}, nil)
	var measured struct {
		Metrics []struct {
			Name  string
			Value float64
		}
	}
	p.Call("Performance.getMetrics", nil, &measured)
	for _, m := range measured.Metrics {
		if m.Name == "ProcessTime" {
			t.Logf("%.2f s of the processors", m.Value)
			if m.Value > 4 {
				t.Errorf("the first answer takes %.2f s of the processors, at most 4", m.Value)
			}
		}
	}
	if got := p.Text(`output.textContent`); !strings.HasPrefix(got, "36 bytes for DirectML") {
		t.Errorf("the page says %s", got)
	}
}

// testLines compares answers in the page with answers outside of it.
func testLines(t *testing.T, p *player) {
	for _, tt := range lines {
		p.ask(tt.line, tt.input)
		var columns int
		if _, err := fmt.Sscan(p.Text(`wanted.columns`), &columns); err != nil {
			t.Fatal(err)
		}
		want := answerTo(tt.line, tt.input, columns)
		if got := p.Text(`output.textContent`); got != escape.ReplaceAllString(want.output, "") {
			t.Errorf("%q: the page says %s\nwant %s", tt.line, got, want.output)
		}
		if got := p.Text(`state.textContent`); !strings.HasPrefix(got, fmt.Sprintf("Exit code %d", want.code)) {
			t.Errorf("%q: the page says %q, want %d", tt.line, got, want.code)
		}
		if got := p.Text(`byId("picture").hidden ? "" : page`); got != want.html {
			t.Errorf("%q: the page has %d bytes, want %d", tt.line, len(got), len(want.html))
		}
	}
}

// testUse types a line, follows an example and goes back.
func testUse(t *testing.T, p *player) {
	p.ask("strides 2x3", "")
	p.Text(`line.value = ""; line.focus(); ""`)
	p.Call("Input.insertText", map[string]any{"text": "offset 4x5 '3,4'"}, nil)
	p.Call("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "Enter", "text": "\r",
		"windowsVirtualKeyCode": 13}, nil)
	p.Wait(`output.textContent.includes("19")`)
	if got, want := p.Text(`location.hash`), "#line=offset+4x5+%273%2C4%27"; got != want {
		t.Errorf("the address ends in %s, want %s", got, want)
	}
	p.Click(`#examples li:nth-child(5) a`)
	p.Wait(`output.textContent.includes("differ")`)
	if got := p.Text(`line.value`); got != "compare 1x8x2x2 NCHW NHWC" {
		t.Errorf("the example has the line %q", got)
	}
	p.Wait(`byId("svg").complete && byId("svg").naturalWidth > 100`)
	if got := p.Text(`byId("svg").alt`); !strings.Contains(got, "different: the same set of offsets") {
		t.Errorf("the picture is described as %q", got)
	}
	p.Text(`history.back()`)
	p.Wait(`output.textContent.includes("19") && line.value.startsWith("offset")`)
	const texts = `[...document.querySelectorAll("#examples a")].map((a) => a.textContent).join("\n")`
	for n, example := range strings.Split(p.Text(texts), "\n") {
		p.Click(fmt.Sprintf(`#examples li:nth-child(%d) a`, n+1))
		p.answered(example)
		if code := p.Text(`state.textContent.match(/[0-9]+/)[0]`); code != "0" && code != "1" {
			t.Errorf("%s: exit code %s", example, code)
		}
	}
}

// testFrame checks that the page of a picture works in its frame, which has no access to the page around it.
func testFrame(t *testing.T, p *player) {
	p.ask("strides 2x3 --html page.html", "")
	p.InFrame(func() {
		p.Wait(`document.readyState === "complete"`)
		got := p.Text(`origin + " " + document.querySelector("svg").getAttribute("role")`)
		if got != "null application" {
			t.Errorf("the frame has the origin and the role %q", got)
		}
	})
}

// testNarrow checks that the page fits in a window of 500 pixels, and tables fit in the page.
func testNarrow(t *testing.T, p *player) {
	size := map[string]any{"width": 500, "height": 800, "deviceScaleFactor": 1, "mobile": false}
	p.Call("Emulation.setDeviceMetricsOverride", size, nil)
	p.ask("strides 1x3x4x4 NHWC", "")
	if got := p.Text(`document.documentElement.scrollWidth`); got != "500" {
		t.Errorf("the page is %s pixels wide, want 500", got)
	}
	if got := p.Text(`output.scrollWidth <= output.clientWidth`); got != "true" {
		t.Errorf("the table is %s pixels wide in %s", p.Text(`output.scrollWidth`), p.Text(`output.clientWidth`))
	}
	p.Call("Emulation.clearDeviceMetricsOverride", nil, nil)
	p.ask("strides 1x3x4x4 NHWC", "")
}

// testAccess checks that axe-core has no findings, light and dark.
func testAccess(t *testing.T, p *player) {
	for _, scheme := range []string{"light", "dark"} {
		features := []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}
		p.Call("Emulation.setEmulatedMedia", map[string]any{"features": features}, nil)
		p.ask("check -", document)
		if !p.WantAccess() {
			t.Skip("axe-core is not installed")
		}
		p.ask("strides 2x3x4", "")
		p.WantAccess()
	}
}
