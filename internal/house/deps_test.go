package house_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/bodymotion/motion"

// room is a row of the import table: the packages below a folder and what they may import from this
// module. All packages outside of internal may also import internal ones.
type room struct {
	dir     string
	imports []string // folders; "/..." includes those below
	forbid  []string // packages out of reach, even indirectly
}

var (
	pure    = []string{"net", "net/http", "os/exec", "database/sql", "runtime/cgo"}
	pixels  = []string{module + "/draw", module + "/inference"}
	drivers = []string{
		module + "/inference/movenet", module + "/inference/blazepose", module + "/inference/pose", module + "/inference/onnx", module + "/inference/ffmpeg", module + "/draw/mp4",
		module + "/storage/memory", module + "/storage/file", module + "/storage/sqlite", module + "/storage/postgres", module + "/storage/s3",
	}
	encoded = []string{".", "keypoint/...", "analyze/...", "compare", "draw", "inference", "storage"} // by httpapi
	root    = []string{module, "net/http"}
)

// table is the import table: imports point down. The first matching row counts.
var table = []room{
	{"keypoint/formats", []string{"keypoint", "analyze", "compare"}, pure},
	{"keypoint/...", []string{"keypoint/..."}, pure},
	{"analyze", []string{"keypoint", "keypoint/quality", "keypoint/words"}, pure},
	{"analyze/gait", []string{"analyze", "keypoint"}, pure},
	{"analyze/jump", []string{"analyze", "keypoint"}, pure},
	{"compare", []string{"analyze", "keypoint"}, pure},
	{"draw", []string{"keypoint"}, pure},
	{"draw/internal/axis", nil, pure},
	{"draw/chart", []string{"analyze", "draw/internal/axis", "keypoint"}, pure},
	{"draw/sheet", []string{"analyze", "draw", "keypoint"}, pure},
	{"draw/report", []string{"analyze/...", "compare", "draw/internal/axis", "keypoint/..."}, pure},
	{"draw/mp4", []string{"draw", "keypoint", "inference/ffmpeg/program"}, append(root, "database/sql")},
	{"inference", []string{"keypoint"}, pure},
	{"inference/live", []string{"analyze", "inference", "keypoint/..."}, pure},
	{"inference/internal/...", []string{"inference", "keypoint", "inference/internal/..."}, pure},
	{"inference/inferencetest", []string{"inference", "inference/internal/...", "draw", "keypoint"}, pure},
	{"inference/movenet/...", []string{"inference", "keypoint", "inference/internal/...", "inference/movenet/..."}, append(root, "database/sql")},
	{"inference/blazepose/...", []string{"inference", "keypoint", "inference/internal/...", "inference/blazepose/..."}, append(root, "database/sql")},
	{"inference/ensemble", []string{"inference", "keypoint", "inference/internal/..."}, pure},
	{"inference/pose", []string{"inference", "inference/ensemble", "inference/movenet/...", "inference/blazepose/..."}, append(root, "database/sql")},
	{"inference/onnx/...", []string{"inference", "keypoint", "inference/internal/...", "inference/onnx/..."}, append(root, "database/sql")},
	{"inference/ffmpeg/program", nil, []string{"net", "net/http", "database/sql", "runtime/cgo"}},
	{"inference/ffmpeg", []string{"inference", "inference/ffmpeg/program", "keypoint"}, append(root, "database/sql")},
	{"storage", []string{"keypoint"}, pure},
	{"storage/internal/...", []string{"storage"}, pure},
	{"storage/storagetest", []string{"storage", "keypoint"}, []string{module}},
	{"storage/memory", []string{"storage", "keypoint", "storage/internal/..."}, pure},
	{"storage/file", []string{"storage", "keypoint", "storage/internal/..."}, pure},
	{"storage/sqlite", []string{"storage", "keypoint", "storage/internal/..."}, append(root, "net", "os/exec", "runtime/cgo")},
	{"storage/s3", []string{"storage", "keypoint", "storage/internal/..."}, []string{module, "os/exec", "database/sql"}},
	{"storage/postgres", []string{"storage", "keypoint", "storage/internal/..."}, []string{module, "os/exec"}},
	{"internal/answers", []string{"storage"}, append(pixels, pure...)},
	{"internal/catalog", []string{"storage", "keypoint"}, append(pixels, pure...)},
	{"internal/extraction", []string{"keypoint/...", "inference", "storage", "internal/catalog"}, append(pure, module, module+"/draw")},
	{"internal/livejson", []string{"analyze", "inference/live", "internal/jsonappend", "keypoint/..."}, append(pure, module)},
	{"internal/fair", nil, append(pixels, pure...)},
	{"internal/worker", []string{"storage", "internal/catalog"}, append(pixels, pure...)},
	{"internal/upkeep", []string{"storage", "internal/catalog"}, append(pixels, pure...)},
	{"internal/film", []string{"analyze", "compare", "draw", "inference", "keypoint", "internal/yuv"}, append(pure, module, module+"/storage")},
	{"internal/still", []string{"inference"}, append(pure, module, module+"/storage")},
	{".", []string{"keypoint/...", "analyze/...", "compare", "draw", "inference", "storage"}, append(drivers, pure[1:]...)},
	// net/http itself reaches cgo.
	{"httpapi", append([]string{"draw/report", "draw/sheet", "httpapi/internal/wire"}, encoded...), append(drivers, "database/sql", "github.com/golang-jwt/jwt/v5", "go.opentelemetry.io/otel/metric")},
	{"httpapi/webhook", []string{".", "storage"}, append(drivers, "database/sql")},
	{"httpapi/internal/wire", []string{"inference", "keypoint"}, append(drivers, "database/sql", module)},
	{"httpapi/live", []string{".", "analyze", "httpapi", "httpapi/internal/wire", "inference", "inference/live", "keypoint/..."}, append(drivers, "database/sql")},
	{"httpapi/...", append(encoded, "httpapi/..."), append(drivers, "database/sql")},
}

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

// folder returns the folder of a package of this module.
func folder(pkg string) string {
	if pkg == module {
		return "."
	}
	return strings.TrimPrefix(pkg, module+"/")
}

// TestImports checks every package of the library against the table.
func TestImports(t *testing.T) {
	for _, line := range goList(t, "-f", `{{.ImportPath}} {{join .Imports ","}} {{join .Deps ","}}`, "./...") {
		fields := strings.Split(line, " ")
		dir, deps := folder(fields[0]), strings.Split(fields[2], ",")
		i := slices.IndexFunc(table, func(r room) bool { return matches(r.dir, dir) })
		if i < 0 {
			if !strings.HasPrefix(dir, "internal/") {
				t.Errorf("%s is in no room of the table", dir)
			}
			continue
		}
		r := table[i]
		for _, imp := range strings.Split(fields[1], ",") {
			to := folder(imp)
			allowed := slices.ContainsFunc(r.imports, func(p string) bool { return matches(p, to) })
			switch {
			case to == imp, allowed: // another module
			case strings.HasPrefix(to, "internal/") && !strings.HasPrefix(dir, "internal/"):
			default:
				t.Errorf("%s imports %s; it may import %v", dir, to, r.imports)
			}
		}
		for _, f := range r.forbid {
			if slices.Contains(deps, f) {
				t.Errorf("%s reaches %s", dir, f)
			}
		}
	}
}

// TestModules checks that the library does not require, not even in go.sum, what only programs and
// tests of the nested modules need.
func TestModules(t *testing.T) {
	for _, name := range []string{"go.mod", "go.sum"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []string{"codeberg.org/gruf/go-ffmpreg", "github.com/tetratelabs/wazero", "github.com/getkin/kin-openapi", "github.com/prometheus/client_golang", "github.com/vishvananda/netlink"} {
			if strings.Contains(string(b), m+" ") {
				t.Errorf("%s names %s", name, m)
			}
		}
	}
}

// TestPureModules checks which other modules the pure packages require.
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

// TestTopLevel checks the folders at the top.
func TestTopLevel(t *testing.T) {
	want := []string{"analyze", "compare", "draw", "httpapi", "inference", "internal", "keypoint", "storage"}
	seen := map[string]bool{}
	for _, p := range goList(t, "./...") {
		top, _, _ := strings.Cut(folder(p), "/")
		if top != "." && !seen[top] && !slices.Contains(want, top) {
			t.Errorf("%s is no room of the house", top)
		}
		seen[top] = true
	}
}

// maxLines is the maximum length of a Go file that is not a test.
const maxLines = 350

// TestFileLengths checks the length of all files.
func TestFileLengths(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		b, err := os.ReadFile(path)
		if n := bytes.Count(b, []byte("\n")); n > maxLines {
			t.Errorf("%s has %d lines, at most %d are allowed", path, n, maxLines)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestRootFiles checks that the root stays small.
func TestRootFiles(t *testing.T) {
	all, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	tests, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(all) - len(tests); n > 12 {
		t.Errorf("the root has %d Go files, at most 12 are allowed", n)
	}
	if len(tests) > 14 {
		t.Errorf("the root has %d test files, at most 14 are allowed", len(tests))
	}
}
