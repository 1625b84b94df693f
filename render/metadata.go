package render

import (
	"fmt"
	"strings"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/wording"
)

// Metadata is the keys of a file and their values.
type Metadata []descriptor.Pair

func (m Metadata) plain(p *Printer) {
	for i := range m {
		p.w.Line(Clean(m[i].Key), "=", Clean(valueText(m[i].Value)))
	}
}

func (m Metadata) tree() Object {
	list := []Object{}
	for i := range m {
		pair := &m[i]
		list = append(list, Object{
			{"key", pair.Key}, {"type", pair.Type}, {"length", orNull(pair.Len, pair.IsArray())}, {"value", pair.Value},
		})
	}
	return Document("size", Field{"list", list})
}

func (m Metadata) records(*Printer) grid {
	g := grid{header: []string{"key", "type", "length", "value"}, left: []int{0, 1, 3}}
	for i := range m {
		pair, length := &m[i], ""
		if pair.IsArray() {
			length = text(pair.Len)
		}
		g.rows = append(g.rows, []string{pair.Key, pair.Type, length, valueText(pair.Value)})
	}
	return g
}

func (m Metadata) page(p *Printer) {
	if len(m) == 0 {
		p.paragraph("no metadata")
		return
	}
	g := grid{header: []string{"key", "type", "value"}, left: []int{0, 1, 2}}
	for i := range m {
		pair := &m[i]
		value := Quote(valueText(pair.Value))
		if items, ok := pair.Value.([]any); ok {
			value = wording.Count(pair.Len, "item")
			if len(items) > 0 {
				value += ": " + Quote(valueText(pair.Value))
				if pair.Len > int64(len(items)) {
					value += ", " + p.ellipsis()
				}
			}
		}
		g.rows = append(g.rows, []string{Clean(pair.Key), pair.Type, value})
	}
	p.table(g)
}

// valueText returns a metadata value as text. For an array, it returns the first items.
func valueText(value any) string {
	items, ok := value.([]any)
	if !ok {
		return fmt.Sprint(value)
	}
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = valueText(item)
	}
	return strings.Join(texts, ", ")
}
