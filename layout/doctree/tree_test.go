package doctree

import "testing"

func BenchmarkLine(b *testing.B) {
	line := []byte(`{"DataType":"FLOAT32","Sizes":[1,64,112,112],"Strides":[802816,1,7168,64],` +
		`"TotalTensorSizeInBytes":3211264}`)
	var t Tree
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if err := t.Line(line, 0); err != nil {
			b.Fatal(err)
		}
	}
}
