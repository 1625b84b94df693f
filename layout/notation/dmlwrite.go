package notation

import (
	"fmt"
	"math"

	"layoutcalc/layout"
)

// maxDMLRank is the most axes that DirectML takes.
const maxDMLRank = 8

// dmlNumbers returns the type and the strides of a tensor, or says why DirectML cannot describe
// it. Without strides it is packed.
func dmlNumbers(t layout.Tensor) (dtype string, strides []int64, packed bool, err error) {
	strides, err = terms{zero: true, rank: maxDMLRank}.strides(t)
	if err != nil {
		return "", nil, false, err
	}
	l := t.Layout()
	packed = true
	next := int64(1)
	for i := l.Rank() - 1; i >= 0; i-- {
		size := l.Axis(i).Size()
		if size == 1 && strides[i] > math.MaxUint32 {
			strides[i] = 0 // it never counts
		}
		switch {
		case size == 0:
			return "", nil, false, lost(t, "sizes are 1 or more, and that of axis %s is 0", l.AxisName(i))
		case size > math.MaxUint32 || strides[i] > math.MaxUint32:
			return "", nil, false, lost(t, "sizes and strides have 32 bits, and axis %s has the size %d and the stride %d", l.AxisName(i), size, strides[i])
		}
		packed = packed && (size == 1 || strides[i] == next)
		next *= size
	}
	if l.Rank() == 0 {
		return "", nil, false, lost(t, "it has at least one axis: --rank 1 gives the scalar one")
	}
	dtype, err = spelled(t, t.DType().Info().DirectML)
	return dtype, strides, packed, err
}

// writeDML writes the struct and its arrays.
func writeDML(t layout.Tensor) (string, error) {
	dtype, strides, packed, err := dmlNumbers(t)
	if err != nil {
		return "", err
	}
	n := len(strides)
	arrays := fmt.Sprintf("const UINT sizes[%d] = { %s };\n", n, layout.JoinInts(t.Layout().Sizes(), ", "))
	pointer := "nullptr"
	if !packed {
		arrays += fmt.Sprintf("const UINT strides[%d] = { %s };\n", n, layout.JoinInts(strides, ", "))
		pointer = "strides"
	}
	return arrays + fmt.Sprintf(`DML_BUFFER_TENSOR_DESC desc = {
    DML_TENSOR_DATA_TYPE_%s, // DataType
    DML_TENSOR_FLAG_NONE, // Flags
    %d, // DimensionCount
    sizes, // Sizes
    %s, // Strides
    %d, // TotalTensorSizeInBytes
    0, // GuaranteedBaseOffsetAlignment
};`, dtype, n, pointer, t.BufferBytes()), nil
}

// dmlTotal is TotalTensorSizeInBytes at its least.
func dmlTotal(t layout.Tensor) ([]Size, error) {
	_, high := t.Layout().Bounds()
	return []Size{{"TotalTensorSizeInBytes", high + 1, t.BufferBytes()}}, nil
}
