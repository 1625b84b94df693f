package notation

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
)

// lossSamples are tensors that some notation cannot express, and one that all can.
func lossSamples(t *testing.T) map[string]layout.Tensor {
	two := []int64{2, 3}
	twos := func(rank int) layout.Tensor { return laidOut(t, strings.Repeat("2,", rank), "row-major") }
	return map[string]layout.Tensor{
		"packed":      plainTensor(t, "float32", 0, two, []int64{3, 1}),
		"base":        plainTensor(t, "float32", 5, two, []int64{3, 1}),
		"flipped":     plainTensor(t, "float32", 3, two, []int64{-3, 1}),
		"before":      plainTensor(t, "float32", 0, two, []int64{-3, 1}),
		"broadcast":   plainTensor(t, "float32", 0, two, []int64{0, 1}),
		"padded":      plainTensor(t, "float32", 0, two, []int64{5, 1}),
		"overlap":     plainTensor(t, "float32", 0, []int64{3, 3}, []int64{1, 1}),
		"interleaved": plainTensor(t, "float32", 0, two, []int64{3, 2}),
		"blocks":      laidOut(t, "1x32x2x2", "nChw16c"),
		"partial":     laidOut(t, "1x17x2x2", "nChw16c"),
		"empty":       plainTensor(t, "float32", 0, []int64{0, 3}, []int64{3, 1}),
		"scalar":      plainTensor(t, "float32", 0, nil, nil),
		"rank 5":      twos(5),
		"rank 9":      twos(9),
		"rank 30":     twos(30),
		"wide":        plainTensor(t, "float32", 0, two, []int64{1 << 32, 1}),
		"bfloat16":    plainTensor(t, "bfloat16", 0, two, []int64{3, 1}),
		"float8":      plainTensor(t, "float8_e5m2", 0, two, []int64{3, 1}),
		"int4":        plainTensor(t, "int4", 0, two, []int64{3, 1}),
		"nibble":      plainTensor(t, "int4", 1, two, []int64{3, 1}),
		"complex64":   plainTensor(t, "complex64", 0, two, []int64{3, 1}),
		"uint32":      plainTensor(t, "uint32", 0, two, []int64{3, 1}),
		"unknown":     plainTensor(t, "unknown", 0, two, []int64{3, 1}),
	}
}

// losses are what each notation says of the samples that it cannot express, after the table of
// notations and what they can express. It writes all others.
func losses() map[string]map[string]string {
	numpy := map[string]string{
		"before": "starts at offset 0", "blocks": "axis C needs several", "partial": "axis C needs several",
		"bfloat16": "no type bfloat16", "float8": "no type float8_e5m2", "int4": "no type int4", "nibble": "no type int4", "unknown": "no type unknown",
	}
	directML := map[string]string{
		"base": "index 0 lies at 5", "flipped": "index 0 lies at 3", "nibble": "index 0 lies at 1", "before": "axis 0 is -3", "blocks": "axis C needs several", "partial": "axis C needs several",
		"empty": "axis 0 is 0", "scalar": "at least one axis", "rank 9": "at most 8 axes", "rank 30": "at most 8 axes", "wide": "32 bits",
		"bfloat16": "no type bfloat16", "float8": "no type float8_e5m2", "complex64": "no type complex64",
	}
	dlpack := map[string]string{"blocks": "axis C needs several", "partial": "axis C needs several", "nibble": "whole bytes", "unknown": "no type unknown"}
	return map[string]map[string]string{
		"name": {
			"base": "index 0 lies at 5", "flipped": "index 0 lies at 3", "nibble": "index 0 lies at 1", "before": "not -3", "broadcast": "not 0", "padded": "not 5", "overlap": "not 1",
			"interleaved": "not 2", "wide": "not 4294967296",
		},
		"pytorch": {
			"flipped": "axis 0 is -3", "before": "axis 0 is -3", "blocks": "axis C needs several", "partial": "axis C needs several", "unknown": "no type unknown",
		},
		"fx": {
			"base": "index 0 lies at 5", "flipped": "index 0 lies at 3", "nibble": "index 0 lies at 1", "before": "axis 0 is -3", "blocks": "axis C needs several", "partial": "axis C needs several",
			"int4": "no type int4", "unknown": "no type unknown",
		},
		"cute":            {"base": "here it is 5", "flipped": "here it is 3", "nibble": "here it is 1", "partial": "axis C, of size 17, does not fill"},
		"numpy":           numpy,
		"numpy-interface": numpy,
		"dml":             directML,
		"dxdispatch":      directML,
		"mdspan": {
			"base": "index 0 lies at 5", "flipped": "index 0 lies at 3", "nibble": "index 0 lies at 1", "before": "axis 0 is -3", "broadcast": "axis 0 is broadcast", "overlap": "beyond all",
			"interleaved": "axis 0 is not", "blocks": "axis C needs several", "partial": "axis C needs several",
		},
		"dlpack":      dlpack,
		"dlpack-json": dlpack,
		"ggml": {
			"base": "index 0 lies at 5", "flipped": "index 0 lies at 3", "nibble": "index 0 lies at 1", "before": "axis 0 is -3", "blocks": "axis C needs several", "partial": "axis C needs several",
			"rank 5": "at most 4 axes", "rank 9": "at most 4 axes", "rank 30": "at most 4 axes",
			"float8": "no type float8_e5m2", "int4": "no type int4", "complex64": "no type complex64", "uint32": "no type uint32", "unknown": "no type unknown",
		},
	}
}

// TestLosses: a notation refuses what it cannot express, and says what; it writes what it can,
// which reads back as the same.
func TestLosses(t *testing.T) {
	samples := lossSamples(t)
	for name, table := range losses() {
		n := notationOf(t, name)
		for sample, x := range samples {
			text, err := n.Write(x)
			want, refused := table[sample]
			var loss *LossError
			switch {
			case refused && !errors.As(err, &loss):
				t.Errorf("%s: %s is written %s, %v, want a loss of %q", name, sample, text, err, want)
			case refused && (!strings.Contains(loss.Error(), want) || loss.Notation != n || !strings.HasPrefix(loss.Error(), name+" ")):
				t.Errorf("%s: %s: %q, want %q", name, sample, loss.Error(), want)
			case !refused && err != nil:
				t.Errorf("%s: %s: %v", name, sample, err)
			case !refused:
				checkRoundTrip(t, n, x)
			}
		}
	}
}

// TestLossHints: the hint names those notations that really can, of those in the table.
func TestLossHints(t *testing.T) {
	samples, tables := lossSamples(t), losses()
	for _, table := range tables {
		for sample := range table {
			hint := (&LossError{tensor: samples[sample]}).Hint()
			named := strings.Split(strings.TrimPrefix(hint, "these can: "), ", ")
			for name, other := range tables {
				if _, cannot := other[sample]; slices.Contains(named, name) == cannot {
					t.Errorf("%s: %q, though %s can: %v", sample, hint, name, !cannot)
				}
			}
		}
	}
}

// TestLossHintSaysNone: blocks that are not full and lie elsewhere than at offset 0, of a type
// that nobody has.
func TestLossHintSaysNone(t *testing.T) {
	l, err := layout.New(1, layout.NewAxis("", 5, layout.Digit{Extent: 3, Stride: -7}, layout.Digit{Extent: 2, Stride: 3}))
	if err != nil {
		t.Fatal(err)
	}
	x := ofType(t, "unknown", l)
	for _, n := range All() {
		if text, err := n.Write(x); err == nil {
			t.Errorf("%s writes %s", n.Name, text)
		}
	}
	if hint := (&LossError{tensor: x}).Hint(); hint != "no notation can" {
		t.Errorf("the hint is %q", hint)
	}
}

// TestSizesRefuse: a notation has no figures for what it cannot express.
func TestSizesRefuse(t *testing.T) {
	_, err := notationOf(t, "dml").Sizes(lossSamples(t)["base"])
	var loss *LossError
	if !errors.As(err, &loss) {
		t.Errorf("DirectML's size of a tensor with a storage offset: %v", err)
	}
	sizes, err := notationOf(t, "name").Sizes(lossSamples(t)["packed"])
	if err != nil || len(sizes) != 1 || sizes[0] != (Size{"span", 6, 24}) {
		t.Errorf("a notation without figures of its own has %v, %v, want our span", sizes, err)
	}
}
