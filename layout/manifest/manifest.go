// Package manifest reads texts that describe tensors: DxDispatch models, configurations of layoutcalc,
// tensor maps of CUDA and JSON Lines.
//
// What it reads is not judged here: a [descriptor.File] holds descriptors as they are stated, for package rules, and
// each of their parts knows its line, column and JSON pointer. Only what no descriptor can hold, such as a text that is
// not JSON, is a finding of the reader's own. All fields of all texts are read by one reader, by the names of
// [descriptor.FieldNames], from the values of a [doctree.Tree].
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
