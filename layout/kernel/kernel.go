// Package kernel reads names in the sources of GPU kernels: in C++ with CuTe, and in the Python of CuTe and Gluon.
//
// A source is read lazily. The first pass ([Parse]) finds definitions and looks into none; [Source.Resolve] evaluates
// the requested definition, and the definitions of the names in it. All other statements may be anything. The result is
// a string that other packages read: a layout as CuTe prints it, or a call of make_tiled_copy or make_tiled_mma with
// all numbers known.
package kernel

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/wording"
)

// MaxSource is the length, in bytes, of the longest source.
const MaxSource = 1 << 20

// A Source is the text of a kernel and its definitions.
type Source struct {
	in          string
	tokens      []lexer.Token // without comments, the last of the kind End
	isPython    bool
	arch        int64 // of __CUDA_ARCH__
	scopes      []scope
	definitions []definition
	byName      map[string][]int // the definitions of each name, in the order of the text
	work        int              // tokens that were searched for the ends of brackets and definitions
}

// maxWork is the maximum number of tokens that are searched.
const maxWork = 1 << 24

// A scope is a struct, function or block. The first one is the whole source.
type scope struct {
	name    string
	parent  int
	indent  int // the column of its statements, in Python
	isClass bool
	params  []string // the parameters of its template
}

// A definition is a name and the expression that it stands for.
type definition struct {
	name  string
	at    int // the token of the name
	value int // the first token of the expression; 0 for a parameter without a default
	end   int // the token after the expression; 0 if it is not known
	item  int // the index of the item in the value; -1 for all
	scope int // the scope of the name
	home  int // the scope of the expression
	line  int

	isTemplate bool // it is a parameter of a template, which a > ends
	isDeclared bool // the expression is its type
}

// hasValue reports whether the definition is not a parameter without a default.
func (d *definition) hasValue() bool { return d.value > 0 || d.isDeclared }

// marks are parts of which a source with layouts has at least one.
var marks = [...]string{
	"make_layout", "Layout<", "Layout <", "Layout(", "make_ordered_layout", "tile_to_shape", "composition(",
	"make_composed_layout", "make_tiled_copy", "make_layout_tv", "make_tiled_mma", "TiledMMA<", "TiledMMA <",
	"_Atom<", "st_bf<", "st_hf<", "st_fl<", "st_fp8", "st<",
}

// Parse returns the definitions of a source, or nil if text is not a kernel source. Conditions of the preprocessor take
// __CUDA_ARCH__ from given, and assume [defaultArch] without it.
func Parse(text string, given map[string]string) *Source {
	if len(text) > MaxSource || !strings.ContainsAny(text, "=;") || !hasMark(text) {
		return nil
	}
	s := &Source{in: text, arch: defaultArch, scopes: []scope{{parent: -1}}, byName: map[string][]int{}}
	if n, err := lexer.ParseNumber(given[arch]); err == nil {
		s.arch = n
	}
	all := lexer.Lex(text)
	s.isPython = isPython(text, all)
	for _, t := range all {
		if isComment := t.Kind != lexer.End && (t.Slashed && !s.isPython || t.Hashed && s.isPython); !isComment {
			s.tokens = append(s.tokens, t)
		}
	}
	if s.isPython {
		s.python()
	} else {
		s.cpp()
	}
	if len(s.definitions) == 0 {
		return nil
	}
	return s
}

// arch is the name of the architecture that the compiler defines.
const arch = "__CUDA_ARCH__"

// defaultArch is the architecture of sources without another one.
const defaultArch = 900

// hasMark reports whether text has one of the marks.
func hasMark(text string) bool {
	return slices.ContainsFunc(marks[:], func(mark string) bool { return strings.Contains(text, mark) })
}

// isPython reports whether text is Python. Its statements do not end with semicolons.
func isPython(text string, tokens []lexer.Token) bool {
	return !slices.ContainsFunc(tokens, func(t lexer.Token) bool {
		word := text[t.At:t.End]
		return !t.Slashed && (word == ";" || word == "::" || word == "auto" || word == "using")
	})
}

// text returns the text of a token.
//
// It is not inlined, because it would make each of its many callers larger.
//
//go:noinline
func (s *Source) text(i int) string {
	if i < 0 || i >= len(s.tokens) {
		return ""
	}
	return s.in[s.tokens[i].At:s.tokens[i].End]
}

// isWord reports whether a token is a name.
func (s *Source) isWord(i int) bool { return i >= 0 && s.tokens[i].Kind == lexer.Word }

// startsLine reports whether a token is the first one of its line.
func (s *Source) startsLine(i int) bool { return i == 0 || s.tokens[i].Gap == lexer.Line }

// define adds a definition. Definitions are found in the order of the text.
func (s *Source) define(name string, at, value, scope int) {
	d := definition{name: name, at: at, value: value, item: -1, scope: scope, home: scope, line: 1}
	from := 0
	if n := len(s.definitions); n > 0 {
		last := s.definitions[n-1]
		d.line, from = last.line, int(s.tokens[last.at].At)
	}
	d.line += strings.Count(s.in[from:s.tokens[at].At], "\n")
	s.byName[name] = append(s.byName[name], len(s.definitions))
	s.definitions = append(s.definitions, d)
}

// A Kind is the kind of a name in a source.
type Kind int

// The kinds of names.
const (
	Layout Kind = iota
	Copy
	MMA
	Encoding // of Gluon
	other
)

// kindNames are the words for kinds.
var kindNames = [...]string{"layout", "TiledCopy", "TiledMMA", "encoding", "value"}

// String returns CuTe's name of the kind.
func (k Kind) String() string { return kindNames[k] }

// Options are values for the parts of a source that may be unknown.
type Options struct {
	DType layout.DType      // the element type if the source does not state it
	Typed bool              // DType is given, and not the default
	Given map[string]string // the expressions of names, which precede definitions
}

// A Result is the value of a name.
type Result struct {
	Name  string
	Kind  Kind
	Text  string
	DType layout.DType
	Typed bool // DType is the type of the layout
}

// Tensor reads the layout of a result.
func (r Result) Tensor(o notation.Options) (notation.Descriptor, error) {
	if r.Kind != Layout {
		const msg = "%s is a %s, not a tensor"
		return notation.Descriptor{}, lexer.Refuse("the command owner shows it", msg, r.Name, r.Kind)
	}
	if r.Typed {
		o.DType = r.DType
	}
	o.Dims, o.Names = nil, nil
	_, d, err := notation.ReadLayout(r.Text, o)
	d.Name, d.Typed = r.Name, d.Typed || r.Typed
	return d, err
}

// IsQuestion reports whether an error requires the user to select a name of a source.
func IsQuestion(err error) bool {
	var e *lexer.SyntaxError
	return errors.As(err, &e) && e.Change.Flag == "--tensor"
}

// A wanted is a name as users ask for it: SCOPE::NAME@LINE:C, with a matrix of an MMA or a side of a copy.
type wanted struct {
	name, scope string
	line        int64
	matrix      string
}

// want takes a name apart.
func want(text string) wanted {
	w := wanted{name: text}
	n := len(text) - 2
	if n > 0 && text[n] == ':' && text[n-1] != ':' && strings.IndexByte("ABCDS", text[n+1]&^0x20) >= 0 {
		w.name, w.matrix = text[:n], strings.ToUpper(text[n:])
	}
	if name, line, ok := strings.Cut(w.name, "@"); ok {
		if n, err := lexer.ParseNumber(line); err == nil {
			w.name, w.line = name, n
		}
	}
	for _, mark := range []string{"::", "."} {
		if i := strings.LastIndex(w.name, mark); i > 0 && w.name[:i] != "self" {
			w.scope, w.name = w.name[:i], w.name[i+len(mark):]
		}
	}
	return w
}

// find returns the definitions of a name that users ask for.
func (s *Source) find(w wanted) (list []int) {
	for _, name := range []string{w.name, "self." + w.name} {
		for _, i := range s.byName[name] {
			d := s.definitions[i]
			if d.hasValue() && (w.line == 0 || int(w.line) == d.line) && (w.scope == "" || s.isIn(d.scope, w.scope)) {
				list = append(list, i)
			}
		}
	}
	return list
}

// isIn reports whether a scope, or one around it, has a name.
func (s *Source) isIn(scope int, name string) bool {
	for ; scope >= 0; scope = s.scopes[scope].parent {
		if s.scopes[scope].name == name {
			return true
		}
	}
	return false
}

// Has reports whether the source defines a name.
func (s *Source) Has(name string) bool { return len(s.find(want(name))) > 0 }

// HasLayouts reports whether any definition can be evaluated.
func (s *Source) HasLayouts() bool { return len(s.ofKind(Options{}, nil)) > 0 }

// label returns a definition as [Source.Resolve] takes it.
func (s *Source) label(i int) string {
	d := s.definitions[i]
	if len(s.byName[d.name]) == 1 {
		return d.name
	}
	isSame := func(k int) bool { return k != i && s.definitions[k].line == d.line }
	if scope := s.scopes[d.scope].name; scope != "" && slices.ContainsFunc(s.byName[d.name], isSame) {
		return scope + "::" + d.name
	}
	return d.name + "@" + strconv.Itoa(d.line)
}

// Resolve evaluates a name. Without a name it evaluates the only definition of the kinds. If kinds is empty, the
// definition may be of any kind.
func (s *Source) Resolve(name string, o Options, kinds ...Kind) (Result, error) {
	w := want(name)
	list := s.find(w)
	if name == "" {
		list = s.ofKind(o, kinds)
	}
	labels := make([]string, min(len(list), mostNames))
	for i := range labels {
		labels[i] = s.label(list[i])
	}
	const most = lexer.MaxMessage - 40
	all := wording.OneLine(strings.Join(labels, ", "), most)
	switch {
	case len(list) == 0 && name == "":
		return Result{}, lexer.Refuse("", "the source defines no layout that is known here")
	case len(list) == 0:
		return Result{}, lexer.Unknown("name in the source", name, s.names())
	case len(list) > 1 && name == "":
		err := lexer.Refuse("--tensor "+labels[0], "the source defines %s", all)
		err.Change.Flag, err.Change.Value = "--tensor", labels[0]
		return Result{}, err
	case len(list) > 1:
		err := lexer.Refuse("--tensor "+labels[0]+w.matrix, "the source defines %s more than once: %s", w.name, all)
		err.Change.Flag, err.Change.Value = "--tensor", labels[0]+w.matrix
		return Result{}, err
	}
	e := &evaluator{Source: s, options: o, known: map[int]value{}}
	r, err := e.result(e.definition(list[0], nil), w.matrix)
	r.Name = cmp.Or(name, labels[0])
	if err == nil && r.Kind == MMA && w.matrix == "" && slices.Contains(kinds, MMA) {
		err := lexer.Refuse("--tensor "+r.Name+":C", "%s has three matrices: %[1]s:A, %[1]s:B and %[1]s:C", r.Name)
		err.Change.Flag, err.Change.Value = "--tensor", r.Name+":C"
		return Result{}, err
	}
	return r, err
}

// Expression evaluates a single expression, with a matrix after a colon; ok is false if it is not a TiledCopy or a
// TiledMMA.
func Expression(expression string, o Options) (r Result, ok bool) {
	w := want(expression)
	s := &Source{in: expression, scopes: []scope{{parent: -1}}, arch: defaultArch}
	if w.matrix != "" {
		s.in = expression[:len(expression)-len(w.matrix)]
	}
	if len(s.in) > lexer.MaxText || !hasMark(s.in) {
		return r, false
	}
	s.tokens = lexer.Lex(s.in)
	e := &evaluator{Source: s, options: o, known: map[int]value{}}
	r, err := e.result(e.expression(0), w.matrix)
	return r, err == nil && e.tokens[e.at].Kind == lexer.End && (r.Kind == Copy || r.Kind == MMA)
}

// ofKind returns the definitions of some kinds, or of any kind if there are none. A definition that cannot be evaluated
// is one of them if its expression gives its kind.
func (s *Source) ofKind(o Options, kinds []Kind) (list []int) {
	e := &evaluator{Source: s, options: o, known: map[int]value{}}
	for i, d := range s.definitions {
		if !d.hasValue() {
			continue
		}
		v := e.definition(i, nil)
		r, err := e.result(v, ":C")
		if v.isMeant {
			r.Kind, err = v.of, nil
		}
		if err == nil && (len(kinds) == 0 || slices.Contains(kinds, r.Kind)) {
			list = append(list, i)
		}
	}
	return list
}

// mostNames limits the names in messages, and the names that are compared with a misspelt one.
const mostNames = 200

// names returns the names of the first definitions with a value.
func (s *Source) names() (list []string) {
	for i, d := range s.definitions {
		if d.hasValue() && s.byName[d.name][0] == i && len(list) < mostNames {
			list = append(list, d.name)
		}
	}
	return list
}

// result returns a value as a result, of a matrix if the value is an MMA.
func (e *evaluator) result(v value, matrix string) (Result, error) {
	switch v.kind {
	case unknown:
		return Result{}, v.err
	case layoutValue:
		return Result{Kind: Layout, Text: v.layout.String(), DType: v.dtype, Typed: v.bits > 0}, nil
	case text:
		r := Result{Kind: v.of, Text: v.name}
		if v.of == MMA || v.of == Copy {
			r.Text += matrix
		}
		return r, nil
	}
	return Result{}, lexer.Refuse("", "%s is neither a layout, nor a TiledCopy or TiledMMA", v)
}

// String returns a value as messages name it, cut after some parts.
func (v value) String() string {
	left := 20
	return v.text(&left)
}

// text formats a value. At most left parts may be written; text decreases left.
func (v value) text(left *int) string {
	if *left--; *left < 0 {
		return "…"
	}
	switch v.kind {
	case number:
		return strconv.FormatInt(v.number, 10)
	case tuple:
		var parts []string
		for i := 0; i < len(v.parts) && *left >= 0; i++ {
			parts = append(parts, v.parts[i].text(left))
		}
		return "(" + strings.Join(parts, ",") + ")"
	case layoutValue:
		return v.layout.String()
	case swizzle:
		return fmt.Sprintf("Swizzle<%d,%d,%d>", v.swizzle.Bits, v.swizzle.Base, v.swizzle.Shift)
	case keep:
		return "_"
	}
	return v.name
}
