// Package layouttest has helpers for the tests of several packages under layout: tensors as the command line describes
// them, and checks that hold for every error. Only tests import it; it imports packages layout and layout/shape.
package layouttest

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/shape"
)

// TB has the methods that package rapid's T shares with testing.TB.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// All reports whether every case and every slow test runs, because the environment has LAYOUTCALC_TEST=all. Tests with
// the race detector never run them, because they take ten times as long.
func All() bool {
	value := os.Getenv("LAYOUTCALC_TEST")
	if value != "" && value != "all" {
		panic("LAYOUTCALC_TEST must be empty or all, not " + value)
	}
	return value == "all" && !Raced()
}

// Step returns 1 if every case runs, and 8 otherwise. Tests of a large table of independent cases run every Step-th
// case.
func Step() int {
	if All() {
		return 1
	}
	return 8
}

// SkipUnlessAll skips a slow test unless every test runs. The reason states why the test is slow.
func SkipUnlessAll(t *testing.T, reason string) {
	t.Helper()
	if !All() {
		t.Skip(reason + ": only with LAYOUTCALC_TEST=all and without the race detector")
	}
}

// Raced reports whether the test binary has the race detector.
func Raced() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// Main runs the tests of a package that has property tests. They are repeatable and leave no files: 240 cases each, or
// an eighth of them, always the same. Flags of package rapid take precedence.
func Main(m *testing.M) {
	flag.Parse()
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for name, value := range map[string]string{
		"rapid.seed": "1", "rapid.checks": strconv.Itoa(240 / Step()), "rapid.nofailfile": "true",
	} {
		if !given[name] && flag.Set(name, value) != nil {
			panic("package rapid has no flag " + name)
		}
	}
	os.Exit(m.Run())
}

// Tensor returns the tensor that Describe reads from the line, which must be valid.
func Tensor(t TB, line string) layout.Tensor {
	t.Helper()
	x, err := Describe(line)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return x
}

// Sized returns the tensor of the sizes in a layout: a layout name, strides such as "15,1,5,1", or "" for row-major.
func Sized(t TB, sizes []int64, layout string) layout.Tensor {
	t.Helper()
	if layout != "" && strings.Trim(layout, "-0123456789,") == "" {
		layout = "--strides " + layout
	}
	return Tensor(t, "["+Commas(sizes)+"] "+layout)
}

// Commas writes a list as 1,2,3.
func Commas(list []int64) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ",")
}

// Describe reads a tensor as on the command line: SHAPE [NAME] and flags, separated by spaces.
func Describe(line string) (layout.Tensor, error) {
	words := strings.Fields(line)
	sizes, err := shape.ParseShape(words[0])
	if err != nil {
		return layout.Tensor{}, err
	}
	s, words := shape.Spec{Shape: sizes}, words[1:]
	if len(words) > 0 && !strings.HasPrefix(words[0], "-") {
		if s.Name, err = pointer(shape.ParseName(words[0])); err != nil {
			return layout.Tensor{}, err
		}
		words = words[1:]
	}
	for flag := range slices.Chunk(words, 2) {
		if len(flag) < 2 {
			return layout.Tensor{}, fmt.Errorf("%s has no value", flag[0])
		}
		if err = setFlag(&s, flag[0], flag[1]); err != nil {
			return layout.Tensor{}, err
		}
	}
	return s.Tensor()
}

func setFlag(s *shape.Spec, flag, text string) (err error) {
	switch flag {
	case "--order":
		s.Order, err = pointer(shape.ParseName(text))
	case "--strides":
		s.Strides, err = pointer(shape.ParseStrideAmounts(text))
	case "--storage-offset":
		s.Base, err = shape.ParseAmount(text)
	case "--pad":
		s.Pad, err = appended(s.Pad, shape.ParsePadding, text)
	case "--pitch":
		s.Pitch, err = appended(s.Pitch, shape.ParsePitch, text)
	case "--align":
		s.Align, err = appended(s.Align, shape.ParseAlignment, text)
	case "--broadcast":
		s.Broadcast, err = shape.ParseAxes(text)
	case "--swizzle":
		s.Swizzle, err = pointer(shape.ParseSwizzle(text))
	case "--rank":
		s.Rank, err = strconv.Atoi(text)
	case "-t":
		s.DType, err = layout.ParseDType(text)
	default:
		return fmt.Errorf("there is no flag %s here", flag)
	}
	return err
}

func pointer[T any](v T, err error) (*T, error) { return &v, err }
func appended[T any](list []T, parse func(string) (T, error), text string) ([]T, error) {
	v, err := parse(text)
	return append(list, v), err
}

// SyntaxError checks that err is a valid error about input, and returns it.
func SyntaxError(t TB, input string, err error) *layout.SyntaxError {
	t.Helper()
	var e *layout.SyntaxError
	if !errors.As(err, &e) {
		t.Fatalf("%q: error %v (%T), want a SyntaxError", input, err, err)
	}
	if e.Offset < 0 || e.Offset > len(e.Input) || e.Msg == "" || e.Error() != e.Msg {
		t.Errorf("%q: message %q, Error %q, caret at %d of %d", input, e.Msg, e.Error(), e.Offset, len(e.Input))
	}
	for _, leak := range []string{"strconv", "runtime", "%!", "invalid syntax", "parsing", "<nil>", "goroutine"} {
		if strings.Contains(e.Msg+e.Hint, leak) && !strings.Contains(input, leak) {
			t.Errorf("%q: Go's own words %q in %q, %q", input, leak, e.Msg, e.Hint)
		}
	}
	return e
}

// Overflow checks that err reports an overflow of exactly the given value, and returns it.
func Overflow(t TB, what string, err error, exact string) *layout.OverflowError {
	t.Helper()
	var e *layout.OverflowError
	if !errors.As(err, &e) {
		t.Fatalf("%s: error %v (%T), want an OverflowError", what, err, err)
	}
	if e.Exact.String() != exact || !strings.Contains(e.Error(), exact) {
		t.Errorf("%s: exact value %v, message %q, want %s", what, e.Exact, e.Error(), exact)
	}
	return e
}
