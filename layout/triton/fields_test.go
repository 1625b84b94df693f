package triton

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestFields compares the table of messages with testdata/fields.txt, which a script has taken from Triton's
// model_config.proto.
func TestFields(t *testing.T) {
	file, err := os.Open("testdata/fields.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	messageOf := map[string]*messageType{}
	for i := range messages {
		if m := &messages[i]; m.name != "" {
			messageOf[m.name] = m
		}
		if len(messages[i].fields) > maxFields {
			t.Errorf("%s has %d fields", messages[i].name, len(messages[i].fields))
		}
	}
	count, values := 0, 0
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		switch words[0] {
		case "value":
			values++
			if !slices.ContainsFunc(enums[:], func(names []string) bool {
				i := slices.Index(names, words[2])
				return i >= 0 && fmt.Sprint(i) == words[3]
			}) {
				t.Errorf("no enumeration has %s", lines.Text())
			}
		case "field":
			count++
			m := messageOf[words[1]]
			if m == nil {
				t.Errorf("there is no message %s", words[1])
				continue
			}
			f, _ := m.field(words[2])
			if f == nil || f.many == (words[4] == "one") || (f.oneof == "") != (words[6] == "-") || !isOf(f,
				words[5]) {
				t.Errorf("%s is %+v", lines.Text(), f)
			}
		}
	}
	all, names := 0, 0
	for i := range messages {
		if messages[i].name != "" {
			all += len(messages[i].fields)
		}
	}
	for _, e := range enums {
		names += len(e)
	}
	if all != count || names != values || count != 164 {
		t.Errorf("%d fields and %d values of enumerations, the file has %d and %d", all, names, count, values)
	}
}

// isOf reports whether the values of a field are of a type of the .proto file.
func isOf(f *field, name string) bool {
	scalars := map[scalar]string{aText: "string", aTruth: "bool", int32s: "int32", int64s: "int64", uint32s: "uint32",
		uint64s: "uint64"}
	switch key, value, isMap := strings.Cut(name, ","); {
	case isMap:
		m := &messages[f.of]
		return m.name == "" && isOf(&m.fields[0], key) && isOf(&m.fields[1], value)
	case f.is == aReal:
		return name == "float" || name == "double"
	case f.is == aMessage:
		m := messages[f.of].name
		return m == name || strings.HasSuffix(m, "."+name)
	case f.is == anEnum:
		return !slices.Contains([]string{"string", "bool", "int32", "int64", "uint32", "uint64", "float"}, name)
	}
	return scalars[f.is] == name
}
