package cmd_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"layoutcalc/cmd"
)

// BenchmarkListing lists 100,000 tensors in each form, and reports how many times as long as their sums that takes.
func BenchmarkListing(b *testing.B) {
	const tensors = 100_000
	var header bytes.Buffer
	for i := range tensors {
		fmt.Fprintf(&header, `%c"model.layers.%d.w":{"dtype":"F16","shape":[2,3],"data_offsets":[%d,%d]}`,
			"{,"[min(i, 1)], i, 12*i, 12*i+12)
	}
	header.WriteString("}")
	path := filepath.Join(b.TempDir(), "model.safetensors")
	data := binary.LittleEndian.AppendUint64(nil, uint64(header.Len()))
	if err := os.WriteFile(path, append(append(data, header.Bytes()...), make([]byte, 12*tensors)...),
		0o644); err != nil {
		b.Fatal(err)
	}
	run := func(form string) time.Duration {
		start := time.Now()
		streams := cmd.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Env: noEnv}
		if code := cmd.Run([]string{"size", path, "-o", form}, streams); code != 0 {
			b.Fatal(form, code)
		}
		return time.Since(start)
	}
	for _, form := range []string{"table", "csv", "json", "jsonl"} {
		b.Run(form, func(b *testing.B) {
			var sums, list time.Duration
			for b.Loop() {
				sums += run("plain")
				list += run(form)
			}
			b.ReportMetric(list.Seconds()/sums.Seconds(), "x-sums")
		})
	}
}
