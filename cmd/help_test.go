package cmd

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"layoutcalc/render/draw"
)

// TestDescribed checks that help.md describes each command, argument and flag, and nothing else, and that each command
// is in one group.
func TestDescribed(t *testing.T) {
	a := &app{lists: true, streams: Streams{Env: func(string) string { return "" }}}
	root := a.newRoot()
	flags, words := map[string]bool{}, map[string]bool{}
	grouped := " "
	for _, group := range definitions("Groups of commands") {
		grouped += group.meaning + " "
	}
	for _, c := range commands {
		made := c.make(a)
		root.AddCommand(made)
		describeFlags(made)
		if made.Name() != c.name || made.Short == "" || made.Long == "" || made.Example == "" {
			t.Errorf("%s: the section of help.md is not complete", c.name)
		}
		usage, described := capitals(made.Use), arguments(made)
		for i, word := range usage {
			words[word] = true
			if i >= len(described) || described[i].name != word || described[i].meaning == "" {
				t.Errorf("%s: the help describes %v, and the usage has %v", c.name, described, usage)
			}
		}
		for _, d := range definitions("Arguments of " + c.name) {
			if !slices.Contains(usage, d.name) {
				t.Errorf("help.md has the argument %s, which %s does not have", d.name, c.name)
			}
		}
		check := func(f *pflag.Flag) {
			flags[f.Name] = true
			if f.Usage == "" {
				t.Errorf("%s --%s has no words in help.md", c.name, f.Name)
			}
		}
		made.Flags().VisitAll(check)
		root.PersistentFlags().VisitAll(check)
		for _, d := range definitions("Flags of " + c.name) {
			if made.Flag(d.name) == nil {
				t.Errorf("help.md has --%s, which %s does not have", d.name, c.name)
			}
		}
	}
	for _, common := range definitions("Short help") {
		c, _, err := root.Find([]string{common.name})
		if err != nil {
			t.Error(err)
			continue
		}
		for name := range strings.FieldsSeq(common.meaning) {
			if c.Flag(name) == nil {
				t.Errorf("the short help of %s has --%s, which it does not have", common.name, name)
			}
		}
	}
	for _, c := range commands {
		if strings.Count(grouped, " "+c.name+" ") != 1 {
			t.Errorf("the groups of commands do not have %s once", c.name)
		}
	}
	for _, d := range definitions("Arguments") {
		if !words[d.name] {
			t.Errorf("help.md has the argument %s, which no usage has", d.name)
		}
	}
	for _, d := range definitions("Flags") {
		if !flags[d.name] {
			t.Errorf("help.md has --%s, which no command has", d.name)
		}
		if limit := strconv.Itoa(draw.DefaultCells); d.name == "cells" && !strings.Contains(d.meaning, limit) {
			t.Errorf("--cells: %s, and the default is %s", d.meaning, limit)
		}
	}
}

// TestExamplesFit checks that each example of the help fits on a line of a terminal with 80 columns.
func TestExamplesFit(t *testing.T) {
	names := commandNames()
	for _, topic := range helpTopics {
		names = append(names, "help "+topic.name)
	}
	for _, name := range names {
		for example := range strings.SplitSeq(described(name).Example, "\n") {
			var b bytes.Buffer
			writeExamples(&b, []string{example})
			if line := strings.TrimSuffix(b.String(), "\n"); len(line) > 80 {
				t.Errorf("%s: %d columns: %s", name, len(line), line)
			}
		}
	}
}
