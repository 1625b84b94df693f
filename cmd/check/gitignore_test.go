package check

import (
	"bytes"
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

// texts returns a file system with files, which maps names to contents.
func texts(files map[string]string) fstest.MapFS {
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

// left walks through a directory, and returns the files that are left.
func left(t *testing.T, files fs.FS, dir string, g *ignoreFiles) (paths []string) {
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
		case name != dir && g.excludes(real, d.IsDir()):
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir():
			g.enter(real)
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
			"in a repository files are too, whether git tracks them or not",
			map[string]string{"r/.gitignore": "*.npy\nbuild/\nother/\n", "r/a.npy": "", "r/build/d/y": "",
				"r/other/a": "", "r/c": "", "r/.git/index": ""},
			"r", "r", "r/c", "",
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
			map[string]string{"r/.gitignore": "b/\n!b/x\n", "r/b/x": "", "r/b/.gitignore": "!*\n", "r/c": "",
				"r/.git/HEAD": ""},
			"r", "r", "r/c", "",
		},
		{
			"a repository in another one, and a submodule",
			map[string]string{"r/.gitignore": "*.npy\n", "r/in/.git/HEAD": "", "r/in/a.npy": "", "r/s/a.npy": "",
				"r/s/.git": "gitdir: ../.git/modules/s\n", "r/s/b.npy": "", "r/s/.gitignore": "b.npy",
				"r/.git/HEAD": "", "r/z.npy": ""},
			"r", "r", "r/in/a.npy r/s/a.npy", "",
		},
		{
			"repositories in a directory that is none",
			map[string]string{".gitignore": "*.npy\nk/\n", "p/.git/HEAD": "", "p/t": "", "p/u.npy": "",
				"p/.gitignore": "*.npy", "u.npy": "", "k/a": ""},
			"", "", "p/t u.npy", "",
		},
		{
			"a directory in the root of the file system, which has a .gitignore",
			map[string]string{".gitignore": "build/\n", "p/build/x": "", "p/c": ""},
			"", "p", "p/c", "",
		},
		{
			"another tree of a repository",
			map[string]string{"w/.git": "gitdir: ../r/.git/worktrees/w\n", "r/.git/worktrees/w/commondir": "../..\n",
				"r/.git/info/exclude": "u.npy\nv.npy\n", "w/v.npy": "", "w/v.txt": "",
				"w/.gitignore": "*.npy\n!v.npy", "w/t.npy": "", "w/u.npy": "", "w/t": ""},
			"w", "w", "w/t w/v.npy w/v.txt", "",
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
		g := newIgnoreFiles(slash(tt.top), slash(tt.dir), opener(files), new(project.Work))
		dir := tt.dir
		if dir == "" {
			dir = "."
		}
		var got []string
		got = append(got, left(t, files, dir, g)...)
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: left are %s", tt.reason, got)
		}
		notes := strings.Join(g.notes, "\n")
		if !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" {
			t.Errorf("%s: %s", tt.reason, notes)
		}
	}
}

// A counter counts opened files and queried names.
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
		files := fstest.MapFS{"r/.git/HEAD": {}}
		for i := range n {
			dir := "r/" + strings.Repeat("d/", i)
			files[dir+".gitignore"] = &fstest.MapFile{Data: bytes.Repeat([]byte("a*b*c\n"), 50)}
			files[dir+"a.npy"] = &fstest.MapFile{}
			files[dir+"axbxc"] = &fstest.MapFile{}
		}
		c := counter{files, map[string]int{}}
		work := new(project.Work)
		g := newIgnoreFiles(filepath.FromSlash("/r"), filepath.FromSlash("/r"), opener(c), work)
		if got := left(t, files, "r", g); len(got) != n {
			t.Errorf("left are %d files", len(got))
		}
		if c.opened[".gitignore"] > 3*n {
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

// TestIgnoresAsGit compares the files that are not ignored in a repository with Git's list.
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
		want := strings.Fields(run(dir, "ls-files", "-z", "--others", "--exclude-standard"))
		want = strings.Split(strings.TrimSuffix(strings.Join(want, " "), "\x00"), "\x00")
		want = slices.DeleteFunc(want, func(name string) bool {
			_, err := os.Stat(filepath.Join(dir, name))
			return err != nil || strings.HasPrefix(path.Base(name), ".")
		})
		slices.Sort(want)
		g := newIgnoreFiles(dir, dir, func(dir string) fs.FS { return os.DirFS(dir) }, new(project.Work))
		var got []string
		_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, _ error) error {
			switch {
			case d.Name() == ".git" && d.IsDir() || name != dir && g.excludes(name, d.IsDir()) && d.IsDir():
				return fs.SkipDir
			case d.IsDir():
				g.enter(name)
			case !strings.HasPrefix(d.Name(), ".") && !g.excludes(name, false):
				rel, _ := filepath.Rel(dir, name)
				got = append(got, filepath.ToSlash(rel))
			}
			return nil
		})
		slices.Sort(got)
		if !slices.Equal(got, slices.Compact(want)) || len(got) == 0 || len(g.notes) > 0 {
			t.Errorf("%s: left are\n%q, and git says\n%q; %q", reason, got, want, g.notes)
		}
	}
	dir, other := filepath.Join(root, "first"), filepath.Join(root, "second")
	run(root, "init", "-q", dir)
	run(dir, "commit", "-qm", "x", "--allow-empty")
	fill(dir, ".gitignore", "a.npy", "b.npy", "keep.npy", "c.onnx", "out/a.npy", "out/deep/b.onnx", "out/new",
		"sub/.gitignore", "sub/x.npy", "sub/out/y.onnx", "top/a/x", "top/a/y", "sub/top/a/x", "many/1", "many/2")
	compare("a repository", dir)
	exclude := []byte("c.*\n!/a.npy\nmany/\n!/new\n")
	if err := os.WriteFile(filepath.Join(dir, ".git", "info", "exclude"), exclude, 0o666); err != nil {
		t.Fatal(err)
	}
	compare("with info/exclude", dir)
	run(dir, "worktree", "add", "-q", other)
	fill(other, ".gitignore", "out/new.npy", "b.npy", "c.onnx", "d")
	compare("another tree", other)
}
