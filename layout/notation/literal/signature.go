package literal

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// Signatures lists functions and structs with their parameters, as Python writes them. Functions with the same
// parameters share a line, with spaces between their names:
//
//	"empty_like zeros_like(size, stride=, *, dtype=float32, **)"
//
// A parameter with = may be omitted. If a default follows the =, the parameter may also be None, and then has the
// default; with the default None it is absent. *size, which can only be the first, takes all numbers, or one list.
// Parameters after * are given by name only. With ** other names are allowed. Several parameters may share a name.
// A parameter that does not affect the layout is named _. If a function has several signatures, the first one that fits
// the arguments counts.
type Signatures []string

// of yields the parameters of each signature of a function.
func (all Signatures) of(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, s := range all {
			names, params, _ := strings.Cut(s, "(")
			if !strings.Contains(names, name) || !slices.Contains(strings.Fields(names), name) {
				continue
			}
			if !yield(strings.TrimSuffix(params, ")")) {
				return
			}
		}
	}
}

// Has reports whether there is a signature of a function.
func (all Signatures) Has(name string) bool {
	for range all.of(name) {
		return true
	}
	return false
}

// Names returns the names of all functions, without methods.
func (all Signatures) Names() (names []string) {
	for _, s := range all {
		list, _, _ := strings.Cut(s, "(")
		names = append(names, strings.Fields(list)...)
	}
	return slices.DeleteFunc(names, func(name string) bool { return name[0] == '.' })
}

// Keys returns the names of all parameters of a function.
func (all Signatures) Keys(name string) (keys []string) {
	for params := range all.of(name) {
		for param := range strings.SplitSeq(params, ", ") {
			if key, _, _ := strings.Cut(strings.TrimLeft(param, "*"), "="); key != "" {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// Bind returns the arguments of a function or the members of a struct with the names of its parameters as keys, and
// after them the defaults of omitted parameters. If an argument is missing, the error points at the offset at.
func (p *Parser) Bind(all Signatures, name string, at int, args []Entry) []Entry {
	var fault error = &layout.SyntaxError{Input: p.In, Offset: at, Msg: wording.Quote(name) + " is not understood"}
	for params := range all.of(name) {
		b := binder{in: p.In, name: strings.TrimPrefix(name, "."), params: params, at: at, given: args}
		if b.bind(); b.fault == nil {
			return b.bound
		}
		fault = b.fault
	}
	p.Fault(fault)
	return nil
}

// A binder assigns arguments to parameters.
type binder struct {
	in, name, params string

	at    int
	given []Entry // the arguments
	bound []Entry // the arguments with the keys of their parameters, and the defaults; None without a key
	next  int     // the index of the first argument that may be bound by its position
	fault error
}

// fail records an error at an offset, unless there is one already. The hint lists the parameters.
func (b *binder) fail(at int, format string, args ...any) *layout.SyntaxError {
	hint := b.name + "(" + strings.TrimSuffix(strings.TrimSuffix(b.params, "**"), ", ") + ")"
	err := &layout.SyntaxError{Input: b.in, Offset: at, Msg: fmt.Sprintf(format, wording.ClipAll(args)...), Hint: hint}
	if b.fault == nil {
		b.fault = err
	}
	return err
}

// twice rejects an argument that is given by position and by name, or twice by name.
func (b *binder) twice(e Entry) {
	b.fail(e.At, "%s is given twice", e.Key).Hint = "remove one of the two"
}

// bind assigns an argument to each parameter, and rejects the arguments that are left.
func (b *binder) bind() {
	if params, ok := strings.CutPrefix(b.params, "*"); ok && params != "" && lexer.IsLetter(params[0]) {
		key, _, _ := strings.Cut(params, ",")
		b.given = gather(b.given, key)
	}
	b.bound = append([]Entry{}, b.given...)
	var keys []string
	isNamed, isOpen := false, false
	for param := range strings.SplitSeq(b.params, ", ") {
		switch key, value, isOptional := strings.Cut(param, "="); {
		case param == "*":
			isNamed = true
		case param == "**":
			isOpen = true
		case param != "":
			key = strings.TrimPrefix(key, "*")
			keys = append(keys, key)
			b.bindOne(key, value, isOptional, isNamed)
		}
	}
	seen := map[string]bool{}
	for i, e := range b.given {
		switch {
		case e.Key == "" && i >= b.next:
			b.fail(e.At, "%s has no parameter for this value", b.name)
		case e.Key == "":
		case seen[e.Key]:
			b.twice(e)
		case !isOpen && !slices.Contains(keys, e.Key):
			at := max(strings.LastIndex(b.in[:e.At], e.Key), 0)
			b.fail(at, "%s has no parameter %s", b.name, e.Key).DidYouMean(e.Key, wording.Likely(e.Key, keys))
		}
		seen[e.Key] = true
	}
	b.bound = slices.DeleteFunc(b.bound, func(e Entry) bool { return e.Key == "" })
}

// bindOne gives a parameter its argument, or its default.
func (b *binder) bindOne(key, value string, isOptional, isNamed bool) {
	switch at := b.find(key, isNamed); {
	case at >= 0 && value != "" && b.given[at].Value.isNone():
		b.bound[at].Key = ""
	case at >= 0:
		b.bound[at].Key = key
		return
	case !isOptional:
		b.fail(b.at, "%s needs %s", b.name, key)
	}
	if value != "" && value != "None" {
		b.bound = append(b.bound, Of(key, constant(b.at, value)))
	}
}

// find returns the index of the argument of a parameter: the next argument without a key, or the one with the
// parameter's key. It returns -1 if the argument is missing.
func (b *binder) find(key string, isNamed bool) int {
	at := slices.IndexFunc(b.given, func(e Entry) bool { return e.Key == key })
	if isNamed {
		return at
	}
	for b.next < len(b.given) && b.given[b.next].Key != "" {
		b.next++
	}
	if b.next == len(b.given) {
		return at
	}
	if at >= 0 {
		b.twice(b.given[at])
	}
	b.next++
	return b.next - 1
}

// isNone reports whether the value is Python's None.
func (v Value) isNone() bool { return v.Kind == Word && v.Word == "None" }

// constant returns the number or the word of a default.
func constant(at int, value string) Value {
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		return Value{At: at, Kind: Number, N: n}
	}
	return Value{At: at, Kind: Word, Word: value}
}

// gather joins separate sizes, as in torch.empty(2, 3), into a list, which becomes the first argument.
func gather(args []Entry, key string) []Entry {
	isSize := func(e Entry) bool {
		isCall := e.Kind == Word && e.Next != nil // x.shape[0]
		return (e.Key == "" || e.Key == key) && (e.Kind == Number || isCall || e.Unknown() != "")
	}
	isOnly := len(args) == 1 || len(args) > 1 && !isSize(args[1]) // a single name may be a list
	if len(args) == 0 || !isSize(args[0]) || isOnly && args[0].Kind != Number {
		return args
	}
	sizes := Value{At: args[0].At, Kind: List}
	others := make([]Entry, 1, len(args))
	for _, e := range args {
		if isSize(e) {
			sizes.List = append(sizes.List, Entry{Value: e.Value})
		} else {
			others = append(others, e)
		}
	}
	others[0].Value = sizes
	return others
}
