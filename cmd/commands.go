package cmd

import "github.com/spf13/cobra"

// commands lists the commands.
var commands = [...]struct {
	name string
	make func(*app) *cobra.Command
}{
	{"strides", (*app).newStrides},
	{"offset", (*app).newOffset},
	{"size", (*app).newSize},
	{"convert", (*app).newConvert},
	{"view", (*app).newView},
	{"compare", (*app).newCompare},
	{"check", (*app).newCheck},
	{"explain", (*app).newExplain},
	{"version", (*app).newVersion},
	{"completion", (*app).newCompletion},
	{"man", (*app).newMan},
}

// commandNames returns the names of the commands.
func commandNames() (names []string) {
	for _, c := range commands {
		names = append(names, c.name)
	}
	return names
}

func isCommand(word string) bool {
	for _, c := range commands {
		if c.name == word {
			return true
		}
	}
	return false
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
