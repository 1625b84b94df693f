package tensorfile

import (
	"fmt"
	"path"
	"sort"
	"strconv"
	"strings"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// A SetName is the common part of the file names of a set: model-00001-of-00003.gguf has the stem model, 3 files and
// the ending .gguf.
type SetName struct {
	Stem, Ending string
	Of           int
}

// ParseSetName reads the file name of a file in a set, and the number of the file.
func ParseSetName(name string) (set SetName, no int, ok bool) {
	ending := path.Ext(name)
	stem := strings.TrimSuffix(name, ending)
	set.Ending = strings.ToLower(ending)
	of := max(strings.LastIndex(stem, "-of-"), 0)
	dash := strings.LastIndexByte(stem[:of], '-')
	if dash < 0 {
		return SetName{}, 0, false
	}
	no, wrong := strconv.Atoi(stem[dash+1 : of])
	n, err := strconv.Atoi(stem[of+len("-of-"):])
	set.Stem, set.Of = stem[:dash], n
	return set, no, err == nil && wrong == nil && no >= 0 && n > 0
}

// IsCounted reports whether all files of such a set must exist. Other formats are not checked.
func (s SetName) IsCounted() bool {
	return s.Of > 1 && (s.Ending == "."+safetensorsKind || s.Ending == "."+ggufKind)
}

// name returns the name of a file of the set, as programs write it.
func (s SetName) name(no int) string {
	return fmt.Sprintf("%s-%05d-of-%05d%s", s.Stem, no, s.Of, s.Ending)
}

// A Set is the files of a directory with names of one set.
type Set struct {
	SetName
	Parts   []SetPart // ordered by their numbers
	Indexed bool      // an index is next to them
}

// A SetPart is a file of a set.
type SetPart struct {
	Name  string
	No    int      // the number in its name
	Read  bool     // the rest is known; only for a GGUF file
	Names []string // the names of its tensors
	Split descriptor.Split
}

// Judge reports files that are missing, and GGUF files that contradict their names.
func (s *Set) Judge(r *finding.Reporter) {
	first := 1
	if len(s.Parts) > 0 && s.Parts[0].No == 0 {
		first = 0
	}
	there := map[int]bool{}
	for _, p := range s.Parts {
		if p.No >= first && p.No < first+s.Of {
			there[p.No] = true
		}
	}
	lost := s.Of - len(there)
	const most = 3 // names in a message
	var names []string
	for no := first; len(names) < min(lost, most); no++ {
		if !there[no] {
			names = append(names, wording.Quote(s.name(no)))
		}
	}
	switch isIndexed := s.Indexed || s.Ending != "."+safetensorsKind; {
	case lost > 0:
		text := fmt.Sprintf("%d of the %s that the name counts are missing beside it: %s", lost,
			wording.Count(s.Of, "file"),
			strings.Join(names, ", "))
		if lost == 1 {
			text = fmt.Sprintf("%s is missing beside it: the name counts %s", names[0], wording.Count(s.Of, "file"))
		} else if lost > most {
			text += fmt.Sprintf(" and %d more", lost-most)
		}
		if !isIndexed {
			text += "; nor is there an index"
		}
		r.Report(FileSplit, finding.At{}, "fetch all files of the model", "%s", text)
	case !isIndexed:
		r.ReportAs(FileSplit, finding.Warning, finding.At{}, "fetch the index too",
			"the index %s%s.index.json is missing beside the %s: transformers does not load them",
			s.Stem, s.Ending, wording.Count(s.Of, "file"))
	}
	if s.Ending == "."+ggufKind {
		s.judgeCounts(r)
		if s.judgeNumbers(r, first) {
			s.judgeNames(r)
		}
	}
}

// others returns the known files that are not right.
func (s *Set) others(isRight func(SetPart) bool) (list []SetPart, more string) {
	for _, p := range s.Parts {
		if p.Read && !isRight(p) {
			list = append(list, p)
		}
	}
	if n := len(list) - 1; n > 0 {
		more = fmt.Sprintf("; %d more are wrong", n)
	}
	return list, more
}

// judgeCounts compares the numbers of files and tensors that GGUF files state with the actual numbers.
func (s *Set) judgeCounts(r *finding.Reporter) {
	wrong, more := s.others(func(p SetPart) bool { return p.Split.Count == descriptor.Stated(int64(s.Of)) })
	switch {
	case len(wrong) == 0:
	case wrong[0].Split.Count.Stated:
		r.Report(FileSplit, finding.At{}, "", "split.count of %s is %d, and the name counts %s%s",
			wording.Quote(wrong[0].Name), wrong[0].Split.Count.Value, wording.Count(s.Of, "file"), more)
	default:
		r.ReportAs(FileSplit, finding.Warning, finding.At{}, "name it without numbers if it is the whole model",
			"%s has no split.count: llama.cpp takes it for a whole model%s", wording.Quote(wrong[0].Name), more)
	}
	read, tensors := 0, 0
	for _, p := range s.Parts {
		if p.Read {
			read, tensors = read+1, tensors+len(p.Names)
		}
	}
	if all := s.Parts[0].Split.Tensors; len(wrong) == 0 && read == s.Of && all.Stated && all.Value != int64(tensors) {
		r.Report(FileSplit, finding.At{}, "", "split.tensors.count is %d, and the total of %s is %d",
			all.Value, wording.Count(s.Of, "file"), tensors)
	}
}

// judgeNumbers compares the numbers that GGUF files state, starting at 0, with the numbers in their names. It reports
// whether they agree.
func (s *Set) judgeNumbers(r *finding.Reporter, first int) bool {
	wrong, more := s.others(func(p SetPart) bool {
		return !p.Split.No.Stated || p.Split.No.Value == int64(p.No-first)
	})
	if len(wrong) == 0 {
		return true
	}
	a, b := wrong[0], wrong[len(wrong)-1]
	if len(wrong) == 2 && a.Split.No.Value == int64(b.No-first) && b.Split.No.Value == int64(a.No-first) {
		r.Report(FileSplit, finding.At{}, "give each the name of the other",
			"%s and %s are swapped: split.no is %d in the first and %d in the second", wording.Quote(a.Name),
			wording.Quote(b.Name), a.Split.No.Value, b.Split.No.Value)
		return false
	}
	r.Report(FileSplit, finding.At{}, "name each file by its split.no, which counts from 0",
		"split.no of %s is %d, and that of its name %d%s", wording.Quote(a.Name), a.Split.No.Value, a.No-first, more)
	return false
}

// judgeNames reports tensors that are in two GGUF files.
func (s *Set) judgeNames(r *finding.Reporter) {
	type twin struct{ name, first, second string }
	var twins []twin
	in := map[string]string{} // the first file of each tensor
	for _, p := range s.Parts {
		for _, name := range p.Names {
			if first, again := in[name]; !again {
				in[name] = p.Name
			} else if first != p.Name { // within one file it is reported for the file
				twins = append(twins, twin{name, first, p.Name})
			}
		}
	}
	if len(twins) == 0 {
		return
	}
	t, more := twins[0], ""
	if n := len(twins) - 1; n > 0 {
		more = fmt.Sprintf("; %d more are in two files", n)
	}
	r.Report(FileSplit, finding.At{}, "split the model again",
		"the tensor %s is in %s and in %s, which llama.cpp refuses%s", wording.Quote(t.name), wording.Quote(t.first),
		wording.Quote(t.second), more)
}

// JudgeName reports a file of a set with a name that has no number, so that the other files cannot be found.
func JudgeName(r *finding.Reporter, name string, f *descriptor.File) {
	if n := f.Split.Count.Value; n > 1 && strings.HasSuffix(strings.ToLower(name), "."+ggufKind) {
		r.Report(FileSplit, finding.At{}, "name it as in NAME-00001-of-00003.gguf",
			"split.count is %d, and the name does not show which of the files it is: llama.cpp looks for the others "+
				"by their names", n)
	}
}

// The keys in GGUF files of a set.
var splitKeys = [...]string{"split.no", "split.count", "split.tensors.count"}

// split keeps the value of a key of a set.
func (g *ggufReader) split(key int, value int64) {
	s := &g.File.Split
	*[...]*descriptor.Number{&s.No, &s.Count, &s.Tensors}[key] = descriptor.Stated(value)
}

// Sets returns the sets among the names of files in a directory.
func Sets(names []string) map[SetName][]SetPart {
	sets := map[SetName][]SetPart{}
	for _, name := range names {
		if set, no, ok := ParseSetName(name); ok && set.IsCounted() {
			sets[set] = append(sets[set], SetPart{Name: name, No: no})
		}
	}
	for _, parts := range sets {
		sort.SliceStable(parts, func(i, k int) bool { return parts[i].No < parts[k].No })
	}
	return sets
}
