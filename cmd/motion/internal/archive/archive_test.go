package main

import (
	"debug/buildinfo"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
)

// TestIdentify checks that only licences that a release may contain are identified, and that a module with another one is an error.
func TestIdentify(t *testing.T) {
	for text, want := range map[string]string{
		"                Apache License\n           Version 2.0, January 2004": "Apache-2.0",
		"GNU GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007":                  "",
		"GNU AFFERO GENERAL PUBLIC LICENSE":                                    "",
		"Business Source License 1.1":                                          "",
		"":                                                                     "",
	} {
		if got := identify([]byte(text)); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "COPYING.txt"), []byte("GNU GENERAL PUBLIC LICENSE"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := part{name: "example.com/copyleft", texts: map[string][]byte{}}
	if err := p.collect(dir, "sub"); err == nil || !strings.Contains(err.Error(), "example.com/copyleft: sub/COPYING.txt") {
		t.Errorf("a licence that is not known: %v", err)
	}
}

// TestArchive runs the tool out of an archive, in an empty home, without Go, a C compiler or FFmpeg. The archive is the one that
// MOTION_ARCHIVE names, or, without it, what the release is made of.
func TestArchive(t *testing.T) {
	testkit.Thorough(t, "builds and runs the tool")
	folder := filepath.Join(t.TempDir(), "motion")
	name := map[bool]string{true: "motion.exe", false: "motion"}[runtime.GOOS == "windows"]
	if archive := os.Getenv("MOTION_ARCHIVE"); archive != "" {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		tar := "tar"
		if runtime.GOOS == "windows" { // that of Windows itself reads .zip
			tar = filepath.Join(os.Getenv("SystemRoot"), "System32", "tar.exe")
		}
		if out, err := exec.Command(tar, "-xf", archive, "-C", folder).CombinedOutput(); err != nil {
			t.Fatalf("tar: %v\n%s", err, out)
		}
		tops, err := os.ReadDir(folder)
		if err != nil || len(tops) != 1 {
			t.Fatalf("the archive has %v at its top (%v)", tops, err)
		}
		folder = filepath.Join(folder, tops[0].Name())
	} else {
		if err := run(t.Context(), folder, "v0.1.0"); err != nil {
			testkit.Skip(t, "what the archive contains: "+err.Error())
		}
		if out, err := exec.Command("go", "build", "-trimpath", "-o", filepath.Join(folder, name), program).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	t.Run("bill", func(t *testing.T) { checkBill(t, folder, filepath.Join(folder, name)) })

	home := t.TempDir()
	movie, err := os.ReadFile(filepath.Join(testkit.Root(t), "httpapi", "viewer", "squats.mp4"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "squats.mp4"), movie, 0o600); err != nil {
		t.Fatal(err)
	}
	tool := exec.Command(filepath.Join(folder, name), "squats.mp4")
	tool.Dir = home
	tool.Env = []string{"HOME=" + home, "PATH=" + home, "LocalAppData=" + home, "SystemRoot=" + os.Getenv("SystemRoot")}
	if out, err := tool.CombinedOutput(); err != nil || !strings.Contains(string(out), "left knee flexion") {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"keypoints.json", "report.html", "drawing.mp4"} {
		if info, err := os.Stat(filepath.Join(home, "motion-out", "squats.mp4."+want)); err != nil || info.Size() < 10_000 {
			t.Errorf("%s: %v, %v", want, info, err)
		}
	}
}

// checkBill checks that the bill of materials has each module of the program, and a text for each component.
func checkBill(t *testing.T, folder, path string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "sbom.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	var bill struct{ Components []component }
	if err := json.Unmarshal(text, &bill); err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, c := range bill.Components {
		listed[c.Name] = true
		if len(c.Licences) == 0 || c.Version == "" {
			t.Errorf("%s, version %q, has no licence", c.Name, c.Version)
		}
		if strings.HasPrefix(c.Name, "github.com/bodymotion/motion/") {
			continue // its licence is that of the archive
		}
		if texts, err := os.ReadDir(filepath.Join(folder, "licences", filepath.FromSlash(c.Name))); err != nil || len(texts) == 0 {
			t.Errorf("%s has no text of a licence (%v)", c.Name, err)
		}
	}
	built, err := buildinfo.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	needed := []string{"go", "onnxruntime", "ffmpeg"}
	for _, module := range built.Deps {
		needed = append(needed, module.Path)
		if strings.Contains(module.Path, "go-ffmpreg") {
			t.Errorf("FFmpeg, which is under the GPL, is linked into the program")
		}
	}
	for _, module := range needed {
		if !listed[module] {
			t.Errorf("%s is not in the bill of materials", module)
		}
	}
	if len(needed) < 30 {
		t.Errorf("the program has %d modules", len(needed))
	}
}

// TestSystems checks that a release has an archive for each system that ONNX Runtime is there for, and no other.
func TestSystems(t *testing.T) {
	find := func(name, pattern string) (found []string) {
		b, err := os.ReadFile(filepath.Join(testkit.Root(t), name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(b), -1) {
			found = append(found, strings.ReplaceAll(m[1], "/", "_"))
		}
		slices.Sort(found)
		return found
	}
	built := find(".goreleaser.yaml", `(?m)^ +id: (\S+)$`)
	possible := find("SECURITY.md", `(?m)^\| ([a-z]+/[a-z0-9]+) \|`)
	if len(built) == 0 || !slices.Equal(built, possible) {
		t.Errorf("archives for %v, ONNX Runtime for %v", built, possible)
	}
}
