package analysis

import (
	"math"

	"layoutcalc/layout"
)

// HelperSizes holds the results of three generations of DirectML's DMLCalcBufferTensorSize for a tensor: the one of
// 2019 (32 bits, starting from the last offset), of 2022 (64 bits, from the number of elements up to the last offset)
// and of 2024 (64 bits, counting bits, with 4-bit types).
type HelperSizes struct {
	G2019, G2022, G2024 uint64
}

// DirectMLHelper returns the results of DirectML's helper if one of them is not DirectMLBytes, because its 32-bit
// arithmetic overflows, or because older versions have no 4-bit types. It reports false if the results agree, or a
// DirectML descriptor cannot describe the tensor.
func DirectMLHelper(t layout.Tensor) (sizes HelperSizes, differs bool) {
	strides, ok := t.Layout().Strides()
	if !ok || !describable(t, strides) {
		return HelperSizes{}, false
	}
	bits := uint64(t.DType().Bits())
	bytes := bits / 8
	elements, low := uint64(1), uint64(0)
	if t.Implicit() {
		for _, n := range t.Layout().Sizes() {
			elements *= uint64(n)
		}
		low = elements * bytes
	} else {
		last := uint32(0)
		for i, stride := range strides {
			last += uint32(t.Layout().Axis(i).Size()-1) * uint32(stride)
		}
		elements = uint64(last) + 1
		low = uint64((last + 1) * uint32(bytes))
	}
	sizes = HelperSizes{roundUp4(low), roundUp4(elements * bytes), roundUp4((elements*bits + 7) / 8)}
	need := uint64(t.DirectMLBytes())
	return sizes, sizes != HelperSizes{need, need, need}
}

func roundUp4(n uint64) uint64 { return (n + 3) &^ 3 }

// describable reports whether a DML_BUFFER_TENSOR_DESC can hold the tensor's numbers.
func describable(t layout.Tensor, strides []int64) bool {
	if t.DType().In(layout.DirectML) == "" || t.Layout().Base() != 0 || len(strides) < 1 || len(strides) > 8 {
		return false
	}
	for i, stride := range strides {
		if size := t.Layout().Axis(i).Size(); size > math.MaxUint32 || stride < 0 || stride > math.MaxUint32 {
			return false
		}
	}
	return true
}
