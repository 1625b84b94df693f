package cmd

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
)

// unknownCommand returns the error for an unknown command.
func unknownCommand(name string) error {
	known := commandNames()
	err := refuse("unknown command "+render.Quote(name), "the commands are "+strings.Join(known, ", "))
	if isTopic := func(t helpTopic) bool { return t.name == name }; slices.ContainsFunc(helpTopics[:], isTopic) {
		err.Hint = "layoutcalc help " + name
	} else if meant := suggest.CommandFor(name, known); meant != "" {
		err.Hint = "did you mean " + meant + "?"
	}
	return suggest.About(err, suggest.Command, name)
}

// flagError converts pflag's error about a flag to our words.
func (a *app) flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var syntax *pflag.InvalidSyntaxError
	var value *pflag.InvalidValueError
	see := c.CommandPath() + " --help"
	if a.isChosen {
		see = "layoutcalc --help"
	}
	switch {
	case errors.As(err, &unknown):
		return suggest.About(unknownFlag(c, unknown, see), suggest.Flag, unknown.GetSpecifiedName())
	case errors.As(err, &missing):
		f := missing.GetFlag()
		describeFlags(c)
		kind, about := pflag.UnquoteUsage(f)
		return refuse("--"+f.Name+" needs a value", "--"+f.Name+" "+kind+": "+about)
	case errors.As(err, &syntax):
		return refuse("bad flag "+render.Quote(syntax.GetSpecifiedFlag()), see)
	case errors.As(err, &value):
		f := value.GetFlag()
		flag := "--" + f.Name
		if slices.Contains(a.args, "-"+f.Shorthand) {
			flag = "-" + f.Shorthand
		}
		return suggest.About(value, suggest.Value, flag, f.Name, value.GetValue())
	}
	return err
}

// unknownFlag returns the error for an unknown flag.
func unknownFlag(c *cobra.Command, err *pflag.NotExistError, see string) error {
	name := err.GetSpecifiedName()
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	if shorts := err.GetSpecifiedShortnames(); shorts != "" {
		if '0' <= shorts[0] && shorts[0] <= '9' {
			err := refuse("-"+render.Quote(shorts)+" looks like a flag",
				"put numbers that start with a minus sign in brackets: [-3,1]")
			return suggest.About(err, suggest.Negative, "-"+shorts)
		}
		err := refuse("unknown flag -"+render.Quote(name), see)
		return suggest.About(err, suggest.Letter, append([]string{"-" + shorts}, known...)...)
	}
	if others := withFlag(name); len(others) > 0 && !slices.Contains(known, name+"s") {
		have := " has it"
		if len(others) > 1 {
			have = " have it"
		}
		err := refuse(c.Name()+" has no flag --"+name+"; "+strings.Join(others, ", ")+have, "remove it")
		return suggest.About(suggest.About(err, suggest.Other, others...), suggest.Flag, name)
	}
	wrong := refuse("unknown flag --"+render.Quote(name), see)
	if near := wording.Likely(name, known); near != "" {
		wrong.DidYouMean("--"+name, "--"+near)
	}
	return wrong
}
