package cmd

import (
	"embed"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/render"
)

// scripts has a script for each shell. Cobra's scripts evaluate the words of the line, and need the package
// bash-completion.
//
//go:embed completion.bash completion.zsh completion.fish completion.powershell
var scripts embed.FS

// completionCommand makes c the command completion.
func (a *app) completionCommand(c *cobra.Command) {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	c.ValidArgsFunction = onlyFirst(fixed(shells...))
	c.Args = a.needArguments
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := atMostOne(c, args); err != nil {
			return err
		}
		script, err := scripts.ReadFile("completion." + args[0])
		if err != nil {
			hint := "the shells are " + strings.Join(shells, ", ")
			return refuse("no completion for "+render.Quote(args[0]), hint)
		}
		_, err = a.streams.Out.Write(script)
		return render.WriteFailed("", err)
	}
}
