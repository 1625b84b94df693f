package lexer

import "strings"

// Positions returns the index of each wanted name in names, ignoring case, and -1 for a missing name.
func Positions(wanted, names []string) []int {
	return AppendPositions(make([]int, 0, len(wanted)), wanted, names)
}

// AppendPositions is like Positions, but appends to at.
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

// Alphabetical reports whether the distinct lower-case letters are the first ones of the alphabet, in any order, as in
// oneDNN tags.
func Alphabetical(letters string) bool {
	for i := range len(letters) {
		if int(letters[i]-'a') >= len(letters) {
			return false
		}
	}
	return letters != ""
}
