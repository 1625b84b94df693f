package shape_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/shape"
)

// TestAllTagsOfOneDNN compares the offsets of every tag that the installed oneDNN has with its descriptors. The Debian
// package is libdnnl-dev. testdata/onednn.json has the results of its reorders, for tests without an installation.
func TestAllTagsOfOneDNN(t *testing.T) {
	layouttest.SkipUnlessAll(t, "a program is compiled")
	compiler, err := exec.LookPath("c++")
	if err != nil {
		t.Skip("no C++ compiler")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "alltags")
	tags := tagsOfOneDNN(t, compiler)
	if err := os.WriteFile(filepath.Join(dir, "tags.inc"), []byte("TAG("+strings.Join(tags, ")\nTAG(")+")\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	build := exec.Command(compiler, "-I", dir, "testdata/alltags.cpp", "-ldnnl", "-o", program)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command(program).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(tags) {
		t.Errorf("oneDNN has %d tags, and lays out %d", len(tags), len(lines))
	}
	for _, line := range lines {
		fields := strings.Fields(line)
		for _, parse := range []func(string) (shape.Name, error){shape.ParseName, shape.ParseTag} {
			compareTag(t, parse, fields[0], fields[1], fields[2], fields[3])
		}
	}
}

// tagsOfOneDNN returns the names of the tags in the header of the library, without dnnl_. It skips the test where
// there is no library.
func tagsOfOneDNN(t *testing.T, compiler string) (tags []string) {
	t.Helper()
	expand := exec.Command(compiler, "-E", "-P", "-x", "c++", "-")
	expand.Stdin = strings.NewReader("#include <oneapi/dnnl/dnnl.h>\n")
	header, err := expand.Output()
	if err != nil {
		t.Skip("no oneDNN")
	}
	text, _, _ := strings.Cut(string(header), "dnnl_format_tag_t;")
	text = text[strings.LastIndex(text, "enum"):]
	for _, m := range regexp.MustCompile(`\bdnnl_(\w+)\s*(=|,)`).FindAllStringSubmatch(text, -1) {
		if tag := m[1]; !strings.HasPrefix(tag, "format_tag_") {
			tags = append(tags, tag)
		}
	}
	if len(tags) < 900 {
		t.Fatalf("%d tags in the header", len(tags))
	}
	return tags
}

// compareTag compares the layout that a parser makes of a tag with the offsets of all elements and the bytes of the
// whole.
func compareTag(t *testing.T, parse func(string) (shape.Name, error), tag, sizes, bytes, offsets string) {
	t.Helper()
	name, err := parse(tag)
	if err != nil {
		t.Errorf("%s: %v", tag, err)
		return
	}
	dims, err := shape.ParseShape(sizes)
	if err != nil {
		t.Fatal(err)
	}
	x, err := shape.Spec{Shape: dims, Name: &name}.Tensor()
	if err != nil {
		t.Errorf("%s %s: %v", sizes, tag, err)
		return
	}
	want := strings.Split(offsets, ",")
	var got []string
	for _, offset := range x.Layout().All() {
		got = append(got, strconv.FormatInt(offset, 10))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s %s: the offsets differ from oneDNN's", sizes, tag)
	}
	if whole := strconv.FormatInt(x.Bytes(x.Storage()), 10); whole != bytes {
		t.Errorf("%s %s: %s bytes with whole blocks, want %s", sizes, tag, whole, bytes)
	}
}
