package finding

import (
	"encoding/binary"
	"encoding/hex"
	"math/bits"
)

// A Finding is a rule that an input breaks.
type Finding struct {
	Rule     *Rule
	Severity Severity
	Place
	Bytes   Span   // in a binary file
	Tensor  string // the name of the tensor in the input
	Message string // states the numbers that disagree, and their units
	Fix     string // the smallest change that fixes it; may be empty
	Edits   []Edit // in a text file, the edits that make this change; nil if it is not certain
	Derived bool   // the edits are certain if nothing else is wrong with the tensor
	Waits   bool   // the edits are computed again after the other edits of the tensor
}

// A Span is a range of bytes of a file; zero if it is not known.
type Span struct{ From, To int64 }

// Fingerprint returns a string that identifies the same finding in the file at path when it moves in the file or its
// numbers change.
func (f *Finding) Fingerprint(path string) string { return string(f.AppendFingerprint(nil, path)) }

// AppendFingerprint appends the fingerprint: the FNV-1a hash of 128 bits, as hexadecimal digits.
func (f *Finding) AppendFingerprint(to []byte, path string) []byte {
	const primeHigh, primeLow = 1 << 24, 0x13b
	high, low := uint64(0x6c62272e07bb0142), uint64(0x62b821756295c58d)
	add := func(c byte) {
		carry, product := bits.Mul64(low^uint64(c), primeLow)
		high, low = high*primeLow+(low^uint64(c))*primeHigh+carry, product
	}
	for _, part := range [...]string{"v1", f.Rule.Name, path, f.Tensor, f.Pointer} {
		for i := range len(part) {
			add(part[i])
		}
		add(0)
	}
	sum := binary.BigEndian.AppendUint64(make([]byte, 0, 16), high)
	return hex.AppendEncode(to, binary.BigEndian.AppendUint64(sum, low))
}

// A Subject is the part of an input that a finding is about. Its position is computed only if there is something to
// report.
type Subject interface {
	// About sets the tensor of the finding, and its Place or Bytes.
	About(f *Finding)
}

// At is a tensor, or another subject with a position or with bytes of a file. Each field may be zero.
type At struct {
	Tensor  string
	Locator Locator
	Bytes   Span
}

// On returns a tensor, or a thing without a name, as the subject of a finding.
//
// It is not inlined, because it would make each of its many callers larger.
//
//go:noinline
func On(tensor string, at Locator) Subject { return At{Tensor: tensor, Locator: at} }

// About implements [Subject].
func (a At) About(f *Finding) {
	f.Tensor, f.Bytes = a.Tensor, a.Bytes
	if a.Locator != nil {
		f.Place = a.Locator.Place()
	}
}
