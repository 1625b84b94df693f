//go:build !js

// Playground builds a folder for a web server: a page that accepts command lines of layoutcalc and shows the answers.
// The program runs in the browser, compiled to WebAssembly from this same package.
//
//	go run ./cmd/playground FOLDER
package main

import (
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// page has the files of the page, which are copied as they are, but for the hash in index.html.
//
//go:embed page
var page embed.FS

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./cmd/playground FOLDER")
		os.Exit(2)
	}
	if err := build(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "playground:", err)
		os.Exit(1)
	}
}

// build writes the page, the program, and the script of Go that starts the program into a folder.
func build(folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	entries, err := page.ReadDir("page")
	if err != nil {
		return err
	}
	for _, e := range entries {
		data, err := page.ReadFile("page/" + e.Name())
		if err != nil {
			return err
		}
		text := strings.Replace(string(data), "sha256-SCRIPT", "sha256-"+scriptHash(), 1)
		if err := os.WriteFile(filepath.Join(folder, e.Name()), []byte(text), 0o666); err != nil {
			return err
		}
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	starter, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "wasm_exec.js"), starter, 0o666); err != nil {
		return err
	}
	return compile(filepath.Join(folder, "layoutcalc.wasm.gz"))
}

// scriptHash returns the hash of the script of a picture's page. The policy of the playground permits this hash,
// because a page in a frame obeys the policy around it too.
func scriptHash() string {
	_, script, _ := strings.Cut(answerTo("strides 2", "", 80).html, "<script>")
	script, _, _ = strings.Cut(script, "</script>")
	sum := sha256.Sum256([]byte(script))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// compile compiles this package for the browser and compresses it.
func compile(path string) (err error) {
	program := path + ".tmp"
	defer os.Remove(program)
	c := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "layoutcalc/cmd/playground")
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	c.Stderr = os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("go build: %w", err)
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	z, err := gzip.NewWriterLevel(file, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(data); err != nil {
		return err
	}
	return z.Close()
}
