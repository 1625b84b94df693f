package rules_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/rules"
)

// filled returns what Fill reports, and whether it fills all.
func filled(a rules.Artefact, d *rules.Descriptor) (reported []string, ok bool) {
	ok = a.Fill(d, func(id rules.ID, _ rules.Part, _, _ string) { reported = append(reported, id.String()) })
	return reported, ok
}

// TestFillOracle compares random layouts with arrays in files, element by element: a layout is that of the file where
// some order of the axes has each element at the same offset.
func TestFillOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	float32Type, err := layout.ParseDType("float32")
	if err != nil {
		t.Fatal(err)
	}
	for range 4000 {
		letters := strings.Split("OIHW"[:2+random.IntN(3)], "")
		sizes := make([]int64, len(letters))
		for i := range sizes {
			sizes[i] = 1 + random.Int64N(4)
		}
		order := random.Perm(len(letters)) // of the axes in memory
		name, strides, stored, next := "", make([]int64, len(sizes)), make([]int64, len(sizes)), int64(1)
		for i, axis := range slices.Backward(order) {
			name = letters[axis] + name
			strides[axis], stored[i] = next, sizes[axis]
			next *= sizes[axis]
		}
		file := slices.Clone(stored)
		if random.IntN(3) == 0 {
			random.Shuffle(len(file), func(i, k int) { file[i], file[k] = file[k], file[i] })
		}
		have := rules.Descriptor{TypeName: "F32", Type: float32Type, TypeKnown: true, Sizes: file}
		a := rules.Artefact{Kind: "safetensors", Have: have}
		d := rules.Descriptor{Sizes: slices.Clone(sizes), Layout: name}
		reported, ok := filled(a, &d)
		same := slices.Equal(file, stored) || slices.Equal(file, sizes) && rowMajor(sizes, strides)
		if want := map[bool]string{true: "[artefact-layout]", false: "[artefact-sizes]"}[slices.Equal(file,
			sizes)]; !ok ||
			same != (len(reported) == 0) || !same && fmt.Sprint(reported) != want {
			t.Fatalf("%v %s in a file of %v: %v, %v", sizes, name, file, reported, ok)
		}
		if !slices.Equal(file, stored) {
			continue
		}
		open := rules.Descriptor{Layout: name}
		if reported, ok = filled(a, &open); !ok || reported != nil || !slices.Equal(open.Sizes, sizes) {
			t.Fatalf("a file of %v as %s: %v, not %v: %v", file, name, open.Sizes, sizes, reported)
		}
		if slices.Contains(sizes, 1) {
			continue // strides do not tell where their axes are
		}
		given := rules.Descriptor{Sizes: slices.Clone(sizes), Strides: strides}
		if reported, ok = filled(a, &given); !ok || reported != nil {
			t.Fatalf("%v with strides %v in a file of %v: %v", sizes, strides, file, reported)
		}
	}
}

// rowMajor reports whether strides are those of row-major order, but for strides of size 1.
func rowMajor(sizes, strides []int64) bool {
	next := int64(1)
	for i, n := range slices.Backward(sizes) {
		if n != 1 && strides[i] != next {
			return false
		}
		next *= n
	}
	return true
}
