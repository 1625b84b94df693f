package inspect

import (
	"bytes"
	"io"
	"slices"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/input"
	"layoutcalc/layout/scan"
)

// A Fixing says what becomes of the edits that findings have.
type Fixing uint8

// What becomes of them.
const (
	NoFix    Fixing = iota
	WriteFix        // files are replaced
	ShowFix         // the changes are shown in place of findings
)

// maxRounds limits how often a text is mended and checked again: what one edit changes may be wrong in another way.
const maxRounds = 10

// validateFix refuses inputs that cannot be changed, and files that are not to be written.
func (r *run) validateFix(inputs []*subject) error {
	for _, in := range inputs {
		switch {
		case r.Fix == NoFix:
			return nil
		case in.path == ArgsName:
			return scan.Refuse("leave it out", "--fix and --diff are about files, and this tensor has none")
		case in.stdin && r.Fix == WriteFix:
			return scan.Refuse("--diff shows the changes; or name the file",
				"--fix changes files, and standard input is none")
		}
	}
	if r.Fix == ShowFix && (len(r.Written) > 0 || r.NewBaseline != "") {
		return scan.Refuse("leave out one of them", "--diff writes no files, and --report and --write-baseline do")
	}
	return nil
}

// once returns the inputs without files that are there before, by another path: each is changed once.
func (r *run) once(inputs []*subject) []*subject {
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

// keepEdits leaves the findings their edits if these are certain and the file is one that can be changed. Then the text
// is kept for them.
func (k *checking) keepEdits() {
	if k.run.Fix != NoFix && k.dir == "" && k.data == nil && k.examined {
		k.notes = append(k.notes, "it is not fixed: --fix changes JSON, YAML and config.pbtxt")
	}
	hasEdits := func(f Finding) bool { return len(f.Edits) > 0 }
	if !slices.ContainsFunc(k.findings, hasEdits) {
		return
	}
	found := k.found()
	finding.Doubt(found, k.countFrom(k.madeFrom()) > len(found))
	isText := !k.faulty && k.data != nil && k.path != ArgsName
	why := ""
	switch {
	case !isText || k.stdin && k.run.Fix != ShowFix:
	case k.stdin || k.run.program.Rewritable(k.path) && (k.after != nil || k.isWhole(k.data)):
		k.before = k.data
		return
	case k.run.program.Rewritable(k.path):
		why = "its text is not UTF-8"
	default:
		why = "it is a link" + k.run.linkTo(k.path) + ", or has other names"
	}
	if why != "" && k.run.Fix != NoFix && slices.ContainsFunc(k.findings, hasEdits) {
		k.notes = append(k.notes, "it is not fixed: "+why)
	}
	for _, f := range found {
		f.Edits = nil
	}
}

// found returns the findings.
func (k *checking) found() []*finding.Finding {
	list := make([]*finding.Finding, len(k.findings))
	for i := range k.findings {
		list[i] = &k.findings[i].Finding
	}
	return list
}

// mended carries out the edits of the findings, and checks the text again, until it has no more. It returns the last
// check, which knows the texts before and after.
func (k *checking) mended() *checking {
	before := k.before
	if k.run.Fix == NoFix || before == nil {
		return k
	}
	text := before
	for range maxRounds {
		next, n := finding.Mend(text, k.found())
		if n == 0 {
			break
		}
		of := *k.subject
		of.text = nil
		again := &checking{subject: &of, run: k.run, turn: k.turn, after: next, fixed: k.fixed + n}
		if again.check(); again.faulty {
			break
		}
		k, text = again, next
	}
	k.before, k.after = before, text
	return k
}

// isWhole reports whether a text is all of the file, byte for byte.
func (k *checking) isWhole(text []byte) bool {
	s, end, err := k.run.program.Open(k.path)
	if err != nil {
		return false
	}
	defer end()
	data, err := io.ReadAll(io.LimitReader(s.Reader(), int64(len(text))+1))
	return err == nil && bytes.Equal(data, text)
}

// source returns what is checked in place of the file: the text that has been mended, if there is one.
func (k *checking) source() (s input.Source, end func(), err error) {
	if k.after != nil && k.stdin {
		s, end = input.Source{}, func() {}
	} else {
		path := k.path
		if k.stdin {
			path = "-"
		}
		s, end, err = k.run.program.Open(path)
	}
	if k.after != nil {
		s.File, s.Size = bytes.NewReader(k.after), int64(len(k.after))
	}
	return s, end, err
}

// finishFix puts the mended text in place of the file, or shows the change.
func (r *run) finishFix(k *checking) error {
	if r.Fix == ShowFix && k.faulty {
		k.notes = append(k.notes, "it cannot be read: check without --diff says why")
	}
	if r.Fixed += k.fixed; k.fixed == 0 {
		return nil
	}
	r.Changed++
	if r.Fix == ShowFix {
		return r.program.Diff(k.path, k.before, k.after)
	}
	return r.program.Rewrite(k.path, k.before, k.after)
}
