package layout

import (
	"slices"
	"strings"
)

// A System is a framework, a library, a compiler or a file format with its own words for element types.
type System uint8

// The systems. Those before columns have a column in the table of types.
const (
	DirectML System = iota
	PyTorch         // after torch.
	FX              // PyTorch's graph dumps
	NumPy           // the typestr on a little-endian machine
	OneDNN
	XLA
	MLIR
	Safetensors
	ONNX
	GGUF
	Others // words that several systems share, separated by blanks
	DLPack // after kDL; types of several sizes share a word

	TorchScript
	C
	mdspan
	cute

	columns = TorchScript
)

// systems are the names of each system; the first one is the name in this program.
var systems = [...][]string{
	DirectML: {"directml", "dml"}, PyTorch: {"pytorch", "torch"}, FX: {"fx"}, NumPy: {"numpy", "np"},
	OneDNN: {"onednn", "dnnl", "mkldnn"}, XLA: {"xla", "hlo", "jax"}, MLIR: {"mlir"}, Safetensors: {"safetensors"},
	ONNX: {"onnx"}, GGUF: {"gguf"}, Others: {"others"}, DLPack: {"dlpack"}, TorchScript: {"torchscript"}, C: {"c"},
	mdspan: {"mdspan", "cpp", "c++"}, cute: {"cute", "cutlass"},
}

// String returns the name of the system in this program.
func (s System) String() string { return systems[s][0] }

// SystemOf returns what the system of a name is called here: directml for DML. Other names are only put in lower case.
func SystemOf(name string) string {
	if s, ok := FindSystem(name); ok {
		return s.String()
	}
	return strings.ToLower(name)
}

// FindSystem returns the system of a name, in any case; Others if it has none.
func FindSystem(name string) (s System, ok bool) {
	name = strings.ToLower(name)
	for i, words := range systems {
		if slices.Contains(words, name) {
			return System(i), true
		}
	}
	return Others, false
}
