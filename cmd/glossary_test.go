package cmd_test

import (
	"strings"
	"testing"
)

// TestExplainKnowsWhatIsPrinted explains words of answers, letters of axes, layouts and types that answers print.
func TestExplainKnowsWhatIsPrinted(t *testing.T) {
	for line, printed := range map[string]string{
		"size 1x7x5x5 nChw8c -t half -v": "NCHW8c N C H W float16 elements span padding padded blocks " +
			"bytes rows",
		"size 3x3 --strides 1,1": "distinct overlapping",
		"strides 2x3x4x5 NHWC -v": "axis size stride innermost packed NHWC contiguous channels_last " +
			"suggest_memory_format dim_order",
		"view 2x3 T reshape(6)":                   "step offset contiguous view copy row-major",
		"compare 2x3x4x5 NCHW NHWC":               "order",
		"strides 2x3 --broadcast 0":               "broadcast",
		"check 2x3 --strides 5,1 --severity note": "gaps",
		"strides 2x3 --as cute,onednn":            "cute onednn",
		"access 32x32 --lanes 0=8": "lanes phase wavefronts ideal bank " +
			"sectors lines bytes",
		"access 32x32 --loops 0,1":                                 "loops reads lines changes misses",
		"compare 2x3 HW WH --overlap":                              "overlap byte",
		"convert 1x3x2x2 NCHW NHWC":                                "permutation storage",
		"owner mma.m16n8k16.f16:A 9,1":                             "lane value register",
		"owner mma.m16n8k16.f16:A --to mma.m16n8k16.f16:A":         "values register",
		"owner mma.m16n8k16.f16:A 9,1 -o json":                     "holders warp",
		"strides 1x17x4x4 NCHW16c":                                 "extent stride",
		"strides 1x17x4x4 NCHW16c -o csv":                          "digit",
		"compare torch.ones(4)[::2] torch.ones(4)[1::2] --overlap": "disjoint",
		"size 2x3 --as cute":                                       "figure",
		"check 2x3 --strides 1,1 --role output -o json":            "finding rule severity fixable skipped target",
	} {
		r := runWith(nil, nil, strings.Fields(line)...)
		for word := range strings.FieldsSeq(printed) {
			if !strings.Contains(r.out, word) {
				t.Errorf("%s does not say %s:\n%s", line, word, r.out)
			}
			if e := runWith(nil, nil, "explain", word); e.code != 0 {
				t.Errorf("%s says %s: %s", line, word, e.stderr)
			}
		}
	}
	for _, words := range []string{"whole rows", "minimum buffer", "comes from"} {
		if e := runWith(nil, nil, "explain", words); e.code != 0 {
			t.Errorf("%s: %s", words, e.stderr)
		}
	}
}

// TestExplainKnowsFiles explains the formats of files whose headers are read, by name and by ending.
func TestExplainKnowsFiles(t *testing.T) {
	for word, header := range map[string]string{ // the words in the headers, according to the formats' documentation
		"npy": "order and shape", "safetensors": "JSON", "gguf": "metadata", ".safetensors": "JSON",
		".GGUF": "metadata",
	} {
		if r := runWith(nil, nil, "explain", word, "--width", "400"); r.code != 0 || !strings.Contains(r.out, header) {
			t.Errorf("%s: %d, %s%s", word, r.code, r.out, r.stderr)
		}
	}
	if r := runWith(nil, nil, "explain", "file"); r.code != 0 || !strings.Contains(r.out, "file-header") {
		t.Errorf("what the words name: %d, %s%s", r.code, r.out, r.stderr)
	}
}
