package cmd_test

import (
	"strings"
	"testing"
)

// TestExplainKnowsWhatIsPrinted explains words of answers, letters of axes, layouts and types that answers print.
func TestExplainKnowsWhatIsPrinted(t *testing.T) {
	for line, printed := range map[string]string{
		"size 1x7x5x5 nChw8c -t half": "NCHW8c N C H W float16 elements span padding padded minimum-buffer blocks " +
			"bytes rows",
		"size 3x3 --strides 1,1":       "distinct overlapping",
		"strides 2x3x4x5 NHWC":         "axis size stride innermost packed NHWC",
		"view 2x3 T reshape(6)":        "step offset contiguous view copy row-major",
		"compare 2x3x4x5 NCHW NHWC":    "order",
		"strides 2x3 --broadcast 0":    "broadcast",
		"check 2x3 --severity note":    "packed",
		"strides 2x3 --as cute,onednn": "cute onednn",
	} {
		r := runWith(nil, nil, strings.Fields(line)...)
		for word := range strings.FieldsSeq(printed) {
			if said := strings.ReplaceAll(r.out, "minimum buffer", "minimum-buffer"); !strings.Contains(said, word) {
				t.Errorf("%s does not say %s:\n%s", line, word, r.out)
			}
			if e := runWith(nil, nil, "explain", word); e.code != 0 {
				t.Errorf("%s says %s: %s", line, word, e.stderr)
			}
		}
	}
}
