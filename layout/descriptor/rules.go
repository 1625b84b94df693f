package descriptor

import "layoutcalc/layout/finding"

// ConfigValue is the rule for values of configurations, including expectations.
var ConfigValue = &finding.Rule{Name: "config-value", Severity: finding.Error}

// Rules are the rules of this package.
var Rules = []*finding.Rule{ConfigValue}
