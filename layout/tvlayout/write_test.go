package tvlayout_test

import (
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/tvlayout"
)

// TestDumps compares dumps with the ones in Triton's own tests, byte for byte.
func TestDumps(t *testing.T) {
	for _, v := range vectors[struct {
		ID, Text, Dump string
		Shape          []int64
		HW             bool
		Rows           []string
	}](t, "dumps.jsonl") {
		var have string
		var err error
		if tvlayout.IsShared(v.Text) {
			have, err = tvlayout.TritonShared(v.Text, v.Shape, v.HW)
		} else {
			have, err = read(t, v.Text, v.Shape...).Triton(v.HW)
		}
		if err != nil || v.Dump != "" && have != v.Dump {
			t.Errorf("%s: %v\n%s\nwant\n%s", v.ID, err, have, v.Dump)
		}
		for _, row := range v.Rows {
			if !strings.Contains(have, row) {
				t.Errorf("%s: no %q in\n%s", v.ID, row, have)
			}
		}
	}
	const hw = "Warp0:\n(0,0), (0,1), (1,0), (1,1)\nWarp1:\n(2,0), (2,1), (3,0), (3,1)\n"
	if have, err := read(t, "BlockedLayout([1,1], [2,2], [2,1], [1,0])", 4, 2).Triton(true); err != nil || have != hw {
		t.Errorf("%v\n%s\nwant\n%s", err, have, hw)
	}
}

// TestWritten writes ownerships in CuTe's notation, and as bases that are read back.
func TestWritten(t *testing.T) {
	for _, v := range vectors[fragment](t, "instructions.jsonl") {
		if v.Kind == "atom_tv" && !v.Eight {
			have := read(t, v.Name).CuTe()
			if have != v.TV {
				t.Errorf("%s %s: %s, want %s", v.ID, v.Name, have, v.TV)
			}
		}
	}
	type vector struct {
		Text  string
		Shape []int64
	}
	for _, v := range vectors[vector](t, "bases.jsonl") {
		o := read(t, v.Text, v.Shape...)
		text, err := o.Linear()
		if err != nil {
			t.Fatal(err)
		}
		back, err := tvlayout.Read(text, tvlayout.Options{})
		if err != nil || !back.Layout().Equal(o.Layout()) || !slices.Equal(back.Tile().Sizes(), v.Shape) {
			t.Errorf("%s: %s: %v, %v", v.Text, text, back, err)
		}
	}
	if text, err := read(t, "wgmma.m64n24k16:C").Linear(); err == nil {
		t.Errorf("three groups of columns are bits: %s", text)
	}
}
