package triton

import (
	"cmp"
	"slices"
	"strconv"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/protobuf"
	"layoutcalc/layout/wording"
)

// A wire is a tensor of an ensemble.
type wire struct {
	name    string
	written int32 // the value with which a step writes it; 0 if no step does
	read    int32
	from    int   // the step that writes it
	steps   []int // the steps that read it
	ready   bool  // it can be computed
	cause   *wire // why it cannot be: the first on the way to it that no step writes, or that depends on itself
}

// A link is the tensors of an ensemble that a step reads and writes.
type link struct{ reads, writes []*wire }

// checkEnsemble checks an ensemble by itself: its settings, its steps, and how tensors flow through them.
func (k *checker) checkEnsemble() {
	isEnsemble := k.server.platform == ensemblePlatform
	switch {
	case k.ensemble == 0 && isEnsemble:
		k.Report(tritonEnsemble, k.on(k.platform.at), "", "an ensemble has ensemble_scheduling, and this has none")
	case k.ensemble != 0 && !isEnsemble:
		k.Report(tritonEnsemble, k.on(cmp.Or(k.platform.at, k.ensemble)), `platform: "ensemble"`,
			"ensemble_scheduling needs the platform %q", ensemblePlatform)
	}
	if k.ensemble == 0 {
		return
	}
	for _, name := range [...]string{"instance_group", "optimization", "model_warmup"} {
		if at := k.One(protobuf.Root, name); at != 0 {
			k.Report(tritonEnsemble, k.on(at), "remove it", "an ensemble has no %s", name)
		}
	}
	if len(k.steps) == 0 {
		k.Report(tritonEnsemble, k.on(k.ensemble), "", "the ensemble has no step")
		return
	}
	wires := map[string]*wire{}
	links := make([]link, len(k.steps))
	complete := true
	for i := range k.steps {
		complete = k.connect(i, &links[i], wires) && complete
	}
	k.follow(links, wires)
	if complete {
		k.checkWires(links, wires)
	}
}

// connect adds a step to the tensors that it reads and writes. It reports false if the step does not state all of them.
func (k *checker) connect(i int, l *link, wires map[string]*wire) bool {
	s, complete := k.step(k.steps[i]), true
	inputs, outputs := k.mapped(s, "input"), k.mapped(s, "output")
	for _, m := range slices.Concat(inputs, outputs) {
		if m.tensor.at > m.ensemble.at {
			k.Report(tritonEnsembleMap, k.on(m.ensemble.at), "the key is the tensor of the model",
				"key and value are swapped: %s is a tensor of the model %s", quoted(m.tensor.text),
				quoted(s.model.text))
		}
	}
	for _, f := range [...]struct {
		name string
		has  bool
	}{{"model_name", s.model.text != ""}, {"input_map", len(inputs) > 0}, {"output_map", len(outputs) > 0}} {
		if !f.has {
			k.Report(tritonEnsemble, k.on(s.at), "", "step %d has no %s", i, f.name)
			complete = false
		}
	}
	wireOf := func(name string) *wire {
		if wires[name] == nil {
			wires[name] = &wire{name: name}
		}
		return wires[name]
	}
	for _, m := range outputs {
		w := wireOf(m.ensemble.text)
		l.writes = append(l.writes, w)
		if w.written != 0 {
			k.Report(tritonEnsembleTensor, k.on(m.ensemble.at), "", "%s is written by step %d too",
				quoted(m.ensemble.text), w.from)
			continue
		}
		w.written, w.from = m.ensemble.at, i
	}
	for _, m := range inputs {
		w := wireOf(m.ensemble.text)
		l.reads = append(l.reads, w)
		w.read = cmp.Or(w.read, m.ensemble.at)
		if n := len(w.steps); n == 0 || w.steps[n-1] != i {
			w.steps = append(w.steps, i)
		}
	}
	return complete
}

// mapped returns the mappings of a step, of its inputs or of its outputs. Where the model has no tensor of the key, nor
// one of a similar name, but one of the value, which the ensemble does not have, the two are swapped.
func (k *checker) mapped(s *step, kind string) []mapping {
	all := k.mappings(s.at, kind+"_map")
	if k.at == nil || s.model.text == "" || s.space.text != "" {
		return all
	}
	m := k.at.Repository.model(s.model.text)
	if !m.exists || !m.readable {
		return all
	}
	m.once.Do(m.complete)
	side := &m.inputs
	if kind == "output" {
		side = &m.outputs
	}
	for i := range all {
		p := &all[i]
		_, isKey := side.find(p.tensor.text)
		_, isValue := side.find(p.ensemble.text)
		_, isInput := k.inputNames[p.ensemble.text]
		_, isOutput := k.outputNames[p.ensemble.text]
		if p.tensor.text == "" || isKey || !isValue || isInput || isOutput {
			continue
		}
		if wording.Nearest(p.tensor.text, slices.Collect(side.names)) == "" {
			p.tensor, p.ensemble = p.ensemble, p.tensor
		}
	}
	return all
}

// follow follows the tensors, starting at the inputs: a step writes its tensors when it has all tensors that it reads.
func (k *checker) follow(links []link, wires map[string]*wire) {
	waiting := make([]int, len(k.steps)) // for how many tensors a step waits
	for _, w := range wires {
		for _, i := range w.steps {
			waiting[i]++
		}
	}
	var ready []*wire
	begin := func(w *wire) {
		if !w.ready {
			w.ready = true
			ready = append(ready, w)
		}
	}
	for i := range k.inputs {
		if w := wires[k.Text(k.inputs[i].name)]; w != nil {
			begin(w)
		}
	}
	for ; len(ready) > 0; ready = ready[1:] {
		for _, i := range ready[0].steps {
			if waiting[i]--; waiting[i] > 0 {
				continue
			}
			k.order = append(k.order, i)
			for _, out := range links[i].writes {
				if out.from == i && out.written != 0 {
					begin(out)
				}
			}
		}
	}
}

// checkWires checks that inputs are read, and that outputs and the tensors between steps can be computed.
func (k *checker) checkWires(links []link, wires map[string]*wire) {
	for i := range k.inputs {
		if at := k.inputs[i].name; at != 0 && wires[k.Text(at)] == nil {
			k.Report(tritonEnsembleTensor, k.on(at), "", "no step reads this input")
		}
	}
	blockers := make([]*wire, len(k.steps)) // the first missing tensor of each step
	for i := range links {
		if at := slices.IndexFunc(links[i].reads, func(w *wire) bool { return !w.ready }); at >= 0 {
			blockers[i] = links[i].reads[at]
		}
	}
	blocked := false
	for i := range k.outputs {
		name := k.text(k.outputs[i].name)
		w := wires[name.text]
		switch {
		case name.at == 0:
		case w == nil:
			k.Report(tritonEnsembleTensor, k.on(name.at), "", "no step writes this output")
		case !w.ready && w.written == 0:
			k.Report(tritonEnsembleTensor, k.on(name.at), "", "step %d reads this output, and no step writes it",
				w.steps[0])
			blocked = true
		case !w.ready:
			k.Report(tritonEnsembleTensor, k.on(name.at), "", "this output cannot be computed: %s", w.blame(blockers))
			blocked = true
		}
	}
	k.unused(wires, blockers, blocked)
}

// blame returns the reason why a tensor that a step writes cannot be computed: another one is not written, or the steps
// form a circle.
func (w *wire) blame(blockers []*wire) words {
	var path []*wire
	end := w
	for end.cause == nil {
		end.cause = end
		if path = append(path, end); end.written != 0 {
			end = blockers[end.from]
		}
	}
	if i := slices.Index(path, end); i >= 0 {
		path = path[:i] // the rest is a circle
	}
	for _, v := range path {
		v.cause = end.cause
	}
	return func() string {
		switch c := w.cause; {
		case c.written == 0:
			return "it depends on " + wording.Quote(c.name) + ", which no step writes"
		case c == w:
			return "it depends on itself"
		default:
			return "it depends on " + wording.Quote(c.name) + ", which depends on itself"
		}
	}
}

// unused reports the tensors between steps that are not both written and read. If tensors cannot be computed, the
// findings about outputs may already have stated why.
func (k *checker) unused(wires map[string]*wire, blockers []*wire, blocked bool) {
	var all []*wire
	for _, w := range wires {
		_, isOutput := k.outputNames[w.name]
		if !isOutput && (!w.ready && (w.written == 0 || !blocked) || w.ready && len(w.steps) == 0) {
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(a, b *wire) int {
		return cmp.Compare(cmp.Or(a.written, a.read), cmp.Or(b.written, b.read))
	})
	for _, w := range all {
		name := quoted(w.name)
		switch {
		case w.ready:
			k.Report(tritonEnsembleTensor, k.on(w.written), "", "step %d writes %s, and no step reads it", w.from, name)
		case w.written == 0:
			k.Report(tritonEnsembleTensor, k.on(w.read), "",
				"%s is neither an input of the ensemble nor written by a step", name)
		default:
			k.Report(tritonEnsembleTensor, k.on(w.written), "", "%s cannot be computed: %s", name, w.blame(blockers))
		}
	}
}

// A known is a tensor of an ensemble as the first model with it states it.
type known struct {
	dtype int64
	dims  []int64
	batch bool   // the model has batches: one more dimension comes before dims
	model string // the name of the model
}

// checkSteps compares the steps of an ensemble with the models of the repository.
func (k *checker) checkSteps(at *Location) {
	if k.ensemble == 0 {
		return
	}
	models := make([]*model, 0, len(k.steps))
	present, severity := 0, finding.Warning
	if hasModels, areSources := at.Repository.survey(); hasModels && !areSources {
		severity = finding.Error
	}
	for _, step := range k.steps {
		s := k.step(step)
		var m *model
		if s.model.text != "" && s.space.text == "" {
			if m = at.Repository.model(s.model.text); m.exists {
				present++
				if len(m.dir.versions) > 0 {
					severity = finding.Error // the repository is complete
				}
			}
		}
		models = append(models, m)
	}
	tensors, unread, compared := k.ownTensors(), 0, map[string]bool{}
	for i, step := range k.steps {
		s, m := k.step(step), models[i]
		switch {
		case m == nil && s.model.text == "": // it is reported
		case m == nil, !m.exists && present == 0 && severity != finding.Error:
			unread++
		case !m.exists:
			near := k.near(tritonEnsembleModel, s.model.text, at.Repository.all)
			k.ReportAs(tritonEnsembleModel, severity, k.on(s.model.at), near, "the repository has no model %s",
				quoted(s.model.text))
		case !m.readable:
			unread++
		default:
			k.checkStep(at, i, m, !compared[s.model.text], tensors)
		}
		compared[s.model.text] = true
	}
	k.checkDecoupled(at.Repository)
	switch {
	case unread == 1:
		k.notes = append(k.notes,
			"1 step of the ensemble is not compared: its model is not beside it, or cannot be read")
	case unread > 0:
		k.notes = append(k.notes, strconv.Itoa(unread)+
			" steps of the ensemble are not compared: their models are not beside it, or cannot be read")
	}
}

// ownTensors returns the inputs and outputs of an ensemble by their names.
func (k *checker) ownTensors() map[string]known {
	tensors := map[string]known{}
	for _, list := range [...][]entry{k.inputs, k.outputs} {
		for i := range list {
			t := k.tensor(&list[i])
			dims := t.dims.values
			if t.reshape != 0 {
				dims = t.shape.values
			}
			if _, again := tensors[t.name.text]; !again && t.name.text != "" {
				tensors[t.name.text] = known{t.dtype.n, readable(dims), k.batch.n > 0, k.modelName(k.dir)}
			}
		}
	}
	return tensors
}

// readable returns a copy of sizes, unless there are more than are read.
func readable(dims []int64) []int64 {
	if len(dims) > maxRank {
		return nil
	}
	return slices.Clone(dims)
}

// checkStep compares a step with its model. What concerns the model as a whole is reported for its first step.
func (k *checker) checkStep(at *Location, i int, m *model, first bool, tensors map[string]known) {
	s := k.step(k.steps[i])
	if at.Sub == "" && at.Repository.visited(at.Model).circle == at.Repository.visited(s.model.text).circle {
		k.Report(tritonEnsembleModel, k.on(s.model.at), "", "the ensemble %s needs this one: a circle",
			quoted(s.model.text))
	}
	if n := s.version.n; n > 0 && !m.serves(n) {
		k.Report(tritonEnsembleModel, k.on(s.version.at), "-1 is the latest", "the model %s has no version %d",
			quoted(s.model.text), n)
	}
	m.once.Do(m.complete)
	if len(m.inputs.ports) == 0 || len(m.outputs.ports) == 0 {
		k.notes = append(k.notes,
			"step "+strconv.Itoa(i)+" of the ensemble: the configuration of "+wording.Quote(s.model.text)+
				" does not list all its tensors, which are not compared")
	} else if first && 0 < m.batch && m.batch < k.batch.n {
		k.Report(tritonEnsembleModel, k.on(k.batch.at), "", "max_batch_size is %d, and the model %s of step %d has %d",
			k.batch.n, quoted(s.model.text), i, m.batch)
	}
	for _, side := range [...]struct {
		kind string
		*side
	}{{"input", &m.inputs}, {"output", &m.outputs}} {
		if len(side.ports) == 0 {
			continue
		}
		mapped := map[string]bool{} // the names of the mapped tensors that are not optional
		for _, p := range k.mapped(s, side.kind) {
			t, ok := side.find(p.tensor.text)
			if !ok {
				k.Report(tritonEnsembleMap, k.on(p.tensor.at), k.near(tritonEnsembleMap, p.tensor.text, side.names),
					"the model %s has no %s %s", quoted(s.model.text), side.kind, quoted(p.tensor.text))
				continue
			}
			if !t.optional && t.name != "" {
				mapped[t.name] = true
			}
			k.compare(p, known{t.dtype, t.dims, side.batch, s.model.text}, tensors)
		}
		if side.kind == "input" {
			k.checkMapped(s, side.side, mapped)
		}
	}
}

// checkMapped reports the inputs of a step's model that are not mapped and have to be. Where nothing is kept they are
// counted without a look at each: there may be many steps of a model that has many.
func (k *checker) checkMapped(s *step, side *side, mapped map[string]bool) {
	missing := len(side.required) - len(mapped)
	for _, i := range side.required {
		if missing == 0 || k.Full(tritonEnsembleMap) {
			break
		}
		if name := side.ports[i].name; !mapped[name] {
			missing--
			k.Report(tritonEnsembleMap, k.on(s.at), "", "the input %s of the model %s is not mapped", quoted(name),
				quoted(s.model.text))
		}
	}
	k.Skip(tritonEnsembleMap, missing)
}

// checkDecoupled checks that all tensors that a step reads, and all that the ensemble returns, come from the same
// decoupled model, or that no decoupled model is involved. Each decoupled model sends a different number of answers to
// a request.
func (k *checker) checkDecoupled(r *Repository) {
	answers := make([]answer, len(k.steps))
	for i := range k.steps {
		answers[i] = unknown
		if s := k.step(k.steps[i]); s.space.text == "" {
			answers[i] = r.visited(s.model.text).decoupled
		}
	}
	if !slices.Contains(answers, yes) {
		return
	}
	sources := map[string]int{}
	compute := func(name string, source int) {
		if _, again := sources[name]; !again {
			sources[name] = source
		}
	}
	for i := range k.inputs {
		compute(k.Text(k.inputs[i].name), 0)
	}
	for _, i := range k.order {
		var reads []text
		s := k.step(k.steps[i])
		for _, m := range k.mapped(s, "input") {
			reads = append(reads, m.ensemble)
		}
		source := k.origin(reads, sources, "step "+strconv.Itoa(i)+" reads")
		switch answers[i] {
		case yes:
			source = i + 1
		case unknown:
			source = unclear
		}
		for _, m := range k.mapped(s, "output") {
			compute(m.ensemble.text, source)
		}
	}
	var returned []text
	for i := range k.outputs {
		returned = append(returned, k.text(k.outputs[i].name))
	}
	k.origin(returned, sources, "the ensemble returns")
}

// unclear is the source of tensors that come from a model that is not known.
const unclear = -1

// origin returns the common source of tensors, and reports the first tensor that differs in its source from the tensors
// before it. A source is the number of a step with a decoupled model, starting at 1, or 0 for the request.
func (k *checker) origin(tensors []text, sources map[string]int, who string) int {
	nameOf := func(source int) string {
		if source == 0 {
			return "the request"
		}
		return "the decoupled model of step " + strconv.Itoa(source-1)
	}
	source, first := unclear, ""
	for _, t := range tensors {
		from, ok := sources[t.text]
		switch {
		case !ok || from == unclear:
		case first == "":
			source, first = from, t.text
		case from != source:
			k.Report(tritonEnsembleDecoupled, k.on(t.at), "", "%s %s from %s and %s from %s", who, quoted(first),
				nameOf(source), quoted(t.text), nameOf(from))
			return unclear
		}
	}
	return source
}

// compare compares a tensor of a model with the tensor of the ensemble that it is mapped to.
func (k *checker) compare(p mapping, own known, tensors map[string]known) {
	name := p.ensemble.text
	first, again := tensors[name]
	if !again {
		tensors[name] = own
		return
	}
	full := func(t known) []int64 {
		if t.batch {
			return append([]int64{-1}, t.dims...)
		}
		return t.dims
	}
	switch {
	case first.dtype > 0 && own.dtype > 0 && first.dtype != own.dtype:
		k.Report(tritonEnsembleShape, k.on(p.ensemble.at), "", "%s is %s in %s and %s in %s", quoted(name),
			typeName(first.dtype), quoted(first.model), typeName(own.dtype), quoted(own.model))
	case len(first.dims) == 0 || len(own.dims) == 0: // not stated
	case !sameSizes(first.dims, own.dims) && !sameSizes(full(first), full(own)):
		k.Report(tritonEnsembleShape, k.on(p.ensemble.at), "",
			"%s is %s in %s and %s in %s, with the batch where there is one",
			quoted(name), sizes(full(first)), quoted(first.model), sizes(full(own)), quoted(own.model))
	}
}
