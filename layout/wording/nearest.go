package wording

import (
	"iter"
	"slices"
	"strings"
)

// A Speller suggests known words for misspelt ones. It compares a limited number of letters in total, which is enough
// for the misspelt words that a file has by mistake, and suggests nothing after that. The zero Speller is ready for
// use.
type Speller struct{ compared int }

// maxCompared is the number of pairs of letters that a Speller compares.
const maxCompared = 1 << 24

// Nearest returns the known word that word may be a slip of, ignoring case, or an empty string if no known word is
// similar enough. One of every four letters may be missing, added, exchanged with its neighbour or, less likely, wrong.
// In words of up to three letters, a wrong letter makes a different word. So does a wrong digit, or a wrong first
// letter.
func (s *Speller) Nearest(word string, known iter.Seq[string]) string {
	const longest = 64
	best, least := "", 2*max(1, len(word)/4)+1
	if len(word) > 3 {
		least++
	}
	if word == "" || len(word) > longest || s.compared >= maxCompared {
		return ""
	}
	word = strings.ToLower(word)
	digits := digitsOf(word)
	for k := range known {
		if s.compared += 1 + len(k); s.compared >= maxCompared {
			break
		}
		if len(k) > 2*longest {
			continue
		}
		lower := strings.ToLower(k)
		if 2*max(len(word)-len(lower), len(lower)-len(word)) >= least {
			continue // the lengths differ too much
		}
		s.compared += len(word) * len(lower)
		if !startsAs(word, lower) || digitsOf(lower) != digits {
			continue
		}
		if d := distance(word, lower); d < least {
			best, least = k, d
		}
	}
	return best
}

// digitsOf counts each digit.
func digitsOf(word string) (counts [10]uint8) {
	for i := range len(word) {
		if isDigit(word[i]) {
			counts[word[i]-'0']++
		}
	}
	return counts
}

// startsAs reports whether a word starts like the known one, possibly with its first letter missing or after the
// second.
func startsAs(word, known string) bool {
	return known != "" && (word[0] == known[0] || len(known) > 1 && len(word) > 1 && word[0] == known[1] &&
		(word == known[1:] || word[1] == known[0]))
}

// Likely returns the result of [Speller.Nearest]. If that is empty and word has at least three letters, it returns the
// only known word that starts with word, or an empty string if several or no known words start with it.
func (s *Speller) Likely(word string, known iter.Seq[string]) string {
	near := s.Nearest(word, known)
	if near != "" || len(word) < 3 || s.compared >= maxCompared {
		return near
	}
	for k := range known {
		s.compared++
		if !Begins(k, word) {
			continue
		}
		if near != "" {
			return ""
		}
		near = k
	}
	return near
}

// Begins reports whether a known word starts with word, unless word ends inside a number, like fp6 in fp64.
func Begins(known, word string) bool {
	rest, ok := strings.CutPrefix(known, word)
	return ok && (rest == "" || word == "" || !isDigit(rest[0]) || !isDigit(word[len(word)-1]))
}

// DidYouMean returns the hint that suggests the result of [Speller.Likely], or other if that is empty.
func (s *Speller) DidYouMean(word string, known iter.Seq[string], other string) string {
	if near := s.Likely(word, known); near != "" {
		return "did you mean " + near + "?"
	}
	return other
}

// Nearest is like [Speller.Nearest], for one word.
func Nearest(word string, known []string) string {
	return new(Speller).Nearest(word, slices.Values(known))
}

// Likely is like [Speller.Likely], for one word.
func Likely(word string, known []string) string {
	return new(Speller).Likely(word, slices.Values(known))
}

// DidYouMean is like [Speller.DidYouMean], for one word.
func DidYouMean(word string, known []string, other string) string {
	return new(Speller).DidYouMean(word, slices.Values(known), other)
}

// distance returns the distance of a and b: 2 for each letter to insert, to delete or to exchange with its neighbour,
// and 3 for each to replace.
func distance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[0] {
		rows[0][j] = 2 * j
	}
	before, last, row := rows[2], rows[0], rows[1]
	for i := range len(a) {
		row[0] = 2*i + 2
		for j := range len(b) {
			change := 3
			if a[i] == b[j] {
				change = 0
			}
			row[j+1] = min(last[j]+change, last[j+1]+2, row[j]+2)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+2)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
