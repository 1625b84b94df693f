package notation

import (
	"fmt"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
)

// An fxReader reads the types in the graphs that PyTorch prints.
type fxReader struct{ *reader }

// readFX reads a tensor as PyTorch's graph dumps print it, f32[2, 3][3, 1]cpu, or all the values of a graph.
func readFX(r *reader) {
	r.Python = true
	x := fxReader{r}
	if x.eachTensor(x.starts, x.tensor, nil) == 0 {
		if !x.IsAt(1, "[") && x.isForeign() {
			return
		}
		x.types("")
		return
	}
	r.Pos = len(r.In)
}

// tracers are the classes that contain a type when JAX prints them.
var tracers = [...]string{"ShapedArray", "Traced", "*Tracer"}

// starts reports whether a type of a graph is at a token: NAME : f32[2, 3], "f32[2, 3]...", %NAME : Float(.
func (x fxReader) starts(i int) bool {
	tokens := x.Tokens()
	t := tokens[i]
	word := x.Text(t)
	switch {
	case t.Kind == lexer.String:
		return isClass("annotation", word)
	case t.Kind != lexer.Word || i+1 == len(tokens):
		return false
	}
	name, start := x.valueBefore(i)
	isValue := name != "" || i > 1 && lexer.Like(x.Text(tokens[i-2]), tracers[:]...) && x.isOneOf(i-1, "(<")
	switch mark := x.Text(tokens[i+1]); {
	case tokens[i+1].Gap != lexer.None:
	case mark == "[" && isValue:
		_, err := layout.ParseDType(word)
		return err == nil
	case mark == "(" && isScriptType(word):
		if isValue && start > 0 && x.Text(tokens[start-1]) == "%" {
			return true
		}
		for _, arg := range tokens[i+1 : min(i+256, len(tokens))] {
			switch x.Text(arg) {
			case "strides", "requires_grad", "device":
				return true
			case ")":
				return false
			}
		}
	}
	return false
}

// valueBefore returns the name of the value before the colon that precedes a token, and the index of the first token of
// the name. The word Tensor may come between the name and the colon.
func (x fxReader) valueBefore(i int) (name string, start int) {
	tokens := x.Tokens()
	if i > 0 && x.Text(tokens[i-1]) == "Tensor" {
		i--
	}
	if i < 2 || x.Text(tokens[i-1]) != ":" {
		return "", i
	}
	return x.nameBefore(i - 1)
}

// tensor reads the type at a token.
func (x fxReader) tensor(i int) {
	t := x.Tokens()[i]
	name, start := x.valueBefore(i)
	x.use(int(x.Tokens()[start].At), int(t.At))
	switch {
	case t.Kind == lexer.String:
		leave := x.Enter()
		x.types(name)
		if rest := x.Token(); !leave() || t.Open {
			x.Fail(int(rest.At), "", "expected %s", `"`)
		}
	case isScriptType(x.Text(t)) && x.IsAt(1, "("):
		x.script(name)
	default:
		x.types(name)
	}
}

// types reads a type, sizes, strides and a device.
func (x fxReader) types(name string) {
	dtype := x.dtype()
	x.Space()
	at := x.Pos
	sizes := x.bracketedInts("sizes")
	strides := x.rowMajor(sizes)
	if x.PeekToken() == '[' {
		strides = x.bracketedInts("strides")
	} else if x.Err == nil {
		x.noStrides(name)
	}
	t := x.Token()
	if t.Kind == lexer.Word && (t.Gap == lexer.None || lexer.Like(x.Text(t), "cpu", "cuda", "xpu", "mps")) {
		x.Space()
		x.Span(func(c byte) bool { return lexer.IsWord(c) || c == ':' })
	}
	x.strided(at, Descriptor{Name: name, Typed: true}, dtype, 0, sizes, strides)
}

// bracketedInts reads a list of numbers in brackets; what describes the numbers in errors.
func (x fxReader) bracketedInts(what string) []int64 {
	if x.PeekToken() != '[' {
		x.Expect("[")
		return nil
	}
	var v literal.Value
	x.Bracketed(&v)
	return x.Ints(v, what)
}

// script reads a TorchScript type: sizes, each followed by a colon and its stride in old versions, and named values.
func (x fxReader) script(name string) {
	at := x.Pos
	dtype, _ := layout.DTypeIn(layout.TorchScript, x.Word())
	sizes, strides, harmless := []int64{}, []int64(nil), ""
	var others []literal.Entry
	x.Each("(", ")", func(int) {
		if at := x.Pos; lexer.IsLetter(x.Peek()) {
			word := x.Word()
			if x.Expect("="); word == "strides" {
				strides = x.bracketedInts("strides")
				return
			}
			e := literal.Of(word, literal.Value{At: x.Pos, Kind: literal.Word})
			e.Word = x.Span(func(c byte) bool { return c != ',' && c != ')' })
			if senseOf(word) == harmlessField {
				harmless += ", " + x.In[at:max(at, x.Pos)]
			} else {
				others = append(others, e)
			}
			return
		}
		sizes = x.size(sizes)
		x.TakeHere("!") // contiguous up to here, in old versions
		if x.TakeHere(":") {
			strides = append(strides, x.Known("this stride"))
		}
	})
	if strides == nil && x.Err == nil {
		strides = x.rowMajor(sizes)
		if len(sizes) > 0 {
			x.noStrides(name)
		}
	}
	d := Descriptor{Name: name, Typed: true}
	if harmless != "" {
		d.Skipped = []string{harmless[len(", "):]}
	}
	x.strided(at, d, dtype, 0, sizes, strides)
	x.rest(others, nil, nil)
}

// writeFX writes the tensor as a graph dump shows it.
func writeFX(t layout.Tensor) (string, error) {
	strides, dtype, err := terms{zero: true}.typed(t, layout.FX)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s[%s][%s]cpu", dtype, layout.JoinInts(t.Layout().Sizes(), ", "),
		layout.JoinInts(strides, ", ")), nil
}
