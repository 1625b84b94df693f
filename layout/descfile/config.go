package descfile

import (
	"math"
	"strings"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/rules"
)

// MaxTensors is how many tensors a configuration may have.
const MaxTensors = 200_000

const configKind = "config"

// The keys of a configuration, of what is expected of a tensor, and of an edge.
var (
	rootKeys   = [...]string{"version", "target", "tensors", "edges", "$schema"}
	expectKeys = [...]string{"layout", "packed", "maxBytes", "strides", "sameAs"}
	edgeKeys   = [...]string{"from", "to"}
)

// maxFindings limits how many findings of one rule are kept; the others are counted.
const maxFindings = 1000

// IsConfig reports whether the tree is a configuration of layoutcalc's own: an object with the
// member tensors.
func IsConfig(t *doctree.Tree) bool {
	_, ok := t.Root().Get("tensors")
	return ok
}

// Config returns what a configuration says of tensors and expects of them. A tensor of which
// something cannot be read is not held against rules: it is not what was meant. What a tensor does not state is taken
// from the file that it names.
func Config(t *doctree.Tree, artefacts rules.Artefacts) *rules.File {
	r := configReader{artefacts: artefacts, file: &rules.File{Kind: configKind, Config: &rules.Config{}}}
	r.report, r.most = func(f rules.Finding) { r.file.Findings = append(r.file.Findings, f) }, maxFindings
	r.root(t.Root())
	r.summarise()
	r.file.Config.Tensors = r.file.Descriptors
	r.file.ReadIgnores(t.Comments())
	return r.file
}

// A configReader fills a file.
type configReader struct {
	fieldReader
	file      *rules.File
	names     map[string]int // which of the descriptors a tensor is, or unread
	expects   []expected
	artefacts rules.Artefacts // finds tensors in files
}

// configNames are the vocabularies of a tensor in a configuration.
const configNames = rules.ConfigNames | rules.FileNames

// unread is a tensor of which something cannot be read.
const unread = -1

// An expected is what a tensor is expected to be like, before all tensors are known.
type expected struct {
	tensor int
	v      doctree.Value
}

// root reads the configuration. One of another version has other keys, and is not read.
func (r *configReader) root(v doctree.Value) {
	if version, ok := v.Get("version"); ok {
		if n, ok := version.Int(); !ok || n != 1 {
			r.wrong(rules.ConfigValue, version, "version: 1", "%s is not a version that is known here, which is 1",
				quote(version.Text()))
			return
		}
	}
	members := r.members(v, "a configuration", rootKeys[:])
	if v.Kind() == doctree.Object && !members[0].Exists() {
		r.wrong(rules.ConfigKey, v, "version: 1", "the version is missing")
	}
	if target := members[1]; target.Exists() {
		r.target(target)
	}
	if tensors := members[2]; tensors.Exists() {
		r.tensors(tensors)
	}
	for _, e := range r.expects {
		r.expect(e)
	}
	switch edges := members[3]; {
	case !edges.Exists():
	case edges.Kind() != doctree.Array:
		r.value(edges, "a list of edges")
	default:
		for item := range edges.Items {
			r.edge(item)
		}
	}
}

// members returns the members of an object by the keys that it may have; the zero Value for
// those that are missing.
func (r *configReader) members(v doctree.Value, what string, keys []string) (members [len(rootKeys)]doctree.Value) {
	if v.Kind() != doctree.Object {
		r.value(v, what+", an object with keys")
		return members
	}
	for m := range v.Items {
		i := 0
		for i < len(keys) && !m.IsKey(keys[i]) {
			i++
		}
		switch {
		case i == len(keys):
			r.unknown(m, what, keys)
		case members[i].Exists():
			r.twice(m)
		default:
			members[i] = m
		}
	}
	return members
}

// unknown reports a key that an object cannot have. The others say what is meant without it.
func (r *configReader) unknown(m doctree.Value, what string, known []string) {
	tensor := ""
	if r.d != nil {
		tensor = r.d.Name
	}
	r.find(rules.ConfigKey, keyLocator{m}, tensor, r.meant(m.Key(), known),
		"%s is not a key of %s", quote(m.Key()), what)
}

// meant asks whether the known name that is most like a word is what was meant.
func (r *configReader) meant(word string, known []string) string {
	if near := r.near(word, known); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}

// twice reports a key that the object has already.
func (r *configReader) twice(m doctree.Value) {
	r.wrong(rules.ConfigKey, keyLocator{m}, "leave one of them out", "%s is stated twice", quote(m.Key()))
}

func (r *configReader) target(v doctree.Value) {
	text := r.text(v, "a target, such as directml@6.2")
	if v.Kind() != doctree.String {
		return
	}
	target, err := rules.ParseTarget(text)
	if err != nil {
		r.fault(v, err)
		return
	}
	r.file.Target = target
}

// tensors reads the tensors by their names.
func (r *configReader) tensors(v doctree.Value) {
	if v.Kind() != doctree.Object {
		r.value(v, "an object with a key for each tensor")
		return
	}
	most := 0 // tensors can be read: those that have dtype and sizes
	for m := range v.Items {
		if m.Kind() == doctree.Object && m.Len() >= 2 {
			most++
		}
	}
	if most > MaxTensors {
		r.wrong(rules.ConfigValue, v, "", "%d tensors are more than %d, which a configuration may have", most,
			MaxTensors)
		return
	}
	r.file.Descriptors, r.names = make([]rules.Descriptor, 0, most), make(map[string]int, most)
	for m := range v.Items {
		name := m.Key()
		if _, known := r.names[name]; known {
			r.twice(m)
			continue
		}
		r.names[name] = unread
		if r.tensor(name, m) {
			r.names[name] = len(r.file.Descriptors) - 1
		}
		r.d, r.open = nil, false
	}
}

// tensor reads a tensor into the file; it reports false when something cannot be read.
func (r *configReader) tensor(name string, v doctree.Value) bool {
	d := rules.Descriptor{Name: name}
	r.clear(&d, false)
	if v.Kind() != doctree.Object {
		r.value(v, "a tensor, an object with keys")
		return false
	}
	_, r.open = v.Get("file")
	seen := r.fields(v)
	if r.inFile(&seen); r.ok || !r.open {
		r.complete(v, &seen)
	}
	if !r.ok {
		return false
	}
	d.Computed = !d.Total.Stated
	if d.Role == rules.UnknownRole {
		d.Role = rules.RoleOf(d.Operator, d.Slot)
	}
	d.Source = &fieldSource{v, configNames}
	r.file.Descriptors = append(r.file.Descriptors, d)
	if m := seen[rules.ExpectPart]; m.Exists() {
		r.expects = append(r.expects, expected{len(r.file.Descriptors) - 1, m})
	}
	return true
}

// fields reads the fields of a tensor, and returns them.
func (r *configReader) fields(v doctree.Value) (seen [rules.PartCount]doctree.Value) {
	var meant [rules.PartCount]doctree.Value
	for m := range v.Items {
		f := fieldOf(m, configNames)
		switch {
		case f.Part == rules.Whole:
			known := rules.NamesIn(configNames)
			r.unknown(m, "a tensor", known)
			meant[rules.FieldOf([]byte(r.near(m.Key(), known)), configNames).Part] = m
		case seen[f.Part].Exists():
			r.twice(m)
		default:
			seen[f.Part] = m
			r.read(f.Part, f.In, m)
		}
	}
	for _, part := range [...]rules.Part{rules.TypePart, rules.SizesPart} {
		if !seen[part].Exists() && meant[part].Exists() {
			seen[part], r.ok = meant[part], false // it is misspelt, not missing
		}
	}
	return seen
}

// inFile takes what the tensor does not state from the file that it is in, and compares what it states with that.
func (r *configReader) inFile(seen *[rules.PartCount]doctree.Value) {
	file, tensor := seen[rules.FilePart], seen[rules.TensorPart]
	path, name := "", ""
	if file.Exists() {
		path = r.text(file, "the path of a file")
	}
	if tensor.Exists() {
		name = r.text(tensor, "the name of a tensor")
	}
	switch {
	case tensor.Exists() && !file.Exists():
		r.wrong(rules.ConfigKey, keyLocator{tensor}, "file: PATH", "tensor names one of a file, and no file is named")
		return
	case !file.Exists() || !r.ok:
		return
	}
	a := rules.Artefact{Missing: rules.Finding{Rule: rules.ArtefactMissing, Message: "files are not looked for here"}}
	if r.artefacts != nil {
		a = r.artefacts(path, name)
	}
	for _, f := range a.Wrong {
		r.find(f.Rule, file, r.d.Name, f.Fix, "%s: %s", quote(path), f.Message)
	}
	if f := a.Missing; f.Message != "" {
		at := file
		if tensor.Exists() && a.OfName {
			at = tensor
		}
		r.wrong(f.Rule, at, f.Fix, "%s: %s", quote(path), f.Message)
		return
	}
	if seen[rules.SizesPart].Exists() && r.d.Sizes == nil {
		r.d.Sizes = []int64{} // a scalar
	}
	r.ok = a.Fill(r.d, func(id rules.ID, part rules.Part, fix, msg string) {
		at := seen[part]
		if !at.Exists() {
			at = file
		}
		r.find(id, at, r.d.Name, fix, "%s", msg)
	})
}

// complete reports what a tensor lacks, or states twice.
func (r *configReader) complete(v doctree.Value, seen *[rules.PartCount]doctree.Value) {
	if m := seen[rules.LayoutPart]; m.Exists() && seen[rules.StridesPart].Exists() && len(r.strides) > 0 {
		r.wrong(rules.ConfigValue, m, "expect: {layout: "+r.d.Layout+"} holds the strides against it",
			"the strides are stated, so that the layout can only be expected")
	}
	if r.open {
		return // the file says it
	}
	if !seen[rules.TypePart].Exists() {
		r.wrong(rules.ConfigKey, keyLocator{v}, "such as dtype: float32", "the tensor has no dtype")
	}
	if !seen[rules.SizesPart].Exists() {
		r.wrong(rules.ConfigKey, keyLocator{v}, "such as sizes: 1x3x224x224", "the tensor has no sizes")
	}
}

// expect reads what is expected of a tensor.
func (r *configReader) expect(e expected) {
	r.clear(&rules.Descriptor{Name: r.file.Descriptors[e.tensor].Name}, false)
	x := rules.Expectation{Tensor: e.tensor, SameAs: unread, At: expectSource{e.v}}
	members := r.members(e.v, "what is expected", expectKeys[:])
	if m := members[0]; m.Exists() {
		x.Layout = r.text(m, "the name of a layout")
	}
	if m := members[1]; m.Exists() {
		x.Packed = r.verdict(m)
	}
	if m := members[2]; m.Exists() {
		x.MaxBytes = r.number(m, math.MaxInt64)
	}
	if m := members[3]; m.Exists() {
		r.read(rules.StridesPart, rules.ConfigNames, m)
		x.Strides = r.strides
	}
	if m := members[4]; m.Exists() {
		if x.SameAs = r.named(m); x.SameAs == e.tensor {
			r.wrong(rules.ConfigValue, m, "", "a tensor is always the same as itself")
		}
	}
	if r.ok {
		r.file.Config.Expectations = append(r.file.Config.Expectations, x)
	}
	r.d = nil
}

// An expectSource knows where what is expected of a tensor is.
type expectSource struct{ v doctree.Value }

// Place returns the place of what a rule holds the tensor against.
func (s expectSource) Place(rule rules.ID) rules.Place {
	for i, id := range [...]rules.ID{
		rules.ExpectLayout, rules.ExpectPacked, rules.ExpectMaxBytes, rules.ExpectStrides, rules.ExpectSameAs,
	} {
		if m, ok := s.v.Get(expectKeys[i]); ok && id == rule {
			return m.Place()
		}
	}
	return s.v.Place()
}

// edge reads {from: a, to: b}, or [a, b].
func (r *configReader) edge(v doctree.Value) {
	r.clear(nil, false)
	tensors := [2]int{unread, unread}
	for i, end := range r.ends(v) {
		switch {
		case end.Exists():
			tensors[i] = r.named(end)
		case v.Kind() == doctree.Object:
			r.wrong(rules.ConfigKey, v, "{from: one, to: other}", "the edge has no key %s", edgeKeys[i])
		}
	}
	if tensors[0] == tensors[1] && tensors[0] != unread {
		r.wrong(rules.ConfigValue, v, "", "the edge joins a tensor to itself")
	}
	if r.ok && tensors[0] != unread && tensors[1] != unread {
		r.file.Config.Edges = append(r.file.Config.Edges, rules.Edge{From: tensors[0], To: tensors[1], At: v})
	}
}

// ends returns the two ends of an edge; the zero Value for those that are missing.
func (r *configReader) ends(v doctree.Value) (ends [2]doctree.Value) {
	if v.Kind() != doctree.Array {
		members := r.members(v, "an edge", edgeKeys[:])
		return [2]doctree.Value(members[:2])
	}
	if n := v.Len(); n != len(ends) {
		r.wrong(rules.ConfigValue, v, "[from, to]", "an edge has two ends, and this has %d", n)
		return ends
	}
	i := 0
	for item := range v.Items {
		ends[i] = item
		i++
	}
	return ends
}

// named returns the tensor of a name.
func (r *configReader) named(v doctree.Value) int {
	name := r.text(v, "the name of a tensor")
	if i, known := r.names[name]; known {
		return i
	}
	if v.Kind() == doctree.String {
		r.wrong(rules.ConfigValue, v, r.nearTensor(name), "there is no tensor %s", quote(name))
	}
	return unread
}

// nearTensor says which tensor's name is most like a word. Among very many that takes too long.
func (r *configReader) nearTensor(word string) string {
	if len(r.names) > 1000 {
		return ""
	}
	known := make([]string, 0, len(r.names))
	for i := range r.file.Descriptors {
		known = append(known, r.file.Descriptors[i].Name)
	}
	return r.meant(word, known)
}

// verdict reads true or false.
func (r *configReader) verdict(v doctree.Value) facts.Verdict {
	switch {
	case v.Kind() != doctree.Bool:
		r.value(v, "true or false")
	case strings.EqualFold(v.Text(), "true"):
		return facts.Yes
	default:
		return facts.No
	}
	return facts.Unknown
}
