package layout_test

import (
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/layouttest"
)

// TestDTypes has a table that was written from the documents of each ecosystem: DirectML's
// DML_TENSOR_DATA_TYPE, torch.dtype, NumPy's typestr, dnnl_data_type_t, XLA's PrimitiveType,
// MLIR's builtin types, safetensors' Dtype, ONNX's TensorProto.DataType, ggml_type.
func TestDTypes(t *testing.T) {
	tests := []struct {
		name      string
		bits      int64
		spellings string
	}{
		{"float32", 32,
			"float32 FLOAT32 torch.float32 torch.float float f32 F32 <f4 >f4 =f4 np.float32 numpy.float32 " +
				"jnp.float32 tf.float32 single fp32 FLOAT TensorProto.FLOAT DML_TENSOR_DATA_TYPE_FLOAT32 dnnl_f32"},
		{"float16", 16, "float16 FLOAT16 torch.float16 torch.half half f16 F16 <f2 fp16 DML_TENSOR_DATA_TYPE_FLOAT16"},
		{"float64", 64, "float64 FLOAT64 torch.float64 torch.double double DOUBLE f64 F64 <f8 fp64"},
		{"bfloat16", 16, "bfloat16 BFLOAT16 torch.bfloat16 bf16 BF16 dnnl_bf16"},
		{"float8_e4m3fn", 8, "float8_e4m3fn torch.float8_e4m3fn f8e4m3fn f8E4M3FN FLOAT8E4M3FN F8_E4M3 f8_e4m3"},
		{"float8_e5m2", 8, "float8_e5m2 torch.float8_e5m2 f8e5m2 f8E5M2 FLOAT8E5M2 F8_E5M2 f8_e5m2"},
		{"float8_e4m3fnuz", 8, "float8_e4m3fnuz f8e4m3fnuz f8E4M3FNUZ FLOAT8E4M3FNUZ"},
		{"float8_e5m2fnuz", 8, "float8_e5m2fnuz f8e5m2fnuz f8E5M2FNUZ FLOAT8E5M2FNUZ"},
		{"float8_e8m0fnu", 8, "float8_e8m0fnu f8e8m0fnu f8E8M0FNU e8m0 F8_E8M0 FLOAT8E8M0"},
		{"float8_e4m3", 8, "float8_e4m3 f8e4m3 f8E4M3"},
		{"float8_e4m3b11fnuz", 8, "float8_e4m3b11fnuz f8e4m3b11fnuz f8E4M3B11FNUZ"},
		{"float8_e3m4", 8, "float8_e3m4 f8e3m4 f8E3M4"},
		{"float4_e2m1fn", 4, "float4_e2m1fn f4e2m1fn f4E2M1FN f4_e2m1 FLOAT4E2M1"},
		{"int64", 64, "int64 INT64 torch.int64 torch.long long i64 I64 s64 <i8"},
		{"int32", 32, "int32 INT32 torch.int32 torch.int int i32 I32 s32 <i4 >i4 si32"},
		{"int16", 16, "int16 INT16 torch.int16 torch.short short i16 I16 s16 <i2"},
		{"int8", 8, "int8 INT8 torch.int8 i8 I8 s8 |i1 <i1"},
		{"uint64", 64, "uint64 UINT64 u64 U64 ui64 <u8"},
		{"uint32", 32, "uint32 UINT32 u32 U32 ui32 <u4"},
		{"uint16", 16, "uint16 UINT16 u16 U16 ui16 <u2"},
		{"uint8", 8, "uint8 UINT8 torch.uint8 u8 U8 ui8 |u1 byte"},
		{"int4", 4, "int4 INT4 i4 s4"},
		{"uint4", 4, "uint4 UINT4 u4 ui4"},
		{"int2", 2, "int2 i2 s2 INT2"},
		{"uint2", 2, "uint2 u2 ui2 UINT2"},
		{"bool", 8, "bool BOOL torch.bool b8 |b1 pred i1 boolean"},
		{"complex32", 32, "complex32 torch.complex32 chalf complex<f16>"},
		{"complex64", 64, "complex64 COMPLEX64 c64 C64 <c8 cfloat complex<f32>"},
		{"complex128", 128, "complex128 COMPLEX128 c128 <c16 cdouble complex<f64>"},
		{"unknown", 0, "unknown UNKNOWN DML_TENSOR_DATA_TYPE_UNKNOWN"},
	}
	for i, tt := range tests {
		if got := layout.DType(i).String(); got != tt.name {
			t.Errorf("type %d is %s, want %s", i, got, tt.name)
		}
		spellings := tt.spellings + " " + strings.ToUpper(tt.name) + " " + strings.ToLower(tt.spellings)
		for text := range strings.FieldsSeq(spellings) {
			d, err := layout.ParseDType(text)
			if err != nil || d.String() != tt.name || d.Bits() != tt.bits {
				t.Errorf("%q: %v of %d bits, %v; want %s of %d", text, d, d.Bits(), err, tt.name, tt.bits)
			}
		}
	}
	n := 0
	for range layout.DTypes {
		n++
	}
	if n != len(tests) {
		t.Errorf("there are %d types, this table has %d", n, len(tests))
	}
}

// TestSpellingsAreNotAmbiguous checks that every spelling in the table is one of a single type, which it parses to.
func TestSpellingsAreNotAmbiguous(t *testing.T) {
	owner := map[string]layout.DType{}
	for d := range layout.DTypes {
		names := []string{d.String()}
		for system := range layout.Others + 1 {
			names = append(names, strings.Fields(d.In(system))...)
		}
		for _, text := range names {
			key := strings.ToLower(text)
			if other, ok := owner[key]; ok && other != d {
				t.Errorf("%s is both %v and %v", text, other, d)
			}
			owner[key] = d
			if got, err := layout.ParseDType(text); err != nil || got != d {
				t.Errorf("%s of %v parses to %v, %v", text, d, got, err)
			}
		}
	}
}

// TestTypesOfPrograms has types as C++ and its libraries name them.
func TestTypesOfPrograms(t *testing.T) {
	for text, want := range map[string]string{
		"c10::Half": "float16", "c10::BFloat16": "bfloat16", "at::kByte": "uint8", "torch::kFloat32": "float32",
		"at::ScalarType::Long": "int64", "nvinfer1::DataType::kHALF": "float16", "kINT8": "int8",
		"torch::kInt": "int32",
	} {
		if d, err := layout.ParseDType(text); err != nil || d.String() != want {
			t.Errorf("%s is %v, %v, want %s", text, d, err, want)
		}
	}
}

// TestNumPyTypes has the results of np.dtype in NumPy 1.24 on Linux, for letters, kinds with sizes and byte orders, and
// its names. Names with np. need no system.
func TestNumPyTypes(t *testing.T) {
	for want, spellings := range map[string]string{
		"int8":    "b <b >b =b |b i1 <i1 >i1 =i1 |i1 int8 byte np.int8 np.byte",
		"float64": "d <d >d =d |d f8 <f8 >f8 =f8 |f8 float float64 double float_ np.float64 np.double np.float_",
		"float16": "e <e >e =e |e f2 <f2 >f2 =f2 |f2 float16 half np.float16 np.half",
		"float32": "f <f >f =f |f f4 <f4 >f4 =f4 |f4 float32 single np.float32 np.single",
		"int16":   "h <h >h =h |h i2 <i2 >i2 =i2 |i2 int16 short np.int16 np.short",
		"int32":   "i <i >i =i |i i4 <i4 >i4 =i4 |i4 int32 intc np.int32 np.intc",
		"int64": "l p q <l <p <q " +
			">l >p >q =l =p =q |l |p |q i8 <i8 >i8 =i8 |i8 int int64 int_ intp long longlong int0 " +
			"np.int64 np.int_ np.intp np.longlong np.int0",
		"uint8": "B <B >B =B |B u1 <u1 >u1 =u1 |u1 uint8 ubyte np.uint8 np.ubyte",
		"complex128": "D <D >D =D |D " +
			"c16 <c16 >c16 =c16 |c16 complex complex128 cdouble complex_ cfloat np.complex128 " +
			"np.cdouble np.complex_ np.cfloat",
		"complex64": "F <F >F =F |F c8 <c8 >c8 =c8 |c8 complex64 csingle singlecomplex np.complex64 np.csingle " +
			"np.singlecomplex",
		"uint16": "H <H >H =H |H u2 <u2 >u2 =u2 |u2 uint16 ushort np.uint16 np.ushort",
		"uint32": "I <I >I =I |I u4 <u4 >u4 =u4 |u4 uint32 uintc np.uint32 np.uintc",
		"uint64": "L P Q <L <P <Q " +
			">L >P >Q =L =P =Q |L |P |Q u8 <u8 >u8 =u8 |u8 uint64 uint uintp ulong ulonglong uint0 " +
			"np.uint64 np.uint np.uintp np.ulonglong np.uint0",
		"bool": "? <? >? =? |? b1 <b1 >b1 =b1 |b1 bool bool_ bool8 np.bool_ np.bool8",
	} {
		for text := range strings.FieldsSeq(spellings) {
			system := layout.NumPy
			if strings.HasPrefix(text, "np.") {
				system = layout.Others
			}
			if d, note, err := system.ReadDType(text); err != nil || d.String() != want || note != "" {
				t.Errorf("NumPy's %s is %v, %q, %v, want %s", text, d, note, err, want)
			}
		}
	}
	others := "a c g m G M O S U V <a <c <g <m <G <M <O <S <U <V >a >c >g >m >G >M >O >S >U >V =a =c =g =m =G =M =O " +
		"=S =U =V |a |c |g |m |G |M |O |S |U |V f16 c32 <f16 <c32 >f16 >c32 =f16 =c32 |f16 |c32 longdouble " +
		"float128 complex256 clongdouble longfloat clongfloat"
	for text := range strings.FieldsSeq(others) {
		if d, _, err := layout.NumPy.ReadDType(text); err == nil {
			t.Errorf("NumPy's %s is no type of the table, and is read as %v", text, d)
		}
	}
}

// TestTypesInBytes has types that have fewer than 8 bits but use a whole byte in PyTorch and ml_dtypes, according to
// the itemsize of NumPy arrays and torch.uint4.itemsize.
func TestTypesInBytes(t *testing.T) {
	tests := []struct {
		system           layout.System
		text, want, note string
	}{
		{layout.Others, "torch.uint4", "uint8", "each uint4 takes a whole byte, and is read as uint8"},
		{layout.Others, "torch.int1", "int8", "each int1 takes a whole byte, and is read as int8"},
		{layout.PyTorch, "uint7", "uint8", "each uint7 takes a whole byte, and is read as uint8"},
		{layout.PyTorch, "int8", "int8", ""},
		{layout.NumPy, "int4", "int8", "each int4 takes a whole byte, and is read as int8"},
		{layout.Others, "ml_dtypes.float4_e2m1fn", "uint8",
			"each float4_e2m1fn takes a whole byte, and is read as uint8"},
		{layout.NumPy, "i4", "int32", ""},
		{layout.XLA, "s4", "int4", ""},
		{layout.Others, "jnp.int4", "int4", ""},
		{layout.MLIR, "i4", "int4", ""},
		{layout.Others, "int4", "int4", ""},
	}
	for _, tt := range tests {
		if d, note, err := tt.system.ReadDType(tt.text); err != nil || d.String() != tt.want || note != tt.note {
			t.Errorf("%v's %s is %v, %q, %v, want %s, %q", tt.system, tt.text, d, note, err, tt.want, tt.note)
		}
	}
}

func TestDirectMLTypes(t *testing.T) {
	// The values 0 to 13 of directml.h.
	want := "UNKNOWN FLOAT32 FLOAT16 UINT32 UINT16 UINT8 INT32 INT16 INT8 FLOAT64 UINT64 INT64 UINT4 INT4"
	n := 0
	for d := range layout.DTypes {
		if name := d.In(layout.DirectML); name != "" {
			n++
			if !strings.Contains(" "+want+" ", " "+name+" ") {
				t.Errorf("DirectML has no %s", name)
			}
		}
	}
	if n != len(strings.Fields(want)) {
		t.Errorf("%d of DirectML's types, want %d", n, len(strings.Fields(want)))
	}
}

func TestBadDTypes(t *testing.T) {
	tests := []struct{ text, says, reason string }{
		{"f4", "<f4", "NumPy's 4 bytes, or 4 bits: the hint shows NumPy's spelling"},
		{"f8", "<f8", "8 bytes or 8 bits"},
		{"f2", "<f2", "2 bytes or 2 bits"},
		{"c8", "<c8", "8 bytes or 8 bits"},
		{"c16", "<c16", "16 bytes or 16 bits"},
		{"u1", "<u1", "1 byte or 1 bit"},
		{"b1", "<b1", "1 byte or 1 bit"},
		{"float23", "float32", "a slip"},
		{"bflaot16", "bfloat16", "a swap, and not float16 with one more letter"},
		{"int5", "int", "no such type, near others"},
		{"flaot16", "float16", "a swap"},
		{"torch.flot32", "float32", "a slip after a prefix"},
		{"", "float32", "nothing: the hint lists types"},
		{"<f3", "<f4", "no such NumPy type"},
		{"<", "<f4", "a byte order alone"},
		{"<float32", "<f4", "a byte order before a name"},
		{"qint8", "int8", "near int8"},
		{"float8", "one of float8_e4m3fn, float8_e5m2,", "several types of 8 bits"},
		{"fp8", "float8_e5m2", "several, by another spelling"},
		{"fp4", "float4_e2m1fn", "one"},
		{"bf", "bfloat16", "one"},
		{"uint", "uint32", "several widths"},
		{"fp61", "fp16", "near a word of no ecosystem in particular"},
		{"fp15", "such as", "another digit makes another type"},
		{"int8x4", "NCHW4c -t int8", "not int64"},
		{"d", "NumPy's d is float64", "of one system"},
		{"longlong", "NumPy's longlong is int64", "of one system"},
		{"bloat16", "float16", "a letter too few"},
		{"size_t", "float32", "not a type of elements"},
		{"NHWC", "float32", "nothing like a type"},
		{strings.Repeat("f", 1000), "float32", "absurd"},
	}
	for _, tt := range tests {
		d, err := layout.ParseDType(tt.text)
		if err == nil {
			t.Errorf("%.20q is %v; %s", tt.text, d, tt.reason)
			continue
		}
		e := layouttest.SyntaxError(t, tt.text, err)
		if e.Input != tt.text || e.Offset != 0 || !strings.Contains(e.Hint, tt.says) {
			t.Errorf("%.20q: the hint %q does not say %q; %s", tt.text, e.Hint, tt.says, tt.reason)
		}
		if len(e.Msg) > 200 {
			t.Errorf("%.20q: a message of %d bytes", tt.text, len(e.Msg))
		}
	}
	for _, text := range []string{"<f4", "<f8", "<f2", "<c8", "<c16", "<u1", "<b1"} {
		if _, err := layout.ParseDType(text); err != nil {
			t.Errorf("a hint says %s, but: %v", text, err)
		}
	}
}

func TestZeroDTypeIsFloat32(t *testing.T) {
	if d := *new(layout.DType); d.String() != "float32" || d.Bits() != 32 {
		t.Errorf("the zero DType is %v", d)
	}
}

func TestSwapUnit(t *testing.T) {
	for name, want := range map[string]int{
		"uint8": 0, "bool": 0, "int4": 0, "float16": 2, "int32": 4, "float64": 8, "complex32": 2, "complex64": 4,
		"complex128": 8,
	} {
		d, err := layout.ParseDType(name)
		if got := layout.SwapUnit(d); err != nil || got != want {
			t.Errorf("%s: %d, %v; want %d", name, got, err, want)
		}
	}
}

// TestDTypeOf checks that DTypeOf has a type for every number of bits that a type has.
func TestDTypeOf(t *testing.T) {
	for bits := range int64(300) {
		d, ok := layout.DTypeOf(bits)
		want := bits == 2 || bits == 4 || bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128
		if ok != want || ok && d.Bits() != bits {
			t.Errorf("%d bits: %v of %d, %v", bits, d, d.Bits(), ok)
		}
	}
	if d, ok := layout.DTypeOf(-8); ok {
		t.Errorf("-8 bits: %v", d)
	}
}

func FuzzDType(f *testing.F) {
	for d := range layout.DTypes {
		f.Add(d.String())
		for system := range layout.Others {
			f.Add(d.In(system))
		}
	}
	for _, seed := range []string{
		"torch.float32", "f4", "<f4", "<", "|", "torch.", "np.<f4", "complex<f32>", "\x00", " f32 ", "torch.np.f32",
		strings.Repeat("torch.", 99),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		defer layouttest.Limit(t, len(text))()
		d, err := layout.ParseDType(text)
		if err != nil {
			layouttest.SyntaxError(t, text, err)
			return
		}
		if again, err := layout.ParseDType(d.String()); err != nil || again != d {
			t.Fatalf("%q is %v, which is %v, %v", text, d, again, err)
		}
		if bits := d.Bits(); bits < 0 || bits > 128 {
			t.Fatalf("%q has %d bits", text, bits)
		}
	})
}
