package descfile

import (
	"testing"

	"layoutcalc/layout/rules"
)

// TestDxDispatchExamples runs the examples of the rules of operators and models.
func TestDxDispatchExamples(t *testing.T) {
	for id := rules.OwnedOp; id <= rules.JSONField; id++ {
		r := id.Rule()
		switch {
		case id > rules.OwnedOp && id < rules.OpKnown:
			continue
		case id == rules.GraphEdge || id == rules.GraphOwned:
			continue // a model has no graphs
		}
		bad := dxExample(t, r.Bad)
		found := false
		for _, f := range bad {
			found = found || f.Rule == id
			if f.Severity > r.Severity {
				t.Errorf("%v: the bad example has worse:%s", id, dxShown([]rules.Finding{f}))
			}
		}
		if !found {
			t.Errorf("%v: the bad example is fine: %s%s", id, r.Bad, dxShown(bad))
		}
		for _, f := range dxExample(t, r.Good) {
			if f.Rule == id || f.Severity > rules.Note {
				t.Errorf("%v: the good example has%s", id, dxShown([]rules.Finding{f}))
			}
		}
		if r.What == "" || r.Why == "" || r.Source == "" || r.Fix == "" {
			t.Errorf("%v: the row is not complete", id)
		}
	}
}

func dxExample(t *testing.T, text string) []rules.Finding {
	return dxCheck(t, text, dxRead(t, text).Target)
}
