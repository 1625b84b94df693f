package wording

import (
	"iter"
	"slices"
	"strings"
)

// A Speller proposes known words for misspelt ones. It compares a limited number of letters in all, which is enough for
// the misspelt words that a file has by mistake, and proposes nothing after that. The zero Speller is ready for use.
type Speller struct{ compared int }

// maxCompared is the number of pairs of letters that a Speller compares.
const maxCompared = 1 << 24

// Nearest returns the known word for which the given one may be a slip, whatever the case, or the empty string if there
// is none. Of four letters one may be missing, too many, in its neighbour's place or, less likely, another; in words of
// up to three letters another letter makes another word. So does another digit, or another first letter.
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
			continue // at least as many letters differ
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

// startsAs reports whether a word starts as the known one does, with its first letter missing or after the second.
func startsAs(word, known string) bool {
	return known != "" && (word[0] == known[0] || len(known) > 1 && len(word) > 1 && word[0] == known[1] &&
		(word == known[1:] || word[1] == known[0]))
}

// Likely returns the word that [Speller.Nearest] does, or the only one that begins with three letters or more; nothing
// where there is none.
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

// Begins reports whether a known word begins with another that does not end inside a number, as fp6 does in fp64.
func Begins(known, word string) bool {
	rest, ok := strings.CutPrefix(known, word)
	return ok && (rest == "" || word == "" || !isDigit(rest[0]) || !isDigit(word[len(word)-1]))
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

// distance counts 2 for each letter to insert, to delete or to swap with a neighbour, and 3 for each to replace, on the
// way from a to b.
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
