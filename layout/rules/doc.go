// Package rules says what a tensor descriptor must be like, and what is wrong with one.
//
// A [Descriptor] is what a text states, right or wrong: nothing about it is valid by construction,
// but each part of it knows where it stands ([Source]). A [Checker] holds it against the rules of
// a [Target] and reports a [Finding] for each that it breaks. All rules are rows of one table
// ([All]): what is checked, why, where the limit lies, who says so, how to mend it, and two
// examples that the tests execute.
package rules
