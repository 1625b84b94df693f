package triton

import (
	"cmp"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/protobuf"
	"layoutcalc/layout/wording"
)

// Names of the server's own backends and platforms.
const (
	ensemblePlatform = "ensemble"
	tensorRT         = "tensorrt"
	tensorRTPlatform = "tensorrt_plan"
	onnxRuntime      = "onnxruntime"
	onnxPlatform     = "onnxruntime_onnx"
	pyTorch          = "pytorch"
	python           = "python"
)

// A backendRow is a backend that the server finds out by a platform or by the name of the model's file.
type backendRow struct {
	backend, platform, file string
	alike                   string // another platform that stands for it
}

// backends are the rows in the order that the server tries.
var backends = [...]backendRow{
	{backend: "tensorflow", platform: "tensorflow_savedmodel", file: "model.savedmodel"},
	{backend: "tensorflow", platform: "tensorflow_graphdef", file: "model.graphdef"},
	{backend: tensorRT, platform: tensorRTPlatform, file: "model.plan"},
	{backend: onnxRuntime, platform: onnxPlatform, file: "model.onnx"},
	{backend: "openvino", file: "model.xml"},
	{backend: pyTorch, platform: "pytorch_libtorch", file: "model.pt", alike: "libtorch"},
	{backend: "torch_aoti", platform: "torch_aoti", file: "model.pt2"},
	{backend: python, file: "model.py"},
}

// A server holds the platform, the backend and the file of a model, as stated or as the server infers them.
type server struct{ platform, backend, file string }

// infer returns the platform, the backend and the file that the server infers for a model in a directory. They may be
// unknown. If nothing is stated and no file determines it, the name of a model such as model.dali does.
func (c *Config) infer(d *directory) server {
	s, files := server{c.platform.text, c.backend.text, c.filename.text}, d.modelFiles()
	for _, b := range &backends {
		known := b.platform != "" && s.platform == b.platform || b.alike != "" && s.platform == b.alike ||
			s.file == b.file || s.platform == "" && s.file == "" && slices.Contains(files, b.file)
		if s.backend == "" && known {
			s.backend = b.backend
		}
		if s.backend != b.backend || b.backend == "tensorflow" && !known {
			continue
		}
		if s.platform == "" {
			s.platform = b.platform
		}
		if s.platform == b.platform && s.file == "" {
			s.file = b.file
		}
		return s
	}
	if _, backend, ok := strings.Cut(c.modelName(d), "."); ok && s == (server{}) {
		s.backend, s.file = backend, "model."+backend
	}
	return s
}

// A checker checks a configuration.
type checker struct {
	*Config
	at          *Location // the position of the configuration; nil if it is not known
	server      server
	dir         *directory     // the model's directory; nil if it is not known
	inputNames  map[string]int // the index of the first input of each name
	outputNames map[string]int
	labels      map[string]int64 // how many there are in the files that were read
	hasFile     bool             // the highest version has the file of the model
	files       map[*finding.Rule]*namedFiles
	order       []int // the steps of an ensemble that can run, in this order
	notes       []string
}

// A namedFiles is the files of one kind that a configuration names.
type namedFiles struct {
	kind    string
	seen    map[string]bool // the paths
	missing []string        // the paths that do not exist
	at      int32           // the offset of the first of them
}

// names returns the first tensor of each name.
func (c *Config) names(list []entry) map[string]int {
	names := map[string]int{}
	for i := range list {
		name := c.Text(list[i].name)
		if _, again := names[name]; !again {
			names[name] = i
		}
	}
	return names
}

// Values yields the tensors as the model gets them, with an open size for the batch before their dims.
func (c *Config) Values(yield func(*descriptor.Descriptor) bool) {
	for _, list := range [...][]entry{c.inputs, c.outputs} {
		for i := range list {
			t := c.tensor(&list[i])
			isWrong := func(n int64) bool { return n < 1 && n != -1 }
			if n := len(t.dims.values); n == 0 || n > maxRank || slices.ContainsFunc(t.dims.values, isWrong) {
				continue
			}
			v := &descriptor.Descriptor{Name: t.name.text, TypeName: typeName(t.dtype.n)}
			if t.dtype.n < 0 { // a name that there is not
				v.TypeName = c.Word(t.dtype.at)
			}
			v.Type, v.TypeKnown = dtype(t.dtype.n)
			if v.Sizes = t.dims.values; c.batch.n > 0 {
				v.Sizes = append([]int64{-1}, v.Sizes...)
			}
			if slices.Contains(v.Sizes, -1) {
				v.Open = make([]string, len(v.Sizes))
			}
			if c.batch.n > 0 {
				v.Open[0] = "batch"
			}
			if !yield(v) {
				return
			}
		}
	}
}

// File returns the findings so far.
func (c *Config) File() *descriptor.File {
	c.LeftOut(c.on(protobuf.Root))
	return &descriptor.File{Kind: "triton", Findings: slices.Clip(c.findings), Comments: c.Comments}
}

// checkServer checks the platform and the backend.
func (k *checker) checkServer() {
	switch isEnsemble := k.server.platform == ensemblePlatform; {
	case isEnsemble && k.server.backend != "":
		k.Report(tritonPlatform, k.on(k.backend.at), "remove the backend",
			"an ensemble has no backend, and %s is stated", quoted(k.server.backend))
	case isEnsemble:
	case k.server == (server{}):
		k.checkNoServer()
	case k.server.backend == "" && k.platform.text == "":
		k.Report(tritonPlatform, k.on(k.filename.at), `such as backend: "onnxruntime"`,
			"neither a backend nor a platform is stated, and %s does not tell which the model needs",
			quoted(k.filename.text))
	case k.server.backend == "":
		k.checkPlatform()
	default:
		k.checkBackend()
		k.checkRuntime()
	}
	if len(k.outputs) == 0 && k.server.platform == "pytorch_libtorch" {
		k.Report(tritonNoOutput, k.on(protobuf.Root), "",
			"a PyTorch model needs its outputs: the server cannot take them from the file")
	}
}

// checkNoServer reports that the configuration does not name a backend or platform. For ensembles, checkEnsemble
// reports it.
func (k *checker) checkNoServer() {
	if k.ensemble != 0 {
		return
	}
	severity := finding.Note
	if len(k.dir.modelFiles()) > 0 {
		severity = finding.Error
	}
	k.ReportAs(tritonPlatform, severity, k.on(protobuf.Root), `such as backend: "onnxruntime"`,
		"neither a backend nor a platform is stated, and no file shows which the model needs")
}

// checkPlatform reports a platform that the server does not have.
func (k *checker) checkPlatform() {
	var known []string
	isBackend := false
	for _, b := range &backends {
		known = append(known, b.platform)
		isBackend = isBackend || b.backend == k.platform.text
	}
	fix := `such as platform: "onnxruntime_onnx"`
	if word := wording.Nearest(k.platform.text, known); isBackend {
		fix = "write backend: " + strconv.Quote(k.platform.text)
	} else if word != "" {
		fix = "did you mean " + word + "?"
	}
	k.Report(tritonPlatform, k.on(k.platform.at), fix, "the server has no platform %s", quoted(k.platform.text))
}

// checkBackend reports a backend that the server does not have, and a platform that is not its own.
func (k *checker) checkBackend() {
	own := findBackend(func(b *backendRow) bool { return b.backend == k.server.backend })
	other := findBackend(func(b *backendRow) bool { return b.platform == k.server.platform })
	switch {
	case own == nil && k.backend.at != 0 && !k.isBackend():
		k.Report(tritonPlatform, k.on(k.backend.at), "write backend: "+strconv.Quote(k.likelyBackend()),
			"the server has no backend %s", quoted(k.server.backend))
	case own != nil && (other == nil || other.backend != own.backend):
		k.Report(tritonPlatform, k.on(cmp.Or(k.platform.at, k.backend.at)),
			"write platform: "+strconv.Quote(own.platform), "platform %s does not go with backend %s",
			quoted(k.server.platform), quoted(own.backend))
	}
}

// checkRuntime reports a library of the backend that is outside of the directories that the server searches.
func (k *checker) checkRuntime() {
	at := k.One(protobuf.Root, "runtime")
	if first, _, _ := strings.Cut(path.Join(".", k.Text(at)), "/"); first == ".." {
		k.Report(tritonPlatform, k.on(at), `such as runtime: "model.py"`,
			"the runtime is outside of the directory of the backend")
	}
}

// findBackend returns the last backend with a platform for which isMeant returns true, or nil.
func findBackend(isMeant func(*backendRow) bool) (found *backendRow) {
	for i := range backends {
		if b := &backends[i]; b.platform != "" && isMeant(b) {
			found = b
		}
	}
	return found
}

// isBackend reports whether the backend may be written by others: its library exists, or its name is neither the name
// of a platform or a file nor a misspelt backend.
func (k *checker) isBackend() bool {
	library := "libtriton_" + k.server.backend + ".so"
	if k.dir != nil && (slices.Contains(k.dir.last, library) ||
		slices.ContainsFunc(k.dir.entries, func(e fs.DirEntry) bool { return e.Name() == library })) {
		return true
	}
	return slices.ContainsFunc(backends[:], func(b backendRow) bool { return b.backend == k.server.backend }) ||
		k.likelyBackend() == ""
}

// likelyBackend returns the backend that an unknown name probably stands for: the name may be of a platform, of the
// ending of a model file, or similar to a backend. It returns an empty string if no backend matches.
func (k *checker) likelyBackend() string {
	var known []string
	for _, b := range &backends {
		kind := strings.TrimPrefix(path.Ext(b.file), ".")
		if name := k.server.backend; name == b.platform || name == b.alike || name == kind {
			return b.backend
		}
		known = append(known, b.backend)
	}
	return wording.Nearest(k.server.backend, known)
}

// modelName returns the server's name of a model in a directory.
func (c *Config) modelName(d *directory) string {
	if c.name.text == "" && d != nil {
		return d.name
	}
	return c.name.text
}

// checkBatching checks the sizes of batches.
func (k *checker) checkBatching() {
	most := k.batch.n
	if most < 0 && k.IsInteger(k.batch.at) {
		k.Report(tritonBatchSize, k.on(k.batch.at), "0 for a model without batches", "max_batch_size is %d", most)
	}
	oldest := k.One(k.One(protobuf.Root, "sequence_batching"), "oldest")
	for _, scheduler := range [...]int32{k.One(protobuf.Root, "dynamic_batching"), oldest} {
		sizes := k.list(scheduler, "preferred_batch_size")
		for i, n := range sizes.values {
			switch {
			case n <= 0:
				k.Report(tritonPreferred, k.on(sizes.at[i]), "", "a preferred batch size of %d", n)
			case n > most && most >= 0: // a wrong one is reported alone
				k.Report(tritonPreferred, k.on(sizes.at[i]), "",
					"a preferred batch size of %d is more than max_batch_size, %d", n, most)
			}
		}
	}
}

// maxRank is how many dimensions of a tensor are read.
const maxRank = 64

// checkTensors checks inputs and outputs.
func (k *checker) checkTensors() {
	for i, tensors := range [...][]entry{k.inputs, k.outputs} {
		kind, severity, names := "input", finding.Error, k.inputNames
		if i == 1 {
			kind, severity, names = "output", finding.Warning, k.outputNames
		}
		for i := range tensors {
			t := k.tensor(&tensors[i])
			if name := t.name.text; name != "" && names[name] != i {
				k.ReportAs(tritonDuplicateIO, severity, k.on(t.name.at), "",
					"a second %s of the name %s: the server keeps one", kind, quoted(name))
			}
			k.checkTensor(t, kind)
		}
		k.checkPyTorchNames(tensors, kind)
	}
}

// checkTensor checks an input or an output.
func (k *checker) checkTensor(t *tensor, kind string) {
	missing := finding.Note // most backends take it from the model
	if p := k.server.platform; k.server.backend == pyTorch || p == "tensorflow_graphdef" || p == ensemblePlatform {
		missing = finding.Error
	}
	if t.name.text == "" {
		k.Report(tritonName, k.on(t.at), "", "the %s has no name", kind)
	}
	switch {
	case t.dtype.at == 0:
		k.ReportAs(tritonDType, missing, k.on(t.at), "such as data_type: TYPE_FP32", "the %s has no data_type", kind)
	case t.dtype.n == 0:
		k.Report(tritonDType, k.on(t.dtype.at), "such as data_type: TYPE_FP32",
			"TYPE_INVALID is not a type of elements")
	case t.dtype.n >= int64(len(enum("DataType"))),
		t.dtype.n < 0 && k.IsInteger(t.dtype.at): // an unknown name is reported elsewhere
		k.Report(tritonDType, k.on(t.dtype.at), "such as data_type: TYPE_FP32", "no type has the number %d", t.dtype.n)
	}
	dims := t.dims.values
	if len(dims) > maxRank {
		k.Report(tritonDims, k.on(t.dims.at[maxRank]), "", "%s: at most %d are read", wording.Count(len(dims),
			"dimension"), maxRank)
		return
	}
	if len(dims) == 0 {
		k.ReportAs(tritonDimsMissing, missing, k.on(t.at), "a scalar is dims: [ 1 ] with reshape { shape: [ ] }",
			"the %s has no dims", kind)
	}
	k.checkFormat(t)
	if !k.areSizes(tritonDims, "dims", &t.dims) {
		return
	}
	k.checkOrder(t)
	if t.reshape != 0 {
		k.checkReshape(t)
	} else if _, ok := product(dims); !ok {
		k.ReportAs(tritonDims, finding.Warning, k.on(t.dims.at[0]), "",
			"the product of dims is more than 64 bits hold")
	}
}

// checkFormat checks the format of an image, and the features that only TensorRT has: shape tensors and formats that
// are not linear.
func (k *checker) checkFormat(t *tensor) {
	n := len(t.dims.values)
	if (t.format.n == 1 || t.format.n == 2) && n != 3 {
		k.Report(tritonFormatRank, k.on(t.format.at), "give it 3 dims; reshape adds or removes dimensions of 1",
			"%s needs 3 dims, and there are %d", enum("ModelInput.Format")[t.format.n], n)
	}
	if t.isShape != 0 && k.server.platform != tensorRTPlatform {
		k.Report(tritonShapeTensor, k.on(t.isShape), "", "only models of TensorRT have shape tensors")
	}
	if t.unlinear != 0 && k.server.platform != tensorRTPlatform {
		k.Report(tritonNonLinear, k.on(t.unlinear), "",
			"only models of TensorRT have tensors in formats that are not linear")
	} else if t.unlinear != 0 && n != 3 {
		k.Report(tritonNonLinear, k.on(t.unlinear), "", "it needs 3 dims, and there are %d", n)
	}
}

// areSizes reports whether all dimensions are sizes, or -1 for one that varies.
func (k *checker) areSizes(rule *finding.Rule, what string, l *list) bool {
	ok := true
	for i, n := range l.values {
		if n < 1 && n != -1 {
			k.Report(rule, k.on(l.at[i]), "", "%s[%d] is %d: a size is 1 or more, or -1 where it varies", what, i, n)
			ok = false
		}
	}
	return ok
}

// product returns the product of sizes, -1 if one of them varies. It reports false if 64 bits do not hold the product
// of the known ones.
func product(sizes []int64) (n int64, ok bool) {
	known := slices.DeleteFunc(slices.Clone(sizes), func(n int64) bool { return n == -1 })
	n, err := layout.ProductOf(known)
	if len(known) < len(sizes) && err == nil {
		return -1, true
	}
	return n, err == nil
}

// checkReshape compares dims with the shape that the model takes instead of them.
func (k *checker) checkReshape(t *tensor) {
	dims, shape := t.dims.values, t.shape.values
	switch {
	case len(shape) == 0 && k.batch.n == 0:
		k.Report(tritonReshapeEmpty, k.on(t.reshape), "shape: [ 1 ]",
			"an empty reshape needs max_batch_size of 1 or more")
		return
	case len(shape) > maxRank:
		k.Report(tritonReshapeDims, k.on(t.reshape), "", "%s: at most %d are read",
			wording.Count(len(shape), "dimension"), maxRank)
		return
	case len(dims) == 0 || !k.areSizes(tritonReshapeDims, "reshape", &t.shape):
		return
	}
	have, ok := product(dims)
	want, fits := product(shape)
	switch {
	case !ok || !fits:
		k.Report(tritonReshapeSize, k.on(t.reshape), "", "the product of %s is more than 64 bits hold",
			map[bool]string{true: "the reshape", false: "dims"}[ok])
	case have != want:
		k.Report(tritonReshapeSize, k.on(t.reshape), "", "dims %s have %s, reshape %s has %s", sizes(dims),
			elements(have), sizes(shape), elements(want))
	case slices.Equal(dims, shape):
		k.Report(tritonReshapeNeedless, k.on(t.reshape), "remove the reshape", "the reshape is %s, as dims are",
			sizes(dims))
	case have == -1:
		k.checkVariable(t)
	}
}

// elements writes how many elements there are, -1 being unknown.
func elements(n int64) string {
	if n == -1 {
		return "a number that varies"
	}
	return wording.Count(n, "element")
}

// Arguments of messages. Their strings are made only for findings that are kept.
type (
	quoted string
	sizes  []int64
	words  func() string
)

func (q quoted) String() string { return wording.Quote(string(q)) }
func (w words) String() string  { return w() }

// String writes sizes like a configuration does, up to the maximum rank.
func (s sizes) String() string {
	if len(s) > maxRank {
		return "[" + layout.JoinInts(s[:maxRank], ",") + ",…]"
	}
	return "[" + layout.JoinInts(s, ",") + "]"
}

// checkVariable compares the products of the known sizes between the sizes that vary.
func (k *checker) checkVariable(t *tensor) {
	parts := func(sizes []int64) (all []int64) {
		n := int64(1)
		for _, size := range sizes {
			if n *= size; size == -1 {
				all, n = append(all, -n), 1
			}
		}
		return append(all, n)
	}
	dims, shape := t.dims.values, t.shape.values
	have, want := parts(dims), parts(shape)
	if len(have) != len(want) {
		k.Report(tritonReshapeVariable, k.on(t.reshape), "", "dims %s have %s of -1, reshape %s has %d",
			sizes(dims), wording.Count(len(have)-1, "size"), sizes(shape), len(want)-1)
		return
	}
	for i, n := range have {
		if n != want[i] {
			k.Report(tritonReshapeVariable, k.on(t.reshape), "",
				"between the sizes that vary, dims %s have %d and reshape %s has %d",
				sizes(dims), n, sizes(shape), want[i])
			return
		}
	}
}

// checkOrder compares the format of an image with its sizes.
func (k *checker) checkOrder(t *tensor) {
	if len(t.dims.values) != 3 {
		return
	}
	first, last := t.dims.values[0], t.dims.values[2]
	few := func(n int64) bool { return 1 <= n && n <= 4 }
	switch {
	case t.format.n == 2 && first > 16 && few(last):
		k.Report(tritonFormatOrder, k.on(t.format.at), "FORMAT_NHWC, or dims of C, H, W",
			"FORMAT_NCHW takes %d for the channels and %d for the width: dims %s look like H, W, C", first, last,
			sizes(t.dims.values))
	case t.format.n == 1 && last > 16 && few(first):
		k.Report(tritonFormatOrder, k.on(t.format.at), "FORMAT_NCHW, or dims of H, W, C",
			"FORMAT_NHWC takes %d for the height and %d for the channels: dims %s look like C, H, W", first, last,
			sizes(t.dims.values))
	}
}

// checkPyTorchNames checks names that end in the position of the tensor: the positions have no gaps.
func (k *checker) checkPyTorchNames(tensors []entry, kind string) {
	if k.server.backend != pyTorch || len(tensors) > 1000 {
		return
	}
	seen := map[int]bool{}
	for i := range tensors {
		_, digits, ok := strings.Cut(k.Text(tensors[i].name), "__")
		n, err := strconv.Atoi(digits)
		if !ok || err != nil || n < 0 || seen[n] {
			return
		}
		seen[n] = true
	}
	for i := range tensors {
		if !seen[i] {
			k.Report(tritonPyTorchNames, k.on(tensors[0].name), "",
				"%s %d is missing: names that end in __0, __1 count all %ss", kind, i, kind)
			return
		}
	}
}

// checkBatchTensors checks the tensors that the server makes of a batch of inputs.
func (k *checker) checkBatchTensors() {
	for at := range k.All(protobuf.Root, "batch_input") {
		k.checkSources(tritonBatchInput, at, "batch input", "BatchInput.Kind")
		typeAt := k.One(at, "data_type")
		if n := k.Enum(typeAt); typeName(n) != "TYPE_INT32" && typeName(n) != "TYPE_FP32" {
			k.Report(tritonBatchInput, k.on(cmp.Or(typeAt, at)), "",
				"the type of a batch input is TYPE_INT32 or TYPE_FP32, not %s", typeName(n))
		}
	}
	for at := range k.All(protobuf.Root, "batch_output") {
		k.checkSources(tritonBatchOutput, at, "batch output", "BatchOutput.Kind")
		seen := map[string]bool{}
		for i := range k.All(at, "target_name") {
			name := k.Text(i)
			switch _, ok := k.outputNames[name]; {
			case !ok:
				k.Report(tritonBatchOutput, k.on(i), "", "there is no output %s", quoted(name))
			case seen[name]:
				k.Report(tritonBatchOutput, k.on(i), "remove one of them", "the target %s is stated twice",
					quoted(name))
			default:
				seen[name] = true
			}
		}
	}
}

// checkSources checks the kind and the source of a tensor that the server makes.
func (k *checker) checkSources(rule *finding.Rule, at int32, what, kind string) {
	kindAt := k.One(at, "kind")
	k.isKind(rule, kindAt, what, kind)
	for i := range k.All(at, "source_input") {
		name := k.Text(i)
		if _, ok := k.inputNames[name]; !ok {
			k.Report(rule, k.on(i), "", "there is no input %s", quoted(name))
		}
	}
	if sources := k.CountOf(at, "source_input"); sources != 1 {
		k.Report(rule, k.on(at), "", "a %s has one source_input, and there are %d", what, sources)
	}
}

// isKind reports whether a value is of an enumeration of kinds, and reports a number that is not; a name that is not
// has been reported.
func (k *checker) isKind(rule *finding.Rule, at int32, what, kind string) bool {
	n := k.Enum(at)
	ok := 0 <= n && n < int64(len(enum(kind)))
	if !ok && k.IsInteger(at) {
		k.Report(rule, k.on(at), "", "no kind of a %s has the number %d", what, n)
	}
	return ok
}

// checkSequence checks the controls and the states of sequences.
func (k *checker) checkSequence() {
	at := k.One(protobuf.Root, "sequence_batching")
	if at == 0 {
		return
	}
	names := map[string]bool{}
	kinds := map[int64]bool{}
	for input := range k.All(at, "control_input") {
		name := k.text(k.One(input, "name"))
		switch {
		case name.text == "":
			k.Report(tritonSequence, k.on(input), "", "a control tensor has no name")
		case names[name.text]:
			k.Report(tritonSequence, k.on(name.at), "", "the control tensor %s is stated twice", quoted(name.text))
		}
		names[name.text] = true
		for control := range k.All(input, "control") {
			k.checkControl(control, kinds)
		}
	}
	use := k.One(k.One(at, "direct"), "minimum_slot_utilization")
	if n, ok := k.Real(use); ok && (n < 0 || n > 1) {
		k.Report(tritonSequence, k.on(use), "", "minimum_slot_utilization is from 0 to 1, not %g", n)
	}
	initialized := map[string]bool{} // the inputs of the states so far that have an initial one
	instances := map[string]bool{}
	for group := range k.All(protobuf.Root, "instance_group") {
		instances[k.Word(k.One(group, "kind"))] = true
	}
	for state := range k.All(at, "state") {
		k.checkState(state)
		k.checkGrowth(state, instances)
		input := k.text(k.One(state, "input_name"))
		if k.CountOf(state, "initial_state") == 0 {
			continue
		}
		if initialized[input.text] {
			k.Report(tritonState, k.on(cmp.Or(input.at, state)), "", "a second initial_state of the input %s",
				quoted(input.text))
		}
		initialized[input.text] = true
	}
	for entry := range k.All(protobuf.Root, "parameters") {
		if key := k.One(entry, "key"); k.Text(key) == "TRITON_BATCH_STRATEGY_PATH" {
			k.Report(tritonSequence, k.on(key), "remove it",
				"sequence_batching does not go with TRITON_BATCH_STRATEGY_PATH")
		}
	}
}

// checkGrowth checks a state in memory that grows, which is one buffer on a GPU. Otherwise the server loads the model,
// but rejects its requests.
func (k *checker) checkGrowth(state int32, kinds map[string]bool) {
	grows, shared := k.One(state, "use_growable_memory"), k.One(state, "use_same_buffer_for_input_output")
	if grows == 0 || !k.Truth(grows) {
		return
	}
	if shared == 0 || !k.Truth(shared) {
		k.ReportAs(tritonState, finding.Warning, k.on(grows), "use_same_buffer_for_input_output: true",
			"use_growable_memory needs use_same_buffer_for_input_output")
	}
	for _, kind := range [...]string{"KIND_CPU", "KIND_MODEL"} {
		if kinds[kind] {
			k.ReportAs(tritonState, finding.Warning, k.on(grows), "",
				"use_growable_memory needs KIND_GPU, and an instance_group is %s", kind)
		}
	}
}

// checkControl checks a control of a control tensor. Each kind of control may appear once.
func (k *checker) checkControl(control int32, kinds map[int64]bool) {
	kindAt := k.One(control, "kind")
	if !k.isKind(tritonSequence, kindAt, "control", "ModelSequenceBatching.Control.Kind") {
		return
	}
	kind := k.Enum(kindAt)
	name := enum("ModelSequenceBatching.Control.Kind")[kind]
	if kinds[kind] {
		k.Report(tritonSequence, k.on(control), "", "a second control of kind %s", name)
	}
	kinds[kind] = true
	var stated []string
	count := 0
	for _, f := range [...]string{"int32_false_true", "fp32_false_true", "bool_false_true"} {
		if n := k.CountOf(control, f); n > 0 {
			stated, count = append(stated, f), n
		}
	}
	isID := name == "CONTROL_SEQUENCE_CORRID"
	switch {
	case isID && len(stated) > 0:
		k.Report(tritonSequence, k.on(control), "remove it", "%s has no %s", name, stated[0])
	case isID:
		typeAt := k.One(control, "data_type")
		switch t := typeName(k.Enum(typeAt)); t {
		case "TYPE_UINT64", "TYPE_INT64", "TYPE_UINT32", "TYPE_INT32", "TYPE_STRING":
		default:
			k.Report(tritonSequence, k.on(cmp.Or(typeAt, control)), "",
				"the type of %s is TYPE_UINT64, TYPE_INT64, TYPE_UINT32, TYPE_INT32 or TYPE_STRING, not %s", name, t)
		}
	case len(stated) == 0:
		k.Report(tritonSequence, k.on(control), "such as int32_false_true: [ 0, 1 ]",
			"%s needs int32_false_true, fp32_false_true or bool_false_true", name)
	case len(stated) > 1:
		k.Report(tritonSequence, k.on(control), "remove one of them", "%s has both %s and %s", name, stated[0],
			stated[1])
	case count != 2:
		k.Report(tritonSequence, k.on(control), "", "%s has 2 values, and there are %d", stated[0], count)
	}
}

// checkState checks a state that the server keeps from one request of a sequence to the next.
func (k *checker) checkState(state int32) {
	initial := int32(0)
	for at := range k.All(state, "initial_state") {
		if initial != 0 {
			k.Report(tritonState, k.on(at), "", "a second initial_state of the input %s",
				quoted(k.Text(k.One(state, "input_name"))))
		}
		initial = at
	}
	dims := k.list(state, "dims")
	k.areSizes(tritonState, "dims", &dims)
	if initial == 0 {
		return
	}
	own := k.list(initial, "dims")
	typeAt, dtypeOf := k.One(initial, "data_type"), k.Enum(k.One(state, "data_type"))
	if n := k.Enum(typeAt); n != dtypeOf {
		k.Report(tritonState, k.on(cmp.Or(typeAt, initial)), "", "initial_state is %s, the state %s", typeName(n),
			typeName(dtypeOf))
	}
	if k.Text(k.One(initial, "name")) == "" {
		k.Report(tritonState, k.on(initial), "", "initial_state has no name")
	}
	if len(own.values) != len(dims.values) {
		k.Report(tritonState, k.on(initial), "", "initial_state has %s, the state %d", wording.Count(len(own.values),
			"dimension"), len(dims.values))
		return
	}
	for i, n := range own.values {
		switch want := dims.values[i]; {
		case n < 1:
			k.Report(tritonState, k.on(own.at[i]), "", "dims[%d] of initial_state is %d: it has to be known", i, n)
		case want > 0 && n != want:
			k.Report(tritonState, k.on(own.at[i]), "", "dims[%d] of initial_state is %d, of the state %d", i, n, want)
		}
	}
	file := k.text(k.One(initial, "data_file"))
	if file.at == 0 && k.One(initial, "zero_data") == 0 {
		k.Report(tritonState, k.on(initial), "zero_data: true", "initial_state has neither zero_data nor data_file")
	}
	k.checkData(tritonState, file, "initial_state", own.values, dtypeOf)
}

// checkWarmup checks the requests that the server makes for itself.
func (k *checker) checkWarmup() {
	required, added := 0, k.added()
	for _, i := range k.inputNames {
		if !k.inputs[i].optional {
			required++
		}
	}
	for sample := range k.All(protobuf.Root, "model_warmup") {
		batchAt := k.One(sample, "batch_size")
		batch, _ := k.Integer(batchAt, 0, math.MaxUint32)
		if batch == 0 {
			continue // the server ignores it
		}
		if batch > max(k.batch.n, 1) && k.batch.n >= 0 {
			k.ReportAs(tritonWarmup, finding.Warning, k.on(batchAt), "",
				"a batch of %d is more than max_batch_size, %d", batch, k.batch.n)
		}
		given, unknown := 0, false
		for entry := range k.All(sample, "inputs") {
			name, value := k.text(k.One(entry, "key")), k.One(entry, "value")
			_, isInput := k.inputNames[name.text]
			if isInput {
				given++
			}
			isUnknown := !isInput && !added[name.text]
			if isUnknown && len(k.inputs) > 0 {
				k.ReportAs(tritonWarmup, finding.Warning, k.on(cmp.Or(name.at, value, entry)), "",
					"there is no input %s", quoted(name.text))
			}
			unknown = unknown || isUnknown
			k.checkSample(name, value)
		}
		if given < required && !unknown {
			k.Report(tritonWarmup, k.on(sample), "", "the warm-up has %s, and the model needs %d",
				wording.Count(given, "input"), required)
		}
	}
}

// added returns the names of the tensors that the server adds to requests: of controls and states of sequences, and of
// batches. A warm-up may have them in addition to the inputs.
func (k *checker) added() map[string]bool {
	names, sequence := map[string]bool{}, k.One(protobuf.Root, "sequence_batching")
	for _, f := range [...]struct {
		message    int32
		list, name string
	}{
		{sequence, "control_input", "name"},
		{sequence, "state", "input_name"},
		{protobuf.Root, "batch_input", "target_name"},
	} {
		for at := range k.All(f.message, f.list) {
			for name := range k.All(at, f.name) {
				names[k.Text(name)] = true
			}
		}
	}
	return names
}

// checkSample checks an input of such a request.
func (k *checker) checkSample(name text, sample int32) {
	if sample == 0 {
		return
	}
	dims, typeAt := k.list(sample, "dims"), k.One(sample, "data_type")
	dtypeOf := k.Enum(typeAt)
	for i, n := range dims.values {
		if n < 0 {
			k.Report(tritonWarmup, k.on(dims.at[i]), "", "dims[%d] of a warm-up is %d: it has to be known", i, n)
			return
		}
	}
	file := k.text(k.One(sample, "input_data_file"))
	if file.at == 0 && k.One(sample, "zero_data") == 0 && k.One(sample, "random_data") == 0 {
		k.Report(tritonWarmup, k.on(sample), "zero_data: true",
			"a warm-up has zero_data, random_data or input_data_file")
	}
	i, ok := k.inputNames[name.text]
	if !ok {
		return
	}
	t := k.tensor(&k.inputs[i])
	if t.dtype.n > 0 && t.dtype.n != dtypeOf {
		k.Report(tritonWarmup, k.on(cmp.Or(typeAt, sample)), "", "the warm-up is %s, the input %s", typeName(dtypeOf),
			typeName(t.dtype.n))
	}
	isStated := len(t.dims.values) > 0 && t.isShape == 0 // the batch of a shape tensor is among its dims
	if isStated && !sameSizes(dims.values, t.dims.values) {
		k.Report(tritonWarmup, k.on(sample), "", "the warm-up has dims %s, the input %s", sizes(dims.values),
			sizes(t.dims.values))
	}
	k.checkData(tritonWarmup, file, "warmup", dims.values, dtypeOf)
}

// sameSizes reports whether two shapes can be the same: -1 is any size.
func sameSizes(a, b []int64) bool {
	return slices.EqualFunc(a, b, func(a, b int64) bool { return a == b || a == -1 || b == -1 })
}
