package notation

import (
	"cmp"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
)

// eachTensor reads every tensor of a program and returns their number. The function starts reports whether a tensor
// starts at a token, and read reads it. If leave reports that the error of a tensor can be ignored, the tensor is only
// counted in a note. If no tensor of a program can be read, the first error remains.
func (r *reader) eachTensor(starts func(i int) bool, read func(i int), leave func() bool) (count int) {
	left, fault := 0, error(nil)
	for i, t := range r.Tokens() {
		if int(t.At) < r.Pos || t.Slashed && !r.Python || t.Hashed && r.Python || t.Kind == lexer.End || !starts(i) {
			continue
		}
		first, filled := len(r.found), r.Filled
		r.Pos = int(t.At)
		if read(i); r.Err != nil && leave != nil && leave() {
			left++
			fault = cmp.Or(fault, r.Err)
			r.Recover(int(t.End))
			r.Filled = filled
		}
		r.forgetSame(min(first, len(r.found)))
		count++
		r.use(int(r.Tokens()[r.pathStart(i)].At), r.Pos)
	}
	if len(r.found) == 0 {
		r.Fault(fault)
	} else if left > 0 {
		r.skip("types that have no strides or cannot be read: %d; %s", left, fault.Error())
	}
	return count
}

// find returns the first token for which is reports true, and the number of such tokens. It skips comments.
func (r *reader) find(is func(i int) bool) (first, count int) {
	for i, t := range r.Tokens() {
		if t.Kind != lexer.End && !t.Slashed && is(i) {
			if count++; count == 1 {
				first = i
			}
		}
	}
	return first, count
}

// nameBefore returns the name that ends before a token, add.1 of %add.1, and the index of its first token. The name
// consists of words, numbers, dots and dashes without spaces between them.
func (r *reader) nameBefore(i int) (name string, start int) {
	const longest = 64 // tokens of a name
	tokens := r.Tokens()
	start = i
	for start > 0 && i-start < longest && (start == i || tokens[start].Gap == lexer.None) {
		t := tokens[start-1]
		if t.Kind == lexer.String || t.Kind == lexer.Mark && r.In[t.At] != '.' && r.In[t.At] != '-' {
			break
		}
		start--
	}
	if start == i || tokens[start].Kind == lexer.Mark {
		return "", i
	}
	return r.In[tokens[start].At:tokens[i-1].End], start
}

// assigned returns the name of the C++ or Python variable that the expression at a token is assigned to.
func (r *reader) assigned(i int) string {
	tokens := r.Tokens()
	for k := r.pathStart(i) - 1; k > max(0, i-512) && tokens[k].Gap != lexer.Line && r.Text(tokens[k]) != ";"; k-- {
		name := r.Text(tokens[k-1])
		if r.Text(tokens[k]) != "=" || !lexer.IsName(name) {
			continue
		}
		first := k - 1
		for first > 0 && lexer.Like(r.Text(tokens[first-1]), "auto", "const", "constexpr", "static", "Layout",
			"using") {
			first--
		}
		last := k
		if r.Text(tokens[k+1]) == "decltype" {
			last++
		}
		r.use(int(tokens[first].At), int(tokens[last].End))
		return name
	}
	return ""
}

// pathStart returns the first token of the path that contains a token: std in std::mdspan.
func (r *reader) pathStart(i int) int {
	for r.isMember(i) {
		i -= 2
	}
	return i
}

// isMember reports whether a token is a part of a path after a dot or colons.
func (r *reader) isMember(i int) bool {
	tokens := r.Tokens()
	return i > 1 && tokens[i].Gap == lexer.None && tokens[i-1].Gap == lexer.None && tokens[i-2].Kind == lexer.Word &&
		(r.Text(tokens[i-1]) == "::" || r.Text(tokens[i-1]) == ".")
}

// follow reports whether the tokens starting at i are equal to texts.
func (r *reader) follow(i int, texts ...string) bool {
	tokens := r.Tokens()
	for k, text := range texts {
		if i+k < 0 || i+k >= len(tokens) || r.Text(tokens[i+k]) != text {
			return false
		}
	}
	return true
}

// isAfter reports whether a space or one of the marks is before a token.
func (r *reader) isAfter(i int, marks string) bool {
	return i == 0 || r.Tokens()[i].Gap != lexer.None || r.isOneOf(i-1, marks)
}

// over returns the token after the brackets that start at i, or the token after i if it is not an opening bracket.
func (r *reader) over(i int) int {
	depth, tokens := 0, r.Tokens()
	for k := i; tokens[k].Kind != lexer.End; k++ {
		if depth += tokens[k].Bracket(r.In); depth <= 0 {
			return k + 1
		}
	}
	return len(tokens) - 1
}

// isOneOf reports whether a token starts with one of the marks.
func (r *reader) isOneOf(i int, marks string) bool {
	t := r.Tokens()[i]
	return t.Kind != lexer.End && strings.IndexByte(marks, r.In[t.At]) >= 0
}

// lineStart returns the first token of the line with a token, or a token far before it on a very long line.
func (r *reader) lineStart(i int) int {
	const longest = 512
	tokens, start := r.Tokens(), i
	for start > 0 && i-start < longest && tokens[start].Gap != lexer.Line {
		start--
	}
	return start
}

// isClass reports whether a token is in a class of tokens that marks can name.
func isClass(class, word string) bool {
	switch class {
	case "xla-type": // f32, bf16, pred
		word = strings.ToLower(word)
		if len(word) > 1 && word[0] == 'b' {
			word = word[1:] // of bf16
		}
		return isXLAType(word)
	case "type": // an element type that gives its bits, in any language but C: f32
		isC := !strings.ContainsAny(word, "0123456789") || lexer.Like(word, "*_t")
		return !isC && layout.IsDType(word)
	case "annotation": // a string that starts with an element type: "f32[2, 3]"
		if n := strings.IndexByte(word, '['); n > 1 && (word[0] == '"' || word[0] == '\'') {
			return layout.IsDType(word[1:n])
		}
	case "problem": // sizes of a oneDNN primitive: mb1ic3ih224
		return isProblem(word)
	case "script-type": // of TorchScript: Float
		return isScriptType(word)
	case "dtype": // an element type as NumPy prints it: float32
		if !layout.IsDType(word) { // creates no error
			return false
		}
		d, err := layout.ParseDType(word)
		return err == nil && d.String() == word
	case "typestr": // '<f4'
		return isTypestr(word)
	case "static": // a static integer of CuTe: _4
		return len(word) > 1 && word[0] == '_' && lexer.IsDigit(word[1])
	}
	return false
}

// isTypestr reports whether a string is a NumPy type with its byte order.
func isTypestr(word string) bool {
	return len(word) > 4 && isOf(word[:1], `"'`) && isOf(word[1:2], "<>|=") && lexer.IsLetter(word[2]) &&
		isOf(word[3:len(word)-1], "0123456789")
}

// isScriptType reports whether TorchScript has a type of that name.
func isScriptType(word string) bool {
	_, ok := layout.DTypeIn(layout.TorchScript, word)
	return ok
}

// isXLAType reports whether the word, without the b of bf16, could name an XLA type.
func isXLAType(word string) bool {
	return word == "pred" || word == "token" || word == "opaque" ||
		len(word) > 1 && isOf(word[:1], "fsuc") && lexer.IsDigit(word[1])
}
