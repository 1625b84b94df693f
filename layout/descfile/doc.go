// Package descfile reads texts that describe tensors: DxDispatch models, layoutcalc's own
// configurations and JSON Lines.
//
// What it reads is not judged here: a [rules.File] holds descriptors as they are stated, for package
// rules, and each of their parts knows its line, column and JSON pointer. Only what no descriptor
// can hold, such as a text that is not JSON, is a finding of the reader's own.
//
// Texts of JSON and YAML become a [Tree]: nodes in one array, which name bytes of the text.
// Readers look for the fields that they know in it.
package descfile
