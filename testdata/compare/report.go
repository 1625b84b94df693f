package main

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
)

// counts are numbers of calls.
type counts struct{ lines, different, code, stdout, stderr, late int }

// add counts a pair.
func (c *counts) add(p pair) {
	old, now := p.results[0], p.results[1]
	c.lines++
	c.different += one(old != now)
	c.code += one(old.code != now.code || old.late != now.late)
	c.stdout += one(old.stdout != now.stdout)
	c.stderr += one(old.stderr != now.stderr)
	c.late += one(old.late || now.late)
}

func one(condition bool) int {
	if condition {
		return 1
	}
	return 0
}

// A group is a number of differences with the same change.
type group struct {
	change string
	pairs  []pair
}

// report writes what differs, and reports whether anything does. With all, it writes each difference in full.
func report(w io.Writer, pairs []pair, all bool) (differs bool) {
	var total counts
	byCommand := map[string]*counts{}
	groups := map[string]*group{}
	for _, p := range pairs {
		command := p.command()
		if byCommand[command] == nil {
			byCommand[command] = &counts{}
		}
		byCommand[command].add(p)
		total.add(p)
		if p.results[0] == p.results[1] {
			continue
		}
		change := p.change()
		if groups[change] == nil {
			groups[change] = &group{change: change}
		}
		groups[change].pairs = append(groups[change].pairs, p)
	}
	summary(w, byCommand, total)
	for _, p := range pairs {
		for i, name := range []string{"old", "new"} {
			if p.results[i].late {
				fmt.Fprintf(w, "\nkilled after the time limit (%s): %s\n", name, p)
			}
		}
	}
	list := make([]*group, 0, len(groups))
	for _, g := range groups {
		list = append(list, g)
	}
	slices.SortFunc(list, func(a, b *group) int {
		return cmp.Or(len(b.pairs)-len(a.pairs), a.pairs[0].number-b.pairs[0].number)
	})
	for i, g := range list {
		fmt.Fprintf(w, "\n== %d of %d: %d with this change\n", i+1, len(list), len(g.pairs))
		if !all {
			slices.SortStableFunc(g.pairs, func(a, b pair) int { return len(a.String()) - len(b.String()) })
			g.pairs = g.pairs[:1]
		}
		for _, p := range g.pairs {
			fmt.Fprintf(w, "$ %s\n", p)
			p.show(w, all)
		}
	}
	return total.different > 0
}

// summary writes a row for each command.
func summary(w io.Writer, byCommand map[string]*counts, total counts) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name string, c counts) {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n",
			name, c.lines, c.lines-c.different, c.different, c.code, c.stdout, c.stderr, c.late)
	}
	fmt.Fprint(t, "command\tlines\tequal\tdifferent\texit code\tstdout\tstderr\tkilled\t\n")
	names := make([]string, 0, len(byCommand))
	for name := range byCommand {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		row(name, *byCommand[name])
	}
	row("total", total)
	t.Flush()
}

// A hunk is a run of lines that differ.
type hunk struct{ old, new []string }

// streams returns the names of the outputs that differ, with their hunks.
func (p pair) streams(each func(name string, hunks []hunk)) {
	old, now := p.results[0], p.results[1]
	each("stdout", diff(old.stdout, now.stdout))
	each("stderr", diff(old.stderr, now.stderr))
}

// change describes the difference of a pair, so that pairs with the same change have the same text.
func (p pair) change() string {
	var parts []string
	old, now := p.results[0], p.results[1]
	if old.code != now.code || old.late != now.late {
		parts = append(parts, fmt.Sprintf("exit %d, %t -> %d, %t", old.code, old.late, now.code, now.late))
	}
	p.streams(func(name string, hunks []hunk) {
		var changes []string
		for _, h := range hunks {
			before, after := trim(words(h.old), words(h.new))
			changes = append(changes, name+": "+strings.Join(before, " ")+" -> "+strings.Join(after, " "))
		}
		slices.Sort(changes)
		parts = append(parts, slices.Compact(changes)...)
	})
	return strings.Join(parts, "\n")
}

// show writes a difference as lines that start with - and +.
func (p pair) show(w io.Writer, all bool) {
	old, now := p.results[0], p.results[1]
	if old.code != now.code {
		fmt.Fprintf(w, "exit code %d -> %d\n", old.code, now.code)
	}
	const most = 6 // lines of each side
	line := func(mark, name, text string) {
		if runes := []rune(text); !all && len(runes) > 200 {
			text = string(runes[:200]) + "..."
		}
		fmt.Fprintf(w, "%s %s: %s\n", mark, name, text)
	}
	p.streams(func(name string, hunks []hunk) {
		var before, after int
		for _, h := range hunks {
			for _, text := range h.old {
				if before++; all || before <= most {
					line("-", name, text)
				}
			}
			for _, text := range h.new {
				if after++; all || after <= most {
					line("+", name, text)
				}
			}
		}
		if !all && max(before, after) > most {
			fmt.Fprintf(w, "  %s: %d lines less, %d lines more\n", name, before, after)
		}
	})
}

// diff returns the runs of lines that differ between two texts.
func diff(old, now string) (hunks []hunk) {
	if old == now {
		return nil
	}
	a, b := strings.Split(old, "\n"), strings.Split(now, "\n")
	a, b = trim(a, b)
	const most = 4_000_000
	if len(a)*len(b) > most {
		return []hunk{{a, b}}
	}
	common := make([][]int32, len(a)+1) // lines that a[i:] and b[j:] have in common
	for i := range common {
		common[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		var h hunk
		for i < len(a) && j < len(b) && a[i] == b[j] {
			i, j = i+1, j+1
		}
		for (i < len(a) || j < len(b)) && (i == len(a) || j == len(b) || a[i] != b[j]) {
			if j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1] {
				h.old = append(h.old, a[i])
				i++
			} else {
				h.new = append(h.new, b[j])
				j++
			}
		}
		if h.old != nil || h.new != nil {
			hunks = append(hunks, h)
		}
	}
	return hunks
}

// trim returns a and b without the elements that both start with, and those that both end with.
func trim(a, b []string) (before, after []string) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// varying matches what differs between outputs with the same change: numbers, and the lines of tables.
var varying = regexp.MustCompile(`[0-9]+(?:[., ]+[0-9]+)*|[─-╿]+|-{2,}`)

// words returns the words of lines, with N for numbers.
func words(lines []string) []string {
	return strings.Fields(varying.ReplaceAllString(strings.Join(lines, " \n "), "N"))
}
