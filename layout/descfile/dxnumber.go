package descfile

import (
	"math"
	"strconv"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
)

// numbers reads a list of unsigned integers of 32 bits. Integers beyond that are reported, and
// returned as they are: ok is only false for what is no integer.
func (r *dxReader) numbers(v doctree.Value, tensor string) (list []int64, ok bool) {
	if v.Kind() != doctree.Array {
		r.wrong(v, tensor, "a list of numbers")
		return nil, false
	}
	list, ok = make([]int64, 0, v.Len()), true
	for item := range v.Items {
		n, read := r.integer(item, tensor, math.MaxUint32)
		list, ok = append(list, n), ok && read
	}
	return list, ok
}

// integer reads an unsigned integer. One that is too large, or negative, is reported too, and so
// is a value that only means one, such as 3.0: what it means is returned.
func (r *dxReader) integer(v doctree.Value, tensor string, limit int64) (n int64, ok bool) {
	n, ok = v.Int()
	switch {
	case !ok && (v.Kind() == doctree.Number || v.Kind() == doctree.String):
		r.find(rules.JSONInt, v, tensor, "", "%s is not what the program expects, an unsigned integer", dxQuote(v.Text()))
		return meantInteger(v.Text())
	case !ok:
		r.find(rules.JSONInt, v, tensor, "", "%v is not what the program expects, an unsigned integer", v.Kind())
	case r.foreign():
	case n < 0:
		r.find(rules.JSONInt, v, tensor, "", "%d is negative: the program expects an unsigned integer", n)
	case n > limit:
		r.find(rules.JSONInt, v, tensor, "", "%d is above %d, the largest number of 32 bits, and the program stops at it", n, limit)
	}
	return n, ok
}

// meantInteger returns the integer that a text means, if that is small enough to be exact.
func meantInteger(text string) (n int64, ok bool) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// unsigned reads a number that may be missing.
func (r *dxReader) unsigned(v doctree.Value, name, tensor string, limit int64) rules.Number {
	m, ok := v.Get(name)
	if !ok {
		return rules.Number{}
	}
	n, ok := r.integer(m, tensor, limit)
	return rules.Number{Value: n, Stated: ok}
}
