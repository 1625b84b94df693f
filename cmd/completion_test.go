package cmd_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/shape"
)

// offers returns the words and descriptions that completion offers after words, and the directive to the shell.
func offers(t *testing.T, words ...string) (names, descriptions []string, directive string) {
	t.Helper()
	r := runWith(nil, nil, append([]string{"__complete"}, words...)...)
	if r.code != 0 {
		t.Fatalf("completing %q exits %d: %s", words, r.code, r.stderr)
	}
	lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
	for _, line := range lines[:len(lines)-1] {
		name, description, _ := strings.Cut(line, "\t")
		names, descriptions = append(names, name), append(descriptions, description)
	}
	return names, descriptions, lines[len(lines)-1]
}

// Directives of cobra are sums of 2, no space after the word, and 4, no file names.
const (
	noFiles = ":4"
	noBlank = ":6"
)

// TestCompletions checks the words that completion offers; with complete, they must be all. The scripts of the shells
// select the words that match the beginning of a word.
func TestCompletions(t *testing.T) {
	tests := []struct {
		words     string // the last one is under way; _ is an empty one
		want      string
		complete  bool
		directive string
		reason    string
	}{
		{words: "_", want: "completion offset size strides version", directive: noFiles, reason: "commands"},
		{
			words: "strides _", complete: true, directive: noFiles,
			reason: "shapes are not known in advance, and no files",
		},
		{
			words: "strides 2x3 _", want: "HW WH row-major column-major contiguous", directive: noFiles,
			reason: "layouts of rank 2",
		},
		{
			words: "strides 2x3x4x5 _", want: "NCHW NHWC OIHW NCHW8c acdb channels_last", directive: noFiles,
			reason: "layouts of rank 4",
		},
		{
			words: "offset 1x2x3x4x5 _", want: "NCDHW NDHWC channels_last_3d", directive: noFiles,
			reason: "layouts of rank 5",
		},
		{
			words: "size N=1,C=3,H=4,W=4 _", want: "NCHW NHWC channels_last", directive: noFiles,
			reason: "a labelled shape has a rank too",
		},
		{
			words: "help _", want: "strides check tensors steps pictures environment", directive: noFiles,
			reason: "commands and topics",
		},
		{words: "strides 2x3 HW _", complete: true, directive: noFiles, reason: "nothing comes after a layout"},
		{
			words: "strides 2x3 -o _", want: "table plain json jsonl csv markdown", complete: true, directive: noFiles,
			reason: "the formats",
		},
		{
			words: "strides 2x3 --color _", want: "auto always never", complete: true, directive: noFiles,
			reason: "a flag of all commands",
		},
		{
			words: "strides 2x3 --pad _", want: "H= W=", complete: true, directive: noBlank,
			reason: "axes have DirectML's names; a number follows",
		},
		{words: "strides 2x3x4 --pitch _", want: "D= H= W=", complete: true, directive: noBlank, reason: "of rank 3"},
		{
			words: "strides 2x3x4x5 NHWC --align _", want: "N= C= H= W=", complete: true, directive: noBlank,
			reason: "of rank 4",
		},
		{
			words: "strides 2x3x4x5 BSHD --align _", want: "B= S= H= D=", complete: true, directive: noBlank,
			reason: "the axes of any name",
		},
		{
			words: "strides B=2,S=3 --broadcast _", want: "B S", complete: true, directive: noBlank,
			reason: "the labels of the shape",
		},
		{
			words: "strides 1x2x3x4x5x6 --broadcast _", want: "0 1 2 3 4 5", complete: true, directive: noBlank,
			reason: "positions, where there are no names",
		},
		{words: "strides 2xq --pad _", complete: true, directive: noFiles, reason: "none of a shape that is wrong"},
		{words: "strides --pad _", complete: true, directive: noFiles, reason: "none of no shape"},
		{
			words: "offset 2x3 --values _", want: "index", complete: true, directive: noFiles,
			reason: "the word that is not a list",
		},
		{words: "offset 2x3 --at _", complete: true, directive: noFiles, reason: "offsets are not files"},
		{
			words: "completion _", want: "bash zsh fish powershell", complete: true, directive: noFiles,
			reason: "the shells",
		},
		{words: "completion bash _", complete: true, directive: noFiles, reason: "one shell at a time"},
		{words: "version _", complete: true, directive: noFiles, reason: "no arguments"},
	}
	for _, tt := range tests {
		words := strings.Fields(tt.words)
		if last := len(words) - 1; words[last] == "_" {
			words[last] = ""
		}
		names, _, directive := offers(t, words...)
		for _, name := range strings.Fields(tt.want) {
			if !slices.Contains(names, name) {
				t.Errorf("%s: no %s among %v: %s", tt.words, name, names, tt.reason)
			}
		}
		if tt.complete && len(names) != len(strings.Fields(tt.want)) {
			t.Errorf("%s: %v, want %s: %s", tt.words, names, tt.want, tt.reason)
		}
		if directive != tt.directive {
			t.Errorf("%s: directive %s, want %s: %s", tt.words, directive, tt.directive, tt.reason)
		}
	}
}

// TestScriptsEvaluateNothing checks that the scripts have no command that evaluates a string, in each of the shells.
func TestScriptsEvaluateNothing(t *testing.T) {
	evaluates := regexp.MustCompile(`(?i)\beval\b|\binvoke-expression\b|\biex\b|\bsource\b|\[scriptblock\]|` +
		`\b(ba|z)?sh -c\b|\(e\)`)
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		r := runWith(nil, nil, "completion", shell)
		if !strings.Contains(r.out, "__complete") {
			t.Errorf("%s: exit %d without a script", shell, r.code)
		}
		if text := evaluates.FindString(r.out); text != "" {
			t.Errorf("%s: the script has %q", shell, text)
		}
	}
}

// TestLayoutsFitTheRank counts the letters of the layouts that are offered.
func TestLayoutsFitTheRank(t *testing.T) {
	ranks := map[string]int{"channels_last": 4, "channels_last_3d": 5, "NC/32HW32": 4, "NC4HW4": 4}
	batched := map[string]bool{"chw32": true, "hwc8": true} // TensorRT's, with a batch or without
	for rank := 1; rank <= 7; rank++ {
		names, descriptions, _ := offers(t, "strides", strings.Repeat("2,", rank-1)+"2", "")
		for i, name := range names {
			letters := len(strings.SplitN(strings.Map(toDigitZero, name), "0", 2)[0])
			if want, ok := ranks[name]; ok {
				letters = want
			}
			if shape.FindFormat(name) != nil { // of images, which have a width and a height
				letters = 2
			}
			if batched[name] && rank == letters+1 {
				letters++
			}
			isWord := strings.ContainsAny(name, "-") || name == "contiguous" || name == "contiguous_format"
			if !isWord && letters != rank {
				t.Errorf("%s is offered for rank %d", name, rank)
			}
			if descriptions[i] == "" {
				t.Errorf("%s is not described", name)
			}
		}
	}
}

func toDigitZero(r rune) rune {
	if '0' <= r && r <= '9' {
		return '0'
	}
	return r
}

// TestOffersAreAccepted runs a command with every word that completion offers for it.
func TestOffersAreAccepted(t *testing.T) {
	tests := []struct{ complete, then, reason string }{
		{"strides 2x3x4x5", "strides 2x3x4x5 _", "layouts"},
		{"strides 2x3x4x5x6", "strides 2x3x4x5x6 _", "layouts"},
		{"strides 2x3x4x5 --order", "strides 2x3x4x5 --order _", "orders of sizes"},
		{"strides 2x3 -t", "strides 2x3 -t _", "types"},
		{"strides 2x3 -o", "strides 2x3 -o _", "formats"},
		{"strides 2x3 --color", "strides 2x3 --color _", "colours"},
		{"strides 2x3 --pad", "strides 2x3 --pad _1", "axes"},
		{"strides 1x2x3x4x5x6 --pitch", "strides 1x2x3x4x5x6 --pitch _1000", "positions"},
		{"strides 2x3x4x5 NHWC --broadcast", "strides 2x3x4x5 NHWC --broadcast _", "axes"},
		{"offset 2x3 --values", "offset 2x3 --values _", "values"},
		{"completion", "completion _", "shells"},
		{"help", "help _", "commands and topics"},
		{"view 7 row-major", "view 7 row-major _", "steps of rank 1"},
		{"view 2x3 HW", "view 2x3 HW _", "steps of rank 2"},
		{"view 2x3x4 CHW", "view 2x3x4 CHW _", "steps of rank 3"},
		{"view 1x3x4x4 NHWC T", "view 1x3x4x4 NHWC T _", "steps after a step"},
		{"view 1x2x3x4x5x6 row-major --from numpy", "view 1x2x3x4x5x6 row-major _", "steps of rank 6"},
		{"strides 2x3x4 --view", "strides 2x3x4 --view _", "steps as a flag"},
		{
			"size ../testdata/data/two.safetensors --tensor", "size ../testdata/data/two.safetensors --tensor _",
			"tensors of a file",
		},
	}
	for _, tt := range tests {
		names, _, _ := offers(t, append(strings.Fields(tt.complete), "")...)
		if len(names) == 0 {
			t.Errorf("%s offers no %s", tt.complete, tt.reason)
		}
		for _, name := range names {
			line := strings.Replace(tt.then, "_", name, 1)
			if r := run(t, line); r.code != 0 {
				t.Errorf("%s is offered, but %s exits %d:\n%s", name, line, r.code, r.stderr)
				break
			}
		}
	}
}

// directML are the element types of DML_TENSOR_DATA_TYPE, by our names.
const directML = "unknown float32 float16 uint32 uint16 uint8 int32 int16 int8 float64 uint64 int64 uint4 int4"

func TestTypesAreDescribed(t *testing.T) {
	names, descriptions, _ := offers(t, "size", "2x3", "--dtype", "")
	for _, name := range strings.Fields(directML + " bfloat16 float8_e4m3fn float8_e5m2 bool complex64 int2") {
		i := slices.Index(names, name)
		if i < 0 {
			t.Errorf("no %s among %v", name, names)
		} else if !strings.Contains(descriptions[i], " bit") {
			t.Errorf("%s is described as %q", name, descriptions[i])
		}
	}
}

// TestFlagsAreDescribed checks that every flag has a description without the library's marks.
func TestFlagsAreDescribed(t *testing.T) {
	for _, command := range strings.Fields("strides offset size convert view compare version completion") {
		names, descriptions, _ := offers(t, command, "--")
		for i, name := range names {
			if descriptions[i] == "" || strings.Contains(descriptions[i], "`") {
				t.Errorf("%s %s is described as %q", command, name, descriptions[i])
			}
		}
	}
}

// TestScripts checks that each shell's script has its marks and calls the program for words.
func TestScripts(t *testing.T) {
	for shell, mark := range map[string]string{
		"bash": "complete -o default", "zsh": "#compdef layoutcalc", "fish": "complete -c layoutcalc",
		"powershell": "Register-ArgumentCompleter",
	} {
		r := run(t, "completion "+shell)
		if r.code != 0 || r.stderr != "" || !strings.Contains(r.out, mark) || !strings.Contains(r.out, "__complete") {
			t.Errorf("completion %s exits %d, says %q, writes %d bytes", shell, r.code, r.stderr, len(r.out))
		}
	}
}
