package cmd

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/scan"
	"layoutcalc/render"
)

func (a *app) newExplain() *cobra.Command {
	var out output
	c := &cobra.Command{
		Use:   "explain [RULE | NOTATION | DTYPE]",
		Short: "Explain a rule, a notation or an element type; alone, list them",
		Example: `layoutcalc explain
layoutcalc explain overlap-output
layoutcalc explain cute
layoutcalc explain bf16`,
		Args: func(c *cobra.Command, args []string) error { return noArguments(c, args[min(len(args), 1):]) },
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.printer(&out).Topics(topics())
			}
			t, err := topic(args[0])
			if err != nil {
				return err
			}
			return a.printer(&out).Explanation(t)
		},
		ValidArgsFunction: completeTopics,
	}
	out.addForm(a, c)
	return c
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
	return list
}

// topic finds the topic of a name: a rule, a notation, or a type in any spelling.
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
	var known []string
	for _, t := range topics() {
		known = append(known, t.Name)
	}
	hint := "layoutcalc explain lists what there is"
	if near := scan.Nearest(name, known); near != "" {
		hint = "did you mean " + near + "?"
	}
	return render.Topic{}, &usageError{"there is nothing to explain by the name " + render.Quote(name), hint}
}

func notationTopic(n *notation.Notation) render.Topic {
	return render.Topic{Kind: "notation", Name: n.Name, Title: n.Title, Parts: []render.Part{
		{Name: "example", Text: n.Example, Code: true},
		{Name: "grammar", Text: n.Grammar, Code: true},
		{Name: "can", Text: n.Can},
		{Name: "cannot", Text: n.Cannot},
	}}
}

// ruleTopic tells all that the table has of a rule.
func ruleTopic(r rules.Rule) render.Topic {
	t := render.Topic{Kind: "rule", Name: r.Name, Title: r.What}
	families := "all"
	if len(r.Families) > 0 {
		names := make([]string, len(r.Families))
		for i, family := range r.Families {
			names[i] = family.String()
		}
		families = strings.Join(names, ", ")
	}
	for _, part := range []render.Part{
		{Name: "severity", Text: r.Severity.String()},
		{Name: "targets", Text: families},
		{Name: "why", Text: r.Why},
		{Name: "limit", Text: r.Limit},
		{Name: "source", Text: r.Source},
		{Name: "fix", Text: r.Fix},
		{Name: "fails", Text: r.Bad, Code: true},
		{Name: "passes", Text: r.Good, Code: true},
	} {
		if part.Text != "" {
			t.Parts = append(t.Parts, part)
		}
	}
	return t
}

// typeTopic tells a type's size and what each ecosystem calls it.
func typeTopic(d layout.DType) render.Topic {
	i := d.Info()
	t := render.Topic{Kind: "type", Name: d.String(), Title: render.DType(d)}
	for _, part := range []render.Part{
		{Name: "bits", Text: strconv.FormatInt(i.Bits, 10)},
		{Name: "directml", Text: i.DirectML},
		{Name: "pytorch", Text: i.PyTorch},
		{Name: "fx", Text: i.FX},
		{Name: "numpy", Text: i.NumPy},
		{Name: "onednn", Text: i.OneDNN},
		{Name: "xla", Text: i.XLA},
		{Name: "mlir", Text: i.MLIR},
		{Name: "safetensors", Text: i.Safetensors},
		{Name: "onnx", Text: i.ONNX},
		{Name: "gguf", Text: i.GGUF},
		{Name: "others", Text: strings.Join(strings.Fields(i.Others), ", ")},
	} {
		if part.Text != "" {
			t.Parts = append(t.Parts, part)
		}
	}
	return t
}

func completeTopics(c *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return cobra.NoFileCompletions(c, args, word)
	}
	var names []cobra.Completion
	for _, t := range topics() {
		names = append(names, cobra.CompletionWithDesc(t.Name, t.Title))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
