package layout

import "strings"

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
	if tag := strings.ToLower(letters); isAlphabetStart(tag) {
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

// isAlphabetStart reports whether the distinct lower-case letters are the first ones of the
// alphabet, as in the tags of oneDNN.
func isAlphabetStart(letters string) bool {
	for i := range len(letters) {
		if int(letters[i]-'a') >= len(letters) {
			return false
		}
	}
	return letters != ""
}

// positions returns where in the list of names each of the wanted ones stands.
func positions(wanted, names []string) []int {
	at := make([]int, len(wanted))
	for i, w := range wanted {
		at[i] = -1
		for k, n := range names {
			if strings.EqualFold(w, n) {
				at[i] = k
			}
		}
	}
	return at
}
