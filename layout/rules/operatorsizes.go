package rules

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/desc"
	"layoutcalc/layout/dml"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/scan"
)

// The rules of sizes that operators compute with.
var (
	OpAxis     = &finding.Rule{Name: "op-axis", Severity: finding.Error, Family: finding.DirectML}
	OpMatrix   = &finding.Rule{Name: "op-matrix", Severity: finding.Error, Family: finding.DirectML}
	OpChannels = &finding.Rule{Name: "op-channels", Severity: finding.Error, Family: finding.DirectML}
	OpWindow   = &finding.Rule{Name: "op-window", Severity: finding.Error, Family: finding.DirectML}
	OpParts    = &finding.Rule{Name: "op-parts", Severity: finding.Error, Family: finding.DirectML}
)

// operatorSizes checks what an operator computes from the sizes of its tensors and from its attributes. What lacks a
// tensor or an attribute, or has one that has been reported, is not computed.
func (c *Checker) operatorSizes(row *dml.Operator, op *desc.Operator) {
	c.axes(op)
	c.lengths(row, op)
	switch row.Name {
	case "GEMM", "MATRIX_MULTIPLY_INTEGER", "MATRIX_MULTIPLY_INTEGER_TO_FLOAT", "QUANTIZED_LINEAR_MATRIX_MULTIPLY":
		c.matrices(row, op)
	case "CONVOLUTION", "CONVOLUTION_INTEGER", "QUANTIZED_LINEAR_CONVOLUTION":
		c.convolution(row, op)
	case "AVERAGE_POOLING", "AVERAGE_POOLING1", "LP_POOLING", "LP_POOLING1", "MAX_POOLING", "MAX_POOLING1",
		"MAX_POOLING2", "QUANTIZED_LINEAR_AVERAGE_POOLING":
		c.pooling(row, op)
	case "JOIN":
		c.parts(row, op, "OutputTensor", "InputTensors")
	case "SPLIT":
		c.parts(row, op, "InputTensor", "OutputTensors")
	}
}

// axes compares the dimensions that an operator works along with those that its tensor has.
func (c *Checker) axes(op *desc.Operator) {
	var d *desc.Descriptor
	for _, name := range [...]string{"InputTensor", "InputTensors", "IndicesTensor"} {
		if d == nil {
			d = op.Tensor(name)
		}
	}
	for _, name := range [...]string{"Axis", "Axes"} {
		g := op.Attribute(name)
		if g == nil || d == nil {
			continue
		}
		for _, axis := range g.Numbers {
			if rank := int64(len(d.Sizes)); axis >= rank {
				c.Report(OpAxis, finding.On(op.Name, g.At), fmt.Sprintf("%d is the last one", rank-1),
					"%s %d, and %s has the dimensions 0 to %d", name, axis, d.Slot, rank-1)
			}
		}
	}
}

// lengths compares the counts of an operator with its lists, and with the dimensions of its tensor: all of them, or
// those after the batch and the channels where a window moves.
func (c *Checker) lengths(row *dml.Operator, op *desc.Operator) {
	for i := range row.Fields {
		counter := op.Attribute(row.Fields[i].Name)
		if counter == nil || len(counter.Numbers) != 1 {
			continue
		}
		n := counter.Numbers[0]
		if counter.Name == "DimensionCount" {
			if want, what := op.Dimensions(); want > 0 && n != want {
				c.Report(CountFields, finding.On(op.Name, counter.At), fmt.Sprintf("write %d", want),
					"DimensionCount is %d, and %s has %d", n, what, want)
				continue
			}
		}
		for k := range op.Given {
			g := &op.Given[k]
			if have := int64(len(g.Numbers)); !g.Broken && counterOf(row, g.Name) == counter.Name && have != n {
				c.Report(CountFields, finding.On(op.Name, g.At), "",
					"%s has %d of %d numbers: %s is %d",
					g.Name, have, n, counter.Name, n)
			}
		}
	}
}

// counterOf returns the attribute that counts the numbers of a list; nothing where the attribute is not a list.
func counterOf(row *dml.Operator, name string) string {
	isList := func(a dml.Attribute) bool { return a.Name == name && (a.Kind == "uints" || a.Kind == "ints") }
	if !slices.ContainsFunc(row.Fields, isList) {
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

// matrices checks that A of M x K and B of K x N give an output of M x N, for each matrix of a batch.
func (c *Checker) matrices(row *dml.Operator, op *desc.Operator) {
	a, b, out := op.Tensor("ATensor"), op.Tensor("BTensor"), op.Tensor("OutputTensor")
	if a == nil || b == nil || len(a.Sizes) < 2 || len(b.Sizes) < 2 {
		return
	}
	m, k, transA, ok := op.Matrix(a, "TransA")
	rows, n, transB, known := op.Matrix(b, "TransB")
	if !ok || !known {
		return
	}
	if k != rows {
		at, fix := len(b.Sizes)-2, fmt.Sprintf("%d rows", k)
		if transB != "" {
			at, fix = len(b.Sizes)-1, fmt.Sprintf("%d columns", k)
		}
		wide := n // as the fix has it
		switch {
		case n == k && transB == "" && row.Name == "GEMM":
			fix, wide = "TransB: TRANSPOSE, if BTensor is stored so", rows
		case n == k && transB != "":
			fix, wide = "TransB: NONE, if BTensor is not stored so", rows
		}
		c.d = b
		c.Report(OpMatrix, c.d.At(desc.SizesPart, at), fix,
			"%s multiplies ATensor%s, %d x %d, by BTensor%s, %d x %d: %d and %d differ%s",
			row.Name, transA, m, k, transB, rows, n, k, rows, untransposed(row, op))
		n = wide
	}
	if out == nil || len(out.Sizes) < 2 {
		return
	}
	c.d = out
	last := len(out.Sizes) - 2
	for i, want := range [...]int64{m, n} {
		if out.Sizes[last+i] != want {
			c.Report(OpMatrix, c.d.At(desc.SizesPart, last+i), fmt.Sprintf("write %d", want),
				"%s gives %d x %d, and OutputTensor is %d x %d%s",
				row.Name, m, n, out.Sizes[last], out.Sizes[last+1], untransposed(row, op))
			break
		}
	}
	for _, c.d = range [...]*desc.Descriptor{a, b} {
		for i := range last {
			if len(c.d.Sizes) == len(out.Sizes) && c.d.Sizes[i] != out.Sizes[i] {
				c.Report(OpMatrix, c.d.At(desc.SizesPart, i), fmt.Sprintf("write %d", out.Sizes[i]),
					"%s has %d matrices in dimension %d, and OutputTensor has %d",
					c.d.Slot, c.d.Sizes[i], i, out.Sizes[i])
			}
		}
	}
}

// untransposed says of the attributes TransA and TransB that GEMM, which has them, is not given that they are taken as
// NONE. DxDispatch has no default for them: its parser requires them and stops.
func untransposed(row *dml.Operator, op *desc.Operator) string {
	var missing []string
	for _, name := range [...]string{"TransA", "TransB"} {
		if row.Name == "GEMM" && !slices.ContainsFunc(op.Given,
			func(g desc.GivenAttribute) bool { return g.Name == name }) {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return "; " + strings.Join(missing, " and ") + " not stated, taken as NONE"
}

// A convolution is one with tensors of the same number of dimensions, or a pooling, which has no filter. Backwards, the
// filter's first two sizes change places.
type convolution struct {
	row                 *dml.Operator
	in, out, filter     *desc.Descriptor
	backward            bool
	filterIn            int // the dimension of the filter that goes with the input's channels
	groups              int64
	windows             []int64 // the sizes of what moves over the input
	steps, dilations    []int64
	before, after, more []int64 // padding; more is OutputPadding
}

// convolution checks the channels of a convolution and the sizes of what its window goes over.
func (c *Checker) convolution(row *dml.Operator, op *desc.Operator) {
	v := convolution{
		row: row, in: op.Tensor("InputTensor"), filter: op.Tensor("FilterTensor"), out: op.Tensor("OutputTensor"),
		filterIn: 1,
	}
	if v.in == nil || v.filter == nil || v.out == nil || len(v.in.Sizes) < 3 ||
		len(v.in.Sizes) != len(v.out.Sizes) || len(v.in.Sizes) != len(v.filter.Sizes) {
		return
	}
	if g := op.Attribute("Direction"); g != nil && g.Value == "BACKWARD" {
		v.backward, v.filterIn = true, 0
	} else if g == nil && row.Name == "CONVOLUTION" {
		return
	}
	if n, ok := op.Number("GroupCount"); ok && n == 0 {
		c.Report(OpChannels, finding.On(op.Name, op.Attribute("GroupCount").At),
			"1 is all channels together", "GroupCount is 0")
	} else if ok {
		v.groups = n
		c.channels(&v, op.Tensor("BiasTensor"))
	}
	rank := len(v.in.Sizes) - 2
	for _, list := range [...]struct {
		name string
		to   *[]int64
	}{
		{"Strides", &v.steps}, {"Dilations", &v.dilations}, {"StartPadding", &v.before}, {"EndPadding", &v.after},
		{"OutputPadding", &v.more},
	} {
		switch g := op.Attribute(list.name); {
		case g != nil && len(g.Numbers) == rank:
			*list.to = g.Numbers
		case list.name != "OutputPadding" || row.Name == "CONVOLUTION":
			return
		}
	}
	v.windows = v.filter.Sizes[2:]
	for i := range rank {
		c.window(&v, op, i)
	}
}

// pooling checks that each batch and channel stays, and the sizes of what the window goes over.
func (c *Checker) pooling(row *dml.Operator, op *desc.Operator) {
	v := convolution{row: row, in: op.Tensor("InputTensor"), out: op.Tensor("OutputTensor")}
	if v.in == nil || v.out == nil || len(v.in.Sizes) < 3 || len(v.in.Sizes) != len(v.out.Sizes) {
		return
	}
	c.d = v.out
	for i, what := range [...]string{"batches", "channels"} {
		if have, n := v.out.Sizes[i], v.in.Sizes[i]; have != n {
			c.Report(OpChannels, c.d.At(desc.SizesPart, i), fmt.Sprintf("write %d", n),
				"OutputTensor has %d %s, and InputTensor has %d",
				have, what, n)
		}
	}
	rank := len(v.in.Sizes) - 2
	if !slices.ContainsFunc(row.Fields, func(a dml.Attribute) bool { return a.Name == "Dilations" }) {
		v.dilations = slices.Repeat([]int64{1}, rank)
	}
	for _, list := range [...]struct {
		name string
		to   *[]int64
	}{
		{"WindowSize", &v.windows}, {"Strides", &v.steps}, {"Dilations", &v.dilations},
		{"StartPadding", &v.before}, {"EndPadding", &v.after},
	} {
		if g := op.Attribute(list.name); g != nil && *list.to == nil {
			*list.to = g.Numbers
		}
		if len(*list.to) != rank {
			return
		}
	}
	for i := range rank {
		c.window(&v, op, i)
	}
}

// channels checks the batch and the channels.
func (c *Checker) channels(v *convolution, bias *desc.Descriptor) {
	name := v.row.Name
	if n := v.in.Sizes[0]; n != v.out.Sizes[0] {
		c.d = v.out
		c.Report(OpChannels, c.d.At(desc.SizesPart, 0), fmt.Sprintf("write %d", n),
			"OutputTensor has %d batches, and InputTensor has %d",
			v.out.Sizes[0], n)
	}
	grouped := ""
	if v.groups != 1 {
		grouped = " for " + scan.Count(v.groups, "group")
	}
	ins, outs := v.filter.Sizes[v.filterIn], v.filter.Sizes[1-v.filterIn]
	perGroup := &ins // the channels that the filter states for one group
	if v.backward {
		perGroup = &outs
	}
	if n, err := layout.Mul(*perGroup, v.groups); err == nil {
		*perGroup = n
	}
	if have := v.in.Sizes[1]; have != ins {
		c.d = v.filter
		c.Report(OpChannels, c.d.At(desc.SizesPart, v.filterIn), "",
			"%s with a filter of %s%s takes %d input channels, and InputTensor has %d",
			name, layout.ListText(v.filter.Sizes), grouped, ins, have)
	} else if split := v.filter.Sizes[0]; split%v.groups != 0 {
		c.d = v.filter
		c.Report(OpChannels, c.d.At(desc.SizesPart, 0), "", "%d filters are not a multiple of %d groups", split,
			v.groups)
	}
	if have := v.out.Sizes[1]; have != outs {
		c.d = v.out
		c.Report(OpChannels, c.d.At(desc.SizesPart, 1), fmt.Sprintf("write %d", outs),
			"%s with a filter of %s%s gives %d output channels, and OutputTensor has %d",
			name, layout.ListText(v.filter.Sizes), grouped, outs, have)
	} else if bias != nil && len(bias.Sizes) == len(v.out.Sizes) {
		c.d = bias
		for i, n := range bias.Sizes {
			want := int64(1)
			if i == 1 {
				want = have
			}
			if n != want {
				c.Report(OpChannels, c.d.At(desc.SizesPart, i), fmt.Sprintf("write %d", want),
					"BiasTensor has the sizes %s: it has a number for each of %d output channels",
					layout.ListText(bias.Sizes), have)
			}
		}
	}
}

// window checks one of the sizes that the window moves along.
func (c *Checker) window(v *convolution, op *desc.Operator, i int) {
	in, out, step := v.in.Sizes[i+2], v.out.Sizes[i+2], v.steps[i]
	for _, name := range [...]string{"Strides", "Dilations", "WindowSize"} {
		if g := op.Attribute(name); g != nil && len(g.Numbers) > i && g.Numbers[i] == 0 {
			c.Report(OpWindow, finding.On(op.Name, g.At), "1 is the least",
				"%s are at least 1, and number %d is 0", name, i)
			return
		}
	}
	reach, padding := reached(v.windows[i], v.dilations[i]), v.before[i]+v.after[i]
	room := big.NewInt(in + padding)
	if !v.backward && reach.Cmp(room) > 0 {
		if v.filter == nil {
			return // what a pooling gives then is not documented
		}
		c.d = v.filter
		c.Report(OpWindow, c.d.At(desc.SizesPart, i+2), "",
			"the window covers %d elements in dimension %d, and InputTensor has %d with its padding",
			reach, i+2, room)
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
		severity = finding.Warning // frameworks that round up may state it so
	}
	c.d = v.out
	c.ReportAs(OpWindow, severity, c.d.At(desc.SizesPart, i+2), fix,
		"%s gives %d in dimension %d, %s, and OutputTensor has %d",
		v.row.Name, want, i+2, how, out)
}

// reached returns how many elements n steps take, the first and the last included.
func reached(n, step int64) *big.Int {
	distance := new(big.Int).Mul(big.NewInt(n-1), big.NewInt(step))
	return distance.Add(distance, big.NewInt(1))
}

// parts checks that tensors are as large together as the whole along the axis, and the same in all other dimensions.
func (c *Checker) parts(row *dml.Operator, op *desc.Operator, wholeName, partsName string) {
	whole, list := op.Tensor(wholeName), op.Slot(partsName)
	axis, ok := op.Number("Axis")
	if !ok || whole == nil || list == nil || list.Broken || axis >= int64(len(whole.Sizes)) {
		return
	}
	sum, fits := new(big.Int), true
	for _, c.d = range list.Tensors {
		if len(c.d.Sizes) != len(whole.Sizes) || !desc.Counted(c.d) {
			return // which has been reported
		}
		sum.Add(sum, big.NewInt(c.d.Sizes[axis]))
		for i, n := range c.d.Sizes {
			if int64(i) != axis && n != whole.Sizes[i] {
				fits = false
				c.Report(OpParts, c.d.At(desc.SizesPart, i), fmt.Sprintf("write %d", whole.Sizes[i]),
					"%s has %d in dimension %d, %s has %d: %s works along dimension %d alone",
					c.d.Name, n, i, wholeName, whole.Sizes[i], row.Name, axis)
			}
		}
	}
	if c.d = whole; fits && sum.Cmp(big.NewInt(whole.Sizes[axis])) != 0 {
		fix := ""
		if sum.Sign() > 0 && sum.BitLen() <= 32 {
			fix = fmt.Sprintf("write %d", sum)
		}
		c.Report(OpParts, c.d.At(desc.SizesPart, int(axis)), fix,
			"%s has %d in dimension %d, and the %d of %s add up to %d",
			wholeName, whole.Sizes[axis], axis, len(list.Tensors), partsName, sum)
	}
}
