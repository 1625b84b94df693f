package rules

import (
	"cmp"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// A pageTensor is a tensor of an operator as the operator's page has it.
type pageTensor struct {
	Slot
	shape  string
	tables [][]support // of each of the page's tables, from the latest level to the first
}

// TestOperatorsFollowPages compares the tensors of operators.txt with the tables of Microsoft's pages: names, roles,
// ranks and types, and that tensors of one shape agree in their sizes.
func TestOperatorsFollowPages(t *testing.T) {
	pages := readPages(t)
	for i := range operators() {
		row := findOperator(operators()[i].name)
		var want []Slot
		shapes := map[string][]string{}
		for _, p := range pages[row.name] {
			p.takes = p.merged()
			want = append(want, p.Slot)
			// Those of bracketed numbers may differ in rank.
			if p.shape != "" && !strings.Contains(p.shape, "[1]") {
				shapes[p.shape] = append(shapes[p.shape], p.Name)
			}
		}
		if !reflect.DeepEqual(row.slots, want) {
			t.Errorf("%s takes %v, its page has %v", row.name, row.slots, want)
		}
		for shape, names := range shapes {
			agree := func(a agreement) bool {
				all := len(a.names) == 0 && len(names) == len(row.slots)
				return a.in&sameSizes != 0 && (all || slices.Equal(a.names, names))
			}
			if len(names) > 1 && !slices.ContainsFunc(row.same, agree) {
				t.Errorf("%s: %v have the shape %s, and nothing says that they agree", row.name, names, shape)
			}
		}
		for _, a := range row.same {
			for _, name := range a.names {
				if row.find(name) < 0 {
					t.Errorf("%s has no %s, which is said to agree with others", row.name, name)
				}
			}
		}
		delete(pages, row.name)
	}
	for name := range pages {
		t.Errorf("%s has a page and is not in the table", name)
	}
}

// TestOperatorLevelsAndTraits compares the level that an operator came with with the first one of its page, and checks
// the traits that few operators have and how many groups of tensors agree in what.
func TestOperatorLevelsAndTraits(t *testing.T) {
	differ := map[string]Level{"MAX_UNPOOLING": 30, "MEAN_VARIANCE_NORMALIZATION": 21, "SCATTER": 10, "TOP_K": 20}
	traits := map[uint8][]string{}
	groups := map[uint8]int{}
	for i := range operators() {
		row := findOperator(operators()[i].name)
		first := row.level
		if len(row.slots) > 0 {
			first = 99
		}
		for _, s := range row.slots {
			first = min(first, s.takes[len(s.takes)-1].since)
		}
		if want := cmp.Or(differ[row.name], row.level); first != want {
			t.Errorf("%s came with level %v, and its page starts with %v, want %v", row.name, row.level, first, want)
		}
		for _, trait := range []uint8{ownsNoInput, notDxDispatch, noTable} {
			if row.traits&trait != 0 {
				traits[trait] = append(traits[trait], row.name)
			}
		}
		for _, a := range row.same {
			groups[a.in]++
		}
	}
	wantTraits := map[uint8][]string{
		ownsNoInput:   {"GRU", "LSTM", "RNN"},
		notDxDispatch: {"FOLD", "RESAMPLE3", "UNFOLD"},
		noTable:       {"CONVOLUTION_INTEGER", "REVERSE_SUBSEQUENCES", "SCATTER_ELEMENTS"},
	}
	if !reflect.DeepEqual(traits, wantTraits) {
		t.Errorf("traits %v, want %v", traits, wantTraits)
	}
	wantGroups := map[uint8]int{
		sameType: 20, sameCount: 3, sameSizes: 28, sameType | sameCount: 29, sameType | sameSizes: 90,
	}
	if !reflect.DeepEqual(groups, wantGroups) {
		t.Errorf("groups by what they agree in %v, want %v", groups, wantGroups)
	}
}

// readPages reads rows of an operator, a level, which table, a tensor, its kind and shape, counts of dimensions, and
// types.
func readPages(t *testing.T) map[string][]*pageTensor {
	text, err := os.ReadFile("testdata/dml_tensor_support.tsv")
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string][]*pageTensor{}
	for _, line := range strings.Split(strings.TrimRight(string(text), "\r\n"), "\n")[1:] {
		f := strings.Split(strings.TrimRight(line, "\r"), "\t")
		operator, level, name, kind, shape, ranks, types := f[0], f[1], f[3], f[4], f[5], f[6], f[7]
		i := slices.IndexFunc(pages[operator], func(p *pageTensor) bool { return p.Name == name })
		if i < 0 {
			i = len(pages[operator])
			p := &pageTensor{Slot: Slot{Name: name, Role: Input, Array: strings.HasPrefix(kind, "Array")}, shape: shape}
			if strings.HasSuffix(strings.ToLower(kind), "output") || kind == "Array of outputs" {
				p.Role = Output
			}
			pages[operator] = append(pages[operator], p)
		}
		s := support{since: levelOf(level)}
		if ranks != "" {
			s.lo, s.hi = int(ranks[0]-'0'), int(ranks[len(ranks)-1]-'0')
			for _, name := range strings.FieldsFunc(types, func(r rune) bool { return r == ',' || r == ' ' }) {
				s.types |= 1 << slices.Index(dmlTypes[:], name)
			}
		}
		if strings.HasPrefix(kind, "Optional") {
			s.types |= optional
		}
		pages[operator][i].add(s)
	}
	return pages
}

// add adds a row. Levels decrease within a table; where one does not, the page's next table starts (REDUCE has one
// for each kind of function).
func (p *pageTensor) add(s support) {
	n := len(p.tables)
	if n == 0 || p.tables[n-1][len(p.tables[n-1])-1].since <= s.since {
		p.tables, n = append(p.tables, nil), n+1
	}
	p.tables[n-1] = append(p.tables[n-1], s)
}

// merged returns at each level that one of the tables names what any of them allows, from the latest to the first. What
// a level has in common with the one before it is left out.
func (p *pageTensor) merged() []support {
	var levels []Level
	for _, table := range p.tables {
		for _, s := range table {
			levels = append(levels, s.since)
		}
	}
	slices.Sort(levels)
	var merged []support
	for _, level := range slices.Compact(levels) {
		m := support{since: level, lo: 99, types: optional}
		for _, table := range p.tables {
			if i := slices.IndexFunc(table, func(s support) bool { return s.since <= level }); i >= 0 {
				s := table[i]
				m.lo, m.hi = min(m.lo, s.lo), max(m.hi, s.hi)
				m.types = (m.types|s.types)&^optional | m.types&s.types&optional
			}
		}
		if n := len(merged); n > 0 {
			m.since = merged[n-1].since
			if m == merged[n-1] {
				continue
			}
			m.since = level
		}
		merged = append(merged, m)
	}
	slices.Reverse(merged)
	return merged
}

// TestAttributesFollowParser compares the attributes of operators.txt with what DxDispatch's generated parser reads.
func TestAttributesFollowParser(t *testing.T) {
	text, err := os.ReadFile("testdata/dxdispatch_fields.tsv")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{"Bool": "bool", "Float32": "float", "Float32Array": "floats", "UInt32": "uint",
		"UInt32Array": "uints", "Int32": "int", "Int32Array": "ints", "DmlSize2d": "size2d", "DmlScalarUnion": "scalar",
		"DmlScaleBias": "scalebias", "DmlTensorDataType": "type", "DmlOperatorDesc": "operator",
		"DmlOperatorDescArray": "operators"}
	want := map[string][]Attribute{}
	enumerations := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		f := strings.Split(line, "\t")
		operator, field, parser, required := f[0], f[1], f[2], f[3]
		a := Attribute{Name: field, Kind: kinds[parser], Optional: required == "false"}
		for i, c := range strings.TrimPrefix(parser, "Dml") {
			if kinds[parser] == "" {
				if i > 0 && 'A' <= c && c <= 'Z' {
					a.Kind += "-"
				}
				a.Kind += strings.ToLower(string(c))
			}
		}
		values, _ := a.Enum()
		if enumerations[a.Kind] = values != nil; (values != nil) != (kinds[parser] == "") {
			t.Errorf("%s.%s is of the kind %s, with the values %v", operator, field, a.Kind, values)
		}
		want[operator] = append(want[operator], a)
	}
	for i := range operators() {
		row := findOperator(operators()[i].name)
		if !reflect.DeepEqual(row.fields, want[row.name]) {
			t.Errorf("%s has the fields %v, and the parser reads %v", row.name, row.fields, want[row.name])
		}
	}
	for _, e := range enums {
		if !enumerations[e.kind] {
			t.Errorf("no attribute is a %s", e.kind)
		}
	}
}

func TestEnums(t *testing.T) {
	values, prefix := Attribute{Kind: "matrix-transform"}.Enum()
	if prefix != "DML_MATRIX_TRANSFORM_" || !slices.Equal(values, []string{"NONE", "TRANSPOSE"}) {
		t.Errorf("%s%v", prefix, values)
	}
	if values, prefix := (Attribute{Kind: "uint"}).Enum(); values != nil || prefix != "" {
		t.Errorf("a number has the values %s%v", prefix, values)
	}
	if len(Attributes("DML_OPERATOR_GEMM")) != 5 || Attributes("GEM") != nil {
		t.Error("GEMM has 5 attributes, GEM has none")
	}
}
