package ort

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// CacheDir returns the folder in the user cache where onnxruntime is kept for this
// platform.
func CacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("the user cache folder is unknown: %w", err)
	}
	return filepath.Join(dir, "motion", "onnxruntime", runtime.GOOS+"-"+runtime.GOARCH), nil
}

// FileName returns the name of the shared library on this platform.
func FileName() string {
	switch runtime.GOOS {
	case "windows":
		return "onnxruntime.dll"
	case "darwin":
		return "libonnxruntime.dylib"
	}
	return "libonnxruntime.so"
}

// Find returns where onnxruntime may be, best first: the given path, $ONNXRUNTIME_LIB,
// beside the executable, the system's library path, the user cache. A path that the
// caller or the environment names is the only one. Every path returned exists.
func Find(library string) ([]string, error) {
	for _, named := range []struct{ path, by string }{{library, "Options.Library"}, {os.Getenv("ONNXRUNTIME_LIB"), "$ONNXRUNTIME_LIB"}} {
		if named.path == "" {
			continue
		}
		if _, err := os.Stat(named.path); err != nil {
			return nil, fmt.Errorf("%w: %s names %s: %w", ErrLibrary, named.by, named.path, err)
		}
		return []string{named.path}, nil
	}
	var dirs []string
	if exe, err := os.Executable(); err == nil {
		dirs = append(dirs, filepath.Dir(exe))
	}
	dirs = append(dirs, systemDirs()...)
	if dir, err := CacheDir(); err == nil {
		dirs = append(dirs, dir)
	}
	var found []string
	for _, dir := range dirs {
		// Versioned names ("libonnxruntime.so.1.24.4") count on Linux, newest first.
		names, _ := filepath.Glob(filepath.Join(dir, FileName()+"*"))
		slices.Sort(names)
		slices.Reverse(names)
		for _, name := range names {
			if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
				found = append(found, name)
			}
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%w: %s was not found in %s; to install it: %s", ErrLibrary, FileName(), strings.Join(dirs, ", "), InstallCommand)
	}
	return found, nil
}

// systemDirs returns the folders in which the system keeps shared libraries.
func systemDirs() []string {
	switch runtime.GOOS {
	case "windows":
		return filepath.SplitList(os.Getenv("PATH"))
	case "darwin":
		return append(filepath.SplitList(os.Getenv("DYLD_LIBRARY_PATH")), "/usr/local/lib", "/opt/homebrew/lib")
	}
	dirs := filepath.SplitList(os.Getenv("LD_LIBRARY_PATH"))
	triplet := map[string]string{"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}[runtime.GOARCH]
	if triplet != "" {
		dirs = append(dirs, "/usr/lib/"+triplet)
	}
	return append(dirs, "/usr/local/lib", "/usr/lib", "/usr/lib64")
}
