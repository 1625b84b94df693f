package render

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout"
)

// json writes a document: a line for each field of it and of the objects right inside, and
// everything deeper on the line of its field.
func (w *writer) json(o object) {
	w.jsonObject(o, "\n")
	w.line()
}

// jsonObject writes an object whose fields each begin with the line break, unless that is
// empty.
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

// AppendJSON appends a text as a string of JSON. What a terminal or a CI runner could take amiss
// is escaped too; bytes that are no UTF-8 become U+FFFD.
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
