package shape

import (
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A plan is a Spec with its names resolved. Axes are in logical order.
type plan struct {
	names    []string    // empty strings for axes without names
	sizes    []int64     // may share memory with the Shape, so they must not be modified
	memory   []int       // the axes from outermost to innermost
	blocks   []planBlock // the blocks inside the axes, from outermost to innermost
	rules    []rule      // one for each axis; nil if there are no such flags
	keepZero bool        // a size of 0 makes the strides outside it 0
	written  []int       // the axis of each size, in the order as written
	base     int64
	dtype    layout.DType
	name     Name     // in the letters of the axes, if they have letters
	assumed  []string // the axes assumed for flags without one
	short    []tight  // the pitches with which elements may overlap, once the strides are derived

	room struct { // the memory for the slices of most plans
		names           [8]string
		written, memory [8]int
	}
}

type planBlock struct {
	axis int
	size int64
}

// plan resolves the names of the Spec.
func (s *Spec) plan() (*plan, error) {
	if err := s.contradiction(); err != nil {
		return nil, err
	}
	p := &plan{dtype: s.DType}
	if s.Name != nil {
		p.name = *s.Name
	}
	if p.name.typed {
		p.dtype = p.name.dtype
	}
	var err error
	if p.base, err = s.base(p.dtype); err == nil {
		err = p.label(s)
	}
	if err == nil {
		err = p.place(s)
	}
	if err == nil {
		err = p.lengthen(s)
	}
	if err == nil {
		p.letter(s)
		err = p.resize(s)
	}
	if err == nil {
		err = p.order()
	}
	if err == nil {
		err = p.tile(s)
	}
	if err == nil {
		err = p.rule(s)
	}
	return p, err
}

// contradiction returns an error if flags contradict each other.
func (s *Spec) contradiction() error {
	switch {
	case s.Name != nil && s.Name.typed && s.Typed && s.Name.dtype != s.DType:
		return s.Name.fail("", "the layout has %v elements, but -t is %v",
			s.Name.dtype, s.DType).LeaveOut("-t")
	case s.Strides != nil && s.ruled():
		return lexer.Refuse("", "--strides gives every stride already: "+
			"--pad, --pitch, --align, --ld, --broadcast, --chunks, --tile and --for cannot change them")
	case s.Strides != nil && s.Name != nil && (len(s.Name.blocks) > 0 || s.Name.format != ""):
		return s.Name.fail("remove the blocks or --strides", "the blocks of %s contradict --strides", s.Name)
	case s.Order != nil && s.Shape.labels != nil:
		return s.Order.fail("", "the sizes are labeled: they need no order").LeaveOut("--order")
	case s.Order != nil && (s.Order.letters == "" || len(s.Order.blocks) > 0):
		return s.Order.fail("such as NHWC", "an order of sizes is one letter for each")
	}
	return nil
}

// label reads sizes and labels as written, and gives sizes without labels the logical order of the layout name.
func (p *plan) label(s *Spec) error {
	p.sizes, p.names = slices.Clip(s.Shape.values), s.Shape.Labels()
	p.name.lead(len(p.sizes))
	p.written = p.room.written[:0]
	for i := range p.sizes {
		p.written = append(p.written, i)
	}
	if s.Order != nil {
		p.names = s.Order.memory()
		if len(p.names) != len(p.sizes) {
			return s.Order.fail("", "%s has %s, but the shape has %s",
				s.Order, wording.Count(len(p.names), "axis"), wording.Count(len(p.sizes), "size"))
		}
		if p.name.letters == "" {
			word := p.name.word
			if p.name = *s.Order; word == "column-major" {
				letters := []byte(p.name.letters)
				slices.Reverse(letters)
				p.name.letters = string(letters)
			}
		}
	}
	if p.name.letters != "" && s.Shape.labels != nil && s.Rank == len(p.name.letters) {
		logical := p.name.logical()
		for i, at := range lexer.Positions(logical, p.names) {
			if at < 0 { // an axis without a label, added by --rank
				p.names, p.sizes = append(p.names, logical[i]), append(p.sizes, 1)
			}
		}
	}
	if p.name.letters == "" || p.names != nil {
		return nil
	}
	p.names = appendLetters(p.room.names[:0], p.name.order)
	if missing := len(p.names) - len(p.sizes); missing > 0 && s.Rank == len(p.names) {
		p.prepend(missing)
	}
	if len(p.names) != len(p.sizes) {
		return p.rankMismatch(s)
	}
	return nil
}

// prepend puts n sizes of 1 before the others.
func (p *plan) prepend(n int) {
	p.sizes = append(slices.Repeat([]int64{1}, n), p.sizes...)
	for i := range p.written {
		p.written[i] += n
	}
}

// nameHints suggest names for a rank; the first hint is for any rank.
var nameHints = [...]string{
	"any rank: row-major, column-major", "rank 1: W", "rank 2: HW, WH", "rank 3: CHW, HWC, DHW, NCW, NWC",
	"rank 4: NCHW, NHWC, OIHW, HWIO", "rank 5: NCDHW, NDHWC",
}

func (p *plan) rankMismatch(s *Spec) error {
	rank := len(p.sizes)
	if rank >= len(nameHints) {
		rank = 0
	}
	if odd(p.name.letters) != "" {
		return s.Name.fail("for "+nameHints[rank], "%q is not a layout name", wording.Clip(s.Name.text))
	}
	name := s.Name.String()
	if text := s.Name.text; !strings.EqualFold(text, name) {
		name = wording.Clip(text) + " is " + name + " and"
	}
	return s.Name.fail("for "+nameHints[rank], "%s has %s, but the shape has %s",
		name, wording.Count(len(p.name.letters), "axis"), wording.Count(len(p.sizes), "size"))
}

// place puts the sizes into the logical order of the axis names.
func (p *plan) place(s *Spec) error {
	switch {
	case p.names == nil:
		for p.names = p.room.names[:0]; len(p.names) < len(p.sizes); {
			p.names = append(p.names, "")
		}
		return nil
	case s.Order == nil && s.Shape.labels == nil: // the names of the layout, in their order
		return nil
	}
	logical := p.name.logical()
	if logical == nil && lettered(p.names) { // in their logical order
		logical = strings.Split(logicalOrder(strings.ToUpper(strings.Join(p.names, ""))), "")
	} else if logical == nil {
		logical = p.names
	}
	if len(logical) != len(p.names) {
		return p.rankMismatch(s)
	}
	if slices.Equal(p.names, logical) {
		return nil
	}
	sizes := make([]int64, len(p.sizes))
	places := lexer.Positions(p.names, logical)
	if slices.Contains(places, -1) && lettered(p.names) { // B and N are one axis
		same := strings.Split(roles(strings.Join(p.names, "")), "")
		places = lexer.Positions(same, strings.Split(roles(strings.Join(logical, "")), ""))
	}
	for i, at := range places {
		if at < 0 {
			hint := "the axes of " + p.name.String() + " are " + strings.Join(logical, ",")
			return s.Shape.fail(i, hint, "unknown axis %s", p.names[i])
		}
		sizes[at] = p.sizes[i]
	}
	for i, written := range p.written {
		p.written[i] = places[written]
	}
	p.sizes, p.names = sizes, logical
	return nil
}

// lettered reports whether each name is one letter.
func lettered(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return len(name) != 1 || !lexer.IsLetter(name[0]) })
}

// lengthen prepends axes of size 1 up to the rank.
func (p *plan) lengthen(s *Spec) error {
	more := s.Rank - len(p.sizes)
	switch {
	case s.Rank == 0 || more == 0:
		return nil
	case more < 0:
		return lexer.Refuse("", "the tensor has rank %d already, more than --rank %d", len(p.sizes), s.Rank)
	case s.Rank > layout.MaxRank:
		return lexer.Refuse("", "rank %d is over the limit of %d", s.Rank, layout.MaxRank)
	}
	p.prepend(more)
	for range more {
		name := ""
		if len(p.names) > 0 && p.names[0] != "" {
			name = outerName(p.names, s.Rank)
		}
		p.names = append([]string{name}, p.names...)
		if p.name.letters != "" {
			p.name.letters = name + p.name.letters
		}
	}
	return nil
}

// outerName returns a letter for an axis before the named ones: the letter at this index in DirectML's name for the
// rank, or another of its letters, or any unused one.
func outerName(names []string, rank int) string {
	taken := strings.ToUpper(strings.Join(names, ""))
	for _, full := range []string{directML[min(rank, len(directML)-1)], "NCDHW", "NCHW"} {
		if i := len(full) - len(names); i > 0 && full[i:] == taken {
			return full[i-1 : i]
		}
	}
	for _, letter := range strings.Split("NCDHWGOITABEFJKLMPQRSUVXYZ", "") {
		if !strings.Contains(taken, letter) {
			return letter
		}
	}
	return fmt.Sprintf("axis%d", rank-len(names))
}

// letter gives unnamed axes DirectML's names for the rank if a flag refers to an axis by letter.
func (p *plan) letter(s *Spec) {
	if len(p.names) == 0 || p.names[0] != "" || len(p.names) >= len(directML) {
		return
	}
	byLetter := s.For != nil
	for ref := range s.refs {
		_, isPosition := ref.position()
		byLetter = byLetter || !isPosition
	}
	if byLetter {
		p.names = strings.Split(directML[len(p.names)], "")
	}
}

// refs yields the axes that flags name.
func (s *Spec) refs(yield func(AxisRef) bool) {
	for _, numbers := range [][]AxisNumber{s.Pad, s.Pitch, s.Align} {
		for _, n := range numbers {
			if !yield(n.axis) {
				return
			}
		}
	}
	for _, ref := range s.Broadcast {
		if !yield(ref) {
			return
		}
	}
	for _, r := range s.Resize {
		if !yield(r.AxisRef) {
			return
		}
	}
}

// resize applies the sizes in Resize.
func (p *plan) resize(s *Spec) error {
	for _, r := range s.Resize {
		axis, err := r.Find("--sweep", p.names)
		if err != nil {
			return err
		}
		p.sizes = slices.Clone(p.sizes)
		p.sizes[axis] = r.Size
	}
	return nil
}

// order determines the order of the axes in memory, and completes the name if the axes have letters.
func (p *plan) order() error {
	p.keepZero = p.name.word == "channels_last"
	if p.name.letters != "" {
		var letters [len(p.room.names)]string
		p.memory = lexer.AppendPositions(p.room.memory[:0], appendLetters(letters[:0], p.name.letters), p.names)
		if p.name.format != "" {
			var err error
			if p.name.blocks, err = p.formatBlocks(); err != nil {
				return err
			}
			p.name.format = ""
		}
		for _, b := range p.name.blocks {
			p.blocks = append(p.blocks, planBlock{lexer.Positions([]string{b.letter}, p.names)[0], b.size})
		}
		return nil
	}
	p.memory = p.room.memory[:0]
	for i := range p.sizes {
		p.memory = append(p.memory, i)
	}
	if p.name.word == "column-major" {
		slices.Reverse(p.memory)
	}
	var letters strings.Builder
	for _, axis := range p.memory {
		letters.WriteString(p.names[axis])
	}
	if letters.Len() == len(p.names) {
		p.name.letters = letters.String()
	}
	return nil
}

// tile cuts the axes into the chunks or tiles of flags. These are blocks of all axes, or of the last ones in memory,
// inside everything else. Chunks are in the order of the sizes, tiles in the order of the memory.
func (p *plan) tile(s *Spec) error {
	list, flag, cut := s.Chunks, "--chunks", p.memory
	switch {
	case s.Tile == nil && s.Chunks == nil:
		return nil
	case s.Tile != nil && s.Chunks != nil:
		return lexer.Refuse("", "chunks are tiles of all axes: give one of --chunks and --tile").LeaveOut("--tile")
	case s.Tile != nil:
		list, flag = s.Tile, "--tile"
		cut = p.memory[max(0, len(p.memory)-list.Len()):]
	}
	sizes, axes := list.Values(), len(p.written)
	switch at := slices.IndexFunc(sizes, func(n int64) bool { return n < 1 }); {
	case len(p.blocks) > 0:
		return s.Name.fail("remove "+flag, "%s has blocks already", s.Name)
	case list.labels != nil:
		return list.fail(0, "such as "+flag+" 8x128", "%s has a size for each axis, without names", flag)
	case at >= 0:
		return list.fail(at, "", "%s: a size is at least 1", flag)
	case len(sizes) > axes || s.Chunks != nil && len(sizes) != axes:
		return list.fail(min(axes, len(sizes)-1), "one for each axis, starting at the outermost",
			"%s has %s, the tensor %d", flag, wording.Count(len(sizes), "size"), axes)
	}
	for k, axis := range cut {
		if s.Chunks != nil {
			k = slices.Index(p.written, axis)
		}
		if k < 0 || sizes[k] == 1 {
			continue
		}
		p.blocks = append(p.blocks, planBlock{axis, sizes[k]})
		if p.name.letters != "" {
			p.name.blocks = append(slices.Clip(p.name.blocks), block{p.names[axis], sizes[k]})
		}
	}
	return nil
}

// formatBlocks returns the blocks of a format that depend on the type. Formats for the DLA round up W to a whole row,
// and dla_hwc4 rounds up three channels to four.
func (p *plan) formatBlocks() ([]block, error) {
	channels := int64(1)
	switch p.name.format {
	case "nc1hwc0", "ndc1hwc0":
		if name := p.dtype.String(); name == "int8" || name == "uint8" {
			return []block{{"C", 2 * cubeRow}}, nil
		}
		return []block{{"C", cubeRow}}, nil
	case "dla_hwc4":
		c := p.sizes[lexer.Positions([]string{"C"}, p.names)[0]]
		if c != 1 && c != 3 && c != 4 {
			return nil, p.name.fail("", "dla_hwc4 has 1, 3 or 4 channels, not %d", c)
		}
		if channels = c; c == 3 {
			channels = 4
		}
	}
	pixel := channels * p.dtype.Bits()
	if pixel == 0 || dlaRow*8%pixel != 0 {
		return nil, p.name.fail("the DLA takes int8 and float16", "rows of %d bytes do not hold whole elements of %s",
			dlaRow, p.dtype)
	}
	blocks := []block{{"W", dlaRow * 8 / pixel}}
	if channels > 1 {
		blocks = append(blocks, block{"C", channels})
	}
	return blocks, nil
}
