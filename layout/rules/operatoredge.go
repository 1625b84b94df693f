package rules

import "math"

// Edge holds two tensors against the rules of an edge of a DirectML graph, which leads from an
// operator's output to another one's input. Types and sizes may differ: the bytes are the same.
func (c *Checker) Edge(t Target, from, to *Descriptor) {
	if t.Family != DirectML {
		return
	}
	c.target = t
	have, ok := c.total(from)
	need, known := c.total(to)
	if ok && known && have != need && c.broken(GraphEdge) {
		enough := min(max(have, need, c.least(from), c.least(to)), math.MaxInt64-3)
		c.d = to
		c.find(GraphEdge, TotalPart, -1, fixf("give both %d bytes", (enough+3)&^3), "%s has %d bytes and %s has %d: an edge has one total", from.Name, have, to.Name, need)
	}
	c.d = to
	if to.owned() && c.broken(GraphOwned) {
		c.find(GraphOwned, FlagsPart, -1, "leave the flag out", "%s is OWNED_BY_DML, and %s feeds it: only inputs of the graph can", to.Name, from.Name)
	}
}

// least returns how many bytes a tensor needs, whatever it states; 0 where that is not known.
func (c *Checker) least(d *Descriptor) int64 {
	c.d = d
	c.room.measure(d, 0)
	bytes, _ := c.need()
	return bytes
}
