package cluster_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
)

// ignored reports whether a pattern of .dockerignore excludes a file or a folder above it.
func ignored(t *testing.T, pattern, file string) bool {
	t.Helper()
	anywhere := strings.HasPrefix(pattern, "**/")
	pattern = strings.TrimPrefix(pattern, "**/")
	if strings.Contains(pattern, "**") || strings.ContainsAny(pattern, "!# ") {
		t.Fatalf(".dockerignore: this test does not know %q", pattern)
	}
	for above := file; above != "."; above = path.Dir(above) {
		name := above
		if anywhere {
			name = path.Base(above)
		}
		match, err := path.Match(pattern, name)
		if err != nil {
			t.Fatal(err)
		}
		if match {
			return true
		}
	}
	return false
}

// lines returns the lines of a file of patterns at the top of the repository.
func lines(t *testing.T, name string) (list []string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(testkit.Root(t), name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			list = append(list, line)
		}
	}
	return list
}

// leaves reports whether a file is left out of the build context.
func leaves(t *testing.T) func(file string) bool {
	patterns := lines(t, ".dockerignore")
	return func(file string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return ignored(t, p, file) })
	}
}

// TestBuildContext checks that the build context has all sources of the programs, but neither the
// history nor files that the examples write.
func TestBuildContext(t *testing.T) {
	root, left := testkit.Root(t), leaves(t)
	list := exec.Command("go", "list", "-deps", "-f",
		`{{if and .Module .Module.Main}}{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}
{{end}}{{range .CgoFiles}}{{$d}}/{{.}}
{{end}}{{range .SFiles}}{{$d}}/{{.}}
{{end}}{{range .EmbedFiles}}{{$d}}/{{.}}
{{end}}{{end}}`, "./cmd/motion", "./cmd/motion/internal/archive")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	needed := []string{"go.mod", "go.sum", "cmd/motion/internal/archive/ffmpeg.sh", "cmd/motion/internal/archive/tree.sh"}
	dockerfile, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	own := regexp.MustCompile(`(?m)^(?:require)?\s+github\.com/bodymotion/motion/(\S+)`)
	modules := []string{"cmd/motion"}
	for i := 0; i < len(modules); i++ { // and what they require of this repository
		dir := modules[i]
		needed = append(needed, dir+"/go.mod", dir+"/go.sum")
		if copies := fmt.Sprintf("\nCOPY %[1]s/go.mod %[1]s/go.sum %[1]s/\n", dir); !bytes.Contains(dockerfile, []byte(copies)) {
			t.Errorf("the Dockerfile lacks %s", strings.TrimSpace(copies))
		}
		text, err := os.ReadFile(filepath.Join(root, dir, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range own.FindAllSubmatch(text, -1) {
			if !slices.Contains(modules, string(m[1])) {
				modules = append(modules, string(m[1]))
			}
		}
	}
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		file, err := filepath.Rel(root, filepath.FromSlash(line))
		if err != nil {
			t.Fatal(err)
		}
		needed = append(needed, filepath.ToSlash(file))
	}
	if len(needed) < 100 {
		t.Fatalf("%d files are needed: %v", len(needed), needed)
	}
	for _, file := range needed {
		if left(file) {
			t.Errorf(".dockerignore leaves %s out", file)
		}
	}

	useless := []string{".git/HEAD", ".git", "go.work", "internal/lab/go.mod", "service_test.go", "examples/cluster/compose.yaml", "keypoint/testdata/x.json"}
	for _, line := range lines(t, ".gitignore") { // files of local runs
		useless = append(useless, strings.NewReplacer("*", "x").Replace(strings.Trim(line, "/")))
	}
	for _, file := range useless {
		if !left(file) {
			t.Errorf("%s becomes part of the image's making", file)
		}
	}
}

// maxImage is the maximum size of the image's files in bytes.
const maxImage = 300_000_000

// inImage runs a program as the image does: in the files of its tree, which cannot be written, as nobody, without a network. Its
// working directory, the second folder, can be written.
const inImage = `set -e
mkdir -p "$1/dev" "$1/proc"
mount --bind "$1" "$1"
mount -o remount,bind,ro "$1"
mount --bind "$2" "$1/var/lib/motion"
mount --rbind /dev "$1/dev"
exec env -i PATH=/usr/local/bin HOME=/var/lib/motion /usr/bin/unshare --net --pid --fork --mount-proc \
	--root="$1" --wd=/var/lib/motion --setgid=65534 --setuid=65534 /usr/local/bin/motion "$3"`

// copyContext copies the build context.
func copyContext(t *testing.T, root, to string) {
	t.Helper()
	list := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		testkit.Skip(t, "the git checkout: "+err.Error())
	}
	left := leaves(t)
	for line := range strings.Lines(string(out)) {
		file := strings.TrimSpace(line)
		b, err := os.ReadFile(filepath.Join(root, file))
		if left(file) || errors.Is(err, fs.ErrNotExist) { // deleted, and not yet committed
			continue
		}
		if err := errors.Join(err, os.MkdirAll(filepath.Join(to, filepath.Dir(file)), 0o755), os.WriteFile(filepath.Join(to, file), b, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestImage lays the image's files as the Dockerfile does, measures them, and makes keypoints, a report and a drawing of a movie in there.
func TestImage(t *testing.T) {
	testkit.NeedLinux(t)
	testkit.Thorough(t, "builds and runs the tool")
	if os.Getuid() != 0 {
		testkit.Skip(t, "root, to change the root of a program")
	}
	ffmpeg := os.Getenv("MOTION_FFMPEG")
	if ffmpeg == "" {
		testkit.Skip(t, "MOTION_FFMPEG, the folder that cmd/motion/internal/archive/ffmpeg.sh has written")
	}
	root, context, tree, work := testkit.Root(t), t.TempDir(), filepath.Join(t.TempDir(), "tree"), t.TempDir()
	copyContext(t, root, context)
	dockerfile, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	join := regexp.MustCompile(`(?m)^RUN (go work init (?:.*\\\n)*.*)$`).FindSubmatch(dockerfile)
	if join == nil || !bytes.Contains(dockerfile, []byte("\nRUN sh cmd/motion/internal/archive/tree.sh /out/tree /out/ffmpeg ")) {
		t.Fatal("the Dockerfile does not join the modules, or does not lay the tree")
	}
	lay := exec.Command("sh", "-e", "-c", string(join[1])+"\nsh cmd/motion/internal/archive/tree.sh \"$1\" \"$2\"", "sh", tree, ffmpeg)
	lay.Dir = context
	lay.Env = append(os.Environ(), "GOWORK=")
	if out, err := lay.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	size := int64(0)
	err = filepath.WalkDir(tree, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && !d.IsDir() {
			size += info.Size()
		}
		return err
	})
	if err != nil || size > maxImage {
		t.Errorf("the image has %d bytes, at most %d are allowed (%v)", size, maxImage, err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile(`It has (\d+) MB`).FindSubmatch(readme)
	if said == nil {
		t.Fatal("README.md does not say how large the image is")
	}
	if mb, err := strconv.ParseFloat(string(said[1]), 64); err != nil || math.Abs(mb-float64(size)/1e6) > 0.1*mb {
		t.Errorf("README.md says that the image has %s MB, it has %.0f (%v)", said[1], float64(size)/1e6, err)
	}

	movie, err := os.ReadFile(filepath.Join(root, "httpapi", "viewer", "squats.mp4"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(work, "squats.mp4"), movie, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(work, 0o777); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("unshare", "--mount", "sh", "-c", inImage, "sh", tree, work, "squats.mp4").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"keypoints.json", "report.html", "drawing.mp4"} {
		if info, err := os.Stat(filepath.Join(work, "motion-out", "squats.mp4."+want)); err != nil || info.Size() < 10_000 {
			t.Errorf("%s: %v, %v", want, info, err)
		}
	}
}
