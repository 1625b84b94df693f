package input

import (
	"layoutcalc/layout/kernel"
	"layoutcalc/layout/notation"
)

// kernel tests whether the input is a kernel source that defines the requested tensor.
func (c *candidate) kernel() reader {
	if c.options.Tensor == "" || c.options.From != nil && c.options.From.Name != "cute" {
		return nil
	}
	s := kernel.Parse(string(c.Data), c.options.Given)
	if s == nil || !s.Has(c.options.Tensor) {
		return nil
	}
	return func(c *candidate) error { return c.readKernel(s, c.options.Tensor) }
}

// readKernel reads the layout of a name in a source, or the only one.
func (c *candidate) readKernel(s *kernel.Source, name string) error {
	o := kernel.Options{DType: c.options.DType, Typed: c.options.Typed, Given: c.options.Given}
	found, err := s.Resolve(name, o, kernel.Layout)
	if err != nil {
		return err
	}
	d, err := found.Tensor(c.options.Options)
	if err != nil {
		return err
	}
	c.isKernel, c.Kind, c.found = true, Notation, []notation.Descriptor{d}
	return nil
}

// onlyKernel reads a kernel source after notations failed with err. It reads the only layout in the source. If there
// are several, the error lists their names.
func (c *candidate) onlyKernel(err error) error {
	if c.options.From != nil || c.isTrial {
		return err
	}
	s := kernel.Parse(string(c.Data), c.options.Given)
	if s == nil {
		return err
	}
	wrong := c.readKernel(s, c.options.Tensor)
	if wrong == nil || kernel.IsQuestion(wrong) || c.options.Tensor != "" && s.HasLayouts() {
		return wrong
	}
	return err
}
