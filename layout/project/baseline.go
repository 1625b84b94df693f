package project

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
)

// A Baseline is the known findings of a project, by fingerprint. A check ignores each as often as it occurs in the
// baseline.
type Baseline struct {
	known    map[string]*Known
	spelling map[string]string // paths by their lower case; nil until it is needed
}

// A Known is a known finding, with the number of its occurrences.
type Known struct {
	Rule, Path, Tensor, Key string
	Count                   int
	ID                      string // the fingerprint

	left int // the number of occurrences that have not been found yet
}

// NewBaseline returns a Baseline without findings.
func NewBaseline() *Baseline { return &Baseline{known: map[string]*Known{}} }

// Add records a finding as known. The path of its file is relative to the directory of the baseline.
func (b *Baseline) Add(path string, f *finding.Finding) {
	id := f.Fingerprint(path)
	k := b.known[id]
	if k == nil {
		k = &Known{Rule: f.Rule.String(), Path: path, Tensor: f.Tensor, Key: f.Pointer, ID: id}
		b.known[id] = k
	}
	k.Count++
}

// Has reports whether a finding is known. If there are more findings than the baseline counts, the first ones are
// known.
func (b *Baseline) Has(path string, f *finding.Finding) bool {
	k := b.known[f.Fingerprint(path)]
	if k == nil || k.left == 0 {
		return false
	}
	k.left--
	return true
}

// Stale returns the known findings in checked files that were not found again, in the order of their paths.
func (b *Baseline) Stale(checked func(path string) bool) (stale []*Known) {
	for _, k := range b.All() {
		if k.left > 0 && checked(k.Path) {
			stale = append(stale, k)
		}
	}
	return stale
}

// All returns the known findings, in the order of paths, rules, tensors and keys.
func (b *Baseline) All() []*Known {
	var all []*Known
	for _, k := range b.known {
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b *Known) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Rule, b.Rule),
			strings.Compare(a.Tensor, b.Tensor), strings.Compare(a.Key, b.Key), strings.Compare(a.ID, b.ID))
	})
	return all
}

// ReadBaseline reads the JSON of a baseline. The error is a [*lexer.SyntaxError] that points at the problem.
func ReadBaseline(data []byte) (*Baseline, error) {
	var t doctree.Tree
	fail := func(at int, format string, args ...any) error {
		return &lexer.SyntaxError{Input: string(data), Offset: at, Msg: fmt.Sprintf(format, args...),
			Hint: "write one with --write-baseline"}
	}
	if err := t.JSON(data); err != nil {
		if fault, ok := err.(*doctree.Fault); ok {
			return nil, fail(fault.Offset, "%s", fault.Msg)
		}
		return nil, err
	}
	findings, ok := t.Root().Get("findings")
	if !ok || number(t.Root(), "version") != 1 || findings.Kind() != doctree.Array {
		return nil, fail(t.Start(), "this is not a baseline of version 1")
	}
	b := NewBaseline()
	for v := range findings.Items {
		k := &Known{Rule: text(v, "rule"), Path: text(v, "path"), Tensor: text(v, "tensor"), Key: text(v, "key"),
			ID: text(v, "id")}
		n := number(v, "count")
		if n < 1 || n > math.MaxInt32 || k.ID == "" || b.known[k.ID] != nil {
			return nil, fail(v.Offset(), "a finding of a baseline has a count and an id of its own")
		}
		k.Count, k.left = int(n), int(n)
		b.known[k.ID] = k
	}
	return b, nil
}

// number returns the value of a member that is an integer, and otherwise 0.
func number(v doctree.Value, name string) int64 {
	m, ok := v.Get(name)
	if !ok {
		return 0
	}
	n, _ := m.Int()
	return n
}

// text returns the value of a member that is a string, and otherwise an empty string.
func text(v doctree.Value, name string) string {
	if m, ok := v.Get(name); ok && m.Kind() == doctree.String {
		return m.Text()
	}
	return ""
}
