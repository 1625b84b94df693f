package suggest_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout/lexer"
)

// commands are the names of the commands in the calls of the tests.
var commands = strings.Fields("strides offset size convert view compare check explain version completion man")

// call returns the command line of words.
func call(words ...string) suggest.Call {
	command := words[slices.IndexFunc(append(words, "strides"), func(w string) bool {
		return slices.Contains(commands, w)
	})%len(words)]
	return suggest.Call{Args: words, Command: command, Commands: commands, HasFlag: func(name string) bool {
		return slices.Contains(strings.Fields("pitch align pad at in out"), name)
	}}
}

// TestSubjects has suggestions for errors about each subject: the words of a line of the table are in brackets there.
func TestSubjects(t *testing.T) {
	const none = ""
	tests := []struct {
		line    string
		subject suggest.Subject
		words   string
		want    string
		reason  string
	}{
		{"strides|2x3|3,1", suggest.Word, "3,1|--strides|3,1", "strides|2x3|--strides|3,1", "an argument for two"},
		{"strides|2x3", suggest.Word, "3,1|--strides|3,1", none, "the argument is not there"},
		{"view|6|T.view(2,3)", suggest.Part, "view(|reshape(", "view|6|T.reshape(2,3)", "inside of an argument"},
		{"view|6", suggest.Part, "view(|reshape(", none, "in no argument"},
		{"compare|2x3|HW", suggest.Missing, "row-major", "compare|2x3|HW|row-major", "at the end"},
		{"access|8x64|--swizzle|64B|--lanes|wgmma", suggest.Operand, "wgmma",
			"strides|8x64|--swizzle|64B|--as|wgmma strides|8x64|--as|wgmma|--swizzle|128B " +
				"strides|8x64|--as|wgmma|--swizzle|64B strides|8x64|--as|wgmma|--swizzle|32B", "a descriptor"},

		{"stride|2x3", suggest.Command, "stride", "strides|2x3", "another word"},
		{"Describe|2x3", suggest.Command, "Describe", "2x3", "in another case, and says nothing"},
		{"permute|2x3|1,0", suggest.Command, "permute", "view|2x3|permute(1,0)", "a step with its numbers"},
		{"permute|2x3|permute(1,0)", suggest.Command, "permute", "view|2x3|permute(1,0)", "a step besides"},
		{"flatten|2x3", suggest.Command, "flatten", "view|2x3|flatten", "a step without numbers"},
		{"strids|2x3", suggest.Command, "strids", "strides|2x3", "a letter is missing"},
		{"2x3|1,2", suggest.Either, "offset|strides", "offset|2x3|1,2 strides|2x3|1,2", "an index or strides"},
		{"xylophone", suggest.Command, "xylophone", none, "nothing is like it"},

		{"strides|2x3|--json", suggest.Flag, "json", "strides|2x3|-o|json", "a form of answers"},
		{"strides|2x3|--fmt=json", suggest.Flag, "fmt", "strides|2x3|-o|json", "another word, joined"},
		{"strides|2x3|--dim|f16", suggest.Flag, "element-type", none, "it is not there"},
		{"strides|2x3|--dtyp|f16", suggest.Flag, "dtyp", none, "no other word"},
		{"offset|2x3|--index|1,2", suggest.Flag, "index", "offset|2x3|1,2", "an argument"},
		{"strides|2x3|--coord|1,2", suggest.Flag, "coord", "offset|2x3|1,2", "an argument of another command"},
		{"strides|--shape|2x3|HW", suggest.Flag, "shape", "strides|2x3|HW", "the shape"},
		{"strides|--shape", suggest.Flag, "shape", none, "the shape is missing"},
		{"strides|2x3|--row-pitch|64", suggest.Flag, "row-pitch", "strides|2x3|--pitch|64", "of rows"},
		{"strides|2x3|--padding|1", suggest.Flag, "padding", "strides|2x3|--pad|1", "of rows"},
		{"offset|2x3|--at-byte|4", suggest.Flag, "at-byte", "offset|2x3|--at|4B", "bytes"},
		{"strides|2x3|--strict", suggest.Flag, "strict", none, "a flag of another command"},
		{"convert|2x3|--dst|y.bin", suggest.Flag, "dst", "convert|2x3|--out|y.bin", "the target"},
		{"convert|2x3|--dst|--force", suggest.Flag, "dst", none, "the value is missing"},

		{"strides|2x3|--pitch|H", suggest.Value, "--pitch|pitch|H", none, "no number"},
		{"offset|2x3|--range|1..4", suggest.Value, "--range|range|1..4", "offset|2x3|--range|1:4", "two dots"},
		{"offset|2x3|--range|1-4", suggest.Value, "--range|range|1-4", "offset|2x3|--range|1:4", "a dash"},
		{"offset|2x3|--range|4:1", suggest.Value, "--range|range|4:1", none, "the colon is there"},
		{"--color|strides|2x3", suggest.Value, "--color|color|strides", "--color|always|strides|2x3", "no value"},
		{"strides|--color|2x3", suggest.Value, "--color|color|2x3", "strides|--color|always|2x3", "a shape"},
		{"strides|2x3|--color|red", suggest.Value, "--color|color|red", none, "another word"},
		{"strides|2x3|--from|HW", suggest.Value, "--from|from|HW", "strides|2x3|HW", "a layout is an argument"},
		{"strides|2x3|-o|yaml", suggest.Value, "-o|output|yaml", "strides|2x3|-o|json", "JSON is YAML"},
		{"convert|--in|x|-o|y.bin", suggest.Value, "-o|output|y.bin", "convert|--in|x|--out|y.bin", "data"},
		{"convert|2x3|-o|y.bin", suggest.Value, "-o|output|y.bin",
			"= --in FILE --out y.bin moves the data of a file", "a file"},
		{"size|2x3|-o|a b.txt", suggest.Value, "-o|output|a b.txt",
			"= -o is the form of the answer; > 'a b.txt' is where it goes", "a redirection"},

		{"strides|2x3|(1,0)", suggest.Order, "(1,0)|1,0", "view|2x3|permute(1,0) strides|2x3|--strides|(1,0)",
			"an order of the axes"},
		{"strides|2|3|HW", suggest.Shape, "2|3|HW", "strides|2x3|HW", "blanks between sizes"},
		{"strides|2 3|HW", suggest.Shape, "2 3|HW", "strides|2x3|HW", "in one argument"},
		{"strides|float16:2x3:HW", suggest.Shape, "float16:2x3:HW", "strides|2x3|-t|float16|HW", "colons"},
		{"strides|a:b", suggest.Shape, "a:b?", none, "colons between other texts"},
		{"strides|2x3xf32", suggest.Shape, "2x3xf32", "strides|2x3|-t|f32", "a type after the sizes"},
		{"strides|2xqxf32", suggest.Shape, "2xqxf32", none, "no sizes"},

		{"offset|2x3|--at|1-4", suggest.Range, "1-4", "offset|2x3|--range|1:4", "two offsets"},
		{"offset|2x3|--at|x", suggest.Range, "x", none, "no offset"},
		{"offset|2x3|1|2", suggest.Indices, "1|2", "offset|2x3|1,2", "an index in two arguments"},
		{"offset|2x3|4", suggest.Index, "4", "offset|2x3|--at|4", "an offset"},
		{"offset|2x3|x", suggest.Index, "x", none, "no offset"},
		{"view|6|a b -> b a|--dim|a=2", suggest.Pattern, "6|a b -> b a", "view|6|a b -> b a, a=2", "a size of its own"},
		{"view|6|T|--dim|a=2", suggest.Pattern, "6|T", none, "no pattern"},
		{"view|6|a b -> b a", suggest.Pattern, "6|a b -> b a", none, "no sizes to write into it"},
	}
	for _, tt := range tests {
		err := suggest.About(errors.New("fault"), tt.subject, strings.Split(tt.words, "|")...)
		if got := spelling(suggest.For(call(strings.Split(tt.line, "|")...), err)); got != tt.want {
			t.Errorf("%s about %s: %q, want %q: %s", tt.line, tt.words, got, tt.want, tt.reason)
		}
	}
}

// spelling writes suggestions: arguments with bars between them, words after an equals sign.
func spelling(list []suggestion) string {
	var texts []string
	for _, s := range list {
		if s.Args == nil {
			texts = append(texts, "= "+s.Text)
			continue
		}
		texts = append(texts, strings.Join(s.Args, "|"))
	}
	return strings.Join(texts, " ")
}

type suggestion = suggest.Suggestion

// TestUnreadTypes has arguments for types of other systems, which the shell may have split.
func TestUnreadTypes(t *testing.T) {
	for line, want := range map[string]string{
		"strides|Eigen::Matrix<float, 2, 3>":           "strides|2x3|column-major",
		"strides|Eigen::Matrix<float,|2,|3,|RowMajor>": "strides|2x3",
		"size|SlicedArray(float32[2,3])":               "size|2x3",
		"strides|wl::Foo<int>":                         "",
	} {
		c := call(strings.Split(line, "|")...)
		err := suggest.About(errors.New("fault"), suggest.Unread, c.Args[1:]...)
		if got := spelling(suggest.For(c, err)); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// TestChanges has the change that an error names itself.
func TestChanges(t *testing.T) {
	unknown := lexer.Unknown("value", "allways", []string{"always", "never"})
	flag := lexer.Refuse("", "unknown flag").DidYouMean("--stride", "--strides")
	add := lexer.Refuse("", "ambiguous")
	add.Change.Flag, add.Change.Value = "--tensor", "a"
	typed, verify := lexer.Refuse("", "twice").LeaveOut("-t"), lexer.Refuse("", "no").LeaveOut("--verify")
	line := func(text string) []suggestion { return []suggestion{{Args: strings.Split(text, "|")}} }
	tests := []struct {
		line string
		err  error
		want []suggestion
	}{
		{"strides|--color|allways", unknown, line("strides|--color|always")},
		{"strides|--color=allways", unknown, line("strides|--color=always")},
		{"strides|--color|red", unknown, nil},
		{"strides|--stride=3,1", flag, line("strides|--strides=3,1")},
		{"strides|2x3|-tf16", typed, line("strides|2x3")},
		{"strides|--dtype|f16|2", typed, line("strides|2")},
		{"convert|--verify|2x3", verify, line("convert|2x3")},
		{"strides|2x3", typed, nil},
		{"size|x.npz|--tensor|b", add, line("size|x.npz|--tensor|a")},
		{"size|x.npz", errors.New("no syntax"), nil},
	}
	for _, tt := range tests {
		got := suggest.For(call(strings.Split(tt.line, "|")...), tt.err)
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.line, d)
		}
	}
}

// TestTwoLayouts has lines with an arrow or a word between layouts. Only syntax errors suggest two layouts.
func TestTwoLayouts(t *testing.T) {
	const advice = "= convert and compare take two layouts: SHAPE HW WH"
	tests := []struct {
		line    string
		inBatch bool
		want    string
	}{
		{"convert|2x3|HW->WH", false, "convert|2x3|HW|WH " + advice},
		{"compare|2x3|HW to WH", false, "compare|2x3|HW|WH " + advice},
		{"strides|2x3|HW|vs|WH", false, "convert|2x3|HW|WH " + advice},
		{"convert|HW => WH|2x3", false, "convert|2x3|HW|WH " + advice},
		{"convert|2x3|HW->WH", true, "convert|2x3|HW|WH " + advice},
		{"strides|2x3|HW->WH", true, advice},
		{"convert|2x3|HW->?", false, ""},
	}
	for _, tt := range tests {
		c := call(strings.Split(tt.line, "|")...)
		c.InBatch = tt.inBatch
		if got := spelling(suggest.For(c, lexer.Refuse("", "fault"))); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.line, got, tt.want)
		}
	}
}
