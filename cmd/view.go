package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout"
	"layoutcalc/layout/input"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/view"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

// viewCommand makes c the command view.
func (a *app) viewCommand(c *cobra.Command) {
	var r request
	c.Args = a.needArguments
	c.RunE = func(_ *cobra.Command, args []string) error {
		start, steps, err := r.tensor.chain(args)
		if err != nil {
			return err
		}
		r.tensor.noteSteps(steps)
		views, err := view.Apply(start, steps, r.tensor.of)
		chain := render.Chain{Start: start, Steps: steps, Views: views}
		if err != nil {
			a.sayChain(&r.out, chain)
			return r.tensor.unviewed(err, start, steps, views)
		}
		picture := func(o draw.Options) (*draw.Picture, error) { return draw.Chain(start, steps, views, o) }
		say := func(p *render.Printer) error { return p.Print(chain) }
		return r.answer(a, picture, say, views[len(views)-1].Tensor)
	}
	r.tensor.add(a, c)
	r.out.addBuffer(c)
	addRequest(a, c, &r, &r)
	c.ValidArgsFunction = offer(a.stepsOrLayouts)
}

// sayChain writes the steps before a failed one to standard error, if the answer is a table.
func (a *app) sayChain(o *output, chain render.Chain) {
	if o.isPicture() && len(chain.Views) > 0 && !a.display.quiet {
		a.Flush()
		render.NewPrinter(a.streams.Err, a.options(o, a.streams.Err)).Print(chain)
	}
}

// chain returns the tensor of the arguments and the steps after it.
func (t *tensorFlags) chain(args []string) (start layout.Tensor, steps []view.Step, err error) {
	args = joinSteps(args)
	after := 0
	for after < len(args)-1 && view.AreSteps(args[len(args)-1-after]) {
		after++
	}
	start, rest, err := t.tensor(args, after, func(arg string) bool { return input.IsLayout(arg) && !isStep(arg) })
	if err != nil {
		err = suggest.About(err, suggest.Pattern, args...)
	}
	if err == nil && len(rest) == 0 {
		order := make([]int64, start.Layout().Rank())
		for i := range order {
			order[len(order)-1-i] = int64(i)
		}
		such := t.app.examples(", ", "permute(0,2,1)", "[:, 1:3]", "reshape(6,-1)")
		err = suggest.About(refuse("no step given", "such as "+such), suggest.Missing,
			"permute("+layout.JoinInts(order, ",")+")")
	}
	for i, arg := range rest {
		if err != nil {
			break
		}
		var more []view.Step
		if arg, err = t.app.textOf(arg); err == nil {
			more, err = view.ParseSteps(arg)
		}
		if err != nil {
			err = t.misstepped(err, start, steps, rest[:i+1], arg)
		}
		steps = append(steps, more...)
	}
	return start, steps, err
}

// joinSteps joins the name of a step with the next argument if it belongs to the step, and with the numbers after it:
// permute 0,2,1, permute 0 2 1, flip W.
func joinSteps(args []string) (joined []string) {
	own := "" // the arguments of the last step that are joined with its name
	for i, arg := range args {
		last := len(joined) - 1
		isNext := i > 0 && arg != "" && view.IsStep(args[i-1]) && !isType(args[i-1]) && !isStep(arg)
		_, notNumber := lexer.ParseOffset(arg)
		switch {
		case isNext && view.AreSteps(args[i-1]+"("+arg+")"):
			own = "(" + arg + ")"
			joined[last] += own
		case own != "" && notNumber == nil:
			joined[last] = strings.TrimSuffix(joined[last], ")") + "," + arg + ")"
		default:
			own = ""
			joined = append(joined, arg)
		}
	}
	return joined
}

// misstepped replaces the error for the last argument, text, which should be a step, if it is numbers.
func (t *tensorFlags) misstepped(err error, start layout.Tensor, before []view.Step, args []string, text string) error {
	step := suggest.StepOf(text)
	if step == "" {
		return err
	}
	more, _ := view.ParseSteps(step)
	if _, wrong := view.Apply(start, append(before, more...), t.of); wrong != nil {
		return wrong
	}
	return suggest.About(refuse("numbers alone are not a step", ""), suggest.Word, args[len(args)-1], step)
}

// isStep reports whether an argument is a view step, and not a layout name. A word that can be either is a name.
func isStep(arg string) bool {
	isList := input.IsLayout(arg) && arg[0] == '[' // [N,C,H,W], or [None]
	if !isList && (strings.ContainsAny(arg, "([") || arg == "T" || arg == "mT") {
		return true
	}
	_, noName := shape.ParseName(arg)
	return noName != nil && view.AreSteps(arg)
}
