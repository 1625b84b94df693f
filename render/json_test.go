package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"layoutcalc/layout"
)

// tokens reads a document with encoding/json, in its order.
func tokens(t interface{ Fatalf(string, ...any) }, document string) []json.Token {
	d := json.NewDecoder(strings.NewReader(document))
	d.UseNumber()
	var list []json.Token
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, document)
		}
		list = append(list, token)
	}
	if !json.Valid([]byte(document)) {
		t.Fatalf("not one JSON value:\n%s", document)
	}
	return list
}

// tokensOf lists the tokens that a value must be written as. Bytes that are no UTF-8 become
// U+FFFD each, as in encoding/json.
func tokensOf(value any) []json.Token {
	switch v := value.(type) {
	case nil, bool:
		return []json.Token{v}
	case int64, uint64:
		return []json.Token{json.Number(fmt.Sprint(v))}
	case string:
		return []json.Token{string([]rune(v))}
	case func() any:
		return tokensOf(v())
	case Object:
		list := []json.Token{json.Delim('{')}
		for _, f := range v {
			list = append(append(list, f[0]), tokensOf(f[1])...)
		}
		return append(list, json.Delim('}'))
	case []int64:
		return listTokens(v)
	case []string:
		return listTokens(v)
	case []Object:
		return listTokens(v)
	case [][]int64:
		return listTokens(v)
	case [][]Object:
		return listTokens(v)
	}
	panic(fmt.Sprintf("no JSON for %T", value))
}

func listTokens[T any](list []T) []json.Token {
	tokens := []json.Token{json.Delim('[')}
	for _, item := range list {
		tokens = append(tokens, tokensOf(item)...)
	}
	return append(tokens, json.Delim(']'))
}

// drawObject draws an object of all kinds of values, a few levels deep.
func drawObject(t *rapid.T, depth int) Object {
	o := Object{}
	for i := range rapid.IntRange(0, 4).Draw(t, "fields") {
		o = append(o, Field{"f" + strconv.Itoa(i), drawValue(t, depth)})
	}
	return o
}

func drawValue(t *rapid.T, depth int) any {
	kind := rapid.IntRange(0, 11).Draw(t, "kind")
	if depth == 0 {
		kind %= 7
	}
	switch kind {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2:
		return rapid.Int64().Draw(t, "int64")
	case 3:
		return rapid.Uint64().Draw(t, "uint64")
	case 4:
		return hostiles().Draw(t, "string")
	case 5:
		return rapid.SliceOfN(rapid.Int64(), 0, 3).Draw(t, "ints")
	case 6:
		return rapid.SliceOfN(hostiles(), 0, 3).Draw(t, "strings")
	case 7:
		return drawObject(t, depth-1)
	case 8:
		return rapid.SliceOfN(rapid.SliceOfN(rapid.Int64(), 0, 3), 0, 3).Draw(t, "lists")
	case 9:
		return drawObjects(t, depth)
	case 10:
		return [][]Object{drawObjects(t, depth), {}, nil}
	}
	v := force(drawValue(t, depth-1))
	return func() any { return v }
}

func drawObjects(t *rapid.T, depth int) []Object {
	list := make([]Object, rapid.IntRange(0, 2).Draw(t, "objects"))
	for i := range list {
		list[i] = drawObject(t, depth-1)
	}
	return list
}

// TestJSONWriter reads back the output of the writer, and checks that it cannot control a terminal.
func TestJSONWriter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawObject(t, 3)
		var out strings.Builder
		w := NewWriter(&out)
		w.JSON(o)
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tokensOf(o), tokens(t, out.String())); diff != "" {
			t.Fatalf("-value +read:\n%s\n%s", diff, out.String())
		}
		if fault := harm(strings.ReplaceAll(out.String(), "\n", "")); fault != "" {
			t.Fatalf("the document holds %s", fault)
		}
	})
}

// tensorKeys are the fields of a tensor that docs/answers.schema.json promises, in their order. Others may be
// added between them.
var tensorKeys = strings.Fields("layout axes sizes strides base dtype digits elements span distinct " +
	"bits bytes spanBytes dataBytes unique " +
	"exhaustive packed padded broadcast overlap contiguous channelsLast coalesced names")

// nullable are the fields that docs/answers.schema.json or their meaning allow to be null: values that are unknown, do
// not exist, or cannot be expressed in one number.
var nullable = strings.Fields("copy layout strides distinct exhaustive packed padded overlapping overlap " +
	"coalesced system padding wholeRows rowAlignment helper dataBytes count commit memoryFormat dimOrder")

var integer = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)

// TestJSONDocuments reads the documents of random tensors: integers are integers, the order of
// keys is fixed, and no list is null.
func TestJSONDocuments(t *testing.T) {
	for _, a := range answers {
		if a.name == "picture" {
			continue // has no JSON; Elements is tested in its place
		}
		t.Run(a.name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				tensor := tensors(4).Draw(rt, "tensor")
				document := written(t, Options{Format: JSON}, func(p *Printer) error { return a.write(p, tensor) })
				checkDocument(rt, tokens(rt, document))
				if a.name == "version" {
					return
				}
				if keys := objectKeys(rt, document, "tensor"); !isSubsequence(tensorKeys, keys) {
					rt.Fatalf("the tensor has the keys %v", keys)
				}
			})
		})
	}
}

// TestBlocksDocument reads the document of elements in blocks: its sizes are at the top once, and it has no strides.
func TestBlocksDocument(t *testing.T) {
	block, ok, err := layout.FindBlock("q4_0")
	if err != nil || !ok {
		t.Fatalf("q4_0 is not known: %v", err)
	}
	document := written(t, Options{Format: JSON}, func(p *Printer) error {
		return p.Print(Blocks{block, []int64{4096, 4096}, 524288, 9437184})
	})
	if n := strings.Count(document, `"sizes": `); n != 1 || strings.Contains(document, `"strides"`) {
		t.Errorf("sizes appear %d times, want once, and strides never:\n%s", n, document)
	}
}

func checkDocument(t *rapid.T, list []json.Token) {
	start := []json.Token{json.Delim('{'), "schemaVersion", json.Number("1"), "command"}
	if len(list) < 4 || !slices.Equal(list[:4], start) {
		t.Fatalf("the document starts with %v", list[:min(4, len(list))])
	}
	for i, token := range list {
		if n, ok := token.(json.Number); ok && !integer.MatchString(n.String()) {
			t.Fatalf("%v is not an integer", n)
		}
		if token == nil && !slices.Contains(nullable, fmt.Sprint(list[i-1])) {
			t.Fatalf("%v is null", list[i-1])
		}
	}
}

// objectKeys returns the keys of the object of that name, in order.
func objectKeys(t *rapid.T, document, name string) []string {
	var top map[string]json.RawMessage
	if err := json.Unmarshal([]byte(document), &top); err != nil {
		t.Fatal(err)
	}
	var keys []string
	depth, isKey := 0, true
	for _, token := range tokens(t, string(top[name])) {
		switch v := token.(type) {
		case json.Delim:
			depth += map[json.Delim]int{'{': 1, '[': 1, '}': -1, ']': -1}[v]
			isKey = true
		default:
			if depth == 1 && isKey {
				keys = append(keys, fmt.Sprint(v))
			}
			isKey = depth == 1 && !isKey
		}
	}
	return keys
}

func isSubsequence(short, long []string) bool {
	for _, word := range long {
		if len(short) > 0 && short[0] == word {
			short = short[1:]
		}
	}
	return len(short) == 0
}

// leaves calls visit with the path of every value that is not an object, and the string that a script should read
// there: strings without quotes, lists of numbers and strings with commas, and everything else as JSON.
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

// flat joins a list of numbers or strings; ok is false if it is empty or has deeper items.
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

// TestGetReachesAll gets every value that encoding/json finds in the document.
func TestGetReachesAll(t *testing.T) {
	for _, a := range answers {
		if a.name == "picture" {
			continue // has no JSON
		}
		t.Run(a.name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				tensor := tensors(2).Draw(rt, "tensor")
				get := func(path string) string {
					return written(t, Options{Format: JSON, Get: path}, func(p *Printer) error {
						return a.write(p, tensor)
					})
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
		{"sizes.-1", "did you mean sizes?", "positions count from the start"},
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

// TestGetHostile gets a field with a name that could control the terminal.
func TestGetHostile(t *testing.T) {
	tensor := parsed(t, "2x3", "")
	for _, text := range hostile {
		err := NewPrinter(new(bytes.Buffer), Options{Get: text + "?", Width: 80}).Strides(tensor)
		if err == nil || harm(err.Error()) != "" {
			t.Errorf("--get %q says %v", text, err)
		}
	}
}

// TestGetStopsReading gets fields that need only a few of very many results, or that cannot be written.
func TestGetStopsReading(t *testing.T) {
	tensor := parsed(t, "2x3", "")
	for _, tt := range []struct {
		path   string
		room   int // bytes that can be written
		most   int // results that may be read
		reason string
	}{
		{path: "tensor.bytes", room: 1000, reason: "no result is needed"},
		{path: "results.1.offset", room: 1000, most: 3, reason: "two are needed"},
		{path: "results", room: 100, most: 50_000, reason: "a list that cannot be written need not be complete"},
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
