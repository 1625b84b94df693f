package notation

import "layoutcalc/layout"

// all is the registry: one row a notation.
var all = [...]*Notation{
	{
		Name: "name", marks: []string{
			"^ N .. W $", "^ ( .. W $", "^ [ .. W $", "^ { .. W $", "torch . Size .. W $", "W = .. W $", ": nopad",
			"Half (", "Float (", "Int8 (", "Int32 (", "BFloat16 (",
		},
		read: readName, write: writeName,
	},
	{
		Name: "pytorch", steps: layout.PyTorch, marks: []string{
			"torch .", "at ::", "c10 ::", "torch ::", "aoti_torch_*", "W [ N ] = {",
			"W [ ] = {", "> W = {", "> W {", "*empty_strided*", "assert_size_stride (", "rand_strided (",
			"*reinterpret_tensor (", "*tride L", "*tride = L", "*tride : L", "*trides L", "*trides = L",
			"*trides : L", `"stride"`, `"strides"`, "setStorage : sizes", "data_offsets =",
			`"data_offsets"`, "FixedLayout (", "FlexibleLayout (",
			"NonOwningLayout (", "FakeTensor (", "check_tensor (", "MetaTensorDesc (", "make_block_ptr (",
			"TensorDescriptor (", "W . *uffer ( (", "W . Tensor ( (", "placeholder ( (", "*hape = L", "*hape : L",
			"*hape ==", "*hape ) ==", "x N array", "View (", "NodeArg (", "Tensor [ dims", "Tensor [ [", "Tensor [ (",
			"W [ N ] {", "W [ ] {", "*utput : names", "*nput : names", "sizes",
			`"sizes"`, "Sizes = {", "size = [", "size = (", "Size =", "as_strided", "^ L L $", "^ L , L $",
			"^ ( L , L ) $", "^ D L L", "W : L L",
		},
		read: readPyTorch, write: writePyTorch, figure: torchStorage,
	},
	{
		Name: "fx", of: "pytorch",
		marks: []string{
			"^ T L [", "W : T [", "Q", ": C (", "strides = [", "requires_grad =", "^ float* [ N ,", "^ bfloat* [ N ,",
			"^ int* [ N ,", "^ uint* [ N ,", "^ bool [ N ,", "^ T [ W ,", "^ T [ W ]", "ShapedArray ( T [",
			"Traced < T [", "*Tracer < T [",
		},
		read: readFX, write: writeFX,
	},
	{
		Name: "cute", isType: true, marks: []string{
			"make_layout (", "make_ordered_layout (", "make_tensor (", "Layout <", "Layout ( (", "cute .", ") :", "U",
			"^ ( (",
			"*ptr* [", "*ptr* <", "*ptr* (", "Sw <", "S <", "Swizzle <", "*_Atom <", "N : (", "N : U",
			"N : N o", "N o N", "N @",
		},
		read: readCuTe, write: writeCuTe, figure: cosizes, swizzles: true,
	},
	{
		Name: "numpy", steps: layout.NumPy, marks: []string{
			"np .", "numpy .", "*trides L", "*trides = L", "*trides : L", "strides = None", `"strides"`, "memoryview :",
			"dtype (", "^ L L $", "^ L , L $", "^ ( L , L ) $", "^ ( L , L , dtype", "^ D L L", "W : L L",
			"*hape = L", "*hape : L", "*hape ==", "*hape ) ==", "^ class :",
			"^ L L V", "^ L V L", "^ W L V L", "^ W : L V L", ". shape L", ". shape ) L",
		},
		read: readNumPy, write: writeNumPy, figure: elementFigure("nbytes"),
	},
	{
		Name: "numpy-interface", of: "numpy", steps: layout.NumPy,
		marks: []string{`"typestr"`, `"fortran_order"`, "typestr", "fortran_order"},
		read:  readInterface, write: writeInterface, figure: elementFigure("nbytes"),
	},
	{
		Name: "dml", marks: []string{"DML_*", "DataType", "( gdb )", "( lldb )", "dml ::", "*TensorDesc"},
		read: readDML, write: writeDML, figure: dmlTotal,
	},
	{
		Name: "dxdispatch", marks: []string{`"DataType"`, `"Sizes"`},
		read: readDxDispatch, write: writeDxDispatch, figure: dmlTotal,
	},
	{
		Name: "mdspan", marks: []string{"*mdspan*", "*extents", "layout_*", "^ L L $", "^ L , L $", "^ ( L , L ) $"},
		read: readMdspan, write: writeMdspan, figure: spanFigure("required_span_size"),
	},
	{
		Name: "dlpack", marks: []string{"DLTensor", "byte_offset", "kDL*", "DLManaged*"},
		read: readDLPack, write: writeDLPack, figure: elementFigure("DLPack data size"),
	},
	{
		Name: "dlpack-json", of: "dlpack", marks: []string{`"byte_offset"`, `"dtype"`, `"ndim"`},
		read: readDLPackJSON, write: writeDLPackJSON, figure: elementFigure("DLPack data size"),
	},
	{
		Name: "cudnn", marks: []string{
			"dimA : type =", "cudnnSet*", "miopenSet*", "set_dim (", "setDim (", `"dim"`,
		},
		read: readCuDNN, write: writeCuDNN, figure: bufferFigure("elements up to the last one"),
	},
	{
		Name: "ggml", marks: []string{
			`"ne"`, "GGML_*", "ne =", "ne :", "llama_model_loader : - tensor", "ggml_debug :", "*_cb_eval :", "N | N",
			"N | W", ", shape = {", "] , type =",
		},
		read: readGGML, write: writeGGML, figure: spanFigure("ggml_nbytes"),
	},
	{
		Name: "onednn", isType: true, marks: []string{"memory ::"},
		read: readOneDNN, write: writeOneDNN, figure: memorySizes,
	},
	{
		Name: "onednn-tag", of: "onednn", isType: true, marks: []string{"^ - - W", "benchdnn", "__REPRO :", "P"},
		read: readBenchDNN, write: writeBenchDNN, figure: memorySizes,
	},
	{
		Name: "onednn-verbose", of: "onednn", isType: true, marks: []string{
			"*_verbose ,", ": blocked :", ":: blocked :", ":: f0", ": f0", ": strided :", "W : any :", ":: any :",
		},
		read: readVerbose, write: writeVerbose, figure: memorySizes,
	},
	{
		Name: "xla", isType: true,
		marks: []string{"^ X [", "^ ( X [", "^ ( ( X [", "^ b ( X [", "= X [", "= ( X [", "= ( ( X ["},
		read:  readXLA, write: writeXLA, figure: xlaFigure,
	},
	{
		Name: "stablehlo", of: "mlir", isType: true,
		marks: []string{
			"tensor <", "# ttg .", "# ttng .", "# triton_gpu .", "! ttg . memdesc", "! triton_gpu . memdesc",
			"! tt . memdesc", "! torch . vtensor <",
			"! torch . tensor <",
		},
		read: readStableHLO, write: writeStableHLO,
	},
	{
		Name: "mlir", isType: true, marks: []string{"memref <", "Memref base @"},
		read: readMLIR, write: writeMemref, figure: bufferFigure("elements after --normalize-memrefs"),
	},
	{
		Name: "affine-map", of: "mlir", isType: true, marks: []string{"affine_map"},
		read: readAffine, write: writeAffine, figure: mapSize,
	},
}
