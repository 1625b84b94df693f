package cmd

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descfile"
	"layoutcalc/layout/rules"
	"layoutcalc/render"
	"layoutcalc/render/report"
)

// maxFindings limits how many findings of one file are listed. All are counted.
const maxFindings = 10_000

// A checked is what the check of one input came to.
type checked struct {
	path        string
	data        []byte // the text, if it is one
	examined    bool   // it was read, and it describes tensors
	faulty      bool   // it could not be read
	descriptors int
	findings    []report.Finding
	dropped     int // findings that are counted only
	fault       any // of ours: the panic that ended the check
	count       [len(rules.Severities)]int
}

// A checking is the check of one input.
type checking struct {
	flags    *checkFlags
	progress *progress
	checker  *rules.Checker
	out      checked
}

// checkInput checks one input, whatever it is.
func (f *checkFlags) checkInput(in input, stdin io.Reader, p *progress) checked {
	k := &checking{flags: f, progress: p, out: checked{path: in.path}}
	k.checker = rules.NewChecker(f.options(), k.keep)
	switch {
	case in.err != nil:
		k.unreadable(render.Unreadable(in.err))
	case in.tensor != nil:
		k.tensor(*in.tensor)
	case in.text != "":
		k.out.data = []byte(in.text)
		k.notation()
	case in.stdin:
		k.read(stdin, in)
	default:
		k.open(in)
	}
	k.out.count = k.checker.Count
	for _, n := range k.out.count[severity(f.shown):] {
		k.out.dropped += n
	}
	k.out.dropped -= len(k.out.findings)
	return k.out
}

// options are those of all checkers. That an input cannot be read is always said.
func (f *checkFlags) options() rules.Options {
	only := f.only
	if only != nil {
		only = append(slices.Clone(only), rules.Syntax)
	}
	return rules.Options{Shown: severity(f.shown), Only: only, Ignore: f.ignore}
}

// workers is how many work at once.
func (f *checkFlags) workers() int {
	if f.jobs > 0 {
		return f.jobs
	}
	return runtime.GOMAXPROCS(0)
}

// keep keeps a finding. When there are as many as are listed, no words are made for more.
func (k *checking) keep(f rules.Finding) {
	k.out.findings = append(k.out.findings, report.Finding{Finding: f, Path: k.out.path})
	if len(k.out.findings) == maxFindings {
		k.checker.Quiet()
	}
}

// unreadable notes that the input cannot be read, which is more than a finding.
func (k *checking) unreadable(why string) {
	k.out.faulty = true
	k.checker.Add(rules.Finding{Rule: rules.Syntax, Severity: rules.Error, Message: why})
}

// open checks a file: of tensors by its header, any other by its text.
func (k *checking) open(in input) {
	file, err := os.Open(in.path)
	if err != nil {
		k.unreadable(render.Unreadable(err))
		return
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil || info.IsDir():
		k.unreadable("it cannot be read")
	case info.Mode().IsRegular() && isTensorFile(in.path, file):
		k.tensors(file, info.Size())
	case info.Mode().IsRegular() && info.Size() > heavy:
		k.flags.heavy.Lock()
		defer k.flags.heavy.Unlock()
		k.read(file, in)
	default:
		k.read(file, in)
	}
}

// Texts that are heavy, in bytes, are checked one after the other, and none may be longer than
// maxText: a tree takes several times as much room.
const (
	heavy   = 1 << 20
	maxText = 32 << 20
)

// isTensorName knows files of tensors by their names.
func isTensorName(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".npy", ".safetensors", ".gguf":
		return true
	}
	return false
}

// isTensorFile knows them also by how they start.
func isTensorFile(path string, file *os.File) bool {
	if isTensorName(path) {
		return true
	}
	var start [6]byte
	n, _ := file.ReadAt(start[:], 0)
	return string(start[:n]) == "\x93NUMPY" || bytes.HasPrefix(start[:n], []byte("GGUF"))
}

// tensors checks the header of a file of tensors.
func (k *checking) tensors(file *os.File, size int64) {
	f, err := descfile.Tensors(k.out.path, file, size)
	if err != nil {
		k.syntax(err)
		return
	}
	for i := range f.Descriptors {
		f.Descriptors[i].Total = rules.Number{} // the reader has judged the bytes that are there
	}
	k.file(f)
}

// syntax notes why a text is none.
func (k *checking) syntax(err error) {
	k.out.faulty = true
	f := rules.Finding{Rule: rules.Syntax, Severity: rules.Error, Message: err.Error()}
	var fault *descfile.SyntaxFault
	var syntax *layout.SyntaxError
	switch {
	case k.out.data == nil:
	case errors.As(err, &fault):
		f.Place = descfile.PlaceIn(k.out.data, fault.Offset)
	case errors.As(err, &syntax):
		f.Place, f.Fix = descfile.PlaceIn(k.out.data, syntax.Offset), syntax.Hint
	}
	k.checker.Add(f)
}

// file checks what a file says.
func (k *checking) file(f *descfile.File) {
	target := k.target(f.Target)
	k.out.examined = len(f.Descriptors)+len(f.Findings) > 0
	k.out.descriptors += len(f.Descriptors)
	k.checker.Silence(f.Ignores)
	for _, finding := range f.Findings {
		k.checker.Add(finding)
	}
	for i := range f.Descriptors {
		k.checker.Check(target, &f.Descriptors[i])
	}
	if f.Model != nil {
		k.checker.Model(target, f.Model)
	}
	if f.Config != nil {
		k.checker.Config(target, f.Config)
	}
	k.checker.Unused()
}

// target is the one that the user chose, or the input's own.
func (k *checking) target(own rules.Target) rules.Target {
	if k.flags.target != nil {
		return *k.flags.target
	}
	return own
}
