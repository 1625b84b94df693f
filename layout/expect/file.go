package expect

import (
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A File lists the required properties of a file.
type File struct {
	Name    string
	Have    *Facts
	Numbers []Number
	Names   []Names
	At      Places
}

// A Number is the range of a number, by its key.
type Number struct {
	Key  string
	Of   string // the domain of an opset
	Item int    // the item of the key; negative for the whole key
	Range
}

// Names are the names that a key may have, or patterns of them.
type Names struct {
	Key      string
	Patterns []string
}

// Facts are the properties of a file as a whole, by the keys of expectations. Files other than ONNX models have fewer.
type Facts struct {
	Kind    string           // the kind of a descriptor.File
	Numbers map[string]int64 // the key of an opset ends with a space and its domain
	Names   map[string][]string
	Unread  finding.Finding // why only the bytes are known; it has no message if all is known
}

// OwnDomain is the domain of ONNX's own operators.
const OwnDomain = "ai.onnx"

// The rules of expectations of files.
var (
	ExpectFileBytes    = &finding.Rule{Name: "expect-file-bytes", Severity: finding.Error}
	ExpectParameters   = &finding.Rule{Name: "expect-parameters", Severity: finding.Error}
	ExpectOpset        = &finding.Rule{Name: "expect-opset", Severity: finding.Error}
	ExpectIRVersion    = &finding.Rule{Name: "expect-ir-version", Severity: finding.Error}
	ExpectOperators    = &finding.Rule{Name: "expect-operators", Severity: finding.Error}
	ExpectInterface    = &finding.Rule{Name: "expect-interface", Severity: finding.Error}
	ExpectExternalData = &finding.Rule{Name: "expect-external-data", Severity: finding.Error}
)

// fileKeys are the keys of the expectations of a file, with the noun that counts its values and the format of a
// finding.
var fileKeys = [...]struct {
	name        string
	rule        *finding.Rule
	noun, words string
}{
	{"bytes", ExpectFileBytes, "byte", "the file has %s, %v are expected"},
	{"tensorBytes", ExpectFileBytes, "byte", "the tensors have %s, %v are expected"},
	{"parameters", ExpectParameters, "parameter", "the tensors have %s, %v are expected"},
	{"irVersion", ExpectIRVersion, "", "the IR version is %s, %v is expected"},
	{"opset", ExpectOpset, "", "the opset of %s, %v is expected"},
	{"externalData", ExpectExternalData, "tensor", "%s in other files, %v are expected"},
	{"operators", ExpectOperators, "operator", ""},
	{"domains", ExpectOperators, "domain", ""},
	{"inputs", ExpectInterface, "input", ""},
	{"outputs", ExpectInterface, "output", ""},
}

// A fileCheck is the check of a file.
type fileCheck struct {
	*File
	*configCheck
}

// keyOf returns the index of a key in fileKeys.
func keyOf(name string) (i int) {
	for i < len(fileKeys)-1 && fileKeys[i].name != name {
		i++
	}
	return i
}

// on returns a key of the expectation, or an item of it unless item is negative, as the subject of a finding.
func (e fileCheck) on(key string, item int) finding.Subject {
	return finding.On(e.Name, placeOf{e.At, key, item})
}

// check compares the file with all expectations. If some property is unknown, it reports the reason only once.
func (e fileCheck) check() {
	have, isTold := e.Have, false
	reportUnknown := func(key string, item int, ok bool) bool {
		at := e.on(key, item)
		switch unread := &have.Unread; {
		case ok || isTold:
		case unread.Message != "":
			e.Report(unread.Rule, at, unread.Fix, "this cannot be told: %s", unread.Message)
			isTold = true
		case key == "tensorBytes":
			e.Report(ExpectFileBytes, at, "", "this cannot be told: the file has elements of a type without a size")
		case key != "opset" || have.Names == nil:
			e.Report(descriptor.ConfigValue, at, "", "only ONNX models have this, and the file is %s", have.Kind)
		}
		return ok
	}
	for i := range e.Numbers {
		x := &e.Numbers[i]
		key := strings.TrimSpace(x.Key + " " + x.Of)
		n, ok := have.Numbers[key]
		if reportUnknown(x.Key, x.Item, ok || x.Key == "opset" && have.Names != nil) {
			e.number(x, n, ok)
		}
	}
	for i := range e.Names {
		x := &e.Names[i]
		if names, ok := have.Names[x.Key]; reportUnknown(x.Key, -1, ok) {
			e.names(x, names)
		}
	}
}

// number compares a number with the expected range. If ok is false, n is the opset of a domain that is not imported.
func (e fileCheck) number(x *Number, n int64, ok bool) {
	if ok && x.Has(n) || !ok && !x.Min.Stated {
		return
	}
	k := fileKeys[keyOf(x.Key)]
	text := strconv.FormatInt(n, 10)
	switch {
	case !ok:
		text = wording.Clip(x.Of) + " is not imported"
	case x.Of != "":
		text = wording.Clip(x.Of) + " is " + text
	case k.noun != "":
		text = wording.Count(n, k.noun)
	}
	e.Report(k.rule, e.on(x.Key, x.Item), "", k.words, text, x.Range)
}

// maxCompared limits the steps of comparing names with patterns, as lexer.GlobSteps counts them.
const maxCompared = 20_000_000

// names compares names with the expected ones. Operators and domains must be among them; inputs and outputs must be the
// same, in any order.
func (e fileCheck) names(x *Names, have []string) {
	expected, patterns := map[string]bool{}, []string(nil)
	for _, p := range x.Patterns {
		if x.Key == "operators" && !strings.Contains(p, ":") {
			p = OwnDomain + ":" + p
		}
		expected[p] = true
		if lexer.IsGlob(p) {
			patterns = append(patterns, p)
		}
	}
	isEnd := x.Key == "inputs" || x.Key == "outputs"
	var others, missing []string
	there, steps := map[string]bool{}, 0
	for _, name := range have {
		there[name] = true
		isLike := func(p string) bool {
			if isEnd || steps > maxCompared {
				return false
			}
			matches, n := lexer.GlobSteps(p, name)
			steps += n
			return matches
		}
		if !expected[name] && !slices.ContainsFunc(patterns, isLike) {
			others = append(others, strings.TrimPrefix(name, OwnDomain+":"))
		}
	}
	for _, name := range x.Patterns {
		if isEnd && !there[name] {
			missing = append(missing, name)
		}
	}
	k := fileKeys[keyOf(x.Key)]
	if steps > maxCompared {
		const msg = "comparing the names of the model with these patterns takes more than %d steps, which is the limit"
		e.Report(k.rule, e.on(x.Key, -1), "fewer patterns", msg, maxCompared)
		return
	}
	if others != nil {
		e.Report(k.rule, e.on(x.Key, -1), "", "the model has %s that %s not expected: %s",
			wording.Count(len(others), k.noun), is(len(others)), some(others))
	}
	if missing != nil {
		e.Report(k.rule, e.on(x.Key, -1), "it has "+some(have), "the model has no %s %s", k.noun, some(missing))
	}
}

// is returns the verb for n things.
func is(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// some lists the first few of several names.
func some(names []string) string {
	var first []string
	for _, name := range names[:min(len(names), 5)] {
		first = append(first, wording.Clip(name))
	}
	return wording.Some(first, len(names))
}
