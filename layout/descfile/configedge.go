package descfile

import (
	"strings"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/rules"
)

// edges reads what joins tensors.
func (r *configReader) edges(v doctree.Value) {
	if v.Kind() != doctree.Array {
		r.value(v, "a list of edges")
		return
	}
	for item := range v.Items {
		r.edge(item)
	}
}

// edge reads {from: a, to: b}, or [a, b].
func (r *configReader) edge(v doctree.Value) {
	r.clear(nil)
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
	i, known := r.names[name]
	if !known && v.Kind() == doctree.String {
		r.wrong(rules.ConfigValue, v, r.nearTensor(name), "there is no tensor %s", quote(name))
	}
	if !known {
		return unread
	}
	return i
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
	return r.near(word, known)
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
