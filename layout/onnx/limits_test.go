package onnx

import (
	"bytes"
	"flag"
	"fmt"
	"strings"
	"testing"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/tensorfile"
)

var update = flag.Bool("update", false, "rewrite what is found in testdata/limits.txt")

// TestLimits checks the models of testdata/limits.txt, which are at the limits of rules, in protobuf's text format. The
// first line of a case states what follows the model: all findings in it as a file (check) or as a stream (stream), its
// tensors and values (list), or the positions of its tensors' elements (find). Other tests state why a model is right
// or wrong.
func TestLimits(t *testing.T) {
	layouttest.Limits(t, *update, func(text string) string { return inModel(t, text) })
}

// beside returns the data file at location. It is missing unless it is one of these.
func beside(location string) DataFile {
	f := DataFile{}
	switch location {
	case "w.bin", "sub/w.bin", "a..b.bin":
		f.Size = 24
	case "large.bin":
		f.Size = 1 << 20
	case "link.bin":
		f.Size, f.Link = 24, "a link to w.bin"
	case "model.bin":
		f.Size, f.Model = 1<<20, true
	case "lfs.bin":
		f.Size = 20
		f.Other = &finding.Finding{Rule: tensorfile.LFSPointer, Message: "a pointer", Fix: "fetch it"}
	case "other.bin":
		f.Other = &finding.Finding{Rule: tensorfile.NotTheFile, Message: "a page"}
	default:
		f.Missing = "is missing"
	}
	return f
}

// inModel returns the findings in a model, or in its tensors, one per line.
func inModel(t *testing.T, text string) string {
	how, text, _ := strings.Cut(text, "\n")
	data := encoded(t, text)
	m, err := Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "error " + err.Error()
	}
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	var names []string
	list := func(kind string, tensors ...Tensor) {
		for i := range tensors {
			x := &tensors[i]
			add("%s %q %v %v, %d bytes at %v", kind, x.Name, x.Type, x.Dims, x.Bytes(), x.Span)
			names = append(names, x.Name)
		}
	}
	for _, g := range append([]*Graph{m.Graph}, m.Inner...) {
		list("initializer", g.Initializers...)
		list("constant", g.Constants...)
		for i := range g.Sparse {
			list("sparse", g.Sparse[i].Values, g.Sparse[i].Indices)
		}
		for i, values := range [][]Value{g.Inputs, g.Outputs, g.Fed()} {
			for _, v := range values {
				add("%s %q %v %v of form %d", []string{"input", "output", "fed"}[i], v.Name, v.Type, v.Dims, v.Form)
				names = append(names, v.Name)
			}
		}
	}
	of := beside
	switch how {
	case "list":
		return strings.Join(lines, "\n")
	case "find":
		return strings.Join(places(m, append(names, "", "no such name")), "\n")
	case "stream":
		of = nil
	}
	lines = nil
	m.Check(of, func(f finding.Finding) {
		add("%v [%v] %q %q %v: %s | %s", f.Severity, f.Rule, f.Tensor, f.Pointer, f.Bytes, f.Message, f.Fix)
	})
	return strings.Join(lines, "\n")
}

// places returns the positions of the elements of named tensors, one per line.
func places(m *Model, names []string) (lines []string) {
	for _, name := range names {
		place, err := m.Find(name, beside)
		if err != nil {
			lines = append(lines, fmt.Sprintf("find %q: %v", name, err))
			continue
		}
		lines = append(lines, fmt.Sprintf("find %q: %q in %q from %d on, %d bytes, %x", name, place.Tensor.Name,
			place.Location, place.Start, place.Bytes, place.Elements))
	}
	return lines
}
