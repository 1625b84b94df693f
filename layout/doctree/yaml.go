package doctree

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// MaxYAML is the maximum length, in bytes, of a YAML input. The parser needs about 200 bytes of memory for each value.
const MaxYAML = 4 << 20

// YAML reads a YAML input, and returns a tree for each document that is not empty, up to the given number. It does not
// read later documents. The trees keep the input.
//
// Scalars follow the core schema, except that numbers are as in JSON: decimal digits are a number; true, false and null
// have their values, also as True and TRUE, and ~ and an empty scalar are null; all others are strings, and so are
// quoted scalars, unless they have a tag. 012, 0x10, 1_000, 1e3, 1.5 and yes are strings, for the reader to complain
// about. An alias is a copy of its anchor's value, with the position of that value; a merge key adds the members that
// its object does not have itself.
func YAML(data []byte, most int) ([]*Tree, error) {
	if fault := checkYAML(data); fault != nil {
		return nil, fault
	}
	if t := yamlOfJSON(data); t != nil {
		return []*Tree{t}, nil
	}
	values, fault := checkCounts(data)
	if fault != nil {
		return nil, fault
	}
	text := bytes.NewReader(knownVersion(data))
	loader, err := yaml.NewLoader(text, yaml.WithPlugin(depthLimit{}))
	if err != nil {
		return nil, err
	}
	r := yamlReader{data: data, cursor: cursor{data: data}}
	r.room = Tree{
		data: data, comments: Comments{Text: data},
		words: make([]byte, 0, len(data)/2), nodes: make([]node, 0, values), at: make([]places, 0, values),
	}
	r.commented = bytes.Contains(data, []byte(CommentMark))
	var trees []*Tree
	from := 0 // the index of the first comment of the last tree
	for {
		var document yaml.Node
		err := error(io.EOF)
		if len(trees) < most {
			err = loader.Load(&document)
		}
		switch {
		case err == io.EOF && len(trees) == 0:
			return nil, &Fault{len(data), "the text says nothing"}
		case err == io.EOF:
			r.comments(from, len(data))
			return trees, nil
		case err != nil:
			return nil, r.broken(err)
		}
		if len(document.Content) != 1 {
			continue
		}
		if n := document.Content[0]; n.Kind == yaml.ScalarNode && n.Style == 0 && n.Value == "" {
			continue
		}
		if len(trees) > 0 {
			start := r.cursor.offset(document.Line, document.Column)
			r.comments(from, start)
			from = start
		}
		trees = append(trees, r.document(document.Content[0], len(data)-text.Len()))
		if r.fault != nil {
			return nil, r.fault
		}
	}
}

// depthLimit limits the nesting of values that the parser follows by recursion.
type depthLimit struct{}

var errTooDeep = errors.New(tooDeep)

// CheckDepth is called at the start of a list or an object.
func (depthLimit) CheckDepth(depth int, _ *yaml.DepthContext) error {
	if depth > MaxDepth {
		return errTooDeep
	}
	return nil
}

// CheckAlias limits nothing, because the values are counted when aliases are copied.
func (depthLimit) CheckAlias(int, int) error { return nil }

// yamlOfJSON returns the tree of a JSON input, which is also YAML but needs less time and memory to read as JSON. It
// returns nil if the input is not JSON.
func yamlOfJSON(data []byte) *Tree {
	start := bytes.TrimLeft(bytes.TrimPrefix(data, []byte(ByteOrderMark)), " \t\r\n")
	if len(start) == 0 || start[0] != '{' && start[0] != '[' {
		return nil
	}
	t, comments := new(Tree), false
	t.scanner.Strict = true
	t.scanner.Comment = func(int, int) { comments = true }
	if t.Line(data, 0) != nil || comments {
		return nil
	}
	for i := range t.nodes {
		if n := &t.nodes[i]; n.kind == Number && !n.whole {
			n.kind = plainKind(string(t.words[n.start:n.end]))
		}
	}
	return t
}

// A yamlReader converts documents to trees.
type yamlReader struct {
	data      []byte
	cursor    cursor
	fault     *Fault
	commented bool // there may be comments for layoutcalc
	parsed    int  // bytes of the input that had been read when memory was last freed
	room      Tree // the start of the next tree: the earlier words, the remaining memory, and the last position

	t       *Tree
	depth   int
	text    int                   // bytes of all names and scalars, including aliases
	anchors map[*yaml.Node]anchor // the named values of this document
	quoted  [][2]int              // the bounds of strings in quotes and in blocks, which may look like comments
}

// An anchor is the value that aliases refer to: the node of a list or an object, or the words of a scalar.
type anchor struct {
	node       int32
	start, end int
	at         int  // in the input
	isRead     bool // the rest is known, for a scalar
	kind       Kind
	n          int64 // the number, if it is an integer
	whole      bool
}

// A yamlName is the name of a member and its offset in the input.
type yamlName struct {
	name
	at int
}

func (r *yamlReader) fail(offset int, msg string) {
	if r.fault == nil {
		r.fault = &Fault{offset, msg}
	}
}

// document makes a tree from the root of a document. The parser has read parsed bytes so far. After each megabyte the
// nodes of the parser are freed, because they take ten times as much memory as the tree.
func (r *yamlReader) document(root *yaml.Node, parsed int) *Tree {
	r.room.PlaceAt(r.place(root))
	t := new(Tree)
	*t = r.room
	r.t, r.anchors, r.quoted, r.depth = t, map[*yaml.Node]anchor{}, nil, 0
	r.value(root, yamlName{})
	r.anchors = nil
	r.room.words, r.room.nodes, r.room.at = t.words, t.nodes[len(t.nodes):], t.at[len(t.at):]
	t.nodes, t.at = slices.Clip(t.nodes), slices.Clip(t.at)
	r.room.before += len(t.nodes)
	if parsed-r.parsed > 1<<20 {
		r.parsed = parsed
		runtime.GC()
	}
	return t
}

// add adds a node with a name at an offset of the input.
func (r *yamlReader) add(n node, name yamlName, at int) {
	t := r.t
	if t.before+len(t.nodes) >= MaxNodes {
		r.fail(at, tooMany)
		return
	}
	if r.text += int(name.length); n.kind != Array && n.kind != Object {
		r.text += int(n.end - n.start)
	}
	if r.text > MaxYAML {
		r.fail(at, "with its aliases written out the text is longer than "+strconv.Itoa(MaxYAML)+" bytes")
	}
	n.name = name.name
	t.nodes, t.at = append(t.nodes, n), append(t.at, places{uint32(at), uint32(name.at)})
}

// value adds a value and the values inside it.
func (r *yamlReader) value(n *yaml.Node, name yamlName) {
	if r.fault != nil {
		return
	}
	at := r.place(n)
	switch n.Kind {
	case yaml.AliasNode:
		r.alias(n, name, at)
	case yaml.ScalarNode:
		r.scalar(n, r.words(n, at), name)
	case yaml.SequenceNode:
		r.group(n, Array, name, at)
	default:
		r.group(n, Object, name, at)
	}
}

// group adds a list or an object with the values inside it, and releases the parser's nodes.
func (r *yamlReader) group(n *yaml.Node, kind Kind, name yamlName, at int) {
	if r.depth++; r.depth > MaxDepth {
		r.fail(at, tooDeep)
	}
	if want := [...]string{Array: "!!seq", Object: "!!map"}[kind]; n.Style&yaml.TaggedStyle != 0 && n.Tag != want {
		r.fail(r.cursor.offset(n.Line, n.Column), kind.String()+" cannot have the tag "+strconv.Quote(n.Tag))
	}
	i := int32(len(r.t.nodes))
	if n.Anchor != "" {
		r.anchors[n] = anchor{node: i}
	}
	r.add(node{kind: kind}, name, at)
	if kind == Object {
		r.members(n)
	} else {
		for _, item := range n.Content {
			r.value(item, yamlName{})
		}
	}
	n.Content = nil
	r.depth--
	if r.fault == nil {
		r.t.nodes[i].n = int64(len(r.t.nodes))
	}
}

// words keeps the words of a scalar or a name, which is at an offset of the input.
func (r *yamlReader) words(n *yaml.Node, at int) anchor {
	t := r.t
	a := anchor{start: len(t.words), end: len(t.words) + len(n.Value), at: at}
	t.words = append(t.words, n.Value...)
	if n.Anchor != "" {
		r.anchors[n] = a
	}
	r.span(n, at)
	return a
}

// scalar adds a scalar and keeps its words. It reads a scalar with an anchor only once, regardless of the number of
// aliases.
func (r *yamlReader) scalar(n *yaml.Node, words anchor, name yamlName) {
	if !words.isRead {
		words.kind, words.isRead = r.scalarKind(n, words.at), true
		if words.kind == Number {
			whole, err := strconv.ParseInt(n.Value, 10, 64)
			words.n, words.whole = whole, err == nil
		}
		if n.Anchor != "" {
			r.anchors[n] = words
		}
	}
	start, end := uint32(words.start), uint32(words.end)
	r.add(node{kind: words.kind, start: start, end: end, n: words.n, whole: words.whole}, name, words.at)
}

// alias adds a copy of the value that an alias refers to.
func (r *yamlReader) alias(n *yaml.Node, name yamlName, at int) {
	from, known := r.anchors[n.Alias]
	r.t.aliased = true
	switch {
	case !known:
		r.value(n.Alias, name)
	case n.Alias.Kind == yaml.ScalarNode:
		r.scalar(n.Alias, from, name)
	case r.t.nodes[from.node].n == 0:
		r.fail(at, "the alias *"+n.Value+" is inside what it names")
	default:
		r.copy(from.node, name, at)
	}
}

// copy adds a copy of a value of the tree, on behalf of an alias at the offset.
func (r *yamlReader) copy(from int32, name yamlName, alias int) {
	t := r.t
	shift := int64(len(t.nodes)) - int64(from)
	var ends [MaxDepth]int32 // the ends of the lists and objects around a node
	depth := 0
	for i, end := from, t.after(from); i < end && r.fault == nil; i++ {
		for depth > 0 && i >= ends[depth-1] {
			depth--
		}
		n := t.nodes[i]
		if n.kind == Array || n.kind == Object {
			if r.depth+depth == MaxDepth {
				r.fail(alias, tooDeep)
				return
			}
			ends[depth] = t.after(i)
			depth++
			n.n += shift
		}
		if i != from {
			name = t.yamlName(i)
		}
		if t.before+len(t.nodes) >= MaxNodes {
			r.fail(alias, tooMany)
		}
		r.add(n, name, int(t.at[i].value))
	}
}

// members adds the members of an object, and the members from merge keys that it does not have itself.
func (r *yamlReader) members(n *yaml.Node) {
	var names map[string]bool
	if slices.ContainsFunc(n.Content, isMerge) {
		names = map[string]bool{}
		for i := 0; i < len(n.Content); i += 2 {
			names[keyText(n.Content[i])] = true
		}
	}
	for i := 0; i+1 < len(n.Content) && r.fault == nil; i += 2 {
		if name, value := n.Content[i], n.Content[i+1]; isMerge(name) {
			r.merge(value, names)
		} else {
			r.value(value, r.name(name))
		}
	}
}

// name keeps the name of a member, which may be an alias.
func (r *yamlReader) name(n *yaml.Node) yamlName {
	at := r.place(n)
	if n.Kind == yaml.AliasNode && n.Alias.Kind == yaml.ScalarNode {
		n = n.Alias
	}
	switch {
	case n.Kind != yaml.ScalarNode:
		r.fail(at, "a key must be a string, not a list or an object")
		return yamlName{}
	case len(n.Value) > maxKey:
		r.fail(at, longKey)
		return yamlName{}
	}
	words, known := r.anchors[n]
	if !known {
		words = r.words(n, at)
	}
	return yamlName{name{start: uint32(words.start), length: uint16(len(n.Value)), member: true}, words.at}
}

// yamlName returns the name of a node.
func (t *Tree) yamlName(i int32) yamlName { return yamlName{t.nodes[i].name, int(t.at[i].name)} }

// isMerge reports whether a key stands for the members of other objects.
func isMerge(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "<<" &&
		(n.Style == 0 || n.Style&yaml.TaggedStyle != 0 && n.Tag == "!!merge")
}

// keyText returns the text of a key that may be an alias.
func keyText(n *yaml.Node) string {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n.Value
}

// merge adds the members of an object, or of the objects of a list, except the ones with names in taken.
func (r *yamlReader) merge(n *yaml.Node, taken map[string]bool) {
	at := r.place(n)
	from, known := anchor{}, false
	if n.Kind == yaml.AliasNode {
		if from, known = r.anchors[n.Alias]; !known {
			n = n.Alias
		}
	}
	switch {
	case known && n.Alias.Kind == yaml.ScalarNode:
		r.fail(at, badMerge)
	case known:
		r.inherit(from.node, taken, at)
	case n.Kind == yaml.SequenceNode:
		for _, item := range n.Content {
			if item.Kind == yaml.SequenceNode {
				r.fail(r.place(item), badMerge)
				return
			}
			r.merge(item, taken)
		}
	case n.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if name := keyText(n.Content[i]); !isMerge(n.Content[i]) && !taken[name] {
				taken[name] = true
				r.value(n.Content[i+1], r.name(n.Content[i]))
			}
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if isMerge(n.Content[i]) {
				r.merge(n.Content[i+1], taken)
			}
		}
	default:
		r.fail(at, badMerge)
	}
}

const badMerge = "a merge key (<<) takes an object or a list of objects"

// inherit is like merge, but for a node of the tree, on behalf of an alias at the offset.
func (r *yamlReader) inherit(from int32, taken map[string]bool, alias int) {
	t := r.t
	switch first := t.nodes[from]; {
	case first.kind != Array && first.kind != Object:
		r.fail(alias, badMerge)
		return
	case first.n == 0:
		r.fail(alias, "the alias is inside what it names")
		return
	}
	object := t.nodes[from].kind == Object
	for i, end := from+1, t.after(from); i < end && r.fault == nil; i = t.after(i) {
		if !object {
			r.inherit(i, taken, alias)
			continue
		}
		if name := (Value{t, i, 0}).Key(); !taken[name] {
			taken[name] = true
			r.copy(i, t.yamlName(i), alias)
		}
	}
}

// place returns the offset of a node in the input, after its anchor and its tag.
func (r *yamlReader) place(n *yaml.Node) int {
	at := r.cursor.offset(n.Line, n.Column)
	if n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&^yaml.TaggedStyle == 0 {
		return at
	}
	for at < len(r.data) {
		switch c := r.data[at]; {
		case c == '&' || c == '!':
			for at < len(r.data) && !blank(r.data[at]) {
				at++
			}
		case blank(c):
			at++
		case c == '#':
			at = lineEnd(r.data, at)
		default:
			return at
		}
	}
	return at
}

// knownVersion returns the input with spaces instead of the directives %YAML 1.1 and %YAML 1.2. The parser does not
// need them, because the versions only differ in the types of scalars.
func knownVersion(data []byte) []byte {
	if !bytes.Contains(data, []byte("%YAML")) {
		return data
	}
	data = slices.Clone(data)
	before := true // the document has not started
	for at := 0; at < len(data); {
		end := lineEnd(data, at)
		line := bytes.TrimPrefix(data[at:end], []byte(ByteOrderMark))
		words := bytes.Fields(line)
		switch {
		case before && len(words) >= 2 && line[0] == '%' && string(words[0]) == "%YAML" &&
			(string(words[1]) == "1.1" || string(words[1]) == "1.2"):
			copy(line, bytes.Repeat([]byte{' '}, len(line)))
		case bytes.HasPrefix(line, []byte("...")):
			before = true
		case len(words) > 0 && line[0] != '%' && words[0][0] != '#':
			before = false
		}
		at = end + 1
	}
	return data
}

// checkYAML rejects inputs that are too long or have too many values, and characters that YAML forbids or that only
// some readers treat as line breaks.
func checkYAML(data []byte) *Fault {
	switch {
	case len(data) > MaxYAML:
		return &Fault{0, "the text is longer than " + strconv.Itoa(MaxYAML) + " bytes"}
	case bytes.HasPrefix(data, []byte("\xFF\xFE")), bytes.HasPrefix(data, []byte("\xFE\xFF")):
		return &Fault{0, "the text is UTF-16: save it as UTF-8"}
	}
	for i := 0; i < len(data); i++ {
		c := data[i]
		if ' ' <= c && c < 0x7F || c == '\n' || c == '\t' {
			continue
		}
		size, msg := strangeByte(data[i:], i)
		if msg != "" {
			return &Fault{i, msg}
		}
		i += size - 1
	}
	return nil
}

// strangeByte checks a character at an offset that is not plain ASCII. It returns its length in bytes, and why it is
// not allowed there.
func strangeByte(text []byte, offset int) (size int, msg string) {
	r, size := utf8.DecodeRune(text)
	switch {
	case r == '\r' && len(text) > 1 && text[1] == '\n':
		return size, ""
	case r == '\r':
		return size, "a carriage return without a line feed after it"
	case r == 0:
		return size, "a byte of 0: save the text as UTF-8"
	case r < ' ' || r == 0x7F:
		return size, "a control character: write it as an escape in quotes"
	case r == utf8.RuneError && size == 1:
		return size, "the text is not valid UTF-8 here"
	case r == '\uFEFF' && offset > 0, r == 0x85, r == 0x2028, r == 0x2029, r == 0xFFFE, r == 0xFFFF:
		return size, "a character that some readers take for a mark or a line break: write it as an escape in quotes"
	}
	return size, ""
}

// maxHeld limits the commas in brackets that the parser holds in memory because a key may start with the bracket: about
// 1 KB each.
const maxHeld = 100_000

// maxYAMLValues limits the values in a YAML input, including keys, so that reading it needs less than 256 MB.
const maxYAMLValues = 900_000

// checkCounts rejects inputs that would need too much memory: with too many values, which start after line ends,
// brackets, commas, colons and dashes, or with lists in brackets that are too long at the position of a key. It need
// not be exact: inputs far below the limits pass, and apparent brackets in a string over several lines end with the
// string.
func checkCounts(data []byte) (values int, fault *Fault) {
	c := yamlCounter{data: data, last: '\n'}
	for c.at = 0; c.at < len(data); c.at++ {
		c.take(data[c.at])
		switch {
		case c.values > maxYAMLValues:
			return c.values, &Fault{c.at, "the text holds more than 900000 values"}
		case c.heldDepth > 0 && c.held > maxHeld:
			return c.values, &Fault{
				c.heldAt, "the brackets hold more than 100000 values: write an item (-) on each line",
			}
		}
	}
	return c.values, nil
}

// A yamlCounter counts the possible values of an input.
type yamlCounter struct {
	data   []byte
	at     int
	start  int  // the start of the line
	last   byte // the last byte that is not a space; a line feed at the start of a line
	values int

	depth  int // the number of open brackets
	margin int // the indentation of the line with the first bracket; a line further left ends the brackets

	held      int // commas since the bracket that a key may start with
	heldDepth int // the depth of that bracket; 0 without such a bracket
	heldAt    int
}

// take counts a byte, and skips the comment or the quoted string that starts with it.
func (c *yamlCounter) take(b byte) {
	isStart := strings.IndexByte("\n-?:,[{", c.last) >= 0 // a token may start here
	if c.last == '\n' && !blank(b) {
		c.startLine(b)
	}
	switch {
	case b == '#' && (c.at == c.start || blank(c.data[c.at-1])):
		c.at = lineEnd(c.data, c.at) - 1
		return
	case b == '\n':
		c.start = c.at + 1
	case blank(b):
		return
	case (b == '"' || b == '\'') && isStart:
		c.at = quotedEnd(c.data, c.at)
	case (b == '[' || b == '{') && isStart:
		c.open()
	case (b == ']' || b == '}') && c.depth > 0:
		if c.depth--; c.depth < c.heldDepth {
			c.heldDepth = 0
		}
	case b == ',' && c.depth > 0:
		c.values++
		c.held++
	case b == ':' || b == '-' || b == '?':
		if next := c.at + 1; next == len(c.data) || blank(c.data[next]) || c.depth > 0 {
			c.values++
		}
	}
	c.last = b
}

// startLine counts the first byte of a line that is not a space.
func (c *yamlCounter) startLine(b byte) {
	if c.at-c.start < c.margin {
		c.depth, c.heldDepth = 0, 0
	}
	if b != '#' {
		c.values++
	}
}

// open counts a bracket.
func (c *yamlCounter) open() {
	c.values++
	if c.depth++; c.depth == 1 {
		c.margin = bytes.IndexFunc(c.data[c.start:], func(r rune) bool { return r != ' ' })
	}
	if c.heldDepth == 0 && c.last != ':' {
		c.held, c.heldDepth, c.heldAt = 0, c.depth, c.at
	}
}

// quotedEnd returns the offset of the quote that ends a quoted string, or the end of the data if the string is not
// closed.
func quotedEnd(data []byte, at int) int {
	quote := data[at]
	for at++; at < len(data); at++ {
		switch {
		case data[at] == '\\' && quote == '"':
			at++
		case data[at] != quote:
		case quote == '\'' && at+1 < len(data) && data[at+1] == quote:
			at++
		default:
			return at
		}
	}
	return len(data)
}

// yamlFaults maps words of the parser's messages to our messages.
var yamlFaults = [...]struct{ words, msg string }{
	{tooDeep, tooDeep},
	{"unknown anchor", "there is no anchor of that name before the alias"},
	{"tab character", "a tab cannot indent: use spaces"},
	{"cannot start any token", "no value starts with this character: put it in quotes"},
	{"mapping values are not allowed", "a key cannot be here: is the line indented as those above it?"},
	{"mapping keys are not allowed", "a key (?) cannot be here: is the line indented as those above it?"},
	{"block sequence entries are not allowed", "an item (-) cannot be here: put it on a line of its own"},
	{"could not find expected ':'", "expected a key with a colon and a space after it"},
	{"expected ',' or ']'", "expected a comma or ]"},
	{"expected ',' or '}'", "expected a comma or }"},
	{"expected '-' indicator", "expected an item of the list above (- value), or a line further out"},
	{"did not find expected key", "expected a key of the object above, or a line further out"},
	{"expected node content", "expected a value"},
	{"expected <document start>", "unexpected text after the document: is the line indented as those above it?"},
	{"document-end marker", "unexpected text after the end of the document"},
	{"unexpected document indicator", "the document ends inside a quoted string"},
	{"unexpected end of stream", "the text in quotes does not end"},
	{"escape character", "unknown escape: \\\\ is a backslash, and 'text' has no escapes"},
	{"escape code", "the escape is not a character"},
	{"hexadecimal number", "expected hexadecimal digits in the escape"},
	{"preceding whitespace", "a comment needs a space before its #"},
	{"comment or line break", "expected the end of the line"},
	{"indentation indicator", "the indentation of a block string is from 1 to 9"},
	{"expected alphabetic or numeric", "expected a name after & or *"},
	{"tag handle", "unknown tag: those of scalars are !!str, !!int, !!float, !!bool and !!null"},
	{"a tag", "the tag is not complete"},
	{"%YAML", "the versions of YAML are 1.1 and 1.2"},
	{"YAML document", "the versions of YAML are 1.1 and 1.2"},
	{"irective", "the directives are %YAML and %TAG"},
}

// broken returns the Fault for an error from the YAML library.
func (r *yamlReader) broken(err error) error {
	var e *yaml.LoadError
	if !errors.As(err, &e) {
		return &Fault{0, "the text is not YAML"}
	}
	f := &Fault{r.cursor.offset(e.Mark.Line, e.Mark.Column), "the text is not YAML"}
	for _, said := range [...]string{e.ContextMsg, e.Message} {
		for _, known := range yamlFaults {
			if strings.Contains(said, known.words) {
				f.Msg = known.msg
				break
			}
		}
	}
	start := bytes.LastIndexByte(r.data[:f.Offset], '\n') + 1
	switch first := len(bytes.TrimSpace(r.data[start:f.Offset])) == 0; {
	case strings.Contains(e.Message, "find expected ':'"), strings.Contains(e.Message, "unexpected end of stream"):
		f.Offset = r.cursor.offset(e.ContextMark.Line, e.ContextMark.Column)
	case strings.Contains(e.Message, "expected ',' or") && f.Offset == len(r.data):
		at := r.cursor.offset(e.ContextMark.Line, e.ContextMark.Column)
		return unclosed(at, r.data[at])
	case strings.Contains(e.Message, "find expected key") && !first:
		f.Msg = "expected the end of the line"
	case strings.Contains(e.Message, "start any token") && f.Offset < len(r.data) && r.data[f.Offset] == '\t':
		f.Msg = "a tab cannot indent: use spaces"
	}
	return f
}

// scalarKind returns the kind of a scalar.
func (r *yamlReader) scalarKind(n *yaml.Node, at int) Kind {
	if n.Style&yaml.TaggedStyle == 0 {
		if n.Style != 0 || n.Tag == "!" {
			return String
		}
		return plainKind(n.Value)
	}
	plain := plainKind(n.Value)
	switch n.Tag {
	case "!!str":
		return String
	case "!!int", "!!float":
		if n.Tag == "!!float" && isFloat(n.Value) || plain == Number {
			return Number
		}
	case "!!bool":
		if plain == Bool {
			return Bool
		}
	case "!!null":
		if plain == Null {
			return Null
		}
	default:
		r.fail(at,
			"unknown tag "+strconv.Quote(clip(n.Tag))+": those of scalars are !!str, !!int, !!float, !!bool and !!null")
		return String
	}
	r.fail(at, strconv.Quote(clip(n.Value))+" is not what the tag "+n.Tag+" says")
	return String
}
