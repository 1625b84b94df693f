package docs_test

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

var (
	// links finds the targets of links and pictures in Markdown.
	links = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	// code finds the parts of Markdown that are code, fenced, indented or within a line.
	code = regexp.MustCompile("(?ms)^```.*?^```|^    .*?$|`[^`\n]*`")
)

func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		log.Fatal(err)
	}
	os.Exit(m.Run())
}

// TestLinks follows the links of the documents to files and headings, and counts the links from docs/index.md to each
// page.
func TestLinks(t *testing.T) {
	const index = "docs/index.md"
	var pages []string
	for _, pattern := range []string{"docs/*.md", "docs/reference/*.md"} {
		list, err := filepath.Glob(pattern)
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: no pages: %v", pattern, err)
		}
		pages = append(pages, list...)
	}
	linked := map[string]int{index: 1}
	for _, page := range append(pages, "README.md", "CHANGELOG.md", ".github/CONTRIBUTING.md", "docs/rules/README.md") {
		text := code.ReplaceAllString(readDocument(t, page), "")
		for _, match := range links.FindAllStringSubmatch(text, -1) {
			path, heading, _ := strings.Cut(match[1], "#")
			if strings.Contains(path, ":") {
				t.Errorf("%s links to %s, which is outside of the repository", page, match[1])
				continue
			}
			target := page
			if path != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(page), path))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", page, match[1], err)
			} else if heading != "" && !headings(readDocument(t, target))[heading] {
				t.Errorf("%s links to %s, which has no such heading", page, match[1])
			}
			if filepath.ToSlash(page) == index {
				linked[target]++
			}
		}
	}
	for _, page := range pages {
		if linked[filepath.ToSlash(page)] != 1 {
			t.Errorf("%s links to %s %d times, want once", index, page, linked[filepath.ToSlash(page)])
		}
	}
}

// TestIssueForms checks the issue forms against GitHub's requirements, because GitHub hides invalid forms.
func TestIssueForms(t *testing.T) {
	files, err := filepath.Glob(".github/ISSUE_TEMPLATE/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatal("no forms", err)
	}
	types := []string{"markdown", "input", "textarea", "dropdown", "checkboxes"}
	for _, file := range files {
		var form struct {
			Name, Description string
			Labels            []string
			Body              []struct {
				Type, ID   string
				Attributes struct {
					Label, Description, Render string
				}
				Validations struct{ Required bool }
			}
		}
		if err := yaml.Load([]byte(readDocument(t, file)), &form, yaml.WithKnownFields()); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		seen := map[string]bool{}
		for _, field := range form.Body {
			if !slices.Contains(types, field.Type) || field.Attributes.Label == "" || field.ID == "" || seen[field.ID] {
				t.Errorf("%s: GitHub does not take the field %+v", file, field)
			}
			seen[field.ID] = true
		}
		if form.Name == "" || form.Description == "" || len(form.Body) == 0 {
			t.Errorf("%s: GitHub does not take the form %+v", file, form)
		}
	}
}

// TestMerged looks for the marks of an unfinished merge in the texts of the repository, which no compiler reads.
func TestMerged(t *testing.T) {
	mark := regexp.MustCompile(`(?m)^(<<<<<<<|>>>>>>>) `)
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "cmd/*.md", "cmd/*.txt", "layout/*/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files: %v", pattern, err)
		}
		for _, file := range files {
			if at := mark.FindString(readDocument(t, file)); at != "" {
				t.Errorf("%s has a line that starts with %s", file, at)
			}
		}
	}
}

// TestSpelling looks for British spelling in the pages and in the strings of the program, so that a search in the pages
// finds the words of a message.
func TestSpelling(t *testing.T) {
	british := regexp.MustCompile(`(?i)colour|recognis|quantis|neighbour|labelled|normalis|initialis|misspelt`)
	synonyms := regexp.MustCompile(`(?i)labelledby|quantised,? quantization,? quantisation`)
	check := func(path, text string) {
		if word := british.FindString(synonyms.ReplaceAllString(text, "")); word != "" {
			t.Errorf("%s has %s", path, word)
		}
	}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "cmd/*.md", "cmd/*.txt", "layout/*/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files: %v", pattern, err)
		}
		for _, file := range files {
			check(file, readDocument(t, file))
		}
	}
	err := filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text := readDocument(t, path)
		var s scanner.Scanner
		s.Init(token.NewFileSet().AddFile(path, -1, len(text)), []byte(text), nil, 0)
		for _, kind, literal := s.Scan(); kind != token.EOF; _, kind, literal = s.Scan() {
			if kind == token.STRING {
				check(path, literal)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestTutorialFile compares the configuration that the tutorial shows with the file that it checks.
func TestTutorialFile(t *testing.T) {
	file := readDocument(t, "testdata/tutorial/frames.layoutcalc.yaml")
	if !strings.Contains(readDocument(t, "docs/tutorial.md"), "```yaml\n"+file+"```\n") {
		t.Error("docs/tutorial.md does not show testdata/tutorial/frames.layoutcalc.yaml as it is")
	}
}

// TestCookbook counts the recipes of the cookbook: a heading, and the command for it. TestDocuments replays them.
func TestCookbook(t *testing.T) {
	recipe := regexp.MustCompile("(?m)^### .+\n\n```console\n\\$ .*layoutcalc ")
	if n := len(recipe.FindAllString(readDocument(t, "docs/cookbook.md"), -1)); n < 40 {
		t.Errorf("docs/cookbook.md has %d recipes that are replayed, want 40", n)
	}
}

// TestNamesOfFiles looks for file names that Windows does not have, so that Windows can check out the repository.
func TestNamesOfFiles(t *testing.T) {
	device := regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$`)
	seen := map[string]string{}
	err := filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		name, folded := e.Name(), strings.ToLower(path)
		switch {
		case err != nil:
			return err
		case name == ".git" || name == ".release" || name == "dist":
			if e.IsDir() {
				return fs.SkipDir
			}
		case device.MatchString(name), strings.ContainsAny(name, `<>:"|?*\`),
			name != "." && strings.TrimRight(name, ". ") != name:
			t.Errorf("%s is no name of Windows", path)
		case seen[folded] != "":
			t.Errorf("%s and %s are one file of Windows", path, seen[folded])
		}
		seen[folded] = path
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// readDocument returns the text of a file, with lines that end in LF.
func readDocument(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}

// headings returns the anchors of the headings of a Markdown document: lower case, without punctuation, spaces as
// hyphens.
func headings(document string) map[string]bool {
	anchors := map[string]bool{}
	punctuation := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	for line := range strings.Lines(document) {
		if title := strings.TrimLeft(line, "#"); title != line && strings.HasPrefix(title, " ") {
			anchor := punctuation.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
			anchors[strings.ReplaceAll(anchor, " ", "-")] = true
		}
	}
	return anchors
}
