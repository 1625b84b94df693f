// Package doctree reads texts of JSON and YAML as trees whose nodes know their places.
//
// A [Tree] keeps its nodes in one array; they name bytes of the text. Values are not judged here: what a text must
// say is known by those who read the tree.
//
// It imports the standard library only.
package doctree
