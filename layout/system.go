package layout

import (
	"slices"
	"strings"
)

// A System is a framework, a library, a compiler, a file format or an API that has tensors or images.
type System uint8

// The systems. The ones before columns have a column in the table of types, with their names for element types.
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
	Others // words that several systems share, separated by spaces
	DLPack // after kDL; types of several sizes share a word

	TorchScript
	C
	Mdspan
	CuTe
	cuDNN
	ggml
	Triton
	Zarr
	D3D12
	WebGPU
	Vulkan

	columns = TorchScript
)

// systems are the names of each system: as its users write it, followed by the names for flags. The first of these is
// its name in this program.
var systems = [...]struct {
	title string
	names []string
}{
	DirectML:    {"DirectML", []string{"directml", "dml", "dxdispatch"}},
	PyTorch:     {"PyTorch", []string{"pytorch", "torch"}},
	FX:          {"PyTorch", []string{"fx"}},
	NumPy:       {"NumPy", []string{"numpy", "np"}},
	OneDNN:      {"oneDNN", []string{"onednn", "dnnl", "mkldnn"}},
	XLA:         {"XLA", []string{"xla", "hlo", "jax"}},
	MLIR:        {"MLIR", []string{"mlir"}},
	Safetensors: {"safetensors", []string{"safetensors"}},
	ONNX:        {"ONNX", []string{"onnx"}},
	GGUF:        {"GGUF", []string{"gguf"}},
	Others:      {"others", []string{"others"}},
	DLPack:      {"DLPack", []string{"dlpack"}},
	TorchScript: {"PyTorch", []string{"torchscript"}},
	C:           {"C", []string{"c"}},
	Mdspan:      {"mdspan", []string{"mdspan", "cpp", "c++"}},
	CuTe:        {"CuTe", []string{"cute", "cutlass"}},
	cuDNN:       {"cuDNN", []string{"cudnn"}},
	ggml:        {"ggml", []string{"ggml"}},
	Triton:      {"Triton", []string{"triton"}},
	Zarr:        {"Zarr", []string{"zarr"}},
	D3D12:       {"D3D12", []string{"d3d12"}},
	WebGPU:      {"WebGPU", []string{"webgpu"}},
	Vulkan:      {"Vulkan", []string{"vulkan"}},
}

// String returns the name of the system in this program.
func (s System) String() string { return systems[s].names[0] }

// Title returns the name of the system as its users write it.
func (s System) Title() string { return systems[s].title }

// SystemOf returns the name of a system in this program: directml for DML. It converts other names to lower case.
func SystemOf(name string) string {
	if s, ok := FindSystem(name); ok {
		return s.String()
	}
	return strings.ToLower(name)
}

// FindSystem returns the system with a name, ignoring case. For other names, it returns Others and false.
func FindSystem(name string) (s System, ok bool) {
	name = strings.ToLower(name)
	for i := range systems {
		if slices.Contains(systems[i].names, name) {
			return System(i), true
		}
	}
	return Others, false
}
