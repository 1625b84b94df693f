package doctree

import "unicode/utf8"

// strangeByte judges what does not belong to plain text in ASCII. It returns how many bytes it
// takes, and why it cannot stand at the offset.
func strangeByte(text []byte, offset int) (size int, msg string) {
	r, size := utf8.DecodeRune(text)
	switch {
	case r == '\r' && len(text) > 1 && text[1] == '\n':
		return size, ""
	case r == '\r':
		return size, "a carriage return stands here without a line feed behind it"
	case r == 0:
		return size, "a byte of 0 stands here: save the text as UTF-8"
	case r < ' ':
		return size, "a control character stands here: write it as an escape in quotes"
	case r == utf8.RuneError && size == 1:
		return size, "the text is not valid UTF-8 here"
	case r == '\uFEFF' && offset > 0, r == 0x85, r == 0x2028, r == 0x2029, r == 0xFFFE, r == 0xFFFF:
		return size, "a character stands here that some readers take for a mark or a line break: write it as an escape in quotes"
	}
	return size, ""
}
