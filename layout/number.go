package layout

import "math/big"

// integer reads an integer in decimal.
func (s *scanner) integer(kind listKind) (int64, error) {
	start := s.pos
	negative := s.take("-")
	if negative && !kind.signed {
		return 0, s.fail(start, "", "%s cannot be negative", article(kind.noun))
	}
	digits := s.span(isDigit)
	if digits == "" {
		if rest := s.rest(); rest != "" {
			return 0, s.fail(start, "such as "+kind.example, "%q is not %s", rest, article(kind.noun))
		}
		return 0, s.fail(start, "such as "+kind.example, "%s is missing here", article(kind.noun))
	}
	v := int64(0)
	for i := range len(digits) {
		ten, err := Mul(v, 10)
		if err == nil && negative {
			v, err = Add(ten, -int64(digits[i]-'0'))
		} else if err == nil {
			v, err = Add(ten, int64(digits[i]-'0'))
		}
		if err != nil {
			return 0, s.fail(start, "", "%s is more than 64 bits hold", bigText(s.in[start:s.pos]))
		}
	}
	return v, nil
}

// bigText returns a number that is too large without its leading zeros, shortened when it is
// absurdly long.
func bigText(digits string) string {
	if len(digits) > 40 {
		return "a number of " + count(len(digits), "digit")
	}
	v, _ := new(big.Int).SetString(digits, 10)
	return v.String()
}

// article returns the noun with a or an.
func article(noun string) string {
	if noun[0] == 'i' || noun[0] == 'o' || noun[0] == 'a' {
		return "an " + noun
	}
	return "a " + noun
}

// ParseNumber reads a number that is not negative.
func ParseNumber(text string) (int64, error) { return parseNumber(text, false) }

// ParseOffset reads an offset, which may be negative.
func ParseOffset(text string) (int64, error) { return parseNumber(text, true) }

func parseNumber(text string, signed bool) (int64, error) {
	s, err := newScanner(text)
	if err != nil {
		return 0, err
	}
	s.blanks()
	n, err := s.integer(listKind{noun: "number", example: "16", signed: signed})
	if s.blanks(); err == nil && !s.done() {
		return 0, s.fail(s.pos, "", "%q does not belong to the number", s.rest())
	}
	return n, err
}
