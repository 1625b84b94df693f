package files

import "context"

// Interruptible returns a context that nothing but its function ends: a page has no signals.
func Interruptible() (context.Context, context.CancelFunc) {
	return context.WithCancel(context.Background())
}
