package draw_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/view"
	"layoutcalc/render/draw"
)

// options are those of a picture of which nothing was said.
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

// TestPageIsClosed wants a page that has nothing from outside, and a policy that forbids it.
func TestPageIsClosed(t *testing.T) {
	p, err := draw.Tensor(layouttest.Tensor(t, "2x3x4 DHW"), options())
	text := string(page(t, p, err))
	for _, want := range []string{
		`content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"`,
		"<code>layoutcalc strides &lt;x&gt; &amp; &#39;y&#39;</code>",
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

// TestPageTable wants a row for every element: its index, its offset as the axes of NHWC have it, and its byte.
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

// TestPages tests pages in a real browser.
func TestPages(t *testing.T) {
	b := start(t)
	t.Run("one tensor", func(t *testing.T) { testPage(t, b) })
	t.Run("beyond what is drawn", func(t *testing.T) { testWalks(t, b) })
	t.Run("pairs", func(t *testing.T) { testPairs(t, b) })
	t.Run("themes", func(t *testing.T) { testThemes(t, b) })
}

// testPage moves the mouse, presses keys and pulls sliders.
func testPage(t *testing.T, b *browser) {
	p, err := draw.Tensor(layouttest.Tensor(t, "2x3x2x4 NHWC -t float16"), options())
	b.open(t, page(t, p, err))
	idle := b.status()
	cell := func(part, index string) string { return fmt.Sprintf(`.%s rect[data-i=%q]`, part, index) }

	// [1, 2, 0, 3] of NHWC is at 1x24 + 0x12 + 3x3 + 2 = 35, and 2 bytes each.
	const said = "index N=1, C=2, H=0, W=3 ↔ offset 1×24 + 2×1 + 0×12 + 3×3 = 35 (byte 70)"
	b.mouse("mouseMoved", cell("grid", "1,2,0,3"))
	b.wantStatus("over a grid", said)
	if got := b.text(`document.querySelectorAll(".here, .twin").length`); got != "2" {
		t.Errorf("%s cells are outlined, want one in the grid and one in the strip", got)
	}
	b.mouse("mouseMoved", cell("strip", "1,2,0,3"))
	b.wantStatus("over the strip", said)
	const first = "index N=0, C=1, H=0, W=0 ↔ offset 0×24 + 1×1 + 0×12 + 0×3 = 1 (byte 2)"
	b.click(cell("grid", "0,1,0,0"))
	b.wantStatus("after a click", first+", pinned")
	b.mouse("mouseMoved", cell("grid", "1,2,0,3"))
	b.wantStatus("over another cell", first+", pinned")
	b.press("ArrowRight", "ArrowDown")
	b.wantStatus("after arrow keys", "index N=0, C=1, H=1, W=1 ↔ offset 0×24 + 1×1 + 1×12 + 1×3 = 16 (byte 32), pinned")
	b.press("ArrowLeft", "ArrowUp", "Enter")
	b.wantStatus("after Enter", first)
	b.press("Escape")
	b.wantStatus("after Escape", idle)

	b.text(`(() => { const s = document.querySelector("input[data-axis='1']"); s.focus(); return s.value })()`)
	b.press("ArrowRight", "ArrowRight")
	if got := b.text(`document.querySelectorAll(".grid:not([style*=none])").length`); got != "1" {
		t.Errorf("a slider leaves %s grids", got)
	}
	b.mouse("mouseMoved", cell("grid:not([style*=none])", "0,2,1,1"))
	b.wantStatus("after a slider", "index N=0, C=2, H=1, W=1 ↔ offset 0×24 + 2×1 + 1×12 + 1×3 = 17 (byte 34)")
	b.click("fieldset button")
	if got := b.text(`document.querySelectorAll(".grid:not([style*=none])").length`); got != "6" {
		t.Errorf("the button leaves %s grids of 6", got)
	}
	for _, fault := range b.faults {
		t.Errorf("the console has %s", fault)
	}
}

// testWalks wants a slider to show a grid that was not drawn, with the offsets of the layout.
func testWalks(t *testing.T, b *browser) {
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
		b.open(t, page(t, p, err))
		values := strings.Split(tt.index, ",")
		axis, caption := 1, "C="+values[1]
		if len(values) == 3 {
			axis, caption = 0, "dim 0="+values[0]
		}
		b.text(fmt.Sprintf(`(() => { const s = document.querySelector("input[data-axis='%d']"); s.value = %s;
			s.dispatchEvent(new Event("input")); return "" })()`, axis, values[axis]))
		b.mouse("mouseMoved", fmt.Sprintf(`.grid rect[data-i=%q]`, tt.index))
		b.wantStatus(tt.line, tt.want)
		got := b.text(`document.querySelector(".grid:not([style*=none]) .caption").textContent`)
		if got != caption {
			t.Errorf("%s: the caption is %q, want %q", tt.line, got, caption)
		}
		for _, fault := range b.faults {
			t.Errorf("the console has %s", fault)
		}
	}
}

// testPairs wants a cell of one tensor to outline the same element of the other one: in a conversion by the
// index, in a chain of views by the offset.
func testPairs(t *testing.T, b *browser) {
	from, to := layouttest.Tensor(t, "1x3x2x2 NCHW"), layouttest.Tensor(t, "1x3x2x2 NHWC")
	p, err := draw.Conversion(from, to, options())
	b.open(t, page(t, p, err))
	b.mouse("mouseMoved", `.panel[data-strip="1"] rect[data-i="0,1,1,0"]`)
	b.wantStatus("a conversion", "index N=0, C=1, H=1, W=0 ↔ offset 0×12 + 1×1 + 1×6 + 0×3 = 7 (byte 28)")
	places := func(selector string) string {
		return b.text(fmt.Sprintf(`[...document.querySelectorAll(%q)].
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
	b.open(t, page(t, p, err))
	b.mouse("mouseMoved", `.panel rect[data-i="0,2"]`)
	got = b.text(`[...document.querySelectorAll("rect[data-o='2']")].map((r) => r.dataset.i).join(" ")`)
	if n := b.text(`document.querySelectorAll(".here, .twin").length`); n != "3" || got != "0,2 2,0 0,2" {
		t.Errorf("%s cells are outlined, and those of offset 2 are %s", n, got)
	}
}

// testThemes wants the colours of the palette, light and dark, in the cells and behind them.
func testThemes(t *testing.T, b *browser) {
	p, err := draw.Tensor(layouttest.Tensor(t, "2x3"), options())
	b.open(t, page(t, p, err))
	tests := []struct{ scheme, cell, back string }{
		{"light", "#acc6fd", "#ffffff"}, {"dark", "#1f3752", "#0d1117"},
	}
	for _, tt := range tests {
		features := []map[string]string{{"name": "prefers-color-scheme", "value": tt.scheme}}
		b.call("Emulation.setEmulatedMedia", map[string]any{"features": features}, nil)
		if got := b.color(`rect[data-i="0,1"]`); got != tt.cell {
			t.Errorf("%s: a cell of the first row is %s, want %s", tt.scheme, got, tt.cell)
		}
		if got := b.color("svg"); got != tt.back {
			t.Errorf("%s: the background is %s, want %s", tt.scheme, got, tt.back)
		}
		got := b.text(`getComputedStyle(document.body).backgroundColor`)
		if white := got == "rgb(255, 255, 255)"; white != (tt.scheme == "light") {
			t.Errorf("%s: the page is %s", tt.scheme, got)
		}
	}
}
