package notation

import (
	"fmt"
	"strings"
	"testing"

	"layoutcalc/layout"
)

// benchTensors are images with common layouts. Each notation is measured with the first that it can express.
func benchTensors(b *testing.B) []layout.Tensor {
	return []layout.Tensor{
		benchTensor(b, layout.Digit{Extent: 8, Stride: 150528}, layout.Digit{Extent: 3, Stride: 1},
			layout.Digit{Extent: 224, Stride: 672}, layout.Digit{Extent: 224, Stride: 3}),
		benchTensor(b, layout.Digit{Extent: 8, Stride: 150528}, layout.Digit{Extent: 3, Stride: 50176},
			layout.Digit{Extent: 224, Stride: 224}, layout.Digit{Extent: 224, Stride: 1}),
	}
}

func benchTensor(b *testing.B, digits ...layout.Digit) layout.Tensor {
	axes := make([]layout.Axis, len(digits))
	for i, d := range digits {
		axes[i] = layout.NewAxis("", d.Extent, d)
	}
	l, err := layout.New(0, axes...)
	if err != nil {
		b.Fatal(err)
	}
	t, err := layout.NewTensor(l, 0)
	if err != nil {
		b.Fatal(err)
	}
	return t
}

// said returns the first of the tensors that a notation can express, and its form in the notation.
func said(b *testing.B, n *Notation, tensors []layout.Tensor) (t layout.Tensor, text string) {
	for _, t := range tensors {
		if text, err := n.Write(t); err == nil {
			return t, text
		}
	}
	b.Fatalf("%s says none of the tensors", n.Name)
	return layout.Tensor{}, ""
}

// BenchmarkNotation reads and writes a tensor of rank 4 in each notation: under 5 us.
func BenchmarkNotation(b *testing.B) {
	tensors := benchTensors(b)
	for _, n := range readers() {
		x, text := said(b, n, tensors)
		b.Run("Read/"+n.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := n.Read(text, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("Recognise/"+n.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(text, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("Write/"+n.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := n.Write(x); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLog reads 62 KB with thousands of names that no table lists: about 100 ms.
func BenchmarkLog(b *testing.B) {
	var text strings.Builder
	text.WriteString("x.shape=torch.Size([2, 3]) ")
	for i := 0; text.Len() < 62_000; i++ {
		fmt.Fprintf(&text, "f%05d=1 ", i)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(text.String(), Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
