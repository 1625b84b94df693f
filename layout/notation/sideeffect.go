package notation

import (
	"slices"

	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/scan"
)

// A mutationScanner looks for what a statement of C++, which is not read, may do with variables that are.
type mutationScanner struct {
	structReader
	literal.Binding
	tokens    []scan.Token
	variables map[string]literal.Binding
}

// watchers are functions that leave alone what they get: they print it, compare it, ask for its size or refer to it.
var watchers = [...]string{
	"*printf", "assert", "ASSERT*", "EXPECT*", "static_assert", "sizeof", "*countof", "*ARRAYSIZE", "size", "decltype",
	"if", "while", "switch", "for", "accumulate", "DMLCalcBufferTensorSize", "Create*", "*Destroy*",
}

// casts are functions whose result is their argument, or a pointer to what is in it.
var casts = [...]string{"*static_cast", "*reinterpret_cast", "*const_cast", "return", "*begin", "*end", "*data"}

// views are the methods that say something of a variable and do not change it.
var views = [...]string{"data", "begin", "end", "cbegin", "cend", "front", "back", "size", "empty"}

// refuse refuses the statement at the first variable that it may change.
func (c mutationScanner) refuse() {
	callees := []string{""} // of the round brackets that are open
	template := ""          // the path before the last <
	isSet, isBody := false, false
	for i, t := range c.tokens {
		switch text := c.Text(t); text {
		case "=":
			isSet = true
		case "{":
			isBody = c.Fault != nil // of a function
		case "<":
			template = c.path(i - 1)
		case "(":
			callee := c.path(i - 1)
			if callee == "dml::Reinterpret" {
				c.Fail(int(c.tokens[i-1].At), "write the descriptor of the result", "Reinterpret makes another tensor")
			}
			if callee == "" && i > 0 && c.Text(c.tokens[i-1]) == ">" {
				callee = template
			}
			if callee == "" || scan.Like(callee, casts[:]...) {
				callee = callees[len(callees)-1]
			}
			callees = append(callees, callee)
		case ")":
			callees = callees[:max(len(callees)-1, 1)]
		default:
			_, ok := c.variables[text]
			if callee := callees[len(callees)-1]; ok && !c.isAny(i-1, ".", "->") &&
				(isBody || callee == "" && c.Set && !isSet || !c.leaves(i, callee)) {
				c.Fail(int(t.At), "leave the statement out if it does not change the tensor",
					"%s was read, and it is not understood what this does with it", text)
			}
		}
	}
}

// isAny reports whether a token of the statement is one of the marks.
func (c mutationScanner) isAny(i int, marks ...string) bool {
	return i >= 0 && i < len(c.tokens) && slices.Contains(marks, c.Text(c.tokens[i]))
}

// path returns the name that ends with a token, and those that it is in: dml::Identity.
func (c mutationScanner) path(i int) string {
	if i < 0 || c.tokens[i].Kind != scan.Word {
		return ""
	}
	start := i
	for start > 1 && c.isAny(start-1, "::", ".", "->") {
		start -= 2
	}
	return c.In[c.tokens[start].At:c.tokens[i].End]
}

// leaves reports whether the statement leaves the variable at a token alone, which is an argument of a function, if
// there is one.
func (c mutationScanner) leaves(i int, callee string) bool {
	last := i // of the members after it
	for c.isAny(last+1, ".", "->") {
		last += 2
	}
	v := c.variables[c.Text(c.tokens[i])]
	if isMethod := last > i && c.isAny(last+1, "("); isMethod {
		k := slices.Index(views[:], c.Text(c.tokens[last]))
		isConst := scan.Like(v.Kind, "*memory::desc")
		if k < 0 || isConst || views[k] == "size" || views[k] == "empty" {
			return k >= 0 || isConst
		}
	}
	isArray := last == i && !c.isAny(i+1, "[") && v.Index != nil
	isBranch := slices.Contains(literal.Branches[:], c.Kind)
	_, name := literal.Member(callee)
	switch {
	case callee == "" && isBranch:
		return false
	case callee == "" && c.Kind == "" && c.Set: // an assignment
		return !isArray || !scan.IsName(c.Name)
	case callee == "" && c.Kind == "":
		return c.isAny(0, "return")
	case callee == "" || callee == c.Name && c.Kind != "": // a declaration
		isShared := c.Shared || scan.Like(c.Kind, "*span") || c.Kind == "auto" && (isArray || c.isAny(i-1, "&"))
		return c.Const || !isShared
	case callee == "for" && c.isAny(i-1, ":"):
		return c.isAny(2, "const") || !c.isAny(i-3, "&")
	}
	return scan.Like(callee, "dml::*") || scan.Like(name, watchers[:]...)
}
