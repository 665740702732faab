package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/internal/carrier"
	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
)

// host is a program that contains the library, and writes the keypoints of a picture.
const host = `package main

import (
	"context"
	"encoding/json"
	"image/jpeg"
	"log"
	"os"

	_ "example.com/host/runtime"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
)

func main() {
	img, err := jpeg.Decode(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	est, err := movenet.New(movenet.Options{Pose: lightning.Model()})
	if err != nil {
		log.Fatal(err)
	}
	defer est.Close()
	found, err := est.Estimate(context.Background(), img, inference.Hint{})
	if err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		log.Fatal(err)
	}
}
`

// packed packs for this platform, and skips the test if the library's module cannot be downloaded.
func packed(t *testing.T, folder string) {
	t.Helper()
	if _, ok := carrier.Runtimes[runtime.GOOS+"/"+runtime.GOARCH]; !ok {
		testkit.Skip(t, "a module with ONNX Runtime for this platform")
	}
	if err := run(t.Context(), []string{"-o", folder}, t.Output()); err != nil {
		testkit.Skip(t, "onnxruntime: "+err.Error())
	}
}

// TestOffline: a program that imports the packed package finds the person of a picture with an empty home and cache, and without
// a network or the go command. A library in its cache that is damaged is replaced.
func TestOffline(t *testing.T) {
	testkit.Thorough(t, "builds a program")
	testkit.NeedLinux(t)
	root, folder := testkit.Root(t), t.TempDir()
	packed(t, filepath.Join(folder, "runtime"))
	offline := filepath.Join(root, "inference", "onnxruntime", "offline")
	text := func(name string) string {
		b, err := os.ReadFile(filepath.Join(offline, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	const library = "github.com/bodymotion/motion"
	mod := strings.Replace(text("go.mod"), "module "+library+"/inference/onnxruntime/offline", "module example.com/host", 1) +
		"\nrequire " + library + "/inference/onnxruntime/offline v0.1.0\n\nreplace (\n\t" + library + " => " + root + "\n\t" +
		library + "/inference/onnxruntime/offline => " + offline + "\n)\n"
	for name, text := range map[string]string{"main.go": host, "go.mod": mod, "go.sum": text("go.sum")} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", "host", ".")
	build.Dir, build.Env = folder, append(os.Environ(), "GOWORK=off", "GOFLAGS=-trimpath")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cache := t.TempDir()
	program := []string{filepath.Join(folder, "host")}
	if alone := []string{"unshare", "--map-root-user", "--net"}; exec.Command(alone[0], append(alone[1:], "true")...).Run() == nil {
		program = append(alone, program...)
	} // else the machine does not let a process have no network; it gets no address of a proxy that works
	estimated := func() {
		t.Helper()
		c := exec.CommandContext(t.Context(), program[0], program[1:]...)
		const refused = "http://127.0.0.1:1"
		c.Env = []string{"HOME=" + cache, "XDG_CACHE_HOME=" + cache, "HTTP_PROXY=" + refused, "HTTPS_PROXY=" + refused, "GOPROXY=off"}
		c.Stdin = bytes.NewReader(sample.JPEG())
		var said bytes.Buffer
		c.Stderr = &said
		out, err := c.Output()
		var found keypoint.Frame
		if err == nil {
			err = json.Unmarshal(out, &found)
		}
		if err != nil {
			t.Fatalf("%v: %s%s", err, out, &said)
		}
		truth := sample.Visible()
		if mean, _, missing := ortkit.Distance(&found, &truth); missing > 0 || mean > 40 {
			t.Errorf("%.0f pixels off, %d parts missing", mean, missing)
		}
	}
	estimated()
	libraries, err := filepath.Glob(filepath.Join(cache, "motion", "onnxruntime", "*", "*", ort.FileName()))
	if err != nil || len(libraries) != 1 {
		t.Fatalf("%q (%v)", libraries, err)
	}
	before, err := os.Stat(libraries[0])
	if err != nil {
		t.Fatal(err)
	}
	estimated()
	if after, err := os.Stat(libraries[0]); err != nil || !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("the second start unpacks again (%v)", err)
	}
	if err := os.Truncate(libraries[0], 1000); err != nil {
		t.Fatal(err)
	}
	estimated()
	if entries, err := os.ReadDir(filepath.Dir(libraries[0])); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v (%v), want the library alone", entries, err)
	}
}

// TestPack: the same library is packed into the same bytes, and the package compiles where it has no library.
func TestPack(t *testing.T) {
	testkit.Thorough(t, "packs the library twice")
	a, b := filepath.Join(t.TempDir(), "runtime"), filepath.Join(t.TempDir(), "runtime")
	packed(t, a)
	packed(t, b)
	entries, err := os.ReadDir(a)
	if err != nil || len(entries) != 3 {
		t.Fatalf("%v (%v)", entries, err)
	}
	for _, e := range entries {
		one, errA := os.ReadFile(filepath.Join(a, e.Name()))
		two, errB := os.ReadFile(filepath.Join(b, e.Name()))
		if errA != nil || errB != nil || !bytes.Equal(one, two) {
			t.Errorf("%s differs (%v, %v)", e.Name(), errA, errB)
		}
		if e.Name() == "doc.go" && !strings.Contains(string(one), "\npackage runtime\n") {
			t.Errorf("doc.go: %s", one)
		}
	}
}

// TestPlatforms: what no module has is refused before anything is written.
func TestPlatforms(t *testing.T) {
	for _, platform := range []string{"darwin/amd64", "windows/arm64", "linux"} {
		folder := filepath.Join(t.TempDir(), "runtime")
		err := run(t.Context(), []string{"-o", folder, platform}, t.Output())
		if !errors.Is(err, onnxruntime.ErrPlatform) || !strings.Contains(err.Error(), "darwin/arm64, linux/amd64, linux/arm64, windows/amd64") {
			t.Errorf("%s: %v", platform, err)
		}
		if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the folder is there (%v)", platform, err)
		}
	}
	if got := platforms(); !slices.IsSorted(got) || len(got) != 4 {
		t.Error(got)
	}
}
