package layout_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"layoutcalc/layout/spec"
)

// TestOneDNNPutsElementsThere compares every offset, and the whole storage, with what oneDNN's
// own reorders did.
func TestOneDNNPutsElementsThere(t *testing.T) {
	var vectors struct {
		Cases []struct {
			Tag     string
			Sizes   []int64
			Bytes   int64
			Offsets []int64
		}
	}
	data, err := os.ReadFile("testdata/onednn.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &vectors); err != nil || len(vectors.Cases) == 0 {
		t.Fatalf("%d cases, %v", len(vectors.Cases), err)
	}
	for _, c := range vectors.Cases {
		name, err := spec.ParseName(c.Tag)
		if err != nil {
			t.Fatal(err)
		}
		tensor, err := spec.Spec{Shape: viewSizes(c.Sizes), Name: &name}.Tensor()
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for _, offset := range tensor.Layout().All() {
			got = append(got, offset)
		}
		if !slices.Equal(got, c.Offsets) {
			t.Errorf("%v %s: offsets %v, want %v", c.Sizes, c.Tag, got, c.Offsets)
		}
		if bytes := tensor.Bytes(tensor.Storage()); bytes != c.Bytes {
			t.Errorf("%v %s: %d bytes with whole blocks, want %d", c.Sizes, c.Tag, bytes, c.Bytes)
		}
	}
}
