package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// input is a picture, a movie or a file of keypoints. The names of its results begin with name, a path below the folder of the results.
type input struct{ path, name string }

// extensions are those of the files that are looked for in folders.
var extensions = []string{
	".3gp", ".avi", ".m4v", ".mkv", ".mov", ".mp4", ".mpeg", ".mpg", ".mts", ".ogv", ".webm", ".wmv",
	".avif", ".bmp", ".gif", ".heic", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp",
}

// results end the names of pictures and movies that this program has drawn, before the extension.
var results = []string{".drawing", ".comparison"}

// expand returns the files that arguments name, in their order and each once: files, folders with all below them, and patterns,
// which the shells of Windows leave to programs. A file that does not exist is returned, too: it fails as a broken one does.
func expand(args []string) ([]input, error) {
	var list []input
	names := map[string]string{} // paths by name
	add := func(path, root string) error {
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		abs, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		switch before, known := names[name]; {
		case !known:
			names[name] = abs
			list = append(list, input{path, name})
		case before != abs:
			return fmt.Errorf("the results of %s and %s would have the same name: give the folder above both, or a pattern in quotes", before, abs)
		}
		return nil
	}
	for _, arg := range args {
		paths, root := []string{arg}, filepath.Dir(arg)
		if _, err := os.Lstat(arg); err != nil && strings.ContainsAny(arg, "*?[") {
			if paths, err = filepath.Glob(arg); err != nil {
				return nil, fmt.Errorf("%s: %w", arg, err)
			}
			if len(paths) == 0 {
				return nil, fmt.Errorf("no file matches %s", arg)
			}
			for strings.ContainsAny(root, "*?[") {
				root = filepath.Dir(root)
			}
			paths = slices.DeleteFunc(paths, func(path string) bool { // as shells do
				return strings.HasPrefix(filepath.Base(path), ".") && !strings.HasPrefix(filepath.Base(arg), ".")
			})
		} else if info, err := os.Stat(arg); err == nil && info.IsDir() {
			root = arg
		}
		found := 0
		for _, path := range paths {
			err := walk(path, func(path string) error { found++; return add(path, root) })
			if err != nil {
				return nil, err
			}
		}
		if found == 0 {
			return nil, fmt.Errorf("%s has no pictures or movies; keypoint files are named one by one or by a pattern", arg)
		}
	}
	return list, nil
}

// walk calls add with a file, or with the pictures and movies in a folder and below. Hidden files and
// folders, and drawings of this program, are left out.
func walk(root string, add func(path string) error) error {
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return add(root)
	}
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != root && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		ext := filepath.Ext(path)
		drawn := slices.Contains(results, filepath.Ext(strings.TrimSuffix(path, ext)))
		if drawn || !slices.Contains(extensions, strings.ToLower(ext)) {
			return nil
		}
		return add(path)
	})
}

// openFile opens a file to read. Anything else is an error and is not opened: a pipe would wait for its other end.
func openFile(path string) (*os.File, os.FileInfo, error) {
	info, err := regular(path)
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		err = at.Err // errors of files begin with their names
	}
	if err != nil {
		return nil, nil, err
	}
	f, err := os.Open(path)
	return f, info, err
}

// regular returns what is known of a file. Of anything else, the error says what it is.
func regular(path string) (os.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() {
		return info, err
	}
	kind := "something else"
	switch mode := info.Mode(); {
	case mode.IsDir():
		kind = "a folder"
	case mode&os.ModeNamedPipe != 0:
		kind = "a named pipe"
	case mode&os.ModeSocket != 0:
		kind = "a socket"
	case mode&os.ModeDevice != 0:
		kind = "a device"
	}
	return nil, fmt.Errorf("%s: this is %s, not a file", path, kind)
}
