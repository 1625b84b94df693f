package cmd

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descfile"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/rules"
)

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
		k.tree((*doctree.Tree).YAML, in)
	case ending == ".json" || ending == ".jsonc" || len(start) > 0 && (start[0] == '{' || start[0] == '['):
		k.tree((*doctree.Tree).JSON, in)
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

// tree checks a text of JSON or YAML: a model, or a configuration. What a directory has else is
// not for us; of a text that is not, some notation may make sense.
func (k *checking) tree(parse func(*doctree.Tree, []byte) error, in input) {
	var t doctree.Tree
	known := filepath.Ext(in.path) != ""
	if err := parse(&t, k.out.data); err != nil {
		if !known && k.recognised() {
			k.notation()
			return
		}
		k.syntax(err)
		return
	}
	switch {
	case descfile.IsConfig(&t):
		f := descfile.Config(&t)
		f.ReadIgnores(&t)
		k.file(f)
	case descfile.IsDxDispatch(&t):
		k.file(descfile.DxDispatch(&t))
	case !in.found && k.recognised():
		k.notation()
	case !in.found:
		k.unreadable("it is neither a configuration of layoutcalc nor a model of DxDispatch")
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
