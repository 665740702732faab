package onnxruntime

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/bodymotion/motion/internal/carrier"
	"github.com/bodymotion/motion/internal/ort"
)

// ErrPlatform reports that no Go module has the library for this platform.
var ErrPlatform = errors.New("no Go module carries onnxruntime for this platform")

// byHand is the way without a download.
const byHand = "get version " + ort.MinVersion + " or newer from the ONNX Runtime project and name the path of its shared library in $ONNXRUNTIME_LIB"

// Install installs the library into the user cache unless it is there, and returns its path.
// Before it downloads, it calls say with a line that explains the wait; say may be nil.
//
// Install is atomic: if interrupted, it leaves no incomplete library, and several processes may run it at once. On a
// platform without such a module the error wraps ErrPlatform and says what to do by hand.
func Install(ctx context.Context, say func(string)) (string, error) {
	c, ok := carrier.Runtimes[ort.Platform]
	if !ok {
		return "", fmt.Errorf("%w (%s): %s", ErrPlatform, ort.Platform, byHand)
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
