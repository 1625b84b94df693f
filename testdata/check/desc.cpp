// Pasted from the code that crashes.
constexpr UINT sizes[4] = { 1, 64, 112, 112 };
constexpr UINT strides[4] = { 802816, 1, 7168, 64 };

DML_BUFFER_TENSOR_DESC desc = {};
desc.DataType = DML_TENSOR_DATA_TYPE_FLOAT16;
desc.Flags = DML_TENSOR_FLAG_NONE;
desc.DimensionCount = ARRAYSIZE(sizes);
desc.Sizes = sizes;
desc.Strides = strides;
desc.TotalTensorSizeInBytes = 1605630;
