package finding

import (
	"bytes"
	"cmp"
	"slices"
)

// An Edit replaces bytes of a text.
type Edit struct {
	Span
	Text string
}

// Repaired is a subject with the edits that mend a finding about it. Those of a derived value are for when nothing else
// is wrong with the tensor, from which the value follows.
type Repaired struct {
	Subject
	Edits   []Edit
	Derived bool
}

// About implements [Subject].
func (r Repaired) About(f *Finding) {
	r.Subject.About(f)
	f.Edits, f.Derived = r.Edits, r.Derived
}

// Doubt takes the edits of derived values from the findings about tensors with which something else is wrong, from all
// if there are more findings than these.
func Doubt(findings []*Finding, more bool) {
	wrong := map[string]bool{}
	for _, f := range findings {
		if f.Severity > Note && !f.Derived {
			wrong[f.Tensor] = true
		}
	}
	for _, f := range findings {
		if f.Derived && (more || wrong[f.Tensor]) {
			f.Edits = nil
		}
	}
}

// A piece is an edit, with the number of the finding that wants it.
type piece struct {
	Edit
	of int
}

// Mend carries out the edits of findings in a text. Findings are mended whole or not at all: not those whose edits
// touch that of another one, unless both want the same. It returns how many are mended.
func Mend(text []byte, findings []*Finding) (mended []byte, n int) {
	var pieces []piece
	for i, f := range findings {
		for _, e := range f.Edits {
			pieces = append(pieces, piece{e, i})
		}
		if len(f.Edits) > 0 {
			n++
		}
	}
	slices.SortFunc(pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Text, b.Text), a.of-b.of)
	})
	left := map[int]bool{} // the findings that are not mended
	last, at := Edit{}, int64(0)
	for _, p := range pieces {
		switch {
		case p.Edit == last:
		case p.From >= at && p.From <= p.To && p.To <= int64(len(text)):
			last, at = p.Edit, p.To
		default:
			left[p.of] = true
		}
	}
	var out bytes.Buffer
	last, at = Edit{}, 0
	for _, p := range pieces {
		if !left[p.of] && p.Edit != last {
			out.Write(text[at:p.From])
			out.WriteString(p.Text)
			last, at = p.Edit, p.To
		}
	}
	out.Write(text[at:])
	return out.Bytes(), n - len(left)
}
