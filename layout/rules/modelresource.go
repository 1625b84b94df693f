package rules

import "fmt"

// resource reports what is wrong with a resource, given what binds it.
func (c *Checker) resource(r *Resource, u *use) {
	if !u.used {
		if c.broken(ResourceUnused) {
			c.findAt(ResourceUnused, Note, r.At, "", "no command or dispatchable uses "+quoted(r.Name), "")
		}
	}
	c.resourceSize(r, u)
	if u.typed != nil && c.broken(ResourceDType) {
		c.findAt(ResourceDType, Note, r.At, u.typed.Name, fmt.Sprintf("the initial values of %s are %s, and the tensor is %s",
			quoted(r.Name), r.Type.Info().DirectML, u.typed.Type.Info().DirectML), "")
	}
	if u.slack > largeSlack && u.slack >= u.total && c.broken(ResourceSlack) {
		size, _ := r.size()
		c.findAt(ResourceSlack, Note, r.At, u.small.Name, fmt.Sprintf("%s has %d bytes, of which the tensor takes %d: %d spare",
			quoted(r.Name), size, u.total, u.slack), fmt.Sprintf("%d bytes are enough", u.need))
	}
}

// resourceSize checks the size that is stated, or notes that DxDispatch rounds one up.
func (c *Checker) resourceSize(r *Resource, u *use) {
	stated, need := r.Stated.Value, max(u.need, r.Initial.Value)
	switch {
	case !r.Stated.Stated:
		if n := r.Initial.Value; n%4 != 0 && c.wants(ResourceSize4, Note) {
			c.findAt(ResourceSize4, Note, r.At, "", fmt.Sprintf("the initial values of %s take %d bytes; DxDispatch makes the buffer %d", quoted(r.Name), n, (n+3)&^3), "")
		}
	case stated < r.Initial.Value:
		if c.wants(ResourceSize4, Error) {
			c.findAt(ResourceSize4, Error, r.SizeAt, "", fmt.Sprintf("sizeInBytes %d is less than the %d bytes of the initial values", stated, r.Initial.Value), fmt.Sprintf("write %d", roundUp4(need)))
		}
	case stated%4 != 0:
		severity, what := Warning, ""
		if stated < u.need {
			severity, what = Error, fmt.Sprintf(", and less than the %d bytes that are bound", u.need)
		}
		if c.wants(ResourceSize4, severity) {
			c.findAt(ResourceSize4, severity, r.SizeAt, "", fmt.Sprintf("sizeInBytes %d is not a multiple of 4%s; DxDispatch does not round it", stated, what), fmt.Sprintf("write %d", roundUp4(max(stated, need))))
		}
	}
}

// roundUp4 rounds up to a multiple of 4, where there is one.
func roundUp4(n int64) int64 { return (min(n, 1<<63-4) + 3) &^ 3 }
