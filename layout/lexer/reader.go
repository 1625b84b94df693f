package lexer

// A Reader is a Scanner whose first fault sticks, and leads to the end of the text.
type Reader struct {
	Scanner
	Err error
}

// NewReader returns a reader of a text. A text that is too long is its first fault.
func NewReader(text string) Reader {
	if len(text) > MaxText {
		return Reader{Err: TooLong(text)}
	}
	return Reader{Scanner: Scanner{In: text}}
}

// Fault notes an error, unless there is one already.
func (r *Reader) Fault(err error) {
	if r.Err == nil && err != nil {
		r.Err, r.Pos = err, len(r.In)
	}
}

// Fail notes a fault at an offset.
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
