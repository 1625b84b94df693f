package rules

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// A Rule is a row of a table.
type Rule struct {
	ID       ID
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

// An ID is a rule's place among all.
type ID uint8

// tables are the rules by what they are about, in the order of their IDs.
var tables = [...][]Rule{
	descriptorRules, operatorRules, modelRules, familyRules, configRules, tensorFileRules, indexRules, artefactRules,
	onnxRules, tritonRules, repositoryRules, textRules,
}

// All lists the rules.
func All() []Rule { return slices.Concat(tables[:]...) }

// Rule returns the row of the rule.
func (id ID) Rule() *Rule {
	at, table := int(id), 0
	for ; at >= len(tables[table]); table++ {
		at -= len(tables[table])
	}
	return &tables[table][at]
}

// String returns the rule's name.
func (id ID) String() string { return id.Rule().Name }

// ruleOf looks a name up, in whatever case.
func ruleOf(name string) (id ID, ok bool) {
	for id = range ruleCount {
		if strings.EqualFold(id.String(), name) {
			return id, true
		}
	}
	return 0, false
}

// Find returns the rule of that name, in whatever case.
func Find(name string) (ID, error) {
	if id, ok := ruleOf(name); ok {
		return id, nil
	}
	known := make([]string, ruleCount)
	for i := range known {
		known[i] = ID(i).String()
	}
	err := &layout.SyntaxError{Input: name, Msg: "unknown rule", Hint: "layoutcalc explain lists the rules"}
	return 0, err.DidYouMean(name, scan.Likely(strings.ToLower(name), known))
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

// The rules, in the order of the tables.
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

// The families of rules that not all families have.
var (
	onlyDirectML = []Family{DirectML}
	onlyPyTorch  = []Family{PyTorch}
	onlyOneDNN   = []Family{OneDNN}
	onlyTMA      = []Family{TMA}
	onlyMdspan   = []Family{Mdspan}
)

// textRules are the rules of every text.
var textRules = []Rule{
	{ID: Syntax, Name: "syntax", Severity: Error,
		What: "The input can be read.",
		Why: "What cannot be read cannot be checked: the exit code is 2, whatever else was found. Of a log a line " +
			"that cannot be read is a warning.",
		Source: "the grammars of JSON, YAML and the notations", Fix: "Mend what the message points at.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [2, 3}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [2, 3]}`,
	},
}
