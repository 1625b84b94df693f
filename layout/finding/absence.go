package finding

import (
	"fmt"

	"layoutcalc/layout/wording"
)

// An Absence counts the files of one kind that an input names, such as the shards of an index, and lists the missing
// ones. A checkout that omits large files omits all of them, so that is a note. If it has some of them, the others are
// missing, and that is an error.
type Absence struct {
	Kind    string   // the kind of the files, in the singular
	In      string   // states what names the files, such as "in the index"; may be empty
	Named   int      // how many files the input names
	Missing []string // the names of the files that do not exist
	Rest    bool     // other parts of the same model exist
}

// Judge returns the severity of the absence, and a message with the number of missing files and the first names.
func (a *Absence) Judge() (s Severity, message string) {
	const most = 3 // names in a message
	var first []string
	for _, name := range a.Missing[:min(len(a.Missing), most)] {
		first = append(first, wording.Quote(name))
	}
	names := wording.Some(first, len(a.Missing))
	switch all := len(a.Missing) == a.Named; {
	case all && a.Rest && a.Named == 1:
		return Error, fmt.Sprintf("the %s %s is missing", a.Kind, names)
	case all && !a.Rest && a.Named == 1:
		return Note, fmt.Sprintf("the %s %s is not checked out", a.Kind, names)
	case all && !a.Rest:
		return Note, fmt.Sprintf("none of %s is checked out: %s", wording.Count(a.Named, a.Kind), names)
	}
	verb := "are"
	if len(a.Missing) == 1 {
		verb = "is"
	}
	of := wording.Count(a.Named, a.Kind)
	if a.In != "" {
		of = "the " + of + " " + a.In
	}
	return Error, fmt.Sprintf("%d of %s %s missing: %s", len(a.Missing), of, verb, names)
}
