package cmd_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"layoutcalc/cmd"
	"layoutcalc/layout/layouttest"
)

// drawing runs arguments with a picture in a file, which must be whole, and returns the result, without the note that
// names the file, and the picture.
func drawing(t *testing.T, flag string, args ...string) (result, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "picture")
	r := runWith(nil, nil, append(args, flag, path)...)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%q draws nothing: %v\n%s", args, err, r.stderr)
	}
	if flag == "--svg" {
		wantXML(t, string(data))
	}
	before, after, isNoted := strings.Cut(r.stderr, "note: wrote "+path+"\n")
	if r.stderr = before + after; !isNoted {
		t.Errorf("%q has no note that names the picture: %s", args, r.stderr)
	}
	return r, string(data)
}

func wantXML(t *testing.T, svg string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(svg))
	for {
		_, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("not XML: %v\n%.500s", err, svg)
		}
	}
}

// drawers are calls of all commands that draw.
var drawers = [][]string{
	{"strides", "1x17x4x4", "NCHW8c"}, {"offset", "2x3"}, {"offset", "2x3", "1,2"}, {"offset", "2x3", "--at", "4"},
	{"size", "2x3", "-t", "f16"}, {"view", "4x6", "t()", "[::2]"}, {"compare", "2x3", "3,1", "1,2"},
	{"compare", "1x3x4x5", "NCHW", "NCHW"}, {"convert", "1x3x4x5", "NCHW", "NHWC"},
	{"convert", "1x3x4x5", "NCHW", "--to", "NHWC"}, {"strides", "torch.Size([2, 3])"},
	{"size", "f32[8,20]{1,0:T(4,8)}"}, {"access", "8x64", "-t", "f16", "--lanes", "0=8"},
	{"algebra", "divide", "(6,8):(8,1)", "(3,4)"}, {"owner", "mma.m16n8k16.f16:A", "--lane", "5"},
	{"access", "4096x64", "--lanes", "0=32", "--vec", "1", "--sectors"},
	{"strides", "8x64", "-t", "f16", "--swizzle", "128B"},
	{"compare", "mma.m16n8k16.f16:A", "((4,8),(2,2,2)):((32,1),(16,128,8))"},
}

// TestPicturesFitScreens draws with every command, and large layouts too. Each picture is at most 1,300 by 1,000, and
// all its cells have labels.
func TestPicturesFitScreens(t *testing.T) {
	lines := slices.Clone(drawers)
	for line := range strings.Lines(`owner v_mfma_f32_32x32x8f16:C
owner v_mfma_f32_4x4x1f32:C
owner wgmma.m64n256k16.f16:C
owner wgmma.m64n256k16.f16:A --thread 77
owner ldmatrix.x4
owner mma.m8n8k4.f16:C
owner BlockedLayout([1,4],[8,4],[4,1],[1,0]) 128x128
owner BlockedLayout([1,4],[8,4],[4,1],[1,0]) 128x128 100,99
owner BlockedLayout([1,4],[8,4],[4,1],[1,0]) 64x64 --show warp --color-by warp
owner BlockedLayout([4],[32],[4],[0]) 4096
owner BlockedLayout([1,8],[4,8],[4,1],[1,0]) 64x64 --to NVMMADistributedLayout([2,0],[2,2],[16,8])
owner ((8,16),8):((128,1),16) --into 16x64 --thread 95
access 32x32 --lanes 0=32 --vec 1
access 64x64 -t f16 --lanes BlockedLayout([1,4],[8,4],[4,1],[1,0])
access 64x64 -t f16 --lanes 0=8,1=8 --phases ds_read_b128
access 64x64 -t f16 --lanes 0=8,1=8 --phases ds_read_b128/64
access 64x64 --lanes 0=64 --phases ds_read_b32 --vec 1
access 64x72 -t f16 --view [:,4:68] --lanes 0=4,1=8 --sectors
access 4096x4096 --lanes 0=32 --vec 1
access 32x32 --lanes 0=32 --vec 1 --try swizzles
access 64x3x32x32 NHWC --loops N,C,H,W
algebra divide (64,64):(64,1) (16,8) --form tiled
algebra divide 10:1 4:1
algebra divide 1000:1 32:1
algebra tile S<3,3,3>o0o(8,64):(64,1) (128,128) --order 1,0
algebra product (3,4):(4,1) (2,5):(1,2) --form raked
compare Sw<3,4,3>o0o(8,64):(64,1) Sw<3,3,3>o0o(8,64):(64,1) -t f16
compare (32,4):(1,32) (32,4):(4,1)
strides 32x32 --swizzle 5,0,5
strides 4096x4096 --swizzle 128B -t u8
offset 8x64 3,5 -t f16 --swizzle 128B
convert 1x3x224x224 NCHW NHWC
compare 1x50x8x8 NHWC NHWC8c
view 2x3x4x5 permute(0,2,1,3) [:,1:3] reshape(60) [::2] unsqueeze(0)
view 2x3x4x5 transpose(0,1) contiguous() transpose(1,2) contiguous() permute(3,2,1,0) contiguous() reshape(12,10) t()
size 1x17x100x100 NCHW8c
`) {
		args := strings.Fields(line)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "o0o", " o 0 o ")
		}
		lines = append(lines, args)
	}
	sizes := regexp.MustCompile(`width="([0-9]+)" height="([0-9]+)"`)
	for _, args := range lines {
		r, svg := drawing(t, "--svg", args...)
		found := sizes.FindStringSubmatch(svg)
		if r.code > 1 || found == nil {
			t.Errorf("%q: %+v", args, r)
			continue
		}
		width, _ := strconv.Atoi(found[1])
		height, _ := strconv.Atoi(found[2])
		if width > 1300 || height > 1000 {
			t.Errorf("%q draws %d by %d", args, width, height)
		}
		cells := strings.Count(svg, " data-i=")
		texts := len(regexp.MustCompile(` data-i="[^>]*>\n<text`).FindAllString(svg, -1))
		if cells == 0 || cells != texts {
			t.Errorf("%q has texts in %d of %d cells", args, texts, cells)
		}
	}
}

// TestOutlined draws selected elements. The element must be in the drawn part of a large tile, with outlines around it.
// Adjacent elements share an outline.
func TestOutlined(t *testing.T) {
	for _, tt := range []struct {
		line, element string
		outlines      int
	}{
		{"owner mma.m16n8k16.f16:A --lane 5", "1,2", 4}, // rows 1 and 9, columns 2-3 and 10-11 by PTX's formula
		{"owner mma.m16n8k16.f16:A 9,12", "9,12", 1},
		{"owner BlockedLayout([1,4],[8,4],[4,1],[1,0]) 512x512 400,99", "400,99", 1},
		{"owner BlockedLayout([4],[32],[4],[0]) 8192 8000", "8000", 1},
		{"offset 64x64 40,5 -t f16 --swizzle 128B", "40,0", 2}, // the chunk before and after
		{"compare mma.m16n8k16.f16:A ((4,8),(2,2,2)):((32,1),(16,128,8))", "0,8", 2},
	} {
		_, svg := drawing(t, "--svg", strings.Fields(tt.line)...)
		outlines := strings.Count(svg, `<rect class="q"`)
		if outlines != tt.outlines || !strings.Contains(svg, ` data-i="`+tt.element+`"`) {
			t.Errorf("%s: %d outlines, want %d around %s", tt.line, outlines, tt.outlines, tt.element)
		}
	}
}

// TestDividedTiles compares the tiles of a division with their arithmetic: the element (i, j) of 6 by 8 is at 8i+j, and
// in the tile i/3 + 2(j/4) of 3 by 4, as the first mode of the rest counts first.
func TestDividedTiles(t *testing.T) {
	cells := regexp.MustCompile(` data-i="(\d),(\d)" data-o="(\d+)" data-g="tile (\d)"/>\n<text[^>]*>(\d+)<`)
	for _, form := range []string{"logical", "zipped", "tiled", "flat"} {
		_, svg := drawing(t, "--svg", "algebra", "divide", "(6,8):(8,1)", "(3,4)", "--form", form)
		found := cells.FindAllStringSubmatch(svg, -1)
		for _, m := range found {
			var n [5]int
			for i := range n {
				n[i], _ = strconv.Atoi(m[i+1])
			}
			if offset := 8*n[0] + n[1]; n[2] != offset || n[4] != offset || n[3] != n[0]/3+2*(n[1]/4) {
				t.Errorf("%s: (%d,%d) is at %d, in tile %d, and says %d", form, n[0], n[1], n[2], n[3], n[4])
			}
		}
		if len(found) != 48 {
			t.Errorf("%s: %d cells", form, len(found))
		}
	}
}

// TestDrawers draws with each command, in each form of answers. The answer must be the same as without a picture, and
// the picture the same in each form.
func TestDrawers(t *testing.T) {
	for _, args := range drawers {
		for _, form := range []string{"table", "plain", "json", "csv", "markdown"} {
			args := append(args[:len(args):len(args)], "-o", form)
			want := runWith(nil, nil, args...)
			r, svg := drawing(t, "--svg", args...)
			if r.code != want.code || r.out != want.out || r.stderr != want.stderr {
				t.Errorf("%q with a picture answers %+v, want %+v", args, r, want)
			}
			page, html := drawing(t, "--html", args...)
			if page.out != want.out || !strings.HasPrefix(html, "<!DOCTYPE html>") || !strings.HasPrefix(svg, "<svg ") {
				t.Errorf("%q draws %.40q and %.40q", args, svg, html)
			}
		}
		out := runWith(nil, nil, append(args[:len(args):len(args)], "--svg", "-")...)
		if want := runWith(nil, nil, args...); out.code != want.code || strings.Contains(out.out, want.out) {
			t.Errorf("%q --svg - exits %d, want %d:\n%.200s", args, out.code, want.code, out.out)
		}
		wantXML(t, out.out)
	}
}

// TestDrawingKeepsFiles checks the files in a directory after pictures that cannot be drawn or written.
func TestDrawingKeepsFiles(t *testing.T) {
	directory := t.TempDir()
	path := filepath.Join(directory, "kept.svg")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"strides 2x3 --color-by block", "strides 2x3 --slice 0=7", "strides 2xq", "view 2x3 reshape(7)",
		"strides 2x3 --line 3",
		"offset 2x3 5,5", "compare 2x3 3,1", "offset 2x3 --values 1,2", "strides 2x3 --theme x", "strides 2x3 -o xml",
		"strides 2x3 --as nothing", "strides 2x3 --get nothing", "view 2x3 t() --get steps,nothing",
		"strides 2x3 --view flip(0) --as pytorch", "offset 2x3 --at @" + filepath.Join(directory, "missing"),
	} {
		r := runWith(nil, nil, append(strings.Fields(line), "--svg", path)...)
		refused(t, line, r)
		if data, err := os.ReadFile(path); err != nil || string(data) != "mine" {
			t.Errorf("%s leaves %.40q: %v", line, data, err)
			_ = os.WriteFile(path, []byte("mine"), 0o600)
		}
	}
	for _, target := range []string{
		directory, filepath.Join(directory, "missing", "x.svg"), filepath.Join(path, "x.svg"), "/dev/full",
	} {
		r := runWith(nil, nil, "strides", "2x3", "--svg", target)
		if r.code != 3 || r.out != "" || !strings.Contains(r.stderr, "cannot write") {
			t.Errorf("--svg %s: %+v", target, r)
		}
	}
	refused(t, "over another file", runWith(nil, nil, "strides", "2x3", "--svg", path))
	for _, force := range [][]string{{"--force"}, nil} {
		if r := runWith(nil, nil, append([]string{"strides", "2x3", "--svg", path}, force...)...); r.code != 0 {
			t.Fatal(r)
		}
	}
	files, err := os.ReadDir(directory)
	if err != nil || len(files) != 1 {
		t.Errorf("the directory has %v: %v", files, err)
	}
	if info, err := os.Stat(path); err != nil || layouttest.HasModes() && info.Mode().Perm() != 0o600 {
		t.Errorf("the file does not keep its permissions: %v, %v", info.Mode(), err)
	}
}

// TestDrawingOutput writes pictures to an output that fails, early or late.
func TestDrawingOutput(t *testing.T) {
	for _, room := range []int{0, 10, 3000} {
		for _, flag := range []string{"--svg", "--html"} {
			var stderr strings.Builder
			code := cmd.Run([]string{"strides", "20x30", flag, "-"}, cmd.Streams{
				In: strings.NewReader(""), Out: &refusing{room, errors.New("no space left on device")},
				Err: &stderr, Env: noEnv,
			})
			if code != 3 || !strings.Contains(stderr.String(), "cannot write the output") {
				t.Errorf("%s - with room for %d bytes exits %d: %s", flag, room, code, stderr.String())
			}
		}
	}
}

// TestDrawingHidesPaths checks that a picture has no path of the call and no flag that names a file, so the bytes do
// not depend on the directory.
func TestDrawingHidesPaths(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("2x3"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ args, want string }{
		{"strides @" + secret, "layoutcalc strides @FILE"},
		{"strides " + secret, "layoutcalc strides FILE"},
		{"offset 2x3 --at @" + secret + "x", "layoutcalc offset 2x3 --at @FILE"},
		{"strides 2x3 --force --html " + secret + ".html --theme light", "layoutcalc strides 2x3 --theme light"},
		{"size 2x3 --png=" + secret + ".png", "layoutcalc size 2x3"},
	} {
		if err := os.WriteFile(secret+"x", []byte("1 2"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, svg := drawing(t, "--svg", strings.Fields(tt.args)...)
		if !strings.Contains(svg, ">"+tt.want+"</text>") || strings.Contains(svg, "secret") {
			t.Errorf("%s says\n%.3000s\nwant %s", tt.args, svg, tt.want)
		}
	}
}

// TestDrawingEffects checks that each flag changes the picture, and only that.
func TestDrawingEffects(t *testing.T) {
	base := []string{"offset", "4x3x8x8", "NCHW"}
	want, plain := drawing(t, "--svg", base...)
	seen := map[string]string{plain: "no flag"}
	for _, flags := range []string{
		"--show index", "--show value", "--color-by C", "--color-by line", "--color-by none", "--line 32",
		"--slice N=0,C=1:3",
		"--theme light", "--theme dark", "--cells 100",
	} {
		r, svg := drawing(t, "--svg", append(base[:len(base):len(base)], strings.Fields(flags)...)...)
		start, end := strings.Index(svg, "layoutcalc offset"), strings.Index(svg, `<g class="panel"`)
		if svg = svg[:start] + svg[end:]; seen[svg] != "" || r.out != want.out || r.code != 0 {
			t.Errorf("%s draws the same as %s, or answers otherwise: %+v", flags, seen[svg], r.stderr)
		}
		seen[svg] = flags
	}
}

// TestDrawingBatch draws a picture for each line of a batch that names one.
func TestDrawingBatch(t *testing.T) {
	directory := t.TempDir()
	directory = filepath.ToSlash(directory) // a backslash escapes in a line of a batch
	first, second := directory+"/1.svg", directory+"/2.svg"
	lines := "2x3 --svg " + first + "\n4x5\n4x5 --svg " + second + " --theme dark\n6x7 --show index\n"
	r := runWith(strings.NewReader(lines), nil, "strides", "--batch", "-", "--batch-files", "-o", "json")
	if r.code != 2 || strings.Count(r.out, "\n") != 4 || !strings.HasSuffix(r.out, "\nnull\n") {
		t.Errorf("the batch answers %+v", r)
	}
	for line := range strings.Lines(r.out) {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %s", line)
		}
	}
	for path, dark := range map[string]bool{first: false, second: true} {
		data, err := os.ReadFile(path)
		if wantXML(t, string(data)); err != nil || strings.Contains(string(data), "@media") == dark {
			t.Errorf("%s: %v\n%.400s", path, err, data)
		}
	}
	third := filepath.Join(directory, "3.svg")
	r = runWith(strings.NewReader(""), nil, "offset", "2x3", "--at", "-", "-o", "plain", "--svg", third)
	if _, err := os.Stat(third); r.code != 0 || r.out != "" || err != nil {
		t.Errorf("an answer without text: %+v, %v", r, err)
	}
	missing := directory + "/missing/x.svg"
	r = runWith(strings.NewReader("2x3 --svg "+missing+"\n4x5\n"), nil, "strides", "--batch", "-", "--batch-files")
	_, err := os.Create(missing)
	says := "layoutcalc: line 1: cannot write " + missing + ": " + errors.Unwrap(err).Error() + "\n"
	if r.code != 3 || r.out != "\n5,1\n" || r.stderr != says {
		t.Errorf("a picture that cannot be written: %+v, want %q", r, says)
	}
	for _, flag := range []string{"--svg", "--html"} {
		for _, target := range []string{first, "-"} {
			refused(t, flag, runWith(strings.NewReader("2x3\n"), nil, "strides", "--batch", "-", flag, target))
		}
	}
}

// TestDrawingHostile draws hostile names. The picture must show them as text.
func TestDrawingHostile(t *testing.T) {
	for _, args := range [][]string{
		{"offset", "2", "--values", "</text><script>alert(1)</script>,]]>", "--show", "value"},
		{"offset", "2", "--values", "&lt;\x1b[2J,\u202e\xff", "--show", "value"},
		{"strides", "a=2,b=3", "--color-by", "a"}, {"strides", "2x3", "--width", "100", "--get", "tensor.bytes"},
		{"offset", "2", "--values", "文字文字文字," + strings.Repeat("x", 2000), "--show", "value"},
	} {
		r, svg := drawing(t, "--svg", args...)
		if r.code != 0 || strings.Contains(svg, "<script") || strings.ContainsAny(svg, "\x1b\u202e") {
			t.Errorf("%q exits %d and draws\n%.3000s", args, r.code, svg)
		}
	}
}

// TestDrawingSparesInputs draws pictures over inputs and over other files.
func TestDrawingSparesInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	const text, svg, page = "version: 1\ntensors: {a: {dtype: float32, sizes: [2, 3]}}\n", "<svg x/>", "<!DOCTYPE html>"
	for _, tt := range []struct {
		args, old string
		code      int
		says      string
	}{
		{"strides @in.yaml --svg in.yaml", text, 2, "would take the place of in.yaml, which is read here"},
		{"strides @in.yaml --svg in.yaml --force", text, 2, "would take the place of in.yaml, which is read here"},
		{"strides in.yaml --html ./link --force --follow", text, 2, "the place of ./link, which is read here"},
		{"offset 2x3 --at @in.yaml --svg in.yaml --force", "0", 2, "which is read here"},
		{"convert 2x3 HW WH --svg in.yaml", text, 2, "--force replaces it"},
		{"convert 2x3 HW WH --svg in.yaml --force", text, 0, ""},
		{"strides 2x3 --html in.yaml", page, 2, "is no page of this program"},
		{"strides 2x3 --html in.yaml", svg, 2, "is no page of this program"},
		{"strides 2x3 --svg in.yaml", svg, 0, ""},
		{"strides 2x3 --svg in.yaml", "", 0, ""},
		{"strides 2x3 --force", text, 2, "--force is for pictures"},
		{"convert 2x3 HW WH --force", text, 2, "--force is for data that is moved"},
	} {
		if err := os.WriteFile("in.yaml", []byte(tt.old), 0o600); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove("link")
		if layouttest.MakeLink("in.yaml", "link") != nil && strings.Contains(tt.args, "link") {
			continue
		}
		r := runWith(nil, nil, strings.Fields(tt.args)...)
		left, err := os.ReadFile("in.yaml")
		isKept := string(left) == tt.old
		if err != nil || r.code != tt.code || !strings.Contains(r.stderr, tt.says) || isKept != (r.code != 0) {
			t.Errorf("%s over %.20q leaves %.20q: %+v", tt.args, tt.old, left, r)
		}
	}
	for range 2 {
		for _, flag := range []string{"--svg", "--html"} {
			if r := runWith(nil, nil, "strides", "2x3", flag, "again"+flag); r.code != 0 {
				t.Errorf("%s again: %+v", flag, r)
			}
		}
	}
}
