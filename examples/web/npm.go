//go:build !js

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// dependency is a package of npm, whose archive has a SHA-512 (base64), and the files that are taken from it.
type dependency struct {
	name, version, sum string
	files              []string
}

var dependencies = []dependency{
	{"onnxruntime-web", "1.30.0", "q0y+JrrtukXSzsBWEMccVfqX25LRmosXHF+CaRJmg8pZClzcV7svNc4rKY3jL02Vb7QmRMDs1SigqR4CXAfKYQ==", []string{
		"dist/ort.wasm.min.mjs", "dist/ort-wasm-simd-threaded.mjs", "dist/ort-wasm-simd-threaded.wasm",
	}},
	{"mp4box", "2.4.1", "0HGX7nXoDIX6FKLVl4a3wtYjBlwqsN3xuQC3GXzNtKp98FXUOhDSq623azsz8DG5ptd9ZXcXodDkgbdMZOjWvw==", []string{
		"dist/mp4box.all.mjs", "dist/styp-9TIZZDLN.mjs", "dist/rolldown-runtime-w6R9maHv.mjs", "LICENSE",
	}},
}

// fetch returns the wanted files of a package by their last names.
func (d dependency) fetch() (map[string][]byte, error) {
	text, err := d.archive()
	if err != nil {
		return nil, err
	}
	return d.unpack(text)
}

// archive returns the archive of a package, which npm fetches the first time.
func (d dependency) archive() ([]byte, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(cache, "motion", "npm-"+d.name+"-"+d.version+".tgz")
	text, err := os.ReadFile(file)
	if err == nil && d.whole(text) {
		return text, nil
	}
	dir, err := os.MkdirTemp("", "motion-npm")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	c := exec.Command("npm", "pack", "--silent", "--pack-destination", dir, d.name+"@"+d.version)
	c.Stderr = os.Stderr
	name, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(c.Args, " "), err)
	}
	if text, err = os.ReadFile(filepath.Join(dir, strings.TrimSpace(string(name)))); err != nil {
		return nil, err
	}
	if !d.whole(text) {
		return nil, fmt.Errorf("%s@%s is another archive than expected", d.name, d.version)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return nil, err
	}
	return text, os.WriteFile(file, text, 0o644)
}

func (d dependency) whole(archive []byte) bool {
	sum := sha512.Sum512(archive)
	return base64.StdEncoding.EncodeToString(sum[:]) == d.sum
}

func (d dependency) unpack(archive []byte) (map[string][]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		head, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if all[head.Name], err = io.ReadAll(r); err != nil {
			return nil, err
		}
	}
	wanted := map[string][]byte{}
	for _, name := range d.files {
		text, ok := all["package/"+name]
		if !ok {
			return nil, fmt.Errorf("%s is missing", name)
		}
		wanted[filepath.Base(name)] = text
	}
	return wanted, nil
}
