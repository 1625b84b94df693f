package notation

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestRowsAreApart checks that the file of a row does not depend on other rows: it has no name of another one, and
// calls the reader or writer of another one only within a family.
func TestRowsAreApart(t *testing.T) {
	family := func(n *Notation) string {
		if n.of != "" {
			return n.of
		}
		return n.Name
	}
	set := token.NewFileSet()
	files := map[string]*ast.File{}
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		if files[path], err = parser.ParseFile(set, path, nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	named := func(name string) *Notation {
		for i := range all {
			if all[i].Name == name {
				return all[i]
			}
		}
		return nil
	}
	// The functions of each row in the registry: the last one of each row is its writer.
	row := map[string]*Notation{}
	next := 0
	ast.Inspect(files["registry.go"], func(n ast.Node) bool {
		pair, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		key, _ := pair.Key.(*ast.Ident)
		value, isFunction := pair.Value.(*ast.Ident)
		if key != nil && isFunction && (key.Name == "read" || key.Name == "write") {
			row[value.Name] = all[next]
			if key.Name == "write" {
				next++
			}
		}
		return true
	})
	if next != len(all) {
		t.Fatalf("%d writers of %d rows", next, len(all))
	}
	// The families that a file belongs to: those of the readers and writers that it defines.
	belongs := map[string]map[string]bool{}
	for path, file := range files {
		belongs[path] = map[string]bool{}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && row[f.Name.Name] != nil {
				belongs[path][family(row[f.Name.Name])] = true
			}
		}
	}
	for path, file := range files {
		if path == "registry.go" {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			var of *Notation
			switch n := n.(type) {
			case *ast.Ident:
				of = row[n.Name]
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); err == nil && text != "name" { // name is a word
					of = named(text)
				}
			}
			if of != nil && !belongs[path][family(of)] {
				t.Errorf("%s: a row of other notations, %s", set.Position(n.Pos()), of.Name)
			}
			return true
		})
	}
}

// TestTypeClass distinguishes element types, as MLIR and PyTorch's graphs write them, from names, C types and strings.
func TestTypeClass(t *testing.T) {
	for word, want := range map[string]bool{
		"f32": true, "bf16": true, "float32": true, "i8": true, "x1": false, "arg0_1": false, "float": false,
		"int32_t": false, `"f32"`: false, "'f4'": false,
	} {
		if got := isClass("type", word); got != want {
			t.Errorf("%s is a type: %t, want %t", word, got, want)
		}
	}
}
