package rules

// An index of the file with header24, and what follows it.
const (
	indexOf24 = `{"metadata": {"total_size": 24}, "weight_map": {"a": "1.safetensors"`
	beside1   = ` beside 1.safetensors: ` + header24 + `} + 24 bytes`
)

// indexRules are the rules of an index of .safetensors files.
var indexRules = []Rule{
	{ID: IndexMap, Name: "index-map", Severity: Error,
		What: "The weight_map of an index has the names of tensors, each once, and with each the name of a file.",
		Why: "Of a name that is there twice readers of JSON keep the last; a value that is not a text ends the load. " +
			"An empty map loads nothing, without an error.",
		Limit:  "The same name twice for the same file is a warning, for two files an error",
		Source: "enforced in transformers, vLLM and SGLang, which fail with KeyError or TypeError",
		Fix:    "Write the index again with the library that wrote the shards.",
		Bad:    `{"metadata": {"total_size": 0}, "weight_map": {}}`,
		Good:   indexOf24 + `}}` + beside1,
	},
	{ID: IndexPath, Name: "index-path", Severity: Error,
		What: "An index names files below its own directory that end in .safetensors.",
		Why: "Programs join the name to the directory and open what is there: a path with .. or from the root is a " +
			"file of somebody else, and one with another ending a pickle, which runs code. huggingface_hub refuses " +
			"both. A shard in a directory below is a note: vLLM and mlx-lm look for files beside the index only.",
		Limit:  "sub/a.safetensors is right, sub/../a.safetensors is wrong",
		Source: "enforced in huggingface_hub (_load_sharded_checkpoint); observed in the other loaders",
		Fix:    "Move the file beside the index, and write its name alone.",
		Bad:    `{"metadata": {"total_size": 24}, "weight_map": {"a": "../1.safetensors"}}` + beside1,
		Good:   indexOf24 + `}}` + beside1,
	},
	{ID: IndexShardMissing, Name: "index-shard-missing", Severity: Error,
		What: "Each file that an index names is there.",
		Why: "transformers and vLLM stop; programs that load whatever is there, as SGLang did before pull request " +
			"32279, serve a model with random weights. Where the names of files count more of them than the index " +
			"has, such as model-00001-of-00030, the index is an old one, which is a warning.",
		Limit: "A directory or a pipe of that name is not a file",
		Source: "enforced in transformers, vLLM and huggingface_hub; observed (sglang issue 32279, Neph0s/CoSER " +
			"issue 3)",
		Fix:  "Download the missing file, or the index that belongs to the files.",
		Bad:  indexOf24 + `, "b": "2.safetensors"}}` + beside1,
		Good: indexOf24 + `}}` + beside1,
	},
	{ID: IndexShardExtra, Name: "index-shard-extra", Severity: Warning,
		What: "All .safetensors files beside an index are named by it, or by another index there.",
		Why: "mlx-lm loads every file of the directory, the others only those that are named: two programs have two " +
			"models. consolidated.safetensors, which Mistral ships besides, is a note.",
		Source: "observed (mlx-vlm issues 1464 and 1329, sglang issue 35107, vllm issue 40765)",
		Fix:    "Remove the file, or name its tensors in the index.",
		Bad:    indexOf24 + `}}` + beside1 + ` beside 2.safetensors: {} + 0 bytes`,
		Good:   indexOf24 + `}}` + beside1,
	},
	{ID: IndexTensorMissing, Name: "index-tensor-missing", Severity: Error,
		What: "Each tensor of an index is in the file that the index names for it.",
		Why: "No loader looks: transformers and vLLM take the tensor from wherever it is, programs that load by " +
			"the map fail, and a tensor that is nowhere stays as it was made, with random weights.",
		Limit:  "1199 tensors in the index and 1198 in the files (nightmedia/Qwen3.8-27B-Brainwaves) are one too few",
		Source: "observed in transformers and vLLM; huggingface_hub leaves it to others (huggingface_hub issue 4725)",
		Fix:    "Write the index again from the files.",
		Bad:    indexOf24 + `, "b": "1.safetensors"}}` + beside1,
		Good:   indexOf24 + `}}` + beside1,
	},
	{ID: IndexTensorExtra, Name: "index-tensor-extra", Severity: Warning,
		What: "Each tensor of a file that an index names is in the index.",
		Why: "vLLM and SGLang load it, transformers calls it unexpected, and programs that load by the map do not " +
			"see it: perhaps it is an old tensor under its old name.",
		Source: "observed in transformers, vLLM and SGLang", Fix: "Write the index again from the files.",
		Bad: indexOf24 + `}} beside 1.safetensors: ` + header24 +
			`, "b": {"dtype": "F32", "shape": [6], "data_offsets": [24, 48]}} + 48 bytes`,
		Good: indexOf24 + `}}` + beside1,
	},
	{ID: IndexDuplicate, Name: "index-duplicate", Severity: Warning,
		What: "A tensor is in one of the files that an index names.",
		Why: "Programs that read the files one after the other keep the last, those that read by the map the one " +
			"that is named. Where type or shape differ one of them computes with wrong weights, so that it is an " +
			"error: 1024 old FP8 tensors replaced the right ones in vllm issue 54230.",
		Limit:  "The same type and shape in both is a warning, another one an error",
		Source: "observed (vllm issue 54230; overlays do it on purpose, JustVugg/colibri issue 1479)",
		Fix:    "Remove the tensor from the file that the index does not name.",
		Bad: indexOf24 + `, "b": "2.safetensors"}}` + beside1 + ` beside 2.safetensors: ` + header24 +
			`, "b": {"dtype": "F32", "shape": [], "data_offsets": [24, 28]}} + 28 bytes`,
		Good: indexOf24 + `}}` + beside1,
	},
	{ID: IndexTotalSize, Name: "index-total-size", Severity: Warning,
		What: "The total_size of an index is the number of bytes of its tensors, each once, without headers.",
		Why: "Programs that plan disks and memory read it. Loaders do not, so that it may be wrong for long: tied " +
			"tensors are counted twice, headers are counted, or tensors were removed. Of shards that Git LFS has not " +
			"checked out the size of the file is known, and a total beyond the sizes of all shards is wrong.",
		Limit: "24 is right for one float32 of [2, 3], 25 is wrong",
		Source: "enforced by the writers in huggingface_hub and mlx-lm; observed (ml-explore/mlx-examples pull " +
			"request 413, Edge0-AI/Edge0 issue 104)",
		Fix:  "Write the number of the message.",
		Bad:  `{"metadata": {"total_size": 25}, "weight_map": {"a": "1.safetensors"}}` + beside1,
		Good: indexOf24 + `}}` + beside1,
	},
	{ID: IndexMetadata, Name: "index-metadata", Severity: Warning,
		What: "An index has metadata, an object with the number total_size.",
		Why: "transformers 4 fails with a KeyError without metadata. Tools that merge models wrote the size as a " +
			"text or as a number with a fraction.",
		Limit:  "9223372036854775807 is right; 9223372036854775808, 1.3e10 and \"24\" are wrong",
		Source: "enforced in transformers 4 (index[\"metadata\"])", Fix: "Write the number of bytes of all tensors.",
		Bad:  `{"weight_map": {"a": "1.safetensors"}}` + beside1,
		Good: indexOf24 + `}}` + beside1,
	},
}
