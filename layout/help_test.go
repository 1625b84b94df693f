package layout_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/spec"
)

// numbers reads "2,-3,4"; the empty text is no numbers.
func numbers(t testing.TB, text string) []int64 {
	t.Helper()
	list := []int64{}
	for field := range strings.SplitSeq(text, ",") {
		if text == "" {
			break
		}
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, n)
	}
	return list
}

// repeated returns n sizes that are all the same.
func repeated(size int64, n int) []int64 { return slices.Repeat([]int64{size}, n) }

func strided(t testing.TB, base int64, sizes, strides []int64) layout.Layout {
	t.Helper()
	l, err := layout.Strided(base, sizes, strides)
	if err != nil {
		t.Fatalf("Strided(%d, %v, %v): %v", base, sizes, strides, err)
	}
	return l
}

func dtype(t testing.TB, text string) layout.DType {
	t.Helper()
	d, err := layout.ParseDType(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// describe reads a tensor as the command line writes it: SHAPE [NAME] and flags.
func describe(line string) (layout.Tensor, error) {
	s, err := parseSpec(strings.Fields(line))
	if err != nil {
		return layout.Tensor{}, err
	}
	return s.Tensor()
}

func parseSpec(words []string) (s spec.Spec, err error) {
	if s.Shape, err = spec.ParseShape(words[0]); err != nil {
		return s, err
	}
	words = words[1:]
	if len(words) > 0 && !strings.HasPrefix(words[0], "-") {
		if s.Name, err = pointer(spec.ParseName(words[0])); err != nil {
			return s, err
		}
		words = words[1:]
	}
	for flag := range slices.Chunk(words, 2) {
		if err := setFlag(&s, flag[0], flag[1]); err != nil {
			return s, err
		}
	}
	return s, nil
}

func setFlag(s *spec.Spec, flag, text string) (err error) {
	switch flag {
	case "--order":
		s.Order, err = pointer(spec.ParseName(text))
	case "--strides":
		s.Strides, err = pointer(spec.ParseStrides(text))
	case "--storage-offset":
		s.Base, err = strconv.ParseInt(text, 10, 64)
	case "--pad":
		s.Pad, err = appended(s.Pad, spec.ParsePadding, text)
	case "--pitch":
		s.Pitch, err = appended(s.Pitch, spec.ParsePitch, text)
	case "--align":
		s.Align, err = appended(s.Align, spec.ParseAlignment, text)
	case "--broadcast":
		s.Broadcast, err = spec.ParseAxes(text)
	case "--rank":
		s.Rank, err = strconv.Atoi(text)
	case "-t":
		s.DType, err = layout.ParseDType(text)
	default:
		panic("the test has no flag " + flag)
	}
	return err
}

func pointer[T any](v T, err error) (*T, error) { return &v, err }

func appended[T any](list []T, parse func(string) (T, error), text string) ([]T, error) {
	v, err := parse(text)
	return append(list, v), err
}

// tensor is describe for what is valid.
func tensor(t testing.TB, line string) layout.Tensor {
	t.Helper()
	x, err := describe(line)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return x
}

// axes prints a layout as N=1:15 C=1:1 ..., without what Layout.String adds.
func axes(l layout.Layout) string {
	return strings.TrimPrefix(l.String()[:strings.LastIndex(l.String(), "]")], "[")
}

// commas prints a list as 1,2,3.
func commas(list []int64) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ",")
}

// wantSyntaxError checks that an error has what every error of ours has, and returns it.
func wantSyntaxError(t testing.TB, input string, err error) *layout.SyntaxError {
	t.Helper()
	var e *layout.SyntaxError
	if !errors.As(err, &e) {
		t.Fatalf("%q: error %v (%T), want a SyntaxError", input, err, err)
	}
	if e.Offset < 0 || e.Offset > len(e.Input) {
		t.Errorf("%q: the caret is at %d of %d bytes", input, e.Offset, len(e.Input))
	}
	if e.Msg == "" || e.Error() != e.Msg {
		t.Errorf("%q: message %q, Error %q", input, e.Msg, e.Error())
	}
	for _, leak := range []string{"strconv", "runtime", "%!", "invalid syntax", "parsing", "<nil>", "goroutine"} {
		if strings.Contains(e.Msg+e.Hint, leak) && !strings.Contains(input, leak) {
			t.Errorf("%q: Go's own words %q in %q, %q", input, leak, e.Msg, e.Hint)
		}
	}
	return e
}

// wantOverflow checks that an error reports an overflow of exactly the given value.
func wantOverflow(t testing.TB, what string, err error, exact string) *layout.OverflowError {
	t.Helper()
	var e *layout.OverflowError
	if !errors.As(err, &e) {
		t.Fatalf("%s: error %v (%T), want an OverflowError", what, err, err)
	}
	if e.Exact.String() != exact {
		t.Errorf("%s: exact value %v, want %s", what, e.Exact, exact)
	}
	if !strings.Contains(e.Error(), exact) {
		t.Errorf("%s: the message %q does not show %s", what, e.Error(), exact)
	}
	return e
}
