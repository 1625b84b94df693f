package shape

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
)

// TestForeignNames has spellings of other systems beside the name that means the same here, on a shape.
func TestForeignNames(t *testing.T) {
	tests := []struct{ text, shape, same, dtype, reason string }{
		{"TensorFormat::kCHW32", "1x64x5x7", "chw32", "", "NvInferRuntimeBase.h"},
		{"nvinfer1::TensorFormat::kLINEAR", "1x64x5x7", "row-major", "", "TensorRT, C++"},
		{"trt.TensorFormat.HWC8", "1x3x5x7", "hwc8", "", "TensorRT, Python"},
		{"trt.TensorFormat.HWC", "1x3x5x7", "NHWC", "", "TensorRT's HWC has the batch before it"},
		{"fp16:chw32", "1x64x5x7", "chw32", "float16", "trtexec --inputIOFormats"},
		{"int8:chw4", "1x6x5x7", "chw4", "int8", "trtexec"},
		{"fp32:chw", "2x3x5x7", "row-major", "float32", "trtexec's chw is kLINEAR"},
		{"Channel major FP16 format where channel % 8 == 0", "1x20x6x5", "hwc8", "float16",
			"a layer in TensorRT's logs"},
		{"Channel major FP16 format where C % 16 == 0", "1x20x6x5", "hwc16", "float16", "get_tensor_format_desc"},
		{"Thirty-two wide channel vectorized row major Int8 format", "1x40x5x7", "chw32", "int8", "the same"},
		{"Row major linear FP32", "2x3x5x7", "row-major", "float32", "the engine inspector"},
		{"Channel major FP32 format", "1x3x5x7", "NHWC", "float32", "kHWC"},
		{"FORMAT_NCHW", "2x3x5x7", "NCHW", "", "TensorFlow's enumeration"},
		{"tensorflow::FORMAT_NHWC", "2x3x5x7", "NHWC", "", "TensorFlow, qualified"},
		{"CUDNN_TENSOR_NHWC", "2x3x5x7", "NHWC", "", "cudnnTensorFormat_t"},
		{"CUDNN_TENSOR_NCHW_VECT_C", "2x8x5x7", "NCHW4c", "", "cudnnTensorFormat_t of INT8x4"},
		{"miopenTensorNHWC", "2x3x5x7", "NHWC", "", "miopenTensorLayout_t"},
		{"ACL_FORMAT_NC1HWC0", "1x32x5x7", "NCHW16c", "", "aclFormat of float32"},
		{"ACL_FORMAT_ND", "2x3", "row-major", "", "aclFormat"},
		{"dnnl::memory::format_tag::nhwc", "2x3x5x7", "NHWC", "", "oneDNN, C++"},
		{"dnnl_acdb", "2x3x5x7", "acdb", "", "oneDNN, C"},
		{"tag::aBcd16b", "2x20x5x7", "aBcd16b", "", "the examples' alias"},
		{"at::MemoryFormat::ChannelsLast", "2x3x5x7", "channels_last", "", "PyTorch, C++"},
		{"torch.channels_last", "2x3x5x7", "channels_last", "", "PyTorch, Python"},
		{"phi::DataLayout::kNHWC", "2x3x5x7", "NHWC", "", "Paddle"},
		{"[N,C,H,W]", "2x3x5x7", "NCHW", "", "OpenVINO"},
		{"[Batch, Channels, Height, Width]", "2x3x5x7", "NCHW", "", "OpenVINO's words"},
		{"[N,H,W,C]", "2x5x7x3", "row-major", "", "OpenVINO labels the sizes as they are written"},
	}
	for _, tt := range tests {
		got, err := tensorOf(tt.shape, tt.text)
		want, wantErr := tensorOf(tt.shape, tt.same)
		if err != nil || wantErr != nil {
			t.Errorf("%s: %v, %v; %s", tt.text, err, wantErr, tt.reason)
			continue
		}
		if a, b := digitsOf(got), digitsOf(want); a != b {
			t.Errorf("%s on %s is %s, want %s; %s", tt.text, tt.shape, a, b, tt.reason)
		}
		if tt.dtype != "" && got.DType().String() != tt.dtype {
			t.Errorf("%s has elements of %s, want %s; %s", tt.text, got.DType(), tt.dtype, tt.reason)
		}
	}
}

// TestForeignStrides has formats in TensorRT's builder log for 1x3x224x224, and the formats of the same name in this
// package. The logs are from jetson-inference/issues/1630 and TensorRT/issues/3385.
func TestForeignStrides(t *testing.T) {
	tests := []struct{ text, shape, same string }{
		{"Float(150528,50176,224,1)", "1x3x224x224", "row-major"},
		{"Half(100352,50176:2,224,1)", "1x3x224x224", "chw2"},
		{"Float(50176,1:4,224,1)", "1x3x224x224", "NHWC4c"},
		{"Int8(589824,16384:4,128,1)", "1x144x128x128", "chw4"},
		{"Float(150528,1,672,3)", "1x3x224x224", "NHWC"},
	}
	for _, tt := range tests {
		got, err := tensorOf(tt.shape, tt.text)
		want, wantErr := tensorOf(tt.shape, tt.same)
		if err != nil || wantErr != nil {
			t.Errorf("%s: %v, %v", tt.text, err, wantErr)
			continue
		}
		if a, b := digitsOf(got), digitsOf(want); a != b {
			t.Errorf("%s on %s is %s, want %s", tt.text, tt.shape, a, b)
		}
	}
	for text, says := range map[string]string{
		"Half(1,14,196,100352)": "before 7.2", "Half(1,3,224,224)": "the sizes again",
		"Half(3,1)": "2 strides for 4 sizes",
	} {
		if _, err := tensorOf("1x3x224x224", text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
	for sizes, text := range map[string]string{ // of layers, TensorRT/issues/2011
		"64x10": "Float(64,10)", "512x256x3x3": "Half(512,256,3,3)", "8": "Int8(8)",
	} {
		if _, err := tensorOf(sizes, text); err == nil || !strings.Contains(err.Error(), "the sizes again") {
			t.Errorf("%s %s: %v, want the sizes again", sizes, text, err)
		}
	}
	if _, err := tensorOf("1x1", "Float(1,1)"); err != nil {
		t.Errorf("strides of 1 and 1 are right where both sizes are 1: %v", err)
	}
}

// TestParseLabels has layouts that label the sizes as written, and one that is none.
func TestParseLabels(t *testing.T) {
	for text, sizes := range map[string]string{ // of 1x4x5x3, in logical order: TensorFlow's NHWC
		"[N,H,W,C]": "[1 3 4 5]", "(NHWC)": "[1 3 4 5]", "NHWC": "[1 3 4 5]", "[NCHW]": "[1 4 5 3]",
	} {
		list, _ := ParseShape("1x4x5x3")
		n, err := ParseLabels(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got, err := (&Spec{Shape: list, Name: &n}).Tensor()
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		bySize := map[string]int64{}
		for i, name := range got.Layout().AxisNames() {
			bySize[name] = got.Layout().Sizes()[i]
		}
		if got := fmt.Sprint([]int64{bySize["N"], bySize["C"], bySize["H"], bySize["W"]}); got != sizes {
			t.Errorf("%s of 1x4x5x3: N, C, H, W are %s, want %s", text, got, sizes)
		}
		strides, _ := got.Layout().LinearStrides()
		if slices.Max(strides) != 60 || slices.Min(strides) != 1 {
			t.Errorf("%s: strides %v, want memory as written", text, strides)
		}
	}
	for _, text := range []string{"batch", "(XYZQ)", "[2]", "", "(", "(NCHW", "NCHW)", "(NCHW]", "[N,C", "N,C]"} {
		if n, err := ParseLabels(text); err == nil {
			t.Errorf("%s is read as %v", text, n)
		}
	}
}

func tensorOf(shape, name string) (layout.Tensor, error) {
	list, err := ParseShape(shape)
	if err != nil {
		return layout.Tensor{}, err
	}
	n, err := ParseName(name)
	if err != nil {
		return layout.Tensor{}, err
	}
	return Spec{Shape: list, Name: &n}.Tensor()
}

func digitsOf(t layout.Tensor) string {
	var digits []string
	for i := range t.Layout().Rank() {
		digits = append(digits, fmt.Sprint(t.Layout().Axis(i).DigitList()))
	}
	return strings.Join(digits, " ")
}

func TestForeignFaults(t *testing.T) {
	tests := []struct {
		text   string
		offset int
		says   string
	}{
		{"TensorFormat::kCHW33", 14, "TensorRT has no format kCHW33"},
		{"TensorFormat::NHWC", 14, "TensorRT has no format NHWC"},
		{"fp17:chw32", 0, "unknown element type fp17"},
		{"Channel major FP16 format where channel % 9 == 0", 4, "twice"},
		{"fp16:chw33", 5, "TensorRT has no format chw33"},
		{"fp16:chw+hwc8", 8, "several formats"},
		{"fp16:", 5, "TensorRT has no format"},
		{"format_tag::any", 13, "not those of a format tag"},
		{"FORMAT_NCHH", 10, "twice"},
		{"[N,...,C]", 3, "no names"}, {"N...C", 1, "no names"}, {"[N,C,?]", 5, "no name"}, {"[N,C", 4, "missing"},
		{"Half(100,50:2,10:2,1)", 12, "one axis"}, {"Half(100,50:0,1)", 12, "at least one"},
		{"Half(100,,1)", 9, "stride"}, {"Half(100;1)", 8, "a comma or )"}, {"half(100", 4, "is not a layout name"},
		{"[N,,C]", 3, "not the letter"}, {"[N,CX]", 3, "not the letter"}, {"[N,B]", 3, "twice"},
		{"[]", 1, "not the letter"}, {"[N,C]x", 6, "missing"},
	}
	for _, tt := range tests {
		_, err := ParseName(tt.text)
		var syntax *layout.SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset != tt.offset || !strings.Contains(syntax.Msg, tt.says) ||
			syntax.Input != tt.text {
			t.Errorf("%s: %#v, want %q at %d", tt.text, err, tt.says, tt.offset)
		}
	}
	list, _ := ParseShape("1x64x5x7")
	n, _ := ParseName("fp16:chw32")
	if _, err := (Spec{Shape: list, Name: &n, Typed: true}).Tensor(); err == nil {
		t.Error("-t float32 does not contradict fp16:chw32")
	}
}
