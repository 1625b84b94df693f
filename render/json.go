package render

import (
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"layoutcalc/layout"
)

// JSON writes a document, with one line for each of its fields and for each field of the objects in it. Deeper values
// are on the line of their field.
func (w *Writer) JSON(o Object) {
	w.object(o, "\n")
	w.Line()
}

// Object writes a JSON object on one line.
func (w *Writer) Object(o Object) { w.object(o, "") }

// object writes an object with a line break before each field, or on one line if lineBreak is empty.
func (w *Writer) object(o Object, lineBreak string) {
	inner := lineBreak
	if lineBreak != "" {
		inner += "  "
	}
	w.Text("{")
	separator := ","
	if lineBreak == "" {
		separator = ", "
	}
	for i, f := range o {
		b := w.AvailableBuffer()
		if i > 0 {
			b = append(b, separator...)
		}
		b = append(append(append(b, inner...), '"'), f[0].(string)...)
		w.Write(append(b, `": `...))
		w.jsonValue(force(f[1]), inner)
	}
	w.Text(lineBreak, "}")
}

// jsonValue writes a value. Objects down to the second level have one line for each field.
func (w *Writer) jsonValue(value any, lineBreak string) {
	switch v := value.(type) {
	case nil:
		w.Text("null")
	case bool:
		w.Text(strconv.FormatBool(v))
	case int64:
		w.Number(v)
	case uint64:
		w.Text(strconv.FormatUint(v, 10))
	case float32:
		w.float(float64(v), 32)
	case float64:
		w.float(v, 64)
	case string:
		w.JSONText(v)
	case Object:
		if lineBreak != "\n  " {
			lineBreak = ""
		}
		w.object(v, lineBreak)
	case func():
		v()
	case []int64:
		writeList(w, v, w.Number)
	case []string:
		writeList(w, v, w.JSONText)
	case [][]int64:
		writeList(w, v, func(list []int64) { writeList(w, list, w.Number) })
	case [][]string:
		writeList(w, v, func(list []string) { writeList(w, list, w.JSONText) })
	case [][]Object:
		writeList(w, v, func(list []Object) { writeList(w, list, w.Object) })
	default:
		w.jsonList(items(v), lineBreak)
	}
}

// float writes a number with the precision of the given bits. Values that JSON does not have become null.
func (w *Writer) float(v float64, bits int) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		w.Text("null")
		return
	}
	w.Write(strconv.AppendFloat(w.AvailableBuffer(), v, 'g', -1, bits))
}

// writeList writes a list without objects, on one line.
func writeList[T any](w *Writer, list []T, write func(T)) {
	w.Text("[")
	for i, item := range list {
		if i > 0 {
			w.Text(", ")
		}
		write(item)
	}
	w.Text("]")
}

// jsonList writes a list, up to the first failed write. On the first level, there is one line for each object.
func (w *Writer) jsonList(list iter.Seq[any], lineBreak string) {
	separator, end := "[", "[]"
	for item := range list {
		w.Text(separator)
		separator, end = ", ", "]"
		if _, ok := item.(Object); ok && lineBreak == "\n  " {
			w.Text("\n    ")
			separator, end = ",", "\n  ]"
		}
		if w.jsonValue(item, ""); w.Failure() != nil {
			break
		}
	}
	w.Text(end)
}

// items yields the items of a list. It yields nothing for other values.
func items(value any) iter.Seq[any] {
	if list, ok := value.(iter.Seq[any]); ok {
		return list
	}
	return func(yield func(any) bool) {
		list := reflect.ValueOf(value)
		if list.Kind() != reflect.Slice {
			return
		}
		for i := range list.Len() {
			if !yield(list.Index(i).Interface()) {
				return
			}
		}
	}
}

// JSONText writes text as a JSON string.
func (w *Writer) JSONText(text string) { w.Write(AppendJSON(w.AvailableBuffer(), text)) }

// AppendJSON appends text as a JSON string. It also escapes characters that could be a command to a terminal or a CI
// runner. Bytes that are not UTF-8 become U+FFFD.
func AppendJSON(b []byte, text string) []byte {
	b = append(b, '"')
	for i, r := range text {
		switch {
		case r < 0x7f && r >= ' ' && r != '"' && r != '\\' && r != '[': // most characters
			b = append(b, byte(r))
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r < 0x10000 && r != 0xFFFD && !printable(r, 2),
			r == '[' && (strings.HasSuffix(text[:i], "##") || strings.HasSuffix(text[:i], "##vso")):
			b = fmt.Appendf(b, `\u%04x`, r)
		case r > 0xFFFF && !printable(r, 4):
			high, low := utf16.EncodeRune(r)
			b = fmt.Appendf(b, `\u%04x\u%04x`, high, low)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

// bare writes a value for a script: a list with commas between its items, a string without quotes, and other values as
// JSON.
func (w *Writer) bare(value any) {
	switch v := value.(type) {
	case string:
		w.Text(Clean(v))
	case []int64:
		w.Text(layout.JoinInts(v, ","))
	case []string:
		for i, s := range v {
			if i > 0 {
				w.Text(",")
			}
			w.Text(Clean(s))
		}
	default:
		w.jsonValue(value, "")
	}
}

// An Object is a JSON object with its fields in order. A value is nil, a bool, an int64, a string, a list of one of
// these, an object, a list of objects, a func() any that returns one of them on demand, an iter.Seq[any] of the items
// of a list too long to keep, or a func() that writes the value.
type Object []Field

// A Field is a name, which is a string, and a value.
type Field [2]any

// Document returns the object of a JSON answer: the version of the schema, the command, and the fields of the command.
func Document(command string, fields ...Field) Object {
	return append(Object{{"schemaVersion", int64(1)}, {"command", command}}, fields...)
}

// force computes a value on demand.
func force(value any) any {
	if f, ok := value.(func() any); ok {
		return f()
	}
	return value
}

// get returns the value of a field.
func (o Object) get(name string) (any, bool) {
	for _, f := range o {
		if f[0] == name {
			return force(f[1]), true
		}
	}
	return nil, false
}

// raised returns the document with the sizes and the strides of its only tensor also as fields of the document, unless
// it has sizes there, because elements in blocks have no strides.
func (o Object) raised() Object {
	at := slices.IndexFunc(o, func(f Field) bool { return f[0] == "tensor" })
	if _, ok := o.get("sizes"); ok || at < 0 {
		return o
	}
	tensor, ok := force(o[at][1]).(Object)
	if !ok {
		return o
	}
	sizes, _ := tensor.get("sizes")
	strides, _ := tensor.get("strides")
	return slices.Concat(o[:at], Object{{"sizes", sizes}, {"strides", strides}, {"tensor", tensor}}, o[at+1:])
}

// find follows a path of names and indices, as in tensor.sizes, results.0.offset or strides[0]. It starts at the
// document, or inside the field tensor. As in jq, a dot may precede the path.
func (o Object) find(path string) (any, bool) {
	path = strings.TrimPrefix(dotted(path), ".")
	if v, ok := follow(o, path); ok {
		return v, true
	}
	if tensor, ok := o.get("tensor"); ok {
		return follow(tensor, path)
	}
	return nil, false
}

// dotted returns a path with dots instead of brackets.
func dotted(path string) string {
	return strings.ReplaceAll(strings.ReplaceAll(path, "[", "."), "]", "")
}

// inFirst returns the path to a field of the first item of each list that a path goes through, planes.0.name for
// planes.name and planes[].name. It returns an empty string if there is no such field.
func (o Object) inFirst(path string) string {
	var v any = o
	var parts []string
	for part := range strings.SplitSeq(dotted(path), ".") {
		if part == "" {
			continue
		}
		next, ok := step(v, part)
		if first, isList := step(v, "0"); !ok && isList {
			parts = append(parts, "0")
			next, ok = step(first, part)
		}
		if !ok {
			return ""
		}
		v, parts = next, append(parts, part)
	}
	return strings.Join(parts, ".")
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

// step goes from an object to a field, or from a list to an item. Every field of a null is null.
func step(v any, part string) (any, bool) {
	switch v := v.(type) {
	case nil:
		return nil, true
	case Object:
		return v.get(part)
	}
	i, err := strconv.Atoi(part)
	if err != nil || i < 0 {
		return nil, false
	}
	for item := range items(v) {
		if i == 0 {
			return item, true
		}
		i--
	}
	return nil, false
}

// paths lists the paths to fields, for suggestions.
func (o Object) paths() []string {
	var names []string
	for _, f := range o {
		name := f[0].(string)
		names = append(names, name)
		if inner, ok := force(f[1]).(Object); ok {
			for _, g := range inner {
				if name == "tensor" {
					names = append(names, g[0].(string))
				}
				names = append(names, name+"."+g[0].(string))
			}
		}
	}
	return names
}
