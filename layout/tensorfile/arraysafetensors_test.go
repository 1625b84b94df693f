package tensorfile

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestArrayOfTensors finds tensors of a file, whose header is 8 bytes of length and the text.
func TestArrayOfTensors(t *testing.T) {
	header := `{"__metadata__":{"format":"pt"},` + strings.Join([]string{
		entryText("w", "F32", "[2,3]", 8, 32),
		entryText("c", "C64", "[1]", 0, 8),
		entryText("half byte", "F4", "[2,4]", 32, 36),
		entryText("none", "BF16", "[0,7]", 36, 36),
		entryText("é", "BOOL", "[]", 36, 37),
	}, ",") + "}"
	file := safetensorsRaw(header, 37)
	for _, c := range []struct {
		name, typ, dtype   string
		bits, begin, bytes int64
		sizes              []int64
	}{
		{"w", "F32", "float32", 32, 8, 24, []int64{2, 3}},
		{"c", "C64", "complex64", 64, 0, 8, []int64{1}},
		{"half byte", "F4", "float4_e2m1fn", 4, 32, 4, []int64{2, 4}},
		{"none", "BF16", "bfloat16", 16, 36, 0, []int64{0, 7}},
		{"é", "BOOL", "bool", 8, 36, 1, nil},
	} {
		a, err := arrayOf(t, "a.safetensors", file, c.name)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		want := Array{Kind: "safetensors", Name: c.name, TypeName: c.typ, Type: a.Type, TypeKnown: true, Bits: c.bits,
			Sizes: a.Sizes, Start: int64(8+len(header)) + c.begin, Bytes: c.bytes}
		if !reflect.DeepEqual(a, want) || !slices.Equal(a.Sizes, c.sizes) || a.Type.String() != c.dtype {
			t.Errorf("%+v, want %+v", a, c)
		}
	}
}

// TestOnlyTensor needs no name where there is one tensor.
func TestOnlyTensor(t *testing.T) {
	for _, name := range []string{"", "a"} {
		file := safetensorsOf(`{"__metadata__":{},`+entryText(name, "U16", "[2]", 0, 4)+"}", 4)
		a, err := arrayOf(t, "", file, "")
		if err != nil || a.Name != name || a.Start != int64(len(file)-4) || a.Bytes != 4 {
			t.Errorf("%+v, %v", a, err)
		}
	}
}

func TestTensorsRefused(t *testing.T) {
	w := entryText("encoder.weight", "F32", "[2,3]", 0, 24)
	b := entryText("b", "U8", "[8]", 24, 32)
	var seven []string
	for _, name := range strings.Fields("a b c d e f g") {
		seven = append(seven, entryText(name, "U8", "[0]", 0, 0))
	}
	for _, c := range []struct {
		reason, header string
		data           int
		tensor         string
		word, hint     string
	}{
		{"two, and no name", w + "," + b, 32, "", "the file has 2 tensors", `choose one with --tensor NAME; there are "encoder.weight", "b"`},
		{"seven, and no name", strings.Join(seven, ","), 0, "", "the file has 7 tensors", `there are "a", "b", "c", "d", "e" and 2 more`},
		{"none", `"__metadata__":{}`, 0, "", "the file has no tensors", ""},
		{"none of that name", "", 0, "a", "the file has no tensors", ""},
		{"a slip", w + "," + b, 32, "encoder.wieght", `none of the 2 tensors is called "encoder.wieght"`, `did you mean "encoder.weight"?`},
		{"nothing is like it", w + "," + b, 32, "decoder", "none of the 2 tensors", `there are "encoder.weight", "b"`},
		{"of one", w, 24, "b", `the only tensor of the file is not called "b"`, `there is "encoder.weight"`},
		{"metadata is no tensor", w + `,"__metadata__":{}`, 24, "__metadata__", "the only tensor", "there is"},
		{"a byte is missing", w + "," + b, 31, "b", `tensor "b": the file must hold 32 bytes of data behind its header of 136, and holds 31: 1 too few`, "cut off"},
		{"all of it is", w + "," + b, 10, "b", `tensor "b": the file must hold 32 bytes of data behind its header of 136, and holds 10: 22 too few`, "cut off"},
		{"2^63-1", entryText("a", "U8", "[9223372036854775807]", 0, 1<<63-1), 0, "", "must hold 9223372036854775807 bytes of data behind its header of 104, and holds 0: 9223372036854775807 too few", "cut off"},
		{"a byte too many", w, 25, "", "1 byte more", "layoutcalc check"},
		{"a byte before it", entryText("b", "U8", "[8]", 25, 33) + "," + w, 33, "b", `tensor "b": 1 byte before the tensor`, "layoutcalc check"},
		{"offsets that do not suit the shape", entryText("b", "U8", "[7]", 24, 32) + "," + w, 32, "b", `tensor "b": the shape takes 7 bytes`, "layoutcalc check"},
		{"end before begin", entryText("b", "U8", "[8]", 32, 24) + "," + w, 32, "b", "end before they begin", "layoutcalc check"},
		{"starts in another", entryText("b", "U8", "[8]", 23, 31) + "," + w, 31, "b", `tensor "b": the tensor starts at byte 23`, "layoutcalc check"},
		{"another starts in it", entryText("b", "U8", "[8]", 23, 31) + "," + w, 31, "encoder.weight", `tensor "encoder.weight": its bytes 0 to 24 of the data overlap those of "b", 23 to 31`, "layoutcalc check"},
		{"all of it is another's", entryText("b", "U8", "[24]", 0, 24) + "," + w, 24, "b", `overlap those of "encoder.weight"`, "layoutcalc check"},
		{"a name twice", w + "," + entryText("b", "U8", "[1]", 24, 25) + "," + entryText("b", "U8", "[1]", 25, 26), 26, "b", "two tensors have this name", "layoutcalc check"},
		{"a name twice and no other", entryText("b", "U8", "[1]", 0, 1) + "," + entryText("b", "U8", "[1]", 1, 2), 2, "", "2 tensors", `"b", "b"`},
		{"6 bits", entryText("a", "F6_E2M3", "[4]", 0, 3), 3, "", `tensor "a": its elements of type F6_E2M3 have 6 bits`, ""},
		{"half a byte", entryText("a", "F4", "[3]", 0, 2), 2, "", "a tensor takes whole bytes", "layoutcalc check"},
		{"no type of the format", entryText("a", "F23", "[1]", 0, 4), 4, "", `"F23"`, "layoutcalc check"},
		{"a negative size", entryText("a", "U8", "[-1]", 0, 1), 1, "", "is not a list of whole numbers", "layoutcalc check"},
		{"a shape said twice", `"a":{"dtype":"U8","shape":[1],"shape":[1],"data_offsets":[0,1]}`, 1, "", "says shape twice", "layoutcalc check"},
		{"no shape", `"a":{"dtype":"U8","data_offsets":[0,1]}`, 1, "", "does not say shape", "layoutcalc check"},
		{"no offsets", `"a":{"dtype":"U8","shape":[1]}`, 0, "a", "does not say data_offsets", "layoutcalc check"},
		{"no entry", `"a":[1,2]`, 0, "a", `tensor "a": the entry, at byte 13, is no object`, "layoutcalc check"},
		{"a comment", "/**/" + w, 24, "", "a comment stands at byte 9", "layoutcalc check"},
	} {
		a, err := arrayOf(t, "a.safetensors", safetensorsOf("{"+c.header+"}", c.data), c.tensor)
		wantRefusal(t, c.reason, a, err, c.word, c.hint)
	}
}

// TestOtherTensorsAreWrong finds a tensor whatever is wrong with those beside it, but in no file whose
// own faults are too many to be kept.
func TestOtherTensorsAreWrong(t *testing.T) {
	bad := strings.Join([]string{
		entryText("x", "F23", "[1]", 24, 28),
		entryText("y", "U8", "[9]", 28, 36),
		entryText("y", "U8", "[8]", 36, 44),
		entryText("cut", "U8", "[900]", 44, 944),
	}, ",")
	good := entryText("good", "F32", "[2,3]", 0, 24)
	a, err := arrayOf(t, "", safetensorsOf("{"+bad+","+good+"}", 44), "good")
	if err != nil || a.Bytes != 24 {
		t.Errorf("%+v, %v", a, err)
	}
	many := strings.Repeat(entryText("z", "U8", "[1]", 24, 24)+",", 2*maxFindings)
	file := safetensorsOf("{"+many+good+"}", 24)
	if a, err = arrayOf(t, "", file, "good"); err != nil || a.Start != int64(len(file)-24) {
		t.Errorf("%+v, %v", a, err)
	}
	wrong := strings.Replace(many+good, "[2,3]", "[2,4]", 1)
	a, err = arrayOf(t, "", safetensorsOf("{"+wrong+"}", 24), "good")
	wantRefusal(t, "the last of many", a, err, "the shape takes 32 bytes", "layoutcalc check")
	unknown := strings.Repeat(`"x":0,`, maxFindings) + `"dtype":"F32",`
	a, err = arrayOf(t, "", safetensorsOf("{"+strings.Replace(good, `"dtype"`, unknown+`"dtype"`, 1)+"}", 24), "")
	wantRefusal(t, "behind a thousand warnings", a, err, "more findings of this rule", "layoutcalc check")
}
