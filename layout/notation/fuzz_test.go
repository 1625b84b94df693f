package notation

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"layoutcalc/layout"
)

// fuzzGroups share out the notations among fuzz targets, by how their names start. What none
// names is a literal.
var fuzzGroups = [...]struct {
	target string
	starts []string
}{
	{"XLA", []string{"xla", "stablehlo"}},
	{"MLIR", []string{"mlir", "affine"}},
	{"CuTe", []string{"cute", "name"}},
	{"OneDNN", []string{"onednn"}},
}

// group returns the notations of a fuzz target.
func group(target string) (group []*Notation) {
	for _, n := range All() {
		of := "Literals"
		for _, g := range fuzzGroups {
			for _, start := range g.starts {
				if strings.HasPrefix(n.Name, start) {
					of = g.target
				}
			}
		}
		if of == target {
			group = append(group, n)
		}
	}
	return group
}

func FuzzLiterals(f *testing.F) { fuzzGroup(f, "Literals") }
func FuzzXLA(f *testing.F)      { fuzzGroup(f, "XLA") }
func FuzzMLIR(f *testing.F)     { fuzzGroup(f, "MLIR") }
func FuzzCuTe(f *testing.F)     { fuzzGroup(f, "CuTe") }
func FuzzMemory(f *testing.F)   { fuzzGroup(f, "OneDNN") }

// fuzzGroup reads texts in one of the notations of a group, which a byte chooses. The lowest bit
// of another one gives values to what the text leaves open.
func fuzzGroup(f *testing.F, target string) {
	notations := group(target)
	for i, n := range notations {
		for _, seed := range append(seeds(target), n.Example) {
			f.Add(byte(i), byte(len(seed)), seed)
		}
	}
	f.Fuzz(func(t *testing.T, which, open byte, text string) {
		n := notations[int(which)%len(notations)]
		found, err := n.Read(text, fuzzOptions(open))
		checkReading(t, text, found, err)
	})
}

// FuzzRead reads texts of which nobody says whose they are.
func FuzzRead(f *testing.F) {
	for _, n := range All() {
		f.Add(byte(0), n.Example)
	}
	for _, g := range append(fuzzGroups[:], struct {
		target string
		starts []string
	}{target: "Literals"}) {
		for _, seed := range seeds(g.target) {
			f.Add(byte(1), seed)
		}
	}
	f.Fuzz(func(t *testing.T, open byte, text string) {
		found, err := Read(text, fuzzOptions(open))
		checkReading(t, text, found, err)
		if err == nil && !Recognises(text) {
			t.Fatalf("%q is read, and not recognised", text)
		}
	})
}

func fuzzOptions(open byte) Options {
	if open%2 == 0 {
		return Options{}
	}
	return Options{DType: 1, Dims: []int64{2, 3}}
}

// checkReading checks that a text is either refused well, or read as tensors that keep to their
// bounds and that all who can say them read again.
func checkReading(t *testing.T, text string, found []Descriptor, err error) {
	t.Helper()
	if err != nil {
		checkRefusal(t, text, err)
		return
	}
	if len(found) == 0 {
		t.Fatalf("%q: neither a tensor nor an error", text)
	}
	for _, d := range found[:min(len(found), 3)] {
		checkNotes(t, text, d.Skipped)
		offsets(t, d.Tensor.Layout())
		for _, n := range All() {
			checkRewritten(t, n, text, d)
		}
	}
}

// checkRewritten writes what a text was read as, and reads it again.
func checkRewritten(t *testing.T, n *Notation, text string, d Descriptor) {
	t.Helper()
	x := d.Tensor.Layout()
	again, err := n.Write(d.Tensor)
	var loss *LossError
	var overflow *layout.OverflowError
	if errors.As(err, &loss) || errors.As(err, &overflow) {
		return
	}
	if err != nil {
		t.Fatalf("%q is %v, which %s does not write: %#v", text, x, n.Name, err)
	}
	found, err := n.Read(again, Options{DType: d.Tensor.DType()})
	if err != nil || len(found) != 1 {
		t.Fatalf("%q is %v, which %s writes %q, which is %d tensors, %v", text, x, n.Name, again, len(found), err)
	}
	y := found[0].Tensor.Like(x)
	if layout.SameAxes(x, y.Layout()) != nil || !layout.Same(x, y.Layout()) || found[0].Typed && y.DType() != d.Tensor.DType() {
		t.Fatalf("%q is %v of %v, which %s writes %q, which is %v of %v", text, x, d.Tensor.DType(), n.Name, again, y.Layout(), y.DType())
	}
	if _, err := n.Sizes(d.Tensor); err != nil && !errors.As(err, &overflow) {
		t.Fatalf("%q is %v, which %s writes %q: %v", text, x, n.Name, again, err)
	}
}

// checkRefusal checks that an error is one for a user: short, in plain words, and about a byte of
// the text.
func checkRefusal(t *testing.T, text string, err error) {
	t.Helper()
	hint := ""
	var syntax *layout.SyntaxError
	var overflow *layout.OverflowError
	switch {
	case errors.As(err, &syntax):
		hint = syntax.Hint
		if syntax.Offset < 0 || syntax.Offset > len(syntax.Input) || syntax.Input != "" && syntax.Input != text {
			t.Fatalf("%q: %v at %d of %q", text, err, syntax.Offset, syntax.Input)
		}
	case !errors.As(err, &overflow):
		t.Fatalf("%q: %v is a %T", text, err, err)
	}
	checkWords(t, text, err.Error())
	checkWords(t, text, hint)
	if err.Error() == "" {
		t.Fatalf("%q: an error without words", text)
	}
}

// checkNotes checks what a reader says of the parts that it has skipped.
func checkNotes(t *testing.T, text string, notes []string) {
	t.Helper()
	for _, note := range notes {
		checkWords(t, text, note)
	}
}

// checkWords checks that what a user is told is short, printable, and none of Go's messages.
func checkWords(t *testing.T, text, words string) {
	t.Helper()
	fault := ""
	for _, leak := range []string{"strconv", "%!", "runtime error", "interface {", "interface conversion", "parsing \"", "invalid syntax", "<nil>", "0xc0"} {
		if strings.Contains(words, leak) && !strings.Contains(text, leak) {
			fault = "has " + leak
		}
	}
	for _, c := range words {
		if c < ' ' || c == 0x7f || c == utf8.RuneError {
			fault = "has a byte that is no text"
		}
	}
	if len(words) >= 300 {
		fault = "is too long"
	}
	if fault != "" {
		t.Fatalf("%q %s; it is about %.400q", words, fault, text)
	}
}
