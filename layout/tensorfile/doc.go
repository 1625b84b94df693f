// Package tensorfile reads the headers of .npy, .safetensors and .gguf files, never their data, and
// writes headers of .npy files.
//
// [Read] returns what a file states of its tensors, for package rules to judge; what no descriptor can
// hold, such as a tensor that reaches beyond the end of the file, it reports itself. [Find] returns
// where the elements of one array lie.
//
// It may import layout, rules and doctree.
package tensorfile
