package input

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// floors are the files of the package: each uses only the files before it, except for a few allowed arrows, for example
// from the table of formats to the candidates that its readers read.
var floors = strings.Fields("inorder keys source origin input choice stated headers format candidate artefact index " +
	"answer document shape descriptor lines recognize tensor find")

const mostArrowsUp = 2

// TestArrows holds the order of the files.
func TestArrows(t *testing.T) {
	set := token.NewFileSet()
	var files []*ast.File
	for _, floor := range floors {
		file, err := parser.ParseFile(set, floor+".go", nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if up := arrowsUp(files); len(up) > mostArrowsUp {
		t.Errorf("arrows that run back up between files: %v", up)
	}
}

// arrowsUp returns the pairs of files of which the first names something of the second, which stands above it.
func arrowsUp(files []*ast.File) (up []string) {
	floor := map[string]int{} // the floor of each declaration
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
