package report

import (
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
)

// ArgsName is the path of the tensor in the arguments, which has no file. It is only shown to programs.
const ArgsName = "<args>"

// A Finding is a finding in a file.
type Finding struct {
	finding.Finding
	Path     string // as shown to the user
	RootPath string // relative to the root of the repository, with slashes, for programs that run in other directories
	Source   []byte // the line of the finding, for people and the ends of regions; may be nil
	Known    bool   // it is in the baseline, and does not count
	Fails    bool   // the check fails because of it
}

// A Summary counts inputs and findings.
type Summary struct {
	Files, Descriptors int
	RulesOf            *descriptor.Target           // the target of a tensor that is the only input; otherwise nil
	Partial            bool                         // not all rules were checked
	Fileless           bool                         // the only input has no file
	Count              [len(finding.Severities)]int // findings by severity
	Hidden             [len(finding.Severities)]int // findings below the severities that are listed
	Notes              []string                     // for the user
	Kinds              []Kind                       // the number of files of each kind
	Unlisted           int                          // findings beyond the limit of a call, which the report omits
	Known              int                          // findings of the baseline, which Count omits
	Fixed, Changed     int                          // findings that were fixed, and files that were changed
	Fixable            int                          // findings that could be fixed
	Skipped            int                          // files and directories that were found but not checked
	Ignored, Excluded  int                          // skipped ones that a .gitignore or the user excludes
	IgnoredModels      int                          // tensor files and models among the ignored files
	Outside            int                          // skipped links that point outside
	Unread             []string                     // the first files that could not be read, for people
}

// A Kind is the number of files of a kind.
type Kind struct {
	Name  string
	Files int
}

// Unread is the kind of the files that could not be read.
const Unread = "unreadable"
