package tensorfile

import (
	"encoding/binary"
	"encoding/json"
	"math/big"
	"reflect"
	"slices"
	"testing"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
)

// FuzzTensorFile checks that any file is either refused at a byte that it has or read the same
// again, and that a .safetensors file without errors is one to a slow reader too.
func FuzzTensorFile(f *testing.F) {
	f.Add(npyOf(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", 24))
	f.Add(npyOf(3, "{'shape': (0x2L,), \"descr\": \"|u1\", # x\n'fortran_order': False}", 2))
	f.Add(safetensorsOf(`{"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"b":{"dtype":"F4","shape":[4],"data_offsets":[24,26]}}`, 26))
	f.Add(safetensorsOf(`{"__metadata__":{"a":"\u0041"},"\n":{"x":[{}],"dtype":"U8","data_offsets":[1,1],"shape":[]}}`, 1))
	f.Add(ggufOf(3, []string{ggufU32("general.alignment", 8), ggufText("x") + le32(9) + le32(9) + le64(1) + le32(8) + le64(1) + ggufText("y")}, []ggufTensor{
		{"a", []uint64{32, 2}, 2, 0}, {"b", []uint64{3}, 30, 40}}, 8, 48))
	f.Fuzz(func(t *testing.T, data string) {
		file, err := tensorsOf(t, "", data)
		again, _ := tensorsOf(t, "", data)
		if !reflect.DeepEqual(file, again) {
			t.Fatalf("%+v and then %+v", file, again)
		}
		if err != nil {
			if fault, ok := err.(*doctree.Fault); !ok || fault.Offset < 0 || fault.Offset > len(data) {
				t.Fatal(err)
			}
			return
		}
		for _, d := range file.Descriptors {
			if d.Total.Value < 0 || d.Total.Value > int64(len(data)) || d.Strides != nil && len(d.Strides) != len(d.Sizes) {
				t.Fatalf("%+v", d)
			}
		}
		bad := slices.ContainsFunc(file.Findings, func(g rules.Finding) bool { return g.Severity == rules.Error })
		if file.Kind == safetensorsKind && !bad && !slowSafetensors(data) {
			t.Fatalf("%q passes", data)
		}
	})
}

// slowSafetensors reports whether a file obeys the format, by Go's reader of JSON and exact numbers.
func slowSafetensors(data string) bool {
	n := binary.LittleEndian.Uint64([]byte(data))
	var header map[string]json.RawMessage
	if json.Unmarshal([]byte(data[8:8+n]), &header) != nil {
		return false
	}
	type tensor struct {
		DType   string   `json:"dtype"`
		Shape   []uint64 `json:"shape"`
		Offsets []uint64 `json:"data_offsets"`
	}
	sum := new(big.Int)
	for name, raw := range header {
		var e tensor
		if name == "__metadata__" {
			continue
		}
		if json.Unmarshal(raw, &e) != nil || len(e.Offsets) != 2 {
			return false
		}
		row := safetensorsRow([]byte(e.DType))
		if row < 0 {
			return false
		}
		bits := big.NewInt(safetensorsTypes[row].bits)
		for _, s := range e.Shape {
			bits.Mul(bits, new(big.Int).SetUint64(s))
		}
		taken := new(big.Int).Mul(big.NewInt(8), new(big.Int).SetUint64(e.Offsets[1]-e.Offsets[0]))
		if bits.Cmp(taken) != 0 {
			return false
		}
		sum.Add(sum, taken)
	}
	return sum.Cmp(big.NewInt(8*int64(len(data)-8-int(n)))) == 0
}
