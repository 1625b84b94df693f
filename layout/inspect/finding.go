package inspect

import (
	"layoutcalc/layout/desc"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/onnx"
	"layoutcalc/layout/tensorfile"
)

// unreadable are the rules about inputs that cannot be read, which are checked whatever rules are chosen.
var unreadable = [...]*finding.Rule{
	finding.Syntax, tensorfile.LFSPointer, tensorfile.NotTheFile, onnx.Truncated, onnx.Nesting,
}

// A Finding is a finding in a file.
type Finding struct {
	finding.Finding
	Path     string // as the user sees it
	RootPath string // from the root of the repository, with slashes, for programs that run in other directories
	Source   []byte // the line that it points to, for people and the ends of regions; may be nil
	Known    bool   // the baseline has it: it does not count
	Fails    bool   // the check fails because of it
}

// A Summary counts inputs and findings.
type Summary struct {
	Files, Descriptors int
	RulesOf            *desc.Target                 // of the tensors of a text, if that is the only input; else nil
	Partial            bool                         // not all rules were checked
	Fileless           bool                         // the only input has no file
	Count              [len(finding.Severities)]int // of findings
	Hidden             [len(finding.Severities)]int // those of them that are below the severities that are listed
	Notes              []string                     // for the user
	Kinds              []Kind                       // of the files
	Unlisted           int                          // findings that are not in the report, beyond the limit of a call
	Known              int                          // findings of the baseline, not part of Count
	Fixed, Changed     int                          // findings that were mended, and files that were changed so
	Fixable            int                          // findings that could be
	Skipped            int                          // files and directories that were found and not checked
	Ignored, Excluded  int                          // those of them that a .gitignore or the user leaves out
	IgnoredModels      int                          // tensor files and models among the ignored ones
	Outside            int                          // links among them that lead out
	Unread             []string                     // the first files that could not be read, for people
}

// A Kind is how many files of a kind there are.
type Kind struct {
	Name  string
	Files int
}

// Unread is the kind of the files that could not be read.
const Unread = "unreadable"
