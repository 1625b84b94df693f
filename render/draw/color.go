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
			"#acc6fd", "#f4d9a5", "#d6fbd1", "#eeb9b2", "#ffd5ff", "#ecf99b", "#91cad1", "#f1f0f1",
		},
		text: "#1f2328", muted: "#57606a", back: "#ffffff", border: "#8c959f", frame: "#57606a",
		hatch: "#b6bdc4", mark: "#cf222e", block: "#1f2328", blank: "#f6f8fa",
	}
	dark = palette{
		tints: [tints]string{
			"#1f3752", "#6d3f17", "#335b3a", "#582e3c", "#374081", "#383118", "#086879", "#5d5d5d",
		},
		text: "#f0f6fc", muted: "#9198a1", back: "#0d1117", border: "#656c76", frame: "#9198a1",
		hatch: "#3d444d", mark: "#ff7b72", block: "#f0f6fc", blank: "#151b23",
	}
)

// style returns the style sheet of a theme, with two palettes if the viewer chooses. It has no variables, because
// librsvg does not support them.
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
	fmt.Fprintf(&b, ".n,.u{fill:%s}\n.z{fill:%s}\n.o,.by{stroke:%s}\n.j,.i{stroke:%s}\n.q{stroke:%s}\n",
		p.blank, p.back, p.frame, p.block, p.mark)
	fmt.Fprintf(&b, ".w,.st{stroke:%s}\n.v{fill:%s}\n.k{stroke:%s}\n", p.muted, p.muted, p.hatch)
	return b.String()
}
