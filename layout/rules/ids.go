package rules

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
	EdgeMismatch
	UnusedIgnore
	BadIgnore

	// Of tensor files.
	FileHeader
	FileSize
	FileType
	FileOverlap
	FileHole
	FileAlign
	FileOrder
	FileName
	FileTrailing

	// Of every text.
	Syntax

	ruleCount
)
