package rules

import (
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// The rules for the edges of DirectML graphs.
var (
	GraphEdge  = &finding.Rule{Name: "graph-edge", Severity: finding.Error, Family: finding.DirectML}
	GraphOwned = &finding.Rule{Name: "graph-owned", Severity: finding.Error, Family: finding.DirectML}
)

// Edge checks two tensors by the rules for an edge of a DirectML graph, from the output of an operator to the input of
// another. Types and sizes may differ, because the bytes are the same.
func (c *Checker) Edge(t descriptor.Target, from, to *descriptor.Descriptor) {
	if t.Family != finding.DirectML {
		return
	}
	c.target = t
	have, ok := c.total(from)
	need, known := c.total(to)
	if ok && known && have != need {
		enough := roundedUp(max(have, need, c.least(from), c.least(to)), 4)
		c.d = to
		c.Report(GraphEdge, c.d.At(descriptor.TotalPart, -1), "give both "+wording.Count(enough, "byte"),
			"%s has %s and %s has %d: an edge has one total", from.Name, wording.Count(have, "byte"), to.Name, need)
	}
	c.d = to
	if to.Owned() {
		c.Report(GraphOwned, c.d.At(descriptor.FlagsPart, -1), "remove the flag",
			"%s is OWNED_BY_DML, and %s feeds it: only inputs of the graph can", to.Name, from.Name)
	}
}
