package check

import (
	"bytes"
	"io"
	"slices"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/input"
	"layoutcalc/layout/lexer"
	"layoutcalc/render/report"
)

// A Fixing states what happens to the edits of findings.
type Fixing uint8

const (
	NoFix    Fixing = iota
	WriteFix        // replace the files
	ShowFix         // show the changes instead of findings
)

// maxRounds limits how often a file is fixed and checked again, because an edit may cause another finding.
const maxRounds = 10

// validateFix rejects inputs that cannot be changed, and files that --diff does not write.
func (r *run) validateFix(inputs []*subject) error {
	for _, in := range inputs {
		switch {
		case r.Fix == NoFix:
			return nil
		case in.path == report.ArgsName:
			return lexer.Refuse("remove it", "--fix and --diff are about files, and this tensor has none")
		case in.stdin && r.Fix == WriteFix:
			return lexer.Refuse("--diff shows the changes; or name the file",
				"--fix changes files, and standard input is none")
		}
	}
	if r.Fix == ShowFix && (len(r.Written) > 0 || r.NewBaseline != "") {
		return lexer.Refuse("remove one of them", "--diff writes no files, and --report and --write-baseline do")
	}
	return nil
}

// dedupe removes inputs if their file is already in the list under another path, so that each file is fixed once.
func (r *run) dedupe(inputs []*subject) []*subject {
	if r.Fix == NoFix {
		return inputs
	}
	seen := map[any]bool{}
	return slices.DeleteFunc(inputs, func(in *subject) bool {
		isAgain := in.id != nil && seen[in.id]
		seen[in.id] = true
		return isAgain
	})
}

// keepEdits removes the edits of findings if they are uncertain or the file cannot be changed. Otherwise it keeps the
// text.
func (k *fileCheck) keepEdits() {
	if k.run.Fix != NoFix && k.dir == "" && k.data == nil && k.examined {
		k.notes = append(k.notes, "it is not fixed: --fix changes JSON, YAML and config.pbtxt")
	}
	hasEdits := func(f report.Finding) bool { return len(f.Edits) > 0 }
	if !slices.ContainsFunc(k.findings, hasEdits) {
		return
	}
	found := k.found()
	finding.Doubt(found, k.countAtLeast(k.minReported()) > len(found))
	ok, why := k.canChange()
	if ok {
		k.before = k.data
		return
	}
	if why != "" && k.run.Fix != NoFix && slices.ContainsFunc(k.findings, hasEdits) {
		k.notes = append(k.notes, "it is not fixed: "+why)
	}
	for _, f := range found {
		f.Edits = nil
	}
}

// canChange reports whether the text of the input may be changed, and why not if the user would not expect that.
func (k *fileCheck) canChange() (ok bool, why string) {
	isText := !k.faulty && k.data != nil && k.path != report.ArgsName
	switch {
	case !isText:
		return false, ""
	case k.stdin:
		return k.run.Fix == ShowFix, ""
	case !k.run.Guard.Rewritable(k.path):
		return false, "it is a link" + k.run.linkTo(k.path) + ", or has other names"
	case k.after == nil && !k.isWhole(k.data):
		return false, "its text is not UTF-8"
	}
	return true, ""
}

// found returns pointers to the findings.
func (k *fileCheck) found() []*finding.Finding {
	list := make([]*finding.Finding, len(k.findings))
	for i := range k.findings {
		list[i] = &k.findings[i].Finding
	}
	return list
}

// fixedText applies the edits of the findings and checks the text again, until there are no more edits. It returns the
// last check, with the text before and after.
func (k *fileCheck) fixedText() *fileCheck {
	before := k.before
	if k.run.Fix == NoFix || before == nil {
		return k
	}
	text := before
	for range maxRounds {
		next, n := finding.Fix(text, k.found())
		if n == 0 {
			break
		}
		of := *k.subject
		of.text = nil
		again := &fileCheck{subject: &of, run: k.run, turn: k.turn, after: next, fixed: k.fixed + n}
		if again.check(); again.faulty {
			break
		}
		again.fixed += finding.Settled(k.found(), again.found())
		k, text = again, next
	}
	k.before, k.after = before, text
	return k
}

// isWhole reports whether the file consists of exactly the bytes of text.
func (k *fileCheck) isWhole(text []byte) bool {
	s, end, err := k.run.Open(k.path)
	if err != nil {
		return false
	}
	defer end()
	data, err := io.ReadAll(io.LimitReader(s.Reader(), int64(len(text))+1))
	return err == nil && bytes.Equal(data, text)
}

// source opens the input, or the fixed text if there is one.
func (k *fileCheck) source() (s input.Source, end func(), err error) {
	if k.after != nil && k.stdin {
		s, end = input.Source{}, func() {}
	} else {
		path := k.path
		if k.stdin {
			path = "-"
		}
		s, end, err = k.run.Open(path)
	}
	if k.after != nil {
		s.File, s.Size = bytes.NewReader(k.after), int64(len(k.after))
	}
	return s, end, err
}

// finishFix reports the change to the file.
func (r *run) finishFix(k *fileCheck) error {
	if r.Fix == ShowFix && k.faulty {
		k.notes = append(k.notes, "it cannot be read: check without --diff says why")
	}
	if r.Fixed += k.fixed; k.fixed == 0 {
		return nil
	}
	r.Changed++
	return r.Reports.Change(k.path, k.before, k.after)
}
