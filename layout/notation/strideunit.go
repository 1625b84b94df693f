package notation

import (
	"sync"

	"layoutcalc/layout"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/scan"
)

// unitClues is a set of clues in the text about whether its strides count elements or bytes.
type unitClues uint64

// The clues.
const (
	saysElements unitClues = 1 << iota // words of systems that count elements
	saysBytes                          // words of those that count bytes
	notNumPy                           // stride and sizes, which NumPy does not write
	tuples                             // strides in round brackets
	plainType                          // dtype=float32, which PyTorch writes torch.float32
	ofArray                            // x.shape, of either
)

// unitMarks has the marks of each bit.
var unitMarks = sync.OnceValue(func() *scan.Marks {
	return scan.Compile([][]string{
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

// isStrong reports whether a system is known, and with it that the text is about tensors.
func (e unitClues) isStrong() bool { return e&(saysElements|saysBytes) != 0 }

// unit returns what the strides count, as bits: both where that is not known.
func (e unitClues) unit() unitClues {
	switch {
	case e.isStrong():
		return e & (saysElements | saysBytes)
	case e&notNumPy != 0:
		return saysElements
	}
	return saysElements | saysBytes
}

// unitOf decides what strides count of which the text does not say it, and notes it. NumPy's are bytes, and may be
// negative; what is not a whole number of elements in bytes counts elements.
func (p *logReader) unitOf(stride literal.Value, unit unitClues, t layout.Tensor) {
	isNegative, isWhole, item := false, true, t.DType().Bits()/8
	for _, n := range p.Ints(stride, "strides") {
		isNegative = isNegative || n < 0
		isWhole = isWhole && item > 0 && n%item == 0
	}
	isPrinted := p.says&(tuples|plainType) == tuples|plainType
	const asBytes = "strides are read as bytes, "
	switch {
	case unit == saysElements && isNegative:
		p.Fail(stride.At, "--from numpy reads them as bytes", "PyTorch has no negative strides")
	case unit == saysElements && !isWhole:
		p.skip("strides are read as elements: as NumPy's bytes they would not be multiples of the %d of a %s",
			item, t.DType())
	case unit == saysElements && isPrinted:
		p.isForeign()
	case unit == saysBytes && isNegative:
		p.skip(asBytes + "as NumPy has them: PyTorch has no negative strides")
	case unit == saysBytes && isPrinted && item > 1:
		p.skip(asBytes + "as NumPy prints them; --from pytorch reads them as elements")
	}
}
