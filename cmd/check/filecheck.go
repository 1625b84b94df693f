package check

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/input"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/manifest"
	"layoutcalc/layout/onnx"
	"layoutcalc/layout/project"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/tensorfile"
	"layoutcalc/layout/triton"
	"layoutcalc/layout/wording"
	"layoutcalc/render/report"
)

// maxFindings limits how many findings of a file and of a call are listed, the most severe ones. All are counted.
const maxFindings = 10_000

// unreadable are the rules about inputs that cannot be read. They are checked whatever rules are chosen.
var unreadable = [...]*finding.Rule{
	finding.Syntax, tensorfile.LFSPointer, tensorfile.NotTheFile, onnx.Truncated, onnx.Nesting, triton.Template,
}

// A fileCheck is the check of one input, and its result.
type fileCheck struct {
	*subject
	run      *run
	turn     *input.Turn
	progress func(lines int) // receives the number of checked lines; may be nil
	checker  *rules.Checker  // until the check has finished

	before, after []byte // the text of a file with edits, and the text after them
	fixed         int    // how many findings the edits fix

	parts       []*fileCheck // the checks of files that the input names
	data        []byte       // the content of a text file, until the check has finished
	notes       []string
	judged      descriptor.Target // the target of the last check
	kind        string            // the kind of input in the summary
	examined    bool              // the input was read, and describes tensors
	faulty      bool              // the input could not be read
	skipped     string            // why (a part of) the input could not be read, if the user ignores that, or empty
	descriptors int
	quota       *finding.Quota               // limits the findings
	findings    []report.Finding             // the most severe ones
	count       [len(finding.Severities)]int // how many findings there are of each severity
}

// check checks the input.
func (k *fileCheck) check() {
	k.begin()
	switch {
	case k.hidden > 0:
		k.reportHidden()
	case k.text == nil:
		k.open()
	case k.text.Tensor != nil:
		k.kind = textKind
		k.described(descriptor.Target{}, k.text.Tensor)
	default:
		in := k.text.Text
		k.text.Text = nil // an index may be large, and is used once
		k.input(in, k.text.Err)
	}
	k.finish()
}

// begin prepares a checker for the input.
func (k *fileCheck) begin() {
	if k.quota == nil {
		k.quota = &finding.Quota{Most: maxFindings}
	}
	k.checker = k.run.idle.Get().(*rules.Checker)
	k.checker.Reset(k.options(), k.keep)
}

// reportHidden reports the tensor files and models that a .gitignore hides.
func (k *fileCheck) reportHidden() {
	message := "not checked, because a .gitignore names it"
	if k.hidden > 1 {
		message += fmt.Sprintf(", nor are %d more tensor files or models", k.hidden-1)
	}
	k.checker.Add(finding.Finding{Rule: finding.HiddenFile, Severity: finding.HiddenFile.Severity, Message: message,
		Fix: "add --no-gitignore, or skip it with --exclude"})
}

// finish sorts the findings by line and column, and drops the ones that are not listed.
func (k *fileCheck) finish() {
	if k.count = k.checker.Count; k.out {
		k.data = nil // show no line of it
	}
	k.checker.Reset(finding.Options{}, nil) // drops the descriptors: there may be many
	k.run.idle.Put(k.checker)
	k.checker = nil
	if len(k.findings) > maxFindings {
		sort.SliceStable(k.findings, func(i, j int) bool { return k.findings[i].Severity > k.findings[j].Severity })
		k.findings = k.findings[:maxFindings]
	}
	sort.SliceStable(k.findings, func(i, j int) bool {
		a, b := &k.findings[i], &k.findings[j]
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
	k.keepEdits()
	k.findings = slices.DeleteFunc(k.findings, func(f report.Finding) bool { return f.Severity < k.policy.least })
	rest, at, line := k.data, 0, []byte(nil)
	for i := range k.findings {
		f := &k.findings[i]
		if at < f.Line {
			for ; at < f.Line; at++ {
				line, rest, _ = bytes.Cut(rest, []byte{'\n'})
			}
			line = bytes.Clone(bytes.TrimSuffix(line, []byte{'\r'})) // does not keep the rest of the text
		}
		f.Source = line
	}
	k.data = nil
}

// dropped returns how many new findings are counted but not listed.
func (k *fileCheck) dropped() int {
	n := k.countAtLeast(k.policy.least)
	for i := range k.findings {
		if !k.findings[i].Known {
			n--
		}
	}
	return n
}

// countAtLeast returns how many findings have severity s or higher.
func (k *fileCheck) countAtLeast(s finding.Severity) (n int) {
	for _, count := range k.count[s:] {
		n += count
	}
	return n
}

// minReported returns the lowest severity of findings that are made. Warnings always are, because a warning that is not
// listed may make an edit uncertain.
func (k *fileCheck) minReported() finding.Severity { return min(k.policy.least, finding.Warning) }

// options returns the options of a checker. Findings that make an input unreadable are always reported.
func (k *fileCheck) options() finding.Options {
	p := k.policy
	only := p.only
	if only != nil {
		only = append(slices.Clone(only), unreadable[:]...)
	}
	return finding.Options{
		Shown: max(k.minReported(), k.run.floor()), Only: only, Ignore: p.ignore, Ranks: p.ranks,
		Silent: k.run.silent(p, k.path), Quota: k.quota,
	}
}

// keep keeps a finding.
func (k *fileCheck) keep(f finding.Finding) {
	k.findings = append(k.findings, report.Finding{Finding: f, Path: k.path})
}

// open opens a file and checks it.
func (k *fileCheck) open() {
	s, end, err := k.source()
	if err != nil {
		k.unreadable(k.whyUnopened(err))
		return
	}
	defer end()
	if k.run.policies.has(k.path) {
		k.project(s)
		return
	}
	isBinary := k.run.Options.From == nil && input.NamingOf(k.path).Is(input.HeaderName)
	s.Name, s.Foreign, s.Turn, s.Around = k.path, k.dir != "" || isBinary, k.turn, k.run.openParents(k.path)
	if k.stdin && k.run.Stdin == "" {
		s.Around = nil
	}
	if k.stdin && k.run.Stdin != "" {
		s.Beside = k.run.Guard.Beside(k.run.Stdin)
	}
	k.input(input.Read(s, k.run.Options))
}

// whyUnopened returns the error to report for a file that cannot be opened because of err. If the file is a link, its
// target may be the reason.
func (k *fileCheck) whyUnopened(err error) error {
	if to, linkErr := os.Readlink(k.run.Guard.Path(k.path)); linkErr == nil && !k.stdin {
		if pointer := tensorfile.AnnexPointer(to); pointer != nil {
			return pointer
		}
	}
	var refused *lexer.SyntaxError
	if errors.As(err, &refused) {
		return errors.New(refused.Msg)
	}
	why := wording.Unreadable(err)
	if to := k.run.linkTo(k.path); to != "" && !k.stdin {
		why = "a link" + to + ": " + why
	}
	return errors.New(why)
}

// project reads the configuration of a project, which has no tensors to check.
func (k *fileCheck) project(s input.Source) {
	k.kind, k.examined = "project", true
	var err error
	if k.data, err = io.ReadAll(input.Decode(io.LimitReader(s.Reader(), project.MaxFile))); err == nil {
		_, err = project.ReadConfig(k.data)
	}
	if err != nil {
		k.unreadable(err)
	}
}

// textKind is the kind of a tensor that has no file.
const textKind = "text"

// input checks an input that has been read with the error err.
func (k *fileCheck) input(in *input.Input, err error) {
	k.data, k.kind = in.Data, kindOf(in)
	if err == nil {
		err = in.Keep(k.run.Tensor)
	}
	if err == input.ErrForeign {
		k.run.Guard.Forget(k.id)
		return
	}
	if err != nil {
		k.unreadable(err)
		if len(in.Files) == 0 { // otherwise it is one of several documents
			return
		}
	}
	if in.Wide && (in.Triton != nil || in.Kind == input.Index) {
		k.checker.Add(finding.Finding{Rule: finding.Syntax, Severity: finding.Error,
			Message: "the text is UTF-16, which the programs that load it do not read", Fix: "save it as UTF-8"})
	}
	k.content(in)
	if k.run.Tensor != "" && in.Kind != input.Notation {
		k.notes = append(k.notes, "--tensor is not used: all tensors are checked")
	}
	if o := k.run.Options; len(o.Dims)+len(o.Names) > 0 && in.Kind != input.Notation && !k.faulty {
		k.notes = append(k.notes, "--dim is not used: sizes that are open are checked as such")
	}
}

// kindOf returns the kind of an input in the summary.
func kindOf(in *input.Input) string {
	switch {
	case in.Kind == input.Lines:
		return "JSON Lines"
	case len(in.Files) > 0:
		return in.Files[0].Kind
	}
	return textKind
}

// content checks the tensors of an input.
func (k *fileCheck) content(in *input.Input) {
	switch {
	case in.Kind == input.Lines:
		k.lines(in)
	case in.Kind == input.Index:
		k.index(in)
	case in.Triton != nil:
		k.triton(in.Triton)
	case len(in.Files) > 0:
		for _, f := range in.Files {
			k.file(f, in.Kind == input.TensorFile)
		}
	default:
		for d, finding := range in.Descriptors() {
			if finding != nil {
				k.checker.Add(*finding)
				continue
			}
			k.described(in.Target(), &d)
		}
		k.notes = append(k.notes, in.Notes...)
	}
}

// index checks an index of shards, and the shards.
func (k *fileCheck) index(in *input.Input) {
	k.examined = true
	for p := range in.Parts(k.run.Jobs, &k.run.strays, k.turn) {
		k.part(p)
	}
	k.kind = in.Files[0].Kind
	k.file(in.Files[0], false)
	k.notes = append(k.notes, in.Notes...)
}

// triton checks a Triton configuration, with the files next to it in its repository.
func (k *fileCheck) triton(c *triton.Config) {
	var place *triton.Location
	if !k.stdin && k.path != report.ArgsName || strings.ContainsAny(k.run.Stdin, `/\`) {
		root, at := triton.Locate(filepath.ToSlash(k.run.here.absolute(k.path)))
		repository := triton.NewRepository(k.run.Guard.Root(filepath.FromSlash(root)))
		known, _ := k.run.repositories.LoadOrStore(root, repository)
		at.Repository = known.(*triton.Repository)
		place = &at
	}
	f, notes := c.Check(place)
	k.examined = true
	for range c.Values {
		k.descriptors++
	}
	k.notes = append(k.notes, notes...)
	k.file(f, false)
}

// part checks a file that the input names, unless it is reported with another input. If the file cannot be read, that
// is a finding. It makes the call fail only if the file itself was to be checked too.
func (k *fileCheck) part(p input.Part) {
	path := filepath.Join(filepath.Dir(k.path), filepath.FromSlash(p.Path))
	of := k.run.shards[k.run.here.absolute(path)]
	if of != nil && of.index != k.path {
		return
	}
	dir := cmp.Or(k.dir, filepath.Dir(k.path)) // the file was found, not named
	c := &fileCheck{subject: &subject{path: path, dir: dir, policy: k.policy}, run: k.run}
	if k.policy.known == nil { // a baseline needs the findings of each file
		c.quota = k.quota
	}
	c.begin()
	if p.Err != nil {
		c.unreadable(p.Err)
		c.faulty = c.faulty && of != nil && of.listed
	} else {
		c.kind = p.File.Kind
		c.file(p.File, true)
	}
	c.finish()
	k.parts = append(k.parts, c)
}

// unreadable reports that the input cannot be read because of err, which makes the call fail, unless the user ignores
// that.
func (k *fileCheck) unreadable(err error) {
	f := input.Finding(k.data, err)
	if k.out && f.Rule == finding.Syntax { // the file belongs to somebody else, so do not show it
		f.Message, f.Fix = "it cannot be read from here on; it is outside, behind a link, so its text is not shown", ""
	}
	if k.drops(&f) {
		k.skipped = f.Message
		return
	}
	k.faulty = true
	if !k.examined {
		k.kind = report.Unread
	}
	k.checker.Add(f)
}

// drops reports whether the user ignores a finding.
func (k *fileCheck) drops(f *finding.Finding) bool {
	silent := k.run.silent(k.policy, k.path)
	return slices.Contains(k.policy.ignore, f.Rule) || silent != nil && silent(f)
}

// lines checks JSON Lines as they are read.
func (k *fileCheck) lines(in *input.Input) {
	l := manifest.Lines{
		Workers: k.run.Jobs, Options: k.options(), Target: k.policy.target, Judge: rules.Judge,
		Progress: k.progress, Refuse: in.Contradicts,
	}
	n, err := l.Check(in.Stream, func(f finding.Finding) error {
		k.keep(f)
		return nil
	})
	if k.faulty = n.Unread > 0; k.faulty && k.drops(&finding.Finding{Rule: finding.Syntax}) {
		k.faulty, k.skipped = false, wording.Count(n.Unread, "line")+" cannot be read"
	}
	if err != nil {
		k.unreadable(input.ErrBroken)
	}
	k.examined, k.descriptors = n.Descriptors > 0, n.Descriptors
	for i, count := range n.Count {
		k.checker.Count[i] += count
	}
}

// described checks a tensor that the arguments or a text file describe.
func (k *fileCheck) described(own descriptor.Target, d *descriptor.Descriptor) {
	d.Role = cmp.Or(k.run.Role, d.Role)
	k.examined = true
	k.descriptors++
	k.checker.Check(k.target(own), d)
}

// file checks the statements of a file.
func (k *fileCheck) file(f *descriptor.File, isTensorFile bool) {
	target := k.target(f.Target)
	found := append(k.silence(f), f.Findings...)
	k.examined = k.examined || isTensorFile || f.Model != nil || f.Len() > 0 || len(found) > 0 ||
		f.Config != nil && f.Config.Len() > 0
	k.descriptors += f.Len()
	for _, w := range found {
		k.checker.Add(w)
		isOther := w.Rule == tensorfile.LFSPointer || w.Rule == tensorfile.NotTheFile
		if isOther && k.drops(&w) {
			k.notes = append(k.notes, w.Message+": it is not checked")
		}
	}
	if isTensorFile {
		k.set(f)
	}
	var d descriptor.Descriptor
	for i := range f.Len() {
		if d = f.At(i); isTensorFile {
			d.Total, d.Computed = descriptor.Number{}, true // the reader has compared the bytes
		}
		k.checker.Check(target, &d)
	}
	if f.Model != nil {
		k.checker.Model(target, f.Model)
	}
	if f.Config != nil {
		k.checker.CheckExpectations(target, f.Config)
	}
	k.checker.Unused(target.Family)
}

// silence silences the rules that comments of a file name, and returns the findings about these comments. If a part of
// the file could not be read, comments without effect have no fix, because they may be for that part.
func (k *fileCheck) silence(f *descriptor.File) []finding.Finding {
	ignores, found := finding.Ignores(f.Comments, k.run.rules())
	isSilent := func(w finding.Finding) bool {
		return slices.ContainsFunc(ignores, func(i finding.Ignore) bool { return i.Rule == w.Rule && i.Line == w.Line })
	}
	isError := func(w finding.Finding) bool { return w.Severity == finding.Error && !isSilent(w) }
	if len(ignores) > 0 && slices.ContainsFunc(f.Findings, isError) {
		for i := range ignores {
			ignores[i].Text = finding.Span{}
		}
	}
	k.checker.Silence(ignores)
	return found
}

// target returns the target that the user chose, or own, the input's target.
func (k *fileCheck) target(own descriptor.Target) descriptor.Target {
	k.judged = *cmp.Or(k.policy.target, &own)
	return k.judged
}
