package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"layoutcalc/cmd/cmdtest"
)

// A call is a command line to compare.
type call struct {
	args  []string
	env   []string        // as KEY=VALUE
	stdin string          // text of standard input
	input string          // file that is standard input; the null device if both are empty
	files []cmdtest.Block // files of a new directory in which the call runs; nil if it runs in the root
	dir   string          // directory below, in which the call runs
}

// A result is what a program did with a call.
type result struct {
	stdout, stderr string
	code           int
	late           bool // the program was killed after the time limit
}

// writers are the flags that write files.
var writers = [...]string{
	"--animate", "--diff", "--fix", "--html", "--out", "--png", "--report", "--svg", "--write-baseline",
}

// writes reports whether c may write files.
func (c call) writes() bool {
	for i, arg := range c.args {
		name, value, _ := strings.Cut(arg, "=")
		for _, flag := range writers {
			if name != flag {
				continue
			}
			if value == "" && i+1 < len(c.args) {
				value = c.args[i+1]
			}
			if value != "-" && value != os.DevNull {
				return true
			}
		}
	}
	return false
}

// command returns the name of the command that c names, or "(none)".
func (c call) command() string {
	for _, arg := range c.args {
		for _, k := range kinds {
			if k.command == arg {
				return arg
			}
		}
	}
	return "(none)"
}

// String returns c as a line for a shell.
func (c call) String() string {
	var words []string
	if c.files != nil {
		words = append(words, "cd", "$CASE/"+c.dir, "&&")
	}
	words = append(words, c.env...)
	words = append(words, "layoutcalc")
	for _, arg := range c.args {
		words = append(words, quote(arg))
	}
	line := strings.Join(words, " ")
	if c.input != "" {
		line += " < " + quote(c.input)
	}
	if c.stdin != "" {
		line = "printf %s " + quote(c.stdin) + " | " + line
	}
	return line
}

// plain matches words that need no quotes.
var plain = regexp.MustCompile(`^[A-Za-z0-9_./:=,+@%-]+$`)

// distinct returns calls without those that stand before in the list.
func distinct(calls []call) []call {
	seen := map[string]bool{}
	return slices.DeleteFunc(calls, func(c call) bool {
		key := fmt.Sprintf("%q", c)
		isSeen := seen[key]
		seen[key] = true
		return isSeen
	})
}

// quote quotes a word for a shell.
func quote(word string) string {
	if plain.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// A runner runs calls of two programs.
type runner struct {
	programs [2]string
	root     string // directory of the calls
	limit    time.Duration
	workers  int
}

// A pair is a call with the results of both programs.
type pair struct {
	call
	number  int // position among the calls
	results [2]result
}

// run runs all calls and returns their pairs in the order of the calls. Results that are alike are not kept.
func (r *runner) run(calls []call) ([]pair, error) {
	pairs := make([]pair, len(calls))
	errs := make([]error, len(calls))
	next := make(chan int)
	var group sync.WaitGroup
	for range r.workers {
		group.Go(func() {
			for i := range next {
				pairs[i] = pair{call: calls[i], number: i}
				errs[i] = r.pair(&pairs[i])
			}
		})
	}
	for i := range calls {
		next <- i
	}
	close(next)
	group.Wait()
	return pairs, errors.Join(errs...)
}

// pair runs both programs, in the same directory.
func (r *runner) pair(p *pair) error {
	dir := r.root
	if p.files != nil {
		var err error
		if dir, err = os.MkdirTemp(r.root, "case"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		for i := range p.files {
			if err := p.files[i].Write(r.root, dir); err != nil {
				return err
			}
		}
	}
	for i, program := range r.programs {
		var err error
		if p.results[i], err = r.one(program, dir, p.call); err != nil {
			return err
		}
	}
	if p.results[0] == p.results[1] {
		p.results = [2]result{{late: p.results[0].late}, {late: p.results[1].late}}
	}
	return nil
}

// one runs a program in dir. It returns an error only if the program cannot be run.
func (r *runner) one(program, dir string, c call) (result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), r.limit)
	defer cancel()
	var out, errs bytes.Buffer
	args := slices.Clone(c.args)
	for i, arg := range args {
		args[i] = strings.ReplaceAll(arg, "$PWD", dir)
	}
	dir = filepath.Join(dir, c.dir)
	x := exec.CommandContext(ctx, program, args...)
	x.WaitDelay = time.Second
	x.Dir, x.Stdout, x.Stderr = dir, &out, &errs
	x.Env = append([]string{"GOMAXPROCS=1", "HOME=" + r.root, "PATH=" + r.root, "TERM=xterm"}, c.env...)
	switch {
	case c.stdin != "":
		x.Stdin = strings.NewReader(c.stdin)
	case c.input != "":
		file, err := os.Open(filepath.Join(dir, c.input))
		if err != nil {
			return result{}, err
		}
		defer file.Close()
		x.Stdin = file
	}
	err := x.Run()
	if x.ProcessState == nil {
		return result{}, err
	}
	if ctx.Err() != nil {
		return result{late: true}, nil // what it has written depends on the time
	}
	return result{out.String(), errs.String(), x.ProcessState.ExitCode(), false}, nil
}

// scratch copies the directories of root named testdata to a temporary directory, and returns its name.
func scratch(root string) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "layoutcalc-compare-"); err != nil {
		return "", err
	}
	return dir, fs.WalkDir(os.DirFS(root), ".", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || !e.IsDir():
			return err
		case e.Name() == ".git":
			return fs.SkipDir
		case e.Name() == "testdata":
			if err := os.CopyFS(filepath.Join(dir, path), os.DirFS(filepath.Join(root, path))); err != nil {
				return err
			}
			return fs.SkipDir
		}
		return nil
	})
}
