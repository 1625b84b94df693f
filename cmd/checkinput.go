package cmd

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descfile"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/tensorfile"
	"layoutcalc/render"
	"layoutcalc/render/report"
)

// An input is one thing to check: a file, standard input, or the tensor of the arguments.
type input struct {
	path   string
	found  bool           // in a directory: it may be something else than descriptors
	stdin  bool           // path is what to call it
	text   string         // a notation of the command line
	tensor *layout.Tensor // of the command line
	err    error          // why it cannot be read
}

// checkedEndings are the files that a directory is searched for.
var checkedEndings = [...]string{".json", ".jsonc", ".jsonl", ".ndjson", ".yaml", ".yml", ".npy", ".safetensors", ".gguf"}

// inputs returns what the arguments name: files, directories and -, or the tensor that they
// describe.
func (a *app) inputs(f *checkFlags, args []string) ([]input, error) {
	var all []input
	for i, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case arg == "-" && slices.Contains(args[:i], "-"):
			return nil, &usageError{"standard input can be read once", "leave out the second -"}
		case arg == "-":
			all = append(all, input{path: stdinName(f.stdin), stdin: true})
		case err == nil && info.IsDir():
			all = append(all, walk(arg)...)
		case i > 0 || err == nil || isPath(arg):
			all = append(all, input{path: arg, err: err})
		default:
			return f.described(args)
		}
	}
	if f.tensor.spec.Shapes() {
		return nil, &usageError{"files say themselves how their tensors lie", "--strides, --pad, --view and their like shape a tensor of the command line"}
	}
	return all, nil
}

// argsName stands for a path where the arguments are what is checked.
const argsName = "<args>"

func stdinName(name string) string {
	if name == "" {
		return "<stdin>"
	}
	return name
}

// isPath tells the path of a file that is not there from a tensor.
func isPath(arg string) bool {
	return !describes(arg) && strings.ContainsAny(arg, `/\.`)
}

// described returns the input that is the tensor of the arguments.
func (f *checkFlags) described(args []string) ([]input, error) {
	if _, err := layout.ParseShape(args[0]); err != nil && !describes(args[0]) {
		return nil, &usageError{render.Quote(args[0]) + " is neither a file nor a tensor", "such as model.json, or 1x3x224x224 --strides 150528,1,672,3"}
	}
	if describes(args[0]) && len(args) == 1 && !f.tensor.spec.Shapes() {
		return []input{{path: argsName, text: args[0]}}, nil
	}
	t, err := f.tensor.only(args)
	return []input{{path: argsName, tensor: &t}}, err
}

// walk returns the files in a directory, and in those inside it, in order. Hidden ones and links
// are left out.
func walk(dir string) (all []input) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			all = append(all, input{path: path, err: err})
			return nil
		}
		hidden := strings.HasPrefix(d.Name(), ".") && path != dir
		switch {
		case hidden && d.IsDir():
			return fs.SkipDir
		case hidden || !d.Type().IsRegular():
		case slices.Contains(checkedEndings[:], strings.ToLower(filepath.Ext(path))):
			all = append(all, input{path: path, found: true})
		}
		return nil
	})
	return all
}

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
	f, err := tensorfile.Read(k.out.path, file, size)
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
	var fault *doctree.Fault
	var syntax *layout.SyntaxError
	switch {
	case k.out.data == nil:
	case errors.As(err, &fault):
		f.Place = doctree.PlaceIn(k.out.data, fault.Offset)
	case errors.As(err, &syntax):
		f.Place, f.Fix = doctree.PlaceIn(k.out.data, syntax.Offset), syntax.Hint
	}
	k.checker.Add(f)
}

// file checks what a file says.
func (k *checking) file(f *rules.File) {
	target := k.target(f.Target)
	k.out.examined = k.out.examined || len(f.Descriptors)+len(f.Findings) > 0
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

// read checks a text, as its name or its form says.
func (k *checking) read(r io.Reader, in input) {
	ending := strings.ToLower(filepath.Ext(in.path))
	switch {
	case isTensorName(in.path):
		k.unreadable("files of tensors are read by their paths, not from standard input")
		return
	case ending == ".jsonl" || ending == ".ndjson":
		k.lines(r, in)
		return
	}
	data, err := io.ReadAll(io.LimitReader(r, maxText+1))
	switch {
	case err != nil:
		k.unreadable("it cannot be read to its end")
		return
	case len(data) > maxText:
		k.unreadable(fmt.Sprintf("it is longer than the limit of %d bytes; JSON Lines may be of any length", maxText))
		return
	}
	k.out.data = data
	start := bytes.TrimLeft(data, "\xEF\xBB\xBF \t\r\n")
	switch {
	case in.found && !mentions(data, "DataType", "dispatchables", "tensors"):
	case ending == ".yaml" || ending == ".yml" || ending == "" && bytes.Contains(data, []byte("\ntensors:")):
		trees, err := doctree.YAML(data)
		k.trees(trees, err, in)
	case ending == ".json" || ending == ".jsonc" || len(start) > 0 && (start[0] == '{' || start[0] == '['):
		t := new(doctree.Tree)
		k.trees([]*doctree.Tree{t}, t.JSON(data), in)
	default:
		k.notation()
	}
}

// lines checks JSON Lines as they come.
func (k *checking) lines(r io.Reader, in input) {
	if in.found {
		buffered := bufio.NewReaderSize(r, heavy)
		start, _ := buffered.Peek(heavy)
		if line, _, _ := bytes.Cut(start, []byte("\n")); !mentions(line, "DataType", "dtype") {
			return
		}
		r = buffered
	}
	l := descfile.Lines{Workers: k.flags.workers(), Options: k.flags.options(), Target: k.flags.target, Progress: k.progress.lines, Most: maxFindings}
	n, err := l.Check(r, func(f rules.Finding) error {
		k.keep(f)
		return nil
	})
	k.out.faulty = n.Unread > 0
	if err != nil {
		k.unreadable("it cannot be read to its end")
	}
	k.out.examined, k.out.descriptors = n.Descriptors > 0 || len(k.out.findings) > 0, n.Descriptors
	for i, count := range n.Count {
		k.checker.Count[i] += count
	}
}

// trees checks the documents of a text of JSON or YAML: models and configurations. In a directory, files of other
// programs are skipped; elsewhere some notation may make sense of a text that is neither.
func (k *checking) trees(trees []*doctree.Tree, err error, in input) {
	if err != nil {
		if filepath.Ext(in.path) == "" && k.recognised() {
			k.notation()
			return
		}
		k.syntax(err)
		return
	}
	var files []*rules.File
	var other *doctree.Tree
	for _, t := range trees {
		if f := descfile.Read(t); f != nil {
			files = append(files, f)
		} else if other == nil {
			other = t
		}
	}
	switch {
	case len(files) == 0 && !in.found && k.recognised():
		k.notation()
		return
	case other != nil && !in.found:
		k.out.faulty = true
		f := rules.Finding{Rule: rules.Syntax, Severity: rules.Error,
			Message: "it is neither a configuration of layoutcalc nor a model of DxDispatch"}
		if len(trees) > 1 {
			f.Place = other.Root().Place()
		}
		k.checker.Add(f)
	}
	for _, f := range files {
		k.file(f)
	}
}

// recognised reports whether the text has the form of a notation.
func (k *checking) recognised() bool {
	return len(k.out.data) <= layout.MaxText && notation.Recognises(string(k.out.data))
}

// mentions reports whether any of the words is in the text. A file that a directory has and that
// does not mention what we look for is somebody else's.
func mentions(text []byte, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(text, []byte(w)) })
}

// tensor checks the tensor of the command line.
func (k *checking) tensor(t layout.Tensor) {
	k.described(notation.Descriptor{Tensor: t, Plain: t.Name() == "row-major", Computed: true}, textSource{})
}

// notation checks what a text describes in some notation.
func (k *checking) notation() {
	if bytes.Contains(k.out.data, []byte(verboseMark)) {
		k.log()
		return
	}
	if len(k.out.data) > layout.MaxText {
		k.unreadable(fmt.Sprintf("a text of more than %d bytes that is neither JSON nor YAML", layout.MaxText))
		return
	}
	found, err := k.flags.tensor.readAll(string(k.out.data))
	if name := k.flags.tensor.notation.tensor; err == nil && name != "" {
		var one notation.Descriptor
		one, err = notation.Choose(found, name)
		found = []notation.Descriptor{one}
	}
	if err != nil {
		k.syntax(err)
		return
	}
	for _, d := range found {
		k.described(d, textSource{k.out.data, d.At, 0})
	}
}

// verboseMark is in the lines of oneDNN's log that tell of primitives.
const verboseMark = "_verbose,"

// log checks the lines of a log that are oneDNN's. What of a line is no tensor is not our business.
func (k *checking) log() {
	verbose, err := notation.Find("onednn-verbose")
	if err != nil {
		return
	}
	number := 0
	for line := range bytes.Lines(k.out.data) {
		if bytes.Contains(line, []byte(verboseMark)) {
			k.logLine(verbose, bytes.TrimRight(line, "\r\n"), number)
		}
		number++
	}
}

// logLine checks the tensors of a line.
func (k *checking) logLine(verbose *notation.Notation, line []byte, number int) {
	found, err := verbose.Read(string(line), notation.Options{Dims: k.flags.tensor.notation.dims})
	var syntax *layout.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset > 0 {
		place := textSource{line, syntax.Offset, number}.Place(rules.Whole, -1)
		k.checker.Add(rules.Finding{Rule: rules.Syntax, Severity: rules.Warning, Place: place, Message: syntax.Msg, Fix: syntax.Hint})
	}
	for _, d := range found {
		k.described(d, textSource{line, d.At, number})
	}
}

// notationFamily returns whose rules tensors follow that are written so.
func notationFamily(name string) rules.Family {
	switch name {
	case "dml", "dxdispatch":
		return rules.DirectML
	case "onednn", "onednn-tag", "onednn-verbose":
		return rules.OneDNN
	case "pytorch", "fx":
		return rules.PyTorch
	case "mdspan":
		return rules.Mdspan
	}
	return rules.None
}

// described checks a tensor that is known already.
func (k *checking) described(n notation.Descriptor, at textSource) {
	l := n.Tensor.Layout()
	own := rules.Target{}
	if n.Notation != nil {
		own.Family = notationFamily(n.Notation.Name)
	}
	d := rules.Descriptor{
		Name: n.Name, TypeName: n.Tensor.DType().String(), Type: n.Tensor.DType(), TypeKnown: true,
		Sizes: l.Sizes(), Base: l.Base(), Flags: n.Flags, Computed: n.Computed || !raw(n), Source: at,
		Total:     rules.Number{Value: n.Bytes, Stated: n.Bytes != 0},
		Alignment: rules.Number{Value: n.Alignment, Stated: n.Alignment != 0},
	}
	if d.Name == "" {
		d.Name = strings.Trim(strings.ReplaceAll(fmt.Sprint(l.Sizes()), " ", "x"), "[]")
	}
	switch k.flags.role {
	case "input":
		d.Role = rules.Input
	case "output":
		d.Role = rules.Output
	}
	if !n.Plain {
		place(&d, n.Tensor)
	}
	k.out.examined = true
	k.out.descriptors++
	k.checker.Check(k.target(own), &d)
}

// raw reports whether a descriptor is the struct itself, whose size nobody computes.
func raw(n notation.Descriptor) bool { return n.Notation != nil && n.Notation.Name == "dml" }

// place gives the descriptor the strides of a tensor, the name of its layout where that is in
// blocks, or a dimension for each digit where it has no name.
func place(d *rules.Descriptor, t layout.Tensor) {
	l := t.Layout()
	strides, ok := l.LinearStrides()
	if d.Strides = strides; ok {
		return
	}
	if named, err := notation.Find("name"); err == nil {
		if text, err := named.Write(t); err == nil && !strings.Contains(text, "=") {
			d.Layout = text[strings.LastIndexByte(text, ' ')+1:]
			return
		}
	}
	d.Sizes = nil
	for i := range l.Rank() {
		for digit := range l.Axis(i).Digits() {
			d.Sizes = append(d.Sizes, l.Axis(i).Digit(digit).Extent)
			d.Strides = append(d.Strides, l.Axis(i).Digit(digit).Stride)
		}
	}
}

// A textSource knows where a descriptor of a notation stands: all its parts at one place.
type textSource struct {
	data   []byte // nil is no place
	at     int
	before int // the lines before the data
}

// Place returns the place of the descriptor.
func (s textSource) Place(rules.Part, int) rules.Place {
	if s.data == nil {
		return rules.Place{}
	}
	p := doctree.PlaceIn(s.data, s.at)
	p.Line += s.before
	return p
}
