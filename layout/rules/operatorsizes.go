package rules

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/dml"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// The rules for sizes that operators compute with.
var (
	OpAxis     = &finding.Rule{Name: "op-axis", Severity: finding.Error, Family: finding.DirectML}
	OpMatrix   = &finding.Rule{Name: "op-matrix", Severity: finding.Error, Family: finding.DirectML}
	OpChannels = &finding.Rule{Name: "op-channels", Severity: finding.Error, Family: finding.DirectML}
	OpWindow   = &finding.Rule{Name: "op-window", Severity: finding.Error, Family: finding.DirectML}
	OpParts    = &finding.Rule{Name: "op-parts", Severity: finding.Error, Family: finding.DirectML}
)

// sizes checks the sizes and attributes that an operator computes with. It skips checks that need a tensor or an
// attribute that is missing or has been reported.
func (o *operator) sizes() {
	o.axes()
	o.lengths()
	switch o.row.Name {
	case "GEMM", "MATRIX_MULTIPLY_INTEGER", "MATRIX_MULTIPLY_INTEGER_TO_FLOAT", "QUANTIZED_LINEAR_MATRIX_MULTIPLY":
		o.matrices()
	case "CONVOLUTION", "CONVOLUTION_INTEGER", "QUANTIZED_LINEAR_CONVOLUTION":
		o.convolution()
	case "AVERAGE_POOLING", "AVERAGE_POOLING1", "LP_POOLING", "LP_POOLING1", "MAX_POOLING", "MAX_POOLING1",
		"MAX_POOLING2", "QUANTIZED_LINEAR_AVERAGE_POOLING":
		o.pooling()
	case "JOIN":
		o.parts("OutputTensor", "InputTensors")
	case "SPLIT":
		o.parts("InputTensor", "OutputTensors")
	}
}

// tensor returns the first tensor of a slot if it has axes, and sizes that DirectML supports. Otherwise it returns nil.
func (o *operator) tensor(name string) *descriptor.Descriptor {
	s := o.Operator.Slot(name)
	if s == nil || len(s.Tensors) == 0 || len(s.Tensors[0].Sizes) == 0 || !counted(s.Tensors[0]) {
		return nil
	}
	return s.Tensors[0]
}

// counted reports whether DirectML supports all the sizes.
func counted(d *descriptor.Descriptor) bool {
	return !slices.ContainsFunc(d.Sizes, func(n int64) bool { return n < 1 || n > math.MaxUint32 })
}

// attribute returns an attribute, or nil if it is missing or cannot be read.
func (o *operator) attribute(name string) *descriptor.GivenAttribute {
	if g := o.Attribute(name); g != nil && !g.Broken {
		return g
	}
	return nil
}

// number returns an attribute that is one number.
func (o *operator) number(name string) (n int64, ok bool) {
	if g := o.attribute(name); g != nil && len(g.Numbers) == 1 {
		return g.Numbers[0], true
	}
	return n, false
}

// hasField reports whether the operator has an attribute with the name, whether or not it is stated.
func (o *operator) hasField(name string) bool {
	return slices.ContainsFunc(o.row.Fields, func(a dml.Attribute) bool { return a.Name == name })
}

// reportSize reports that size i of a tensor differs from the size that follows from the others.
func (o *operator) reportSize(rule *finding.Rule, d *descriptor.Descriptor, i int, want int64, format string,
	args ...any) {
	o.Report(rule, d.At(descriptor.SizesPart, i), fmt.Sprintf("write %d", want), format, args...)
}

// axes compares the axes of an operator with the dimensions of its tensor.
func (o *operator) axes() {
	d := cmp.Or(o.tensor("InputTensor"), o.tensor("InputTensors"), o.tensor("IndicesTensor"))
	for _, name := range [...]string{"Axis", "Axes"} {
		g := o.attribute(name)
		if g == nil || d == nil {
			continue
		}
		for _, axis := range g.Numbers {
			if rank := int64(len(d.Sizes)); axis >= rank {
				o.Report(OpAxis, finding.On(o.Name, g.At), fmt.Sprintf("%d is the last one", rank-1),
					"%s %d, and %s has the dimensions 0 to %d", name, axis, d.Slot, rank-1)
			}
		}
	}
}

// lengths compares the counts of an operator with its lists, and with the rank of its tensor.
func (o *operator) lengths() {
	for i := range o.row.Fields {
		counter := o.row.Fields[i].Name
		n, ok := o.number(counter)
		if !ok {
			continue
		}
		if want, what := o.dimensions(); counter == "DimensionCount" && want > 0 && n != want {
			o.Report(CountFields, finding.On(o.Name, o.attribute(counter).At), fmt.Sprintf("write %d", want),
				"DimensionCount is %d, and %s has %d", n, what, want)
			continue
		}
		for k := range o.Given {
			g := &o.Given[k]
			if have := int64(len(g.Numbers)); !g.Broken && o.counterOf(g.Name) == counter && have != n {
				o.Report(CountFields, finding.On(o.Name, g.At), "", "%s has %d of %s: %s is %d", g.Name, have,
					wording.Count(n, "number"), counter, n)
			}
		}
	}
}

// dimensions returns the number that DimensionCount must have, and its name in messages: the rank of the input, or
// without the batch and the channels if a window moves. It returns 0 if that is unknown.
func (o *operator) dimensions() (n int64, what string) {
	d := o.tensor("InputTensor")
	if d == nil {
		return 0, ""
	}
	n = int64(len(d.Sizes))
	if o.attribute("StartPadding") != nil && o.attribute("Strides") != nil {
		return n - 2, "the window of " + d.Slot
	}
	return n, d.Slot
}

// counterOf returns the attribute that counts the numbers of a list, or an empty string if the attribute is not a list.
func (o *operator) counterOf(name string) string {
	isList := func(a dml.Attribute) bool { return a.Name == name && (a.Kind == "uints" || a.Kind == "ints") }
	if !slices.ContainsFunc(o.row.Fields, isList) {
		return ""
	}
	switch name {
	case "Axes":
		return "AxisCount"
	case "Repeats":
		return "RepeatsCount"
	}
	return "DimensionCount"
}

// A matrix is the last two axes of a tensor, transposed if an attribute requires it.
type matrix struct {
	rows, columns int64
	how           string // a word for messages if it is transposed
}

// matrix returns the matrix of a tensor. It reports false if it is unknown whether the matrix is transposed.
func (o *operator) matrix(d *descriptor.Descriptor, attribute string) (m matrix, ok bool) {
	last := len(d.Sizes) - 1
	m = matrix{rows: d.Sizes[last-1], columns: d.Sizes[last]}
	g := o.Attribute(attribute)
	if g != nil && !g.Broken && g.Value == "TRANSPOSE" {
		m = matrix{m.columns, m.rows, " transposed"}
	}
	return m, g == nil || !g.Broken
}

// matrices checks that A of M x K and B of K x N give an output of M x N, for each matrix of a batch.
func (o *operator) matrices() {
	tensorA, tensorB, out := o.tensor("ATensor"), o.tensor("BTensor"), o.tensor("OutputTensor")
	if tensorA == nil || tensorB == nil || len(tensorA.Sizes) < 2 || len(tensorB.Sizes) < 2 {
		return
	}
	a, ok := o.matrix(tensorA, "TransA")
	b, known := o.matrix(tensorB, "TransB")
	if !ok || !known {
		return
	}
	n := b.columns
	if a.columns != b.rows {
		at, fix := len(tensorB.Sizes)-2, wording.Count(a.columns, "row")
		if b.how != "" {
			at, fix = at+1, wording.Count(a.columns, "column")
		}
		switch { // the fix corrects the columns of the output
		case b.columns == a.columns && b.how == "" && o.row.Name == "GEMM":
			fix, n = "TransB: TRANSPOSE, if BTensor is stored that way", b.rows
		case b.columns == a.columns && b.how != "":
			fix, n = "TransB: NONE, if BTensor is not stored that way", b.rows
		}
		o.Report(OpMatrix, tensorB.At(descriptor.SizesPart, at), fix,
			"%s multiplies ATensor%s, %d x %d, by BTensor%s, %d x %d: %d and %d differ%s", o.row.Name, a.how, a.rows,
			a.columns, b.how, b.rows, b.columns, a.columns, b.rows, o.untransposed())
	}
	if out == nil || len(out.Sizes) < 2 {
		return
	}
	last := len(out.Sizes) - 2
	for i, want := range [...]int64{a.rows, n} {
		if out.Sizes[last+i] != want {
			o.reportSize(OpMatrix, out, last+i, want, "%s gives %d x %d, and OutputTensor is %d x %d%s", o.row.Name,
				a.rows, n, out.Sizes[last], out.Sizes[last+1], o.untransposed())
			break
		}
	}
	for _, d := range [...]*descriptor.Descriptor{tensorA, tensorB} {
		for i, want := range out.Sizes[:last] {
			if len(d.Sizes) == len(out.Sizes) && d.Sizes[i] != want {
				o.reportSize(OpMatrix, d, i, want, "%s has %s in dimension %d, and OutputTensor has %d",
					d.Slot, wording.Count(d.Sizes[i], "matrix"), i, want)
			}
		}
	}
}

// untransposed names the attributes TransA and TransB of GEMM that are missing and therefore read as NONE. DxDispatch
// has no default for them: its parser requires them and stops.
func (o *operator) untransposed() string {
	var missing []string
	for _, name := range [...]string{"TransA", "TransB"} {
		if o.row.Name == "GEMM" && o.Attribute(name) == nil {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return "; " + strings.Join(missing, " and ") + " not stated, taken as NONE"
}

// A convolution is a convolution with tensors of equal rank, or a pooling, which has no filter. If it is backwards, the
// first two sizes of the filter are exchanged.
type convolution struct {
	operator
	in, out, filter     *descriptor.Descriptor
	backward            bool
	windows             []int64 // the sizes of the window
	steps, dilations    []int64
	before, after, more []int64 // padding; more is OutputPadding
}

// convolution checks the channels of a convolution and the sizes that its window moves along.
func (o *operator) convolution() {
	v := convolution{operator: *o, in: o.tensor("InputTensor"), out: o.tensor("OutputTensor"),
		filter: o.tensor("FilterTensor")}
	if v.in == nil || v.filter == nil || v.out == nil || len(v.in.Sizes) < 3 ||
		len(v.in.Sizes) != len(v.out.Sizes) || len(v.in.Sizes) != len(v.filter.Sizes) {
		return
	}
	direction := o.attribute("Direction")
	if direction == nil && o.row.Name == "CONVOLUTION" {
		return
	}
	v.backward = direction != nil && direction.Value == "BACKWARD"
	if groups, ok := o.number("GroupCount"); ok && groups == 0 {
		o.Report(OpChannels, finding.On(o.Name, o.attribute("GroupCount").At), "1 is all channels together",
			"GroupCount is 0")
	} else if ok {
		v.channels(groups)
	}
	v.windows = v.filter.Sizes[2:]
	v.moves()
}

// pooling checks that batch and channels do not change, and the sizes that the window moves along.
func (o *operator) pooling() {
	v := convolution{operator: *o, in: o.tensor("InputTensor"), out: o.tensor("OutputTensor")}
	if v.in == nil || v.out == nil || len(v.in.Sizes) < 3 || len(v.in.Sizes) != len(v.out.Sizes) {
		return
	}
	for i, what := range [...]string{"batch", "channel"} {
		if have, n := v.out.Sizes[i], v.in.Sizes[i]; have != n {
			o.reportSize(OpChannels, v.out, i, n, "OutputTensor has %s, and InputTensor has %d",
				wording.Count(have, what), n)
		}
	}
	v.moves()
}

// moves checks the sizes that the window moves along, if each list of the operator has a number for each of them.
func (v *convolution) moves() {
	rank := len(v.in.Sizes) - 2
	for _, list := range [...]struct {
		name string
		to   *[]int64
	}{
		{"WindowSize", &v.windows}, {"Strides", &v.steps}, {"Dilations", &v.dilations}, {"StartPadding", &v.before},
		{"EndPadding", &v.after}, {"OutputPadding", &v.more},
	} {
		g := v.attribute(list.name)
		switch {
		case g != nil && len(g.Numbers) == rank:
			*list.to = g.Numbers
		case v.hasField(list.name):
			return
		case list.name == "Dilations":
			v.dilations = slices.Repeat([]int64{1}, rank)
		}
	}
	for i := range rank {
		v.window(i)
	}
}

// channels checks the batch and the channels.
func (v *convolution) channels(groups int64) {
	name := v.row.Name
	if n := v.in.Sizes[0]; n != v.out.Sizes[0] {
		v.reportSize(OpChannels, v.out, 0, n, "OutputTensor has %s, and InputTensor has %d",
			wording.Count(v.out.Sizes[0],
				"batch"), n)
	}
	grouped, filterIn := "", 1 // the axis of the filter for the input's channels
	if groups != 1 {
		grouped = " for " + wording.Count(groups, "group")
	}
	if v.backward {
		filterIn = 0
	}
	ins, outs := v.filter.Sizes[filterIn], v.filter.Sizes[1-filterIn]
	perGroup := &ins // the channels that the filter states for one group
	if v.backward {
		perGroup = &outs
	}
	if n, err := layout.Mul(*perGroup, groups); err == nil {
		*perGroup = n
	}
	if have := v.in.Sizes[1]; have != ins {
		v.Report(OpChannels, v.filter.At(descriptor.SizesPart, filterIn), "",
			"%s with a filter of %s%s takes %d input channels, and InputTensor has %d", name,
			layout.ListText(v.filter.Sizes), grouped, ins, have)
	} else if split := v.filter.Sizes[0]; split%groups != 0 {
		v.Report(OpChannels, v.filter.At(descriptor.SizesPart, 0), "",
			"the number of filters, %d, is not a multiple of %s",
			split,
			wording.Count(groups, "group"))
	}
	bias := v.tensor("BiasTensor")
	if have := v.out.Sizes[1]; have != outs {
		v.reportSize(OpChannels, v.out, 1, outs, "%s with a filter of %s%s gives %d output channels, and OutputTensor "+
			"has %d", name, layout.ListText(v.filter.Sizes), grouped, outs, have)
	} else if bias != nil && len(bias.Sizes) == len(v.out.Sizes) {
		for i, n := range bias.Sizes {
			want := int64(1)
			if i == 1 {
				want = have
			}
			if n != want {
				v.reportSize(OpChannels, bias, i, want,
					"BiasTensor has the sizes %s: it has a number for each of %d output channels",
					layout.ListText(bias.Sizes), have)
			}
		}
	}
}

// window checks one of the sizes that the window moves along.
func (v *convolution) window(i int) {
	in, out, step := v.in.Sizes[i+2], v.out.Sizes[i+2], v.steps[i]
	for _, name := range [...]string{"Strides", "Dilations", "WindowSize"} {
		if g := v.attribute(name); g != nil && len(g.Numbers) > i && g.Numbers[i] == 0 {
			v.Report(OpWindow, finding.On(v.Name, g.At), "1 is the least", "%s are at least 1, and number %d is 0",
				name, i)
			return
		}
	}
	reach, padding := reached(v.windows[i], v.dilations[i]), v.before[i]+v.after[i]
	room := big.NewInt(in + padding)
	if !v.backward && reach.Cmp(room) > 0 {
		if v.filter != nil { // the page of a pooling does not name its result here
			v.Report(OpWindow, v.filter.At(descriptor.SizesPart, i+2), "",
				"the window covers %s in dimension %d, and InputTensor has %d with its padding",
				wording.Count(reach, "element"), i+2,
				room)
		}
		return
	}
	want, rest := new(big.Int).QuoRem(room.Sub(room, reach), big.NewInt(step), new(big.Int))
	want.Add(want, big.NewInt(1))
	how, fix := fmt.Sprintf("(%d + %d - %d) / %d + 1", in, padding, reach, step), ""
	if v.backward {
		want.Add(reached(in, step), reach)
		want.Add(want, big.NewInt(v.more[i]-padding-1))
		how = fmt.Sprintf("(%d - 1) x %d + %d - %d + %d", in, step, reach, padding, v.more[i])
	}
	if want.Cmp(big.NewInt(out)) == 0 {
		return
	}
	if want.Sign() > 0 && want.Cmp(big.NewInt(math.MaxUint32)) <= 0 {
		fix = fmt.Sprintf("write %d", want)
	}
	severity, above := finding.Error, new(big.Int).Add(want, big.NewInt(1))
	if v.filter == nil && rest.Sign() > 0 && above.Cmp(big.NewInt(out)) == 0 {
		severity = finding.Warning // frameworks that round up may state it
	}
	v.ReportAs(OpWindow, severity, v.out.At(descriptor.SizesPart, i+2), fix,
		"%s gives %d in dimension %d, %s, and OutputTensor has %d", v.row.Name, want, i+2, how, out)
}

// reached returns the number of elements that n steps cover, including the first and the last.
func reached(n, step int64) *big.Int {
	distance := new(big.Int).Mul(big.NewInt(n-1), big.NewInt(step))
	return distance.Add(distance, big.NewInt(1))
}

// parts checks that the sizes of tensors along the axis add up to the size of the whole, and that all other sizes are
// equal.
func (o *operator) parts(wholeName, partsName string) {
	whole, list := o.tensor(wholeName), o.Operator.Slot(partsName)
	axis, ok := o.number("Axis")
	if !ok || whole == nil || list == nil || list.Broken || axis >= int64(len(whole.Sizes)) {
		return
	}
	sum, fits := new(big.Int), true
	for _, d := range list.Tensors {
		if len(d.Sizes) != len(whole.Sizes) || !counted(d) {
			return // has been reported
		}
		sum.Add(sum, big.NewInt(d.Sizes[axis]))
		for i, n := range d.Sizes {
			if want := whole.Sizes[i]; int64(i) != axis && n != want {
				fits = false
				o.reportSize(OpParts, d, i, want,
					"%s has %d in dimension %d, %s has %d: %s works along dimension %d alone", d.Name, n, i, wholeName,
					want, o.row.Name, axis)
			}
		}
	}
	if fits && sum.Cmp(big.NewInt(whole.Sizes[axis])) != 0 {
		fix := ""
		if sum.Sign() > 0 && sum.BitLen() <= 32 {
			fix = fmt.Sprintf("write %d", sum)
		}
		o.Report(OpParts, whole.At(descriptor.SizesPart, int(axis)), fix,
			"%s has %d in dimension %d, and the %d of %s add up to %d", wholeName, whole.Sizes[axis], axis,
			len(list.Tensors), partsName, sum)
	}
}
