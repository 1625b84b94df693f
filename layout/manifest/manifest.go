// Package manifest reads inputs that describe tensors: DxDispatch models, layoutcalc configurations, CUDA tensor maps
// and JSON Lines.
//
// It does not check values: a [descriptor.File] holds the descriptors as stated, for package rules, with the line,
// column and JSON pointer of each part. Only errors that no descriptor can represent, such as input that is not JSON,
// are findings of the reader. One reader reads all fields of all inputs, by the names in [descriptor.FieldNames], from
// the values of a [doctree.Tree].
package manifest

import (
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/expect"
)

// Read returns the tensors of a tree; nil if it is neither a configuration nor a DxDispatch model nor tensor maps.
// A configuration may name files; artefacts finds tensors in them.
func Read(t *doctree.Tree, artefacts expect.Artefacts) *descriptor.File {
	switch {
	case IsConfig(t):
		return Config(t, artefacts)
	case IsDxDispatch(t):
		return DxDispatch(t)
	case IsTensorMap(t):
		return TensorMaps(t)
	}
	return nil
}
