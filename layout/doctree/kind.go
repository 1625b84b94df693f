package doctree

// A Kind is the kind of a value.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String names the kind with its article, for messages.
func (k Kind) String() string {
	return [...]string{"null", "a truth value", "a number", "a text", "a list", "an object"}[k]
}

// Limits of the inputs: MaxText is in bytes, MaxNodes counts values.
const (
	MaxText  = 100 << 20
	MaxNodes = 1 << 20
	maxKey   = 1024

	// ByteOrderMark precedes UTF-8 text in some editors' files.
	ByteOrderMark = "\xEF\xBB\xBF"

	tooDeep = "values nest deeper than 64 levels"
	tooMany = "the text holds more than 1048576 values"
	longKey = "the key is longer than 1024 bytes"
)
