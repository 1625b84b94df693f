package input

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"
)

// What the code of the package may have. The numbers only fall.
const (
	mostProbes = 10   // calls a 1,000 lines that look for, cut or trim text
	mostLines  = 3078 // of code that is no test; 2,150 is the aim
)

// floors are the files of the package: each uses only those before it, but for the few arrows that are allowed.
var floors = strings.Fields("inorder names keys source origin input choice stated headers candidate artefact index " +
	"answer document shape descriptor lines recognise tensor find")

const mostArrowsUp = 1

// probes are the starts of the names of functions of strings and bytes that look for, cut or trim text.
var probes = strings.Fields("Contains Cut Trim Index LastIndex Has Split Fields Replace Count Lines EqualFold")

// TestBudget holds the structure of the package to its budget.
func TestBudget(t *testing.T) {
	set, lines, found := token.NewFileSet(), 0, 0
	var files []*ast.File
	for _, floor := range floors {
		source, err := os.ReadFile(floor + ".go")
		if err != nil {
			t.Fatal(err)
		}
		lines += strings.Count(string(source), "\n")
		file, err := parser.ParseFile(set, floor+".go", source, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				of := types.ExprString(n.X)
				isProbe := func(start string) bool { return strings.HasPrefix(n.Sel.Name, start) }
				if (of == "strings" || of == "bytes") && slices.ContainsFunc(probes, isProbe) {
					found++
				}
			}
			return true
		})
	}
	if lines > mostLines || found*1000 > mostProbes*lines {
		t.Errorf("%d lines, at most %d; %d probes", lines, mostLines, found)
	}
	if up := arrowsUp(files); len(up) > mostArrowsUp {
		t.Errorf("arrows that run back up between files: %v", up)
	}
}

// arrowsUp returns the pairs of files of which the first names something of the second, which stands above it.
func arrowsUp(files []*ast.File) (up []string) {
	floor := map[string]int{} // of what files declare
	for i, file := range files {
		for name := range file.Scope.Objects {
			floor[name] = i
		}
	}
	for i, file := range files {
		for _, use := range file.Unresolved {
			if floor[use.Name] > i {
				up = append(up, floors[i]+" -> "+floors[floor[use.Name]])
			}
		}
	}
	slices.Sort(up)
	return slices.Compact(up)
}
