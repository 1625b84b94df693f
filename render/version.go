package render

// A Build is what the program knows of its own making.
type Build struct {
	Version  string
	Commit   string // empty when unknown
	Modified bool   // the commit was not all
	Go       string
	Platform string
}

// Version writes what the program knows of its own making.
func (p *Printer) Version(b Build) error { return p.print(versionAnswer(b)) }

type versionAnswer Build

func (a versionAnswer) plain(p *Printer) { p.w.line(a.Version) }

func (a versionAnswer) tree() object {
	return document("version",
		field{"version", a.Version},
		field{"commit", orNull(a.Commit, a.Commit != "")},
		field{"modified", a.Modified},
		field{"go", a.Go},
		field{"platform", a.Platform},
	)
}

func (a versionAnswer) records() grid {
	return grid{header: []string{"version", "commit", "go", "platform"}, rows: [][]string{{a.Version, a.Commit, a.Go, a.Platform}}}
}

func (a versionAnswer) page(_ *Printer, s sheet) {
	line := "layoutcalc " + a.Version + " (" + a.Go + ", " + a.Platform
	if a.Commit != "" {
		line += ", commit " + a.Commit[:min(len(a.Commit), 12)]
	}
	if a.Modified {
		line += " with changes"
	}
	s.paragraph(line + ")")
}
