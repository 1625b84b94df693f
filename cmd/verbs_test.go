package cmd_test

import (
	"slices"
	"strings"
	"testing"

	"layoutcalc/cmd/suggest"
)

// TestVerbs runs each word of another program with arguments, and compares the answer with the line that the note
// names.
func TestVerbs(t *testing.T) {
	examples := map[string]struct {
		args  []string
		meant string
	}{
		"...":         {strings.Fields("2x3 -o plain"), "2x3 -o plain"},
		"strides ...": {strings.Fields("2x3 HW"), "strides 2x3 HW"},
		"size ... --metadata": {[]string{"../testdata/tasks/model.safetensors"},
			"size ../testdata/tasks/model.safetensors --metadata"},
		"offset SHAPE2 column-major --at ARG1": {[]string{"13", "(4,8)"}, "offset '(4,8)' column-major --at 13"},
		"offset SHAPE2 column-major ARG1":      {strings.Fields("1,3 4x8"), "offset 4x8 column-major 1,3"},
		"size 1 -t TYPE":                       {strings.Fields("bfloat16"), "size 1 -t bfloat16"},
		"compare FILE FILE --data": {
			[]string{"../testdata/tasks/c.npy", "../testdata/tasks/one_diff.npy"},
			"compare ../testdata/tasks/c.npy ../testdata/tasks/one_diff.npy --data",
		},
		"view TENSOR permute(ALL)":   {strings.Fields("2x3 1 0"), "view 2x3 'permute(1,0)'"},
		"view TENSOR transpose(0,1)": {strings.Fields("2x3"), "view 2x3 'transpose(0,1)'"},
		"view ARG1 broadcast(ARG2)":  {strings.Fields("3x1 3x4"), "view 3x1 'broadcast(3,4)'"},
		"view TENSOR [ALL]":          {strings.Fields("4x6 1:3 ::2"), "view 4x6 '[1:3,::2]'"},
		"view TENSOR ALL":            {[]string{"4x6", "(a b) c -> c a b", "a=2"}, "view 4x6 '(a b) c -> c a b,a=2'"},
		"offset TENSOR --at N":       {strings.Fields("1234 2x30x40"), "offset 2x30x40 --at 1234"},
		"offset ARG2 ARG1":           {strings.Fields("1,2 2x3"), "offset 2x3 1,2"},
		"offset ...":                 {strings.Fields("2x3 1,2"), "offset 2x3 1,2"},
		"strides ... --svg -":        {strings.Fields("2x3"), "strides 2x3 --svg -"},
		"strides ... --html -":       {strings.Fields("2x3"), "strides 2x3 --html -"},
		"size ...":                   {strings.Fields("2x3 -t f16"), "size 2x3 -t f16"},
		"size ... --for d3d12": {
			strings.Fields("100x100 R8G8B8A8_UNORM"), "size 100x100 R8G8B8A8_UNORM --for d3d12",
		},
		"size ... --for vulkan": {
			strings.Fields("64x64 R8G8B8A8_UNORM"), "size 64x64 R8G8B8A8_UNORM --for vulkan",
		},
		"size ... --for webgpu": {
			strings.Fields("64x64 R8G8B8A8_UNORM"), "size 64x64 R8G8B8A8_UNORM --for webgpu",
		},
		"strides ... --as directml":   {strings.Fields("2x3"), "strides 2x3 --as directml"},
		"strides ARG1 --swizzle ARG2": {strings.Fields("8x64 128B -t f16"), "strides 8x64 --swizzle 128B -t f16"},
		"algebra OPERATION ...": {
			strings.Fields("(4,8):(8,1) compose (2,2):(1,2)"), "algebra compose '(4,8):(8,1)' '(2,2):(1,2)'",
		},
		"access TENSOR --lanes 0=32": {strings.Fields("32x32"), "access 32x32 --lanes 0=32"},
		"access ...":                 {strings.Fields("32x32 --lanes 1=32"), "access 32x32 --lanes 1=32"},
		"owner ...":                  {strings.Fields("mma.m16n8k16.f16:A 3,3"), "owner mma.m16n8k16.f16:A 3,3"},
		"convert ...":                {strings.Fields("1x3x2x2 NCHW NHWC"), "convert 1x3x2x2 NCHW NHWC"},
		"compare ...":                {strings.Fields("2x3 HW row-major"), "compare 2x3 HW row-major"},
		"strides ARG1 LAYOUT":        {strings.Fields("3x3 2,1"), "strides 3x3 2,1"},
		"compare ARG1 ARG2 --overlap": {
			[]string{"torch.empty(9)[::2]", "torch.empty(9)[1::2]"},
			"compare 'torch.empty(9)[::2]' 'torch.empty(9)[1::2]' --overlap",
		},
		"compare ARG1 ARG2 ARG3 --overlap": {strings.Fields("2x3 HW WH"), "compare 2x3 HW WH --overlap"},
		"view ...":                         {[]string{"2x3", "a b -> b a"}, "view 2x3 'a b -> b a'"},
		"check ...":                        {strings.Fields("2x3"), "check 2x3"},
		"explain ...":                      {strings.Fields("float16"), "explain float16"},
		"explain":                          {nil, "explain"},
		"completion ...":                   {strings.Fields("bash"), "completion bash"},
		"man":                              {nil, "man"},
	}
	seen := map[string]bool{}
	for word, line := range suggest.Verbs {
		example, ok := examples[line]
		if !ok {
			t.Fatalf("%s has no example", line)
		}
		args := example.args
		if seen[word] { // an earlier line takes the example of this one
			continue
		}
		seen[word] = true
		r := runWith(strings.NewReader(""), nil, slices.Insert(slices.Clone(args), 0, strings.ToUpper(word))...)
		note := "note: read as layoutcalc " + example.meant + "\n"
		if r.code > 1 || r.out == "" || !strings.Contains(r.stderr, note) {
			t.Errorf("%s %q exits %d: %s", word, args, r.code, r.stderr)
		}
	}
}

// TestVerbsWithoutArguments checks the error for a word that needs a tensor.
func TestVerbsWithoutArguments(t *testing.T) {
	for _, line := range []string{
		"stride", "unravel 5", "unravel 5 6", "ravel_index 2x3", "swizzle 2x3 128B 5", "bytes",
	} {
		if r := run(t, line); r.code != 2 || !strings.Contains(r.stderr, "unknown command") {
			t.Errorf("%s exits %d: %s", line, r.code, r.stderr)
		}
	}
}

// TestVerbsAreNames reads a file and a layout of the name of a word first.
func TestVerbsAreNames(t *testing.T) {
	t.Chdir(t.TempDir())
	files{"show": "2x3"}.write(t, ".")
	if r := run(t, "show -o plain"); r.out != "3,1\n" || r.stderr != "" {
		t.Errorf("a file: %+v", r)
	}
	if r := run(t, "contiguous 2x3 -o plain"); r.out != "3,1\n" || strings.Contains(r.stderr, "read as layoutcalc") {
		t.Errorf("a layout: %+v", r)
	}
}

// TestOtherFlags runs flags of other programs, and compares the answer with the line that the note names.
func TestOtherFlags(t *testing.T) {
	for _, tt := range []struct{ line, meant string }{
		{"strides 1x3x4x4 --memory-format channels_last", "strides 1x3x4x4 --layout channels_last"},
		{"strides 1x3x4x4 --format NHWC", "strides 1x3x4x4 --layout NHWC"},
		{"strides 1x3x4x4 --format json", "strides 1x3x4x4 -o json"},
		{"strides 1x3x4x4 --data_format=NHWC", "strides 1x3x4x4 --layout NHWC"},
		{"strides 1x3x4x4 --json", "strides 1x3x4x4 -o json"},
		{"strides 1x3x4x4 --dml", "strides 1x3x4x4 --as directml"},
		{"strides 1x3x4x4 --to dml", "strides 1x3x4x4 --as dml"},
		{"strides 1x3x4x4 --torch", "strides 1x3x4x4 --as torch"},
		{"offset 1x3x4x4 --index 44", "offset 1x3x4x4 --at 44"},
		{"offset 1x3x4x4 --index 0,1,2,3", "offset 1x3x4x4 0,1,2,3"},
		{"strides 1x3x4x4 --coord 0,1,2,3", "offset 1x3x4x4 0,1,2,3"},
		{"ravel 2x3", "view 2x3 'ravel()'"},
		{"flatten 2x3", "view 2x3 flatten"},
		{"bytes 1x3x4x4 --fp16", "size 1x3x4x4 -t fp16"},
		{"size 1920x1080 --pix_fmt nv12", "size 1920x1080 nv12"},
		{"strides --shape 2x3 --nhwc", ""},
	} {
		r := run(t, tt.line)
		note := "read as layoutcalc " + tt.meant
		isRead := r.code == 0 && strings.Contains(r.stderr+r.out, note)
		if isRead != (tt.meant != "") || !isRead && r.code != 2 {
			t.Errorf("%s exits %d: %s", tt.line, r.code, r.stderr)
		}
	}
	if r := run(t, "strides 2x3 --plot x"); r.code != 2 || !strings.Contains(r.stderr, "--svg x.svg") {
		t.Errorf("a flag that writes a file: %+v", r)
	}
}
