package rules

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// operatorSizes checks what an operator computes from the sizes of its tensors and from its attributes. What lacks a
// tensor or an attribute, or has one that has been reported, is not computed.
func (c *Checker) operatorSizes(row *operatorRow, op *Operator) {
	c.axes(op)
	c.lengths(row, op)
	switch row.name {
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

// given returns what the text has for an attribute; nil where it has nothing that can be read.
func (op *Operator) given(name string) *GivenAttribute {
	for i := range op.Given {
		if g := &op.Given[i]; g.Name == name && !g.Broken {
			return g
		}
	}
	return nil
}

// number returns an attribute that is one number.
func (op *Operator) number(name string) (n int64, ok bool) {
	if g := op.given(name); g != nil && len(g.Numbers) == 1 {
		return g.Numbers[0], true
	}
	return n, false
}

// tensor returns the first tensor of a slot if it has dimensions, none of which is empty; nil where there is none.
func (op *Operator) tensor(name string) *Descriptor {
	s := op.slot(name)
	if s == nil || len(s.Tensors) == 0 || len(s.Tensors[0].Sizes) == 0 || !counted(s.Tensors[0]) {
		return nil
	}
	return s.Tensors[0]
}

// counted reports whether all sizes are such as DirectML can have.
func counted(d *Descriptor) bool {
	return !slices.ContainsFunc(d.Sizes, func(n int64) bool { return n < 1 || n > math.MaxUint32 })
}

// axes compares the dimensions that an operator works along with those that its tensor has.
func (c *Checker) axes(op *Operator) {
	var d *Descriptor
	for _, name := range [...]string{"InputTensor", "InputTensors", "IndicesTensor"} {
		if d == nil {
			d = op.tensor(name)
		}
	}
	for _, name := range [...]string{"Axis", "Axes"} {
		g := op.given(name)
		if g == nil || d == nil {
			continue
		}
		for _, axis := range g.Numbers {
			if rank := int64(len(d.Sizes)); axis >= rank {
				c.findAt(OpAxis, Error, g.At, op.Name, fixf("%d is the last one", rank-1),
					"%s %d, and %s has the dimensions 0 to %d", name, axis, d.Slot, rank-1)
			}
		}
	}
}

// lengths compares the counts of an operator with its lists, and with the dimensions of its tensor: all of them, or
// those after the batch and the channels where a window moves.
func (c *Checker) lengths(row *operatorRow, op *Operator) {
	for i := range row.fields {
		counter := op.given(row.fields[i].Name)
		if counter == nil || len(counter.Numbers) != 1 {
			continue
		}
		n := counter.Numbers[0]
		if counter.Name == "DimensionCount" {
			if want, what := op.dimensions(); want > 0 && n != want {
				c.findAt(CountFields, Error, counter.At, op.Name, fixf("write %d", want),
					"DimensionCount is %d, and %s has %d", n, what, want)
				continue
			}
		}
		for k := range op.Given {
			g := &op.Given[k]
			if have := int64(len(g.Numbers)); !g.Broken && counterOf(row, g.Name) == counter.Name && have != n {
				c.findAt(CountFields, Error, g.At, op.Name, "", "%s has %d of %d numbers: %s is %d",
					g.Name, have, n, counter.Name, n)
			}
		}
	}
}

// counterOf returns the attribute that counts the numbers of a list; nothing where the attribute is not a list.
func counterOf(row *operatorRow, name string) string {
	isList := func(a Attribute) bool { return a.Name == name && (a.Kind == "uints" || a.Kind == "ints") }
	if !slices.ContainsFunc(row.fields, isList) {
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

// dimensions returns how many dimensions an operator's DimensionCount counts, and what they are; 0 where that is not
// known.
func (op *Operator) dimensions() (n int64, what string) {
	d := op.tensor("InputTensor")
	if d == nil {
		return 0, ""
	}
	n = int64(len(d.Sizes))
	if op.given("StartPadding") != nil && op.given("Strides") != nil {
		return n - 2, "the window of " + d.Slot
	}
	return n, d.Slot
}

// matrices checks that A of M x K and B of K x N give an output of M x N, for each matrix of a batch.
func (c *Checker) matrices(row *operatorRow, op *Operator) {
	a, b, out := op.tensor("ATensor"), op.tensor("BTensor"), op.tensor("OutputTensor")
	if a == nil || b == nil || len(a.Sizes) < 2 || len(b.Sizes) < 2 {
		return
	}
	m, k, transA, ok := op.matrix(a, "TransA")
	rows, n, transB, known := op.matrix(b, "TransB")
	if !ok || !known {
		return
	}
	if k != rows {
		at, fix := len(b.Sizes)-2, fixf("%d rows", k)
		if transB != "" {
			at, fix = len(b.Sizes)-1, fixf("%d columns", k)
		}
		wide := n // as the fix has it
		switch {
		case n == k && transB == "" && row.name == "GEMM":
			fix, wide = "TransB: TRANSPOSE, if BTensor is stored so", rows
		case n == k && transB != "":
			fix, wide = "TransB: NONE, if BTensor is not stored so", rows
		}
		c.d = b
		c.find(OpMatrix, SizesPart, at, fix,
			"%s multiplies ATensor%s, %d x %d, by BTensor%s, %d x %d: %d and %d differ%s",
			row.name, transA, m, k, transB, rows, n, k, rows, untransposed(row, op))
		n = wide
	}
	if out == nil || len(out.Sizes) < 2 {
		return
	}
	c.d = out
	last := len(out.Sizes) - 2
	for i, want := range [...]int64{m, n} {
		if out.Sizes[last+i] != want {
			c.find(OpMatrix, SizesPart, last+i, fixf("write %d", want),
				"%s gives %d x %d, and OutputTensor is %d x %d%s",
				row.name, m, n, out.Sizes[last], out.Sizes[last+1], untransposed(row, op))
			break
		}
	}
	for _, c.d = range [...]*Descriptor{a, b} {
		for i := range last {
			if len(c.d.Sizes) == len(out.Sizes) && c.d.Sizes[i] != out.Sizes[i] {
				c.find(OpMatrix, SizesPart, i, fixf("write %d", out.Sizes[i]),
					"%s has %d matrices in dimension %d, and OutputTensor has %d",
					c.d.Slot, c.d.Sizes[i], i, out.Sizes[i])
			}
		}
	}
}

// matrix returns the rows and columns of a matrix, transposed where an attribute says so, and a word for that.
func (op *Operator) matrix(d *Descriptor, attribute string) (rows, columns int64, how string, ok bool) {
	last := len(d.Sizes) - 1
	rows, columns = d.Sizes[last-1], d.Sizes[last]
	for i := range op.Given {
		if g := &op.Given[i]; g.Name == attribute && g.Broken {
			return rows, columns, "", false
		} else if g.Name == attribute && g.Value == "TRANSPOSE" {
			return columns, rows, " transposed", true
		}
	}
	return rows, columns, "", true
}

// untransposed says of the attributes TransA and TransB that GEMM, which has them, is not given that they are taken as
// NONE. DxDispatch has no default for them: its parser requires them and stops.
func untransposed(row *operatorRow, op *Operator) string {
	var missing []string
	for _, name := range [...]string{"TransA", "TransB"} {
		if row.name == "GEMM" && !slices.ContainsFunc(op.Given, func(g GivenAttribute) bool { return g.Name == name }) {
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
	row                 *operatorRow
	in, out, filter     *Descriptor
	backward            bool
	filterIn            int // the dimension of the filter that goes with the input's channels
	groups              int64
	windows             []int64 // the sizes of what moves over the input
	steps, dilations    []int64
	before, after, more []int64 // padding; more is OutputPadding
}

// convolution checks the channels of a convolution and the sizes of what its window goes over.
func (c *Checker) convolution(row *operatorRow, op *Operator) {
	v := convolution{
		row: row, in: op.tensor("InputTensor"), filter: op.tensor("FilterTensor"), out: op.tensor("OutputTensor"),
		filterIn: 1,
	}
	if v.in == nil || v.filter == nil || v.out == nil || len(v.in.Sizes) < 3 ||
		len(v.in.Sizes) != len(v.out.Sizes) || len(v.in.Sizes) != len(v.filter.Sizes) {
		return
	}
	if g := op.given("Direction"); g != nil && g.Value == "BACKWARD" {
		v.backward, v.filterIn = true, 0
	} else if g == nil && row.name == "CONVOLUTION" {
		return
	}
	if n, ok := op.number("GroupCount"); ok && n == 0 {
		c.findAt(OpChannels, Error, op.given("GroupCount").At, op.Name, "1 is all channels together", "GroupCount is 0")
	} else if ok {
		v.groups = n
		c.channels(&v, op.tensor("BiasTensor"))
	}
	rank := len(v.in.Sizes) - 2
	for _, list := range [...]struct {
		name string
		to   *[]int64
	}{
		{"Strides", &v.steps}, {"Dilations", &v.dilations}, {"StartPadding", &v.before}, {"EndPadding", &v.after},
		{"OutputPadding", &v.more},
	} {
		switch g := op.given(list.name); {
		case g != nil && len(g.Numbers) == rank:
			*list.to = g.Numbers
		case list.name != "OutputPadding" || row.name == "CONVOLUTION":
			return
		}
	}
	v.windows = v.filter.Sizes[2:]
	for i := range rank {
		c.window(&v, op, i)
	}
}

// pooling checks that each batch and channel stays, and the sizes of what the window goes over.
func (c *Checker) pooling(row *operatorRow, op *Operator) {
	v := convolution{row: row, in: op.tensor("InputTensor"), out: op.tensor("OutputTensor")}
	if v.in == nil || v.out == nil || len(v.in.Sizes) < 3 || len(v.in.Sizes) != len(v.out.Sizes) {
		return
	}
	c.d = v.out
	for i, what := range [...]string{"batches", "channels"} {
		if have, n := v.out.Sizes[i], v.in.Sizes[i]; have != n {
			c.find(OpChannels, SizesPart, i, fixf("write %d", n), "OutputTensor has %d %s, and InputTensor has %d",
				have, what, n)
		}
	}
	rank := len(v.in.Sizes) - 2
	if !slices.ContainsFunc(row.fields, func(a Attribute) bool { return a.Name == "Dilations" }) {
		v.dilations = slices.Repeat([]int64{1}, rank)
	}
	for _, list := range [...]struct {
		name string
		to   *[]int64
	}{
		{"WindowSize", &v.windows}, {"Strides", &v.steps}, {"Dilations", &v.dilations},
		{"StartPadding", &v.before}, {"EndPadding", &v.after},
	} {
		if g := op.given(list.name); g != nil && *list.to == nil {
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
func (c *Checker) channels(v *convolution, bias *Descriptor) {
	name := v.row.name
	if n := v.in.Sizes[0]; n != v.out.Sizes[0] {
		c.d = v.out
		c.find(OpChannels, SizesPart, 0, fixf("write %d", n), "OutputTensor has %d batches, and InputTensor has %d",
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
		c.find(OpChannels, SizesPart, v.filterIn, "",
			"%s with a filter of %s%s takes %d input channels, and InputTensor has %d",
			name, list(v.filter.Sizes), grouped, ins, have)
	} else if split := v.filter.Sizes[0]; split%v.groups != 0 {
		c.d = v.filter
		c.find(OpChannels, SizesPart, 0, "", "%d filters are not a multiple of %d groups", split, v.groups)
	}
	if have := v.out.Sizes[1]; have != outs {
		c.d = v.out
		c.find(OpChannels, SizesPart, 1, fixf("write %d", outs),
			"%s with a filter of %s%s gives %d output channels, and OutputTensor has %d",
			name, list(v.filter.Sizes), grouped, outs, have)
	} else if bias != nil && len(bias.Sizes) == len(v.out.Sizes) {
		c.d = bias
		for i, n := range bias.Sizes {
			want := int64(1)
			if i == 1 {
				want = have
			}
			if n != want {
				c.find(OpChannels, SizesPart, i, fixf("write %d", want),
					"BiasTensor has the sizes %s: it has a number for each of %d output channels",
					list(bias.Sizes), have)
			}
		}
	}
}

// window checks one of the sizes that the window moves along.
func (c *Checker) window(v *convolution, op *Operator, i int) {
	in, out, step := v.in.Sizes[i+2], v.out.Sizes[i+2], v.steps[i]
	for _, name := range [...]string{"Strides", "Dilations", "WindowSize"} {
		if g := op.given(name); g != nil && len(g.Numbers) > i && g.Numbers[i] == 0 {
			c.findAt(OpWindow, Error, g.At, op.Name, "1 is the least", "%s are at least 1, and number %d is 0", name, i)
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
		c.find(OpWindow, SizesPart, i+2, "",
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
		fix = fixf("write %d", want)
	}
	severity, above := Error, new(big.Int).Add(want, big.NewInt(1))
	if v.filter == nil && rest.Sign() > 0 && above.Cmp(big.NewInt(out)) == 0 {
		severity = Warning // frameworks that round up may state it so
	}
	c.d = v.out
	c.findAs(OpWindow, severity, SizesPart, i+2, fix, "%s gives %d in dimension %d, %s, and OutputTensor has %d",
		v.row.name, want, i+2, how, out)
}

// reached returns how many elements n steps take, the first and the last included.
func reached(n, step int64) *big.Int {
	distance := new(big.Int).Mul(big.NewInt(n-1), big.NewInt(step))
	return distance.Add(distance, big.NewInt(1))
}

// parts checks that tensors are as large together as the whole along the axis, and the same in all other dimensions.
func (c *Checker) parts(row *operatorRow, op *Operator, wholeName, partsName string) {
	whole, list := op.tensor(wholeName), op.slot(partsName)
	axis, ok := op.number("Axis")
	if !ok || whole == nil || list == nil || list.Broken || axis >= int64(len(whole.Sizes)) {
		return
	}
	sum, fits := new(big.Int), true
	for _, c.d = range list.Tensors {
		if len(c.d.Sizes) != len(whole.Sizes) || !counted(c.d) {
			return // which has been reported
		}
		sum.Add(sum, big.NewInt(c.d.Sizes[axis]))
		for i, n := range c.d.Sizes {
			if int64(i) != axis && n != whole.Sizes[i] {
				fits = false
				c.find(OpParts, SizesPart, i, fixf("write %d", whole.Sizes[i]),
					"%s has %d in dimension %d, %s has %d: %s works along dimension %d alone",
					c.d.Name, n, i, wholeName, whole.Sizes[i], row.name, axis)
			}
		}
	}
	if c.d = whole; fits && sum.Cmp(big.NewInt(whole.Sizes[axis])) != 0 {
		fix := ""
		if sum.Sign() > 0 && sum.BitLen() <= 32 {
			fix = fixf("write %d", sum)
		}
		c.find(OpParts, SizesPart, int(axis), fix,
			"%s has %d in dimension %d, and the %d of %s add up to %d",
			wholeName, whole.Sizes[axis], axis, len(list.Tensors), partsName, sum)
	}
}
