package onnx

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// operatorText lists the operators in ONNX's domains, according to its changelogs; testdata/operators.py writes it. A
// line has a name, the first operator set that has it, and the first that no longer has it, or 0. The operators of a
// domain follow a line with its name and its newest set.
//
//go:embed operators.txt
var operatorText string

// operatorSets are the operators of a domain.
type operatorSets struct {
	newest int64
	ranges map[string][][2]int64 // by the names of operators
}

// operatorTable returns the operators of each checked domain. The empty domain is ONNX's own.
var operatorTable = sync.OnceValue(func() map[string]*operatorSets {
	table := map[string]*operatorSets{}
	var sets *operatorSets
	for line := range strings.Lines(operatorText) {
		var name string
		var from, until int64
		if _, err := fmt.Sscan(line, &name, &from, &until); err != nil {
			panic(err) // the text is part of the program
		}
		if strings.HasPrefix(name, ownDomain) {
			sets = &operatorSets{from, map[string][][2]int64{}}
			table[strings.TrimSuffix(name, ownDomain)] = sets
			continue
		}
		sets.ranges[name] = append(sets.ranges[name], [2]int64{from, until})
	}
	return table
})

// runtimeOperators are operators without a domain that ONNX Runtime supports, but that ONNX does not have, at least not
// in all of these sets.
var runtimeOperators = [...]string{
	"ATen", "Affine", "Crop", "DynamicSlice", "GRUUnit", "GivenTensorFill", "ImageScaler", "LayerNormalization",
	"ParametricSoftplus", "Scale", "ScaledTanh", "SimplifiedLayerNormalization",
}

// operators checks that the operator set that the model imports has the operators of its nodes. It skips functions of
// the model, and operators of other domains.
func (c *checker) operators() {
	for _, domain := range [...]string{"", "ai.onnx.ml"} {
		sets := operatorTable()[domain]
		if sets == nil {
			continue
		}
		version := c.m.versionOf(domain)
		if version > sets.newest {
			c.ReportAs(onnxOpset, finding.Note, c.on(""), "",
				"operators are not checked: the set %d is newer than %d, the newest that is known here", version,
				sets.newest)
			continue
		}
		for _, op := range c.m.inOrder() {
			if op.Domain == domain && version > 0 && !c.m.functions[op] {
				c.about = c.m.firstNodes[op]
				c.operator(op.Name, version, sets)
			}
		}
	}
}

// inOrder returns the operators of the model's own graphs in the order of their first nodes.
func (m *Model) inOrder() []Operator {
	return slices.SortedFunc(maps.Keys(m.firstNodes), func(a, b Operator) int {
		return cmp.Compare(m.firstNodes[a].From, m.firstNodes[b].From)
	})
}

// operator checks that a set of operators has an operator.
func (c *checker) operator(name string, version int64, sets *operatorSets) {
	ranges := sets.ranges[name]
	isIn := func(r [2]int64) bool { return r[0] <= version && (version < r[1] || r[1] == 0) }
	if slices.ContainsFunc(ranges, isIn) {
		return
	}
	severity, node := finding.Error, c.m.nodeAt(c.m.Graph, c.about)
	if slices.Contains(runtimeOperators[:], name) {
		severity = finding.Warning // it runs there, and onnx.checker rejects it
	}
	switch {
	case ranges == nil:
		fix := ""
		if !c.Full(onnxOperator) {
			fix = wording.DidYouMean(name, slices.Sorted(maps.Keys(sets.ranges)), "")
		}
		c.ReportAs(onnxOperator, severity, c.on(""), fix, "%s: ONNX has no operator %s", node, wording.Quote(name))
	case version < ranges[0][0]:
		c.ReportAs(onnxOperator, severity, c.on(""), fmt.Sprintf("import the set %d or a newer one", ranges[0][0]),
			"%s: %s is an operator since the set %d, and the model imports %d", node, name, ranges[0][0], version)
	default:
		c.ReportAs(onnxOperator, severity, c.on(""), "",
			"%s: %s is not an operator any more since set %d, and the model imports %d", node, name,
			ranges[len(ranges)-1][1], version)
	}
}

// versionOf returns the version of a domain's operator set that the model imports, or 0 if it does not import one.
func (m *Model) versionOf(domain string) int64 {
	for _, set := range m.Opsets {
		if set.Domain == domain || domain == "" && set.Domain == ownDomain {
			return set.Version
		}
	}
	return 0
}
