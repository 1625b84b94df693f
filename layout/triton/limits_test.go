package triton

import (
	"fmt"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/lexer"
)

// TestFindings checks the configurations of testdata/limits.txt, which are at the limits of rules. Each block has the
// files of a repository, and then the findings in the first file, with words, positions and fixes, and a list of
// omitted checks. If "tensors" follows the name of the file, only its tensors are listed. Other tests state why a
// configuration is right or wrong.
func TestFindings(t *testing.T) {
	layouttest.Limits(t, *update, func(text string) string { return repositoryFindings(t, text) })
}

// repositoryFindings returns the findings in the first of some files, one per line. Each file is its path and its
// lines, which start with spaces. If the first path has no directory, the file is a configuration alone.
func repositoryFindings(t *testing.T, text string) string {
	files, first, tensors := fstest.MapFS{}, "", false
	for file := range strings.SplitSeq(text, "\n@ ") {
		name, data, _ := strings.Cut(file, "\n")
		if first == "" {
			name, tensors = strings.CutSuffix(name, " tensors")
			first = name
		}
		if strings.HasSuffix(name, ".onnx") && strings.HasPrefix(data, "ir_version") {
			model, err := layouttest.ONNX(data)
			if err != nil {
				t.Fatal(err)
			}
			data = string(model)
		}
		files[name] = &fstest.MapFile{Data: []byte(data)}
	}
	c, err := Read(files[first].Data)
	if err != nil {
		e := err.(*lexer.SyntaxError)
		return fmt.Sprintf("error at %d: %s | %s", e.Offset, e.Msg, e.Hint)
	}
	var at *Location
	if model, _, ok := strings.Cut(first, "/"); ok {
		at = repository(files, model)
		if path.Base(path.Dir(first)) == configsName {
			at.Sub = configsName
		}
	}
	f, notes := c.Check(at)
	var lines []string
	ignores, wrong := finding.Ignores(f.Comments, Rules)
	for _, f := range append(f.Findings, wrong...) {
		lines = append(lines, fmt.Sprintf("%d:%d %v [%v] %s %s: %s | %s", f.Line, f.Column, f.Severity, f.Rule,
			f.Tensor, f.Pointer, f.Message, f.Fix))
		if f.Line == 0 || f.Message == "" {
			t.Errorf("%s: a finding without a place: %+v", text, f)
		}
	}
	for _, note := range notes {
		lines = append(lines, "note: "+note)
	}
	for _, ignore := range ignores {
		lines = append(lines, fmt.Sprintf("ignore %s on %d", ignore.Rule, ignore.Line))
	}
	if tensors {
		lines = nil
		for v := range c.Values {
			lines = append(lines, fmt.Sprintf("tensor %s %s known %v %d open %q", v.Name, v.TypeName, v.TypeKnown,
				v.Sizes, v.Open))
		}
	}
	return strings.Join(lines, "\n")
}
