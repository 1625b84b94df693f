package manifest

import "layoutcalc/layout/finding"

// The rules of the JSON of DxDispatch models and of the YAML of configurations.
var (
	jsonKeyCase    = &finding.Rule{Name: "json-key-case", Severity: finding.Error}
	jsonNullTensor = &finding.Rule{Name: "json-null-tensor", Severity: finding.Error, Family: finding.DirectML}
	jsonInt        = &finding.Rule{Name: "json-int", Severity: finding.Error}
	jsonDupKey     = &finding.Rule{Name: "json-dup-key", Severity: finding.Warning}
	jsonField      = &finding.Rule{Name: "json-field", Severity: finding.Error, Family: finding.DirectML}
	configKey      = &finding.Rule{Name: "config-key", Severity: finding.Error}
)

// Rules are the rules of this package.
var Rules = []*finding.Rule{
	jsonKeyCase, jsonNullTensor, jsonInt, jsonDupKey, jsonField, configKey,
}
