//go:build !race

package processtest

import (
	"fmt"
	"strings"
)

// growingTexts are inputs in notations, and arguments.
var growingTexts = []grower{
	// Inputs in notations.
	{name: "lines of a batch", n: 100, args: on("strides", "--batch", "a.txt", "-o", "json"),
		files: repeats("a.txt", "", "2x3 NC\n", "")},
	{name: "words of a line of a batch", n: 100, args: on("strides", "--batch", "a.txt", "-o", "json"),
		files: repeats("a.txt", "2x3", " --pad 1=1", "\n")},
	{name: "a word of a batch", n: 500, args: on("strides", "--batch", "a.txt", "-o", "json"),
		files: repeats("a.txt", "2x3 ", `'"x"'\y`, "\n")},
	{name: "lines of hlo", n: 50, args: strides, files: repeats("a.txt", "HloModule m\nENTRY e {\n",
		"  %p.%d = f32[2,3]{1,0} parameter(%d)\n", "}\n")},
	{name: "a tuple of hlo", n: 50, args: strides, files: listed("a.txt", "(", "f32[2,3]{1,0}", ")")},
	{name: "tuples in tuples of hlo", n: 8, limited: true, args: strides,
		files: nested("a.txt", "", "(", "f32[2]{0}", ")", "")},
	{name: "tiles of hlo", n: 8, limited: true, args: strides,
		files: repeats("a.txt", "f32[64,64]{1,0:T(8,128)", "(2)", "}")},
	{name: "lines of mlir", n: 50, args: strides, files: repeats("a.txt", "",
		"%%d = memref.alloc() : memref<2x3xf32, strided<[3, 1]>>\n", "")},
	{name: "maps of mlir", n: 50, args: strides, files: repeats("a.txt", "",
		"#map%d = affine_map<(d0, d1) -> (d1, d0)>\n", "memref<2x3xf32, #map0>\n")},
	{name: "an expression of mlir", n: 200, args: strides,
		files: repeats("a.txt", "memref<2x3xf32, affine_map<(d0, d1) -> (d0 * 3 + d1", " + 1", ")>>")},
	{name: "parentheses of mlir", n: 8, limited: true, args: strides,
		files: nested("a.txt", "memref<2x3xf32, affine_map<(d0, d1) -> (", "(", "d0 * 3 + d1", ")", ")>>")},
	{name: "modes of cute", n: 16, limited: true, args: strides,
		files: one("a.txt", func(n int) string { return "(" + commas(n, "2") + "):(" + commas(n, "1") + ")" })},
	{name: "parentheses of cute", n: 8, limited: true, args: strides, files: one("a.txt", func(n int) string {
		return strings.Repeat("(", n) + "2" + strings.Repeat(",2)", n) + ":" + strings.Repeat("(", n) + "1" +
			strings.Repeat(",1)", n)
	})},
	{name: "lines of onednn", n: 50, args: strides,
		files: repeats("a.txt", "",
			"onednn_verbose,primitive,exec,cpu,reorder,x,undef,"+
				"src_f32::blocked:abcd::f0 dst_f32::blocked:acdb::f0,,,2x3x4x5,0.1\n", "")},
	{name: "a problem of onednn", n: 50, args: strides,
		files: repeats("a.txt", "--matmul ", "--dt=f32 ", "3x2x4:3x4x6\n")},
	{name: "declarations of c++", n: 50, args: strides,
		files: repeats("a.txt", "", "UINT s%d[] = {2, 3};\n",
			"DML_BUFFER_TENSOR_DESC d"+initialized)},
	{name: "structs of c++", n: 30, args: strides, files: repeats("a.txt", "UINT s0[] = {2, 3};\n",
		"DML_BUFFER_TENSOR_DESC d%d"+initialized, "")},
	{name: "comments of c++", n: 100, args: strides,
		files: repeats("a.txt", "", "// comment\n/* another */\n",
			"UINT s0[] = {2, 3}; DML_BUFFER_TENSOR_DESC d"+initialized)},
	{name: "values of gdb", n: 30, args: strides, files: repeats("a.txt", "s = {2, 3}\n",
		"$%d = {DataType = DML_TENSOR_DATA_TYPE_FLOAT32, Flags = DML_TENSOR_FLAG_NONE, DimensionCount = 2, "+
			"Sizes = 0x5010 <s>, Strides = 0x0}\n", "")},
	{name: "lines of fx", n: 50, args: strides, files: repeats("a.txt", "", "arg%d_1: \"f32[8, 3][1, 8]cuda:0\"\n",
		"")},
	{name: "shapes of pytorch", n: 50, args: strides,
		files: repeats("a.txt", "", "x%d: shape=torch.Size([4, 8]) stride=(1, 4) dtype=torch.half\n", "")},
	{name: "calls of pytorch", n: 50, limited: true, args: strides,
		files: repeats("a.txt", "torch.empty(2, 3)", ".t()", "")},
	{name: "lines of ggml", n: 50, args: strides, files: repeats("a.txt", "",
		"[   1/ 291] a%d.weight - [ 4096, 32], type =    f16, size = 1 MB\n", "")},
	{name: "lines of no notation", n: 50, args: strides,
		files: repeats("a.txt", "", "this is line %d of something else\n", "")},
	{name: "brackets of no notation", n: 100, args: strides, files: repeats("a.txt", "", "[", "")},
	{name: "parentheses of no notation", n: 100, args: strides, files: repeats("a.txt", "", "(", "")},
	{name: "quotes of no notation", n: 100, args: strides, files: repeats("a.txt", "", `"a" `, "")},
	{name: "equals signs of no notation", n: 100, args: strides, files: repeats("a.txt", "", "a=b ", "")},
	{name: "blanks before a tensor", n: 1000, args: strides, files: repeats("a.txt", "", " ", "2x3\n")},

	// Arguments.
	{name: "axes", n: 16, limited: true, args: func(n int) []string {
		return []string{"strides",
			strings.Repeat("1x", n) + "2", "-o", "json"}
	}},
	{name: "axes of a name", n: 100, args: func(n int) []string {
		return []string{"strides", "2x3",
			strings.Repeat("N", n)}
	}},
	{name: "blocks of a name", n: 40, limited: true,
		args: func(n int) []string {
			return []string{"strides", "4x4", "AB" + strings.Repeat("2a", n), "-o",
				"json"}
		}},
	{name: "digits of a size", n: 500, args: func(n int) []string {
		return []string{"strides",
			strings.Repeat("9", n)}
	}},
	{name: "indices", n: 50, args: func(n int) []string {
		return strings.Fields("offset 2x3" +
			strings.Repeat(" 1,1", n) + " -o json")
	}},
	{name: "values", n: 100, args: func(n int) []string {
		return []string{"offset", fmt.Sprint(n), "--values", commas(n, "%d"), "--width", "80"}
	}},
	{name: "elements", n: 200, args: func(n int) []string {
		return []string{"offset", fmt.Sprint(n), "--all", "-o",
			"csv"}
	}},
	{name: "elements as a table", n: 100, args: func(n int) []string {
		return []string{"offset", fmt.Sprint(n),
			"--all", "--width", "80"}
	}},
	{name: "lanes of a tensor", n: 500, args: func(n int) []string {
		return []string{"access", fmt.Sprintf("%dx2", n), "--lanes", fmt.Sprintf("0=%d", n), "--vec", "1", "-o", "json"}
	}},
	{name: "places of lanes", n: 500, args: func(n int) []string {
		return []string{"access", fmt.Sprintf("%dx32", n), "--lanes", "1=32", "--all", "--try", "swizzles"}
	}},
	{name: "lists of lanes", n: 20, args: func(n int) []string {
		return strings.Fields("access 64x64 --vec 1" + strings.Repeat(" --lanes 0=32", n))
	}},
	{name: "lines of a cache", n: 500, args: func(n int) []string {
		return []string{"access", fmt.Sprintf("%dx64", n), "--loops", "1,0",
			"--cache-lines", fmt.Sprint(n / 2), "-o", "csv"}
	}},
	{name: "offsets that are swizzled", n: 500, args: func(n int) []string {
		return []string{"compare", fmt.Sprint(n), "--values", commas(n, "%d"), "-o", "plain"}
	}},
	{name: "steps of a view", n: 50, args: func(n int) []string {
		return strings.Fields("view 2x3" + strings.Repeat(" transpose(0,1)", n) + " -o json")
	}},
	{name: "steps of a view as a table", n: 50, args: func(n int) []string {
		return strings.Fields("view 2x3" +
			strings.Repeat(" transpose(0,1)", n))
	}},
	{name: "steps in one text", n: 50, args: func(n int) []string {
		return []string{"view", "2x3",
			strings.Repeat("t().", n) + "t()", "-o", "json"}
	}},
	{name: "indices of a step", n: 200, args: func(n int) []string {
		return []string{"view", "2x3", "[" +
			commas(n, ":") + "]"}
	}},
	{name: "new axes of a step", n: 8, limited: true,
		args: func(n int) []string { return []string{"view", "2x3", "[" + commas(n, "None") + "]", "-o", "json"} }},
	{name: "views of a flag", n: 50, args: func(n int) []string {
		return strings.Fields("strides 2x3" + strings.Repeat(" --view t()", n) + " -o json")
	}},
	{name: "sizes by name", n: 16, limited: true, args: func(n int) []string {
		return []string{"strides", "memref<?x3xf32>",
			"--dim", commas(n, "s%d=2")}
	}},
	{name: "notations of one kind", n: 50, args: func(n int) []string {
		return []string{"strides", "2x3", "--as",
			commas(n, "cute")}
	}},
	{name: "fields of an answer", n: 100, args: func(n int) []string {
		return []string{"strides", "2x3", "--get",
			commas(n, "strides")}
	}},
	{name: "blocks of a comparison", n: 4, limited: true, args: func(n int) []string {
		return []string{"compare", "4096x4096", "AB" + strings.Repeat("2a", n), "BA" + strings.Repeat("2b", n),
			"-o", "json"}
	}},
	{name: "axes of a conversion", n: 8, limited: true, args: func(n int) []string {
		return []string{"convert", strings.Repeat("1x", n) + "2", "row-major", "column-major", "-o", "json"}
	}},
	{name: "letters of a type", n: 500, args: func(n int) []string {
		return []string{"strides", "2x3", "-t",
			strings.Repeat("f", n)}
	}},
	{name: "letters of a command", n: 500, args: func(n int) []string {
		return []string{strings.Repeat("strides",
			n)}
	}},
	{name: "letters of a flag", n: 500, limited: true,
		args: func(n int) []string { return []string{"strides", "2x3", "--" + strings.Repeat("pad", n)} }},
	{name: "letters of what is explained", n: 500, args: func(n int) []string {
		return []string{"explain",
			strings.Repeat("gaps", n)}
	}},
	{name: "words of what is explained", n: 100, args: func(n int) []string {
		return strings.Fields("explain" +
			strings.Repeat(" gaps", n))
	}},
}
