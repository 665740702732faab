package cluster_test

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
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

// TestBuildContext checks that the build context has all sources of the programs, but neither the
// history nor files that the examples write.
func TestBuildContext(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	lines := func(name string) (list []string) {
		b, err := os.ReadFile(filepath.Join(root, name))
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
	patterns := lines(".dockerignore")
	left := func(file string) bool {
		for _, p := range patterns {
			if ignored(t, p, file) {
				return true
			}
		}
		return false
	}

	list := exec.Command("go", "list", "-deps", "-f",
		`{{if and .Module .Module.Main}}{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}
{{end}}{{range .CgoFiles}}{{$d}}/{{.}}
{{end}}{{range .SFiles}}{{$d}}/{{.}}
{{end}}{{range .EmbedFiles}}{{$d}}/{{.}}
{{end}}{{end}}`, "./cmd/motion", "./inference/onnxruntime/install")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	needed := []string{"go.mod", "go.sum", "cmd/motion/go.mod", "cmd/motion/go.sum", "inference/blazepose/heavy/go.mod"}
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
	for _, line := range lines(".gitignore") { // files of local runs
		useless = append(useless, strings.NewReplacer("*", "x").Replace(strings.Trim(line, "/")))
	}
	for _, file := range useless {
		if !left(file) {
			t.Errorf("%s becomes part of the image's making", file)
		}
	}
}

// TestDockerfile checks that GOCACHE is set: by default, the Go toolchain would write its builds below
// XDG_CACHE_HOME, which is copied to the image.
func TestDockerfile(t *testing.T) {
	b, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for line := range strings.Lines(string(b)) {
		if strings.Contains(line, "XDG_CACHE_HOME=") {
			found++
			if !strings.HasPrefix(line, "RUN GOCACHE=$(go env GOCACHE) XDG_CACHE_HOME=") {
				t.Errorf("builds are kept in the image: %s", line)
			}
		}
	}
	if found != 1 {
		t.Errorf("%d lines fill the cache", found)
	}
}

// TestLicence checks that the server, built as in the image, has no code under the GPL.
func TestLicence(t *testing.T) {
	b, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	const built = "RUN go build -trimpath -o /out/motion ./cmd/motion\n"
	if strings.Count(string(b), "go build") != 1 || !strings.Contains(string(b), built) {
		t.Errorf("the Dockerfile does not build the server with %s", built)
	}
	out, err := exec.Command("go", "version", "-m", server(t)).Output()
	if err != nil || !strings.Contains(string(out), "github.com/riverqueue/river") {
		t.Fatalf("go version -m: %v\n%s", err, out)
	}
	if strings.Contains(string(out), "go-ffmpreg") {
		t.Error("the server of the image contains FFmpeg")
	}
}
