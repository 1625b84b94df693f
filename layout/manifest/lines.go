package manifest

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"sync"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// Lines checks JSON Lines: one descriptor per line, with DirectML's names or the names of a configuration, and
// additionally name and target.
type Lines struct {
	Workers  int                // how many check at once; at least 1
	Options  finding.Options    // its Quota limits the findings in the order of the lines
	Target   *descriptor.Target // nil for the target of each line
	Judge    Judge              // checks descriptors, unless Each is set
	Progress func(lines int)    // is called now and then with the number of finished lines; may be nil

	// Refuse is the error of a line that states an element type; may be nil.
	Refuse func(layout.DType) error

	// Each is called by one worker with each descriptor, its line and the findings of the reader, instead of checking
	// the rules; may be nil. The arguments are valid until Each returns.
	Each func(line int, d *descriptor.Descriptor, found []finding.Finding)
}

// A Judge returns a function that checks descriptors and reports findings to the Reporter.
type Judge func(*finding.Reporter) func(descriptor.Target, *descriptor.Descriptor)

// A LineCount counts lines: all of them, descriptors, lines that cannot be read, and objects that are not descriptors;
// and findings by severity.
type LineCount struct {
	Lines, Descriptors, Unread, Wrong int

	Count [len(finding.Severities)]int
}

// Check reports the findings in the order of the lines, whatever the number of workers. It reads on as it reports, and
// takes the same memory for any number of lines. It stops at the first error, of in or of report.
func (l Lines) Check(in io.Reader, report func(finding.Finding) error) (LineCount, error) {
	s := newStream(in, max(l.Workers, 1))
	var workers sync.WaitGroup
	counts := make([]LineCount, max(l.Workers, 1))
	for i := range counts {
		workers.Go(func() { counts[i] = s.work(l) })
	}
	go s.read()
	err := s.emit(l, report)
	if err != nil {
		return LineCount{}, err
	}
	workers.Wait()
	var total LineCount
	for _, c := range counts {
		total.Lines += c.Lines
		total.Descriptors += c.Descriptors
		total.Unread += c.Unread
		total.Wrong += c.Wrong
		for s, n := range c.Count {
			total.Count[s] += n
		}
	}
	if s.lines.err == io.EOF {
		return total, nil
	}
	return total, s.lines.err
}

// A stream hands chunks of lines from the reader to the workers, and their findings in order to the function that
// reports them.
type stream struct {
	lines             lineReader
	free, todo, order chan *chunk
	stop              chan struct{}
}

func newStream(in io.Reader, workers int) *stream {
	n := workers + 2
	s := &stream{lines: lineReader{in: in}, stop: make(chan struct{})}
	s.free, s.todo, s.order = make(chan *chunk, n), make(chan *chunk, n), make(chan *chunk, n)
	for range n {
		s.free <- &chunk{done: make(chan struct{}, 1)}
	}
	return s
}

// read cuts the input into chunks until it ends, or stop is closed.
func (s *stream) read() {
	defer close(s.todo)
	defer close(s.order)
	for {
		select {
		case c := <-s.free:
			if !s.lines.next(c) {
				return
			}
			s.order <- c
			s.todo <- c
		case <-s.stop:
			return
		}
	}
}

// work checks chunks until there are no more.
func (s *stream) work(l Lines) LineCount {
	w := newLineWorker(l)
	for c := range s.todo {
		w.found.Quiet(l.Options.Quota.Floor())
		w.check(c)
		c.done <- struct{}{}
	}
	w.count.Count = w.found.Count
	return w.count
}

// emit reports the findings, chunk by chunk.
func (s *stream) emit(l Lines, report func(finding.Finding) error) error {
	done := 0
	for c := range s.order {
		<-c.done
		for _, f := range c.findings {
			if !l.Options.Quota.Pass(f.Severity) {
				continue
			}
			if err := report(f); err != nil {
				close(s.stop)
				return err
			}
		}
		done += c.lines
		if l.Progress != nil {
			l.Progress(done)
		}
		s.free <- c
	}
	return nil
}

// Limits of JSON Lines: bytes of a line, bytes per read, and lines of a chunk. A line may have several findings.
const (
	MaxLine    = 1 << 20
	chunkBytes = 256 << 10
	chunkLines = 8192
)

// A chunk is some whole lines and the findings about them.
type chunk struct {
	data     []byte
	number   int  // how many lines are before it
	lines    int  // how many it has
	long     bool // it is a line that is too long, and was not kept
	findings []finding.Finding
	done     chan struct{}
}

// A lineReader cuts an input into chunks.
type lineReader struct {
	in     io.Reader
	rest   []byte // the bytes read after the last chunk
	number int
	skip   bool // the line that was too long has not ended
	gone   int  // the bytes of that line
	err    error
}

// maxSkipped is the maximum number of bytes that are skipped in a line that is too long. Reading stops after them,
// because the line may have no end.
const maxSkipped = 100 << 20

var errEndless = errors.New("a line has no end")

// next fills the chunk; it reports false at the end of the input.
func (r *lineReader) next(c *chunk) bool {
	c.data, c.number, c.lines, c.long = append(c.data[:0], r.rest...), r.number, 0, false
	c.findings = c.findings[:0]
	r.rest = r.rest[:0]
	for from := 0; ; {
		if r.skip {
			end := bytes.IndexByte(c.data, '\n') + 1
			if r.skip = end == 0; r.skip {
				end = len(c.data)
			}
			if r.gone += end; r.gone > maxSkipped && r.err == nil {
				r.err = errEndless
			}
			c.data = c.data[:copy(c.data, c.data[end:])]
		}
		end := bytes.IndexByte(c.data[min(from, len(c.data)):], '\n') + 1
		switch {
		case end > 0 || r.err != nil && len(c.data) > 0:
			r.cut(c)
			return true
		case r.err != nil:
			return false
		case len(c.data) > MaxLine:
			r.skip, r.gone = true, len(c.data)
			c.data, c.long, c.lines = c.data[:0], true, 1
			r.number++
			return true
		}
		from = len(c.data)
		c.data = r.more(c.data)
	}
}

// more reads more data. From a slow stream it takes the available bytes.
func (r *lineReader) more(data []byte) []byte {
	if cap(data)-len(data) < chunkBytes/2 {
		data = append(make([]byte, 0, cap(data)+chunkBytes), data...)
	}
	for range 100 {
		n, err := r.in.Read(data[len(data):cap(data)])
		data, r.err = data[:len(data)+n], err
		if n > 0 || err != nil {
			return data
		}
	}
	r.err = io.ErrNoProgress
	return data
}

// cut keeps for later the bytes after the last whole line, or after the maximum number of lines of a chunk.
func (r *lineReader) cut(c *chunk) {
	end := len(c.data)
	if r.err == nil || bytes.Count(c.data, []byte{'\n'}) > chunkLines {
		end = bytes.LastIndexByte(c.data, '\n') + 1
	}
	if c.lines = bytes.Count(c.data[:end], []byte{'\n'}); c.lines > chunkLines {
		c.lines, end = chunkLines, 0
		for range chunkLines {
			end += bytes.IndexByte(c.data[end:], '\n') + 1
		}
	}
	if end > 0 && c.data[end-1] != '\n' {
		c.lines++
	}
	r.rest = append(r.rest[:0], c.data[end:]...)
	c.data = c.data[:end]
	r.number += c.lines
}

// maxNameKept limits how many bytes of a name are kept.
const maxNameKept = 4096

// lineNames are the vocabularies of a line.
const lineNames = descriptor.ConfigNames | descriptor.LineNames | descriptor.DirectMLNames | descriptor.BindingNames

// A lineWorker checks lines. It uses all its memory again.
type lineWorker struct {
	Lines
	fieldReader
	tree   doctree.Tree
	source fieldSource       // the line's source
	found  *finding.Reporter // for all lines
	judge  func(descriptor.Target, *descriptor.Descriptor)
	count  LineCount

	chunk  *chunk
	number int // the number of lines before this one
	desc   descriptor.Descriptor
	name   []byte   // the tensor's name
	faulty bool     // the line has findings of the reader's own
	skip   []string // names that are neither field names nor similar to one

	fields [16]descriptor.Field // the last line's fields; most lines have the same names in the same order
}

func newLineWorker(l Lines) *lineWorker {
	w := &lineWorker{Lines: l}
	o := l.Options
	o.Quota = nil // emit applies it
	w.found = finding.NewReporter(o, w.keep)
	if l.Judge != nil {
		w.judge = l.Judge(w.found)
	}
	w.Reporter = finding.NewReporter(finding.Options{Most: 100}, func(f finding.Finding) {
		w.faulty = true
		w.found.Add(f)
	})
	w.source.object = w.tree.Root()
	return w
}

// keep keeps a finding with the chunk.
func (w *lineWorker) keep(f finding.Finding) {
	if f.Tensor == "" {
		f.Tensor = string(bytes.ToValidUTF8(w.name[:min(len(w.name), maxNameKept)], []byte("\uFFFD")))
	}
	w.chunk.findings = append(w.chunk.findings, f)
}

// check checks all lines of a chunk.
func (w *lineWorker) check(c *chunk) {
	w.chunk, w.number, w.name = c, c.number, nil
	w.count.Lines += c.lines
	if c.long {
		w.unread(finding.Place{Line: w.number + 1, Column: 1}, tooLong, "")
	}
	for data := c.data; len(data) > 0; w.number++ {
		line := data
		w.name = nil
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			line, data = data[:i], data[i+1:]
		} else {
			data = nil
		}
		switch {
		case len(line) == 0 || line[0] <= ' ' && len(bytes.TrimSpace(line)) == 0:
		case len(line) > MaxLine:
			w.unread(finding.Place{Line: w.number + 1, Column: 1}, tooLong, "")
		default:
			w.line(line)
		}
	}
}

// unread reports a line that is rejected or is not a JSON object.
func (w *lineWorker) unread(at finding.Place, msg, fix string) {
	w.count.Unread++
	w.found.Add(finding.Finding{
		Rule: finding.Syntax, Severity: finding.Syntax.Severity, Place: at, Message: msg, Fix: fix,
	})
}

const tooLong = "the line is longer than 1048576 bytes"

// line checks a line.
func (w *lineWorker) line(line []byte) {
	w.name = nil
	if err := w.tree.Line(line, w.number); err != nil {
		at := finding.Place{Line: w.number + 1, Column: 1}
		if fault, ok := err.(*doctree.Fault); ok {
			at = w.tree.PlaceAt(fault.Offset)
		}
		w.unread(at, err.Error(), "")
		return
	}
	root := w.tree.Root()
	if root.Kind() != doctree.Object {
		w.unread(root.Place(), root.Kind().String()+" is not a descriptor, which is an object", "")
		return
	}
	if w.faulty {
		w.faulty = false
		w.Forget()
	}
	findings, counted := len(w.chunk.findings), w.found.Count
	w.source.in = lineNames
	target, mixed := w.members(root)
	if mixed { // the vocabulary of the line is known now
		switch {
		case root.Has("DataType", "Sizes"):
			w.source.in = descriptor.DirectMLNames
		case root.Has("dataType") && !root.Has("dtype"):
			w.source.in = descriptor.BindingNames
		default:
			w.source.in = descriptor.ConfigNames
		}
		w.chunk.findings, w.found.Count = w.chunk.findings[:findings], counted
		w.Forget()
		target, _ = w.members(root)
	}
	if !w.ok {
		w.count.Wrong++
		return
	}
	if w.Refuse != nil && w.desc.TypeKnown {
		if err := w.Refuse(w.desc.Type); err != nil {
			w.unread(w.source.Place(descriptor.TypePart, -1), err.Error(), layout.HintOf(err))
			return
		}
	}
	w.finish()
	if w.Target != nil {
		target = *w.Target
	}
	w.count.Descriptors++
	if w.Each != nil {
		w.desc.Name = string(w.name)
		w.Each(w.number+1, &w.desc, w.chunk.findings[findings:])
		w.chunk.findings = w.chunk.findings[:findings]
		return
	}
	w.judge(target, &w.desc)
}

// members reads the members of a line, and returns the target that it names. It reports mixed for a line with names of
// several vocabularies, for example DirectML's for some parts and a configuration's for others. If the source has only
// one of these vocabularies, members of the others are reported and not used.
func (w *lineWorker) members(root doctree.Value) (target descriptor.Target, mixed bool) {
	w.name = nil
	w.desc = descriptor.Descriptor{Source: &w.source}
	w.clear(&w.desc, true)
	stated, meant := uint32(0), uint32(0) // a bit for each part that is stated, or misspelt
	in := lineNames                       // the vocabularies with all names of shared parts so far
	var m doctree.Value
	for i := 0; ; i++ {
		if m = root.Member(m); !m.Exists() {
			break
		}
		f := w.field(m, i)
		part := f.Part
		shared := 1<<part&sharedParts != 0
		if shared {
			in &= f.In
		}
		switch {
		case part == descriptor.Whole || part == descriptor.ExpectPart:
			meant |= 1 << w.unknown(m)
			continue
		case shared && f.In&w.source.in == 0:
			meant |= 1 << part
			w.other(root, m, part)
			continue
		case stated>>part&1 != 0:
			w.Report(jsonDupKey, finding.On("", keyLocator{m}), "remove one of them",
				"%s is stated before, which counts", quote(m.Key()))
			continue
		case part == descriptor.NamePart:
			w.readName(m)
		case part == descriptor.TargetPart:
			target, _ = w.target(m)
		default:
			isDirectML := f.In&(descriptor.DirectMLNames|descriptor.BindingNames) != 0
			if part == descriptor.TypePart && isDirectML && stated>>descriptor.TargetPart&1 == 0 {
				target = descriptor.Target{Family: finding.DirectML}
			}
			w.read(part, f.In, m)
		}
		stated |= 1 << part
	}
	if (stated|meant)>>descriptor.TypePart&1 == 0 {
		w.wrong(configKey, root, "", "the line has no DataType, or dtype")
	}
	if (stated|meant)>>descriptor.SizesPart&1 == 0 {
		w.wrong(configKey, root, "", "the line has no Sizes, or sizes")
	}
	return target, in == 0
}

// sharedParts has a bit for each part that has different names in several vocabularies of a line.
const sharedParts = 1<<descriptor.TypePart | 1<<descriptor.SizesPart | 1<<descriptor.StridesPart |
	1<<descriptor.TotalPart | 1<<descriptor.AlignmentPart | 1<<descriptor.FlagsPart

// other reports a DirectML member among members of a configuration, or vice versa.
func (w *lineWorker) other(root, m doctree.Value, part descriptor.Part) {
	name := ""
	for _, f := range descriptor.FieldNames {
		if f.Part == part && f.In&w.source.in != 0 {
			name = f.Name
			break
		}
	}
	if v, there := root.Get(name); there {
		how := "before"
		if v.Offset() > m.Offset() {
			how = "as " + name
		}
		w.Report(jsonDupKey, finding.On("", keyLocator{m}), "remove one of them", "%s is stated %s, which counts",
			quote(m.Key()), how)
		return
	}
	ok := w.ok && part != descriptor.TypePart && part != descriptor.SizesPart
	outcome := "it is not used"
	if part == descriptor.StridesPart {
		outcome += ", and the tensor is taken as packed"
	}
	w.wrong(jsonKeyCase, keyLocator{m}, "write "+name, "%s is not %s: %s", quote(m.Key()), name, outcome)
	w.ok = ok
}

// field returns the field of a member that has the given number of members before it.
func (w *lineWorker) field(m doctree.Value, before int) *descriptor.Field {
	last := &w.fields[before%len(w.fields)]
	if name, escaped := m.KeyBytes(); escaped || last.Name != string(name) {
		*last = fieldOf(m, lineNames)
	}
	return last
}

func (w *lineWorker) readName(m doctree.Value) {
	switch {
	case m.Kind() != doctree.String:
		w.value(m, "a name")
	case m.Escaped():
		w.name = []byte(m.Text())
	default:
		w.name = m.Bytes()
	}
}

// unknown reports a name that is not one of a field but near it, and returns the part that was meant. Fields of other
// programs are skipped.
func (w *lineWorker) unknown(m doctree.Value) (meant descriptor.Part) {
	raw, _ := m.KeyBytes()
	if slices.ContainsFunc(w.skip, func(known string) bool { return known == string(raw) }) {
		return descriptor.Whole
	}
	known := slices.DeleteFunc(descriptor.NamesIn(lineNames), func(name string) bool { return name == "expect" })
	near := wording.Nearest(m.Key(), known)
	if near == "" {
		if len(w.skip) < 32 && len(raw) <= 64 {
			w.skip = append(w.skip, string(raw))
		}
		return descriptor.Whole
	}
	w.wrong(jsonKeyCase, keyLocator{m}, "write "+near, "%s is not a name of a field: it would be ignored",
		quote(m.Key()))
	return descriptor.FieldOf([]byte(near), lineNames).Part
}
