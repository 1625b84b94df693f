package layout_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"layoutcalc/layout/facts"
	"layoutcalc/layout/spec"
)

// TestChannelsLastAgreesWithPyTorch lays out fresh tensors, among them those without elements,
// whose zeros PyTorch multiplies into the strides.
func TestChannelsLastAgreesWithPyTorch(t *testing.T) {
	var vectors struct {
		Cases []struct{ Sizes, Strides []int64 }
	}
	data, err := os.ReadFile("testdata/channelslast.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &vectors); err != nil || len(vectors.Cases) == 0 {
		t.Fatalf("%d cases, %v", len(vectors.Cases), err)
	}
	for _, c := range vectors.Cases {
		text := map[int]string{4: "channels_last", 5: "channels_last_3d"}[len(c.Sizes)]
		name, err := spec.ParseName(text)
		if err != nil {
			t.Fatal(err)
		}
		tensor, err := spec.Spec{Shape: viewSizes(c.Sizes), Name: &name}.Tensor()
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := tensor.Layout().Strides(); !slices.Equal(got, c.Strides) {
			t.Errorf("%v %s: strides %v, want %v", c.Sizes, text, got, c.Strides)
		}
		if !facts.ChannelsLast(tensor.Layout()) {
			t.Errorf("%v %s is not judged channels_last", c.Sizes, text)
		}
	}
}
