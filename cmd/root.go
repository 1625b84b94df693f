// Package cmd is the command line: one file a command, each of which turns arguments and flags
// into a layout, has it judged, and hands the result to package render. It neither computes
// nor formats.
package cmd

import (
	"io"

	"github.com/spf13/cobra"
)

// Streams are what the program reads and writes, and the environment it asks.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(key string) string
}

// Run runs the command line without the program's name and returns the exit code.
func Run(args []string, s Streams) (code int) {
	a := &app{streams: s}
	defer func() {
		if fault := recover(); fault != nil {
			code = a.report(&internalError{fault})
		}
	}()
	return a.report(a.execute(args))
}

// An app is one run of the program.
type app struct {
	streams Streams
	look    look
	helpErr error // of writing the help, which cobra has no way to tell
}

func (a *app) execute(args []string) error {
	root := a.newRoot()
	root.SetArgs(args)
	root.SetIn(a.streams.In)
	root.SetOut(a.streams.Out)
	root.SetErr(a.streams.Err)
	if err := checkCommand(root, args); err != nil {
		return err
	}
	if err := root.Execute(); err != nil {
		return err
	}
	return writeError(a.helpErr)
}

func (a *app) newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "layoutcalc",
		Short: "Calculate strides, offsets and sizes of tensor memory layouts",
		Example: `layoutcalc strides 1x3x224x224 NHWC
layoutcalc offset 2x2x3 DHW 1,0,1
layoutcalc size 1x3x224x224 -t float16`,
		Version:           buildVersion().Version,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	a.look.add(root)
	root.SetHelpCommand(&cobra.Command{Use: "help", Hidden: true, RunE: func(*cobra.Command, []string) error { return root.Help() }})
	root.SetHelpFunc(a.help)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(a.newStrides(), a.newOffset(), a.newSize(), a.newVersion(), a.newCompletion())
	return root
}
