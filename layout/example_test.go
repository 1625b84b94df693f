package layout_test

import (
	"fmt"

	"layoutcalc/layout"
)

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
