package doctree

import (
	"fmt"
	"strings"
	"testing"
)

// TestIntegers compares the items of lists, with and without nodes, with the input, in any order.
func TestIntegers(t *testing.T) {
	lists := []string{
		"[1,-2,0]", "[ 1 , 22\n,\t333 ]", "[-123456789012345678,-0]", "[1234567890123456789,1]", "[7]",
		"[1,[2],3]", "[1,2.5]", "[1, /* two */ 2]", "[1,2,]", `[1,"2",{"a":[1,2]}]`, "[]",
	}
	for _, list := range lists {
		text := `{"a":` + list + `,"b": ` + list + "}"
		var tree Tree
		if err := tree.JSON([]byte(text)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		want := strings.FieldsFunc(strings.ReplaceAll(list, "/* two */", ""), func(r rune) bool {
			return strings.ContainsRune("[], \n\t", r)
		})
		member, _ := tree.Root().Get("b")
		if got := string(member.Bytes()); got != list {
			t.Errorf("%s: the list is %s", list, got)
		}
		if strings.ContainsAny(list[1:], `[."`) {
			if _, ok := member.Ints(nil); ok {
				t.Errorf("%s has whole numbers", list)
			}
			continue
		}
		var items []Value
		for item := range member.Items {
			items = append(items, item)
		}
		ints, ok := member.Ints(nil)
		if !ok || len(ints) != len(want) || len(items) != len(want) || member.Len() != len(want) {
			t.Fatalf("%s: %v, %d items", list, ints, len(items))
		}
		for k := range 2 * len(items) {
			i := k * 5 % len(items)
			v, at := items[i], len(`{"a":,"b": `)+len(list)
			for range i {
				at += strings.IndexByte(text[at:], ',') + 1
			}
			at += strings.Index(text[at:], want[i])
			n, ok := v.Int()
			place := v.Place()
			if !ok || n != ints[i] || v.Text() != want[i] || v.Kind() != Number || v.Key() != "" ||
				place != v.KeyPlace() || place.Pointer != fmt.Sprintf("/b/%d", i) ||
				(PlaceIn([]byte(text), at) != Place{Line: place.Line, Column: place.Column}) {
				t.Errorf("%s: item %d is %s, %d, at %+v, want %s at %d", list, i, v.Text(), n, place, want[i], at)
			}
		}
	}
}

// TestTreeUsedAgain parses every input after every other into one tree, which finds names at the positions of the last
// input, and into a new tree.
func TestTreeUsedAgain(t *testing.T) {
	texts := []string{
		`{"a":1,"b":2}`, `{"a":1"b":2}`, `{"a":1,"b"2}`, `{,"a":1}`, `{"a":1,}`, `{"a":1,"a":2}`, `{"b":1,"a":2}`,
		`{"a":{"b":2}}`, `{"a":{"b":2},"c":3}`, `{"a":[{"b":2},{"b":3}],"c":3}`, `{"a":1,"ab":2}`, `{"a" :1, "b" : 2}`,
		`{"a":1,/*"c"*/"b":2}`, `{"a":1, // layoutcalc:x` + "\n" + `"b":2}`, `{"\u0061":1,"b":2}`, `{"a":1,"b":`,
		`{"a":1,"b`, `{}`, `[{"a":1},{"a":2,"b":3}]`, `[1,"b":2]`, `{"a":"x","b":"y\"}`, `{"a":null,"b":true}`,
		`{"/":1}`,
	}
	var again Tree
	for _, before := range texts {
		for _, text := range texts {
			_ = again.JSON([]byte(before)) // it may be invalid
			var fresh Tree
			got, want := dump(&again, text), dump(&fresh, text)
			if got != want {
				t.Errorf("%s after %s:\n%s\na new tree:\n%s", text, before, got, want)
			}
		}
	}
}

// dump parses text into the tree, and returns all properties of its values.
func dump(t *Tree, text string) string {
	if err := t.JSON([]byte(text)); err != nil {
		return fmt.Sprintf("%+v", *err.(*Fault))
	}
	var b strings.Builder
	for v := range t.All {
		fmt.Fprintf(&b, "%q %v %q at %+v\n", v.Key(), v.Kind(), v.Text(), v.Place())
	}
	fmt.Fprintf(&b, "%+v\n", t.Comments())
	return b.String()
}

func BenchmarkLine(b *testing.B) {
	line := []byte(`{"DataType":"FLOAT32","Sizes":[1,64,112,112],"Strides":[802816,1,7168,64],` +
		`"TotalTensorSizeInBytes":3211264}`)
	var t Tree
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if err := t.Line(line, 0); err != nil {
			b.Fatal(err)
		}
	}
}

// TestJSONInside reads the insides of objects and lists, whose values have their places in the text.
func TestJSONInside(t *testing.T) {
	for _, tt := range []struct {
		text     string
		brackets [2]byte
		pointer  string // of the last value
		column   int    // or the offset of the fault
		fault    string // empty if it is read
	}{
		{`"a": 1, "b": [1, 23],`, [2]byte{'{', '}'}, "/b/1", 18, ""},
		{`{"a": 1}, /* x */ {"b": true}`, [2]byte{'[', ']'}, "/1/b", 25, ""},
		{`"a": {"b": 1}}`, [2]byte{'{', '}'}, "", 14, "unexpected text after the document"},
		{`"a": {"b": 1`, [2]byte{'{', '}'}, "", 5, `"{" is not closed`},
		{`"a": {"b":`, [2]byte{'{', '}'}, "", 10, "expected a value"},
	} {
		tree := new(Tree)
		err := tree.JSONInside([]byte(tt.text), tt.brackets)
		if tt.fault != "" {
			if fault, ok := err.(*Fault); !ok || fault.Msg != tt.fault || fault.Offset != tt.column {
				t.Errorf("%s: %v, want %s", tt.text, err, tt.fault)
			}
			continue
		}
		var place Place
		for v := range tree.All {
			place = v.Place()
		}
		if err != nil || place.Line != 1 || place.Pointer != tt.pointer || place.Column != tt.column {
			t.Errorf("%s: %+v, %v, want %s in column %d", tt.text, place, err, tt.pointer, tt.column)
		}
	}
}
