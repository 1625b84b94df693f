package kernel_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"layoutcalc/layout/kernel"
	"layoutcalc/layout/notation"
)

// A vector is a source, and the offset of an element of the layout that one of its names stands for.
type vector struct {
	ID, Text, Name string
	Given          map[string]string
	Index          []int64
	Offset         int64
}

// vectors reads testdata/sources.jsonl.
func vectors(t testing.TB) (list []vector) {
	t.Helper()
	f, err := os.Open("testdata/sources.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

// offset returns the offset that a source gives the element of a vector.
func (v vector) offset(t *testing.T, text string) int64 {
	t.Helper()
	s := kernel.Parse(text, v.Given)
	if s == nil {
		t.Fatalf("no definitions in\n%s", text)
	}
	r, err := s.Resolve(v.Name, kernel.Options{Given: v.Given}, kernel.Layout)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	d, err := r.Tensor(notation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	offset, err := d.Tensor.Layout().Offset(v.Index)
	if err != nil {
		t.Fatalf("%s: %v in\n%s", v.ID, err, text)
	}
	return offset
}

func TestSources(t *testing.T) {
	for _, v := range vectors(t) {
		if got := v.offset(t, v.Text); got != v.Offset {
			t.Errorf("%s: %s of %v at %d, want %d", v.ID, v.Name, v.Index, got, v.Offset)
		}
	}
}

// TestOtherStatements has the same sources among statements that are ignored, which must not change the answers.
func TestOtherStatements(t *testing.T) {
	cpp := []string{
		"launch<<<dim3(1), 128, size(x) < 3>>>(a, [&](auto x) { return x == 1; });", "\n#include <cute/tensor.hpp>\n",
		"/* auto bM = Int<1>{}; */ static_assert(a < b && c > d, \"auto bK = Int<1>{};\");",
		"template <class T, int N = 3> struct Other { static constexpr int bM = N; using Other_t = T; };",
		"\n#if 0\nauto bM = Int<1>{};\n#endif\n", "if (a < b) { auto bK = Int<1>{}; }", "x[i] = y->z = 'a';",
	}
	python := []string{
		"\nassert a < b, 'M = 1'\n", "\n\"\"\"\nM = 1\n\"\"\"\n", "\n# M = 1\n", "\nf(M=1, K=2)\n",
		"\ndef other(M=1):\n    K = 2\n    return lambda x: x\n",
	}
	for _, v := range vectors(t) {
		junk, statements := cpp, strings.SplitAfter(v.Text, ";")
		if !strings.Contains(v.Text, ";") {
			junk, statements = python, strings.SplitAfter(v.Text, "\n")
		}
		if strings.Contains(v.Text, "template") { // the struct is one statement
			statements = []string{v.Text}
		}
		for _, other := range junk {
			if strings.Contains(v.Name, "@") {
				continue // the case selects a line
			}
			text := other
			for _, statement := range statements {
				text += statement + other
			}
			if got := v.offset(t, text); got != v.Offset {
				t.Errorf("%s: %d, want %d in\n%s", v.ID, got, v.Offset, text)
			}
		}
	}
}

// TestIdioms has ways of writing numbers and names. The layouts follow from them by arithmetic.
func TestIdioms(t *testing.T) {
	tests := []struct{ text, name, want string }{
		{"constexpr int kM = 128; using A = Layout<Shape<Int<(kM > 64 ? 64 : 32)>, Int<(kM >> 3)>>, LayoutRight>;", "A",
			"(64,16):(16,1)"},
		{"using T = cutlass::half_t; auto s = make_layout(make_shape(C<sizeof(uint128_t) / sizeof(T)>{}, _4{}));", "s",
			"(8,4):(1,8)"},
		{"auto a = make_layout(make_shape(_4{}, _8{})); auto b = make_layout(shape(a), make_stride(size<1>(a), _1{}));",
			"b", "(4,8):(8,1)"},
		{"template <int N, bool B = (N > 3 && N < 9), int M = 4> struct S { " +
			"using L = Layout<Shape<Int<B ? N : 2>, Int<M>>>; }; using X = S<5>; using Y = typename X::L;", "Y",
			"(5,4):(1,5)"},
		{"#define BM 64\n#define BK (BM / 2)\nauto s = make_layout(make_shape(Int<BM>{}, Int<BK>{}), LayoutRight{});",
			"s", "(64,32):(32,1)"},
		{"#ifdef __CUDA_ARCH__\n#if __CUDA_ARCH__ >= 1000\nconstexpr int N = 2;\n#elif __CUDA_ARCH__ >= 900\n" +
			"constexpr int N = 4;\n#else\nconstexpr int N = 8;\n#endif\n#endif\nauto s = make_layout(Int<N>{});", "s",
			"4:1"},
		{"using L = std::conditional_t<std::is_same_v<half_t, float>, Layout<_2>, Layout<Shape<_3, _5>>>;", "L",
			"(3,5):(1,3)"},
		{"M, K = 128, 64\na = cute.make_layout((M, K), stride=(K, 1))", "a", "(128,64):(64,1)"},
		{"class Kern:\n    def __init__(self, m: int = 32):\n        self.m = m\n" +
			"    def run(self, k=16):\n        lay = cute.make_layout(shape=(self.m, k), stride=(k + 2 ** 3, 1))",
			"Kern.lay", "(32,16):(24,1)"},
		{"M = 4\ndef f():\n    M = 8\n    a = cute.make_layout((M, 2))\nb = cute.make_layout((M, 2))", "b",
			"(4,2):(1,4)"},
		{"a = cute.make_layout((4, 8))\nb = cute.make_layout((a.shape[1], 3 if a.stride[1] == 4 else 5))", "b",
			"(8,3):(1,8)"},
	}
	for _, tt := range tests {
		s := kernel.Parse(tt.text, nil)
		if s == nil {
			t.Errorf("%s: no definitions", tt.text)
			continue
		}
		if r, err := s.Resolve(tt.name, kernel.Options{}, kernel.Layout); err != nil || r.Text != tt.want {
			t.Errorf("%s: %s, %v, want %s", tt.text, r.Text, err, tt.want)
		}
	}
}

// TestCopies has copies of the matrices of an MMA in both languages. CuTe's documents say which atom an operator of
// Python is.
func TestCopies(t *testing.T) {
	const (
		mma = "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,2,4), (32,32,16))"
		cpp = "TiledMMA mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2,_2,_1>>{}, " +
			"Tile<_32,_32,_16>{});\nauto atom = Copy_Atom<SM75_U16x8_LDSM_T, half_t>{};\n"
		python = "op = warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, 16))\n" +
			"mma = cute.make_tiled_mma(op, (2, 2, 1), permutation_mnk=(32, 32, 16))\n" +
			"atom = cute.make_copy_atom(cute.nvgpu.warp.LdMatrix8x8x16bOp(transpose=True, num_matrices=4), " +
			"cutlass.Float16)\nother = cute.make_copy_atom(warp.StMatrix8x8x16bOp(False, 2), dtype)\n"
	)
	for _, tt := range []struct{ text, name, want string }{
		{cpp + "auto c = make_tiled_copy_A(atom, mma);", "c",
			"make_tiled_copy_A(Copy_Atom<SM75_U16x8_LDSM_T, 16>, " + mma},
		{cpp + "auto c = make_tiled_copy_B(a, mma);", "c:S", "make_tiled_copy_B(atom, " + mma},
		{cpp + "auto c = make_tiled_copy(atom, Layout<Shape<_32,_1>>{}, Layout<Shape<_1,_8>>{});", "c:d",
			"make_tiled_copy(Copy_Atom<SM75_U16x8_LDSM_T, 16>, (32,1):(1,32), (1,8):(1,1)"},
		{python + "c = cute.make_tiled_copy_B(atom, mma)", "c",
			"make_tiled_copy_B(Copy_Atom<SM75_U16x8_LDSM_T, 16>, " + mma},
		{python + "c = cute.make_tiled_copy_C(copy_atom=other, tiled_mma=mma)", "c",
			"make_tiled_copy_C(Copy_Atom<SM90_U32x2_STSM_N>, " + mma},
		{cpp + "auto c = make_tiled_copy_A(atom, thr_mma);", "c", "thr_mma is not known"},
		{cpp + "auto c = make_tiled_copy_A(atom);", "c", "make_tiled_copy_A has too few arguments"},
		{cpp + "auto c = make_tiled_copy_A(atom, atom);", "c", "Copy_Atom is not known"},
		{cpp + "auto c = make_tiled_copy_C_atom(atom, mma);", "c", "make_tiled_copy_C_atom is not evaluated here"},
	} {
		_, side, _ := strings.Cut(tt.name, ":")
		want := tt.want
		if strings.Contains(want, "(") {
			want += ")"
		}
		if side != "" {
			want += ":" + strings.ToUpper(side)
		}
		r, err := kernel.Parse(tt.text, nil).Resolve(tt.name, kernel.Options{}, kernel.Copy)
		if err != nil {
			r.Text = err.Error()
		}
		if r.Text != want {
			t.Errorf("%s of %s: %s, want %s", tt.name, tt.text, r.Text, want)
		}
	}
}

// TestDeclarations has names that are declared with a type, which says what they are or does not.
func TestDeclarations(t *testing.T) {
	const open = "is not known"
	for _, tt := range []struct{ text, name, want string }{
		{"Layout<Shape<_8,_4>, Stride<_4,_1>> l;", "l", "(8,4):(4,1)"},
		{"struct S { static constexpr Layout<Shape<_8,_4>> l{}; };", "S::l", "(8,4):(1,8)"},
		{"using L = Layout<Shape<_8,_4>>; void f() { const L l; auto m = coalesce(l); }", "m", "32:1"},
		{"template <int N> struct S { using L = Layout<Int<N>>; private: L l; }; using T = S<4>; " +
			"using M = decltype(T::l);", "M", "4:1"},
		{"Int<8> n; Shape<_2, _4> s; auto l = make_layout(make_shape(n, s));", "l", "(8,(2,4)):(1,(8,16))"},
		{"typename GMMA::Layout_K_SW128_Atom<half_t> a;", "a", "Sw<3,3,3> o 0 o (8,64):(64,1)"},
		{"TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, Layout<Shape<_2,_2,_1>>> m;", "m:B",
			"make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,2,4)):B"},
		{"TiledCopy<Copy_Atom<SM75_U32x4_LDSM_N, half_t>, Layout<Shape<Shape<_4,_8>,_8>, " +
			"Stride<Stride<_32,_1>,_16>>, Shape<_16,Shape<_2,_8>>> c{};", "c",
			"TiledCopy Copy_Atom<SM75_U32x4_LDSM_N, 16>\n  Tiler_MN: (16,(2,8)):(1,(16,32))\n" +
				"  TiledLayout_TV: ((4,8),8):((32,1),16)\n"},
		{"Copy_Atom<SM75_U32x4_LDSM_N, half_t> a; TiledMMA<UniversalFMA<float>> m; " +
			"auto c = make_tiled_copy_A(a, m);", "c",
			"make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, 16>, make_tiled_mma(UniversalFMA))"},
		{"int M; auto l = make_layout(Int<M>{});", "l", open},
		{"using T = half_t; T M; auto l = make_layout(Int<M>{});", "l", open},
		{"Layout<Shape<int, _4>> l;", "l", open},
		{"using L = Layout<_4>; L f() { return L; } L *p; L q[3]; L a, b; auto g = L(h);", "", "4:1"},
	} {
		r, err := kernel.Parse(tt.text, nil).Resolve(tt.name, kernel.Options{})
		if err != nil {
			r.Text = err.Error()
		}
		if r.Text != tt.want && !(tt.want == open && strings.HasSuffix(r.Text, open)) {
			t.Errorf("%s of %s: %s, want %s", tt.name, tt.text, r.Text, tt.want)
		}
	}
}

func TestRefused(t *testing.T) {
	tests := []struct{ text, name, want string }{
		{"auto s = make_layout(make_shape(M, _8{}));", "s", "M is not known"},
		{"auto s = make_layout(make_shape(s2, _8{})); auto s2 = s;", "s", "s2 is not known"},
		{"auto s = make_layout(f(4));", "s", "f is not evaluated here"},
		{"auto n = Int<4>{}; auto s = make_layout(make_shape(n / 0));", "s", "4 / 0 has no value"},
		{"auto s = make_layout(_4{});\nauto t = s;\nauto s = make_layout(_8{});", "s",
			"the source defines s more than once: s@1, s@3"},
		{"auto s = make_layout(_4{}); auto t = make_layout(_8{});", "", "the source defines s, t"},
		{"auto s = tile_to_shape(GMMA::Layout_K_SW128_Atom<TA>{}, make_shape(_128{}, _64{}));", "s",
			"the element type TA is not known"},
		{"s = make_layout((4, 8)); auto t = s(3);", "t", "the call of (4,8):(1,4) is not evaluated"},
		{"auto s = make_layout(" + strings.Repeat("(", 100) + "4" + strings.Repeat(")", 100) + ");", "s",
			"brackets nest deeper than the limit of 64"},
	}
	for _, tt := range tests {
		s := kernel.Parse(tt.text, nil)
		if s == nil {
			t.Errorf("%s: no definitions", tt.text)
			continue
		}
		if _, err := s.Resolve(tt.name, kernel.Options{}, kernel.Layout); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.text, err, tt.want)
		}
	}
}

// TestUnclosed reads sources in which a bracket is not closed, and a value that each definition doubles: they end, and
// messages stay short.
func TestUnclosed(t *testing.T) {
	deep := "auto a0 = Int<1>{};\n"
	for i := range 100 {
		deep += fmt.Sprintf("auto a%d = make_shape(a%d, a%d);\n", i+1, i, i)
	}
	for _, text := range []string{
		strings.Repeat("template<int a, class T = ", 5000), strings.Repeat("(", 5000), strings.Repeat("auto a = (",
			5000), deep, strings.Repeat("Layout<", 5000),
		strings.Repeat("Layout<a", 5000) + strings.Repeat("{};", 5000),
		strings.Repeat("Layout<(a{}; > b;", 5000), strings.Repeat("using a = a; a a;", 5000),
		strings.Repeat("TiledCopy<", 5000) + ";" + strings.Repeat("a::", 5000) + "a a;",
	} {
		s := kernel.Parse(text+"\nauto L = make_layout(Int<8>{});\n", nil)
		if s == nil {
			continue
		}
		for _, name := range []string{"a", "a30", "x", ""} {
			if _, err := s.Resolve(name, kernel.Options{}); err != nil && len(err.Error()) > 1000 {
				t.Errorf("%.20q: a message of %d bytes", text, len(err.Error()))
			}
		}
	}
}

// FuzzParse resolves all names in a source.
func FuzzParse(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v.Text, v.Name)
	}
	f.Add("#if __CUDA_ARCH__ >= 800\n#define N 4\n#else\n#endif\nauto s = make_layout(N);", "s@5")
	f.Fuzz(func(_ *testing.T, text, name string) {
		if s := kernel.Parse(text, nil); s != nil {
			s.Resolve(name, kernel.Options{})
			s.Resolve("", kernel.Options{}, kernel.MMA)
		}
	})
}
