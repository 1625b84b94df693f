// Layoutcalc is a calculator for the memory layouts of tensors: strides, offsets, sizes.
package main

import (
	"os"
	"runtime"

	"layoutcalc/cmd"
)

func main() {
	os.Exit(cmd.Run(os.Args[1:], cmd.Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv, Windows: runtime.GOOS == "windows",
	}))
}
