// Package expect holds the expectations of a layoutcalc configuration about tensors and files, and checks them.
//
// Package manifest reads a [Config], and [Config.Check] reports what differs. Each kind of expectation has a file with
// its types, its rules and its checks:
//
//   - tensor.go has the expectations of a single tensor: its type, sizes, layout, bytes and rows.
//   - file.go has the expectations of a whole file.
//   - graph.go has edges between tensors, and budgets of several tensors.
//   - artefact.go compares a tensor with the file that it names, and fills in what the configuration omits.
//
// It opens no files.
package expect

import (
	"strconv"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/rules"
)

// A Config is the part of a configuration that relates its tensors, and has expectations about tensors and files. It
// implements [descriptor.Expectations].
type Config struct {
	Tensors      []descriptor.Descriptor
	Expectations []Tensor
	Files        []File
	Edges        []Edge
	Budgets      []Budget
}

// Rules are the rules of this package.
var Rules = []*finding.Rule{
	ExpectLayout, ExpectPacked, ExpectMaxBytes, ExpectStrides, ExpectSameAs, ExpectDType, ExpectRank, ExpectSizes,
	ExpectDivisible, ExpectBytes, ExpectRowPitch, ExpectRowAlign, ExpectBaseAlign, ExpectOpen, ExpectFileBytes,
	ExpectParameters, ExpectOpset, ExpectIRVersion, ExpectOperators, ExpectInterface, ExpectExternalData,
	BudgetMaxBytes, EdgeMismatch, ArtefactMissing, ArtefactTensor, ArtefactDType, ArtefactSizes, ArtefactBytes,
	ArtefactLayout,
}

// A configCheck is the check of a configuration.
type configCheck struct {
	*Config
	*rules.Checker
	target  descriptor.Target
	tensors *descriptor.Tensors
	named   map[string]sizeOf // the sizes of named open sizes
}

// A sizeOf is the size that a name stands for, and the tensor that it was taken from.
type sizeOf struct {
	size   string // a number, or open
	tensor string
}

// Len returns the number of tensors and files.
func (config *Config) Len() int { return len(config.Tensors) + len(config.Files) }

// Check compares the tensors with their operators and with the expectations. It does not report consequences of errors
// that have been reported.
func (config *Config) Check(t descriptor.Target, r *finding.Reporter, tensors *descriptor.Tensors) {
	g := configCheck{config, rules.NewCheckerOf(r, tensors), t, tensors, map[string]sizeOf{}}
	for i := range config.Tensors {
		if d := &config.Tensors[i]; d.Open == nil {
			g.Slot(t, d)
		}
	}
	for i := range g.Expectations {
		x := &g.Expectations[i]
		e := tensorCheck{Tensor: x, configCheck: &g, d: &g.Tensors[x.Index]}
		e.statement()
		if e.d.Open != nil {
			e.undecided()
			continue
		}
		var err error
		if e.have, err = g.tensors.Stated(e.d); err == nil {
			e.check()
		}
	}
	for i := range g.Files {
		fileCheck{&g.Files[i], &g}.check()
	}
	sums := map[*Group]*groupSum{}
	for i := range g.Budgets {
		b := &g.Budgets[i]
		if sums[b.Group] == nil {
			sums[b.Group] = g.sum(b.Group)
		}
		g.budget(b, sums[b.Group])
	}
	for i := range g.Edges {
		g.edge(&g.Edges[i])
	}
}

// Places locates the keys of an expectation.
type Places interface {
	// Place returns the position of a key of the expectation, or of an item of the key unless item is negative.
	Place(key string, item int) finding.Place
}

// A placeOf is the position of a key of an expectation, or of an item of the key unless item is negative.
type placeOf struct {
	places Places
	key    string
	item   int
}

// Place implements [finding.Locator].
func (p placeOf) Place() finding.Place { return p.places.Place(p.key, p.item) }

// A Range is the numbers from Min to Max. Either limit may be missing.
type Range struct{ Min, Max descriptor.Number }

// Exactly returns the Range of one number.
func Exactly(n int64) Range { return Range{descriptor.Stated(n), descriptor.Stated(n)} }

// Stated reports whether the Range has a limit.
func (r Range) Stated() bool { return r.Min.Stated || r.Max.Stated }

// Has reports whether n is in the Range.
func (r Range) Has(n int64) bool {
	return !(r.Min.Stated && n < r.Min.Value || r.Max.Stated && n > r.Max.Value)
}

// String returns the range in words: 3, at most 3, at least 3, 3 to 5.
func (r Range) String() string {
	switch {
	case !r.Min.Stated:
		return "at most " + strconv.FormatInt(r.Max.Value, 10)
	case !r.Max.Stated:
		return "at least " + strconv.FormatInt(r.Min.Value, 10)
	case r.Min != r.Max:
		return strconv.FormatInt(r.Min.Value, 10) + " to " + strconv.FormatInt(r.Max.Value, 10)
	}
	return strconv.FormatInt(r.Min.Value, 10)
}
