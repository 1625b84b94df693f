package notation

import (
	"errors"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
)

// TestProblems has problems of benchdnn. Sizes of results are those of its formula,
// (i - ((k-1)(d+1) + 1) + 2p) / s + 1.
func TestProblems(t *testing.T) {
	tests := []struct{ text, shown, reason string }{
		{"mb32ic3ih224iw224", " 32x3x224x224", "one tensor"},
		{"mb32ic3", " 32x3", "no spatial axes"},
		{"mb2ic3iw5", " 2x3x5", "one"},
		{"mb2ic3id4ih5iw6", " 2x3x4x5x6", "three"},
		{"--bnorm x5", " 5", "rank 1"},
		{"mb1_ic3oc16_ih8oh8kh3sh1dh0ph1_iw8ow8kw3sw1dw0pw1", "src 1x3x8x8; wei 16x3x3x3; dst 1x16x8x8",
			"a convolution"},
		{"ic3ih224oc64oh112kh7sh2ph3", "src 2x3x224x224; wei 64x3x7x7; dst 2x64x112x112", "mb is 2, and w is as h"},
		{"oc64ic3kh7ih224ph3sh2mb1", "src 1x3x224x224; wei 64x3x7x7; dst 1x64x112x112",
			"in any order; oh follows: (224-7+6)/2+1"},
		{"g4mb1ic8ih5oc12kh3", "src 1x8x5x5; wei 4x3x2x3x3; dst 1x12x3x3", "groups: oh = 5-3+1"},
		{"g1ic8ih5oc12kh3", "src 2x8x5x5; wei 1x12x8x3x3; dst 2x12x3x3", "one group is an axis too"},
		{"mb1ic2oc3ih9kh3dh1", "src 1x2x9x9; wei 3x2x3x3; dst 1x3x5x5", "a dilation of 1 leaves one out: 9-5+1"},
		{"mb1ic2id6oc3kd2", "src 1x2x6x6x6; wei 3x2x2x2x2; dst 1x3x5x5x5", "h and w are as d"},
		{"--deconv mb1ic2oc3ih4kh3sh2", "src 1x2x4x4; wei 3x2x3x3; dst 1x3x9x9", "the other way round: (4-1)2+3"},
		{"--ip mb2ic6ih8iw9oc5", "src 2x6x8x9; wei 5x6x8x9; dst 2x5", "an inner product"},
		{"--pool mb2ic6_ih8kh2sh2", "src 2x6x8x8; dst 2x6x4x4", "a pooling: (8-2)/2+1"},
		{"--resampling mb2ic4_ih4oh8_iw5ow10", "src 2x4x4x5; dst 2x4x8x10", "a resampling"},
		{"--gnorm g2mb2ic4ih3iw3", " 2x4x3x3", "groups of channels are not an axis"},
		{"--lrn mb2ic3ih4iw5ls5beta0.75", " 2x3x4x5", "factors"},
		{"--matmul 2x3:3x4", "src 2x3; wei 3x4; dst 2x4", "a product of matrices"},
		{"--matmul 5x2x3:1x3x4", "src 5x2x3; wei 1x3x4; dst 5x2x4", "a batch of them"},
		{"--wtag=ba 2x3:3x4", "src 2x3; wei 3x4; dst 2x4", "weights make it one too"},
		{"--binary 2x3:2x1", "src0 2x3; src1 2x1; dst 2x3", "a broadcast"},
		{"--concat --axis=1 2x3:2x4", "src0 2x3; src1 2x4; dst 2x7", "joined"},
		{"--reduction 2x3:1x3", "src 2x3; dst 1x3", "a reduction"},
		{"2x3:2x4", "src0 2x3; src1 2x4", "of a primitive that is not named"},
		{"--sdt=f32 --ddt=s8 2x3", "src 2x3; dst 2x3", "a reorder"},
		{"--ddt=s8 2x3", "dst 2x3", "one side of it"},
		{"2x3 4x5", " 2x3;  4x5", "two problems"},
		{"./benchdnn --eltwise 2x3", " 2x3", "the command"},
		{"mb1ic2ih3n\"name\"", " 1x2x3x3", "a name"},
	}
	n, _ := Find("onednn-tag")
	for _, tt := range tests {
		found, err := n.Read(tt.text, Options{})
		var all []string
		for _, d := range found {
			all = append(all, d.Name+" "+layout.JoinInts(d.Tensor.Layout().Sizes(), "x"))
			if !analysis.Contiguous(d.Tensor.Layout()) && !strings.Contains(tt.text, "tag") {
				t.Errorf("%s: %v is not row-major: %s", tt.text, d.Tensor.Layout(), tt.reason)
			}
		}
		if got := strings.Join(all, "; "); err != nil || got != tt.shown {
			t.Errorf("%s: %s, %v, want %s: %s", tt.text, got, err, tt.shown, tt.reason)
		}
	}
}

// TestBenchStrides has the options for several tensors at once.
func TestBenchStrides(t *testing.T) {
	tests := []struct{ text, shown, reason string }{
		{"--strides=8x4x1:24x6x1:21x7x1 1x2x3:1x3x6", "src f32 1x2x3 8,4,1; wei f32 1x3x6 24,6,1; dst f32 1x2x6 21,7,1",
			"three strides are those of a product of matrices"},
		{"--strides=3x1: --dtag=ba 2x3", "src f32 2x3 3,1; dst f32 2x3 1,2", "strides for one, a tag for the other"},
		{"--strides=6x1 2x3", " f32 2x3 6,1", "strides for one"},
		{"--sdt=f32 --ddt=s8 --stag=abx --dtag=aBx16b 2x3x4x5",
			"src f32 2x3x4x5 60,20,5,1; dst s8 2x3x4x5 320,320,80,16", "a reorder"},
		{"--conv --dt=u8:s8:f32 --stag=axb --wtag=OIhw16i16o --dtag=axb ic16oc16ih8kh3ph1",
			"src u8 2x16x8x8 1024,1,128,16; wei s8 16x16x3x3 2304,2304,768,256; dst f32 2x16x8x8 1024,1,128,16",
			"three types"},
		{"--binary --sdt=f32:s8 --stag=ab:ba 2x3:2x3", "src0 f32 2x3 3,1; src1 s8 2x3 1,2; dst f32 2x3 3,1",
			"two sources"},
	}
	n, _ := Find("onednn-tag")
	for _, tt := range tests {
		if found, err := n.Read(tt.text, Options{}); err != nil || shown(found) != tt.shown {
			t.Errorf("%s:\n%s, %v, want\n%s: %s", tt.text, shown(found), err, tt.shown, tt.reason)
		}
	}
}

func TestProblemFaults(t *testing.T) {
	tests := []struct {
		text   string
		offset int
		says   string
	}{
		{"mb1ic2ixx3", 6, "not an entry of a problem"},
		{"mb1ih2", 0, "does not say ic"},
		{"mb1ic3oc4kh3", 0, "does not say ih"},
		{"g3ic4oc6ih5kh3", 0, "do not divide"},
		{"g0ic4oc6ih5kh3", 0, "do not divide"},
		{"mb1ic2oc2ih1kh9", 0, "negative"},
		{"mb1ic99999999999999999999", 5, "64 bits"},
		{"mb1ic?", 5, "not known"},
		{"x4x5x6", 2, "says x twice"},
		{"mb1ic3mb2", 6, "says mb twice"},
		{"--tag=ab hello", 9, "not an entry of a problem"},
		{"--tag=ab 2x3 ()", 13, "neither"},
		{"1x1x1x1x1x1x1x1x1x1x1x1x1", 0, ""},
	}
	n, _ := Find("onednn-tag")
	for _, tt := range tests {
		_, err := n.Read(tt.text, Options{})
		var syntax *layout.SyntaxError
		if !errors.As(err, &syntax) || tt.says != "" && syntax.Offset != tt.offset ||
			!strings.Contains(syntax.Msg, tt.says) {
			t.Errorf("%s: %#v, want %q at %d", tt.text, err, tt.says, tt.offset)
		}
	}
}

func TestIsProblem(t *testing.T) {
	for text, want := range map[string]bool{
		"mb32ic3ih224iw224": true, "mb1_ic3oc16": true, "ic3oc4ih5kh3 ": true, "g2mb1ic?": true, "mb1": false,
		"1x3x224x224": false, "nc4hw4": false, "NCHW16c": false, "x5": false, "mb": false, "ic3 oc4": false,
		"mb32ab3": false, "": false, "x4x5x6": false, "x3x224x224": false,
	} {
		if isProblem(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
