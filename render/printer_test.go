package render

import (
	"errors"
	"slices"
	"testing"

	"layoutcalc/layout"
)

// errFull is the error of a full disk.
var errFull = errors.New("no space left")

// A failing writer takes a number of bytes, and then fails.
type failing struct {
	left int
	took int
	late int // writes after the failure
}

func (f *failing) Write(b []byte) (int, error) {
	if f.left < 0 {
		f.late++
		return 0, errFull
	}
	n := min(len(b), f.left)
	f.took += n
	if f.left -= n; n < len(b) {
		f.left = -1
		return n, errFull
	}
	return n, nil
}

// TestWriteErrors has every answer in every form fail after 0, 1, ... bytes: that is always a
// WriteError, and nothing is written after it.
func TestWriteErrors(t *testing.T) {
	tensor := parsed(t, "20x61", "", strides(t, "64,1")) // more than a picture and a buffer hold
	writers := slices.Clone(answers)
	writers = append(writers, struct {
		name  string
		write func(*Printer, layout.Tensor) error
	}{"all", func(p *Printer, t layout.Tensor) error {
		v := whole(t)
		v.All = true
		return p.Picture(t, v)
	}})
	for _, a := range writers {
		for _, o := range []Options{
			{Format: Table}, {Format: Table, Colors: Colors16}, {Format: Plain}, {Format: JSON}, {Format: CSV},
			{Format: Markdown}, {Format: Plain, Get: "schemaVersion"},
		} {
			t.Run(a.name+"/"+string(o.Format)+o.Get, func(t *testing.T) {
				checkFailures(t, o, func(p *Printer) error { return a.write(p, tensor) })
			})
		}
	}
}

func checkFailures(t *testing.T, o Options, write func(*Printer) error) {
	o.Width = 80
	length := len(written(t, o, write))
	step := max(1, length/20)
	for n := 0; n < length; n += step {
		checkFailure(t, o, write, n)
	}
	for n := max(0, length-3); n < length; n++ {
		checkFailure(t, o, write, n)
	}
	if err := write(NewPrinter(&failing{left: length}, o)); err != nil {
		t.Errorf("%d bytes of %d: %v", length, length, err)
	}
}

func checkFailure(t *testing.T, o Options, write func(*Printer) error, n int) {
	t.Helper()
	f := &failing{left: n}
	p := NewPrinter(f, o)
	err := write(p)
	var failure *WriteError
	if !errors.As(err, &failure) || !errors.Is(err, errFull) {
		t.Fatalf("failing after %d bytes gives %v", n, err)
	}
	if f.took != n || f.late > 0 {
		t.Fatalf("%d bytes were taken, and %d writes came after the failure", f.took, f.late)
	}
	if err := p.Flush(); !errors.As(err, &failure) {
		t.Fatalf("after the failure Flush gives %v", err)
	}
}

// TestWriteErrorEndsLoops has a failed write end an answer that would never come to its end.
func TestWriteErrorEndsLoops(t *testing.T) {
	tensor := parsed(t, "2x3", "")
	for _, o := range []Options{{Format: Table}, {Format: Plain}, {Format: JSON}, {Format: CSV}, {Format: Markdown}} {
		o.Width = 80
		asked := 0
		_, err := NewPrinter(&failing{left: 100}, o).At(tensor, func(yield func(int64, error) bool) {
			for asked = 0; asked < 1_000_000 && yield(0, nil); asked++ {
			}
		})
		if err == nil || asked > 100_000 {
			t.Errorf("%s: asked %d times, %v", o.Format, asked, err)
		}
	}
}

// TestInputErrorAfterAnswers keeps the answers before an error, and the error.
func TestInputErrorAfterAnswers(t *testing.T) {
	tensor, fault := parsed(t, "2x3", ""), errors.New("line 2")
	two := func(yield func([]int64, error) bool) {
		_ = yield([]int64{1, 0}, nil) && yield(nil, fault)
	}
	o := Options{Format: Plain, Width: 80}
	if err := NewPrinter(&failing{left: 1000}, o).Offsets(tensor, two); !errors.Is(err, fault) {
		t.Errorf("the error is %v", err)
	}
	var failure *WriteError
	if err := NewPrinter(&failing{}, o).Offsets(tensor, two); !errors.As(err, &failure) {
		t.Errorf("with a full disk the error is %v", err)
	}
}
