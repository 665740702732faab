package house_test

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/bodymotion/motion"

// rule says what the packages in and below some folders may reach in this module, directly or not,
// and which other packages they must not reach. They always may reach their own folder and those
// internal packages that do so too.
type rule struct {
	dirs   []string
	reach  []string // folders
	forbid []string
}

var pure = []string{"net", "net/http", "os/exec", "database/sql", "runtime/cgo"}

// rules are the directions of imports: down. For a package the rule with the longest folder counts,
// so that inference does not mean its drivers. A driver reaches what it drives, not its neighbours.
var rules = []rule{
	{[]string{"keypoint"}, nil, pure},
	{[]string{"say"}, []string{"keypoint"}, pure},
	{[]string{"analyze", "compare"}, []string{"keypoint", "say", "analyze"}, pure},
	{[]string{"draw"}, []string{"keypoint", "say", "analyze", "compare"}, pure},
	{[]string{"inference", "inference/ensemble"}, []string{"keypoint", "say", "analyze", "inference"}, pure},
	{[]string{"storage", "storage/memory", "storage/file"}, []string{"keypoint", "storage"}, pure},
	{[]string{"internal/driver", "internal/catalog", "internal/worker", "internal/upkeep"}, []string{"keypoint", "storage", "internal/catalog"}, pure},
	{[]string{"."}, []string{"keypoint", "say", "analyze", "compare", "draw", "inference", "storage"}, pure[1:]},
	// net/http itself reaches cgo.
	{[]string{"httpapi"}, []string{".", "keypoint", "say", "analyze", "compare", "draw", "inference", "storage"}, []string{"database/sql", "github.com/golang-jwt/jwt/v5", "go.opentelemetry.io/otel/metric"}},
	{[]string{"httpapi/jwtauth", "httpapi/otelmetrics"}, []string{".", "keypoint", "say", "analyze", "compare", "draw", "inference", "storage", "httpapi"}, []string{"database/sql"}},
	{[]string{"inference/onnxruntime", "inference/movenet", "inference/blazepose", "inference/onnx"}, []string{"keypoint", "inference", "inference/onnxruntime"}, []string{"net/http", "database/sql"}},
	{[]string{"inference/pose"}, []string{"keypoint", "inference", "inference/onnxruntime", "inference/ensemble", "inference/movenet", "inference/blazepose"}, []string{"net/http", "database/sql"}},
	{[]string{"inference/ffmpeg", "inference/ffmpeg/program", "draw/mp4"}, []string{"keypoint", "inference", "draw", "inference/ffmpeg/program"}, []string{"net/http", "database/sql"}},
	{[]string{"storage/sqlite"}, []string{"keypoint", "storage"}, []string{"net", "net/http", "os/exec", "runtime/cgo"}},
	{[]string{"storage/postgres", "storage/s3"}, []string{"keypoint", "storage"}, []string{"os/exec"}},
	{[]string{"internal"}, []string{"keypoint", "say", "analyze", "compare", "draw", "inference", "storage", "inference/ffmpeg/program", "inference/onnxruntime"}, nil},
}

// leaves are the modules of their own that others may import: what hosts without them do not fetch.
var leaves = []string{
	"httpapi/jwtauth", "httpapi/live", "httpapi/otelmetrics", "httpapi/viewer", "httpapi/webhook", "inference/blazepose/heavy",
	"inference/inferencetest", "inference/onnx", "inference/onnxruntime/offline", "internal/agree", "storage/postgres", "storage/s3", "storage/storagetest",
}

// programs are the other modules of the workspace.
var programs = []string{"cmd/motion", "examples", "examples/routers", "internal/lab"}

// maxRequires is how many modules the library may require, directly or not. It falls with what is reached.
const maxRequires = 16

// home returns the folder among those of the rules that a package of this module is in, and its rule.
func home(dir string) (string, rule) {
	found, of := "", rule{}
	for _, r := range rules {
		for _, d := range r.dirs {
			if (dir == d || strings.HasPrefix(dir, d+"/")) && len(d) > len(found) {
				found, of = d, r
			}
		}
	}
	return found, of
}

func goList(t *testing.T, args ...string) []string {
	t.Helper()
	return list(t, exec.Command("go", append([]string{"list"}, args...)...))
}

func list(t *testing.T, cmd *exec.Cmd) []string {
	t.Helper()
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, stderr.String())
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// goListAll lists the packages of the library and of its leaves.
func goListAll(t *testing.T, format string) []string {
	t.Helper()
	args := []string{"-f", format, "./..."}
	for _, dir := range leaves {
		args = append(args, "./"+dir+"/...")
	}
	return goList(t, args...)
}

// folder returns the folder of a package of this module.
func folder(pkg string) string {
	if pkg == module {
		return "."
	}
	return strings.TrimPrefix(pkg, module+"/")
}

// TestLeaves checks that the workspace has the modules of the list, and that no package of the library and no test of one
// needs another module of this repository.
func TestLeaves(t *testing.T) {
	var modules []string
	for _, path := range goList(t, "-m") {
		modules = append(modules, folder(path))
	}
	want := append(slices.Concat(leaves, programs), ".")
	slices.Sort(modules)
	slices.Sort(want)
	if !slices.Equal(modules, want) {
		t.Errorf("the workspace has the modules %q, want %q", modules, want)
	}
	for _, line := range goList(t, "-deps", "-test", "-f", `{{.ImportPath}} {{with .Module}}{{.Path}}{{end}}`, "./...") {
		path, in, _ := strings.Cut(line, " ")
		if strings.HasPrefix(in, module+"/") {
			t.Errorf("the library or its tests need %s", path)
		}
	}
}

// TestImports checks what every package of the library and of its leaves reaches.
func TestImports(t *testing.T) {
	seen := map[string]bool{}
	for _, line := range goListAll(t, `{{.ImportPath}} {{join .Deps ","}}`) {
		path, deps, _ := strings.Cut(line, " ")
		dir := folder(path)
		at, r := home(dir)
		seen[at] = true
		if strings.HasPrefix(dir, "internal/testkit") {
			continue
		}
		suite := strings.HasSuffix(dir, "test")
		if suite { // conformance suites run programs, and make pictures
			r = rule{reach: append(r.reach, "draw"), forbid: []string{module}}
		}
		for _, dep := range strings.Split(deps, ",") {
			to := folder(dep)
			in, _ := home(to)
			switch {
			case slices.Contains(r.forbid, dep), strings.HasPrefix(to, "internal/testkit") && !suite:
				t.Errorf("%s reaches %s", dir, dep)
			case to == dep, in == at, slices.Contains(r.reach, in): // another module's, or allowed
			case strings.HasPrefix(in, "internal"): // what it reaches itself is among the others
			default:
				t.Errorf("%s reaches %s; it may reach %v", dir, to, r.reach)
			}
		}
	}
	for _, r := range rules {
		for _, d := range r.dirs {
			if !seen[d] {
				t.Errorf("there is no package in %s", d)
			}
		}
	}
}

// TestStatic checks that without cgo only programs with networks are linked dynamically on Linux, as purego makes them: internal/ort
// alone imports it, and what reaches that lies below inference.
func TestStatic(t *testing.T) {
	const purego, binding = "github.com/ebitengine/purego", module + "/internal/ort"
	cmd := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports ","}} {{join .Deps ","}}`, "./...")
	for _, dir := range leaves {
		cmd.Args = append(cmd.Args, "./"+dir+"/...")
	}
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	n := 0
	for _, line := range list(t, cmd) {
		fields := strings.SplitN(line, " ", 3)
		dir := folder(fields[0])
		if slices.Contains(strings.Split(fields[1], ","), purego) != (fields[0] == binding) {
			t.Errorf("%s imports purego, or the binding does not", dir)
		}
		if !slices.Contains(strings.Split(fields[2], ","), purego) {
			continue
		}
		n++
		if !strings.HasPrefix(dir, "inference/") && fields[0] != binding && !strings.HasPrefix(dir, "internal/testkit/") {
			t.Errorf("%s reaches purego", dir)
		}
	}
	if n < 5 {
		t.Errorf("only %d packages reach purego", n)
	}
}

// TestModules checks how much the library requires, and that it does not require, not even in go.sum, what only the
// other modules of the repository need.
func TestModules(t *testing.T) {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(regexp.MustCompile(`(?m)^(require |\t)\S+ v`).FindAll(text, -1)); n > maxRequires {
		t.Errorf("go.mod requires %d modules, at most %d are allowed", n, maxRequires)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []string{"codeberg.org/gruf/go-ffmpreg", "github.com/tetratelabs/wazero", "github.com/getkin/kin-openapi", "github.com/prometheus/client_golang", "github.com/vishvananda/netlink", module + "/"} {
			if strings.Contains(string(b), m) {
				t.Errorf("%s names %s", name, m)
			}
		}
	}
}

// maxHost is how many packages of this repository a host of the API in files may build. It falls with what is reached.
const maxHost = 43

// TestHost counts the packages that such a host builds.
func TestHost(t *testing.T) {
	n := 0
	for _, path := range goList(t, "-deps", ".", "./httpapi", "./storage/file") {
		if path == module || strings.HasPrefix(path, module+"/") {
			n++
		}
	}
	if t.Logf("%d packages", n); n > maxHost {
		t.Errorf("a host builds %d packages of this repository, at most %d are allowed", n, maxHost)
	}
}

// TestPureModules checks which other modules the pure packages require.
func TestPureModules(t *testing.T) {
	const json = "github.com/go-json-experiment/json" // encoding/json/v2, which Go 1.27 has itself
	allowed := map[string][]string{
		"keypoint": {"github.com/go-gl/mathgl", "gonum.org/v1/gonum", json},
		"analyze":  {"github.com/go-gl/mathgl", "gonum.org/v1/gonum", json},
		"compare":  {"github.com/go-gl/mathgl", "gonum.org/v1/gonum", json},
		"draw":     {"github.com/go-gl/mathgl", "gonum.org/v1/gonum", json, "github.com/fogleman/gg", "github.com/golang/freetype", "golang.org/x/image"},
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
	want := []string{"analyze", "compare", "draw", "httpapi", "inference", "internal", "keypoint", "say", "storage"}
	seen := map[string]bool{}
	for _, p := range goList(t, "./...") {
		top, _, _ := strings.Cut(folder(p), "/")
		if top != "." && !seen[top] && !slices.Contains(want, top) {
			t.Errorf("%s is no room of the house", top)
		}
		seen[top] = true
	}
}
