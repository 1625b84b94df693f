package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
)

// operatorOf returns the operator that text describes: its name, tensors as NAME=2x3 and lists of tensors as NAME=4+4,
// and attributes as Axis:1, Strides:1,2, TransA:NONE, or TransA:? for an attribute that cannot be read.
func operatorOf(text string) *descriptor.Operator {
	words := strings.Fields(text)
	op := &descriptor.Operator{Name: "op", Type: words[0]}
	for _, word := range words[1:] {
		name, value, isTensor := strings.Cut(word, "=")
		if !isTensor {
			name, value, _ = strings.Cut(word, ":")
			g := descriptor.GivenAttribute{Name: name, Broken: value == "?", At: placed(len(op.Given))}
			for n := range strings.SplitSeq(value, ",") {
				if number, err := strconv.ParseInt(n, 10, 64); err == nil {
					g.Numbers = append(g.Numbers, number)
				} else {
					g.Value = value
				}
			}
			op.Given = append(op.Given, g)
			continue
		}
		s := descriptor.OperatorSlot{Name: name, Broken: value == "?"}
		for each := range strings.SplitSeq(value, "+") {
			d := &descriptor.Descriptor{Name: name, Slot: name, Source: partPlaces{}}
			for n := range strings.SplitSeq(each, "x") {
				size, _ := strconv.ParseInt(n, 10, 64)
				d.Sizes = append(d.Sizes, size)
			}
			s.Tensors = append(s.Tensors, d)
		}
		op.Slots = append(op.Slots, s)
	}
	return op
}

// placed is the place of the attribute of that number.
type placed int

func (p placed) Place() finding.Place { return finding.Place{Line: int(p) + 1} }

// partPlaces has the number of a part and of its item as a place.
type partPlaces struct{}

func (partPlaces) Place(p descriptor.Part, item int) finding.Place {
	return finding.Place{Column: 10*int(p) + item}
}

// sizeRules are the rules about the results of operators.
var sizeRules = []*finding.Rule{OpAxis, OpMatrix, OpChannels, OpWindow, OpParts, CountFields}

// sizeFindings returns the findings of those rules: rule, tensor, item of its sizes or attribute, and fix.
func sizeFindings(t *testing.T, op *descriptor.Operator) (found []string) {
	c := NewChecker(finding.Options{}, func(f finding.Finding) {
		if !slices.Contains(sizeRules, f.Rule) {
			return
		}
		severity := ""
		if f.Severity != finding.Error {
			severity = " as a " + f.Severity.String()
		}
		at := fmt.Sprint(f.Column - 10*int(descriptor.SizesPart))
		if f.Line > 0 {
			at = op.Given[f.Line-1].Name
		}
		found = append(found, fmt.Sprintf("%s%s %s %s: %s", f.Rule, severity, f.Tensor, at, f.Fix))
	})
	c.Operator(descriptor.Target{Family: finding.DirectML}, op)
	return found
}

// TestOperatorSizes has the last right and the first wrong value of each rule about the results of operators. The
// numbers follow from Microsoft's pages of the operators.
func TestOperatorSizes(t *testing.T) {
	const conv = "CONVOLUTION Direction:FORWARD Strides:1,1 Dilations:1,1 StartPadding:0,0 EndPadding:0,0 " +
		"OutputPadding:0,0 "
	const pool = "MAX_POOLING WindowSize:3,3 Strides:1,1 StartPadding:0,0 EndPadding:0,0 "
	const back = "CONVOLUTION Direction:BACKWARD Strides:2,2 Dilations:1,1 StartPadding:0,0 EndPadding:0,0 "
	const back1 = "CONVOLUTION Direction:BACKWARD GroupCount:1 Strides:1 Dilations:1 EndPadding:0 "
	tests := []struct {
		text, want, reason string
	}{
		// Axes.
		{"JOIN Axis:0 InputTensors=4+4 OutputTensor=8", "", "the last axis"},
		{"JOIN Axis:1 InputTensors=4+4 OutputTensor=8", "op-axis op Axis: 0 is the last one", "one further"},
		{"REDUCE Axes:0,2 AxisCount:2 InputTensor=2x3x4 OutputTensor=1x3x1", "", "each below 3"},
		{"REDUCE Axes:3,2 AxisCount:2 InputTensor=2x3x4 OutputTensor=2x3x1", "op-axis op Axes: 2 is the last one",
			"the first"},
		{"ONE_HOT Axis:2 IndicesTensor=2x1 ValuesTensor=2 OutputTensor=2x3", "op-axis op Axis: 1 is the last one",
			"the indices have as many dimensions as the output"},
		{"ONE_HOT Axis:1 IndicesTensor=2x1 ValuesTensor=2 OutputTensor=2x3", "", "the last one"},
		{"GATHER Axis:1 InputTensor=2x3 IndicesTensor=1x1 OutputTensor=2x1", "", "of the input"},
		{"GATHER Axis:2 InputTensor=2x3 IndicesTensor=1x1x1x1 OutputTensor=2x1", "op-axis op Axis: 1 is the last one",
			"not of the indices"},
		{"JOIN Axis:? InputTensors=4+4 OutputTensor=9", "", "an axis that cannot be read"},
		{"JOIN Axis:1", "", "no tensor to compare with"},
		{"JOIN Axis:1 InputTensors=0 OutputTensor=8", "", "sizes that have been reported"},

		// Counts.
		{"REDUCE Axes:0,2 AxisCount:3 InputTensor=2x3x4", "count-fields op Axes: ", "two for three"},
		{"REDUCE Axes:? AxisCount:3 InputTensor=2x3x4", "", "a list that cannot be read"},
		{"TILE Repeats:1,2 RepeatsCount:2 InputTensor=2x3 OutputTensor=2x6", "", "as many"},
		{"TILE Repeats:1,2 RepeatsCount:1 InputTensor=2x3 OutputTensor=2x6", "count-fields op Repeats: ", "one less"},
		{"PADDING DimensionCount:2 StartPadding:0,1 EndPadding:0,1 InputTensor=2x3", "", "all dimensions"},
		{"PADDING DimensionCount:1 StartPadding:0,1 EndPadding:0,1 InputTensor=2x3",
			"count-fields op DimensionCount: write 2", "one finding for one number"},
		{"PADDING DimensionCount:2 StartPadding:0 EndPadding:0,1 InputTensor=2x3", "count-fields op StartPadding: ",
			"one number less"},
		{"PADDING DimensionCount:2 StartPadding:0,1 EndPadding:0,1", "", "no tensor"},
		{"PADDING DimensionCount:2 StartPadding:0,1 EndPadding:0", "count-fields op EndPadding: ", "no tensor, but " +
			"a list"},
		{"MAX_POOLING DimensionCount:2 Strides:1,1 WindowSize:2,2 StartPadding:0,0 EndPadding:0,0 InputTensor=1x1x4x4",
			"",
			"the window's dimensions"},
		{"MAX_POOLING DimensionCount:4 Strides:1,1 WindowSize:2,2 StartPadding:0,0 EndPadding:0,0 InputTensor=1x1x4x4",
			"count-fields op DimensionCount: write 2", "not all"},
		{"PADDING DimensionCount:2 StartPadding:0,0 EndPadding:0,0 InputTensor=3",
			"count-fields op DimensionCount: write 1", "one dimension"},
		{"PADDING DimensionCount:1 StartPadding:0 EndPadding:0 InputTensor=3", "", "as it should be"},
		{"MAX_POOLING DimensionCount:2 Strides:1,1 WindowSize:2,2 StartPadding:0,0 EndPadding:0,0 InputTensor=1x4x4",
			"count-fields op DimensionCount: write 1", "one dimension after batch and channels"},
		{"MAX_POOLING DimensionCount:2 Strides:1,1 WindowSize:2,2 StartPadding:0,0 EndPadding:0,0 InputTensor=4x4",
			"", "a rank that has been reported"},
		{"SLICE DimensionCount:2 Offsets:0,0 Sizes:1,1 Strides:1,1 InputTensor=2x3", "", "strides, but no window"},
		{"SLICE1 DimensionCount:2 InputWindowStrides:0 InputTensor=2x3", "count-fields op InputWindowStrides: ",
			"signed ones"},
		{"VALUE_SCALE_2D ChannelCount:1 Bias:1,2 InputTensor=1x1x2x2", "", "floats are not kept"},

		// Matrices.
		{"GEMM ATensor=2x3 BTensor=3x4 OutputTensor=2x4", "", "M x K by K x N"},
		{"GEMM ATensor=2x3 BTensor=5x4 OutputTensor=2x4", "op-matrix BTensor 0: 3 rows", "K differs"},
		{"GEMM ATensor=2x3 BTensor=4x3 OutputTensor=2x4", "op-matrix BTensor 0: TransB: TRANSPOSE, if BTensor is " +
			"stored that way",
			"K is the other size of B"},
		{"GEMM ATensor=2x3 BTensor=4x3 OutputTensor=2x4 TransB:TRANSPOSE TransA:NONE", "", "which TransB exchanges"},
		{"GEMM ATensor=2x3 BTensor=3x4 OutputTensor=2x4 TransB:TRANSPOSE",
			"op-matrix BTensor 1: TransB: NONE, if BTensor is not stored that way", "or should not"},
		{"GEMM ATensor=2x3 BTensor=4x5 OutputTensor=2x4 TransB:TRANSPOSE", "op-matrix BTensor 1: 3 columns",
			"columns of B"},
		{"GEMM ATensor=3x2 BTensor=3x4 OutputTensor=2x4 TransA:TRANSPOSE", "", "and TransA those of A"},
		{"GEMM ATensor=3x2 BTensor=2x4 OutputTensor=3x4 TransA:TRANSPOSE",
			"op-matrix BTensor 0: 3 rows; op-matrix OutputTensor 0: write 2", "A is 2 x 3"},
		{"GEMM ATensor=3x2 BTensor=3x4 OutputTensor=2x4 TransA:?", "", "not known which"},
		{"GEMM ATensor=3x2 BTensor=3x4 OutputTensor=2x4 TransB:?", "", "nor here"},
		{"MATRIX_MULTIPLY_INTEGER ATensor=2x3 BTensor=4x3 OutputTensor=2x3", "op-matrix BTensor 0: 3 rows",
			"which cannot be transposed"},
		{"QUANTIZED_LINEAR_MATRIX_MULTIPLY ATensor=2x3 BTensor=4x4 OutputTensor=2x4", "op-matrix BTensor 0: 3 rows",
			"K"},
		{"MATRIX_MULTIPLY_INTEGER_TO_FLOAT ATensor=2x3 BTensor=4x4 OutputTensor=2x4", "op-matrix BTensor 0: 3 rows",
			"K"},
		{"GEMM ATensor=2x3 BTensor=3x4 OutputTensor=3x4", "op-matrix OutputTensor 0: write 2", "M"},
		{"GEMM ATensor=2x3 BTensor=3x4 OutputTensor=2x5", "op-matrix OutputTensor 1: write 4", "N"},
		{"GEMM ATensor=2x3 BTensor=3x4 OutputTensor=4x2", "op-matrix OutputTensor 0: write 2", "both: one finding"},
		{"GEMM ATensor=2x3 BTensor=3x4", "", "without an output"},
		{"GEMM BTensor=3x4 OutputTensor=2x5", "", "without A"},
		{"GEMM ATensor=3x4 OutputTensor=2x5", "", "without B"},
		{"GEMM ATensor=2x0 BTensor=3x4 OutputTensor=2x4", "", "sizes that have been reported"},
		{"GEMM ATensor=3 BTensor=3x4 OutputTensor=2x4", "", "a rank that has been reported"},
		{"GEMM ATensor=2x3 BTensor=3 OutputTensor=2x4", "", "and of B"},
		{"GEMM ATensor=2x3 BTensor=3x4 OutputTensor=4", "", "and of the output"},
		{"GEMM Alpha:? ATensor=2x3 BTensor=5x4 OutputTensor=2x4", "op-matrix BTensor 0: 3 rows",
			"an attribute that does not matter"},
		{"GEMM ATensor=5x7x2x3 BTensor=5x7x3x4 OutputTensor=5x7x2x4", "", "a batch"},
		{"GEMM ATensor=5x7x2x3 BTensor=1x7x3x4 OutputTensor=5x7x2x4", "op-matrix BTensor 0: write 5", "nothing is " +
			"repeated"},
		{"GEMM ATensor=5x6x2x3 BTensor=5x7x3x4 OutputTensor=5x7x2x4", "op-matrix ATensor 1: write 7", "of either"},
		{"GEMM ATensor=2x3 BTensor=1x3x4 OutputTensor=5x2x4", "op-matrix BTensor 0: write 5", "only of the same rank"},

		// Channels.
		{conv + "GroupCount:1 InputTensor=1x2x5x5 FilterTensor=6x2x3x3 BiasTensor=1x6x1x1 OutputTensor=1x6x3x3", "",
			"plain"},
		{conv + "GroupCount:2 InputTensor=1x4x5x5 FilterTensor=6x2x3x3 OutputTensor=1x6x3x3", "", "2 groups of 2 " +
			"channels"},
		{conv + "GroupCount:1 InputTensor=1x3x5x5 FilterTensor=6x2x3x3 OutputTensor=1x6x3x3", "op-channels " +
			"FilterTensor 1: ",
			"3 for 2"},
		{conv + "GroupCount:1 InputTensor=1x4x5x5 FilterTensor=6x2x3x3 OutputTensor=1x6x3x3", "op-channels " +
			"FilterTensor 1: ",
			"groups that are not stated so"},
		{conv + "GroupCount:4 InputTensor=1x8x5x5 FilterTensor=6x2x3x3 OutputTensor=1x6x3x3", "op-channels " +
			"FilterTensor 0: ",
			"6 filters for 4 groups"},
		{conv + "GroupCount:0 InputTensor=1x2x5x5 FilterTensor=6x2x3x3 OutputTensor=1x6x3x3",
			"op-channels op GroupCount: 1 is all channels together", "no groups"},
		{conv + "GroupCount:2 InputTensor=1x4x5x5 FilterTensor=3x2x3x3 OutputTensor=1x3x3x3", "op-channels " +
			"FilterTensor 0: ",
			"3 filters for 2 groups, 1 left over"},
		{conv + "GroupCount:3 InputTensor=1x9x5x5 FilterTensor=4x3x3x3 OutputTensor=1x4x3x3", "op-channels " +
			"FilterTensor 0: ",
			"4 filters for 3 groups"},
		{conv + "GroupCount:1 InputTensor=2x2 FilterTensor=6x3 OutputTensor=1x7", "", "2 dimensions are reported"},
		{conv + "GroupCount:1 InputTensor=1x2x5x5 FilterTensor=6x2x3x3 OutputTensor=1x7x3x3", "op-channels " +
			"OutputTensor 1: write 6",
			"as many as filters"},
		{conv + "GroupCount:1 InputTensor=2x2x5x5 FilterTensor=6x2x3x3 OutputTensor=1x6x3x3", "op-channels " +
			"OutputTensor 0: write 2",
			"batches"},
		{conv + "GroupCount:1 InputTensor=1x2x5x5 FilterTensor=6x2x3x3 BiasTensor=1x5x1x1 OutputTensor=1x6x3x3",
			"op-channels BiasTensor 1: write 6", "a bias for each channel"},
		{conv + "GroupCount:1 InputTensor=1x2x5x5 FilterTensor=6x2x3x3 BiasTensor=1x1x6 OutputTensor=1x6x3x3", "",
			"of a rank that has been reported"},
		{conv + "InputTensor=1x3x5x5 FilterTensor=6x2x3x3 OutputTensor=1x6x3x3", "", "it is not known how many groups"},
		{conv + "GroupCount:1 InputTensor=1x2x5 FilterTensor=6x3x3x3 OutputTensor=1x6x3x3", "", "ranks that have " +
			"been reported"},
		{conv + "GroupCount:1 InputTensor=1x2x5x5 FilterTensor=6x3x3 OutputTensor=1x6x3x3", "", "of the filter"},
		{conv + "GroupCount:1 InputTensor=1x3x5x5 FilterTensor=6x2x3x3", "", "no output"},
		{conv + "GroupCount:1 FilterTensor=6x2x3x3 OutputTensor=1x7x3x3", "", "no input"},
		{conv + "GroupCount:1 InputTensor=1x2x5x5 OutputTensor=1x7x3x3", "", "no filter"},
		{"CONVOLUTION GroupCount:1 InputTensor=1x3x5x5 FilterTensor=6x2x3x3 OutputTensor=1x6x3x3", "", "no direction"},
		{"CONVOLUTION_INTEGER GroupCount:1 InputTensor=1x3x5x5 FilterTensor=6x2x3x3 OutputTensor=1x6x3x3",
			"op-channels FilterTensor 1: ", "always forward, and no table says what it takes"},
		{"QUANTIZED_LINEAR_CONVOLUTION GroupCount:1 InputTensor=1x3x5x5 FilterTensor=6x2x3x3 OutputTensor=1x6x3x3",
			"op-channels FilterTensor 1: ", "always forward"},
		{back + "OutputPadding:0,0 GroupCount:2 InputTensor=1x6x5x5 FilterTensor=6x2x3x3 OutputTensor=1x4x11x11", "",
			"input and output change places"},
		{back + "OutputPadding:0,0 GroupCount:2 InputTensor=1x4x5x5 FilterTensor=6x2x3x3 OutputTensor=1x6x11x11",
			"op-channels FilterTensor 0: ; op-channels OutputTensor 1: write 4", "not as forward"},

		// Windows.
		{conv + "GroupCount:1 InputTensor=1x2x5x5 FilterTensor=6x2x3x3 OutputTensor=1x6x4x3", "op-window " +
			"OutputTensor 2: write 3",
			"(5 - 3) / 1 + 1"},
		{conv + "GroupCount:1 InputTensor=1x2x5x5 FilterTensor=6x2x3x3 OutputTensor=1x6x3x2", "op-window " +
			"OutputTensor 3: write 3",
			"the last dimension"},
		{conv + "GroupCount:1 InputTensor=1x2x3x5 FilterTensor=6x2x3x5 OutputTensor=1x6x1x1", "", "a window as " +
			"large as the input"},
		{conv + "GroupCount:1 InputTensor=1x2x2x5 FilterTensor=6x2x3x5 OutputTensor=1x6x1x1", "op-window " +
			"FilterTensor 2: ",
			"a larger one"},
		{"CONVOLUTION Direction:FORWARD GroupCount:1 Strides:0,1 Dilations:1,0 StartPadding:0,0 EndPadding:0,0 " +
			"OutputPadding:0,0 InputTensor=1x2x5x5 FilterTensor=6x2x3x3 OutputTensor=1x6x3x3",
			"op-window op Strides: 1 is the least; op-window op Dilations: 1 is the least", "0 moves nothing"},
		{"CONVOLUTION Direction:FORWARD GroupCount:1 Strides:1 Dilations:1,1 StartPadding:0,0 EndPadding:0,0 " +
			"OutputPadding:0,0 InputTensor=1x2x5x5 FilterTensor=6x2x3x3 OutputTensor=1x6x9x9", "", "a number is " +
			"missing"},
		{"CONVOLUTION Direction:FORWARD GroupCount:1 Strides:1,1 Dilations:1,1 StartPadding:0,0 EndPadding:0,0 " +
			"InputTensor=1x2x5x5 FilterTensor=6x2x3x3 OutputTensor=1x6x9x9", "", "a list is missing"},
		{"QUANTIZED_LINEAR_CONVOLUTION GroupCount:1 Strides:1,1 Dilations:1,1 StartPadding:0,0 EndPadding:0,0 " +
			"InputTensor=1x2x5x5 FilterTensor=6x2x3x3 OutputTensor=1x6x9x3", "op-window OutputTensor 2: write 3",
			"which has no OutputPadding"},
		{"CONVOLUTION Direction:FORWARD GroupCount:1 Strides:4294967295 Dilations:4294967295 StartPadding:0 " +
			"EndPadding:0 " +
			"OutputPadding:0 InputTensor=1x2x5 FilterTensor=6x2x4294967295 OutputTensor=1x6x1", "op-window " +
			"FilterTensor 2: ",
			"a window that 64 bits do not hold"},
		{"CONVOLUTION Direction:BACKWARD GroupCount:1 Strides:4294967295 Dilations:4294967295 StartPadding:0 " +
			"EndPadding:0 " +
			"OutputPadding:0 InputTensor=1x6x4294967295 FilterTensor=6x2x4294967295 OutputTensor=1x2x1",
			"op-window OutputTensor 2: ", "nor these"},

		{back1 + "StartPadding:1 OutputPadding:0 " +
			"InputTensor=1x6x1 FilterTensor=6x2x1 OutputTensor=1x2x1", "op-window OutputTensor 2: ", "1 - 1"},
		{back1 + "StartPadding:1 OutputPadding:0 " +
			"InputTensor=1x6x2 FilterTensor=6x2x1 OutputTensor=1x2x2", "op-window OutputTensor 2: write 1", "2 - 1"},
		{back1 + "StartPadding:0 OutputPadding:0 " +
			"InputTensor=1x6x4294967295 FilterTensor=6x2x1 OutputTensor=1x2x2",
			"op-window OutputTensor 2: write 4294967295", "the largest size"},
		{back1 + "StartPadding:0 OutputPadding:1 " +
			"InputTensor=1x6x4294967295 FilterTensor=6x2x1 OutputTensor=1x2x2", "op-window OutputTensor 2: ",
			"one more"},
		{"CONVOLUTION Direction:FORWARD GroupCount:1 Strides:2 Dilations:1 StartPadding:0 EndPadding:0 " +
			"OutputPadding:0 " +
			"InputTensor=1x2x8 FilterTensor=6x2x3 OutputTensor=1x6x4", "op-window OutputTensor 2: write 3",
			"convolutions never round up"},

		// Poolings.
		{pool + "InputTensor=1x2x5x5 OutputTensor=1x2x3x3", "", "(5 - 3) / 1 + 1"},
		{pool + "InputTensor=1x2x5x5 OutputTensor=1x2x4x3", "op-window OutputTensor 2: write 3", "a row too many"},
		{pool + "InputTensor=1x2x5x5 OutputTensor=1x2x3x2", "op-window OutputTensor 3: write 3", "a column too few"},
		{pool + "InputTensor=2x2x5x5 OutputTensor=1x3x3x3", "op-channels OutputTensor 0: write 2; op-channels " +
			"OutputTensor 1: write 2", "batches and channels stay"},
		{pool + "InputTensor=1x2x2x5 OutputTensor=1x2x1x3", "", "a window larger than the input"},
		{pool + "InputTensor=1x2x5 OutputTensor=1x2x3x3", "", "ranks that have been reported"},
		{pool + "InputTensor=1x2x5x5", "", "no output"},
		{"MAX_POOLING2 WindowSize:3,3 Strides:2,2 Dilations:2,1 StartPadding:0,1 EndPadding:0,1 InputTensor=1x2x9x9 " +
			"OutputTensor=1x2x3x5", "", "dilations and padding: (9 - 5) / 2 + 1, (9 + 2 - 3) / 2 + 1"},
		{"MAX_POOLING2 WindowSize:3,3 Strides:2,2 Dilations:2,1 StartPadding:0,1 EndPadding:0,1 InputTensor=1x2x9x9 " +
			"OutputTensor=1x2x4x5", "op-window OutputTensor 2: write 3", "dilations"},
		{"MAX_POOLING WindowSize:3 Strides:2 StartPadding:0 EndPadding:0 InputTensor=1x1x8 OutputTensor=1x1x4",
			"op-window as a warning OutputTensor 2: write 3", "as if (8 - 3) / 2 were rounded up"},
		{"MAX_POOLING WindowSize:3 Strides:2 StartPadding:0 EndPadding:0 InputTensor=1x1x8 OutputTensor=1x1x5",
			"op-window OutputTensor 2: write 3", "more than that"},
		{"MAX_POOLING WindowSize:3 Strides:2 StartPadding:0 EndPadding:0 InputTensor=1x1x7 OutputTensor=1x1x4",
			"op-window OutputTensor 2: write 3", "nothing is left over"},
		{"MAX_POOLING2 WindowSize:3,3 Strides:2,2 StartPadding:0,0 EndPadding:0,0 InputTensor=1x2x9x9 " +
			"OutputTensor=1x2x9x9", "", "dilations that are not stated"},
		{"AVERAGE_POOLING WindowSize:3,3 Strides:1,0 StartPadding:0,0 EndPadding:0,0 InputTensor=1x2x5x5 " +
			"OutputTensor=1x2x3x9", "op-window op Strides: 1 is the least", "a stride of 0"},
		{"LP_POOLING WindowSize:0,3 Strides:1,1 StartPadding:0,0 EndPadding:0,0 InputTensor=1x2x5x5 " +
			"OutputTensor=1x2x9x3", "op-window op WindowSize: 1 is the least", "a window of nothing"},
		{"MAX_POOLING Dilations:1 WindowSize:3,3 Strides:1,1 StartPadding:0,0 EndPadding:0,0 InputTensor=1x2x5x5 " +
			"OutputTensor=1x2x3x4", "op-window OutputTensor 3: write 3", "which has no dilations"},
		{pool + "InputTensor=2x2 OutputTensor=1x3", "", "2 dimensions have been reported"},
		{"LP_POOLING WindowSize:3 Strides:1,1 StartPadding:0,0 EndPadding:0,0 InputTensor=1x2x5x5 " +
			"OutputTensor=1x2x9x9", "", "a number is missing"},
		{"MAX_POOLING_GRAD WindowSize:3,3 Strides:1,1 Dilations:1,1 StartPadding:0,0 EndPadding:0,0 " +
			"InputTensor=1x2x5x5 InputGradientTensor=1x2x3x3 OutputGradientTensor=1x2x5x5", "", "the other way"},

		// Parts.
		{"JOIN Axis:0 InputTensors=4+3 OutputTensor=8", "op-parts OutputTensor 0: write 7", "4 and 3"},
		{"JOIN Axis:1 InputTensors=2x4+2x3 OutputTensor=2x7", "", "along the second"},
		{"JOIN Axis:1 InputTensors=2x4+3x3 OutputTensor=2x7", "op-parts InputTensors 0: write 2", "others are the " +
			"same"},
		{"JOIN Axis:0 InputTensors=2x4+3x3 OutputTensor=5x4", "op-parts InputTensors 1: write 4", "after the axis too"},
		{"JOIN Axis:0 InputTensors=1 OutputTensor=2", "op-parts OutputTensor 0: write 1", "one part"},
		{"JOIN Axis:0 InputTensors=4294967294+1 OutputTensor=2", "op-parts OutputTensor 0: write 4294967295",
			"the largest size"},
		{"JOIN Axis:0 InputTensors=4294967295+1 OutputTensor=2", "op-parts OutputTensor 0: ", "one more"},
		{"SPLIT Axis:0 InputTensor=8 OutputTensors=4+4", "", "the other way"},
		{"SPLIT Axis:0 InputTensor=8 OutputTensors=4+5", "op-parts InputTensor 0: write 9", "too many"},
		{"SPLIT Axis:0 InputTensor=8 OutputTensors=4+5x1", "", "ranks that have been reported"},
		{"SPLIT Axis:0 InputTensor=8 OutputTensors=4+0", "", "sizes that have been reported"},
		{"SPLIT Axis:0 InputTensor=8 OutputTensors=?", "", "a list that cannot be read"},
		{"SPLIT Axis:0 InputTensor=8", "", "no list"},
		{"SPLIT Axis:0 OutputTensors=4+5", "", "no whole"},
		{"SPLIT InputTensor=8 OutputTensors=4+5", "", "no axis"},
		{"SPLIT Axis:1 InputTensor=8 OutputTensors=4+5", "op-axis op Axis: 0 is the last one", "one finding for an " +
			"axis"},
		{"SPLIT Axis:0,0 InputTensor=8 OutputTensors=4+5", "", "an axis is one number"},
	}
	for _, tt := range tests {
		if have := strings.Join(sizeFindings(t, operatorOf(tt.text)), "; "); have != tt.want {
			t.Errorf("%s:\n%q, want\n%q (%s)", tt.text, have, tt.want, tt.reason)
		}
	}
}

// TestConvolutionSizes compares sizes of convolutions with positions that are counted one by one. Backwards, the sizes
// must give the input forward, plus OutputPadding.
func TestConvolutionSizes(t *testing.T) {
	places := func(in, window, step, dilation, before, after int) (n int) {
		for at := -before; at+(window-1)*dilation < in+after; at += step {
			n++
		}
		return n
	}
	for i := range 5 * 3 * 3 * 2 * 2 * 2 {
		in, window, step, dilation := i%5+3, i/5%3+1, i/15%3+1, i/45%2+1
		before, after := i/90%2, i/180%2
		out := places(in, window, step, dilation, before, after)
		if out == 0 {
			continue
		}
		both := fmt.Sprintf("Strides:%d Dilations:%d StartPadding:%d EndPadding:%d GroupCount:1 FilterTensor=1x1x%d ",
			step, dilation, before, after, window)
		more := in - ((out-1)*step + (window-1)*dilation + 1 - before - after)
		for wrong := range 3 {
			for _, text := range []string{
				fmt.Sprintf("CONVOLUTION Direction:FORWARD OutputPadding:0 %s InputTensor=1x1x%d OutputTensor=1x1x%d",
					both, in,
					out+wrong),
				fmt.Sprintf("CONVOLUTION Direction:BACKWARD OutputPadding:%d %s InputTensor=1x1x%d OutputTensor=1x1x%d",
					more,
					both, out, in+wrong),
			} {
				if found := sizeFindings(t, operatorOf(text)); len(found) != min(wrong, 1) {
					t.Fatalf("%s: %q, %d too many", text, found, wrong)
				}
			}
			pooled := fmt.Sprintf("MAX_POOLING2 Strides:%d Dilations:%d StartPadding:%d EndPadding:%d WindowSize:%d "+
				"InputTensor=1x1x%d OutputTensor=1x1x%d", step, dilation, before, after, window, in, out+wrong)
			if found := sizeFindings(t, operatorOf(pooled)); len(found) != min(wrong, 1) {
				t.Fatalf("%s: %q, %d too many", pooled, found, wrong)
			}
		}
	}
}

// TestSizesShown checks that findings show exact numbers, even beyond 64 bits, and state assumptions.
func TestSizesShown(t *testing.T) {
	const window = "GroupCount:1 Strides:4294967295 Dilations:4294967295 StartPadding:0 EndPadding:0 OutputPadding:0 "
	for _, tt := range []struct{ text, want string }{
		{"CONVOLUTION Direction:FORWARD " + window + "InputTensor=1x2x5 FilterTensor=6x2x4294967295 OutputTensor=1x6x1",
			"the window covers 18446744060824649731 elements in dimension 2, and InputTensor has 5 with its padding"},
		{"CONVOLUTION Direction:BACKWARD " + window + "InputTensor=1x6x4294967295 FilterTensor=6x2x4294967295 " +
			"OutputTensor=1x2x1", "CONVOLUTION gives 36893488121649299461 in dimension 2, (4294967295 - 1) x " +
			"4294967295 + 18446744060824649731 - 0 + 0, and OutputTensor has 1"},
		{"GEMM ATensor=2x3 BTensor=5x4", "GEMM multiplies ATensor, 2 x 3, by BTensor, 5 x 4: 3 and 5 differ; " +
			"TransA and TransB not stated, taken as NONE"},
		{"CONVOLUTION Direction:FORWARD GroupCount:1 Strides:1 Dilations:1 StartPadding:1 EndPadding:2 " +
			"OutputPadding:0 " +
			"InputTensor=1x2x5 FilterTensor=6x2x9 OutputTensor=1x6x1",
			"the window covers 9 elements in dimension 2, and InputTensor has 8 with its padding"},
		{"CONVOLUTION Direction:FORWARD GroupCount:1 Strides:2 Dilations:2 StartPadding:1 EndPadding:2 " +
			"OutputPadding:0 " +
			"InputTensor=1x2x5 FilterTensor=6x2x3 OutputTensor=1x6x1",
			"CONVOLUTION gives 2 in dimension 2, (5 + 3 - 5) / 2 + 1, and OutputTensor has 1"},
		{"GEMM ATensor=2x3 BTensor=3x4 OutputTensor=2x5 TransA:NONE", "GEMM gives 2 x 4, and OutputTensor is 2 x 5; " +
			"TransB not stated, taken as NONE"},
		{"GEMM ATensor=2x3 BTensor=3x4 OutputTensor=2x5 TransA:NONE TransB:NONE",
			"GEMM gives 2 x 4, and OutputTensor is 2 x 5"},
		{"MATRIX_MULTIPLY_INTEGER ATensor=2x3 BTensor=3x4 OutputTensor=2x5",
			"MATRIX_MULTIPLY_INTEGER gives 2 x 4, and OutputTensor is 2 x 5"},
	} {
		var got []string
		c := NewChecker(finding.Options{}, func(f finding.Finding) {
			if f.Rule == OpWindow || f.Rule == OpMatrix {
				got = append(got, f.Message)
			}
		})
		c.Operator(descriptor.Target{Family: finding.DirectML}, operatorOf(tt.text))
		if len(got) != 1 || got[0] != tt.want {
			t.Errorf("%s:\n\t%q, want\n\t%q", tt.text, got, tt.want)
		}
	}
}
