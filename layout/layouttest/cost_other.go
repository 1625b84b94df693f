//go:build !unix

package layouttest

import "time"

// processorTime is not known here.
func processorTime() time.Duration { return 0 }
