package cmd

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"layoutcalc/cmd/files"
	"layoutcalc/layout/triton"
)

// A repositories is the repositories of Triton in which configurations are that are checked.
type repositories struct {
	mutex sync.Mutex
	known map[string]*triton.Repository // by their directories
}

// locate returns where in a repository a configuration is.
func (r *repositories) locate(here workDir, file string, g *files.Guard) *triton.Location {
	root, at := triton.Locate(filepath.ToSlash(here.absolute(file)))
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if at.Repository = r.known[root]; at.Repository == nil {
		if r.known == nil {
			r.known = map[string]*triton.Repository{}
		}
		at.Repository = triton.NewRepository(rootFS{filepath.FromSlash(root), g})
		r.known[root] = at.Repository
	}
	return &at
}

// A rootFS is a directory out of which no path and no link leads. Nothing of it stays open.
type rootFS struct {
	dir   string
	guard *files.Guard // is told what is read
}

// Open opens a file or a directory.
func (r rootFS) Open(name string) (fs.File, error) {
	f, err := os.OpenInRoot(r.dir, filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	r.guard.Opened(filepath.Join(r.dir, name), f)
	return f, nil
}

// Stat tells of a file without opening it, which may take forever if it is not a regular one.
func (r rootFS) Stat(name string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(r.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Stat(filepath.FromSlash(name))
}

// A dirFS is a directory of the system as package os opens it.
type dirFS interface {
	fs.StatFS
	fs.ReadLinkFS
}

// A watchedFS is a directory that tells what is read of it.
type watchedFS struct {
	dirFS
	dir   string
	guard *files.Guard
}

// openDir returns a directory whose files are not replaced once they have been opened.
func (a *app) openDir(dir string) fs.FS { return watchedFS{os.DirFS(dir).(dirFS), dir, &a.guard} }

// Open opens a file or a directory.
func (w watchedFS) Open(name string) (fs.File, error) {
	f, err := w.dirFS.Open(name)
	if err == nil {
		w.guard.Opened(filepath.Join(w.dir, name), f)
	}
	return f, err
}
