package cmd

import (
	"embed"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/render"
)

// scripts has a script for each shell. Those of cobra evaluate what is on the line, and the one for bash needs the
// package bash-completion.
//
//go:embed completion.bash completion.zsh completion.fish completion.powershell
var scripts embed.FS

func (a *app) newCompletion() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print the script that makes a shell complete words",
		Long: "The script completes commands, flags, layouts, types, notations, axes and files. Put its line into " +
			"the file that your shell reads when it starts: ~/.bashrc, ~/.zshrc, ~/.config/fish/config.fish, or " +
			"the file that $PROFILE names in PowerShell.\n\n" +
			"bash needs no other package. In zsh the line comes after these two, if ~/.zshrc does not have them: " +
			"autoload -U compinit; compinit",
		Example: `source <(layoutcalc completion bash)
source <(layoutcalc completion zsh)
layoutcalc completion fish | source
layoutcalc completion powershell | Out-String | Invoke-Expression`,
		ValidArgsFunction: onlyFirst(fixed(shells...)),
		Args:              a.needArguments,
		RunE: func(c *cobra.Command, args []string) error {
			err := noArguments(c, args[1:])
			if err != nil {
				return err
			}
			script, err := scripts.ReadFile("completion." + args[0])
			if err != nil {
				hint := "the shells are " + strings.Join(shells, ", ")
				return refuse("no completion for "+render.Quote(args[0]), hint)
			}
			_, err = a.streams.Out.Write(script)
			return render.WriteFailed("", err)
		},
	}
}
