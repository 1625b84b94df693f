package analysis_test

import (
	"encoding/csv"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
)

// TestCalcVectors checks buffer sizes against the true ones and against the results of three generations of DirectML's
// helper.
func TestCalcVectors(t *testing.T) {
	for _, row := range readRows(t, "given/calc_vectors.tsv") {
		shape, strides, reason := row[1], row[2], row[len(row)-1]
		line := strings.ReplaceAll(shape, " ", "") + " -t " + row[0]
		if strides != "null" {
			line += " --strides " + strings.ReplaceAll(strides, " ", "")
		}
		x, err := layouttest.Describe(line)
		bytes, _ := new(big.Int).SetString(row[4], 10)
		if !bytes.IsInt64() {
			if e := layouttest.Overflow(t, line, err, row[3]); !strings.Contains(e.Hint, row[4]) {
				t.Errorf("%s: the hint %q does not say %s bytes; %s", line, e.Hint, row[4], reason)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v; %s", line, err, reason)
			continue
		}
		checkCalc(t, line+"; "+reason, x, row)
	}
}

func checkCalc(t *testing.T, what string, x layout.Tensor, row []string) {
	t.Helper()
	f := analysis.Of(x.Layout())
	for i, got := range map[int]int64{3: f.Span, 4: x.DirectMLBytes(), 8: f.Elements} {
		if strconv.FormatInt(got, 10) != row[i] {
			t.Errorf("%s: column %d is %d, want %s", what, i, got, row[i])
		}
	}
	var want analysis.HelperSizes
	for i, g := range []*uint64{&want.G2019, &want.G2022, &want.G2024} {
		*g, _ = strconv.ParseUint(row[5+i], 10, 64)
	}
	need := uint64(x.DirectMLBytes())
	got, differs := analysis.DirectMLHelper(x)
	if differs != (want != analysis.HelperSizes{G2019: need, G2022: need, G2024: need}) || differs && got != want {
		t.Errorf("%s: the helper answers %+v (differs %v), want %+v", what, got, differs, want)
	}
}

// readRows reads a table without its head.
func readRows(t *testing.T, path string) [][]string {
	t.Helper()
	file, err := os.Open("testdata/" + path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r := csv.NewReader(file)
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil || len(rows) < 49 {
		t.Fatalf("%s: %d rows, %v", path, len(rows), err)
	}
	return rows[1:]
}

// TestHelperIsAskedOnlyWhereItCan: DirectML's helper takes only tensors that DirectML has.
func TestHelperIsAskedOnlyWhereItCan(t *testing.T) {
	for line, reason := range map[string]string{
		"65537x65536 --strides 65536,1 -t bf16":            "DirectML has no bfloat16",
		"65537x65536 --strides 65536,1 --storage-offset 1": "a descriptor has no base",
		"65537x65536 --strides -65536,1":                   "nor negative strides",
		"2 --strides 4294967296":                           "strides are 32 bits",
		"4294967296":                                       "sizes are 32 bits",
		"[]":                                               "a descriptor has at least one dimension",
		"1x1x1x1x1x1x1x65537x65536 --order ABCDEFGHI":      "and at most eight",
		"1x17x65536x65536 NCHW16c":                         "and no blocks",
	} {
		if sizes, differs := analysis.DirectMLHelper(layouttest.Tensor(t, line)); differs {
			t.Errorf("%s: the helper is said to answer %+v; %s", line, sizes, reason)
		}
	}
}
