package onnx

import (
	"cmp"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A DataFile describes a file with the elements of tensors.
type DataFile struct {
	Missing string           // why it cannot be read, in words that follow its name; empty if it can
	Absent  bool             // it does not exist
	Size    int64            // if Other is set, the size of the file that it stands for; 0 if it is unknown
	Link    string           // the kind of link if it is a link or has another hard link: "a link to x"
	Model   bool             // it is the model itself
	Other   *finding.Finding // a finding if it contains something other than data, or nil
}

// Limits that writers of external data observe.
const (
	maxLocation  = 4096 // bytes of a path
	pageSize     = 4096
	windowsAlign = 65536
)

// A stored is a tensor with its elements in another file.
type stored struct {
	t        *Tensor
	location string // the path, cleaned
	offset   int64
	bytes    int64 // the size of the elements; -1 if it is unknown
}

// end returns the end of the elements in the file.
func (s stored) end() int64 { return s.offset + s.bytes }

// place returns the path, the offset and the length that a tensor states for its elements; the length is 0 if it is not
// stated. If they are invalid, it returns an error, and the rule that is violated.
func (e *External) place() (location string, offset, length int64, rule *finding.Rule, err error) {
	location, problem := cleanLocation(e.Location)
	if problem != "" {
		return "", 0, 0, onnxExternalPath, lexer.Refuse("", "%s", problem)
	}
	if e.offset {
		if offset, err = decimal("offset", e.Offset); err != nil {
			return "", 0, 0, onnxExternalRange, err
		}
	}
	if e.length {
		length, err = decimal("length", e.Length)
	}
	return location, offset, length, onnxExternalLength, err
}

// decimal reads a number in the form of the format: decimal digits only.
func decimal(what, text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || strings.Trim(text, "0123456789") != "" {
		return 0, lexer.Refuse("", "the %s %s is not a 63-bit decimal number", what, wording.Quote(text))
	}
	return n, nil
}

// cleanLocation returns the path of a file relative to the directory of the model, or the problem with it.
func cleanLocation(location string) (cleaned, problem string) {
	slashed := strings.ReplaceAll(location, `\`, "/")
	cleaned = path.Clean(slashed)
	switch {
	case location == "":
		return "", "the location is not stated"
	case len(location) > maxLocation:
		return "", "the location has " + strconv.Itoa(len(location)) + " bytes, over the limit of " +
			strconv.Itoa(maxLocation)
	case strings.IndexByte(location, 0) >= 0:
		return "", "the location " + wording.Quote(location) + " has a byte of 0"
	case path.IsAbs(slashed) || len(slashed) > 1 && slashed[1] == ':' && lexer.IsLetter(slashed[0]):
		return "", "the location " + wording.Quote(location) + " is absolute, not below the directory of the model"
	case cleaned == ".." || strings.HasPrefix(cleaned, "../"):
		return "", "the location " + wording.Quote(location) + " leaves the directory of the model"
	}
	return path.Clean(location), ""
}

// external checks the tensors in other files, file by file.
func (c *checker) external() {
	var placed []stored
	for _, s := range c.stored {
		e := s.t.External
		c.about = s.t.Span
		if e.unknown != "" {
			c.ReportAs(onnxExternalPath, finding.Warning, c.on(s.t.Name), "",
				"external_data has the key %s, which ONNX does not have", e.unknown)
		}
		location, offset, length, rule, err := e.place()
		if err != nil {
			c.Report(rule, c.on(s.t.Name), "", "%v", err)
			continue
		}
		if strings.Contains(location, "..") {
			c.ReportAs(onnxExternalPath, finding.Warning, c.on(s.t.Name), "",
				"the location %s has two dots, which onnx.checker refuses", wording.Quote(location))
		}
		if length != 0 && s.bytes >= 0 && length != s.bytes {
			c.Report(onnxExternalLength, c.on(s.t.Name), strconv.FormatInt(s.bytes, 10),
				"%v of %s takes %s, and the length is %d", s.t.Type, shapeText(s.t.Dims),
				wording.Count(s.bytes, "byte"), length)
		}
		s.location, s.offset = location, offset
		if s.bytes < 0 {
			s.bytes = length
		}
		placed = append(placed, s)
	}
	sort.SliceStable(placed, func(i, k int) bool {
		a, b := &placed[i], &placed[k]
		return cmp.Or(strings.Compare(a.location, b.location), cmp.Compare(a.offset, b.offset),
			cmp.Compare(b.bytes, a.bytes)) < 0
	})
	files := 0
	for len(placed) > 0 {
		n := slices.IndexFunc(placed, func(s stored) bool { return s.location != placed[0].location })
		if n < 0 {
			n = len(placed)
		}
		c.dataFile(placed[:n])
		files++
		placed = placed[n:]
	}
	c.judgeAbsent(files)
}

// judgeAbsent reports the files of external data that do not exist, given the number of files that the model names.
func (c *checker) judgeAbsent(files int) {
	if len(c.absent) == 0 {
		return
	}
	first := c.absent[0].t
	absence := finding.Absence{Kind: "data file", Named: files, Rest: c.inside}
	for _, s := range c.absent {
		absence.Missing = append(absence.Missing, s.location)
	}
	c.about = first.Span
	severity, message := absence.Judge()
	c.ReportAs(onnxExternalMissing, severity, c.on(first.Name), "", "%s", message)
}

// dataFile checks the tensors of one file, in the order of their offsets.
func (c *checker) dataFile(list []stored) {
	location, first := list[0].location, list[0].t.Name
	c.about = list[0].t.Span
	if c.beside == nil {
		c.Report(onnxExternalMissing, c.on(first), "give the path of the model",
			"%s is not looked at: a stream has no directory", wording.Quote(location))
		return
	}
	f, slashed := c.beside(location), strings.ReplaceAll(location, `\`, "/")
	switch {
	case f.Missing != "" && slashed != location && c.beside(slashed).Missing == "":
		c.Report(onnxExternalMissing, c.on(first), "write "+wording.Quote(slashed),
			"%s is missing, and %s is there: \\ separates directories on Windows only", wording.Quote(location),
			wording.Quote(slashed))
		return
	case f.Absent:
		c.absent = append(c.absent, list[0])
		return
	case f.Missing != "":
		c.Report(onnxExternalMissing, c.on(first), "", "%s %s: the elements of %s are to be in it",
			wording.Quote(location), f.Missing, wording.Count(len(list), "tensor"))
		return
	case f.Other != nil:
		c.Add(finding.Finding{Rule: f.Other.Rule, Severity: finding.Error, Bytes: c.about, Tensor: first,
			Message: wording.Quote(location) + ": " + f.Other.Message, Fix: f.Other.Fix})
		if f.Size > 0 {
			c.ranges(list, f)
		}
		return
	}
	if f.Link != "" {
		c.Report(onnxExternalLink, c.on(first), "", "%s is %s, which onnx.checker refuses", wording.Quote(location),
			f.Link)
	}
	if f.Model {
		c.ReportAs(onnxExternalPath, finding.Note, c.on(first), "", "%s is the model itself", wording.Quote(location))
	}
	c.ranges(list, f)
}

// ranges checks the ranges of the tensors in a file.
func (c *checker) ranges(list []stored, f DataFile) {
	location := wording.Quote(list[0].location)
	unaligned, reach, gap := 0, int64(0), int64(0)
	holder, covered := "", true
	for i, s := range list {
		c.about = s.t.Span
		if s.offset > f.Size || s.bytes > f.Size-s.offset {
			c.Report(onnxExternalRange, c.on(s.t.Name),
				"download or copy "+location+" again, or export the model again",
				"%s from byte %d on, and %s has %d: %d too few",
				wording.Count(s.bytes, "byte"), s.offset, location, f.Size, s.bytes-max(f.Size-s.offset, 0))
			covered = false
			continue
		}
		if s.offset%pageSize != 0 {
			unaligned++
		}
		switch {
		case s.bytes == 0:
			continue
		case i > 0 && s.offset == list[i-1].offset && s.bytes == list[i-1].bytes:
			c.ReportAs(onnxExternalOverlap, finding.Note, c.on(s.t.Name), "", "the elements are those of %s too",
				wording.Quote(list[i-1].t.Name))
		case s.offset < reach:
			c.Report(onnxExternalOverlap, c.on(s.t.Name), "",
				"the elements start at byte %d of %s, and %s reaches to byte %d",
				s.offset, location, wording.Quote(holder), reach)
		default:
			gap += skipped(reach, s.offset)
		}
		if s.end() > reach {
			reach, holder = s.end(), s.t.Name
		}
	}
	c.about = list[0].t.Span
	if gap += skipped(reach, f.Size); gap > 0 && covered && !f.Model && f.Other == nil {
		c.Report(onnxExternalGap, c.on(""), "", "%d of %s of %s belong to no tensor", gap,
			wording.Count(f.Size, "byte"), location)
	}
	if unaligned > 0 && !f.Model && f.Other == nil {
		c.Report(onnxExternalAlign, c.on(""), "", "%s of %s in %s do not start at a multiple of %d",
			strconv.Itoa(unaligned), wording.Count(len(list), "tensor"), location, pageSize)
	}
}

// skipped returns the bytes between two offsets in a file, or 0 if they only pad the first offset to a page.
func skipped(from, to int64) int64 {
	for _, unit := range [...]int64{pageSize, windowsAlign} {
		if up, err := layout.AlignUp(from, unit); err == nil && up == to {
			return 0
		}
	}
	return to - from
}
