//go:build !race

package processtest

import (
	"fmt"
	"strings"
)

// growingScalars are configurations with one long text or number: with many aliases of it, and by itself.
func growingScalars() (list []grower) {
	for _, of := range []struct{ what, letter, tensor string }{
		{"number of bytes", "9", "{dtype: f32, sizes: 2, expect: {maxBytes: *a}}"},
		{"decimal", "9", "{dtype: f32, sizes: 2, expect: {maxBytes: *d}}"},
		{"size", "9", "{dtype: f32, sizes: *a}"},
		{"size in a list", "9", "{dtype: f32, sizes: [*a, 2]}"},
		{"total", "9", "{dtype: f32, sizes: 2, totalBytes: *a}"},
		{"type", "f", "{dtype: *a, sizes: 2}"},
		{"layout", "n", "{dtype: f32, sizes: 2, layout: *a}"},
		{"role", "n", "{dtype: f32, sizes: 2, role: *a}"},
		{"path", "n", "{file: *a, sizes: 2}"},
		{"text of another program", "n", "{dtype: f32, sizes: 2, x-a: *a}"},
		{"list", "9", "{dtype: f32, sizes: *l}"},
		{"object", "9", "*o"},
	} {
		list = append(list, grower{name: "aliases of a long " + of.what, n: 100, limited: true,
			files: one("a.layoutcalc.yaml", func(n int) string {
				text := strings.Repeat(of.letter, 50*n)
				return "version: 1\nx-a: &a " + text + "\nx-d: &d " + text + ".0\nx-l: &l [" + text + ", 2]\n" +
					"x-o: &o {dtype: f32, sizes: 2, totalBytes: " + text + "}\n" +
					"tensors:\n" + numbered(n, "  t%d: "+of.tensor+"\n")
			})})
	}
	for _, field := range []string{
		"expect: {maxBytes: %s}", "expect: {maxBytes: %s.5MiB}", "expect: {bytes: {min: %s}}", "totalBytes: %s",
		"strides: [%s]", "strides: '%s'", "pitch: {0: %sB}", "x-a: %s",
	} {
		list = append(list, grower{name: "digits of " + field, n: 5000,
			files: one("a.layoutcalc.yaml", func(n int) string {
				value := fmt.Sprintf(field, strings.Repeat("9", n))
				return yamlTensors + "  t: {dtype: float32, sizes: 2, " + value + "}\n"
			})})
	}
	return list
}
