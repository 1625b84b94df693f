//go:build !js

package files

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// Interruptible returns a context that ends when a signal interrupts the program. Signals that are ignored, such as the
// hangup under nohup, stay ignored. A second signal ends the program at once.
func Interruptible() (context.Context, context.CancelFunc) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
	ctx, stop := signal.NotifyContext(context.Background(), slices.DeleteFunc(signals, signal.Ignored)...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
