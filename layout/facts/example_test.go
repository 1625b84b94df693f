package facts_test

import (
	"fmt"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
)

func ExampleInverse_At() {
	rows, _ := layout.Strided(0, []int64{2, 3}, []int64{5, 1}) // two elements of padding
	inverse := facts.NewInverse(rows)
	fmt.Println(inverse.At(5, 1).Indices, inverse.At(4, 1).Count)

	window, _ := layout.Strided(0, []int64{4, 3}, []int64{1, 1})
	fmt.Println(facts.NewInverse(window).At(2, 9).Indices)
	// Output:
	// [[1 0]] 0
	// [[0 2] [1 1] [2 0]]
}

func ExampleOf() {
	l, _ := layout.Strided(0, []int64{3, 3}, []int64{2, 2})
	f := facts.Of(l)
	fmt.Println(f.Elements, "elements, span", f.Span, "distinct", f.Distinct)
	fmt.Println("unique", f.Unique, "padded", f.Padded())
	fmt.Println(f.Witness.A, "and", f.Witness.B, "are both at", f.Witness.Offset)
	// Output:
	// 9 elements, span 9 distinct 5
	// unique no padded yes
	// [0 1] and [1 0] are both at 2
}
