package notation

import (
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout"
)

// fitsInterface knows the keys of the dictionaries that describe arrays: those of
// __array_interface__ and of the header of an .npy file.
func fitsInterface(text string) bool {
	return strings.Contains(text, "typestr") || strings.Contains(text, "fortran_order")
}

// readInterface reads such a dictionary.
func readInterface(r *reader) {
	items := r.entries(0)
	if len(items) != 1 || items[0].kind != list {
		r.fail(0, "such as {'shape': (2, 3), 'typestr': '<f4'}", "a dictionary in braces is expected")
		return
	}
	fields := slices.Clone(items[0].list)
	slices.Reverse(fields) // of a key that is given twice, the last counts
	for i, e := range fields {
		if e.key == "descr" && e.kind == list {
			fields[i].value = r.onlyType(e.value)
		}
	}
	r.numpyFields(items[0].at, r.buffer(fields))
}

// onlyType returns the type of elements that are listed as structures of one field without a
// name, [(”, '<f4')], as NumPy prints all others.
func (r *reader) onlyType(descr value) value {
	if len(descr.list) == 1 {
		if parts := descr.list[0].list; len(parts) == 2 && parts[0].kind == str && parts[0].word == "" && parts[1].kind == str {
			return parts[1].value
		}
	}
	r.fail(descr.at, "", "the elements are structures: they have no single type")
	return descr
}

// buffer notes what the fields say of the memory. Beside an address, which is that of index 0,
// NumPy ignores the offset.
func (r *reader) buffer(fields []entry) []entry {
	if mask, ok := field(fields, "mask"); ok && !mask.isNull() {
		r.skip("the mask")
	}
	data, ok := field(fields, "data")
	if !ok || data.isNull() {
		return fields
	}
	r.skip("data, where the elements are")
	return slices.DeleteFunc(fields, func(e entry) bool { return e.key == "offset" && data.kind == list })
}

// writeInterface writes the dictionary, with strides even where None would do.
func writeInterface(t layout.Tensor) (string, error) {
	dtype, strides, err := numpyStrides(t)
	if err != nil {
		return "", err
	}
	offset := ""
	if base := t.Layout().Base(); base != 0 {
		offset = fmt.Sprintf(", 'offset': %d", base*(t.DType().Bits()/8))
	}
	return fmt.Sprintf("{'shape': %s, 'typestr': '%s', 'strides': %s%s, 'version': 3}", tuple(t.Layout().Sizes()), dtype, tuple(strides), offset), nil
}
