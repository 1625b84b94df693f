package notation

import (
	"strings"
	"testing"
)

// TestUnread checks that types and calls of other systems are rejected by name, and that the hint has the sizes if the
// input states them.
func TestUnread(t *testing.T) {
	for _, tt := range []struct{ text, says, meant string }{
		{"vector<4x8xf32>", "a vector of MLIR", "4x8"},
		{"vector<4x8xi8>", "a vector of MLIR", "4x8 -t int8"},
		{"vector<[4]x8xf32>", "a vector of MLIR", ""},
		{"Kokkos::View<float**, LayoutLeft>", "a view of Kokkos", ""},
		{"Kokkos::View<float[4][8], Kokkos::LayoutLeft>", "a view of Kokkos", "4x8 column-major"},
		{"Kokkos::View<float*[8][4]>", "a view of Kokkos", ""},
		{"Eigen::Tensor<float, 4>", "the number of axes", ""},
		{"Eigen::Matrix<double, 4, 8>", `"Eigen::Matrix" is not read`, "4x8 column-major -t float64"},
		{"Eigen::Matrix<double, 4, 8, Eigen::RowMajor>", `"Eigen::Matrix" is not read`, "4x8 -t float64"},
		{"Halide::Runtime::Buffer<float>(2, 3, 4)", "is not read", "2x3x4 column-major"},
		{"Fortran::Array<float, 2, 3>", "is not read", "2x3 column-major"},
		{"at::TensorAccessor<float, 2>", "an accessor", ""},
		{"ggml_tensor", "ne and nb", ""},
		{"cudnnTensorDescriptor_t desc", "a cuDNN descriptor", ""},
		{"nvinfer1::Dims4{1,3,224,224}", "is not read", "1x3x224x224"},
		{"SlicedArray(float32[2,3])", "is not read", "2x3"},
		{"SlicedArray(float32[n,2,3])", "is not read", ""}, // open sizes
		{"Eigen::Matrix<double, Eigen::Dynamic, 4, 8>", "is not read", ""},
		{"Eigen::Matrix<float, -1, 8>", "is not read", ""},
		{"float x[N][4][8]", "an array of C", ""},
		{"float x[4][8][N]", "an array of C", ""},
		{"float x[4][N][8][2]", "an array of C", ""},
		{"vector<4x8xnx2xf32>", "a vector of MLIR", ""},
		{"nvinfer1::Dims4{-1, 3, 224, 224}", "is not read", ""},
		{"nvinfer1::Dims4{1, 3, n, 224}", "is not read", ""},
		{"Eigen::Matrix<std::complex<float>, 4, 8>", "is not read", ""},
		{"cv::Mat(3, 4, CV_8UC3)", "is not read", ""},
		{"vector<4x8xindex>", "a vector of MLIR", ""},
		{"char x[4][8];", "an array of C", ""},
		{"uint8_t x[4][8];", "an array of C", "4x8 -t uint8"},
		{"unsigned x[4][8];", "an array of C", "4x8 -t uint32"},
		{"float x[0x10][8];", "an array of C", ""}, // other numbers
		{"Eigen::Tensor<float, 2, 3>", "the number of axes", ""},
		{"Kokkos::View<float[4][8], Kokkos::LayoutStride>", "a view of Kokkos", ""},
		{"Kokkos::View<float[4][8], Kokkos::LayoutRight>", "a view of Kokkos", "4x8"},
		{"Kokkos::View<float[4][8]>", "a view of Kokkos", ""}, // the layout is that of the memory space
		{"f(2, 3)", "", ""},
		{"Conv(2, 3, 4, 5; 6, 7)", "is not read", ""},
		{"float x[4][8];", "an array of C", "4x8"},
		{"float[4][8]", "an array of C", "4x8"},
		{"const double[4][8]", "an array of C", "4x8 -t float64"},
		{"UINT sizes[4] = {1, 3, 4, n};", "", ""}, // this is read: n is not known
		{"UINT sizes[2]; sizes[0] = 1; sizes[1] = 3;", "an array of C", ""},
		{"permute(0,2,1)", "", ""},
		{"NHWC(1,2)", "", ""},
		{"tensor<4x8xf32>", "", ""},
		{"memref<4x8xf32>", "", ""},
		{"f32[4][8]", "", ""},
		{"UINT[", "an array of C", ""},
		{"7.Size([", "is not read", ""},
	} {
		err, meant := Unread(tt.text)
		got := ""
		if err != nil {
			got = err.Msg
		}
		if !strings.Contains(got, tt.says) || tt.says == "" && err != nil || strings.Join(meant, " ") != tt.meant {
			t.Errorf("%s: %q, %q, want %q, %q", tt.text, got, meant, tt.says, tt.meant)
		}
	}
}
