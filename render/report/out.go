package report

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/inspect"
	"layoutcalc/layout/scan"
	"layoutcalc/render"
)

// An out has the parts that several formats share.
type out struct{ *render.Writer }

func newOut(w io.Writer) out { return out{render.NewWriter(w)} }

// maxHeld limits the bytes of a report that are kept in memory.
const maxHeld = 16 << 20

// A hold keeps findings for later: as many as its limits allow, the gravest ones, and of those that are as grave the
// first ones.
type hold struct {
	most    int                                // how many findings; 0 is any number
	kept    [len(finding.Severities)][]holding // by severity
	count   int                                // of the kept findings
	size    int                                // of them together, in bytes
	offered int
	buffer  bytes.Buffer
	out     out // to the buffer
}

// A holding is the text of a finding, its number among all, and its place.
type holding struct {
	number int
	text   []byte
	path   string
	line   int
}

// add keeps what write writes of a finding, or leaves it out.
func (h *hold) add(f *inspect.Finding, write func(o out)) {
	h.offered++
	s := f.Severity
	for h.size >= maxHeld || h.most > 0 && h.count == h.most {
		lowest := slices.IndexFunc(h.kept[:s], func(list []holding) bool { return len(list) > 0 })
		if lowest < 0 {
			return
		}
		list := h.kept[lowest]
		h.size -= len(list[len(list)-1].text)
		h.count--
		h.kept[lowest] = list[:len(list)-1]
	}
	if h.out.Writer == nil {
		h.out = newOut(&h.buffer)
	}
	h.buffer.Reset()
	write(h.out)
	h.out.Flush()
	h.kept[s] = append(h.kept[s], holding{h.offered, bytes.Clone(h.buffer.Bytes()), f.RootPath, f.Line})
	h.size += h.buffer.Len()
	h.count++
}

// omitted is how many findings are left out.
func (h *hold) omitted() int { return h.offered - h.count }

// inOrder yields the texts in the order of arrival.
func (h *hold) inOrder(yield func(text []byte) bool) {
	all := slices.Concat(h.kept[:]...)
	slices.SortStableFunc(all, func(a, b holding) int { return cmp.Compare(a.number, b.number) })
	for _, f := range all {
		if !yield(f.text) {
			return
		}
	}
}

// bySeverity yields the texts of errors first, then those of warnings and notes.
func (h *hold) bySeverity(yield func(text []byte) bool) {
	for _, list := range slices.Backward(h.kept[:]) {
		for _, f := range list {
			if !yield(f.text) {
				return
			}
		}
	}
}

// How much of a text is written, in bytes: of messages, of names for people, and of names for programs.
const (
	maxMessage = 1 << 10
	maxName    = 256
	maxKey     = 4 << 10
)

// cut shortens a text to limit bytes and marks the cut.
func cut(text string, limit int) string {
	const mark = "…"
	if len(text) <= limit {
		return text
	}
	end := limit - len(mark)
	for back := 0; back < utf8.UTFMax && !utf8.RuneStart(text[end]); back++ {
		end--
	}
	return text[:end] + mark
}

// short returns at most limit bytes of a text, safe to show.
func short(text string, limit int) string {
	return cut(render.Clean(cut(text, limit)), limit)
}

// said returns the message of a finding, with the name of the tensor.
func said(f *inspect.Finding) string {
	text := cut(f.Message, maxMessage)
	if f.Tensor != "" && !strings.HasPrefix(f.Message, f.Tensor) {
		text = cut(f.Tensor, maxName) + ": " + text
	}
	return cut(render.Clean(text), maxMessage)
}

// advice returns the message of a finding and what mends it, in a line of its own.
func advice(f *inspect.Finding) string {
	if f.Fix == "" {
		return said(f)
	}
	return said(f) + "\nfix: " + short(f.Fix, maxMessage)
}

// token returns what a finding points at in its line: a text in quotes, a word or a number, or one other character; nil
// where that is not known.
func token(f *inspect.Finding) []byte {
	if column(f) <= 0 || f.Column > len(f.Source) {
		return nil
	}
	rest := f.Source[f.Column-1:]
	rest = rest[:min(len(rest), maxKey)]
	if quote := rest[0]; quote == '"' || quote == '\'' {
		for i := 1; i < len(rest); i++ {
			switch rest[i] {
			case '\\':
				i++
			case quote:
				return rest[:i+1]
			}
		}
		return rest
	}
	if end := bytes.IndexAny(rest, " \t,:;=#\"'[](){}<>"); end > 0 {
		return rest[:end]
	} else if end < 0 {
		return rest
	}
	return rest[:1]
}

// Repeats counts the findings that have the same fingerprint.
type repeats map[[32]byte]int

// next returns the fingerprint of a finding, and how many have it so far.
func (r repeats) next(f *inspect.Finding) (fingerprint [32]byte, n int) {
	f.AppendFingerprint(fingerprint[:0], f.RootPath)
	r[fingerprint]++
	return fingerprint, r[fingerprint]
}

// place returns path:line:column: or as much of it as there is. It is cleaned with the last colon, which could form a
// command together with a path that is a colon itself.
func place(f *inspect.Finding) string {
	b := make([]byte, 0, len(f.Path)+24)
	if f.Path != "" {
		b = append(append(b, f.Path...), ':')
	}
	for _, n := range [...]int{f.Line, column(f)} {
		if n > 0 {
			b = append(strconv.AppendInt(b, int64(n), 10), ':')
		}
	}
	return render.Clean(string(b))
}

// sentence returns the place, the severity, the message and the rule of a finding, in parts that follow each other.
func sentence(f *inspect.Finding) [8]string {
	at, blank := place(f), " "
	if at == "" {
		blank = ""
	}
	return [...]string{at, blank, f.Severity.String(), ": ", said(f), " [", f.Rule.String(), "]"}
}

// summary writes a line such as 1 file, 14 descriptors: 1 error, 0 warnings, with the kinds of several files. It says
// what lists findings that are only counted, and files that are skipped.
func (o out) summary(s *inspect.Summary) {
	o.Text(scan.Count(s.Files, "file"))
	if s.Files > 1 && len(s.Kinds) > 0 {
		o.Text(" (", kinds(s), ")")
	}
	o.Text(", ", scan.Count(s.Descriptors, "descriptor"), ": ",
		scan.Count(s.Count[finding.Error], "error"), ", ", scan.Count(s.Count[finding.Warning], "warning"))
	if notes := s.Count[finding.Note]; notes > 0 {
		o.Text(", ", scan.Count(notes, "note"))
	}
	for severity := range s.Listed {
		if s.Count[severity] > 0 {
			o.Text(" (--severity ", severity.String(), " lists all)")
			break
		}
	}
	if s.Known > 0 {
		o.Text(", ", strconv.Itoa(s.Known), " known")
	}
	if s.Unlisted > 0 {
		o.Text("; ", strconv.Itoa(s.Unlisted), " left out, too many to list")
	}
	if s.Skipped > 0 {
		why := ""
		for _, r := range [...]struct {
			name  string
			files int
		}{{"by .gitignore", s.Ignored}, {"excluded", s.Excluded}, {"lead out", s.Outside}} {
			if r.files > 0 {
				why += strconv.Itoa(r.files) + " " + r.name + "; "
			}
		}
		o.Text("; ", strconv.Itoa(s.Skipped), " skipped (", why, "-v lists them)")
	}
	o.Line()
}

// kinds lists how many files of each kind there are, and at the end the first of those that could not be read.
func kinds(s *inspect.Summary) string {
	var words []string
	unread := 0
	for _, k := range s.Kinds {
		if k.Name == inspect.Unread {
			unread = k.Files
		} else {
			words = append(words, kindName(k))
		}
	}
	if unread > 0 {
		names := make([]string, len(s.Unread))
		for i, path := range s.Unread {
			names[i] = short(path, maxName)
		}
		last := strconv.Itoa(unread) + " " + inspect.Unread
		if more := unread - len(names); more > 0 && len(names) > 0 {
			names = append(names, strconv.Itoa(more)+" more")
		}
		if len(names) > 0 {
			last += ": " + strings.Join(names, ", ")
		}
		words = append(words, last)
	}
	return strings.Join(words, ", ")
}

// kindName returns the kind with its number. The names of formats have no plural.
func kindName(k inspect.Kind) string {
	switch {
	case k.Name == "index" && k.Files != 1:
		return strconv.Itoa(k.Files) + " indexes"
	case k.Name == "configuration" || k.Name == "model" || k.Name == "text":
		return scan.Count(k.Files, k.Name)
	}
	return strconv.Itoa(k.Files) + " " + k.Name
}

// missing returns the text that says that n findings are not in the report.
func missing(n int, why string) string {
	return strconv.Itoa(n) + " more findings are counted but left out: " + why
}

// column returns the column of a finding, or 0 if it has no line.
func column(f *inspect.Finding) int {
	if f.Line <= 0 {
		return 0
	}
	return f.Column
}
