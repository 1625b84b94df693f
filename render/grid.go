package render

// A grid is a table before it has a form: a header and rows of as many cells. The columns
// named in left are aligned left, the others right.
type grid struct {
	header []string
	rows   [][]string
	left   []int
}

// isLeft reports whether column i is aligned left.
func (g grid) isLeft(i int) bool {
	for _, l := range g.left {
		if l == i {
			return true
		}
	}
	return false
}
