package notation

import "strconv"

// joined writes numbers with a separator between them.
func joined(numbers []int64, separator string) string {
	var b []byte
	for i, n := range numbers {
		if i > 0 {
			b = append(b, separator...)
		}
		b = strconv.AppendInt(b, n, 10)
	}
	return string(b)
}

// tuple writes numbers as Python does: (2, 3), (2,), ().
func tuple(numbers []int64) string {
	if len(numbers) == 1 {
		return "(" + strconv.FormatInt(numbers[0], 10) + ",)"
	}
	return "(" + joined(numbers, ", ") + ")"
}

// isPair reports whether the text is two lists and nothing else, whose brackets could be
// anybody's.
func isPair(text string) bool {
	lists := 0
	for i := range len(text) {
		switch c := text[i]; c {
		case '(', '[', '{':
			lists++
		case ')', ']', '}', ',', ' ', '-', '\n', '\t':
		default:
			if !isDigit(c) {
				return false
			}
		}
	}
	return lists == 2
}
