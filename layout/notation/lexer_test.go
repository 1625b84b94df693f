package notation

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestLexer checks that only one function splits inputs into tokens, lex, which Read, Notation.Read and Recognises call
// once. All readers, and all parts of an input, share these tokens.
func TestLexer(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var places []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.SelectorExpr); ok && call.Sel.Name == "Lex" {
				if x, ok := call.X.(*ast.Ident); ok && x.Name == "lexer" {
					places = append(places, set.Position(n.Pos()).String())
				}
			}
			return true
		})
	}
	if len(places) != 1 {
		t.Errorf("texts are split into tokens in %v, not in one place", places)
	}
}
