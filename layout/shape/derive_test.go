package shape

import (
	"errors"
	"testing"
)

func TestSumKeepsTheFirstError(t *testing.T) {
	first := errors.New("first")
	if _, err := sum(first, 1, 1, 1, 1); err != first {
		t.Errorf("sum after an error: %v, want that error", err)
	}
}
