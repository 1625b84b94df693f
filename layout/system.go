package layout

import (
	"slices"
	"strings"
)

// systems are the words for each system that has several; the first one is what it is called here.
var systems = [...][]string{
	{"directml", "dml"},
	{"pytorch", "torch"},
	{"numpy", "np"},
	{"onednn", "dnnl", "mkldnn"},
	{"mdspan", "cpp", "c++"},
	{"cute", "cutlass"},
	{"xla", "hlo", "jax"},
}

// System returns what the system of a name is called here: directml for DML. Other names are only put in lower case.
func System(name string) string {
	name = strings.ToLower(name)
	for _, words := range systems {
		if slices.Contains(words, name) {
			return words[0]
		}
	}
	return name
}
