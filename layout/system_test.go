package layout_test

import (
	"testing"

	"layoutcalc/layout"
)

func TestSystem(t *testing.T) {
	for word, want := range map[string]string{
		"dml": "directml", "DirectML": "directml", "Torch": "pytorch", "np": "numpy", "DNNL": "onednn",
		"C++": "mdspan", "jax": "xla", "cutlass": "cute", "tma": "tma", "": "",
	} {
		if got := layout.System(word); got != want {
			t.Errorf("System(%q) is %q, want %q", word, got, want)
		}
	}
}
