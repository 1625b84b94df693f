package layout

import (
	"math/bits"
	"strings"
)

// byteUnits are the letters that a number of bytes may end with, each 1024 times the one before.
const byteUnits = "KMGT"

// ParseBytes reads a number of bytes, such as 4096, 256M or 1GiB: the letters K, M, G and T stand
// for powers of 1024.
func ParseBytes(text string) (int64, error) {
	word := strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(text)), "B")
	shift := 0
	letter := strings.TrimSuffix(word, "I")
	if n := len(letter); n > 0 {
		if unit := strings.IndexByte(byteUnits, letter[n-1]); unit >= 0 {
			word, shift = letter[:n-1], 10*(unit+1)
		}
	}
	n, err := ParseNumber(word)
	digits := word != "" && strings.Trim(word, "0123456789") == ""
	if err != nil && !digits {
		return 0, &SyntaxError{text, 0, "this is no number of bytes", "such as 4096, 256M or 1G"}
	}
	if err != nil || bits.Len64(uint64(n))+shift > 63 {
		return 0, &SyntaxError{text, 0, "so many bytes are more than 64 bits hold", "such as 256M"}
	}
	return n << shift, nil
}
