package shape

import "slices"

// axisOf returns the axis of a flag, and adds a note if the flag does not name it. Without a name, --pitch and --align
// apply to the distance between rows, and --pad to the end of each row, which is along the axis inside it in memory.
func (p *plan) axisOf(flag string, n AxisNumber, names []string) (int, error) {
	if n.axis.name != "" {
		return n.axis.Find(flag, names)
	}
	axis, other := p.row()
	switch typed := n.axis.text; {
	case axis < 0:
		return 0, n.axis.fail("", "%s without an axis is about rows, and a tensor of one axis has none", flag)
	case other >= 0:
		return 0, n.axis.fail(flag+" "+names[axis]+"="+typed+", or "+flag+" "+names[other]+"="+typed,
			"rows can be along %s or %s here: the axis is missing", names[axis], names[other])
	}
	if flag == "--pad" {
		axis = p.memory[slices.Index(p.memory, axis)+1]
	}
	p.assumed = append(p.assumed, flag+" "+n.axis.text+" is read as "+flag+" "+names[axis]+"="+n.axis.text)
	return axis, nil
}

// row returns the axis that counts rows, so that its stride is the distance between them: H of images, and otherwise
// the second-to-last axis. Other is another axis that could be meant. Each may be -1.
func (p *plan) row() (axis, other int) {
	if len(p.sizes) < 2 {
		return -1, -1
	}
	axis, other = rowOf(p.names), p.memory[len(p.memory)-2]
	if h, w := heightOf(p.names); h >= 0 {
		if other = -1; slices.Index(p.memory, w) < slices.Index(p.memory, h) {
			other = w
		}
	}
	if axis == other {
		other = -1
	}
	return axis, other
}

// lead sets the stride of the outer axis of a matrix to its leading dimension.
func (p *plan) lead(s *Spec) error {
	if s.Lead == nil {
		return nil
	}
	if len(p.sizes) != 2 || len(p.blocks) > 0 {
		return s.Lead.fail("--pitch AXIS=N sets the stride of any axis",
			"--ld is the leading dimension of a matrix: a tensor of 2 axes without blocks")
	}
	lead := *s.Lead
	lead.least = true
	n, err := lead.Elements(p.dtype)
	r, inner := &p.rules[p.memory[0]], p.sizes[p.memory[1]]
	switch {
	case err != nil:
	case n < max(inner, 1):
		err = s.Lead.fail("", "the leading dimension is at least %d here, the size of the inner axis", max(inner, 1))
	case *r != rule{}:
		err = s.Lead.fail("", "--ld, --pitch, --align and --pad cannot all change the outer axis")
	}
	r.pitch = n
	return err
}
