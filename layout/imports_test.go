package layout_test

import (
	"go/ast"
	goparser "go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// imports says what each package may import besides the standard library. Imports go one way: main, cmd, render, and
// the packages of layout; nothing under layout imports cmd or render.
var imports = map[string][]string{
	".": {"cmd"},
	"cmd": {
		"cmd/datamove", "cmd/files", "cmd/suggest", "layout", "layout/access", "layout/algebra", "layout/desc",
		"layout/facts", "layout/finding", "layout/input", "layout/inspect", "layout/notation", "layout/owner",
		"layout/project", "layout/rulebook", "layout/scan", "layout/shape", "layout/view", "render",
		"render/draw", "render/report",
		"github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/term",
	},
	"cmd/datamove": {
		"cmd/files", "layout", "layout/doctree", "layout/facts", "layout/input", "layout/relayout", "layout/scan",
		"layout/tensorfile", "render",
	},
	"cmd/files":       {},
	"cmd/processtest": {},
	"cmd/suggest": {
		"layout", "layout/algebra", "layout/input", "layout/notation", "layout/scan", "layout/shape", "layout/view",
	},
	"docs/rules":     {},
	"layout":         {"layout/scan"},
	"layout/access":  {"layout", "layout/owner", "layout/scan"},
	"layout/algebra": {"layout", "layout/scan"},
	"layout/desc": {
		"layout", "layout/doctree", "layout/facts", "layout/finding", "layout/scan", "layout/shape",
	},
	"layout/descfile": {
		"layout", "layout/desc", "layout/dml", "layout/doctree", "layout/facts", "layout/finding", "layout/scan",
		"layout/shape",
	},
	"layout/dml":     {"layout/desc"},
	"layout/doctree": {"go.yaml.in/yaml/v4"},
	"layout/facts":   {"layout", "layout/scan"},
	"layout/finding": {"layout", "layout/doctree", "layout/scan"},
	"layout/input": {
		"layout", "layout/desc", "layout/descfile", "layout/doctree", "layout/finding", "layout/notation",
		"layout/onnx", "layout/project", "layout/scan", "layout/shape", "layout/tensorfile", "layout/triton",
	},
	"layout/inspect": {
		"layout/desc", "layout/descfile", "layout/finding", "layout/input", "layout/onnx", "layout/project",
		"layout/rulebook", "layout/rules", "layout/scan", "layout/tensorfile", "layout/triton",
	},
	"layout/layouttest": {"layout", "layout/shape"},
	"layout/notation": {
		"layout", "layout/algebra", "layout/desc", "layout/facts", "layout/notation/literal", "layout/scan",
		"layout/shape",
		"layout/view",
	},
	"layout/notation/literal": {"layout", "layout/scan"},
	"layout/onnx":             {"layout", "layout/finding", "layout/protobuf", "layout/scan"},
	"layout/owner": {
		"layout", "layout/algebra", "layout/facts", "layout/notation", "layout/notation/literal", "layout/scan",
	},
	"layout/project":  {"layout/desc", "layout/doctree", "layout/finding", "layout/rulebook", "layout/scan"},
	"layout/protobuf": {"layout/doctree", "layout/scan"},
	"layout/relayout": {"layout", "layout/facts", "layout/scan"},
	"layout/rulebook": {
		"docs/rules", "layout/desc", "layout/descfile", "layout/finding", "layout/onnx", "layout/rules",
		"layout/scan", "layout/tensorfile", "layout/triton",
	},
	"layout/rules": {
		"layout", "layout/desc", "layout/dml", "layout/facts", "layout/finding", "layout/scan", "layout/shape",
	},
	"layout/scan":       {},
	"layout/shape":      {"layout", "layout/scan"},
	"layout/tensorfile": {"layout", "layout/desc", "layout/doctree", "layout/finding", "layout/scan"},
	"layout/triton": {
		"layout", "layout/desc", "layout/doctree", "layout/finding", "layout/onnx", "layout/protobuf", "layout/scan",
		"layout/tensorfile",
	},
	"layout/view": {"layout", "layout/facts", "layout/notation/literal", "layout/scan"},
	"render": {
		"layout", "layout/access", "layout/algebra", "layout/facts", "layout/notation", "layout/owner", "layout/scan",
		"layout/shape",
		"layout/view", "github.com/clipperhouse/displaywidth", "github.com/fatih/color",
		"github.com/mattn/go-runewidth", "github.com/olekukonko/tablewriter",
	},
	"render/browsertest": {"layout/layouttest"},
	"render/draw": {
		"layout", "layout/facts", "layout/scan", "layout/shape", "layout/view", "render",
		"golang.org/x/image/font", "golang.org/x/image/font/gofont/gomono", "golang.org/x/image/font/opentype",
		"golang.org/x/image/math/fixed", "golang.org/x/image/vector",
	},
	"render/report": {
		"layout/finding", "layout/inspect", "layout/project", "layout/rulebook", "layout/scan", "layout/tensorfile",
		"render",
	},
}

// root is the directory of the module.
const root = ".."

// eachFile parses the files of all packages, tests aside, and calls visit with each and the path of its package.
func eachFile(t *testing.T, mode goparser.Mode, visit func(pkg, path string, set *token.FileSet, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch name := e.Name(); {
		case err != nil:
			return err
		case e.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && name != root):
			return fs.SkipDir
		case e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		set := token.NewFileSet()
		file, err := goparser.ParseFile(set, path, nil, mode)
		if err != nil || file.Name.Name == "main" && filepath.Dir(path) != root {
			return err
		}
		directory, err := filepath.Rel(root, filepath.Dir(path))
		visit(filepath.ToSlash(directory), path, set, file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The most methods of a type, and the most lines of a function.
const (
	mostMethods = 60
	mostLines   = 60
)

// A budget is the most lines of a package, tests aside, and the most calls a 1,000 lines of functions of strings and
// bytes that look for, cut or trim text: what reads texts moves over their tokens.
type budget struct{ lines, probes int }

// The budgets of the packages that read texts. The numbers only fall.
var budgets = map[string]budget{
	"layout/notation":         {11625, 10},
	"layout/notation/literal": {1595, 30},
	"layout/owner":            {2795, 10},
	"layout/input":            {3780, 10},
	"layout/scan":             {1870, 30},
	"layout/shape":            {4060, 31},
	"layout/view":             {2490, 10},
}

// isProbe reports whether an expression is a function of strings or bytes that looks for, cuts or trims text.
func isProbe(n *ast.SelectorExpr) bool {
	of := types.ExprString(n.X)
	return (of == "strings" || of == "bytes") && slices.ContainsFunc([]string{"Contains", "Cut", "Trim", "Index",
		"LastIndex", "Has", "Split", "Fields", "Replace", "Count", "Lines", "EqualFold"}, func(start string) bool {
		return strings.HasPrefix(n.Sel.Name, start)
	})
}

// TestBudgets counts the methods of each type, the lines of each function, and what packages that read texts have.
func TestBudgets(t *testing.T) {
	methods, found := map[string]int{}, map[string]budget{}
	eachFile(t, goparser.SkipObjectResolution, func(pkg, path string, set *token.FileSet, file *ast.File) {
		of := found[pkg]
		of.lines += set.File(file.Pos()).LineCount()
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.SelectorExpr); ok && isProbe(call) {
				of.probes++
			}
			return true
		})
		found[pkg] = of
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			lines := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1
			if lines > mostLines {
				t.Errorf("%s: %s has %d lines, at most %d", path, f.Name.Name, lines, mostLines)
			}
			if f.Recv != nil {
				of, _, _ := strings.Cut(strings.TrimPrefix(types.ExprString(f.Recv.List[0].Type), "*"), "[")
				methods[pkg+"."+of]++
			}
		}
	})
	for name, n := range methods {
		if n > mostMethods {
			t.Errorf("%s has %d methods, at most %d", name, n, mostMethods)
		}
	}
	for pkg, most := range budgets {
		of := found[pkg]
		t.Logf("%s: %d lines, %d probes a 1,000", pkg, of.lines, of.probes*1000/of.lines)
		if of.lines > most.lines || of.probes*1000 > most.probes*of.lines {
			t.Errorf("%s has %d lines and %d probes a 1,000 lines, at most %d and %d", pkg, of.lines,
				of.probes*1000/of.lines, most.lines, most.probes)
		}
	}
}

// TestLimitsAreShort holds the cases at the limits of rules to what a person can read.
func TestLimitsAreShort(t *testing.T) {
	files, err := filepath.Glob("*/testdata/limits.txt")
	total := int64(0)
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	if err != nil || len(files) == 0 || total > 250_000 {
		t.Errorf("%q have %d bytes, at most 250,000: %v", files, total, err)
	}
}

// TestImports compares the imports of all packages, tests aside, with the table.
func TestImports(t *testing.T) {
	found := map[string]map[string]bool{}
	eachFile(t, goparser.ImportsOnly, func(importer, path string, _ *token.FileSet, file *ast.File) {
		if found[importer] == nil {
			found[importer] = map[string]bool{}
		}
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			own, isOwn := strings.CutPrefix(imported, "layoutcalc/")
			first, _, _ := strings.Cut(imported, "/")
			if (isOwn || strings.Contains(first, ".")) && !slices.Contains(imports[importer], own) {
				t.Errorf("%s imports %s, which package %s may not import", path, imported, importer)
			}
			found[importer][own] = true
		}
	})
	for importer := range found {
		if _, ok := imports[importer]; !ok {
			t.Errorf("the table has no package %s", importer)
		}
	}
	for importer, allowed := range imports {
		for _, imported := range allowed {
			if !found[importer][imported] {
				t.Errorf("no file of %s imports %s: take it out of the table", importer, imported)
			}
		}
	}
}
