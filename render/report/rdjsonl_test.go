package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A diagnostic has the fields of reviewdog's message Diagnostic (proto/rdf/reviewdog.proto) that are written.
type diagnostic struct {
	Message  string `json:"message"`
	Location struct {
		Path  string `json:"path"`
		Range *struct {
			Start position  `json:"start"`
			End   *position `json:"end"`
		} `json:"range"`
	} `json:"location"`
	Severity string `json:"severity"`
	Source   struct {
		Name string `json:"name"`
	} `json:"source"`
	Code struct {
		Value string `json:"value"`
	} `json:"code"`
}

type position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// readRDJSONL parses a report as reviewdog does, which refuses fields that it does not know.
func readRDJSONL(t testing.TB, text string) (list []diagnostic) {
	t.Helper()
	for _, line := range lineList(t, text) {
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		var got diagnostic
		if err := d.Decode(&got); err != nil || d.More() {
			t.Fatalf("%v in\n%.2000s", err, line)
		}
		if r := got.Location.Range; !slices.Contains([]string{"ERROR", "WARNING", "INFO"}, got.Severity) ||
			r != nil && (r.Start.Line < 1 || r.End != nil && (r.Start.Column < 1 || r.End.Column <= r.Start.Column)) {
			t.Errorf("%s", line)
		}
		list = append(list, got)
	}
	return list
}

func TestRDJSONL(t *testing.T) {
	const want = `{"message": "OutputTensor: (0,3) and (1,0) are both element 9\nfix: strides 4,1", ` +
		`"location": {"path": "model.json", ` +
		`"range": {"start": {"line": 3, "column": 15}, "end": {"line": 3, "column": 16}}}, ` +
		`"severity": "ERROR", "source": {"name": "layoutcalc"}, "code": {"value": "overlap-output"}}
{"message": "needs 6.2", "location": {"path": "model.json", "range": {"start": {"line": 4}}}, ` +
		`"severity": "WARNING", "source": {"name": "layoutcalc"}, "code": {"value": "op-level"}}
{"message": "w is in Fortran order", "location": {"path": "dir with space/w.npy"}, ` +
		`"severity": "INFO", "source": {"name": "layoutcalc"}, "code": {"value": "file-order"}}
`
	text := written(t, RDJSONL, Options{}, sample(), "clean.json")
	if diff := cmp.Diff(want, text); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	readRDJSONL(t, text)
	if text := written(t, RDJSONL, Options{}, nil, "clean.json"); text != "" {
		t.Errorf("a clean report is %q", text)
	}
}
