package shape_test

import (
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/shape"
)

// notes returns the notes of SHAPE NAME [--order NAME] [--rank N].
func notes(t *testing.T, line string) []string {
	t.Helper()
	words := strings.Fields(line)
	sizes, err := shape.ParseShape(words[0])
	if err != nil {
		t.Fatal(err)
	}
	s := shape.Spec{Shape: sizes}
	if len(words) > 1 {
		name, err := shape.ParseName(words[1])
		if err != nil {
			t.Fatal(err)
		}
		s.Name = &name
	}
	for flag := range slices.Chunk(words[min(2, len(words)):], 2) {
		switch flag[0] {
		case "--order":
			order, err := shape.ParseName(flag[1])
			if err != nil {
				t.Fatal(err)
			}
			s.Order = &order
		case "--rank":
			s.Rank = int(flag[1][0] - '0')
		}
	}
	if _, err := s.Tensor(); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return s.Notes(false)
}

// TestOddLetters has words that are not layouts, and names of attention, matrices, graphs and convolutions as in BERT,
// FlashAttention, CUTLASS (NPQK), Flax (bhqk) and ST-GCN (NCTV).
func TestOddLetters(t *testing.T) {
	const none = "no known kind of tensor has an axis "
	for line, want := range map[string]string{
		"2x3x4x5 relu": "E or U", "2x3x4x5 same": "A or E", "640x480 px": "P", "2x3x4 awq": "A or Q",
		"2x3x4x5 NCTV": "V", "2x3x4 NHV": "V", "2x3 HQ": "Q",
		"2x3x4x5 BSHD": "", "2x3x4x5 BHSD": "", "2x3x4 SBH": "", "2x3x4x5 BTHD": "", "2x3x4x5 BSND": "",
		"2x3x4x5 BTND": "", "2x3x4 BMK": "", "2x3x4x5 NPQK": "", "2x3x4x5x6 NZPQK": "", "2x3x4x5 bhqk": "",
		"2x3x4x5 abdc": "", "2x3x4x5x6 abced": "", "2x3x4x5 KRSC": "", "2x3x4x5 ldoi": "", "2x3x4x5 bfyx": "",
		"2x3x4x5 NTHW": "", "2x3x4x5 GMNK": "",
	} {
		if want != "" {
			want = none + want + ": the sizes are read as written"
		}
		if got := strings.Join(notes(t, line), "; "); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// TestNotesOfReading has sizes that look as if they had been written in the order of the name.
func TestNotesOfReading(t *testing.T) {
	tests := []struct{ line, want, reason string }{
		{"144x160x4 HWC", "sizes read as C, H, W; if they are written as H, W, C: --order HWC", "4 channels"},
		{"1x224x224x3 NHWC", "sizes read as N, C, H, W; if they are written as N, H, W, C: --order NHWC", "3 channels"},
		{"1x224x224x3 channels_last", "sizes read as N, C, H, W; if they are written as N, H, W, C: --order NHWC",
			"as Keras has it"},
		{"3x3x64x128 HWIO", "sizes read as O, I, H, W; if they are written as H, W, I, O: --order HWIO",
			"a filter of 3 by 3"},
		{"64x7x7x3 OHWI", "sizes read as O, I, H, W; if they are written as O, H, W, I: --order OHWI",
			"a filter of 7 by 7"},
		{"1x56x56x64 NHWC", "sizes read as N, C, H, W; if they are written as N, H, W, C: --order NHWC", "56 by 56"},
		{"1x32x32x32 NHWC", "", "the same in both orders"},
		{"1x64x56x56 NHWC", "", "a square as it is read"},
		{"64x3x7x7 HWIO", "", "a filter of 7 by 7 as it is read"},
		{"2x2x3 WHD", "", "no channels"},
		{"1x5x5x4 nhwc", "sizes read as N, C, H, W; if they are written as N, H, W, C: --order NHWC", "just 4"},
		{"1x4x5x4 NHWC", "", "4 are few channels too"},
		{"1x5x5x5 NHWC", "", "5 are not"},
		{"1x3x224x224 NHWC", "", "an ordinary call"},
		{"1x224x224x3 BHWC", "sizes read as B, C, H, W; if they are written as B, H, W, C: --order BHWC", "the same"},
		{"1x224x224x3 byxf", "sizes read as B, F, Y, X; if they are written as B, Y, X, F: --order BYXF", "OpenVINO's"},
		{"2x8x224x224x1 NDHWC", "sizes read as N, C, D, H, W; if they are written as N, D, H, W, C: --order NDHWC",
			"volumes"},
		{"1x16x9x1 NHWC4c", "sizes read as N, C, H, W; if they are written as N, H, W, C: --order NHWC", "with blocks"},
		{"1x16x9x1 khwc8", "sizes read as N, C, H, W; if they are written as N, H, W, C: --order NHWC",
			"with an axis that the name leaves out"},
		{"224x224x3 NHWC --rank 4", "sizes read as C, H, W; if they are written as H, W, C: H=224,W=224,C=3",
			"--order does not go with sizes that --rank completes"},
		{"1x224x224x3 NHWC --order NHWC", "", "the order is given"},
		{"N=1,C=224,H=224,W=3 NHWC", "", "labels"},
		{"1x224x224x3 NCHW", "", "the order of the name is that of the sizes"},
		{"1x224x224x3", "", "no name"},
		{"224x224x3 row-major", "", "no letters"},
		{"64x32x3x3 KRSC", "", "filters end in such sizes"},
		{"224x224x3 CWH", "the order of axes CWH is rare; CHW is common", "it does not end in C; see below"},
		{"8x512x64 ntc", "sizes read as t, n, c; if they are written as n, t, c: --order ntc", "oneDNN's T"},
		{"8x512 nt", "sizes read as t, n; if they are written as n, t: --order nt", "without channels"},
		{"2x3x16x9x9 NTHWC", "sizes read as N, C, T, H, W; if they are written as N, T, H, W, C: --order NTHWC",
			"video"},
		{"2x3x16x9x9 NCTHW", "", "in order"},
		{"8x512x64 NTC", "", "as written: nothing was assumed"},
		{"8x512x64 tnc", "", "in order"},
		{"16x9x9x3 THWC", "", "as written"},
		{"1x1x3x4 ldoi", "", "neither channels nor T"},
		{"1x3x224x224 [NHWC]",
			"sizes read as N, H, W, C, the letters beside them; if they are N, C, H, W: 1x3x224x224 NHWC",
			"PyTorch's order, and labels"},
		{"1x224x224x3 [N,H,W,C]", "", "the order of the labels"},
		{"1x3x224x224 [NCHW]", "", "one order"},
	}
	for _, tt := range tests {
		if got := strings.Join(notes(t, tt.line), "\n"); got != tt.want {
			t.Errorf("%s: %q, want %q; %s", tt.line, got, tt.want, tt.reason)
		}
	}
}

// TestNotesOfHexadecimal has shapes that may be one number: 0x1f is 31 and 0x10 is 16, or 0 by 10.
func TestNotesOfHexadecimal(t *testing.T) {
	for text, want := range map[string]string{
		"0x1F": "the size 31,", "0x10": "sizes 0 and 10, not as the hexadecimal number 16", "0x5": "", "0x10x3": "",
		"(0x10, 3)": "", "10": "", "N=0,C=10": "",
	} {
		sizes, err := shape.ParseShape(text)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(shape.Spec{Shape: sizes}.Notes(false), "; ")
		if !strings.Contains(got, want) || (want == "") != (got == "") {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestNotesOfLabels has labelled sizes that are put into the order of images: the note names the layout of memory as
// written.
func TestNotesOfLabels(t *testing.T) {
	hwc, err := shape.ParseName("HWC")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		text string
		name *shape.Name
		want string
	}{
		{"H=500,W=500,C=4", nil,
			"sizes and memory are in the order C, H, W; for memory as written, H, W, C, the layout is HWC"},
		{"N=1,H=224,W=224,C=3", nil,
			"sizes and memory are in the order N, C, H, W; for memory as written, N, H, W, C, the layout is NHWC"},
		{"H=500,W=500,C=4", &hwc, ""},
		{"N=1,C=3,H=2,W=2", nil, ""},
		{"K=3,M=4", nil, ""},
	} {
		sizes, err := shape.ParseShape(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(shape.Spec{Shape: sizes, Name: tt.name}.Notes(false), "; "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.text, got, tt.want)
		}
	}
}

// TestNotesOfRareNames has names that are one slip away from a common one.
func TestNotesOfRareNames(t *testing.T) {
	tests := []struct{ name, want, reason string }{
		{"NWHC", "NHWC is common", "H and W exchanged"},
		{"BWHC", "BHWC is common", "in the letters that were typed"},
		{"NCWH", "NCHW is common", "at the end"},
		{"NHCW", "NCHW and NHWC are common", "between two"},
		{"CNDHW", "NCDHW is common", "at the start"},
		{"OIWH", "OIHW is common", "weights"},
		{"KRCS", "KCRS and KRSC are common", "cuDNN's weights"},
		{"NWHC8c", "NHWC is common", "blocks do not matter"},
		{"NHWC", "", "common"},
		{"HWNC", "", "usual in TensorFlow"},
		{"WHCN", "", "usual in Julia"},
		{"WHD", "", "usual in DirectML's documents"},
		{"WH", "", "both orders of two axes are usual"},
		{"WCNH", "", "not next to a common one"},
		{"BSDH", "", "not a family"},
		{"acbd", "", "oneDNN's tags are of any axes"},
		{"NTHWC", "", "video is read in two orders alone"},
		{"channels_last", "", "a word"},
	}
	for _, tt := range tests {
		name, err := shape.ParseName(tt.name)
		if err != nil {
			t.Fatal(err)
		}
		sizes, err := shape.ParseShape("8" + strings.Repeat("x8", strings.IndexAny(name.String()+"0", "048")-1))
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(shape.Spec{Shape: sizes, Name: &name}.Notes(false), "\n")
		if _, common, _ := strings.Cut(got, "; "); common != tt.want && !strings.HasPrefix(got, "sizes read") {
			t.Errorf("%s: %q, want %q; %s", tt.name, got, tt.want, tt.reason)
		}
	}
	const systems = "nchw nhwc chwn ncdhw ndhwc ncw nwc oiw owi wio iwo oihw hwio ohwi ihwo iohw oidhw iodhw dhwio " +
		"odhwi idhwo goiw gowi wigo goihw gohwi hwigo giohw goidhw godhwi giodhw dhwigo gwio ghwio gdhwio " + // oneDNN
		"bfyx byxf yxfb fyxb bfzyx bzyxf oiyx oyxi yxio iyxo ioyx oizyx goiyx goizyx " + // OpenVINO
		"HWCN HWNC HWOI DHWIO DHWOI KCRS KRSC RSCK CRSK KTRSC KCTRS NCTHW NTHWC NCL NLC" // TensorFlow, TVM, cuDNN
	for _, name := range strings.Fields(systems) {
		n, err := shape.ParseName(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := (shape.Spec{Name: &n}).Notes(false); len(got) > 0 {
			t.Errorf("%s, which a system has: %q", name, got)
		}
	}
	for name := range shape.LayoutNames {
		n, err := shape.ParseName(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := (shape.Spec{Name: &n}).Notes(false); len(got) > 0 {
			t.Errorf("%s, which completion offers: %q", name, got)
		}
	}
}

// TestAlike has tensors whose axes mean those of another one, and others.
func TestAlike(t *testing.T) {
	tests := []struct{ line, like, want, reason string }{
		{"2x3x4x5 BHWC", "2x3x4x5 NCHW", "N=2 C=3 H=4 W=5", "B is N"},
		{"2x3x4x5 byxf", "2x3x4x5 NHWC", "N=2 C=3 H=4 W=5", "OpenVINO's letters"},
		{"2x3x4x5 KRSC", "2x3x4x5 OIHW", "O=2 I=3 H=4 W=5", "cuDNN's filters"},
		{"2x3x4x5x6 KTRSC", "2x3x4x5x6 oizyx", "O=2 I=3 Z=4 Y=5 X=6", "and OpenVINO's"},
		{"2x3x4 NLC", "2x3x4 NCW", "N=2 C=3 W=4", "L is W"},
		{"2x3x4 tnc", "2x3x4 ntc", "t=2 n=3 c=4", "small letters"},
		{"C=3,H=4,W=5,N=2 NHWC", "2x3x4x5 BCHW", "B=2 C=3 H=4 W=5", "labels"},
		{"2x3x4x5 NHWC", "2x3x4x5 OIHW", "N=2 C=3 H=4 W=5", "images are not filters"},
		{"2x3x4x5 BHSD", "2x3x4x5 NHSD", "B=2 H=3 S=4 D=5", "no family has the letters"},
		{"2x3x4x5", "2x3x4x5 NHWC", "0=2 1=3 2=4 3=5", "no names"},
		{"batch=2,seq=3", "2x3 HW", "batch=2 seq=3", "names of more than a letter"},
	}
	for _, tt := range tests {
		got := shape.Alike(layouttest.Tensor(t, tt.line), layouttest.Tensor(t, tt.like).Layout())
		if sizes := namedSizes(got.Layout()); sizes != tt.want {
			t.Errorf("%s like %s: %s, want %s; %s", tt.line, tt.like, sizes, tt.want, tt.reason)
		}
	}
}
