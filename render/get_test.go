package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
)

// leaves calls visit with the path of every value that is no object, and what a script should
// read there: a text without quotes, numbers and texts in a list with commas, all else as JSON.
func leaves(path string, value any, visit func(path, want string)) {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			leaves(strings.TrimPrefix(path+"."+key, "."), inner, visit)
		}
	case []any:
		if list, ok := flat(v); ok {
			visit(path, list)
		}
		for i, inner := range v {
			leaves(path+"."+strconv.Itoa(i), inner, visit)
		}
	case nil:
		visit(path, "null")
	case bool:
		visit(path, strconv.FormatBool(v))
	case json.Number:
		visit(path, v.String())
	case string:
		visit(path, v)
	}
}

// flat joins a list of numbers or texts; ok is false when it is empty or has deeper items.
func flat(list []any) (text string, ok bool) {
	var parts []string
	for _, item := range list {
		switch v := item.(type) {
		case json.Number:
			parts = append(parts, v.String())
		case string:
			parts = append(parts, v)
		default:
			return "", false
		}
	}
	return strings.Join(parts, ","), len(list) > 0
}

// TestGetReachesAll asks for every value that encoding/json finds in the document.
func TestGetReachesAll(t *testing.T) {
	for _, a := range answers {
		if a.name == "picture" {
			continue // has no JSON
		}
		t.Run(a.name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				tensor := tensors(2).Draw(rt, "tensor")
				get := func(path string) string {
					return written(t, Options{Format: JSON, Get: path}, func(p *Printer) error { return a.write(p, tensor) })
				}
				d := json.NewDecoder(strings.NewReader(get("")))
				d.UseNumber()
				var document map[string]any
				if err := d.Decode(&document); err != nil {
					rt.Fatal(err)
				}
				check := func(path, want string) {
					if got := get(path); got != want+"\n" {
						rt.Fatalf("--get %s is %q, the document has %q", path, got, want)
					}
				}
				leaves("", document, check)
				if inner, ok := document["tensor"]; ok {
					leaves("", inner, check) // the field tensor may be left out
				}
			})
		})
	}
}

func TestGetUnknown(t *testing.T) {
	tests := []struct{ path, hint, reason string }{
		{"stride", "did you mean strides?", "a letter is missing"},
		{"tensor.byte", "did you mean tensor.bytes?", "in a field of the tensor"},
		{"Strides", "did you mean strides?", "names keep their case, as in JSON"},
		{"qqqqqqqq", "-o json shows all fields", "nothing is like it"},
		{"sizes.2", "did you mean sizes?", "a list of two ends at 1"},
		{"sizes.-1", "-o json shows all fields", "positions count from the start"},
		{"sizes.x", "did you mean sizes?", "positions are numbers"},
		{"bits.0", "did you mean bits?", "a number has no items"},
		{"strides.", "did you mean strides?", "a name is missing"},
		{".", "-o json shows all fields", "names are missing"},
	}
	tensor := parsed(t, "2x3", "")
	for _, tt := range tests {
		var out bytes.Buffer
		err := NewPrinter(&out, Options{Format: Table, Get: tt.path, Width: 80}).Strides(tensor)
		var syntax *layout.SyntaxError
		if !errors.As(err, &syntax) || syntax.Input != tt.path {
			t.Errorf("--get %s: %v: %s", tt.path, err, tt.reason)
		} else if syntax.Hint != tt.hint {
			t.Errorf("--get %s hints %q, want %q: %s", tt.path, syntax.Hint, tt.hint, tt.reason)
		}
		if out.Len() > 0 {
			t.Errorf("--get %s writes %q", tt.path, out.String())
		}
	}
}

// TestGetHostile asks for a field with a name that could steer the terminal.
func TestGetHostile(t *testing.T) {
	tensor := parsed(t, "2x3", "")
	for _, text := range hostile {
		err := NewPrinter(new(bytes.Buffer), Options{Get: text + "?", Width: 80}).Strides(tensor)
		if err == nil || harm(err.Error()) != "" {
			t.Errorf("--get %q says %v", text, err)
		}
	}
}

// TestGetStopsReading asks for what needs few of very many results, or cannot be written.
func TestGetStopsReading(t *testing.T) {
	tensor := parsed(t, "2x3", "")
	for _, tt := range []struct {
		path   string
		room   int // bytes that can be written
		most   int // results that may be read
		reason string
	}{
		{"tensor.bytes", 1000, 0, "no result is needed"},
		{"results.1.offset", 1000, 3, "two are needed"},
		{"results", 100, 50_000, "a list that cannot be written need not be complete"},
	} {
		read := 0
		p := NewPrinter(&failing{left: tt.room}, Options{Get: tt.path, Width: 80})
		_ = p.Offsets(tensor, func(yield func([]int64, error) bool) {
			for read < 100_000 && yield([]int64{0, 1}, nil) {
				read++
			}
		})
		if read > tt.most {
			t.Errorf("--get %s reads %d results, want %d at most: %s", tt.path, read, tt.most, tt.reason)
		}
	}
}
