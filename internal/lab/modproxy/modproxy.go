// Package modproxy writes the modules of a checkout to a folder with the layout of a module proxy, so
// that tests fetch the work tree with go get and go install as users do, without a server.
package modproxy

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// Module is the path of the library.
const Module = "github.com/bodymotion/motion"

// Version is the version of the work tree in tests: the one that cmd/motion requires.
const Version = "v0.1.0"

// LayAll writes the modules that users fetch from the checkout with root dir, as Lay does.
func LayAll(proxy, dir string) (list string, err error) {
	released, err := Released(dir)
	if err != nil {
		return "", err
	}
	for _, below := range released {
		list, err = Lay(proxy, filepath.Join(dir, filepath.FromSlash(below)), module.Version{Path: path.Join(Module, below), Version: Version})
		if err != nil {
			return "", err
		}
	}
	return list, nil
}

// Released returns the folders of the modules that users fetch, from the root of the checkout: those of go.work without
// a replace directive.
func Released(dir string) (folders []string, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "go.work"))
	if err != nil {
		return nil, err
	}
	work, err := modfile.ParseWork("go.work", text, nil)
	if err != nil {
		return nil, err
	}
	for _, use := range work.Use {
		name := filepath.Join(dir, filepath.FromSlash(use.Path), "go.mod")
		if text, err = os.ReadFile(name); err != nil {
			return nil, err
		}
		mod, err := modfile.Parse(name, text, nil)
		if err != nil {
			return nil, err
		}
		if len(mod.Replace) == 0 {
			folders = append(folders, path.Clean(use.Path))
		}
	}
	return folders, nil
}

// WriteZip writes the zip of the module with root dir as a proxy would, if everything there were
// committed: the files that git does not ignore, without those of nested modules. It fails if dir is
// not a git checkout or a rule for module zips is broken.
func WriteZip(w io.Writer, dir string, m module.Version) error {
	files, err := workTree(dir)
	if err != nil {
		return err
	}
	return zip.Create(w, m, files)
}

// Lay writes the module with root dir to the folder proxy, in the layout of the module proxy protocol,
// and returns the URL of that folder for GOPROXY. Other modules and versions in it stay.
func Lay(proxy, dir string, m module.Version) (string, error) {
	escaped, err := module.EscapePath(m.Path)
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
	base := filepath.Join(proxy, filepath.FromSlash(escaped), "@v")
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

// workTree lists the files in dir that git does not ignore.
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

// file is a file of the work tree, with its paths in the module and on disk.
type file struct{ path, disk string }

func (f file) Path() string                 { return f.path }
func (f file) Lstat() (os.FileInfo, error)  { return os.Lstat(f.disk) }
func (f file) Open() (io.ReadCloser, error) { return os.Open(f.disk) }
