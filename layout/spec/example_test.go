package spec_test

import (
	"fmt"

	"layoutcalc/layout"
	"layoutcalc/layout/spec"
)

func ExampleSpec_Tensor() {
	shape, err := spec.ParseShape("1x3x224x224")
	if err != nil {
		fmt.Println(err)
		return
	}
	name, err := spec.ParseName("nhwc")
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := spec.Spec{Shape: shape, Name: &name}.Tensor()
	if err != nil {
		fmt.Println(err)
		return
	}
	strides, _ := t.Layout().Strides()
	fmt.Println(t.Name(), strides, t.BufferBytes(), "bytes")
	// Output: NHWC [150528 1 672 3] 602112 bytes
}

// Sizes that do not fit the name are a SyntaxError, which says what would.
func ExampleSpec_Tensor_refused() {
	shape, _ := spec.ParseShape("224x224")
	name, _ := spec.ParseName("NHWC")
	_, err := spec.Spec{Shape: shape, Name: &name}.Tensor()
	e := err.(*layout.SyntaxError)
	fmt.Println(e.Msg)
	fmt.Println(e.Hint)
	// Output:
	// NHWC has 4 letters, the shape 2 sizes
	// for rank 2: HW, WH
}
