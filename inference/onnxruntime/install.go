package onnxruntime

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
	"runtime"
	"strings"
	"time"

	"github.com/bodymotion/motion/internal/ort"
)

// ErrPlatform reports that no Go module has the library for this platform.
var ErrPlatform = errors.New("no Go module carries onnxruntime for this platform")

// byHand is the way without a download.
const byHand = "get version " + ort.MinVersion + " or newer from the ONNX Runtime project and name the path of its shared library in $ONNXRUNTIME_LIB"

// carrier is a Go module that contains the library for one platform. It is downloaded but never imported. NOTICE and
// SECURITY.md name them.
type carrier struct {
	module string // with version
	file   string // in the module
	sha256 string
}

const sherpa, yalue = "github.com/k2-fsa/sherpa-onnx-go-linux@v1.12.40", "github.com/yalue/onnxruntime_go@v1.27.0"

var carriers = map[string]carrier{
	"linux/amd64":   {sherpa, "lib/x86_64-unknown-linux-gnu/libonnxruntime.so", "88468d42d3381c18a7bd3f99a01f07293ff8c9e38f71fd5bcc5fa08c101d31bf"},
	"linux/arm64":   {sherpa, "lib/aarch64-unknown-linux-gnu/libonnxruntime.so", "7b31d696ba5020ae72c967e499e802af8123778f1540237bff155db15fe0d7d7"},
	"darwin/arm64":  {yalue, "test_data/onnxruntime_arm64.dylib", "9626bbdd201fbed7e3addcbd9fc7e97ec4954c03afcf40a9883af50498bffb06"},
	"windows/amd64": {yalue, "test_data/onnxruntime.dll", "8a1aad8d59d02a5337d4e3f5bbd1158c3f7bf84fe3b3f0052f957dd3e75a91cb"},
}

// Install installs the library into the user cache unless it is there, and returns its path.
// Before it downloads, it calls say with a line that explains the wait; say may be nil.
//
// Install is atomic: if interrupted, it leaves no incomplete library, and several processes may run it at once. On a
// platform without such a module the error wraps ErrPlatform and says what to do by hand.
func Install(ctx context.Context, say func(string)) (string, error) {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	c, ok := carriers[platform]
	if !ok {
		return "", fmt.Errorf("%w (%s): %s", ErrPlatform, platform, byHand)
	}
	dir, err := ort.CacheDir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, ort.FileName())
	if f, err := os.Open(path); err == nil {
		hash := sha256.New()
		_, err := io.Copy(hash, f)
		f.Close()
		if err == nil && hex.EncodeToString(hash.Sum(nil)) == c.sha256 {
			return path, nil
		}
	}
	if say != nil {
		say("ONNX Runtime is not installed: downloading it with the Go toolchain (once, about 90 MB) into " + dir)
	}
	module, err := download(ctx, c.module)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	sweep(dir)
	if err := copyFile(ctx, path, filepath.Join(module, filepath.FromSlash(c.file)), c.sha256); err != nil {
		return "", err
	}
	return path, nil
}

// temporary is the prefix of unfinished copies.
const temporary = ".onnxruntime-"

// sweep removes old unfinished copies, left by processes that were killed.
func sweep(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), temporary) && time.Since(info.ModTime()) > time.Hour {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// download brings a module into the module cache and returns its folder there.
func download(ctx context.Context, module string) (string, error) {
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
