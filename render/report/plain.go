package report

// A plain report has one line a finding, and nothing else.
type plain struct{}

func (plain) begin(out) {}

func (plain) file(out, string) {}

func (plain) finding(o out, f *Finding) {
	if at := place(f); at != "" {
		o.text(at, " ")
	}
	o.text(f.Severity.String(), ": ", said(f), " [", f.Rule.String(), "]\n")
}

func (plain) end(out, *Summary) {}
