package check

import (
	"context"
	"sync/atomic"

	"layoutcalc/cmd/files"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/input"
	"layoutcalc/layout/project"
	"layoutcalc/render/report"
)

// A Request states what to check and what to report, and connects Run with the program that calls it.
type Request struct {
	Selection
	Criteria
	Baseline    string   // a file with known findings; may be empty
	NewBaseline string   // a file that Run writes all findings to as known ones; may be empty
	Written     []string // the files of the reports
	Fix         Fixing
	Verbose     bool // list the skipped files
	Jobs        int  // how many inputs are checked at once
	Options     input.Options
	Tensor      string // the name that the user chose; it has no effect on files
	Shaped      bool   // flags shape a tensor of the command line

	Guard    *files.Guard // opens and replaces files
	Reports  Sink
	Open     func(path string) (s input.Source, end func(), err error) // opens a file, or standard input for "-"
	Describe func(args []string) (*Text, error)                        // reads the tensor of the arguments
	Note     func(texts ...string)                                     // keeps notes for the user
	Flush    func()                                                    // shows the notes so far

	// Interruptible starts to catch signals, and returns a context that ends with the first one.
	Interruptible func() (context.Context, context.CancelFunc)

	// Progress shows the line for the amount done until the call of end.
	Progress func(line func(done int64) string) (done *atomic.Int64, end func())
}

// A Selection states where to look for inputs.
type Selection struct {
	Args        []string
	FilesFrom   string // a list of files; "-" for standard input; may be empty
	Null        bool   // paths in the list end with a zero byte
	Exclude     []project.Pattern
	NoGitignore bool
	Follow      bool   // follow links that point outside the repository
	NoConfig    bool   // ignore the configurations of the project
	Root        string // the directory that configurations must not point outside of; empty for the repository
	Stdin       string // the name of standard input; may be empty
	AllowEmpty  bool   // finding nothing to check is not an error
	Windows     bool   // patterns in Args are expanded, and the case of paths is ignored
}

// Criteria state which rules are checked, and which findings are listed and fail. The configuration of the project
// decides if a field is nil or empty.
type Criteria struct {
	Target       *descriptor.Target // nil for the target of each input
	Role         descriptor.Role    // the role of the tensor of the arguments
	Only, Ignore []*finding.Rule    // Only is nil for all rules
	Shown        *finding.Severity  // the lowest severity that is listed; nil for warnings and all that fails
	FailOn       *finding.Severity  // the lowest severity that fails; nil for errors
}

// A Sink takes the results of Run. The first error of a method ends the call.
type Sink interface {
	// Begin starts the reports, before anything is checked.
	Begin() error

	// Add reports the findings of an input. It is called for every input, even without findings.
	Add(path string, findings []report.Finding) error

	// Change shows the change to a file, or makes it, as the Fixing of the Request demands.
	Change(path string, before, after []byte) error

	// WriteBaseline writes a new baseline.
	WriteBaseline(path string, b *project.Baseline) error

	// End completes the reports.
	End(s report.Summary) error
}

// A Text is the tensor of the arguments: an input, or a tensor that flags have changed.
type Text struct {
	Text   *input.Input
	Err    error // why it cannot be read
	Tensor *descriptor.Descriptor
}
