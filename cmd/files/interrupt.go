package files

import "errors"

// ErrInterrupted says that a signal ended the work.
var ErrInterrupted = errors.New("interrupted")
