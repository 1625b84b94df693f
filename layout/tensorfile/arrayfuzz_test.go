package tensorfile

import (
	"math/big"
	"slices"
	"testing"
)

// FuzzFindArray checks that an array that is found lies in the file, and takes just the bytes of its
// elements.
func FuzzFindArray(f *testing.F) {
	two := entryText("a", "F32", "[2,3]", 0, 24) + "," + entryText("b", "F4", "[4]", 24, 26)
	f.Add(npyOf(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", 24), "")
	f.Add(npyOf(2, "{'descr': '>c8', 'fortran_order': False, 'shape': (), }", 8), "")
	f.Add(npyOf(3, "{'descr': '>U1', 'fortran_order': False, 'shape': (0, 9223372036854775807, 3), }", 0), "")
	f.Add(npyOf(1, "{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (2,), }", 17), "a")
	f.Add(npyOf(1, "{'descr': '|S3', 'fortran_order': False, 'shape': (-2,), }", 6), "")
	f.Add(safetensorsOf("{"+two+"}", 26), "b")
	f.Add(safetensorsOf("{"+two+"}", 26), "")
	f.Add(safetensorsOf("{"+two+","+entryText("a", "F6_E2M3", "[4]", 20, 23)+"}", 25), "a")
	f.Add(safetensorsOf("{"+entryText("", "BOOL", "[]", 0, 1)+`,"__metadata__":{"a":"b"}}`, 1), "")
	f.Add(ggufOf(3, nil, []ggufTensor{{"a", []uint64{32, 2}, 2, 0}}, 32, 64), "a")
	f.Fuzz(func(t *testing.T, data, tensor string) {
		a, err := arrayOf(t, "", data, tensor)
		if err != nil {
			return
		}
		if a.Start < 8 || a.Bytes < 0 || a.Start > int64(len(data))-a.Bytes {
			t.Fatalf("%d bytes from %d on, of %d", a.Bytes, a.Start, len(data))
		}
		if !slices.Contains([]int64{4, 8, 16, 32, 64, 128}, a.Bits) || a.TypeKnown && a.Type.Bits() != a.Bits {
			t.Fatalf("%+v", a)
		}
		if a.Swap != 0 && (a.Swap < 2 || a.Bits/8%int64(a.Swap) != 0) || tensor != "" && a.Name != tensor {
			t.Fatalf("%+v", a)
		}
		bits := big.NewInt(a.Bits)
		for _, n := range a.Sizes {
			bits.Mul(bits, big.NewInt(n))
		}
		bytes := bits.Rsh(bits.Add(bits, big.NewInt(7)), 3)
		if !bytes.IsInt64() || bytes.Int64() != a.Bytes {
			t.Fatalf("%v of %d bits take %v bytes, not %d", a.Sizes, a.Bits, bytes, a.Bytes)
		}
		if !Is("", &piece{t: t, data: []byte(data)}, int64(len(data))) {
			t.Fatalf("%q is no array file", data)
		}
	})
}
