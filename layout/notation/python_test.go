package notation

import (
	"flag"
	"fmt"
	"strings"
	"testing"
)

var programsFile = flag.String("programs", "testdata/programs/programs.txt", "programs with the answers of gen.py")

// TestProgramsOfSystems reads random programs and compares all their variables with those of real PyTorch and NumPy:
// sizes, strides, base and type.
func TestProgramsOfSystems(t *testing.T) {
	t.Parallel()
	failed := 0
	for _, line := range foreign(t, *programsFile) {
		parts := strings.Split(line, "\t")
		text := strings.ReplaceAll(parts[1], "; ", "\n")
		n, err := Find(parts[0])
		if err != nil {
			t.Fatal(err)
		}
		found, err := n.Read(text, Options{})
		got := map[string]string{}
		for _, d := range found {
			got[d.Name] = answerOf(d)
		}
		for _, want := range parts[2:] {
			name, answer, _ := strings.Cut(want, " ")
			if err != nil || !answers(got[name], answer) {
				t.Errorf("%s\n%s is %s, %v, want %s", text, name, got[name], err, answer)
				failed++
				break
			}
		}
		if failed == 25 {
			t.Fatal("and others")
		}
	}
}

// answerOf returns the sizes, the strides, the base and the type of a tensor, as gen.py writes them.
func answerOf(d Descriptor) string {
	if d.Fault != nil {
		return "! " + d.Fault.Error()
	}
	l := d.Tensor.Layout()
	strides, _ := l.LinearStrides()
	list := func(numbers []int64) string {
		if len(numbers) == 0 {
			return "-"
		}
		return strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", ",")
	}
	return fmt.Sprint(list(l.Sizes()), " ", list(strides), " ", l.Base(), " ", d.Tensor.DType())
}

// answers compares two answers, of which the second may leave numbers open.
func answers(got, want string) bool {
	have, wanted := strings.FieldsFunc(got, isApart), strings.FieldsFunc(want, isApart)
	for i, word := range wanted {
		if i >= len(have) || word != "_" && word != have[i] {
			return false
		}
	}
	return len(have) == len(wanted)
}

func isApart(r rune) bool { return r == ' ' || r == ',' }
