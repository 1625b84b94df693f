package descriptor

// A Pair is a key of the metadata of a file, with its value.
type Pair struct {
	Key, Type string

	// Value is a string, an int64, a uint64, a float32, a float64 or a bool. For an array, it is a []any of the first
	// items, which have these types or are arrays themselves.
	Value any
	Len   int64 // the items of an array
}

// IsArray reports whether the value is an array.
func (p *Pair) IsArray() bool {
	_, ok := p.Value.([]any)
	return ok
}
