package render

import "layoutcalc/layout/shape"

// An Image is the planes of an image, with the location of each, and the bytes of all.
type Image struct{ *shape.Image }

func (a Image) plain(p *Printer) { p.w.Line(text(a.Bytes)) }

func (a Image) tree() Object {
	planes := []Object{}
	for _, p := range a.Planes {
		planes = append(planes, Object{
			{"name", p.Name}, {"offset", p.Offset}, {"width", p.Width}, {"rows", p.Height}, {"pitch", p.Pitch},
			{"bytes", p.Bytes}, {"tensor", later(p.Tensor)},
		})
	}
	return Document("size", Field{"format", a.Format.Name}, Field{"width", a.Width}, Field{"height", a.Height},
		Field{"for", func() any {
			if a.For == nil {
				return nil
			}
			return a.For.Name()
		}},
		Field{"bytes", a.Bytes}, Field{"planes", planes})
}

// records returns a row for each plane, and one for all if there are several.
func (a Image) records(_ *Printer) grid {
	g := grid{header: []string{"plane", "offset", "width", "rows", "pitch", "bytes"}, left: []int{0}}
	for _, p := range a.Planes {
		g.rows = append(g.rows, []string{
			p.Name, text(p.Offset), text(p.Width), text(p.Height), text(p.Pitch), text(p.Bytes),
		})
	}
	if len(a.Planes) > 1 {
		g.rows = append(g.rows, []string{"all", "", "", "", "", text(a.Bytes)})
	}
	return g
}

func (a Image) page(p *Printer) {
	title := Group(a.Width) + " × " + Group(a.Height) + " · " + p.palette.Title(a.Format.Name) + " · " + a.Format.Type
	if a.For != nil {
		title += " · for " + a.For.System.Title()
	}
	p.paragraph(p.inBytes(a.Bytes, ""), "", title, "")
	p.table(p.withUnits(a.records(p)))
	p.paragraph("", "offset, pitch and bytes count bytes; --tensor "+a.Planes[len(a.Planes)-1].Name+" chooses a plane")
}
