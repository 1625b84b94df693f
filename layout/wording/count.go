// Package wording writes the parts of messages that people read: counts with their nouns, quoted and shortened strings,
// the known word most similar to a misspelt one, and the messages of system errors.
package wording

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Count returns n with the noun in singular or plural, as in "1 size" and "2 sizes".
//
//go:noinline
func Count[N int | int64 | uint64 | *big.Int](n N, noun string) string {
	count := fmt.Sprint(n)
	if count == "1" {
		return count + " " + noun
	}
	for _, p := range plurals {
		if stem, ok := strings.CutSuffix(noun, p.one); ok {
			return count + " " + stem + p.many
		}
	}
	return count + " " + noun + "s"
}

// Bits returns a number of bits in bytes, or in bits if they are not whole bytes.
func Bits(n int64) string {
	if n%8 != 0 {
		return Count(n, "bit")
	}
	return Count(n/8, "byte")
}

// plurals has the endings of nouns with irregular plurals.
var plurals = [...]struct{ one, many string }{
	{"axis", "axes"}, {"index", "indices"}, {"matrix", "matrices"}, {"entry", "entries"}, {"ch", "ches"},
	{"ss", "sses"},
}

// Article returns the noun with a or an.
func Article(noun string) string {
	if noun[0] == 'i' || noun[0] == 'o' || noun[0] == 'a' {
		return "an " + noun
	}
	return "a " + noun
}

// Ordinal returns an ordinal number: first, second, third, 4th.
func Ordinal(i int) string {
	if i < 3 {
		return [...]string{"first", "second", "third"}[i]
	}
	return strconv.Itoa(i+1) + "th"
}

// Some joins the first of n names, and appends the number of the others.
func Some(first []string, n int) string {
	text := strings.Join(first, ", ")
	if n > len(first) {
		text += fmt.Sprintf(" and %d more", n-len(first))
	}
	return text
}
