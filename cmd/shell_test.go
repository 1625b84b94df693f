package cmd_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"layoutcalc/cmd"
)

// onWindows runs arguments as the shells of Windows pass them on.
func onWindows(args ...string) result {
	var out, stderr bytes.Buffer
	code := cmd.Run(args, cmd.Streams{
		In: strings.NewReader(""), Out: &out, Err: &stderr, Env: func(string) string { return "" }, Windows: true,
	})
	return result{code, out.String(), stderr.String()}
}

// TestQuotesOfCmdExe has lines of the documents whose single quotes cmd.exe leaves: it splits at all blanks.
func TestQuotesOfCmdExe(t *testing.T) {
	for line, want := range map[string]string{
		"view 2x3x4 'permute(0,2,1)' -o plain":                          "12,1,4\n",
		"view 2x3x4 '[:, 1:3]' 'permute(1,0,2)' -o plain":               "4,12,1\n",
		"view 2x3x4 '[:, ::2, 1]' -o plain":                             "12,8\n",
		"strides 'f32[2,3]{0,1}' -o plain":                              "1,2\n",
		"strides '2x3' 'WH' -o plain":                                   "1,2\n",
		"strides 2x3x4 --view='permute(0,2,1)' -o plain":                "12,1,4\n",
		"strides 2x3x4 --view='[:, 1:3]' -o plain":                      "12,4,1\n",
		"strides 2x3x4 --view 'permute(0, 2, 1)' -o plain":              "12,1,4\n",
		"strides '{\"DataType\":\"FLOAT32\",\"Sizes\":[2,3]}' -o plain": "3,1\n",
		"strides 2x3 -t '<f4' --get tensor.bytes":                       "24\n",
		"strides np.empty((2,3),'<f4') -o plain":                        "3,1\n",
	} {
		if r := onWindows(strings.Split(line, " ")...); r.code != 0 || r.out != want {
			t.Errorf("%s: %q, want %q: %s", line, r.out, want, r.stderr)
		}
	}
	for _, line := range []string{
		"strides '2x3", "strides 2x3'", "view 2x3 '[:, '[0]'", "strides '", "strides '2x3 'WH",
	} {
		if r := onWindows(strings.Split(line, " ")...); r.code != 2 || !strings.Contains(r.stderr, "'") {
			t.Errorf("%s exits %d and says %s", line, r.code, r.stderr)
		}
	}
	if r := runWith(nil, nil, "strides", "'2x3'"); r.code != 2 {
		t.Errorf("a POSIX shell removes quotes itself: %v", r)
	}
}

// TestHintsOnWindows has proposals, messages and help in the quotes of the shells of Windows.
func TestHintsOnWindows(t *testing.T) {
	for _, tt := range []struct {
		args []string
		says string
	}{
		{[]string{"view", "2x3"}, `hint: layoutcalc view 2x3 "permute(1,0)"`},
		{[]string{"compare", "f32[2,3]{0,1}"}, `hint: layoutcalc compare "f32[2,3]{0,1}" row-major`},
		{[]string{"strides", "1,3,4,5", "NHWC", "-o", "yaml"}, `hint: layoutcalc strides "1,3,4,5" NHWC -o json`},
		{[]string{"strides", `{"DataType": "FLOAT32", "Sizes": [2,3]}`, "--get", "stride"},
			`hint: layoutcalc strides "@FILE" --get strides, where FILE has {"DataType": "FLOAT32", "Sizes": [2,3]}`},
		{[]string{"compare", "--help"}, `$ layoutcalc compare "f32[2,3]{0,1}" "memref<2x3xf32, strided<[1, 2]>>"`},
		{[]string{"check", "--help"}, `$ gdb -batch -ex 'print desc' app core | layoutcalc check -`},
		{[]string{"help", "tensors"}, `$ layoutcalc strides "f32[2,3]{0,1}"`},
		{[]string{"check", "x.json", "--baseline", `.\c.json`},
			`hint: layoutcalc check . --write-baseline .\c.json writes it`},
		{[]string{"check", "x.json", "--baseline", "b c.json"}, `--write-baseline "b c.json" writes it`},
		{[]string{"view"}, `$ layoutcalc view 2x3x4 "permute(0,2,1)" "view(-1)"`},
	} {
		r := onWindows(tt.args...)
		if all := r.out + r.stderr; !strings.Contains(all, tt.says) {
			t.Errorf("%q says no %s:\n%s", tt.args, tt.says, all)
		}
	}
}

// TestPathsOnWindows has patterns in arguments, which cmd.exe does not expand, and names in letters of any case.
func TestPathsOnWindows(t *testing.T) {
	repository(t, files{
		"m/a.safetensors": "short", "m/B.safetensors": "short", "m/old/c.safetensors": "short",
		"m/old/d[1].safetensors": "short", "m/e.txt": "", "m/.h/f.safetensors": "short", "g.safetensors": "short",
		"Build/h.safetensors": "short", ".gitignore": "BUILD/\n",
	})
	for _, tt := range []struct{ args, want string }{
		{"m/*.safetensors", "m/B m/a"},
		{"m/A.*", "m/a"},
		{"m/**/*.SafeTensors", "m/B m/a m/old/c m/old/d[1]"},
		{"m/?.safetensors g.safetensors", "m/B m/a g"},
		{"*.safetensors m/o*/c.safetensors", "g m/old/c"},
		{"m/old/[cd].safetensors", "m/old/c"},
		{"m/old/d[1].safetensors", "m/old/d[1]"},
		{"m/old/d[[]1].safetensors", "m/old/d[1]"},
		{"./m/a*", "m/a"},
		{"../*/g.safetensors", "../X/g"},
		{"M*/", "m/B m/a m/old/c m/old/d[1]"},
		{"m/.h*/*", "m/.h/f"},
		{"m --exclude OLD --exclude b.*", "m/a"},
		{". --exclude M/*", "g"},
		{". --exclude OLD --exclude !old --exclude G.SAFETENSORS", "m/B m/a m/old/c m/old/d[1]"},
	} {
		r := onWindows(append(strings.Fields("check -o junit --no-config"), strings.Fields(tt.args)...)...)
		var got []string
		for line := range strings.Lines(r.out) {
			if _, rest, ok := strings.Cut(line, `<testsuite name="`); ok {
				path, _, _ := strings.Cut(rest, ".safetensors")
				got = append(got, path)
			}
		}
		if want := strings.ReplaceAll(tt.want, "X", here(t)); strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %s: %s", tt.args, got, want, r.stderr)
		}
	}
	if r := runWith(nil, nil, "check", "m/*.safetensors"); r.code != 2 {
		t.Errorf("a POSIX shell has expanded patterns before: %v", r)
	}
}

// TestConfigOnWindows has a baseline and a configuration that spell paths with letters of another case.
func TestConfigOnWindows(t *testing.T) {
	repository(t, files{
		"m/A.safetensors": "short", "m/b.safetensors": "short", "m/c.safetensors": "short",
		"Old/d.safetensors": "short",
		".layoutcalc.yaml": "version: 1\nexclude: [OLD]\nignores:\n" +
			"- {path: M/B.safetensors, rule: file-size, reason: r}\n- {path: '*/C.*', rule: file-size, reason: r}\n",
	})
	if r := onWindows("check", ".", "--write-baseline", "known.json"); r.code != 0 {
		t.Error(r)
	}
	text, err := os.ReadFile("known.json")
	has := func(part string) int { return strings.Count(string(text), part) }
	if err != nil || has(`"path"`) != 1 || has(`"m/A.safetensors"`) != 1 {
		t.Fatalf("%s, %v", text, err)
	}
	if os.Rename("m/A.safetensors", "m/x") != nil || os.Rename("m/x", "m/a.safetensors") != nil {
		t.Fatal("no rename")
	}
	if r := onWindows("check", "m", "--baseline", "known.json"); r.code != 0 || !strings.Contains(r.out, "1 known") {
		t.Error(r)
	}
	if r := runWith(nil, nil, "check", "m", "--baseline", "known.json"); r.code != 1 {
		t.Error("elsewhere names of another case are others", r)
	}
}

// here returns the name of the working directory.
func here(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Base(dir)
}
