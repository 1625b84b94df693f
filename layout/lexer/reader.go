package lexer

// A Reader is a Scanner that keeps its first error, and then moves to the end of the input.
type Reader struct {
	Scanner
	Err error
}

// NewReader returns a reader of an input. If the input is too long, the reader starts with an error.
func NewReader(text string) Reader {
	if len(text) > MaxText {
		return Reader{Err: TooLong(text)}
	}
	return Reader{Scanner: Scanner{In: text}}
}

// Fault records an error unless an error is recorded already.
func (r *Reader) Fault(err error) {
	if r.Err == nil && err != nil {
		r.Err, r.Pos = err, len(r.In)
	}
}

// Fail records an error at an offset.
func (r *Reader) Fail(at int, hint, format string, args ...any) {
	if r.Err == nil {
		r.Fault(r.Scanner.Fail(at, hint, format, args...))
	}
}

// Integer reads an integer.
func (r *Reader) Integer(kind IntKind) int64 {
	n, err := r.Scanner.Integer(kind)
	r.Fault(err)
	return n
}
