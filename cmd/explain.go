package cmd

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/shape"
	"layoutcalc/render"
)

func (a *app) newExplain() *cobra.Command {
	var out output
	c := &cobra.Command{
		Use:   "explain [RULE | NOTATION | DTYPE | LAYOUT | WORD]",
		Short: "Explain rules, notations, types, layouts and words",
		Long: "Alone it lists what there is. Whatever an answer prints can be explained: rules by their name or " +
			"a part of it, notations with what they can say and what not, types with what each system calls " +
			"them, layouts, letters of axes, and words.",
		Example: `layoutcalc explain
layoutcalc explain overlap-output
layoutcalc explain cute
layoutcalc explain bf16
layoutcalc explain NHWC`,
		Args: func(c *cobra.Command, args []string) error { return noArguments(c, args[min(len(args), 1):]) },
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.printer(&out).Topics(topics())
			}
			t, err := topic(args[0])
			if err != nil {
				if list := topicsNamed(args[0]); list != nil {
					return a.printer(&out).Topics(list)
				}
				return err
			}
			return a.printer(&out).Explanation(t)
		},
		ValidArgsFunction: onlyFirst(completeTopics("")),
	}
	out.addForm(a, c)
	return c
}

// topicsNamed lists what has a part of a name: all rules about overlap.
func topicsNamed(part string) (list []render.Topic) {
	if len(part) < 3 {
		return nil
	}
	for _, t := range topics() {
		if strings.Contains(t.Name, strings.ToLower(part)) {
			list = append(list, t)
		}
	}
	return list
}

// topics lists what can be explained.
func topics() []render.Topic {
	var list []render.Topic
	for _, n := range notation.All() {
		list = append(list, notationTopic(n))
	}
	for _, r := range rules.All() {
		t := ruleTopic(r)
		t.Title = r.Severity.String() + ": " + t.Title
		list = append(list, t)
	}
	for d := range layout.DTypes {
		list = append(list, typeTopic(d))
	}
	for name, about := range shape.LayoutNames {
		list = append(list, newTopic("layout", name, about))
	}
	for _, a := range axisWords {
		list = append(list, newTopic("axis", a.letter, a.meaning))
	}
	for _, t := range glossary {
		list = append(list, newTopic("word", t.name, t.meaning))
	}
	return list
}

// topic finds the topic of a name: a rule, a notation, a type in any spelling, a word of answers, or a layout.
func topic(name string) (render.Topic, error) {
	if id, err := rules.Find(name); err == nil {
		return ruleTopic(*id.Rule()), nil
	}
	if n, err := notation.Find(name); err == nil {
		return notationTopic(n), nil
	}
	if d, err := layout.ParseDType(name); err == nil {
		return typeTopic(d), nil
	}
	if t, ok := wordTopic(name); ok {
		return t, nil
	}
	if t, ok := layoutTopic(name); ok {
		return t, nil
	}
	var known []string
	for _, t := range topics() {
		known = append(known, t.Name)
	}
	const hint = "layoutcalc explain lists what there is"
	err := refuse("there is nothing to explain by the name "+render.Quote(name), hint)
	return render.Topic{}, err.DidYouMean(name, scan.Likely(name, known))
}

// newTopic returns a topic with those parts that have a text: pairs of a name and a text. The name of code ends in a
// colon.
func newTopic(kind, name, title string, parts ...string) render.Topic {
	t := render.Topic{Kind: kind, Name: name, Title: title}
	for pair := range slices.Chunk(parts, 2) {
		if name, isCode := strings.CutSuffix(pair[0], ":"); pair[1] != "" {
			t.Parts = append(t.Parts, render.Part{Name: name, Text: pair[1], Code: isCode})
		}
	}
	return t
}

func notationTopic(n *notation.Notation) render.Topic {
	return newTopic("notation", n.Name, n.Title,
		"example:", n.Example, "grammar:", n.Grammar, "can", n.Can, "cannot", n.Cannot)
}

func ruleTopic(r rules.Rule) render.Topic {
	var families []string
	for _, family := range r.Families {
		families = append(families, family.String())
	}
	return newTopic("rule", r.Name, r.What,
		"severity", r.Severity.String(), "targets", cmp.Or(strings.Join(families, ", "), "all"), "why", r.Why,
		"limit", r.Limit, "source", r.Source, "fix", r.Fix, render.Fails+":", r.Bad, render.Passes+":", r.Good)
}

// typeTopic tells a type's size and what each ecosystem calls it.
func typeTopic(d layout.DType) render.Topic {
	i := d.Info()
	return newTopic("type", d.String(), render.DType(d),
		"bits", strconv.FormatInt(i.Bits, 10), "directml", i.DirectML, "pytorch", i.PyTorch, "fx", i.FX,
		"numpy", i.NumPy, "onednn", i.OneDNN, "xla", i.XLA, "mlir", i.MLIR, "safetensors", i.Safetensors,
		"onnx", i.ONNX, "gguf", i.GGUF, "others", strings.Join(strings.Fields(i.Others), ", "))
}
