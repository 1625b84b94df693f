package cmd

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/render"
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
