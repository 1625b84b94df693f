package access

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/notation"
)

// vector is a line of testdata/gpu.jsonl: an answer from documentation, from CUTLASS, from Triton's tests, or from
// brute force. Each line names its source.
type vector struct {
	ID, Kind string
	Input    struct {
		Text, Phases, Instruction, Layout string
		Banks, Axis                       int64
		AccessBytes                       int64     `json:"access_bytes"`
		ElementBytes                      int64     `json:"element_bytes"`
		LaneBytes                         []int64   `json:"lane_bytes"`
		Accesses                          [][]int64 `json:"accesses_lane_bytes"`
		Offsets                           []int64
	}
	Expect struct {
		Wavefronts, Ideal, Sectors, Lines int64
		UsefulBytes                       int64 `json:"useful_bytes"`
		MovedBytes                        int64 `json:"moved_bytes"`
		Elements, Bytes                   int64
		SmallestBits                      int      `json:"smallest_bits"`
		All                               [][3]int `json:"all"`
		AllSmallest                       [][3]int `json:"all_with_smallest_bits"`
		Phases                            [][]int  `json:"phases"`
	}
}

// unitOf returns the unit that the text of a vector means.
func unitOf(t *testing.T, phases string, banks int64) *Unit {
	t.Helper()
	name := map[string]string{
		"": "cuda", "ds_read_b128, 32 banks": "ds_read_b128", "ds_read_b128, 64 banks": "ds_read_b128/64",
	}[phases]
	i := slices.IndexFunc(Units[:], func(u Unit) bool { return u.Name == name && (banks == 0 || u.Banks == banks) })
	if i < 0 {
		t.Fatalf("no unit has phases %q and %d banks", phases, banks)
	}
	return &Units[i]
}

func TestVectors(t *testing.T) {
	t.Parallel()
	f, err := os.Open("testdata/gpu.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	checks := map[string]func(*testing.T, vector){
		"bank_conflicts2": wantCost, "sectors": wantCost, "widest_vector": wantWidth,
		"swizzle_search": wantSwizzles, "swizzle_infer": wantInferred, "amd_lds_phases": wantPhases,
	}
	found := map[string]int{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		found[v.Kind]++
		checks[v.Kind](t, v)
	}
	for kind := range checks {
		if found[kind] == 0 {
			t.Errorf("no vectors of %s", kind)
		}
	}
}

func wantCost(t *testing.T, v vector) {
	c := counter{unit: unitOf(t, v.Input.Phases, v.Input.Banks), bits: 8, read: 8 * v.Input.AccessBytes}
	c.bytes = v.Input.AccessBytes
	got, want := c.count(Request{offsets: v.Input.LaneBytes}), v.Expect
	if v.Kind == "sectors" {
		if got.Sectors != want.Sectors || got.Lines != want.Lines || got.Used != want.UsefulBytes ||
			got.Moved() != want.MovedBytes {
			t.Errorf("%s: %+v, want %+v", v.ID, got, want)
		}
		return
	}
	if got.Wavefronts != want.Wavefronts || got.Phases != want.Ideal {
		t.Errorf("%s: %d wavefronts, ideal %d, want %d and %d", v.ID, got.Wavefronts, got.Phases, want.Wavefronts,
			want.Ideal)
	}
}

func wantPhases(t *testing.T, v vector) {
	banks := map[int64]string{32: ", 32 banks", 64: ", 64 banks"}[v.Input.Banks]
	u := unitOf(t, v.Input.Instruction+banks, v.Input.Banks)
	for phase, lanes := range v.Expect.Phases {
		for _, lane := range lanes {
			if got := u.phase(lane, 16); got != phase {
				t.Errorf("%s: lane %d is served in phase %d, want %d", v.ID, lane, got, phase)
			}
		}
	}
}

// floats returns the element type with the given number of bytes.
func floats(t *testing.T, bytes int64) layout.DType {
	t.Helper()
	names := map[int64]string{1: "u8", 2: "f16", 4: "f32", 8: "f64", 16: "complex128"}
	d, _, err := layout.Others.ReadDType(names[bytes])
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func wantWidth(t *testing.T, v vector) {
	found, err := notation.Read(v.Input.Text, notation.Options{DType: floats(t, v.Input.ElementBytes), Typed: true})
	if err != nil {
		t.Fatal(err)
	}
	got := Widest(found[0].Tensor)
	isAlong := got.Axis == int(v.Input.Axis) || v.Expect.Elements == 1
	if got.Elements != v.Expect.Elements || !isAlong || got.Elements*v.Input.ElementBytes != v.Expect.Bytes {
		t.Errorf("%s: %s: %+v, want %d elements along %d", v.ID, v.Input.Text, got, v.Expect.Elements, v.Input.Axis)
	}
}

func wantSwizzles(t *testing.T, v vector) {
	s, highest := search{}, int64(0)
	for _, lanes := range v.Input.Accesses {
		highest = max(highest, slices.Max(lanes))
	}
	l, err := layout.Strided(0, []int64{highest/v.Input.ElementBytes + 1}, []int64{1})
	if err != nil {
		t.Fatal(err)
	}
	tensor, err := layout.NewTensor(l, floats(t, v.Input.ElementBytes))
	if err != nil {
		t.Fatal(err)
	}
	w := &Walk{Tensor: tensor, Vector: v.Input.AccessBytes / v.Input.ElementBytes, Unit: &Units[0]}
	s.walks = []*Walk{w}
	for _, lanes := range v.Input.Accesses {
		var starts []int64
		for _, at := range lanes {
			starts = append(starts, at/v.Input.ElementBytes)
		}
		for each := range slices.Chunk(starts, int(min(128/v.Input.AccessBytes, 32))) {
			s.phases = append(s.phases, phase{w, each, 1})
		}
	}
	s.ideal = int64(len(s.phases))
	var got [][3]int
	for _, c := range s.swizzles() {
		if c.Wavefronts != s.ideal {
			t.Errorf("%s: %s takes %d wavefronts, ideal %d", v.ID, c.Swizzle, c.Wavefronts, s.ideal)
		}
		if c.Swizzle.Shift >= 0 && c.Swizzle.Shift < 8 { // others were not tried for the vectors
			got = append(got, [3]int{c.Swizzle.Bits, c.Swizzle.Base, c.Swizzle.Shift})
		}
	}
	want := slices.DeleteFunc(v.Expect.AllSmallest, func(w [3]int) bool { return w[1] > 20 })
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", v.ID, got, want)
	}
}

func wantInferred(t *testing.T, v vector) {
	found, err := notation.Read(v.Input.Layout, notation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := found[0].Tensor.Layout()
	rows := l.Axis(0).Size()
	var got [][3]int
	list, err := Infer(func(yield func(a, b int64) bool) {
		for i, b := range v.Input.Offsets { // the first axis is the fastest
			if a, err := l.Offset([]int64{int64(i) % rows, int64(i) / rows}); err != nil || !yield(a, b) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if s.Base <= 7 { // others were not tried for the vectors
			got = append(got, [3]int{s.Bits, s.Base, s.Shift})
		}
	}
	if !slices.Equal(got, v.Expect.All) {
		t.Errorf("%s: %v, want %v", v.ID, got, v.Expect.All)
	}
}
