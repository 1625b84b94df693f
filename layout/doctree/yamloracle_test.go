package doctree

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// libraryYAML says what go.yaml.in/yaml reads in a text: its values in order, a line each, with
// their paths, places and texts. It reports false when the library refuses the text.
func libraryYAML(text []byte) (lines []string, ok bool) {
	loader, err := yaml.NewLoader(bytes.NewReader(text))
	if err != nil {
		return nil, false
	}
	var doc, more yaml.Node
	if loader.Load(&doc) != nil || len(doc.Content) != 1 || loader.Load(&more) == nil {
		return nil, false
	}
	o := yamlOracle{rows: bytes.Split(bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF")), []byte("\n"))}
	o.node("", doc.Content[0])
	return o.lines, true
}

type yamlOracle struct {
	rows  [][]byte
	lines []string
}

func (o *yamlOracle) node(path string, n *yaml.Node) {
	kind := map[yaml.Kind]string{yaml.SequenceNode: "list", yaml.MappingNode: "object", yaml.ScalarNode: "text", yaml.AliasNode: "alias"}[n.Kind]
	text := ""
	if n.Kind == yaml.ScalarNode {
		plain := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
		text = fmt.Sprintf(" plain=%v %q", plain, n.Value)
	}
	place := ""
	if n.Kind != yaml.ScalarNode || n.Value != "" || n.Style != 0 {
		place = fmt.Sprintf(" %d:%d", n.Line, o.bytes(n.Line, n.Column))
	}
	o.lines = append(o.lines, fmt.Sprintf("%s %s%s%s%s", path, kind, place, text, n.Anchor))
	for i := range n.Content {
		switch {
		case n.Kind == yaml.SequenceNode:
			o.node(fmt.Sprintf("%s/%d", path, i), n.Content[i])
		case i%2 == 1:
			key := n.Content[i-1]
			o.node(fmt.Sprintf("%s/%q@%d:%d", path, key.Value, key.Line, o.bytes(key.Line, key.Column)), n.Content[i])
		}
	}
}

// bytes turns a column in characters into one in bytes.
func (o *yamlOracle) bytes(line, column int) int {
	row, at := o.rows[line-1], 0
	for range column - 1 {
		_, size := utf8.DecodeRune(row[at:])
		at += size
	}
	return at + 1
}

// treeYAML is libraryYAML of a tree.
func treeYAML(t *Tree) []string {
	var lines []string
	bom := 0
	if bytes.HasPrefix(t.data, []byte("\xEF\xBB\xBF")) {
		bom = 3
	}
	place := func(offset uint32) string {
		p := new(lineMark).place(t.data, int(offset))
		if p.Line == 1 {
			p.Column -= bom
		}
		return fmt.Sprintf("%d:%d", p.Line, p.Column)
	}
	var walk func(path string, v Value)
	walk = func(path string, v Value) {
		n, kind, text := v.node(), "text", ""
		switch v.Kind() {
		case Array:
			kind = "list"
		case Object:
			kind = "object"
		default:
			text = fmt.Sprintf(" plain=%v %q", v.Kind() != String || n.form == unquoted, v.Text())
		}
		at := " " + place(n.at())
		if strings.HasSuffix(text, `plain=true ""`) {
			at = ""
		}
		lines = append(lines, fmt.Sprintf("%s %s%s%s", path, kind, at, text))
		i := 0
		for item := range v.Items {
			if v.Kind() == Array {
				walk(fmt.Sprintf("%s/%d", path, i), item)
				i++
				continue
			}
			k := item.node()
			walk(fmt.Sprintf("%s/%q@%s", path, item.Key(), place(k.keyForm.at(k.keyStart))), item)
		}
	}
	walk("", t.Root())
	return lines
}
