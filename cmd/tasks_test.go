package cmd_test

import (
	"regexp"
	"strings"
	"testing"
)

// TestTasks types what people type first, before they have read any help. A first try answers, or its error proposes
// the command line to type, which then answers too.
func TestTasks(t *testing.T) {
	const struct4 = `UINT sizes[4] = { 1, 3, 4, 5 }; UINT strides[4] = { 60, 1, 15, 3 }; ` +
		`DML_BUFFER_TENSOR_DESC desc = { DML_TENSOR_DATA_TYPE_FLOAT16, DML_TENSOR_FLAG_NONE, 4, sizes, ` +
		`strides, 120, 0 };`
	for _, tt := range []struct {
		task  string
		tries []string // without the program's name; words with blanks in single quotes
		code  int      // 0 or 1 is an answer, 2 an error with a proposal
		says  string   // what the answer has
	}{
		{"strides of a layout", []string{"strides 1x3x224x224 NHWC"}, 0, "672"},
		{"other words for commands", []string{"stride 1x3x224x224 NHWC", "layout 1x3x224x224 NHWC"}, 2, "672"},
		{"the layout first", []string{"strides NHWC 1x3x224x224"}, 2, "672"},
		{"the layout as a flag", []string{"strides 1x3x224x224 --layout NHWC"}, 0, "672"},
		{"an element", []string{"offset 1x3x224x224 NHWC 0,2,10,5"}, 0, "6737"},
		{"an index as a flag's value", []string{"offset 1x3x4x5 NHWC --index 0,2,1,3"}, 2, "26"},
		{"what lives there", []string{"offset 1x3x224x224 NHWC --at 1234"}, 0, "W=187"},
		{"an offset as an argument", []string{"offset 1x3x4x5 NHWC 37"}, 2, "H=2, W=2"},
		{"which layout", []string{"strides 1x3x224x224 --strides 150528,1,672,3"}, 0, "= NHWC"},
		{"strides as an argument", []string{"strides 1x3x224x224 150528,1,672,3"}, 2, "= NHWC"},
		{"bytes of a type", []string{
			"size 1x3x5x7 -t fp16", "size 1x3x5x7 --dtype half", "--dtype fp16 size 1x3x5x7", "size -t FLOAT16 1x3x5x7",
		}, 0, "210"},
		{"the type as an argument", []string{"size 1x3x5x7 fp16", "size 1x3x5x7 NHWC half"}, 2, "210"},
		{"rows of 256 bytes", []string{"strides 1x3x224x224 -t fp16 --align H=256B"}, 0, "256"},
		{"broadcast", []string{"strides 1x64x56x56 --broadcast N,H,W", "view 1x64x1x1 'expand(1,64,56,56)'"}, 0, "0"},
		{"rank 5", []string{"strides 1x3x4x5x6 NCDHW", "strides 1x3x4x5x6 NDHWC"}, 0, "360"},
		{"rank 8", []string{"strides 1,2,3,4,5,6,7,8 -o plain"}, 0, "40320,20160,6720,1680,336,56,8,1"},
		{"blocks", []string{
			"strides 1x17x4x4 NCHW4c", "strides 1x17x4x4 nChw8c", "strides 1x17x4x4 NC/32HW32",
		}, 0, "17"},
		{"a pasted struct", []string{"strides '" + struct4 + "'", "check '" + struct4 + "'"}, 0, ""},
		{"C++ arrays", []string{
			"strides 1x3x4x5 NHWC --as dml", "strides 1x3x4x5 NHWC --as directml",
		}, 0, "60, 1, 15, 3"},
		{"a check", []string{
			"check 1x3x4x5 NHWC", "check 1x3x4x5 --target dml", "check 1x3x4x5 --target torch",
		}, 0, ""},
		{"negative strides", []string{"strides 2x3 --strides=-3,1", "strides 2x3 --strides [-3,1]"}, 0, "-3"},
		{"two layouts", []string{"compare 1x3x4x5 NCHW NHWC"}, 1, "differ"},
		{"two layouts, as diff", []string{"diff 2x3 NC NC"}, 2, "same"},
		{"a conversion", []string{"convert 1x3x2x2 NCHW NHWC", "convert 1x3x2x2 NCHW --to NHWC"}, 0, "NHWC"},
		{"a conversion by flags", []string{"convert 1x3x2x2 --from NCHW --to NHWC"}, 2, "NHWC"},
		{"spellings of types", []string{
			"size 2x3 -t fp16", "size 2x3 -t half", "size 2x3 -t float16", "size 2x3 -t FLOAT16",
			"size 2x3 -t torch.half",
		}, 0, "12"},
		{"4 bits", []string{"size 3x3 -t int4", "size 3x3 -t uint4"}, 0, "5"},
		{"beyond 64 bits", []string{"size 4294967296x4294967296"}, 3, "18446744073709551616"},
		{"JSON", []string{
			"strides 1x3x4x5 -o json", "-o json strides 1x3x4x5", "strides 1x3x4x5 --output json",
		}, 0, "60"},
		{"JSON by another flag", []string{
			"strides 1x3x4x5 --json", "strides 1x3x4x5 --format json", "strides 1x3x4x5 --format=json",
		}, 2, "60"},
		{"YAML", []string{"strides 1x3x4x5 -o yaml"}, 2, "60"},
		{"rows", []string{"strides 1x3x4x5 -o csv", "strides 1x3x4x5 -o markdown"}, 0, "60"},
		{"only the number", []string{
			"size 2x3 -o plain", "size 2x3 --get bytes", "size 2x3 --get tensor.bytes", "size 2x3 --get strides,bytes",
		}, 0, "24"},
		{"one item", []string{"strides 2x3 --get 'strides[0]'", "strides 2x3 --get strides.0"}, 0, "3"},
		{"colours", []string{"strides 2x3 --color never", "--color always strides 2x3"}, 0, "3"},
		{"colours without a word", []string{
			"strides 2x3 --color -q", "--color strides 2x3", "strides --color 2x3",
		}, 2, "3"},
		{"the version", []string{"--version", "version", "-v"}, 0, "layoutcalc"},
		{"channels_last", []string{"strides '(1,3,4,4)' channels_last", "strides 1,3,4,4 channels_last"}, 0, "48"},
		{"a pasted size", []string{
			"strides 'torch.Size([1,3,4,4])' channels_last", "strides '[1, 3, 4, 4]' NHWC",
			"strides '(1, 3, 4, 4)' NHWC",
		}, 0, "48"},
		{"pasted sizes and strides", []string{"strides '(1, 3, 4, 4) (48, 1, 12, 3)' -t float32"}, 0, "= NHWC"},
		{"contiguous", []string{"strides 1x3x4x4 --get contiguous"}, 0, "true"},
		{"one channel", []string{"compare 1x1x4x4 NCHW NHWC"}, 0, ""},
		{"permute", []string{
			"view 1x3x4x5 'permute(0,2,3,1)'", "view 1x3x4x5 'x.permute(0,2,3,1)'",
			"view 1x3x4x5 'img.permute(0, 2, 3, 1)'",
		}, 0, "20"},
		{"an operation as a command", []string{"permute 1x3x4x5 'permute(0,2,3,1)'"}, 2, "20"},
		{"permute without brackets", []string{"view 1x3x4x5 permute 0,2,3,1"}, 2, "20"},
		{"an order or a shape alone", []string{
			"view 2x3x4 1,0,2", "view 2x3x4 3x8", "view 2x3x4 'flip(0)' (3,8)",
		}, 2, "3"},
		{"transpose", []string{"view 2x3x4 'transpose(1,2)'", "view 2x3x4 'x.transpose(1, 2)'"}, 0, "12"},
		{"a view that copies", []string{"view 2x3 T 'reshape(6)'"}, -1, ""},
		{"a view that cannot be", []string{"view 2x3 'T' 'view(6)'", "view 2x3 'x.T.view(-1)'"}, 2, "copy"},
		{"sizes as NHWC has them", []string{"strides 1x4x4x3 NHWC --order NHWC"}, 0, "12"},
		{"a new axis", []string{
			"view 2x3 '[None, :]'", "view 2x3 [None]", "view 2x3 '[None, ...]'", "view 2x3 '[np.newaxis, :]'",
			"view 2x3 HW '[None, :]'",
		}, 0, "1,2,3"},
		{"the transpose of matrices", []string{"view 2x3x4 mT", "view 2x3x4 CHW mT"}, 0, "12,1,4"},
		{"a slice", []string{"view 1x3x4x5 'x[:,::2]'", "view 1x3x4x5 '[:, ::2]'", "view 1x3x4x5 'y[:, 1]'"}, 0, ""},
		{"overlap", []string{"size 3x3 --strides 1,1", "check 3x3 --strides 1,1 -t float16"}, -1, ""},
		{"einops", []string{"view 1x3x4x5 'b c h w -> b h w c'", "convert 1x3x4x5 'b c h w -> b h w c'"}, 0, ""},
		{"misspelt commands", []string{"strdes 2x3", "ofset 2x3"}, 2, ""},
		{"forms of shapes", []string{
			"strides 1X3", "strides 1×3", "strides 1*3", "strides (1,3)", "strides [1,3]", "strides 1,3",
		}, 0, "3"},
		{"blanks in shapes", []string{"strides '1 3'", "strides 1 3", "strides 1 3 NC", "strides '1 3' NC"}, 2, "3"},
		{"help", []string{
			"help", "-h", "--help", "help strides", "strides -h", "-h strides", "strides 2x3 --help",
		}, 0, "$ "},
		{"flags first", []string{"-q strides 2x3", "--width 40 strides 2x3", "-t int8 -o plain strides 2x3"}, 0, "3"},
		{"no command", []string{"1x3x4x5 NHWC"}, 2, "15"},
		{"empty and scalar", []string{"strides 0x3", "strides []", "size 0x3"}, 0, ""},
		{"a large picture", []string{"offset 1x3x224x224"}, 0, "--range"},
		{"sizes as a flag", []string{
			"strides --sizes 1,3,4,4 --strides 48,1,12,3", "strides --shape 1,3,4,4 NHWC",
			"check --sizes=1,3,4,4 NHWC -o csv",
		}, 2, ""},
		{"sizes and a type with blanks", []string{"size 1 3 224 224 FLOAT16"}, 2, "301,056"},
		{"a type at the end of the shape", []string{"size 1024x1024xf16"}, 2, "2,097,152"},
		{"a layout after a colon", []string{"strides 1x3x4x4:NHWC", "strides NHWC:1x3x4x4"}, 2, "48"},
		{"an index with blanks", []string{"offset 1x3x4x4 NHWC 0 1 2 3"}, 2, "34"},
		{"a range with a dash", []string{
			"offset 1x3x4x4 NHWC --at 10-20", "offset 1x3x4x4 NHWC --range 10..20", "offset 1x3x4x4 NHWC --at 10:20",
		}, 2, "Offset"},
		{"a pitch of rows", []string{
			"strides 1x3x224x224 --pitch 1024", "strides 1x3x224x224 --row-pitch 1024",
			"strides 1x3x224x224 --align 1024",
		}, 2, "1,024"},
		{"padding", []string{"strides 1x3x4x5 --padding 2", "strides 1x3x4x5 NCHW --pad=2"}, 2, "7"},
		{"words between layouts", []string{
			"convert 1x3x4x4 NHWC to NCHW", "convert NHWC to NCHW 1x3x4x4", "convert 1x3x4x4 NHWC -> NCHW",
			"convert 1x3x4x4 NHWC Into NCHW", "convert 'NHWC->NCHW' 1x3x4x4", "strides NHWC => NCHW 1x3x4x4",
		}, 2, "permute(0,3,1,2)"},
		{"an arrow between layouts", []string{
			"convert 1x3x4x4 'NHWC->NCHW'", "convert 1x3x4x4 'NHWC to NCHW'", "strides 1x3x4x4 'NHWC -> NCHW'",
			"strides 1x3x4x4 NHWC -> NCHW", "size 1x3x4x4 NHWC=>NCHW", "view 1x3x4x4 'NHWC->NCHW'",
			"offset 1x3x4x4 'NHWC→NCHW'",
		}, 2, "permute(0,3,1,2)"},
		{"two layouts with an arrow", []string{"compare 1x1x4x4 'NHWC->NCHW'"}, 2, "the same"},
		{"the type by another flag", []string{"size 1x3x5x7 --data-type fp16", "size 1x3x5x7 --type=fp16"}, 2, "210"},
		{"is it contiguous", []string{"is_contiguous 1x3x4x4", "contiguous '(1,3,4,4)'"}, 2, "packed"},
		{"printed by PyTorch", []string{
			"strides 'x.shape=torch.Size([1, 3, 4, 4]) x.stride()=(48, 1, 12, 3)'",
			"strides 'torch.zeros(1,3,4,4).to(memory_format=torch.channels_last)'",
		}, 0, "= NHWC"},
		{"warnings fail", []string{
			"check 1x3x4x4 NHWC --error-on warning", "check 1x3x4x4 NHWC --strict",
		}, 2, "0 warnings"},
		{"reports", []string{"check 1x3x4x4 NHWC --junit", "check 1x3x4x4 NHWC --format junit"}, 2, "<testsuites"},
		{"fields of structs", []string{
			"explain TotalTensorSizeInBytes", "explain DML_TENSOR_FLAG_OWNED_BY_DML",
			"explain GuaranteedBaseOffsetAlignment",
		}, 0, "DirectML"},
		{"a layout to explain", []string{"explain channels-last"}, 2, "NHWC"},
		{"steps without any", []string{"view 1x3x4x4 NHWC"}, 2, "permute"},
		{"one layout of two", []string{"convert 1x3x4x4 NHWC", "convert 1x3x4x4"}, 2, "row-major"},
		{"a misspelt value", []string{
			"strides 1x3x4x4 NHWC -t flaot16", "strides 1x3x4x4 chanels_last", "strides '1x3x4x4 chanels_last'",
		}, 2, "48"},
		{"channels first", []string{
			"strides 1x3x4x4 channels_first", "strides 1x3x4x4 channel_first", "strides 1x3x4x4 channels-first",
		}, 2, "{ 48, 16, 4, 1 }"},
		{"the first axis innermost", []string{"strides 4x8 col_major", "strides 4x8 col-major"}, 2, "{ 1, 4 }"},
		{"a type after a colon", []string{"size [1,3,224,224]:float16", "size 1x3x224x224:f16:nhwc"}, 2, "301,056"},
		{"a type with its namespace", []string{"size 2x3 -t cutlass::half_t"}, 0, "12"},
		{"the size of an axis of einops", []string{"view 2x12 'b (h d) -> b h d' --dim h=3"}, 2, "2,3,4"},
		{"a manual page", []string{"man strides", "man"}, 0, ".TH"},
	} {
		for _, try := range tt.tries {
			r := typed(try)
			switch {
			case tt.code == -1:
				if r.code > 1 {
					t.Errorf("%s: %s exits %d:\n%s", tt.task, try, r.code, r.stderr)
				}
				continue
			case tt.code == 3:
				if r.code != 2 || !strings.Contains(r.stderr, tt.says) {
					t.Errorf("%s: %s exits %d:\n%s%s", tt.task, try, r.code, r.out, r.stderr)
				}
				continue
			case r.code != tt.code:
				t.Errorf("%s: %s exits %d, want %d:\n%s", tt.task, try, r.code, tt.code, r.stderr)
				continue
			case tt.code == 2:
				_, line, ok := strings.Cut(r.stderr, "hint: layoutcalc ")
				if !ok {
					t.Errorf("%s: %s proposes no command line:\n%s", tt.task, try, r.stderr)
					continue
				}
				try = strings.TrimSpace(line)
				if r = typed(try); r.code != 0 {
					t.Errorf("%s: the proposal %s exits %d:\n%s", tt.task, try, r.code, r.stderr)
				}
			}
			if !strings.Contains(r.out, tt.says) {
				t.Errorf("%s: %s does not say %s:\n%s", tt.task, try, tt.says, r.out)
			}
		}
	}
}

// TestNoProposal has what the error says not to be followed by a command line that fails in its turn.
func TestNoProposal(t *testing.T) {
	for _, line := range []string{
		"strides 'shape: (2, 3) 4'", "strides 'Parameter containing: torch.Size([64, 3, 7, 7'",
		"strides input0:1x3x224x224", "strides 'Sw<3,3,3> o smem_ptr[16b](unset) o (8,64):(64,1)'",
		"strides 'gmem_ptr[32b](0x7f00) o (4,8):(1,4)' -t f16", "compare 2x3 3x2", "strides 2x3 --at 3",
		"check --batch -", "view 2x12 'b (h d) -> b h d' --dim d=5",
	} {
		r := typed(line)
		refused(t, line, r)
		if strings.Contains(r.stderr, "hint: layoutcalc ") {
			t.Errorf("%s proposes what fails:\n%s", line, r.stderr)
		}
	}
}

// typed runs a line of arguments, in which single quotes hold words together.
func typed(line string) result {
	args := regexp.MustCompile(`'[^']*'|[^ ]+`).FindAllString(line, -1)
	for i := range args {
		args[i] = strings.Trim(args[i], "'")
	}
	return runWith(nil, nil, args...)
}
