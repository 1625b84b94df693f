package cmd

import (
	"slices"

	"github.com/spf13/cobra"
)

// A command has a section in help.md, and a function that adds its flags and its action.
type command struct {
	name     string
	complete func(*app, *cobra.Command)
}

// commands lists the commands.
var commands = [...]command{
	{"strides", (*app).stridesCommand},
	{"offset", (*app).offsetCommand},
	{"size", (*app).sizeCommand},
	{"convert", (*app).convertCommand},
	{"view", (*app).viewCommand},
	{"compare", (*app).compareCommand},
	{"owner", (*app).ownerCommand},
	{"access", (*app).accessCommand},
	{"algebra", (*app).algebraCommand},
	{"check", (*app).checkCommand},
	{"explain", (*app).explainCommand},
	{"version", (*app).versionCommand},
	{"completion", (*app).completionCommand},
	{"man", (*app).manCommand},
}

// make creates the command for a run of the program.
func (c command) make(a *app) *cobra.Command {
	made := described(c.name)
	c.complete(a, made)
	return made
}

// commandAt returns the index of the command with a name, or a negative number.
func commandAt(name string) int {
	return slices.IndexFunc(commands[:], func(c command) bool { return c.name == name })
}

func isCommand(word string) bool { return commandAt(word) >= 0 }

// commandNames returns the names of the commands.
func commandNames() (names []string) {
	for _, c := range commands {
		names = append(names, c.name)
	}
	return names
}

// withFlag returns the names of the commands that have a flag.
func withFlag(name string) (names []string) {
	for _, c := range commands {
		if c.name != "man" && c.make(&app{}).Flags().Lookup(name) != nil {
			names = append(names, c.name)
		}
	}
	return names
}
