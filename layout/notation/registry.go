package notation

import "layoutcalc/layout"

// all is the table of notations, with one row for each.
var all = [...]*Notation{
	{
		Name: "name", marks: []string{
			"^ <number> .. <word> $", "^ ( .. <word> $", "^ [ .. <word> $", "^ { .. <word> $",
			"torch . Size .. <word> $", "<word> = .. <word> $", ": nopad", "Half (", "Float (", "Int8 (", "Int32 (",
			"BFloat16 (",
		},
		read: readName, write: writeName,
	},
	{
		Name: "pytorch", steps: layout.PyTorch, marks: []string{
			"torch .", "at ::", "c10 ::", "torch ::", "aoti_torch_*", "<word> [ <number> ] = {", "<word> [ ] = {",
			"> <word> = {", "> <word> {", "*empty_strided*", "assert_size_stride (", "rand_strided (",
			"*reinterpret_tensor (", "*tride <list>", "*tride = <list>", "*tride : <list>", "*trides <list>",
			"*trides = <list>", "*trides : <list>", `"stride"`, `"strides"`, "setStorage : sizes", "data_offsets =",
			`"data_offsets"`, "FixedLayout (", "FlexibleLayout (", "NonOwningLayout (", "FakeTensor (",
			"check_tensor (", "MetaTensorDesc (", "make_block_ptr (", "TensorDescriptor (", "<word> . *uffer ( (",
			"<word> . Tensor ( (", "placeholder ( (", "*hape = <list>", "*hape : <list>", "*hape ==", "*hape ) ==",
			"x <number> array", "View (", "NodeArg (", "ShapeDtypeStruct (", "Tensor [ dims", "Tensor [ [",
			"Tensor [ (", "<word> [ <number> ] {", "<word> [ ] {", "*utput : names", "*nput : names", "sizes",
			`"sizes"`, "Sizes = {", "size = [", "size = (", "Size =", "as_strided", "^ <list> <list> $",
			"^ <list> , <list> $",
			"^ ( <list> , <list> ) $", "^ <name> <list> <list>", "<word> : <list> <list>",
		},
		read: readPyTorch, write: writePyTorch, figure: torchStorage,
	},
	{
		Name: "fx", of: "pytorch",
		marks: []string{
			"^ <type> <list> [", "<word> : <type> [", "<annotation>", ": <script-type> (", "strides = [",
			"requires_grad =", "^ float* [ <number> ,", "^ bfloat* [ <number> ,", "^ int* [ <number> ,",
			"^ uint* [ <number> ,", "^ bool [ <number> ,", "^ <type> [ <word> ,", "^ <type> [ <word> ]",
			"ShapedArray ( <type> [", "Traced < <type> [", "*Tracer < <type> [",
		},
		read: readFX, write: writeFX,
	},
	{
		Name: "cute", isType: true, marks: []string{
			"make_layout (", "make_ordered_layout (", "make_tensor (", "Layout <", "Layout ( (", "cute .", ") :",
			"<static>", "^ ( (", "*ptr* [", "*ptr* <", "*ptr* (", "Sw <", "S <", "Swizzle <", "*_Atom <",
			"<number> : (", "<number> : <static>", "<number> : <number> o", "<number> o <number>", "<number> @",
			"^ st <", ":: st <", "st_bf <", "st_hf <", "st_fl <", "st_fp8* <",
		},
		read: readCuTe, write: writeCuTe, figure: cosizes, swizzles: true,
	},
	{
		Name: "numpy", steps: layout.NumPy, marks: []string{
			"np .", "numpy .", "*trides <list>", "*trides = <list>", "*trides : <list>", "strides = None",
			`"strides"`, "memoryview :", "dtype (", "^ <list> <list> $", "^ <list> , <list> $",
			"^ ( <list> , <list> ) $", "^ ( <list> , <list> , dtype", "^ <name> <list> <list>",
			"<word> : <list> <list>", "*hape = <list>", "*hape : <list>", "*hape ==", "*hape ) ==", "^ class :",
			"^ <list> <list> <dtype>", "^ <list> <dtype> <list>", "^ <word> <list> <dtype> <list>",
			"^ <word> : <list> <dtype> <list>", ". shape <list>", ". shape ) <list>",
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
		read: readDML, write: writeDML, figure: dmlTotal, totals: true,
	},
	{
		Name:  "dxdispatch", // without a reader: its inputs are JSON documents, which package manifest reads
		write: writeDxDispatch, figure: dmlTotal,
	},
	{
		Name: "mdspan", marks: []string{
			"*mdspan*", "*extents", "layout_*", "^ <list> <list> $", "^ <list> , <list> $", "^ ( <list> , <list> ) $",
		},
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
			`"ne"`, "GGML_*", "ne =", "ne :", "llama_model_loader : - tensor", "ggml_debug :", "*_cb_eval :",
			"<number> | <number>", "<number> | <word>", ", shape = {", "] , type =",
		},
		read: readGGML, write: writeGGML, figure: spanFigure("ggml_nbytes"),
	},
	{
		Name: "onednn", isType: true, marks: []string{"memory ::"},
		read: readOneDNN, write: writeOneDNN, figure: memorySizes,
	},
	{
		Name: "onednn-tag", of: "onednn", isType: true,
		marks: []string{"^ - - <word>", "benchdnn", "__REPRO :", "<problem>"},
		read:  readBenchDNN, write: writeBenchDNN, figure: memorySizes,
	},
	{
		Name: "onednn-verbose", of: "onednn", isType: true, marks: []string{
			"*_verbose ,", ": blocked :", ":: blocked :", ":: f0", ": f0", ": strided :", "<word> : any :",
			":: any :",
		},
		read: readVerbose, write: writeVerbose, figure: memorySizes,
	},
	{
		Name: "xla", isType: true,
		marks: []string{
			"^ <xla-type> [", "^ ( <xla-type> [", "^ ( ( <xla-type> [", "^ b ( <xla-type> [", "= <xla-type> [",
			"= ( <xla-type> [", "= ( ( <xla-type> [",
		},
		read: readXLA, write: writeXLA, figure: xlaFigure,
	},
	{
		Name: "stablehlo", of: "mlir", isType: true,
		marks: []string{
			"tensor <", "# ttg .", "# ttng .", "# triton_gpu .", "! ttg . memdesc", "! triton_gpu . memdesc",
			"! tt . memdesc", "! torch . vtensor <", "! torch . tensor <",
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
