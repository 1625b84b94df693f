package descriptor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout/lexer"
)

// An InstructionField is a field of an instruction descriptor.
type InstructionField struct {
	Name  string
	Value any // a string, an int64 or a bool
}

// An Instruction is an instruction descriptor of tcgen05.mma: 32 bits with the types and sizes of its matrices.
type Instruction struct {
	Bits   uint32
	Kind   string
	Fields []InstructionField
	Faults []string // bits that must be 0 and are not, and values without a meaning
	Notes  []string
}

// An instructionKind is how a kind of tcgen05.mma reads the bits.
type instructionKind struct {
	name           string
	types, results []string // by their numbers; empty for those without a meaning
	zero           uint32   // the bits that must be 0
	isScaled       bool
	isDouble       bool // two 4-bit values in a byte: B has 2 bits for its type
}

// The types of matrices, by their numbers.
var (
	instructionTypes8   = []string{"E4M3", "E5M2", "", "E2M3", "E3M2", "E2M1", "", ""}
	instructionTypes4   = []string{"", "E2M1", "", "", "", "", "", ""}
	instructionResults  = []string{"F16", "F32", "", ""}
	instructionShifts   = []string{"none", "8", "16", "32"}
	instructionMajors   = []string{"K", "MN"}
	instructionScalings = []string{"UE4M3", "UE8M0"}
)

var instructionKinds = [...]instructionKind{
	{"f16", []string{"F16", "BF16", "", "", "", "", "", ""}, instructionResults, 1<<3 | plainZero, false, false},
	{"tf32", []string{"", "", "TF32", "", "", "", "", ""}, []string{"", "F32", "", ""}, 1<<3 | plainZero, false, false},
	{"f8f6f4", instructionTypes8, instructionResults, 1<<3 | plainZero, false, false},
	{"i8", []string{"UINT8", "INT8", "", "", "", "", "", ""}, []string{"", "", "S32", ""}, plainZero, false, false},
	{"mxf8f6f4", instructionTypes8, nil, scaledZero | 1<<31, true, false},
	{"mxf4", instructionTypes4, nil, scaledZero | 1<<12 | 3<<15, true, true},
	{"mxf4nvf4", instructionTypes4, nil, scaledZero | 1<<12 | 3<<15, true, true},
}

// The bits that must be 0 in all kinds without scales, and with scales.
const (
	plainZero  = 1<<6 | 1<<23 | 1<<29
	scaledZero = 3 | 1<<3 | 1<<6 | 7<<24
)

// InstructionKinds returns the kinds of tcgen05.mma.
func InstructionKinds() (names []string) {
	for _, k := range instructionKinds {
		names = append(names, k.name)
	}
	return names
}

// IsInstruction reports whether text is an instruction descriptor: at most 8 hexadecimal digits, or 64 bits with 0 in
// the lower half, as CuTe passes it.
func IsInstruction(text string) bool {
	digits, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(text)), "0x")
	if n, err := strconv.ParseUint(digits, 16, 64); !ok || err != nil || n == 0 {
		return false
	}
	return len(digits) <= 8 || len(digits) == 16 && strings.HasSuffix(digits, "00000000")
}

// ParseInstruction reads an instruction descriptor as a kind. Without a kind it returns all kinds that the bits allow.
func ParseInstruction(text, kind string) (list []Instruction, err error) {
	digits := strings.TrimSpace(text)[len("0x"):]
	note := ""
	if len(digits) > 8 {
		digits = digits[:8]
		note = "the upper half of 64 bits is read as an instruction descriptor, as CuTe passes it; --target sm90 or " +
			"sm100 reads a matrix descriptor"
	}
	bits, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		return nil, err
	}
	var faults []string
	for _, k := range instructionKinds {
		if kind != "" && k.name != kind {
			continue
		}
		i := k.read(uint32(bits))
		if note != "" {
			i.Notes = append(i.Notes, note)
		}
		if kind != "" || len(i.Faults) == 0 {
			list = append(list, i)
		} else {
			faults = append(faults, k.name+": "+i.Faults[0])
		}
	}
	if list == nil {
		return nil, &lexer.SyntaxError{
			Input: text, Msg: "no kind of tcgen05.mma has these bits: " + strings.Join(faults, "; "),
			Hint: "--kind names the bits of one kind",
		}
	}
	return list, nil
}

// read reads the bits of a kind.
func (k instructionKind) read(bits uint32) Instruction {
	i := Instruction{Bits: bits, Kind: k.name}
	field := func(at, n int) int64 { return int64(bits >> at & (1<<n - 1)) }
	add := func(name string, value any) { i.Fields = append(i.Fields, InstructionField{name, value}) }
	word := func(name string, words []string, at, n int) {
		text := words[field(at, n)]
		if text == "" {
			text = strconv.FormatInt(field(at, n), 10)
			i.Faults = append(i.Faults, fmt.Sprintf("%s %s in bits %d-%d has no meaning", name, text, at, at+n-1))
		}
		add(name, text)
	}
	for at := range 32 {
		if k.zero>>at&1 == 1 && bits>>at&1 == 1 {
			i.Faults = append(i.Faults, fmt.Sprintf("bit %d must be 0", at))
		}
	}
	add("kind", k.name)
	add("m", 16*field(24, 5))
	add("n", 8*field(17, 6))
	word("aType", k.types, 7, 3)
	if k.isDouble {
		word("bType", k.types, 10, 2)
	} else {
		word("bType", k.types, 10, 3)
	}
	if !k.isScaled {
		word("dType", k.results, 4, 2)
	}
	add("aMajor", instructionMajors[field(15, 1)])
	add("bMajor", instructionMajors[field(16, 1)])
	add("negateA", field(13, 1) == 1)
	add("negateB", field(14, 1) == 1)
	add("sparse", field(2, 1) == 1)
	if !k.isScaled {
		add("saturate", field(3, 1) == 1)
		word("maxShift", instructionShifts, 30, 2)
		return i
	}
	add("scaleType", instructionScalings[field(23, 1)])
	add("aScaleId", field(29, 2))
	add("bScaleId", field(4, 2))
	depth := int64(32)
	if k.isDouble {
		depth = []int64{64, 96}[field(31, 1)]
		for _, id := range []int{29, 4} {
			if n := field(id, 2); n%2 == 1 {
				i.Faults = append(i.Faults, fmt.Sprintf("scale id %d in bits %d-%d must be 0 or 2", n, id, id+1))
			}
		}
	}
	if k.name != "mxf4nvf4" && field(23, 1) == 0 {
		i.Faults = append(i.Faults, "the scales of "+k.name+" are UE8M0")
	}
	add("k", depth)
	return i
}

// Summary returns the fields in one line.
func (i Instruction) Summary() string {
	var parts []string
	for _, f := range i.Fields {
		if is, ok := f.Value.(bool); f.Name != "kind" && (!ok || is) {
			parts = append(parts, fmt.Sprintf("%s %v", f.Name, f.Value))
		}
	}
	return strings.Join(slices.Compact(parts), ", ")
}
