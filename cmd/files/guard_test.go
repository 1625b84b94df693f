package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
)

// write writes a file through a guard.
func write(g *Guard, path, text string) error {
	return g.WriteWhole(path, false, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// TestGuardSpares writes over a file that is read, by all its names, at the beginning and at the end of the call.
func TestGuardSpares(t *testing.T) {
	dir := t.TempDir()
	in, link, hard := filepath.Join(dir, "in"), filepath.Join(dir, "link"), filepath.Join(dir, "hard")
	if err := os.WriteFile(in, []byte("input"), 0o600); err != nil {
		t.Fatal(err)
	}
	names := []string{in, dir + "/./in", dir + "/../" + filepath.Base(dir) + "/in"}
	if layouttest.MakeLink("in", link) == nil {
		names = append(names, link)
	}
	if runtime.GOOS != "windows" && os.Link(in, hard) == nil {
		names = append(names, hard)
	}
	for _, name := range names {
		for _, late := range []bool{false, true} {
			if name == hard {
				_ = os.Remove(hard)
				_ = os.Link(in, hard)
			}
			var g Guard
			reads := func() {
				info, err := os.Stat(in)
				if err != nil {
					t.Fatal(err)
				}
				g.Reads(in, info)
			}
			if !late {
				reads()
			}
			err := g.WriteWhole(name, late, func(io.Writer) error { reads(); return nil })
			if text, _ := os.ReadFile(in); err != ErrInput || string(text) != "input" {
				t.Errorf("%s, late %t: %v leaves %q", name, late, err, text)
			}
			info, err := os.Stat(in)
			if err != nil {
				t.Fatal(err)
			}
			if g.Forget(g.Identify(in, info)); write(&g, name, "input") != nil {
				t.Errorf("%s is not written though it is forgotten", name)
			}
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || left != nil {
		t.Errorf("%v, %q are left", err, left)
	}
}

// TestLeftovers checks that files left by killed programs for a target are removed, and nothing else.
func TestLeftovers(t *testing.T) {
	if closesFirst || lock(os.Stdin) == errors.ErrUnsupported {
		t.Skip("no locks")
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	var g Guard
	live, err := g.Replace(at("a"))
	if err != nil {
		t.Fatal(err)
	}
	defer live.Drop()
	others := []string{".b.layoutcalc-0", ".a.layoutcalc-x", ".a.layoutcalc", "a.layoutcalc-1", ".layoutcalc-1"}
	for _, name := range append([]string{".a.layoutcalc-1", ".a.layoutcalc-3"}, others...) {
		if err := os.WriteFile(at(name), []byte("left"), 0o400); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(at(".a.layoutcalc-2"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := write(&g, at("a"), "new"); err != nil {
		t.Fatal(err)
	}
	want := append([]string{".a.layoutcalc-0", ".a.layoutcalc-2", "a"}, others...)
	for _, name := range want {
		if _, err := os.Lstat(at(name)); err != nil {
			t.Error(err)
		}
	}
	if names, _ := os.ReadDir(dir); len(names) != len(want) {
		t.Errorf("%v are left, want %q", names, want)
	}
	if err := live.Keep(); err != nil {
		t.Errorf("the program that goes on: %v", err)
	}
	long := at(strings.Repeat("ü", 127))
	if err := write(&g, long, "long"); err != nil {
		t.Error(err)
	}
}

// TestNarrowed compares the permissions of a new file with the previous permissions of each user.
func TestNarrowed(t *testing.T) {
	for perm := fs.FileMode(0); perm <= 0o777; perm++ {
		u, m, o := perm>>6, perm>>3&7, perm&7
		for i := range 8 {
			owner, group, sameList := i&1 != 0, i&2 != 0, i&4 != 0
			got := narrowed(perm, owner, group, sameList)
			gm, gothers := got>>3&7, got&7
			switch {
			case owner && group && sameList && got != perm:
				t.Errorf("%o becomes %o", perm, got)
			case got>>6 != u || gm&^m != 0 || gothers&^o != 0,
				!owner && (gm|gothers)&^u != 0,            // the old owner is a member or another now
				!group && (gm&^o != 0 || gothers&^m != 0), // members and others have changed places
				!sameList && got&0o77 != 0:                // anybody may have had less
				t.Errorf("%o becomes %o: owner %t, group %t, list %t", perm, got, owner, group, sameList)
			}
		}
	}
}

// TestPath resolves names from a directory, without cleaning them.
func TestPath(t *testing.T) {
	g, base := new(Guard), t.TempDir()
	for _, name := range []string{"", ".", "a", "a/../b", "a/", base} {
		if path := g.Path(name); path != name {
			t.Errorf("without a base %q is %q", name, path)
		}
	}
	g.Base = base
	slash := string(filepath.Separator)
	for name, want := range map[string]string{
		"": "", "a": base + slash + "a", "a/../b/": base + slash + "a/../b/", base: base, slash: slash,
	} {
		if path := g.Path(name); path != want {
			t.Errorf("%q is %q, not %q", name, path, want)
		}
	}
}
