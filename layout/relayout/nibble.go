package relayout

import "fmt"

// pairs turns a part of elements of 4 bits into one of bytes, if they always move in pairs that
// share a byte on both sides.
func (p part) pairs() (part, bool) {
	q := part{p.src / 2, p.dst / 2, nil}
	paired := false
	for _, l := range p.loops {
		switch {
		case l.n == 1:
		case !paired && l.src == 1 && l.dst == 1 && l.n%2 == 0:
			paired = true
			q.loops = append(q.loops, stride{l.n / 2, 1, 1})
		case l.src%2 != 0 || l.dst%2 != 0:
			return part{}, false
		default:
			q.loops = append(q.loops, stride{l.n, l.src / 2, l.dst / 2})
		}
	}
	return q, paired && p.src%2 == 0 && p.dst%2 == 0
}

// Nibbles move elements of 4 bits one by one. Element 2k is the low half of byte k.
type nibbles struct{ part }

// move moves all of them.
func (n nibbles) move(p place) { n.walk(p, n.src, n.dst, n.loops) }

// walk moves what some loops lead to, from element s on to element d on.
func (n nibbles) walk(p place, s, d int64, loops []stride) {
	if len(loops) == 0 {
		put(p.dst[p.d:], d, p.src[p.s+int(s>>1)]>>(s&1*4)&15)
		return
	}
	for range loops[0].n {
		n.walk(p, s, d, loops[1:])
		s, d = s+loops[0].src, d+loops[0].dst
	}
}

// put sets element i.
func put(b []byte, i int64, v byte) {
	shift := i & 1 * 4
	b[i>>1] = b[i>>1]&^(15<<shift) | v<<shift
}

// String names the nibbles in a plan.
func (n nibbles) String() string {
	count := int64(1)
	for _, l := range n.loops {
		count *= l.n
	}
	return fmt.Sprintf("move %d elements of 4 bits", count)
}
