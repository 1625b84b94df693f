package notation

import "testing"

// TestCalls has PyTorch calls in C++, AOTInductor programs, and C arrays. The expected readings are those of the same
// arguments in Python.
func TestCalls(t *testing.T) {
	checkReadings(t, "pytorch", []reading{
		{"torch::from_blob(ptr, {2, 3}, {1, 2}, torch::kFloat)", "float32 2,3 @ 1,2", "sizes, then strides"},
		{"auto t = torch::from_blob(data.data(), {2, 3}, torch::kFloat64);", "float64 2,3 @ 3,1", "row-major"},
		{"at::empty_strided({2, 3}, {3, 1}, at::kHalf)", "float16 2,3 @ 3,1", "a type alone"},
		{"torch::empty({2, 3, 4, 5}, torch::TensorOptions().dtype(torch::kFloat16).device(torch::kCUDA)" +
			".memory_format(torch::MemoryFormat::ChannelsLast))", "float16 2,3,4,5 @ 60,1,15,3", "channels_last"},
		{"std::vector<int64_t> sizes = {2, 3}; auto t = at::empty_strided(sizes, {1, 2}, opts);", "2,3 @ 1,2",
			"an array"},
		{"static constexpr int64_t int_array_0[] = {2L, 3L}; static constexpr int64_t int_array_1[] = {1L, 2L};\n" +
			"AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_0, int_array_1, " +
			"cached_torch_dtype_float16, cached_torch_device_type_cuda, this->device_idx_, &buf0_handle));",
			"float16 2,3 @ 1,2", "AOTInductor"},
		{"int64_t shape[4] = {1, 3, 2, 2};", "1,3,2,2 @ 12,4,2,1", "packed"},
		{"size_t sizes[] = {2, 3}; size_t strides[] = {1, 2};", "2,3 @ 1,2", "two arrays"},
		{"UINT sizes[2] = {2, 3}, strides[2] = {5, 1};", "2,3 @ 5,1", "one declaration"},
		{"const std::vector<int64_t> x_sizes{2, 3};\nconst std::vector<int64_t> x_strides{1, 2};", "2,3 @ 1,2",
			"braces"},
		{`int64_t sizes[2] = {2, 3}; printf("%d", sizes[0]);`, "2,3 @ 3,1", "it is only printed"},
		{"at::empty({2, 3}, at::TensorOptions(at::kHalf))", "float16 2,3 @ 3,1", "the type among the options"},
		{"std::array<int64_t, 2> dims = {3, 4}; std::array<int64_t, 2> strides = {1, 3};", "3,4 @ 1,3", "std::array"},
	})
	checkRefusals(t, "pytorch", []wrong{
		{text: "auto x = torch::randn({2, 3, 4}).permute({2, 0, 1});", at: ".permute", says: "not understood"},
		{text: "auto t = torch::zeros({2, 3}); t.t_();", at: "t.t_", says: "not understood"},
		{text: "torch::zeros({n, 3})", at: "n, 3", says: "--dim n=8"},
		{text: "int64_t sizes[4] = {1, 3};", at: "{1", says: "an array of 4 has 2 numbers"},
		{text: "int64_t sizes[] = {2, 3, n};", at: "n}", says: "n is not known"},
		{text: "std::vector<int64_t> sizes{2, 3}; sizes.push_back(4);", at: "sizes.push", says: "not understood"},
		{text: "int64_t sizes[] = {2, 3}; std::reverse(sizes, sizes + 2);", at: "sizes, sizes", says: "not understood"},
		{text: "std::vector<int64_t> strides{1, 2};", at: "std::v", says: "sizes are missing"},
	})
}

// TestPrintedTypes has types with sizes as ONNX Runtime, Netron and JAX print them.
func TestPrintedTypes(t *testing.T) {
	checkReadings(t, "fx", []reading{
		{"float32[1,3,640,640]", "float32 1,3,640,640 @ 1228800,409600,640,1", "packed"},
		{"int64[2, 3]", "int64 2,3 @ 3,1", "packed"},
	})
}
