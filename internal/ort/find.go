package ort

import (
	"cmp"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// CacheDir returns the folder in the user cache for this platform's ONNX Runtime.
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

// Unpack is set by a program that contains the library: it puts it into the cache and returns its path.
var Unpack func() (path string, err error)

// Find returns the paths of the libraries found, in order of preference: beside the executable, in the system's
// library path, in the user cache. If library or $ONNXRUNTIME_LIB is set, it returns that path alone, else if Unpack is, that of it.
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
	if Unpack != nil {
		path, err := Unpack()
		return []string{path}, err
	}
	var dirs []string
	if exe, err := os.Executable(); err == nil {
		if target, err := filepath.EvalSymlinks(exe); err == nil { // macOS gives the link
			exe = target
		}
		dirs = append(dirs, filepath.Dir(exe))
	}
	dirs = append(dirs, systemDirs()...)
	if dir, err := CacheDir(); err == nil {
		dirs = append(dirs, dir)
	}
	var found []string
	for _, dir := range dirs {
		found = append(found, inDir(dir)...)
	}
	if len(found) == 0 {
		problem := FileName() + " was not found in " + strings.Join(dirs, ", ")
		return nil, &LibraryError{problem, "to install it: " + InstallCommand + "; or name its path in $ONNXRUNTIME_LIB"}
	}
	return found, nil
}

// inDir returns the libraries in a folder, later names first. On Linux it includes versioned names such as "libonnxruntime.so.1.24.4".
func inDir(dir string) []string {
	entries, _ := os.ReadDir(dir) // of a folder that cannot be read none
	var found []string
	for _, e := range slices.Backward(entries) {
		suffix, ok := strings.CutPrefix(e.Name(), FileName())
		if !ok || suffix != "" && (runtime.GOOS != "linux" || !strings.HasPrefix(suffix, ".")) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			found = append(found, path)
		}
	}
	return found
}

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

// fault returns what is wrong with a file that could not be loaded, "" if it is a library for this
// platform. The system often says only that there is no such file.
func fault(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	var built string
	if e, err := elf.NewFile(f); err == nil {
		built = "linux/" + cmp.Or(map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64", elf.EM_ARM: "arm", elf.EM_386: "386"}[e.Machine], e.Machine.String())
	} else if m, err := macho.NewFile(f); err == nil {
		built = "darwin/" + cmp.Or(map[macho.Cpu]string{macho.CpuAmd64: "amd64", macho.CpuArm64: "arm64"}[m.Cpu], m.Cpu.String())
	} else if p, err := pe.NewFile(f); err == nil {
		built = "windows/" + cmp.Or(map[uint16]string{pe.IMAGE_FILE_MACHINE_AMD64: "amd64", pe.IMAGE_FILE_MACHINE_ARM64: "arm64"}[p.Machine], fmt.Sprint(p.Machine))
	} else if m, err := macho.NewFatFile(f); err == nil && len(m.Arches) > 0 {
		return ""
	} else {
		return "it is damaged or no shared library"
	}
	if built != Platform {
		return "it is built for " + built
	}
	return ""
}
