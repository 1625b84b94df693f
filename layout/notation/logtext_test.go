package notation

import (
	"strings"
	"testing"
)

// TestStated reads tensors that PyTorch and NumPy print in logs and at prompts; stated.py has made the lines.
func TestStated(t *testing.T) {
	t.Parallel()
	for _, l := range corpus(t, "testdata/stated.txt") {
		found, err := Read(l.text, Options{})
		if err != nil || len(found) != 1 {
			t.Errorf("%q: %v, %v, want %s", l.text, found, err, l.want)
			continue
		}
		got := found[0].Name + " " + meaning(found[0])
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(l.want), " ") {
			t.Errorf("%q is %s, want %s", l.text, got, l.want)
		}
	}
}

// TestWhose has tensors as other systems print them. Their strides count elements, or bytes like NumPy's.
func TestWhose(t *testing.T) {
	const own = "row-major · 2 × 3 × 4 · float16\n\n axis │ size │ stride │ bytes │ comes from\n" +
		" 0    │    2 │     12 │    24 │ 3 × 4\n 1    │    3 │      4 │     8 │ 4\n" +
		" 2    │    4 │      1 │     2 │ innermost\n\nSizes   = { 2, 3, 4 }\n" +
		"Strides = { 12, 4, 1 }\nOffset  = 5\npacked, 24 elements, 48 bytes"
	tests := []struct{ text, want, source string }{
		{own, " float16 2,3,4 @ 12,4,1 + 5", "layoutcalc strides 2x3x4 -t float16 --storage-offset 5"},
		{"Sizes   = { 2, 3 }\nStrides = { 1, 2 }", " 2,3 @ 1,2", "lines of layoutcalc"},
		{"w shape:[2048, 32], stride:[1, 2048], is_contiguous:false", "w 2048,32 @ 1,2048", "candle/issues/1948"},
		{"lhs_l: Layout { shape: [1, 8, 128, 64], stride: [819200, 102400, 64, 1] }",
			"lhs_l 1,8,128,64 @ 819200,102400,64,1", "candle's Layout"},
		{"matmul is only supported for contiguous tensors lstride: Layout { shape: [64, 256], stride: [1792, 1], " +
			"start_offset: 256 } rstride: Layout { shape: [256, 256], stride: [1, 256], start_offset: 0 } mnk: (64, " +
			"256, 256)",
			"lstride 64,256 @ 1792,1 + 256; rstride 256,256 @ 1,256", "candle/issues/2373"},
		{"Tensor[dims 3, 224, 224; f32]", " float32 3,224,224 @ 50176,224,1", "candle/issues/1942"},
		{"[[0, 4, 8],\n [16, 20, 24]], shape=[2, 3], strides=[16, 4], layout=Custom (0x0), const ndim=2", " 2,3 @ 16,4",
			"ndarray/pull/490"},
		{"ArrayView { shape: [4, 8], strides: [16, 4], dtype: f32 }", " float32 4,8 @ 16,4", "CubeCL"},
		{"View((4, 2), (2, 1), 0, (1, 1))", " 4,2 @ 2,1", "tinygrad/issues/1152"},
		{"tl.make_block_ptr(base=a_ptr, shape=(128, 64), strides=(2, 256), offsets=(0, 0), block_shape=(64, 32), " +
			"order=(0, 1))",
			" 128,64 @ 2,256", "Triton"},
		{"A: T.Buffer((128, 64), \"float16\", strides=(64, 1), offset_factor=1)", "A float16 128,64 @ 64,1", "TVM"},
		{"T.match_buffer(a, (128, 64), \"float32\", strides=[64, 1], elem_offset=8)", " float32 128,64 @ 64,1 + 8",
			"TVM"},
		{"Float16 1 x 1 x 512 x 8 array shape: [1, 1, 512, 8] strides: [16384, 16384, 32, 4]",
			" float16 1,1,512,8 @ 16384,16384,32,4", "Core ML's MLMultiArray"},
		{"<Output: names[images] shape[1,3,640,640] type: f32>", "names[images] float32 1,3,640,640 @ " +
			"1228800,409600,640,1",
			"OpenVINO"},
		{`{"shape": [2, 3], "strides": [24, 8], "dtype": "<i8"}`, " int64 2,3 @ 3,1", "NumPy's type: bytes"},
		{"a.strides, a.shape\n(24, 8) (2, 3)", "a 2,3 @ 6,2", "a question in another order, and float32"},
		{"(1, 2) torch.float16 torch.Size([2, 3])", " float16 2,3 @ 1,2", "values in another order"},
		{"x.stride()=(1, 2) x.shape=torch.Size([2, 3]) x.numel()=6", "x 2,3 @ 1,2", "fields in another order"},
		{"x: torch.Size([2, 3])\ny: torch.Size([3])\nx.stride(): (1, 2)\ny.stride(): (2,)", "x 2,3 @ 1,2; y 3 @ 2",
			"one label on two lines"},
		{"[[0.5, 0.25, 1],\n [2, 3, 4]]\nTensor[[2, 3], f32]", " float32 2,3 @ 3,1", "candle's Display"},
		{"Tensor[[2, 3], bf16, cuda:0]", " bfloat16 2,3 @ 3,1", "candle's Display, on a GPU"},
		{"dict(shape=(2, 3), stride=(1, 2), dtype=torch.float16)", " float16 2,3 @ 1,2", "Python's dict"},
		{"k torch.Size([2, 3]), stride (1, 2), contiguous False", "k 2,3 @ 1,2", "contiguous, without is_"},
		{"x torch.Size([2, 3]) device cuda:0 stride (1, 2)", "x 2,3 @ 1,2", "a device without an ="},
		{"Layer: conv1.weight | Size: torch.Size([6, 3]) | Values : ", " 6,3 @ 3,1", "PyTorch's tutorial"},
		{"Model's state_dict:\nconv1.weight \t torch.Size([6, 3, 5, 5])\nconv1.bias \t torch.Size([6])",
			"conv1.weight 6,3,5,5 @ 75,25,5,1; conv1.bias 6 @ 1", "PyTorch's tutorial"},
		{"OrderedDict([('w', torch.Size([6, 3])), ('b', torch.Size([6]))])", "w 6,3 @ 3,1; b 6 @ 1", "a state_dict"},
		{"shape: (2, 3) strides: (12, 4) dtype: >f4", " float32 2,3 @ 3,1", "a typestr without quotes"},
		{"Input shape: (2, 3), strides: (12, 4), dtype: float32", "Input float32 2,3 @ 3,1", "a label of two words"},
		{"Input tensor shape: (1, 3, 4, 5)", "Input tensor 1,3,4,5 @ 60,20,5,1", "a label without strides"},
		{"X_train shape: (6, 28), y_train shape: (6,)", "X_train 6,28 @ 28,1; y_train 6 @ 1", "two labels on a line"},
		{"In shape: (2, 3), In strides: (12, 4), In dtype: float32; Out shape: (4,), Out dtype: int8",
			"In float32 2,3 @ 3,1; Out int8 4 @ 1", "a label before each field"},
		{"shape=(2, 3), dtype=float16, device=cuda:0", " float16 2,3 @ 3,1", "a line without strides"},
		{"<tf.Tensor: shape=(2, 3), dtype=float32, numpy=\narray([[1., 2., 3.],\n       [4., 5., 6.]], dtype=float32)>",
			"tf.Tensor float32 2,3 @ 3,1", "TensorFlow, guide/tensor"},
		{"tf.Tensor([[1 2]], shape=(1, 2), dtype=int32)", " int32 1,2 @ 2,1", "TensorFlow, print"},
		{"<tf.Variable 'Variable:0' shape=(2, 3) dtype=float32>", "tf.Variable 'Variable:0' float32 2,3 @ 3,1",
			"TensorFlow, guide/variable"},
		{"ShapeDtypeStruct(shape=(8, 128), dtype=bfloat16, sharding=NamedSharding(mesh=Mesh('x': 2), spec=P('x',)))",
			" bfloat16 8,128 @ 128,1", "JAX"},
		{"Traced<ShapedArray(bfloat16[8,128])>with<DynamicJaxprTrace>", " bfloat16 8,128 @ 128,1", "JAX"},
		{"JitTracer<float16[8,128]>", " float16 8,128 @ 128,1", "JAX 0.7"},
		{"Tensor[(1, 3, 4), float16]", " float16 1,3,4 @ 12,4,1", "TVM's Relay"},
		{"lv0: R.Tensor((1, 3, 4), dtype=\"float16\")", "lv0 float16 1,3,4 @ 12,4,1", "TVM's Relax"},
		{"def main(A: T.Buffer((8, 64), \"float16\"), B: T.Tensor((64,), \"int8\")):", "A float16 8,64 @ 64,1; " +
			"B int8 64 @ 1", "TVM's script and TileLang"},
		{"A = te.placeholder((8, 64), name=\"A\", dtype=\"float16\")", "A float16 8,64 @ 64,1", "TVM"},
		{"MLMultiArray: shape = [1, 3], strides = [3, 1], dataType = Float16", "MLMultiArray float16 1,3 @ 3,1",
			"Core ML"},
		{"TensorSpec(dtype=torch.float16, shape=torch.Size([2, 3]), layout=torch.strided)", " float16 2,3 @ 3,1",
			"PyTorch export"},
		{"Tensor(shape=[2, 3], dtype=float32, place=Place(gpu:0), stop_gradient=True,\n       [[1., 2., 3.],\n" +
			"        [4., 5., 6.]])", " float32 2,3 @ 3,1", "Paddle"},
		{"shape: (2, 3), dtype: jnp.int4", " int8 2,3 @ 3,1", "JAX: an itemsize of 1"},
		{"assert x.shape == (2, 3)\nassert x.stride() == (1, 2)", "x 2,3 @ 1,2", "assertions"},
		{"assert tuple(x.shape) == (2, 3), f\"not {x.shape}\"", "x 2,3 @ 3,1", "an assertion with a message"},
	}
	for _, tt := range tests {
		found, err := Read(tt.text, Options{})
		var all []string
		for _, d := range found {
			all = append(all, d.Name+" "+meaning(d))
		}
		if got := strings.Join(all, "; "); err != nil || got != tt.want {
			t.Errorf("%s\nis %q, %v, want %q; %s", tt.text, got, err, tt.want, tt.source)
		}
	}
}

// TestNoTensors has strings that are rejected, with the position and the reason.
func TestNoTensors(t *testing.T) {
	checkFaults(t, []fault{
		{"torch.Size([2, 3]) has stride (1, 2)", "has", "not known to be the name"},
		{"torch.Size([2, 3]) (1, 2) True", "True", "is_contiguous is True"},
		{"x.shape=torch.Size([2, 3]), x.stride()=(3, 1), x.is_contiguous()=False", "False", "is_contiguous is False"},
		{"torch.Size([2, 3]), stride (1, 2), contiguous True", "True", "contiguous is True"},
		{"x.contiguous().stride() (3, 1)", "stride", "sizes are missing"},
		{"q: shape=torch.Size([2, 3]), stride=(1, 2)\nq.contiguous()", "q.contiguous", "q may be another tensor"},
		{"x torch.Size([2, 3]) NHCW", "NHCW", "may be the name of a layout"},
		{"q: shape=torch.Size([2, 3]), stride=(1, 2)\nq.t_()", "q.t_", "q may be another tensor"},
		{"q: shape=torch.Size([2, 3]), stride=(1, 2)\nq = q.t()", "q = q", "q may be another tensor"},
		{"x.size(0)=2 x.size(1)=3 x.stride()=(1,2)", "x.stride", "sizes are missing"},
		{"nn.MaxPool2d(size=(3,3), stride=(2,2))", "nn.Max", "arguments are not read"},
		{"torch.zeros(2, N)", "N", "N is not known"},
		{"torch.zeros(N, 2)", "N", "N is not known"},
		{"torch.zeros(n)", "n", "not a list of numbers"},
		{"torch.zeros(2, False)", "False", "no parameter for"},
		{"args.size = [3, 3], args.stride = [2, 2]", "args.size", "window or an image"},
		{"Kernel shape: (3, 3), strides: (2, 2), dtype: float32", "shape", "the shape of a window"},
		{"max_pool: shape=(3, 3), strides=(2, 2)", "shape", "the shape of a window"},
		{"shape=(None, 3), dtype=float32", "None", "this size is not known"},
		{"NodeArg(name='x', type='tensor(float)', shape=['batch', 3])", "'batch'", "batch is not known"},
		{"assert x.shape != (2, 3)", "", "not recognized"},
		{"assert x.shape == (2, 3) == y.shape", "== y", "a sentence"},
		{"assert x.shape == (2, 3) or x.shape == (3, 2)", "or", "not known to be the name"},
		{"x.shape == (2, 3)", "x", "a sentence"},
		{"shape=[2,3], strides=[12,4], dtype=float32", "", "read this differently"},
		{`{"shape": [2,3], "strides": [12,4], "dtype": "float32"}`, "", "read this differently"},
		{"View(shape=(2, 3, 4), strides=(0, 4, 8), offset=4, mask=((0, 2), (0, 3), (1, 3)), contiguous=False)", "((0",
			"mask"},
		{"shape=[2, 2], strides=[2, 1], layout=Cc (0x5), const ndim=3", "3", "ndim is 3"},
		{"torch.Size([2, 3]) (3, 1) (1, 1)", "(1, 1)", "third list"},
		{"Float16 1 x 4 array shape: [1, 3] strides: [3, 1]", "[1, 3]", "at the start"},
		{"memoryview: format='f', itemsize=8, shape=(5,), strides=(4,)", "8", "itemsize is 8"},
		{`{"dtype": "f32", "sizes": [1, 224, 224, 3], "layout": "NHWC"}`, `"NHWC"`, "layout NHWC"},
		{"tensor([[1, 2], [2, 1]], dtype=torch.uint8)", "tensor", "values of tensor"},
		{"index = tensor([[0, 1], [1, 0]], dtype=torch.int32)", "tensor", "values of tensor"},
		{"tensor([[1, 2, 3],\n        [4, 5, 6]], device='cuda:0', dtype=torch.int32)", "tensor", "values of tensor"},
		{"loss(tensor([[4, 6], [6, 1]], dtype=torch.int64))", "tensor", "values of tensor"},
		{"emb(torch.tensor([[1, 2], [2, 1]]))", "emb", "no sizes"},
		{"torch.allclose(x, torch.tensor([[1,2],[2,1]]))", "torch.allclose", "no sizes"},
		{"grid (4, 6) torch.Size([2, 3])", "grid", "not known to be before strides"},
		{"epoch, (1, 20) torch.Size([2, 3])", "epoch", "not known to be before strides"},
		{"crop=(1, 2) torch.Size([2, 3])", "crop", "not known to be before strides"},
		{"shape=(1, 2) torch.Size([2, 3])", "shape", "not known to be before strides"},
		{">>> x.shape, x.numel(), x.storage_offset()\n(torch.Size([2, 3]), 6, 12)", "x.storage", "does not follow"},
		{">>> x.storage_offset()\n>>> x.shape\ntorch.Size([2, 3])", "x.storage", "not in the text"},
	})
}

// TestOpenSizes has inputs with sizes that are None or a name in quotes.
func TestOpenSizes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		o    Options
		want string
	}{
		{"TensorSpec(shape=(None, 3), dtype=tf.float16, name=None)", Options{Dims: []int64{2}}, "float16 2,3 @ 3,1"},
		{"NodeArg(name='x', type='tensor(float)', shape=['batch', 3])",
			Options{Names: map[string]int64{"batch": 2}}, "float32 2,3 @ 3,1"},
		{"float16[batch,3]", Options{Names: map[string]int64{"batch": 2}}, "float16 2,3 @ 3,1"},
		{"Input shape: (None, 3, None)", Options{Dims: []int64{2, 4}}, "2,3,4 @ 12,4,1"},
	}
	for _, tt := range tests {
		found, err := Read(tt.text, tt.o)
		if err != nil || len(found) != 1 || meaning(found[0]) != tt.want {
			t.Errorf("%s: %v, %v, want %s", tt.text, found, err, tt.want)
		}
	}
}
