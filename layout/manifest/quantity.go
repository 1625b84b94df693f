package manifest

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/expect"
)

// A unit is a word after a number, and the factor that it stands for.
type unit struct {
	name string
	of   int64
}

// byteUnits are the units of bytes.
var byteUnits = [...]unit{
	{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
}

// powers returns the powers of ten that counts of parameters may end with.
func powers() (list []unit) {
	for of := int64(10); len(list) < 18; of *= 10 {
		list = append(list, unit{"e" + strconv.Itoa(len(list)+1), of})
	}
	return list
}

// bytes reads a number of bytes, which may have a unit.
func (r *configReader) bytes(v doctree.Value) int64 {
	return r.quantity(v, byteUnits[:], "a number of bytes", "such as 67108864, 64MiB (of 1048576) or 64MB (of 1000000)")
}

// parameters reads a number of parameters.
func (r *configReader) parameters(v doctree.Value) int64 {
	return r.quantity(v, powers(), "a number of parameters", "such as 7e9 or 7000000000")
}

// count reads a nonnegative number.
func (r *configReader) count(v doctree.Value) int64 {
	n := r.number(v, 0).Value
	if n < 0 {
		r.value(v, "a number of at least 0")
	}
	return n
}

// maxDigits is the maximum number of digits, far more than 64 bits hold. Longer numbers are rejected, because parsing
// takes time proportional to the square of their length.
const maxDigits = 40

// quantity reads a whole number, or a decimal number with a unit that makes it whole.
func (r *configReader) quantity(v doctree.Value, units []unit, what, fix string) int64 {
	if n, ok := v.Int(); ok && n >= 0 {
		return n
	}
	if long := len(v.Bytes()); long > maxDigits+len(" MiB") {
		const msg = "a value of %d characters is not %s, which has at most %d digits"
		r.wrong(descriptor.ConfigValue, v, fix, msg, long, what, maxDigits)
		return 0
	}
	if kind := v.Kind(); kind == doctree.Number || kind == doctree.String {
		if n, ok := inUnits(v.Text(), units); ok {
			return n
		}
	}
	r.wrong(descriptor.ConfigValue, v, fix, "%s is not %s", shown(v), what)
	return 0
}

// inUnits returns the value of a decimal number and the unit after it, if it is whole.
func inUnits(text string, units []unit) (n int64, ok bool) {
	word := strings.TrimLeft(text, "0123456789.")
	name := strings.TrimLeft(word, " ")
	i := slices.IndexFunc(units, func(u unit) bool { return u.name == name })
	digits := text[:len(text)-len(word)]
	exact, ok := new(big.Rat).SetString(digits)
	if i < 0 || !ok || len(digits) > maxDigits {
		return 0, false
	}
	exact.Mul(exact, new(big.Rat).SetInt64(units[i].of))
	return exact.Num().Int64(), exact.IsInt() && exact.Num().IsInt64()
}

// within reads a number with the function read, or an object with a minimum and a maximum.
func (r *configReader) within(v doctree.Value, read func(doctree.Value) int64) (x expect.Range) {
	if v.Kind() != doctree.Object {
		return expect.Exactly(read(v))
	}
	ok := r.ok
	r.object(v, "a range", rangeKeys(&x, read))
	switch {
	case r.ok != ok:
	case v.Len() == 0:
		r.wrong(descriptor.ConfigValue, v, "such as {min: 1, max: 64}", "a range has min, max or both")
	case x.Min.Stated && x.Max.Stated && x.Min.Value > x.Max.Value:
		r.wrong(descriptor.ConfigValue, v, "", "min %d is more than max %d", x.Min.Value, x.Max.Value)
	}
	return x
}

// rangeKeys are the keys of a range.
func rangeKeys(x *expect.Range, read func(doctree.Value) int64) []key {
	return []key{
		{"min", func(v doctree.Value) { x.Min = descriptor.Stated(read(v)) }, nil},
		{"max", func(v doctree.Value) { x.Max = descriptor.Stated(read(v)) }, nil},
	}
}

// texts reads a string, or a nonempty list of strings.
func (r *configReader) texts(v doctree.Value, want string) (list []string) {
	if v.Kind() != doctree.Array {
		return []string{r.text(v, want)}
	}
	for item := range v.Items {
		list = append(list, r.text(item, want))
	}
	if list == nil {
		r.value(v, want)
	}
	return list
}

// axes reads an axis, or a list of axes: letters, names or indices.
func (r *configReader) axes(v doctree.Value) (list []string) {
	items := []doctree.Value{v}
	if v.Kind() == doctree.Array && v.Len() > 0 {
		items = slices.Collect(v.Items)
	}
	for _, item := range items {
		if _, ok := item.Int(); !ok && (item.Kind() != doctree.String || item.Is("")) {
			r.value(item, "an axis, such as 0, N or batch")
		}
		list = append(list, item.Text())
	}
	return list
}
