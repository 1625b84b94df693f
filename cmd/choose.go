package cmd

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout"
	"layoutcalc/layout/input"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/tvlayout"
	"layoutcalc/layout/view"
	"layoutcalc/render"
)

// A given is the content of a command line without a command: the input in its first words, and the words after it.
type given struct {
	words []string // the arguments, without flags and their values
	flags []string // the names of the flags
	likes bool     // --tensor has a pattern
	in    *input.Input
	err   error    // why the first words cannot be read
	rest  []string // the words after the input
}

// choices has the command for a given, in order: the first row that fits decides. If this command does not have a flag,
// the first command that has the flag replaces it.
var choices = [...]struct {
	fits    func(*given) bool
	command string
}{
	{(*given).isOwnership, "owner"},
	{(*given).hasTwoFiles, "compare"},
	{(*given).hasFiles, "size"},
	{(*given).hasTensors, "size"},
	{(*given).isConfiguration, "check"},
	{(*given).hasIndex, "offset"},
	{(*given).hasSteps, "view"},
	{(*given).hasLayouts, "compare"},
	{func(*given) bool { return true }, "strides"},
}

// isOwnership reports whether the first word is not a tensor but an ownership.
func (g *given) isOwnership() bool {
	if g.err == nil {
		return false
	}
	_, err := tvlayout.Read(g.words[0], tvlayout.Options{})
	return err == nil
}

// isConfiguration reports whether the input is a configuration, including a Triton configuration, or a directory.
func (g *given) isConfiguration() bool {
	if g.err != nil {
		return errors.Is(g.err, syscall.EISDIR)
	}
	return g.in.Kind == input.Document
}

// hasTensors reports whether the input is a file of tensors, a DxDispatch model or JSON Lines, or a notation, a log or
// an image with several tensors, and no tensor is selected.
func (g *given) hasTensors() bool {
	switch {
	case g.err != nil || slices.Contains(g.flags, "tensor") && !g.likes:
		return false
	case g.in.Chosen != "":
		return lexer.IsGlob(g.in.Chosen)
	}
	switch g.in.Kind {
	case input.Index, input.Lines:
		return true
	case input.TensorFile:
		return !g.in.IsArray()
	case input.Document:
		return len(g.in.Files) > 0 && g.in.Files[0].Model != nil
	}
	return len(g.rest) == 0 && len(g.in.Names(2)) > 1
}

// hasTwoFiles reports whether the name of one more file follows a file of tensors.
func (g *given) hasTwoFiles() bool { return g.hasFiles() && len(g.rest) == 1 }

// hasFiles reports whether the names of more files follow a file of tensors.
func (g *given) hasFiles() bool {
	return g.err == nil && len(g.rest) > 0 && areFiles(g.rest) && (g.in.IsArray() || g.hasTensors())
}

// hasSteps reports whether a view step follows, in one argument or, as in permute 0,2,1, in two.
func (g *given) hasSteps() bool {
	isOnly := func(word string) bool {
		list, err := shape.ParseStrides(word)
		return isStep(word) && !isType(word) && (err != nil || list.Len() < 2)
	}
	return slices.ContainsFunc(joinSteps(g.rest), isOnly)
}

// hasLayouts reports whether two layouts are given. The input may be the first.
func (g *given) hasLayouts() bool {
	if _, shapes, _ := shapesIn(g.words); g.err != nil || shapes > 1 {
		return false
	}
	layouts := 0
	if g.in.Kind != input.Shape || g.in.Layout != nil {
		layouts++
	}
	for _, word := range g.rest {
		if !isType(word) {
			layouts++
		}
	}
	return layouts == 2
}

// hasIndex reports whether an index with the names of axes follows.
func (g *given) hasIndex() bool {
	list, err := shape.ParseIndex(g.last())
	return g.err == nil && err == nil && list.Labels() != nil
}

// isUnclear reports whether numbers follow that may be an index or strides: their number is the number of sizes, and
// each is within its size. It reports false for an order of the axes, which the command rejects.
func (g *given) isUnclear() bool {
	list, err := shape.ParseIndex(g.last())
	isList := err == nil && list.Labels() == nil && list.Len() > 1
	if g.err != nil || !isList || g.in.Kind != input.Shape || list.Len() != g.in.Sizes.Len() {
		return false
	}
	sizes := g.in.Sizes.Values()
	for i, n := range list.Values() {
		if n < 0 || n >= sizes[i] {
			return false
		}
	}
	return !layout.IsOrder(list.Values())
}

// last returns the last word after the input, or an empty string.
func (g *given) last() string {
	if len(g.rest) == 0 {
		return ""
	}
	return g.rest[len(g.rest)-1]
}

// lookAt reads the input in the first words. The command can read the same part of standard input again.
func (g *given) lookAt(a *app) {
	after, seen, stream := 0, new(bytes.Buffer), a.streams.In
	if meant := shapeFirst(g.words); meant != nil {
		g.words = meant
	}
	for after < len(g.words)-1 && view.AreSteps(g.words[len(g.words)-1-after]) {
		after++
	}
	own, n := g.words[:len(g.words)-after], 0
	open := func(path string) (input.Source, func(), error) {
		s, end, err := a.Open(path)
		if path == "-" && s.File == nil {
			s.Stream = io.TeeReader(s.Stream, seen)
		}
		return s, end, err
	}
	g.in, n, g.err = input.Find(own, open, input.Options{})
	if g.rest = g.words[n:]; g.err == nil && len(g.rest) > 0 && g.in.Choose(g.rest[0]) {
		g.rest = g.rest[1:]
	}
	if a.readInput = false; seen.Len() > 0 {
		a.streams.In = io.MultiReader(seen, stream)
	}
}

// command returns the command for a given. A single word that is not a tensor is an unknown command.
func (g *given) command(a *app) (string, error) {
	word := g.words[0]
	name, wrong := shape.ParseName(word)
	isLayout := wrong == nil && name.IsUsual()
	if _, isVerb := suggest.Verb(word); isVerb && !isLayout && !a.exists(word) {
		return "", unknownCommand(word)
	}
	if g.lookAt(a); g.err != nil && lexer.IsName(suggest.Bare(word)) && !isLayout && !errors.Is(g.err, syscall.EISDIR) {
		return "", unknownCommand(word)
	}
	i := 0
	for !choices[i].fits(g) {
		i++
	}
	command := choices[i].command
	if g.isUnclear() {
		err := refuse(render.Quote(g.last())+" is an index or strides", "offset takes an index, "+command+" strides")
		return "", suggest.About(err, suggest.Either, "offset", command)
	}
	return g.withFlags(command), nil
}

// withFlags returns the command, or the first command with a given flag that this command does not have.
func (g *given) withFlags(command string) string {
	for _, flag := range g.flags {
		if with := withFlag(flag); len(with) > 0 && !slices.Contains(with, command) {
			return with[0]
		}
	}
	return command
}

// exists reports whether a file with the name exists.
func (a *app) exists(name string) bool {
	if a.line.touches(name) != nil {
		return false
	}
	_, err := a.Stat(name)
	return err == nil
}

// parse separates words from flags. A number with a minus sign is a word, except -0, a flag of check.
func parse(root *cobra.Command, args []string) *given {
	g := new(given)
	for i := 0; i < len(args); i++ {
		letters, isFlag := strings.CutPrefix(args[i], "-")
		name, isLong := strings.CutPrefix(letters, "-")
		switch {
		case args[i] == "--":
			g.words = append(g.words, args[i+1:]...)
			return g
		case letters == "" || !isFlag || lexer.IsDigit(letters[0]) && args[i] != "-0":
			g.words = append(g.words, args[i])
		case isLong:
			name, value, isJoined := strings.Cut(name, "=")
			f := knownFlag(root, func(set *pflag.FlagSet) *pflag.Flag { return set.Lookup(name) })
			g.flags = append(g.flags, name)
			if f != nil && f.NoOptDefVal == "" && !isJoined {
				if i++; i < len(args) {
					value = args[i]
				}
			}
			g.likes = g.likes || name == "tensor" && lexer.IsGlob(value)
		default:
			i += g.takeShort(root, letters)
		}
	}
	return g
}

// takeShort adds flags of one letter, and returns 1 if the next argument is the value of the last, and otherwise 0.
func (g *given) takeShort(root *cobra.Command, letters string) (more int) {
	for i := range len(letters) {
		letter := letters[i : i+1]
		f := knownFlag(root, func(set *pflag.FlagSet) *pflag.Flag { return set.ShorthandLookup(letter) })
		switch {
		case f == nil:
			g.flags = append(g.flags, letter)
		case f.NoOptDefVal != "":
			g.flags = append(g.flags, f.Name)
		default:
			g.flags = append(g.flags, f.Name)
			if i+1 == len(letters) {
				return 1
			}
			return 0
		}
	}
	return 0
}

// knownFlag returns a flag of any command.
func knownFlag(root *cobra.Command, find func(*pflag.FlagSet) *pflag.Flag) *pflag.Flag {
	f := find(root.PersistentFlags())
	for i := 0; f == nil && i < len(commands) && commands[i].name != "man"; i++ {
		f = find(commands[i].make(&app{lists: true}).Flags())
	}
	return f
}

// chosen returns a command line with the command that it stands for, and "-" if it has no arguments and standard input
// has data. It returns the arguments unchanged if they only request help.
func (a *app) chosen(root *cobra.Command, args []string) ([]string, error) {
	g := parse(root, args)
	asksHelp := slices.Contains(g.flags, "help") || slices.Contains(g.flags, "h")
	if len(g.words) == 0 && !asksHelp && a.hasInput() {
		g.words, args = []string{"-"}, append(args, "-")
	}
	isOurs := func(name string) bool { return root.PersistentFlags().Lookup(name) == nil }
	switch {
	case len(g.words) > 0:
		name, err := g.command(a)
		return slices.Insert(args, 0, name), err
	case !asksHelp && slices.ContainsFunc(g.flags, isOurs):
		return slices.Insert(args, 0, g.withFlags(commands[0].name)), nil // it reports that the tensor is missing
	}
	return slices.DeleteFunc(args, func(arg string) bool { return arg == "--" }), nil
}

// silence is how long a pipe on standard input may be silent before a note on a terminal tells the user that it is
// being read.
const silence = time.Second

// hasInput reports whether standard input has something to read: it is a regular file, or a pipe that delivers data
// before it ends, even after a long time.
func (a *app) hasInput() bool {
	if file, ok := a.streams.In.(*os.File); ok {
		info, err := file.Stat()
		if err != nil || !info.Mode().IsRegular() && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
			return false
		}
		if info.Mode().IsRegular() {
			at, err := file.Seek(0, io.SeekCurrent)
			return err == nil && at < info.Size()
		}
	}
	in, delivered := bufio.NewReader(a.streams.In), make(chan bool, 1)
	go func() {
		_, err := in.Peek(1)
		delivered <- err == nil
	}()
	var ok bool
	select {
	case ok = <-delivered:
	case <-time.After(silence):
		if _, isTerminal := terminalWidth(a.streams.Err); isTerminal && !a.display.quiet {
			a.say(render.Message{Text: "reading standard input; layoutcalc --help shows the commands", Note: true})
		}
		ok = <-delivered
	}
	a.streams.In = in
	return ok
}
