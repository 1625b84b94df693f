package cmd_test

import (
	"io"
	"strings"
	"testing"

	"layoutcalc/cmd"
)

// BenchmarkStrides runs the command from arguments to output, without starting a process.
func BenchmarkStrides(b *testing.B) {
	for _, form := range []string{"plain", "table"} {
		b.Run(form, func(b *testing.B) {
			args := strings.Fields("strides 1x3x224x224 NHWC -o " + form)
			b.ReportAllocs()
			for b.Loop() {
				if code := cmd.Run(args, cmd.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Env: noEnv}); code != 0 {
					b.Fatal(code)
				}
			}
		})
	}
}
