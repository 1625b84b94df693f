package onnx

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/finding"
)

const models = "../../testdata/models/onnx"

// TestTensorsOfLibrary compares the tensors of models that the library onnx wrote, and their bytes, with its own
// description.
func TestTensorsOfLibrary(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(models, "tensors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var said []struct {
		File, Name, Type string
		Dims             []int64
		Data             []byte
	}
	if err := json.Unmarshal(text, &said); err != nil {
		t.Fatal(err)
	}
	moved := 0
	for _, want := range said {
		data, err := os.ReadFile(filepath.Join(models, want.File))
		if err != nil {
			t.Fatal(err)
		}
		m, err := Read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		beside := func(location string) DataFile {
			info, err := os.Stat(filepath.Join(models, location))
			if err != nil {
				return DataFile{Missing: "is missing"}
			}
			return DataFile{Size: info.Size()}
		}
		m.Check(beside, func(f finding.Finding) {
			if f.Severity != finding.Note {
				t.Errorf("%s: %v %s", want.File, f.Rule, f.Message)
			}
		})
		found, err := m.tensor(want.Name)
		if err != nil || found.Type.String() != want.Type || !slices.Equal(found.Dims, want.Dims) {
			t.Errorf("%s: %+v, %v; the library says %+v", want.File, found, err, want)
			continue
		}
		place, err := m.Find(want.Name, beside)
		if err != nil {
			if field := found.data.field.Name; field != "string_data" {
				t.Errorf("%s: %s: %v", want.File, want.Name, err)
			}
			continue
		}
		if place.Location != "" {
			data, _ = os.ReadFile(filepath.Join(models, place.Location))
		}
		if place.Elements != nil {
			data = place.Elements
		}
		if got := data[place.Start : place.Start+place.Bytes]; !bytes.Equal(got, want.Data) {
			t.Errorf("%s: %s has the bytes %x, and the library says %x", want.File, want.Name, got, want.Data)
		}
		moved++
	}
	if moved < 35 {
		t.Errorf("only %d tensors were found", moved)
	}
}

// TestFindRefuses checks the errors about tensors that are not moved.
func TestFindRefuses(t *testing.T) {
	const two = head + w + `initializer { name: "v" dims: [3] data_type: INT4 raw_data: 2 bytes } }`
	tests := []struct{ reason, text, name, word string }{
		{"several", two, "", "the model has 2 initializers"},
		{"none", head + `}`, "", "no initializers"},
		{"another name", two, "u", `of 2 initializers none is called "u"`},
		{"an input", head + w + `input { name: "x" } }`, "x", "input or an output"},
		{"a sparse one", head + strings.ReplaceAll(w, `"w"`, `"v"`) + `sparse_initializer { values { name: "w" ` +
			`dims: [0] data_type: FLOAT } dims: [1] } }`, "w", "is sparse"},
		{"texts", initializer(`dims: [1] data_type: STRING string_data: "a"`), "w", "has strings"},
		{"2 bits", initializer(`dims: [4] data_type: INT2 raw_data: 1 bytes`), "w", "type INT2"},
		{"an unknown type", initializer(`dims: [4] data_type: 99 raw_data: 1 bytes`), "w", "type 99"},
		{"numbers in pieces", initializer(`dims: [2] data_type: INT64 int64_data: 1 int64_data: 2`), "w", "in pieces"},
		{"elements of 4 bits as numbers", initializer(`dims: [2] data_type: INT4 int32_data: 1`), "w", "to a number"},
		{"floats in pieces", initializer(`dims: [2] data_type: FLOAT float_data: 1 float_data: 2`), "w", "pieces"},
		{"too few bytes", initializer(`dims: [2] data_type: FLOAT raw_data: 4 bytes`), "w", "raw_data has 4"},
		{"another file that is missing", external("location=v.bin"), "w", "is missing"},
		{"another file that is cut off", external("location=w.bin; offset=1"), "w", "1 too few"},
		{"a file elsewhere", external("location=../w.bin"), "w", "leaves the directory"},
	}
	beside := func(location string) DataFile {
		if location == "w.bin" {
			return DataFile{Size: 24}
		}
		return DataFile{Missing: "is missing"}
	}
	for _, tt := range tests {
		data := encoded(t, tt.text)
		m, err := Read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		if p, err := m.Find(tt.name, beside); err == nil || !strings.Contains(err.Error(), tt.word) {
			t.Errorf("%s: %+v, %v", tt.reason, p, err)
		}
	}
	data := encoded(t, two)
	m, _ := Read(bytes.NewReader(data), int64(len(data)))
	if p, err := m.Find("v", beside); err != nil || p.Bytes != 2 {
		t.Errorf("an odd number of 4-bit elements: %+v, %v", p, err)
	}
}

// TestFindOnly finds the only initializer of a model without its name, and others with theirs.
func TestFindOnly(t *testing.T) {
	data := encoded(t, head+w+`node { name: "c" op_type: "Constant" attribute { name: "value" t { dims: [2] `+
		`data_type: INT8 raw_data: "ab" } } attribute { name: "none" t { dims: [0] data_type: INT8 name: "n" } } } }`)
	m, err := Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if p, err := m.Find("", nil); err != nil || p.Tensor.Name != "w" || p.Bytes != 24 {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := m.Find("c/value", nil); err != nil || p.Bytes != 2 || string(data[p.Start:p.Start+2]) != "ab" {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := m.Find("c/none/n", nil); err != nil || p.Bytes != 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestFindNumbers finds numbers that nodes Constant have without a tensor, and a number of a tensor that is not in a
// list, which protobuf allows.
func TestFindNumbers(t *testing.T) {
	constant := func(name, value string) string {
		return `node { name: "` + name + `" op_type: "Constant" attribute { name: "value_` + name + `" ` + value +
			` } } `
	}
	model := func(data []byte) *Model {
		m, err := Read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	nodes := encoded(t, head+constant("float", "f: 1.5")+constant("floats", "floats: 2")+constant("int", "i: 300")+
		constant("ints", "ints: -1")+"}")
	// w of [1], FLOAT, with 1.5 as field 4 of 4 bytes
	alone := []byte("\x08\x08\x3A\x0E\x2A\x0C\x08\x01\x10\x01\x42\x01w\x25\x00\x00\xC0\x3F\x42\x02\x10\x11")
	for _, tt := range []struct {
		name, typ string
		rank      int
		bytes     string
	}{
		{"float/value_float", "FLOAT", 0, "\x00\x00\xC0\x3F"},
		{"floats/value_floats", "FLOAT", 1, "\x00\x00\x00\x40"},
		{"int/value_int", "INT64", 0, "\x2C\x01\x00\x00\x00\x00\x00\x00"},
		{"ints/value_ints", "INT64", 1, strings.Repeat("\xFF", 8)},
		{"w", "FLOAT", 1, "\x00\x00\xC0\x3F"},
	} {
		data := nodes
		if tt.name == "w" {
			data = alone
		}
		p, err := model(data).Find(tt.name, nil)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		got := p.Elements
		if got == nil {
			got = data[p.Start : p.Start+p.Bytes]
		}
		if string(got) != tt.bytes || p.Tensor.Type.String() != tt.typ || len(p.Tensor.Dims) != tt.rank {
			t.Errorf("%s: %+v has %q", tt.name, p.Tensor, got)
		}
	}
}
