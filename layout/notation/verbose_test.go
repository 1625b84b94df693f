package notation

import (
	"errors"
	"strings"
	"testing"

	"layoutcalc/layout"
)

// shown returns the descriptors in the form that tests use: NAME TYPE SIZES STRIDES of each.
func shown(found []Descriptor) string {
	var all []string
	for _, d := range found {
		l := d.Tensor.Layout()
		all = append(all, d.Name+" "+d.Tensor.DType().In(layout.OneDNN)+" "+layout.JoinInts(l.Sizes(),
			"x")+" "+layout.JoinInts(outerStrides(l), ","))
	}
	return strings.Join(all, "; ")
}

// TestVerboseDescriptors has tensors that were made in oneDNN 2.6.3 and 3.8, and the output of both for them.
func TestVerboseDescriptors(t *testing.T) {
	tests := []struct {
		old, text, sizes string // of 2.6.3 and of 3.8
		shown, was       string // the reading of the newer one; and of the older, if it differs
		written          bool   // we write the same text as 3.8
		reason           string
	}{
		{old: "dst_f32::blocked:acdb:f0", text: "dst:f32::blocked:acdb::f0", sizes: "1x3x224x224",
			shown: "f32 1x3x224x224 150528,1,672,3", written: true, reason: "nhwc"},
		{old: "dst_f32:p:blocked:aBcd16b:f0", text: "dst:f32:p:blocked:aBcd16b::f0", sizes: "2x17x4x5",
			shown: "f32 2x17x4x5 640,320,80,16", written: true, reason: "padded"},
		{old: "dst_f32::blocked:ABcd4b16a4b:f0", text: "dst:f32::blocked:ABcd4b16a4b::f0", sizes: "32x16x3x3",
			shown: "f32 32x16x3x3 2304,2304,768,256", written: true, reason: "nested blocks"},
		{old: "src_f32::blocked:ab:f0", text: "src:f32::blocked:ab:8x1:f0", sizes: "4x3", shown: "f32 4x3 8,1",
			was: "f32 4x3 3,1", written: true, reason: "2.6.3 loses the padding"},
		{old: "src_f32::blocked:ba:f0", text: "src:f32::blocked:ba:1x8:f0", sizes: "4x3", shown: "f32 4x3 1,8",
			was: "f32 4x3 1,4", written: true, reason: "2.6.3 loses the padding"},
		{old: "src_f32::blocked:ba:f0", text: "src:f32::blocked:ab:0x1:f0", sizes: "2x3", shown: "f32 2x3 0,1",
			was: "f32 2x3 1,2", written: true, reason: "2.6.3 loses the broadcast"},
		{old: "src_f32::blocked:abc:f0", text: "src:f32::blocked:abc::f0", sizes: "1x3x4", shown: "f32 1x3x4 12,4,1",
			written: true, reason: "the stride of one element is not printed"},
		{old: "src_f32:0:blocked:ab:f0", text: "src:f32:0:blocked:ab:8x1:f0", sizes: "4x3", shown: "f32 4x3 8,1",
			was: "f32 4x3 3,1", reason: "a window: the flag does not say where"},
		{old: "src_f32:0:blocked:aBcd16b:f0", text: "src:f32:0:blocked:aBcd16b:512x256x64x16:f0", sizes: "2x16x4x4",
			shown: "f32 2x16x4x4 512,256,64,16", was: "f32 2x16x4x4 256,256,64,16", reason: "a window of blocks"},
		{old: "dst_s8:p:blocked:BA16a16b4a:f0", text: "dst:s8:p:blocked:BA16a16b4a::f0", sizes: "40x20",
			shown: "s8 40x20 1024,1024", written: true, reason: "three blocks"},
	}
	n, _ := Find("onednn-verbose")
	for _, tt := range tests {
		if tt.was == "" {
			tt.was = tt.shown
		}
		for text, want := range map[string]string{tt.old: tt.was, tt.text: tt.shown} {
			for _, between := range []string{" ", ",,,"} {
				found, err := n.Read(text+between+tt.sizes, Options{})
				if err != nil || shown(found) != text[:3]+" "+want {
					t.Errorf("%s %s: %s, %v, want %s: %s", text, tt.sizes, shown(found), err, want, tt.reason)
					continue
				}
				notes := strings.Join(found[0].Skipped, "; ")
				if strings.Contains(notes, "v3.2") != (text == tt.old) ||
					strings.Contains(notes, "flag 0") == tt.written {
					t.Errorf("%s: notes %q: %s", text, notes, tt.reason)
				}
				dnnlRoundTrip(t, found[0].Tensor)
				if got, err := n.Write(found[0].Tensor); text == tt.text && tt.written &&
					got != "src"+text[3:]+",,,"+tt.sizes {
					t.Errorf("%s: written as %s, %v: %s", text, got, err, tt.reason)
				}
			}
		}
	}
}

// TestVerboseLines has verbose lines written by oneDNN 2.6.3. The sizes and tags of their tensors were chosen.
func TestVerboseLines(t *testing.T) {
	tests := []struct{ line, shown, notes string }{
		{
			"exec,cpu,convolution,ref:any,forward_inference,src_f32::blocked:acdb:f0 wei_f32::blocked:abcde:f0 " +
				"bia_f32::blocked:a:f0 " +
				"dst_f32::blocked:acdb:f0,,alg:convolution_direct," +
				"g2mb2_ic6oc8_ih8oh4kh3sh2dh0ph1_iw9ow9kw3sw1dw0pw1,12.4409",
			"src f32 2x6x8x9 432,1,54,6; wei f32 2x4x3x3x3 108,27,9,3,1; bia f32 8 1; dst f32 2x8x4x9 288,1,72,8", "",
		},
		{
			"exec,cpu,convolution,x64:gemm:jit,forward_inference,src_f32::blocked:abc:f0 wei_f32::blocked:abc:f0 " +
				"bia_undef::undef::f0 " +
				"dst_f32::blocked:abc:f0,,alg:convolution_direct,mb2_ic3oc4_iw8ow6kw3sw1dw0pw0,31.0181",
			"src f32 2x3x8 24,8,1; wei f32 4x3x3 9,3,1; dst f32 2x4x6 24,6,1", "bia is undef",
		},
		{
			"exec,cpu,convolution,x64:gemm:jit,forward_inference,src_f32::blocked:abcde:f0 wei_f32::blocked:abcde:f0 " +
				"bia_undef::undef::f0 " +
				"dst_f32::blocked:abcde:f0,,alg:convolution_direct," +
				"mb1_ic3oc4_id4od3kd2sd1dd0pd0_ih5oh3kh3sh1dh0ph0_iw6ow4kw3sw1dw0pw0,0.0258789",
			"src f32 1x3x4x5x6 360,120,30,6,1; wei f32 4x3x2x3x3 54,18,9,3,1; dst f32 1x4x3x3x4 144,36,12,4,1", "bia",
		},
		{
			"exec,cpu,deconvolution,ref:any,forward_inference,src_f32::blocked:abcd:f0 wei_f32::blocked:abcd:f0 " +
				"bia_undef::undef::f0 " +
				"dst_f32::blocked:abcd:f0,,alg:deconvolution_direct," +
				"mb2_ic6oc8_ih4oh6kh3sh1dh0ph0_iw5ow7kw3sw1dw0pw0,0.324951",
			"src f32 2x6x4x5 120,20,5,1; wei f32 8x6x3x3 54,9,3,1; dst f32 2x8x6x7 336,42,7,1", "bia",
		},
		{
			"exec,cpu,pooling_v2,jit:avx512_core,forward_training,src_f32::blocked:acdb:f0 dst_f32::blocked:acdb:f0 " +
				"ws_u8::blocked:acdb:f0,,alg:pooling_max,mb2ic6_ih8oh4kh2sh2dh0ph0_iw9ow4kw3sw2dw0pw0,0.0090332",
			"src f32 2x6x8x9 432,1,54,6; dst f32 2x6x4x4 96,1,24,6; ws u8 2x6x4x4 96,1,24,6", "",
		},
		{
			"exec,cpu,inner_product,ref:any,forward_inference,src_f32::blocked:acdb:f0 wei_f32::blocked:abcd:f0 " +
				"bia_f32::blocked:a:f0 dst_f32::blocked:ab:f0,,,mb2ic6ih8iw9oc5,0.052002",
			"src f32 2x6x8x9 432,1,54,6; wei f32 5x6x8x9 432,72,9,1; bia f32 5 1; dst f32 2x5 5,1", "",
		},
		{
			"exec,cpu,matmul,brg:avx512_core,undef,src_f32::blocked:abc:f0 wei_f32::blocked:acb:f0 " +
				"bia_f32::blocked:abc:f0_mask4 dst_f32::blocked:abc:f0,,,3x4x5:3x5x6:3x4x6,0.0310059",
			"src f32 3x4x5 20,5,1; wei f32 3x5x6 30,1,5; bia f32 1x1x6 6,6,1; dst f32 3x4x6 24,6,1", "",
		},
		{
			"exec,cpu,binary,jit:uni,undef,src_f32::blocked:acdb:f0 src_f32::blocked:abcd:f0 " +
				"dst_f32::blocked:acdb:f0,,alg:binary_add,2x3x4x5:1x3x1x1,0.00292969",
			"src f32 2x3x4x5 60,1,15,3; src f32 1x3x1x1 3,1,1,1; dst f32 2x3x4x5 60,1,15,3", "",
		},
		{
			"exec,cpu,concat,simple:any,undef,src_f32::blocked:abcd:f0 src_f32::blocked:abcd:f0 " +
				"dst_f32::blocked:abcd:f0,,axis:1,2x3x4x5:2x7x4x5,0.00683594",
			"src f32 2x3x4x5 60,20,5,1; src f32 2x7x4x5 140,20,5,1; dst f32 2x10x4x5 200,20,5,1", "",
		},
		{
			"exec,cpu,sum,simple:any,undef,src_f32::blocked:abcd:f0 src_f32::blocked:abcd:f0 " +
				"dst_f32::blocked:abcd:f0,,,2x3x4x5,0.00195312",
			"src f32 2x3x4x5 60,20,5,1; src f32 2x3x4x5 60,20,5,1; dst f32 2x3x4x5 60,20,5,1", "",
		},
		{
			"exec,cpu,reorder,jit:uni,undef,src_f32::blocked:abcd:f0 dst_s8:p:blocked:aBcd16b:f0,,,2x17x4x5,0.00390625",
			"src f32 2x17x4x5 340,20,5,1; dst s8 2x17x4x5 640,320,80,16", "",
		},
		{
			"exec,cpu,batch_normalization,ncsp_bnorm:any,forward_inference,data_f32::blocked:abcd:f0 " +
				"diff_undef::undef::f0,,flags:GC,mb2ic3ih4iw5,0.00708008",
			"data f32 2x3x4x5 60,20,5,1", "diff is undef",
		},
		{
			"exec,cpu,batch_normalization,ncsp_bnorm:any,forward_inference,data_f32::blocked:ab:f0 " +
				"diff_undef::undef::f0,,flags:G,mb2ic3,0.000976562",
			"data f32 2x3 3,1", "diff is undef",
		},
		{
			"exec,cpu,layer_normalization,simple_layer_normalization:any,forward_training,data_f32::blocked:abc:f0 " +
				"stats_f32::blocked:ab:f0 diff_undef::undef::f0,,flags:CH,4x2x6,0.00292969",
			"data f32 4x2x6 12,6,1; stats f32 4x2 2,1", "diff is undef",
		},
		{
			"exec,cpu,lrn,lrn_ref:any,forward_inference,data_f32::blocked:abcd:f0 " +
				"diff_undef::undef::f0,,alg:lrn_across_channels,mb2ic3ih4iw5ls5beta0.75,0.0090332",
			"data f32 2x3x4x5 60,20,5,1", "diff is undef",
		},
		{
			"exec,cpu,softmax_v2,jit:avx512_core,forward_inference,src_f32::blocked:acdb:f0 " +
				"dst_f32::blocked:acdb:f0,,alg:softmax_accurate axis:1,2x3x4x5,0.00317383",
			"src f32 2x3x4x5 60,1,15,3; dst f32 2x3x4x5 60,1,15,3", "",
		},
		{
			"exec,cpu,eltwise,jit:avx512_core,forward_inference,data_f32::blocked:a:f0 " +
				"diff_undef::undef::f0,,alg:eltwise_relu alpha:0 beta:0,7,0.000976562",
			"data f32 7 1", "diff is undef",
		},
		{
			"exec,cpu,shuffle,ref:any,forward_inference,data_f32::blocked:abcd:f0,,axis:1 group:2,2x4x4x5,0.00195312",
			"data f32 2x4x4x5 80,20,5,1", "",
		},
		{
			"exec,cpu,prelu,jit_uni,forward_inference,data_f32::blocked:abcd:f0 wei_f32::blocked:abcd:f0 " +
				"diff_undef::undef::f0 diff_wei_undef::undef::f0,,,2x4x4x5:1x4x1x1,0.00195312",
			"data f32 2x4x4x5 80,20,5,1; wei f32 1x4x1x1 4,1,1,1", "diff_wei is undef",
		},
		{
			"exec,cpu,reduction,jit:avx512_core_bf16,undef,src_f32::blocked:abcd:f0 " +
				"dst_f32::blocked:abcd:f0,,alg:reduction_sum p:0 eps:0,2x4x4x5:2x4x1x1,0.000976562",
			"src f32 2x4x4x5 80,20,5,1; dst f32 2x4x1x1 4,1,1,1", "",
		},
		{
			"exec,cpu,resampling,jit:avx512_core_bf16,forward_inference,src_f32::blocked:abcd:f0 " +
				"dst_f32::blocked:abcd:f0,,alg:resampling_nearest,mb2ic4_ih4oh8_iw5ow10,0.00292969",
			"src f32 2x4x4x5 80,20,5,1; dst f32 2x4x8x10 320,80,10,1", "",
		},
		{
			"exec,cpu,rnn,ref,forward_inference,src_layer_f32::blocked:abc:f0 wei_layer_f32::blocked:abcde:f0 " +
				"wei_iter_f32::blocked:abcde:f0 bias_f32::blocked:abcd:f0 " +
				"dst_layer_f32::blocked:abc:f0,,alg:vanilla_lstm direction:unidirectional_left2right " +
				"activation:undef,l1t5mb2sic7slc3dhc7dic7,30.998",
			"src_layer f32 5x2x3 6,3,1; wei_layer f32 1x1x3x4x7 84,84,28,7,1; wei_iter f32 1x1x7x4x7 196,196,28,7,1; " +
				"bias f32 1x1x4x7 28,28,7,1; dst_layer f32 5x2x7 14,7,1", "",
		},
		{
			"create:cache_miss,cpu,matmul,ref:any,undef,src_f32::blocked:*:f0 wei_f32::blocked:ab:f0 " +
				"dst_f32::blocked:ab:f0,,,*x4:4x6:*x6,0.0100098",
			"wei f32 4x6 6,1; dst f32 3x6 6,1", "strides of src are known at run time only",
		},
	}
	n, _ := Find("onednn-verbose")
	for _, tt := range tests {
		o := Options{}
		if strings.Contains(tt.line, "*x4") {
			o.Dims = []int64{3, 3}
		}
		for _, start := range []string{"onednn_verbose,", "dnnl_verbose,", "mkldnn_verbose,",
			"onednn_verbose,v0,primitive,", "onednn_verbose,1693533460193.346924,"} {
			found, err := n.Read(start+tt.line, o)
			if err != nil || shown(found) != tt.shown {
				t.Errorf("%s%s:\n%s, %v, want\n%s", start, tt.line, shown(found), err, tt.shown)
				continue
			}
			if notes := strings.Join(found[0].Skipped, "; "); !strings.Contains(notes, tt.notes) {
				t.Errorf("%s: notes %q, want %q", tt.line, notes, tt.notes)
			}
		}
	}
}

// TestVerboseNewerLines has lines of v3.6 and later, as users have shown them.
func TestVerboseNewerLines(t *testing.T) {
	tests := []struct{ text, shown, notes, reason string }{
		{
			text: "onednn_verbose,v1,primitive,exec,cpu,reorder,jit:uni,undef,src:u8::blocked:ab::f0 " +
				"dst:u8:p:blocked:AB8b24a::f0,,,8960x1536,3.53491",
			shown: "src u8 8960x1536 1536,1; dst u8 8960x1536 36864,192", reason: "8960 is not a multiple of 24",
		},
		{
			text: "onednn_verbose,v1,primitive,exec,cpu,matmul,brg_matmul:avx512_core_amx,undef," +
				"src:bf16::blocked:ab::f0 wei:bf16::blocked:ba::f0 " +
				"dst:bf16::blocked:ab::f0,attr-scratchpad:user,,128x3584:3584x37888,1.18311",
			shown:  "src bf16 128x3584 3584,1; wei bf16 3584x37888 1,3584; dst bf16 128x37888 37888,1",
			reason: "the sizes of dst follow",
		},
		{
			text: "onednn_verbose,v1,primitive,exec,cpu,matmul,zen:grouped_matmul,undef,src:f32::sparse:grouped::f0 " +
				"wei:f32::blocked:acb::f0 dst:f32::sparse:grouped::f0,,,16x32:3x32x24,77.665",
			shown: "wei f32 3x32x24 768,1,32", notes: "src is of the kind sparse",
			reason: "sparse tensors have no strides",
		},
		{
			text: "onednn_verbose,v1,primitive,exec,cpu,matmul,ref:any,undef,src:f32:a:any:any::f0 " +
				"wei:f32::blocked:ab::f0 dst:f32::wino:::f0,,,2x3:3x4,1",
			shown: "wei f32 3x4 4,1", notes: "src is of the kind any", reason: "oneDNN has not chosen yet",
		},
		{
			text: "onednn_verbose,v1,primitive,exec,cpu,convolution,jit,forward_training,src:s8:a:blocked:acdb::f0 " +
				"wei:s8:ap:blocked:ABcd4b16a4b::f5:s8m1 bia:undef::undef::: " +
				"dst:f8_e4m3:a:blocked:acdb::f0,,alg:convolution_direct," +
				"mb1_ic3oc20_ih4oh4kh1sh1dh0ph0_iw4ow4kw1sw1dw0pw0,0.1",
			shown: "src s8 1x3x4x4 48,1,12,3; wei s8 20x3x1x1 256,256,256,256; dst f8_e4m3 1x20x4x4 320,1,80,20",
			notes: "wei has more than its elements: f5:s8m1", reason: "data after the weights",
		},
		{
			text: "onednn_verbose,v1,info,oneDNN " +
				"v3.7.0\nonednn_verbose,v1,primitive,exec,cpu,reorder,jit:uni,undef,src:f32::blocked:ab::f0 " +
				"dst:f32::blocked:ba::f0,,,2x3,0.01\r\n\n",
			shown: "src f32 2x3 3,1; dst f32 2x3 1,2", reason: "a log",
			notes: "not read: a line without memory descriptors",
		},
		{text: "diff_dst_f8_e4m3::blocked:ab:f0 4x3", shown: "diff_dst f8_e4m3 4x3 3,1", notes: "v3.2",
			reason: "both parts of the first field have underscores"},
		{text: "src_f32::blocked:ab:8x1:f0 4x3", shown: "src f32 4x3 8,1",
			reason: "v3.2 to v3.5: an underscore, and strides"},
		{text: "src:f32::blocked:ab::f0 dst:f32::blocked:ba::f0 2x3", shown: "src f32 2x3 3,1; dst f32 2x3 1,2",
			reason: "a fragment of two"},
		{text: "src:f32::blocked:abcd::f0,,,mb2ic3ih4iw5", shown: "src f32 2x3x4x5 60,20,5,1",
			reason: "a problem in entries"},
		{text: "src:f32:p:blocked:ab::f0 4x3", shown: "src f32 4x3 3,1", notes: "src is padded",
			reason: "the flag alone"},
		{text: "src:f32:o:blocked:ab::f0 4x3", shown: "src f32 4x3 3,1", notes: "padding before",
			reason: "the flag alone"},
	}
	n, _ := Find("onednn-verbose")
	for _, tt := range tests {
		found, err := n.Read(tt.text, Options{})
		if err != nil || shown(found) != tt.shown {
			t.Errorf("%s:\n%s, %v, want\n%s: %s", tt.text, shown(found), err, tt.shown, tt.reason)
			continue
		}
		notes := strings.Join(found[0].Skipped, "; ")
		if !strings.Contains(notes, tt.notes) || tt.notes == "" && notes != "" {
			t.Errorf("%s: notes %q, want %q: %s", tt.text, notes, tt.notes, tt.reason)
		}
	}
}

// TestVerboseOldLines has lines of v0.x, v1.0, GPUs and gemm_api as users have shown them in public issues. The strides
// are those of the tags, worked out by hand.
func TestVerboseOldLines(t *testing.T) {
	tests := []struct{ line, shown, notes, source string }{
		{
			"mkldnn_verbose,exec,reorder,jit:uni,undef,in:f32_hwio out:f32_OIhw8i8o,num:1,256x128x3x2,0.624023",
			"in f32 256x128x3x2 1,256,65536,32768; out f32 256x128x3x2 6144,384,128,64", "before v3.2",
			"tensorflow/serving/issues/1272, with other sizes",
		},
		{
			"mkldnn_verbose,exec,convolution,jit:avx512_common,forward_training,fsrc:nchw fwei:Ohwi16o fbia:x " +
				"fdst:nChw16c,alg:convolution_direct," +
				"mb64_ic3oc64_ih224oh55kh11sh4dh0ph2_iw224ow55kw11sw4dw0pw2,15.6321",
			"src f32 64x3x224x224 150528,50176,224,1; wei f32 64x3x11x11 5808,16,528,48; bia f32 64 1; " +
				"dst f32 64x64x55x55 193600,48400,880,16", "before v3.2", "a page on profiling with v0.21.1",
		},
		{
			"mkldnn_verbose,exec,inner_product,gemm:blas,forward_inference,fsrc:nc fwei:oi fbia:undef fdst:nc,," +
				"mb4096ic64oc16,0.0300293",
			"src f32 4096x64 64,1; wei f32 16x64 64,1; dst f32 4096x16 16,1", "bia is undef", "oneDNN/issues/578",
		},
		{
			"mkldnn_verbose,exec,reorder,jit:uni,undef,in:s8_OIhw4i16o4i_s8s8 out:f32_blocked,num:1,32x16x1x1,0.1",
			"in s8 32x16x1x1 256,256,256,256", "in has more than its elements: s8s8; before v3.2",
			"v0.21's names of formats",
		},
		{
			"mkldnn_verbose,exec,reorder,jit:uni,undef,src_f32::blocked:abcd:f0 dst_f32::blocked:aBcd8b:f0,num:1," +
				"1x256x14x14,1.03101",
			"src f32 1x256x14x14 50176,196,14,1; dst f32 1x256x14x14 50176,1568,112,8", "before v3.2",
			"cpu_memory_format_propagation of v1.0",
		},
		{
			"onednn_verbose,exec,cpu,gemm_api,,undef,src_f32::blocked:ab:f0 wei_f32::blocked:ab:f0 " +
				"dst_f32::blocked:ab:f0,,1x512:512x256,0.359131",
			"src f32 1x512 512,1; wei f32 512x256 256,1; dst f32 1x256 256,1", "before v3.2", "oneDNN/issues/1442",
		},
		{
			"dnnl_verbose,exec,cpu,concat,simple:any,undef,src_f32::blocked:abcd:f0 src_f32::blocked:abcd:f0 " +
				"dst_f32::blocked:abcd:f0,,axis:1,2x16x7x7,0.2",
			"dst f32 2x16x7x7 784,49,7,1", "src: the problem does not say its sizes", "v1.x has the sizes of dst alone",
		},
		{
			"onednn_verbose,v1,primitive,exec,gpu,matmul,jit:gemm:any,undef,src:f16::blocked:ab::f0 " +
				"wei:f16::blocked:ba::f0 dst:f16::blocked:ab::f0,attr-scratchpad:user,,22x2048:2048x8192,0.880127",
			"src f16 22x2048 2048,1; wei f16 2048x8192 1,2048; dst f16 22x8192 8192,1", "", "unsloth/issues/3292",
		},
		{
			"onednn_verbose,v1,primitive,create:dispatch,gemm,gpu,gemm,jit:xe_hp:gemm:any,undef," +
				"src_a:f16::blocked:ab::f0 src_b:f16::blocked:ba::f0 dst:f16::blocked:ab::f0,,,22x8192:8192x2048," +
				"skipping or dispatching to another implementation,src/gpu/intel/jit/gemm/xe_hp_systolic_gemm.cpp:86",
			"src_a f16 22x8192 8192,1; src_b f16 8192x2048 1,8192; dst f16 22x2048 2048,1",
			"not read: skipping, or, dispatching, to and 2 other words", "unsloth/issues/3292",
		},
		{
			"onednn_verbose,v1,primitive,exec,gpu:0,sdpa,ocl:micro:any,undef,query:f16::blocked:abcd::f0 " +
				"key:s8::blocked:abdc::f0 val:s8::blocked:abcd::f0 msk:f16::blocked:abcd::f0 " +
				"dst:f16::blocked:abcd::f0,attr-scales:kq:11:f16+vs:7:f16,msk:1d,1x2x1x128:1x2x128x385:1x2x385x64",
			"query f16 1x2x1x128 256,128,128,1; key s8 1x2x128x385 98560,49280,1,128; " +
				"val s8 1x2x385x64 49280,24640,64,1; msk f16 1x1x1x385 385,385,385,1; " +
				"dst f16 1x2x1x64 128,64,64,1", "msk: the line says only that it is 1d",
			"oneDNN/pull/3205, with other sizes",
		},
	}
	n, _ := Find("onednn-verbose")
	for _, tt := range tests {
		found, err := n.Read(tt.line, Options{})
		if err != nil || shown(found) != tt.shown {
			t.Errorf("%s:\n%s, %v, want\n%s: %s", tt.line, shown(found), err, tt.shown, tt.source)
			continue
		}
		if notes := strings.Join(found[0].Skipped, "; "); !strings.Contains(notes, tt.notes) ||
			(tt.notes == "") != (notes == "") {
			t.Errorf("%s: notes %q, want %q: %s", tt.line, notes, tt.notes, tt.source)
		}
	}
}

// TestVerboseMemory has single descriptors, some with missing parts, and strings that are not descriptors.
func TestVerboseMemory(t *testing.T) {
	tests := []struct {
		text string
		want bool
	}{
		{"dst:f32::blocked:acdb::f0", true}, {"src_f32:p:blocked:aBcd16b::f0", true}, {"f32::blocked:acdb::f0", true},
		{"blocked:aBcd16b::f0", true}, {"aBcd16b::f0", true}, {"aBcd16b:f0", true},
		{"src:f32::blocked:ab:8x1:f0", true}, {"ab:8x1:f0", true}, {"src:f32::blocked:ab::f0_mask2", true},
		{"acdb", false}, {"aBcd16b", false}, {"jit:gemm:any", false}, {"ocl:ref:any", false}, {"sycl:ref:any", false},
		{"jit:xe_hp:gemm:any", false}, {"bia:undef::undef:::", true}, {"src:f32::any::f0", true},
		{"dst:f32::blocked:acdb::f0 1x3x224x224", false}, {"http://f0", false}, {"a:f32", false}, {"", false},
	}
	for _, tt := range tests {
		if got := IsMemory(tt.text); got != tt.want {
			t.Errorf("IsMemory(%q) = %v", tt.text, got)
		}
	}
}

func TestVerboseFaults(t *testing.T) {
	tests := []struct {
		text   string
		offset int
		says   string
	}{
		{"src:f32::blocked:acdb::f0", 25, "sizes are missing"},
		{"src:f33::blocked:ab::f0 4x3", 4, "unknown element type"},
		{"src:f32::blocked:acd::f0 4x3x2", 17, "b is missing"},
		{"src:f32::blocked:ab::f0 4x3x2", 17, "2 axes"},
		{"src:f32::blocked:ab::f0 4x?", 26, "not known"},
		{"src:f32::blocked:ab:8x:f0 4x3", 22, "number"},
		{"src:f32::blocked:ab:8x1y:f0 4x3", 23, "unexpected text"},
		{"src:f32::blocked:ab:8x1x1:f0 4x3", 17, "2 sizes but 3 strides"},
		{"src:f32::blocked:ab::f0 4x3z", 27, "is not an entry"},
		{"src:f32:blocked:ab::f0 4x3", 0, "something is missing"},
		{"src:f32::wino:::f0 4x3", 0, "no tensor here has a layout"},
		{"onednn_verbose,v1,info,cpu", 0, "no tensor here has a layout"},
		{"src:f32::bloked:ab::f0 4x3", 0, "no oneDNN memory descriptor"},
	}
	n, _ := Find("onednn-verbose")
	for _, tt := range tests {
		_, err := n.Read(tt.text, Options{})
		var syntax *layout.SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset != tt.offset || !strings.Contains(syntax.Msg, tt.says) ||
			syntax.Input != tt.text {
			t.Errorf("%s: %#v, want %q at %d", tt.text, err, tt.says, tt.offset)
		}
	}
}

// TestVerboseTies has tensors whose tags 3.8 finds by rules for strides that are alike.
func TestVerboseTies(t *testing.T) {
	tests := []struct {
		sizes, strides []int64
		tag            string
	}{
		{[]int64{1, 1, 1, 1}, []int64{1, 1, 1, 1}, "abcd"},
		{[]int64{2, 1, 4, 5}, []int64{20, 1, 5, 1}, "acdb"},
		{[]int64{1, 3, 4}, []int64{99, 4, 1}, "abc"},
	}
	n, _ := Find("onednn-verbose")
	for _, tt := range tests {
		l, err := layout.Strided(0, tt.sizes, tt.strides)
		if err != nil {
			t.Fatal(err)
		}
		tensor, _ := layout.NewTensor(l, 0)
		if got, err := n.Write(tensor); got != "src:f32::blocked:"+tt.tag+"::f0,,,"+layout.JoinInts(tt.sizes, "x") {
			t.Errorf("%v %v: %s, %v, want the tag %s", tt.sizes, tt.strides, got, err, tt.tag)
		}
	}
}

// TestRecurrentLines has lines that libdnnl 2.6.3 printed for primitives of these sizes.
func TestRecurrentLines(t *testing.T) {
	for _, tt := range []struct{ line, want, reason string }{
		{
			"exec,cpu,rnn,ref,forward_inference,src_layer_f32::blocked:abc:f0 " +
				"src_iter_f32::blocked:abcd:f0 wei_layer_f32::blocked:abcde:f0 " +
				"wei_iter_f32::blocked:abcde:f0 wei_peephole_f32::blocked:abcd:f0 " +
				"wei_proj_f32::blocked:abcd:f0 bias_f32::blocked:abcd:f0 dst_layer_f32::blocked:abc:f0 " +
				"dst_iter_f32::blocked:abcd:f0,,alg:vanilla_lstm direction:bidirectional_concat " +
				"activation:undef,l1t5mb2sic4slc3dhc7dic4,285.281",
			"src_layer 5x2x3; src_iter 1x2x2x4; wei_layer 1x2x3x4x7; wei_iter 1x2x4x4x7; " +
				"wei_peephole 1x2x3x7; wei_proj 1x2x7x4; bias 1x2x4x7; dst_layer 5x2x8; dst_iter " +
				"1x2x2x4", "peepholes, a projection, two directions that are joined",
		},
		{
			"exec,cpu,rnn,ref,forward_inference,src_layer_f32::blocked:abc:f0 " +
				"src_iter_f32::blocked:abcd:f0 wei_layer_f32::blocked:abcde:f0 " +
				"wei_iter_f32::blocked:abcde:f0 bias_f32::blocked:abcd:f0 " +
				"dst_layer_f32::blocked:abc:f0 dst_iter_f32::blocked:abcd:f0,,alg:lbr_gru " +
				"direction:unidirectional_right2left activation:undef,l2t5mb2sic7slc7dhc7dic7,131.384",
			"src_layer 5x2x7; src_iter 2x1x2x7; wei_layer 2x1x7x3x7; wei_iter 2x1x7x3x7; bias " +
				"2x1x4x7; dst_layer 5x2x7; dst_iter 2x1x2x7", "a bias more",
		},
		{
			"exec,cpu,rnn,ref,forward_inference,src_layer_f32::blocked:abc:f0 " +
				"src_iter_f32::blocked:abcd:f0 wei_layer_f32::blocked:abcde:f0 " +
				"wei_iter_f32::blocked:abcde:f0 bias_f32::blocked:abcd:f0 " +
				"dst_layer_f32::blocked:abc:f0 dst_iter_f32::blocked:abcd:f0,,alg:vanilla_augru " +
				"direction:unidirectional_left2right activation:undef,l1t5mb2sic7slc3dhc7dic7,108.883",
			"src_layer 5x2x3; src_iter 1x1x2x7; wei_layer 1x1x3x3x7; wei_iter 1x1x7x3x7; bias " +
				"1x1x3x7; dst_layer 5x2x7; dst_iter 1x1x2x7", "an attention, which the line does not list",
		},
		{
			"exec,cpu,rnn,ref,forward_inference,src_layer_f32::blocked:abc:f0 " +
				"wei_layer_f32::blocked:abcde:f0 wei_iter_f32::blocked:abcde:f0 " +
				"bias_f32::blocked:abcd:f0 dst_layer_f32::blocked:abc:f0,,alg:vanilla_rnn " +
				"direction:bidirectional_sum activation:eltwise_tanh,l1t3mb2sic5slc5dhc5dic5,2.03491",
			"src_layer 3x2x5; wei_layer 1x2x5x1x5; wei_iter 1x2x5x1x5; bias 1x2x1x5; dst_layer " +
				"3x2x5", "two directions that are added",
		},
		{
			"exec,cpu,rnn,ref,forward_inference,src_layer_f32::blocked:abc:f0 wei_iter_f32::blocked:abcde:f0 " +
				"dst_iter_f32::blocked:abcd:f0,,alg:new_cell " +
				"direction:unidirectional_left2right,l1t5mb2sic7slc3dhc7dic7,1",
			"src_layer 5x2x3; dst_iter 1x1x2x7", "a cell of gates that are not known",
		},
		{
			"exec,cpu,rnn,ref,forward_inference,src_layer_f32::blocked:abc:f0 wei_iter_f32::blocked:abcde:f0,,," +
				"l1t5mb2sic7slc3dhc7dic7,1", "src_layer 5x2x3", "nothing is said of the cell",
		},
	} {
		found, err := notationOf(t, "onednn-verbose").Read("onednn_verbose,"+tt.line, Options{})
		var got []string
		for _, d := range found {
			got = append(got, d.Name+" "+layout.JoinInts(d.Tensor.Layout().Sizes(), "x"))
		}
		if err != nil || strings.Join(got, "; ") != tt.want {
			t.Errorf("%s:\n\t%q, %v, want\n\t%q; %s", tt.line, got, err, tt.want, tt.reason)
		}
	}
}
