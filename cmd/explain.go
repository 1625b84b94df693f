package cmd

import (
	"github.com/spf13/cobra"
)

// explainCommand makes c the command explain.
func (a *app) explainCommand(c *cobra.Command) {
	var out output
	c.Args = atMostOne
	c.RunE = func(_ *cobra.Command, args []string) error {
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
	}
	c.ValidArgsFunction = onlyFirst(completeTopics(""))
	out.addForm(c)
}
