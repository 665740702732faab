// Package offline lets a program contain ONNX Runtime, so that its networks run on a machine without a network and without
// anything installed. In a module that requires this one, this writes a package with the packed library of each platform, 5 to
// 11 MB, to commit or to make before each build:
//
//	go run github.com/bodymotion/motion/inference/onnxruntime/offline/pack -o internal/onnxruntime linux/amd64 darwin/arm64
//
// The program imports that package for its effect:
//
//	import _ "example.com/host/internal/onnxruntime"
//
// The library is unpacked into the user cache when the first network is opened, and used unless onnxruntime.Options.Library or
// $ONNXRUNTIME_LIB names another one. Who gives the program away also gives ONNX Runtime's licence (MIT) and its notices of
// third parties.
package offline

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/bodymotion/motion/internal/ort"
)

// Use makes the networks of the process use a library that is packed by gzip, and has this SHA-256 in hexadecimal when it is
// unpacked. The packages that command pack writes call it; call it before the first network is opened. What hinders unpacking
// is the error of opening a network, and an onnxruntime.ErrLibrary.
func Use(packed []byte, sum string) {
	ort.Unpack = func() (string, error) {
		path, err := unpacked(packed, sum)
		if err != nil {
			return "", fmt.Errorf("%w: the library in the program: %w", ort.ErrLibrary, err)
		}
		return path, nil
	}
}

// unpacked returns the path of the library in the user cache, where it is put unless it is there as it should be. Libraries of
// other programs have other folders.
func unpacked(packed []byte, sum string) (path string, err error) {
	dir, err := ort.CacheDir()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, sum)
	path = filepath.Join(dir, ort.FileName())
	if f, err := os.Open(path); err == nil {
		got, err := copied(io.Discard, f)
		f.Close()
		if err == nil && got == sum {
			return path, nil
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	in, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", err
	}
	out, err := os.CreateTemp(dir, "unfinished-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(out.Name()) // fails after the rename
	got, err := copied(out, in)
	if err = errors.Join(err, out.Chmod(0o755), out.Sync(), out.Close()); err != nil {
		return "", err
	}
	if got != sum {
		return "", fmt.Errorf("its SHA-256 is %s, want %s", got, sum)
	}
	return path, os.Rename(out.Name(), path)
}

// copied copies from in to out, and returns the SHA-256 of what it copied.
func copied(out io.Writer, in io.Reader) (sum string, err error) {
	hash := sha256.New()
	_, err = io.Copy(io.MultiWriter(out, hash), in)
	return hex.EncodeToString(hash.Sum(nil)), err
}
