package files

import "errors"

// ErrInterrupted is the error if a signal ends the work.
var ErrInterrupted = errors.New("interrupted")
