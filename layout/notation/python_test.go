package notation

import (
	"flag"
	"fmt"
	"strings"
	"testing"
)

var programsFile = flag.String("programs", "testdata/programs/programs.txt", "programs with the answers of gen.py")

// TestProgramsOfSystems reads random programs and compares all their variables with those of real PyTorch and NumPy:
// sizes, strides, base and type.
func TestProgramsOfSystems(t *testing.T) {
	t.Parallel()
	failed := 0
	for _, line := range foreign(t, *programsFile) {
		parts := strings.Split(line, "\t")
		text := strings.NewReplacer("; ", "\n", `\n`, "\n").Replace(parts[1])
		n, err := Find(parts[0])
		if err != nil {
			t.Fatal(err)
		}
		found, err := n.Read(text, Options{})
		got := map[string]string{}
		for _, d := range found {
			got[d.Name] = answerOf(d)
		}
		for _, want := range parts[2:] {
			name, answer, _ := strings.Cut(want, " ")
			if err != nil || !answers(got[name], answer) {
				t.Errorf("%s\n%s is %s, %v, want %s", text, name, got[name], err, answer)
				failed++
				break
			}
		}
		if failed == 25 {
			t.Fatal("and others")
		}
	}
}

// answerOf returns the sizes, the strides, the base and the type of a tensor, as gen.py writes them.
func answerOf(d Descriptor) string {
	if d.Fault != nil {
		return "! " + d.Fault.Error()
	}
	l := d.Tensor.Layout()
	strides, _ := l.LinearStrides()
	list := func(numbers []int64) string {
		if len(numbers) == 0 {
			return "-"
		}
		return strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", ",")
	}
	return fmt.Sprint(list(l.Sizes()), " ", list(strides), " ", l.Base(), " ", d.Tensor.DType())
}

// answers compares two answers, of which the second may leave numbers open.
func answers(got, want string) bool {
	have, wanted := strings.FieldsFunc(got, isApart), strings.FieldsFunc(want, isApart)
	for i, word := range wanted {
		if i >= len(have) || word != "_" && word != have[i] {
			return false
		}
	}
	return len(have) == len(wanted)
}

func isApart(r rune) bool { return r == ' ' || r == ',' }

// TestProgramStatements has programs and the resulting tensors, run on PyTorch 1.13 and NumPy 1.24, or the words of the
// error.
func TestProgramStatements(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ system, text, name, want, reason string }{
		{"pytorch", "x = torch.randn(2, 3)\nx = x.to('cpu').t()", "x", "3,2 1,3 0 float32", "one tensor, the last"},
		{"pytorch", "x = torch.zeros(2, 3, 4)\nx.transpose_(1, 2)", "x", "2,4,3 12,1,4 0 float32", "in place"},
		{"pytorch", "x = torch.zeros(4, 5)\nx.t_()", "x", "5,4 1,5 0 float32", "in place"},
		{"pytorch", "x = torch.zeros(4, 5)\ny = x\nx.t_()", "y", "5,4 1,5 0 float32", "two names of one tensor"},
		{"pytorch", "x = torch.randn(2, 3)\nx = torch.transpose(x, 0, 1)\ny = x[0]", "y", "2 3 0 float32",
			"a function"},
		{"pytorch", "N, C = 2, 3\nx = torch.randn(N, C*4, 5)\ny = x.view(x.size(0), C, -1)", "y",
			"2,3,20 60,20,1 0 float32",
			"names of sizes"},
		{"pytorch", "x = torch.zeros(4, 6)\nB, T = x.shape\ny = x.view(B, T // 2, 2)", "y", "4,3,2 6,2,1 0 float32",
			"the sizes of a tensor"},
		{"pytorch", "x = torch.zeros(4, 6)\nq, k, v = x.chunk(3, dim=-1)", "k", "4,2 6,1 2 float32", "parts"},
		{"pytorch", "x = torch.zeros(4, 6)\nq, k = x.chunk(3, dim=-1)", "k", "more parts", "ValueError"},
		{"pytorch", "torch.tensor([[0, 1]]).transpose(1, 0).contiguous().stride()\n(1, 2)", "", "2,1 1,2 0 int64",
			"pytorch/pytorch#116333: contiguous returns the tensor itself"},
		{"pytorch", "x = torch.zeros(2, 3)\nx.t().stride()\n(3, 1)", "x", "the text prints (3, 1)", "a contradiction"},
		{"pytorch", "x = torch.zeros(2, 3)\nprint(x.shape, x.t().is_contiguous())\ntorch.Size([2, 3]) False", "x",
			"2,3 3,1 0 float32", "printed"},
		{"pytorch", "x = torch.zeros(2, 3)\nx.is_contiguous()\nFalse", "x", "is_contiguous is False",
			"a contradiction"},
		{"pytorch", "x = torch.zeros(2, 3)\ny = (x\n    .t()\n    .contiguous())", "y", "3,2 2,1 0 float32",
			"brackets"},
		{"pytorch", "x = torch.zeros(2, 3)\ny = (x + 1).t()", "y", "! the text makes y here", "an operator"},
		{"pytorch", "x = torch.zeros(2, 3)\nx.foo_()", "x", "changes x here", "an unknown method that changes it"},
		{"pytorch", "x = torch.zeros(2, 3)\nx.resize_(3, 2)", "x", "changes x here", "not understood"},
		{"pytorch", "x = torch.zeros(2, 3)\nx = f(x)", "x", "changes x here", "a function of nobody"},
		{"pytorch", "x = torch.zeros(2, 3)\nf(x)\ny = torch.zeros(2)", "x", "! the text changes x here",
			"it may change x"},
		{"pytorch", "x = torch.zeros(2, 3)\ntorch.add(a, b, out=x)\ny = torch.zeros(2)", "x",
			"! the text changes x here",
			"out= gives it other sizes"},
		{"pytorch", "x = torch.zeros(2, 3)\nx.data = y", "x", "changes x here", "another tensor"},
		{"pytorch", "x = torch.zeros(2, 3)\nif a:\n    x = x.t()", "x", "cannot read a program with \"if\"",
			"a branch"},
		{"pytorch", "for i in r:\n    x = torch.zeros(2, 3)\n    x = x.t()", "x", "cannot read a program with \"for\"",
			"a loop"},
		{"pytorch", "x = torch.zeros(2, 3)\nx[0] = 5\nx += 1\nprint(x)", "x", "2,3 3,1 0 float32",
			"elements"},
		{"pytorch", "x = torch.zeros(2, 3)\ny = f(x)\nz = y.t()", "z", "! the text makes y here",
			"what follows from it"},
		{"pytorch", "x, = torch.zeros(1, 3)\ny = torch.zeros(2)", "x", "! the text makes x here", "one row"},
		{"pytorch", "x = torch.zeros(4, 6)[:, ::2]\ny = x.cuda()", "y", "! whether this copies",
			"the device is not known"},
		{"numpy", "x = np.zeros((2, 3)); x = np.asfortranarray(x)", "x", "2,3 1,2 0 float64", "a function"},
		{"numpy", "x = np.zeros((4, 6))\nx.shape = (6, 4)", "x", "6,4 4,1 0 float64", "an assignment"},
		{"numpy", "x = np.zeros((4, 6)).T\nx.shape = (24,)", "x", "changes x here", "AttributeError"},
		{"numpy", "x = np.zeros((4, 6))\nx.strides = (8, 32)", "x", "changes x here", "not understood"},
		{"numpy", "x = np.zeros((4, 6))\nx.resize(3, 2)", "x", "changes x here", "not understood"},
		{"numpy", "im = np.ones((2880,1800,3), dtype=np.uint8)\nim = np.transpose(im, (1,0,2))", "im",
			"1800,2880,3 3,5400,1 0 uint8", "numpy/numpy#10530"},
		{"numpy", "x = np.zeros((4, 6))\nx.T.strides\n(8, 48)", "x", "4,6 6,1 0 float64", "bytes"},
		{"numpy", "x = np.array([[1, 2, 3], [4, 5, 6]])\ny = np.array(x.T)", "y", "3,2 1,3 0 int64",
			"elements in the text"},
		{"numpy", "x = np.zeros_like(np.zeros((2, 3)), 'i4')", "x", "2,3 3,1 0 int32", "the type in its place"},
		{"numpy", "x = np.zeros_like(np.zeros((2, 3)), 'i4', 'F')", "x", "2,3 1,2 0 int32", "the order in its place"},
		{"numpy", "x = np.full_like(np.zeros((2, 3)), 1, 'i4')", "x", "2,3 3,1 0 int32", "behind the number"},
		{"numpy", "x = np.zeros((2, 3)).astype('f4', 'F')", "x", "2,3 1,2 0 float32", "the order in its place"},
		{"numpy", "x = np.empty_like(np.zeros((2, 3)), shape=(4,))", "x", "another shape", "other sizes"},
		{"pytorch", "x = torch.zeros_like(torch.zeros(2, 3), torch.int8)", "x", "by name", "TypeError"},
		{"numpy", "x = np.arange(10, step=3)", "x", "4 1 0 int64", "a single bound"},
		{"numpy", "x = np.arange(2, stop=10)", "x", "8 1 0 int64", "NumPy's names"},
		{"numpy", "x = np.arange(start=2, stop=9, step=2)", "x", "4 1 0 int64", "all by name"},
		{"numpy", "x = np.arange(1, 10, 2, 'f4')", "x", "5 1 0 float32", "the type in its place"},
		{"numpy", "x = np.arange(start=3)", "x", "arange needs stop", "TypeError"},
		{"pytorch", "x = torch.arange(end=10)", "x", "10 1 0 int64", "by name"},
		{"pytorch", "x = torch.arange(2, end=10)", "x", "8 1 0 int64", "one by name"},
		{"pytorch", "x = torch.arange(1, 10, step=2)", "x", "5 1 0 int64", "one by name"},
		{"pytorch", "x = torch.tensor(5)", "x", "- - 0 int64", "a scalar"},
		{"numpy", "x = np.array(5)", "x", "- - 0 int64", "a scalar"},
		{"numpy", "x = np.array([1, 2, 3], ndmin=2)", "x", "1,3 3,1 0 int64", "an axis before the others"},
		{"pytorch", "class M:\n    x = torch.zeros(4, 6)\nm = M()\nm.x.t_()", "x", "cannot read a program with \"t_\"",
			"a member"},
		{"pytorch", "x = torch.zeros(4, 6)\nf = x.t\ny = x", "y", "4,6 6,1 0 float32", "a method that is not called"},
		{"pytorch", "x = torch.zeros(4, 6)\nf = x.t", "f", "! the method t is not called", "no tensor"},
		{"pytorch", "x = torch.zeros(4, 6)\nprint(f\"{x.shape} {x}\")\nl = [x]\nw.zero_()", "x", "4,6 6,1 0 float32",
			"elements only"},
		{"pytorch", "l = [2, 3]\nn = 2\nn += f()\nx = torch.randn(*l, n)", "x", "the text changes n here",
			"a number beside a list"},
		{"pytorch", "n = 2\nn += 1\nn = f()\nx = torch.randn(n, 3)", "x", "the text changes n here", "twice unknown"},
		{"pytorch", "n = f()\nn = g()\nx = torch.randn(n, 3)", "x", "n is not known", "never known"},
		{"pytorch", "n = 0\nwhile n < 3:\n    x = torch.randn(2, 3)\n    n += 1", "x",
			"cannot read a program with \"while\"", "a loop"},
		{"pytorch", "n = 2\nfor i in r: n = 3\nx = torch.randn(n, 3)", "x", "cannot read a program with \"for\"",
			"on one line"},
		{"pytorch", "n = 2\nprint(n == f(n))\nx = torch.randn(n, 3)", "x", "2,3 3,1 0 float32", "it is asked only"},
		{"pytorch", "n = 2\nm = n * f()\nx = torch.randn(n, 3)", "x", "2,3 3,1 0 float32", "it is used only"},
		{"pytorch", "l = [2, 3]\nfoo(l)\nx = torch.randn(*l)", "x", "the text changes l here", "a list"},
		{"pytorch", "l = [2, 3]\ny = foo(l)\nx = torch.randn(*l)", "x", "the text changes l here", "a list"},
		{"pytorch", "l = [2, 3]\nprint(l.pop())\nx = torch.randn(*l)", "x", "the text changes l here", "in print"},
		{"pytorch", "n = 2\nfrom a import *\nx = torch.randn(n, 3)", "x", "cannot read a program with \"import *\"",
			"any names"},
		{"pytorch", "x = torch.linspace(0, 1, 5, 6)", "x", "no parameter for", "TypeError"},
		{"pytorch", "l = (2, 3)\nfoo(l)\nx = torch.randn(*l)", "x", "2,3 3,1 0 float32", "no function changes a tuple"},
		{"pytorch", "l = [2, 3]\nm = l\nm.append(4)\nx = torch.randn(*l)", "x", "the text changes m here", "one list"},
		{"pytorch", "l = [2, 3]\nl[0] = 4\nx = torch.randn(*l)", "x", "the text changes l here", "an item"},
		{"pytorch", "l = [2, 3]\nf = nn.Linear(l[0], 3)\nx = torch.randn(*l)", "x", "2,3 3,1 0 float32",
			"an item is used"},
		{"pytorch", "l = [2, 3]\nx = torch.randn(*l[::-1], 4)", "x", "3,2,4 8,4,1 0 float32", "in place of arguments"},
		{"pytorch", "x: torch.Tensor = torch.randn(2, 3)", "x", "2,3 3,1 0 float32", "a type"},
		{"pytorch", "x = y = torch.randn(2, 3)\ny.t_()", "x", "3,2 1,3 0 float32", "two names of one tensor"},
		{"pytorch", "if a: pass\nelse: x = torch.randn(2, 3)\ny = torch.zeros(2)", "y",
			"cannot read a program with \"if\"", "on one line"},
		{"pytorch", "self.x = torch.randn(2, 3)\nself.x = self.x.t()\ny = self.x[1:]", "y", "2,2 1,3 1 float32",
			"members"},
		{"pytorch", "self.x = torch.randn(2, 3)\nself.reset()\ny = torch.zeros(2)", "self.x", "2,3 3,1 0 float32",
			"a method of the object"},
		{"pytorch", "x = torch.randn(2, 3, 4)\nreturn x.permute(2, 0, 1)", "", "4,2,3 1,12,4 0 float32", "a result"},
		{"pytorch", "x = torch.randn(2, 3, 4) \\\n    .permute(2, 0, 1)", "x", "4,2,3 1,12,4 0 float32",
			"a line goes on"},
		{"pytorch", "x = torch.randn(8//2, 3)", "x", "4,3 3,1 0 float32", "no comment"},
		{"pytorch", "x = torch.randn(2, 3, 4).transpose(0, 1)\ny = x.view(*x.shape[:-1], 2, -1)", "y",
			"3,2,2,2 4,12,2,1 0 float32", "a slice of sizes"},
		{"pytorch", "x = torch.randn(2, 3, 4)\ny = x[1:].as_strided((2, 2), (1, 2)).as_strided((3, 4), (4, 1))", "y",
			"3,4 4,1 12 float32", "the storage stays, and the offset"},
		{"pytorch", "x = torch.eye(3, m=4)\ny = torch.linspace(0, 1, steps=5)", "x", "3,4 4,1 0 float32", "two sizes"},
		{"pytorch", "x = torch.eye(3)\ny = torch.logspace(0, 1, 5, 2)", "y", "5 1 0 float32", "a base"},
		{"pytorch", "x = torch.randint(10, (2, 3))", "x", "2,3 3,1 0 int64", "a single bound"},
		{"pytorch", "x = torch.randint(low=0, high=10, size=(2, 3), dtype=torch.int8)", "x", "2,3 3,1 0 int8",
			"by name"},
		{"pytorch", "x = torch.randperm(5)", "x", "5 1 0 int64", "one size"},
		{"pytorch", "x = torch.arange(10, step=3)", "x", "only after a start and an end", "TypeError"},
		{"pytorch", "x = torch.arange(0, 10, step=3)", "x", "4 1 0 int64", "both bounds"},
		{"pytorch", "x = torch.randn(2, 3).t().new_full((4, 5), 1, dtype=torch.int8)", "x", "4,5 5,1 0 int8",
			"a new tensor"},
		{"pytorch", "x = torch.randn(2, 3).t().half().new_zeros(4, 5)", "x", "4,5 5,1 0 float16", "of its type"},
		{"numpy", "x = np.array(np.zeros((2, 3)).T, 'f4', order='C')", "x", "3,2 2,1 0 float32",
			"a copy of another type"},
		{"numpy", "x = np.zeros((2, 3))\ny = np.repeat(x, 2, axis=None)", "y", "12 1 0 float64", "None is no argument"},
		{"numpy", "x = np.zeros((2, 3, 4))\ny = x.mT", "y", "2,4,3 12,1,4 0 float64", "NumPy 2.0"},
		{"pytorch", "self.weight = nn.Parameter(torch.empty(2, 3).t())", "self.weight", "3,2 1,3 0 float32",
			"a parameter"},
		{"pytorch", "x = torch.empty(2, 3)\ny = torch.nn.Parameter(x, requires_grad=False)\ny.t_()", "x",
			"2,3 3,1 0 float32", "another tensor"},
		{"pytorch", "x = torch.empty(2, 3)\ny = Variable(x, True).t()", "y", "3,2 1,3 0 float32", "a variable"},
		{"pytorch", "x = nn.Parameter(torch.empty(2, 3), foo=4)", "x", "Parameter has no parameter foo",
			"an unknown argument"},
		{"pytorch", "x = torch.empty(2, 3)\ny = nn.Parameter(f(x))", "y", "the text makes y here",
			"of an unknown tensor"},
		{"pytorch", "torch.set_default_dtype(torch.float64)\nx = torch.randn(4, 6)", "x", "the type of the tensors",
			"another type"},
		{"pytorch", "torch.set_default_dtype(torch.float64)\nx = torch.zeros(4, dtype=torch.int8)", "x", "4 1 0 int8",
			"its own type"},
		{"pytorch", "x = torch.zeros(2, 3)\ny = torch.zeros(x.numel(), x.dim(), x.element_size())", "y",
			"6,2,4 8,4,1 0 float32", "numbers of a tensor"},
		{"pytorch", "try:\n    x = torch.zeros(2, 3)\nexcept Exception:\n    pass", "x",
			"cannot read a program with \"try\"", "a branch"},
		{"pytorch", "match a:\n    case 1:\n        x = torch.zeros(2, 3)", "x", "cannot read a program with \"match\"",
			"a branch"},
		{"pytorch", "async for a in b:\n    x = torch.zeros(2, 3)", "x", "cannot read a program with \"for\"",
			"a loop"},
		{"pytorch", "x = torch.zeros(2, 3)\ndef f(x):\n    y = x.t()", "x", "2,3 3,1 0 float32", "another x"},
		{"pytorch", "x = torch.zeros(2, 3)\ndef f():\n    x = torch.zeros(4)\ny = x.t()", "y", "3,2 1,3 0 float32",
			"a name of the function"},
		{"pytorch", "x = torch.zeros(2, 3)\ndef f():\n    x.t_()\ny = torch.zeros(2)", "x", "! the text changes x here",
			"how often?"},
		{"pytorch", "x = torch.zeros(2, 3)\ndef f():\n    global x\n    x = x.t()\ny = torch.zeros(2)", "x",
			"! the text changes x here", "how often?"},
		{"pytorch", "n = 2\ndef f():\n    n = 3\nx = torch.zeros(n)", "x", "2 1 0 float32", "a name of the function"},
		{"pytorch", "class M:\n    def __init__(self):\n        self.w = torch.zeros(2, 3)\n    def f(self):\n" +
			"        y = self.w.t()", "y", "3,2 1,3 0 float32", "a member"},
		{"pytorch", "class M:\n    def __init__(self):\n        self.w = torch.zeros(2, 3)\n    def f(self):\n" +
			"        self.w = self.w.t()\nz = torch.zeros(2)", "self.w", "! the text changes self.w here",
			"how often?"},
		{"pytorch", "def f():\n    x = torch.zeros(2, 3)\nif __name__ == \"__main__\":\n    f()", "x",
			"2,3 3,1 0 float32", "it runs"},
		{"pytorch", "async_compile.wait(globals())\ndef call(args):\n    a, = args\n" +
			"    assert_size_stride(a, (8, 16), (1, 8))\n    return (a, )\ndef benchmark_compiled_module():\n" +
			"    a = rand_strided((8, 16), (1, 8))\n    fn = lambda: call([a])", "a", "8,16 1,8 0 float32",
			"the output of Inductor"},
		{"pytorch", "x = torch.zeros(2, 3)\nwith torch.no_grad():\n    y = x.t()", "y", "3,2 1,3 0 float32", "with"},
		{"pytorch", "x = torch.zeros(2, 3)\nmodel.eval()", "x", "2,3 3,1 0 float32", "a method"},
		{"pytorch", "x = torch.zeros(2, 3)\nassert x.shape == (2, 3)", "x", "cannot read a program with \"assert\"",
			"it may fail"},
		{"pytorch", "assert n\nx = torch.zeros(2, 3)", "x", "cannot read a program with \"assert\"",
			"of what is not known"},
	} {
		checkAnswer(t, tt.system, tt.text, tt.name, tt.want, tt.reason)
	}
}

// checkAnswer compares the tensor named name, or the error, with words.
func checkAnswer(t *testing.T, notation, text, name, want, reason string) {
	t.Helper()
	found, err := notationOf(t, notation).Read(text, Options{})
	got := ""
	for _, d := range found {
		if d.Name == name && err == nil {
			got = answerOf(d) + strings.Join(append([]string{""}, d.Skipped...), " | ")
		}
	}
	if err != nil {
		got = err.Error()
	}
	if !strings.Contains(got, want) {
		t.Errorf("%q: %s is %s, want %s; %s", text, name, got, want, reason)
	}
}

// TestOtherNames has statements that may change x under another name, or make x the name of something else. The program
// must be rejected, or only x.
func TestOtherNames(t *testing.T) {
	t.Parallel()
	for statement, why := range map[string]string{
		"l = [x]\nl[0].t_()":              "t_",
		"d = {'a': x}\nd['a'].t_()":       "t_",
		"y = f(x)\ny.t_()":                "t_",
		"torch.Tensor.t_(x)":              "t_",
		"print(f\"{x.t_().shape}\")":      "t_",
		"for v in [x]:\n    v.t_()":       "for",
		"for x in [torch.zeros(1)]: pass": "for",
		"exec(\"x = x.t()\")":             "exec",
		"vars()[\"x\"] = f()":             "vars",
		"if (x := f()) is None: pass":     "if",
		"print(x := f())":                 "",
		"import foo as x":                 "",
		"x: torch.Tensor = f()":           "",
		"def x(): pass":                   "",
		"f = x.t_":                        "",
	} {
		text := "x = torch.zeros(4, 6)\n" + statement + "\nw = torch.zeros(2)"
		found, err := notationOf(t, "pytorch").Read(text, Options{})
		if why != "" {
			if want := fmt.Sprintf("cannot read a program with %q", why); err == nil || err.Error() != want {
				t.Errorf("%q: %v, want %s", text, err, want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		for _, d := range found {
			if d.Name == "x" && (d.Fault == nil || !strings.Contains(d.Fault.Error(), "the text changes x here")) {
				t.Errorf("%q: x is %s", text, answerOf(d))
			}
		}
	}
}

// TestProgramNumbers has programs whose last statement makes a number of a tensor: x is their only tensor.
func TestProgramNumbers(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"y = x.numel()", "y = x.numel() // 7.5", "y = len(x)", "y = int(x[0, 0])", "y = x.device", "y = x.item()",
		"y = x.shape", "y = torch.zeros(4)\ny = x.dim()", "y = torch.zeros(4)\ny = type(x)",
	} {
		found, err := Read("x = torch.zeros(2, 3)\n"+text, Options{})
		if err != nil || len(found) != 1 || found[0].Name != "x" {
			t.Errorf("%s: %v, %v, want x alone", text, found, err)
		}
	}
	found, err := Read("x = torch.zeros(2, 3)\ny = len(x) * x", Options{})
	if err != nil || len(found) != 2 || found[1].Fault == nil {
		t.Errorf("a product of a tensor is %v, %v, want a second one, which is not known", found, err)
	}
}

// TestProgramAgain has programs that assign several tensors to x. The last one also has the number of its assignment,
// like tensors of one name in other inputs.
func TestProgramAgain(t *testing.T) {
	t.Parallel()
	for text, also := range map[string]string{
		"x = torch.zeros(2)": "", "x = torch.zeros(2)\nx = torch.zeros(3)": "x#2",
		"x = torch.zeros(2)\nx = 5\nx = torch.zeros(3)\nx = x[1:]": "x#3",
	} {
		found, err := Read(text, Options{})
		if err != nil || len(found) != 1 || found[0].Name != "x" || found[0].Also != also {
			t.Errorf("%q: %v, %v, want x, also %q", text, found, err, also)
		}
	}
}
