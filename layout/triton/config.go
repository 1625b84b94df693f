package triton

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/scan"
)

// A Config is the configuration of a model.
type Config struct {
	document
	findings []rules.Finding
	kept     map[rules.ID]int // how many findings of a rule there were
	contents map[int32]*contents
	speller  scan.Speller

	name, platform, backend, filename text
	batch                             number // max_batch_size
	inputs, outputs                   []entry
	numbers                           list    // of the dims and the reshapes of these
	ensemble                          int32   // ensemble_scheduling; 0 where there is none
	steps                             []int32 // the messages of its steps
}

// The values of a configuration know where they are: the index of a value, 0 where it is not stated.
type (
	text struct {
		text string
		at   int32
	}
	number struct {
		n  int64
		at int32
	}
	list struct {
		values []int64
		at     []int32
	}
)

// An entry is where the fields of an input or an output are. A long configuration has very many of them.
type entry struct {
	at, name, dtype, format, reshape, label, isShape, unlinear int32
	dims, shape                                                span
	optional, ragged                                           bool
}

// A span is a part of a list of numbers.
type span struct{ from, to int32 }

// A tensor is what an entry says of an input or an output.
type tensor struct {
	*entry
	name, label   text
	dtype, format number
	dims, shape   list
}

// A step is one of an ensemble.
type step struct {
	at      int32
	model   text
	space   text
	version number
}

// A mapping is of a tensor of a model to one of the ensemble.
type mapping struct{ tensor, ensemble text }

// Read reads a configuration. What its fields cannot hold are findings, a text without its form is an error.
func Read(data []byte) (*Config, error) {
	c, err := read(data)
	if err == nil {
		c.judge(modelConfig, 0)
	}
	return c, err
}

// read is Read without the findings.
func read(data []byte) (*Config, error) {
	d, err := parse(data)
	if err != nil {
		return nil, err
	}
	c := &Config{document: *d, kept: map[rules.ID]int{}, contents: map[int32]*contents{}}
	c.read()
	return c, nil
}

// maxFindings limits how many findings of one rule are kept; the others are counted.
const maxFindings = 1000

// find reports that a value breaks a rule.
func (c *Config) find(id rules.ID, at int32, fix, format string, args ...any) {
	c.findAs(id, id.Rule().Severity, at, fix, format, args...)
}

// findAs is find with another severity than the rule's own.
func (c *Config) findAs(id rules.ID, s rules.Severity, at int32, fix, format string, args ...any) {
	if c.kept[id]++; c.kept[id] <= maxFindings {
		c.findings = append(c.findings, c.finding(id, s, at, fix, format, args...))
	}
}

// near asks whether the known name that is most like a word was meant, if a finding of the rule would be kept.
func (c *Config) near(id rules.ID, word string, known iter.Seq[string]) string {
	if c.kept[id] >= maxFindings {
		return ""
	}
	return c.speller.DidYouMean(word, known, "")
}

// finding makes a finding at a value.
func (c *Config) finding(id rules.ID, s rules.Severity, at int32, fix, format string, args ...any) rules.Finding {
	f := rules.Finding{Rule: id, Severity: s, Place: c.place(int(c.values[at].at)), Fix: fix}
	f.Message = fmt.Sprintf(format, args...)
	f.Pointer, f.Tensor = c.path(at)
	return f
}

// path returns the pointer of a value, and the name of the input or the output that it is of. Inputs and outputs that
// have names are told by these, so that the pointer stays when others come before them.
func (c *Config) path(at int32) (pointer, tensor string) {
	var b strings.Builder
	t := &messages[modelConfig]
	for i := int32(0); i != at; {
		inside, n := c.around(i, at)
		name := c.fieldName(inside)
		b.WriteString("/" + name)
		f, _ := t.field(name)
		item := strconv.Itoa(n)
		for _, list := range [...][]entry{c.inputs, c.outputs} {
			isBefore := func(e entry, at int32) int { return cmp.Compare(e.at, at) }
			if j, ok := slices.BinarySearchFunc(list, inside, isBefore); ok && c.text(list[j].name).text != "" {
				tensor = c.text(list[j].name).text
				item = doctree.PointerTo(tensor)
			}
		}
		if f != nil && f.many {
			b.WriteString("/" + item)
		}
		if i = inside; f == nil || f.is != aMessage {
			break
		}
		t = &messages[f.of]
	}
	return b.String(), tensor
}

// The contents of a message are its first values, as far as they were asked for, with the number of values of the same
// field before each.
type contents struct {
	values, before []int32
	next           int32 // the value after these
	count          map[string]int32
}

// around returns the value of a message that holds another value, or is that value, and the number of values of its
// field before it.
func (c *Config) around(message, at int32) (inside int32, n int) {
	in := c.contents[message]
	if in == nil {
		in = &contents{next: message + 1, count: map[string]int32{}}
		c.contents[message] = in
	}
	for in.next <= at {
		name := c.fieldName(in.next)
		in.values, in.before = append(in.values, in.next), append(in.before, in.count[name])
		if c.values[in.next].kind != emptyKind {
			in.count[name]++
		}
		in.next = c.values[in.next].after
	}
	i, found := slices.BinarySearch(in.values, at)
	if !found {
		i--
	}
	return in.values[i], int(in.before[i])
}

// fieldName returns the name of the field that a value is of.
func (c *Config) fieldName(at int32) string {
	return string(c.data[c.values[at].name:c.values[at].nameEnd])
}

// items yields the values in a message.
func (c *Config) items(message int32) func(func(int32) bool) {
	return func(yield func(int32) bool) {
		for i := message + 1; i < c.values[message].after; i = c.values[i].after {
			if !yield(i) {
				return
			}
		}
	}
}

// all yields the values of a field of a message.
func (c *Config) all(message int32, name string) func(func(int32) bool) {
	return func(yield func(int32) bool) {
		for i := range c.items(message) {
			v := &c.values[i]
			if string(c.data[v.name:v.nameEnd]) == name && v.kind != emptyKind && !yield(i) {
				return
			}
		}
	}
}

// one returns the last value of a field that has one, 0 where it is not stated.
func (c *Config) one(message int32, name string) (at int32) {
	for i := range c.all(message, name) {
		at = i
	}
	return at
}

// maxFields is how many fields a message has at most.
const maxFields = 32

// judge compares the fields of a message with those that it can have.
func (c *Config) judge(id uint8, message int32) {
	t := &messages[id]
	var seen [maxFields]int32 // by the field; the first value that is not the default
	var keys map[string]bool  // of the entries of maps, after the name of the field
	last := int32(-1)         // the name before; all values in brackets have one
	var name string
	var f *field
	var i int
	for at := range c.items(message) {
		v := &c.values[at]
		first := v.name != last
		if last = v.name; first {
			name = c.fieldName(at)
			f, i = t.field(name)
		}
		switch {
		case f == nil && first:
			c.unknown(t, name, at)
			continue
		case f == nil || !first && (!f.many || !v.colon && f.is != aMessage):
			continue // it is reported
		}
		switch {
		case (v.listed || v.kind == emptyKind) && !f.many:
			c.find(rules.TritonValue, at, "leave out the brackets", "%s has one value, not a list", name)
			continue
		case !f.many && seen[i] != 0:
			c.find(rules.TritonValue, at, "leave one of them out", "%s is stated twice", name)
			continue
		}
		if other := c.rival(t, f, &seen); other != "" {
			c.find(rules.TritonValue, at, "leave one of them out", "%s and %s cannot both be stated", other, name)
			continue
		}
		if c.hasValue(f, at) && !f.many && (!c.isDefault(f, at) || f.oneof != "") {
			seen[i] = at
		}
		if f.is != aMessage || v.kind != messageKind {
			continue
		}
		c.judge(f.of, at)
		if f.of >= textEntry {
			key := name + "\x00" + c.text(c.one(at, "key")).text
			if keys[key] {
				c.find(rules.TritonMapKey, at, "leave one of them out",
					"%s has the key %s twice: the last one holds", name,
					scan.Quote(key[len(name)+1:]))
			}
			if keys == nil {
				keys = map[string]bool{}
			}
			keys[key] = true
		}
	}
}

// rival returns the name of another field that is stated, of which and this one a message can have one.
func (c *Config) rival(t *messageType, f *field, seen *[maxFields]int32) string {
	for i := range t.fields {
		if o := &t.fields[i]; f.oneof != "" && o != f && o.oneof == f.oneof && seen[i] != 0 {
			return o.name
		}
	}
	return ""
}

// unknown reports a field that a message does not have. Newer servers know more, so that it is a warning if nothing
// tells that the name is wrong.
func (c *Config) unknown(t *messageType, name string, at int32) {
	if c.kept[rules.TritonField]++; c.kept[rules.TritonField] > maxFindings {
		return
	}
	var known []string
	for i := range t.fields {
		known = append(known, t.fields[i].name)
	}
	what := "a configuration"
	switch {
	case t.name == "":
		what = "an entry of a map"
	case t != &messages[modelConfig]:
		what = t.name
	}
	fix, severity := "", rules.Warning
	if near := scan.Nearest(name, known); near != "" {
		fix, severity = "did you mean "+near+"?", rules.Error
	}
	for i := range messages {
		if f, _ := messages[i].field(name); f != nil && messages[i].name != "" && severity == rules.Warning {
			fix, severity = "it is a field of "+messages[i].name, rules.Error
		}
	}
	if strings.ToLower(name) != name {
		severity = rules.Error
	}
	f := c.finding(rules.TritonField, severity, at, fix, "%s has no field %s", what, scan.Quote(name))
	p := c.place(int(c.values[at].name))
	f.Line, f.Column = p.Line, p.Column
	c.findings = append(c.findings, f)
}

// hasValue reports whether a value can be one of a field, and reports one that cannot.
func (c *Config) hasValue(f *field, at int32) bool {
	v := &c.values[at]
	switch f.is {
	case int32s, int64s, uint32s, uint64s:
		if v.kind == integerKind && v.colon {
			return c.isInteger(f, at)
		}
	}
	word := func() string { return string(c.data[v.at:v.end]) } // of what is wrong: it may be long
	wrong := func(fix, format string, args ...any) bool {
		c.find(rules.TritonValue, at, fix, format, args...)
		return false
	}
	if f.is != aMessage && !v.colon {
		return wrong("write "+f.name+": ", "a colon is missing after %s", f.name)
	}
	if v.kind == emptyKind {
		return true
	}
	if v.kind == messageKind != (f.is == aMessage) {
		if f.is == aMessage {
			return wrong("write "+f.name+" { }", "%s is a message in braces, not %s", f.name, quoted(word()))
		}
		return wrong("", "%s is %s, not a message in braces", f.name, f.noun())
	}
	switch f.is {
	case aText:
		if v.kind != stringKind {
			return wrong("put it in quotes", "%s is a text, not %s", f.name, quoted(word()))
		}
	case aTruth:
		_, number := c.integer(at, 0, 1)
		isWord := v.kind == wordKind && !v.minus &&
			slices.Contains([]string{"true", "True", "t", "false", "False", "f"}, word())
		if !isWord && (!number || v.minus) {
			return wrong("", "%s is true or false, not %s", f.name, quoted(word()))
		}
	case aReal:
		isWord := v.kind == wordKind &&
			slices.Contains([]string{"inf", "infinity", "nan"}, strings.ToLower(c.unsigned(at)))
		isDecimal := v.kind == floatKind || v.kind == integerKind &&
			(c.unsigned(at)[0] != '0' || len(c.unsigned(at)) == 1)
		if !isWord && !isDecimal {
			return wrong("", "%s is a decimal number, not %s", f.name, quoted(word()))
		}
	case anEnum:
		if v.kind == wordKind && !v.minus {
			names := enums[f.of]
			if slices.Contains(names, word()) {
				return true
			}
			fix := ""
			if c.kept[rules.TritonValue] < maxFindings {
				fix = enumHint(word(), names)
			}
			return wrong(fix, "%s cannot be %s", f.name, quoted(word()))
		}
		if v.kind == stringKind {
			return wrong("leave out the quotes", "%s is a word without quotes, not %s", f.name, scan.Clip(word()))
		}
		return c.isInteger(f, at)
	case int32s, int64s, uint32s, uint64s:
		return c.isInteger(f, at)
	}
	return true
}

// noun says what the values of a field are.
func (f *field) noun() string {
	switch f.is {
	case aText:
		return "a text"
	case aTruth:
		return "true or false"
	case aReal:
		return "a number"
	case anEnum:
		return "one of " + strings.Join(enums[f.of], ", ")
	}
	return "an integer"
}

// enumHint says which of the names of an enumeration a word was meant to be.
func enumHint(word string, names []string) string {
	others := [...]string{"TYPE_FLOAT", "TYPE_FP32", "TYPE_FLOAT32", "TYPE_FP32", "TYPE_FLOAT16", "TYPE_FP16",
		"TYPE_HALF", "TYPE_FP16", "TYPE_DOUBLE", "TYPE_FP64", "TYPE_FLOAT64", "TYPE_FP64", "TYPE_BYTES", "TYPE_STRING",
		"TYPE_BFLOAT16", "TYPE_BF16", "TYPE_LONG", "TYPE_INT64", "TYPE_INT", "TYPE_INT32"}
	prefix, _, _ := strings.Cut(names[0], "_")
	upper := strings.ToUpper(word)
	if !strings.HasPrefix(upper, prefix+"_") {
		upper = prefix + "_" + upper
	}
	for pair := range slices.Chunk(others[:], 2) {
		if pair[0] == upper {
			upper = pair[1]
		}
	}
	if slices.Contains(names, upper) {
		return "write " + upper
	}
	return scan.DidYouMean(upper, names, "one of "+strings.Join(names, ", "))
}

// unsigned returns a number or a word without its sign.
func (c *Config) unsigned(at int32) string {
	v := &c.values[at]
	word := c.data[v.at:v.end]
	if v.minus {
		word = word[bytes.LastIndexAny(word, "- \t\r\n\v\f")+1:]
	}
	return string(word)
}

// bounds returns the least and the greatest integer that a field can have.
func (f *field) bounds() (low int64, high uint64) {
	switch f.is {
	case int64s:
		return math.MinInt64, math.MaxInt64
	case uint32s:
		return 0, math.MaxUint32
	case uint64s:
		return 0, math.MaxUint64
	}
	return math.MinInt32, math.MaxInt32
}

// isInteger reports whether a value is an integer of a field, and reports one that is not.
func (c *Config) isInteger(f *field, at int32) bool {
	v := &c.values[at]
	low, high := f.bounds()
	if _, ok := c.integer(at, low, high); ok {
		return true
	}
	word := quoted(c.data[v.at:v.end])
	if v.kind != integerKind {
		c.find(rules.TritonValue, at, "", "%s is an integer, not %s", f.name, word)
	} else {
		c.find(rules.TritonValue, at, "", "%s is from %d to %d, not %s", f.name, low, high, word)
	}
	return false
}

// integer returns an integer: the bits of one that is more than an int64 holds.
func (c *Config) integer(at int32, low int64, high uint64) (n int64, ok bool) {
	v := &c.values[at]
	if at == 0 || v.kind != integerKind {
		return 0, false
	}
	u, err := strconv.ParseUint(c.unsigned(at), 0, 64) // in Go a 0 before the digits is octal too
	switch {
	case err != nil:
		return 0, false
	case v.minus:
		return int64(-u), low < 0 && u <= uint64(-(low+1))+1
	}
	return int64(u), u <= high
}

// isDefault reports whether a value is the one of a field that is not stated.
func (c *Config) isDefault(f *field, at int32) bool {
	switch v := &c.values[at]; f.is {
	case aText:
		return c.text(at).text == ""
	case aMessage:
		return false
	case aTruth:
		return !c.truth(at)
	case anEnum:
		return c.enum(at, f.of) == 0
	case aReal:
		n, err := strconv.ParseFloat(strings.TrimRight(strings.ToLower(c.unsigned(at)), "f"), 64)
		return err == nil && n == 0 && !v.minus
	}
	n, _ := c.integer(at, math.MinInt64, math.MaxUint64)
	return n == 0
}

// truth returns a value that is true or false.
func (c *Config) truth(at int32) bool {
	v := &c.values[at]
	if n, ok := c.integer(at, 0, 1); ok {
		return n == 1
	}
	return at != 0 && strings.IndexByte("tT", c.data[v.at]) >= 0
}

// enum returns the number of a value of an enumeration, -1 where it is none of it.
func (c *Config) enum(at int32, of uint8) int64 {
	if n, ok := c.integer(at, math.MinInt32, math.MaxInt32); ok || at == 0 {
		return n
	}
	return int64(slices.Index(enums[of], string(c.data[c.values[at].at:c.values[at].end])))
}

// text returns a text, whose parts are joined.
func (c *Config) text(at int32) text {
	v := &c.values[at]
	if at == 0 || v.kind != stringKind {
		return text{at: at}
	}
	raw := c.data[v.at:v.end]
	if v.contents == 1 && bytes.IndexByte(raw, '\\') < 0 {
		return text{string(raw[1 : len(raw)-1]), at}
	}
	return text{joined(raw), at}
}

// read reads what rules are about. What judge has reported is left out.
func (c *Config) read() {
	c.name, c.platform = c.text(c.one(0, "name")), c.text(c.one(0, "platform"))
	c.backend, c.filename = c.text(c.one(0, "backend")), c.text(c.one(0, "default_model_filename"))
	c.batch.at = c.one(0, "max_batch_size")
	c.batch.n, _ = c.integer(c.batch.at, math.MinInt32, math.MaxInt32)
	c.inputs, c.outputs = c.entries("input"), c.entries("output")
	if c.ensemble = c.one(0, "ensemble_scheduling"); c.ensemble != 0 {
		c.steps = slices.Collect(c.all(c.ensemble, "step"))
	}
}

// entries reads inputs or outputs.
func (c *Config) entries(name string) (all []entry) {
	n := 0
	for range c.all(0, name) {
		n++
	}
	all = slices.Grow(all, n)
	for message := range c.all(0, name) {
		e := entry{at: message}
		e.dims.from = int32(len(c.numbers.values))
		c.numbers.grow(int(c.values[message].after - message))
		for at := range c.items(message) {
			switch c.fieldName(at) {
			case "dims":
				c.numbers.add(c, at)
			case "name":
				if c.values[at].kind != emptyKind {
					e.name = at
				}
			case "data_type":
				e.dtype = at
			case "format":
				e.format = at
			case "reshape":
				e.reshape = at
			case "label_filename":
				e.label = at
			case "optional":
				e.optional = c.truth(at)
			case "allow_ragged_batch":
				e.ragged = c.truth(at)
			case "is_shape_tensor":
				if c.truth(at) {
					e.isShape = at
				}
			case "is_non_linear_format_io":
				if c.truth(at) {
					e.unlinear = at
				}
			}
		}
		e.dims.to = int32(len(c.numbers.values))
		if e.reshape != 0 {
			for at := range c.all(message, "reshape") {
				c.numbers.addAll(c, at, "shape")
			}
		}
		e.shape = span{e.dims.to, int32(len(c.numbers.values))}
		all = append(all, e)
	}
	return all
}

// tensor returns what an entry says.
func (c *Config) tensor(e *entry) *tensor {
	return &tensor{e, c.text(e.name), c.text(e.label), number{c.enum(e.dtype, dataType), e.dtype},
		number{c.enum(e.format, modelInputFormat), e.format}, c.cut(e.dims), c.cut(e.shape)}
}

// cut returns a part of the numbers of tensors.
func (c *Config) cut(s span) list {
	return list{c.numbers.values[s.from:s.to:s.to], c.numbers.at[s.from:s.to:s.to]}
}

// grow makes room for n integers.
func (l *list) grow(n int) {
	l.values, l.at = slices.Grow(l.values, n), slices.Grow(l.at, n)
}

// add adds an integer to a list.
func (l *list) add(c *Config, at int32) {
	if n, ok := c.integer(at, math.MinInt64, math.MaxInt64); ok {
		l.values, l.at = append(l.values, n), append(l.at, at)
	}
}

// addAll adds the integers of a field to a list.
func (l *list) addAll(c *Config, message int32, name string) {
	for at := range c.all(message, name) {
		l.add(c, at)
	}
}

// list returns the integers of a field.
func (c *Config) list(message int32, name string) (l list) {
	l.addAll(c, message, name)
	return l
}

// step reads a step of an ensemble, without its mappings.
func (c *Config) step(message int32) *step {
	s := &step{at: message, model: c.text(c.one(message, "model_name"))}
	s.space = c.text(c.one(message, "model_namespace"))
	s.version.at = c.one(message, "model_version")
	s.version.n, _ = c.integer(s.version.at, math.MinInt64, math.MaxInt64)
	return s
}

// mappings reads the entries of a map of tensors. Of several with one key the last holds.
func (c *Config) mappings(message int32, name string) (all []mapping) {
	seen := map[string]int{}
	for at := range c.all(message, name) {
		m := mapping{c.text(c.one(at, "key")), c.text(c.one(at, "value"))}
		if m.tensor.at == 0 {
			m.tensor.at = at
		}
		if m.ensemble.at == 0 {
			m.ensemble.at = at
		}
		if i, again := seen[m.tensor.text]; again {
			all[i] = m
			continue
		}
		seen[m.tensor.text] = len(all)
		all = append(all, m)
	}
	return all
}

// dtype returns the element type of a number of DataType.
func dtype(n int64) (d layout.DType, ok bool) {
	if n <= 0 || n >= int64(len(enums[dataType])) {
		return 0, false
	}
	d, err := layout.ParseDType(strings.ToLower(strings.TrimPrefix(enums[dataType][n], "TYPE_")))
	return d, err == nil
}

// typeName returns the name of a number of DataType.
func typeName(n int64) string {
	if n < 0 || n >= int64(len(enums[dataType])) {
		return strconv.FormatInt(n, 10)
	}
	return enums[dataType][n]
}

// Is reports whether a text without a name is a configuration: it begins with a field of one, and has another one, or a
// message, that few other texts have.
func Is(data []byte) bool {
	start := data
	for {
		start = bytes.TrimLeft(start, " \t\r\n")
		if len(start) == 0 || start[0] != '#' {
			break
		}
		_, start, _ = bytes.Cut(start, []byte{'\n'})
	}
	n := 0
	for n < len(start) && scan.IsWord(start[n]) {
		n++
	}
	after := bytes.TrimLeft(start[n:], " \t\r\n")
	if f, _ := messages[modelConfig].field(string(start[:n])); f == nil || len(after) == 0 ||
		strings.IndexByte(":{[<", after[0]) < 0 {
		return false
	}
	for _, word := range [...]string{"max_batch_size", "data_type", "platform", "backend", "ensemble_scheduling"} {
		if bytes.Contains(data, []byte(word)) {
			return true
		}
	}
	return false
}
