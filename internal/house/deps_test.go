package house_test

import (
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/bodymotion/motion"

// room is a row of the import table: the packages below a folder and what they may
// import from this module. "internal" is open to all.
type room struct {
	dir     string
	imports []string // folders, with what is below them where they end in "/..."
	forbid  []string // import paths, or parts of the standard library, out of reach even indirectly
}

var pure = []string{"net", "net/http", "os/exec", "database/sql", "runtime/cgo"}

var withoutPixels = append([]string{"image/draw", "image/jpeg"}, pure...)

// table holds the direction of imports: down. The first row that fits counts.
var table = []room{
	{"internal/catalog", []string{"storage", "keypoint"}, withoutPixels},
	{"internal/worker", []string{"storage"}, withoutPixels},
	{"internal/upkeep", []string{"storage"}, withoutPixels},
	{"keypoint/formats", []string{"keypoint", "analyze"}, pure},
	{"keypoint/...", []string{"keypoint/..."}, pure},
	{"draw/mp4", []string{"draw", "keypoint", "inference/ffmpeg/program"}, []string{"net/http", "database/sql"}},
	{"draw/chart", []string{"analyze", "keypoint"}, pure},
	{"draw/sheet", []string{"analyze", "draw", "keypoint"}, pure},
	{"analyze", []string{"keypoint"}, pure},
	{"compare", []string{"keypoint"}, pure},
	{"draw", []string{"keypoint"}, pure},
	{"inference", []string{"keypoint"}, pure},
	{"inference/internal/...", []string{"inference", "keypoint"}, pure},
	{"inference/inferencetest", []string{"inference", "inference/internal/...", "draw", "keypoint"}, pure},
	{"inference/movenet/...", []string{"inference", "keypoint", "inference/internal/...", "inference/movenet/..."}, []string{"net/http", "database/sql"}},
	{"inference/ffmpeg/program", nil, []string{"net", "net/http", "database/sql", "runtime/cgo"}},
	{"inference/ffmpeg", []string{"inference", "inference/ffmpeg/program", "keypoint"}, []string{"net/http", "database/sql"}},
	{"inference/onnx/...", []string{"inference", "keypoint", "inference/internal/...", "inference/onnx/..."}, []string{"net/http", "database/sql"}},
	{"storage", []string{"keypoint"}, pure},
	{"storage/storagetest", []string{"storage", "keypoint"}, nil},
	{"storage/memory", []string{"storage", "keypoint"}, pure},
	{"storage/file", []string{"storage", "keypoint"}, pure},
	{"storage/internal/...", []string{"storage"}, pure},
	{"storage/sqlite", []string{"storage", "keypoint", "storage/internal/..."}, []string{"net", "net/http", "os/exec", "runtime/cgo"}},
	{"storage/s3", []string{"storage", "keypoint"}, []string{"os/exec", "database/sql"}},
	{"storage/postgres", []string{"storage", "keypoint", "storage/internal/..."}, []string{"os/exec"}},
	{"storage/...", []string{"storage", "keypoint"}, nil},
	{".", []string{"keypoint/...", "analyze", "compare", "draw", "inference", "storage"}, []string{
		"net/http", "os/exec", "database/sql", "runtime/cgo",
		module + "/inference/movenet", module + "/inference/ffmpeg", module + "/draw/mp4",
		module + "/storage/memory", module + "/storage/file", module + "/storage/sqlite", module + "/storage/postgres", module + "/storage/s3",
	}},
	{"httpapi", []string{".", "keypoint/...", "analyze", "compare", "draw", "inference", "storage"}, []string{
		"database/sql", // net/http itself reaches cgo
		"github.com/golang-jwt/jwt/v5", "go.opentelemetry.io/otel/metric",
		module + "/inference/movenet", module + "/inference/ffmpeg", module + "/draw/mp4",
		module + "/storage/memory", module + "/storage/file", module + "/storage/sqlite", module + "/storage/postgres",
	}},
	{"httpapi/webhook", []string{".", "storage"}, []string{"database/sql"}},
	{"httpapi/...", []string{".", "keypoint/...", "analyze", "compare", "draw", "inference", "storage", "httpapi/..."}, []string{
		"database/sql", // net/http itself reaches cgo
		module + "/inference/movenet", module + "/inference/ffmpeg", module + "/draw/mp4",
		module + "/storage/memory", module + "/storage/file", module + "/storage/sqlite", module + "/storage/postgres", module + "/storage/s3",
	}},
}

// gpl is imported by the examples and by nothing else.
const gpl = "codeberg.org/gruf/go-ffmpreg"

func matches(pattern, dir string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "/..."); ok {
		return dir == prefix || strings.HasPrefix(dir, prefix+"/")
	}
	return pattern == dir
}

func goList(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %v: %v\n%s", args, err, stderr.String())
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// TestImports holds every package against the table.
func TestImports(t *testing.T) {
	for _, line := range goList(t, "-f", `{{.ImportPath}} {{join .Imports ","}} {{join .Deps ","}}`, "./...") {
		fields := strings.Split(line, " ")
		dir := strings.TrimPrefix(strings.TrimPrefix(fields[0], module), "/")
		if dir == "" {
			dir = "."
		}
		deps := strings.Split(fields[2], ",")
		if top, _, _ := strings.Cut(dir, "/"); top == "examples" {
			continue
		}
		for _, d := range deps {
			if strings.HasPrefix(d, gpl) {
				t.Errorf("%s reaches %s, which is GPL: only examples may", dir, d)
			}
		}
		i := slices.IndexFunc(table, func(r room) bool { return matches(r.dir, dir) })
		if i < 0 && strings.HasPrefix(dir, "internal/") {
			continue
		}
		if i < 0 {
			t.Errorf("%s is in no room of the table", dir)
			continue
		}
		r := table[i]
		for _, imp := range strings.Split(fields[1], ",") {
			if imp != module && !strings.HasPrefix(imp, module+"/") {
				continue
			}
			to := strings.TrimPrefix(strings.TrimPrefix(imp, module), "/")
			if to == "" {
				to = "."
			}
			if strings.HasPrefix(to, "internal/") || slices.ContainsFunc(r.imports, func(p string) bool { return matches(p, to) }) {
				continue
			}
			t.Errorf("%s imports %s; it may import %v", dir, to, r.imports)
		}
		for _, f := range r.forbid {
			if slices.Contains(deps, f) {
				t.Errorf("%s reaches %s", dir, f)
			}
		}
	}
}

// TestPureModules holds which other modules the pure packages bring along.
func TestPureModules(t *testing.T) {
	allowed := map[string][]string{
		"keypoint": {"github.com/go-gl/mathgl", "gonum.org/v1/gonum"},
		"analyze":  {"github.com/go-gl/mathgl", "gonum.org/v1/gonum"},
		"compare":  {"github.com/go-gl/mathgl", "gonum.org/v1/gonum"},
		"draw":     {"github.com/go-gl/mathgl", "gonum.org/v1/gonum", "github.com/fogleman/gg", "github.com/golang/freetype", "golang.org/x/image"},
	}
	for dir, mods := range allowed {
		for _, line := range goList(t, "-deps", "-f", "{{if .Module}}{{.Module.Path}}{{end}}", "./"+dir) {
			if line != "" && line != module && !slices.Contains(mods, line) {
				t.Errorf("%s brings %s along; it may bring %v", dir, line, mods)
			}
		}
	}
}

// TestTopLevel holds that the folders at the top are the ones of the house.
func TestTopLevel(t *testing.T) {
	want := []string{"analyze", "compare", "draw", "examples", "httpapi", "inference", "internal", "keypoint", "storage"}
	seen := map[string]bool{}
	for _, p := range goList(t, "./...") {
		dir := strings.TrimPrefix(strings.TrimPrefix(p, module), "/")
		if dir == "" {
			continue
		}
		for path.Dir(dir) != "." {
			dir = path.Dir(dir)
		}
		if !seen[dir] && !slices.Contains(want, dir) {
			t.Errorf("%s is no room of the house", dir)
		}
		seen[dir] = true
	}
}
