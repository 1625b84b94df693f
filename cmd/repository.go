package cmd

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"layoutcalc/layout/triton"
)

// A repositories is the repositories of Triton in which configurations are that are checked.
type repositories struct {
	mutex sync.Mutex
	known map[string]*triton.Repository // by their directories
}

// locate returns where in a repository a configuration is.
func (r *repositories) locate(here workDir, file string) *triton.Location {
	root, at := triton.Locate(filepath.ToSlash(here.absolute(file)))
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if at.Repository = r.known[root]; at.Repository == nil {
		if r.known == nil {
			r.known = map[string]*triton.Repository{}
		}
		at.Repository = triton.NewRepository(rootFS(filepath.FromSlash(root)))
		r.known[root] = at.Repository
	}
	return &at
}

// A rootFS is a directory out of which no path and no link leads. Nothing of it stays open.
type rootFS string

// Open opens a file or a directory.
func (r rootFS) Open(name string) (fs.File, error) {
	f, err := os.OpenInRoot(string(r), filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Stat tells of a file without opening it, which may take forever if it is not a regular one.
func (r rootFS) Stat(name string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(string(r))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Stat(filepath.FromSlash(name))
}
