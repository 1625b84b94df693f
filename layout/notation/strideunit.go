package notation

import (
	"sync"

	"layoutcalc/layout/lexer"
)

// unitClues is a set of clues in the input about whether its strides count elements or bytes.
type unitClues uint64

// The clues.
const (
	saysElements unitClues = 1 << iota // words of systems that count elements
	saysBytes                          // words of systems that count bytes
	notNumPy                           // stride and sizes, which NumPy does not write
	tuples                             // strides in parentheses
	plainType                          // dtype=float32, which PyTorch writes torch.float32
	ofArray                            // x.shape, which both print
)

// unitMarks returns the marks of each clue.
var unitMarks = sync.OnceValue(func() *lexer.Marks {
	return lexer.Compile([][]string{
		{
			"torch .", "size ( )", "sizes ( )", "*stride ( )", "strides ( )", "requires_grad", "device =",
			"device :", "setStorage :", "is_contiguous", "start_offset", "*ayout {", "layout = <word> (",
			"const ndim =", "dynamic ndim =", "ArrayView {", "NodeArg (", "MLMultiArray", "x <number> array",
			"Tensor [ dims", "Tensor [ [", "Tensor [ (", "*utput : names", "*nput : names", "*izes = {", "View (",
			"block_shape", "*uffer (",
		},
		{
			"np .", "numpy .", "typestr", `"typestr"`, "dtype ( <string>", "dtype ( [", "C_CONTIGUOUS",
			"memoryview", ". strides = (", ". strides : (", ". strides == (", ". strides ( <number>", ". strides ,",
			". strides )", "<typestr>", "^ <list> <list> <dtype>", "<word> <list> <list> <dtype>",
			": <list> <list> <dtype>", "^ <list> , <list> , <dtype>", "<word> <list> , <list> , <dtype>",
			": <list> , <list> , <dtype>", "^ <list> <dtype> <list>", "<word> <list> <dtype> <list>",
			": <list> <dtype> <list>", "*type = < <word>", "*type = > <word>", "*type : < <word>",
			"*type : > <word>",
		},
		{"*tride", `"stride"`, "*izes", `"sizes"`, "^ { <number>", "] = {"},
		{"*trides = (", "*trides : (", "*trides (", `"strides" : (`},
		{"*type = <dtype>", "*type : <dtype>", "*type <dtype>", "*type = <word> . <dtype>", "*type : <word> . <dtype>"},
		{"<word> . shape"},
	})
})

// isStrong reports whether the system is known, which implies that the input is about tensors.
func (e unitClues) isStrong() bool { return e&(saysElements|saysBytes) != 0 }

// unit returns the units that the strides may count: both if the unit is unknown.
func (e unitClues) unit() unitClues {
	switch {
	case e.isStrong():
		return e & (saysElements | saysBytes)
	case e&notNumPy != 0:
		return saysElements
	}
	return saysElements | saysBytes
}
