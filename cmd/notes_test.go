package cmd_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// proposal is the suggestion in a note: a flag, or sizes with the letters of their axes.
var proposal = regexp.MustCompile(`(?m)^note: .* written as [A-Za-z, ]+: (--order \w+|\w=[\w=,]+)$`)

// TestProposals applies the suggestions in notes. The result must be the intended tensor, without a note.
func TestProposals(t *testing.T) {
	const (
		config = "version: 1\ntensors:\n  a: {dtype: f32, sizes: \"144x160x4\", layout: HWC}\n"
		line   = `{"dtype": "f32", "sizes": "144x160x4", "layout": "HWC"}`
	)
	tests := []struct{ args, text, sizes, want, reason string }{
		{args: "strides 144x160x4 HWC", want: "1,640,4", reason: "arguments"},
		{args: "size 1x224x224x3 NHWC", want: "602112", reason: "arguments"},
		{args: "offset 144x160x4 HWC C=1,H=2,W=3", want: "1293", reason: "an index"},
		{args: "view 144x160x4 HWC flatten()", want: "1", reason: "steps"},
		{args: "view 144x160x4 HWC squeeze()", want: "1,640,4", reason: "steps"},
		{args: "compare 144x160x4 HWC HWC", want: "same", reason: "two layouts"},
		{args: "convert 144x160x4 CHW HWC", want: "1,640,4", reason: "two layouts, and the second has the note"},
		{args: "strides 224x224x3 NHWC --rank 4", sizes: "224x224x3", want: "150528,1,672,3", reason: "fewer sizes"},
		{args: "strides 5x6x4 ntc", want: "4,24,1", reason: "oneDNN's tag of sequences"},
		{args: "strides -", text: "144x160x4 HWC", want: "1,640,4", reason: "standard input"},
		{args: "strides FILE.txt", text: "144x160x4 HWC", want: "1,640,4", reason: "a file"},
		{args: "strides --from name -", text: "144x160x4 HWC", sizes: "144x160x4", want: "1,640,4", reason: "by name"},
		{args: "strides FILE.yaml", text: config, sizes: "144x160x4", want: "1,640,4", reason: "a configuration"},
		{args: "strides FILE.jsonl", text: line, sizes: "144x160x4", want: "1,640,4", reason: "a line"},
		{args: "strides -", text: line, sizes: "144x160x4", want: "1,640,4", reason: "a line on standard input"},
		{args: "check 144x160x4 HWC", reason: "a check of arguments"},
		{args: "check -", text: "144x160x4 HWC", sizes: "144x160x4", reason: "a check of standard input"},
	}
	path := filepath.Join(t.TempDir(), "tensor")
	for _, tt := range tests {
		typed := func(line, text string) result {
			ending := ""
			if _, rest, ok := strings.Cut(line, "FILE"); ok {
				ending, _, _ = strings.Cut(rest, " ")
				if err := os.WriteFile(path+ending, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			return runWith(strings.NewReader(text), nil,
				strings.Fields(strings.ReplaceAll(line, "FILE", path)+" -o plain")...)
		}
		r := typed(tt.args, tt.text)
		said := proposal.FindStringSubmatch(r.stderr)
		if said == nil {
			t.Errorf("%s exits %d and proposes nothing: %s: %s", tt.args, r.code, r.stderr, tt.reason)
			continue
		}
		args, text := tt.args+" "+said[1], tt.text
		if tt.sizes != "" {
			args, text = strings.Replace(tt.args, tt.sizes, said[1], 1), strings.Replace(tt.text, tt.sizes, said[1], 1)
		}
		if r = typed(args, text); r.code != 0 || strings.TrimSpace(r.out) != tt.want || r.stderr != "" {
			t.Errorf("%s with %q exits %d, writes %q, want %q, and says %q: %s", args, text, r.code, r.out, tt.want,
				r.stderr, tt.reason)
		}
	}
	if r := run(t, "offset 2x3x4x5 --at 0,2,1,3 -o plain"); !strings.Contains(r.stderr, "an index goes without --at") {
		t.Errorf("--at with an index says %q", r.stderr)
	}
	if r := run(t, "offset 2x3x4x5 0,2,1,3 -o plain"); r.out != "48\n" || r.stderr != "" {
		t.Errorf("without --at: %v", r)
	}
	if r := run(t, "strides 1x64x2x2 CUDNN_TENSOR_NCHW_VECT_C"); !strings.Contains(r.stderr, "INT8x32 is NC/32HW32") {
		t.Errorf("blocks of cuDNN: %v", r)
	}
	if r := run(t, "strides 1x64x2x2 NC/32HW32 -o plain"); r.out != "256,(128,1),64,32\n" || r.stderr != "" {
		t.Errorf("blocks of 32: %v", r)
	}
}

// TestByteOrderNotes has a note of the byte order for types that have one: those whose numpy.dtype(t).byteorder is
// not "|".
func TestByteOrderNotes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npy")
	for _, tt := range []struct {
		dtype, order string
		bytes        int
	}{
		{">u1", "|", 1}, {">i1", "|", 1}, {">b1", "|", 1}, {">i2", ">", 2}, {">u4", ">", 4}, {">f8", ">", 8},
		{">c8", ">", 8}, {"|u1", "|", 1},
	} {
		dict := "{'descr': '" + tt.dtype + "', 'fortran_order': False, 'shape': (1,)}"
		file := "\x93NUMPY\x01\x00" + string(rune(len(dict))) + "\x00" + dict + strings.Repeat("\x00", tt.bytes)
		if err := os.WriteFile(path, []byte(file), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{
			{"strides", "1", "-t", tt.dtype}, {"strides", "np.zeros((1,), '" + tt.dtype + "')"}, {"strides", path},
			{"check", path, "--severity", "note"},
		} {
			r := runWith(nil, nil, args...)
			isNoted := strings.Contains(r.stderr, "byte order") || strings.Contains(r.out, "big-endian")
			if r.code != 0 || isNoted != (tt.order == ">") {
				t.Errorf("%q exits %d and says %q", args, r.code, r.stderr+r.out)
			}
		}
	}
}
