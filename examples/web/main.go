//go:build !js

// Command web makes the analysis run in a browser tab: it compiles the pure packages to WebAssembly, and writes an npm package
// and a page, one file that a browser opens from disk, into a folder.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed package page offline.js
var sources embed.FS

func main() {
	log.SetFlags(0)
	out := flag.String("out", "motion-web", "folder to write into")
	address := flag.String("serve", "", "address to serve the folder at, such as localhost:8080")
	flag.Parse()
	if err := build(*out); err != nil {
		log.Fatal(err)
	}
	if *address != "" {
		log.Printf("http://%s/motion.html", *address)
		log.Fatal(http.ListenAndServe(*address, isolated(http.FileServer(http.Dir(*out)))))
	}
}

// isolated sets the headers with which browsers let a page have threads.
func isolated(files http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		w.Header().Set("Cross-Origin-Embedder-Policy", "require-corp")
		files.ServeHTTP(w, r)
	})
}

const self = module + "examples/web"

// build writes the package into out/package, and the page to out/motion.html, with what makes it work offline.
func build(out string) error {
	to := filepath.Join(out, "package")
	if err := os.MkdirAll(filepath.Join(to, "extract"), 0o777); err != nil {
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
		all["motion.wasm.gz"], err = compiled(self)
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
	if all["LICENSES"], err = licences(goroot, self); err != nil {
		return err
	}
	found, err := extracting(goroot)
	if err != nil {
		return err
	}
	for name, content := range found {
		all["extract/"+name] = content
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
	offline, err := offline(all, page)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(out, "motion.html"), page, 0o666), os.WriteFile(filepath.Join(out, "offline.js"), offline, 0o666))
}

// offline returns the service worker of the page, which keeps all files that a movie needs: a browser that has another version of it
// fetches them anew. Thunder is kept when it is used.
func offline(files map[string][]byte, page []byte) ([]byte, error) {
	text, err := sources.ReadFile("offline.js")
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	sum.Write(page)
	names := []string{"motion.html", "package/wasm_exec.js"}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasPrefix(name, "extract/") || strings.HasSuffix(name, "LICENSES") {
			continue
		}
		sum.Write(files[name])
		if name != "extract/thunder.onnx" {
			names = append(names, "package/"+name)
		}
	}
	list, err := json.Marshal(names)
	text = bytes.ReplaceAll(text, []byte("/*files*/ []"), list)
	return bytes.ReplaceAll(text, []byte("/*version*/"), []byte(hex.EncodeToString(sum.Sum(nil)[:8]))), err
}

// compiled returns a program as a packed WebAssembly module. Without inlining it is smaller.
func compiled(program string, options ...string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "motion-web")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "motion.wasm")
	args := append([]string{"build", "-trimpath", "-ldflags=-s -w", "-gcflags=all=-l", "-o", file}, options...)
	if _, err := run("go", append(args, program)...); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return packed(text)
}

func packed(content []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(content)
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

// licences returns the licences of all modules that the WebAssembly of a program has parts of, and of Go.
func licences(goroot, program string) ([]byte, error) {
	list, err := run("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Dir}}{{end}}", program)
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
