package cmd

import (
	"slices"
	"strconv"
	"sync"

	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/layout/rules"
	"layoutcalc/render"
	"layoutcalc/render/report"
)

// A checkFlags says what the command check holds against which rules, and who is to know.
type checkFlags struct {
	tensor  tensorFlags
	target  *rules.Target
	role    string
	only    []rules.ID
	ignore  []rules.ID
	shown   string
	failOn  string
	format  string
	get     string
	reports []reportFile
	stdin   string // what to call standard input
	jobs    int
	heavy   sync.Mutex // one large text at a time
}

func (a *app) newCheck() *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check FILE... | TENSOR",
		Short: "Validate descriptors: models, configurations, tensor files",
		Example: `layoutcalc check model.json layouts.yaml weights.safetensors
layoutcalc check models/ --target directml@6.2 --fail-on warning
layoutcalc check 5x55 --strides 9,3 -t float16 --role output --target directml
layoutcalc check models/ -o github --report sarif=layouts.sarif
gdb -batch -ex 'print desc' app core | layoutcalc check -`,
		Args: a.needTensor,
		RunE: func(c *cobra.Command, args []string) error {
			inputs, err := a.inputs(&f, args)
			if err == nil {
				err = f.validate()
			}
			if err != nil {
				return err
			}
			return a.check(&f, inputs)
		},
	}
	f.add(a, c)
	return c
}

func (f *checkFlags) add(a *app, c *cobra.Command) {
	severities := rules.Severities[:]
	f.shown, f.failOn, f.format = rules.Warning.String(), rules.Error.String(), string(report.Text)
	flags := c.Flags()
	flags.SortFlags = false
	flags.Var(&parsed[rules.Target]{"TARGET", rules.ParseTarget, into(&f.target)}, "target", "whose rules: directml, directml@6.2, pytorch, onednn, tma, mdspan, none; default by the kind of input")
	flags.Var(&parsed[rules.ID]{"RULE", rules.Find, onto(&f.only)}, "rule", "check this rule only; may be repeated")
	flags.Var(&parsed[rules.ID]{"RULE", rules.Find, onto(&f.ignore)}, "ignore", "do not check this rule; may be repeated")
	flags.Var(oneOf("SEVERITY", &f.shown, severities...), "severity", "show findings at or above this one: note, warning or error; default warning")
	flags.Var(oneOf("SEVERITY", &f.failOn, severities...), "fail-on", "exit with 1 if there is a finding at or above this one; default error")
	flags.VarP(oneOf("FORMAT", &f.format, formats()...), "output", "o", "text, plain, json, jsonl, sarif, junit, github, markdown, csv")
	flags.Var(&parsed[reportFile]{"FORMAT=FILE", parseReport, onto(&f.reports)}, "report", "write a report to a file too; may be repeated")
	flags.Var(text("FIELD", &f.get), "get", "one number of the summary, bare: files, descriptors, error, warning, note")
	flags.Var(text("NAME", &f.stdin), "stdin-filename", "what to call standard input, and read it as")
	flags.Var(oneOf("ROLE", &f.role, "input", "output"), "role", "what an operator does with the tensor of the arguments")
	flags.Var(&parsed[int64]{"N", parseJobs, func(n int64) { f.jobs = int(n) }}, "jobs", "how many files to check at once; default one for each core")
	f.tensor.add(a, c)
	a.completeFlags(c, fixed(rules.Targets()...), "target")
	a.completeFlags(c, completeRules, "rule", "ignore")
	a.completeFlags(c, fixed(severities...), "severity", "fail-on")
	a.completeFlags(c, fixed(formats()...), "output")
	a.completeFlags(c, fixed("input", "output"), "role")
	a.completeFlags(c, cobra.NoFileCompletions, "jobs", "get")
	c.ValidArgsFunction = nil
}

// validate refuses flags that cannot hold, before any work.
func (f *checkFlags) validate() error {
	if slices.Contains(f.ignore, rules.Syntax) {
		return &usageError{"that an input cannot be read is no matter of opinion", "leave out --ignore syntax, or the input"}
	}
	for i, r := range f.reports {
		if slices.ContainsFunc(f.reports[:i], func(s reportFile) bool { return s.path == r.path }) {
			return &usageError{"two reports are to be written to " + render.Quote(r.path), "give each a file of its own"}
		}
	}
	if f.get == "" {
		return nil
	}
	_, err := summaryField(&report.Summary{}, f.get)
	return err
}

// formats lists the formats of reports. Like other commands this one calls its text a table too.
func formats() []string {
	names := []string{"table"}
	for _, f := range report.Formats {
		names = append(names, string(f.Format))
	}
	return names
}

func parseJobs(text string) (int64, error) {
	n, err := layout.ParseNumber(text)
	if err == nil && (n < 1 || n > 1024) {
		err = &layout.SyntaxError{Input: text, Msg: "from 1 to 1024 can be done at once"}
	}
	return n, err
}

// severity returns the severity of that name.
func severity(name string) rules.Severity {
	for s := range rules.Severities {
		if rules.Severities[s] == name {
			return rules.Severity(s)
		}
	}
	return rules.Note
}

func completeRules(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, r := range rules.All() {
		names = append(names, cobra.CompletionWithDesc(r.Name, r.Severity.String()+": "+r.What))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// summaryField returns the number that --get names.
func summaryField(s *report.Summary, name string) (string, error) {
	numbers := map[string]int{"files": s.Files, "descriptors": s.Descriptors}
	known := []string{"files", "descriptors"}
	for i, severity := range rules.Severities {
		numbers[severity], numbers["summary."+severity] = s.Count[i], s.Count[i]
		known = append(known, severity)
	}
	n, ok := numbers[name]
	if !ok {
		hint := "-o json shows the findings"
		if near := layout.Nearest(name, known); near != "" {
			hint = "did you mean " + near + "?"
		}
		return "", &layout.SyntaxError{Input: name, Msg: "there is no such field", Hint: hint}
	}
	return strconv.Itoa(n), nil
}
