package notation

import (
	"slices"

	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
)

// A mutationScanner finds the variables that a C++ statement may change, if the statement is not read itself.
type mutationScanner struct {
	structReader
	literal.Binding
	tokens    []lexer.Token
	variables map[string]literal.Binding
}

// watchers are functions that do not change their arguments: they print, compare, measure or refer to them.
var watchers = [...]string{
	"*printf", "assert", "ASSERT*", "EXPECT*", "static_assert", "sizeof", "*countof", "*ARRAYSIZE", "size", "decltype",
	"if", "while", "switch", "for", "accumulate", "DMLCalcBufferTensorSize", "Create*", "*Destroy*",
}

// casts are functions that return their argument, or a pointer into it.
var casts = [...]string{"*static_cast", "*reinterpret_cast", "*const_cast", "return", "*begin", "*end", "*data"}

// views are the methods that return a property of a variable and do not change it.
var views = [...]string{"data", "begin", "end", "cbegin", "cend", "front", "back", "size", "empty"}

// refuse rejects the statement at the first variable that it may change.
func (c mutationScanner) refuse() {
	callees := []string{""} // the functions of the open parentheses
	template := ""          // the path before the last <
	isSet, isBody := false, false
	for i, t := range c.tokens {
		callee := callees[len(callees)-1]
		switch text := c.Text(t); text {
		case "=":
			isSet = true
		case "{":
			isBody = c.Fault != nil // the body of a function
		case "<":
			template = c.path(i - 1)
		case "(":
			callees = append(callees, c.callee(i, template, callee))
		case ")":
			callees = callees[:max(len(callees)-1, 1)]
		default:
			if _, ok := c.variables[text]; !ok || c.isAny(i-1, ".", "->") {
				continue
			}
			if isTarget := callee == "" && c.Set && !isSet; isBody || isTarget || !c.leaves(i, callee) {
				c.Fail(int(t.At), "remove the statement if it does not change the tensor",
					"%s was read, and it is not understood what this does with it", text)
			}
		}
	}
}

// callee returns the function before an opening parenthesis at a token, with its template before the last <. If the
// parenthesis has no function, or belongs to a cast, it returns outside.
func (c mutationScanner) callee(i int, template, outside string) string {
	path := c.path(i - 1)
	if path == "dml::Reinterpret" {
		c.Fail(int(c.tokens[i-1].At), "write the descriptor of the result", "Reinterpret makes another tensor")
	}
	if path == "" && c.isAny(i-1, ">") {
		path = template
	}
	if path == "" || lexer.Like(path, casts[:]...) {
		return outside
	}
	return path
}

// isAny reports whether a token of the statement is one of the marks.
func (c mutationScanner) isAny(i int, marks ...string) bool {
	return i >= 0 && i < len(c.tokens) && slices.Contains(marks, c.Text(c.tokens[i]))
}

// path returns the qualified name that ends with a token: dml::Identity.
func (c mutationScanner) path(i int) string {
	if i < 0 || c.tokens[i].Kind != lexer.Word {
		return ""
	}
	start := i
	for start > 1 && c.isAny(start-1, "::", ".", "->") {
		start -= 2
	}
	return c.In[c.tokens[start].At:c.tokens[i].End]
}

// leaves reports whether the statement does not change the variable at a token, which is an argument of callee, if any.
func (c mutationScanner) leaves(i int, callee string) bool {
	last := i // the last token of the variable and its members
	for c.isAny(last+1, ".", "->") {
		last += 2
	}
	v := c.variables[c.Text(c.tokens[i])]
	if isMethod := last > i && c.isAny(last+1, "("); isMethod {
		switch method := c.Text(c.tokens[last]); {
		case lexer.Like(v.Kind, "*memory::desc"), method == "size", method == "empty":
			return true
		case !slices.Contains(views[:], method):
			return false
		}
	}
	isArray := last == i && !c.isAny(i+1, "[") && v.Index != nil
	_, name := literal.Member(callee)
	switch {
	case callee == "":
		return c.keeps(i, isArray)
	case callee == c.Name && c.Kind != "":
		return c.copies(i, isArray)
	case callee == "for" && c.isAny(i-1, ":"):
		return c.isAny(2, "const") || !c.isAny(i-3, "&")
	}
	return lexer.Like(callee, "dml::*") || lexer.Like(name, watchers[:]...)
}

// keeps reports whether the statement does not change the variable at a token, which is not an argument.
func (c mutationScanner) keeps(i int, isArray bool) bool {
	switch {
	case slices.Contains(literal.Branches[:], c.Kind):
		return false
	case c.Kind != "":
		return c.copies(i, isArray)
	case c.Set: // an assignment
		return !isArray || !lexer.IsName(c.Name)
	}
	return c.isAny(0, "return")
}

// copies reports whether a declaration copies the variable at a token, or cannot change it.
func (c mutationScanner) copies(i int, isArray bool) bool {
	isShared := c.Shared || lexer.Like(c.Kind, "*span") || c.Kind == "auto" && (isArray || c.isAny(i-1, "&"))
	return c.Const || !isShared
}
