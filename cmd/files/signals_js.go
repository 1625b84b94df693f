package files

import "context"

// nonblock has no meaning in a page, which opens no files.
const nonblock = 0

// Interruptible returns a context that nothing but its function ends: a page has no signals.
func Interruptible() (context.Context, context.CancelFunc) {
	return context.WithCancel(context.Background())
}
