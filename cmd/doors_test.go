package cmd_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/notation"
)

// A drawn is a random tensor. Every way to pass it to the program must give this tensor.
type drawn struct {
	sizes   []int64
	strides []int64
	block   []int64 // of the elements of an axis that are adjacent, 1 where it has no block
	inner   []int64 // the stride inside the block
	base    int64
	dtype   string
	args    []string // arguments that describe it
}

// draw draws a tensor of rank 0 to 6: sizes of 1 and 0 among others, packed in any order of the axes, with a block, or
// with any strides.
func draw(r *rand.Rand) drawn {
	d := drawn{dtype: drawnTypes[max(r.IntN(2*len(drawnTypes))-len(drawnTypes), 0)]}
	rank, count := r.IntN(7), int64(1)
	for range rank {
		size := []int64{1, 1, 2, 2, 3, 4, 5, 7}[r.IntN(8)]
		if count*size > 200 {
			size = 1
		}
		count *= size
		d.sizes, d.block, d.inner = append(d.sizes, size), append(d.block, 1), append(d.inner, 0)
	}
	if rank > 0 && r.IntN(12) == 0 {
		d.sizes[r.IntN(rank)] = 0
	}
	d.strides = make([]int64, rank)
	order, shape := r.Perm(rank), brackets(d.sizes)
	switch kind := r.IntN(4); {
	case kind == 0 || rank == 0:
		d.args = []string{shape}
		d.pack(order, 1)
		slices.Sort(order)
		d.pack(order, 1)
	case kind == 1:
		d.args = []string{shape, d.name(order)}
		d.pack(order, 1)
	case kind == 2:
		at := r.IntN(rank)
		d.block[at], d.inner[at] = int64(2+2*r.IntN(2)), 1
		d.pack(order, d.block[at])
		d.args = []string{shape, d.name(order)}
	default:
		for i := range d.strides {
			d.strides[i] = []int64{0, 1, 2, 3, 5, 8, 30, 64, -1, -7}[r.IntN(8+2*r.IntN(2))]
		}
		low := int64(0)
		for i, stride := range d.strides {
			low += min(0, stride*(d.sizes[i]-1))
		}
		if d.base = int64(r.IntN(2)*r.IntN(40)) - low; slices.Contains(d.sizes, 0) {
			d.base = 0
		}
		d.args = []string{shape, "--strides", brackets(d.strides), "--storage-offset", fmt.Sprint(d.base)}
	}
	d.args = append(d.args, "-t", d.dtype)
	return d
}

// drawnTypes are element types, most of which every system has. The first is the likeliest.
var drawnTypes = [...]string{
	"float32", "float16", "bfloat16", "float64", "int8", "uint8", "int16", "int32", "uint32", "int64", "bool", "int4",
}

func brackets(list []int64) string { return strings.ReplaceAll(fmt.Sprint(list), " ", ",") }

// pack gives the axes strides without gaps, the outermost first in order. A block takes next elements inside.
func (d *drawn) pack(order []int, next int64) {
	for _, axis := range slices.Backward(order) {
		d.strides[axis] = next
		blocks := (d.sizes[axis] + d.block[axis] - 1) / d.block[axis]
		next *= max(blocks, 1)
	}
}

// name is oneDNN's tag for an order of the axes and the blocks.
func (d *drawn) name(order []int) string {
	letters, blocks := "", ""
	for _, axis := range order {
		letter := string(rune('a' + axis))
		if d.block[axis] > 1 {
			blocks += fmt.Sprint(d.block[axis]) + letter
			letter = strings.ToUpper(letter)
		}
		letters += letter
	}
	return letters + blocks
}

// offset is where an element is.
func (d *drawn) offset(index []int64) int64 {
	at := d.base
	for i, n := range index {
		at += n/d.block[i]*d.strides[i] + n%d.block[i]*d.inner[i]
	}
	return at
}

// A readTensor is a tensor in an answer in JSON.
type readTensor struct {
	Sizes  []int64
	Base   int64
	DType  string
	Digits [][]struct{ Extent, Stride int64 }
}

// offset is where an element is.
func (x *readTensor) offset(index []int64) int64 {
	at := x.Base
	for i, n := range index {
		for _, digit := range slices.Backward(x.Digits[i]) {
			at += n % digit.Extent * digit.Stride
			n /= digit.Extent
		}
	}
	return at
}

// differs returns the part of an answer that differs from the drawn tensor, or an empty string.
func (d *drawn) differs(r result) string {
	var answer struct{ Tensor readTensor }
	err := json.Unmarshal([]byte(r.out), &answer)
	x := answer.Tensor
	switch {
	case r.code != 0 || err != nil:
		return fmt.Sprintf("exit %d, %v: %s", r.code, err, r.stderr)
	case !slices.Equal(x.Sizes, d.sizes):
		return fmt.Sprintf("sizes %v, want %v", x.Sizes, d.sizes)
	case x.DType != d.dtype:
		return fmt.Sprintf("elements are %s, want %s", x.DType, d.dtype)
	case slices.Contains(d.sizes, 0):
		return ""
	}
	index := make([]int64, len(d.sizes))
	for {
		if got, want := x.offset(index), d.offset(index); got != want {
			return fmt.Sprintf("element %v is at %d, want %d", index, got, want)
		}
		axis := len(index) - 1
		for ; axis >= 0; axis-- {
			if index[axis]++; index[axis] < d.sizes[axis] {
				break
			}
			index[axis] = 0
		}
		if axis < 0 {
			return ""
		}
	}
}

// documents returns documents that describe the tensor. The keys are the endings of their names.
func (d *drawn) documents() map[string]string {
	fields := fmt.Sprintf(`"dtype":%q,"sizes":%s`, d.dtype, brackets(d.sizes))
	switch {
	case len(d.args) > 3 && d.args[1] == "--strides":
		fields += fmt.Sprintf(`,"strides":%s,"storageOffset":%d`, brackets(d.strides), d.base)
	case len(d.args) > 3:
		fields += fmt.Sprintf(`,"layout":%q`, d.args[1])
	}
	all := map[string]string{
		".jsonl": "{" + fields + "}\n", ".txt": `{"name": "x",` + fields + "}",
		".json": `{"version":1,"tensors":{"x":{` + fields + `}}}`,
		".yaml": "version: 1\ntensors:\n  x: {" + strings.NewReplacer(`"`, "", ":", ": ").Replace(fields) + "}\n",
	}
	if d.base == 0 && len(d.sizes) > 0 && (len(d.strides) == 0 || slices.Min(d.strides) >= 0) &&
		slices.Max(d.block) == 1 && !slices.Contains(d.sizes, 0) {
		desc := fmt.Sprintf(`{"DataType":%q,"Sizes":%s,"Strides":%s}`,
			strings.ToUpper(d.dtype), brackets(d.sizes), brackets(d.strides))
		switch d.dtype {
		case "bfloat16", "bool":
		default:
			all["descriptor.jsonl"], all["descriptor.json"], all["descriptor"] = desc, desc, desc
			all["model.json"] = `{"resources":{},"commands":[],"dispatchables":{"x":{` +
				`"type":"DML_OPERATOR_ELEMENT_WISE_IDENTITY","desc":{"InputTensor":` + desc + `}}}}`
		}
	}
	return all
}

// utf16Text returns text in the encoding of Windows PowerShell.
func utf16Text(text string) string {
	data := []byte{0xFF, 0xFE}
	for _, unit := range utf16.Encode([]rune(strings.ReplaceAll(text, "\n", "\r\n"))) {
		data = binary.LittleEndian.AppendUint16(data, unit)
	}
	return string(data)
}

// doors are the ways to pass an input to the program.
var doors = [...]string{
	"one argument", "several arguments", "standard input", "standard input in UTF-16", "@FILE", "a path",
	"a file of Windows", "a file in UTF-16",
}

// doorOf returns the way door to pass text to the program. Files get the ending. It reports false if the way is
// impossible: YAML documents and C++ comments cannot be put together again from arguments, and JSON and YAML documents
// must be UTF-8.
func doorOf(t *testing.T, dir, door, text, ending string) (w way, ok bool) {
	file := func(text string) string {
		path := filepath.Join(dir, "tensor"+ending)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	w, ok = way{name: door, args: []string{text}}, true
	switch door {
	case "several arguments":
		w.args = strings.Fields(text)
		ok = len(w.args) > 1 && len(w.args) <= 64 && ending != ".yaml" && !strings.Contains(text, "//")
	case "standard input":
		w.args, w.stdin = []string{"-"}, text+"\n"
	case "standard input in UTF-16":
		w.args, w.stdin = []string{"-"}, utf16Text(text+"\n")
	case "@FILE":
		w.args = []string{"@" + file(text+"\n")}
	case "a path":
		w.args = []string{file(text)}
	case "a file of Windows":
		w.args = []string{file("\xEF\xBB\xBF" + strings.ReplaceAll(text, "\n", "\r\n") + "\r\n")}
	case "a file in UTF-16":
		w.args = []string{file(utf16Text(text))}
		ok = ending != ".json" && ending != ".yaml"
	}
	return w, ok
}

// drawnTensors is how many tensors are drawn.
const drawnTensors = 200

// TestDoorsAgree writes random tensors in every notation that can express them, in documents and as the program's own
// answers. It checks that strides and check read the same tensor in every way.
func TestDoorsAgree(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(12, 2))
	written := map[string]int{}
	for i := range drawnTensors {
		if i%layouttest.Step() != 0 {
			continue
		}
		d := draw(r)
		own := runWith(nil, nil, append([]string{"strides", "-o", "json"}, d.args...)...)
		if wrong := d.differs(own); wrong != "" {
			t.Errorf("%q: %s", d.args, wrong)
			continue
		}
		texts := map[string]string{"answer.json": own.out, "answer": own.out}
		for name, text := range d.documents() {
			texts[name] = text
		}
		spelled := runWith(nil, nil, append([]string{"strides", "--as", "all", "-o", "json"}, d.args...)...)
		var answer struct {
			Notations []struct{ Notation, Text string }
		}
		if err := json.Unmarshal([]byte(spelled.out), &answer); err != nil {
			t.Errorf("%q in all notations: %v: %s", d.args, err, spelled.stderr)
		}
		for _, s := range answer.Notations {
			texts["notation "+s.Notation] = s.Text
		}
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			text := texts[name]
			written[name]++
			ending := filepath.Ext(name)
			if spelled, ok := strings.CutPrefix(name, "notation "); ok {
				ending = []string{"", ".txt", ".json", ".yaml", ".jsonl", ".npy"}[r.IntN(6)]
				name = spelled
			}
			var flags []string
			if untyped := []string{"name", "cute", "mdspan"}; slices.Contains(untyped, name) {
				flags = []string{"-t", d.dtype}
			}
			way, ok := doorOf(t, dir, doors[r.IntN(len(doors))], text, ending)
			if !ok {
				continue
			}
			args := slices.Concat([]string{"strides", "-o", "json"}, flags, []string{"--"}, way.args)
			if wrong := d.differs(runWith(strings.NewReader(way.stdin), nil, args...)); wrong != "" {
				t.Errorf("%q as %s %q by %s%s: %s", d.args, name, text, way.name, ending, wrong)
			}
			if door := way.name; door == "several arguments" || ending == ".npy" || r.IntN(3) > 0 {
				continue // check takes several arguments as files, and a tensor file cannot be text
			}
			args[0] = "check"
			checked := runWith(strings.NewReader(way.stdin), nil, args...)
			if !strings.Contains(checked.out, `"descriptors": 1,`) || strings.Contains(checked.out, `"syntax"`) {
				t.Errorf("%q as %s %q by %s%s is checked: %v", d.args, name, text, way.name, ending, checked)
			}
		}
	}
	for _, n := range notation.All() {
		if count := written["notation "+n.Name]; count < 50/layouttest.Step() {
			t.Errorf("%s has been written %d times", n.Name, count)
		}
	}
}

// TestFromDirectML reads JSON of DirectML with --from and without it: the answers, their notes and the errors are the
// same.
func TestFromDirectML(t *testing.T) {
	answers := map[result]bool{}
	for _, text := range []string{
		`{"DataType":"FLOAT32","Sizes":[1,2,3,4],"Sizes":[1,2,3,8]}`, `{"DataType":"float32","Sizes":[2,3]}`,
		`{"dataType":"FLOAT32","sizes":[2,3]}`, `{"DataType":"FLOAT32","Sizes":[2,3],"Strides":null}`,
		`{"DataType":"FLOAT32","Sizes":[2,3],"Strides":[1,2]}`, `{"DataType":"FLOAT32","Sizes":[2,3],"strides":[1,2]}`,
		`{"InputTensor":{"DataType":"FLOAT32","Sizes":[2,3]}}`, `{"DataType":"FLOAT32"}`,
		`{"DataType":"FLOAT32","Sizes":[2,3]`,
		`[{"DataType":"FLOAT32","Sizes":[2]}]`, `"InputTensor": {"DataType":"FLOAT32","Sizes":[2,3]},`,
	} {
		want := runWith(nil, nil, "strides", text, "-o", "json")
		answers[want] = true
		for _, name := range []string{"dml", "dxdispatch"} {
			if got := runWith(nil, nil, "strides", text, "-o", "json", "--from", name); got != want {
				t.Errorf("%s with --from %s: %+v, without it %+v", text, name, got, want)
			}
		}
	}
	if len(answers) < 8 {
		t.Errorf("only %d different answers", len(answers))
	}
}
