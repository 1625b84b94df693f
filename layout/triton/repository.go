package triton

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/protobuf"
	"layoutcalc/layout/wording"
)

// A Repository is a directory of models. It caches its files, and is safe for concurrent use.
type Repository struct {
	files  fs.FS
	mutex  sync.Mutex
	models map[string]*model
	names  []string // the names of its directories, once needed
	visits int      // visits to models, in the search for circles

	once                  sync.Once // for the survey
	hasModels, areSources bool
}

// NewRepository returns the repository in a file system. No link in files may point outside it.
func NewRepository(files fs.FS) *Repository {
	return &Repository{files: files, models: map[string]*model{}}
}

// A Location is the path of a configuration: MODEL/config.pbtxt, or MODEL/configs/NAME.pbtxt with configs as Sub.
type Location struct {
	Repository *Repository
	Model, Sub string
}

// Locate returns the directory of the repository of a configuration, and the location of the configuration in it. The
// path of the file is absolute.
func Locate(file string) (root string, at Location) {
	directory := path.Dir(file)
	if path.Base(directory) == configsName && path.Base(file) != ConfigName {
		at.Sub, directory = configsName, path.Dir(directory)
	}
	at.Model = path.Base(directory)
	return path.Dir(directory), at
}

// ConfigName is the name of the configuration in the directory of its model; others are in the directory named
// configsName.
const (
	ConfigName  = "config.pbtxt"
	configsName = "configs"
)

// A directory is the directory of a model.
type directory struct {
	files    fs.FS
	name     string
	entries  []fs.DirEntry // empty for a model that an ensemble names
	versions []int64       // in ascending order
	first    []string      // the files of the version that the server looks at: the first by name
	last     []string      // the files of the highest version
}

// directory returns the directory of the configuration's model, nil if it cannot be read.
func (at *Location) directory() *directory { return at.Repository.directory(at.Model) }

func (r *Repository) directory(name string) *directory {
	info, err := fs.Stat(r.files, name)
	if err != nil || !info.IsDir() {
		return nil
	}
	entries, err := fs.ReadDir(r.files, name)
	if err != nil {
		return nil
	}
	d := &directory{files: r.files, name: name, entries: entries}
	first := int64(-1)
	for _, e := range entries {
		n, ok := version(e.Name())
		if !ok || !d.isDir(e) {
			continue
		}
		if first < 0 {
			first = n
		}
		d.versions = append(d.versions, n)
	}
	if first < 0 {
		return d
	}
	slices.Sort(d.versions)
	d.first = d.list(strconv.FormatInt(first, 10))
	d.last = d.first
	if last := slices.Max(d.versions); last != first {
		d.last = d.list(strconv.FormatInt(last, 10))
	}
	return d
}

// version returns the version of a directory of that name, if it is one.
func version(name string) (n int64, ok bool) {
	n, err := strconv.ParseInt(name, 10, 64)
	return n, err == nil && strconv.FormatInt(n, 10) == name && n >= 0
}

// has reports whether there is a version.
func (d *directory) has(version int64) bool {
	_, ok := slices.BinarySearch(d.versions, version)
	return ok
}

// isDir reports whether an entry is a directory, or a link to one.
func (d *directory) isDir(e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	info, err := fs.Stat(d.files, path.Join(d.name, e.Name()))
	return err == nil && info.IsDir()
}

// list lists the names in a directory of the model's directory.
func (d *directory) list(name string) []string {
	entries, _ := fs.ReadDir(d.files, path.Join(d.name, name))
	return names(entries)
}

// names returns the names of entries.
func names(entries []fs.DirEntry) []string {
	list := make([]string, len(entries))
	for i, e := range entries {
		list[i] = e.Name()
	}
	return list
}

// modelFiles returns the files that the server uses to infer the backend.
func (d *directory) modelFiles() []string {
	if d == nil {
		return nil
	}
	return d.first
}

// A model is an entry of a repository, with the parts of its configuration that ensembles need.
type model struct {
	exists   bool
	dir      *directory
	readable bool // it has a configuration, and the fields below come from it
	server   server
	batch    int64    // max_batch_size
	ensemble bool     // it is one
	steps    []string // the models of an ensemble
	policy   bool     // version_policy is stated
	chosen   bool     // by specific versions
	versions []int64  // the specific ones, in ascending order

	once            sync.Once // of reading the file of the model
	inputs, outputs side

	decoupled answer // whether it, or a model of its steps, may send any number of answers to a request

	// Of the search for circles: the number of the visit, from 1; the least number of a model on the stack that can be
	// reached; and the number of the circle, 0 until it is known.
	order, low, circle int
}

// A side is the inputs or the outputs of a model, as in the server.
type side struct {
	ports
	required []int32 // the ports that steps have to map
	batch    bool    // one more dimension comes before their dims
}

// newSide returns a side with these ports.
func newSide(all ports, batch bool) side {
	s := side{ports: all, batch: batch}
	for i := range all {
		if !all[i].optional && all[i].name != "" {
			s.required = append(s.required, int32(i))
		}
	}
	return s
}

// side returns inputs or outputs as ensembles see them.
func (c *Config) side(list []entry) side {
	all := make(ports, 0, len(list))
	for i := range list {
		t := c.tensor(&list[i])
		all = append(all, port{
			name: t.name.text, dims: readable(t.dims.values), dtype: t.dtype.n, optional: t.optional,
		})
	}
	return newSide(all.sort(), c.batch.n > 0)
}

// take keeps the parts of the model's configuration that ensembles need.
func (m *model) take(c *Config) {
	m.readable, m.batch, m.server = c.batch.n >= 0, c.batch.n, c.infer(m.dir)
	m.inputs, m.outputs = c.side(c.inputs), c.side(c.outputs)
	policy := c.One(protobuf.Root, "version_policy")
	specific := c.One(policy, "specific")
	m.policy, m.chosen = policy != 0, specific != 0
	m.versions = slices.Sorted(slices.Values(c.list(specific, "versions").values))
	if m.ensemble = c.ensemble != 0; !m.ensemble {
		m.decoupled = no
		if c.Truth(c.One(c.One(protobuf.Root, "model_transaction_policy"), "decoupled")) {
			m.decoupled = yes
		}
	}
	seen := map[string]bool{}
	for _, step := range c.steps {
		if name := c.Text(c.One(step, "model_name")); !seen[name] {
			seen[name] = true
			m.steps = append(m.steps, name)
		}
	}
}

// complete takes inputs or outputs that the configuration does not list from the model, if that is one of ONNX and can
// be read, as the server does.
func (m *model) complete() {
	if len(m.inputs.ports) > 0 && len(m.outputs.ports) > 0 {
		return
	}
	g, _ := m.dir.graph(m.server)
	if g == nil {
		return
	}
	if len(m.inputs.ports) == 0 {
		m.inputs = g.side(g.inputs)
	}
	if len(m.outputs.ports) == 0 {
		m.outputs = g.side(g.outputs)
	}
}

// serves reports whether the server can have a version of the model, by its directories and its policy.
func (m *model) serves(n int64) bool {
	if len(m.dir.versions) > 0 && !m.dir.has(n) {
		return false
	}
	if !m.policy {
		all := m.dir.versions
		return len(all) == 0 || n == all[len(all)-1] // the latest
	}
	_, ok := slices.BinarySearch(m.versions, n)
	return ok || !m.chosen
}

// model returns the model of a name.
func (r *Repository) model(name string) *model {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.read(name)
}

// read is model with r.mutex held.
func (r *Repository) read(name string) *model {
	if m := r.models[name]; m != nil {
		return m
	}
	m := &model{}
	r.models[name] = m
	if strings.ContainsAny(name, `/\`) || name == "." {
		return m
	}
	if m.dir = r.directory(name); m.dir == nil {
		return m
	}
	m.exists = true
	if data := m.dir.read(ConfigName, protobuf.MaxText); data != nil {
		if c, err := read(data); err == nil {
			m.take(c)
		}
	}
	m.dir.entries, m.dir.first, m.dir.last = nil, nil, nil
	return m
}

// survey looks at the first models, so that the time does not grow with the repository. It reports whether a model is
// not an ensemble, and whether most models have their files next to their configurations. In such repositories a script
// moves the files into versions.
func (r *Repository) survey() (hasModels, areSources bool) {
	const most = 64
	r.once.Do(func() {
		beside, versioned, seen := 0, 1, 0
		for name := range r.all {
			if seen++; seen > most {
				break
			}
			m := r.model(name)
			if !m.readable {
				continue
			}
			r.hasModels = r.hasModels || !m.ensemble
			if len(m.dir.versions) > 0 {
				versioned++
			} else if isInside(m.server.file) {
				info, err := fs.Stat(r.files, path.Join(name, m.server.file))
				if err == nil && info.Mode().IsRegular() {
					beside++
				}
			}
		}
		r.areSources = beside > versioned
	})
	return r.hasModels, r.areSources
}

// all yields the names of the models.
func (r *Repository) all(yield func(string) bool) {
	r.mutex.Lock()
	if r.names == nil {
		entries, _ := fs.ReadDir(r.files, ".")
		r.names = []string{}
		for _, e := range entries {
			r.names = append(r.names, e.Name())
		}
	}
	r.mutex.Unlock()
	slices.Values(r.names)(yield)
}

// read returns the contents of a regular file in the directory of the model, nil if it cannot be read or has more than
// most bytes.
func (d *directory) read(name string, most int64) []byte {
	name = path.Join(d.name, name)
	info, err := fs.Stat(d.files, name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return nil
	}
	f, err := d.files.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	var data bytes.Buffer
	data.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := data.ReadFrom(io.LimitReader(f, most+1)); err != nil || int64(data.Len()) > most {
		return nil
	}
	return data.Bytes()
}

// visited returns the model of a name after the search for its circle, which also finds out whether it is decoupled.
func (r *Repository) visited(name string) *model {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.search(name)
	return r.models[name]
}

// An answer is a truth value that may be unknown.
type answer uint8

const (
	unknown answer = iota
	no
	yes
)

// ofSteps returns whether one of the models that an ensemble needs is decoupled. They have been visited, except models
// that need the ensemble itself.
func (r *Repository) ofSteps(names []string) answer {
	all := no
	for _, name := range names {
		switch r.models[name].decoupled {
		case yes:
			return yes
		case unknown:
			all = unknown
		}
	}
	return all
}

// search finds groups of models that need each other, starting at a model. It uses Tarjan's algorithm without
// recursion.
func (r *Repository) search(name string) {
	type visit struct {
		m    *model
		next int // step
	}
	if r.read(name).order != 0 {
		return
	}
	var path []visit
	var open []*model // without a circle yet, in the order of their visits
	begin := func(m *model) {
		r.visits++
		m.order, m.low = r.visits, r.visits
		path, open = append(path, visit{m: m}), append(open, m)
	}
	begin(r.read(name))
	for len(path) > 0 {
		v := &path[len(path)-1]
		m := v.m
		if v.next < len(m.steps) {
			needed := r.read(m.steps[v.next])
			v.next++
			if needed.order == 0 {
				begin(needed)
			} else if needed.circle == 0 {
				m.low = min(m.low, needed.order)
			}
			continue
		}
		if m.ensemble {
			m.decoupled = r.ofSteps(m.steps)
		}
		if path = path[:len(path)-1]; len(path) > 0 {
			before := path[len(path)-1].m
			before.low = min(before.low, m.low)
		}
		if m.low == m.order {
			for i := len(open) - 1; ; i-- {
				o := open[i]
				o.circle = m.order
				if open = open[:i]; o == m {
					break
				}
			}
		}
	}
}

// isInside reports whether a path stays inside the directory that it is relative to.
func isInside(name string) bool {
	return fs.ValidPath(path.Clean(name)) && !strings.ContainsAny(name, "\\\x00")
}

// checkDirectory checks the name of the model, its versions, and the files that the configuration names.
func (k *checker) checkDirectory() {
	for i := range k.outputs {
		if k.outputs[i].label != 0 {
			k.checkLabels(k.tensor(&k.outputs[i]))
		}
	}
	d := k.dir
	if d == nil {
		return
	}
	if name := k.name; name.text != "" && name.text != d.name {
		severity := finding.Note
		if len(d.versions) > 0 {
			severity = finding.Error
		}
		k.ReportAs(tritonDirName, severity, k.on(name.at), "name: "+strconv.Quote(d.name),
			"the model is called %s, and its directory %s", quoted(name.text), quoted(d.name))
	}
	if !k.checkNumbers() {
		return
	}
	if len(d.versions) == 0 {
		if name := k.modelOf(names(d.entries)); name != "" {
			severity := finding.Warning
			if _, areSources := k.at.Repository.survey(); areSources {
				severity = finding.Note
			}
			k.ReportAs(tritonModelFile, severity, k.on(protobuf.Root), "move it into a directory 1",
				"%s is beside the configuration: the server looks in the directory of a version", quoted(name))
			return
		}
		k.ReportAs(tritonVersion, finding.Note, k.on(protobuf.Root), "",
			"the model has no directory of a version, such as 1")
		return
	}
	k.hasFile = k.checkModelFile()
	wanted := k.list(k.One(k.One(protobuf.Root, "version_policy"), "specific"), "versions")
	for i, n := range wanted.values {
		severity := finding.Note // checkouts often omit versions
		if k.hasFile {
			severity = finding.Error
		}
		if !d.has(n) {
			k.ReportAs(tritonVersion, severity, k.on(wanted.at[i]), "", "there is no version %d", n)
		}
	}
}

// checkNumbers checks that directories with numbers in their names are versions. It reports false where one that is not
// holds the model.
func (k *checker) checkNumbers() bool {
	d := k.dir
	for _, e := range d.entries {
		name := e.Name()
		digits := strings.TrimLeft(strings.TrimLeft(name, "vV"), "0123456789")
		if _, ok := version(name); ok || len(digits) == len(strings.TrimLeft(name, "vV")) || !d.isDir(e) {
			continue
		}
		model := ""
		if len(d.versions) == 0 {
			model = k.modelOf(d.list(name))
		}
		if model != "" {
			k.ReportAs(tritonVersion, finding.Error, k.on(protobuf.Root), "call it 1",
				"%s is in the directory %s, which is not a version: the server ignores it",
				quoted(model), quoted(name))
			return false
		}
		k.Report(tritonVersion, k.on(protobuf.Root), "", "the directory %s is not a version: the server ignores it",
			quoted(name))
	}
	return true
}

// modelOf returns the first of names that is the name of a model file, or an empty string. Python programs do not
// count, because they may have other purposes.
func (k *checker) modelOf(names []string) string {
	for _, name := range names {
		isModel := k.server.file == name
		for _, b := range &backends {
			isModel = isModel || b.backend != python && path.Ext(name) == path.Ext(b.file)
		}
		if isModel {
			return name
		}
	}
	return ""
}

// otherEndings maps endings that some people use for model files to the endings that the server looks for.
var otherEndings = map[string]string{".engine": ".plan", ".trt": ".plan", ".pth": ".pt"}

// checkModelFile reports whether the highest version has the file of the model, and reports a finding if it does not. A
// different model file is an error. A missing file is not an error if a checkout may have omitted it.
func (k *checker) checkModelFile() bool {
	d, file := k.dir, k.server.file
	if file == "" || k.server.backend == "" || !isInside(file) {
		return false
	}
	last := slices.Max(d.versions)
	if slices.Contains(d.last, file) {
		return true
	} else if _, err := fs.Stat(d.files, path.Join(d.name, strconv.FormatInt(last, 10), file)); err == nil {
		return true
	}
	for _, name := range d.last {
		for _, b := range &backends {
			ending := path.Ext(name)
			if other := otherEndings[ending]; other != "" && other == path.Ext(file) {
				ending = other
			}
			switch {
			case ending != path.Ext(b.file) || b.backend == python:
			case ending == path.Ext(file):
				k.Report(tritonModelFile, k.on(k.filename.at), "default_model_filename: "+strconv.Quote(name),
					"version %d has %s, and the server looks for %s", last, quoted(name), wording.Clip(file))
				return false
			default:
				k.Report(tritonModelFile, k.on(cmp.Or(k.backend.at, k.platform.at)), "",
					"version %d has %s, which the backend %s does not read: it looks for %s", last, quoted(name),
					wording.Clip(k.server.backend), wording.Clip(file))
				return false
			}
		}
	}
	severity, message := finding.Note, fmt.Sprintf("version %d has no %s", last, wording.Clip(file))
	absence := finding.Absence{Kind: "model file", Named: len(d.versions)}
	for _, n := range d.versions {
		name := path.Join(strconv.FormatInt(n, 10), file)
		if _, err := fs.Stat(d.files, path.Join(d.name, name)); err != nil {
			absence.Missing = append(absence.Missing, name)
		}
	}
	if absence.Named > 1 {
		severity, message = absence.Judge()
	}
	k.ReportAs(tritonVersion, severity, k.on(k.filename.at), "", "%s", message)
	return false
}

// isAbsent reports whether a file that the configuration names at an offset does not exist, by the error of Stat. The
// files that do not exist are reported by checkAbsent.
func (k *checker) isAbsent(rule *finding.Rule, kind string, at int32, name string, err error) bool {
	f := k.files[rule]
	if f == nil {
		f = &namedFiles{kind: kind, seen: map[string]bool{}}
		k.files[rule] = f
	}
	isAbsent := errors.Is(err, fs.ErrNotExist)
	if isAbsent && !f.seen[name] {
		if f.missing = append(f.missing, name); len(f.missing) == 1 {
			f.at = at
		}
	}
	f.seen[name] = true
	return isAbsent
}

// checkAbsent reports the files that do not exist. If the model does not exist either, the checkout may have omitted
// them.
func (k *checker) checkAbsent() {
	for _, rule := range [...]*finding.Rule{tritonLabel, tritonWarmup, tritonState} {
		f := k.files[rule]
		if f == nil || len(f.missing) == 0 {
			continue
		}
		absence := finding.Absence{Kind: f.kind, Named: len(f.seen), Missing: f.missing, Rest: k.hasFile}
		severity, message := absence.Judge()
		k.ReportAs(rule, severity, k.on(f.at), "", "%s", message)
	}
}

// checkLabels checks the file of an output's labels.
func (k *checker) checkLabels(t *tensor) {
	name := t.label
	switch {
	case name.text == "":
		return
	case !isInside(name.text):
		k.Report(tritonLabel, k.on(name.at), "a path in the directory of the model",
			"the file of labels is outside of the model's directory")
		return
	case k.dir == nil:
		return
	}
	file := path.Join(k.dir.name, name.text)
	info, err := fs.Stat(k.dir.files, file)
	inVersion := slices.Contains(k.dir.last, name.text)
	switch {
	case !inVersion && k.isAbsent(tritonLabel, "label file", name.at, name.text, err):
		return
	case err != nil || !info.Mode().IsRegular():
		k.Report(tritonLabel, k.on(name.at), "", "there is no file %s in the model's directory", quoted(name.text))
		return
	}
	lines, again := k.labels[file]
	if !again {
		lines = k.dir.countLabels(name.text)
		k.labels[file] = lines
	}
	many := slices.DeleteFunc(slices.Clone(t.dims.values), func(n int64) bool { return n == 1 })
	if len(many) == 1 && lines < many[0] {
		k.ReportAs(tritonLabel, finding.Warning, k.on(name.at), "", "%s for %s: those after them have no label",
			wording.Count(lines, "label"), wording.Count(many[0], "class"))
	}
}

// countLabels returns the number of labels in a file, the greatest number for a file too long to count them.
func (d *directory) countLabels(name string) int64 {
	data := d.read(name, 1<<20)
	if data == nil {
		return math.MaxInt64
	}
	data = bytes.TrimRight(data, "\n")
	lines := int64(bytes.Count(data, []byte{'\n'}))
	if len(data) > 0 {
		lines++ // the last one has no end
	}
	return lines
}

// checkData compares a file of values, if it is there, with the shape that it is for.
func (k *checker) checkData(rule *finding.Rule, file text, folder string, dims []int64, dtypeOf int64) {
	if file.text == "" {
		return
	}
	if !isInside(file.text) {
		k.Report(rule, k.on(file.at), "", "the file of values is outside of the directory %s", folder)
		return
	}
	d, typed := dtype(dtypeOf)
	if k.dir == nil || !typed {
		return
	}
	info, err := fs.Stat(k.dir.files, path.Join(k.dir.name, folder, file.text))
	k.isAbsent(rule, "data file", file.at, path.Join(folder, file.text), err)
	need, overflow := layout.ProductOf(append(slices.Clone(dims), d.Bits()/8))
	if err == nil && (overflow != nil || info.Size() < need) {
		size := "more than 64 bits hold"
		if overflow == nil {
			size = strconv.FormatInt(need, 10)
		}
		k.Report(rule, k.on(file.at), "", "%s/%s has %s, and %s are needed", folder, wording.Clip(file.text),
			wording.Count(info.Size(), "byte"), size)
	}
}

// Check returns violations of the server's rules in the configuration. If its position in a repository is known, it
// also checks the model's directory and the models that the configuration names. The notes name the parts that were not
// checked.
func (c *Config) Check(at *Location) (f *descriptor.File, notes []string) {
	k := checker{Config: c, at: at, labels: map[string]int64{}, files: map[*finding.Rule]*namedFiles{}}
	k.inputNames, k.outputNames = c.names(c.inputs), c.names(c.outputs)
	if at != nil {
		k.dir = at.directory()
		_, isVersion := version(at.Model)
		if isVersion && at.Sub == "" && (k.dir == nil || len(k.dir.versions) == 0) {
			k.Report(tritonDirName, k.on(protobuf.Root), "move it one directory up",
				"the configuration is in the directory of a version: the server does not look there")
			return c.File(), nil
		}
	}
	k.server = c.infer(k.dir)
	k.checkServer()
	k.checkBatching()
	k.checkInstances()
	k.checkPriorities()
	k.checkCache()
	k.checkMetrics()
	k.checkPolicy()
	k.checkTensors()
	k.checkBatchTensors()
	k.checkSequence()
	k.checkWarmup()
	k.checkDirectory()
	k.checkAbsent()
	k.checkEnsemble()
	k.checkONNX()
	if at != nil {
		k.checkSteps(at)
	} else if c.ensemble != 0 {
		k.notes = append(k.notes, "the models of the ensemble are not looked at: the text is not in a directory")
	}
	f = c.File()
	return f, k.notes
}
