package descfile

import (
	"fmt"

	"layoutcalc/layout/doctree"
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
// something cannot be read is not held against rules: it is not what was meant.
func Config(t *doctree.Tree) *rules.File {
	r := configReader{file: &rules.File{Kind: configKind, Config: &rules.Config{}}}
	r.report, r.most = r.keep, maxFindings
	r.root(t.Root())
	r.summarise()
	r.file.Config.Tensors = r.file.Descriptors
	return r.file
}

// A configReader fills a file.
type configReader struct {
	fieldReader
	file    *rules.File
	names   map[string]int // which of the descriptors a tensor is, or unread
	expects []expected
}

// unread is a tensor of which something cannot be read.
const unread = -1

// An expected is what a tensor is expected to be like, before all tensors are known.
type expected struct {
	tensor int
	v      doctree.Value
}

func (r *configReader) keep(f rules.Finding) { r.file.Findings = append(r.file.Findings, f) }

// summarise says how many findings were not kept.
func (r *configReader) summarise() {
	for id, n := range r.found {
		if id := rules.ID(id); int(n) > maxFindings {
			r.file.Findings = append(r.file.Findings, rules.Finding{Rule: id, Severity: id.Rule().Severity, Message: fmt.Sprintf("%d more findings of this rule", int(n)-maxFindings)})
		}
	}
}

// root reads the configuration. One of another version has other keys, and is not read.
func (r *configReader) root(v doctree.Value) {
	if version, ok := v.Get("version"); ok {
		if n, ok := version.Int(); !ok || n != 1 {
			r.wrong(rules.ConfigValue, version, "version: 1", "%s is no version that is known here, which is 1", quote(version.Text()))
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
	if edges := members[3]; edges.Exists() {
		r.edges(edges)
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
	r.find(rules.ConfigKey, keyLocator{m}, r.near(m.Key(), known), "%s is no key of %s", quote(m.Key()), what)
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
	most := countTensors(v)
	if most > MaxTensors {
		r.wrong(rules.ConfigValue, v, "", "%d tensors are more than %d, which a configuration may have", most, MaxTensors)
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
		r.d = nil
	}
}

// countTensors counts the tensors that can be read at most: those that have dtype and sizes.
func countTensors(tensors doctree.Value) int {
	n := 0
	for m := range tensors.Items {
		if m.Kind() == doctree.Object && m.Len() >= 2 {
			n++
		}
	}
	return n
}
