package notation

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// A randomResult is a result of a map, as text and as a function.
type randomResult struct {
	text   string
	at     func(index []int64) int64
	extent int64
}

// TestAffineAtRandom reads maps of random terms and works them out number by number.
func TestAffineAtRandom(t *testing.T) {
	rnd := rand.New(rand.NewSource(3))
	n, _ := Find("affine-map")
	read := 0
	for range 20000 {
		sizes := []int64{1 + rnd.Int63n(12), 1 + rnd.Int63n(12)}
		results := make([]randomResult, 1+rnd.Intn(3))
		texts := make([]string, len(results))
		for i := range results {
			results[i] = randomSum(rnd, sizes)
			texts[i] = results[i].text
		}
		text := fmt.Sprintf("memref<%dx%dxf32, affine_map<(d0, d1) -> (%s)>>", sizes[0], sizes[1], strings.Join(texts, ", "))
		found, err := n.Read(text, Options{})
		if err != nil {
			if !strings.Contains(err.Error(), "digit") {
				t.Fatalf("%s: %v", text, err)
			}
			continue
		}
		read++
		for index, got := range found[0].Tensor.Layout().All() {
			want, elements := int64(0), int64(1)
			for _, r := range results {
				want, elements = want*r.extent+r.at(index), elements*r.extent
			}
			if got != want || found[0].Tensor.Storage() != elements {
				t.Fatalf("%s: %v at %d of %d, want %d of %d", text, index, got, found[0].Tensor.Storage(), want, elements)
			}
		}
	}
	if read < 8000 {
		t.Errorf("only %d texts read", read)
	}
}

// randomSum makes a sum of one or two terms.
func randomSum(rnd *rand.Rand, sizes []int64) randomResult {
	base := rnd.Int63n(3)
	sum := randomResult{fmt.Sprint(base), func([]int64) int64 { return base }, 1 + base}
	for range 1 + rnd.Intn(2) {
		rest, term, coefficient := sum.at, randomTerm(rnd, sizes), 1+rnd.Int63n(5)
		sum.text += fmt.Sprintf(" + %d * (%s)", coefficient, term.text)
		sum.at = func(index []int64) int64 { return rest(index) + coefficient*term.at(index) }
		sum.extent += coefficient * (term.extent - 1)
	}
	return sum
}

// randomTerm makes a part of an input. Its extent is what a mod says, and else one more than the
// greatest value.
func randomTerm(rnd *rand.Rand, sizes []int64) randomResult {
	axis := rnd.Intn(2)
	term := randomResult{fmt.Sprint("d", axis), func(index []int64) int64 { return index[axis] }, sizes[axis]}
	if n := 1 + rnd.Int63n(4); rnd.Intn(2) == 0 {
		part := term.at
		term = randomResult{fmt.Sprintf("%s floordiv %d", term.text, n), func(index []int64) int64 { return part(index) / n }, (term.extent + n - 1) / n}
	}
	if n := 1 + rnd.Int63n(6); rnd.Intn(2) == 0 {
		part := term.at
		term = randomResult{fmt.Sprintf("%s mod %d", term.text, n), func(index []int64) int64 { return part(index) % n }, n}
	}
	return term
}
