package spec

import (
	"strings"

	"layoutcalc/layout/scan"
)

// canonical is the order in which the sizes of activations, weights and sequences are listed,
// whatever order they have in memory.
const canonical = "GOITNCDHW"

const alphabet = "abcdefghijklmnopqrstuvwxyz"

// directML holds the names that DirectML gives the axes of a tensor by its rank.
var directML = [...]string{"", "W", "HW", "DHW", "NCHW", "NCDHW"}

// logicalOrder returns the letters in the order in which unlabelled sizes are listed: the
// canonical one where it has them all, alphabetical for the first letters of the alphabet,
// and as they are otherwise.
func logicalOrder(letters string) string {
	if tag := strings.ToLower(letters); scan.Alphabetical(tag) {
		return alphabet[:len(tag)]
	}
	sorted := make([]byte, 0, len(letters))
	for i := range len(canonical) {
		if strings.IndexByte(letters, canonical[i]) >= 0 {
			sorted = append(sorted, canonical[i])
		}
	}
	if len(sorted) < len(letters) {
		return letters
	}
	return string(sorted)
}
