package dml

import (
	"cmp"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/descriptor"
)

// A pageTensor is a tensor of an operator, as documented on the operator's page.
type pageTensor struct {
	Slot
	shape  string
	tables [][]Support // of each of the page's tables, from the latest level to the first
}

// TestOperatorsFollowPages compares the tensors of operators.txt with the tables of Microsoft's pages: names, roles,
// ranks and types, and that tensors of one shape agree in their sizes.
func TestOperatorsFollowPages(t *testing.T) {
	pages := readPages(t)
	for i := range All() {
		row := Find(All()[i].Name)
		var want []Slot
		shapes := map[string][]string{}
		for _, p := range pages[row.Name] {
			p.Takes = p.merged()
			want = append(want, p.Slot)
			// Those of bracketed numbers may differ in rank.
			if p.shape != "" && !strings.Contains(p.shape, "[1]") {
				shapes[p.shape] = append(shapes[p.shape], p.Name)
			}
		}
		if !reflect.DeepEqual(row.Slots, want) {
			t.Errorf("%s takes %v, its page has %v", row.Name, row.Slots, want)
		}
		for shape, names := range shapes {
			agree := func(a Agreement) bool {
				all := len(a.Names) == 0 && len(names) == len(row.Slots)
				return a.In&SameSizes != 0 && (all || slices.Equal(a.Names, names))
			}
			if len(names) > 1 && !slices.ContainsFunc(row.Same, agree) {
				t.Errorf("%s: %v have the shape %s, and nothing says that they agree", row.Name, names, shape)
			}
		}
		for _, a := range row.Same {
			for _, name := range a.Names {
				if row.Index(name) < 0 {
					t.Errorf("%s has no %s, which is said to agree with others", row.Name, name)
				}
			}
		}
		delete(pages, row.Name)
	}
	for name := range pages {
		t.Errorf("%s has a page and is not in the table", name)
	}
}

// TestOperatorLevelsAndTraits compares the level of each operator with the first one on its page. It also checks the
// traits that few operators have, and how many groups of tensors agree in which properties.
func TestOperatorLevelsAndTraits(t *testing.T) {
	differ := map[string]descriptor.Level{"MAX_UNPOOLING": 30, "MEAN_VARIANCE_NORMALIZATION": 21, "SCATTER": 10,
		"TOP_K": 20}
	traits := map[uint8][]string{}
	groups := map[uint8]int{}
	for i := range All() {
		row := Find(All()[i].Name)
		first := row.Level
		if len(row.Slots) > 0 {
			first = 99
		}
		for _, s := range row.Slots {
			first = min(first, s.Takes[len(s.Takes)-1].Since)
		}
		if want := cmp.Or(differ[row.Name], row.Level); first != want {
			t.Errorf("%s came with level %v, and its page starts with %v, want %v", row.Name, row.Level, first, want)
		}
		for _, trait := range []uint8{OwnsNoInput, NotDxDispatch, NoTable} {
			if row.Traits&trait != 0 {
				traits[trait] = append(traits[trait], row.Name)
			}
		}
		for _, a := range row.Same {
			groups[a.In]++
		}
	}
	wantTraits := map[uint8][]string{
		OwnsNoInput:   {"GRU", "LSTM", "RNN"},
		NotDxDispatch: {"FOLD", "RESAMPLE3", "UNFOLD"},
		NoTable:       {"CONVOLUTION_INTEGER", "REVERSE_SUBSEQUENCES", "SCATTER_ELEMENTS"},
	}
	if !reflect.DeepEqual(traits, wantTraits) {
		t.Errorf("traits %v, want %v", traits, wantTraits)
	}
	wantGroups := map[uint8]int{
		SameType: 20, SameCount: 3, SameSizes: 28, SameType | SameCount: 29, SameType | SameSizes: 90,
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
			p := &pageTensor{Slot: Slot{Name: name, Role: descriptor.Input, Array: strings.HasPrefix(kind, "Array")},
				shape: shape}
			if strings.HasSuffix(strings.ToLower(kind), "output") || kind == "Array of outputs" {
				p.Role = descriptor.Output
			}
			pages[operator] = append(pages[operator], p)
		}
		s := Support{Since: LevelOf(level)}
		if ranks != "" {
			s.Lo, s.Hi = int(ranks[0]-'0'), int(ranks[len(ranks)-1]-'0')
			for _, name := range strings.FieldsFunc(types, func(r rune) bool { return r == ',' || r == ' ' }) {
				s.Types |= 1 << slices.Index(Types[:], name)
			}
		}
		if strings.HasPrefix(kind, "Optional") {
			s.Types |= Optional
		}
		pages[operator][i].add(s)
	}
	return pages
}

// add adds a row. Levels decrease within a table; where one does not, the page's next table starts (REDUCE has one
// for each kind of function).
func (p *pageTensor) add(s Support) {
	n := len(p.tables)
	if n == 0 || p.tables[n-1][len(p.tables[n-1])-1].Since <= s.Since {
		p.tables, n = append(p.tables, nil), n+1
	}
	p.tables[n-1] = append(p.tables[n-1], s)
}

// merged returns, for each level in one of the tables, the union of the tables, from the latest to the first. Levels
// that equal the one before are omitted.
func (p *pageTensor) merged() []Support {
	var levels []descriptor.Level
	for _, table := range p.tables {
		for _, s := range table {
			levels = append(levels, s.Since)
		}
	}
	slices.Sort(levels)
	var merged []Support
	for _, level := range slices.Compact(levels) {
		m := Support{Since: level, Lo: 99, Types: Optional}
		for _, table := range p.tables {
			if i := slices.IndexFunc(table, func(s Support) bool { return s.Since <= level }); i >= 0 {
				s := table[i]
				m.Lo, m.Hi = min(m.Lo, s.Lo), max(m.Hi, s.Hi)
				m.Types = (m.Types|s.Types)&^Optional | m.Types&s.Types&Optional
			}
		}
		if n := len(merged); n > 0 {
			m.Since = merged[n-1].Since
			if m == merged[n-1] {
				continue
			}
			m.Since = level
		}
		merged = append(merged, m)
	}
	slices.Reverse(merged)
	return merged
}

// TestAttributesFollowParser compares the attributes of operators.txt with the ones that DxDispatch's generated parser
// reads.
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
	for i := range All() {
		row := Find(All()[i].Name)
		if !reflect.DeepEqual(row.Fields, want[row.Name]) {
			t.Errorf("%s has the fields %v, and the parser reads %v", row.Name, row.Fields, want[row.Name])
		}
	}
	for _, e := range Enums {
		if !enumerations[e.Kind] {
			t.Errorf("no attribute is a %s", e.Kind)
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
	if len(Of("DML_OPERATOR_GEMM").Fields) != 5 || Of("GEM").Fields != nil {
		t.Error("GEMM has 5 attributes, GEM has none")
	}
}
