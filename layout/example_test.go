package layout_test

import (
	"fmt"

	"layoutcalc/layout"
)

func ExampleSpec_Tensor() {
	shape, err := layout.ParseShape("1x3x224x224")
	if err != nil {
		fmt.Println(err)
		return
	}
	name, err := layout.ParseName("nhwc")
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := layout.Spec{Shape: shape, Name: &name}.Tensor()
	if err != nil {
		fmt.Println(err)
		return
	}
	strides, _ := t.Layout().Strides()
	fmt.Println(t.Name(), strides, t.BufferBytes(), "bytes")
	// Output: NHWC [150528 1 672 3] 602112 bytes
}

// Sizes that do not fit the name are a SyntaxError, which says what would.
func ExampleSyntaxError() {
	shape, _ := layout.ParseShape("224x224")
	name, _ := layout.ParseName("NHWC")
	_, err := layout.Spec{Shape: shape, Name: &name}.Tensor()
	e := err.(*layout.SyntaxError)
	fmt.Println(e.Msg)
	fmt.Println(e.Hint)
	// Output:
	// NHWC has 4 letters, the shape 2 sizes
	// for rank 2: HW, WH
}

func ExampleLayout_Offset() {
	l, _ := layout.Strided(0, []int64{2, 2, 3}, []int64{6, 3, 1})
	offset, _ := l.Offset([]int64{1, 0, 1})
	fmt.Println("1*6 + 0*3 + 1*1 =", offset)
	_, err := l.Offset([]int64{2, 0, 0})
	fmt.Println(err)
	// Output:
	// 1*6 + 0*3 + 1*1 = 7
	// index 2 is out of range: axis 0 counts from 0 to 1
}

func ExampleInverse_At() {
	rows, _ := layout.Strided(0, []int64{2, 3}, []int64{5, 1}) // two elements of padding
	inverse := rows.Inverse()
	fmt.Println(inverse.At(5, 1).Indices, inverse.At(4, 1).Count)

	window, _ := layout.Strided(0, []int64{4, 3}, []int64{1, 1})
	fmt.Println(window.Inverse().At(2, 9).Indices)
	// Output:
	// [[1 0]] 0
	// [[0 2] [1 1] [2 0]]
}

func ExampleLayout_Facts() {
	l, _ := layout.Strided(0, []int64{3, 3}, []int64{2, 2})
	f := l.Facts()
	fmt.Println(f.Elements, "elements, span", f.Span, "distinct", f.Distinct)
	fmt.Println("unique", f.Unique, "padded", f.Padded())
	fmt.Println(f.Witness.A, "and", f.Witness.B, "are both at", f.Witness.Offset)
	// Output:
	// 9 elements, span 9 distinct 5
	// unique no padded yes
	// [0 1] and [1 0] are both at 2
}

func ExampleLayout_All() {
	l, _ := layout.Strided(0, []int64{2, 2}, []int64{1, 2})
	for index, offset := range l.All() {
		fmt.Println(index, offset)
	}
	// Output:
	// [0 0] 0
	// [0 1] 2
	// [1 0] 1
	// [1 1] 3
}
