// Package project reads the files that control checks in a repository: the configuration of the project ([Config]),
// patterns of excluded paths ([Pattern]), and known findings ([Baseline]).
//
// It parses their contents and judges paths, but opens no files.
package project

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/ruledocs"
	"layoutcalc/layout/triton"
	"layoutcalc/layout/wording"
)

// FileNames are the names of the configuration of a project, which does not describe tensors. If a directory has both,
// the first counts.
var FileNames = [...]string{".layoutcalc.yaml", ".layoutcalc.yml"}

// IsName reports whether a file with the name is the configuration of a project.
func IsName(name string) bool { return slices.Contains(FileNames[:], name) }

// IsSlip reports whether a name is similar to the name of a project's configuration, or has another extension.
func IsSlip(name string) bool {
	lower := strings.ToLower(name)
	stem := strings.TrimSuffix(FileNames[0], path.Ext(FileNames[0]))
	isOther := lower == stem || strings.TrimSuffix(lower, path.Ext(lower)) == stem
	return !IsName(name) && (isOther || wording.Likely(lower, append(FileNames[:], stem)) != "")
}

// MaxFile is the maximum number of bytes of the configuration and the baseline of a project.
const MaxFile = 32 << 20

// A Config is the settings for the checks of a project, as stated in one file.
type Config struct {
	Extends Path // the configuration that this one completes, relative to the directory of its file
	Root    Path // the directory that all other paths are relative to; the directory of its file if it is not set

	Target   *descriptor.Target // nil if it is not set
	Severity *finding.Severity  // the lowest that is listed
	FailOn   *finding.Severity  // the lowest that fails
	Only     []*finding.Rule    // nil for all
	Ignore   []*finding.Rule
	Ranks    map[*finding.Rule]finding.Severity // severities that differ from the rule's default
	Exclude  List
	Baseline Path
	Silences []Silence
	IsOne    bool // the file states that it is the configuration of a project, even if it has errors

	input  string
	folded bool
	named  map[Pattern]map[ruleName]int // the first of the Silences without wildcards for each path, rule and tensor
	wild   []int                        // the others
}

// A Path is a path that a configuration names, with slashes.
type Path struct {
	Text string // may be empty
	at   int    // its offset in the configuration
}

// Refuse returns an error that points at a path of the configuration.
func (c *Config) Refuse(p Path, hint, format string, args ...any) error {
	return &lexer.SyntaxError{Input: c.input, Offset: p.at, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// Over returns the configuration completed by the one that it extends. Its own settings take precedence: each severity,
// but the whole list of rules. Ignored rules are combined, except those that its own list of rules selects again.
// Patterns and ignores of files are relative to their own files, and are not part of the result.
func (c *Config) Over(base *Config) *Config {
	whole := &Config{
		Target: cmp.Or(c.Target, base.Target), Severity: cmp.Or(c.Severity, base.Severity),
		FailOn: cmp.Or(c.FailOn, base.FailOn), Only: c.Only, Ignore: slices.Clone(c.Ignore),
		Ranks: maps.Clone(base.Ranks),
	}
	if whole.Only == nil {
		whole.Only = base.Only
	}
	for _, rule := range base.Ignore {
		if !slices.Contains(c.Only, rule) {
			whole.Ignore = append(whole.Ignore, rule)
		}
	}
	if whole.Ranks == nil {
		whole.Ranks = c.Ranks
	} else {
		maps.Copy(whole.Ranks, c.Ranks)
	}
	return whole
}

// A Silence is a part of a project with rules that are not checked there.
type Silence struct {
	Name   string // the path as written
	Path   Pattern
	Tensor string // a pattern of names; empty for all tensors
	Rules  []*finding.Rule
}

// A ruleName is a rule and the name of a tensor, empty for all tensors.
type ruleName struct {
	rule   *finding.Rule
	tensor string
}

// Wild returns how many of the ignores have wildcards.
func (c *Config) Wild() int { return len(c.wild) }

// Silent returns a function that returns the index of the Silence for a finding in the file at path, or -1; nil if no
// Silence applies to the file. Once the comparisons with wildcards have taken too many steps, wildcards match nothing.
func (c *Config) Silent(path string) func(*finding.Finding) int {
	if c.folded {
		path = strings.ToLower(path)
	}
	var wild []int
	work := &Work{Paths: 1}
	for _, i := range c.wild {
		if !work.Done() && c.Silences[i].Path.Matches(path, false, work) {
			wild = append(wild, i)
		}
	}
	anywhere := c.named[Pattern{text: path[strings.LastIndexByte(path, '/')+1:]}]
	here := c.named[Pattern{text: path, path: true}]
	if wild == nil && anywhere == nil && here == nil {
		return nil
	}
	return func(f *finding.Finding) int {
		work.Paths++
		first := len(c.Silences)
		for _, tensor := range [...]string{f.Tensor, ""} {
			for _, named := range [...]map[ruleName]int{anywhere, here} {
				if i, ok := named[ruleName{f.Rule, tensor}]; ok {
					first = min(first, i)
				}
			}
		}
		for _, i := range wild {
			s := &c.Silences[i]
			if i < first && slices.Contains(s.Rules, f.Rule) &&
				(s.Tensor == "" || !work.Done() && work.glob(s.Tensor, f.Tensor)) {
				return i
			}
		}
		if first == len(c.Silences) {
			return -1
		}
		return first
	}
}

// ReadConfig reads the configuration of a project. The error is a [*lexer.SyntaxError] that points at the problem; it
// also returns the settings before it.
func ReadConfig(text []byte) (*Config, error) {
	trees, err := doctree.YAML(text, 2)
	r := configReader{Config: &Config{input: string(text)}}
	switch {
	case err != nil:
		if fault, ok := err.(*doctree.Fault); ok {
			says := func(line string) bool {
				line = strings.TrimSpace(line)
				return line != "" && line[0] != '#' && line != "---"
			}
			hint := ""
			if !slices.ContainsFunc(strings.Split(r.input, "\n"), says) {
				hint = "version: 1, or remove the file"
			}
			return r.Config, r.fail(fault.Offset, hint, "%s", fault.Msg)
		}
		return r.Config, err
	case len(trees) != 1:
		return r.Config, r.fail(trees[1].Start(), "remove the line --- and what is stated twice",
			"a project has one configuration, and a second one starts here")
	}
	r.object(trees[0].Root(), "the configuration of a project", "version: 1", []key{
		{"version", r.version}, {"extends", r.path(&r.Extends, "a configuration", "such as ../.layoutcalc.yaml")},
		{"root", r.path(&r.Root, "a directory", "such as ..")}, {"target", r.target},
		{"severity", r.severity(&r.Severity)}, {"fail-on", r.severity(&r.FailOn)}, {"rules", r.rules(&r.Only)},
		{"ignore", r.rules(&r.Ignore)}, {"severities", r.ranks}, {"templates", r.templates},
		{"exclude", r.exclude},
		{"baseline", r.path(&r.Baseline, "a baseline", "such as ci/baseline.json")}, {"ignores", r.silences},
	})
	if r.err == nil && !trees[0].Root().Has("version") {
		r.err = r.fail(trees[0].Start(), "version: 1", "the version is missing")
	}
	return r.Config, r.err
}

// A configReader reads a configuration up to the first error.
type configReader struct {
	*Config
	err error
}

// fail returns an error that points at an offset.
func (r *configReader) fail(at int, hint, format string, args ...any) error {
	return &lexer.SyntaxError{Input: r.input, Offset: at, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// wrong records an error about a value, if it is the first one.
func (r *configReader) wrong(v doctree.Value, hint, format string, args ...any) {
	r.wrongAt(v.Offset(), hint, format, args...)
}

func (r *configReader) wrongAt(at int, hint, format string, args ...any) {
	if r.err == nil {
		r.err = r.fail(at, hint, format, args...)
	}
}

// because is like wrong, but with the message of an error in the text of a value.
func (r *configReader) because(v doctree.Value, err error) { r.becauseAt(v.Offset(), v.Text(), err) }

func (r *configReader) becauseAt(at int, text string, err error) {
	hint := ""
	if e, ok := err.(*lexer.SyntaxError); ok {
		hint = e.Hint
	}
	r.wrongAt(at, hint, "%s: %s", wording.Quote(text), err)
}

// A key is a member that the object may have, with the function that reads its value.
type key struct {
	name string
	read func(doctree.Value)
}

// object reads the members of an object by their keys; form is an example for hints.
func (r *configReader) object(v doctree.Value, what, form string, keys []key) {
	if v.Kind() != doctree.Object {
		r.wrong(v, form, "%s is an object with keys", what)
		return
	}
	var known []string
	for _, k := range keys {
		known = append(known, k.name)
	}
	seen := map[string]bool{}
	for m := range v.Items {
		name := m.Key()
		if seen[name] {
			r.wrongAt(m.KeyOffset(), "remove one of them", "%s is stated twice", wording.Quote(name))
		}
		seen[name] = true
		i := 0
		for i < len(keys) && keys[i].name != name {
			i++
		}
		switch {
		case i < len(keys):
			keys[i].read(m)
		case name == "tensors":
			r.wrongAt(m.KeyOffset(), "tensors belong into a file such as models.layoutcalc.yaml",
				"%s is the configuration of the project, and has no tensors", FileNames[0])
		case !strings.HasPrefix(name, "x-"):
			hint := wording.DidYouMean(name, known, "the keys are "+strings.Join(known, ", "))
			r.wrongAt(m.KeyOffset(), hint, "%s is not a key of %s", wording.Quote(name), what)
		}
	}
}

// texts returns the string that a value is, or the strings in a list. The hint is for values of other kinds.
func (r *configReader) texts(v doctree.Value, what, hint string) (texts []doctree.Value) {
	if v.Kind() != doctree.Array {
		r.text(v, what, hint)
		return []doctree.Value{v}
	}
	for item := range v.Items {
		r.text(item, what, hint)
		texts = append(texts, item)
	}
	return texts
}

// text returns the text of a value.
func (r *configReader) text(v doctree.Value, what, hint string) string {
	if v.Kind() != doctree.String {
		r.wrong(v, hint, "expected %s", what)
	}
	return v.Text()
}

func (r *configReader) version(v doctree.Value) {
	n, ok := v.Int()
	if r.IsOne = ok && n == 1; !r.IsOne {
		r.wrong(v, "version: 1", "the version that is known here is 1")
	}
}

func (r *configReader) target(v doctree.Value) {
	target, err := descriptor.ParseTarget(r.text(v, "a target", "such as directml@6.2, or remove it"))
	if err != nil {
		r.because(v, err)
	}
	r.Target = &target
}

// severity returns a function that reads a severity.
func (r *configReader) severity(into **finding.Severity) func(doctree.Value) {
	return func(v doctree.Value) {
		name := r.text(v, "a severity", "note, warning or error, or remove it")
		s := finding.Severity(slices.Index(finding.Severities[:], name))
		if *into = &s; int(s) >= len(finding.Severities) {
			r.because(v, lexer.Unknown("severity", name, finding.Severities[:]))
		}
	}
}

// ranks reads the severities of rules. Those that are off are ignored.
func (r *configReader) ranks(v doctree.Value) {
	if v.Kind() != doctree.Object {
		r.wrong(v, "severities: {onnx-io-type: warning}", "severities has a severity for each of some rules")
		return
	}
	r.Ranks = map[*finding.Rule]finding.Severity{}
	for m := range v.Items {
		var s *finding.Severity
		isOff := m.Kind() == doctree.String && m.Text() == "off"
		if !isOff {
			r.severity(&s)(m)
		}
		list, err := ruledocs.Match(m.Key())
		switch {
		case err != nil:
			r.becauseAt(m.KeyOffset(), m.Key(), err)
		case list[0] == finding.Syntax:
			r.wrongAt(m.KeyOffset(), "ignore: syntax skips such inputs",
				"an input that cannot be read is always an error")
		}
		if isOff {
			r.Ignore = append(r.Ignore, list...)
			continue
		}
		for _, rule := range list {
			r.Ranks[rule] = *s
		}
	}
}

// templates reads what to do with templates of Triton configurations, which cannot be read before they are filled in.
func (r *configReader) templates(v doctree.Value) {
	if name := r.text(v, "skip", "templates: skip, or remove it"); name != "skip" {
		r.because(v, lexer.Unknown("value of templates", name, []string{"skip"}))
	}
	r.Ignore = append(r.Ignore, triton.Template)
}

// rules returns a function that reads the name of a rule or of a family of them, or a list of names.
func (r *configReader) rules(into *[]*finding.Rule) func(doctree.Value) {
	return func(v doctree.Value) {
		const hint = "such as gaps; for some files only: ignores: [" + silenceForm + "]"
		for _, v := range r.texts(v, "the name of a rule", hint) {
			list, err := ruledocs.Match(v.Text())
			if err != nil {
				r.because(v, err)
			}
			*into = append(*into, list...)
		}
	}
}

// pattern reads the pattern of paths that a value stands for.
func (r *configReader) pattern(v doctree.Value, text string) Pattern {
	p, err := ParsePattern(text)
	if err != nil {
		r.because(v, err)
	}
	return p
}

func (r *configReader) exclude(v doctree.Value) {
	var patterns []Pattern
	for _, v := range r.texts(v, "a pattern of paths", patternHint) {
		patterns = append(patterns, r.pattern(v, v.Text()))
	}
	r.Exclude = NewList(patterns)
}

// path returns a function that reads the path of something.
func (r *configReader) path(into *Path, what, example string) func(doctree.Value) {
	return func(v doctree.Value) {
		*into = Path{r.text(v, "the path of "+what, example), v.Offset()}
		switch text := into.Text; {
		case text == "":
			r.wrong(v, example, "the path of %s is empty", what)
		case text[0] == '/', strings.ContainsAny(text, "\\\x00"), len(text) > 1 && text[1] == ':':
			r.wrong(v, example, "%s: a path of a configuration starts at a directory of the repository, with slashes",
				wording.Quote(text))
		}
	}
}

// silenceForm is an example of an item of ignores.
const silenceForm = "{path: models/*.npy, rule: file-order, reason: exported this way}"

// below returns the pattern of the files in the directories that a pattern matches, if it only matches directories.
func below(pattern string) string {
	dir, isOfDirs := strings.CutSuffix(pattern, "/")
	switch {
	case !isOfDirs || dir == "":
		return pattern
	case strings.Contains(dir, "/"):
		return pattern + "**"
	}
	return "**/" + pattern + "**"
}

// silences reads the list of ignores.
func (r *configReader) silences(v doctree.Value) {
	if v.Kind() != doctree.Array {
		r.wrong(v, "- "+silenceForm, "ignores is a list")
		return
	}
	r.named = map[Pattern]map[ruleName]int{}
	for item := range v.Items {
		s, reason := Silence{}, ""
		r.object(item, "an item of ignores", silenceForm, []key{
			{"path", func(v doctree.Value) {
				s.Name = r.text(v, "a pattern of paths", patternHint)
				s.Path = r.pattern(v, below(s.Name))
			}},
			{"tensor", func(v doctree.Value) { s.Tensor = r.text(v, "a name", "a number is a name in quotes") }},
			{"rule", r.rules(&s.Rules)},
			{"reason", func(v doctree.Value) { reason = r.text(v, "a reason", "words for people") }},
		})
		switch {
		case s.Path.text == "":
			r.wrong(item, silenceForm, "the path is missing")
		case s.Path.negative:
			r.wrong(item, silenceForm, "a path of ignores cannot start with !")
		case len(s.Rules) == 0:
			r.wrong(item, silenceForm, "the rule is missing")
		case reason == "":
			r.wrong(item, silenceForm, "the reason is missing")
		}
		slices.SortFunc(s.Rules, func(a, b *finding.Rule) int { return strings.Compare(a.Name, b.Name) })
		s.Rules = slices.Compact(s.Rules)
		r.silence(s, item)
	}
}

// MaxWild limits the ignores with wildcards: each file and each finding may be compared with all of them.
const MaxWild = 1000

// silence adds an item of ignores to the configuration.
func (r *configReader) silence(s Silence, item doctree.Value) {
	c := r.Config
	n, named := len(c.Silences), c.named[s.Path]
	c.Silences = append(c.Silences, s)
	if strings.ContainsAny(s.Path.text+s.Tensor, wildcards) {
		if c.wild = append(c.wild, n); len(c.wild) > MaxWild {
			r.wrong(item, "write names, or keep findings in a baseline",
				"more than %d items of ignores have wildcards in path or tensor", MaxWild)
		}
		return
	}
	if named == nil {
		named = map[ruleName]int{}
		c.named[s.Path] = named
	}
	for _, rule := range s.Rules {
		if _, known := named[ruleName{rule, s.Tensor}]; !known {
			named[ruleName{rule, s.Tensor}] = n
		}
	}
}
