package notation

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// TestKittens has offsets by the formula of ThunderKittens' st.cuh.
func TestKittens(t *testing.T) {
	f, err := os.Open("testdata/kittens.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var v struct {
			ID, Text string
			Index    []int64
			Offset   int64
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		d, err := single(t, "cute", v.Text, Options{})
		if err != nil {
			t.Errorf("%s: %v", v.Text, err)
			continue
		}
		if got, err := d.Tensor.Layout().Offset(v.Index); err != nil || got != v.Offset {
			t.Errorf("%s: %s %v: %d, %v, want %d", v.ID, v.Text, v.Index, got, err, v.Offset)
		}
	}
}
