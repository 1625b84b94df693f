package view

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
)

// An operation is a step with its names, which are synonyms. It may have different meanings in PyTorch and NumPy. A
// system that has no such step uses the meaning of the other.
type operation struct {
	names, usage, about string // without usage it is not a step that users type
	torch, numpy        meaning
}

// A meaning is the meaning of a step in a system. Parameters have a default after a colon: a number, or ? if the step
// computes it. A parameter with * takes all arguments, and parameters with = are given by name only.
type meaning struct {
	params string
	apply  func(*viewing)
}

var operations = [...]operation{
	{"permute", "permute(0,2,3,1)", "put the axes into another order",
		meaning{"dims:*", permute}, meaning{"axes:*", permute}},
	{"transpose", "transpose(1,2)", "swap two axes; NumPy: a new order of all",
		meaning{"dim0 dim1", swap}, meaning{"axes:*", transpose}},
	{"swapaxes swapdims", "swapaxes(1,2)", "swap two axes",
		meaning{"axis0 axis1", swap}, meaning{"axis1 axis2", swap}},
	{"movedim moveaxis", "movedim(1,-1)", "move an axis to another position",
		meaning{"source destination", movedim}, meaning{}},
	{"T", "T", "reverse the axes", meaning{"", reverse}, meaning{}},
	{"t", "t()", "swap the axes of a matrix", meaning{"", matrix}, meaning{}},
	{"mT", "mT", "swap the last two axes", meaning{"", matrixTranspose},
		meaning{"", newTranspose}},
	{"expand broadcast_to", "expand(2,-1,4)", "broadcast axes of size 1",
		meaning{"size:*", expand}, meaning{"shape:*", expand}},
	{"broadcast broadcast_shapes", "broadcast(7,1,5)", "the shape in common with a row-major tensor",
		meaning{"shape:*", broadcast}, meaning{"shape:*", broadcast}},
	{"select", "select(1,0)", "take one index of an axis", meaning{"dim index", selectIndex}, meaning{}},
	{"narrow", "narrow(1,2,3)", "take 3 indices of axis 1, starting at 2",
		meaning{"dim start length", narrow}, meaning{}},
	{splitNames[0], "chunk(2,1)[0]", "take one of 2 parts along axis 1",
		meaning{"chunks dim:0", chunk}, meaning{}},
	{splitNames[1], "split(2,1)[0]", "take the first 2 indices of axis 1; NumPy: the first of 2 parts",
		meaning{"split_size dim:0", split}, meaning{"indices_or_sections axis:0", sections}},
	{splitNames[2], "unbind(1)[0]", "take one index of an axis", meaning{"dim:0", unbind}, meaning{}},
	{"squeeze", "squeeze()", "drop axes of size 1, or one of them",
		meaning{"dim:*", squeeze}, meaning{"axis:*", squeezeOnes}},
	{"unsqueeze expand_dims", "unsqueeze(0)", "insert an axis of size 1",
		meaning{"dim", unsqueeze}, meaning{"axis", unsqueeze}},
	{"flip", "flip(1)", "a copy with reversed axes; NumPy: a view",
		meaning{"dims:*", flipCopy}, meaning{"axis:*", flip}},
	{"rot90", "rot90(1,(0,1))", "turn two axes, as flip does",
		meaning{"k:1 dims:?", rotate}, meaning{"k:1 axes:?", rotate}},
	{"roll", "roll(1,0)", "a copy with shifted indices",
		meaning{"shifts dims:?", roll}, meaning{"shift axis:?", roll}},
	{"diagonal", "diagonal(0,0,1)", "take a diagonal of two axes",
		meaning{"offset:0 dim1:0 dim2:1", diagonal}, meaning{"offset:0 axis1:0 axis2:1", diagonal}},
	{"unfold", "unfold(1,3,1)", "make windows of 3 along axis 1",
		meaning{"dimension size step", unfold}, meaning{}},
	{windowsName, "sliding_window_view(x,3,axis=0)", "NumPy: windows of 3 along axis 0",
		meaning{}, meaning{"window_shape axis:? subok:= writeable:=", slidingWindows}},
	{"reshape", "reshape(3,-1)", "other sizes; a copy if necessary",
		meaning{"shape:*", reshape}, meaning{"newshape:* order:=", reshapeIn}},
	{"view", "view(3,-1)", "other sizes; never a copy", meaning{"size:*", viewOnly}, meaning{}},
	{"flatten", "flatten(1,2)", "merge axes; a copy if necessary; NumPy: always",
		meaning{"start_dim:0 end_dim:-1", flatten}, meaning{"order:?", flattenCopy}},
	{"unflatten", "unflatten(1,(2,3))", "split an axis", meaning{"dim sizes", unflatten}, meaning{}},
	{"ravel", "ravel()", "one axis; a copy unless contiguous",
		meaning{"", ravel}, meaning{"order:?", ravelIn}},
	{"contiguous", "contiguous(channels_last)", "a copy unless it is contiguous",
		meaning{"memory_format:?", makeContiguous}, meaning{}},
	{"to", "to(memory_format=channels_last)", "a copy unless it has that format",
		meaning{"others:* memory_format:= dtype:= device:= copy:= non_blocking:=", to}, meaning{}},
	{"half float double bfloat16 int long short char byte bool", "half()", "a copy as another type",
		meaning{"", toNamed}, meaning{}},
	{"clone", "clone()", "a copy with the axes in the same order", meaning{"memory_format:=", clone},
		meaning{}},
	{"copy", "copy()", "NumPy: a row-major copy", meaning{}, meaning{"order:?", copyIn}},
	{"astype", "astype(f4)", "NumPy: a copy as another type",
		meaning{}, meaning{"dtype order:? casting:? subok:? copy:?", asType}},
	{"repeat", "repeat(2,1)", "a copy, repeated along axes; NumPy: each element",
		meaning{"repeats:*", repeat}, meaning{"repeats axis:?", repeatEach}},
	{"tile", "tile(2,1)", "a copy with the tensor several times",
		meaning{"dims:*", tile}, meaning{"reps:*", tile}},
	{"as_strided", "as_strided((2,3),(3,1),0)", "any sizes and strides",
		meaning{"size stride storage_offset:?", asStrided},
		meaning{"shape:? strides:? subok:? writeable:?", asStridedBytes}},

	{"Transpose", "", "", meaning{"perm:*", transpose}, meaning{}},
	{"cuda cpu", "", "", meaning{"device:? async:? non_blocking:=", toDevice}, meaning{}},
	{"empty_like zeros_like ones_like rand_like randn_like", "", "",
		meaning{"dtype:= device:= requires_grad:= memory_format:=", clone},
		meaning{"dtype:? order:? subok:? shape:?", asType}},
	{"full_like", "", "", meaning{"fill_value dtype:= device:= requires_grad:= memory_format:=", clone},
		meaning{"fill_value dtype:? order:? subok:? shape:?", asType}},
	{"detach requires_grad_ zero_ fill_ normal_ uniform_", "", "", meaning{"a:? b:?", itself}, meaning{}},
	{"new_empty new_zeros new_ones", "", "",
		meaning{"size:* dtype:= device:= requires_grad:=", newTensor}, meaning{}},
	{"new_full", "", "", meaning{"size fill_value dtype:= device:= requires_grad:=", newTensor}, meaning{}},
	{"array", "", "", meaning{}, meaning{"dtype:? copy:? order:=", asType}},
	{"ascontiguousarray", "", "", meaning{}, meaning{"dtype:?", asContiguous}},
	{"asfortranarray", "", "", meaning{}, meaning{"dtype:?", asFortran}},
}

// windowsName is the function in numpy.lib.stride_tricks, which is not a method.
const windowsName = "sliding_window_view"

// splitNames are the operations that make several tensors.
var splitNames = [...]string{"chunk", "split", "unbind"}

// isSplit reports whether an operation makes several tensors.
func (op *operation) isSplit() bool { return op != nil && slices.Contains(splitNames[:], op.names) }

// inPlace are the operations that have a form which changes the tensor itself, such as t_.
const inPlace = " t transpose swapaxes swapdims squeeze unsqueeze detach "

// find returns the operation with a name, or nil if the name is unknown.
func find(name string) *operation {
	plain := strings.TrimSuffix(name, "_")
	if plain == "" || plain != name && !strings.Contains(inPlace, " "+plain+" ") {
		plain = name
	}
	for i := range operations {
		names := operations[i].names
		if strings.Contains(names, plain) && slices.Contains(strings.Fields(names), plain) {
			return &operations[i]
		}
	}
	return nil
}

// IsStep reports whether a step with the name exists.
func IsStep(name string) bool { return find(name) != nil }

// Operations yields the named steps, each with its syntax and a description.
func Operations(yield func(usage, about string) bool) {
	for _, op := range operations {
		if op.usage != "" && !yield(op.usage, op.about) {
			return
		}
	}
}

// Fitting yields the named steps that apply to a tensor, each with arguments that fit it. It only yields descriptions
// with numbers for the usual arguments.
func Fitting(t layout.Tensor, system layout.System) iter.Seq2[string, string] {
	return func(yield func(usage, about string) bool) {
		for usage, about := range Operations {
			fitted := fit(usage, t, system)
			if fitted != usage && strings.ContainsAny(about, "0123456789") {
				about = ""
			}
			if fitted != "" && !yield(fitted, about) {
				return
			}
		}
	}
}

// Instead returns a step that applies to the tensor, instead of s, which fails: reshape for view, because it may copy,
// or the same operation with arguments if s has none. It returns an empty string if there is no such step.
func (s Step) Instead(t layout.Tensor, system layout.System) string {
	sizes, isView := strings.CutPrefix(s.text, "view(")
	switch {
	case s.op != nil && s.text == s.name:
		return fit(s.op.usage, t, system)
	case !isView:
		return ""
	}
	other := "reshape(" + sizes
	steps, err := ParseSteps(other)
	if err == nil {
		_, err = Apply(t, steps, system)
	}
	if err != nil {
		return ""
	}
	return other
}

// fit returns a step unchanged, or with the first other arguments that fit the tensor, or an empty string if no
// arguments fit.
func fit(usage string, t layout.Tensor, system layout.System) string {
	order, twice := "0", "2"
	for i := 2; i < t.Layout().Rank(); i++ {
		order += "," + strconv.Itoa(i)
		twice += ",1"
	}
	order, twice = order+",1", twice+",1"
	name, _, takes := strings.Cut(usage, "(")
	after := usage[strings.LastIndexByte(usage, ')')+1:]
	for _, args := range [...]string{"", twice, "1,0", order, "0,1", "0", "-1", "0,(1,-1)", "0,0,1", "0,1,1", ""} {
		steps, err := ParseSteps(usage)
		if err == nil {
			_, err = Apply(t, steps, system)
		}
		if err == nil {
			return usage
		}
		if !takes {
			break
		}
		usage = name + "(" + args + ")" + after
	}
	return ""
}

// example returns the hint that shows the step, or an empty string if users do not type it.
func (op *operation) example() string {
	if op.usage == "" {
		return ""
	}
	return "such as " + op.usage
}
