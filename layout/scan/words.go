package scan

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Some joins the first of n names, and says how many more there are.
func Some(first []string, n int) string {
	text := strings.Join(first, ", ")
	if n > len(first) {
		text += fmt.Sprintf(" and %d more", n-len(first))
	}
	return text
}

// A Speller proposes known words for misspelt ones. It compares a limited number of letters in all, which is enough for
// the misspelt words that a file has by mistake, and proposes nothing after that. The zero Speller is ready for use.
type Speller struct{ compared int }

// maxCompared is how many pairs of letters a Speller compares.
const maxCompared = 1 << 24

// Nearest returns the known word that is most like the given one, whatever the case, or the
// empty string when none is like it: more than a third of the letters would have to change.
func (s *Speller) Nearest(word string, known iter.Seq[string]) string {
	const longest = 64
	best, least := "", max(1, len(word)/3)+1
	if word == "" || len(word) > longest || s.compared >= maxCompared {
		return ""
	}
	word = strings.ToLower(word)
	for k := range known {
		if s.compared += 1 + len(k); s.compared >= maxCompared {
			break
		}
		if len(k) > 2*longest {
			continue
		}
		lower := strings.ToLower(k)
		if max(len(word)-len(lower), len(lower)-len(word)) >= least {
			continue // at least as many letters differ
		}
		s.compared += len(word) * len(lower)
		if d := distance(word, lower); d < least {
			best, least = k, d
		}
	}
	return best
}

// Likely returns the known word that is most like the given one, or the only one that begins with it; nothing where
// there is none.
func (s *Speller) Likely(word string, known iter.Seq[string]) string {
	near := s.Nearest(word, known)
	if near != "" || word == "" || s.compared >= maxCompared {
		return near
	}
	for k := range known {
		s.compared++
		if !strings.HasPrefix(k, word) {
			continue
		}
		if near != "" {
			return ""
		}
		near = k
	}
	return near
}

// DidYouMean returns the hint that names the word that [Speller.Likely] returns, or the other hint when there is none.
func (s *Speller) DidYouMean(word string, known iter.Seq[string], other string) string {
	if near := s.Likely(word, known); near != "" {
		return "did you mean " + near + "?"
	}
	return other
}

// Nearest is [Speller.Nearest] of one word.
func Nearest(word string, known []string) string {
	return new(Speller).Nearest(word, slices.Values(known))
}

// Likely is [Speller.Likely] of one word.
func Likely(word string, known []string) string {
	return new(Speller).Likely(word, slices.Values(known))
}

// DidYouMean is [Speller.DidYouMean] of one word.
func DidYouMean(word string, known []string, other string) string {
	return new(Speller).DidYouMean(word, slices.Values(known), other)
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
