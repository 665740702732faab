// Package modproxy lays this module out as a module proxy in a folder, so that tests fetch
// it with go get as users do, without a server and from what lies in the work tree.
package modproxy

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// Version is the version at which tests serve the work tree.
const Version = "v0.0.0-test"

// WriteZip writes the zip of the module whose root is dir, as a proxy would make it of a
// commit of all that lies there: the files that git tracks or would take, without those
// of the modules nested in it. It fails where dir is no git checkout, and where a rule
// for module zips is broken.
func WriteZip(w io.Writer, dir string, m module.Version) error {
	files, err := workTree(dir)
	if err != nil {
		return err
	}
	return zip.Create(w, m, files)
}

// Lay writes the module whose root is dir into the folder proxy, in the layout of the
// module proxy protocol, and returns the URL of that folder for GOPROXY. What other
// modules and versions the folder holds stays there.
func Lay(proxy, dir string, m module.Version) (string, error) {
	path, err := module.EscapePath(m.Path)
	if err != nil {
		return "", err
	}
	version, err := module.EscapeVersion(m.Version)
	if err != nil {
		return "", err
	}
	gomod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return "", err
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{m.Version, time.Unix(0, 0).UTC()})
	if err != nil {
		return "", err
	}
	base := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	if err := os.MkdirAll(base, 0o755); err != nil {
		return "", err
	}
	for name, data := range map[string][]byte{
		version + ".mod": gomod, version + ".info": info, "list": []byte(m.Version + "\n"),
	} {
		if err := os.WriteFile(filepath.Join(base, name), data, 0o644); err != nil {
			return "", err
		}
	}
	f, err := os.Create(filepath.Join(base, version+".zip"))
	if err != nil {
		return "", err
	}
	defer f.Close()
	if err := WriteZip(f, dir, m); err != nil {
		return "", err
	}
	if err := f.Close(); err != nil {
		return "", err
	}
	abs, err := filepath.Abs(proxy)
	if err != nil {
		return "", err
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}).String(), nil
}

// workTree lists the files that git tracks in dir and those that it would take.
func workTree(dir string) ([]zip.File, error) {
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", dir, err)
	}
	var files []zip.File
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if info, err := os.Lstat(full); err == nil && info.Mode().IsRegular() {
			files = append(files, file{name, full})
		}
	}
	return files, nil
}

// file is a file of the work tree, by its path in the module and on the disk.
type file struct{ path, disk string }

func (f file) Path() string                 { return f.path }
func (f file) Lstat() (os.FileInfo, error)  { return os.Lstat(f.disk) }
func (f file) Open() (io.ReadCloser, error) { return os.Open(f.disk) }
