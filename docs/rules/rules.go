// Package rules has the pages of the rules for people, embedded.
package rules

import "embed"

// Pages are the pages of this directory.
//
//go:embed *.md
var Pages embed.FS
