package scan

import (
	"slices"
	"strings"
)

// Nearest returns the known word that is most like the given one, whatever the case, or the
// empty string when none is like it: more than a third of the letters would have to change.
func Nearest(word string, known []string) string {
	best, least := "", max(1, len(word)/3)+1
	if word == "" || len(word) > 64 {
		return ""
	}
	word = strings.ToLower(word)
	for _, k := range known {
		lower := strings.ToLower(k)
		if max(len(word)-len(lower), len(lower)-len(word)) >= least {
			continue // at least as many letters differ
		}
		if d := distance(word, lower); d < least {
			best, least = k, d
		}
	}
	return best
}

// Likely returns the known word that is most like the given one, or the only one that begins with it; nothing where
// there is none.
func Likely(word string, known []string) string {
	near := Nearest(word, known)
	if near != "" || word == "" {
		return near
	}
	longer := slices.DeleteFunc(slices.Clone(known), func(k string) bool { return !strings.HasPrefix(k, word) })
	if len(longer) == 1 {
		return longer[0]
	}
	return ""
}

// DidYouMean returns the hint that names the word that [Likely] was meant, or the other hint when there is none.
func DidYouMean(word string, known []string, other string) string {
	if near := Likely(word, known); near != "" {
		return "did you mean " + near + "?"
	}
	return other
}

// Unknown returns the error of a word that is none of those that are known, whose kind messages call what.
func Unknown(what, word string, known []string) *SyntaxError {
	err := &SyntaxError{Input: word, Msg: "unknown " + what, Hint: "one of " + strings.Join(known, ", ")}
	return err.DidYouMean(word, Likely(word, known))
}

// distance counts the letters to insert, delete, replace or swap with a neighbour that lead
// from a to b.
func distance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[0] {
		rows[0][j] = j
	}
	before, last, row := rows[2], rows[0], rows[1]
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			change := 1
			if a[i] == b[j] {
				change = 0
			}
			row[j+1] = min(last[j]+change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// Positions returns where in the list of names each of the wanted ones is, whatever the case; -1
// where it is not.
func Positions(wanted, names []string) []int {
	return AppendPositions(make([]int, 0, len(wanted)), wanted, names)
}

// AppendPositions appends what [Positions] returns.
func AppendPositions(at []int, wanted, names []string) []int {
	for _, w := range wanted {
		found := -1
		for k, n := range names {
			if startsLike(w, n) && (w == n || strings.EqualFold(w, n)) {
				found = k
			}
		}
		at = append(at, found)
	}
	return at
}

// Alphabetical reports whether the distinct lower-case letters are the first ones of the alphabet,
// in any order, as in the tags of oneDNN.
func Alphabetical(letters string) bool {
	for i := range len(letters) {
		if int(letters[i]-'a') >= len(letters) {
			return false
		}
	}
	return letters != ""
}
