package rules

// A header of .safetensors with a tensor of 24 bytes.
const header24 = `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}`

// tensorFileRules are the rules of tensor files.
var tensorFileRules = []Rule{
	{ID: LFSPointer, Name: "lfs-pointer", Severity: Error,
		What: "A file of tensors is the file itself, not the pointer that Git LFS keeps in its place.",
		Why: "Where Git LFS is not installed, or a checkout leaves its files out, readers take the pointer for the " +
			"file. Its first bytes read as a number are 2336927755350992246, so that safetensors says " +
			"HeaderTooLarge; pickle says \"invalid load key, 'v'\", and onnxruntime \"Protobuf parsing failed\".",
		Limit: "1023 bytes that start with the version of a pointer are one, 1024 are not",
		Source: "documented (git-lfs, docs/spec.md); observed (transformers issue 27923, OmniParser issue 34, " +
			"stable-diffusion-webui issue 8123, DeepSeek-V3 issue 557, clipseg issue 5, onnxruntime-genai issue 684, " +
			"commavq issue 12)",
		Fix: "Run git lfs pull; in CI let the checkout do it (lfs: true for actions/checkout, no " +
			"GIT_LFS_SKIP_SMUDGE=1). Where files are left out on purpose, --ignore lfs-pointer.",
		Bad: "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258d" +
			"aaa5e2ca24d17e2393\nsize 12345\n",
		Good: header24 + `} + 24 bytes`,
	},
	{ID: NotTheFile, Name: "not-the-file", Severity: Error,
		What: "A file of tensors has a header of .npy, .safetensors or .gguf, and not something else in its place.",
		Why: "A download that failed leaves a page of HTML or a message of the server, and a pickle or an archive is " +
			"renamed rather than converted. Readers answer with the first number that makes no sense: safetensors " +
			"with HeaderTooLarge or InvalidHeader, pickle with \"invalid load key, '<'\".",
		Limit: "A message of a server has less than 4096 bytes; an empty file is not one of tensors",
		Source: "documented (the magic numbers of the formats); observed (diffusers issue 5328; AIWarehouse issue 3, " +
			"where the picture of a code had been downloaded as a model)",
		Fix:  "Download the file again, unpack it, or convert it to .safetensors.",
		Bad:  "<!DOCTYPE html><html><head><title>Sign in</title></head></html>",
		Good: header24 + `} + 24 bytes`,
	},
	{ID: FileHeader, Name: "file-header", Severity: Error,
		What: "The header of a tensor file says what its format asks for, once, and nothing else.",
		Why: "Readers differ in what they make of the rest: one takes the first of two keys, one the last, and a " +
			"third refuses the file. That is how two programs come to see two models in one file.",
		Limit: "A .safetensors header starts with {, has no comments, and only spaces after it; .gguf has 4 sizes " +
			"a tensor, and keys of 65535 bytes; 5 and 65536 are wrong",
		Source: "documented (safetensors README, gguf.md); enforced by NumPy's, safetensors' and ggml 0.21's readers",
		Fix:    "Write the file again with a current version of its own library.",
		Bad:    `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24], "stride": [3, 1]}} + 24 bytes`,
		Good:   `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}} + 24 bytes`,
	},
	{ID: FileSize, Name: "file-size", Severity: Error,
		What: "A tensor's shape and type take exactly the bytes that the file has for it.",
		Why:  "A file that is cut off, or whose header claims more than there is, is read beyond its end.",
		Limit: "float32 of (2, 3) is right in 24 bytes, and wrong in 23; sizes whose product 64 bits do not hold " +
			"are wrong",
		Source: "documented (safetensors README); enforced by safetensors' and ggml's readers; NumPy fails while " +
			"reading",
		Fix:  "Copy the file again, or correct the shape or the offsets.",
		Bad:  `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 20]}} + 20 bytes`,
		Good: `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}} + 24 bytes`,
	},
	{ID: FileType, Name: "file-type", Severity: Error,
		What: "The format has the element type, and rows fill whole blocks of it.",
		Why: "Without the size of an element nothing after it can be found. Elements of 4 and 6 bits end at a " +
			"byte, and quantised rows at a block.",
		Limit: "F4 of [4] is right, of [3] wrong; Q4_0 with rows of 96 is right, of 100 wrong; types 4, 5, 31 to " +
			"33 and 36 to 38 of ggml were removed",
		Source: "documented (safetensors README, gguf.md); enforced by safetensors' and ggml 0.21's readers",
		Fix:    "Convert the tensor to a type that the format has, or pad its rows.",
		Bad:    `{"a": {"dtype": "F33", "shape": [2, 3], "data_offsets": [0, 24]}} + 24 bytes`,
		Good:   `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}} + 24 bytes`,
	},
	{ID: FileOverlap, Name: "file-overlap", Severity: Error,
		What: "No byte belongs to two tensors.",
		Why: "Readers refuse the file, or one tensor changes with another. Shared weights must be stored once, " +
			"under one name.",
		Limit:  "The next tensor starts right at the byte where one ends; one byte before is wrong",
		Source: "documented (safetensors README); enforced by safetensors' and ggml's readers",
		Fix:    "Write the file again, or give the tensor the offset where the one before it ends.",
		Bad:    header24 + `, "b": {"dtype": "F32", "shape": [6], "data_offsets": [20, 44]}} + 44 bytes`,
		Good:   header24 + `, "b": {"dtype": "F32", "shape": [6], "data_offsets": [24, 48]}} + 48 bytes`,
	},
	{ID: FileHole, Name: "file-hole", Severity: Error,
		What: "Every byte between the first and the last tensor belongs to one, except padding up to the alignment.",
		Why:  "Other data can hide there, and readers that require tensors one after another refuse the file.",
		Limit: "With an alignment of 32, a tensor after 36 bytes is right at 64 and wrong at 96; .safetensors has " +
			"no padding at all",
		Source: "documented (safetensors README); enforced by safetensors' and ggml 0.21's readers",
		Fix:    "Write the file again without the bytes.",
		Bad:    header24 + `, "b": {"dtype": "F32", "shape": [6], "data_offsets": [28, 52]}} + 52 bytes`,
		Good:   header24 + `, "b": {"dtype": "F32", "shape": [6], "data_offsets": [24, 48]}} + 48 bytes`,
	},
	{ID: FileAlign, Name: "file-align", Severity: Error,
		What: "Tensors start at multiples of the alignment, which is a power of two.",
		Why: "ggml refuses other offsets. In the other formats this is a warning or a note: a file that is mapped " +
			"into memory has elements that cannot be read in place.",
		Limit: "64 is right and 36 wrong for .gguf's 32; general.alignment of 8 and 32 is right, 24 is wrong, and " +
			"4 is a warning",
		Source: "documented (gguf.md, .npy format); enforced by ggml 0.21; observed (writers of safetensors pad " +
			"headers to 8, NumPy to 64)",
		Fix: "Start the tensor at the next multiple.",
		Bad: `{"a": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}, "b": {"dtype": "F32", "shape": [1], ` +
			`"data_offsets": [1, 5]}} + 5 bytes`,
		Good: `{"b": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}, "a": {"dtype": "U8", "shape": [1], ` +
			`"data_offsets": [4, 5]}} + 5 bytes`,
	},
	{ID: FileOrder, Name: "file-order", Severity: Note,
		What: "Elements are stored in row-major order and little-endian, and .gguf tensors as they are listed.",
		Why: "A .npy file may have Fortran order, but DxDispatch refuses it; big-endian elements have to be " +
			"swapped. ggml refuses tensors in another order, so there it is an error.",
		Source: "documented (.npy format); enforced by DxDispatch (NpyReaderWriter) and ggml 0.21",
		Fix:    "Save numpy.ascontiguousarray(a), or a.astype of the little-endian type.",
		Bad:    "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), } + 24 bytes",
		Good:   "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } + 24 bytes",
	},
	{ID: FileName, Name: "file-name", Severity: Error,
		What: "Names of tensors differ, are valid UTF-8, and are as short as the format requires.",
		Why: "Of two tensors of one name, readers keep one or refuse the file. Control characters, which are a " +
			"warning, can change what a terminal shows.",
		Limit:  ".gguf: 63 bytes are right, 64 wrong; elsewhere 4096 bytes are read, and 4097 are too many here",
		Source: "documented (safetensors README); enforced by ggml 0.21 (GGML_MAX_NAME)",
		Fix:    "Rename one of the tensors.",
		Bad:    `{"a\u0007": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}} + 24 bytes`,
		Good:   `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}} + 24 bytes`,
	},
	{ID: FileTrailing, Name: "file-trailing", Severity: Error,
		What: "Nothing follows the last tensor.",
		Why: "A shape that is too small leaves data over, and another file can be hidden there. Readers of .npy " +
			"and .gguf skip it, so there it is a warning.",
		Limit:  "24 bytes after the header of one float32 of [2, 3] are right, 25 are wrong",
		Source: "documented (safetensors README); enforced by safetensors' reader; observed (NumPy)",
		Fix:    "Correct the shape, or cut the file off.",
		Bad:    `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}} + 28 bytes`,
		Good:   `{"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}} + 24 bytes`,
	},
}
