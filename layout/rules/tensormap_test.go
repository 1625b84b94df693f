package rules_test

import (
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/rules"
)

// A tensorMap is a tensor map in a test. Lists are outermost first and strides are in elements, except for maps with a
// CUDA driver type.
type tensorMap struct {
	dtype, driver    string
	sizes, strides   []int64
	box, steps       []int64
	swizzle, between string
	fill             string
	address, base    int64
}

// descriptor returns the descriptor of a map.
func (m tensorMap) descriptor(t *testing.T) *descriptor.Descriptor {
	t.Helper()
	code := func(e *descriptor.MapEnum, name string) descriptor.MapCode {
		if name == "" {
			name = "0"
		}
		c, err := e.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	of := &descriptor.TensorMap{
		Box: m.box, Steps: m.steps, Swizzle: code(&descriptor.MapSwizzles, m.swizzle),
		Interleave: code(&descriptor.MapInterleaves, m.between), Fill: code(&descriptor.MapFills, m.fill),
		Address: descriptor.Number{Value: m.address, Stated: m.address >= 0},
	}
	d := &descriptor.Descriptor{Source: parts{}, Sizes: m.sizes, Strides: m.strides, Base: m.base, Map: of}
	if m.driver != "" {
		of.Type = code(&descriptor.MapTypeNames, m.driver)
		d.SetMap(of, m.sizes, m.strides)
		return d
	}
	d.TypeName, d.TypeKnown = m.dtype, true
	var err error
	if d.Type, err = layout.ParseDType(m.dtype); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestTensorMaps checks the last right and the first wrong value of each condition of cuTensorMapEncodeTiled.
func TestTensorMaps(t *testing.T) {
	type change func(*tensorMap)
	half := tensorMap{dtype: "float16", sizes: []int64{512, 1024}, box: []int64{64, 64}, swizzle: "128B",
		address: 0x7f0000000000}
	cube := tensorMap{dtype: "float16", sizes: []int64{8, 8, 64}, box: []int64{8, 8, 16}, between: "32B",
		swizzle: "32B", address: 0x7f0000000000}
	packed := tensorMap{driver: "16U4_ALIGN16B", sizes: []int64{1024, 512}, strides: []int64{512},
		box: []int64{128, 8}, address: -1}
	box := func(sizes ...int64) change { return func(m *tensorMap) { m.box = sizes } }
	swizzle := func(name string, box ...int64) change {
		return func(m *tensorMap) { m.swizzle, m.box = name, box }
	}
	sizes := func(sizes ...int64) change { return func(m *tensorMap) { m.sizes = sizes } }
	steps := func(steps ...int64) change { return func(m *tensorMap) { m.steps = steps } }
	at := func(address, base int64) change { return func(m *tensorMap) { m.address, m.base = address, base } }
	fill := func(dtype string) change {
		return func(m *tensorMap) { m.dtype, m.fill = dtype, "NAN_REQUEST_ZERO_FMA" }
	}
	strides := func(strides ...int64) change { return func(m *tensorMap) { m.strides = strides } }
	for _, tt := range []struct {
		rule         *finding.Rule
		of           tensorMap
		right, wrong change
		part         descriptor.Part
		item         int
		says         string
	}{
		{rules.TMABox, half, box(256, 64), box(257, 64), descriptor.BoxPart, 0, "size 257 of the box in dimension 0"},
		{rules.TMABox, half, box(1, 64), box(0, 64), descriptor.BoxPart, 0, "1 to 256"},
		{rules.TMABox, half, box(64, 24), box(64, 20), descriptor.BoxPart, 1, "40 bytes, not a multiple of 16"},
		{rules.TMABox, half, box(64, 64), box(1, 64, 64), descriptor.BoxPart, -1, "3 sizes for 2 sizes"},
		{rules.TMASwizzle, half, box(64, 64), box(64, 72), descriptor.BoxPart, 1,
			"144 bytes, swizzle 128B has rows of at most 128"},
		{rules.TMASwizzle, half, swizzle("64B", 64, 32), swizzle("64B", 64, 40), descriptor.BoxPart, 1, "at most 64"},
		{rules.TMASwizzle, half, swizzle("32B", 64, 16), swizzle("32B", 64, 24), descriptor.BoxPart, 1, "at most 32"},
		{rules.TMASwizzle, half, swizzle("128B_ATOM_32B", 64, 64), swizzle("128B_ATOM_32B", 64, 72), descriptor.BoxPart,
			1,
			"at most 128"},
		{rules.TMASwizzle, half, swizzle("NONE", 64, 256), swizzle("128B_ATOM_64B", 64, 256), descriptor.BoxPart, 1,
			"128"},
		{rules.TMASize, half, sizes(1, 1024), sizes(0, 1024), descriptor.SizesPart, 0, "size 0 of dimension 0"},
		{rules.TMASize, half, sizes(1<<32, 1024), sizes(1<<32+1, 1024), descriptor.SizesPart, 0, "4294967297"},
		{rules.TMASize, half, strides(1<<39-8, 1), strides(1<<39, 1), descriptor.StridesPart, 0, "549755813888"},
		{rules.TMASize, half, strides(1<<39-8, 1), strides(1<<62, 1), descriptor.StridesPart, 0, "1099511627776"},
		{rules.TMASize, cube, strides(1024, 80, 1), strides(1024, 72, 1), descriptor.StridesPart, 1,
			"32 bytes, as interleaving"},
		{rules.TMAStride16, cube, strides(1024, 80, 1), strides(1024, 76, 1), descriptor.StridesPart, 1, "32 bytes"},
		{rules.TMAAddress, half, at(0x10, 0), at(0x8, 0), descriptor.AddressPart, -1, "0x8, not at a multiple of 16"},
		{rules.TMAAddress, half, at(0x10, 8), at(0, 0), descriptor.AddressPart, -1, "the address is 0"},
		{rules.TMAAddress, half, at(0x8, 4), at(0x10, 4), descriptor.AddressPart, -1,
			"the first element is at address 0x18"},
		{rules.TMAAddress, cube, at(0x20, 0), at(0x10, 0), descriptor.AddressPart, -1, "multiple of 32"},
		{rules.TMAStride16, half, at(-1, 8), at(-1, 4), descriptor.BasePart, -1, "at offset 4"},
		{rules.TMAElementStride, half, steps(8, 1), steps(9, 1), descriptor.ElementStridesPart, 0, "element stride 9"},
		{rules.TMAElementStride, half, steps(1, 0), steps(0, 1), descriptor.ElementStridesPart, 0, "element stride 0"},
		{rules.TMAElementStride, half, steps(1, 1), steps(1, 2), descriptor.ElementStridesPart, 1, "is ignored"},
		{rules.TMAElementStride, cube, steps(1, 1, 2), steps(1, 1, 0), descriptor.ElementStridesPart, 2,
			"element stride 0"},
		{rules.TMAElementStride, half, steps(1, 1), steps(1), descriptor.ElementStridesPart, -1,
			"1 element stride for 2"},
		{rules.TMAInterleave, cube, func(*tensorMap) {}, func(m *tensorMap) { m.sizes, m.box = m.sizes[1:], m.box[1:] },
			descriptor.InterleavePart, -1, "2 dimensions"},
		{rules.TMAInterleave, cube, func(*tensorMap) {}, func(m *tensorMap) { m.swizzle = "64B" },
			descriptor.SwizzlePart, -1,
			"32B only"},
		{rules.TMAInterleave, cube, func(m *tensorMap) { m.between, m.swizzle = "16B", "64B" },
			func(m *tensorMap) { m.swizzle = "NONE" }, descriptor.SwizzlePart, -1, "swizzle NONE"},
		{rules.TMAPacked, packed, box(128, 8), box(64, 8), descriptor.BoxPart, 1, "needs 128"},
		{rules.TMAPacked, packed, sizes(1152, 512), sizes(1088, 512), descriptor.SizesPart, 1, "a multiple of 128"},
		{rules.TMAPacked, packed, func(m *tensorMap) { m.swizzle = "128B_ATOM_32B" },
			func(m *tensorMap) { m.swizzle = "64B" }, descriptor.SwizzlePart, -1, "does not go with"},
		{rules.TMAPacked, packed, func(m *tensorMap) { m.driver, m.swizzle = "16U6_ALIGN16B", "128B_ATOM_64B" },
			func(m *tensorMap) { m.swizzle = "128B_ATOM_64B" }, descriptor.SwizzlePart, -1,
			"does not go with 16U4_ALIGN16B"},
		{rules.TMAPacked, packed, func(m *tensorMap) { m.driver = "16U4_ALIGN8B" },
			func(m *tensorMap) { m.driver, m.sizes = "16U4_ALIGN8B", []int64{1023, 512} }, descriptor.SizesPart, 1,
			"even"},
		{rules.TMASize, packed, strides(544), strides(528), descriptor.StridesPart, 0, "as 16U4_ALIGN16B wants it"},
		{rules.TMAStride16, packed, strides(544), strides(520), descriptor.StridesPart, 0, "the driver's dimension 1"},
		{rules.TMAStride16, packed, strides(512), strides(513), descriptor.StridesPart, 0, "513 bytes"},
		{rules.TMAOOB, half, fill("bfloat16"), fill("uint16"), descriptor.FillPart, -1,
			"uint16 is not a floating type"},
		{rules.TMAOOB, half, fill("float64"), fill("float8_e5m2"), descriptor.FillPart, -1, "float8_e5m2"},
		{rules.TMAOOB, packed, func(m *tensorMap) { m.driver, m.fill, m.strides = "TFLOAT32", "1", []int64{4096} },
			func(m *tensorMap) { m.fill = "1" }, descriptor.FillPart, -1, "cannot be NaN"},
	} {
		right, wrong := tt.of, tt.of
		tt.right(&right)
		tt.wrong(&wrong)
		if found := of(check(descriptor.Target{Family: finding.TMA}, right.descriptor(t)), tt.rule); len(found) > 0 {
			t.Errorf("%v: %+v is right: %s", tt.rule, right, shown(found))
		}
		found := of(check(descriptor.Target{Family: finding.TMA}, wrong.descriptor(t)), tt.rule)
		isSaid := func(f finding.Finding) bool {
			return f.Line == int(tt.part) && f.Column == tt.item && strings.Contains(f.Message, tt.says)
		}
		if !slices.ContainsFunc(found, isSaid) {
			t.Errorf("%v: %+v is wrong, %d %d %q: %s", tt.rule, wrong, tt.part, tt.item, tt.says, shown(found))
		}
	}
}

// TestSharedTile checks the note on the tile in shared memory: the swizzle in elements, its period in bytes (512 for
// 64B, because its bits end at 4+2+3), and which of the elements it has.
func TestSharedTile(t *testing.T) {
	for _, tt := range []struct {
		of   tensorMap
		says string
	}{
		{tensorMap{dtype: "float16", sizes: []int64{512, 1024}, box: []int64{64, 64}, swizzle: "128B"},
			"Sw<3,3,3> o 0 o (64,64):(64,1), 8192 bytes, aligned to 128 bytes; the pattern of swizzle 128B repeats " +
				"after 1024 bytes"},
		{tensorMap{dtype: "float32", sizes: []int64{512, 1024}, box: []int64{8, 16}, swizzle: "64B"},
			"Sw<2,2,3> o 0 o (8,16):(16,1), 512 bytes, aligned to 128 bytes; the pattern of swizzle 64B repeats " +
				"after 512 bytes"},
		{tensorMap{dtype: "uint8", sizes: []int64{512, 1024}, box: []int64{9, 32}, steps: []int64{2, 1}},
			"is (5,32):(32,1), 160 bytes, aligned to 128 bytes"},
		{tensorMap{dtype: "uint8", sizes: []int64{512, 1024}, box: []int64{8, 128}, swizzle: "128B_ATOM_64B"},
			"is 128B_ATOM_64B of (8,128):(128,1), 1024 bytes"},
		{tensorMap{driver: "16U4_ALIGN16B", sizes: []int64{1024, 512}, strides: []int64{512}, box: []int64{128, 8},
			swizzle: "128B"}, "Sw<3,4,3> o 0 o (8,128):(128,1), 1024 bytes"},
	} {
		tt.of.address = -1
		found := check(descriptor.Target{Family: finding.TMA}, tt.of.descriptor(t))
		if notes := of(found, rules.TMASmem); len(notes) != 1 || !strings.Contains(notes[0].Message, tt.says) {
			t.Errorf("%+v: %q: %s", tt.of, tt.says, shown(found))
		}
	}
}
