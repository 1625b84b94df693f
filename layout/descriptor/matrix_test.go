package descriptor

import (
	"fmt"
	"strings"
	"testing"
)

// TestParseMatrix reads matrix descriptors. The fields are put together by hand: 0x0040 is 1024 bytes in units of 16.
func TestParseMatrix(t *testing.T) {
	const convention = "a K-major operand with a swizzle does not use the leading offset, which is 16 by convention"
	for _, tt := range []struct {
		text, target string
		want         string
		notes        []string
	}{
		{"0x4000004000010040", "sm90", "sm90 1024 16 1024 base 0 SWIZZLE_128B Sw<3,4,3>", []string{convention}},
		{"0x4000004000010040", "", "sm90 1024 16 1024 base 0 SWIZZLE_128B Sw<3,4,3>",
			[]string{"bits 46-47 are 0: read for sm90", convention}},
		{"0x4000404000010040", "", "sm100 1024 16 1024 base 0 SWIZZLE_128B Sw<3,4,3> version 1",
			[]string{"bits 46-47 are 1: read for sm100", convention}},
		{"0x4000404000010040", "sm90", "sm90 1024 16 1024 base 0 SWIZZLE_128B Sw<3,4,3>",
			[]string{"bits 46-47 are 1, and for sm90 they are 0", convention}},
		{"0xc00e001000010040", "sm90", "sm90 1024 16 256 base 7 SWIZZLE_32B Sw<1,4,3>", []string{convention}},
		{"0x801040200001ffff", "sm100", "sm100 262128 16 512 base 0 SWIZZLE_64B Sw<2,4,3> version 1 leading mode 1",
			[]string{"bits that no field of sm100 has are set: 0x000000000000c000", convention,
				"the start is 261632 + 496: row 7, chunk 3 of the pattern"}},
		{"0x4000004000010042", "sm90", "sm90 1056 16 1024 base 0 SWIZZLE_128B Sw<3,4,3>",
			[]string{convention, "the start is 1024 + 32: row 0, chunk 2 of the pattern"}},
		{"0xC000402000010000", "sm100", "sm100 0 16 512 base 0 SWIZZLE_32B Sw<1,4,3> version 1",
			[]string{convention, "that of 8 rows, 256 bytes, and here it is 512"}},
		{"0x2000404000010040", "sm100", "sm100 1024 16 1024 base 0 SWIZZLE_128B_BASE32B Sw<2,5,2> version 1",
			[]string{convention}},
		{"0x4000040000010040", "sm90", "sm90 1024 16 16384 base 0 SWIZZLE_128B Sw<3,4,3>",
			[]string{convention, "16 times the 1024 bytes of 8 rows: it was encoded in bytes"}},
		{"0x4000_", "sm90", "belong", nil},
		{"0x0000001000080080", "sm90", "sm90 2048 128 256 base 0 INTERLEAVE Sw<0,0,0>", nil},
		{"0x401000080080", "sm100", "sm100 2048 128 256 base 0 SWIZZLE_NONE Sw<0,0,0> version 1", nil},
		{"0x2001001000080080", "sm90", "sm90 2048 128 256 base 0 INTERLEAVE Sw<0,0,0>",
			[]string{"bits that no field of sm90 has are set: 0x2001000000000000"}},
		{" GmmaDescriptor: 0x4000004000010040\n  start_addr :  0x0040\n  leading_off:  0x0001 (1)\n" +
			"  stride_off :  0x0040 (64)\n  base_offset:  0x0\n  layout_type:  0x1 (B128)\n", "sm90",
			"sm90 1024 16 1024 base 0 SWIZZLE_128B Sw<3,4,3>", []string{convention}},
		{"cute::UMMA::desc: 0x401000080080", "sm100",
			"sm100 2048 128 256 base 0 SWIZZLE_NONE Sw<0,0,0> version 1", nil},
		{"GmmaDescriptor: 0x4000004000010040\n  start_addr :  0x0041", "sm90",
			"0x40 in the bits and 0x41 in the text", nil},
		{"GmmaDescriptor: 0x4000004000010040\n  start_addr :  x", "sm90", "is not a number", nil},
		{"0x4000004000010040 0x1", "sm90", "does not belong", nil},
		{"0x14000004000010040", "sm90", "has 64 bits", nil},
		{"0x8000c00000010040", "", "bits 46-47 are 3", nil},
		{"0x6000404000010040", "sm100", "layout 3 is none of sm100", nil},
	} {
		m, err := ParseMatrix(tt.text, tt.target)
		if err != nil {
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %s", tt.text, err, tt.want)
			}
			continue
		}
		have := fmt.Sprintf("%s %d %d %d base %d %s %s", m.Target, m.Start, m.Leading, m.Stride, m.Base, m.Layout,
			m.Swizzle)
		if m.Version != 0 {
			have += fmt.Sprintf(" version %d", m.Version)
		}
		if m.LeadingMode != 0 {
			have += fmt.Sprintf(" leading mode %d", m.LeadingMode)
		}
		if have != tt.want || len(m.Notes) != len(tt.notes) {
			t.Errorf("%s: %s %q, want %s %q", tt.text, have, m.Notes, tt.want, tt.notes)
			continue
		}
		for i, note := range tt.notes {
			if !strings.Contains(m.Notes[i], note) {
				t.Errorf("%s: %q, want %q", tt.text, m.Notes[i], note)
			}
		}
	}
}

// TestMatrixFields compares the fields of each number of a field, one field at a time, with the number.
func TestMatrixFields(t *testing.T) {
	for n := range int64(1 << 14) {
		for i, at := range []int{0, 16, 32} {
			m, err := ParseMatrix(fmt.Sprintf("0x%x", n<<at), "sm90")
			if err != nil || [...]int64{m.Start, m.Leading, m.Stride}[i] != 16*n || m.Start+m.Leading+m.Stride != 16*n {
				t.Fatalf("%d at bit %d: %+v, %v", n, at, m, err)
			}
		}
	}
}

// FuzzMatrix parses any input. The fields of a descriptor must be within its bits.
func FuzzMatrix(f *testing.F) {
	f.Add("GmmaDescriptor: 0x4000004000010040\n  start_addr :  0x0040", "")
	f.Add("0xc000c00000010040", "sm100")
	f.Add("descriptor: 0", "")
	f.Add("", "sm90")
	f.Fuzz(func(t *testing.T, text, target string) {
		m, err := ParseMatrix(text, target)
		if err == nil && (m.Start >= 1<<18 || m.Leading >= 1<<18 || m.Stride >= 1<<18 || m.Base > 7 || m.Layout == "") {
			t.Errorf("%q: %+v", text, m)
		}
	})
}

// BenchmarkParseMatrix reads a descriptor.
func BenchmarkParseMatrix(b *testing.B) {
	for b.Loop() {
		if _, err := ParseMatrix("0x4000004000010040", "sm90"); err != nil {
			b.Fatal(err)
		}
	}
}
