package report

import (
	"bytes"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
)

// An out writes the parts that formats share.
type out struct{ *render.Writer }

func newOut(w io.Writer) out { return out{render.NewWriter(w)} }

// maxHeld is the maximum number of bytes of a report in memory.
const maxHeld = 16 << 20

// A keeper keeps findings, as they are written, for the end of a report. Within its limits, it keeps the most severe
// and, for each severity, the first.
type keeper struct {
	most    int                                    // the maximum number of findings; 0 for any number
	kept    [len(finding.Severities)][]keptFinding // by severity
	count   int                                    // of kept findings
	size    int                                    // their size in bytes
	offered int                                    // the number of all findings
	buffer  bytes.Buffer
	out     out // to the buffer
}

// A keptFinding is the text of a finding, its number among all, and its position.
type keptFinding struct {
	number int
	text   []byte
	path   string
	line   int
}

// add keeps the text that write writes for a finding, or only counts the finding.
func (k *keeper) add(f *Finding, write func(o out)) {
	k.offered++
	s := f.Severity
	for k.size >= maxHeld || k.most > 0 && k.count == k.most {
		lowest := slices.IndexFunc(k.kept[:s], func(list []keptFinding) bool { return len(list) > 0 })
		if lowest < 0 {
			return
		}
		list := k.kept[lowest]
		k.size -= len(list[len(list)-1].text)
		k.count--
		k.kept[lowest] = list[:len(list)-1]
	}
	if k.out.Writer == nil {
		k.out = newOut(&k.buffer)
	}
	k.buffer.Reset()
	write(k.out)
	k.out.Flush()
	k.kept[s] = append(k.kept[s], keptFinding{k.offered, bytes.Clone(k.buffer.Bytes()), f.RootPath, f.Line})
	k.size += k.buffer.Len()
	k.count++
}

// omitted returns the number of findings that were not kept.
func (k *keeper) omitted() int { return k.offered - k.count }

// inOrder yields the kept findings in the order of arrival.
func (k *keeper) inOrder(yield func(text []byte) bool) {
	all := slices.Concat(k.kept[:]...)
	sort.SliceStable(all, func(i, k int) bool { return all[i].number < all[k].number })
	for _, f := range all {
		if !yield(f.text) {
			return
		}
	}
}

// bySeverity yields the kept errors first, then warnings and notes.
func (k *keeper) bySeverity(yield func(text []byte) bool) {
	for _, list := range slices.Backward(k.kept[:]) {
		for _, f := range list {
			if !yield(f.text) {
				return
			}
		}
	}
}

// The maximum lengths, in bytes: of messages, of names for people, and of names for programs.
const (
	maxMessage = 1 << 10
	maxName    = 256
	maxKey     = 4 << 10
)

// cut shortens text to limit bytes and marks the cut.
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

// short returns at most limit bytes of text, cleaned.
func short(text string, limit int) string {
	return cut(render.Clean(cut(text, limit)), limit)
}

// messageOf returns the message of a finding, with the name of the tensor.
func messageOf(f *Finding) string {
	text := cut(f.Message, maxMessage)
	if f.Tensor != "" && !strings.HasPrefix(f.Message, f.Tensor) {
		text = cut(f.Tensor, maxName) + ": " + text
	}
	return cut(render.Clean(text), maxMessage)
}

// fixOf returns the fix of a finding, with a remark if --fix writes it.
func fixOf(f *Finding) string {
	if len(f.Edits) > 0 {
		return short(f.Fix, maxMessage) + " (fixable with --fix)"
	}
	return short(f.Fix, maxMessage)
}

// advice returns the message of a finding, with its fix on a second line.
func advice(f *Finding) string {
	if f.Fix == "" {
		return messageOf(f)
	}
	return messageOf(f) + "\nfix: " + short(f.Fix, maxMessage)
}

// token returns the token at the column of a finding: a quoted string, a word, a number or another character. It
// returns nil if that is unknown.
func token(f *Finding) []byte {
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

// repeats counts the findings that have the same fingerprint.
type repeats map[[32]byte]int

// next returns the fingerprint of a finding, and the number of findings with it so far.
func (r repeats) next(f *Finding) (fingerprint [32]byte, n int) {
	f.AppendFingerprint(fingerprint[:0], f.RootPath)
	r[fingerprint]++
	return fingerprint, r[fingerprint]
}

// place returns path:line:column: or its known parts. It is cleaned together with the last colon, which could turn a
// path that is a colon itself into a command.
func place(f *Finding) string {
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

// shownPlace is like place, but for people: the tensor of the arguments has no path.
func shownPlace(f *Finding) string {
	g := *f
	if g.Path == ArgsName {
		g.Path = ""
	}
	return place(&g)
}

// sentence returns the position, the severity, the message and the rule of a finding, as parts of one line.
func sentence(f *Finding) [8]string {
	at, blank := place(f), " "
	if at == "" {
		blank = ""
	}
	return [...]string{at, blank, f.Severity.String(), ": ", messageOf(f), " [", f.Rule.String(), "]"}
}

// summary writes a line such as 1 file, 14 descriptors: 1 error, 0 warnings, with the kinds of several files. It names
// the flags that list unlisted findings and skipped files. For a tensor without a file, it names the target.
func (o out) summary(s *Summary) {
	if !s.Fileless {
		o.Text(wording.Count(s.Files, "file"))
		if s.Files > 1 && len(s.Kinds) > 0 {
			o.Text(" (", kinds(s), ")")
		}
		o.Text(", ")
	}
	o.Text(wording.Count(s.Descriptors, "descriptor"), ": ",
		wording.Count(s.Count[finding.Error], "error"), ", ", wording.Count(s.Count[finding.Warning], "warning"))
	if notes := s.Count[finding.Note]; notes > 0 {
		o.Text(", ", wording.Count(notes, "note"))
	}
	for severity, n := range s.Hidden {
		if n > 0 {
			o.Text(" (--severity ", finding.Severity(severity).String(), " lists all)")
			break
		}
	}
	if s.Known > 0 {
		o.Text(", ", strconv.Itoa(s.Known), " known")
	}
	if s.Fixed > 0 {
		o.Text("; ", strconv.Itoa(s.Fixed), " fixed")
	}
	if s.Fixable > 0 {
		o.Text("; ", strconv.Itoa(s.Fixable), " fixable with --fix")
	}
	if s.Unlisted > 0 {
		o.Text("; ", strconv.Itoa(s.Unlisted), " omitted, too many to list")
	}
	if s.Skipped > 0 {
		why := ""
		hidden := "by .gitignore"
		switch n := s.IgnoredModels; {
		case n == 1:
			hidden += ", 1 of them a model"
		case n > 1:
			hidden += ", " + strconv.Itoa(n) + " of them models"
		}
		hidden += ": --no-gitignore"
		for _, r := range [...]struct {
			name  string
			files int
		}{{hidden, s.Ignored}, {"excluded", s.Excluded}, {"point outside", s.Outside}} {
			if r.files > 0 {
				why += strconv.Itoa(r.files) + " " + r.name + "; "
			}
		}
		o.Text("; ", strconv.Itoa(s.Skipped), " skipped (", why, "-v lists them)")
	}
	o.Line()
	switch t := s.RulesOf; {
	case t == nil || s.Descriptors == 0 || s.Partial:
	case t.Family == finding.None:
		o.Line("rules of all targets; --target directml adds DirectML's")
	default:
		o.Line("rules of ", t.String())
	}
}

// kinds lists the number of files of each kind, followed by the names of the first unreadable ones.
func kinds(s *Summary) string {
	var words []string
	unread := 0
	for _, k := range s.Kinds {
		if k.Name == Unread {
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
		last := strconv.Itoa(unread) + " " + Unread
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

// kindName returns a kind to be used after its number. Names of formats have no plural.
func kindName(k Kind) string {
	switch {
	case k.Name == "index" && k.Files != 1:
		return strconv.Itoa(k.Files) + " indexes"
	case k.Name == "configuration" || k.Name == "model" || k.Name == "text":
		return wording.Count(k.Files, k.Name)
	}
	return strconv.Itoa(k.Files) + " " + k.Name
}

// missing returns the sentence about n findings that the report omits.
func missing(n int, why string) string {
	return strconv.Itoa(n) + " more findings are counted but not listed: " + why
}

// column returns the column of a finding, or 0 if it has no line.
func column(f *Finding) int {
	if f.Line <= 0 {
		return 0
	}
	return f.Column
}

// A form writes the parts of a report in a format.
type form interface {
	begin(o out)
	file(o out, path string)
	finding(o out, f *Finding)
	end(o out, s *Summary)
}

// A silent form only writes findings.
type silent struct{}

func (silent) begin(out)         {}
func (silent) file(out, string)  {}
func (silent) end(out, *Summary) {}
