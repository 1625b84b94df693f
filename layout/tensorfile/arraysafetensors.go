package tensorfile

import (
	"fmt"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/rules"
)

// maxListed is how many names a hint lists.
const maxListed = 5

// maxCompared is how many names an unknown one is compared with: that costs time.
const maxCompared = 20_000

// checkHint says how to learn more of a file that breaks a rule.
const checkHint = "layoutcalc check lists all that is wrong with the file"

// safetensorsArray finds a tensor of a .safetensors file, the only one when no name is given.
func (t *tensorFile) safetensorsArray(tensor string) (Array, error) {
	t.safetensors()
	if t.fault != nil {
		return Array{}, t.fault
	}
	t.summarise()
	i := 0
	if tensor != "" {
		i = t.index(tensor)
	} else if n := len(t.file.Descriptors); n > 1 {
		return Array{}, refusal("choose one with --tensor NAME; "+t.listed(), "the file has %d tensors", n)
	}
	place, placed := t.placeOf(i)
	if err := t.doubt(place, placed); err != nil {
		return Array{}, err
	}
	if i < 0 || len(t.file.Descriptors) == 0 {
		return Array{}, t.unknownTensor(tensor)
	}
	return t.arrayAt(place)
}

// index returns the first tensor of that name, -1 when there is none.
func (t *tensorFile) index(tensor string) int {
	for i := range t.file.Descriptors {
		if t.file.Descriptors[i].Name == tensor {
			return i
		}
	}
	return -1
}

// placeOf returns where a tensor lies, if that is known.
func (t *tensorFile) placeOf(i int) (place byteRange, ok bool) {
	for _, r := range t.ranges {
		if r.tensor == int32(i) {
			return r, true
		}
	}
	return byteRange{}, false
}

// doubt returns why a tensor must not be moved: it reaches beyond the file, or the file or the
// tensor breaks a rule, or another one shares its bytes.
func (t *tensorFile) doubt(place byteRange, placed bool) error {
	if data := t.size - t.end; placed && place.end > data {
		return wrongLength(cutOff, t.whose(place.tensor), claim{bytes: place.end}, t.end, data)
	}
	for _, f := range t.file.Findings {
		if f.Severity == rules.Error {
			return refusal(checkHint, "%s%s", whoseName(f.Tensor), f.Message)
		}
	}
	for _, r := range t.ranges {
		if placed && r.tensor != place.tensor && max(r.begin, place.begin) < min(r.end, place.end) {
			other := quoted(t.file.Descriptors[r.tensor].Name)
			return refusal(checkHint, "%sits bytes %d to %d of the data overlap those of %s, %d to %d", t.whose(place.tensor), place.begin, place.end, other, r.begin, r.end)
		}
	}
	return nil
}

// whose is what a message of a tensor starts with.
func (t *tensorFile) whose(tensor int32) string { return whoseName(t.file.Descriptors[tensor].Name) }

func whoseName(tensor string) string {
	if tensor == "" {
		return ""
	}
	return "tensor " + quoted(tensor).String() + ": "
}

// arrayAt returns the tensor that lies there, which breaks no rule.
func (t *tensorFile) arrayAt(place byteRange) (Array, error) {
	d := &t.file.Descriptors[place.tensor]
	bits := safetensorsTypes[safetensorsRow([]byte(d.TypeName))].bits
	if bits == 6 {
		return Array{}, refusal("", "%sits elements of type %s have 6 bits: those of 4, 8, 16, 32 and 64 bits are moved", t.whose(place.tensor), d.TypeName)
	}
	return Array{
		Kind: safetensorsKind, Name: d.Name, TypeName: d.TypeName, Type: d.Type, TypeKnown: d.TypeKnown,
		Bits: bits, Sizes: d.Sizes, Start: t.end + place.begin, Bytes: place.end - place.begin,
	}, nil
}

// unknownTensor is the error of a name that no tensor has, or of a file without tensors.
func (t *tensorFile) unknownTensor(tensor string) error {
	count := len(t.file.Descriptors)
	if count == 0 {
		return refusal("", "the file has no tensors")
	}
	known := make([]string, min(count, maxCompared))
	for i := range known {
		known[i] = t.file.Descriptors[i].Name
	}
	hint := t.listed()
	if near := layout.Nearest(tensor, known); near != "" {
		hint = "did you mean " + strconv.Quote(near) + "?"
	}
	if count == 1 {
		return refusal(hint, "the only tensor of the file is not called %s", quoted(tensor))
	}
	return refusal(hint, "none of the %d tensors is called %s", count, quoted(tensor))
}

// listed lists the first few names, and says how many more there are.
func (t *tensorFile) listed() string {
	names := make([]string, 0, maxListed)
	for i := range t.file.Descriptors[:min(len(t.file.Descriptors), maxListed)] {
		names = append(names, quoted(t.file.Descriptors[i].Name).String())
	}
	text := "there are " + strings.Join(names, ", ")
	if len(t.file.Descriptors) == 1 {
		text = "there is " + names[0]
	}
	if more := len(t.file.Descriptors) - maxListed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
