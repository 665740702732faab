package hosts_test

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/lab/hosts"
	"github.com/bodymotion/motion/internal/lab/modproxy"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

// maxZip is the maximum size of the module's zip in bytes.
const maxZip = 40_000_000

// maxTidied is the maximum number of other modules that a host fetches for its imports and their tests.
const maxTidied = 16

// cost is the cost of the imports of a host.
type cost struct {
	modules int     // other modules that were downloaded
	tidied  int     // the same after go mod tidy
	fetched float64 // MB of their zips
	sums    int     // lines of go.sum
	program float64 // MB
}

// getHost adds the module to a new program with an empty module cache, and builds and runs it.
func getHost(t *testing.T, name, proxy string, env []string, args ...string) (c cost, said string) {
	t.Helper()
	dir, cache := t.TempDir(), t.TempDir()
	text, err := os.ReadFile(filepath.Join("testdata", name, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", text, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	get := []string{"get"}
	for _, i := range file.Imports {
		if path, err := strconv.Unquote(i.Path.Value); err == nil && strings.HasPrefix(path, hosts.Module) {
			get = append(get, path+"@"+modproxy.Version)
		}
	}
	binary := filepath.Join(dir, "host")
	for _, command := range [][]string{{"mod", "init", "example.com/host"}, get, {"build", "-trimpath", "-o", binary, "."}} {
		cmd := exec.Command("go", command...)
		cmd.Dir = dir
		cmd.Env = append(hosts.Environment(proxy, cache), env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(command, " "), err, out)
		}
	}
	c.modules, c.fetched = fetched(t, cache)
	sums, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	c.sums = bytes.Count(sums, []byte("\n"))
	info, err := os.Stat(binary)
	if err != nil {
		t.Fatal(err)
	}
	c.program = float64(info.Size()) / 1e6
	tidy := exec.Command("go", "mod", "tidy")
	tidy.Dir = dir
	tidy.Env = append(hosts.Environment(proxy, cache), env...)
	if out, err := tidy.CombinedOutput(); err != nil {
		t.Fatalf("go mod tidy: %v\n%s", err, out)
	}
	c.tidied, _ = fetched(t, cache)
	if c.tidied > maxTidied {
		t.Errorf("after go mod tidy %d modules are fetched, at most %d are allowed", c.tidied, maxTidied)
	}
	if sums, err = os.ReadFile(filepath.Join(dir, "go.sum")); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(sums, []byte("go-ffmpreg")) {
		t.Error("go.sum names FFmpeg as WebAssembly, which is under the GPL")
	}
	if name == "mounted" {
		t.Run("licences", func(t *testing.T) { checkLicences(t, dir, tidy.Env) })
	}
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return c, string(out)
}

// checkLicences checks that go-licenses reports nothing that NOTICE and README do not explain.
func checkLicences(t *testing.T, dir string, env []string) {
	t.Helper()
	if _, err := exec.LookPath("go-licenses"); err != nil {
		testkit.Skip(t, "go-licenses (go install github.com/google/go-licenses@v1.6.0)")
	}
	check := exec.Command("go-licenses", "check", ".")
	check.Dir, check.Env = dir, env
	out, _ := check.CombinedOutput() // it reports the host itself, which has no licence
	var complaints []string
	for _, m := range regexp.MustCompile(`found for library (\S+)`).FindAllSubmatch(out, -1) {
		complaints = append(complaints, string(m[1]))
	}
	if !slices.Contains(complaints, "example.com/host") {
		t.Fatalf("go-licenses says\n%s", out)
	}
	explained := regexp.MustCompile(`^(example\.com/host|github\.com/golang/freetype/.*|github\.com/ncruces/go-sqlite3-wasm/v6)$`)
	for _, c := range complaints {
		if !explained.MatchString(c) {
			t.Errorf("go-licenses complains of %s", c)
		}
	}
}

// fetched counts the other modules in a cache, and the MB of their zips.
func fetched(t *testing.T, cache string) (modules int, mb float64) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(cache, "cache", "download"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".zip" || strings.Contains(filepath.ToSlash(path), hosts.Module+"/@v/") {
			return err
		}
		info, err := d.Info()
		if err == nil {
			modules++
			mb += float64(info.Size()) / 1e6
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return modules, mb
}

// TestGoGet checks that new programs get the module from a proxy, build and run, and that
// docs/reference/packages.md has their costs.
func TestGoGet(t *testing.T) {
	testkit.Thorough(t, "builds three programs from nothing")
	proxy, zip := hosts.Proxy(t)
	t.Logf("the module's zip has %.1f MB", float64(zip)/1e6)
	if zip > maxZip {
		t.Errorf("the module's zip has %d bytes, at most %d are allowed", zip, maxZip)
	}
	picture := filepath.Join(t.TempDir(), "sample.jpg")
	if err := os.WriteFile(picture, sample.JPEG(), 0o600); err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("../../../docs/reference/packages.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range []struct {
		name, want string
		env        func(*testing.T) []string
		args       []string
	}{
		{"pure", "knee 89.4 degrees, likeness 1\n", func(*testing.T) []string { return []string{"CGO_ENABLED=0"} }, nil},
		{"mounted", `200 {"next":null,"previous":null,"maxPage":1,"data":[]}` + "\n", func(*testing.T) []string { return []string{"CGO_ENABLED=0"} }, nil},
		{"full", "17 parts found\n", func(t *testing.T) []string {
			return []string{"CGO_ENABLED=1", "ONNXRUNTIME_LIB=" + ortkit.Library(t)}
		}, []string{picture}},
	} {
		t.Run(h.name, func(t *testing.T) {
			c, said := getHost(t, h.name, proxy, h.env(t), h.args...)
			if said != h.want {
				t.Errorf("says %q, want %q", said, h.want)
			}
			t.Logf("%d modules, %d after go mod tidy, %.1f MB; %d lines of go.sum; program of %.1f MB", c.modules, c.tidied, c.fetched, c.sums, c.program)
			// | pure | … | 3 | 5 | 12.3 | 45 | 6.7 |
			row := regexp.MustCompile(`(?m)^\| ` + h.name + ` \|.*\| (\d+) \| (\d+) \| ([\d.]+) \| (\d+) \| ([\d.]+) \|$`).FindSubmatch(doc)
			if row == nil {
				t.Fatalf("docs/reference/packages.md has no row of %s", h.name)
			}
			if string(row[1]) != fmt.Sprint(c.modules) {
				t.Errorf("docs/reference/packages.md says %s modules, there are %d", row[1], c.modules)
			}
			if string(row[2]) != fmt.Sprint(c.tidied) {
				t.Errorf("docs/reference/packages.md says %s modules after go mod tidy, there are %d", row[2], c.tidied)
			}
			for what, pair := range map[string][2]float64{
				"MB to fetch": {c.fetched, number(t, row[3])}, "lines of go.sum": {float64(c.sums), number(t, row[4])}, "MB of program": {c.program, number(t, row[5])},
			} {
				if pair[1] < 0.85*pair[0] || pair[1] > 1.15*pair[0] {
					t.Errorf("docs/reference/packages.md says %v %s, it is %.1f", pair[1], what, pair[0])
				}
			}
		})
	}
}

// TestGoGetHeavy checks that a new program gets the module of BlazePose's large network beside this one.
func TestGoGetHeavy(t *testing.T) {
	testkit.Thorough(t, "builds a program from nothing")
	proxy, _ := hosts.Proxy(t)
	_, said := getHost(t, "heavy", proxy, []string{"CGO_ENABLED=1", "ONNXRUNTIME_LIB=" + ortkit.Library(t)})
	if want := "0 parts\n"; said != want {
		t.Errorf("says %q, want %q", said, want)
	}
}

func number(t *testing.T, b []byte) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
