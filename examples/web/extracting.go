//go:build !js

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const module = "github.com/bodymotion/motion/"

// networks are the packages that embed those of the settings fast and balanced.
var networks = []string{"inference/movenet/lightning", "inference/movenet/thunder", "inference/movenet/multipose", "inference/blazepose/full"}

// extracting returns the files that find keypoints in movies: the program, the networks, ONNX Runtime and mp4box.
func extracting(goroot string) (map[string][]byte, error) {
	program := self + "/extract"
	files := map[string][]byte{}
	folders, err := folders(networks...)
	if err != nil {
		return nil, err
	}
	for _, dir := range folders {
		name := filepath.Base(dir) + ".onnx"
		if files[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	if files["extract.wasm.gz"], err = named(program, folders); err != nil {
		return nil, err
	}
	if files["LICENSES"], err = licences(goroot, program); err != nil {
		return nil, err
	}
	for _, d := range dependencies {
		found, err := d.fetch()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.name, err)
		}
		for name, text := range found {
			switch filepath.Ext(name) {
			case ".wasm":
				if files[name+".gz"], err = packed(text); err != nil {
					return nil, err
				}
			case ".mjs":
				files[name], _, _ = bytes.Cut(text, []byte("\n//# sourceMappingURL=")) // of a file that is not here
			default:
				files["LICENSES"] = fmt.Appendf(files["LICENSES"], "== %s: %s\n\n%s\n", d.name, name, text)
			}
		}
	}
	more, err := foreign()
	files["LICENSES"] = append(files["LICENSES"], more...)
	return files, err
}

// named compiles a program that contains the names of the networks in place of the networks, which are files beside it.
func named(program string, folders []string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "motion-names")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	replace := map[string]string{}
	for _, folder := range folders {
		name := filepath.Base(folder)
		for file, content := range map[string]string{name + ".onnx": name, name + ".onnx.sha256": fmt.Sprintf("%x\n", sha256.Sum256([]byte(name)))} {
			to := filepath.Join(dir, file)
			replace[filepath.Join(folder, file)] = to
			if err := os.WriteFile(to, []byte(content), 0o666); err != nil {
				return nil, err
			}
		}
	}
	overlay := filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err == nil {
		err = os.WriteFile(overlay, text, 0o666)
	}
	if err != nil {
		return nil, err
	}
	return compiled(program, "-overlay", overlay)
}

// foreign returns the licences of the networks and of ONNX Runtime.
func foreign() (text []byte, err error) {
	dirs, err := folders("cmd/motion", networks[0], networks[3])
	if err != nil {
		return nil, err
	}
	files := []string{filepath.Join(dirs[0], "internal/archive/onnxruntime/LICENSE"), filepath.Join(dirs[1], "LICENSE"), filepath.Join(dirs[2], "LICENSE")}
	for k, name := range []string{"ONNX Runtime", "MoveNet", "BlazePose"} {
		licence, err := os.ReadFile(files[k])
		if err != nil {
			return nil, err
		}
		text = fmt.Appendf(text, "== %s: LICENSE\n\n%s\n", name, licence)
	}
	return text, nil
}

// folders returns those of packages of this project.
func folders(packages ...string) (dirs []string, err error) {
	for _, name := range packages {
		out, err := exec.Command("go", "list", "-f", "{{.Dir}}", module+name).Output()
		if err != nil {
			return nil, fmt.Errorf("go list %s: %w", name, err)
		}
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	return dirs, nil
}
