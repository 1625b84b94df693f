package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/project"
	"layoutcalc/layout/rules"
)

// TestWriteBaseline checks that a baseline is JSON with a line for each finding, and is the same when it is read.
func TestWriteBaseline(t *testing.T) {
	b := project.NewBaseline()
	paths := []string{"a.json", "a.json", "b \"é\".json", "\x00\xff\u2028\n"}
	for _, path := range paths {
		b.Add(path, &finding.Finding{Rule: rules.Gaps, Tensor: "<y>"})
	}
	var text, again bytes.Buffer
	check(t, WriteBaseline(&text, b))
	if lines := strings.Count(text.String(), "\n"); lines != 5 || !json.Valid(text.Bytes()) {
		t.Errorf("%d lines: %s", lines, text.String())
	}
	read, err := project.ReadBaseline(text.Bytes())
	check(t, err)
	check(t, WriteBaseline(&again, read))
	if again.String() != text.String() || len(read.All()) != 3 {
		t.Errorf("written again as %s", again.String())
	}
	if err := WriteBaseline(&limited{10}, b); err == nil {
		t.Error("written to a full device")
	}
	var empty bytes.Buffer
	check(t, WriteBaseline(&empty, project.NewBaseline()))
	if none, err := project.ReadBaseline(empty.Bytes()); err != nil || len(none.All()) != 0 {
		t.Errorf("empty: %v", err)
	}
}
