package notation

// all is the registry: one row a notation.
var all = [...]*Notation{
	{
		Name:    "name",
		Title:   "layoutcalc itself: a shape and a layout name",
		Example: "1x3x224x224 NHWC",
		Grammar: `SIZES NAME
NAME = the letters of the axes, outermost first, then blocks, 16c; or row-major, channels_last ...
SIZES = labelled, or in one order for all names of the same letters:
  images       N or B, C, D, H, W       NHWC, BHWC, HWC
  sequences    N or B, C, L or W        NLC
  weights      G, O, I, D, H, W         HWIO
  filters      K, C, T, R, S            KRSC
  OpenVINO's   b, f, z, y, x; g, o, i, z, y, x
  video        N or B, C, T, H, W       NTHWC, NCTHW
  oneDNN's     a, b, c ...; t, n, c; l, d, i, g, o   acdb, ntc, ldgoi
  other letters are read as written: NTC, TCHW, BSHD`,
		Can:    "every order of the axes; blocks, full or not",
		Cannot: "strides with gaps; broadcasting; negative strides; a storage offset; types",
		marks: []string{
			"^ N .. W $", "^ ( .. W $", "^ [ .. W $", "^ { .. W $", "torch . Size .. W $", "W = .. W $", "Half (",
			"Float (", "Int8 (", "Int32 (", "BFloat16 (",
		},
		read: readName, write: writeName,
	},
	{
		Name:    "pytorch",
		Title:   "PyTorch: calls that make a tensor, sizes and strides",
		Example: "torch.empty_strided((2, 3), (5, 1), dtype=torch.float32)",
		Grammar: `torch.empty_strided(SIZES, STRIDES [, dtype=TYPE])
torch.empty(...).as_strided(SIZES, STRIDES [, OFFSET])
torch.empty(SIZES [, memory_format=torch.channels_last])
torch.Size(SIZES) STRIDES, size=SIZES, stride=STRIDES [, storage_offset=N]
CALL.permute(0,2,1)[:, 1], with any steps of the command view; NAME = CALL
assert_size_stride(NAME, SIZES, STRIDES), reinterpret_tensor(...), empty_strided_cuda(...) in programs
NAME: shape=SIZES stride=STRIDES dtype=TYPE, NAME.stride()=STRIDES, setStorage: sizes SIZES ... in logs`,
		Can:    "strides of 0 and more, in elements; a storage offset; types",
		Cannot: "blocks; negative strides",
		marks: []string{
			"torch .", "at ::", "c10 ::", "*empty_strided*", "assert_size_stride (", "rand_strided (",
			"*reinterpret_tensor (", "stride = (", "stride = [", "stride ( )", "setStorage : sizes", "FixedLayout (",
			"FlexibleLayout (", "NonOwningLayout (", "FakeTensor (", "check_tensor (", "sizes", `"sizes"`, "size = [",
			"size = (", "as_strided", "^ L L $", "^ L , L $", "^ ( L , L ) $",
		},
		read: readPyTorch, write: writePyTorch, figure: storageFigure("storage nbytes"),
	},
	{
		Name:    "fx",
		Title:   "PyTorch's graph dumps (FX, Inductor, TorchScript)",
		Example: "f32[2, 3][5, 1]cpu",
		Grammar: `TYPE [SIZES] [STRIDES] DEVICE
NAME: "TYPE [SIZES] [STRIDES] DEVICE", %NAME : Tensor "..." = ..., of all nodes of a graph
%NAME : Float(N, N, strides=[N, N], requires_grad=0, device=cpu)`,
		Can:    "strides of 0 and more, in elements; types",
		Cannot: "blocks; negative strides; a storage offset",
		marks:  []string{"^ T L [", "W : T [", "Q", ": C (", "strides = [", "requires_grad ="},
		read:   readFX, write: writeFX,
	},
	{
		Name:    "cute",
		Title:   "CuTe and pycute: layouts of CUTLASS",
		Example: "(4,(2,2)):(2,(1,8))",
		Grammar: `MODE : MODE, the shape and, nested alike, the strides
MODE = N | _N | (MODE, ...), the leftmost fastest; without strides packed in that order
NAME: gmem_ptr[16b](0x7f...) o MODE : MODE, one or several, with what print_tensor writes after them
make_layout(make_shape(...), make_stride(...)), Layout<Shape<...>, Stride<...>>, Layout((...), (...))
make_ordered_layout(make_shape(...), make_step(...)), the modes of smaller numbers faster
!cute.layout<"MODE:MODE">, !cute.memref<TYPE, SPACE, "MODE:MODE">, one or those of a module`,
		Can:    "any strides; blocks, as nested modes",
		Cannot: "a storage offset; blocks that are not full; types. Swizzles and basis strides are refused",
		marks: []string{
			"make_layout (", "make_ordered_layout (", "Layout <", "Layout ( (", "cute .", ") :", "U", "^ ( (",
			"*ptr* [", "*ptr* <", "*ptr* (", "Sw <", "S <", "Swizzle <", "N : (", "N : U", "N @",
		},
		read: readCuTe, write: writeCuTe, figure: cosizes,
	},
	{
		Name:    "numpy",
		Title:   "NumPy: calls that make an array, a shape and strides in bytes",
		Example: "np.lib.stride_tricks.as_strided(np.empty(8, '<f4'), (2, 3), (20, 4))",
		Grammar: `np.lib.stride_tricks.as_strided(np.empty(N, TYPE)[FIRST:], SHAPE, STRIDES)
np.ndarray(SHAPE, TYPE, buffer, OFFSET, STRIDES), np.empty(SHAPE, TYPE, order='F')
shape=SHAPE, strides=STRIDES, dtype=TYPE; strides and offset in bytes, the type in the text or by -t
NAME.shape=SHAPE, NAME.strides=STRIDES, NAME.dtype=TYPE in logs
CALL.transpose(1, 0)[:, ::2], with any steps of the command view; NAME = CALL`,
		Can:    "any strides, in bytes; a storage offset; types",
		Cannot: "blocks; elements before the buffer; bfloat16, 8-bit floats and types of less than 8 bits",
		marks: []string{
			"np .", "numpy .", "strides", `"strides"`, "^ L L $", "^ L , L $", "^ ( L , L ) $", "^ class :",
		},
		read: readNumPy, write: writeNumPy, figure: elementFigure("nbytes"),
	},
	{
		Name:    "numpy-interface",
		Title:   "NumPy's __array_interface__, and the header of an .npy file",
		Example: "{'shape': (2, 3), 'typestr': '<f4', 'strides': (20, 4), 'version': 3}",
		Grammar: `{'shape': SHAPE, 'typestr': TYPE [, 'strides': STRIDES | None] [, 'offset': N]}
{'descr': TYPE, 'fortran_order': False | True, 'shape': SHAPE}; strides and offset in bytes`,
		Can:    "any strides, in bytes; a storage offset; types",
		Cannot: "blocks; elements before the buffer; bfloat16, 8-bit floats and types of less than 8 bits",
		marks:  []string{`"typestr"`, `"fortran_order"`, "typestr", "fortran_order"},
		read:   readInterface, write: writeInterface, figure: elementFigure("nbytes"),
	},
	{
		Name:  "dml",
		Title: "DirectML's DML_BUFFER_TENSOR_DESC, as C++ source or as a debugger prints it",
		Example: "const UINT sizes[2] = { 2, 3 }; DML_BUFFER_TENSOR_DESC desc = { DML_TENSOR_DATA_TYPE_FLOAT32, " +
			"DML_TENSOR_FLAG_NONE, 2, sizes, nullptr, 24, 0 };",
		Grammar: `arrays, and the struct with its members in order or by name, or one assignment each
dml::TensorDesc{TYPE, SIZES}; NAME = { Member = VALUE, ... } of a debugger`,
		Can: "strides of 0 and more, in elements; types of DirectML; several descriptors",
		Cannot: "blocks; negative strides; a storage offset, which the binding holds; sizes of 0; more than 8 axes " +
			"or 32 bits",
		marks: []string{"DML_*", "DataType", "( gdb )", "( lldb )", "dml ::", "*TensorDesc"},
		read:  readDML, write: writeDML, figure: dmlTotal,
	},
	{
		Name:    "dxdispatch",
		Title:   "DirectML descriptors of DxDispatch models (JSON)",
		Example: `{ "DataType": "FLOAT32", "Sizes": [2, 3], "Strides": [5, 1] }`,
		Grammar: `{ "DataType": TYPE, "Sizes": [N, ...] [, "Strides": [N, ...]] [, "DimensionCount": N] ... }
also inside { "Type": ..., "Desc": { ... } }, in lists, and by name`,
		Can: "strides of 0 and more, in elements; types of DirectML; several descriptors",
		Cannot: "blocks; negative strides; a storage offset, which the binding holds; sizes of 0; more than 8 axes " +
			"or 32 bits",
		marks: []string{`"DataType"`, `"Sizes"`},
		read:  readDxDispatch, write: writeDxDispatch, figure: dmlTotal,
	},
	{
		Name:  "mdspan",
		Title: "C++ mdspan: the mapping of a layout policy, extents and strides",
		Example: "std::layout_stride::mapping<std::extents<std::int64_t, 2, 3>>" +
			"({}, std::array<std::int64_t, 2>{5, 1})",
		Grammar: `std::layout_right::mapping<EXTENTS>(), std::layout_left::mapping<EXTENTS>()
std::layout_stride::mapping<EXTENTS>({}, STRIDES), std::layout_right_padded<N>::mapping<EXTENTS>()
std::mdspan<TYPE, EXTENTS, POLICY>, std::mdspan NAME(POINTER, N, ...), std::mdspan(POINTER, EXTENTS or mapping)
EXTENTS, STRIDES, where EXTENTS = std::extents<int, 2, 3> | std::dextents<int, 2>(2, 3) | {2, 3}`,
		Can: "positive strides, each beyond what the smaller ones take",
		Cannot: "blocks; broadcasting; overlaps; negative strides; a storage offset, which the data handle " +
			"holds; types",
		marks: []string{"*mdspan*", "*extents", "layout_*", "^ L L $", "^ L , L $", "^ ( L , L ) $"},
		read:  readMdspan, write: writeMdspan, figure: spanFigure("required_span_size"),
	},
	{
		Name:  "dlpack",
		Title: "DLPack's DLTensor in C",
		Example: "int64_t shape[2] = {2, 3}; int64_t strides[2] = {5, 1}; DLTensor t = {NULL, {kDLCPU, 0}, 2, " +
			"{kDLFloat, 32, 1}, shape, strides, 8};",
		Grammar: `arrays, and the struct with its members in order (data, device, ndim, dtype, shape, strides,
byte_offset) or by name
strides in elements, byte_offset in bytes`,
		Can:    "any strides; a storage offset in whole bytes; types",
		Cannot: "blocks",
		marks:  []string{"DLTensor", "byte_offset", "kDL*", "DLManaged*"},
		read:   readDLPack, write: writeDLPack, figure: elementFigure("DLPack data size"),
	},
	{
		Name:  "dlpack-json",
		Title: "the members of a DLTensor as JSON",
		Example: `{"ndim": 2, "dtype": {"code": 2, "bits": 32, "lanes": 1}, "shape": [2, 3], "strides": [5, 1], ` +
			`"byte_offset": 8}`,
		Grammar: `{"shape": [N, ...], "strides": [N, ...] | null, "dtype": {"code": N, "bits": N, "lanes": 1} | [N, ` +
			`N, 1] | TYPE, "byte_offset": N}`,
		Can:    "any strides; a storage offset in whole bytes; types",
		Cannot: "blocks",
		marks:  []string{`"byte_offset"`, `"dtype"`, `"ndim"`},
		read:   readDLPackJSON, write: writeDLPackJSON, figure: elementFigure("DLPack data size"),
	},
	{
		Name:    "ggml",
		Title:   "ggml and GGUF: ne and nb, the innermost axis first",
		Example: "type = GGML_TYPE_F32, ne = {3, 2}, nb = {4, 20}",
		Grammar: `[type = TYPE,] ne = {N, ...} [, nb = {N, ...}], strides in bytes; also as JSON
llama_model_loader: - tensor N: NAME TYPE [N, ...] and ggml_debug: NAME = (TYPE) ... = {N, ...} of logs
N: COUNT | N, ... | TYPE | NAME of gguf-dump; [ N/ N] NAME - [N, ...], type = TYPE of llama-quantize
NAME, TYPE --> TYPE, shape = {N, ...} of convert_hf_to_gguf`,
		Can:    "strides of 0 and more, in bytes; types of ggml",
		Cannot: "blocks, and quantised types; negative strides; a storage offset; more than 4 axes",
		marks: []string{
			`"ne"`, "GGML_*", "ne =", "ne :", "llama_model_loader : - tensor", "ggml_debug :", "*_cb_eval :", "N | N",
			"N | W", ", shape = {", "] , type =",
		},
		read: readGGML, write: writeGGML, figure: spanFigure("ggml_nbytes"),
	},
	{
		Name:    "onednn",
		Title:   "oneDNN: the constructor of a memory descriptor",
		Example: "dnnl::memory::desc({1, 3, 224, 224}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::nhwc)",
		Grammar: `memory::desc(SIZES, data_type::TYPE, STRIDES), or memory::desc NAME(...)
memory::desc(SIZES, data_type::TYPE, format_tag::TAG), with any namespaces
TAG = nhwc, oihw, tnc ... or acdb, outermost first, then blocks: nChw16c, ABcd4b16a4b`,
		Can: "strides of 0 and more, in elements; blocks without gaps, full or not; types",
		Cannot: "strides together with blocks; axes that reach into each other; negative strides; a storage offset; " +
			"rank 0, more than 12 axes",
		marks: []string{"memory ::"},
		read:  readOneDNN, write: writeOneDNN, figure: memorySizes,
	},
	{
		Name:    "onednn-tag",
		Title:   "oneDNN: options and problems of benchdnn",
		Example: "benchdnn --zeropad --dt=f32 --tag=acdb 1x3x224x224",
		Grammar: `--dt=TYPE --tag=TAG PROBLEM; --sdt --ddt --stag --wtag --dtag for one tensor of several
--strides=8x4x1, or of several tensors with colons between them
TAG = as in onednn, or with an x for all other axes: axb, aBx16b
PROBLEM = 1x3x224x224, or 10x20:20x30, or mb1ic3ih224iw224, or mb1ic3oc64ih224oh112kh7sh2ph3`,
		Can:    "every order of the axes; blocks, full or not; types",
		Cannot: "strides with gaps; broadcasting; negative strides; a storage offset; rank 0, more than 12 axes",
		marks:  []string{"^ - - W", "benchdnn", "__REPRO :", "P"},
		read:   readBenchDNN, write: writeBenchDNN, figure: memorySizes,
	},
	{
		Name:    "onednn-verbose",
		Title:   "oneDNN: what ONEDNN_VERBOSE prints",
		Example: "src:f32::blocked:acdb::f0 1x3x224x224",
		Grammar: `onednn_verbose,...,DESCRIPTORS,ATTRIBUTES,AUXILIARY,PROBLEM,TIME, also dnnl_verbose and mkldnn_verbose
DESCRIPTOR PROBLEM, or DESCRIPTOR,,,PROBLEM; after a shape a DESCRIPTOR alone is its layout
DESCRIPTOR = NAME:TYPE:FLAGS:blocked:TAG:STRIDES:f0; NAME_TYPE before v3.6, no STRIDES before v3.2
in0_TYPE:ID:strided:PROPERTY:NxN:NsN, the logical tensors in lines of graphs
PROBLEM = as in onednn-tag`,
		Can: "strides of 0 and more, in elements; blocks without gaps inside, full or not; types",
		Cannot: "axes that reach into each other; negative strides; a storage offset; rank 0, more than 12 axes. " +
			"Kinds other than blocked are skipped",
		marks: []string{
			"*_verbose ,", ": blocked :", ":: blocked :", ":: f0", ": f0", ": strided :", "W : any :", ":: any :",
		},
		read: readVerbose, write: writeVerbose, figure: memorySizes,
	},
	{
		Name:    "xla",
		Title:   "XLA: shapes with their layouts, as HLO prints them",
		Example: "bf16[32,256]{1,0:T(8,128)(2,1)}",
		Grammar: `TYPE[N, ...]{AXIS, ...}, the innermost axis first; without braces row-major
{AXIS, ...:T(N, ...)(N, ...)L(N)E(N)}: tiles over the last axes in memory, a multiple for the storage, bits
also in tuples ( , ), buffers b( ) and instructions (name = SHAPE operation), one or those of a module`,
		Can: "orders of the axes; blocks without gaps, as tiles; padding after the last element; types; several " +
			"arrays",
		Cannot: "strides; a storage offset; broadcasting. Sparse arrays are refused",
		marks:  []string{"^ X [", "^ ( X [", "^ ( ( X [", "^ b ( X [", "= X [", "= ( X [", "= ( ( X ["},
		read:   readXLA, write: writeXLA, figure: xlaFigure,
	},
	{
		Name:    "stablehlo",
		Title:   "StableHLO and MLIR: tensor types",
		Example: "tensor<2x3xf32>",
		Grammar: `tensor<NxNxTYPE>, sizes and type`,
		Can:     "row-major; types",
		Cannot:  "anything but row-major without gaps",
		marks:   []string{"tensor <", "# ttg .", "# triton_gpu .", "ttg . memdesc"},
		read:    readStableHLO, write: writeStableHLO,
	},
	{
		Name:    "mlir",
		Title:   "MLIR: memrefs with strides",
		Example: "memref<2x3xf32, strided<[5, 1], offset: 5>>",
		Grammar: `memref<NxNxTYPE [, strided<[N, ...] [, offset: N]>] [, MEMORY SPACE]>, in elements; row-major ` +
			`without strided`,
		Can:    "any strides, in elements (0 not in LLVM up to 19); a storage offset; types",
		Cannot: "blocks: affine-map has them",
		marks:  []string{"memref <"},
		read:   readMLIR, write: writeMemref,
		figure: bufferFigure("elements after --normalize-memrefs"),
	},
	{
		Name:    "affine-map",
		Title:   "MLIR: memrefs with affine maps",
		Example: "memref<16x32xf32, affine_map<(d0, d1) -> (d0 floordiv 4, d1 floordiv 8, d0 mod 4, d1 mod 8)>>",
		Grammar: `memref<NxNxTYPE, affine_map<(d0, ...) -> (RESULT, ...)>>
RESULT = sums of N * input, floordiv N, mod N; several are indices into a row-major buffer
affine_map<(d0, ...)[s0, ...] -> ...>, the symbols by --dim s0=8`,
		Can:    "any strides and blocks; a storage offset; types",
		Cannot: "offsets before 0. Maps with several results do not lower to LLVM before --normalize-memrefs",
		marks:  []string{"affine_map"},
		read:   readAffine, write: writeAffine, figure: mapSize,
	},
}
