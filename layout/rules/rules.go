package rules

import "layoutcalc/layout/finding"

// Rules are the rules of this package.
var Rules = []*finding.Rule{
	DTypeKnown, DTypeUnknown, DType4BitLevel, DimCountRange, DimCountOld, DimCountMismatch, SizeZero, SizeRange,
	StrideRange, StrideMinus, StrideShapeOrder, StridesUnneeded, StrideEqualsSize, StrideBytes, ElementCount,
	IndexOverflow, TotalMissing, TotalTooSmall, TotalMultiple4, TotalSlack, TotalSlackLarge, AlignPow2,
	AlignGeElement, AlignBelow16, AlignRecommend32, AlignLarge, FlagKnown, OwnedOutput, OwnedOp, BroadcastPresent,
	BroadcastOutput, OverlapOutput, OverlapInput, OverlapUnknown, GapOverlapBalance, Gaps, ChannelLimit,
	UnalignedRows, Int64Emulated, Overflow, OffsetUnstated, OpSlot, OpKnown, OpLevel, OpDimCount, OpDType,
	DType4BitOp, DType64BitOp, OpSame, OpBroadcastSizes, LeadingOnes, LeadingOnesNotNeeded, RequiredMissing, OpAxis,
	OpMatrix, OpChannels, OpWindow, OpParts, InPlace, GraphEdge, GraphOwned, StridedRuntimeBug, ResourceExists,
	DispatchableExists, BindUnknown, BindMissing, BindArrayCount, BindRange, BindOffset16, BindOwned,
	BindOutputOverlap, BindAlias, ResourceSize4, ResourceDType, ResourceSlack, ResourceUnused, CountFields,
	OneDNNRank, OneDNNStrides, TMARank, TMAStride16, TMAInner, TMANested, TMABox, TMASwizzle, TMASize,
	TMAAddress, TMAElementStride, TMAInterleave, TMAPacked, TMAOOB, TMASmem, MdspanPositive, MdspanUnique,
	PyTorchNegative,
}
