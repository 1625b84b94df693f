package notation

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What the code of the package may have. The numbers only fall; the last column is where they are to end.
const (
	mostProbes = 10   // calls a 1,000 lines that look for, cut or trim text; 10
	mostLines  = 9713 // of code that is no test; 5,900
)

// mostLexers is where texts are split into tokens: in lex, once for Read, Notation.Read and Recognises. All
// readers, and all parts of a text, share these tokens.
const mostLexers = 1

// isProbe reports whether a function of package strings or bytes looks for, cuts or trims text.
func isProbe(name string) bool {
	return slices.ContainsFunc([]string{"Contains", "Cut", "Trim", "Index", "LastIndex", "Has", "Split", "Fields",
		"Replace", "Count", "Lines", "EqualFold"}, func(start string) bool { return strings.HasPrefix(name, start) })
}

// TestBudget holds the structure of the package to its budget.
func TestBudget(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	lines, probes, lexers := 0, 0, 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines += strings.Count(string(source), "\n")
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "scan" && n.Sel.Name == "Lex" {
					lexers++
				} else if ok && (x.Name == "strings" || x.Name == "bytes") && isProbe(n.Sel.Name) {
					probes++
				}
			}
			return true
		})
	}
	if lexers != mostLexers {
		t.Errorf("texts are split into tokens in %d places, not in %d", lexers, mostLexers)
	}
	if lines > mostLines || probes*1000 > mostProbes*lines {
		t.Errorf("%d lines, at most %d; %d probes a 1,000 lines, at most %d",
			lines, mostLines, probes*1000/lines, mostProbes)
	}
	t.Logf("%d lines, %d probes (%d a 1,000 lines)", lines, probes, probes*1000/lines)
}
