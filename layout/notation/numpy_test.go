package notation

import (
	"errors"
	"strings"
	"testing"

	"layoutcalc/layout"
)

// TestNumPyArrays has arrays with the byte strides that NumPy 1.24 gave them.
func TestNumPyArrays(t *testing.T) {
	tests := []struct {
		text, want string
		bytes      string
		low, end   int64 // the bytes from and up to which the elements lie
		reason     string
	}{
		{text: "np.zeros((2, 3, 4), '<f4')", want: "float32 2,3,4 @ 12,4,1", bytes: "48,16,4", end: 96,
			reason: "C order"},
		{text: "np.zeros((2, 3, 4), '<f4', order='F')", want: "float32 2,3,4 @ 1,2,6", bytes: "4,8,24", end: 96,
			reason: "the same in Fortran order"},
		{text: "shape=(2, 4, 3), strides=(48, 4, 16), dtype='<f4'", want: "float32 2,4,3 @ 12,1,4", bytes: "48,4,16",
			end: 96, reason: "transpose(0, 2, 1)"},
		{text: "shape=(2, 2), strides=(96, 24), dtype='<f8'", want: "float64 2,2 @ 12,3", bytes: "96,24", end: 128,
			reason: "f8 (4,6)[::2,::3]"},
		{text: "shape=(5,), strides=(-2,), dtype='<i2'", want: "int16 5 @ -1", bytes: "-2", low: -8, end: 2,
			reason: "i2 (5,)[::-1]: from -8 to +2"},
		{text: "shape=(2, 3), strides=(0, 4), dtype='<i4'", want: "int32 2,3 @ 0,1", bytes: "0,4", end: 12,
			reason: "broadcast (3,) to (2,3)"},
		{text: "shape=(1, 3), strides=(100, 4), dtype='<f4'", want: "float32 1,3 @ 25,1", bytes: "100,4", end: 12,
			reason: "(1,3) with a stride that does not count"},
		{text: "shape=(0, 3), strides=(0, 0), dtype='<f8'", want: "float64 0,3 @ 0,0", bytes: "0,0",
			reason: "zeros (0,3)"},
		{text: "np.zeros((), '<f8')", want: "float64  @ ", end: 8, reason: "zeros () f8"},
		{text: "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", want: "float32 2,3 @ 1,2", bytes: "4,8",
			end: 24, reason: "an .npy header"},
	}
	for _, tt := range tests {
		d, err := single(t, "numpy", tt.text, Options{})
		if strings.Contains(tt.text, "descr") {
			d, err = single(t, "numpy-interface", tt.text, Options{})
		}
		if err != nil || meaning(d) != tt.want {
			t.Errorf("%s means %s, %v, want %s; %s", tt.text, meaning(d), err, tt.want, tt.reason)
			continue
		}
		item := d.Tensor.DType().Bits() / 8
		low, high := d.Tensor.Layout().Bounds()
		if low*item != tt.low || (high+1)*item != tt.end {
			t.Errorf("%s lies from %d to %d, want %d to %d; %s", tt.text, low*item, (high+1)*item, tt.low, tt.end,
				tt.reason)
		}
		want := "'strides': " + tuple(numbersIn(t, tt.bytes))
		if text, err := notationOf(t, "numpy-interface").Write(d.Tensor); tt.low == 0 &&
			(err != nil || !strings.Contains(text, want)) {
			t.Errorf("%s is written %s, %v, want %s; %s", tt.text, text, err, want, tt.reason)
		}
	}
}

func TestNumPyReadings(t *testing.T) {
	checkReadings(t, "numpy", []reading{
		{"np.zeros((2, 3))", "float64 2,3 @ 3,1", "NumPy's own type is float64"},
		{"np.zeros(3)", "float64 3 @ 1", "one size"},
		{"class:  ndarray\nshape:  (2, 3)\nstrides:  (8, 16)\nitemsize:  8\naligned:  True\ncontiguous:  False\n" +
			"fortran:  True\ndata pointer: 0x5581c010\nbyteorder:  little\nbyteswap:  False\ntype: float64\n",
			"float64 2,3 @ 1,2", "what numpy.info prints"},
		{"class:  memmap\nshape:  (2,)\nstrides:  (4,)\nitemsize:  2\nbyteorder:  big\nbyteswap:  True\ntype: >f2",
			"float16 2 @ 2", "of another order of bytes"},
		{"np.ones((2, 3), np.float32)", "float32 2,3 @ 3,1", "a scalar type"},
		{"numpy.empty((2, 3), dtype=numpy.half)", "float16 2,3 @ 3,1", "the module's own name"},
		{"np.empty((2, 3), dtype=float)", "float64 2,3 @ 3,1", "Python's float has 64 bits"},
		{"np.empty((2, 3), dtype=int)", "int64 2,3 @ 3,1", "Python's int is int64"},
		{"np.empty((2, 3), dtype=bool)", "bool 2,3 @ 3,1", "Python's bool"},
		{"np.empty((2, 3), dtype=np.bool_)", "bool 2,3 @ 3,1", "NumPy's bool"},
		{"np.empty((2, 3), dtype=np.byte)", "int8 2,3 @ 3,1", "C's signed char"},
		{"np.empty((2, 3), dtype=complex)", "complex128 2,3 @ 3,1", "Python's complex"},
		{"np.zeros((2, 3), 'i4')", "int32 2,3 @ 3,1", "4 bytes"},
		{"np.zeros((2, 3), 'i8')", "int64 2,3 @ 3,1", "8 bytes"},
		{"np.zeros((2, 3), 'f8')", "float64 2,3 @ 3,1", "8 bytes"},
		{"np.zeros((2, 3), 'u1')", "uint8 2,3 @ 3,1", "1 byte"},
		{"np.zeros((2, 3), '|b1')", "bool 2,3 @ 3,1", "bool"},
		{"np.zeros((2, 3), '<c8')", "complex64 2,3 @ 3,1", "8 bytes: two of 4"},
		{"np.zeros((2, 3), '=f2')", "float16 2,3 @ 3,1", "the machine's order"},
		{"np.zeros((2, 3), 'float32')", "float32 2,3 @ 3,1", "by its name"},
		{"np.zeros((2, 3), np.dtype('<i2'))", "int16 2,3 @ 3,1", "a dtype object"},
		{"np.zeros((2, 3), order='F')", "float64 2,3 @ 1,2", "Fortran order"},
		{"np.zeros((2, 3), '<f4', 'F')", "float32 2,3 @ 1,2", "the third argument"},
		{"np.ndarray((2, 3), np.int16, None, 4, (6, 2))", "int16 2,3 @ 3,1 + 2",
			"shape, type, buffer, offset in bytes, strides"},
		{"np.ndarray(shape=(2, 3), dtype='<f4', buffer=b, offset=8, strides=(20, 4))", "float32 2,3 @ 5,1 + 2",
			"by name"},
		{"np.lib.stride_tricks.as_strided(np.empty(13, '<f4')[5:], (2, 3), (20, 4))", "float32 2,3 @ 5,1 + 5",
			"a slice of the array it looks at"},
		{"np.lib.stride_tricks.as_strided(np.empty(13), (2, 3), (40, 8))", "float64 2,3 @ 5,1", "of float64"},
		{"np.lib.stride_tricks.as_strided(np.empty((4, 6), '<f4')[2:], (2, 3), (24, 4))", "float32 2,3 @ 6,1 + 12",
			"numpy 1.24: two rows"},
		{"np.lib.stride_tricks.as_strided(np.empty(13, '<f4')[-5:], (2, 3), (4, 4))", "float32 2,3 @ 1,1 + 8",
			"numpy 1.24: counted from the end"},
		{"np.lib.stride_tricks.as_strided(np.zeros((4, 4), '<f4', 'F'), (2, 2))", "float32 2,2 @ 1,4",
			"numpy 1.24: the strides of the array"},
		{"np.lib.stride_tricks.as_strided(np.zeros((4, 4), '<f4'), strides=(4, 16))", "float32 4,4 @ 1,4",
			"numpy 1.24: the shape of the array"},
		{"np.linspace(0, 1)", "float64 50 @ 1", "numpy 1.24"},
		{"np.linspace(0, 1, num=5, dtype='f4')", "float32 5 @ 1", "numpy 1.24"},
		{"np.logspace(0, 1, 5)", "float64 5 @ 1", "numpy 1.24"},
		{"np.eye(3)", "float64 3,3 @ 3,1", "numpy 1.24"},
		{"np.eye(3, None, 1)", "float64 3,3 @ 3,1", "numpy 1.24"},
		{"np.eye(3, 4, order='F', dtype=int)", "int64 3,4 @ 1,3", "numpy 1.24"},
		{"np.eye(M=2, N=3)", "float64 3,2 @ 2,1", "numpy 1.24"},
		{"np.identity(3, int)", "int64 3,3 @ 3,1", "numpy 1.24"},
		{"np.random.randint(0, 10, (2, 3))", "int64 2,3 @ 3,1", "numpy 1.24"},
		{"np.random.randint(10, size=5)", "int64 5 @ 1", "numpy 1.24"},
		{"np.random.uniform(0, 1, (2, 3))", "float64 2,3 @ 3,1", "numpy 1.24"},
		{"np.zeros((6 // 2, 3))", "float64 3,3 @ 3,1", "numpy 1.24: no comment"},
		{">>> tuple(x.shape)\n(4, 6)", "4,6 @ 6,1", "the sizes are in the text"},
		{"(10, 20) (80, 4) float32", "float32 10,20 @ 20,1", "print(x.shape, x.strides, x.dtype) of numpy 1.24"},
		{"a: (10, 20) float32 (80, 4)", "float32 10,20 @ 20,1", "in another order"},
		{"np.zeros((2, 3)).T", "float64 3,2 @ 1,3", "transposed"},
		{"x = np.zeros((2, 3))[1:, ::2]", "float64 1,2 @ 3,2 + 3", "a slice of it"},
		{"np.arange(6)", "int64 6 @ 1", "numpy 1.24: integers make int64"},
		{"np.arange(24, dtype='i2').reshape(2, 3, 4).transpose(1, 0, 2)", "int16 3,2,4 @ 4,12,1", "a chain"},
		{"np.lib.stride_tricks.as_strided(np.arange(6), (3, 4), (8, 8))", "int64 3,4 @ 1,1",
			"numpy 1.24: np.arange(6) is int64"},
		{"np.full((2, 3), 7, dtype=np.float16)", "float16 2,3 @ 3,1", "full"},
		{"np.full((2, 3), 7)", "int64 2,3 @ 3,1", "numpy 1.24: np.full((2, 3), 7).dtype is int64"},
		{"np.full((2, 3), -7, dtype=None, order='F')", "int64 2,3 @ 1,2", "numpy 1.24"},
		{"np.full((2, 3), fill_value=True)", "bool 2,3 @ 3,1", "numpy 1.24: bool"},
		{"np.arange(6, dtype=None)", "int64 6 @ 1", "numpy 1.24: int64"},
		{"np.zeros((2, 3), dtype=None)", "float64 2,3 @ 3,1", "numpy 1.24: float64"},
		{"np.full((2, 3), 7.5)", "float64 2,3 @ 3,1", "numpy 1.24: float64"},
		{"np.full((2, 3), np.nan)", "float64 2,3 @ 3,1", "numpy 1.24: float64"},
		{"shape=(2, 3), strides=(20, 4), dtype=float32", "float32 2,3 @ 5,1", "fields"},
		{"shape = (2, 3), strides = None", "2,3 @ 3,1", "None: C order"},
	})
}

// TestNumPyInterface has __array_interface__ as NumPy prints it, and headers of .npy files.
func TestNumPyInterface(t *testing.T) {
	checkReadings(t, "numpy-interface", []reading{
		{"{'shape': (2, 3), 'typestr': '<f4', 'version': 3}", "float32 2,3 @ 3,1", "no strides: C order"},
		{"{'shape': (2, 3), 'typestr': '<f4', 'strides': None, 'version': 3}", "float32 2,3 @ 3,1", "None: C order"},
		{"{'data': (94301, False), 'strides': (4, 8), 'descr': [('', '<f4')], 'typestr': '<f4', 'shape': (2, 3), " +
			"'version': 3}", "float32 2,3 @ 1,2", "as NumPy prints it, with the default descr"},
		{"{'shape': (2, 3), 'typestr': '<f4', 'strides': (20, 4), 'offset': 8}", "float32 2,3 @ 5,1 + 2",
			"an offset of bytes into a buffer"},
		{"{'shape': (2, 3), 'typestr': '<f4', 'data': (94301, False), 'offset': 8}", "float32 2,3 @ 3,1",
			"an address is that of index 0: the offset is ignored"},
		{"{'shape': (2, 3), 'typestr': '<f4', 'data': None, 'offset': 8}", "float32 2,3 @ 3,1 + 2",
			"no address: the offset counts"},
		{"{'shape': (), 'typestr': '|b1'}", "bool  @ ", "a scalar"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", "float32 2,3 @ 3,1", "an .npy header"},
		{"{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", "float32 2,3 @ 1,2",
			"index (i,j) at i + j x rows"},
		{`{"shape": (2, 3), "fortran_order": False, "descr": "<i8"}`, "int64 2,3 @ 3,1",
			"double quotes, another order of keys, no trailing comma"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (0x2, 1_0), }", "float32 2,10 @ 10,1",
			"hexadecimal digits, underscores"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L), }", "float32 2,3 @ 3,1", "Python 2"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'shape': (3, 2), }", "float32 3,2 @ 2,1",
			"of keys that are given twice, the last"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }             \n", "float32 1,3 @ 3,1",
			"blanks and the line's end"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (), }", "float32  @ ", "a scalar"},
	})
}

func TestNumPySkips(t *testing.T) {
	for _, tt := range []struct{ notation, text, skipped string }{
		{"numpy", "np.zeros((2, 3), '>f4')", "byte order"},
		{"numpy-interface", "{'shape': (2, 3), 'typestr': '>i2', 'version': 3}", "byte order"},
		{"numpy-interface", "{'shape': (2, 3), 'typestr': '<i2', 'mask': m}", "mask"},
		{"numpy-interface", "{'shape': (2, 3), 'typestr': '<i2', 'data': (94301, False)}", "data"},
		{"numpy-interface", "{'shape': (2, 3), 'typestr': '<i2', 'data': (94301, False), 'offset': 8}", "ignores"},
		{"numpy-interface", "{'shape': (2, 3), 'typestr': '<i2', 'fill_value': 8}", "fill_value"},
		{"numpy-interface", "{'shape': (2, 3), 'typestr': '<i2', 'mask': None, 'version': 3}", ""},
	} {
		d, err := single(t, tt.notation, tt.text, Options{})
		if got := strings.Join(d.Skipped, "; "); err != nil || !strings.Contains(got, tt.skipped) ||
			tt.skipped == "" && got != "" {
			t.Errorf("%s skips %q, %v, want %q", tt.text, got, err, tt.skipped)
		}
	}
}

func TestNumPyRefusals(t *testing.T) {
	checkRefusals(t, "numpy", []wrong{
		{text: "shape=(2, 3), strides=(15, 5), dtype='<f4'", at: "(15, 5)", says: "not a multiple",
			reason: "a field of a struct of 5 bytes"},
		{text: "shape=(2, 3), strides=(12, 6), dtype=float32", at: "(12, 6)", says: "not a multiple",
			reason: "half an element"},
		{text: "shape=(2, 3), strides=(12, 4), dtype='<U4'", at: "<U4", says: "not a type of numbers", reason: "text"},
		{text: "np.zeros((2, 3), [('a', '<f4'), ('b', '<i2')])", at: "[('a", says: "structures",
			reason: "a structure of two fields"},
		{text: "np.zeros((2, 3), np.dtype([('a', '<f4')]))", at: "[('a", says: "structures",
			reason: "of a named field"},
		{text: "np.zeros((2, 3), 'S4')", at: "S4", says: "not a type of numbers", reason: "bytes"},
		{text: "np.zeros((2, 3), '<M8')", at: "<M8", says: "not a type of numbers", reason: "dates"},
		{text: "np.zeros((2, 3), '<f16')", at: "<f16", says: "not a type of numbers", reason: "16 bytes, not bits"},
		{text: "np.zeros((2, 3), order='K')", at: "'K'", says: "'C' or 'F'", reason: "an order that says nothing"},
		{text: "np.lib.stride_tricks.as_strided(x[5:], (2, 3), (20, 4))", at: "x[5:]", says: "slice",
			reason: "five of what"},
		{text: "torch.zeros((2, 3))", at: "(2, 3)", says: "not known to be sizes",
			reason: "a function of PyTorch"},
		{text: "np.zeros(2, 3)", at: "3)", says: "not a type", reason: "two sizes without brackets"},
		{text: "np.zeros((2, 3), 'f4', 'C', 7)", at: "7", says: "no parameter for", reason: "a fourth argument"},
		{text: "np.lib.stride_tricks.as_strided(x, (2, 2))", at: "np.lib", says: "strides",
			reason: "those of the array"},
		{text: "np.lib.stride_tricks.as_strided(np.empty(8, '<f4'), (2, 3), (4, 6))", at: "(4, 6)",
			says:   "not a multiple",
			reason: "half an element"},
		{text: "np.linspace([0, 1], [2, 3], 5)", at: "[0, 1]", says: "one axis", reason: "numpy 1.24: 5,2"},
		{text: "np.linspace(a, 3, 5)", at: "a, 3", says: "one axis", reason: "a may be an array"},
		{text: "np.linspace(0, 1, 5, True, True)", at: "True)", says: "something else", reason: "numpy 1.24: a tuple"},
		{text: "strides=(12, 4), shape=(2,)", at: "(2,)", says: "1 size but 2 strides",
			reason: "one stride for each size"},
		{text: "np.zeros((2, 3), np.float33)", at: "np.float33", says: "float3", reason: "no such type"},
		{text: "strides=(12, 4), dtype='<f4'", at: "strides", says: "sizes are missing", reason: "strides alone"},
	})
	checkRefusals(t, "numpy-interface", []wrong{
		{text: "{'shape': (2, 3), 'typestr': '|V5', 'descr': [('a', '|u1'), ('b', '<f4')]}", at: "[('a'",
			says: "structures", reason: "a struct"},
		{text: "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 3), }", at: "[('a'", says: "structures",
			reason: "a struct of one field"},
		{text: "{'descr': [('', '|V3'), ('', '<f4')], 'fortran_order': False, 'shape': (2, 3), }", at: "[('', '|V3'",
			says: "structures", reason: "padding fields"},
		{text: "{'descr': '|O', 'fortran_order': False, 'shape': (2, 3), }", at: "|O", says: "not a type of numbers",
			reason: "objects"},
		{text: "{'descr': '|V4', 'fortran_order': False, 'shape': (2, 3), }", at: "|V4", says: "not a type of numbers",
			reason: "void"},
		{text: "{'descr': '<f4', 'fortran_order': 1, 'shape': (2, 3), }", at: "1,", says: "True or False",
			reason: "not a bool"},
		{text: "{'descr': '<f4', 'fortran_order': true, 'shape': (2, 3), }", at: "true", says: "True or False",
			reason: "JSON's true"},
		{text: "{'descr': '<f4', 'fortran_order': False, }", at: "{", says: "shape is missing",
			reason: "shape is missing"},
		{text: "{'descr': '<f4', 'fortran_order': False, 'shape': '2,3', }", at: "'2,3'", says: "not a list",
			reason: "not a tuple"},
		{text: "'typestr': '<f4', 'shape': (2, 3)", at: "'typestr'", says: "dictionary", reason: "no braces"},
		{text: "{'shape': (2, 3), 'typestr': '<f4'", at: "{'", says: "not closed", reason: "not closed"},
	})
}

func TestNumPyWrites(t *testing.T) {
	call, dict := notationOf(t, "numpy"), notationOf(t, "numpy-interface")
	tests := []struct {
		n            *Notation
		tensor       layout.Tensor
		want, reason string
	}{
		{n: call, tensor: plainTensor(t, "float32", 0, []int64{2, 3}, []int64{5, 1}),
			want: "np.lib.stride_tricks.as_strided(np.empty(8, '<f4'), (2, 3), (20, 4))", reason: "5 + 2 + 1 elements"},
		{n: call, tensor: plainTensor(t, "int16", 4, []int64{5}, []int64{-1}),
			want: "np.lib.stride_tricks.as_strided(np.empty(5, '<i2')[4:], (5,), (-2,))", reason: "[::-1]"},
		{n: call, tensor: plainTensor(t, "bool", 0, nil, nil),
			want: "np.lib.stride_tricks.as_strided(np.empty(1, '|b1'), (), ())", reason: "a scalar"},
		{n: dict, tensor: plainTensor(t, "float64", 2, []int64{2, 2}, []int64{12, 3}),
			want:   "{'shape': (2, 2), 'typestr': '<f8', 'strides': (96, 24), 'offset': 16, 'version': 3}",
			reason: "bytes"},
		{n: dict, tensor: plainTensor(t, "float32", 1<<58, []int64{2}, []int64{1}),
			want:   "{'shape': (2,), 'typestr': '<f4', 'strides': (4,), 'offset': 1152921504606846976, 'version': 3}",
			reason: "2^60 bytes"},
	}
	for _, tt := range tests {
		if got, err := tt.n.Write(tt.tensor); got != tt.want || err != nil {
			t.Errorf("%v is %s, %v, want %s; %s", tt.tensor.Layout(), got, err, tt.want, tt.reason)
		}
		checkRoundTrip(t, tt.n, tt.tensor)
	}
}

// TestNumPyBytes: nbytes counts elements, whether they share storage or not.
func TestNumPyBytes(t *testing.T) {
	for _, tt := range []struct {
		sizes, strides []int64
		want           int64
		reason         string
	}{
		{sizes: []int64{2, 3, 4}, strides: []int64{12, 4, 1}, want: 96, reason: "24 elements of 4 bytes"},
		{sizes: []int64{2, 3}, strides: []int64{0, 1}, want: 24, reason: "broadcast: nbytes counts the copies"},
		{sizes: []int64{2, 2}, strides: []int64{12, 3}, want: 16, reason: "gaps do not count"},
		{sizes: []int64{0, 3}, strides: []int64{0, 0}, reason: "empty"},
	} {
		if got := figureOf(t, notationOf(t, "numpy"), plainTensor(t, "float32", 0, tt.sizes, tt.strides),
			"nbytes"); got.Bytes != tt.want {
			t.Errorf("%v: nbytes %d, want %d; %s", tt.sizes, got.Bytes, tt.want, tt.reason)
		}
	}
}

// TestNumPyUntyped checks that strides in bytes are rejected if the element type is unknown.
func TestNumPyUntyped(t *testing.T) {
	for _, text := range []string{
		"np.lib.stride_tricks.as_strided(x, shape=(2, 3), strides=(24, 8))", "as_strided(x, (2, 3), (24, 8))",
		"(2, 3), (24, 8)", "shape=(2, 3), strides=(24, 8)",
	} {
		d, err := single(t, "numpy", text, Options{})
		if err == nil || !strings.Contains(err.Error(), "strides in bytes need the type") {
			t.Errorf("%s without a type: %v, %v", text, d, err)
		}
		double, _ := layout.ParseDType("float64")
		d, err = single(t, "numpy", text, Options{DType: double, Typed: true})
		if err != nil || meaning(d) != "2,3 @ 3,1" {
			t.Errorf("%s -t float64: %v, %v", text, d, err)
		}
	}
	if d, err := Read("(3, 5) (40, 8)", Options{}); err == nil || !strings.Contains(err.Error(),
		"pytorch and numpy read this differently") {
		t.Errorf("(3, 5) (40, 8) is %v, %v", d, err)
	}
}

// TestNumPyNibbles checks that strides in bytes are rejected for 4-bit elements and for a type without a size.
func TestNumPyNibbles(t *testing.T) {
	for _, name := range []string{"int4", "unknown"} {
		d, err := layout.ParseDType(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := single(t, "numpy", "(2, 3), (12, 4)", Options{DType: d, Typed: true}); err == nil ||
			!strings.Contains(err.Error(), "not counted in bytes") {
			t.Errorf("strides of %s in bytes: %v", name, err)
		}
	}
}

// TestNumPyBytesOverflow has 2^62 float64 elements that share one offset: nbytes is 2^65.
func TestNumPyBytesOverflow(t *testing.T) {
	shared := plainTensor(t, "float64", 0, []int64{1 << 62}, []int64{0})
	_, err := figures(notationOf(t, "numpy"), shared)
	var overflow *layout.OverflowError
	if !errors.As(err, &overflow) || overflow.Exact.String() != "36893488147419103232" {
		t.Errorf("nbytes of 2^62 float64 at one place: %v, want an error that says 36893488147419103232", err)
	}
}
