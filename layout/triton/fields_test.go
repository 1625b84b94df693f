package triton

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/protobuf"
)

// TestFields compares the schema with testdata/fields.txt, which a script has taken from Triton's model_config.proto.
func TestFields(t *testing.T) {
	file, err := os.Open("testdata/fields.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	types := map[protobuf.Type]string{
		protobuf.StringType: "string", protobuf.BoolType: "bool", protobuf.Int32Type: "int32",
		protobuf.Int64Type: "int64", protobuf.Uint32Type: "uint32", protobuf.Uint64Type: "uint64",
		protobuf.FloatType: "float", protobuf.DoubleType: "double",
	}
	typeOf := func(f *protobuf.Field) (name string) { // without the messages around it
		switch {
		case f.Enum != nil:
			name = f.Enum.Name
		case f.Message != nil:
			name = f.Message.Name
		default:
			name = types[f.Type]
		}
		return name[strings.LastIndexByte(name, '.')+1:]
	}
	var want, have []string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if text := lines.Text(); !strings.HasPrefix(text, "#") {
			want = append(want, text)
		}
	}
	for _, m := range schema().Messages {
		for _, f := range m.Fields() {
			count, name := "one", typeOf(f)
			switch {
			case f.Message != nil && f.Message.Name == "":
				count, name = "map", typeOf(f.Message.Field("key"))+","+typeOf(f.Message.Field("value"))
			case f.Repeated:
				count = "many"
			}
			have = append(have, fmt.Sprintf("field %s %s %d %s %s %s", m.Name, f.Name, f.Number, count, name,
				cmp.Or(f.Oneof, "-")))
		}
	}
	for _, e := range schema().Enums {
		for i, name := range e.Values {
			have = append(have, fmt.Sprintf("value %s %s %d", e.Name, name, i))
		}
	}
	slices.Sort(want)
	slices.Sort(have)
	if !slices.Equal(have, want) || len(have) != 203 {
		t.Errorf("the schema has\n%s\nTriton's\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
	if schema().Messages[0].Name != "ModelConfig" {
		t.Errorf("the first message is %s", schema().Messages[0].Name)
	}
}
