package descfile

import (
	"bytes"
	"slices"
	"strings"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/scan"
)

// maxNameKept limits how many bytes of a name are kept.
const maxNameKept = 4096

// A lineWorker checks lines. It uses all its room again.
type lineWorker struct {
	fieldReader
	tree    doctree.Tree
	checker *rules.Checker
	count   LineCount
	forced  *rules.Target
	each    func(line int, d *rules.Descriptor)

	chunk  *chunk
	line   []byte
	number int
	parsed bool // the tree is that of the line
	desc   rules.Descriptor
	name   []byte // of the tensor
	target rules.Target
	said   bool // the line names the target
	native bool // the type is stated under DirectML's name

	memory lineMemory
}

func newLineWorker(l Lines) *lineWorker {
	w := &lineWorker{forced: l.Target, each: l.Each}
	w.most = 100
	w.checker = rules.NewChecker(l.Options, w.keep)
	w.fieldReader.report = w.checker.Add
	return w
}

// keep keeps a finding with the chunk.
func (w *lineWorker) keep(f rules.Finding) {
	if f.Tensor == "" {
		f.Tensor = string(bytes.ToValidUTF8(w.name[:min(len(w.name), maxNameKept)], []byte("\uFFFD")))
	}
	w.chunk.findings = append(w.chunk.findings, f)
}

// check checks all lines of a chunk.
func (w *lineWorker) check(c *chunk) {
	w.chunk, w.number = c, c.number
	w.count.Lines += c.lines
	if c.long {
		w.tooLong()
	}
	for data := c.data; len(data) > 0; w.number++ {
		line := data
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			line, data = data[:i], data[i+1:]
		} else {
			data = nil
		}
		w.one(line)
	}
}

// one checks a line.
func (w *lineWorker) one(line []byte) {
	switch {
	case len(line) == 0:
		return
	case len(line) > MaxLine:
		w.tooLong()
		return
	}
	w.begin(line)
	if !w.fast() {
		if len(bytes.TrimSpace(line)) == 0 {
			return
		}
		w.begin(line)
		if !w.slow() {
			return
		}
	}
	w.count.Descriptors++
	target := w.finish()
	if w.each != nil {
		w.d.Name = string(w.name)
		w.each(w.number+1, w.d)
		return
	}
	w.checker.Check(target, w.d)
}

func (w *lineWorker) tooLong() {
	w.name, w.found = nil, [256]int32{}
	w.count.Unread++
	w.wrong(rules.Syntax, fixedPlace{Line: w.number + 1, Column: 1}, "", "the line is longer than %d bytes", MaxLine)
}

// A fixedPlace is a place that is known.
type fixedPlace rules.Place

// Place returns the place.
func (p fixedPlace) Place() rules.Place { return rules.Place(p) }

// begin forgets the line before.
func (w *lineWorker) begin(line []byte) {
	w.line, w.parsed, w.name, w.said, w.native = line, false, nil, false, false
	w.desc = rules.Descriptor{Source: w}
	w.clear(&w.desc)
}

// finish completes the descriptor, and returns whose rules it follows.
func (w *lineWorker) finish() rules.Target {
	if len(w.d.Strides) == 0 {
		w.d.Strides = nil
	}
	w.d.Computed = !w.d.Total.Stated
	switch {
	case w.forced != nil:
		return *w.forced
	case w.said:
		return w.target
	case w.native:
		return rules.Target{Family: rules.DirectML}
	}
	return rules.Target{}
}

// lineNames are the names that a line may use.
const lineNames = ours | lineOnly | directML

// Place returns the place of a part of the line's descriptor.
func (w *lineWorker) Place(p rules.Part, item int) rules.Place {
	if !w.parsed {
		w.parsed = w.tree.Line(w.line, w.number) == nil
	}
	s := fieldSource{w.tree.Root(), lineNames}
	return s.Place(p, item)
}

// slow reads a line by its tree, and reports what is wrong; then it reports false.
func (w *lineWorker) slow() bool {
	w.found = [256]int32{}
	if fault, ok := w.tree.Line(w.line, w.number).(*doctree.Fault); ok {
		w.count.Unread++
		w.wrong(rules.Syntax, fixedPlace(w.tree.PlaceAt(fault.Offset)), "", "%s", fault.Msg)
		return false
	}
	w.parsed = true
	root := w.tree.Root()
	if root.Kind() != doctree.Object {
		w.count.Unread++
		w.wrong(rules.Syntax, root, "", "%v is no descriptor, which is an object", root.Kind())
		return false
	}
	seen := [fieldCount]bool{}
	for m := range root.Items {
		switch f, in := fieldOf(m, lineNames); {
		case f == noField || f == expectField:
			w.unknown(m)
		case seen[f]:
			w.find(rules.JSONDupKey, keyLocator{m}, "leave one of them out", "%s is stated before, which counts", quote(m.Key()))
		default:
			seen[f] = true
			w.member(f, in, m)
		}
	}
	w.lacks(root, &seen)
	return w.ok
}

// member reads a field.
func (w *lineWorker) member(f field, in vocabulary, m doctree.Value) {
	switch f {
	case nameField:
		if m.Kind() != doctree.String {
			w.value(m, "a name")
			break
		}
		w.name = []byte(m.Text())
	case targetField:
		w.targetOf(m)
	default:
		w.native = w.native || f == typeField && in == directML
		w.read(f, in, m)
	}
}

func (w *lineWorker) targetOf(m doctree.Value) {
	t, err := rules.ParseTarget(w.text(m, "a target, such as directml@6.2"))
	if err != nil && m.Kind() == doctree.String {
		w.fault(m, err)
	}
	w.target, w.said = t, err == nil
}

// lacks reports what a descriptor must state and does not.
func (w *lineWorker) lacks(root doctree.Value, seen *[fieldCount]bool) {
	if !seen[typeField] {
		w.wrong(rules.ConfigKey, root, "", "the line has no DataType, or dtype")
	}
	if !seen[sizesField] {
		w.wrong(rules.ConfigKey, root, "", "the line has no Sizes, or sizes")
	}
}

// unknown reports a name that is none of a field but near one. Others are nobody's business.
func (w *lineWorker) unknown(m doctree.Value) {
	key := m.Key()
	if w.memory.isHarmless([]byte(key)) {
		return
	}
	known := make([]string, 0, len(fieldNames))
	for i := range fieldNames {
		if fieldNames[i].field != expectField {
			known = append(known, fieldNames[i].name)
		}
	}
	near := scan.Nearest(key, known)
	if i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, key) }); i >= 0 {
		near = known[i]
	}
	if near == "" {
		w.memory.addHarmless(key)
		return
	}
	w.wrong(rules.JSONKeyCase, keyLocator{m}, "write "+near, "%s is no name that counts: it would be ignored", quote(key))
}
