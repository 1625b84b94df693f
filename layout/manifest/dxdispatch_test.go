package manifest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	pages "layoutcalc/docs/rules"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/rules"
)

// dxRead parses text like DxDispatch.
func dxRead(t testing.TB, text string) *descriptor.File {
	t.Helper()
	tree := new(doctree.Tree)
	if err := tree.JSON([]byte(text)); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if !IsDxDispatch(tree) {
		t.Fatalf("this is not DxDispatch's: %s", text)
	}
	return DxDispatch(tree)
}

// dxCheck returns all findings about text: the reader's, the findings of each descriptor, and the model's.
func dxCheck(t testing.TB, text string, target descriptor.Target) []finding.Finding {
	f := dxRead(t, text)
	all := f.Findings
	c := rules.NewChecker(finding.Options{}, func(f finding.Finding) { all = append(all, f) })
	for i := range f.Descriptors {
		c.Check(target, &f.Descriptors[i])
	}
	if f.Model != nil {
		c.Model(target, f.Model)
	}
	return all
}

var (
	dxLatest = descriptor.Target{Family: finding.DirectML}
	dxOld    = descriptor.Target{Family: finding.DirectML, Level: 20}
)

// dxShown lists findings, one per line.
func dxShown(all []finding.Finding) string {
	var b strings.Builder
	for _, f := range all {
		fmt.Fprintf(
			&b,
			"\n%d:%d %s %v %s [%v] %s; %s",
			f.Line,
			f.Column,
			f.Pointer,
			f.Severity,
			f.Tensor,
			f.Rule,
			f.Message,
			f.Fix,
		)
	}
	return b.String()
}

// ofModels reports whether a rule is one of operators or of models.
func ofModels(t *testing.T, rule *finding.Rule) bool {
	return slices.ContainsFunc(slices.Concat(pages.Page("operator"), pages.Page("model")),
		func(r pages.Text) bool { return r.Name == rule.Name })
}

// TestDxDispatchModels checks models with the content of the 20 that DirectML's repository has:
// 55 descriptors, no errors, and only the notes listed here, beside those of descriptors without a
// total or an alignment.
func TestDxDispatchModels(t *testing.T) {
	files, err := filepath.Glob("testdata/dxdispatch/*.json")
	if err != nil || len(files) != 20 {
		t.Fatalf("%d models, %v", len(files), err)
	}
	descriptors := 0
	notes := map[string][]*finding.Rule{
		"dml_scalar_union_fp16.json": {rules.ResourceSize4, rules.ResourceSize4},
		"image_io.json":              {rules.ResourceSlack},
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		descriptors += len(dxRead(t, string(data)).Descriptors)
		var beyond []*finding.Rule
		all := dxCheck(t, string(data), dxLatest)
		for _, f := range all {
			if f.Severity > finding.Note {
				t.Errorf("%s:%s", name, dxShown([]finding.Finding{f}))
			}
			if ofModels(t, f.Rule) {
				beyond = append(beyond, f.Rule)
			}
		}
		if want := notes[filepath.Base(name)]; !slices.Equal(beyond, want) {
			t.Errorf("%s: notes %v, want %v%s", name, beyond, want, dxShown(all))
		}
	}
	if descriptors != 55 {
		t.Errorf("%d descriptors, want 55", descriptors)
	}
}

// TestDxDispatchUnitTests goes through the descriptors of the tests of DxDispatch's parser.
func TestDxDispatchUnitTests(t *testing.T) {
	tests := []struct {
		text   string
		rules  []*finding.Rule // of warnings and errors
		notes  []*finding.Rule // rules that must be among the notes
		reason string
	}{
		{
			text:   `{"DataType":"FLOAT32","Sizes":[3,2,5],"Strides":[0,0,1]}`,
			notes:  []*finding.Rule{rules.BroadcastPresent},
			reason: "5 elements serve 30",
		},
		{
			text: `{"Type":"BUFFER","Desc":{"DataType":"DML_TENSOR_DATA_TYPE_FLOAT16","Sizes":[5,55],"Strides":` +
				`[9,3],"TotalTensorSizeInBytes":123,"GuaranteedBaseOffsetAlignment":5}}`,
			rules:  []*finding.Rule{rules.TotalTooSmall, rules.TotalMultiple4, rules.AlignPow2, rules.OverlapInput},
			reason: "123 of 400 bytes, not a multiple of 4; 5 is no power of two; (0,3) and (1,0) meet",
		},
		{
			text:  `{"DataType":"FLOAT16","Sizes":[1,4],"Strides":[4,1],"TotalTensorSizeInBytes":16}`,
			notes: []*finding.Rule{rules.TotalSlack}, reason: "8 bytes are enough",
		},
	}
	for _, tt := range tests {
		all := dxCheck(t, tt.text, dxLatest)
		var have, notes []*finding.Rule
		for _, f := range all {
			if f.Severity == finding.Note {
				notes = append(notes, f.Rule)
			} else {
				have = append(have, f.Rule)
			}
		}
		byName := func(a, b *finding.Rule) int { return strings.Compare(a.Name, b.Name) }
		slices.SortFunc(have, byName)
		want := slices.SortedFunc(slices.Values(tt.rules), byName)
		if !slices.Equal(have, want) {
			t.Errorf("%s: %v, want %v (%s)%s", tt.text, have, want, tt.reason, dxShown(all))
		}
		for _, n := range tt.notes {
			if !slices.Contains(notes, n) {
				t.Errorf("%s: no note %v (%s)", tt.text, n, tt.reason)
			}
		}
	}
}

// TestDxDispatchReads checks the special features of DxDispatch's parser.
func TestDxDispatchReads(t *testing.T) {
	f := dxRead(t, `{ // a comment
		"resources": {}, "dispatchables": {
			"shader": {"type": "HLSL", "sourcePath": "x.hlsl"},
			"net": {"type": "onnx"}, "graph": {"type": "dmlserializedgraph"},
			"slice": {"type": "SLICE", "InputTensor": {"Type": "DML_TENSOR_TYPE_BUFFER", "Desc": {
				"Sizes": [4, 6], "DataType": "DML_TENSOR_DATA_TYPE_UINT8", "Strides": []}},
				"OutputTensor": {"Sizes": [2, 3], "Sizes": [9, 9], "DataType": "UINT8", "Strides": [8, 2], 
				"Flags": ["NONE", "DML_TENSOR_FLAG_OWNED_BY_DML"], "TotalTensorSizeInBytes": 0, "unknown": {},},
				"DimensionCount": 2, "Offsets": [0, 0], "Sizes": [2, 6], "Strides": [1, 2]},
			"rng": {"type": "DML_OPERATOR_RANDOM_GENERATOR", "Desc": {
				"InputStateTensor": {"DataType": "UINT32", "Sizes": [6]},
				"OutputTensor": {"DataType": "UINT32", "Sizes": [3]}, "Type": "PHILOX_4X32_10"}},
		}, /* and another */ "commands": [],
	} trailing garbage`)
	if len(f.Findings) != 1 || f.Findings[0].Rule != jsonDupKey ||
		f.Findings[0].Pointer != "/dispatchables/slice/OutputTensor/Sizes" {
		t.Errorf("findings:%s", dxShown(f.Findings))
	}
	if len(f.Descriptors) != 4 || len(f.Model.Dispatchables) != 5 || f.Model.Dispatchables[0].Operator != nil {
		t.Fatalf("%d descriptors, %d dispatchables", len(f.Descriptors), len(f.Model.Dispatchables))
	}
	in, out, state := &f.Descriptors[0], &f.Descriptors[1], &f.Descriptors[2]
	switch {
	case in.Name != "slice.InputTensor" || in.Operator != "SLICE" || in.Slot != "InputTensor" ||
		in.Role != descriptor.Input:
		t.Errorf("input: %+v", in)
	case in.Strides != nil || in.TypeName != "DML_TENSOR_DATA_TYPE_UINT8" || !in.TypeKnown ||
		in.Type.String() != "uint8" || !in.Computed:
		t.Errorf("input: %+v", in)
	case !slices.Equal(out.Sizes, []int64{2, 3}) || !slices.Equal(out.Strides, []int64{8, 2}) ||
		out.Role != descriptor.Output ||
		!slices.Equal(out.Flags, []string{"NONE", "OWNED_BY_DML"}):
		t.Errorf("output: %+v", out)
	case !out.Total.Stated || out.Total.Value != 0 || state.Name != "rng.InputStateTensor":
		t.Errorf("output: %+v, state: %+v", out, state)
	}
	if p := out.Source.Place(descriptor.StridesPart, 1); p.Pointer != "/dispatchables/slice/OutputTensor/Strides/1" ||
		p.Line != 7 {
		t.Errorf("the place of a stride is %+v", p)
	}
	if p := in.Source.Place(descriptor.SizesPart, 0); p.Pointer != "/dispatchables/slice/InputTensor/Desc/Sizes/0" {
		t.Errorf("the place of a size in Desc is %+v", p)
	}
	if p := in.Source.Place(descriptor.TotalPart, -1); p.Pointer != "/dispatchables/slice/InputTensor/Desc" {
		t.Errorf("the place of what is not there is %+v", p)
	}
}

// TestDxDispatchMeant checks that a value that DxDispatch rejects is checked against the rules with its probable
// meaning.
func TestDxDispatchMeant(t *testing.T) {
	for _, tt := range []struct {
		text   string
		sizes  []int64 // nil where there is no descriptor
		reason string
	}{
		{`{"DataType":"FLOAT32","Sizes":[2,3.0]}`, []int64{2, 3}, "a fraction of zero"},
		{`{"DataType":"FLOAT32","Sizes":[2e1,"3"]}`, []int64{20, 3}, "an exponent, and a text"},
		{`{"DataType":"FLOAT32","Sizes":[2,3.5]}`, nil, "no integer"},
		{`{"DataType":"FLOAT32","Sizes":[2,1e300]}`, nil, "beyond 64 bits"},
		{`{"DataType":"FLOAT32","Sizes":[9007199254740992.0]}`, []int64{1 << 53}, "2^53, all below are exact"},
		{`{"DataType":"FLOAT32","Sizes":[9007199254740994.0]}`, nil, "the next one"},
		{`{"Type":"SPARSE","DataType":"FLOAT32","Sizes":[2]}`, nil, "no type of tensor"},
		{`[{"DataType":"INT8","Sizes":[4]},{"DataType":"INT8","sizes":[2]}]`, []int64{4}, "sizes with a slip"},
		{`[{"DataType":"INT8","Sizes":[4]},{"DataType":"INT8"}]`, []int64{4}, "no sizes"},
		{`[{"DataType":"INT8","Sizes":[4]},null]`, []int64{4}, "no tensor"},
		{`[{"DataType":"INT8","Sizes":[4]},3]`, []int64{4}, "nor this"},
		{`[{"DataType":"INT8","Sizes":[4]},{"Desc":3,"DataType":"INT8","Sizes":[2]}]`, []int64{4}, "not in Desc"},
		{`{"DataType":"FLOAT32","Sizes":[2,"NaN"]}`, nil, "no number"},
	} {
		f := dxRead(t, tt.text)
		var have []int64
		for _, d := range f.Descriptors {
			have = d.Sizes
		}
		if !slices.Equal(have, tt.sizes) || len(f.Findings) == 0 {
			t.Errorf("%s: %v, want %v (%s)%s", tt.text, have, tt.sizes, tt.reason, dxShown(f.Findings))
		}
	}
}

// TestDxDispatchTotals: no total is computed for a descriptor with a target too, one of 0 is not.
func TestDxDispatchTotals(t *testing.T) {
	for members, want := range map[string]finding.Severity{
		``: finding.Note, `,"target":"directml"`: finding.Note,
		`,"TotalTensorSizeInBytes":0`: finding.Note, `,"TotalTensorSizeInBytes":0,"target":"directml"`: finding.Error,
	} {
		text := `{"DataType":"FLOAT32","Sizes":[2,3]` + members + `}`
		all := dxCheck(t, text, dxLatest)
		i := slices.IndexFunc(all, func(f finding.Finding) bool { return f.Rule == rules.TotalMissing })
		if i < 0 || all[i].Severity != want {
			t.Errorf("%s: want %v%s", text, want, dxShown(all))
		}
	}
}

// TestDxDispatchAlone reads descriptors without a model.
func TestDxDispatchAlone(t *testing.T) {
	f := dxRead(t, `[{"DataType":"INT8","Sizes":[4],"role":"output","target":"directml@6.2"}, {"DataType":`+
		`"int8","Sizes":[4]}, {"DataType":"INT8","Sizes":[4],"role":"OUT"}]`)
	if f.Target != (descriptor.Target{Family: finding.DirectML, Level: 62}) || f.Model != nil ||
		len(f.Descriptors) != 3 {
		t.Fatalf("%+v", f)
	}
	if d := f.Descriptors; d[0].Role != descriptor.Output || !d[0].Computed || !d[1].Computed || d[1].Name != "[1]" ||
		d[1].TypeKnown ||
		d[2].Role != descriptor.UnknownRole {
		t.Errorf("%+v", d)
	}
	if len(f.Findings) != 1 || f.Findings[0].Rule != jsonField {
		t.Errorf("findings:%s", dxShown(f.Findings))
	}
	for text, want := range map[string]bool{
		`{"resources":{}}`: true, `{"commands":1}`: true, `{"DataType":1,"Sizes":2}`: true,
		`{"Desc":{"DataType":1,"Sizes":2}}`: true,
		`{"DataType":"FLOAT32"}`:            false, `{"version":1,"tensors":{}}`: false, `[]`: false, `[1]`: false,
		`3`: false, `null`: false,
	} {
		tree := new(doctree.Tree)
		if err := tree.JSON([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if IsDxDispatch(tree) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}

// dxTensorText returns a descriptor: TYPE SIZES, and then its members.
func dxTensorText(short string) string {
	f := strings.Fields(short)
	return fmt.Sprintf(`{"DataType":%q,"Sizes":%s%s}`, f[0], f[1], strings.Join(f[2:], ""))
}

// dxOperatorText writes a model of an operator without commands: TYPE, then members NAME=TENSOR
// or NAME:JSON.
func dxOperatorText(kind string, members ...string) string {
	var list []string
	for _, m := range members {
		if name, tensor, ok := strings.Cut(m, "="); ok {
			m = fmt.Sprintf("%q:%s", name, dxTensorText(tensor))
		}
		list = append(list, m)
	}
	return fmt.Sprintf(`{"resources":{},"dispatchables":{"op":{"type":%q,"desc":{%s}}},"commands":`+
		`[]}`, kind, strings.Join(list, ","))
}

// dxRules returns the rules of operators and models that text violates, and the first finding.
func dxRules(
	t *testing.T,
	text string,
	target descriptor.Target,
	without ...*finding.Rule,
) (ids []*finding.Rule, first finding.Finding) {
	t.Helper()
	for _, f := range dxCheck(t, text, target) {
		if (ofModels(t, f.Rule) || f.Rule == rules.OwnedOp) &&
			!slices.Contains(without, f.Rule) {
			if len(ids) == 0 {
				first = f
			}
			ids = append(ids, f.Rule)
		}
	}
	return ids, first
}

// TestOperatorRules has a case on either side of each limit of the rules of operators.
func TestOperatorRules(t *testing.T) {
	const relu, add, gemm = "ACTIVATION_RELU", "ELEMENT_WISE_ADD", "DML_OPERATOR_GEMM"
	type ids = []*finding.Rule
	tests := []struct {
		kind    string
		members string // separated by semicolons
		target  descriptor.Target
		rules   ids
		fix     string // of the first
		reason  string
	}{
		{
			kind: "DML_OPERATOR_RELU", target: dxLatest, rules: ids{rules.OpKnown},
			reason: "there is only ACTIVATION_RELU",
		},
		{kind: "GEMN", target: dxLatest, rules: ids{rules.OpKnown}, fix: "did you mean GEMM?", reason: "a slip"},
		{kind: "gemm", target: dxLatest, rules: ids{rules.OpKnown}, fix: "did you mean GEMM?", reason: "case matters"},
		{
			kind: relu, members: "InputTensor=FLOAT32 [3];OutputTensor=FLOAT32 [3]", target: dxLatest,
			reason: "a known one",
		},
		{
			kind: "FOLD", members: "InputTensor=FLOAT32 [3,3,3];OutputTensor=FLOAT32 [3,3,3]", target: dxLatest,
			rules: ids{rules.OpKnown}, reason: "documented, but DxDispatch does not read it",
		},
		{
			kind: "ARGMAX", members: "InputTensor=FLOAT32 [3,3,3,3];OutputTensor=UINT32 [3,3,3,3]", target: dxOld,
			rules: ids{rules.OpLevel}, reason: "it came with 3.0, the target is 2.0",
		},
		{
			kind: "MAX_POOLING1", members: "InputTensor=FLOAT32 [3,3,3,3];OutputTensor=FLOAT32 [3,3,3,3]",
			target: dxOld, reason: "it came with 2.0",
		},

		{
			kind: gemm, members: "ATensor=FLOAT32 [2,2];BTensor=FLOAT32 [2,2];OutputTensor=FLOAT32 [2,2]",
			target: dxLatest, reason: "2 dimensions, the least",
		},
		{
			kind: gemm, members: "ATensor=FLOAT32 [1,2,2,2];BTensor=FLOAT32 [1,2,2,2];OutputTensor=FLOAT32 [1,2,2,2]",
			target: dxLatest, reason: "4 dimensions, the most",
		},
		{
			kind:    gemm,
			members: "ATensor=FLOAT32 [1,1,2,2,2];BTensor=FLOAT32 [1,1,2,2,2];OutputTensor=FLOAT32 [1,1,2,2,2]",
			target:  dxLatest, rules: ids{rules.OpDimCount, rules.OpDimCount, rules.OpDimCount},
			fix: "sizes [1, 2, 2, 2]", reason: "5 are too many; a leading 1 can go",
		},
		{
			kind: "MAX_POOLING", members: "InputTensor=FLOAT32 [2,2,2,2,2,2];OutputTensor=FLOAT32 [2,2,2,2,2,2]",
			target: dxLatest, rules: ids{rules.OpDimCount, rules.OpDimCount}, reason: "4 to 5, and no 1 to take away",
		},
		{
			kind: "MAX_POOLING", members: "InputTensor=FLOAT32 [2,2,2,2,2];OutputTensor=FLOAT32 [2,2,2,2,2]",
			target: dxLatest, reason: "4 to 5",
		},
		{
			kind: "MAX_POOLING", members: "InputTensor=FLOAT32 [7,5] ,\"Strides\":[5,1];OutputTensor=FLOAT32 [7,5]",
			target: dxLatest, rules: ids{rules.LeadingOnes, rules.LeadingOnes},
			fix: "sizes [1, 1, 7, 5] with strides [0, 0, 5, 1]", reason: "a rank below the least",
		},
		{
			kind:    "CONVOLUTION",
			members: "InputTensor=FLOAT32 [3,5,5];FilterTensor=FLOAT32 [3,3,3];OutputTensor=FLOAT32 [3,3,3]",
			target:  dxLatest, reason: "3 dimensions from 4.0 on",
		},
		{
			kind:    "CONVOLUTION",
			members: "InputTensor=FLOAT32 [3,5,5];FilterTensor=FLOAT32 [3,3,3];OutputTensor=FLOAT32 [3,3,3]",
			target:  dxOld, rules: ids{rules.LeadingOnes, rules.LeadingOnes, rules.LeadingOnes},
			fix: "sizes [1, 3, 5, 5]", reason: "only the older level refuses it: a warning",
		},
		{
			kind: relu, members: "InputTensor=FLOAT32 [1,1,2,3];OutputTensor=FLOAT32 [1,1,2,3]", target: dxLatest,
			rules: ids{rules.LeadingOnesNotNeeded}, fix: "sizes [2, 3]", reason: "padded, though 1 to 8 do",
		},
		{
			kind: relu, members: "InputTensor=FLOAT32 [1,1,2,3];OutputTensor=FLOAT32 [1,1,2,3]", target: dxOld,
			reason: "at 2.0 it has to be",
		},
		{
			kind: relu, members: "InputTensor=FLOAT32 [1,2,3];OutputTensor=FLOAT32 [1,2,3]", target: dxLatest,
			reason: "one size of 1 is a batch",
		},

		{
			kind: "ACTIVATION_SIGMOID", members: "InputTensor=INT32 [3];OutputTensor=INT32 [3]", target: dxLatest,
			rules: ids{rules.OpDType, rules.OpDType}, reason: "only floating point",
		},
		{
			kind: relu, members: "InputTensor=FLOAT16 [3];OutputTensor=FLOAT16 [3]", target: dxLatest,
			reason: "it is in the list",
		},
		{
			kind: relu, members: "InputTensor=INT64 [3];OutputTensor=INT64 [3]", target: dxLatest,
			rules: ids{rules.DType64BitOp, rules.DType64BitOp}, reason: "64 bits",
		},
		{
			kind: add, members: "ATensor=INT64 [3];BTensor=INT64 [3];OutputTensor=INT64 [3]", target: dxLatest,
			reason: "from 4.1 on",
		},
		{
			kind: add, members: "ATensor=INT64 [3,3,3,3];BTensor=INT64 [3,3,3,3];OutputTensor=INT64 [3,3,3,3]",
			target: dxOld, rules: ids{rules.DType64BitOp, rules.DType64BitOp, rules.DType64BitOp},
			reason: "but not at 2.0",
		},
		{
			kind: "CONVOLUTION_INTEGER", members: "InputTensor=INT64 [1,1,3,3]", target: dxLatest,
			rules: ids{rules.DType64BitOp}, reason: "of which no table tells: a note",
		},
		{
			kind: relu, members: "InputTensor=UINT4 [3];OutputTensor=UINT4 [3]", target: dxLatest,
			rules: ids{rules.DType4BitOp, rules.DType4BitOp}, reason: "only QUANTIZE and DEQUANTIZE take 4 bits",
		},
		{
			kind: "QUANTIZE",
			members: `InputTensor=FLOAT32 [3];"QuantizationTensors":[{"DataType":"FLOAT32","Sizes":[3]}` +
				`];"QuantizationTensorCount":1;OutputTensor=UINT4 [3]`,
			target: dxLatest, reason: "it does",
		},

		{
			kind: relu, members: "InputTensor=FLOAT32 [3];OutputTensor=FLOAT16 [3]", target: dxLatest,
			rules: ids{rules.OpSame}, fix: "write FLOAT32", reason: "one type",
		},
		{
			kind: "CAST", members: "InputTensor=FLOAT32 [3];OutputTensor=FLOAT16 [3]", target: dxLatest,
			reason: "types are what it changes",
		},
		{
			kind:    "ELEMENT_WISE_LOGICAL_EQUALS",
			members: "ATensor=FLOAT32 [3];BTensor=FLOAT32 [3];OutputTensor=UINT8 [3]", target: dxLatest,
			reason: "a comparison has truth values",
		},
		{
			kind: relu, members: "InputTensor=FLOAT32 [3,4];OutputTensor=FLOAT32 [4,3]", target: dxLatest,
			rules: ids{rules.OpSame}, fix: "sizes [4, 3]", reason: "one shape",
		},
		{
			kind: gemm, members: "ATensor=FLOAT32 [2,2];BTensor=FLOAT32 [1,2,2];OutputTensor=FLOAT32 [2,2]",
			target: dxLatest, rules: ids{rules.OpSame}, fix: "sizes [2, 2]", reason: "one number of dimensions",
		},
		{
			kind: "JOIN",
			members: `"InputTensors":[{"DataType":"FLOAT32","Sizes":[3]},{"DataType":"FLOAT16","Sizes":[3]}` +
				`];OutputTensor=FLOAT32 [6]`,
			target: dxLatest, rules: ids{rules.OpSame}, fix: "write FLOAT32", reason: "tensors of a list",
		},
		{
			kind: add, members: "ATensor=FLOAT32 [2,3,4];BTensor=FLOAT32 [2,1,4];OutputTensor=FLOAT32 [2,3,4]",
			target: dxLatest, rules: ids{rules.OpBroadcastSizes}, fix: "sizes [2, 3, 4] with strides [4, 0, 1]",
			reason: "the middle dimension is repeated",
		},
		{
			kind: add, members: "ATensor=FLOAT32 [2,3,4];BTensor=FLOAT32 [4];OutputTensor=FLOAT32 [2,3,4]",
			target: dxLatest, rules: ids{rules.OpBroadcastSizes}, fix: "sizes [2, 3, 4] with strides [0, 0, 1]",
			reason: "a row, aligned at the right",
		},
		{
			kind:    add,
			members: `ATensor=FLOAT32 [2,3,4];BTensor=FLOAT32 [2,3,4] ,"Strides":[4,0,1];OutputTensor=FLOAT32 [2,3,4]`,
			target:  dxLatest, reason: "so it is said",
		},
		{
			kind: add, members: "ATensor=FLOAT32 [2,3];BTensor=FLOAT32 [2,3];OutputTensor=FLOAT32 [2,1]",
			target: dxLatest, rules: ids{rules.OpSame}, fix: "sizes [2, 3]",
			reason: "outputs are not repeated: the two inputs agree",
		},

		{
			kind: gemm, members: "ATensor=FLOAT32 [2,2];OutputTensor=FLOAT32 [2,2]", target: dxLatest,
			rules: ids{rules.RequiredMissing}, reason: "CTensor may be left out, BTensor may not",
		},
		{
			kind: gemm, members: `ATensor=FLOAT32 [2,2];"BTensor":null;OutputTensor=FLOAT32 [2,2]`, target: dxLatest,
			rules: ids{jsonNullTensor}, fix: "remove the member", reason: "null is said once",
		},
		{
			kind:    "ELEMENT_WISE_QUANTIZE_LINEAR",
			members: "InputTensor=FLOAT32 [3];ScaleTensor=FLOAT32 [3];OutputTensor=INT8 [3]", target: dxLatest,
			reason: "the zero point is optional from 6.2 on",
		},
		{
			kind:    "ELEMENT_WISE_QUANTIZE_LINEAR",
			members: "InputTensor=FLOAT32 [3];ScaleTensor=FLOAT32 [3];OutputTensor=INT8 [3]",
			target:  descriptor.Target{Family: finding.DirectML, Level: 60}, rules: ids{rules.RequiredMissing},
			reason: "and was not before",
		},
		{
			kind: "RNN",
			members: "InputTensor=FLOAT32 [1,1,3,4];WeightTensor=FLOAT32 [1,1,5,4] " +
				",\"Flags\":\"OWNED_BY_DML\";RecurrenceTensor=FLOAT32 [1,1,5,5]",
			target: dxLatest, rules: ids{rules.OwnedOp}, fix: "remove the flag",
			reason: "RNN's page excludes the flag",
		},
		{
			kind: "CONVOLUTION_INTEGER", members: "InputTensor=INT8 [1,1,3,3]", target: dxLatest,
			reason: "nothing is known of its tensors",
		},

		{
			kind: "ACTIVATION_SWISH", members: `InputTensor=FLOAT32 [2,3] ,"Strides":[1,2];OutputTensor=FLOAT32 [2,3]`,
			target: descriptor.Target{Family: finding.DirectML, Level: 62}, rules: ids{rules.StridedRuntimeBug},
			fix: "remove Strides and pack the tensor", reason: "wrong before 6.3",
		},
		{
			kind: "ACTIVATION_SWISH", members: `InputTensor=FLOAT32 [2,3] ,"Strides":[1,2];OutputTensor=FLOAT32 [2,3]`,
			target: descriptor.Target{Family: finding.DirectML, Level: 63}, reason: "fixed in 6.3",
		},
		{
			kind: "ACTIVATION_SWISH", members: `InputTensor=FLOAT32 [2,3] ,"Strides":[3,1];OutputTensor=FLOAT32 [2,3]`,
			target: descriptor.Target{Family: finding.DirectML, Level: 62}, reason: "packed",
		},
		{
			kind:    "ACTIVATION_HARDMAX1",
			members: `InputTensor=FLOAT32 [2,3];OutputTensor=FLOAT32 [2,3] ,"Strides":[1,2]`,
			target:  descriptor.Target{Family: finding.DirectML, Level: 51}, rules: ids{rules.StridedRuntimeBug},
			fix: "remove Strides and pack the tensor", reason: "wrong before 5.2",
		},
		{
			kind:    "ACTIVATION_HARDMAX1",
			members: `InputTensor=FLOAT32 [2,3] ,"Strides":[1,2];OutputTensor=FLOAT32 [2,3]`,
			target:  descriptor.Target{Family: finding.DirectML, Level: 51}, reason: "the input is read right",
		},

		{
			kind:    "JOIN",
			members: `"InputCount":2;"InputTensors":[{"DataType":"FLOAT32","Sizes":[3]}];OutputTensor=FLOAT32 [3]`,
			target:  dxLatest, rules: ids{rules.CountFields}, fix: "write 1", reason: "the program does not look",
		},
		{
			kind:    "JOIN",
			members: `"inputTensors":[{"DataType":"FLOAT32","Sizes":[3]}];OutputTensor=FLOAT32 [3]`,
			target:  dxLatest, rules: ids{jsonKeyCase}, fix: "write InputTensors", reason: "a list with a slip",
		},
		{
			kind:    "JOIN",
			members: `"InputCount":2;"InputTensors":{"DataType":"FLOAT32","Sizes":[3]};OutputTensor=FLOAT32 [3]`,
			target:  dxLatest, rules: ids{jsonField}, reason: "no list, which is not counted",
		},
		{
			kind:    "JOIN",
			members: `"InputCount":2;"InputTensors":[{"DataType":"FLOAT32","Sizes":[3]},7];OutputTensor=FLOAT32 [3]`,
			target:  dxLatest, rules: ids{jsonField}, reason: "nor is one with something else in it",
		},
		{
			kind:    "JOIN",
			members: `"InputCount":2;"InputTensors":[7,{"DataType":"FLOAT32","Sizes":[3]}];OutputTensor=FLOAT32 [3]`,
			target:  dxLatest, rules: ids{jsonField}, reason: "wherever that is",
		},
		{
			kind:    "JOIN",
			members: `"InputTensorList":[{"DataType":"FLOAT32","Sizes":[3]}];OutputTensor=FLOAT32 [3]`,
			target:  dxLatest, rules: ids{jsonKeyCase, rules.RequiredMissing},
			reason: "a list of another name, no slip: what is missing is named",
		},
		{
			kind: "ELEMENT_WISE_QUANTIZE_LINEAR",
			members: "InputTensor=FLOAT32 [3];ScaleTensor=FLOAT32 [3];ZeroPointTensr=INT8 [3];" +
				"OutputTensor=INT8 [3]",
			target: dxLatest, rules: ids{jsonKeyCase}, fix: "write ZeroPointTensor",
			reason: "an optional tensor with a slip",
		},
		{
			kind:    "ELEMENT_WISE_QUANTIZE_LINEAR",
			members: "InputTensor=FLOAT32 [3];ScaleTensor=FLOAT32 [3];Previous=INT8 [3];OutputTensor=INT8 [3]",
			target:  dxLatest, reason: "a tensor of another name",
		},
		{
			kind:    "SPLIT",
			members: `InputTensor=FLOAT32 [3];"OutputCount":1;"OutputTensors":[{"DataType":"FLOAT32","Sizes":[3]}]`,
			target:  dxLatest, reason: "they agree",
		},
	}
	for _, tt := range tests {
		var members []string
		if tt.members != "" {
			members = strings.Split(tt.members, ";")
		}
		text := dxOperatorText(tt.kind, members...)
		have, first := dxRules(t, text, tt.target, rules.BindMissing)
		if !slices.Equal(have, tt.rules) || first.Fix != tt.fix {
			t.Errorf(
				"%s\n%v, want %v, fix %q (%s)%s",
				text,
				have,
				tt.rules,
				tt.fix,
				tt.reason,
				dxShown([]finding.Finding{first}),
			)
		}
	}
}

func TestOlderLevelWarns(t *testing.T) {
	text := dxOperatorText("CONVOLUTION", "InputTensor=FLOAT32 [3,5,5]", "FilterTensor=FLOAT32 [3,3,"+
		"3]", "OutputTensor=FLOAT32 [3,3,3]")
	if _, f := dxRules(t, text, dxOld); f.Severity != finding.Warning ||
		f.Pointer != "/dispatchables/op/desc/InputTensor/Sizes" ||
		f.Tensor != "op.InputTensor" {
		t.Error(dxShown([]finding.Finding{f}))
	}
}

// TestDxDispatchExamples runs the examples of the rules of operators and models.
func TestDxDispatchExamples(t *testing.T) {
	owned := pages.Page("descriptor")
	owned = slices.DeleteFunc(owned, func(r pages.Text) bool { return r.Name != rules.OwnedOp.Name })
	for _, r := range slices.Concat(owned, pages.Page("operator"), pages.Page("model")) {
		if r.Name == rules.GraphEdge.Name || r.Name == rules.GraphOwned.Name {
			continue // a model has no graphs
		}
		rule, err := finding.Named(r.Name, slices.Concat(rules.Rules, Rules))
		if err != nil {
			t.Fatal(err)
		}
		bad := dxExample(t, r.Bad)
		found := false
		for _, f := range bad {
			found = found || f.Rule == rule
			if f.Severity > rule.Severity {
				t.Errorf("%v: the bad example has worse:%s", rule, dxShown([]finding.Finding{f}))
			}
		}
		if !found {
			t.Errorf("%v: the bad example is fine: %s%s", rule, r.Bad, dxShown(bad))
		}
		for _, f := range dxExample(t, r.Good) {
			if f.Rule == rule || f.Severity > finding.Note {
				t.Errorf("%v: the good example has%s", rule, dxShown([]finding.Finding{f}))
			}
		}
	}
}

func dxExample(t *testing.T, text string) []finding.Finding {
	return dxCheck(t, text, dxRead(t, text).Target)
}

// FuzzDxDispatch reads and checks any input. Findings must be the same the second time, and their positions must be in
// the input.
func FuzzDxDispatch(f *testing.F) {
	files, _ := filepath.Glob("testdata/dxdispatch/*.json")
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`[{"DataType":"FLOAT16","Sizes":[5,55],"Strides":[9,3],"TotalTensorSizeInBytes":123,` +
		`"GuaranteedBaseOffsetAlignment":5,"role":"output"}]`))
	f.Add([]byte(dxModelText(`"a":{"sizeInBytes":9223372036854775807}`, "JOIN", `"InputTensors":[{"Sizes":`+
		`[4294967296,-1],"DataType":"INT4"},null],"InputCount":3,"OutputTensor":{"sizes":[1]}`,
		`"x":["a",{"name":"a","elementOffset":9223372036854775807}]`, `"InputTensors":["a","a"]`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		defer layouttest.Limit(t, len(data))()
		tree := new(doctree.Tree)
		if tree.JSON(data) != nil || !IsDxDispatch(tree) {
			return
		}
		lines := bytes.Count(data, []byte("\n")) + 1
		var runs [2][]finding.Finding
		for i := range runs {
			file := DxDispatch(tree)
			runs[i] = file.Findings
			c := rules.NewChecker(finding.Options{}, func(f finding.Finding) { runs[i] = append(runs[i], f) })
			for k := range file.Descriptors {
				c.Check(file.Target, &file.Descriptors[k])
			}
			if file.Model != nil {
				c.Model(file.Target, file.Model)
			}
		}
		if !reflect.DeepEqual(runs[0], runs[1]) {
			t.Errorf("findings differ:%s\nand%s", dxShown(runs[0]), dxShown(runs[1]))
		}
		for _, f := range runs[0] {
			if f.Line < 0 || f.Line > lines || f.Message == "" {
				t.Errorf("a finding that stands nowhere:%s", dxShown([]finding.Finding{f}))
			}
		}
	})
}

// slips has a member for each letter that may be too many in a name.
func slips(name string) string {
	var members strings.Builder
	for at := 1; at <= len(name); at++ {
		for letter := 'a'; letter <= 'z'; letter++ {
			fmt.Fprintf(&members, `,"%s%c%s":1`, name[:at], letter, name[at:])
		}
	}
	return members.String()
}

// TestDxDispatchHostile reads inputs that would take minutes if anything were quadratic. Unless every test runs, the
// inputs are shorter, and only their reading is checked.
func TestDxDispatchHostile(t *testing.T) {
	n := 8000 / layouttest.Step()
	many := func(format string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	tests := []struct{ name, text string }{
		{
			"unknown operators",
			`{"resources":{},"dispatchables":{` + many(`"d%d":{"type":`+
				`"ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUALS"}`) + `},"commands":[]}`,
		},
		{
			"unknown resources",
			`{"resources":{` + many(`"resource%d":{"sizeInBytes":4}`) + `},"dispatchables":{},"commands":` +
				`[` + many(`{"type":"print","resource":"resourc%dx"}`) + `]}`,
		},
		{
			"tensors of one operator, bound again and again",
			`{"resources":{"r":{"sizeInBytes":4}},"dispatchables":{"d":{"type":"SPLIT","InputTensor":` +
				`{"DataType":"INT8","Sizes":[1]},"OutputTensors":[` +
				many(`{"DataType":"INT8","Sizes":[1],"x":%d}`) + `]}},"commands":[` + many(`{"type":"dispatch",`+
				`"dispatchable":"d","bindings":{"OutputTensors":"r","x%d":"r"}}`) + `]}`,
		},
		{
			"outputs in one place",
			`{"resources":{"r":{"sizeInBytes":4}},"dispatchables":{"d":{"type":"SPLIT","InputTensor":` +
				`{"DataType":"INT8","Sizes":[1]},"OutputTensors":[` +
				many(`{"DataType":"INT8","Sizes":[1],"x":%d}`) + `]}},"commands":[{"type":"dispatch","dispatchable":` +
				`"d","bindings":{"InputTensor":"r","OutputTensors":[` + many(`{"name":"r","x":%d}`) + `]}}]}`,
		},
		{"duplicates", `{"resources":{` + many(`"a":%d`) + `},"commands":[],"dispatchables":{}}`},
		{"members of a tensor", `{"DataType":"INT8","Sizes":[1]` + slips("Strides") + `}`},
		{
			"tensors of an unknown operator",
			`{"resources":{},"dispatchables":{"d":{"type":"X",` + many(`"t%d":{"DataType":"INT8","Sizes":`+
				`[2],"Strides":[2]}`) + `}},"commands":[]}`,
		},
		{"numbers that are none", `{"DataType":"INT8","Sizes":[` + many(`%d.5`) + `]}`},
	}
	for _, tt := range tests {
		if all := dxCheck(t, tt.text, dxLatest); len(all) < 100 {
			t.Errorf("%s: %d findings", tt.name, len(all))
		}
	}
}
