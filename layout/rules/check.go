package rules

// Check holds a descriptor against the rules of a target that concern it alone: those that hold
// everywhere, and those of the target's family.
func (c *Checker) Check(t Target, d *Descriptor) {
	c.target, c.d = t, d
	c.room.measure(d, c.base())
	c.checkType()
	c.checkCounts()
	c.checkSizes()
	c.checkStrides()
	c.checkReach()
	c.checkTotal()
	c.checkAlignment()
	c.checkStorage()
	switch t.Family {
	case DirectML:
		c.checkFlags()
		c.checkOffset()
	case OneDNN:
		c.checkOneDNN()
	case TMA:
		c.checkTMA()
	case Mdspan:
		c.checkMdspan()
	case PyTorch:
		c.checkPyTorch()
	}
}

// directML reports whether DirectML's own rules hold.
func (c *Checker) directML() bool { return c.target.Family == DirectML }

// base is the storage offset. DirectML's descriptors have none: all that they say counts from
// where the buffer is bound.
func (c *Checker) base() int64 {
	if c.directML() {
		return 0
	}
	return c.d.Base
}

// bits is the size of an element, 0 where that is not known.
func (c *Checker) bits() int64 {
	if !c.d.TypeKnown {
		return 0
	}
	return c.d.Type.Bits()
}

// broken is wants for a rule with its own severity. It goes before what takes more than a number
// to say.
func (c *Checker) broken(id ID) bool { return c.wants(id, all[id].Severity) }
