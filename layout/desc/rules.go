package desc

import "layoutcalc/layout/finding"

// Rules are the rules of this package.
var Rules = []*finding.Rule{
	ConfigValue,
}
