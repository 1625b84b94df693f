package rules

import (
	_ "embed" // operators.txt
	"slices"
	"sort"
	"strings"
	"sync"
)

// operatorPrefix is what the full names of operators start with.
const operatorPrefix = "DML_OPERATOR_"

//go:embed operators.txt
var operatorText string

// operators returns the operators of DirectML in the order of their names, of which findOperator reads the rest.
var operators = sync.OnceValue(func() []operatorRow {
	rows := make([]operatorRow, 0, 256)
	_, text, _ := strings.Cut(operatorText, "\n\n") // after what is said of the lines
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		name, _, _ := strings.Cut(paragraph, " ")
		rows = append(rows, operatorRow{name: name, text: paragraph})
	}
	return rows
})

// An operatorRow is an operator of DirectML.
type operatorRow struct {
	name string
	text string // in operators.txt
	once sync.Once

	level  Level // that it came with
	traits uint8
	slots  []Slot
	fields []Attribute
	same   []agreement
}

// The traits of operators, and their names.
const (
	runsInPlace   = 1 << iota // output and input may be one region
	ownsNoInput               // inputs may not be OWNED_BY_DML
	notDxDispatch             // documented, but unknown to DxDispatch's parser
	noTable                   // no table says what it takes
)

var traitNames = [...]string{"in-place", "owns-no-input", "not-dxdispatch", "no-table"}

// A Slot is a tensor that an operator takes.
type Slot struct {
	Name  string // such as InputTensor
	Role  Role
	Array bool      // it is a list of tensors
	takes []support // from the latest level to the first
}

// A support is what a slot takes from a feature level on.
type support struct {
	since  Level
	lo, hi int // the numbers of dimensions; 0 where the page does not say
	types  typeSet
}

// An Attribute is a field of an operator's descriptor that is not a tensor, as DxDispatch reads it.
type Attribute struct {
	Name string
	// Kind is bool, float, floats, int, ints, uint, uints, type (an element type), scalar (of a type that another field
	// states), size2d, scalebias, operator, operators, or the name of an enumeration.
	Kind     string
	Optional bool
}

// enums are the enumerations of attributes, whose full names have DML_ before and a value after.
var enums = [...]struct {
	kind   string
	values []string
}{
	{"axis-direction", []string{"INCREASING", "DECREASING"}},
	{"convolution-direction", []string{"FORWARD", "BACKWARD"}},
	{"convolution-mode", []string{"CONVOLUTION", "CROSS_CORRELATION"}},
	{"depth-space-order", []string{"DEPTH_COLUMN_ROW", "COLUMN_ROW_DEPTH"}},
	{"interpolation-mode", []string{"NEAREST_NEIGHBOR", "LINEAR"}},
	{"is-infinity-mode", []string{"EITHER", "POSITIVE", "NEGATIVE"}},
	{"matrix-transform", []string{"NONE", "TRANSPOSE"}},
	{"multihead-attention-mask-type", []string{"NONE", "KEY_SEQUENCE_LENGTH", "KEY_SEQUENCE_END_START",
		"KEY_QUERY_SEQUENCE_LENGTH_START_END", "BOOLEAN"}},
	{"padding-mode", []string{"CONSTANT", "EDGE", "REFLECTION", "SYMMETRIC"}},
	{"quantization-type", []string{"NONE", "SCALE", "SCALE_ZERO_POINT"}},
	{"random-generator-type", []string{"PHILOX_4X32_10"}},
	{"recurrent-network-direction", []string{"FORWARD", "BACKWARD", "BIDIRECTIONAL"}},
	{"reduce-function", []string{"ARGMAX", "ARGMIN", "AVERAGE", "L1", "L2", "LOG_SUM", "LOG_SUM_EXP", "MAX", "MIN",
		"MULTIPLY", "SUM", "SUM_SQUARE"}},
	{"rounding-mode", []string{"HALVES_TO_NEAREST_EVEN", "TOWARD_ZERO", "TOWARD_INFINITY"}},
}

// Enum returns the values of the attribute, and the prefix that they may have; none where it is not of an enumeration.
func (a Attribute) Enum() (values []string, prefix string) {
	for i := range enums {
		if enums[i].kind == a.Kind {
			return enums[i].values, "DML_" + strings.ToUpper(strings.ReplaceAll(a.Kind, "-", "_")) + "_"
		}
	}
	return nil, ""
}

// An agreement is slots whose tensors have to agree.
type agreement struct {
	in    uint8
	names []string // of the slots; none is all
}

// What tensors may agree in, and the names for it.
const (
	sameType  = 1 << iota
	sameCount // the number of dimensions
	sameSizes
)

var sameNames = [...]string{"type", "count", "sizes"}

// read reads the text of the operator.
func (r *operatorRow) read() {
	for line := range strings.Lines(r.text) {
		words := strings.Fields(line)
		switch {
		case words[0] == r.name:
			r.level = levelOf(words[1])
			for _, trait := range words[2:] {
				r.traits |= 1 << slices.Index(traitNames[:], trait)
			}
		case words[0] == "same":
			a := agreement{names: words[2:]}
			for what := range strings.SplitSeq(words[1], ",") {
				a.in |= 1 << slices.Index(sameNames[:], what)
			}
			r.same = append(r.same, a)
		case words[0] == "with":
			for _, word := range words[1:] {
				name, kind, _ := strings.Cut(word, ":")
				name, left := strings.CutSuffix(name, "?")
				r.fields = append(r.fields, Attribute{Name: name, Kind: kind, Optional: left})
			}
		default:
			r.slots = append(r.slots, readSlot(r.slots, words))
		}
	}
}

// readSlot reads the line of a tensor that follows others.
func readSlot(others []Slot, words []string) Slot {
	kind, list := strings.CutSuffix(words[0], "s")
	s := Slot{Name: words[1], Role: Input, Array: list}
	if kind == "out" {
		s.Role = Output
	}
	if len(words) == 2 {
		s.takes = others[len(others)-1].takes
	}
	for _, word := range words[2:] {
		level, word, _ := strings.Cut(word, ":")
		ranks, word, _ := strings.Cut(word, ":")
		types, word, _ := strings.Cut(word, ":")
		taken := support{since: levelOf(level), lo: int(ranks[0] - '0'), hi: int(ranks[len(ranks)-1] - '0')}
		for name := range strings.SplitSeq(types, ",") {
			taken.types |= typesOf(name)
		}
		if word != "" {
			taken.types |= optional
		}
		s.takes = append(s.takes, taken)
	}
	return s
}

// levelOf reads a feature level, such as 6.2.
func levelOf(text string) Level { return Level(10*(text[0]-'0') + text[2] - '0') }

// Slots returns the tensors of an operator of DirectML, whose name may have the prefix DML_OPERATOR_.
// It returns none for an unknown operator and for one without a table. The result is not to be changed.
func Slots(operator string) []Slot {
	if row := findOperator(operator); row != nil {
		return row.slots
	}
	return nil
}

// Attributes returns the attributes of an operator of DirectML, as Slots returns its tensors.
func Attributes(operator string) []Attribute {
	if row := findOperator(operator); row != nil {
		return row.fields
	}
	return nil
}

// findOperator returns the row of an operator, with its prefix or without, nil if there is none.
func findOperator(name string) *operatorRow {
	name = strings.TrimPrefix(name, operatorPrefix)
	rows := operators()
	i := sort.Search(len(rows), func(i int) bool { return rows[i].name >= name })
	if i == len(rows) || rows[i].name != name {
		return nil
	}
	rows[i].once.Do(rows[i].read)
	return &rows[i]
}

// find returns the index of the slot of that name, -1 if there is none.
func (r *operatorRow) find(name string) int {
	return slices.IndexFunc(r.slots, func(s Slot) bool { return s.Name == name })
}

// at returns what slot i takes at a level; level 0 is the latest. Before the first level it is what the
// slot takes at the first. Slot -1 takes nothing that is known.
func (r *operatorRow) at(i int, level Level) support {
	if i < 0 {
		return support{}
	}
	takes := r.slots[i].takes
	for k := range takes {
		if level == 0 || takes[k].since <= level {
			return takes[k]
		}
	}
	return takes[len(takes)-1]
}

// Parts of the examples: attributes, and models with an operator alone.
const (
	plainGEMM = `"TransA": "NONE", "TransB": "NONE", "Alpha": 1, "Beta": 0`
	// with GroupCount after it
	plainConvolution = `"Mode": "CROSS_CORRELATION", "Direction": "FORWARD", "DimensionCount": 2, "Strides": [1, 1], ` +
		`"Dilations": [1, 1], "StartPadding": [0, 0], "EndPadding": [0, 0], "OutputPadding": [0, 0], "GroupCount": `

	operatorAlone = `{"resources": {}, ` + anOperator
	noCommands    = `}, "commands": []}`
)

// operatorRules are the rules of descriptors and their operator.
var operatorRules = []Rule{
	{ID: OpKnown, Name: "op-known", Severity: Error, Families: onlyDirectML,
		What: "The operator is one of DirectML's.",
		Why: "The program stops at an unknown name. The prefix DML_OPERATOR_ may be left out; case matters. A " +
			"warning for FOLD, UNFOLD and RESAMPLE3, which DirectML has and DxDispatch's parser does not.",
		Source: "documented (operator pages); enforced by DxDispatch's parser",
		Fix:    "Write the name as DML_OPERATOR_TYPE has it.",
		Bad: operatorAlone + `ACTIVATION_RELLU", "InputTensor": ` + tensor2x3 + withOutput + tensor2x3 + "}" +
			noCommands,
		Good: operatorAlone + `ACTIVATION_RELU", "InputTensor": ` + tensor2x3 + withOutput + tensor2x3 + "}" +
			noCommands,
	},
	{ID: OpLevel, Name: "op-level", Severity: Error, Families: onlyDirectML,
		What:   "The target has the operator.",
		Why:    "An older DirectML does not know the operator, and creating it fails.",
		Limit:  "ELEMENT_WISE_NEGATE came with 5.0: directml@5.0 is right, directml@4.1 is wrong",
		Source: "documented (feature levels)", Fix: "Ship a newer DirectML, or use the operator's older form.",
		Bad: `{"target": "directml@4.1", "resources": {}, ` + anOperator + `ELEMENT_WISE_NEGATE", "InputTensor": ` +
			tensor2x3 + withOutput + tensor2x3 + "}" + noCommands,
		Good: `{"target": "directml@5.0", "resources": {}, ` + anOperator + `ELEMENT_WISE_NEGATE", "InputTensor": ` +
			tensor2x3 + withOutput + tensor2x3 + "}" + noCommands,
	},
	{ID: OpDimCount, Name: "op-dim-count", Severity: Error, Families: onlyDirectML,
		What: "The operator takes a tensor of that many dimensions.",
		Why: "CreateOperator answers E_INVALIDARG. A warning if only the target's level refuses the number, and " +
			"later ones take it.",
		Limit: "GEMM: 2 and 4 are right, 5 is wrong", Source: "documented (operator pages)",
		Fix: "Drop leading sizes of 1, or merge dimensions that follow each other in memory.",
		Bad: operatorAlone + `GEMM", "ATensor": ` + float32Of + `[1, 1, 1, 2, 3]}, "BTensor": ` + float32Of +
			"[1, 1, 1, 3, 4]}" + withOutput + float32Of + "[1, 1, 1, 2, 4]}}" + noCommands,
		Good: operatorAlone + `GEMM", "ATensor": ` + float32Of + `[1, 1, 2, 3]}, "BTensor": ` + float32Of +
			"[1, 1, 3, 4]}" + withOutput + float32Of + "[1, 1, 2, 4]}}" + noCommands,
	},
	{ID: OpDType, Name: "op-dtype", Severity: Error, Families: onlyDirectML,
		What:   "The operator takes tensors of that type.",
		Why:    "CreateOperator answers E_INVALIDARG, without a text unless the debug layer is on.",
		Limit:  "ACTIVATION_SIGMOID: FLOAT32 and FLOAT16 are right, all others are wrong",
		Source: "documented (operator pages)", Fix: "Cast the tensor, or use an operator that takes the type.",
		Bad: operatorAlone + `ACTIVATION_SIGMOID", "InputTensor": {"DataType": "INT32", "Sizes": [2, 3]}` +
			withOutput + `{"DataType": "INT32", "Sizes": [2, 3]}}` + noCommands,
		Good: operatorAlone + `ACTIVATION_SIGMOID", "InputTensor": ` + float16Of + "[2, 3]}" + withOutput +
			float16Of + "[2, 3]}}" + noCommands,
	},
	{ID: DType4BitOp, Name: "dtype-4bit-op", Severity: Error, Families: onlyDirectML,
		What:   "Only QUANTIZE and DEQUANTIZE take UINT4 and INT4.",
		Why:    "No other operator's page lists them.",
		Source: "documented (operator pages)", Fix: "Dequantize the tensor first.",
		Bad: operatorAlone + `ELEMENT_WISE_IDENTITY", "InputTensor": {"DataType": "UINT4", "Sizes": [2, 3]}` +
			withOutput + `{"DataType": "UINT4", "Sizes": [2, 3]}}` + noCommands,
		Good: operatorAlone + `ELEMENT_WISE_IDENTITY", "InputTensor": {"DataType": "UINT8", "Sizes": [2, 3]}` +
			withOutput + `{"DataType": "UINT8", "Sizes": [2, 3]}}` + noCommands,
	},
	{ID: DType64BitOp, Name: "dtype-64bit-op", Severity: Error, Families: onlyDirectML,
		What: "The operator takes tensors of 64-bit elements.",
		Why: "At the latest level 29 operators list FLOAT64, 62 INT64 and 64 UINT64; all others fail to be " +
			"created. A note if the operator's types are not known.",
		Source: "documented (operator pages)", Fix: "Cast the tensor to 32 bits, or use an operator that takes 64.",
		Bad: operatorAlone + `ACTIVATION_SIGMOID", "InputTensor": {"DataType": "FLOAT64", "Sizes": [2, 3]}` +
			withOutput + `{"DataType": "FLOAT64", "Sizes": [2, 3]}}` + noCommands,
		Good: operatorAlone + `ELEMENT_WISE_ADD", "ATensor": {"DataType": "INT64", "Sizes": [2, 3, 4]}, ` +
			`"BTensor": {"DataType": "INT64", "Sizes": [2, 3, 4]}` + withOutput + `{"DataType": "INT64", ` +
			`"Sizes": [2, 3, 4]}}` + noCommands,
	},
	{ID: OpSame, Name: "op-same", Severity: Error, Families: onlyDirectML,
		What:   "Tensors that an operator requires to be alike have the same type, number of dimensions and sizes.",
		Why:    "DirectML converts nothing by itself, and creating the operator fails.",
		Source: "documented (operator pages)", Fix: "Change the tensor that differs, or put a CAST before it.",
		Bad: operatorAlone + `ACTIVATION_RELU", "InputTensor": ` + tensor2x3 + withOutput + float16Of + "[2, 3]}}" +
			noCommands,
		Good: operatorAlone + `ACTIVATION_RELU", "InputTensor": ` + tensor2x3 + withOutput + tensor2x3 + "}" +
			noCommands,
	},
	{ID: OpBroadcastSizes, Name: "op-broadcast-sizes", Severity: Error, Families: onlyDirectML,
		What: "A tensor that is repeated states the full sizes, and strides of 0.",
		Why: "DirectML repeats nothing by itself, unlike NumPy: sizes must be the same, and a stride of 0 reads an " +
			"element again.",
		Limit:  "[2, 1, 4] is wrong if [2, 3, 4] is required; sizes [2, 3, 4] with strides [4, 0, 1] are right",
		Source: "documented (operator pages); so done by ONNX Runtime",
		Fix:    "State the full sizes, with stride 0 in the dimensions that repeat.",
		Bad: operatorAlone + `ELEMENT_WISE_ADD", "ATensor": ` + float32Of + `[2, 3, 4]}, "BTensor": ` + float32Of +
			"[2, 1, 4]}" + withOutput + float32Of + "[2, 3, 4]}}" + noCommands,
		Good: operatorAlone + `ELEMENT_WISE_ADD", "ATensor": ` + float32Of + `[2, 3, 4]}, "BTensor": ` + float32Of +
			`[2, 3, 4], "Strides": [4, 0, 1]}` + withOutput + float32Of + "[2, 3, 4]}}" + noCommands,
	},
	{ID: LeadingOnes, Name: "leading-ones", Severity: Error, Families: onlyDirectML,
		What:   "A tensor has at least as many dimensions as the operator requires.",
		Why:    "CreateOperator answers E_INVALIDARG. A warning if only the target's level refuses the number.",
		Limit:  "CONVOLUTION: 3 dimensions are right, 2 are wrong; before 4.0 it is 4 and 3",
		Source: "documented (operator pages, strides); so done by Chromium and TensorFlow's plugin",
		Fix:    "Put sizes of 1 in front. What stride they have does not matter.",
		Bad: operatorAlone + `AVERAGE_POOLING", "InputTensor": ` + float32Of + "[6, 6]}" + withOutput + float32Of +
			"[6, 6]}}" + noCommands,
		Good: operatorAlone + `AVERAGE_POOLING", "InputTensor": ` + float32Of + "[1, 1, 6, 6]}" + withOutput +
			float32Of + "[1, 1, 6, 6]}}" + noCommands,
	},
	{ID: LeadingOnesNotNeeded, Name: "leading-ones-not-needed", Severity: Note, Families: onlyDirectML,
		What: "Tensors are not padded with sizes of 1 that the operator does not require.",
		Why: "They do no harm: before feature level 3.0 most operators required 4 dimensions, and 127 now take 1 " +
			"to 8.",
		Limit:  "2 sizes of 1 before all tensors of the operator; a single one is usually a batch",
		Source: "documented (operator pages)", Fix: "Drop them, in all tensors and in axes.",
		Bad: operatorAlone + `ACTIVATION_RELU", "InputTensor": ` + float32Of + "[1, 1, 2, 3]}" + withOutput +
			float32Of + "[1, 1, 2, 3]}}" + noCommands,
		Good: operatorAlone + `ACTIVATION_RELU", "InputTensor": ` + tensor2x3 + withOutput + tensor2x3 + "}" +
			noCommands,
	},
	{ID: RequiredMissing, Name: "required-missing", Severity: Error, Families: onlyDirectML,
		What:   "All tensors that the operator needs are there.",
		Why:    "The program says that the field is required. Optional tensors are left out by leaving out their key.",
		Source: "enforced by DxDispatch's parser", Fix: "Add the tensor.",
		Bad: operatorAlone + `GEMM", "ATensor": ` + tensor2x3 + withOutput + float32Of + "[2, 4]}}" + noCommands,
		Good: operatorAlone + `GEMM", "ATensor": ` + tensor2x3 + `, "BTensor": ` + float32Of + "[3, 4]}" +
			withOutput + float32Of + "[2, 4]}}" + noCommands,
	},
	{ID: OpAxis, Name: "op-axis", Severity: Error, Families: onlyDirectML,
		What:   "The axes that an operator works along are dimensions of its tensor.",
		Why:    "CreateOperator answers E_INVALIDARG.",
		Limit:  "for sizes [2, 3] axis 1 is right, axis 2 is wrong",
		Source: "documented (operator pages)", Fix: "Count dimensions from 0 on, leading sizes of 1 included.",
		Bad: operatorAlone + `JOIN", "InputCount": 1, "Axis": 1, "InputTensors": [` + tensor8 + "]" + withOutput +
			tensor8 + "}" + noCommands,
		Good: operatorAlone + `JOIN", "InputCount": 1, "Axis": 0, "InputTensors": [` + tensor8 + "]" + withOutput +
			tensor8 + "}" + noCommands,
	},
	{ID: OpMatrix, Name: "op-matrix", Severity: Error, Families: onlyDirectML,
		What: "Matrices that are multiplied fit: A of M x K and B of K x N give an output of M x N.",
		Why: "CreateOperator answers E_INVALIDARG. TransA and TransB exchange the last two sizes of A and B; the " +
			"sizes before them are the same in all.",
		Limit:  "[2, 3] by [3, 4] is right, by [4, 3] wrong unless TransB is TRANSPOSE",
		Source: "documented (operator pages)", Fix: "Correct the size, or transpose.",
		Bad: operatorAlone + `GEMM", ` + plainGEMM + `, "ATensor": ` + tensor2x3 + `, "BTensor": ` + float32Of +
			"[4, 3]}" + withOutput + float32Of + "[2, 4]}}" + noCommands,
		Good: operatorAlone + `GEMM", ` + plainGEMM + `, "ATensor": ` + tensor2x3 + `, "BTensor": ` + float32Of +
			"[3, 4]}" + withOutput + float32Of + "[2, 4]}}" + noCommands,
	},
	{ID: OpChannels, Name: "op-channels", Severity: Error, Families: onlyDirectML,
		What: "Channels of a convolution fit: the input has those of the filter times GroupCount, the output as many " +
			"as there are filters, and the bias one number for each.",
		Why: "CreateOperator answers E_INVALIDARG. Backwards, input and output change places. Batches are the same, " +
			"and filters a multiple of the groups.",
		Limit:  "input [1, 4, 5, 5] with filter [6, 2, 3, 3] is right for GroupCount 2, wrong for 1",
		Source: "documented (operator pages)", Fix: "Correct the channels, or GroupCount.",
		Bad: operatorAlone + `CONVOLUTION", ` + plainConvolution + `1, "InputTensor": ` + float32Of + "[1, 4, 5, 5]}" +
			`, "FilterTensor": ` + float32Of + "[6, 2, 3, 3]}" + withOutput + float32Of + "[1, 6, 3, 3]}}" + noCommands,
		Good: operatorAlone + `CONVOLUTION", ` + plainConvolution + `2, "InputTensor": ` + float32Of + "[1, 4, 5, 5]}" +
			`, "FilterTensor": ` + float32Of + "[6, 2, 3, 3]}" + withOutput + float32Of + "[1, 6, 3, 3]}}" + noCommands,
	},
	{ID: OpWindow, Name: "op-window", Severity: Error, Families: onlyDirectML,
		What: "The output of a convolution or a pooling has a size for each place of the window: (input + padding - " +
			"window) / stride + 1, without what is left over.",
		Why: "CreateOperator answers E_INVALIDARG. A window of 3 with dilation 2 covers 5 elements. Backwards it is " +
			"(input - 1) x stride + window - padding + OutputPadding. Strides and Dilations are at least 1. One more " +
			"of a pooling, where something is left over, is a warning: frameworks may round up.",
		Limit:  "5 with a window of 3 gives 3: 3 is right, 4 and 5 are wrong",
		Source: "documented (operator pages); so computed by DirectMLX", Fix: "Correct the output, or the padding.",
		Bad: operatorAlone + `CONVOLUTION", ` + plainConvolution + `1, "InputTensor": ` + float32Of + "[1, 2, 5, 5]}" +
			`, "FilterTensor": ` + float32Of + "[6, 2, 3, 3]}" + withOutput + float32Of + "[1, 6, 5, 5]}}" + noCommands,
		Good: operatorAlone + `CONVOLUTION", ` + plainConvolution + `1, "InputTensor": ` + float32Of + "[1, 2, 5, 5]}" +
			`, "FilterTensor": ` + float32Of + "[6, 2, 3, 3]}" + withOutput + float32Of + "[1, 6, 3, 3]}}" + noCommands,
	},
	{ID: OpParts, Name: "op-parts", Severity: Error, Families: onlyDirectML,
		What: "Tensors that JOIN joins, or that SPLIT makes, are as large together as the whole along Axis, and the " +
			"same in all other dimensions.",
		Why:    "CreateOperator answers E_INVALIDARG.",
		Limit:  "4 and 4 make 8; 4 and 3 do not",
		Source: "documented (operator pages); enforced by DirectMLX", Fix: "Correct the size.",
		Bad: operatorAlone + `JOIN", "InputCount": 2, "Axis": 0, "InputTensors": [` + float32Of + "[4]}, " +
			float32Of + "[3]}]" + withOutput + tensor8 + "}" + noCommands,
		Good: operatorAlone + `JOIN", "InputCount": 2, "Axis": 0, "InputTensors": [` + float32Of + "[4]}, " +
			float32Of + "[4]}]" + withOutput + tensor8 + "}" + noCommands,
	},
	{ID: InPlace, Name: "inplace", Severity: Error, Families: onlyDirectML,
		What: "An operator that runs in place has one region for input and output.",
		Why: "It reads an element before it writes it only if both are at one place. A warning if sizes or strides " +
			"differ, which older pages forbid.",
		Limit:  "the same offset and total are right, 16 bytes further are wrong",
		Source: "documented (operator pages, binding)",
		Fix:    "Bind both to the same region, or the output to another resource.",
		Bad: `{"resources": {"a": ` + float32Values + `12, "value": 0}}}, ` + reluOf8 + dispatchOp +
			`"InputTensor": "a"` + withOutput + `{"name": "a", "elementOffset": 4}}}]}`,
		Good: bufferA + "}, " + reluOf8 + dispatchOp + `"InputTensor": "a"` + withOutput + `"a"}}]}`,
	},
	{ID: GraphEdge, Name: "graph-edge", Severity: Error, Families: onlyDirectML,
		What:   "The two ends of an edge in a graph have one total.",
		Why:    "The graph does not compile. Types and sizes may differ; bytes of padding are not promised to be 0.",
		Limit:  "24 and 24 bytes are right, 32 and 24 are wrong",
		Source: "documented (DML_GRAPH_DESC)", Fix: "Give both tensors the larger total.",
		Bad: directMLConfigOf + "  made: {dtype: float32, sizes: 2x3, role: output, totalBytes: 32}\n" +
			"  used: {dtype: float32, sizes: 2x3, role: input, totalBytes: 24}\nedges: [[made, used]]",
		Good: directMLConfigOf + "  made: {dtype: float32, sizes: 2x3, role: output, totalBytes: 24}\n" +
			"  used: {dtype: float32, sizes: 2x3, role: input, totalBytes: 24}\nedges: [[made, used]]",
	},
	{ID: GraphOwned, Name: "graph-owned", Severity: Error, Families: onlyDirectML,
		What:   "A tensor that is OWNED_BY_DML is fed by an input of the graph.",
		Why:    "It is copied when the graph is initialized, before any operator has run.",
		Source: "documented (DML_GRAPH_DESC, DML_TENSOR_FLAGS)", Fix: "Leave the flag out.",
		Bad: directMLConfigOf + "  made: {dtype: float32, sizes: 2x3, role: output, totalBytes: 24}\n" +
			"  used: {dtype: float32, sizes: 2x3, role: input, totalBytes: 24, flags: " +
			"[DML_TENSOR_FLAG_OWNED_BY_DML]}\nedges: [[made, used]]",
		Good: directMLConfigOf + "  made: {dtype: float32, sizes: 2x3, role: output, totalBytes: 24}\n" +
			"  used: {dtype: float32, sizes: 2x3, role: input, totalBytes: 24}\nedges: [[made, used]]",
	},
	{ID: StridedRuntimeBug, Name: "strided-runtime-bug", Severity: Warning, Families: onlyDirectML,
		What: "The target takes strided tensors for that operator, and computes them right.",
		Why: "Legal strides gave wrong results: SWISH inputs before 1.15.0, HARDMAX outputs before 1.10.0; " +
			"activations of 5 dimensions took none before 1.1.0.",
		Limit: "ACTIVATION_SWISH: directml@6.3 is right, directml@6.2 is wrong", Source: "documented (version history)",
		Fix: "Pack the tensor with ELEMENT_WISE_IDENTITY first, or ship a newer DirectML.",
		Bad: `{"target": "directml@6.2", "resources": {}, ` + anOperator + `ACTIVATION_SWISH", "InputTensor": ` +
			float32Of + `[2, 3], "Strides": [1, 2]}` + withOutput + tensor2x3 + "}" + noCommands,
		Good: `{"target": "directml@6.3", "resources": {}, ` + anOperator + `ACTIVATION_SWISH", "InputTensor": ` +
			float32Of + `[2, 3], "Strides": [1, 2]}` + withOutput + tensor2x3 + "}" + noCommands,
	},
}
