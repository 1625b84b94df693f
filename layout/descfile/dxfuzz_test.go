package descfile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
)

// FuzzDxDispatch reads and checks any text: findings are the same the second time, and stand in
// the text.
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
		tree := new(doctree.Tree)
		if tree.JSON(data) != nil || !IsDxDispatch(tree) {
			return
		}
		lines := bytes.Count(data, []byte("\n")) + 1
		var runs [2][]rules.Finding
		for i := range runs {
			file := DxDispatch(tree)
			runs[i] = file.Findings
			c := rules.NewChecker(rules.Options{}, func(f rules.Finding) { runs[i] = append(runs[i], f) })
			for k := range file.Descriptors {
				c.Check(file.Target, &file.Descriptors[k])
			}
			if file.Model != nil {
				c.Model(file.Target, file.Model)
			}
		}
		if !slices.Equal(runs[0], runs[1]) {
			t.Errorf("findings differ:%s\nand%s", dxShown(runs[0]), dxShown(runs[1]))
		}
		for _, f := range runs[0] {
			if f.Line < 0 || f.Line > lines || f.Message == "" {
				t.Errorf("a finding that stands nowhere:%s", dxShown([]rules.Finding{f}))
			}
		}
	})
}

// TestDxDispatchHostile has texts that would take minutes if anything were quadratic.
func TestDxDispatchHostile(t *testing.T) {
	const n = 20000
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
		{"members of a tensor", `{"DataType":"INT8","Sizes":[1],` + many(`"Stride%d":1`) + `}`},
		{
			"tensors of an unknown operator",
			`{"resources":{},"dispatchables":{"d":{"type":"X",` + many(`"t%d":{"DataType":"INT8","Sizes":`+
				`[1]}`) + `}},"commands":[]}`,
		},
		{"numbers that are none", `{"DataType":"INT8","Sizes":[` + many(`%d.5`) + `]}`},
	}
	for _, tt := range tests {
		if all := dxCheck(t, tt.text, dxLatest); len(all) < 100 {
			t.Errorf("%s: %d findings", tt.name, len(all))
		}
	}
}
