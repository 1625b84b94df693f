package descfile

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
)

// dxRead reads a text as DxDispatch does.
func dxRead(t testing.TB, text string) *rules.File {
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

// dxCheck returns all findings of a text: the reader's, those of each descriptor, and the model's.
func dxCheck(t testing.TB, text string, target rules.Target) []rules.Finding {
	f := dxRead(t, text)
	all := f.Findings
	c := rules.NewChecker(rules.Options{}, func(f rules.Finding) { all = append(all, f) })
	for i := range f.Descriptors {
		c.Check(target, &f.Descriptors[i])
	}
	if f.Model != nil {
		c.Model(target, f.Model)
	}
	return all
}

var (
	dxLatest = rules.Target{Family: rules.DirectML}
	dxOld    = rules.Target{Family: rules.DirectML, Level: 20}
)

// dxShown lists findings, one a line.
func dxShown(all []rules.Finding) string {
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

// TestDxDispatchModels checks models with the content of the 20 that DirectML's repository has:
// 55 descriptors, no errors, and only the notes that directml.md C7 names, beside those that A1
// has for descriptors without a total or an alignment.
func TestDxDispatchModels(t *testing.T) {
	files, err := filepath.Glob("testdata/dxdispatch/*.json")
	if err != nil || len(files) != 20 {
		t.Fatalf("%d models, %v", len(files), err)
	}
	descriptors := 0
	notes := map[string][]rules.ID{
		"dml_scalar_union_fp16.json": {rules.ResourceSize4, rules.ResourceSize4},
		"image_io.json":              {rules.ResourceSlack},
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		descriptors += len(dxRead(t, string(data)).Descriptors)
		var beyond []rules.ID
		all := dxCheck(t, string(data), dxLatest)
		for _, f := range all {
			if f.Severity > rules.Note {
				t.Errorf("%s:%s", name, dxShown([]rules.Finding{f}))
			}
			if f.Rule >= rules.OpKnown {
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

// TestDxDispatchUnitTests goes through the descriptors of the parser's own tests (C7).
func TestDxDispatchUnitTests(t *testing.T) {
	tests := []struct {
		text   string
		rules  []rules.ID // of warnings and errors
		notes  []rules.ID // that must be among the notes
		reason string
	}{
		{
			text: `{"DataType":"FLOAT32","Sizes":[3,2,5],"Strides":[0,0,1]}`, notes: []rules.ID{rules.BroadcastPresent},
			reason: "5 elements serve 30",
		},
		{
			text: `{"Type":"BUFFER","Desc":{"DataType":"DML_TENSOR_DATA_TYPE_FLOAT16","Sizes":[5,55],"Strides":` +
				`[9,3],"TotalTensorSizeInBytes":123,"GuaranteedBaseOffsetAlignment":5}}`,
			rules:  []rules.ID{rules.TotalTooSmall, rules.TotalMultiple4, rules.AlignPow2, rules.OverlapInput},
			reason: "123 of 400 bytes, not a multiple of 4; 5 is no power of two; (0,3) and (1,0) meet",
		},
		{
			text:  `{"DataType":"FLOAT16","Sizes":[1,4],"Strides":[4,1],"TotalTensorSizeInBytes":16}`,
			notes: []rules.ID{rules.TotalSlack}, reason: "8 bytes are enough",
		},
	}
	for _, tt := range tests {
		all := dxCheck(t, tt.text, dxLatest)
		var have, notes []rules.ID
		for _, f := range all {
			if f.Severity == rules.Note {
				notes = append(notes, f.Rule)
			} else {
				have = append(have, f.Rule)
			}
		}
		slices.Sort(have)
		want := slices.Sorted(slices.Values(tt.rules))
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

// TestDxDispatchReads goes through what the parser does with texts (C1, C2, C3).
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
				"OutputTensor": {"DataType": "UINT32", "Sizes": [3]}, "Type": "X"}},
		}, /* and another */ "commands": [],
	} trailing garbage`)
	if len(f.Findings) != 1 || f.Findings[0].Rule != rules.JSONDupKey ||
		f.Findings[0].Pointer != "/dispatchables/slice/OutputTensor/Sizes" {
		t.Errorf("findings:%s", dxShown(f.Findings))
	}
	if len(f.Descriptors) != 4 || len(f.Model.Dispatchables) != 5 || f.Model.Dispatchables[0].Operator != nil {
		t.Fatalf("%d descriptors, %d dispatchables", len(f.Descriptors), len(f.Model.Dispatchables))
	}
	in, out, state := &f.Descriptors[0], &f.Descriptors[1], &f.Descriptors[2]
	switch {
	case in.Name != "slice.InputTensor" || in.Operator != "SLICE" || in.Slot != "InputTensor" || in.Role != rules.Input:
		t.Errorf("input: %+v", in)
	case in.Strides != nil || in.TypeName != "DML_TENSOR_DATA_TYPE_UINT8" || !in.TypeKnown ||
		in.Type.String() != "uint8" || !in.Computed:
		t.Errorf("input: %+v", in)
	case !slices.Equal(out.Sizes, []int64{2, 3}) || !slices.Equal(out.Strides, []int64{8, 2}) ||
		out.Role != rules.Output ||
		!slices.Equal(out.Flags, []string{"NONE", "OWNED_BY_DML"}):
		t.Errorf("output: %+v", out)
	case !out.Total.Stated || out.Total.Value != 0 || state.Name != "rng.InputStateTensor":
		t.Errorf("output: %+v, state: %+v", out, state)
	}
	if p := out.Source.Place(rules.StridesPart, 1); p.Pointer != "/dispatchables/slice/OutputTensor/Strides/1" ||
		p.Line != 7 {
		t.Errorf("the place of a stride is %+v", p)
	}
	if p := in.Source.Place(rules.SizesPart, 0); p.Pointer != "/dispatchables/slice/InputTensor/Desc/Sizes/0" {
		t.Errorf("the place of a size in Desc is %+v", p)
	}
	if p := in.Source.Place(rules.TotalPart, -1); p.Pointer != "/dispatchables/slice/InputTensor/Desc" {
		t.Errorf("the place of what is not there is %+v", p)
	}
}

// TestDxDispatchMeant: what the program refuses is held against the rules with the value it means.
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
	for members, want := range map[string]rules.Severity{
		``: rules.Note, `,"target":"directml"`: rules.Note,
		`,"TotalTensorSizeInBytes":0`: rules.Note, `,"TotalTensorSizeInBytes":0,"target":"directml"`: rules.Error,
	} {
		text := `{"DataType":"FLOAT32","Sizes":[2,3]` + members + `}`
		all := dxCheck(t, text, dxLatest)
		i := slices.IndexFunc(all, func(f rules.Finding) bool { return f.Rule == rules.TotalMissing })
		if i < 0 || all[i].Severity != want {
			t.Errorf("%s: want %v%s", text, want, dxShown(all))
		}
	}
}

// TestDxDispatchAlone reads descriptors without a model.
func TestDxDispatchAlone(t *testing.T) {
	f := dxRead(t, `[{"DataType":"INT8","Sizes":[4],"role":"output","target":"directml@6.2"}, {"DataType":`+
		`"int8","Sizes":[4]}, {"DataType":"INT8","Sizes":[4],"role":"OUT"}]`)
	if f.Target != (rules.Target{Family: rules.DirectML, Level: 62}) || f.Model != nil || len(f.Descriptors) != 3 {
		t.Fatalf("%+v", f)
	}
	if d := f.Descriptors; d[0].Role != rules.Output || !d[0].Computed || !d[1].Computed || d[1].Name != "[1]" ||
		d[1].TypeKnown ||
		d[2].Role != rules.UnknownRole {
		t.Errorf("%+v", d)
	}
	if len(f.Findings) != 1 || f.Findings[0].Rule != rules.JSONField {
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
