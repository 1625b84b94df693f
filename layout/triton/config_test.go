package triton

import (
	"testing"

	"layoutcalc/layout/layouttest"
)

// TestIs distinguishes configurations from other inputs by their start and by words that are rare elsewhere.
func TestIs(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "#": false, "# c": false, " ": false, "name": false, "max_batch_size: 4": true,
		`name: "x"`: false, `name: "x" backend: "y"`: true, `name: "x" platform: "y"`: true,
		`nme: "x" backend: "y"`:                   false,
		"# c\n# d\n\nname: \"x\"\nbackend: \"y\"": true, "\t\r\n name\n :\"x\" platform: \"y\"": true,
		"input { data_type: 1 }": true, "input [ { data_type: 1 } ]": true, "input< data_type: 1 >": true,
		"input = { data_type: 1 }": false, "input data_type": false, "backend": false, "platform: 1": true,
		"ensemble_scheduling { }": true, "{ name: 1, backend: 2 }": false, "-name: 1 backend: 2": false,
		"name { } # max_batch_size": true, "name1: 2 backend: 3": false, "versions: 1 backend: 1": false,
	} {
		if Is([]byte(text)) != want {
			t.Errorf("%q: %v, want %v", text, !want, want)
		}
	}
}

// FuzzRead reads and checks any input.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"name: 'a' input [ { dims: [ 1, -1 ] }, < > ]", "output { format: 1 optional: 1 reshape { } }",
		"ensemble_scheduling { step { model_name: 'a' } } max_batch_size: - 1",
		"sequence_batching { state { dims: 1 } }",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		defer layouttest.Limit(t, len(text))()
		if c, err := Read([]byte(text)); err == nil {
			c.Check(nil)
		}
	})
}
