package layout_test

import (
	"testing"

	"layoutcalc/layout"
)

func TestSystemOf(t *testing.T) {
	for word, want := range map[string]string{
		"dml": "directml", "DirectML": "directml", "Torch": "pytorch", "np": "numpy", "DNNL": "onednn",
		"C++": "mdspan", "jax": "xla", "cutlass": "cute", "tma": "tma", "": "",
	} {
		if got := layout.SystemOf(word); got != want {
			t.Errorf("SystemOf(%q) is %q, want %q", word, got, want)
		}
	}
}
