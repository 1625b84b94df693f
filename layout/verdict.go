package layout

// A Verdict answers a question that may be too hard to decide.
type Verdict uint8

// The zero Verdict is Unknown.
const (
	Unknown Verdict = iota
	No
	Yes
)

// String returns yes, no or unknown.
func (v Verdict) String() string { return [...]string{"unknown", "no", "yes"}[v] }

// verdict is the Verdict of a decided question.
func verdict(yes bool) Verdict {
	if yes {
		return Yes
	}
	return No
}

// and is Yes when both are, and No when one is.
func (v Verdict) and(w Verdict) Verdict {
	switch {
	case v == No || w == No:
		return No
	case v == Yes && w == Yes:
		return Yes
	}
	return Unknown
}

// not turns Yes and No round.
func (v Verdict) not() Verdict { return [...]Verdict{Unknown, Yes, No}[v] }
