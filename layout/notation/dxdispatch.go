package notation

import (
	"fmt"
	"strings"

	"layoutcalc/layout"
)

// fitsDxDispatch knows DirectML's members as JSON keys.
func fitsDxDispatch(text string) bool {
	return strings.Contains(text, `"DataType"`) || strings.Contains(text, `"Sizes"`)
}

// readDxDispatch reads a descriptor of a DxDispatch model, or a list of them. A name before the
// descriptor is the tensor's.
func readDxDispatch(r *reader) {
	for _, item := range r.entries(0) {
		r.dxTensor(item)
	}
}

// dxTensor reads a descriptor, one that is wrapped in Type and Desc, or those of a list.
func (r *reader) dxTensor(item entry) {
	if item.kind != list {
		r.fail(item.at, `such as { "DataType": "FLOAT32", "Sizes": [1, 3, 224, 224] }`, "an object in braces is expected")
		return
	}
	if item.open == '[' {
		for _, inner := range item.list {
			r.dxTensor(inner)
		}
		return
	}
	if desc, ok := field(item.list, "Desc"); ok {
		r.dxTensor(entry{item.key, desc})
		return
	}
	if _, ok := field(item.list, dmlFields[:]...); !ok && len(item.list) > 0 {
		for _, inner := range item.list {
			if inner.kind == list {
				r.dxTensor(inner)
			}
		}
		return
	}
	r.dmlTensor(item.key, item.list, nil)
}

// writeDxDispatch writes the descriptor as JSON.
func writeDxDispatch(t layout.Tensor) (string, error) {
	dtype, strides, packed, err := dmlNumbers(t)
	if err != nil {
		return "", err
	}
	given := ""
	if !packed {
		given = fmt.Sprintf(`, "Strides": [%s]`, layout.JoinInts(strides, ","))
	}
	return fmt.Sprintf(`{ "DataType": "%s", "Sizes": [%s]%s, "DimensionCount": %d, "TotalTensorSizeInBytes": %d }`,
		dtype, layout.JoinInts(t.Layout().Sizes(), ","), given, len(strides), t.BufferBytes()), nil
}
