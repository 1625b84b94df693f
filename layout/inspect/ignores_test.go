package inspect

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"layoutcalc/layout/project"
)

// opener opens the directories of a file system whose root is /.
func opener(files fs.FS) func(string) fs.FS {
	return func(dir string) fs.FS {
		sub, err := fs.Sub(files, path.Clean("./"+strings.TrimPrefix(filepath.ToSlash(dir), "/")))
		if err != nil {
			return fstest.MapFS{}
		}
		return sub
	}
}

// texts returns a file system of texts.
func texts(files map[string]string) fstest.MapFS {
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

// left walks through a directory, and returns the files that are left.
func left(t *testing.T, files fs.FS, dir string, g *Ignores) (paths []string) {
	t.Helper()
	err := fs.WalkDir(files, dir, func(name string, d fs.DirEntry, err error) error {
		real := filepath.FromSlash(path.Join("/", name))
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(d.Name(), ".") && name != dir:
			if d.IsDir() {
				return fs.SkipDir
			}
		case name != dir && g.Excludes(real, d.IsDir()):
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir():
			g.Enter(real)
		default:
			paths = append(paths, name)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return paths
}

func TestIgnores(t *testing.T) {
	index := func(paths ...string) string {
		var entries []entry
		for _, p := range paths {
			entries = append(entries, entry{path: strings.TrimSuffix(p, "/")})
			if strings.HasSuffix(p, "/") {
				entries[len(entries)-1].kind = 0o16
			}
		}
		return string(written(2, 20, "", entries...))
	}
	many := map[string]string{"r/.git/HEAD": "", "r/z/.gitignore": "*.npy\n", "r/z/a.npy": ""}
	for _, dir := range "abcdefgh" {
		many["r/"+string(dir)+"/.gitignore"] = "*.npy\n" + strings.Repeat("#", 1<<20-6)
		many["r/"+string(dir)+"/a.npy"] = ""
	}
	for _, tt := range []struct {
		reason string
		files  map[string]string
		top    string
		dir    string
		want   string
		note   string
	}{
		{
			"nine .gitignore, of 8 MB and some bytes", many, "r", "r", "r/z/a.npy",
			"is not read: a .gitignore may have 1 MB, and all of them 8 MB",
		},
		{
			"without a repository only directories are left out",
			map[string]string{"r/.gitignore": "*.npy\nbuild/\n", "r/a.npy": "", "r/build/b.npy": "", "r/c": ""},
			"r", "r", "r/a.npy r/c", "",
		},
		{
			"in a repository files are too, unless git tracks them",
			map[string]string{"r/.gitignore": "*.npy\nbuild/\nother/\n", "r/a.npy": "", "r/t.npy": "",
				"r/build/b.npy": "", "r/build/x": "", "r/build/d/e.npy": "", "r/build/d/y": "", "r/other/a": "",
				"r/c":          "",
				"r/.git/index": index("t.npy", "build/b.npy", "build/d/e.npy", "gone/x.npy")},
			"r", "r", "r/build/b.npy r/build/d/e.npy r/c r/t.npy", "",
		},
		{
			"a directory in one, which has a .gitignore itself",
			map[string]string{"r/.gitignore": "*.npy\nm/x\n", "r/m/.gitignore": "!keep.npy\n/y\n", "r/m/keep.npy": "",
				"r/m/a.npy": "", "r/m/x": "", "r/m/y": "", "r/m/n/y": "", "r/m/n/x": "", "r/m/n/keep.npy": "",
				"r/.git/HEAD": ""},
			"r", "r/m", "r/m/keep.npy r/m/n/keep.npy r/m/n/x r/m/n/y", "",
		},
		{
			"what is in a directory that is left out stays out, whatever patterns say",
			map[string]string{"r/.gitignore": "b/\n!b/x\n", "r/b/x": "", "r/b/.gitignore": "!*\n", "r/b/t": "",
				"r/.git/index": index("b/t")},
			"r", "r", "r/b/t", "",
		},
		{
			"a repository in another one, and a submodule that is ignored",
			map[string]string{"r/.gitignore": "*.npy\ns/\n", "r/in/.git/HEAD": "", "r/in/a.npy": "", "r/s/a.npy": "",
				"r/s/.git": "gitdir: ../.git/modules/s\n", "r/s/b.npy": "", "r/s/.gitignore": "b.npy",
				"r/.git/modules/s/index": index("b.npy"), "r/.git/index": index("s/"), "r/z.npy": ""},
			"r", "r", "r/in/a.npy r/s/a.npy r/s/b.npy", "",
		},
		{
			"repositories in a directory that is none",
			map[string]string{".gitignore": "*.npy\nk/\n", "p/.git/index": index("t.npy"), "p/t.npy": "", "p/u.npy": "",
				"p/.gitignore": "*.npy", "u.npy": "", "k/a": ""},
			"", "", "p/t.npy u.npy", "",
		},
		{
			"a directory in the root of the file system, which has a .gitignore",
			map[string]string{".gitignore": "build/\n", "p/build/x": "", "p/c": ""},
			"", "p", "p/c", "",
		},
		{
			"another tree of a repository, whose hashes are long",
			map[string]string{"w/.git": "gitdir: ../r/.git/worktrees/w\n", "r/.git/worktrees/w/commondir": "../..\n",
				"r/.git/config":       "[core]\n\tbare = false\n[extensions]\n\tObjectFormat = SHA256\n",
				"r/.git/info/exclude": "u.npy\nv.npy\n!t.npy\n", "w/v.npy": "", "w/v.txt": "",
				"r/.git/worktrees/w/index": string(written(4, 32, "", entry{path: "t.npy"})),
				"w/.gitignore":             "*.npy\n!v.npy", "w/t.npy": "", "w/u.npy": ""},
			"w", "w", "w/t.npy w/v.npy w/v.txt", "",
		},
		{
			"an index that cannot be read",
			map[string]string{"r/.gitignore": "*.npy\n", "r/.git/index": "root:TOPSECRET:0:0", "r/a.npy": "",
				"r/b": ""},
			"r", "r", "r/b", "it is not one of version 2, 3 or 4",
		},
		{
			"an index that is split from one that is not there",
			map[string]string{"r/.gitignore": "*.npy\n", "r/a.npy": "", "r/b": "",
				"r/.git/index": string(written(2, 20, extension("link", strings.Repeat("x", 20))))},
			"r", "r", "r/b", ": it cannot be read",
		},
		{
			"a .git that leads to nothing",
			map[string]string{"r/.gitignore": "*.npy\n", "r/.git": "gitdir: \x00\n", "r/a.npy": "", "r/b": ""},
			"r", "r", "r/b", "",
		},
		{
			"a .gitignore of 2 MB",
			map[string]string{"r/.gitignore": strings.Repeat("a*b*c\n*.npy\n", 200_000), "r/.git/HEAD": "",
				"r/a.npy": "", "r/b/.gitignore": strings.Repeat("*", 1<<20+1), "r/b/c": ""},
			"r", "r", "r/a.npy r/b/c", "is not read: a .gitignore may have 1 MB, and all of them 8 MB",
		},
	} {
		files := texts(tt.files)
		slash := func(name string) string { return filepath.FromSlash("/" + name) }
		g := NewIgnores(slash(tt.top), slash(tt.dir), opener(files), anyName, new(project.Work))
		dir := tt.dir
		if dir == "" {
			dir = "."
		}
		var got []string
		got = append(got, left(t, files, dir, g)...)
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: left are %s", tt.reason, got)
		}
		notes := strings.Join(g.Notes, "\n")
		if !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" || strings.Contains(notes, "TOPSECRET") {
			t.Errorf("%s: %s", tt.reason, notes)
		}
	}
}

// A counter counts what is opened and asked for.
type counter struct {
	fs.FS
	opened map[string]int
}

func (c counter) Open(name string) (fs.File, error) {
	c.opened[path.Base(name)]++
	return c.FS.Open(name)
}

// TestIgnoresGrow counts comparisons and files that are opened where directories lie in each other.
func TestIgnoresGrow(t *testing.T) {
	steps := func(n int) int {
		files := fstest.MapFS{"r/.git/index": {Data: written(2, 20, "")}}
		for i := range n {
			dir := "r/" + strings.Repeat("d/", i)
			files[dir+".gitignore"] = &fstest.MapFile{Data: bytes.Repeat([]byte("a*b*c\n"), 50)}
			files[dir+"a.npy"] = &fstest.MapFile{}
			files[dir+"axbxc"] = &fstest.MapFile{}
		}
		c := counter{files, map[string]int{}}
		work := new(project.Work)
		g := NewIgnores(filepath.FromSlash("/r"), filepath.FromSlash("/r"), opener(c), anyName, work)
		if got := left(t, files, "r", g); len(got) != n {
			t.Errorf("left are %d files", len(got))
		}
		if c.opened["index"] > 2 || c.opened[".gitignore"] > 3*n {
			t.Errorf("opened: %v", c.opened)
		}
		return work.Steps
	}
	// A file is compared once with each .gitignore around it, and so is a directory.
	for _, n := range []int{25, 50, 100} {
		if got := steps(n); got > 2*n*n {
			t.Errorf("%d directories: %d steps", n, got)
		}
	}
}

// TestIgnoresAsGit has git say which files of a repository are tracked or not ignored, for indexes of all forms that it
// writes.
func TestIgnoresAsGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip(err)
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	run := func(dir string, args ...string) string {
		t.Helper()
		c := exec.Command(git, append([]string{"-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Skipf("git %s: %v: %s", args, err, out)
		}
		return string(out)
	}
	fill := func(dir string, names ...string) {
		t.Helper()
		for _, name := range names {
			name = filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			text := name
			if filepath.Base(name) == ".gitignore" {
				text = "*.npy\nout/\n!keep.npy\n/top/*/x\n"
			}
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	compare := func(reason, dir string) {
		t.Helper()
		want := strings.Fields(run(dir, "ls-files", "-z", "--cached", "--others", "--exclude-standard"))
		want = strings.Split(strings.TrimSuffix(strings.Join(want, " "), "\x00"), "\x00")
		want = slices.DeleteFunc(want, func(name string) bool {
			_, err := os.Stat(filepath.Join(dir, name))
			return err != nil || strings.HasPrefix(path.Base(name), ".")
		})
		slices.Sort(want)
		g := NewIgnores(dir, dir, func(dir string) fs.FS { return os.DirFS(dir) }, anyName, new(project.Work))
		var got []string
		_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, _ error) error {
			switch {
			case d.Name() == ".git" && d.IsDir() || name != dir && g.Excludes(name, d.IsDir()) && d.IsDir():
				return fs.SkipDir
			case d.IsDir():
				g.Enter(name)
			case !strings.HasPrefix(d.Name(), ".") && !g.Excludes(name, false):
				rel, _ := filepath.Rel(dir, name)
				got = append(got, filepath.ToSlash(rel))
			}
			return nil
		})
		slices.Sort(got)
		if !slices.Equal(got, slices.Compact(want)) || len(got) == 0 || len(g.Notes) > 0 {
			t.Errorf("%s: left are\n%q, and git says\n%q; %q", reason, got, want, g.Notes)
		}
	}
	for _, format := range []string{"sha1", "sha256"} {
		dir := filepath.Join(root, format)
		run(root, "init", "-q", "--object-format="+format, dir)
		names := []string{".gitignore", "a.npy", "b.npy", "keep.npy", "c.onnx", "out/a.npy", "out/deep/b.onnx",
			"out/new", "sub/.gitignore", "sub/x.npy", "sub/out/y.onnx", "top/a/x", "top/a/y", "sub/top/a/x"}
		for i := range 150 {
			names = append(names, fmt.Sprintf("many/%03d.npy", i))
		}
		fill(dir, names...)
		run(dir, "add", "-f", "a.npy", "out/deep/b.onnx", "sub/x.npy", "top/a/x", "many", ".gitignore")
		run(dir, "commit", "-qm", "x")
		compare(format, dir)
		exclude := []byte("c.*\n!/a.npy\nmany/\n!/new\n")
		if err := os.WriteFile(filepath.Join(dir, ".git", "info", "exclude"), exclude, 0o666); err != nil {
			t.Fatal(err)
		}
		compare(format+", with info/exclude", dir)
		run(dir, "add", "-N", "-f", "b.npy")
		compare(format+", an entry without contents", dir)
		run(dir, "update-index", "--index-version", "4")
		compare(format+", version 4", dir)
		run(dir, "update-index", "--index-version", "2")
		run(dir, "update-index", "--split-index")
		run(dir, "rm", "-q", "--cached", "many/001.npy", "many/002.npy", "many/149.npy")
		run(dir, "add", "-f", "sub/out/y.onnx")
		run(dir, "update-index", "--chmod=+x", "many/003.npy")
		compare(format+", split", dir)
		run(dir, "config", "index.skipHash", "true")
		run(dir, "update-index", "--no-split-index", "--force-write-index")
		compare(format+", without a hash", dir)
		other := filepath.Join(root, format+"-tree")
		run(dir, "worktree", "add", "-q", other)
		fill(other, "out/new.npy", "b.npy")
		compare(format+", another tree", other)
	}
}
