package onnxruntime

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/bodymotion/motion/internal/carrier"
	"github.com/bodymotion/motion/internal/ort"
)

// ErrPlatform reports that no Go module has the library for this platform.
var ErrPlatform = errors.New("no Go module carries onnxruntime for this platform")

const sherpa, yalue = "github.com/k2-fsa/sherpa-onnx-go-linux@v1.12.40", "github.com/yalue/onnxruntime_go@v1.27.0"

// byHand is the way without a download.
const byHand = "get version " + ort.MinVersion + " or newer from the ONNX Runtime project and name the path of its shared library in $ONNXRUNTIME_LIB"

// carriers are the Go modules that contain the library, by platform. NOTICE and SECURITY.md name them.
var carriers = map[string]carrier.File{
	"linux/amd64":   {Module: sherpa, Path: "lib/x86_64-unknown-linux-gnu/libonnxruntime.so", SHA256: "88468d42d3381c18a7bd3f99a01f07293ff8c9e38f71fd5bcc5fa08c101d31bf"},
	"linux/arm64":   {Module: sherpa, Path: "lib/aarch64-unknown-linux-gnu/libonnxruntime.so", SHA256: "7b31d696ba5020ae72c967e499e802af8123778f1540237bff155db15fe0d7d7"},
	"darwin/arm64":  {Module: yalue, Path: "test_data/onnxruntime_arm64.dylib", SHA256: "9626bbdd201fbed7e3addcbd9fc7e97ec4954c03afcf40a9883af50498bffb06"},
	"windows/amd64": {Module: yalue, Path: "test_data/onnxruntime.dll", SHA256: "8a1aad8d59d02a5337d4e3f5bbd1158c3f7bf84fe3b3f0052f957dd3e75a91cb"},
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
	err = c.Install(ctx, path, byHand, func() {
		if say != nil {
			say("ONNX Runtime is not installed: downloading it with the Go toolchain (once, about 90 MB) into " + dir)
		}
	})
	if err != nil {
		return "", err
	}
	return path, nil
}
