package layout_test

import (
	"go/ast"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestGoroutines compares the packages that start goroutines, by a go statement or by a method Go like WaitGroup's,
// with the packages that .ci/race runs with the race detector.
func TestGoroutines(t *testing.T) {
	script, err := os.ReadFile("../.ci/race")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?m)^starting=\((.*)\)$`).FindSubmatch(script)
	if list == nil {
		t.Fatal(".ci/race has no list of packages")
	}
	raced := strings.Fields(strings.ReplaceAll(string(list[1]), "./", ""))
	start := map[string]bool{}
	eachFile(t, func(pkg, _ string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				start[pkg] = true
			case *ast.CallExpr:
				if method, ok := n.Fun.(*ast.SelectorExpr); ok && method.Sel.Name == "Go" {
					start[pkg] = true
				}
			}
			return true
		})
	})
	if want := slices.Sorted(maps.Keys(start)); !slices.Equal(raced, want) {
		t.Errorf(".ci/race runs %q with the race detector, but %q start goroutines", raced, want)
	}
}
