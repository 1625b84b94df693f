package render

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout"
)

// json writes a document: a line for each of its fields and for each field of the objects in it. Whatever is deeper is
// on the line of its field.
func (w *writer) json(o object) {
	w.jsonObject(o, "\n")
	w.line()
}

// jsonObject writes an object, and the line break before each of its fields. If that is empty, it is one line.
func (w *writer) jsonObject(o object, lineBreak string) {
	inner := lineBreak
	if lineBreak != "" {
		inner += "  "
	}
	w.text("{")
	for i, f := range o {
		if i > 0 {
			w.text(",")
		}
		if i > 0 && lineBreak == "" {
			w.text(" ")
		}
		w.text(inner, `"`, f.name, `": `)
		w.jsonValue(force(f.value), inner)
	}
	w.text(lineBreak, "}")
}

// jsonValue writes a value. Objects have lines of their own down to the second level.
func (w *writer) jsonValue(value any, lineBreak string) {
	switch v := value.(type) {
	case nil:
		w.text("null")
	case bool:
		w.text(strconv.FormatBool(v))
	case int64:
		w.number(v)
	case uint64:
		w.text(strconv.FormatUint(v, 10))
	case string:
		w.jsonString(v)
	case func():
		v()
	case object:
		if lineBreak != "\n  " {
			lineBreak = ""
		}
		w.jsonObject(v, lineBreak)
	case []int64:
		jsonList(w, v)
	case []string:
		jsonList(w, v)
	case []object:
		w.jsonObjects(v, lineBreak)
	case [][]int64:
		jsonList(w, v)
	case [][]object:
		jsonList(w, v)
	case [][]string:
		jsonList(w, v)
	}
}

func jsonList[T any](w *writer, list []T) {
	w.text("[")
	for i, item := range list {
		if i > 0 {
			w.text(", ")
		}
		w.jsonValue(item, "")
	}
	w.text("]")
}

// jsonObjects writes a list of objects, a line each on the first level.
func (w *writer) jsonObjects(list []object, lineBreak string) {
	if lineBreak != "\n  " || len(list) == 0 {
		jsonList(w, list)
		return
	}
	separator := "["
	for _, o := range list {
		w.text(separator, lineBreak, "  ")
		w.jsonObject(o, "")
		separator = ","
	}
	w.text(lineBreak, "]")
}

// jsonString writes a string.
func (w *writer) jsonString(text string) {
	w.buf.Write(AppendJSON(w.buf.AvailableBuffer(), text))
}

// AppendJSON appends a text as a string of JSON. What could be a command to a terminal or a CI runner is escaped too;
// bytes that are not UTF-8 become U+FFFD.
func AppendJSON(b []byte, text string) []byte {
	b = append(b, '"')
	for i, r := range text {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r < 0x10000 && r != 0xFFFD && !printable(r, 2),
			r == '[' && (strings.HasSuffix(text[:i], "##") || strings.HasSuffix(text[:i], "##vso")):
			b = append(b, `\u`+hex(r, 4)...)
		case r > 0xFFFF && !printable(r, 4):
			b = append(b, `\u`+hex(0xD800+(r-0x10000)>>10, 4)+`\u`+hex(0xDC00+(r-0x10000)&0x3FF, 4)...)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

// bare writes a value for a script: a list of numbers separated by commas, a text without
// quotes, and anything deeper as JSON.
func (w *writer) bare(value any) {
	switch v := value.(type) {
	case string:
		w.text(Clean(v))
	case []int64:
		w.text(layout.JoinInts(v, ","))
	case []string:
		for i, s := range v {
			if i > 0 {
				w.text(",")
			}
			w.text(Clean(s))
		}
	default:
		w.jsonValue(value, "")
	}
	w.line()
}

// An object is a JSON object whose fields keep their order. A value is nil, a bool, an int64, a string, a list of one
// of these, an object, a list of objects, a func() any that returns one of them when it is needed, or a func() that
// writes a list too long to keep.
type object []field

type field struct {
	name  string
	value any
}

// document returns the object that every JSON answer is: the version of its form, the command, and the command's own
// fields.
func document(command string, fields ...field) object {
	return append(object{{"schemaVersion", int64(1)}, {"command", command}}, fields...)
}

// force returns the value itself for one that is computed on demand.
func force(value any) any {
	if f, ok := value.(func() any); ok {
		return f()
	}
	return value
}

// get returns the field of the given name.
func (o object) get(name string) (any, bool) {
	for _, f := range o {
		if f.name == name {
			return force(f.value), true
		}
	}
	return nil, false
}

// find follows a path of names and positions, as in tensor.sizes or results.0.offset. A path
// that does not start at the top may start inside the field tensor.
func (o object) find(path string) (any, bool) {
	if v, ok := follow(o, path); ok {
		return v, true
	}
	if tensor, ok := o.get("tensor"); ok {
		return follow(tensor, path)
	}
	return nil, false
}

func follow(v any, path string) (any, bool) {
	for part := range strings.SplitSeq(path, ".") {
		var ok bool
		if v, ok = step(v, part); !ok {
			return nil, false
		}
	}
	return v, true
}

// step goes from an object to a field, or from a list to an item.
func step(v any, part string) (any, bool) {
	if o, ok := v.(object); ok {
		return o.get(part)
	}
	i, err := strconv.Atoi(part)
	if err != nil || i < 0 {
		return nil, false
	}
	switch list := v.(type) {
	case []int64:
		return at(list, i)
	case []string:
		return at(list, i)
	case []object:
		return at(list, i)
	case [][]int64:
		return at(list, i)
	case [][]object:
		return at(list, i)
	case [][]string:
		return at(list, i)
	}
	return nil, false
}

func at[T any](list []T, i int) (any, bool) {
	if i >= len(list) {
		return nil, false
	}
	return list[i], true
}

// paths lists the fields that a path can name, for suggestions.
func (o object) paths() []string {
	var names []string
	for _, f := range o {
		names = append(names, f.name)
		if inner, ok := force(f.value).(object); ok {
			for _, g := range inner {
				names = append(names, g.name, f.name+"."+g.name)
			}
		}
	}
	return names
}
