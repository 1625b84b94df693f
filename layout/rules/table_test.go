package rules_test

import (
	"testing"

	"layoutcalc/layout/rules"
)

// TestBoundaries checks the last right and the first wrong value of each rule, as the DirectML
// study has them.
func TestBoundaries(t *testing.T) {
	const head = `{"DataType": "FLOAT32", `
	tests := []struct {
		rule     rules.ID
		severity rules.Severity
		right    string
		wrong    string
		part     rules.Part
		item     int
		reason   string
	}{
		{rules.DTypeKnown, rules.Error, `{"DataType": "UINT8", "Sizes": [4]}`, `{"DataType": "BOOL", "Sizes": [4]}`, rules.TypePart, -1, "DirectML has no truth values"},
		{rules.DTypeKnown, rules.Error, `{"DataType": "INT4", "Sizes": [4]}`, `{"DataType": "BFLOAT16", "Sizes": [4]}`, rules.TypePart, -1, "nor bfloat16"},
		{rules.DTypeKnown, rules.Error, `{"DataType": "BFLOAT16", "Sizes": [4], "target": "none"}`, `{"DataType": "FLOTA32", "Sizes": [4], "target": "none"}`, rules.TypePart, -1, "others have their own, but all have names"},
		{rules.DTypeKnown, rules.Error, `{"Sizes": [4], "target": "none"}`, `{"Sizes": [4]}`, rules.Whole, -1, "DirectML needs one"},
		{rules.DTypeUnknown, rules.Error, `{"DataType": "INT8", "Sizes": [4]}`, `{"DataType": "UNKNOWN", "Sizes": [4]}`, rules.TypePart, -1, "a placeholder"},
		{rules.DType4BitLevel, rules.Note, `{"DataType": "UINT8", "Sizes": [4]}`, `{"DataType": "UINT4", "Sizes": [4], "target": "directml@6.3"}`, rules.TypePart, -1, "new enough: a note"},
		{rules.DType4BitLevel, rules.Error, `{"DataType": "UINT8", "Sizes": [4], "target": "directml@6.2"}`, `{"DataType": "INT4", "Sizes": [4], "target": "directml@6.2"}`, rules.TypePart, -1, "too old: an error"},
		{rules.DimCountRange, rules.Error, head + `"Sizes": [1]}`, head + `"Sizes": []}`, rules.SizesPart, -1, "at least 1"},
		{rules.DimCountRange, rules.Error, head + `"Sizes": [1,1,1,1,1,1,1,1]}`, head + `"Sizes": [1,1,1,1,1,1,1,1,1]}`, rules.SizesPart, -1, "at most 8"},
		{rules.DimCountRange, rules.Error, head + `"Sizes": [1], "DimensionCount": 1}`, head + `"Sizes": [1], "DimensionCount": 9}`, rules.CountPart, -1, "the count is what DirectML sees"},
		{rules.DimCountOld, rules.Warning, head + `"Sizes": [1,1,1,1,1]}`, head + `"Sizes": [1,1,1,1,1,1]}`, rules.SizesPart, -1, "nobody says how old the target is"},
		{rules.DimCountOld, rules.Error, head + `"Sizes": [1,1,1,1,1,1,1,1], "target": "directml@3.0"}`, head + `"Sizes": [1,1,1,1,1,1,1,1], "target": "directml@2.1"}`, rules.SizesPart, -1, "8 from level 3.0 on"},
		{rules.DimCountMismatch, rules.Error, head + `"Sizes": [2, 3], "DimensionCount": 2}`, head + `"Sizes": [2, 3], "DimensionCount": 3}`, rules.CountPart, -1, "one more than there are"},
		{rules.DimCountMismatch, rules.Error, head + `"Sizes": [2, 3], "Strides": [3, 1], "target": "none"}`, head + `"Sizes": [2, 3], "Strides": [3], "target": "none"}`, rules.StridesPart, -1, "one less than sizes"},
		{rules.SizeZero, rules.Error, head + `"Sizes": [2, 1]}`, head + `"Sizes": [2, 0]}`, rules.SizesPart, 1, "no empty tensors"},
		{rules.SizeZero, rules.Error, head + `"Sizes": [1, 8, 0, 128], "target": "pytorch"}`, head + `"Sizes": [1, 8, 0, 128]}`, rules.SizesPart, 2, "only DirectML has none"},
		{rules.SizeRange, rules.Error, `{"DataType": "UINT8", "Sizes": [4294967295]}`, `{"DataType": "UINT8", "Sizes": [4294967296]}`, rules.SizesPart, 0, "32 bits"},
		{rules.SizeRange, rules.Error, `{"DataType": "UINT8", "Sizes": [3, 0], "target": "none"}`, `{"DataType": "UINT8", "Sizes": [3, -1], "target": "none"}`, rules.SizesPart, 1, "negative nowhere"},
		{rules.StrideRange, rules.Error, head + `"Sizes": [2], "Strides": [4294967295]}`, head + `"Sizes": [2], "Strides": [4294967296]}`, rules.StridesPart, 0, "32 bits"},
		{rules.StrideRange, rules.Error, head + `"Sizes": [2], "Strides": [0]}`, head + `"Sizes": [2], "Strides": [-1]}`, rules.StridesPart, 0, "not negative"},
		{rules.StrideMinus, rules.Warning, head + `"Sizes": [2], "Strides": [2147483647]}`, head + `"Sizes": [2], "Strides": [2147483648]}`, rules.StridesPart, 0, "a sign that got lost"},
		{rules.StrideMinus, rules.Warning, head + `"Sizes": [2], "Strides": [4294967296]}`, head + `"Sizes": [2], "Strides": [4294967295]}`, rules.StridesPart, 0, "-1"},
		{rules.StrideShapeOrder, rules.Note, head + `"Sizes": [1, 3, 224, 224]}`, head + `"Sizes": [1, 224, 224, 3]}`, rules.SizesPart, -1, "no strides"},
		{rules.StrideShapeOrder, rules.Note, head + `"Sizes": [1, 224, 224, 3], "Strides": [150528, 1, 224, 50176]}`, head + `"Sizes": [1, 224, 224, 3], "Strides": [150528, 672, 3, 1]}`, rules.SizesPart, -1, "packed strides"},
		{rules.StrideShapeOrder, rules.Note, head + `"Sizes": [64, 64, 3, 3]}`, head + `"Sizes": [1, 16, 28, 28, 1]}`, rules.SizesPart, -1, "filters are no images, volumes are"},
		{rules.StridesUnneeded, rules.Note, head + `"Sizes": [2, 3], "Strides": [4, 1]}`, head + `"Sizes": [2, 3], "Strides": [3, 1]}`, rules.StridesPart, -1, "packed"},
		{rules.StridesUnneeded, rules.Note, head + `"Sizes": [2, 3], "Strides": [3, 1], "target": "none"}`, head + `"Sizes": [1, 3], "Strides": [77, 1]}`, rules.StridesPart, -1, "strides of size 1 do not matter; only DirectML has null strides"},
		{rules.StrideEqualsSize, rules.Warning, head + `"Sizes": [4, 2, 3], "Strides": [6, 3, 1]}`, head + `"Sizes": [4, 2, 3], "Strides": [4, 2, 3]}`, rules.StridesPart, -1, "the wrong field"},
		{rules.StrideEqualsSize, rules.Warning, head + `"Sizes": [1, 1], "Strides": [1, 1]}`, head + `"Sizes": [3, 1], "Strides": [3, 1], "target": "none"}`, rules.StridesPart, -1, "packed ones may"},
		{rules.StrideBytes, rules.Warning, head + `"Sizes": [2, 3], "Strides": [3, 1]}`, head + `"Sizes": [2, 3], "Strides": [12, 4]}`, rules.StridesPart, -1, "as NumPy has it"},
		{rules.StrideBytes, rules.Warning, head + `"Sizes": [2, 3], "Strides": [16, 4]}`, head + `"Sizes": [2, 3], "Strides": [4, 8]}`, rules.StridesPart, -1, "a padded one may be meant, any packed order not"},
		{rules.StrideBytes, rules.Warning, `{"DataType": "UINT8", "Sizes": [2, 3], "Strides": [3, 1]}`, `{"DataType": "FLOAT16", "Sizes": [2, 3, 7], "Strides": [6, 2, 0]}`, rules.StridesPart, -1, "bytes are elements; zeros do not count"},
		{rules.ElementCount, rules.Error, head + `"Sizes": [65535, 65537]}`, head + `"Sizes": [65536, 65536]}`, rules.SizesPart, -1, "2^32 - 1"},
		{rules.ElementCount, rules.Error, `{"DataType": "UINT8", "Sizes": [1, 4294967295], "Strides": [0, 1]}`, `{"DataType": "UINT8", "Sizes": [2, 4294967295], "Strides": [0, 1]}`, rules.SizesPart, -1, "repeated elements count"},
		{rules.ElementCount, rules.Error, head + `"Sizes": [4294967295]}`, head + `"Sizes": [4294967295,4294967295,4294967295]}`, rules.SizesPart, -1, "beyond 64 bits"},
		{rules.IndexOverflow, rules.Error, head + `"Sizes": [2], "Strides": [4294967295]}`, head + `"Sizes": [3], "Strides": [2147483648]}`, rules.StridesPart, -1, "4294967295 and 4294967296"},
		{rules.IndexOverflow, rules.Error, head + `"Sizes": [65536, 65536], "Strides": [65536, 1]}`, head + `"Sizes": [65537, 65536], "Strides": [65536, 1]}`, rules.StridesPart, -1, "the helper is right up to 2^32 - 1"},
		{rules.IndexOverflow, rules.Error, head + `"Sizes": [65537, 65536]}`, head + `"Sizes": [4294967295,4294967295,4294967295], "Strides": [4294967295,4294967295,4294967295]}`, rules.StridesPart, -1, "without strides it counts in 64 bits; these are more"},
		{rules.TotalMissing, rules.Error, head + `"Sizes": [3], "TotalTensorSizeInBytes": 12}`, head + `"Sizes": [3], "TotalTensorSizeInBytes": 0}`, rules.TotalPart, -1, "nothing computes it"},
		{rules.TotalMissing, rules.Note, head + `"Sizes": [3], "TotalTensorSizeInBytes": 12, "computed": 1}`, head + `"Sizes": [3], "computed": 1}`, rules.TotalPart, -1, "DxDispatch does"},
		{rules.TotalTooSmall, rules.Error, `{"DataType": "FLOAT16", "Sizes": [5, 55], "Strides": [9, 3], "TotalTensorSizeInBytes": 400}`, `{"DataType": "FLOAT16", "Sizes": [5, 55], "Strides": [9, 3], "TotalTensorSizeInBytes": 399}`, rules.TotalPart, -1, "one byte less"},
		{rules.TotalTooSmall, rules.Error, `{"DataType": "UINT8", "Sizes": [5], "TotalTensorSizeInBytes": 8}`, `{"DataType": "UINT8", "Sizes": [5], "TotalTensorSizeInBytes": 7}`, rules.TotalPart, -1, "rounded up for DirectML"},
		{rules.TotalTooSmall, rules.Error, `{"DataType": "UINT8", "Sizes": [5], "TotalTensorSizeInBytes": 5, "target": "none"}`, `{"DataType": "UINT8", "Sizes": [5], "TotalTensorSizeInBytes": 4, "target": "none"}`, rules.TotalPart, -1, "not for others"},
		{rules.TotalTooSmall, rules.Error, `{"DataType": "UINT8", "Sizes": [5], "offset": 3, "TotalTensorSizeInBytes": 8, "target": "none"}`, `{"DataType": "UINT8", "Sizes": [5], "offset": 3, "TotalTensorSizeInBytes": 7, "target": "none"}`, rules.TotalPart, -1, "from the start of the storage"},
		{rules.TotalTooSmall, rules.Error, `{"DataType": "UINT8", "Sizes": [5, 2], "Strides": [-2, 1], "TotalTensorSizeInBytes": 10, "target": "none"}`, `{"DataType": "UINT8", "Sizes": [5, 2], "Strides": [-2, 1], "TotalTensorSizeInBytes": 9, "target": "none"}`, rules.TotalPart, -1, "or from an element before that"},
		{rules.TotalTooSmall, rules.Error, head + `"Sizes": [0, 3], "TotalTensorSizeInBytes": 0, "target": "none"}`, head + `"Sizes": [1, 3], "TotalTensorSizeInBytes": 0, "target": "none"}`, rules.TotalPart, -1, "no elements take nothing"},
		{rules.TotalTooSmall, rules.Error, head + `"Sizes": [1, 17, 2, 2], "layout": "NCHW16c", "TotalTensorSizeInBytes": 512, "target": "none"}`, head + `"Sizes": [1, 17, 2, 2], "layout": "NCHW16c", "TotalTensorSizeInBytes": 511, "target": "none"}`, rules.TotalPart, -1, "blocks count whole"},
		{rules.TotalMultiple4, rules.Error, `{"DataType": "FLOAT16", "Sizes": [5], "TotalTensorSizeInBytes": 12}`, `{"DataType": "FLOAT16", "Sizes": [5], "TotalTensorSizeInBytes": 10}`, rules.TotalPart, -1, "onnxruntime-genai 725"},
		{rules.TotalMultiple4, rules.Error, `{"DataType": "FLOAT16", "Sizes": [122753], "TotalTensorSizeInBytes": 245508}`, `{"DataType": "FLOAT16", "Sizes": [122753], "TotalTensorSizeInBytes": 245506}`, rules.TotalPart, -1, "the vocabulary of that report"},
		{rules.TotalSlack, rules.Note, `{"DataType": "FLOAT16", "Sizes": [1, 4], "TotalTensorSizeInBytes": 8}`, `{"DataType": "FLOAT16", "Sizes": [1, 4], "TotalTensorSizeInBytes": 12}`, rules.TotalPart, -1, "more than needed"},
		{rules.TotalSlack, rules.Note, head + `"Sizes": [17], "TotalTensorSizeInBytes": 136}`, head + `"Sizes": [16], "TotalTensorSizeInBytes": 128}`, rules.TotalPart, -1, "twice as much, but 64 bytes"},
		{rules.TotalSlackLarge, rules.Warning, head + `"Sizes": [16], "TotalTensorSizeInBytes": 128}`, head + `"Sizes": [17], "TotalTensorSizeInBytes": 136}`, rules.TotalPart, -1, "more than 64 bytes"},
		{rules.TotalSlackLarge, rules.Warning, head + `"Sizes": [50], "TotalTensorSizeInBytes": 396}`, head + `"Sizes": [50], "TotalTensorSizeInBytes": 400}`, rules.TotalPart, -1, "twice as much"},
		{rules.AlignPow2, rules.Error, head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 4}`, head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 5}`, rules.AlignmentPart, -1, "DxDispatch's test"},
		{rules.AlignPow2, rules.Error, head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 0, "target": "none"}`, head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 24, "target": "none"}`, rules.AlignmentPart, -1, "0 promises nothing"},
		{rules.AlignPow2, rules.Error, head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 1}`, head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": -1}`, rules.AlignmentPart, -1, "1 is one"},
		{rules.AlignGeElement, rules.Error, `{"DataType": "FLOAT64", "Sizes": [3], "GuaranteedBaseOffsetAlignment": 8}`, `{"DataType": "FLOAT64", "Sizes": [3], "GuaranteedBaseOffsetAlignment": 4}`, rules.AlignmentPart, -1, "less than an element"},
		{rules.AlignGeElement, rules.Error, `{"DataType": "UINT4", "Sizes": [3], "GuaranteedBaseOffsetAlignment": 1}`, `{"DataType": "FLOAT16", "Sizes": [3], "GuaranteedBaseOffsetAlignment": 1}`, rules.AlignmentPart, -1, "4 bits count as a byte"},
		{rules.AlignBelow16, rules.Note, head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 16}`, head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 8}`, rules.AlignmentPart, -1, "16 is the floor"},
		{rules.AlignRecommend32, rules.Note, head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 32}`, head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 16}`, rules.AlignmentPart, -1, "32 is better"},
		{rules.AlignLarge, rules.Warning, head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 65536}`, head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 131072}`, rules.AlignmentPart, -1, "64 KiB"},
		{rules.FlagKnown, rules.Error, head + `"Sizes": [3], "Flags": ["NONE", "DML_TENSOR_FLAG_OWNED_BY_DML"]}`, head + `"Sizes": [3], "Flags": ["NONE", "OWNED"]}`, rules.FlagsPart, 1, "two names"},
		{rules.FlagKnown, rules.Error, head + `"Sizes": [3], "Flags": ["1"]}`, head + `"Sizes": [3], "Flags": ["2"]}`, rules.FlagsPart, 0, "or their numbers"},
		{rules.OwnedOutput, rules.Error, head + `"Sizes": [3], "Flags": ["OWNED_BY_DML"], "role": "input"}`, head + `"Sizes": [3], "Flags": ["OWNED_BY_DML"], "role": "output"}`, rules.FlagsPart, 0, "for inputs"},
		{rules.BroadcastPresent, rules.Note, head + `"Sizes": [1, 3], "Strides": [0, 1], "role": "input"}`, head + `"Sizes": [2, 3], "Strides": [0, 1], "role": "input"}`, rules.StridesPart, 0, "size 1 repeats nothing"},
		{rules.BroadcastPresent, rules.Note, head + `"Sizes": [2, 3], "Strides": [0, 1], "role": "output"}`, head + `"Sizes": [2, 3], "Strides": [0, 1], "target": "none"}`, rules.StridesPart, 0, "of an unknown role it is a note too"},
		{rules.BroadcastOutput, rules.Error, head + `"Sizes": [1, 3], "Strides": [0, 1], "role": "output"}`, head + `"Sizes": [2, 3], "Strides": [0, 1], "role": "output"}`, rules.StridesPart, 0, "several writes"},
		{rules.OverlapOutput, rules.Error, head + `"Sizes": [4, 4], "Strides": [3, 4], "role": "output"}`, head + `"Sizes": [5, 4], "Strides": [3, 4], "role": "output"}`, rules.StridesPart, 0, "NumPy's example"},
		{rules.OverlapInput, rules.Warning, head + `"Sizes": [4, 4], "Strides": [3, 4], "role": "input"}`, head + `"Sizes": [5, 4], "Strides": [3, 4], "role": "input"}`, rules.StridesPart, 0, "legal"},
		{rules.OverlapInput, rules.Warning, head + `"Sizes": [5, 4], "Strides": [3, 4], "role": "output"}`, head + `"Sizes": [5, 4], "Strides": [3, 4]}`, rules.StridesPart, 0, "of an unknown role too"},
		{rules.GapOverlapBalance, rules.Warning, head + `"Sizes": [3, 3], "Strides": [3, 1]}`, head + `"Sizes": [3, 3], "Strides": [2, 2]}`, rules.StridesPart, -1, "9 of 9"},
		{rules.GapOverlapBalance, rules.Warning, head + `"Sizes": [2, 2], "Strides": [0, 2]}`, head + `"Sizes": [2, 2], "Strides": [0, 3]}`, rules.StridesPart, -1, "4 elements, span 4, stored at 0 and 3"},
		{rules.Gaps, rules.Note, head + `"Sizes": [2, 3], "Strides": [3, 1]}`, head + `"Sizes": [2, 3], "Strides": [5, 1]}`, rules.StridesPart, -1, "padding"},
		{rules.Packed, rules.Note, head + `"Sizes": [2, 3], "Strides": [5, 1]}`, head + `"Sizes": [2, 3], "Strides": [1, 2]}`, rules.StridesPart, -1, "column-major"},
		{rules.ChannelLimit, rules.Warning, head + `"Sizes": [65535], "operator": "GEMM"}`, head + `"Sizes": [65536], "operator": "GEMM"}`, rules.SizesPart, 0, "as reported"},
		{rules.ChannelLimit, rules.Note, head + `"Sizes": [65536], "operator": "ELEMENT_WISE_ADD"}`, head + `"Sizes": [65536]}`, rules.SizesPart, 0, "not others; maybe, if nobody says"},
		{rules.UnalignedRows, rules.Note, `{"DataType": "FLOAT16", "Sizes": [2, 4]}`, `{"DataType": "FLOAT16", "Sizes": [2, 5], "Strides": [5, 1]}`, rules.StridesPart, 0, "10 bytes"},
		{rules.UnalignedRows, rules.Note, head + `"Sizes": [2, 5], "Strides": [5, 1]}`, `{"DataType": "UINT8", "Sizes": [2, 5], "Strides": [6, 1]}`, rules.StridesPart, 0, "32 bits are always"},
		{rules.Int64Emulated, rules.Note, `{"DataType": "UINT32", "Sizes": [2, 3], "Strides": [3, 1]}`, `{"DataType": "UINT32", "Sizes": [2, 3], "Strides": [6, 2]}`, rules.StridesPart, -1, "ONNX Runtime's way"},
		{rules.Int64Emulated, rules.Note, `{"DataType": "FLOAT32", "Sizes": [2, 3], "Strides": [6, 2]}`, `{"DataType": "UINT32", "Sizes": [2, 3], "Strides": [2, 4]}`, rules.StridesPart, -1, "in any order"},
		{rules.Overflow, rules.Error, `{"DataType": "UINT8", "Sizes": [9223372036854775807], "target": "none"}`, `{"DataType": "UINT8", "Sizes": [4294967296, 2147483648], "target": "none"}`, rules.SizesPart, -1, "2^63 elements"},
		{rules.Overflow, rules.Error, `{"DataType": "UINT8", "Sizes": [0, 4611686018427387904, 4], "target": "none"}`, `{"DataType": "UINT8", "Sizes": [4, 4611686018427387904], "Strides": [0, 0], "target": "none"}`, rules.SizesPart, -1, "a zero makes all of them 0; repeated ones count"},
		{rules.Overflow, rules.Error, `{"DataType": "UINT8", "Sizes": [2], "Strides": [4611686018427387904], "target": "none"}`, `{"DataType": "UINT8", "Sizes": [3], "Strides": [4611686018427387904], "target": "none"}`, rules.StridesPart, -1, "an offset of 2^63"},
		{rules.Overflow, rules.Error, `{"DataType": "UINT4", "Sizes": [2], "Strides": [4611686018427387904], "target": "none"}`, `{"DataType": "FLOAT32", "Sizes": [2], "Strides": [4611686018427387904], "target": "none"}`, rules.SizesPart, -1, "bytes"},
		{rules.OffsetUnstated, rules.Note, head + `"Sizes": [4], "offset": 4, "target": "none"}`, head + `"Sizes": [4], "offset": 4}`, rules.BasePart, -1, "only DirectML's has no field for it"},
		{rules.OneDNNRank, rules.Error, head + `"Sizes": [1,1,1,1,1,1,1,1,1,1,1,1], "target": "onednn"}`, head + `"Sizes": [1,1,1,1,1,1,1,1,1,1,1,1,1], "target": "onednn"}`, rules.SizesPart, -1, "DNNL_MAX_NDIMS"},
		{rules.OneDNNStrides, rules.Error, head + `"Sizes": [3, 2], "Strides": [2, 6], "target": "onednn"}`, head + `"Sizes": [3, 2], "Strides": [2, 5], "target": "onednn"}`, rules.StridesPart, 1, "refused although unique"},
		{rules.OneDNNStrides, rules.Error, head + `"Sizes": [3, 2, 1], "Strides": [0, 1, 7], "target": "onednn"}`, head + `"Sizes": [3, 2], "Strides": [-2, 1], "target": "onednn"}`, rules.StridesPart, 0, "0 and size 1 are exempt, backwards is not"},
		{rules.OneDNNStrides, rules.Error, head + `"Sizes": [0, 2], "Strides": [1, 1], "target": "onednn"}`, head + `"Sizes": [2, 2], "Strides": [1, 1], "target": "onednn"}`, rules.StridesPart, 1, "empty tensors are not looked at"},
		{rules.TMARank, rules.Error, head + `"Sizes": [1,1,1,1,4], "target": "tma"}`, head + `"Sizes": [1,1,1,1,1,4], "target": "tma"}`, rules.SizesPart, -1, "at most 5"},
		{rules.TMARank, rules.Error, head + `"Sizes": [4], "target": "tma"}`, head + `"Sizes": [], "target": "tma"}`, rules.SizesPart, -1, "at least 1"},
		{rules.TMAStride16, rules.Error, `{"DataType": "FLOAT16", "Sizes": [4, 8], "Strides": [8, 1], "target": "tma"}`, `{"DataType": "FLOAT16", "Sizes": [4, 8], "Strides": [12, 1], "target": "tma"}`, rules.StridesPart, 0, "16 and 24 bytes"},
		{rules.TMAStride16, rules.Error, head + `"Sizes": [4, 4], "target": "tma"}`, head + `"Sizes": [4, 3], "target": "tma"}`, rules.StridesPart, 0, "packed rows too"},
		{rules.TMAStride16, rules.Error, head + `"Sizes": [4, 4], "offset": 4, "target": "tma"}`, head + `"Sizes": [4, 4], "offset": 3, "target": "tma"}`, rules.BasePart, -1, "the start too"},
		{rules.TMAStride16, rules.Error, `{"Sizes": [1, 4], "Strides": [0, 1], "target": "tma"}`, `{"Sizes": [1, 4], "Strides": [-8, 1], "target": "tma"}`, rules.StridesPart, 0, "unsigned, whatever the size and the type"},
		{rules.TMAInner, rules.Error, head + `"Sizes": [4, 4], "Strides": [8, 1], "target": "tma"}`, head + `"Sizes": [4, 4], "Strides": [8, 2], "target": "tma"}`, rules.StridesPart, 1, "no stride is stated for it"},
		{rules.TMANested, rules.Warning, head + `"Sizes": [4, 8], "Strides": [8, 1], "target": "tma"}`, head + `"Sizes": [4, 8], "Strides": [4, 1], "target": "tma"}`, rules.StridesPart, 0, "rows that reach into each other"},
		{rules.MdspanPositive, rules.Error, head + `"Sizes": [2], "Strides": [1], "target": "mdspan"}`, head + `"Sizes": [2], "Strides": [0], "target": "mdspan"}`, rules.StridesPart, 0, "0"},
		{rules.MdspanPositive, rules.Error, head + `"Sizes": [2], "Strides": [1], "target": "mdspan"}`, head + `"Sizes": [2], "Strides": [-1], "target": "mdspan"}`, rules.StridesPart, 0, "-1"},
		{rules.MdspanPositive, rules.Error, head + `"Sizes": [1, 2], "Strides": [0, 1], "target": "mdspan"}`, head + `"Sizes": [2, 2], "Strides": [0, 1], "target": "mdspan"}`, rules.StridesPart, 0, "size 1 moves nothing"},
		{rules.MdspanUnique, rules.Error, head + `"Sizes": [3, 3], "Strides": [3, 1], "target": "mdspan"}`, head + `"Sizes": [3, 3], "Strides": [2, 2], "target": "mdspan"}`, rules.StridesPart, 0, "is_exhaustive is fooled"},
		{rules.MdspanUnique, rules.Warning, head + `"Sizes": [3, 2], "Strides": [2, 6], "target": "mdspan"}`, head + `"Sizes": [3, 2], "Strides": [2, 5], "target": "mdspan"}`, rules.StridesPart, 1, "unique, but not in the standard's way"},
		{rules.PyTorchNegative, rules.Error, head + `"Sizes": [2, 3], "Strides": [0, 1], "target": "pytorch"}`, head + `"Sizes": [2, 3], "Strides": [3, -1], "target": "pytorch"}`, rules.StridesPart, 1, "PyTorch refuses it"},
		{rules.ConfigValue, rules.Error, head + `"Sizes": [1, 3, 4, 4], "layout": "NHWC"}`, head + `"Sizes": [3, 4, 4], "layout": "NHWC"}`, rules.LayoutPart, -1, "a name for another rank"},
	}
	for _, tt := range tests {
		if right := checkText(t, tt.right); len(of(right, tt.rule)) > 0 {
			t.Errorf("%s: %s is right; %s:%s", tt.rule, tt.right, tt.reason, shown(right))
		}
		wrong := checkText(t, tt.wrong)
		found := of(wrong, tt.rule)
		want := rules.Place{Line: int(tt.part), Column: tt.item}
		if len(found) == 0 || found[0].Severity != tt.severity || found[0].Place != want {
			t.Errorf("%s: %s is wrong: want a finding of severity %s at %v; %s:%s", tt.rule, tt.wrong, tt.severity, want, tt.reason, shown(wrong))
		}
	}
}
