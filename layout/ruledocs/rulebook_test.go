package ruledocs_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	pages "layoutcalc/docs/rules"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/ruledocs"
)

// TestPages checks that each rule has one section of one page, which states its severity and its targets, and that each
// section has a rule.
func TestPages(t *testing.T) {
	texts := ruledocs.Texts()
	rules := map[string]*finding.Rule{}
	for _, rule := range ruledocs.All() {
		if rules[rule.Name] != nil {
			t.Errorf("two rules are called %s", rule)
		}
		rules[rule.Name] = rule
	}
	for _, text := range texts {
		rule := rules[text.Name]
		if rule == nil {
			t.Errorf("the section %s has no rule, or is there twice", text.Name)
			continue
		}
		delete(rules, text.Name)
		targets := "all"
		if rule.Family != finding.None {
			targets = rule.Family.String()
		}
		if text.Severity != rule.Severity.String() || text.Targets != targets {
			t.Errorf("%s: %s for %s, and the page says %s for %s", rule, rule.Severity, targets, text.Severity,
				text.Targets)
		}
		if text.Title == "" || text.What == "" || text.Why == "" || text.Source == "" || text.Fix == "" ||
			text.Bad == "" ||
			text.Good == "" {
			t.Errorf("the section %s is not complete: %+v", rule, text)
		}
		if ruledocs.TextOf(rule) != text {
			t.Errorf("%s is found in another section", rule)
		}
	}
	for name := range rules {
		t.Errorf("no page has a section %s", name)
	}
	list, err := fs.Glob(pages.Pages, "*.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range list {
		n += len(pages.Page(strings.TrimSuffix(name, ".md")))
	}
	if n != len(texts) {
		t.Errorf("the pages have %d sections, %d of which are read", n, len(texts))
	}
}

var update = flag.Bool("update", false, "rewrite the list of rules in docs/rules/README.md")

// TestList checks that the list of all rules has each page, and below it the address and the title of each rule.
func TestList(t *testing.T) {
	const file = "../../docs/rules/README.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const start = "\n\n- ["
	head, _, _ := strings.Cut(string(text), start)
	var list strings.Builder
	list.WriteString(head + "\n\n")
	page := ""
	for _, rule := range ruledocs.Texts() {
		if rule.Page != page {
			page = rule.Page
			fmt.Fprintf(&list, "- [%s](%s.md)\n", ruledocs.Heading(page), page)
		}
		address := strings.TrimPrefix(rule.Address(), "docs/rules/")
		fmt.Fprintf(&list, "  - [%s](%s): %s\n", rule.Name, address, rule.Title)
	}
	switch want := list.String(); {
	case string(text) == want:
	case *update:
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s does not list the rules; go test ./layout/ruledocs -update writes it", file)
	}
}

// TestAll counts the rules in the source: the list has all of them.
func TestAll(t *testing.T) {
	n := 0
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			literal, ok := node.(*ast.CompositeLit)
			if ok && slices.ContainsFunc(literal.Elts, isName) {
				switch x := literal.Type.(type) {
				case *ast.Ident:
					n += strings.Count(x.Name, "Rule")
				case *ast.SelectorExpr:
					n += strings.Count(x.Sel.Name, "Rule")
				}
			}
			return true
		})
		return nil
	})
	if all := len(ruledocs.All()); err != nil || n != all {
		t.Errorf("%d rules in the source (%v), %d in the list", n, err, all)
	}
}

// isName reports whether an element of a literal is the name of a rule.
func isName(e ast.Expr) bool {
	pair, ok := e.(*ast.KeyValueExpr)
	if !ok {
		return false
	}
	key, ok := pair.Key.(*ast.Ident)
	return ok && key.Name == "Name"
}

// TestFind finds each rule by its name, in whatever case, and suggests names that are near.
func TestFind(t *testing.T) {
	for _, rule := range ruledocs.All() {
		for _, name := range []string{rule.Name, strings.ToUpper(rule.Name)} {
			if found, err := ruledocs.Find(name); err != nil || found != rule {
				t.Errorf("Find(%q) = %v, %v", name, found, err)
			}
		}
	}
	if found, err := ruledocs.Find("gasp"); found != nil || err == nil {
		t.Errorf("Find(gasp) = %v, %v", found, err)
	}
}
