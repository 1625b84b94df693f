package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"layoutcalc/layout/view"
	"layoutcalc/render"
)

// help prints the help of a command, its examples first: all of it, or what is used most where -h asks for it.
func (a *app) help(c *cobra.Command, _ []string) {
	var b strings.Builder
	examples, short := strings.Split(c.Example, "\n"), slices.Contains(a.args, "-h")
	if short {
		examples = examples[:min(len(examples), 3)]
	}
	b.WriteString(c.Short + ".\n\n")
	writeExamples(&b, examples)
	b.WriteString("\nUsage: layoutcalc " + useLine(c) + "\n")
	if !short {
		writeArguments(&b, c.Use)
	}
	if c.HasSubCommands() {
		b.WriteString("\nCommands:\n")
	}
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			fmt.Fprintf(&b, "  %-11s %s\n", sub.Name(), sub.Short)
		}
	}
	width := a.columns(a.streams.Out)
	if short {
		writeFlags(&b, c, "Flags", commonFlags, width)
		b.WriteString("\n" + c.CommandPath() + " --help says more\n")
	} else {
		writeAllFlags(&b, c, width)
	}
	_, a.helpErr = io.WriteString(a.streams.Out, b.String())
}

// commonFlags are those that are used most.
const commonFlags = "at range to in out target fail-on report strides pitch dtype output as"

// flagGroups are the flags of several commands by what they are about.
var flagGroups = [...]struct{ title, names string }{
	{"Tensor", "layout strides storage-offset order rank dtype"},
	{"Storage", "pad pitch align broadcast view buffer"},
	{"Notation", "from tensor dim as"},
	{"Output", "output report get values batch"},
}

// writeAllFlags writes the flags of a command by what they are about, those of its own first.
func writeAllFlags(b *strings.Builder, c *cobra.Command, width int) {
	grouped := "help version"
	for _, group := range flagGroups {
		grouped += " " + group.names
	}
	own := ""
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(strings.Fields(grouped), f.Name) {
			own += " " + f.Name
		}
	})
	writeFlags(b, c, "Flags", own, width)
	for _, group := range flagGroups {
		writeFlags(b, c, group.title, group.names, width)
	}
	var all []string
	c.Root().PersistentFlags().VisitAll(func(f *pflag.Flag) { all = append(all, f.Name) })
	writeFlags(b, c, "Flags of all commands", strings.Join(all, " ")+" help version", width)
	if !c.HasParent() {
		b.WriteString("\nExit codes: 0 done, 1 the answer is no, 2 bad usage or input, 3 output failed.\n")
	}
}

// writeFlags writes those of the flags that the command has, if there are any.
func writeFlags(b *strings.Builder, c *cobra.Command, title, names string, width int) {
	some := pflag.NewFlagSet("", pflag.ContinueOnError)
	some.SortFlags = false
	for name := range strings.FieldsSeq(names) {
		if f := c.Flag(name); f != nil {
			some.AddFlag(f)
		}
	}
	if some.HasFlags() {
		b.WriteString("\n" + title + ":\n" + some.FlagUsagesWrapped(width))
	}
}

// needArguments refuses a command line without arguments. It prints two examples.
func (a *app) needArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	examples := strings.Split(c.Example, "\n")
	if a.errorsInJSON || a.batch != nil {
		return refuse("no arguments", "such as "+strings.TrimPrefix(examples[0], "layoutcalc "+c.Name()+" "))
	}
	var b strings.Builder
	b.WriteString("usage: layoutcalc " + useLine(c) + "\n\n")
	writeExamples(&b, examples[:2])
	b.WriteString("\nlayoutcalc " + c.Name() + " --help says more\n")
	io.WriteString(a.streams.Err, b.String())
	return errShortHelp
}

func useLine(c *cobra.Command) string {
	if !c.HasParent() {
		return "COMMAND"
	}
	return c.Use + " [flags]"
}

func writeExamples(b *strings.Builder, examples []string) {
	for _, line := range examples {
		b.WriteString("  $ " + line + "\n")
	}
}

// writeArguments says what the words in capitals of a usage are.
func writeArguments(b *strings.Builder, use string) {
	switch {
	case strings.Contains(use, "FILE"):
		b.WriteString(checkHelp)
	case strings.Contains(use, "TENSOR"):
		b.WriteString("\n  TENSOR is SHAPE [LAYOUT], NOTATION or @FILE.\n" + tensorHelp)
	case strings.Contains(use, "SHAPE"):
		b.WriteString(pairHelp + tensorHelp)
	}
	if strings.Contains(use, " TO") {
		b.WriteString(dataHelp)
	}
	if strings.Contains(use, "INDEX") {
		b.WriteString("  INDEX   a number for each axis: 0,2,1 or H=2,W=1,N=0; - or @FILE has one on each line.\n")
	}
	if strings.Contains(use, "STEP") {
		b.WriteString("  STEP    a slice, [2, 1:3, ::2, ..., None, -1], or one of these joined by dots:\n")
		for usage, about := range view.Operations {
			fmt.Fprintf(b, "    %-26s %s\n", usage, about)
		}
	}
}

// pairHelp says what the arguments of two tensors are.
const pairHelp = `
  Layouts are names, or lists of strides: 15,1,5,1. A notation or a file says
  the shape and the first layout; another may say the second. --pad, --pitch,
  --align and --broadcast concern the second one, --view the first; then the
  second has the sizes that result.
`

// dataHelp says what happens to data.
const dataHelp = `
  With --in and --out the data of a file is moved. Raw data is just as long as SHAPE,
  FROM and the type say; a .npy, .safetensors or .onnx file says so itself, so that
  only TO is needed, or FROM, which names the axes of its shape, and TO.
`

// checkHelp says what can be checked.
const checkHelp = `
  FILE    a DxDispatch model or a configuration (.json, .yaml), JSON Lines (.jsonl),
          the header of .npy, .safetensors or .gguf, an .onnx model, oneDNN's
          verbose log, or any text in a notation; a directory is searched for
          the first of these; - reads standard input.
  TENSOR  a shape with a layout or --strides, or a notation, as for strides.
          layoutcalc explain lists the rules and explains each.
`

// tensorHelp says what the arguments of a tensor are.
const tensorHelp = `  SHAPE   1x3x224x224, 1,3,224,224, [1, 3, 224, 224] or labelled, N=1,C=3,W=9.
          Sizes without labels are in one order whatever the layout says: N,C,D,H,W
          of images, N,C,W of sequences, G,O,I,D,H,W of weights, a,b,c,d of
          oneDNN's tags. For other letters they are as the layout has them.
  LAYOUT  the axes from outermost to innermost in memory: NHWC, acdb, with
          blocks NCHW16c, OIhw4i16o4i; or channels_last, row-major,
          column-major. Default row-major.
  NOTATION
          a tensor as other systems write it: 'f32[2,3]{0,1}', 'memref<2x3xf32>',
          '(2,3):(3,1)', a call of torch or NumPy, a DirectML struct, a line of
          oneDNN's verbose log; layoutcalc explain lists the notations.
  @FILE   a file of any kind that check reads; --tensor NAME chooses one of its
          tensors. A path that does not look like a tensor needs no @.
  -       any of these from standard input.
`

// noArguments refuses arguments.
func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return refuse("unexpected argument "+render.Quote(args[0]), "")
	}
	return nil
}
