package rules

import (
	"slices"
	"strings"

	"layoutcalc/layout/scan"
)

// dmlFlags are the flags of a DirectML descriptor, and their values.
var dmlFlags = [...]string{"NONE", "OWNED_BY_DML", "0", "1"}

// ownedByDML is the flag of a tensor whose contents are handed over when the operator is
// initialised.
const ownedByDML = "OWNED_BY_DML"

// maxFlags is how many flags are looked at. There are two.
const maxFlags = 16

// checkFlags holds the flags against those that there are.
func (c *Checker) checkFlags() {
	for i, flag := range c.d.Flags[:min(len(c.d.Flags), maxFlags)] {
		name := strings.TrimPrefix(flag, "DML_TENSOR_FLAG_")
		switch {
		case !slices.Contains(dmlFlags[:], name):
			c.unknownFlag(i, name)
		case c.d.Role == Output && (name == ownedByDML || name == "1"):
			c.find(OwnedOutput, FlagsPart, i, "leave the flag out", "OWNED_BY_DML on an output: only inputs can be handed over")
		}
	}
}

func (c *Checker) unknownFlag(i int, name string) {
	if !c.broken(FlagKnown) {
		return
	}
	fix := "NONE or OWNED_BY_DML"
	if near := scan.Nearest(strings.ToUpper(name), dmlFlags[:2]); near != "" {
		fix = "did you mean " + near + "?"
	}
	c.find(FlagKnown, FlagsPart, i, fix, "DirectML has no tensor flag %q", clip(name))
}
