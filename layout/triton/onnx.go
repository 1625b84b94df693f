package triton

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/onnx"
	"layoutcalc/layout/protobuf"
	"layoutcalc/layout/tensorfile"
	"layoutcalc/layout/wording"
)

// A port is an input or an output of a model. For ONNX models, it has the values that ONNX Runtime passes to the
// server: unknown sizes are -1, and an unknown shape has no sizes.
type port struct {
	name     string
	dims     []int64
	dtype    int64         // its number in Triton; 0 for an ONNX type that Triton does not have
	elem     onnx.ElemType // its type in an ONNX model
	form     onnx.Form
	optional bool
}

// ports are in the order of their names, and no two have the same.
type ports []port

// sort puts ports in order. Of several with one name the last stays.
func (p ports) sort() ports {
	slices.Reverse(p)
	sort.SliceStable(p, func(i, k int) bool { return p[i].name < p[k].name })
	return slices.CompactFunc(p, func(a, b port) bool { return a.name == b.name })
}

// find returns the port of a name.
func (p ports) find(name string) (own port, ok bool) {
	i, ok := slices.BinarySearchFunc(p, name, func(p port, name string) int { return strings.Compare(p.name, name) })
	if ok {
		own = p[i]
	}
	return own, ok
}

// names yields the names.
func (p ports) names(yield func(string) bool) {
	for i := 0; i < len(p) && yield(p[i].name); i++ {
	}
}

// A graph holds the inputs and outputs of an ONNX model.
type graph struct {
	inputs, outputs ports
	declared        ports // all inputs, including those with a default
	batch           bool  // the first size of all of them is open
}

// graph reads the model of the highest version. It returns nil if that is not an ONNX model or the file does not exist.
// If an existing file cannot be read, it returns the reason as the error.
func (d *directory) graph(s server) (*graph, error) {
	if d == nil || s.backend != onnxRuntime || len(d.versions) == 0 || !isInside(s.file) {
		return nil, nil
	}
	version := strconv.FormatInt(slices.Max(d.versions), 10)
	name := path.Join(d.name, version, s.file)
	if info, err := fs.Stat(d.files, name); err == nil && info.IsDir() {
		name = path.Join(name, "model.onnx")
	}
	info, err := fs.Stat(d.files, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil // checkDirectory has reported it
	case err != nil:
		return nil, lexer.Refuse("", "version %s of the model, whose file is not one in the repository", version)
	}
	m, err := readONNX(d.files, name, info)
	if err != nil {
		return nil, lexer.Refuse("", "version %s of the model, which cannot be read: %v", version, err)
	}
	g := &graph{inputs: portsOf(m.Graph.Fed()), outputs: portsOf(m.Graph.Outputs)}
	if g.declared = g.inputs; len(m.Graph.Initializers)+len(m.Graph.Sparse) > 0 {
		g.declared = portsOf(m.Graph.Inputs)
	}
	isFixed := func(p port) bool { return len(p.dims) == 0 || p.dims[0] != -1 }
	g.batch = !slices.ContainsFunc(g.inputs, isFixed) && !slices.ContainsFunc(g.outputs, isFixed)
	return g, nil
}

// side returns inputs or outputs as the server adds them to a configuration: with batches if all tensors of the model
// have an open first size.
func (g *graph) side(own ports) side {
	for i := range own {
		if g.batch {
			own[i].dims = own[i].dims[1:]
		}
	}
	return newSide(own, g.batch)
}

// checkONNX compares the configuration with the model of its highest version, if that is one of ONNX.
func (k *checker) checkONNX() {
	g, err := k.dir.graph(k.server)
	if err != nil {
		k.notes = append(k.notes, "the configuration is not compared with "+err.Error())
	}
	if g == nil {
		return
	}
	inputs, outputs := g.inputs, g.outputs
	k.checkInputs(inputs, g.declared)
	fromBatch := map[string]bool{}
	for at := range k.All(protobuf.Root, "batch_output") {
		for i := range k.All(at, "target_name") {
			fromBatch[k.Text(i)] = true
		}
	}
	for i := range k.outputs {
		t := k.tensor(&k.outputs[i])
		own, ok := outputs.find(t.name.text)
		if !k.isNamed(t.name, "output", ok, outputs) {
			continue
		}
		if k.hasType(t, own); !fromBatch[t.name.text] {
			k.compareShapes(t, own, true)
		}
	}
	if len(k.inputs) == 0 || len(k.outputs) == 0 {
		k.checkAutofill(inputs, outputs)
	}
}

// readONNX reads a model without its weights.
func readONNX(files fs.FS, name string, info fs.FileInfo) (*onnx.Model, error) {
	if !info.Mode().IsRegular() {
		return nil, lexer.Refuse("", "not a regular file")
	}
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in, ok := f.(io.ReaderAt)
	if !ok {
		return nil, lexer.Refuse("", "it cannot be read by position")
	}
	if other := tensorfile.FindSubstitute(in, info.Size(), true); other != nil {
		return nil, other
	}
	m, err := onnx.Read(in, info.Size())
	if err == nil && m.Fault() != "" {
		err = lexer.Refuse("", "%s", m.Fault())
	}
	return m, err
}

// portsOf returns the values of a graph.
func portsOf(values []onnx.Value) ports {
	all := make(ports, 0, len(values))
	for _, v := range values {
		p := port{name: v.Name, dtype: int64(slices.Index(onnxTypes[1:], v.Type) + 1), elem: v.Type, form: v.Form}
		for _, d := range v.Dims {
			n := d.Size
			if !d.Known || n < 0 {
				n = -1
			}
			p.dims = append(p.dims, n)
		}
		all = append(all, p)
	}
	return all.sort()
}

// checkInputs compares the inputs, and their number, with the inputs of the model.
func (k *checker) checkInputs(inputs, declared ports) {
	if len(k.inputs) == 0 {
		return // the server takes them from the model
	}
	count := 0
	for i := range k.inputs {
		t := k.tensor(&k.inputs[i])
		own, ok := inputs.find(t.name.text)
		if t.optional {
			if !ok {
				own, ok = declared.find(t.name.text)
			}
			if k.batch.n > 0 {
				k.Report(tritonONNXOptional, k.on(t.at), "", "a model that has batches cannot have optional inputs")
			}
		} else {
			count++
		}
		switch {
		case !k.isNamed(t.name, "input", ok, inputs):
		case t.ragged:
			k.hasType(t, own)
			if t.optional || !slices.Equal(own.dims, []int64{-1}) {
				k.Report(tritonONNXRagged, k.on(t.at), "",
					"a ragged input has the shape [-1] in the model, and this has %s", sizes(own.dims))
			}
		default:
			k.hasType(t, own)
			k.compareShapes(t, own, false)
		}
	}
	for at := range k.All(protobuf.Root, "batch_input") {
		count += k.CountOf(at, "target_name")
	}
	if at := k.One(protobuf.Root, "sequence_batching"); at != 0 {
		for input := range k.All(at, "control_input") {
			count++
			k.checkControlInput(input, inputs)
		}
		count += k.CountOf(at, "state")
	}
	if count != len(inputs) {
		k.Report(tritonONNXInputs, k.on(k.inputs[0].at), "", "the configuration has %s, the model %d: %s",
			wording.Count(count, "input"), len(inputs), inputs)
		k.findings[len(k.findings)-1].Tensor = ""
	}
}

// String lists the first names.
func (p ports) String() (text string) {
	const most = 8
	for i := range p[:min(len(p), most)] {
		if i > 0 {
			text += ", "
		}
		text += wording.Clip(p[i].name)
	}
	if len(p) > most {
		text += ", …"
	}
	return text
}

// isNamed reports whether a model has a tensor of that name, and reports one that it does not have.
func (k *checker) isNamed(name text, kind string, ok bool, tensors ports) bool {
	if !ok && name.text != "" {
		k.Report(tritonONNXName, k.on(name.at), k.near(tritonONNXName, name.text, tensors.names),
			"the model has no such %s, but %s", kind, tensors)
	}
	return ok
}

// onnxTypes are ONNX types, indexed by the number of the Triton type.
var onnxTypes = [...]onnx.ElemType{0, 9, 2, 4, 12, 13, 3, 5, 6, 7, 10, 1, 11, 8, 16}

// hasType compares the types of a tensor.
func (k *checker) hasType(t *tensor, own port) {
	if own.form != onnx.TensorForm {
		k.Report(tritonONNXDType, k.on(cmp.Or(t.dtype.at, t.at)), "convert the model so that it has tensors only",
			"the model has a value here that is not a tensor, but a sequence or a map")
		return
	}
	switch n, i := t.dtype.n, own.dtype; {
	case n <= 0 || n >= int64(len(onnxTypes)): // it is reported
	case i == 0:
		k.Report(tritonONNXDType, k.on(t.dtype.at), "", "the model has %s, which Triton does not have", own.elem)
	case i != n:
		k.Report(tritonONNXDType, k.on(t.dtype.at), "write "+typeName(i), "the model has %s here, the configuration %s",
			typeName(i), typeName(n))
	}
}

// compareShapes compares the shape of a tensor in the configuration with its shape in the model. Unless exact, a size
// of -1 in the model matches any size.
func (k *checker) compareShapes(t *tensor, own port, exact bool) {
	dims, what := t.dims, "dims"
	if t.reshape != 0 {
		dims, what = t.shape, "the reshape"
	}
	if own.form != onnx.TensorForm || len(t.dims.values) == 0 || len(dims.values) > maxRank || k.batch.n < 0 {
		return
	}
	at := cmp.Or(t.reshape, t.dims.at[0])
	batch := 0
	full := dims.values
	switch {
	case k.batch.n > 0 && (len(own.dims) == 0 || own.dims[0] != -1):
		k.Report(tritonONNXBatch, k.on(at), "max_batch_size: 0, and the whole shape in dims",
			"the model has the shape %s: for batches its first size has to be open", sizes(own.dims))
		return
	case k.batch.n > 0:
		batch, full = 1, append([]int64{-1}, full...)
	case len(own.dims) == 0:
		if slices.ContainsFunc(full, func(n int64) bool { return n != 1 }) {
			k.Report(tritonONNXScalar, k.on(at), "dims: [ 1 ]", "the model has a scalar here, %s are %s", what,
				sizes(full))
		}
		return
	}
	if len(full) != len(own.dims) {
		fix, why := "", ""
		switch {
		case batch == 0 && len(full)+1 == len(own.dims) && own.dims[0] == -1 && sameSizes(full, own.dims[1:]):
			fix, why = "max_batch_size: 1 or more; or state the batch in dims", ", without a batch: max_batch_size is 0"
		case batch == 1 && len(dims.values) == len(own.dims) && sameSizes(dims.values[1:], own.dims[1:]):
			fix = "remove the batch from dims: max_batch_size adds it"
			fallthrough
		case batch == 1:
			why = ", with the batch before dims"
		}
		k.Report(tritonONNXRank, k.on(at), fix, "the model has the shape %s, and the configuration %s%s",
			sizes(own.dims), sizes(full), why)
		return
	}
	stated, want := full[batch:], own.dims[batch:]
	order := descriptor.Reordered(stated, want)
	for i := range want {
		if stated[i] == want[i] || !exact && want[i] == -1 {
			continue
		}
		if order != nil {
			how := "the axes are in the order " + layout.JoinInts(order, ",") + " there"
			if len(order) == 2 {
				how = "it is transposed"
			}
			k.Report(tritonONNXDims, k.on(dims.at[i]), what+" "+sizes(want).String(),
				"%s are %s, and the model has the shape %s: %s", what, sizes(stated), sizes(own.dims), how)
			return
		}
		k.Report(tritonONNXDims, k.on(dims.at[i]), what+" "+sizes(want).String(),
			"size %d is %d, and %d in the model, which has the shape %s", i, stated[i], want[i], sizes(own.dims))
	}
}

// checkControlInput compares a control of sequences with the input of the model that it is given to.
func (k *checker) checkControlInput(input int32, inputs ports) {
	name := k.text(k.One(input, "name"))
	own, ok := inputs.find(name.text)
	if !k.isNamed(name, "input", ok, inputs) || k.batch.n < 0 {
		return
	}
	dims := own.dims
	if k.batch.n > 0 && len(dims) > 0 {
		dims = dims[1:]
	}
	if !slices.Equal(dims, []int64{1}) && !slices.Equal(dims, []int64{-1}) {
		k.Report(tritonONNXDims, k.on(name.at), "", "a control has dims [1], and the model %s", sizes(dims))
	}
}

// checkAutofill checks what the server adds if the configuration does not list inputs or outputs: it takes them from
// the model, which then needs an open batch in all of its tensors.
func (k *checker) checkAutofill(inputs, outputs ports) {
	if k.batch.n <= 0 {
		return
	}
	for _, tensors := range [...]ports{inputs, outputs} {
		for _, t := range tensors {
			_, isInput := k.inputNames[t.name]
			_, isOutput := k.outputNames[t.name]
			if (len(t.dims) == 0 || t.dims[0] != -1) && !isInput && !isOutput {
				k.Report(tritonONNXBatch, k.on(k.batch.at), "max_batch_size: 0",
					"the model has tensors without an open first size, and so no batches")
				return
			}
		}
	}
}
