//go:build ignore

// Gen_operators writes operatortable.go from what the tables of DirectML's operator pages say of
// tensors (testdata/dml_tensor_support.tsv) and from what they do not say (testdata/dml_operators.txt).
package main

import (
	"cmp"
	"fmt"
	"go/format"
	"log"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// types are DirectML's element types. Their order is that of the bits in a set.
var types = strings.Fields("FLOAT32 FLOAT16 UINT32 UINT16 UINT8 INT32 INT16 INT8 FLOAT64 UINT64 INT64 UINT4 INT4")

// constants are the names that operator.go has for the words of dml_operators.txt.
var constants = map[string]string{
	"inplace": "runsInPlace", "noowned": "ownsNoInput", "unparsed": "notDxDispatch", "untabled": "noTable",
	"type": "sameType", "count": "sameCount", "sizes": "sameSizes",
}

// A support is what a tensor may be at a feature level.
type support struct {
	level, lo, hi int
	types         int
	optional      bool
}

// A tensor is one of an operator's, with the supports that each of the page's tables gives it.
type tensor struct {
	name, shape   string
	output, array bool
	tables        [][]support
}

// An operator is what is known of one. Its traits and same, the groups of tensors that agree, are in Go.
type operator struct {
	level   int
	traits  []string
	tensors []*tensor
	same    []string
}

func main() {
	log.SetFlags(0)
	out := "operatortable.go"
	if len(os.Args) > 1 {
		out = os.Args[1]
	}
	operators := table{}
	operators.readTables("testdata/dml_tensor_support.tsv")
	for _, o := range operators {
		o.sameShapes()
	}
	operators.readFacts("testdata/dml_operators.txt")
	source, err := format.Source(operators.write())
	if err == nil {
		err = os.WriteFile(out, source, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// A table has the operators by their names.
type table map[string]*operator

// operator returns the operator of that name, which need not have tensors.
func (t table) operator(name string) *operator {
	if t[name] == nil {
		t[name] = &operator{level: 10}
	}
	return t[name]
}

// readTables reads rows of an operator, a level, which table, a tensor, its kind and shape, counts of
// dimensions, and types.
func (t table) readTables(name string) {
	for _, line := range lines(name)[1:] {
		f := strings.Split(line, "\t")
		t.operator(f[0]).row(f[3], f[4], f[5], parseSupport(f[1], f[4], f[6], f[7]))
	}
}

// lines returns the lines of a file that are neither blank nor comments.
func lines(name string) []string {
	data, err := os.ReadFile(name)
	if err != nil {
		log.Fatal(err)
	}
	all := strings.Split(strings.Trim(string(data), "\r\n"), "\n")
	return slices.DeleteFunc(all, func(l string) bool { return strings.TrimSpace(l) == "" || l[0] == '#' })
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

// row adds a row to its tensor. Levels decrease within a table; where one does not, the page's next
// table starts (REDUCE has one for each kind of function).
func (o *operator) row(name, kind, shape string, s support) {
	i := slices.IndexFunc(o.tensors, func(t *tensor) bool { return t.name == name })
	if i < 0 {
		i = len(o.tensors)
		output := strings.HasSuffix(strings.ToLower(kind), "output") || kind == "Array of outputs"
		array := strings.HasPrefix(kind, "Array")
		o.tensors = append(o.tensors, &tensor{name: name, shape: shape, output: output, array: array})
	}
	t := o.tensors[i]
	n := len(t.tables)
	if n == 0 || t.tables[n-1][len(t.tables[n-1])-1].level <= s.level {
		t.tables, n = append(t.tables, nil), n+1
	}
	t.tables[n-1] = append(t.tables[n-1], s)
}

// sameShapes makes groups of the tensors that have one shape in the page's table. Those of bracketed
// numbers may differ in rank.
func (o *operator) sameShapes() {
	byShape := map[string][]string{}
	for _, t := range o.tensors {
		if t.shape != "" && !strings.Contains(t.shape, "[1]") {
			byShape[t.shape] = append(byShape[t.shape], t.name)
		}
	}
	for _, shape := range slices.Sorted(maps.Keys(byShape)) {
		if len(byShape[shape]) > 1 {
			o.agree("sizes", byShape[shape])
		}
	}
}

// agree adds a group of tensors that agree in what the words say.
func (o *operator) agree(words string, names []string) {
	var list []string
	for _, name := range names {
		if !slices.ContainsFunc(o.tensors, func(t *tensor) bool { return t.name == name }) {
			log.Fatal(words, " of ", name, ": there is no such tensor")
		}
		list = append(list, strconv.Quote(name))
	}
	slots := "nil"
	if len(names) < len(o.tensors) {
		slots = "[]string{" + strings.Join(list, ", ") + "}"
	}
	o.same = append(o.same, fmt.Sprintf("{%s, %s}", inGo(strings.Split(words, ",")), slots))
}

// inGo returns the constants of the words in one expression.
func inGo(words []string) string {
	var names []string
	for _, word := range words {
		if constants[word] == "" {
			log.Fatal("unknown word ", word)
		}
		names = append(names, constants[word])
	}
	return cmp.Or(strings.Join(names, " | "), "0")
}

// readFacts reads what the tables do not say.
func (t table) readFacts(name string) {
	for _, line := range lines(name) {
		head, list, same := strings.Cut(line, ": ")
		f := strings.Fields(head)
		switch {
		case same:
			for _, name := range strings.Fields(list) {
				t[name].agree(f[1], f[2:])
			}
		case f[0] == "level":
			for _, name := range f[2:] {
				t.operator(name).level = number(strings.Replace(f[1], ".", "", 1))
			}
		default:
			for _, name := range f[1:] {
				t.operator(name).traits = append(t.operator(name).traits, f[0])
			}
		}
	}
}

// write writes the table. Operators share what they take, its lists of tensors, and the groups of these that
// agree, if they are the same.
func (t table) write() []byte {
	var rows, tensors []string
	slots, same := shared{name: "slots"}, shared{name: "same"}
	for _, name := range slices.Sorted(maps.Keys(t)) {
		o := t[name]
		value := fmt.Sprintf("{%s, %s, %s}", slots.variable(o.slots()), o.takes(),
			same.variable("[]agreement{"+strings.Join(o.same, ", ")+"}"))
		if !slices.Contains(tensors, value) {
			tensors = append(tensors, value)
		}
		rows = append(rows, fmt.Sprintf("{%q, %d, %s, &tensors[%d]}", name, o.level, inGo(o.traits),
			slices.Index(tensors, value)))
	}
	return fmt.Appendf(nil, "// Code generated by gen_operators.go; DO NOT EDIT.\n\npackage rules\n\n"+
		"// operators are in the order of their names.\nvar operators = [...]operatorRow{\n%s,\n}\n\n"+
		"// tensors are what operators take.\nvar tensors = [...]signature{\n%s,\n}\n\n"+
		"// The names and roles of tensors.\n%s\n// What tensors agree in.\n%s",
		filled(strings.Join(rows, ", ")), filled(strings.Join(tensors, ", ")), slots.source, same.source)
}

// A shared has a variable for each of several values.
type shared struct {
	name, source string
	values       []string
}

// variable returns the variable that has the value.
func (s *shared) variable(value string) string {
	if !slices.Contains(s.values, value) {
		s.source += filled(fmt.Sprintf("var %s%d = %s", s.name, len(s.values), value)) + "\n"
		s.values = append(s.values, value)
	}
	return fmt.Sprint(s.name, slices.Index(s.values, value))
}

// filled breaks a Go expression into lines of up to 108 bytes, each of which starts with a list or a text.
func filled(expression string) string {
	lines, width := "", 0
	for item := range strings.SplitSeq(strings.NewReplacer(", {", ", \n{", `, "`, ", \n\"").Replace(expression), "\n") {
		if width += len(item); width > 108 {
			lines, width = lines+"\n", len(item)
		}
		lines += item
	}
	return lines
}

// slots returns the operator's tensors in Go.
func (o *operator) slots() string {
	var list []string
	for _, t := range o.tensors {
		role := "Input"
		if t.output {
			role = "Output"
		}
		list = append(list, fmt.Sprintf("{%q, %s, %t}", t.name, role, t.array))
	}
	return "[]Slot{" + strings.Join(list, ", ") + "}"
}

// takes returns in Go what the tensors take. The last item holds for all tensors from there on.
func (o *operator) takes() string {
	var list []string
	for _, t := range o.tensors {
		var supports []string
		for _, s := range t.versions() {
			types := typeSet(s.types)
			if s.optional {
				types += " | optional"
			}
			supports = append(supports, fmt.Sprintf("{%d, %d, %d, %s}", s.level, s.lo, s.hi, types))
		}
		list = append(list, "{"+strings.Join(supports, ", ")+"}")
	}
	for n := len(list); n > 1 && list[n-1] == list[n-2]; n-- {
		list = list[:n-1]
	}
	return "[][]support{" + strings.Join(list, ", ") + "}"
}

// sets are the sets of types that have names of their own in the table, the larger ones first.
var sets = []struct {
	name string
	bits int
}{{"to64", 0x7ff}, {"to32", 0xff}, {"floats", 3}}

// typeSet returns a set of types in Go.
func typeSet(bits int) string {
	var names []string
	for _, s := range sets {
		if bits&s.bits == s.bits {
			names, bits = append(names, s.name), bits&^s.bits
		}
	}
	for i, t := range types {
		if bits>>i&1 != 0 {
			names = append(names, strings.NewReplacer("FLOAT", "f", "UINT", "u", "INT", "i").Replace(t))
		}
	}
	return cmp.Or(strings.Join(names, " | "), "0")
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
				m.lo, m.hi, m.types = min(m.lo, s.lo), max(m.hi, s.hi), m.types|s.types
				m.optional = m.optional && s.optional
			}
		}
		if last := len(merged) - 1; last >= 0 {
			if m.level = merged[last].level; m == merged[last] {
				merged = merged[:last]
			}
			m.level = level
		}
		merged = append(merged, m)
	}
	return merged
}
