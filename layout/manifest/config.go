package manifest

import (
	"slices"
	"strconv"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/expect"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// MaxTensors is the maximum number of tensors of a configuration.
const MaxTensors = 200_000

const configKind = "configuration"

// IsConfig reports whether the tree is a layoutcalc configuration: an object with the member tensors, unless it is a
// cuDNN graph.
func IsConfig(t *doctree.Tree) bool {
	tensors, ok := t.Root().Get("tensors")
	if ok && !t.Root().Has("version") && tensors.Kind() != doctree.Null {
		for v := range tensors.Items {
			return !v.Has("dim")
		}
	}
	return ok || hasFiles(t)
}

// hasFiles reports whether the tree has files without tensors: a version, and a member files that starts with an object
// which describes a file.
func hasFiles(t *doctree.Tree) bool {
	files, ok := t.Root().Get("files")
	if ok && files.Kind() == doctree.Object && t.Root().Has("version") {
		for v := range files.Items {
			return v.Has("file")
		}
	}
	return false
}

// IsMisspelt reports whether the tree is a configuration with misspelt keys: an object of version 1 in which each other
// key is similar to a key of a configuration.
func IsMisspelt(t *doctree.Tree) bool {
	version, ok := t.Root().Get("version")
	if !ok {
		return false
	}
	if n, ok := version.Int(); !ok || n != 1 {
		return false
	}
	known := names(new(configReader).rootKeys(doctree.Value{}))
	for m := range t.Root().Items {
		if !isExtension(m) && wording.Likely(m.Key(), known) == "" {
			return false
		}
	}
	return t.Root().Len() > 1
}

// Config returns the tensors and the expectations of a configuration. It skips a tensor with a part that cannot be
// read, because its other parts may be wrong too. If a tensor names a file, parts that it does not state are taken from
// the file.
func Config(t *doctree.Tree, artefacts expect.Artefacts) *descriptor.File {
	r := configReader{file: &descriptor.File{Kind: configKind}, artefacts: artefacts,
		groups: map[string]*expect.Group{}}
	r.Reporter = finding.NewCollector(&r.file.Findings)
	r.document(t.Root())
	r.LeftOut(finding.At{})
	r.config.Tensors = r.file.Descriptors
	r.file.Config = &r.config
	r.file.Comments = t.Comments()
	return r.file
}

// A configReader reads a configuration into a file.
type configReader struct {
	fieldReader
	file      *descriptor.File
	config    expect.Config
	names     map[string]entry
	defaults  parts // for tensors
	expects   []expected
	own       [2]descriptor.Descriptor // the current tensor, and one that its patterns match
	places    []place                  // its positions in files
	x         expect.Tensor            // the current one
	artefacts expect.Artefacts         // finds tensors in files
	groups    map[string]*expect.Group // the groups of budgets, by their lists; nil if a tensor is unread
	compared  int                      // budgets, by their lists; nil if a tensor is unread
	gaveUp    bool                     // too many steps, which has been reported
}

// configNames are the vocabularies of a tensor in a configuration.
const configNames = descriptor.ConfigNames | descriptor.FileNames

// unread marks a tensor with a part that cannot be read.
const unread = -1

// An entry is the descriptors of a tensor: one, or several if it names files or tensors by a pattern.
type entry struct {
	from, to int
	unread   bool // some part cannot be read
}

// The parts of a tensor are its fields, each the zero Value if it is missing.
type parts = [descriptor.PartCount]doctree.Value

// document reads the configuration. It does not read one of another version, which has other keys.
func (r *configReader) document(v doctree.Value) {
	if version, ok := v.Get("version"); ok {
		if n, ok := version.Int(); !ok || n != 1 {
			r.wrong(descriptor.ConfigValue, version, "version: 1", "%s is not a version that is known here, which is 1",
				quote(version.Text()))
			return
		}
	}
	r.object(v, "a configuration", r.rootKeys(v))
}

// rootKeys are the keys of a configuration.
func (r *configReader) rootKeys(v doctree.Value) []key {
	ignore := func(doctree.Value) {}
	return []key{
		{"version", ignore, func(string) { r.wrong(configKey, v, "version: 1", "the version is missing") }},
		{"$schema", ignore, nil}, {"target", r.fileTarget, nil}, {"description", r.description, nil},
		{"root", r.root, nil}, {"defaults", r.readDefaults, nil},
		{"tensors", func(v doctree.Value) {
			r.tensors(v)
			r.expectations()
		}, nil},
		{"files", r.each(doctree.Object, "an object with a key for each file", r.fileEntry), nil},
		{"edges", r.each(doctree.Array, "a list of edges", r.edge), nil},
		{"budgets", r.each(doctree.Object, "an object with a key for each budget", r.budget), nil},
	}
}

// root reads the directory that the paths of files are relative to.
func (r *configReader) root(v doctree.Value) {
	dir := r.text(v, "the path of a directory")
	if v.Kind() != doctree.String || r.artefacts == nil {
		return
	}
	if why, fix := r.artefacts.Root(dir); why != "" {
		r.wrong(descriptor.ConfigValue, v, fix, "%s", why)
	}
}

// readDefaults reads the fields that apply to every tensor that does not state them.
func (r *configReader) readDefaults(v doctree.Value) {
	r.clear(new(descriptor.Descriptor), false)
	if v.Kind() != doctree.Object {
		r.value(v, "an object with the keys of a tensor")
		r.d = nil
		return
	}
	r.open = v.Has("file")
	r.defaults = r.fields(v)
	if m := r.defaults[descriptor.FilePart]; m.Exists() {
		r.text(m, "the path of a file")
	}
	if m := r.defaults[descriptor.TensorPart]; m.Exists() {
		r.text(m, "the name of a tensor")
	}
	if m := r.defaults[descriptor.LayoutPart]; m.Exists() && r.defaults[descriptor.StridesPart].Exists() {
		r.wrong(descriptor.ConfigValue, m, "", "layout and strides cannot both be the default")
		r.defaults[descriptor.StridesPart] = doctree.Value{}
	}
	r.d, r.open = nil, false
}

// silently calls read without reporting its findings, because they have been reported.
func (r *configReader) silently(read func()) {
	r.Muted = true
	read()
	r.Muted = false
}

// A key is a member that an object may have, with the function that reads its value.
type key struct {
	name  string
	read  func(doctree.Value)
	lacks func(key string) // reports that the object does not have it; nil if it may be missing
}

// each returns a function that reads the items of a list, or the members of an object.
func (r *configReader) each(kind doctree.Kind, want string, read func(doctree.Value)) func(doctree.Value) {
	return func(v doctree.Value) {
		if v.Kind() != kind {
			r.value(v, want)
			return
		}
		for m := range v.Items {
			read(m)
		}
	}
}

// object reads the members of an object, in the order of its keys.
func (r *configReader) object(v doctree.Value, what string, keys []key) {
	for i, m := range r.members(v, what, keys) {
		if m.Exists() {
			keys[i].read(m)
		} else if keys[i].lacks != nil && v.Kind() == doctree.Object {
			keys[i].lacks(keys[i].name)
		}
	}
}

// members returns the members of an object in the order of its keys, each the zero Value if it is missing.
func (r *configReader) members(v doctree.Value, what string, keys []key) []doctree.Value {
	members := make([]doctree.Value, len(keys))
	if v.Kind() != doctree.Object {
		r.value(v, what+", an object with keys")
		return members
	}
	for m := range v.Items {
		switch i := slices.IndexFunc(keys, func(k key) bool { return m.IsKey(k.name) }); {
		case i >= 0 && members[i].Exists():
			r.twice(m)
		case i >= 0:
			members[i] = m
		case !isExtension(m):
			r.unknown(m, what, names(keys))
		}
	}
	return members
}

// names returns the names of keys.
func names(keys []key) (list []string) {
	for _, k := range keys {
		list = append(list, k.name)
	}
	return list
}

// unknown reports a key that an object cannot have, and returns the known key that was probably meant.
func (r *configReader) unknown(m doctree.Value, what string, known []string) (near string) {
	tensor := ""
	if r.d != nil {
		tensor = r.d.Name
	}
	near = r.near(m.Key(), known)
	r.Report(configKey, finding.On(tensor, keyLocator{m}), meant(near), "%s is not a key of %s", quote(m.Key()), what)
	return near
}

// meant returns a hint with the most similar name, if there is one.
func meant(near string) string {
	if near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}

// twice reports a key that the object has already.
func (r *configReader) twice(m doctree.Value) {
	r.wrong(configKey, keyLocator{m}, "remove one of them", "%s is stated twice", quote(m.Key()))
}

func (r *configReader) fileTarget(v doctree.Value) {
	if target, ok := r.target(v); ok {
		r.file.Target = target
	}
}

// tensors reads the tensors by their names.
func (r *configReader) tensors(v doctree.Value) {
	if v.Kind() != doctree.Object {
		r.value(v, "an object with a key for each tensor")
		return
	}
	most, least := 0, 2 // the number of tensors with readable dtype and sizes
	if r.defaults != (parts{}) {
		least = 0
	}
	for m := range v.Items {
		if m.Kind() == doctree.Object && (m.Has("file") || m.Len() >= least) {
			most++
		}
	}
	if most > MaxTensors {
		r.wrong(descriptor.ConfigValue, v, "", "%d tensors are more than %d, which a configuration may have", most,
			MaxTensors)
		return
	}
	r.file.Descriptors, r.names = make([]descriptor.Descriptor, 0, most), make(map[string]entry, most)
	for m := range v.Items {
		name := m.Key()
		if _, known := r.names[name]; known {
			r.twice(m)
			continue
		}
		e := entry{from: len(r.file.Descriptors)}
		e.unread = !r.tensor(name, m)
		e.to = len(r.file.Descriptors)
		r.names[name] = e
		r.d, r.open = nil, false
	}
}

// tensor reads a tensor, or all tensors that match its patterns, into the file. It reports false if something cannot be
// read.
func (r *configReader) tensor(name string, v doctree.Value) bool {
	d, one := &r.own[0], &r.own[1]
	*d = descriptor.Descriptor{Name: name}
	r.clear(d, false)
	if v.Kind() != doctree.Object {
		r.value(v, "a tensor, an object with keys")
		return false
	}
	r.open = v.Has("file") || r.defaults[descriptor.FilePart].Exists()
	seen := r.fields(v)
	r.fill(&seen)
	source, all := &fieldSource{v, configNames}, true
	r.findPlaces(v, &seen)
	ok := r.ok
	for _, p := range r.places {
		*one = *d
		one.Name += p.suffix
		r.d, r.ok = one, ok
		if r.inFile(v, &seen, p); r.ok || !r.open {
			r.complete(v, &seen)
		}
		if len(r.file.Descriptors) >= MaxTensors && p.suffix != "" {
			r.wrong(descriptor.ConfigValue, v, "",
				"with this, more than %d tensors match, which a configuration may have",
				MaxTensors)
			return false
		}
		if all = all && r.ok; !r.ok {
			continue
		}
		r.finish()
		one.Source = source
		r.file.Descriptors = append(r.file.Descriptors, *one)
		if m := seen[descriptor.ExpectPart]; m.Exists() || r.defaults[descriptor.ExpectPart].Exists() {
			r.expects = append(r.expects, expected{len(r.file.Descriptors) - 1, m, v})
		}
	}
	return all && ok
}

// fill uses the defaults for the parts that a tensor does not state. Stated strides replace a default layout, and a
// stated layout replaces default strides. Expectations are filled in later, key by key.
func (r *configReader) fill(seen *parts) {
	own := *seen
	for i, m := range r.defaults {
		part := descriptor.Part(i)
		switch {
		case !m.Exists() || own[part].Exists(), part == descriptor.ExpectPart, part == descriptor.DescriptionPart,
			part == descriptor.LayoutPart && own[descriptor.StridesPart].Exists(),
			part == descriptor.StridesPart && own[descriptor.LayoutPart].Exists(),
			slices.Contains(spacingParts[:], part) && (own[descriptor.StridesPart].Exists() || r.open):
			continue
		}
		seen[part] = m
		r.silently(func() { r.read(part, configNames, m) })
	}
}

// fields reads the fields of a tensor, and returns them.
func (r *configReader) fields(v doctree.Value) (seen parts) {
	var meant parts
	for m := range v.Items {
		f := fieldOf(m, configNames)
		switch {
		case f.Part == descriptor.Whole && isExtension(m):
		case f.Part == descriptor.Whole:
			near := r.unknown(m, "a tensor", descriptor.NamesIn(configNames))
			meant[descriptor.FieldOf([]byte(near), configNames).Part] = m
		case seen[f.Part].Exists():
			r.twice(m)
		default:
			seen[f.Part] = m
			r.read(f.Part, f.In, m)
		}
	}
	for _, part := range [...]descriptor.Part{descriptor.TypePart, descriptor.SizesPart} {
		if !seen[part].Exists() && meant[part].Exists() {
			seen[part], r.ok = meant[part], false // it is misspelt, not missing
		}
	}
	return seen
}

// inFile completes the tensor from a file, and compares the stated parts with the file.
func (r *configReader) inFile(v doctree.Value, seen *parts, p place) {
	file, tensor, path := seen[descriptor.FilePart], seen[descriptor.TensorPart], p.file
	switch {
	case tensor.Exists() && !file.Exists():
		r.wrong(configKey, keyLocator{tensor}, "file: PATH", "tensor names one of a file, and no file is named")
		return
	case !file.Exists() || !r.ok:
		return
	}
	a := expect.Artefact{
		Missing: finding.Finding{Rule: expect.ArtefactMissing, Message: "files are not looked for here"},
	}
	if r.artefacts != nil {
		a = r.artefacts.Tensor(path, p.tensor)
	}
	for _, f := range a.Found {
		r.ReportAs(f.Rule, f.Severity, finding.On(r.d.Name, file), f.Fix, "%s: %s", quote(path), f.Message)
	}
	if f := a.Missing; f.Message != "" {
		at := file
		if tensor.Exists() && a.OfName {
			at = tensor
		}
		r.wrong(f.Rule, at, f.Fix, "%s: %s", quote(path), f.Message)
		if text := a.TooSmall(r.d); text != "" {
			r.wrong(expect.ArtefactBytes, file, "", "%s: %s", quote(path), text)
		}
		return
	}
	if seen[descriptor.SizesPart].Exists() && r.d.Sizes == nil {
		r.d.Sizes = []int64{} // a scalar
	}
	on := func(part descriptor.Part) finding.Subject {
		var at finding.Locator = seen[part]
		switch seen[part] {
		case doctree.Value{}:
			at = file
		case r.defaults[part]:
			at = keyLocator{v}
		}
		return finding.On(r.d.Name, at)
	}
	if fix, msg := a.Swapped(r.d); msg != "" {
		r.ReportAs(expect.ArtefactDType, finding.Warning, on(descriptor.TypePart), fix, "%s", msg)
	}
	r.ok = a.Fill(r.d, func(id *finding.Rule, part descriptor.Part, fix, msg string) {
		r.Report(id, on(part), fix, "%s", msg)
	})
}

// complete reports parts that a tensor lacks or states twice.
func (r *configReader) complete(v doctree.Value, seen *parts) {
	if m := seen[descriptor.LayoutPart]; m.Exists() && seen[descriptor.StridesPart].Exists() && len(r.strides) > 0 {
		r.wrong(descriptor.ConfigValue, m, "expect: {layout: "+r.d.Layout+"} checks the strides against it",
			"the strides are stated, so that the layout can only be expected")
	}
	if !r.open && !seen[descriptor.TypePart].Exists() { // or the file states it
		r.wrong(configKey, keyLocator{v}, "such as dtype: float32", "the tensor has no dtype")
	}
	if !r.open && !seen[descriptor.SizesPart].Exists() {
		r.wrong(configKey, keyLocator{v}, "such as sizes: 1x3x224x224", "the tensor has no sizes")
	}
	if r.d.Spacing != nil {
		r.spaced(seen)
	}
}

// edge reads {from: a, to: b}, or [a, b].
func (r *configReader) edge(v doctree.Value) {
	r.clear(nil, false)
	e := expect.Edge{From: unread, To: unread, At: v}
	keys := r.edgeKeys(&e, v)
	switch n := v.Len(); {
	case v.Kind() != doctree.Array:
		r.object(v, "an edge", keys)
	case n != 2:
		r.wrong(descriptor.ConfigValue, v, "[from, to]", "an edge has two ends, and this has %d", n)
	default:
		i := 0
		for item := range v.Items {
			keys[i].read(item)
			i++
		}
	}
	if e.From == e.To && e.From != unread {
		r.wrong(descriptor.ConfigValue, v, "", "the edge joins a tensor to itself")
	}
	if r.ok && e.From != unread && e.To != unread {
		r.config.Edges = append(r.config.Edges, e)
	}
}

// named returns the index of the tensor with a name.
func (r *configReader) named(v doctree.Value) int {
	name := r.text(v, "the name of a tensor")
	e, known := r.names[name]
	switch n := e.to - e.from; {
	case known && n > 1:
		r.wrong(descriptor.ConfigValue, v, "a tensor without patterns", "%s is %s, and one is meant here",
			quote(name), wording.Count(n, "tensor"))
	case known && !e.unread:
		return e.from
	case !known && v.Kind() == doctree.String:
		r.wrong(descriptor.ConfigValue, v, r.nearTensor(name), "there is no tensor %s", quote(name))
	}
	return unread
}

// nearTensor suggests the tensor with the name most similar to a word.
func (r *configReader) nearTensor(word string) string {
	return meant(r.speller.Nearest(word, func(yield func(string) bool) {
		for i := 0; i < len(r.file.Descriptors) && yield(r.file.Descriptors[i].Name); i++ {
		}
	}))
}

// edgeKeys are the keys of an edge.
func (r *configReader) edgeKeys(e *expect.Edge, v doctree.Value) []key {
	lacks := func(key string) {
		r.wrong(configKey, v, "{from: one, to: other}", "the edge has no key %s", key)
	}
	return []key{
		{"from", func(v doctree.Value) { e.From = r.named(v) }, lacks},
		{"to", func(v doctree.Value) { e.To = r.named(v) }, lacks},
		{"allow", func(v doctree.Value) { e.Allow = r.allowed(v) }, nil},
	}
}

// allowed reads the differences that are allowed between the tensors of an edge.
func (r *configReader) allowed(v doctree.Value) (set expect.Allowance) {
	for _, name := range r.texts(v, "what may differ: cast, reshape or bytes") {
		i := slices.Index(expect.Allowances[:], name)
		if i < 0 && r.ok {
			r.wrong(descriptor.ConfigValue, v, meant(r.near(name, expect.Allowances[:])),
				"%s is not what may differ: cast, reshape or bytes", quote(name))
		}
		set |= 1 << max(i, 0)
	}
	return set
}

// budget reads a budget for tensors, which are given by name or by a pattern of names.
func (r *configReader) budget(v doctree.Value) {
	r.clear(nil, false)
	b := expect.Budget{Name: v.Key(), At: v}
	r.object(v, "a budget", r.budgetKeys(&b, v))
	if r.ok {
		r.config.Budgets = append(r.config.Budgets, b)
	}
}

// budgetKeys are the keys of a budget.
func (r *configReader) budgetKeys(b *expect.Budget, v doctree.Value) []key {
	lacks := func(key string) {
		r.wrong(configKey, keyLocator{v}, "{tensors: [one, 'other.*'], maxBytes: 1048576}",
			"the budget has no key %s", key)
	}
	return []key{
		{"tensors", func(v doctree.Value) { b.Group = r.group(v) }, lacks},
		{"maxBytes", func(v doctree.Value) { b.At, b.Most = v, r.bytes(v) }, lacks},
	}
}

// group returns the tensors for a name, a pattern or a list of them. Budgets with the same list share one group.
func (r *configReader) group(v doctree.Value) *expect.Group {
	items, key := []doctree.Value{v}, []byte(nil)
	if v.Kind() == doctree.Array {
		items = slices.Collect(v.Items)
	}
	for _, item := range items {
		key = append(key, strconv.Quote(item.Text())...) // AppendQuote would copy the key for each item
	}
	g, known := r.groups[string(key)]
	if known {
		r.ok = r.ok && g != nil
		return g
	}
	g = new(expect.Group)
	taken := map[int]bool{}
	for _, item := range items {
		r.matching(item, func(i int) {
			if !taken[i] {
				taken[i] = true
				g.Tensors = append(g.Tensors, i)
			}
		})
	}
	if taken[unread] {
		g = nil // the tensor has a finding
	} else if !r.ok {
		return nil // reported for each budget
	}
	r.ok = g != nil
	r.groups[string(key)] = g
	return g
}

// maxCompared limits the steps of comparing the names of tensors with patterns, as lexer.GlobSteps counts them.
const maxCompared = 20_000_000

// isLike reports whether a name matches a pattern, unless there have been too many steps.
func (r *configReader) isLike(pattern, name string) bool {
	if r.compared > maxCompared {
		return false
	}
	matches, steps := lexer.GlobSteps(pattern, name)
	r.compared += steps
	return matches
}

// hasCompared reports whether isLike has made all comparisons with a pattern. If not, it reports a finding.
func (r *configReader) hasCompared(v doctree.Value) bool {
	if r.compared <= maxCompared {
		return true
	}
	if r.ok = false; !r.gaveUp {
		r.gaveUp = true
		r.wrong(descriptor.ConfigValue, v, "fewer patterns, or the same for several budgets",
			"finding the tensors of this pattern and of those after it compares more than %d characters of names "+
				"with patterns, which is the limit: they are not checked", maxCompared)
	}
	return false
}

// matching calls take with the tensor with a name, or with all tensors that match a pattern of names.
func (r *configReader) matching(v doctree.Value, take func(int)) {
	pattern := r.text(v, "the name of a tensor, or a pattern of names")
	e, known := r.names[pattern]
	switch {
	case known && e.unread:
		take(unread)
		return
	case known:
		for i := e.from; i < e.to; i++ {
			take(i)
		}
		return
	case !lexer.IsGlob(pattern):
		take(r.named(v))
		return
	}
	some := false
	for name, e := range r.names {
		if e.unread && r.isLike(pattern, name) {
			some = true
			take(unread)
		}
	}
	for i := range r.file.Descriptors {
		if r.isLike(pattern, r.file.Descriptors[i].Name) {
			some = true
			take(i)
		}
	}
	if r.hasCompared(v) && !some {
		r.wrong(descriptor.ConfigValue, v, "", "no tensor has a name like %s", quote(pattern))
	}
}
