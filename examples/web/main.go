//go:build !js

// Command web makes the analysis run in a browser tab: it compiles the pure packages to WebAssembly, and writes an npm package
// and a page, one file that a browser opens from disk, into a folder.
package main

import (
	"bytes"
	"compress/gzip"
	"embed"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed package page
var sources embed.FS

func main() {
	log.SetFlags(0)
	out := flag.String("out", "motion-web", "folder to write into")
	flag.Parse()
	if err := build(*out); err != nil {
		log.Fatal(err)
	}
}

const self = "github.com/bodymotion/motion/examples/web"

// build writes the package into out/package, and the page to out/motion.html.
func build(out string) error {
	to := filepath.Join(out, "package")
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	files, err := fs.Sub(sources, "package")
	if err != nil {
		return err
	}
	all := map[string][]byte{}
	err = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all[name], err = fs.ReadFile(files, name)
		}
		return err
	})
	if err == nil {
		all["motion.wasm.gz"], err = compiled()
	}
	if err != nil {
		return err
	}
	root, err := run("go", "env", "GOROOT")
	if err != nil {
		return err
	}
	goroot := strings.TrimSpace(string(root))
	if all["wasm_exec.js"], err = os.ReadFile(filepath.Join(goroot, "lib/wasm/wasm_exec.js")); err != nil {
		return err
	}
	if all["LICENSES"], err = licences(goroot); err != nil {
		return err
	}
	for name, content := range all {
		if err := os.WriteFile(filepath.Join(to, name), content, 0o666); err != nil {
			return err
		}
	}
	page, err := page(all)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "motion.html"), page, 0o666)
}

// compiled returns the packed WebAssembly module. Without inlining it is smaller.
func compiled() ([]byte, error) {
	dir, err := os.MkdirTemp("", "motion-web")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "motion.wasm")
	if _, err := run("go", "build", "-trimpath", "-ldflags=-s -w", "-gcflags=all=-l", "-o", file, self); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	return b.Bytes(), err
}

// run runs a program for the WebAssembly of browsers and returns what it writes.
func run(name string, args ...string) ([]byte, error) {
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(c.Args, " "), err)
	}
	return out, nil
}

// licences returns the licences of all modules that the WebAssembly has parts of, and of Go.
func licences(goroot string) ([]byte, error) {
	list, err := run("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Dir}}{{end}}", self)
	if err != nil {
		return nil, err
	}
	modules := append(strings.Split(strings.TrimSpace(string(list)), "\n"), "Go "+goroot)
	slices.Sort(modules)
	var b bytes.Buffer
	for _, m := range slices.Compact(modules) {
		name, dir, ok := strings.Cut(m, " ")
		if !ok || strings.Contains(name, "bodymotion/motion/") { // its licence is that of the library
			continue
		}
		found, err := filepath.Glob(filepath.Join(dir, "LICENSE*"))
		if err != nil || len(found) == 0 {
			return nil, fmt.Errorf("%s has no licence in %s", name, dir)
		}
		for _, file := range found {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "== %s: %s\n\n%s\n", name, filepath.Base(file), text)
		}
	}
	return b.Bytes(), nil
}
