package rules

import (
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// A Rule is a row of the table.
type Rule struct {
	Name     string // in flags, comments and reports
	Severity Severity
	Families []Family // whose rule it is; nil is all families
	What     string   // what has to hold
	Why      string   // what happens otherwise
	Limit    string   // the last value that is right and the first that is wrong; may be empty
	Source   string   // who says so: documented, enforced in code, observed, or inferred
	Fix      string   // how to mend it
	Bad      string   // a file that breaks it, and none more severe
	Good     string   // the same, mended
}

// An ID is a rule's place in the table.
type ID uint8

// All lists the rules.
func All() []Rule { return all[:] }

// Rule returns the row of the table.
func (id ID) Rule() *Rule { return &all[id] }

// String returns the rule's name.
func (id ID) String() string { return all[id].Name }

// ruleOf looks a name up, in whatever case.
func ruleOf(name string) (id ID, ok bool) {
	for i := range all {
		if strings.EqualFold(all[i].Name, name) {
			return ID(i), true
		}
	}
	return 0, false
}

// Find returns the rule of that name, in whatever case.
func Find(name string) (ID, error) {
	if id, ok := ruleOf(name); ok {
		return id, nil
	}
	known := make([]string, len(all))
	for i := range all {
		known[i] = all[i].Name
	}
	hint := scan.DidYouMean(strings.ToLower(name), known, "layoutcalc explain lists the rules")
	return 0, &layout.SyntaxError{Input: name, Msg: "unknown rule", Hint: hint}
}

// A Severity says how bad a finding is.
type Severity uint8

// The severities, from the least on.
const (
	Note    Severity = iota // a fact worth knowing
	Warning                 // legal, but almost always a mistake
	Error                   // creation fails, or a documented contract is broken
)

// Severities are their names.
var Severities = [...]string{Note: "note", Warning: "warning", Error: "error"}

// String returns the severity's name.
func (s Severity) String() string { return Severities[s] }

// The rules, in the order of the table.
const (
	// Of the descriptor alone.
	DTypeKnown ID = iota
	DTypeUnknown
	DType4BitLevel
	DimCountRange
	DimCountOld
	DimCountMismatch
	SizeZero
	SizeRange
	StrideRange
	StrideMinus
	StrideShapeOrder
	StridesUnneeded
	StrideEqualsSize
	StrideBytes
	ElementCount
	IndexOverflow
	TotalMissing
	TotalTooSmall
	TotalMultiple4
	TotalSlack
	TotalSlackLarge
	AlignPow2
	AlignGeElement
	AlignBelow16
	AlignRecommend32
	AlignLarge
	FlagKnown
	OwnedOutput
	OwnedOp
	BroadcastPresent
	BroadcastOutput
	OverlapOutput
	OverlapInput
	OverlapUnknown
	GapOverlapBalance
	Gaps
	Packed
	ChannelLimit
	UnalignedRows
	Int64Emulated
	Overflow
	OffsetUnstated
	OpSlot

	// Of the descriptor and its operator.
	OpKnown
	OpLevel
	OpDimCount
	OpDType
	DType4BitOp
	DType64BitOp
	OpSame
	OpBroadcastSizes
	LeadingOnes
	LeadingOnesNotNeeded
	RequiredMissing
	OpAxis
	OpMatrix
	OpChannels
	OpWindow
	OpParts
	InPlace
	GraphEdge
	GraphOwned
	StridedRuntimeBug

	// Of a DxDispatch model.
	JSONKeyCase
	JSONNullTensor
	JSONInt
	JSONDupKey
	ResourceExists
	DispatchableExists
	BindUnknown
	BindMissing
	BindArrayCount
	BindRange
	BindOffset16
	BindOwned
	BindOutputOverlap
	BindAlias
	ResourceSize4
	ResourceDType
	ResourceSlack
	ResourceUnused
	CountFields
	JSONField

	// Of other families.
	OneDNNRank
	OneDNNStrides
	TMARank
	TMAStride16
	TMAInner
	TMANested
	MdspanPositive
	MdspanUnique
	PyTorchNegative

	// Of configurations.
	ConfigKey
	ConfigValue
	ExpectLayout
	ExpectPacked
	ExpectMaxBytes
	ExpectStrides
	ExpectSameAs
	ExpectDType
	ExpectRank
	ExpectSizes
	ExpectDivisible
	ExpectBytes
	ExpectRowPitch
	ExpectRowAlign
	ExpectBaseAlign
	BudgetMaxBytes
	EdgeMismatch
	UnusedIgnore
	BadIgnore

	// Of tensor files.
	LFSPointer
	NotTheFile
	FileHeader
	FileSize
	FileType
	FileOverlap
	FileHole
	FileAlign
	FileOrder
	FileName
	FileTrailing

	// Of an index of .safetensors files.
	IndexMap
	IndexPath
	IndexShardMissing
	IndexShardExtra
	IndexTensorMissing
	IndexTensorExtra
	IndexDuplicate
	IndexTotalSize
	IndexMetadata

	// Of configurations and the files that they name.
	ArtefactMissing
	ArtefactTensor
	ArtefactDType
	ArtefactSizes
	ArtefactBytes
	ArtefactLayout

	// Of ONNX models.
	ONNXTruncated
	ONNXIRVersion
	ONNXOpset
	ONNXDataSize
	ONNXDataCount
	ONNXDataFields
	ONNXDims
	ONNXName
	ONNXSSA
	ONNXIOType
	ONNXInitShape
	ONNXDimValue
	ONNXSparse
	ONNXQuantAnnotation
	ONNXConv
	ONNX2GiB
	ONNXExternalPath
	ONNXExternalLink
	ONNXExternalMissing
	ONNXExternalRange
	ONNXExternalLength
	ONNXExternalOverlap
	ONNXExternalAlign
	ONNXExternalGap

	// Of configurations of Triton.
	TritonField
	TritonValue
	TritonMapKey
	TritonName
	TritonDType
	TritonDimsMissing
	TritonDims
	TritonReshapeDims
	TritonReshapeEmpty
	TritonReshapeSize
	TritonReshapeVariable
	TritonFormatRank
	TritonFormatOrder
	TritonShapeTensor
	TritonNonLinear
	TritonBatchSize
	TritonPreferred
	TritonBatchInput
	TritonBatchOutput
	TritonPlatform
	TritonNoOutput
	TritonPyTorchNames
	TritonDuplicateIO
	TritonReshapeNeedless
	TritonSequence
	TritonState
	TritonWarmup
	TritonDirName
	TritonVersion
	TritonLabel
	TritonEnsemble
	TritonEnsembleTensor
	TritonEnsembleModel
	TritonEnsembleMap
	TritonEnsembleShape
	TritonEnsembleDecoupled
	TritonONNXInputs
	TritonONNXName
	TritonONNXDType
	TritonONNXBatch
	TritonONNXRank
	TritonONNXDims
	TritonONNXScalar
	TritonONNXRagged
	TritonONNXOptional

	// Of every text.
	Syntax

	ruleCount
)
