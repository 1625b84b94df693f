//go:build !race

package descfile

import (
	"strings"
	"testing"

	"layoutcalc/layout/rules"
)

// The race detector makes room where nothing else does.
func TestLinesTakeNoRoom(t *testing.T) {
	w := newLineWorker(Lines{Options: rules.Options{Shown: rules.Warning}})
	w.check(&chunk{data: []byte(theLine)})
	text := []byte(strings.Repeat(theLine, 100))
	if n := testing.AllocsPerRun(10, func() { w.check(&chunk{data: text}) }); n > 1 {
		t.Errorf("%v allocations for 100 lines", n)
	}
}
