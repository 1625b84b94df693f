package input_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/input"
)

// TestReadings has strings and files of all kinds in testdata/readings.txt, in the format of limits.txt, with the
// results that commands need: the tensors of names, the names, the sums of a file, findings, and the system of view
// steps.
func TestReadings(t *testing.T) {
	data, err := os.ReadFile("testdata/readings.txt")
	if err != nil {
		t.Fatal(err)
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(string(data), "== "), "\n== ") {
		reason, block, _ := strings.Cut(part, "\n")
		block, want, _ := strings.Cut(block, "\n--\n")
		want = strings.TrimSuffix(want, "\n")
		if got := brief(t, block); got != want {
			t.Errorf("%s\n%s\nis   %s\nwant %s", reason, block, got, want)
		}
	}
}

// brief returns the tensors, notes and findings in a block, separated by semicolons.
func brief(t *testing.T, block string) string {
	r := parseReading(t, block)
	if _, err := r.read(); err != nil {
		return "! " + placed(err)
	}
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	for _, name := range r.tensors {
		in, err := r.read() // again: lines are read once
		if err != nil {
			t.Fatal(err)
		}
		x, err := in.Tensor(name)
		if err != nil {
			add("! %s", placed(err))
			continue
		}
		add("%v %v", x.Layout(), x.DType())
		for _, note := range x.Notes {
			add("note %s", note)
		}
	}
	in, err := r.read()
	if err != nil {
		t.Fatal(err)
	}
	if names := in.Names(3); len(names) > 1 {
		add("names %s", strings.Join(names, ", "))
	}
	if of := in.StepSystem(); of == layout.NumPy || in.IsXLA() {
		add("steps of %v, XLA %t", of, in.IsXLA())
	}
	for d, f := range in.Descriptors() {
		if f != nil {
			add("%d:%d %s", f.Line, f.Column, f.Message)
		} else if d.Layout != "" {
			add("layout %s", d.Layout)
		}
	}
	if in.Kind == input.Index {
		for range in.Parts(1, new(sync.Map), nil) {
		}
	}
	for _, file := range in.Files {
		for _, f := range file.Findings {
			add("%s: %s", f.Rule, f.Message)
		}
	}
	in.Notes = nil
	list, err := in.List(nil, nil)
	switch {
	case err != nil:
		add("sums: ! %s", placed(err))
	case list != nil:
		add("sums: %v", list.Sums.All)
		for _, sum := range list.Sums.Types() {
			add("%v", sum)
		}
	}
	for _, note := range in.Notes {
		add("note %s", note)
	}
	return strings.Join(parts, "; ")
}

// placed writes an error with its place and its hint.
func placed(err error) string {
	text := err.Error()
	if at := strings.Index(told(err), " | at "); at >= 0 {
		place, _, _ := strings.Cut(told(err)[at+len(" | at "):], " ")
		text += " at " + place
	}
	if at := strings.LastIndex(told(err), " | "); at >= 0 {
		if hint := told(err)[at+3:]; !strings.HasPrefix(hint, "at ") && hint != "" {
			text += " | " + hint
		}
	}
	return text
}
