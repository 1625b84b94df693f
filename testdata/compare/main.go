// Compare runs two builds of layoutcalc on the same command lines, and prints where their outputs or exit codes differ.
//
//	go run ./testdata/compare OLD NEW
//	go run ./testdata/compare "$(testdata/compare/base)" ./layoutcalc
//
// The lines are generated, or read from the corpora of the project, or check the directories of testdata. Both programs
// should be built with -buildvcs=false, because some reports contain the version. The exit code is 0 if all lines are
// alike, 1 if some differ and 2 if the comparison fails.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// options are the flags.
type options struct {
	all   bool
	n     int
	seed  uint64
	only  string
	root  string
	limit time.Duration
}

// run compares the programs that args name, and returns the exit code.
func run(args []string, stdout, stderr io.Writer) (code int) {
	var o options
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.BoolVar(&o.all, "all", false, "print every difference in full")
	flags.IntVar(&o.n, "n", 20_000, "number of generated lines")
	flags.Uint64Var(&o.seed, "seed", 1, "seed of the generated lines")
	flags.StringVar(&o.only, "only", "", "run only these lines: generated, corpora or check")
	flags.StringVar(&o.root, "root", ".", "directory of the project")
	flags.DurationVar(&o.limit, "limit", 10*time.Second, "time after which a call is killed")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() != 2 || !slices.Contains([]string{"", "generated", "corpora", "check"}, o.only) {
		fmt.Fprintln(stderr, "usage: compare [flags] OLD NEW")
		flags.PrintDefaults()
		return 2
	}
	differs, err := compare(stdout, o, flags.Arg(0), flags.Arg(1))
	if err != nil {
		fmt.Fprintln(stderr, "compare:", err)
		return 2
	}
	return one(differs)
}

// compare writes the differences between two programs, and reports whether there are any.
func compare(w io.Writer, o options, old, now string) (differs bool, err error) {
	r := &runner{limit: o.limit, workers: 2}
	for i, program := range []string{old, now} {
		if r.programs[i], err = filepath.Abs(program); err != nil {
			return false, err
		}
	}
	if r.root, err = scratch(o.root); err != nil {
		return false, errors.Join(err, os.RemoveAll(r.root))
	}
	defer func() { err = errors.Join(err, os.RemoveAll(r.root)) }()
	calls, err := o.calls(r)
	if err != nil {
		return false, err
	}
	pairs, err := r.run(calls)
	if err != nil {
		return false, err
	}
	return report(w, pairs, o.all), nil
}

// calls returns the calls that the options select.
func (o options) calls(r *runner) (calls []call, err error) {
	root := os.DirFS(o.root)
	texts, err := corporaCalls(root)
	if err != nil {
		return nil, err
	}
	if o.only == "" || o.only == "corpora" {
		calls = append(calls, texts...)
	}
	if o.only == "" || o.only == "check" {
		checks, err := checks(root)
		if err != nil {
			return nil, err
		}
		calls = append(calls, checks...)
	}
	if o.only == "" || o.only == "generated" {
		g, err := newGenerator(o.seed, argumentsOf(texts), func(args ...string) (string, error) {
			answer, err := r.one(r.programs[0], r.root, call{args: args})
			return answer.stdout, err
		})
		if err != nil {
			return nil, err
		}
		calls = append(calls, g.calls(o.n)...)
	}
	return distinct(calls), nil
}

// checks returns a call of check for each directory of testdata.
func checks(root fs.FS) (calls []call, err error) {
	err = fs.WalkDir(root, "testdata", func(dir string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			args := []string{"check", "-o", "jsonl", "--severity", "note", path.Clean(dir)}
			calls = append(calls, call{args: args})
		}
		return err
	})
	return calls, err
}

// argumentsOf returns the arguments of calls that may be texts in a notation.
func argumentsOf(calls []call) (texts []string) {
	for _, c := range calls {
		for _, arg := range c.args {
			isOther := strings.HasPrefix(arg, "-") || strings.Contains(arg, "testdata/")
			if len(arg) > 8 && !isOther && strings.ContainsAny(arg, "0123456789") {
				texts = append(texts, arg)
			}
		}
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}
