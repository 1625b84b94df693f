package rules_test

import (
	"testing"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/rules"
)

// TestBoundaries checks the last right and the first wrong value of each rule of descriptors, as
// their rows state them.
func TestBoundaries(t *testing.T) {
	const head = `{"DataType": "FLOAT32", `
	tests := []struct {
		rule     *finding.Rule
		severity finding.Severity
		right    string
		wrong    string
		part     descriptor.Part
		item     int
		reason   string
	}{
		{
			rule: rules.DTypeKnown, severity: finding.Error, part: descriptor.TypePart, item: -1,
			right: `{"DataType": "UINT8", "Sizes": [4]}`, wrong: `{"DataType": "BOOL", "Sizes": [4]}`,
			reason: "DirectML has no truth values",
		},
		{
			rule: rules.DTypeKnown, severity: finding.Error, part: descriptor.TypePart, item: -1,
			right: `{"DataType": "INT4", "Sizes": [4]}`, wrong: `{"DataType": "BFLOAT16", "Sizes": [4]}`,
			reason: "nor bfloat16",
		},
		{
			rule: rules.DTypeKnown, severity: finding.Error, part: descriptor.TypePart, item: -1,
			right:  `{"DataType": "BFLOAT16", "Sizes": [4], "target": "none"}`,
			wrong:  `{"DataType": "FLOTA32", "Sizes": [4], "target": "none"}`,
			reason: "others have their own, but all have names",
		},
		{
			rule: rules.DTypeKnown, severity: finding.Error, part: descriptor.Whole, item: -1,
			right: `{"Sizes": [4], "target": "none"}`, wrong: `{"Sizes": [4]}`, reason: "DirectML needs one",
		},
		{
			rule: rules.DTypeUnknown, severity: finding.Error, part: descriptor.TypePart, item: -1,
			right: `{"DataType": "INT8", "Sizes": [4]}`, wrong: `{"DataType": "UNKNOWN", "Sizes": [4]}`,
			reason: "a placeholder",
		},
		{
			rule: rules.DType4BitLevel, severity: finding.Note, part: descriptor.TypePart, item: -1,
			right: `{"DataType": "UINT8", "Sizes": [4]}`,
			wrong: `{"DataType": "UINT4", "Sizes": [4], "target": "directml@6.3"}`, reason: "new enough: a note",
		},
		{
			rule: rules.DType4BitLevel, severity: finding.Error, part: descriptor.TypePart, item: -1,
			right: `{"DataType": "UINT8", "Sizes": [4], "target": "directml@6.2"}`,
			wrong: `{"DataType": "INT4", "Sizes": [4], "target": "directml@6.2"}`, reason: "too old: an error",
		},
		{
			rule: rules.DimCountRange, severity: finding.Error, part: descriptor.SizesPart, item: -1,
			right: head + `"Sizes": [1]}`, wrong: head + `"Sizes": []}`, reason: "at least 1",
		},
		{
			rule: rules.DimCountRange, severity: finding.Error, part: descriptor.SizesPart, item: -1,
			right: head + `"Sizes": [1,1,1,1,1,1,1,1]}`, wrong: head + `"Sizes": [1,1,1,1,1,1,1,1,1]}`,
			reason: "at most 8",
		},
		{
			rule: rules.DimCountRange, severity: finding.Error, part: descriptor.CountPart, item: -1,
			right: head + `"Sizes": [1], "DimensionCount": 1}`, wrong: head + `"Sizes": [1], "DimensionCount": 9}`,
			reason: "the count is what DirectML sees",
		},
		{
			rule: rules.DimCountOld, severity: finding.Warning, part: descriptor.SizesPart, item: -1,
			right: head + `"Sizes": [1,1,1,1,1]}`, wrong: head + `"Sizes": [1,1,1,1,1,1]}`,
			reason: "it is not known how old the target is",
		},
		{
			rule: rules.DimCountOld, severity: finding.Error, part: descriptor.SizesPart, item: -1,
			right: head + `"Sizes": [1,1,1,1,1,1,1,1], "target": "directml@3.0"}`,
			wrong: head + `"Sizes": [1,1,1,1,1,1,1,1], "target": "directml@2.1"}`, reason: "8 from level 3.0 on",
		},
		{
			rule: rules.DimCountMismatch, severity: finding.Error, part: descriptor.CountPart, item: -1,
			right: head + `"Sizes": [2, 3], "DimensionCount": 2}`,
			wrong: head + `"Sizes": [2, 3], "DimensionCount": 3}`, reason: "one more than there are",
		},
		{
			rule: rules.DimCountMismatch, severity: finding.Error, part: descriptor.StridesPart, item: -1,
			right: head + `"Sizes": [2, 3], "Strides": [3, 1], "target": "none"}`,
			wrong: head + `"Sizes": [2, 3], "Strides": [3], "target": "none"}`, reason: "one less than sizes",
		},
		{
			rule: rules.SizeZero, severity: finding.Error, part: descriptor.SizesPart, item: 1,
			right: head + `"Sizes": [2, 1]}`, wrong: head + `"Sizes": [2, 0]}`, reason: "no empty tensors",
		},
		{
			rule: rules.SizeZero, severity: finding.Error, part: descriptor.SizesPart, item: 2,
			right: head + `"Sizes": [1, 8, 0, 128], "target": "pytorch"}`, wrong: head + `"Sizes": [1, 8, 0, 128]}`,
			reason: "only DirectML has none",
		},
		{
			rule: rules.SizeRange, severity: finding.Error, part: descriptor.SizesPart,
			right: `{"DataType": "UINT8", "Sizes": [4294967295]}`,
			wrong: `{"DataType": "UINT8", "Sizes": [4294967296]}`, reason: "32 bits",
		},
		{
			rule: rules.SizeRange, severity: finding.Error, part: descriptor.SizesPart, item: 1,
			right: `{"DataType": "UINT8", "Sizes": [3, 0], "target": "none"}`,
			wrong: `{"DataType": "UINT8", "Sizes": [3, -1], "target": "none"}`, reason: "negative nowhere",
		},
		{
			rule: rules.StrideRange, severity: finding.Error, part: descriptor.StridesPart,
			right: head + `"Sizes": [2], "Strides": [4294967295]}`,
			wrong: head + `"Sizes": [2], "Strides": [4294967296]}`, reason: "32 bits",
		},
		{
			rule: rules.StrideRange, severity: finding.Error, part: descriptor.StridesPart,
			right: head + `"Sizes": [2], "Strides": [0]}`, wrong: head + `"Sizes": [2], "Strides": [-1]}`,
			reason: "not negative",
		},
		{
			rule: rules.StrideMinus, severity: finding.Warning, part: descriptor.StridesPart,
			right: head + `"Sizes": [2], "Strides": [2147483647]}`,
			wrong: head + `"Sizes": [2], "Strides": [2147483648]}`, reason: "a sign that got lost",
		},
		{
			rule: rules.StrideMinus, severity: finding.Warning, part: descriptor.StridesPart,
			right: head + `"Sizes": [2], "Strides": [4294967296]}`,
			wrong: head + `"Sizes": [2], "Strides": [4294967295]}`, reason: "-1",
		},
		{
			rule: rules.StrideShapeOrder, severity: finding.Note, part: descriptor.SizesPart, item: -1,
			right: head + `"Sizes": [1, 3, 224, 224]}`, wrong: head + `"Sizes": [1, 224, 224, 3]}`,
			reason: "no strides",
		},
		{
			rule: rules.StrideShapeOrder, severity: finding.Note, part: descriptor.SizesPart, item: -1,
			right: head + `"Sizes": [1, 224, 224, 3], "Strides": [150528, 1, 224, 50176]}`,
			wrong: head + `"Sizes": [1, 224, 224, 3], "Strides": [150528, 672, 3, 1]}`, reason: "packed strides",
		},
		{
			rule: rules.StrideShapeOrder, severity: finding.Note, part: descriptor.SizesPart, item: -1,
			right: head + `"Sizes": [64, 64, 3, 3]}`, wrong: head + `"Sizes": [1, 16, 28, 28, 1]}`,
			reason: "filters are not images, volumes are",
		},
		{
			rule: rules.StridesUnneeded, severity: finding.Note, part: descriptor.StridesPart, item: -1,
			right: head + `"Sizes": [2, 3], "Strides": [4, 1]}`,
			wrong: head + `"Sizes": [2, 3], "Strides": [3, 1]}`, reason: "packed",
		},
		{
			rule: rules.StridesUnneeded, severity: finding.Note, part: descriptor.StridesPart, item: -1,
			right:  head + `"Sizes": [2, 3], "Strides": [3, 1], "target": "none"}`,
			wrong:  head + `"Sizes": [1, 3], "Strides": [77, 1]}`,
			reason: "strides of size 1 do not matter; only DirectML has null strides",
		},
		{
			rule: rules.StrideEqualsSize, severity: finding.Warning, part: descriptor.StridesPart, item: -1,
			right: head + `"Sizes": [4, 2, 3], "Strides": [6, 3, 1]}`,
			wrong: head + `"Sizes": [4, 2, 3], "Strides": [4, 2, 3]}`, reason: "the wrong field",
		},
		{
			rule: rules.StrideEqualsSize, severity: finding.Warning, part: descriptor.StridesPart, item: -1,
			right: head + `"Sizes": [1, 1], "Strides": [1, 1]}`,
			wrong: head + `"Sizes": [3, 1], "Strides": [3, 1], "target": "none"}`, reason: "packed ones may",
		},
		{
			rule: rules.StrideBytes, severity: finding.Warning, part: descriptor.StridesPart, item: -1,
			right: head + `"Sizes": [2, 3], "Strides": [3, 1]}`,
			wrong: head + `"Sizes": [2, 3], "Strides": [12, 4]}`, reason: "as NumPy has it",
		},
		{
			rule: rules.StrideBytes, severity: finding.Warning, part: descriptor.StridesPart, item: -1,
			right:  head + `"Sizes": [2, 3], "Strides": [16, 4]}`,
			wrong:  head + `"Sizes": [2, 3], "Strides": [4, 8]}`,
			reason: "a padded one may be meant, any packed order not",
		},
		{
			rule: rules.StrideBytes, severity: finding.Warning, part: descriptor.StridesPart, item: -1,
			right:  `{"DataType": "UINT8", "Sizes": [2, 3], "Strides": [3, 1]}`,
			wrong:  `{"DataType": "FLOAT16", "Sizes": [2, 3, 7], "Strides": [6, 2, 0]}`,
			reason: "bytes are elements; zeros do not count",
		},
		{
			rule: rules.StrideBytes, severity: finding.Error, part: descriptor.StridesPart, item: -1,
			right:  head + `"Sizes": [2, 3], "Strides": [16, 4], "TotalTensorSizeInBytes": 24}`,
			wrong:  head + `"Sizes": [2, 3], "Strides": [16, 4], "TotalTensorSizeInBytes": 28}`,
			reason: "the total proves it: 16 + 2 x 4 + 4 bytes",
		},
		{
			rule: rules.StrideBytes, severity: finding.Error, part: descriptor.StridesPart, item: -1,
			right:  head + `"Sizes": [2, 3], "Strides": [16, 4], "TotalTensorSizeInBytes": 100}`,
			wrong:  head + `"Sizes": [2, 3], "Strides": [16, 4], "TotalTensorSizeInBytes": 96}`,
			reason: "which elements would fill, 16 + 2 x 4 + 1",
		},
		{
			rule: rules.StrideBytes, severity: finding.Warning, part: descriptor.StridesPart, item: -1,
			right:  head + `"Sizes": [2, 3], "Strides": [20, 4], "TotalTensorSizeInBytes": 116}`,
			wrong:  head + `"Sizes": [2, 3], "Strides": [12, 4], "TotalTensorSizeInBytes": 84}`,
			reason: "no proof, but packed bytes",
		},
		{
			rule: rules.StrideBytes, severity: finding.Error, part: descriptor.StridesPart, item: -1,
			right:  `{"DataType": "FLOAT16", "Sizes": [2, 3], "Strides": [9, 2], "TotalTensorSizeInBytes": 16}`,
			wrong:  `{"DataType": "FLOAT16", "Sizes": [2, 3], "Strides": [8, 2], "TotalTensorSizeInBytes": 16}`,
			reason: "9 bytes are no whole elements; 8 + 2 x 2 + 2 are rounded up",
		},
		{
			rule: rules.StrideBytes, severity: finding.Error, part: descriptor.StridesPart, item: -1,
			right:  head + `"Sizes": [2, 3], "Strides": [24, 8], "TotalTensorSizeInBytes": 44}`,
			wrong:  head + `"Sizes": [2, 3], "Strides": [-12, 4], "TotalTensorSizeInBytes": 24, "target": "none"}`,
			reason: "the smallest is an element",
		},
		{
			rule: rules.TotalTooSmall, severity: finding.Error, part: descriptor.TotalPart, item: -1,
			right:  head + `"Sizes": [2, 3], "Strides": [12, 4], "TotalTensorSizeInBytes": 24}`,
			wrong:  head + `"Sizes": [2, 3], "Strides": [12, 4], "TotalTensorSizeInBytes": 20}`,
			reason: "strides in bytes are to blame, unless those do not fit either",
		},
		{
			rule: rules.StrideShapeOrder, severity: finding.Warning, part: descriptor.SizesPart, item: -1,
			right:  head + `"Sizes": [1, 224, 224, 5], "layout": "NHWC", "target": "none"}`,
			wrong:  head + `"Sizes": [1, 224, 224, 4], "layout": "NHWC", "target": "none"}`,
			reason: "few channels, whatever the target",
		},
		{
			rule: rules.StrideShapeOrder, severity: finding.Warning, part: descriptor.SizesPart, item: -1,
			right: head + `"Sizes": [1, 15, 224, 3], "layout": "NHWC"}`,
			wrong: head + `"Sizes": [1, 16, 224, 3], "layout": "NHWC"}`, reason: "many rows",
		},
		{
			rule: rules.StrideShapeOrder, severity: finding.Warning, part: descriptor.SizesPart, item: -1,
			right: head + `"Sizes": [224, 15, 3], "layout": "HWC"}`,
			wrong: head + `"Sizes": [16, 224, 3], "layout": "HWC"}`, reason: "without a batch",
		},
		{
			rule: rules.StrideShapeOrder, severity: finding.Warning, part: descriptor.SizesPart, item: -1,
			right: head + `"Sizes": [15, 224, 3], "layout": "HWC"}`,
			wrong: head + `"Sizes": [1, 16, 28, 28, 1], "layout": "NDHWC"}`, reason: "volumes",
		},
		{
			rule: rules.StrideShapeOrder, severity: finding.Warning, part: descriptor.SizesPart, item: -1,
			right:  head + `"Sizes": [1, 224, 224, 3], "layout": "NCHW", "target": "none"}`,
			wrong:  head + `"Sizes": [1, 224, 224, 3], "layout": "channels_last", "target": "none"}`,
			reason: "any name that puts channels last",
		},
		{
			rule: rules.StrideShapeOrder, severity: finding.Warning, part: descriptor.SizesPart, item: -1,
			right: head + `"Sizes": [224, 3], "layout": "WH"}`,
			wrong: head + `"Sizes": [1, 224, 224, 1], "layout": "NHWC"}`, reason: "a channel too",
		},
		{
			rule: rules.ElementCount, severity: finding.Error, part: descriptor.SizesPart, item: -1,
			right: head + `"Sizes": [65535, 65537]}`, wrong: head + `"Sizes": [65536, 65536]}`, reason: "2^32 - 1",
		},
		{
			rule: rules.ElementCount, severity: finding.Error, part: descriptor.SizesPart, item: -1,
			right:  `{"DataType": "UINT8", "Sizes": [1, 4294967295], "Strides": [0, 1]}`,
			wrong:  `{"DataType": "UINT8", "Sizes": [2, 4294967295], "Strides": [0, 1]}`,
			reason: "repeated elements count",
		},
		{
			rule: rules.ElementCount, severity: finding.Error, part: descriptor.SizesPart, item: -1,
			right: head + `"Sizes": [4294967295]}`, wrong: head + `"Sizes": [4294967295,4294967295,4294967295]}`,
			reason: "beyond 64 bits",
		},
		{
			rule: rules.IndexOverflow, severity: finding.Error, part: descriptor.StridesPart, item: -1,
			right: head + `"Sizes": [2], "Strides": [4294967295]}`,
			wrong: head + `"Sizes": [3], "Strides": [2147483648]}`, reason: "4294967295 and 4294967296",
		},
		{
			rule: rules.IndexOverflow, severity: finding.Error, part: descriptor.StridesPart, item: -1,
			right:  head + `"Sizes": [65536, 65536], "Strides": [65536, 1]}`,
			wrong:  head + `"Sizes": [65537, 65536], "Strides": [65536, 1]}`,
			reason: "the helper is right up to 2^32 - 1",
		},
		{
			rule: rules.IndexOverflow, severity: finding.Error, part: descriptor.StridesPart, item: -1,
			right: head + `"Sizes": [65537, 65536]}`,
			wrong: head + `"Sizes": [4294967295,4294967295,4294967295], ` +
				`"Strides": [4294967295,4294967295,4294967295]}`,
			reason: "without strides it counts in 64 bits; these are more",
		},
		{
			rule: rules.TotalMissing, severity: finding.Error, part: descriptor.TotalPart, item: -1,
			right: head + `"Sizes": [3], "TotalTensorSizeInBytes": 12}`,
			wrong: head + `"Sizes": [3], "TotalTensorSizeInBytes": 0}`, reason: "nothing computes it",
		},
		{
			rule: rules.TotalMissing, severity: finding.Note, part: descriptor.TotalPart, item: -1,
			right: head + `"Sizes": [3], "TotalTensorSizeInBytes": 12, "computed": 1}`,
			wrong: head + `"Sizes": [3], "computed": 1}`, reason: "DxDispatch does",
		},
		{
			rule: rules.TotalTooSmall, severity: finding.Error, part: descriptor.TotalPart, item: -1,
			right:  `{"DataType": "FLOAT16", "Sizes": [5, 55], "Strides": [9, 3], "TotalTensorSizeInBytes": 400}`,
			wrong:  `{"DataType": "FLOAT16", "Sizes": [5, 55], "Strides": [9, 3], "TotalTensorSizeInBytes": 399}`,
			reason: "one byte less",
		},
		{
			rule: rules.TotalTooSmall, severity: finding.Error, part: descriptor.TotalPart, item: -1,
			right:  `{"DataType": "UINT8", "Sizes": [5], "TotalTensorSizeInBytes": 8}`,
			wrong:  `{"DataType": "UINT8", "Sizes": [5], "TotalTensorSizeInBytes": 7}`,
			reason: "rounded up for DirectML",
		},
		{
			rule: rules.TotalTooSmall, severity: finding.Error, part: descriptor.TotalPart, item: -1,
			right:  `{"DataType": "UINT8", "Sizes": [5], "TotalTensorSizeInBytes": 5, "target": "none"}`,
			wrong:  `{"DataType": "UINT8", "Sizes": [5], "TotalTensorSizeInBytes": 4, "target": "none"}`,
			reason: "not for others",
		},
		{
			rule: rules.TotalTooSmall, severity: finding.Error, part: descriptor.TotalPart, item: -1,
			right: `{"DataType": "UINT8", "Sizes": [5], "offset": 3, "TotalTensorSizeInBytes": 8, ` +
				`"target": "none"}`,
			wrong: `{"DataType": "UINT8", "Sizes": [5], "offset": 3, "TotalTensorSizeInBytes": 7, ` +
				`"target": "none"}`,
			reason: "from the start of the storage",
		},
		{
			rule: rules.TotalTooSmall, severity: finding.Error, part: descriptor.TotalPart, item: -1,
			right: `{"DataType": "UINT8", "Sizes": [5, 2], "Strides": [-2, 1], "TotalTensorSizeInBytes": 10, ` +
				`"target": "none"}`,
			wrong: `{"DataType": "UINT8", "Sizes": [5, 2], "Strides": [-2, 1], "TotalTensorSizeInBytes": 9, ` +
				`"target": "none"}`,
			reason: "or from an element before that",
		},
		{
			rule: rules.TotalTooSmall, severity: finding.Error, part: descriptor.TotalPart, item: -1,
			right:  head + `"Sizes": [0, 3], "TotalTensorSizeInBytes": 0, "target": "none"}`,
			wrong:  head + `"Sizes": [1, 3], "TotalTensorSizeInBytes": 0, "target": "none"}`,
			reason: "no elements take nothing",
		},
		{
			rule: rules.TotalTooSmall, severity: finding.Error, part: descriptor.TotalPart, item: -1,
			right: head + `"Sizes": [1, 17, 2, 2], "layout": "NCHW16c", "TotalTensorSizeInBytes": 512, "target": ` +
				`"none"}`,
			wrong: head + `"Sizes": [1, 17, 2, 2], "layout": "NCHW16c", "TotalTensorSizeInBytes": 511, "target": ` +
				`"none"}`,
			reason: "blocks count whole",
		},
		{
			rule: rules.TotalMultiple4, severity: finding.Error, part: descriptor.TotalPart, item: -1,
			right:  `{"DataType": "FLOAT16", "Sizes": [5], "TotalTensorSizeInBytes": 12}`,
			wrong:  `{"DataType": "FLOAT16", "Sizes": [5], "TotalTensorSizeInBytes": 10}`,
			reason: "onnxruntime-genai 725",
		},
		{
			rule: rules.TotalMultiple4, severity: finding.Error, part: descriptor.TotalPart, item: -1,
			right:  `{"DataType": "FLOAT16", "Sizes": [122753], "TotalTensorSizeInBytes": 245508}`,
			wrong:  `{"DataType": "FLOAT16", "Sizes": [122753], "TotalTensorSizeInBytes": 245506}`,
			reason: "the vocabulary of that report",
		},
		{
			rule: rules.TotalSlack, severity: finding.Note, part: descriptor.TotalPart, item: -1,
			right:  `{"DataType": "FLOAT16", "Sizes": [1, 4], "TotalTensorSizeInBytes": 8}`,
			wrong:  `{"DataType": "FLOAT16", "Sizes": [1, 4], "TotalTensorSizeInBytes": 12}`,
			reason: "more than needed",
		},
		{
			rule: rules.TotalSlack, severity: finding.Note, part: descriptor.TotalPart, item: -1,
			right: head + `"Sizes": [17], "TotalTensorSizeInBytes": 136}`,
			wrong: head + `"Sizes": [16], "TotalTensorSizeInBytes": 128}`, reason: "twice as much, but 64 bytes",
		},
		{
			rule: rules.TotalSlackLarge, severity: finding.Warning, part: descriptor.TotalPart, item: -1,
			right: head + `"Sizes": [16], "TotalTensorSizeInBytes": 128}`,
			wrong: head + `"Sizes": [17], "TotalTensorSizeInBytes": 136}`, reason: "more than 64 bytes",
		},
		{
			rule: rules.TotalSlackLarge, severity: finding.Warning, part: descriptor.TotalPart, item: -1,
			right: head + `"Sizes": [50], "TotalTensorSizeInBytes": 396}`,
			wrong: head + `"Sizes": [50], "TotalTensorSizeInBytes": 400}`, reason: "twice as much",
		},
		{
			rule: rules.AlignPow2, severity: finding.Error, part: descriptor.AlignmentPart, item: -1,
			right: head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 4}`,
			wrong: head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 5}`, reason: "DxDispatch's test",
		},
		{
			rule: rules.AlignPow2, severity: finding.Error, part: descriptor.AlignmentPart, item: -1,
			right:  head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 0, "target": "none"}`,
			wrong:  head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 24, "target": "none"}`,
			reason: "0 promises nothing",
		},
		{
			rule: rules.AlignPow2, severity: finding.Error, part: descriptor.AlignmentPart, item: -1,
			right: head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 1}`,
			wrong: head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": -1}`, reason: "1 is one",
		},
		{
			rule: rules.AlignGeElement, severity: finding.Error, part: descriptor.AlignmentPart, item: -1,
			right:  `{"DataType": "FLOAT64", "Sizes": [3], "GuaranteedBaseOffsetAlignment": 8}`,
			wrong:  `{"DataType": "FLOAT64", "Sizes": [3], "GuaranteedBaseOffsetAlignment": 4}`,
			reason: "less than an element",
		},
		{
			rule: rules.AlignGeElement, severity: finding.Error, part: descriptor.AlignmentPart, item: -1,
			right:  `{"DataType": "UINT4", "Sizes": [3], "GuaranteedBaseOffsetAlignment": 1}`,
			wrong:  `{"DataType": "FLOAT16", "Sizes": [3], "GuaranteedBaseOffsetAlignment": 1}`,
			reason: "4 bits count as a byte",
		},
		{
			rule: rules.AlignBelow16, severity: finding.Note, part: descriptor.AlignmentPart, item: -1,
			right: head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 16}`,
			wrong: head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 8}`, reason: "16 is the floor",
		},
		{
			rule: rules.AlignRecommend32, severity: finding.Note, part: descriptor.AlignmentPart, item: -1,
			right: head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 32}`,
			wrong: head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 16}`, reason: "32 is better",
		},
		{
			rule: rules.AlignLarge, severity: finding.Warning, part: descriptor.AlignmentPart, item: -1,
			right: head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 65536}`,
			wrong: head + `"Sizes": [3], "GuaranteedBaseOffsetAlignment": 131072}`, reason: "64 KiB",
		},
		{
			rule: rules.FlagKnown, severity: finding.Error, part: descriptor.FlagsPart, item: 1,
			right: head + `"Sizes": [3], "Flags": ["NONE", "DML_TENSOR_FLAG_OWNED_BY_DML"]}`,
			wrong: head + `"Sizes": [3], "Flags": ["NONE", "OWNED"]}`, reason: "two names",
		},
		{
			rule: rules.FlagKnown, severity: finding.Error, part: descriptor.FlagsPart,
			right: head + `"Sizes": [3], "Flags": ["1"]}`, wrong: head + `"Sizes": [3], "Flags": ["2"]}`,
			reason: "or their numbers",
		},
		{
			rule: rules.OwnedOutput, severity: finding.Error, part: descriptor.FlagsPart,
			right: head + `"Sizes": [3], "Flags": ["OWNED_BY_DML"], "role": "input"}`,
			wrong: head + `"Sizes": [3], "Flags": ["OWNED_BY_DML"], "role": "output"}`, reason: "for inputs",
		},
		{
			rule: rules.BroadcastPresent, severity: finding.Note, part: descriptor.StridesPart,
			right: head + `"Sizes": [1, 3], "Strides": [0, 1], "role": "input"}`,
			wrong: head + `"Sizes": [2, 3], "Strides": [0, 1], "role": "input"}`, reason: "size 1 repeats nothing",
		},
		{
			rule: rules.BroadcastPresent, severity: finding.Note, part: descriptor.StridesPart,
			right:  head + `"Sizes": [2, 3], "Strides": [0, 1], "role": "output"}`,
			wrong:  head + `"Sizes": [2, 3], "Strides": [0, 1], "target": "none"}`,
			reason: "of an unknown role it is a note too",
		},
		{
			rule: rules.BroadcastOutput, severity: finding.Error, part: descriptor.StridesPart,
			right: head + `"Sizes": [1, 3], "Strides": [0, 1], "role": "output"}`,
			wrong: head + `"Sizes": [2, 3], "Strides": [0, 1], "role": "output"}`, reason: "several writes",
		},
		{
			rule: rules.OverlapOutput, severity: finding.Error, part: descriptor.StridesPart,
			right: head + `"Sizes": [4, 4], "Strides": [3, 4], "role": "output"}`,
			wrong: head + `"Sizes": [5, 4], "Strides": [3, 4], "role": "output"}`, reason: "NumPy's example",
		},
		{
			rule: rules.OverlapInput, severity: finding.Warning, part: descriptor.StridesPart,
			right: head + `"Sizes": [4, 4], "Strides": [3, 4], "role": "input"}`,
			wrong: head + `"Sizes": [5, 4], "Strides": [3, 4], "role": "input"}`, reason: "legal",
		},
		{
			rule: rules.OverlapInput, severity: finding.Warning, part: descriptor.StridesPart,
			right: head + `"Sizes": [5, 4], "Strides": [3, 4], "role": "output"}`,
			wrong: head + `"Sizes": [5, 4], "Strides": [3, 4]}`, reason: "of an unknown role too",
		},
		{
			rule: rules.GapOverlapBalance, severity: finding.Warning, part: descriptor.StridesPart, item: -1,
			right: head + `"Sizes": [3, 3], "Strides": [3, 1]}`,
			wrong: head + `"Sizes": [3, 3], "Strides": [2, 2]}`, reason: "9 of 9",
		},
		{
			rule: rules.GapOverlapBalance, severity: finding.Warning, part: descriptor.StridesPart, item: -1,
			right: head + `"Sizes": [2, 2], "Strides": [0, 2]}`,
			wrong: head + `"Sizes": [2, 2], "Strides": [0, 3]}`, reason: "4 elements, span 4, stored at 0 and 3",
		},
		{
			rule: rules.Gaps, severity: finding.Note, part: descriptor.StridesPart, item: -1,
			right: head + `"Sizes": [2, 3], "Strides": [3, 1]}`,
			wrong: head + `"Sizes": [2, 3], "Strides": [5, 1]}`, reason: "padding",
		},
		{
			rule: rules.ChannelLimit, severity: finding.Warning, part: descriptor.SizesPart,
			right: head + `"Sizes": [65535], "operator": "GEMM"}`,
			wrong: head + `"Sizes": [65536], "operator": "GEMM"}`, reason: "as reported",
		},
		{
			rule: rules.ChannelLimit, severity: finding.Note, part: descriptor.SizesPart,
			right: head + `"Sizes": [65536], "operator": "ELEMENT_WISE_ADD"}`, wrong: head + `"Sizes": [65536]}`,
			reason: "not others; maybe, if it is not known",
		},
		{
			rule: rules.UnalignedRows, severity: finding.Note, part: descriptor.StridesPart,
			right: `{"DataType": "FLOAT16", "Sizes": [2, 4]}`,
			wrong: `{"DataType": "FLOAT16", "Sizes": [2, 5], "Strides": [5, 1]}`, reason: "10 bytes",
		},
		{
			rule: rules.UnalignedRows, severity: finding.Note, part: descriptor.StridesPart,
			right: head + `"Sizes": [2, 5], "Strides": [5, 1]}`,
			wrong: `{"DataType": "UINT8", "Sizes": [2, 5], "Strides": [6, 1]}`, reason: "32 bits are always",
		},
		{
			rule: rules.Int64Emulated, severity: finding.Note, part: descriptor.StridesPart, item: -1,
			right: `{"DataType": "UINT32", "Sizes": [2, 3], "Strides": [3, 1]}`,
			wrong: `{"DataType": "UINT32", "Sizes": [2, 3], "Strides": [6, 2]}`, reason: "ONNX Runtime's way",
		},
		{
			rule: rules.Int64Emulated, severity: finding.Note, part: descriptor.StridesPart, item: -1,
			right: `{"DataType": "FLOAT32", "Sizes": [2, 3], "Strides": [6, 2]}`,
			wrong: `{"DataType": "UINT32", "Sizes": [2, 3], "Strides": [2, 4]}`, reason: "in any order",
		},
		{
			rule: rules.Overflow, severity: finding.Error, part: descriptor.SizesPart, item: -1,
			right:  `{"DataType": "UINT8", "Sizes": [9223372036854775807], "target": "none"}`,
			wrong:  `{"DataType": "UINT8", "Sizes": [4294967296, 2147483648], "target": "none"}`,
			reason: "2^63 elements",
		},
		{
			rule: rules.Overflow, severity: finding.Error, part: descriptor.SizesPart, item: -1,
			right:  `{"DataType": "UINT8", "Sizes": [0, 4611686018427387904, 4], "target": "none"}`,
			wrong:  `{"DataType": "UINT8", "Sizes": [4, 4611686018427387904], "Strides": [0, 0], "target": "none"}`,
			reason: "a zero makes all of them 0; repeated ones count",
		},
		{
			rule: rules.Overflow, severity: finding.Error, part: descriptor.StridesPart, item: -1,
			right:  `{"DataType": "UINT8", "Sizes": [2], "Strides": [4611686018427387904], "target": "none"}`,
			wrong:  `{"DataType": "UINT8", "Sizes": [3], "Strides": [4611686018427387904], "target": "none"}`,
			reason: "an offset of 2^63",
		},
		{
			rule: rules.Overflow, severity: finding.Error, part: descriptor.SizesPart, item: -1,
			right:  `{"DataType": "UINT4", "Sizes": [2], "Strides": [4611686018427387904], "target": "none"}`,
			wrong:  `{"DataType": "FLOAT32", "Sizes": [2], "Strides": [4611686018427387904], "target": "none"}`,
			reason: "bytes",
		},
		{
			rule: rules.OffsetUnstated, severity: finding.Note, part: descriptor.BasePart, item: -1,
			right: head + `"Sizes": [4], "offset": 4, "target": "none"}`,
			wrong: head + `"Sizes": [4], "offset": 4}`, reason: "only DirectML's has no field for it",
		},
		{
			rule: rules.OneDNNRank, severity: finding.Error, part: descriptor.SizesPart, item: -1,
			right: head + `"Sizes": [1,1,1,1,1,1,1,1,1,1,1,1], "target": "onednn"}`,
			wrong: head + `"Sizes": [1,1,1,1,1,1,1,1,1,1,1,1,1], "target": "onednn"}`, reason: "DNNL_MAX_NDIMS",
		},
		{
			rule: rules.OneDNNStrides, severity: finding.Error, part: descriptor.StridesPart, item: 1,
			right:  head + `"Sizes": [3, 2], "Strides": [2, 6], "target": "onednn"}`,
			wrong:  head + `"Sizes": [3, 2], "Strides": [2, 5], "target": "onednn"}`,
			reason: "refused although unique",
		},
		{
			rule: rules.OneDNNStrides, severity: finding.Error, part: descriptor.StridesPart,
			right:  head + `"Sizes": [3, 2, 1], "Strides": [0, 1, 7], "target": "onednn"}`,
			wrong:  head + `"Sizes": [3, 2], "Strides": [-2, 1], "target": "onednn"}`,
			reason: "0 and size 1 are exempt, backwards is not",
		},
		{
			rule: rules.OneDNNStrides, severity: finding.Error, part: descriptor.StridesPart, item: 1,
			right:  head + `"Sizes": [0, 2], "Strides": [1, 1], "target": "onednn"}`,
			wrong:  head + `"Sizes": [2, 2], "Strides": [1, 1], "target": "onednn"}`,
			reason: "empty tensors are not looked at",
		},
		{
			rule: rules.TMARank, severity: finding.Error, part: descriptor.SizesPart, item: -1,
			right: head + `"Sizes": [1,1,1,1,4], "target": "tma"}`,
			wrong: head + `"Sizes": [1,1,1,1,1,4], "target": "tma"}`, reason: "at most 5",
		},
		{
			rule: rules.TMARank, severity: finding.Error, part: descriptor.SizesPart, item: -1,
			right: head + `"Sizes": [4], "target": "tma"}`, wrong: head + `"Sizes": [], "target": "tma"}`,
			reason: "at least 1",
		},
		{
			rule: rules.TMAStride16, severity: finding.Error, part: descriptor.StridesPart,
			right:  `{"DataType": "FLOAT16", "Sizes": [4, 8], "Strides": [8, 1], "target": "tma"}`,
			wrong:  `{"DataType": "FLOAT16", "Sizes": [4, 8], "Strides": [12, 1], "target": "tma"}`,
			reason: "16 and 24 bytes",
		},
		{
			rule: rules.TMAStride16, severity: finding.Error, part: descriptor.StridesPart,
			right: head + `"Sizes": [4, 4], "target": "tma"}`, wrong: head + `"Sizes": [4, 3], "target": "tma"}`,
			reason: "packed rows too",
		},
		{
			rule: rules.TMAStride16, severity: finding.Error, part: descriptor.BasePart, item: -1,
			right: head + `"Sizes": [4, 4], "offset": 4, "target": "tma"}`,
			wrong: head + `"Sizes": [4, 4], "offset": 3, "target": "tma"}`, reason: "the start too",
		},
		{
			rule: rules.TMAStride16, severity: finding.Error, part: descriptor.StridesPart,
			right:  `{"Sizes": [1, 4], "Strides": [0, 1], "target": "tma"}`,
			wrong:  `{"Sizes": [1, 4], "Strides": [-8, 1], "target": "tma"}`,
			reason: "unsigned, whatever the size and the type",
		},
		{
			rule: rules.TMAInner, severity: finding.Error, part: descriptor.StridesPart, item: 1,
			right:  head + `"Sizes": [4, 4], "Strides": [8, 1], "target": "tma"}`,
			wrong:  head + `"Sizes": [4, 4], "Strides": [8, 2], "target": "tma"}`,
			reason: "no stride is stated for it",
		},
		{
			rule: rules.TMANested, severity: finding.Warning, part: descriptor.StridesPart,
			right:  head + `"Sizes": [4, 8], "Strides": [8, 1], "target": "tma"}`,
			wrong:  head + `"Sizes": [4, 8], "Strides": [4, 1], "target": "tma"}`,
			reason: "rows that reach into each other",
		},
		{
			rule: rules.MdspanPositive, severity: finding.Error, part: descriptor.StridesPart,
			right: head + `"Sizes": [2], "Strides": [1], "target": "mdspan"}`,
			wrong: head + `"Sizes": [2], "Strides": [0], "target": "mdspan"}`, reason: "0",
		},
		{
			rule: rules.MdspanPositive, severity: finding.Error, part: descriptor.StridesPart,
			right: head + `"Sizes": [2], "Strides": [1], "target": "mdspan"}`,
			wrong: head + `"Sizes": [2], "Strides": [-1], "target": "mdspan"}`, reason: "-1",
		},
		{
			rule: rules.MdspanPositive, severity: finding.Error, part: descriptor.StridesPart,
			right: head + `"Sizes": [1, 2], "Strides": [0, 1], "target": "mdspan"}`,
			wrong: head + `"Sizes": [2, 2], "Strides": [0, 1], "target": "mdspan"}`, reason: "size 1 moves nothing",
		},
		{
			rule: rules.MdspanUnique, severity: finding.Error, part: descriptor.StridesPart,
			right:  head + `"Sizes": [3, 3], "Strides": [3, 1], "target": "mdspan"}`,
			wrong:  head + `"Sizes": [3, 3], "Strides": [2, 2], "target": "mdspan"}`,
			reason: "is_exhaustive is fooled",
		},
		{
			rule: rules.MdspanUnique, severity: finding.Warning, part: descriptor.StridesPart, item: 1,
			right:  head + `"Sizes": [3, 2], "Strides": [2, 6], "target": "mdspan"}`,
			wrong:  head + `"Sizes": [3, 2], "Strides": [2, 5], "target": "mdspan"}`,
			reason: "unique, but not in the standard's way",
		},
		{
			rule: rules.PyTorchNegative, severity: finding.Error, part: descriptor.StridesPart, item: 1,
			right: head + `"Sizes": [2, 3], "Strides": [0, 1], "target": "pytorch"}`,
			wrong: head + `"Sizes": [2, 3], "Strides": [3, -1], "target": "pytorch"}`, reason: "PyTorch refuses it",
		},
		{
			rule: descriptor.ConfigValue, severity: finding.Error, part: descriptor.LayoutPart, item: -1,
			right: head + `"Sizes": [1, 3, 4, 4], "layout": "NHWC"}`,
			wrong: head + `"Sizes": [3, 4, 4], "layout": "NHWC"}`, reason: "a name for another rank",
		},
	}
	for _, tt := range tests {
		if right := checkText(t, tt.right); len(of(right, tt.rule)) > 0 {
			t.Errorf("%s: %s is right; %s:%s", tt.rule, tt.right, tt.reason, shown(right))
		}
		wrong := checkText(t, tt.wrong)
		found := of(wrong, tt.rule)
		want := finding.Place{Line: int(tt.part), Column: tt.item}
		if len(found) == 0 || found[0].Severity != tt.severity || found[0].Place != want {
			t.Errorf("%s: %s is wrong: want a finding of severity %s at %v; %s:%s", tt.rule, tt.wrong, tt.severity,
				want, tt.reason, shown(wrong))
		}
	}
}
