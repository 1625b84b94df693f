package draw

import (
	_ "embed"
	"fmt"
	"strings"
)

// pictureStyle has the rules without colours.
//
//go:embed picture.css
var pictureStyle string

// A palette has the colours of a theme.
type palette struct {
	tints                            [tints]string
	text, muted, back, border, frame string
	hatch, mark, block, blank        string
}

var (
	light = palette{
		tints: [tints]string{
			"#cfe3f7", "#fbe0c3", "#d3ecd0", "#f7d3de", "#e2d8f3", "#f6efb8", "#c9ebe9", "#e6e6e6",
		},
		text: "#1f2328", muted: "#57606a", back: "#ffffff", border: "#8c959f", frame: "#57606a",
		hatch: "#b6bdc4", mark: "#cf222e", block: "#1f2328", blank: "#f6f8fa",
	}
	dark = palette{
		tints: [tints]string{
			"#1d4166", "#6b4310", "#21522a", "#6e2440", "#463273", "#5f560d", "#155452", "#4a4a4a",
		},
		text: "#f0f6fc", muted: "#9198a1", back: "#0d1117", border: "#656c76", frame: "#9198a1",
		hatch: "#3d444d", mark: "#ff7b72", block: "#f0f6fc", blank: "#151b23",
	}
)

// style returns the style sheet of a theme, with two palettes if the viewer chooses. It has no variables, as librsvg
// does not know them.
func (t Theme) style() string { return pictureStyle + t.rules((*palette).style) }

// rules returns rules with the colours of the theme: of both palettes if the viewer chooses.
func (t Theme) rules(of func(*palette) string) string {
	switch t {
	case Light:
		return of(&light)
	case Dark:
		return of(&dark)
	}
	return of(&light) + "@media (prefers-color-scheme:dark){\n" + of(&dark) + "}\n"
}

// style returns the rules with colours.
func (p *palette) style() string {
	var b strings.Builder
	fmt.Fprintf(&b, "text{fill:%s}\n.m,text.fd{fill:%s}\nrect{stroke:%s}\n", p.text, p.muted, p.border)
	for i, tint := range p.tints {
		fmt.Fprintf(&b, ".%c{fill:%s}\n", 'a'+i, tint)
	}
	fmt.Fprintf(&b, ".n,.u{fill:%s}\n.z{fill:%s}\n.o{stroke:%s}\n.j,.i{stroke:%s}\n.q{stroke:%s}\n",
		p.blank, p.back, p.frame, p.block, p.mark)
	fmt.Fprintf(&b, ".w{stroke:%s}\n.v{fill:%s}\n.k{stroke:%s}\n", p.muted, p.muted, p.hatch)
	return b.String()
}
