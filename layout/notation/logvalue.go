package notation

import (
	"cmp"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
)

// A mention is a name with its dots and indices, such as x.shape.
type mention struct {
	at, end int
	text    string
	owner   string       // the part before the last dot: x
	stated  *statedField // the field that its last part is a word for; may be nil
	called  bool         // () follows
}

// key returns the key of the field that the name is a word for, which may be empty.
func (m *mention) key() string {
	if m.stated == nil {
		return ""
	}
	return m.stated.key
}

// mention reads the name at a token.
func (x *logText) mention(i int) mention {
	t := x.tokens[i]
	m := mention{at: int(t.At), end: int(t.End), text: x.Text(t)}
	if t.Kind == lexer.String {
		m.text = m.text[1:max(len(m.text)-1, 1)]
		m.stated = findStated(strings.ToLower(m.text))
		return m
	}
	last, end := x.path(i)
	m.end = int(x.tokens[end-1].End)
	m.text = x.In[m.at:m.end]
	if last > i {
		m.owner = x.In[m.at:x.tokens[last-1].At]
	}
	if isOption := t.Gap == lexer.None && x.isOneOf(max(i-1, 0), "-"); last == end-1 && !isOption {
		m.stated = findStated(strings.ToLower(x.Text(x.tokens[last])))
	}
	if m.called = x.isGlued(end, "(") && x.isGlued(end+1, ")"); m.called {
		m.end = int(x.tokens[end+1].End)
	} else if x.Text(x.tokens[last]) == "contiguous" { // not the view step
		m.stated = findStated("is_contiguous")
	}
	if owner, key := cutField(strings.ToLower(m.text)); x.owners[owner] {
		m.owner, m.stated = m.text[:len(owner)], findStated(key)
	}
	return m
}

// path returns the last part of the name at a token, and the token after it and its indices.
func (x *logText) path(i int) (last, end int) {
	last, end = i, i+1
	for {
		for x.isGlued(end, "[") && x.isGlued(end+2, "]") {
			end += 3
		}
		joint := x.tokens[end]
		if joint.Gap != lexer.None || !slices.Contains(joints[:], x.Text(joint)) || !x.isPart(end+1) {
			return last, end
		}
		last, end = end+1, end+2
	}
}

// endsLine reports whether a token is the first of a line or the end of the input.
func (x *logText) endsLine(i int) bool {
	return x.tokens[i].Kind == lexer.End || x.tokens[i].Gap == lexer.Line
}

// isPart reports whether a token is a word or a number without a space before it.
func (x *logText) isPart(i int) bool {
	t := x.tokens[i]
	return t.Gap == lexer.None && (t.Kind == lexer.Word || t.Kind == lexer.Number)
}

// isGlued reports whether a token is one of the marks, without a space before it.
func (x *logText) isGlued(i int, marks string) bool {
	i = min(i, len(x.tokens)-1)
	return x.tokens[i].Gap == lexer.None && x.isOneOf(i, marks)
}

// valueAt returns the form of the value at a token, and the token after it.
func (x *logText) valueAt(i int) (valueForm, int) {
	switch t := x.tokens[i]; {
	case t.Kind == lexer.Number:
		return numberValue, i + 1
	case t.Kind == lexer.String:
		if layout.IsDType(x.mention(i).text) {
			return typeValue, i + 1
		}
		return stringValue, i + 1
	case t.Kind == lexer.Word:
		return x.wordAt(i)
	case x.isOneOf(i, "<>|") && x.tokens[i+1].Kind == lexer.Word: // a typestr of NumPy without quotes: <f4
		return typeValue, i + 2
	case t.Bracket(x.In) > 0:
		if end := x.listEnd(i); end >= 0 {
			return listValue, end
		}
		return bracketValue, x.over(i)
	}
	return noValue, x.over(i)
}

// wordAt is like valueAt for a word.
func (x *logText) wordAt(i int) (valueForm, int) {
	_, end := x.path(i)
	text := x.In[x.tokens[i].At:x.tokens[end-1].End]
	form := wordValue
	switch isDevice := slices.Contains(devices[:], text); {
	case isDevice && x.isOneOf(end, ":") && x.tokens[end+1].Kind == lexer.Number:
		return deviceValue, end + 2 // cuda:0
	case isDevice:
		return deviceValue, end
	case text == "device" && slices.Contains(devices[:], x.Text(x.tokens[end])):
		return x.wordAt(end)
	case text == "None", text == "null":
		form = nullValue
	case isTruth(text):
		form = truthValue
	case layout.IsDType(text):
		form = typeValue
	}
	if !x.isGlued(end, "(") {
		return form, end
	}
	switch end = x.over(end); text {
	case "torch.Size":
		return listValue, end
	case "dtype":
		return typeValue, end
	case "device":
		return deviceValue, end
	}
	return callValue, end
}

// listEnd returns the token after the list of numbers that starts at a bracket, or -1 if there is no such list.
func (x *logText) listEnd(i int) int {
	for i++; ; i++ {
		t := x.tokens[i]
		_, isGiven := x.Names[x.Text(t)]
		switch {
		case t.Bracket(x.In) < 0:
			return i + 1
		case isGiven, x.isOneOf(i, ",-?"):
		case t.Kind != lexer.Number, strings.Contains(x.Text(t), "."):
			return -1
		}
	}
}

// isPair reports whether another list or an element type starts at a token, after a list and perhaps a comma.
func (x *logText) isPair(i int) bool {
	isTuple := x.isOneOf(i-1, ")")
	if x.isOneOf(i, ",") {
		i++
	}
	form, _ := x.valueAt(i)
	return form == listValue || form == typeValue && isTuple && isTypeWord(x.mention(i).text) || x.isGlued(i, ".")
}

// value reads the value at a token.
func (x *logText) value(i int) (v literal.Value) {
	x.Pos = int(x.tokens[i].At)
	isTypestr := x.isOneOf(i, "<>|") && !x.IsAt(1, "class") // <f4, but not <class 'numpy.float32'>
	switch {
	case isTypestr:
		v = literal.Value{At: x.Pos, Kind: literal.Str, Word: x.In[x.Pos:x.After(1).End]}
		x.Pos = int(x.After(1).End)
	case x.tokens[i].Bracket(x.In) > 0:
		v = x.listValue(i)
	default:
		x.Operand(&v)
	}
	return v
}

// listValue reads the list at a token. The strides of a graph dump, [2, 3][3, 1], are a separate list.
func (x *logText) listValue(i int) (v literal.Value) {
	next := x.over(i)
	isStrides := x.isOneOf(i, "[") && x.isGlued(next, "[") && min(next-i, x.over(next)-next) > 3
	isMember := x.isGlued(next, ".") && x.isPart(next+1)
	switch {
	case isStrides:
		x.clues |= notNumPy
		x.Bracketed(&v)
	case isMember, x.isGlued(next, "([{"):
		x.Operand(&v)
	default:
		x.Bracketed(&v)
	}
	return v
}

// isJoined reports whether the token at i directly follows the one before it, and is not a comma or bracket.
func (x *logText) isJoined(i int) bool {
	t := x.tokens[i]
	return t.Kind != lexer.End && t.Gap == lexer.None && !x.isOneOf(i, ",;()[]{}")
}

// plainValue returns the value at a token if it is a number, a word, a string or a list of numbers, and a formula
// otherwise.
func (x *logText) plainValue(i int) literal.Value {
	v := literal.Value{At: int(x.tokens[i].At), Kind: literal.Formula}
	switch t := x.tokens[i]; t.Kind {
	case lexer.Word:
		v.Kind, v.Word = literal.Word, x.mention(i).text
	case lexer.String:
		v.Kind, v.Word = literal.Str, x.mention(i).text
	case lexer.Number:
		if n, err := lexer.ParseInt(x.Text(t)); err == nil && !x.isJoined(i+1) {
			v.Kind, v.N = literal.Number, n
		}
	case lexer.Mark:
		if form, _ := x.valueAt(i); form == listValue {
			return x.value(i)
		}
	}
	return v
}

// numbers returns the numbers among tokens as a list.
func (x *logText) numbers(tokens []lexer.Token) literal.Value {
	list := literal.Value{Kind: literal.List}
	for _, t := range tokens {
		if t.Kind == lexer.Number {
			n, err := lexer.ParseInt(x.Text(t))
			x.CheckNumber(int(t.At), x.Text(t), err)
			list.At = cmp.Or(list.At, int(t.At))
			number := literal.Value{At: int(t.At), Kind: literal.Number, N: n}
			list.List = append(list.List, literal.Entry{Value: number})
		}
	}
	return list
}
