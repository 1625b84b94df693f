package shape

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
)

// A family is the letters of the axes of one kind of tensor.
type family struct {
	letters string // in the order of the sizes
	roles   string // the equivalent letter in earlier families; a name has each role once
	all     string // the letters that a name must have
	any     string // a name must have at least one of these letters
	only    string // the names, in roles, of the family; empty for all
}

// families are the families of names that only give the order of the axes in memory. D is depth only if H or W is
// present.
var families = [...]family{
	{letters: "NBCDHW", roles: "NNCDHW"},                      // images, volumes
	{letters: "NBCLW", roles: "NNCWW"},                        // sequences
	{letters: "GOIDHW", roles: "GOIDHW", any: "OI"},           // weights
	{letters: "KCTRS", roles: "OIDHW", all: "RS"},             // cuDNN and TVM weights
	{letters: "KCZYX", roles: "OIDHW", all: "KYX"},            // MIOpen weights
	{letters: "BFZYX", roles: "NCDHW", all: "X", any: "BF"},   // OpenVINO's images
	{letters: "GOIZYX", roles: "GOIDHW", all: "X", any: "OI"}, // and weights
	{letters: "NBCTHW", roles: "NNCTHW", only: "NCTHW NTHWC"}, // video
}

const alphabet = "abcdefghijklmnopqrstuvwxyz"

// familyOf returns the family that has all the letters, which are in upper case, or nil if no family does.
func familyOf(letters string) *family {
	for i := range families {
		if f := &families[i]; f.has(letters) {
			return f
		}
	}
	return nil
}

func (f *family) has(letters string) bool {
	for i := range len(letters) {
		if strings.IndexByte(f.letters, letters[i]) < 0 {
			return false
		}
	}
	if f.any != "" && !strings.ContainsAny(letters, f.any) {
		return false
	}
	for i := range len(f.all) {
		if strings.IndexByte(letters, f.all[i]) < 0 {
			return false
		}
	}
	roles := f.rolesOf(letters)
	for i := range len(roles) {
		if strings.IndexByte(roles[:i], roles[i]) >= 0 ||
			roles[i] == 'D' && !(strings.Contains(roles, "H") && strings.Contains(roles, "W")) {
			return false
		}
	}
	return f.only == "" || slices.Contains(strings.Fields(f.only), roles)
}

// rolesOf returns the roles of letters of the family.
func (f *family) rolesOf(letters string) string {
	return strings.Map(func(r rune) rune { return rune(f.roles[strings.IndexByte(f.letters, byte(r))]) }, letters)
}

// logicalOrder returns the letters in the order of unlabelled sizes. Letters of a family have its order, and the first
// letters of the alphabet are sorted; other letters keep their order.
func logicalOrder(letters string) string {
	if isTag(letters) {
		return alphabet[:len(letters)]
	}
	if f := familyOf(letters); f != nil {
		return among(letters, f.letters)
	}
	return letters
}

// odd returns the letters of a name that are not axes of a known kind of tensor. P and Q are the height and the width
// of a convolution's output (NPQK), Q and K the positions of attention scores (BHQK). Tags are in lower case.
func odd(letters string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("AEJUV", r) || r == 'P' && !strings.Contains(letters, "Q") ||
			r == 'Q' && !strings.ContainsAny(letters, "PK") {
			return r
		}
		return -1
	}, letters)
}

// slip returns the index of the only odd letter of a name, and a replacement that makes the name a usual one. It
// returns 0 if no replacement does. Names of three letters are too short to assume a slip.
func slip(letters string) (at int, meant byte) {
	wrong := odd(letters)
	if len(wrong) != 1 || len(letters) < 4 {
		return 0, 0
	}
	at = strings.Index(letters, wrong)
	for _, c := range []byte(strings.ToUpper(alphabet)) {
		if isUsual(roles(letters[:at] + string(c) + letters[at+1:])) {
			return at, c
		}
	}
	return 0, 0
}

// mixed returns the usual name that results from replacing one letter of a name without a family. It returns an empty
// string if no replacement gives a usual name. It never replaces a T, which means video.
func mixed(letters string) string {
	if len(letters) < 4 || isTag(letters) || familyOf(letters) != nil || odd(letters) != "" {
		return ""
	}
	for at := range letters {
		for _, c := range "NCDHWOIG" {
			if other := letters[:at] + string(c) + letters[at+1:]; letters[at] != 'T' && isUsual(roles(other)) {
				return other
			}
		}
	}
	return ""
}

// isTag reports whether the letters, ignoring case, are the first of the alphabet.
func isTag(letters string) bool {
	return strings.ContainsAny(letters, "aA") && lexer.Alphabetical(strings.ToLower(letters))
}

// among returns the letters of order that are in letters.
func among(letters, order string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(letters, r) {
			return r
		}
		return -1
	}, order)
}

// Alike returns the tensor with its axes in the order of the layout's axes. It matches axes by name, or by role if the
// names belong to different families; then the axes take the layout's names. If they do not match, it returns the
// tensor unchanged.
func Alike(t layout.Tensor, l layout.Layout) layout.Tensor {
	t = t.Like(l)
	names := t.Layout().AxisNames()
	if lettered(names) && lettered(l.AxisNames()) &&
		roles(strings.Join(names, "")) == roles(strings.Join(l.AxisNames(), "")) {
		return t.Renamed(l.AxisNames())
	}
	return t
}

// roles returns the roles of letters, so that names of different families can be compared: B becomes N for the batch of
// images, K becomes O for the outputs of a filter. Other letters only become upper case.
func roles(letters string) string {
	letters = strings.ToUpper(letters)
	if f := familyOf(letters); f != nil {
		return f.rolesOf(letters)
	}
	return letters
}
