package rules

// A File is what a file states about tensors.
type File struct {
	Kind        string // "dxdispatch", "config", "npy", "safetensors" or "gguf"
	Target      Target // whose rules its descriptors follow, unless the user names another
	Descriptors []Descriptor
	Model       *Model    // what relates the descriptors of a DxDispatch model; else nil
	Config      *Config   // what a configuration expects of its descriptors; else nil
	Findings    []Finding // the reader's own
	Ignores     []Ignore  // the comments that silence rules
}
