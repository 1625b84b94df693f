package cmd

import (
	"github.com/spf13/cobra"
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
