package layout_test

import (
	"go/ast"
	goparser "go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// imports lists what each package may import in addition to the standard library. Imports go one way: main, cmd,
// render, and the packages of layout; nothing under layout imports cmd or render.
var imports = map[string][]string{
	".": {"cmd"},
	"cmd": {
		"cmd/check", "cmd/datamove", "cmd/files", "cmd/suggest", "layout", "layout/access", "layout/algebra",
		"layout/analysis", "layout/descriptor", "layout/finding", "layout/input", "layout/kernel", "layout/lexer",
		"layout/notation", "layout/project", "layout/ruledocs", "layout/shape", "layout/tvlayout", "layout/values",
		"layout/view", "layout/wording", "render", "render/draw", "render/report",
		"github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/term",
	},
	"cmd/check": {
		"cmd/files", "cmd/suggest", "layout/descriptor", "layout/finding", "layout/input", "layout/lexer",
		"layout/manifest", "layout/onnx", "layout/project", "layout/ruledocs", "layout/rules", "layout/tensorfile",
		"layout/triton", "layout/wording", "render", "render/report",
	},
	"cmd/cmdtest": {"cmd", "layout/layouttest", "github.com/google/go-cmp/cmp"},
	"cmd/datamove": {
		"cmd/files", "layout", "layout/analysis", "layout/doctree", "layout/input", "layout/lexer",
		"layout/relayout", "layout/tensorfile", "layout/values", "layout/wording", "render",
	},
	"cmd/files":       {},
	"cmd/processtest": {},
	"cmd/suggest": {
		"layout", "layout/algebra", "layout/input", "layout/lexer", "layout/notation", "layout/shape", "layout/view",
		"layout/wording",
	},
	"docs/rules":      {},
	"layout":          {"layout/lexer", "layout/wording"},
	"layout/access":   {"layout", "layout/lexer", "layout/tvlayout", "layout/wording"},
	"layout/algebra":  {"layout", "layout/lexer", "layout/wording"},
	"layout/analysis": {"layout", "layout/lexer"},
	"layout/descriptor": {
		"layout", "layout/analysis", "layout/doctree", "layout/finding", "layout/lexer", "layout/shape",
		"layout/wording",
	},
	"layout/dml":     {"layout/descriptor"},
	"layout/doctree": {"go.yaml.in/yaml/v4"},
	"layout/expect": {
		"layout", "layout/analysis", "layout/descriptor", "layout/finding", "layout/lexer", "layout/rules",
		"layout/shape", "layout/wording",
	},
	"layout/finding": {"layout", "layout/doctree", "layout/wording"},
	"layout/input": {
		"layout", "layout/descriptor", "layout/doctree", "layout/expect", "layout/finding", "layout/kernel",
		"layout/lexer", "layout/manifest", "layout/notation", "layout/onnx", "layout/project", "layout/shape",
		"layout/tensorfile", "layout/triton", "layout/wording",
	},
	"layout/kernel":     {"layout", "layout/algebra", "layout/lexer", "layout/notation", "layout/wording"},
	"layout/layouttest": {"layout", "layout/shape"},
	"layout/lexer":      {"layout/wording"},
	"layout/manifest": {
		"layout", "layout/analysis", "layout/descriptor", "layout/dml", "layout/doctree", "layout/expect",
		"layout/finding", "layout/lexer", "layout/shape", "layout/wording",
	},
	"layout/notation": {
		"layout", "layout/algebra", "layout/analysis", "layout/descriptor", "layout/lexer",
		"layout/notation/literal", "layout/shape", "layout/view", "layout/wording",
	},
	"layout/notation/literal": {"layout", "layout/lexer", "layout/wording"},
	"layout/onnx":             {"layout", "layout/finding", "layout/lexer", "layout/protobuf", "layout/wording"},
	"layout/project": {
		"layout/descriptor", "layout/doctree", "layout/finding", "layout/lexer", "layout/ruledocs", "layout/triton",
		"layout/wording",
	},
	"layout/protobuf": {"layout/doctree", "layout/lexer", "layout/wording"},
	"layout/relayout": {"layout", "layout/analysis", "layout/lexer", "layout/wording"},
	"layout/ruledocs": {
		"docs/rules", "layout/descriptor", "layout/expect", "layout/finding", "layout/lexer", "layout/manifest",
		"layout/onnx", "layout/rules", "layout/tensorfile", "layout/triton", "layout/wording",
	},
	"layout/rules": {
		"layout", "layout/analysis", "layout/descriptor", "layout/dml", "layout/finding",
		"layout/wording",
	},
	"layout/shape": {"layout", "layout/lexer", "layout/wording"},
	"layout/tensorfile": {
		"layout", "layout/descriptor", "layout/doctree", "layout/finding", "layout/lexer", "layout/wording",
	},
	"layout/triton": {
		"layout", "layout/descriptor", "layout/doctree", "layout/finding", "layout/lexer", "layout/onnx",
		"layout/protobuf", "layout/tensorfile", "layout/wording",
	},
	"layout/tvlayout": {
		"layout", "layout/algebra", "layout/analysis", "layout/lexer", "layout/notation", "layout/notation/literal",
		"layout/wording",
	},
	"layout/values":  {"layout", "layout/analysis", "layout/lexer", "layout/relayout"},
	"layout/view":    {"layout", "layout/analysis", "layout/lexer", "layout/notation/literal", "layout/wording"},
	"layout/wording": {},
	"render": {
		"layout", "layout/access", "layout/algebra", "layout/analysis", "layout/descriptor", "layout/lexer",
		"layout/notation", "layout/shape", "layout/tvlayout", "layout/values", "layout/view", "layout/wording",
		"github.com/clipperhouse/displaywidth", "github.com/fatih/color", "github.com/mattn/go-runewidth",
		"github.com/olekukonko/tablewriter",
	},
	"render/browsertest": {"layout/layouttest"},
	"render/draw": {
		"layout", "layout/access", "layout/analysis", "layout/lexer", "layout/shape", "layout/view", "layout/wording",
		"render",
		"golang.org/x/image/font", "golang.org/x/image/font/gofont/gomono", "golang.org/x/image/font/opentype",
		"golang.org/x/image/math/fixed", "golang.org/x/image/vector",
	},
	"render/report": {
		"layout/descriptor", "layout/finding", "layout/lexer", "layout/project", "layout/ruledocs", "layout/wording",
		"render",
	},
}

// root is the directory of the module.
const root = ".."

// eachFile parses the imports of all files, tests aside, and calls visit with each and the path of its package.
func eachFile(t *testing.T, visit func(pkg, path string, file *ast.File)) {
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
		file, err := goparser.ParseFile(token.NewFileSet(), path, nil, goparser.SkipObjectResolution)
		if err != nil || file.Name.Name == "main" && filepath.Dir(path) != root {
			return err
		}
		directory, err := filepath.Rel(root, filepath.Dir(path))
		visit(filepath.ToSlash(directory), path, file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestLimitsAreShort checks that the cases at the limits of rules are few enough for a person to read.
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
	eachFile(t, func(importer, path string, file *ast.File) {
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
