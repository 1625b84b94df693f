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

// TestLimits checks the models of testdata/limits.txt, which sit at the limits of rules, written in protobuf's text
// format: each is followed by all that is found in it, by what it has, and by where the elements of its tensors are.
// Why a model is right or wrong is said where it is tested with a reason.
func TestLimits(t *testing.T) {
	layouttest.Limits(t, *update, func(text string) string { return inModel(t, text) })
}

// beside returns a file of data by its name, which may be another than data.
func beside(location string) DataFile {
	f := DataFile{}
	switch location {
	case "w.bin", "sub/w.bin", "a..b.bin":
		f.Size = 24
	case "large.bin":
		f.Size = 1 << 20
	case "link.bin":
		f.Size, f.Link = 24, true
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

// inModel returns all that is found in a model and in its tensors, a line each.
func inModel(t *testing.T, text string) string {
	data := encoded(t, text)
	m, err := Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "error " + err.Error()
	}
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, of := range []func(string) DataFile{beside, nil} {
		if of == nil {
			if !strings.Contains(text, "EXTERNAL") {
				continue
			}
			add("from a stream:")
		}
		m.Check(of, func(f finding.Finding) {
			add("%v [%v] %q %q %v: %s | %s", f.Severity, f.Rule, f.Tensor, f.Pointer, f.Bytes, f.Message, f.Fix)
		})
	}
	names := []string{"", "no such name"}
	for _, g := range append([]*Graph{m.Graph}, m.Inner...) {
		tensors := func(kind string, list []Tensor) {
			for i := range list {
				x := &list[i]
				add("%s %q %v %v, %d bytes at %v", kind, x.Name, x.Type, x.Dims, x.Bytes(), x.Span())
				names = append(names, x.Name)
			}
		}
		tensors("initializer", g.Initializers)
		tensors("constant", g.Constants)
		for i := range g.Sparse {
			tensors("sparse", []Tensor{g.Sparse[i].Values, g.Sparse[i].Indices})
		}
		for i, list := range [][]Value{g.Inputs, g.Outputs, g.Fed()} {
			for _, v := range list {
				add("%s %q %v %v of form %d", []string{"input", "output", "fed"}[i], v.Name, v.Type, v.Dims, v.Form)
				names = append(names, v.Name)
			}
		}
	}
	for _, name := range names {
		place, err := m.Find(name, beside)
		if err != nil {
			add("find %q: %v", name, err)
			continue
		}
		add("find %q: %q in %q from %d on, %d bytes, %x", name, place.Tensor.Name, place.Location, place.Start,
			place.Bytes, place.Elements)
	}
	return strings.Join(lines, "\n")
}
