package shape

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/wording"
)

// Notes returns notes on assumptions about a Spec that the user may not have meant: the order of sizes that look as if
// they were in the order of the name, and a name that may be a slip. If inText is set, --order does not apply to the
// sizes, so the note suggests labels in the input.
func (s Spec) Notes(inText bool) []string {
	var notes []string
	if note := s.Shape.hexadecimal(); note != "" {
		notes = append(notes, note)
	}
	if s.Shape.units {
		sizes := layout.JoinInts(s.Shape.values, "x")
		notes = append(notes, "K is 1024, M and G are powers of it: the sizes are "+sizes)
	}
	if s.ruled() {
		if p, err := s.plan(); err == nil {
			notes = append(append(notes, p.assumed...), p.overlaps()...)
		}
	}
	for ref := range s.refs {
		if _, ok := ref.position(); !ok {
			continue
		}
		if counted, written := s.Orders(); written != nil {
			notes = append(notes, fmt.Sprintf("positions of axes count %s; the sizes are written as %s",
				strings.Join(counted, ", "), strings.Join(written, ", ")))
		}
		break
	}
	if note := s.reordered(); note != "" {
		notes = append(notes, note)
	}
	if s.Name == nil || s.Name.letters == "" {
		return notes
	}
	if s.Name.format == "dla_hwc4" {
		notes = append(notes, "rows of dla_hwc4 are multiples of 64 bytes, as on Orin; on Xavier of 32")
	}
	if letters := odd(s.Name.letters); letters != "" {
		notes = append(notes, "no known kind of tensor has an axis "+strings.Join(strings.Split(letters, ""), " or ")+
			": the sizes are read as written")
	}
	if other := mixed(s.Name.letters); other != "" {
		notes = append(notes, "the axes "+commas(s.Name.letters)+
			" are not the axes of one kind of tensor: the sizes are read as written; "+other+" is common")
	}
	if near := s.Name.near(); len(near) > 0 {
		verb := "is"
		if len(near) > 1 {
			verb = "are"
		}
		notes = append(notes, fmt.Sprintf("the order of axes %s is rare; %s %s common",
			s.Name.letters, strings.Join(near, " and "), verb))
	}
	if strings.HasPrefix(s.Name.text, "CUDNN_") && strings.HasSuffix(s.Name.text, "_VECT_C") {
		notes = append(notes, "channels are read in blocks of 4, as for INT8x4; INT8x32 is NC/32HW32")
	}
	if note := s.readOtherwise(inText); note != "" {
		notes = append(notes, note)
	}
	return notes
}

// overlaps returns a note for each pitch with which elements may overlap.
func (p *plan) overlaps() (notes []string) {
	if _, err := p.derive(false); err != nil {
		return nil // it is reported where the tensor is needed
	}
	for _, t := range p.short {
		name := p.called()[t.axis]
		notes = append(notes, fmt.Sprintf(
			"the pitch of axis %s is %s, less than the %d that each index takes, so elements may overlap; "+
				"--pitch %s=%d is enough", name, wording.Count(t.pitch, "element"), t.least, name, t.least))
	}
	return notes
}

// reordered returns a note if labelled sizes, and therefore the memory, are not in the order as written. It suggests
// the layout with this order.
func (s Spec) reordered() string {
	if s.Shape.labels == nil || s.Name != nil && s.Name.letters != "" || s.Strides != nil {
		return ""
	}
	counted, written := s.Orders()
	if written == nil || !lettered(written) {
		return ""
	}
	return fmt.Sprintf("sizes and memory are in the order %s; for memory as written, %s, the layout is %s",
		strings.Join(counted, ", "), strings.Join(written, ", "), strings.Join(written, ""))
}

// hexadecimal returns a note on the meaning of 0x and several digits, which may be one number or two sizes.
func (l List) hexadecimal() string {
	text := strings.TrimSpace(l.text)
	if len(text) < len("0x10") || text[0] != '0' || text[1]|0x20 != 'x' {
		return ""
	}
	text = strings.ToLower(text)
	digits := text[len("0x"):]
	n, err := strconv.ParseInt(digits, 16, 64)
	switch {
	case err != nil:
		return ""
	case len(l.values) == 1:
		return fmt.Sprintf("%s is read as the size %d, a hexadecimal number", text, n)
	}
	return fmt.Sprintf("%s is read as the sizes 0 and %s, not as the hexadecimal number %d", text, digits, n)
}

// Orders returns the names of the axes in the order of unlabelled indices, and in the order of the sizes as written, if
// the two differ. Otherwise it returns nil.
func (s Spec) Orders() (counted, written []string) {
	if s.Order == nil && s.Shape.labels == nil {
		return nil, nil
	}
	p, err := s.plan()
	if err != nil || slices.IsSorted(p.written) {
		return nil, nil
	}
	for _, axis := range p.written {
		written = append(written, p.names[axis])
	}
	return p.names, written
}

// few is the largest number of channels of an image.
const few = 4

// readOtherwise returns a note on the order of unlabelled sizes if they look as if they were in the order of the name.
// This is the case if, in the order of the name but not as they were read, the channels of an image are last and few,
// or height and width are equal. It is also the case if the name has a T, because systems differ in its position.
func (s *Spec) readOtherwise(inText bool) string {
	if s.Order != nil || s.Shape.labels != nil {
		return ""
	}
	n, sizes := *s.Name, s.Shape.values
	n.lead(len(sizes))
	if len(sizes) == 0 || len(sizes) > len(n.letters) {
		return ""
	}
	read := n.order[len(n.order)-len(sizes):] // --rank adds sizes of 1 before them
	written := among(read, n.letters)
	if written == read {
		return s.readAsLabelled(read)
	}
	last := len(written) - 1
	swapped := sizes[last] <= few && sizes[strings.IndexByte(read, written[last])] > few && roles(written)[last] == 'C'
	if !swapped && !(isSquare(sizes, written) && !isSquare(sizes, read)) && !strings.ContainsAny(written, "Tt") {
		return ""
	}
	fix := "--order " + written
	if inText || len(written) < len(n.letters) {
		var labelled []string
		for i, size := range sizes {
			labelled = append(labelled, fmt.Sprintf("%c=%d", written[i], size))
		}
		fix = strings.Join(labelled, ",")
	}
	return fmt.Sprintf("sizes read as %s; if they are written as %s: %s", commas(read), commas(written), fix)
}

// readAsLabelled is like readOtherwise, but for sizes that the letters of the name label, as in [1,3,224,224] (NHWC).
// They may look as if they were in the order of unlabelled sizes.
func (s *Spec) readAsLabelled(read string) string {
	sizes := s.Shape.values
	n, err := ParseName(s.Name.letters)
	if err != nil || n.order == read || len(n.order) != len(read) {
		return ""
	}
	last := len(read) - 1
	swapped := sizes[last] > few && sizes[strings.IndexByte(n.order, read[last])] <= few && roles(read)[last] == 'C'
	if !swapped && !(isSquare(sizes, n.order) && !isSquare(sizes, read)) {
		return ""
	}
	return fmt.Sprintf("sizes read as %s, the letters beside them; if they are %s: %s %s", commas(read),
		commas(n.order), layout.JoinInts(sizes, "x"), n.letters)
}

// isSquare reports whether height and width are equal and not 1, and there are channels, if the sizes have the given
// letters.
func isSquare(sizes []int64, letters string) bool {
	same := false
	for i, size := range sizes {
		same = same || size > 1 && slices.Contains(sizes[:i], size)
	}
	if !same {
		return false
	}
	letters = roles(letters)
	h, w := strings.IndexByte(letters, 'H'), strings.IndexByte(letters, 'W')
	return h >= 0 && w >= 0 && strings.ContainsAny(letters, "CI") && sizes[h] == sizes[w] && sizes[h] > 1
}

// near returns the usual orders that differ from the name by one exchange of adjacent letters. It returns nil if the
// name is usual.
func (n Name) near() (names []string) {
	if isUsual(n.letters) {
		return nil
	}
	roles := roles(n.letters)
	if isUsual(roles) {
		return nil
	}
	swapped := func(letters string, i int) string {
		return letters[:i] + letters[i+1:i+2] + letters[i:i+1] + letters[i+2:]
	}
	for i := range len(roles) - 1 {
		if isUsual(swapped(roles, i)) {
			names = append(names, swapped(n.letters, i))
		}
	}
	return names
}

// isUsual reports whether roles are in an order that systems use for images, sequences, volumes or weights.
func isUsual(roles string) bool {
	switch roles {
	case "CHW", "HWC", "WHC", "DHW", "WHD", "NCW", "NWC", "CWN", "NHW", "HWN", "OIW", "WIO", "OWI", "IOW", "IWO",
		"WOI", "GOW", "NCHW", "NHWC", "CHWN", "HWCN", "HWNC", "WHCN", "CNHW", "CDHW", "DHWC", "NDHW", "GOIW", "GOWI",
		"WIGO", "WGIO", "GIOW", "GWIO", "OIHW", "HWIO", "OHWI", "IOHW", "IHWO", "HWOI", "NCDHW", "NDHWC", "CDHWN",
		"DHWCN", "WHDCN", "OIDHW", "DHWIO", "ODHWI", "IODHW", "IDHWO", "DHWOI", "GOIHW", "GOHWI", "HWIGO", "HWGIO",
		"GIOHW", "GHWIO", "GOIDHW", "GODHWI", "DHWIGO", "DHWGIO", "GIODHW", "GDHWIO":
		return true
	}
	return false
}
