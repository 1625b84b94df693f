// Peer is the yardstick for the start of layoutcalc: a cobra program with as many commands that
// prints an answer it knows.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

func main() {
	root := &cobra.Command{Use: "peer", SilenceErrors: true, SilenceUsage: true}
	for _, name := range []string{"strides", "offset", "size", "version", "completion"} {
		root.AddCommand(&cobra.Command{Use: name, RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Println("150528,1,672,3")
			return err
		}})
	}
	if root.Execute() != nil {
		os.Exit(2)
	}
}
