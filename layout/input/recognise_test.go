package input

import (
	"strings"
	"testing"
)

// TestRecognise says by which row of the table texts are recognised, and how often they are split into tokens until
// they are read, or refused.
func TestRecognise(t *testing.T) {
	tests := []struct {
		name, text, want string
		readings         int
		foreign          bool
	}{
		{text: "2x3", want: "shape", readings: 1},
		{text: "\xEF\xBB\xBF 2x3\n", want: "shape", readings: 1},
		{text: "[2, 3] WH", want: "shape", readings: 1},
		{text: "2 x3", want: "shape", readings: 1},
		{text: "N=1,C=3 i8", want: "shape", readings: 1},
		{text: "shape=(2, 3)", want: "shape", readings: 1},
		{text: "size=3,c=4", want: "shape", readings: 1},
		{text: "torch.Size([2, 3])", want: "shape", readings: 1},
		{text: "()", want: "shape", readings: 1},
		{name: "a.npy", text: "2x3 WH", want: "shape", readings: 1},
		{name: "a.yaml", text: "2x3 WH", want: "shape", readings: 2}, // as YAML too
		{text: "f32[2,3]{0,1}", want: "notation", readings: 1},
		{text: "torch.empty(2, 3)", want: "notation", readings: 1},
		{text: "f32[2,3]{0,1", want: "notation", readings: 1},
		{text: "NHWC 1x3x4x4", want: "notation", readings: 1},
		{text: "float32 tensor of 2 by 3", want: "notation", readings: 1},
		{text: "12:30", want: "notation"},
		{text: strings.Repeat("(", 9_000), want: "notation"},
		{text: "\xFF\xFF\xFF", want: "notation"},
		{text: "onednn_verbose,v1,info", want: "log"},
		{text: `{"version":1,"tensors":{}}`, want: "document", readings: 1},
		{text: "version: 1\ntensors: {}\n", want: "document", readings: 1},
		{text: "tensors: [", want: "notation"},
		{text: `{"tensors": `, want: "notation"},
		{text: `{"shape": [2, 3], "strides": [3, 1]}`, want: "notation"},
		{name: "a.json", text: `{"a": 1}`, want: "notation"},
		{name: "a.json", text: `{"tensors": `, want: "document by its name", readings: 1},
		{name: "a.yml", text: "a: 1\n", want: "notation"},
		{name: "b.layoutcalc.yaml", text: "2x3", want: "document by its name", readings: 1},
		{name: "a.json", text: "[]", want: "document by its name", readings: 1},
		{name: "a.json", text: "", want: "document by its name", readings: 1},
		{name: "a.txt", text: "", want: "no text"},
		{text: "\r\n ", name: "-", want: "no text"},
		{name: "-", text: "null", want: "no text"},
		{name: "-", text: "\x00\x00\x00\x00", want: "no text"},
		{name: "-", text: "\x7FELF\x02\x01\x00", want: "no text"},
		{name: "a.json", text: `{"a": 1}`, want: "no text", foreign: true},
		{
			name: "a.json", text: `{"DataType":"INT8","Sizes":[2]}`, want: "document by its name", readings: 1,
			foreign: true,
		},
		{name: "a.json", text: `{"weight_map": {"a": "b.safetensors"}}`, want: "index"},
		{name: "a.safetensors.index.json", text: "no index", want: "index"},
		{name: "config.pbtxt", text: "", want: "Triton by its name"},
		{name: "a.txt", text: "max_batch_size: 4", want: "Triton"},
		{name: "a.jsonl", text: "", want: "lines"},
		{text: `{"dtype":"u8","sizes":[2]}`, want: "lines"},
		{name: "a.npy", text: "\x93NUMPY", want: "header"},
		{name: "a.dat", text: "GGUF\x03\x00\x00\x00", want: "header"},
		{name: "a.onnx", text: "", want: "header"},
		{name: "a.onnx", text: "max_batch_size: 4", want: "header", foreign: true}, // read, and found to be cut off
		{name: "a.safetensors", text: "\x50\x00\x00\x00\x00\x00\x00\x00{\"a", want: "header", foreign: true},
		{name: "a.safetensors", text: "\xC4\x00\x00\x00\x00\x00\x00\x00", want: "header", foreign: true},
		{name: "a.safetensors", text: "<!DOCTYPE html><html>", want: "header"},
	}
	for _, tt := range tests {
		s := Source{Name: tt.name, File: strings.NewReader(tt.text), Size: int64(len(tt.text)), Foreign: tt.foreign}
		c := newCandidate(s, Options{})
		if tt.name == "" {
			c = argument(tt.text, Options{})
		}
		err := c.read()
		if form := forms[c.form].name; form != tt.want {
			t.Errorf("%q %.40q is recognised as %s, want %s", tt.name, tt.text, form, tt.want)
		}
		if c.readings > 2 || tt.readings != 0 && c.readings != tt.readings {
			t.Errorf("%q %.40q is read %d times, want %d (%v)", tt.name, tt.text, c.readings, tt.readings, err)
		}
	}
}

// TestOwnForm reads a text in another form than its name says. Where that fails, nothing of it is in the input.
func TestOwnForm(t *testing.T) {
	text := "version: 1\ntensors: {a: {dtype: f32, sizes: [2]}}\n---\na: 1\n"
	s := Source{Name: "a.npy", File: strings.NewReader(text), Size: int64(len(text))}
	if in, err := Read(s, Options{}); err == nil || in.Kind != TensorFile || len(in.Files) > 0 {
		t.Errorf("kind %d, %d files, %v", in.Kind, len(in.Files), err)
	}
}
