package draw

import "io"

// HTML writes the picture as a page.
func (p *Picture) HTML(w io.Writer) error { return p.SVG(w) }
