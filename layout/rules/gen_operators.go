//go:build ignore

// Gen_operators writes operatortable.go from what DirectML's operator pages say of tensors
// (testdata/dml_tensor_support.tsv) and what they say besides (testdata/dml_operators.txt).
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"log"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// types are the element types as dmlTypes has them, whose order is that of the bits in a set.
var types = strings.Fields("FLOAT32 FLOAT16 UINT32 UINT16 UINT8 INT32 INT16 INT8 FLOAT64 UINT64 INT64 UINT4 INT4")

// A support is what a tensor may be at a feature level.
type support struct {
	level, lo, hi int
	types         int
	optional      bool
}

// A tensor is one of an operator, with its supports of each of the page's tables.
type tensor struct {
	name, shape   string
	output, array bool
	tables        [][]support
}

// An operator is all that is known of one.
type operator struct {
	level   int
	flags   int
	tensors []*tensor
	same    string
}

// The flags, as operatorrow.go has them.
var flagOf = map[string]int{"inplace": 1, "noowned": 2, "unparsed": 4, "untabled": 8}

func main() {
	log.SetFlags(0)
	out := "operatortable.go"
	if len(os.Args) > 1 {
		out = os.Args[1]
	}
	g := generator{operators: map[string]*operator{}}
	g.readTables("testdata/dml_tensor_support.tsv")
	for _, o := range g.operators {
		o.sameShapes()
	}
	g.readFacts("testdata/dml_operators.txt")
	source, err := format.Source(g.write())
	if err == nil {
		err = os.WriteFile(out, source, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

type generator struct {
	operators map[string]*operator
	names     []string // of tensors
	supports  []string // distinct descriptions of tensors
}

// lines returns the lines of a file that say something.
func lines(name string) []string {
	data, err := os.ReadFile(name)
	if err != nil {
		log.Fatal(err)
	}
	all := strings.Split(strings.Trim(string(data), "\r\n"), "\n")
	return slices.DeleteFunc(all, func(l string) bool { return strings.TrimSpace(l) == "" || l[0] == '#' })
}

// operator returns the one of the name, which need not have tensors.
func (g *generator) operator(name string) *operator {
	if g.operators[name] == nil {
		g.operators[name] = &operator{level: 10}
	}
	return g.operators[name]
}

// readTables reads the rows: operator, level, which, tensor, kind, shape, counts, types.
func (g *generator) readTables(name string) {
	for _, line := range lines(name)[1:] {
		f := strings.Split(line, "\t")
		o := g.operator(f[0])
		o.row(f[3], f[4], f[5], parseSupport(f[1], f[4], f[6], f[7]))
	}
}

func parseSupport(level, kind, counts, list string) support {
	s := support{level: number(strings.Replace(level, ".", "", 1)), optional: strings.HasPrefix(kind, "Optional")}
	if counts == "" {
		return s
	}
	lo, hi, ranged := strings.Cut(counts, " to ")
	s.lo, s.hi = number(lo), number(lo)
	if ranged {
		s.hi = number(hi)
	}
	for t := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		s.types |= 1 << slices.Index(types, t)
	}
	return s
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		log.Fatal(err)
	}
	return n
}

// row adds a row to its tensor. Levels fall within a table; where one does not, the page's next
// table starts (REDUCE has one for each kind of function).
func (o *operator) row(name, kind, shape string, s support) {
	i := slices.IndexFunc(o.tensors, func(t *tensor) bool { return t.name == name })
	if i < 0 {
		i = len(o.tensors)
		o.tensors = append(o.tensors, &tensor{name: name, shape: shape,
			output: strings.HasSuffix(strings.ToLower(kind), "output") || kind == "Array of outputs", array: strings.HasPrefix(kind, "Array")})
	}
	t := o.tensors[i]
	n := len(t.tables)
	if n == 0 || t.tables[n-1][len(t.tables[n-1])-1].level <= s.level {
		t.tables, n = append(t.tables, nil), n+1
	}
	t.tables[n-1] = append(t.tables[n-1], s)
}

// versions merges the tables: at each level that one of them names, what any of them allows.
func (t *tensor) versions() []support {
	levels := map[int]bool{}
	for _, table := range t.tables {
		for _, s := range table {
			levels[s.level] = s.lo > 0 || levels[s.level]
		}
	}
	var merged []support
	for _, level := range slices.Backward(slices.Sorted(maps.Keys(levels))) {
		m := support{level: level, lo: 99, optional: true}
		for _, table := range t.tables {
			if i := slices.IndexFunc(table, func(s support) bool { return s.level <= level }); i >= 0 {
				s := table[i]
				m.lo, m.hi, m.types, m.optional = min(m.lo, s.lo), max(m.hi, s.hi), m.types|s.types, m.optional && s.optional
			}
		}
		if last := len(merged) - 1; last >= 0 && merged[last].alike(m) {
			merged[last].level = level
			continue
		}
		merged = append(merged, m)
	}
	return merged
}

func (s support) alike(t support) bool {
	s.level = t.level
	return s == t
}

// sameShapes notes which tensors have one shape in the page's table. Those of bracketed numbers
// may differ in rank.
func (o *operator) sameShapes() {
	byShape := map[string][]string{}
	for _, t := range o.tensors {
		if t.shape != "" && !strings.Contains(t.shape, "[1]") {
			byShape[t.shape] = append(byShape[t.shape], t.name)
		}
	}
	for _, shape := range slices.Sorted(maps.Keys(byShape)) {
		if len(byShape[shape]) > 1 {
			o.agree("count,sizes", byShape[shape])
		}
	}
}

// agree adds a group of tensors: what they agree in, how many there are, and which.
func (o *operator) agree(what string, names []string) {
	mask := byte(0)
	for _, w := range strings.Split(what, ",") {
		mask |= map[string]byte{"type": 1, "count": 2, "sizes": 4}[w]
	}
	group := []byte{mask, byte(len(names))}
	for _, name := range names {
		i := slices.IndexFunc(o.tensors, func(t *tensor) bool { return t.name == name })
		if mask == 0 || i < 0 {
			log.Fatal(what, " of ", name, ": there is no such tensor")
		}
		group = append(group, byte(i))
	}
	o.same += string(group)
}

// readFacts reads what the tables do not say.
func (g *generator) readFacts(name string) {
	for _, line := range lines(name) {
		head, list, same := strings.Cut(line, ": ")
		f := strings.Fields(head)
		switch {
		case same:
			for _, op := range strings.Fields(list) {
				g.operators[op].agree(f[1], f[2:])
			}
		case f[0] == "level":
			for _, op := range f[2:] {
				g.operator(op).level = number(strings.Replace(f[1], ".", "", 1))
			}
		default:
			for _, op := range f[1:] {
				g.operator(op).flags |= flagOf[f[0]]
			}
		}
	}
}

// write writes the table. Tensors that are alike in all are one line of its own.
func (g *generator) write() []byte {
	var rows bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(g.operators)) {
		o := g.operators[name]
		data := []byte{}
		for _, t := range o.tensors {
			data = append(data, g.index(&g.names, t.name), g.index(&g.supports, t.describe()))
		}
		fmt.Fprintf(&rows, "\t{%q, %d, %d, %q, %q},\n", name, o.level, o.flags, data, o.same)
	}
	var b bytes.Buffer
	b.WriteString("// Code generated by gen_operators.go; DO NOT EDIT.\n\npackage rules\n\n")
	fmt.Fprintf(&b, "// slotNames are what operators call their tensors.\nvar slotNames = [...]string{\n")
	writeStrings(&b, g.names)
	b.WriteString("}\n\n// slotKinds are what tensors may be: a byte of bits (slotOutput, slotArray), then for each\n// feature level that changed something, the latest first: the level, with slotOptional; the\n// least and most dimensions, 4 bits each; and the set of types, in two bytes.\nvar slotKinds = [...]string{\n")
	writeStrings(&b, g.supports)
	b.WriteString("}\n\n// operators are in the order of their names: the level that they came with, bits, pairs of a\n// slot's name and kind, and groups of slots that agree: in what, how many, which.\nvar operators = [...]operatorRow{\n")
	b.Write(rows.Bytes())
	b.WriteString("}\n")
	return b.Bytes()
}

// describe returns the description of the tensor that operatorrow.go reads.
func (t *tensor) describe() string {
	kind := byte(0)
	if t.output {
		kind |= 1
	}
	if t.array {
		kind |= 2
	}
	b := []byte{kind}
	for _, s := range t.versions() {
		level := byte(s.level)
		if s.optional {
			level |= 0x80
		}
		b = append(b, level, byte(s.lo<<4|s.hi), byte(s.types>>8), byte(s.types))
	}
	return string(b)
}

// index returns the place of text in the list, where it is put if need be.
func (g *generator) index(list *[]string, text string) byte {
	i := slices.Index(*list, text)
	if i < 0 {
		i = len(*list)
		*list = append(*list, text)
	}
	if i > 255 {
		log.Fatal("more than 256 of a kind")
	}
	return byte(i)
}

func writeStrings(b *bytes.Buffer, list []string) {
	for _, s := range list {
		fmt.Fprintf(b, "\t%q,\n", s)
	}
}
