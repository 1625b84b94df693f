package notation_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/notation"
)

// TestNeeded compares Needed, which looks at tensors without padding in a shorter way, with the first of all
// allocations.
func TestNeeded(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 9))
	layouts := []string{"NCHW", "NHWC", "NCHW4c", "NHWC --pitch H=64", "NCHW --pad W=3", "NCHW --broadcast C",
		"NCHW --storage-offset 5", "NCHW --align H=64"}
	types := []string{"float32", "float64", "float16", "int8", "bool", "uint4", "complex64", "float8_e4m3"}
	for range 4000 {
		line := fmt.Sprintf("%dx%dx%dx%d %s -t %s", rng.IntN(3), 1+rng.IntN(6), 1+rng.IntN(6), 1+rng.IntN(6),
			layouts[rng.IntN(len(layouts))], types[rng.IntN(len(types))])
		tensor, err := layouttest.Describe(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if got, want := notation.Needed(tensor), notation.Allocations(tensor)[0].Bytes; got != want {
			t.Errorf("%s takes %d bytes, and systems allocate %d", line, got, want)
		}
	}
}
