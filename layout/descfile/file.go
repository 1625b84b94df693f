package descfile

import "layoutcalc/layout/rules"

// A File is what a file says of tensors.
type File struct {
	Kind        string       // dxdispatch, config, npy, safetensors, gguf
	Target      rules.Target // whose rules its descriptors follow, unless the user says otherwise
	Descriptors []rules.Descriptor
	Model       *rules.Model    // what binds them together, of a DxDispatch model
	Config      *rules.Config   // what is expected of them, of a configuration
	Findings    []rules.Finding // what the reader itself found
	Ignores     []rules.Ignore  // the comments that silence rules
}
