package draw_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"layoutcalc/layout"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/view"
	"layoutcalc/render/browsertest"
	"layoutcalc/render/draw"
)

// options are the options of a picture without flags.
func options() draw.Options {
	return draw.Options{Cells: draw.DefaultCells, Command: "layoutcalc strides <x> & 'y'"}
}

// page returns the page of a picture.
func page(t *testing.T, p *draw.Picture, err error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err == nil {
		err = p.HTML(&b)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestPageIsClosed checks that a page loads nothing from outside, and has a policy that forbids it.
func TestPageIsClosed(t *testing.T) {
	p, err := draw.Tensor(layouttest.Tensor(t, "2x3x4 DHW"), options())
	text := string(page(t, p, err))
	for _, want := range []string{
		`content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"`,
		"<code id=\"command\">layoutcalc strides &lt;x&gt; &amp; &#39;y&#39;</code>",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	for _, bad := range []string{"src=", "href=", "@import", "http:", "https:", "fetch(", "import(", "eval("} {
		if rest := strings.ReplaceAll(text, `xmlns="http://www.w3.org/2000/svg"`, ""); strings.Contains(rest, bad) {
			t.Errorf("the page has %s", bad)
		}
	}
}

// TestPageTable checks that the table has a row for every element: its index, its offset in NHWC, and its byte.
func TestPageTable(t *testing.T) {
	p, err := draw.Tensor(layouttest.Tensor(t, "2x3x2x2 NHWC -t float16"), options())
	text := string(page(t, p, err))
	for n := range 2 {
		for c := range 3 {
			for h := range 2 {
				for w := range 2 {
					offset := n*12 + h*6 + w*3 + c
					row := fmt.Sprintf("<tr><td>%d</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td></tr>\n",
						n, c, h, w, offset, 2*offset)
					if strings.Count(text, row) != 1 {
						t.Errorf("the table has no row %s", row)
					}
				}
			}
		}
	}
}

// address writes a page to a file, and returns the address of the file.
func address(t *testing.T, page []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, page, 0o600); err != nil {
		t.Fatal(err)
	}
	return "file://" + filepath.ToSlash(path)
}

// status returns the page's text about the selected cell.
func status(b *browsertest.Browser) string {
	return b.Text(`document.getElementById("status").textContent`)
}

// wantStatus compares the page's text about the selected cell.
func wantStatus(t *testing.T, b *browsertest.Browser, what, want string) {
	t.Helper()
	if got := status(b); got != want {
		t.Errorf("%s: the page says %q, want %q", what, got, want)
	}
}

// TestPages tests pages in a real browser.
func TestPages(t *testing.T) {
	b := browsertest.Start(t)
	t.Run("one tensor", func(t *testing.T) { testPage(t, b) })
	t.Run("beyond what is drawn", func(t *testing.T) { testWalks(t, b) })
	t.Run("pairs", func(t *testing.T) { testPairs(t, b) })
	t.Run("themes", func(t *testing.T) { testThemes(t, b) })
	t.Run("texts", func(t *testing.T) { testTexts(t, b) })
	t.Run("boards", func(t *testing.T) { testBoards(t, b) })
	t.Run("finding", func(t *testing.T) { testFinding(t, b) })
	t.Run("saving", func(t *testing.T) { testSaving(t, b) })
	t.Run("a narrow window", func(t *testing.T) { testNarrow(t, b) })
	t.Run("moves", func(t *testing.T) { testMoves(t, b) })
	t.Run("access", func(t *testing.T) { testAccess(t, b) })
}

// testPage moves the mouse, presses keys and pulls sliders.
func testPage(t *testing.T, b *browsertest.Browser) {
	p, err := draw.Tensor(layouttest.Tensor(t, "2x3x2x4 NHWC -t float16"), options())
	b.Open(t, address(t, page(t, p, err)))
	idle := status(b)
	cell := func(part, index string) string { return fmt.Sprintf(`.%s rect[data-i=%q]`, part, index) }

	// [1, 2, 0, 3] of NHWC is at 1x24 + 0x12 + 3x3 + 2 = 35, and 2 bytes each.
	const said = "index N=1, C=2, H=0, W=3 ↔ offset 1×24 + 2×1 + 0×12 + 3×3 = 35 (byte 70)"
	b.Mouse("mouseMoved", cell("grid", "1,2,0,3"))
	wantStatus(t, b, "over a grid", said)
	if got := b.Text(`document.querySelectorAll(".here, .twin").length`); got != "2" {
		t.Errorf("%s cells are outlined, want one in the grid and one in the strip", got)
	}
	b.Mouse("mouseMoved", cell("strip", "1,2,0,3"))
	wantStatus(t, b, "over the strip", said)
	const first = "index N=0, C=1, H=0, W=0 ↔ offset 0×24 + 1×1 + 0×12 + 0×3 = 1 (byte 2)"
	b.Click(cell("grid", "0,1,0,0"))
	wantStatus(t, b, "after a click", first+", pinned")
	b.Mouse("mouseMoved", cell("grid", "1,2,0,3"))
	wantStatus(t, b, "over another cell", first+", pinned")
	b.Press("ArrowRight", "ArrowDown")
	wantStatus(t, b, "after arrow keys",
		"index N=0, C=1, H=1, W=1 ↔ offset 0×24 + 1×1 + 1×12 + 1×3 = 16 (byte 32), pinned")
	b.Press("ArrowLeft", "ArrowUp", "Enter")
	wantStatus(t, b, "after Enter", first)
	b.Press("Escape")
	wantStatus(t, b, "after Escape", idle)

	b.Text(`(() => { const s = document.querySelector("input[data-axis='1']"); s.focus(); return s.value })()`)
	b.Press("ArrowRight", "ArrowRight")
	if got := b.Text(`document.querySelectorAll(".grid:not([style*=none])").length`); got != "1" {
		t.Errorf("a slider leaves %s grids", got)
	}
	b.Mouse("mouseMoved", cell("grid:not([style*=none])", "0,2,1,1"))
	wantStatus(t, b, "after a slider", "index N=0, C=2, H=1, W=1 ↔ offset 0×24 + 2×1 + 1×12 + 1×3 = 17 (byte 34)")
	b.Click("fieldset button")
	if got := b.Text(`document.querySelectorAll(".grid:not([style*=none])").length`); got != "6" {
		t.Errorf("the button leaves %s grids of 6", got)
	}
	for _, fault := range b.Faults {
		t.Errorf("the console has %s", fault)
	}
}

// testWalks checks that a slider shows a grid that was not drawn, with the offsets of the layout.
func testWalks(t *testing.T, b *browsertest.Browser) {
	tests := []struct{ line, index, want string }{
		{"1x1000x4x4 NCHW", "0,500,2,3",
			"index N=0, C=500, H=2, W=3 ↔ offset 0×16000 + 500×16 + 2×4 + 3×1 = 8011 (byte 32044)"},
		{"1x1000x4x4 NCHW16c", "0,501,2,3",
			"index N=0, C=501, H=2, W=3 ↔ offset 0×16128 + 31×256 + 5×1 + 2×64 + 3×16 = 8117 (byte 32468)"},
		{"4x2x3 -t int4", "1,1,0", // two of them are a byte
			"index [1, 1, 0] ↔ offset 1×6 + 1×3 + 0×1 = 9 (byte 4.5)"},
		{"4x8x8 -t f16 --swizzle 32B", "3,2,5", // bit 6 of 213, 0b11010101, is added to bit 3
			"index [3, 2, 5] ↔ offset 3×64 + 2×8 + 5×1 = 213, swizzled 221 (byte 442)"},
		{"3000000000x2x2 --strides 3000000000,2,1 -t int8", "1234567890,1,1",
			"index [1234567890, 1, 1] ↔ offset 1234567890×3000000000 + 1×2 + 1×1 = 3703703670000000003 " +
				"(byte 3703703670000000003)"},
	}
	for _, tt := range tests {
		p, err := draw.Tensor(layouttest.Tensor(t, tt.line), options())
		b.Open(t, address(t, page(t, p, err)))
		values := strings.Split(tt.index, ",")
		axis, caption := 1, "C="+values[1]
		if len(values) == 3 {
			axis, caption = 0, "dim 0="+values[0]
		}
		b.Text(fmt.Sprintf(`(() => { const s = document.querySelector("input[data-axis='%d']"); s.value = %s;
			s.dispatchEvent(new Event("input")); return "" })()`, axis, values[axis]))
		b.Mouse("mouseMoved", fmt.Sprintf(`.grid rect[data-i=%q]`, tt.index))
		wantStatus(t, b, tt.line, tt.want)
		got := b.Text(`document.querySelector(".grid:not([style*=none]) .caption").textContent`)
		if got != caption {
			t.Errorf("%s: the caption is %q, want %q", tt.line, got, caption)
		}
		wide := b.Text(`[...document.querySelectorAll(".grid:not([style*=none]) rect[data-o] + text")].filter((text) =>
			text.getBBox().width > text.previousElementSibling.getBBox().width).length`)
		if wide != "0" {
			t.Errorf("%s: %s offsets are wider than their cells", tt.line, wide)
		}
		for _, fault := range b.Faults {
			t.Errorf("the console has %s", fault)
		}
	}
}

// testPairs checks that a cell of one tensor outlines the same element of the other one: in a conversion by the index,
// in a chain of views by the offset.
func testPairs(t *testing.T, b *browsertest.Browser) {
	from, to := layouttest.Tensor(t, "1x3x2x2 NCHW"), layouttest.Tensor(t, "1x3x2x2 NHWC")
	p, err := draw.Conversion(from, to, options())
	b.Open(t, address(t, page(t, p, err)))
	b.Mouse("mouseMoved", `.panel[data-strip="1"] rect[data-i="0,1,1,0"]`)
	wantStatus(t, b, "a conversion", "index N=0, C=1, H=1, W=0 ↔ offset 0×12 + 1×1 + 1×6 + 0×3 = 7 (byte 28)")
	places := func(selector string) string {
		return b.Text(fmt.Sprintf(`[...document.querySelectorAll(%q)].
			map((r) => r.getAttribute("x") + " " + r.getAttribute("y")).sort().join()`, selector))
	}
	got, want := places(".here, .twin"), places(`rect[data-i="0,1,1,0"]`)
	if got != want || strings.Count(got, ",") != 3 {
		t.Errorf("outlined are %s, want %s", got, want)
	}

	start := layouttest.Tensor(t, "2x3")
	steps, err := view.ParseSteps("permute(1,0)")
	if err != nil {
		t.Fatal(err)
	}
	views, err := view.Apply(start, steps, layout.PyTorch)
	if err != nil {
		t.Fatal(err)
	}
	p, err = draw.Chain(start, steps, views, options())
	b.Open(t, address(t, page(t, p, err)))
	b.Mouse("mouseMoved", `.panel rect[data-i="0,2"]`)
	got = b.Text(`[...document.querySelectorAll("rect[data-o='2']")].map((r) => r.dataset.i).join(" ")`)
	if n := b.Text(`document.querySelectorAll(".here, .twin").length`); n != "3" || got != "0,2 2,0 0,2" {
		t.Errorf("%s cells are outlined, and those of offset 2 are %s", n, got)
	}
}

// testBoards points at a cell of a board: the page names the holder of the element and the register, and outlines all
// elements of the thread. An index can be typed.
func testBoards(t *testing.T, b *browsertest.Browser) {
	p, err := tiles(t, "mma.m16n8k16.f16:A")
	b.Open(t, address(t, page(t, p, err)))
	b.Mouse("mouseMoved", `rect[data-i="9,12"]`)
	wantStatus(t, b, "a fragment", "index [9, 12] ↔ lane 6, value 6 = a6, register 3 bits 0-15")
	if n := b.Text(`document.querySelectorAll(".here, .twin").length`); n != "8" {
		t.Errorf("%s elements of a thread are outlined, want 8", n)
	}
	b.Text(`find("0, 1"); ""`)
	wantStatus(t, b, "an index", "index [0, 1] ↔ lane 0, value 1 = a1, register 0 bits 16-31, pinned")
}

// testTexts checks that the text of each cell is inside the cell, as the browser measures it. One page shows the
// pictures of all others, because it takes longer to open a page than to draw it.
func testTexts(t *testing.T, b *browsertest.Browser) {
	all := map[string]*draw.Picture{}
	add := func(name string, p *draw.Picture, err error) {
		if err != nil {
			t.Fatal(err)
		}
		all[name] = p
	}
	for name, s := range screens(t) {
		p, err := s.picture()
		add(name, p, err)
	}
	for _, name := range []string{"mma.m16n8k16.f16:A", "v_mfma_f32_32x32x8f16:C", "wgmma.m64n128k16.f16:C"} {
		p, err := tiles(t, name)
		add(name, p, err)
	}
	for _, tt := range accesses {
		banks, sectors := tt.pictures(t)
		add("banks of "+tt.line, banks, nil)
		add("sectors of "+tt.line, sectors, nil)
	}
	p, err := draw.Tensor(layouttest.Tensor(t, "2x3"), options())
	b.Open(t, address(t, page(t, p, err)))
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if i%layouttest.Step() != 0 {
			continue
		}
		p := all[name]
		other, err := json.Marshal(string(page(t, p, nil)))
		if err != nil {
			t.Fatal(err)
		}
		got := b.Text(`(() => {
			const other = new DOMParser().parseFromString(` + string(other) + `, "text/html");
			document.getElementById("view").replaceChildren(other.querySelector("#view svg"));
			const texts = [...document.querySelectorAll("#view rect[data-o] + text:not(.m)")];
			return texts.length + " texts " + texts.filter((text) => {
				const [t, c] = [text.getBBox(), text.previousElementSibling.getBBox()];
				return t.width === 0 || t.x < c.x || t.x + t.width > c.x + c.width;
			}).map((text) => text.textContent).join(" ");
		})()`)
		texts := 0
		var svg bytes.Buffer
		if err := p.SVG(&svg); err != nil {
			t.Fatal(err)
		}
		for _, c := range parse(t, svg.Bytes()).cells {
			if c.text != "" {
				texts++
			}
		}
		if want := fmt.Sprintf("%d texts ", texts); got != want {
			t.Errorf("%s: texts wider than their cells: %q, want %q", name, got, want)
		}
	}
}

// testFinding types indices and offsets.
func testFinding(t *testing.T, b *browsertest.Browser) {
	const at35 = "index N=1, C=2, H=0, W=3 ↔ offset 1×24 + 2×1 + 0×12 + 3×3 = 35 (byte 70), pinned"
	tests := []struct{ line, typed, want string }{
		{"2x3x2x4 NHWC -t float16", "1,2,0,3", at35},
		{"2x3x2x4 NHWC -t float16", "35", at35},
		{"2x3x2x4 NHWC -t float16", "w=3 n=1",
			"index N=1, C=0, H=0, W=3 ↔ offset 1×24 + 0×1 + 0×12 + 3×3 = 33 (byte 66), pinned"},
		{"2x3 --pitch 0=5", "4", "no element ↔ offset 4 (byte 16), pinned"},
		{"2x3", "2,0", "2,0 is no index of 2x3"},
		{"2x3", "7", "7 is no offset of an element that is drawn"},
		{"2x3", "<b>", "<b> is no index of 2x3"},
		{"1x64x112x112 NHWC", "63,0,1", // a slider moves to it
			"index N=0, C=63, H=0, W=1 ↔ offset 0×802816 + 63×1 + 0×7168 + 1×64 = 127 (byte 508), pinned"},
		{"1x64x112x112 NHWC", "802815",
			"index N=0, C=63, H=111, W=111 ↔ offset 0×802816 + 63×1 + 111×7168 + 111×64 = 802815 (byte 3211260), " +
				"not drawn"},
	}
	for _, tt := range tests {
		o := options()
		o.Cells = 0
		p, err := draw.Tensor(layouttest.Tensor(t, tt.line), o)
		b.Open(t, address(t, page(t, p, err)))
		b.Text(`document.getElementById("where").focus()`)
		b.Call("Input.insertText", map[string]any{"text": tt.typed}, nil)
		b.Click("#find button")
		wantStatus(t, b, tt.line+" "+tt.typed, tt.want)
		if n := b.Text(`document.querySelectorAll("#status b").length`); n != "0" {
			t.Errorf("what was typed became markup")
		}
		for _, fault := range b.Faults {
			t.Errorf("the console has %s", fault)
		}
	}
}

// testSaving saves the picture in both forms, and compares it with the program's own.
func testSaving(t *testing.T, b *browsertest.Browser) {
	for _, theme := range []draw.Theme{draw.Light, draw.Dark} {
		o, directory := options(), t.TempDir()
		o.Theme = theme
		s := single(layouttest.Tensor(t, "2x3x4 DHW --pitch W=5"), o)
		p, err := s.picture()
		b.Open(t, address(t, page(t, p, err)))
		b.Call("Page.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": directory}, nil)
		b.Mouse("mouseMoved", `.grid rect[data-i="0,1,2"]`) // its outline is not saved
		b.Click("#svg")
		b.Click("#png")
		d := parse(t, saved(t, directory+"/layout.svg"))
		if s.check(t, d); len(d.cells) == 0 || d.width == 0 {
			t.Errorf("the SVG has %d cells", len(d.cells))
		}
		img, err := png.Decode(bytes.NewReader(saved(t, directory+"/layout.png")))
		if err != nil {
			t.Fatal(err)
		}
		if size := img.Bounds().Size(); float64(size.X) != 2*d.width || float64(size.Y) != 2*d.height {
			t.Errorf("the PNG has %v pixels", size)
		}
		checkPixels(t, "the page", d, halved{img})
		b.Click("#copy")
		for try := 0; !strings.HasPrefix(status(b), "the command is "); try++ {
			if try == 500 {
				t.Fatalf("a click on copy says %q", status(b))
			}
			time.Sleep(10 * time.Millisecond)
		}
		for _, fault := range b.Faults {
			t.Errorf("the console has %s", fault)
		}
	}
}

// saved waits for a file that a browser writes.
func saved(t *testing.T, path string) []byte {
	t.Helper()
	for range 500 {
		if data, err := os.ReadFile(path); err == nil && len(data) > 0 {
			return data
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("%s is not saved", path)
	return nil
}

// testNarrow checks that the page fits a window of 500 pixels. Only the picture scrolls, to the cell that keys select.
func testNarrow(t *testing.T, b *browsertest.Browser) {
	metrics := map[string]any{"width": 500, "height": 800, "deviceScaleFactor": 1, "mobile": false}
	b.Call("Emulation.setDeviceMetricsOverride", metrics, nil)
	defer b.Call("Emulation.clearDeviceMetricsOverride", nil, nil)
	p, err := draw.Tensor(layouttest.Tensor(t, "2x3x4x4 NHWC"), options())
	b.Open(t, address(t, page(t, p, err)))
	if got := b.Text(`document.documentElement.scrollWidth`); got != "500" {
		t.Errorf("the page is %s wide in a window of 500", got)
	}
	if b.Text(`(({ scrollWidth: a, clientWidth: b }) => a > b)(document.getElementById("view"))`) != "true" {
		t.Errorf("the picture does not scroll")
	}
	b.Text(`svg.focus()`)
	for range 20 {
		b.Press("ArrowRight")
	}
	if b.Text(`(({ left, right }) => left >= 0 && right <= 500)(current.rect.getBoundingClientRect())`) != "true" {
		t.Errorf("the cell that keys chose is out of sight")
	}
}

// testMoves checks the elements of a conversion at several times of their 8 seconds. One of the 12 elements starts
// every 0.4 s, the first at 0.4 s, and arrives after 2 s.
func testMoves(t *testing.T, b *browsertest.Browser) {
	s := pair(conversion, layouttest.Tensor(t, "1x3x2x2 NCHW"), layouttest.Tensor(t, "1x3x2x2 NHWC"),
		draw.Options{Animate: true})
	path := filepath.Join(t.TempDir(), "moves.svg")
	if err := os.WriteFile(path, s.svg(t), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Open(t, "file://"+filepath.ToSlash(path))
	b.Text(`document.documentElement.pauseAnimations()`)
	tests := []struct{ time, seen string }{
		{"0.2", ""}, {"1.4", "0,0,0 0,0,1 0,1,0"}, {"4.1", "1,0,1 1,1,0 1,1,1 2,0,0 2,0,1"}, {"7.7", ""},
	}
	for _, tt := range tests {
		b.Text(`document.documentElement.setCurrentTime(` + tt.time + `)`)
		got := b.Text(`[...document.querySelectorAll(".moving > g")].filter((g) => getComputedStyle(g).opacity === "1")
			.map((g) => g.textContent.trim()).join(" ")`)
		if got != tt.seen {
			t.Errorf("after %s s the elements %q move, want %q", tt.time, got, tt.seen)
		}
	}
	// [0, 1, 0, 1], the sixth, moves from offset 5 to offset 4 between 2.4 s and 4.4 s; its arrow runs where it moves.
	b.Text(`document.documentElement.setCurrentTime(3.4)`)
	got := b.Text(`(() => {
		const places = [...document.querySelectorAll(".strip rect[data-i='0,1,0,1']"),
			document.querySelectorAll(".moving > g > rect")[5]].map((e) => e.getBoundingClientRect());
		const [from, to, now] = places.map((r) => [r.x + r.width / 2, r.y + r.height / 2]);
		const above = document.elementFromPoint(...now).closest(".moving") !== null;
		return Math.abs(now[0] - (from[0] + to[0]) / 2) + Math.abs(now[1] - (from[1] + to[1]) / 2) < 1 && above;
	})()`)
	if got != "true" {
		t.Errorf("half of its time after its start, an element is not half on its way, above all else")
	}
}

// testAccess checks that axe-core has no findings on pages of each kind, if npm has installed it for all users.
func testAccess(t *testing.T, b *browsertest.Browser) {
	themes := [...]draw.Theme{draw.Light, draw.Dark}
	for i, line := range []string{"2x3x2x2 NHWC", "1x64x112x112 NHWC"} {
		o := options()
		o.Cells, o.Theme = 0, themes[i]
		p, err := draw.Tensor(layouttest.Tensor(t, line), o)
		b.Open(t, address(t, page(t, p, err)))
		if !b.WantAccess() {
			t.Skip("axe-core is not installed")
		}
	}
}

// testThemes checks the colours of the palette, light and dark, in the cells and behind them.
func testThemes(t *testing.T, b *browsertest.Browser) {
	p, err := draw.Tensor(layouttest.Tensor(t, "2x3"), options())
	b.Open(t, address(t, page(t, p, err)))
	tests := []struct{ scheme, cell, back string }{
		{"light", "#acc6fd", "#ffffff"}, {"dark", "#1f3752", "#0d1117"},
	}
	for _, tt := range tests {
		features := []map[string]string{{"name": "prefers-color-scheme", "value": tt.scheme}}
		b.Call("Emulation.setEmulatedMedia", map[string]any{"features": features}, nil)
		if got := b.Color(`rect[data-i="0,1"]`); got != tt.cell {
			t.Errorf("%s: a cell of the first row is %s, want %s", tt.scheme, got, tt.cell)
		}
		if got := b.Color("svg"); got != tt.back {
			t.Errorf("%s: the background is %s, want %s", tt.scheme, got, tt.back)
		}
		got := b.Text(`getComputedStyle(document.body).backgroundColor`)
		if white := got == "rgb(255, 255, 255)"; white != (tt.scheme == "light") {
			t.Errorf("%s: the page is %s", tt.scheme, got)
		}
	}
}
