package cmd

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"layoutcalc/layout/input"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/spec"
	"layoutcalc/render"
)

// A checkInput is one thing to check: a file, standard input, or the tensor of the arguments.
type checkInput struct {
	path   string
	dir    string            // of the arguments, where the file was found: it may be something else than descriptors
	link   bool              // in that directory it is a link
	stdin  bool              // path is what to call it
	text   *input.Input      // of the arguments
	tensor *rules.Descriptor // of the arguments, adjusted by flags
	err    error             // why the text cannot be read
}

// inputs returns what the arguments name: files, directories and -, or the tensor that they
// describe. What is a file is never taken for a tensor: a shell may have listed it.
func (a *app) inputs(f *checkFlags, args []string) ([]checkInput, error) {
	var all []checkInput
	for i, arg := range args {
		info, err := os.Stat(arg)
		if path, ok := input.Path(arg); ok && err != nil {
			arg = path
			info, err = os.Stat(arg)
		}
		isPath := arg != args[i] || !input.Recognises(arg) && strings.ContainsAny(arg, `/\.`)
		switch {
		case arg == "-" && slices.Contains(args[:i], "-"):
			return nil, errReadTwice
		case arg == "-":
			all = append(all, checkInput{path: cmp.Or(f.stdin, "<stdin>"), stdin: true})
		case err == nil && info.IsDir():
			f.dirs = append(f.dirs, arg)
			all = append(all, a.walk(arg)...)
		case i > 0 || err == nil || isPath:
			all = append(all, checkInput{path: arg})
		default:
			return f.described(args)
		}
	}
	all = once(all)
	if f.tensor.shapes() {
		return nil, refuse("files say themselves how their tensors lie",
			"--strides, --pad, --view and their like shape a tensor of the command line")
	}
	return all, nil
}

// described returns the input that is the tensor of the arguments.
func (f *checkFlags) described(args []string) ([]checkInput, error) {
	in, rest, err := f.tensor.find(args, 0)
	_, shape := spec.ParseShape(args[0])
	if err != nil && shape != nil && !input.Recognises(args[0]) {
		const hint = "such as model.json, or 1x3x224x224 --strides 150528,1,672,3"
		return nil, refuse(render.Quote(args[0])+" is neither a file nor a tensor", hint)
	}
	if err != nil && shape != nil && len(args) == 1 {
		in, err = input.Text(args[0], f.tensor.options()) // what is wrong with it is a finding
		f.tensor.whole = true
	}
	if in != nil && f.tensor.whole && len(rest) == 0 && !f.tensor.shapes() {
		return []checkInput{{path: argsName, text: in, err: err}}, nil
	}
	t, err := f.tensor.only(args)
	if err != nil {
		return nil, err
	}
	d := input.Describe(t)
	return []checkInput{{path: argsName, tensor: &d}}, nil
}

// argsName is the path of what is checked where it is the arguments.
const argsName = "<args>"

// walk returns the files in a directory, and in those inside it, in order. Hidden ones are left out. A link is taken
// like the file that it leads to; one that leads nowhere is a file that cannot be opened, where its name says that it
// is ours. A link to a directory elsewhere is not followed, and noted.
func (a *app) walk(dir string) (all []checkInput) {
	root, _ := filepath.EvalSymlinks(dir)
	var elsewhere []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		ours := input.IsConfigName(path)
		hidden := strings.HasPrefix(d.Name(), ".") && path != dir && !ours
		in := checkInput{path: path, dir: dir, link: d.Type()&fs.ModeSymlink != 0}
		info, linkErr := fs.FileInfo(nil), error(nil)
		if in.link && !hidden {
			info, linkErr = os.Stat(path)
		}
		switch {
		case hidden && d.IsDir():
			return fs.SkipDir
		case err != nil:
			all = append(all, checkInput{path: path, dir: dir}) // to open it will fail too
		case hidden:
		case info != nil && info.IsDir():
			if to, err := filepath.EvalSymlinks(path); err != nil || !isInside(to, root) {
				elsewhere = append(elsewhere, path)
			}
		case !input.IsKnownName(path):
		case d.Type().IsRegular(), info != nil && info.Mode().IsRegular(),
			linkErr != nil && (ours || input.IsHeaderName(path)):
			all = append(all, in)
		}
		return nil
	})
	if n := len(elsewhere); n > 0 {
		text := elsewhere[0] + " is a link to a directory elsewhere, which is not searched"
		if n > 1 {
			const note = "%s and %d more are links to directories elsewhere, which are not searched"
			text = fmt.Sprintf(note, elsewhere[0], n-1)
		}
		a.note(text)
	}
	return all
}

// isInside reports whether a path is that of a directory or of something in it.
func isInside(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// once leaves out the files of directories that are there already, by another path or a link. Of a file and the
// links to it that directories have, the file stays.
func once(inputs []checkInput) []checkInput {
	type looks struct{ size, time int64 }
	seen := map[looks][]fs.FileInfo{} // files that look the same
	missing := map[string]bool{}      // paths
	again := make([]bool, len(inputs))
	for _, turn := range [...]struct{ found, link bool }{{false, false}, {true, false}, {true, true}} {
		for i, in := range inputs {
			info, err := os.Stat(in.path)
			if (in.dir != "") != turn.found || in.link != turn.link || in.stdin {
				continue
			}
			if err != nil {
				again[i] = turn.found && missing[in.path]
				missing[in.path] = true
				continue
			}
			k := looks{info.Size(), info.ModTime().UnixNano()}
			same := func(other fs.FileInfo) bool { return os.SameFile(info, other) }
			if slices.ContainsFunc(seen[k], same) {
				again[i] = turn.found
			} else {
				seen[k] = append(seen[k], info)
			}
		}
	}
	var left []checkInput
	for i, in := range inputs {
		if !again[i] {
			left = append(left, in)
		}
	}
	return left
}
