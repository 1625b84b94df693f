package triton

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"layoutcalc/layout"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/protobuf"
	"layoutcalc/layout/wording"
)

//go:embed model_config.proto
var schemaText string

// schema holds the messages of a configuration. The first is the whole configuration.
var schema = sync.OnceValue(func() *protobuf.Schema { return protobuf.ParseSchema(schemaText) })

// A Config is the configuration of a model.
type Config struct {
	*protobuf.Document
	*finding.Reporter
	findings []finding.Finding
	speller  wording.Speller

	name, platform, backend, filename text
	batch                             number // max_batch_size
	inputs, outputs                   []entry
	numbers                           list    // the dims and reshapes of inputs and outputs
	ensemble                          int32   // ensemble_scheduling; 0 if it is not stated
	steps                             []int32 // the messages of its steps
}

// The values of a configuration have positions: the index of a value in the document, or 0 if it is not stated.
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

// An entry holds the indices of the fields of an input or an output. It is small because a configuration may have very
// many.
type entry struct {
	at, name, dtype, format, reshape, label, isShape, unlinear int32
	dims, shape                                                span
	optional, ragged                                           bool
}

// A span is a part of a list of numbers.
type span struct{ from, to int32 }

// A tensor holds the fields of an input or an output.
type tensor struct {
	*entry
	name, label   text
	dtype, format number
	dims, shape   list
}

// A step is a step of an ensemble.
type step struct {
	at      int32
	model   text
	space   text
	version number
}

// A mapping maps a tensor of a model to a tensor of the ensemble.
type mapping struct{ tensor, ensemble text }

// Read reads a configuration. Invalid values of fields become findings. An input that is not in text format is an
// error.
func Read(data []byte) (*Config, error) {
	c, err := read(data)
	if err == nil {
		c.Judge("a configuration", enumHint, c.findFault)
	}
	return c, err
}

// IsTemplate reports whether err is the error of Read for a template that was not filled in.
func IsTemplate(err error) bool {
	var template protobuf.TemplateError
	return errors.As(err, &template)
}

// read is Read without the findings.
func read(data []byte) (*Config, error) {
	d, err := protobuf.ParseText(data, schema().Messages[0])
	if err != nil {
		return nil, err
	}
	c := &Config{Document: d}
	c.Reporter = finding.NewCollector(&c.findings)
	c.read()
	return c, nil
}

// near suggests the known name that is most similar to a word, if a finding of the rule would be kept.
func (c *Config) near(rule *finding.Rule, word string, known iter.Seq[string]) string {
	if c.Full(rule) {
		return ""
	}
	return c.speller.DidYouMean(word, known, "")
}

// findFault reports a value that the schema does not allow. Newer servers have more fields.
func (c *Config) findFault(kind protobuf.FaultKind, at int32, fault func() protobuf.Fault) {
	rule := [...]*finding.Rule{
		protobuf.WrongValue: tritonValue, protobuf.UnknownField: tritonField,
		protobuf.RepeatedKey: tritonMapKey,
	}[kind]
	if !c.WantsRule(rule) {
		return
	}
	fact, severity := fault(), rule.Severity
	if fact.IsNewer {
		severity = finding.Warning
	}
	of := spot{Config: c, at: at, named: kind == protobuf.UnknownField}
	c.ReportAs(rule, severity, of, fact.Fix, "%s", fact.Message)
}

// A spot is the subject of a finding: a value of a configuration, or the name of its field.
type spot struct {
	*Config
	at    int32
	named bool
}

// on returns a value as the subject of a finding.
//
// It is not inlined because it has many callers and inlining would increase the size of each.
//
//go:noinline
func (c *Config) on(at int32) finding.Subject { return spot{Config: c, at: at} }

// About implements [finding.Subject].
func (s spot) About(f *finding.Finding) {
	f.Place = s.Place(s.at)
	if s.named {
		p := s.NamePlace(s.at)
		f.Line, f.Column = p.Line, p.Column
	}
	f.Pointer, f.Tensor = s.path(s.at)
}

// path returns the pointer of a value, and the name of its input or output. Inputs and outputs with names are
// identified by name, so that the pointer stays the same when others come before them.
func (c *Config) path(at int32) (pointer, tensor string) {
	var b strings.Builder
	c.Path(at, func(at int32, before int) {
		item := strconv.Itoa(before)
		for _, list := range [...][]entry{c.inputs, c.outputs} {
			isBefore := func(e entry, at int32) int { return cmp.Compare(e.at, at) }
			if j, ok := slices.BinarySearchFunc(list, at, isBefore); ok && c.Text(list[j].name) != "" {
				tensor = c.Text(list[j].name)
				item = doctree.PointerTo(tensor)
			}
		}
		b.WriteString("/" + c.Name(at))
		if before >= 0 {
			b.WriteString("/" + item)
		}
	})
	return b.String(), tensor
}

// text returns the string at a value.
func (c *Config) text(at int32) text { return text{c.Text(at), at} }

// enumHint names the value of an enumeration that a word was probably meant to be.
func enumHint(word string, of *protobuf.Enum) string {
	names := of.Values
	prefix, _, _ := strings.Cut(names[0], "_")
	upper := strings.ToUpper(word)
	if !strings.HasPrefix(upper, prefix+"_") {
		upper = prefix + "_" + upper
	}
	if upper == "TYPE_BYTES" {
		upper = "TYPE_STRING"
	}
	if d, err := layout.ParseDType(strings.TrimPrefix(upper, "TYPE_")); err == nil {
		for n, name := range names {
			if known, ok := dtype(int64(n)); ok && known == d {
				upper = name
			}
		}
	}
	if slices.Contains(names, upper) {
		return "write " + upper
	}
	return wording.DidYouMean(upper, names, "one of "+strings.Join(names, ", "))
}

// read reads the fields that rules are about, without the values that break the schema.
func (c *Config) read() {
	c.name = c.text(c.One(protobuf.Root, "name"))
	c.platform = c.text(c.One(protobuf.Root, "platform"))
	c.backend = c.text(c.One(protobuf.Root, "backend"))
	c.filename = c.text(c.One(protobuf.Root, "default_model_filename"))
	c.batch.at = c.One(protobuf.Root, "max_batch_size")
	var isInteger bool
	if c.batch.n, isInteger = c.Integer(c.batch.at, math.MinInt32, math.MaxInt32); !isInteger && c.batch.at != 0 {
		c.batch.n = meantBatch(c.Text(c.batch.at))
	}
	c.inputs, c.outputs = c.entries("input"), c.entries("output")
	if c.ensemble = c.One(protobuf.Root, "ensemble_scheduling"); c.ensemble != 0 {
		c.steps = slices.Collect(c.All(c.ensemble, "step"))
	}
}

// entries reads inputs or outputs.
func (c *Config) entries(name string) (all []entry) {
	all = make([]entry, 0, c.CountOf(protobuf.Root, name))
	for message := range c.All(protobuf.Root, name) {
		e := entry{at: message}
		e.dims.from = int32(len(c.numbers.values))
		c.numbers.grow(c.Len(message))
		for at := range c.Items(message) {
			switch c.Name(at) {
			case "dims":
				c.numbers.add(c, at)
			case "name":
				if !c.IsEmpty(at) {
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
				e.optional = c.Truth(at)
			case "allow_ragged_batch":
				e.ragged = c.Truth(at)
			case "is_shape_tensor":
				if c.Truth(at) {
					e.isShape = at
				}
			case "is_non_linear_format_io":
				if c.Truth(at) {
					e.unlinear = at
				}
			}
		}
		e.dims.to = int32(len(c.numbers.values))
		if e.reshape != 0 {
			for at := range c.All(message, "reshape") {
				c.numbers.addAll(c, at, "shape")
			}
		}
		e.shape = span{e.dims.to, int32(len(c.numbers.values))}
		all = append(all, e)
	}
	return all
}

// tensor returns the fields of an entry.
func (c *Config) tensor(e *entry) *tensor {
	return &tensor{e, c.text(e.name), c.text(e.label), number{c.Enum(e.dtype), e.dtype},
		number{c.Enum(e.format), e.format}, c.cut(e.dims), c.cut(e.shape)}
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
	if n, ok := c.Integer(at, math.MinInt64, math.MaxInt64); ok {
		l.values, l.at = append(l.values, n), append(l.at, at)
	}
}

// addAll adds the integers of a field to a list.
func (l *list) addAll(c *Config, message int32, name string) {
	for at := range c.All(message, name) {
		l.add(c, at)
	}
}

// meantBatch returns the batch size in a string such as "8". The server rejects strings, and the size avoids findings
// that only follow from that. It returns -1 for other strings.
func meantBatch(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 0 {
		return -1
	}
	return n
}

// list returns the integers of a field.
func (c *Config) list(message int32, name string) (l list) {
	l.addAll(c, message, name)
	return l
}

// step reads a step of an ensemble, without its mappings.
func (c *Config) step(message int32) *step {
	s := &step{at: message, model: c.text(c.One(message, "model_name"))}
	s.space = c.text(c.One(message, "model_namespace"))
	s.version.at = c.One(message, "model_version")
	s.version.n, _ = c.Integer(s.version.at, math.MinInt64, math.MaxInt64)
	return s
}

// mappings reads the entries of a map of tensors. Of several with one key the last holds.
func (c *Config) mappings(message int32, name string) (all []mapping) {
	seen := map[string]int{}
	for at := range c.All(message, name) {
		m := mapping{c.text(c.One(at, "key")), c.text(c.One(at, "value"))}
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

// enum returns the names of an enumeration by their numbers.
func enum(name string) []string { return schema().Enum(name).Values }

// dtype returns the element type of a number of DataType.
func dtype(n int64) (d layout.DType, ok bool) {
	names := enum("DataType")
	if n <= 0 || n >= int64(len(names)) {
		return 0, false
	}
	d, err := layout.ParseDType(strings.ToLower(strings.TrimPrefix(names[n], "TYPE_")))
	return d, err == nil
}

// typeName returns the name of a number of DataType.
func typeName(n int64) string {
	if names := enum("DataType"); 0 <= n && n < int64(len(names)) {
		return names[n]
	}
	return strconv.FormatInt(n, 10)
}

// Is reports whether data, an input without a name, is a configuration. It must begin with a field of a configuration,
// and have another field, or a message, that is rare in other inputs.
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
	for n < len(start) && lexer.IsWord(start[n]) {
		n++
	}
	after := bytes.TrimLeft(start[n:], " \t\r\n")
	fields, _, _ := strings.Cut(schemaText, "\n}") // searched as text, because reading the schema takes longer
	if len(after) == 0 || strings.IndexByte(":{[<", after[0]) < 0 ||
		!strings.Contains(fields, " "+string(start[:n])+" = ") {
		return false
	}
	for _, word := range [...]string{"max_batch_size", "data_type", "platform", "backend", "ensemble_scheduling"} {
		if bytes.Contains(data, []byte(word)) {
			return true
		}
	}
	return false
}
