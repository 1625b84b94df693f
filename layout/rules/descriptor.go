package rules

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// A Descriptor is a tensor descriptor as a text states it.
type Descriptor struct {
	Name     string // what findings call the tensor: its path in the file
	Operator string // the DirectML operator that it belongs to, without DML_OPERATOR_; may be empty
	Slot     string // the operator's name for it, such as InputTensor; may be empty
	Role     Role

	TypeName   string       // the element type as it is written
	Type       layout.DType // what it means
	TypeKnown  bool         // whether it means anything
	TypeJudged bool         // the reader has judged it: it is right there, or has been reported

	Sizes    []int64
	Labelled bool     // each size had the letter of its axis
	Axes     []string // those letters
	Strides  []int64  // nil where none are stated
	Layout   string   // the layout name that is stated in place of strides; may be empty
	Base     int64    // the storage offset, in elements

	Count     Number // DimensionCount
	Total     Number // TotalTensorSizeInBytes
	Alignment Number // GuaranteedBaseOffsetAlignment, in bytes
	Flags     []string

	Computed bool // a total of 0, or none, is computed when the descriptor is used (DxDispatch)
	Source   Source
	Bytes    Span // that describe it in a file that is not a text
}

// owned reports whether the tensor has the flag OWNED_BY_DML.
func (d *Descriptor) owned() bool {
	return slices.ContainsFunc(d.Flags, func(flag string) bool {
		return strings.TrimPrefix(flag, flagPrefix) == ownedByDML
	})
}

// listedType returns DirectML's name of the type; "" if it has none, or is a placeholder.
func (d *Descriptor) listedType() string {
	if !d.TypeKnown || d.Type.Bits() == 0 {
		return ""
	}
	return d.Type.In(layout.DirectML)
}

// typed reports whether the type is known, or one that only the file knows, so that it can be compared.
func (d *Descriptor) typed() bool { return d.TypeKnown || d.TypeJudged }

// elementType returns the type by its name, or as the file writes it.
func (d *Descriptor) elementType() string {
	if d.TypeKnown {
		return d.Type.String()
	}
	return scan.Clip(d.TypeName)
}

// A Number is one that may be missing.
type Number struct {
	Value  int64
	Stated bool
}

// Stated returns a number that is stated.
func Stated(n int64) Number { return Number{Value: n, Stated: true} }

// A Role says what an operator does with a tensor.
type Role uint8

// The roles.
const (
	UnknownRole Role = iota
	Input
	Output
)

// A Source knows the places of the parts of a descriptor. It is asked only when there is something to report.
type Source interface {
	// Place returns the place of a part, of its item i where it is a list and i is not negative.
	// Where the text does not have the part it is the place of the descriptor.
	Place(p Part, i int) Place
}

// A Locator knows its place. It is asked only when there is something to report.
type Locator interface{ Place() Place }

// A File is what a file states about tensors.
type File struct {
	Kind        string // "dxdispatch", "config", "npy", "safetensors", "gguf", "onnx" or "triton"
	Target      Target // whose rules its descriptors follow, unless the user names another
	Descriptors []Descriptor
	Header      List      // in place of Descriptors, of a file that may have very many; else nil
	Values      []Value   // the inputs and outputs of an ONNX model
	Model       *Model    // what relates the descriptors of a DxDispatch model; else nil
	Config      *Config   // what a configuration expects of its descriptors; else nil
	Findings    []Finding // the reader's own
	Ignores     []Ignore  // the comments that silence rules
}

// A List makes the descriptors of a header when they are asked for.
type List interface {
	Len() int
	At(i int) Descriptor
}

// Len returns the number of descriptors.
func (f *File) Len() int {
	if f.Header != nil {
		return f.Header.Len()
	}
	return len(f.Descriptors)
}

// At returns descriptor i.
func (f *File) At(i int) Descriptor {
	if f.Header != nil {
		return f.Header.At(i)
	}
	return f.Descriptors[i]
}

// A Value is an input or an output of a model. Sizes that are open are -1.
type Value struct {
	Descriptor
	Open []string // the names of open sizes; empty for those that have none, and for known ones
}

// Parts of the examples.
const (
	float32Of     = `{"DataType": "FLOAT32", "Sizes": `
	float16Of     = `{"DataType": "FLOAT16", "Sizes": `
	tensor2x3     = float32Of + `[2, 3]}`
	tensor8       = float32Of + `[8]}`
	withTotal     = `, "TotalTensorSizeInBytes": `
	withAlignment = `, "GuaranteedBaseOffsetAlignment": `
	onDirectML    = `, "target": "directml"}`
)

// descriptorRules are the rules of a descriptor alone.
var descriptorRules = []Rule{
	{ID: DTypeKnown, Name: "dtype-known", Severity: Error,
		What: "The element type is one that the target has.",
		Why:  "Nothing can be sized without it. DirectML has no BOOL (UINT8 holds truth values) and no BFLOAT16.",
		Limit: "FLOAT32 FLOAT16 UINT32 UINT16 UINT8 INT32 INT16 INT8 FLOAT64 UINT64 INT64 UINT4 INT4 are right for " +
			"DirectML; BOOL and BFLOAT16 are wrong",
		Source: "documented (DML_TENSOR_DATA_TYPE); enforced by DxDispatch's parser", Fix: "Use one of the types.",
		Bad:  `{"DataType": "BFLOAT16", "Sizes": [2, 3], "TotalTensorSizeInBytes": 12, "target": "directml"}`,
		Good: `{"DataType": "FLOAT16", "Sizes": [2, 3], "TotalTensorSizeInBytes": 12, "target": "directml"}`,
	},
	{ID: DTypeUnknown, Name: "dtype-unknown", Severity: Error, Families: onlyDirectML,
		What:   "The element type is not UNKNOWN.",
		Why:    "UNKNOWN is a placeholder: no descriptor may have it, and the size helper answers 0 bytes for it.",
		Source: "documented (DML_TENSOR_DATA_TYPE, helper functions)", Fix: "State the type of the elements.",
		Bad:  `{"DataType": "UNKNOWN", "Sizes": [2, 3], "TotalTensorSizeInBytes": 24, "target": "directml"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [2, 3], "TotalTensorSizeInBytes": 24, "target": "directml"}`,
	},
	{ID: DType4BitLevel, Name: "dtype-4bit-level", Severity: Note, Families: onlyDirectML,
		What: "UINT4 and INT4 need feature level 6.3.",
		Why: "Older DirectML does not know them, and the size helper of that time answers 0. An error if the " +
			"target is older.",
		Limit:  "directml@6.3 is right, directml@6.2 is wrong",
		Source: "documented (DML_TENSOR_DATA_TYPE, feature levels); enforced by DirectMLX",
		Fix:    "Ship DirectML 1.15.0 or later, or widen the elements to UINT8.",
		Bad:    `{"DataType": "UINT4", "Sizes": [8], "TotalTensorSizeInBytes": 4, "target": "directml"}`,
		Good:   `{"DataType": "UINT8", "Sizes": [8], "TotalTensorSizeInBytes": 8, "target": "directml"}`,
	},
	{ID: DimCountRange, Name: "dim-count-range", Severity: Error, Families: onlyDirectML,
		What: "A descriptor has 1 to 8 dimensions.",
		Why: "No dimensions are refused with E_INVALIDARG since DirectML 1.11, and make the size helper read sizes " +
			"that are not there. More than 8 are beyond DML_TENSOR_DIMENSION_COUNT_MAX1.",
		Limit:  "1 and 8 are right, 0 and 9 are wrong",
		Source: "documented (DirectML constants); observed; enforced in ONNX Runtime",
		Fix:    "Write a scalar as [1], and merge dimensions that follow each other in memory.",
		Bad:    float32Of + "[1, 1, 1, 1, 1, 1, 1, 1, 3]" + withTotal + `12, "target": "directml@6.4"}`,
		Good:   float32Of + "[1, 1, 1, 1, 1, 1, 1, 3]" + withTotal + `12, "target": "directml@6.4"}`,
	},
	{ID: DimCountOld, Name: "dim-count-old", Severity: Warning, Families: onlyDirectML,
		What:   "More than 5 dimensions need feature level 3.0.",
		Why:    "Before DirectML 1.4.0 the limit was 5. An error if the target is older, a warning if it has no level.",
		Limit:  "directml@3.0 is right, directml@2.1 is wrong with 6, 7 and 8 dimensions",
		Source: "documented (DirectML constants)",
		Fix:    "Say which level the target is at, or merge dimensions that follow each other in memory.",
		Bad:    float32Of + "[1, 1, 1, 1, 1, 3]" + withTotal + "12" + onDirectML,
		Good:   `{"DataType": "FLOAT32", "Sizes": [1, 1, 1, 1, 3], "TotalTensorSizeInBytes": 12, "target": "directml"}`,
	},
	{ID: DimCountMismatch, Name: "dim-count-mismatch", Severity: Error,
		What: "There are as many strides as sizes, and DimensionCount says how many.",
		Why: "DirectML has one count for both lists: if one is shorter, it reads what comes after it. DxDispatch " +
			"does not check.",
		Limit:  "3 for 3 sizes is right, 2 and 4 are wrong",
		Source: "inferred from DML_BUFFER_TENSOR_DESC; enforced in ONNX Runtime, Chromium and DirectMLX",
		Fix:    "Make the counts equal, or leave out strides that are packed.",
		Bad:    float32Of + `[2, 3], "Strides": [1]` + withTotal + "24" + onDirectML,
		Good:   float32Of + `[2, 3], "Strides": [3, 1]` + withTotal + "24" + onDirectML,
	},
	{ID: SizeZero, Name: "size-zero", Severity: Error, Families: onlyDirectML,
		What: "Every size is at least 1.",
		Why: "DirectML has no empty tensors and refuses to create operators on them. With strides the size helper " +
			"even answers 16 GiB for 0 elements.",
		Limit: "1 is right, 0 is wrong", Source: "documented (DML_BUFFER_TENSOR_DESC); enforced in Chromium; observed",
		Fix:  "Leave out operators whose tensors are empty.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [2, 0, 3], "TotalTensorSizeInBytes": 4, "target": "directml"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [2, 1, 3], "TotalTensorSizeInBytes": 24, "target": "directml"}`,
	},
	{ID: SizeRange, Name: "size-range", Severity: Error,
		What:   "No size is negative, and DirectML's fit 32 bits.",
		Why:    "The field is a UINT: larger numbers lose their upper half on the way into it.",
		Limit:  "4294967295 is right, 4294967296 is wrong for DirectML; 0 is right elsewhere, -1 is wrong",
		Source: "documented (DML_BUFFER_TENSOR_DESC); enforced by DxDispatch's parser",
		Fix:    "Write the number that -1 stands for; split a dimension that is too large.",
		Bad:    `{"DataType": "FLOAT32", "Sizes": [-1, 3], "TotalTensorSizeInBytes": 12, "target": "none"}`,
		Good:   `{"DataType": "FLOAT32", "Sizes": [1, 3], "TotalTensorSizeInBytes": 12, "target": "none"}`,
	},
	{ID: StrideRange, Name: "stride-range", Severity: Error, Families: onlyDirectML,
		What: "A stride is not negative and fits 32 bits.",
		Why: "The field is a UINT. DirectML cannot step backwards: -1 becomes 4294967295. Strides of size 1 move " +
			"nothing and are not looked at.",
		Limit:  "0 and 4294967295 are right, -1 and 4294967296 are wrong",
		Source: "documented (DML_BUFFER_TENSOR_DESC); enforced by DxDispatch's parser",
		Fix:    "List the rows in the order of memory, and reverse them with an operator such as SLICE1.",
		Bad:    float32Of + `[2, 3], "Strides": [-3, 1]` + withTotal + "24" + onDirectML,
		Good:   float32Of + `[2, 3], "Strides": [3, 1]` + withTotal + "24" + onDirectML,
	},
	{ID: StrideMinus, Name: "stride-minus", Severity: Warning, Families: onlyDirectML,
		What:   "A stride is below 2147483648, 2^31.",
		Why:    "A larger one is probably a negative number that went through an unsigned one. 4294967295 is -1.",
		Limit:  "2147483647 is right, 2147483648 is wrong",
		Source: "inferred", Fix: "Write the stride that was meant, and reverse with an operator such as SLICE1.",
		Bad: `{"DataType": "UINT8", "Sizes": [2, 1], "Strides": [2147483648, 1]` + withTotal + "2147483652" +
			onDirectML,
		Good: `{"DataType": "UINT8", "Sizes": [2, 1], "Strides": [2147483647, 1]` + withTotal + "2147483648" +
			onDirectML,
	},
	{ID: StrideShapeOrder, Name: "stride-shape-order", Severity: Note,
		What: "Sizes are listed as N, C, (D,) H, W, whatever the order in memory.",
		Why: "Sizes in the order N, H, W, C make an image of few columns and many channels. Only strides, or " +
			"a layout name, put channels last. A warning where the layout name does and the sizes look so too.",
		Limit: "the last size at most 4, those between at least 16: [1, 224, 224, 5] is right, [1, 224, 224, 4] is " +
			"noted for DirectML, and a warning with layout NHWC",
		Source: "documented (strides article, DML_BUFFER_TENSOR_DESC); observed (DirectML issue 240)",
		Fix:    "List sizes as N, C, H, W and state strides or a layout.",
		Bad:    float32Of + "[1, 224, 224, 3]" + withTotal + "602112" + onDirectML,
		Good:   float32Of + `[1, 3, 224, 224], "Strides": [150528, 1, 672, 3]` + withTotal + "602112" + onDirectML,
	},
	{ID: StridesUnneeded, Name: "strides-unneeded", Severity: Note, Families: onlyDirectML,
		What:   "Packed row-major strides may be left out.",
		Why:    "A null pointer means the same, and cannot disagree with the sizes.",
		Source: "documented (strides article)", Fix: "Leave out Strides.",
		Bad:  float32Of + `[2, 3], "Strides": [3, 1]` + withTotal + "24" + onDirectML,
		Good: `{"DataType": "FLOAT32", "Sizes": [2, 3], "TotalTensorSizeInBytes": 24, "target": "directml"}`,
	},
	{ID: StrideEqualsSize, Name: "stride-equals-size", Severity: Warning,
		What:   "Strides are not the same numbers as the sizes.",
		Why:    "That happens when sizes are copied into the wrong field; as strides they seldom make sense.",
		Source: "observed (review of DirectML pull request 118)",
		Fix:    "State how far a step along each dimension goes, in elements.",
		Bad:    float32Of + `[3, 2], "Strides": [3, 2]` + withTotal + "36" + onDirectML,
		Good:   float32Of + `[3, 2], "Strides": [2, 1]` + withTotal + "24" + onDirectML,
	},
	{ID: StrideBytes, Name: "stride-bytes", Severity: Warning,
		What: "Strides count elements, not bytes.",
		Why: "NumPy and ggml count bytes, DirectML and PyTorch elements. Strides that are packed once divided by " +
			"the element's size are probably bytes. An error if the total has room for bytes, and not for elements.",
		Limit:  "FLOAT32 [2, 3] with [3, 1] is right, with [12, 4] wrong",
		Source: "documented (DML_BUFFER_TENSOR_DESC); inferred", Fix: "Divide by the element's size.",
		Bad:  float32Of + `[2, 3], "Strides": [12, 4]` + withTotal + "84" + onDirectML,
		Good: float32Of + `[2, 3], "Strides": [3, 1]` + withTotal + "24" + onDirectML,
	},
	{ID: ElementCount, Name: "element-count", Severity: Error, Families: onlyDirectML,
		What:   "The product of the sizes is at most 2^32 - 1.",
		Why:    "It is DirectML's limit, and counts repeated elements too.",
		Limit:  "[65535, 65537] is right, with 4294967295 elements; [65536, 65536] is wrong",
		Source: "documented (DML_BUFFER_TENSOR_DESC)", Fix: "Split the tensor.",
		Bad:  `{"DataType": "UINT8", "Sizes": [65536, 65536]` + withTotal + "4294967296" + onDirectML,
		Good: `{"DataType": "UINT8", "Sizes": [65535, 65537]` + withTotal + "4294967296" + onDirectML,
	},
	{ID: IndexOverflow, Name: "index-overflow", Severity: Error, Families: onlyDirectML,
		What: "The last element is at 2^32 - 1 or before.",
		Why: "The vendor's size helper adds up (size - 1) x stride in 32 bits. Beyond them it answers a few bytes, " +
			"with which the total looks large enough.",
		Limit:  "4294967295 is right, 4294967296 is wrong",
		Source: "enforced in code (DMLCalcBufferTensorSize, Chromium)",
		Fix:    "Split the tensor, or use smaller strides.",
		Bad: `{"DataType": "UINT8", "Sizes": [3, 3], "Strides": [2147483647, 2]` + withTotal + "4294967300" +
			onDirectML,
		Good: `{"DataType": "UINT8", "Sizes": [3, 3], "Strides": [2147483646, 1]` + withTotal + "4294967296" +
			onDirectML,
	},
	{ID: TotalMissing, Name: "total-missing", Severity: Error, Families: onlyDirectML,
		What:  "TotalTensorSizeInBytes is stated.",
		Why:   "Nothing computes it for a descriptor in C. DxDispatch does if it is left out: then this is a note.",
		Limit: "0 is wrong", Source: "documented (DML_BUFFER_TENSOR_DESC); DxDispatch's parser",
		Fix:  "State what DMLCalcBufferTensorSize answers.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [2, 3], "TotalTensorSizeInBytes": 0, "target": "directml"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [2, 3], "TotalTensorSizeInBytes": 24, "target": "directml"}`,
	},
	{ID: TotalTooSmall, Name: "total-too-small", Severity: Error,
		What: "The total covers the last element.",
		Why: "Elements beyond the end are read and written in other storage. It happens when strides change and " +
			"the total does not. DirectML rounds what is needed up to a multiple of 4.",
		Limit:  "FLOAT16 [5, 55] with strides [9, 3] needs 400: 400 is right, 399 is wrong",
		Source: "documented (DML_BUFFER_TENSOR_DESC); observed (ONNX Runtime pull request 14225)",
		Fix:    "State the bytes up to the end of the last element.",
		Bad:    `{"DataType": "FLOAT32", "Sizes": [2, 3], "TotalTensorSizeInBytes": 20, "target": "directml"}`,
		Good:   `{"DataType": "FLOAT32", "Sizes": [2, 3], "TotalTensorSizeInBytes": 24, "target": "directml"}`,
	},
	{ID: TotalMultiple4, Name: "total-multiple-4", Severity: Error, Families: onlyDirectML,
		What:   "TotalTensorSizeInBytes is a multiple of 4.",
		Why:    "Buffers are bound in whole DWORDs, and creation fails otherwise.",
		Limit:  "FLOAT16 [5]: 12 is right, 10 is wrong",
		Source: "documented (helper functions); observed (onnxruntime-genai issue 725)", Fix: "Round up.",
		Bad:  `{"DataType": "FLOAT16", "Sizes": [5], "TotalTensorSizeInBytes": 13, "target": "directml"}`,
		Good: `{"DataType": "FLOAT16", "Sizes": [5], "TotalTensorSizeInBytes": 12, "target": "directml"}`,
	},
	{ID: TotalSlack, Name: "total-slack", Severity: Note,
		What:   "The total is what the elements need.",
		Why:    "More is legal, and may spare bounds checks; DirectML may write over the rest of an output.",
		Limit:  "FLOAT16 [1, 4]: 8 is right, 12 is noted",
		Source: "documented (DML_BUFFER_TENSOR_DESC)", Fix: "State what is needed, unless the slack is intended.",
		Bad:  `{"DataType": "FLOAT16", "Sizes": [1, 4], "TotalTensorSizeInBytes": 16, "target": "directml"}`,
		Good: `{"DataType": "FLOAT16", "Sizes": [1, 4], "TotalTensorSizeInBytes": 8, "target": "directml"}`,
	},
	{ID: TotalSlackLarge, Name: "total-slack-large", Severity: Warning,
		What:   "The total is not twice what the elements need.",
		Why:    "Usually the shape changed and the total did not, or one of them counts bytes and the other elements.",
		Limit:  "for a need of 68 bytes 132 is right, 136 is wrong: twice as much, and more than 64 bytes to spare",
		Source: "convention", Fix: "State what is needed.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [17], "TotalTensorSizeInBytes": 136, "target": "directml"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [17], "TotalTensorSizeInBytes": 68, "target": "directml"}`,
	},
	{ID: AlignPow2, Name: "align-pow2", Severity: Error,
		What:   "An alignment is 0 or a power of two.",
		Why:    "Other alignments are refused. DxDispatch's parser takes them.",
		Limit:  "0, 1, 2, 4 are right; 3, 5, 24 are wrong",
		Source: "documented (DML_BUFFER_TENSOR_DESC)", Fix: "State the power of two below.",
		Bad:  float32Of + "[2, 3]" + withTotal + "24" + withAlignment + "48" + onDirectML,
		Good: float32Of + "[2, 3]" + withTotal + "24" + withAlignment + "32" + onDirectML,
	},
	{ID: AlignGeElement, Name: "align-ge-element", Severity: Error, Families: onlyDirectML,
		What:   "An alignment other than 0 is at least the size of an element.",
		Why:    "An element would start inside another one's place. Elements of 4 bits count as a byte.",
		Limit:  "FLOAT64: 8 is right, 4 is wrong",
		Source: "documented (DML_BUFFER_TENSOR_DESC)", Fix: "State the element's size or more, or 0.",
		Bad:  `{"DataType": "FLOAT64", "Sizes": [2]` + withTotal + "16" + withAlignment + "4" + onDirectML,
		Good: `{"DataType": "FLOAT64", "Sizes": [2]` + withTotal + "16" + withAlignment + "8" + onDirectML,
	},
	{ID: AlignBelow16, Name: "align-below-16", Severity: Note, Families: onlyDirectML,
		What:   "An alignment below 16 has no effect.",
		Why:    "Buffers are bound at multiples of 16 bytes whatever the descriptor says.",
		Limit:  "16 is right, 8 is noted",
		Source: "documented (DML_BUFFER_TENSOR_DESC, DirectML constants)", Fix: "Leave it out.",
		Bad:  float32Of + "[2, 3]" + withTotal + "24" + withAlignment + "8" + onDirectML,
		Good: float32Of + "[2, 3]" + withTotal + "24" + withAlignment + "32" + onDirectML,
	},
	{ID: AlignRecommend32, Name: "align-recommend-32", Severity: Note, Families: onlyDirectML,
		What:   "An alignment that is stated is at least 32.",
		Why:    "DirectML asks for 32 bytes if the application can provide them.",
		Limit:  "32 is right, 16 is noted",
		Source: "documented (DML_BUFFER_TENSOR_DESC)", Fix: "Place the buffer at multiples of 32 bytes and state 32.",
		Bad:  float32Of + "[2, 3]" + withTotal + "24" + withAlignment + "16" + onDirectML,
		Good: float32Of + "[2, 3]" + withTotal + "24" + withAlignment + "32" + onDirectML,
	},
	{ID: AlignLarge, Name: "align-large", Severity: Warning, Families: onlyDirectML,
		What:   "An alignment is at most 65536.",
		Why:    "Direct3D 12 places buffers at multiples of 64 KiB: no offset makes up for more.",
		Limit:  "65536 is right, 131072 is wrong",
		Source: "inferred (Direct3D 12's default placement)", Fix: "State 65536 or less.",
		Bad:  float32Of + "[2, 3]" + withTotal + "24" + withAlignment + "131072" + onDirectML,
		Good: float32Of + "[2, 3]" + withTotal + "24" + withAlignment + "65536" + onDirectML,
	},
	{ID: FlagKnown, Name: "flag-known", Severity: Error, Families: onlyDirectML,
		What:   "Flags are NONE or OWNED_BY_DML.",
		Why:    "There are no others, and DxDispatch stops at them.",
		Source: "documented (DML_TENSOR_FLAGS); enforced by DxDispatch's parser",
		Fix:    "Correct the name, or leave it out.",
		Bad:    float32Of + "[2, 3]" + withTotal + `24, "Flags": ["OWNED"]` + onDirectML,
		Good:   float32Of + "[2, 3]" + withTotal + `24, "Flags": ["OWNED_BY_DML"]` + onDirectML,
	},
	{ID: OwnedOutput, Name: "owned-output", Severity: Error, Families: onlyDirectML,
		What:   "Only inputs have the flag OWNED_BY_DML.",
		Why:    "It hands contents over when the operator is initialized; an output has none then.",
		Source: "documented (DML_TENSOR_FLAGS)", Fix: "Leave out the flag.",
		Bad:  float32Of + "[2, 3]" + withTotal + `24, "Flags": ["OWNED_BY_DML"], "role": "output"` + onDirectML,
		Good: float32Of + "[2, 3]" + withTotal + `24, "Flags": ["OWNED_BY_DML"], "role": "input"` + onDirectML,
	},
	{ID: OwnedOp, Name: "owned-op", Severity: Error, Families: onlyDirectML,
		What: "Tensors that an operator reads while it runs are not OWNED_BY_DML.",
		Why: "RNN, LSTM and GRU exclude the flag on each of their inputs: DirectML cannot copy them when the " +
			"operator is initialized.",
		Source: "documented (operator pages)",
		Fix:    "Leave the flag out, and bind the tensor when the operator is executed.",
		Bad: `{"resources": {"w": ` + float32Values + `20, "value": 0}}}, ` +
			`"dispatchables": {"op": {"bindings": {"WeightTensor": "w"}, "type": "RNN", "InputTensor": ` + float32Of +
			`[1, 2, 3, 4]}, "WeightTensor": ` + float32Of + `[1, 1, 5, 4], "Flags": "OWNED_BY_DML"}, ` +
			`"RecurrenceTensor": ` + float32Of + "[1, 1, 5, 5]}}" + noCommands,
		Good: operatorAlone + `RNN", "InputTensor": ` + float32Of + `[1, 2, 3, 4]}, "WeightTensor": ` + float32Of +
			`[1, 1, 5, 4]}, "RecurrenceTensor": ` + float32Of + "[1, 1, 5, 5]}}" + noCommands,
	},
	{ID: BroadcastPresent, Name: "broadcast-present", Severity: Note,
		What:   "A dimension of stride 0 repeats its elements.",
		Why:    "It takes no storage: fewer bytes serve more elements. This is how DirectML broadcasts.",
		Limit:  "stride 0 with size 1 is nothing, with size 2 noted",
		Source: "documented (strides article, DML_BUFFER_TENSOR_DESC)", Fix: "None is needed if it is meant.",
		Bad:  float32Of + `[1, 3, 4, 5], "Strides": [0, 0, 0, 1]` + withTotal + `20, "role": "input"` + onDirectML,
		Good: float32Of + "[1, 3, 4, 5]" + withTotal + `240, "role": "input"` + onDirectML,
	},
	{ID: BroadcastOutput, Name: "broadcast-output", Severity: Error,
		What:   "An output has no dimension of stride 0.",
		Why:    "Many elements are written to one address, and the result is undefined. Size 1 does not matter.",
		Limit:  "stride 0 with size 1 is right, with size 2 wrong",
		Source: "inferred: DirectML's pages describe stride 0 for reading; PyTorch refuses such a write",
		Fix:    "Give every element an address.",
		Bad:    float32Of + `[2, 3], "Strides": [0, 1]` + withTotal + `12, "role": "output"` + onDirectML,
		Good:   float32Of + `[2, 3], "Strides": [3, 1]` + withTotal + `24, "role": "output"` + onDirectML,
	},
	{ID: OverlapOutput, Name: "overlap-output", Severity: Error,
		What:   "No two elements of an output share an address.",
		Why:    "Both are written there, and the result is undefined.",
		Limit:  "[4, 4] with strides [3, 4] is right, [5, 4] with [3, 4] wrong: (0,3) and (4,0) meet at 12",
		Source: "inferred, as broadcast-output", Fix: "Make a stride larger.",
		Bad:  float32Of + `[5, 4], "Strides": [3, 4]` + withTotal + `100, "role": "output"` + onDirectML,
		Good: float32Of + `[4, 4], "Strides": [3, 4]` + withTotal + `88, "role": "output"` + onDirectML,
	},
	{ID: OverlapInput, Name: "overlap-input", Severity: Warning,
		What:   "Elements of an input share addresses only if that is meant.",
		Why:    "It is legal, and sliding windows are made so; more often a stride is wrong.",
		Limit:  "[4, 4] with strides [3, 4] is right, [5, 4] with [3, 4] is wrong: (0,3) and (4,0) meet at 12",
		Source: "documented as legal (strides article)",
		Fix:    "Make a stride larger, or ignore the rule if a window is meant.",
		Bad:    float32Of + `[5, 4], "Strides": [3, 4]` + withTotal + `100, "role": "input"` + onDirectML,
		Good:   float32Of + `[4, 4], "Strides": [3, 4]` + withTotal + `88, "role": "input"` + onDirectML,
	},
	{ID: OverlapUnknown, Name: "overlap-unknown", Severity: Warning,
		What: "It can be decided whether elements share addresses.",
		Why: "The question is hard in general. If the search reaches its limit of work, the answer is unknown, " +
			"which is not a yes.",
		Limit:  "64 dimensions are judged, 65 are not; nor are eight large sizes with strides that hardly differ",
		Source: "the limits of this program",
		Fix:    "Use strides each of which steps over the reach of the smaller ones.",
		Bad: float32Of + "[30, 30, 30, 30, 30, 30, 30, 30], " +
			`"Strides": [38788726098, 66022479439, 66145579549, 49313315843, 39892476625, 60349573336, ` +
			`40686190622, 52122931860], "target": "none"}`,
		Good: float32Of + "[30, 30, 30, 30, 30, 30, 30, 30], " +
			`"Strides": [21870000000, 729000000, 24300000, 810000, 27000, 900, 30, 1], "target": "none"}`,
	},
	{ID: GapOverlapBalance, Name: "gap-overlap-balance", Severity: Warning,
		What: "Elements that are as many as the offsets of the span are packed.",
		Why: "Equal numbers prove nothing if some offsets are shared and others unused. The mdspan of C++ calls " +
			"such a layout exhaustive.",
		Limit:  "[3, 3] with strides [3, 1] is right, with [2, 2] wrong: 9 elements, span 9, 5 addresses",
		Source: "documented (strides article's definition of packed)", Fix: "Correct the strides.",
		Bad:  float32Of + `[3, 3], "Strides": [2, 2]` + withTotal + `36, "role": "input"` + onDirectML,
		Good: float32Of + `[3, 3], "Strides": [3, 1]` + withTotal + `36, "role": "input"` + onDirectML,
	},
	{ID: Gaps, Name: "gaps", Severity: Note,
		What:   "Every offset between the first and the last element is used.",
		Why:    "Padding takes storage; it may be intended, so that rows are aligned.",
		Limit:  "[2, 3] with strides [3, 1] has none, with [5, 1] two of 8",
		Source: "documented (strides article)", Fix: "None is needed if padding is meant.",
		Bad:  float32Of + `[2, 3], "Strides": [5, 1]` + withTotal + "32" + onDirectML,
		Good: float32Of + `[2, 3], "Strides": [3, 1]` + withTotal + "24" + onDirectML,
	},
	{ID: Packed, Name: "packed", Severity: Note,
		What: "A packed tensor has one of the layouts that the message names.",
		Why: "With neither gaps nor overlap the order of the dimensions in memory is all that is left to know. " +
			"Where sizes are 1, several layouts are the same.",
		Source: "documented (strides article); PyTorch pull request 31952", Fix: "None is needed.",
		Bad:  float32Of + `[1, 3, 4, 5], "Strides": [60, 1, 15, 3]` + withTotal + "240" + onDirectML,
		Good: float32Of + `[1, 3, 4, 5], "Strides": [64, 1, 16, 3]` + withTotal + "252" + onDirectML,
	},
	{ID: ChannelLimit, Name: "channel-limit", Severity: Warning, Families: onlyDirectML,
		What: "Operators like GEMM work on sizes up to 65535.",
		Why: "Creation was seen to fail with E_INVALIDARG at 65536, though no page says so. A note while the " +
			"operator is not known.",
		Limit:  "65535 is right, 65536 is wrong",
		Source: "observed (DirectML issue 650)", Fix: "Split the dimension.",
		Bad:  float32Of + "[1, 1, 1, 65536]" + withTotal + "262144" + onDirectML,
		Good: float32Of + "[1, 1, 1, 65535]" + withTotal + "262140" + onDirectML,
	},
	{ID: UnalignedRows, Name: "unaligned-rows", Severity: Note, Families: onlyDirectML,
		What:   "Rows of 8 and 16 bits start at multiples of 4 bytes.",
		Why:    "Aligned rows can be read by whole DWORDs; it is the usual reason to pad.",
		Limit:  "FLOAT16 rows of 4 elements are right, of 5 noted",
		Source: "convention (the strides article names alignment as a reason to pad)", Fix: "Pad the rows.",
		Bad:  float16Of + `[2, 5], "Strides": [5, 1]` + withTotal + "20" + onDirectML,
		Good: float16Of + `[2, 5], "Strides": [6, 1]` + withTotal + "24" + onDirectML,
	},
	{ID: Int64Emulated, Name: "int64-emulated", Severity: Note, Families: onlyDirectML,
		What: "UINT32 strides that are all doubled read the lower halves of 64-bit integers.",
		Why: "ONNX Runtime used to do so. The total that follows from them ends before the last upper half, so it " +
			"added 4 bytes.",
		Limit:  "[2, 3] with strides [3, 1] is right, with [6, 2] noted: 44 bytes, and 48 with the last upper half",
		Source: "enforced in code (ONNX Runtime's TensorDesc.cpp)",
		Fix:    "Use INT64 or UINT64 if the operator takes them.",
		Bad:    `{"DataType": "UINT32", "Sizes": [2, 3], "Strides": [6, 2]` + withTotal + "48" + onDirectML,
		Good:   `{"DataType": "INT64", "Sizes": [2, 3], "Strides": [3, 1]` + withTotal + "48" + onDirectML,
	},
	{ID: Overflow, Name: "overflow", Severity: Error,
		What:   "Elements, offsets and bytes fit 64 bits.",
		Why:    "Programs that count with fewer bits wrap around, and find storage that is not there.",
		Limit:  "9223372036854775807 is right, 9223372036854775808 is wrong",
		Source: "inferred; NumPy, PyTorch and ggml had such faults", Fix: "Correct the size or the stride.",
		Bad:  `{"DataType": "UINT8", "Sizes": [4294967296, 2147483648], "target": "none"}`,
		Good: `{"DataType": "UINT8", "Sizes": [4294967296, 1073741824], "target": "none"}`,
	},
	{ID: OffsetUnstated, Name: "offset-unstated", Severity: Note, Families: onlyDirectML,
		What: "A storage offset is 0, or known to whoever binds the buffer.",
		Why: "A descriptor has no field for it: the binding starts at the offset, and its bytes count on top of " +
			"TotalTensorSizeInBytes.",
		Limit: "0 is right, 1 is noted", Source: "documented (DML_BUFFER_TENSOR_DESC, DML_BUFFER_BINDING)",
		Fix:  "Bind the buffer at the offset, a multiple of 16 bytes, and make it larger by that.",
		Bad:  directMLConfigOf + "  tail: {dtype: float32, sizes: 2x3, storageOffset: 4, totalBytes: 24}\n",
		Good: "version: 1\ntarget: directml\ntensors:\n  tail: {dtype: float32, sizes: 2x3, totalBytes: 24}\n",
	},
	{ID: OpSlot, Name: "op-slot", Severity: Error,
		What: "A tensor that names its operator names a tensor of that operator, and its role if any.",
		Why: "What an operator takes is known of each of its tensors. A note if the slot is not stated, a warning if " +
			"the operator is not, or if the target is none.",
		Limit:  "GEMM: slot ATensor is right, slot InputTensor is wrong",
		Source: "documented (operator pages)", Fix: "Write the name as the operator's structure has it.",
		Bad: directMLConfigOf + "  a: {dtype: float32, sizes: 2x3, totalBytes: 24, operator: GEMM, slot: " +
			"InputTensor}\n",
		Good: directMLConfigOf + "  a: {dtype: float32, sizes: 2x3, totalBytes: 24, operator: GEMM, slot: ATensor}\n",
	},
}
