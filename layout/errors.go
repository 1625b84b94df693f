package layout

import (
	"fmt"
	"math"
	"math/big"

	"layoutcalc/layout/lexer"
)

// A SyntaxError describes a fault in a text of the user.
type SyntaxError = lexer.SyntaxError

// HintOf returns the hint of an error, if it has one.
func HintOf(err error) string {
	if e, ok := err.(*SyntaxError); ok {
		return e.Hint
	}
	return ""
}

// An OverflowError reports a result that no int64 holds, together with its exact value.
type OverflowError struct {
	What  string   // the quantity, such as "the span"
	Exact *big.Int // the exact value
	Hint  string   // the consequence for the user; may be empty
}

// Error names the quantity and both its value and the limit that it breaks.
func (e *OverflowError) Error() string {
	what := e.What
	if what == "" {
		what = "the result"
	}
	return fmt.Sprintf("%s is %v, which 64 bits do not hold (limit %d)", what, e.Exact, int64(math.MaxInt64))
}

// NameOverflow gives err, when it is an overflow, the name of the quantity that overflowed.
func NameOverflow(what string, err error) error {
	if e, ok := err.(*OverflowError); ok {
		return &OverflowError{what, e.Exact, e.Hint}
	}
	return err
}
