package notation

import (
	"strings"
	"testing"
)

// TestUnknownFields has a field of an invented name next to the sizes, in each form of fields. It may decide the
// layout, so it is an error that names it.
func TestUnknownFields(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"shape=(2, 3), dtype=torch.float32, zorp=3",
		"zorp=3, shape=(2, 3), dtype=torch.float32",
		"shape=(2, 3) stride=(3, 1) zorp=3",
		"x: shape=(2, 3) dtype=torch.float32 zorp=[3]",
		"x torch.Size([2, 3]) (3, 1) torch.float32 zorp: 3",
		"shape: (2, 3)\ndtype: torch.float32\nzorp: 3",
		"x.shape=torch.Size([2, 3]), x.zorp=3",
		"q_shape=[2, 3], q_stride=[3, 1], q_zorp=3",
		"Tensor(shape=[2, 3], zorp=Place(gpu:0), dtype=float32)",
		"<KerasTensor shape=(2, 3), dtype=float32, zorp=False>",
		"Layout { shape: [2, 3], stride: [3, 1], zorp: 0 }",
		"TensorMetadata(shape=torch.Size([2, 3]), dtype=torch.float32, stride=(3, 1), zorp=None)",
		"FakeTensor(..., size=(2, 3), zorp=3)",
		"torch.empty(2, 3, zorp=3)",
		"torch.empty_strided((2, 3), (3, 1), zorp=3)",
		"np.zeros((2, 3), zorp=3)",
		"%x : Float(2, 3, strides=[3, 1], requires_grad=0, zorp=3) = f()",
		"T.Buffer((2, 3), 'float32', strides=(3, 1), zorp=3)",
		"cute.make_layout((2, 3), zorp=(1, 0))",
		`{"shape": [2, 3], "strides": [3, 1], "dtype": "float32", "zorp": 3}`,
		`{"w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24], "zorp": 3}}`,
		"{'shape': (2, 3), 'typestr': '<f4', 'version': 3, 'zorp': 3}",
		`{"ndim": 2, "dtype": {"code": 2, "bits": 32, "lanes": 1}, "shape": [2, 3], "zorp": 3}`,
		"DLTensor{ndim=2, shape={2, 3}, strides={3, 1}, dtype={2, 32, 1}, zorp=3}",
		"type = GGML_TYPE_F32, ne = {3, 2}, nb = {4, 12}, zorp = 3",
		"DML_BUFFER_TENSOR_DESC d = {DML_TENSOR_DATA_TYPE_FLOAT32, .Sizes = s, .zorp = 3}; UINT s[] = {2, 3};",
		`{"tensors": {"X": {"data_type": "HALF", "dim": [2, 3], "stride": [3, 1], "zorp": 3}}}`,
	} {
		name := "zorp"
		if strings.Contains(text, "x.zorp") {
			name = "x.zorp"
		}
		checkFaults(t, []fault{{text, name, "unknown field " + name}})
		if plain := strings.Replace(text, "zorp", "requires_grad", 1); plain != text {
			if _, err := Read(plain, Options{}); err != nil {
				t.Errorf("%s: %v, though requires_grad cannot change the layout", plain, err)
			}
		}
	}
}

// TestOtherWords has names with values that are not fields of the tensor: they are notes.
func TestOtherWords(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"acc=0.5 zorp=3 shape=(2, 3) dtype=torch.float32",
		"2024-01-01 12:00:00 INFO trainer: zorp=3, shape=(2, 3), dtype=torch.float32",
		"x.shape=torch.Size([2, 3]), x.stride()=(3, 1), zorp=3",
		"Result { layout: Layout { shape: [2, 3], stride: [3, 1], start_offset: 0 }, zorp: 3 }",
	} {
		found, err := Read(text, Options{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if notes := strings.Join(found[0].Skipped, "; "); !strings.Contains(notes, "zorp is not read") {
			t.Errorf("%s: the notes are %q", text, notes)
		}
	}
}

// TestContradictions has statements about 2x3 4-byte elements, and about 1x3x4x4 elements, that cannot be true of the
// same tensor.
func TestContradictions(t *testing.T) {
	t.Parallel()
	for _, field := range []struct{ wrong, right string }{
		{"numel=7", "numel=6"},
		{"total=5", "total=6"},
		{"total=25", "total=24"},
		{"row_major=False", "row_major=True"},
		{"column_major=True", "column_major=False"},
		{"nelement=5", "nelement=6"},
		{"num_elements=0", "num_elements=6"},
		{"elements=12", "elements=6"},
		{"nbytes=25", "nbytes=24"},
		{"size_in_bytes=6", "size_in_bytes=24"},
		{"sizeInBytes=23", "sizeInBytes=24"},
		{"byte_length=48", "byte_length=24"},
		{"data_offsets=[0, 13]", "data_offsets=[8, 32]"},
		{"total_bytes=20", "total_bytes=32"}, // a buffer may be larger
		{"itemsize=8", "itemsize=4"},
		{"element_size=2", "element_size=4"},
		{"ndim=3", "ndim=2"},
		{"rank=1", "rank=2"},
		{"is_contiguous=False", "is_contiguous=True"},
		{"C_CONTIGUOUS=False", "C_CONTIGUOUS=True"},
		{"F_CONTIGUOUS=True", "F_CONTIGUOUS=False"},
	} {
		for _, form := range []string{
			"shape=(2, 3), dtype=torch.float32, FIELD", "FIELD, shape=(2, 3), dtype=torch.float32",
			"torch.Size([2, 3]) (3, 1) torch.float32 FIELD", "Tensor(shape=[2, 3], FIELD, dtype=float32)",
			"FakeTensor(..., size=(2, 3), dtype=torch.float32, FIELD)",
			"{'shape': (2, 3), 'typestr': '<f4', FIELD}",
		} {
			wrong, right := field.wrong, field.right
			if strings.HasPrefix(form, "{") {
				wrong, right = "'"+strings.Replace(wrong, "=", "': ", 1), "'"+strings.Replace(right, "=", "': ", 1)
			}
			if found, err := Read(strings.Replace(form, "FIELD", wrong, 1), Options{}); err == nil {
				t.Errorf("%s with %s is read as %s", form, wrong, readingOfTensors(found))
			}
			found, err := Read(strings.Replace(form, "FIELD", right, 1), Options{})
			if err != nil || !strings.Contains(meaning(found[0]), "2,3 @ 3,1") {
				t.Errorf("%s with %s: %v, %v", form, right, found, err)
			}
		}
	}
}

// TestMemoryFormats has PyTorch's memory format in each form of fields. The strides are those of
// torch.empty(1, 3, 4, 4).to(memory_format=torch.channels_last).
func TestMemoryFormats(t *testing.T) {
	t.Parallel()
	for _, format := range []string{
		"memory_format=torch.channels_last", "memory_format='channels_last'", "is_channels_last=True",
		"channels_last=True", "suggest_memory_format=torch.channels_last",
	} {
		for _, form := range []string{
			"shape=(1, 3, 4, 4), dtype=torch.float32, FIELD", "FIELD, shape=(1, 3, 4, 4), dtype=torch.float32",
			"Tensor(shape=[1, 3, 4, 4], FIELD, dtype=float32)", "torch.empty(1, 3, 4, 4, FIELD)",
			"FakeTensor(..., size=(1, 3, 4, 4), dtype=torch.float32, FIELD)",
			"{'shape': (1, 3, 4, 4), 'typestr': '<f4', FIELD}",
			"DLTensor{ndim=4, shape={1, 3, 4, 4}, dtype={2, 32, 1}, FIELD}",
		} {
			field := format
			if strings.HasPrefix(form, "{") {
				field = "'" + strings.Replace(format, "=", "': ", 1)
			}
			text := strings.Replace(form, "FIELD", field, 1)
			found, err := Read(text, Options{})
			if err != nil || !strings.HasSuffix(meaning(found[0]), "1,3,4,4 @ 48,1,12,3") {
				t.Errorf("%s: %v, %v", text, found, err)
			}
		}
		checkFaults(t, []fault{
			{"FakeTensor(..., size=(1,3,4,4), stride=(48,16,4,1), " + format + ")", "", "contradicts the strides"},
			{"shape=(1,3,4,4) " + format + " stride=(48,16,4,1)", "", "contradicts the strides"},
		})
	}
}
