package layout

import (
	"fmt"
	"math"
	"math/big"

	"layoutcalc/layout/lexer"
)

// A SyntaxError describes an error in an input of the user.
type SyntaxError = lexer.SyntaxError

// HintOf returns the hint of an error, if it has one.
func HintOf(err error) string {
	if e, ok := err.(*SyntaxError); ok {
		return e.Hint
	}
	return ""
}

// An OverflowError reports a result that does not fit in an int64, together with its exact value.
type OverflowError struct {
	What  string   // the quantity, such as "the span"
	Exact *big.Int // the exact value
	Hint  string   // the consequence for the user; may be empty
}

// Error states the quantity, its value and the limit that it exceeds.
func (e *OverflowError) Error() string {
	what := e.What
	if what == "" {
		what = "the result"
	}
	return fmt.Sprintf("%s is %v, which 64 bits do not hold (limit %d)", what, e.Exact, int64(math.MaxInt64))
}

// NameOverflow sets the name of the quantity that overflowed, if err is an overflow.
func NameOverflow(what string, err error) error {
	if e, ok := err.(*OverflowError); ok {
		return &OverflowError{what, e.Exact, e.Hint}
	}
	return err
}
