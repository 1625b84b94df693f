package descfile

import (
	"fmt"
	"strconv"
	"strings"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/scan"
)

// The kind of a file of DxDispatch's, and the prefixes that its parser lets one leave out.
const (
	dxKind     = "dxdispatch"
	dxType     = "DML_TENSOR_DATA_TYPE_"
	dxFlag     = "DML_TENSOR_FLAG_"
	dxBuffer   = "DML_TENSOR_TYPE_BUFFER"
	dxOperator = "DML_OPERATOR_"
)

// IsDxDispatch reports whether the tree is a DxDispatch model, or one of its tensor descriptors
// alone, or a list of such.
func IsDxDispatch(t *doctree.Tree) bool {
	root := t.Root()
	if root.Kind() == doctree.Array {
		for item := range root.Items {
			return isDxTensor(item)
		}
		return false
	}
	for _, member := range [...]string{"resources", "dispatchables", "commands"} {
		if _, ok := root.Get(member); ok {
			return true
		}
	}
	return isDxTensor(root)
}

// isDxTensor knows a descriptor by its fields; those of an operator have other names for one of
// the two.
func isDxTensor(v doctree.Value) bool {
	if desc, ok := v.Get("Desc"); ok {
		v = desc
	}
	_, typed := v.Get("DataType")
	_, sized := v.Get("Sizes")
	return typed && sized
}

// DxDispatch returns what a DxDispatch model says of tensors, as the program's parser reads it:
// the first of two members of one name counts, names are case-sensitive, and unknown ones are
// ignored. A model may have a member target, and a descriptor alone role ("input" or "output") and
// target: with one it is a program's own, not DxDispatch's, so that nothing computes a total of 0.
func DxDispatch(t *doctree.Tree) *rules.File {
	r := dxReader{f: &rules.File{Kind: dxKind, Target: rules.Target{Family: rules.DirectML}}, again: map[doctree.Value]bool{}}
	r.duplicates(t)
	switch root := t.Root(); {
	case isDxTensor(root):
		r.alone(root, "")
	case root.Kind() == doctree.Array:
		i := 0
		for item := range root.Items {
			r.alone(item, fmt.Sprintf("[%d]", i))
			i++
		}
	default:
		r.model(root)
	}
	r.connect()
	r.summarise()
	ReadIgnores(r.f, t)
	return r.f
}

// A dxReader fills a file.
type dxReader struct {
	f     *rules.File
	again map[doctree.Value]bool // members whose name has been there before
	spans []dxSpan
	count [256]int // findings by rule
	hints int      // how many near names were looked for

	targeted bool // the text names a target
}

// foreign reports whether the target is not DirectML, so that numbers need not fit its fields.
func (r *dxReader) foreign() bool { return r.f.Target.Family != rules.DirectML }

// A dxSpan says which descriptors of the file a slot of an operator has.
type dxSpan struct {
	op         *rules.Operator
	slot, from int
	to         int
}

// connect points the slots of operators to their descriptors, now that those stay where they are.
func (r *dxReader) connect() {
	for _, s := range r.spans {
		slot := &s.op.Slots[s.slot]
		for i := s.from; i < s.to; i++ {
			slot.Tensors = append(slot.Tensors, &r.f.Descriptors[i])
		}
	}
}

// find adds a finding with the rule's own severity. Of each rule the first thousand are kept.
func (r *dxReader) find(id rules.ID, at rules.Locator, tensor, fix, format string, args ...any) {
	if r.count[id]++; r.count[id] > maxFindings {
		return
	}
	r.f.Findings = append(r.f.Findings, rules.Finding{Rule: id, Severity: id.Rule().Severity, Place: at.Place(), Tensor: tensor, Message: fmt.Sprintf(format, args...), Fix: fix})
}

// summarise says how many findings were not kept.
func (r *dxReader) summarise() {
	for id, n := range r.count {
		if id := rules.ID(id); n > maxFindings {
			r.f.Findings = append(r.f.Findings, rules.Finding{Rule: id, Severity: id.Rule().Severity, Message: fmt.Sprintf("%d more findings of this rule", n-maxFindings)})
		}
	}
}

// wrong reports a member of the wrong kind.
func (r *dxReader) wrong(v doctree.Value, tensor, want string) {
	r.find(rules.JSONField, v, tensor, "", "%s is expected here, and this is %v", want, v.Kind())
}

// lacks reports a member that must be there.
func (r *dxReader) lacks(v doctree.Value, tensor, name string) {
	r.find(rules.JSONField, v, tensor, "", "the member %q is required", name)
}

// duplicates finds the members whose name has been there before in their object.
func (r *dxReader) duplicates(t *doctree.Tree) {
	seen := map[string]bool{}
	for object := range t.All {
		if object.Kind() != doctree.Object {
			continue
		}
		clear(seen)
		for m := range object.Items {
			if name := m.Key(); seen[name] {
				r.again[m] = true
				r.find(rules.JSONDupKey, keyLocator{m}, "", "", "%s is there before: the program takes the first, and ignores this one", dxQuote(name))
			} else {
				seen[name] = true
			}
		}
	}
}

// members yields the members of an object that the program finds.
func (r *dxReader) members(v doctree.Value) func(func(doctree.Value) bool) {
	return func(yield func(doctree.Value) bool) {
		if v.Kind() != doctree.Object {
			return
		}
		for m := range v.Items {
			if !r.again[m] && !yield(m) {
				return
			}
		}
	}
}

// near returns the known name that is most like a word. Looking is slow, so it is only done for
// the first hundred.
func (r *dxReader) near(word string, known []string) string {
	if r.hints++; r.hints > 100 {
		return ""
	}
	return scan.Nearest(word, known)
}

// dxQuote writes a word of the text for a message.
func dxQuote(word string) string {
	if len(word) > 40 {
		word = strings.ToValidUTF8(word[:40], "") + "..."
	}
	return strconv.Quote(word)
}

// dxName shortens a name that each of many tensors repeats.
func dxName(name string) string {
	if len(name) > 40 {
		return strings.ToValidUTF8(name[:40], "") + "..."
	}
	return name
}

// target reads whose rules hold, the first time that it is said.
func (r *dxReader) target(v doctree.Value, tensor string) bool {
	m, ok := v.Get("target")
	if !ok || r.targeted {
		return ok
	}
	target, err := rules.ParseTarget(m.Text())
	if err != nil {
		r.find(rules.JSONField, m, tensor, hint(err), "%v", err)
		return true
	}
	r.f.Target, r.targeted = target, true
	return true
}

// alone reads a descriptor that belongs to no operator.
func (r *dxReader) alone(v doctree.Value, name string) {
	d := rules.Descriptor{Name: name, Computed: !r.target(v, name)}
	if m, ok := v.Get("role"); ok {
		switch {
		case m.Is("input"):
			d.Role = rules.Input
		case m.Is("output"):
			d.Role = rules.Output
		default:
			r.find(rules.JSONField, m, name, `"input" or "output"`, "%s is no role", dxQuote(m.Text()))
		}
	}
	r.tensor(v, d)
}
