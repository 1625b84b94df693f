package cmd

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/ruledocs"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
)

// explainFlags are the flags of the command explain.
type explainFlags struct {
	kind, target, as string
	dtype            *layout.DType
	out              output
}

// explainCommand makes c the command explain.
func (a *app) explainCommand(c *cobra.Command) {
	var f explainFlags
	c.Args = atMostOne
	c.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			if t, ok, err := a.descriptorTopic(args[0], &f); ok || err != nil {
				if err != nil {
					return err
				}
				return a.printer(&f.out).Print(t)
			}
		}
		switch {
		case f.kind != "":
			return refuse("--kind is for instruction descriptors", "layoutcalc explain 0x08400490 --kind f16")
		case f.target != "":
			return refuse("--target is for matrix descriptors", "layoutcalc explain 0x4000404000010040 --target sm90")
		case f.wantsTile():
			return refuse("--as and -t are for matrix descriptors",
				"layoutcalc explain 0x4000004000010040 --as wgmma -t f16")
		case len(args) == 0:
			return a.printer(&f.out).Print(topicGroups())
		}
		if list := groupsNamed(args[0]); list != nil {
			return a.printer(&f.out).Print(list)
		}
		t, err := topic(args[0])
		if err != nil {
			if list := topicsNamed(args[0]); list != nil {
				return a.printer(&f.out).Print(list)
			}
			return err
		}
		return a.printer(&f.out).Print(t)
	}
	c.ValidArgsFunction = onlyFirst(completeTopics("", groupNames))
	flags := c.Flags()
	wordFlag(flags, "target", "TARGET", descriptor.MatrixTargets, func(i int) {
		f.target = descriptor.MatrixTargets[i]
	})
	wordFlag(flags, "as", "INSTRUCTION", descriptor.MatrixInstructions, func(i int) {
		f.as = descriptor.MatrixInstructions[i]
	})
	flag(flags, "dtype,t", "TYPE", layout.ParseDType, into(&f.dtype))
	kinds := descriptor.InstructionKinds()
	wordFlag(flags, "kind", "KIND", kinds, func(i int) { f.kind = kinds[i] })
	f.out.addForm(c)
}

// wantsTile reports whether the flags ask for the tile of a matrix descriptor.
func (f *explainFlags) wantsTile() bool { return f.as != "" || f.dtype != nil }

// descriptorTopic returns the fields of a descriptor. It reports false for other texts.
func (a *app) descriptorTopic(text string, f *explainFlags) (t render.Topic, ok bool, err error) {
	switch {
	case f.target == "" && !f.wantsTile() && descriptor.IsInstruction(text):
		t, err = a.instructionTopic(text, f.kind)
	case f.kind == "" && descriptor.IsMatrix(text):
		t, err = a.matrixTopic(text, f)
	default:
		return t, false, nil
	}
	return t, true, err
}

// instructionTopic returns the fields of an instruction descriptor, or if the bits allow several kinds a line for each.
func (a *app) instructionTopic(text, kind string) (t render.Topic, err error) {
	list, err := descriptor.ParseInstruction(text, kind)
	if err != nil {
		return t, err
	}
	first := list[0]
	a.Note(first.Notes...)
	title := "instruction descriptor of tcgen05.mma"
	t = newTopic(render.InstructionKind, fmt.Sprintf("0x%08x", first.Bits), title)
	if len(list) > 1 {
		a.Note("the bits allow several kinds: --kind chooses one")
		for _, i := range list {
			t.Parts = append(t.Parts, render.Part{Name: i.Kind, Text: i.Summary()})
		}
		return t, nil
	}
	a.Note(first.Faults...)
	for _, f := range first.Fields {
		t.Parts = append(t.Parts, render.Part{Name: f.Name, Text: fmt.Sprint(f.Value), Value: f.Value})
	}
	return t, nil
}

// matrixTopic returns the fields of a matrix descriptor, and with flags that ask for it the tile.
func (a *app) matrixTopic(text string, f *explainFlags) (t render.Topic, err error) {
	target := f.target
	if f.as != "" {
		target = descriptor.MatrixTargets[slices.Index(descriptor.MatrixInstructions, f.as)]
	}
	if f.target != "" && f.target != target {
		return t, refuse("--as "+f.as+" reads descriptors of "+target+", not "+f.target, "").LeaveOut("--target")
	}
	m, err := descriptor.ParseMatrix(text, target)
	if err != nil {
		return t, err
	}
	a.Note(m.Notes...)
	name := fmt.Sprintf("0x%016x", m.Bits)
	t = newTopic(render.MatrixKind, name, "matrix descriptor of "+m.Target, "target", m.Target)
	add := func(name, text string, n int64) {
		part := render.Part{Name: name, Text: text}
		if text == "" {
			part.Text, part.Value = strconv.FormatInt(n, 10), n
		}
		t.Parts = append(t.Parts, part)
	}
	for i, n := range [...]int64{m.Start, m.Leading, m.Stride, m.Base, m.Version, m.LeadingMode} {
		if i < 4 || m.Target != descriptor.MatrixTargets[0] {
			add([...]string{"start", "leadingBytes", "strideBytes", "baseOffset", "version", "leadingMode"}[i], "", n)
		}
	}
	add("layout", m.Layout, 0)
	if s := m.Swizzle; s.Bits > 0 {
		add("swizzle", s.String()+" over bytes", 0)
		add("period", "", s.Period())
	}
	if !f.wantsTile() {
		return t, nil
	}
	if f.dtype == nil {
		d, _ := layout.DTypeOf(16)
		f.dtype = &d
		a.Note("assuming 16-bit elements: -t names another type")
	}
	tile, err := m.Tile(*f.dtype)
	add("address", "", tile.Address)
	if tile.K != "" {
		add("kMajor", tile.K, 0)
	}
	if tile.MN != "" {
		add("mnMajor", tile.MN, 0)
	}
	return t, err
}

// topics lists all topics of explain.
func topics() render.Topics { return topicGroups().Topics() }

// topicGroups lists the groups of topics: the groups in help.md, and one for each page of rules.
func topicGroups() (list render.TopicGroups) {
	topicsOf := map[string]func() render.Topics{
		"notations": notationTopics, "layouts": layoutTopics, "types": typeTopics, "ggml-types": blockTopics,
		"formats": formatTopics, "images": imageTopics,
		"axis-letters": func() render.Topics { return glossaryTopics("axis") },
		"words":        func() render.Topics { return glossaryTopics("word") },
	}
	for _, d := range definitions("Groups of topics") {
		list = append(list, render.TopicGroup{Name: d.name, About: d.meaning, Topics: topicsOf[d.name]()})
	}
	page := ""
	for _, r := range ruledocs.Texts() {
		if r.Page != page {
			page = r.Page
			about := strings.Replace(ruledocs.Heading(page), "Rules", "rules", 1)
			list = append(list, render.TopicGroup{Name: page + "-" + rulesGroup, About: about})
		}
		t, last := ruleTopic(r), &list[len(list)-1]
		t.Title = r.Severity + ": " + t.Title
		last.Topics = append(last.Topics, t)
	}
	return list
}

// rulesGroup stands for all groups of rules, and ends the name of each.
const rulesGroup = "rules"

// groupsNamed returns the groups of topics with a name, or nil if no group has it.
func groupsNamed(name string) (list render.TopicGroups) {
	name = strings.ToLower(name)
	page, isRules := strings.CutSuffix(name, "-"+rulesGroup)
	isOne := func(d definition) bool { return d.name == name }
	if name != rulesGroup && !(isRules && slices.Contains(ruledocs.Pages(), page)) &&
		!slices.ContainsFunc(definitions("Groups of topics"), isOne) {
		return nil // without loading the topics
	}
	for _, g := range topicGroups() {
		if g.Name == name || name == rulesGroup && strings.HasSuffix(g.Name, "-"+rulesGroup) {
			list = append(list, g)
		}
	}
	return list
}

func notationTopics() (list render.Topics) {
	for _, n := range notation.All() {
		list = append(list, notationTopic(n))
	}
	return list
}

func typeTopics() (list render.Topics) {
	for d := range layout.DTypes {
		list = append(list, typeTopic(d))
	}
	return list
}

func blockTopics() (list render.Topics) {
	for b := range layout.Blocks {
		list = append(list, blockTopic(b))
	}
	return list
}

func imageTopics() (list render.Topics) {
	for i := range shape.Formats {
		list = append(list, imageTopic(&shape.Formats[i]))
	}
	return list
}

func layoutTopics() (list render.Topics) {
	for name, about := range shape.LayoutNames {
		list = append(list, newTopic("layout", name, about))
	}
	return list
}

// glossaryTopics returns the axis letters or the words of the glossary.
func glossaryTopics(kind string) (list render.Topics) {
	for d := range glossary {
		if d.kind == kind {
			list = append(list, newTopic(d.kind, d.name, d.meaning))
		}
	}
	return list
}

// topicsNamed lists the topics with names that contain part, such as all rules about overlap.
func topicsNamed(part string) (list render.Topics) {
	if len(part) < 3 {
		return nil
	}
	for _, t := range topics() {
		if strings.Contains(t.Name, strings.ToLower(part)) {
			list = append(list, t)
		}
	}
	return list
}

// topic returns the topic with a name: a rule, a notation, a type in any spelling, a word of answers, or a layout.
func topic(name string) (render.Topic, error) {
	if rule, err := ruledocs.Find(name); err == nil {
		return ruleTopic(ruledocs.TextOf(rule)), nil
	}
	if n, err := notation.Find(name); err == nil {
		return notationTopic(n), nil
	}
	if d, err := layout.ParseDType(name); err == nil {
		return typeTopic(d), nil
	}
	if b, ok, err := layout.FindBlock(name); ok && err != nil {
		return render.Topic{}, err
	} else if ok {
		return blockTopic(b), nil
	}
	isName := func(t render.Topic) bool { return strings.EqualFold(t.Name, name) }
	if list := formatTopics(); slices.ContainsFunc(list, isName) {
		return list[slices.IndexFunc(list, isName)], nil
	}
	if t, ok := wordTopic(name); ok {
		return t, nil
	}
	if f := shape.FindFormat(name); f != nil {
		return imageTopic(f), nil
	}
	if t, ok := layoutTopic(name); ok {
		return t, nil
	}
	known := []string{rulesGroup}
	for _, g := range topicGroups() {
		known = append(known, g.Name)
		for _, t := range g.Topics {
			known = append(known, t.Name)
		}
	}
	const hint = "layoutcalc explain"
	err := refuse("unknown topic "+render.Quote(name), hint)
	if near := wording.Likely(name, known); near != "" {
		return render.Topic{}, err.DidYouMean(name, near)
	}
	if name == "-" {
		err.Hint = "without explain, - is a tensor on standard input"
		return render.Topic{}, err
	}
	return render.Topic{}, suggest.About(err, suggest.Word, "explain") // or the input without explain
}

// newTopic returns a topic. Its parts are pairs of a name and a string; pairs with an empty string are omitted. The
// name of code ends in a colon.
func newTopic(kind, name, title string, parts ...string) render.Topic {
	t := render.Topic{Kind: kind, Name: name, Title: title}
	for pair := range slices.Chunk(parts, 2) {
		if name, isCode := strings.CutSuffix(pair[0], ":"); pair[1] != "" {
			t.Parts = append(t.Parts, render.Part{Name: name, Text: pair[1], Code: isCode})
		}
	}
	return t
}

func notationTopic(n *notation.Notation) render.Topic {
	d := n.Doc()
	return newTopic("notation", n.Name, d.Title,
		"example:", d.Example, "grammar:", d.Grammar, "can", d.Can, "cannot", d.Cannot)
}

func ruleTopic(t ruledocs.Text) render.Topic {
	return newTopic("rule", t.Name, t.Title,
		"severity", t.Severity, "targets", t.Targets, "what", t.What, "why", t.Why, "limit", t.Limit,
		"source", t.Source, "fix", t.Fix, render.Fails+":", t.Bad, render.Passes+":", t.Good, "page", t.Address())
}

// typeTopic returns a type's size and its name in each ecosystem.
func typeTopic(d layout.DType) render.Topic {
	parts := []string{"bits", strconv.FormatInt(d.Bits(), 10)}
	for s := range layout.Others + 1 {
		parts = append(parts, s.String(), strings.Join(strings.Fields(d.In(s)), ", "))
	}
	return newTopic("type", d.String(), render.DType(d), parts...)
}

// blockTopic returns the parts of a block of a ggml type.
func blockTopic(b layout.Block) render.Topic {
	lines := []string{"  at  bytes  field"}
	for f := range b.Fields {
		lines = append(lines, fmt.Sprintf("%4d  %5d  %-8s %s", f.At, f.Bytes, f.Name, f.Type))
	}
	name := strings.ToLower(b.Name)
	return newTopic("block", name, "ggml's "+b.Name+": "+render.Rate(b), "fields:", strings.Join(lines, "\n"),
		"example:", "layoutcalc size 4096x4096 -t "+name, "source", "ggml-common.h of ggml 0.21; in it and here d and "+
			"dmin are scales, of the quants and of the minima, m is the minimum, qs are the quants or their low bits, "+
			"and qh the high ones")
}

// imageTopic returns the planes of an image format.
func imageTopic(f *shape.Format) render.Topic {
	var planes []string
	for _, p := range f.Planes {
		planes = append(planes, p.String())
	}
	samples := f.Type
	if d, err := layout.ParseDType(f.Type); err == nil && f.Used < d.Bits() {
		samples += fmt.Sprintf(", of which the %d highest bits count", f.Used)
	}
	title := "images in " + wording.Count(len(planes), "plane") + ", " + wording.Count(f.Bits(), "bit") + " a pixel"
	return newTopic("image", f.Name, title, "planes", strings.Join(planes, ", then "), "samples", samples,
		"others", strings.Join(strings.Fields(f.Others), ", "), "example:", "layoutcalc size 1920x1080 "+f.Name)
}

// formatsText has a section for each format of quantized or cached tensors.
//
//go:embed formats.md
var formatsText string

// formatTopics returns the topics of the formats: each paragraph of a section is a part.
func formatTopics() (list render.Topics) {
	for _, section := range strings.Split(formatsText, "\n## ")[1:] {
		paragraphs := strings.Split(strings.TrimSuffix(section, "\n"), "\n\n")
		var parts []string
		for _, text := range paragraphs[2:] {
			if code, isCode := strings.CutPrefix(text, "    "); isCode { // after its name and a colon
				parts = append(parts, strings.ReplaceAll(code, "\n    ", "\n"))
			} else if name, text, ok := strings.Cut(strings.ReplaceAll(text, "\n", " "), ": "); ok {
				parts = append(parts, name, text)
			} else {
				parts = append(parts, name)
			}
		}
		list = append(list, newTopic("format", paragraphs[0], paragraphs[1], parts...))
	}
	return list
}

// glossaryText has a line for each axis letter and each word of answers and messages.
//
//go:embed glossary.txt
var glossaryText string

// A definition is a word and its meaning. Others are other forms and synonyms.
type definition struct {
	kind, name string
	others     []string
	meaning    string
}

// glossary yields the definitions.
func glossary(yield func(definition) bool) {
	for line := range strings.Lines(glossaryText) {
		if words, meaning, ok := strings.Cut(line, " | "); ok {
			names := strings.Fields(words)
			if !yield(definition{names[0], names[1], names[2:], strings.TrimSpace(meaning)}) {
				return
			}
		}
	}
}

// wordTopic returns the topic of a word of answers or of an axis letter. Words in answers may have spaces between them.
func wordTopic(word string) (render.Topic, bool) {
	word = strings.ReplaceAll(word, " ", "-")
	for d := range glossary {
		isWord := func(form string) bool { return strings.EqualFold(word, form) }
		switch {
		case !isWord(d.name) && !slices.ContainsFunc(d.others, isWord):
		case d.kind == "axis":
			return newTopic(d.kind, d.name, d.meaning), true
		default:
			var broken []string
			for _, r := range ruledocs.Texts() {
				if strings.Contains("-"+r.Name, "-"+strings.ToLower(word)) {
					broken = append(broken, r.Name)
				}
			}
			return newTopic(d.kind, d.name, d.meaning, "others", strings.Join(d.others, ", "),
				"rules", strings.Join(broken, ", ")), true
		}
	}
	return render.Topic{}, false
}

// layoutTopic returns the topic of a layout name.
func layoutTopic(word string) (render.Topic, bool) {
	name, err := shape.ParseName(word)
	if err != nil {
		return render.Topic{}, false
	}
	title := "the axes of a tensor in memory"
	sure := strings.ToUpper(word) == word || strings.ContainsAny(word, "0123456789")
	for known, about := range shape.LayoutNames {
		if strings.EqualFold(known, word) {
			title, sure = about, true
		}
	}
	if !sure { // other words are valid names too, but rarely meant as such
		return render.Topic{}, false
	}
	memory, sizes, dims := name.Reading()
	example := ""
	if dims != "" {
		example = "layoutcalc strides " + dims + " " + word
	}
	return newTopic("layout", name.String(), title, "memory", memory, "sizes", sizes, "example:", example), true
}
