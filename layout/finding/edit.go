package finding

import (
	"bytes"
	"cmp"
	"slices"
)

// An Edit replaces bytes of a file.
type Edit struct {
	Span
	Text string
}

// Repaired is a subject with the edits that fix a finding about it. If Derived is set, the edits change a value that is
// derived from other values of the tensor, and they are valid only if nothing else is wrong with the tensor.
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

// Doubt checks the edits of derived values. If another finding about the tensor has edits, they wait for these edits.
// Doubt removes them if another finding has no edits, or if there are more findings than these.
func Doubt(findings []*Finding, more bool) {
	changes, wrong := map[string]bool{}, map[string]bool{}
	for _, f := range findings {
		switch {
		case f.Derived:
		case len(f.Edits) > 0:
			changes[f.Tensor] = true
		case f.Severity > Note:
			wrong[f.Tensor] = true
		}
	}
	for _, f := range findings {
		if f.Derived && (more || wrong[f.Tensor]) {
			f.Edits = nil
		}
		f.Waits = len(f.Edits) > 0 && f.Derived && changes[f.Tensor]
	}
}

// Settled returns the number of findings whose edits waited, and that are not among the findings after the edits that
// they waited for.
func Settled(before, after []*Finding) (n int) {
	type about struct {
		rule   *Rule
		tensor string
	}
	remain := map[about]bool{}
	for _, f := range after {
		remain[about{f.Rule, f.Tensor}] = true
	}
	for _, f := range before {
		if f.Waits && !remain[about{f.Rule, f.Tensor}] {
			n++
		}
	}
	return n
}

// A piece is an edit, with the index of its finding.
type piece struct {
	Edit
	of int
}

// Fix applies the edits of findings to text, except edits that wait. Each finding is fixed completely or not at all. A
// finding is not fixed if one of its edits touches an edit of another finding, unless the two edits are equal. It
// returns the number of fixed findings.
func Fix(text []byte, findings []*Finding) (fixed []byte, n int) {
	var pieces []piece
	for i, f := range findings {
		if f.Waits || len(f.Edits) == 0 {
			continue
		}
		n++
		for _, e := range f.Edits {
			pieces = append(pieces, piece{e, i})
		}
	}
	slices.SortFunc(pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Text, b.Text), a.of-b.of)
	})
	left := map[int]bool{} // the findings that are not fixed
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
